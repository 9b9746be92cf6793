//! `Registry`: the port behind which entries, jobs, visits, events and the audit are kept, as units of work (section 8).
//!
//! A unit reads one state of the store, and writes all or nothing. A write unit may be run again when another process was faster, so that its work has no effect outside but to take away
//! bodies that nobody holds. Of two write units one is over before the other begins. The store knows
//! rows, leases and constraints; what becomes of an entry is decided in front of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::entry::{Entry, Seconds};
use super::status::Status;
use crate::forge::RepositoryId;
use crate::format::FormatId;
pub use lore_seam::Got;
use lore_seam::{ErrorKind, OpError, Port, no_store, value_of_unit};

/// The work of a unit that reads.
pub type ReadWork<'w> = &'w mut dyn FnMut(&dyn Reading) -> Got<()>;

/// The work of a unit that writes.
pub type WriteWork<'w> = &'w mut dyn FnMut(&mut dyn Writing) -> Got<()>;

/// How often a job may be leased without a visit coming to its end before it is stuck: it is left for somebody to look at, and had again only by name, at the end of a round over everything, or
/// when its last lease has been over for [`STUCK_FOR`]. Runs may also have been killed by somebody, so that no entry is left for good.
pub const MOST_LEASES: u32 = 5;
/// Seconds after which what is stuck is tried again.
pub const STUCK_FOR: Seconds = 86_400;

/// Where a registry is kept.
pub trait Registry: Send + Sync {
    /// Reads one state of the store. A store that does not exist yet is empty, and is not made by this.
    fn read(&self, work: ReadWork<'_>) -> Got<()>;

    /// Writes all of it, or nothing if the work fails. The work may be run again.
    fn write(&self, work: WriteWork<'_>) -> Got<()>;

    /// Where the store is, for people.
    fn place(&self) -> Got<String>;
}

/// What a registry says of itself.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// Its name.
    pub name: String,
    /// The https address that its documents are served at, without a slash at its end; nothing as long as they are not served.
    pub url: Option<String>,
    /// Whom to write to: an address of the web or of mail.
    pub contact: Option<String>,
    /// When it was made.
    pub created_at: Seconds,
}

/// Which entries are wanted; all of it has to hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Those whose primary graph is so.
    pub status: Option<Status>,
    /// Those that are not so.
    pub not: Vec<Status>,
    /// Those with a graph of this format.
    pub format: Option<FormatId>,
    /// Those with a graph of a format of this name, whatever its number.
    pub format_name: Option<String>,
    /// Those of this owner, in any case of letters.
    pub owner: Option<String>,
    /// Those with this word, in any case of letters.
    pub tag: Option<String>,
    /// Those with this language.
    pub language: Option<String>,
}

/// How much there is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Entries, by the status of their primary graphs.
    pub by_status: BTreeMap<Status, u64>,
    /// Nodes of all primary graphs that are `ok`.
    pub nodes: u64,
    /// Their edges.
    pub edges: u64,
    /// Kinds of nodes: how many there are, and in how many entries, by kind.
    pub kinds: BTreeMap<String, (u64, u64)>,
    /// Entries by language.
    pub languages: BTreeMap<String, u64>,
}

/// A word that is in the labels of several entries (clause A6).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Concept {
    /// The word.
    pub term: String,
    /// In how many entries it is.
    pub entries: u64,
    /// Three of them at most, by id.
    pub samples: Vec<String>,
}

/// What can be searched of a graph, as words in small letters with spaces between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchText {
    /// The repository's name, whole and in parts.
    pub name: String,
    /// The line about it and its tags.
    pub about: String,
    /// Its languages.
    pub languages: String,
    /// Names of what is in it, whole and in parts, each word once; nothing leaves them as they are.
    pub symbols: Option<String>,
}

/// A graph that a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Whose graph.
    pub repository: RepositoryId,
    /// Its format.
    pub format: Option<FormatId>,
    /// By what it was found: the first one of `name`, `about`, `languages` and `symbols` with which, or with those before it, all words are found.
    pub matched: &'static str,
}

/// That something changed (the change feed).
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its number; later ones are larger, and none is given twice.
    pub seq: u64,
    /// When.
    pub at: Seconds,
    /// The id of the entry, as it is shown.
    pub id: String,
    /// What happened.
    pub kind: EventKind,
    /// How the entry is since then; nothing if it is gone.
    pub status: Option<Status>,
}

/// What happened to an entry.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// It was registered.
    Added,
    /// A visit found something else than before.
    Changed,
    /// It has another name now.
    Renamed,
    /// It was taken back.
    Revoked,
    /// It was taken in again.
    Restored,
    /// It was removed without a trace.
    Removed,
}

