//! Opening the repository: which ones are read, and which of those are written to (clause C30).

use lore_mind::patch_log::{NoPatchLog, PatchLog};
use std::fs;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use lore_seam::{ErrorKind, OpError};

use super::refs::mirrored_by;
use super::{because, unavailable};
use crate::cache::Stamp;
use crate::git::open::around_with;

/// What holds for every repository that is opened here. References wait two seconds for whoever holds their lock; no object may be larger than anything
/// that is read here; and an id names what was written under it, whatever somebody would have it replaced by.
const SETTINGS: [&str; 3] = [
    "core.filesRefLockTimeout=2000",
    "gitoxide.objects.allocLimit=33554432",
    "core.useReplaceRefs=false",
];

/// The most bytes that are read of one object: the limit among [`SETTINGS`].
pub(super) const OBJECT_BYTES: u64 = 32 << 20;

/// A repository that was opened.
pub(super) struct Opened {
    repository: gix::ThreadSafeRepository,
    common: PathBuf,
    /// How its configuration looked.
    config: Option<Stamp>,
}

/// The error if there is no repository.
pub(super) fn none() -> OpError {
    match NoPatchLog::default().tips() {
        Err(error) => error,
        Ok(_) => unavailable("there is no repository"),
    }
}

impl Opened {
    /// Opens the repository around a path.
    pub(super) fn around(path: &Path) -> Result<Self, OpError> {
        let directory = if path.is_file() {
            path.parent().unwrap_or(path)
        } else {
            path
        };
        let discovered = || around_with(directory, &SETTINGS);
        let told = |error: gix::Error| {
            use gix::discover::upwards::Error;
            match error.downcast_any_ref::<Error>() {
                Some(
                    Error::NoGitRepository { .. }
                    | Error::NoGitRepositoryWithinCeiling { .. }
                    | Error::NoGitRepositoryWithinFs { .. },
                ) => none(),
                _ => because(
                    &format!("the repository around {} cannot be read", directory.display()),
                    error,
                ),
            }
        };
        let repository = discovered().map_err(told)?;
        let common = repository.common_dir();
        let common = common.canonicalize().unwrap_or_else(|_| common.to_owned());
        // Whoever changes the configuration while it is read is noticed the next time: what was read is never older than the stamp.
        let config = config_stamp(&common);
        let repository = discovered().map_err(told)?;
        let storage = repository.config_snapshot().string("extensions.refStorage");
        if storage.is_some_and(|storage| storage == "reftable") {
            return Err(
                unavailable("the repository keeps its references in reftable, which Lore cannot read yet")
                    .hint("`git refs migrate --ref-format=files` moves them to files"),
            );
        }
        Ok(Self {
            config,
            repository: repository.into_sync(),
            common,
        })
    }

    /// Whether its configuration is what it was.
    pub(super) fn is_current(&self) -> bool {
        config_stamp(&self.common) == self.config
    }

    /// The repository, for one thread.
    pub(super) fn local(&self) -> gix::Repository {
        self.repository.to_thread_local()
    }

    /// The git directory that all working trees share, without links.
    pub(super) fn common(&self) -> &Path {
        &self.common
    }

    /// Whether it belongs to the user, or git's `safe.directory` lists it.
    pub(super) fn is_trusted(&self) -> bool {
        self.local().git_dir_trust() == gix::sec::Trust::Full
    }

    /// Why nothing is written to it, if so.
    pub(super) fn read_only(&self, repository: &gix::Repository) -> Option<OpError> {
        if repository.git_dir_trust() != gix::sec::Trust::Full {
            let directory = repository.workdir().unwrap_or_else(|| repository.git_dir());
            let message = format!(
                "{} belongs to another user: nothing is written to it",
                directory.display()
            );
            let hint = format!("git config --global --add safe.directory {}", directory.display());
            return Some(OpError::new(ErrorKind::Unavailable, message).hint(hint));
        }
        let remote = mirrored_by(repository)?;
        let message = format!(
            "the repository mirrors the remote `{remote}`: its next fetch would take away what is written here"
        );
        Some(unavailable(message).hint("write to an ordinary clone"))
    }
}

fn config_stamp(common: &Path) -> Option<Stamp> {
    Some(Stamp::of(&fs::metadata(common.join("config")).ok()?))
}

/// The text of a value of the configuration.
pub(super) fn setting(repository: &gix::Repository, key: &str) -> Option<String> {
    let value = repository.config_snapshot().string(key)?;
    Some(value.to_str().ok()?.to_owned())
}
