//! Activations of bodies: creating their slots, seeding them, and mapping them to rules and symbols.

use lore_model::{FlowCode, FlowFlags, FlowStep, NONE, ParameterKind};

use super::FlowRules;
use super::engine::{Activation, Engine, MAX_CONTEXT, Way};
use super::objects::{Evidence, Object, ObjectId};

impl<'s> Engine<'_, 's> {
    pub(super) fn module_activation(&self, unit: usize) -> u32 {
        self.module_activations.get(&unit).copied().unwrap_or(0)
    }

    pub(super) fn activate(&mut self, body: u32, parent: u32, symbol: u32, context: u32) -> u32 {
        let activation = self.prepare(body, parent, symbol, context);
        self.start(activation);
        activation
    }

    /// Creates an activation with its slots, without running anything.
    pub(super) fn prepare(&mut self, body: u32, parent: u32, symbol: u32, context: u32) -> u32 {
        let row = self.program.body(body);
        let number = self.activations.len() as u32;
        let base = self.new_slots(row.slots.get(), number);
        self.activations.push(Activation {
            body,
            base,
            parent,
            symbol,
            from: (NONE, 0),
            context,
        });
        self.count[body as usize] += 1;
        self.entered.insert((body, parent));
        number
    }

    /// Connects the captures of an activation and runs the instructions that have no operand.
    pub(super) fn start(&mut self, number: u32) {
        let (body, base) = {
            let row = &self.activations[number as usize];
            (row.body, row.base)
        };
        let row = *self.program.body(body);
        let unit = self.program.unit_of_body(body);
        let flow = self.program.units[unit].facts.flow;
        for capture in &flow.captures[row.captures.indexes(flow.captures.len())] {
            let mut outer = number;
            for _ in 0..capture.levels.get() {
                outer = self.activations.get(outer as usize).map_or(NONE, |row| row.parent);
            }
            let Some(outer) = self.activations.get(outer as usize) else {
                continue;
            };
            let (here, there) = (base + capture.slot.get(), outer.base + capture.outer.get());
            match capture.written {
                0 => self.connect(there, here, Way::Plain),
                _ => self.connect(here, there, Way::Plain),
            }
        }
        for parameter in &flow.parameters[row.parameters.indexes(flow.parameters.len())] {
            let Some(rules) = self.rules(unit) else { continue };
            let class = match parameter.kind {
                ParameterKind::REST => rules.rest.0,
                ParameterKind::NAMED_REST => rules.rest.1,
                _ => continue,
            };
            let slot = base + parameter.slot.get();
            if let Some(held) = self.built_in(unit, class, (number, slot)) {
                self.put(slot, held, Evidence::Flow);
            }
        }
        if row.flags.get() & (lore_model::BodyFlags::MODULE | lore_model::BodyFlags::CLASS) != 0 {
            self.note_extensions(number);
        }
        for at in row.seeds.indexes(flow.steps.len()) {
            self.seed(unit, number, base, &flow.steps[at], at as u32);
        }
    }

    pub(super) fn seed(&mut self, unit: usize, activation: u32, base: u32, step: &'s FlowStep, row: u32) {
        let to = base.wrapping_add(step.to.get());
        match step.code {
            FlowCode::FUNCTION => {
                let body = self.program.global_body(unit, step.a.get());
                let function = self.objects.number(Object::Function {
                    body,
                    maker: activation,
                });
                self.put(to, function, Evidence::Exact);
            }
            FlowCode::ITSELF => {
                let row = &self.activations[activation as usize];
                let function = Object::Function {
                    body: row.body,
                    maker: row.parent,
                };
                let function = self.objects.number(function);
                self.put(to, function, Evidence::Exact);
            }
            FlowCode::CLASS => {
                let class = self.program.global_class(unit, step.a.get());
                let row = *self.program.class(class);
                let object = self.joined_class(unit, class, activation);
                self.bases
                    .entry(object)
                    .or_insert_with(|| vec![Vec::new(); row.bases.get() as usize]);
                self.put(to, object, Evidence::Exact);
                self.note_class_name(unit, row.definition.get(), object);
                if row.body.get() != NONE {
                    let body = self.program.global_body(unit, row.body.get());
                    let symbol = self.symbol(unit, row.definition.get());
                    let context = self.activations[activation as usize].context;
                    let inner = self.activate(body, activation, symbol, context);
                    let receiver = self.program.body(body).receiver.get();
                    if receiver != NONE {
                        let slot = self.activations[inner as usize].base + receiver;
                        self.put(slot, object, Evidence::Exact);
                        // Members must exist before a lookup asks for them.
                        self.leave_members(inner, slot, object);
                    }
                }
            }
            FlowCode::IMPORT => {
                let module = self.program.name(unit, step.a.get());
                let member = self.program.name(unit, step.b.get());
                self.import(unit, to, module, member);
            }
            FlowCode::IMPORT_ALL => {
                let module = self.program.name(unit, step.a.get());
                let text = self.program.text(module).to_owned();
                let target = self.target(unit, &text);
                if let Some(object) = target {
                    self.stars.entry(unit).or_default().push(object);
                    for (to, name) in self.star_waiting.get(&unit).cloned().unwrap_or_default() {
                        self.load_member(to, object, name, Evidence::Exact);
                    }
                }
            }
            FlowCode::ALLOCATE => {
                let class = self.program.name(unit, step.a.get());
                if step.flags & FlowFlags::OWN != 0 {
                    let of = self.program.name(unit, step.b.get());
                    self.allocate_some(unit, to, class, of, (activation, row));
                    return;
                }
                // All collections that hold nothing worth following are one object.
                let is_data = step.flags & FlowFlags::DATA != 0;
                let site = if is_data { (NONE, 0) } else { (activation, row) };
                if let Some(held) = self.built_in_named(unit, class, site) {
                    if is_data {
                        self.data.insert(held);
                    }
                    self.put(to, held, Evidence::Typed);
                }
            }
            FlowCode::SENT => {
                let class = self.rules(unit).map_or("", |rules| rules.generator);
                if let Some(generator) = self.built_in(unit, class, (activation, NONE)) {
                    let field = self.field(generator, self.names.sent);
                    self.connect(field, to, Way::Crossed);
                }
            }
            FlowCode::LITERAL => {
                let name = self.program.name(unit, step.a.get());
                let literal = self.objects.number(Object::Literal(name));
                self.put(to, literal, Evidence::Exact);
            }
            FlowCode::GLOBAL => {
                let name = self.program.name(unit, step.a.get());
                let last = match step.receiver.get() {
                    NONE => NONE,
                    slot => base + slot,
                };
                self.global(unit, to, name, last);
            }
            FlowCode::FIND => self.find(unit, to, step),
            FlowCode::KEEP => self.keep_in_space(unit, to, step),
            _ => {}
        }
    }

    /// Runs the stores of a class body immediately instead of queueing them.
    pub(super) fn leave_members(&mut self, activation: u32, slot: u32, class: ObjectId) {
        let row = &self.activations[activation as usize];
        let (body, base) = (row.body, row.base);
        let (steps, _) = self.program.steps_on(body, slot - base);
        let unit = self.program.unit_of_body(body);
        for step in steps.iter().filter(|step| {
            matches!(
                step.code,
                FlowCode::STORE_MEMBER | FlowCode::STORE | FlowCode::DECLARE_MEMBER
            )
        }) {
            let name = self.program.name(unit, step.b.get());
            if step.code == FlowCode::DECLARE_MEMBER {
                self.declare_member(class, name, base + step.c.get());
                continue;
            }
            let members = match step.code {
                FlowCode::STORE => class,
                _ => self.members(class),
            };
            let field = self.field(members, name);
            self.connect(base + step.c.get(), field, Way::Plain);
        }
    }

    pub(super) fn symbol(&self, unit: usize, definition: u32) -> u32 {
        let unit = &self.program.units[unit];
        match definition {
            NONE => unit.module_symbol,
            _ if unit.first_symbol == NONE => NONE,
            definition => unit.first_symbol + definition,
        }
    }

    pub(super) fn rules(&self, unit: usize) -> Option<&'static FlowRules> {
        self.program.rules(unit)
    }

    pub(super) fn is_prelude(&self, unit: usize) -> bool {
        self.program.is_prelude(unit)
    }

    pub(super) fn shared_activation(&mut self, body: u32, maker: u32, symbol: u32) -> u32 {
        if let Some(activation) = self.shared.get(&(body, maker)) {
            return *activation;
        }
        let context = self.activations.get(maker as usize).map_or(0, |row| row.context);
        let activation = self.activate(body, maker, symbol, context);
        self.shared.insert((body, maker), activation);
        activation
    }

    /// The activation of a prelude body that all calls from one symbol share.
    pub(super) fn activation_for(&mut self, body: u32, maker: u32, symbol: u32) -> u32 {
        let key = (body, maker, symbol);
        if let Some(activation) = self.shared_for.get(&key) {
            return *activation;
        }
        let activation = self.activate(body, maker, symbol, MAX_CONTEXT);
        self.shared_for.insert(key, activation);
        activation
    }

    /// The class object of a class row, as created by the activation that encloses `activation`.
    pub(super) fn class_around(&mut self, activation: u32, class: u32) -> Option<ObjectId> {
        let body = self.program.class(class).body.get();
        let unit = self.program.unit_of_class(class);
        let body = self.program.global_body(unit, body);
        let mut at = activation;
        while let Some(row) = self.activations.get(at as usize) {
            if row.body == body {
                let maker = row.parent;
                return Some(self.joined_class(unit, class, maker));
            }
            at = row.parent;
        }
        None
    }
}
