//! Where a tree comes from: the remote, the commit, and whether the files are that commit's (clause I2).

use std::path::Path;

use lore_index::SourceError;
use lore_seam::Origin;

use super::objects::Objects;
use super::{commit_of, dirty, discover, head_commit, prefix_of};

/// Where the tree of a root comes from, at a revision or as its files are.
///
/// A revision is never dirty: its files are those of its commit. Nor is a tree before its first commit, which differs from nothing.
/// `untracked` says whether files that git does not track count.
pub(crate) fn origin(root: &Path, revision: Option<&str>, untracked: bool) -> Result<Origin, SourceError> {
    let directory = root
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let repository = match (discover(root), revision) {
        (Ok(repository), _) => repository,
        (Err(error), Some(_)) => return Err(error),
        (Err(_), None) => {
            return Ok(Origin {
                directory,
                ..Origin::default()
            });
        }
    };
    let commit = match revision {
        Some(revision) => commit_of(&repository, revision)?,
        None => head_commit(&repository)?,
    };
    let prefix = prefix_of(&repository, root);
    let dirty = match (revision, commit) {
        (None, Some(_)) => dirty::is_dirty(&repository, prefix.as_deref(), untracked)?,
        _ => false,
    };
    let committed = match commit {
        Some(commit) => committed(&repository, commit)?,
        None => None,
    };
    Ok(Origin {
        remote: remote(&repository),
        default_branch: default_branch(&repository),
        directory,
        within: prefix.map(|prefix| {
            let parts = prefix.components().map(|part| part.as_os_str().to_string_lossy());
            parts.collect::<Vec<_>>().join("/")
        }),
        committed,
        commit: commit.map(|commit| commit.to_string()),
        dirty,
    })
}

/// When a commit was made, if it says so.
fn committed(repository: &gix::Repository, commit: gix::ObjectId) -> Result<Option<i64>, SourceError> {
    let content = Objects::of(repository)
        .read(&commit, gix::objs::Kind::Commit)
        .map_err(|fault| fault.error(repository, "the commit of HEAD"))?;
    let committer = gix::objs::CommitRefIter::from_bytes(&content, commit.kind()).committer();
    Ok(committer
        .ok()
        .and_then(|committer| Some(committer.time().ok()?.seconds)))
}

/// The first URL of the remote `origin`, as it is configured: `url.*.insteadOf` rewrites what is fetched, not what it is called.
pub(super) fn remote(repository: &gix::Repository) -> Option<String> {
    let urls = repository.config_snapshot().plumbing().strings("remote.origin.url")?;
    // An empty value forgets those before it.
    let first = urls.rsplit(|url| url.is_empty()).next()?.first()?;
    Some(first.to_string())
}

/// The branch that the remote shows first: as the clone noted it, else the one that is checked out if it has one of the usual names.
fn default_branch(repository: &gix::Repository) -> Option<String> {
    let noted = || {
        super::references::check_revision(repository, "refs/remotes/origin/HEAD").ok()?;
        let reference = repository.try_find_reference("refs/remotes/origin/HEAD").ok()??;
        let target = reference.target().try_name()?.as_bstr().to_string();
        target.strip_prefix("refs/remotes/origin/").map(str::to_owned)
    };
    let checked_out = || {
        let name = repository.head_name().ok()??.shorten().to_string();
        matches!(name.as_str(), "main" | "master").then_some(name)
    };
    noted().or_else(checked_out)
}
