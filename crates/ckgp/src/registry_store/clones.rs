//! `Clones`: the port that counts commits in clones on this machine, before a forge is asked (clause R4).

use crate::forge::RepositoryId;
use crate::format::Commit;
use lore_seam::{ErrorKind, OpError, Port};

/// Clones of repositories in a directory, by their names. They are read, and never fetched into or written.
pub trait Clones: Send + Sync {
    /// Whether there is such a directory, or why not.
    fn check(&self, directory: &str) -> Result<(), OpError>;

    /// How many commits `tip` has that `base` has not, by the clone of a repository in a directory. Nothing if there is none, if it says that it is of another repository, or if it does not
    /// have both commits and all of their past.
    fn commits_between(&self, directory: &str, repository: &RepositoryId, base: &Commit, tip: &Commit) -> Option<u64>;
}

/// The places in a directory where a clone of a repository is looked for, in order, each as the names that lead to it.
pub fn places(repository: &RepositoryId) -> Vec<Vec<String>> {
    let owner = || repository.owner().split('/').map(str::to_owned);
    let names = [repository.repo().to_owned(), format!("{}.git", repository.repo())];
    let with_host = names.iter().map(|name| {
        let host = [repository.host().to_owned()].into_iter();
        host.chain(owner()).chain([name.clone()]).collect()
    });
    let without = names.iter().map(|name| owner().chain([name.clone()]).collect());
    with_host.chain(without).collect()
}

/// Where there are no clones.
pub struct NoClones;

impl Clones for NoClones {
    fn check(&self, _: &str) -> Result<(), OpError> {
        Err(OpError::new(
            ErrorKind::Unavailable,
            "no directory of clones is configured",
        ))
    }

    fn commits_between(&self, _: &str, _: &RepositoryId, _: &Commit, _: &Commit) -> Option<u64> {
        None
    }
}

impl Port for dyn Clones {
    fn absent() -> &'static Self {
        &NoClones
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r4_a_clone_is_looked_for_by_host_and_then_without() {
        let shown = |id: &str| {
            let places = places(&RepositoryId::parse(id).unwrap());
            let places: Vec<String> = places.iter().map(|names| names.join("/")).collect();
            places.join(" ")
        };
        assert_eq!(
            shown("Octo/Hello"),
            "github.com/Octo/Hello github.com/Octo/Hello.git Octo/Hello Octo/Hello.git"
        );
        assert_eq!(
            shown("gitlab.com/group/sub/repo"),
            "gitlab.com/group/sub/repo gitlab.com/group/sub/repo.git group/sub/repo group/sub/repo.git"
        );
    }
}
