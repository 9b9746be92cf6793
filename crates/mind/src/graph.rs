//! The graph as everybody reads it: nodes sorted by id, edges by source, target and type, with the edges of each node both ways.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::confidence::Confidence;
use super::edge::EdgeType;
use super::id;
use super::patch::Tag;
use super::prefix::{self, PrefixClass};
use super::record::{self, In, NodeRecord, Out, Properties, Stamp};
use super::time::Time;
use super::value::Json;
use lore_seam::ObjectId;

/// The place of a node in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeIx(pub u32);

/// The place of an edge in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeIx(pub u32);

#[derive(Clone, Default)]
pub struct Graph {
    pub(super) records: Records,
    /// By id.
    pub(super) nodes: Vec<NodeRow>,
    /// Nodes that are gone but of which something is remembered: their records, by id.
    pub(super) gone: Vec<u32>,
    /// By source, target and type.
    pub(super) edges: Vec<EdgeRow>,
    /// For each node the place of its first edge, and one more at the end.
    outgoing: Vec<u32>,
    incoming: Vec<u32>,
    by_target: Vec<EdgeIx>,
    /// The patches that were read, by number, with their Lamport times.
    patches: Vec<(ObjectId, u64)>,
    epochs: Vec<Epoch>,
    skipped: Vec<Skipped>,
}

/// The number that means "no record".
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeRow {
    /// What patches say of it, if they say anything.
    pub(super) record: u32,
    /// What an epoch says of it, if it is there because of one.
    pub(super) derived: u32,
}

impl NodeRow {
    fn shown(self) -> u32 {
        match self.derived {
            NONE => self.record,
            derived => derived,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EdgeRow {
    pub(super) source: u32,
    pub(super) target: u32,
    pub(super) kind: EdgeType,
    pub(super) record: u32,
}

impl EdgeRow {
    pub(super) fn key(self) -> (u32, u32, EdgeType) {
        (self.source, self.target, self.kind)
    }
}

/// Bytes that outlive the graph.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The records of a graph: those of a snapshot, and those that came after it. Each begins with its length.
#[derive(Clone, Default)]
pub(super) struct Records {
    base: Option<(SharedBytes, Range<usize>)>,
    after: Vec<u8>,
}

impl Records {
    /// The records in a part of a snapshot.
    pub(super) fn of_snapshot(bytes: SharedBytes, range: Range<usize>) -> Self {
        Self {
            base: Some((bytes, range)),
            after: Vec::new(),
        }
    }

    fn base(&self) -> &[u8] {
        match &self.base {
            Some((bytes, range)) => (**bytes).as_ref().get(range.clone()).unwrap_or_default(),
            None => &[],
        }
    }

    /// The record at a place.
    pub(super) fn at(&self, offset: u32) -> &[u8] {
        let base = self.base();
        let offset = offset as usize;
        let bytes = match offset.checked_sub(base.len()) {
            None => base.get(offset..),
            Some(offset) => self.after.get(offset..),
        };
        let mut input = In(bytes.unwrap_or_default());
        input.count().and_then(|count| input.take(count)).unwrap_or_default()
    }

    /// Adds a record; its place.
    pub(super) fn push(&mut self, scratch: &mut Out, write: impl FnOnce(&mut Out)) -> u32 {
        scratch.0.clear();
        write(scratch);
        self.push_bytes(&scratch.0)
    }

    /// Adds a record as it is.
    pub(super) fn push_bytes(&mut self, record: &[u8]) -> u32 {
        let at = u32::try_from(self.base().len() + self.after.len()).unwrap_or(NONE);
        let mut out = Out(std::mem::take(&mut self.after));
        out.number(record.len() as u64);
        out.0.extend_from_slice(record);
        self.after = out.0;
        at
    }

    /// The bytes of records that stand on no snapshot.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.after
    }
}

/// Which patch belongs to a commit of the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epoch {
    pub commit: ObjectId,
    /// The patch: what it and its ancestors say is the graph at that commit.
    pub patch: ObjectId,
    /// The patch's Lamport time
    pub lamport: u64,
    /// When that was recorded.
    pub recorded_at: Time,
}

/// A patch that counts for nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    pub patch: ObjectId,
    pub why: Box<str>,
}

