//! Which files of a working tree git tracks: those of its index. What is in no index was never meant for others.

use std::collections::HashSet;
use std::path::Path;

use gix::bstr::{BString, ByteSlice};
use lore_index::SourceError;

use super::open::{around_with, is_around};
use super::{around, causes, prefix_of, slashed};

/// How deeply submodules are followed into one another.
const MAX_DEPTH: usize = 16;

/// The checksum of an index is not computed where every question reads the index: that takes longer than reading it.
const UNHASHED: [&str; 1] = ["index.skipHash=true"];

/// The tracked files below a root.
pub(crate) struct Tracked {
    paths: HashSet<String>,
}

impl Tracked {
    /// The files that git tracks below a root, the files of its submodules included; nothing where git is not used, and everything
    /// counts.
    pub(crate) fn below(root: &Path) -> Result<Option<Self>, SourceError> {
        let directory = if root.is_file() {
            root.parent().unwrap_or(root)
        } else {
            root
        };
        let repository = match around(directory) {
            Ok(repository) => repository,
            // A repository that cannot be read is not a directory without git: what is not tracked there is not known.
            Err(error) if directory.ancestors().any(|above| above.join(".git").exists()) => {
                let message = format!("cannot list the files that git tracks: {}", causes(&error));
                return Err(SourceError::new(message)
                    .hint("--untracked exports all files")
                    .because(error));
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

/// A file or directory that rules leave out, by its path from a root.
pub(crate) struct LeftOut {
    pub(crate) path: String,
    pub(crate) is_directory: bool,
}

fn unreadable_index(error: impl std::error::Error + Send + Sync + 'static) -> SourceError {
    SourceError::new(format!("git's index cannot be read: {}", causes(&error))).because(error)
}

/// The files that git tracks among those that rules left out below a root, those of submodules included: each by its path from the root, with the number of
/// what it was left out with.
pub(crate) fn tracked_among(root: &Path, left_out: &[LeftOut]) -> Result<Vec<(String, usize)>, SourceError> {
    // A directory that git itself does not take for a repository has no index.
    if !is_around(root) {
        return Ok(Vec::new());
    }
    let repository = around_with(root, &UNHASHED).map_err(|error| {
        let message = format!("cannot list the ignored files that git tracks: {}", causes(&error));
        SourceError::new(message).because(error)
    })?;
    if repository.workdir().is_none() {
        return Ok(Vec::new());
    }
    let prefix = prefix_of(&repository, root).map(|prefix| slashed(&prefix));
    let within = |path: &str| match &prefix {
        Some(prefix) => BString::from([prefix.as_bytes(), b"/", path.as_bytes()].concat()),
        None => path.into(),
    };
    let asked: Vec<Asked> = (0..)
        .zip(left_out)
        .map(|(number, left_out)| Asked {
            path: within(&left_out.path),
            is_directory: left_out.is_directory,
            number,
        })
        .collect();
    let mut found = Vec::new();
    search(&repository, &BString::default(), asked, &mut found, 0)?;
    let skipped = prefix.map_or(0, |prefix| prefix.len() + 1);
    let text = |path: BString| Some(path.get(skipped..)?.to_str().ok()?.to_owned());
    let found = found.into_iter();
    Ok(found.filter_map(|(path, number)| Some((text(path)?, number))).collect())
}

/// A path that an index is asked for, from the working tree of its repository.
struct Asked {
    path: BString,
    is_directory: bool,
    number: usize,
}

/// Looks paths up in an index, and in those of submodules. What is found is a path below `within`.
fn search(
    repository: &gix::Repository,
    within: &BString,
    asked: Vec<Asked>,
    found: &mut Vec<(BString, usize)>,
    depth: usize,
) -> Result<(), SourceError> {
    let index = repository.index_or_empty().map_err(unreadable_index)?;
    let submodules = index.entries().iter().filter(|entry| entry.mode.is_submodule());
    let submodules: Vec<BString> = submodules.map(|entry| entry.path(&index).to_owned()).collect();
    let mut of_submodules: Vec<Vec<Asked>> = submodules.iter().map(|_| Vec::new()).collect();
    for Asked {
        path,
        is_directory,
        number,
    } in asked
    {
        // The empty path is the whole working tree.
        let below = if path.is_empty() {
            BString::default()
        } else {
            BString::from([path.as_bytes(), b"/"].concat())
        };
        let entries = if is_directory {
            index.prefixed_entries(below.as_bstr()).unwrap_or_default()
        } else {
            index
                .entry_by_path(path.as_bstr())
                .map_or(&[][..], std::slice::from_ref)
        };
        let files = entries.iter().filter(|entry| !entry.mode.is_submodule());
        found.extend(files.map(|entry| {
            let path = [within.as_bytes(), entry.path(&index).as_bytes()].concat();
            (BString::from(path), number)
        }));
        for (submodule, asked) in submodules.iter().zip(&mut of_submodules) {
            let inside = path.strip_prefix(submodule.as_bytes());
            // Something in the submodule, or the submodule itself, or a directory that holds it.
            let path = match inside.and_then(|inside| inside.strip_prefix(b"/")) {
                Some(inside) => inside.into(),
                None if path == *submodule || submodule.starts_with(&below) => BString::default(),
                None => continue,
            };
            asked.push(Asked {
                path,
                is_directory,
                number,
            });
        }
    }
    for (submodule, asked) in submodules.iter().zip(of_submodules) {
        // A submodule that is not checked out has no files.
        if !asked.is_empty()
            && depth < MAX_DEPTH
            && let Some(directory) = repository.workdir_path(submodule)
            && directory.join(".git").exists()
            && let Ok(repository) = around_with(&directory, &UNHASHED)
        {
            let within = BString::from([within.as_bytes(), submodule.as_bytes(), b"/"].concat());
            search(&repository, &within, asked, found, depth + 1)?;
        }
    }
    Ok(())
}

/// Gathers the paths of an index, each below `within`; of those only what is below `prefix`, and without it.
fn gather(
    repository: &gix::Repository,
    within: &BString,
    prefix: Option<&BString>,
    paths: &mut HashSet<String>,
    depth: usize,
) -> Result<(), SourceError> {
    let index = repository.index_or_empty().map_err(unreadable_index)?;
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
