//! Rust's value flow: items and paths, methods and traits, patterns, declared types, and what macros are given.
//!
//! A concrete declared type is certain: a place of that type holds an instance of it. What a trait promises (`dyn`, `impl`, bounds) holds only where no value
//! comes from anywhere. Boxes, references and cells are what stands in them. Fields are kept under their name with a dot before it, because methods may
//! have the same name.

mod calls;
mod control;
mod expressions;
mod functions;
mod implementations;
mod items;
mod macros;
mod paths;
mod patterns;
mod types;

use crate::flow::FlowBuilder;
use crate::solve::FlowRules;
use crate::syntax::Node;

use super::resolve::{outside, resolve};

type Builder<'t, 'f> = FlowBuilder<'t, 'f>;

/// How Rust's values flow.
pub(in crate::lang) static RULES: FlowRules = FlowRules {
    lower,
    resolve,
    iterate: ("into_iter", "next"),
    iterate_waiting: ("into_iter", "next"),
    element: ("index", "index_mut"),
    element_of_next: Some("[*]"),
    generator: "Vec",
    promise: "Future",
    rest: ("Vec", "HashMap"),
    map: "HashMap",
    function: Some(ROOT),
    alias: Some(types::ALIAS),
    root: Some(ROOT),
    stands_for: Some(("deref", "deref_mut", "Target")),
    wrappers: &["Option", "Result"],
    places: Some("."),
    makes_silently: true,
    outside,
    paths_begin_anywhere: true,
    makes_tests: |decorator| decorator.starts_with("cfg(") && decorator.contains("test") && !decorator.contains("not("),
    prelude: &[
        ("", include_str!("../prelude/core.rs")),
        ("std::thread", include_str!("../prelude/thread.rs")),
        ("std::sync::mpsc", include_str!("../prelude/mpsc.rs")),
        ("std::env", include_str!("../prelude/env.rs")),
        ("std::mem", include_str!("../prelude/mem.rs")),
        ("std::iter", include_str!("../prelude/iter.rs")),
    ],
    ..FlowRules::BASE
};

/// The class of the prelude that every type takes from.
const ROOT: &str = "__Any";

fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// The children of a node that are no comments and no attributes.
fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    node.named_children()
        .filter(|child| {
            !matches!(
                child.kind(),
                "line_comment" | "block_comment" | "attribute_item" | "inner_attribute_item"
            )
        })
        .collect()
}

/// An identifier without the sign that makes it one.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// Lowers a file.
fn lower<'t>(builder: &mut Builder<'t, '_>, root: Node<'t>) {
    paths::open_file(builder);
    items::items(builder, root);
}
