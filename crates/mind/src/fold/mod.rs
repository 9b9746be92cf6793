//! The fold: what a set of patches says, whatever the order in which they are read (clauses Store4 to Store8).
//!
//! A patch that breaks a rule is skipped whole and counts for nothing but its place in the order. What is kept is a function of the patches that were taken:
//! live tags with the fields they carry, the newest write of every property, epochs. [`Graph`] is what everybody reads of it.

mod judge;
mod merge;
mod snapshot;
#[cfg(test)]
mod tests;

use crate::raw_patch::{Descend, RawPatch};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::edge::EdgeType;
use super::graph::{Epoch, Graph, NONE, Skipped};
use super::limits::Limits;
use super::patch::{Decoded, EdgeFields, Operation, Patch, Tag, decode};
use super::record::{NodeRecord, Stamp, live};
use super::time::Time;
use lore_seam::ObjectId;

pub use self::snapshot::SnapshotFault;

/// The set of patches that was read, folded. What no patch has touched since a snapshot stays in the snapshot.
#[derive(Clone, Default)]
pub struct Fold {
    patches: Vec<Covered>,
    by_patch: HashMap<ObjectId, u32>,
    /// What was folded before.
    base: Arc<Graph>,
    /// Whether the base says everything.
    is_base: bool,
    /// Nodes that were touched since.
    nodes: Vec<NodeState>,
    by_node: HashMap<Box<str>, u32>,
    /// Edges that were touched since.
    edges: HashMap<EdgeKey, EdgeState>,
    /// Tags that were superseded before the patch that adds them was read.
    awaited: HashSet<(Owner, Tag)>,
    epochs: HashMap<ObjectId, (Stamp, Time)>,
    /// Commits whose epochs were touched since.
    new_epochs: Vec<ObjectId>,
    /// Commits that are no patches.
    strangers: HashSet<ObjectId>,
    /// Parents that could not be read.
    missing: HashSet<ObjectId>,
    incoming: Vec<Waiting>,
}

/// A patch that was read.
#[derive(Clone, Debug)]
struct Covered {
    id: ObjectId,
    lamport: u64,
    /// Why it was skipped.
    skipped: Option<Box<str>>,
    /// Whether a patch that was taken has it as a parent.
    has_child: bool,
    writer: Box<str>,
    head: Option<ObjectId>,
}

/// A commit that was read and not taken yet.
#[derive(Clone, Debug)]
pub struct Incoming {
    id: ObjectId,
    parents: Vec<ObjectId>,
    /// The patch, or why it is a bad one; nothing if it is none.
    patch: Option<Result<Patch, String>>,
}

/// A patch that waits for [`Fold::finish`].
#[derive(Clone, Debug)]
struct Waiting {
    id: ObjectId,
    parents: Vec<ObjectId>,
    patch: Result<Patch, String>,
}

type NodeNumber = u32;
type EdgeKey = (NodeNumber, NodeNumber, EdgeType);

/// What tags belong to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Owner {
    Node(NodeNumber),
    Edge(EdgeKey),
}

#[derive(Clone, Debug)]
struct NodeState {
    id: Box<str>,
    /// Its place in the base, if it is there: among the nodes, or among those that are gone.
    base: Option<Result<u32, u32>>,
    tags: Vec<Stamp>,
    /// The newest write of each property; nothing where it was cleared.
    properties: BTreeMap<Box<str>, (Stamp, Option<Box<str>>)>,
}

#[derive(Clone, Debug)]
struct LiveEdge {
    stamp: Stamp,
    fields: EdgeFields,
}

/// An edge that was touched.
#[derive(Clone, Debug)]
struct EdgeState {
    /// Its place in the base, if it is there.
    base: Option<u32>,
    live: Vec<LiveEdge>,
}

impl Fold {
    /// The fold of nothing.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Whether a patch was read already.
    pub fn knows(&self, id: &ObjectId) -> bool {
        self.by_patch.contains_key(id)
    }

