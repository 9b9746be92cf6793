//! `lore mind diff`: what is different between two graphs, nodes and edges that came, went or changed (clauses Diff1 to Diff4).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::as_of::AsOf;
use super::edge::EdgeType;
use super::graph::{Edge, Graph, Node, arrow};
use super::open::open;
use super::value::Json;
use super::warnings::render_warnings;
use super::wire::{SHOWN, has_prefix, more, prefixes};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Show what changed in the mind graph between two commits of the code
///
/// For each commit Lore takes the graph recorded there, or at the nearest commit before it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind diff v1.0..v1.1            between two tags
  lore mind diff v1.0 v1.1             the same
  lore mind diff HEAD~10               from ten commits ago to HEAD
  lore mind diff main --prefix task    tasks only, and edges between tasks

Exit status: 0 compared; 1 nothing is recorded at one of the commits; 2 the graph could not be read.")]
pub struct MindDiffRequest {
    /// Two revisions, A..B, or the first of them
    #[arg(value_name = "A..B")]
    pub range: String,
    /// The second revision [default: HEAD]
    #[arg(value_name = "B")]
    #[serde(default)]
    pub to: Option<String>,
    /// Only nodes with this prefix, and edges between them (repeatable)
    #[arg(long, value_delimiter = ',', value_name = "PREFIX")]
    #[serde(default)]
    pub prefix: Vec<String>,
    /// Print at most this many lines of each part; 0 for all
    #[arg(long, short = 'n', value_name = "N", default_value_t = SHOWN)]
    #[serde(default = "shown_lines")]
    #[schemars(extend("x-agents" = "omit"))]
    pub limit: usize,
}

fn shown_lines() -> usize {
    SHOWN
}

/// What changed in the mind graph
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
pub struct MindDiffAnswer {
    /// The first state
    pub from: AsOf,
    /// The second state
    pub to: AsOf,
    /// The differences
    #[serde(flatten)]
    pub difference: Difference,
    /// Whether both are both are the same state of the graph
    pub same: bool,
    /// Warnings
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    #[serde(skip)]
    #[schemars(skip)]
    limit: usize,
}

/// `lore mind diff`.
pub struct MindDiff;

impl Operation for MindDiff {
    const NAME: &'static str = "mind_diff";
    const COMMAND: &'static [&'static str] = &["mind", "diff"];
    const ACCESS: Access = Access::Read;
    type Request = MindDiffRequest;
    type Answer = Value<MindDiffAnswer>;

    fn run(ctx: &Ctx, request: MindDiffRequest) -> Result<Value<MindDiffAnswer>, OpError> {
        let (from, to) = revisions(&request.range, request.to.as_deref())?;
        let wanted = prefixes(&request.prefix)?;
        let (before, after) = (open(ctx, Some(from))?, open(ctx, Some(to))?);
        let warnings = after.remarks();
        let (Some(from), Some(to)) = (before.as_of, after.as_of) else {
            return Err(OpError::new(
                ErrorKind::Internal,
                "the answer has no state for a requested revision",
            ));
        };
        let same = from.patch == to.patch;
        let difference = if same {
            Difference::default()
        } else {
            diff(&before.graph, &after.graph, &wanted)
        };
        Ok(Value::yes(MindDiffAnswer {
            from,
            to,
            difference,
            same,
            warnings,
            limit: if request.limit == 0 { usize::MAX } else { request.limit },
        }))
    }
}

/// The two revisions of `A..B`, `A B` or `A`.
fn revisions<'r>(range: &'r str, to: Option<&'r str>) -> Result<(&'r str, &'r str), OpError> {
    let invalid = |message: String| {
        Err(OpError::new(ErrorKind::Invalid, message).hint("write A..B or A B; A alone is compared with HEAD"))
    };
    let shown = range.escape_debug();
    let (from, to) = match (range.split_once(".."), to) {
        (Some(_), Some(_)) => return invalid(format!("`{shown}` is a range, so a second revision is not allowed")),
        (Some((from, to)), None) => (from, to),
        (None, to) => (range, to.unwrap_or("HEAD")),
    };
    if from.is_empty() || to.is_empty() || to.starts_with('.') || to.contains("..") {
        return invalid(format!("`{shown}` is not a range of two revisions"));
    }
    Ok((from, to))
}

