//! Modules of OCaml: nested ones, functors, their types, and what `open` and `include` bring in.

use lore_model::{ImportFlags, SymbolKind};

use super::docs::doc;
use super::{Binding, TEST_MODULE, attributes, head_end, visibility};
use crate::extract::{Draft, Walker, child_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

pub(super) fn open<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(path) = node.child_by_field_name("module").and_then(module_path) {
        let module = path_text(walker, path);
        walker.import(node, &module, "*", "*", 0);
    }
    Flow::Descend
}

pub(super) fn include<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let included = node
        .child_by_field_name("module")
        .or_else(|| node.child_by_field_name("module_type"));
    if let Some(path) = included.and_then(module_path) {
        let module = path_text(walker, path);
        walker.import(node, &module, "*", "*", ImportFlags::REEXPORT);
    }
    Flow::Descend
}

/// The path in a module expression or module type, without its constraints.
fn module_path(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind() {
            "module_path" | "extended_module_path" | "module_type_path" => return Some(node),
            "module_type_constraint" => node.child_by_field_name("module_type")?,
            "module_type_of" | "typed_module_expression" => node.child_by_field_name("module")?,
            "parenthesized_module_expression" | "parenthesized_module_type" => node.named_child(0)?,
            _ => return None,
        };
    }
}

fn path_text(walker: &Walker<'_>, path: Node<'_>) -> String {
    walker.text(path).split_whitespace().collect()
}

pub(super) fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["module_name"]) else {
        return Flow::Descend;
    };
    let binding = Binding::of(walker, node);
    let body = node.child_by_field_name("body");
    let signature = node.child_by_field_name("module_type");
    let end = match (signature, body) {
        (Some(signature), _) if signature.kind() == "signature" => signature.start_byte(),
        (_, Some(body)) if matches!(body.kind(), "structure" | "functor") => {
            head_end(walker, binding.start, body.start_byte())
        }
        (_, Some(body)) => body.end_byte(),
        (Some(signature), None) => signature.end_byte(),
        (None, None) => node.end_byte(),
    };
    let doc = doc(walker, binding.start, node.end_byte());
    let definition = walker.define(Draft {
        signature: (binding.start, end),
        doc,
        visibility: visibility(walker),
        decorators: attributes(walker, node),
        ..Draft::new(SymbolKind::Namespace, name, binding.span)
    });
    walker.open(definition);
    Flow::Descend
}

pub(super) fn module_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["module_type_name"]) else {
        return Flow::Descend;
    };
    let end = match node.child_by_field_name("body") {
        Some(body) if body.kind() == "signature" => head_end(walker, node.start_byte(), body.start_byte()),
        Some(body) => body.end_byte(),
        None => node.end_byte(),
    };
    let doc = doc(walker, node.start_byte(), node.end_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc,
        visibility: visibility(walker),
        decorators: attributes(walker, node),
        ..Draft::new(SymbolKind::Interface, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// A structure or signature that is an argument or a value, and not the content of a module, is an anonymous module.
pub(super) fn structure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let outer = walker
        .ancestors()
        .find(|parent| {
            !matches!(
                parent.kind(),
                "functor"
                    | "functor_type"
                    | "typed_module_expression"
                    | "parenthesized_module_expression"
                    | "parenthesized_module_type"
                    | "module_type_constraint"
            )
        })
        .map_or("", |parent| parent.kind());
    let is_own = match outer {
        "module_binding" | "module_type_definition" | "include_module" | "include_module_type" | "open_module" | "" => {
            true
        }
        "package_expression" => walker.scope().mark & TEST_MODULE != 0,
        _ => false,
    };
    if !is_own {
        let word = match node.kind() {
            "signature" => "sig",
            _ => "struct",
        };
        let definition = walker.define(Draft {
            signature: (node.start_byte(), node.start_byte() + word.len()),
            ..Draft::anonymous(SymbolKind::Namespace, word, node)
        });
        walker.open(definition);
    }
    Flow::Descend
}
