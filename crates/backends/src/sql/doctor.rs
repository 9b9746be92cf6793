//! Whether the store is well.

use std::path::Path;

use lore_memory::graph::paths::is_pattern;
use lore_memory::model::Status;
use lore_memory::store::Got;
use lore_seam::{Check, Health, OpError};
use rusqlite::Connection;

use super::connection::is_open_to_others;
use super::faults::fault;
use super::migrate::schema;
use super::{SqlMemory, file_id};

impl Health for SqlMemory {
    fn check(&self) -> Vec<Check> {
        let Ok(path) = self.database.path() else {
            return vec![check(
                "memory",
                true,
                "there is no directory for it; set a file with --db".to_owned(),
                None,
            )];
        };
        let shown = path.display();
        if file_id(path).is_none() {
            return vec![check("memory", true, format!("{shown}: the memory is empty"), None)];
        }
        let connection = match self.database.open() {
            Ok(connection) => connection,
            Err(error) => return vec![fallen("memory", path, error)],
        };
        let mut checks = Vec::new();
        let figures = figures(&connection).unwrap_or_else(|error| error.to_string());
        checks.push(check("memory", true, format!("{shown}: {figures}"), None));
        let looks: [(&str, Look); 6] = [
            ("memory.pages", pages),
            ("memory.references", references),
            ("memory.index", index),
            ("memory.states", states),
            ("memory.patterns", patterns),
            ("memory.journal", journal),
        ];
        for (name, look) in looks {
            checks.push(looked(name, path, look(&connection)));
        }
        if is_open_to_others(path) {
            let detail = format!("{shown} can be read by others than you");
            checks.push(check(
                "memory.rights",
                false,
                detail,
                Some(format!("chmod 600 {shown}")),
            ));
        }
        checks
    }
}

pub(super) fn check(name: &str, ok: bool, detail: String, hint: Option<String>) -> Check {
    Check {
        name: name.to_owned(),
        ok,
        detail,
        hint,
    }
}

pub(super) fn fallen(name: &str, path: &Path, error: OpError) -> Check {
    let detail = format!("{}: {}", path.display(), error.message);
    check(name, false, detail, error.hints.into_iter().next())
}

/// The result of a check of the store.
pub(super) fn looked(name: &str, path: &Path, found: Got<Finding>) -> Check {
    match found {
        Ok(found) => check(name, found.fault.is_none(), found.told(), found.hint()),
        Err(error) => fallen(name, path, error),
    }
}

/// One look at the store.
pub(super) type Look = fn(&Connection) -> Got<Finding>;

/// What was found: what is well, or what is not and what to do about it.
pub(super) struct Finding {
    well: String,
    fault: Option<(String, String)>,
}

impl Finding {
    pub(super) fn well(told: impl Into<String>) -> Self {
        Self {
            well: told.into(),
            fault: None,
        }
    }

    pub(super) fn fault(told: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            well: String::new(),
            fault: Some((told.into(), hint.into())),
        }
    }

    fn told(&self) -> String {
        self.fault
            .as_ref()
            .map_or_else(|| self.well.clone(), |(told, _)| told.clone())
    }

    fn hint(&self) -> Option<String> {
        self.fault.as_ref().map(|(_, hint)| hint.clone())
    }
}

/// Rows of which it is looked at whether the index knows them.
const LOOKED_AT: u32 = 500;
const REBUILD: &str = "`lore memory export` writes what can be read; import it into a new store";

fn texts(connection: &Connection, sql: &str) -> Got<Vec<String>> {
    let mut statement = connection.prepare(sql).map_err(fault)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).map_err(fault)?;
    rows.collect::<Result<_, _>>().map_err(fault)
}

pub(super) fn number(connection: &Connection, sql: &str) -> Got<i64> {
    connection.query_row(sql, [], |row| row.get(0)).map_err(fault)
}

fn figures(connection: &Connection) -> Got<String> {
    let count = |table: &str| number(connection, &format!("SELECT count(*) FROM {table}"));
    Ok(format!(
        "schema {}, {} projects, {} tasks, {} atoms",
        schema(connection)?,
        count("projects")?,
        count("tasks")?,
        count("graph_atoms")?
    ))
}

