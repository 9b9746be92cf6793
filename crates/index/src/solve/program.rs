//! All files as the solver sees them: numbers for bodies, classes and names that hold across files.

use std::collections::HashMap;

use lore_model::{
    ArgumentKind, FactsView, FlowBody, FlowClass, FlowCode, FlowStep, FlowView, NONE, RepoPath, SymbolKind,
};

use super::fast_hash::Map;
use crate::language::Language;
use crate::layout::Root;

/// One file.
pub(crate) struct Unit<'s> {
    pub(crate) facts: FactsView<'s>,
    pub(crate) language: &'static Language,
    /// Its path; none for a prelude.
    pub(crate) path: Option<&'s RepoPath>,
    /// The module it belongs to, by number.
    pub(crate) module: usize,
    /// The symbol of its first definition; [`NONE`] for a prelude.
    pub(crate) first_symbol: u32,
    /// The symbol of its module.
    pub(crate) module_symbol: u32,
}

/// A module: the files of one name in one language.
pub(crate) struct ModuleRow {
    pub(crate) name: String,
    pub(crate) language: &'static str,
    pub(crate) units: Vec<usize>,
    /// Whether it stands for a module of the language's own.
    pub(crate) prelude: bool,
}

/// Every unit, with tables that lead from global numbers back to rows.
pub(crate) struct Program<'s> {
    pub(crate) units: Vec<Unit<'s>>,
    pub(crate) modules: Vec<ModuleRow>,
    pub(crate) module_numbers: HashMap<(&'static str, String), usize>,
    /// Paths of files, for languages that import by path.
    pub(crate) paths: HashMap<&'s str, usize>,
    /// By unit: the number of its first body, class and name; one more at the end.
    bodies: Vec<u32>,
    classes: Vec<u32>,
    /// By unit, by row: the number of a name.
    names: Vec<Vec<u32>>,
    pub(super) interned: HashMap<String, u32>,
    pub(super) texts: Vec<String>,
    body_units: Vec<u32>,
    class_units: Vec<u32>,
    roots: HashMap<&'static str, Vec<Root>>,
    /// By unit: the number of its first instruction; one more at the end.
    steps: Vec<u32>,
    /// By body: where the entries of its slots begin.
    body_slots: Vec<u32>,
    /// By slot of all bodies, and one more for each body: the first instruction that has it as operand, as a row of its unit.
    step_starts: Vec<u32>,
    /// By name: whether any source writes a member of that name.
    written: Vec<bool>,
    rule_names: Map<(usize, usize), u32>,
    signed_names: Map<(u32, u32), u32>,
    positions: Vec<u32>,
}

impl<'s> Program<'s> {
    pub(crate) fn new(units: Vec<Unit<'s>>, modules: Vec<ModuleRow>, roots: HashMap<&'static str, Vec<Root>>) -> Self {
        let mut program = Self {
            // The first of several modules of one name is the one that is meant.
            module_numbers: modules
                .iter()
                .enumerate()
                .rev()
                .map(|(number, module)| ((module.language, module.name.clone()), number))
                .collect(),
            paths: units
                .iter()
                .enumerate()
                .filter_map(|(number, unit)| Some((unit.path?.as_str(), number)))
                .collect(),
            units,
            modules,
            bodies: Vec::new(),
            classes: Vec::new(),
            names: Vec::new(),
            interned: HashMap::new(),
            texts: Vec::new(),
            body_units: Vec::new(),
            class_units: Vec::new(),
            roots,
            steps: vec![0],
            body_slots: Vec::new(),
            step_starts: Vec::new(),
            written: Vec::new(),
            rule_names: Map::default(),
            signed_names: Map::default(),
            positions: Vec::new(),
        };
        for number in 0..program.units.len() {
            let facts = program.units[number].facts;
            program.bodies.push(program.body_units.len() as u32);
            program.classes.push(program.class_units.len() as u32);
            program
                .body_units
                .extend(std::iter::repeat_n(number as u32, facts.flow.bodies.len()));
            program
                .class_units
                .extend(std::iter::repeat_n(number as u32, facts.flow.classes.len()));
            let names = facts
                .flow
                .names
                .iter()
                .map(|name| program.intern(facts.get(*name)))
                .collect();
            program.names.push(names);
            let first = program.steps.last().copied().unwrap_or(0);
            program.steps.push(first + facts.flow.steps.len() as u32);
        }
        program.note_written();
        program.note_steps();
        program
    }

