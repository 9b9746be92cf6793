//! Import: a file becomes a payload, a payload is checked against itself and the graph, and only then becomes changes (clauses C17 to C24).
//!
//! The stages are those of the text: version, node ids, duplicate nodes, edges, duplicate triples, system nodes, references. A wrong version ends it;
//! every other error is collected, in this order, and any of them means that nothing is written.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::changes::{Changes, EdgePut, Field};
use crate::confidence::Confidence;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::json;
use crate::patch::{Operation, Property, Triple};
use crate::time::Time;

use super::{document, yaml};

/// How deep a file may nest.
pub(super) const DEPTH: usize = 100;

/// Nodes and edges that are to be in the graph.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Payload {
    pub nodes: Vec<PayloadNode>,
    pub edges: Vec<PayloadEdge>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PayloadNode {
    pub id: NodeId,
    /// Properties that it gets.
    pub properties: Vec<Property>,
    /// Which entry of the file it is.
    pub entry: Entry,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PayloadEdge {
    /// What it is known by.
    pub edge: Triple,
    /// How sure it is.
    pub confidence: Confidence,
    /// Why it exists; without one the old one stays.
    pub rationale: Option<Box<str>>,
    /// Which entry of the file it is.
    pub entry: Entry,
}

/// The position of an entry of a payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its place in its list.
    pub index: usize,
    /// The file, if there are several.
    pub file: Option<Box<str>>,
    /// Line and column.
    pub at: Option<(u32, u32)>,
}

/// The stages of a check, in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The file as such, and its version.
    Version,
    /// Node ids and properties.
    Nodes,
    /// The same node twice.
    DuplicateNodes,
    Edges,
    /// The same triple twice.
    DuplicateEdges,
    /// Nodes that only the system makes.
    SystemNodes,
    /// Ends of edges.
    References,
}

/// An error of an import file
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Problem {
    #[serde(skip)]
    pub(super) stage: Stage,
    #[serde(skip)]
    pub(super) index: usize,
    /// The position in the file, such as `nodes[0].id`
    pub place: String,
    /// The line, from 1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What is wrong
    pub message: String,
    /// How to fix it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Problem {
    pub(super) fn new(stage: Stage, index: usize, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            stage,
            index,
            place: place.into(),
            line: None,
            column: None,
            message: message.into(),
            hint: None,
        }
    }

    pub(super) fn at(mut self, at: Option<(u32, u32)>) -> Self {
        (self.line, self.column) = at.unzip();
        self
    }

    pub(super) fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// The place and what is said about it.
    pub fn text(&self) -> String {
        if self.place.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.place, self.message)
        }
    }
}

/// What was read of a file.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Read {
    /// What could be read.
    pub payload: Payload,
    /// What is wrong with the rest.
    pub errors: Vec<Problem>,
    /// What is remarkable.
    pub warnings: Vec<String>,
}

/// What a check found.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Report {
    /// By stage, then by place.
    pub errors: Vec<Problem>,
    /// What does not keep anything from being written.
    pub warnings: Vec<String>,
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Yaml,
    Json,
}

impl Format {
    /// That of a file name.
    pub fn of_path(path: &str) -> Self {
        match path.rsplit_once('.') {
            Some((_, extension)) if extension.eq_ignore_ascii_case("json") => Self::Json,
            _ => Self::Yaml,
        }
    }

    /// That of bytes without a name: what begins with a brace is JSON.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        match bytes.trim_ascii_start().first() {
            Some(b'{') => Self::Json,
            _ => Self::Yaml,
        }
    }
}

/// Reads a file.
pub fn read(bytes: &[u8], format: Format) -> Read {
    match format {
        Format::Yaml => yaml::read(bytes),
        Format::Json => read_json(bytes),
    }
}

fn read_json(bytes: &[u8]) -> Read {
    let refused = |message: String, at: Option<(u32, u32)>| Read {
        errors: vec![Problem::new(Stage::Version, 0, "", message).at(at)],
        ..Read::default()
    };
    if bytes.len() > crate::limits::Limits::FILE_BYTES as usize {
        return refused("the file is too large".to_owned(), None);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return refused("the file is not UTF-8".to_owned(), None);
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::of(text);
    match json::read(text, DEPTH) {
        Ok(tree) => document::read(&tree, &|at| lines.place(text, at)),
        Err(fault) => refused(fault.message, Some(lines.place(text, fault.at))),
    }
}

/// Where lines begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self(std::iter::once(0).chain(ends).collect())
    }

    /// Line and column of a byte. Columns of very long lines are counted in bytes, so that many errors in one line stay cheap.
    pub(super) fn place(&self, text: &str, at: u32) -> (u32, u32) {
        const LONG: usize = 4_096;
        let at = (at as usize).min(text.len());
        let line = self.0.partition_point(|start| *start <= at);
        let start = line
            .checked_sub(1)
            .and_then(|line| self.0.get(line))
            .copied()
            .unwrap_or(0);
        let column = if at - start > LONG {
            at - start
        } else {
            text.get(start..at).map_or(at - start, |before| before.chars().count())
        };
        (
            u32::try_from(line).unwrap_or(u32::MAX),
            u32::try_from(column + 1).unwrap_or(u32::MAX),
        )
    }
}

/// A number of nodes and a number of edges
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
pub struct Counts {
    /// Nodes.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |count| if count == 1 { "" } else { "s" };
        let Self { nodes, edges } = *self;
        write!(formatter, "{nodes} node{} and {edges} edge{}", end(nodes), end(edges))
    }
}

/// What an import does.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// What was not there.
    pub created: Counts,
    /// What was declared and there already.
    pub updated: Counts,
    /// What of it differs.
    pub changed: Counts,
    /// What has to be written; nothing if nothing changes.
    pub operations: Vec<Operation>,
}

/// What a payload that was checked without an error changes.
pub fn plan(payload: &Payload, graph: &Graph, now: &Time) -> Plan {
    let mut changes = Changes::new();
    for node in &payload.nodes {
        changes.put_node(&node.id, node.properties.iter().cloned());
    }
    for edge in &payload.edges {
        let put = EdgePut {
            confidence: edge.confidence,
            rationale: edge.rationale.clone().map_or(Field::Keep, Field::Set),
            reviewed_at: Field::Keep,
        };
        changes.put_edge(edge.edge.clone(), put);
    }
    let operations = changes.into_operations(graph, now);
    let (mut created, mut updated, mut changed) = (Counts::default(), Counts::default(), Counts::default());
    let exists = |edge: &Triple| {
        graph
            .edge(edge.source.as_str(), edge.target.as_str(), edge.kind)
            .is_some()
    };
    for operation in &operations {
        match operation {
            Operation::PutNode { id, .. } if graph.node(id.as_str()).is_some() => changed.nodes += 1,
            Operation::PutNode { .. } => created.nodes += 1,
            Operation::PutEdge { edge, .. } if exists(edge) => changed.edges += 1,
            Operation::PutEdge { .. } => created.edges += 1,
            _ => {}
        }
    }
    updated.nodes = payload
        .nodes
        .iter()
        .filter(|node| graph.node(node.id.as_str()).is_some())
        .count();
    updated.edges = payload.edges.iter().filter(|edge| exists(&edge.edge)).count();
    Plan {
        created,
        updated,
        changed,
        operations,
    }
}
