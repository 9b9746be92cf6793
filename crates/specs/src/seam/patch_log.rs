//! `PatchLog`: where the patches of the mind graph are kept, and what is asked of the code's own history beside them.

use std::sync::Arc;

use lore_model::{Cancel, Progress};

use super::{Descend, ErrorKind, ObjectId, OpError, RawPatch};

/// The chain of one writer, here or as it was last fetched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// The reference that names it.
    pub reference: String,
    /// Its newest commit.
    pub id: ObjectId,
    /// Whether it is the chain that this repository writes.
    pub own: bool,
}

/// What there is to read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tips {
    /// All chains, by reference.
    pub tips: Vec<Tip>,
    /// The name under which this repository writes; none before it wrote.
    pub writer: Option<String>,
    /// The commit that is checked out; none before the first.
    pub head: Option<ObjectId>,
    /// References that cannot be read: their names, and why.
    pub faults: Vec<(String, String)>,
}

impl Tips {
    /// The newest commit of the chain that this repository writes.
    pub fn own(&self) -> Option<ObjectId> {
        self.tips.iter().find(|tip| tip.own).map(|tip| tip.id)
    }

    /// The newest commits, each once, in order.
    pub fn ids(&self) -> Vec<ObjectId> {
        let mut ids: Vec<ObjectId> = self.tips.iter().map(|tip| tip.id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// A patch to be appended.
#[derive(Clone, Copy, Debug)]
pub struct NewPatch<'a> {
    /// The tip of the own chain as it was read; none if there was none. It is the first parent.
    pub expected: Option<ObjectId>,
    /// The other parents.
    pub parents: &'a [ObjectId],
    /// The message.
    pub message: &'a str,
    /// Blobs of operations.
    pub chunks: &'a [Vec<u8>],
    /// When, in milliseconds since 1970.
    pub time_ms: u64,
}

/// What became of a patch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// It is the new tip.
    Done(ObjectId),
    /// Somebody else was faster: read again.
    Moved,
}

/// The right to write, until it is dropped or the process ends.
pub trait LogLock: Send {}

/// A commit of the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeCommit {
    /// Its id.
    pub id: ObjectId,
    /// Its message.
    pub message: String,
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The files that it changed against its first parent, in order; all of them for the first commit, none if they were not asked for.
    pub files: Vec<String>,
}

/// Ancestors of a commit, itself first, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ancestors {
    /// They.
    pub ids: Vec<ObjectId>,
    /// Whether there are more: the limit was reached, or the clone is shallow.
    pub cut: bool,
}

/// A remote and whether a plain `git fetch` brings its mind graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteState {
    /// Its name.
    pub name: String,
    /// Its address, as git has it.
    pub url: Option<String>,
    /// The refspec that fetches the graph.
    pub refspec: String,
    /// Whether it is configured.
    pub configured: bool,
    /// Whether it was configured by the call that answers this.
    pub added: bool,
}

/// The state of the log, for people who look after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogState {
    /// Whether the repository has no working tree.
    pub bare: bool,
    /// Whether the code's history is cut.
    pub shallow: bool,
    /// Why nothing can be written, if so.
    pub read_only: Option<String>,
    /// Remotes.
    pub remotes: Vec<RemoteState>,
    /// Lock files that nobody holds.
    pub stale_locks: Vec<String>,
    /// Temporary files that a killed process left, in all, and their bytes.
    pub leftovers: (u64, u64),
    /// Whether the hook after a commit is installed.
    pub hook: HookState,
    /// Whether a snapshot is kept.
    pub snapshot: bool,
}

/// What is where the hook after a commit belongs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum HookState {
    /// Nothing, or there can be none.
    #[default]
    Absent,
    /// Ours was written now.
    Installed {
        /// Where.
        path: String,
    },
    /// Ours was there already.
    Present {
        /// Where.
        path: String,
    },
    /// Somebody else's.
    Foreign {
        /// Where.
        path: String,
    },
}

