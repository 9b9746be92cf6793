//! All files as one program: bodies, classes and names get numbers that are valid across files.

use foldhash::HashMap;

use lore_model::{
    ArgumentKind, FactsView, FlowBody, FlowClass, FlowCode, FlowFlags, FlowStep, NONE, RepoPath, SymbolKind,
};

use super::FlowRules;
use super::fast_hash::Map;
use crate::language::Language;
use crate::layout::Root;

/// One file, or one prelude source.
pub(crate) struct Unit<'s> {
    pub(crate) facts: FactsView<'s>,
    pub(crate) language: &'static Language,
    /// `None` for a prelude.
    pub(crate) path: Option<&'s RepoPath>,
    /// The module that the file belongs to, by number.
    pub(crate) module: usize,
    /// The row of the file in the snapshot; [`NONE`] for a prelude.
    pub(crate) file: u32,
    /// The symbol of the first definition; [`NONE`] for a prelude.
    pub(crate) first_symbol: u32,
    pub(crate) module_symbol: u32,
}

/// A module: all files with one module name in one language.
pub(crate) struct ModuleRow {
    pub(crate) name: String,
    pub(crate) language: &'static str,
    pub(crate) units: Vec<usize>,
    /// Whether the module is a prelude: a source model of a built-in module.
    pub(crate) prelude: bool,
}

/// A body with the fields that the solver's inner loop reads, to save lookups through the unit.
#[derive(Clone, Copy)]
struct BodyRow<'s> {
    row: &'s FlowBody,
    /// The instructions of the whole unit.
    steps: &'s [FlowStep],
    unit: u32,
    /// The index in `step_starts` of the entry of slot 0.
    starts: u32,
}

struct ClassRow<'s> {
    row: &'s FlowClass,
    unit: u32,
    /// The name of a class that a prelude defines; empty otherwise.
    built_in: &'s str,
}

/// All units, with tables that map program-wide numbers back to rows of a unit.
///
/// Facts number bodies, classes and names per file. The solver uses only program-wide numbers; convert with
/// [`Program::global_body`], [`Program::global_class`] and [`Program::name`] before comparing.
pub(crate) struct Program<'s> {
    pub(crate) units: Vec<Unit<'s>>,
    pub(crate) modules: Vec<ModuleRow>,
    pub(crate) module_numbers: HashMap<(&'static str, String), usize>,
    /// Units by file path, for languages that import by path.
    pub(crate) paths: HashMap<&'s str, usize>,
    /// By unit: the program-wide number of its first body. `classes` is the same for classes.
    bodies: Vec<u32>,
    classes: Vec<u32>,
    /// By unit and local name: the program-wide number of the name.
    names: Vec<Vec<u32>>,
    pub(super) interned: HashMap<String, u32>,
    pub(super) texts: Vec<String>,
    body_rows: Vec<BodyRow<'s>>,
    class_rows: Vec<ClassRow<'s>>,
    /// By unit: the rules of its language.
    rules: Vec<Option<&'static FlowRules>>,
    /// By unit: whether it is a prelude.
    preludes: Vec<bool>,
    roots: HashMap<&'static str, Vec<Root>>,
    /// By unit: the program-wide number of its first instruction, followed by the total.
    steps: Vec<u32>,
    /// By slot of each body, plus one end marker per body: the first instruction that has the slot as operand, as an
    /// index into the steps of the unit.
    step_starts: Vec<u32>,
    /// By name: whether any file stores to a member of this name.
    written: Vec<bool>,
    /// By name: whether any file reads or imports this name.
    mentioned: Vec<bool>,
    /// Cache of [`Program::rule_name`], by address and length of the static string.
    rule_names: Map<(usize, usize), u32>,
    /// Cache of [`Program::signed_name`].
    signed_names: Map<(u32, u32), u32>,
    /// Cache of [`Program::position`].
    positions: Vec<u32>,
}

