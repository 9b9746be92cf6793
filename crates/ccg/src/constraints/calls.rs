//! Constraints over calls: forbidden direct calls, and calls that must go through other code.
//!
//! An edge that only a name speaks for proves nothing, so that no constraint is broken by it; where one would be, the answer says so.

use std::collections::{BTreeMap, VecDeque};

use lore_model::Resolution;

use super::check::{Findings, at_symbol, nothing};
use super::{Evidence, Patterns, Step};
use crate::diff::{CallEntry, CalleeEntry, Inventory};

/// What the patterns of one parameter mean.
struct Meant {
    symbols: Vec<bool>,
    externals: Vec<bool>,
}

impl Meant {
    fn of(inventory: &Inventory<'_>, patterns: &Patterns) -> Self {
        Self {
            symbols: patterns.symbols(inventory),
            externals: patterns.externals(inventory),
        }
    }

    fn symbol(&self, number: u32) -> bool {
        self.symbols.get(number as usize).copied().unwrap_or(false)
    }

    fn callee(&self, callee: CalleeEntry) -> bool {
        match callee {
            CalleeEntry::Symbol(number) => self.symbol(number),
            CalleeEntry::External(number) => self.externals.get(number as usize).copied().unwrap_or(false),
        }
    }

    /// Whether nothing is meant. What lies outside calls nothing, so that it counts only where it is asked for.
    fn is_empty(&self, with_externals: bool) -> bool {
        let is_any = self.symbols.contains(&true) || with_externals && self.externals.contains(&true);
        !is_any
    }

    /// Whether everything that another means is meant too, and more than that.
    fn surrounds(&self, other: &Self) -> bool {
        let mut both = self.symbols.iter().zip(&other.symbols);
        other.symbols.contains(&true) && self.symbols != other.symbols && both.all(|(own, other)| *own || !other)
    }
}

fn notes(parameters: &[(&str, &Patterns, &Meant)]) -> Vec<String> {
    let empty = parameters
        .iter()
        .filter(|(name, _, meant)| meant.is_empty(*name != "from"));
    empty.map(|(name, patterns, _)| nothing(name, patterns)).collect()
}

pub(super) fn no_direct_calls(inventory: &Inventory<'_>, from: &Patterns, to: &Patterns) -> Findings {
    let (callers, callees) = (Meant::of(inventory, from), Meant::of(inventory, to));
    let mut findings = Findings {
        notes: notes(&[("from", from, &callers), ("to", to, &callees)]),
        ..Findings::default()
    };
    // Where `from` is `to` and more, those outside are to keep away from what is inside, which may call itself.
    let keeps_away = callers.surrounds(&callees);
    for call in &inventory.calls {
        if !callers.symbol(call.from) || !callees.callee(call.to) {
            continue;
        }
        let is_own = match call.to {
            CalleeEntry::Symbol(number) => {
                number == call.from || callees.symbol(call.from) && same_module(inventory, call.from, number)
            }
            CalleeEntry::External(_) => false,
        };
        if is_own || keeps_away && callees.symbol(call.from) {
            continue;
        }
        let symbol = &inventory.symbols[call.from as usize];
        let message = format!("{} calls {}", symbol.qualified, inventory.callee_name(call.to));
        let mut evidence = at_symbol(symbol, message);
        if call.line > 0 {
            evidence.line = Some(call.line);
            evidence.path = Some(inventory.path_of(call).to_owned()).filter(|path| !path.is_empty());
        }
        evidence.resolution = known_by(call);
        match call.resolution {
            Resolution::Name => {
                evidence.message.push_str(", judged by its name");
                findings.uncertain.push(evidence);
            }
            Resolution::Dispatch => {
                evidence.message.push_str(", as one of several possible targets");
                findings.uncertain.push(evidence);
            }
            _ => findings.evidence.push(evidence),
        }
    }
    findings.evidence.dedup();
    findings.uncertain.dedup();
    findings
}

/// How a call is known, if not by scope or import.
fn known_by(call: &CallEntry) -> Option<&'static str> {
    (call.resolution != Resolution::Exact).then(|| call.resolution.name())
}

fn same_module(inventory: &Inventory<'_>, one: u32, other: u32) -> bool {
    let module = |number: u32| inventory.symbols.get(number as usize).and_then(|symbol| symbol.module);
    module(one).is_some() && module(one) == module(other)
}

