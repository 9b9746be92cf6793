//! Views: eleven ways to look at the graph, and five lenses to look at a view through (clauses View1 to View11, Lens1 to Lens5).
//!
//! Every view goes by inner prefixes, so that nodes of other repositories take part, and a phase is a milestone. Nothing here recurses: chains may be as long as
//! the graph.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::confidence::Confidence;
use crate::edge::EdgeType;
use crate::graph::{Edge, EdgeIx, Graph, Node, NodeIx};
use crate::prefix;

use super::blockers::Blockers;
use super::decisions::Decisions;
use super::lens::{self, Lens};
use super::onboarding::Onboarding;
use super::plan::{self, Coverage, Milestone, Progress, Traceability};
use super::{blockers, decisions, onboarding};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Milestones and tasks.
    Roadmap,
    /// Tasks.
    Backlog,
    /// What code depends on.
    Architecture,
    /// What waits for a review.
    Suggestions,
    /// How far each milestone is.
    Milestone,
    /// What implements the specifications.
    Traceability,
    /// What blocks what.
    Blockers,
    /// In which order to read.
    Onboarding,
    /// Which code implements a specification.
    Coverage,
    /// How far the work is.
    Progress,
    /// What was decided, and why.
    Decisions,
}

impl View {
    pub const ALL: [Self; 11] = [
        Self::Roadmap,
        Self::Backlog,
        Self::Architecture,
        Self::Suggestions,
        Self::Milestone,
        Self::Traceability,
        Self::Blockers,
        Self::Onboarding,
        Self::Coverage,
        Self::Progress,
        Self::Decisions,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Roadmap => "roadmap",
            Self::Backlog => "backlog",
            Self::Architecture => "architecture",
            Self::Suggestions => "suggestions",
            Self::Milestone => "milestone",
            Self::Traceability => "traceability",
            Self::Blockers => "blockers",
            Self::Onboarding => "onboarding",
            Self::Coverage => "coverage",
            Self::Progress => "progress",
            Self::Decisions => "decisions",
        }
    }

    /// What it shows.
    pub fn about(self) -> &'static str {
        match self {
            Self::Roadmap => "milestones, phases and tasks, with their edges",
            Self::Backlog => "tasks, with their edges",
            Self::Architecture => "crates, modules and packages, with their dependencies",
            Self::Suggestions => "edges with a confidence of at most 0.5",
            Self::Milestone => "progress and blockers of each milestone",
            Self::Traceability => "specifications with and without an implementation",
            Self::Blockers => "chains of blockers, starting at the root causes",
            Self::Onboarding => "documents in reading order",
            Self::Coverage => "code with and without a specification that it implements",
            Self::Progress => "tasks and features by their status",
            Self::Decisions => "decisions with their rationale, what they concern, and what replaces them",
        }
    }
}

/// A view, and the lenses to look at it through, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub view: View,
    pub lenses: Vec<Lens>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameFault {
    /// There is no such view.
    View(String),
    /// There is no such lens.
    Lens(String),
}

impl fmt::Display for NameFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, name, names) = match self {
            Self::View(name) => ("view", name, View::ALL.map(View::name).join(", ")),
            Self::Lens(name) => ("lens", name, Lens::ALL.map(Lens::name).join(", ")),
        };
        let name: String = name.chars().take(60).collect();
        write!(formatter, "unknown {what} {name:?}; known: {names}")
    }
}

impl std::error::Error for NameFault {}

impl Named {
    /// Reads `NAME[:LENS…]`.
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let view = View::ALL.into_iter().find(|view| view.name() == name);
        let view = view.ok_or_else(|| NameFault::View(name.to_owned()))?;
        let lens = |word: &str| {
            Lens::ALL
                .into_iter()
                .find(|lens| lens.name() == word)
                .ok_or_else(|| NameFault::Lens(word.to_owned()))
        };
        Ok(Self {
            view,
            lenses: words.map(lens).collect::<Result<_, _>>()?,
        })
    }
}

/// What a view shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The nodes, by id; for the onboarding view in reading order.
    pub nodes: Vec<NodeIx>,
    /// The edges, by triple.
    pub edges: Vec<EdgeIx>,
    /// What the view has to say beyond that.
    pub meta: Meta,
    /// What the lenses have to say, in order.
    pub lenses: Vec<lens::Seen>,
}

