//! A state machine without I/O for one visit: what to request, and the new state of the entry (section 2.6, clauses R1 to R5, S1, S2, S4; rulings 4, 9, 11, 12, 13, 19, 20, 21).
//!
//! The machine fetches the repository's own record, the bodies that it names, the tip of the default branch and the number
//! of commits between. [`Machine::step`] is the next step, [`Machine::feed`] takes its result, and [`Machine::finish`] gives
//! the new entry and the data to store.

mod drift;
mod local;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::formats::Formats;
use super::schedule;
use super::search_text::{CollectedWords, text_of};
use lore_base::excerpt::excerpt;
use lore_ckgp::body::{self, Refusal};
use lore_ckgp::consumer::machine::{Ask, Purpose, Sources};
use lore_ckgp::fetch::{Fetch, Got, Jitter, Miss, Patience, Trouble};
use lore_ckgp::forge::{RECORD_PATH, RepositoryId};
use lore_ckgp::format::{Commit, FormatId};
use lore_ckgp::head;
use lore_ckgp::policy::{Address, HostPolicy};
use lore_ckgp::record::{self, Document, Record, RecordFault};
use lore_ckgp::registry_store::entry::{Entry, Graph, Marks, Revocation, RevokedBy, Seconds, Stats};
use lore_ckgp::registry_store::local_repositories::LocalFault;
use lore_ckgp::registry_store::status::{DEAD_AFTER, Status};
use lore_ckgp::registry_store::store::{EventKind, SearchText, Visit};
use lore_seam::{Deadline, Web, WebFault, WebReply};

/// Graphs of one repository.
const MOST_GRAPHS: usize = 32;
/// Visits in a row without the record after which the producer has withdrawn (amendment; ruling 19).
const WITHDRAWN_AFTER: u32 = 2;
/// Bytes of a forge's count.
const MOST_COMPARE: u64 = 4 << 20;
/// Characters of what was wrong.
const MOST_ERROR: usize = 400;
/// Warnings of a body that are kept.
const MOST_WARNINGS: usize = 5;

/// By what a registry visits.
pub struct Rules {
    /// The hosts that may be asked, and what runs there.
    pub sources: Sources,
    /// The formats that bodies are judged by.
    pub formats: Formats,
    /// How much is borne with.
    pub patience: Patience,
}

impl Rules {
    /// The host that is asked first on a visit of a repository.
    pub fn first_host(&self, entry: &Entry) -> String {
        let repository = &entry.repository;
        let record = self.sources.forge(repository.host()).and_then(|forge| {
            let url = forge.record_urls(repository).into_iter().next()?;
            Address::parse(&url).ok()
        });
        let named = || Address::parse(entry.primary().graph_url.as_deref()?).ok();
        let address = record.or_else(named).filter(|_| !repository.is_local());
        address.map_or_else(|| repository.host().to_owned(), |address| address.host().to_owned())
    }
}

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// To wait.
    Wait(Duration),
    /// To ask.
    Ask(Ask),
    /// To read the first of these files that exists, in the directory of the repository.
    Read {
        /// The directory.
        directory: String,
        /// Paths from the root of the repository.
        paths: Vec<String>,
        /// Bytes that the file may have.
        max_bytes: u64,
    },
    /// To look which commit is checked out in a directory.
    Tip(String),
    /// To count in a clone, if there is one, the commits that `tip` has and `base` has not.
    Count {
        /// What the graph was made of.
        base: Commit,
        /// The tip of the default branch.
        tip: Commit,
    },
    /// Nothing.
    Done,
}

/// The error of a visit that ended by a bug of Lore; its message is not published, as it may contain third-party text.
const BROKEN: &str = "internal_error: the visit ended unexpectedly, a bug of Lore";

/// What becomes of an entry whose visit ended by a fault of ours: it failed for now, and what was known of it stays (step 8 of a visit).
pub fn broken(rules: &Rules, entry: Entry, now: Seconds, seed: u64) -> Outcome {
    let mut machine = Machine::new(rules, entry, BTreeSet::new(), now, seed);
    machine.stage = Stage::Done;
    let graphs = machine.entry.graphs.iter_mut();
    for graph in graphs.filter(|graph| !graph.status.is_at_rest()) {
        graph.last_synced = Some(now);
        failed(graph, Status::TransientError, BROKEN.to_owned());
    }
    machine.finish()
}

