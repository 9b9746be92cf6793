//! Assignments: to names, members, elements, and to several at once.

use super::definitions::member_name;
use super::expressions::{children, expression, key_of};
use super::types::declare_type;
use super::{Builder, line};
use crate::flow::Slot;
use crate::syntax::Node;
use lore_model::BodyFlags;

pub(super) fn assignment<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let Some(left) = node.child_by_field_name("left") else {
        return builder.slot();
    };
    let declared = node.child_by_field_name("type");
    if let Some(value) = unpack_literal(builder, left, node.child_by_field_name("right")) {
        return value;
    }
    let value = match node.child_by_field_name("right") {
        Some(right) => expression(builder, right),
        None => {
            let Some(declared) = declared else {
                return builder.slot();
            };
            let slot = builder.slot();
            declare_type(builder, slot, declared);
            // A declaration without a value keeps what the variable holds.
            if left.kind() == "identifier" && builder.flags() & (BodyFlags::CLASS | BodyFlags::MODULE) == 0 {
                return slot;
            }
            assign(builder, left, slot);
            return slot;
        }
    };
    let value = match declared {
        Some(declared) => {
            let typed = builder.slot();
            builder.copy(typed, value);
            declare_type(builder, typed, declared);
            typed
        }
        None => value,
    };
    assign(builder, left, value);
    value
}

/// `a, *b, c = x, y, z`: the values are known one by one.
pub(super) fn unpack_literal<'t>(
    builder: &mut Builder<'t, '_>,
    left: Node<'t>,
    right: Option<Node<'t>>,
) -> Option<Slot> {
    // In `a, b = c, d = x, y`, the values are at the end of the chain.
    let mut right = right?;
    let mut further = Vec::new();
    while right.kind() == "assignment" {
        further.push(right.child_by_field_name("left")?);
        right = right.child_by_field_name("right")?;
    }
    if !matches!(right.kind(), "expression_list" | "tuple" | "list") {
        return None;
    }
    if !matches!(left.kind(), "pattern_list" | "tuple_pattern" | "list_pattern") {
        return None;
    }
    let (targets, values) = (children(left), children(right));
    if values.iter().any(|value| value.kind() == "list_splat") {
        return None;
    }
    let is_rest = |target: &Node<'_>| target.kind() == "list_splat_pattern";
    let rest = targets.iter().position(is_rest);
    let missing = values.len() as isize - targets.len() as isize;
    if (rest.is_none() && missing != 0) || missing < -1 || targets.iter().filter(|target| is_rest(target)).count() > 1 {
        return None;
    }
    let slots: Vec<Slot> = values.into_iter().map(|value| expression(builder, value)).collect();
    assign_each(builder, targets, &slots, missing);
    for left in further {
        let whole = builder.allocate("tuple", line(left));
        for (at, slot) in slots.iter().enumerate() {
            builder.store_key(whole, Some(&at.to_string()), *slot, line(left));
        }
        assign(builder, left, whole);
    }
    Some(builder.slot())
}

/// Gives values to targets one by one; a target with a star takes the `missing` further ones.
fn assign_each<'t>(builder: &mut Builder<'t, '_>, targets: Vec<Node<'t>>, slots: &[Slot], missing: isize) {
    let mut at = 0;
    for target in targets {
        if target.kind() != "list_splat_pattern" {
            assign(builder, target, slots[at]);
            at += 1;
            continue;
        }
        let list = builder.allocate("list", line(target));
        for place in 0..(missing + 1) as usize {
            builder.store_key(list, Some(&place.to_string()), slots[at + place], line(target));
        }
        at += (missing + 1) as usize;
        if let Some(name) = target.named_child(0) {
            assign(builder, name, list);
        }
    }
}

/// Gives a value to a target: a name, a member, an element, or several of them.
pub(super) fn assign<'t>(builder: &mut Builder<'t, '_>, target: Node<'t>, value: Slot) {
    match target.kind() {
        "identifier" => {
            let name = builder.text(target);
            builder.write(name, value);
        }
        "attribute" => {
            let (Some(object), Some(attribute)) = (
                target.child_by_field_name("object"),
                target.child_by_field_name("attribute"),
            ) else {
                return;
            };
            let base = expression(builder, object);
            let name = member_name(builder, attribute);
            builder.store(base, &name, value, line(target));
        }
        "subscript" => {
            let Some(object) = target.child_by_field_name("value") else {
                return;
            };
            let base = expression(builder, object);
            let subscript = target.child_by_field_name("subscript");
            if let Some(slice) = subscript.filter(|key| key.kind() == "slice") {
                // `xs[a:b] = ys` stores the elements of `ys`.
                expression(builder, slice);
                let element = builder.iterate(value, line(target));
                builder.store_key(base, None, element, line(target));
                return;
            }
            let key = subscript.and_then(|key| key_of(builder, key));
            builder.store_key(base, key.as_deref(), value, line(target));
        }
        "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "expression_list" => {
            if !builder.enter() {
                builder.leave();
                return;
            }
            let mut splat = false;
            for (at, part) in children(target).into_iter().enumerate() {
                if matches!(part.kind(), "list_splat_pattern" | "list_splat") {
                    splat = true;
                    let rest = builder.allocate("list", line(part));
                    let element = builder.iterate(value, line(part));
                    builder.store_key(rest, None, element, line(part));
                    if let Some(inner) = part.named_child(0) {
                        assign(builder, inner, rest);
                    }
                    continue;
                }
                let element = if splat {
                    builder.iterate(value, line(part))
                } else {
                    let element = builder.slot();
                    let by_key = builder.load_key(value, Some(&at.to_string()), line(part));
                    builder.copy(element, by_key);
                    let by_iteration = builder.iterate_unkeyed(value, line(part));
                    builder.copy(element, by_iteration);
                    element
                };
                assign(builder, part, element);
            }
            builder.leave();
        }
        "parenthesized_expression" | "as_pattern_target" => {
            if let Some(inner) = target.named_child(0) {
                assign(builder, inner, value);
            }
        }
        _ => {
            expression(builder, target);
        }
    }
}
