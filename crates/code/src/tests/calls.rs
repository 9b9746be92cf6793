//! Tests of `lore calls`.

use serde_json::json;

use super::{SHOP, keys, rows, same_defaults, told, typed};
use crate::Calls;

#[test]
fn calls_lists_what_is_known_without_dispatch_and_guesses() {
    told(
        &typed::<Calls>(SHOP, &[]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        src/order.rs:19 shop::order::place -> std::process::exit  exact
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn calls_paths_keep_only_calls_made_there() {
    told(
        &typed::<Calls>(SHOP, &["src/cart.rs"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        ",
    );
}

#[test]
fn calls_no_external_leaves_out_what_is_not_defined_here() {
    told(
        &typed::<Calls>(SHOP, &["--no-external"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn calls_resolution_keeps_only_what_is_known_that_way() {
    told(
        &typed::<Calls>(SHOP, &["--resolution", "flow,typed"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn calls_dispatch_adds_what_may_run_instead() {
    told(
        &typed::<Calls>(SHOP, &["--dispatch"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        src/order.rs:19 shop::order::place -> std::process::exit  exact
        src/order.rs:16 shop::order::place -> shop::order::Order::total  dispatch, 2 calls
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn calls_guesses_add_what_only_a_name_suggests() {
    told(
        &typed::<Calls>(SHOP, &["--guesses"]),
        "
        src/cart.rs:10 shop::cart::Cart::total -> shop::cart::Cart::apply  flow
        src/order.rs:15 shop::order::place -> shop::cart::Cart::new  exact
        src/order.rs:16 shop::order::place -> shop::cart::Cart::total  typed, 2 calls
        src/order.rs:19 shop::order::place -> std::process::exit  exact
        src/order.rs:17 shop::order::place -> shop::cart::Cart::total  name
        src/order.rs:17 shop::order::place -> shop::order::Order::total  name
        tests/test_cart.py:3 test_cart.test_total -> shop::order::place  flow
        ",
    );
}

#[test]
fn calls_of_a_path_without_files_is_not_found() {
    told(
        &typed::<Calls>(SHOP, &["lib"]),
        "
        error not_found (1): no file of the graph matches `lib`
        hint: `lore files` lists the files
        ",
    );
}

#[test]
fn calls_of_a_graph_without_calls() {
    told(
        &typed::<Calls>("file a.py python module=a", &[]),
        "
        ",
    );
}

#[test]
fn calls_json_of_a_call() {
    told(
        &keys(&rows::<Calls>(SHOP, json!({"no_external": true}))[0]),
        "
        callee callee_file callee_kind caller caller_file caller_kind confidence lines resolution
        ",
    );
}

#[test]
fn calls_json_of_a_call_of_something_external() {
    let found = rows::<Calls>(SHOP, json!({}));
    let outside = found.iter().find(|row| row["external"] == true);
    told(
        &keys(outside.expect("a call of std")),
        "
        callee caller caller_file caller_kind confidence external lines resolution
        ",
    );
}

#[test]
fn calls_asks_the_same_by_words_and_by_json() {
    same_defaults::<Calls>(SHOP, &[], json!({}));
    same_defaults::<Calls>(
        SHOP,
        &["src", "--resolution", "typed", "--dispatch", "--guesses"],
        json!({"paths": "src", "resolution": "typed", "dispatch": true, "guesses": true}),
    );
}
