//! Types: the classes that they are, and what slots are declared to be.

use lore_model::{BodyFlags, ClassKind, FlowFlags, NONE};

use crate::flow::Slot;
use crate::syntax::Node;

use super::functions::{TYPE_PARAMETERS, declared_function, type_parameters};
use super::{Builder, CHANNEL, MAP, SLICE, STRUCT, children, declare_here, line, named};

/// The member of a class of collections that holds the class of its elements.
pub(super) const ELEMENT_TYPE: &str = "[type]";

/// Types about whose values there is nothing to say.
pub(super) fn is_basic(name: &str) -> bool {
    matches!(
        name,
        "any"
            | "bool"
            | "byte"
            | "comparable"
            | "complex128"
            | "complex64"
            | "float32"
            | "float64"
            | "int"
            | "int16"
            | "int32"
            | "int64"
            | "int8"
            | "nil"
            | "rune"
            | "string"
            | "uint"
            | "uint16"
            | "uint32"
            | "uint64"
            | "uint8"
            | "uintptr"
    )
}

/// The type that a node is about: without pointers, parentheses and the like.
pub(super) fn plain_type(mut node: Node<'_>) -> Node<'_> {
    while matches!(
        node.kind(),
        "pointer_type" | "parenthesized_type" | "type_elem" | "negated_type" | "type_constraint"
    ) {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// Whether there is anything to say about the values of a type.
pub(super) fn says_something(builder: &Builder<'_, '_>, declared: Node<'_>) -> bool {
    let node = plain_type(declared);
    match node.kind() {
        "type_identifier" => {
            let name = builder.text(node);
            !is_basic(name) || builder.is_variable(name)
        }
        "qualified_type" | "generic_type" | "struct_type" | "function_type" => true,
        "slice_type" | "array_type" | "implicit_length_array_type" => holds_something(builder, node, "element"),
        "channel_type" => holds_something(builder, node, "value"),
        "map_type" => holds_something(builder, node, "value") || holds_something(builder, node, "key"),
        "interface_type" => node.named_child_count() > 0,
        _ => false,
    }
}

/// Whether the elements of a collection are worth following.
fn holds_something(builder: &Builder<'_, '_>, declared: Node<'_>, part: &str) -> bool {
    let Some(part) = declared.child_by_field_name(part).map(plain_type) else {
        return false;
    };
    match part.kind() {
        "type_identifier" if builder.text(part) == "any" => true,
        "interface_type" => true,
        _ => says_something(builder, part),
    }
}

/// The class that the name of a type stands for.
pub(super) fn type_value<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Option<Slot> {
    let node = plain_type(declared);
    match node.kind() {
        "type_identifier" | "identifier" => {
            let name = builder.text(node);
            (!is_basic(name) || builder.is_variable(name)).then(|| named(builder, name))
        }
        "generic_type" => type_value(builder, node.child_by_field_name("type")?),
        "qualified_type" => {
            let path = builder.text(node);
            let package = builder.text(node.child_by_field_name("package")?);
            let name = builder.text(node.child_by_field_name("name")?);
            // What looks like a type of a package may be a field of a variable.
            if builder.is_local(package) {
                let package = builder.read(package);
                return Some(builder.load(package, name, line(node)));
            }
            if !builder.is_variable(path) {
                builder.in_module(|builder| {
                    builder.declare(path);
                    let package = named(builder, package);
                    let value = builder.load(package, name, line(node));
                    builder.write(path, value);
                });
            }
            Some(builder.read(path))
        }
        "interface_type" if node.named_child_count() > 0 => Some(interface_without_name(builder, node)),
        _ => None,
    }
}

/// Says what type a slot is declared to have.
pub(super) fn declare_type<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    if builder.enter() {
        lower_type(builder, slot, declared);
    }
    builder.leave();
}

fn lower_type<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    let node = plain_type(declared);
    match node.kind() {
        "type_identifier" | "qualified_type" | "interface_type" => {
            if let Some(class) = type_value(builder, node) {
                builder.hint_named(slot, class, 0);
            }
        }
        "generic_type" => {
            if let Some(class) = type_value(builder, node) {
                let flags = FlowFlags::OWN | FlowFlags::IMPLICIT | FlowFlags::GENERIC;
                let made = builder.make(class, line(node), flags);
                type_arguments(builder, made, node);
                builder.hint_value(slot, made);
                builder.hint_named(slot, class, FlowFlags::GENERIC);
            }
        }
        "slice_type" | "array_type" | "implicit_length_array_type" | "map_type" | "channel_type" => {
            if let Some((held, element)) = collection(builder, node) {
                builder.hint_value(slot, held);
                if let Some(element) = element {
                    // A collection that is there already, but empty, holds such elements too.
                    builder.hint_elements(slot, element);
                }
            }
        }
        "function_type" => {
            let speaks = node
                .child_by_field_name("result")
                .is_some_and(|result| match result.kind() {
                    "parameter_list" => children(result).iter().any(|part| {
                        part.child_by_field_name("type")
                            .is_some_and(|part| says_something(builder, part))
                    }),
                    _ => says_something(builder, result),
                });
            if speaks {
                let value = declared_function(builder, node, BodyFlags::HIDDEN);
                builder.hint_value(slot, value);
            }
        }
        "struct_type" => {
            let text = builder.text(node);
            let held = builder.allocate_some(STRUCT, text, line(node));
            each_field(builder, node, &mut |builder, name, declared, _| {
                let value = builder.slot();
                declare_type(builder, value, declared);
                builder.store(held, name, value, line(declared));
            });
            builder.hint_value(slot, held);
        }
        _ => {}
    }
}

/// Notes the arguments of a type on a value of it.
pub(super) fn type_arguments<'t>(builder: &mut Builder<'t, '_>, made: Slot, generic: Node<'t>) {
    let Some(list) = generic.child_by_field_name("type_arguments") else {
        return;
    };
    for (name, argument) in TYPE_PARAMETERS.iter().zip(children(list)) {
        if let Some(class) = type_value(builder, argument) {
            builder.store(made, name, class, line(argument));
        }
    }
}

