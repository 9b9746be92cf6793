//! Entries and a registry in memory, for the tests of documents.

use std::collections::BTreeMap;
use std::sync::Mutex;

use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::{Commit, FormatId};
use lore_ckgp::registry_store::entry::Seconds;
use lore_ckgp::registry_store::entry::{Entry, Graph, Revocation, RevokedBy, Stats};
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{
    About, AuditRow, Concept, Counts, Event, EventKind, Filter, Found, Got, ReadWork, Reading, RegisteredFormat,
    Registry, Visit, WriteWork,
};
use lore_seam::{ErrorKind, OpError};

/// 2026-11-16T08:00:00Z.
pub(crate) const NOW: Seconds = 1_794_816_000;

/// A registry that is served.
pub(crate) fn about() -> About {
    About {
        name: "Graphs".to_owned(),
        url: Some("https://graphs.example/r".to_owned()),
        contact: Some("admin@graphs.example".to_owned()),
        created_at: NOW,
    }
}

/// A repository that was not visited yet.
pub(crate) fn pending(id: &str) -> Entry {
    Entry::new(RepositoryId::parse(id).expect("because the test says so"), None, NOW)
}

/// A repository whose graph is as it should be.
pub(crate) fn ok(id: &str) -> Entry {
    let mut entry = pending(id);
    entry.default_branch = Some("main".to_owned());
    entry.head_sha = Commit::parse(&"b".repeat(40));
    entry.drift_checked_at = Some(NOW + 60);
    entry.graphs = vec![graph(id, "ccg@1")];
    entry
}

/// A graph that is as it should be.
pub(crate) fn graph(id: &str, format: &str) -> Graph {
    Graph {
        format: FormatId::parse(format),
        graph_url: Some(format!("https://raw.example/{id}/{format}.json")),
        is_recorded: true,
        description: Some("A greeting".to_owned()),
        tags: vec!["python".to_owned()],
        status: Status::Ok,
        last_synced: Some(NOW + 60),
        last_sha: Some("c".repeat(64)),
        size_bytes: Some(1_234),
        stats: Some(Stats {
            nodes: 3,
            edges: 2,
            top_kinds: vec![("function".to_owned(), 2), ("file".to_owned(), 1)],
            languages: vec!["python".to_owned()],
        }),
        source_sha: Commit::parse(&"a".repeat(40)),
        commits_behind: Some(7),
        ..Graph::default()
    }
}

/// A repository that was taken back.
pub(crate) fn revoked(id: &str) -> Entry {
    let mut entry = ok(id);
    entry.revocation = Some(Revocation {
        at: NOW + 600,
        by: RevokedBy::Registry,
        reason: Some("because of a letter".to_owned()),
    });
    entry.graphs.push(graph(id, "bundle@1"));
    for graph in &mut entry.graphs {
        graph.status = Status::Revoked;
        graph.last_error = Some("because of a letter".to_owned());
    }
    entry
}

/// That a document is what a schema of ours says.
pub(crate) fn is_valid(schema: &str, document: &serde_json::Value) {
    let schema: serde_json::Value = serde_json::from_str(schema).expect("it is JSON");
    let validator = jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("it is a schema");
    let errors: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}

/// A registry in memory, which counts how many entries were read.
pub(crate) struct Memory {
    pub(crate) about: Option<About>,
    pub(crate) entries: BTreeMap<String, Entry>,
    pub(crate) events: Vec<Event>,
    pub(crate) concepts: Vec<Concept>,
    pub(crate) read: Mutex<usize>,
}

impl Memory {
    /// A registry that has these entries, each with an event.
    pub(crate) fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut memory = Self {
            about: Some(about()),
            entries: BTreeMap::new(),
            events: Vec::new(),
            concepts: Vec::new(),
            read: Mutex::new(0),
        };
        for entry in entries {
            memory.put(entry, EventKind::Added);
        }
        memory
    }

    /// Puts an entry in its place, with an event.
    pub(crate) fn put(&mut self, entry: Entry, kind: EventKind) {
        self.event(&entry.repository, kind, Some(entry.status()));
        self.entries.insert(entry.repository.key(), entry);
    }

    /// Removes an entry, with an event.
    pub(crate) fn remove(&mut self, id: &str) {
        let repository = RepositoryId::parse(id).expect("because the test says so");
        self.entries.remove(&repository.key());
        self.event(&repository, EventKind::Removed, None);
    }

    fn event(&mut self, repository: &RepositoryId, kind: EventKind, status: Option<Status>) {
        let seq = self.events.last().map_or(1, |event| event.seq + 1);
        self.events.push(Event {
            seq,
            at: NOW + 60 * i64::try_from(seq).expect("because the test says so"),
            id: repository.to_string(),
            kind,
            status,
        });
    }

    /// How many entries were read since it was last asked.
    pub(crate) fn reads(&self) -> usize {
        std::mem::take(&mut *self.read.lock().expect("because the test says so"))
    }
}

