//! Tests of `lore show`.

use serde_json::json;

use super::{SHOP, Tree, ask, keys, rows, told, typed};
use crate::Show;

#[test]
fn show_of_a_symbol_has_its_place_edges_doc_and_members() {
    told(
        &typed::<Show>(SHOP, &["shop::cart::Cart"]),
        "
        shop::cart::Cart
        public struct at src/cart.rs:3:1
          @ derive(Debug)
          pub struct Cart
          20 lines (3–22)
          callers 1, referenced by 1

          A basket. It has items.

        members
              5  constructor new  pub fn new() -> Cart
              9  method      total  pub fn total(&self) -> u32
             14  method      apply  fn apply(&mut self)
        ",
    );
}

#[test]
fn show_of_the_end_of_a_name_is_that_symbol() {
    told(
        &typed::<Show>(SHOP, &["Order::total"]),
        "
        shop::order::Order::total
        public method at src/order.rs:6:1
          pub fn total(&self) -> u32
          3 lines (6–8), complexity 1
          overrides 1
        ",
    );
}

#[test]
fn show_of_a_line_is_the_innermost_symbol_around_it() {
    told(
        &typed::<Show>(SHOP, &["src/cart.rs:10:3"]),
        "
        shop::cart::Cart::total
        public method at src/cart.rs:9:1
          pub fn total(&self) -> u32
          4 lines (9–12), complexity 3
          callers 1, callees 1, overridden by 1

          The sum.
        ",
    );
}

#[test]
fn show_of_a_line_outside_of_definitions_is_not_found() {
    told(
        &typed::<Show>(SHOP, &["web/cart.ts:99"]),
        "
        error not_found (1): nothing is defined at web/cart.ts:99
        ",
    );
}

#[test]
fn show_of_a_file_has_lines_imports_members_and_syntax_errors() {
    told(
        &typed::<Show>(SHOP, &["src/order.rs"]),
        "
        src/order.rs
        rust, module shop::order: 30 lines (25 code, 1 comment, 4 blank)

        imports
              1  shop::cart Cart as Basket

        members
              4  struct      Order  pub struct Order
             14  function    place  pub fn place(cart: &Cart)
        ",
    );
    told(
        &typed::<Show>(SHOP, &["web/cart.ts"]),
        "
        web/cart.ts
        typescript, module web/cart: 12 lines (12 code, 0 comment, 0 blank)

        members
              1  class       Cart  export class Cart
        web/cart.ts:11:4: unexpected `}`
        ",
    );
}

#[test]
fn show_source_adds_the_lines_of_a_symbol() {
    let tree = Tree::of(SHOP).with_files(&[("web/cart.ts", "export class Cart {\n}\n")]);
    told(
        &tree.typed::<Show>(&["web/cart.Cart", "--source"]).text,
        "
        web/cart.Cart
        public class at web/cart.ts:1:1
          export class Cart
          10 lines (1–10)

        export class Cart {
        }
        ",
    );
}

#[test]
fn show_source_adds_the_text_of_a_file() {
    let tree = Tree::of(SHOP).with_files(&[("tests/test_cart.py", "import shop\n")]);
    told(
        &tree.typed::<Show>(&["tests/test_cart.py", "-s"]).text,
        "
        tests/test_cart.py
        python, module test_cart: 8 lines (8 code, 0 comment, 0 blank)

        members
              2  test        test_total  def test_total()

        import shop
        ",
    );
}

#[test]
fn show_source_of_a_revision_reads_the_revision() {
    let mut tree = Tree::of(SHOP);
    let old = "file old.py python module=old\nsym old.f function line=2".to_owned();
    tree.revisions
        .insert("v1", (old, vec![("old.py", "\ndef f(): pass\n")]));
    told(
        &tree.typed::<Show>(&["f", "--source", "--at", "v1"]).text,
        "
        old.f
        public function at old.py:2:1
          1 lines (2–2), complexity 1

        def f(): pass
        ",
    );
}

#[test]
fn show_source_that_cannot_be_read_is_an_error() {
    told(
        &typed::<Show>(SHOP, &["place", "--source"]),
        "
        error unavailable (2): src/order.rs cannot be read
        ",
    );
}

#[test]
fn show_of_an_ambiguous_name_is_no_and_lists_the_symbols() {
    told(
        &typed::<Show>(SHOP, &["total"]),
        "
        `total` means 2 symbols; candidates:
        src/cart.rs:9:1 method shop::cart::Cart::total  pub fn total(&self) -> u32
        src/order.rs:6:1 method shop::order::Order::total  pub fn total(&self) -> u32
        no
        ",
    );
}

#[test]
fn show_of_an_unknown_name_suggests_names_below_the_same_qualifier() {
    told(
        &typed::<Show>(SHOP, &["Cart::totl"]),
        "
        error not_found (1): unknown symbol or file: `Cart::totl`
        hint: did you mean shop::cart::Cart::total, shop::order::Order::total?
        ",
    );
}

#[test]
fn show_of_an_unknown_path_suggests_paths() {
    told(
        &typed::<Show>(SHOP, &["cart.rs"]),
        "
        error not_found (1): unknown symbol or file: `cart.rs`
        hint: did you mean src/cart.rs?
        ",
    );
}

#[test]
fn show_of_a_file_that_is_left_out_says_why() {
    told(
        &typed::<Show>(SHOP, &["dist/app.min.js"]),
        "
        error not_found (1): unknown symbol or file: `dist/app.min.js`
        hint: dist/app.min.js is left out: minified
        ",
    );
}

