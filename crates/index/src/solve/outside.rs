//! Code outside the program: declared types replace unknown values, and functions without callers are entered.

use lore_model::{BodyFlags, FlowParameter, NONE, SymbolKind, Visibility};

use super::engine::{Engine, Hint};
use super::objects::{Evidence, Object, ObjectId};

impl<'s> Engine<'_, 's> {
    /// Puts hints into slots that no value has reached. Returns whether anything changed.
    pub(super) fn apply_hints(&mut self) -> bool {
        let hints = std::mem::take(&mut self.hints);
        let (weak, mut hints): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(|hint| self.is_weak(hint.object));
        self.declared.weak.extend(weak);
        // All types of one union are applied together. Types that arrive later wait for the next round.
        hints.retain(|hint| {
            let is_known = |slot: &u32| {
                self.slots.get(*slot as usize).is_none_or(|slot| {
                    let mut entries = slot.set.entries().iter();
                    entries.any(|entry| !matches!(self.objects.get(entry >> 2), Object::External(_)))
                })
            };
            let family = hint.family.and_then(|family| self.families.get(&family));
            // A value in one instance of a class says more about the other instances than the declared type.
            !is_known(&hint.to) && !family.is_some_and(|slots| slots.iter().any(is_known))
        });
        let mut changed = false;
        for hint in &hints {
            changed |= self.apply_hint(hint);
        }
        changed
    }

    /// Puts a hint into its slot. Returns whether there was anything to put.
    pub(super) fn apply_hint(&mut self, hint: &Hint) -> bool {
        let Hint {
            to,
            object: class,
            is_value,
            origin,
            ..
        } = *hint;
        let object = match (is_value, self.objects.get(class)) {
            (true, Object::External(external)) if self.speaks_of_types(external) => None,
            (true, _) => Some(class),
            (false, Object::Class { .. }) => Some(match origin {
                Some(origin) => self.own_instance(class, origin),
                None => self.declared_value(class, to),
            }),
            (false, Object::External(external)) => match self.names_a_class(external) {
                true if self.is_named_by_class(to) => Some(class),
                true => self.result_of_external(external),
                false => None,
            },
            (false, Object::Instance { class: alias, .. }) if self.is_built_in(alias, |rules| rules.alias) => {
                let values = self.field(class, self.names.unkeyed);
                self.connect(values, to, super::engine::Way::Plain);
                return true;
            }
            _ => None,
        };
        if let Some(object) = object {
            self.put(to, object, Evidence::Typed);
        }
        object.is_some()
    }

    /// Registers a fallback for a slot, used when no value reaches it.
    pub(super) fn hint(&mut self, to: u32, object: ObjectId, is_value: bool) {
        self.hints.push(Hint::new(to, object, is_value));
    }

    /// Whether the language at a slot names members of external instances by their class.
    fn is_named_by_class(&self, slot: u32) -> bool {
        let activation = self.activations.get(self.slots[slot as usize].activation as usize);
        activation.is_none_or(|row| {
            let unit = self.program.unit_of_body(row.body);
            self.rules(unit).is_some_and(|rules| rules.by_class)
        })
    }

    /// Whether an external path can be a class. Results of calls and names that only denote types are not classes.
    fn names_a_class(&self, external: u32) -> bool {
        !self.externals[external as usize].ends_with(')') && !self.speaks_of_types(external)
    }

    /// Whether an external path only denotes types.
    fn speaks_of_types(&self, external: u32) -> bool {
        let path = &self.externals[external as usize];
        self.typing.iter().any(|module| path.starts_with(module))
    }

    /// Calls the method for missing members, such as `__getattr__`, for lookups that found nothing.
    pub(super) fn ask_for_missing(&mut self) -> bool {
        let mut names: Vec<u32> = self.pending.keys().copied().collect();
        names.sort_unstable();
        let mut changed = false;
        for name in names {
            for pending in self.pending.get(&name).cloned().unwrap_or_default() {
                let Object::Instance { class, .. } = self.objects.get(pending.receiver) else {
                    continue;
                };
                let Some(field) = self.answers_missing(class) else {
                    continue;
                };
                if !self.entries(pending.to).is_empty() || !self.answered.insert((pending.to, pending.receiver)) {
                    continue;
                }
                if let Some(call) = self.reading(pending.to) {
                    self.run_members(&call, field, pending.receiver, pending.evidence);
                    changed = true;
                }
            }
        }
        changed
    }

    /// The field of the method that a class calls for missing members.
    fn answers_missing(&mut self, class: ObjectId) -> Option<u32> {
        let name = self.rules_of(class)?.missing?;
        let name = self.program.rule_name(name);
        self.member_of(class, name)
    }

    /// Whether a function has run. If its body captures nothing, a run of any function of the same body counts.
    fn has_run(&self, body: u32, maker: u32) -> bool {
        let captures = self.program.body(body).captures.len.get();
        self.count[body as usize] > 0 && (captures == 0 || self.entered.contains(&(body, maker)))
    }

    /// Functions that have no activation, in order of creation, for one round.
    ///
    /// | round | functions | with [`FlowRules::packages`](super::FlowRules) |
    /// |---|---|---|
    /// | 0 | those whose name no file mentions | functions that are not methods; static methods that no file asks for |
    /// | 1 | functions that are not methods | also public methods that no file asks for |
    /// | 2 | also public methods | also public static methods |
    /// | 3 | all | also all public methods |
    /// | 4 | all | all |
    pub(super) fn uncalled(&self, round: usize) -> Vec<ObjectId> {
        (0..self.objects.len() as ObjectId)
            .filter(|object| {
                let Object::Function { body, maker } = self.objects.get(*object) else {
                    return false;
                };
                if self.has_run(body, maker) || self.is_prelude(self.program.unit_of_body(body)) {
                    return false;
                }
                let row = self.program.body(body);
                let flags = row.flags.get();
                let is_member = flags & BodyFlags::MEMBER != 0;
                let by_name = self
                    .rules(self.program.unit_of_body(body))
                    .is_some_and(|rules| rules.packages);
                let is_private = || {
                    let facts = self.program.units[self.program.unit_of_body(body)].facts;
                    facts
                        .definitions
                        .get(row.definition.get() as usize)
                        .is_some_and(|definition| {
                            let name = facts.get(definition.name);
                            name.starts_with('_') && !name.ends_with("__")
                                || by_name && definition.visibility() == Visibility::Private
                        })
                };
                if by_name {
                    return match (round, is_member) {
                        (0, is_member) => !is_member || flags & BodyFlags::STATIC != 0 && !self.is_asked_for(body),
                        (_, false) => true,
                        (1, true) => !self.is_asked_for(body) && !is_private(),
                        (2, true) => flags & BodyFlags::STATIC != 0 && !is_private(),
                        (3, true) => !is_private(),
                        (_, true) => true,
                    };
                }
                match round {
                    0 => !self.is_mentioned(body),
                    1 => !is_member,
                    2 => !is_member || !is_private(),
                    _ => true,
                }
            })
            .collect()
    }

    /// Whether any file mentions a function by its name.
    fn is_mentioned(&self, body: u32) -> bool {
        let facts = self.program.units[self.program.unit_of_body(body)].facts;
        let definition = self.program.body(body).definition.get();
        let name = facts
            .definitions
            .get(definition as usize)
            .map(|row| facts.get(row.name));
        match name.and_then(|name| self.program.interned.get(name)) {
            Some(name) => self.program.is_mentioned(*name),
            None => false,
        }
    }

    /// Whether any file asks for a member with the name of a body. Constructors always count.
    fn is_asked_for(&self, body: u32) -> bool {
        let unit = self.program.unit_of_body(body);
        let facts = self.program.units[unit].facts;
        let definition = facts.definitions.get(self.program.body(body).definition.get() as usize);
        definition.is_some_and(|definition| {
            definition.kind() == SymbolKind::Constructor || self.asked_for.contains(facts.get(definition.name))
        })
    }

    /// Enters a function as if called from outside. The receiver is an instance of its class, and the parameters have
    /// their defaults and declared types.
    pub(super) fn enter_from_outside(&mut self, function: ObjectId) {
        let Object::Function { body, maker } = self.objects.get(function) else {
            return;
        };
        if self.has_run(body, maker) {
            return;
        }
        let row = *self.program.body(body);
        let flags = row.flags.get();
        let unit = self.program.unit_of_body(body);
        let symbol = self.symbol(unit, row.definition.get());
        let activation = self.shared_activation(body, maker, symbol);
        self.declared.outside.insert(activation);
        let base = self.activations[activation as usize].base;
        let flow = self.program.units[unit].facts.flow;
        let parameters: &'s [FlowParameter] = &flow.parameters[row.parameters.indexes(flow.parameters.len())];
        for parameter in parameters {
            if parameter.default.get() != NONE {
                self.connect(
                    base + parameter.default.get(),
                    base + parameter.slot.get(),
                    super::engine::Way::Plain,
                );
            }
            self.default(function, unit, parameter, base);
        }
        if flags & BodyFlags::MEMBER == 0 && row.receiver.get() != NONE {
            // A function that an object holds in a field is called on that object.
            if let Some(holder) = self.holders.get(&function).copied() {
                let receiver = match self.objects.get(holder) {
                    Object::Prototype(class) => self.objects.number(Object::Instance { class, site: 0 }),
                    _ => holder,
                };
                self.put(base + row.receiver.get(), receiver, Evidence::Typed);
            }
        }
        if flags & BodyFlags::MEMBER == 0 || flags & BodyFlags::STATIC != 0 {
            return;
        }
        let Some(class) = self.class_made_by(maker) else { return };
        let receiver = if flags & BodyFlags::CLASS_METHOD != 0 {
            class
        } else {
            self.objects.number(Object::Instance { class, site: 0 })
        };
        let slot = match (flags & BodyFlags::RECEIVER_FIRST != 0, parameters.first()) {
            (true, Some(first)) => Some(base + first.slot.get()),
            (true, None) => None,
            (false, _) => (row.receiver.get() != NONE).then(|| base + row.receiver.get()),
        };
        if let Some(slot) = slot {
            self.put(slot, receiver, Evidence::Typed);
        }
    }

    /// The class whose body an activation runs.
    pub(super) fn class_made_by(&self, activation: u32) -> Option<ObjectId> {
        let row = self.activations.get(activation as usize)?;
        let receiver = self.program.body(row.body).receiver.get();
        if receiver == NONE {
            return None;
        }
        self.entries(row.base + receiver).first().map(|(object, _)| *object)
    }
}
