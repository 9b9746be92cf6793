//! `Repository`: the code of one tree, indexed on demand. Implements the ports `Code` and `Health`.

mod tracked;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use lore_index::{FactsKey, FactsStore, IndexError, Indexed, SourceError, SourceTree};
use lore_model::{Cancel, CodeGraph, Progress, RepoPath};
use lore_seam::{
    CacheControl, CacheStatus, Check, Code, ErrorKind, Files, GraphScope, Head, Health, History, IndexRequest,
    IndexSummary, Log, OpError, Origin, Pruned,
};
use tracing::debug;

use crate::cache::{CacheChoice, CachedDirectory, NoCache};
use crate::cache::{CacheRoot, Reading, SharedFacts, Stamp, StatTable, TreeCache, history_file, listing_fingerprint};
use crate::files::RepositoryFiles;
use crate::git::{GitPlace, HistoryError, Past, RevisionTree, is_bare, repository_root, uncommitted};
use crate::tree::index_options::{Choice, IndexDefaults};
use crate::tree::watch::TreeWatch;
use crate::tree::{DirectoryTree, Seen, TreePatterns, read_bounded};

/// Where a repository is and how it is indexed.
#[derive(Clone)]
pub struct RepositoryOptions {
    /// The tree of `--repo`; without it, the repository around `start`.
    pub root: Option<PathBuf>,
    /// The working directory.
    pub start: PathBuf,
    /// The directory of `--cache`.
    pub cache: Option<PathBuf>,
    /// The directory of the user's caches.
    pub user_cache: Option<PathBuf>,
    /// The size in bytes above which the least recently used data of the cache is evicted.
    pub cache_limit: Option<u64>,
    /// What the configuration of a root says.
    pub defaults: DefaultsOf,
}

/// What the configuration of a root says.
pub type DefaultsOf = Arc<dyn Fn(&Path) -> Result<IndexDefaults, OpError> + Send + Sync>;

/// The size of the cache unless the user says otherwise.
pub const DEFAULT_CACHE_LIMIT: u64 = 8 << 30;

/// The code of one tree.
pub struct Repository {
    pub(crate) options: RepositoryOptions,
    /// Whether remarks about where derived data is kept were made.
    remarked: AtomicBool,
    /// The graph that was built last, where it could not be written to the cache.
    held: Mutex<Option<Held>>,
    watch: Mutex<Option<TreeWatch>>,
    /// Where git is, once it was found.
    git: Mutex<Option<GitPlace>>,
    /// What git knows behind the commit that was last asked.
    log: Mutex<Option<Arc<Log>>>,
}

/// A tree that exists and its cache.
struct TreePlace {
    root: PathBuf,
    bare: bool,
    /// Nothing if derived data cannot be kept: every answer is then computed from the files.
    derived: Option<Derived>,
    defaults: IndexDefaults,
}

/// Where derived data of a tree is kept.
struct Derived {
    root: CacheRoot,
    tree: TreeCache,
}

/// A graph in memory, and what it was built from.
struct Held {
    listing: u64,
    options: u64,
    taken: i64,
    graph: Arc<CodeGraph>,
}

/// No store for facts: every file is extracted.
struct NoFacts;

impl FactsStore for NoFacts {
    fn get(&self, _: FactsKey) -> Option<&[u8]> {
        None
    }

    fn put(&self, _: &[(FactsKey, Vec<u8>)]) {}
}

impl TreePlace {
    /// The stamps of the last listing, if there are any; the error says why they cannot be used.
    fn stamps(&self) -> Result<Option<StatTable>, String> {
        match &self.derived {
            Some(derived) => StatTable::load(&derived.tree.stamps()),
            None => Ok(None),
        }
    }

    /// The options of the last `lore index` and the configuration.
    fn remembered(&self, table: Option<&StatTable>) -> Result<Choice, OpError> {
        self.defaults.recall(table.map_or("", StatTable::remembered))
    }
}

/// What a refresh led to.
struct Refreshed {
    graph: Arc<CodeGraph>,
    changed: bool,
    extracted: usize,
    with_errors: usize,
}

impl Refreshed {
    fn unchanged(graph: Arc<CodeGraph>) -> Self {
        Self {
            graph,
            changed: false,
            extracted: 0,
            with_errors: 0,
        }
    }
}

fn unavailable(message: impl Into<String>) -> OpError {
    OpError::new(ErrorKind::Unavailable, message)
}

