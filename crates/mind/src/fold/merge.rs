//! What was touched, put between what was not: the rows of a graph in their order, without reading the records that stay as they are.

use std::collections::HashSet;

use super::{Fold, NodeNumber, NodeState};
use crate::edge::EdgeType;
use crate::graph::{EdgeRow, Epoch, Graph, NONE, NodeRow, Parts, Records, epoch_id, epoch_shown, push_epoch};
use crate::record::Out;
use lore_seam::ObjectId;

/// A node that was touched, by patches or by an epoch.
struct Touched<'f> {
    id: String,
    state: Option<(NodeNumber, &'f NodeState)>,
    epoch: Option<&'f Epoch>,
}

/// The nodes as they are now, and where those of before and those that were touched are among them.
struct Nodes {
    rows: Vec<NodeRow>,
    gone: Vec<u32>,
    of_base: Vec<u32>,
    of_touched: Vec<u32>,
}

impl Fold {
    pub(super) fn merged(&self) -> Graph {
        let epochs = self.epochs();
        let mut records = self.base.records.clone();
        let touched = self.touched(&epochs);
        let nodes = self.merged_nodes(&touched, &mut records);
        let edges = self.merged_edges(&nodes, &mut records);
        Graph::new(Parts {
            records,
            nodes: nodes.rows,
            gone: nodes.gone,
            edges,
            patches: self.patches.iter().map(|patch| (patch.id, patch.lamport)).collect(),
            epochs,
            skipped: self.skipped(),
        })
    }

    /// What was touched, by id.
    fn touched<'f>(&'f self, epochs: &'f [Epoch]) -> Vec<Touched<'f>> {
        let mut touched: Vec<Touched<'f>> = (0..)
            .zip(&self.nodes)
            .map(|(number, state)| Touched {
                id: state.id.to_string(),
                state: Some((number, state)),
                epoch: None,
            })
            .collect();
        touched.extend(self.new_epochs.iter().map(|commit: &ObjectId| Touched {
            id: epoch_id(commit),
            state: None,
            epoch: epoch_shown(epochs, commit),
        }));
        touched.sort_by(|left, right| left.id.cmp(&right.id));
        touched.dedup_by(|later, first| {
            let is_same = later.id == first.id;
            if is_same {
                first.state = first.state.or(later.state);
                first.epoch = first.epoch.or(later.epoch);
            }
            is_same
        });
        touched
    }

    /// Nodes that an edge holds, by number.
    fn held_by_edges(&self) -> Vec<bool> {
        let mut held = vec![false; self.nodes.len()];
        let mut touched: HashSet<u32> = HashSet::with_capacity(self.edges.len());
        for ((source, target, _), state) in &self.edges {
            touched.extend(state.base);
            if !state.live.is_empty() {
                for end in [source, target] {
                    if let Some(flag) = held.get_mut(*end as usize) {
                        *flag = true;
                    }
                }
            }
        }
        for (state, flag) in self.nodes.iter().zip(&mut held).filter(|(_, flag)| !**flag) {
            if let Some(Ok(at)) = state.base {
                let ix = crate::graph::NodeIx(at);
                let mut edges = self.base.outgoing(ix).chain(self.base.incoming(ix));
                *flag = edges.any(|edge| !touched.contains(&edge.ix().0));
            }
        }
        held
    }

