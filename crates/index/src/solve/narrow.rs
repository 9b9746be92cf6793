//! Conditions on values: which of them pass a test of their class or of a member.

use super::engine::Engine;
use super::objects::{Evidence, Object, ObjectId};

impl Engine<'_, '_> {
    /// Lets an object pass if it is an instance of one of the classes of a slot, or if it is none.
    pub(super) fn narrow(&mut self, to: u32, object: ObjectId, classes: u32, others: bool, evidence: Evidence) {
        let classes: Vec<ObjectId> = self.entries(classes).into_iter().map(|(class, _)| class).collect();
        let passes = match self.objects.get(object) {
            _ if classes.is_empty() => true,
            Object::Instance { class, .. } => {
                let order = self.order(class);
                others != classes.iter().any(|class| order.contains(class))
            }
            Object::External(_) => true,
            _ => others,
        };
        if passes {
            self.put(to, object, evidence);
        }
    }

    /// Whether a slot holds nothing but classes.
    pub(super) fn holds_classes(&self, slot: u32) -> bool {
        self.entries(slot)
            .iter()
            .all(|(class, _)| matches!(self.objects.get(*class), Object::Class { .. }))
    }

    /// Lets an object pass if its member is a literal, or if it has the member at all; or if not so.
    pub(super) fn narrow_member(
        &mut self,
        to: u32,
        object: ObjectId,
        member: u32,
        literal: u32,
        others: bool,
        evidence: Evidence,
    ) {
        if self
            .is_among(object, member, literal)
            .is_none_or(|among| among != others)
        {
            self.put(to, object, evidence);
        }
    }

    /// Whether a member of an object is a literal, as far as that is known.
    fn is_among(&mut self, object: ObjectId, member: u32, literal: u32) -> Option<bool> {
        let Object::Instance { class, .. } = self.objects.get(object) else {
            return None;
        };
        let own = self.field_if_any(object, member);
        let common = self.member_of(class, member);
        if literal == lore_model::NONE {
            return Some(own.is_some() || common.is_some());
        }
        let mut known = None;
        for field in own.into_iter().chain(common) {
            for (held, _) in self.entries(field) {
                if let Object::Literal(held) = self.objects.get(held) {
                    known = Some(known.unwrap_or(false) || held == literal);
                }
            }
        }
        known
    }
}