impl EventKind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Revoked => "revoked",
            Self::Restored => "restored",
            Self::Removed => "removed",
        }
    }

    /// The kind that a word is.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [
            Self::Added,
            Self::Changed,
            Self::Renamed,
            Self::Revoked,
            Self::Restored,
            Self::Removed,
        ];
        all.into_iter().find(|kind| kind.word() == word)
    }
}

/// A visit that came to its end.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    /// When it ended.
    pub at: Seconds,
    /// How the primary graph is since then.
    pub status: Status,
    /// What was wrong.
    pub error: Option<String>,
    /// Requests that were made.
    pub requests: u32,
    /// Bytes of bodies that came.
    pub bytes: u64,
    /// Whether a body was another one than before.
    pub is_changed: bool,
}

/// Who did what to the registry; one row for each change of state that somebody asked for (clause S8).
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct AuditRow {
    /// When.
    pub at: Seconds,
    /// What was done: a word.
    pub action: String,
    /// To what.
    pub subject: String,
    /// More of it.
    pub detail: Option<String>,
}

/// A format that was registered besides those that are built in (clause A9).
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RegisteredFormat {
    /// Its name and number.
    pub id: FormatId,
    /// Its schema, as JSON; nothing for one that is built in and was only deprecated.
    pub schema: Option<String>,
    /// When it was registered.
    pub added_at: Seconds,
    /// Since when, and with which words, it is deprecated.
    pub deprecated: Option<(Seconds, String)>,
}

/// Which jobs a worker asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim<'c> {
    /// Who asks: a name that no other run has.
    pub worker: &'c str,
    /// The time.
    pub now: Seconds,
    /// Until when the lease holds unless it is renewed.
    pub until: Seconds,
    /// At most so many.
    pub most: usize,
    /// Which ones.
    pub wanted: Wanted<'c>,
    /// Hosts that are not to be asked now; those whose delay is not over are left out anyway.
    pub without: &'c [String],
}

/// Which jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted<'c> {
    /// Those that are due, the one that is due longest first, then by key.
    Due,
    /// Those that were not visited since a time, due already or later, though not those that never are. The one that was not visited longest is first, then by key.
    NotVisitedSince(Seconds),
    /// These of them; the one that is due first is first.
    These(&'c [RepositoryId], Seconds),
}

/// An entry that was leased.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leased {
    /// It.
    pub entry: Entry,
    /// The host that is asked first.
    pub host: String,
    /// How often it was leased since a visit last came to its end, this time included.
    pub leases: u32,
    /// When it was due.
    pub due: Seconds,
}

/// What can be read.
pub trait Reading {
    /// What the registry says of itself; nothing if there is none yet.
    fn about(&self) -> Got<Option<About>>;

    /// What is known of a repository.
    fn entry(&self, repository: &RepositoryId) -> Got<Option<Entry>>;

    /// Entries that a filter takes, by key, behind a key.
    fn page(&self, filter: &Filter, after: Option<&str>, most: usize) -> Got<Vec<Entry>>;

    /// Shows all entries, by key.
    fn each(&self, take: &mut dyn FnMut(Entry) -> Got<()>) -> Got<()>;

    /// Shows the ids of all entries that were not taken back, by key.
    fn each_id(&self, take: &mut dyn FnMut(&str)) -> Got<()>;

    /// How much there is.
    fn counts(&self) -> Got<Counts>;

    /// Words that are in the labels of at least two entries that are `ok`, the most frequent first, then by name.
    fn concepts(&self, most: usize) -> Got<Vec<Concept>>;

    /// Graphs that are `ok` and hold all of some words (each as the beginning of a word), the best first: names before descriptions, descriptions before languages, these before symbols.
    fn search(&self, words: &[String], most: usize) -> Got<Vec<Found>>;

    /// The last visits of a repository, the newest first.
    fn visits(&self, repository: &RepositoryId, most: usize) -> Got<Vec<Visit>>;

    /// Events behind a number, oldest first.
    fn events(&self, after: u64, most: usize) -> Got<Vec<Event>>;

    /// The number of the last event; 0 if there is none.
    fn last_event(&self) -> Got<u64>;

    /// The last rows of the audit, the newest first.
    fn audit(&self, most: usize) -> Got<Vec<AuditRow>>;

    /// How many graphs hold a body.
    fn holders(&self, digest: &str) -> Got<u64>;

    /// Those of some bodies that no graph holds, in their order.
    fn unheld(&self, digests: &[String]) -> Got<Vec<String>>;

    /// When bodies that nobody holds were last looked for; nothing if they never were.
    fn swept(&self) -> Got<Option<Seconds>>;

    /// Hosts that are not to be asked yet, and until when.
    fn delayed_hosts(&self, now: Seconds) -> Got<Vec<(String, Seconds)>>;

