//! The user's cache: one directory for each tree, the facts store that all of them share, and the graphs of other repositories.
//!
//! ```text
//! CACHEDIR.TAG                              says that the directory is Lore's
//! trees/<name>-<digest of the real path>/   snapshot, stamps, revisions/, history/, fetched/, mind/
//! facts/<fingerprint of the extractor>/     segments
//! graphs/                                   bodies/, known/, opened/
//! ```

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lore_seam::{CacheStatus, CachedTree, Pruned};

use super::facts::{self, Reading, SharedFacts};
use super::graph_files::{self, GraphFile};
use super::segment::SegmentNumber;
use super::tree::{Owner, TreeCache};
use super::{names, private, replace};
use crate::safe_fs::{Directory, is_temporary, read_private_file, remove_directory};

const TREES: &str = "trees";
const FACTS: &str = "facts";
pub(crate) const GRAPHS: &str = "graphs";
/// When the cache was last held to its limit.
const PRUNED: &str = "pruned";
/// The file that says that the directory is Lore's cache, and to other programs that it is a cache.
const MARKER: &str = "CACHEDIR.TAG";
/// The first line is that of the specification of cache directories; the second one is Lore's own.
const MARKER_TEXT: &str = "\
Signature: 8a477f597d28d172789f06886806bc55
# Lore made this directory for derived data. It may be deleted at any time.
# For information about cache directory tags see https://bford.info/cachedir/
";
const MOST_MARKER_BYTES: u64 = 4096;
/// The cache is held to its limit at least this often.
const PRUNE_EVERY: Duration = Duration::from_secs(24 * 3600);

/// The user's cache directory.
#[derive(Clone, Debug)]
pub(crate) struct CacheRoot {
    directory: PathBuf,
}

/// Which directories without Lore's marker become a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Adoption {
    /// An empty one. The user named it, and may have meant a directory that holds something else.
    Empty,
    /// Also one with nothing but what Lore makes: the directory has Lore's name.
    OnlyLores,
}

/// Why a directory cannot be the cache.
#[derive(Debug)]
pub(crate) enum RootFault {
    /// It holds something that is not Lore's.
    Foreign,
    /// The system's own reason.
    Io(io::Error),
}

impl std::fmt::Display for RootFault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Foreign => formatter.write_str("it is not empty, and Lore did not create it"),
            Self::Io(error) => error.fmt(formatter),
        }
    }
}

impl From<io::Error> for RootFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl CacheRoot {
    /// Opens or creates the cache. Refuses a directory of another user and one that holds something else.
    pub(crate) fn open(directory: &Path, adoption: Adoption) -> Result<Self, RootFault> {
        private::root(directory)?;
        if !is_marked(directory)? {
            let is_lores = |name: &OsStr| {
                let is_known = |known: &[&str]| known.iter().any(|known| name == *known);
                is_temporary(name) || adoption == Adoption::OnlyLores && is_known(&[TREES, FACTS, GRAPHS, PRUNED])
            };
            let is_foreign = Directory::open(directory)?
                .entries()?
                .iter()
                .any(|(name, _)| !is_lores(name));
            match is_foreign {
                false => replace(&directory.join(MARKER), MARKER_TEXT.as_bytes())?,
                // Another process may have made it meanwhile.
                true if is_marked(directory)? => {}
                true => return Err(RootFault::Foreign),
            }
        }
        for name in [TREES, FACTS] {
            private::directory(&directory.join(name))?;
        }
        Ok(Self {
            directory: directory.to_owned(),
        })
    }

    /// The cache of a tree, by its real path.
    pub(crate) fn tree(&self, root: &Path) -> io::Result<TreeCache> {
        TreeCache::open(self.directory.join(TREES).join(names::tree_name(root)), root)
    }

    /// The facts of the extractor that this program has.
    pub(crate) fn facts(&self, reading: Reading) -> io::Result<(SharedFacts, Option<String>)> {
        let name = names::store_name(lore_index::facts_fingerprint());
        let directory = self.directory.join(FACTS).join(name);
        private::directory(&directory)?;
        Ok(SharedFacts::open(&directory, reading))
    }

