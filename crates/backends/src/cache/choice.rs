//! Chooses the user's cache directory, or reports why there is none.
//!
//! Lore trusts the content of its cache, so the author of a repository must not be able to write it. A directory is refused if it is inside the tree that
//! is queried, inside the git work tree around it, or the target of a link in one of them.

use std::fs;
use std::path::{Path, PathBuf};

use lore_seam::{ErrorKind, OpError};

use crate::cache::{Adoption, CacheRoot, GRAPHS, RootFault, private_directory};
use crate::safe_fs::{Fault, Resolver};

const NAME_ANOTHER: &str = "--cache DIR or LORE_CACHE names another place";
const AUTHOR: &str = "name a directory outside of it: the author of a repository could write to one inside";
const NOT_LORES: &str = "name an empty directory or one that does not exist";

/// The directory of the cache, and who chose it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CacheChoice {
    directory: PathBuf,
    /// Whether the user named it.
    is_named: bool,
}

/// Why there is no cache.
#[derive(Debug)]
pub(crate) struct NoCache {
    message: String,
    hint: &'static str,
    /// Whether the user named a directory that is never used, which is an error; otherwise questions are answered without a cache.
    is_refused: bool,
}

impl NoCache {
    pub(crate) fn unusable(message: String) -> Self {
        Self {
            message,
            hint: NAME_ANOTHER,
            is_refused: false,
        }
    }

    /// The error, where nothing can be done without a cache.
    pub(crate) fn error(self) -> OpError {
        let kind = if self.is_refused {
            ErrorKind::Invalid
        } else {
            ErrorKind::Unavailable
        };
        OpError::new(kind, self.message).hint(self.hint)
    }

    /// The remark for a question that is answered without a cache; the error if the user named a directory that is never used.
    pub(crate) fn remark(self) -> Result<String, OpError> {
        if self.is_refused {
            Err(self.error())
        } else {
            Ok(format!("nothing is cached: {}; {NAME_ANOTHER}", self.message))
        }
    }
}

impl CacheChoice {
    /// The directory that the user named, or else Lore's own in the directory of the user's caches.
    pub(crate) fn of(named: Option<&Path>, user_cache: Option<&Path>) -> Option<Self> {
        match (named, user_cache) {
            (Some(named), _) => Some(Self {
                directory: named.to_owned(),
                is_named: true,
            }),
            (None, Some(user)) => Some(Self {
                directory: user.join("lore"),
                is_named: false,
            }),
            (None, None) => None,
        }
    }

    /// Opens the cache for a tree, if there is one.
    pub(crate) fn open(choice: Option<Self>, start: &Path, tree: Option<&Path>) -> Result<CacheRoot, NoCache> {
        let Some(choice) = choice else {
            return Err(NoCache::unusable(
                "no cache directory of the user is known (HOME is not set)".to_owned(),
            ));
        };
        choice.check(start, tree)?;
        choice.open_root().map_err(|fault| {
            let message = format!("{} cannot be used: {fault}", choice.directory.display());
            match fault {
                RootFault::Foreign => NoCache {
                    message,
                    hint: NOT_LORES,
                    is_refused: choice.is_named,
                },
                RootFault::Io(_) => NoCache::unusable(message),
            }
        })
    }

    fn open_root(&self) -> Result<CacheRoot, RootFault> {
        let adoption = if self.is_named {
            Adoption::Empty
        } else {
            Adoption::OnlyLores
        };
        CacheRoot::open(&self.directory, adoption)
    }

    /// The directory of the graphs of other repositories; the error if a tree's author could write to it.
    pub(crate) fn graphs(self, start: &Path, tree: Option<&Path>) -> Result<CachedDirectory, NoCache> {
        self.check(start, tree)?;
        Ok(CachedDirectory {
            directory: self.directory.join(GRAPHS),
            cache: Some(self),
        })
    }

    fn check(&self, start: &Path, tree: Option<&Path>) -> Result<(), NoCache> {
        let shown = self.directory.display();
        match tree.map_or(Ok(true), |tree| is_outside(start, &self.directory, tree)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(NoCache {
                message: format!("the cache {shown} is inside the tree that it is for"),
                hint: AUTHOR,
                is_refused: self.is_named,
            }),
            Err(error) => Err(NoCache::unusable(format!("{shown} cannot be used: {error}"))),
        }
    }
}

/// A directory for files that may be deleted at any time. It is made when something is written.
#[derive(Clone, Debug)]
pub struct CachedDirectory {
    directory: PathBuf,
    /// The cache that it is in.
    cache: Option<CacheChoice>,
}

impl From<PathBuf> for CachedDirectory {
    /// A directory that is not in the user's cache.
    fn from(directory: PathBuf) -> Self {
        Self { directory, cache: None }
    }
}

impl CachedDirectory {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.directory
    }

    /// A directory in it.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        Self {
            directory: self.directory.join(name),
            cache: self.cache.clone(),
        }
    }

    /// Makes the directory that a file is to be in, for the user alone, and the cache around it.
    pub(crate) fn make_parent(&self, file: &Path) -> std::io::Result<()> {
        if let Some(cache) = &self.cache {
            cache
                .open_root()
                .map_err(|fault| std::io::Error::other(fault.to_string()))?;
        }
        file.parent().map_or(Ok(()), private_directory)
    }
}

/// Whether a directory is outside of a tree and of the git work tree around it, and no link in them leads to it.
pub(crate) fn is_outside(start: &Path, directory: &Path, tree: &Path) -> std::io::Result<bool> {
    let resolver = Resolver::new(start, None)?.guarding(&guarded(tree))?;
    match resolver.resolve(directory) {
        Ok(place) => Ok(!place.is_guarded()),
        Err(Fault::LeadsOut(_)) => Ok(false),
        Err(Fault::NotADirectory(path)) => Err(std::io::Error::other(format!("{} is a file", path.display()))),
        Err(Fault::Io(error)) => Err(error),
    }
}

/// The tree, and the work trees that it is in: the one of its repository, and those of the repositories that this one is a submodule or
/// a linked work tree in.
fn guarded(tree: &Path) -> Vec<PathBuf> {
    let mut trees = Vec::new();
    if tree.is_dir() {
        trees.push(tree.to_owned());
    }
    for above in tree.ancestors() {
        let Ok(git) = fs::symlink_metadata(above.join(".git")) else {
            continue;
        };
        trees.push(above.to_owned());
        if git.is_dir() {
            break;
        }
    }
    trees
}
