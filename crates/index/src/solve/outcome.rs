//! The result of the analysis: sorted rows of calls, instantiations and bases.

use foldhash::HashMap;

use lore_model::{Bound, ClassKind, EdgeMarks, FlowBody, FlowCode, FlowFlags, FlowStep, NONE, Resolution};

use super::accesses::AccessRow;
use super::engine::Engine;
use super::fast_hash::Numbers;
use super::objects::{Evidence, MAX_OBJECTS, Object, ObjectId};
use super::statics::{Named, Statics};

/// The target of a call edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Callee {
    /// A symbol of this repository.
    Symbol(u32),
    /// An external target, by the number of its path.
    External(u32),
}

/// One call edge at one line. The derived order sorts by edge and place first, so duplicates are adjacent, the best evidence
/// first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CallRow {
    pub(crate) caller: u32,
    pub(crate) callee: Callee,
    /// The file that the line is in.
    pub(crate) file: u32,
    pub(crate) line: u32,
    /// The number of the [`lore_model::Resolution`].
    pub(crate) evidence: u8,
    pub(crate) marks: EdgeMarks,
    /// The program-wide number of the instruction that calls; [`NONE`] for calls that have none: getters, callbacks of a prelude.
    pub(crate) site: u32,
}

/// A base of a class, with the position in its list of bases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct BaseRow {
    pub(crate) class: u32,
    pub(crate) position: u32,
    pub(crate) base: Callee,
    /// The file that the line is in.
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) evidence: u8,
    /// Whether the class implements the base (an interface or trait) and does not extend it.
    pub(crate) promised: bool,
}

/// A call site without a known callee.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct UnresolvedCall {
    pub(crate) caller: u32,
    /// The file that the line is in.
    pub(crate) file: u32,
    pub(crate) line: u32,
    /// The name in the called expression; empty if the expression has none.
    pub(crate) name: String,
    /// Whether some targets are known, but a bound dropped others.
    pub(crate) is_cut: bool,
}

/// The result of the analysis. All rows are sorted and without duplicates, so the output is deterministic.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Each edge with its best evidence.
    pub(crate) calls: Vec<CallRow>,
    /// Reads and writes of fields, and of variables through their module.
    pub(crate) accesses: Vec<AccessRow>,
    pub(crate) unresolved: Vec<UnresolvedCall>,
    /// The paths of external targets, indexed by the number in [`Callee::External`].
    pub(crate) externals: Vec<String>,
    /// The inverse of `externals`.
    pub(crate) external_numbers: HashMap<String, u32>,
    /// Instantiations, each with its best evidence.
    pub(crate) instances: Vec<CallRow>,
    pub(crate) bases: Vec<BaseRow>,
    /// Members of implementations, each with the trait member that it implements.
    pub(crate) overrides: Vec<(u32, u32)>,
    /// Limits that the analysis hit, with the number of times.
    pub(crate) bounds: Vec<(Bound, u32)>,
}

