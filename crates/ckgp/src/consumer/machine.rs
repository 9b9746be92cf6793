//! A state machine without I/O that finds the graph of a repository and selects a format (clauses C1 to C7, S2, S4, S11; rulings 5, 9, 13, 14, 18, 21).
//!
//! [`Machine::step`] is the next step, [`Machine::feed`] takes its result, and [`Machine::finish`] gives the outcome. The
//! machine looks for the repository's own record, then asks the local registry and the aggregators in order, then fetches
//! the candidate bodies, the preferred format first, until one is valid.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::aggregator::{self, Entry, List};
use super::cached::{CachedGraph, CachedRecord, CachedRepository, Via};
use super::local;
use super::outcome::{Indexed, Listed, Outcome, RecordState, Taken, Tried};
use crate::body::{self, judge};
use crate::fetch::{self, Fetch, Got, Jitter, Miss};
use crate::forge::{Forge, RepositoryId};
use crate::format::{Commit, FormatId};
use crate::formats;
use crate::head;
use crate::policy::{Address, HostPolicy};
use crate::record::{self, Document, RecordFault};
use lore_seam::{Deadline, Web, WebFault, WebReply};

/// Names that a repository may have had since.
const MOST_RENAMES: usize = 5;

/// Whom to ask, and what may be asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// Aggregators, in order.
    pub aggregators: Vec<Address>,
    /// Hosts that graphs may come from besides the repository's own.
    pub allowed: Vec<String>,
    /// What runs at hosts that do not say it by their name.
    pub forges: Vec<(String, Forge)>,
    /// Formats to choose before others.
    pub preferred: Vec<String>,
}

impl Sources {
    /// The forge at a host.
    pub fn forge(&self, host: &str) -> Option<Forge> {
        let named = self.forges.iter().find(|(known, _)| known == host);
        named.map(|(_, forge)| *forge).or_else(|| Forge::of_host(host))
    }

    /// The hosts that graphs of a repository may come from.
    pub fn policy(&self, repository: &RepositoryId) -> HostPolicy {
        HostPolicy::of(repository, self.forge(repository.host()), &self.allowed)
    }
}

/// What is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LookupOptions {
    /// The format, if only one will do.
    pub format: Option<FormatId>,
    /// Whether the body is wanted, and not only where it is.
    pub body: bool,
    /// Whether it is wanted to know how far the repository has gone on.
    pub head: bool,
}

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// To wait.
    Wait(Duration),
    /// To ask.
    Ask(Ask),
    /// To look a repository up in the registry of this machine.
    Look(RepositoryId),
    /// Nothing.
    Done,
}

/// A request that is to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ask {
    /// What for.
    pub purpose: Purpose,
    /// The address.
    pub address: Address,
    /// The mark of what is there already.
    pub etag: Option<String>,
    /// When what is there already was changed.
    pub last_modified: Option<String>,
    /// Bytes that the reply may have.
    pub max_bytes: u64,
}

/// What a request is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A repository's record.
    Record,
    /// The list of an aggregator.
    List,
    /// The body of a graph.
    Body,
    /// The tip of the default branch, which [`head::REQUEST`] is sent for.
    Head,
    /// All refs of a repository, for those that do not know that request.
    Refs,
    /// How many commits a forge counts between two.
    Compare,
}

/// A graph that comes into question.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Candidate {
    format: FormatId,
    url: String,
    via: Via,
    source_sha: Option<Commit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Record(usize),
    Local,
    List(usize, List),
    Body(usize),
    Head,
    Done,
}

/// The search for a graph.
#[derive(Clone, Debug)]
pub struct Machine {
    sources: Sources,
    options: LookupOptions,
    kept: Option<CachedRepository>,
    jitter: Jitter,
    stage: Stage,
    fetch: Option<Fetch>,
    candidates: Vec<Candidate>,
    near: BTreeSet<(usize, String)>,
    /// The body that was fetched last: a record may name one body under two formats.
    last_body: Option<(String, Got)>,
    outcome: Outcome,
}

