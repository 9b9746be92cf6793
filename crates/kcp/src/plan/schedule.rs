//! What to load, and in which order (clause Q14, amendment Amend8).
//!
//! A plan starts with the wanted units and adds their dependencies before them. A replaced unit gives way to its successor, and a unit that is too large to its summary. If a unit cannot be loaded, the units that depend on it are left out too.

use super::order::{Need, Needs, sorted};
use crate::graph::UnitGraph;
use crate::model::{Manifest, Unit, UnitIndex, known};
use crate::query::filter::{Why, tokens};
use crate::vocabulary::{Density, LoadStrategy, Priority, Vocabulary};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Steps that the search for what units need may take, all of them together.
pub(super) const STEPS: usize = 2_000_000;

/// A unit that a plan begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The unit.
    pub unit: UnitIndex,
    /// Why it is wanted.
    pub reason: String,
    /// Whether it was asked for by its id, so that nothing takes its place.
    pub by_id: bool,
}

/// What a plan has to keep to.
pub struct PlanRules<'a> {
    /// What everything may cost together.
    pub budget: Option<u64>,
    /// How many tokens can be held at a time.
    pub context: Option<u64>,
    /// Whether summaries may take the place of units.
    pub include_summaries: bool,
    /// Whether a unit passes the filters.
    pub check: &'a dyn Fn(UnitIndex) -> Result<(), Why>,
    /// Why a unit cannot be loaded, if it cannot.
    pub failure: &'a dyn Fn(UnitIndex) -> Option<String>,
    /// How a human is asked before a unit is loaded, if he has to be.
    pub approval: &'a dyn Fn(UnitIndex) -> Option<String>,
    /// Units with a missing dependency in another manifest.
    pub incomplete: &'a BTreeSet<UnitIndex>,
}

/// What to load, in order
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// The units to load, one after the other
    pub steps: Vec<PlanStep>,
    /// Units that are not loaded, and why
    pub skipped: Vec<Skipped>,
    /// Units that contradict each other, where at least one is loaded
    pub conflicts: Vec<[String; 2]>,
    /// Units to drop when the context is full, in this order
    pub evict: Vec<String>,
    /// Tokens of all units
    pub tokens: u64,
}

/// A unit to load
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct PlanStep {
    /// Its id
    pub id: String,
    /// Its path, relative to the manifest
    pub path: String,
    /// Why it is loaded
    pub reason: String,
    /// Its load strategy: eager, lazy or never
    pub load: &'static str,
    /// Its priority: critical, supplementary or reference
    pub priority: &'static str,
    /// Its tokens, if declared
    pub tokens: Option<u64>,
    /// The unit that it stands in for
    pub in_place_of: Option<String>,
    /// Whether a unit that it depends on is not loaded
    pub incomplete: bool,
    /// How to ask for approval before it is loaded, if a human has to approve
    pub approval: Option<String>,
    /// Units to drop before it is loaded
    pub evicts: Vec<String>,
    /// Its line in the manifest
    pub line: u32,
}

/// A unit that is not loaded
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its id
    pub id: String,
    /// The outcome: failed, prerequisite, replaced, summary, never, budget, or the filter that left it out
    pub state: &'static str,
    /// The reason
    pub why: String,
}

/// Makes a plan for units that are wanted, the most wanted first.
pub fn plan(manifest: &Manifest, graph: &UnitGraph<'_>, wanted: &[Wanted], rules: &PlanRules<'_>) -> Plan {
    let mut planner = Planner {
        manifest,
        needs: Needs::of(manifest, graph),
        superseded_by: graph.superseded_by(manifest),
        graph,
        rules,
        left: rules.budget,
        planned: BTreeMap::new(),
        edges: Vec::new(),
        skipped: Vec::new(),
        told: BTreeSet::new(),
        stand_ins: BTreeMap::new(),
        failures: BTreeMap::new(),
        steps: STEPS,
    };
    for (rank, wanted) in wanted.iter().enumerate() {
        planner.want(rank, wanted);
    }
    planner.finish()
}

