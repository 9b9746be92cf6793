//! Def-use facts: which variables a function defines and which it uses.
//!
//! A variable is a name that a scope of the file binds to values: a local variable, a parameter, a captured variable,
//! or a variable or constant of the module. These are not variables: functions, classes, types, imports, receivers,
//! members of objects, names that only the lowering creates, and names that no scope of the file binds.
//!
//! A function uses its parameters, and defines a parameter only if it assigns to it. An anonymous function, or one
//! without its own definition, is also part of the enclosing function: what the two share counts for both. Unreachable
//! code is ignored.

use foldhash::{HashMap, HashSet};

use lore_model::{BodyFlags, FileFacts, FlowVariable, NONE, SymbolKind, Text, UseKind, VariableUse};

use super::builder::{Body, FlowBuilder, Named, Slot, Variable};

/// The names of a file: definitions and imports, and variables of its module.
#[derive(Default)]
pub(super) struct FileNames {
    /// Definitions and imports of the module that are not variables.
    module: HashSet<String>,
    /// Variables and constants of the module.
    variables: HashSet<String>,
    /// By function: its inner definitions and imports.
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

/// What the source does with a variable.
#[derive(Clone, Copy, Default)]
pub(super) struct Fate {
    /// The source reads the variable.
    used: bool,
    /// The source assigns a value that was not passed in.
    assigned: bool,
    /// The variable holds a value that the source does not assign: an argument, or the meaning of a module name.
    passed: bool,
    /// Whether the name is a variable at all; `None` until decided.
    counts: Option<bool>,
}

impl<'t> FlowBuilder<'t, '_> {
    /// Sets whether the following declarations and writes of the open body are assignments in the source. They are not
    /// when they bind parameters or refine what is known about a value. Returns the previous setting.
    pub(crate) fn set_assigning(&mut self, assigning: bool) -> bool {
        std::mem::replace(&mut self.body().assigning, assigning)
    }

    /// Declares a name of the module that the source does not declare. The name is looked up once for the whole file.
    pub(crate) fn declare_looked_up(&mut self, name: &'t str) {
        let before = std::mem::replace(&mut self.bodies[0].assigning, false);
        self.declare_global(name);
        self.bodies[0].assigning = before;
    }

    /// The state of a variable that is declared now.
    pub(super) fn new_fate(&mut self) -> Fate {
        Fate {
            passed: !self.body().assigning,
            ..Fate::default()
        }
    }

    /// Records that the open body reads a variable of the body `owner`.
    pub(super) fn note_use(&mut self, owner: usize, variable: usize) {
        let open = self.bodies.len() - 1;
        if owner == open {
            self.bodies[open].variables[variable].fate.used = true;
        } else if self.note_shared(owner, variable, VariableUse::Uses) {
            self.bodies[owner].variables[variable].fate.used = true;
        }
    }

    /// Records that the open body writes a variable of an enclosing body. The name is the one in the assignment.
    pub(super) fn note_outer_write(&mut self, owner: usize, variable: usize, name: &'t str) {
        if !self.body().assigning {
            return;
        }
        if owner == 0 && self.counts(owner, variable) {
            self.note_module_write(name);
        }
        if self.note_shared(owner, variable, VariableUse::Defines) {
            self.bodies[owner].variables[variable].fate.assigned = true;
        }
    }

    /// Records a use of a name that no scope binds, if it is a variable of the module.
    pub(crate) fn note_of_module(&mut self, name: &'t str, usage: VariableUse) {
        if !self.file_names.variables.contains(name) {
            return;
        }
        if usage == VariableUse::Defines {
            self.note_module_write(name);
        }
        for body in self.bodies.iter_mut().rev() {
            body.shared.push((usage, name));
            if !body.is_part {
                break;
            }
        }
    }

    /// Records that the open body writes its own variable.
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
        if is_passed {
            fate.passed = true
        } else {
            fate.assigned = true
        }
        if is_passed && is_receiver {
            fate.counts = Some(false);
        }
    }

    /// Records a use of an outer variable in the open body and in the enclosing bodies that it is part of. Returns
    /// whether the body that owns the variable is one of them.
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

    /// Whether a bound name is a variable.
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
        // A name outside the source text was created by the lowering.
        if !self.source.as_bytes().as_ptr_range().contains(&name.as_ptr()) {
            return false;
        }
        match body.flags & (BodyFlags::MODULE | BodyFlags::CLASS) {
            BodyFlags::MODULE => {
                let names = &self.file_names;
                names.variables.contains(name) || !variable.fate.passed && !names.module.contains(name)
            }
            // Names in a class body are members.
            BodyFlags::CLASS => false,
            _ => {
                let inner = self.file_names.inner.get(&body.definition);
                !inner.is_some_and(|names| names.iter().any(|text| self.facts.text.get(*text) == name))
            }
        }
    }

    /// Whether a body with this definition, opened now, would be part of the open body.
    pub(super) fn is_part(&self, definition: u32) -> bool {
        let Some(around) = self.bodies.last() else {
            return false;
        };
        let is_function = around.flags & (BodyFlags::MODULE | BodyFlags::CLASS) == 0;
        let row = self.facts.definitions.get(definition as usize);
        is_function && (definition == around.definition || row.is_none_or(|row| row.is_anonymous()))
    }

    /// Writes the variables of a closed body to the facts.
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
            // A name that is declared but never mentioned again can be a guess of the lowering.
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

    /// Adds uses of module variables that no scope of a function binds. Then sorts all rows and removes duplicates.
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
                if around.is_anonymous() {
                    scope = around.parent.get()
                } else {
                    break;
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
