//! Tests of `lore edges`.

use serde_json::json;

use super::{SHOP, ambiguous, keys, rows, same_defaults, told, typed};
use crate::Edges;

#[test]
fn edges_lists_all_by_symbol() {
    told(
        &typed::<Edges>(SHOP, &[]),
        "
        src/cart.rs:2 shop::cart import std::fmt  exact
        src/cart.rs:10 shop::cart::Cart::total call shop::cart::Cart::apply  flow
        src/cart.rs:11 shop::cart::Cart::total reads shop::cart::LIMIT  exact
        src/order.rs:1 shop::order import shop::cart  exact
        src/order.rs:6 shop::order::Order::total overrides shop::cart::Cart::total  exact
        src/order.rs:15 shop::order::place call shop::cart::Cart::new  exact
        src/order.rs:16 shop::order::place call shop::cart::Cart::total  typed, 2 lines
        src/order.rs:19 shop::order::place call std::process::exit  exact
        src/order.rs:14 shop::order::place references shop::cart::Cart  exact
        tests/test_cart.py:3 test_cart.test_total call shop::order::place  flow
        tests/test_cart.py:3 test_cart.test_total tests shop::order::place  exact
        ",
    );
}

#[test]
fn edges_of_a_symbol_start_from_it() {
    told(
        &typed::<Edges>(SHOP, &["Cart::total"]),
        "
        src/cart.rs:10 shop::cart::Cart::total call shop::cart::Cart::apply  flow
        src/cart.rs:11 shop::cart::Cart::total reads shop::cart::LIMIT  exact
        ",
    );
}

#[test]
fn edges_incoming_lead_to_the_symbol() {
    told(
        &typed::<Edges>(SHOP, &["Cart::total", "--incoming"]),
        "
        src/order.rs:6 shop::order::Order::total overrides shop::cart::Cart::total  exact
        src/order.rs:16 shop::order::place call shop::cart::Cart::total  typed, 2 lines
        ",
    );
}

#[test]
fn edges_incoming_needs_a_symbol() {
    told(
        &typed::<Edges>(SHOP, &["--incoming"]),
        "
        error invalid (2): error: the following required arguments were not provided:
        ",
    );
}

#[test]
fn edges_kind_keeps_only_that_kind() {
    told(
        &typed::<Edges>(SHOP, &["--kind", "reads,overrides", "--kind", "tests"]),
        "
        src/cart.rs:11 shop::cart::Cart::total reads shop::cart::LIMIT  exact
        src/order.rs:6 shop::order::Order::total overrides shop::cart::Cart::total  exact
        tests/test_cart.py:3 test_cart.test_total tests shop::order::place  exact
        ",
    );
}

#[test]
fn edges_no_external_leaves_out_what_is_not_defined_here() {
    told(
        &typed::<Edges>(SHOP, &["--kind", "import", "--no-external"]),
        "
        src/order.rs:1 shop::order import shop::cart  exact
        ",
    );
}

#[test]
fn edges_min_confidence_leaves_out_what_is_less_sure() {
    told(
        &typed::<Edges>(SHOP, &["place", "--min-confidence", "0.96"]),
        "
        src/order.rs:15 shop::order::place call shop::cart::Cart::new  exact
        src/order.rs:19 shop::order::place call std::process::exit  exact
        src/order.rs:14 shop::order::place references shop::cart::Cart  exact
        ",
    );
}

#[test]
fn edges_of_a_file_are_those_of_its_module() {
    told(
        &typed::<Edges>(SHOP, &["src/order.rs"]),
        "
        src/order.rs:1 shop::order import shop::cart  exact
        ",
    );
}

#[test]
fn edges_of_a_symbol_without_any_is_yes() {
    told(
        &typed::<Edges>(SHOP, &["Cart::apply"]),
        "
        ",
    );
}

#[test]
fn edges_of_a_name_with_two_meanings_are_those_of_both() {
    told(
        &typed::<Edges>(SHOP, &["total"]),
        "
        src/cart.rs:10 shop::cart::Cart::total call shop::cart::Cart::apply  flow
        src/cart.rs:11 shop::cart::Cart::total reads shop::cart::LIMIT  exact
        src/order.rs:6 shop::order::Order::total overrides shop::cart::Cart::total  exact
        note: `total` means 2 symbols, which are answered together:
          shop::cart::Cart::total at src/cart.rs:9  pub fn total(&self) -> u32
          shop::order::Order::total at src/order.rs:6  pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn edges_of_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Edges>(&["go"]);
}

#[test]
fn edges_to_a_module_include_imports_of_its_members() {
    told(
        &typed::<Edges>(MEMBERS, &["a", "--incoming", "--kind", "import"]),
        "
        b.py:3 b import a  exact
        b.py:4 b import a.f  exact
        ",
    );
}

#[test]
fn edges_of_an_external_package_are_those_to_its_names() {
    told(
        &typed::<Edges>(MEMBERS, &["requests", "--incoming"]),
        "
        b.py:5 b import requests.get  exact
        ",
    );
}

const MEMBERS: &str = "
    file a.py python module=a
    sym a.f function line=1
    file b.py python module=b
    edge b import a at=3
    edge b import a.f at=4
    edge b import requests.get at=5
    edge b import requests_mock at=6
";

#[test]
fn edges_of_an_unknown_name_is_not_found() {
    told(
        &typed::<Edges>(SHOP, &["Cart::aply"]),
        "
        error not_found (1): unknown symbol or file: `Cart::aply`
        hint: did you mean shop::cart::Cart::apply?
        ",
    );
}

#[test]
fn edges_json_of_an_edge() {
    told(
        &keys(&rows::<Edges>(SHOP, json!({"symbol": "Cart::total"}))[0]),
        "
        confidence kind lines resolution source source_file source_kind target target_file target_kind
        ",
    );
}

#[test]
fn edges_json_of_an_edge_to_something_external() {
    let found = rows::<Edges>(SHOP, json!({"symbol": "src/cart.rs", "kind": "import"}));
    assert_eq!(found[0]["external"], true);
    told(
        &keys(&found[0]),
        "
        confidence external kind lines resolution source source_file source_kind target
        ",
    );
}

#[test]
fn edges_asks_the_same_by_words_and_by_json() {
    same_defaults::<Edges>(SHOP, &[], json!({}));
    same_defaults::<Edges>(
        SHOP,
        &["place", "--kind", "call", "--incoming", "--min-confidence", "0.2"],
        json!({"symbol": "place", "kind": ["call"], "incoming": true, "min_confidence": 0.2}),
    );
}
