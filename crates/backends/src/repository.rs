//! `Repository`: the code of one tree, indexed on demand. Implements the ports `Code` and `Health`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use lore_index::{Detector, DetectorError, FactsStore, IndexError, IndexOptions, Indexed, SourceError, SourceTree};
use lore_model::{Cancel, CodeGraph, NoProgress, Progress, RepoPath};
use lore_specs::seam::{
    Check, Code, ErrorKind, Files, GraphScope, Head, Health, History, IndexRequest, IndexSummary, Log, OpError, Origin,
};

use crate::cache::{Cache, FactsLog, Stamp, StatTable, history_file, listing_fingerprint, place, replace_with};
use crate::directory::{DirectoryTree, Seen, TreePatterns, read_bounded};
use crate::git::{GitPlace, HistoryError, Past, RevisionTree, is_bare, repository_root, uncommitted};
use crate::repository_files::RepositoryFiles;
use crate::watch::TreeWatch;

/// What the configuration says about indexing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexDefaults {
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
    /// Patterns of paths, each beside the language that such files are in; the longest that matches holds.
    pub languages: Vec<(String, String)>,
    /// Whether questions refresh the index.
    pub refresh: bool,
}

/// Where a repository is and how it is indexed.
#[derive(Clone)]
pub struct RepositoryOptions {
    /// The tree named on purpose; the repository around `start` if there is none.
    pub root: Option<PathBuf>,
    /// The working directory.
    pub start: PathBuf,
    /// The cache named on purpose.
    pub cache: Option<PathBuf>,
    /// The user's cache directory.
    pub user_cache: Option<PathBuf>,
    /// What the configuration of a root says.
    pub defaults: DefaultsOf,
}

/// What the configuration of a root says.
pub type DefaultsOf = Arc<dyn Fn(&Path) -> Result<IndexDefaults, OpError> + Send + Sync>;

/// The code of one tree.
pub struct Repository {
    pub(crate) options: RepositoryOptions,
    watch: Mutex<Option<TreeWatch>>,
    /// Where git is, once it was found.
    git: Mutex<Option<GitPlace>>,
    /// What git knows behind the commit that was last asked.
    log: Mutex<Option<Arc<Log>>>,
}

/// A tree that exists and its cache.
struct Place {
    root: PathBuf,
    bare: bool,
    cache: Cache,
    defaults: IndexDefaults,
}

impl Place {
    /// The options that a request and the configuration make together.
    fn choose(&self, request: &IndexRequest) -> Result<Choice, OpError> {
        let defaults = &self.defaults;
        let either = |asked: &Vec<String>, default: &Vec<String>| {
            if asked.is_empty() {
                default.clone()
            } else {
                asked.clone()
            }
        };
        let include = either(&request.include, &defaults.include);
        let exclude = either(&request.exclude, &defaults.exclude);
        choice(IndexDefaults {
            include,
            exclude,
            vendored: request.vendored || defaults.vendored,
            generated: request.generated || defaults.generated,
            minified: request.minified || defaults.minified,
            max_file_bytes: request.max_file_bytes.or(defaults.max_file_bytes),
            languages: defaults.languages.clone(),
            refresh: true,
        })
    }

    /// The options of the last `lore index`, or the configuration's.
    fn remembered(&self, table: Option<&StatTable>) -> Result<Choice, OpError> {
        let configured = self.choose(&IndexRequest::default())?;
        let last = table
            .and_then(|table| recall(table.remembered()))
            .map(choice)
            .transpose()?;
        Ok(last.unwrap_or(configured))
    }
}

/// The options of one index, and the text by which they are remembered.
struct Choice {
    index: IndexOptions,
    patterns: TreePatterns,
    remembered: String,
}

/// What a refresh led to.
struct Refreshed {
    graph: CodeGraph,
    changed: bool,
    extracted: usize,
    with_errors: usize,
}

