//! Elements of collections, iteration and awaiting.

use lore_model::{FlowFlags, NONE};

use super::engine::{Call, Engine, MAX_LITERALS, NOTHING, UnknownKey, Way};
use super::objects::{Evidence, Object, ObjectId};

/// Marks the sites of instances of generic classes. Such instances have a site but are not collections.
const GENERIC: u32 = 1 << 31;
/// Most objects that receive a copy of the fields of one object.
const MAX_MERGES: usize = 64;

impl<'s> Engine<'_, 's> {
    pub(super) fn is_collection(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::Instance { site, .. } if site != 0 && site & GENERIC == 0)
    }

    /// An instance of a class with its own allocation site.
    pub(super) fn own_instance(&mut self, class: ObjectId, place: (u32, u32)) -> ObjectId {
        let next = self.sites.len() as u32 + 1;
        let mut site = *self.sites.entry(place).or_insert(next);
        if let Object::Class { class, .. } = self.objects.get(class)
            && !self.is_prelude(self.program.unit_of_class(class))
        {
            site |= GENERIC;
        }
        self.objects.number(Object::Instance { class, site })
    }

    pub(super) fn load_key(
        &mut self,
        to: u32,
        object: ObjectId,
        key: u32,
        evidence: Evidence,
        call: Option<&Call<'s>>,
    ) {
        if self.data.contains(&object) {
            return;
        }
        if self.is_collection(object) {
            match key {
                NONE => {
                    let all = self.field(object, self.names.all);
                    self.connect(all, to, Way::Crossed);
                }
                key => {
                    let field = self.field(object, key);
                    self.connect(field, to, Way::Crossed);
                    let unkeyed = self.field(object, self.names.unkeyed);
                    self.connect(unkeyed, to, Way::Crossed);
                }
            }
            return;
        }
        match self.objects.get(object) {
            Object::Instance { class, .. } if self.extends_collection(class).is_some() => {
                self.element_of_extended(to, object, class);
            }
            Object::Instance { class, .. } => {
                if let Some(field) = self.member_of(class, self.names.unkeyed) {
                    self.connect(field, to, Way::Crossed);
                }
                if let (Some(call), Some(rules)) = (call, self.rules_of(class)) {
                    self.call_named(call, object, rules.element.0, evidence);
                }
            }
            // `Class[int]` is the class.
            Object::Class { .. } | Object::External(_) => self.put(to, object, evidence),
            // `function[int]` is the function: explicit type arguments.
            Object::Function { body, .. }
                if self
                    .rules(self.program.unit_of_body(body))
                    .is_some_and(|rules| rules.converts) =>
            {
                self.put(to, object, evidence);
            }
            _ => {}
        }
    }

    /// Stores a value under a key of an object. Without a key, stores it as an unkeyed element.
    pub(super) fn store_key(&mut self, write: &Call<'s>, object: ObjectId, key: u32, from: u32, evidence: Evidence) {
        if self.data.contains(&object) {
            return;
        }
        if self.is_collection(object) {
            let name = if key == NONE { self.names.unkeyed } else { key };
            let field = self.field(object, name);
            self.connect(from, field, Way::Crossed);
            return;
        }
        if let Object::Instance { class, .. } = self.objects.get(object)
            && self.extends_collection(class).is_some()
        {
            let field = self.field(object, self.names.all);
            self.connect(from, field, Way::Crossed);
            return;
        }
        if let Object::Instance { class, .. } = self.objects.get(object)
            && let Some(rules) = self.rules_of(class)
        {
            let call = Call {
                leading: [NOTHING, from],
                ..write.clone()
            };
            self.call_named(&call, object, rules.element.1, evidence);
        }
    }

    /// The built-in collection that a class of this repository extends, in languages with `FlowRules::packages`.
    fn extends_collection(&mut self, class: ObjectId) -> Option<ObjectId> {
        if self.rules_of(class).is_none_or(|rules| !rules.packages) {
            return None;
        }
        if let Some(known) = self.collections.get(&class) {
            return *known;
        }
        let iterate = self.rules_of(class).map_or("", |rules| rules.iterate.0);
        let iterate = self.program.intern(iterate);
        let order = self.order(class);
        let found = order.iter().copied().find(|place| match self.objects.get(*place) {
            Object::Class { class, .. } => self.is_prelude(self.program.unit_of_class(class)),
            _ => false,
        });
        // A class with its own iterator is not treated as a collection.
        let found = found.filter(|_| match self.member_of(class, iterate) {
            Some(field) => self
                .entries(field)
                .iter()
                .any(|(member, _)| match self.objects.get(*member) {
                    Object::Function { body, .. } => {
                        self.is_prelude(self.program.unit_of_body(body))
                            && self.program.body(body).flags.get() & lore_model::BodyFlags::DECLARED == 0
                    }
                    _ => false,
                }),
            None => false,
        });
        self.collections.insert(class, found);
        found
    }

    /// Loads an element of an extended collection. Fallback: the type argument of the base.
    fn element_of_extended(&mut self, to: u32, object: ObjectId, class: ObjectId) {
        let all = self.field(object, self.names.all);
        self.connect(all, to, Way::Crossed);
        let name = self.extends_collection(class).and_then(|base| self.name_of_class(base));
        if let Some(name) = name {
            let made_with = self.program.intern(&format!("<{}.0>", self.program.text(name)));
            if let Some(field) = self.member_of(class, made_with) {
                self.connect(field, to, Way::Hinted);
            }
        }
    }

    /// Loads an element of an iterable object.
    pub(super) fn element(
        &mut self,
        to: u32,
        object: ObjectId,
        evidence: Evidence,
        unkeyed: bool,
        call: Option<&Call<'s>>,
    ) {
        if self.data.contains(&object) {
            return;
        }
        if self.is_collection(object) && !self.has_own_iterator(object, call.is_some()) {
            let Object::Instance { class, .. } = self.objects.get(object) else {
                return;
            };
            if self.is_map(class) && !self.says_how_to_iterate(class) {
                let keys = self.field(object, self.names.keys);
                self.connect(keys, to, Way::Crossed);
                return;
            }
            let name = if unkeyed { self.names.unkeyed } else { self.names.all };
            let field = self.field(object, name);
            self.connect(field, to, Way::Crossed);
            return;
        }
        let class = match self.objects.get(object) {
            Object::Instance { class, .. } if self.extends_collection(class).is_some() => {
                self.element_of_extended(to, object, class);
                return;
            }
            Object::Instance { class, .. } => class,
            // Only an enumeration class is iterated over; its elements are its instances.
            Object::Class { .. } => {
                let instance = self.objects.number(Object::Instance { class: object, site: 0 });
                self.put(to, instance, evidence.max(Evidence::Typed));
                return;
            }
            _ => return,
        };
        let (Some(call), Some(rules)) = (call, self.rules_of(class)) else {
            return;
        };
        // The iterator arrives later. An object without the iterate method is its own iterator.
        let waiting = self.wait_with(call);
        let iterator = self.new_slots(1, NONE);
        self.connect(iterator, to, Way::Next(waiting));
        let begin = Call {
            to: iterator,
            ..call.clone()
        };
        let waits = call.flags & FlowFlags::WAITED != 0;
        let (iterate, next) = if waits { rules.iterate_waiting } else { rules.iterate };
        if !self.call_named(&begin, object, iterate, evidence) {
            self.call_next(to, call, object, next, evidence);
        }
    }

    /// Whether a collection defines its own iterator.
    fn has_own_iterator(&mut self, object: ObjectId, can_run: bool) -> bool {
        let Object::Instance { class, .. } = self.objects.get(object) else {
            return false;
        };
        if self.is_map(class) {
            return can_run && self.says_how_to_iterate(class);
        }
        self.is_record(object)
            && self
                .rules_of(class)
                .and_then(|rules| self.program.interned.get(rules.iterate.0))
                .is_some_and(|name| self.fields.contains_key(&(object, *name)))
    }

    /// Whether a class defines the method that returns an iterator.
    fn says_how_to_iterate(&mut self, class: ObjectId) -> bool {
        self.rules_of(class)
            .and_then(|rules| self.program.interned.get(rules.iterate.0).copied())
            .is_some_and(|name| self.member_of(class, name).is_some())
    }

    /// Calls the next method of an iterator.
    fn call_next(&mut self, to: u32, call: &Call<'s>, iterator: ObjectId, next: &'static str, evidence: Evidence) {
        let member = self
            .class_of(iterator)
            .and_then(|class| self.rules_of(class))
            .and_then(|rules| rules.element_of_next);
        let Some(member) = member else {
            let rules = self.class_of(iterator).and_then(|class| self.rules_of(class));
            if let Some(asks) = rules.and_then(|rules| rules.has_next) {
                let asking = Call {
                    to: NONE,
                    ..call.clone()
                };
                self.call_named(&asking, iterator, asks, evidence);
            }
            self.call_named(call, iterator, next, evidence);
            return;
        };
        let member = self.program.intern(member);
        let given = self.new_slots(1, NONE);
        let waited = self.new_slots(1, NONE);
        self.connect(given, waited, Way::Awaited);
        self.connect(waited, to, Way::Member(member));
        let call = Call {
            to: given,
            ..call.clone()
        };
        self.call_named(&call, iterator, next, evidence);
    }

    /// Stores a call until its callee or argument arrives. Returns its index.
    pub(super) fn wait_with(&mut self, call: &Call<'s>) -> u32 {
        self.waiting_calls.push(call.clone());
        self.waiting_calls.len() as u32 - 1
    }

    /// Loads the next element of an iterator that has arrived.
    pub(super) fn next(&mut self, to: u32, call: u32, iterator: ObjectId, evidence: Evidence) {
        if self.is_collection(iterator) && !self.is_record(iterator) {
            self.element(to, iterator, evidence, false, None);
            return;
        }
        let Some(rules) = self.class_of(iterator).and_then(|class| self.rules_of(class)) else {
            return;
        };
        let call = self.waiting_calls[call as usize].clone();
        let waits = call.flags & FlowFlags::WAITED != 0;
        let (_, next) = if waits { rules.iterate_waiting } else { rules.iterate };
        self.call_next(to, &call, iterator, next, evidence);
    }

    pub(super) fn is_map(&self, class: ObjectId) -> bool {
        self.is_built_in(class, |rules| Some(rules.map))
    }

    /// The name of the field for a literal key.
    pub(super) fn key_name(&mut self, object: ObjectId, literal: u32) -> u32 {
        if self.is_record(object) || !self.is_collection(object) || self.is_key(literal) {
            return literal;
        }
        let key = format!("'{}", self.program.text(literal));
        self.program.intern(&key)
    }

    /// Loads the value under a literal key.
    pub(super) fn load_literal(&mut self, to: u32, object: ObjectId, literal: u32, evidence: Evidence) {
        let key = self.key_name(object, literal);
        if self.is_key(key) && self.is_collection(object) {
            self.load_key(to, object, key, evidence, None)
        } else {
            self.load_member(to, object, key, evidence)
        }
    }

    /// Stores the content of a slot under a literal key.
    pub(super) fn store_literal(&mut self, from: u32, object: ObjectId, literal: u32) {
        if matches!(
            self.objects.get(object),
            Object::Instance { .. } | Object::Class { .. } | Object::Function { .. } | Object::Prototype(_)
        ) {
            let key = self.key_name(object, literal);
            let field = self.field(object, key);
            self.connect(from, field, Way::Crossed);
        }
    }

    /// Resolves accesses whose key is not a known literal: they mean any element. Returns whether there were any.
    pub(super) fn apply_unknown_keys(&mut self) -> bool {
        let unknown = std::mem::take(&mut self.unknown_keys);
        let mut changed = false;
        for UnknownKey {
            key,
            slot,
            object,
            stores,
        } in unknown
        {
            let literals = self
                .entries(key)
                .iter()
                .filter(|(key, _)| matches!(self.objects.get(*key), Object::Literal(_)))
                .count();
            // A slot that is full of literals may have dropped some, so its keys count as unknown.
            if (1..MAX_LITERALS).contains(&literals) {
                continue;
            }
            changed = true;
            if let Some(name) = self.foreign_key(key) {
                let field = self.field(object, name);
                if stores {
                    self.connect(slot, field, Way::Crossed)
                } else {
                    self.connect(field, slot, Way::Crossed)
                }
                continue;
            }
            if stores {
                let field = self.field(object, self.names.unkeyed);
                self.connect(slot, field, Way::Crossed);
            } else {
                let all = self.field(object, self.names.all);
                self.connect(all, slot, Way::Crossed);
            }
        }
        changed
    }

    /// The field name for a key that is an external constant, such as a JavaScript symbol. It differs from all member
    /// names.
    fn foreign_key(&mut self, key: u32) -> Option<u32> {
        let mut name = None;
        for (object, _) in self.entries(key) {
            let Object::External(external) = self.objects.get(object) else {
                return None;
            };
            let path = &self.externals[external as usize];
            if path.contains('(') && !path.starts_with("<builtin>.Symbol") {
                return None;
            }
            name = Some(format!("@{path}"));
        }
        name.map(|name| self.program.intern(&name))
    }

    pub(super) fn awaited(&mut self, to: u32, object: ObjectId, evidence: Evidence) {
        if let Object::Instance { class, site } = self.objects.get(object)
            && site != 0
            && self.is_built_in(class, |rules| Some(rules.promise))
        {
            let all = self.field(object, self.names.all);
            self.connect(all, to, Way::Crossed);
            return;
        }
        self.put(to, object, evidence);
    }

    /// Copies the fields of one object to another, now and in future, except the names in list `without`.
    pub(super) fn merge(&mut self, from: ObjectId, to: ObjectId, without: u32) {
        if from == to || !self.is_collection(from) {
            return;
        }
        let merges = self.merges.entry(from).or_default();
        if merges.contains(&(to, without)) || merges.len() >= MAX_MERGES {
            return;
        }
        merges.push((to, without));
        self.copy_keys_without(from, to, without);
    }

    /// Copies the keyed elements that one map has now to another.
    pub(super) fn copy_keys(&mut self, from: ObjectId, to: ObjectId) {
        self.copy_keys_without(from, to, 0);
    }

    fn copy_keys_without(&mut self, from: ObjectId, to: ObjectId, without: u32) {
        let names = self.names_of.get(&from).cloned().unwrap_or_default();
        let keys: Vec<(u32, u32)> = names
            .into_iter()
            .filter(|name| *name != self.names.all && (self.is_key(*name) || self.is_element(from, *name)))
            .filter(|name| !self.left_out[without as usize].contains(name))
            .filter_map(|name| Some((name, self.field_if_any(from, name)?)))
            .collect();
        for (name, slot) in keys {
            let field = self.field(to, name);
            self.connect(slot, field, Way::Crossed);
        }
    }
}