/// What a graph is built of: rows in their order.
pub(super) struct Parts {
    pub(super) records: Records,
    pub(super) nodes: Vec<NodeRow>,
    pub(super) gone: Vec<u32>,
    pub(super) edges: Vec<EdgeRow>,
    pub(super) patches: Vec<(ObjectId, u64)>,
    pub(super) epochs: Vec<Epoch>,
    pub(super) skipped: Vec<Skipped>,
}

impl Graph {
    pub(super) fn new(parts: Parts) -> Self {
        let count = parts.nodes.len();
        let outgoing = starts(count, parts.edges.iter().map(|edge| edge.source));
        let incoming = starts(count, parts.edges.iter().map(|edge| edge.target));
        let mut next = incoming.clone();
        let mut by_target = vec![EdgeIx(0); parts.edges.len()];
        for (at, edge) in (0..).zip(&parts.edges) {
            if let Some(place) = next.get_mut(edge.target as usize)
                && let Some(slot) = by_target.get_mut(*place as usize)
            {
                *slot = EdgeIx(at);
                *place += 1;
            }
        }
        Self {
            records: parts.records,
            nodes: parts.nodes,
            gone: parts.gone,
            edges: parts.edges,
            outgoing,
            incoming,
            by_target,
            patches: parts.patches,
            epochs: parts.epochs,
            skipped: parts.skipped,
        }
    }

    /// The place of a node, or the place where it would be.
    pub(super) fn place(&self, id: &str) -> Result<usize, usize> {
        self.nodes
            .binary_search_by(|row| NodeRecord::read(self.records.at(row.shown())).id.cmp(id))
    }

    /// The place of a node among those that are gone, or the place where it would be.
    pub(super) fn gone_place(&self, id: &str) -> Result<usize, usize> {
        self.gone
            .binary_search_by(|record| NodeRecord::read(self.records.at(*record)).id.cmp(id))
    }

    fn tag(&self, stamp: Stamp) -> Option<Tag> {
        let (patch, _) = self.patches.get(stamp.patch as usize)?;
        Some(Tag {
            patch: *patch,
            operation: stamp.operation,
        })
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// All nodes, by id.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        (0..).zip(&self.nodes).map(|(at, row)| self.shown(NodeIx(at), *row))
    }

    /// All edges, by source, target and type.
    pub fn edges(&self) -> impl Iterator<Item = Edge<'_>> + Clone {
        (0..).zip(&self.edges).map(|(at, row)| Edge {
            graph: self,
            row: *row,
            ix: EdgeIx(at),
        })
    }

    fn shown(&self, ix: NodeIx, row: NodeRow) -> Node<'_> {
        Node {
            graph: self,
            row,
            record: NodeRecord::read(self.records.at(row.shown())),
            ix,
        }
    }

    pub fn node(&self, id: &str) -> Option<Node<'_>> {
        let at = self.place(id).ok()?;
        Some(self.node_at(NodeIx(u32::try_from(at).ok()?)))
    }

    /// The node at a place of this graph.
    pub fn node_at(&self, ix: NodeIx) -> Node<'_> {
        // Places are given out by this graph alone.
        self.shown(ix, self.nodes[ix.0 as usize])
    }

    /// The edge at a place of this graph.
    pub fn edge_at(&self, ix: EdgeIx) -> Edge<'_> {
        Edge {
            graph: self,
            row: self.edges[ix.0 as usize],
            ix,
        }
    }

    /// The edge with a triple.
    pub fn edge(&self, source: &str, target: &str, kind: EdgeType) -> Option<Edge<'_>> {
        let (source, target) = (self.node(source)?.ix, self.node(target)?.ix);
        let wanted = (source.0, target.0, kind);
        let at = self.edges.binary_search_by_key(&wanted, |edge| edge.key()).ok()?;
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

    pub fn epoch(&self, commit: &ObjectId) -> Option<&Epoch> {
        let at = self.epochs.binary_search_by_key(commit, |epoch| epoch.commit).ok()?;
        self.epochs.get(at)
    }

    /// The patches that were skipped, by id.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }
}

