//! The state of a fold as bytes, and back: the same state gives the same bytes, and damage is noticed (clauses Store12, Store14).

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use lore_model::{SectionError, SectionReader, SectionWriter};

use super::super::confidence::Confidence;
use super::super::edge::EdgeType;
use super::super::id::NodeId;
use super::super::patch::{EdgeFields, Tag, Written};
use super::super::time::Time;
use super::{Covered, Fold, LiveEdge, NodeState, Owner, Stamp};
use crate::seam::ObjectId;

const MAGIC: u32 = u32::from_le_bytes(*b"LMND");
/// Goes up with the layout and with every change of the rules of the fold.
const VERSION: u32 = 1;
const STATE: u32 = 1;

/// Why bytes are no snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SnapshotFault {
    /// The container is damaged, foreign or of another version.
    Container(SectionError),
    /// The state in it makes no sense.
    State,
}

impl fmt::Display for SnapshotFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(error) => error.fmt(formatter),
            Self::State => formatter.write_str("its content makes no sense"),
        }
    }
}

impl std::error::Error for SnapshotFault {}

impl Fold {
    /// The state as bytes. What waits for [`Fold::finish`] is not part of it.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut out = Out(Vec::new());
        let mut patches: Vec<u32> = (0..).take(self.patches.len()).collect();
        patches.sort_unstable_by_key(|number| self.patch_id(*number));
        let mut ranks = vec![0; patches.len()];
        for (rank, number) in (0_u64..).zip(&patches) {
            ranks[*number as usize] = rank;
        }
        out.number(patches.len() as u64);
        for covered in patches.iter().map(|number| &self.patches[*number as usize]) {
            out.id(&covered.id);
            out.number(covered.lamport);
            out.maybe_text(covered.skipped.as_deref());
            out.number(u64::from(covered.has_child));
            out.text(&covered.writer);
            out.maybe(covered.head.as_ref(), Out::id);
        }
        let stamp = |out: &mut Out, stamp: &Stamp| {
            out.number(ranks[stamp.patch as usize]);
            out.number(u64::from(stamp.operation));
        };
        self.push_nodes(&mut out, &stamp);
        self.push_edges(&mut out, &stamp);
        let mut awaited: Vec<(AwaitedKey<'_>, Tag)> = (self.awaited.iter())
            .map(|(owner, tag)| (self.key(*owner), *tag))
            .collect();
        awaited.sort_unstable();
        out.number(awaited.len() as u64);
        for ((source, target), tag) in awaited {
            out.text(source);
            out.maybe(target.as_ref(), |out, (target, kind)| {
                out.text(target);
                out.text(kind.name());
            });
            out.id(&tag.patch);
            out.number(u64::from(tag.operation));
        }
        let mut epochs: Vec<&ObjectId> = self.epochs.keys().collect();
        epochs.sort_unstable();
        out.number(epochs.len() as u64);
        for commit in epochs {
            out.id(commit);
            if let Some((at, time)) = self.epochs.get(commit) {
                stamp(&mut out, at);
                out.text(time.as_str());
            }
        }
        let mut missing: Vec<&ObjectId> = self.missing.iter().collect();
        missing.sort_unstable();
        out.number(missing.len() as u64);
        missing.into_iter().for_each(|id| out.id(id));
        let mut writer = SectionWriter::new(MAGIC, VERSION);
        writer.section(STATE, &out.0);
        writer.finish()
    }

    fn push_nodes(&self, out: &mut Out, stamp: &impl Fn(&mut Out, &Stamp)) {
        // A node that nothing is known of but its name, since an edge that is gone had it as an end, is not written.
        let known = self
            .nodes
            .iter()
            .filter(|node| !(node.tags.is_empty() && node.properties.is_empty()));
        let mut nodes: Vec<&NodeState> = known.collect();
        nodes.sort_unstable_by(|left, right| left.id.cmp(&right.id));
        out.number(nodes.len() as u64);
        for node in nodes {
            out.text(&node.id);
            self.push_stamps(out, node.tags.clone(), stamp);
            out.number(node.properties.len() as u64);
            for (key, (at, value)) in &node.properties {
                out.text(key);
                stamp(out, at);
                out.maybe_text(value.as_deref());
            }
        }
    }

