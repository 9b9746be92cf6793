//! Reads rows of a table of a foreign SQLite database. Lore opens a copy, because opening the original could write its journal.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lore_seam::{ErrorKind, OpError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value};

use crate::safe_fs::{open_own_file, replace_with};

/// Bytes of a database.
const MOST_BYTES: u64 = 1 << 30;

/// Rows of a table, as objects with these of its columns that it has.
pub(crate) fn table(
    path: &Path,
    name: &str,
    columns: &[&str],
    most: usize,
) -> Result<Vec<Map<String, Value>>, OpError> {
    let directory = tempfile::tempdir().map_err(|error| unreadable(path, error))?;
    let copied = directory.path().join("database");
    copy(path, &copied).map_err(|error| unreadable(path, error))?;
    let log = beside(path, "-wal");
    if log.is_file() {
        copy(&log, &beside(&copied, "-wal")).map_err(|error| unreadable(&log, error))?;
    }
    rows(&copied, name, columns, most).map_err(|error| match error {
        Fault::None => OpError::new(ErrorKind::Invalid, format!("{} has no table `{name}`", path.display())),
        Fault::Many => OpError::new(
            ErrorKind::Invalid,
            format!("the table `{name}` of {} has more than {most} rows", path.display()),
        ),
        Fault::Sql(error) => {
            let message = format!("{} is not a readable SQLite database: {error}", path.display());
            OpError::new(ErrorKind::Invalid, message).because(error)
        }
    })
}

enum Fault {
    None,
    Many,
    Sql(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

fn unreadable(path: &Path, error: io::Error) -> OpError {
    let message = format!("{} cannot be read: {error}", path.display());
    OpError::new(ErrorKind::Unavailable, message).because(error)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(end);
    PathBuf::from(name)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut read = open_own_file(from)?.take(MOST_BYTES + 1);
    let mut copied = 0;
    replace_with(to, |file| {
        copied = io::copy(&mut read, file)?;
        Ok(())
    })?;
    if copied > MOST_BYTES {
        Err(io::Error::other(format!("more than {MOST_BYTES} bytes")))
    } else {
        Ok(())
    }
}

fn rows(path: &Path, name: &str, columns: &[&str], most: usize) -> Result<Vec<Map<String, Value>>, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // An untrusted schema must not call functions with side effects.
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")?;
    // Views and virtual tables are untrusted programs.
    let plain =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND sql NOT LIKE 'CREATE VIRTUAL%'";
    let is_there: i64 = connection.query_row(plain, [name], |row| row.get(0))?;
    if is_there != 1 {
        return Err(Fault::None);
    }
    let all = connection.prepare(&format!("SELECT * FROM {} LIMIT 0", quoted(name)))?;
    let known: Vec<String> = all.column_names().map(str::to_owned).collect();
    let wanted: Vec<&str> = columns
        .iter()
        .copied()
        .filter(|column| known.iter().any(|known| known == column))
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let list: Vec<String> = wanted.iter().map(|column| quoted(column)).collect();
    let mut statement = connection.prepare(&format!(
        "SELECT {} FROM {} ORDER BY rowid LIMIT {}",
        list.join(", "),
        quoted(name),
        most.saturating_add(1)
    ))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if found.len() == most {
            return Err(Fault::Many);
        }
        let mut object = Map::new();
        for (number, column) in wanted.iter().enumerate() {
            object.insert((*column).to_owned(), value(row.get_ref(number)?));
        }
        found.push(object);
    }
    Ok(found)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_table_are_read_and_nothing_is_written_beside_it() {
        let place = tempfile::tempdir().expect("a place");
        let path = place.path().join("graph.db");
        let connection = Connection::open(&path).expect("a database");
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; CREATE TABLE nodes (id INTEGER PRIMARY KEY, name TEXT, weight REAL, extra BLOB);
                 INSERT INTO nodes VALUES (1, 'a', 0.5, x'00'), (2, NULL, 1.0, NULL); CREATE VIEW seen AS SELECT * FROM nodes",
            )
            .expect("made");
        // Another process still has it open, with rows that are only in its log.
        let before: Vec<_> = std::fs::read_dir(place.path())
            .expect("listed")
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        let read = |table: &str, columns: &[&str], most: usize| {
            super::table(&path, table, columns, most).map_err(|error| error.message)
        };
        let rows = read("nodes", &["id", "name", "weight", "missing"], 9).expect("read");
        assert_eq!(
            serde_json::to_value(rows).expect("JSON"),
            serde_json::json!([{"id": 1, "name": "a", "weight": 0.5}, {"id": 2, "name": null, "weight": 1.0}])
        );
        let after: Vec<_> = std::fs::read_dir(place.path())
            .expect("listed")
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert_eq!(before, after);
        let shown = path.display();
        assert_eq!(read("seen", &["id"], 9), Err(format!("{shown} has no table `seen`")));
        assert_eq!(
            read("no\"thing", &["id"], 9),
            Err(format!("{shown} has no table `no\"thing`"))
        );
        assert_eq!(
            read("nodes", &["id"], 1),
            Err(format!("the table `nodes` of {shown} has more than 1 rows"))
        );
        assert_eq!(read("nodes", &["other"], 1), Ok(Vec::new()));
        drop(connection);
        std::fs::write(&path, "SQLite format 3\0 and then nothing that is one").expect("written");
        assert!(read("nodes", &["id"], 9).is_err_and(|message| message.contains("is not a readable SQLite database")));
    }
}
