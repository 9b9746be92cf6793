//! What is wanted, turned into the operations that are missing: a wish that the graph fulfils already writes nothing (clauses C11, C13, C23).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::confidence::Confidence;
use super::graph::{Edge, Graph, NodeIx};
use super::id::NodeId;
use super::patch::{EdgeFields, Operation, Property, Triple, Written};
use super::time::Time;
use super::value::Json;
use lore_seam::ObjectId;

/// What becomes of an optional field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Field<T> {
    /// It stays as it is.
    Keep,
    /// It gets a value.
    Set(T),
    /// It is taken away.
    Clear,
}

/// What an edge should be.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgePut {
    /// How sure.
    pub confidence: Confidence,
    /// Why.
    pub rationale: Field<Box<str>>,
    /// When it was reviewed.
    pub reviewed_at: Field<Time>,
}

/// Everything that is wanted at once.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Changes {
    nodes: BTreeMap<NodeId, NodeChange>,
    edges: BTreeMap<Triple, Option<EdgePut>>,
    epochs: Vec<(ObjectId, Time)>,
}

#[derive(Clone, PartialEq, Default, Debug)]
struct NodeChange {
    is_removed: bool,
    set: BTreeMap<Box<str>, Box<str>>,
    clear: BTreeSet<Box<str>>,
}

impl Changes {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A node should be there and have these properties; the others stay.
    pub fn put_node(&mut self, id: &NodeId, properties: impl IntoIterator<Item = Property>) {
        let change = self.nodes.entry(id.clone()).or_default();
        for (key, value) in properties {
            change.clear.remove(&key);
            change.set.insert(key, value);
        }
    }

    /// A node should not have a property.
    pub fn clear_property(&mut self, id: &NodeId, key: &str) {
        let change = self.nodes.entry(id.clone()).or_default();
        change.set.remove(key);
        change.clear.insert(key.into());
    }

    /// A node should be gone, with all its edges.
    pub fn remove_node(&mut self, id: &NodeId) {
        self.nodes.entry(id.clone()).or_default().is_removed = true;
    }

    /// An edge should be there; so will be its ends.
    pub fn put_edge(&mut self, edge: Triple, put: EdgePut) {
        self.edges.insert(edge, Some(put));
    }

    /// An edge should be gone.
    pub fn remove_edge(&mut self, edge: Triple) {
        self.edges.insert(edge, None);
    }

    /// The graph as it will be belongs to a commit of the code.
    pub fn epoch(&mut self, commit: ObjectId, time: Time) {
        self.epochs.push((commit, time));
    }

    /// The operations that are missing.
    pub fn into_operations(self, graph: &Graph, now: &Time) -> Vec<Operation> {
        let mut writer = Writer {
            graph,
            now,
            operations: Vec::new(),
            puts: HashSet::new(),
            gone: HashSet::new(),
            kept: BTreeSet::new(),
        };
        for (id, change) in &self.nodes {
            writer.node(id, change);
        }
        for (edge, put) in &self.edges {
            match put {
                Some(put) => writer.put_edge(edge, put),
                None => writer.remove_edge(edge),
            }
        }
        writer.keep_ends(&self.edges);
        for (commit, time) in self.epochs {
            if graph.epoch(&commit).is_none() {
                writer.operations.push(Operation::Epoch { commit, time });
            }
        }
        writer.operations
    }
}

struct Writer<'g> {
    graph: &'g Graph,
    now: &'g Time,
    operations: Vec<Operation>,
    /// Nodes that get a tag of their own.
    puts: HashSet<Box<str>>,
    /// Edges that are removed.
    gone: HashSet<super::graph::EdgeIx>,
    /// Ends of removed edges.
    kept: BTreeSet<NodeIx>,
}

