//! `Ctx`: what an operation may reach of the world outside, as ports.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use lore_model::{Bound, Cancel, CodeGraph, FileId, Progress};
use sha2::{Digest, Sha256};

use super::{
    CacheControl, Editor, ErrorKind, Graphs, Head, Log, Memo, OpError, PatchLog, UndamagedFiles, WebFault, WebReply,
    WebRequest,
};
use crate::ckgp::registry::bodies::Bodies;
use crate::ckgp::registry::clones::Clones;
use crate::ckgp::registry::store::Registry;
use crate::memory::store::Memory;

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

impl Ctx {
    /// Computes an answer and delivers it, unless derived data was found damaged meanwhile: the answer may then lack anything. Nor does the context
    /// that the answer is computed in replace a file then.
    pub fn undamaged<T>(&self, answer: impl FnOnce(&Self) -> Result<T, OpError>) -> Result<T, OpError> {
        let code = &self.ports.code;
        let before = code.damage();
        let files = UndamagedFiles::new(Arc::clone(&self.ports.files), Arc::clone(code), before);
        let inside = Self {
            ports: Arc::new(Ports {
                files: Arc::new(files),
                ..Ports::clone(&self.ports)
            }),
            ..self.clone()
        };
        let answer = answer(&inside);
        match code.damage() == before {
            true => answer,
            false => Err(damaged()),
        }
    }
}

/// The error of a question whose answer may lack anything.
pub(super) fn damaged() -> OpError {
    let message =
        "a cached file was truncated or changed by another program while it was read; the answer is not complete";
    OpError::new(ErrorKind::Unavailable, message).hint("ask again: what is damaged is rebuilt")
}

/// The ports, shared by all requests.
#[derive(Clone)]
pub struct Ports {
    /// The code of a repository.
    pub code: Arc<dyn Code>,
    /// Lore's settings.
    pub settings: Arc<dyn Settings>,
    /// The state of what Lore keeps.
    pub health: Arc<dyn Health>,
    /// The user's cache of derived data.
    pub cache: Arc<dyn CacheControl>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New identifiers.
    pub ids: Arc<dyn Ids>,
    /// Files that whoever asks names.
    pub files: Arc<dyn Files>,
    /// The web.
    pub web: Arc<dyn Web>,
    /// What was fetched from the web before.
    pub fetched: Arc<dyn FetchCache>,
    /// What was fetched of the graphs of other repositories.
    pub graphs: Arc<dyn Graphs>,
    /// Who was allowed to read what.
    pub audit: Arc<dyn AuditLog>,
    /// What is remembered of projects, tasks and the code.
    pub memory: Arc<dyn Memory>,
    /// What a registry knows of repositories and their graphs.
    pub registry: Arc<dyn Registry>,
    /// The bodies that the registry holds.
    pub bodies: Arc<dyn Bodies>,
    /// Clones of other repositories on this machine.
    pub clones: Arc<dyn Clones>,
    /// Where people write texts.
    pub editor: Arc<dyn Editor>,
    /// Where the patches of the mind graph are kept.
    pub mind: Arc<dyn PatchLog>,
    /// What was made of files before, in this process.
    pub memo: Arc<Memo>,
}

