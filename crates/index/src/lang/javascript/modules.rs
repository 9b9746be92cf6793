//! How JavaScript files import, export and name each other, in both module systems.

use std::collections::HashSet;

use lore_model::{DefinitionFlags, FileFacts, ImportFlags, NONE, RepoPath, SymbolKind, Visibility};
use tree_sitter::Node;

use super::property_name;
use crate::extract::Walker;
use crate::language::{Flow, Role};
use crate::layout::{Root, has_directory};

pub(in crate::lang) fn export_statement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    walker.facts.is_module = true;
    let source = node
        .child_by_field_name("source")
        .map(|source| property_name(walker, source));
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match (child.kind(), source) {
            ("*", Some(module)) => walker.import(node, module, "*", "*", ImportFlags::REEXPORT),
            ("namespace_export", Some(module)) => {
                let name = child.named_child(0).map_or("", |name| walker.text(name));
                walker.import(node, module, "*", name, ImportFlags::REEXPORT);
            }
            ("export_clause", _) => {
                let mut specifiers = child.walk();
                for specifier in child
                    .named_children(&mut specifiers)
                    .filter(|part| part.kind() == "export_specifier")
                {
                    let name = specifier
                        .child_by_field_name("name")
                        .map_or("", |name| property_name(walker, name));
                    let alias = specifier
                        .child_by_field_name("alias")
                        .map_or(name, |alias| property_name(walker, alias));
                    match source {
                        Some(module) => walker.import(specifier, module, name, "", ImportFlags::REEXPORT),
                        None => walker.export(specifier, name, alias),
                    }
                }
            }
            ("identifier", None) => {
                let name = walker.text(child);
                walker.export(node, name, "default");
            }
            _ => {}
        }
    }
    Flow::Descend
}

pub(in crate::lang) fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut cursor = node.walk();
    let flags = match node.children(&mut cursor).any(|child| child.kind() == "type") {
        true => ImportFlags::TYPE_ONLY,
        false => 0,
    };
    if let Some(clause) = node
        .named_child(0)
        .filter(|child| child.kind() == "import_require_clause")
    {
        let module = clause
            .child_by_field_name("source")
            .map_or("", |source| property_name(walker, source));
        let local = clause.named_child(0).map_or("", |local| walker.text(local));
        walker.import(node, module, "", local, flags);
        return Flow::Skip;
    }
    let Some(source) = node.child_by_field_name("source") else {
        return Flow::Skip;
    };
    let module = property_name(walker, source);
    let mut cursor = node.walk();
    let Some(clause) = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "import_clause")
    else {
        walker.import(node, module, "", "", flags);
        return Flow::Skip;
    };
    let mut cursor = clause.walk();
    for part in clause.named_children(&mut cursor) {
        match part.kind() {
            "identifier" => {
                let local = walker.text(part);
                walker.import(part, module, "default", local, flags);
            }
            "namespace_import" => {
                let local = part.named_child(0).map_or("", |local| walker.text(local));
                walker.import(part, module, "*", local, flags);
            }
            "named_imports" => {
                let mut specifiers = part.walk();
                for specifier in part
                    .named_children(&mut specifiers)
                    .filter(|part| part.kind() == "import_specifier")
                {
                    let name = specifier
                        .child_by_field_name("name")
                        .map_or("", |name| property_name(walker, name));
                    let local = specifier
                        .child_by_field_name("alias")
                        .map_or(name, |alias| walker.text(alias));
                    let own_type = specifier.child(0).is_some_and(|word| word.kind() == "type");
                    let flags = if own_type {
                        flags | ImportFlags::TYPE_ONLY
                    } else {
                        flags
                    };
                    walker.import(specifier, module, name, local, flags);
                }
            }
            _ => {}
        }
    }
    Flow::Skip
}

/// At module level only what is exported is public, unless the file is a script that neither imports nor exports.
pub(in crate::lang) fn finish(facts: &mut FileFacts, role: Role) {
    let exported: HashSet<&str> = facts
        .exports
        .iter()
        .map(|export| facts.text.get(export.local))
        .collect();
    let is_module = facts.is_module && !role.declaration;
    for definition in &mut facts.definitions {
        let at_module_level = definition.parent.get() == NONE
            && definition.owner.is_empty()
            && definition.flags & DefinitionFlags::LOCAL == 0;
        if !at_module_level || definition.is_anonymous() || definition.kind() == SymbolKind::Test {
            continue;
        }
        let name = definition.name.of(&facts.text.0);
        let is_exported = definition.flags & DefinitionFlags::EXPORTED != 0 || exported.contains(name);
        definition.visibility = match is_exported || !is_module {
            true => Visibility::Public as u8,
            false => Visibility::Private as u8,
        };
    }
}

pub(in crate::lang) fn module_name(_: &[Root], path: &RepoPath, _: &str) -> String {
    let name = path.file_name();
    let stem = name
        .strip_suffix(".d.ts")
        .or_else(|| name.rsplit_once('.').map(|(stem, _)| stem))
        .unwrap_or(name);
    let directory = path.directory();
    match (directory, stem) {
        ("", stem) => stem.to_owned(),
        (directory, "index") => directory.to_owned(),
        (directory, stem) => format!("{directory}/{stem}"),
    }
}

pub(in crate::lang) fn is_test_file(path: &RepoPath) -> bool {
    const WORDS: &[&str] = &["test", "tests", "spec", "specs", "e2e"];
    has_directory(path, &["test", "tests", "__tests__", "spec", "specs", "e2e"])
        || path
            .file_name()
            .split(['.', '-', '_'])
            .any(|part| WORDS.contains(&part))
}
