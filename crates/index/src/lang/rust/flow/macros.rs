//! What macros are given, read as expressions where it reads so.

use crate::extract::child_of_kind;
use crate::flow::Slot;
use crate::syntax::Node;

use super::expressions::{elements, expression, expression_for};
use super::items::is_item;
use super::{Builder, children};

/// Macros behind which nothing runs.
const ENDS: &[&str] = &["panic", "unreachable", "todo", "unimplemented", "compile_error", "bail"];

/// Macros that make texts or constants of what they are given and run nothing of it.
const TEXTS: &[&str] = &[
    "stringify",
    "concat",
    "include_str",
    "include_bytes",
    "include",
    "env",
    "option_env",
    "cfg",
    "line",
    "file",
    "column",
    "module_path",
];

/// An invocation of a macro.
pub(super) fn invocation<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    let name = node.child_by_field_name("macro").map_or("", |name| builder.text(name));
    let name = name.rsplit("::").next().unwrap_or(name);
    if TEXTS.contains(&name) {
        return builder.slot();
    }
    let tokens = child_of_kind(node, &["token_tree"]);
    let root = tokens.and_then(|tokens| builder.embedded(tokens.start_byte()));
    let Some(root) = root else {
        return builder.slot();
    };
    let given = match children(root).first() {
        Some(statement) if statement.kind() == "expression_statement" => statement.named_child(0),
        given => given.copied(),
    };
    let value = match (name, given) {
        ("vec", Some(list)) if list.kind() == "array_expression" => elements(builder, list),
        ("dbg", Some(inner)) => expression_for(builder, inner, expected),
        ("format", _) => {
            loose(builder, root, 0);
            builder.built_in_value("String", "<a string>")
        }
        _ => {
            loose(builder, root, 0);
            builder.slot()
        }
    };
    if ENDS.contains(&name) {
        builder.stop();
    }
    value
}

/// Lowers every expression that tokens read as.
fn loose<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, depth: u32) {
    for child in children(node) {
        match child.kind() {
            "ERROR" | "expression_statement" | "tuple_expression" | "parenthesized_expression" if depth < 16 => {
                loose(builder, child, depth + 1);
            }
            kind if is_item(kind) => {}
            // A named argument: only its value is read.
            "assignment_expression" => {
                if let Some(value) = child.child_by_field_name("right") {
                    expression(builder, value);
                }
            }
            _ => {
                expression(builder, child);
            }
        }
        if builder.is_dead() {
            return;
        }
    }
}
