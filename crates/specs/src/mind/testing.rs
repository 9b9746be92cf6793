//! Replicas in memory: patches by number, graphs from a few words.

use std::collections::BTreeMap;
use std::rc::Rc;

use sha2::{Digest, Sha256};

use super::changes::{Changes, EdgePut, Field};
use super::confidence::Confidence;
use super::edge::EdgeType;
use super::fold::Fold;
use super::graph::Graph;
use super::id::NodeId;
use super::patch::{Operation, Triple, encode};
use super::time::Time;
use super::value::Json;
use crate::seam::{ObjectId, RawPatch};

/// A replica: the patches it has.
#[derive(Clone)]
pub(super) struct Log {
    pub(super) name: String,
    pub(super) patches: BTreeMap<ObjectId, Rc<RawPatch<'static>>>,
}

impl Log {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            patches: BTreeMap::new(),
        }
    }

    pub(super) fn fold(&self) -> Fold {
        folded(self.patches.values().map(|patch| &**patch))
    }

    pub(super) fn graph(&self) -> Graph {
        self.fold().graph()
    }

    /// Fetches what another one has.
    pub(super) fn fetch(&mut self, other: &Self) {
        self.patches
            .extend(other.patches.iter().map(|(id, patch)| (*id, Rc::clone(patch))));
    }

    /// Writes what is missing; `None` if nothing is.
    pub(super) fn write(&mut self, now: u64, change: impl FnOnce(&Graph, &mut Changes)) -> Option<ObjectId> {
        let fold = self.fold();
        let graph = fold.graph();
        let mut changes = Changes::new();
        change(&graph, &mut changes);
        let operations = changes.into_operations(&graph, &Time::from_millis(now));
        self.append(&fold, operations)
    }

    pub(super) fn append(&mut self, fold: &Fold, operations: Vec<Operation>) -> Option<ObjectId> {
        if operations.is_empty() {
            return None;
        }
        let parents = fold.heads();
        let encoded = encode(
            "mind: a change",
            fold.lamport_above(&parents),
            &self.name,
            None,
            operations,
        )
        .expect("a patch");
        Some(self.put(parents, encoded.message.into_bytes(), encoded.chunks))
    }

    /// Stores bytes as a commit.
    pub(super) fn put(&mut self, parents: Vec<ObjectId>, message: Vec<u8>, chunks: Vec<Vec<u8>>) -> ObjectId {
        let mut hash = Sha256::new();
        parents.iter().for_each(|parent| hash.update(parent.as_bytes()));
        hash.update(&message);
        chunks.iter().for_each(|chunk| hash.update(chunk));
        let id = ObjectId::new(&hash.finalize()).expect("32 bytes");
        let raw = RawPatch {
            id,
            parents: parents.into(),
            message: message.into(),
            blobs: chunks.into_iter().map(Into::into).collect(),
            fault: None,
        };
        self.patches.insert(id, Rc::new(raw));
        id
    }

    pub(super) fn link(&mut self, now: u64, edge: &str) -> Option<ObjectId> {
        let (edge, put) = words(edge);
        self.write(now, |_, changes| changes.put_edge(edge, put))
    }

    pub(super) fn unlink(&mut self, now: u64, edge: &str) -> Option<ObjectId> {
        let (edge, _) = words(edge);
        self.write(now, |_, changes| changes.remove_edge(edge))
    }

    pub(super) fn set(&mut self, now: u64, id: &str, key: &str, value: &str) -> Option<ObjectId> {
        let property = (key.into(), Json::parse(value).expect("JSON").canonical().into());
        self.write(now, |_, changes| changes.put_node(&node(id), [property]))
    }
}

/// The fold of patches in the order in which they come.
pub(super) fn folded<'p>(patches: impl IntoIterator<Item = &'p RawPatch<'static>>) -> Fold {
    let mut fold = Fold::empty();
    for patch in patches {
        fold.take(patch);
    }
    fold.finish();
    fold
}

pub(super) fn node(id: &str) -> NodeId {
    NodeId::parse(id).expect("an id")
}

/// `task:A blocks task:B .5 why` as an edge; confidence and rationale may be left out.
pub(super) fn words(text: &str) -> (Triple, EdgePut) {
    let mut words = text.splitn(5, ' ');
    let mut word = || words.next().unwrap_or_default();
    let (source, kind, target) = (word(), word(), word());
    let edge = Triple {
        source: node(source),
        target: node(target),
        kind: EdgeType::from_name(kind).expect("a type"),
    };
    let confidence = match word() {
        "" => Confidence::DEFAULT,
        number => Confidence::parse(number).expect("a confidence"),
    };
    let rationale = match word() {
        "" => Field::Keep,
        why => Field::Set(why.into()),
    };
    let reviewed_at = Field::Keep;
    (
        edge,
        EdgePut {
            confidence,
            rationale,
            reviewed_at,
        },
    )
}

/// A graph of lines: an edge (`task:A blocks task:B .5 why`), a node (`task:A`), or a node with a property (`task:A status="done"`).
pub(super) fn graph(lines: &str) -> Graph {
    let mut changes = Changes::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(' ') {
            None => changes.put_node(&node(line), []),
            Some((id, rest)) => match rest.split_once('=') {
                Some((key, value)) if !key.contains(' ') => {
                    let value = Json::parse(value).expect("JSON").canonical();
                    changes.put_node(&node(id), [(key.into(), value.into())]);
                }
                _ => {
                    let (edge, put) = words(line);
                    changes.put_edge(edge, put);
                }
            },
        }
    }
    of_changes(changes)
}

pub(super) fn of_changes(changes: Changes) -> Graph {
    let mut log = Log::new("w");
    let fold = log.fold();
    let operations = changes.into_operations(&Graph::default(), &Time::from_millis(1_000));
    log.append(&fold, operations);
    log.graph()
}
