//! Derived data on disk: the snapshot, the facts of contents seen before, and the stamps that say which files changed.
//!
//! All of it may be deleted at any time. Writers hold the lock; readers need none, because files are replaced by a rename or
//! only appended to. A marker stands while files are being replaced: whoever finds it checks everything.

mod facts_log;
pub(crate) mod history_file;
mod place;
mod stat_table;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use lore_model::{CodeGraph, Progress};

pub(crate) use facts_log::FactsLog;
pub(crate) use place::place;
pub use stat_table::StatTable;
pub(crate) use stat_table::{Stamp, listing_fingerprint};

use crate::map::map;

/// What the name of a file contains until it is whole.
const UNFINISHED: &str = ".new.";
/// Snapshots of revisions that are kept, and histories of commits.
const KEPT_REVISIONS: usize = 16;
/// How many files this process began to write: two threads may write the same file.
static WRITTEN: AtomicU32 = AtomicU32::new(0);

/// The cache of one tree.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// The cache in a directory that exists.
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Where it is.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The snapshot of the working tree.
    pub(crate) fn snapshot(&self) -> PathBuf {
        self.directory.join("snapshot")
    }

    /// The snapshot of a revision's tree under some options.
    pub(crate) fn revision_snapshot(&self, tree: &str, options: u64) -> PathBuf {
        self.directory.join("revisions").join(format!("{tree}-{options:016x}"))
    }

    /// The history of a commit's files.
    pub(crate) fn history(&self, commit: &str) -> PathBuf {
        self.directory.join("history").join(commit)
    }

    pub(crate) fn stamps(&self) -> PathBuf {
        self.directory.join("stamps")
    }

    pub(crate) fn facts(&self) -> PathBuf {
        self.directory.join("facts")
    }

    fn marker(&self) -> PathBuf {
        self.directory.join("writing")
    }

    /// Waits until no other process writes, and says whether it had to. The lock is let go when the file is dropped, or its process
    /// dies.
    pub(crate) fn lock(&self, progress: &dyn Progress) -> io::Result<(File, bool)> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.directory.join("lock"))?;
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

    /// Whether somebody died while replacing files.
    pub(crate) fn was_interrupted(&self) -> bool {
        self.marker().exists()
    }

    /// Says that files are about to be replaced.
    pub(crate) fn begin_writing(&self) -> io::Result<()> {
        fs::write(self.marker(), std::process::id().to_string())
    }

    /// Says that all files are whole again.
    pub(crate) fn end_writing(&self) {
        let _ = fs::remove_file(self.marker());
    }

    /// Opens a snapshot; `Ok(None)` if there is none. The error says why it cannot be used. Unless the table knows the file as it looks,
    /// somebody else may have touched it, and every checksum is checked.
    pub(crate) fn open_snapshot(&self, path: &Path, table: Option<&StatTable>) -> Result<Option<CodeGraph>, String> {
        let metadata = match fs::metadata(path) {
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

    /// Removes what writers that died left half-written. Only for whoever holds the lock.
    pub(crate) fn sweep(&self) {
        for directory in [self.directory.clone(), self.directory.join("revisions")] {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                if entry.file_name().to_string_lossy().contains(UNFINISHED) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Forgets everything but the lock.
    pub(crate) fn clear(&self) -> io::Result<()> {
        for path in [self.snapshot(), self.stamps(), self.facts(), self.marker()] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for directory in ["revisions", "history"] {
            match fs::remove_dir_all(self.directory.join(directory)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Drops all but the newest snapshots of revisions.
    pub(crate) fn prune_revisions(&self) {
        self.prune("revisions");
    }

    /// Drops all but the newest histories. Those who write them hold no lock: what a writer that died left goes here too, in time.
    pub(crate) fn prune_histories(&self) {
        self.prune("history");
    }

    fn prune(&self, directory: &str) {
        let Ok(entries) = fs::read_dir(self.directory.join(directory)) else {
            return;
        };
        let mut found: Vec<_> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
            })
            .collect();
        found.sort();
        let surplus = found.len().saturating_sub(KEPT_REVISIONS);
        for (_, path) in &found[..surplus] {
            let _ = fs::remove_file(path);
        }
    }
}

/// Replaces a file in one step: a reader sees the old bytes or the new ones.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Where a file is written before it takes the place of another: beside it, under a name that says who writes it.
pub(crate) fn temporary_for(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    name.push(format!("{UNFINISHED}{}-{number}", std::process::id()));
    path.with_file_name(name)
}

/// Removes what processes that died left half-written beside a file. Whoever still writes holds a lock on it, or is still there.
pub(crate) fn sweep_beside(path: &Path) {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return;
    };
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    let mut begins = name.to_os_string();
    begins.push(UNFINISHED);
    sweep(directory, |found| found.strip_prefix(begins.as_encoded_bytes()));
}

/// Removes what processes that are gone left unfinished in a directory, whatever it was to become.
pub(crate) fn sweep_inside(directory: &Path) {
    sweep(directory, |found| {
        let mark = UNFINISHED.as_bytes();
        let at = found.windows(mark.len()).rposition(|part| part == mark)?;
        found.get(at + mark.len()..)
    });
}

/// Removes unfinished files of processes that are gone; `rest` is what stands behind the mark in a name, if the name has it.
fn sweep(directory: &Path, rest: impl Fn(&[u8]) -> Option<&[u8]>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let found = entry.file_name();
        let rest = rest(found.as_encoded_bytes());
        let process = rest.and_then(|rest| std::str::from_utf8(rest).ok()?.split_once('-'));
        let is_left = process.is_some_and(|(process, number)| {
            let numbers = process.parse::<u32>().ok().zip(number.parse::<u32>().ok());
            numbers.is_some_and(|(process, _)| !is_running(process))
        });
        let is_held = || match File::open(entry.path()) {
            Ok(file) => matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)),
            Err(_) => false,
        };
        if is_left && entry.file_type().is_ok_and(|kind| kind.is_file()) && !is_held() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a process is there, as far as the system tells; where it does not, the lock decides.
fn is_running(process: u32) -> bool {
    process == std::process::id() || Path::new("/proc").join(process.to_string()).exists()
}

/// As [`replace`], with bytes that are written part by part.
pub(crate) fn replace_with(path: &Path, write_parts: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let temporary = temporary_for(path);
    let write = || {
        let mut file = File::create(&temporary)?;
        write_parts(&mut file)?;
        drop(file);
        fs::rename(&temporary, path)
    };
    let outcome = write();
    if outcome.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    outcome
}
