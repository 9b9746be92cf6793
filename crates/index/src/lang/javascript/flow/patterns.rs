//! What a value is given to: names, members, elements, patterns of them.

use crate::flow::Slot;
use crate::syntax::Node;

use super::classes::member_name;
use super::expressions::{expression, load_index, object_of, store_index};
use super::{Builder, MODULE_EXPORTS, children, line};

/// Elements of a list that a rest is followed to, place by place.
const MAX_PLACES: usize = 6;

/// Gives a value to a target: a name, a member, an element, or a pattern of them.
pub(super) fn assign<'t>(builder: &mut Builder<'t, '_>, target: Node<'t>, value: Slot) {
    match target.kind() {
        "identifier" | "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => {
            let name = builder.text(target);
            builder.write(name, value);
        }
        "member_expression" => {
            let (Some(object), Some(property)) = (
                target.child_by_field_name("object"),
                target.child_by_field_name("property"),
            ) else {
                return;
            };
            if builder.text(target) == MODULE_EXPORTS && !builder.is_variable("module") {
                builder.write(MODULE_EXPORTS, value);
                return;
            }
            let base = object_of(builder, object);
            builder.store(base, builder.text(property), value, line(target));
        }
        "subscript_expression" => {
            let (Some(object), Some(index)) = (
                target.child_by_field_name("object"),
                target.child_by_field_name("index"),
            ) else {
                return;
            };
            let base = object_of(builder, object);
            store_index(builder, base, index, value, line(target));
        }
        "object_pattern" | "object" => {
            if builder.enter() {
                let mut taken = Vec::new();
                for part in children(target) {
                    if part.kind() == "rest_pattern" {
                        let rest = builder.allocate("Object", line(part));
                        builder.merge(rest, value, &taken, line(part));
                        if let Some(inner) = children(part).first() {
                            assign(builder, *inner, rest);
                        }
                        continue;
                    }
                    taken.extend(taken_name(builder, part));
                    destructure(builder, part, value);
                }
            }
            builder.leave();
        }
        "array_pattern" | "array" => {
            if builder.enter() {
                for (at, part) in places(target) {
                    if part.kind() == "rest_pattern" || part.kind() == "spread_element" {
                        let rest = builder.allocate("Array", line(part));
                        let element = builder.iterate_unkeyed(value, line(part));
                        builder.store_key(rest, None, element, line(part));
                        for place in 0..MAX_PLACES {
                            let element = builder.load_key(value, Some(&(at + place).to_string()), line(part));
                            builder.store_key(rest, Some(&place.to_string()), element, line(part));
                        }
                        if let Some(inner) = children(part).first() {
                            assign(builder, *inner, rest);
                        }
                        continue;
                    }
                    let element = builder.slot();
                    let by_key = builder.load_key(value, Some(&at.to_string()), line(part));
                    builder.copy(element, by_key);
                    let by_iteration = builder.iterate_unkeyed(value, line(part));
                    builder.copy(element, by_iteration);
                    assign(builder, part, element);
                }
            }
            builder.leave();
        }
        "assignment_pattern" | "object_assignment_pattern" | "assignment_expression" => {
            let (Some(left), Some(right)) = (target.child_by_field_name("left"), target.child_by_field_name("right"))
            else {
                return;
            };
            let default = expression(builder, right);
            let either = builder.slot();
            builder.copy(either, value);
            builder.copy(either, default);
            assign(builder, left, either);
        }
        "rest_pattern" | "parenthesized_expression" | "non_null_expression" | "as_expression" => {
            if let Some(inner) = children(target).first() {
                assign(builder, *inner, value);
            }
        }
        _ => {}
    }
}

pub(super) fn destructure<'t>(builder: &mut Builder<'t, '_>, part: Node<'t>, value: Slot) {
    match part.kind() {
        "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => {
            let name = builder.text(part);
            let member = builder.load(value, name, line(part));
            builder.write(name, member);
        }
        "pair_pattern" | "pair" => {
            let (Some(key), Some(target)) = (part.child_by_field_name("key"), part.child_by_field_name("value")) else {
                return;
            };
            let computed = (key.kind() == "computed_property_name")
                .then(|| children(key).first().copied())
                .flatten();
            let member = match computed {
                Some(index) => load_index(builder, value, index),
                None => {
                    let name = member_name(builder, key);
                    builder.load(value, &name, line(part))
                }
            };
            assign(builder, target, member);
        }
        "object_assignment_pattern" | "assignment_pattern" => {
            let (Some(left), Some(right)) = (part.child_by_field_name("left"), part.child_by_field_name("right"))
            else {
                return;
            };
            let name = builder.text(left);
            let member = builder.load(value, name, line(part));
            let default = expression(builder, right);
            let either = builder.slot();
            builder.copy(either, member);
            builder.copy(either, default);
            builder.write(name, either);
        }
        _ => {}
    }
}

/// The parts of a list's pattern with their places, some of which may be left empty.
fn places<'t>(pattern: Node<'t>) -> Vec<(usize, Node<'t>)> {
    let mut at = 0;
    let mut found = Vec::new();
    for child in pattern.children() {
        match child.kind() {
            "," => at += 1,
            "[" | "]" | "comment" => {}
            _ => found.push((at, child)),
        }
    }
    found
}

/// The name under which a part of a pattern takes a member.
fn taken_name<'t>(builder: &Builder<'t, '_>, part: Node<'t>) -> Option<&'t str> {
    let name = match part.kind() {
        "pair_pattern" | "pair" => part.child_by_field_name("key")?,
        "object_assignment_pattern" | "assignment_pattern" => part.child_by_field_name("left")?,
        _ => part,
    };
    (name.kind() != "computed_property_name").then(|| builder.text(name))
}
