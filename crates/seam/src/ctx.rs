//! `Ctx`: the ports through which an operation reaches the outside world.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lore_model::{Bound, Cancel, CodeGraph, FileId, Progress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    CacheControl, ErrorKind, Facet, Head, Log, Memo, OpError, Port, PortMap, UndamagedFiles, WebFault, WebReply,
    WebRequest,
};

/// Everything outside the process that one request may use.
///
/// An operation performs I/O only through these ports, never through `std`. Tests replace every port.
#[derive(Clone)]
pub struct Ctx {
    /// The ports, shared with other requests.
    pub ports: Arc<Ports>,
    /// Receives progress reports of long work.
    pub progress: Arc<dyn Progress + Send + Sync>,
    /// The cancellation flag of this request. Long work checks it.
    pub cancel: Arc<Cancel>,
}

impl Ctx {
    /// The port of a facet, as `dyn Trait`.
    pub fn port<P: Port + ?Sized>(&self) -> &P {
        self.ports.get()
    }

    /// Computes an answer and returns it. Returns an error instead if derived data was found damaged during the
    /// computation, because the answer may then be incomplete. The context that computes the answer replaces no file
    /// after damage was found.
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
        if code.damage() == before {
            answer
        } else {
            Err(damaged())
        }
    }
}

/// The error of an answer that may be incomplete.
pub(super) fn damaged() -> OpError {
    let message =
        "a cached file was truncated or changed by another program while it was read; the answer is not complete";
    OpError::new(ErrorKind::Unavailable, message).hint("run the command again: Lore rebuilds damaged data")
}

/// All ports. One set serves all requests of the process.
#[derive(Clone)]
pub struct Ports {
    /// The code of the repository.
    pub code: Arc<dyn Code>,
    /// Settings of the user and of the repository.
    pub settings: Arc<dyn Settings>,
    /// Checks of Lore's stored data.
    pub health: Arc<dyn Health>,
    /// The user's cache of derived data.
    pub cache: Arc<dyn CacheControl>,
    /// The current time, waits and alarms.
    pub clock: Arc<dyn Clock>,
    /// Generates identifiers.
    pub ids: Arc<dyn Ids>,
    /// Files that the caller names, relative to the caller's directory.
    pub files: Arc<dyn Files>,
    /// HTTPS access to public hosts.
    pub web: Arc<dyn Web>,
    /// Values computed from files earlier in this process.
    pub memo: Arc<Memo>,
    /// The data beside the code in the local RDF dataset.
    pub datasets: &'static [Facet],
    /// The ports that facets declare for themselves.
    pub facets: PortMap,
}

impl Ports {
    /// The port of a facet, as `dyn Trait`.
    pub fn get<P: Port + ?Sized>(&self) -> &P {
        self.facets.get()
    }
}

/// Selects a state of the code: a revision or the working tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphScope {
    /// A git revision; `None` for the working tree.
    pub revision: Option<String>,
    /// Answer from the existing index, without looking for changed files.
    pub no_refresh: bool,
    /// Only files that git tracks. Without git, all files.
    pub tracked: bool,
}

/// Options for indexing, beyond the configuration. `None` and empty lists keep the configured value. The doc comments are help texts.
#[derive(Args, Deserialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub struct IndexRequest {
    /// The directory or file to index [default: the repository of the working directory]
    #[serde(skip)]
    pub path: Option<String>,
    /// Index a git revision instead of the working tree
    #[arg(long, value_name = "REV")]
    pub at: Option<String>,
    /// Only files that match this pattern (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// Leave out files that match this pattern (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Include vendored files, such as those in node_modules or vendor
    #[arg(long)]
    pub vendored: bool,
    /// Include generated files
    #[arg(long)]
    pub generated: bool,
    /// Include minified files
    #[arg(long)]
    pub minified: bool,
    /// Leave out files larger than this [default: 4194304]
    #[arg(long, value_name = "BYTES")]
    pub max_file_bytes: Option<u64>,
    /// Extract every file again, without trusting sizes, times or cached facts
    #[arg(long)]
    pub verify: bool,
    /// Discard the cached data of this tree first
    #[arg(long)]
    pub fresh: bool,
}