/// What a visit comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What is known now.
    pub entry: Entry,
    /// What is remembered of the visit.
    pub visit: Visit,
    /// When the next one is due.
    pub due: Option<Seconds>,
    /// The event of the change feed.
    pub event: Option<EventKind>,
    /// The name that the repository has now: it is to be registered unless it is.
    pub successor: Option<RepositoryId>,
    /// What can be searched, for each graph of which it is another now; nothing for those that are gone.
    pub texts: Vec<(FormatId, Option<SearchText>)>,
    /// The words of the primary graph's labels, if they are others now.
    pub terms: Option<BTreeSet<String>>,
    /// Digests of bodies that are not to be held for it any more: those of graphs that were taken back, have moved, or are not in the record any more. A body that another one of the
    /// same graph replaced is none of them.
    pub withdrawn: Vec<String>,
    /// Digests of bodies that the entry refers to, as far as they were there on the visit.
    pub held: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Record(usize),
    Body(usize),
    Head,
    Refs,
    Count(usize),
    Compare(usize),
    Done,
}

/// A visit.
pub struct Machine<'r> {
    rules: &'r Rules,
    before: Entry,
    entry: Entry,
    now: Seconds,
    jitter: Jitter,
    held: BTreeSet<String>,
    /// Graphs that were judged by the reply to another one's request: their places.
    judged: BTreeSet<usize>,
    stage: Stage,
    fetch: Option<Fetch>,
    /// What is read in the directory of a local repository.
    reading: Option<Vec<String>>,
    /// The host that did not answer at all, so that it is not asked again on this visit.
    down: Option<(String, Trouble)>,
    /// The digest of the body that is judged now, if it has to be kept.
    kept: Option<String>,
    body: Option<(String, Vec<u8>)>,
    symbols: Vec<(FormatId, String)>,
    terms: Option<BTreeSet<String>>,
    requests: u32,
    bytes: u64,
    is_changed: bool,
}

impl<'r> Machine<'r> {
    /// A visit of an entry. `held` are the digests of its bodies that are there.
    pub fn new(rules: &'r Rules, entry: Entry, held: BTreeSet<String>, now: Seconds, seed: u64) -> Self {
        Self {
            rules,
            before: entry.clone(),
            stage: if entry.is_at_rest() {
                Stage::Done
            } else {
                Stage::Record(0)
            },
            entry,
            now,
            jitter: Jitter::new(seed),
            held,
            judged: BTreeSet::new(),
            fetch: None,
            reading: None,
            down: None,
            kept: None,
            body: None,
            symbols: Vec::new(),
            terms: None,
            requests: 0,
            bytes: 0,
            is_changed: false,
        }
    }

    /// What to do next.
    pub fn step(&mut self) -> Step {
        loop {
            if let Some(fetch) = &mut self.fetch {
                if let Some(time) = fetch.wait() {
                    return Step::Wait(time);
                }
                return Step::Ask(self.ask());
            }
            if let Some((directory, paths)) = self.entry.directory.clone().zip(self.reading.clone()) {
                return Step::Read {
                    directory,
                    paths,
                    max_bytes: match self.stage {
                        Stage::Record(_) => record::MOST_BYTES,
                        _ => body::MOST_BYTES,
                    },
                };
            }
            if let (Stage::Head, Some(directory)) = (self.stage, &self.entry.directory) {
                return Step::Tip(directory.clone());
            }
            match self.stage {
                Stage::Record(at) => self.begin_record(at),
                Stage::Body(at) => self.begin_body(at),
                Stage::Head => self.begin_head(),
                Stage::Refs => self.begin_refs(),
                Stage::Count(at) => {
                    if let Some((base, tip)) = self.uncounted(at) {
                        return Step::Count { base, tip };
                    }
                }
                Stage::Compare(at) => self.begin_compare(at),
                Stage::Done => return Step::Done,
            }
        }
    }

