//! `CacheControl`: the port for the user's cache of derived data.

use super::{ErrorKind, OpError};

/// The content of the user's cache.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CacheStatus {
    /// The directory of the cache.
    pub directory: String,
    /// The size in bytes above which the least recently used data is evicted.
    pub limit: u64,
    /// Bytes of facts, which all trees share.
    pub facts_bytes: u64,
    /// Number of files that hold facts.
    pub segments: usize,
    /// Bytes of the graphs of other repositories that were fetched.
    pub graphs_bytes: u64,
    /// The trees, sorted by path.
    pub trees: Vec<CachedTree>,
}

/// One tree in the user's cache.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CachedTree {
    /// The path of the tree.
    pub tree: String,
    /// The directory of its derived data.
    pub directory: String,
    /// Bytes of its derived data.
    pub bytes: u64,
    /// Last use, in milliseconds since 1970.
    pub last_use: Option<u64>,
}

/// What a prune or clear removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// Trees whose derived data was removed.
    pub trees: usize,
    /// Files of facts that were removed.
    pub segments: usize,
    /// Files of fetched graphs that were removed.
    pub graphs: usize,
    /// Bytes that were freed.
    pub bytes: u64,
    /// Bytes that remain.
    pub left: u64,
    /// What could not be removed, and why.
    pub faults: Vec<String>,
}

/// The user's cache of derived data. No answer depends on the cache; without it, answers take longer.
pub trait CacheControl: Send + Sync {
    /// The current content of the cache.
    fn status(&self) -> Result<CacheStatus, OpError>;

    /// Removes trees that no longer exist. Then evicts the least recently used data until the cache is within `limit`,
    /// or within its configured limit.
    fn prune(&self, limit: Option<u64>) -> Result<Pruned, OpError>;

    /// Removes everything that no process is writing to.
    fn clear(&self) -> Result<Pruned, OpError>;
}

/// No cache: every answer is computed from the files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

fn none<T>() -> Result<T, OpError> {
    Err(OpError::new(ErrorKind::Unavailable, "there is no cache here"))
}

impl CacheControl for NoCache {
    fn status(&self) -> Result<CacheStatus, OpError> {
        none()
    }

    fn prune(&self, _: Option<u64>) -> Result<Pruned, OpError> {
        none()
    }

    fn clear(&self) -> Result<Pruned, OpError> {
        none()
    }
}