/// What to exchange with a remote.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exchange {
    /// The remote's name; none is `origin`, or the only one.
    pub remote: Option<String>,
    /// Fetch.
    pub fetch: bool,
    /// Push.
    pub push: bool,
}

/// What was exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exchanged {
    /// The remote.
    pub remote: String,
    /// Chains that a fetch brought or moved.
    pub fetched: usize,
    /// Chains that a push brought or moved.
    pub pushed: usize,
    /// The name under which this repository writes from now on, if another repository wrote under the old one.
    pub new_writer: Option<String>,
}

/// Where the patches of the mind graph are kept.
pub trait PatchLog: Send + Sync {
    /// What there is to read now.
    fn tips(&self) -> Result<Tips, OpError>;

    /// Every commit that the tips lead to and that is not known, each once, in any order. A commit that is not there is left out.
    fn walk(
        &self,
        tips: &[ObjectId],
        known: &dyn Fn(&ObjectId) -> bool,
        visit: &mut dyn FnMut(&RawPatch<'_>) -> Descend,
        cancel: &Cancel,
    ) -> Result<(), OpError>;

    /// The right to write; waits for whoever has it. Refused, with the reason, where nothing may be written.
    fn lock(&self) -> Result<Box<dyn LogLock>, OpError>;

    /// Gives this repository a name to write under, made of bytes that nobody can foretell, unless it has one; the name that it has then.
    fn new_writer(&self, random: &[u8; 16]) -> Result<String, OpError>;

    /// Appends to the own chain, which begins with the first patch. Either all of it is there afterwards or nothing.
    fn append(&self, patch: &NewPatch<'_>) -> Result<Appended, OpError>;

    /// What was kept under a name to read faster; it may be gone at any time.
    fn snapshot(&self, name: &str) -> Option<Arc<dyn AsRef<[u8]> + Send + Sync>>;

    /// Keeps something to read faster, if that can be done.
    fn keep_snapshot(&self, name: &str, bytes: &[u8]);

    /// Forgets everything that was kept to read faster.
    fn drop_snapshots(&self) -> Result<(), OpError>;

    /// A commit of the code by any name that git knows; tags are followed.
    fn commit(&self, revision: &str, files: bool) -> Result<CodeCommit, OpError>;

    /// The ancestors of a commit of the code, itself included.
    fn ancestors(&self, commit: &ObjectId, most: usize) -> Result<Ancestors, OpError>;

    /// Configures every remote so that a plain `git fetch` brings its graph.
    fn prepare(&self) -> Result<Vec<RemoteState>, OpError>;

    /// What state it is in.
    fn state(&self) -> Result<LogState, OpError>;

    /// Fetches from a remote and pushes to it, never by force.
    fn exchange(&self, request: &Exchange, progress: &dyn Progress, cancel: &Cancel) -> Result<Exchanged, OpError>;

    /// Puts a script where git runs it after a commit, unless somebody else's is there.
    fn install_hook(&self, script: &str) -> Result<HookState, OpError>;

    /// Takes away the leftovers of killed processes that are older than a day; how many.
    fn clean(&self) -> Result<u64, OpError>;

    /// The log of another repository on this machine, to read it.
    fn other(&self, path: &str) -> Result<Arc<dyn PatchLog>, OpError>;
}

/// The log where there is no git.
pub struct NoPatchLog {
    why: OpError,
}

impl NoPatchLog {
    /// A log that answers everything with a reason.
    pub fn new(why: OpError) -> Self {
        Self { why }
    }

    fn refuse<T>(&self) -> Result<T, OpError> {
        Err(self.why.clone())
    }
}

impl Default for NoPatchLog {
    fn default() -> Self {
        Self::new(OpError::new(
            ErrorKind::Unavailable,
            "this directory is not in a git repository",
        ))
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

    fn install_hook(&self, _: &str) -> Result<HookState, OpError> {
        self.refuse()
    }

    fn clean(&self) -> Result<u64, OpError> {
        self.refuse()
    }

    fn other(&self, _: &str) -> Result<Arc<dyn PatchLog>, OpError> {
        self.refuse()
    }
}
