//! The derived data of one tree: its snapshot, the stamps of its files, snapshots of revisions, histories of commits and fetched pages.
//!
//! Writers hold the lock; readers need none, because files are replaced by a rename. A marker exists while files are being
//! replaced: a process that finds it checks everything.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lore_model::{CodeGraph, Progress};

use super::facts::MOST_TRIES;
use super::names::IsName;
use super::stat_table::{Stamp, StatTable};
use super::{names, private, replace};
use crate::cache::map::map;
use crate::safe_fs::{is_absent, read_private_file, remove_directory};

/// Snapshots of revisions that are kept, and histories of commits.
const KEPT_REVISIONS: usize = 16;
const REVISIONS: &str = "revisions";
/// Snapshots of the tracked files that are kept: of the tree as it is, and as it was before.
const KEPT_TRACKED: usize = 2;
const TRACKED: &str = "tracked";
const HISTORY: &str = "history";
const FETCHED: &str = "fetched";
const MIND: &str = "mind";
/// The directories, and which names Lore makes in each.
const DIRECTORIES: [(&str, IsName); 5] = [
    (REVISIONS, names::is_revision),
    (TRACKED, names::is_tracked),
    (HISTORY, names::is_object),
    (FETCHED, names::is_page),
    (MIND, names::is_fold),
];
/// After this time a directory that has no owner is not about to get one.
const UNOWNED: Duration = Duration::from_secs(3600);
/// What the directory belongs to: the tree's path and what the directory at that path looked like.
const OWNER: &str = "tree";
const MOST_OWNER_BYTES: u64 = 1 << 20;
const LOCK: &str = "lock";
const MARKER: &str = "writing";
const SNAPSHOT: &str = "snapshot";
const STAMPS: &str = "stamps";

/// The cache of one tree.
#[derive(Clone, Debug)]
pub(crate) struct TreeCache {
    directory: PathBuf,
    /// What is written as the owner of the directory; nothing for a directory that was found.
    owner: Option<Vec<u8>>,
}

/// What the directory of a tree says about the tree.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// The tree at this path.
    Tree(PathBuf),
    /// Nothing: a process is about to write it, or died before it did.
    Nobody,
    /// Something that Lore did not write for this directory, or that cannot be read.
    Foreign,
}

impl TreeCache {
    /// Opens or creates the cache of a tree in a directory. What is cached of another tree that was at the same path is dropped.
    pub(super) fn open(directory: PathBuf, root: &Path) -> io::Result<Self> {
        let owner = owner_of(root)?;
        private::directory(&directory)?;
        let path = directory.join(OWNER);
        let known = read_private_file(&path, MOST_OWNER_BYTES)?;
        let cache = Self {
            directory,
            owner: Some(owner),
        };
        if known == cache.owner {
            private::note_use(&path);
            return Ok(cache);
        }
        let (lock, _) = cache.lock_directory(&lore_model::NoProgress)?;
        // Another process may have been faster.
        let known = read_private_file(&path, MOST_OWNER_BYTES)?;
        if let Some(owner) = cache.owner.as_ref().filter(|owner| known.as_ref() != Some(owner)) {
            cache.clear()?;
            replace(&path, owner)?;
        }
        drop(lock);
        Ok(cache)
    }

    /// The cache in a directory, whatever tree it belongs to.
    pub(super) fn existing(directory: PathBuf) -> Self {
        Self { directory, owner: None }
    }

    /// The tree that the cache belongs to.
    pub(super) fn owner(&self) -> Owner {
        let written = match read_private_file(&self.directory.join(OWNER), MOST_OWNER_BYTES) {
            Ok(Some(written)) => written,
            Ok(None) => return Owner::Nobody,
            Err(_) => return Owner::Foreign,
        };
        let path = written.iter().position(|byte| *byte == 0).and_then(|end| {
            let path = PathBuf::from(os_string(written.get(..end)?)?);
            let is_its = self.directory.file_name()? == names::tree_name(&path).as_str();
            is_its.then_some(path)
        });
        path.map_or(Owner::Foreign, Owner::Tree)
    }

    /// Whether nobody will use the cache again: its tree no longer exists, or nobody wrote its owner. A tree that cannot be looked at may
    /// exist.
    pub(super) fn is_gone(&self) -> bool {
        match self.owner() {
            Owner::Tree(path) => fs::symlink_metadata(path).is_err_and(|error| is_absent(&error)),
            Owner::Nobody => {
                let changed = fs::symlink_metadata(&self.directory).and_then(|directory| directory.modified());
                changed.is_ok_and(|changed| {
                    SystemTime::now()
                        .duration_since(changed)
                        .is_ok_and(|age| age >= UNOWNED)
                })
            }
            Owner::Foreign => false,
        }
    }

