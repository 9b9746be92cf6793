//! Tests of `lore find`.

use serde_json::json;

use super::{SHOP, Tree, keys, rows, same_defaults, told, typed};
use crate::Find;

const MISSPELT: &str = "
    file a.py python module=a
    sym a.totla function line=1
    sym a.total function line=2
";

#[test]
fn find_lists_every_named_symbol_in_source_order() {
    told(
        &typed::<Find>(SHOP, &[]),
        "
        src/cart.rs:1:1 module shop::cart
        src/cart.rs:1:1 constant shop::cart::LIMIT  const LIMIT: u32
        src/cart.rs:3:1 struct shop::cart::Cart  pub struct Cart
        src/cart.rs:5:1 constructor shop::cart::Cart::new  pub fn new() -> Cart
        src/cart.rs:9:1 method shop::cart::Cart::total  pub fn total(&self) -> u32
        src/cart.rs:14:1 method shop::cart::Cart::apply  fn apply(&mut self)
        src/order.rs:1:1 module shop::order
        src/order.rs:4:1 struct shop::order::Order  pub struct Order
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        src/order.rs:14:1 function shop::order::place  pub fn place(cart: &Cart)
        tests/test_cart.py:1:1 module test_cart
        tests/test_cart.py:2:1 test test_cart.test_total  def test_total()
        web/cart.ts:1:1 module web/cart
        web/cart.ts:1:1 class web/cart.Cart  export class Cart
        ",
    );
}

#[test]
fn find_ranks_whole_names_before_parts() {
    told(
        &typed::<Find>(SHOP, &["cart"]),
        "
        web/cart.ts:1:1 class web/cart.Cart  export class Cart
        src/cart.rs:3:1 struct shop::cart::Cart  pub struct Cart
        web/cart.ts:1:1 module web/cart
        src/cart.rs:1:1 module shop::cart
        tests/test_cart.py:1:1 module test_cart
        ",
    );
}

