//! Nodes and edges in answers, and arguments that several commands share.
//!
//! A graph may have a hundred thousand edges: answers hold the graph and places in it, and texts are only made for what is written out.

use std::borrow::Cow;
use std::sync::Arc;

use lore_model::truncate_chars;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use super::edge_line::EdgeLine;
use super::graph::{Edge, EdgeIx, Graph, Node, NodeIx};
use super::id::NodeId;
use super::prefix::{self, PrefixClass};
use super::value::Json;
use lore_base::counted::counted;
use lore_seam::{ErrorKind, OpError, Page};

/// Lines of text output without --limit. JSON has all.
pub(super) const SHOWN: usize = 200;
/// Characters of a rationale or of properties that stand beside an id.
const BESIDE: usize = 100;

/// The edge as people read it, on the rest of a line: `a --[blocks]--> b (40%)  why`.
pub(super) fn edge_text(page: &mut Page, edge: Edge<'_>) {
    page.strong(edge.source().id());
    page.write(format_args!(" --[{}]--> ", edge.kind()));
    page.strong(edge.target().id());
    page.write(format_args!(" ({})", edge.confidence().percent()));
    beside(page, edge.rationale());
    page.line(format_args!(""));
}

/// Writes a dim text after an id and cuts it if it is long.
pub(super) fn beside(page: &mut Page, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        page.dim(&format!("  {}", truncate_chars(text, BESIDE)));
    }
}

/// The properties of a node, each with its value
#[derive(Clone, Copy, Debug)]
pub struct Properties<'g>(pub Node<'g>);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.properties().map(|(key, value)| (key, Json::of_canonical(value))))
    }
}

impl JsonSchema for Properties<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Properties".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <std::collections::BTreeMap<String, serde_json::Value>>::json_schema(generator)
    }
}

/// The properties of a node as people read them beside its id.
pub(super) fn properties_text(node: Node<'_>) -> String {
    let mut text = String::new();
    for (key, value) in node.properties() {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(key);
        text.push_str(": ");
        text.push_str(value);
        if text.len() > 4 * BESIDE {
            break;
        }
    }
    text
}

/// Edges of a graph.
#[derive(Clone)]
pub struct EdgeList {
    pub(super) graph: Arc<Graph>,
    pub(super) edges: Vec<EdgeIx>,
}

impl Serialize for EdgeList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.edges.iter().map(|edge| EdgeLine::from(self.graph.edge_at(*edge))))
    }
}

impl JsonSchema for EdgeList {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EdgeList".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Vec<EdgeLine>>::json_schema(generator)
    }
}

/// Nodes of a graph, each with its status if it has one.
#[derive(Clone)]
pub struct NodeList {
    pub(super) graph: Arc<Graph>,
    pub(super) nodes: Vec<NodeIx>,
}

/// A node of a view
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct ViewNode<'g> {
    /// Its id
    pub id: &'g str,
    /// Its property `status`, if that is text
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Cow<'g, str>>,
}

impl Serialize for NodeList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nodes = self.nodes.iter().map(|node| self.graph.node_at(*node));
        serializer.collect_seq(nodes.map(|node| ViewNode {
            id: node.id(),
            status: node.text_property("status"),
        }))
    }
}

impl JsonSchema for NodeList {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "NodeList".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Vec<ViewNode<'static>>>::json_schema(generator)
    }
}

/// Which of many rows people are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// This one is.
    Shown,
    /// It and so many more are not.
    More(usize),
    /// It is not, which was said before.
    Hidden,
}

/// The rows that a limit leaves of so many, whether people see all of them, and what is said about the others.
pub(super) struct Limited {
    pub(super) rows: usize,
    shown: usize,
    pub(super) note: Option<String>,
}

impl Limited {
    /// Without a limit, text has [`SHOWN`] rows and JSON all. Zero means no limit.
    pub(super) fn new(limit: Option<usize>, rows: usize, what: &str) -> Self {
        match limit {
            None => Self {
                rows,
                shown: SHOWN,
                note: None,
            },
            Some(limit) => {
                let kept = if limit == 0 { rows } else { rows.min(limit) };
                let note = (kept < rows).then(|| format!("{} more; --limit 0 shows all", counted(rows - kept, what)));
                Self {
                    rows: kept,
                    shown: kept,
                    note,
                }
            }
        }
    }

    /// Whether people see a row.
    pub(super) fn turn(&self, at: usize) -> Turn {
        match at.cmp(&self.shown) {
            std::cmp::Ordering::Less => Turn::Shown,
            std::cmp::Ordering::Equal => Turn::More(self.rows - self.shown),
            std::cmp::Ordering::Greater => Turn::Hidden,
        }
    }
}

/// The line that says how many rows are not shown.
pub(super) fn more(page: &mut Page, count: usize) {
    if count > 0 {
        page.dim(&format!("… {count} more; --limit 0 or --json shows all"));
        page.line(format_args!(""));
    }
}

/// Takes prefixes.
pub(super) fn prefixes(texts: &[String]) -> Result<Vec<String>, OpError> {
    let mut prefixes = Vec::with_capacity(texts.len());
    for text in texts {
        let is_prefix = NodeId::parse(&format!("{text}:a")).is_ok() && !text.contains(':');
        if !is_prefix {
            let message = format!("`{}` is not a prefix", text.escape_debug());
            return Err(OpError::new(ErrorKind::Invalid, message)
                .hint("write a prefix without its colon, such as task, milestone or spec"));
        }
        prefixes.push(text.clone());
    }
    Ok(prefixes)
}

/// Whether a node has one of these prefixes, or any if there are none; a phase is a milestone.
pub(super) fn has_prefix(node: Node<'_>, prefixes: &[String]) -> bool {
    prefixes.is_empty() || prefixes.iter().any(|wanted| prefix::kind(wanted) == node.kind())
}

/// What a class is called beside a prefix.
pub(super) fn class_text(prefix: &str) -> String {
    format!("{prefix} ({})", PrefixClass::of(prefix).name())
}
