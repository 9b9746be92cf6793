//! Expressions that are neither calls nor ways through a body.

use crate::flow::{Argument, Slot};
use crate::syntax::Node;
use lore_model::FlowFlags;

use super::calls::{call, make};
use super::control::{
    block_value, break_out, condition, for_loop, give_back, go_on, if_value, loop_value, match_value, while_loop,
};
use super::functions::{ERROR, closure};
use super::macros::invocation;
use super::paths::path;
use super::types::class_of_type;
use super::{Builder, children, line, plain};

/// The value of an expression.
pub(super) fn expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    expression_for(builder, node, None)
}

/// The value of an expression of which a class is expected.
pub(super) fn expression_for<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    let slot = if builder.enter() {
        lower(builder, node, expected)
    } else {
        builder.slot()
    };
    builder.leave();
    slot
}

fn first_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    children(node)
        .into_iter()
        .find(|child| child.kind() != "mutable_specifier")
}

fn lower<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    match node.kind() {
        "identifier" | "self" => named(builder, node),
        "scoped_identifier" | "generic_function" => {
            let named = path(builder, node);
            value_of(builder, node, named)
        }
        "call_expression" => call(builder, node, expected),
        "field_expression" => field(builder, node),
        "macro_invocation" => invocation(builder, node, expected),
        "type_cast_expression" => cast(builder, node),
        "reference_expression" | "parenthesized_expression" => {
            match node.child_by_field_name("value").or_else(|| first_of(node)) {
                Some(inner) => expression_for(builder, inner, expected),
                None => builder.slot(),
            }
        }
        "string_literal" | "raw_string_literal" => builder.built_in_value("str", "<a str>"),
        "integer_literal" => {
            let text = builder.text(node);
            match ["u8", "u16", "u32", "u64", "usize", "i64", "f64", "f32"]
                .into_iter()
                .find(|kind| text.ends_with(kind))
            {
                Some(kind) => {
                    let class = builder.global(kind);
                    let slot = builder.slot();
                    builder.instance_of(slot, class);
                    slot
                }
                None => builder.built_in_value("i32", "<a i32>"),
            }
        }
        "float_literal" => builder.built_in_value("f64", "<a f64>"),
        "char_literal" => builder.built_in_value("char", "<a char>"),
        "boolean_literal" => builder.built_in_value("bool", "<a bool>"),
        "struct_expression" => make(builder, node),
        "closure_expression" => closure(builder, node),
        "block" => block_value(builder, node, expected),
        "unsafe_block" | "async_block" | "const_block" | "try_block" | "gen_block" => {
            let inner = node
                .child_by_field_name("body")
                .or_else(|| crate::extract::child_of_kind(node, &["block"]));
            match inner {
                Some(inner) => block_value(builder, inner, None),
                None => builder.slot(),
            }
        }
        "if_expression" => if_value(builder, node, expected),
        "match_expression" => match_value(builder, node, expected),
        "loop_expression" => loop_value(builder, node),
        "while_expression" => while_loop(builder, node),
        "for_expression" => for_loop(builder, node),
        "return_expression" => give_back(builder, node),
        "break_expression" => break_out(builder, node),
        "continue_expression" => go_on(builder, node),
        "let_condition" | "let_chain" => {
            condition(builder, node);
            builder.slot()
        }
        "try_expression" => propagate(builder, node, expected),
        "await_expression" => match first_of(node) {
            Some(inner) => {
                let value = expression_for(builder, inner, expected);
                builder.wait_for(value, line(node))
            }
            None => builder.slot(),
        },
        "tuple_expression" => {
            let tuple = builder.allocate("tuple", line(node));
            for (at, part) in children(node).into_iter().enumerate() {
                let value = expression(builder, part);
                builder.store(tuple, &format!(".{at}"), value, line(part));
            }
            tuple
        }
        "array_expression" => elements(builder, node),
        "range_expression" => {
            for part in children(node) {
                expression(builder, part);
            }
            builder.built_in_value("Range", "<a range>")
        }
        "index_expression" => index(builder, node),
        "binary_expression" => binary(builder, node),
        "unary_expression" => unary(builder, node),
        "assignment_expression" => assignment(builder, node),
        "compound_assignment_expr" => compound(builder, node),
        // What the grammar could not join still says what it calls.
        "yield_expression" | "ERROR" => {
            for part in children(node) {
                expression(builder, part);
            }
            builder.slot()
        }
        _ => builder.slot(),
    }
}

