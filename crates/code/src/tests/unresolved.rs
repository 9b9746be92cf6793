//! Tests of `lore unresolved`.

use serde_json::json;

use super::{SHOP, ambiguous, keys, rows, same_defaults, told, typed};
use crate::Unresolved;

const TWICE: &str = "
    file a.ts typescript module=a
    sym a.save function line=1
    sym a.save#2 function line=2
    sym a.main function line=3
    lost a.save 1 one
    lost a.save#2 2 two
    lost a.main 3 three
";
const DIRECTORY: &str = "
    file main.py python module=main
    sym main.shop function line=1
    lost main.shop 1 outside
    file shop/a.py python module=a
    sym a.shop function line=1
    sym a.f function line=2
    lost a.f 2 inside
";

#[test]
fn unresolved_lists_all_and_marks_calls_without_a_name() {
    told(
        &typed::<Unresolved>(SHOP, &[]),
        "
        src/order.rs:17 shop::order::place -> total
        src/order.rs:18 shop::order::place -> notify
        tests/test_cart.py:4 test_cart.test_total -> ?
        ",
    );
}

#[test]
fn unresolved_of_a_symbol() {
    told(
        &typed::<Unresolved>(SHOP, &["place"]),
        "
        src/order.rs:17 shop::order::place -> total
        src/order.rs:18 shop::order::place -> notify
        ",
    );
}

#[test]
fn unresolved_of_a_directory_or_pattern() {
    told(
        &typed::<Unresolved>(SHOP, &["tests"]),
        "
        tests/test_cart.py:4 test_cart.test_total -> ?
        ",
    );
    told(
        &typed::<Unresolved>(SHOP, &["**/order*"]),
        "
        src/order.rs:17 shop::order::place -> total
        src/order.rs:18 shop::order::place -> notify
        ",
    );
}

#[test]
fn unresolved_of_a_file() {
    told(
        &typed::<Unresolved>(SHOP, &["src/order.rs"]),
        "
        src/order.rs:17 shop::order::place -> total
        src/order.rs:18 shop::order::place -> notify
        ",
    );
}

#[test]
fn unresolved_of_a_symbol_without_any_is_yes() {
    told(
        &typed::<Unresolved>(SHOP, &["Cart::apply"]),
        "
        ",
    );
}

#[test]
fn unresolved_of_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Unresolved>(&["go"]);
}

#[test]
fn unresolved_of_declarations_of_one_name_are_those_of_all() {
    told(
        &typed::<Unresolved>(TWICE, &["save"]),
        "
        a.ts:1 a.save -> one
        a.ts:2 a.save -> two
        ",
    );
}

#[test]
fn unresolved_of_a_directory_that_has_an_ambiguous_name_are_those_below_it() {
    told(
        &typed::<Unresolved>(DIRECTORY, &["shop"]),
        "
        shop/a.py:2 a.f -> inside
        ",
    );
}

#[test]
fn unresolved_of_an_unknown_name_suggests_names() {
    told(
        &typed::<Unresolved>(SHOP, &["plaec"]),
        "
        error not_found (1): unknown symbol or file: `plaec`
        hint: did you mean shop::order::place?
        ",
    );
    told(
        &typed::<Unresolved>(SHOP, &["lib/*"]),
        "
        error not_found (1): no file of the graph matches `lib/*`
        hint: `lore files` lists the files
        ",
    );
}

#[test]
fn unresolved_json() {
    told(
        &keys(&rows::<Unresolved>(SHOP, json!({}))[0]),
        "
        caller line name path
        ",
    );
}

#[test]
fn unresolved_asks_the_same_by_words_and_by_json() {
    same_defaults::<Unresolved>(SHOP, &[], json!({}));
    same_defaults::<Unresolved>(SHOP, &["place"], json!({"target": "place"}));
}