    /// The request that is to be made for what is fetched now.
    fn ask(&self) -> Ask {
        let fetch = self
            .fetch
            .as_ref()
            .expect("because it is asked only while something is fetched");
        let (purpose, max_bytes) = match self.stage {
            Stage::Record(_) => (Purpose::Record, record::MOST_BYTES),
            Stage::Body(_) => (Purpose::Body, body::MOST_BYTES),
            Stage::Refs => (Purpose::Refs, head::MOST_REFS_BYTES),
            Stage::Compare(_) => (Purpose::Compare, MOST_COMPARE),
            Stage::Head | Stage::Count(_) | Stage::Done => (Purpose::Head, head::MOST_BYTES),
        };
        let (etag, last_modified) = match (fetch.may_be_unchanged(), self.stage) {
            (true, Stage::Record(_)) => (self.entry.record.etag.clone(), self.entry.record.last_modified.clone()),
            (true, Stage::Body(at)) => {
                let marks = self
                    .entry
                    .graphs
                    .get(at)
                    .and_then(|graph| graph.marks.clone())
                    .unwrap_or_default();
                (marks.etag, marks.last_modified)
            }
            _ => (None, None),
        };
        Ask {
            purpose,
            address: fetch.address().clone(),
            etag,
            last_modified,
            max_bytes,
        }
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
        self.requests += 1;
        let Some(mut fetch) = self.fetch.take() else {
            return;
        };
        if let (Ok(reply), Stage::Body(at)) = (&reply, self.stage)
            && reply.status == 304
            && !fetch.may_be_unchanged()
        {
            // Nobody said what is there already: what the server means is not known, and nothing is taken from it.
            self.unchanged(at, false);
            self.stage = Stage::Body(at + 1);
            return;
        }
        let asked = fetch.address().host().to_owned();
        let Some(outcome) = fetch.feed(reply, now_ms, &mut self.jitter) else {
            self.fetch = Some(fetch);
            return;
        };
        if let Some(to) = self.successor(&fetch) {
            self.entry.rename(to);
            self.stage = Stage::Done;
            return;
        }
        if let Err(Miss::Transient(trouble)) = &outcome
            && (trouble.is_fault || trouble.code == "429")
        {
            self.down = Some((asked, trouble.clone()));
        }
        if let Ok(got) = &outcome {
            self.bytes += got.reply.body.len() as u64;
        }
        match self.stage {
            Stage::Record(at) => self.record(at, outcome),
            Stage::Body(at) => {
                self.reply_to_all(at, outcome);
                self.stage = Stage::Body(at + 1);
            }
            Stage::Head => self.head(outcome),
            Stage::Refs => {
                let tip = outcome.ok().and_then(|got| head::parse(&got.reply.body));
                self.tip(tip);
            }
            Stage::Compare(at) => {
                let count = outcome.ok().and_then(|got| drift::compared(&got.reply.body));
                self.counted(at, count);
            }
            Stage::Count(_) | Stage::Done => {}
        }
    }

    /// Takes a file of the directory of a local repository.
    pub fn feed_file(&mut self, read: Result<Option<Vec<u8>>, LocalFault>) {
        self.requests += 1;
        if self.reading.take().is_none() {
            return;
        }
        let outcome = local::outcome(read);
        if let Ok(got) = &outcome {
            self.bytes += got.reply.body.len() as u64;
        }
        match self.stage {
            Stage::Record(at) => self.record(at, outcome),
            Stage::Body(at) => {
                self.reply_to_all(at, outcome);
                self.stage = Stage::Body(at + 1);
            }
            _ => {}
        }
    }

    /// Takes the commit that is checked out in the directory of a local repository.
    pub fn feed_tip(&mut self, tip: Option<head::Tip>) {
        self.entry.drift_checked_at = Some(self.now);
        self.tip(tip);
    }

    /// Takes the count of a clone; `None` without a clone that has both commits. `may_ask` is whether the forge may be asked then.
    pub fn feed_count(&mut self, count: Option<u64>, may_ask: bool) {
        let Stage::Count(at) = self.stage else {
            return;
        };
        match (count, may_ask) {
            (None, true) => self.stage = Stage::Compare(at),
            (count, _) => self.counted(at, count),
        }
    }