/// `value as Type`: usually a number of another type.
fn cast<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let value = match node.child_by_field_name("value") {
        Some(inner) => expression(builder, inner),
        None => builder.slot(),
    };
    match node.child_by_field_name("type") {
        Some(declared) if declared.kind() == "primitive_type" => {
            let class = class_of_type(builder, declared);
            let slot = builder.slot();
            builder.instance_of(slot, class);
            slot
        }
        _ => value,
    }
}

/// A list of elements.
pub(super) fn elements<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>) -> Slot {
    let made = builder.allocate("Vec", line(list));
    let length = list.child_by_field_name("length");
    for part in children(list) {
        let value = expression(builder, part);
        if Some(part) != length {
            builder.store_key(made, None, value, line(part));
        }
    }
    made
}

/// The value of a name.
fn named<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let name = plain(builder.text(node));
    if builder.is_variable(name) {
        let read = builder.read(name);
        return value_of(builder, node, read);
    }
    if name == "None" {
        return builder.allocate("Option", line(node));
    }
    let read = builder.global(name);
    value_of(builder, node, read)
}

/// What a path means as a value: names of types may be values of them.
fn value_of<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, named: Slot) -> Slot {
    let text = builder.text(node);
    let last = text.rsplit("::").next().unwrap_or(text);
    if !last.starts_with(|first: char| first.is_ascii_uppercase()) {
        return named;
    }
    let is_constant = last
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if is_constant && last.len() > 1 && !text.contains(['<', ' ', '\n']) {
        builder.note_constant(node, text);
    }
    builder.value_of(named, line(node))
}

/// A field, or a part of a tuple.
fn field<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (Some(value), Some(name)) = (node.child_by_field_name("value"), node.child_by_field_name("field")) else {
        return builder.slot();
    };
    let base = expression(builder, value);
    let name = format!(".{}", plain(builder.text(name)));
    builder.load(base, &name, line(name_line(node)))
}

fn name_line(node: Node<'_>) -> Node<'_> {
    node.child_by_field_name("field").unwrap_or(node)
}

fn index<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    let (Some(base), Some(key)) = (parts.first(), parts.get(1)) else {
        return builder.slot();
    };
    let value = expression(builder, *base);
    if builder.text(*key) == "__" {
        return builder.load_key(value, None, line(node));
    }
    let key_value = expression(builder, *key);
    if key.kind() != "range_expression" {
        return builder.load_key(value, None, line(node));
    }
    // A part of a list is a list of the same.
    let part = builder.call_method(value, "index", &[Argument::Plain(key_value)], line(node));
    let slot = builder.slot();
    builder.copy(slot, part);
    builder.copy(slot, value);
    slot
}

/// `value?`: the content of the value; its error becomes that of the function.
fn propagate<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    let Some(inner) = first_of(node) else {
        return builder.slot();
    };
    let at = line(node);
    let value = expression_for(builder, inner, expected);
    if builder.is_variable(ERROR) {
        let error = builder.load(value, ".err", at);
        let class = builder.read(ERROR);
        convert(builder, class, error, at);
    }
    builder.load_inside(value, at)
}

/// Makes an error one of another class, if it is none of it already.
fn convert(builder: &mut Builder<'_, '_>, class: Slot, error: Slot, at: u32) {
    let others = builder.narrow(error, class, true);
    let from = builder.load_implicit(class, "from", at);
    let flags = FlowFlags::IMPLICIT | FlowFlags::GIVEN;
    let made = builder.call(from, &[Argument::Plain(others)], at, flags);
    let wrapped = builder.allocate("Result", at);
    builder.store(wrapped, ".err", made, at);
    builder.give_back(wrapped);
}

fn binary<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return builder.slot();
    };
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| operator.kind());
    let one = expression(builder, left);
    if matches!(operator, "&&" | "||") {
        let before = builder.environment();
        expression(builder, right);
        let after = builder.environment();
        builder.join(&[before, after]);
        return builder.built_in_value("bool", "<a bool>");
    }
    let other = expression(builder, right);
    let name = match operator {
        "+" => "add",
        "-" => "sub",
        "*" => "mul",
        "/" => "div",
        "%" => "rem",
        "&" => "bitand",
        "|" => "bitor",
        "^" => "bitxor",
        "<<" => "shl",
        ">>" => "shr",
        "==" | "!=" => "eq",
        "<" | ">" | "<=" | ">=" => "partial_cmp",
        _ => return builder.slot(),
    };
    let made = builder.call_method(one, name, &[Argument::Plain(other)], line(node));
    match name {
        "eq" | "partial_cmp" => builder.built_in_value("bool", "<a bool>"),
        _ => made,
    }
}

