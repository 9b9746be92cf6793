//! What is different between two graphs: nodes and edges that came, went or changed (clauses Diff2 to Diff4).

use serde::Serialize;

use super::edge::EdgeType;
use super::graph::{Edge, Graph, Node};
use super::prefix;
use super::value::Json;

/// The difference of two graphs.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct Difference {
    /// Of nodes.
    pub nodes: Changed<NodeDifference>,
    /// Of edges.
    pub edges: Changed<EdgeDifference>,
}

/// What came, went and changed, each sorted.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Changed<T> {
    /// In the second only.
    pub added: Vec<T>,
    /// In the first only.
    pub removed: Vec<T>,
    /// In both, and not the same.
    pub changed: Vec<T>,
    /// How many there are before and after.
    pub total: (usize, usize),
}

impl<T> Default for Changed<T> {
    fn default() -> Self {
        Self {
            added: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
            total: (0, 0),
        }
    }
}

/// A node that is different.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NodeDifference {
    /// Its id.
    pub id: String,
    /// The properties that are different, if it is in both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
}

/// An edge that is different.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EdgeDifference {
    /// Where it begins.
    pub source: String,
    /// Where it ends.
    pub target: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: EdgeType,
    /// The fields that are different, if it is in both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<&'static str>,
}

impl Difference {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        let Self { nodes, edges } = self;
        nodes.added.is_empty()
            && nodes.removed.is_empty()
            && nodes.changed.is_empty()
            && edges.added.is_empty()
            && edges.removed.is_empty()
            && edges.changed.is_empty()
    }
}

/// Compares two graphs. The system's nodes are left out; prefixes, if there are any, keep an edge only if both of its ends have one of them.
pub fn diff(before: &Graph, after: &Graph, prefixes: &[String]) -> Difference {
    let is_wanted = |node: &Node<'_>| {
        let is_chosen = prefixes.is_empty() || prefixes.iter().any(|wanted| prefix::kind(wanted) == node.kind());
        is_chosen && !node.is_systems()
    };
    let mut difference = Difference::default();
    let nodes = |graph: &'_ Graph| graph.nodes().filter(is_wanted).count();
    difference.nodes.total = (nodes(before), nodes(after));
    for node in before.nodes().filter(is_wanted) {
        match after.node(node.id()).filter(is_wanted) {
            None => difference.nodes.removed.push(plain_node(node)),
            Some(other) => {
                let properties = properties(node, other);
                if !properties.is_empty() {
                    let id = node.id().to_owned();
                    difference.nodes.changed.push(NodeDifference { id, properties });
                }
            }
        }
    }
    let added = after
        .nodes()
        .filter(is_wanted)
        .filter(|node| before.node(node.id()).is_none_or(|node| !is_wanted(&node)));
    difference.nodes.added = added.map(plain_node).collect();
    let is_between = |edge: &Edge<'_>| is_wanted(&edge.source()) && is_wanted(&edge.target());
    let edges = |graph: &'_ Graph| graph.edges().filter(is_between).count();
    difference.edges.total = (edges(before), edges(after));
    for edge in before.edges().filter(is_between) {
        match after.edge(edge.source().id(), edge.target().id(), edge.kind()) {
            None => difference.edges.removed.push(plain_edge(edge, Vec::new())),
            Some(other) => {
                let fields = fields(edge, other);
                if !fields.is_empty() {
                    difference.edges.changed.push(plain_edge(edge, fields));
                }
            }
        }
    }
    let is_new = |edge: &Edge<'_>| {
        before
            .edge(edge.source().id(), edge.target().id(), edge.kind())
            .is_none()
    };
    let added = after.edges().filter(is_between).filter(is_new);
    difference.edges.added = added.map(|edge| plain_edge(edge, Vec::new())).collect();
    difference
}

fn plain_node(node: Node<'_>) -> NodeDifference {
    NodeDifference {
        id: node.id().to_owned(),
        properties: Vec::new(),
    }
}

fn plain_edge(edge: Edge<'_>, fields: Vec<&'static str>) -> EdgeDifference {
    EdgeDifference {
        source: edge.source().id().to_owned(),
        target: edge.target().id().to_owned(),
        kind: edge.kind(),
        fields,
    }
}

fn properties(left: Node<'_>, right: Node<'_>) -> Vec<String> {
    let is_same = |key: &str, value: &str| match right.property(key) {
        Some(other) => other == value || Json::of_canonical(other).is_same(&Json::of_canonical(value)),
        None => false,
    };
    let mut keys: Vec<String> = left
        .properties()
        .filter(|(key, value)| !is_same(key, value))
        .map(|(key, _)| key.to_owned())
        .collect();
    keys.extend(
        right
            .properties()
            .filter(|(key, _)| left.property(key).is_none())
            .map(|(key, _)| key.to_owned()),
    );
    keys.sort_unstable();
    keys
}

fn fields(left: Edge<'_>, right: Edge<'_>) -> Vec<&'static str> {
    let mut fields = Vec::new();
    if left.confidence() != right.confidence() {
        fields.push("confidence");
    }
    if left.rationale() != right.rationale() {
        fields.push("rationale");
    }
    if left.reviewed_at() != right.reviewed_at() {
        fields.push("reviewedAt");
    }
    if left.created_at() != right.created_at() {
        fields.push("createdAt");
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::super::testing::graph;
    use super::*;

    const BEFORE: &str = "task:a blocks task:b .5 why\ntask:a k=1\ntask:gone relates-to task:a\nspec:s";
    const AFTER: &str =
        "task:a blocks task:b .6 other\ntask:a k=2\ntask:new relates-to task:a\nspec:s\ncommit:abc touches task:a";

    #[test]
    fn diff2_what_came_went_and_changed_is_told() {
        let found = diff(&graph(BEFORE), &graph(AFTER), &[]);
        let ids = |list: &[NodeDifference]| list.iter().map(|node| node.id.clone()).collect::<Vec<_>>();
        assert_eq!(
            (ids(&found.nodes.added), ids(&found.nodes.removed)),
            (vec!["task:new".to_owned()], vec!["task:gone".to_owned()])
        );
        assert_eq!(
            found.nodes.changed,
            [NodeDifference {
                id: "task:a".to_owned(),
                properties: vec!["k".to_owned()]
            }]
        );
        assert_eq!(
            (
                found.edges.added.len(),
                found.edges.removed.len(),
                found.edges.changed.len()
            ),
            (1, 1, 1)
        );
        assert_eq!(found.edges.changed[0].fields, ["confidence", "rationale"]);
        assert_eq!((found.nodes.total, found.edges.total), ((4, 4), (2, 2)));
    }

    #[test]
    fn diff3_system_nodes_are_left_out_and_a_prefix_keeps_edges_with_both_ends() {
        let found = diff(
            &Graph::default(),
            &graph("commit:a touches task:b\nspec:c documents task:b\nrepo:o/n:task:d blocks task:b"),
            &["task".to_owned()],
        );
        assert_eq!((found.nodes.added.len(), found.edges.added.len()), (2, 1));
    }

    #[test]
    fn diff4_the_same_graph_has_no_difference() {
        assert!(diff(&graph(BEFORE), &graph(BEFORE), &[]).is_empty());
        assert!(!diff(&graph(BEFORE), &graph(AFTER), &[]).is_empty());
    }
}
