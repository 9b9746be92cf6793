//! Expressions.

use crate::flow::Slot;
use crate::syntax::Node;

use super::calls::call;
use super::functions::function;
use super::literals::composite;
use super::types::{declare_type, is_basic, plain_type, type_value};
use super::{Builder, children, line, named};

/// Characters of a literal that can be a key.
const MAX_KEY: usize = 80;

pub(super) fn expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let slot = if builder.enter() {
        lower_expression(builder, node)
    } else {
        builder.slot()
    };
    builder.leave();
    slot
}

fn lower_expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "identifier" | "type_identifier" => {
            let name = builder.text(node);
            if name == "_" || is_basic(name) && !builder.is_variable(name) {
                return builder.slot();
            }
            builder.note_read(node);
            named(builder, name)
        }
        "selector_expression" => {
            let (Some(operand), Some(name)) = (field("operand"), field("field")) else {
                return builder.slot();
            };
            if operand.kind() == "identifier" {
                builder.note_read(node);
            }
            let base = expression(builder, operand);
            let name = builder.text(name);
            builder.load(base, name, line(name_of(node)))
        }
        "call_expression" | "type_conversion_expression" => call(builder, node, 1, "")[0],
        "parenthesized_expression" | "literal_element" => match node.named_child(0) {
            Some(inner) => expression(builder, inner),
            None => builder.slot(),
        },
        "unary_expression" => {
            let Some(operand) = field("operand") else {
                return builder.slot();
            };
            let value = expression(builder, operand);
            match field("operator").map_or("", |operator| operator.kind()) {
                "&" => value,
                "*" => {
                    let held = builder.load(value, "*", line(node));
                    let to = builder.slot();
                    builder.copy(to, value);
                    builder.copy(to, held);
                    to
                }
                "<-" => builder.load_key(value, None, line(node)),
                "-" | "^" | "+" if !is_literal(operand) => {
                    let to = builder.slot();
                    builder.operate(to, value);
                    to
                }
                _ => builder.slot(),
            }
        }
        "binary_expression" => {
            let operator = field("operator").map_or("", |operator| operator.kind());
            let makes_same = !matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||");
            let to = builder.slot();
            for side in [field("left"), field("right")].into_iter().flatten() {
                let value = expression(builder, side);
                if makes_same && !is_literal(side) {
                    builder.operate(to, value);
                }
            }
            to
        }
        "index_expression" => {
            let (Some(operand), Some(index)) = (field("operand"), field("index")) else {
                return builder.slot();
            };
            let base = expression(builder, operand);
            element(builder, base, index)
        }
        "type_instantiation_expression" => match field("type") {
            Some(inner) => expression(builder, inner),
            None => builder.slot(),
        },
        "slice_expression" => {
            for part in [field("start"), field("end"), field("capacity")].into_iter().flatten() {
                expression(builder, part);
            }
            match field("operand") {
                Some(operand) => expression(builder, operand),
                None => builder.slot(),
            }
        }
        "composite_literal" => composite(builder, node),
        "func_literal" => function(builder, node, 0),
        "type_assertion_expression" => {
            let (Some(operand), Some(declared)) = (field("operand"), field("type")) else {
                return builder.slot();
            };
            let value = expression(builder, operand);
            narrowed(builder, value, declared, true)
        }
        "generic_type" | "qualified_type" => match type_value(builder, node) {
            Some(class) => class,
            None => builder.slot(),
        },
        "interpreted_string_literal" | "raw_string_literal" => {
            let slot = builder.slot();
            let text = string_text(builder, node);
            builder.set_literal(slot, text);
            slot
        }
        "variadic_argument" => match node.named_child(0) {
            Some(inner) => expression(builder, inner),
            None => builder.slot(),
        },
        "ERROR" => {
            for child in children(node) {
                expression(builder, child);
            }
            builder.slot()
        }
        _ => builder.slot(),
    }
}

/// Whether an expression is a text or a number that the source spells.
fn is_literal(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "interpreted_string_literal"
            | "raw_string_literal"
            | "int_literal"
            | "float_literal"
            | "imaginary_literal"
            | "rune_literal"
    )
}

/// The position of a member's name.
fn name_of(selector: Node<'_>) -> Node<'_> {
    selector.child_by_field_name("field").unwrap_or(selector)
}

pub(super) fn string_text<'t>(builder: &Builder<'t, '_>, node: Node<'_>) -> &'t str {
    let text = builder.text(node);
    text.get(1..text.len().saturating_sub(1)).unwrap_or("")
}

/// An expression whose value may come to be a key elsewhere, which a short literal is worth knowing for.
pub(super) fn spelled<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let slot = expression(builder, node);
    match node.kind() {
        "interpreted_string_literal" | "raw_string_literal" => {
            let text = string_text(builder, node);
            let is_key = |letter: char| !letter.is_whitespace() && letter != '\\' && letter != '%';
            if !text.is_empty() && text.len() <= MAX_KEY && text.chars().all(is_key) {
                builder.spell(slot, text);
            }
        }
        _ => {}
    }
    slot
}

/// The key that an index spells.
fn key_of(builder: &Builder<'_, '_>, index: Node<'_>) -> Option<String> {
    match index.kind() {
        "interpreted_string_literal" | "raw_string_literal" => Some(format!("'{}", string_text(builder, index))),
        "int_literal" => Some(builder.text(index).to_owned()),
        "literal_element" => key_of(builder, index.named_child(0)?),
        _ => None,
    }
}

/// The element under an index.
fn element<'t>(builder: &mut Builder<'t, '_>, base: Slot, index: Node<'t>) -> Slot {
    if let Some(key) = key_of(builder, index) {
        return builder.load_key(base, Some(&key), line(index));
    }
    let key = expression(builder, index);
    builder.load_key_of(base, key, line(index))
}

/// Gives the element under an index a value.
pub(super) fn store_element<'t>(builder: &mut Builder<'t, '_>, base: Slot, index: Node<'t>, value: Slot) {
    let at = line(index);
    if let Some(key) = key_of(builder, index) {
        builder.store_key(base, Some(&key), value, at);
        return;
    }
    let key = expression(builder, index);
    builder.store_key_of(base, key, value, at);
    builder.store(base, "{key}", key, at);
}

/// Those values that are of a type; where none is known, one of the type.
pub(super) fn narrowed<'t>(builder: &mut Builder<'t, '_>, value: Slot, declared: Node<'t>, hints: bool) -> Slot {
    let to = builder.slot();
    let inner = plain_type(declared);
    match type_value(builder, inner) {
        Some(class) => {
            let passed = builder.narrow(value, class, false);
            builder.copy(to, passed);
        }
        None if inner.kind() == "type_identifier" => return to,
        None => builder.copy(to, value),
    }
    if hints {
        declare_type(builder, to, inner);
    }
    to
}

/// What a condition always is, if the source says so.
pub(super) fn constant(builder: &Builder<'_, '_>, condition: Node<'_>) -> Option<bool> {
    match condition.kind() {
        "true" => Some(true),
        "false" => Some(false),
        "parenthesized_expression" => constant(builder, condition.named_child(0)?),
        "unary_expression" if condition.child_by_field_name("operator")?.kind() == "!" => {
            constant(builder, condition.child_by_field_name("operand")?).map(|value| !value)
        }
        "identifier" => builder.constant(builder.text(condition)),
        _ => None,
    }
}