/// An empty collection of a type, and what its elements are declared to be.
pub(super) fn collection<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Option<(Slot, Option<Slot>)> {
    let (class, element) = match declared.kind() {
        "slice_type" | "array_type" | "implicit_length_array_type" => (SLICE, "element"),
        "map_type" => (MAP, "value"),
        "channel_type" => (CHANNEL, "value"),
        _ => return None,
    };
    if !says_something(builder, declared) {
        return None;
    }
    let at = line(declared);
    let named = declared.child_by_field_name(element).map(plain_type);
    let named = named.filter(|part| matches!(part.kind(), "type_identifier" | "qualified_type"));
    if let Some(of) = named.and_then(|part| type_value(builder, part)) {
        let held = builder.collect(class, of, at);
        return Some((held, None));
    }
    let held = holder(builder, class, declared.child_by_field_name(element), at);
    let element = declared_part(builder, declared, element);
    if let Some(element) = element {
        builder.hint_elements(held, element);
    }
    if class == MAP
        && let Some(key) = declared_part(builder, declared, "key")
    {
        builder.hint_member(held, "{key}", key);
    }
    Some((held, element))
}

/// A new collection of elements of a type. But for functions, there are too many collections to tell them all apart.
pub(super) fn holder<'t>(builder: &mut Builder<'t, '_>, class: &str, element: Option<Node<'t>>, at: u32) -> Slot {
    match element.map(plain_type) {
        Some(element) if element.kind() != "function_type" => {
            let text = builder.text(element);
            builder.allocate_some(class, text, at)
        }
        _ => builder.allocate(class, at),
    }
}

/// A value of a type inside of another, if there is anything to say about it.
fn declared_part<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>, part: &str) -> Option<Slot> {
    let part = declared.child_by_field_name(part)?;
    if !says_something(builder, part) {
        return None;
    }
    let value = builder.slot();
    declare_type(builder, value, part);
    Some(value)
}

/// The zero value of a type: empty collections are there before anything is put into them.
pub(super) fn zero<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Slot {
    if let Some((held, _)) = collection(builder, declared) {
        return held;
    }
    let slot = builder.slot();
    declare_type(builder, slot, declared);
    slot
}

/// The fields of a struct: the name, the type, and whether it is embedded.
pub(super) fn each_field<'t, 'f>(
    builder: &mut Builder<'t, 'f>,
    node: Node<'t>,
    found: &mut dyn FnMut(&mut Builder<'t, 'f>, &'t str, Node<'t>, bool),
) {
    let Some(list) = node.named_child(0) else { return };
    for field in children(list) {
        let Some(declared) = field.child_by_field_name("type") else {
            continue;
        };
        let mut is_named = false;
        for name in field.children_by_field_name("name") {
            if name.is_named() {
                is_named = true;
                let name = builder.text(name);
                found(builder, name, declared, false);
            }
        }
        if !is_named && let Some(name) = super::super::type_name(declared) {
            let name = builder.text(name);
            found(builder, name, declared, true);
        }
    }
}

