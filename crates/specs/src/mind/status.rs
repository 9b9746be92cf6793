//! Status: how much there is, what is blocked, what is uncertain, what stands alone (clause C29).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::confidence::Confidence;
use super::edge::EdgeType;
use super::graph::Graph;

/// The state of a graph in numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// How many nodes.
    pub nodes: usize,
    /// How many edges.
    pub edges: usize,
    /// Nodes by prefix.
    pub by_prefix: BTreeMap<String, usize>,
    /// Edges by type.
    pub by_type: BTreeMap<&'static str, usize>,
    /// Nodes that something blocks.
    pub blocked: Vec<String>,
    /// How many edges wait for a review.
    pub low_confidence: usize,
    /// How many nodes are the end of no edge, the system's not counted.
    pub orphans: usize,
}

/// The status of a graph.
pub fn status(graph: &Graph) -> Status {
    let mut status = Status {
        nodes: graph.node_count(),
        edges: graph.edge_count(),
        ..Status::default()
    };
    for node in graph.nodes() {
        *status.by_prefix.entry(node.prefix().to_owned()).or_default() += 1;
        if graph.incoming(node.ix()).any(|edge| edge.kind() == EdgeType::Blocks) {
            status.blocked.push(node.id().to_owned());
        }
        if !node.is_systems() && graph.is_orphan(node.ix()) {
            status.orphans += 1;
        }
    }
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
