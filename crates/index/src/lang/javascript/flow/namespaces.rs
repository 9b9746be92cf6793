//! Namespaces and enumerations of TypeScript: objects, whose members are what they export.

use crate::extract::children_of_kind;
use crate::syntax::Node;

use super::expressions::spelled;
use super::modules::string_text;
use super::scopes::{hoist, hoist_functions, pattern_names};
use super::statements::statements;
use super::{Builder, children, line};

/// The namespace that a statement is, if it is one.
pub(super) fn namespace_of(statement: Node<'_>) -> Option<Node<'_>> {
    let inner = match statement.kind() {
        "export_statement" => statement.child_by_field_name("declaration")?,
        "ambient_declaration" | "expression_statement" => statement.named_child(0)?,
        _ => statement,
    };
    match inner.kind() {
        "internal_module" | "module" => Some(inner),
        "expression_statement" | "ambient_declaration" => namespace_of(inner),
        _ => None,
    }
}

/// A namespace is an object whose members are what it exports. It may add to a function, to a class, or to a namespace before it.
pub(super) fn namespace<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return;
    };
    let name = builder.text(name);
    let object = if builder.is_written(name) {
        builder.read(name)
    } else {
        let object = builder.allocate("Object", line(node));
        if builder.is_variable(name) {
            builder.write(name, object);
        }
        object
    };
    builder.begin_block();
    // What earlier parts export is known by its plain name.
    let mut earlier = Vec::new();
    let statement = node
        .parent()
        .filter(|parent| parent.kind() != "program")
        .unwrap_or(node);
    let before = std::iter::successors(statement.prev_named_sibling(), |sibling| sibling.prev_named_sibling());
    for sibling in before.take(MAX_DISTANCE) {
        if let Some(other) = namespace_of(sibling)
            && other
                .child_by_field_name("name")
                .is_some_and(|other| builder.text(other) == name)
            && let Some(body) = other.child_by_field_name("body")
        {
            earlier.extend(exported_names(builder, body));
        }
    }
    for (name, at) in earlier {
        builder.declare(name);
        let value = builder.load(object, name, at);
        builder.write(name, value);
    }
    hoist(builder, body, false);
    hoist_functions(builder, body);
    statements(builder, body);
    for (name, at) in exported_names(builder, body) {
        if builder.is_variable(name) {
            let value = builder.variable_cell(name);
            builder.store(object, name, value, at);
        }
    }
    builder.end_block();
}

/// Statements that are looked through for an earlier part of a namespace.
const MAX_DISTANCE: usize = 200;

/// What a namespace exports.
fn exported_names<'t>(builder: &Builder<'t, '_>, body: Node<'t>) -> Vec<(&'t str, u32)> {
    let mut found = Vec::new();
    for statement in children_of_kind(body, &["export_statement"]) {
        let Some(inner) = statement.child_by_field_name("declaration") else {
            continue;
        };
        let mut names = Vec::new();
        match inner.kind() {
            "lexical_declaration" | "variable_declaration" => {
                for declarator in children_of_kind(inner, &["variable_declarator"]) {
                    if let Some(name) = declarator.child_by_field_name("name") {
                        pattern_names(name, &mut |name| names.push(name));
                    }
                }
            }
            _ => names.extend(namespace_of(inner).unwrap_or(inner).child_by_field_name("name")),
        }
        found.extend(names.into_iter().map(|name| (builder.text(name), line(statement))));
    }
    found
}

/// An enumeration is an object whose members are literals.
pub(super) fn enumeration<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let object = builder.allocate("Object", line(node));
    let name = builder.text(name);
    builder.write(name, object);
    let Some(body) = node.child_by_field_name("body") else {
        return;
    };
    let mut number = Some(0u32);
    for member in children(body) {
        let (member_name, value) = match member.kind() {
            "enum_assignment" => (member.child_by_field_name("name"), member.child_by_field_name("value")),
            _ => (Some(member), None),
        };
        let Some(member_name) = member_name else { continue };
        let slot = match value {
            Some(value) => {
                number = builder.text(value).parse().ok();
                spelled(builder, value)
            }
            None => builder.slot(),
        };
        if let Some(known) = number {
            builder.spell(slot, &known.to_string());
            number = known.checked_add(1);
        }
        let member_name = string_text(builder, member_name);
        builder.store(object, member_name, slot, line(member));
    }
}