/// The result of indexing. The doc comments are schema texts.
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexSummary {
    /// The root that was indexed
    pub root: String,
    /// Whether anything changed since the last index
    pub changed: bool,
    /// Files in the graph
    pub files: usize,
    /// Files that this run parsed; the facts of the others came from the cache
    pub extracted: usize,
    /// Files left out
    pub skipped: usize,
    /// Files with syntax errors
    pub with_errors: usize,
    /// Symbols in the graph
    pub symbols: usize,
    /// Lines in the graph
    pub lines: u64,
    /// Size of the snapshot in bytes
    pub snapshot_bytes: u64,
    /// Limits that the call-graph analysis hit, with the number of times.
    #[serde(skip)]
    pub bounds: Vec<(Bound, u32)>,
    /// Duration of the run
    pub milliseconds: u64,
}

/// The code of one repository: its graph, its files and its git history.
pub trait Code: Send + Sync {
    /// Opens the graph. Refreshes it first, unless the scope says otherwise.
    fn graph(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError>;

    /// Builds or refreshes the graph.
    fn index(&self, request: &IndexRequest, progress: &dyn Progress, cancel: &Cancel) -> Result<IndexSummary, OpError>;

    /// How many times derived data was found damaged during a read. If the number grew during a computation, its answer
    /// must not be used; see [`Ctx::undamaged`].
    fn damage(&self) -> u64 {
        0
    }

    /// Blocks until files change. Returns `false` if watching cannot continue.
    fn wait_for_change(&self, request: &IndexRequest, cancel: &Cancel) -> Result<bool, OpError>;

    /// The caller's directory, as a path from the root; empty at the root or outside of it.
    fn here(&self) -> String;

    /// The root as a path for [`Files`], if the caller named a tree other than the one around the caller's directory.
    fn elsewhere(&self) -> Option<String> {
        None
    }

    /// The absolute path of the root, with symbolic links resolved.
    fn place(&self) -> Option<String> {
        None
    }

    /// Reads a file of the selected state.
    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError>;

    /// Access to all files below the root, indexed or not. Paths that lead outside are refused.
    fn files(&self) -> Result<Arc<dyn Files>, OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "there is no repository"))
    }

    /// Where the tree comes from: remote, directory and commit.
    fn origin(&self, scope: &GraphScope) -> Result<Origin, OpError>;

    /// The git history of the files. `None` without git or before the first commit.
    fn history(
        &self,
        scope: &GraphScope,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Option<Arc<History>>, OpError>;

    /// The commit that is checked out, read from git each time. Cheap. `None` without git or before the first commit.
    fn head(&self) -> Option<Head> {
        None
    }

    /// The changes of the commits up to the checked-out one. The implementation may keep the log while the commit stays
    /// the same. `None` without git or before the first commit.
    fn log(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Option<Arc<Log>>, OpError> {
        let _ = (progress, cancel);
        Ok(None)
    }

    /// The log of a commit, only if an earlier call of [`Code::log`] kept it.
    fn kept_log(&self, commit: &str) -> Option<Arc<Log>> {
        let _ = commit;
        None
    }

    /// Files of the working tree that differ from the commit, at most `most`, each with the git object id of its new
    /// content. The id is `None` if the file was deleted or cannot be hashed. Looks only at the files and directories
    /// in `below`, or at everything if `below` is empty. Paths are relative to the root of the repository.
    fn uncommitted(&self, below: &[String], most: usize) -> Result<BTreeMap<String, Option<String>>, OpError> {
        let _ = (below, most);
        Ok(BTreeMap::new())
    }

    /// The URL of the git remote `origin`. Cheaper than [`Code::origin`], because it reads no files.
    fn remote(&self) -> Option<String> {
        None
    }

    /// The number of commits reachable from `tip` but not from `base`. `None` if a commit is missing or the clone is
    /// shallow.
    fn commits_between(&self, base: &str, tip: &str) -> Option<u64> {
        let _ = (base, tip);
        None
    }

    /// Whether the repository has a commit. `None` without git, or if a shallow clone does not have the commit.
    fn has_commit(&self, commit: &str) -> Option<bool> {
        let _ = commit;
        None
    }

    /// When the index of the working tree was last written, in milliseconds since 1970; `None` without an index.
    fn refreshed(&self) -> Option<u64> {
        None
    }

    /// Whether queries refresh the index by default.
    fn refreshes(&self) -> bool {
        true
    }

    /// The published graph that is queried, if it is not the graph of a local tree. Such a graph has no source text, no
    /// git history and no other data, and is read-only.
    fn foreign(&self) -> Option<Foreign> {
        None
    }
}

/// A graph that another party built and published.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Foreign {
    /// Names the graph in messages: `of acme/shop`, `in graph.json`.
    pub which: String,
    /// A remark that belongs to every answer from the graph. `None` before the graph is opened.
    pub remark: Option<String>,
}

