//! The graph as everybody reads it: nodes sorted by id, edges by source, target and type, with the edges of each node both ways.

use std::borrow::Cow;

use super::confidence::Confidence;
use super::edge::EdgeType;
use super::id;
use super::patch::{Property, Tag};
use super::prefix::{self, PrefixClass};
use super::time::Time;
use super::value::Json;
use crate::seam::ObjectId;

/// The place of a node in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeIx(pub u32);

/// The place of an edge in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeIx(pub u32);

/// A graph.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Graph {
    nodes: Vec<NodeRow>,
    edges: Vec<EdgeRow>,
    /// For each node the place of its first edge, and one more at the end.
    outgoing: Vec<u32>,
    incoming: Vec<u32>,
    /// Edges by their target.
    by_target: Vec<EdgeIx>,
    epochs: Vec<Epoch>,
    skipped: Vec<Skipped>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct NodeRow {
    pub(super) id: Box<str>,
    pub(super) properties: Vec<Property>,
    pub(super) tags: Vec<Tag>,
    /// The Lamport time of the newest of them.
    pub(super) written: u64,
    /// Whether it is there because of an epoch.
    pub(super) is_derived: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct EdgeRow {
    pub(super) source: u32,
    pub(super) target: u32,
    pub(super) kind: EdgeType,
    pub(super) confidence: Confidence,
    pub(super) confidence_at: u64,
    pub(super) rationale: Option<Box<str>>,
    pub(super) rationale_at: u64,
    pub(super) reviewed_at: Option<Time>,
    pub(super) reviewed_when: u64,
    pub(super) created_at: Time,
    pub(super) created_when: u64,
    pub(super) tags: Vec<Tag>,
}

/// Which patch belongs to a commit of the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epoch {
    /// The commit.
    pub commit: ObjectId,
    /// The patch: what it and its ancestors say is the graph at that commit.
    pub patch: ObjectId,
    /// The patch's Lamport time.
    pub lamport: u64,
    /// When that was recorded.
    pub recorded_at: Time,
}

/// A patch that counts for nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The patch.
    pub patch: ObjectId,
    /// Why.
    pub why: Box<str>,
}

impl Graph {
    /// Builds a graph of rows in any order; the ends of edges are named by their ids.
    pub(super) fn new(
        mut nodes: Vec<NodeRow>,
        named: Vec<(Box<str>, Box<str>, EdgeRow)>,
        epochs: Vec<Epoch>,
        skipped: Vec<Skipped>,
    ) -> Self {
        nodes.extend(epoch_nodes(&epochs));
        // An edge may name an epoch, and then its node is there twice: what is derived comes first and stays.
        nodes.sort_by(|left, right| {
            left.id
                .cmp(&right.id)
                .then_with(|| right.is_derived.cmp(&left.is_derived))
        });
        nodes.dedup_by(|later, first| {
            let is_same = later.id == first.id;
            if is_same {
                first.tags.append(&mut later.tags);
                first.written = first.written.max(later.written);
            }
            is_same
        });
        let place = |id: &str| {
            nodes
                .binary_search_by(|node| (*node.id).cmp(id))
                .ok()
                .and_then(|at| u32::try_from(at).ok())
        };
        let mut edges: Vec<EdgeRow> = Vec::with_capacity(named.len());
        for (source, target, row) in named {
            if let (Some(source), Some(target)) = (place(&source), place(&target)) {
                edges.push(EdgeRow { source, target, ..row });
            }
        }
        edges.sort_unstable_by_key(|edge| (edge.source, edge.target, edge.kind));
        let mut by_target: Vec<EdgeIx> = (0..edges.len())
            .map(|at| EdgeIx(u32::try_from(at).unwrap_or(u32::MAX)))
            .collect();
        by_target.sort_by_key(|at| edges.get(at.0 as usize).map_or(0, |edge| edge.target));
        let outgoing = starts(nodes.len(), edges.iter().map(|edge| edge.source));
        let targets = by_target
            .iter()
            .filter_map(|at| edges.get(at.0 as usize))
            .map(|edge| edge.target);
        let incoming = starts(nodes.len(), targets);
        Self {
            nodes,
            outgoing,
            incoming,
            by_target,
            edges,
            epochs,
            skipped,
        }
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// All nodes, by id.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        self.nodes.iter().zip(0..).map(|(row, at)| Node { row, ix: NodeIx(at) })
    }

