//! Expressions, and the methods that operators call.

use super::assignments::{assign, assignment};
use super::calls::call;
use super::collections::{collection, comprehension, dictionary};
use super::definitions::{lambda, member_name};
use super::statements::{condition, constant, statement};
use super::{Builder, line};
use crate::extract::has_child;
use crate::flow::{Argument, Slot};
use crate::syntax::Node;
use lore_model::BodyFlags;

pub(super) fn expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let slot = if builder.enter() {
        lower_expression(builder, node)
    } else {
        builder.slot()
    };
    builder.leave();
    slot
}

pub(super) fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    node.named_children().filter(|child| !is_layout(*child)).collect()
}

/// Whether a node carries no meaning: a comment, or a backslash at the end of a line.
pub(super) fn is_layout(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "line_continuation")
}

pub(super) fn lower_expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "identifier" => {
            builder.note_read(node);
            let name = builder.text(node);
            builder.read(name)
        }
        "call" => call(builder, node),
        "attribute" => {
            let (Some(object), Some(attribute)) = (field("object"), field("attribute")) else {
                return builder.slot();
            };
            builder.note_read(node);
            let base = expression(builder, object);
            if builder.text(attribute) == "__class__" {
                return builder.class_of(base);
            }
            let name = member_name(builder, attribute);
            builder.load(base, &name, line(attribute))
        }
        "subscript" => {
            let Some(value) = field("value") else {
                return builder.slot();
            };
            if let Some(name) = field("subscript").and_then(|key| name_of_global(builder, value, key)) {
                return builder.read_of_module(name);
            }
            let base = expression(builder, value);
            if let Some(slice) = field("subscript").filter(|key| key.kind() == "slice") {
                // A part of a sequence is a sequence of the same elements.
                expression(builder, slice);
                implicit_call(builder, base, "__getitem__", &[], line(node));
                return base;
            }
            let key = field("subscript").and_then(|key| key_of(builder, key));
            builder.load_key(base, key.as_deref(), line(node))
        }
        "assignment" => assignment(builder, node),
        "augmented_assignment" => {
            let (Some(left), Some(right)) = (field("left"), field("right")) else {
                return builder.slot();
            };
            let old = expression(builder, left);
            let value = expression(builder, right);
            let operator = field("operator").map_or("", |operator| builder.text(operator));
            let result = builder.slot();
            builder.copy(result, old);
            if let Some((method, _)) = operator_method(operator.trim_end_matches('=')) {
                let in_place = format!("__i{}", method.trim_start_matches("__"));
                let made = implicit_call(builder, old, &in_place, &[Argument::Plain(value)], line(node));
                builder.copy(result, made);
                let made = implicit_call(builder, old, method, &[Argument::Plain(value)], line(node));
                builder.copy(result, made);
            }
            // `list += other` keeps the list and takes what the other holds.
            let element = builder.load_key(value, None, line(node));
            builder.store_key(old, None, element, line(node));
            assign(builder, left, result);
            result
        }
        "named_expression" => {
            let (Some(name), Some(value)) = (field("name"), field("value")) else {
                return builder.slot();
            };
            let value = expression(builder, value);
            let name = builder.text(name);
            builder.write(name, value);
            value
        }
        "lambda" => lambda(builder, node),
        "conditional_expression" => {
            let parts = children(node);
            let [value, condition, otherwise] = parts[..] else {
                return builder.slot();
            };
            let known = constant(builder, condition);
            let result = builder.slot();
            if known.is_none() {
                self::condition(builder, condition);
            }
            if known != Some(false) {
                let value = expression(builder, value);
                builder.copy(result, value);
            }
            if known != Some(true) {
                let otherwise = expression(builder, otherwise);
                builder.copy(result, otherwise);
            }
            result
        }
        "boolean_operator" => {
            let result = builder.slot();
            // `a or b or c` nests to the left, as deep as it is long.
            let mut operands = Vec::new();
            let mut left = Some(node);
            while let Some(inner) = left.filter(|inner| inner.kind() == "boolean_operator") {
                operands.extend(inner.child_by_field_name("right"));
                left = inner.child_by_field_name("left");
            }
            operands.extend(left);
            for operand in operands.into_iter().rev() {
                let value = expression(builder, operand);
                builder.copy(result, value);
            }
            result
        }
        "not_operator" => {
            if let Some(argument) = field("argument") {
                let value = expression(builder, argument);
                implicit_call(builder, value, "__bool__", &[], line(node));
            }
            builder.slot()
        }
        "binary_operator" => binary(builder, node),
        "unary_operator" => {
            let Some(argument) = field("argument") else {
                return builder.slot();
            };
            let value = expression(builder, argument);
            let method = match field("operator").map_or("", |operator| builder.text(operator)) {
                "-" => "__neg__",
                "+" => "__pos__",
                _ => "__invert__",
            };
            if is_number(argument) {
                return builder.slot();
            }
            implicit_call(builder, value, method, &[], line(node))
        }
        "comparison_operator" => comparison(builder, node),
        "await" => {
            let Some(awaited) = node.named_child(0) else {
                return builder.slot();
            };
            let value = expression(builder, awaited);
            builder.wait_for(value, line(node))
        }
        "yield" => {
            builder.add_flags(BodyFlags::GENERATOR);
            let yielded = builder.yielded();
            if let Some(value) = node.named_child(0) {
                let value = expression(builder, value);
                if has_child(node, "from") {
                    let element = builder.iterate(value, line(node));
                    builder.copy(yielded, element);
                } else {
                    builder.copy(yielded, value);
                }
            }
            builder.sent()
        }
        "list" | "set" | "tuple" | "expression_list" => {
            let class = match node.kind() {
                "list" => "list",
                "set" => "set",
                _ => "tuple",
            };
            collection(builder, node, class)
        }
        "dictionary" => dictionary(builder, node),
        "list_comprehension" | "set_comprehension" | "generator_expression" | "dictionary_comprehension" => {
            comprehension(builder, node)
        }
        "parenthesized_expression" => match children(node).first() {
            Some(inner) => expression(builder, *inner),
            None => builder.slot(),
        },
        "string" | "concatenated_string" => string(builder, node),
        "integer" | "float" | "true" | "false" | "none" | "ellipsis" => builder.slot(),
        "keyword_argument" => match field("value") {
            Some(value) => expression(builder, value),
            None => builder.slot(),
        },
        "type" => match node.named_child(0) {
            Some(inner) => expression(builder, inner),
            None => builder.slot(),
        },
        "function_definition" | "class_definition" | "decorated_definition" => {
            statement(builder, node);
            builder.slot()
        }
        _ => {
            for child in children(node) {
                expression(builder, child);
            }
            builder.slot()
        }
    }
}

