//! Reads of module constants and variables: records paths of names, which are resolved when all files are known.

use foldhash::{HashMap, HashSet};

use lore_model::{FileFacts, NONE, SymbolKind, Text, Use, UseKind};

use super::builder::{Binding, FlowBuilder};
use crate::syntax::{Node, line_starts};

/// The names of a file that can denote constants and variables of modules. Used to skip names that cannot.
#[derive(Default)]
pub(crate) struct Reads<'t> {
    /// Constants and variables of the module, and names that imports bind anywhere in the file.
    names: HashSet<String>,
    /// The functions and constants of the module, by name.
    pub(super) members: HashMap<String, SymbolKind>,
    /// Imports inside definitions, as definition and name.
    local: HashSet<(u32, String)>,
    /// Whether any name can come from another module, because of a wildcard import.
    wildcard: bool,
    /// Whether names in inner blocks of the module can also come from other files.
    anywhere: bool,
    /// The recorded paths, so that each text is stored once.
    paths: HashMap<&'t str, Text>,
    /// The start of the last recorded path. Names at the same start are part of that path.
    last: Option<usize>,
}

impl Reads<'_> {
    /// Collects the names that a file defines and imports.
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
    /// Declares that a name can come from another file without an import.
    pub(crate) fn read_anywhere(&mut self) {
        self.reads.wildcard = true;
        self.reads.anywhere = true;
    }

    /// Records the read of a name or path, if it can denote a member of a module. Call this for a path before the names
    /// inside it.
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
            // The text contains calls or element accesses. The names inside are recorded separately.
            return;
        }
        self.reads.last = Some(node.start_byte());
        if self.is_of_module(first) {
            let scope = self.bodies.last().map_or(NONE, |body| body.definition);
            self.push_use(node, path, scope, UseKind::READ);
        }
    }

    /// Records the read of a constant under a path with `::`, which can begin with any module. The stored path has
    /// dots.
    pub(crate) fn note_constant(&mut self, node: Node<'t>, path: &'t str) {
        let first = path.split("::").next().unwrap_or(path);
        let is_alone = first.len() == path.len();
        if is_alone && (!self.reads.wildcard && !self.reads.names.contains(first) || !self.is_of_module(first)) {
            return;
        }
        let scope = self.definition_around();
        let facts = &mut self.facts;
        let text = *self.reads.paths.entry(path).or_insert_with(|| {
            if is_alone {
                facts.text.push(path)
            } else {
                facts.text.push(&path.replace("::", "."))
            }
        });
        facts.uses.push(Use {
            path: text,
            scope: scope.into(),
            line: (node.start_position().row as u32 + 1).into(),
            kind: UseKind::READ,
        });
    }

    /// Records that a function gives a variable of the module a value. The name has to be a part of the source: that is where the
    /// line comes from.
    pub(super) fn note_module_write(&mut self, name: &'t str) {
        let at = (name.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        if at >= self.source.len() {
            return;
        }
        let scope = self.definition_around();
        let starts = self.line_starts.get_or_insert_with(|| line_starts(self.source));
        let line = starts.partition_point(|start| *start as usize <= at) as u32;
        let facts = &mut self.facts;
        let path = *self.reads.paths.entry(name).or_insert_with(|| facts.text.push(name));
        facts.uses.push(Use {
            path,
            scope: scope.into(),
            line: line.into(),
            kind: UseKind::WRITE,
        });
    }

    /// Records the read of a path that denotes a constant.
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

    /// Records a base of a class by its name or path, unless the name is a local variable.
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

    /// Whether a name denotes a member of the module or an import, not a local variable.
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
