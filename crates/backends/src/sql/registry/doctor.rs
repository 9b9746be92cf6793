//! Whether the tables of a registry agree. That pages and references are whole is looked at with memory, whose file it is.

use std::sync::Arc;

use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::store::{Got, MOST_LEASES, reading};
use lore_seam::{Check, Health};
use rusqlite::Connection;

use super::SqlRegistry;
use crate::sql::doctor::{Finding, Look, check, fallen, looked, number};
use crate::sql::file_id;

const REBUILD: &str = "`lore registry list --json` lists what can be read; register it in a new store";

impl Health for SqlRegistry {
    fn check(&self) -> Vec<Check> {
        let Some(path) = self.database.path().ok().filter(|path| file_id(path).is_some()) else {
            return Vec::new();
        };
        let connection = match self.database.open() {
            Ok(connection) => connection,
            // A file that cannot be opened is told by memory already.
            Err(_) => return Vec::new(),
        };
        let figures = match figures(&connection) {
            Ok(Some(figures)) => check("registry", true, figures, None),
            Ok(None) => return Vec::new(),
            Err(error) => return vec![fallen("registry", path, error)],
        };
        let looks: [(&str, Look); 3] = [
            ("registry.counts", counts),
            ("registry.index", index),
            ("registry.jobs", jobs),
        ];
        let looks = looks.map(|(name, look)| looked(name, path, look(&connection)));
        [figures].into_iter().chain(looks).collect()
    }
}

/// Bodies that are asked for at once whether they are held.
const BATCH: usize = 256;

/// The bodies of a registry against the graphs that hold them.
pub(crate) struct HeldBodies {
    pub(crate) registry: Arc<SqlRegistry>,
    pub(crate) bodies: Arc<dyn Bodies>,
}

impl Health for HeldBodies {
    fn check(&self) -> Vec<Check> {
        let told = match self.told() {
            Ok(None) => return Vec::new(),
            Ok(Some(told)) => check("registry.bodies", true, told, None),
            Err(error) => check("registry.bodies", false, error.message, error.hints.into_iter().next()),
        };
        vec![told]
    }
}

impl HeldBodies {
    /// How many there are, and how many of them nobody holds; nothing if there are none.
    fn told(&self) -> Got<Option<String>> {
        let all = self.bodies.all()?;
        if all.is_empty() {
            return Ok(None);
        }
        let bytes: u64 = all.iter().map(|(_, bytes)| bytes).sum();
        let (count, mut unheld) = (all.len(), 0);
        for batch in all.chunks(BATCH) {
            let digests: Vec<String> = batch.iter().map(|(digest, _)| digest.clone()).collect();
            unheld += reading(self.registry.as_ref(), |store| store.unheld(&digests))?.len();
        }
        Ok(Some(match unheld {
            0 => format!("{count} bodies, {bytes} bytes; each belongs to a graph"),
            _ => format!(
                "{count} bodies, {bytes} bytes; {unheld} belong to no graph; `lore registry sync --sweep` removes them when they are an hour old"
            ),
        }))
    }
}

/// How much there is; nothing if nobody made a registry here.
fn figures(connection: &Connection) -> Got<Option<String>> {
    let count = |table: &str| number(connection, &format!("SELECT count(*) FROM {table}"));
    let entries = count("registry_repository")?;
    if entries == 0 && count("registry_settings")? == 0 {
        return Ok(None);
    }
    let (visits, events) = (count("registry_visit")?, count("registry_event")?);
    Ok(Some(format!("{entries} entries, {visits} visits, {events} events")))
}

/// The sums that are kept against what they are sums of.
fn counts(connection: &Connection) -> Got<Finding> {
    let wrong = number(
        connection,
        "SELECT count(*) FROM (SELECT status FROM registry_repository GROUP BY status \
         HAVING count(*) <> coalesce((SELECT entries FROM registry_count WHERE what = 'status' AND name = status), 0)) AS s",
    )? + number(
        connection,
        "SELECT count(*) FROM registry_count AS c WHERE what = 'language' AND entries <> \
         (SELECT count(*) FROM registry_label AS l WHERE l.kind = 'language' AND l.label = c.name)",
    )?;
    let kept = number(
        connection,
        "SELECT coalesce(sum(entries), 0) FROM registry_count WHERE what = 'status'",
    )?;
    let there = number(connection, "SELECT count(*) FROM registry_repository")?;
    Ok(match wrong + i64::from(kept != there) {
        0 => Finding::well("every sum is that of the entries"),
        wrong => Finding::fault(format!("{wrong} counts differ from the entries"), REBUILD),
    })
}

/// The index of words against the graphs that it is of.
fn index(connection: &Connection) -> Got<Finding> {
    let texts = number(connection, "SELECT count(*) FROM registry_text")?;
    let indexed = number(connection, "SELECT count(*) FROM registry_words_docsize")?;
    Ok(if texts == indexed {
        Finding::well(format!("{texts} graphs can be searched"))
    } else {
        Finding::fault(
            format!("{texts} graphs can be searched, the index has {indexed}"),
            REBUILD,
        )
    })
}

/// Entries without a job, and those whose visits do not come to an end.
fn jobs(connection: &Connection) -> Got<Finding> {
    let lost = number(
        connection,
        "SELECT (SELECT count(*) FROM registry_repository) - (SELECT count(*) FROM registry_job)",
    )?;
    let stuck = number(
        connection,
        &format!("SELECT count(*) FROM registry_job WHERE leases >= {MOST_LEASES}"),
    )?;
    Ok(match (lost, stuck) {
        (0, 0) => Finding::well("every entry has its turn"),
        (0, stuck) => Finding::well(format!("{stuck} entries are stuck: {MOST_LEASES} visits did not end")),
        (lost, _) => Finding::fault(format!("{lost} entries are never visited"), REBUILD),
    })
}
