//! What the solver found, sorted.

use std::collections::HashMap;

use lore_model::{Bound, FlowBody, FlowCode, FlowFlags, FlowStep, NONE};

use super::engine::Engine;
use super::objects::{Evidence, MAX_OBJECTS, Object, ObjectId};

/// What a call reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Callee {
    /// A symbol of this tree.
    Symbol(u32),
    /// Something else, by the number of its path.
    External(u32),
}

/// One call edge at one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CallRow {
    pub(crate) caller: u32,
    pub(crate) callee: Callee,
    pub(crate) line: u32,
    pub(crate) evidence: u8,
}

/// A base of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BaseRow {
    pub(crate) class: u32,
    /// Where it stands among the bases.
    pub(crate) position: u32,
    pub(crate) base: Callee,
    pub(crate) line: u32,
    pub(crate) evidence: u8,
    /// Whether the class promises to have what the base says, rather than to be one.
    pub(crate) promised: bool,
}

/// A call that leads nowhere known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct UnresolvedCall {
    pub(crate) caller: u32,
    pub(crate) line: u32,
    /// What is called, as far as it has a name.
    pub(crate) name: String,
}

/// What the solver found.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Sorted, each once with its best evidence.
    pub(crate) calls: Vec<CallRow>,
    /// Call sites that lead nowhere known, sorted.
    pub(crate) unresolved: Vec<UnresolvedCall>,
    /// The paths of externals.
    pub(crate) externals: Vec<String>,
    /// The numbers of those paths.
    pub(crate) external_numbers: HashMap<String, u32>,
    /// Who makes instances of what; sorted, each once with its best evidence.
    pub(crate) instances: Vec<CallRow>,
    /// The bases of classes, sorted.
    pub(crate) bases: Vec<BaseRow>,
    /// Members of implementations, and the members of promises that they stand in for; sorted.
    pub(crate) overrides: Vec<(u32, u32)>,
    /// The bounds that were hit, and how often.
    pub(crate) bounds: Vec<(Bound, u32)>,
}