    /// What the cache holds.
    pub(crate) fn status(&self, limit: u64) -> CacheStatus {
        let mut trees: Vec<CachedTree> = self
            .trees()
            .into_iter()
            .filter_map(|tree| {
                let Owner::Tree(path) = tree.owner() else {
                    return None;
                };
                Some(CachedTree {
                    tree: path.display().to_string(),
                    directory: tree.directory().display().to_string(),
                    bytes: tree.size(),
                    last_use: tree.last_use().map(milliseconds),
                })
            })
            .collect();
        trees.sort_by(|left, right| left.tree.cmp(&right.tree));
        let segments = self.segments();
        CacheStatus {
            directory: self.directory.display().to_string(),
            limit,
            facts_bytes: segments.iter().map(|segment| segment.bytes).sum(),
            segments: segments.len(),
            graphs_bytes: self.graphs().iter().map(|file| file.bytes).sum(),
            trees,
        }
    }

    /// Removes what was used least recently until the cache is within a limit, and trees that no longer exist. What cannot be removed is
    /// reported, and the rest is removed nevertheless.
    pub(crate) fn prune(&self, limit: u64) -> io::Result<Pruned> {
        let mut pruned = Pruned::default();
        let mut candidates = self.evictable();
        let mut total: u64 = candidates.iter().map(|candidate| candidate.bytes).sum();
        // What is gone first, then the least recently used.
        candidates.sort_by_key(|candidate| (!candidate.is_gone, candidate.last_use));
        for candidate in candidates {
            if total > limit || candidate.is_gone {
                // Another process may have used it meanwhile.
                let is_to_go = |what: &Evictable| {
                    what.last_use() == candidate.last_use && (!candidate.is_gone || what.is_unclaimed())
                };
                if candidate.remove(is_to_go, &mut pruned) {
                    total = total.saturating_sub(candidate.bytes);
                }
            }
        }
        self.remove_empty_stores();
        pruned.left = total;
        replace(&self.directory.join(PRUNED), b"")?;
        Ok(pruned)
    }

    /// Holds the cache to its limit if that was not done for a day, or if it `grew`.
    pub(crate) fn prune_sometimes(&self, limit: u64, grew: bool) {
        let last = fs::metadata(self.directory.join(PRUNED)).and_then(|metadata| metadata.modified());
        let is_recent = last.is_ok_and(|last| {
            SystemTime::now()
                .duration_since(last)
                .is_ok_and(|age| age < PRUNE_EVERY)
        });
        if grew || !is_recent {
            // A cache that cannot be pruned now is pruned another time.
            let _ = self.prune(limit);
        }
    }

    /// Removes everything that no process is writing to. What cannot be removed is reported.
    pub(crate) fn clear(&self) -> Pruned {
        let mut pruned = Pruned::default();
        for candidate in self.evictable() {
            if !candidate.remove(|_| true, &mut pruned) {
                pruned.left += candidate.bytes;
            }
        }
        self.remove_empty_stores();
        pruned
    }

    fn evictable(&self) -> Vec<Candidate> {
        let trees = self.trees().into_iter().map(Evictable::Tree);
        let segments = self.segments().into_iter().map(Evictable::Segment);
        let graphs = self.graphs().into_iter().map(Evictable::Graph);
        trees.chain(segments).chain(graphs).map(Candidate::of).collect()
    }

    /// The directories that Lore made for trees. One without an owner may be that of a process that is about to write it.
    fn trees(&self) -> Vec<TreeCache> {
        let directories = directories(&self.directory.join(TREES), names::is_tree).into_iter();
        let trees = directories.map(TreeCache::existing);
        trees
            .filter(|tree| match tree.owner() {
                Owner::Tree(_) => true,
                Owner::Nobody => tree.is_gone(),
                Owner::Foreign => false,
            })
            .collect()
    }

    fn segments(&self) -> Vec<StoredSegment> {
        let stores = directories(&self.directory.join(FACTS), names::is_store);
        let segments = stores.into_iter().flat_map(|directory| {
            facts::numbers(&directory)
                .into_iter()
                .filter_map(move |number| StoredSegment::of(&directory, number))
        });
        segments.collect()
    }

