//! Which constants and variables of modules a body reads: a path of names, whose meaning is looked up when all files are known.

use std::collections::{HashMap, HashSet};

use lore_model::{FileFacts, NONE, SymbolKind, Text, Use, UseKind};

use super::builder::{Binding, FlowBuilder};
use crate::syntax::Node;

/// What may be read of modules.
#[derive(Default)]
pub(crate) struct Reads<'t> {
    /// The names of the module's constants and variables, and those that imports bind anywhere in the file.
    names: HashSet<String>,
    /// What the module's functions and constants are called.
    pub(super) members: HashMap<String, SymbolKind>,
    /// Imports inside definitions: the definition and the name.
    local: HashSet<(u32, String)>,
    /// Whether any name may come from another module.
    wildcard: bool,
    /// Whether the module's inner names are those of other files.
    anywhere: bool,
    /// The paths that were read, each kept once.
    paths: HashMap<&'t str, Text>,
    /// Where the last path begins; the names inside it begin there too.
    last: Option<usize>,
}

impl Reads<'_> {
    /// What a file defines and imports.
    pub(super) fn of(facts: &FileFacts) -> Self {
        let mut reads = Self::default();
        for definition in &facts.definitions {
            if definition.parent.get() == NONE
                && definition.owner.is_empty()
                && matches!(definition.kind(), SymbolKind::Constant | SymbolKind::Function)
            {
                let name = facts.text.get(definition.name).to_owned();
                reads.members.insert(name, definition.kind());
            }
            if definition.parent.get() == NONE && matches!(definition.kind(), SymbolKind::Constant | SymbolKind::Static)
            {
                reads.names.insert(facts.text.get(definition.name).to_owned());
            }
        }
        for import in &facts.imports {
            let local = facts.text.get(import.local);
            reads.wildcard |= local == "*";
            reads.names.insert(local.to_owned());
            if import.scope.get() != NONE {
                reads.local.insert((import.scope.get(), local.to_owned()));
            }
        }
        reads
    }
}

impl<'t> FlowBuilder<'t, '_> {
    /// Says that a name may be one of another file, without an import.
    pub(crate) fn read_anywhere(&mut self) {
        self.reads.wildcard = true;
        self.reads.anywhere = true;
    }

    /// Notes that a name or a path of names is read, if it may lead to what a module holds. A path is noted before the names inside it.
    pub(crate) fn note_read(&mut self, node: Node<'t>) {
        if self.reads.last == Some(node.start_byte()) {
            return;
        }
        let path = self.text(node);
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        let first = &path[..path.find(|letter| !is_name(letter)).unwrap_or(path.len())];
        if !self.reads.wildcard && !self.reads.names.contains(first) {
            return;
        }
        if !path.chars().all(|letter| is_name(letter) || letter == '.') {
            // Calls and elements stand in between: the names inside are noted on their own.
            return;
        }
        self.reads.last = Some(node.start_byte());
        if self.is_of_module(first) {
            let scope = self.bodies.last().map_or(NONE, |body| body.definition);
            self.push_use(node, path, scope, UseKind::READ);
        }
    }

    /// Notes that a constant is read under a path of names, written with points between them, that may begin with any module.
    pub(crate) fn note_constant(&mut self, node: Node<'t>, path: &'t str) {
        let first = path.split("::").next().unwrap_or(path);
        let is_alone = first.len() == path.len();
        if is_alone && (!self.reads.wildcard && !self.reads.names.contains(first) || !self.is_of_module(first)) {
            return;
        }
        let scope = self.definition_around();
        let facts = &mut self.facts;
        let text = *self.reads.paths.entry(path).or_insert_with(|| match is_alone {
            true => facts.text.push(path),
            false => facts.text.push(&path.replace("::", ".")),
        });
        facts.uses.push(Use {
            path: text,
            scope: scope.into(),
            line: (node.start_position().row as u32 + 1).into(),
            kind: UseKind::READ,
        });
    }

    /// Notes that a path of names is read that leads to a constant.
    pub(crate) fn note_path(&mut self, node: Node<'t>) {
        let path = self.text(node);
        let is_path = path
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.'));
        if is_path && self.reads.last != Some(node.start_byte()) {
            self.reads.last = Some(node.start_byte());
            let scope = self.bodies.last().map_or(NONE, |body| body.definition);
            self.push_use(node, path, scope, UseKind::READ);
        }
    }

    /// Notes that the class of a definition has a base with a name or a path of names, if that is no variable of some body.
    pub(crate) fn note_base(&mut self, node: Node<'t>, class: u32) {
        let path = self.text(node);
        let first = path.split('.').next().unwrap_or(path);
        let is_path = path
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.'));
        if is_path && class != NONE && self.is_of_module(first) {
            self.push_use(node, path, class, UseKind::BASE);
        }
    }

    fn push_use(&mut self, node: Node<'t>, path: &'t str, scope: u32, kind: u8) {
        let facts = &mut self.facts;
        let text = *self.reads.paths.entry(path).or_insert_with(|| facts.text.push(path));
        facts.uses.push(Use {
            path: text,
            scope: scope.into(),
            line: (node.start_position().row as u32 + 1).into(),
            kind,
        });
    }

    /// Whether a name means what the module holds or an import binds, rather than a variable of some body.
    fn is_of_module(&self, name: &str) -> bool {
        let open = self.bodies.len() - 1;
        let body = match self.binding(open, name) {
            Some(Binding::Own(_)) => Some(open),
            Some(Binding::Module) => Some(0),
            Some(Binding::Outer) | None => self.outer_variable(name).map(|(body, _)| body),
        };
        match body {
            Some(0) if self.reads.anywhere => true,
            Some(0) => !self.bodies[0].blocks[1..].iter().any(|block| block.contains_key(name)),
            Some(body) => {
                let definition = self.bodies[body].definition;
                !self.reads.local.is_empty() && self.reads.local.contains(&(definition, name.to_owned()))
            }
            None => self.reads.wildcard,
        }
    }
}
