//! Lenses: what a view shows, narrowed. An edge stays if both of its ends do.

use std::collections::HashSet;

use lore_model::components;
use schemars::JsonSchema;
use serde::Serialize;

use super::plan::Status;
use super::views::Shown;
use crate::edge::EdgeType;
use crate::graph::{Edge, Graph, NodeIx};

/// The lenses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lens {
    /// What is not done.
    Incomplete,
    /// What leads nowhere further.
    Frontier,
    /// The longest chain of what has to wait.
    CriticalPath,
    /// What something blocks.
    Blocked,
    /// What need not wait and holds up nothing.
    Parallel,
}

impl Lens {
    pub const ALL: [Self; 5] = [
        Self::Incomplete,
        Self::Frontier,
        Self::CriticalPath,
        Self::Blocked,
        Self::Parallel,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Frontier => "frontier",
            Self::CriticalPath => "critical-path",
            Self::Blocked => "blocked",
            Self::Parallel => "parallel",
        }
    }
}

/// The result of a lens
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// Its name.
    pub lens: &'static str,
    /// The critical path.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub path: Option<CriticalPath>,
}

/// The critical path.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct CriticalPath {
    /// The nodes of the path; a node comes before the nodes that depend on it
    pub chain: Vec<Link>,
    /// What is remarkable.
    pub warnings: Vec<String>,
}

/// A node of a chain
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Link {
    /// The node.
    pub id: String,
    /// The distance from the first node
    pub depth: usize,
}

/// Narrows what is shown.
pub(super) fn through(graph: &Graph, lens: Lens, shown: &mut Shown) {
    let all: HashSet<NodeIx> = shown.nodes.iter().copied().collect();
    let is_inside = |edge: &Edge<'_>| all.contains(&edge.ends().0) && all.contains(&edge.ends().1);
    let edges = || shown.edges.iter().map(|edge| graph.edge_at(*edge)).filter(is_inside);
    let orders = |edge: &Edge<'_>| matches!(edge.kind(), EdgeType::Blocks | EdgeType::DependsOn);
    let mut path = None;
    let stays: HashSet<NodeIx> = match lens {
        Lens::Incomplete => all
            .iter()
            .copied()
            .filter(|node| Status::of(graph.node_at(*node)) != Status::Done)
            .collect(),
        Lens::Frontier => {
            let leading: HashSet<NodeIx> = edges().map(|edge| edge.ends().0).collect();
            all.difference(&leading).copied().collect()
        }
        Lens::Blocked => edges()
            .filter(|edge| edge.kind() == EdgeType::Blocks)
            .map(|edge| edge.ends().1)
            .collect(),
        Lens::Parallel => {
            let waiting: HashSet<NodeIx> = edges()
                .filter(orders)
                .flat_map(|edge| [edge.ends().0, edge.ends().1])
                .collect();
            all.difference(&waiting).copied().collect()
        }
        Lens::CriticalPath => {
            let steps = edges().filter(orders).map(|edge| match edge.kind() {
                EdgeType::DependsOn => (edge.ends().1, edge.ends().0),
                _ => edge.ends(),
            });
            let mut nodes = shown.nodes.clone();
            nodes.sort_unstable();
            let (chain, cyclic) = longest(&nodes, steps);
            let stays = chain.iter().copied().collect();
            path = Some(described(graph, &chain, cyclic));
            stays
        }
    };
    shown.nodes.retain(|node| stays.contains(node));
    let stays_between = |(source, target): (NodeIx, NodeIx)| stays.contains(&source) && stays.contains(&target);
    shown.edges.retain(|edge| stays_between(graph.edge_at(*edge).ends()));
    shown.lenses.push(Seen {
        lens: lens.name(),
        path,
    });
}

fn described(graph: &Graph, chain: &[NodeIx], cyclic: usize) -> CriticalPath {
    let link = |(depth, node): (usize, &NodeIx)| Link {
        id: graph.node_at(*node).id().to_owned(),
        depth,
    };
    let warnings = match cyclic {
        0 => Vec::new(),
        _ => vec![format!("left out {cyclic} nodes in cycles")],
    };
    CriticalPath {
        chain: chain.iter().enumerate().map(link).collect(),
        warnings,
    }
}

/// The longest chain among sorted nodes, of several the one whose ids come first; and how many nodes were left out because they stand in circles.
fn longest(nodes: &[NodeIx], steps: impl Iterator<Item = (NodeIx, NodeIx)>) -> (Vec<NodeIx>, usize) {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (from, to) in steps {
        if let (Ok(from), Ok(to)) = (nodes.binary_search(&from), nodes.binary_search(&to)) {
            next[from].push(to);
        }
    }
    // What a group leads to comes before it, so that one pass finds for each node the longest chain that begins there.
    let mut lengths: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut cyclic = 0;
    let groups = components(&next);
    for group in &groups {
        let [node] = group.as_slice() else {
            cyclic += group.len();
            continue;
        };
        let longest = next[*node].iter().filter_map(|child| lengths[*child]).max();
        lengths[*node] = Some(longest.map_or(1, |length| length + 1));
    }
    let mut chain = Vec::new();
    let best = lengths.iter().flatten().max().copied();
    let mut at = (0..nodes.len()).find(|node| lengths[*node].is_some() && lengths[*node] == best);
    while let Some(node) = at {
        chain.push(nodes[node]);
        let wanted = lengths[node]
            .and_then(|length| length.checked_sub(1))
            .filter(|length| *length > 0);
        at = wanted.and_then(|wanted| {
            next[node]
                .iter()
                .copied()
                .filter(|child| lengths[*child] == Some(wanted))
                .min()
        });
    }
    (chain, cyclic)
}