    /// When the cache was last used.
    pub(super) fn last_use(&self) -> Option<SystemTime> {
        let times =
            [STAMPS, OWNER].map(|name| fs::metadata(self.directory.join(name)).and_then(|file| file.modified()));
        times.into_iter().flatten().max()
    }

    /// Where it is.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The snapshot of the working tree.
    pub(crate) fn snapshot(&self) -> PathBuf {
        self.directory.join(SNAPSHOT)
    }

    /// The snapshot of a revision's tree under some options.
    pub(crate) fn revision_snapshot(&self, tree: &str, options: u64) -> PathBuf {
        self.directory.join(REVISIONS).join(names::revision_name(tree, options))
    }

    /// The snapshot of the files that git tracks, as a listing of them saw them, under some options.
    pub(crate) fn tracked_snapshot(&self, listing: u64, options: u64) -> PathBuf {
        self.directory.join(TRACKED).join(names::tracked_name(listing, options))
    }

    /// The history of a commit's files.
    pub(crate) fn history(&self, commit: &str) -> PathBuf {
        self.directory.join(HISTORY).join(commit)
    }

    /// A page that was fetched, by the digest of its key.
    pub(crate) fn fetched(&self, digest: &str) -> PathBuf {
        self.directory.join(FETCHED).join(digest)
    }

    /// Where folded states of the mind graph are kept.
    pub(crate) fn mind(&self) -> PathBuf {
        self.directory.join(MIND)
    }

    pub(crate) fn stamps(&self) -> PathBuf {
        self.directory.join(STAMPS)
    }

    fn marker(&self) -> PathBuf {
        self.directory.join(MARKER)
    }

    /// Waits until no other process writes, and says whether it had to. The lock ends with the file, or with the process.
    pub(crate) fn lock(&self, progress: &dyn Progress) -> io::Result<(File, bool)> {
        let locked = self.lock_directory(progress)?;
        let path = self.directory.join(OWNER);
        if let Some(owner) = self.owner.as_ref().filter(|_| !path.exists()) {
            replace(&path, owner)?;
        }
        Ok(locked)
    }

