//! `PatchLog`: the port for the patches of the mind graph in git, and for queries to the history of the code.

use std::sync::Arc;

use lore_model::{Cancel, Progress};

use std::sync::LazyLock;

use lore_seam::{ErrorKind, ObjectId, OpError, Port};

use crate::raw_patch::{Descend, RawPatch};

/// The newest commit of the chain of one writer, local or as last fetched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// The git reference of the chain.
    pub reference: String,
    /// The newest commit of the chain.
    pub id: ObjectId,
    /// Whether this repository writes the chain.
    pub own: bool,
}

/// The state of all chains.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tips {
    /// All chains, sorted by reference.
    pub tips: Vec<Tip>,
    /// The name under which this repository writes; `None` before its first write.
    pub writer: Option<String>,
    /// The checked-out commit; `None` before the first commit.
    pub head: Option<ObjectId>,
    /// References that cannot be read, each with the reason.
    pub faults: Vec<(String, String)>,
}

impl Tips {
    /// The newest commit of the chain that this repository writes.
    pub fn own(&self) -> Option<ObjectId> {
        self.tips.iter().find(|tip| tip.own).map(|tip| tip.id)
    }

    /// The newest commits of all chains, sorted, without duplicates.
    pub fn ids(&self) -> Vec<ObjectId> {
        let mut ids: Vec<ObjectId> = self.tips.iter().map(|tip| tip.id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// A patch to append.
///
/// `expected` is the version for optimistic locking. If the chain has moved, nothing is written.
#[derive(Clone, Copy, Debug)]
pub struct NewPatch<'a> {
    /// The tip of the own chain when it was read; `None` if there was none. It becomes the first parent.
    pub expected: Option<ObjectId>,
    /// Further parents: the tips of other chains that the patch depends on.
    pub parents: &'a [ObjectId],
    /// The commit message.
    pub message: &'a str,
    /// Blobs of operations.
    pub chunks: &'a [Vec<u8>],
    /// The time of the patch, in milliseconds since 1970.
    pub time_ms: u64,
}

/// The outcome of [`PatchLog::append`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// The patch was written and is the new tip.
    Done(ObjectId),
    /// Another process moved the chain first. Read the tips and try again.
    Moved,
}

/// The exclusive right to write. The lock is released when this value is dropped or the process ends.
pub trait LogLock: Send {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeCommit {
    pub id: ObjectId,
    pub message: String,
    /// Commit time, in seconds since 1970.
    pub time: i64,
    /// The files that the commit changed against its first parent, sorted. For the first commit, all files. Empty if
    /// they were not requested.
    pub files: Vec<String>,
}

/// Ancestors of a commit, including the commit, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ancestors {
    pub ids: Vec<ObjectId>,
    /// Whether there are more: the limit was reached, or the clone is shallow.
    pub cut: bool,
}

/// Whether a plain `git fetch` from a remote also fetches its mind graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteState {
    pub name: String,
    /// The URL, as git stores it.
    pub url: Option<String>,
    /// The refspec that fetches the mind graph.
    pub refspec: String,
    /// Whether the refspec is configured.
    pub configured: bool,
    /// Whether this call added the refspec.
    pub added: bool,
}

/// The state of the log, for diagnosis.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogState {
    /// Whether the repository is bare.
    pub bare: bool,
    /// Whether the clone is shallow.
    pub shallow: bool,
    /// Why the log cannot be written, if it cannot.
    pub read_only: Option<String>,
    /// The remotes of the repository.
    pub remotes: Vec<RemoteState>,
    /// Lock files that no process holds.
    pub stale_locks: Vec<String>,
    /// Number and total bytes of temporary files that killed processes left behind.
    pub leftovers: (u64, u64),
    /// The state of the post-commit hook.
    pub hook: HookState,
    /// Whether a snapshot is stored.
    pub snapshot: bool,
}

/// The text of the hook, given the path of the program to run if `lore` is not on PATH.
pub type HookScript = fn(Option<&str>) -> String;

/// The state of the post-commit hook.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum HookState {
    /// There is no hook, or there cannot be one.
    #[default]
    Absent,
    /// Lore's hook was installed by this call.
    Installed { path: String },
    /// Lore's hook was there, and this call replaced it by the current one.
    Updated { path: String },
    /// Lore's hook was installed before.
    Present { path: String },
    /// Another hook is installed. Lore does not change it.
    Foreign { path: String },
}

/// A request to fetch from or push to a remote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exchange {
    /// The remote; `None` means `origin`, or the only remote.
    pub remote: Option<String>,
    pub fetch: bool,
    pub push: bool,
}

/// The result of [`PatchLog::exchange`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exchanged {
    /// The name of the remote.
    pub remote: String,
    /// Number of chains that the fetch created or moved.
    pub fetched: usize,
    /// Number of chains that the push created or moved.
    pub pushed: usize,
    /// The new writer name, if another repository used the old one.
    pub new_writer: Option<String>,
}

/// The append-only log of patches of the mind graph.
///
/// Each writer has its own chain of commits, so that writers on different machines never conflict.
pub trait PatchLog: Send + Sync {
    /// Reads the current tips of all chains.
    fn tips(&self) -> Result<Tips, OpError>;

