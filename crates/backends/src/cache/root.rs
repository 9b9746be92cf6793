//! The user's cache: one directory for each tree, and the facts store that all of them share.
//!
//! ```text
//! trees/<name>-<digest of the real path>/   snapshot, stamps, revisions/, history/, fetched/, mind/
//! facts/<fingerprint of the extractor>/     segments
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lore_specs::seam::{CacheStatus, CachedTree, Pruned};
use sha2::{Digest, Sha256};

use super::facts::{self, Reading, SharedFacts};
use super::segment::SegmentNumber;
use super::tree::TreeCache;
use super::{private, replace};

const TREES: &str = "trees";
const FACTS: &str = "facts";
/// When the cache was last held to its limit.
const PRUNED: &str = "pruned";
/// The cache is held to its limit at least this often.
const PRUNE_EVERY: Duration = Duration::from_secs(24 * 3600);
/// Bytes of a tree's name in the name of its directory.
const MAX_NAME: usize = 40;

/// The user's cache directory.
#[derive(Clone, Debug)]
pub(crate) struct CacheRoot {
    directory: PathBuf,
}

impl CacheRoot {
    /// Opens or creates the cache. Refuses a directory of another user.
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        private::root(directory)?;
        for name in [TREES, FACTS] {
            private::directory(&directory.join(name))?;
        }
        Ok(Self {
            directory: directory.to_owned(),
        })
    }

    /// The cache of a tree, by its real path.
    pub(crate) fn tree(&self, root: &Path) -> io::Result<TreeCache> {
        TreeCache::open(self.directory.join(TREES).join(tree_name(root)), root)
    }

    /// The facts of the extractor that this program has.
    pub(crate) fn facts(&self, reading: Reading) -> io::Result<(SharedFacts, Option<String>)> {
        let directory = self
            .directory
            .join(FACTS)
            .join(format!("{:016x}", lore_index::facts_fingerprint()));
        private::directory(&directory)?;
        Ok(SharedFacts::open(&directory, reading))
    }

    /// What the cache holds.
    pub(crate) fn status(&self, limit: u64) -> CacheStatus {
        let mut trees: Vec<CachedTree> = self
            .trees()
            .into_iter()
            .map(|tree| CachedTree {
                tree: tree.owner().unwrap_or_default(),
                directory: tree.directory().display().to_string(),
                bytes: tree.size(),
                last_use: tree.last_use().map(milliseconds),
            })
            .collect();
        trees.sort_by(|left, right| left.tree.cmp(&right.tree));
        let segments = self.segments();
        CacheStatus {
            directory: self.directory.display().to_string(),
            limit,
            facts_bytes: segments.iter().map(|segment| segment.bytes).sum(),
            segments: segments.len(),
            trees,
        }
    }

    /// Removes what was used least recently until the cache is within a limit, and trees that no longer exist.
    pub(crate) fn prune(&self, limit: u64) -> io::Result<Pruned> {
        let mut pruned = Pruned::default();
        let mut candidates = Vec::new();
        let mut total: u64 = 0;
        for tree in self.trees() {
            let bytes = tree.size();
            total = total.saturating_add(bytes);
            let is_gone = tree.owner().is_none_or(|owner| !Path::new(&owner).exists());
            let age = if is_gone { None } else { tree.last_use() };
            candidates.push((age, bytes, Evictable::Tree(tree)));
        }
        for segment in self.segments() {
            total = total.saturating_add(segment.bytes);
            candidates.push((segment.last_use, segment.bytes, Evictable::Segment(segment)));
        }
        // The least recently used first; trees that are gone have no time and come before all others.
        candidates.sort_by_key(|(last_use, ..)| *last_use);
        for (last_use, bytes, evictable) in candidates {
            let is_gone = last_use.is_none() && matches!(evictable, Evictable::Tree(_));
            if total <= limit && !is_gone {
                continue;
            }
            if evictable.remove()? {
                total = total.saturating_sub(bytes);
                pruned.bytes += bytes;
                match evictable {
                    Evictable::Tree(_) => pruned.trees += 1,
                    Evictable::Segment(_) => pruned.segments += 1,
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

    /// Removes everything that no process is writing to.
    pub(crate) fn clear(&self) -> io::Result<Pruned> {
        let mut pruned = Pruned::default();
        for tree in self.trees() {
            let bytes = tree.size();
            match tree.remove()? {
                true => {
                    pruned.trees += 1;
                    pruned.bytes += bytes;
                }
                false => pruned.left += bytes,
            }
        }
        for segment in self.segments() {
            let bytes = segment.bytes;
            if Evictable::Segment(segment).remove()? {
                pruned.segments += 1;
                pruned.bytes += bytes;
            }
        }
        self.remove_empty_stores();
        Ok(pruned)
    }

    fn trees(&self) -> Vec<TreeCache> {
        directories(&self.directory.join(TREES))
            .into_iter()
            .map(TreeCache::existing)
            .collect()
    }

    fn segments(&self) -> Vec<StoredSegment> {
        let stores = directories(&self.directory.join(FACTS));
        let segments = stores.into_iter().flat_map(|directory| {
            facts::numbers(&directory)
                .into_iter()
                .filter_map(move |number| StoredSegment::of(&directory, number))
        });
        segments.collect()
    }

    /// Removes stores of other extractors that have no segments left.
    fn remove_empty_stores(&self) {
        let current = format!("{:016x}", lore_index::facts_fingerprint());
        for directory in directories(&self.directory.join(FACTS)) {
            if facts::numbers(&directory).is_empty() && !directory.ends_with(&current) {
                let _ = private::remove(&directory.join("lock"));
                let _ = fs::remove_dir(&directory);
            }
        }
    }
}

/// A segment on disk.
struct StoredSegment {
    directory: PathBuf,
    number: SegmentNumber,
    bytes: u64,
    last_use: Option<SystemTime>,
}

impl StoredSegment {
    fn of(directory: &Path, number: SegmentNumber) -> Option<Self> {
        let data = fs::symlink_metadata(number.data_path(directory)).ok()?;
        let table = fs::symlink_metadata(number.table_path(directory)).map_or(0, |table| table.len());
        Some(Self {
            directory: directory.to_owned(),
            number,
            bytes: data.len() + table,
            last_use: data.modified().ok(),
        })
    }
}

/// What can be removed as a whole.
enum Evictable {
    Tree(TreeCache),
    Segment(StoredSegment),
}

impl Evictable {
    /// Removes it, unless a process is writing to it; whether it is gone.
    fn remove(&self) -> io::Result<bool> {
        match self {
            Self::Tree(tree) => tree.remove(),
            Self::Segment(segment) => {
                let _lock = facts::lock(&segment.directory)?;
                facts::remove_segment(&segment.directory, segment.number).map(|()| true)
            }
        }
    }
}

/// The directories in a directory, links left out.
fn directories(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}

/// The name of a tree's directory: a readable part, and a digest of the path that no other path has.
fn tree_name(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let readable: String = name
        .chars()
        .map(|letter| match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' => letter,
            _ => '_',
        })
        .take(MAX_NAME)
        .collect();
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    let digest: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{readable}-{digest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_trees_are_readable_safe_and_distinct() {
        let name = tree_name(Path::new("/home/a/my repo\u{1b}"));
        assert!(name.starts_with("my_repo_-"), "{name}");
        assert_ne!(name, tree_name(Path::new("/home/b/my repo\u{1b}")));
        assert_eq!(
            tree_name(Path::new(&format!("/{}", "x".repeat(300)))).len(),
            MAX_NAME + 33
        );
        assert!(tree_name(Path::new("/")).starts_with('-'));
    }

    #[test]
    fn a_tree_that_replaces_another_at_its_path_inherits_nothing() {
        let base = tempfile::tempdir().expect("a directory");
        let root = CacheRoot::open(&base.path().join("cache")).expect("opened");
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
        let root = CacheRoot::open(&base.path().join("cache")).expect("opened");
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
        assert_eq!(root.clear().expect("cleared").trees, 1);
        assert_eq!(names(), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn directories_and_files_are_for_the_user_alone_and_links_are_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let base = tempfile::tempdir().expect("a directory");
        let directory = base.path().join("cache");
        fs::create_dir(&directory).expect("made");
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).expect("set");
        let root = CacheRoot::open(&directory).expect("opened");
        let tree = root.tree(base.path()).expect("opened");
        let _lock = tree.lock(&lore_model::NoProgress).expect("locked");
        tree.write(&tree.snapshot(), |_| Ok(())).expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&directory), 0o700);
        assert_eq!(mode(tree.directory()), 0o700);
        assert_eq!(mode(&tree.directory().join("lock")), 0o600);
        assert_eq!(mode(&tree.snapshot()), 0o600);
        let outside = base.path().join("outside");
        fs::create_dir(&outside).expect("made");
        fs::remove_dir_all(directory.join(TREES)).expect("removed");
        symlink(&outside, directory.join(TREES)).expect("linked");
        assert!(CacheRoot::open(&directory).is_err());
    }
}