/// Which graph is meant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphScope {
    /// A git revision; the working tree if there is none.
    pub revision: Option<String>,
    /// Answer from the index as it is.
    pub no_refresh: bool,
    /// Only the files that git tracks; where git is not used, all.
    pub tracked: bool,
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

    /// How many times derived data was found damaged while it was read. An answer during which the number grew is not to be trusted.
    fn damage(&self) -> u64 {
        0
    }

    /// Waits until files have changed; `false` when it cannot go on.
    fn wait_for_change(&self, request: &IndexRequest, cancel: &Cancel) -> Result<bool, OpError>;

    /// Where in the tree whoever asks stands: a path from the root, empty at the root or outside.
    fn here(&self) -> String;

    /// The root as [`Files`] know it, where whoever asks named another tree than the one that he stands in.
    fn elsewhere(&self) -> Option<String> {
        None
    }

    /// The root on this machine, in full and without links.
    fn place(&self) -> Option<String> {
        None
    }

    /// The content of a file.
    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError>;

    /// The files below its root, whether the graph knows them or not; a path that leads outside is refused.
    fn files(&self) -> Result<Arc<dyn Files>, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "there is no repository"))
    }

    /// Where the tree comes from.
    fn origin(&self, scope: &GraphScope) -> Result<Origin, OpError>;

    /// What git knows of the past of its files; nothing without git or without a commit.
    fn history(
        &self,
        scope: &GraphScope,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Option<Arc<History>>, OpError>;

    /// The commit that the working tree is at, read anew and cheaply; nothing without git or before the first commit.
    fn head(&self) -> Option<Head> {
        None
    }

    /// What the commits behind that one changed; it is kept as long as the commit is the same. Nothing without git or before the first commit.
    fn log(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Option<Arc<Log>>, OpError> {
        let _ = (progress, cancel);
        Ok(None)
    }

    /// The log of a commit if it is at hand.
    fn kept_log(&self, commit: &str) -> Option<Arc<Log>> {
        let _ = commit;
        None
    }

    /// Files of the working tree that differ from the commit's, with the object that each would be, nothing if it was taken away; at most so many. Only these
    /// files and what is below these directories is looked at, everything if none is named. Paths are from the root of the repository.
    fn uncommitted(&self, below: &[String], most: usize) -> Result<BTreeMap<String, Option<String>>, OpError> {
        let _ = (below, most);
        Ok(BTreeMap::new())
    }

    /// The URL of the remote `origin`, as git has it: what [`Code::origin`] says, without looking at any file.
    fn remote(&self) -> Option<String> {
        None
    }

    /// How many commits `tip` has that `base` has not; nothing if the repository does not have both, or not all that lies between.
    fn commits_between(&self, base: &str, tip: &str) -> Option<u64> {
        let _ = (base, tip);
        None
    }

    /// Whether the repository has a commit; nothing without git, and where the clone has only a part of the past.
    fn has_commit(&self, commit: &str) -> Option<bool> {
        let _ = commit;
        None
    }

    /// When the index of the working tree was last written, in milliseconds since 1970; none if there is no index.
    fn refreshed(&self) -> Option<u64> {
        None
    }

    /// Whether a question brings the index up to date unless it says otherwise.
    fn refreshes(&self) -> bool {
        true
    }

    /// Whose graph is asked, where it is not that of a tree on this machine. Then there is no source text, no git, nothing beside the code and nothing to write.
    fn foreign(&self) -> Option<Foreign> {
        None
    }
}

/// A graph that somebody else made and published.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Foreign {
    /// Which one: `of acme/shop`, `in graph.json`.
    pub which: String,
    /// What whoever gets an answer from it has to know; nothing before it was opened.
    pub remark: Option<String>,
}

/// Where a tree comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The URL of the remote `origin`, as git has it.
    pub remote: Option<String>,
    /// The branch that the remote shows first, as far as the clone knows it.
    pub default_branch: Option<String>,
    /// The name of the directory.
    pub directory: String,
    /// Where the directory lies in the repository, if it is not all of it.
    pub within: Option<String>,
    /// The commit that is asked, in full; none without git or before the first one.
    pub commit: Option<String>,
    /// When it was committed, in seconds since 1970.
    pub committed: Option<i64>,
    /// Whether the files differ from that commit's.
    pub dirty: bool,
}

/// What git knows of the past of a tree's files, back to a limit of commits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// How many commits were looked at.
    pub commits: u32,
    /// Whether there are older ones that were not looked at.
    pub cut: bool,
    /// By path, for the files of the tree that were changed in those commits.
    pub files: BTreeMap<String, FileHistory>,
}

/// What git knows of the past of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileHistory {
    /// Commits that changed it.
    pub changes: u32,
    /// People who did.
    pub authors: u32,
    /// The last commit that changed it, in full.
    pub last_commit: String,
    /// When that was, in seconds since 1970.
    pub last_changed: i64,
    /// The name of who wrote that commit.
    pub last_author: String,
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

    /// What the repository says that its code has to keep, each as it is written.
    fn constraints(&self) -> Result<Vec<serde_json::Value>, OpError> {
        Ok(Vec::new())
    }

    /// The values of a setting that whoever runs Lore made, never one that a repository could make; nothing if there is none.
    fn values(&self, key: &str) -> Vec<String> {
        let _ = key;
        Vec::new()
    }

    /// The values of a setting that the repository proposes, which anybody may have written; nothing if there is none.
    fn proposed(&self, key: &str) -> Vec<String> {
        let _ = key;
        Vec::new()
    }

    /// The first value of such a setting.
    fn value(&self, key: &str) -> Option<String> {
        self.values(key).into_iter().next()
    }

    /// A secret for a host, from the user's own configuration or the environment.
    fn secret(&self, kind: SecretKind, host: &str) -> Option<String> {
        let _ = (kind, host);
        None
    }

    /// The directory of whoever runs Lore.
    fn home(&self) -> Option<String> {
        None
    }
}

/// The files of a graph whose derived texts are withheld, each with the text that is shown instead.
pub type WithheldFiles = BTreeMap<FileId, String>;

