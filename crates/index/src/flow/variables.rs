//! Which variables a function gives a value, and whose values it reads.
//!
//! A variable is a name that a scope of the file binds to values: what a function declares or assigns, what is passed to it, what it shares
//! with the functions around it, and the variables and constants of its module. Functions, classes, types and imports are none, nor are
//! receivers, members of objects, names that only a lowering writes, and names that no scope of the file binds. What is
//! passed is used, and defined only if it is assigned again. A function without a name, and one that has no definition of its own, is also part of the one around
//! it: what they share counts for both. What cannot be reached is not looked at.

use std::collections::{HashMap, HashSet};

use lore_model::{BodyFlags, FileFacts, FlowVariable, NONE, SymbolKind, Text, UseKind, VariableUse};

use super::builder::{Body, FlowBuilder, Named, Slot, Variable};

/// Which names of a file are definitions and imports, and which are variables of its module.
#[derive(Default)]
pub(super) struct FileNames {
    /// What the module defines or imports under a name.
    module: HashSet<String>,
    /// The variables and constants of the module that are definitions.
    variables: HashSet<String>,
    /// By function: what it defines or imports inside.
    inner: HashMap<u32, Vec<Text>>,
}

impl FileNames {
    pub(super) fn of(facts: &FileFacts) -> Self {
        let mut names = Self::default();
        for definition in facts.definitions.iter().filter(|row| row.owner.is_empty()) {
            let is_variable = matches!(
                definition.kind(),
                SymbolKind::Constant | SymbolKind::Static | SymbolKind::Field
            );
            match (definition.parent.get(), is_variable) {
                (NONE, true) => {
                    names.variables.insert(facts.text.get(definition.name).to_owned());
                }
                (NONE, false) => {
                    names.module.insert(facts.text.get(definition.name).to_owned());
                }
                (_, true) => {}
                (parent, false) => {
                    let around = facts.definitions.get(parent as usize);
                    if around.is_some_and(|around| around.kind().is_callable()) {
                        names.inner.entry(parent).or_default().push(definition.name);
                    }
                }
            }
        }
        for import in facts.imports.iter().filter(|import| !import.local.is_empty()) {
            match import.scope.get() {
                NONE => {
                    names.module.insert(facts.text.get(import.local).to_owned());
                }
                scope => names.inner.entry(scope).or_default().push(import.local),
            }
        }
        names
    }
}

/// What becomes of a variable.
#[derive(Clone, Copy, Default)]
pub(super) struct Fate {
    /// Its value is read.
    used: bool,
    /// It is given a value that was not passed.
    assigned: bool,
    /// It holds what the source does not assign: what was passed, or what a name of the module turns out to mean.
    passed: bool,
    /// Whether it is a variable at all, once that is known.
    counts: Option<bool>,
}

