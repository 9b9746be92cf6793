//! Tests of `lore outline`.

use serde_json::json;

use super::{SHOP, Tree, keys, rows, same_defaults, told, typed};
use crate::Outline;

#[test]
fn outline_of_the_repository_is_one_level_without_values() {
    told(
        &typed::<Outline>(SHOP, &[]),
        "
        src/cart.rs  40 lines of code  Carts and their items.
             3   pub struct Cart
        src/order.rs  25 lines of code
             4   pub struct Order
            14   pub fn place(cart: &Cart)
        tests/test_cart.py  8 lines of code
             2   def test_total()
        web/cart.ts  12 lines of code
             1   export class Cart
        ",
    );
}

#[test]
fn outline_of_a_file_has_every_level_and_values() {
    told(
        &typed::<Outline>(SHOP, &["src/cart.rs"]),
        "
        src/cart.rs  40 lines of code  Carts and their items.
             1   const LIMIT: u32
             3   pub struct Cart
             5     pub fn new() -> Cart
             9     pub fn total(&self) -> u32
            14     fn apply(&mut self)
        ",
    );
}

#[test]
fn outline_of_a_directory_has_its_files() {
    told(
        &typed::<Outline>(SHOP, &["tests", "web/"]),
        "
        tests/test_cart.py  8 lines of code
             2   def test_total()
        web/cart.ts  12 lines of code
             1   export class Cart
        ",
    );
}

#[test]
fn outline_depth_bounds_the_levels() {
    told(
        &typed::<Outline>(SHOP, &["src/cart.rs", "--depth", "1"]),
        "
        src/cart.rs  40 lines of code  Carts and their items.
             1   const LIMIT: u32
             3   pub struct Cart
        ",
    );
    told(
        &typed::<Outline>(SHOP, &["-d", "2"]),
        "
        src/cart.rs  40 lines of code  Carts and their items.
             3   pub struct Cart
             5     pub fn new() -> Cart
             9     pub fn total(&self) -> u32
            14     fn apply(&mut self)
        src/order.rs  25 lines of code
             4   pub struct Order
             6     pub fn total(&self) -> u32
            14   pub fn place(cart: &Cart)
        tests/test_cart.py  8 lines of code
             2   def test_total()
        web/cart.ts  12 lines of code
             1   export class Cart
        ",
    );
}

#[test]
fn outline_kind_keeps_what_encloses_a_wanted_symbol() {
    told(
        &typed::<Outline>(SHOP, &["src", "--kind", "method"]),
        "
        src/cart.rs  40 lines of code  Carts and their items.
             3   pub struct Cart
             9     pub fn total(&self) -> u32
            14     fn apply(&mut self)
        src/order.rs  25 lines of code
             4   pub struct Order
             6     pub fn total(&self) -> u32
        ",
    );
}

#[test]
fn outline_kind_of_the_repository_shows_values_that_are_asked_for() {
    told(
        &typed::<Outline>(SHOP, &["--kind", "constant"]),
        "
        src/cart.rs  40 lines of code  Carts and their items.
             1   const LIMIT: u32
        ",
    );
}

#[test]
fn outline_of_a_path_without_files_is_not_found() {
    told(
        &typed::<Outline>(SHOP, &["lib"]),
        "
        error not_found (1): no indexed file at or below lib
        hint: `lore files` lists the indexed files
        ",
    );
}

#[test]
fn outline_of_a_file_that_is_left_out_says_why() {
    told(
        &typed::<Outline>(SHOP, &["assets/logo.png"]),
        "
        error not_found (1): no indexed file at or below assets/logo.png
        hint: assets/logo.png is left out: binary
        ",
    );
}

#[test]
fn outline_of_an_empty_graph_is_yes_and_says_what_is_left_out() {
    told(
        &typed::<Outline>("skip a.bin binary", &[]),
        "
        note: no file is in a language that Lore knows; 1 file was left out (`lore files --skipped` lists them)
        ",
    );
}

#[test]
fn outline_leaves_out_files_of_the_repository_that_define_nothing() {
    told(
        &typed::<Outline>("file a.py python module=a", &[]),
        "
        ",
    );
    told(
        &typed::<Outline>("file a.py python module=a", &["a.py"]),
        "
        a.py  10 lines of code
        ",
    );
}

#[test]
fn outline_dot_is_where_the_caller_stands() {
    told(
        &Tree::of(SHOP).at("web").typed::<Outline>(&["."]).text,
        "
        web/cart.ts  12 lines of code
             1   export class Cart
        ",
    );
}

#[test]
fn outline_of_the_root_is_the_whole_repository() {
    assert_eq!(typed::<Outline>(SHOP, &["."]), typed::<Outline>(SHOP, &[]));
}

#[test]
fn outline_json_nests_members() {
    told(
        &keys(&rows::<Outline>(SHOP, json!({"paths": ["src/cart.rs"]}))[0]),
        "
        code language module path summary symbols[end_line kind line name qualified_name signature visibility]
        ",
    );
    let file = &rows::<Outline>(SHOP, json!({"paths": ["src/cart.rs"]}))[0];
    told(&keys(&file["symbols"][1]), "
        end_line kind line members[end_line kind line name qualified_name signature visibility] name qualified_name signature visibility
        ");
}

#[test]
fn outline_asks_the_same_by_words_and_by_json() {
    same_defaults::<Outline>(SHOP, &[], json!({}));
    same_defaults::<Outline>(
        SHOP,
        &["src", "--depth", "1", "--kind", "struct"],
        json!({"paths": "src", "depth": 1, "kind": ["struct"]}),
    );
}
