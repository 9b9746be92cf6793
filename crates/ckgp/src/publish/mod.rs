//! The producer: this repository's graph as a body, and the record that leads to it (clauses P1 to P10).
//!
//! `choose` says which part of a graph fits, `nodes` what its nodes are called, `body` makes a document of it; one file for each format says how it is
//! written. `lore_base::scrub` takes out what should not leave, `stamp` is when and of which commit, `listing` what the repository says of its graphs,
//! `address` where they are served, and `operation` writes both.

mod address;
mod answer;
mod body;
mod bundle;
mod ccg;
mod choose;
mod code_review_graph;
mod format_file;
mod gitnexus;
mod ignored;
mod listing;
mod metadata;
mod node_id;
mod nodes;
mod notify;
mod object;
mod operation;
mod stamp;
#[cfg(test)]
mod testing;
mod understand_anything;

pub use self::answer::{FileState, GraphPublishAnswer, Partial, PublishedFile, ScrubbedCounts, Share};
pub use self::operation::{GraphPublish, GraphPublishRequest};

use lore_model::Resolution;

/// The directory that bodies are written to, from the root of the repository.
const DIRECTORY: &str = ".lore";
/// Where the record stands, from the root of the repository.
const RECORD: &str = crate::forge::RECORD_PATH;

/// Every file that is published in a repository.
pub fn paths() -> Vec<String> {
    let bodies = format_file::Published::ALL
        .into_iter()
        .map(format_file::Published::path);
    let mut paths: Vec<String> = bodies
        .chain([format_file::BUNDLE_CONTENT, RECORD])
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    paths
}

/// The version of Lore.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Why a body does not hold all of a graph.
const PARTIAL: &str = "the graph is larger than a body may be; this is its most important part";

/// How likely an edge is right, in hundredths.
fn percent(resolution: Resolution) -> u64 {
    (resolution.confidence() * 100.0).round() as u64
}