impl Reading for Memory {
    fn about(&self) -> Got<Option<About>> {
        Ok(self.about.clone())
    }

    fn entry(&self, repository: &RepositoryId) -> Got<Option<Entry>> {
        *self.read.lock().expect("because the test says so") += 1;
        Ok(self.entries.get(&repository.key()).cloned())
    }

    fn page(&self, _: &Filter, after: Option<&str>, most: usize) -> Got<Vec<Entry>> {
        let behind = self
            .entries
            .iter()
            .filter(|(key, _)| after.is_none_or(|after| key.as_str() > after));
        Ok(behind.take(most).map(|(_, entry)| entry.clone()).collect())
    }

    fn each(&self, take: &mut dyn FnMut(Entry) -> Got<()>) -> Got<()> {
        for entry in self.entries.values() {
            *self.read.lock().expect("because the test says so") += 1;
            take(entry.clone())?;
        }
        Ok(())
    }

    fn each_id(&self, take: &mut dyn FnMut(&str)) -> Got<()> {
        let standing = self.entries.values().filter(|entry| entry.status() != Status::Revoked);
        standing.for_each(|entry| take(&entry.repository.to_string()));
        Ok(())
    }

    fn counts(&self) -> Got<Counts> {
        let mut counts = Counts::default();
        for entry in self.entries.values() {
            *counts.by_status.entry(entry.status()).or_default() += 1;
            let Some(stats) = entry.primary().stats.as_ref().filter(|_| entry.status() == Status::Ok) else {
                continue;
            };
            counts.nodes += stats.nodes;
            counts.edges += stats.edges;
            for (kind, count) in &stats.top_kinds {
                let known = counts.kinds.entry(kind.clone()).or_default();
                *known = (known.0 + count, known.1 + 1);
            }
            for language in &stats.languages {
                *counts.languages.entry(language.clone()).or_default() += 1;
            }
        }
        Ok(counts)
    }

    fn concepts(&self, most: usize) -> Got<Vec<Concept>> {
        Ok(self.concepts.iter().take(most).cloned().collect())
    }

    fn search(&self, _: &[String], _: usize) -> Got<Vec<Found>> {
        Ok(Vec::new())
    }

    fn visits(&self, _: &RepositoryId, _: usize) -> Got<Vec<Visit>> {
        Ok(Vec::new())
    }

    fn events(&self, after: u64, most: usize) -> Got<Vec<Event>> {
        let behind = self.events.iter().filter(|event| event.seq > after);
        Ok(behind.take(most).cloned().collect())
    }

    fn last_event(&self) -> Got<u64> {
        Ok(self.events.last().map_or(0, |event| event.seq))
    }

    fn audit(&self, _: usize) -> Got<Vec<AuditRow>> {
        Ok(Vec::new())
    }

    fn holders(&self, _: &str) -> Got<u64> {
        Ok(0)
    }

    fn unheld(&self, digests: &[String]) -> Got<Vec<String>> {
        Ok(digests.to_vec())
    }

    fn swept(&self) -> Got<Option<Seconds>> {
        Ok(None)
    }

    fn delayed_hosts(&self, _: Seconds) -> Got<Vec<(String, Seconds)>> {
        Ok(Vec::new())
    }

    fn last_visit(&self) -> Got<Option<Seconds>> {
        Ok(None)
    }

    fn next_due(&self) -> Got<Option<Seconds>> {
        Ok(None)
    }

    fn stuck(&self) -> Got<Vec<String>> {
        Ok(Vec::new())
    }

    fn formats(&self) -> Got<Vec<RegisteredFormat>> {
        Ok(Vec::new())
    }
}

impl Registry for Memory {
    fn read(&self, work: ReadWork<'_>) -> Got<()> {
        work(self)
    }

    fn write(&self, _: WriteWork<'_>) -> Got<()> {
        Err(OpError::new(
            ErrorKind::Unavailable,
            "nothing is written in these tests",
        ))
    }

    fn place(&self) -> Got<String> {
        Ok("memory".to_owned())
    }
}
