//! `Shelf` and `BodyShelf`: the ports over maps in memory, for tests that need no database and no disk. They keep the same contract as every other store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use super::bodies::Bodies;
use super::entry::{Entry, Seconds};
use super::facets::{Facets, SEARCHED, asked_words, words_of};
use super::status::Status;
use super::store::{
    About, AuditRow, Claim, Concept, Counts, Event, EventKind, Filter, Found, Got, Leased, MOST_LEASES, ReadWork,
    Reading, RegisteredFormat, Registry, STUCK_FOR, SearchText, Visit, Wanted, WriteWork, Writing, unregistered,
};
use crate::forge::RepositoryId;
use crate::format::FormatId;
use lore_base::digest::is_hex;
use lore_seam::{ErrorKind, OpError, StateInMemory};

/// A registry in memory.
#[derive(Debug, Default)]
pub struct Shelf {
    state: StateInMemory<State>,
}

impl Registry for Shelf {
    fn read(&self, work: ReadWork<'_>) -> Got<()> {
        self.state.trial(|state| work(state))
    }

    fn write(&self, work: WriteWork<'_>) -> Got<()> {
        self.state.write(|state| work(state))
    }

    fn place(&self) -> Got<String> {
        Ok("shelf".to_owned())
    }
}

#[derive(Clone, Debug, Default)]
struct State {
    about: Option<About>,
    rows: BTreeMap<String, Row>,
    /// What can be searched, by key and format, with the order in which it came.
    texts: BTreeMap<(String, FormatId), (u64, SearchText)>,
    terms: BTreeMap<String, BTreeSet<String>>,
    visits: Vec<(String, Visit)>,
    events: Vec<Event>,
    audit: Vec<AuditRow>,
    hosts: BTreeMap<String, Seconds>,
    rounds: BTreeMap<String, (Seconds, Seconds)>,
    formats: BTreeMap<FormatId, RegisteredFormat>,
    swept: Option<Seconds>,
}

/// An entry and the job of visiting it.
#[derive(Clone, Debug)]
struct Row {
    entry: Entry,
    facets: Facets,
    host: String,
    due: Option<Seconds>,
    visited_at: Option<Seconds>,
    lease: Option<(String, Seconds)>,
    leases: u32,
}

impl Row {
    fn is_stuck(&self) -> bool {
        self.leases >= MOST_LEASES
    }

    fn is_of(&self, worker: &str) -> bool {
        self.lease.as_ref().is_some_and(|(holder, _)| holder == worker)
    }

    /// When it can be had.
    fn next(&self) -> Option<Seconds> {
        let lease = self.lease.as_ref().map(|(_, until)| *until);
        self.due.map(|due| lease.map_or(due, |until| due.max(until)))
    }
}

impl State {
    fn rows_of(&self, filter: &Filter, after: Option<&str>) -> impl Iterator<Item = &Row> {
        let rows = self
            .rows
            .iter()
            .filter(move |(key, _)| after.is_none_or(|after| key.as_str() > after));
        rows.map(|(_, row)| row).filter(|row| row.facets.matches(filter))
    }

    fn is_ok(&self, key: &str, format: &FormatId) -> bool {
        let graphs = self.rows.get(key).into_iter().flat_map(|row| &row.facets.graphs);
        graphs
            .into_iter()
            .any(|graph| graph.format.as_ref() == Some(format) && graph.status == Status::Ok)
    }
}

/// How well a text matches: the smaller the better.
fn rank(text: &SearchText, asked: &[String]) -> Option<usize> {
    let symbols = text.symbols.as_deref().unwrap_or_default();
    let parts = [text.name.as_str(), &text.about, &text.languages, symbols];
    let is_whole = |word: &String| words_of(&text.name).any(|known| known == word);
    if asked.iter().all(is_whole) {
        return Some(0);
    }
    let best = asked.iter().map(|word| {
        let has = |part: &&str| words_of(part).any(|known| known.starts_with(word.as_str()));
        parts.iter().position(has).map(|place| place + 1)
    });
    best.collect::<Option<Vec<usize>>>()?.into_iter().max()
}