/// What is known of a unit that will be loaded.
pub(super) struct Planned {
    /// Eager first, then by how much it is wanted.
    pub(super) key: (bool, usize),
    pub(super) reason: String,
    pub(super) in_place_of: Option<UnitIndex>,
    pub(super) incomplete: bool,
}

pub(super) struct Planner<'p, 'm> {
    pub(super) manifest: &'m Manifest,
    pub(super) graph: &'p UnitGraph<'m>,
    pub(super) needs: Needs,
    pub(super) superseded_by: BTreeMap<UnitIndex, Vec<UnitIndex>>,
    pub(super) rules: &'p PlanRules<'p>,
    pub(super) left: Option<u64>,
    pub(super) planned: BTreeMap<UnitIndex, Planned>,
    pub(super) edges: Vec<(UnitIndex, UnitIndex)>,
    pub(super) skipped: Vec<Skipped>,
    /// Units that stand in the list of those that are skipped.
    pub(super) told: BTreeSet<UnitIndex>,
    /// What was found out before.
    pub(super) stand_ins: BTreeMap<UnitIndex, Option<UnitIndex>>,
    pub(super) failures: BTreeMap<UnitIndex, bool>,
    /// Steps that are left.
    pub(super) steps: usize,
}

/// Why a unit is on its way into the plan.
#[derive(Clone, Copy)]
pub(super) enum Because {
    Wanted,
    Needed(UnitIndex, Need),
}

/// A unit on its way into the plan, with what it needs.
pub(super) struct Member {
    pub(super) unit: UnitIndex,
    /// What it needs, once replaced, and how much.
    pub(super) needs: Vec<(UnitIndex, Need)>,
    pub(super) in_place_of: Option<UnitIndex>,
    pub(super) incomplete: bool,
    pub(super) because: Because,
    /// The prerequisite without which it cannot be loaded.
    pub(super) broken: Option<UnitIndex>,
}

impl Planner<'_, '_> {
    /// Takes a unit in, with what it needs, if it can be had and fits.
    fn want(&mut self, rank: usize, wanted: &Wanted) {
        let (unit, in_place_of) = if wanted.by_id {
            (wanted.unit, None)
        } else {
            match self.stand_in(wanted.unit) {
                Some(unit) => (unit, (unit != wanted.unit).then_some(wanted.unit)),
                None => return,
            }
        };
        if self.planned.contains_key(&unit) {
            return;
        }
        if self.try_group(rank, unit, in_place_of, &wanted.reason) {
            return;
        }
        // Too large: perhaps its summary is not.
        let summary = self.summary(unit).filter(|_| self.rules.include_summaries);
        let summary = summary.filter(|summary| (self.rules.check)(*summary).is_ok());
        if let Some(summary) = summary {
            if !self.planned.contains_key(&summary) {
                self.try_group(rank, summary, Some(unit), &wanted.reason);
            }
            if self.planned.contains_key(&summary) {
                let why = format!("it does not fit; its summary `{}` is loaded", self.id(summary));
                return self.skip(unit, "summary", why);
            }
        }
        let why = match self.steps {
            0 => "the plan exceeds its limit of steps",
            _ => "it and its dependencies do not fit into the rest of the budget",
        };
        self.skip(unit, "budget", why.to_owned());
    }

