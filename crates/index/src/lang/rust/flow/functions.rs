//! Functions and closures: type parameters, parameters, bodies, results.

use lore_model::{BodyFlags, NONE, ParameterKind};

use crate::extract::child_of_kind;
use crate::flow::{Named, Slot};
use crate::syntax::Node;

use super::control::block_value;
use super::expressions::expression;
use super::implementations::SELF;
use super::patterns::bind;
use super::types::{
    bounds_of, class_of_type, declare_type, error_of, expected_of, generic_name, is_counted, promise, typed,
};
use super::{Builder, children, plain};

/// The class of the errors that the function gives back.
pub(super) const ERROR: &str = "<error>";
/// The class that the function gives back.
pub(super) const RESULT: &str = "<result>";
/// The name under which a call passes the class that is expected of it.
pub(super) const EXPECTED: &str = "<expected>";
/// The parameter of functions of the prelude that takes it.
const EXPECTED_PARAMETER: &str = "__expected";
/// The class of the prelude for values of which nothing is known.
pub(super) const OUTSIDE: &str = "__Outside";
/// The names under which calls pass types.
pub(super) const TYPES: [&str; 4] = ["<0>", "<1>", "<2>", "<3>"];

/// Whether a function takes `self`.
pub(super) fn takes_self(function: Node<'_>) -> bool {
    let Some(parameters) = function.child_by_field_name("parameters") else {
        return false;
    };
    children(parameters).first().is_some_and(|first| {
        first.kind() == "self_parameter"
            || first
                .child_by_field_name("pattern")
                .is_some_and(|pattern| pattern.kind() == "self")
    })
}

/// Whether a function takes `&mut self`.
pub(super) fn changes_self(builder: &Builder<'_, '_>, function: Node<'_>) -> bool {
    function
        .child_by_field_name("parameters")
        .and_then(|list| children(list).first().copied())
        .is_some_and(|first| {
            first.kind() == "self_parameter" && {
                let text = builder.text(first);
                text.starts_with('&') && text.contains("mut ")
            }
        })
}

/// Declares the type parameters of an item; each is what it is bound by, where nothing else is known.
pub(super) fn type_parameters<'t>(builder: &mut Builder<'t, '_>, item: Node<'t>) {
    let Some(list) = item.child_by_field_name("type_parameters") else {
        return;
    };
    let mut names = Vec::new();
    for parameter in children(list) {
        let parameter = match parameter.kind() {
            "type_parameter" | "constrained_type_parameter" | "optional_type_parameter" | "const_parameter" => {
                parameter
            }
            _ => continue,
        };
        let name = parameter
            .child_by_field_name("name")
            .or_else(|| parameter.child_by_field_name("left"));
        let Some(name) = name.filter(|name| name.kind() == "type_identifier") else {
            continue;
        };
        let name = plain(builder.text(name));
        builder.place(name, Named::TypeParameter);
        names.push((name, parameter.child_by_field_name("bounds")));
    }
    if let Some(clause) = child_of_kind(item, &["where_clause"]) {
        for predicate in children(clause) {
            if let Some(left) = predicate.child_by_field_name("left")
                && left.kind() == "type_identifier"
            {
                let name = plain(builder.text(left));
                if names.iter().any(|(known, _)| *known == name) {
                    names.push((name, predicate.child_by_field_name("bounds")));
                }
            }
        }
    }
    for (name, bounds) in names {
        let Some(bounds) = bounds else { continue };
        let place = builder.place(name, Named::TypeParameter);
        for bound in bounds_of(bounds) {
            if matches!(bound.kind(), "function_type") {
                continue;
            }
            let class = class_of_type(builder, bound);
            builder.hint_value_last(place, class);
        }
    }
}

/// A function that is not a member.
pub(super) fn free_function<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    function(builder, node, 0)
}

