//! Files that whoever asks names: read up to a size, replaced in one step.

use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use lore_specs::seam::{ErrorKind, Files, OpError, PathKind};

use crate::cache::replace_with;

/// Bytes of a file that are read before whoever asked for it sees them.
const PIECE: usize = 64 << 10;

/// The files around a working directory.
#[derive(Clone, Debug)]
pub struct SystemFiles {
    start: PathBuf,
}

impl SystemFiles {
    /// The files as seen from a directory.
    pub fn new(start: PathBuf) -> Self {
        Self { start }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.start.join(path)
    }
}

fn unreadable(path: &str, error: &io::Error) -> OpError {
    match error.kind() {
        io::ErrorKind::NotFound => OpError::new(ErrorKind::Unavailable, format!("there is no file {path}")),
        _ => OpError::new(ErrorKind::Unavailable, format!("{path} cannot be read: {error}")),
    }
}

impl Files for SystemFiles {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let metadata = std::fs::metadata(self.at(path)).ok()?;
        Some(if metadata.is_dir() {
            PathKind::Directory
        } else {
            PathKind::File
        })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.at(path)).map_err(|error| unreadable(path, &error))? {
            let entry = entry.map_err(|error| unreadable(path, &error))?;
            // A name that is no text is none that anybody could ask for.
            names.extend(entry.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let file: Box<dyn Read> = match path {
            "-" => Box::new(io::stdin()),
            path => Box::new(std::fs::File::open(self.at(path)).map_err(|error| unreadable(path, &error))?),
        };
        let mut content = Vec::new();
        file.take(max_bytes.saturating_add(1))
            .read_to_end(&mut content)
            .map_err(|error| unreadable(path, &error))?;
        if content.len() as u64 > max_bytes {
            let message = format!("{path} is larger than {max_bytes} bytes");
            return Err(OpError::new(ErrorKind::Unavailable, message));
        }
        Ok(content)
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        let (mut file, length): (Box<dyn Read>, u64) = match path {
            "-" => (Box::new(io::stdin()), 0),
            path => {
                let file = std::fs::File::open(self.at(path)).map_err(|error| unreadable(path, &error))?;
                let length = file.metadata().map_or(0, |metadata| metadata.len());
                (Box::new(file), length)
            }
        };
        // A file that tells its length is held once, not in a buffer that doubles.
        let mut content = Vec::with_capacity(length.min(max_bytes) as usize + PIECE);
        loop {
            let start = content.len();
            let read = file.by_ref().take(PIECE as u64).read_to_end(&mut content);
            if read.map_err(|error| unreadable(path, &error))? == 0 {
                return Ok(content);
            }
            if content.len() as u64 > max_bytes {
                let message = format!("{path} is larger than {max_bytes} bytes");
                return Err(OpError::new(ErrorKind::Unavailable, message));
            }
            check(&content[start..])?;
        }
    }

    fn write(&self, path: &str, write: &mut dyn FnMut(&mut dyn Write) -> Result<(), OpError>) -> Result<u64, OpError> {
        let target = self.at(path);
        if let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            create(parent)?;
        }
        let mut fault = None;
        let written = replace_with(&target, |file| {
            let mut out = BufWriter::with_capacity(1 << 20, file);
            if let Err(error) = write(&mut out) {
                fault = Some(error);
                return Err(io::Error::other("not written"));
            }
            out.flush()
        });
        match (fault, written) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(OpError::new(
                ErrorKind::Unavailable,
                format!("{path} cannot be written: {error}"),
            )),
            (None, Ok(())) => Ok(std::fs::metadata(&target).map_or(0, |metadata| metadata.len())),
        }
    }
}

/// The files of one tree, for whoever is not a person: nothing outside of it is read or written, nothing that git or Lore keeps is written, and no file is
/// replaced but one that was exported before.
#[derive(Clone, Debug)]
pub struct ConfinedFiles {
    root: PathBuf,
    files: SystemFiles,
    may_replace: fn(&str) -> bool,
}

impl ConfinedFiles {
    /// The files below a root. A file is replaced only if its name says that it may be.
    pub fn new(root: PathBuf, may_replace: fn(&str) -> bool) -> Self {
        let directory = if root.is_dir() {
            root.clone()
        } else {
            root.parent().map_or(root.clone(), Path::to_owned)
        };
        Self {
            files: SystemFiles::new(directory.clone()),
            root: directory,
            may_replace,
        }
    }