    /// Takes a commit, in any order; what it says counts after [`Self::finish`].
    pub fn take(&mut self, raw: &RawPatch<'_>) -> Descend {
        if self.knows(&raw.id) {
            return Descend::Yes;
        }
        let (incoming, descend) = Self::read(raw);
        self.receive(incoming);
        descend
    }

    /// Reads a commit, which needs no fold.
    pub fn read(raw: &RawPatch<'_>) -> (Incoming, Descend) {
        let patch = match decode(raw) {
            Decoded::NotAPatch => None,
            Decoded::Faulty(why) => Some(Err(why)),
            Decoded::Patch(_) if raw.parents.len() > Limits::PARENTS => Some(Err("too many parents".to_owned())),
            Decoded::Patch(patch) => Some(Ok(patch)),
        };
        let descend = match &patch {
            Some(_) => Descend::Yes,
            None => Descend::No,
        };
        let incoming = Incoming {
            id: raw.id,
            parents: raw.parents.to_vec(),
            patch,
        };
        (incoming, descend)
    }

    /// Takes a commit that was read.
    pub fn receive(&mut self, incoming: Incoming) {
        match incoming.patch {
            Some(_) if self.knows(&incoming.id) => {}
            Some(patch) => self.incoming.push(Waiting {
                id: incoming.id,
                parents: incoming.parents,
                patch,
            }),
            None => {
                self.strangers.insert(incoming.id);
            }
        }
    }

    /// Judges and applies everything that was taken.
    pub fn finish(&mut self) {
        self.is_base = self.is_base && self.incoming.is_empty();
        let first = u32::try_from(self.patches.len()).unwrap_or(u32::MAX);
        let applied = self.judge();
        let mut superseded: HashMap<Owner, HashSet<Stamp>> = HashMap::new();
        for (number, patch) in applied {
            self.apply(number, patch, &mut superseded);
        }
        for (owner, stamps) in &superseded {
            self.supersede(*owner, stamps);
        }
        // What was awaited of patches that have come by now has been found or is nowhere.
        let (by_patch, awaited) = (&self.by_patch, &mut self.awaited);
        if u32::try_from(self.patches.len()).is_ok_and(|count| count > first) {
            awaited.retain(|(_, tag)| !by_patch.contains_key(&tag.patch));
        }
    }

    /// The Lamport time of a patch that has these parents.
    pub fn lamport_above(&self, parents: &[ObjectId]) -> u64 {
        let numbers = parents.iter().filter_map(|parent| self.by_patch.get(parent));
        numbers
            .map(|number| self.lamport(*number))
            .max()
            .unwrap_or(0)
            .saturating_add(1)
    }

    /// Whether a patch that was taken has this one as a parent.
    pub(super) fn has_child(&self, id: &ObjectId) -> bool {
        let number = self.by_patch.get(id).map(|number| *number as usize);
        number
            .and_then(|number| self.patches.get(number))
            .is_some_and(|patch| patch.has_child)
    }

    /// The patches that were taken and that no other one has as a parent: what the next patch has as parents.
    pub fn heads(&self) -> Vec<ObjectId> {
        let heads = self
            .patches
            .iter()
            .filter(|patch| patch.skipped.is_none() && !patch.has_child);
        let mut heads: Vec<ObjectId> = heads.map(|patch| patch.id).collect();
        heads.sort_unstable();
        heads
    }

    /// Parents that could not be read (shallow clone).
    pub fn missing(&self) -> Vec<ObjectId> {
        let mut missing: Vec<ObjectId> = self.missing.iter().copied().collect();
        missing.sort_unstable();
        missing
    }

    /// How many patches were read, and how many of them skipped.
    pub fn counts(&self) -> (usize, usize) {
        (
            self.patches.len(),
            self.patches.iter().filter(|patch| patch.skipped.is_some()).count(),
        )
    }

    /// The newest patch of a writer that was written at a commit of the code.
    pub fn newest_at(&self, writer: &str, head: &ObjectId) -> Option<ObjectId> {
        let at_head = self
            .patches
            .iter()
            .filter(|patch| patch.skipped.is_none() && &*patch.writer == writer);
        let at_head = at_head.filter(|patch| patch.head.as_ref() == Some(head));
        at_head
            .max_by_key(|patch| (patch.lamport, patch.id))
            .map(|patch| patch.id)
    }