    /// Visits every commit reachable from `tips` that is not known, once, in any order. Missing commits are skipped.
    fn walk(
        &self,
        tips: &[ObjectId],
        known: &dyn Fn(&ObjectId) -> bool,
        visit: &mut dyn FnMut(&RawPatch<'_>) -> Descend,
        cancel: &Cancel,
    ) -> Result<(), OpError>;

    /// Takes the write lock; waits for the current holder. Returns an error with the reason if the log is read-only.
    fn lock(&self) -> Result<Box<dyn LogLock>, OpError>;

    /// Gives this repository a writer name made of random bytes, unless it has one. Returns the name.
    fn new_writer(&self, random: &[u8; 16]) -> Result<String, OpError>;

    /// Appends a patch to the own chain, atomically. The first patch creates the chain.
    fn append(&self, patch: &NewPatch<'_>) -> Result<Appended, OpError>;

    /// A snapshot that was stored to speed up reading. It may disappear at any time.
    fn snapshot(&self, name: &str) -> Option<Arc<dyn AsRef<[u8]> + Send + Sync>>;

    /// Stores a snapshot, if possible.
    fn keep_snapshot(&self, name: &str, bytes: &[u8]);

    /// Deletes all snapshots.
    fn drop_snapshots(&self) -> Result<(), OpError>;

    /// A commit of the code, by any revision that git accepts. Tags are followed.
    fn commit(&self, revision: &str, files: bool) -> Result<CodeCommit, OpError>;

    /// The ancestors of a commit of the code, including the commit; at most `most`.
    fn ancestors(&self, commit: &ObjectId, most: usize) -> Result<Ancestors, OpError>;

    /// Configures every remote, so that a plain `git fetch` also fetches its mind graph.
    fn prepare(&self) -> Result<Vec<RemoteState>, OpError>;

    /// The state of the log, for diagnosis.
    fn state(&self) -> Result<LogState, OpError>;

    /// Fetches from a remote and pushes to it. Never pushes by force.
    fn exchange(&self, request: &Exchange, progress: &dyn Progress, cancel: &Cancel) -> Result<Exchanged, OpError>;

    /// Installs a post-commit hook, unless another hook is installed.
    fn install_hook(&self, script: HookScript, fallback: Option<&str>) -> Result<HookState, OpError>;

    /// Deletes leftovers of killed processes that are older than a day. Returns their number.
    fn clean(&self) -> Result<u64, OpError>;

    /// Opens the log of another local repository for reading.
    fn other(&self, path: &str) -> Result<Arc<dyn PatchLog>, OpError>;
}

/// A log that refuses every request, for directories without git.
pub struct NoPatchLog {
    why: OpError,
}

impl NoPatchLog {
    /// A log that answers every request with this error.
    pub fn new(why: OpError) -> Self {
        Self { why }
    }

    fn refuse<T>(&self) -> Result<T, OpError> {
        Err(self.why.clone())
    }
}

impl Default for NoPatchLog {
    fn default() -> Self {
        Self::new(OpError::new(ErrorKind::Unavailable, "not in a git repository"))
    }
}

impl PatchLog for NoPatchLog {
    fn tips(&self) -> Result<Tips, OpError> {
        self.refuse()
    }

    fn walk(
        &self,
        _: &[ObjectId],
        _: &dyn Fn(&ObjectId) -> bool,
        _: &mut dyn FnMut(&RawPatch<'_>) -> Descend,
        _: &Cancel,
    ) -> Result<(), OpError> {
        self.refuse()
    }

    fn lock(&self) -> Result<Box<dyn LogLock>, OpError> {
        self.refuse()
    }

    fn new_writer(&self, _: &[u8; 16]) -> Result<String, OpError> {
        self.refuse()
    }

    fn append(&self, _: &NewPatch<'_>) -> Result<Appended, OpError> {
        self.refuse()
    }

    fn snapshot(&self, _: &str) -> Option<Arc<dyn AsRef<[u8]> + Send + Sync>> {
        None
    }

    fn keep_snapshot(&self, _: &str, _: &[u8]) {}

    fn drop_snapshots(&self) -> Result<(), OpError> {
        self.refuse()
    }

    fn commit(&self, _: &str, _: bool) -> Result<CodeCommit, OpError> {
        self.refuse()
    }

    fn ancestors(&self, _: &ObjectId, _: usize) -> Result<Ancestors, OpError> {
        self.refuse()
    }

    fn prepare(&self) -> Result<Vec<RemoteState>, OpError> {
        self.refuse()
    }

    fn state(&self) -> Result<LogState, OpError> {
        self.refuse()
    }

    fn exchange(&self, _: &Exchange, _: &dyn Progress, _: &Cancel) -> Result<Exchanged, OpError> {
        self.refuse()
    }

    fn install_hook(&self, _: HookScript, _: Option<&str>) -> Result<HookState, OpError> {
        self.refuse()
    }

    fn clean(&self) -> Result<u64, OpError> {
        self.refuse()
    }

    fn other(&self, _: &str) -> Result<Arc<dyn PatchLog>, OpError> {
        self.refuse()
    }
}

impl Port for dyn PatchLog {
    fn absent() -> &'static Self {
        static ABSENT: LazyLock<NoPatchLog> = LazyLock::new(NoPatchLog::default);
        &*ABSENT
    }
}
