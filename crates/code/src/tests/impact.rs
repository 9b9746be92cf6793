//! Tests of `lore impact`.

use serde_json::json;

use super::{SHOP, Tree, ambiguous, ask, keys, rows, same_defaults, told, typed};
use crate::Impact;

const TWICE: &str = "
    file a.ts typescript module=a
    sym a.save function line=1
    sym a.save#2 function line=2
    sym a.one function line=3
    sym a.two function line=4
    edge a.one call a.save
    edge a.two call a.save#2
";

const LOST: &str = "
    file a.py python module=a
    sym a.save function line=1
    sym a.main function line=2
    lost a.main 3 save
";

/// A tree in which the body of `g` differs from the revision `v1`.
fn changed() -> Tree {
    let graph = |hash: u32| {
        format!(
            "file a.py python module=a hash={hash}
             sym a.f function line=1 lines=2
             sym a.g function line=3 lines=2
             sym a.test_g test line=5 lines=2
             edge a.f call a.g at=2
             edge a.test_g call a.g at=6"
        )
    };
    let old = "def f():\n    g()\ndef g():\n    1\ndef test_g():\n    g()\n";
    let new = "def f():\n    g()\ndef g():\n    2\ndef test_g():\n    g()\n";
    let mut tree = Tree::of(&graph(2)).with_files(&[("a.py", new)]);
    tree.revisions.insert("v1", (graph(1), vec![("a.py", old)]));
    tree
}

/// A tree in which the first line of a file, which is in no definition, differs from the revision `v1`.
fn outside() -> Tree {
    let graph = |hash: u32| {
        format!(
            "file a.py python module=a hash={hash}
             sym a.f function line=2
             file b.py python module=b hash=9
             edge b import a at=1"
        )
    };
    let mut tree = Tree::of(&graph(2)).with_files(&[("a.py", "X = 2\ndef f(): pass\n")]);
    let old = vec![("a.py", "X = 1\ndef f(): pass\n")];
    tree.revisions.insert("v1", (graph(1), old));
    tree
}

/// A tree without a file of the revision `v1`, and with a new one.
fn gone() -> Tree {
    let new = "file new.py python module=new hash=2\nsym new.f function line=1";
    let mut tree = Tree::of(new).with_files(&[("new.py", "def f(): pass\n")]);
    let old = "file old.py python module=old hash=1".to_owned();
    tree.revisions.insert("v1", (old, vec![("old.py", "1\n")]));
    tree
}

#[test]
fn impact_of_a_symbol_follows_what_leans_on_it() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply"]),
        "
        changed: shop::cart::Cart::apply

        tests to run: 1
          0.69  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          0.81  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
          0.30  shop::cart::Cart  src/cart.rs:3  has the member shop::cart::Cart::apply
        ",
    );
}

#[test]
fn impact_of_a_file_is_that_of_its_symbols() {
    told(&typed::<Impact>(SHOP, &["src/cart.rs", "--limit", "3"]), "
        changed: shop::cart, shop::cart::Cart, shop::cart::Cart::apply, shop::cart::Cart::new, shop::cart::Cart::total, shop::cart::LIMIT

        tests to run: 1
          0.84  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 2
          0.99  shop::order::place  src/order.rs:14  calls shop::cart::Cart::new
          0.50  shop::order  src/order.rs:1  imports shop::cart
        ");
}

#[test]
fn impact_of_several_targets() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply", "web/cart.Cart"]),
        "
        changed: shop::cart::Cart::apply, web/cart.Cart

        tests to run: 1
          0.69  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          0.81  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
          0.30  shop::cart::Cart  src/cart.rs:3  has the member shop::cart::Cart::apply
        ",
    );
}

#[test]
fn impact_tests_lists_only_tests() {
    told(
        &typed::<Impact>(SHOP, &["place", "--tests"]),
        "
        test_cart.test_total  tests/test_cart.py:2  0.85
        ",
    );
}

#[test]
fn impact_min_confidence_leaves_out_what_is_less_likely() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply", "--min-confidence", "0.8"]),
        "
        changed: shop::cart::Cart::apply

        tests to run: 0

        affected: 2
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          0.81  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
        ",
    );
}

#[test]
fn impact_limit_counts_what_it_leaves_out() {
    told(
        &typed::<Impact>(SHOP, &["Cart::apply", "--limit", "1"]),
        "
        changed: shop::cart::Cart::apply

        tests to run: 1
          0.69  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.85  shop::cart::Cart::total  src/cart.rs:9  calls shop::cart::Cart::apply
          … and 2 more (--limit 0 shows all)
        ",
    );
}

#[test]
fn impact_limit_zero_shows_all() {
    let lines: Vec<String> = (1..=60)
        .map(|number| format!("sym a.f{number} function line={number}\nedge a.f{number} call a.g"))
        .collect();
    let graph = format!(
        "file a.py python module=a\nsym a.g function line=99\n{}",
        lines.join("\n")
    );
    let shown = |words: &[&str]| {
        let said = typed::<Impact>(&graph, words);
        (said.matches("calls a.g").count(), said.contains("… and 10 more"))
    };
    assert_eq!(shown(&["a.g"]), (50, true));
    assert_eq!(shown(&["a.g", "--limit", "0"]), (60, false));
}

#[test]
fn impact_of_a_symbol_without_any() {
    told(
        &typed::<Impact>(SHOP, &["web/cart.Cart"]),
        "
        changed: web/cart.Cart

        tests to run: 0

        affected: 0
        ",
    );
}