    /// How many patches of a writer come after all of these.
    pub fn written_above(&self, writer: &str, patches: &[ObjectId]) -> usize {
        let floor = self.lamport_above(patches) - 1;
        let own = self.patches.iter().filter(|patch| &*patch.writer == writer);
        own.filter(|patch| patch.lamport > floor).count()
    }

    /// What the patches say.
    pub fn graph(&self) -> Arc<Graph> {
        if self.is_base {
            Arc::clone(&self.base)
        } else {
            Arc::new(self.merged())
        }
    }

    fn epochs(&self) -> Vec<Epoch> {
        let mut epochs: Vec<Epoch> = (self.epochs.iter())
            .map(|(commit, (stamp, time))| Epoch {
                commit: *commit,
                patch: self.patch_id(stamp.patch),
                lamport: self.lamport(stamp.patch),
                recorded_at: time.clone(),
            })
            .collect();
        epochs.sort_unstable_by_key(|epoch| epoch.commit);
        epochs
    }

    fn skipped(&self) -> Vec<Skipped> {
        let skipped = self.patches.iter().filter_map(|patch| {
            Some(Skipped {
                patch: patch.id,
                why: patch.skipped.clone()?,
            })
        });
        let mut skipped: Vec<Skipped> = skipped.collect();
        skipped.sort_unstable_by_key(|skipped| skipped.patch);
        skipped
    }

    fn lamport(&self, patch: u32) -> u64 {
        self.patches.get(patch as usize).map_or(0, |patch| patch.lamport)
    }

    fn patch_id(&self, patch: u32) -> ObjectId {
        // Numbers of patches come from `patches` alone.
        self.patches[patch as usize].id
    }

    /// What stamps are compared by.
    fn order(&self, stamp: Stamp) -> (u64, ObjectId, u32) {
        (self.lamport(stamp.patch), self.patch_id(stamp.patch), stamp.operation)
    }

    fn node_number(&mut self, id: &str) -> NodeNumber {
        if let Some(number) = self.by_node.get(id) {
            return *number;
        }
        let number = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.by_node.insert(id.into(), number);
        let state = self.node_before(id);
        self.nodes.push(state);
        number
    }

    /// What the base says of a node.
    fn node_before(&self, id: &str) -> NodeState {
        let number = |at: usize| u32::try_from(at).unwrap_or(NONE);
        let (base, record) = match self.base.place(id) {
            Ok(at) => (Some(Ok(number(at))), self.base.nodes.get(at).map(|row| row.record)),
            Err(_) => match self.base.gone_place(id) {
                Ok(at) => (Some(Err(number(at))), self.base.gone.get(at).copied()),
                Err(_) => (None, None),
            },
        };
        let (mut tags, mut properties) = (Vec::new(), BTreeMap::new());
        if let Some(record) = record {
            let record = NodeRecord::read(self.base.records.at(record));
            tags.extend(record.tags());
            let said = record.properties();
            properties.extend(said.map(|(key, stamp, value)| (key.into(), (stamp, value.map(Into::into)))));
        }
        NodeState {
            id: id.into(),
            base,
            tags,
            properties,
        }
    }

    /// An edge, read from the base when it is first touched.
    fn edge_state(&mut self, key: EdgeKey) -> &mut EdgeState {
        let (base, nodes) = (&self.base, &self.nodes);
        self.edges.entry(key).or_insert_with(|| {
            let (source, target, kind) = key;
            let place = |number: NodeNumber| nodes.get(number as usize)?.base?.ok();
            let held = place(source).zip(place(target)).and_then(|(source, target)| {
                let wanted = (source, target, kind);
                base.edges.binary_search_by_key(&wanted, |edge| edge.key()).ok()
            });
            let record = held
                .and_then(|at| base.edges.get(at))
                .map(|edge| base.records.at(edge.record));
            let before = live(record.unwrap_or_default());
            EdgeState {
                base: held.and_then(|at| u32::try_from(at).ok()),
                live: before
                    .filter_map(|(stamp, fields)| {
                        let fields = fields.fields()?;
                        Some(LiveEdge { stamp, fields })
                    })
                    .collect(),
            }
        })
    }