/// `type Name …`
pub(super) fn type_spec<'t>(builder: &mut Builder<'t, '_>, spec: Node<'t>) {
    let (Some(name), Some(declared)) = (spec.child_by_field_name("name"), spec.child_by_field_name("type")) else {
        return;
    };
    let name = builder.text(name);
    if name == "_" {
        return;
    }
    let definition = builder.definition(spec).unwrap_or(NONE);
    declare_here(builder, name);
    let inner = plain_type(declared);
    if spec.kind() == "type_alias"
        && let Some(class) = type_value(builder, inner)
    {
        builder.write(name, class);
        return;
    }
    builder.begin_block();
    type_parameters(builder, spec, &mut |builder, _| builder.slot());
    let class = match inner.kind() {
        "struct_type" => struct_type(builder, inner, definition, spec),
        "interface_type" => interface_type(builder, inner, definition, 0),
        _ => other_type(builder, declared, definition, spec),
    };
    builder.end_block();
    if builder.result_names.is_empty() {
        builder.hidden_types.clear();
    }
    builder.write(name, class);
}

fn struct_type<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, definition: u32, spec: Node<'t>) -> Slot {
    let (class, row) = builder.class(definition, &[], line(spec));
    let nothing = builder.slot();
    each_field(builder, node, &mut |builder, name, declared, embedded| {
        let mut value = nothing;
        if says_something(builder, declared) {
            value = builder.slot();
            declare_type(builder, value, declared);
        }
        builder.declare_field(class, name, value, line(declared));
        if embedded && let Some(inner) = type_value(builder, declared) {
            builder.embed(row, name, inner, line(declared));
        }
    });
    class
}

fn interface_without_name<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    interface_type(builder, node, NONE, BodyFlags::HIDDEN)
}

fn interface_type<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, definition: u32, flags: u32) -> Slot {
    let parts = children(node);
    let mut bases = Vec::new();
    for part in parts.iter().filter(|part| part.kind() == "type_elem") {
        // A union or a type with what is like it says only what values are made of.
        if part.named_child_count() == 1
            && let Some(base) = part
                .named_child(0)
                .filter(|base| matches!(base.kind(), "type_identifier" | "qualified_type" | "generic_type"))
        {
            bases.extend(type_value(builder, base));
        }
    }
    let (class, row) = builder.class(definition, &bases, line(node));
    builder.set_class_kind(row, ClassKind::INTERFACE);
    for method in parts.iter().filter(|part| part.kind() == "method_elem") {
        if let Some(name) = method.child_by_field_name("name") {
            let value = declared_function(builder, *method, BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST | flags);
            let name = builder.text(name);
            builder.store_member(class, name, value, line(*method));
        }
    }
    class
}

/// A type that is made of another.
fn other_type<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>, definition: u32, spec: Node<'t>) -> Slot {
    let inner = plain_type(declared);
    let (kind, element) = match inner.kind() {
        "function_type" => (ClassKind::FUNCTION, None),
        "slice_type" | "array_type" => (ClassKind::LIST, inner.child_by_field_name("element")),
        "map_type" => (ClassKind::MAP, inner.child_by_field_name("value")),
        "channel_type" => (ClassKind::STREAM, inner.child_by_field_name("value")),
        _ => (ClassKind::SAME, None),
    };
    let same = match kind {
        ClassKind::SAME => type_value(builder, inner),
        _ => None,
    };
    let bases: Vec<Slot> = same.into_iter().collect();
    let (class, row) = builder.class(definition, &bases, line(spec));
    builder.set_class_kind(
        row,
        match same {
            None if kind == ClassKind::SAME => ClassKind::PLAIN,
            _ => kind,
        },
    );
    if let Some(element) = element.filter(|element| says_something(builder, *element)) {
        let value = builder.slot();
        declare_type(builder, value, element);
        builder.declare_field(class, "[]", value, line(element));
        if let Some(inner) = type_value(builder, element) {
            builder.store_member(class, ELEMENT_TYPE, inner, line(element));
        }
    }
    class
}