    /// The body that has to be kept before the visit ends, with its digest. No more than one is held at a time.
    pub fn take_body(&mut self) -> Option<(String, Vec<u8>)> {
        self.body.take()
    }

    /// The repository that is visited.
    pub fn repository(&self) -> &RepositoryId {
        &self.entry.repository
    }

    /// The directory of a local repository.
    pub fn directory(&self) -> Option<&str> {
        self.entry.directory.as_deref()
    }

    /// What it comes to.
    pub fn finish(mut self) -> Outcome {
        self.entry.visited_at = Some(self.now);
        self.entry.interval = schedule::interval(self.entry.interval, self.is_changed);
        let (before, entry) = (&self.before, &self.entry);
        let event = match (&entry.revocation, &entry.renamed_to) {
            _ if before.is_at_rest() => None,
            (Some(_), _) => Some(EventKind::Revoked),
            (None, Some(_)) => Some(EventKind::Renamed),
            (None, None) => (public(before) != public(entry)).then_some(EventKind::Changed),
        };
        let primary = entry.primary();
        let visit = Visit {
            at: self.now,
            status: entry.status(),
            error: primary.last_error.clone(),
            requests: self.requests,
            bytes: self.bytes,
            is_changed: self.is_changed,
        };
        let withdrawn = withdrawn(before, entry);
        let held = entry.held().filter(|digest| self.held.contains(*digest));
        let held = held.map(str::to_owned).collect();
        let terms = if entry.is_at_rest() && !before.is_at_rest() {
            Some(BTreeSet::new())
        } else {
            self.terms
        };
        let due = schedule::next_visit(entry, self.now, &mut self.jitter);
        Outcome {
            texts: texts(before, entry, self.symbols),
            terms,
            visit,
            due,
            event,
            successor: entry.renamed_to.clone().filter(|_| before.renamed_to.is_none()),
            withdrawn,
            held,
            entry: self.entry,
        }
    }

    fn policy(&self) -> HostPolicy {
        self.rules.sources.policy(&self.entry.repository)
    }

    /// Begins to fetch, unless the host is known not to answer.
    fn begin(&mut self, policy: HostPolicy, address: Address, is_conditional: bool) -> Result<(), Trouble> {
        if let Some((host, trouble)) = &self.down
            && host == address.host()
        {
            return Err(trouble.clone());
        }
        let fetch = Fetch::new(policy, address).patience(self.rules.patience);
        self.fetch = Some(fetch.conditional(is_conditional));
        Ok(())
    }

    /// The name that a repository has now, if a server said that it has moved for good to another one of the same forge.
    fn successor(&self, fetch: &Fetch) -> Option<RepositoryId> {
        let moved = fetch.moved()?;
        let host = self.entry.repository.host();
        let to = match self.stage {
            Stage::Record(_) => self.rules.sources.forge(host)?.repository_at(host, moved.as_str())?,
            Stage::Head | Stage::Refs => head::repository_at(moved)?,
            _ => return None,
        };
        (to != self.entry.repository && to.host() == host).then_some(to)
    }

    fn begin_record(&mut self, at: usize) {
        let repository = self.entry.repository.clone();
        if self.entry.directory.is_some() {
            match at {
                0 => self.reading = Some(vec![RECORD_PATH.to_owned()]),
                _ => self.no_record(),
            }
            return;
        }
        if repository.is_local() {
            let why = "unknown_directory: the directory of this repository is not known; register it by its path";
            return self.without_record(Status::Refused, why.to_owned());
        }
        let Some(forge) = self.rules.sources.forge(repository.host()) else {
            let why = format!(
                "unknown forge {}; name its kind in [graph.forges] of the configuration",
                repository.host()
            );
            return self.without_record(Status::Refused, format!("unknown_forge: {why}"));
        };
        let Some(url) = forge.record_urls(&repository).into_iter().nth(at) else {
            return self.no_record();
        };
        let policy = self.policy();
        match policy.check(&url) {
            Ok(address) => {
                let mark = &self.entry.record;
                let is_known = mark.url.as_deref() == Some(url.as_str());
                let is_conditional = is_known && (mark.etag.is_some() || mark.last_modified.is_some());
                if let Err(trouble) = self.begin(policy, address, is_conditional) {
                    self.without_record(Status::TransientError, told(&trouble));
                }
            }
            Err(reason) => self.without_record(Status::Refused, format!("{}: {reason}", reason.code())),
        }
    }

