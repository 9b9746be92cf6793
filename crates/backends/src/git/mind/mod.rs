//! `GitLog`: the port `PatchLog` on a git repository (clauses Store9 to Store13, C30, Hold4 to Hold8).
//!
//! Patches are commits, one chain for each writer at `refs/lore/mind/w/WRITER`; what others wrote is at `refs/lore/mind/remotes/REMOTE/w/WRITER` once it was
//! fetched. Objects and references are read and written in this process; only what goes over the network is left to the user's git. The lock and what is
//! kept to read faster are in the user's cache, by the git directory that all working trees of the repository share; the lock is in that git directory.

mod append;
mod commits;
mod config;
mod exchange;
mod hooks;
mod links;
mod open;
mod process;
mod read;
mod refs;
mod remote;
mod safe_settings;
mod snapshots;
mod state;
#[cfg(all(test, unix))]
mod tests;

use lore_mind::patch_log::{
    Ancestors, Appended, CodeCommit, Exchange, Exchanged, HookScript, HookState, LogLock, LogState, NewPatch, PatchLog,
    RemoteState, Tips,
};
use lore_mind::raw_patch::{Descend, RawPatch};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lore_model::{Cancel, Progress};
use lore_seam::{ErrorKind, ObjectId, OpError};

pub(crate) use self::hooks::NAME as HOOK;
pub(crate) use self::links::WRITTEN;
use self::open::Opened;
use crate::Repository;
use crate::safe_fs::Directory;

/// Where the lock is, in the git directory that all working trees share.
pub(crate) const LOCK_DIRECTORY: &str = "lore/mind";
const LOCK: &str = "lock";

/// The log of a git repository, which is opened when it is first asked.
pub(crate) struct GitLog {
    place: LogPlace,
    /// The repository as it was last opened.
    opened: Mutex<Option<Arc<Opened>>>,
}

/// Which repository is meant.
enum LogPlace {
    /// The one that Lore was started for.
    Own(Arc<Repository>),
    /// Another one, which is only read.
    Other(PathBuf),
}

impl GitLog {
    /// The log of the repository around a tree.
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self {
            place: LogPlace::Own(repository),
            opened: Mutex::default(),
        }
    }

    fn at(path: PathBuf) -> Self {
        Self {
            place: LogPlace::Other(path),
            opened: Mutex::default(),
        }
    }

    /// The repository, reopened if its configuration has changed.
    fn open(&self) -> Result<Arc<Opened>, OpError> {
        let mut held = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = held.as_ref().filter(|opened| opened.is_current()) {
            return Ok(Arc::clone(opened));
        }
        let opened = Arc::new(match &self.place {
            LogPlace::Own(repository) => Opened::around(&repository.root()?)?,
            LogPlace::Other(path) => Opened::around(path)?,
        });
        *held = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// The directory of snapshots in the user's cache, because the git directory is untrusted. `None` without a cache,
    /// and for another repository.
    fn snapshots(&self, opened: &Opened) -> Option<PathBuf> {
        match &self.place {
            LogPlace::Own(repository) => Some(repository.cache_of(opened.common())?.mind()),
            LogPlace::Other(_) => None,
        }
    }

    /// The repository to write to, or why nothing is written there.
    fn open_to_write(&self) -> Result<Arc<Opened>, OpError> {
        if matches!(self.place, LogPlace::Other(_)) {
            return Err(unavailable("the other repository is read-only"));
        }
        let opened = self.open()?;
        let refused = opened
            .read_only(&opened.local())
            .or_else(|| links::linked(opened.common()));
        match refused {
            Some(error) => Err(error),
            None => Ok(opened),
        }
    }
}

fn unavailable(message: impl Into<String>) -> OpError {
    OpError::new(ErrorKind::Unavailable, message)
}

/// An error of git's, with everything that led to it.
fn because(what: &str, error: impl std::error::Error + Send + Sync + 'static) -> OpError {
    unavailable(format!("{what}: {}", super::causes(&error))).because(error)
}

/// The lock, which the system takes back when the file is closed.
struct FileLock {
    _file: File,
}

impl LogLock for FileLock {}

