//! The schema of the store: migrations that only go forward. Each migration is one transaction; the file has the number of the last one.

use lore_seam::{ErrorKind, OpError};
use rusqlite::Connection;

use super::faults::fault;

/// The steps, in order.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_orchestrator.sql"),
    include_str!("migrations/0002_knowledge_graph.sql"),
    include_str!("migrations/0003_graph_index.sql"),
    include_str!("migrations/0004_registry.sql"),
    include_str!("migrations/0005_registry_index.sql"),
];

/// The number of the last step that was taken.
pub(super) fn schema(connection: &Connection) -> Result<u32, OpError> {
    let version = connection.query_row("PRAGMA user_version", [], |row| row.get(0));
    version.map_err(fault)
}

/// Takes the steps that are missing; refuses a store that has taken more.
pub(super) fn migrate(connection: &Connection, migrations: &[&str]) -> Result<(), OpError> {
    let known = migrations.len() as u32;
    loop {
        let version = schema(connection)?;
        if version > known {
            return Err(newer(version, known));
        }
        if version == known {
            return Ok(());
        }
        connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
        let step = step(connection, migrations);
        let ended = match step {
            Ok(()) => connection.execute_batch("COMMIT").map_err(fault),
            Err(error) => Err(error),
        };
        if let Err(error) = ended {
            // What failed is told; that it cannot be rolled back is not more.
            let _ = connection.execute_batch("ROLLBACK");
            return Err(error);
        }
    }
}

/// Takes the next step, unless another process took it while this one waited.
fn step(connection: &Connection, migrations: &[&str]) -> Result<(), OpError> {
    let version = schema(connection)?;
    let Some(script) = migrations.get(version as usize) else {
        return Ok(());
    };
    connection.execute_batch(script).map_err(fault)?;
    connection
        .execute_batch(&format!("PRAGMA user_version = {}", version + 1))
        .map_err(fault)
}

fn newer(version: u32, known: u32) -> OpError {
    let message = format!("the store was written by a newer Lore: its schema is {version}, this one knows {known}");
    OpError::new(ErrorKind::Unavailable, message).hint("update Lore, or choose another store with --db")
}