pub(super) fn function<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, flags: u32) -> Slot {
    let definition = builder.definition(node).unwrap_or(NONE);
    let name = node.child_by_field_name("name").map_or("", |name| builder.text(name));
    let mut flags = flags;
    let text_before = node.child_by_field_name("name").map_or("", |name| {
        builder.source.get(node.start_byte()..name.start_byte()).unwrap_or("")
    });
    if text_before.split_whitespace().any(|word| word == "async") {
        flags |= BodyFlags::ASYNC;
    }
    if is_prelude(builder) && (name.starts_with("__") || name == "deref" || is_of_outside(builder, node)) {
        flags |= BodyFlags::HIDDEN;
    }
    let body = node.child_by_field_name("body");
    if body.is_none() {
        flags |= BodyFlags::DECLARED;
    }
    if definition == NONE {
        flags |= BodyFlags::HIDDEN;
    }
    let definition = match definition {
        NONE => builder.definition_around(),
        definition => definition,
    };
    builder.begin(definition, flags);
    if flags & BodyFlags::CLASS_METHOD != 0 {
        // What a trait's function is called through is its `Self`.
        let receiver = builder.receiver();
        let promised = builder.item(SELF).map(|(slot, _)| slot);
        let own = builder.place(SELF, Named::TypeParameter);
        builder.copy(own, receiver);
        if let Some(promised) = promised {
            builder.hint_value_last(own, promised);
        }
    }
    type_parameters(builder, node);
    let own_types = type_places(builder, node);
    if let Some(list) = node.child_by_field_name("parameters") {
        parameters(builder, list, flags, &own_types);
    }
    let declared = node.child_by_field_name("return_type");
    if let Some(declared) = declared {
        declare_result(builder, declared);
    }
    if let Some(body) = body {
        let expected = declared.and_then(|declared| expected_of(builder, declared));
        let value = block_value(builder, body, expected);
        builder.give_back(value);
    }
    let body = builder.end();
    builder.function(body)
}

/// Whether a function of the prelude belongs to what is not known.
fn is_of_outside(builder: &Builder<'_, '_>, node: Node<'_>) -> bool {
    let around = node.parent().and_then(|body| body.parent());
    around
        .and_then(|around| around.child_by_field_name("type"))
        .is_some_and(|owner| builder.text(owner) == OUTSIDE)
}

/// Whether the file is one of the prelude.
pub(super) fn is_prelude(builder: &Builder<'_, '_>) -> bool {
    builder.source_starts_with("// prelude")
}

/// Type parameters of a function may be passed like arguments.
fn type_places<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Vec<(&'t str, Slot)> {
    let Some(list) = node.child_by_field_name("type_parameters") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for parameter in children(list) {
        let name = parameter.child_by_field_name("name");
        let Some(name) = name.filter(|name| name.kind() == "type_identifier") else {
            continue;
        };
        let name = plain(builder.text(name));
        let place = builder.place(name, Named::TypeParameter);
        if let Some(passed_as) = TYPES.get(found.len()) {
            let passed = builder.parameter(passed_as, ParameterKind::NAMED);
            builder.copy(place, passed);
        }
        found.push((name, place));
    }
    found
}

/// What the result is declared to be, for itself and for what is given back on the way.
fn declare_result<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) {
    declare_type(builder, 0, declared);
    if let Some(error) = error_of(builder, declared) {
        let place = builder.place(ERROR, Named::Item);
        builder.copy(place, error);
    }
    if let Some(expected) = expected_of(builder, declared) {
        let place = builder.place(RESULT, Named::Item);
        builder.copy(place, expected);
    }
}

fn parameters<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>, flags: u32, own_types: &[(&'t str, Slot)]) {
    builder.set_assigning(false);
    for parameter in children(list) {
        match parameter.kind() {
            "self_parameter" => receiver(builder, flags),
            "parameter" => {
                let Some(pattern) = parameter.child_by_field_name("pattern") else {
                    continue;
                };
                if pattern.kind() == "self" {
                    receiver(builder, flags);
                    continue;
                }
                let text = plain(builder.text(pattern));
                let slot = match text {
                    EXPECTED_PARAMETER => builder.parameter(EXPECTED, ParameterKind::NAMED),
                    _ if pattern.kind() == "identifier" => builder.parameter(text, ParameterKind::PLAIN),
                    _ => builder.parameter("_", ParameterKind::PLAIN),
                };
                let mut held = slot;
                if let Some(declared) = parameter.child_by_field_name("type") {
                    if declared.kind() == "type_identifier" || declared.kind() == "reference_type" {
                        bind_type_parameter(builder, slot, declared, own_types);
                    }
                    held = declare_parameter(builder, slot, declared);
                }
                bind(builder, pattern, held);
                if parameter
                    .child_by_field_name("type")
                    .is_some_and(|declared| is_counted(builder, declared))
                {
                    builder.mark(text, Named::Counted);
                }
            }
            // A type alone: `fn f(u8);` of a trait, `_`.
            _ => {
                builder.parameter("_", ParameterKind::PLAIN);
            }
        }
    }
    builder.set_assigning(true);
}

/// A parameter of a type that the caller chooses decides that type.
fn bind_type_parameter<'t>(
    builder: &mut Builder<'t, '_>,
    slot: Slot,
    declared: Node<'t>,
    own_types: &[(&'t str, Slot)],
) {
    if let Some(name) = generic_name(builder, declared)
        && let Some((_, place)) = own_types.iter().find(|(known, _)| *known == name)
    {
        let class = builder.class_of(slot);
        builder.copy(*place, class);
    }
}

/// A parameter has the type that it is declared to have; a bound of functions says what calling it gives.
fn declare_parameter<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) -> Slot {
    let slot = typed(builder, slot, declared);
    if let Some(name) = generic_name(builder, declared)
        && let Some(bounds) = bounds_around(builder, declared, name)
    {
        for bound in bounds {
            let head = bound.child_by_field_name("type").unwrap_or(bound);
            let is_known = bound.kind() == "function_type"
                || matches!(
                    builder.text(head),
                    "Iterator" | "IntoIterator" | "Future" | "AsRef" | "Borrow" | "Deref"
                );
            if is_known {
                promise(builder, slot, bound);
            }
        }
    }
    slot
}

/// The bounds that the function around declares for a type parameter.
pub(super) fn bounds_around<'t>(builder: &Builder<'t, '_>, node: Node<'t>, name: &str) -> Option<Vec<Node<'t>>> {
    let mut around = node.parent()?;
    while !matches!(around.kind(), "function_item" | "function_signature_item") {
        around = around.parent()?;
    }
    Some(bounds_in(builder, around, name))
}