    fn lock_directory(&self, progress: &dyn Progress) -> io::Result<(File, bool)> {
        let begin_waiting = || progress.begin("waiting for another lore to finish indexing", 0);
        let mut tries = 0;
        loop {
            match private::lock(&self.directory.join(LOCK), &begin_waiting) {
                // Another process may have evicted the cache meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MOST_TRIES => {
                    private::directory(&self.directory)?;
                    tries += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// Whether a process died while it replaced files.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.marker().exists()
    }

    /// Marks that files are about to be replaced.
    pub(crate) fn begin_writing(&self) -> io::Result<()> {
        private::create(&self.marker())
    }

    /// Marks that all files are whole again.
    pub(crate) fn end_writing(&self) {
        let _ = private::remove(&self.marker());
    }

    /// Opens a snapshot; `Ok(None)` if there is none. The error says why it cannot be used. Unless the table knows the file as it looks,
    /// another program may have touched it, and every checksum is checked.
    pub(crate) fn open_snapshot(&self, path: &Path, table: Option<&StatTable>) -> Result<Option<CodeGraph>, String> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let bytes = map(path).map_err(|error| error.to_string())?;
        let graph = CodeGraph::open(bytes).map_err(|error| error.to_string())?;
        if !table.is_some_and(|table| table.knows_snapshot(Stamp::of(&metadata))) {
            graph.verify().map_err(|error| error.to_string())?;
        }
        Ok(Some(graph))
    }

    /// Removes a damaged snapshot with its stamps.
    pub(crate) fn drop_snapshot(&self) {
        let _ = private::remove(&self.snapshot());
        let _ = private::remove(&self.stamps());
    }

    /// Writes a file below one of the cache's directories.
    pub(crate) fn write(&self, path: &Path, write_parts: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        if let Some(directory) = path.parent() {
            private::directory(directory)?;
        }
        super::replace_with(path, write_parts)
    }

    /// After a write that failed: the files are whole, because each is replaced by a rename, but the stamps may be of another snapshot.
    pub(crate) fn abandon_writing(&self) {
        let _ = private::remove(&self.stamps());
        self.end_writing();
    }

    /// Removes what writers that died left half-written. Only for the holder of the lock.
    pub(crate) fn sweep(&self) {
        super::sweep_inside(&self.directory);
        for (name, _) in DIRECTORIES {
            super::sweep_inside(&self.directory.join(name));
        }
    }

    /// Removes everything but the lock and the owner. Only for the holder of the lock.
    pub(crate) fn clear(&self) -> io::Result<()> {
        for path in [self.snapshot(), self.stamps(), self.marker()] {
            private::remove(&path)?;
        }
        for (name, is_own) in DIRECTORIES {
            let directory = self.directory.join(name);
            for path in own_files(&directory, is_own) {
                private::remove(&path)?;
            }
            let _ = remove_directory(&directory);
        }
        Ok(())
    }

    /// Removes the cache as a whole, unless a process is writing to it or it is not to be removed any more; whether it is gone.
    pub(super) fn remove(&self, is_to_go: impl Fn(&Self) -> bool) -> io::Result<bool> {
        let lock = match private::try_lock(&self.directory.join(LOCK)) {
            Ok(Some(lock)) => lock,
            Ok(None) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(error),
        };
        if !is_to_go(self) {
            return Ok(false);
        }
        self.clear()?;
        for path in own_files(&self.directory, names::is_unfinished) {
            private::remove(&path)?;
        }
        // The lock last: a process that waits for it finds that its name is gone, and makes a new one.
        for name in [OWNER, LOCK] {
            private::remove(&self.directory.join(name))?;
        }
        drop(lock);
        Ok(remove_directory(&self.directory).is_ok())
    }

    /// How many bytes the cache takes.
    pub(super) fn size(&self) -> u64 {
        let directories = DIRECTORIES.map(|(name, _)| self.directory.join(name));
        let files = std::iter::once(self.directory.clone())
            .chain(directories)
            .flat_map(|directory| fs::read_dir(directory).into_iter().flatten().flatten());
        files
            .filter_map(|entry| entry.metadata().ok())
            .filter(fs::Metadata::is_file)
            .map(|metadata| metadata.len())
            .sum()
    }

    /// Drops all but the newest snapshots of revisions.
    pub(crate) fn prune_revisions(&self) {
        self.prune(REVISIONS, names::is_revision, KEPT_REVISIONS);
    }

    /// Drops all but the newest histories.
    pub(crate) fn prune_histories(&self) {
        self.prune(HISTORY, names::is_object, KEPT_REVISIONS);
    }

    /// Drops all but the newest snapshots of the tracked files.
    pub(crate) fn prune_tracked(&self) {
        self.prune(TRACKED, names::is_tracked, KEPT_TRACKED);
    }

    fn prune(&self, directory: &str, is_own: IsName, kept: usize) {
        let mut found: Vec<_> = own_files(&self.directory.join(directory), is_own)
            .into_iter()
            .filter_map(|path| Some((fs::symlink_metadata(&path).ok()?.modified().ok()?, path)))
            .collect();
        found.sort();
        let surplus = found.len().saturating_sub(kept);
        for (_, path) in &found[..surplus] {
            let _ = private::remove(path);
        }
    }
}

/// The regular files of one of the cache's directories whose names Lore makes, and those that are not finished. Nothing for a directory that is a
/// link.
fn own_files(directory: &Path, is_own: IsName) -> Vec<PathBuf> {
    if !fs::symlink_metadata(directory).is_ok_and(|metadata| metadata.is_dir()) {
        return Vec::new();
    }
    let is_own = |name: &str| is_own(name) || names::is_unfinished(name);
    fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter(|entry| entry.file_name().to_str().is_some_and(is_own))
        .map(|entry| entry.path())
        .collect()
}

/// What a tree is known by: its path, and the identity of the directory at that path. A repository that replaces another at the same path does not
/// inherit what was cached under object ids that the other one claimed.
fn owner_of(root: &Path) -> io::Result<Vec<u8>> {
    let mut owner = root.as_os_str().as_encoded_bytes().to_vec();
    owner.push(0);
    let identity = |path: &Path| {
        let metadata = fs::symlink_metadata(path).ok()?;
        let created = metadata.created().ok()?;
        let since = created.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(format!("{}.{}", since.as_nanos(), inode(&metadata)))
    };
    let root_metadata = fs::metadata(root)?;
    if root_metadata.is_dir() {
        for path in [root.to_owned(), root.join(".git")] {
            owner.extend_from_slice(identity(&path).unwrap_or_default().as_bytes());
            owner.push(b'\n');
        }
    }
    Ok(owner)
}

/// A path from the bytes that were written for it.
#[cfg(unix)]
fn os_string(bytes: &[u8]) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec()))
}

/// A path from the bytes that were written for it; nothing for one that is not Unicode.
#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> Option<OsString> {
    String::from_utf8(bytes.to_vec()).ok().map(OsString::from)
}

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
}
