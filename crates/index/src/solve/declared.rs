//! What classes declare about their values: typed members, embedded members, methods that functions and collections
//! have through a named type, and the method sets of interfaces.

use lore_model::{ArgumentKind, BodyFlags, ClassKind, FlowFlags, NONE, SymbolKind};

use super::engine::{Call, Engine, Hint, Pending, Way};
use super::fast_hash::{Map, Numbers};
use super::objects::{Evidence, Object, ObjectId};

/// Depth of embedding that the lookup of promoted members follows.
const MAX_LEVELS: usize = 6;
/// Most declared types of one function or collection.
const MAX_TYPES: usize = 8;
/// Most allocation sites that are kept apart for one class in one module. Values from further sites share one object.
const MAX_APART: u32 = 5;
/// Separates these site keys from activation numbers.
const APART: u32 = 1 << 31;

/// Declarations of classes, and the fallbacks that wait for them.
///
/// Declared types are fallbacks. They are kept apart from the points-to sets, so that a declared type never adds
/// targets to a call whose values are known.
#[derive(Default)]
pub(super) struct Declared {
    /// By class and name: the slot with the declared value of a member, a fallback.
    members: Map<(ObjectId, u32), u32>,
    /// By class: the names of its declared members, in declaration order.
    positions: Map<ObjectId, Vec<u32>>,
    /// By class: the embedded members, each with its name and class.
    embedded: Map<ObjectId, Vec<(u32, ObjectId)>>,
    /// Cache, by class and name: the embedded member that has the name, and the value of `rounds` at the time of the
    /// lookup.
    promoted: Map<(ObjectId, u32), (u32, u32)>,
    /// The declared types of functions and collections.
    types: Map<ObjectId, Vec<ObjectId>>,
    /// Functions and collections for which a member lookup found nothing.
    asked: Numbers<ObjectId>,
    /// By interface: the names of its methods.
    contracts: Map<ObjectId, Vec<u32>>,
    /// Activations that were entered as if called from outside.
    pub(super) outside: Numbers<u32>,
    /// By class, element type and allocating module: how many sites are kept apart, and the number of the object for
    /// all further sites.
    apart: Map<(ObjectId, ObjectId, u32), (u32, u32)>,
    /// Whether the solver is applying weak hints. [`Engine::put`] then rejects an object that the slot outweighs.
    pub(super) last: bool,
    /// Hints that are applied only after everything else has settled.
    pub(super) weak: Vec<Hint>,
}