impl Machine {
    /// A search for the graph of a repository, of which something may be kept already.
    pub fn new(
        repository: RepositoryId,
        sources: Sources,
        options: LookupOptions,
        kept: Option<CachedRepository>,
        seed: u64,
    ) -> Self {
        Self {
            outcome: Outcome::nothing(repository),
            sources,
            options,
            kept,
            jitter: Jitter::new(seed),
            stage: Stage::Record(0),
            fetch: None,
            candidates: Vec::new(),
            near: BTreeSet::new(),
            last_body: None,
        }
    }

    /// The outcome of an offline search, from the cache alone.
    pub fn offline(repository: RepositoryId, kept: &CachedRepository) -> Outcome {
        let mut outcome = Outcome::nothing(repository);
        if let Some(kept) = &kept.record {
            outcome.record = state_of(kept.url.clone(), kept.text.as_bytes());
        }
        outcome
    }

    /// What to do next.
    pub fn step(&mut self) -> Step {
        while self.fetch.is_none() && self.stage != Stage::Done {
            if self.stage == Stage::Local {
                return Step::Look(self.outcome.repository.clone());
            }
            self.begin();
        }
        let Some(fetch) = &mut self.fetch else {
            return Step::Done;
        };
        if let Some(time) = fetch.wait() {
            return Step::Wait(time);
        }
        let address = fetch.address().clone();
        let (purpose, max_bytes) = match self.stage {
            Stage::Record(_) => (Purpose::Record, record::MOST_BYTES),
            Stage::List(..) => (Purpose::List, aggregator::MOST_BYTES),
            Stage::Body(_) => (Purpose::Body, body::MOST_BYTES),
            Stage::Head | Stage::Local | Stage::Done => (Purpose::Head, head::MOST_BYTES),
        };
        let (etag, last_modified) = if fetch.may_be_unchanged() {
            self.marks()
        } else {
            (None, None)
        };
        Step::Ask(Ask {
            purpose,
            address,
            etag,
            last_modified,
            max_bytes,
        })
    }

    /// The time for what is fetched now.
    pub fn deadline(&mut self, web: &dyn Web) -> Arc<dyn Deadline> {
        match &mut self.fetch {
            Some(fetch) => fetch.deadline(web),
            None => web.deadline(Duration::ZERO),
        }
    }

    /// Takes what came of a request.
    pub fn feed(&mut self, reply: Result<WebReply, WebFault>, now_ms: u64) {
        let Some(fetch) = &mut self.fetch else {
            return;
        };
        let Some(outcome) = fetch.feed(reply, now_ms, &mut self.jitter) else {
            return;
        };
        self.fetch = None;
        match self.stage {
            Stage::Record(at) => self.record(at, outcome),
            Stage::List(at, list) => self.list(at, list, outcome),
            Stage::Body(at) => self.body(at, outcome),
            Stage::Head => {
                let tip = outcome.ok().and_then(|got| head::parse(&got.reply.body));
                self.outcome.head = tip.map(|tip| tip.commit);
                self.stage = Stage::Done;
            }
            Stage::Local | Stage::Done => {}
        }
    }

    /// Takes what the registry of this machine says of the repository; it comes before all other aggregators.
    pub fn feed_local(&mut self, entries: Vec<Entry>) {
        if self.stage != Stage::Local {
            return;
        }
        if entries.is_empty() {
            self.stage = Stage::List(0, List::Repos)
        } else {
            self.listed(0, local::NAME, entries)
        }
    }

    /// The whole.
    pub fn finish(mut self) -> Outcome {
        self.outcome.near = self.near.into_iter().map(|(_, id)| id).collect();
        self.outcome
    }

    /// Adds a remark of the code that runs the machine.
    pub fn note(&mut self, note: String) {
        if !self.outcome.notes.contains(&note) {
            self.outcome.notes.push(note);
        }
    }

