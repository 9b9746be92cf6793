//! `lore mind edges`: the edges of the graph, by type, end and confidence.

use std::borrow::Cow;
use std::sync::Arc;

use clap::Args;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};

use super::arguments::{self, confidence, edge_type, node_id};
use super::edge::EdgeType;
use super::edge_line::EdgeLine;
use super::graph::{Edge, EdgeIx, Graph};
use super::open::open;
use super::wire::{Limited, Turn, edge_text, more};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// List the edges of the mind graph: what blocks, implements, documents or belongs to what
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind edges                                all edges, by source, target and type
  lore mind edges --type blocks                  what blocks what
  lore mind edges --source task:BDK-001          edges that start at a node
  lore mind edges --target milestone:BEDROCK     edges that end at a node
  lore mind edges --max-confidence 0.5 --json    uncertain edges

Exit status: 0 edges found, or the graph is empty; 1 no edge matches; 2 the graph could not be read.")]
#[serde(default)]
pub struct MindEdgesRequest {
    /// Only edges of this type (repeatable)
    #[arg(long = "type", value_delimiter = ',', value_name = "TYPE")]
    #[serde(rename = "type")]
    pub kind: Vec<String>,
    /// Only edges that start at this node
    #[arg(long, value_name = "ID")]
    pub source: Option<String>,
    /// Only edges that end at this node
    #[arg(long, value_name = "ID")]
    pub target: Option<String>,
    /// Only edges with at most this confidence, from 0 to 1
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    #[serde(deserialize_with = "arguments::number_text")]
    #[schemars(with = "Option<f64>")]
    pub max_confidence: Option<String>,
    /// At most this many; 0 for all [default: all; as text the first 200]
    #[arg(long, short = 'n', value_name = "N")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: Option<usize>,
    /// The graph as of this commit, branch or tag
    #[arg(long, value_name = "REV")]
    #[schemars(extend("x-agents" = "omit"))]
    pub at: Option<String>,
}

/// An edge of an answer.
pub struct FoundEdge {
    graph: Arc<Graph>,
    edge: EdgeIx,
    turn: Turn,
}

impl Serialize for FoundEdge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        EdgeLine::from(self.graph.edge_at(self.edge)).serialize(serializer)
    }
}

impl JsonSchema for FoundEdge {
    fn schema_name() -> Cow<'static, str> {
        "FoundEdge".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        EdgeLine::json_schema(generator)
    }
}

impl Render for FoundEdge {
    fn render(&self, page: &mut Page) {
        match self.turn {
            Turn::Hidden => {}
            Turn::More(count) => more(page, count),
            Turn::Shown => edge_text(page, self.graph.edge_at(self.edge)),
        }
    }
}

/// `lore mind edges`.
pub struct MindEdges;

impl Operation for MindEdges {
    const NAME: &'static str = "mind_edges";
    const COMMAND: &'static [&'static str] = &["mind", "edges"];
    const ACCESS: Access = Access::Read;
    type Request = MindEdgesRequest;
    type Answer = Rows<FoundEdge>;

    fn run(ctx: &Ctx, request: MindEdgesRequest) -> Result<Rows<FoundEdge>, OpError> {
        let kinds: Vec<EdgeType> = request
            .kind
            .iter()
            .map(|name| edge_type(name))
            .collect::<Result<_, _>>()?;
        let source = request.source.as_deref().map(node_id).transpose()?;
        let target = request.target.as_deref().map(node_id).transpose()?;
        let most = request.max_confidence.as_deref().map(confidence).transpose()?;
        let opened = open(ctx, request.at.as_deref())?;
        let is_wanted = |edge: &Edge<'_>| {
            (kinds.is_empty() || kinds.contains(&edge.kind()))
                && source.as_ref().is_none_or(|id| edge.source().id() == id.as_str())
                && target.as_ref().is_none_or(|id| edge.target().id() == id.as_str())
                && most.is_none_or(|most| edge.confidence() <= most)
        };
        let edges: Vec<EdgeIx> = opened.graph.edges().filter(is_wanted).map(Edge::ix).collect();
        let is_filtered = !kinds.is_empty() || source.is_some() || target.is_some() || most.is_some();
        let limited = Limited::new(request.limit, edges.len(), "edge");
        let mut notes = opened.remarks();
        notes.extend(limited.note.clone());
        if edges.is_empty() && !is_filtered {
            notes.push("the graph has no edges".to_owned());
        }
        let graph = opened.graph;
        let kept = limited.rows;
        let rows = edges.into_iter().take(kept).enumerate().map(move |(at, edge)| {
            Ok(FoundEdge {
                graph: Arc::clone(&graph),
                edge,
                turn: limited.turn(at),
            })
        });
        let empty = if is_filtered { Verdict::No } else { Verdict::Yes };
        Ok(Rows::new(rows, empty).with_note((!notes.is_empty()).then(|| notes.join("; "))))
    }
}
