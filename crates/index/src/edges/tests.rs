//! What tests exercise: what they call outside the test files, themselves or through helpers that stand in test files.

use foldhash::HashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use lore_model::{EdgeKind, EdgeMarks, NONE, Resolution, SymbolKind};

use super::Mention;
use crate::solve::{CallRow, Callee, Program};

/// Helpers that call helpers.
const MAX_DEPTH: u32 = 6;
/// Helpers that one call of a test leads through.
const MAX_HELPERS: usize = 128;
/// Things outside the tests that one helper leads to.
const MAX_TARGETS: usize = 512;

/// What a helper leads to, each with how it is known at best.
type Reached = Rc<[(u32, u8)]>;

struct Calls<'c> {
    /// What symbols of test files call and make, by symbol.
    rows: HashMap<u32, Vec<&'c CallRow>>,
    reached: HashMap<u32, Reached>,
}

/// Adds an edge from every test to what it exercises, at the lines of the test.
pub(super) fn find(
    program: &Program<'_>,
    calls: &[CallRow],
    instances: &[CallRow],
    is_test: impl Fn(u32) -> bool,
    mentions: &mut Vec<Mention>,
) {
    let mut rows: HashMap<u32, Vec<&CallRow>> = HashMap::default();
    // A test exercises what runs.
    let run = |row: &&CallRow| row.evidence != Resolution::Declared as u8;
    for row in calls.iter().filter(run).chain(instances) {
        if row.caller != NONE && matches!(row.callee, Callee::Symbol(_)) && is_test(row.caller) {
            rows.entry(row.caller).or_default().push(row);
        }
    }
    let mut calls = Calls {
        rows,
        reached: HashMap::default(),
    };
    for unit in &program.units {
        for (at, definition) in unit.facts.definitions.iter().enumerate() {
            let test = unit.first_symbol.wrapping_add(at as u32);
            if definition.kind() != SymbolKind::Test || unit.path.is_none() || !is_test(test) {
                continue;
            }
            for row in calls.rows.get(&test).cloned().unwrap_or_default() {
                let Callee::Symbol(callee) = row.callee else { continue };
                let mut exercise = |target, evidence: u8| {
                    mentions.push(Mention {
                        source: test,
                        kind: EdgeKind::Tests,
                        target: Callee::Symbol(target),
                        file: row.file,
                        line: row.line,
                        resolution: evidence.max(row.evidence),
                        marks: EdgeMarks::NAMED,
                    });
                };
                if !is_test(callee) {
                    exercise(callee, row.evidence)
                } else {
                    for (target, evidence) in calls.reach(callee, &is_test).iter() {
                        exercise(*target, *evidence);
                    }
                }
            }
        }
    }
}

impl Calls<'_> {
    /// What a helper leads to outside the test files.
    fn reach(&mut self, helper: u32, is_test: &impl Fn(u32) -> bool) -> Reached {
        if let Some(reached) = self.reached.get(&helper) {
            return reached.clone();
        }
        let mut targets: BTreeMap<u32, u8> = BTreeMap::new();
        let mut seen = vec![helper];
        let mut waiting = VecDeque::from([(helper, 0u8, 0)]);
        while let Some((symbol, evidence, depth)) = waiting.pop_front() {
            for row in self.rows.get(&symbol).into_iter().flatten() {
                let Callee::Symbol(callee) = row.callee else { continue };
                let evidence = evidence.max(row.evidence);
                if !is_test(callee) {
                    if targets.len() < MAX_TARGETS {
                        let known = targets.entry(callee).or_insert(evidence);
                        *known = evidence.min(*known);
                    }
                } else if depth < MAX_DEPTH && seen.len() < MAX_HELPERS && !seen.contains(&callee) {
                    seen.push(callee);
                    waiting.push_back((callee, evidence, depth + 1));
                }
            }
        }
        let reached: Reached = targets.into_iter().collect();
        self.reached.insert(helper, reached.clone());
        reached
    }
}
