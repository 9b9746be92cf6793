//! `Ctx`: what an operation may reach of the world outside, as ports.

use std::sync::Arc;

use lore_model::{Bound, Cancel, CodeGraph, Progress};

use super::OpError;

/// The world outside, for the time of one request.
#[derive(Clone)]
pub struct Ctx {
    /// The ports.
    pub ports: Arc<Ports>,
    /// Where long work reports.
    pub progress: Arc<dyn Progress + Send + Sync>,
    /// Whether somebody asked to stop.
    pub cancel: Arc<Cancel>,
}

/// The ports, shared by all requests.
pub struct Ports {
    /// The code of a repository.
    pub code: Arc<dyn Code>,
    /// Lore's settings.
    pub settings: Arc<dyn Settings>,
    /// The state of what Lore keeps.
    pub health: Arc<dyn Health>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New identifiers.
    pub ids: Arc<dyn Ids>,
}

/// Which graph is meant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphScope {
    /// A git revision; the working tree if there is none.
    pub revision: Option<String>,
    /// Answer from the index as it is.
    pub no_refresh: bool,
}

/// What to index, beyond what the configuration says. `None` and empty lists leave the configuration's value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexRequest {
    /// The root, where it is not the repository of the working directory.
    pub path: Option<String>,
    /// The revision to index instead of the working tree.
    pub revision: Option<String>,
    /// Only files that match one of these.
    pub include: Vec<String>,
    /// No file that matches one of these.
    pub exclude: Vec<String>,
    /// Keep vendored files.
    pub vendored: bool,
    /// Keep generated files.
    pub generated: bool,
    /// Keep minified files.
    pub minified: bool,
    /// The size above which a file is left out.
    pub max_file_bytes: Option<u64>,
    /// Read every file instead of trusting size, time and inode.
    pub verify: bool,
    /// Forget what is cached first.
    pub fresh: bool,
}

/// What indexing did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexSummary {
    /// The root that was indexed, as it is shown to people.
    pub root: String,
    /// Whether anything had changed.
    pub changed: bool,
    /// Files in the graph.
    pub files: usize,
    /// Of those, parsed now.
    pub extracted: usize,
    /// Files left out.
    pub skipped: usize,
    /// Files that did not parse whole.
    pub with_errors: usize,
    /// Symbols in the graph.
    pub symbols: usize,
    /// Lines in the graph.
    pub lines: u64,
    /// Bytes of the snapshot.
    pub snapshot_bytes: u64,
    /// The bounds that the search for calls hit, and how often.
    pub bounds: Vec<(Bound, u32)>,
    /// How long it took.
    pub milliseconds: u64,
}

/// The code of one repository.
pub trait Code: Send + Sync {
    /// The graph, brought up to date first unless the scope says otherwise.
    fn graph(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError>;

    /// Builds or refreshes the graph.
    fn index(&self, request: &IndexRequest, progress: &dyn Progress, cancel: &Cancel) -> Result<IndexSummary, OpError>;

    /// Waits until files have changed; `false` when it cannot go on.
    fn wait_for_change(&self, request: &IndexRequest, cancel: &Cancel) -> Result<bool, OpError>;

    /// Where in the tree whoever asks stands: a path from the root, empty at the root or outside.
    fn here(&self) -> String;

    /// The content of a file.
    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError>;
}

/// One setting and where its value came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The key.
    pub key: String,
    /// The value, as it would be written in the configuration.
    pub value: String,
    /// Where it came from.
    pub origin: String,
}

/// Lore's settings.
pub trait Settings: Send + Sync {
    /// All of them, by key.
    fn list(&self) -> Vec<Setting>;
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// Whether it is well.
    pub ok: bool,
    /// What was found.
    pub detail: String,
    /// What to do if it is not well.
    pub hint: Option<String>,
}

/// The state of what Lore keeps.
pub trait Health: Send + Sync {
    /// Looks at everything.
    fn check(&self) -> Vec<Check>;
}

/// The time.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;
}

/// New identifiers.
pub trait Ids: Send + Sync {
    /// One that nobody has.
    fn fresh(&self) -> String;
}