/// The name in `globals()["name"]`.
fn name_of_global<'t>(builder: &Builder<'t, '_>, value: Node<'t>, key: Node<'t>) -> Option<&'t str> {
    let is_globals = value.kind() == "call"
        && value
            .child_by_field_name("function")
            .is_some_and(|function| builder.text(function) == "globals")
        && !builder.is_variable("globals");
    (is_globals && key.kind() == "string").then(|| plain_string(builder, key))?
}

pub(super) fn is_number(node: Node<'_>) -> bool {
    matches!(node.kind(), "integer" | "float")
}

/// The literal that a subscript is, if it is one: `"a"` and `'a'` are the same key, and so is a variable that holds it.
pub(super) fn key_of<'t>(builder: &mut Builder<'t, '_>, key: Node<'t>) -> Option<String> {
    match key.kind() {
        "string" => plain_string(builder, key).map(|text| format!("'{text}")),
        "integer" => Some(builder.text(key).to_owned()),
        "identifier" => {
            let slot = expression(builder, key);
            builder.literal(slot).map(|literal| {
                if literal.starts_with(|digit: char| digit.is_ascii_digit()) {
                    literal.to_owned()
                } else {
                    format!("'{}", literal.trim_matches(['"', '\'']))
                }
            })
        }
        _ => {
            expression(builder, key);
            None
        }
    }
}

/// The text of a string without substitutions.
pub(super) fn plain_string<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> Option<&'t str> {
    let mut content = "";
    for child in node.children() {
        match child.kind() {
            "string_content" => content = builder.text(child),
            "interpolation" => return None,
            _ => {}
        }
    }
    Some(content)
}

