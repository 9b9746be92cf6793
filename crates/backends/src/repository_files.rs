//! The files below the root of a repository, known to the graph or not. No path leads out of it, nor into git's own directory.

use std::io;
use std::path::{Path, PathBuf};

use lore_model::RepoPath;
use lore_specs::seam::{ErrorKind, Files, OpError, PathKind, Settled, Stat, WriteOne, Written};

use crate::files::SystemFiles;

/// The files below a root.
#[derive(Clone, Debug)]
pub struct RepositoryFiles {
    root: PathBuf,
    files: SystemFiles,
}

impl RepositoryFiles {
    /// The files below a directory, whose path has no links.
    pub fn new(root: PathBuf) -> Self {
        let files = SystemFiles::new(root.clone());
        Self { root, files }
    }
}

fn unavailable(message: String) -> OpError {
    OpError::new(ErrorKind::Unavailable, message)
}

impl Files for RepositoryFiles {
    fn kind(&self, path: &str) -> Option<PathKind> {
        RepoPath::new(path).ok()?;
        self.files.kind(path)
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        self.files.stat(&self.settle_any(path).ok()?.path)
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        RepoPath::new(path).map_err(|error| OpError::new(ErrorKind::Invalid, format!("`{path}`: {error}")))?;
        self.files.read_inside(&self.directory(root)?, path, max_bytes)
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        self.files.walk(&self.directory(root)?, most)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        self.files.list(&self.settle_any(path)?.path)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        self.files.read(&self.settle(path)?.path, max_bytes)
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        self.files.read_while(&self.settle(path)?.path, max_bytes, check)
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        let mut settled = Vec::with_capacity(paths.len());
        for path in paths {
            let place = self.settle(path)?;
            if place.read_only {
                return Err(unavailable(format!("{path}, or its directory, is read-only")));
            }
            settled.push(place.path);
        }
        self.files.write_set(&settled, write)
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        let settled = self.settle_any(path)?;
        match std::fs::metadata(self.root.join(&settled.path)) {
            Ok(metadata) if metadata.is_dir() => Err(unavailable(format!("{path} is a directory, not a file"))),
            // Reading from a pipe or a device could take for ever.
            Ok(metadata) if !metadata.is_file() => Err(unavailable(format!("{path} is no ordinary file"))),
            _ => Ok(settled),
        }
    }

    fn remove(&self, path: &str) -> Result<(), OpError> {
        let settled = self.settle(path)?;
        if settled.read_only {
            return Err(unavailable(format!("{path}, or its directory, is read-only")));
        }
        let file = self.root.join(&settled.path);
        std::fs::remove_file(&file).map_err(|error| unavailable(format!("{path} cannot be removed: {error}")))?;
        for directory in file.ancestors().skip(1).take_while(|above| *above != self.root) {
            // A directory that holds something stays.
            if std::fs::remove_dir(directory).is_err() {
                break;
            }
        }
        Ok(())
    }
}

impl RepositoryFiles {
    /// A directory of the repository, which may be its root.
    fn directory(&self, path: &str) -> Result<String, OpError> {
        match path {
            "" | "." => Ok(String::new()),
            path => Ok(self.settle_any(path)?.path),
        }
    }

    /// Follows the links of a path, as far as it exists.
    fn settle_any(&self, path: &str) -> Result<Settled, OpError> {
        RepoPath::new(path).map_err(|error| OpError::new(ErrorKind::Invalid, format!("`{path}`: {error}")))?;
        let wanted = self.root.join(path);
        let mut there = None;
        for above in wanted.ancestors() {
            match std::fs::symlink_metadata(above) {
                Ok(_) => {
                    there = Some(above);
                    break;
                }
                Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
                Err(error) => return Err(unavailable(format!("{path} cannot be read: {error}"))),
            }
        }
        let there = there.unwrap_or(&self.root);
        let shown = |place: &Path| place.strip_prefix(&self.root).unwrap_or(place).display().to_string();
        let real = there.canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => unavailable(format!("{} is a link that leads nowhere", shown(there))),
            _ => unavailable(format!("{path} cannot be read: {error}")),
        })?;
        let inside = real.strip_prefix(&self.root).map_err(|_| {
            let message = format!("{} is a link that leads out of the repository", shown(there));
            unavailable(message).hint("put a file there, or do by hand what was to be done")
        })?;
        let missing = wanted.strip_prefix(there).unwrap_or(Path::new(""));
        let metadata =
            std::fs::metadata(&real).map_err(|error| unavailable(format!("{path} cannot be read: {error}")))?;
        if !missing.as_os_str().is_empty() && !metadata.is_dir() {
            let message = format!("{} is a file, so that {path} cannot be made below it", shown(there));
            return Err(unavailable(message));
        }
        let settled = match missing.as_os_str().is_empty() {
            true => inside.to_owned(),
            false => inside.join(missing),
        };
        if settled.components().any(|part| part.as_os_str() == ".git") {
            return Err(unavailable(format!("{path} leads into git's own directory")));
        }
        let directory = match metadata.is_dir() {
            true => Some(metadata.clone()),
            false => real.parent().and_then(|parent| std::fs::metadata(parent).ok()),
        };
        let read_only = |metadata: &std::fs::Metadata| metadata.permissions().readonly();
        let text = settled
            .to_str()
            .ok_or_else(|| unavailable(format!("{path} leads to a name that is no text")))?;
        Ok(Settled {
            path: text.replace(std::path::MAIN_SEPARATOR, "/"),
            read_only: read_only(&metadata) || directory.as_ref().is_some_and(read_only),
        })
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
            "f is a file, so that f/x.json cannot be made below it"
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
