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
            self.method_name(unit, row.get())
        })
    }

    /// A name as the source writes it.
    fn method_name(&self, unit: usize, name: u32) -> String {
        let text = self.program.text(self.program.name(unit, name));
        text.trim_end_matches("()").to_owned()
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
        if !is_test.contains(&true) {
            return;
        }
        let mut order: Vec<(u32, usize)> = (0..units.len())
            .filter(|unit| units[*unit].first_symbol != NONE)
            .map(|unit| {
                // The symbol of a module stands before those of its first file.
                let (first, module) = (units[unit].first_symbol, units[unit].module_symbol);
                (if module.wrapping_add(1) == first { module } else { first }, unit)
            })
            .collect();
        order.sort_unstable();
        let in_test = |symbol: u32| {
            let at = order.partition_point(|(first, _)| *first <= symbol);
            at > 0 && is_test[order[at - 1].1]
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
                if matches!(step.code, FlowCode::CALL | FlowCode::METHOD)
                    && step.flags & FlowFlags::IMPLICIT == 0
                    && !self.resolved[self.program.global_step(unit, at as u32)]
                {
                    unresolved.push(UnresolvedCall {
                        caller: self.symbol(unit, row.definition.get()),
                        line: step.line.get(),
                        name: match step.code {
                            FlowCode::METHOD => self.method_name(unit, step.receiver.get()),
                            _ => self.called_name(unit, row, step.a.get()),
                        },
                    });
                }
            }
        }
        unresolved.sort_unstable();
        let bases = self.base_rows();
        Outcome {
            calls,
            unresolved,
            externals: self.externals,
            external_numbers: self.external_numbers,
            instances,
            bases,
            bounds,
        }
    }

    /// The bases that classes of this tree turned out to have.
    fn base_rows(&mut self) -> Vec<BaseRow> {
        let mut found: Vec<(ObjectId, u32, ObjectId, u8)> = Vec::new();
        for (class, positions) in &self.bases {
            for (at, objects) in positions.iter().enumerate() {
                let evidence = match objects.len() {
                    0 | 1 => Evidence::Exact,
                    _ => Evidence::Flow,
                };
                found.extend(objects.iter().map(|base| (*class, at as u32, *base, evidence as u8)));
            }
        }
        found.sort_unstable();
        let mut rows = Vec::with_capacity(found.len());
        for (class, position, base, evidence) in found {
            let Object::Class { class, .. } = self.objects.get(class) else {
                continue;
            };
            let unit = self.program.unit_of_class(class);
            if self.is_prelude(unit) {
                continue;
            }
            let definition = self.program.class(class).definition.get();
            let facts = self.program.units[unit].facts;
            let base = match self.objects.get(base) {
                Object::Class { class, .. } => {
                    let unit = self.program.unit_of_class(class);
                    self.callee_of(unit, self.program.class(class).definition.get())
                }
                Object::External(external) => Some(Callee::External(external)),
                _ => None,
            };
            rows.extend(base.map(|base| {
                BaseRow {
                    class: self.symbol(unit, definition),
                    position,
                    base,
                    line: facts
                        .definitions
                        .get(definition as usize)
                        .map_or(0, |row| row.place.line.get()),
                    evidence,
                }
            }));
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// Sorted, each once with its best evidence.
fn each_once(mut rows: Vec<CallRow>) -> Vec<CallRow> {
    rows.sort_unstable();
    rows.dedup_by(|later, first| (later.caller, later.callee, later.line) == (first.caller, first.callee, first.line));
    rows
}
