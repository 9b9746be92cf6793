//! The files of the repository that the edges of an import name: their nodes need no declaration (clause Amend5).

use std::collections::{BTreeMap, BTreeSet};

use lore_model::normal_path;

use super::payload::{Entry, Payload, PayloadNode};
use crate::graph::Graph;
use crate::id::NodeId;
use lore_seam::{Ctx, OpError, PathKind};

/// The nodes of existing files that edges name and no entry declares.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedFiles {
    existing: BTreeSet<NodeId>,
}

impl NamedFiles {
    /// Looks for the files that the edges of a payload name.
    pub(super) fn find(ctx: &Ctx, payload: &Payload) -> Result<Self, OpError> {
        let declared: BTreeSet<&NodeId> = payload.nodes.iter().map(|node| &node.id).collect();
        let ends = payload
            .edges
            .iter()
            .flat_map(|edge| [&edge.edge.source, &edge.edge.target]);
        let named: BTreeSet<&NodeId> = ends.filter(|id| path(id).is_some() && !declared.contains(id)).collect();
        if named.is_empty() {
            return Ok(Self::default());
        }
        let files = ctx.ports.code.files()?;
        let exists = |id: &NodeId| {
            let path = path(id).filter(|path| normal_path(path).as_deref() == Some(path));
            path.is_some_and(|path| files.kind(path) == Some(PathKind::File))
        };
        let existing = named.into_iter().filter(|id| exists(id)).cloned();
        Ok(Self {
            existing: existing.collect(),
        })
    }

    /// Declares the nodes of existing files that are not in the graph yet; their ids.
    pub(super) fn declare(&self, payload: &mut Payload, graph: &Graph) -> Vec<String> {
        let mut missing: BTreeMap<&NodeId, Option<Entry>> = self
            .existing
            .iter()
            .filter(|id| graph.node(id.as_str()).is_none())
            .map(|id| (id, None))
            .collect();
        for edge in &payload.edges {
            for id in [&edge.edge.source, &edge.edge.target] {
                if let Some(entry) = missing.get_mut(id) {
                    entry.get_or_insert_with(|| edge.entry.clone());
                }
            }
        }
        let mut declared = Vec::with_capacity(missing.len());
        for (id, entry) in missing {
            let Some(entry) = entry else {
                continue;
            };
            declared.push(id.to_string());
            payload.nodes.push(PayloadNode {
                id: id.clone(),
                properties: Vec::new(),
                entry,
            });
        }
        declared
    }
}

/// The path that a node names. Files of other repositories are not looked for.
fn path(id: &NodeId) -> Option<&str> {
    id.as_str().strip_prefix("file:")
}
