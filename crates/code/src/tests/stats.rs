//! Tests of `lore stats`.

use serde_json::json;

use super::{SHOP, keys, rows, same_defaults, told, typed};
use crate::Stats;

#[test]
fn stats_counts_languages_kinds_and_what_is_left_out_and_ranks_functions() {
    told(
        &typed::<Stats>(SHOP, &[]),
        "
        language        files       code    comment      blank    symbols
        rust                2         65          4          6         10
        typescript          1         12          0          0          2
        python              1          8          0          0          2
        total               4         85          4          6         14

        symbols: 4 module, 3 method, 2 struct, 1 class, 1 constant, 1 constructor, 1 function, 1 test
        left out: 1 binary, 1 minified
        1 file with syntax errors

        most complex
              5  shop::cart::Cart::apply  src/cart.rs:14
              3  shop::cart::Cart::total  src/cart.rs:9
              2  shop::order::place  src/order.rs:14
              1  shop::cart::Cart::new  src/cart.rs:5
              1  shop::cart::Cart::apply::<closure>  src/cart.rs:15
              1  shop::order::Order::total  src/order.rs:6
              1  test_cart.test_total  tests/test_cart.py:2  (test)

        most important
            5.3  shop::cart::Cart  src/cart.rs:3
            1.0  shop::order::place  src/order.rs:14
            0.9  shop::order::Order  src/order.rs:4
            0.8  web/cart.Cart  web/cart.ts:1
            0.7  shop::cart::Cart::total  src/cart.rs:9
            0.2  shop::order::Order::total  src/order.rs:6
            0.1  shop::cart::Cart::new  src/cart.rs:5
            0.1  shop::cart::Cart::apply  src/cart.rs:14
            0.0  shop::cart::LIMIT  src/cart.rs:1
            0.0  test_cart.test_total  tests/test_cart.py:2
        ",
    );
}

#[test]
fn stats_of_an_empty_graph() {
    told(
        &typed::<Stats>("", &[]),
        "
        language        files       code    comment      blank    symbols
        total               0          0          0          0          0
        ",
    );
}

#[test]
fn stats_json() {
    told(&keys(&rows::<Stats>(SHOP, json!({}))[0]), "
        files languages{python{blank code comment files symbols} rust{blank code comment files symbols} typescript{blank code comment files symbols}} lines{blank code comment} most_complex[column complexity decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility] most_important[column decorators end_line importance kind language line lines modifiers name parent path qualified_name signature start_line summary visibility] skipped{binary minified} symbols{class constant constructor function method module struct test} tree with_errors
        ");
    let answer = &rows::<Stats>(SHOP, json!({}))[0];
    told(&keys(&answer["languages"]), "
        python{blank code comment files symbols} rust{blank code comment files symbols} typescript{blank code comment files symbols}
        ");
    assert_eq!(answer["skipped"], json!({"binary": 1, "minified": 1}));
    assert_eq!(answer["with_errors"], 1);
    assert_eq!(answer["symbols"]["method"], 3);
}

#[test]
fn stats_names_at_most_ten_complex_and_fifteen_important_functions() {
    let lines: Vec<String> = (1..=18)
        .map(|number| format!("sym a.f{number} function line={number} complexity={number}"))
        .collect();
    let graph = format!("file a.py python module=a\n{}", lines.join("\n"));
    let answer = &rows::<Stats>(&graph, json!({}))[0];
    let complex = answer["most_complex"].as_array().map_or(0, Vec::len);
    let important = answer["most_important"].as_array().map_or(0, Vec::len);
    assert_eq!((complex, important), (10, 15));
    assert_eq!(answer["most_complex"][0]["name"], "f18");
}

#[test]
fn stats_asks_the_same_by_words_and_by_json() {
    same_defaults::<Stats>(SHOP, &[], json!({}));
}