    /// Tries to take in a unit and all that it needs; false if only the budget is in the way.
    fn try_group(&mut self, rank: usize, unit: UnitIndex, in_place_of: Option<UnitIndex>, reason: &str) -> bool {
        let Some(group) = self.group(unit, in_place_of) else {
            return false;
        };
        if group.last().is_some_and(|member| member.broken.is_some()) {
            for member in group {
                if let Some(broken) = member.broken.filter(|broken| *broken != member.unit) {
                    let why = format!("its prerequisite `{}` cannot be loaded", self.id(broken));
                    self.skip(member.unit, "prerequisite", why);
                }
            }
            return true;
        }
        let members = group.into_iter().filter(|member| member.broken.is_none());
        let members: Vec<Member> = members.collect();
        if let Some(left) = self.left {
            let costs = members.iter().map(|member| self.tokens(member.unit).unwrap_or(0));
            let cost = costs.fold(0u64, u64::saturating_add);
            let Some(rest) = left.checked_sub(cost) else {
                return false;
            };
            self.left = Some(rest);
        }
        for member in members {
            let is_eager = self.strategy(member.unit) == LoadStrategy::Eager;
            self.edges
                .extend(member.needs.iter().map(|(need, _)| (member.unit, *need)));
            self.planned.insert(
                member.unit,
                Planned {
                    key: (!is_eager, rank),
                    incomplete: member.incomplete || self.rules.incomplete.contains(&member.unit),
                    in_place_of: member.in_place_of,
                    reason: match member.because {
                        Because::Wanted => reason.to_owned(),
                        Because::Needed(parent, Need::DependsOn) => format!("`{}` depends on it", self.id(parent)),
                        Because::Needed(parent, Need::Enables) => format!("it enables `{}`", self.id(parent)),
                    },
                },
            );
        }
        true
    }

    /// A unit and what it needs and is not planned yet, what is needed first; none if there are no steps left. The walk keeps its own stack: a chain may be as long as the manifest.
    fn group(&mut self, unit: UnitIndex, in_place_of: Option<UnitIndex>) -> Option<Vec<Member>> {
        let mut done: Vec<Member> = Vec::new();
        let mut at: BTreeMap<UnitIndex, usize> = BTreeMap::new();
        let mut open: Vec<(Member, usize)> = vec![(self.member(unit, in_place_of, Because::Wanted), 0)];
        let mut is_open = BTreeSet::from([unit]);
        while let Some((member, next)) = open.last_mut() {
            self.steps = self.steps.checked_sub(1)?;
            let parent = member.unit;
            let declared = self.needs.before(parent).get(*next).copied();
            *next += 1;
            // What cannot be loaded anyway needs nothing.
            let Some((need, kind)) = declared.filter(|_| member.broken.is_none()) else {
                if let Some((member, _)) = open.pop() {
                    is_open.remove(&member.unit);
                    // Whoever waits for it learns what became of it.
                    if let Some((parent, _)) = open.last_mut()
                        && let Some((_, kind)) = parent.needs.iter().find(|(need, _)| *need == member.unit)
                    {
                        inherit(parent, &member, *kind);
                    }
                    at.insert(member.unit, done.len());
                    done.push(member);
                }
                continue;
            };
            let Some(stand_in) = self.stand_in(need) else {
                // It is left out on purpose; what needs it goes on without.
                if let Some((member, _)) = open.last_mut() {
                    member.incomplete |= kind == Need::DependsOn;
                }
                continue;
            };
            if is_open.contains(&stand_in) {
                continue;
            }
            if let Some((member, _)) = open.last_mut() {
                member.needs.push((stand_in, kind));
                if self.planned.contains_key(&stand_in) {
                    continue;
                }
                if let Some(known) = at.get(&stand_in).and_then(|at| done.get(*at)) {
                    inherit(member, known, kind);
                    continue;
                }
            }
            let in_place_of = (stand_in != need).then_some(need);
            open.push((self.member(stand_in, in_place_of, Because::Needed(parent, kind)), 0));
            is_open.insert(stand_in);
        }
        Some(done)
    }

    fn member(&mut self, unit: UnitIndex, in_place_of: Option<UnitIndex>, because: Because) -> Member {
        let has_failed = match self.failures.get(&unit) {
            Some(known) => *known,
            None => {
                let failure = (self.rules.failure)(unit);
                let has_failed = failure.is_some();
                self.failures.insert(unit, has_failed);
                if let Some(why) = failure {
                    self.skip(unit, "failed", why);
                }
                has_failed
            }
        };
        let broken = has_failed.then_some(unit);
        Member {
            unit,
            needs: Vec::new(),
            in_place_of,
            incomplete: false,
            because,
            broken,
        }
    }

    /// The unit to load for a dependency that was not requested by id: its successor, its summary, or itself; none if none of them may be loaded.
    fn stand_in(&mut self, unit: UnitIndex) -> Option<UnitIndex> {
        if let Some(known) = self.stand_ins.get(&unit) {
            return *known;
        }
        let found = self.find_stand_in(unit);
        self.stand_ins.insert(unit, found);
        found
    }

