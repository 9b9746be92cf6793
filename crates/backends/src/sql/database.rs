//! A file with tables in it: the connections that are kept to it, and the transactions in which it is read and written.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lore_seam::{ErrorKind, OpError};
use rusqlite::Connection;

use super::connection::{FileId, file_id, make, open, open_empty, open_unwritable};
use super::faults::{fault, is_busy};

/// Connections for readers that are kept.
const READERS: usize = 4;
/// How often a write is tried again when another process was faster at the end of it.
const ATTEMPTS: u32 = 5;

/// A file that is opened when it is first asked, and made when it is first written to.
#[derive(Debug)]
pub(super) struct Database {
    /// What is kept in it, for people.
    holds: &'static str,
    path: Option<PathBuf>,
    is_synchronous: bool,
    writer: Mutex<Option<(FileId, Connection)>>,
    readers: Mutex<Vec<(FileId, Connection)>>,
    /// The file that was last seen, so that connections to another one are forgotten.
    seen: Mutex<Option<FileId>>,
}

impl Database {
    /// The file at a path, if there is a place for one. `is_synchronous` is whether every write has to reach the disk before it counts: otherwise a failure of
    /// power may take the last ones, though never the order of what remains.
    pub(super) fn new(holds: &'static str, path: Option<PathBuf>, is_synchronous: bool) -> Self {
        Self {
            holds,
            path,
            is_synchronous,
            writer: Mutex::default(),
            readers: Mutex::default(),
            seen: Mutex::default(),
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> Result<&Path, OpError> {
        self.path.as_deref().ok_or_else(|| {
            let message = format!(
                "there is no directory for {}: the home directory is unknown",
                self.holds
            );
            OpError::new(ErrorKind::Unavailable, message).hint("set a file with --db or LORE_DB")
        })
    }

    /// A connection of its own to a file that exists.
    pub(super) fn open(&self) -> Result<Connection, OpError> {
        open(self.path()?, self.is_synchronous)
    }

    /// Reads one state of the file. One that does not exist yet is empty, and is not made by this; it is no file then.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Connection, Option<FileId>) -> Result<T, OpError>,
    ) -> Result<T, OpError> {
        let path = self.path()?;
        let Some(now) = file_id(path).filter(|_| fs::metadata(path).is_ok_and(|file| file.len() > 0)) else {
            return work(&open_empty()?, None);
        };
        self.with_reader(now, |connection| {
            connection.execute_batch("BEGIN").map_err(fault)?;
            let outcome = work(connection, Some(now));
            // Nothing was written, so that nothing can be lost by this.
            let is_over = connection.execute_batch("ROLLBACK").is_ok();
            Ok((outcome, is_over))
        })?
    }

    /// Does something with a connection of those that read; it is kept if that says so.
    pub(super) fn with_reader<T>(
        &self,
        now: FileId,
        work: impl FnOnce(&Connection) -> Result<(T, bool), OpError>,
    ) -> Result<T, OpError> {
        self.notice(now);
        let path = self.path()?;
        let connection = match self.kept_reader(now) {
            Some(connection) => connection,
            None => open(path, self.is_synchronous).or_else(|error| open_unwritable(path).map_err(|_| error))?,
        };
        let (outcome, is_over) = work(&connection)?;
        let mut readers = lock(&self.readers);
        if is_over && readers.len() < READERS {
            readers.push((now, connection));
        }
        Ok(outcome)
    }

    /// Writes all of it, or nothing if the work fails. The work is run again if another process was faster at its end.
    pub(super) fn write(
        &self,
        work: &mut dyn FnMut(&Connection, FileId) -> Result<(), OpError>,
    ) -> Result<(), OpError> {
        self.with_writer(|connection, now| self.transaction(connection, &mut |connection| work(connection, now)))
    }

    /// Does something with the one connection that writes. The file is made if it is not there.
    pub(super) fn with_writer<T>(
        &self,
        work: impl FnOnce(&Connection, FileId) -> Result<T, OpError>,
    ) -> Result<T, OpError> {
        let path = self.path()?;
        let mut writer = lock(&self.writer);
        let now = match file_id(path) {
            Some(now) => now,
            None => {
                make(path)?;
                file_id(path).unwrap_or_default()
            }
        };
        self.notice(now);
        let kept = writer.take().filter(|(of, _)| *of == now);
        let connection = match kept {
            Some((_, connection)) => connection,
            None => open(path, self.is_synchronous)?,
        };
        let outcome = work(&connection, now);
        *writer = Some((now, connection));
        outcome
    }

    /// Runs work in a transaction that writes; again if another process was faster at its end.
    pub(super) fn transaction(
        &self,
        connection: &Connection,
        work: &mut dyn FnMut(&Connection) -> Result<(), OpError>,
    ) -> Result<(), OpError> {
        for attempt in 1.. {
            connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
            let undo = || {
                // What failed is told; if the transaction is over already, there is nothing to undo.
                let _ = connection.execute_batch("ROLLBACK");
            };
            if let Err(error) = work(connection) {
                undo();
                return Err(error);
            }
            match connection.execute_batch("COMMIT") {
                Ok(()) => return Ok(()),
                Err(error) => {
                    undo();
                    if attempt >= ATTEMPTS || !is_busy(&error) {
                        return Err(fault(error));
                    }
                }
            }
        }
        Ok(())
    }

    fn kept_reader(&self, now: FileId) -> Option<Connection> {
        let mut readers = lock(&self.readers);
        while let Some((of, connection)) = readers.pop() {
            if of == now {
                return Some(connection);
            }
        }
        None
    }

    /// Forgets the connections to another file that stood in this place.
    fn notice(&self, now: FileId) {
        if lock(&self.seen).replace(now).is_some_and(|before| before != now) {
            lock(&self.readers).clear();
        }
    }
}

/// A lock that a thread that died does not keep.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // It left whole values behind: each is replaced in one step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
