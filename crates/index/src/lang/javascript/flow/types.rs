//! Declared types, which hold where nothing better is known.
//!
//! A class and an interface are classes; any other type that has a name is an object of the prelude's class [`ALIAS`] whose element is a value
//! of the type.

use lore_model::{BodyFlags, NONE};

use crate::extract::child_of_kind;
use crate::flow::{Named, Slot};
use crate::syntax::Node;

use super::classes::member_name;
use super::modules::string_text;
use super::{Builder, children, line};

/// The class of the prelude for types that are not classes.
pub(super) const ALIAS: &str = "__Type";

/// A value with what it is declared to be.
pub(super) fn typed<'t>(builder: &mut Builder<'t, '_>, value: Slot, declared: Option<Node<'t>>) -> Slot {
    let Some(declared) = declared else { return value };
    let slot = builder.slot();
    builder.copy(slot, value);
    declare_type(builder, slot, declared);
    slot
}

/// Says what type a slot is declared to have.
pub(super) fn declare_type<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    if builder.enter() {
        lower_type(builder, slot, declared);
    }
    builder.leave();
}

fn lower_type<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    match declared.kind() {
        "type_annotation" | "parenthesized_type" | "readonly_type" | "union_type" | "intersection_type"
        | "constraint" | "default_type" | "optional_type" => {
            for part in children(declared) {
                declare_type(builder, slot, part);
            }
        }
        "type_identifier" | "identifier" => {
            let name = builder.text(declared);
            if builder.is_variable(name) {
                let class = builder.read(name);
                builder.hint(slot, class);
            }
        }
        "nested_type_identifier" => {
            if let Some(class) = type_value(builder, declared) {
                builder.hint(slot, class);
            }
        }
        "array_type" => {
            if let Some(element) = declared.named_child(0) {
                collection_of(builder, slot, "Array", &[element], declared);
            }
        }
        "tuple_type" => tuple_of(builder, slot, declared),
        "object_type" => {
            let held = builder.allocate("Object", line(declared));
            let this = builder.slot();
            signatures(builder, declared, &mut |builder, name, value, at| match name {
                "[]" => builder.store_key(held, None, value, at),
                name => builder.store(held, name, value, at),
            });
            builder.copy(this, held);
            builder.hint_value(slot, held);
        }
        "function_type" => {
            let value = declared_function(builder, declared, BodyFlags::HIDDEN | BodyFlags::ARROW);
            builder.hint_value(slot, value);
        }
        "literal_type" => {
            if let Some(text) = declared.named_child(0).filter(|literal| literal.kind() == "string") {
                let value = builder.slot();
                let text = string_text(builder, text);
                builder.spell(value, text);
                builder.hint_value(slot, value);
            }
        }
        "type_query" => {
            if let Some(name) = declared.named_child(0).filter(|name| name.kind() == "identifier") {
                let name = builder.text(name);
                if builder.is_variable(name) {
                    let value = builder.read(name);
                    builder.hint_value(slot, value);
                }
            }
        }
        "generic_type" => generic(builder, slot, declared),
        _ => {}
    }
}

fn generic<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    let name = declared
        .child_by_field_name("name")
        .map_or("", |name| builder.text(name));
    let arguments = child_of_kind(declared, &["type_arguments"]).map_or_else(Vec::new, children);
    if builder.is_variable(name) {
        let class = builder.read(name);
        builder.hint(slot, class);
        return;
    }
    let first = arguments.get(..1).unwrap_or(&[]);
    match name {
        "Array" | "ReadonlyArray" | "Iterable" | "AsyncIterable" | "ArrayLike" => {
            collection_of(builder, slot, "Array", first, declared);
        }
        "Set" | "ReadonlySet" | "WeakSet" => collection_of(builder, slot, "Set", first, declared),
        "Iterator"
        | "IterableIterator"
        | "Generator"
        | "AsyncIterator"
        | "AsyncIterableIterator"
        | "AsyncGenerator" => collection_of(builder, slot, "Generator", first, declared),
        "Promise" | "PromiseLike" => collection_of(builder, slot, "Promise", first, declared),
        "Map" | "ReadonlyMap" | "WeakMap" => {
            collection_of(builder, slot, "Map", arguments.get(1..2).unwrap_or(&[]), declared);
        }
        "Record" => collection_of(builder, slot, "Object", arguments.get(1..2).unwrap_or(&[]), declared),
        "Partial" | "Required" | "Readonly" | "NonNullable" | "Pick" | "Omit" | "Awaited" | "Extract" | "Exclude" => {
            if let Some(inner) = arguments.first() {
                declare_type(builder, slot, *inner);
            }
        }
        _ => {
            if let Some(class) = declared
                .child_by_field_name("name")
                .and_then(|name| type_value(builder, name))
            {
                builder.hint(slot, class);
            }
        }
    }
}

