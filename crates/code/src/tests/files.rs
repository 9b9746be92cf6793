//! Tests of `lore files`.

use serde_json::json;

use super::{SHOP, Tree, keys, rows, same_defaults, told, typed};
use crate::Files;

#[test]
fn files_lists_lines_language_and_path_and_syntax_errors() {
    told(
        &typed::<Files>(SHOP, &[]),
        "
             40 rust        src/cart.rs
             25 rust        src/order.rs
              8 python      tests/test_cart.py
             12 typescript  web/cart.ts
                web/cart.ts:11:4: unexpected `}`
        ",
    );
}

#[test]
fn files_paths_keep_only_what_they_match() {
    told(
        &typed::<Files>(SHOP, &["src", "**/*.py"]),
        "
             40 rust        src/cart.rs
             25 rust        src/order.rs
              8 python      tests/test_cart.py
        ",
    );
}

#[test]
fn files_language_keeps_only_that_language_in_any_case() {
    told(
        &typed::<Files>(SHOP, &["--language", "RUST,python"]),
        "
             40 rust        src/cart.rs
             25 rust        src/order.rs
              8 python      tests/test_cart.py
        ",
    );
}

#[test]
fn files_skipped_lists_what_is_left_out_and_why() {
    told(
        &typed::<Files>(SHOP, &["--skipped"]),
        "
        binary            assets/logo.png
        minified          dist/app.min.js  one line of 80000 characters
        ",
    );
}

#[test]
fn files_skipped_below_a_path() {
    told(
        &typed::<Files>(SHOP, &["dist", "--skipped"]),
        "
        minified          dist/app.min.js  one line of 80000 characters
        ",
    );
}

#[test]
fn files_errors_lists_only_files_with_syntax_errors() {
    told(
        &typed::<Files>(SHOP, &["--errors"]),
        "
             12 typescript  web/cart.ts
                web/cart.ts:11:4: unexpected `}`
        ",
    );
}

#[test]
fn files_errors_and_skipped_exclude_each_other() {
    told(
        &typed::<Files>(SHOP, &["--errors", "--skipped"]),
        "
        error invalid (2): error: the argument '--errors' cannot be used with '--skipped'
        ",
    );
}

#[test]
fn files_of_a_path_without_files_is_no() {
    told(
        &typed::<Files>(SHOP, &["lib"]),
        "
        no
        ",
    );
    told(
        &typed::<Files>(SHOP, &["lib", "--skipped"]),
        "
        no
        ",
    );
}

#[test]
fn files_of_an_empty_graph_is_yes() {
    told(
        &typed::<Files>("", &[]),
        "
        ",
    );
}

#[test]
fn files_paths_are_seen_from_where_the_caller_stands() {
    told(
        &Tree::of(SHOP).at("src").typed::<Files>(&["order.rs"]).text,
        "
             25 rust        src/order.rs
        ",
    );
}

#[test]
fn files_json_of_a_file() {
    told(
        &keys(&rows::<Files>(SHOP, json!({}))[0]),
        "
        blank blob bytes code comment errors language path symbols test
        ",
    );
    let cart = &rows::<Files>(SHOP, json!({"paths": ["web/cart.ts"]}))[0];
    assert_eq!(cart["errors"], json!(["11:4: unexpected `}`"]));
    assert_eq!(cart["symbols"], 2);
    assert_eq!(cart["blob"], "04".repeat(20));
    assert_eq!(cart["test"], false);
}

#[test]
fn files_json_of_a_file_that_is_left_out() {
    told(
        &keys(&rows::<Files>(SHOP, json!({"skipped": true}))[0]),
        "
        detail path reason
        ",
    );
}

#[test]
fn files_asks_the_same_by_words_and_by_json() {
    same_defaults::<Files>(SHOP, &[], json!({}));
    same_defaults::<Files>(
        SHOP,
        &["src", "-l", "rust"],
        json!({"paths": "src", "language": "rust", "errors": false}),
    );
}
