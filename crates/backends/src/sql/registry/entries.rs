//! Entries as documents, with rows for the facets that filters and counts use. A facet row is written only if it differs from the previous document.

use std::collections::{BTreeMap, BTreeSet};

use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::entry::Entry;
use lore_ckgp::registry_store::facets::Facets;
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Counts, Filter, Got};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::{Said, limit, signed, unsigned, words};
use crate::sql::faults::fault;
use crate::sql::rows::{Listed, all, count, execute, listed, one};

/// Entries of which it is found out how many keep a condition before a page walks along its index.
const LOOKED_AT: usize = 4_096;

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
        let is_ok = facets.status == Status::Ok;
        if is_ok != (known.status == Status::Ok) {
            words::recount(connection, &key, is_ok)?;
        }
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
    if let Some(name) = &filter.format_name {
        return page_of_name(connection, filter, name, after, most);
    }
    let leads = leads(filter);
    if leads.is_empty() && !filter.not.is_empty() {
        return page_of_others(connection, &filter.not, after, most);
    }
    let lead = rarest(connection, leads, after)?;
    let (sql, values) = page_statement(filter, &lead, after, most);
    all(connection, &sql, params_from_iter(values), |row| {
        Ok(row.get::<_, Listed<Entry>>(0)?.0)
    })
}

/// The condition whose index a page walks along.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Lead {
    Label(&'static str, String),
    Owner(String),
    Format(String),
    Status(Status),
    /// There is none: all entries are looked at.
    Key,
}

/// The conditions of a filter of which there is an index; those first that most often take little.
pub(super) fn leads(filter: &Filter) -> Vec<Lead> {
    let label = |kind: &'static str, label: &Option<String>| {
        let label = label.as_ref()?.to_lowercase();
        Some(Lead::Label(kind, label))
    };
    let leads = [
        label("tag", &filter.tag),
        label("language", &filter.language),
        filter.owner.as_ref().map(|owner| Lead::Owner(owner.to_lowercase())),
        filter.format.as_ref().map(|format| Lead::Format(format.to_string())),
        filter.status.map(Lead::Status),
    ];
    leads.into_iter().flatten().collect()
}

/// The condition that the fewest entries keep, as far as that is found by a look at some.
pub(super) fn rarest(connection: &Connection, leads: Vec<Lead>, after: &str) -> Got<Lead> {
    let mut rarest: Option<(u64, Lead)> = None;
    let is_one = leads.len() < 2;
    for lead in leads {
        if is_one {
            return Ok(lead);
        }
        let (condition, first, second) = match &lead {
            Lead::Label(kind, label) => ("registry_label WHERE kind = ?1 AND label = ?2", *kind, label.as_str()),
            Lead::Owner(owner) => (
                "registry_repository WHERE owner = ?1 AND owner = ?2",
                owner.as_str(),
                owner.as_str(),
            ),
            Lead::Format(format) => (
                "registry_graph WHERE format = ?1 AND format = ?2",
                format.as_str(),
                format.as_str(),
            ),
            Lead::Status(status) => (
                "registry_repository WHERE status = ?1 AND status = ?2",
                status.word(),
                status.word(),
            ),
            Lead::Key => continue,
        };
        let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {condition} AND key > ?3 LIMIT {LOOKED_AT})");
        let found = count(connection, &sql, params![first, second, after])?;
        if rarest.as_ref().is_none_or(|(least, _)| found < *least) {
            rarest = Some((found, lead));
        }
    }
    Ok(rarest.map_or(Lead::Key, |(_, lead)| lead))
}

/// The statement of a page: it walks along the index of what leads, and looks at the rest of each row.
pub(super) fn page_statement(filter: &Filter, lead: &Lead, after: &str, most: usize) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = Vec::new();
    let mut conditions: Vec<String> = Vec::new();
    let mut value = |text: &str| {
        values.push(Value::Text(text.to_owned()));
        format!("?{}", values.len())
    };
    let (tables, key) = match lead {
        Lead::Label(..) => ("registry_label AS l CROSS JOIN registry_repository AS r", "l.key"),
        Lead::Format(_) => ("registry_graph AS g CROSS JOIN registry_repository AS r", "g.key"),
        Lead::Owner(_) => (
            "registry_repository AS r INDEXED BY idx_registry_repository_owner",
            "r.key",
        ),
        Lead::Status(_) => (
            "registry_repository AS r INDEXED BY idx_registry_repository_status",
            "r.key",
        ),
        Lead::Key => ("registry_repository AS r", "r.key"),
    };
    if key != "r.key" {
        conditions.push(format!("r.key = {key}"));
    }
    for own in leads(filter) {
        let condition = match (&own, own == *lead) {
            (Lead::Label(kind, label), true) => {
                format!("l.kind = {} AND l.label = {}", value(kind), value(label))
            }
            (Lead::Label(kind, label), false) => format!(
                "EXISTS (SELECT 1 FROM registry_label AS o WHERE o.key = {key} AND o.kind = {} AND o.label = {})",
                value(kind),
                value(label)
            ),
            // A graph of a format stands once in an entry; were it there twice, the entry would still be shown once.
            (Lead::Format(format), true) => format!(
                "g.format = {} AND NOT EXISTS (SELECT 1 FROM registry_graph AS o \
                 WHERE o.key = g.key AND o.format = g.format AND o.place < g.place)",
                value(format)
            ),
            (Lead::Format(format), false) => format!(
                "EXISTS (SELECT 1 FROM registry_graph AS o WHERE o.key = {key} AND o.format = {})",
                value(format)
            ),
            (Lead::Owner(owner), _) => format!("r.owner = {}", value(owner)),
            (Lead::Status(status), _) => format!("r.status = {}", value(status.word())),
            (Lead::Key, _) => continue,
        };
        conditions.push(condition);
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

/// Entries with a graph of any format of a name: the first ones of each, in one order.
fn page_of_name(connection: &Connection, filter: &Filter, name: &str, after: &str, most: usize) -> Got<Vec<Entry>> {
    let mut formats: Vec<String> = Vec::new();
    let end = format!("{name}@:");
    let mut last = format!("{name}@");
    let sql = "SELECT min(format) FROM registry_graph WHERE format > ?1 AND format < ?2";
    while let Some(format) = one(connection, sql, [&last, &end], |row| row.get::<_, Option<String>>(0))?.flatten() {
        last.clone_from(&format);
        formats.push(format);
    }
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    for format in formats.iter().filter_map(|format| FormatId::parse(format)) {
        if filter.format.as_ref().is_some_and(|wanted| *wanted != format) {
            continue;
        }
        let filter = Filter {
            format: Some(format),
            format_name: None,
            ..filter.clone()
        };
        let found = page(connection, &filter, Some(after), most)?;
        entries.extend(found.into_iter().map(|entry| (entry.repository.key(), entry)));
    }
    Ok(entries.into_values().take(most).collect())
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

/// The ids of all entries, from their index alone.
pub(super) const IDS: &str =
    "SELECT id, status FROM registry_repository INDEXED BY idx_registry_repository_id ORDER BY key";

/// Shows the ids of all entries that were not taken back, by key.
pub(super) fn each_id(connection: &Connection, take: &mut dyn FnMut(&str)) -> Got<()> {
    let mut statement = connection.prepare_cached(IDS).map_err(fault)?;
    let mut rows = statement.query([]).map_err(fault)?;
    while let Some(row) = rows.next().map_err(fault)? {
        let Said(status) = row.get(1).map_err(fault)?;
        if status != Status::Revoked {
            take(&row.get::<_, String>(0).map_err(fault)?);
        }
    }
    Ok(())
}
