//! Traits: implementations that are separate from their type, members reached through a smart pointer, and trait
//! functions that the first argument dispatches.

use lore_model::{ArgumentKind, BodyFlags, ClassFlags, FlowFlags, FlowStep, NONE};

use super::engine::{ABSENT, Call, Dispatch, Engine, NOTHING, Pending, Way};
use super::objects::{Evidence, Object, ObjectId};

/// The field of an implementation for any type that holds its bounds.
pub(super) const BOUNDS: &str = "<bounds>";

/// Most implementations of one type.
const MAX_IMPLEMENTATIONS: usize = 512;

impl<'s> Engine<'_, 's> {
    /// Loads a name as a value. For a class without fields (a unit struct), the value is an instance.
    pub(super) fn value(
        &mut self,
        activation: u32,
        row: u32,
        step: &'s FlowStep,
        object: ObjectId,
        evidence: Evidence,
    ) {
        let to = self.activations[activation as usize].base + step.to.get();
        if step.flags & FlowFlags::NEW != 0 {
            self.certain(to, object);
            return;
        }
        match self.objects.get(object) {
            Object::Class { class, .. } if self.program.class(class).flags.get() & ClassFlags::VALUE != 0 => {
                let call = Call::implicit(activation, row, to, step.line.get());
                self.construct(&call, object, evidence);
            }
            _ => self.put(to, object, evidence),
        }
    }

    /// Puts an instance of a declared type that is certain.
    fn certain(&mut self, to: u32, object: ObjectId) {
        match self.objects.get(object) {
            Object::Class { .. } => {
                let instance = self.objects.number(Object::Instance { class: object, site: 0 });
                self.put(to, instance, Evidence::Typed);
            }
            // External types and aliases remain a fallback.
            _ => self.hint(to, object, false),
        }
    }

    /// Adds an implementation to the bases of a type.
    pub(super) fn implement(&mut self, unit: usize, activation: u32, step: &FlowStep, object: ObjectId) {
        match self.objects.get(object) {
            Object::Class { .. } => {}
            Object::External(_) => {
                self.extended.insert(object);
            }
            _ => return,
        }
        let class = self.objects.number(Object::Class {
            class: self.program.global_class(unit, step.b.get()),
            maker: activation,
        });
        self.implement_lines.insert(class, step.line.get());
        let bases = self.bases.entry(object).or_default();
        if class != object && bases.len() < MAX_IMPLEMENTATIONS && !bases.iter().any(|base| base.contains(&class)) {
            bases.push(vec![class]);
            self.bases_changed = true;
            self.orders.clear();
            self.found.clear();
        }
    }

    /// A member that an external type has from an implementation in this repository.
    pub(super) fn member_of_extended(&mut self, external: u32, name: u32) -> Option<u32> {
        if self.extended.is_empty() {
            return None;
        }
        let class = self.externals[external as usize].strip_suffix("()")?;
        let class = *self.external_numbers.get(class)?;
        let class = self.objects.number(Object::External(class));
        if self.extended.contains(&class) {
            self.member_of(class, name)
        } else {
            None
        }
    }

    /// Whether a member always is an instance of its declared class. Stores to such a member are ignored.
    pub(super) fn is_sealed(&self, object: ObjectId, name: u32, from: u32) -> bool {
        self.sealed.get(&(object, name)).is_some_and(|declared| {
            *declared != from
                && self
                    .entries(*declared)
                    .iter()
                    .any(|(held, _)| matches!(self.objects.get(*held), Object::Instance { site: 0, .. }))
        })
    }

    /// Whether an object is a wrapper: it holds one value and is treated as that value.
    pub(super) fn is_wrapper(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::Instance { class, .. } if self.wrappers.contains(&class))
    }

    /// A member of the root class, which is searched last.
    fn member_of_root(&mut self, class: ObjectId, name: u32) -> Option<u32> {
        let root = self.rules_of(class)?.root?;
        let unit = match self.objects.get(class) {
            Object::Class { class, .. } => self.program.unit_of_class(class),
            _ => return None,
        };
        let root = self.built_in_class(unit, root)?;
        let first = self.member_of(root, name)?;
        if self.bounded.is_empty() {
            return Some(first);
        }
        // A blanket implementation applies only to types that satisfy its bounds.
        let order = self.order(root);
        order.iter().copied().find_map(|place| {
            let members = self.members(place);
            let field = self.field_if_any(members, name)?;
            self.keeps_bounds(class, place).then_some(field)
        })
    }

    /// Whether a class satisfies the bounds of an implementation.
    fn keeps_bounds(&mut self, class: ObjectId, place: ObjectId) -> bool {
        if !self.bounded.contains(&place) {
            return true;
        }
        let bounds = self.program.rule_name(BOUNDS);
        let Some(field) = self.field_if_any(place, bounds) else {
            return true;
        };
        let wanted: Vec<ObjectId> = self
            .entries(field)
            .into_iter()
            .map(|(bound, _)| bound)
            .filter(|bound| {
                matches!(self.objects.get(*bound), Object::Class { class, .. }
                if !self.is_prelude(self.program.unit_of_class(class)))
            })
            .collect();
        let order = self.order(class);
        wanted.iter().all(|bound| order.contains(bound))
    }

    /// Looks up a member in the root class and behind smart pointers. Returns whether there is one.
    pub(super) fn find_beyond(&mut self, wanted: &Pending, name: u32) -> bool {
        let Pending { receiver, to, evidence } = *wanted;
        match self.objects.get(receiver) {
            Object::Instance { class, .. } => {
                if let Some(field) = self.member_of_root(class, name) {
                    self.connect(field, to, Way::Bind(receiver));
                    return true;
                }
                self.find_in_lender(receiver, class, to, name, evidence)
            }
            Object::Class { .. } => match self.member_of_root(receiver, name) {
                Some(field) => {
                    self.connect(field, to, Way::BindClass(receiver));
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    /// Looks up a member in the object behind a smart pointer.
    fn find_in_lender(&mut self, receiver: ObjectId, class: ObjectId, to: u32, name: u32, evidence: Evidence) -> bool {
        let Some(lends) = self.rules_of(class).and_then(|rules| rules.stands_for) else {
            return false;
        };
        if self.kept.contains(&(receiver, name)) {
            return false;
        }
        let (lends, lends_to_change, lent_type) = lends;
        let lends = self.program.rule_name(lends);
        let lends_to_change = self.program.rule_name(lends_to_change);
        let Some(mut field) = self
            .member_of(class, lends)
            .filter(|_| lends != name && lends_to_change != name)
        else {
            return false;
        };
        let lent_type = self.program.rule_name(lent_type);
        if let Some(other) = self.member_of(class, lends_to_change)
            && self.is_changed_by(class, lent_type, name)
        {
            field = other;
        }
        let Some(call) = self.reading(to) else { return false };
        if self.answered.insert((to, receiver)) {
            let lent = self.new_slots(1, NONE);
            self.run_members(&Call { to: lent, ..call }, field, receiver, evidence);
            self.connect(lent, to, Way::Member(name));
        }
        true
    }

    /// Whether a member of the type behind a smart pointer mutates its receiver.
    fn is_changed_by(&mut self, class: ObjectId, lent_type: u32, name: u32) -> bool {
        let Some(types) = self.member_of(class, lent_type) else {
            return false;
        };
        let members: Vec<u32> = self
            .entries(types)
            .into_iter()
            .filter_map(|(lent, _)| self.member_of(lent, name))
            .collect();
        members.iter().any(|member| {
            self.entries(*member).iter().any(|(function, _)| {
                matches!(self.objects.get(*function), Object::Function { body, .. }
                    if self.program.body(body).flags.get() & BodyFlags::CHANGES != 0)
            })
        })
    }

    /// The field of a member, searched only in places that derive from a class (Rust: `<T as Trait>::name`).
    fn member_as(&mut self, start: ObjectId, name: u32, class: ObjectId) -> Option<u32> {
        let order = self.order(start);
        order.iter().copied().find_map(|place| {
            // A member that the type defines itself is not a member of the trait.
            let derives = place == class || place != start && self.order(place).contains(&class);
            let members = self.members(place);
            self.field_if_any(members, name).filter(|_| derives)
        })
    }

    /// Loads a member of an object as a class defines it (Rust: `<T as Trait>::name`).
    pub(super) fn load_as(&mut self, to: u32, object: ObjectId, name: u32, class: ObjectId, evidence: Evidence) {
        let Some(start) = self.class_of(object) else {
            return;
        };
        let way = match self.objects.get(object) {
            Object::Class { .. } => Way::BindClass(object),
            _ => Way::Bind(object),
        };
        match self.member_as(start, name, class) {
            Some(field) => self.connect(field, to, way),
            None => self.load_member(to, object, name, evidence),
        }
    }

    /// Whether the first argument selects the function that a call runs.
    pub(super) fn is_dispatched(&self, function: ObjectId, receiver: ObjectId) -> bool {
        let (Object::Function { body, .. }, Object::Class { .. }) =
            (self.objects.get(function), self.objects.get(receiver))
        else {
            return false;
        };
        self.program.body(body).flags.get() & BodyFlags::DISPATCHED != 0
    }

    /// Calls the member of the first argument that has the name of a trait function.
    pub(super) fn dispatch(&mut self, call: &Call<'s>, function: ObjectId, class: ObjectId) {
        let key = (call.activation, call.key, function);
        if self.dispatch_numbers.contains_key(&key) {
            return;
        }
        let Object::Function { body, .. } = self.objects.get(function) else {
            return;
        };
        let base = self.activations[call.activation as usize].base;
        let mut inner = call.clone();
        let first = match (call.leading, call.arguments.split_first()) {
            ([ABSENT, _], Some((first, rest))) if first.kind == ArgumentKind::PLAIN => {
                inner.arguments = rest;
                base + first.slot.get()
            }
            ([first, second], _) if first != ABSENT && first != NOTHING => {
                inner.leading = [second, ABSENT];
                first
            }
            _ => return,
        };
        let number = self.dispatches.len() as u32;
        self.dispatch_numbers.insert(key, number);
        let facts = self.program.units[self.program.unit_of_body(body)].facts;
        let definition = self.program.body(body).definition.get();
        let Some(definition) = facts.definitions.get(definition as usize) else {
            return;
        };
        let name = self.program.intern(facts.get(definition.name));
        self.dispatches.push(Dispatch { function, class, name });
        let waiting = self.wait_with(&inner);
        let found = self.new_slots(1, NONE);
        self.connect(found, NONE, Way::Called(waiting));
        self.connect(first, found, Way::Dispatch { dispatch: number });
        let receiver = self.objects.number(Object::Instance { class, site: 0 });
        let bound = self.objects.number(Object::Bound { function, receiver });
        self.hint_weakly(found, bound, true);
    }

    /// Runs a dispatched call for a first argument that has arrived.
    pub(super) fn dispatch_on(&mut self, to: u32, dispatch: u32, object: ObjectId, evidence: Evidence) {
        let Dispatch { function, class, name } = self.dispatches[dispatch as usize];
        match self.class_of(object) {
            Some(_) => self.load_as(to, object, name, class, evidence),
            // A function has no class. The trait's own function is called.
            None if matches!(self.objects.get(object), Object::Function { .. } | Object::Bound { .. }) => {
                let bound = self.objects.number(Object::Bound {
                    function,
                    receiver: object,
                });
                self.put(to, bound, evidence);
            }
            None => {}
        }
    }
}