    /// The symbols that stand in parts of files that hold tests, as ranges in order. Where the whole file does, the file says so.
    pub(crate) fn test_parts(&self) -> Vec<(u32, u32)> {
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for unit in self.units.iter().filter(|unit| unit.path.is_some()) {
            let Some(rules) = unit.language.flow else { continue };
            let facts = unit.facts;
            let mut end = 0;
            for (at, row) in facts.definitions.iter().enumerate() {
                let symbol = unit.first_symbol + at as u32;
                let decorators = &facts.lists[row.decorators.indexes(facts.lists.len())];
                if row.place.start_byte.get() < end {
                    if let Some(last) = parts.last_mut() {
                        last.1 = symbol + 1;
                    }
                } else if decorators
                    .iter()
                    .any(|decorator| (rules.makes_tests)(facts.get(*decorator)))
                {
                    end = row.place.end_byte.get();
                    parts.push((symbol, symbol + 1));
                }
            }
        }
        parts.sort_unstable();
        parts
    }

    /// Notes the names under which instances keep something.
    fn note_written(&mut self) {
        let mut written = vec![false; self.texts.len()];
        for (number, unit) in self.units.iter().enumerate() {
            let stores = unit
                .facts
                .flow
                .steps
                .iter()
                .filter(|step| matches!(step.code, FlowCode::STORE | FlowCode::HINT_MEMBER));
            for step in stores {
                if let Some(written) = written.get_mut(self.name(number, step.b.get()) as usize) {
                    *written = true;
                }
            }
            // What a data class takes is kept under the names of its fields, what a call names under its own.
            for definition in unit
                .facts
                .definitions
                .iter()
                .filter(|row| row.kind() == SymbolKind::Field)
            {
                if let Some(name) = self.interned.get(unit.facts.get(definition.name)) {
                    written[*name as usize] = true;
                }
            }
            for argument in unit
                .facts
                .flow
                .arguments
                .iter()
                .filter(|row| row.kind == ArgumentKind::NAMED)
            {
                if let Some(written) = written.get_mut(self.name(number, argument.name.get()) as usize) {
                    *written = true;
                }
            }
        }
        self.written = written;
    }

    /// Where the names of a language begin.
    pub(crate) fn roots(&self, language: &str) -> &[Root] {
        self.roots.get(language).map_or(&[], Vec::as_slice)
    }