/// The origin of a tree: its remote, its directory and its commit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The URL of the remote `origin`, as git stores it.
    pub remote: Option<String>,
    /// The default branch of the remote, as far as the clone knows it.
    pub default_branch: Option<String>,
    /// The name of the root directory, without its path.
    pub directory: String,
    /// The path of the directory inside the repository, if it is not the whole repository.
    pub within: Option<String>,
    /// The full id of the selected commit; `None` without git or before the first commit.
    pub commit: Option<String>,
    /// Commit time, in seconds since 1970.
    pub committed: Option<i64>,
    /// Whether the working tree differs from the commit.
    pub dirty: bool,
}

/// The git history of the files of a tree, up to a limited number of commits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// Number of commits that were read.
    pub commits: u32,
    /// Whether older commits exist that were not read.
    pub cut: bool,
    /// Histories by path, for files of the tree that these commits changed.
    pub files: BTreeMap<String, FileHistory>,
}

/// The git history of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileHistory {
    /// Number of commits that changed the file.
    pub changes: u32,
    /// Number of different authors of those commits.
    pub authors: u32,
    /// Full id of the last commit that changed the file.
    pub last_commit: String,
    /// Time of that commit, in seconds since 1970.
    pub last_changed: i64,
    /// Author name of that commit.
    pub last_author: String,
}

/// One setting with its value and source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The key, as in the configuration.
    pub key: String,
    /// The value, as the configuration file would contain it.
    pub value: String,
    /// Where the value comes from, such as a file or the environment.
    pub origin: String,
}

/// Lore's settings.
///
/// [`Settings::values`] come from the user alone, because anybody can write the configuration of a repository.
pub trait Settings: Send + Sync {
    /// All settings, sorted by key.
    fn list(&self) -> Vec<Setting>;

    /// The constraints on the code that the repository's configuration declares, unparsed.
    fn constraints(&self) -> Result<Vec<serde_json::Value>, OpError> {
        Ok(Vec::new())
    }

    /// The values of a setting that the user or administrator made. Never contains values from a repository.
    fn values(&self, key: &str) -> Vec<String> {
        let _ = key;
        Vec::new()
    }

    /// The first value in [`Settings::values`].
    fn value(&self, key: &str) -> Option<String> {
        self.values(key).into_iter().next()
    }

    /// The path of the running program, if a script can contain it.
    fn program(&self) -> Option<String> {
        None
    }

    /// A secret for a host, from the user's configuration or the environment.
    fn secret(&self, kind: SecretKind, host: &str) -> Option<String> {
        let _ = (kind, host);
        None
    }

    /// The user's home directory.
    fn home(&self) -> Option<String> {
        None
    }
}

/// Files whose declarations and documentation must not be shown, each with the text to show instead.
pub type WithheldFiles = BTreeMap<FileId, String>;

/// Decides what an agent may read of a repository. The memo belongs to one request: it holds what was decided for the request, so that
/// a history is not followed for every file that the request reads.
#[derive(Clone, Copy)]
pub struct ReadGuard {
    /// Whether a file may be read, by its path from the root of the tree.
    pub may_read: fn(&Ctx, &Memo, &GraphScope, &str) -> Result<(), OpError>,
    /// The files of a graph whose declarations, decorators, documentation and other literals are withheld.
    pub withheld: fn(&Ctx, &Memo, &GraphScope, &CodeGraph) -> Result<WithheldFiles, OpError>,
}

/// The purpose of a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecretKind {
    /// An API key of a host.
    ApiKey,
    /// A bearer token of an issuer.
    BearerToken,
}

/// The result of one health check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// Whether the check passed.
    pub ok: bool,
    /// What the check found.
    pub detail: String,
    /// What to do if the check failed.
    pub hint: Option<String>,
}