impl Reading for State {
    fn about(&self) -> Got<Option<About>> {
        Ok(self.about.clone())
    }

    fn entry(&self, repository: &RepositoryId) -> Got<Option<Entry>> {
        Ok(self.rows.get(&repository.key()).map(|row| row.entry.clone()))
    }

    fn page(&self, filter: &Filter, after: Option<&str>, most: usize) -> Got<Vec<Entry>> {
        let rows = self.rows_of(filter, after).take(most);
        Ok(rows.map(|row| row.entry.clone()).collect())
    }

    fn each(&self, take: &mut dyn FnMut(Entry) -> Got<()>) -> Got<()> {
        self.rows.values().try_for_each(|row| take(row.entry.clone()))
    }

    fn each_id(&self, take: &mut dyn FnMut(&str)) -> Got<()> {
        for row in self.rows.values().filter(|row| row.facets.status != Status::Revoked) {
            take(&row.entry.repository.to_string());
        }
        Ok(())
    }

    fn counts(&self) -> Got<Counts> {
        let mut counts = Counts::default();
        for facets in self.rows.values().map(|row| &row.facets) {
            *counts.by_status.entry(facets.status).or_default() += 1;
            counts.nodes += facets.nodes;
            counts.edges += facets.edges;
            for (kind, number) in &facets.kinds {
                let (sum, entries) = counts.kinds.entry(kind.clone()).or_default();
                *sum += number;
                *entries += 1;
            }
            for language in &facets.languages {
                *counts.languages.entry(language.clone()).or_default() += 1;
            }
        }
        Ok(counts)
    }

    fn concepts(&self, most: usize) -> Got<Vec<Concept>> {
        let mut concepts: BTreeMap<&str, Concept> = BTreeMap::new();
        let is_ok = |key: &String| self.rows.get(key).is_some_and(|row| row.entry.status() == Status::Ok);
        for (key, terms) in self.terms.iter().filter(|(key, _)| is_ok(key)) {
            for term in terms {
                let concept = concepts.entry(term).or_insert_with(|| Concept {
                    term: term.clone(),
                    entries: 0,
                    samples: Vec::new(),
                });
                concept.entries += 1;
                if let Some(row) = self.rows.get(key).filter(|_| concept.samples.len() < 3) {
                    concept.samples.push(row.entry.repository.to_string());
                }
            }
        }
        let mut concepts: Vec<Concept> = concepts.into_values().filter(|concept| concept.entries >= 2).collect();
        concepts.sort_by(|one, other| other.entries.cmp(&one.entries).then_with(|| one.term.cmp(&other.term)));
        concepts.truncate(most);
        Ok(concepts)
    }

    fn search(&self, words: &[String], most: usize) -> Got<Vec<Found>> {
        let asked = asked_words(words);
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let texts = self.texts.iter().filter(|((key, format), _)| self.is_ok(key, format));
        let mut ranked: Vec<(usize, u64, &(String, FormatId))> = texts
            .filter_map(|(of, (number, text))| Some((rank(text, &asked)?, *number, of)))
            .collect();
        ranked.sort();
        let found = ranked.into_iter().take(most).filter_map(|(rank, _, (key, format))| {
            Some(Found {
                repository: self.rows.get(key)?.entry.repository.clone(),
                format: Some(format.clone()),
                matched: SEARCHED[rank.saturating_sub(1)],
            })
        });
        Ok(found.collect())
    }

    fn visits(&self, repository: &RepositoryId, most: usize) -> Got<Vec<Visit>> {
        let key = repository.key();
        let visits = self.visits.iter().rev().filter(|(of, _)| *of == key);
        Ok(visits.take(most).map(|(_, visit)| visit.clone()).collect())
    }

    fn events(&self, after: u64, most: usize) -> Got<Vec<Event>> {
        let events = self.events.iter().filter(|event| event.seq > after);
        Ok(events.take(most).cloned().collect())
    }