/// The meaning of a type name or a path of names.
pub(super) fn type_value<'t>(builder: &mut Builder<'t, '_>, name: Node<'t>) -> Option<Slot> {
    let name = match name.kind() {
        "generic_type" => name.child_by_field_name("name")?,
        _ => name,
    };
    if !matches!(
        name.kind(),
        "type_identifier" | "identifier" | "nested_type_identifier" | "nested_identifier" | "member_expression"
    ) {
        return None;
    }
    let mut parts = builder.text(name).split('.').map(str::trim);
    let first = parts.next()?;
    if !builder.is_variable(first) {
        return None;
    }
    let mut value = builder.read(first);
    for part in parts {
        value = builder.load(value, part, line(name));
    }
    Some(value)
}

fn collection_of<'t>(builder: &mut Builder<'t, '_>, slot: Slot, class: &str, types: &[Node<'t>], declared: Node<'t>) {
    let held = builder.allocate(class, line(declared));
    let element = builder.slot();
    for inner in types {
        declare_type(builder, element, *inner);
    }
    builder.store_key(held, None, element, line(declared));
    builder.hint_value(slot, held);
    // A collection that is there already, but empty, holds such elements too.
    builder.hint_elements(slot, element);
}

fn tuple_of<'t>(builder: &mut Builder<'t, '_>, slot: Slot, declared: Node<'t>) {
    let held = builder.allocate("Array", line(declared));
    for (at, part) in children(declared).into_iter().enumerate() {
        let element = builder.slot();
        if part.kind() == "rest_type" {
            for inner in children(part) {
                declare_type(builder, element, inner);
            }
            let element = builder.iterate(element, line(part));
            builder.store_key(held, None, element, line(part));
            continue;
        }
        // A part may have a name: `[request: Request, id: string]`.
        let inner = part.child_by_field_name("type").unwrap_or(part);
        declare_type(builder, element, inner);
        builder.store_key(held, Some(&at.to_string()), element, line(part));
    }
    builder.hint_value(slot, held);
}

/// A function of which only the type is known.
pub(super) fn declared_function<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, flags: u32) -> Slot {
    let definition = builder.definition(node).unwrap_or(NONE);
    let flags = match definition {
        NONE => flags | BodyFlags::HIDDEN,
        _ => flags,
    };
    builder.begin(definition, flags | BodyFlags::DECLARED);
    if flags & BodyFlags::ARROW == 0 {
        builder.receiver();
    }
    type_parameters(builder, node);
    let declared = node
        .child_by_field_name("return_type")
        .or_else(|| node.child_by_field_name("type"));
    if let Some(declared) = declared {
        declare_type(builder, 0, declared);
    }
    let body = builder.end();
    builder.function(body)
}

/// Type parameters are what they are bound by.
pub(super) fn type_parameters<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let Some(list) = child_of_kind(node, &["type_parameters"]) else {
        return;
    };
    for parameter in children(list) {
        let Some(name) = parameter.child_by_field_name("name") else {
            continue;
        };
        let bound = parameter.child_by_field_name("constraint");
        let name = builder.text(name);
        builder.declare(name);
        let value = match bound {
            Some(bound) => alias_of(builder, bound),
            None => builder.slot(),
        };
        builder.write(name, value);
        builder.mark(name, Named::TypeParameter);
    }
}

/// A type that has a name.
pub(super) fn alias_of<'t>(builder: &mut Builder<'t, '_>, declared: Node<'t>) -> Slot {
    let alias = builder.allocate(ALIAS, line(declared));
    let value = builder.slot();
    declare_type(builder, value, declared);
    builder.store_key(alias, None, value, line(declared));
    alias
}