    /// Begins what the stage is about, or goes on to the next one.
    fn begin(&mut self) {
        match self.stage {
            Stage::Record(at) => self.begin_record(at),
            Stage::List(at, list) => self.begin_list(at, list),
            Stage::Body(at) => self.begin_body(at),
            Stage::Head => self.begin_head(),
            Stage::Local | Stage::Done => {}
        }
    }

    /// The marks of what is kept of what is asked for now.
    fn marks(&self) -> (Option<String>, Option<String>) {
        match (self.stage, &self.kept) {
            (Stage::Record(_), Some(kept)) => (kept.record.as_ref().and_then(|record| record.etag.clone()), None),
            (Stage::Body(at), Some(_)) => match self.kept_graph(at) {
                Some(graph) => (graph.etag.clone(), graph.last_modified.clone()),
                None => (None, None),
            },
            _ => (None, None),
        }
    }

    fn begin_record(&mut self, at: usize) {
        let repository = &self.outcome.repository;
        let Some(forge) = self.sources.forge(repository.host()) else {
            return self.after_record(RecordState::UnknownForge);
        };
        let Some(url) = forge.record_urls(repository).into_iter().nth(at) else {
            return self.after_record(RecordState::Absent);
        };
        match self.sources.policy(repository).check(&url) {
            Ok(address) => {
                let kept = self.kept.as_ref().and_then(|kept| kept.record.as_ref());
                let is_conditional = kept.is_some_and(|record| record.url == url && record.etag.is_some());
                let fetch = Fetch::new(self.sources.policy(repository), address);
                self.fetch = Some(fetch.conditional(is_conditional));
            }
            Err(reason) => self.after_record(RecordState::Unreachable(format!("{url}: {reason}"))),
        }
    }

    /// Only a missing record leads to the next place. Any other failure does not tell whether there is a record (C1, C2).
    fn record(&mut self, at: usize, outcome: Result<Got, Miss>) {
        let forge = self.sources.forge(self.outcome.repository.host());
        let urls = forge.map(|forge| forge.record_urls(&self.outcome.repository));
        let url = urls.and_then(|urls| urls.into_iter().nth(at)).unwrap_or_default();
        let state = match outcome {
            Err(Miss::Absent) => {
                self.stage = Stage::Record(at + 1);
                return;
            }
            Err(miss) => RecordState::Unreachable(match miss {
                Miss::Transient(trouble) => trouble.why,
                miss => format!("{url}: {}", miss.why()),
            }),
            Ok(got) => {
                let kept = self.kept.as_ref().and_then(|kept| kept.record.as_ref());
                let fetched = match (got.is_unchanged, kept) {
                    (true, Some(kept)) => kept.clone(),
                    _ => CachedRecord {
                        url: url.clone(),
                        etag: got.reply.etag.clone(),
                        text: String::from_utf8_lossy(&got.reply.body).into_owned(),
                    },
                };
                let bytes = if got.is_unchanged {
                    fetched.text.as_bytes()
                } else {
                    &got.reply.body
                };
                let state = state_of(url, bytes);
                if state.record().is_some() {
                    self.outcome.record_text = Some(fetched);
                }
                state
            }
        };
        self.after_record(state);
    }

    fn after_record(&mut self, state: RecordState) {
        self.outcome.is_incomplete |= matches!(state, RecordState::Unreachable(_));
        self.outcome.record = state;
        self.stage = Stage::Local;
    }

    fn begin_list(&mut self, at: usize, list: List) {
        let Some(aggregator) = self.sources.aggregators.get(at) else {
            return self.after_lists();
        };
        match list.address(aggregator) {
            Ok(address) => {
                let policy = HostPolicy::of_host(aggregator.host(), &self.sources.allowed);
                // Where the repository speaks for itself, a registry that is down does not hold anybody up.
                let attempts = match self.outcome.record.record() {
                    Some(_) => 1,
                    None => fetch::ATTEMPTS,
                };
                self.fetch = Some(Fetch::new(policy, address).attempts(attempts));
            }
            Err(reason) => {
                self.note(format!("{aggregator} is not contacted: {reason}"));
                self.stage = Stage::List(at + 1, List::Repos);
            }
        }
    }

