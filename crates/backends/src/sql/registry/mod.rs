//! The store of a registry in SQL: the tables behind `Registry`, beside those of memory in the same file.
//!
//! An entry is a document; [`entries`] keeps what is filtered and counted of it in step, [`jobs`] who visits it when, [`words`] what can be searched.

mod doctor;
mod entries;
mod jobs;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;
use std::path::PathBuf;

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::entry::{Entry, Seconds};
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{
    About, AuditRow, Claim, Concept, Counts, Event, EventKind, Filter, Found, Got, Leased, ReadWork, Reading,
    RegisteredFormat, Registry, SearchText, Visit, WriteWork, Writing,
};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, params};

use super::database::Database;
use super::rows::{Listed, all, count, execute, listed, one};

pub(crate) use doctor::HeldBodies;

/// The store of a registry in a file.
#[derive(Debug)]
pub struct SqlRegistry {
    database: Database,
}

impl SqlRegistry {
    /// The store in a file, if there is a place for one. `is_synchronous` is whether every write has to reach the disk before it counts.
    pub fn new(path: Option<PathBuf>, is_synchronous: bool) -> Self {
        Self {
            database: Database::new("a registry", path, is_synchronous),
        }
    }
}

impl Registry for SqlRegistry {
    fn read(&self, work: ReadWork<'_>) -> Got<()> {
        self.database.read(|connection, _| work(&Unit { connection }))
    }

    fn write(&self, work: WriteWork<'_>) -> Got<()> {
        self.database.write(&mut |connection, _| work(&mut Unit { connection }))
    }

    fn place(&self) -> Got<String> {
        Ok(self.database.path()?.display().to_string())
    }
}

/// One unit of work.
struct Unit<'c> {
    connection: &'c Connection,
}

/// A word of a status in a column.
struct Said(Status);

impl FromSql for Said {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let status = Status::parse(value.as_str()?);
        status.map(Self).ok_or(FromSqlError::InvalidType)
    }
}

/// What a text in a column is read as.
struct Parsed<T>(T);

impl FromSql for Parsed<RepositoryId> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        RepositoryId::parse(value.as_str()?)
            .map(Self)
            .map_err(FromSqlError::other)
    }
}

impl FromSql for Parsed<FormatId> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let format = FormatId::parse(value.as_str()?);
        format.map(Self).ok_or(FromSqlError::InvalidType)
    }
}

impl FromSql for Parsed<EventKind> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let kind = EventKind::parse(value.as_str()?);
        kind.map(Self).ok_or(FromSqlError::InvalidType)
    }
}

/// A number as a column holds it; what is larger is as large as a column holds.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of a column that is never negative.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// How many rows at most, as a statement takes it.
fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

