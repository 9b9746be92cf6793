//! What is kept in SQL: SQLite, bundled. The file is opened when it is first asked, and made when it is first written to.

mod connection;
mod doctor;
mod faults;
mod memory;
mod migrate;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lore_specs::memory::store::{Got, Memory, Place, ReadWork, WriteWork};
use lore_specs::memory::transfer::v3::Dump;
use lore_specs::seam::{ErrorKind, OpError};
use rusqlite::{Connection, OpenFlags};

use connection::{FileId, file_id, make, open, open_empty, open_unwritable};
use faults::{fault, is_busy};
use memory::{PatternCache, Unit, copy_into, empty, read_dump};
use migrate::schema;
pub(crate) use table::table;

/// Connections for readers that are kept.
const READERS: usize = 4;
/// How often a write is tried again when another process was faster at the end of it.
const ATTEMPTS: u32 = 5;
/// Bytes of a foreign store that is read.
const FOREIGN_BYTES: u64 = 1 << 30;

/// The store of memory in a file.
#[derive(Debug)]
pub struct SqlMemory {
    path: Option<PathBuf>,
    is_synchronous: bool,
    writer: Mutex<Option<(FileId, Connection)>>,
    readers: Mutex<Vec<(FileId, Connection)>>,
    /// The file that was last seen, so that what is kept of another one is forgotten.
    seen: Mutex<Option<FileId>>,
    patterns: PatternCache,
}

impl SqlMemory {
    /// The store in a file, if there is a place for one. `is_synchronous` is whether every write has to reach the disk before it counts: otherwise a failure of
    /// power may take the last ones, though never the order of what remains.
    pub fn new(path: Option<PathBuf>, is_synchronous: bool) -> Self {
        Self {
            path,
            is_synchronous,
            writer: Mutex::default(),
            readers: Mutex::default(),
            seen: Mutex::default(),
            patterns: PatternCache::default(),
        }
    }

    fn path(&self) -> Got<&Path> {
        self.path.as_deref().ok_or_else(|| {
            OpError::new(
                ErrorKind::Unavailable,
                "there is no place for memory: no home directory is known",
            )
            .hint("name a file with --db or LORE_DB")
        })
    }

    /// Forgets what was kept of another file that stood in this place.
    fn notice(&self, now: FileId) {
        let mut seen = lock(&self.seen);
        if seen.replace(now).is_some_and(|before| before != now) {
            self.patterns.clear();
            lock(&self.readers).clear();
        }
    }

    fn reader(&self, path: &Path, now: FileId) -> Got<Connection> {
        let mut readers = lock(&self.readers);
        while let Some((of, connection)) = readers.pop() {
            if of == now {
                return Ok(connection);
            }
        }
        drop(readers);
        open(path, self.is_synchronous).or_else(|error| open_unwritable(path).map_err(|_| error))
    }

    fn give_back(&self, of: FileId, connection: Connection) {
        let mut readers = lock(&self.readers);
        if readers.len() < READERS {
            readers.push((of, connection));
        }
    }

    /// Does something with the one connection that writes. The file is made if it is not there.
    fn with_writer<T>(&self, work: impl FnOnce(&Connection) -> Got<T>) -> Got<T> {
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
        let outcome = work(&connection);
        *writer = Some((now, connection));
        outcome
    }