    fn push_stamps(&self, out: &mut Out, mut stamps: Vec<Stamp>, stamp: &impl Fn(&mut Out, &Stamp)) {
        stamps.sort_unstable_by_key(|stamp| (self.patch_id(stamp.patch), stamp.operation));
        out.number(stamps.len() as u64);
        stamps.iter().for_each(|at| stamp(out, at));
    }

    fn push_edges(&self, out: &mut Out, stamp: &impl Fn(&mut Out, &Stamp)) {
        let name = |number: u32| self.nodes.get(number as usize).map_or("", |node| &*node.id);
        let mut edges: Vec<(&str, &str, EdgeType, &Vec<LiveEdge>)> = (self.edges.iter())
            .map(|((source, target, kind), live)| (name(*source), name(*target), *kind, live))
            .collect();
        edges.sort_unstable_by_key(|(source, target, kind, _)| (*source, *target, *kind));
        out.number(edges.len() as u64);
        for (source, target, kind, live) in edges {
            out.text(source);
            out.text(target);
            out.text(kind.name());
            let mut live: Vec<&LiveEdge> = live.iter().collect();
            live.sort_unstable_by_key(|edge| (self.patch_id(edge.stamp.patch), edge.stamp.operation));
            out.number(live.len() as u64);
            for edge in live {
                stamp(out, &edge.stamp);
                out.fields(&edge.fields);
            }
        }
    }

    fn key(&self, owner: Owner) -> AwaitedKey<'_> {
        let name = |number: u32| self.nodes.get(number as usize).map_or("", |node| &*node.id);
        match owner {
            Owner::Node(node) => (name(node), None),
            Owner::Edge((source, target, kind)) => (name(source), Some((name(target), kind))),
        }
    }

    /// The fold that a snapshot was made of.
    pub fn open(bytes: &[u8]) -> Result<Self, SnapshotFault> {
        let reader = SectionReader::open(bytes, MAGIC, VERSION).map_err(SnapshotFault::Container)?;
        reader.verify(bytes).map_err(SnapshotFault::Container)?;
        let range = reader.range(STATE).map_err(SnapshotFault::Container)?;
        let mut input = In(bytes.get(range).unwrap_or_default());
        read(&mut input)
            .filter(|_| input.0.is_empty())
            .ok_or(SnapshotFault::State)
    }
}

