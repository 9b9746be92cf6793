//! Which of the patches that were read count: order is by ancestry, and what a patch says about its own order has to agree with it.

use std::collections::HashMap;

use super::{Covered, Fold, Waiting};
use crate::patch::{EdgeFields, Operation, Patch};
use lore_seam::ObjectId;

/// Beyond this no Lamport time is believed where the history is cut.
const LATEST: u64 = 1 << 48;

impl Fold {
    /// Covers everything that is incoming and gives the patches that are taken, with their numbers.
    pub(super) fn judge(&mut self) -> Vec<(u32, Patch)> {
        let mut incoming = std::mem::take(&mut self.incoming);
        incoming.sort_by_key(|patch| patch.id);
        incoming.dedup_by_key(|patch| patch.id);
        incoming.retain(|patch| !self.by_patch.contains_key(&patch.id));
        let order = by_ancestry(&incoming);
        let mut waiting: Vec<Option<Waiting>> = incoming.into_iter().map(Some).collect();
        let mut applied = Vec::new();
        for at in order {
            if let Some(patch) = waiting.get_mut(at).and_then(Option::take) {
                applied.extend(self.cover(patch));
            }
        }
        // Ids are hashes of what they name, so that only forged ones lead back to themselves.
        for mut patch in waiting.into_iter().flatten() {
            patch.patch = Err("it is its own ancestor".to_owned());
            self.cover(patch);
        }
        self.missing
            .retain(|id| !self.by_patch.contains_key(id) && !self.strangers.contains(id));
        applied
    }

    fn cover(&mut self, incoming: Waiting) -> Option<(u32, Patch)> {
        let number = u32::try_from(self.patches.len()).unwrap_or(u32::MAX);
        let (mut lamport, mut is_forged, mut is_cut) = (0, false, false);
        for parent in &incoming.parents {
            match self
                .by_patch
                .get(parent)
                .and_then(|number| self.patches.get(*number as usize))
            {
                Some(parent) => lamport = lamport.max(parent.lamport),
                None if self.strangers.contains(parent) => is_forged = true,
                None => {
                    is_cut = true;
                    self.missing.insert(*parent);
                }
            }
        }
        let mut lamport = lamport.saturating_add(1);
        let said = incoming.patch.as_ref().map_or(0, |patch| patch.lamport);
        if is_cut && (lamport..LATEST).contains(&said) {
            lamport = said;
        }
        let verdict = incoming.patch.and_then(|patch| match patch.lamport == lamport {
            _ if is_forged => Err("one of its parents is not a patch".to_owned()),
            true => carried_fault(&patch).map_or(Ok(patch), Err),
            false => Err(format!("its Lamport time is {said}, but its parents require {lamport}")),
        });
        let (writer, head) = match &verdict {
            Ok(patch) => (patch.writer.clone(), patch.head),
            Err(_) => (Box::default(), None),
        };
        let (skipped, patch) = match verdict {
            Ok(patch) => (None, Some(patch)),
            Err(why) => (Some(why.chars().take(300).collect::<String>().into()), None),
        };
        if patch.is_some() {
            self.have_child(&incoming.parents);
        }
        self.by_patch.insert(incoming.id, number);
        self.patches.push(Covered {
            id: incoming.id,
            lamport,
            skipped,
            has_child: false,
            writer,
            head,
        });
        Some((number, patch?))
    }

    fn have_child(&mut self, parents: &[ObjectId]) {
        for parent in parents {
            if let Some(number) = self.by_patch.get(parent)
                && let Some(covered) = self.patches.get_mut(*number as usize)
            {
                covered.has_child = true;
            }
        }
    }
}

/// What a patch carries on was written before it.
fn carried_fault(patch: &Patch) -> Option<String> {
    let carried = |fields: &EdgeFields| {
        let rationale = fields.rationale.as_ref().and_then(|field| field.lamport);
        let reviewed = fields.reviewed_at.as_ref().and_then(|field| field.lamport);
        [
            fields.confidence.lamport,
            fields.created_at.lamport,
            rationale,
            reviewed,
        ]
    };
    let is_late = |lamport: &u64| *lamport >= patch.lamport;
    let late = patch.operations.iter().any(|operation| match operation {
        Operation::PutEdge { fields, .. } => carried(fields).iter().flatten().any(is_late),
        _ => false,
    });
    late.then(|| "it continues a patch that is not older".to_owned())
}

/// The places of patches, each after its parents; those in a circle are left out.
fn by_ancestry(incoming: &[Waiting]) -> Vec<usize> {
    let places: HashMap<ObjectId, usize> = incoming.iter().enumerate().map(|(at, patch)| (patch.id, at)).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); incoming.len()];
    let mut parents = vec![0_usize; incoming.len()];
    for (at, patch) in incoming.iter().enumerate() {
        for parent in &patch.parents {
            if let Some(place) = places.get(parent) {
                children[*place].push(at);
                parents[at] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..incoming.len()).filter(|at| parents[*at] == 0).collect();
    let mut next = 0;
    while let Some(at) = order.get(next).copied() {
        next += 1;
        for child in &children[at] {
            parents[*child] -= 1;
            if parents[*child] == 0 {
                order.push(*child);
            }
        }
    }
    order
}
