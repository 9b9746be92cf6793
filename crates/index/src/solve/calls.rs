//! Calls: finding the callee, binding arguments and results, and recording call edges.

use std::rc::Rc;

use lore_model::{
    ArgumentKind, BodyFlags, Definition, EdgeMarks, FlowFlags, FlowParameter, NONE, ParameterKind, SymbolKind,
};

use super::engine::{ABSENT, Call, Engine, MAX_CLONED_SLOTS, MAX_CONTEXT, MAX_GIVING, MAX_SMALL, NOTHING, Way};
use super::objects::{Evidence, Object, ObjectId};
use super::outcome::{CallRow, Callee};

/// Lists with more elements are spread without known positions.
const MAX_LENGTH: usize = 16;

impl<'s> Engine<'_, 's> {
    /// Calls a method by name. Returns whether the object has the method.
    pub(super) fn call_named(
        &mut self,
        call: &Call<'s>,
        object: ObjectId,
        name: &'static str,
        evidence: Evidence,
    ) -> bool {
        let name = self.program.rule_name(name);
        self.call_method(call, object, name, evidence)
    }

    /// Calls a method. Returns whether the object has the method.
    pub(super) fn call_method(&mut self, call: &Call<'s>, object: ObjectId, name: u32, evidence: Evidence) -> bool {
        let class = match self.objects.get(object) {
            Object::Instance { class, .. } | Object::Adapted { class, .. } => class,
            // Calling a function's call method calls the function.
            Object::Function { body, .. } => {
                let rules = self.rules(self.program.unit_of_body(body));
                let called = rules.is_some_and(|rules| rules.call == self.program.text(name));
                if called {
                    self.call_object(call, object, evidence);
                }
                return called;
            }
            Object::Bound { function, .. } if function != object => {
                if let Object::Function { body, .. } = self.objects.get(function)
                    && self
                        .rules(self.program.unit_of_body(body))
                        .is_some_and(|rules| rules.call == self.program.text(name))
                {
                    self.call_object(call, object, evidence);
                    return true;
                }
                return false;
            }
            _ => return false,
        };
        let own = if self.is_record(object) {
            self.field_if_any(object, name)
        } else {
            None
        };
        match own.or_else(|| self.member_of(class, name)) {
            Some(field) => {
                self.run_members(call, field, object, evidence);
                true
            }
            None => false,
        }
    }

    /// The field of a member that the instances of a class share.
    pub(super) fn member_of(&mut self, class: ObjectId, name: u32) -> Option<u32> {
        if let Some((field, round)) = self.found.get(&(class, name)).copied()
            && round == self.round_of(name)
        {
            return (field != NONE).then_some(field);
        }
        let order = self.order(class);
        let found = order.iter().enumerate().find_map(|(at, place)| {
            let place = self.members(*place);
            Some((at, self.field_if_any(place, name)?))
        });
        let field = found.map(|(at, field)| {
            let field = self.with_overloads(&order, at, name, field);
            self.rivals_of(class, name, order[at], field)
        });
        let round = self.round_of(name);
        self.found.insert((class, name), (field.unwrap_or(NONE), round));
        field
    }

    /// How often a class got a member of this name.
    pub(super) fn round_of(&self, name: u32) -> u32 {
        self.rounds.get(&name).copied().unwrap_or(0)
    }

    /// Runs all functions that a field holds now or later, for a receiver.
    pub(super) fn run_members(&mut self, call: &Call<'s>, field: u32, receiver: ObjectId, evidence: Evidence) {
        let call = self.wait_with(&Call {
            among: field,
            ..call.clone()
        });
        let way = Way::Run { call, receiver };
        let _ = evidence;
        self.connect(field, NONE, way);
    }

    pub(super) fn run_member(&mut self, call: u32, member: ObjectId, receiver: ObjectId, evidence: Evidence) {
        let call = self.waiting_calls[call as usize].clone();
        let called = match self.objects.get(member) {
            Object::Function { body, .. }
                if self.program.body(body).flags.get() & BodyFlags::DECLARED != 0
                    && let Object::Adapted { function, .. } = self.objects.get(receiver) =>
            {
                function
            }
            Object::Function { body, maker } if self.program.body(body).flags.get() & BodyFlags::STATIC == 0 => {
                let evidence = evidence.max(Evidence::Typed);
                self.invoke(&call, member, body, maker, Some(receiver), evidence);
                return;
            }
            Object::Function { .. } | Object::Bound { .. } => member,
            _ => return,
        };
        self.call_object(&call, called, evidence.max(Evidence::Typed));
    }

    pub(super) fn call_object(&mut self, call: &Call<'s>, object: ObjectId, evidence: Evidence) {
        match self.objects.get(object) {
            Object::Function { body, maker } => {
                let makes = call.flags & FlowFlags::NEW != 0 && call.flags & FlowFlags::COMPONENT == 0;
                if makes {
                    // A function called with `new` is its own class.
                    let instance = self.objects.number(Object::Instance { class: object, site: 0 });
                    let definition = self.program.body(body).definition.get();
                    self.record_instance(call, self.program.unit_of_body(body), definition, evidence);
                    self.put(call.to, instance, evidence.max(Evidence::Typed));
                    let inner = Call {
                        to: NONE,
                        ..call.clone()
                    };
                    self.invoke(&inner, object, body, maker, Some(instance), evidence);
                } else {
                    self.invoke(call, object, body, maker, None, evidence);
                }
            }
            // `new` ignores the object that a function is bound to.
            Object::Bound { function, .. }
                if call.flags & FlowFlags::NEW != 0 && call.flags & FlowFlags::COMPONENT == 0 =>
            {
                self.call_object(call, function, evidence);
            }
            Object::Bound { function, receiver } if self.is_dispatched(function, receiver) => {
                self.dispatch(call, function, receiver);
            }
            Object::Bound { function, receiver } => {
                if let Object::Function { body, maker } = self.objects.get(function) {
                    self.invoke(call, function, body, maker, Some(receiver), evidence);
                }
            }
            Object::Class { .. } if self.rules_of(object).is_some_and(|rules| rules.converts) => {
                self.convert(call, object);
            }
            Object::Class { .. } => self.instantiate(call, object, evidence),
            Object::Sink(slot) => self.sink(call, slot),
            Object::Instance { class, .. } => {
                if let Some(rules) = self.rules_of(class) {
                    self.call_named(call, object, rules.call, evidence);
                }
            }
            Object::External(external) => {
                self.record(call, Callee::External(external), evidence);
                if call.to != NONE && call.flags & FlowFlags::DECORATOR != 0 {
                    // The effect of an unknown decorator is unknown, so the decorated object stays reachable.
                    self.pass_first_argument(call);
                } else if call.flags & FlowFlags::NEW != 0
                    && self.rules_of_caller(call).is_some_and(|rules| rules.by_class)
                {
                    self.put(call.to, object, Evidence::Typed);
                } else if call.to != NONE
                    && call.flags & FlowFlags::IMPLICIT == 0
                    && let Some(result) = self.result_of_external(external)
                {
                    self.put_results(call, result);
                }
            }
            Object::Literal(text) => self.call_text(call, text, evidence),
            Object::Super { .. } | Object::Module(_) | Object::Prototype(_) => {}
            Object::Maker {
                class,
                constructs: true,
            } => self.construct(call, class, evidence),
            Object::Maker { class, .. } => {
                let instance = self.objects.number(Object::Instance { class, site: 0 });
                self.put(call.to, instance, Evidence::Typed);
            }
            Object::Adapted { function, .. } => self.call_object(call, function, evidence),
            Object::Unbound { class, name } => self.call_unbound(call, object, class, name),
        }
    }

    /// Calls a method that was referenced through its class: the first argument is the receiver.
    fn call_unbound(&mut self, call: &Call<'s>, object: ObjectId, class: ObjectId, name: u32) {
        if !self.referenced.insert((call.activation, call.key, object)) {
            return;
        }
        let base = self.activations[call.activation as usize].base;
        let mut inner = call.clone();
        let first = match (call.leading[0], call.arguments.split_first()) {
            (ABSENT, Some((first, others))) if first.kind == ArgumentKind::PLAIN => {
                inner.arguments = others;
                base + first.slot.get()
            }
            (ABSENT, _) => return,
            (leading, _) => {
                inner.leading = [call.leading[1], ABSENT];
                leading
            }
        };
        // Fallback: an instance of the class, used when nothing is known about the argument.
        let receiver = self.new_slots(1, NONE);
        if first != NOTHING {
            self.connect(first, receiver, Way::Crossed);
        }
        self.hint(receiver, class, false);
        let call = self.wait_with(&inner);
        self.connect(receiver, NONE, Way::Invoke { call, name });
    }

    /// Calls a method of an object at a call site that the source writes.
    pub(super) fn invoke_method(&mut self, call: &Call<'s>, object: ObjectId, name: u32, evidence: Evidence) {
        let field = match self.objects.get(object) {
            Object::Instance { class, .. } | Object::Adapted { class, .. } => self.member_of(class, name),
            Object::Class { .. } => self.member_of(object, name),
            Object::Function { .. } => self.function_member(object, name),
            Object::Bound { function, .. } => self.function_member(function, name),
            _ => None,
        };
        if let (Some(field), Object::Class { .. }) = (field, self.objects.get(object)) {
            // A member of a class is called without a receiver.
            let call = self.wait_with(&Call {
                among: field,
                ..call.clone()
            });
            self.connect(field, NONE, Way::Called(call));
            return;
        }
        if let Some(field) = field {
            self.run_members(call, field, object, evidence);
            return;
        }
        match self.objects.get(object) {
            Object::External(external) => {
                if let Some(below) = self.member_of_external(external, name) {
                    self.call_object(call, below, evidence);
                }
            }
            Object::Function { .. } | Object::Bound { .. } | Object::Maker { .. } | Object::Unbound { .. } => {
                self.call_object(call, object, evidence);
            }
            Object::Instance { class, .. } | Object::Adapted { class, .. } if self.is_partly_built_in(class) => {
                if let Some(below) = self.member_of_built_in(class, name) {
                    self.call_object(call, below, evidence);
                }
            }
            Object::Class { .. } if self.is_partly_built_in(object) => {
                if let Some(below) = self.member_of_built_in(object, name) {
                    self.call_object(call, below, evidence);
                }
            }
            _ => {
                // The member is not known yet. The call runs when a member arrives.
                let callee = self.new_slots(1, NONE);
                let call = self.wait_with(&Call {
                    among: callee,
                    ..call.clone()
                });
                self.connect(callee, NONE, Way::Called(call));
                self.load_member(callee, object, name, evidence);
            }
        }
    }

    /// Whether a class or one of its bases is defined by a prelude. A prelude does not list every member.
    fn is_partly_built_in(&mut self, class: ObjectId) -> bool {
        self.order(class)
            .iter()
            .any(|place| self.built_in_unit(*place).is_some())
    }

    fn built_in_unit(&self, class: ObjectId) -> Option<(usize, u32)> {
        let Object::Class { class, .. } = self.objects.get(class) else {
            return None;
        };
        let unit = self.program.unit_of_class(class);
        self.is_prelude(unit)
            .then(|| (unit, self.program.class(class).definition.get()))
    }

    /// A member that the prelude does not list, as an external member of the first built-in base.
    fn member_of_built_in(&mut self, class: ObjectId, name: u32) -> Option<ObjectId> {
        let order = self.order(class);
        let (unit, definition) = order.iter().find_map(|place| self.built_in_unit(*place))?;
        match self.callee_of(unit, definition)? {
            Callee::External(external) => self.member_of_external(external, name),
            Callee::Symbol(_) => None,
        }
    }

    /// Runs a waiting method call for a receiver that has arrived.
    pub(super) fn invoke_on(&mut self, call: u32, object: ObjectId, name: u32, evidence: Evidence) {
        let call = self.waiting_calls[call as usize].clone();
        match self.objects.get(object) {
            Object::External(external) => {
                if let Some(below) = self.member_of_external(external, name) {
                    self.call_object(&call, below, evidence);
                }
            }
            Object::Function { .. } | Object::Bound { .. } | Object::Maker { .. } | Object::Unbound { .. } => {
                self.call_object(&call, object, evidence);
            }
            _ => {
                self.call_method(&call, object, name, evidence);
            }
        }
    }

    pub(super) fn rules_of_caller(&self, call: &Call<'s>) -> Option<&'static super::FlowRules> {
        let body = self.activations[call.activation as usize].body;
        self.rules(self.program.unit_of_body(body))
    }

    /// Puts the result of an external call into all result slots, unless the call states their classes.
    fn put_results(&mut self, call: &Call<'s>, result: ObjectId) {
        let row = &self.activations[call.activation as usize];
        let (base, unit) = (row.base, self.program.unit_of_body(row.body));
        let said = || call.arguments.iter().filter(|row| row.kind == ArgumentKind::RESULT);
        if said().all(|row| row.slot.get() != NONE) {
            self.put(call.to, result, Evidence::Flow);
        }
        for argument in said() {
            let to = match argument.slot.get() {
                NONE => call.to,
                slot => base + slot,
            };
            match argument.name.get() {
                NONE => self.put(to, result, Evidence::Flow),
                name => {
                    let name = self.program.name(unit, name);
                    if let Some(class) = self.class_of_prelude(unit, name) {
                        let value = self.objects.number(Object::Instance { class, site: 0 });
                        self.put(to, value, Evidence::Typed);
                    }
                }
            }
        }
    }

    pub(super) fn pass_first_argument(&mut self, call: &Call<'s>) {
        if let Some(argument) = call.arguments.first().filter(|first| first.kind == ArgumentKind::PLAIN) {
            let base = self.activations[call.activation as usize].base;
            self.connect(base + argument.slot.get(), call.to, Way::Plain);
        }
    }

    /// Marks a call as resolved.
    pub(super) fn resolve(&mut self, unit: usize, key: u32) {
        let at = self.program.global_step(unit, 0).saturating_add(key as usize);
        if let Some(resolved) = self.resolved.get_mut(at) {
            *resolved = true;
        }
    }

    /// Records a call edge.
    pub(super) fn record(&mut self, call: &Call<'_>, callee: Callee, evidence: Evidence) {
        let row = &self.activations[call.activation as usize];
        let (symbol, unit) = (row.symbol, self.program.unit_of_body(row.body));
        self.resolve(unit, call.key);
        if symbol == NONE {
            return;
        }
        let row = self.call_row(call, callee, evidence);
        self.calls.push(row);
    }

    /// The row of a call, at the line that makes it.
    fn call_row(&self, call: &Call<'_>, callee: Callee, evidence: Evidence) -> CallRow {
        let row = &self.activations[call.activation as usize];
        let unit = self.program.unit_of_body(row.body);
        let is_prelude = self.is_prelude(unit);
        let is_step = (call.key as usize) < self.program.units[unit].facts.flow.steps.len();
        let is_written = !is_prelude && call.flags & FlowFlags::IMPLICIT == 0;
        let (file, line) = match row.from {
            (file, line) if line > 0 => (file, line),
            _ => (self.program.units[unit].file, call.line),
        };
        CallRow {
            caller: row.symbol,
            callee,
            file,
            line,
            evidence: evidence as u8,
            marks: if is_written {
                EdgeMarks::default()
            } else {
                EdgeMarks::IMPLICIT
            },
            site: if is_prelude || !is_step {
                NONE
            } else {
                self.program.global_step(unit, call.key) as u32
            },
        }
    }

    /// Records an instantiation of a class of this repository.
    pub(super) fn record_instance(&mut self, call: &Call<'_>, unit: usize, definition: u32, evidence: Evidence) {
        let row = &self.activations[call.activation as usize];
        if row.symbol == NONE || self.is_prelude(unit) {
            return;
        }
        let row = self.call_row(call, Callee::Symbol(self.symbol(unit, definition)), evidence);
        self.instances.push(CallRow {
            marks: row.marks.with(EdgeMarks::NAMED),
            ..row
        });
    }

    /// Calls a function. Returns whether the function applies: an overload that the arguments exclude does not.
    pub(super) fn invoke(
        &mut self,
        call: &Call<'s>,
        function: ObjectId,
        body: u32,
        maker: u32,
        receiver: Option<ObjectId>,
        evidence: Evidence,
    ) -> bool {
        receiver.is_none() && self.dispatch_on_argument(call, body)
            || self.waits_for_choice(call, function, receiver)
            || self.invoke_now(call, function, body, maker, receiver, evidence)
    }

    /// As [`Engine::invoke`], without waiting for arguments that select the function.
    pub(super) fn invoke_now(
        &mut self,
        call: &Call<'s>,
        function: ObjectId,
        body: u32,
        maker: u32,
        receiver: Option<ObjectId>,
        evidence: Evidence,
    ) -> bool {
        let row = *self.program.body(body);
        let flags = row.flags.get();
        let unit = self.program.unit_of_body(body);
        if (flags & BodyFlags::OVERLOADED != 0 || self.overloaded.contains(&body))
            && !self.is_meant(call, function, receiver, evidence)
        {
            return false;
        }
        let prelude = self.is_prelude(unit);
        let caller = &self.activations[call.activation as usize];
        let (caller_symbol, caller_context, caller_body) = (caller.symbol, caller.context, caller.body);
        let caller_from = caller.from;
        let callee = self.callee_of(unit, row.definition.get());
        // A call inside a prelude belongs to the caller of the prelude. Calls of the prelude's own helpers are not
        // recorded.
        let within = prelude && self.is_prelude(self.program.unit_of_body(caller_body));
        let is_hidden = flags & BodyFlags::HIDDEN != 0 && call.flags & FlowFlags::ANONYMOUS == 0;
        if !within && !is_hidden {
            match callee {
                Some(callee) => self.record(call, callee, evidence),
                None => {
                    self.resolve(self.program.unit_of_body(caller_body), call.key);
                }
            }
        } else if flags & BodyFlags::DECLARED == 0 {
            self.resolve(self.program.unit_of_body(caller_body), call.key);
        }
        if prelude && row.seeds.len.get() == 0 && row.steps.len.get() == 0 {
            // The body is empty, so nothing flows.
            return true;
        }
        let symbol = if prelude {
            caller_symbol
        } else {
            self.symbol(unit, row.definition.get())
        };
        let small = if flags & BodyFlags::GIVES_BACK != 0 {
            MAX_GIVING
        } else {
            MAX_SMALL
        };
        let by_call = (flags & BodyFlags::PASS_THROUGH != 0 && row.slots.get() <= small
            || prelude
            || flags & BodyFlags::THIN != 0 && self.passes_code(call))
            && caller_context < MAX_CONTEXT;
        let affordable = self.clones + row.slots.get() as usize <= self.clone_budget
            && (prelude || self.count[body as usize] * row.slots.get() < MAX_CLONED_SLOTS);
        let overflow = by_call && !affordable;
        let activation = match by_call && affordable {
            true => {
                let key = (body, maker, call.activation, call.key);
                match self.own.get(&key) {
                    Some(activation) => *activation,
                    None => {
                        self.clones += row.slots.get() as usize;
                        let activation = self.activate(body, maker, symbol, caller_context + 1);
                        self.own.insert(key, activation);
                        activation
                    }
                }
            }
            // The activations of a prelude body are separate for each calling symbol.
            false if prelude => self.activation_for(body, maker, symbol),
            false => self.shared_activation(body, maker, symbol),
        };
        if prelude && self.activations[activation as usize].from.1 == 0 {
            self.activations[activation as usize].from = match caller_from {
                (_, 0) => (
                    self.program.units[self.program.unit_of_body(caller_body)].file,
                    call.line,
                ),
                from => from,
            };
        }
        let key = (call.activation, call.key, activation, receiver.unwrap_or(NONE));
        if self.bound_calls.insert(key) {
            if overflow {
                self.overflows += 1;
            } else {
                self.bind_arguments(call, function, body, activation, receiver);
            }
            self.bind_result(call, unit, activation, flags);
            let caught = match call.arguments.last() {
                Some(last) if last.kind == ArgumentKind::CAUGHT => {
                    self.activations[call.activation as usize].base + last.slot.get()
                }
                _ => NONE,
            };
            self.reached.push((call.activation, activation, caught));
        }
        true
    }

    /// Whether a call passes functions or classes.
    fn passes_code(&self, call: &Call<'s>) -> bool {
        let base = self.activations[call.activation as usize].base;
        let passed = call.arguments.iter().filter(|row| row.kind != ArgumentKind::RESULT);
        passed.into_iter().any(|argument| {
            let slot = self.slots.get((base + argument.slot.get()) as usize);
            slot.is_some_and(|slot| {
                slot.set.entries().iter().any(|entry| {
                    let object = self.objects.get(entry >> 2);
                    matches!(
                        object,
                        Object::Function { .. }
                            | Object::Class { .. }
                            | Object::Bound { .. }
                            | Object::Adapted { .. }
                            | Object::Unbound { .. }
                            | Object::Maker { .. }
                    )
                })
            })
        })
    }

    /// How a definition appears in the call graph: as a symbol, or as an external path if a prelude defines it.
    pub(super) fn callee_of(&mut self, unit: usize, definition: u32) -> Option<Callee> {
        if !self.is_prelude(unit) {
            return Some(Callee::Symbol(self.symbol(unit, definition)));
        }
        let key = (unit as u32, definition);
        if let Some(callee) = self.callees.get(&key) {
            return *callee;
        }
        let callee = self.callee_in_prelude(unit, definition);
        self.callees.insert(key, callee);
        callee
    }

    fn callee_in_prelude(&mut self, unit: usize, definition: u32) -> Option<Callee> {
        let facts = self.program.units[unit].facts;
        let row = facts.definitions.get(definition as usize)?;
        let module = self.program.modules[self.program.units[unit].module].name.clone();
        let module = match module.trim_start_matches("<prelude>") {
            "" => self.rules(unit).map_or("", |rules| rules.builtin_module),
            module => module,
        };
        let separator = self.program.units[unit].language.separator;
        let mut path = facts.get(row.name).to_owned();
        // A member of an implementation block has the name of the type.
        if !row.owner.is_empty() {
            path = format!("{}{separator}{path}", facts.get(row.owner));
        }
        let mut parent = row.parent();
        while let Some(row) = parent.and_then(|parent| facts.definitions.get(parent)) {
            path = format!("{}{separator}{path}", facts.get(row.name));
            parent = row.parent();
        }
        let object = self.external(unit, &format!("{module}{separator}{path}"));
        match self.objects.get(object) {
            Object::External(number) => Some(Callee::External(number)),
            _ => None,
        }
    }

    pub(super) fn bind_result(&mut self, call: &Call<'s>, unit: usize, activation: u32, flags: u32) {
        if call.to == NONE {
            return;
        }
        let (body, base) = {
            let row = &self.activations[activation as usize];
            (row.body, row.base)
        };
        let row = *self.program.body(body);
        let result = base + row.result.get();
        if row.results.get() > 1 {
            let caller = self.activations[call.activation as usize].base;
            let further = call
                .arguments
                .iter()
                .filter(|row| row.kind == ArgumentKind::RESULT && row.slot.get() != NONE);
            for (at, argument) in (1..row.results.get()).zip(further) {
                self.connect(result + at, caller + argument.slot.get(), Way::Crossed);
            }
        }
        let rules = self.rules(unit);
        let wrapped = match (flags & BodyFlags::GENERATOR != 0, flags & BodyFlags::ASYNC != 0) {
            (true, _) => rules.map(|rules| (rules.generator, row.yielded.get())),
            (false, true) => rules.map(|rules| (rules.promise, row.result.get())),
            (false, false) => None,
        };
        match wrapped {
            Some((class, held)) if held != NONE => {
                if let Some(object) = self.built_in(unit, class, (activation, NONE)) {
                    let field = self.field(object, self.names.unkeyed);
                    let way = if flags & BodyFlags::GENERATOR != 0 {
                        Way::Crossed
                    } else {
                        Way::Awaited
                    };
                    self.connect(base + held, field, way);
                    self.put(call.to, object, Evidence::Typed);
                    if let Some(failure) = rules.and_then(|rules| rules.failure) {
                        let failure = self.program.intern(failure);
                        let failure = self.field(object, failure);
                        self.reached.push((call.activation, activation, failure));
                    }
                }
            }
            _ => self.connect(result, call.to, Way::Crossed),
        }
    }

    pub(super) fn bind_arguments(
        &mut self,
        call: &Call<'s>,
        function: ObjectId,
        body: u32,
        activation: u32,
        receiver: Option<ObjectId>,
    ) {
        let row = *self.program.body(body);
        let unit = self.program.unit_of_body(body);
        let flow = self.program.units[unit].facts.flow;
        let parameters: &'s [FlowParameter] = &flow.parameters[row.parameters.indexes(flow.parameters.len())];
        let base = self.activations[activation as usize].base;
        let caller = &self.activations[call.activation as usize];
        let (caller_base, caller_unit) = (caller.base, self.program.unit_of_body(caller.body));
        let mut skip = 0;
        let mut first_is_receiver = receiver.is_none()
            && call.receiver == NONE
            && row.receiver.get() != NONE
            && row.flags.get() & (BodyFlags::MEMBER | BodyFlags::STATIC | BodyFlags::CLASS_METHOD) == BodyFlags::MEMBER
            && self.program.units[unit].language.first_is_receiver;
        if receiver.is_none() && call.receiver != NONE && row.receiver.get() != NONE {
            self.connect(call.receiver, base + row.receiver.get(), Way::Receiver);
        }
        if let Some(receiver) = receiver {
            if row.flags.get() & BodyFlags::RECEIVER_FIRST != 0
                || row.receiver.get() == NONE && row.flags.get() & BodyFlags::ARROW == 0
            {
                if let Some(first) = parameters.first() {
                    self.put_receiver(base + first.slot.get(), receiver);
                }
                skip = 1;
            } else if row.receiver.get() != NONE {
                self.put_receiver(base + row.receiver.get(), receiver);
            }
        }
        let positional: Vec<&FlowParameter> = parameters
            .iter()
            .filter(|parameter| matches!(parameter.kind, ParameterKind::PLAIN | ParameterKind::POSITIONAL))
            .skip(skip)
            .collect();
        let rest = parameters
            .iter()
            .find(|parameter| parameter.kind == ParameterKind::REST);
        let named_rest = parameters
            .iter()
            .find(|parameter| parameter.kind == ParameterKind::NAMED_REST);
        let held = |engine: &Self, parameter: Option<&FlowParameter>| {
            let slot = base + parameter?.slot.get();
            engine
                .entries(slot)
                .into_iter()
                .map(|(object, _)| object)
                .find(|object| engine.is_collection(*object))
        };
        let rest = held(self, rest);
        let named_rest = held(self, named_rest);
        let mut given = vec![false; parameters.len()];
        let mut at = 0;
        let mut spread = false;
        for leading in call.leading.into_iter().filter(|slot| *slot != ABSENT) {
            if let Some(parameter) = positional.get(at)
                && leading != NOTHING
            {
                self.connect(leading, base + parameter.slot.get(), Way::Crossed);
            }
            at += 1;
        }
        for argument in call.arguments {
            let from = caller_base.wrapping_add(argument.slot.get());
            if std::mem::take(&mut first_is_receiver) {
                // A method that was taken from its class gets its receiver as first argument.
                match argument.kind {
                    ArgumentKind::PLAIN => {
                        self.connect(from, base + row.receiver.get(), Way::Receiver);
                        continue;
                    }
                    ArgumentKind::SPREAD => {
                        let first = self.first_position();
                        self.connect(from, base + row.receiver.get(), Way::Key(first));
                    }
                    _ => {}
                }
            }
            match argument.kind {
                ArgumentKind::PLAIN => {
                    if spread {
                        for parameter in &positional {
                            self.connect(from, base + parameter.slot.get(), Way::Crossed);
                        }
                        if let Some(rest) = rest {
                            let field = self.field(rest, self.names.unkeyed);
                            self.connect(from, field, Way::Crossed);
                        }
                    } else if let Some(parameter) = positional.get(at) {
                        self.connect(from, base + parameter.slot.get(), Way::Crossed);
                    } else if let Some(rest) = rest {
                        let key = self.program.position(at - positional.len());
                        let field = self.field(rest, key);
                        self.connect(from, field, Way::Crossed);
                    }
                    at += 1;
                }
                ArgumentKind::NAMED => {
                    let name = self.program.name(caller_unit, argument.name.get());
                    let parameter = parameters.iter().position(|parameter| {
                        self.program.name(unit, parameter.name.get()) == name
                            && !matches!(parameter.kind, ParameterKind::REST | ParameterKind::NAMED_REST)
                    });
                    match parameter {
                        Some(number) => {
                            given[number] = true;
                            self.connect(from, base + parameters[number].slot.get(), Way::Crossed);
                        }
                        None => {
                            if let Some(rest) = named_rest {
                                let key = self.program.signed_name(name, "'", "");
                                let field = self.field(rest, key);
                                self.connect(from, field, Way::Crossed);
                            }
                        }
                    }
                }
                ArgumentKind::SPREAD if self.length_of(from).is_some() => {
                    let length = self.length_of(from).unwrap_or(0);
                    for offset in 0..length {
                        let key = self.program.intern(&offset.to_string());
                        if let Some(parameter) = positional.get(at) {
                            self.connect(from, base + parameter.slot.get(), Way::Key(key));
                        } else if let Some(rest) = rest {
                            let place = self.program.intern(&(at - positional.len()).to_string());
                            let field = self.field(rest, place);
                            let through = self.new_slots(1, NONE);
                            self.connect(from, through, Way::Key(key));
                            self.connect(through, field, Way::Plain);
                        }
                        at += 1;
                    }
                    // Further elements can be at any later position.
                    for parameter in positional.iter().skip(at) {
                        self.connect(from, base + parameter.slot.get(), Way::Element { unkeyed: true });
                    }
                    if let Some(rest) = rest {
                        let field = self.field(rest, self.names.unkeyed);
                        self.connect(from, field, Way::Element { unkeyed: true });
                    }
                }
                ArgumentKind::SPREAD => {
                    for (offset, parameter) in positional.iter().skip(at).enumerate() {
                        let key = self.program.position(offset);
                        self.connect(from, base + parameter.slot.get(), Way::Key(key));
                    }
                    if let Some(rest) = rest {
                        let beyond = positional.len().saturating_sub(at);
                        if beyond == 0 && at == positional.len() {
                            // The elements keep their positions.
                            for offset in 0..4 {
                                let key = self.program.position(offset);
                                let field = self.field(rest, key);
                                let through = self.new_slots(1, NONE);
                                self.connect(from, through, Way::Key(key));
                                self.connect(through, field, Way::Plain);
                            }
                        }
                        let field = self.field(rest, self.names.unkeyed);
                        self.connect(from, field, Way::Element { unkeyed: beyond == 0 });
                    }
                    spread = true;
                }
                ArgumentKind::CAUGHT | ArgumentKind::RESULT => {}
                _ => {
                    for parameter in parameters {
                        if matches!(parameter.kind, ParameterKind::PLAIN | ParameterKind::NAMED) {
                            let name = self.program.name(unit, parameter.name.get());
                            let key = self.program.signed_name(name, "'", "");
                            self.connect(from, base + parameter.slot.get(), Way::Key(key));
                        }
                    }
                    if let Some(rest) = named_rest {
                        for (object, _) in self.entries(from) {
                            self.copy_keys(object, rest);
                        }
                    }
                    spread = true;
                }
            }
        }
        if !spread {
            for (number, parameter) in parameters.iter().enumerate() {
                let by_position = positional.iter().take(at).any(|other| other.slot == parameter.slot);
                if !given[number] && !by_position {
                    if parameter.default.get() != NONE {
                        self.connect(base + parameter.default.get(), base + parameter.slot.get(), Way::Plain);
                    }
                    self.default(function, unit, parameter, base);
                }
            }
        }
    }

    fn first_position(&mut self) -> u32 {
        self.program.position(0)
    }

    /// The number of elements of the only collection in a slot, if every element has a known position.
    fn length_of(&self, slot: u32) -> Option<usize> {
        let [(object, _)] = self.entries(slot)[..] else {
            return None;
        };
        if !self.is_collection(object) || self.is_record(object) {
            return None;
        }
        let unkeyed = self.field_if_any(object, self.names.unkeyed);
        if unkeyed.is_some_and(|field| !self.entries(field).is_empty()) {
            return None;
        }
        let names = self.names_of.get(&object)?;
        let places = names
            .iter()
            .filter_map(|name| self.program.text(*name).parse::<usize>().ok());
        places.max().map(|last| last + 1).filter(|length| *length <= MAX_LENGTH)
    }

    pub(super) fn default(&mut self, function: ObjectId, unit: usize, parameter: &FlowParameter, base: u32) {
        let name = self.program.name(unit, parameter.name.get());
        let name = self.program.signed_name(name, "", "=");
        if let Some(field) = self.field_if_any(function, name) {
            self.connect(field, base + parameter.slot.get(), Way::Plain);
        }
    }

    pub(super) fn put_receiver(&mut self, slot: u32, receiver: ObjectId) {
        self.put(slot, receiver, Evidence::Typed);
    }

    /// Calls a class. A metaclass can define what the call does.
    pub(super) fn instantiate(&mut self, call: &Call<'s>, class: ObjectId, evidence: Evidence) {
        if let Some(field) = self.call_of_class(class) {
            self.run_members(call, field, class, evidence);
            return;
        }
        self.construct(call, class, evidence);
    }

    /// The call method that the metaclass of a class defines.
    fn call_of_class(&mut self, class: ObjectId) -> Option<u32> {
        let metaclass = self.program.rule_name("metaclass=");
        let order = self.order(class);
        let field = order.iter().find_map(|place| self.field_if_any(*place, metaclass))?;
        let rules = self.rules_of(class)?;
        let call = self.program.rule_name(rules.call);
        let metaclasses = self.entries(field);
        metaclasses
            .into_iter()
            .find_map(|(metaclass, _)| self.member_of(metaclass, call))
    }

    /// Creates an instance and runs its constructors.
    pub(super) fn construct(&mut self, call: &Call<'s>, class: ObjectId, evidence: Evidence) {
        let Object::Class { class: number, .. } = self.objects.get(class) else {
            return;
        };
        let unit = self.program.unit_of_class(number);
        let row = *self.program.class(number);
        let Some(rules) = self.rules(unit) else { return };
        self.instantiated.insert(class);
        if call.flags & FlowFlags::IMPLICIT == 0 || call.flags & FlowFlags::NEW == 0 {
            self.record_instance(call, unit, row.definition.get(), evidence);
        }
        let instance = if self.is_prelude(unit) || row.generic != 0 || call.flags & FlowFlags::APART != 0 {
            self.own_instance(class, (call.activation, call.key))
        } else {
            self.objects.number(Object::Instance { class, site: 0 })
        };
        if call.to != NONE {
            self.put(call.to, instance, evidence.max(Evidence::Typed));
        }
        let (mut constructed, mut found) = (false, false);
        let undecided = self.undecided.len();
        let rules_run_alone = rules.prototype.is_some();
        for name in rules.constructors {
            let name = self.program.rule_name(name);
            let alone = name_runs_alone(self.program.text(name), unit, self.program);
            for place in self.order(class).iter().copied() {
                if alone && place != class {
                    break;
                }
                if let Object::External(external) = self.objects.get(place) {
                    let _ = external;
                    break;
                }
                let place = self.members(place);
                let Some(field) = self.field_if_any(place, name) else {
                    continue;
                };
                for (member, _) in self.entries(field) {
                    let Object::Function { body, maker } = self.objects.get(member) else {
                        continue;
                    };
                    let is_static = self.program.body(body).flags.get() & BodyFlags::STATIC != 0;
                    let receiver = if is_static { class } else { instance };
                    // The result of a constructor is discarded, unless the constructor creates the instance itself.
                    let inner = Call {
                        to: if is_static { call.to } else { NONE },
                        among: field,
                        flags: call.flags & !FlowFlags::ANONYMOUS,
                        ..call.clone()
                    };
                    let meant = self.invoke(&inner, member, body, maker, Some(receiver), evidence);
                    constructed |= meant
                        && self.program.body(body).flags.get() & BodyFlags::HIDDEN == 0
                        && !self.is_prelude(self.program.unit_of_body(body));
                    found |= rules_run_alone || !self.program.text(name).starts_with('<');
                }
                break;
            }
        }
        // If the constructor overload is not decided yet, the call is recorded when it is.
        constructed |= self.undecided.len() > undecided;
        // Instances of enumeration members and of anonymous classes are not created by a written call of the class.
        let is_quiet = FlowFlags::NEW | FlowFlags::IMPLICIT;
        constructed |= call.flags & is_quiet == is_quiet || call.flags & FlowFlags::ANONYMOUS != 0;
        // Instances that a prelude creates for itself are not recorded.
        let caller = self.activations[call.activation as usize].body;
        constructed |= self.is_prelude(unit) && self.is_prelude(self.program.unit_of_body(caller));
        if rules.makes_silently {
            self.resolve(self.program.unit_of_body(caller), call.key);
        } else if !constructed
            && call.flags & FlowFlags::IMPLICIT == 0
            && let Some(callee) = self.callee_of(unit, row.definition.get())
        {
            self.record(call, callee, evidence);
        }
        if !found {
            self.fill_fields(call, unit, row.definition.get(), instance);
            if let Some(completes) = rules.completes {
                let inner = Call {
                    to: NONE,
                    arguments: &[],
                    ..call.clone()
                };
                self.call_named(&inner, instance, completes, evidence);
            }
        }
    }

    /// Stores the arguments of a class without a constructor, such as a data class, in its fields.
    pub(super) fn fill_fields(&mut self, call: &Call<'s>, unit: usize, definition: u32, instance: ObjectId) {
        if call.arguments.is_empty() {
            return;
        }
        let fields = self.fields_of(unit, definition);
        let places = self.rules(unit).and_then(|rules| rules.places);
        let caller = &self.activations[call.activation as usize];
        let (base, caller_unit) = (caller.base, self.program.unit_of_body(caller.body));
        for (at, argument) in call.arguments.iter().enumerate() {
            let name = match argument.kind {
                ArgumentKind::NAMED => self.program.name(caller_unit, argument.name.get()),
                ArgumentKind::PLAIN => match (fields.get(at), places) {
                    (_, Some(sign)) => self.program.intern(&format!("{sign}{at}")),
                    (Some(name), None) => self.program.intern(name),
                    (None, None) => continue,
                },
                _ => continue,
            };
            if self.is_sealed(instance, name, base + argument.slot.get()) {
                continue;
            }
            let field = self.field(instance, name);
            self.connect(base + argument.slot.get(), field, Way::Crossed);
        }
    }
}

impl<'s> Engine<'_, 's> {
    /// The names of the fields of a class, in the order of the source.
    fn fields_of(&mut self, unit: usize, definition: u32) -> Rc<[&'s str]> {
        if let Some(known) = self.fields_by_class.get(&(unit, definition)) {
            return Rc::clone(known);
        }
        let facts = self.program.units[unit].facts;
        let is_own = |row: &&Definition| row.parent() == Some(definition as usize) && row.kind() == SymbolKind::Field;
        let fields = facts.definitions.iter().filter(is_own);
        let fields: Rc<[&'s str]> = fields.map(|row| facts.get(row.name)).collect();
        self.fields_by_class.insert((unit, definition), Rc::clone(&fields));
        fields
    }
}

/// Whether a constructor runs only if the class itself defines it, because the language does not inherit constructors.
fn name_runs_alone(name: &str, unit: usize, program: &super::Program<'_>) -> bool {
    !program.units[unit].language.inherits_constructors && !name.starts_with('<')
}
