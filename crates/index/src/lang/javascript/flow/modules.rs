//! Imports and exports.

use crate::extract::{child_of_kind, children_of_kind, has_child};
use crate::syntax::Node;

use super::expressions::expression;
use super::statements::statement;
use super::{Builder, children, line};

pub(super) fn string_text<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> &'t str {
    builder.text(node).trim_matches(['"', '\'', '`'])
}

/// What an import binds: the member (empty for the module itself) and the local name.
pub(super) fn import_bindings<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> Vec<(&'t str, &'t str)> {
    let mut bindings = Vec::new();
    if let Some(clause) = child_of_kind(node, &["import_require_clause"]) {
        if let Some(name) = child_of_kind(clause, &["identifier"]) {
            bindings.push(("", builder.text(name)));
        }
        return bindings;
    }
    let Some(clause) = child_of_kind(node, &["import_clause"]) else {
        return bindings;
    };
    for part in children(clause) {
        match part.kind() {
            "identifier" => bindings.push(("default", builder.text(part))),
            "namespace_import" => {
                if let Some(name) = part.named_child(0) {
                    bindings.push(("", builder.text(name)));
                }
            }
            "named_imports" => {
                for specifier in children_of_kind(part, &["import_specifier"]) {
                    let Some(name) = specifier.child_by_field_name("name") else {
                        continue;
                    };
                    let local = specifier.child_by_field_name("alias").unwrap_or(name);
                    bindings.push((string_text(builder, name), builder.text(local)));
                }
            }
            _ => {}
        }
    }
    bindings
}

pub(super) fn import_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let source = node.child_by_field_name("source").or_else(|| {
        child_of_kind(node, &["import_require_clause"]).and_then(|clause| clause.child_by_field_name("source"))
    });
    let Some(source) = source else { return };
    let module = string_text(builder, source);
    for (member, local) in import_bindings(builder, node) {
        let member = (!member.is_empty()).then_some(member);
        let slot = builder.import(module, member, line(node));
        builder.write(local, slot);
    }
}

pub(super) fn export_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let source = node
        .child_by_field_name("source")
        .map(|source| string_text(builder, source));
    if let Some(declaration) = node.child_by_field_name("declaration") {
        statement(builder, declaration);
        if has_child(node, "default")
            && let Some(name) = declaration.child_by_field_name("name")
        {
            let name = builder.text(name);
            let cell = builder.variable_cell(name);
            builder.export("default", cell);
        }
        return;
    }
    if let Some(value) = node.child_by_field_name("value") {
        let slot = expression(builder, value);
        builder.export("default", slot);
        return;
    }
    if let Some(clause) = child_of_kind(node, &["export_clause"]) {
        for specifier in children_of_kind(clause, &["export_specifier"]) {
            let Some(name) = specifier.child_by_field_name("name") else {
                continue;
            };
            let seen = specifier.child_by_field_name("alias").unwrap_or(name);
            let seen = string_text(builder, seen);
            let name = string_text(builder, name);
            let slot = match source {
                Some(module) => builder.import(module, Some(name), line(node)),
                None if builder.is_variable(name) => builder.variable_cell(name),
                None => continue,
            };
            builder.export(seen, slot);
        }
        return;
    }
    if let Some(namespace) = child_of_kind(node, &["namespace_export"]) {
        if let (Some(module), Some(name)) = (source, namespace.named_child(0)) {
            let slot = builder.import(module, None, line(node));
            let name = string_text(builder, name);
            builder.export(name, slot);
        }
        return;
    }
    if let Some(module) = source {
        builder.import_all(module, line(node));
        return;
    }
    if has_child(node, "=") {
        // `export = value`
        for value in children(node) {
            let slot = expression(builder, value);
            builder.export("=", slot);
        }
    }
}
