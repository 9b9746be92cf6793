//! `lore mind nodes`: the nodes of the graph, or one of them with its properties and edges (clauses C3, Amend1, Missed10).

use std::borrow::Cow;
use std::sync::Arc;

use clap::Args;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};

use super::arguments::{held_node, node_id};
use super::edge_line::EdgeLine;
use super::graph::{Graph, Node, NodeIx};
use super::open::open;
use super::prefix::PrefixClass;
use super::wire::{Limited, Properties, Turn, beside, class_text, has_prefix, more, prefixes, properties_text};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Rows, Verdict};

/// List the nodes of the mind graph, or show one with its properties and edges
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind nodes                      all nodes, by id
  lore mind nodes task:BDK-001         one node with its properties and edges
  lore mind nodes --prefix task        tasks, including those of other repositories
  lore mind nodes --class unknown      nodes with an unknown prefix
  lore mind nodes --at v1.2 --json     as of a tag, one JSON object per line

Exit status: 0 nodes found; 1 there is no such node; 2 the graph could not be read.")]
#[serde(default)]
pub struct MindNodesRequest {
    /// The node to show [default: all]
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// The same as ID
    #[arg(long = "id", value_name = "ID", conflicts_with = "id", hide = true)]
    #[serde(skip)]
    pub named: Option<String>,
    /// Only nodes with this prefix, including those of other repositories (repeatable)
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    pub prefix: Vec<String>,
    /// Only nodes whose prefix has this class
    #[arg(long, value_enum)]
    #[schemars(extend("x-agents" = "omit"))]
    pub class: Option<PrefixClass>,
    /// At most this many; 0 for all [default: all; as text the first 200]
    #[arg(long, short = 'n', value_name = "N")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: Option<usize>,
    /// The graph as of this commit, branch or tag
    #[arg(long, value_name = "REV")]
    #[schemars(extend("x-agents" = "omit"))]
    pub at: Option<String>,
}

/// A node
#[derive(Serialize, JsonSchema)]
struct NodeLine<'g> {
    /// Its id
    id: &'g str,
    /// Its prefix; for a node of another repository, the prefix of the inner id
    prefix: &'g str,
    /// The class of the prefix
    class: PrefixClass,
    /// Its properties
    properties: Properties<'g>,
    /// Edges that start at the node, if the request names one node
    #[serde(skip_serializing_if = "Option::is_none")]
    outgoing: Option<Vec<EdgeLine>>,
    /// Edges that end at the node, if the request names one node
    #[serde(skip_serializing_if = "Option::is_none")]
    incoming: Option<Vec<EdgeLine>>,
}

/// A node of an answer.
pub struct FoundNode {
    graph: Arc<Graph>,
    node: NodeIx,
    /// Whether it was asked for by its id.
    is_whole: bool,
    turn: Turn,
}

impl FoundNode {
    fn line(&self) -> NodeLine<'_> {
        let node = self.graph.node_at(self.node);
        NodeLine {
            id: node.id(),
            prefix: node.prefix(),
            class: node.class(),
            properties: Properties(node),
            outgoing: self
                .is_whole
                .then(|| self.graph.outgoing(self.node).map(EdgeLine::from).collect()),
            incoming: self
                .is_whole
                .then(|| self.graph.incoming(self.node).map(EdgeLine::from).collect()),
        }
    }
}

impl Serialize for FoundNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.line().serialize(serializer)
    }
}

impl JsonSchema for FoundNode {
    fn schema_name() -> Cow<'static, str> {
        "FoundNode".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        NodeLine::json_schema(generator)
    }
}

impl Render for FoundNode {
    fn render(&self, page: &mut Page) {
        let node = self.graph.node_at(self.node);
        match self.turn {
            Turn::Hidden => {}
            Turn::More(count) => more(page, count),
            Turn::Shown if self.is_whole => whole(page, &self.graph, node),
            Turn::Shown => {
                page.strong(node.id());
                beside(page, Some(&properties_text(node)));
                page.line(format_args!(""));
            }
        }
    }
}

fn whole(page: &mut Page, graph: &Graph, node: Node<'_>) {
    page.strong(node.id());
    page.line(format_args!(""));
    page.line(format_args!("  prefix: {}", class_text(node.prefix())));
    for (key, value) in node.properties() {
        page.text(&format!("  {key}: {value}"));
        page.line(format_args!(""));
    }
    for (edges, is_outgoing) in [
        (graph.outgoing(node.ix()).collect::<Vec<_>>(), true),
        (graph.incoming(node.ix()).collect(), false),
    ] {
        let shown = edges.len().min(super::wire::SHOWN);
        for edge in edges.iter().take(shown) {
            if is_outgoing {
                page.write(format_args!("  --[{}]--> {}", edge.kind(), edge.target().id()))
            } else {
                page.write(format_args!("  <--[{}]-- {}", edge.kind(), edge.source().id()))
            }
            page.write(format_args!(" ({})", edge.confidence().percent()));
            beside(page, edge.rationale());
            page.line(format_args!(""));
        }
        if edges.len() > shown {
            page.line(format_args!("  … {} more; --json shows all", edges.len() - shown));
        }
    }
}

/// `lore mind nodes`.
pub struct MindNodes;

impl Operation for MindNodes {
    const NAME: &'static str = "mind_nodes";
    const COMMAND: &'static [&'static str] = &["mind", "nodes"];
    const ACCESS: Access = Access::Read;
    type Request = MindNodesRequest;
    type Answer = Rows<FoundNode>;

    fn run(ctx: &Ctx, request: MindNodesRequest) -> Result<Rows<FoundNode>, OpError> {
        let id = request.id.as_deref().or(request.named.as_deref());
        let id = id.map(node_id).transpose()?;
        let wanted = prefixes(&request.prefix)?;
        let opened = open(ctx, request.at.as_deref())?;
        let is_whole = id.is_some();
        let nodes: Vec<NodeIx> = match &id {
            Some(id) => vec![held_node(&opened.graph, id)?.ix()],
            None => {
                let is_wanted = |node: &Node<'_>| {
                    has_prefix(*node, &wanted) && request.class.is_none_or(|class| node.class() == class)
                };
                opened.graph.nodes().filter(is_wanted).map(Node::ix).collect()
            }
        };
        let is_filtered = !wanted.is_empty() || request.class.is_some();
        let limited = Limited::new(request.limit, nodes.len(), "node");
        let mut notes = opened.remarks();
        notes.extend(limited.note.clone());
        if nodes.is_empty() && !is_filtered {
            notes.push("the graph is empty".to_owned());
        }
        let graph = opened.graph;
        let kept = limited.rows;
        let rows = nodes.into_iter().take(kept).enumerate().map(move |(at, node)| {
            Ok(FoundNode {
                graph: Arc::clone(&graph),
                node,
                is_whole,
                turn: limited.turn(at),
            })
        });
        let empty = if is_filtered { Verdict::No } else { Verdict::Yes };
        Ok(Rows::new(rows, empty).with_note((!notes.is_empty()).then(|| notes.join("; "))))
    }
}