impl Refreshed {
    fn unchanged(graph: CodeGraph) -> Self {
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
    let converted = unavailable(error.message);
    match error.hint {
        Some(hint) => converted.hint(hint),
        None => converted,
    }
}

fn index_error(error: IndexError) -> OpError {
    match error {
        IndexError::Source(error) => source_error(error),
        IndexError::Languages(error) => OpError::new(ErrorKind::Invalid, error.to_string()),
        IndexError::Cancelled => OpError::new(ErrorKind::Cancelled, "indexing was cancelled"),
    }
}

/// The root that is meant: the path named on purpose, or the repository around the working directory.
pub fn resolve_root(start: &Path, named: Option<&Path>) -> Result<PathBuf, OpError> {
    let path = named.map_or_else(|| start.to_owned(), |named| start.join(named));
    let path = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => unavailable(format!("there is no file or directory {}", path.display())),
        _ => unavailable(format!("{} cannot be read: {error}", path.display())),
    })?;
    if named.is_some() {
        return Ok(path);
    }
    let marked = path.ancestors().find(|directory| {
        directory.join("lore.toml").is_file() || directory.join(".lore").is_dir() || directory.join(".git").exists()
    });
    match marked {
        Some(directory) => Ok(directory.to_owned()),
        None => Ok(repository_root(&path).unwrap_or(path)),
    }
}