    fn find_stand_in(&mut self, unit: UnitIndex) -> Option<UnitIndex> {
        let mut current = unit;
        let mut seen = BTreeSet::from([unit]);
        while let Some(next) = self.superseded_by.get(&current).and_then(|units| {
            let passes = |unit: &&UnitIndex| (self.rules.check)(**unit).is_ok();
            units.iter().find(passes).copied()
        }) {
            if !seen.insert(next) {
                break;
            }
            current = next;
        }
        if current != unit {
            let why = format!("`{}` replaces it", self.id(current));
            self.skip(unit, "replaced", why);
        }
        if let Err(why) = (self.rules.check)(current) {
            self.skip(current, why.word(), why.sentence());
            return None;
        }
        let summary = self
            .summary(current)
            .filter(|summary| (self.rules.check)(*summary).is_ok());
        match (self.strategy(current), self.density(current), summary) {
            (LoadStrategy::Never, _, Some(summary)) => {
                let why = format!(
                    "it is loaded by its id only; its summary `{}` is loaded instead",
                    self.id(summary)
                );
                self.skip(current, "never", why);
                Some(summary)
            }
            (LoadStrategy::Never, _, None) => {
                self.skip(current, "never", "it is loaded by its id only".to_owned());
                None
            }
            (_, Density::Verbose, Some(summary)) if self.rules.include_summaries => {
                let why = format!("it is verbose; its summary `{}` is loaded instead", self.id(summary));
                self.skip(current, "summary", why);
                Some(summary)
            }
            _ => Some(current),
        }
    }

    fn skip(&mut self, unit: UnitIndex, state: &'static str, why: String) {
        if self.told.insert(unit) {
            let id = self.id(unit);
            self.skipped.push(Skipped { id, state, why });
        }
    }

    fn unit(&self, unit: UnitIndex) -> Option<&Unit> {
        self.manifest.unit(unit)
    }

    fn id(&self, unit: UnitIndex) -> String {
        let id = self.unit(unit).and_then(|unit| self.manifest.id(unit));
        id.unwrap_or_default().to_owned()
    }

    fn tokens(&self, unit: UnitIndex) -> Option<u64> {
        self.unit(unit).and_then(tokens)
    }

    fn strategy(&self, unit: UnitIndex) -> LoadStrategy {
        let hints = self.unit(unit).and_then(|unit| unit.hints.as_ref());
        hints
            .and_then(|hints| known(&hints.value.load_strategy))
            .unwrap_or(LoadStrategy::Lazy)
    }

    fn density(&self, unit: UnitIndex) -> Density {
        let hints = self.unit(unit).and_then(|unit| unit.hints.as_ref());
        hints
            .and_then(|hints| known(&hints.value.density))
            .unwrap_or(Density::Standard)
    }

    fn priority(&self, unit: UnitIndex) -> Priority {
        let hints = self.unit(unit).and_then(|unit| unit.hints.as_ref());
        hints
            .and_then(|hints| known(&hints.value.priority))
            .unwrap_or(Priority::Supplementary)
    }

    /// Another unit that is a summary of a unit.
    fn summary(&self, unit: UnitIndex) -> Option<UnitIndex> {
        let hints = self.unit(unit)?.hints.as_ref()?;
        let summary = self.graph.first(self.manifest.field(&hints.value.summary_unit)?)?;
        (summary != unit).then_some(summary)
    }

