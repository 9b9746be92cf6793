//! The output directory of a render: files that are already correct are not written (clause A8).

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::state::{self, Mark, State};
use super::{MOST_NAMED, Rendered};
use lore_seam::{ErrorKind, Files, OpError, PathKind};

/// Files that are written at once.
const BATCH: usize = 512;

/// What writes a document.
pub(super) type Stream<'s> = &'s mut dyn FnMut(&mut dyn Write) -> Result<(), OpError>;

/// The directory, and what became of it.
pub(super) struct Output<'o> {
    files: &'o dyn Files,
    directory: String,
    batch: Vec<(String, Vec<u8>)>,
    pub(super) told: Rendered,
}

impl<'o> Output<'o> {
    pub(super) fn new(files: &'o dyn Files, directory: &str, dry_run: bool) -> Self {
        Self {
            files,
            directory: directory.trim_end_matches('/').to_owned(),
            batch: Vec::new(),
            told: Rendered {
                directory: directory.to_owned(),
                dry_run,
                ..Rendered::default()
            },
        }
    }

    /// Where a file of the directory is.
    pub(super) fn at(&self, path: &str) -> String {
        match (self.directory.as_str(), self.told.directory.starts_with('/')) {
            ("." | "", false) => path.to_owned(),
            (directory, _) => format!("{directory}/{path}"),
        }
    }

    pub(super) fn is_there(&self, path: &str) -> bool {
        self.files.kind(&self.at(path)).is_some()
    }

    pub(super) fn is_directory(&self, path: &str) -> bool {
        self.files.kind(&self.at(path)) == Some(PathKind::Directory)
    }

    pub(super) fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        self.files.list(&self.at(path))
    }

    /// The content of a file, if it is there.
    pub(super) fn read(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, OpError> {
        let path = self.at(path);
        match self.files.kind(&path) {
            Some(PathKind::File) => self.files.read(&path, most).map(Some),
            Some(PathKind::Directory) => {
                let message = format!("cannot write {path}: it is a directory");
                Err(OpError::new(ErrorKind::Unavailable, message).hint("move or delete it"))
            }
            None => Ok(None),
        }
    }

    /// Whether a file is there and as long as it was when it was written.
    pub(super) fn is_as_marked(&self, path: &str, mark: &Mark) -> bool {
        let stat = self.files.stat(&self.at(path));
        stat.is_some_and(|stat| stat.kind == PathKind::File && stat.bytes == mark.bytes)
    }

    /// What a file is.
    pub(super) fn mark(&self, path: &str) -> Option<Mark> {
        let path = self.at(path);
        let stat = self.files.stat(&path)?;
        let digest = self.files.sha256(&path)?;
        Some(Mark {
            sha256: lore_base::digest::hex(digest),
            bytes: stat.bytes,
        })
    }

    /// Puts a file in its place, together with others, unless it is that already.
    pub(super) fn put(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), OpError> {
        if self.is_same(path, &bytes)? {
            self.told.unchanged += 1;
            return Ok(());
        }
        self.written(path);
        if !self.told.dry_run {
            self.batch.push((self.at(path), bytes));
        }
        if self.batch.len() >= BATCH {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn is_same(&self, path: &str, bytes: &[u8]) -> Result<bool, OpError> {
        let length = bytes.len() as u64;
        match self.files.stat(&self.at(path)) {
            Some(stat) if stat.kind == PathKind::File && stat.bytes == length => {
                Ok(self.read(path, length)?.as_deref() == Some(bytes))
            }
            _ => Ok(false),
        }
    }

    /// Writes what was put.
    pub(super) fn flush(&mut self) -> Result<(), OpError> {
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        let paths: Vec<String> = batch.iter().map(|(path, _)| path.clone()).collect();
        self.files.write_many(&paths, &mut |at, out| {
            let bytes = batch.get(at).map(|(_, bytes)| bytes.as_slice()).unwrap_or_default();
            out.write_all(bytes).map_err(OpError::from_write)
        })?;
        Ok(())
    }

    /// Writes a document that is held nowhere, unless it turns out to be what is there; what it is.
    pub(super) fn stream(&mut self, path: &str, known: Option<Mark>, write: Stream<'_>) -> Result<Mark, OpError> {
        let mut mark = None;
        let mut through = |out: &mut dyn Write| {
            let mut hashed = Hashed {
                out,
                digest: Sha256::new(),
                bytes: 0,
            };
            write(&mut hashed)?;
            let made = Mark {
                sha256: lore_base::digest::hex(hashed.digest.finalize()),
                bytes: hashed.bytes,
            };
            let is_same = known.as_ref() == Some(&made);
            mark = Some(made);
            Ok::<bool, OpError>(is_same)
        };
        if self.told.dry_run {
            through(&mut io::sink())?;
        } else {
            // A failed write leaves the file as it is, which is right for an unchanged file.
            let mut is_same = false;
            let outcome = self.files.write_many(&[self.at(path)], &mut |_, out| {
                is_same = through(out)?;
                if is_same {
                    Err(OpError::new(ErrorKind::Refused, "unchanged"))
                } else {
                    Ok(())
                }
            });
            if !is_same {
                outcome?;
            }
        }
        let mark = mark.ok_or_else(|| OpError::new(ErrorKind::Internal, format!("{path} was not written")))?;
        if known.as_ref() == Some(&mark) {
            self.told.unchanged += 1
        } else {
            self.written(path)
        }
        Ok(mark)
    }

    /// Takes a file away if it is there.
    pub(super) fn remove(&mut self, path: &str) -> Result<(), OpError> {
        // What was put under that name has to be there first.
        self.flush()?;
        let place = self.at(path);
        if self.files.kind(&place) != Some(PathKind::File) {
            return Ok(());
        }
        if !self.told.dry_run {
            self.files.remove(&place)?;
        }
        self.told.removed += 1;
        if self.told.removed_files.len() < MOST_NAMED {
            self.told.removed_files.push(path.to_owned());
        }
        Ok(())
    }

    /// Writes the state file, unless it is the same; it is not one of the documents.
    pub(super) fn write_state(&mut self, state: &State) -> Result<(), OpError> {
        self.flush()?;
        let bytes = state.bytes();
        if self.told.dry_run || self.is_same(state::PATH, &bytes)? {
            return Ok(());
        }
        self.batch.push((self.at(state::PATH), bytes));
        self.flush()
    }

    fn written(&mut self, path: &str) {
        self.told.written += 1;
        if self.told.written_files.len() < MOST_NAMED {
            self.told.written_files.push(path.to_owned());
        }
    }
}

/// What is written, with its digest.
struct Hashed<'h> {
    out: &'h mut dyn Write,
    digest: Sha256,
    bytes: u64,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.digest.update(bytes.get(..count).unwrap_or_default());
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