/// The bounds that an item declares for a type parameter.
pub(super) fn bounds_in<'t>(builder: &Builder<'t, '_>, item: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let list = item.child_by_field_name("type_parameters");
    for parameter in list.map_or_else(Vec::new, children) {
        let named = parameter.child_by_field_name("name");
        if named.is_some_and(|named| builder.text(named) == name)
            && let Some(bounds) = parameter.child_by_field_name("bounds")
        {
            found.extend(bounds_of(bounds));
        }
    }
    for predicate in child_of_kind(item, &["where_clause"]).map_or_else(Vec::new, children) {
        let left = predicate.child_by_field_name("left");
        if left.is_some_and(|left| builder.text(left) == name)
            && let Some(bounds) = predicate.child_by_field_name("bounds")
        {
            found.extend(bounds_of(bounds));
        }
    }
    found
}

/// `self`, which is an instance of the type around.
fn receiver(builder: &mut Builder<'_, '_>, flags: u32) {
    let slot = builder.parameter("self", ParameterKind::PLAIN);
    if let Some((own, named)) = builder.item(SELF) {
        match named {
            Named::TypeParameter => builder.hint_last(slot, own),
            _ => builder.instance_of(slot, own),
        }
        if flags & BodyFlags::DISPATCHED != 0 {
            // In a trait, the result has the type of `self`.
            let class = builder.class_of(slot);
            let place = builder.place(SELF, Named::TypeParameter);
            builder.copy(place, class);
            builder.hint_value_last(place, own);
        }
    }
    builder.declare_anew("self");
    builder.write("self", slot);
}

pub(super) fn closure<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (definition, flags) = match builder.definition(node) {
        Some(definition) => (definition, 0),
        // A closure in what a macro is given has no name of its own.
        None => (builder.definition_around(), BodyFlags::HIDDEN),
    };
    let is_async = builder.text(node).get(..5).is_some_and(|first| first == "async");
    builder.begin(definition, flags | if is_async { BodyFlags::ASYNC } else { 0 });
    if let Some(list) = node.child_by_field_name("parameters") {
        builder.set_assigning(false);
        for parameter in children(list) {
            let (pattern, declared) = match parameter.kind() {
                "parameter" => (
                    parameter.child_by_field_name("pattern"),
                    parameter.child_by_field_name("type"),
                ),
                _ => (Some(parameter), None),
            };
            let Some(pattern) = pattern else { continue };
            let slot = builder.parameter("_", ParameterKind::PLAIN);
            let held = match declared {
                Some(declared) => typed(builder, slot, declared),
                None => slot,
            };
            bind(builder, pattern, held);
        }
        builder.set_assigning(true);
    }
    // What is given back inside is not what the function around gives back.
    builder.place(ERROR, Named::Item);
    builder.place(RESULT, Named::Item);
    if let Some(declared) = node.child_by_field_name("return_type") {
        declare_result(builder, declared);
    }
    if let Some(body) = node.child_by_field_name("body") {
        let value = expression(builder, body);
        builder.give_back(value);
    }
    let body = builder.end();
    builder.function(body)
}