    fn graphs(&self) -> Vec<GraphFile> {
        graph_files::below(&self.directory.join(GRAPHS))
    }

    /// Removes stores of other extractors that have no segments left.
    fn remove_empty_stores(&self) {
        let current = names::store_name(lore_index::facts_fingerprint());
        for directory in directories(&self.directory.join(FACTS), names::is_store) {
            if directory.ends_with(&current) || !facts::numbers(&directory).is_empty() {
                continue;
            }
            let path = directory.join(facts::LOCK);
            // A process of another version may be about to write to it.
            let Ok(Some(lock)) = private::try_lock(&path) else {
                continue;
            };
            if facts::numbers(&directory).is_empty() {
                let _ = private::remove(&path);
                drop(lock);
                let _ = remove_directory(&directory);
            }
        }
    }
}

/// Whether Lore made a directory to be its cache.
fn is_marked(directory: &Path) -> io::Result<bool> {
    let text = read_private_file(&directory.join(MARKER), MOST_MARKER_BYTES)?.unwrap_or_default();
    let own_lines = |text: &str| text.lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    Ok(str::from_utf8(&text).is_ok_and(|text| own_lines(text) == own_lines(MARKER_TEXT)))
}

/// A segment on disk.
struct StoredSegment {
    directory: PathBuf,
    number: SegmentNumber,
    bytes: u64,
}

impl StoredSegment {
    fn of(directory: &Path, number: SegmentNumber) -> Option<Self> {
        let data = fs::symlink_metadata(number.data_path(directory)).ok()?;
        let table = fs::symlink_metadata(number.table_path(directory)).map_or(0, |table| table.len());
        Some(Self {
            directory: directory.to_owned(),
            number,
            bytes: data.len() + table,
        })
    }
}

/// What can be removed as a whole.
enum Evictable {
    Tree(TreeCache),
    Segment(StoredSegment),
    Graph(GraphFile),
}

impl Evictable {
    fn path(&self) -> PathBuf {
        match self {
            Self::Tree(tree) => tree.directory().to_owned(),
            Self::Segment(segment) => segment.number.data_path(&segment.directory),
            Self::Graph(file) => file.path.clone(),
        }
    }

    fn last_use(&self) -> Option<SystemTime> {
        match self {
            Self::Tree(tree) => tree.last_use(),
            Self::Segment(_) | Self::Graph(_) => fs::symlink_metadata(self.path()).ok()?.modified().ok(),
        }
    }

    /// Whether it still belongs to no existing tree.
    fn is_unclaimed(&self) -> bool {
        match self {
            Self::Tree(tree) => tree.owner() == Owner::Nobody || tree.is_gone(),
            Self::Segment(_) | Self::Graph(_) => false,
        }
    }

    /// Removes it, unless a process is writing to it or it is not to be removed any more; whether it is gone.
    fn remove(&self, is_to_go: impl Fn(&Self) -> bool) -> io::Result<bool> {
        match self {
            Self::Tree(tree) => tree.remove(|_| is_to_go(self)),
            Self::Segment(segment) => {
                let _lock = facts::lock(&segment.directory)?;
                if is_to_go(self) {
                    facts::remove_segment(&segment.directory, segment.number).map(|()| true)
                } else {
                    Ok(false)
                }
            }
            Self::Graph(file) => {
                if is_to_go(self) {
                    private::remove(&file.path)
                } else {
                    Ok(false)
                }
            }
        }
    }
}

/// What may be removed, as it was when the cache was looked at.
struct Candidate {
    what: Evictable,
    bytes: u64,
    last_use: Option<SystemTime>,
    /// Whether it can never be used again.
    is_gone: bool,
}

impl Candidate {
    fn of(what: Evictable) -> Self {
        let (bytes, is_gone) = match &what {
            Evictable::Tree(tree) => (tree.size(), tree.is_gone()),
            Evictable::Segment(segment) => (segment.bytes, false),
            Evictable::Graph(file) => (file.bytes, false),
        };
        Self {
            last_use: what.last_use(),
            what,
            bytes,
            is_gone,
        }
    }

