//! Files below the root of a repository. No path leads out of the repository or into git's own directory.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use lore_model::RepoPath;
use lore_seam::{ErrorKind, Files, OpError, PathKind, Settled, Stat, WriteOne, Written};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::{SystemFiles, Target, put, unreadable, unwritable, while_reading, whole};
use crate::cache::Stamp;
use crate::safe_fs::{Fault, Kind, ResolvedPath, Resolver};

/// The directory that git keeps for itself.
const GIT: &str = ".git";

/// The files below a root.
#[derive(Clone, Debug)]
pub struct RepositoryFiles {
    root: PathBuf,
}

impl RepositoryFiles {
    /// The files below a directory, whose path has no links.
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }
}

fn unavailable(message: String) -> OpError {
    OpError::new(ErrorKind::Unavailable, message)
}

impl Files for RepositoryFiles {
    fn kind(&self, path: &str) -> Option<PathKind> {
        match self.place(path).ok()?.kind()? {
            Kind::Directory => Some(PathKind::Directory),
            _ => Some(PathKind::File),
        }
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        let place = self.place(path).ok()?;
        let (kind, metadata) = match place.kind()? {
            Kind::Directory => (PathKind::Directory, place.directory().metadata().ok()?),
            Kind::File => (PathKind::File, place.open().ok()??.metadata().ok()?),
            Kind::Link | Kind::Special => return None,
        };
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Some(Stat {
            kind,
            bytes: metadata.len(),
            modified_ms: u64::try_from(modified.as_millis()).unwrap_or(u64::MAX),
            stamp: xxh3_64(Stamp::of(&metadata).as_bytes()),
        })
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        RepoPath::new(path)
            .map_err(|error| OpError::new(ErrorKind::Invalid, format!("`{path}`: {error}")).because(error))?;
        let directory = self.directory(root)?;
        SystemFiles::new(self.root.clone()).read_inside(&directory, path, max_bytes)
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        let directory = self.directory(root)?;
        SystemFiles::new(self.root.clone()).walk(&directory, most)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        let place = self.place(path)?;
        if place.kind() != Some(Kind::Directory) {
            return Err(unreadable(path, io::ErrorKind::NotADirectory.into()));
        }
        let entries = place.directory().entries().map_err(|error| unreadable(path, error))?;
        // No request can name an entry whose name is not UTF-8.
        Ok(entries
            .into_iter()
            .filter_map(|(name, _)| name.into_string().ok())
            .collect())
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        whole(path, self.open(path)?, max_bytes)
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        let file = self.open(path)?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        while_reading(path, file, length, max_bytes, check)
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        put(
            paths,
            |path| {
                let place = self.file(path)?;
                if is_read_only(&place) {
                    Err(read_only(path))
                } else {
                    Ok(Target::File(place))
                }
            },
            write,
            false,
        )
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        let place = self.file(path)?;
        let inside = place.inside().unwrap_or_default();
        let text = inside
            .to_str()
            .ok_or_else(|| unavailable(format!("{path} leads to a name that is not UTF-8")))?;
        Ok(Settled {
            path: text.replace(std::path::MAIN_SEPARATOR, "/"),
            read_only: is_read_only(&place),
        })
    }

    fn remove(&self, path: &str) -> Result<(), OpError> {
        let place = self.file(path)?;
        if is_read_only(&place) {
            return Err(read_only(path));
        }
        place
            .remove(usize::MAX)
            .map_err(|error| unavailable(format!("{path} cannot be removed: {error}")).because(error))
    }
}

fn read_only(path: &str) -> OpError {
    unavailable(format!("{path}, or its directory, is read-only"))
}

/// Whether the file, or the deepest directory above it that exists, is read-only.
fn is_read_only(place: &ResolvedPath) -> bool {
    let own = place.entry().ok().flatten();
    let above = place.directory().look_at_itself().ok();
    own.into_iter().chain(above).any(|entry| entry.permissions.readonly())
}

impl RepositoryFiles {
    /// A directory of the repository, which may be its root.
    fn directory(&self, path: &str) -> Result<String, OpError> {
        if let "" | "." = path {
            return Ok(String::new());
        }
        let inside = self.place(path)?.inside().unwrap_or_default();
        let text = inside.to_str().map(str::to_owned);
        text.ok_or_else(|| unavailable(format!("{path} leads to a name that is not UTF-8")))
    }

    /// Opens a regular file to read it.
    fn open(&self, path: &str) -> Result<File, OpError> {
        let file = self.file(path)?.open().map_err(|error| unreadable(path, error))?;
        file.ok_or_else(|| unreadable(path, io::ErrorKind::NotFound.into()))
    }

    /// Where a regular file is or would be.
    fn file(&self, path: &str) -> Result<ResolvedPath, OpError> {
        let place = self.place(path)?;
        match place.kind() {
            Some(Kind::Directory) => Err(unavailable(format!("{path} is a directory, not a file"))),
            // Reading from a pipe or a device could take for ever.
            Some(Kind::Special | Kind::Link) => Err(unavailable(format!("{path} is not a regular file"))),
            Some(Kind::File) | None => Ok(place),
        }
    }

