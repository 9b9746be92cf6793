//! The code's own history, as far as the graph asks for it: one commit, and what came before it (clause C27).

use gix::bstr::ByteSlice;
use gix::diff::Options;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;
use lore_mind::patch_log::{Ancestors, CodeCommit};
use lore_seam::{ErrorKind, ObjectId, OpError};

use super::refs::{git_id, id_of};
use super::{because, unavailable};
use crate::git::references::check_revision;
use crate::git::{ambiguous, candidates};

/// A commit of the code by any name that git knows.
pub(super) fn commit(repository: &gix::Repository, revision: &str, files: bool) -> Result<CodeCommit, OpError> {
    if revision.is_empty() || revision.starts_with('-') {
        return Err(OpError::new(ErrorKind::Invalid, format!("invalid git revision: `{revision}`")).hint(FORMS));
    }
    let unknown = || OpError::new(ErrorKind::NotFound, format!("unknown git revision: `{revision}`")).hint(FORMS);
    check_revision(repository, revision)
        .map_err(|error| unavailable(format!("`{revision}` cannot be read: {error}")).because(error))?;
    let id = repository
        .rev_parse_single(revision.as_bytes().as_bstr())
        .map_err(|error| match candidates(&error) {
            Some(hint) => OpError::new(ErrorKind::Ambiguous, ambiguous(revision))
                .hint(hint)
                .because(error),
            None => unknown().because(error),
        })?;
    let object = id.object().map_err(|error| unknown().because(error))?;
    let commit = object.peel_to_commit().map_err(|error| {
        let message = format!("`{revision}` is not a commit");
        OpError::new(ErrorKind::NotFound, message).hint(FORMS).because(error)
    })?;
    let unreadable = |error: gix::Error| because(&format!("the commit {} cannot be read", commit.id), error);
    let time = commit.time().map_err(unreadable)?.seconds;
    let message = commit.message_raw().map_err(unreadable)?.to_str_lossy().into_owned();
    Ok(CodeCommit {
        id: id_of(&commit.id).ok_or_else(unknown)?,
        message,
        time,
        files: if files {
            changed(repository, &commit)?
        } else {
            Vec::new()
        },
    })
}

const FORMS: &str = "a branch, a tag, a commit id, or a form such as HEAD~2";

/// The files that a commit changed against its first parent; all of its files if it has none. At the edge of a shallow clone nobody knows.
fn changed(repository: &gix::Repository, commit: &gix::Commit<'_>) -> Result<Vec<String>, OpError> {
    let unreadable =
        |error: gix::Error| because(&format!("the files of the commit {} cannot be read", commit.id), error);
    let tree = commit.tree().map_err(unreadable)?;
    let parent = match commit.parent_ids().next() {
        None => None,
        Some(parent) => match repository.find_commit(parent) {
            Ok(parent) => Some(parent.tree().map_err(unreadable)?),
            // A shallow clone has the commit and not its parent.
            Err(_) if is_edge(repository, commit.id) => return Ok(Vec::new()),
            Err(error) => return Err(unreadable(error)),
        },
    };
    let changes = repository
        .diff_tree_to_tree(parent.as_ref(), Some(&tree), Options::default().with_rewrites(None))
        .map_err(unreadable)?;
    let changes = changes.iter().filter(|change| !change.entry_mode().is_tree());
    let mut files: Vec<String> = changes
        .map(|change| change.location().to_str_lossy().into_owned())
        .collect();
    files.sort_unstable();
    files.dedup();
    Ok(files)
}

/// Whether a shallow clone ends at a commit.
fn is_edge(repository: &gix::Repository, commit: gix::ObjectId) -> bool {
    let edge = repository.shallow_commits().ok().flatten();
    edge.is_some_and(|edge| edge.iter().any(|id| *id == commit))
}

/// The ancestors of a commit, itself first, newest first.
pub(super) fn ancestors(repository: &gix::Repository, commit: &ObjectId, most: usize) -> Result<Ancestors, OpError> {
    let unknown = || OpError::new(ErrorKind::NotFound, format!("git knows no commit {commit}"));
    let start = git_id(repository, commit).ok_or_else(unknown)?;
    let edge = repository
        .shallow_commits()
        .map_err(|error| because("the boundary of the shallow clone cannot be read", error))?;
    let walk = repository
        .rev_walk([start])
        .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
        .all()
        .map_err(|_| unknown())?;
    let mut found = Ancestors::default();
    for step in walk {
        if found.ids.len() >= most {
            found.cut = true;
            break;
        }
        // Parents that are not there end the walk, as the edge of a shallow clone does.
        let Ok(step) = step else {
            found.cut = true;
            break;
        };
        found.cut |= edge.as_ref().is_some_and(|edge| edge.iter().any(|id| *id == step.id));
        found.ids.extend(id_of(&step.id));
    }
    if found.ids.is_empty() && most > 0 {
        Err(unknown())
    } else {
        Ok(found)
    }
}
