//! Conditions say what a variable is where they hold, and what it is where they do not.

use crate::flow::Slot;
use crate::syntax::Node;

use super::expressions::expression;
use super::modules::string_text;
use super::{Builder, children};

/// What a condition that holds, or does not, says about variables holds from here on. Says whether it said anything.
pub(super) fn narrow<'t>(builder: &mut Builder<'t, '_>, condition: Node<'t>, holds: bool) -> bool {
    let mut waiting = vec![(condition, holds)];
    let mut said = false;
    while let Some((node, holds)) = waiting.pop() {
        match node.kind() {
            "parenthesized_expression" => waiting.extend(children(node).into_iter().map(|inner| (inner, holds))),
            "unary_expression" if crate::extract::has_child(node, "!") => {
                waiting.extend(node.child_by_field_name("argument").map(|inner| (inner, !holds)));
            }
            "binary_expression" => {
                let operator = node
                    .child_by_field_name("operator")
                    .map_or("", |operator| operator.kind());
                let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
                else {
                    continue;
                };
                match (operator, holds) {
                    ("&&", true) | ("||", false) => waiting.extend([(right, holds), (left, holds)]),
                    ("instanceof", _) => said |= by_class(builder, left, right, holds),
                    ("in", _) if left.kind() == "string" => {
                        let member = string_text(builder, left);
                        said |= by_member(builder, right, member, None, holds);
                    }
                    ("===" | "==", _) => said |= by_literal(builder, left, right, holds),
                    ("!==" | "!=", _) => said |= by_literal(builder, left, right, !holds),
                    _ => {}
                }
            }
            "call_expression" if holds => said |= by_guard(builder, node),
            _ => {}
        }
    }
    said
}

/// The variable that an expression is.
fn variable<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> Option<&'t str> {
    (node.kind() == "identifier")
        .then(|| builder.text(node))
        .filter(|name| builder.is_written(name))
}

/// `x instanceof C`
fn by_class<'t>(builder: &mut Builder<'t, '_>, left: Node<'t>, right: Node<'t>, holds: bool) -> bool {
    let Some(name) = variable(builder, left) else {
        return false;
    };
    let known = builder.read(name);
    let class = expression(builder, right);
    let narrowed = builder.slot();
    let passed = builder.narrow(known, class, !holds);
    builder.copy(narrowed, passed);
    if holds {
        builder.hint(narrowed, class);
    }
    builder.shadow(name, narrowed);
    true
}

/// `x.kind === "circle"`
fn by_literal<'t>(builder: &mut Builder<'t, '_>, left: Node<'t>, right: Node<'t>, holds: bool) -> bool {
    let (object, literal) = match (left.kind(), right.kind()) {
        (_, "string") => (left, right),
        ("string", _) => (right, left),
        ("member_expression", "member_expression") => return false,
        _ => return false,
    };
    let literal = string_text(builder, literal);
    by_kind(builder, object, literal, holds)
}

/// A member of a variable is a literal, or is not.
pub(super) fn by_kind<'t>(builder: &mut Builder<'t, '_>, object: Node<'t>, literal: &str, holds: bool) -> bool {
    if object.kind() != "member_expression" {
        return false;
    }
    let (Some(base), Some(property)) = (
        object.child_by_field_name("object"),
        object.child_by_field_name("property"),
    ) else {
        return false;
    };
    let member = builder.text(property);
    by_member(builder, base, member, Some(literal), holds)
}

fn by_member<'t>(
    builder: &mut Builder<'t, '_>,
    object: Node<'t>,
    member: &str,
    literal: Option<&str>,
    holds: bool,
) -> bool {
    let Some(name) = variable(builder, object) else {
        return false;
    };
    let known = builder.read(name);
    let narrowed = builder.narrow_member(known, member, literal, !holds);
    builder.shadow(name, narrowed);
    true
}

/// `isAdmin(user)`: a function may say what its argument is if it gives true.
pub(super) fn by_guard<'t>(builder: &mut Builder<'t, '_>, call: Node<'t>) -> bool {
    let (Some(function), Some(list)) = (
        call.child_by_field_name("function"),
        call.child_by_field_name("arguments"),
    ) else {
        return false;
    };
    let Some(name) = children(list).first().and_then(|first| variable(builder, *first)) else {
        return false;
    };
    if function.kind() != "identifier" {
        return false;
    }
    let callee: Slot = expression(builder, function);
    let said = builder.load_implicit(callee, GUARDED, 0);
    let narrowed = builder.slot();
    let known = builder.read(name);
    builder.copy(narrowed, known);
    builder.hint_value(narrowed, said);
    builder.shadow(name, narrowed);
    true
}

/// The member of a function that holds a value of the type that it says its argument has.
pub(super) const GUARDED: &str = "<is>";
