//! The files of a repository for agents. Reads and writes stay inside the repository, and outside the directories of git and Lore. Standard input is not
//! available. Existing files are never replaced, and new files need a name that only Lore uses.

use std::path::{Path, PathBuf};

use lore_seam::{ErrorKind, Files, OpError, PathKind, Settled, Stat, WriteOne, Written};

use super::RepositoryFiles;

/// What git and Lore keep for themselves, however it is spelt.
const KEPT: &[&str] = &[".git", ".lore"];
/// What the name of a file has in it that an agent may write.
const EXPORTED: &str = ".ccg.";

/// The files below a root, for agents.
#[derive(Clone, Debug)]
pub struct ConfinedFiles {
    files: RepositoryFiles,
}

impl ConfinedFiles {
    /// The files below a root, whose path has no links.
    pub fn new(root: &Path) -> Self {
        let directory = match root.parent() {
            Some(parent) if !root.is_dir() => parent,
            _ => root,
        };
        Self {
            files: RepositoryFiles::new(PathBuf::from(directory)),
        }
    }
}

/// A path without the `./` that says nothing.
fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

fn refused(path: &str, why: &str) -> OpError {
    OpError::new(ErrorKind::Invalid, format!("`{path}` {why}"))
}

/// A path that is not in the repository is an invalid request.
fn inside<T>(path: &str, outcome: Result<T, OpError>) -> Result<T, OpError> {
    outcome.map_err(|error| {
        if Path::new(path).is_absolute() || path.contains("..") || path == "-" {
            refused(path, "is not in the repository").hint("name a file of it, from its root")
        } else {
            error
        }
    })
}

impl Files for ConfinedFiles {
    fn kind(&self, path: &str) -> Option<PathKind> {
        self.files.list(path).map(|_| PathKind::Directory).ok().or_else(|| {
            self.files.settle(path).ok()?;
            self.files.kind(path)
        })
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        self.files.stat(plain(path))
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        inside(path, self.files.read_inside(plain(root), plain(path), max_bytes))
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        inside(root, self.files.walk(plain(root), most))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        inside(path, self.files.list(path))
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        if path == "-" {
            return Err(refused(path, "is standard input, which is not available here"));
        }
        inside(path, self.files.read(path, max_bytes))
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        if path == "-" {
            return Err(refused(path, "is standard input, which is not available here"));
        }
        inside(path, self.files.read_while(path, max_bytes, check))
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        for path in paths {
            if path == "-" {
                return Err(refused(path, "is not a file name"));
            }
            let settled = inside(path, self.files.settle(plain(path)))?.path;
            let is_kept = |part: &str| KEPT.iter().any(|kept| part.eq_ignore_ascii_case(kept));
            if settled.split(['/', '\\']).any(is_kept) {
                return Err(refused(
                    path,
                    "must not be written: git and Lore have their own files there",
                ));
            }
            let name = settled.rsplit('/').next().unwrap_or(&settled);
            if name.starts_with('.') || !name.contains(EXPORTED) {
                let hint = "such as out/diff.ccg.json; other names may belong to people and other programs";
                return Err(refused(
                    path,
                    "is not for an agent to write: its exports have `.ccg.` in their names",
                )
                .hint(hint));
            }
            if self.files.kind(&settled).is_some() {
                return Err(refused(path, "exists, and an agent replaces no file").hint("choose a name that is free"));
            }
        }
        let paths: Vec<String> = paths.iter().map(|path| plain(path).to_owned()).collect();
        self.files.write_set(&paths, write)
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        inside(path, self.files.settle(path))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn confined_files_stay_in_the_tree() {
        let outside = tempfile::tempdir().expect("a directory");
        fs::write(outside.path().join("secret"), "s").expect("written");
        let root = tempfile::tempdir().expect("a directory");
        let tree = root.path().canonicalize().expect("it is there");
        fs::write(tree.join("main.rs"), "fn main() {}").expect("written");
        for kept in [".git", ".lore"] {
            fs::create_dir(tree.join(kept)).expect("made");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.path(), tree.join("link")).expect("linked");
            std::os::unix::fs::symlink("main.rs", tree.join("a.ccg.zip")).expect("linked");
            std::os::unix::fs::symlink(outside.path().join("none"), tree.join("b.ccg.zip")).expect("linked");
        }
        let files = ConfinedFiles::new(&tree);
        let write = |path: &str| files.write(path, &mut |out| out.write_all(b"x").map_err(OpError::from_write));
        assert_eq!(files.read("main.rs", 100).expect("read"), b"fn main() {}");
        let secret = outside.path().join("secret").display().to_string();
        for path in ["-", "../x", "link/secret", &secret] {
            assert!(files.read(path, 100).is_err(), "{path}");
            assert!(write(path).is_err(), "{path}");
            assert_eq!(files.kind(path), None, "{path}");
        }
        for path in [
            "main.rs",
            ".git/x.ccg.zip",
            ".GIT/x.ccg.zip",
            ".lore/cache/x.ccg.zip",
            "a.ccg.zip",
            "b.ccg.zip",
            "AGENTS.md",
            "lore.toml",
            ".mcp.json",
            ".ccg.json",
        ] {
            assert!(write(path).is_err(), "{path}");
        }
        assert_eq!(fs::read(tree.join("main.rs")).expect("read"), b"fn main() {}");
        assert!(write("out/repo.ccg.zip").is_ok());
        assert!(write("out/repo.ccg.zip").is_err(), "nothing is replaced");
        assert!(write("./repo.ccg.zip").is_ok());
    }
}