    /// Follows the links of a path, as far as it exists.
    fn place(&self, path: &str) -> Result<ResolvedPath, OpError> {
        RepoPath::new(path)
            .map_err(|error| OpError::new(ErrorKind::Invalid, format!("`{path}`: {error}")).because(error))?;
        let fault = |fault| match fault {
            Fault::Io(error) => unreadable(path, error),
            fault => unwritable(path, fault),
        };
        let resolver = Resolver::confined(&self.root).map_err(|error| fault(error.into()))?;
        let place = resolver.resolve(Path::new(path)).map_err(fault)?;
        if let Some(link) = place.dangling() {
            return Err(unavailable(format!("{} is a link that leads nowhere", link.display())));
        }
        let inside = place.inside().unwrap_or_default();
        let is_gits = |name: &std::ffi::OsStr| name.eq_ignore_ascii_case(GIT);
        if inside.iter().any(is_gits) {
            Err(unavailable(format!("{path} leads into git's own directory")))
        } else {
            Ok(place)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn repository() -> (TempDir, PathBuf, RepositoryFiles) {
        let directory = TempDir::new().expect("a directory");
        let root = directory.path().canonicalize().expect("there").join("root");
        fs::create_dir_all(root.join(".git")).expect("made");
        let files = RepositoryFiles::new(root.clone());
        (directory, root, files)
    }

    fn put(files: &RepositoryFiles, path: &str, text: &str) -> Result<Written, OpError> {
        files.write(path, &mut |out| {
            out.write_all(text.as_bytes()).map_err(OpError::from_write)
        })
    }

    fn refusal<T: std::fmt::Debug>(outcome: Result<T, OpError>) -> String {
        outcome.expect_err("it is refused").message
    }

    #[test]
    fn files_are_written_read_and_removed_with_the_directories_that_were_for_them_alone() {
        let (_guard, root, files) = repository();
        put(&files, "a/b/c.json", "{}").expect("written");
        put(&files, "a/kept.json", "{}").expect("written");
        assert_eq!(files.read("a/b/c.json", 9).expect("read"), b"{}");
        files.remove("a/b/c.json").expect("removed");
        assert!(!root.join("a/b").exists() && root.join("a/kept.json").exists());
        files.remove("a/kept.json").expect("removed");
        assert!(!root.join("a").exists() && root.exists());
    }

    #[test]
    fn no_path_leads_outside() {
        let (_guard, _, files) = repository();
        for path in ["../x", "/etc/passwd", "a/../../x", ""] {
            assert!(refusal(files.settle(path)).contains("path"), "{path}");
        }
        assert_eq!(
            refusal(put(&files, ".git/config", "x")),
            ".git/config leads into git's own directory"
        );
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let (_guard, root, files) = repository();
        fs::create_dir(root.join("d")).expect("made");
        fs::write(root.join("f"), "x").expect("written");
        assert_eq!(refusal(files.settle("d")), "d is a directory, not a file");
        assert_eq!(
            refusal(put(&files, "f/x.json", "{}")),
            "f is a file, so f/x.json cannot be created below it"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_and_refused_outside() {
        use std::os::unix::fs::symlink;

        let (_guard, root, files) = repository();
        fs::write(root.join("AGENTS.md"), "old").expect("written");
        symlink("AGENTS.md", root.join("CLAUDE.md")).expect("linked");
        assert_eq!(files.settle("CLAUDE.md").expect("inside").path, "AGENTS.md");
        put(&files, "CLAUDE.md", "new").expect("written");
        assert_eq!(fs::read_to_string(root.join("AGENTS.md")).expect("there"), "new");
        assert!(root.join("CLAUDE.md").is_symlink());

        fs::write(root.join("../secret"), "kept").expect("written");
        symlink("../secret", root.join("out")).expect("linked");
        symlink("..", root.join("above")).expect("linked");
        symlink("nowhere", root.join("lost")).expect("linked");
        symlink("loop", root.join("loop")).expect("linked");
        let out = "is a link that leads out of the repository";
        assert_eq!(refusal(put(&files, "out", "x")), format!("out {out}"));
        assert_eq!(refusal(put(&files, "above/x", "x")), format!("above {out}"));
        assert_eq!(refusal(files.read("out", 9)), format!("out {out}"));
        assert_eq!(refusal(files.settle("lost")), "lost is a link that leads nowhere");
        assert!(refusal(files.settle("loop")).starts_with("loop cannot be read"));
        assert_eq!(fs::read_to_string(root.join("../secret")).expect("there"), "kept");
    }

    #[cfg(unix)]
    #[test]
    fn modes_are_kept_and_read_only_places_are_told() {
        use std::os::unix::fs::PermissionsExt;

        let (_guard, root, files) = repository();
        fs::write(root.join("secret.json"), "{}").expect("written");
        fs::set_permissions(root.join("secret.json"), fs::Permissions::from_mode(0o600)).expect("set");
        put(&files, "secret.json", "{ }").expect("written");
        let mode = fs::metadata(root.join("secret.json"))
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);

        fs::set_permissions(root.join("secret.json"), fs::Permissions::from_mode(0o400)).expect("set");
        assert!(files.settle("secret.json").expect("inside").read_only);
        assert_eq!(
            refusal(put(&files, "secret.json", "x")),
            "secret.json, or its directory, is read-only"
        );

        fs::create_dir(root.join("d")).expect("made");
        fs::set_permissions(root.join("d"), fs::Permissions::from_mode(0o555)).expect("set");
        assert!(files.settle("d/new/x.json").expect("inside").read_only);
        fs::set_permissions(root.join("d"), fs::Permissions::from_mode(0o755)).expect("set");
    }
}
