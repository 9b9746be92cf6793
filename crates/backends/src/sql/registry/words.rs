//! Words: those in the labels of graphs, with how many entries have each (clause A6), and the index that is searched.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::facets::{SEARCHED, asked_words};
use lore_ckgp::registry_store::store::{Concept, Found, Got, SearchText, unregistered};
use lore_seam::{ErrorKind, OpError};
use rusqlite::{Connection, params};

use super::{Parsed, limit, unsigned};
use crate::sql::faults::fault;
use crate::sql::rows::{Listed, all, execute, listed, one};

/// Bytes of the symbols of a graph; more than any has.
const MOST_SYMBOLS: u64 = 16 << 20;
/// Entries that a concept names as samples.
const SAMPLES: usize = 3;

/// Refuses what belongs to an entry that is not there.
fn check(connection: &Connection, repository: &RepositoryId) -> Got<String> {
    let key = repository.key();
    let sql = "SELECT 1 FROM registry_repository WHERE key = ?1";
    match one(connection, sql, [&key], |_| Ok(()))? {
        Some(()) => Ok(key),
        None => Err(unregistered(repository)),
    }
}

/// Takes the words of an entry away, and what can be searched of it.
pub(super) fn remove(connection: &Connection, key: &str) -> Got<()> {
    replace_terms(connection, key, &BTreeSet::new())?;
    let sql = "DELETE FROM registry_words WHERE rowid IN (SELECT number FROM registry_text WHERE key = ?1)";
    execute(connection, sql, [key])?;
    execute(connection, "DELETE FROM registry_text WHERE key = ?1", [key]).map(drop)
}

/// Replaces the words in the labels of an entry's primary graph.
pub(super) fn set_terms(connection: &Connection, repository: &RepositoryId, terms: &BTreeSet<String>) -> Got<()> {
    if terms.is_empty() {
        replace_terms(connection, &repository.key(), terms)
    } else {
        replace_terms(connection, &check(connection, repository)?, terms)
    }
}

fn replace_terms(connection: &Connection, key: &str, terms: &BTreeSet<String>) -> Got<()> {
    let sql = "SELECT terms FROM registry_term WHERE key = ?1";
    let known = one(connection, sql, [key], |row| row.get::<_, Listed<BTreeSet<String>>>(0))?;
    let before = known.map(|known| known.0).unwrap_or_default();
    if before == *terms {
        return Ok(());
    }
    if is_ok(connection, key)? {
        count_terms(connection, before.difference(terms), -1)?;
        count_terms(connection, terms.difference(&before), 1)?;
    }
    if terms.is_empty() {
        return execute(connection, "DELETE FROM registry_term WHERE key = ?1", [key]).map(drop);
    }
    let sql = "INSERT INTO registry_term (key, terms) VALUES (?1, ?2) \
               ON CONFLICT (key) DO UPDATE SET terms = excluded.terms";
    execute(connection, sql, params![key, listed(terms)?]).map(drop)
}

/// The most frequent words, from their index alone.
pub(super) const FREQUENT: &str =
    "SELECT term, entries FROM registry_concept WHERE entries >= 2 ORDER BY entries DESC, term LIMIT ?1";

/// Whether the words of an entry are counted.
fn is_ok(connection: &Connection, key: &str) -> Got<bool> {
    let sql = "SELECT 1 FROM registry_repository WHERE key = ?1 AND status = 'ok'";
    Ok(one(connection, sql, [key], |_| Ok(()))?.is_some())
}

/// Counts the words of an entry that has become `ok`, or does not count them any more.
pub(super) fn recount(connection: &Connection, key: &str, is_ok: bool) -> Got<()> {
    let sql = "SELECT terms FROM registry_term WHERE key = ?1";
    let known = one(connection, sql, [key], |row| row.get::<_, Listed<BTreeSet<String>>>(0))?;
    let terms = known.map(|known| known.0).unwrap_or_default();
    count_terms(connection, terms.iter(), if is_ok { 1 } else { -1 })
}

fn count_terms<'t>(connection: &Connection, terms: impl Iterator<Item = &'t String>, by: i64) -> Got<()> {
    for term in terms {
        if by < 0 {
            let sql = "UPDATE registry_concept SET entries = entries - 1 WHERE term = ?1 RETURNING entries";
            let left = one(connection, sql, [term], |row| row.get::<_, i64>(0))?;
            if left.is_some_and(|left| left <= 0) {
                execute(connection, "DELETE FROM registry_concept WHERE term = ?1", [term])?;
            }
        } else {
            let sql = "INSERT INTO registry_concept (term, entries) VALUES (?1, 1) \
                       ON CONFLICT (term) DO UPDATE SET entries = registry_concept.entries + 1";
            execute(connection, sql, [term])?;
        }
    }
    Ok(())
}

/// Words that are in at least two entries that are `ok`, the most frequent first, then by name.
pub(super) fn concepts(connection: &Connection, most: usize) -> Got<Vec<Concept>> {
    let mut concepts = all(connection, FREQUENT, [limit(most)], |row| {
        Ok(Concept {
            term: row.get(0)?,
            entries: unsigned(row.get(1)?),
            samples: Vec::new(),
        })
    })?;
    // What is frequent is found soon: entries are looked at in their order only until each concept has its samples.
    let places = concepts.iter().enumerate();
    let mut wanted: BTreeMap<String, usize> = places.map(|(place, concept)| (concept.term.clone(), place)).collect();
    let sql = "SELECT t.terms, r.id FROM registry_term AS t CROSS JOIN registry_repository AS r WHERE r.key = t.key AND r.status = 'ok' ORDER BY t.key";
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    let mut rows = statement.query([]).map_err(fault)?;
    while let Some(row) = rows.next().map_err(fault)? {
        if wanted.is_empty() {
            break;
        }
        let Listed::<Vec<String>>(terms) = row.get(0).map_err(fault)?;
        let id: String = row.get(1).map_err(fault)?;
        for term in &terms {
            let place = wanted.get(term).copied();
            let Some(concept) = place.and_then(|place| concepts.get_mut(place)) else {
                continue;
            };
            concept.samples.push(id.clone());
            if concept.samples.len() >= SAMPLES || concept.samples.len() as u64 >= concept.entries {
                wanted.remove(term);
            }
        }
    }
    Ok(concepts)
}