    /// The number of a name.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        if let Some(number) = self.interned.get(name) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(name.to_owned());
        self.interned.insert(name.to_owned(), number);
        number
    }

    /// The number of a name that the rules of a language speak of.
    pub(super) fn rule_name(&mut self, name: &'static str) -> u32 {
        let address = name.as_ptr() as usize;
        if let Some(number) = self.rule_names.get(&(address, name.len())) {
            return *number;
        }
        let number = self.intern(name);
        self.rule_names.insert((address, name.len()), number);
        number
    }

    /// The number of a name with a sign before or behind it, which stands for something of its own.
    pub(super) fn signed_name(&mut self, name: u32, before: &'static str, behind: &'static str) -> u32 {
        let key = (name, before.len() as u32 * 4 + behind.len() as u32);
        if let Some(number) = self.signed_names.get(&key) {
            return *number;
        }
        let number = self.intern(&format!("{before}{}{behind}", self.text(name)));
        self.signed_names.insert(key, number);
        number
    }

    /// The number of the name of a position.
    pub(super) fn position(&mut self, at: usize) -> u32 {
        while self.positions.len() <= at.min(64) {
            let number = self.intern(&self.positions.len().to_string());
            self.positions.push(number);
        }
        match self.positions.get(at) {
            Some(number) => *number,
            None => self.intern(&at.to_string()),
        }
    }

    /// Whether any source writes a member of that name.
    pub(super) fn is_written(&self, name: u32) -> bool {
        self.written.get(name as usize).copied().unwrap_or(true)
    }

    /// The number of an instruction among those of all units.
    pub(super) fn global_step(&self, unit: usize, step: u32) -> usize {
        self.steps[unit] as usize + step as usize
    }

    pub(super) fn text(&self, name: u32) -> &str {
        self.texts.get(name as usize).map_or("", String::as_str)
    }

    /// Names that some class runs something for when they are written, and the name of that.
    pub(super) fn setters(&self) -> Map<u32, u32> {
        let setters = self.interned.iter().filter_map(|(name, number)| {
            let written = self.interned.get(name.strip_suffix(":set")?)?;
            Some((*written, *number))
        });
        setters.collect()
    }

    /// How many slots all bodies have.
    pub(super) fn slot_count(&self) -> usize {
        let bodies = self.units.iter().flat_map(|unit| unit.facts.flow.bodies);
        bodies.map(|body| body.slots.get() as usize).sum()
    }

    pub(super) fn body_count(&self) -> usize {
        self.body_units.len()
    }

    pub(super) fn unit_of_body(&self, body: u32) -> usize {
        self.body_units[body as usize] as usize
    }

    pub(super) fn unit_of_class(&self, class: u32) -> usize {
        self.class_units[class as usize] as usize
    }

    pub(super) fn body(&self, body: u32) -> &'s FlowBody {
        let unit = self.unit_of_body(body);
        &self.units[unit].facts.flow.bodies[(body - self.bodies[unit]) as usize]
    }

    pub(super) fn class(&self, class: u32) -> &'s FlowClass {
        let unit = self.unit_of_class(class);
        &self.units[unit].facts.flow.classes[(class - self.classes[unit]) as usize]
    }

    pub(super) fn global_body(&self, unit: usize, body: u32) -> u32 {
        self.bodies[unit] + body
    }

    pub(super) fn global_class(&self, unit: usize, class: u32) -> u32 {
        self.classes[unit] + class
    }

    /// The number of a name of a unit.
    pub(super) fn name(&self, unit: usize, name: u32) -> u32 {
        match name {
            NONE => NONE,
            name => self.names[unit].get(name as usize).copied().unwrap_or(NONE),
        }
    }

    /// The rows of a body's instructions that have a slot as operand, and the instructions.
    pub(super) fn steps_on(&self, body: u32, slot: u32) -> (&'s [FlowStep], usize) {
        let unit = self.body_units[body as usize] as usize;
        let steps = self.units[unit].facts.flow.steps;
        let at = self.body_slots[body as usize] as usize + slot as usize;
        let (Some(first), Some(end)) = (self.step_starts.get(at), self.step_starts.get(at + 1)) else {
            return (&[], 0);
        };
        (
            steps.get(*first as usize..*end as usize).unwrap_or(&[]),
            *first as usize,
        )
    }

    /// Notes where the instructions of each slot begin. Those of a body are sorted by their operand.
    fn note_steps(&mut self) {
        let units: Vec<FlowView<'s>> = self.units.iter().map(|unit| unit.facts.flow).collect();
        self.step_starts = Vec::with_capacity(self.slot_count() + self.body_units.len());
        for flow in units {
            for body in flow.bodies {
                self.body_slots.push(self.step_starts.len() as u32);
                let range = body.steps.indexes(flow.steps.len());
                let mut at = range.start;
                for slot in 0..=body.slots.get() {
                    while at < range.end && flow.steps[at].a.get() < slot {
                        at += 1;
                    }
                    self.step_starts.push(at as u32);
                }
            }
        }
    }

    /// The module of a name.
    pub(crate) fn module(&self, language: &'static str, name: &str) -> Option<usize> {
        self.module_numbers.get(&(language, name.to_owned())).copied()
    }
}
