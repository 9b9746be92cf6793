//! Conditions on values: which of them pass a test of their class or of a member.

use super::engine::Engine;
use super::objects::{Evidence, Object, ObjectId};

impl Engine<'_, '_> {
    /// Lets an object pass if it is an instance of one of the classes of a slot, or if it is none.
    pub(super) fn narrow(&mut self, to: u32, object: ObjectId, classes: u32, others: bool, evidence: Evidence) {
        let classes: Vec<ObjectId> = self.entries(classes).into_iter().map(|(class, _)| class).collect();
        let outside = |engine: &Self| {
            classes
                .iter()
                .any(|class| matches!(engine.objects.get(*class), Object::External(_)))
        };
        let passes = match self.objects.get(object) {
            _ if classes.is_empty() => true,
            Object::Function { .. } | Object::Bound { .. } | Object::Maker { .. } | Object::Unbound { .. }
                if !others && !outside(self) && self.adapts(classes[0]) =>
            {
                // A function becomes an instance of the interface that is asked for.
                let class = classes[0];
                let adapted = self.objects.number(Object::Adapted {
                    function: object,
                    class,
                });
                self.put(to, adapted, evidence);
                return;
            }
            Object::Adapted { .. } => !others,
            _ if self.adapts(classes[0]) && !others && (outside(self) || self.is_prelude_class(classes[0])) => true,
            Object::External(_) => true,
            Object::Instance { .. } | Object::Function { .. } | Object::Bound { .. } => {
                others != classes.iter().any(|class| self.is_value_of(object, *class))
            }
            _ => others,
        };
        if passes {
            self.put(to, object, evidence);
        }
    }

    /// Whether functions are values of interfaces where a class comes from.
    fn adapts(&self, class: ObjectId) -> bool {
        match self.objects.get(class) {
            Object::External(_) => true,
            _ => self.rules_of(class).is_some_and(|rules| rules.adapts),
        }
    }

    fn is_prelude_class(&self, class: ObjectId) -> bool {
        match self.objects.get(class) {
            Object::Class { class, .. } => self.is_prelude(self.program.unit_of_class(class)),
            _ => false,
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
