//! The state of the log for `lore mind doctor`, and leftovers of killed processes (clauses Doctor7 and Doctor8).

use lore_mind::patch_log::LogState;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lore_seam::OpError;

use super::open::Opened;
use super::{config, hooks, snapshots, unavailable};
use crate::safe_fs::{Directory, Kind};

/// An older lock is a leftover, because locks last for milliseconds.
const LOCK_AGE: Duration = Duration::from_secs(60);
/// An older temporary file is a leftover.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// How the temporary files of objects begin, for those who write them in this process.
const LEFTOVER: &str = ".tmp";
/// Directories that are looked at for locks.
const MAX_DIRECTORIES: usize = 10_000;

/// What state the log is in.
pub(super) fn state(
    opened: &Opened,
    repository: &gix::Repository,
    snapshots: Option<&Path>,
) -> Result<LogState, OpError> {
    let leftovers = leftovers(repository);
    Ok(LogState {
        bare: repository.is_bare(),
        shallow: repository.is_shallow().unwrap_or(false),
        read_only: opened.read_only(repository).map(|error| error.message),
        remotes: config::remote_states(repository),
        stale_locks: stale_locks(repository.common_dir()),
        leftovers: (
            leftovers.len() as u64,
            leftovers.iter().map(|leftover| leftover.bytes).sum(),
        ),
        hook: hooks::state(repository),
        snapshot: snapshots.is_some_and(snapshots::has_any),
    })
}

/// Takes away temporary files that are older than a day.
pub(super) fn clean(repository: &gix::Repository) -> Result<u64, OpError> {
    let mut removed = 0;
    for leftover in leftovers(repository)
        .iter()
        .filter(|leftover| leftover.age > LEFTOVER_AGE)
    {
        let gone = leftover.directory.remove_file(&leftover.name);
        let gone = gone.map_err(|error| {
            let path = leftover.directory.path().join(&leftover.name);
            unavailable(format!("{} cannot be removed: {error}", path.display())).because(error)
        })?;
        removed += u64::from(gone);
    }
    Ok(removed)
}

struct Leftover {
    directory: Directory,
    name: OsString,
    bytes: u64,
    age: Duration,
}

/// Temporary files of objects. A directory of objects that is a link may be another repository's, and is left alone.
fn leftovers(repository: &gix::Repository) -> Vec<Leftover> {
    let objects = Directory::open(repository.common_dir()).and_then(|common| common.child("objects"));
    let Ok(directory) = objects else {
        return Vec::new();
    };
    let entries = directory.entries().unwrap_or_default().into_iter();
    let files = entries.filter(|(name, entry)| {
        entry.kind == Kind::File && name.to_str().is_some_and(|name| name.starts_with(LEFTOVER))
    });
    files
        .map(|(name, entry)| Leftover {
            directory: directory.clone(),
            name,
            bytes: entry.bytes,
            age: since(entry.modified),
        })
        .collect()
}

fn since(time: SystemTime) -> Duration {
    SystemTime::now().duration_since(time).unwrap_or_default()
}

fn age(metadata: &fs::Metadata) -> Duration {
    metadata.modified().map(since).unwrap_or_default()
}

/// Locks that have stood for longer than any work takes: of the configuration, of packed references, and of the graph's own.
fn stale_locks(common: &Path) -> Vec<String> {
    let mut locks = vec![common.join("config.lock"), common.join("packed-refs.lock")];
    let mut directories = vec![common.join("refs/lore/mind")];
    let mut looked_at = 0;
    while let Some(directory) = directories.pop() {
        looked_at += 1;
        if looked_at > MAX_DIRECTORIES {
            break;
        }
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => directories.push(path),
                Ok(_) if path.extension().is_some_and(|extension| extension == "lock") => locks.push(path),
                _ => {}
            }
        }
    }
    let is_stale = |path: &PathBuf| fs::metadata(path).is_ok_and(|metadata| age(&metadata) > LOCK_AGE);
    let mut stale: Vec<String> = locks
        .into_iter()
        .filter(is_stale)
        .map(|path| {
            path.strip_prefix(common)
                .unwrap_or(&path)
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    stale.sort_unstable();
    stale
}
