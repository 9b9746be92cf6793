//! Composite literals: structs, lists, maps.

use lore_model::FlowFlags;

use crate::flow::Slot;
use crate::syntax::Node;

use super::expressions::{expression, spelled, store_element};
use super::types::{
    ELEMENT_TYPE, collection, each_field, holder, plain_type, says_something, type_arguments, type_value,
};
use super::{Builder, MAP, SLICE, STRUCT, children, line};

/// Elements of a literal whose places are followed.
const MAX_PLACES: usize = 32;

/// The type of a literal: written, or what the class of the literal around says of its elements.
#[derive(Clone, Copy)]
enum Made<'t> {
    Written(Node<'t>),
    ElementOf(Slot),
    Unknown,
}

/// What is done with an element: its place, its key if it has one, and its value.
type Found<'a, 't, 'f> = dyn FnMut(&mut Builder<'t, 'f>, usize, Option<Node<'t>>, Slot) + 'a;

pub(super) fn composite<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let made = node.child_by_field_name("type").map_or(Made::Unknown, Made::Written);
    match node.child_by_field_name("body") {
        Some(body) => literal(builder, made, body),
        None => builder.slot(),
    }
}

fn literal<'t>(builder: &mut Builder<'t, '_>, made: Made<'t>, body: Node<'t>) -> Slot {
    let Made::Written(declared) = made else {
        let class = match made {
            Made::ElementOf(class) => builder.load_implicit(class, ELEMENT_TYPE, line(body)),
            _ => builder.slot(),
        };
        return instance(builder, class, None, body);
    };
    let declared = plain_type(declared);
    match declared.kind() {
        "slice_type" | "array_type" | "implicit_length_array_type" => list(builder, declared, body),
        "map_type" => map(builder, declared, body),
        "struct_type" => structure(builder, declared, body),
        _ => match type_value(builder, declared) {
            Some(class) => instance(builder, class, Some(declared), body),
            None => {
                each_value(builder, body, Made::Unknown, &mut |_, _, _, _| {});
                builder.slot()
            }
        },
    }
}

/// Every element of a literal: its place, its key if it has one, and its value.
fn each_value<'t, 'f>(builder: &mut Builder<'t, 'f>, body: Node<'t>, inner: Made<'t>, found: &mut Found<'_, 't, 'f>) {
    if !builder.enter() {
        builder.leave();
        return;
    }
    let mut at = 0;
    for part in children(body) {
        let (key, value) = match part.kind() {
            "keyed_element" => (part.child_by_field_name("key"), part.child_by_field_name("value")),
            _ => (None, Some(part)),
        };
        let key = key.and_then(|key| key.named_child(0));
        let Some(value) = value else { continue };
        let value = match value.kind() {
            "literal_element" => value.named_child(0).unwrap_or(value),
            _ => value,
        };
        let slot = match value.kind() {
            "literal_value" => literal(builder, inner, value),
            _ => spelled(builder, value),
        };
        if let Some(key) = key.filter(|key| key.kind() == "int_literal") {
            at = builder.text(key).parse().unwrap_or(at);
        }
        found(builder, at, key, slot);
        at += 1;
    }
    builder.leave();
}

/// Whether all that a literal holds are numbers and texts.
fn is_data(body: Node<'_>) -> bool {
    body.named_children().all(|part| {
        part.kind() == "comment"
            || part.kind() == "literal_element"
                && part.named_child(0).is_some_and(|value| {
                    matches!(
                        value.kind(),
                        "interpreted_string_literal"
                            | "raw_string_literal"
                            | "int_literal"
                            | "float_literal"
                            | "rune_literal"
                            | "true"
                            | "false"
                            | "nil"
                    )
                })
    })
}

/// An empty literal, of which only the type is known.
fn empty<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>, body: Node<'t>) -> Option<Slot> {
    match body.named_child_count() {
        0 => Some(collection(builder, declared)?.0),
        _ => None,
    }
}

/// A new collection that is filled.
fn filled<'t>(builder: &mut Builder<'t, '_>, class: &str, element: Option<Node<'t>>, at: u32) -> Slot {
    let named = element.map(plain_type);
    let named = named.filter(|part| matches!(part.kind(), "type_identifier" | "qualified_type"));
    match named.and_then(|part| type_value(builder, part)) {
        Some(of) => builder.collect_filled(class, of, at),
        None => holder(builder, class, element, at),
    }
}

