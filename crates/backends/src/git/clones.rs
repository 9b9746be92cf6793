//! Clones of other repositories in a directory, for counting commits (clause R4).

use std::path::{Component, Path, PathBuf};

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::Commit;
use lore_ckgp::registry_store::clones::{Clones, places};
use lore_seam::{ErrorKind, OpError};

use super::head::commits_between;
use super::origin::remote;

/// Clones as git has them, with a working tree or without. They are only read.
#[derive(Clone, Copy, Debug, Default)]
pub struct GitClones;

impl Clones for GitClones {
    fn check(&self, directory: &str) -> Result<(), OpError> {
        if Path::new(directory).is_dir() {
            Ok(())
        } else {
            let message = format!("{directory}: no such directory");
            Err(OpError::new(ErrorKind::Unavailable, message)
                .hint("name another one with --clones, or in your own configuration: `clones` of [registry]"))
        }
    }

    fn commits_between(&self, directory: &str, repository: &RepositoryId, base: &Commit, tip: &Commit) -> Option<u64> {
        let places = places(repository);
        let mut places = places.iter().filter_map(|names| below(Path::new(directory), names));
        places.find_map(|place| {
            let clone = open(&place)?;
            is_of(&clone, repository).then(|| commits_between(&clone, base.as_str(), tip.as_str()))?
        })
    }
}

/// The place that names lead to, which never lead out of the directory.
fn below(directory: &Path, names: &[String]) -> Option<PathBuf> {
    let mut place = directory.to_owned();
    for name in names {
        let mut parts = Path::new(name).components();
        match (parts.next(), parts.next()) {
            (Some(Component::Normal(part)), None) if part == name.as_str() => place.push(part),
            _ => return None,
        }
    }
    Some(place)
}

/// The clone in a directory, with only its own configuration.
fn open(place: &Path) -> Option<gix::Repository> {
    if !place.is_dir() {
        return None;
    }
    gix::open_opts(place, gix::open::Options::isolated()).ok()
}

/// Whether a clone does not say that it is one of another repository.
fn is_of(clone: &gix::Repository, repository: &RepositoryId) -> bool {
    let origin = remote(clone).and_then(|url| RepositoryId::parse(&url).ok());
    origin.is_none_or(|origin| origin == *repository)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r4_no_name_leads_out_of_the_directory() {
        let place = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            below(Path::new("/srv/clones"), &names)
        };
        assert_eq!(
            place(&["github.com", "o", "r.git"]),
            Some(PathBuf::from("/srv/clones/github.com/o/r.git"))
        );
        for name in ["..", ".", "", "/etc", "a/b", "../a", "a/.."] {
            assert_eq!(place(&["o", name]), None, "{name}");
        }
    }
}
