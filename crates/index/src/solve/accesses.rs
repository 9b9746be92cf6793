//! Reads and writes of fields, and of the variables of a module through the module.
//!
//! This pass runs after the fixpoint. The objects that reach the holder of a member say whose member an instruction loads or stores;
//! where no object of the repository reaches the holder, the static type does.

use std::borrow::Cow;

use foldhash::HashMap;

use lore_model::{FlowCode, FlowFlags, FlowStep, NONE, SymbolKind};

use super::engine::Engine;
use super::objects::{Evidence, Object, ObjectId};
use super::statics::{Static, Statics};

/// The number of activations of a body whose slots count. Further ones add objects only for code that is generic.
const MAX_ACTIVATIONS: u32 = 8;

/// One read or write of a field or variable at one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct AccessRow {
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// The file that the line is in.
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) writes: bool,
    /// The number of the [`lore_model::Resolution`].
    pub(crate) evidence: u8,
}

/// Fields and variables, by the symbol that holds them and their name.
struct Members {
    symbols: HashMap<(u32, u32), u32>,
    /// By field or variable: what holds it. Its own initialisers and accessors are part of it.
    holders: HashMap<u32, u32>,
    /// By name: whether a field or variable has it.
    named: Vec<bool>,
}

/// A member access: the slot of the holder, the name, and whether it is a store.
struct Access {
    holder: u32,
    name: u32,
    writes: bool,
}

impl Access {
    fn of(step: &FlowStep) -> Option<Self> {
        let writes = match step.code {
            FlowCode::LOAD | FlowCode::LOAD_OR => false,
            FlowCode::STORE if step.flags & FlowFlags::POSITION == 0 => true,
            FlowCode::STORE_MEMBER => true,
            _ => return None,
        };
        Some(Self {
            holder: step.a.get(),
            name: step.b.get(),
            writes,
        })
    }
}

impl Engine<'_, '_> {
    /// The member that an instruction accesses. A store of an element changes the member that holds the collection.
    fn access(&self, statics: &mut Statics, body: u32, step: &FlowStep) -> Option<Access> {
        if step.code != FlowCode::STORE_KEY {
            return Access::of(step);
        }
        let unit = self.program.unit_of_body(body);
        let flow = self.program.units[unit].facts.flow;
        let fills = self.fills_of(statics, body);
        let first = fills.partition_point(|(to, _)| *to < step.a.get());
        let mut fills = fills[first..].iter().take_while(|(to, _)| *to == step.a.get());
        let load = match (fills.next(), fills.next()) {
            (Some((_, at)), None) => Access::of(&flow.steps[*at as usize])?,
            _ => return None,
        };
        Some(Access { writes: true, ..load })
    }

    /// The accesses of all bodies, in order, each once.
    pub(super) fn accesses(&mut self, statics: &mut Statics) -> Vec<AccessRow> {
        let members = self.members_by_name();
        let mut seen: Vec<u32> = vec![0; self.program.body_count()];
        let mut found = Vec::new();
        for activation in 0..self.activations.len() as u32 {
            let (body, base, source) = {
                let row = &self.activations[activation as usize];
                (row.body, row.base, row.symbol)
            };
            let count = &mut seen[body as usize];
            *count += 1;
            let unit = self.program.unit_of_body(body);
            if *count > MAX_ACTIVATIONS || source == NONE || self.is_prelude(unit) {
                continue;
            }
            let file = self.program.units[unit].file;
            let imports = self.program.units[unit].facts.imports;
            let flow = self.program.units[unit].facts.flow;
            for step in &flow.steps[self.program.body(body).steps.indexes(flow.steps.len())] {
                if let Some(target) = self.changed_variable(&members, body, step) {
                    found.push(AccessRow {
                        source,
                        target,
                        file,
                        line: step.line.get(),
                        writes: true,
                        evidence: Evidence::Exact as u8,
                    });
                }
                let Some(access) = self.access(statics, body, step).filter(|_| step.line.get() > 0) else {
                    continue;
                };
                let name = self.program.name(unit, access.name);
                if !members.named.get(name as usize).copied().unwrap_or(false) {
                    continue;
                }
                // What an import binds is not read there. Imports are in the order of their lines.
                let first = imports.partition_point(|import| import.line.get() < step.line.get());
                if imports
                    .get(first)
                    .is_some_and(|import| import.line.get() == step.line.get())
                {
                    continue;
                }
                for (target, evidence) in self.accessed(statics, &members, base + access.holder, name) {
                    if members.holders.get(&target) == Some(&source) {
                        continue;
                    }
                    found.push(AccessRow {
                        source,
                        target,
                        file,
                        line: step.line.get(),
                        writes: access.writes,
                        evidence,
                    });
                }
            }
        }
        found.sort_unstable();
        found.dedup_by(|later, first| AccessRow { evidence: 0, ..*later } == AccessRow { evidence: 0, ..*first });
        found
    }

