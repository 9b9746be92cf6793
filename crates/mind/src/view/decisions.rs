//! The decisions view: what was decided, why, what it concerns, and which decision replaces which.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::Serialize;

use super::views::{Meta, Shown, is_of, shown};
use crate::edge::EdgeType;
use crate::edge_line::EdgeLine;
use crate::graph::{Edge, Graph, Node, NodeIx};
use crate::value::Json;

/// Prefixes of decisions.
const KINDS: &[&str] = &["decision", "adr"];
/// Properties that hold a part of a decision, the usual name first.
const TITLE: &[&str] = &["title", "name", "summary"];
const RATIONALE: &[&str] = &["rationale", "why", "reason", "context"];
const DATE: &[&str] = &["date", "decidedAt", "decided_at", "decided", "timestamp"];
const AUTHOR: &[&str] = &[
    "author",
    "authors",
    "decidedBy",
    "decided_by",
    "decider",
    "deciders",
    "reviewer",
    "owner",
];
const SUPERSEDES: &[&str] = &["supersedes", "replaces"];
const SUPERSEDED_BY: &[&str] = &[
    "supersededBy",
    "superseded_by",
    "superseded-by",
    "replacedBy",
    "replaced_by",
];

/// Decisions, and the records of reviewed edges
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Decisions {
    /// The nodes with the prefix decision or adr that people made
    pub decisions: Vec<DecisionLine>,
    /// The records of reviewed edges
    pub reviews: Vec<ReviewLine>,
}

/// A decision
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionLine {
    /// Its id.
    pub id: String,
    /// Its title, from a property
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub title: Option<String>,
    /// Its property `status`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Why it was made, from a property
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub rationale: Option<String>,
    /// When it was made, from a property
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// When the first edge of the decision was created
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linked_at: Option<String>,
    /// Who made it: from a property, else the persons that it is linked to
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// The decisions that it replaces
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<String>,
    /// The decisions that replace it
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub superseded_by: Vec<String>,
    /// The edges that start at the decision
    pub touches: Vec<EdgeLine>,
    /// The edges that lead to the decision
    pub touched_by: Vec<EdgeLine>,
}

/// The record of a reviewed edge
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewLine {
    /// Its id.
    pub id: String,
    /// accept, reject or adjust
    pub action: String,
    /// The source node of the edge
    pub source: String,
    /// The target node of the edge
    pub target: String,
    /// The type of the edge at that time
    pub edge_type: String,
    /// The rationale of the edge
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-agents" = "untrusted"))]
    pub rationale: Option<String>,
    /// When it was reviewed
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Who reviewed it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

pub(super) fn decisions(graph: &Graph) -> Shown {
    let nodes: Vec<Node<'_>> = graph.nodes().filter(|node| is_of(*node, KINDS)).collect();
    let made: Vec<Node<'_>> = nodes.iter().copied().filter(|node| !node.is_record()).collect();
    let mut lines: BTreeMap<NodeIx, DecisionLine> = made.iter().map(|node| (node.ix(), line(*node))).collect();
    let mut edges = Vec::new();
    for edge in graph.edges() {
        let (source, target) = edge.ends();
        if let Some(line) = lines.get_mut(&source) {
            line.touches.push(edge.into());
            linked(line, edge, edge.target());
        }
        if let Some(line) = lines.get_mut(&target) {
            line.touched_by.push(edge.into());
            linked(line, edge, edge.source());
        }
        if lines.contains_key(&source) || lines.contains_key(&target) {
            edges.push(edge.ix());
        }
    }
    mutual(&mut lines);
    let reviews = nodes.iter().filter(|node| node.is_record()).map(|node| review(*node));
    let meta = Meta::Decisions(Decisions {
        reviews: reviews.collect(),
        decisions: lines.into_values().collect(),
    });
    shown(made.iter().map(|node| node.ix()).collect(), edges, meta)
}

fn line(node: Node<'_>) -> DecisionLine {
    DecisionLine {
        id: node.id().to_owned(),
        title: first(node, TITLE),
        status: first(node, &["status"]),
        rationale: first(node, RATIONALE),
        date: first(node, DATE),
        linked_at: None,
        authors: all(node, AUTHOR),
        supersedes: all(node, SUPERSEDES),
        superseded_by: all(node, SUPERSEDED_BY),
        touches: Vec::new(),
        touched_by: Vec::new(),
    }
}

/// Takes what an edge says about its decision beyond the edge itself.
fn linked(line: &mut DecisionLine, edge: Edge<'_>, other: Node<'_>) {
    let created = edge.created_at();
    if line.linked_at.as_deref().is_none_or(|first| created < first) {
        line.linked_at = Some(created.to_owned());
    }
    let is_person = other.kind() == "person" && matches!(edge.kind(), EdgeType::BelongsTo | EdgeType::RelatesTo);
    if is_person && !line.authors.iter().any(|author| author == other.id()) {
        line.authors.push(other.id().to_owned());
    }
}

/// Completes replacements from the other side: one of two decisions may say it.
fn mutual(lines: &mut BTreeMap<NodeIx, DecisionLine>) {
    let places: HashMap<String, NodeIx> = lines.iter().map(|(ix, line)| (line.id.clone(), *ix)).collect();
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    for line in lines.values() {
        pairs.extend(line.supersedes.iter().map(|old| (line.id.clone(), old.clone())));
        pairs.extend(line.superseded_by.iter().map(|new| (new.clone(), line.id.clone())));
    }
    for line in lines.values_mut() {
        line.supersedes.clear();
        line.superseded_by.clear();
    }
    for (new, old) in pairs {
        if let Some(line) = places.get(&new).and_then(|ix| lines.get_mut(ix)) {
            line.supersedes.push(old.clone());
        }
        if let Some(line) = places.get(&old).and_then(|ix| lines.get_mut(ix)) {
            line.superseded_by.push(new);
        }
    }
}

fn review(node: Node<'_>) -> ReviewLine {
    let text = |key: &str| first(node, &[key]);
    ReviewLine {
        id: node.id().to_owned(),
        action: text("action").unwrap_or_default(),
        source: text("source").unwrap_or_default(),
        target: text("target").unwrap_or_default(),
        edge_type: text("edgeType").unwrap_or_default(),
        rationale: text("rationale"),
        date: text("timestamp"),
        author: text("reviewer"),
    }
}

/// The first of some properties that is a text or a number.
fn first(node: Node<'_>, keys: &[&str]) -> Option<String> {
    all(node, keys).into_iter().next()
}

/// The texts of the first of some properties that has any: a text, a number or a list of these.
fn all(node: Node<'_>, keys: &[&str]) -> Vec<String> {
    let texts = |key: &&str| -> Option<Vec<String>> {
        let texts = match Json::of_canonical(node.property(key)?) {
            Json::List(items) => items.iter().filter_map(text).collect(),
            one => text(&one).into_iter().collect(),
        };
        Some(texts).filter(|texts: &Vec<String>| !texts.is_empty())
    };
    keys.iter().find_map(texts).unwrap_or_default()
}

/// A value on one line.
fn text(value: &Json) -> Option<String> {
    let (Json::Text(text) | Json::Number(text)) = value else {
        return None;
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}