    /// Runs work in a transaction that writes; again if another process was faster at its end.
    fn transaction(&self, connection: &Connection, work: &mut dyn FnMut(&Connection) -> Got<()>) -> Got<()> {
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
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that died left whole values behind: each is replaced in one step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory for SqlMemory {
    fn read(&self, work: ReadWork<'_>) -> Got<()> {
        let path = self.path()?;
        let Some(now) = file_id(path).filter(|_| fs::metadata(path).is_ok_and(|file| file.len() > 0)) else {
            let connection = open_empty()?;
            return work(&Unit {
                connection: &connection,
                patterns: &PatternCache::default(),
                is_writing: false,
            });
        };
        self.notice(now);
        let connection = self.reader(path, now)?;
        connection.execute_batch("BEGIN").map_err(fault)?;
        let outcome = work(&Unit {
            connection: &connection,
            patterns: &self.patterns,
            is_writing: false,
        });
        // Nothing was written, so that nothing can be lost by this.
        if connection.execute_batch("ROLLBACK").is_ok() {
            self.give_back(now, connection);
        }
        outcome
    }

    fn write(&self, work: WriteWork<'_>) -> Got<()> {
        self.with_writer(|connection| {
            self.transaction(connection, &mut |connection| {
                work(&mut Unit {
                    connection,
                    patterns: &self.patterns,
                    is_writing: true,
                })
            })
        })
    }

    fn trial(&self, work: WriteWork<'_>) -> Got<()> {
        let path = self.path()?;
        let connection = match file_id(path) {
            Some(_) => open(path, self.is_synchronous)?,
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

    fn place(&self) -> Got<Place> {
        let path = self.path()?;
        let shown = path.display().to_string();
        let Some(now) = file_id(path) else {
            return Ok(Place {
                path: shown,
                ..Place::default()
            });
        };
        let connection = self.reader(path, now)?;
        let journal = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0));
        let bytes = ["", "-wal"].iter().filter_map(|suffix| {
            let file = beside(path, suffix);
            fs::metadata(file).ok().map(|file| file.len())
        });
        let place = Place {
            path: shown,
            exists: true,
            schema: schema(&connection)?,
            bytes: bytes.sum(),
            journal: journal.map_err(fault)?,
        };
        self.give_back(now, connection);
        Ok(place)
    }

    fn set_aside(&self, stamp: &str) -> Got<String> {
        let path = self.path()?;
        let failed = |error: std::io::Error| {
            let message = format!("the backup cannot be written: {error}; the store is as it was");
            OpError::new(ErrorKind::Unavailable, message)
        };
        self.with_writer(|connection| {
            let mut backup = None;
            // Nobody writes from here on until the store is empty, so that nothing is lost between the two.
            self.transaction(connection, &mut |connection| {
                let (unfinished, finished) = backup_paths(path, stamp);
                let copied = make(&unfinished)
                    .and_then(|()| copy_into(path, &unfinished))
                    .and_then(|()| {
                        let file = fs::File::open(&unfinished).map_err(failed)?;
                        file.sync_all().map_err(failed)?;
                        fs::rename(&unfinished, &finished).map_err(failed)?;
                        match finished.parent().map(fs::File::open) {
                            Some(Ok(directory)) => directory.sync_all().map_err(failed),
                            _ => Ok(()),
                        }
                    });
                if let Err(error) = copied {
                    // The copy is of no use, and whether it can be removed changes nothing.
                    let _ = fs::remove_file(&unfinished);
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
            OpError::new(ErrorKind::Unavailable, message)
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
        let directory = self.path()?.parent().unwrap_or(Path::new("."));
        let copy = Scratch::new(directory).map_err(unavailable)?;
        let target = copy.0.join("store.db");
        for suffix in ["", "-wal"] {
            let from = beside(foreign, suffix);
            if suffix.is_empty() || from.exists() {
                fs::copy(&from, beside(&target, suffix)).map_err(unavailable)?;
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
    let unfinished = beside(&finished, &format!(".{}", std::process::id()));
    // What an earlier attempt of a process with this number left is of no use.
    let _ = fs::remove_file(&unfinished);
    (unfinished, finished)
}

/// A directory that goes when it is not needed any more.
struct Scratch(PathBuf);

impl Scratch {
    fn new(beside: &Path) -> std::io::Result<Self> {
        let path = beside.join(format!(".import-{}", std::process::id()));
        // What an earlier process with this number left is of no use.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that stays is taken away by the next import.
        let _ = fs::remove_dir_all(&self.0);
    }
}
