//! Files: what they import and declare, and what names mean that no class around declares.

use foldhash::HashSet;

use crate::flow::Slot;
use crate::syntax::Node;

use super::scopes::Found;
use super::{Lowering, children, line};

/// Whether a name is one of a type by convention.
pub(super) fn looks_like_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_uppercase())
}

/// A qualified name in its package, its class and what is below that; by convention packages begin with small letters.
fn split_path(path: &str) -> (&str, &str, Option<&str>) {
    let mut start = 0;
    for part in path.split('.') {
        let end = start + part.len();
        if looks_like_type(part) {
            let below = path.get(end + 1..).filter(|below| !below.is_empty());
            return (path[..start].trim_end_matches('.'), part, below);
        }
        start = end + 1;
    }
    match path.rsplit_once('.') {
        Some((package, class)) => (package, class, None),
        None => ("", path, None),
    }
}

impl<'t> Lowering<'t, '_, '_> {
    pub(super) fn file(&mut self, root: Node<'t>) {
        self.own_types = self.scan_types(root);
        let declarations = children(root);
        let mut exported = HashSet::default();
        for declaration in &declarations {
            if let Some(name) = declared_type(*declaration) {
                let name = self.builder.text(name);
                exported.insert(name);
                self.builder.declare(name);
            }
        }
        self.builder.exported = Some(exported);
        for import in declarations.iter().filter(|node| node.kind() == "import_declaration") {
            self.import(*import);
        }
        let mut first_with_bases = None;
        for declaration in &declarations {
            let Some(name) = declared_type(*declaration) else {
                continue;
            };
            let (class, has_bases) = self.class(*declaration);
            if has_bases {
                first_with_bases.get_or_insert(class);
            }
            let name = self.builder.text(name);
            self.builder.write(name, class);
        }
        // What the file does not define is asked for once. A type may be inherited from a base.
        for name in std::mem::take(&mut self.globals) {
            let value = match first_with_bases {
                Some(class) => self.builder.global_or_member(name, class),
                None => self.builder.global(name),
            };
            self.builder.write(name, value);
        }
    }

    fn import(&mut self, node: Node<'t>) {
        let mut path = None;
        let (mut is_static, mut is_wildcard) = (false, false);
        for child in node.children() {
            match child.kind() {
                "static" => is_static = true,
                "asterisk" => is_wildcard = true,
                "identifier" | "scoped_identifier" => path = Some(child),
                _ => {}
            }
        }
        let Some(path) = path else { return };
        let (text, at) = (self.builder.text(path), line(node));
        match (is_static, is_wildcard) {
            (false, false) => {
                let name = text.rsplit('.').next().unwrap_or(text).trim();
                if text.starts_with("java.") {
                    self.from_java.insert(name);
                }
                let value = self.path(text, at);
                self.builder.declare(name);
                self.builder.write(name, value);
            }
            // The types of a class are members of it.
            (false, true) if looks_like_type(text.rsplit('.').next().unwrap_or(text)) => {
                self.static_wildcards.push((text, at));
            }
            (false, true) => {
                self.java_is_whole |= text.starts_with("java.util");
                self.builder.import_all(text, at);
            }
            (true, true) => self.static_wildcards.push((text, at)),
            (true, false) => {
                if let Some((class, name)) = text.rsplit_once('.') {
                    let name = name.trim();
                    self.static_imports.push((name, class, at));
                    // It may be a type as well.
                    if looks_like_type(name) && name.contains(char::is_lowercase) {
                        let value = self.path(class, at);
                        let value = self.builder.load(value, name, at);
                        self.builder.declare(name);
                        self.builder.write(name, value);
                    }
                }
            }
        }
    }

    /// What a qualified name means.
    pub(super) fn path(&mut self, text: &'t str, at: u32) -> Slot {
        let (package, class, below) = split_path(text);
        let mut value = self.builder.import(package, Some(class), at);
        for part in below.into_iter().flat_map(|below| below.split('.')) {
            value = self.builder.load(value, part.trim(), at);
        }
        value
    }

    /// What a name of a type means.
    pub(super) fn type_named(&mut self, name: &'t str) -> Slot {
        if !self.builder.is_variable(name) {
            self.builder.declare_looked_up(name);
            if self.asked.insert(name) {
                self.globals.push(name);
            }
        }
        self.builder.read(name)
    }

    /// What a simple name holds.
    pub(super) fn read_name(&mut self, name: &'t str, at: u32) -> Slot {
        match self.find(name) {
            Found::Local(_) => self.builder.read(name),
            Found::Field(depth, field) => {
                let holder = if field.is_static {
                    self.class_at(depth)
                } else {
                    self.receiver_at(depth)
                };
                self.builder.load(holder, name, at)
            }
            Found::Nothing => self.read_unknown(name, at),
        }
    }

    /// A name that nothing in the file declares: imported, inherited, or a type.
    fn read_unknown(&mut self, name: &'t str, at: u32) -> Slot {
        if self.builder.is_variable(name) {
            return self.builder.read(name);
        }
        if let Some(imported) = self.imported_member(name, name) {
            return imported;
        }
        let constant = name.chars().all(|letter| !letter.is_lowercase());
        let is_type = looks_like_type(name);
        if is_type && !constant {
            return self.type_named(name);
        }
        let found = self.builder.slot();
        let mut first = true;
        for depth in (0..self.classes.len()).rev() {
            if !self.classes[depth].has_bases {
                continue;
            }
            let holder = self.receiver_at(depth);
            let value = self.builder.load(holder, name, at);
            if std::mem::take(&mut first) {
                self.builder.copy(found, value)
            } else {
                self.builder.hint_value(found, value)
            }
        }
        self.try_wildcards(found, name, at);
        if is_type {
            let class = self.type_named(name);
            self.builder.hint_value(found, class);
        }
        found
    }

    /// A member that is imported by name, if there is one.
    pub(super) fn imported_member(&mut self, name: &str, member: &str) -> Option<Slot> {
        let rows: Vec<(&'t str, u32)> = self
            .static_imports
            .iter()
            .filter(|(imported, ..)| *imported == name)
            .map(|(_, class, at)| (*class, *at))
            .collect();
        let (first, others) = rows.split_first()?;
        let value = self.path(first.0, first.1);
        let found = self.builder.load(value, member, first.1);
        // One name may be imported from several classes: the methods are told apart as overloads are.
        for (class, at) in others {
            let value = self.path(class, *at);
            let other = self.builder.load(value, member, *at);
            self.builder.copy(found, other);
        }
        Some(found)
    }

    /// A member may be one of those that are imported whole.
    pub(super) fn try_wildcards(&mut self, found: Slot, member: &str, at: u32) {
        for (class, _) in self.static_wildcards.clone() {
            let value = self.path(class, at);
            let value = self.builder.load(value, member, at);
            self.builder.hint_value(found, value);
        }
    }
}

/// The name of the type that a node declares.
pub(super) fn declared_type(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "class_declaration"
        | "interface_declaration"
        | "record_declaration"
        | "enum_declaration"
        | "annotation_type_declaration" => node.child_by_field_name("name"),
        _ => None,
    }
}
