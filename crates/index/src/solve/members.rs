//! Member lookup: along the method resolution order, bound to the receiver, and run if the member is an accessor.

use foldhash::{HashMap, HashSet};
use std::rc::Rc;

use lore_model::{BodyFlags, FlowCode, NONE};

use super::FlowRules;
use super::engine::{ABSENT, Call, Engine, Pending, Slot, Way};
use super::objects::{Evidence, Object, ObjectId};

/// Fields of instances that are checked for a value before a declared type applies.
const MAX_FAMILY: usize = 64;
/// Classes that are asked for the members of one class, the class and its bases. A longer chain of bases ends there.
const MAX_ORDER: usize = 1_024;

impl<'s> Engine<'_, 's> {
    pub(super) fn field(&mut self, object: ObjectId, name: u32) -> u32 {
        if let Some(slot) = self.fields.get(&(object, name)) {
            return *slot;
        }
        let slot = self.new_slots(1, NONE);
        self.fields.insert((object, name), slot);
        if self.is_collection(object) {
            self.names_of.entry(object).or_default().push(name);
        }
        self.hint_field(object, name, slot);
        if self.is_key(name) || self.is_element(object, name) {
            let all = self.field(object, self.names.all);
            self.connect(slot, all, Way::Plain);
        }
        for (merged, without) in self.merges.get(&object).cloned().unwrap_or_default() {
            if name != self.names.all && !self.left_out[without as usize].contains(&name) {
                let field = self.field(merged, name);
                self.connect(slot, field, Way::Crossed);
            }
        }
        if let Object::Instance { class, .. } = self.objects.get(object)
            && self.declared_members.contains(&name)
        {
            let declared = self.program.signed_name(name, "", ":");
            if let Some(declared) = self.member_of(class, declared) {
                let family = self.families.entry(declared).or_default();
                if family.len() < MAX_FAMILY {
                    family.push(slot);
                }
                self.connect(declared, slot, Way::Declared(declared));
            }
        }
        if matches!(
            self.objects.get(object),
            Object::Class { .. } | Object::Prototype(_) | Object::Function { .. }
        ) {
            *self.rounds.entry(name).or_default() += 1;
            self.retry(name);
            if let Some(plain) = self.spaces.extended.get(&name).copied() {
                self.retry(plain);
            }
        }
        slot
    }

    /// Whether a member of an object is also one of its elements.
    pub(super) fn is_element(&self, object: ObjectId, name: u32) -> bool {
        if name == self.names.all || name == self.names.keys || !self.is_collection(object) {
            return false;
        }
        self.is_record(object)
    }

    /// Whether an object is a record: its members are also its elements.
    pub(super) fn is_record(&self, object: ObjectId) -> bool {
        let Object::Instance { class, site } = self.objects.get(object) else {
            return false;
        };
        site != 0 && self.is_built_in(class, |rules| rules.record)
    }

    /// Whether a class is the prelude class that the rules of its language name.
    pub(super) fn is_built_in(&self, class: ObjectId, named: fn(&FlowRules) -> Option<&'static str>) -> bool {
        let Object::Class { class, .. } = self.objects.get(class) else {
            return false;
        };
        let built_in = self.program.built_in_name(class);
        !built_in.is_empty()
            && self
                .rules(self.program.unit_of_class(class))
                .and_then(named)
                .is_some_and(|name| name == built_in)
    }

    /// Whether a name denotes an element and not a member.
    pub(super) fn is_key(&self, name: u32) -> bool {
        name == self.names.unkeyed
            || (name != self.names.all
                && self
                    .program
                    .text(name)
                    .starts_with(|first: char| first == '\'' || first.is_ascii_digit() || first == '-'))
    }

    /// Repeats the lookups of a name that found nothing.
    pub(super) fn retry(&mut self, name: u32) {
        for pending in self.pending.remove(&name).unwrap_or_default() {
            self.find_member(pending, name);
        }
    }

    /// Repeats all lookups on an object that found nothing.
    pub(super) fn retry_all(&mut self, object: ObjectId) {
        let mut names: Vec<u32> = self
            .pending
            .iter()
            .filter(|(_, waiting)| waiting.iter().any(|pending| pending.receiver == object))
            .map(|(name, _)| *name)
            .collect();
        names.sort_unstable();
        for name in names {
            self.retry(name);
        }
    }

    /// The object that holds the members shared by the instances of a class: the class or its prototype.
    pub(super) fn members(&mut self, class: ObjectId) -> ObjectId {
        let unit = match self.objects.get(class) {
            Object::Class { class, .. } => self.program.unit_of_class(class),
            Object::Function { body, .. } => self.program.unit_of_body(body),
            _ => return class,
        };
        match self.rules(unit).and_then(|rules| rules.prototype) {
            Some(_) => self.objects.number(Object::Prototype(class)),
            None => class,
        }
    }

    /// The method resolution order of a class (C3 linearization).
    pub(super) fn order(&mut self, class: ObjectId) -> Rc<[ObjectId]> {
        if let Some(order) = self.orders.get(&class) {
            return Rc::clone(order);
        }
        // Terminates the recursion for a class that is its own base.
        self.orders.insert(class, Rc::from([class]));
        let bases: Vec<ObjectId> = self
            .bases
            .get(&class)
            .into_iter()
            .flatten()
            .flatten()
            .copied()
            .filter(|base| *base != class)
            .collect();
        if self.ordering >= MAX_ORDER {
            return Rc::from([class]);
        }
        self.ordering += 1;
        let mut lists: Vec<Rc<[ObjectId]>> = bases.iter().map(|base| self.order(*base)).collect();
        self.ordering -= 1;
        lists.push(bases.into());
        let order = linearized(class, &lists);
        self.orders.insert(class, Rc::clone(&order));
        order
    }

    /// The class in which members of a receiver are looked up.
    pub(super) fn class_of(&self, object: ObjectId) -> Option<ObjectId> {
        match self.objects.get(object) {
            Object::Instance { class, .. } => Some(class),
            Object::Class { .. } => Some(object),
            Object::Adapted { class, .. } => Some(class),
            _ => None,
        }
    }

    /// Declares the type of a member for all instances of a class.
    pub(super) fn declare_member(&mut self, class: ObjectId, name: u32, from: u32) {
        let declared = self.program.signed_name(name, "", ":");
        self.declared_members.insert(name);
        let members = self.members(class);
        let field = self.field(members, declared);
        self.connect(from, field, Way::Plain);
    }

    /// Where every method of a function is a call of it, loads the function itself. Returns whether it did.
    fn adapt_in_place(&mut self, to: u32, object: ObjectId, name: u32, evidence: Evidence) -> bool {
        let asking = self.slots[to as usize].activation;
        let adapts = self.activations.get(asking as usize).is_some_and(|row| {
            let unit = self.program.unit_of_body(row.body);
            self.rules(unit).is_some_and(|rules| rules.adapts)
        });
        let called = adapts && self.program.text(name).ends_with("()");
        if called {
            self.put(to, object, evidence);
        }
        called
    }

    /// Loads a member as a function (a method reference). A method of a class becomes a function of its instances.
    pub(super) fn refer(&mut self, to: u32, object: ObjectId, name: u32, evidence: Evidence) {
        let Object::Class { .. } = self.objects.get(object) else {
            self.load_member(to, object, name, evidence);
            return;
        };
        let Some(field) = self.member_of(object, name) else {
            self.load_member(to, object, name, evidence);
            return;
        };
        let mut of_instances = false;
        for (member, _) in self.entries(field) {
            match self.objects.get(member) {
                Object::Function { body, .. } if self.program.body(body).flags.get() & BodyFlags::STATIC == 0 => {
                    of_instances = true;
                }
                _ => self.put(to, member, evidence),
            }
        }
        if of_instances {
            let unbound = self.objects.number(Object::Unbound { class: object, name });
            self.put(to, unbound, evidence);
        }
    }

    /// Loads a member of an object into a slot.
    pub(super) fn load_member(&mut self, to: u32, object: ObjectId, name: u32, evidence: Evidence) {
        match self.objects.get(object) {
            Object::Module(module) => self.load_export(to, module as usize, name, evidence),
            Object::External(external) if self.load_from_space(to, external, name) => {}
            Object::External(external) => {
                if let Some(field) = self
                    .extension_outside(external, name)
                    .or_else(|| self.member_of_extended(external, name))
                {
                    self.connect(field, to, Way::Bind(object));
                } else if let Some(below) = self.member_of_external(external, name) {
                    self.put(to, below, evidence);
                }
            }
            Object::Instance { class, .. } if self.closed.contains(&class) => {
                let field = self.member_of(class, name);
                if let Some(field) = field.or_else(|| self.extension_of(class, name)) {
                    self.connect(field, to, Way::Bind(object));
                }
            }
            Object::Instance { .. } => {
                match self.is_record(object) {
                    // A function in a record is called on the record.
                    true => {
                        let field = self.field(object, name);
                        self.connect(field, to, Way::Bind(object));
                        let unkeyed = self.field(object, self.names.unkeyed);
                        self.connect(unkeyed, to, Way::Crossed);
                    }
                    // No instance has a value under a name that no file stores to.
                    false if !self.program.is_written(name) => {}
                    false => {
                        let field = self.field(object, name);
                        self.connect(field, to, Way::Crossed);
                    }
                }
                self.find_member(
                    Pending {
                        receiver: object,
                        to,
                        evidence,
                    },
                    name,
                );
            }
            Object::Bound { function, .. } if self.is_prototype_name(function, name) => {
                let prototype = self.objects.number(Object::Prototype(function));
                self.put(to, prototype, evidence);
            }
            Object::Class { .. } | Object::Function { .. } => {
                if self.is_prototype_name(object, name) {
                    let prototype = self.objects.number(Object::Prototype(object));
                    self.put(to, prototype, evidence);
                }
                self.find_member(
                    Pending {
                        receiver: object,
                        to,
                        evidence,
                    },
                    name,
                );
            }
            Object::Maker { .. } | Object::Unbound { .. } => {
                self.adapt_in_place(to, object, name, evidence);
            }
            Object::Adapted { class, .. } => {
                if let Some(field) = self.member_of(class, name) {
                    self.connect(field, to, Way::Bind(object));
                }
            }
            Object::Sink(_) => {}
            Object::Super { .. } | Object::Prototype(_) | Object::Bound { .. } | Object::Literal(_) => self
                .find_member(
                    Pending {
                        receiver: object,
                        to,
                        evidence,
                    },
                    name,
                ),
        }
    }

    pub(super) fn is_prototype_name(&self, object: ObjectId, name: u32) -> bool {
        let unit = match self.objects.get(object) {
            Object::Class { class, .. } => self.program.unit_of_class(class),
            Object::Function { body, .. } => self.program.unit_of_body(body),
            _ => return false,
        };
        self.rules(unit)
            .and_then(|rules| rules.prototype)
            .is_some_and(|prototype| prototype == self.program.text(name))
    }

    /// Looks up a member in the classes of a receiver. If no class has the member yet, the lookup is repeated later.
    pub(super) fn find_member(&mut self, wanted: Pending, name: u32) {
        let Pending {
            receiver, to, evidence, ..
        } = wanted;
        if let Object::Instance { class, .. } = self.objects.get(receiver)
            && let Some(field) = self.member_of(class, name)
        {
            self.connect(field, to, Way::Bind(receiver));
            return;
        }
        // Where types and instances have the same members, several implementations can define the member.
        if let Object::Class { .. } = self.objects.get(receiver)
            && self.rules_of(receiver).is_some_and(|rules| rules.root.is_some())
            && let Some(field) = self.member_of(receiver, name)
        {
            self.connect(field, to, Way::BindClass(receiver));
            return;
        }
        let (order, way) = match self.objects.get(receiver) {
            Object::Instance { class, .. } => (self.order(class), Way::Bind(receiver)),
            Object::Class { .. } => (self.order(receiver), Way::BindClass(receiver)),
            Object::Super { class, receiver } => {
                let start = self.class_of(receiver).unwrap_or(class);
                let order = self.order(start);
                let after = order.iter().position(|other| *other == class).map_or(0, |at| at + 1);
                let order = match after {
                    0 => Rc::from(&self.order(class)[1..]),
                    after => Rc::from(&order[after..]),
                };
                let way = match self.objects.get(receiver) {
                    Object::Class { .. } => Way::BindClass(receiver),
                    _ => Way::Bind(receiver),
                };
                (order, way)
            }
            Object::Function { .. } => {
                let field = self.field_if_any(receiver, name);
                match (field, self.function_member(receiver, name)) {
                    (Some(field), _) => self.connect(field, to, Way::Crossed),
                    (None, Some(field)) => self.connect(field, to, Way::Bind(receiver)),
                    (None, None) => {
                        if self.adapt_in_place(to, receiver, name, evidence) {
                            return;
                        }
                        if let Some(field) = self.member_by_type(receiver, name) {
                            self.connect(field, to, Way::Bind(receiver));
                            return;
                        }
                    }
                }
                self.wait(wanted, name);
                return;
            }
            Object::Prototype(class) => (self.order(class), Way::Crossed),
            Object::Bound { function, .. } => {
                match (self.field_if_any(function, name), self.function_member(function, name)) {
                    (Some(field), _) => self.connect(field, to, Way::Crossed),
                    (None, Some(field)) => self.connect(field, to, Way::Bind(receiver)),
                    (None, None) => {
                        if self.adapt_in_place(to, receiver, name, evidence) {
                            return;
                        }
                        match self.member_by_type(receiver, name) {
                            Some(field) => self.connect(field, to, Way::Bind(receiver)),
                            None => self.wait(wanted, name),
                        }
                    }
                }
                return;
            }
            Object::Literal(_) => {
                if let Some(field) = self.text_member(to, name) {
                    self.connect(field, to, Way::Bind(receiver));
                }
                return;
            }
            Object::Module(_)
            | Object::External(_)
            | Object::Maker { .. }
            | Object::Adapted { .. }
            | Object::Sink(_)
            | Object::Unbound { .. } => return,
        };
        if let Object::Super { receiver, .. } = self.objects.get(receiver)
            && let Some(made) = self.made_by_language(&order, receiver, name)
        {
            self.put(to, made, evidence);
            return;
        }
        if self.inherit_from_link(&wanted, name) {
            self.wait(wanted, name);
            return;
        }
        if let Object::Instance { class, .. } = self.objects.get(receiver)
            && self.is_name_of_class(class, name)
        {
            self.put(to, class, evidence);
            return;
        }
        // A declared member hides the members of an external base.
        if let Object::Instance { class, .. } = self.objects.get(receiver)
            && self.declared_members.contains(&name)
        {
            let declared = self.program.signed_name(name, "", ":");
            if self.member_of(class, declared).is_some() {
                self.wait(wanted, name);
                return;
            }
        }
        let statically = matches!(way, Way::BindClass(_));
        for (at, class) in order.iter().copied().enumerate() {
            if let Object::External(external) = self.objects.get(class) {
                if self.find_beyond(&wanted, name) {
                    return;
                }
                if let Some(below) = self.member_of_external(external, name) {
                    // A value that a class of this repository stores under the name takes precedence over a member of
                    // the external base.
                    self.hint(to, below, true);
                }
                return;
            }
            let place = if statically { class } else { self.members(class) };
            if let Some(field) = self.field_if_any(place, name) {
                let field = self.with_overloads(&order, at, name, field);
                self.connect(field, to, way);
                return;
            }
        }
        if let Object::Instance { class, site } = self.objects.get(receiver) {
            if let Some(through) = self.promoted(class, name) {
                let field = self.field(receiver, through);
                self.connect(field, to, Way::Member(name));
                return;
            }
            if site != 0
                && let Some(field) = self.member_by_type(receiver, name)
            {
                self.connect(field, to, Way::Bind(receiver));
                return;
            }
        }
        if let Object::Instance { class, .. } = self.objects.get(receiver)
            && let Some(field) = self.extension_of(class, name)
        {
            self.connect(field, to, Way::Bind(receiver));
            return;
        }
        if !self.untold_member(&wanted, name) && !self.find_beyond(&wanted, name) {
            self.wait(wanted, name);
        }
    }

    /// The built-in allocation or call method, if no later class in the resolution order defines it.
    fn made_by_language(&mut self, order: &[ObjectId], receiver: ObjectId, name: u32) -> Option<ObjectId> {
        let Object::Class { class, .. } = self.objects.get(receiver) else {
            return None;
        };
        let rules = self.rules(self.program.unit_of_class(class))?;
        let text = self.program.text(name);
        let made = match rules.allocate {
            Some(allocate) if allocate == text => Object::Maker {
                class: receiver,
                constructs: false,
            },
            Some(_) if rules.call == text => Object::Maker {
                class: receiver,
                constructs: true,
            },
            _ => return None,
        };
        let defined = order.iter().any(|place| self.field_if_any(*place, name).is_some());
        (!defined).then(|| self.objects.number(made))
    }

    /// Whether a member of an instance is its class (JavaScript: `constructor`).
    fn is_name_of_class(&self, class: ObjectId, name: u32) -> bool {
        matches!(self.objects.get(class), Object::Class { .. })
            && self
                .rules_of(class)
                .filter(|rules| rules.prototype.is_some())
                .and_then(|rules| rules.constructors.last())
                .is_some_and(|constructor| *constructor == self.program.text(name))
    }

    /// The field with the object from which an object inherits.
    fn link_of(&self, object: ObjectId) -> Option<u32> {
        let Object::Instance { class, .. } = self.objects.get(object) else {
            return None;
        };
        let link = self.rules_of(class)?.link?;
        let link = self.program.interned.get(link).copied()?;
        self.field_if_any(object, link)
    }

    /// Looks up a member along the prototype link of an object. Returns whether the object has a link.
    fn inherit_from_link(&mut self, wanted: &Pending, name: u32) -> bool {
        if !self.is_record(wanted.receiver) {
            return false;
        }
        let Some(link) = self.link_of(wanted.receiver) else {
            return false;
        };
        let own = self.field(wanted.receiver, name);
        if self.entries(own).is_empty() && own != link {
            let receiver = wanted.receiver;
            self.connect(link, wanted.to, Way::Inherited { receiver, name });
        }
        true
    }

    /// Loads a member of an object for a receiver that inherits from the object.
    pub(super) fn inherit(&mut self, to: u32, object: ObjectId, receiver: ObjectId, name: u32, evidence: Evidence) {
        if !self.is_record(object) {
            self.load_member(to, object, name, evidence);
            return;
        }
        let field = self.field(object, name);
        self.connect(field, to, Way::Bind(receiver));
        if self.entries(field).is_empty()
            && let Some(link) = self.link_of(object)
        {
            self.connect(link, to, Way::Inherited { receiver, name });
        }
    }

    /// A class that inherits from an object also inherits along the object's prototype link.
    pub(super) fn base_of_link(&mut self, object: ObjectId, class: ObjectId, holder: u32) {
        if self.is_record(object)
            && let Some(link) = self.link_of(object)
        {
            self.connect(link, holder, Way::Base(class));
        }
    }

    /// A member of the built-in class of functions.
    pub(super) fn function_member(&mut self, function: ObjectId, name: u32) -> Option<u32> {
        let Object::Function { body, .. } = self.objects.get(function) else {
            return None;
        };
        let unit = self.program.unit_of_body(body);
        let class = self.rules(unit)?.function?;
        let instance = self.built_in(unit, class, (NONE, NONE))?;
        let Object::Instance { class, .. } = self.objects.get(instance) else {
            return None;
        };
        self.member_of(class, name)
    }

    /// A member of the built-in class of strings, in the language of the code that asks.
    fn text_member(&mut self, asking: u32, name: u32) -> Option<u32> {
        let activation = self.slots[asking as usize].activation;
        let body = self.activations.get(activation as usize)?.body;
        let unit = self.program.unit_of_body(body);
        let class = self.rules(unit)?.text?;
        let instance = self.built_in(unit, class, (NONE, NONE))?;
        let class = self.class_of(instance)?;
        let members = self.members(class);
        self.field_if_any(members, name)
            .or_else(|| self.extension_of(class, name))
    }

    pub(super) fn wait(&mut self, wanted: Pending, name: u32) {
        self.pending.entry(name).or_default().push(wanted);
    }

    pub(super) fn field_if_any(&self, object: ObjectId, name: u32) -> Option<u32> {
        self.fields.get(&(object, name)).copied()
    }

    /// Binds a member that was found in the class of an instance to the instance.
    pub(super) fn bind(&mut self, to: u32, member: ObjectId, receiver: ObjectId, evidence: Evidence) {
        let evidence = evidence.max(Evidence::Typed);
        let Object::Function { body, .. } = self.objects.get(member) else {
            if !self.read_descriptor(to, member, receiver, evidence) {
                self.put(to, member, evidence);
            }
            return;
        };
        let flags = self.program.body(body).flags.get();
        if flags & BodyFlags::DECLARED != 0
            && let Object::Adapted { function, .. } = self.objects.get(receiver)
        {
            self.put(to, function, evidence);
        } else if flags & BodyFlags::STATIC != 0 || flags & BodyFlags::ARROW != 0 {
            self.put(to, member, evidence);
        } else if flags & BodyFlags::CLASS_METHOD != 0 {
            if let Some(class) = self.class_of(receiver) {
                let bound = self.objects.number(Object::Bound {
                    function: member,
                    receiver: class,
                });
                self.put(to, bound, evidence);
            }
        } else {
            let bound = self.objects.number(Object::Bound {
                function: member,
                receiver,
            });
            if flags & BodyFlags::GETTER != 0 {
                self.getters(to, bound, evidence);
            } else {
                self.put(to, bound, evidence);
            }
        }
    }

    pub(super) fn bind_class(&mut self, to: u32, member: ObjectId, class: ObjectId, evidence: Evidence) {
        if let Object::Function { body, .. } = self.objects.get(member)
            && self.program.body(body).flags.get() & (BodyFlags::CLASS_METHOD | BodyFlags::DISPATCHED) != 0
        {
            let bound = self.objects.number(Object::Bound {
                function: member,
                receiver: class,
            });
            if self.program.body(body).flags.get() & BodyFlags::GETTER != 0 {
                self.getters(to, bound, evidence)
            } else {
                self.put(to, bound, evidence)
            }
            return;
        }
        if let Object::Function { body, .. } = self.objects.get(member)
            && self.program.body(body).flags.get() & BodyFlags::MEMBER != 0
            && self.program.units[self.program.unit_of_body(body)]
                .language
                .binds_to_class
        {
            let bound = self.objects.number(Object::Bound {
                function: member,
                receiver: class,
            });
            self.put(to, bound, evidence);
            return;
        }
        self.put(to, member, evidence);
    }

    /// Runs a getter. The slot that receives the value identifies the reading code.
    pub(super) fn getters(&mut self, to: u32, bound: ObjectId, evidence: Evidence) {
        if let Some(call) = self.reading(to) {
            self.call_object(&call, bound, evidence);
        }
    }

    /// The implicit call that reading into a slot makes.
    pub(super) fn reading(&self, to: u32) -> Option<Call<'s>> {
        let activation = self.slots[to as usize].activation;
        let row = self.activations.get(activation as usize)?;
        let unit = self.program.unit_of_body(row.body);
        let flow = self.program.units[unit].facts.flow;
        let steps = &flow.steps[self.program.body(row.body).steps.indexes(flow.steps.len())];
        // The line of the instruction that fills the slot.
        let line = steps
            .iter()
            .find(|step| step.code == FlowCode::LOAD && step.to.get() == to - row.base)
            .map_or(0, |step| step.line.get());
        Some(Call::implicit(activation, NONE - 1 - (to - row.base), to, line))
    }

    /// Creates a slot that holds one object.
    pub(super) fn slot_of(&mut self, object: ObjectId) -> u32 {
        let slot = self.new_slots(1, NONE);
        self.put(slot, object, Evidence::Typed);
        slot
    }

    /// Reads a member through its descriptor, if it is one. Returns whether it is.
    fn read_descriptor(&mut self, to: u32, member: ObjectId, receiver: ObjectId, evidence: Evidence) -> bool {
        let Some(field) = self.descriptor(member, |(get, _)| get) else {
            return false;
        };
        let (Some(call), Some(class)) = (self.reading(to), self.class_of(receiver)) else {
            return false;
        };
        let leading = [self.slot_of(receiver), self.slot_of(class)];
        self.run_members(&Call { leading, ..call }, field, member, evidence);
        true
    }

    /// The field of the descriptor method of a member, for reading or writing.
    fn descriptor(&mut self, member: ObjectId, which: fn((&'static str, &'static str)) -> &'static str) -> Option<u32> {
        let Object::Instance { class, .. } = self.objects.get(member) else {
            return None;
        };
        let name = which(self.rules_of(class)?.descriptor?);
        let name = self.program.rule_name(name);
        self.member_of(class, name)
    }

    /// Records the first object that holds a function.
    pub(super) fn keep(&mut self, object: ObjectId, from: u32) {
        let Some(Slot { set, .. }) = self.slots.get(from as usize) else {
            return;
        };
        for entry in set.entries() {
            if let Object::Function { .. } = self.objects.get(entry >> 2) {
                self.holders.entry(entry >> 2).or_insert(object);
            }
        }
    }

    /// Stores a value under a name of an object. Setters and descriptors run as part of the store.
    pub(super) fn store(&mut self, write: &Call<'s>, object: ObjectId, name: u32, from: u32, evidence: Evidence) {
        self.keep(object, from);
        match self.objects.get(object) {
            Object::Instance { class, .. }
                if self.closed.contains(&class) && name != self.names.keys && name != self.names.sent => {}
            Object::Instance { class, .. } => {
                if let Some(setter) = self.names.setters.get(&name).copied()
                    && let Some(field) = self
                        .field_if_any(object, setter)
                        .or_else(|| self.member_of(class, setter))
                {
                    let call = Call {
                        leading: [from, ABSENT],
                        ..write.clone()
                    };
                    self.run_members(&call, field, object, evidence);
                    return;
                }
                if self.rules_of(class).is_some_and(|rules| rules.descriptor.is_some())
                    && let Some(field) = self.member_of(class, name)
                {
                    for (member, _) in self.entries(field) {
                        if let Some(setter) = self.descriptor(member, |(_, set)| set) {
                            let leading = [self.slot_of(object), from];
                            let call = Call {
                                leading,
                                ..write.clone()
                            };
                            self.run_members(&call, setter, member, evidence);
                            return;
                        }
                    }
                }
                if let Some(through) = self.promoted(class, name) {
                    let field = self.field(object, through);
                    self.connect(field, from, Way::Keeps(name));
                    return;
                }
                if self.is_sealed(object, name, from) {
                    return;
                }
                let field = self.field(object, name);
                self.connect(from, field, Way::Crossed);
                if self.link_of(object) == Some(field) {
                    self.retry_all(object);
                }
            }
            Object::Bound { function, .. } if function != object => {
                self.store(write, function, name, from, evidence);
            }
            Object::Class { .. } | Object::Function { .. } | Object::Prototype(_) => {
                if self.is_prototype_name(object, name) {
                    let holder = self.field(object, name);
                    self.connect(from, holder, Way::Base(object));
                    return;
                }
                let field = self.field(object, name);
                self.connect(from, field, Way::Plain);
            }
            Object::Module(module) => {
                let units = self
                    .program
                    .modules
                    .get(module as usize)
                    .map_or_else(Vec::new, |row| row.units.clone());
                for unit in units {
                    if let Some(slot) = self.exports.get(&(unit, name)).copied() {
                        let activation = self.module_activation(unit);
                        let to = self.activations[activation as usize].base + slot;
                        self.connect(from, to, Way::Crossed);
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn rules_of(&self, class: ObjectId) -> Option<&'static FlowRules> {
        match self.objects.get(class) {
            Object::Class { class, .. } => self.rules(self.program.unit_of_class(class)),
            Object::Function { body, .. } => self.rules(self.program.unit_of_body(body)),
            _ => None,
        }
    }
}

/// The C3 linearization of a class, from those of its bases and the list of the bases: the first head that is in no tail comes
/// next; where the bases contradict each other, the first head. At most [`MAX_ORDER`] classes.
fn linearized(class: ObjectId, lists: &[Rc<[ObjectId]>]) -> Rc<[ObjectId]> {
    if let [one, bases] = lists
        && bases.len() == 1
    {
        return [class].into_iter().chain(one.iter().copied()).take(MAX_ORDER).collect();
    }
    // How many lists have an object behind their head.
    let mut in_tails: HashMap<ObjectId, usize> = HashMap::default();
    for object in lists.iter().flat_map(|list| list.iter().skip(1)) {
        *in_tails.entry(*object).or_default() += 1;
    }
    let mut heads = vec![0; lists.len()];
    let mut placed: HashSet<ObjectId> = HashSet::default();
    let mut order = vec![class];
    while order.len() < MAX_ORDER {
        let head = |(list, at): (&Rc<[ObjectId]>, &usize)| list.get(*at).copied();
        let mut found = lists.iter().zip(&heads).filter_map(head);
        let Some(first) = found.next() else { break };
        let is_free = |object: &ObjectId| in_tails.get(object).is_none_or(|count| *count == 0);
        let next = [first].into_iter().chain(found).find(is_free).unwrap_or(first);
        order.push(next);
        placed.insert(next);
        for (list, at) in lists.iter().zip(&mut heads) {
            while let Some(object) = list.get(*at)
                && placed.contains(object)
            {
                *at += 1;
                // What comes next is a head now.
                if let Some(count) = list.get(*at).and_then(|object| in_tails.get_mut(object)) {
                    *count -= 1;
                }
            }
        }
    }
    order.into()
}