/// What a view says beyond its nodes and edges.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Meta {
    /// Nothing.
    None {},
    /// How far each milestone is.
    Milestones {
        /// One for each, by id.
        milestones: Vec<Milestone>,
    },
    /// What is implemented.
    Traceability(Traceability),
    /// Chains and circles.
    Blockers(Blockers),
    /// The reading order.
    Onboarding(Onboarding),
    /// Which code is linked.
    Coverage(Coverage),
    /// How far the work is.
    Progress(Progress),
    /// What was decided, and why.
    Decisions(Decisions),
}

/// The default prefixes of the progress view.
pub const SCOPE: [&str; 2] = ["task", "feature"];

/// Looks at a graph. The scope is the progress view's; without one it is [`SCOPE`].
pub fn look(graph: &Graph, named: &Named, scope: &[String]) -> Shown {
    let mut shown = match named.view {
        View::Roadmap => touching(graph, &["milestone", "task"]),
        View::Backlog => touching(graph, &["task"]),
        View::Architecture => inside(graph, &["crate", "module", "pkg"], |kind| kind == EdgeType::DependsOn),
        View::Suggestions => suggestions(graph),
        View::Milestone => plan::milestones(graph),
        View::Traceability => plan::traceability(graph),
        View::Blockers => blockers::blockers(graph),
        View::Onboarding => onboarding::onboarding(graph),
        View::Coverage => plan::coverage(graph),
        View::Progress => plan::progress(graph, scope),
        View::Decisions => decisions::decisions(graph),
    };
    for lens in &named.lenses {
        lens::through(graph, *lens, &mut shown);
    }
    shown
}

/// Whether a node has one of these prefixes.
pub(super) fn is_of(node: Node<'_>, kinds: &[&str]) -> bool {
    kinds.iter().any(|kind| prefix::kind(kind) == node.kind())
}

pub(super) fn shown(nodes: Vec<NodeIx>, edges: Vec<EdgeIx>, meta: Meta) -> Shown {
    Shown {
        nodes,
        edges,
        meta,
        lenses: Vec::new(),
    }
}

/// Nodes of these kinds, and every edge that has one of them as an end.
pub(super) fn touching(graph: &Graph, kinds: &[&str]) -> Shown {
    let nodes = graph.nodes().filter(|node| is_of(*node, kinds)).map(Node::ix).collect();
    let is_shown = |edge: &Edge<'_>| is_of(edge.source(), kinds) || is_of(edge.target(), kinds);
    shown(
        nodes,
        graph.edges().filter(is_shown).map(Edge::ix).collect(),
        Meta::None {},
    )
}

/// Nodes of these kinds, and the edges of some types between them.
pub(super) fn inside(graph: &Graph, kinds: &[&str], is_wanted: impl Fn(EdgeType) -> bool) -> Shown {
    let nodes = graph.nodes().filter(|node| is_of(*node, kinds)).map(Node::ix).collect();
    let is_shown =
        |edge: &Edge<'_>| is_wanted(edge.kind()) && is_of(edge.source(), kinds) && is_of(edge.target(), kinds);
    shown(
        nodes,
        graph.edges().filter(is_shown).map(Edge::ix).collect(),
        Meta::None {},
    )
}

/// Edges that wait for a review, and their ends.
fn suggestions(graph: &Graph) -> Shown {
    let edges: Vec<Edge<'_>> = graph
        .edges()
        .filter(|edge| edge.confidence() <= Confidence::SUGGESTION)
        .collect();
    shown(ends(&edges), edges.into_iter().map(Edge::ix).collect(), Meta::None {})
}

/// The ends of edges, each once, by id.
pub(super) fn ends(edges: &[Edge<'_>]) -> Vec<NodeIx> {
    let mut nodes: Vec<NodeIx> = edges.iter().flat_map(|edge| [edge.ends().0, edge.ends().1]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// So many of so many in hundredths, rounded half up.
pub(super) fn percent(part: usize, whole: usize) -> Option<usize> {
    (whole > 0).then(|| (part * 200 + whole) / (whole * 2))
}

pub(super) fn names(graph: &Graph, nodes: impl IntoIterator<Item = NodeIx>) -> Vec<String> {
    nodes
        .into_iter()
        .map(|node| graph.node_at(node).id().to_owned())
        .collect()
}
