//! The producer: this repository's graph as a body, and the record that leads to it (clauses P1 to P10).
//!
//! [`choose`] says which part of a graph fits, [`nodes`] what its nodes are called, [`body`] makes a document of it; one file for each format says how it is
//! written. [`scrub`] takes out what should not leave, [`stamp`] is when and of which commit, [`record`] what the repository says of its graphs, and
//! [`operation`] writes both.

mod body;
mod bundle;
mod ccg;
mod choose;
mod code_review_graph;
mod gitnexus;
mod metadata;
mod node_id;
mod nodes;
mod object;
pub mod scrub;
mod stamp;
#[cfg(test)]
mod testing;
mod understand_anything;

use lore_model::Resolution;

/// The directory that bodies are written to, from the root of the repository.
const DIRECTORY: &str = ".lore";
/// Where the record stands, from the root of the repository.
const RECORD: &str = ".well-known/code-graph.json";
/// The version of Lore.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Why a body does not hold all of a graph.
const PARTIAL: &str = "the graph is larger than a body may be; this is its most important part";

/// How likely an edge is right, in hundredths.
fn percent(resolution: Resolution) -> u64 {
    (resolution.confidence() * 100.0).round() as u64
}
