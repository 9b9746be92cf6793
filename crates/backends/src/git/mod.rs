//! Git, on gix: where a repository is, and a revision as a source tree read from objects without a checkout.

mod clones;
mod dirty;
mod head;
mod history;
mod local_repositories;
mod log;
mod mind;
mod objects;
mod open;
mod origin;
mod references;
mod tracked;

use std::path::{Path, PathBuf};

use gix::bstr::{BString, ByteSlice};
use gix::objs::Kind;
use gix::objs::tree::EntryKind;
use lore_ccg::layers::is_exported;
use lore_index::{Listing, ReadError, SkippedFile, SourceError, SourceFile, SourceTree};
use lore_model::{ContentHash, RepoPath, SkipReason};

use self::objects::{ObjectFault, Objects};
use crate::tree::{IN_OUTPUT, TreePatterns, is_hidden_source};

pub use clones::GitClones;
pub(crate) use dirty::uncommitted;
pub(crate) use head::GitPlace;
pub(crate) use history::{HistoryError, Past};
pub(crate) use local_repositories::LocalDirectories;
pub(crate) use mind::{GitLog, HOOK, LOCK_DIRECTORY, WRITTEN};
pub(crate) use open::around;
pub(crate) use origin::origin;
pub(crate) use tracked::{LeftOut, Tracked, tracked_among};

/// Candidates of an ambiguous revision that an error lists.
const MAX_CANDIDATES: usize = 8;

/// A revision, seen from a directory of the repository.
pub struct RevisionTree {
    repository: gix::ThreadSafeRepository,
    tree: gix::ObjectId,
    patterns: TreePatterns,
}

/// The directory of the repository around a path: its working tree, or itself if it is bare.
pub(crate) fn repository_root(start: &Path) -> Option<PathBuf> {
    let repository = around(start).ok()?;
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
        let objects = Objects::of(repository);
        let unreadable = |fault: ObjectFault| fault.error(repository, &format!("`{revision}`"));
        let tree = objects
            .peel(resolve(repository, revision)?, Kind::Tree)
            .map_err(unreadable)?
            .ok_or_else(|| SourceError::new(format!("`{revision}` is not a commit or a tree")))?;
        let Some(prefix) = prefix_of(repository, root) else {
            return Ok(tree);
        };
        objects
            .entry(tree, slashed(&prefix).as_bstr())
            .map_err(unreadable)?
            .filter(|(mode, _)| mode.is_tree())
            .map(|(_, id)| id)
            .ok_or_else(|| SourceError::new(format!("there is no directory {} at `{revision}`", prefix.display())))
    }

    /// The tree's object id.
    pub(crate) fn tree_id(&self) -> String {
        self.tree.to_string()
    }

    /// The content of one file; nothing if there is no such file.
    pub(crate) fn content(&self, path: &str) -> Result<Option<Vec<u8>>, SourceError> {
        let repository = local(&self.repository);
        let objects = Objects::of(&repository);
        let unreadable = |fault: ObjectFault| fault.error(&repository, path);
        let entry = objects
            .entry(self.tree, path.as_bytes().as_bstr())
            .map_err(unreadable)?;
        let Some((_, id)) = entry.filter(|(mode, _)| mode.is_blob_or_symlink()) else {
            return Ok(None);
        };
        objects.read(&id, Kind::Blob).map(Some).map_err(unreadable)
    }
}

/// A repository, for one thread. Ids mean the objects themselves, whatever `refs/replace` names instead.
fn local(repository: &gix::ThreadSafeRepository) -> gix::Repository {
    let mut repository = repository.to_thread_local();
    repository.objects.ignore_replacements = true;
    repository
}

/// A path as git writes it.
fn slashed(path: &Path) -> BString {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/").into()
}

/// The repository around a root, which may be a directory or a file inside it.
fn discover(root: &Path) -> Result<gix::Repository, SourceError> {
    let directory = if root.is_file() {
        root.parent().unwrap_or(root)
    } else {
        root
    };
    let refused = |why: &str| {
        SourceError::new(format!("no git repository can be read at {}: {why}", root.display()))
            .hint("--at needs a git repository; without --at, Lore reads the files as they are")
    };
    let mut repository = around(directory).map_err(|error| refused(&causes(&error)).because(error))?;
    repository.objects.ignore_replacements = true;
    // What is kept of a file's content is as long as SHA-1.
    match repository.object_hash() {
        gix::hash::Kind::Sha1 => Ok(repository),
        _ => Err(refused("its object ids are SHA-256")),
    }
}