    fn last_event(&self) -> Got<u64> {
        Ok(self.events.last().map_or(0, |event| event.seq))
    }

    fn audit(&self, most: usize) -> Got<Vec<AuditRow>> {
        Ok(self.audit.iter().rev().take(most).cloned().collect())
    }

    fn holders(&self, digest: &str) -> Got<u64> {
        let graphs = self.rows.values().flat_map(|row| &row.facets.graphs);
        Ok(graphs.filter(|graph| graph.held.as_deref() == Some(digest)).count() as u64)
    }

    fn unheld(&self, digests: &[String]) -> Got<Vec<String>> {
        let graphs = self.rows.values().flat_map(|row| &row.facets.graphs);
        let held: BTreeSet<&str> = graphs.filter_map(|graph| graph.held.as_deref()).collect();
        let unheld = digests.iter().filter(|digest| !held.contains(digest.as_str()));
        Ok(unheld.cloned().collect())
    }

    fn swept(&self) -> Got<Option<Seconds>> {
        Ok(self.swept)
    }

    fn delayed_hosts(&self, now: Seconds) -> Got<Vec<(String, Seconds)>> {
        let hosts = self.hosts.iter().filter(|(_, until)| **until > now);
        Ok(hosts.map(|(host, until)| (host.clone(), *until)).collect())
    }

    fn last_visit(&self) -> Got<Option<Seconds>> {
        Ok(self.rows.values().filter_map(|row| row.visited_at).max())
    }

    fn next_due(&self) -> Got<Option<Seconds>> {
        let rows = self.rows.values().filter(|row| !row.is_stuck());
        Ok(rows.filter_map(Row::next).min())
    }

    fn stuck(&self) -> Got<Vec<String>> {
        let rows = self.rows.values().filter(|row| row.is_stuck());
        Ok(rows.map(|row| row.entry.repository.to_string()).collect())
    }

    fn formats(&self) -> Got<Vec<RegisteredFormat>> {
        Ok(self.formats.values().cloned().collect())
    }
}

impl Writing for State {
    fn set_about(&mut self, about: &About) -> Got<()> {
        self.about = Some(about.clone());
        Ok(())
    }

    fn put(&mut self, entry: &Entry, host: &str, due: Option<Seconds>) -> Got<()> {
        let row = Row {
            facets: Facets::of(entry)?,
            host: host.to_owned(),
            due,
            visited_at: entry.visited_at,
            lease: None,
            leases: 0,
            entry: entry.clone(),
        };
        self.rows.insert(entry.repository.key(), row);
        Ok(())
    }

    fn remove(&mut self, repository: &RepositoryId) -> Got<bool> {
        let key = repository.key();
        self.texts.retain(|(of, _), _| *of != key);
        self.terms.remove(&key);
        self.visits.retain(|(of, _)| *of != key);
        Ok(self.rows.remove(&key).is_some())
    }

    fn set_text(&mut self, repository: &RepositoryId, format: &FormatId, text: Option<&SearchText>) -> Got<()> {
        let of = (repository.key(), format.clone());
        let Some(text) = text else {
            self.texts.remove(&of);
            return Ok(());
        };
        if !self.rows.contains_key(&of.0) {
            return Err(unregistered(repository));
        }
        let last = self.texts.values().map(|(number, _)| *number).max();
        let number = last.unwrap_or_default() + 1;
        let kept = self.texts.entry(of).or_insert_with(|| (number, SearchText::default()));
        let symbols = text.symbols.clone().or_else(|| kept.1.symbols.take());
        kept.1 = SearchText {
            symbols,
            ..text.clone()
        };
        Ok(())
    }

    fn set_terms(&mut self, repository: &RepositoryId, terms: &BTreeSet<String>) -> Got<()> {
        let key = repository.key();
        match (terms.is_empty(), self.rows.contains_key(&key)) {
            (true, _) => {
                self.terms.remove(&key);
            }
            (false, false) => return Err(unregistered(repository)),
            (false, true) => {
                self.terms.insert(key, terms.clone());
            }
        }
        Ok(())
    }