fn source_error(error: SourceError) -> OpError {
    OpError {
        kind: if error.is_ambiguous {
            ErrorKind::Ambiguous
        } else {
            ErrorKind::Unavailable
        },
        hints: error.hint.into_iter().collect(),
        cause: error.cause,
        ..unavailable(error.message)
    }
}

fn index_error(error: IndexError) -> OpError {
    match error {
        IndexError::Source(error) => source_error(error),
        IndexError::Languages(error) => OpError::new(ErrorKind::Invalid, error.to_string()).because(error),
        IndexError::Cancelled => OpError::new(ErrorKind::Cancelled, "indexing was cancelled"),
    }
}

/// The root: the named path, or the repository around the working directory.
pub fn resolve_root(start: &Path, named: Option<&Path>) -> Result<PathBuf, OpError> {
    let path = named.map_or_else(|| start.to_owned(), |named| start.join(named));
    let path = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => unavailable(format!("there is no file or directory {}", path.display())),
        _ => unavailable(format!("{} cannot be read: {error}", path.display())).because(error),
    })?;
    if named.is_some() {
        return Ok(path);
    }
    match path.ancestors().find(|directory| is_marked(directory)) {
        Some(directory) => Ok(directory.to_owned()),
        None => Ok(repository_root(&path).unwrap_or(path)),
    }
}

/// Whether something in a directory says that it is the root of a tree.
fn is_marked(directory: &Path) -> bool {
    directory.join("lore.toml").is_file() || directory.join(".lore").is_dir() || directory.join(".git").exists()
}

impl Repository {
    /// The repository of these options. Nothing is opened before the first query.
    pub fn new(options: RepositoryOptions) -> Self {
        Self {
            options,
            remarked: AtomicBool::new(false),
            held: Mutex::default(),
            watch: Mutex::default(),
            git: Mutex::default(),
            log: Mutex::default(),
        }
    }

    /// Where git is; looked for until it is found.
    fn git(&self) -> Option<GitPlace> {
        let mut known = self.git.lock().ok()?;
        if known.is_none() {
            *known = GitPlace::around(&self.root().ok()?);
        }
        known.clone()
    }

    /// The root of the tree.
    pub fn root(&self) -> Result<PathBuf, OpError> {
        self.resolve_root(None)
    }

    fn resolve_root(&self, named: Option<&str>) -> Result<PathBuf, OpError> {
        resolve_root(
            &self.options.start,
            named.map(Path::new).or(self.options.root.as_deref()),
        )
    }

    /// The cache of the tree; nothing if derived data cannot be kept.
    pub(crate) fn tree_cache(&self) -> Option<TreeCache> {
        let root = self.root().ok()?;
        Some(self.derived(&root).ok()?.tree)
    }

    /// The cache of another directory that belongs to the repository, such as its git directory.
    pub(crate) fn cache_of(&self, directory: &Path) -> Option<TreeCache> {
        Some(self.derived(directory).ok()?.tree)
    }

    fn cache_choice(&self) -> Option<CacheChoice> {
        CacheChoice::of(self.options.cache.as_deref(), self.options.user_cache.as_deref())
    }

    /// The tree whose author must not write the cache, where nothing is asked about the tree. A directory that nothing marks as a tree may be any, such as
    /// the user's home, where the cache is by default.
    fn guarded_tree(&self) -> Option<PathBuf> {
        let is_named = self.options.cache.is_some() || self.options.root.is_some();
        self.root().ok().filter(|root| is_named || is_marked(root))
    }

    /// The user's cache for whatever is done with all of it.
    fn cache_root(&self) -> Result<CacheRoot, OpError> {
        let tree = self.guarded_tree();
        CacheChoice::open(self.cache_choice(), &self.options.start, tree.as_deref()).map_err(NoCache::error)
    }

    /// Where the graphs of other repositories are kept: in the user's cache. Nothing if there is none.
    pub fn graphs(&self) -> Option<CachedDirectory> {
        let tree = self.guarded_tree();
        self.cache_choice()?.graphs(&self.options.start, tree.as_deref()).ok()
    }

    /// Where derived data of a tree is kept, or why it is not.
    fn derived(&self, root: &Path) -> Result<Derived, NoCache> {
        let cache = CacheChoice::open(self.cache_choice(), &self.options.start, Some(root))?;
        let tree = cache.tree(root).map_err(|error| NoCache::unusable(error.to_string()))?;
        Ok(Derived { root: cache, tree })
    }

    fn cache_limit(&self) -> u64 {
        self.options.cache_limit.unwrap_or(DEFAULT_CACHE_LIMIT)
    }

