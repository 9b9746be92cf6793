//! What is kept in SQL: SQLite, bundled. The file is opened when it is first asked, and made when it is first written to.

mod connection;
mod database;
mod doctor;
mod faults;
mod memory;
mod migrate;
mod registry;
mod rows;
mod table;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use lore_memory::store::{Got, Memory, ReadWork, StoreFile, WriteWork};
use lore_memory::transfer::v3::Dump;
use lore_seam::{ErrorKind, OpError};
use rusqlite::{Connection, OpenFlags};

use connection::{FileId, file_id, make, open_empty};
use database::{Database, lock};
use faults::fault;
use memory::{PatternCache, Unit, copy_into, empty, read_dump};
use migrate::schema;
pub(crate) use registry::HeldBodies;
pub use registry::SqlRegistry;
pub(crate) use table::table;

use crate::safe_fs::{open_own_file, remove, rename, replace_with, temporary_beside};

/// Bytes of a foreign store that is read.
const FOREIGN_BYTES: u64 = 1 << 30;

/// The store of memory in a file.
#[derive(Debug)]
pub struct SqlMemory {
    database: Database,
    /// The file that the patterns are of.
    seen: Mutex<Option<FileId>>,
    patterns: PatternCache,
}

impl SqlMemory {
    /// The store in a file, if there is a place for one. `is_synchronous` is whether every write has to reach the disk before it counts: otherwise a failure of
    /// power may take the last ones, though never the order of what remains.
    pub fn new(path: Option<PathBuf>, is_synchronous: bool) -> Self {
        Self {
            database: Database::new("memory", path, is_synchronous),
            seen: Mutex::default(),
            patterns: PatternCache::default(),
        }
    }

    /// What is kept of the patterns of a file; nothing of those of another one that stood in its place.
    fn patterns(&self, of: FileId) -> &PatternCache {
        if lock(&self.seen).replace(of).is_some_and(|before| before != of) {
            self.patterns.clear();
        }
        &self.patterns
    }
}

impl Memory for SqlMemory {
    fn read(&self, work: ReadWork<'_>) -> Got<()> {
        self.database.read(|connection, file| {
            let unkept = PatternCache::default();
            work(&Unit {
                connection,
                patterns: file.map_or(&unkept, |file| self.patterns(file)),
                is_writing: false,
            })
        })
    }

    fn write(&self, work: WriteWork<'_>) -> Got<()> {
        self.database.write(&mut |connection, file| {
            work(&mut Unit {
                connection,
                patterns: self.patterns(file),
                is_writing: true,
            })
        })
    }

    fn trial(&self, work: WriteWork<'_>) -> Got<()> {
        let connection = match file_id(self.database.path()?) {
            Some(_) => self.database.open()?,
            None => open_empty()?,
        };
        connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
        let outcome = work(&mut Unit {
            connection: &connection,
            // What is compiled from rows that come to nothing must not be remembered.
            patterns: &PatternCache::default(),
            is_writing: true,
        });
        connection.execute_batch("ROLLBACK").map_err(fault)?;
        outcome
    }

    fn place(&self) -> Got<StoreFile> {
        let path = self.database.path()?;
        let shown = path.display().to_string();
        let Some(now) = file_id(path) else {
            return Ok(StoreFile {
                path: shown,
                ..StoreFile::default()
            });
        };
        self.database.with_reader(now, |connection| {
            let journal = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0));
            let bytes = ["", "-wal"].iter().filter_map(|suffix| {
                let file = beside(path, suffix);
                fs::metadata(file).ok().map(|file| file.len())
            });
            let place = StoreFile {
                path: shown,
                exists: true,
                schema: schema(connection)?,
                bytes: bytes.sum(),
                journal: journal.map_err(fault)?,
            };
            Ok((place, true))
        })
    }

    fn set_aside(&self, stamp: &str) -> Got<String> {
        let path = self.database.path()?;
        let failed = |error: std::io::Error| {
            let message = format!("the backup cannot be written: {error}; the store is unchanged");
            OpError::new(ErrorKind::Unavailable, message).because(error)
        };
        self.database.with_writer(|connection, _| {
            let mut backup = None;
            // Nobody writes from here on until the store is empty, so that nothing is lost between the two.
            self.database.transaction(connection, &mut |connection| {
                let (unfinished, finished) = backup_paths(path, stamp);
                let copied = make(&unfinished)
                    .and_then(|()| copy_into(path, &unfinished))
                    .and_then(|()| {
                        let file = fs::File::open(&unfinished).map_err(failed)?;
                        file.sync_all().map_err(failed)?;
                        rename(&unfinished, &finished).map_err(failed)
                    });
                if let Err(error) = copied {
                    // The copy is of no use, and whether it can be removed changes nothing.
                    let _ = remove(&unfinished);
                    return Err(error);
                }
                backup = Some(finished);
                empty(connection)
            })?;
            self.patterns.clear();
            Ok(backup.map(|path| path.display().to_string()).unwrap_or_default())
        })
    }

    fn read_v3(&self, foreign: &str) -> Got<Dump> {
        let foreign = Path::new(foreign);
        let unavailable = |error: std::io::Error| {
            let message = format!("{} cannot be read: {error}", foreign.display());
            OpError::new(ErrorKind::Unavailable, message).because(error)
        };
        let size = fs::metadata(foreign).map_err(unavailable)?.len();
        if size > FOREIGN_BYTES {
            let message = format!(
                "{} has {size} bytes; at most {FOREIGN_BYTES} are read",
                foreign.display()
            );
            return Err(OpError::new(ErrorKind::Invalid, message));
        }
        // A copy is opened, for the file itself is somebody else's: opening it would bring its journal in.
        let own = self.database.path()?;
        connection::make_parent(own).map_err(unavailable)?;
        let directory = own.parent().unwrap_or(Path::new("."));
        let scratch = tempfile::Builder::new().prefix(".lore-import-").tempdir_in(directory);
        let scratch = scratch.map_err(unavailable)?;
        let target = scratch.path().join("store.db");
        for suffix in ["", "-wal"] {
            let from = beside(foreign, suffix);
            if suffix.is_empty() || from.exists() {
                let mut read = open_own_file(&from).map_err(unavailable)?.take(FOREIGN_BYTES);
                replace_with(&beside(&target, suffix), |file| io::copy(&mut read, file).map(drop))
                    .map_err(unavailable)?;
            }
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&target, flags).map_err(fault)?;
        read_dump(&connection).map_err(|error| OpError {
            message: format!("{}: {}", foreign.display(), error.message),
            ..error
        })
    }
}

/// A path with something behind its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Where a backup is made and what it is called then: a name that nothing has.
fn backup_paths(store: &Path, stamp: &str) -> (PathBuf, PathBuf) {
    let named = |number: u32| match number {
        1 => store.with_file_name(format!("memory-{stamp}.db")),
        number => store.with_file_name(format!("memory-{stamp}-{number}.db")),
    };
    let finished = (1..).map(named).find(|path| !path.exists()).unwrap_or_default();
    (temporary_beside(&finished), finished)
}
