//! The state of a fold as bytes, and back: rows that are read at once, records that are read when somebody asks. Damage is noticed (clauses Store12, Store14).

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use lore_model::{SectionError, SectionReader, SectionWriter};

use super::{Covered, Fold, Owner};
use crate::edge::EdgeType;
use crate::graph::{EdgeRow, Graph, NONE, NodeRow, Parts, Records, SharedBytes};
use crate::id::NodeId;
use crate::patch::Tag;
use crate::record::{In, Out};
use crate::time::Time;
use lore_seam::ObjectId;

const MAGIC: u32 = u32::from_le_bytes(*b"LMND");
/// Goes up with the layout and with every change of the rules of the fold.
const VERSION: u32 = 2;
const STATE: u32 = 1;
const NODES: u32 = 2;
const GONE: u32 = 3;
const EDGES: u32 = 4;
const RECORDS: u32 = 5;
/// Bytes of the rows of nodes and edges.
const NODE_ROW: usize = 8;
const EDGE_ROW: usize = 13;

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
            Self::State => formatter.write_str("its content is not valid"),
        }
    }
}

impl std::error::Error for SnapshotFault {}

impl Fold {
    /// The state as bytes, with the tips that it was read from. What waits for [`Fold::finish`] is not part of it.
    pub fn snapshot(&self, tips: &[ObjectId]) -> Vec<u8> {
        let graph = self.graph();
        let mut records = Records::default();
        let mut copy = |record: u32| match record {
            NONE => NONE,
            record => records.push_bytes(graph.records.at(record)),
        };
        let mut nodes = Vec::with_capacity(graph.nodes.len() * NODE_ROW);
        for row in &graph.nodes {
            nodes.extend_from_slice(&copy(row.record).to_le_bytes());
            nodes.extend_from_slice(&copy(row.derived).to_le_bytes());
        }
        let gone: Vec<u8> = graph
            .gone
            .iter()
            .flat_map(|record| copy(*record).to_le_bytes())
            .collect();
        let mut edges = Vec::with_capacity(graph.edges.len() * EDGE_ROW);
        for row in &graph.edges {
            edges.extend_from_slice(&row.source.to_le_bytes());
            edges.extend_from_slice(&row.target.to_le_bytes());
            edges.push(number_of(row.kind));
            edges.extend_from_slice(&copy(row.record).to_le_bytes());
        }
        let state = self.state(tips);
        let records = records.into_bytes();
        let mut writer = SectionWriter::new(MAGIC, VERSION);
        writer.section(STATE, &state);
        writer.section(NODES, &nodes);
        writer.section(GONE, &gone);
        writer.section(EDGES, &edges);
        writer.section(RECORDS, &records);
        writer.finish()
    }

    /// Everything but the graph.
    fn state(&self, tips: &[ObjectId]) -> Vec<u8> {
        let mut out = Out::default();
        out.number(tips.len() as u64);
        tips.iter().for_each(|tip| out.id(tip));
        out.number(self.patches.len() as u64);
        for covered in &self.patches {
            out.id(&covered.id);
            out.number(covered.lamport);
            out.maybe_text(covered.skipped.as_deref());
            out.number(u64::from(covered.has_child));
            out.text(&covered.writer);
            out.maybe(covered.head.as_ref(), Out::id);
        }
        out.number(self.awaited.len() as u64);
        for (owner, tag) in &self.awaited {
            let name = |number: u32| self.nodes.get(number as usize).map_or("", |node| &*node.id);
            match *owner {
                Owner::Node(node) => {
                    out.text(name(node));
                    out.number(0);
                }
                Owner::Edge((source, target, kind)) => {
                    out.text(name(source));
                    out.number(1);
                    out.text(name(target));
                    out.text(kind.name());
                }
            }
            out.id(&tag.patch);
            out.number(u64::from(tag.operation));
        }
        out.number(self.epochs.len() as u64);
        for (commit, (stamp, time)) in &self.epochs {
            out.id(commit);
            out.stamp(*stamp);
            out.text(time.as_str());
        }
        out.number(self.missing.len() as u64);
        self.missing.iter().for_each(|id| out.id(id));
        out.0
    }