    fn claim(&mut self, claim: &Claim<'_>) -> Got<Vec<Leased>> {
        let delayed = self.delayed_hosts(claim.now)?;
        let is_asked = |host: &String| !claim.without.contains(host) && !delayed.iter().any(|(known, _)| known == host);
        let is_wanted = |row: &Row| match claim.wanted {
            Wanted::Due => row.due.is_some_and(|due| due <= claim.now),
            Wanted::NotVisitedSince(since) => row.visited_at.is_none_or(|at| at < since),
            Wanted::These(these, since) => {
                these.contains(&row.entry.repository) && row.visited_at.is_none_or(|at| at < since)
            }
        };
        let mut free: Vec<(&String, &mut Row)> = self
            .rows
            .iter_mut()
            .filter(|(_, row)| row.lease.as_ref().is_none_or(|(_, until)| *until <= claim.now))
            .filter(|(_, row)| row.due.is_some() && is_asked(&row.host) && is_wanted(row))
            .filter(|(_, row)| match (claim.wanted, &row.lease) {
                (Wanted::Due, Some((_, until))) => !row.is_stuck() || *until <= claim.now - STUCK_FOR,
                _ => true,
            })
            .collect();
        let is_round = matches!(claim.wanted, Wanted::NotVisitedSince(_));
        let is_named = matches!(claim.wanted, Wanted::These(..));
        free.sort_by_key(|(key, row)| {
            let time = if is_round { row.visited_at } else { row.due };
            (row.is_stuck() && !is_named, time, (*key).clone())
        });
        let leased = free.into_iter().take(claim.most).map(|(_, row)| {
            row.lease = Some((claim.worker.to_owned(), claim.until));
            row.leases += 1;
            Leased {
                entry: row.entry.clone(),
                host: row.host.clone(),
                leases: row.leases,
                due: row.due.unwrap_or_default(),
            }
        });
        Ok(leased.collect())
    }

    fn renew(&mut self, worker: &str, until: Seconds) -> Got<()> {
        for row in self.rows.values_mut().filter(|row| row.is_of(worker)) {
            row.lease = Some((worker.to_owned(), until));
        }
        Ok(())
    }

    fn give_back(&mut self, worker: &str, repository: &RepositoryId, due: Seconds) -> Got<()> {
        if let Some(row) = self.rows.get_mut(&repository.key()).filter(|row| row.is_of(worker)) {
            row.lease = None;
            row.leases = row.leases.saturating_sub(1);
            row.due = Some(due);
        }
        Ok(())
    }

    fn finish(&mut self, worker: &str, entry: &Entry, visit: &Visit, due: Option<Seconds>) -> Got<bool> {
        let facets = Facets::of(entry)?;
        let key = entry.repository.key();
        let Some(row) = self.rows.get_mut(&key).filter(|row| row.is_of(worker)) else {
            return Ok(false);
        };
        row.entry = entry.clone();
        row.facets = facets;
        row.due = due;
        row.visited_at = Some(visit.at);
        row.lease = None;
        row.leases = 0;
        self.visits.push((key, visit.clone()));
        Ok(true)
    }

    fn forget_visits(&mut self, before: Seconds) -> Got<u64> {
        let all = self.visits.len();
        self.visits.retain(|(_, visit)| visit.at >= before);
        Ok((all - self.visits.len()) as u64)
    }

    fn join_round(&mut self, worker: &str, now: Seconds, until: Seconds) -> Got<Seconds> {
        let own = self.rounds.get(worker).copied();
        let others = self
            .rounds
            .iter()
            .filter(|(of, (_, until))| *of != worker && *until >= now);
        let other = others.map(|(_, (since, _))| *since).min();
        let since = match own {
            Some((since, until)) if until >= now => since,
            own => other.or(own.map(|(since, _)| since)).unwrap_or(now),
        };
        self.rounds.insert(worker.to_owned(), (since, until));
        Ok(since)
    }

