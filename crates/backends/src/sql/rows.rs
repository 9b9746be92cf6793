//! Runs statements, and stores lists and objects as JSON in columns.

use lore_seam::{ErrorKind, OpError};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::faults::fault;

/// A list or an object as JSON in a column.
pub(super) struct Listed<T>(pub(super) T);

impl<T: DeserializeOwned> FromSql for Listed<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?)
            .map(Self)
            .map_err(FromSqlError::other)
    }
}

/// A list or an object as JSON.
pub(super) fn listed(value: &impl Serialize) -> Result<String, OpError> {
    serde_json::to_string(value).map_err(|error| {
        OpError::new(ErrorKind::Internal, format!("cannot write a list as JSON: {error}")).because(error)
    })
}

/// The one row that a statement gives, if there is one.
pub(super) fn one<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, OpError> {
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    statement.query_row(params, read).optional().map_err(fault)
}

/// All rows that a statement gives.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, OpError> {
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    let rows = statement.query_map(params, read).map_err(fault)?;
    rows.collect::<Result<_, _>>().map_err(fault)
}

/// Changes rows; how many.
pub(super) fn execute(connection: &Connection, sql: &str, params: impl Params) -> Result<usize, OpError> {
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    statement.execute(params).map_err(fault)
}

/// A number from one row.
pub(super) fn count(connection: &Connection, sql: &str, params: impl Params) -> Result<u64, OpError> {
    let number: Option<i64> = one(connection, sql, params, |row| row.get(0))?;
    Ok(number.and_then(|number| u64::try_from(number).ok()).unwrap_or(0))
}