impl<'s> Engine<'_, 's> {
    /// The name through which a body loaded the content of a slot.
    pub(super) fn called_name(&self, unit: usize, body: &FlowBody, slot: u32) -> String {
        let flow = self.program.units[unit].facts.flow;
        let fills = |step: &&FlowStep| {
            step.to.get() == slot
                && matches!(
                    step.code,
                    FlowCode::LOAD | FlowCode::LOAD_OR | FlowCode::GLOBAL | FlowCode::FIND
                )
        };
        let steps = flow.steps[body.seeds.indexes(flow.steps.len())]
            .iter()
            .chain(&flow.steps[body.steps.indexes(flow.steps.len())]);
        steps.into_iter().find(fills).map_or_else(String::new, |step| {
            let row = match step.code {
                FlowCode::LOAD | FlowCode::LOAD_OR => step.b,
                _ => step.a,
            };
            self.method_name(unit, row.get())
        })
    }

    /// A name as the source writes it, without `()`.
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

    /// Marks calls through overfull slots as unresolved: some of their callees were dropped.
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

    /// Removes calls from code into tests. Such edges exist only because tests pass functions into the code.
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
            .map(|unit| {
                // The symbol of a module precedes those of its first file.
                let (first, module) = (units[unit].first_symbol, units[unit].module_symbol);
                (if module.wrapping_add(1) == first { module } else { first }, unit)
            })
            .collect();
        order.sort_unstable();
        let in_test = |symbol: u32| {
            let at = order.partition_point(|(first, _)| *first <= symbol);
            let own = at.checked_sub(1).map(|at| order[at].1);
            let holds = |unit: usize| symbol < units[unit].first_symbol + units[unit].facts.definitions.len() as u32;
            let in_file = match own.filter(|unit| holds(*unit)) {
                Some(unit) => is_test[unit],
                // The symbol of a module precedes those of its first file.
                None => order.get(at).is_some_and(|(_, unit)| is_test[*unit]),
            };
            in_file || is_in_parts(&parts, symbol)
        };
        calls.retain(|row| match row.callee {
            Callee::Symbol(callee) => !in_test(callee) || in_test(row.caller),
            Callee::External(_) => true,
        });
    }

    /// Marks the calls of static targets as named, and adds the static targets that no value is known to run.
    ///
    /// At a call site that a bound cut, the targets that it does not name are possible targets and no answer.
    fn tell_named_targets(&mut self, statics: &mut Statics, calls: &mut Vec<CallRow>, cut: &Numbers<u32>) {
        let named = self.named_targets(statics);
        let mut reached: Numbers<(u32, u32)> = Numbers::default();
        // Sites that run a symbol which they do not name.
        let mut others: Numbers<u32> = Numbers::default();
        for row in calls.iter_mut() {
            let is_cut = cut.contains(&row.site);
            if is_cut {
                row.marks = row.marks.with(EdgeMarks::MORE);
            }
            let Some(targets) = named.get(&row.site) else {
                if is_cut {
                    row.evidence = Resolution::Dispatch as u8;
                    if let Some(resolved) = self.resolved.get_mut(row.site as usize) {
                        *resolved = false;
                    }
                } else {
                    row.marks = row.marks.with(EdgeMarks::NAMED);
                }
                continue;
            };
            match row.callee {
                Callee::Symbol(symbol) if targets.targets.contains(&symbol) => {
                    reached.insert((row.site, symbol));
                    row.marks = row.marks.with(EdgeMarks::NAMED);
                }
                callee => {
                    if is_cut {
                        row.evidence = Resolution::Dispatch as u8;
                    }
                    if let Callee::Symbol(_) = callee {
                        others.insert(row.site);
                    }
                }
            }
        }
        for row in calls.iter_mut() {
            if let Callee::Symbol(symbol) = row.callee
                && let Some(targets) = named.get(&row.site)
                && targets.targets.contains(&symbol)
                && (cut.contains(&row.site) || targets.without_body.contains(&symbol) && !others.contains(&row.site))
            {
                row.marks = row.marks.with(EdgeMarks::OPEN);
            }
        }
        let mut sites: Vec<(&u32, &Named)> = named.iter().collect();
        sites.sort_unstable_by_key(|(site, _)| **site);
        for (site, named) in sites {
            if let Some(resolved) = self.resolved.get_mut(*site as usize) {
                *resolved = true;
            }
            let is_run =
                others.contains(site) || named.targets.iter().any(|target| reached.contains(&(*site, *target)));
            let unreached = named
                .targets
                .iter()
                .filter(|target| !reached.contains(&(*site, **target)));
            calls.extend(unreached.filter(|_| named.caller != NONE).map(|target| CallRow {
                caller: named.caller,
                callee: Callee::Symbol(*target),
                file: named.file,
                line: named.line,
                evidence: Resolution::Declared as u8,
                marks: match (cut.contains(site), is_run) {
                    (true, _) => EdgeMarks::NAMED.with(EdgeMarks::OPEN).with(EdgeMarks::MORE),
                    (false, true) => EdgeMarks::NAMED,
                    (false, false) => EdgeMarks::NAMED.with(EdgeMarks::OPEN),
                },
                site: *site,
            }));
        }
    }

    pub(super) fn outcome(mut self) -> Outcome {
        let mut calls = std::mem::take(&mut self.calls);
        self.doubt_overfull();
        let cut = self.cut_sites();
        let mut statics = self.statics();
        self.tell_named_targets(&mut statics, &mut calls, &cut);
        let accesses = self.accesses(&mut statics);
        let mut calls = each_once(calls);
        self.leave_out_tests(&mut calls);
        let twins = self.declared_twins();
        calls.retain(|row| !matches!(row.callee, Callee::Symbol(callee) if twins.contains(&callee)));
        let instances = each_once(std::mem::take(&mut self.instances));
        let bounds = self.bounds();
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
                        file: self.program.units[unit].file,
                        line: step.line.get(),
                        is_cut: cut.contains(&(self.program.global_step(unit, at as u32) as u32)),
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
        let overrides = self.override_rows();
        Outcome {
            calls,
            accesses,
            unresolved,
            externals: self.externals,
            external_numbers: self.external_numbers,
            instances,
            bases,
            overrides,
            bounds,
        }
    }

    /// The members of separate implementations, each with the trait member that it implements.
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
        // The iteration order of a hash map is not deterministic.
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The bases of all classes of this repository.
    fn base_rows(&mut self) -> Vec<BaseRow> {
        let mut found: Vec<(ObjectId, u32, ObjectId, u8, u32, ObjectId)> = Vec::new();
        for (class, positions) in &self.bases {
            for (at, objects) in positions.iter().enumerate() {
                let evidence = match objects.len() {
                    0 | 1 => Evidence::Exact,
                    _ => Evidence::Flow,
                };
                for base in objects {
                    // A separate implementation has no name. Its bases are the traits that the type implements.
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
            // A type defined as another type has its values but does not derive from it.
            if self.program.class(class).kind == ClassKind::SAME {
                continue;
            }
            // A separate implementation can be in another file than the type.
            let place = match self.objects.get(through) {
                Object::Class { class, .. } => self.program.unit_of_class(class),
                _ => unit,
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
                    file: self.program.units[if at > 0 { place } else { unit }].file,
                    line: match at {
                        line if line > 0 => line,
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

/// Whether a symbol is in one of the sorted ranges.
pub(crate) fn is_in_parts(parts: &[(u32, u32)], symbol: u32) -> bool {
    let at = parts.partition_point(|(first, _)| *first <= symbol);
    at > 0 && symbol < parts[at - 1].1
}

/// Sorts rows and keeps each edge once at each line, with its best evidence and all marks.
fn each_once(mut rows: Vec<CallRow>) -> Vec<CallRow> {
    rows.sort_unstable();
    let place = |row: &CallRow| (row.caller, row.callee, row.file, row.line);
    rows.dedup_by(|later, first| {
        let is_same = place(later) == place(first);
        if is_same {
            first.marks = first.marks.with(later.marks);
        }
        is_same
    });
    rows
}
