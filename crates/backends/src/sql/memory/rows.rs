//! Converts between rows and objects: identifiers, enumerations and versions in the tables of the memory.

use lore_memory::check::{conflict, not_found, refused};
use lore_memory::envelope::code;
use lore_memory::id::Id;
use lore_memory::model::Word;
use lore_memory::store::Got;
use rusqlite::Connection;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::sql::faults::fault;
pub(super) use crate::sql::rows::{Listed, all, count, execute, listed, one};

/// An identifier in a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key(pub(super) Id);

impl ToSql for Key {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0.to_string()))
    }
}

impl FromSql for Key {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let id = value.as_str()?.parse();
        id.map(Self).map_err(FromSqlError::other)
    }
}

/// A word of a closed list in a column.
pub(super) struct Said<W>(pub(super) W);

impl<W: Word> FromSql for Said<W> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = W::from_word(value.as_str()?);
        word.map(Self).ok_or(FromSqlError::InvalidType)
    }
}

/// The next number of the order of everything.
pub(super) fn next(connection: &Connection) -> Got<i64> {
    let sql = "UPDATE sequence SET next = next + 1 WHERE name = 'memory' RETURNING next";
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    statement.query_row([], |row| row.get(0)).map_err(fault)
}

/// A table whose rows have an identifier and a version.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// Its name.
    pub(super) name: &'static str,
    /// What a row is called.
    pub(super) what: &'static str,
}

impl Table {
    /// Refuses a row that exists.
    pub(super) fn check_new(self, connection: &Connection, id: Id) -> Got<()> {
        let sql = format!("SELECT 1 FROM {} WHERE id = ?1", self.name);
        match one(connection, &sql, [Key(id)], |_| Ok(()))? {
            Some(()) => {
                let message = format!("{} {id} exists already", self.what.to_lowercase());
                Err(refused(code::CONFLICT, message))
            }
            None => Ok(()),
        }
    }

    /// Refuses an update that changed nothing: somebody else wrote the row, or there is none.
    pub(super) fn check_changed(self, connection: &Connection, id: Id, expected: i64, changed: usize) -> Got<()> {
        if changed > 0 {
            return Ok(());
        }
        let sql = format!("SELECT version FROM {} WHERE id = ?1", self.name);
        match one(connection, &sql, [Key(id)], |row| row.get::<_, i64>(0))? {
            Some(current) => Err(conflict(id, expected, current)),
            None => Err(not_found(self.what, id)),
        }
    }

    /// Takes a row away that has to be there.
    pub(super) fn remove(self, connection: &Connection, id: Id) -> Got<()> {
        let sql = format!("DELETE FROM {} WHERE id = ?1", self.name);
        match execute(connection, &sql, [Key(id)])? {
            0 => Err(not_found(self.what, id)),
            _ => Ok(()),
        }
    }
}

/// Refuses to take away what others are part of.
pub(super) fn check_childless(connection: &Connection, what: &str, id: Id, tables: &[(&str, &str)]) -> Got<()> {
    for (table, column) in tables {
        let sql = format!("SELECT 1 FROM {table} WHERE {column} = ?1 LIMIT 1");
        if one(connection, &sql, [Key(id)], |_| Ok(()))?.is_some() {
            let message = format!("others are part of {what} {id}");
            return Err(refused(code::HAS_CHILDREN, message));
        }
    }
    Ok(())
}