impl Reading for Unit<'_> {
    fn about(&self) -> Got<Option<About>> {
        let sql = "SELECT value FROM registry_settings WHERE name = 'about'";
        one(self.connection, sql, [], |row| Ok(row.get::<_, Listed<About>>(0)?.0))
    }

    fn entry(&self, repository: &RepositoryId) -> Got<Option<Entry>> {
        entries::entry(self.connection, &repository.key())
    }

    fn page(&self, filter: &Filter, after: Option<&str>, most: usize) -> Got<Vec<Entry>> {
        entries::page(self.connection, filter, after, most)
    }

    fn each(&self, take: &mut dyn FnMut(Entry) -> Got<()>) -> Got<()> {
        entries::each(self.connection, take)
    }

    fn each_id(&self, take: &mut dyn FnMut(&str)) -> Got<()> {
        entries::each_id(self.connection, take)
    }

    fn counts(&self) -> Got<Counts> {
        entries::counts(self.connection)
    }

    fn concepts(&self, most: usize) -> Got<Vec<Concept>> {
        words::concepts(self.connection, most)
    }

    fn search(&self, asked: &[String], most: usize) -> Got<Vec<Found>> {
        words::search(self.connection, asked, most)
    }

    fn visits(&self, repository: &RepositoryId, most: usize) -> Got<Vec<Visit>> {
        jobs::visits(self.connection, &repository.key(), most)
    }

    fn events(&self, after: u64, most: usize) -> Got<Vec<Event>> {
        let sql = "SELECT seq, at, id, kind, status FROM registry_event WHERE seq > ?1 ORDER BY seq LIMIT ?2";
        all(self.connection, sql, params![signed(after), limit(most)], |row| {
            Ok(Event {
                seq: unsigned(row.get(0)?),
                at: row.get(1)?,
                id: row.get(2)?,
                kind: row.get::<_, Parsed<EventKind>>(3)?.0,
                status: row.get::<_, Option<Said>>(4)?.map(|said| said.0),
            })
        })
    }

    fn last_event(&self) -> Got<u64> {
        count(self.connection, "SELECT coalesce(max(seq), 0) FROM registry_event", [])
    }

    fn audit(&self, most: usize) -> Got<Vec<AuditRow>> {
        let sql = "SELECT at, action, subject, detail FROM registry_audit ORDER BY seq DESC LIMIT ?1";
        all(self.connection, sql, [limit(most)], |row| {
            Ok(AuditRow {
                at: row.get(0)?,
                action: row.get(1)?,
                subject: row.get(2)?,
                detail: row.get(3)?,
            })
        })
    }

    fn holders(&self, digest: &str) -> Got<u64> {
        let sql = "SELECT count(*) FROM registry_graph WHERE held_sha = ?1";
        count(self.connection, sql, [digest])
    }

    fn unheld(&self, digests: &[String]) -> Got<Vec<String>> {
        let mut unheld = Vec::new();
        for digest in digests {
            let sql = "SELECT EXISTS (SELECT 1 FROM registry_graph WHERE held_sha = ?1)";
            if count(self.connection, sql, [digest])? == 0 {
                unheld.push(digest.clone());
            }
        }
        Ok(unheld)
    }

    fn swept(&self) -> Got<Option<Seconds>> {
        let sql = "SELECT value FROM registry_settings WHERE name = 'swept'";
        one(self.connection, sql, [], |row| Ok(row.get::<_, Listed<Seconds>>(0)?.0))
    }

    fn delayed_hosts(&self, now: Seconds) -> Got<Vec<(String, Seconds)>> {
        jobs::delayed_hosts(self.connection, now)
    }

    fn last_visit(&self) -> Got<Option<Seconds>> {
        jobs::last_visit(self.connection)
    }

    fn next_due(&self) -> Got<Option<Seconds>> {
        jobs::next_due(self.connection)
    }

    fn stuck(&self) -> Got<Vec<String>> {
        jobs::stuck(self.connection)
    }

    fn formats(&self) -> Got<Vec<RegisteredFormat>> {
        let sql = "SELECT id, schema, added_at, deprecated_at, deprecation FROM registry_format";
        let mut formats = all(self.connection, sql, [], |row| {
            let since: Option<Seconds> = row.get(3)?;
            let words: Option<String> = row.get(4)?;
            Ok(RegisteredFormat {
                id: row.get::<_, Parsed<FormatId>>(0)?.0,
                schema: row.get(1)?,
                added_at: row.get(2)?,
                deprecated: since.zip(words),
            })
        })?;
        // The number counts as a number.
        formats.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(formats)
    }
}