/// Waits for the lock in a git directory. A link on the way to it is an error.
fn lock(common: &Path) -> Result<FileLock, OpError> {
    let take = || {
        let file = Directory::open(common)?.make_beneath(LOCK_DIRECTORY)?.lock_file(LOCK)?;
        file.lock()?;
        Ok(FileLock { _file: file })
    };
    take().map_err(|error: std::io::Error| {
        let path = common.join(LOCK_DIRECTORY).join(LOCK);
        unavailable(format!("{} cannot be locked: {error}", path.display())).because(error)
    })
}

impl PatchLog for GitLog {
    fn tips(&self) -> Result<Tips, OpError> {
        refs::tips(&self.open()?.local())
    }

    fn walk(
        &self,
        tips: &[ObjectId],
        known: &dyn Fn(&ObjectId) -> bool,
        visit: &mut dyn FnMut(&RawPatch<'_>) -> Descend,
        cancel: &Cancel,
    ) -> Result<(), OpError> {
        read::walk(self.open()?.local(), tips, known, visit, cancel).map(|_| ())
    }

    fn lock(&self) -> Result<Box<dyn LogLock>, OpError> {
        Ok(Box::new(lock(self.open_to_write()?.common())?))
    }

    fn new_writer(&self, random: &[u8; 16]) -> Result<String, OpError> {
        config::new_writer(&self.open_to_write()?.local(), random)
    }

    fn append(&self, patch: &NewPatch<'_>) -> Result<Appended, OpError> {
        append::append(&self.open_to_write()?.local(), patch)
    }

    fn snapshot(&self, name: &str) -> Option<Arc<dyn AsRef<[u8]> + Send + Sync>> {
        let opened = self.open().ok()?;
        // Somebody else's file may be cut short while it is mapped.
        opened
            .is_trusted()
            .then(|| snapshots::read(&self.snapshots(&opened)?, name))
            .flatten()
    }

    fn keep_snapshot(&self, name: &str, bytes: &[u8]) {
        if let Ok(opened) = self.open_to_write()
            && let Some(directory) = self.snapshots(&opened)
        {
            snapshots::keep(&directory, name, bytes);
        }
    }

    fn drop_snapshots(&self) -> Result<(), OpError> {
        match self.snapshots(&*self.open_to_write()?) {
            Some(directory) => snapshots::drop_all(&directory),
            None => Ok(()),
        }
    }

    fn commit(&self, revision: &str, files: bool) -> Result<CodeCommit, OpError> {
        commits::commit(&self.open()?.local(), revision, files)
    }

    fn ancestors(&self, commit: &ObjectId, most: usize) -> Result<Ancestors, OpError> {
        commits::ancestors(&self.open()?.local(), commit, most)
    }

    fn prepare(&self) -> Result<Vec<RemoteState>, OpError> {
        config::prepare(&self.open_to_write()?.local())
    }

    fn state(&self) -> Result<LogState, OpError> {
        let opened = self.open()?;
        state::state(&opened, &opened.local(), self.snapshots(&opened).as_deref())
    }

    fn exchange(&self, request: &Exchange, progress: &dyn Progress, cancel: &Cancel) -> Result<Exchanged, OpError> {
        exchange::exchange(self, request, progress, cancel)
    }

    fn install_hook(&self, script: HookScript, fallback: Option<&str>) -> Result<HookState, OpError> {
        hooks::install(&self.open_to_write()?.local(), script, fallback)
    }

    fn clean(&self) -> Result<u64, OpError> {
        let opened = self.open_to_write()?;
        state::clean(&opened.local())
    }

    fn other(&self, path: &str) -> Result<Arc<dyn PatchLog>, OpError> {
        let path = match &self.place {
            LogPlace::Own(repository) => repository.options.start.join(path),
            LogPlace::Other(_) => PathBuf::from(path),
        };
        let path = match path.canonicalize() {
            Ok(path) => path,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let message = format!("there is no directory {}", path.display());
                return Err(OpError::new(ErrorKind::NotFound, message));
            }
            Err(error) => return Err(unavailable(format!("{} cannot be read: {error}", path.display())).because(error)),
        };
        let log = Self::at(path.clone());
        match log.open() {
            Ok(_) => Ok(Arc::new(log)),
            Err(error) if error == open::none() => {
                Err(unavailable(format!("{} is not in a git repository", path.display())))
            }
            Err(error) => Err(error),
        }
    }
}
