//! Where a tree comes from: the remote, the commit, and whether the files are that commit's (clause I2).

use std::path::Path;

use lore_index::SourceError;
use lore_specs::seam::Origin;

use super::{dirty, discover, prefix_of, resolve};

/// Where the tree of a root comes from, at a revision or as its files are.
///
/// A revision is never dirty: its files are those of its commit. Nor is a tree before its first commit, which differs from nothing.
pub(crate) fn origin(root: &Path, revision: Option<&str>) -> Result<Origin, SourceError> {
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
        Some(revision) => resolve(&repository, revision)?.peel_to_commit().ok(),
        None => repository.head_commit().ok(),
    };
    let prefix = prefix_of(&repository, root);
    let dirty = revision.is_none() && commit.is_some() && dirty::is_dirty(&repository, prefix.as_deref());
    Ok(Origin {
        remote: remote(&repository),
        default_branch: default_branch(&repository),
        directory,
        within: prefix.map(|prefix| {
            let parts = prefix.components().map(|part| part.as_os_str().to_string_lossy());
            parts.collect::<Vec<_>>().join("/")
        }),
        committed: commit.as_ref().and_then(|commit| Some(commit.time().ok()?.seconds)),
        commit: commit.map(|commit| commit.id.to_string()),
        dirty,
    })
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
