//! Entries as documents, and beside them what is filtered and counted. Those rows are written only where they differ from what the document before says.

use std::collections::{BTreeMap, BTreeSet};

use lore_specs::ckgp::registry::entry::Entry;
use lore_specs::ckgp::registry::facets::Facets;
use lore_specs::ckgp::registry::status::Status;
use lore_specs::ckgp::registry::store::{Counts, Filter, Got};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::{Said, limit, signed, unsigned};
use crate::sql::faults::fault;
use crate::sql::rows::{Listed, all, execute, listed, one};

/// The entry with a key.
pub(super) fn entry(connection: &Connection, key: &str) -> Got<Option<Entry>> {
    let sql = "SELECT entry FROM registry_repository WHERE key = ?1";
    one(connection, sql, [key], |row| Ok(row.get::<_, Listed<Entry>>(0)?.0))
}

/// Puts an entry in the place of the one with its key.
pub(super) fn put(connection: &Connection, entry: &Entry) -> Got<()> {
    let key = entry.repository.key();
    let facets = Facets::of(entry)?;
    let (id, document) = (entry.repository.to_string(), listed(entry)?);
    let Some(before) = self::entry(connection, &key)? else {
        let sql = "INSERT INTO registry_repository (key, id, owner, status, entry) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![key, id, facets.owner, facets.status.word(), document];
        execute(connection, sql, values)?;
        return set_facets(connection, &key, None, Some(&facets));
    };
    let known = Facets::of(&before)?;
    if facets.status == known.status && id == before.repository.to_string() {
        // The usual case, for most visits find what was found before: no index is touched.
        let sql = "UPDATE registry_repository SET entry = ?2 WHERE key = ?1";
        execute(connection, sql, params![key, document])?;
    } else {
        let sql = "UPDATE registry_repository SET id = ?2, status = ?3, entry = ?4 WHERE key = ?1";
        execute(connection, sql, params![key, id, facets.status.word(), document])?;
    }
    set_facets(connection, &key, Some(&known), Some(&facets))
}

/// Takes an entry away.
pub(super) fn remove(connection: &Connection, key: &str, entry: &Entry) -> Got<()> {
    set_facets(connection, key, Some(&Facets::of(entry)?), None)?;
    execute(connection, "DELETE FROM registry_repository WHERE key = ?1", [key]).map(drop)
}

/// Brings the rows that stand for the facets of an entry from one state to another.
fn set_facets(connection: &Connection, key: &str, before: Option<&Facets>, after: Option<&Facets>) -> Got<()> {
    if before == after {
        return Ok(());
    }
    if before.map(|facets| &facets.graphs) != after.map(|facets| &facets.graphs) {
        execute(connection, "DELETE FROM registry_graph WHERE key = ?1", [key])?;
        let graphs = after.into_iter().flat_map(|facets| &facets.graphs);
        for (place, graph) in graphs.enumerate() {
            let sql = "INSERT INTO registry_graph (key, place, format, status, held_sha) VALUES (?1, ?2, ?3, ?4, ?5)";
            let format = graph.format.as_ref().map(ToString::to_string);
            let values = params![key, limit(place), format, graph.status.word(), graph.held];
            execute(connection, sql, values)?;
        }
    }
    set_labels(
        connection,
        key,
        "tag",
        before.map(|facets| &facets.tags),
        after.map(|facets| &facets.tags),
    )?;
    let languages = [before, after].map(|facets| facets.map(|facets| &facets.languages));
    set_labels(connection, key, "language", languages[0], languages[1])?;
    count_facets(connection, before, after)
}

fn set_labels(
    connection: &Connection,
    key: &str,
    kind: &str,
    before: Option<&BTreeSet<String>>,
    after: Option<&BTreeSet<String>>,
) -> Got<()> {
    let none = BTreeSet::new();
    let (before, after) = (before.unwrap_or(&none), after.unwrap_or(&none));
    for label in before.difference(after) {
        let sql = "DELETE FROM registry_label WHERE key = ?1 AND kind = ?2 AND label = ?3";
        execute(connection, sql, params![key, kind, label])?;
    }
    for label in after.difference(before) {
        let sql = "INSERT INTO registry_label (key, kind, label) VALUES (?1, ?2, ?3)";
        execute(connection, sql, params![key, kind, label])?;
    }
    Ok(())
}