    /// Where a path leads: what is there already, links followed, has to lie in the tree.
    fn inside(&self, path: &str) -> Result<PathBuf, OpError> {
        let refused = |why: &str| {
            let message = format!("`{path}` {why}");
            OpError::new(ErrorKind::Invalid, message).hint("name a file of the repository, from its root")
        };
        if path == "-" {
            return Err(refused("is standard input, which is not to be had here"));
        }
        let root = self.root.canonicalize().map_err(|error| unreadable(".", &error))?;
        let target = root.join(path);
        if target
            .components()
            .any(|part| matches!(part, std::path::Component::ParentDir))
        {
            return Err(refused("leads upwards"));
        }
        // The nearest that exists tells where the rest would be.
        let real = target
            .ancestors()
            .find_map(|known| Some((known, known.canonicalize().ok()?)))
            .and_then(|(known, real)| Some(real.join(target.strip_prefix(known).ok()?)));
        match real {
            Some(real) if real.starts_with(&root) => Ok(real),
            _ => Err(refused("is not in the repository")),
        }
    }
}

impl Files for ConfinedFiles {
    fn kind(&self, path: &str) -> Option<PathKind> {
        self.inside(path).ok()?;
        self.files.kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        self.inside(path)?;
        self.files.list(path)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        self.inside(path)?;
        self.files.read(path, max_bytes)
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        self.inside(path)?;
        self.files.read_while(path, max_bytes, check)
    }

    fn write(&self, path: &str, write: &mut dyn FnMut(&mut dyn Write) -> Result<(), OpError>) -> Result<u64, OpError> {
        let target = self.inside(path)?;
        let is_kept = |part: std::path::Component<'_>| [".git", ".lore"].iter().any(|kept| part.as_os_str() == *kept);
        let kept = target
            .strip_prefix(self.root.canonicalize().unwrap_or_default())
            .is_ok_and(|inside| inside.components().any(is_kept));
        let refused = |why: &str| OpError::new(ErrorKind::Invalid, format!("`{path}` {why}"));
        if kept {
            return Err(refused("is not to be written: git and Lore keep their own there"));
        }
        if target.exists() && !(self.may_replace)(path) {
            return Err(refused("exists and is no exported file").hint("choose a name that is free"));
        }
        self.files.write(path, write)
    }
}

fn create(directory: &Path) -> Result<(), OpError> {
    std::fs::create_dir_all(directory).map_err(|error| {
        let message = format!("{} cannot be made: {error}", directory.display());
        OpError::new(ErrorKind::Unavailable, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(outcome: Result<u64, OpError>) -> String {
        outcome.expect_err("it is refused").message
    }

    #[test]
    #[cfg(unix)]
    fn lb_a_file_without_an_end_is_left_as_soon_as_it_is_seen_to_be_nothing() {
        let files = SystemFiles::new(PathBuf::from("/"));
        let mut seen = 0;
        let refused = files.read_while("/dev/zero", 1 << 40, &mut |piece| {
            seen += piece.len();
            match seen > PIECE {
                true => Err(OpError::new(ErrorKind::Invalid, "nothing")),
                false => Ok(()),
            }
        });
        assert_eq!(refused.expect_err("it is refused").message, "nothing");
        assert_eq!(seen, 2 * PIECE);
    }

    #[test]
    fn confined_files_stay_in_the_tree() {
        let outside = tempfile::tempdir().expect("a directory");
        std::fs::write(outside.path().join("secret"), "s").expect("written");
        let root = tempfile::tempdir().expect("a directory");
        std::fs::write(root.path().join("main.rs"), "fn main() {}").expect("written");
        std::fs::create_dir(root.path().join(".git")).expect("made");
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path(), root.path().join("link")).expect("linked");
        let files = ConfinedFiles::new(root.path().to_owned(), |name| name.ends_with(".ccg.zip"));
        let write = |path: &str| files.write(path, &mut |out| out.write_all(b"x").map_err(OpError::from_write));
        assert_eq!(files.read("main.rs", 100).expect("read"), b"fn main() {}");
        let secret = outside.path().join("secret").display().to_string();
        for path in ["-", "../x", "link/secret", &secret] {
            assert!(files.read(path, 100).is_err(), "{path}");
            assert!(write(path).is_err(), "{path}");
            assert_eq!(files.kind(path), None, "{path}");
        }
        assert_eq!(refusal(write("main.rs")), "`main.rs` exists and is no exported file");
        assert!(refusal(write(".git/config")).contains("git and Lore"));
        assert!(write("out/repo.ccg.zip").is_ok());
        assert!(
            write("out/repo.ccg.zip").is_ok(),
            "what was exported may be exported again"
        );
    }
}