/// Checks of Lore's stored data.
pub trait Health: Send + Sync {
    /// Runs all checks.
    fn check(&self) -> Vec<Check>;
}

/// Time. Operations must use this port and never `std::time`, so that tests control the clock.
pub trait Clock: Send + Sync {
    /// The current time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Waits. Returns whether the whole time passed; `false` if the request was cancelled.
    fn wait(&self, time: Duration, cancel: &Cancel) -> bool {
        let _ = (time, cancel);
        true
    }

    /// Runs a closure after a time, unless the returned alarm is dropped first.
    fn after(&self, time: Duration, ring: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm>;

    /// Runs work with a timeout. Returns whether the work finished, before the time passed and before the request was
    /// cancelled. If not, the work continues in the background.
    fn within(&self, time: Duration, cancel: &Cancel, work: Box<dyn FnOnce() + Send>) -> Result<bool, OpError> {
        let _ = (time, cancel);
        work();
        Ok(true)
    }
}

/// A pending alarm. Dropping the alarm cancels it.
pub trait Alarm: Send {}

/// The kind of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
}

/// Metadata of a path, available without reading the content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stat {
    /// File or directory.
    pub kind: PathKind,
    /// Size of the file.
    pub bytes: u64,
    /// Modification time, in milliseconds since 1970.
    pub modified_ms: u64,
    /// A hash of the metadata. It differs after the file was changed or replaced.
    pub stamp: u64,
}

/// Files that the caller names, relative to the caller's directory. They need not be part of the graph.
pub trait Files: Send + Sync {
    /// The kind of a path; `None` if nothing exists there.
    fn kind(&self, path: &str) -> Option<PathKind>;

    /// The metadata of a path; `None` if the path is neither a file nor a directory.
    fn stat(&self, path: &str) -> Option<Stat>;

    /// Reads a file below a directory. Symbolic links cannot lead out of the directory. The check applies to the opened
    /// file, so there is no race.
    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let _ = (root, max_bytes);
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{path} cannot be read here"),
        ))
    }

    /// The files below a directory that git does not ignore, sorted, relative to the directory. Returns at most `most`,
    /// and whether there are more.
    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        let _ = most;
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{root} cannot be listed here"),
        ))
    }

    /// The names in a directory, sorted.
    fn list(&self, path: &str) -> Result<Vec<String>, OpError>;

    /// Reads a file of at most `max_bytes`.
    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError>;

    /// As [`Files::read`], but passes each chunk to `check`, which can stop the read early.
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

    /// Rows of a table of an SQLite database, as objects with the requested columns that exist; at most `most` rows.
    /// Opens the database read-only. A view does not count as a table.
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
            format!("{path} is a database, which cannot be read here"),
        ))
    }

    /// Replaces several files; `write` writes the content of each by its index. If any content cannot be written, no
    /// file is touched. Follows symbolic links. Devices and pipes are written to and not replaced.
    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError>;

    /// As [`Files::write_set`], for very large sets: each content is durable on disk before the file gets its name.
    /// Large sets are replaced in batches, so only each batch is atomic.
    fn write_many(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        self.write_set(paths, write)
    }

    /// The SHA-256 of a file, computed without loading the file into memory; `None` if it cannot be read.
    fn sha256(&self, path: &str) -> Option<[u8; 32]> {
        Some(Sha256::digest(self.read(path, u64::MAX).ok()?).into())
    }

    /// Replaces one file atomically, as [`Files::write_set`] does.
    fn write(
        &self,
        path: &str,
        write: &mut dyn FnMut(&mut dyn io::Write) -> Result<(), OpError>,
    ) -> Result<Written, OpError> {
        let written = self.write_set(&[path.to_owned()], &mut |_, out| write(out))?;
        Ok(written.into_iter().next().unwrap_or_default())
    }

    /// Replaces a file only if it still has the expected content (optimistic locking). Returns `false` if it does not.
    /// Concurrent calls are serialized where the file system supports locks.
    fn replace(&self, path: &str, expected: &[u8], content: &[u8]) -> Result<bool, OpError> {
        if self.read(path, u64::MAX)? != expected {
            return Ok(false);
        }
        self.write(path, &mut |out| out.write_all(content).map_err(OpError::from_write))?;
        Ok(true)
    }

    /// The path with symbolic links resolved, or the reason why no file can be stored there.
    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        Ok(Settled {
            path: path.to_owned(),
            read_only: false,
        })
    }

    /// Deletes a file, and the directories of its path that become empty.
    fn remove(&self, path: &str) -> Result<(), OpError> {
        Err(OpError::new(
            ErrorKind::Unavailable,
            format!("{path} cannot be removed here"),
        ))
    }
}