    /// The variable of the module whose element an instruction of a function stores.
    fn changed_variable(&self, members: &Members, body: u32, step: &FlowStep) -> Option<u32> {
        if step.code != FlowCode::STORE_KEY || step.line.get() == 0 {
            return None;
        }
        let unit = self.program.unit_of_body(body);
        let flow = self.program.units[unit].facts.flow;
        let row = self.program.body(body);
        let captures = &flow.captures[row.captures.indexes(flow.captures.len())];
        let capture = captures
            .iter()
            .find(|capture| capture.slot == step.a && capture.written == 0)?;
        // The first body is the module's.
        let mut around = row;
        for _ in 0..capture.levels.get() {
            around = flow.bodies.get(around.parent.get() as usize)?;
        }
        if around.parent.get() != NONE {
            return None;
        }
        let export = flow.exports.iter().find(|export| export.slot == capture.outer)?;
        let holder = self.symbol(unit, NONE);
        members
            .symbols
            .get(&(holder, self.program.name(unit, export.name.get())))
            .copied()
    }

    /// The fields and variables of the repository.
    fn members_by_name(&self) -> Members {
        let mut members = Members {
            symbols: HashMap::default(),
            holders: HashMap::default(),
            named: vec![false; self.program.texts.len()],
        };
        for (number, unit) in self
            .program
            .units
            .iter()
            .enumerate()
            .filter(|(_, unit)| unit.path.is_some())
        {
            for (row, at) in unit.facts.definitions.iter().zip(0..) {
                let is_data = matches!(
                    row.kind(),
                    SymbolKind::Field | SymbolKind::Constant | SymbolKind::Static
                );
                if !is_data || !row.owner.is_empty() {
                    continue;
                }
                // Where fields and methods have names of their own, the names of fields have a prefix.
                let prefix = unit.language.flow.and_then(|rules| rules.places).unwrap_or("");
                let name = unit.facts.get(row.name);
                let is_field = row.kind() == SymbolKind::Field;
                let name = if is_field {
                    Cow::Owned(format!("{prefix}{name}"))
                } else {
                    Cow::Borrowed(name)
                };
                let Some(name) = self.program.interned.get(&*name) else {
                    continue;
                };
                let holder = self.symbol(number, row.parent.get());
                let symbol = self.symbol(number, at);
                members.symbols.entry((holder, *name)).or_insert(symbol);
                members.holders.insert(symbol, holder);
                if let Some(named) = members.named.get_mut(*name as usize) {
                    *named = true;
                }
            }
        }
        members
    }

    /// The symbols that a name means as a member of what a slot holds, each with its evidence.
    fn accessed(&mut self, statics: &mut Statics, members: &Members, slot: u32, name: u32) -> Vec<(u32, u8)> {
        let mut found: Vec<(u32, u8)> = Vec::new();
        for (object, evidence) in self.entries(slot) {
            let (member, least) = match self.objects.get(object) {
                Object::Instance { class, .. } | Object::Prototype(class) => {
                    (self.members_of_class(members, class, name), Evidence::Typed)
                }
                Object::Class { .. } => (self.members_of_class(members, object, name), Evidence::Exact),
                Object::Module(module) => {
                    let unit = self
                        .program
                        .modules
                        .get(module as usize)
                        .and_then(|module| module.units.first());
                    let symbol = unit.map(|unit| self.program.units[*unit].module_symbol);
                    let member = symbol.and_then(|symbol| members.symbols.get(&(symbol, name)).copied());
                    (member.into_iter().collect(), Evidence::Exact)
                }
                _ => continue,
            };
            found.extend(member.into_iter().map(|member| (member, evidence.max(least) as u8)));
        }
        if found.is_empty() {
            for holder in self.static_types(statics, slot).unwrap_or_default() {
                let (Static::Instance(class) | Static::Class(class)) = holder;
                let member = self.members_of_class(members, class, name);
                found.extend(member.into_iter().map(|member| (member, Evidence::Typed as u8)));
            }
        }
        found
    }

    /// The field of a class or of the nearest base that has one of the name. Where fields do not hide each other, those of all bases: they are
    /// one member of the object.
    fn members_of_class(&mut self, members: &Members, class: ObjectId, name: u32) -> Vec<u32> {
        let mut found = Vec::new();
        for place in self.order(class).iter() {
            let Object::Class { class, .. } = self.objects.get(*place) else {
                break;
            };
            let unit = self.program.unit_of_class(class);
            if self.is_prelude(unit) {
                break;
            }
            let holder = self.symbol(unit, self.program.class(class).definition.get());
            found.extend(members.symbols.get(&(holder, name)).copied());
            if !found.is_empty() && self.rules(unit).is_some_and(|rules| rules.fields_hide) {
                break;
            }
        }
        found
    }
}