fn list<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>, body: Node<'t>) -> Slot {
    if let Some(held) = empty(builder, declared, body) {
        return held;
    }
    let element = declared.child_by_field_name("element");
    let inner = element.map_or(Made::Unknown, Made::Written);
    let at = line(body);
    if !says_something(builder, declared) {
        if !is_data(body) {
            each_value(builder, body, inner, &mut |_, _, _, _| {});
        }
        return builder.slot();
    }
    let held = filled(builder, SLICE, element, at);
    each_value(builder, body, inner, &mut |builder, place, key, value| match key {
        Some(key) if key.kind() != "int_literal" => {
            let key = expression(builder, key);
            builder.store_key_of(held, key, value, at);
        }
        _ if place < MAX_PLACES => builder.store_key(held, Some(&place.to_string()), value, at),
        _ => builder.store_key(held, None, value, at),
    });
    held
}

fn map<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>, body: Node<'t>) -> Slot {
    if let Some(held) = empty(builder, declared, body) {
        return held;
    }
    let value = declared.child_by_field_name("value");
    let inner = value.map_or(Made::Unknown, Made::Written);
    if !says_something(builder, declared) {
        each_value(builder, body, inner, &mut |builder, _, key, _| {
            if let Some(key) = key {
                expression(builder, key);
            }
        });
        return builder.slot();
    }
    let held = filled(builder, MAP, value, line(body));
    let key_type = declared.child_by_field_name("key").map_or(Made::Unknown, Made::Written);
    each_value(builder, body, inner, &mut |builder, _, key, value| match key {
        Some(key) if key.kind() == "literal_value" => {
            let key = literal(builder, key_type, key);
            builder.store(held, "{key}", key, line(declared));
            builder.store_key(held, None, value, line(declared));
        }
        Some(key) => store_element(builder, held, key, value),
        None => builder.store_key(held, None, value, line(declared)),
    });
    held
}

/// A struct without a name.
fn structure<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>, body: Node<'t>) -> Slot {
    let text = builder.text(declared);
    let held = builder.allocate_some(STRUCT, text, line(body));
    let mut names = Vec::new();
    each_field(builder, declared, &mut |builder, name, declared, _| {
        names.push(name);
        // What is left out is as it is declared.
        if says_something(builder, declared) {
            let value = builder.slot();
            super::types::declare_type(builder, value, declared);
            builder.hint_member(held, name, value);
        }
    });
    each_value(builder, body, Made::Unknown, &mut |builder, place, key, value| {
        let name = match key {
            Some(key) => builder.text(key),
            None => names.get(place).copied().unwrap_or(""),
        };
        if !name.is_empty() {
            builder.store(held, name, value, line(body));
        }
    });
    held
}

/// A value of a type that has a name, whatever the type is made of.
fn instance<'t>(builder: &mut Builder<'t, '_>, class: Slot, declared: Option<Node<'t>>, body: Node<'t>) -> Slot {
    let at = line(body);
    let generic = declared.filter(|declared| declared.kind() == "generic_type");
    let flags = if generic.is_some() || holds_code(builder, body) {
        FlowFlags::OWN
    } else {
        0
    };
    let made = builder.make(class, at, flags);
    if let Some(generic) = generic {
        type_arguments(builder, made, generic);
    }
    each_value(
        builder,
        body,
        Made::ElementOf(class),
        &mut |builder, place, key, value| match key {
            Some(key) if key.kind() == "identifier" => {
                let name = builder.text(key);
                builder.store(made, name, value, at);
                if builder.names_constant(name) {
                    store_element(builder, made, key, value);
                }
            }
            Some(key) => store_element(builder, made, key, value),
            None => builder.store_position(made, place as u32, value, at),
        },
    );
    made
}

/// Whether a literal holds functions, so that it is told apart from others.
fn holds_code(builder: &Builder<'_, '_>, body: Node<'_>) -> bool {
    body.named_children().any(|part| {
        let value = match part.kind() {
            "keyed_element" => part.child_by_field_name("value"),
            _ => Some(part),
        };
        let value = value.and_then(|value| match value.kind() {
            "literal_element" => value.named_child(0),
            _ => Some(value),
        });
        value.is_some_and(|value| match value.kind() {
            "func_literal" => true,
            "identifier" => builder.names_function(builder.text(value)),
            _ => false,
        })
    })
}
