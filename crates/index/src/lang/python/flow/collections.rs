//! Displays and comprehensions.

use super::assignments::assign;
use super::expressions::{children, expression, is_number, key_of};
use super::scopes::target_names;
use super::{Builder, line};
use crate::extract::children_of_kind;
use crate::flow::Slot;
use crate::syntax::Node;

/// Whether an expression is a text, a number, or a collection of such and not empty.
pub(super) fn is_data(node: Node<'_>, depth: usize) -> bool {
    match node.kind() {
        "integer" | "float" | "true" | "false" | "none" | "comment" => true,
        "string" => !has_descendant(node, "interpolation"),
        "unary_operator" => node.child_by_field_name("argument").is_some_and(is_number),
        "list" | "tuple" | "set" | "dictionary" | "pair" | "concatenated_string" if depth < 4 => {
            node.named_child_count() > 0 && node.named_children().all(|child| is_data(child, depth + 1))
        }
        _ => false,
    }
}

/// Entries of a collection of data from which on nothing that the program stores in it later is followed.
const MAX_ENTRIES: usize = 64;

/// Whether a collection of data is so large that it is a table: the program reads it and stores nothing in it.
fn is_table(node: Node<'_>) -> bool {
    node.named_child_count() > MAX_ENTRIES
}

fn is_container(node: Node<'_>) -> bool {
    matches!(node.kind(), "list" | "tuple" | "set" | "dictionary")
}

pub(super) fn has_descendant(node: Node<'_>, kind: &str) -> bool {
    node.named_children().any(|child| child.kind() == kind)
}

pub(super) fn collection<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, class: &str) -> Slot {
    let is_data = is_data(node, 0);
    // Nothing is ever stored in a tuple, so all tuples of data can share one object.
    if is_data && (class == "tuple" || is_table(node)) {
        return builder.allocate_data(class, line(node));
    }
    let slot = builder.allocate(class, line(node));
    let mut spread = false;
    for (at, element) in children(node).into_iter().enumerate() {
        if element.kind() == "list_splat" {
            spread = true;
            if let Some(inner) = element.named_child(0) {
                let inner = expression(builder, inner);
                let inner = builder.iterate(inner, line(element));
                builder.store_key(slot, None, inner, line(element));
            }
            continue;
        }
        if is_data && !is_container(element) {
            continue;
        }
        let value = expression(builder, element);
        let key = (!spread && class != "set").then(|| at.to_string());
        builder.store_key(slot, key.as_deref(), value, line(element));
    }
    slot
}

pub(super) fn dictionary<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let is_data = is_data(node, 0);
    if is_data && is_table(node) {
        return builder.allocate_data("dict", line(node));
    }
    let slot = builder.allocate("dict", line(node));
    for entry in children(node) {
        match entry.kind() {
            "pair" => {
                let (Some(key), Some(value)) = (entry.child_by_field_name("key"), entry.child_by_field_name("value"))
                else {
                    continue;
                };
                if is_data && !is_container(value) {
                    continue;
                }
                let literal = key_of(builder, key);
                if literal.is_none() && matches!(key.kind(), "identifier" | "attribute" | "call") {
                    let key = expression(builder, key);
                    builder.store(slot, "{key}", key, line(entry));
                }
                let value = expression(builder, value);
                builder.store_key(slot, literal.as_deref(), value, line(entry));
            }
            "dictionary_splat" => {
                if let Some(inner) = entry.named_child(0) {
                    let inner = expression(builder, inner);
                    builder.merge(slot, inner, &[], line(entry));
                }
            }
            _ => {}
        }
    }
    slot
}

/// A comprehension runs in place; its variables are its own.
pub(super) fn comprehension<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    builder.begin_block();
    for clause in children_of_kind(node, &["for_in_clause", "if_clause"]) {
        if clause.kind() == "if_clause" {
            for condition in children(clause) {
                expression(builder, condition);
            }
            continue;
        }
        let (Some(left), Some(right)) = (clause.child_by_field_name("left"), clause.child_by_field_name("right"))
        else {
            continue;
        };
        let values = expression(builder, right);
        let element = builder.iterate(values, line(clause));
        let mut names = Vec::new();
        target_names(left, &mut |name| names.push(name));
        for name in names {
            let name = builder.text(name);
            builder.declare(name);
        }
        assign(builder, left, element);
    }
    let class = match node.kind() {
        "list_comprehension" => "list",
        "set_comprehension" => "set",
        "dictionary_comprehension" => "dict",
        _ => "generator",
    };
    let slot = builder.allocate(class, line(node));
    if let Some(body) = node.child_by_field_name("body") {
        let value = match body.kind() {
            "pair" => {
                if let Some(key) = body.child_by_field_name("key") {
                    expression(builder, key);
                }
                body.child_by_field_name("value")
            }
            _ => Some(body),
        };
        if let Some(value) = value {
            let value = expression(builder, value);
            builder.store_key(slot, None, value, line(node));
        }
    }
    builder.end_block();
    slot
}
