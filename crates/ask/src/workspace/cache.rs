//! `lore cache`: what the user's cache of derived data holds, and how to make it smaller.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_seam::{Access, CacheStatus, Ctx, OpError, Operation, Page, Pruned, Render, Value, Verdict};

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
    /// Bytes that it takes
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
    /// Bytes that it takes
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

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
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
            "{:>12}  facts, shared by all trees ({} {})",
            megabytes(self.facts_bytes),
            self.segments,
            if self.segments == 1 { "file" } else { "files" }
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

/// Remove trees that no longer exist from the cache, and the least recently used data above the limit
///
/// This happens by itself while Lore works; the command does it now, or with a smaller limit.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore cache prune\n  lore cache prune --max-bytes 1000000000")]
#[serde(default)]
pub struct CachePruneRequest {
    /// Prune to this size [default: the limit of the configuration]
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u64>,
}

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
    /// Bytes that are left
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
        let trees = if self.trees == 1 { "tree" } else { "trees" };
        let files = if self.segments == 1 { "file" } else { "files" };
        page.line(format_args!(
            "removed {} {trees} and {} {files} of facts: {} freed, {} left",
            self.trees,
            self.segments,
            megabytes(self.bytes),
            megabytes(self.left)
        ));
        if self.graphs > 0 {
            let files = if self.graphs == 1 { "file" } else { "files" };
            page.line(format_args!("removed {} {files} of fetched graphs", self.graphs));
        }
        for fault in &self.faults {
            page.line(format_args!("not removed: {fault}"));
        }
    }
}

/// `lore cache prune`.
pub struct CachePrune;

impl Operation for CachePrune {
    const NAME: &'static str = "cache_prune";
    const COMMAND: &'static [&'static str] = &["cache", "prune"];
    const ACCESS: Access = Access::Write;
    type Request = CachePruneRequest;
    type Answer = Value<PrunedAnswer>;

    fn run(ctx: &Ctx, request: CachePruneRequest) -> Result<Value<PrunedAnswer>, OpError> {
        Ok(Value {
            value: ctx.ports.cache.prune(request.max_bytes)?.into(),
            verdict: Verdict::Yes,
        })
    }
}

/// Remove everything from the cache
///
/// Only derived data and graphs that were fetched are removed: decisions, memory, registries and published graphs stay. The next question about a tree indexes it again.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:\n  lore cache clear")]
#[serde(default)]
pub struct CacheClearRequest {}

/// `lore cache clear`.
pub struct CacheClear;

impl Operation for CacheClear {
    const NAME: &'static str = "cache_clear";
    const COMMAND: &'static [&'static str] = &["cache", "clear"];
    const ACCESS: Access = Access::Write;
    type Request = CacheClearRequest;
    type Answer = Value<PrunedAnswer>;

    fn run(ctx: &Ctx, _: CacheClearRequest) -> Result<Value<PrunedAnswer>, OpError> {
        Ok(Value {
            value: ctx.ports.cache.clear()?.into(),
            verdict: Verdict::Yes,
        })
    }
}
