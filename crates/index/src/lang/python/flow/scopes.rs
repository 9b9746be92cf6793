//! Which names a body writes, and what its imports bind.

use super::{Builder, line};
use crate::extract::{child_of_kind, children_of_kind};
use crate::syntax::Node;

/// Declares every name that a body writes, wherever in it.
pub(super) fn declare_names<'t>(builder: &mut Builder<'t, '_>, body: Node<'t>) {
    let mut outer = Vec::new();
    let mut waiting = vec![body];
    let mut found: Vec<(usize, &'t str)> = Vec::new();
    while let Some(node) = waiting.pop() {
        let write = |target: Node<'t>, found: &mut Vec<(usize, &'t str)>| {
            target_names(target, &mut |name| found.push((name.start_byte(), builder.text(name))));
        };
        match node.kind() {
            "function_definition" | "class_definition" => {
                if let Some(name) = node.child_by_field_name("name") {
                    write(name, &mut found);
                }
                continue;
            }
            "lambda" => continue,
            "assignment" | "augmented_assignment" | "for_statement" => {
                if let Some(left) = node.child_by_field_name("left") {
                    write(left, &mut found);
                }
            }
            "named_expression" => {
                if let Some(name) = node.child_by_field_name("name") {
                    write(name, &mut found);
                }
            }
            "as_pattern" => {
                if let Some(alias) = child_of_kind(node, &["as_pattern_target"]).and_then(|alias| alias.named_child(0))
                {
                    write(alias, &mut found);
                } else if let Some(alias) = node.named_child(1).filter(|alias| alias.kind() == "identifier") {
                    write(alias, &mut found);
                }
            }
            "import_statement" | "import_from_statement" => {
                for name in imported_names(node) {
                    let local = match name.kind() {
                        "aliased_import" => name.child_by_field_name("alias"),
                        _ => name.named_child(0),
                    };
                    if let Some(local) = local {
                        found.push((local.start_byte(), builder.text(local)));
                    }
                }
                continue;
            }
            "global_statement" => {
                outer.extend(
                    children_of_kind(node, &["identifier"])
                        .into_iter()
                        .map(|name| (true, builder.text(name))),
                );
                continue;
            }
            "nonlocal_statement" => {
                outer.extend(
                    children_of_kind(node, &["identifier"])
                        .into_iter()
                        .map(|name| (false, builder.text(name))),
                );
                continue;
            }
            "case_pattern" => {
                pattern_names(node, &mut |name| found.push((name.start_byte(), builder.text(name))));
                continue;
            }
            _ => {}
        }
        waiting.extend(node.named_children());
    }
    for (global, name) in outer {
        if global {
            builder.declare_global(name)
        } else {
            builder.declare_outer(name)
        }
    }
    found.sort_unstable_by_key(|(byte, _)| *byte);
    for (byte, name) in found {
        builder.declare(name);
        builder.note_write(byte, name);
    }
}

/// The identifiers that a target of an assignment binds.
pub(super) fn target_names<'t>(target: Node<'t>, found: &mut dyn FnMut(Node<'t>)) {
    let mut waiting = vec![target];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "identifier" => found(node),
            "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "tuple"
            | "list"
            | "expression_list"
            | "parenthesized_expression"
            | "list_splat" => {
                waiting.extend(node.named_children());
            }
            _ => {}
        }
    }
}

/// The identifiers that the pattern of a `case` binds.
pub(super) fn pattern_names<'t>(pattern: Node<'t>, found: &mut dyn FnMut(Node<'t>)) {
    let mut waiting = vec![pattern];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            // One word alone binds; a dotted one is compared with.
            "dotted_name" if node.named_child_count() == 1 => {
                if let Some(name) = node.named_child(0) {
                    found(name);
                }
            }
            "identifier" => found(node),
            "dotted_name" | "attribute" => {}
            "class_pattern" => {
                waiting.extend(node.named_children().skip(1));
            }
            "keyword_pattern" => {
                waiting.extend(node.named_children().skip(1));
            }
            _ => {
                waiting.extend(node.named_children());
            }
        }
    }
}

pub(super) fn imported_names(node: Node<'_>) -> Vec<Node<'_>> {
    node.children_by_field_name("name").collect()
}

pub(super) fn import_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    for name in imported_names(node) {
        match name.kind() {
            "aliased_import" => {
                let (Some(module), Some(alias)) = (name.child_by_field_name("name"), name.child_by_field_name("alias"))
                else {
                    continue;
                };
                let slot = builder.import(builder.text(module), None, line(node));
                let alias = builder.text(alias);
                builder.write(alias, slot);
            }
            _ => {
                // `import a.b` binds `a`, and makes sure that `a.b` is there.
                let text = builder.text(name);
                let first = text.split('.').next().unwrap_or(text).trim();
                let slot = builder.import(first, None, line(node));
                if first.len() < text.len() {
                    builder.import(text, None, line(node));
                }
                builder.write(first, slot);
            }
        }
    }
}

pub(super) fn import_from<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let Some(module) = node.child_by_field_name("module_name") else {
        return;
    };
    let module: String = builder.text(module).split_whitespace().collect();
    if child_of_kind(node, &["wildcard_import"]).is_some() {
        builder.import_all(&module, line(node));
        return;
    }
    for name in imported_names(node) {
        let (member, local) = match name.kind() {
            "aliased_import" => (name.child_by_field_name("name"), name.child_by_field_name("alias")),
            _ => (Some(name), Some(name)),
        };
        let (Some(member), Some(local)) = (member, local) else {
            continue;
        };
        let slot = builder.import(&module, Some(builder.text(member)), line(node));
        let local = builder.text(local);
        builder.write(local, slot);
    }
}