fn pages(connection: &Connection) -> Got<Finding> {
    let found = texts(connection, "PRAGMA quick_check(3)")?;
    Ok(match found.as_slice() {
        [only] if only == "ok" => Finding::well("every page is whole"),
        faults => Finding::fault(faults.join("; "), REBUILD),
    })
}

fn references(connection: &Connection) -> Got<Finding> {
    let faults = texts(connection, "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 100")?;
    Ok(match faults.len() {
        0 => Finding::well("every reference has its target"),
        faults => Finding::fault(format!("{faults} rows refer to what is not there"), REBUILD),
    })
}

/// The index of words against the rows: its own check, and whether it has as many rows.
fn index(connection: &Connection) -> Got<Finding> {
    for index in ["atom_words", "molecule_words"] {
        let sql = format!("INSERT INTO {index} ({index}) VALUES ('integrity-check')");
        if let Err(error) = connection.execute_batch(&sql) {
            return Ok(Finding::fault(
                format!("the index of words is wrong: {}", fault(error).message),
                REBUILD,
            ));
        }
    }
    let lost = unindexed(connection, "graph_atoms", "atom_words")?
        + unindexed(connection, "graph_molecules", "molecule_words")?;
    Ok(match lost {
        0 => Finding::well("the index of words is whole"),
        lost => Finding::fault(
            format!("{lost} atoms or molecules are not in the index of words"),
            REBUILD,
        ),
    })
}

/// How many of the last rows the index does not find by the first letters that they have.
fn unindexed(connection: &Connection, table: &str, index: &str) -> Got<usize> {
    let sql = format!(
        "SELECT seq, substr(CASE WHEN length(name_fold) >= 3 THEN name_fold ELSE knowledge_fold END, 1, 3) AS piece \
         FROM {table} WHERE length(name_fold) >= 3 OR length(knowledge_fold) >= 3 ORDER BY seq DESC LIMIT {LOOKED_AT}"
    );
    let mut statement = connection.prepare(&sql).map_err(fault)?;
    let rows = statement
        .query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
        .map_err(fault)?;
    let rows: Vec<(i64, String)> = rows.collect::<Result<_, _>>().map_err(fault)?;
    let sql = format!("SELECT count(*) FROM {index} WHERE {index} MATCH ?1 AND rowid = ?2");
    let mut statement = connection.prepare(&sql).map_err(fault)?;
    let mut lost = 0;
    for (sequence, piece) in rows {
        let asked = format!("\"{}\"", piece.replace('"', "\"\""));
        let found: i64 = statement
            .query_row(rusqlite::params![asked, sequence], |row| row.get(0))
            .map_err(fault)?;
        lost += usize::from(found == 0);
    }
    Ok(lost)
}

fn states(connection: &Connection) -> Got<Finding> {
    let known: Vec<String> = Status::KNOWN.iter().map(|state| format!("'{state}'")).collect();
    let known = known.join(", ");
    let unknown = number(
        connection,
        &format!(
            "SELECT (SELECT count(*) FROM tasks WHERE status NOT IN ({known})) \
             + (SELECT count(*) FROM features WHERE status NOT IN ({known}))"
        ),
    )?;
    Ok(match unknown {
        0 => Finding::well("every state is known"),
        unknown => Finding::fault(
            format!("{unknown} tasks or features are in states that no pipeline knows"),
            "`lore memory terminate` ends them",
        ),
    })
}

/// Patterns that an import brought and that match nothing.
fn patterns(connection: &Connection) -> Got<Finding> {
    let lists = texts(connection, "SELECT paths FROM graph_atoms")?;
    let lists = lists
        .iter()
        .map(|list| serde_json::from_str::<Vec<String>>(list).unwrap_or_default());
    let faulty = lists.flatten().filter(|pattern| !is_pattern(pattern)).count();
    Ok(match faulty {
        0 => Finding::well("every pattern of an atom is one"),
        faulty => Finding::fault(
            format!("{faulty} patterns of atoms are invalid and match nothing"),
            "`lore memory atom edit` corrects them",
        ),
    })
}

fn journal(connection: &Connection) -> Got<Finding> {
    let mode: String = connection
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .map_err(fault)?;
    Ok(match mode.as_str() {
        "wal" => Finding::well("readers do not wait for writers"),
        mode => Finding::fault(
            format!("the journal is `{mode}`: readers and writers wait for each other"),
            "move the store to a local disk, away from the network share",
        ),
    })
}