    /// Removes it and counts that; whether it is gone.
    fn remove(&self, is_to_go: impl Fn(&Evictable) -> bool, pruned: &mut Pruned) -> bool {
        match self.what.remove(is_to_go) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => {
                pruned.faults.push(format!("{}: {error}", self.what.path().display()));
                return false;
            }
        }
        pruned.bytes += self.bytes;
        match self.what {
            Evictable::Tree(_) => pruned.trees += 1,
            Evictable::Segment(_) => pruned.segments += 1,
            Evictable::Graph(_) => pruned.graphs += 1,
        }
        true
    }
}

/// The directories in a directory that have a name of Lore's, links left out.
fn directories(path: &Path, is_own: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| entry.file_name().to_str().is_some_and(&is_own))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_replaces_another_at_its_path_inherits_nothing() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        let tree = base.path().join("tree");
        fs::create_dir(&tree).expect("made");
        let cache = root.tree(&tree).expect("opened");
        fs::write(cache.snapshot(), "old").expect("written");
        let again = root.tree(&tree).expect("opened");
        assert!(again.snapshot().exists(), "the same directory keeps its cache");
        fs::rename(&tree, base.path().join("elsewhere")).expect("renamed");
        fs::create_dir(&tree).expect("made");
        let other = root.tree(&tree).expect("opened");
        assert_eq!(other.directory(), cache.directory());
        assert!(!other.snapshot().exists(), "another directory does not inherit it");
    }

    #[test]
    fn pruning_removes_trees_that_are_gone_and_then_the_least_recently_used() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        for (name, age) in [("old", 300), ("new", 100), ("gone", 0)] {
            let tree = base.path().join(name);
            fs::create_dir(&tree).expect("made");
            let cache = root.tree(&tree).expect("opened");
            for file in [cache.snapshot(), cache.stamps(), cache.directory().join("tree")] {
                let text = fs::read(&file).unwrap_or_else(|_| vec![b'x'; 1_000]);
                fs::write(&file, text).expect("written");
                let time = SystemTime::now() - Duration::from_secs(age);
                let file = fs::File::options().append(true).open(file).expect("opened");
                file.set_modified(time).expect("set");
            }
        }
        fs::remove_dir(base.path().join("gone")).expect("removed");
        let names = || -> Vec<String> {
            let trees = root.status(0).trees;
            let names = trees.iter().filter_map(|tree| Path::new(&tree.tree).file_name());
            names.map(|name| name.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names(), ["gone", "new", "old"]);
        assert_eq!(root.prune(1 << 20).expect("pruned").trees, 1);
        assert_eq!(names(), ["new", "old"]);
        assert_eq!(root.prune(3_000).expect("pruned").trees, 1);
        assert_eq!(names(), ["new"]);
        assert_eq!(root.clear().trees, 1);
        assert_eq!(names(), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn directories_and_files_are_for_the_user_alone_and_links_are_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let base = tempfile::tempdir().expect("a directory");
        let directory = base.path().join("cache");
        let root = CacheRoot::open(&directory, Adoption::Empty).expect("opened");
        fs::set_permissions(directory.join(TREES), fs::Permissions::from_mode(0o755)).expect("set");
        CacheRoot::open(&directory, Adoption::Empty).expect("opened again");
        let tree = root.tree(base.path()).expect("opened");
        let _lock = tree.lock(&lore_model::NoProgress).expect("locked");
        tree.write(&tree.snapshot(), |_| Ok(())).expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&directory), 0o700);
        assert_eq!(mode(&directory.join(TREES)), 0o700);
        assert_eq!(mode(tree.directory()), 0o700);
        assert_eq!(mode(&tree.directory().join("lock")), 0o600);
        assert_eq!(mode(&tree.snapshot()), 0o600);
        let outside = base.path().join("outside");
        fs::create_dir(&outside).expect("made");
        fs::remove_dir_all(directory.join(TREES)).expect("removed");
        symlink(&outside, directory.join(TREES)).expect("linked");
        assert!(CacheRoot::open(&directory, Adoption::Empty).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_that_exists_keeps_its_rights_and_one_that_everybody_may_write_to_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let base = tempfile::tempdir().expect("a directory");
        let directory = base.path().join("cache");
        fs::create_dir(&directory).expect("made");
        for (mode, is_used) in [(0o755, true), (0o777, false)] {
            fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).expect("set");
            assert_eq!(
                CacheRoot::open(&directory, Adoption::Empty).is_ok(),
                is_used,
                "{mode:o}"
            );
            let now = fs::metadata(&directory).expect("there").permissions().mode();
            assert_eq!(now & 0o777, mode);
        }
    }

    #[test]
    fn a_directory_that_holds_something_else_is_refused_unless_lore_marked_it() {
        let base = tempfile::tempdir().expect("a directory");
        let directory = base.path().join("cache");
        fs::create_dir_all(directory.join(TREES)).expect("made");
        let open = |adoption| CacheRoot::open(&directory, adoption);
        assert!(matches!(open(Adoption::Empty), Err(RootFault::Foreign)));
        fs::write(directory.join(MARKER), "Signature: 8a477f597d28d172789f06886806bc55\n").expect("written");
        assert!(matches!(open(Adoption::OnlyLores), Err(RootFault::Foreign)));
        fs::remove_file(directory.join(MARKER)).expect("removed");
        open(Adoption::OnlyLores).expect("adopted");
        fs::write(directory.join("something"), "").expect("written");
        open(Adoption::Empty).expect("it is marked now");
    }

    /// Everything below a directory that looks a little like a cache.
    fn lookalikes(directory: &Path) -> Vec<PathBuf> {
        let digits = "0123456789abcdef0123456789abcdef";
        let named = format!("trees/oak-{digits}");
        let paths = [
            "trees/oak/snapshot".to_owned(),
            "trees/oak/tree".to_owned(),
            "trees/oak/history/report.txt".to_owned(),
            "trees/oak/revisions/2024".to_owned(),
            format!("{named}/tree"),
            format!("{named}/snapshot"),
            format!("{named}/history/report.txt"),
            "facts/of-life/00000001.facts".to_owned(),
            "facts/of-life/lock".to_owned(),
            "graphs/bodies/notes.txt".to_owned(),
        ];
        paths
            .iter()
            .map(|path| {
                let path = directory.join(path);
                fs::create_dir_all(path.parent().expect("a parent")).expect("made");
                fs::write(&path, "the user's own\0").expect("written");
                path
            })
            .collect()
    }

    #[test]
    fn what_lore_did_not_make_is_neither_counted_nor_removed() {
        let base = tempfile::tempdir().expect("a directory");
        let directory = base.path().join("cache");
        let root = CacheRoot::open(&directory, Adoption::Empty).expect("opened");
        let paths = lookalikes(&directory);
        let status = root.status(0);
        assert_eq!((status.trees.len(), status.segments, status.graphs_bytes), (0, 0, 0));
        assert_eq!(root.prune(0).expect("pruned").bytes, 0);
        assert_eq!(root.clear(), Pruned::default());
        for path in paths {
            assert!(path.exists(), "{}", path.display());
        }
    }

    #[test]
    fn files_with_other_names_in_the_cache_of_a_tree_stay() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        let tree = root.tree(base.path()).expect("opened");
        let history = tree.history(&"a".repeat(40));
        let report = history.with_file_name("report.txt");
        for path in [&history, &report] {
            tree.write(path, |_| Ok(())).expect("written");
        }
        root.clear();
        assert!(!history.exists());
        assert!(report.exists());
    }

    #[test]
    fn a_directory_without_an_owner_goes_only_when_it_is_old() {
        let base = tempfile::tempdir().expect("a directory");
        let directory = base.path().join("cache");
        let root = CacheRoot::open(&directory, Adoption::Empty).expect("opened");
        let tree = directory.join(TREES).join(names::tree_name(base.path()));
        fs::create_dir(&tree).expect("made");
        assert_eq!(root.prune(0).expect("pruned").trees, 0);
        assert!(tree.exists(), "a process may be about to write its owner");
        let long_ago = SystemTime::now() - Duration::from_secs(7_200);
        fs::File::open(&tree)
            .and_then(|file| file.set_modified(long_ago))
            .expect("set");
        assert_eq!(root.prune(0).expect("pruned").trees, 1);
        assert!(!tree.exists());
    }

    #[test]
    fn an_entry_that_cannot_be_removed_is_reported_and_the_others_go() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        let mut caches = Vec::new();
        for name in ["a", "b", "c"] {
            let tree = base.path().join(name);
            fs::create_dir(&tree).expect("made");
            caches.push(root.tree(&tree).expect("opened"));
            fs::remove_dir(&tree).expect("removed");
        }
        let lock = caches[0].directory().join("lock");
        fs::remove_file(&lock).expect("removed");
        fs::create_dir(&lock).expect("made");
        let pruned = root.prune(0).expect("pruned");
        assert_eq!(pruned.trees, 2);
        assert_eq!(pruned.faults.len(), 1, "{:?}", pruned.faults);
        assert!(caches[0].directory().exists() && !caches[2].directory().exists());
    }

    #[test]
    fn opening_a_tree_counts_as_its_use() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        for name in ["used", "unused"] {
            let tree = base.path().join(name);
            fs::create_dir(&tree).expect("made");
            let cache = root.tree(&tree).expect("opened");
            let age = if name == "used" { 9_000 } else { 8_000 };
            let file = fs::File::options().append(true).open(cache.directory().join("tree"));
            let time = SystemTime::now() - Duration::from_secs(age);
            file.and_then(|file| file.set_modified(time)).expect("set");
        }
        root.tree(&base.path().join("used")).expect("opened");
        let bytes = root.status(0).trees[0].bytes;
        assert_eq!(root.prune(bytes + 8).expect("pruned").trees, 1);
        let left = root.status(0).trees;
        assert!(left.len() == 1 && left[0].tree.ends_with("/used"), "{left:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_tree_whose_path_is_not_unicode_or_cannot_be_looked_at_is_not_gone() {
        use std::os::unix::ffi::OsStrExt;
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        let tree = base.path().join(OsStr::from_bytes(b"\xff\xfe"));
        if fs::create_dir(&tree).is_err() {
            // A file system that takes Unicode names only.
            return;
        }
        root.tree(&tree).expect("opened");
        assert_eq!(root.prune(1 << 20).expect("pruned").trees, 0);
        fs::remove_dir(&tree).expect("removed");
        assert_eq!(root.prune(1 << 20).expect("pruned").trees, 1);
    }

    #[test]
    fn a_process_that_waited_for_a_cache_that_was_removed_gets_a_lock_that_counts() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        let tree = root.tree(base.path()).expect("opened");
        let (held, _) = tree.lock(&lore_model::NoProgress).expect("locked");
        let waiting = {
            let tree = tree.clone();
            std::thread::spawn(move || tree.lock(&lore_model::NoProgress))
        };
        // What another process does that evicts the cache.
        for name in ["tree", "lock"] {
            fs::remove_file(tree.directory().join(name)).expect("removed");
        }
        drop(held);
        let (lock, _) = lore_testing::join(waiting, "the lock").expect("locked");
        assert!(tree.directory().join("tree").exists(), "the owner is written again");
        assert!(
            private::try_lock(&tree.directory().join("lock"))
                .expect("tried")
                .is_none()
        );
        assert!(!tree.remove(|_| true).expect("tried"), "nobody removes what is locked");
        drop(lock);
        assert!(tree.remove(|_| true).expect("removed"));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_of_another_user_is_not_believed() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache"), Adoption::Empty).expect("opened");
        let tree = root.tree(base.path()).expect("opened");
        for path in [tree.snapshot(), tree.stamps(), tree.history(&"a".repeat(40))] {
            tree.write(&path, |_| Ok(())).expect("written");
            if std::os::unix::fs::chown(&path, Some(12_345), None).is_err() {
                // Only the superuser can give files away.
                return;
            }
        }
        let foreign = "belongs to another user";
        let snapshot = tree.open_snapshot(&tree.snapshot(), None).map(drop);
        assert!(snapshot.is_err_and(|error| error.contains(foreign)));
        let stamps = super::super::StatTable::load(&tree.stamps()).map(drop);
        assert!(stamps.is_err_and(|error| error.contains(foreign)));
        let history = super::super::history_file::load(&tree.history(&"a".repeat(40)), 0).map(drop);
        assert!(history.is_err_and(|error| error.contains(foreign)));
    }
}
