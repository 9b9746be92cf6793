//! Overload resolution: which of several functions of one name a call means, by the number and types of the arguments.
//!
//! Types are compared by name, along the bases of the classes with that name. Rules of one language for its own types
//! are in [`FlowRules::overloads`]. If the source does not declare the type of an argument, the points-to set of the
//! argument decides. Such calls wait until the analysis has settled.

use std::rc::Rc;

use lore_model::{
    ArgumentKind, BodyFlags, FlowArgument, FlowCode, FlowFlags, FlowParameter, NONE, ParameterKind, SymbolKind,
    Visibility,
};

use super::engine::{ABSENT, Call, Engine};
use super::objects::{Evidence, Object, ObjectId};
use super::{Conversion, FlowRules};

/// Most overloads that are considered for one call.
const MAX_CANDIDATES: usize = 64;
/// Prefix of a type name that is the bound of a type parameter: any subtype is allowed.
const VARIABLE: char = '?';
/// Most classes with the same name that are considered.
const MAX_NAMESAKES: usize = 8;

/// A call that waits until the analysis has settled, with one of its candidates.
pub(super) struct Undecided<'s> {
    call: Call<'s>,
    function: ObjectId,
    receiver: Option<ObjectId>,
    evidence: Evidence,
}

/// A call that chooses from functions of one name, and what decides which of them are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FittingKey {
    activation: u32,
    key: u32,
    receiver: ObjectId,
    maker: u32,
    inherited: bool,
    decided: bool,
}

/// The functions that fit a call, as long as no further value reaches the call. Each function that a call chooses from asks for
/// them, so that comparing all of them each time would take a time that grows with the cube of their number.
pub(super) struct Fitting<'s> {
    /// How many values had reached the call.
    values: usize,
    /// The name of the functions.
    name: &'s str,
    left: Rc<[ObjectId]>,
}

/// What is known about the type of an argument.
enum Passed {
    Nothing,
    /// The declared type, by name.
    Declared(u32),
    /// The points-to set of the argument.
    Values(Vec<ObjectId>),
}

/// A function that can take the arguments of a call, with the conversions that this needs.
struct Candidate {
    function: ObjectId,
    body: u32,
    /// By argument: the declared type of its parameter, and the conversion.
    types: Vec<(u32, Conversion)>,
    /// 0 if all arguments fit, 1 if an argument is converted, 2 if arguments go to a variadic parameter. Lower is
    /// better.
    fit: u8,
}

