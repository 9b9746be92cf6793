//! Tests of `lore deps`.

use serde_json::json;

use super::{SHOP, keys, rows, same_defaults, told, typed};
use crate::Deps;

/// Modules in directories. `app` and `app.db` depend on each other.
const DEEP: &str = "
    file app/core/main.py python module=app
    sym app.main function line=1
    file app/db/store.py python module=app.db
    sym app.db.load function line=1
    file lib/text.py python module=text
    sym text.trim function line=1
    file top.py python module=top
    sym top.run function line=1
    edge app.main call app.db.load
    edge app.db.load call app.main
    edge app.db.load call text.trim
    edge top.run call app.main
";

#[test]
fn deps_of_modules() {
    told(
        &typed::<Deps>(SHOP, &[]),
        "
        shop::order
          -> shop::cart  2 call, 1 import, 1 overrides, 1 references
        ",
    );
}

#[test]
fn deps_level_file() {
    told(
        &typed::<Deps>(SHOP, &["--level", "file"]),
        "
        src/order.rs
          -> src/cart.rs  2 call, 1 import, 1 overrides, 1 references
        ",
    );
}

#[test]
fn deps_level_directory() {
    told(
        &typed::<Deps>(DEEP, &["--level", "directory"]),
        "
        .
          -> app/core  1 call
        app/core
          -> app/db  1 call
        app/db
          -> app/core  1 call
          -> lib  1 call

        cycle of 2
          app/core
          app/db
        ",
    );
}

#[test]
fn deps_depth_keeps_the_first_parts_of_directories() {
    told(
        &typed::<Deps>(DEEP, &["--level", "directory", "--depth", "1"]),
        "
        .
          -> app  1 call
        app
          -> lib  1 call
        ",
    );
}

#[test]
fn deps_cycles_keeps_only_what_depends_on_each_other() {
    told(
        &typed::<Deps>(DEEP, &["--cycles"]),
        "
        app
          -> app.db  1 call
        app.db
          -> app  1 call

        cycle of 2
          app
          app.db
        ",
    );
}

#[test]
fn deps_without_cycles_has_none() {
    told(
        &typed::<Deps>(SHOP, &["--cycles"]),
        "
        ",
    );
}

#[test]
fn deps_external_adds_what_lies_outside() {
    told(
        &typed::<Deps>(SHOP, &["--external"]),
        "
        shop::cart
          -> std::fmt  1 import
        shop::order
          -> shop::cart  2 call, 1 import, 1 overrides, 1 references
        ",
    );
}

#[test]
fn deps_no_tests_leaves_out_test_files() {
    told(
        &typed::<Deps>(SHOP, &["--min-confidence", "0.5"]),
        "
        shop::order
          -> shop::cart  2 call, 1 import, 1 overrides, 1 references
        test_cart
          -> shop::order  1 call
        ",
    );
    told(
        &typed::<Deps>(SHOP, &["--no-tests", "--min-confidence", "0.5"]),
        "
        shop::order
          -> shop::cart  2 call, 1 import, 1 overrides, 1 references
        ",
    );
}

#[test]
fn deps_min_confidence_leaves_out_what_is_less_sure() {
    told(
        &typed::<Deps>(SHOP, &["src", "--min-confidence", "0.96"]),
        "
        shop::order
          -> shop::cart  1 call, 1 import, 1 overrides, 1 references
        ",
    );
}

#[test]
fn deps_paths_keep_what_these_files_depend_on() {
    told(
        &typed::<Deps>(SHOP, &["src/order.rs"]),
        "
        shop::order
          -> shop::cart  2 call, 1 import, 1 overrides, 1 references
        ",
    );
    told(
        &typed::<Deps>(SHOP, &["src/cart.rs"]),
        "
        ",
    );
}

#[test]
fn deps_of_a_path_without_files_is_not_found() {
    told(
        &typed::<Deps>(SHOP, &["lib"]),
        "
        error not_found (1): no file of the graph matches `lib`
        hint: `lore files` lists the files
        ",
    );
}

#[test]
fn deps_format_dot() {
    told(
        &typed::<Deps>(SHOP, &["--format", "dot", "--external"]),
        r#"
        digraph dependencies {
          rankdir=LR; node [shape=box];
          "shop::cart" -> "std::fmt" [style=dashed];
          "shop::order" -> "shop::cart";
        }
        "#,
    );
}

#[test]
fn deps_format_mermaid() {
    told(
        &typed::<Deps>(SHOP, &["--format", "mermaid", "--external"]),
        r#"
        graph LR
          m0["shop::cart"]
          m1["shop::order"]
          m2["std::fmt"]
          m0 -.-> m2
          m1 --> m0
        "#,
    );
}

#[test]
fn deps_json() {
    told(
        &keys(&rows::<Deps>(SHOP, json!({"external": true}))[0]),
        "
        cycles dependencies[edges{import} external from to]
        ",
    );
    let answer = &rows::<Deps>(DEEP, json!({}))[0];
    assert_eq!(answer["cycles"], json!([["app", "app.db"]]));
}

#[test]
fn deps_json_marks_only_what_lies_outside() {
    let answer = &rows::<Deps>(SHOP, json!({"external": true}))[0];
    let outside = answer["dependencies"].as_array().into_iter().flatten();
    let outside: Vec<String> = outside
        .map(|row| format!("{} {}\n", row["to"], row.get("external").is_some()))
        .collect();
    told(
        &outside.concat(),
        r#"
        "std::fmt" true
        "shop::cart" false
        "#,
    );
}

#[test]
fn deps_asks_the_same_by_words_and_by_json() {
    same_defaults::<Deps>(SHOP, &[], json!({}));
    same_defaults::<Deps>(
        SHOP,
        &["src", "--level", "file", "--external", "--format", "dot"],
        json!({"paths": "src", "level": "file", "external": true, "format": "dot"}),
    );
}