    fn set_swept(&mut self, at: Seconds) -> Got<()> {
        self.swept = Some(at);
        Ok(())
    }

    fn delay_host(&mut self, host: &str, until: Seconds) -> Got<()> {
        let known = self.hosts.entry(host.to_owned()).or_insert(until);
        *known = until.max(*known);
        Ok(())
    }

    fn add_event(&mut self, at: Seconds, id: &RepositoryId, kind: EventKind, status: Option<Status>) -> Got<u64> {
        let seq = self.last_event()? + 1;
        self.events.push(Event {
            seq,
            at,
            id: id.to_string(),
            kind,
            status,
        });
        Ok(seq)
    }

    fn add_audit(&mut self, row: &AuditRow) -> Got<()> {
        self.audit.push(row.clone());
        Ok(())
    }

    fn put_format(&mut self, format: &RegisteredFormat) -> Got<()> {
        self.formats.insert(format.id.clone(), format.clone());
        Ok(())
    }
}

/// Bodies in memory.
#[derive(Debug, Default)]
pub struct BodyShelf {
    /// Bodies by digest, each with how long ago it was put.
    bodies: Mutex<BTreeMap<String, (Vec<u8>, Duration)>>,
}

impl BodyShelf {
    fn bodies(&self) -> MutexGuard<'_, BTreeMap<String, (Vec<u8>, Duration)>> {
        self.bodies.lock().expect("whole")
    }

    /// Lets time pass.
    pub fn pass(&self, time: Duration) {
        self.bodies().values_mut().for_each(|(_, age)| *age += time);
    }
}

impl Bodies for BodyShelf {
    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError> {
        Ok(self
            .bodies()
            .get(&digest.to_ascii_lowercase())
            .map(|(body, _)| body.clone()))
    }

    fn has(&self, digest: &str) -> bool {
        self.bodies().contains_key(&digest.to_ascii_lowercase())
    }

    fn put(&self, digest: &str, body: &[u8]) -> Result<u64, OpError> {
        if !is_hex(digest, 64) {
            return Err(OpError::new(ErrorKind::Internal, "a body is kept under its SHA-256"));
        }
        let mut bodies = self.bodies();
        let kept = bodies
            .entry(digest.to_ascii_lowercase())
            .or_insert_with(|| (body.to_vec(), Duration::ZERO));
        kept.1 = Duration::ZERO;
        Ok(kept.0.len() as u64)
    }

    fn discard(&self, digest: &str) -> Result<bool, OpError> {
        Ok(self.bodies().remove(&digest.to_ascii_lowercase()).is_some())
    }

    fn discard_old(&self, digest: &str, age: Duration) -> Result<bool, OpError> {
        let digest = digest.to_ascii_lowercase();
        let mut bodies = self.bodies();
        let is_old = bodies.get(&digest).is_some_and(|(_, put)| *put >= age);
        Ok(is_old && bodies.remove(&digest).is_some())
    }

    fn all(&self) -> Result<Vec<(String, u64)>, OpError> {
        let bodies = self.bodies();
        let all = bodies
            .iter()
            .map(|(digest, (body, _))| (digest.clone(), body.len() as u64));
        Ok(all.collect())
    }

    fn old(&self, age: Duration) -> Result<Vec<String>, OpError> {
        let bodies = self.bodies();
        let old = bodies.iter().filter(|(_, (_, put))| *put >= age);
        Ok(old.map(|(digest, _)| digest.clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry_store::contract::{BODY_CASES, CASES, walk};

    #[test]
    fn the_shelf_keeps_the_contract() {
        for (what, case) in CASES {
            assert_eq!(case(&Shelf::default()), Ok(()), "{what}");
        }
        for seed in 1..=4 {
            assert_eq!(walk(&Shelf::default(), &Shelf::default(), seed, 60), Ok(()));
        }
    }

    #[test]
    fn the_shelf_of_bodies_keeps_the_contract() {
        for (what, case) in BODY_CASES {
            assert_eq!(case(&BodyShelf::default()), Ok(()), "{what}");
        }
    }
}
