//! Patterns by which a repository is built: only what a rule proved from the graph (clause L1).
//!
//! Names alone prove nothing; each rule joins them with edges, bases, signatures or what a file declares. Every rule is described in
//! `docs/ccg-patterns.md`: what it asks for, what counts as proof, and where it may be wrong. Tests, examples and tools are not looked at.

mod behaviour;
mod creation;
mod events;
mod extension;
mod program;
mod storage;
mod structure;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use lore_model::{CodeGraph, ModuleGraph, Symbol};
use serde::Serialize;

use super::document::size;
use program::Program;

/// Bytes for the patterns of a repository.
const MAX_BYTES: usize = 4_096;
/// Places that are named for one pattern.
const MAX_PLACES: usize = 3;
/// Bytes of one place.
const MAX_PLACE: usize = 300;

/// The patterns of a repository.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Patterns {
    /// Names of those that the whole follows.
    architectural: Vec<&'static str>,
    /// Everything that was found.
    detected: Vec<Pattern>,
    /// How many places were found that are not named.
    #[serde(skip)]
    pub(super) left_out: usize,
}

/// One pattern that was found.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
struct Pattern {
    pattern: &'static str,
    location: String,
    coverage: String,
}

/// A place where a rule proved a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Proof {
    pattern: &'static str,
    /// Whether it says how the whole is built.
    is_architectural: bool,
    /// Where: a type, a function, a directory, a file.
    location: String,
    /// How much follows it.
    coverage: String,
    /// Which of several places is named first.
    weight: u64,
}

impl Proof {
    /// That a symbol follows a pattern.
    fn of(pattern: &'static str, symbol: Symbol<'_>, coverage: String) -> Self {
        Self {
            pattern,
            is_architectural: false,
            location: symbol.plain_name().into_owned(),
            coverage,
            weight: u64::from(symbol.importance()),
        }
    }

    /// That the whole below a path follows a pattern.
    fn of_whole(pattern: &'static str, location: &str, coverage: String) -> Self {
        Self {
            pattern,
            is_architectural: true,
            location: if location.is_empty() { "." } else { location }.to_owned(),
            coverage,
            weight: u64::MAX,
        }
    }
}

const RULES: &[fn(&Program<'_>) -> Vec<Proof>] = &[
    structure::workspace,
    structure::layered,
    structure::mvc,
    structure::ports,
    structure::client_server,
    events::event_bus,
    extension::registry,
    extension::plugins,
    extension::middleware,
    extension::injection,
    storage::repository,
    storage::active_record,
    creation::singleton,
    creation::builder,
    creation::factory,
    behaviour::visitor,
    behaviour::strategy,
    behaviour::command,
    behaviour::template_method,
    behaviour::decorator,
];

/// Finds the patterns.
pub(super) fn detect(
    graph: &CodeGraph,
    modules: &ModuleGraph,
    is_aside: &dyn Fn(usize) -> bool,
    read: &dyn Fn(&str) -> Option<String>,
) -> Patterns {
    let program = Program::new(graph, modules, is_aside, read);
    let mut found = Patterns::default();
    let mut room = MAX_BYTES;
    for rule in RULES {
        let mut by_pattern: BTreeMap<&str, Vec<Proof>> = BTreeMap::new();
        for proof in rule(&program) {
            by_pattern.entry(proof.pattern).or_default().push(proof);
        }
        for mut proofs in by_pattern.into_values() {
            proofs.sort_by_key(|proof| (Reverse(proof.weight), proof.location.clone()));
            // One type may be in two trees of a repository.
            proofs.dedup_by(|left, right| left.location == right.location);
            found.add(proofs, &mut room);
        }
    }
    found
}

impl Patterns {
    fn add(&mut self, proofs: Vec<Proof>, room: &mut usize) {
        let count = proofs.len();
        let mut named = 0;
        for proof in proofs {
            let coverage = match count {
                1 => proof.coverage,
                count => format!("{}; one of {count}", proof.coverage),
            };
            let pattern = Pattern {
                pattern: proof.pattern,
                location: proof.location,
                coverage,
            };
            let bytes = size(&pattern) + 2;
            if named == MAX_PLACES || bytes > MAX_PLACE || bytes > *room {
                continue;
            }
            *room -= bytes;
            named += 1;
            if proof.is_architectural && !self.architectural.contains(&proof.pattern) {
                self.architectural.push(proof.pattern);
            }
            self.detected.push(pattern);
        }
        self.left_out += count - named;
    }
}

#[cfg(test)]
mod tests;