    /// Only that there is nothing leads on to the next place (clause C1).
    fn record(&mut self, at: usize, outcome: Result<Got, Miss>) {
        let got = match outcome {
            Ok(got) => got,
            Err(Miss::Absent | Miss::Gone) => {
                self.stage = Stage::Record(at + 1);
                return;
            }
            Err(Miss::Refused(code, why)) => return self.without_record(Status::Refused, format!("{code}: {why}")),
            Err(Miss::TooLarge) => {
                let why = format!("the record has more than {} bytes", record::MOST_BYTES);
                return self.without_record(Status::Invalid, why);
            }
            Err(Miss::Transient(trouble)) => return self.without_record(Status::TransientError, told(&trouble)),
        };
        self.entry.record.misses = 0;
        if got.is_unchanged {
            self.entry.record.fault = None;
            self.stage = Stage::Body(0);
            return;
        }
        match record::parse(&got.reply.body) {
            Ok(Document::Record { record, .. }) => {
                let urls = self.rules.sources.forge(self.entry.repository.host());
                let urls = urls
                    .map(|forge| forge.record_urls(&self.entry.repository))
                    .unwrap_or_default();
                let mark = &mut self.entry.record;
                mark.url = match self.entry.directory {
                    Some(_) => Some(RECORD_PATH.to_owned()),
                    None => urls.into_iter().nth(at),
                };
                mark.etag = got.reply.etag;
                mark.last_modified = got.reply.last_modified;
                mark.fault = None;
                self.take_record(&record);
                self.stage = Stage::Body(0);
            }
            Ok(Document::Service(_)) => self.without_record(
                Status::Invalid,
                "the file at the record's place is the document of an aggregator".to_owned(),
            ),
            Err(fault @ RecordFault::Unsupported(_)) => self.without_record(Status::Unsupported, fault.to_string()),
            Err(fault) => self.without_record(Status::Invalid, fault.to_string()),
        }
    }

    /// The producer's word replaces ours: graphs are added, changed and dropped as the record has them (step 0 of a visit).
    fn take_record(&mut self, record: &Record) {
        let mut old = std::mem::take(&mut self.entry.graphs);
        let mut graphs: Vec<Graph> = Vec::new();
        for descriptor in record.graphs.iter() {
            let format = Some(descriptor.format.clone());
            if graphs.len() == MOST_GRAPHS || graphs.iter().any(|graph| graph.format == format) {
                continue;
            }
            let known = old.iter().position(|graph| graph.format == format);
            let mut graph = match known {
                Some(at) => old.remove(at),
                None => {
                    self.is_changed = true;
                    Graph {
                        format,
                        ..Graph::default()
                    }
                }
            };
            if graph.revocation.is_none() {
                if graph.graph_url.as_deref() != Some(&descriptor.graph_url) {
                    graph.graph_url = Some(descriptor.graph_url.clone());
                    graph.marks = None;
                }
                graph.is_recorded = true;
                graph.description.clone_from(&descriptor.description);
                graph.tags.clone_from(&descriptor.tags);
                graph.recorded_sha.clone_from(&descriptor.source_sha);
                graph.source_sha = graph.body_sha.clone().or_else(|| graph.recorded_sha.clone());
            }
            graphs.push(graph);
        }
        // That a graph was taken back is not forgotten because the record does not name it for a while.
        let tombstones = old.into_iter().filter(|graph| graph.revocation.is_some());
        graphs.extend(tombstones);
        self.entry.graphs = graphs;
    }

    /// No place has a record: the producer never had one, or has withdrawn it.
    fn no_record(&mut self) {
        let mark = &mut self.entry.record;
        if mark.url.is_some() {
            mark.misses += 1;
            mark.fault = None;
            if mark.misses >= WITHDRAWN_AFTER {
                let revocation = Revocation {
                    at: self.now,
                    by: RevokedBy::Producer,
                    reason: Some("the record is gone".to_owned()),
                };
                self.entry.revoke(None, revocation);
                self.is_changed = true;
                self.stage = Stage::Done;
                return;
            }
            self.stage = Stage::Body(0);
            return;
        }
        let now = self.now;
        let code = match self.entry.directory {
            Some(_) => local::NO_RECORD,
            None => "404",
        };
        if let Some(graph) = self.nameless() {
            graph.last_synced = Some(now);
            missed(graph, code);
        }
        self.stage = Stage::Body(0);
    }