impl<'s> Engine<'_, 's> {
    /// Registers the name of a class.
    pub(super) fn note_class_name(&mut self, unit: usize, definition: u32, class: ObjectId) {
        if self.rules(unit).is_none_or(|rules| rules.overloads.is_none()) {
            return;
        }
        if let Some(name) = self.name_of_definition(unit, definition) {
            let namesakes = self.class_names.entry(name).or_default();
            if namesakes.len() < MAX_NAMESAKES {
                namesakes.push(class);
            }
        }
    }

    fn name_of_definition(&mut self, unit: usize, definition: u32) -> Option<u32> {
        let facts = self.program.units[unit].facts;
        let row = facts.definitions.get(definition as usize)?;
        Some(self.program.intern(facts.get(row.name)))
    }

    pub(super) fn name_of_class(&mut self, class: ObjectId) -> Option<u32> {
        let Object::Class { class, .. } = self.objects.get(class) else {
            return None;
        };
        let unit = self.program.unit_of_class(class);
        let definition = self.program.class(class).definition.get();
        self.name_of_definition(unit, definition)
    }

    /// The field of a member at a position of the resolution order, extended by overloads that later bases define.
    pub(super) fn with_overloads(&mut self, order: &Rc<[ObjectId]>, at: usize, name: u32, field: u32) -> u32 {
        let class = order[at];
        let Some(rules) = self.rules_of(class).filter(|rules| rules.overloads.is_some()) else {
            return field;
        };
        if rules.constructors.contains(&self.program.text(name)) {
            return field;
        }
        let mut found: Vec<ObjectId> = Vec::new();
        for place in &order[at..] {
            let place = self.members(*place);
            let Some(field) = self.field_if_any(place, name) else {
                continue;
            };
            for (member, _) in self.entries(field) {
                if let Object::Function { body, .. } = self.objects.get(member)
                    && found.len() < MAX_CANDIDATES
                    && !found.iter().any(|other| self.stands_in(*other, body))
                {
                    found.push(member);
                }
            }
        }
        if found.len() <= self.entries(field).len() {
            return field;
        }
        let known = self.overload_sets.get(&(class, name)).copied();
        let set = known.unwrap_or_else(|| self.new_slots(1, NONE));
        self.overload_sets.insert((class, name), set);
        for member in found {
            if let Object::Function { body, .. } = self.objects.get(member) {
                self.overloaded.insert(body);
            }
            self.put(set, member, Evidence::Exact);
        }
        set
    }

    /// Whether a function overrides a function of a base: both have the same number of parameters with the same
    /// declared types, or the base only declares its function.
    fn stands_in(&self, function: ObjectId, base: u32) -> bool {
        let Object::Function { body, .. } = self.objects.get(function) else {
            return false;
        };
        let (own, theirs) = (self.parameters_of(body), self.parameters_of(base));
        if body == base || own.len() != theirs.len() {
            return body == base;
        }
        let declares = |body: u32| self.program.body(body).flags.get() & BodyFlags::DECLARED != 0;
        if declares(base) && !declares(body) {
            return true;
        }
        let (unit, base_unit) = (self.program.unit_of_body(body), self.program.unit_of_body(base));
        own.iter().zip(theirs).all(|(one, other)| {
            let one = self.program.name(unit, one.declared.get());
            let other = self.program.name(base_unit, other.declared.get());
            let is_open = |name| name == NONE || self.program.text(name).starts_with(VARIABLE);
            one == other || is_open(one) || is_open(other)
        })
    }

    fn parameters_of(&self, body: u32) -> &'s [FlowParameter] {
        let row = self.program.body(body);
        let flow = self.program.units[self.program.unit_of_body(body)].facts.flow;
        &flow.parameters[row.parameters.indexes(flow.parameters.len())]
    }

    /// Whether an object is a function with overloads in the same class.
    pub(super) fn is_overloaded(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Function { body, .. } => self.program.body(body).flags.get() & BodyFlags::OVERLOADED != 0,
            _ => false,
        }
    }

    /// Whether a function is private to a file other than the one of the call.
    fn is_out_of_sight(&self, call: &Call<'s>, body: u32) -> bool {
        let unit = self.program.unit_of_body(body);
        let caller = self.activations[call.activation as usize].body;
        let definition = self.program.body(body).definition.get();
        unit != self.program.unit_of_body(caller)
            && self.program.units[unit]
                .facts
                .definitions
                .get(definition as usize)
                .is_some_and(|row| row.visibility() == Visibility::Private)
    }

    /// Whether a call means this function and not another overload. If the types do not decide yet, the call waits.
    pub(super) fn is_meant(
        &mut self,
        call: &Call<'s>,
        function: ObjectId,
        receiver: Option<ObjectId>,
        evidence: Evidence,
    ) -> bool {
        let Object::Function { body, maker } = self.objects.get(function) else {
            return true;
        };
        let unit = self.program.unit_of_body(body);
        let Some(rules) = self.rules(unit).filter(|rules| rules.overloads.is_some()) else {
            return true;
        };
        if call.among == NONE || call.leading.iter().any(|slot| *slot != ABSENT) {
            return true;
        }
        let place = (call.activation, call.key, receiver.unwrap_or(NONE));
        if let Some(chosen) = self.meant.get(&place) {
            return *chosen == function;
        }
        let name = self.name_of_body(body);
        let inherited = self.overloaded.contains(&body);
        let known = FittingKey {
            activation: call.activation,
            key: call.key,
            receiver: receiver.unwrap_or(NONE),
            maker,
            inherited,
            decided: call.decided,
        };
        let values = self.values_of_call(call);
        if let Some(fitting) = self.fitting.get(&known)
            && fitting.values == values
            && fitting.name == name
        {
            let left = Rc::clone(&fitting.left);
            return self.fits_call(call, function, receiver, evidence, &left);
        }
        let mut bodies: Vec<(ObjectId, u32)> = Vec::new();
        for (object, _) in self.entries(call.among) {
            let (other, bound) = match self.objects.get(object) {
                Object::Function { .. } => (object, None),
                Object::Bound { function, receiver } => (function, Some(receiver)),
                _ => continue,
            };
            let Object::Function {
                body: other_body,
                maker: other_maker,
            } = self.objects.get(other)
            else {
                continue;
            };
            let beside = maker == other_maker
                || inherited && self.overloaded.contains(&other_body)
                || self.are_parts(body, maker, other_body, other_maker);
            let same_receiver = bound.is_none() || receiver.is_none() || bound == receiver;
            let in_sight = !self.is_out_of_sight(call, other_body);
            if beside
                && in_sight
                && same_receiver
                && bodies.len() < MAX_CANDIDATES
                && self.name_of_body(other_body) == name
            {
                bodies.push((other, other_body));
            }
        }
        if bodies.len() < 2 {
            return bodies.is_empty() || bodies[0].0 == function;
        }
        let left: Rc<[ObjectId]> = self.most_fitting(call, &bodies, rules).into();
        let fitting = Fitting {
            values,
            name,
            left: Rc::clone(&left),
        };
        self.fitting.insert(known, fitting);
        self.fits_call(call, function, receiver, evidence, &left)
    }

    /// How many values have reached what a call chooses from, and its arguments.
    fn values_of_call(&self, call: &Call<'s>) -> usize {
        let base = self.activations[call.activation as usize].base;
        let arguments = call.arguments.iter().map(|argument| base + argument.slot.get());
        let slots = arguments.chain([call.among]);
        slots
            .filter_map(|slot| self.slots.get(slot as usize))
            .map(|slot| slot.set.entries().len())
            .sum()
    }

    /// Whether a function is among those that fit a call. If several do, the call waits.
    fn fits_call(
        &mut self,
        call: &Call<'s>,
        function: ObjectId,
        receiver: Option<ObjectId>,
        evidence: Evidence,
        left: &[ObjectId],
    ) -> bool {
        // Points-to sets may still exclude a candidate, so the call waits.
        if left.len() > 1 && !call.decided {
            self.undecided.push(Undecided {
                call: Call {
                    decided: true,
                    ..call.clone()
                },
                function,
                receiver,
                evidence,
            });
            return false;
        }
        // A field holds the overloads of one name, but a variable can hold any functions.
        let is_field = self.slots[call.among as usize].activation == NONE;
        if let [only] = left[..]
            && (receiver.is_some() || is_field)
        {
            let place = (call.activation, call.key, receiver.unwrap_or(NONE));
            self.meant.insert(place, only);
        }
        left.contains(&function)
    }

    /// Whether two functions with different makers are overloads of each other: both are in a space, or both are
    /// members of one class.
    fn are_parts(&self, body: u32, maker: u32, other: u32, other_maker: u32) -> bool {
        let is_member = |body: u32| self.program.body(body).flags.get() & BodyFlags::MEMBER != 0;
        match (is_member(body), is_member(other)) {
            (false, false) => true,
            (true, true) => {
                let class = self.class_made_by(maker);
                class.is_some() && class == self.class_made_by(other_maker)
            }
            _ => false,
        }
    }

    pub(super) fn name_of_body(&self, body: u32) -> &'s str {
        let facts = self.program.units[self.program.unit_of_body(body)].facts;
        let definition = self.program.body(body).definition.get();
        // Constructors are named either like their class or by themselves, so their names are not compared.
        let named = |row: &&lore_model::Definition| row.kind() != SymbolKind::Constructor && !row.kind().is_type();
        facts
            .definitions
            .get(definition as usize)
            .filter(named)
            .map_or("", |row| facts.get(row.name))
    }

    /// Decides the waiting calls by the points-to sets of their arguments. Returns whether there were any.
    pub(super) fn decide(&mut self) -> bool {
        let undecided = std::mem::take(&mut self.undecided);
        self.fitting.clear();
        let changed = !undecided.is_empty();
        for waiting in undecided {
            let Object::Function { body, maker } = self.objects.get(waiting.function) else {
                continue;
            };
            let (call, receiver) = (&waiting.call, waiting.receiver);
            let meant = self.invoke(call, waiting.function, body, maker, receiver, waiting.evidence);
            let row = self.program.body(body);
            if meant && call.flags & FlowFlags::NEW != 0 && row.flags.get() & BodyFlags::HIDDEN != 0 {
                let unit = self.program.unit_of_body(body);
                if let Some(callee) = self.callee_of(unit, row.definition.get()) {
                    self.record(call, callee, waiting.evidence);
                }
            }
        }
        changed
    }

    /// The candidates that accept the arguments of a call, without those that another candidate beats.
    pub(super) fn most_fitting(
        &mut self,
        call: &Call<'s>,
        bodies: &[(ObjectId, u32)],
        rules: &'static FlowRules,
    ) -> Vec<ObjectId> {
        let passed: Vec<Passed> = call
            .arguments
            .iter()
            .map(|argument| self.passed(call, argument))
            .collect();
        let mut candidates: Vec<Candidate> = Vec::with_capacity(bodies.len());
        for (function, body) in bodies {
            if let Some(candidate) = self.candidate(call, *function, *body, &passed, rules) {
                candidates.push(candidate);
            }
        }
        // If no candidate accepts the arguments, the analysis knows too little. All candidates remain.
        let Some(best) = candidates.iter().map(|candidate| candidate.fit).min() else {
            return bodies.iter().map(|(function, _)| *function).collect();
        };
        candidates.retain(|candidate| candidate.fit == best);
        let known: Vec<bool> = passed.iter().map(|passed| !matches!(passed, Passed::Nothing)).collect();
        let mut left = Vec::with_capacity(candidates.len());
        for one in &candidates {
            let mut beaten = false;
            for other in candidates.iter().filter(|other| other.body != one.body) {
                beaten |= self.is_narrower(other, one, &known, rules);
            }
            if !beaten {
                left.push(one.function);
            }
        }
        if left.is_empty() {
            return candidates.iter().map(|candidate| candidate.function).collect();
        }
        if call.decided && left.len() > 1 {
            self.keep_likely(&candidates, &mut left, rules);
        }
        left
    }

    /// Keeps the candidates whose undecided parameters have likely types, if there are any.
    fn keep_likely(&self, candidates: &[Candidate], left: &mut Vec<ObjectId>, rules: &'static FlowRules) {
        let is_likely = |function: &ObjectId| {
            let candidate = candidates.iter().find(|candidate| candidate.function == *function);
            candidate.is_some_and(|candidate| {
                candidate.types.iter().all(|(name, conversion)| {
                    *conversion != Conversion::Unknown
                        || *name == NONE
                        || rules.likely.contains(&self.program.text(*name))
                })
            })
        };
        if left.iter().any(is_likely) {
            left.retain(is_likely);
        }
    }

    fn passed(&mut self, call: &Call<'s>, argument: &FlowArgument) -> Passed {
        let caller = &self.activations[call.activation as usize];
        let unit = self.program.unit_of_body(caller.body);
        let declared = self.program.name(unit, argument.declared.get());
        if declared != NONE {
            // Inside its function, a variadic parameter is an array.
            if let Some(element) = self.program.text(declared).strip_suffix("...") {
                let array = format!("{}[]", element.trim_end());
                return Passed::Declared(self.program.intern(&array));
            }
            return Passed::Declared(declared);
        }
        if !call.decided || argument.kind == ArgumentKind::CAUGHT {
            return Passed::Nothing;
        }
        let base = caller.base;
        if let Some(name) = self.declared_result(call.activation, argument.slot.get()) {
            return Passed::Declared(name);
        }
        let values: Vec<ObjectId> = self
            .entries(base + argument.slot.get())
            .into_iter()
            .map(|(object, _)| object)
            .collect();
        if values.is_empty() {
            Passed::Nothing
        } else {
            Passed::Values(values)
        }
    }

    /// The declared result type of the functions whose result is in a slot, if they agree.
    fn declared_result(&mut self, activation: u32, slot: u32) -> Option<u32> {
        let (body, base) = {
            let row = &self.activations[activation as usize];
            (row.body, row.base)
        };
        let row = self.program.body(body);
        let flow = self.program.units[self.program.unit_of_body(body)].facts.flow;
        let fills = |at: &usize| {
            let step = &flow.steps[*at];
            matches!(step.code, FlowCode::CALL | FlowCode::METHOD) && step.to.get() == slot
        };
        let at = row.steps.indexes(flow.steps.len()).find(fills)?;
        let step = &flow.steps[at];
        let mut called = self.entries(base + step.a.get());
        // If the overload of that call is decided, only its result type counts.
        let mut decided = Vec::new();
        for receiver in called.iter().map(|(object, _)| *object).chain([NONE]) {
            decided.extend(
                self.meant
                    .get(&(activation, at as u32, receiver))
                    .map(|only| (*only, Evidence::Flow)),
            );
        }
        if !decided.is_empty() {
            called = decided;
        } else if step.code == FlowCode::METHOD {
            let member = self.program.name(self.program.unit_of_body(body), step.receiver.get());
            let mut found = Vec::new();
            for (object, _) in called {
                let class = self.class_of(object)?;
                let field = self.member_of(class, member)?;
                found.extend(self.entries(field));
            }
            called = found;
        }
        let mut name = None;
        for (object, _) in called {
            let function = match self.objects.get(object) {
                Object::Bound { function, .. } => self.objects.get(function),
                object => object,
            };
            let Object::Function { body, .. } = function else {
                return None;
            };
            let declared = self.program.body(body).declared.get();
            let declared = self.program.name(self.program.unit_of_body(body), declared);
            if declared == NONE || name.is_some_and(|name| name != declared) {
                return None;
            }
            name = Some(declared);
        }
        name
    }

    /// Matches the arguments of a call with the parameters of a function. `None` if the function cannot take them.
    fn candidate(
        &mut self,
        call: &Call<'s>,
        function: ObjectId,
        body: u32,
        passed: &[Passed],
        rules: &'static FlowRules,
    ) -> Option<Candidate> {
        let parameters = self.parameters_of(body);
        let unit = self.program.unit_of_body(body);
        let caller_unit = self
            .program
            .unit_of_body(self.activations[call.activation as usize].body);
        let skip = usize::from(self.program.body(body).flags.get() & BodyFlags::RECEIVER_FIRST != 0);
        let positional: Vec<&FlowParameter> = parameters
            .iter()
            .filter(|parameter| matches!(parameter.kind, ParameterKind::PLAIN | ParameterKind::POSITIONAL))
            .skip(skip)
            .collect();
        let rest = parameters.iter().find(|row| row.kind == ParameterKind::REST);
        let named_rest = parameters.iter().any(|row| row.kind == ParameterKind::NAMED_REST);
        let mut types = Vec::with_capacity(passed.len());
        let (mut fit, mut at, mut open, mut whole) = (0, 0, false, false);
        let mut given: Vec<u32> = Vec::new();
        for (argument, passed) in call.arguments.iter().zip(passed) {
            let taken = match argument.kind {
                ArgumentKind::PLAIN => {
                    at += 1;
                    positional.get(at - 1).copied().or(rest)
                }
                ArgumentKind::NAMED => {
                    let name = self.program.name(caller_unit, argument.name.get());
                    parameters
                        .iter()
                        .find(|row| self.program.name(unit, row.name.get()) == name)
                }
                ArgumentKind::CAUGHT => {
                    types.push((NONE, Conversion::Unknown));
                    continue;
                }
                _ => {
                    open = true;
                    types.push((NONE, Conversion::Unknown));
                    continue;
                }
            };
            let Some(taken) = taken else {
                if open || argument.kind == ArgumentKind::NAMED && named_rest {
                    types.push((NONE, Conversion::Unknown));
                    continue;
                }
                return None;
            };
            given.push(taken.slot.get());
            let wanted = self.program.name(unit, taken.declared.get());
            let wanted = self.without_variable(wanted);
            if taken.kind == ParameterKind::REST {
                // A variadic parameter also accepts an array.
                let array = match wanted {
                    NONE => NONE,
                    wanted => self.program.signed_name(wanted, "", "[]"),
                };
                let is_last = at == positional.len() + 1 && argument.kind == ArgumentKind::PLAIN;
                let conversion = match passed {
                    Passed::Declared(name) if is_last && self.program.text(*name).ends_with(']') => {
                        self.conversion_of(passed, array, rules)
                    }
                    _ => Conversion::Never,
                };
                if conversion != Conversion::Never {
                    types.push((array, conversion));
                    whole = true;
                    continue;
                }
                fit = 2;
            }
            let conversion = self.conversion_of(passed, wanted, rules);
            types.push((wanted, conversion));
            match conversion {
                Conversion::Never => return None,
                Conversion::Made => fit = fit.max(1),
                _ => {}
            }
        }
        let lacks = parameters.iter().skip(skip).any(|row| {
            matches!(
                row.kind,
                ParameterKind::PLAIN | ParameterKind::POSITIONAL | ParameterKind::NAMED
            ) && row.default.get() == NONE
                && !given.contains(&row.slot.get())
        });
        if lacks && !open {
            return None;
        }
        if rest.is_some() && fit < 2 && !open && !whole {
            fit = 2;
        }
        Some(Candidate {
            function,
            body,
            types,
            fit,
        })
    }

    /// The name of a type without the marker of a type parameter's bound.
    fn without_variable(&mut self, name: u32) -> u32 {
        if name != NONE && self.program.text(name).starts_with(VARIABLE) {
            let text = self.program.text(name)[1..].to_owned();
            self.program.intern(&text)
        } else {
            name
        }
    }

    fn conversion_of(&mut self, passed: &Passed, wanted: u32, rules: &'static FlowRules) -> Conversion {
        match passed {
            Passed::Nothing => Conversion::Unknown,
            Passed::Declared(name) => self.conversion(*name, wanted, rules),
            Passed::Values(values) => {
                let conversions: Vec<Conversion> = values
                    .iter()
                    .map(|value| self.conversion_of_value(*value, wanted, rules))
                    .collect();
                // One value that fits is enough: the other values may belong to other paths.
                conversions.into_iter().min().unwrap_or(Conversion::Unknown)
            }
        }
    }

    fn conversion_of_value(&mut self, value: ObjectId, wanted: u32, rules: &'static FlowRules) -> Conversion {
        if wanted == NONE {
            return Conversion::Unknown;
        }
        let class = match self.objects.get(value) {
            Object::Instance { class, .. } => class,
            // In these languages an external class represents its instances.
            Object::External(external) if rules.by_class => {
                let path = &self.externals[external as usize];
                let name = path.rsplit('.').next().unwrap_or(path).to_owned();
                let is_class = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
                if path.contains('(') || !is_class {
                    return Conversion::Unknown;
                }
                let name = self.program.intern(&name);
                return self.conversion(name, wanted, rules);
            }
            Object::Function { body, .. } => {
                let count = self.parameters_of(body).len();
                let name = self.program.intern(&format!("->{count}"));
                return self.conversion(name, wanted, rules);
            }
            _ => return Conversion::Unknown,
        };
        match self.name_of_class(class) {
            Some(name) if name == wanted => Conversion::Same,
            Some(name) => match self.by_rules(name, wanted, rules) {
                Conversion::Unknown => self.derives(class, wanted),
                known => known,
            },
            None => Conversion::Unknown,
        }
    }

    fn by_rules(&self, from: u32, wanted: u32, rules: &'static FlowRules) -> Conversion {
        let text = |name| self.program.text(name);
        rules
            .overloads
            .map_or(Conversion::Unknown, |converts| converts(text(from), text(wanted)))
    }

    /// The conversion from one type to another, both by name.
    fn conversion(&mut self, from: u32, wanted: u32, rules: &'static FlowRules) -> Conversion {
        if wanted == NONE || from == NONE {
            return Conversion::Unknown;
        }
        if from == wanted {
            return Conversion::Same;
        }
        let known = self.by_rules(from, wanted, rules);
        if known != Conversion::Unknown {
            return known;
        }
        if let Some(count) = self.program.text(from).strip_prefix("->") {
            let count = count.parse::<usize>().ok();
            return self.takes_functions(wanted, count);
        }
        let namesakes = self.class_names.get(&from).cloned().unwrap_or_default();
        if namesakes.is_empty() {
            // A type from outside the program does not derive from a class of this repository.
            let own = self.class_names.get(&wanted).is_some_and(|classes| {
                classes.iter().any(|class| match self.objects.get(*class) {
                    Object::Class { class, .. } => !self.is_prelude(self.program.unit_of_class(class)),
                    _ => false,
                })
            });
            return if own { Conversion::Never } else { Conversion::Unknown };
        }
        namesakes
            .into_iter()
            .map(|class| self.derives(class, wanted))
            .min()
            .unwrap_or(Conversion::Unknown)
    }

    /// Whether a class derives from a class with a name.
    fn derives(&mut self, class: ObjectId, wanted: u32) -> Conversion {
        let order = self.order(class);
        let mut open = false;
        for place in order.iter() {
            match self.objects.get(*place) {
                Object::External(external) => {
                    let path = &self.externals[external as usize];
                    if path.rsplit('.').next() == Some(self.program.text(wanted)) {
                        return Conversion::Widened;
                    }
                    open = true;
                }
                _ if self.name_of_class(*place) == Some(wanted) => return Conversion::Widened,
                _ => {}
            }
        }
        // The bases of an external class are unknown, but they are not classes of this repository.
        let own = || self.class_names.contains_key(&wanted);
        if open && !own() {
            Conversion::Unknown
        } else {
            Conversion::Never
        }
    }

    /// Whether a function with a number of parameters can be passed as a type: an interface with one abstract method.
    fn takes_functions(&mut self, wanted: u32, count: Option<usize>) -> Conversion {
        let Some(classes) = self.class_names.get(&wanted).cloned() else {
            return Conversion::Unknown;
        };
        for class in classes {
            let order = self.order(class);
            let mut declared: Vec<usize> = Vec::new();
            let mut open = false;
            for place in order.iter() {
                let Object::Class { class, .. } = self.objects.get(*place) else {
                    open = true;
                    continue;
                };
                let unit = self.program.unit_of_class(class);
                let own = self.program.class(class).body.get();
                let flow = self.program.units[unit].facts.flow;
                let wanted = BodyFlags::DECLARED | BodyFlags::MEMBER;
                declared.extend(
                    flow.bodies
                        .iter()
                        .filter(|body| body.parent.get() == own && body.flags.get() & wanted == wanted)
                        .map(|body| body.parameters.len.get() as usize),
                );
                if !declared.is_empty() {
                    break;
                }
            }
            let fits = match declared[..] {
                [only] => count.is_none_or(|count| count == only),
                [] => open,
                _ => false,
            };
            if fits {
                return Conversion::Widened;
            }
        }
        Conversion::Never
    }

    /// Whether one candidate is more specific: its parameter types convert to those of the other, and not the reverse.
    fn is_narrower(&mut self, one: &Candidate, other: &Candidate, known: &[bool], rules: &'static FlowRules) -> bool {
        let mut strictly = false;
        for (at, (own, theirs)) in one.types.iter().zip(&other.types).enumerate() {
            if own.0 == theirs.0 {
                continue;
            }
            if !known.get(at).copied().unwrap_or(false) {
                return false;
            }
            match (*own, *theirs) {
                ((_, Conversion::Same), _) | ((_, Conversion::Widened), (_, Conversion::Unknown)) => strictly = true,
                (_, (_, Conversion::Same)) | ((_, Conversion::Unknown), (_, Conversion::Widened)) => return false,
                ((NONE, _), _) => return false,
                (_, (NONE, _)) => strictly = true,
                ((own, _), (theirs, _)) => match self.conversion(own, theirs, rules) {
                    Conversion::Same => {}
                    Conversion::Widened => strictly = true,
                    _ => return false,
                },
            }
        }
        strictly
    }
}