impl<'s> Engine<'_, 's> {
    /// The name under which a body came by what is in a slot.
    pub(super) fn called_name(&self, unit: usize, body: &FlowBody, slot: u32) -> String {
        let flow = self.program.units[unit].facts.flow;
        let fills = |step: &&FlowStep| step.to.get() == slot && matches!(step.code, FlowCode::LOAD | FlowCode::GLOBAL);
        let steps = flow.steps[body.seeds.indexes(flow.steps.len())]
            .iter()
            .chain(&flow.steps[body.steps.indexes(flow.steps.len())]);
        steps.into_iter().find(fills).map_or_else(String::new, |step| {
            let row = if step.code == FlowCode::LOAD { step.b } else { step.a };
            self.program.text(self.program.name(unit, row.get())).to_owned()
        })
    }

    fn bounds(&self) -> Vec<(Bound, u32)> {
        let found = [
            (Bound::Values, self.overfull.len() as u32),
            (Bound::Calls, self.overflows as u32),
            (Bound::Work, u32::from(self.exhausted)),
        ];
        found.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// What is called through a slot that holds more than it may is not known in full.
    fn doubt_overfull(&mut self) {
        let is_wide = |slot: &u32| self.slots[*slot as usize].set.entries().len() >= MAX_OBJECTS;
        let wide = (0..self.slots.len() as u32).filter(is_wide);
        let slots: Vec<u32> = self.overfull.iter().copied().chain(wide).collect();
        for slot in slots {
            let Some(activation) = self.activations.get(self.slots[slot as usize].activation as usize) else {
                continue;
            };
            let (body, base) = (activation.body, activation.base);
            let unit = self.program.unit_of_body(body);
            let (steps, first) = self.program.steps_on(body, slot - base);
            for (at, step) in steps.iter().enumerate() {
                if step.code == FlowCode::CALL {
                    let at = self.program.global_step(unit, (first + at) as u32);
                    self.resolved[at] = false;
                }
            }
        }
    }

    /// What tests pass into the code that they test is not what that code calls.
    fn leave_out_tests(&self, calls: &mut Vec<CallRow>) {
        let units = &self.program.units;
        let is_test: Vec<bool> = units
            .iter()
            .enumerate()
            .map(|(number, unit)| {
                let in_test = unit.path.is_some_and(|path| unit.language.role(path).test);
                in_test && !self.used.contains(&number)
            })
            .collect();
        let parts = self.program.test_parts();
        if !is_test.contains(&true) && parts.is_empty() {
            return;
        }
        let mut order: Vec<(u32, usize)> = (0..units.len())
            .filter(|unit| units[*unit].first_symbol != NONE)
            .map(|unit| (units[unit].first_symbol, unit))
            .collect();
        order.sort_unstable();
        let in_test = |symbol: u32| {
            // The symbol of a module stands before those of its first file.
            let at = order.partition_point(|(first, _)| *first <= symbol + 1);
            at > 0 && is_test[order[at - 1].1] || is_in_parts(&parts, symbol)
        };
        calls.retain(|row| match row.callee {
            Callee::Symbol(callee) => !in_test(callee) || in_test(row.caller),
            Callee::External(_) => true,
        });
    }

    pub(super) fn outcome(mut self) -> Outcome {
        let mut calls = each_once(std::mem::take(&mut self.calls));
        self.leave_out_tests(&mut calls);
        let instances = each_once(std::mem::take(&mut self.instances));
        let bounds = self.bounds();
        self.doubt_overfull();
        let mut unresolved = Vec::new();
        for body in 0..self.program.body_count() as u32 {
            let unit = self.program.unit_of_body(body);
            if self.count[body as usize] == 0 || self.is_prelude(unit) {
                continue;
            }
            let row = self.program.body(body);
            let flow = self.program.units[unit].facts.flow;
            let range = row.steps.indexes(flow.steps.len());
            for at in range {
                let step = &flow.steps[at];
                if step.code == FlowCode::CALL
                    && step.flags & FlowFlags::IMPLICIT == 0
                    && !self.resolved[self.program.global_step(unit, at as u32)]
                {
                    unresolved.push(UnresolvedCall {
                        caller: self.symbol(unit, row.definition.get()),
                        line: step.line.get(),
                        name: self.called_name(unit, row, step.a.get()),
                    });
                }
            }
        }
        unresolved.sort_unstable();
        let bases = self.base_rows();
        let overrides = self.override_rows();
        Outcome {
            calls,
            unresolved,
            externals: self.externals,
            external_numbers: self.external_numbers,
            instances,
            bases,
            overrides,
            bounds,
        }
    }

    /// The members of implementations that stand apart, each with the member of the promise that it stands in for.
    fn override_rows(&self) -> Vec<(u32, u32)> {
        if self.implement_lines.is_empty() {
            return Vec::new();
        }
        let function = |slot: u32| {
            self.entries(slot)
                .into_iter()
                .find_map(|(object, _)| match self.objects.get(object) {
                    Object::Function { body, .. } => {
                        let unit = self.program.unit_of_body(body);
                        let definition = self.program.body(body).definition.get();
                        (!self.is_prelude(unit)).then(|| self.symbol(unit, definition))
                    }
                    _ => None,
                })
        };
        let mut rows: Vec<(u32, u32)> = Vec::new();
        for ((place, name), slot) in &self.fields {
            if !self.implement_lines.contains_key(place) {
                continue;
            }
            let promises = self.bases.get(place).into_iter().flatten().flatten();
            for promise in promises {
                if let Some(promised) = self.field_if_any(*promise, *name).and_then(function)
                    && let Some(own) = function(*slot)
                    && own != promised
                {
                    rows.push((own, promised));
                }
            }
        }
        // The order of the fields is that of a hash map.
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The bases that classes of this tree turned out to have.
    fn base_rows(&mut self) -> Vec<BaseRow> {
        let mut found: Vec<(ObjectId, u32, ObjectId, u8, u32, ObjectId)> = Vec::new();
        for (class, positions) in &self.bases {
            for (at, objects) in positions.iter().enumerate() {
                let evidence = match objects.len() {
                    0 | 1 => Evidence::Exact,
                    _ => Evidence::Flow,
                };
                for base in objects {
                    // An implementation that stands apart has no name: its own bases are what the type promises.
                    match self.implement_lines.get(base) {
                        Some(line) => {
                            let promised = self.bases.get(base).into_iter().flatten().flatten();
                            found.extend(
                                promised.map(|promised| (*class, at as u32, *promised, evidence as u8, *line, *base)),
                            );
                        }
                        None => found.push((*class, at as u32, *base, evidence as u8, 0, *base)),
                    }
                }
            }
        }
        found.sort_unstable();
        let mut rows = Vec::with_capacity(found.len());
        for (class, position, base, evidence, at, through) in found {
            let Object::Class { class, .. } = self.objects.get(class) else {
                continue;
            };
            let unit = self.program.unit_of_class(class);
            let definition = self.program.class(class).definition.get();
            if self.is_prelude(unit) || definition == NONE {
                continue;
            }
            let stands_here = match self.objects.get(through) {
                Object::Class { class, .. } => self.program.unit_of_class(class) == unit,
                _ => false,
            };
            let facts = self.program.units[unit].facts;
            let base = match self.objects.get(base) {
                Object::Class { class, .. } => {
                    let unit = self.program.unit_of_class(class);
                    self.callee_of(unit, self.program.class(class).definition.get())
                }
                Object::External(external) => Some(Callee::External(external)),
                _ => None,
            };
            let own = self.symbol(unit, definition);
            rows.extend(base.filter(|base| *base != Callee::Symbol(own)).map(|base| {
                BaseRow {
                    class: own,
                    position,
                    base,
                    line: match at {
                        line if line > 0 && stands_here => line,
                        _ => facts
                            .definitions
                            .get(definition as usize)
                            .map_or(0, |row| row.place.line.get()),
                    },
                    evidence,
                    promised: at > 0,
                }
            }));
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// Whether a symbol stands in one of the ranges.
pub(crate) fn is_in_parts(parts: &[(u32, u32)], symbol: u32) -> bool {
    let at = parts.partition_point(|(first, _)| *first <= symbol);
    at > 0 && symbol < parts[at - 1].1
}

/// Sorted, each once with its best evidence.
fn each_once(mut rows: Vec<CallRow>) -> Vec<CallRow> {
    rows.sort_unstable();
    rows.dedup_by(|later, first| (later.caller, later.callee, later.line) == (first.caller, first.callee, first.line));
    rows
}