/// Graphs are equal if one sees no difference, whatever they were read from.
impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        let same_nodes = self.nodes().zip(other.nodes()).all(|(left, right)| {
            (left.id(), left.tags(), left.is_derived()) == (right.id(), right.tags(), right.is_derived())
                && left.properties().eq(right.properties())
        });
        let same_edges = self.edges().zip(other.edges()).all(|(left, right)| {
            (left.row.key(), left.merged(), left.tags()) == (right.row.key(), right.merged(), right.tags())
        });
        (self.nodes.len(), self.edges.len()) == (other.nodes.len(), other.edges.len())
            && same_nodes
            && same_edges
            && self.epochs == other.epochs
            && self.skipped == other.skipped
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes().map(|node| node.id().to_owned());
        formatter
            .debug_list()
            .entries(nodes)
            .entries(self.edges().map(Edge::arrow))
            .finish()
    }
}

#[derive(Clone, Copy)]
pub struct Node<'g> {
    graph: &'g Graph,
    row: NodeRow,
    record: NodeRecord<'g>,
    ix: NodeIx,
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id())
    }
}

impl<'g> Node<'g> {
    /// Its place.
    pub fn ix(self) -> NodeIx {
        self.ix
    }

    pub fn id(self) -> &'g str {
        self.record.id
    }

    /// Its prefix; for a node of another repository, the prefix of the inner id.
    pub fn prefix(self) -> &'g str {
        id::prefix(self.id())
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
        let properties = self.record.properties();
        Set {
            left: properties.set,
            properties,
        }
    }

    /// One property, as canonical JSON.
    pub fn property(self, key: &str) -> Option<&'g str> {
        let (_, _, value) = self.record.properties().find(|(name, _, _)| *name == key)?;
        value
    }

    pub fn text_property(self, key: &str) -> Option<Cow<'g, str>> {
        let canonical = self.property(key)?;
        let quoted = canonical.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))?;
        if !quoted.contains('\\') {
            Some(quoted.into())
        } else {
            match Json::of_canonical(canonical) {
                Json::Text(text) => Some(String::from(text).into()),
                _ => None,
            }
        }
    }

    /// Whether it records a review: `decision:` with seconds and eight digits, and an `action` (clause Amend2).
    pub fn is_record(self) -> bool {
        let identifier = self
            .id()
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

    /// Whether the node exists only because of an epoch.
    pub fn is_derived(self) -> bool {
        self.row.derived != NONE
    }

    /// The Lamport time at which the node was last put by name; 0 if only edges or an epoch imply it.
    pub fn written(self) -> u64 {
        let record = NodeRecord::read(self.graph.records.at(self.row.record));
        let patches = record
            .tags()
            .filter_map(|stamp| self.graph.patches.get(stamp.patch as usize));
        patches.map(|(_, lamport)| *lamport).max().unwrap_or(0)
    }

    /// Its own live tags, in order.
    pub fn tags(self) -> Vec<Tag> {
        let record = NodeRecord::read(self.graph.records.at(self.row.record));
        let mut tags: Vec<Tag> = record.tags().filter_map(|stamp| self.graph.tag(stamp)).collect();
        tags.sort_unstable();
        tags
    }
}

/// The properties that have a value.
#[derive(Clone)]
struct Set<'g> {
    properties: Properties<'g>,
    left: usize,
}

impl<'g> Iterator for Set<'g> {
    type Item = (&'g str, &'g str);

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.properties.find_map(|(key, _, value)| Some((key, value?)))?;
        self.left = self.left.saturating_sub(1);
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Set<'_> {}

/// What all live tags of an edge say together: of each field the newest write, of the times of creation the oldest. Lamport times are those of the writes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Merged<'g> {
    pub(super) confidence: Confidence,
    pub(super) confidence_at: u64,
    pub(super) rationale: Option<&'g str>,
    pub(super) rationale_at: u64,
    pub(super) reviewed_at: Option<&'g str>,
    pub(super) reviewed_when: u64,
    pub(super) created_at: &'g str,
    pub(super) created_when: u64,
}

#[derive(Clone, Copy)]
pub struct Edge<'g> {
    graph: &'g Graph,
    row: EdgeRow,
    ix: EdgeIx,
}

