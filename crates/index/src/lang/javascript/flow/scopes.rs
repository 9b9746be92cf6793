//! What a body declares before it runs: `var`, functions, classes, imports.

use crate::extract::children_of_kind;
use crate::syntax::Node;

use super::classes::function;
use super::modules::import_bindings;
use super::namespaces::namespace_of;
use super::types::declared_function;
use super::{Builder, children};

/// Declares what a body holds wherever it stands in it: `var` and, at its top, functions, classes, `let` and `const`.
pub(super) fn hoist<'t>(builder: &mut Builder<'t, '_>, body: Node<'t>, top: bool) {
    let mut writes: Vec<(usize, &'t str)> = Vec::new();
    if top {
        let mut waiting = vec![body];
        while let Some(node) = waiting.pop() {
            match node.kind() {
                "function_declaration"
                | "generator_function_declaration"
                | "function_expression"
                | "arrow_function"
                | "generator_function"
                | "method_definition"
                | "class_declaration"
                | "class"
                | "abstract_class_declaration" => {
                    continue;
                }
                "variable_declaration" => {
                    for declarator in children_of_kind(node, &["variable_declarator"]) {
                        if let Some(name) = declarator.child_by_field_name("name") {
                            pattern_names(name, &mut |name| writes.push((name.start_byte(), builder.text(name))));
                        }
                    }
                }
                "for_in_statement"
                    if node
                        .child_by_field_name("kind")
                        .is_some_and(|kind| kind.kind() == "var") =>
                {
                    if let Some(left) = node.child_by_field_name("left") {
                        pattern_names(left, &mut |name| writes.push((name.start_byte(), builder.text(name))));
                    }
                }
                _ => {}
            }
            waiting.extend(node.named_children());
        }
        writes.sort_unstable_by_key(|(byte, _)| *byte);
        for (_, name) in &writes {
            builder.declare(name);
        }
        note_writes(builder, body);
    }
    let mut types = std::collections::BTreeSet::new();
    for statement in children(body) {
        let statement = match statement.kind() {
            "export_statement" => match statement.child_by_field_name("declaration") {
                Some(declaration) => declaration,
                None => continue,
            },
            "ambient_declaration" => match children(statement).first() {
                Some(inner) => *inner,
                None => continue,
            },
            _ => statement,
        };
        let statement = namespace_of(statement).unwrap_or(statement);
        match statement.kind() {
            "interface_declaration" | "type_alias_declaration" => {
                if let Some(name) = statement.child_by_field_name("name") {
                    let name = builder.text(name);
                    if !types.insert(name) {
                        builder.repeated_types.insert(name);
                    }
                }
            }
            "import_alias" => {
                if let Some(name) = statement.named_child(0) {
                    let name = builder.text(name);
                    builder.declare(name);
                }
            }
            "lexical_declaration" => {
                for declarator in children_of_kind(statement, &["variable_declarator"]) {
                    if let Some(name) = declarator.child_by_field_name("name") {
                        let mut names = Vec::new();
                        pattern_names(name, &mut |name| names.push(name));
                        for name in names {
                            let name = builder.text(name);
                            builder.declare(name);
                        }
                    }
                }
            }
            "function_declaration"
            | "generator_function_declaration"
            | "class_declaration"
            | "abstract_class_declaration"
            | "enum_declaration"
            | "internal_module"
            | "module"
            | "function_signature" => {
                if let Some(name) = statement.child_by_field_name("name") {
                    let name = builder.text(name);
                    builder.declare(name);
                }
            }
            "import_statement" => {
                for (_, local) in import_bindings(builder, statement) {
                    builder.declare(local);
                }
            }
            _ => {}
        }
    }
    // A value and a type may share a name; the value is what is read by it.
    for name in types {
        if builder.declares(name) {
            builder.hidden_types.insert(name);
        } else {
            builder.hidden_types.remove(name);
            builder.declare(name);
        }
    }
}

/// Notes where the variables of a body are written, for its loops.
pub(super) fn note_writes<'t>(builder: &mut Builder<'t, '_>, body: Node<'t>) {
    let mut found: Vec<(usize, &'t str)> = Vec::new();
    let mut waiting = vec![body];
    while let Some(node) = waiting.pop() {
        let target = match node.kind() {
            "function_declaration"
            | "generator_function_declaration"
            | "function_expression"
            | "arrow_function"
            | "generator_function"
            | "method_definition"
            | "class_declaration"
            | "class"
            | "abstract_class_declaration" => {
                continue;
            }
            "variable_declarator" => node.child_by_field_name("name"),
            "assignment_expression" | "augmented_assignment_expression" | "for_in_statement" => {
                node.child_by_field_name("left")
            }
            "update_expression" => node.child_by_field_name("argument"),
            _ => None,
        };
        if let Some(target) = target {
            pattern_names(target, &mut |name| found.push((name.start_byte(), builder.text(name))));
        }
        waiting.extend(node.named_children());
    }
    found.sort_unstable_by_key(|(byte, _)| *byte);
    for (byte, name) in found {
        builder.note_write(byte, name);
    }
}

/// The identifiers that a pattern binds.
pub(super) fn pattern_names<'t>(pattern: Node<'t>, found: &mut dyn FnMut(Node<'t>)) {
    let mut waiting = vec![pattern];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => found(node),
            "object_pattern" | "array_pattern" | "rest_pattern" | "object" | "array" | "spread_element" => {
                waiting.extend(children(node));
            }
            "pair_pattern" | "pair" => waiting.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" | "assignment_expression" => {
                waiting.extend(node.child_by_field_name("left"));
            }
            _ => {}
        }
    }
}

/// Functions are there before anything in their block runs.
pub(super) fn hoist_functions<'t>(builder: &mut Builder<'t, '_>, body: Node<'t>) {
    let mut signatures = Vec::new();
    for statement in children(body) {
        let inner = match statement.kind() {
            "export_statement" => statement.child_by_field_name("declaration"),
            "ambient_declaration" => statement.named_child(0),
            _ => Some(statement),
        };
        if let Some(signature) = inner.filter(|inner| inner.kind() == "function_signature") {
            signatures.push(signature);
            continue;
        }
        let Some(inner) =
            inner.filter(|inner| matches!(inner.kind(), "function_declaration" | "generator_function_declaration"))
        else {
            continue;
        };
        let Some(name) = inner.child_by_field_name("name") else {
            continue;
        };
        let value = function(builder, inner, inner, 0);
        let name = builder.text(name);
        builder.write(name, value);
    }
    // What is only declared is defined elsewhere, unless one of these defines it.
    for signature in signatures {
        let Some(name) = signature.child_by_field_name("name").map(|name| builder.text(name)) else {
            continue;
        };
        if builder.declares(name) && !builder.is_written(name) {
            let value = declared_function(builder, signature, 0);
            builder.write(name, value);
        }
    }
}