    /// The units in order, with what to let go.
    fn finish(mut self) -> Plan {
        let keys = self
            .planned
            .iter()
            .map(|(unit, planned)| (*unit, planned.key))
            .collect();
        let order = sorted(&keys, &self.edges);
        let mut needs: BTreeMap<UnitIndex, Vec<UnitIndex>> = BTreeMap::new();
        for (unit, need) in &self.edges {
            needs.entry(*unit).or_default().push(*need);
        }
        let mut context = Context {
            size: self.rules.context,
            held: BinaryHeap::new(),
            tokens: 0,
        };
        let mut plan = Plan::default();
        for (step, unit) in order.iter().enumerate() {
            let Some(planned) = self.planned.get(unit) else {
                continue;
            };
            let tokens = self.tokens(*unit);
            let needs = needs.get(unit).map_or(&[][..], Vec::as_slice);
            let evicted = context.load(step, *unit, self.priority(*unit), tokens.unwrap_or(0), needs);
            let declared = self.unit(*unit);
            plan.tokens = plan.tokens.saturating_add(tokens.unwrap_or(0));
            plan.steps.push(PlanStep {
                id: self.id(*unit),
                path: declared
                    .and_then(|unit| self.manifest.path(unit))
                    .unwrap_or_default()
                    .to_owned(),
                reason: planned.reason.clone(),
                load: self.strategy(*unit).word(),
                priority: self.priority(*unit).word(),
                tokens,
                in_place_of: planned.in_place_of.map(|unit| self.id(unit)),
                incomplete: planned.incomplete,
                approval: (self.rules.approval)(*unit),
                evicts: evicted.into_iter().map(|unit| self.id(unit)).collect(),
                line: declared.map_or(0, |unit| self.manifest.document.place(unit.node).line),
            });
        }
        let held = context.held.into_sorted_vec();
        plan.evict = held.iter().rev().map(|(_, _, unit, _)| self.id(*unit)).collect();
        for (one, others) in self.graph.contradicts(self.manifest) {
            for other in others.into_iter().filter(|other| one < *other) {
                if self.planned.contains_key(&one) || self.planned.contains_key(&other) {
                    plan.conflicts.push([self.id(one), self.id(other)]);
                }
            }
        }
        // A unit that was left out first and then loaded because it was requested by id is not reported as left out.
        let loaded: BTreeSet<&str> = plan.steps.iter().map(|step| step.id.as_str()).collect();
        self.skipped.retain(|skipped| !loaded.contains(skipped.id.as_str()));
        plan.skipped = self.skipped;
        plan
    }
}

/// A unit learns what became of one that it needs.
pub(super) fn inherit(member: &mut Member, need: &Member, kind: Need) {
    match (need.broken, kind) {
        (Some(_), Need::DependsOn) => member.broken = member.broken.or(Some(need.unit)),
        (Some(_), Need::Enables) => member.incomplete = true,
        (None, Need::DependsOn) => member.incomplete |= need.incomplete,
        (None, Need::Enables) => {}
    }
}

/// What is held while units are loaded one after the other.
pub(super) struct Context {
    pub(super) size: Option<u64>,
    /// What goes first is the largest: reference, then supplementary, then critical, and what was loaded last first.
    pub(super) held: BinaryHeap<HeldUnit>,
    pub(super) tokens: u64,
}

/// A unit that is held: how long, since which step, which one, for how many tokens.
pub(super) type HeldUnit = (Priority, usize, UnitIndex, u64);

impl Context {
    /// Loads a unit; what has to go before that. What the unit itself needs goes last.
    fn load(
        &mut self,
        step: usize,
        unit: UnitIndex,
        priority: Priority,
        tokens: u64,
        needs: &[UnitIndex],
    ) -> Vec<UnitIndex> {
        let mut evicted = Vec::new();
        let mut needed = Vec::new();
        while self.is_full(tokens)
            && let Some(held) = self.held.pop()
        {
            if needs.contains(&held.2) {
                needed.push(held)
            } else {
                self.let_go(held, &mut evicted)
            }
        }
        for held in needed {
            if self.is_full(tokens) {
                self.let_go(held, &mut evicted)
            } else {
                self.held.push(held)
            }
        }
        self.tokens = self.tokens.saturating_add(tokens);
        self.held.push((priority, step, unit, tokens));
        evicted
    }

    fn is_full(&self, tokens: u64) -> bool {
        self.size.is_some_and(|size| self.tokens.saturating_add(tokens) > size)
    }

    fn let_go(&mut self, (_, _, unit, tokens): HeldUnit, evicted: &mut Vec<UnitIndex>) {
        self.tokens = self.tokens.saturating_sub(tokens);
        evicted.push(unit);
    }
}
