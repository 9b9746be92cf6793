//! The derived data of one tree: its snapshot, the stamps of its files, snapshots of revisions, histories of commits and fetched pages.
//!
//! Writers hold the lock; readers need none, because files are replaced by a rename. A marker exists while files are being
//! replaced: a process that finds it checks everything.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use lore_model::{CodeGraph, Progress};

use super::stat_table::{Stamp, StatTable};
use super::{private, replace};
use crate::map::map;
use crate::safe_fs::read_bounded_file;

/// Snapshots of revisions that are kept, and histories of commits.
const KEPT_REVISIONS: usize = 16;
const REVISIONS: &str = "revisions";
/// Snapshots of the tracked files that are kept: of the tree as it is, and as it was before.
const KEPT_TRACKED: usize = 2;
const TRACKED: &str = "tracked";
const HISTORY: &str = "history";
const FETCHED: &str = "fetched";
const MIND: &str = "mind";
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
}

impl TreeCache {
    /// Opens or creates the cache of a tree in a directory. What is cached of another tree that was at the same path is dropped.
    pub(super) fn open(directory: PathBuf, root: &Path) -> io::Result<Self> {
        private::directory(&directory)?;
        let cache = Self { directory };
        let owner = owner_of(root)?;
        let path = cache.directory.join(OWNER);
        match read_bounded_file(&path, MOST_OWNER_BYTES)? {
            Some(known) if known == owner => return Ok(cache),
            Some(_) => {
                let _lock = cache.lock(&lore_model::NoProgress)?;
                cache.clear()?;
            }
            None => {}
        }
        replace(&path, &owner)?;
        Ok(cache)
    }

    /// The cache in a directory, whatever tree it belongs to.
    pub(super) fn existing(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// The tree that the cache belongs to, as it is shown to people.
    pub(super) fn owner(&self) -> Option<String> {
        let owner = read_bounded_file(&self.directory.join(OWNER), MOST_OWNER_BYTES).ok()??;
        let path = owner.split(|byte| *byte == 0).next()?;
        Some(String::from_utf8_lossy(path).into_owned())
    }

    /// When the cache was last used.
    pub(super) fn last_use(&self) -> Option<std::time::SystemTime> {
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
        self.directory.join(REVISIONS).join(format!("{tree}-{options:016x}"))
    }

    /// The snapshot of the files that git tracks, as a listing of them saw them, under some options.
    pub(crate) fn tracked_snapshot(&self, listing: u64, options: u64) -> PathBuf {
        let name = format!("{listing:016x}-{options:016x}");
        self.directory.join(TRACKED).join(name)
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
        let file = private::lock_file(&self.directory.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok((file, false)),
            Err(fs::TryLockError::WouldBlock) => {
                progress.begin("waiting for another lore to finish indexing", 0);
                file.lock()?;
                Ok((file, true))
            }
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }

    /// Whether a process died while it replaced files.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.marker().exists()
    }

    /// Marks that files are about to be replaced.
    pub(crate) fn begin_writing(&self) -> io::Result<()> {
        private::lock_file(&self.marker()).map(drop)
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

    /// Removes what writers that died left half-written. Only for the holder of the lock.
    pub(crate) fn sweep(&self) {
        for directory in ["", REVISIONS, TRACKED] {
            super::sweep_inside(&self.directory.join(directory));
        }
    }

    /// Removes everything but the lock and the owner. Only for the holder of the lock.
    pub(crate) fn clear(&self) -> io::Result<()> {
        for path in [self.snapshot(), self.stamps(), self.marker()] {
            private::remove(&path)?;
        }
        for directory in [REVISIONS, TRACKED, HISTORY, FETCHED, MIND] {
            let directory = self.directory.join(directory);
            for path in own_files(&directory) {
                private::remove(&path)?;
            }
            let _ = fs::remove_dir(directory);
        }
        Ok(())
    }

    /// Removes the cache as a whole, unless a process is writing to it; whether it is gone.
    pub(super) fn remove(&self) -> io::Result<bool> {
        let lock = private::lock_file(&self.directory.join(LOCK))?;
        if lock.try_lock().is_err() {
            return Ok(false);
        }
        self.clear()?;
        for name in [OWNER, LOCK] {
            private::remove(&self.directory.join(name))?;
        }
        drop(lock);
        Ok(fs::remove_dir(&self.directory).is_ok())
    }

    /// How many bytes the cache takes.
    pub(super) fn size(&self) -> u64 {
        let directories = [REVISIONS, TRACKED, HISTORY, FETCHED, MIND].map(|name| self.directory.join(name));
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
        self.prune(REVISIONS, KEPT_REVISIONS);
    }

    /// Drops all but the newest histories.
    pub(crate) fn prune_histories(&self) {
        self.prune(HISTORY, KEPT_REVISIONS);
    }

    /// Drops all but the newest snapshots of the tracked files.
    pub(crate) fn prune_tracked(&self) {
        self.prune(TRACKED, KEPT_TRACKED);
    }

    fn prune(&self, directory: &str, kept: usize) {
        let mut found: Vec<_> = own_files(&self.directory.join(directory))
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

/// The regular files of one of the cache's directories whose names Lore makes: hexadecimal digits and hyphens, and temporary files. Nothing for
/// a directory that is a link.
fn own_files(directory: &Path) -> Vec<PathBuf> {
    if !fs::symlink_metadata(directory).is_ok_and(|metadata| metadata.is_dir()) {
        return Vec::new();
    }
    let is_own = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
    };
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

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
}
