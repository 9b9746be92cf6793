//! Which files of a working tree git tracks: those of its index. What is in no index was never meant for others.

use std::collections::HashSet;
use std::path::Path;

use gix::bstr::{BString, ByteSlice};
use lore_index::SourceError;

use super::{around, causes, fault, prefix_of, slashed};

/// How deeply submodules are followed into one another.
const MAX_DEPTH: usize = 16;

/// The tracked files below a root.
pub(crate) struct Tracked {
    paths: HashSet<String>,
}

impl Tracked {
    /// The files that git tracks below a root, the files of its submodules included; nothing where git is not used, and everything
    /// counts.
    pub(crate) fn below(root: &Path) -> Result<Option<Self>, SourceError> {
        let directory = match root.is_file() {
            true => root.parent().unwrap_or(root),
            false => root,
        };
        let repository = match around(directory) {
            Ok(repository) => repository,
            // A repository that cannot be read is not a directory without git: what is not tracked there is not known.
            Err(error) if directory.ancestors().any(|above| above.join(".git").exists()) => {
                let why = causes(&error);
                return Err(SourceError {
                    message: format!("it cannot be told which files git tracks: {why}"),
                    hint: Some("--untracked exports all files".to_owned()),
                });
            }
            Err(_) => return Ok(None),
        };
        if repository.workdir().is_none() {
            return Ok(None);
        }
        let prefix = prefix_of(&repository, root).map(|prefix| slashed(&prefix));
        let mut paths = HashSet::new();
        gather(&repository, &BString::default(), prefix.as_ref(), &mut paths, 0)?;
        Ok(Some(Self { paths }))
    }

    /// Whether git tracks a path, which is one from the root.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }
}

/// Gathers the paths of an index, each below `within`; of those only what is below `prefix`, and without it.
fn gather(
    repository: &gix::Repository,
    within: &BString,
    prefix: Option<&BString>,
    paths: &mut HashSet<String>,
    depth: usize,
) -> Result<(), SourceError> {
    let index = repository
        .index_or_empty()
        .map_err(|error| fault(format!("git's index cannot be read: {}", causes(&error))))?;
    for entry in index.entries() {
        let mut path = within.clone();
        path.extend_from_slice(entry.path(&index));
        if entry.mode.is_submodule() {
            // A submodule that is not checked out has no files.
            if depth < MAX_DEPTH
                && let Some(directory) = repository.workdir_path(entry.path(&index))
                && directory.join(".git").exists()
                && let Ok(submodule) = super::around(&directory)
            {
                path.push(b'/');
                gather(&submodule, &path, prefix, paths, depth + 1)?;
            }
            continue;
        }
        let below = match prefix {
            None => Some(path.as_bstr()),
            // The root may be the file itself.
            Some(prefix) if path == *prefix => path
                .rsplit_once_str("/")
                .map_or(Some(path.as_bstr()), |(_, name)| Some(name.as_bstr())),
            Some(prefix) => path
                .strip_prefix(prefix.as_bytes())
                .and_then(|rest| rest.strip_prefix(b"/"))
                .map(|rest| rest.as_bstr()),
        };
        paths.extend(below.and_then(|below| below.to_str().ok()).map(str::to_owned));
    }
    Ok(())
}