/// The object that a revision names.
fn resolve(repository: &gix::Repository, revision: &str) -> Result<gix::ObjectId, SourceError> {
    references::check_revision(repository, revision)
        .map_err(|error| SourceError::new(format!("`{revision}` cannot be read: {error}")).because(error))?;
    match repository.rev_parse_single(revision.as_bytes().as_bstr()) {
        Ok(id) => Ok(id.detach()),
        Err(error) => {
            if let Some(hint) = candidates(&error) {
                return Err(SourceError {
                    is_ambiguous: true,
                    ..SourceError::new(ambiguous(revision)).hint(hint).because(error)
                });
            }
            // Forms such as HEAD~2 lead through commits: a commit that cannot be read is not a wrong name.
            head_commit(repository)?;
            let hint = match repository.is_shallow() {
                Ok(false) => "a branch, a tag, a commit id, or a form such as HEAD~2".to_owned(),
                _ => objects::hint_for_missing(repository, None),
            };
            Err(SourceError::new(format!("unknown git revision: `{revision}`"))
                .hint(hint)
                .because(error))
        }
    }
}

/// The message for a short id that several objects have.
fn ambiguous(revision: &str) -> String {
    format!("ambiguous git revision: `{revision}`")
}

/// The objects that an ambiguous revision can mean, as a hint; `None` if the error has another reason.
fn candidates(error: &gix::Error) -> Option<String> {
    use gix::revision::spec::parse::Error;
    match error.downcast_any_ref::<Error>() {
        Some(Error::AmbiguousPrefix { candidates, .. } | Error::AmbiguousRefAndObject { candidates, .. }) => {
            let shown = candidates.iter().take(MAX_CANDIDATES);
            let shown: Vec<String> = shown.map(|(id, info)| format!("{id} ({info})")).collect();
            let more = candidates.len().saturating_sub(MAX_CANDIDATES);
            let more = if more == 0 {
                String::new()
            } else {
                format!(", and {more} more")
            };
            Some(format!("it can be {}{more}", shown.join(", ")))
        }
        _ => None,
    }
}

/// The commit that a revision names; nothing if it names a tree or a file.
fn commit_of(repository: &gix::Repository, revision: &str) -> Result<Option<gix::ObjectId>, SourceError> {
    let id = resolve(repository, revision)?;
    let peeled = Objects::of(repository).peel(id, Kind::Commit);
    peeled.map_err(|fault| fault.error(repository, &format!("`{revision}`")))
}

/// The commit that is checked out; nothing before the first one.
fn head_commit(repository: &gix::Repository) -> Result<Option<gix::ObjectId>, SourceError> {
    let unreadable =
        |error: gix::Error| SourceError::new(format!("HEAD cannot be read: {}", causes(&error))).because(error);
    let head = repository.head().map_err(unreadable)?;
    let Some(id) = head.id() else {
        return Ok(None);
    };
    let peeled = Objects::of(repository).peel(id.detach(), Kind::Commit);
    peeled.map_err(|fault| fault.error(repository, "the commit of HEAD"))
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

/// The path of a root inside the working tree.
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
        let repository = local(&self.repository);
        let entries = Objects::of(&repository)
            .files(self.tree)
            .map_err(|fault| fault.error(&repository, "the list of files"))?;
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
                if !is_exported(path.as_str()) && is_hidden_source(&self.patterns, &path) {
                    skip(path.as_str(), SkipReason::Excluded, IN_OUTPUT);
                }
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
            let mut hash = entry.oid.as_bytes().try_into().ok().map(ContentHash);
            let mut size = 0;
            if self.patterns.content_matters(&path) {
                match repository.find_header(entry.oid) {
                    Ok(header) => size = header.size(),
                    // What is known of the content is not taken for it: the file is read, which says what is wrong with it.
                    Err(_) => hash = None,
                }
            }
            listing.files.push(SourceFile { path, size, hash });
        }
        listing.files.sort_unstable_by(|left, right| left.path.cmp(&right.path));
        listing.skipped.sort_unstable();
        Ok(listing)
    }

    /// A file of a revision is never left out because it cannot be read: the revision would seem to lack what it has.
    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, ReadError> {
        let Some(hash) = file.hash else {
            let content = self.content(file.path.as_str()).map_err(ReadError::Tree)?;
            return content.ok_or_else(|| ReadError::File("there is no such file".to_owned()));
        };
        let repository = local(&self.repository);
        let id = gix::ObjectId::from_bytes_or_panic(&hash.0);
        Objects::of(&repository)
            .read(&id, Kind::Blob)
            .map_err(|fault| ReadError::Tree(fault.error(&repository, file.path.as_str())))
    }
}
