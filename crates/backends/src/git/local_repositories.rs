//! Repositories in directories of this machine that an operator registered, for trying out a registry.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_base::percent::decode;
use lore_ckgp::format::Commit;
use lore_ckgp::head::Tip;
use lore_ckgp::registry_store::local_repositories::{LocalFault, LocalRepositories};
use lore_seam::{ErrorKind, OpError};

use super::head::commits_between;
use crate::Repository;
use crate::safe_fs::{Fault, Kind, Resolver};

/// Directories, seen from the working directory of the caller.
pub(crate) struct LocalDirectories {
    repository: Arc<Repository>,
}

impl LocalDirectories {
    pub(crate) fn new(repository: Arc<Repository>) -> Self {
        Self { repository }
    }
}

impl LocalRepositories for LocalDirectories {
    fn resolve(&self, named: &str) -> Result<String, OpError> {
        let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
        let path = match named.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:")) {
            None => PathBuf::from(named),
            Some(_) => {
                let rest = &named[5..];
                let path = rest
                    .strip_prefix("//localhost")
                    .or_else(|| rest.strip_prefix("//"))
                    .unwrap_or(rest);
                if !path.starts_with('/') {
                    return Err(invalid(format!("`{named}` does not name a directory of this machine"))
                        .hint("write file:///absolute/path, or a path such as ./directory"));
                }
                let path = decode(path).map_err(|fault| invalid(format!("`{named}`: {fault}")))?;
                PathBuf::from(path)
            }
        };
        let path = self.repository.options.start.join(path);
        let real = path
            .canonicalize()
            .map_err(|error| OpError::new(ErrorKind::Unavailable, format!("{named}: {error}")).because(error))?;
        if !real.is_dir() {
            return Err(invalid(format!("{named} is not a directory")));
        }
        real.into_os_string()
            .into_string()
            .ok()
            .filter(|path| !path.contains(char::is_control))
            .ok_or_else(|| invalid(format!("{named}: a path that is not plain text cannot be registered")))
    }

    fn read(&self, directory: &str, path: &str, most: u64) -> Result<Option<Vec<u8>>, LocalFault> {
        let unreadable = |error: std::io::Error| LocalFault::Unreadable(format!("{path}: {error}"));
        let resolver = Resolver::confined(Path::new(directory))
            .map_err(|error| LocalFault::Unreadable(format!("the directory cannot be read: {error}")))?;
        let refused = || LocalFault::Refused("leads_out", format!("{path} leads out of the repository"));
        let place = match resolver.resolve(Path::new(path)) {
            Ok(place) if place.is_inside() => place,
            Ok(_) | Err(Fault::LeadsOut(_)) => return Err(refused()),
            Err(Fault::NotADirectory(_)) => return Ok(None),
            Err(Fault::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(Fault::Io(error)) => return Err(unreadable(error)),
        };
        if place.kind() != Some(Kind::File) {
            return Ok(None);
        }
        let Some(file) = place.open().map_err(unreadable)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        // One byte more than there may be shows that there is more.
        let read = file
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if u64::try_from(read).unwrap_or(u64::MAX) > most {
            return Err(LocalFault::TooLarge);
        }
        Ok(Some(bytes))
    }

    fn tip(&self, directory: &str) -> Option<Tip> {
        let repository = open(directory)?;
        let head = repository.head().ok()?;
        let branch = head.referent_name().map(|name| name.shorten().to_string());
        let commit = Commit::parse(&repository.head_commit().ok()?.id.to_string())?;
        Some(Tip { commit, branch })
    }

    fn commits_between(&self, directory: &str, base: &Commit, tip: &Commit) -> Option<u64> {
        commits_between(&open(directory)?, base.as_str(), tip.as_str())
    }
}

/// The repository in a directory, with only its own configuration. The directories above it are not looked at.
fn open(directory: &str) -> Option<gix::Repository> {
    gix::open_opts(directory, gix::open::Options::isolated()).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::{IndexDefaults, RepositoryOptions};

    fn local(start: &Path) -> LocalDirectories {
        LocalDirectories::new(Arc::new(Repository::new(RepositoryOptions {
            root: None,
            start: start.to_owned(),
            cache: None,
            user_cache: None,
            cache_limit: None,
            defaults: Arc::new(|_: &Path| Ok(IndexDefaults::default())),
        })))
    }

    #[test]
    fn s2_no_link_leads_out_of_a_local_repository_and_files_are_bounded() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().join("r");
        fs::create_dir_all(root.join("graph")).expect("made");
        fs::write(root.join("graph/a.json"), "12345").expect("written");
        fs::write(directory.path().join("secret"), "x").expect("written");
        symlink("../../secret", root.join("graph/out.json")).expect("a link");
        symlink("..", root.join("up")).expect("a link");
        symlink("a.json", root.join("graph/in.json")).expect("a link");
        let local = local(directory.path());
        let root = local.resolve("./r").expect("a directory");
        let read = |path: &str| local.read(&root, path, 5);
        assert_eq!(read("graph/a.json"), Ok(Some(b"12345".to_vec())));
        assert_eq!(read("graph/in.json"), Ok(Some(b"12345".to_vec())));
        assert_eq!(local.read(&root, "graph/a.json", 4), Err(LocalFault::TooLarge));
        for path in ["graph/out.json", "up/secret", "../secret"] {
            assert!(matches!(read(path), Err(LocalFault::Refused("leads_out", _))), "{path}");
        }
        for path in ["graph", "none.json", "graph/a.json/b"] {
            assert_eq!(read(path), Ok(None), "{path}");
        }
        assert_eq!(local.tip(&root), None);
    }

    #[test]
    fn s2_a_local_repository_is_named_by_a_path_or_a_file_address() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir(directory.path().join("a b")).expect("made");
        fs::write(directory.path().join("f"), "").expect("written");
        let local = local(directory.path());
        let real = local.resolve("./a b").expect("a directory");
        let address = format!("file://{}", real.replace(' ', "%20"));
        assert_eq!(local.resolve(&address).expect("a directory"), real);
        assert_eq!(
            local
                .resolve(&address.replace("file://", "file://localhost"))
                .expect("a directory"),
            real
        );
        for named in ["./none", "./f", "file://server/share", "file:relative", "file:///%zz"] {
            assert!(local.resolve(named).is_err(), "{named}");
        }
    }
}