    /// All edges, by source, target and type.
    pub fn edges(&self) -> impl Iterator<Item = Edge<'_>> + Clone {
        (0..).zip(&self.edges).map(|(at, row)| Edge {
            graph: self,
            row,
            ix: EdgeIx(at),
        })
    }

    /// The node with an id.
    pub fn node(&self, id: &str) -> Option<Node<'_>> {
        let at = self.nodes.binary_search_by(|node| (*node.id).cmp(id)).ok()?;
        let row = self.nodes.get(at)?;
        Some(Node {
            row,
            ix: NodeIx(u32::try_from(at).ok()?),
        })
    }

    /// The node at a place of this graph.
    pub fn node_at(&self, ix: NodeIx) -> Node<'_> {
        // Places are given out by this graph alone.
        Node {
            row: &self.nodes[ix.0 as usize],
            ix,
        }
    }

    /// The edge at a place of this graph.
    pub fn edge_at(&self, ix: EdgeIx) -> Edge<'_> {
        Edge {
            graph: self,
            row: &self.edges[ix.0 as usize],
            ix,
        }
    }

    /// The edge with a triple.
    pub fn edge(&self, source: &str, target: &str, kind: EdgeType) -> Option<Edge<'_>> {
        let (source, target) = (self.node(source)?.ix, self.node(target)?.ix);
        let wanted = (source.0, target.0, kind);
        let at = self
            .edges
            .binary_search_by_key(&wanted, |edge| (edge.source, edge.target, edge.kind))
            .ok()?;
        Some(self.edge_at(EdgeIx(u32::try_from(at).ok()?)))
    }

    /// The edges that begin at a node.
    pub fn outgoing(&self, node: NodeIx) -> impl Iterator<Item = Edge<'_>> + Clone {
        let (from, to) = run(&self.outgoing, node);
        (from..to).map(|at| self.edge_at(EdgeIx(at)))
    }

    /// The edges that end at a node.
    pub fn incoming(&self, node: NodeIx) -> impl Iterator<Item = Edge<'_>> + Clone {
        let (from, to) = run(&self.incoming, node);
        let places = self.by_target.get(from as usize..to as usize).unwrap_or_default();
        places.iter().map(|at| self.edge_at(*at))
    }

    /// Whether a node is the end of no edge.
    pub fn is_orphan(&self, node: NodeIx) -> bool {
        self.outgoing(node).next().is_none() && self.incoming(node).next().is_none()
    }

    /// The epochs, by commit.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// The epoch of a commit.
    pub fn epoch(&self, commit: &ObjectId) -> Option<&Epoch> {
        let at = self.epochs.binary_search_by_key(commit, |epoch| epoch.commit).ok()?;
        self.epochs.get(at)
    }

    /// The patches that were skipped, by id.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct Node<'g> {
    row: &'g NodeRow,
    ix: NodeIx,
}

impl<'g> Node<'g> {
    /// Its place.
    pub fn ix(self) -> NodeIx {
        self.ix
    }

    /// Its id.
    pub fn id(self) -> &'g str {
        &self.row.id
    }

    /// Its prefix; that of the inner id if it is another repository's.
    pub fn prefix(self) -> &'g str {
        id::prefix(&self.row.id)
    }

    /// Its prefix as views see it: a phase is a milestone.
    pub fn kind(self) -> &'g str {
        prefix::kind(self.prefix())
    }

    /// What kind of prefix it has.
    pub fn class(self) -> PrefixClass {
        PrefixClass::of(self.prefix())
    }

    /// Its properties by key, each as canonical JSON.
    pub fn properties(self) -> impl ExactSizeIterator<Item = (&'g str, &'g str)> + Clone {
        self.row.properties.iter().map(|(key, value)| (&**key, &**value))
    }

    /// One property, as canonical JSON.
    pub fn property(self, key: &str) -> Option<&'g str> {
        let at = self
            .row
            .properties
            .binary_search_by(|(name, _)| (**name).cmp(key))
            .ok()?;
        self.row.properties.get(at).map(|(_, value)| &**value)
    }

    /// One property, if it is a text.
    pub fn text_property(self, key: &str) -> Option<Cow<'g, str>> {
        let canonical = self.property(key)?;
        let quoted = canonical.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))?;
        match quoted.contains('\\') {
            false => Some(quoted.into()),
            true => match Json::of_canonical(canonical) {
                Json::Text(text) => Some(String::from(text).into()),
                _ => None,
            },
        }
    }

    /// Whether it records a review: `decision:` with seconds and eight digits, and an `action` (clause Amend2).
    pub fn is_record(self) -> bool {
        let identifier = self
            .row
            .id
            .strip_prefix("decision:")
            .and_then(|rest| rest.split_once('-'));
        let has_shape = identifier.is_some_and(|(seconds, digest)| {
            !seconds.is_empty()
                && seconds.bytes().all(|byte| byte.is_ascii_digit())
                && digest.len() == 8
                && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        });
        has_shape && self.property("action").is_some()
    }

    /// Whether the system made it: no user's node, and not exported.
    pub fn is_systems(self) -> bool {
        self.class() == PrefixClass::System || self.is_record()
    }

    /// Whether it is there because of an epoch, and not because somebody put it.
    pub fn is_derived(self) -> bool {
        self.row.is_derived
    }

    /// The Lamport time at which it was last put by name; nought if only edges hold it.
    pub fn written(self) -> u64 {
        self.row.written
    }

    /// Its own live tags.
    pub fn tags(self) -> &'g [Tag] {
        &self.row.tags
    }
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'g> {
    graph: &'g Graph,
    row: &'g EdgeRow,
    ix: EdgeIx,
}