    /// The fold that a snapshot was made of, and the tips that it was read from.
    pub fn open(bytes: SharedBytes) -> Result<(Self, Vec<ObjectId>), SnapshotFault> {
        let whole: &[u8] = (*bytes).as_ref();
        let reader = SectionReader::open(whole, MAGIC, VERSION).map_err(SnapshotFault::Container)?;
        reader.verify(whole).map_err(SnapshotFault::Container)?;
        let range = |section: u32| reader.range(section).map_err(SnapshotFault::Container);
        let part = |section: u32| Ok(whole.get(range(section)?).unwrap_or_default());
        let mut input = In(part(STATE)?);
        let mut fold = Self::default();
        let read = read(&mut fold, &mut input).filter(|_| input.0.is_empty());
        let (tips, awaited) = read.ok_or(SnapshotFault::State)?;
        let nodes = rows(part(NODES)?, NODE_ROW, |mut row| {
            Some(NodeRow {
                record: number(&mut row)?,
                derived: number(&mut row)?,
            })
        });
        let gone = rows(part(GONE)?, 4, |mut row| number(&mut row));
        let edges = rows(part(EDGES)?, EDGE_ROW, |mut row| {
            Some(EdgeRow {
                source: number(&mut row)?,
                target: number(&mut row)?,
                kind: kind_of(*row.take(1)?.first()?)?,
                record: number(&mut row)?,
            })
        });
        let (Some(nodes), Some(gone), Some(edges)) = (nodes, gone, edges) else {
            return Err(SnapshotFault::State);
        };
        let records = range(RECORDS)?;
        let count = nodes.len();
        if edges
            .iter()
            .any(|edge| edge.source as usize >= count || edge.target as usize >= count)
        {
            return Err(SnapshotFault::State);
        }
        fold.base = Arc::new(Graph::new(Parts {
            records: Records::of_snapshot(Arc::clone(&bytes), records),
            nodes,
            gone,
            edges,
            patches: fold.patches.iter().map(|patch| (patch.id, patch.lamport)).collect(),
            epochs: fold.epochs(),
            skipped: fold.skipped(),
        }));
        fold.is_base = true;
        for awaited in awaited {
            let owner = match awaited.edge {
                None => Owner::Node(fold.node_number(&awaited.source)),
                Some((target, kind)) => Owner::Edge(fold.edge_key(&awaited.source, &target, kind)),
            };
            fold.awaited.insert((owner, awaited.tag));
        }
        Ok((fold, tips))
    }
}

/// A tag that was superseded before it was read: a node's, or an edge's.
struct Awaited {
    source: Box<str>,
    edge: Option<(Box<str>, EdgeType)>,
    tag: Tag,
}

fn read(fold: &mut Fold, input: &mut In<'_>) -> Option<(Vec<ObjectId>, Vec<Awaited>)> {
    let mut tips = Vec::new();
    for _ in 0..input.count()? {
        tips.push(input.id()?);
    }
    let patches = input.count()?;
    fold.by_patch = HashMap::with_capacity(patches);
    for number in 0..u32::try_from(patches).ok()? {
        let covered = Covered {
            id: input.id()?,
            lamport: input.number()?,
            skipped: input.maybe(In::text)?.map(Into::into),
            has_child: input.number()? != 0,
            writer: input.text()?.into(),
            head: input.maybe(In::id)?,
        };
        fold.by_patch.insert(covered.id, number);
        fold.patches.push(covered);
    }
    let mut awaited = Vec::new();
    for _ in 0..input.count()? {
        let source = NodeId::parse(input.text()?).ok()?.as_str().into();
        let edge = input.maybe(|input| {
            let target = NodeId::parse(input.text()?).ok()?.as_str().into();
            Some((target, EdgeType::from_name(input.text()?)?))
        })?;
        let tag = Tag {
            patch: input.id()?,
            operation: u32::try_from(input.number()?).ok()?,
        };
        awaited.push(Awaited { source, edge, tag });
    }
    for _ in 0..input.count()? {
        let commit = input.id()?;
        let stamp = input.stamp().filter(|stamp| (stamp.patch as usize) < patches)?;
        fold.epochs.insert(commit, (stamp, Time::parse(input.text()?)?));
    }
    for _ in 0..input.count()? {
        let id = input.id()?;
        fold.missing.insert(id);
    }
    Some((tips, awaited))
}

fn rows<T>(bytes: &[u8], size: usize, row: impl Fn(In<'_>) -> Option<T>) -> Option<Vec<T>> {
    let chunks = bytes.chunks_exact(size);
    match chunks.remainder() {
        [] => chunks.map(|chunk| row(In(chunk))).collect(),
        _ => None,
    }
}

fn number(row: &mut In<'_>) -> Option<u32> {
    Some(u32::from_le_bytes(row.take(4)?.try_into().ok()?))
}

fn number_of(kind: EdgeType) -> u8 {
    EdgeType::ALL
        .iter()
        .position(|known| *known == kind)
        .unwrap_or_default() as u8
}

fn kind_of(number: u8) -> Option<EdgeType> {
    EdgeType::ALL.get(usize::from(number)).copied()
}