pub(super) fn must_call_through(inventory: &Inventory<'_>, from: &Patterns, to: &Patterns, via: &Patterns) -> Findings {
    let callers = Meant::of(inventory, from);
    let callees = Meant::of(inventory, to);
    let between = Meant::of(inventory, via);
    let mut findings = Findings {
        notes: notes(&[("from", from, &callers), ("to", to, &callees), ("via", via, &between)]),
        ..Findings::default()
    };
    let keeps_away = callers.surrounds(&callees);
    let search = Search {
        inventory,
        starts: (0..inventory.symbols.len() as u32)
            .map(|number| callers.symbol(number) && !between.symbol(number) && !(keeps_away && callees.symbol(number)))
            .collect(),
        callees: &callees,
        between: &between,
    };
    let sure = search.ways(false);
    let possible = search.ways(true);
    for (start, way) in &sure {
        findings.evidence.push(search.evidence(*start, way));
    }
    for (start, way) in possible.iter().filter(|(start, _)| !sure.contains_key(start)) {
        let mut evidence = search.evidence(*start, way);
        evidence.message.push_str(", judged by names");
        findings.uncertain.push(evidence);
    }
    findings
}

/// The search for ways from where calls begin to where they end, past what is between.
struct Search<'i, 'a> {
    inventory: &'i Inventory<'a>,
    starts: Vec<bool>,
    callees: &'i Meant,
    between: &'i Meant,
}

impl Search<'_, '_> {
    /// For each beginning from which calls get to an end: the shortest way, in which no other beginning stands. The search runs from the ends.
    fn ways(&self, by_name: bool) -> BTreeMap<u32, Vec<CallEntry>> {
        let mut back: BTreeMap<CalleeEntry, Vec<CallEntry>> = BTreeMap::new();
        for call in &self.inventory.calls {
            let is_past = !self.between.callee(call.to) && !self.between.symbol(call.from);
            let is_own = call.to == CalleeEntry::Symbol(call.from);
            if is_past && !is_own && (by_name || call.resolution.is_sure()) {
                back.entry(call.to).or_default().push(*call);
            }
        }
        let mut onward: BTreeMap<u32, CallEntry> = BTreeMap::new();
        let mut found: BTreeMap<u32, CallEntry> = BTreeMap::new();
        let ends = back.keys().copied().filter(|callee| self.callees.callee(*callee));
        let mut queue: VecDeque<CalleeEntry> = ends.collect();
        while let Some(callee) = queue.pop_front() {
            for call in back.get(&callee).into_iter().flatten() {
                if self.starts[call.from as usize] {
                    found.entry(call.from).or_insert(*call);
                } else if !self.callees.symbol(call.from) && !onward.contains_key(&call.from) {
                    onward.insert(call.from, *call);
                    queue.push_back(CalleeEntry::Symbol(call.from));
                }
            }
        }
        found
            .into_iter()
            .map(|(start, first)| {
                let mut way = vec![first];
                while let Some(CalleeEntry::Symbol(at)) = way.last().map(|call| call.to) {
                    match onward.get(&at).filter(|_| !self.callees.symbol(at)) {
                        Some(call) => way.push(*call),
                        None => break,
                    }
                }
                (start, way)
            })
            .collect()
    }

    fn evidence(&self, start: u32, way: &[CallEntry]) -> Evidence {
        let mut names = vec![&*self.inventory.symbols[start as usize].qualified];
        names.extend(way.iter().map(|call| self.inventory.callee_name(call.to)));
        let message = match way {
            [_] => format!("{} directly", names.join(" calls ")),
            _ => names.join(" -> "),
        };
        let mut trace: Vec<Step> = way
            .iter()
            .map(|call| {
                let symbol = &self.inventory.symbols[call.from as usize];
                Step {
                    name: symbol.qualified.to_string(),
                    path: Some(match call.line {
                        0 => symbol.path.to_string(),
                        _ => self.inventory.path_of(call).to_owned(),
                    }),
                    line: Some(if call.line > 0 { call.line } else { symbol.line }),
                    resolution: known_by(call),
                }
            })
            .collect();
        if let Some(call) = way.last() {
            let end = match call.to {
                CalleeEntry::Symbol(number) => self.inventory.symbols.get(number as usize),
                CalleeEntry::External(_) => None,
            };
            trace.push(Step {
                name: self.inventory.callee_name(call.to).to_owned(),
                path: end.map(|symbol| symbol.path.to_string()),
                line: end.map(|symbol| symbol.line),
                resolution: None,
            });
        }
        let mut evidence = at_symbol(&self.inventory.symbols[start as usize], message);
        if let Some(call) = way.first().filter(|call| call.line > 0) {
            evidence.line = Some(call.line);
            evidence.path = Some(self.inventory.path_of(call).to_owned()).filter(|path| !path.is_empty());
        }
        evidence.trace = trace;
        evidence
    }
}
