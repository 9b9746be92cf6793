//! Files that whoever asks names: read up to a size, replaced in one step.

use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use lore_specs::seam::{ErrorKind, Files, OpError, PathKind};

use crate::cache::replace_with;

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

    fn write(&self, path: &str, write: &mut dyn FnMut(&mut dyn Write) -> Result<(), OpError>) -> Result<u64, OpError> {
        let target = self.at(path);
        if let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            create(parent)?;
        }
        let mut fault = None;
        let before = std::fs::metadata(&target).ok();
        let written = replace_with(&target, |file| {
            // Before the content, so that nobody reads it who might not read the old one.
            if let Some(before) = &before {
                file.set_permissions(before.permissions())?;
            }
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

fn create(directory: &Path) -> Result<(), OpError> {
    std::fs::create_dir_all(directory).map_err(|error| {
        let message = format!("{} cannot be made: {error}", directory.display());
        OpError::new(ErrorKind::Unavailable, message)
    })
}
