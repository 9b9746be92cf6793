//! Tests of `lore source`.

use std::sync::Arc;

use lore_seam::{Answer, Toolset, entry};
use serde_json::json;

use super::{SHOP, Tree, ambiguous, told, typed};
use crate::Source;

fn shop() -> Tree {
    let text = "const LIMIT: u32 = 9;\n\npub struct Cart {\n    // 4\n    pub fn new() {\n        // 6\n    }\n}\n";
    Tree::of(SHOP).with_files(&[("src/cart.rs", text)])
}

#[test]
fn source_of_a_symbol_is_its_lines() {
    told(
        &shop().typed::<Source>(&["Cart::new"]).text,
        "
            pub fn new() {
                // 6
            }
        ",
    );
}

#[test]
fn source_of_a_file_is_its_bytes() {
    told(
        &shop().typed::<Source>(&["src/cart.rs"]).text,
        "
        const LIMIT: u32 = 9;

        pub struct Cart {
            // 4
            pub fn new() {
                // 6
            }
        }
        ",
    );
}

#[test]
fn source_of_a_line_is_the_symbol_around_it() {
    told(
        &shop().asked::<Source>(json!({"target": "src/cart.rs:6"})).text,
        "
            pub fn new() {
                // 6
            }
        ",
    );
}

#[test]
fn source_at_a_revision_is_that_of_the_revision() {
    let mut tree = shop();
    let old = "file src/cart.rs rust module=c\nsym c::new function line=1".to_owned();
    tree.revisions
        .insert("v1", (old, vec![("src/cart.rs", "fn new() {}\n")]));
    told(
        &tree.typed::<Source>(&["new", "--at", "v1"]).text,
        "
        fn new() {}
        ",
    );
}

#[test]
fn source_of_an_ambiguous_name_is_no() {
    ambiguous::<Source>(&["go"]);
}

#[test]
fn source_of_an_unknown_name_is_not_found() {
    told(
        &typed::<Source>(SHOP, &["nothing_like_it"]),
        "
        error not_found (1): unknown symbol or file: `nothing_like_it`
        hint: `lore find TEXT` searches by part of a name
        ",
    );
}

#[test]
fn source_of_a_file_that_cannot_be_read_is_an_error() {
    told(
        &typed::<Source>(SHOP, &["src/order.rs"]),
        "
        error unavailable (2): src/order.rs cannot be read
        ",
    );
}

#[test]
fn source_of_a_symbol_behind_the_end_of_the_file_is_empty() {
    told(
        &Tree::of(SHOP)
            .with_files(&[("src/order.rs", "// 1\n")])
            .typed::<Source>(&["place"])
            .text,
        "

        ",
    );
}

#[test]
fn source_has_a_media_type() {
    let tree = Arc::new(shop());
    let answer = entry::<Source>(Toolset::Code).run_json(&tree.ctx(), json!({"target": "Cart::new"}));
    let media_type = match answer {
        Ok(Answer::Bytes(bytes)) => bytes.media_type.into_owned(),
        _ => String::new(),
    };
    assert_eq!(media_type, "text/plain; charset=utf-8");
}
