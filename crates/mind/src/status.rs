//! `lore mind status`: how much there is, what is blocked, what is uncertain, what stands alone (clause C29).

use crate::patch_log::PatchLog;
use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::as_of::AsOf;
use super::confidence::Confidence;
use super::edge::EdgeType;
use super::graph::Graph;
use super::open::{Opened, open};
use super::warnings::render_warnings;
use lore_base::counted::counted;
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Blocked nodes that people are shown.
const BLOCKED: usize = 10;

/// Show counts of the mind graph
///
/// Nodes and edges of each kind, blocked nodes, pending reviews, and patches that were not pushed.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind status                 the current graph
  lore mind status --at HEAD~3     the graph three commits ago
  lore mind status --json          for programs

Exit status: 0 shown; 1 nothing is recorded at the commit; 2 the graph could not be read.")]
#[serde(default)]
pub struct MindStatusRequest {
    /// The graph as of this commit, branch or tag
    #[arg(long, value_name = "REV")]
    pub at: Option<String>,
}

/// The state of the mind graph
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindStatusAnswer {
    /// Counts of nodes and edges
    #[serde(flatten)]
    pub status: Status,
    /// The name under which this clone writes
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<String>,
    /// Patches of this clone that were not pushed
    pub unpushed: usize,
    /// Patches in the graph
    pub patches: usize,
    /// The requested commit, if --at was given
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
    /// Warnings
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// `lore mind status`.
pub struct MindStatus;

impl Operation for MindStatus {
    const NAME: &'static str = "mind_status";
    const COMMAND: &'static [&'static str] = &["mind", "status"];
    const ACCESS: Access = Access::Read;
    type Request = MindStatusRequest;
    type Answer = Value<MindStatusAnswer>;

    fn run(ctx: &Ctx, request: MindStatusRequest) -> Result<Value<MindStatusAnswer>, OpError> {
        let opened = open(ctx, request.at.as_deref())?;
        Ok(Value::yes(MindStatusAnswer {
            status: status(&opened.graph),
            writer: opened.tips.writer.clone(),
            unpushed: opened.unpushed,
            patches: opened.patches,
            warnings: notes_of(ctx, &opened),
            as_of: opened.as_of,
        }))
    }
}

/// What is remarkable; of a graph without anything in it, where one may be had.
fn notes_of(ctx: &Ctx, opened: &Opened) -> Vec<String> {
    let mut notes = opened.remarks();
    if opened.patches == 0 && opened.as_of.is_none() {
        let state = ctx.port::<dyn PatchLog>().state().unwrap_or_default();
        let unknown = state.remotes.iter().filter(|remote| !remote.configured);
        let names: Vec<&str> = unknown.map(|remote| remote.name.as_str()).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            notes.push(format!(
                "the graph of {names} was never fetched; `lore mind init` fetches it"
            ));
        }
    }
    notes
}

impl Render for MindStatusAnswer {
    fn render(&self, page: &mut Page) {
        let status = &self.status;
        if let Some(as_of) = &self.as_of {
            as_of.render(page);
        }
        page.line(format_args!(
            "{}, {}",
            counted(status.nodes, "node"),
            counted(status.edges, "edge")
        ));
        let counts: [Vec<(&str, usize)>; 2] = [
            status
                .by_prefix
                .iter()
                .map(|(name, count)| (name.as_str(), *count))
                .collect(),
            status.by_type.iter().map(|(name, count)| (*name, *count)).collect(),
        ];
        for (what, counts) in ["nodes", "edges"].into_iter().zip(counts) {
            if counts.is_empty() {
                continue;
            }
            let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            page.line(format_args!("  {what}: {}", counts.join(", ")));
        }
        if !status.blocked.is_empty() {
            let shown: Vec<&str> = status.blocked.iter().take(BLOCKED).map(String::as_str).collect();
            let more = if status.blocked.len() > BLOCKED { ", …" } else { "" };
            page.line(format_args!(
                "  blocked: {} ({}{more})",
                status.blocked.len(),
                shown.join(", ")
            ));
        }
        if status.low_confidence > 0 {
            page.line(format_args!(
                "  confidence at most 0.5: {}; `lore mind review` lists the pending ones",
                counted(status.low_confidence, "edge")
            ));
        }
        if status.orphans > 0 {
            page.line(format_args!("  without edges: {}", counted(status.orphans, "node")));
        }
        let patches = counted(self.patches, "patch");
        match self.unpushed {
            // What is not pushed is a matter of now.
            count if count > 0 && self.as_of.is_none() => {
                page.line(format_args!("{patches}, {count} of them not pushed"));
            }
            _ => page.line(format_args!("{patches}")),
        }
        render_warnings(page, &self.warnings);
    }
}

/// The state of a graph in numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// How many nodes
    pub nodes: usize,
    /// How many edges
    pub edges: usize,
    /// Nodes by prefix
    pub by_prefix: BTreeMap<String, usize>,
    /// Edges by type
    pub by_type: BTreeMap<&'static str, usize>,
    /// Nodes that something blocks
    pub blocked: Vec<String>,
    /// How many edges are at most half sure
    pub low_confidence: usize,
    /// How many nodes are the end of no edge, the system's not counted
    pub orphans: usize,
}

pub fn status(graph: &Graph) -> Status {
    let mut status = Status {
        nodes: graph.node_count(),
        edges: graph.edge_count(),
        ..Status::default()
    };
    let mut by_prefix: BTreeMap<&str, usize> = BTreeMap::new();
    for node in graph.nodes() {
        *by_prefix.entry(node.prefix()).or_default() += 1;
        if graph.incoming(node.ix()).any(|edge| edge.kind() == EdgeType::Blocks) {
            status.blocked.push(node.id().to_owned());
        }
        if graph.is_orphan(node.ix()) && !node.is_systems() {
            status.orphans += 1;
        }
    }
    let owned = |(prefix, count): (&str, usize)| (prefix.to_owned(), count);
    status.by_prefix = by_prefix.into_iter().map(owned).collect();
    for edge in graph.edges() {
        *status.by_type.entry(edge.kind().name()).or_default() += 1;
        if edge.confidence() <= Confidence::SUGGESTION {
            status.low_confidence += 1;
        }
    }
    status
}

#[cfg(test)]
mod tests {
    use super::super::testing::graph;
    use super::*;

    #[test]
    fn c29_the_status_of_nothing_is_nought() {
        assert_eq!(status(&Graph::default()), Status::default());
    }

    #[test]
    fn ref11_the_status_counts_by_inner_prefix() {
        let found = status(&graph("task:a blocks repo:o/n:task:b .5\nspec:c\ncommit:d"));
        assert_eq!(
            found.by_prefix.into_iter().collect::<Vec<_>>(),
            [("commit".to_owned(), 1), ("spec".to_owned(), 1), ("task".to_owned(), 2)]
        );
        assert_eq!(
            (found.blocked, found.low_confidence, found.orphans),
            (vec!["repo:o/n:task:b".to_owned()], 1, 1)
        );
    }
}