impl Writing for Unit<'_> {
    fn set_about(&mut self, about: &About) -> Got<()> {
        let sql = "INSERT INTO registry_settings (name, value) VALUES ('about', ?1) \
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        execute(self.connection, sql, [listed(about)?]).map(drop)
    }

    fn put(&mut self, entry: &Entry, host: &str, due: Option<Seconds>) -> Got<()> {
        entries::put(self.connection, entry)?;
        jobs::put(self.connection, entry, host, due)
    }

    fn remove(&mut self, repository: &RepositoryId) -> Got<bool> {
        let key = repository.key();
        let Some(entry) = entries::entry(self.connection, &key)? else {
            return Ok(false);
        };
        words::remove(self.connection, &key)?;
        jobs::remove(self.connection, &key)?;
        entries::remove(self.connection, &key, &entry)?;
        Ok(true)
    }

    fn set_text(&mut self, repository: &RepositoryId, format: &FormatId, text: Option<&SearchText>) -> Got<()> {
        words::set_text(self.connection, repository, format, text)
    }

    fn set_terms(&mut self, repository: &RepositoryId, terms: &BTreeSet<String>) -> Got<()> {
        words::set_terms(self.connection, repository, terms)
    }

    fn claim(&mut self, claim: &Claim<'_>) -> Got<Vec<Leased>> {
        jobs::claim(self.connection, claim)
    }

    fn renew(&mut self, worker: &str, until: Seconds) -> Got<()> {
        jobs::renew(self.connection, worker, until)
    }

    fn give_back(&mut self, worker: &str, repository: &RepositoryId, due: Seconds) -> Got<()> {
        jobs::give_back(self.connection, worker, &repository.key(), due)
    }

    fn finish(&mut self, worker: &str, entry: &Entry, visit: &Visit, due: Option<Seconds>) -> Got<bool> {
        let is_held = jobs::finish(self.connection, worker, &entry.repository.key(), visit, due)?;
        if is_held {
            entries::put(self.connection, entry)?;
        }
        Ok(is_held)
    }

    fn forget_visits(&mut self, before: Seconds) -> Got<u64> {
        let sql = "DELETE FROM registry_visit WHERE at < ?1";
        Ok(execute(self.connection, sql, [before])? as u64)
    }

    fn join_round(&mut self, worker: &str, now: Seconds, until: Seconds) -> Got<Seconds> {
        jobs::join_round(self.connection, worker, now, until)
    }

    fn set_swept(&mut self, at: Seconds) -> Got<()> {
        let sql = "INSERT INTO registry_settings (name, value) VALUES ('swept', ?1) \
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        execute(self.connection, sql, [listed(&at)?]).map(drop)
    }

    fn delay_host(&mut self, host: &str, until: Seconds) -> Got<()> {
        let sql = "INSERT INTO registry_host (host, delayed_until) VALUES (?1, ?2) ON CONFLICT (host) \
                   DO UPDATE SET delayed_until = excluded.delayed_until WHERE excluded.delayed_until > registry_host.delayed_until";
        execute(self.connection, sql, params![host, until]).map(drop)
    }

    fn add_event(&mut self, at: Seconds, id: &RepositoryId, kind: EventKind, status: Option<Status>) -> Got<u64> {
        let sql = "INSERT INTO registry_event (at, id, kind, status) VALUES (?1, ?2, ?3, ?4) RETURNING seq";
        let values = params![at, id.to_string(), kind.word(), status.map(Status::word)];
        count(self.connection, sql, values)
    }

    fn add_audit(&mut self, row: &AuditRow) -> Got<()> {
        let sql = "INSERT INTO registry_audit (at, action, subject, detail) VALUES (?1, ?2, ?3, ?4)";
        let values = params![row.at, row.action, row.subject, row.detail];
        execute(self.connection, sql, values).map(drop)
    }

    fn put_format(&mut self, format: &RegisteredFormat) -> Got<()> {
        let sql = "INSERT INTO registry_format (id, schema, added_at, deprecated_at, deprecation) \
                   VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET schema = excluded.schema, \
                   added_at = excluded.added_at, deprecated_at = excluded.deprecated_at, deprecation = excluded.deprecation";
        let (since, words) = format.deprecated.clone().unzip();
        let values = params![format.id.to_string(), format.schema, format.added_at, since, words];
        execute(self.connection, sql, values).map(drop)
    }
}