#[test]
fn find_of_a_qualified_name_matches_what_stands_before_it() {
    told(
        &typed::<Find>(SHOP, &["Order.total"]),
        "
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn find_kind_keeps_only_that_kind() {
    told(
        &typed::<Find>(SHOP, &["--kind", "class,struct"]),
        "
        src/cart.rs:3:1 struct shop::cart::Cart  pub struct Cart
        src/order.rs:4:1 struct shop::order::Order  pub struct Order
        web/cart.ts:1:1 class web/cart.Cart  export class Cart
        ",
    );
}

#[test]
fn find_kind_is_repeatable() {
    told(
        &typed::<Find>(SHOP, &["--kind", "test", "-k", "constant"]),
        "
        src/cart.rs:1:1 constant shop::cart::LIMIT  const LIMIT: u32
        tests/test_cart.py:2:1 test test_cart.test_total  def test_total()
        ",
    );
}

#[test]
fn find_language_keeps_only_that_language_in_any_case() {
    told(
        &typed::<Find>(SHOP, &["--language", "Python"]),
        "
        tests/test_cart.py:1:1 module test_cart
        tests/test_cart.py:2:1 test test_cart.test_total  def test_total()
        ",
    );
}

#[test]
fn find_in_a_language_that_does_not_occur_names_those_that_do() {
    told(
        &typed::<Find>(SHOP, &["--language", "cobol"]),
        "
        error not_found (1): no file is in the language `cobol`
        hint: languages of this repository: rust, python, typescript
        ",
    );
}

#[test]
fn find_path_keeps_only_files_below_it() {
    told(
        &typed::<Find>(SHOP, &["--path", "web"]),
        "
        web/cart.ts:1:1 module web/cart
        web/cart.ts:1:1 class web/cart.Cart  export class Cart
        ",
    );
}

#[test]
fn find_path_may_be_a_pattern() {
    told(
        &typed::<Find>(SHOP, &["total", "--path", "**/*order*"]),
        "
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn find_path_is_seen_from_where_the_caller_stands() {
    let said = Tree::of(SHOP)
        .at("src")
        .typed::<Find>(&["total", "--path", "./order.rs"]);
    told(
        &said.text,
        "
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn find_visibility_keeps_only_that_visibility() {
    told(
        &typed::<Find>(SHOP, &["--visibility", "private,internal"]),
        "
        src/cart.rs:1:1 constant shop::cart::LIMIT  const LIMIT: u32
        src/cart.rs:14:1 method shop::cart::Cart::apply  fn apply(&mut self)
        ",
    );
}

#[test]
fn find_match_exact_distinguishes_upper_case() {
    told(
        &typed::<Find>(SHOP, &["limit", "--match", "exact"]),
        "
        note: nothing matches; similar names: LIMIT
        no
        ",
    );
    told(
        &typed::<Find>(SHOP, &["LIMIT", "--match", "exact"]),
        "
        src/cart.rs:1:1 constant shop::cart::LIMIT  const LIMIT: u32
        ",
    );
}

#[test]
fn find_match_prefix_leaves_out_what_holds_the_name_inside() {
    told(
        &typed::<Find>(SHOP, &["tot", "--match", "prefix"]),
        "
        src/cart.rs:9:1 method shop::cart::Cart::total  pub fn total(&self) -> u32
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn find_match_substring_keeps_what_holds_the_name_inside() {
    told(
        &typed::<Find>(SHOP, &["ota", "--match", "substring"]),
        "
        src/cart.rs:9:1 method shop::cart::Cart::total  pub fn total(&self) -> u32
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        tests/test_cart.py:2:1 test test_cart.test_total  def test_total()
        ",
    );
}

#[test]
fn find_match_fuzzy_adds_misspelt_names_to_better_ones() {
    told(
        &typed::<Find>(MISSPELT, &["total", "--match", "fuzzy"]),
        "
        a.py:2:1 function a.total
        a.py:1:1 function a.totla
        ",
    );
}

#[test]
fn find_match_auto_leaves_out_misspelt_names_where_better_ones_exist() {
    told(
        &typed::<Find>(MISSPELT, &["total"]),
        "
        a.py:2:1 function a.total
        ",
    );
}

#[test]
fn find_falls_back_to_misspelt_names() {
    told(
        &typed::<Find>(SHOP, &["totla"]),
        "
        src/cart.rs:9:1 method shop::cart::Cart::total  pub fn total(&self) -> u32
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn find_limit_says_how_many_it_leaves_out() {
    told(
        &typed::<Find>(SHOP, &["total", "--limit", "1"]),
        "
        src/cart.rs:9:1 method shop::cart::Cart::total  pub fn total(&self) -> u32
        note: 2 more (limit 0 shows all 3)
        ",
    );
    told(
        &typed::<Find>(SHOP, &["-n", "2"]),
        "
        src/cart.rs:1:1 module shop::cart
        src/cart.rs:1:1 constant shop::cart::LIMIT  const LIMIT: u32
        note: 12 more (limit 0 shows all 14)
        ",
    );
}

#[test]
fn find_limit_zero_shows_all() {
    told(
        &typed::<Find>(SHOP, &["total", "--limit", "0"]),
        "
        src/cart.rs:9:1 method shop::cart::Cart::total  pub fn total(&self) -> u32
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        tests/test_cart.py:2:1 test test_cart.test_total  def test_total()
        ",
    );
}

#[test]
fn find_anonymous_adds_closures() {
    told(
        &typed::<Find>(SHOP, &["--kind", "function", "--anonymous"]),
        "
        src/cart.rs:15:1 function shop::cart::Cart::apply::<closure>
        src/order.rs:14:1 function shop::order::place  pub fn place(cart: &Cart)
        ",
    );
}

#[test]
fn find_of_nothing_is_no_and_names_what_is_near() {
    told(
        &typed::<Find>(SHOP, &["plaec", "--match", "exact"]),
        "
        note: nothing matches; similar names: place
        no
        ",
    );
    told(
        &typed::<Find>(SHOP, &["zzz"]),
        "
        note: nothing matches
        no
        ",
    );
}

#[test]
fn find_of_a_name_that_the_filters_exclude_says_so() {
    told(
        &typed::<Find>(SHOP, &["place", "--kind", "class"]),
        "
        note: nothing matches: `place` exists, but not with these filters or this qualifier
        no
        ",
    );
}

#[test]
fn find_of_filters_that_nothing_passes_is_no() {
    told(
        &typed::<Find>(SHOP, &["--kind", "macro"]),
        "
        note: no symbol passes the filters
        no
        ",
    );
}

#[test]
fn find_json_has_the_symbol_and_how_it_matched() {
    told(&keys(&rows::<Find>(SHOP, json!({"query": "total"}))[0]), "
        column complexity decorators end_line kind language line lines match modifiers name parent path qualified_name signature start_line summary visibility
        ");
}

#[test]
fn find_json_without_a_name_has_no_match() {
    told(&keys(&rows::<Find>(SHOP, json!({"kind": ["constant"]}))[0]), "
        column decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility
        ");
}

#[test]
fn find_json_says_how_each_name_matched() {
    let found = rows::<Find>(SHOP, json!({"query": "total", "match": "auto"}));
    let matches: Vec<String> = found
        .iter()
        .map(|row| format!("{} {}\n", row["match"], row["qualified_name"]))
        .collect();
    told(
        &matches.concat(),
        r#"
        "exact" "shop::cart::Cart::total"
        "exact" "shop::order::Order::total"
        "substring" "test_cart.test_total"
        "#,
    );
}

#[test]
fn find_asks_the_same_by_words_and_by_json() {
    same_defaults::<Find>(SHOP, &[], json!({}));
    same_defaults::<Find>(
        SHOP,
        &["total", "-k", "method", "--match", "prefix", "-n1"],
        json!({"query": "total", "kind": "method", "match": "prefix", "limit": 1}),
    );
}

#[test]
fn find_refuses_an_unknown_kind() {
    told(
        &typed::<Find>(SHOP, &["--kind", "gadget"]),
        "
        error invalid (2): error: invalid value 'gadget' for '--kind <KIND>'
        ",
    );
}