#[test]
fn show_needs_a_target() {
    told(
        &typed::<Show>(SHOP, &[]),
        "
        error invalid (2): error: the following required arguments were not provided:
        ",
    );
}

#[test]
fn show_of_a_path_is_seen_from_where_the_caller_stands() {
    told(
        &Tree::of(SHOP).at("tests").typed::<Show>(&["test_cart.py:3"]).text,
        "
        test_cart.test_total
        public test at tests/test_cart.py:2:1
          def test_total()
          3 lines (2–4), complexity 1
          callees 1, unresolved calls 1
        ",
    );
}

#[test]
fn show_json_of_a_symbol() {
    told(&keys(&rows::<Show>(SHOP, json!({"target": "shop::cart::Cart"}))[0]), "
        answer column decorators doc edges{bases callees callers derived imported_by instantiated_by overridden_by overrides read_by referenced_by tests unresolved written_by} end_line importance kind language line lines members[column complexity decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility] modifiers name parent path qualified_name signature start_line summary visibility
        ");
}

#[test]
fn show_json_of_a_file() {
    told(&keys(&rows::<Show>(SHOP, json!({"target": "src/order.rs"}))[0]), "
        answer blob doc errors imports[line local module name reexport type_only] language lines{blank code comment} members[column decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility] module path
        ");
    told(&keys(&rows::<Show>(SHOP, json!({"target": "web/cart.ts"}))[0]), "
        answer blob doc errors[column line message] imports language lines{blank code comment} members[column decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility] module path
        ");
}

#[test]
fn show_json_of_an_ambiguous_name() {
    told(&keys(&rows::<Show>(SHOP, json!({"target": "total"}))[0]), "
        answer candidates[column complexity decorators end_line kind language line lines modifiers name parent path qualified_name signature start_line summary visibility] target
        ");
}

#[test]
fn show_json_names_its_answer() {
    let answer = |target: &str| rows::<Show>(SHOP, json!({"target": target}))[0]["answer"].clone();
    assert_eq!(answer("place"), "symbol");
    assert_eq!(answer("src/cart.rs"), "file");
    assert_eq!(answer("total"), "ambiguous");
}

#[test]
fn show_asks_the_same_by_words_and_by_json() {
    let said = ask::<Show>(SHOP, json!({"target": "place", "source": false}));
    assert_eq!(said, typed::<Show>(SHOP, &["place"]));
    assert!(said.starts_with("shop::order::place\n"), "{said}");
}

/// The shop with a package file and a README.
fn described() -> Tree {
    let texts = [
        ("Cargo.toml", "[package]\nname = 'shop'\ndescription = 'Sells things.'"),
        ("src/README.md", "# Sources\n\nThe sources of the shop.\n"),
    ];
    let graph = format!("{SHOP}\nskip Cargo.toml binary\nskip src/README.md binary");
    Tree::of(&graph).with_files(&texts)
}

#[test]
fn show_of_the_root_says_what_the_repository_is() {
    told(
        &described().typed::<Show>(&["."]).text,
        "
        shop
        lines of code: rust 65, typescript 12, python 8

        Sells things.  (Cargo.toml)

        main modules
          shop::cart   Carts and their items.
          shop::order  src/order.rs (undocumented)
          web/cart     web/cart.ts (undocumented)

        build and test
          build    cargo build  (Cargo.toml)
          test     cargo test  (Cargo.toml)

        not known
          no package file that Lore reads says what it provides
          no entry point was found outside of examples and tests
          no documentation says what 2 of 3 modules are for
        ",
    );
}

#[test]
fn show_of_a_directory_is_about_what_is_below_it() {
    for (here, words) in [
        ("", "src"),
        ("", "src/"),
        ("", "./src"),
        ("src", "."),
        ("web", "../src"),
    ] {
        let said = described().at(here).typed::<Show>(&[words]).text;
        assert!(
            said.starts_with("src  src\nlines of code: rust 65\n\nThe sources of the shop.  (src/README.md)\n"),
            "{said}"
        );
        assert!(!said.contains("web/cart"), "{said}");
    }
}

#[test]
fn show_of_a_name_is_a_symbol_also_where_a_directory_has_the_name() {
    let graph = "file cart/a.py python module=cart.a\nsym cart.a.cart function line=3";
    assert!(typed::<Show>(graph, &["cart"]).starts_with("cart.a.cart\n"));
    assert!(typed::<Show>(graph, &["cart/"]).starts_with("cart  cart\n"));
}

#[test]
fn show_of_an_empty_repository_says_that_nothing_is_known() {
    let said = typed::<Show>("", &["."]);
    assert!(
        said.contains("not known\n  no package file and no sentence of a README"),
        "{said}"
    );
}

#[test]
fn show_json_of_the_repository() {
    let said = described().asked::<Show>(json!({"target": ".", "limit": 1})).json;
    assert_eq!(
        keys(&said[0]),
        "answer commands[command directory from task] described_modules description[from text] directory entry_points languages[code files language] \
         module_count modules[code name path purpose{from text}] name omitted{commands entry_points entry_points_of_examples modules provides} provides unknown\n"
    );
    assert_eq!(said[0]["answer"], "overview");
    assert_eq!(said[0]["omitted"]["modules"], 2);
}

#[test]
fn show_of_a_published_graph_says_that_it_has_no_texts() {
    let tree = Tree {
        foreign: Some("octo/hello"),
        ..Tree::of(SHOP)
    };
    let said = tree.typed::<Show>(&["."]).text;
    assert!(
        said.contains("not known\n  a published graph has no texts, so package files and READMEs were not read\n"),
        "{said}"
    );
}