impl<'t> FlowBuilder<'t, '_> {
    /// Says whether the source assigns what is declared and written from here on in the open body, rather than being passed it or knowing more of it; what was
    /// said before.
    pub(crate) fn set_assigning(&mut self, assigning: bool) -> bool {
        std::mem::replace(&mut self.body().assigning, assigning)
    }

    /// Declares a name of the module that the source does not: it is looked up for the whole file.
    pub(crate) fn declare_looked_up(&mut self, name: &'t str) {
        let before = std::mem::replace(&mut self.bodies[0].assigning, false);
        self.declare_global(name);
        self.bodies[0].assigning = before;
    }

    /// What becomes of a variable that is declared now.
    pub(super) fn new_fate(&mut self) -> Fate {
        Fate {
            passed: !self.body().assigning,
            ..Fate::default()
        }
    }

    /// Notes that the open body reads a variable of a body.
    pub(super) fn note_use(&mut self, owner: usize, variable: usize) {
        let open = self.bodies.len() - 1;
        if owner == open {
            self.bodies[open].variables[variable].fate.used = true;
        } else if self.note_shared(owner, variable, VariableUse::Uses) {
            self.bodies[owner].variables[variable].fate.used = true;
        }
    }

    /// Notes that the open body writes a variable of a body around it.
    pub(super) fn note_outer_write(&mut self, owner: usize, variable: usize) {
        if self.body().assigning && self.note_shared(owner, variable, VariableUse::Defines) {
            self.bodies[owner].variables[variable].fate.assigned = true;
        }
    }

    /// Notes what the open body does to a name that no scope binds, if that is a variable of the module.
    pub(crate) fn note_of_module(&mut self, name: &'t str, usage: VariableUse) {
        if !self.file_names.variables.contains(name) {
            return;
        }
        for body in self.bodies.iter_mut().rev() {
            body.shared.push((usage, name));
            if !body.is_part {
                break;
            }
        }
    }

    /// Notes that the open body writes a variable of its own.
    pub(super) fn note_own_write(&mut self, variable: usize, value: Slot) {
        let open = self.bodies.len() - 1;
        let body = &self.bodies[open];
        let name = body.variables[variable].name;
        let at = body
            .parameters
            .iter()
            .position(|parameter| parameter.slot.get() == value);
        let is_passed = !body.assigning
            || at.is_some_and(|at| {
                let row = body.parameters[at].name.get() as usize;
                let text = self.facts.flow.names.get(row);
                text.is_some_and(|text| self.facts.text.get(*text) == name)
            });
        let is_receiver = at == Some(0)
            && body.flags & BodyFlags::RECEIVER_FIRST != 0
            && body.flags & (BodyFlags::MEMBER | BodyFlags::STATIC) == BodyFlags::MEMBER;
        let fate = &mut self.bodies[open].variables[variable].fate;
        match is_passed {
            true => fate.passed = true,
            false => fate.assigned = true,
        }
        if is_passed && is_receiver {
            fate.counts = Some(false);
        }
    }

    /// Notes in the open body, and in those around it that it is part of, what is done to a variable further out. Whether the body that owns
    /// the variable does it, too.
    fn note_shared(&mut self, owner: usize, variable: usize, usage: VariableUse) -> bool {
        if !self.counts(owner, variable) {
            return false;
        }
        let name = self.bodies[owner].variables[variable].name;
        for inner in self.bodies[owner + 1..].iter_mut().rev() {
            inner.shared.push((usage, name));
            if !inner.is_part {
                return false;
            }
        }
        true
    }

    /// Whether what a scope binds is a variable.
    fn counts(&mut self, owner: usize, variable: usize) -> bool {
        let body = &self.bodies[owner];
        let bound = &body.variables[variable];
        if let Some(known) = bound.fate.counts {
            return known;
        }
        let counts = self.is_counted(body, bound);
        self.bodies[owner].variables[variable].fate.counts = Some(counts);
        counts
    }

    fn is_counted(&self, body: &Body<'t>, variable: &Variable<'t>) -> bool {
        let name = variable.name;
        if matches!(variable.named, Named::Item | Named::TypeParameter) || matches!(name, "" | "_") {
            return false;
        }
        // What the source does not write is a name of the lowering's own.
        if !self.source.as_bytes().as_ptr_range().contains(&name.as_ptr()) {
            return false;
        }
        match body.flags & (BodyFlags::MODULE | BodyFlags::CLASS) {
            BodyFlags::MODULE => {
                let names = &self.file_names;
                names.variables.contains(name) || !variable.fate.passed && !names.module.contains(name)
            }
            // Members.
            BodyFlags::CLASS => false,
            _ => {
                let inner = self.file_names.inner.get(&body.definition);
                !inner.is_some_and(|names| names.iter().any(|text| self.facts.text.get(*text) == name))
            }
        }
    }

    /// Whether a body that is opened now with a definition is part of the one that is open.
    pub(super) fn is_part(&self, definition: u32) -> bool {
        let Some(around) = self.bodies.last() else {
            return false;
        };
        let is_function = around.flags & (BodyFlags::MODULE | BodyFlags::CLASS) == 0;
        let row = self.facts.definitions.get(definition as usize);
        is_function && (definition == around.definition || row.is_none_or(|row| row.is_anonymous()))
    }

    /// Writes down the variables of a body that is closed.
    pub(super) fn settle_variables(&mut self, body: &Body<'t>) {
        if body.flags & (BodyFlags::MODULE | BodyFlags::CLASS) != 0 {
            return;
        }
        let definition = match body.definition {
            NONE if body.is_part => self.bodies.last().map_or(NONE, |around| around.definition),
            definition => definition,
        };
        let row = self.facts.definitions.get(definition as usize);
        if !row.is_some_and(|row| row.kind().is_callable()) {
            return;
        }
        for (usage, name) in &body.shared {
            self.push_variable(definition, *usage, name);
        }
        for variable in &body.variables {
            let fate = variable.fate;
            // What is declared and never mentioned again may be no more than the guess of a lowering.
            let is_defined = fate.assigned || fate.used && !fate.passed;
            let counts = || match fate.counts {
                Some(known) => known,
                None => self.is_counted(body, variable),
            };
            if !(is_defined || fate.used) || !counts() {
                continue;
            }
            if is_defined {
                self.push_variable(definition, VariableUse::Defines, variable.name);
            }
            if fate.used {
                self.push_variable(definition, VariableUse::Uses, variable.name);
            }
        }
    }

    fn push_variable(&mut self, definition: u32, usage: VariableUse, name: &str) {
        let name = self.name(name);
        self.facts.flow.variables.push(FlowVariable {
            definition: definition.into(),
            name: name.into(),
            usage: usage as u8,
        });
    }

    /// Adds what functions read of the module without a scope of theirs saying so, and puts everything in order.
    pub(super) fn finish_variables(&mut self) {
        for at in 0..self.facts.uses.len() {
            let row = self.facts.uses[at];
            if row.kind != UseKind::READ || self.file_names.variables.is_empty() {
                continue;
            }
            let path = self.facts.text.get(row.path);
            let first = path.split('.').next().unwrap_or(path);
            if !self.file_names.variables.contains(first) {
                continue;
            }
            let first = first.to_owned();
            let mut scope = row.scope.get();
            while let Some(around) = self.facts.definitions.get(scope as usize).copied()
                && around.kind().is_callable()
            {
                self.push_variable(scope, VariableUse::Uses, &first);
                match around.is_anonymous() {
                    true => scope = around.parent.get(),
                    false => break,
                }
            }
        }
        let FileFacts { text, flow, .. } = &mut *self.facts;
        let names = &flow.names;
        let spelled = |row: &FlowVariable| names.get(row.name.get() as usize).map_or("", |name| text.get(*name));
        flow.variables.sort_unstable_by(|left, right| {
            let key = |row: &FlowVariable| (row.definition.get(), row.usage);
            key(left)
                .cmp(&key(right))
                .then_with(|| spelled(left).cmp(spelled(right)))
        });
        flow.variables.dedup();
    }
}