/// Decides what an agent may read of a repository.
#[derive(Clone, Copy)]
pub struct ReadGuard {
    /// Whether a file may be read, by its path from the root of the tree.
    pub may_read: fn(&Ctx, &GraphScope, &str) -> Result<(), OpError>,
    /// The files of a graph whose declarations, decorators and documentation are withheld.
    pub withheld: fn(&Ctx, &GraphScope, &CodeGraph) -> Result<WithheldFiles, OpError>,
}

/// What a secret is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecretKind {
    /// A key for the API of a host.
    ApiKey,
    /// A bearer token of an issuer.
    BearerToken,
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

    /// Waits; whether all of the time has passed, and nobody asked to stop.
    fn wait(&self, time: Duration, cancel: &Cancel) -> bool {
        let _ = (time, cancel);
        true
    }

    /// Does something when a time has passed, unless the alarm is dropped before.
    fn after(&self, time: Duration, ring: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm>;

    /// Does something that may not end by itself; whether it ended in time. If not, it is left to itself.
    fn within(&self, time: Duration, work: Box<dyn FnOnce() + Send>) -> Result<bool, OpError> {
        let _ = time;
        work();
        Ok(true)
    }
}

/// What rings when a time has passed, unless it is dropped before.
pub trait Alarm: Send {}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A file.
    File,
    /// A directory.
    Directory,
}

/// What is known of a path without reading it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stat {
    /// What it is.
    pub kind: PathKind,
    /// Bytes of the file.
    pub bytes: u64,
    /// When it was changed, in milliseconds since 1970.
    pub modified_ms: u64,
    /// Differs if the file was changed or replaced.
    pub stamp: u64,
}

/// Files that whoever asks names, seen from where he stands. They are not part of the graph.
pub trait Files: Send + Sync {
    /// What is at a path, if anything.
    fn kind(&self, path: &str) -> Option<PathKind>;

    /// What is known of a path without reading it; nothing if there is nothing, or if it is no file and no directory.
    fn stat(&self, path: &str) -> Option<Stat>;

    /// The content of a file below a directory. No link leads out of the directory: what was opened is what was checked.
    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let _ = (root, max_bytes);
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{path} cannot be read from here"),
        ))
    }

    /// The files below a directory that git would keep, in order, from the directory; at most so many, and whether there are more.
    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        let _ = most;
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{root} cannot be walked from here"),
        ))
    }

    /// The names in a directory, in order.
    fn list(&self, path: &str) -> Result<Vec<String>, OpError>;

    /// The content of a file of at most so many bytes.
    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError>;

    /// As [`Files::read`], but shown piece by piece to whoever can tell early that the rest is not worth reading.
    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        let content = self.read(path, max_bytes)?;
        check(&content)?;
        Ok(content)
    }

    /// Rows of a table of an SQLite database, as objects with these of its columns that it has; at most so many rows. Nothing is written, and a view is no table.
    fn table(
        &self,
        path: &str,
        table: &str,
        columns: &[&str],
        most: usize,
    ) -> Result<Vec<serde_json::Map<String, serde_json::Value>>, OpError> {
        let _ = (table, columns, most);
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{path} is a database, which cannot be read from here"),
        ))
    }

    /// Replaces files by what is written to each, by its number. Either all of it can be written, or none of them is touched. A link is
    /// followed; a device or a pipe is written to and stays what it is.
    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError>;

    /// As [`Files::write_set`], for sets that are one of very many: what has its name then is on the disk, and stays there if the machine stops. Of a large set, so many are
    /// replaced together as can be open at once.
    fn write_many(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        self.write_set(paths, write)
    }

    /// The SHA-256 of a file, which is not held for that; nothing if there is no file that can be read.
    fn sha256(&self, path: &str) -> Option<[u8; 32]> {
        Some(Sha256::digest(self.read(path, u64::MAX).ok()?).into())
    }

    /// Replaces a file in one step by what is written, as [`Files::write_set`] does.
    fn write(
        &self,
        path: &str,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<(), OpError>,
    ) -> Result<Written, OpError> {
        let written = self.write_set(&[path.to_owned()], &mut |_, out| write(out))?;
        Ok(written.into_iter().next().unwrap_or_default())
    }

    /// Replaces a file that still holds what was read from it; `false` if somebody else was faster. Of two that do so at once one waits for the other.
    fn replace(&self, path: &str, expected: &[u8], content: &[u8]) -> Result<bool, OpError> {
        if self.read(path, u64::MAX)? != expected {
            return Ok(false);
        }
        self.write(path, &mut |out| out.write_all(content).map_err(OpError::from_write))?;
        Ok(true)
    }

    /// The place that a path means once links are followed, or why no file can be kept there.
    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        Ok(Settled {
            path: path.to_owned(),
            read_only: false,
        })
    }

    /// Takes a file away, and the directories above it that are empty then.
    fn remove(&self, path: &str) -> Result<(), OpError> {
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{path} cannot be removed from here"),
        ))
    }
}