impl<'s> Engine<'_, 's> {
    /// The kind of values that a class has, such as functions or lists.
    pub(super) fn kind_of(&self, class: ObjectId) -> u8 {
        let mut class = class;
        for _ in 0..MAX_LEVELS {
            let Object::Class { class: row, .. } = self.objects.get(class) else {
                return ClassKind::PLAIN;
            };
            let kind = self.program.class(row).kind;
            if kind != ClassKind::SAME {
                return kind;
            }
            match self.bases.get(&class).and_then(|bases| bases.first()?.first()) {
                Some(base) => class = *base,
                None => return ClassKind::PLAIN,
            }
        }
        ClassKind::PLAIN
    }

    /// The kind of a collection, from its class.
    fn kind_of_collection(&self, object: ObjectId) -> u8 {
        match self.objects.get(object) {
            Object::Instance { class, .. } => self.kind_of(class),
            _ => ClassKind::PLAIN,
        }
    }

    /// Registers a declared member.
    pub(super) fn declare(&mut self, class: ObjectId, name: u32, slot: u32) {
        if matches!(self.objects.get(class), Object::Class { .. }) {
            self.declared.members.insert((class, name), slot);
            let positions = self.declared.positions.entry(class).or_default();
            if !positions.contains(&name) {
                positions.push(name);
            }
        }
    }

    /// The name of the member that was declared at a position.
    pub(super) fn declared_at(&self, object: ObjectId, position: u32) -> Option<u32> {
        let Object::Instance { class, .. } = self.objects.get(object) else {
            return None;
        };
        self.declared.positions.get(&class)?.get(position as usize).copied()
    }

    /// Connects a new field to its declared value as a fallback.
    pub(super) fn hint_field(&mut self, object: ObjectId, name: u32, field: u32) {
        if self.declared.members.is_empty() {
            return;
        }
        let Object::Instance { class, site } = self.objects.get(object) else {
            return;
        };
        let declared = match self.declared.members.get(&(class, name)) {
            Some(slot) => Some(*slot),
            None if self.bases.get(&class).is_some_and(|bases| !bases.is_empty()) => {
                let order = self.order(class);
                let members = &self.declared.members;
                order.iter().find_map(|base| members.get(&(*base, name)).copied())
            }
            None => None,
        };
        if let Some(slot) = declared {
            let way = match (name == self.names.unkeyed, site) {
                (true, _) => Way::Held(object),
                (false, 0) => Way::Hinted,
                (false, _) => Way::HintedFor(object),
            };
            self.connect(slot, field, way);
        }
    }

    /// Registers a fallback for a holder with its own allocation site. The declared value gets its own copy.
    pub(super) fn hint_for(&mut self, to: u32, object: ObjectId, holder: ObjectId) {
        let mut held = object;
        if let Object::Instance { class, site } = self.objects.get(object)
            && site != 0
        {
            held = self.instance_at(class, (APART | object, holder));
            self.merge(object, held, 0);
        }
        self.hint(to, held, true);
    }

    /// The instance of a class for an allocation site.
    pub(super) fn instance_at(&mut self, class: ObjectId, place: (u32, u32)) -> ObjectId {
        let next = self.sites.len() as u32 + 1;
        let site = *self.sites.entry(place).or_insert(next);
        self.objects.number(Object::Instance { class, site })
    }

    /// The instance of a class for an allocation site, or the common instance once the limit of sites is reached. The
    /// limit counts per class, element type and module.
    fn instance_apart(&mut self, class: ObjectId, of: ObjectId, place: (u32, u32)) -> ObjectId {
        if !self.sites.contains_key(&place) {
            let unit = self.program.unit_of_body(self.activations[place.0 as usize].body);
            let module = self.program.units[unit].module as u32;
            let next = self.declared.apart.len() as u32;
            let (count, common) = self.declared.apart.entry((class, of, module)).or_insert((0, next));
            if *count >= MAX_APART {
                let common = *common;
                return self.instance_at(class, (NONE - 1, common));
            }
            *count += 1;
        }
        self.instance_at(class, place)
    }

    /// Creates a value of a built-in class whose elements have a named type.
    pub(super) fn allocate_some(&mut self, unit: usize, to: u32, class: u32, of: u32, place: (u32, u32)) {
        if let Some(class) = self.class_of_prelude(unit, class) {
            let held = self.instance_apart(class, APART | of, place);
            self.put(to, held, Evidence::Typed);
        }
    }

    /// Creates a collection of values of a type.
    pub(super) fn collect(
        &mut self,
        unit: usize,
        to: u32,
        class: u32,
        of: ObjectId,
        place: (u32, u32),
        is_filled: bool,
    ) {
        let Some(class) = self.class_of_prelude(unit, class) else {
            return;
        };
        let held = self.instance_apart(class, of, place);
        self.put(to, held, Evidence::Typed);
        if is_filled {
            return;
        }
        let elements = self.field(held, self.names.unkeyed);
        match (self.objects.get(of), self.kind_of(of)) {
            (Object::External(_), _) => self.declared.weak.push(Hint {
                by: place.0,
                ..Hint::new(elements, of, true)
            }),
            (Object::Class { .. }, ClassKind::INTERFACE) => self.declared.weak.push(Hint {
                by: place.0,
                ..Hint::new(elements, of, false)
            }),
            (Object::Class { .. }, _) => self.hint(elements, of, false),
            _ => {}
        }
    }

    /// The value that a declared type denotes.
    pub(super) fn declared_value(&mut self, class: ObjectId, slot: u32) -> ObjectId {
        match self.kind_of(class) {
            ClassKind::PLAIN if self.is_holder(class) => self.instance_at(class, (APART | class, slot)),
            ClassKind::LIST | ClassKind::MAP | ClassKind::STREAM => self.instance_at(class, (APART | class, NONE)),
            _ => self.objects.number(Object::Instance { class, site: 0 }),
        }
    }

    /// Whether a class of a prelude has members that hold values. All code shares such a class, so its instances are
    /// kept apart.
    fn is_holder(&self, class: ObjectId) -> bool {
        self.is_open(class) && self.declared.positions.contains_key(&class)
    }

    /// Creates a value of a class.
    pub(super) fn make(&mut self, call: &Call<'s>, class: ObjectId) {
        let Object::Class { class: number, .. } = self.objects.get(class) else {
            if let Object::External(_) = self.objects.get(class) {
                self.put(call.to, class, Evidence::Typed);
            }
            return;
        };
        let own = call.flags & FlowFlags::OWN != 0;
        let made = match self.kind_of(class) {
            ClassKind::PLAIN if self.is_holder(class) => self.instance_at(class, (call.activation, call.key)),
            ClassKind::PLAIN if own => self.instance_apart(class, NONE, (call.activation, call.key)),
            ClassKind::PLAIN => self.objects.number(Object::Instance { class, site: 0 }),
            // For a type with arguments, another instruction describes the value.
            _ if call.flags & FlowFlags::GENERIC != 0 => return,
            ClassKind::LIST | ClassKind::MAP | ClassKind::STREAM => {
                self.instance_apart(class, NONE, (call.activation, call.key))
            }
            _ => return,
        };
        self.put(call.to, made, Evidence::Typed);
        if call.flags & FlowFlags::IMPLICIT == 0 {
            self.instantiated.insert(class);
            let definition = self.program.class(number).definition.get();
            if definition != NONE {
                let unit = self.program.unit_of_class(number);
                self.record_instance(call, unit, definition, Evidence::Exact);
            }
        }
    }

    // Declared types of slots.

    /// Registers the declared type of a slot.
    pub(super) fn hint_by_name(&mut self, to: u32, class: ObjectId, flags: u8) {
        match self.objects.get(class) {
            Object::External(_) => self.hint_weakly(to, class, true),
            Object::Class { .. } => match self.kind_of(class) {
                ClassKind::PLAIN if flags & FlowFlags::GENERIC != 0 => {}
                ClassKind::PLAIN => self.hint(to, class, false),
                ClassKind::INTERFACE => self.hint_weakly(to, class, false),
                _ => {
                    self.connect(to, NONE, Way::Typed(class));
                    self.hint(to, class, false);
                }
            },
            _ => {}
        }
    }

    /// Whether a declaration says too little to be used beside a value: an interface, or a function type.
    pub(super) fn is_weak(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Class { .. } => self.kind_of(object) == ClassKind::INTERFACE,
            Object::Instance { class, .. } => self.kind_of(class) == ClassKind::INTERFACE,
            Object::Function { body, .. } => {
                self.program.body(body).flags.get() & BodyFlags::DECLARED != 0
                    && self
                        .rules(self.program.unit_of_body(body))
                        .is_some_and(|rules| rules.structural)
            }
            _ => false,
        }
    }

    /// Whether a slot holds an object that says more than an instance of an interface.
    pub(super) fn is_outweighed(&self, slot: u32, object: ObjectId) -> bool {
        let is_plain = |object: ObjectId| match self.objects.get(object) {
            Object::Instance { class, .. } => self.kind_of(class) == ClassKind::INTERFACE,
            _ => false,
        };
        is_plain(object)
            && self.slots[slot as usize].set.entries().iter().any(|entry| {
                let held = self.objects.get(entry >> 2);
                !is_plain(entry >> 2) && !matches!(held, Object::External(_)) && !self.is_of_test(held)
            })
    }

    /// Calling an interface method as a function calls the method of the first argument. Returns whether this is such a
    /// call.
    pub(super) fn dispatch_on_argument(&mut self, call: &Call<'s>, body: u32) -> bool {
        let row = self.program.body(body);
        let wanted = BodyFlags::DECLARED | BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST;
        if row.flags.get() & wanted != wanted {
            return false;
        }
        let unit = self.program.unit_of_body(body);
        let facts = self.program.units[unit].facts;
        let (Some((first, others)), Some(definition)) = (
            call.arguments
                .split_first()
                .filter(|(first, _)| first.kind == ArgumentKind::PLAIN),
            facts.definitions.get(row.definition.get() as usize),
        ) else {
            return false;
        };
        let name = self.program.intern(facts.get(definition.name));
        let inner = self.wait_with(&Call {
            arguments: others,
            ..call.clone()
        });
        let base = self.activations[call.activation as usize].base;
        self.connect(base + first.slot.get(), NONE, Way::Asked { call: inner, name });
        true
    }

    /// Applies the weak hints and runs the analysis until nothing changes. Returns whether any hint was applied.
    pub(super) fn apply_weak_hints(&mut self) -> bool {
        let mut ready = std::mem::take(&mut self.declared.weak);
        ready.retain(|hint| {
            let outside = matches!(self.objects.get(hint.object), Object::External(_));
            let Some(slot) = self.slots.get(hint.to as usize) else {
                return false;
            };
            let by = if hint.by == NONE { slot.activation } else { hint.by };
            if self.is_superseded(by) {
                return false;
            }
            slot.set
                .entries()
                .iter()
                .all(|entry| match self.objects.get(entry >> 2) {
                    Object::External(_) => !outside,
                    object => self.is_of_test(object),
                })
        });
        self.declared.last = true;
        let mut changed = false;
        for hint in &ready {
            changed |= self.apply_hint(hint);
        }
        if changed {
            self.settle();
        }
        changed
    }

    /// Registers a fallback that is applied only after everything else has settled.
    pub(super) fn hint_weakly(&mut self, to: u32, object: ObjectId, is_value: bool) {
        self.declared.weak.push(Hint::new(to, object, is_value));
    }

    /// Whether an activation was entered from outside before a call of its function was found.
    fn is_superseded(&self, activation: u32) -> bool {
        let mut at = activation;
        while let Some(row) = self.activations.get(at as usize) {
            if self.declared.outside.contains(&at) && self.count[row.body as usize] > 1 {
                return true;
            }
            at = row.parent;
        }
        false
    }

    /// Whether an object is defined by a test file that only tests use.
    fn is_of_test(&self, object: Object) -> bool {
        match object {
            Object::Instance { class, .. } => match self.objects.get(class) {
                Object::Class { class, .. } => self.is_test_unit(self.program.unit_of_class(class)),
                _ => false,
            },
            Object::Function { body, .. } => self.is_test_unit(self.program.unit_of_body(body)),
            _ => false,
        }
    }

    /// Whether a file is a test that only tests use.
    pub(super) fn is_test_unit(&self, unit: usize) -> bool {
        let row = &self.program.units[unit];
        row.path.is_some_and(|path| row.language.role(path).test) && !self.used.contains(&unit)
    }

    // Declared types of functions and collections.

    /// Gives a function or a collection a declared type, and with it the type's methods.
    pub(super) fn know_by(&mut self, object: ObjectId, class: ObjectId) {
        let has_types = match self.objects.get(object) {
            Object::Function { .. } | Object::Bound { .. } | Object::External(_) => true,
            Object::Instance { class: own, site } => site != 0 && own != class && self.kind_of(own) != ClassKind::PLAIN,
            _ => false,
        };
        if !has_types {
            return;
        }
        let types = self.declared.types.entry(object).or_default();
        if types.len() >= MAX_TYPES || types.contains(&class) {
            return;
        }
        types.push(class);
        if self.declared.asked.remove(&object) {
            self.retry_all(object);
        }
    }

    /// A member that a function or collection has through one of its declared types.
    pub(super) fn member_by_type(&mut self, object: ObjectId, name: u32) -> Option<u32> {
        let types = self.declared.types.get(&object).cloned().unwrap_or_default();
        let found = types.into_iter().find_map(|class| self.member_of(class, name));
        if found.is_none() {
            self.declared.asked.insert(object);
        }
        found
    }

    /// Calls a type: converts the argument to the type.
    pub(super) fn convert(&mut self, call: &Call<'s>, class: ObjectId) {
        let unit = self
            .program
            .unit_of_body(self.activations[call.activation as usize].body);
        self.resolve(unit, call.key);
        if call.to == NONE {
            return;
        }
        let passed = call.arguments.iter().find(|row| row.kind == ArgumentKind::PLAIN);
        if let Some(argument) = passed {
            let base = self.activations[call.activation as usize].base;
            self.connect(base + argument.slot.get(), call.to, Way::Converted(class));
        }
        match self.kind_of(class) {
            ClassKind::PLAIN => {
                let value = self.objects.number(Object::Instance { class, site: 0 });
                self.put(call.to, value, Evidence::Typed);
            }
            ClassKind::INTERFACE => self.hint_weakly(call.to, class, false),
            _ => self.hint(call.to, class, false),
        }
    }

    /// Converts a value to a type.
    pub(super) fn converted(&mut self, to: u32, object: ObjectId, class: ObjectId, evidence: Evidence) {
        match (self.kind_of(class), self.objects.get(object)) {
            (ClassKind::INTERFACE, _) | (_, Object::Literal(_)) => self.put(to, object, evidence),
            (ClassKind::PLAIN, _) => {}
            (ClassKind::FUNCTION, Object::Function { .. } | Object::Bound { .. } | Object::External(_)) => {
                self.know_by(object, class);
                self.put(to, object, evidence);
            }
            (_, Object::Instance { site, class: own }) if site != 0 && own != class => {
                // The same elements with the methods of another class.
                let other = self.instance_at(class, (APART | object, class));
                self.merge(object, other, 0);
                self.merge(other, object, 0);
                self.put(to, other, evidence);
            }
            (_, Object::Instance { class: own, .. }) if own == class => self.put(to, object, evidence),
            _ => {}
        }
    }

    // Embedding.

    /// Registers an embedded member: the instances of a class have its members too.
    pub(super) fn embed(&mut self, class: ObjectId, name: u32, embedded: ObjectId) {
        let rows = self.declared.embedded.entry(class).or_default();
        if !rows.contains(&(name, embedded)) {
            rows.push((name, embedded));
            self.declared.promoted.clear();
            self.bases_changed = true;
        }
    }

    /// The embedded member through which a class has a member that it does not define itself.
    pub(super) fn promoted(&mut self, class: ObjectId, name: u32) -> Option<u32> {
        if !self.declared.embedded.contains_key(&class) || self.declared.members.contains_key(&(class, name)) {
            return None;
        }
        let round = self.round_of(name);
        if let Some((through, known)) = self.declared.promoted.get(&(class, name)).copied()
            && known == round
        {
            return (through != NONE).then_some(through);
        }
        let found = self.find_promoted(class, name);
        self.declared
            .promoted
            .insert((class, name), (found.unwrap_or(NONE), round));
        found
    }

    fn find_promoted(&mut self, class: ObjectId, name: u32) -> Option<u32> {
        let mut outside = None;
        // Breadth-first search: the shallowest embedded class with the member counts.
        let mut level: Vec<(u32, ObjectId)> = self.declared.embedded.get(&class).cloned().unwrap_or_default();
        let mut seen = vec![class];
        for _ in 0..MAX_LEVELS {
            let mut deeper = Vec::new();
            for (through, embedded) in level {
                if let Object::External(_) = self.objects.get(embedded) {
                    outside = outside.or(Some(through));
                    continue;
                }
                if seen.contains(&embedded) {
                    continue;
                }
                seen.push(embedded);
                if self.declared.members.contains_key(&(embedded, name)) || self.member_of(embedded, name).is_some() {
                    return Some(through);
                }
                if outside.is_none() && self.is_open(embedded) {
                    outside = Some(through);
                }
                let inner = self.declared.embedded.get(&embedded).cloned().unwrap_or_default();
                deeper.extend(inner.into_iter().map(|(_, class)| (through, class)));
            }
            level = deeper;
        }
        outside
    }

    /// Whether a prelude class has more members than the prelude lists.
    pub(super) fn is_open(&self, class: ObjectId) -> bool {
        let Object::Class { class, .. } = self.objects.get(class) else {
            return false;
        };
        let unit = self.program.unit_of_class(class);
        self.is_prelude(unit) && self.rules(unit).is_some_and(|rules| rules.open_prelude)
    }

    /// Resolves a member that the prelude does not list for its class to an external member.
    pub(super) fn untold_member(&mut self, wanted: &Pending, name: u32) -> bool {
        let Object::Instance { class, .. } = self.objects.get(wanted.receiver) else {
            return false;
        };
        let Object::Class { class: number, .. } = self.objects.get(class) else {
            return false;
        };
        if !self.is_open(class) || self.kind_of(class) > ClassKind::FUNCTION {
            return false;
        }
        let unit = self.program.unit_of_class(number);
        let facts = self.program.units[unit].facts;
        let definition = self.program.class(number).definition.get();
        let is_field = facts.definitions.iter().any(|row| {
            row.parent() == Some(definition as usize)
                && row.kind() == SymbolKind::Field
                && facts.get(row.name) == self.program.text(name)
        });
        if is_field {
            return false;
        }
        let Some(super::outcome::Callee::External(external)) = self.callee_of(unit, definition) else {
            return false;
        };
        if let Some(below) = self.member_of_external(external, name) {
            self.put(wanted.to, below, wanted.evidence.max(Evidence::Typed));
        }
        true
    }

    // Interfaces.

    /// Registers a method of an interface.
    pub(super) fn promise(&mut self, class: ObjectId, name: u32) {
        if self.kind_of(class) == ClassKind::INTERFACE {
            let contract = self.declared.contracts.entry(class).or_default();
            if !contract.contains(&name) {
                contract.push(name);
            }
        }
    }

    /// Whether an object is a value of a type. For an interface, the method set decides.
    pub(super) fn is_value_of(&mut self, object: ObjectId, class: ObjectId) -> bool {
        match (self.kind_of(class), self.objects.get(object)) {
            (ClassKind::INTERFACE, _) => self.has_methods_of(object, class),
            (ClassKind::FUNCTION, Object::Function { .. } | Object::Bound { .. }) => true,
            (ClassKind::LIST | ClassKind::MAP | ClassKind::STREAM, Object::Instance { class: own, site }) => {
                own == class
                    || site != 0
                        && self.kind_of(own) == self.kind_of(class)
                        && self
                            .declared
                            .types
                            .get(&object)
                            .is_none_or(|types| types.contains(&class))
            }
            (_, Object::Instance { class: own, .. }) => self.order(own).contains(&class),
            _ => false,
        }
    }

    fn has_methods_of(&mut self, object: ObjectId, interface: ObjectId) -> bool {
        let parts = self.order(interface);
        let names: Vec<(ObjectId, u32)> = parts
            .iter()
            .filter_map(|part| Some((*part, self.declared.contracts.get(part)?)))
            .flat_map(|(part, names)| names.iter().map(move |name| (part, *name)))
            .collect();
        names.into_iter().all(|(part, name)| {
            let found = match self.objects.get(object) {
                Object::Instance { class, .. } => match self.member_of(class, name) {
                    Some(field) => Some(field),
                    None if self.promoted(class, name).is_some() => return true,
                    None => self.member_by_type(object, name),
                },
                Object::Function { .. } | Object::Bound { .. } => self.member_by_type(object, name),
                Object::External(_) => return true,
                _ => None,
            };
            let wanted = self.member_of(part, name);
            match (found, wanted) {
                (Some(found), Some(wanted)) => self.is_as_wide(found, wanted),
                (found, _) => found.is_some(),
            }
        })
    }

    /// Whether two methods have the same number of parameters and results.
    fn is_as_wide(&self, found: u32, wanted: u32) -> bool {
        let width = |field: u32| {
            self.entries(field)
                .into_iter()
                .find_map(|(object, _)| match self.objects.get(object) {
                    Object::Function { body, .. } => {
                        let row = self.program.body(body);
                        Some((row.parameters.len.get(), row.results.get()))
                    }
                    _ => None,
                })
        };
        match (width(found), width(wanted)) {
            (Some(found), Some(wanted)) => found == wanted,
            _ => true,
        }
    }

    // Iteration.

    /// Loads the keys and elements of an iterated object. A function is called with a callback that receives them.
    pub(super) fn range(&mut self, call: &Call<'s>, object: ObjectId, evidence: Evidence) {
        let to = call.to;
        match self.objects.get(object) {
            Object::Function { .. } | Object::Bound { .. } => {
                let sink = self.objects.number(Object::Sink(to));
                let call = Call {
                    to: NONE,
                    leading: [self.slot_of(sink), super::engine::ABSENT],
                    ..call.clone()
                };
                self.call_object(&call, object, evidence);
            }
            // The content of an external object is external too.
            Object::External(_) => {
                self.put(to, object, evidence);
                self.put(to + 1, object, evidence);
            }
            Object::Instance { site, .. } if site != 0 && !self.data.contains(&object) => {
                let elements = self.field(object, self.names.all);
                match self.kind_of_collection(object) {
                    ClassKind::STREAM => self.connect(elements, to, Way::Crossed),
                    ClassKind::MAP => {
                        self.connect(elements, to + 1, Way::Crossed);
                        let keys = self.field(object, self.names.keys);
                        self.connect(keys, to, Way::Crossed);
                    }
                    _ => self.connect(elements, to + 1, Way::Crossed),
                }
            }
            _ => {}
        }
    }

    /// Calls the callback that receives keys and elements.
    pub(super) fn sink(&mut self, call: &Call<'s>, slot: u32) {
        let activation = &self.activations[call.activation as usize];
        let (base, unit) = (activation.base, self.program.unit_of_body(activation.body));
        self.resolve(unit, call.key);
        let passed = call.arguments.iter().filter(|row| row.kind == ArgumentKind::PLAIN);
        for (at, argument) in (0..2).zip(passed) {
            self.connect(base + argument.slot.get(), slot + at, Way::Crossed);
        }
    }
}