    /// When an entry was last visited; nothing if none ever was.
    fn last_visit(&self) -> Got<Option<Seconds>>;

    /// When the next job can be had: when it is due, or when the lease on it ends if that is later. Nothing if there is none. Stuck ones do not count.
    fn next_due(&self) -> Got<Option<Seconds>>;

    /// Entries whose visits did not come to an end, by id: there were [`MOST_LEASES`] leases, of which the last one may still hold.
    fn stuck(&self) -> Got<Vec<String>>;

    /// The formats that were registered or deprecated, by name.
    fn formats(&self) -> Got<Vec<RegisteredFormat>>;
}

/// What can be written.
pub trait Writing: Reading {
    /// Replaces what the registry says of itself.
    fn set_about(&mut self, about: &About) -> Got<()>;

    /// Puts an entry in the place of the one of its repository. It is visited when it is due, at `host` first; never if it is not due. A lease on it is lost, and those before it are not counted any more.
    fn put(&mut self, entry: &Entry, host: &str, due: Option<Seconds>) -> Got<()>;

    /// Removes an entry with its job, its visits and what can be searched of it; whether there was one. Events and the audit stay.
    fn remove(&mut self, repository: &RepositoryId) -> Got<bool>;

    /// Replaces what can be searched of a graph of an entry; nothing takes it away.
    fn set_text(&mut self, repository: &RepositoryId, format: &FormatId, text: Option<&SearchText>) -> Got<()>;

    /// Replaces the words that are in the labels of a repository's primary graph.
    fn set_terms(&mut self, repository: &RepositoryId, terms: &BTreeSet<String>) -> Got<()>;

    /// Leases jobs: nobody else gets them before the lease ends.
    fn claim(&mut self, claim: &Claim<'_>) -> Got<Vec<Leased>>;

    /// Prolongs all leases of a worker.
    fn renew(&mut self, worker: &str, until: Seconds) -> Got<()>;

    /// Gives a lease back without a visit; the job is due then, and the lease does not count.
    fn give_back(&mut self, worker: &str, repository: &RepositoryId, due: Seconds) -> Got<()>;

    /// Ends a visit: the entry takes its place, the visit is added, the lease ends, and the job is due then. `false`, and nothing is written, if the lease was lost.
    fn finish(&mut self, worker: &str, entry: &Entry, visit: &Visit, due: Option<Seconds>) -> Got<bool>;

    /// Takes visits away that are older than a time.
    fn forget_visits(&mut self, before: Seconds) -> Got<u64>;

    /// The time since which a round over everything visits: `now`, or that of a round that another process began and is still at. Whoever is in a round joins it again
    /// before it ends, and leaves it with an `until` that is over.
    fn join_round(&mut self, worker: &str, now: Seconds, until: Seconds) -> Got<Seconds>;

    /// Bodies that nobody holds were looked for at a time.
    fn set_swept(&mut self, at: Seconds) -> Got<()>;

    /// A host is not to be asked before a time. Of two times the later one counts.
    fn delay_host(&mut self, host: &str, until: Seconds) -> Got<()>;

    /// Adds an event; its number.
    fn add_event(&mut self, at: Seconds, id: &RepositoryId, kind: EventKind, status: Option<Status>) -> Got<u64>;

    /// Adds a row to the audit.
    fn add_audit(&mut self, row: &AuditRow) -> Got<()>;

    /// Registers a format, or replaces what is known of it.
    fn put_format(&mut self, format: &RegisteredFormat) -> Got<()>;
}

/// Where no registry is kept.
pub struct NoRegistry;

impl Registry for NoRegistry {
    fn read(&self, _: ReadWork<'_>) -> Got<()> {
        no_store("a registry")
    }

    fn write(&self, _: WriteWork<'_>) -> Got<()> {
        no_store("a registry")
    }

    fn place(&self) -> Got<String> {
        no_store("a registry")
    }
}

impl Port for dyn Registry {
    fn absent() -> &'static Self {
        &NoRegistry
    }
}

/// Reads one state of the store.
pub fn reading<T>(registry: &dyn Registry, mut work: impl FnMut(&dyn Reading) -> Got<T>) -> Got<T> {
    value_of_unit(|value| registry.read(&mut |store| work(store).map(|it| *value = Some(it))))
}

/// Commits all that the work writes, or nothing if the work fails. The work may run several times.
pub fn writing<T>(registry: &dyn Registry, mut work: impl FnMut(&mut dyn Writing) -> Got<T>) -> Got<T> {
    value_of_unit(|value| registry.write(&mut |store| work(store).map(|it| *value = Some(it))))
}

/// That something belongs to a repository that is not in the registry.
pub fn unregistered(repository: &RepositoryId) -> OpError {
    OpError::new(ErrorKind::NotFound, format!("{repository} is not registered"))
}