/// Where a file is or would be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settled {
    /// Its path, without links.
    pub path: String,
    /// Whether the file, or the directory that it would be in, is not to be written.
    pub read_only: bool,
}

/// What writes each of several files.
pub type WriteOne<'a> = &'a mut dyn FnMut(usize, &mut dyn io::Write) -> Result<(), OpError>;

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// How much was written.
    pub bytes: u64,
    /// Whether it is a device or a pipe, which was written to and not replaced.
    pub streamed: bool,
}

impl Written {
    /// What people are told of a file that was not replaced.
    pub fn remark(streamed: bool) -> &'static str {
        match streamed {
            true => ", to a device or a pipe that was not replaced",
            false => "",
        }
    }
}

/// What a fetch may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchLimits {
    /// Bytes of the body.
    pub max_bytes: u64,
    /// Time for all of it.
    pub time: Duration,
    /// Redirects that are followed.
    pub redirects: u8,
}

/// What to fetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchRequest<'a> {
    /// The address.
    pub url: &'a str,
    /// Headers besides those that every request has.
    pub headers: &'a [(&'a str, &'a str)],
    /// A header that is a secret: it goes to the origin of the address, and to no other one.
    pub secret: Option<(&'a str, &'a str)>,
    /// The mark of what is there already; if that is what there still is, the status of the reply is 304.
    pub etag: Option<&'a str>,
    /// What it may cost.
    pub limits: FetchLimits,
}

/// What was fetched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// The address it came from, after redirects.
    pub url: String,
    /// The status of the reply.
    pub status: u16,
    /// Its media type, as the server calls it.
    pub media_type: Option<String>,
    /// The server's mark for this content.
    pub etag: Option<String>,
    /// When it was changed last, as the server says it.
    pub last_modified: Option<String>,
    /// Its body.
    pub body: Vec<u8>,
}

/// A time that has begun.
pub trait Deadline: Send + Sync + std::fmt::Debug {
    /// What is left of it; nothing when it is over.
    fn left(&self) -> Duration;
}

/// A time that does not pass.
#[derive(Debug)]
struct Endless(Duration);

impl Deadline for Endless {
    fn left(&self) -> Duration {
        self.0
    }
}

/// The web, by https, and never an address that is not public.
pub trait Web: Send + Sync {
    /// Fetches what is at an address; a reply of any status is a reply.
    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError>;

    /// Fetches what is at several addresses, each as [`Web::fetch`] does; the replies are in the order of the requests.
    fn fetch_all(&self, requests: &[FetchRequest<'_>]) -> Vec<Result<Fetched, OpError>> {
        requests.iter().map(|request| self.fetch(request)).collect()
    }

    /// Asks once, and follows no redirect; a reply of any status is a reply.
    fn exchange(&self, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        let _ = request;
        Err(WebFault::Offline)
    }

    /// Begins the time that all requests for one thing may take together: attempts, redirects, and the waits between them.
    fn deadline(&self, time: Duration) -> Arc<dyn Deadline> {
        Arc::new(Endless(time))
    }

    /// Fetches what is at an address, without more.
    fn get(&self, url: &str, limits: &FetchLimits) -> Result<Fetched, OpError> {
        self.fetch(&FetchRequest {
            url,
            headers: &[],
            secret: None,
            etag: None,
            limits: *limits,
        })
    }
}

/// What was fetched from the web before. It may be deleted at any time.
pub trait FetchCache: Send + Sync {
    /// What was kept under a key.
    fn get(&self, key: &str) -> Option<Vec<u8>>;

    /// Keeps something under a key.
    fn put(&self, key: &str, content: &[u8]) -> Result<(), OpError>;
}

/// Who was allowed to read what, a line for each decision. It is kept.
pub trait AuditLog: Send + Sync {
    /// Adds a line, whole or not at all.
    fn append(&self, line: &str) -> Result<(), OpError>;

    /// The last lines, oldest first.
    fn last(&self, most: usize) -> Result<Vec<String>, OpError>;
}

/// New identifiers.
pub trait Ids: Send + Sync {
    /// One that nobody has.
    fn fresh(&self) -> String;

    /// A UUID of version 7 that nobody has; later ones of the same process are larger.
    fn uuid(&self) -> [u8; 16];

    /// Bytes that nobody can foretell.
    fn random(&self) -> [u8; 16] {
        [0; 16]
    }
}