impl Repository {
    /// The repository that the options describe; nothing is touched before it is asked.
    pub fn new(options: RepositoryOptions) -> Self {
        Self {
            options,
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

    /// Where derived data of the tree is kept.
    pub(crate) fn cache_directory(&self) -> Result<PathBuf, OpError> {
        Ok(self.place(None, &NoProgress)?.cache.directory().to_owned())
    }

    fn place(&self, named: Option<&str>, progress: &dyn Progress) -> Result<Place, OpError> {
        let root = self.resolve_root(named)?;
        let bare = is_bare(&root);
        let in_tree = root.is_dir() && !bare;
        let (directory, remark) = place(
            &root,
            in_tree,
            self.options.cache.as_deref(),
            self.options.user_cache.as_deref(),
        )
        .map_err(|message| unavailable(message).hint("--cache DIR or LORE_CACHE names another place for it"))?;
        if let Some(remark) = remark {
            progress.note(&format!("{remark}; --cache DIR or LORE_CACHE names another place"));
        }
        let defaults = (self.options.defaults)(&root)?;
        Ok(Place {
            root,
            bare,
            cache: Cache::new(directory),
            defaults,
        })
    }

    /// Brings the index of the working tree up to date.
    fn refresh(
        &self,
        place: &Place,
        asked: Option<&IndexRequest>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Refreshed, OpError> {
        if place.bare {
            let message = format!(
                "{} is a bare repository: it has no files of its own to index",
                place.root.display()
            );
            return Err(unavailable(message).hint("name a revision: --at HEAD"));
        }
        let cache = &place.cache;
        // Most often nothing changed, and then no lock is needed to say so.
        let mut look = Look::at(place, asked)?;
        if let Some(graph) = look.unchanged(place) {
            return Ok(Refreshed::unchanged(graph));
        }
        let (lock, waited) = cache.lock(progress).map_err(|error| {
            unavailable(format!(
                "the cache {} cannot be locked: {error}",
                cache.directory().display()
            ))
        })?;
        cache.sweep();
        let fresh = asked.is_some_and(|request| request.fresh);
        if fresh {
            cache
                .clear()
                .map_err(|error| unavailable(format!("the cache cannot be cleared: {error}")))?;
        }
        let interrupted = cache.was_interrupted();
        if interrupted {
            self.recover(cache, progress);
        }
        if waited || fresh || interrupted {
            // Another process may have done the work meanwhile, and what was seen before is old.
            look = Look::at(place, asked)?;
            if let Some(graph) = look.unchanged(place) {
                return Ok(Refreshed::unchanged(graph));
            }
        }
        if let Some(reason) = &look.fault {
            progress.note(&format!(
                "the cached list of files cannot be used ({reason}) and is made anew"
            ));
        }
        let refreshed = self.rebuild(place, look, progress, cancel);
        drop(lock);
        refreshed
    }

    /// Builds the snapshot of what was seen and writes it. Only for whoever holds the lock.
    fn rebuild(
        &self,
        place: &Place,
        look: Look,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Refreshed, OpError> {
        let cache = &place.cache;
        let before = match cache.open_snapshot(&cache.snapshot(), look.table.as_ref()) {
            Ok(before) => before,
            Err(reason) => {
                progress.note(&format!("{reason}; it is made anew"));
                None
            }
        };
        let Look {
            choice,
            table,
            seen,
            taken,
            trust,
            ..
        } = look;
        let known = table.filter(|_| trust).unwrap_or_default();
        let tree = DirectoryTree::new(place.root.clone(), choice.patterns.clone(), known).with_seen(seen);
        let Indexed {
            snapshot,
            report,
            contents,
        } = self.build(cache, &tree, &choice, progress, cancel)?;
        let changed = !before.as_ref().is_some_and(|before| snapshot.equals(before.as_bytes()));
        let write = || {
            cache.begin_writing()?;
            if changed {
                replace_with(&cache.snapshot(), |file| snapshot.parts(|part| file.write_all(part)))?;
            }
            let seen = tree.take_seen();
            let fingerprint = listing_fingerprint(&seen.stamps, &seen.skipped);
            let options = choice.index.fingerprint();
            let table = StatTable::new(&seen.stamps, &contents, taken, fingerprint, options, &choice.remembered)
                .with_snapshot(Stamp::of(&std::fs::metadata(cache.snapshot())?));
            table.save(&cache.stamps())?;
            cache.end_writing();
            cache
                .open_snapshot(&cache.snapshot(), Some(&table))
                .map_err(std::io::Error::other)
        };
        let graph = write().map_err(|error| {
            unavailable(format!(
                "the cache {} cannot be written: {error}",
                cache.directory().display()
            ))
            .hint("--cache DIR or LORE_CACHE names another place for it")
        })?;
        let graph = graph.ok_or_else(|| unavailable("the snapshot vanished while it was being written"))?;
        Ok(Refreshed {
            graph,
            changed,
            extracted: report.extracted,
            with_errors: report.with_errors,
        })
    }

    /// After a writer died: what does not match its checksums is thrown away.
    fn recover(&self, cache: &Cache, progress: &dyn Progress) {
        let whole = cache.open_snapshot(&cache.snapshot(), None).is_ok();
        if whole {
            progress.note("an earlier lore was stopped while it wrote; everything was checked and is whole");
        } else {
            progress.note("an earlier lore was stopped while it wrote; the snapshot is damaged and is made anew");
            let _ = std::fs::remove_file(cache.snapshot());
            let _ = std::fs::remove_file(cache.stamps());
        }
        cache.end_writing();
    }

    fn build(
        &self,
        cache: &Cache,
        tree: &dyn SourceTree,
        choice: &Choice,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Indexed, OpError> {
        let (facts, remark) = FactsLog::open(&cache.facts());
        if let Some(remark) = remark {
            progress.note(&remark);
        }
        let store: &dyn FactsStore = &facts;
        let indexed = lore_index::index(tree, store, &choice.index, progress, cancel).map_err(index_error)?;
        if let Some(error) = facts.take_fault() {
            progress.note(&format!(
                "the facts could not be cached ({error}); the next index reads everything again"
            ));
        }
        if let Err(error) = facts.compact() {
            progress.note(&format!("the cached facts could not be compacted: {error}"));
        }
        Ok(indexed)
    }

    /// The graph of a revision, from its snapshot if it was asked for before.
    fn at(
        &self,
        place: &Place,
        revision: &str,
        choice: &Choice,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Refreshed, OpError> {
        let tree = RevisionTree::open(&place.root, revision, choice.patterns.clone()).map_err(source_error)?;
        let options = choice.index.fingerprint();
        let path = place.cache.revision_snapshot(&tree.tree_id(), options);
        match place.cache.open_snapshot(&path, None) {
            Ok(Some(graph)) if graph.extractor() == lore_index::EXTRACTOR_VERSION && graph.options() == options => {
                return Ok(Refreshed::unchanged(graph));
            }
            Ok(_) => {}
            Err(reason) => progress.note(&format!("{reason}; it is made anew")),
        }
        let (lock, _) = place
            .cache
            .lock(progress)
            .map_err(|error| unavailable(format!("the cache cannot be locked: {error}")))?;
        let indexed = self.build(&place.cache, &tree, choice, progress, cancel)?;
        let written = std::fs::create_dir_all(path.parent().unwrap_or(&path))
            .and_then(|()| replace_with(&path, |file| indexed.snapshot.parts(|part| file.write_all(part))));
        if let Err(error) = written {
            progress.note(&format!("the snapshot could not be cached: {error}"));
        }
        place.cache.prune_revisions();
        drop(lock);
        let graph = open_bytes(indexed.snapshot.to_bytes())?;
        Ok(Refreshed {
            graph,
            changed: true,
            extracted: indexed.report.extracted,
            with_errors: indexed.report.with_errors,
        })
    }
}

fn open_bytes(bytes: Vec<u8>) -> Result<CodeGraph, OpError> {
    CodeGraph::open(Arc::new(bytes)).map_err(|error| OpError::new(ErrorKind::Internal, error.to_string()))
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
    fn at(place: &Place, asked: Option<&IndexRequest>) -> Result<Self, OpError> {
        let (table, fault) = match StatTable::load(&place.cache.stamps()) {
            Ok(table) => (table, None),
            Err(reason) => (None, Some(reason)),
        };
        let choice = match asked {
            Some(request) => place.choose(request)?,
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

    /// The snapshot, if it is that of the tree as it is.
    fn unchanged(&self, place: &Place) -> Option<CodeGraph> {
        let table = self
            .table
            .as_ref()
            .filter(|_| self.trust && !place.cache.was_interrupted())?;
        let fingerprint = listing_fingerprint(&self.seen.stamps, &self.seen.skipped);
        let options = self.choice.index.fingerprint();
        if !table.describes(fingerprint, options) || !self.seen.stamps.iter().all(|(_, stamp)| table.trusts(stamp)) {
            return None;
        }
        let graph = place.cache.open_snapshot(&place.cache.snapshot(), Some(table)).ok()??;
        (graph.options() == options && graph.extractor() == lore_index::EXTRACTOR_VERSION).then_some(graph)
    }
}

fn choice(options: IndexDefaults) -> Result<Choice, OpError> {
    let patterns = TreePatterns::new(&options.include, &options.exclude).map_err(|message| {
        OpError::new(ErrorKind::Invalid, message).hint("patterns are as in .gitignore: *, ?, **, [a-z], {a,b}")
    })?;
    let detector = Detector::new(&options.languages).map_err(|error| {
        let hint = match &error {
            DetectorError::Pattern { .. } => "patterns are as in .gitignore: *, ?, **, [a-z], {a,b}",
            DetectorError::Language(_) => "docs/languages.md lists the names; `none` leaves files out",
        };
        OpError::new(ErrorKind::Invalid, format!("[languages]: {error}")).hint(hint)
    })?;
    let patterns = patterns.with_detector(detector);
    let index = IndexOptions {
        vendored: options.vendored,
        generated: options.generated,
        minified: options.minified,
        max_file_bytes: options.max_file_bytes.unwrap_or(IndexOptions::default().max_file_bytes),
        tree: patterns.text().to_owned(),
        languages: options.languages.clone(),
    };
    let remembered = remember(&options);
    Ok(Choice {
        index,
        patterns,
        remembered,
    })
}

/// Options as lines of text; [`recall`] reads them back.
fn remember(options: &IndexDefaults) -> String {
    let mut text = String::new();
    for (key, patterns) in [("include", &options.include), ("exclude", &options.exclude)] {
        for pattern in patterns.iter().filter(|pattern| !pattern.contains('\n')) {
            text.push_str(&format!("{key} {pattern}\n"));
        }
    }
    for (pattern, language) in options.languages.iter().filter(|(pattern, _)| !pattern.contains('\n')) {
        text.push_str(&format!("language {language} {pattern}\n"));
    }
    for (key, set) in [
        ("vendored", options.vendored),
        ("generated", options.generated),
        ("minified", options.minified),
    ] {
        if set {
            text.push_str(&format!("{key}\n"));
        }
    }
    if let Some(bytes) = options.max_file_bytes {
        text.push_str(&format!("max_file_bytes {bytes}\n"));
    }
    text
}

fn recall(text: &str) -> Option<IndexDefaults> {
    let mut options = IndexDefaults {
        refresh: true,
        ..IndexDefaults::default()
    };
    for line in text.lines() {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("include", pattern) => options.include.push(pattern.to_owned()),
            ("exclude", pattern) => options.exclude.push(pattern.to_owned()),
            ("language", rest) => {
                let (language, pattern) = rest.split_once(' ')?;
                options.languages.push((pattern.to_owned(), language.to_owned()));
            }
            ("vendored", "") => options.vendored = true,
            ("generated", "") => options.generated = true,
            ("minified", "") => options.minified = true,
            ("max_file_bytes", bytes) => options.max_file_bytes = Some(bytes.parse().ok()?),
            _ => return None,
        }
    }
    Some(options)
}

impl Code for Repository {
    fn graph(&self, scope: &GraphScope, progress: &dyn Progress, cancel: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        let place = self.place(None, progress)?;
        let refreshed = match &scope.revision {
            Some(revision) => {
                let choice = place.remembered(StatTable::load(&place.cache.stamps()).ok().flatten().as_ref())?;
                self.at(&place, revision, &choice, progress, cancel)?
            }
            None => {
                if (scope.no_refresh || !place.defaults.refresh)
                    && let table = StatTable::load(&place.cache.stamps()).ok().flatten()
                    && let Ok(Some(graph)) = place.cache.open_snapshot(&place.cache.snapshot(), table.as_ref())
                {
                    return Ok(Arc::new(graph));
                }
                self.refresh(&place, None, progress, cancel)?
            }
        };
        Ok(Arc::new(refreshed.graph))
    }

    fn index(&self, request: &IndexRequest, progress: &dyn Progress, cancel: &Cancel) -> Result<IndexSummary, OpError> {
        let start = Instant::now();
        let place = self.place(request.path.as_deref(), progress)?;
        let refreshed = match &request.revision {
            Some(revision) => self.at(&place, revision, &place.choose(request)?, progress, cancel)?,
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
            with_errors: match refreshed.changed {
                true => refreshed.with_errors,
                false => graph.files().filter(|file| file.diagnostics().next().is_some()).count(),
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
            .map_err(|_| OpError::new(ErrorKind::Internal, "the watcher is gone"))?;
        match watch.as_ref() {
            Some(watch) => Ok(watch.wait(&root, cancel)),
            None => {
                *watch = Some(TreeWatch::new(&root).map_err(|error| {
                    unavailable(format!("{} cannot be watched: {error}", root.display()))
                        .hint("the system's limit of watches may be too low (fs.inotify.max_user_watches)")
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
        match start.starts_with(&root) {
            true => None,
            false => root.to_str().map(str::to_owned),
        }
    }

    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        let root = self.root()?;
        let path =
            RepoPath::new(path).map_err(|error| OpError::new(ErrorKind::Invalid, format!("`{path}`: {error}")))?;
        match &scope.revision {
            Some(revision) => RevisionTree::open(&root, revision, TreePatterns::default())
                .map_err(source_error)?
                .content(path.as_str())
                .map_err(|error| unavailable(format!("{path} at `{revision}` cannot be read: {error}"))),
            None => {
                let file = if root.is_file() { root } else { root.join(path.as_str()) };
                read_bounded(&file).map_err(|error| unavailable(format!("{path} cannot be read: {error}")))
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
            let message = format!("{} is a bare repository, without files of its own", root.display());
            return Err(OpError::new(ErrorKind::Invalid, message).hint("ask in a checkout"));
        }
        Ok(Arc::new(RepositoryFiles::new(root)))
    }

    fn origin(&self, scope: &GraphScope) -> Result<Origin, OpError> {
        let root = self.root()?;
        crate::git::origin(&root, scope.revision.as_deref()).map_err(source_error)
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
        let path = place.cache.history(&past.commit());
        let edge = past.edge_fingerprint();
        match history_file::load(&path, edge) {
            Ok(Some(history)) => return Ok(Some(Arc::new(history))),
            Ok(None) => {}
            Err(reason) => progress.note(&format!(
                "the cached history cannot be used ({reason}) and is made anew"
            )),
        }
        let walked = past.walk(progress, cancel).map_err(|error| match error {
            HistoryError::Source(error) => source_error(error),
            HistoryError::Cancelled => OpError::new(ErrorKind::Cancelled, "reading the history was cancelled"),
        })?;
        if walked.whole {
            if let Err(error) = history_file::save(&path, &walked.history, edge) {
                progress.note(&format!("the history could not be cached: {error}"));
            }
            place.cache.prune_histories();
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
        let log = past.log(progress, cancel).map_err(|error| match error {
            HistoryError::Source(error) => source_error(error),
            HistoryError::Cancelled => OpError::new(ErrorKind::Cancelled, "reading the history was cancelled"),
        })?;
        let log = Arc::new(log);
        if let Ok(mut kept) = self.log.lock() {
            *kept = Some(Arc::clone(&log));
        }
        Ok(Some(log))
    }

    fn kept_log(&self, commit: &str) -> Option<Arc<Log>> {
        let kept = self.log.lock().ok()?;
        kept.clone().filter(|log| log.head == commit)
    }

    fn uncommitted(&self, below: &[String], most: usize) -> Result<BTreeMap<String, Option<String>>, OpError> {
        match self.git() {
            Some(place) => uncommitted(&place.root, below, most)
                .map_err(|error| unavailable(format!("what differs from the commit cannot be told: {error}"))),
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
        let place = self.place(None, &lore_model::NoProgress).ok()?;
        let written = std::fs::metadata(place.cache.stamps()).ok()?.modified().ok()?;
        let since = written.duration_since(UNIX_EPOCH).ok()?;
        u64::try_from(since.as_millis()).ok()
    }

    fn refreshes(&self) -> bool {
        self.place(None, &lore_model::NoProgress)
            .is_ok_and(|place| place.defaults.refresh)
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
        let place = match self.place(None, &lore_model::NoProgress) {
            Ok(place) => place,
            Err(error) => {
                add("repository", Err(error.message), &error.hints.join("; "));
                return checks;
            }
        };
        let what = if place.bare { "bare git repository" } else { "tree" };
        add("repository", Ok(format!("{what} at {}", place.root.display())), "");
        add("git", Ok(git_state(&place.root)), "");
        add("cache", Ok(place.cache.directory().display().to_string()), "");
        let rebuild = "`lore index --fresh` makes it anew";
        if place.cache.was_interrupted() {
            add(
                "writing",
                Err("an earlier lore was stopped while it wrote".to_owned()),
                "`lore index` checks and repairs",
            );
        }
        let snapshot = place
            .cache
            .open_snapshot(&place.cache.snapshot(), None)
            .and_then(|graph| match graph {
                None => Ok("none yet; the first question makes it".to_owned()),
                Some(graph) => graph
                    .verify()
                    .map(|()| {
                        format!(
                            "{} files, {} symbols; every checksum holds",
                            graph.file_count(),
                            graph.symbol_count()
                        )
                    })
                    .map_err(|error| error.to_string()),
            });
        add("snapshot", snapshot, rebuild);
        let (facts, remark) = FactsLog::open(&place.cache.facts());
        let facts = remark.map_or_else(|| Ok(format!("{} records", facts.len())), Err);
        add("facts", facts, rebuild);
        let stamps = StatTable::load(&place.cache.stamps()).map(|table| match table {
            Some(_) => "readable".to_owned(),
            None => "none yet".to_owned(),
        });
        add("stamps", stamps, rebuild);
        checks
    }
}

fn git_state(root: &Path) -> String {
    match gix::discover(root) {
        Ok(repository) => match repository.head_id() {
            Ok(id) => format!("HEAD is {id}"),
            Err(_) => "a repository without a commit".to_owned(),
        },
        Err(_) => "not a git repository; everything but --at works".to_owned(),
    }
}
