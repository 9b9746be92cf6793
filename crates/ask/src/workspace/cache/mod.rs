//! `lore cache`: what the user's cache of derived data holds, and how to make it smaller.

mod clear;
mod prune;
mod status;

use schemars::JsonSchema;
use serde::Serialize;

pub use clear::{CacheClear, CacheClearRequest};
use lore_base::counted::counted;
use lore_seam::{Page, Pruned, Render};
pub use prune::{CachePrune, CachePruneRequest};
pub use status::{CacheAnswer, CacheStatusOperation, CacheStatusRequest, TreeLine};

/// What was removed
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct PrunedAnswer {
    /// Trees whose derived data was removed
    pub trees: usize,
    /// Files of facts that were removed
    pub segments: usize,
    /// Files of fetched graphs that were removed
    pub graphs: usize,
    /// Bytes that were freed
    pub bytes: u64,
    /// Bytes that remain
    pub left: u64,
    /// What could not be removed, and why
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

impl From<Pruned> for PrunedAnswer {
    fn from(pruned: Pruned) -> Self {
        Self {
            trees: pruned.trees,
            segments: pruned.segments,
            graphs: pruned.graphs,
            bytes: pruned.bytes,
            left: pruned.left,
            faults: pruned.faults,
        }
    }
}

impl Render for PrunedAnswer {
    fn render(&self, page: &mut Page) {
        page.line(format_args!(
            "removed {} and {} of facts: {} freed, {} left",
            counted(self.trees, "tree"),
            counted(self.segments, "file"),
            megabytes(self.bytes),
            megabytes(self.left)
        ));
        if self.graphs > 0 {
            page.line(format_args!(
                "removed {} of fetched graphs",
                counted(self.graphs, "file")
            ));
        }
        for fault in &self.faults {
            page.line(format_args!("not removed: {fault}"));
        }
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