/// Replaces what can be searched of a graph.
pub(super) fn set_text(
    connection: &Connection,
    repository: &RepositoryId,
    format: &FormatId,
    text: Option<&SearchText>,
) -> Got<()> {
    let format = format.to_string();
    let Some(text) = text else {
        let sql = "DELETE FROM registry_text WHERE key = ?1 AND format = ?2 RETURNING number";
        let values = params![repository.key(), format];
        return match one(connection, sql, values, |row| row.get::<_, i64>(0))? {
            Some(number) => execute(connection, "DELETE FROM registry_words WHERE rowid = ?1", [number]).map(drop),
            None => Ok(()),
        };
    };
    let key = check(connection, repository)?;
    let sql = "SELECT number, symbols FROM registry_text WHERE key = ?1 AND format = ?2";
    let known: Option<(i64, Vec<u8>)> = one(connection, sql, params![key, format], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    let symbols = match (&text.symbols, &known) {
        (Some(symbols), _) => symbols.clone(),
        (None, Some((_, packed))) => unpacked(packed)?,
        (None, None) => String::new(),
    };
    let number = match known {
        Some((number, _)) => {
            execute(connection, "DELETE FROM registry_words WHERE rowid = ?1", [number])?;
            if text.symbols.is_some() {
                let sql = "UPDATE registry_text SET symbols = ?2 WHERE number = ?1";
                execute(connection, sql, params![number, packed(&symbols)?])?;
            }
            Some(number)
        }
        None => {
            let sql = "INSERT INTO registry_text (key, format, symbols) VALUES (?1, ?2, ?3) RETURNING number";
            one(connection, sql, params![key, format, packed(&symbols)?], |row| {
                row.get(0)
            })?
        }
    };
    let sql = "INSERT INTO registry_words (rowid, name, about, languages, symbols) VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = params![number, text.name, text.about, text.languages, symbols];
    execute(connection, sql, values).map(drop)
}

fn packed(symbols: &str) -> Got<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let written = packed.write_all(symbols.as_bytes()).and_then(|()| packed.finish());
    written.map_err(|error| {
        OpError::new(ErrorKind::Internal, format!("symbols cannot be compressed: {error}")).because(error)
    })
}

fn unpacked(packed: &[u8]) -> Got<String> {
    let mut symbols = String::new();
    let read = GzDecoder::new(packed).take(MOST_SYMBOLS).read_to_string(&mut symbols);
    read.map(|_| symbols).map_err(|error| {
        let message = format!("the store has a value that Lore did not write: {error}");
        OpError::new(ErrorKind::Unavailable, message)
            .hint("run `lore doctor` for details")
            .because(error)
    })
}

/// Graphs that are good and hold all words: those with the words whole in their names first, then as more is looked at.
pub(super) fn search(connection: &Connection, words: &[String], most: usize) -> Got<Vec<Found>> {
    let asked = asked_words(words);
    let mut found: Vec<(i64, Found)> = Vec::new();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    // What is asked holds letters and digits alone, so that quotes make a plain word of each.
    let joined = |end: &str| {
        let words: Vec<String> = asked.iter().map(|word| format!("\"{word}\"{end}")).collect();
        words.join(" AND ")
    };
    let (whole, begun) = (joined(""), joined("*"));
    let first = std::iter::once((SEARCHED[0], format!("{{{}}} : ({whole})", SEARCHED[0])));
    let others = SEARCHED.iter().enumerate().map(|(place, column)| {
        let columns: Vec<&str> = SEARCHED.iter().take(place + 1).copied().collect();
        (*column, format!("{{{}}} : ({begun})", columns.join(" ")))
    });
    for (matched, expression) in first.chain(others) {
        if found.len() >= most {
            break;
        }
        let sql = "SELECT w.rowid, r.id, t.format FROM registry_words AS w CROSS JOIN registry_text AS t \
                   CROSS JOIN registry_repository AS r WHERE w.registry_words MATCH ?1 AND t.number = w.rowid AND r.key = t.key \
                   AND EXISTS (SELECT 1 FROM registry_graph AS g WHERE g.key = t.key AND g.format = t.format AND g.status = 'ok') \
                   ORDER BY w.rowid LIMIT ?2";
        // Those that were found before are found again.
        let values = params![expression, limit(most.saturating_add(found.len()))];
        let rows = all(connection, sql, values, |row| {
            let repository: Parsed<RepositoryId> = row.get(1)?;
            let format: Parsed<FormatId> = row.get(2)?;
            let number: i64 = row.get(0)?;
            Ok((
                number,
                Found {
                    repository: repository.0,
                    format: Some(format.0),
                    matched,
                },
            ))
        })?;
        let known: BTreeSet<i64> = found.iter().map(|(number, _)| *number).collect();
        found.extend(rows.into_iter().filter(|(number, _)| !known.contains(number)));
    }
    found.truncate(most);
    Ok(found.into_iter().map(|(_, found)| found).collect())
}
