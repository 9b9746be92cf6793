//! Traits, and implementations: of a type's own, and of what traits promise.

use lore_model::{BodyFlags, NONE};

use crate::flow::{Named, Slot};
use crate::syntax::Node;

use super::functions::{bounds_in, changes_self, function, takes_self, type_parameters};
use super::items::constant_value;
use super::paths::path;
use super::types::{alias_of, bounds_of, class_of_type, generic_name};
use super::{Builder, ROOT, children, line, plain};

/// What `Self` is in a trait or an implementation.
pub(super) const SELF: &str = "Self";

/// A trait: a class whose members those that promise it take.
pub(super) fn trait_item<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) -> Slot {
    builder.begin_block();
    type_parameters(builder, item);
    let bases: Vec<Slot> = item
        .child_by_field_name("bounds")
        .map_or_else(Vec::new, |bounds| bounds_of(bounds))
        .into_iter()
        .map(|bound| path(builder, bound))
        .collect();
    let definition = builder.definition(item).unwrap_or(NONE);
    let (class, _) = builder.class(definition, &bases, line(item));
    let own = builder.place(SELF, Named::TypeParameter);
    builder.copy(own, class);
    if let Some(body) = item.child_by_field_name("body") {
        members(builder, class, body, true, 0);
    }
    builder.end_block();
    class
}

/// The members that a body of a trait or of an implementation holds.
fn members<'t>(builder: &mut Builder<'t, '_>, class: Slot, body: Node<'t>, of_trait: bool, overloaded: u32) {
    for member in members_of(builder, body) {
        let Some(name) = member.child_by_field_name("name") else {
            continue;
        };
        let name = plain(builder.text(name));
        let value = match member.kind() {
            "function_item" | "function_signature_item" => {
                let flags = match (takes_self(member), of_trait) {
                    (true, false) => BodyFlags::RECEIVER_FIRST,
                    (true, true) => BodyFlags::RECEIVER_FIRST | BodyFlags::DISPATCHED,
                    (false, false) => BodyFlags::STATIC,
                    (false, true) => BodyFlags::CLASS_METHOD,
                };
                let changes = if changes_self(builder, member) {
                    BodyFlags::CHANGES
                } else {
                    0
                };
                let value = function(builder, member, flags | changes | overloaded | BodyFlags::MEMBER);
                if overloaded != 0 {
                    accepts(builder, member, value);
                }
                value
            }
            "type_item" => match member.child_by_field_name("type") {
                Some(meant) => alias_of(builder, meant),
                None => continue,
            },
            "const_item" => constant_value(builder, member),
            _ => continue,
        };
        builder.store_member(class, name, value, line(member));
    }
}

/// A function says of which type its first argument is.
fn accepts<'t>(builder: &mut Builder<'t, '_>, member: Node<'t>, function: Slot) {
    let parameters = member.child_by_field_name("parameters").map_or_else(Vec::new, children);
    let first = parameters.into_iter().find(|parameter| {
        parameter.kind() == "parameter"
            && parameter
                .child_by_field_name("pattern")
                .is_some_and(|pattern| pattern.kind() != "self")
    });
    if let Some(declared) = first.and_then(|first| first.child_by_field_name("type"))
        && generic_name(builder, declared).is_none()
    {
        let class = class_of_type(builder, declared);
        builder.store(function, "<accepts>", class, 0);
    }
}

/// The members of a body, and those that macros around them are given.
fn members_of<'t>(builder: &Builder<'t, '_>, body: Node<'t>) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    for child in children(body) {
        let invocation = match child.kind() {
            "macro_invocation" => Some(child),
            "expression_statement" => child.named_child(0).filter(|inner| inner.kind() == "macro_invocation"),
            _ => None,
        };
        match invocation {
            Some(invocation) => {
                let tokens = crate::extract::child_of_kind(invocation, &["token_tree"]);
                if let Some(root) = tokens.and_then(|tokens| builder.embedded(tokens.start_byte() + 1)) {
                    found.extend(children(root));
                }
            }
            None => found.push(child),
        }
    }
    found
}

/// An implementation: its members are those of its type, or of a class of their own that the type takes from.
pub(super) fn implementation<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) {
    let (Some(implementing), Some(body)) = (item.child_by_field_name("type"), item.child_by_field_name("body")) else {
        return;
    };
    builder.begin_block();
    type_parameters(builder, item);
    // What is implemented for any type is a member of all.
    let is_blanket = generic_name(builder, implementing).is_some();
    let class = if is_blanket {
        builder.global(ROOT)
    } else {
        class_of_type(builder, implementing)
    };
    // A value with a trait bound has the members of the trait's own type.
    let kind = if is_blanket || implementing.kind() == "dynamic_type" {
        Named::TypeParameter
    } else {
        Named::Item
    };
    let own = builder.place(SELF, kind);
    let own_type = if is_blanket {
        class_of_type(builder, implementing)
    } else {
        class
    };
    builder.copy(own, own_type);
    match item.child_by_field_name("trait") {
        Some(promised) => {
            let is_generic = promised.kind() == "generic_type";
            let promised = path(builder, promised);
            let (apart, row) = builder.class(NONE, &[promised], line(item));
            builder.implement(class, row, line(item));
            if let Some(name) = generic_name(builder, implementing).filter(|_| is_blanket) {
                for bound in bounds_in(builder, item, name) {
                    let bound = class_of_type(builder, bound);
                    builder.store_member(apart, "<bounds>", bound, 0);
                }
            }
            // A trait with types of its own may be implemented for each of them.
            let overloaded = if is_generic { BodyFlags::RIVAL } else { 0 };
            members(builder, apart, body, false, overloaded);
        }
        None => members(builder, class, body, false, 0),
    }
    builder.end_block();
}