fn unary<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let Some(inner) = first_of(node) else {
        return builder.slot();
    };
    let value = expression(builder, inner);
    let at = line(node);
    match node.child(0).map_or("", |sign| sign.kind()) {
        "-" => builder.call_method(value, "neg", &[], at),
        "!" => builder.call_method(value, "not", &[], at),
        "*" if inner.kind() != "self" => {
            let meant = builder.call_method(value, "deref", &[], at);
            let slot = builder.slot();
            builder.copy(slot, meant);
            builder.copy(slot, value);
            slot
        }
        _ => value,
    }
}

fn assignment<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    if let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) {
        let value = expression(builder, right);
        assign(builder, left, value);
    }
    builder.slot()
}

/// Gives a place a value.
fn assign<'t>(builder: &mut Builder<'t, '_>, place: Node<'t>, value: Slot) {
    if builder.enter() {
        lower_assign(builder, place, value);
    }
    builder.leave();
}

fn lower_assign<'t>(builder: &mut Builder<'t, '_>, place: Node<'t>, value: Slot) {
    let at = line(place);
    match place.kind() {
        "identifier" => {
            let name = plain(builder.text(place));
            builder.write(name, value);
        }
        "parenthesized_expression" => {
            if let Some(inner) = first_of(place) {
                assign(builder, inner, value);
            }
        }
        "field_expression" => {
            if let (Some(base), Some(name)) = (place.child_by_field_name("value"), place.child_by_field_name("field")) {
                let base = expression(builder, base);
                let name = format!(".{}", plain(builder.text(name)));
                builder.store(base, &name, value, at);
            }
        }
        "index_expression" => {
            let parts = children(place);
            if let (Some(base), Some(key)) = (parts.first(), parts.get(1)) {
                let base = expression(builder, *base);
                if builder.text(*key) != "__" {
                    expression(builder, *key);
                }
                builder.store_key(base, None, value, at);
            }
        }
        "tuple_expression" => {
            for (number, part) in children(place).into_iter().enumerate() {
                let element = builder.load(value, &format!(".{number}"), at);
                assign(builder, part, element);
            }
        }
        // The value behind a reference: usually a field that is lent.
        "unary_expression" => {
            if let Some(inner) = first_of(place) {
                assign_behind(builder, inner, value);
            }
        }
        _ => {}
    }
}

fn assign_behind<'t>(builder: &mut Builder<'t, '_>, place: Node<'t>, value: Slot) {
    match place.kind() {
        "identifier" => {
            let name = plain(builder.text(place));
            let both = builder.slot();
            let old = expression(builder, place);
            builder.copy(both, old);
            builder.copy(both, value);
            builder.write(name, both);
        }
        "call_expression" => {
            expression(builder, place);
            let lender = place
                .child_by_field_name("function")
                .filter(|function| function.kind() == "field_expression")
                .and_then(|function| function.child_by_field_name("value"));
            if let Some(lender) =
                lender.filter(|lender| matches!(lender.kind(), "field_expression" | "call_expression"))
            {
                assign_lent(builder, lender, value);
            }
        }
        "field_expression" => assign(builder, place, value),
        _ => {}
    }
}

/// Gives the field at the beginning of a chain of calls a value.
fn assign_lent<'t>(builder: &mut Builder<'t, '_>, lender: Node<'t>, value: Slot) {
    let mut lender = Some(lender);
    while let Some(node) = lender {
        if node.kind() == "field_expression" {
            assign(builder, node, value);
            return;
        }
        lender = node
            .child_by_field_name("function")
            .filter(|function| function.kind() == "field_expression")
            .and_then(|function| function.child_by_field_name("value"));
    }
}

fn compound<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return builder.slot();
    };
    let value = expression(builder, right);
    let place = expression(builder, left);
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| operator.kind());
    let name = match operator {
        "+=" => "add_assign",
        "-=" => "sub_assign",
        "*=" => "mul_assign",
        "/=" => "div_assign",
        "%=" => "rem_assign",
        "&=" => "bitand_assign",
        "|=" => "bitor_assign",
        "^=" => "bitxor_assign",
        "<<=" => "shl_assign",
        ">>=" => "shr_assign",
        _ => return builder.slot(),
    };
    builder.call_method(place, name, &[Argument::Plain(value)], line(node));
    let changed = builder.slot();
    builder.operate(changed, place);
    assign(builder, left, changed);
    builder.slot()
}