impl<'s> Program<'s> {
    pub(crate) fn new(units: Vec<Unit<'s>>, modules: Vec<ModuleRow>, roots: HashMap<&'static str, Vec<Root>>) -> Self {
        let mut program = Self {
            // If several modules have the same name, the first one counts: the reversed iteration inserts it last.
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
            interned: HashMap::default(),
            texts: Vec::new(),
            body_rows: Vec::new(),
            class_rows: Vec::new(),
            rules: Vec::new(),
            preludes: Vec::new(),
            roots,
            steps: vec![0],
            step_starts: Vec::new(),
            written: Vec::new(),
            mentioned: Vec::new(),
            rule_names: Map::default(),
            signed_names: Map::default(),
            positions: Vec::new(),
        };
        for number in 0..program.units.len() {
            let facts = program.units[number].facts;
            program.bodies.push(program.body_rows.len() as u32);
            program.classes.push(program.class_rows.len() as u32);
            program.rules.push(program.units[number].language.flow);
            program.body_rows.extend(facts.flow.bodies.iter().map(|row| BodyRow {
                row,
                steps: facts.flow.steps,
                unit: number as u32,
                starts: 0,
            }));
            let in_prelude = program.units[number].path.is_none();
            program.preludes.push(in_prelude);
            program.class_rows.extend(facts.flow.classes.iter().map(|row| {
                let definition = facts.definitions.get(row.definition.get() as usize);
                ClassRow {
                    row,
                    unit: number as u32,
                    built_in: definition
                        .filter(|_| in_prelude)
                        .map_or("", |definition| facts.get(definition.name)),
                }
            }));
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

    /// The symbols inside parts of files that hold tests, as sorted ranges. Files that are tests as a whole are not
    /// included: their role already says so.
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

    /// Fills `mentioned` and `written`, so that the solver can skip member lookups that cannot find anything.
    fn note_written(&mut self) {
        let mut written = vec![false; self.texts.len()];
        let mut mentioned = vec![false; self.texts.len()];
        for (number, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.path.is_some()) {
            for step in unit.facts.flow.steps {
                let name = match step.code {
                    FlowCode::LOAD | FlowCode::LOAD_OR | FlowCode::IMPORT => step.b.get(),
                    FlowCode::FIND | FlowCode::GLOBAL => step.a.get(),
                    FlowCode::METHOD => step.receiver.get(),
                    _ => continue,
                };
                if let Some(mentioned) = mentioned.get_mut(self.name(number, name) as usize) {
                    *mentioned = true;
                }
            }
        }
        self.mentioned = mentioned;
        for (number, unit) in self.units.iter().enumerate() {
            let stores = unit.facts.flow.steps.iter();
            let stores = stores.filter(|step| match step.code {
                FlowCode::STORE => step.flags & FlowFlags::POSITION == 0,
                code => code == FlowCode::HINT_MEMBER,
            });
            for step in stores {
                if let Some(written) = written.get_mut(self.name(number, step.b.get()) as usize) {
                    *written = true;
                }
            }
            // A data class stores its arguments under the names of its fields. A named argument can become a field too.
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

    /// The source roots of a language, against which module names are resolved.
    pub(crate) fn roots(&self, language: &str) -> &[Root] {
        self.roots.get(language).map_or(&[], Vec::as_slice)
    }

    /// Interns a name.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        if let Some(number) = self.interned.get(name) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(name.to_owned());
        self.interned.insert(name.to_owned(), number);
        number
    }

    /// Interns a name from the language rules. Caches by address, because rules are static strings.
    pub(super) fn rule_name(&mut self, name: &'static str) -> u32 {
        let address = name.as_ptr() as usize;
        if let Some(number) = self.rule_names.get(&(address, name.len())) {
            return *number;
        }
        let number = self.intern(name);
        self.rule_names.insert((address, name.len()), number);
        number
    }

    /// Interns a name with a prefix or suffix that separates it from the plain name: `'x` is a key, `x=` a default,
    /// `x:` a declared type. The cache key contains only the lengths of the affixes, so `x=` and `x:` share an entry.
    /// That is harmless only because functions hold defaults and classes hold declared types.
    pub(super) fn signed_name(&mut self, name: u32, before: &'static str, behind: &'static str) -> u32 {
        let key = (name, before.len() as u32 * 4 + behind.len() as u32);
        if let Some(number) = self.signed_names.get(&key) {
            return *number;
        }
        let number = self.intern(&format!("{before}{}{behind}", self.text(name)));
        self.signed_names.insert(key, number);
        number
    }

    /// The name of a position, such as `0`.
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

    /// Whether any file reads or imports the name.
    pub(super) fn is_mentioned(&self, name: u32) -> bool {
        self.mentioned.get(name as usize).copied().unwrap_or(false)
    }

    /// Whether any file stores to a member of the name.
    pub(super) fn is_written(&self, name: u32) -> bool {
        self.written.get(name as usize).copied().unwrap_or(true)
    }

    /// The program-wide number of an instruction.
    pub(super) fn global_step(&self, unit: usize, step: u32) -> usize {
        self.steps[unit] as usize + step as usize
    }

    pub(super) fn text(&self, name: u32) -> &str {
        self.texts.get(name as usize).map_or("", String::as_str)
    }

    /// Names that have a setter in some class, each with the name of the setter (`x` and `x:set`).
    pub(super) fn setters(&self) -> Map<u32, u32> {
        let setters = self.interned.iter().filter_map(|(name, number)| {
            let written = self.interned.get(name.strip_suffix(":set")?)?;
            Some((*written, *number))
        });
        setters.collect()
    }

    /// Names that end in `suffix`: pairs of the name without the suffix and the name with it.
    pub(super) fn with_suffix(&self, suffix: &str) -> Vec<(u32, u32)> {
        let named = self.interned.iter().filter_map(|(name, number)| {
            let plain = self.interned.get(name.strip_suffix(suffix)?)?;
            Some((*plain, *number))
        });
        named.collect()
    }

    /// The total number of slots of all bodies. One activation of each body needs this many.
    pub(super) fn slot_count(&self) -> usize {
        let bodies = self.units.iter().flat_map(|unit| unit.facts.flow.bodies);
        bodies.map(|body| body.slots.get() as usize).sum()
    }

    pub(super) fn body_count(&self) -> usize {
        self.body_rows.len()
    }

    pub(super) fn unit_of_body(&self, body: u32) -> usize {
        self.body_rows[body as usize].unit as usize
    }

    pub(super) fn unit_of_class(&self, class: u32) -> usize {
        self.class_rows[class as usize].unit as usize
    }

    pub(super) fn body(&self, body: u32) -> &'s FlowBody {
        self.body_rows[body as usize].row
    }

    pub(super) fn class(&self, class: u32) -> &'s FlowClass {
        self.class_rows[class as usize].row
    }

    /// The name of a class that a prelude defines; empty for any other class.
    pub(super) fn built_in_name(&self, class: u32) -> &'s str {
        self.class_rows[class as usize].built_in
    }

