//! Views that count: milestones, traceability, coverage, progress.

use schemars::JsonSchema;
use serde::Serialize;

use super::views::{Meta, SCOPE, Shown, inside, is_of, names, percent, shown};
use crate::edge::EdgeType;
use crate::graph::{Edge, Graph, Node, NodeIx};

/// The progress of a milestone
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Milestone {
    /// Its id.
    pub id: String,
    /// The number of tasks and features that belong to the milestone
    pub total: usize,
    /// The number of them that implement something
    pub done: usize,
    /// done of total in percent; 0 without any
    pub pct: usize,
    /// The nodes that block them, sorted
    pub blockers: Vec<String>,
}

/// Specifications with and without an implementation
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Traceability {
    /// Specifications without an implementation
    pub gaps: Vec<String>,
    /// Specifications with an implementation
    pub covered: Vec<String>,
    /// The covered share in percent; 100 without any
    pub coverage_pct: usize,
}

/// Code with and without a specification that it implements
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Code that implements a specification
    pub linked: Vec<String>,
    /// Code that implements no specification
    pub unlinked: Vec<String>,
    /// The covered share in percent; 100 without any
    pub coverage_pct: usize,
}

/// Progress of the work
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The items by status.
    pub by_status: ByStatus,
    /// The number of items by status
    pub summary: Summary,
}

/// Items by status, each list sorted.
#[derive(Clone, PartialEq, Eq, Default, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ByStatus {
    /// Done.
    pub done: Vec<String>,
    /// In progress
    pub in_progress: Vec<String>,
    /// To do
    pub todo: Vec<String>,
    /// Blocked
    pub blocked: Vec<String>,
    /// Any other status
    pub unknown: Vec<String>,
}

/// Items in numbers.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// All.
    pub total: usize,
    /// Done.
    pub done: usize,
    /// In progress
    pub in_progress: usize,
    /// To do
    pub todo: usize,
    /// Blocked
    pub blocked: usize,
    /// Any other status
    pub unknown: usize,
    /// The done share in percent
    pub pct: usize,
    /// The done share, such as `1/3`
    pub ratio: String,
    /// Items that are not done
    pub remaining: usize,
}

/// The status of a piece of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Done,
    /// In progress
    InProgress,
    /// To do
    Todo,
    /// Blocked
    Blocked,
    /// Any other status
    Unknown,
}

impl Status {
    /// What a text means (clause Amend3).
    pub fn of_text(text: &str) -> Self {
        let text = text.trim();
        let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        match () {
            () if is(&["done", "complete", "completed", "finished"]) => Self::Done,
            () if is(&["in-progress", "in_progress", "inprogress", "wip"]) => Self::InProgress,
            () if is(&["todo", "pending", "open", "new"]) => Self::Todo,
            () if is(&["blocked"]) => Self::Blocked,
            () => Self::Unknown,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::InProgress => "in-progress",
            Self::Todo => "todo",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
    }

    /// The status of a node, by its property `status` if that is text.
    pub fn of(node: Node<'_>) -> Self {
        node.text_property("status")
            .map_or(Self::Unknown, |text| Self::of_text(&text))
    }
}

const SPECIFICATIONS: [&str; 2] = ["spec", "adr"];
const CODE: [&str; 3] = ["crate", "module", "pkg"];

pub(super) fn milestones(graph: &Graph) -> Shown {
    let mut shown = inside(graph, &["milestone", "task", "feature"], |_| true);
    let milestones = graph.nodes().filter(|node| is_of(*node, &["milestone"]));
    shown.meta = Meta::Milestones {
        milestones: milestones.map(|node| milestone(graph, node)).collect(),
    };
    shown
}

fn milestone(graph: &Graph, node: Node<'_>) -> Milestone {
    let members = graph
        .incoming(node.ix())
        .filter(|edge| edge.kind() == EdgeType::BelongsTo)
        .map(Edge::source);
    let members: Vec<Node<'_>> = members.filter(|member| is_of(*member, &SCOPE)).collect();
    let has_implemented = |member: &&Node<'_>| {
        graph
            .outgoing(member.ix())
            .any(|edge| edge.kind() == EdgeType::Implements)
    };
    let done = members.iter().filter(has_implemented).count();
    let blocking = members.iter().flat_map(|member| graph.incoming(member.ix()));
    let mut blockers: Vec<NodeIx> = blocking
        .filter(|edge| edge.kind() == EdgeType::Blocks)
        .map(|edge| edge.ends().0)
        .collect();
    blockers.sort_unstable();
    blockers.dedup();
    Milestone {
        id: node.id().to_owned(),
        total: members.len(),
        done,
        pct: percent(done, members.len()).unwrap_or(0),
        blockers: names(graph, blockers),
    }
}