    /// Handles an unavailable record. Without known graphs the entry gets the status of the record; otherwise the known graphs are visited.
    fn without_record(&mut self, status: Status, why: String) {
        let why = short(&why);
        let now = self.now;
        self.entry.record.fault = Some(why.clone());
        if let Some(graph) = self.nameless() {
            graph.last_synced = Some(now);
            failed(graph, status, why);
        }
        self.stage = Stage::Body(0);
    }

    /// The graph of an entry without known graphs.
    fn nameless(&mut self) -> Option<&mut Graph> {
        self.entry.graphs.first_mut().filter(|graph| graph.graph_url.is_none())
    }

    fn begin_body(&mut self, at: usize) {
        let Some(graph) = self.entry.graphs.get_mut(at) else {
            self.stage = Stage::Head;
            return;
        };
        self.stage = Stage::Body(at + 1);
        if self.judged.contains(&at) {
            return;
        }
        let (Some(format), Some(url), false) =
            (graph.format.clone(), graph.graph_url.clone(), graph.status.is_at_rest())
        else {
            return;
        };
        graph.last_synced = Some(self.now);
        let Some(schema) = self.rules.formats.schema(&format) else {
            let known = self.rules.formats.known();
            let known: Vec<String> = known.iter().map(FormatId::to_string).collect();
            let why = format!("unknown_format: {format}; known formats are {}", known.join(", "));
            return failed(graph, Status::Unsupported, short(&why));
        };
        if self.entry.directory.is_some() {
            self.reading = Some(local::paths(&url));
            self.stage = Stage::Body(at);
            return;
        }
        let policy = self.rules.sources.policy(&self.entry.repository);
        let address = match policy.check(&url) {
            Ok(address) => address,
            Err(reason) => return failed(graph, Status::Refused, format!("{}: {reason}", reason.code())),
        };
        let is_held = graph.last_sha.as_ref().is_some_and(|digest| self.held.contains(digest));
        // What was judged by another schema, or is no longer held, is needed again.
        if graph.marks.as_ref().is_some_and(|marks| marks.schema != schema) || !is_held {
            graph.marks = None;
        }
        let is_conditional = graph
            .marks
            .as_ref()
            .is_some_and(|marks| marks.etag.is_some() || marks.last_modified.is_some());
        match self.begin(policy, address, is_conditional) {
            Ok(()) => self.stage = Stage::Body(at),
            Err(trouble) => self.reply(at, &Err(Miss::Transient(trouble))),
        }
    }

    /// What came is the reply to all graphs at the same address: one body may be of several formats.
    fn reply_to_all(&mut self, at: usize, outcome: Result<Got, Miss>) {
        let marks_of = |graph: &Graph| {
            graph
                .marks
                .as_ref()
                .map(|marks| (marks.etag.clone(), marks.last_modified.clone()))
        };
        let asked = self
            .entry
            .graphs
            .get(at)
            .map(|graph| (graph.graph_url.clone(), marks_of(graph)));
        let is_unchanged = matches!(&outcome, Ok(got) if got.is_unchanged);
        let mut others = Vec::new();
        for (place, graph) in self.entry.graphs.iter_mut().enumerate().skip(at + 1) {
            let is_same = asked.as_ref().is_some_and(|(url, _)| *url == graph.graph_url) && !graph.status.is_at_rest();
            let schema = graph
                .format
                .as_ref()
                .and_then(|format| self.rules.formats.schema(format));
            let is_held = graph.last_sha.as_ref().is_some_and(|digest| self.held.contains(digest));
            // That nothing changed means something only to one that was judged as it is now, and was asked for by the same marks.
            let was_judged = is_held && graph.marks.as_ref().map(|marks| &marks.schema) == schema.as_ref();
            let is_meant =
                !is_unchanged || was_judged && asked.as_ref().map(|(_, marks)| marks) == Some(&marks_of(graph));
            if is_same && schema.is_some() && is_meant {
                graph.last_synced = Some(self.now);
                others.push(place);
            }
        }
        for place in others {
            self.judged.insert(place);
            self.reply(place, &outcome);
        }
        self.reply(at, &outcome);
        if let (Some(digest), Ok(got)) = (self.kept.take(), outcome) {
            self.body = Some((digest, got.reply.body));
        }
    }

