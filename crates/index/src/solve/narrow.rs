//! Type narrowing: which objects pass a test of their class or of a member.

use super::engine::Engine;
use super::objects::{Evidence, Object, ObjectId};

impl Engine<'_, '_> {
    /// Puts an object into a slot if it is an instance of one of the classes in a slot. With `others`, if it is not.
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
                // A function becomes an instance of the functional interface.
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

    /// Whether functions implement functional interfaces in the language of a class.
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

    /// Puts an object into a slot if its member equals a literal; without a literal, if it has the member. With
    /// `others`, the test is negated. An object for which the test is undecided passes.
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

    /// Whether a member of an object equals a literal. `None` if no literal is known.
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