    fn list(&mut self, at: usize, list: List, outcome: Result<Got, Miss>) {
        let aggregator = self
            .sources
            .aggregators
            .get(at)
            .map(Address::to_string)
            .unwrap_or_default();
        let lookup = match outcome {
            Ok(got) => match aggregator::look_up(&got.reply.body, &self.outcome.repository) {
                Ok(lookup) => lookup,
                Err(fault) => {
                    self.note(format!("cannot use {}: {fault}", got.address));
                    return self.after_list(at, list);
                }
            },
            Err(Miss::Absent | Miss::Gone) => {
                if list == List::Registry {
                    self.note(format!("{aggregator} has no registry.json"));
                }
                return self.after_list(at, list);
            }
            Err(miss) => {
                self.note(format!("cannot reach the aggregator {aggregator}: {}", miss.why()));
                self.outcome.is_incomplete = true;
                self.stage = Stage::List(at + 1, List::Repos);
                return;
            }
        };
        self.near.extend(lookup.near);
        while self.near.len() > aggregator::MOST_NEAR {
            self.near.pop_last();
        }
        if lookup.entries.is_empty() {
            return self.after_list(at, list);
        }
        self.listed(at + 1, &aggregator, lookup.entries);
    }

    /// What an aggregator says of the repository decides whether the next one is asked.
    fn listed(&mut self, next: usize, aggregator: &str, entries: Vec<Entry>) {
        // One graph of several may be taken back; then the others may still be used.
        let concerns = |entry: &&Entry| match (&entry.id.format, &self.options.format) {
            (Some(format), Some(wanted)) => format == wanted,
            (Some(_), None) => false,
            (None, _) => true,
        };
        let is_revoked = entries.iter().filter(concerns).any(Entry::is_revoked);
        let renamed_to = entries.iter().find_map(|entry| entry.renamed_to.clone());
        let is_ok = entries.iter().any(Entry::is_ok);
        for entry in entries {
            if entry.is_revoked() {
                self.outcome.revoked_formats.extend(entry.format);
                continue;
            }
            let aggregator = aggregator.to_owned();
            self.outcome.listed.push(Listed { aggregator, entry });
        }
        if is_revoked {
            self.outcome.revoked_by = Some(aggregator.to_owned());
            self.stage = Stage::Done;
        } else if let Some(new) = renamed_to {
            self.rename(next, aggregator, new);
        } else if is_ok {
            self.after_lists();
        } else {
            self.stage = Stage::List(next, List::Repos);
        }
    }

    /// Goes to the new name, unless the repository still speaks for itself under the old one (C5).
    fn rename(&mut self, next: usize, aggregator: &str, new: RepositoryId) {
        let old = self.outcome.repository.clone();
        if self.outcome.record.record().is_some() {
            self.note(format!("{aggregator}: {old} is now {new}"));
            self.stage = Stage::List(next, List::Repos);
            return;
        }
        let is_cycle = new == old || self.outcome.renamed_from.contains(&new);
        if is_cycle || self.outcome.renamed_from.len() == MOST_RENAMES {
            let why = if is_cycle {
                "is one of the former names"
            } else {
                "is one rename too many"
            };
            self.note(format!("{aggregator}: {old} is now {new}, which {why}"));
            self.outcome.listed.clear();
            self.stage = Stage::Done;
            return;
        }
        let renamed_from = [self.outcome.renamed_from.as_slice(), &[old]].concat();
        let notes = std::mem::take(&mut self.outcome.notes);
        let is_incomplete = self.outcome.is_incomplete;
        self.outcome = Outcome {
            renamed_from,
            notes,
            is_incomplete,
            ..Outcome::nothing(new)
        };
        self.kept = None;
        self.near.clear();
        self.stage = Stage::Record(0);
    }