    pub(super) fn is_prelude(&self, unit: usize) -> bool {
        self.preludes[unit]
    }

    pub(super) fn rules(&self, unit: usize) -> Option<&'static FlowRules> {
        self.rules[unit]
    }

    pub(super) fn global_body(&self, unit: usize, body: u32) -> u32 {
        self.bodies[unit] + body
    }

    pub(super) fn global_class(&self, unit: usize, class: u32) -> u32 {
        self.classes[unit] + class
    }

    /// The program-wide number of a name of a unit.
    pub(super) fn name(&self, unit: usize, name: u32) -> u32 {
        match name {
            NONE => NONE,
            name => self.names[unit].get(name as usize).copied().unwrap_or(NONE),
        }
    }

    /// The instructions of a body that have a slot as operand, and the index of the first one in its unit.
    pub(super) fn steps_on(&self, body: u32, slot: u32) -> (&'s [FlowStep], usize) {
        let BodyRow { steps, starts, .. } = self.body_rows[body as usize];
        let at = starts as usize + slot as usize;
        let (Some(first), Some(end)) = (self.step_starts.get(at), self.step_starts.get(at + 1)) else {
            return (&[], 0);
        };
        (
            steps.get(*first as usize..*end as usize).unwrap_or(&[]),
            *first as usize,
        )
    }

    /// Fills `step_starts`. The instructions of a body are sorted by their operand.
    fn note_steps(&mut self) {
        self.step_starts = Vec::with_capacity(self.slot_count() + self.body_rows.len());
        for body in &mut self.body_rows {
            body.starts = self.step_starts.len() as u32;
            let range = body.row.steps.indexes(body.steps.len());
            let mut at = range.start;
            for slot in 0..=body.row.slots.get() {
                while at < range.end && body.steps[at].a.get() < slot {
                    at += 1;
                }
                self.step_starts.push(at as u32);
            }
        }
    }

    /// The module with a name in a language.
    pub(crate) fn module(&self, language: &'static str, name: &str) -> Option<usize> {
        self.module_numbers.get(&(language, name.to_owned())).copied()
    }
}
