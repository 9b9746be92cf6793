//! Tests of `lore callers` and `lore callees`.

use serde_json::json;

use super::{SHOP, ambiguous, ask, keys, rows, told, typed};
use crate::{Callees, Callers};

/// Two declarations of one name. The second one has more edges.
const TWICE: &str = "
    file a.ts typescript module=a
    sym a.save function line=1
    sym a.save#2 function line=2
    sym a.main function line=3
    edge a.main call a.save#2 at=4
";
const TESTS_CALLED: &str = "
    file a.py python module=a
    sym a.run function line=1
    sym a.test_it test line=2
    sym a.help function line=3
    edge a.run call a.test_it
    edge a.run call a.help
";
const TOP_LEVEL: &str = "
    file a.py python module=a
    sym a.f function line=1
    sym a.g function line=2
    edge a call a.f at=9
    edge a.f call a.g
";

const CIRCLE: &str = "
    file a.py python module=a
    sym a.f function line=1
    sym a.g function line=2
    edge a.f call a.g at=1
    edge a.g call a.f at=2
";

#[test]
fn callers_of_a_method() {
    told(
        &typed::<Callers>(SHOP, &["Cart::apply"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        ",
    );
}

#[test]
fn callers_of_a_class_make_instances_of_it() {
    told(
        &typed::<Callers>(SHOP, &["shop::cart::Cart"]),
        "
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        ",
    );
}

#[test]
fn callers_depth_follows_them_further() {
    told(
        &typed::<Callers>(SHOP, &["Cart::apply", "--depth", "3"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
          src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
            tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn callers_depth_zero_is_none() {
    told(
        &typed::<Callers>(SHOP, &["Cart::apply", "-d", "0"]),
        "
        ",
    );
}

#[test]
fn callers_no_tests_leaves_out_tests() {
    told(
        &typed::<Callers>(SHOP, &["place", "--no-tests"]),
        "
        ",
    );
    told(
        &typed::<Callers>(SHOP, &["place"]),
        "
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn callers_min_confidence_leaves_out_what_is_less_sure() {
    told(
        &typed::<Callers>(SHOP, &["Cart::apply", "--min-confidence", "0.9"]),
        "
        ",
    );
}

#[test]
fn callers_notes_unknown_calls_of_the_name() {
    told(
        &typed::<Callers>(SHOP, &["Order::total"]),
        "
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  dispatch, 2 calls, may run the symbol
        note: possible further callers: 1 unresolved call of the name `total`
        ",
    );
}

#[test]
fn callers_of_a_symbol_without_any_is_yes() {
    told(
        &typed::<Callers>(SHOP, &["test_cart.test_total"]),
        "
        ",
    );
}

#[test]
fn callers_of_a_name_with_two_meanings_are_those_of_both() {
    told(
        &typed::<Callers>(SHOP, &["total"]),
        "
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        note: `total` means 2 symbols, which are answered together:
          shop::cart::Cart::total at src/cart.rs:9  pub fn total(&self) -> u32
          shop::order::Order::total at src/order.rs:6  pub fn total(&self) -> u32
        possible further callers: 1 unresolved call of the name `total`
        ",
    );
}

#[test]
fn callers_of_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Callers>(&["go"]);
}

const READERS: &str = r#"
    file a.rs rust module=a
    sym a::Backend trait line=1
    sym a::Backend::read method line=2 sig="fn read(&self, id: u32)"
    sym a::Git struct line=4
    sym a::Git::read method line=5 sig="fn read(&self, id: u32)"
    sym a::Git::read#2 method line=6 sig="fn read(&self, id: &str, whole: bool)"
    sym a::main function line=8
    sym a::main::<closure> function line=9 anonymous
    edge a::Git::read overrides a::Backend::read at=5
    edge a::main call a::Backend::read typed at=10
    edge a::main call a::Git::read flow at=11
    edge a::main call a::Git::read#2 typed at=12
    edge a::main::<closure> call a::Git::read#2 typed at=13
"#;

#[test]
fn callers_of_an_abstract_member_include_calls_of_its_implementations() {
    told(
        &typed::<Callers>(READERS, &["Backend::read"]),
        "
        a.rs:10 a::main -> a::Backend::read  typed
        a.rs:11 a::main -> a::Git::read  flow, an implementation
        ",
    );
    told(
        &typed::<Callers>(READERS, &["Backend::read", "--exact"]),
        "
        a.rs:10 a::main -> a::Backend::read  typed
        ",
    );
}

#[test]
fn callers_of_one_overload_are_named_by_the_types_of_its_parameters() {
    told(
        &typed::<Callers>(READERS, &["Git::read(&str, bool)"]),
        "
        a.rs:12 a::main -> a::Git::read  typed
        a.rs:13 a::main::<closure> -> a::Git::read  typed
        ",
    );
}

#[test]
fn callees_include_calls_of_the_functions_inside() {
    told(
        &typed::<Callees>(READERS, &["main"]),
        "
        a.rs:10 a::main -> a::Backend::read  typed
        a.rs:11 a::main -> a::Git::read  flow
        a.rs:12 a::main -> a::Git::read  typed
        a.rs:13 a::main::<closure> -> a::Git::read  typed, inside
        ",
    );
}

#[test]
fn callers_of_an_unknown_name_is_not_found() {
    told(
        &typed::<Callers>(SHOP, &["plaec"]),
        "
        error not_found (1): unknown symbol or file: `plaec`
        hint: did you mean shop::order::place?
        ",
    );
}

#[test]
fn callees_of_a_file_are_those_of_its_module() {
    told(
        &typed::<Callees>(TOP_LEVEL, &["a.py"]),
        "
        a.py:9 a -> a.f  exact
        ",
    );
}

#[test]
fn callers_of_a_file_without_a_module_is_not_found() {
    told(
        &typed::<Callers>("file a.md markdown", &["a.md"]),
        "
        error not_found (1): a.md belongs to no module
        ",
    );
}

#[test]
fn callers_of_a_line() {
    told(
        &typed::<Callers>(SHOP, &["src/order.rs:15"]),
        "
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn callers_of_declarations_of_one_name_are_those_of_all() {
    told(
        &typed::<Callers>(TWICE, &["save"]),
        "
        a.ts:4 a.main -> a.save  exact
        note: `save` means 2 symbols, which are answered together:
          a.save at a.ts:1
          a.save at a.ts:2
        ",
    );
}

#[test]
fn callees_of_a_function_are_in_the_order_of_its_edges() {
    told(
        &typed::<Callees>(SHOP, &["place"]),
        "
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        src/order.rs:19 shop::order::place -> std::process::exit  exact
        note: 2 unresolved calls of this symbol: `lore unresolved shop::order::place` lists them
        ",
    );
}

#[test]
fn callees_depth_indents_what_they_call() {
    told(
        &typed::<Callees>(SHOP, &["test_cart.test_total", "--depth", "3"]),
        "
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
          src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
          src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
          src/order.rs:19 shop::order::place -> std::process::exit  exact
            src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        note: 1 unresolved call of this symbol: `lore unresolved test_cart.test_total` lists them
        ",
    );
}

#[test]
fn callees_min_confidence_leaves_out_what_is_less_sure() {
    told(
        &typed::<Callees>(SHOP, &["place", "--min-confidence", "0.95"]),
        "
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        src/order.rs:19 shop::order::place -> std::process::exit  exact
        note: 2 unresolved calls of this symbol: `lore unresolved shop::order::place` lists them
        ",
    );
}

#[test]
fn callees_no_tests_leaves_out_tests() {
    told(
        &typed::<Callees>(TESTS_CALLED, &["run", "--no-tests"]),
        "
        a.py:1 a.run -> a.help  exact
        ",
    );
    told(
        &typed::<Callees>(TESTS_CALLED, &["run"]),
        "
        a.py:1 a.run -> a.test_it  exact
        a.py:1 a.run -> a.help  exact
        ",
    );
}

#[test]
fn callees_of_a_circle_end() {
    told(
        &typed::<Callees>(CIRCLE, &["a.f", "--depth", "9"]),
        "
        a.py:1 a.f -> a.g  exact
          a.py:2 a.g -> a.f  exact
        ",
    );
}

#[test]
fn callees_of_a_name_with_two_meanings_are_those_of_both() {
    told(
        &typed::<Callees>(SHOP, &["total"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        note: `total` means 2 symbols, which are answered together:
          shop::cart::Cart::total at src/cart.rs:9  pub fn total(&self) -> u32
          shop::order::Order::total at src/order.rs:6  pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn callees_of_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Callees>(&["go"]);
}

#[test]
fn callees_need_a_target() {
    told(
        &typed::<Callees>(SHOP, &[]),
        "
        error invalid (2): error: the following required arguments were not provided:
        ",
    );
}

#[test]
fn callers_json_has_the_call_and_its_depth() {
    told(
        &keys(&rows::<Callers>(SHOP, json!({"target": "Cart::apply"}))[0]),
        "
        callee callee_file callee_kind caller caller_file caller_kind confidence depth lines resolution
        ",
    );
}

#[test]
fn callees_json_has_the_call_and_its_depth() {
    told(
        &keys(&rows::<Callees>(SHOP, json!({"target": "place"}))[0]),
        "
        callee callee_file callee_kind caller caller_file caller_kind confidence depth lines resolution
        ",
    );
}

#[test]
fn neighbours_ask_the_same_by_words_and_by_json() {
    let callers = ask::<Callers>(SHOP, json!({"target": "Cart::apply", "depth": 3, "no_tests": true}));
    let words = ["Cart::apply", "-d3", "--no-tests"];
    assert_eq!(callers, typed::<Callers>(SHOP, &words));
    assert_eq!(callers.lines().count(), 2, "{callers}");
    let callees = ask::<Callees>(SHOP, json!({"target": "place", "min_confidence": 0.99}));
    let words = ["place", "--min-confidence", "0.99"];
    assert_eq!(callees, typed::<Callees>(SHOP, &words));
}
