//! `lore mind unlink`: exactly the edge that is named is removed (clause Ref15).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments;
use super::changes::Changes;
use super::edge::EdgeType;
use super::edge_line::EdgeLine;
use super::graph::Graph;
use super::patch::Triple;
use super::write::{Wanted, write};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Remove a link between two nodes of the mind graph
///
/// The nodes stay. It is not an error if the link does not exist.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind unlink task:login spec:auth --type implements
  lore mind unlink task:login spec:auth --all-types

Exit status: 0 removed, or there was no link; 2 the graph could not be written.")]
pub struct MindUnlinkRequest {
    /// The id of the source node
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// The id of the target node
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The type of the edge [default: relates-to]
    #[arg(long = "type", value_name = "TYPE", conflicts_with = "all_types")]
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Remove edges of every type from SOURCE to TARGET
    #[arg(long)]
    #[schemars(extend("x-agents" = "omit"))]
    #[serde(default)]
    pub all_types: bool,
}

/// The removed edges or node
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindUnlinkAnswer {
    /// Whether an edge was removed
    pub removed: bool,
    /// The removed edges
    pub edges: Vec<EdgeLine>,
    /// Types of edges between the same nodes that were not removed
    pub kept: Vec<&'static str>,
    /// The id of the patch; none if nothing changed
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// `lore mind unlink`.
pub struct MindUnlink;

impl Operation for MindUnlink {
    const NAME: &'static str = "mind_unlink";
    const COMMAND: &'static [&'static str] = &["mind", "unlink"];
    const ACCESS: Access = Access::Write;
    type Request = MindUnlinkRequest;
    type Answer = Value<MindUnlinkAnswer>;

    fn run(ctx: &Ctx, request: MindUnlinkRequest) -> Result<Value<MindUnlinkAnswer>, OpError> {
        let source = arguments::node_id(&request.source)?;
        let target = arguments::node_id(&request.target)?;
        let kinds = match (&request.kind, request.all_types) {
            (Some(_), true) => {
                return Err(OpError::new(
                    ErrorKind::Invalid,
                    "--type and --all-types exclude each other",
                ));
            }
            (_, true) => EdgeType::ALL.to_vec(),
            (Some(name), false) => vec![arguments::edge_type(name)?],
            (None, false) => vec![EdgeType::RelatesTo],
        };
        let held = |graph: &Graph, kind: EdgeType| {
            let edge = graph.edge(source.as_str(), target.as_str(), kind);
            edge.map(EdgeLine::from)
        };
        let (mut answer, patch) = write(ctx, |graph, now| {
            let mut changes = Changes::new();
            for kind in &kinds {
                changes.remove_edge(Triple {
                    source: source.clone(),
                    target: target.clone(),
                    kind: *kind,
                });
            }
            let edges: Vec<EdgeLine> = kinds.iter().filter_map(|kind| held(graph, *kind)).collect();
            let others = EdgeType::ALL.into_iter().filter(|kind| !kinds.contains(kind));
            let kept = others.filter_map(|kind| Some(held(graph, kind)?.kind));
            let which = match kinds.as_slice() {
                [kind] => kind.name(),
                _ => "all",
            };
            Ok(Wanted {
                subject: format!("mind: unlink {source} {which} {target}"),
                operations: changes.into_operations(graph, now),
                answer: MindUnlinkAnswer {
                    removed: !edges.is_empty(),
                    edges,
                    kept: kept.collect(),
                    patch: None,
                },
            })
        })?;
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value::yes(answer))
    }
}

impl Render for MindUnlinkAnswer {
    fn render(&self, page: &mut Page) {
        for edge in &self.edges {
            page.write(format_args!("removed "));
            edge.render(page);
        }
        if !self.removed {
            page.line(format_args!("there is no such edge"));
        }
        if !self.kept.is_empty() {
            page.line(format_args!("kept edges of other types: {}", self.kept.join(", ")));
        }
    }
}
