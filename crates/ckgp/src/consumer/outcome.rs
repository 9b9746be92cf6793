//! The result of the search for a graph.

use super::aggregator::Entry;
use super::cached::{CachedGraph, CachedRecord};
use crate::forge::RepositoryId;
use crate::format::{Commit, FormatId};
use crate::record::Record;

/// What became of the search for the repository's own record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordState {
    /// It is not known how the host serves files.
    UnknownForge,
    /// There is no record.
    Absent,
    /// The record is unusable, and why.
    Unusable(String),
    /// It is of another version of the protocol, and which.
    Unsupported(String),
    /// It could not be asked for, and why.
    Unreachable(String),
    /// It is there.
    Found {
        /// Where.
        url: String,
        /// What it says.
        record: Record,
        /// What is wrong with it.
        warnings: Vec<String>,
    },
}

impl RecordState {
    /// What the record says, if there is one.
    pub fn record(&self) -> Option<&Record> {
        match self {
            Self::Found { record, .. } => Some(record),
            _ => None,
        }
    }
}

/// What an aggregator says of the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The aggregator's address.
    pub aggregator: String,
    /// What it says.
    pub entry: Entry,
}

/// A graph that came into question, and why it was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// Its format.
    pub format: FormatId,
    /// Where it is.
    pub url: String,
    /// A name for programs.
    pub code: &'static str,
    /// Why.
    pub why: String,
}

/// A graph that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// What is to be kept of it; times are not known here.
    pub graph: CachedGraph,
    /// Its body, unless it is the one that is kept already.
    pub body: Option<Vec<u8>>,
    /// What is not as it should be.
    pub warnings: Vec<String>,
    /// How it compares with what an aggregator looked at.
    pub indexed: Indexed,
}

/// How a body compares with what an aggregator looked at (C7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Indexed {
    /// No aggregator says what it looked at.
    Unknown,
    /// It is the same.
    Same,
    /// It is another one: newer than the index.
    Newer,
}

/// The whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The repository, by its name now.
    pub repository: RepositoryId,
    /// The names that led to it.
    pub renamed_from: Vec<RepositoryId>,
    /// Its own record.
    pub record: RecordState,
    /// The record's text, if it was fetched.
    pub record_text: Option<CachedRecord>,
    /// What aggregators say.
    pub listed: Vec<Listed>,
    /// The aggregator that revoked the repository.
    pub revoked_by: Option<String>,
    /// Formats of revoked graphs.
    pub revoked_formats: Vec<FormatId>,
    /// The graph that was taken.
    pub taken: Option<Taken>,
    /// Graphs that came into question and were not taken.
    pub tried: Vec<Tried>,
    /// Addresses at which there is nothing any more.
    pub withdrawn: Vec<String>,
    /// The tip of the default branch.
    pub head: Option<Commit>,
    /// Ids that are near to the one that was asked for.
    pub near: Vec<String>,
    /// What else is to be said.
    pub notes: Vec<String>,
    /// Whether a source did not answer, so that "no" is not certain.
    pub is_incomplete: bool,
}

impl Outcome {
    /// Nothing yet.
    pub(super) fn nothing(repository: RepositoryId) -> Self {
        Self {
            repository,
            renamed_from: Vec::new(),
            record: RecordState::Absent,
            record_text: None,
            listed: Vec::new(),
            revoked_by: None,
            revoked_formats: Vec::new(),
            taken: None,
            tried: Vec::new(),
            withdrawn: Vec::new(),
            head: None,
            near: Vec::new(),
            notes: Vec::new(),
            is_incomplete: false,
        }
    }
}
