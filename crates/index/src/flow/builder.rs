//! Writes the instructions of bodies while a language walks its syntax tree.
//!
//! Variables are in SSA form: each write creates a slot. Straight-line writes replace the version, branches join in a
//! new slot, and loops join with their entry. An inner body sees a captured variable through its cell. The cell
//! contains the versions that are live when the inner body can run: at the end of the outer body, and at any call after
//! the inner body was created.

use foldhash::{HashMap, HashSet};

use lore_model::{
    BodyFlags, FileFacts, FlowBody, FlowCapture, FlowCode, FlowExport, FlowParameter, FlowStep, NONE, SymbolKind,
    TextRange, VariableUse,
};

use std::rc::Rc;

use xxhash_rust::xxh3::xxh3_64;

use super::passing::passing_flags;
use super::reads::Reads;
use super::variables::{Fate, FileNames};
use crate::syntax::Node;

/// A slot of the body under construction. Slots of different bodies must not be mixed.
pub(crate) type Slot = u32;

/// Nesting depth that is lowered. Deeper code is ignored, to bound the stack.
const MAX_DEPTH: u32 = 180;
/// Bytes of a name. A longer one, such as the text of a type that spells out others, is cut and told apart by a digest: types
/// that nest would otherwise take memory that grows with the square of the depth.
const MAX_NAME: usize = 1_000;

/// The SSA version of each variable at one point of a body.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    pub(super) versions: Vec<Slot>,
    pub(super) dead: bool,
}

/// One argument of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument<'t> {
    Plain(Slot),
    /// As [`Argument::Plain`], with the name of the static type.
    Typed(Slot, &'t str),
    Named(&'t str, Slot),
    Spread(Slot),
    NamedSpread(Slot),
    /// Receives a further result of the call. If the callee is external, the result is an instance of the named class.
    Result(&'t str, Slot),
}

#[derive(Clone, Copy)]
pub(super) enum Binding {
    /// A variable of this body.
    Own(usize),
    /// A variable of an enclosing body, declared so (`nonlocal`).
    Outer,
    /// A variable of the module, declared so (`global`).
    Module,
}

pub(super) struct Variable<'t> {
    pub(super) name: &'t str,
    pub(super) cell: Slot,
    /// The number of calls in this body before an inner body first captured the variable.
    pub(super) captured: Option<u32>,
    /// The number of calls in this body before the last write.
    pub(super) written: u32,
    pub(super) named: Named,
    pub(super) fate: Fate,
}

/// The kind of a name, in languages that distinguish names of definitions from variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    Variable,
    Item,
    /// A type that the caller chooses.
    TypeParameter,
    /// A variable that holds a reference-counted pointer.
    Counted,
}

/// The control-flow paths that leave an open loop or its current iteration.
#[derive(Default)]
pub(super) struct Loop {
    pub(super) breaks: Vec<Environment>,
    pub(super) continues: Vec<Environment>,
    pub(super) label: String,
}