    /// The table of replies (step 5 of a visit).
    fn reply(&mut self, at: usize, outcome: &Result<Got, Miss>) {
        let is_local = self.entry.directory.is_some();
        let Some(graph) = self.entry.graphs.get_mut(at) else {
            return;
        };
        match outcome {
            Ok(got) if got.is_unchanged => self.unchanged(at, true),
            Ok(got) => self.fetched(at, got),
            Err(Miss::Absent) if is_local => missed(graph, local::NO_FILE),
            Err(Miss::Absent) => missed(graph, "404"),
            Err(Miss::Gone) => missed(graph, "410"),
            Err(Miss::TooLarge) => failed(graph, Status::Oversize, format!("more than {} bytes", body::MOST_BYTES)),
            Err(Miss::Refused(code, why)) => failed(graph, Status::Refused, short(&format!("{code}: {why}"))),
            Err(Miss::Transient(trouble)) => failed(graph, Status::TransientError, told(trouble)),
        }
    }

    /// The server has what it had: that is well if it was well.
    fn unchanged(&mut self, at: usize, is_known: bool) {
        let Some(graph) = self.entry.graphs.get_mut(at) else {
            return;
        };
        graph.miss_count = 0;
        graph.last_error = None;
        if is_known && graph.last_sha.is_some() {
            graph.status = Status::Ok;
        }
    }

    /// A body came.
    fn fetched(&mut self, at: usize, got: &Got) {
        let policy = self.policy();
        let is_local = self.entry.directory.is_some();
        let primary = self.entry.primary().format.clone();
        let Some(graph) = self.entry.graphs.get_mut(at) else {
            return;
        };
        let is_primary = graph.format == primary;
        let Some(format) = graph.format.clone() else {
            return;
        };
        let mut gathered = CollectedWords::default();
        let judged = self
            .rules
            .formats
            .judge(&format, &got.reply.body, &mut |seen| gathered.see(seen));
        let facts = match judged {
            Ok(facts) => facts,
            Err(refusal) => return failed(graph, Status::Invalid, why_refused(&refusal)),
        };
        if let Some(content_url) = body::content_url(&format, &got.reply.body).filter(|_| !is_local)
            && let Err(reason) = policy.check(&content_url)
        {
            let why = format!("{}: its content_url: {reason}", reason.code());
            return failed(graph, Status::Refused, why);
        }
        graph.status = Status::Ok;
        graph.last_error = None;
        graph.miss_count = 0;
        graph.warnings = facts
            .warnings
            .iter()
            .take(MOST_WARNINGS)
            .map(|warning| short(warning))
            .collect();
        graph.marks = Some(Marks {
            etag: got.reply.etag.clone(),
            last_modified: got.reply.last_modified.clone(),
            schema: self.rules.formats.schema(&format).unwrap_or_default(),
        });
        graph.stats = Some(Stats {
            nodes: facts.nodes,
            edges: facts.edges,
            top_kinds: facts.top_kinds,
            languages: facts.languages,
        });
        graph.tool_version = facts.tool_version;
        graph.generated_at = facts.generated_at;
        if let (Some(own), Some(recorded)) = (&facts.source_sha, &graph.recorded_sha)
            && own != recorded
        {
            graph.warnings.push(format!(
                "the body names the commit {own}, the record {recorded}; the body takes precedence"
            ));
        }
        graph.body_sha = facts.source_sha;
        graph.source_sha = graph.body_sha.clone().or_else(|| graph.recorded_sha.clone());
        let is_new = graph.last_sha.as_ref() != Some(&facts.digest);
        if is_new {
            self.is_changed = true;
            graph.last_sha = Some(facts.digest.clone());
            graph.size_bytes = Some(facts.bytes);
            let (symbols, terms) = gathered.finish();
            self.symbols.push((format, symbols));
            if is_primary {
                self.terms = Some(terms);
            }
        }
        if is_new || !self.held.contains(&facts.digest) {
            self.held.insert(facts.digest.clone());
            self.kept = Some(facts.digest);
        }
    }
}

