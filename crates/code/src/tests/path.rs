//! Tests of `lore path`.

use serde_json::json;

use super::{SHOP, ambiguous, ask, keys, rows, told, typed};
use crate::Path;

const CIRCLE: &str = "
    file a.py python module=a
    sym a.f function line=1
    sym a.g function line=2
    edge a.f call a.g at=1
    edge a.g call a.f at=2
";

#[test]
fn path_is_the_shortest_way_of_calls() {
    told(
        &typed::<Path>(SHOP, &["test_cart.test_total", "Cart::apply"]),
        "
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        ",
    );
}

#[test]
fn path_to_a_class_ends_at_its_constructor() {
    told(
        &typed::<Path>(SHOP, &["place", "shop::cart::Cart"]),
        "
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        ",
    );
}

#[test]
fn path_of_calls_that_do_not_meet_is_no() {
    told(
        &typed::<Path>(SHOP, &["Cart::apply", "place"]),
        "
        no known calls lead from shop::cart::Cart::apply to shop::order::place
        no
        ",
    );
}

#[test]
fn path_min_confidence_leaves_out_what_is_less_sure() {
    told(
        &typed::<Path>(
            SHOP,
            &["test_cart.test_total", "Cart::apply", "--min-confidence", "0.9"],
        ),
        "
        no known calls lead from test_cart.test_total to shop::cart::Cart::apply
        1 unresolved call of the functions that test_cart.test_total reaches, where a path could continue:
          tests/test_cart.py:4 test_cart.test_total -> ?
        no
        ",
    );
}

#[test]
fn path_from_a_function_to_itself_is_a_circle() {
    told(
        &typed::<Path>(CIRCLE, &["a.f", "a.f"]),
        "
        a.py:1 a.f -> a.g  exact
        a.py:2 a.g -> a.f  exact
        ",
    );
}

#[test]
fn path_from_a_function_that_does_not_lead_back_to_itself_is_no() {
    told(
        &typed::<Path>(SHOP, &["place", "place"]),
        "
        no known calls lead from shop::order::place to shop::order::place
        2 unresolved calls of the functions that shop::order::place reaches, where a path could continue:
          src/order.rs:17 shop::order::place -> total
          src/order.rs:18 shop::order::place -> notify
        no
        ",
    );
}

#[test]
fn path_to_a_name_with_two_meanings_leads_to_the_nearer_one() {
    told(
        &typed::<Path>(SHOP, &["place", "total"]),
        "
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        ",
    );
}

#[test]
fn path_from_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Path>(&["go", "place"]);
}

#[test]
fn path_to_a_name_with_more_than_eight_meanings_is_no() {
    ambiguous::<Path>(&["place", "go"]);
}

const SERVER: &str = "
    file a.rs rust module=a
    sym a::Handler trait line=1
    sym a::Handler::serve method line=2
    sym a::Page struct line=3
    sym a::Page::serve method line=4
    sym a::start function line=6
    sym a::start::<closure> function line=7 anonymous
    sym a::page function line=9
    edge a::Page::serve overrides a::Handler::serve at=4
    edge a::start::<closure> call a::Handler::serve typed at=8
    edge a::Page::serve call a::page at=5
";

#[test]
fn path_passes_through_functions_inside_and_from_abstract_members_to_implementations() {
    told(
        &typed::<Path>(SERVER, &["start", "page"]),
        "
        a.rs:7 a::start -> a::start::<closure>  exact, creates
        a.rs:8 a::start::<closure> -> a::Handler::serve  typed
        a.rs:4 a::Handler::serve -> a::Page::serve  dispatch, may run the symbol
        a.rs:5 a::Page::serve -> a::page  exact
        ",
    );
}

#[test]
fn path_to_an_unknown_name_is_not_found() {
    told(
        &typed::<Path>(SHOP, &["place", "appyl"]),
        "
        error not_found (1): unknown symbol or file: `appyl`
        hint: did you mean shop::cart::Cart::apply?
        ",
    );
}

#[test]
fn path_needs_two_names() {
    told(
        &typed::<Path>(SHOP, &["place"]),
        "
        error invalid (2): error: the following required arguments were not provided:
        ",
    );
}

#[test]
fn path_json_has_both_ends_and_the_calls() {
    told(&keys(&rows::<Path>(SHOP, json!({"from": "place", "to": "Cart::apply"}))[0]), "
        calls[callee callee_file callee_kind caller caller_file caller_kind confidence lines resolution] found from{column complexity decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility} to{column complexity decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility}
        ");
}

#[test]
fn path_json_without_a_way_has_no_calls() {
    let answer = &rows::<Path>(SHOP, json!({"from": "Cart::apply", "to": "place"}))[0];
    assert_eq!(answer["found"], false);
    assert_eq!(answer["calls"], json!([]));
}

#[test]
fn path_asks_the_same_by_words_and_by_json() {
    let said = ask::<Path>(
        SHOP,
        json!({"from": "place", "to": "Cart::apply", "min_confidence": 0.5}),
    );
    let words = ["place", "Cart::apply", "--min-confidence", "0.5"];
    assert_eq!(said, typed::<Path>(SHOP, &words));
    assert_eq!(said.lines().count(), 2, "{said}");
}