#[test]
fn impact_of_a_name_with_two_meanings_is_that_of_both() {
    told(
        &typed::<Impact>(SHOP, &["total"]),
        "
        changed: shop::cart::Cart::total, shop::order::Order::total

        tests to run: 1
          0.81  test_cart.test_total  tests/test_cart.py:2  calls shop::order::place

        affected: 3
          0.95  shop::order::place  src/order.rs:14  calls shop::cart::Cart::total
          0.30  shop::cart::Cart  src/cart.rs:3  has the member shop::cart::Cart::total
          0.30  shop::order::Order  src/order.rs:4  has the member shop::order::Order::total
        ",
    );
}

#[test]
fn impact_of_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Impact>(&["go"]);
}

#[test]
fn impact_of_declarations_of_one_name_is_that_of_all() {
    told(
        &typed::<Impact>(TWICE, &["save"]),
        "
        changed: a.save

        tests to run: 0

        affected: 2
          0.99  a.one  a.ts:3  calls a.save
          0.99  a.two  a.ts:4  calls a.save
        ",
    );
}

#[test]
fn impact_of_an_unknown_name_is_not_found() {
    told(
        &typed::<Impact>(SHOP, &["palce"]),
        "
        error not_found (1): unknown symbol or file: `palce`
        hint: did you mean shop::order::place?
        ",
    );
}

#[test]
fn impact_of_nothing_is_a_wrong_question() {
    told(
        &typed::<Impact>(SHOP, &[]),
        "
        error invalid (2): no change is named
        hint: name a symbol or a file, or use --since REV
        ",
    );
}

#[test]
fn impact_guesses_by_name_where_a_call_has_no_known_target() {
    told(
        &typed::<Impact>(LOST, &["save"]),
        "
        changed: a.save

        tests to run: 0

        affected: 1
          0.30  a.main  a.py:2  calls something named a.save
        ",
    );
}

#[test]
fn impact_since_is_that_of_the_symbols_whose_lines_changed() {
    told(
        &changed().typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: a.g

        tests to run: 1
          0.99  a.test_g  a.py:5  calls a.g

        affected: 1
          0.99  a.f  a.py:1  calls a.g
        ",
    );
}

#[test]
fn impact_since_counts_lines_outside_of_definitions_as_the_module() {
    told(
        &outside().typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: a
        files with changes outside of definitions: a.py

        tests to run: 0

        affected: 1
          0.50  b  b.py:1  imports a
        ",
    );
}

#[test]
fn impact_since_names_files_that_are_gone() {
    told(
        &gone().typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: new.f
        files with changes outside of definitions: old.py

        tests to run: 0

        affected: 0
        ",
    );
}

#[test]
fn impact_since_an_equal_revision_is_that_of_nothing() {
    let mut tree = changed();
    tree.revisions.insert("v2", (tree.graph.clone(), tree.files.clone()));
    told(
        &tree.typed::<Impact>(&["--since", "v2"]).text,
        "
        changed: nothing

        tests to run: 0

        affected: 0
        ",
    );
}

#[test]
fn impact_since_an_unknown_revision_is_an_error() {
    told(
        &typed::<Impact>(SHOP, &["--since", "v9"]),
        "
        error not_found (1): unknown git revision: v9
        ",
    );
}

#[test]
fn impact_since_counts_a_file_that_may_not_be_read_as_changed() {
    let mut tree = changed();
    tree.refused = vec!["a.py"];
    told(
        &tree.typed::<Impact>(&["--since", "v1"]).text,
        "
        changed: a, a.f, a.g, a.test_g
        files with changes outside of definitions: a.py

        tests to run: 1
          1.00  a.test_g  a.py:5  changed

        affected: 0
        remark: 1 changed file may not be read: every definition there counts as changed
        ",
    );
}

#[test]
fn impact_json() {
    told(&keys(&rows::<Impact>(SHOP, json!({"targets": ["Cart::apply"], "min_confidence": 0}))[0]), "
        affected[because confidence distance kind line path symbol through] affected_count changed test_files tests[because confidence distance kind line path symbol through]
        ");
    let answer = gone().asked::<Impact>(json!({"since": "v1"})).json;
    assert_eq!(answer[0]["changed_files"], json!(["old.py"]));
}

#[test]
fn impact_json_counts_what_it_leaves_out() {
    let answer = &rows::<Impact>(SHOP, json!({"targets": "Cart::apply", "limit": 1}))[0];
    assert_eq!(answer["affected"].as_array().map(Vec::len), Some(1));
    told(
        &format!("{}\n", answer["affected_count"]),
        "
        3
        ",
    );
}

#[test]
fn impact_asks_the_same_by_words_and_by_json() {
    same_defaults::<Impact>(SHOP, &["Cart::apply"], json!({"targets": "Cart::apply"}));
    let said = ask::<Impact>(SHOP, json!({"targets": ["place"], "tests": true}));
    assert_eq!(said, typed::<Impact>(SHOP, &["place", "--tests"]));
}

#[test]
fn impact_json_of_tests_only_counts_what_else_is_affected() {
    let answer = &rows::<Impact>(SHOP, json!({"targets": "Cart::apply", "tests": true}))[0];
    assert_eq!(answer["affected"], json!([]));
    assert_eq!(answer["affected_count"], 3);
    assert_eq!(answer["test_files"], json!(["tests/test_cart.py"]));
}