impl Writer<'_> {
    fn node(&mut self, id: &NodeId, change: &NodeChange) {
        let Some(node) = self.graph.node(id.as_str()) else {
            if !change.is_removed {
                let set = change.set.iter().map(|(key, value)| (key.clone(), value.clone()));
                self.put_node(id, set.collect(), Vec::new(), Vec::new());
            }
            return;
        };
        if change.is_removed {
            let edges = self.graph.outgoing(node.ix()).chain(self.graph.incoming(node.ix()));
            for edge in edges {
                self.take_edge(edge);
            }
            self.kept.remove(&node.ix());
            if !node.is_derived() {
                self.operations.push(Operation::RemoveNode {
                    id: id.clone(),
                    seen: node.tags(),
                    clear: node.properties().map(|(key, _)| key.into()).collect(),
                });
                self.puts.insert(id.as_str().into());
            }
            return;
        }
        let differs = |key: &str, value: &str| match node.property(key) {
            Some(held) if held == value => false,
            Some(held) => !Json::of_canonical(held).is_same(&Json::of_canonical(value)),
            None => true,
        };
        let set = change.set.iter().filter(|(key, value)| differs(key, value));
        let set: Vec<Property> = set.map(|(key, value)| (key.clone(), value.clone())).collect();
        let clear: Vec<Box<str>> = change
            .clear
            .iter()
            .filter(|key| node.property(key).is_some())
            .cloned()
            .collect();
        let is_changed = !set.is_empty() || !clear.is_empty();
        if is_changed && !node.is_derived() {
            self.put_node(id, set, clear, node.tags());
        }
    }

    fn put_node(&mut self, id: &NodeId, set: Vec<Property>, clear: Vec<Box<str>>, seen: Vec<super::patch::Tag>) {
        if self.puts.insert(id.as_str().into()) {
            let id = id.clone();
            self.operations.push(Operation::PutNode { id, set, clear, seen });
        }
    }

    fn put_edge(&mut self, edge: &Triple, put: &EdgePut) {
        for end in [&edge.source, &edge.target] {
            if self.graph.node(end.as_str()).is_none() {
                self.put_node(end, Vec::new(), Vec::new(), Vec::new());
            }
        }
        let held = self.graph.edge(edge.source.as_str(), edge.target.as_str(), edge.kind);
        let (fields, seen) = match held {
            None => (new_fields(put, self.now), Vec::new()),
            Some(held) => match changed_fields(held, put) {
                Some(fields) => (fields, held.tags()),
                None => return,
            },
        };
        self.operations.push(Operation::PutEdge {
            edge: edge.clone(),
            fields,
            seen,
        });
    }

    fn remove_edge(&mut self, edge: &Triple) {
        if let Some(held) = self.graph.edge(edge.source.as_str(), edge.target.as_str(), edge.kind) {
            self.take_edge(held);
        }
    }

    fn take_edge(&mut self, edge: Edge<'_>) {
        if !self.gone.insert(edge.ix()) {
            return;
        }
        let parse = |id: &str| NodeId::parse(id).ok();
        let (Some(source), Some(target)) = (parse(edge.source().id()), parse(edge.target().id())) else {
            return;
        };
        self.operations.push(Operation::RemoveEdge {
            edge: Triple {
                source,
                target,
                kind: edge.kind(),
            },
            seen: edge.tags(),
        });
        let (source, target) = edge.ends();
        self.kept.extend([source, target]);
    }

    /// A node that only its edges hold would vanish with them: it gets a tag of its own.
    fn keep_ends(&mut self, wanted: &BTreeMap<Triple, Option<EdgePut>>) {
        let put: HashSet<&str> = (wanted.iter().filter(|(_, put)| put.is_some()))
            .flat_map(|(edge, _)| [edge.source.as_str(), edge.target.as_str()])
            .collect();
        for ix in std::mem::take(&mut self.kept) {
            let node = self.graph.node_at(ix);
            let mut edges = self.graph.outgoing(ix).chain(self.graph.incoming(ix));
            let has_edge = put.contains(node.id()) || edges.any(|edge| !self.gone.contains(&edge.ix()));
            if node.tags().is_empty()
                && !node.is_derived()
                && !has_edge
                && let Ok(id) = NodeId::parse(node.id())
            {
                self.put_node(&id, Vec::new(), Vec::new(), Vec::new());
            }
        }
    }
}

fn new_fields(put: &EdgePut, now: &Time) -> EdgeFields {
    EdgeFields {
        confidence: Written::now(put.confidence),
        rationale: match &put.rationale {
            Field::Set(text) => Some(Written::now(Some(text.clone()))),
            Field::Keep | Field::Clear => None,
        },
        reviewed_at: match &put.reviewed_at {
            Field::Set(time) => Some(Written::now(Some(time.clone()))),
            Field::Keep | Field::Clear => None,
        },
        created_at: Written::now(now.clone()),
    }
}

/// The fields of an edge that is there already, if one of them changes; what does not change carries on the time it was written at.
fn changed_fields(held: Edge<'_>, put: &EdgePut) -> Option<EdgeFields> {
    let row = held.merged();
    let mut is_changed = false;
    let confidence = if row.confidence == put.confidence {
        Written {
            value: row.confidence,
            lamport: Some(row.confidence_at),
        }
    } else {
        is_changed = true;
        Written::now(put.confidence)
    };
    let rationale: Option<Box<str>> = row.rationale.map(Into::into);
    let rationale = optional(rationale, row.rationale_at, &put.rationale, &mut is_changed);
    let reviewed_at = row.reviewed_at.and_then(Time::parse);
    let reviewed_at = optional(reviewed_at, row.reviewed_when, &put.reviewed_at, &mut is_changed);
    let created_at = Written {
        value: Time::parse(row.created_at)?,
        lamport: Some(row.created_when),
    };
    is_changed.then_some(EdgeFields {
        confidence,
        rationale,
        reviewed_at,
        created_at,
    })
}

fn optional<T: Clone + PartialEq>(
    held: Option<T>,
    at: u64,
    put: &Field<T>,
    is_changed: &mut bool,
) -> Option<Written<Option<T>>> {
    let wanted = match put {
        Field::Keep => held.clone(),
        Field::Set(value) => Some(value.clone()),
        Field::Clear => None,
    };
    if wanted != held {
        *is_changed = true;
        return Some(Written::now(wanted));
    }
    (at > 0).then_some(Written {
        value: held,
        lamport: Some(at),
    })
}
