//! `lore mind remove-node`: a node and all its edges are removed.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments;
use super::changes::Changes;
use super::edge_line::EdgeLine;
use super::graph::Graph;
use super::id::NodeId;
use super::open::open;
use super::write::{Wanted, write};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Remove a node of the mind graph with all its edges
///
/// The nodes at the other ends stay. The history keeps what was removed.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind remove-node task:login --dry-run     show the edges that would be removed
  lore mind remove-node task:login

Exit status: 0 removed; 1 there is no such node; 2 the graph could not be written.")]
pub struct MindRemoveNodeRequest {
    /// The id of the node
    #[arg(value_name = "ID")]
    pub id: String,
    /// Write nothing and show what would be removed
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
}

/// The removed edges or node
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindRemoveNodeAnswer {
    /// The node
    pub id: String,
    /// Whether the node was removed
    pub removed: bool,
    /// Whether this was a dry run
    pub dry_run: bool,
    /// The removed edges
    pub edges: Vec<EdgeLine>,
    /// The id of the patch
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// `lore mind remove-node`.
pub struct MindRemoveNode;

impl Operation for MindRemoveNode {
    const NAME: &'static str = "mind_remove_node";
    const COMMAND: &'static [&'static str] = &["mind", "remove-node"];
    const ACCESS: Access = Access::Write;
    type Request = MindRemoveNodeRequest;
    type Answer = Value<MindRemoveNodeAnswer>;

    fn run(ctx: &Ctx, request: MindRemoveNodeRequest) -> Result<Value<MindRemoveNodeAnswer>, OpError> {
        let id = arguments::node_id(&request.id)?;
        if request.dry_run {
            let opened = open(ctx, None)?;
            return told(&opened.graph, &id, true).map(Value::yes);
        }
        let (mut answer, patch) = write(ctx, |graph, now| {
            let answer = told(graph, &id, false)?;
            let mut changes = Changes::new();
            changes.remove_node(&id);
            Ok(Wanted {
                subject: format!("mind: remove {id}"),
                operations: changes.into_operations(graph, now),
                answer,
            })
        })?;
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value::yes(answer))
    }
}

fn told(graph: &Graph, id: &NodeId, dry_run: bool) -> Result<MindRemoveNodeAnswer, OpError> {
    let node = arguments::held_node(graph, id)?;
    if node.is_derived() {
        let message = format!("`{id}` is derived from the log and cannot be removed");
        return Err(OpError::new(ErrorKind::Invalid, message));
    }
    // An edge from the node to itself is told once.
    let incoming = graph.incoming(node.ix()).filter(|edge| edge.ends().0 != node.ix());
    let edges = graph.outgoing(node.ix()).chain(incoming);
    Ok(MindRemoveNodeAnswer {
        id: id.to_string(),
        removed: !dry_run,
        dry_run,
        edges: edges.map(EdgeLine::from).collect(),
        patch: None,
    })
}

impl Render for MindRemoveNodeAnswer {
    fn render(&self, page: &mut Page) {
        page.write(format_args!(
            "{} ",
            if self.dry_run { "would remove" } else { "removed" }
        ));
        page.strong(&self.id);
        page.line(match self.edges.len() {
            0 => format_args!(""),
            1 => format_args!(" and its edge:"),
            _ => format_args!(" and its edges:"),
        });
        for edge in &self.edges {
            page.write(format_args!("  "));
            edge.render(page);
        }
    }
}