impl Render for MindDiffAnswer {
    fn render(&self, page: &mut Page) {
        self.from.render(page);
        self.to.render(page);
        let Difference { nodes, edges } = &self.difference;
        match (self.same, self.difference.is_empty()) {
            (true, _) => page.line(format_args!("both are the same state of the graph")),
            (false, true) => page.line(format_args!("no difference")),
            (false, false) => {}
        }
        let node = |node: &NodeDifference| {
            if node.properties.is_empty() {
                node.id.clone()
            } else {
                format!("{}  {}", node.id, node.properties.join(", "))
            }
        };
        let edge = |edge: &EdgeDifference| {
            let arrow = arrow(&edge.source, &edge.target, edge.kind);
            if edge.fields.is_empty() {
                arrow
            } else {
                format!("{arrow}  {}", edge.fields.join(", "))
            }
        };
        part(page, nodes, "nodes", self.limit, node);
        part(page, edges, "edges", self.limit, edge);
        render_warnings(page, &self.warnings);
    }
}

fn part<T>(page: &mut Page, changed: &Changed<T>, what: &str, limit: usize, text: impl Fn(&T) -> String) {
    let lists = [("+", &changed.added), ("-", &changed.removed), ("~", &changed.changed)];
    if lists.iter().all(|(_, list)| list.is_empty()) {
        return;
    }
    page.line(format_args!(
        "{what}: {} before, {} after",
        changed.total.before, changed.total.after
    ));
    for (sign, list) in lists {
        for item in list.iter().take(limit) {
            page.text(&format!("  {sign} {}", text(item)));
            page.line(format_args!(""));
        }
        more(page, list.len().saturating_sub(limit));
    }
}

/// The difference of two graphs.
#[derive(Clone, PartialEq, Default, Debug, JsonSchema, Serialize)]
pub struct Difference {
    /// Of nodes
    pub nodes: Changed<NodeDifference>,
    /// Of edges
    pub edges: Changed<EdgeDifference>,
}

/// What came, went and changed, each sorted.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Changed<T> {
    /// In the second only.
    pub added: Vec<T>,
    /// In the first only.
    pub removed: Vec<T>,
    /// In both, and not the same.
    pub changed: Vec<T>,
    /// How many there are before and after.
    pub total: Total,
}

/// How many there are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize)]
pub struct Total {
    /// In the first.
    pub before: usize,
    /// In the second.
    pub after: usize,
}

impl<T> Default for Changed<T> {
    fn default() -> Self {
        Self {
            added: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
            total: Total::default(),
        }
    }
}

/// A node that is different.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct NodeDifference {
    /// Its id.
    pub id: String,
    /// The properties that are different, if it is in both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
}

/// An edge that is different.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct EdgeDifference {
    /// Where it begins.
    pub source: String,
    /// Where it ends.
    pub target: String,
    /// Its type.
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    pub kind: EdgeType,
    /// The fields that are different, if it is in both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<&'static str>,
}

impl Difference {
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
    let is_wanted = |node: &Node<'_>| has_prefix(*node, prefixes) && !node.is_systems();
    let mut difference = Difference::default();
    let nodes = |graph: &'_ Graph| graph.nodes().filter(is_wanted).count();
    difference.nodes.total = Total {
        before: nodes(before),
        after: nodes(after),
    };
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
    difference.edges.total = Total {
        before: edges(before),
        after: edges(after),
    };
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
        let totals = |total: Total| (total.before, total.after);
        assert_eq!((totals(found.nodes.total), totals(found.edges.total)), ((4, 4), (2, 2)));
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
