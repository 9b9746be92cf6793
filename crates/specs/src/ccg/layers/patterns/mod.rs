//! Patterns by which a repository is built: only what a rule proved from the graph (clause L1).
//!
//! Every rule is described in `docs/ccg-patterns.md`: what it asks for, what counts as proof, and where it may be wrong.

use lore_model::{CodeGraph, ModuleGraph};
use serde::Serialize;

/// The patterns of a repository.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Patterns {
    /// Names of those that the whole follows.
    architectural: Vec<String>,
    /// Everything that was found.
    detected: Vec<Pattern>,
}

/// One pattern that was found.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    /// Its name.
    pattern: String,
    /// Where it is: a module, a type, a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// How much follows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<String>,
}

/// Finds the patterns.
pub(super) fn detect(_: &CodeGraph, _: &ModuleGraph) -> Patterns {
    Patterns::default()
}
