//! Makes a code graph of a fetched body: `ccg@1` becomes a snapshot that every query can use.
//!
//! [`rows`] lies between a format and a snapshot, so that other formats (a Code Context Graph bundle) are opened in the same
//! way. A body is untrusted: everything is bounded, dangling references are refused with their place, and nothing is run or
//! fetched.

mod about;
mod body;
pub mod rows;

use std::fmt;

use lore_model::Snapshot;

pub use self::about::{About, Partial, Share};
pub use self::body::FORMAT;
use self::rows::RowsFault;
use super::body::{MOST_BYTES, MOST_EDGES, MOST_NODES, Refusal, judge};
use super::format::FormatId;
use lore_base::json::JsonError;

/// The version of the conversion; snapshots of other versions are rebuilt.
pub const OPENED_VERSION: u32 = 2;

/// A body that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The graph.
    pub snapshot: Snapshot,
    /// What it says of itself.
    pub about: About,
}

/// Makes a code graph of a body of `ccg@1`.
pub fn open(bytes: &[u8]) -> Result<Opened, OpenFault> {
    body::open(bytes)
}

/// Opens a body that was not judged before: an invalid body is not opened (clause C9).
pub fn open_judged(bytes: &[u8]) -> Result<Opened, OpenFault> {
    let format = FormatId::parse(FORMAT).expect("because the name of the format is the name of a format");
    judge(&format, bytes).map_err(OpenFault::Refused)?;
    open(bytes)
}

/// How a document can be queried like code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Document {
    /// A body that can be opened, as far as it says so.
    Body,
    /// A graph that cannot, and the format that it names.
    OtherGraph(Option<String>),
    /// No graph.
    NoGraph,
}

/// What a document is, by its metadata and its lists; it is read through, but not opened.
pub fn document(bytes: &[u8]) -> Document {
    body::document(bytes)
}

/// Why a body gives no code graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenFault {
    /// It may not be used.
    Refused(Refusal),
    /// More bytes than a body may have.
    Oversize(u64),
    /// Invalid JSON, or a value of the wrong kind.
    Json(JsonError),
    /// It says that it is of another format, or of none.
    Format(Option<String>),
    /// It has no list of nodes or none of edges.
    Missing,
    /// More nodes than a body may have.
    Nodes,
    /// More edges than a body may have.
    Edges,
    /// More lines of edges than are read.
    Lines,
    /// A node without an id, by its place in the list.
    NoId(usize),
    /// A node without a kind.
    NoKind(usize, String),
    /// A symbol that names no file.
    NoFile(usize, String),
    /// Two nodes have this id.
    IdTwice(String),
    /// What a node says of another leads nowhere.
    Joint(&'static str, String),
    /// An end of an edge leads nowhere, or to something that no edge has for such an end.
    Edge(usize, &'static str, String),
    /// A call that leads nowhere known comes from no symbol.
    Unresolved(usize, String),
    /// The rows make no graph.
    Rows(RowsFault),
}

impl fmt::Display for OpenFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => formatter.write_str(&refusal.told()),
            Self::Oversize(bytes) => write!(formatter, "{bytes} bytes; a body has at most {MOST_BYTES}"),
            Self::Json(error) => error.fmt(formatter),
            Self::Format(Some(format)) => write!(formatter, "the format is `{format}`; a code graph needs {FORMAT}"),
            Self::Format(None) => write!(formatter, "the metadata name no format; a code graph needs {FORMAT}"),
            Self::Missing => formatter.write_str("the list `nodes` or `edges` is missing"),
            Self::Nodes => write!(formatter, "more than {MOST_NODES} nodes"),
            Self::Edges => write!(formatter, "more than {MOST_EDGES} edges"),
            Self::Lines => formatter.write_str("edges with too many lines"),
            Self::NoId(at) => write!(formatter, "/nodes/{at}: the node has no id"),
            Self::NoKind(at, id) => write!(formatter, "/nodes/{at}: the node `{id}` has no kind"),
            Self::NoFile(at, id) => write!(formatter, "/nodes/{at}: the symbol `{id}` names no file"),
            Self::IdTwice(id) => write!(formatter, "two nodes have the id `{id}`"),
            Self::Joint(what, id) => write!(formatter, "{what} is `{id}`, which does not exist"),
            Self::Edge(at, end, id) => write!(formatter, "/edges/{at}/{end}: `{id}` cannot be the {end} of an edge"),
            Self::Unresolved(at, id) => write!(formatter, "/unresolved/{at}/source: `{id}` is not a symbol"),
            Self::Rows(fault) => fault.fmt(formatter),
        }
    }
}

impl std::error::Error for OpenFault {}

impl From<JsonError> for OpenFault {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

impl From<RowsFault> for OpenFault {
    fn from(fault: RowsFault) -> Self {
        Self::Rows(fault)
    }
}

#[cfg(test)]
mod tests;