    fn after_list(&mut self, at: usize, list: List) {
        self.stage = match list {
            List::Repos => Stage::List(at, List::Registry),
            List::Registry => Stage::List(at + 1, List::Repos),
        };
    }

    /// All that is known is known: which graphs come into question, and in which order.
    fn after_lists(&mut self) {
        let mut candidates = Vec::new();
        for graph in self.outcome.record.record().map_or(&[][..], |record| &record.graphs) {
            candidates.push(Candidate {
                format: graph.format.clone(),
                url: graph.graph_url.clone(),
                via: Via::Record,
                source_sha: graph.source_sha.clone(),
            });
        }
        let mut disagreements = Vec::new();
        for Listed { aggregator, entry } in &self.outcome.listed {
            let (Some(format), Some(url), true) = (&entry.format, &entry.graph_url, entry.is_ok()) else {
                continue;
            };
            // The repository's own word counts (C4).
            if let Some(own) = candidates
                .iter()
                .find(|own| own.format == *format && own.via == Via::Record)
            {
                if own.url != *url {
                    disagreements.push(format!(
                        "{aggregator} lists another address for {format}: {url}; the repository's own record takes precedence"
                    ));
                }
                continue;
            }
            candidates.push(Candidate {
                format: format.clone(),
                url: url.clone(),
                via: Via::Aggregator(aggregator.clone()),
                source_sha: entry.source_sha.clone(),
            });
        }
        disagreements.into_iter().for_each(|note| self.note(note));
        candidates.retain(|candidate| !self.outcome.revoked_formats.contains(&candidate.format));
        if let Some(wanted) = &self.options.format {
            candidates.retain(|candidate| candidate.format == *wanted);
        }
        candidates.sort_by_key(|candidate| {
            let is_hint = candidate.via != Via::Record;
            (is_hint, formats::preference(&candidate.format, &self.sources.preferred))
        });
        self.candidates = candidates;
        self.stage = if self.options.body { Stage::Body(0) } else { Stage::Head };
    }

    /// The graph that is kept of a candidate.
    fn kept_graph(&self, at: usize) -> Option<&CachedGraph> {
        let candidate = self.candidates.get(at)?;
        self.kept.as_ref()?.graph_at(&candidate.format, &candidate.url)
    }

    fn begin_body(&mut self, at: usize) {
        let Some(candidate) = self.candidates.get(at).cloned() else {
            self.stage = Stage::Head;
            return;
        };
        if formats::known(&candidate.format).is_none() {
            return self.not_taken(at, "unsupported", format!("{} is unknown", candidate.format));
        }
        let policy = self.sources.policy(&self.outcome.repository);
        let address = match policy.check(&candidate.url) {
            Ok(address) => address,
            Err(reason) => return self.not_taken(at, reason.code(), format!("not fetched: {reason}")),
        };
        if let Some((url, got)) = self.last_body.take_if(|(url, _)| *url == candidate.url) {
            debug_assert_eq!(url, candidate.url);
            return self.body(at, Ok(got));
        }
        let is_conditional = self
            .kept_graph(at)
            .is_some_and(|graph| graph.etag.is_some() || graph.last_modified.is_some());
        self.fetch = Some(Fetch::new(policy, address).conditional(is_conditional));
    }