    fn merged_nodes(&self, touched: &[Touched<'_>], records: &mut Records) -> Nodes {
        let base = &self.base;
        let held = self.held_by_edges();
        let mut scratch = Out::default();
        let mut nodes = Nodes {
            rows: Vec::with_capacity(base.nodes.len() + touched.len()),
            gone: Vec::new(),
            of_base: vec![NONE; base.nodes.len()],
            of_touched: vec![NONE; self.nodes.len()],
        };
        let (mut next, mut next_gone) = (0, 0);
        for node in touched {
            let place = base.place(&node.id);
            nodes.copy(&base.nodes, next, place.unwrap_or_else(|at| at));
            next = place.map_or_else(|at| at, |at| at + 1);
            let before = place.ok().and_then(|at| base.nodes.get(at));
            let gone = base.gone_place(&node.id);
            nodes.gone.extend(
                base.gone
                    .get(next_gone..gone.unwrap_or_else(|at| at))
                    .unwrap_or_default(),
            );
            next_gone = gone.map_or_else(|at| at, |at| at + 1);
            let (record, is_held) = match node.state {
                Some((number, state)) => {
                    let is_known = !(state.tags.is_empty() && state.properties.is_empty());
                    let is_held = held.get(number as usize) == Some(&true);
                    let record = if is_known || is_held {
                        records.push(&mut scratch, |out| push_state(state, out))
                    } else {
                        NONE
                    };
                    (record, is_held || !state.tags.is_empty())
                }
                None => (
                    before.map_or_else(
                        || gone.ok().and_then(|at| base.gone.get(at).copied()).unwrap_or(NONE),
                        |row| row.record,
                    ),
                    false,
                ),
            };
            let derived = match node.epoch {
                Some(epoch) => records.push(&mut scratch, |out| push_epoch(epoch, out)),
                None => before.map_or(NONE, |row| row.derived),
            };
            if is_held || derived != NONE {
                let at = u32::try_from(nodes.rows.len()).unwrap_or(NONE);
                nodes.rows.push(NodeRow { record, derived });
                if let Some(slot) = place.ok().and_then(|at| nodes.of_base.get_mut(at)) {
                    *slot = at;
                }
                if let Some(slot) = node
                    .state
                    .and_then(|(number, _)| nodes.of_touched.get_mut(number as usize))
                {
                    *slot = at;
                }
            } else if record != NONE {
                nodes.gone.push(record);
            }
        }
        nodes.copy(&base.nodes, next, base.nodes.len());
        nodes.gone.extend(base.gone.get(next_gone..).unwrap_or_default());
        nodes
    }

    fn merged_edges(&self, nodes: &Nodes, records: &mut Records) -> Vec<EdgeRow> {
        let mut scratch = Out::default();
        let mut is_touched = vec![false; self.base.edges.len()];
        let mut new: Vec<EdgeRow> = Vec::with_capacity(self.edges.len());
        let mut states: Vec<_> = self.edges.iter().collect();
        // Records stand in the order in which edges are read.
        let place = |number: NodeNumber| nodes.of_touched.get(number as usize).copied().unwrap_or(NONE);
        states.sort_unstable_by_key(|((source, target, kind), _)| (place(*source), place(*target), *kind));
        for ((source, target, kind), state) in states {
            if let Some(flag) = state.base.and_then(|at| is_touched.get_mut(at as usize)) {
                *flag = true;
            }
            let (source, target) = (place(*source), place(*target));
            if !state.live.is_empty() && source != NONE && target != NONE {
                let live = state.live.iter().map(|edge| (edge.stamp, &edge.fields));
                let record = records.push(&mut scratch, |out| out.edge(live));
                new.push(EdgeRow {
                    source,
                    target,
                    kind: *kind,
                    record,
                });
            }
        }
        let of_base = |at: u32| nodes.of_base.get(at as usize).copied().unwrap_or(NONE);
        let kept = self
            .base
            .edges
            .iter()
            .zip(is_touched)
            .filter(|(_, is_touched)| !is_touched);
        let kept = kept.map(|(edge, _)| EdgeRow {
            source: of_base(edge.source),
            target: of_base(edge.target),
            ..*edge
        });
        let mut edges = Vec::with_capacity(self.base.edges.len() + new.len());
        let mut new = new.into_iter().peekable();
        let key = |edge: &EdgeRow| -> (u32, u32, EdgeType) { edge.key() };
        for edge in kept {
            while let Some(next) = new.next_if(|next| key(next) < key(&edge)) {
                edges.push(next);
            }
            edges.push(edge);
        }
        edges.extend(new);
        edges
    }
}

impl Nodes {
    fn copy(&mut self, base: &[NodeRow], from: usize, to: usize) {
        let first = self.rows.len();
        self.rows.extend_from_slice(base.get(from..to).unwrap_or_default());
        let slots = self.of_base.get_mut(from..to).unwrap_or_default();
        for (slot, at) in slots.iter_mut().zip(first..) {
            *slot = u32::try_from(at).unwrap_or(NONE);
        }
    }
}

fn push_state(state: &NodeState, out: &mut Out) {
    let properties = state.properties.iter();
    let properties = properties.map(|(key, (stamp, value))| (&**key, *stamp, value.as_deref()));
    out.node(&state.id, &state.tags, properties);
}
