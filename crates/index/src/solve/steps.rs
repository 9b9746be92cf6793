//! The transfer function of each instruction: what it does with an object that arrives at its operand.

use lore_model::{FlowCode, FlowFlags, FlowStep, NONE};

use super::engine::{ABSENT, Call, Engine, Heavy, Hint, UnknownKey, Way};
use super::objects::Object;

impl<'s> Engine<'_, 's> {
    pub(super) fn execute(&mut self, heavy: Heavy) {
        let Heavy {
            activation,
            row,
            object,
            evidence,
        } = heavy;
        let (body, base) = {
            let activation = &self.activations[activation as usize];
            (activation.body, activation.base)
        };
        let unit = self.program.unit_of_body(body);
        let flow = self.program.units[unit].facts.flow;
        let step: &'s FlowStep = &flow.steps[row as usize];
        let to = base.wrapping_add(step.to.get());
        let name = || self.program.name(unit, step.b.get());
        match step.code {
            FlowCode::COPY
                if step.flags & FlowFlags::DATA != 0 && matches!(self.objects.get(object), Object::Literal(_)) => {}
            FlowCode::COPY => self.put(to, object, evidence),
            FlowCode::LOAD => {
                let name = name();
                self.load_member(to, object, name, evidence);
            }
            FlowCode::LOAD_KEY if step.receiver.get() != NONE => {
                let key = base + step.receiver.get();
                self.connect(key, to, Way::KeyOf(object));
                if self.is_collection(object) {
                    self.unknown_keys.push(UnknownKey {
                        key,
                        slot: to,
                        object,
                        stores: false,
                    })
                } else {
                    self.load_key(to, object, NONE, evidence, None)
                }
            }
            FlowCode::STORE_KEY if step.receiver.get() != NONE => {
                let (key, value) = (base + step.receiver.get(), base + step.c.get());
                self.connect(key, value, Way::KeptBy(object));
                if self.is_collection(object) {
                    self.unknown_keys.push(UnknownKey {
                        key,
                        slot: value,
                        object,
                        stores: true,
                    });
                }
            }
            FlowCode::LOAD_KEY if step.flags & FlowFlags::INSIDE != 0 && !self.is_wrapper(object) => {
                self.put(to, object, evidence);
            }
            FlowCode::LOAD_KEY => {
                let key = name();
                let call = Call::implicit(activation, row, to, step.line.get());
                self.load_key(to, object, key, evidence, Some(&call));
            }
            FlowCode::STORE => {
                let name = if step.flags & FlowFlags::POSITION != 0 {
                    match self.declared_at(object, step.b.get()) {
                        Some(name) => name,
                        None => {
                            let write = Call::implicit(activation, row, NONE, step.line.get());
                            self.store_key(&write, object, NONE, base + step.c.get(), evidence);
                            return;
                        }
                    }
                } else {
                    name()
                };
                let write = Call::implicit(activation, row, NONE, step.line.get());
                self.store(&write, object, name, base + step.c.get(), evidence);
            }
            FlowCode::STORE_MEMBER => {
                let name = name();
                if let Object::External(_) = self.objects.get(object) {
                    self.spaces.outside.insert(object);
                }
                if name == self.names.bounds {
                    self.bounded.insert(object);
                }
                let members = self.members(object);
                let field = self.field(members, name);
                self.connect(base + step.c.get(), field, Way::Plain);
                self.promise(object, name);
            }
            FlowCode::STORE_KEY => {
                let key = name();
                let write = Call::implicit(activation, row, NONE, step.line.get());
                self.store_key(&write, object, key, base + step.c.get(), evidence);
            }
            FlowCode::CALL => {
                let range = step.b.get() as usize..(step.b.get() + step.c.get()) as usize;
                let call = Call {
                    activation,
                    key: row,
                    to,
                    arguments: flow.arguments.get(range).unwrap_or(&[]),
                    line: step.line.get(),
                    flags: step.flags,
                    receiver: match step.receiver.get() {
                        NONE => NONE,
                        slot => base + slot,
                    },
                    leading: [ABSENT; 2],
                    among: base + step.a.get(),
                    decided: false,
                };
                match call.arguments.first() {
                    Some(first) if step.flags & FlowFlags::GIVEN != 0 => {
                        let flags = call.flags & !FlowFlags::GIVEN;
                        let from = base + first.slot.get();
                        let call = self.wait_with(&Call { flags, ..call });
                        self.connect(from, NONE, Way::Given { call, callee: object });
                    }
                    _ => self.call_object(&call, object, evidence),
                }
            }
            FlowCode::METHOD => {
                let range = step.b.get() as usize..(step.b.get() + step.c.get()) as usize;
                let call = Call {
                    arguments: flow.arguments.get(range).unwrap_or(&[]),
                    ..Call::implicit(activation, row, to, step.line.get())
                };
                let name = self.program.name(unit, step.receiver.get());
                if step.flags & FlowFlags::IMPLICIT != 0 {
                    self.call_method(&call, object, name, evidence);
                } else {
                    let call = Call {
                        flags: step.flags,
                        ..call
                    };
                    self.invoke_method(&call, object, name, evidence);
                }
            }
            FlowCode::HINT if step.flags & FlowFlags::OTHERS != 0 && self.is_of_language(object) => {
                self.connect(base + step.b.get(), to, Way::Hinted);
            }
            FlowCode::HINT if step.flags & (FlowFlags::VALUE | FlowFlags::NAMED) == FlowFlags::NAMED => {
                self.hint_by_name(to, object, step.flags);
            }
            FlowCode::HINT if step.flags & FlowFlags::LAST != 0 => {
                self.hint_weakly(to, object, step.flags & FlowFlags::VALUE != 0);
            }
            FlowCode::HINT => self.hints.push(Hint {
                origin: (step.flags & FlowFlags::OWN != 0).then_some((activation, row)),
                ..Hint::new(to, object, step.flags & FlowFlags::VALUE != 0)
            }),
            FlowCode::REFERENCE => {
                let name = name();
                self.refer(to, object, name, evidence);
            }
            FlowCode::MAKER => {
                let made = match self.objects.get(object) {
                    Object::Class { .. } => self.objects.number(Object::Maker {
                        class: object,
                        constructs: true,
                    }),
                    _ => object,
                };
                self.put(to, made, evidence);
            }
            FlowCode::DECLARE_MEMBER => {
                let name = name();
                self.declare_member(object, name, base + step.c.get());
            }
            FlowCode::DECLARE => {
                let name = name();
                self.declare(object, name, base + step.c.get());
            }
            FlowCode::COLLECT => {
                let class = name();
                let is_filled = step.flags & FlowFlags::VALUE != 0;
                self.collect(unit, to, class, object, (activation, row), is_filled);
            }
            FlowCode::MAKE | FlowCode::RANGE => {
                let call = Call {
                    flags: step.flags,
                    ..Call::implicit(activation, row, to, step.line.get())
                };
                match step.code {
                    FlowCode::MAKE => self.make(&call, object),
                    _ => {
                        let flags = FlowFlags::IMPLICIT;
                        self.range(&Call { flags, ..call }, object, evidence);
                    }
                }
            }
            FlowCode::CLASS_OF => {
                if let Some(class) = self.class_of(object) {
                    self.put(to, class, evidence);
                }
            }
            FlowCode::VALUE => self.value(activation, row, step, object, evidence),
            FlowCode::NAMES_OF => {
                self.stars.entry(unit).or_default().push(object);
                for (to, name) in self.star_waiting.get(&unit).cloned().unwrap_or_default() {
                    self.load_member(to, object, name, evidence);
                }
            }
            FlowCode::IMPLEMENT => self.implement(unit, activation, step, object),
            FlowCode::LOAD_AS => {
                let name = name();
                for (class, _) in self.entries(base + step.c.get()) {
                    self.load_as(to, object, name, class, evidence);
                }
            }
            FlowCode::ITERATE => {
                let call = Call {
                    flags: FlowFlags::IMPLICIT | step.flags & FlowFlags::WAITED,
                    ..Call::implicit(activation, row, to, step.line.get())
                };
                self.element(to, object, evidence, step.flags & FlowFlags::UNKEYED != 0, Some(&call));
            }
            FlowCode::AWAIT => self.awaited(to, object, evidence),
            FlowCode::HINT_MEMBER => {
                if let Object::Instance { class, .. } = self.objects.get(object) {
                    let name = name();
                    if self.rules_of(class).is_some_and(|rules| rules.stands_for.is_some()) {
                        self.kept.insert((object, name));
                    }
                    if step.flags & FlowFlags::CERTAIN != 0 {
                        self.sealed.insert((object, name), base + step.c.get());
                    }
                    let field = self.field(object, name);
                    self.connect(base + step.c.get(), field, Way::Hinted);
                }
            }
            FlowCode::HINT_ELEMENTS if self.is_collection(object) => {
                let field = self.field(object, self.names.unkeyed);
                self.connect(base + step.b.get(), field, Way::Held(object));
            }
            FlowCode::NARROW => {
                let others = step.flags & FlowFlags::OTHERS != 0;
                if step.flags & FlowFlags::CERTAIN != 0 && !self.holds_classes(base + step.b.get()) {
                    self.put(to, object, evidence);
                    return;
                }
                self.narrow(to, object, base + step.b.get(), others, evidence);
            }
            FlowCode::NARROW_MEMBER => {
                let literal = self.program.name(unit, step.c.get());
                let others = step.flags & FlowFlags::OTHERS != 0;
                self.narrow_member(to, object, name(), literal, others, evidence);
            }
            FlowCode::BASE => {
                let class = self.program.global_class(unit, step.b.get());
                let has_parts = self.program.class(class).key.get() != NONE;
                let class = self.joined_class(unit, class, activation);
                if step.flags & FlowFlags::EMBEDDED != 0 {
                    let name = self.program.name(unit, step.c.get());
                    self.embed(class, name, object);
                    return;
                }
                let at = if has_parts {
                    self.place_of_base(class, object)
                } else {
                    step.c.get() as usize
                };
                let object = match self.objects.get(object) {
                    Object::Bound { function, .. } => function,
                    _ => object,
                };
                if let Some(bases) = self.bases.get_mut(&class)
                    && let Some(bases) = bases.get_mut(at)
                    && !bases.contains(&object)
                    && bases.len() < 8
                {
                    bases.push(object);
                    self.bases_changed = true;
                    self.orders.clear();
                    self.found.clear();
                }
            }
            FlowCode::LOAD_OR => {
                self.load_or(to, object, name(), base + step.c.get(), step.flags, evidence);
            }
            FlowCode::EXTEND => self.extend_class(activation, step, object),
            FlowCode::INSTANCE => {
                let instance = match self.objects.get(object) {
                    Object::Class { .. } => self.objects.number(Object::Instance { class: object, site: 0 }),
                    _ => object,
                };
                self.put(to, instance, evidence.max(super::objects::Evidence::Typed));
            }
            FlowCode::MERGE => {
                let into = base + step.c.get();
                let count = step.receiver.get();
                let mut without = self.left_out_by.get(&(unit, row)).copied().unwrap_or(0);
                if without == 0 && count != NONE && count > 0 {
                    let range = step.b.get() as usize..(step.b.get() + count) as usize;
                    let names = flow.arguments.get(range).unwrap_or(&[]);
                    let names = names
                        .iter()
                        .map(|argument| self.program.name(unit, argument.name.get()))
                        .collect();
                    without = self.left_out.len() as u32;
                    self.left_out.push(names);
                    self.left_out_by.insert((unit, row), without);
                }
                self.connect(
                    into,
                    base + step.a.get(),
                    Way::Merged {
                        source: object,
                        without,
                    },
                );
            }
            FlowCode::SUPER => {
                let class = self.program.global_class(unit, step.b.get());
                let around = match self.objects.get(object) {
                    // The class itself, while its body runs.
                    Object::Class { class: own, .. } if own == class => Some(object),
                    _ => self.class_around(activation, class),
                };
                if let Some(class) = around {
                    let object = self.objects.number(Object::Super {
                        class,
                        receiver: object,
                    });
                    self.put(to, object, evidence);
                }
            }
            _ => {}
        }
    }
}