pub(super) fn traceability(graph: &Graph) -> Shown {
    let is_wanted = |edge: &Edge<'_>| edge.kind() == EdgeType::Implements && is_of(edge.target(), &SPECIFICATIONS);
    let edges: Vec<Edge<'_>> = graph.edges().filter(is_wanted).collect();
    let specifications: Vec<Node<'_>> = graph.nodes().filter(|node| is_of(*node, &SPECIFICATIONS)).collect();
    let mut nodes: Vec<NodeIx> = super::views::ends(&edges);
    nodes.extend(specifications.iter().map(|node| node.ix()));
    nodes.sort_unstable();
    nodes.dedup();
    let is_covered = |node: &Node<'_>| {
        graph
            .incoming(node.ix())
            .any(|edge| edge.kind() == EdgeType::Implements)
    };
    let (covered, gaps): (Vec<Node<'_>>, Vec<Node<'_>>) = specifications.iter().partition(|node| is_covered(node));
    let meta = Meta::Traceability(Traceability {
        coverage_pct: percent(covered.len(), specifications.len()).unwrap_or(100),
        gaps: names(graph, gaps.into_iter().map(Node::ix)),
        covered: names(graph, covered.into_iter().map(Node::ix)),
    });
    shown(nodes, edges.into_iter().map(Edge::ix).collect(), meta)
}

pub(super) fn coverage(graph: &Graph) -> Shown {
    let mut shown = inside(graph, &["crate", "module", "pkg", "spec", "adr"], |kind| {
        kind == EdgeType::Implements
    });
    let code: Vec<Node<'_>> = graph.nodes().filter(|node| is_of(*node, &CODE)).collect();
    let implements = |edge: Edge<'_>| edge.kind() == EdgeType::Implements && is_of(edge.target(), &SPECIFICATIONS);
    let (linked, unlinked): (Vec<Node<'_>>, Vec<Node<'_>>) =
        code.iter().partition(|node| graph.outgoing(node.ix()).any(implements));
    shown.meta = Meta::Coverage(Coverage {
        coverage_pct: percent(linked.len(), code.len()).unwrap_or(100),
        linked: names(graph, linked.into_iter().map(Node::ix)),
        unlinked: names(graph, unlinked.into_iter().map(Node::ix)),
    });
    shown
}

pub(super) fn progress(graph: &Graph, scope: &[String]) -> Shown {
    let scope: Vec<&str> = if scope.is_empty() {
        SCOPE.to_vec()
    } else {
        scope.iter().map(String::as_str).collect()
    };
    let mut shown = super::views::touching(graph, &scope);
    let mut by_status = ByStatus::default();
    for node in shown.nodes.iter().map(|node| graph.node_at(*node)) {
        let list = match Status::of(node) {
            Status::Done => &mut by_status.done,
            Status::InProgress => &mut by_status.in_progress,
            Status::Todo => &mut by_status.todo,
            Status::Blocked => &mut by_status.blocked,
            Status::Unknown => &mut by_status.unknown,
        };
        list.push(node.id().to_owned());
    }
    let (total, done) = (shown.nodes.len(), by_status.done.len());
    let summary = Summary {
        total,
        done,
        in_progress: by_status.in_progress.len(),
        todo: by_status.todo.len(),
        blocked: by_status.blocked.len(),
        unknown: by_status.unknown.len(),
        pct: percent(done, total).unwrap_or(0),
        ratio: format!("{done}/{total}"),
        remaining: total - done,
    };
    shown.meta = Meta::Progress(Progress { by_status, summary });
    shown
}
