//! Git, on gix: where a repository is, and a revision as a source tree read from objects without a checkout.

mod clones;
mod dirty;
mod head;
mod history;
mod log;
mod mind;
mod origin;

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::objs::tree::EntryKind;
use lore_index::{Listing, SkippedFile, SourceError, SourceFile, SourceTree};
use lore_model::{ContentHash, RepoPath, SkipReason};
use lore_specs::ccg::layers::is_exported;

use crate::directory::TreePatterns;

pub use clones::GitClones;
pub(crate) use dirty::uncommitted;
pub(crate) use head::GitPlace;
pub(crate) use history::{HistoryError, Past};
pub(crate) use mind::GitLog;
pub(crate) use origin::origin;

/// A revision, seen from a directory of the repository.
pub struct RevisionTree {
    repository: gix::ThreadSafeRepository,
    tree: gix::ObjectId,
    patterns: TreePatterns,
}

fn fault(message: String) -> SourceError {
    SourceError { message, hint: None }
}

/// The directory of the repository around a path: its working tree, or itself if it is bare.
pub(crate) fn repository_root(start: &Path) -> Option<PathBuf> {
    let repository = gix::discover(start).ok()?;
    let root = repository.workdir().unwrap_or_else(|| repository.git_dir());
    root.canonicalize().ok()
}

/// Whether a directory is a bare repository.
pub(crate) fn is_bare(directory: &Path) -> bool {
    !directory.join(".git").exists()
        && directory.join("HEAD").is_file()
        && directory.join("objects").is_dir()
        && directory.join("refs").is_dir()
}

impl RevisionTree {
    /// Resolves a revision. The tree is that of `root`, which may be a directory inside the repository.
    pub fn open(root: &Path, revision: &str, patterns: TreePatterns) -> Result<Self, SourceError> {
        let repository = discover(root)?;
        let tree = Self::tree_of(&repository, root, revision)?;
        Ok(Self {
            repository: repository.into_sync(),
            tree,
            patterns,
        })
    }

    fn tree_of(repository: &gix::Repository, root: &Path, revision: &str) -> Result<gix::ObjectId, SourceError> {
        let tree = resolve(repository, revision)?
            .peel_to_tree()
            .map_err(|error| fault(format!("`{revision}` is not a commit or a tree: {error}")))?;
        match prefix_of(repository, root) {
            None => Ok(tree.id),
            Some(prefix) => tree
                .lookup_entry_by_path(&prefix)
                .map_err(|error| fault(format!("`{revision}` cannot be read: {error}")))?
                .filter(|entry| entry.mode().is_tree())
                .map(|entry| entry.object_id())
                .ok_or_else(|| fault(format!("there is no directory {} at `{revision}`", prefix.display()))),
        }
    }

    /// The tree's object id.
    pub(crate) fn tree_id(&self) -> String {
        self.tree.to_string()
    }

    /// The content of one file.
    pub(crate) fn content(&self, path: &str) -> Result<Vec<u8>, String> {
        let repository = self.repository.to_thread_local();
        let tree = repository.find_tree(self.tree).map_err(|error| error.to_string())?;
        let entry = tree
            .lookup_entry_by_path(path)
            .map_err(|error| error.to_string())?
            .ok_or("there is no such file")?;
        let object = entry.object().map_err(|error| error.to_string())?;
        Ok(object.detach().data)
    }
}

/// The repository around a root, which may be a directory or a file inside it.
fn discover(root: &Path) -> Result<gix::Repository, SourceError> {
    let directory = match root.is_file() {
        true => root.parent().unwrap_or(root),
        false => root,
    };
    let refused = |why: String| SourceError {
        message: format!("{} is not in a git repository that can be read: {why}", root.display()),
        hint: Some(
            "a revision can only be asked of a git repository; leave out --at to ask the files as they are".to_owned(),
        ),
    };
    let repository = gix::discover(directory).map_err(|error| refused(causes(&error)))?;
    // What is kept of a file's content is as long as SHA-1.
    match repository.object_hash() {
        gix::hash::Kind::Sha1 => Ok(repository),
        _ => Err(refused("its objects are named by SHA-256".to_owned())),
    }
}

/// What a revision names.
fn resolve<'r>(repository: &'r gix::Repository, revision: &str) -> Result<gix::Object<'r>, SourceError> {
    repository
        .rev_parse_single(revision.as_bytes().as_bstr())
        .map_err(|_| SourceError {
            message: format!("git knows no revision `{revision}`"),
            hint: Some("a branch, a tag, a commit id, or a form such as HEAD~2".to_owned()),
        })?
        .object()
        .map_err(|error| fault(format!("`{revision}` cannot be read: {error}")))
}

/// An error with everything that led to it.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// The directory inside the working tree that a root stands for.
fn prefix_of(repository: &gix::Repository, root: &Path) -> Option<PathBuf> {
    let workdir = repository.workdir()?.canonicalize().ok()?;
    let root = root.canonicalize().ok()?;
    let prefix = root.strip_prefix(&workdir).ok()?;
    (!prefix.as_os_str().is_empty()).then(|| prefix.to_owned())
}

/// What is never source, as in a working tree: some directories, and what Lore exported.
fn is_never_source(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.any(|part| matches!(part, ".git" | ".lore" | ".well-known")) || is_exported(path)
}

impl SourceTree for RevisionTree {
    fn list(&self) -> Result<Listing, SourceError> {
        let repository = self.repository.to_thread_local();
        let tree = repository
            .find_tree(self.tree)
            .map_err(|error| fault(format!("the tree cannot be read: {error}")))?;
        let entries = tree
            .traverse()
            .breadthfirst
            .files()
            .map_err(|error| fault(format!("the tree cannot be listed: {error}")))?;
        let mut listing = Listing::default();
        let mut skip = |path: &str, reason: SkipReason, detail: &str| {
            listing.skipped.push(SkippedFile {
                path: path.to_owned(),
                reason,
                detail: detail.to_owned(),
            });
        };
        for entry in entries {
            let Some(path) = entry.filepath.to_str().ok().and_then(|text| RepoPath::new(text).ok()) else {
                skip(&entry.filepath.to_str_lossy(), SkipReason::BadName, "");
                continue;
            };
            if is_never_source(path.as_str()) {
                continue;
            }
            if !self.patterns.wants(path.as_str()) {
                skip(path.as_str(), SkipReason::Excluded, "");
                continue;
            }
            match entry.mode.kind() {
                EntryKind::Blob | EntryKind::BlobExecutable => {}
                EntryKind::Link => {
                    skip(path.as_str(), SkipReason::NotAFile, "symbolic link");
                    continue;
                }
                EntryKind::Commit => {
                    skip(path.as_str(), SkipReason::NotAFile, "submodule");
                    continue;
                }
                EntryKind::Tree => continue,
            }
            let size = match self.patterns.content_matters(&path) {
                true => repository.find_header(entry.oid).map_or(0, |header| header.size()),
                false => 0,
            };
            let hash = entry.oid.as_bytes().try_into().ok().map(ContentHash);
            listing.files.push(SourceFile { path, size, hash });
        }
        listing.files.sort_unstable_by(|left, right| left.path.cmp(&right.path));
        listing.skipped.sort_unstable();
        Ok(listing)
    }

    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, String> {
        let Some(hash) = file.hash else {
            return Err("the object has no name".to_owned());
        };
        let repository = self.repository.to_thread_local();
        let id = gix::ObjectId::from_bytes_or_panic(&hash.0);
        repository
            .find_object(id)
            .map(|object| object.detach().data)
            .map_err(|error| error.to_string())
    }
}