/// What one entry adds to the sums: a number and one entry, by what is counted.
fn shares(facets: &Facets) -> BTreeMap<(&'static str, &str), (i64, i64)> {
    let mut shares = BTreeMap::from([
        (("status", facets.status.word()), (1, 1)),
        (("size", "nodes"), (signed(facets.nodes), 1)),
        (("size", "edges"), (signed(facets.edges), 1)),
    ]);
    for (kind, number) in &facets.kinds {
        shares.insert(("kind", kind), (signed(*number), 1));
    }
    for language in &facets.languages {
        shares.insert(("language", language), (1, 1));
    }
    shares
}

/// Brings the sums from those with one state of an entry to those with another.
fn count_facets(connection: &Connection, before: Option<&Facets>, after: Option<&Facets>) -> Got<()> {
    let mut changes = after.map(shares).unwrap_or_default();
    for (what, (number, entries)) in before.map(shares).unwrap_or_default() {
        let change = changes.entry(what).or_default();
        change.0 = change.0.saturating_sub(number);
        change.1 -= entries;
    }
    for ((what, name), (number, entries)) in changes {
        if (number, entries) == (0, 0) {
            continue;
        }
        let sql = "INSERT INTO registry_count (what, name, number, entries) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (what, name) \
                   DO UPDATE SET number = registry_count.number + excluded.number, entries = registry_count.entries + excluded.entries";
        execute(connection, sql, params![what, name, number, entries])?;
        let sql = "DELETE FROM registry_count WHERE what = ?1 AND name = ?2 AND entries <= 0";
        execute(connection, sql, params![what, name])?;
    }
    Ok(())
}

/// How much there is, as it was kept.
pub(super) fn counts(connection: &Connection) -> Got<Counts> {
    let sql = "SELECT what, name, number, entries FROM registry_count";
    let rows = all(connection, sql, [], |row| {
        let what: String = row.get(0)?;
        let name: String = row.get(1)?;
        Ok((what, name, unsigned(row.get(2)?), unsigned(row.get(3)?)))
    })?;
    let mut counts = Counts::default();
    for (what, name, number, entries) in rows {
        match (what.as_str(), name.as_str()) {
            ("status", word) => {
                if let Some(status) = Status::parse(word) {
                    counts.by_status.insert(status, entries);
                }
            }
            ("size", "nodes") => counts.nodes = number,
            ("size", _) => counts.edges = number,
            ("kind", _) => {
                counts.kinds.insert(name, (number, entries));
            }
            _ => {
                counts.languages.insert(name, entries);
            }
        }
    }
    Ok(counts)
}

/// Entries that a filter takes, by key, behind a key.
pub(super) fn page(connection: &Connection, filter: &Filter, after: Option<&str>, most: usize) -> Got<Vec<Entry>> {
    let after = after.unwrap_or_default();
    let is_by_status = filter.format.is_none()
        && filter.owner.is_none()
        && filter.tag.is_none()
        && filter.language.is_none()
        && filter.status.is_none();
    if is_by_status && !filter.not.is_empty() {
        return page_of_others(connection, &filter.not, after, most);
    }
    let (sql, values) = page_statement(filter, after, most);
    all(connection, &sql, params_from_iter(values), |row| {
        Ok(row.get::<_, Listed<Entry>>(0)?.0)
    })
}