    /// The tree for an answer, with remarks about it.
    fn place(&self, named: Option<&str>, progress: &dyn Progress) -> Result<TreePlace, OpError> {
        let (place, fault) = self.place_in_silence(named)?;
        if !self.remarked.swap(true, Ordering::Relaxed) {
            if let Some(remark) = fault {
                progress.remark(&remark);
            }
            if old_cache(&place.root) {
                progress.remark(
                    "the repository has a .lore/cache, which is ignored: derived data is kept in the user's cache directory",
                );
            }
        }
        place.defaults.remarks.iter().for_each(|remark| progress.remark(remark));
        Ok(place)
    }

    /// The tree that is meant, and the remark that derived data cannot be kept, if so.
    fn place_in_silence(&self, named: Option<&str>) -> Result<(TreePlace, Option<String>), OpError> {
        let root = self.resolve_root(named)?;
        let (derived, fault) = match self.derived(&root) {
            Ok(derived) => (Some(derived), None),
            Err(reason) => (None, Some(reason.remark()?)),
        };
        let place = TreePlace {
            bare: is_bare(&root),
            defaults: (self.options.defaults)(&root)?,
            root,
            derived,
        };
        Ok((place, fault))
    }

    /// Brings the index of the working tree up to date.
    fn refresh(
        &self,
        place: &TreePlace,
        asked: Option<&IndexRequest>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Refreshed, OpError> {
        if place.bare {
            let message = format!(
                "{} is a bare repository: it has no files to index",
                place.root.display()
            );
            return Err(unavailable(message).hint("name a revision: --at HEAD"));
        }
        // Most often nothing changed, and then no lock is needed to say so.
        let mut look = Look::at(place, asked)?;
        if let Some(graph) = look.unchanged(place).or_else(|| self.held(&look)) {
            look.choice.remark(&graph, progress);
            debug!(root = %place.root.display(), "no file changed; the snapshot is current");
            return Ok(Refreshed::unchanged(graph));
        }
        let lock = place.derived.as_ref().map(|derived| derived.tree.lock(progress));
        let (lock, waited) = match lock {
            Some(Ok((lock, waited))) => (lock, waited),
            Some(Err(error)) => {
                progress.note(&format!("the cache cannot be locked ({error}); nothing is cached"));
                return self.rebuild(place, None, look, progress, cancel);
            }
            None => return self.rebuild(place, None, look, progress, cancel),
        };
        let Some(derived) = &place.derived else {
            return self.rebuild(place, None, look, progress, cancel);
        };
        let cache = &derived.tree;
        cache.sweep();
        let fresh = asked.is_some_and(|request| request.fresh);
        if fresh {
            cache
                .clear()
                .map_err(|error| unavailable(format!("the cache cannot be cleared: {error}")).because(error))?;
        }
        let interrupted = cache.was_interrupted();
        if interrupted {
            self.recover(cache, progress);
        }
        if waited || fresh || interrupted {
            // Another process may have done the work meanwhile, and what was seen before is old.
            look = Look::at(place, asked)?;
            if let Some(graph) = look.unchanged(place) {
                look.choice.remark(&graph, progress);
                return Ok(Refreshed::unchanged(graph));
            }
        }
        if let Some(reason) = &look.fault {
            progress.note(&format!(
                "the cached list of files cannot be used ({reason}); rebuilding it"
            ));
        }
        let refreshed = self.rebuild(place, Some(derived), look, progress, cancel);
        drop(lock);
        refreshed
    }

    /// The graph that is held in memory, if it is that of the tree as it was seen.
    fn held(&self, look: &Look) -> Option<Arc<CodeGraph>> {
        let held = self.held.lock().ok()?;
        let held = held.as_ref().filter(|_| look.trust)?;
        let is_same = held.listing == look.listing() && held.options == look.choice.index.fingerprint();
        let settled = StatTable::taken_at(held.taken);
        let is_settled = look.seen.stamps.iter().all(|(_, stamp)| settled.trusts(stamp));
        (is_same && is_settled).then(|| Arc::clone(&held.graph))
    }

    /// Builds the snapshot of what was seen and writes it to the cache, if there is one. Only for the holder of the cache's lock.
    fn rebuild(
        &self,
        place: &TreePlace,
        derived: Option<&Derived>,
        look: Look,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Refreshed, OpError> {
        let before = derived.and_then(|derived| {
            let cache = &derived.tree;
            let before = cache.open_snapshot(&cache.snapshot(), look.table.as_ref());
            before.unwrap_or_else(|reason| {
                progress.note(&format!("{reason}; rebuilding the snapshot"));
                None
            })
        });
        let Look {
            choice,
            table,
            seen,
            taken,
            trust,
            ..
        } = look;
        let known = table.filter(|_| trust).unwrap_or_default();
        let reading = if trust { Reading::Stored } else { Reading::Anew };
        let tree = DirectoryTree::new(place.root.clone(), choice.patterns.clone(), known).with_seen(seen);
        let Indexed {
            snapshot,
            report,
            contents,
        } = self.build(derived, reading, &tree, &choice, progress, cancel)?;
        let changed = !before.as_ref().is_some_and(|before| snapshot.equals(before.as_bytes()));
        debug!(
            root = %place.root.display(),
            extracted = report.extracted,
            with_errors = report.with_errors,
            changed,
            "the snapshot was built"
        );
        let seen = tree.take_seen();
        let listing = listing_fingerprint(&seen.stamps, &seen.skipped);
        let options = choice.index.fingerprint();
        let write = |cache: &TreeCache| {
            cache.begin_writing()?;
            if changed {
                cache.write(&cache.snapshot(), |file| snapshot.parts(|part| file.write_all(part)))?;
            }
            let table = StatTable::new(&seen.stamps, &contents, taken, listing, options, &choice.remembered)
                .with_snapshot(Stamp::of(&std::fs::symlink_metadata(cache.snapshot())?));
            table.save(&cache.stamps())?;
            cache.end_writing();
            cache
                .open_snapshot(&cache.snapshot(), Some(&table))
                .map_err(std::io::Error::other)?
                .ok_or_else(|| std::io::Error::other("the snapshot vanished while it was being written"))
        };
        let written = derived.map(|derived| write(&derived.tree).inspect_err(|_| derived.tree.abandon_writing()));
        let graph = match written {
            Some(Ok(graph)) => Arc::new(graph),
            failed => {
                if let Some(Err(error)) = failed {
                    progress.note(&format!(
                        "the cache cannot be written ({error}); the answer is computed from the files"
                    ));
                }
                let graph = Arc::new(open_bytes(snapshot.to_bytes())?);
                if let Ok(mut held) = self.held.lock() {
                    *held = Some(Held {
                        listing,
                        options,
                        taken,
                        graph: Arc::clone(&graph),
                    });
                }
                graph
            }
        };
        choice.remark(&graph, progress);
        Ok(Refreshed {
            graph,
            changed,
            extracted: report.extracted,
            with_errors: report.with_errors,
        })
    }

    /// After a writer died: what does not match its checksums is removed.
    fn recover(&self, cache: &TreeCache, progress: &dyn Progress) {
        let whole = cache.open_snapshot(&cache.snapshot(), None).is_ok();
        if whole {
            progress.note(
                "an earlier process was stopped while it wrote the snapshot; every checksum of the snapshot is correct",
            );
        } else {
            progress.note(
                "an earlier process was stopped while it wrote the snapshot; the snapshot is damaged; rebuilding it",
            );
            cache.drop_snapshot();
        }
        cache.abandon_writing();
    }

    fn build(
        &self,
        derived: Option<&Derived>,
        reading: Reading,
        tree: &dyn SourceTree,
        choice: &Choice,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Indexed, OpError> {
        let index = |store: &dyn FactsStore| {
            lore_index::index(tree, store, &choice.index, progress, cancel).map_err(index_error)
        };
        let Some(derived) = derived else {
            return index(&NoFacts);
        };
        let (facts, remark) = match derived.root.facts(reading) {
            Ok(opened) => opened,
            Err(error) => {
                progress.note(&format!("cached facts cannot be used: {error}"));
                return index(&NoFacts);
            }
        };
        if let Some(remark) = remark {
            progress.note(&remark);
        }
        let before = crate::cache::map::faults();
        let indexed = index(&facts)?;
        Self::check_damage(before)?;
        self.finish_facts(derived, facts, progress);
        Ok(indexed)
    }

    /// Nothing is written of what was built from facts that were truncated while they were read.
    fn check_damage(before: u64) -> Result<(), OpError> {
        if crate::cache::map::faults() == before {
            Ok(())
        } else {
            Err(unavailable("a cached file was truncated by another program while it was read").hint("ask again"))
        }
    }

    fn finish_facts(&self, derived: &Derived, facts: SharedFacts, progress: &dyn Progress) {
        let outcome = facts.finish();
        if let Some(error) = outcome.fault {
            progress.note(&format!(
                "the facts could not be cached ({error}); the next index extracts these files again"
            ));
        }
        if outcome.differing > 0 {
            progress.note(&format!(
                "{} cached facts differed from their files and were replaced",
                outcome.differing
            ));
        }
        derived.root.prune_sometimes(self.cache_limit(), outcome.grew);
    }

    /// The graph of a revision, from its snapshot if it was asked for before.
    fn at(
        &self,
        place: &TreePlace,
        revision: &str,
        choice: &Choice,
        reading: Reading,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Refreshed, OpError> {
        let tree = RevisionTree::open(&place.root, revision, choice.patterns.clone()).map_err(source_error)?;
        let options = choice.index.fingerprint();
        let cached = place.derived.as_ref().map(|derived| {
            let path = derived.tree.revision_snapshot(&tree.tree_id(), options);
            (derived, path)
        });
        if let Some((derived, path)) = cached.as_ref().filter(|_| reading == Reading::Stored) {
            match derived.tree.open_snapshot(path, None) {
                Ok(Some(graph)) if graph.extractor() == lore_index::EXTRACTOR_VERSION && graph.options() == options => {
                    choice.remark(&graph, progress);
                    return Ok(Refreshed::unchanged(Arc::new(graph)));
                }
                Ok(_) => {}
                Err(reason) => progress.note(&format!("{reason}; rebuilding the snapshot of `{revision}`")),
            }
        }
        let lock = cached.as_ref().map(|(derived, _)| derived.tree.lock(progress));
        if let Some(Err(error)) = &lock {
            progress.note(&format!("the cache cannot be locked ({error}); nothing is cached"));
        }
        let cached = cached.filter(|_| matches!(lock, Some(Ok(_))));
        let derived = cached.as_ref().map(|(derived, _)| *derived);
        let indexed = self.build(derived, reading, &tree, choice, progress, cancel)?;
        if let Some((derived, path)) = &cached {
            let written = derived
                .tree
                .write(path, |file| indexed.snapshot.parts(|part| file.write_all(part)));
            if let Err(error) = written {
                progress.note(&format!("the snapshot could not be cached: {error}"));
            }
            derived.tree.prune_revisions();
        }
        drop(lock);
        let graph = Arc::new(open_bytes(indexed.snapshot.to_bytes())?);
        choice.remark(&graph, progress);
        Ok(Refreshed {
            graph,
            changed: true,
            extracted: indexed.report.extracted,
            with_errors: indexed.report.with_errors,
        })
    }
}

/// Whether the tree holds a cache, as earlier versions wrote it, or as its author may have put there.
fn old_cache(root: &Path) -> bool {
    std::fs::symlink_metadata(root.join(".lore").join("cache")).is_ok()
}

fn open_bytes(bytes: Vec<u8>) -> Result<CodeGraph, OpError> {
    CodeGraph::open(Arc::new(bytes))
        .map_err(|error| OpError::new(ErrorKind::Internal, error.to_string()).because(error))
}

fn now_nanoseconds() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as i64)
}

/// One look at a tree and at what is cached of it.
struct Look {
    choice: Choice,
    table: Option<StatTable>,
    /// Why the table could not be read.
    fault: Option<String>,
    seen: Seen,
    /// The time before the look, in nanoseconds.
    taken: i64,
    /// Whether stamps may stand for contents.
    trust: bool,
}

impl Look {
    fn at(place: &TreePlace, asked: Option<&IndexRequest>) -> Result<Self, OpError> {
        let (table, fault) = match place.stamps() {
            Ok(table) => (table, None),
            Err(reason) => (None, Some(reason)),
        };
        let choice = match asked {
            Some(request) => place.defaults.choose(request)?,
            None => place.remembered(table.as_ref())?,
        };
        let taken = now_nanoseconds();
        let tree = DirectoryTree::new(place.root.clone(), choice.patterns.clone(), StatTable::default());
        let seen = tree.walk().map_err(source_error)?;
        let trust = !asked.is_some_and(|request| request.verify || request.fresh);
        Ok(Self {
            choice,
            table,
            fault,
            seen,
            taken,
            trust,
        })
    }

    fn listing(&self) -> u64 {
        listing_fingerprint(&self.seen.stamps, &self.seen.skipped)
    }

    /// The snapshot, if it is that of the tree as it is.
    fn unchanged(&self, place: &TreePlace) -> Option<Arc<CodeGraph>> {
        let cache = &place.derived.as_ref()?.tree;
        let table = self.table.as_ref().filter(|_| self.trust && !cache.was_interrupted())?;
        let options = self.choice.index.fingerprint();
        if !table.describes(self.listing(), options) || !self.seen.stamps.iter().all(|(_, stamp)| table.trusts(stamp)) {
            return None;
        }
        let graph = cache.open_snapshot(&cache.snapshot(), Some(table)).ok()??;
        (graph.options() == options && graph.extractor() == lore_index::EXTRACTOR_VERSION).then(|| Arc::new(graph))
    }
}

impl Code for Repository {
    fn graph(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        let place = self.place(None, progress)?;
        let refreshed = match &scope.revision {
            Some(revision) => {
                let choice = place.remembered(place.stamps().ok().flatten().as_ref())?;
                self.at(&place, revision, &choice, Reading::Stored, progress, cancel)?
            }
            None => {
                if (scope.no_refresh || !place.defaults.refresh)
                    && let Some(Derived { tree: cache, .. }) = &place.derived
                    && let table = place.stamps().ok().flatten()
                    && let Ok(Some(graph)) = cache.open_snapshot(&cache.snapshot(), table.as_ref())
                {
                    place.remembered(table.as_ref())?.remark(&graph, progress);
                    Refreshed::unchanged(Arc::new(graph))
                } else {
                    self.refresh(&place, None, progress, cancel)?
                }
            }
        };
        if scope.tracked && scope.revision.is_none() {
            self.tracked(&place, refreshed.graph, progress, cancel)
        } else {
            Ok(refreshed.graph)
        }
    }

    fn damage(&self) -> u64 {
        crate::cache::map::faults()
    }

    fn index(&self, request: &IndexRequest, progress: &dyn Progress, cancel: &Cancel) -> Result<IndexSummary, OpError> {
        let start = Instant::now();
        let place = self.place(request.path.as_deref(), progress)?;
        let refreshed = match &request.at {
            Some(revision) => {
                let reading = if request.verify || request.fresh {
                    Reading::Anew
                } else {
                    Reading::Stored
                };
                self.at(
                    &place,
                    revision,
                    &place.defaults.choose(request)?,
                    reading,
                    progress,
                    cancel,
                )?
            }
            None => self.refresh(&place, Some(request), progress, cancel)?,
        };
        let graph = &refreshed.graph;
        let lines = graph.files().map(|file| {
            let lines = file.lines();
            u64::from(lines.code.get()) + u64::from(lines.comment.get()) + u64::from(lines.blank.get())
        });
        Ok(IndexSummary {
            root: place.root.display().to_string(),
            changed: refreshed.changed,
            files: graph.file_count(),
            extracted: refreshed.extracted,
            skipped: graph.skipped().count(),
            with_errors: if refreshed.changed {
                refreshed.with_errors
            } else {
                graph.files().filter(|file| file.diagnostics().next().is_some()).count()
            },
            symbols: graph.symbols().filter(|symbol| !symbol.is_anonymous()).count(),
            lines: lines.sum(),
            snapshot_bytes: graph.as_bytes().len() as u64,
            bounds: graph.bounds().collect(),
            milliseconds: start.elapsed().as_millis() as u64,
        })
    }

    fn wait_for_change(&self, request: &IndexRequest, cancel: &Cancel) -> Result<bool, OpError> {
        let root = self.resolve_root(request.path.as_deref())?;
        let mut watch = self
            .watch
            .lock()
            .map_err(|_| OpError::new(ErrorKind::Internal, "a thread that used the file watcher panicked"))?;
        match watch.as_ref() {
            Some(watch) => Ok(watch.wait(&root, cancel)),
            None => {
                *watch = Some(TreeWatch::new(&root).map_err(|error| {
                    unavailable(format!("{} cannot be watched: {error}", root.display()))
                        .hint("the system's limit of watches may be too low (fs.inotify.max_user_watches)")
                        .because(error)
                })?);
                // Whatever changed before the watch began is found by looking once more.
                Ok(true)
            }
        }
    }

    fn here(&self) -> String {
        let inside = || {
            let start = self.options.start.canonicalize().ok()?;
            start.strip_prefix(self.root().ok()?).ok()?.to_str().map(str::to_owned)
        };
        inside().unwrap_or_default()
    }

    fn place(&self) -> Option<String> {
        self.root().ok()?.to_str().map(str::to_owned)
    }

    fn elsewhere(&self) -> Option<String> {
        self.options.root.as_ref()?;
        let (root, start) = (self.root().ok()?, self.options.start.canonicalize().ok()?);
        if start.starts_with(&root) {
            None
        } else {
            root.to_str().map(str::to_owned)
        }
    }

    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        let root = self.root()?;
        let path = RepoPath::new(path)
            .map_err(|error| OpError::new(ErrorKind::Invalid, format!("`{path}`: {error}")).because(error))?;
        match &scope.revision {
            Some(revision) => RevisionTree::open(&root, revision, TreePatterns::default())
                .and_then(|tree| tree.content(path.as_str()))
                .map_err(source_error)?
                .ok_or_else(|| {
                    let message = format!("{path} at `{revision}` cannot be read: there is no such file");
                    OpError::new(ErrorKind::NotFound, message)
                }),
            None => {
                let file = if root.is_file() { root } else { root.join(path.as_str()) };
                read_bounded(&file)
                    .map_err(|error| unavailable(format!("{path} cannot be read: {error}")).because(error))
            }
        }
    }

    fn files(&self) -> Result<Arc<dyn Files>, OpError> {
        let root = self.root()?;
        if !root.is_dir() {
            let message = format!("{} is a file, not a repository", root.display());
            return Err(OpError::new(ErrorKind::Invalid, message).hint("--repo DIR names a directory"));
        }
        if is_bare(&root) {
            let message = format!("{} is a bare repository, without files", root.display());
            return Err(OpError::new(ErrorKind::Invalid, message).hint("run the command in a checkout"));
        }
        Ok(Arc::new(RepositoryFiles::new(root)))
    }

    fn origin(&self, scope: &GraphScope) -> Result<Origin, OpError> {
        let root = self.root()?;
        crate::git::origin(&root, scope.revision.as_deref(), !scope.tracked).map_err(source_error)
    }

    fn history(
        &self,
        scope: &GraphScope,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Option<Arc<History>>, OpError> {
        let place = self.place(None, progress)?;
        let Some(past) = Past::open(&place.root, scope.revision.as_deref()).map_err(source_error)? else {
            return Ok(None);
        };
        if let Some(remark) = past.shallow_remark() {
            progress.remark(&remark);
        }
        let cached = place
            .derived
            .as_ref()
            .map(|derived| (&derived.tree, derived.tree.history(&past.commit())));
        let edge = past.edge_fingerprint();
        match cached.as_ref().map(|(_, path)| history_file::load(path, edge)) {
            Some(Ok(Some(history))) => return Ok(Some(Arc::new(history))),
            Some(Ok(None)) | None => {}
            Some(Err(reason)) => progress.note(&format!("the cached history cannot be used ({reason}); rebuilding it")),
        }
        let walked = past.walk(progress, cancel).map_err(|error| match error {
            HistoryError::Source(error) => source_error(error),
            HistoryError::Cancelled => OpError::new(ErrorKind::Cancelled, "reading the history was cancelled"),
        })?;
        if let Some(remark) = walked.faults.remark() {
            progress.remark(&remark);
        } else if let Some((cache, path)) = cached {
            let written = history_file::to_bytes(&walked.history, edge)
                .and_then(|bytes| cache.write(&path, |file| file.write_all(&bytes)));
            if let Err(error) = written {
                progress.note(&format!("the history could not be cached: {error}"));
            }
            cache.prune_histories();
        }
        Ok(Some(Arc::new(walked.history)))
    }

    fn head(&self) -> Option<Head> {
        self.git()?.head()
    }

    fn log(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Option<Arc<Log>>, OpError> {
        let Some(place) = self.git() else {
            return Ok(None);
        };
        let Some(past) = Past::open(&place.root, None).map_err(source_error)? else {
            return Ok(None);
        };
        if let Some(log) = self.kept_log(&past.commit()) {
            return Ok(Some(log));
        }
        let (log, faults) = past.log(progress, cancel).map_err(|error| match error {
            HistoryError::Source(error) => source_error(error),
            HistoryError::Cancelled => OpError::new(ErrorKind::Cancelled, "reading the history was cancelled"),
        })?;
        let log = Arc::new(log);
        match faults.remark() {
            // Such a log is not kept: the next question makes the remark again, and finds objects that were fetched meanwhile.
            Some(remark) => progress.remark(&remark),
            None => {
                if let Ok(mut kept) = self.log.lock() {
                    *kept = Some(Arc::clone(&log));
                }
            }
        }
        Ok(Some(log))
    }

    fn kept_log(&self, commit: &str) -> Option<Arc<Log>> {
        let kept = self.log.lock().ok()?;
        kept.clone().filter(|log| log.head == commit)
    }

    fn uncommitted(&self, below: &[String], most: usize) -> Result<BTreeMap<String, Option<String>>, OpError> {
        match self.git() {
            Some(place) => uncommitted(&place.root, below, most).map_err(|error| {
                unavailable(format!("cannot compare the files with the commit: {error}")).because(error)
            }),
            None => Ok(BTreeMap::new()),
        }
    }

    fn remote(&self) -> Option<String> {
        self.git()?.remote()
    }

    fn has_commit(&self, commit: &str) -> Option<bool> {
        self.git()?.has_commit(commit)
    }

    fn commits_between(&self, base: &str, tip: &str) -> Option<u64> {
        self.git()?.commits_between(base, tip)
    }

    fn refreshed(&self) -> Option<u64> {
        let (place, _) = self.place_in_silence(None).ok()?;
        let stamps = place.derived?.tree.stamps();
        let written = std::fs::symlink_metadata(stamps).ok()?.modified().ok()?;
        let since = written.duration_since(UNIX_EPOCH).ok()?;
        u64::try_from(since.as_millis()).ok()
    }

    fn refreshes(&self) -> bool {
        self.place_in_silence(None)
            .is_ok_and(|(place, _)| place.defaults.refresh)
    }
}

impl CacheControl for Repository {
    fn status(&self) -> Result<CacheStatus, OpError> {
        Ok(self.cache_root()?.status(self.cache_limit()))
    }

    fn prune(&self, limit: Option<u64>) -> Result<Pruned, OpError> {
        let limit = limit.unwrap_or(self.cache_limit());
        let pruned = self.cache_root()?.prune(limit);
        pruned.map_err(|error| unavailable(format!("the cache cannot be pruned: {error}")).because(error))
    }

    fn clear(&self) -> Result<Pruned, OpError> {
        Ok(self.cache_root()?.clear())
    }
}

impl Health for Repository {
    fn check(&self) -> Vec<Check> {
        let mut checks = Vec::new();
        let mut add = |name: &str, outcome: Result<String, String>, hint: &str| {
            let (ok, detail) = match outcome {
                Ok(detail) => (true, detail),
                Err(detail) => (false, detail),
            };
            checks.push(Check {
                name: name.to_owned(),
                ok,
                detail,
                hint: (!ok).then(|| hint.to_owned()),
            });
        };
        let place = match self.place_in_silence(None) {
            Ok((place, _)) => place,
            Err(error) => {
                add("repository", Err(error.message), &error.hints.join("; "));
                return checks;
            }
        };
        let what = if place.bare { "bare git repository" } else { "tree" };
        add("repository", Ok(format!("{what} at {}", place.root.display())), "");
        add("git", Ok(git_state(&place.root)), "");
        if old_cache(&place.root) {
            add(
                "old cache",
                Ok(".lore/cache in the repository is not used any more and can be deleted".to_owned()),
                "",
            );
        }
        let derived = match place.derived {
            Some(derived) => derived,
            None => {
                let reason = self.derived(&place.root).err().map(|reason| reason.error().message);
                add(
                    "cache",
                    Err(reason.unwrap_or_default()),
                    "--cache DIR or LORE_CACHE names another place for it",
                );
                return checks;
            }
        };
        let cache = &derived.tree;
        add("cache", Ok(cache.directory().display().to_string()), "");
        let rebuild = "`lore index --fresh` rebuilds it";
        if cache.was_interrupted() {
            add(
                "writing",
                Err("an earlier lore was stopped while it wrote".to_owned()),
                "`lore index` checks and repairs",
            );
        }
        let snapshot = cache
            .open_snapshot(&cache.snapshot(), None)
            .and_then(|graph| match graph {
                None => Ok("none yet; the first question builds it".to_owned()),
                Some(graph) => graph
                    .verify()
                    .map(|()| {
                        format!(
                            "{} files, {} symbols; every checksum is correct",
                            graph.file_count(),
                            graph.symbol_count()
                        )
                    })
                    .map_err(|error| error.to_string()),
            });
        add("snapshot", snapshot, rebuild);
        let facts = match derived.root.facts(Reading::Stored) {
            Ok((_, Some(remark))) => Err(remark),
            Ok((facts, None)) => Ok(format!("{} records, shared by all trees", facts.count())),
            Err(error) => Err(error.to_string()),
        };
        add("facts", facts, rebuild);
        let stamps = StatTable::load(&cache.stamps()).map(|table| match table {
            Some(_) => "readable".to_owned(),
            None => "none yet".to_owned(),
        });
        add("stamps", stamps, rebuild);
        checks
    }
}

fn git_state(root: &Path) -> String {
    match crate::git::around(root) {
        Ok(repository) => match repository.head_id() {
            Ok(id) => format!("HEAD is {id}"),
            Err(_) => "a repository without a commit".to_owned(),
        },
        Err(_) => "not a git repository; everything but --at works".to_owned(),
    }
}