/// A node, or an edge by its source, target and type.
type AwaitedKey<'f> = (&'f str, Option<(&'f str, EdgeType)>);

fn read(input: &mut In<'_>) -> Option<Fold> {
    let mut fold = Fold::empty();
    for _ in 0..input.count()? {
        let id = input.id()?;
        let covered = Covered {
            id,
            lamport: input.number()?,
            skipped: input.maybe(In::text)?.map(Into::into),
            has_child: input.number()? != 0,
            writer: input.text()?.into(),
            head: input.maybe(In::id)?,
        };
        let number = u32::try_from(fold.patches.len()).ok()?;
        fold.by_patch.insert(id, number);
        fold.patches.push(covered);
    }
    let patches = u32::try_from(fold.patches.len()).ok()?;
    let nodes = input.count()?;
    fold.by_node = HashMap::with_capacity(nodes);
    for _ in 0..nodes {
        let id = NodeId::parse(input.text()?).ok()?;
        let number = fold.node_number(id.as_str());
        let mut tags = Vec::new();
        for _ in 0..input.count()? {
            tags.push(input.stamp(patches)?);
        }
        let mut properties = BTreeMap::new();
        for _ in 0..input.count()? {
            let key = input.text()?.into();
            let stamp = input.stamp(patches)?;
            properties.insert(key, (stamp, input.maybe(In::text)?.map(Into::into)));
        }
        let state = fold.nodes.get_mut(number as usize)?;
        (state.tags, state.properties) = (tags, properties);
    }
    let edges = input.count()?;
    fold.edges = HashMap::with_capacity(edges);
    for _ in 0..edges {
        let (source, target) = (NodeId::parse(input.text()?).ok()?, NodeId::parse(input.text()?).ok()?);
        let kind = EdgeType::from_name(input.text()?)?;
        let key = fold.edge_key(source.as_str(), target.as_str(), kind);
        let mut live = Vec::new();
        for _ in 0..input.count()? {
            let stamp = input.stamp(patches)?;
            live.push(LiveEdge {
                stamp,
                fields: input.fields()?,
            });
        }
        fold.edges.insert(key, live);
    }
    for _ in 0..input.count()? {
        let source = NodeId::parse(input.text()?).ok()?;
        let edge = input.maybe(|input| {
            let target = NodeId::parse(input.text()?).ok()?;
            Some((target, EdgeType::from_name(input.text()?)?))
        })?;
        let owner = match edge {
            None => Owner::Node(fold.node_number(source.as_str())),
            Some((target, kind)) => Owner::Edge(fold.edge_key(source.as_str(), target.as_str(), kind)),
        };
        let patch = input.id()?;
        let operation = u32::try_from(input.number()?).ok()?;
        fold.awaited.insert((owner, Tag { patch, operation }));
    }
    for _ in 0..input.count()? {
        let commit = input.id()?;
        let stamp = input.stamp(patches)?;
        fold.epochs.insert(commit, (stamp, Time::parse(input.text()?)?));
    }
    for _ in 0..input.count()? {
        let id = input.id()?;
        fold.missing.insert(id);
    }
    Some(fold)
}

struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn id(&mut self, id: &ObjectId) {
        self.number(id.as_bytes().len() as u64);
        self.0.extend_from_slice(id.as_bytes());
    }

    fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.number(u64::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    fn maybe_text(&mut self, text: Option<&str>) {
        self.maybe(text, Self::text);
    }

    fn fields(&mut self, fields: &EdgeFields) {
        self.0.extend_from_slice(&fields.confidence.value.get().to_le_bytes());
        self.number(fields.confidence.lamport.unwrap_or(0));
        self.maybe(fields.rationale.as_ref(), |out, field| {
            out.maybe_text(field.value.as_deref());
            out.number(field.lamport.unwrap_or(0));
        });
        self.maybe(fields.reviewed_at.as_ref(), |out, field| {
            out.maybe_text(field.value.as_ref().map(Time::as_str));
            out.number(field.lamport.unwrap_or(0));
        });
        self.text(fields.created_at.value.as_str());
        self.number(fields.created_at.lamport.unwrap_or(0));
    }
}

struct In<'a>(&'a [u8]);

impl<'a> In<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// How many of something follow: never more than there are bytes.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    fn text(&mut self) -> Option<&'a str> {
        let count = self.count()?;
        std::str::from_utf8(self.take(count)?).ok()
    }

    fn id(&mut self) -> Option<ObjectId> {
        let count = self.count()?;
        ObjectId::new(self.take(count)?)
    }

    fn maybe<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.number()? {
            0 => Some(None),
            _ => read(self).map(Some),
        }
    }

    fn stamp(&mut self, patches: u32) -> Option<Stamp> {
        let patch = u32::try_from(self.number()?).ok().filter(|patch| *patch < patches)?;
        let operation = u32::try_from(self.number()?).ok()?;
        Some(Stamp { patch, operation })
    }

    fn lamport(&mut self) -> Option<Option<u64>> {
        self.number().map(|lamport| (lamport > 0).then_some(lamport))
    }

    fn fields(&mut self) -> Option<EdgeFields> {
        let number = f64::from_le_bytes(self.take(8)?.try_into().ok()?);
        let confidence = Written {
            value: Confidence::new(number).ok()?,
            lamport: self.lamport()?,
        };
        let rationale = self.maybe(|input| {
            let value = input.maybe(In::text)?.map(Into::into);
            let lamport = input.lamport()?;
            Some(Written { value, lamport })
        })?;
        let reviewed_at = self.maybe(|input| {
            let value = input.maybe(|input| Time::parse(input.text()?))?;
            let lamport = input.lamport()?;
            Some(Written { value, lamport })
        })?;
        let created_at = Written {
            value: Time::parse(self.text()?)?,
            lamport: self.lamport()?,
        };
        Some(EdgeFields {
            confidence,
            rationale,
            reviewed_at,
            created_at,
        })
    }
}