/// The statement of a page: it walks along the index of what is rarest, and looks at the rest of each row.
pub(super) fn page_statement(filter: &Filter, after: &str, most: usize) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = Vec::new();
    let mut conditions: Vec<String> = Vec::new();
    let mut value = |text: &str| {
        values.push(Value::Text(text.to_owned()));
        format!("?{}", values.len())
    };
    let label =
        |kind: &str, label: &Option<String>| label.as_ref().map(|label| (kind.to_owned(), label.to_lowercase()));
    let labels: Vec<(String, String)> = [label("tag", &filter.tag), label("language", &filter.language)]
        .into_iter()
        .flatten()
        .collect();
    let mut tables = "registry_repository AS r";
    let mut key = "r.key";
    // The first one leads; of the others it is asked whether a row is there.
    for (number, (kind, label)) in labels.iter().enumerate() {
        let (kind, label) = (value(kind), value(label));
        if number == 0 {
            (tables, key) = ("registry_label AS l CROSS JOIN registry_repository AS r", "l.key");
            conditions.push(format!("l.kind = {kind} AND l.label = {label} AND r.key = l.key"));
        } else {
            conditions.push(format!(
                "EXISTS (SELECT 1 FROM registry_label AS o WHERE o.key = r.key AND o.kind = {kind} AND o.label = {label})"
            ));
        }
    }
    if let Some(format) = &filter.format {
        let format = value(&format.to_string());
        if labels.is_empty() && filter.owner.is_none() {
            // A graph of a format stands once in an entry; were it there twice, the entry would still be shown once.
            (tables, key) = ("registry_graph AS g CROSS JOIN registry_repository AS r", "g.key");
            conditions.push(format!(
                "g.format = {format} AND r.key = g.key AND NOT EXISTS (SELECT 1 FROM registry_graph AS o \
                 WHERE o.key = g.key AND o.format = g.format AND o.place < g.place)"
            ));
        } else {
            conditions.push(format!(
                "EXISTS (SELECT 1 FROM registry_graph AS o WHERE o.key = r.key AND o.format = {format})"
            ));
        }
    }
    if let Some(owner) = &filter.owner {
        conditions.push(format!("r.owner = {}", value(&owner.to_lowercase())));
    }
    if let Some(status) = filter.status {
        conditions.push(format!("r.status = {}", value(status.word())));
    }
    if !filter.not.is_empty() {
        let not: Vec<String> = filter.not.iter().map(|status| value(status.word())).collect();
        conditions.push(format!("r.status NOT IN ({})", not.join(", ")));
    }
    conditions.push(format!("{key} > {}", value(after)));
    values.push(Value::Integer(limit(most)));
    let sql = format!(
        "SELECT r.entry FROM {tables} WHERE {} ORDER BY {key} LIMIT ?{}",
        conditions.join(" AND "),
        values.len()
    );
    (sql, values)
}

/// Entries that are not so: the first ones of every other status, in one order.
fn page_of_others(connection: &Connection, not: &[Status], after: &str, most: usize) -> Got<Vec<Entry>> {
    let mut keys: Vec<String> = Vec::new();
    for status in Status::ALL.into_iter().filter(|status| !not.contains(status)) {
        let sql = "SELECT key FROM registry_repository WHERE status = ?1 AND key > ?2 ORDER BY key LIMIT ?3";
        let values = params![status.word(), after, limit(most)];
        keys.extend(all(connection, sql, values, |row| row.get::<_, String>(0))?);
    }
    keys.sort_unstable();
    keys.truncate(most);
    let entries = keys.iter().map(|key| entry(connection, key));
    entries.filter_map(Result::transpose).collect()
}

/// Shows all entries, by key.
pub(super) fn each(connection: &Connection, take: &mut dyn FnMut(Entry) -> Got<()>) -> Got<()> {
    let sql = "SELECT entry FROM registry_repository ORDER BY key";
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    let mut rows = statement.query([]).map_err(fault)?;
    while let Some(row) = rows.next().map_err(fault)? {
        take(row.get::<_, Listed<Entry>>(0).map_err(fault)?.0)?;
    }
    Ok(())
}

/// Shows the ids of all entries that were not taken back, by key.
pub(super) fn each_id(connection: &Connection, take: &mut dyn FnMut(&str)) -> Got<()> {
    let sql = "SELECT id, status FROM registry_repository ORDER BY key";
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    let mut rows = statement.query([]).map_err(fault)?;
    while let Some(row) = rows.next().map_err(fault)? {
        let Said(status) = row.get(1).map_err(fault)?;
        if status != Status::Revoked {
            take(&row.get::<_, String>(0).map_err(fault)?);
        }
    }
    Ok(())
}
