//! `lore cache status`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::megabytes;
use lore_base::counted::counted;
use lore_seam::{Access, CacheStatus, Ctx, OpError, Operation, Page, Render, Value, Verdict};

/// Show what the cache holds: its directory, its size and limit, and the trees in it
///
/// The cache holds derived data only. It is in the user's cache directory, never in a repository, and may be deleted at any time.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore cache status\n  lore cache status --json")]
#[serde(default)]
pub struct CacheStatusRequest {}

/// What the cache holds
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct CacheAnswer {
    /// The directory
    pub directory: String,
    /// Size in bytes
    pub bytes: u64,
    /// The size in bytes above which the least recently used data is evicted
    pub limit: u64,
    /// Bytes of facts, which all trees share
    pub facts_bytes: u64,
    /// Files that hold these facts
    pub segments: usize,
    /// Bytes of the graphs of other repositories that were fetched
    pub graphs_bytes: u64,
    /// The trees, by path
    pub trees: Vec<TreeLine>,
}

/// One tree in the cache
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct TreeLine {
    /// The path of the tree
    pub tree: String,
    /// The directory of its derived data
    pub directory: String,
    /// Size in bytes
    pub bytes: u64,
    /// Milliseconds since 1970 of its last use
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_use: Option<u64>,
}

impl From<CacheStatus> for CacheAnswer {
    fn from(status: CacheStatus) -> Self {
        let trees: Vec<TreeLine> = status
            .trees
            .into_iter()
            .map(|tree| TreeLine {
                tree: tree.tree,
                directory: tree.directory,
                bytes: tree.bytes,
                last_use: tree.last_use,
            })
            .collect();
        Self {
            directory: status.directory,
            bytes: status.facts_bytes + status.graphs_bytes + trees.iter().map(|tree| tree.bytes).sum::<u64>(),
            limit: status.limit,
            facts_bytes: status.facts_bytes,
            segments: status.segments,
            graphs_bytes: status.graphs_bytes,
            trees,
        }
    }
}

impl Render for CacheAnswer {
    fn render(&self, page: &mut Page) {
        page.line(format_args!("{}", self.directory));
        page.line(format_args!(
            "{} of {} used",
            megabytes(self.bytes),
            megabytes(self.limit)
        ));
        page.line(format_args!(
            "{:>12}  facts, shared by all trees ({})",
            megabytes(self.facts_bytes),
            counted(self.segments, "file")
        ));
        if self.graphs_bytes > 0 {
            page.line(format_args!(
                "{:>12}  fetched graphs of other repositories",
                megabytes(self.graphs_bytes)
            ));
        }
        for tree in &self.trees {
            page.line(format_args!("{:>12}  {}", megabytes(tree.bytes), tree.tree));
        }
    }
}

/// `lore cache status`.
pub struct CacheStatusOperation;

impl Operation for CacheStatusOperation {
    const NAME: &'static str = "cache_status";
    const COMMAND: &'static [&'static str] = &["cache", "status"];
    const ACCESS: Access = Access::Read;
    type Request = CacheStatusRequest;
    type Answer = Value<CacheAnswer>;

    fn run(ctx: &Ctx, _: CacheStatusRequest) -> Result<Value<CacheAnswer>, OpError> {
        Ok(Value {
            value: ctx.ports.cache.status()?.into(),
            verdict: Verdict::Yes,
        })
    }
}
