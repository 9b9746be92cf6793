//! Moving everything that is remembered into a store of its own.

use std::path::Path;

use lore_memory::store::Got;
use lore_seam::{ErrorKind, OpError};
use rusqlite::Connection;

use super::rows::count;
use crate::sql::faults::fault;
use crate::sql::migrate::{MIGRATIONS, migrate};

/// The tables of memory, those that others refer to first.
const TABLES: [&str; 15] = [
    "store",
    "projects",
    "project_repositories",
    "features",
    "tasks",
    "blockers",
    "related",
    "sections",
    "templates",
    "template_sections",
    "entity_tags",
    "graph_molecules",
    "graph_atoms",
    "graph_changelog",
    "graph_removals",
];

/// Copies all tables of a store into a new file, which is a store itself then.
pub(in crate::sql) fn copy_into(store: &Path, target: &Path) -> Got<()> {
    let copy = Connection::open(target).map_err(fault)?;
    migrate(&copy, MIGRATIONS)?;
    let source = store.to_string_lossy();
    copy.execute("ATTACH DATABASE ?1 AS source", [source.as_ref()])
        .map_err(fault)?;
    copy.execute_batch("BEGIN").map_err(fault)?;
    for table in TABLES {
        let sql = format!("INSERT INTO main.{table} SELECT * FROM source.{table}");
        copy.execute_batch(&sql).map_err(fault)?;
    }
    copy.execute_batch(
        "UPDATE main.sequence SET next = (SELECT next FROM source.sequence WHERE name = 'memory') WHERE name = 'memory';
         INSERT INTO main.molecule_words (rowid, name, knowledge) SELECT seq, name_fold, knowledge_fold FROM main.graph_molecules;
         INSERT INTO main.atom_words (rowid, name, knowledge) SELECT seq, name_fold, knowledge_fold FROM main.graph_atoms;
         COMMIT;",
    )
    .map_err(fault)?;
    for table in TABLES {
        let rows = |schema: &str| count(&copy, &format!("SELECT count(*) FROM {schema}.{table}"), []);
        if rows("main")? != rows("source")? {
            let message = format!("the backup lacks rows of {table}; the store is unchanged");
            return Err(OpError::new(ErrorKind::Internal, message));
        }
    }
    copy.execute_batch("DETACH DATABASE source").map_err(fault)?;
    copy.close().map_err(|(_, error)| fault(error))
}

/// Takes everything out of the store but the order of things, which goes on, and says of each atom that it is gone.
pub(in crate::sql) fn empty(connection: &Connection) -> Got<()> {
    connection
        .execute_batch(
            "UPDATE sequence SET next = next + 1 WHERE name = 'memory';
             INSERT INTO graph_removals (project_id, atom_id, revision)
               SELECT project_id, id, (SELECT next FROM sequence WHERE name = 'memory') FROM graph_atoms;
             INSERT INTO atom_words (atom_words) VALUES ('delete-all');
             INSERT INTO molecule_words (molecule_words) VALUES ('delete-all');",
        )
        .map_err(fault)?;
    for table in TABLES.iter().rev().filter(|table| **table != "graph_removals") {
        connection
            .execute_batch(&format!("DELETE FROM {table}"))
            .map_err(fault)?;
    }
    Ok(())
}