    fn body(&mut self, at: usize, outcome: Result<Got, Miss>) {
        let Some(candidate) = self.candidates.get(at).cloned() else {
            return;
        };
        let got = match outcome {
            Ok(got) => got,
            Err(miss) => {
                let code = match &miss {
                    Miss::Absent | Miss::Gone => {
                        self.outcome.withdrawn.push(candidate.url.clone());
                        "missing"
                    }
                    Miss::Refused(code, _) => code,
                    Miss::TooLarge => "oversize",
                    Miss::Transient(_) => {
                        self.outcome.is_incomplete = true;
                        "transient"
                    }
                };
                return self.not_taken(at, code, miss.why());
            }
        };
        if got.is_unchanged {
            let Some(graph) = self.kept_graph(at).cloned() else {
                return self.not_taken(
                    at,
                    "transient",
                    "the server says unchanged, but nothing is cached".to_owned(),
                );
            };
            return self.take(&candidate, graph, None, Vec::new());
        }
        let facts = match judge(&candidate.format, &got.reply.body) {
            Ok(facts) => facts,
            Err(refusal) => {
                let mut why = refusal.reason.clone();
                if let Some(first) = refusal.errors.first() {
                    why.push_str(&format!(" ({first})"));
                }
                self.last_body = Some((candidate.url.clone(), got));
                return self.not_taken(at, refusal.kind.code(), why);
            }
        };
        let policy = self.sources.policy(&self.outcome.repository);
        if let Some(content_url) = body::content_url(&candidate.format, &got.reply.body)
            && let Err(reason) = policy.check(&content_url)
        {
            return self.not_taken(at, reason.code(), format!("its content_url is not fetched: {reason}"));
        }
        let mut graph = CachedGraph::of(&candidate.format, &candidate.url, &facts, candidate.via.clone());
        graph.etag.clone_from(&got.reply.etag);
        graph.last_modified.clone_from(&got.reply.last_modified);
        self.take(&candidate, graph, Some(got.reply.body), facts.warnings);
    }

    fn take(&mut self, candidate: &Candidate, mut graph: CachedGraph, body: Option<Vec<u8>>, warnings: Vec<String>) {
        let claimed = candidate.source_sha.as_ref().map(|commit| commit.as_str().to_owned());
        match (&graph.source_sha, claimed) {
            (Some(own), Some(claimed)) if *own != claimed => self.note(format!(
                "the body names the commit {own}, {} names {claimed}; the body takes precedence",
                match candidate.via {
                    Via::Aggregator(_) => "the aggregator",
                    _ => "the record",
                }
            )),
            (None, claimed) => graph.source_sha = claimed,
            _ => {}
        }
        let indexed = self.outcome.listed.iter().find_map(|listed| {
            let is_it = listed.entry.graph_url.as_deref() == Some(graph.url.as_str());
            listed.entry.last_sha.clone().filter(|_| is_it)
        });
        let indexed = match indexed {
            None => Indexed::Unknown,
            Some(digest) if digest == graph.digest => Indexed::Same,
            Some(_) => Indexed::Newer,
        };
        self.outcome.taken = Some(Taken {
            graph,
            body,
            warnings,
            indexed,
        });
        self.stage = Stage::Head;
    }

    fn not_taken(&mut self, at: usize, code: &'static str, why: String) {
        if let Some(candidate) = self.candidates.get(at) {
            self.outcome.tried.push(Tried {
                format: candidate.format.clone(),
                url: candidate.url.clone(),
                code,
                why,
            });
        }
        self.stage = Stage::Body(at + 1);
    }

    fn begin_head(&mut self) {
        self.stage = Stage::Done;
        let knows_source = self.candidates.iter().any(|candidate| candidate.source_sha.is_some())
            || self
                .outcome
                .taken
                .as_ref()
                .is_some_and(|taken| taken.graph.source_sha.is_some());
        let repository = &self.outcome.repository;
        let Some(address) = head::address(repository)
            .ok()
            .filter(|_| self.options.head && knows_source && self.sources.forge(repository.host()).is_some())
        else {
            return;
        };
        self.fetch = Some(Fetch::new(self.sources.policy(repository), address).attempts(1));
        self.stage = Stage::Head;
    }
}

/// What a document at the record's place is.
fn state_of(url: String, bytes: &[u8]) -> RecordState {
    match record::parse(bytes) {
        Ok(Document::Record { record, warnings }) => RecordState::Found { url, record, warnings },
        Ok(Document::Service(_)) => {
            RecordState::Unusable("this is the document of an aggregator, which lists no graphs".to_owned())
        }
        Err(RecordFault::Unsupported(version)) => RecordState::Unsupported(version),
        Err(fault) => RecordState::Unusable(fault.to_string()),
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
