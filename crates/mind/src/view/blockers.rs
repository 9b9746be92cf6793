//! The blockers view: roots, what hangs on each of them, and circles.

use schemars::JsonSchema;
use serde::Serialize;

use super::lens::Link;
use super::views::{Meta, Shown, ends, names, shown};
use crate::cycles::cycles;
use crate::edge::EdgeType;
use crate::graph::{Edge, Graph, NodeIx};

/// Links of all chains together that are shown.
const MOST: usize = 200_000;

/// Chains of blockers
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Blockers {
    /// Nodes that block others and are not blocked
    pub root_blockers: Vec<String>,
    /// For each root: the nodes that it blocks directly or indirectly, itself first, with their distance
    pub chains: Vec<Vec<Link>>,
    /// Cycles; the first node is repeated at the end
    pub cycles: Vec<Vec<String>>,
    /// Whether the list is incomplete
    pub cut: bool,
}

pub(super) fn blockers(graph: &Graph) -> Shown {
    let edges: Vec<Edge<'_>> = graph.edges().filter(|edge| edge.kind() == EdgeType::Blocks).collect();
    let nodes = ends(&edges);
    let blocks = |edge: &Edge<'_>| edge.kind() == EdgeType::Blocks;
    let is_root = |node: &NodeIx| {
        graph.outgoing(*node).any(|edge| blocks(&edge)) && !graph.incoming(*node).any(|edge| blocks(&edge))
    };
    let roots: Vec<NodeIx> = nodes.iter().copied().filter(is_root).collect();
    let mut walk = Walk {
        graph,
        seen: vec![0; graph.node_count()],
        steps: 0,
    };
    let (mut chains, mut cut) = (Vec::new(), false);
    for (round, root) in (1..).zip(&roots) {
        match walk.from(*root, round) {
            Some(chain) => chains.push(chain),
            None => {
                cut = true;
                break;
            }
        }
    }
    chains.retain(|chain: &Vec<Link>| chain.len() > 1);
    let meta = Meta::Blockers(Blockers {
        root_blockers: names(graph, roots),
        chains,
        cycles: cycles(graph, EdgeType::Blocks)
            .into_iter()
            .map(|circle| names(graph, circle))
            .collect(),
        cut,
    });
    shown(nodes, edges.into_iter().map(Edge::ix).collect(), meta)
}

struct Walk<'g> {
    graph: &'g Graph,
    /// The round in which a node was seen last.
    seen: Vec<u32>,
    /// Edges that were looked at.
    steps: usize,
}

impl Walk<'_> {
    /// What hangs on a root, in the order of a walk that goes deep first; nothing if that is too much.
    fn from(&mut self, root: NodeIx, round: u32) -> Option<Vec<Link>> {
        let mut chain = Vec::new();
        let mut stack = vec![(root, 0)];
        while let Some((node, depth)) = stack.pop() {
            let seen = self.seen.get_mut(node.0 as usize)?;
            if *seen == round {
                continue;
            }
            *seen = round;
            chain.push(Link {
                id: self.graph.node_at(node).id().to_owned(),
                depth,
            });
            let from = stack.len();
            for edge in self.graph.outgoing(node) {
                self.steps += 1;
                if edge.kind() == EdgeType::Blocks {
                    stack.push((edge.ends().1, depth + 1));
                }
            }
            // The smallest id is looked at first.
            stack.get_mut(from..)?.reverse();
            if self.steps > MOST * 2 {
                return None;
            }
        }
        Some(chain)
    }
}