/// Every member that a type's body declares: its name, a value of its type, its line. What is under any key has the name `[]`, what the type itself is
/// called with the name `<call>`.
pub(super) fn signatures<'t, 'f>(
    builder: &mut Builder<'t, 'f>,
    body: Node<'t>,
    store: &mut dyn FnMut(&mut Builder<'t, 'f>, &str, Slot, u32),
) {
    for member in children(body) {
        let at = line(member);
        match member.kind() {
            "method_signature" | "abstract_method_signature" => {
                let Some(name) = member.child_by_field_name("name") else {
                    continue;
                };
                let value = declared_function(builder, member, BodyFlags::MEMBER);
                let name = member_name(builder, name);
                store(builder, &name, value, at);
            }
            "property_signature" => {
                let Some(name) = member.child_by_field_name("name") else {
                    continue;
                };
                let value = builder.slot();
                if let Some(declared) = member.child_by_field_name("type") {
                    declare_type(builder, value, declared);
                }
                let name = member_name(builder, name);
                store(builder, &name, value, at);
            }
            "index_signature" => {
                let value = builder.slot();
                if let Some(declared) = member.child_by_field_name("type") {
                    declare_type(builder, value, declared);
                }
                store(builder, "[]", value, at);
            }
            "call_signature" => {
                let value = declared_function(builder, member, BodyFlags::MEMBER | BodyFlags::HIDDEN);
                store(builder, "<call>", value, at);
            }
            _ => {}
        }
    }
}

/// An interface is a class of which nothing runs; those of one name in one block are one.
pub(super) fn interface<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let Some(name) = node.child_by_field_name("name").map(|name| builder.text(name)) else {
        return;
    };
    if builder.hidden_types.contains(name) || builder.is_written(name) {
        return;
    }
    let definition = builder.definition(node).unwrap_or(NONE);
    let parts = same_named(builder, node, name);
    builder.begin_block();
    type_parameters(builder, node);
    let mut bases = Vec::new();
    for clause in parts
        .iter()
        .filter_map(|part| child_of_kind(*part, &["extends_type_clause", "extends_clause"]))
    {
        for base in children(clause) {
            bases.extend(type_value(builder, base));
        }
    }
    let (slot, row) = builder.class(definition, &bases, line(node));
    builder.classes.push(row);
    builder.begin(definition, BodyFlags::CLASS);
    let class = builder.receiver();
    for body in parts.iter().filter_map(|part| part.child_by_field_name("body")) {
        signatures(builder, body, &mut |builder, name, value, at| {
            builder.store_member(class, name, value, at);
        });
    }
    let body = builder.end();
    builder.set_class_body(row, body);
    builder.classes.pop();
    builder.end_block();
    builder.write(name, slot);
}

/// The interfaces of a name beside one, itself first.
fn same_named<'t>(builder: &Builder<'t, '_>, node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let statement = match node.parent() {
        Some(parent) if matches!(parent.kind(), "export_statement" | "ambient_declaration") => parent,
        _ => node,
    };
    let mut parts = vec![node];
    let mut next = statement.next_named_sibling();
    while let Some(sibling) = next {
        let inner = match sibling.kind() {
            "export_statement" => sibling.child_by_field_name("declaration"),
            "ambient_declaration" => children(sibling).first().copied(),
            _ => Some(sibling),
        };
        if let Some(inner) = inner.filter(|inner| inner.kind() == "interface_declaration")
            && inner
                .child_by_field_name("name")
                .is_some_and(|other| builder.text(other) == name)
        {
            parts.push(inner);
        }
        next = if parts.len() + 1 < MAX_PARTS && builder.repeated_types.contains(name) {
            sibling.next_named_sibling()
        } else {
            None
        };
    }
    parts
}

/// Declarations of one interface that are joined.
const MAX_PARTS: usize = 64;

/// `type Name = …`
pub(super) fn type_alias<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
        return;
    };
    let name = builder.text(name);
    if builder.hidden_types.contains(name) {
        return;
    }
    builder.begin_block();
    type_parameters(builder, node);
    let alias = alias_of(builder, value);
    builder.end_block();
    builder.write(name, alias);
}
