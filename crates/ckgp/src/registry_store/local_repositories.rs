//! `LocalRepositories`: the port that reads repositories in directories of this machine, for trying out a registry without a forge.

use crate::format::Commit;
use crate::head::Tip;
use lore_seam::{ErrorKind, OpError, Port};

/// Repositories that an operator registered by their directory. They are read, and never written.
pub trait LocalRepositories: Send + Sync {
    /// The absolute path, without links, of a directory that the caller names by a path or a `file:` address.
    fn resolve(&self, named: &str) -> Result<String, OpError>;

    /// The bytes of a file of a repository, by its path from the root; `None` if it does not exist. No link leads out of the repository.
    fn read(&self, directory: &str, path: &str, most: u64) -> Result<Option<Vec<u8>>, LocalFault>;

    /// The commit that is checked out; `None` if the directory is not a git repository or has no commit.
    fn tip(&self, directory: &str) -> Option<Tip>;

    /// How many commits `tip` has that `base` has not; `None` if that cannot be known.
    fn commits_between(&self, directory: &str, base: &Commit, tip: &Commit) -> Option<u64>;
}

/// Why a file was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocalFault {
    /// It is larger than it may be.
    TooLarge,
    /// It is not read; a name for programs and the reason.
    Refused(&'static str, String),
    /// The directory or the file cannot be read now.
    Unreadable(String),
}

/// Whether a text names a directory and not a repository of a forge: `./x`, `../x`, `/x`, `.`, `..` or `file:///x`.
pub fn is_directory_name(text: &str) -> bool {
    let text = text.trim();
    matches!(text, "." | "..")
        || ["./", "../", "/"].iter().any(|start| text.starts_with(start))
        || text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
}

/// Where no directory can be read.
pub struct NoLocalRepositories;

impl LocalRepositories for NoLocalRepositories {
    fn resolve(&self, named: &str) -> Result<String, OpError> {
        let message = format!("{named}: directories cannot be registered here");
        Err(OpError::new(ErrorKind::Unavailable, message))
    }

    fn read(&self, _: &str, _: &str, _: u64) -> Result<Option<Vec<u8>>, LocalFault> {
        Err(LocalFault::Unreadable("directories cannot be read here".to_owned()))
    }

    fn tip(&self, _: &str) -> Option<Tip> {
        None
    }

    fn commits_between(&self, _: &str, _: &Commit, _: &Commit) -> Option<u64> {
        None
    }
}

impl Port for dyn LocalRepositories {
    fn absent() -> &'static Self {
        &NoLocalRepositories
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_told_from_repositories_of_forges() {
        for text in [".", "./x", "../x", "/srv/x", "file:///srv/x", "FILE:/x"] {
            assert!(is_directory_name(text), "{text}");
        }
        for text in [
            "octo/hello",
            "gitlab.com/a/b",
            "https://github.com/a/b",
            "git@github.com:a/b",
            "",
            ".x/y",
        ] {
            assert!(!is_directory_name(text), "{text}");
        }
    }
}