/// There was nothing (rulings 4 and 12).
fn missed(graph: &mut Graph, code: &str) {
    graph.miss_count = graph.miss_count.saturating_add(1);
    let status = if graph.miss_count >= DEAD_AFTER {
        Status::Dead
    } else {
        Status::Missing
    };
    failed(graph, status, code.to_owned());
}

/// It is not well. What was accepted last is still known, and not shown (ruling 20).
fn failed(graph: &mut Graph, status: Status, why: String) {
    graph.status = status;
    graph.last_error = Some(why);
}

fn why_refused(refusal: &Refusal) -> String {
    match refusal.errors.as_slice() {
        [] => short(&format!("{}: {}", refusal.kind.code(), refusal.reason)),
        errors => {
            let errors: Vec<String> = errors.iter().map(|error| excerpt(&error.to_string(), 160)).collect();
            let errors = errors.join("; ");
            format!("{}: {}", refusal.kind.code(), excerpt(&errors, MOST_ERROR * 2))
        }
    }
}

/// What went wrong for now: the status alone, or the name of the fault and what there is to say of it.
fn told(trouble: &Trouble) -> String {
    if trouble.is_fault {
        short(&format!("{}: {}", trouble.code, trouble.why))
    } else {
        trouble.code.clone()
    }
}

fn short(text: &str) -> String {
    excerpt(text, MOST_ERROR)
}

/// Digests of the bodies of graphs that are not there any more, unless another graph of the entry has the same.
fn withdrawn(before: &Entry, entry: &Entry) -> Vec<String> {
    let is_live = |graph: &&Graph| !graph.status.is_at_rest();
    let still: BTreeSet<&str> = entry.held().collect();
    let gone = before.graphs.iter().filter(is_live).filter(|graph| {
        let mut now = entry.graphs.iter().filter(is_live);
        !now.any(|now| now.format == graph.format)
    });
    let digests = gone.filter_map(|graph| graph.last_sha.clone());
    digests.filter(|digest| !still.contains(digest.as_str())).collect()
}

/// An entry without what moves with every visit.
fn public(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    entry.record = Default::default();
    entry.drift_checked_at = None;
    entry.visited_at = None;
    entry.interval = 0;
    for graph in &mut entry.graphs {
        graph.last_synced = None;
        graph.marks = None;
    }
    entry
}

/// What can be searched of graphs that are others now, and that those are gone that are.
fn texts(before: &Entry, entry: &Entry, mut symbols: Vec<(FormatId, String)>) -> Vec<(FormatId, Option<SearchText>)> {
    let mut texts = Vec::new();
    let is_resting = entry.is_at_rest();
    for graph in &before.graphs {
        let still = entry.graphs.iter().find(|now| now.format == graph.format);
        let is_gone = still.is_none_or(|now| now.status.is_at_rest() || is_resting);
        if let (Some(format), true) = (&graph.format, is_gone) {
            texts.push((format.clone(), None));
        }
    }
    let about = |entry: &Entry| {
        let words = [entry.description().unwrap_or_default(), &entry.tags().join(" ")].join(" ");
        text_of(&words)
    };
    let is_told_otherwise = about(before) != about(entry);
    for graph in &entry.graphs {
        let Some(format) = graph.format.clone().filter(|_| !graph.status.is_at_rest()) else {
            continue;
        };
        let own = symbols.iter().position(|(of, _)| *of == format);
        let own = own.map(|at| symbols.swap_remove(at).1);
        if own.is_some() || is_told_otherwise {
            let languages = graph.stats.as_ref().map(|stats| stats.languages.join(" "));
            texts.push((
                format,
                Some(SearchText {
                    name: text_of(&entry.repository.to_string()),
                    about: about(entry),
                    languages: languages.unwrap_or_default(),
                    symbols: own,
                }),
            ));
        }
    }
    texts
}

#[cfg(test)]
#[path = "visit_tests.rs"]
mod tests;