impl<'g> Edge<'g> {
    /// Its place.
    pub fn ix(self) -> EdgeIx {
        self.ix
    }

    /// Where it begins.
    pub fn source(self) -> Node<'g> {
        self.graph.node_at(NodeIx(self.row.source))
    }

    /// Where it ends.
    pub fn target(self) -> Node<'g> {
        self.graph.node_at(NodeIx(self.row.target))
    }

    /// Both places.
    pub fn ends(self) -> (NodeIx, NodeIx) {
        (NodeIx(self.row.source), NodeIx(self.row.target))
    }

    /// Its type.
    pub fn kind(self) -> EdgeType {
        self.row.kind
    }

    /// How sure it is.
    pub fn confidence(self) -> Confidence {
        self.row.confidence
    }

    /// Why it exists.
    pub fn rationale(self) -> Option<&'g str> {
        self.row.rationale.as_deref()
    }

    /// When it was made.
    pub fn created_at(self) -> &'g Time {
        &self.row.created_at
    }

    /// When it was reviewed.
    pub fn reviewed_at(self) -> Option<&'g Time> {
        self.row.reviewed_at.as_ref()
    }

    /// The Lamport time of the last write of its confidence or rationale.
    pub fn written(self) -> u64 {
        self.row
            .confidence_at
            .max(self.row.rationale_at)
            .max(self.row.created_when)
    }

    pub(super) fn row(self) -> &'g EdgeRow {
        self.row
    }

    /// As people read it: `a --[blocks]--> b`.
    pub fn arrow(self) -> String {
        arrow(self.source().id(), self.target().id(), self.kind())
    }
}

/// A triple as people read it.
pub fn arrow(source: &str, target: &str, kind: EdgeType) -> String {
    format!("{source} --[{kind}]--> {target}")
}

/// The id of an epoch's node: the first twelve digits of the commit.
fn epoch_id(epoch: &Epoch) -> Box<str> {
    let digits: String = epoch.commit.to_hex().chars().take(12).collect();
    format!("epoch:{digits}").into()
}

/// The nodes of epochs, which are sorted by commit; of those that share their first digits the newest.
fn epoch_nodes(epochs: &[Epoch]) -> Vec<NodeRow> {
    let shares = |left: &Epoch, right: &Epoch| left.commit.as_bytes().get(..6) == right.commit.as_bytes().get(..6);
    let groups = epochs.chunk_by(shares);
    let newest = groups.filter_map(|group| group.iter().max_by_key(|epoch| (epoch.lamport, epoch.patch)));
    newest.map(epoch_node).collect()
}

fn epoch_node(epoch: &Epoch) -> NodeRow {
    let text = |text: &str| Json::Text(text.into()).canonical().into();
    NodeRow {
        id: epoch_id(epoch),
        properties: vec![
            ("fullSha".into(), text(&epoch.commit.to_hex())),
            ("recordedAt".into(), text(epoch.recorded_at.as_str())),
            ("tick".into(), epoch.lamport.to_string().into()),
        ],
        tags: Vec::new(),
        written: epoch.lamport,
        is_derived: true,
    }
}

/// Where the run of each number begins in a sorted list, and one more at the end.
fn starts(count: usize, numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0_u32; count + 1];
    for number in numbers {
        if let Some(start) = starts.get_mut(number as usize + 1) {
            *start += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

fn run(starts: &[u32], node: NodeIx) -> (u32, u32) {
    let at = node.0 as usize;
    let from = starts.get(at).copied().unwrap_or(0);
    (from, starts.get(at + 1).copied().unwrap_or(from))
}
