//! The onboarding view: documents in reading order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use schemars::JsonSchema;
use serde::Serialize;

use super::views::{Meta, Shown, inside, names};
use crate::edge::EdgeType;
use crate::graph::{Graph, NodeIx};

/// The reading order of documents
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Onboarding {
    /// Dependencies first, then by id; documents in cycles, and those that depend on them, last
    pub reading_order: Vec<String>,
    /// Whether there are cycles
    pub has_cycles: bool,
}

pub(super) fn onboarding(graph: &Graph) -> Shown {
    let is_wanted = |kind| matches!(kind, EdgeType::DependsOn | EdgeType::Documents | EdgeType::Implements);
    let mut shown = inside(graph, &["doc", "spec", "adr"], is_wanted);
    let mut waits = vec![0_u32; graph.node_count()];
    let mut followers: Vec<Vec<NodeIx>> = vec![Vec::new(); graph.node_count()];
    let order = shown.edges.iter().map(|edge| graph.edge_at(*edge));
    for edge in order.filter(|edge| edge.kind() == EdgeType::DependsOn) {
        let (dependent, dependency) = edge.ends();
        waits[dependent.0 as usize] += 1;
        followers[dependency.0 as usize].push(dependent);
    }
    let free = shown.nodes.iter().copied().filter(|node| waits[node.0 as usize] == 0);
    let mut ready: BinaryHeap<Reverse<NodeIx>> = free.map(Reverse).collect();
    let mut reading = Vec::with_capacity(shown.nodes.len());
    while let Some(Reverse(node)) = ready.pop() {
        reading.push(node);
        for follower in &followers[node.0 as usize] {
            let left = &mut waits[follower.0 as usize];
            *left -= 1;
            if *left == 0 {
                ready.push(Reverse(*follower));
            }
        }
    }
    let has_cycles = reading.len() < shown.nodes.len();
    reading.extend(shown.nodes.iter().copied().filter(|node| waits[node.0 as usize] > 0));
    shown.meta = Meta::Onboarding(Onboarding {
        reading_order: names(graph, reading.iter().copied()),
        has_cycles,
    });
    shown.nodes = reading;
    shown
}