/// The location of an existing or future file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settled {
    /// The path with symbolic links resolved.
    pub path: String,
    /// Whether the file, or the directory that it would be in, is read-only.
    pub read_only: bool,
}

/// Writes the content of one of several files, by its index.
pub type WriteOne<'a> = &'a mut dyn FnMut(usize, &mut dyn io::Write) -> Result<(), OpError>;

/// The result of writing a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Number of bytes written.
    pub bytes: u64,
    /// Whether the target is a device or pipe, which was written to and not replaced.
    pub streamed: bool,
}

impl Written {
    /// The remark for the user about a target that was not replaced.
    pub fn remark(streamed: bool) -> &'static str {
        if streamed {
            ", to a device or a pipe that was not replaced"
        } else {
            ""
        }
    }
}

/// Limits of one fetch. A fetch that exceeds a limit fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchLimits {
    /// Most bytes of the body.
    pub max_bytes: u64,
    /// Time for the whole fetch, redirects included.
    pub time: Duration,
    /// Most redirects that are followed. With 0, a redirect is returned as the response.
    pub redirects: u8,
}

/// A GET request that follows redirects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchRequest<'a> {
    /// The URL to fetch.
    pub url: &'a str,
    /// Additional request headers.
    pub headers: &'a [(&'a str, &'a str)],
    /// A secret header. It is sent only to the origin of `url`, never to the target of a redirect to another origin.
    pub secret: Option<(&'a str, &'a str)>,
    /// The ETag of a cached response. If it still matches, the status of the response is 304.
    pub etag: Option<&'a str>,
    /// Limits of the fetch.
    pub limits: FetchLimits,
}

/// The response of a fetch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// The URL of the response, after redirects.
    pub url: String,
    /// HTTP status code.
    pub status: u16,
    /// The media type that the server sent.
    pub media_type: Option<String>,
    /// The ETag that the server sent.
    pub etag: Option<String>,
    /// The `Last-Modified` header, as the server sent it.
    pub last_modified: Option<String>,
    /// The decoded body.
    pub body: Vec<u8>,
}

/// A running deadline for several requests.
pub trait Deadline: Send + Sync + std::fmt::Debug {
    /// The remaining time; zero when the deadline has passed.
    fn left(&self) -> Duration;
}

/// A deadline that never passes, for ports without a clock.
#[derive(Debug)]
struct Endless(Duration);

impl Deadline for Endless {
    fn left(&self) -> Duration {
        self.0
    }
}

/// HTTPS access to public hosts. Implementations must refuse private addresses (SSRF).
pub trait Web: Send + Sync {
    /// Fetches a URL and follows redirects. A response of any status is `Ok`.
    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError>;

    /// Fetches several URLs, each as [`Web::fetch`] does. The results have the order of the requests.
    fn fetch_all(&self, requests: &[FetchRequest<'_>]) -> Vec<Result<Fetched, OpError>> {
        requests.iter().map(|request| self.fetch(request)).collect()
    }

    /// Sends one request without following redirects. A response of any status is `Ok`.
    fn exchange(&self, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        let _ = request;
        Err(WebFault::Offline)
    }

    /// Starts a deadline for all requests of one task together: retries, redirects and the waits between them.
    fn deadline(&self, time: Duration) -> Arc<dyn Deadline> {
        Arc::new(Endless(time))
    }

    /// Fetches a URL without headers, secret or ETag.
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

/// Generates identifiers. Operations must use this port, so that tests are deterministic.
pub trait Ids: Send + Sync {
    /// A new unique identifier.
    fn fresh(&self) -> String;

    /// A new UUID version 7. UUIDs from one process increase.
    fn uuid(&self) -> [u8; 16];

    /// Unpredictable random bytes. The default implementation returns zeros and is only for tests.
    fn random(&self) -> [u8; 16] {
        [0; 16]
    }
}
