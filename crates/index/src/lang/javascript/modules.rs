//! How JavaScript files import, export and name each other, in both module systems.

use foldhash::HashSet;

use lore_model::{DefinitionFlags, FileFacts, ImportFlags, NONE, RepoPath, SymbolKind, Visibility};

use super::property_name;
use super::resolve::{IMPORTED, REQUIRED};
use crate::extract::Walker;
use crate::language::{Flow, Role};
use crate::layout::{Layout, join_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(in crate::lang) fn export_statement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    walker.facts.is_module = true;
    let source = node
        .child_by_field_name("source")
        .map(|source| property_name(walker, source));
    for child in node.children() {
        match (child.kind(), source) {
            ("*", Some(module)) => walker.import(node, module, "*", "*", ImportFlags::REEXPORT),
            ("namespace_export", Some(module)) => {
                let name = child.named_child(0).map_or("", |name| walker.text(name));
                walker.import(node, module, "*", name, ImportFlags::REEXPORT);
            }
            ("export_clause", _) => {
                for specifier in child.named_children().filter(|part| part.kind() == "export_specifier") {
                    let name = specifier
                        .child_by_field_name("name")
                        .map_or("", |name| property_name(walker, name));
                    let alias = specifier
                        .child_by_field_name("alias")
                        .map_or(name, |alias| property_name(walker, alias));
                    match source {
                        Some(module) => walker.hand_on(specifier, module, name, alias),
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
    let flags = if node.children().any(|child| child.kind() == "type") {
        ImportFlags::TYPE_ONLY
    } else {
        0
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
    let Some(clause) = node.named_children().find(|child| child.kind() == "import_clause") else {
        walker.import(node, module, "", "", flags);
        return Flow::Skip;
    };
    for part in clause.named_children() {
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
                for specifier in part.named_children().filter(|part| part.kind() == "import_specifier") {
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
        definition.visibility = if is_exported || !is_module {
            Visibility::Public as u8
        } else {
            Visibility::Private as u8
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

/// The packages of the tree by their names, and the paths that a tsconfig maps.
pub(in crate::lang) fn roots(layout: &Layout<'_>) -> Vec<Root> {
    let mut roots = Vec::new();
    for (directory, text) in layout.package_files("package.json") {
        let Ok(package) = serde_json::from_str::<serde_json::Value>(text) else {
            continue;
        };
        // A package without a name is known by its path only, which no name of a package looks like.
        let name = match package["name"].as_str().filter(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None => format!("./{directory}"),
        };
        let mut entries = Vec::new();
        exported(".", "", &package["exports"], &mut entries);
        for (pattern, target) in package["imports"].as_object().into_iter().flatten() {
            exported(pattern, "", target, &mut entries);
        }
        for key in ["source", "module", "main", "types"] {
            entries.extend(package[key].as_str().map(|path| (".".to_owned(), path.to_owned())));
        }
        roots.push(Root {
            directory: directory.to_owned(),
            name,
            entries,
        });
    }
    for file in ["tsconfig.json", "jsconfig.json", "tsconfig.base.json"] {
        for (directory, text) in layout.package_files(file) {
            let Ok(config) = serde_json::from_str::<serde_json::Value>(&without_comments(text)) else {
                continue;
            };
            let options = &config["compilerOptions"];
            let base = join_path(directory, options["baseUrl"].as_str().unwrap_or("."));
            let mut entries = Vec::new();
            for (pattern, targets) in options["paths"].as_object().into_iter().flatten() {
                for target in targets
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|target| target.as_str())
                {
                    entries.push((pattern.clone(), join_path(&base, target)));
                }
            }
            if options["baseUrl"].is_string() {
                entries.push(("*".to_owned(), join_path(&base, "*")));
            }
            if !entries.is_empty() {
                roots.push(Root {
                    directory: directory.to_owned(),
                    name: String::new(),
                    entries,
                });
            }
        }
    }
    roots
}

/// What a package exports under which path, and for which way of asking; of other conditions the first that is said.
fn exported(name: &str, how: &str, value: &serde_json::Value, entries: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::String(path) => entries.push((format!("{how}{name}"), path.clone())),
        serde_json::Value::Array(paths) => {
            for path in paths {
                exported(name, how, path, entries);
            }
        }
        serde_json::Value::Object(map) => {
            for (key, inner) in map {
                match (key.strip_prefix('.'), key.as_str()) {
                    (Some(""), _) => exported(".", how, inner, entries),
                    (Some(path), _) => exported(path.trim_start_matches('/'), how, inner, entries),
                    (None, "import") => exported(name, IMPORTED, inner, entries),
                    (None, "require") => exported(name, REQUIRED, inner, entries),
                    (None, _) => exported(name, how, inner, entries),
                }
            }
        }
        _ => {}
    }
}

/// JSON as TypeScript reads it: comments and trailing commas are no mistake.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut in_string = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                in_string = !in_string;
                plain.push(letter);
            }
            '\\' if in_string => {
                plain.push(letter);
                plain.extend(letters.next());
            }
            '/' if !in_string && letters.peek() == Some(&'/') => {
                while letters.next_if(|next| *next != '\n').is_some() {}
            }
            '/' if !in_string && letters.peek() == Some(&'*') => {
                letters.next();
                let mut last = ' ';
                for next in letters.by_ref() {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            '}' | ']' if !in_string => {
                let kept = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(kept);
                plain.push(letter);
            }
            letter => plain.push(letter),
        }
    }
    plain
}

pub(in crate::lang) fn is_test_file(path: &RepoPath) -> bool {
    const WORDS: &[&str] = &["test", "tests", "spec", "specs", "e2e"];
    has_directory(path, &["test", "tests", "__tests__", "spec", "specs", "e2e"])
        || path
            .file_name()
            .split(['.', '-', '_'])
            .any(|part| WORDS.contains(&part))
}