    fn apply(&mut self, patch: u32, content: Patch, superseded: &mut HashMap<Owner, HashSet<Stamp>>) {
        for (operation, line) in (content.first..).zip(content.operations) {
            let stamp = Stamp { patch, operation };
            match line {
                Operation::PutNode { id, set, clear, seen } => {
                    let node = self.node_number(id.as_str());
                    let owner = Owner::Node(node);
                    if self.is_new(owner, stamp)
                        && let Some(state) = self.nodes.get_mut(node as usize)
                    {
                        state.tags.push(stamp);
                    }
                    for (key, value) in set {
                        self.write(node, key, stamp, Some(value));
                    }
                    for key in clear {
                        self.write(node, key, stamp, None);
                    }
                    self.note(owner, seen, superseded);
                }
                Operation::RemoveNode { id, seen, clear } => {
                    let node = self.node_number(id.as_str());
                    for key in clear {
                        self.write(node, key, stamp, None);
                    }
                    self.note(Owner::Node(node), seen, superseded);
                }
                Operation::PutEdge { edge, fields, seen } => {
                    let key = self.edge_key(edge.source.as_str(), edge.target.as_str(), edge.kind);
                    if self.is_new(Owner::Edge(key), stamp) {
                        self.edge_state(key).live.push(LiveEdge { stamp, fields });
                    }
                    self.note(Owner::Edge(key), seen, superseded);
                }
                Operation::RemoveEdge { edge, seen } => {
                    let key = self.edge_key(edge.source.as_str(), edge.target.as_str(), edge.kind);
                    self.note(Owner::Edge(key), seen, superseded);
                }
                Operation::Epoch { commit, time } => {
                    let newer = |held: &(Stamp, Time)| self.order(held.0) < self.order(stamp);
                    if self.epochs.get(&commit).is_none_or(newer) {
                        self.epochs.insert(commit, (stamp, time));
                        self.new_epochs.push(commit);
                    }
                }
            }
        }
    }

    fn edge_key(&mut self, source: &str, target: &str, kind: EdgeType) -> EdgeKey {
        (self.node_number(source), self.node_number(target), kind)
    }

    /// Whether a tag that is added now was not superseded before.
    fn is_new(&self, owner: Owner, stamp: Stamp) -> bool {
        let tag = Tag {
            patch: self.patch_id(stamp.patch),
            operation: stamp.operation,
        };
        self.awaited.is_empty() || !self.awaited.contains(&(owner, tag))
    }

    fn write(&mut self, node: NodeNumber, key: Box<str>, stamp: Stamp, value: Option<Box<str>>) {
        let order = self.order(stamp);
        let held = self
            .nodes
            .get(node as usize)
            .and_then(|state| state.properties.get(&key));
        if held.is_none_or(|(held, _)| self.order(*held) < order)
            && let Some(state) = self.nodes.get_mut(node as usize)
        {
            state.properties.insert(key, (stamp, value));
        }
    }

    /// Records the tags that an operation supersedes. A tag counts only for its own node or edge; a tag of another one has no effect.
    fn note(&mut self, owner: Owner, seen: Vec<Tag>, superseded: &mut HashMap<Owner, HashSet<Stamp>>) {
        for tag in seen {
            match self.by_patch.get(&tag.patch) {
                Some(patch) => {
                    superseded.entry(owner).or_default().insert(Stamp {
                        patch: *patch,
                        operation: tag.operation,
                    });
                }
                None => {
                    self.awaited.insert((owner, tag));
                }
            }
        }
    }

    fn supersede(&mut self, owner: Owner, stamps: &HashSet<Stamp>) {
        match owner {
            Owner::Node(node) => {
                if let Some(state) = self.nodes.get_mut(node as usize) {
                    state.tags.retain(|stamp| !stamps.contains(stamp));
                }
            }
            Owner::Edge(key) => {
                let state = self.edge_state(key);
                state.live.retain(|edge| !stamps.contains(&edge.stamp));
            }
        }
    }
}