pub(super) struct Body<'t> {
    pub(super) number: usize,
    pub(super) definition: u32,
    pub(super) flags: u32,
    pub(super) declared: u32,
    pub(super) slots: u32,
    pub(super) steps: Vec<FlowStep>,
    pub(super) parameters: Vec<FlowParameter>,
    pub(super) captures: Vec<FlowCapture>,
    pub(super) captured: HashMap<(u32, Slot), Slot>,
    pub(super) globals: HashMap<&'t str, Slot>,
    pub(super) literals: HashMap<Slot, &'t str>,
    pub(super) result: Slot,
    pub(super) results: u32,
    pub(super) yielded: Slot,
    pub(super) receiver: Slot,
    pub(super) thrown: Slot,
    /// The slots that catch exceptions here, innermost last.
    pub(super) catchers: Vec<Slot>,
    pub(super) variables: Vec<Variable<'t>>,
    /// Uses of variables of enclosing bodies.
    pub(super) shared: Vec<(VariableUse, &'t str)>,
    /// Whether the body is part of the enclosing function.
    pub(super) is_part: bool,
    /// Whether declarations and writes are assignments in the source.
    pub(super) assigning: bool,
    pub(super) blocks: Vec<HashMap<&'t str, Binding>>,
    /// The positions at which variables are written, in source order.
    pub(super) writes: Vec<(usize, &'t str)>,
    pub(super) versions: Vec<Slot>,
    pub(super) dead: bool,
    pub(super) calls: u32,
    pub(super) loops: Vec<Loop>,
    /// The label of the next loop.
    pub(super) label: String,
}

/// The value flow of one file under construction.
///
/// The builder keeps a stack of open bodies, with the module at the bottom. Every `begin` needs an `end`: instructions
/// always go to the innermost open body.
pub(crate) struct FlowBuilder<'t, 'f> {
    pub(crate) source: &'t str,
    pub(super) facts: &'f mut FileFacts,
    pub(super) opened: HashMap<usize, u32>,
    pub(super) names: HashMap<String, u32>,
    pub(super) bodies: Vec<Body<'t>>,
    /// Names that can denote members of modules.
    pub(super) reads: Reads<'t>,
    /// The definitions and imports of the file.
    pub(super) file_names: FileNames,
    pub(super) depth: u32,
    /// Macro arguments and other token sequences that were parsed separately, by start position.
    embedded: HashMap<usize, Node<'t>>,
    /// The rows of the enclosing classes, innermost last.
    pub(crate) classes: Vec<u32>,
    /// Names of types that a value of the same name hides.
    pub(crate) hidden_types: HashSet<&'t str>,
    /// Names of types that are declared more than once.
    pub(crate) repeated_types: HashSet<&'t str>,
    /// Whether functions see the names of the enclosing class body.
    pub(crate) class_names_are_seen: bool,
    /// The names that the module exports. `None` means all of its variables.
    pub(crate) exported: Option<HashSet<&'t str>>,
    /// Names and built-in classes of the named results of the enclosing functions, innermost last.
    pub(crate) result_names: Vec<Vec<(&'t str, &'static str)>>,
    /// Constants of the module with a known truth value.
    pub(crate) constants: HashMap<&'t str, bool>,
    /// Definitions by line and name, built on first use.
    named: Option<HashMap<(u32, String), u32>>,
    /// The starts of the lines, found on first use.
    pub(super) line_starts: Option<Rc<[u32]>>,
    /// Names of fields that a language marks for its own use.
    pub(crate) marked: HashSet<&'t str>,
}

impl<'t, 'f> FlowBuilder<'t, 'f> {
    /// Creates a builder with an open module body.
    pub(crate) fn new(source: &'t str, facts: &'f mut FileFacts, opened: HashMap<usize, u32>) -> Self {
        let reads = Reads::of(facts);
        let file_names = FileNames::of(facts);
        let mut builder = Self {
            source,
            facts,
            reads,
            file_names,
            opened,
            names: HashMap::default(),
            bodies: Vec::new(),
            depth: 0,
            embedded: HashMap::default(),
            classes: Vec::new(),
            hidden_types: HashSet::default(),
            repeated_types: HashSet::default(),
            class_names_are_seen: false,
            exported: None,
            result_names: Vec::new(),
            constants: HashMap::default(),
            named: None,
            line_starts: None,
            marked: HashSet::default(),
        };
        builder.begin(NONE, BodyFlags::MODULE);
        builder
    }

    /// Adds a part that was parsed separately.
    pub(crate) fn add_part(&mut self, start: usize, root: Node<'t>) {
        self.embedded.insert(start, root);
    }

    /// The separately parsed part that starts at a byte.
    pub(crate) fn embedded(&self, start: usize) -> Option<Node<'t>> {
        self.embedded.get(&start).copied()
    }

    /// The definition of the innermost open body that has one.
    pub(crate) fn definition_around(&self) -> u32 {
        let bodies = self.bodies.iter().rev();
        bodies
            .map(|body| body.definition)
            .find(|definition| *definition != NONE)
            .unwrap_or(NONE)
    }

    /// Closes all bodies and writes the facts of the file.
    pub(crate) fn finish(mut self) {
        while self.bodies.len() > 1 {
            self.end();
        }
        // Every variable of a module is visible from outside, unless `exported` restricts it.
        let mut names: Vec<(&'t str, usize)> = self.bodies[0]
            .blocks
            .first()
            .into_iter()
            .flatten()
            .filter_map(|(name, binding)| match binding {
                Binding::Own(variable) => Some((*name, *variable)),
                Binding::Outer | Binding::Module => None,
            })
            .filter(|(name, _)| self.exported.as_ref().is_none_or(|names| names.contains(name)))
            .collect();
        // Source order makes the facts deterministic.
        names.sort_unstable_by_key(|(_, variable)| *variable);
        let mut exports: Vec<(u32, Slot)> = Vec::new();
        for (name, variable) in names {
            let cell = self.cell(0, variable);
            exports.push((self.name(name), cell));
        }
        exports.sort_unstable();
        self.facts
            .flow
            .exports
            .extend(exports.into_iter().map(|(name, slot)| FlowExport {
                name: name.into(),
                slot: slot.into(),
                space: NONE.into(),
                definition: NONE.into(),
                flags: 0,
            }));
        self.end();
        self.finish_variables();
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'t str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    /// The definition that a node opens.
    pub(crate) fn definition(&self, node: Node<'_>) -> Option<u32> {
        self.opened.get(&node.id()).copied()
    }

    /// The definition of a name at a line.
    pub(crate) fn definition_named(&mut self, line: u32, name: &str) -> Option<u32> {
        let facts = &*self.facts;
        let named = self.named.get_or_insert_with(|| {
            let rows = facts.definitions.iter().enumerate().rev();
            rows.map(|(at, row)| ((row.place.line.get(), facts.text.get(row.name).to_owned()), at as u32))
                .collect()
        });
        named.get(&(line, name.to_owned())).copied()
    }

    pub(crate) fn name_and_kind(&self, definition: u32) -> Option<(String, lore_model::SymbolKind)> {
        let row = self.facts.definitions.get(definition as usize)?;
        Some((self.facts.text.get(row.name).to_owned(), row.kind()))
    }

    /// The package that the file declares, and its imports as module, name in the module, and local name.
    pub(crate) fn package_and_imports(&self) -> (String, Vec<(String, String, String)>) {
        let text = |text| self.facts.text.get(text).to_owned();
        let imports = self.facts.imports.iter();
        let imports = imports.map(|row| (text(row.module), text(row.name), text(row.local)));
        (text(self.facts.package), imports.collect())
    }

    /// Enters a level of nesting. Returns whether the depth limit allows it. Every call needs a [`FlowBuilder::leave`].
    pub(crate) fn enter(&mut self) -> bool {
        self.depth += 1;
        self.depth <= MAX_DEPTH
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The row of a name.
    pub(crate) fn name(&mut self, name: &str) -> u32 {
        let short;
        let name = match name.len() {
            0..=MAX_NAME => name,
            _ => {
                let cut = &name[..name.floor_char_boundary(MAX_NAME)];
                short = format!("{cut}…{:016x}", xxh3_64(name.as_bytes()));
                &short
            }
        };
        if let Some(row) = self.names.get(name) {
            return *row;
        }
        let row = self.facts.flow.names.len() as u32;
        let text = self.facts.text.push(name);
        self.facts.flow.names.push(text);
        self.names.insert(name.to_owned(), row);
        row
    }

    /// Exports a name of the module that is not one of its variables.
    pub(crate) fn export(&mut self, name: &str, slot: Slot) {
        let name = self.name(name);
        self.facts.flow.exports.push(FlowExport {
            name: name.into(),
            slot: slot.into(),
            space: NONE.into(),
            definition: NONE.into(),
            flags: 0,
        });
    }

    /// Exports a name into a space, which several files fill together. The module must be the open body.
    pub(crate) fn export_in(&mut self, space: &str, name: &str, slot: Slot, definition: u32, flags: u8) {
        let (space, name) = (self.name(space), self.name(name));
        self.facts.flow.exports.push(FlowExport {
            name: name.into(),
            slot: slot.into(),
            space: space.into(),
            definition: definition.into(),
            flags,
        });
    }

    // Bodies.

    /// The name of the innermost open class.
    pub(crate) fn class_name(&self) -> Option<&str> {
        let class = self.facts.flow.classes.get(*self.classes.last()? as usize)?;
        let definition = self.facts.definitions.get(class.definition.get() as usize)?;
        Some(self.facts.text.get(definition.name))
    }

    /// Whether a name is declared in an open body, and not only looked up for the whole file.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        self.bodies.iter().enumerate().any(|(number, body)| {
            let blocks = match number {
                0 => body.blocks.get(..1).unwrap_or(&[]),
                _ => &body.blocks[..],
            };
            blocks.iter().any(|block| block.contains_key(name))
        })
    }

    /// Whether a name is a variable of a body other than the module.
    pub(crate) fn is_local(&self, name: &str) -> bool {
        let inner = self.bodies.get(1..).unwrap_or(&[]);
        inner
            .iter()
            .any(|body| body.blocks.iter().any(|block| block.contains_key(name)))
    }

    /// The known truth value of a module constant, unless a variable hides it.
    pub(crate) fn constant(&self, name: &str) -> Option<bool> {
        let known = self.constants.get(name).copied()?;
        let open = self.bodies.len() - 1;
        let hidden = open > 0
            && (self.binding(open, name).is_some() || self.outer_variable(name).is_some_and(|(body, _)| body > 0));
        (!hidden).then_some(known)
    }

    /// Whether a name is a function of the module.
    pub(crate) fn names_function(&self, name: &str) -> bool {
        self.names_module_member(name, SymbolKind::Function)
    }

    /// Whether a name is a constant of the module.
    pub(crate) fn names_constant(&self, name: &str) -> bool {
        self.names_module_member(name, SymbolKind::Constant)
    }

    fn names_module_member(&self, name: &str, kind: SymbolKind) -> bool {
        self.reads.members.get(name) == Some(&kind)
    }

    pub(crate) fn source_starts_with(&self, text: &str) -> bool {
        self.source.starts_with(text)
    }

    /// Opens a body inside the open body.
    pub(crate) fn begin(&mut self, definition: u32, flags: u32) {
        let number = self.facts.flow.bodies.len();
        let is_part = self.is_part(definition);
        let parent = self.bodies.last().map_or(NONE, |body| body.number as u32);
        let zero = TextRange::default();
        self.facts.flow.bodies.push(FlowBody {
            definition: definition.into(),
            parent: parent.into(),
            slots: 0.into(),
            seeds: zero,
            steps: zero,
            parameters: zero,
            captures: zero,
            result: NONE.into(),
            results: 1.into(),
            yielded: NONE.into(),
            receiver: NONE.into(),
            thrown: NONE.into(),
            declared: NONE.into(),
            flags: flags.into(),
        });
        self.bodies.push(Body {
            number,
            definition,
            flags,
            declared: NONE,
            slots: 1,
            steps: Vec::new(),
            parameters: Vec::new(),
            captures: Vec::new(),
            captured: HashMap::default(),
            globals: HashMap::default(),
            literals: HashMap::default(),
            result: 0,
            results: 1,
            yielded: NONE,
            receiver: NONE,
            thrown: NONE,
            catchers: Vec::new(),
            variables: Vec::new(),
            shared: Vec::new(),
            is_part,
            assigning: true,
            blocks: vec![HashMap::default()],
            writes: Vec::new(),
            versions: Vec::new(),
            dead: false,
            calls: 0,
            loops: Vec::new(),
            label: String::new(),
        });
    }

    /// Closes the open body. Returns its number.
    pub(crate) fn end(&mut self) -> u32 {
        self.settle_cells();
        let Some(mut body) = self.bodies.pop() else {
            return NONE;
        };
        self.settle_variables(&body);
        let flow = &mut self.facts.flow;
        let passing = passing_flags(&body, &flow.arguments);
        // Sorted by operand, because the solver looks instructions up by their operand.
        body.steps.sort_by_key(|step| {
            if step.code < FlowCode::FIRST_STEP {
                (0, 0)
            } else {
                (1, step.a.get())
            }
        });
        let seeds = body
            .steps
            .iter()
            .take_while(|step| step.code < FlowCode::FIRST_STEP)
            .count();
        let run = |start: usize, len: usize| TextRange {
            start: (start as u32).into(),
            len: (len as u32).into(),
        };
        let row = FlowBody {
            slots: body.slots.into(),
            seeds: run(flow.steps.len(), seeds),
            steps: run(flow.steps.len() + seeds, body.steps.len() - seeds),
            parameters: run(flow.parameters.len(), body.parameters.len()),
            captures: run(flow.captures.len(), body.captures.len()),
            result: body.result.into(),
            results: body.results.into(),
            yielded: body.yielded.into(),
            receiver: body.receiver.into(),
            thrown: body.thrown.into(),
            declared: body.declared.into(),
            flags: (body.flags | passing).into(),
            ..flow.bodies[body.number]
        };
        flow.bodies[body.number] = row;
        flow.steps.append(&mut body.steps);
        flow.parameters.append(&mut body.parameters);
        flow.captures.append(&mut body.captures);
        body.number as u32
    }

    /// Copies the live versions of captured variables to their cells, at the end of a body or at a return.
    pub(super) fn settle_cells(&mut self) {
        let body = self.body();
        if body.dead {
            return;
        }
        let copies: Vec<(Slot, Slot)> = body
            .variables
            .iter()
            .zip(&body.versions)
            .filter(|(variable, version)| variable.cell != NONE && **version != NONE)
            .map(|(variable, version)| (variable.cell, *version))
            .collect();
        for (cell, version) in copies {
            self.copy(cell, version);
        }
    }

    pub(super) fn body(&mut self) -> &mut Body<'t> {
        self.bodies.last_mut().expect("because the module is closed last")
    }

    /// Gives the open body several results. Call this before the body has other slots.
    pub(crate) fn set_results(&mut self, count: u32) {
        let body = self.body();
        body.results = count;
        body.slots = body.slots.max(count);
    }

    pub(crate) fn body_number(&self) -> usize {
        self.bodies.last().map_or(0, |body| body.number)
    }

    pub(crate) fn flags(&mut self) -> u32 {
        self.body().flags
    }

    pub(crate) fn add_flags(&mut self, flags: u32) {
        self.body().flags |= flags;
    }

    /// Adds a parameter. Returns its slot. The caller declares the variable.
    pub(crate) fn parameter(&mut self, name: &'t str, kind: u8) -> Slot {
        let slot = self.slot();
        let row = self.name(name);
        self.body().parameters.push(FlowParameter {
            name: row.into(),
            slot: slot.into(),
            default: NONE.into(),
            declared: NONE.into(),
            kind,
        });
        slot
    }

    /// Sets the declared type of the last parameter, for overload resolution.
    pub(crate) fn set_parameter_type(&mut self, name: &str) {
        let name = self.name(name);
        if let Some(parameter) = self.body().parameters.last_mut() {
            parameter.declared = name.into();
        }
    }

    /// Sets the declared result type of the open body, for overload resolution.
    pub(crate) fn set_result_type(&mut self, name: &str) {
        let name = self.name(name);
        self.body().declared = name;
    }

    /// The slots and kinds of the parameters of the open body.
    pub(crate) fn parameters(&mut self) -> Vec<(Slot, u8)> {
        let parameters = &self.body().parameters;
        parameters
            .iter()
            .map(|parameter| (parameter.slot.get(), parameter.kind))
            .collect()
    }

    /// Sets the default value of the last parameter.
    pub(crate) fn set_default(&mut self, value: Slot) {
        if let Some(parameter) = self.body().parameters.last_mut() {
            parameter.default = value.into();
        }
    }

    // Scopes.

    /// Opens a block. Names declared in the block hide outer names.
    pub(crate) fn begin_block(&mut self) {
        self.body().blocks.push(HashMap::default());
    }

    pub(crate) fn end_block(&mut self) {
        self.body().blocks.pop();
    }

    /// Declares a variable of the innermost block.
    pub(crate) fn declare(&mut self, name: &'t str) {
        let fate = self.new_fate();
        let body = self.body();
        let Some(block) = body.blocks.last_mut() else {
            return;
        };
        if block.contains_key(name) {
            return;
        }
        block.insert(name, Binding::Own(body.variables.len()));
        body.variables.push(Variable {
            name,
            cell: NONE,
            captured: None,
            written: 0,
            named: Named::Variable,
            fate,
        });
        body.versions.push(NONE);
    }

    /// Declares a variable of the innermost block that hides an earlier one of the same name from here on.
    pub(crate) fn declare_anew(&mut self, name: &'t str) {
        if let Some(block) = self.body().blocks.last_mut() {
            block.remove(name);
        }
        self.declare(name);
    }

    /// Whether the innermost block declares a name.
    pub(crate) fn declares(&mut self, name: &str) -> bool {
        self.body().blocks.last().is_some_and(|block| block.contains_key(name))
    }

    /// Declares a variable of the outermost block of the body.
    pub(crate) fn declare_in_body(&mut self, name: &'t str) {
        let body = self.body();
        let inner = body.blocks.split_off(1);
        self.declare(name);
        self.body().blocks.extend(inner);
    }

    /// Declares that a name is a variable of an enclosing body (`nonlocal`).
    pub(crate) fn declare_outer(&mut self, name: &'t str) {
        if let Some(block) = self.body().blocks.last_mut() {
            block.insert(name, Binding::Outer);
        }
    }

    /// Declares that a name is a variable of the module (`global`).
    pub(crate) fn declare_global(&mut self, name: &'t str) {
        if let Some(block) = self.body().blocks.last_mut() {
            block.insert(name, Binding::Module);
        }
        let inner = self.bodies.split_off(1);
        self.declare_in_body(name);
        self.bodies.extend(inner);
    }

    /// Records where a variable of this body is written, in source order. Loops read these positions.
    pub(crate) fn note_write(&mut self, byte: usize, name: &'t str) {
        self.body().writes.push((byte, name));
    }

    pub(super) fn binding(&self, body: usize, name: &str) -> Option<Binding> {
        self.bodies[body]
            .blocks
            .iter()
            .rev()
            .find_map(|block| block.get(name))
            .copied()
    }

    /// The innermost enclosing body that has a variable of the name, and the variable.
    pub(super) fn outer_variable(&self, name: &str) -> Option<(usize, usize)> {
        let open = self.bodies.len() - 1;
        for body in (0..open).rev() {
            // Functions do not see the names of an enclosing class body, unless the language says so.
            if self.bodies[body].flags & BodyFlags::CLASS != 0 && !self.class_names_are_seen {
                continue;
            }
            match self.binding(body, name) {
                Some(Binding::Own(variable)) => return Some((body, variable)),
                Some(Binding::Outer | Binding::Module) | None => {}
            }
        }
        None
    }

    fn module_variable(&self, name: &str) -> Option<(usize, usize)> {
        match self.bodies[0].blocks.first()?.get(name)? {
            Binding::Own(variable) => Some((0, *variable)),
            Binding::Outer | Binding::Module => None,
        }
    }

    /// The cell of a variable: the slot through which inner bodies see it.
    pub(super) fn cell(&mut self, body: usize, variable: usize) -> Slot {
        let body = &mut self.bodies[body];
        if body.variables[variable].cell == NONE {
            body.variables[variable].cell = body.slots;
            body.slots += 1;
        }
        body.variables[variable].cell
    }

    /// The slot of this body that mirrors a cell of an enclosing body.
    pub(super) fn capture(&mut self, outer: usize, variable: usize) -> Slot {
        let cell = self.cell(outer, variable);
        let open = self.bodies.len() - 1;
        let at_once = (outer + 1..=open).all(|body| self.bodies[body].flags & BodyFlags::CLASS != 0);
        let body = &mut self.bodies[outer];
        let version = body.versions[variable];
        if at_once {
            if version != NONE {
                body.steps.push(plain_copy(cell, version));
            }
        } else if body.variables[variable].captured.is_none() {
            body.variables[variable].captured = Some(body.calls);
        }
        let levels = (open - outer) as u32;
        if let Some(slot) = self.body().captured.get(&(levels, cell)) {
            return *slot;
        }
        let slot = self.slot();
        self.body().captured.insert((levels, cell), slot);
        self.body().captures.push(FlowCapture {
            slot: slot.into(),
            levels: levels.into(),
            outer: cell.into(),
            written: 0,
        });
        slot
    }

    /// Reads a name: its current version, a captured variable, or a global.
    pub(crate) fn read(&mut self, name: &'t str) -> Slot {
        let open = self.bodies.len() - 1;
        let outer = match self.binding(open, name) {
            Some(Binding::Own(variable)) => {
                self.note_use(open, variable);
                let version = self.bodies[open].versions[variable];
                if version != NONE {
                    return version;
                }
                // Not written yet on this path: the cell holds all versions. A class body looks in enclosing bodies
                // instead.
                if self.bodies[open].flags & BodyFlags::CLASS == 0 || self.class_names_are_seen {
                    return self.cell(open, variable);
                }
                self.outer_variable(name)
            }
            Some(Binding::Module) => self.module_variable(name),
            Some(Binding::Outer) | None => self.outer_variable(name),
        };
        match outer {
            Some((body, variable)) => {
                self.note_use(body, variable);
                if body == open {
                    self.cell(body, variable)
                } else {
                    self.capture(body, variable)
                }
            }
            None => self.global(name),
        }
    }

    /// Reads a variable of the module, also where another variable of the name hides it.
    pub(crate) fn read_of_module(&mut self, name: &'t str) -> Slot {
        let open = self.bodies.len() - 1;
        match self.module_variable(name) {
            Some((body, variable)) if body == open => self.cell(body, variable),
            Some((body, variable)) => {
                self.note_use(body, variable);
                self.capture(body, variable)
            }
            None => self.global(name),
        }
    }

    /// Runs a closure with the module as the open body. Its declarations and writes do not count as assignments.
    pub(crate) fn in_module<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let inner = self.bodies.split_off(1);
        let before = self.set_assigning(false);
        let outcome = work(self);
        self.set_assigning(before);
        self.bodies.extend(inner);
        outcome
    }

    /// Resolves a name that no file defines.
    pub(crate) fn global(&mut self, name: &'t str) -> Slot {
        if let Some(slot) = self.body().globals.get(name) {
            return *slot;
        }
        let slot = self.slot();
        self.body().globals.insert(name, slot);
        let row = self.name(name);
        self.push(FlowCode::GLOBAL, slot, [row, 0, 0], 0, 0);
        slot
    }

    /// The variables of the open body with their current versions.
    pub(crate) fn own_variables(&mut self) -> Vec<(&'t str, Slot)> {
        let body = self.body();
        let mut found: Vec<(usize, &'t str)> = body
            .blocks
            .first()
            .into_iter()
            .flatten()
            .filter_map(|(name, binding)| match binding {
                Binding::Own(variable) => Some((*variable, *name)),
                Binding::Outer | Binding::Module => None,
            })
            .collect();
        found.sort_unstable();
        found
            .into_iter()
            .map(|(variable, name)| (name, body.versions[variable]))
            .filter(|(_, version)| *version != NONE)
            .collect()
    }

    /// The slot of the first parameter of the open body, or a new slot if it has none.
    pub(crate) fn first_parameter(&mut self) -> Slot {
        let body = self.body();
        match body.parameters.first() {
            Some(parameter) => parameter.slot.get(),
            None => self.slot(),
        }
    }

    /// Whether a name is a variable of an open body.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        let open = self.bodies.len() - 1;
        self.binding(open, name).is_some() || self.outer_variable(name).is_some()
    }

    /// Whether a variable of this body has a version here.
    pub(crate) fn is_written(&self, name: &str) -> bool {
        let open = self.bodies.len() - 1;
        match self.binding(open, name) {
            Some(Binding::Own(variable)) => self.bodies[open].versions[variable] != NONE,
            _ => false,
        }
    }

    /// Replaces the version of a variable on this path, without a write. Used to narrow types.
    pub(crate) fn shadow(&mut self, name: &'t str, value: Slot) {
        let open = self.bodies.len() - 1;
        if let Some(Binding::Own(variable)) = self.binding(open, name) {
            self.body().versions[variable] = value;
        }
    }

    /// Writes a name: its own version, or the cell of an outer variable.
    pub(crate) fn write(&mut self, name: &'t str, value: Slot) {
        let open = self.bodies.len() - 1;
        let outer = match self.binding(open, name) {
            Some(Binding::Own(variable)) => {
                self.write_own(variable, value);
                return;
            }
            Some(Binding::Module) => self.module_variable(name),
            Some(Binding::Outer) | None => self.outer_variable(name),
        };
        let Some((body, variable)) = outer else {
            self.declare_in_body(name);
            if let Some(Binding::Own(variable)) = self.binding(open, name) {
                self.write_own(variable, value);
            }
            return;
        };
        let cell = self.cell(body, variable);
        let levels = (open - body) as u32;
        if levels == 0 {
            self.copy(cell, value);
            return;
        }
        self.note_outer_write(body, variable, name);
        self.body().captures.push(FlowCapture {
            slot: value.into(),
            levels: levels.into(),
            outer: cell.into(),
            written: 1,
        });
    }

    fn write_own(&mut self, variable: usize, value: Slot) {
        self.note_own_write(variable, value);
        let body = self.body();
        let old = body.versions[variable];
        let known = &body.variables[variable];
        if let Some(captured) = known.captured
            && old != NONE
            && body.calls > captured.max(known.written)
        {
            // An inner body may have run while the old version was live.
            let cell = known.cell;
            body.steps.push(plain_copy(cell, old));
        }
        body.versions[variable] = value;
        body.variables[variable].written = body.calls;
    }
}

pub(super) fn plain_copy(to: Slot, from: Slot) -> FlowStep {
    FlowStep {
        to: to.into(),
        a: from.into(),
        b: 0.into(),
        c: 0.into(),
        receiver: NONE.into(),
        line: 0.into(),
        code: FlowCode::COPY,
        flags: 0,
    }
}