pub(super) fn string<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let mut waiting = vec![node];
    let mut substituted = false;
    while let Some(inner) = waiting.pop() {
        if inner.kind() == "interpolation" {
            substituted = true;
            if let Some(value) = inner.child_by_field_name("expression").or_else(|| inner.named_child(0)) {
                let value = expression(builder, value);
                implicit_call(builder, value, "__str__", &[], line(node));
            }
            continue;
        }
        waiting.extend(inner.named_children().filter(|child| child.kind() != "string_content"));
    }
    let slot = builder.slot();
    if !substituted && node.kind() == "string" {
        let text = builder.text(node);
        builder.set_literal(slot, text);
    }
    slot
}

/// A call of a protocol's method, which may lead nowhere.
pub(super) fn implicit_call<'t>(
    builder: &mut Builder<'t, '_>,
    receiver: Slot,
    method: &str,
    arguments: &[Argument<'_>],
    line: u32,
) -> Slot {
    builder.call_method(receiver, method, arguments, line)
}

pub(super) fn operator_method(operator: &str) -> Option<(&'static str, &'static str)> {
    Some(match operator {
        "+" => ("__add__", "__radd__"),
        "-" => ("__sub__", "__rsub__"),
        "*" => ("__mul__", "__rmul__"),
        "/" => ("__truediv__", "__rtruediv__"),
        "//" => ("__floordiv__", "__rfloordiv__"),
        "%" => ("__mod__", "__rmod__"),
        "**" => ("__pow__", "__rpow__"),
        "@" => ("__matmul__", "__rmatmul__"),
        "&" => ("__and__", "__rand__"),
        "|" => ("__or__", "__ror__"),
        "^" => ("__xor__", "__rxor__"),
        "<<" => ("__lshift__", "__rlshift__"),
        ">>" => ("__rshift__", "__rrshift__"),
        _ => return None,
    })
}

/// `a + b + c` nests to the left, as deep as it is long.
pub(super) fn binary<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let mut spine = Vec::new();
    let mut left = node;
    while left.kind() == "binary_operator" {
        let Some(next) = left.child_by_field_name("left") else {
            break;
        };
        spine.push(left);
        left = next;
    }
    let mut value = expression(builder, left);
    let mut plain = is_number(left) || left.kind() == "string";
    for operation in spine.into_iter().rev() {
        let Some(right) = operation.child_by_field_name("right") else {
            continue;
        };
        let operand = expression(builder, right);
        let operator = operation
            .child_by_field_name("operator")
            .map_or("", |operator| builder.text(operator));
        let right_plain = is_number(right) || right.kind() == "string";
        let Some((method, reflected)) = operator_method(operator) else {
            continue;
        };
        let result = builder.slot();
        if !plain {
            let made = implicit_call(builder, value, method, &[Argument::Plain(operand)], line(operation));
            builder.copy(result, made);
        }
        if !right_plain {
            let made = implicit_call(builder, operand, reflected, &[Argument::Plain(value)], line(operation));
            builder.copy(result, made);
        }
        plain = plain && right_plain;
        value = result;
    }
    value
}

pub(super) fn comparison<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let parts: Vec<Node<'t>> = node.children().filter(|part| !is_layout(*part)).collect();
    let mut left: Option<(Slot, bool)> = None;
    let result = builder.slot();
    let mut operator = "";
    for part in parts {
        if !part.is_named() || matches!(part.kind(), "not in" | "is not") {
            operator = part.kind();
            continue;
        }
        let plain = is_number(part) || matches!(part.kind(), "string" | "none" | "true" | "false");
        let right = expression(builder, part);
        if let Some((left, left_plain)) = left {
            let method = match operator {
                "==" => Some("__eq__"),
                "!=" | "<>" => Some("__ne__"),
                "<" => Some("__lt__"),
                "<=" => Some("__le__"),
                ">" => Some("__gt__"),
                ">=" => Some("__ge__"),
                _ => None,
            };
            if matches!(operator, "in" | "not in") {
                if !plain {
                    implicit_call(builder, right, "__contains__", &[Argument::Plain(left)], line(node));
                }
            } else if let Some(method) = method
                && !left_plain
            {
                let made = implicit_call(builder, left, method, &[Argument::Plain(right)], line(node));
                builder.copy(result, made);
            }
        }
        left = Some((right, plain));
    }
    result
}