impl fmt::Debug for Edge<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.arrow())
    }
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

    pub fn kind(self) -> EdgeType {
        self.row.kind
    }

    /// How sure it is.
    pub fn confidence(self) -> Confidence {
        self.merged().confidence
    }

    /// Why it exists.
    pub fn rationale(self) -> Option<&'g str> {
        self.merged().rationale
    }

    /// When it was made.
    pub fn created_at(self) -> &'g str {
        self.merged().created_at
    }

    /// When it was reviewed.
    pub fn reviewed_at(self) -> Option<&'g str> {
        self.merged().reviewed_at
    }

    /// The Lamport time of the last write of its confidence or rationale.
    pub fn written(self) -> u64 {
        let merged = self.merged();
        merged.confidence_at.max(merged.rationale_at).max(merged.created_when)
    }

    /// Its live tags, in order.
    pub fn tags(self) -> Vec<Tag> {
        let live = record::live(self.graph.records.at(self.row.record));
        let mut tags: Vec<Tag> = live.filter_map(|(stamp, _)| self.graph.tag(stamp)).collect();
        tags.sort_unstable();
        tags
    }

    pub(super) fn merged(self) -> Merged<'g> {
        let mut live = record::live(self.graph.records.at(self.row.record)).map(|(stamp, fields)| {
            let (patch, lamport) = match self.graph.patches.get(stamp.patch as usize) {
                Some((patch, lamport)) => (Some(patch), *lamport),
                None => (None, 0),
            };
            let at = move |written: Option<u64>| (written.unwrap_or(lamport), patch, stamp.operation);
            let (confidence, confidence_at) = (fields.confidence.0, at(fields.confidence.1));
            let rationale = fields.rationale.map(|(text, written)| (at(written), text));
            let reviewed = fields.reviewed_at.map(|(text, written)| (at(written), text));
            let (text, written) = fields.created_at;
            (
                (confidence_at, confidence),
                rationale,
                reviewed,
                (written.unwrap_or(lamport), text, patch),
            )
        });
        let first = live.next();
        let (confidence, rationale, reviewed, created) = live.fold(
            first.unwrap_or((
                (Default::default(), Confidence::DEFAULT),
                None,
                None,
                Default::default(),
            )),
            |held, next| {
                let newer = |left: Option<_>, right: Option<_>| match (left, right) {
                    (Some((held, _)), Some((next, text))) if next > held => Some((next, text)),
                    (None, right) => right,
                    (left, _) => left,
                };
                (
                    if next.0.0 > held.0.0 { next.0 } else { held.0 },
                    newer(held.1, next.1),
                    newer(held.2, next.2),
                    held.3.min(next.3),
                )
            },
        );
        Merged {
            confidence: confidence.1,
            confidence_at: confidence.0.0,
            rationale: rationale.and_then(|(_, text)| text),
            rationale_at: rationale.map_or(0, |((at, _, _), _)| at),
            reviewed_at: reviewed.and_then(|(_, text)| text),
            reviewed_when: reviewed.map_or(0, |((at, _, _), _)| at),
            created_at: created.1,
            created_when: created.0,
        }
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
pub(super) fn epoch_id(commit: &ObjectId) -> String {
    let digits: String = commit.to_hex().chars().take(12).collect();
    format!("epoch:{digits}")
}

/// Of epochs that share an id, which are sorted by commit, the newest.
pub(super) fn epoch_shown<'e>(epochs: &'e [Epoch], commit: &ObjectId) -> Option<&'e Epoch> {
    let head = |commit: &ObjectId| -> [u8; 6] {
        let mut head = [0; 6];
        head.iter_mut()
            .zip(commit.as_bytes())
            .for_each(|(to, from)| *to = *from);
        head
    };
    let wanted = head(commit);
    let from = epochs.partition_point(|epoch| head(&epoch.commit) < wanted);
    let sharing = epochs
        .iter()
        .skip(from)
        .take_while(|epoch| head(&epoch.commit) == wanted);
    sharing.max_by_key(|epoch| (epoch.lamport, epoch.patch))
}

/// The record of an epoch's node.
pub(super) fn push_epoch(epoch: &Epoch, out: &mut Out) {
    let text = |text: &str| Json::Text(text.into()).canonical();
    let (sha, at) = (text(&epoch.commit.to_hex()), text(epoch.recorded_at.as_str()));
    let tick = epoch.lamport.to_string();
    let properties = [("fullSha", &sha), ("recordedAt", &at), ("tick", &tick)];
    let properties = properties
        .iter()
        .map(|(key, value)| (*key, Stamp::default(), Some(value.as_str())));
    out.node(&epoch_id(&epoch.commit), &[], properties);
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
