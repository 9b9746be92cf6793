//! Connections to the file: how they are opened, shared and waited for.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use lore_seam::{ErrorKind, OpError};
use rusqlite::{Connection, OpenFlags};

use super::faults::{fault, is_busy};
use super::migrate::{MIGRATIONS, migrate};

/// How long a connection waits for another process.
const PATIENCE: Duration = Duration::from_secs(10);
/// Statements that a connection keeps.
const STATEMENTS: usize = 128;
/// Bytes of pages that a connection keeps.
const CACHE_KIB: i32 = 8 << 10;

/// Which file it is, so that one that was put in its place is noticed.
pub(super) type FileId = (u64, u64);

/// The file that a path leads to, if there is one.
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    let metadata = fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        // A file that was put in place of another was made at another time.
        let made = metadata.created().ok()?;
        let since = made.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some((0, u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)))
    }
}

/// Makes the file, for its owner alone, with the directories that lead to it.
pub(super) fn make(path: &Path) -> Result<(), OpError> {
    let unavailable = |error: std::io::Error| {
        let message = format!("{} cannot be created: {error}", path.display());
        OpError::new(ErrorKind::Unavailable, message)
            .hint("choose another file with --db, LORE_DB or LORE_HOME")
            .because(error)
    };
    make_parent(path).map_err(unavailable)?;
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(unavailable)
}

/// Makes the directories that lead to a file, for their owner alone.
pub(super) fn make_parent(path: &Path) -> io::Result<()> {
    let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) else {
        return Ok(());
    };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Whether others than the owner may read a path.
pub(super) fn is_open_to_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// A connection to a file that exists, with the schema that this Lore knows.
pub(super) fn open(path: &Path, is_synchronous: bool) -> Result<Connection, OpError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(fault)?;
    prepare(&mut connection, is_synchronous)?;
    journal(&connection)?;
    migrate(&connection, MIGRATIONS)?;
    Ok(connection)
}

/// A connection that only reads, to a file that may not be written or stands where nothing may.
pub(super) fn open_unwritable(path: &Path) -> Result<Connection, OpError> {
    let journal = super::beside(path, "-wal");
    // Without a journal nobody is writing, and SQLite need not make files beside it to find that out.
    let mode = if fs::metadata(&journal).is_ok_and(|journal| journal.len() > 0) {
        "mode=ro"
    } else {
        "immutable=1"
    };
    let mut address = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => address.push(char::from(*byte)),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let mut connection = Connection::open_with_flags(format!("{address}?{mode}"), flags).map_err(fault)?;
    prepare(&mut connection, false)?;
    migrate(&connection, MIGRATIONS)?;
    Ok(connection)
}

/// An empty store that is nowhere.
pub(super) fn open_empty() -> Result<Connection, OpError> {
    let mut connection = Connection::open_in_memory().map_err(fault)?;
    prepare(&mut connection, false)?;
    migrate(&connection, MIGRATIONS)?;
    Ok(connection)
}

/// Sets what holds for one connection.
pub(super) fn prepare(connection: &mut Connection, is_synchronous: bool) -> Result<(), OpError> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    let mut began = Instant::now();
    let wait = move |count: i32| {
        if count == 0 {
            began = Instant::now();
        }
        let waits = began.elapsed() < PATIENCE;
        if waits {
            // Short at first, since most writes take less than a millisecond; not the same for two that wait at once.
            let spread = u64::from(began.elapsed().subsec_nanos() % 7);
            std::thread::sleep(Duration::from_millis(1 + spread.min(count.max(0) as u64)));
        }
        waits
    };
    connection.busy_handler(Some(wait)).map_err(fault)?;
    let synchronous = if is_synchronous { "FULL" } else { "NORMAL" };
    let pragmas =
        format!("PRAGMA foreign_keys = ON; PRAGMA synchronous = {synchronous}; PRAGMA cache_size = -{CACHE_KIB};");
    connection.execute_batch(&pragmas).map_err(fault)
}

/// Lets readers and a writer work at once. A file system that does not allow it is left as it is; `lore doctor` tells.
fn journal(connection: &Connection) -> Result<(), OpError> {
    let began = Instant::now();
    loop {
        let mode = connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
        let mode = match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)),
            Err(error) => Err(error),
        };
        match mode {
            Ok(_) => return Ok(()),
            // Changing the mode does not wait for others by itself.
            Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(error) => return Err(fault(error)),
        }
    }
}
