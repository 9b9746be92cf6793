//! Call sites whose targets a bound cut: some of the values that select them were dropped, so the known targets are an arbitrary
//! subset.

use lore_model::{FlowCode, NONE};

use super::engine::{Engine, Way};
use super::fast_hash::Numbers;
use super::objects::{Object, ObjectId};

/// Slots and instructions between a slot that dropped values and a call that lacks them.
const MAX_HOPS: u32 = 8;

impl Engine<'_, '_> {
    /// Whether an object can be called, or has members that can be called.
    pub(super) fn leads_to_calls(&self, object: ObjectId) -> bool {
        !matches!(
            self.objects.get(object),
            Object::External(_) | Object::Literal(_) | Object::Sink(_)
        )
    }

    /// The call sites, by program-wide number, whose callee or receiver lacks dropped values.
    pub(super) fn cut_sites(&self) -> Numbers<u32> {
        let mut sites = Numbers::default();
        let mut seen = vec![false; self.slots.len()];
        let mut level: Vec<u32> = self.cut.iter().copied().collect();
        level.iter().for_each(|slot| seen[*slot as usize] = true);
        for hop in 0..=MAX_HOPS {
            let mut reached = Vec::new();
            for slot in level {
                self.leave_cut(slot, &mut sites, &mut |to| {
                    if hop < MAX_HOPS
                        && let Some(seen) = seen.get_mut(to as usize)
                        && !std::mem::replace(seen, true)
                    {
                        reached.push(to);
                    }
                });
            }
            level = reached;
        }
        sites
    }

    /// Passes on the slots that get their values from a slot, and notes the calls that its values select.
    fn leave_cut(&self, slot: u32, sites: &mut Numbers<u32>, pass: &mut dyn FnMut(u32)) {
        let Slot { activation, result } = self.slot_of_activation(slot);
        let mut edge = self.slots[slot as usize].first_edge;
        while let Some(row) = self.edges.get(edge as usize) {
            let leads_on = matches!(
                row.way,
                Way::Plain
                    | Way::Crossed
                    | Way::Receiver
                    | Way::Bind(_)
                    | Way::BindClass(_)
                    | Way::Key(_)
                    | Way::Element { .. }
                    | Way::Awaited
                    | Way::Member(_)
                    | Way::Inherited { .. }
            );
            // A result goes to every caller. Callers lack only what their own slots dropped.
            if leads_on && row.to != NONE && !result {
                pass(row.to);
            }
            edge = row.next;
        }
        let Some(row) = self.activations.get(activation as usize) else {
            return;
        };
        let unit = self.program.unit_of_body(row.body);
        let (steps, first) = self.program.steps_on(row.body, slot - row.base);
        for (at, step) in (first..).zip(steps) {
            match step.code {
                FlowCode::COPY
                | FlowCode::LOAD
                | FlowCode::LOAD_OR
                | FlowCode::LOAD_KEY
                | FlowCode::ITERATE
                | FlowCode::AWAIT
                | FlowCode::NARROW
                | FlowCode::NARROW_MEMBER
                | FlowCode::CLASS_OF
                | FlowCode::INSTANCE
                    if step.to.get() != NONE =>
                {
                    pass(row.base + step.to.get());
                }
                FlowCode::CALL | FlowCode::METHOD if !self.is_prelude(unit) => {
                    sites.insert(self.program.global_step(unit, at as u32) as u32);
                }
                _ => {}
            }
        }
    }

    /// The activation that owns a slot, and whether the slot is the result of its body.
    fn slot_of_activation(&self, slot: u32) -> Slot {
        let activation = self.slots[slot as usize].activation;
        let result = self.activations.get(activation as usize).is_some_and(|row| {
            let body = self.program.body(row.body);
            let results = body.result.get()..body.result.get().saturating_add(body.results.get().max(1));
            results.contains(&(slot - row.base))
        });
        Slot { activation, result }
    }
}

/// Where a slot is.
struct Slot {
    activation: u32,
    result: bool,
}
