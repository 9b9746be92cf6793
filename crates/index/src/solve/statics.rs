//! Static targets: what a call site names by declared types alone, whatever values reach the call.
//!
//! The fixpoint uses a declared type only where no value reaches a slot, so the member of the declared type is lost as soon as one
//! value arrives. This pass runs after the fixpoint and changes no points-to set. It reads the declared types back from the
//! instructions: a hint, a narrowing, the receiver of a member, the result of a function. A slot without any declaration has the
//! static types of what fills it, if all of that is known.

use std::rc::Rc;

use lore_model::{ArgumentKind, BodyFlags, FlowCode, FlowFlags, FlowStep, Modifier, NONE};

use super::engine::{ABSENT, Call, Engine};
use super::fast_hash::Map;
use super::objects::{Object, ObjectId};
use super::outcome::Callee;

/// Static types of one slot, and static targets of one call site. A slot or site with more has none.
const MAX_STATIC: usize = 4;
/// Slots that are followed from one slot.
const MAX_DEPTH: u32 = 24;
/// Embedded members that a lookup goes through.
const MAX_EMBEDDED: u32 = 4;
/// Slots that can declare one member of a class.
const MAX_DECLARING: usize = 8;

/// What a slot holds by declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Static {
    /// An instance of a class.
    Instance(ObjectId),
    /// The class itself.
    Class(ObjectId),
}

/// The static types of a slot; `None` if they are not known.
pub(super) type Types = Option<Vec<Static>>;

/// The targets that one call site names.
pub(super) struct Named {
    /// The symbols, in order.
    pub(super) targets: Vec<u32>,
    /// Those of them without a body.
    pub(super) without_body: Vec<u32>,
    pub(super) caller: u32,
    pub(super) file: u32,
    pub(super) line: u32,
}

/// Caches of the pass.
#[derive(Default)]
pub(super) struct Statics {
    /// By body: its first activation, or [`NONE`].
    pub(super) first: Vec<u32>,
    /// By body: the slots that instructions fill, each with the instruction, in order.
    fills: Map<u32, Rc<[(u32, u32)]>>,
    /// The types of slots that are known. A slot in progress has no types, which ends circles.
    known: Map<u32, Types>,
    /// By class and name: the slots that give the member its value, each with whether the slot has a declared type.
    members: Map<(ObjectId, u32), Vec<(u32, bool)>>,
    depth: u32,
}

impl<'s> Engine<'_, 's> {
    /// The caches of the pass, with the slots that give members their values.
    pub(super) fn statics(&mut self) -> Statics {
        let mut statics = Statics {
            first: vec![NONE; self.program.body_count()],
            ..Statics::default()
        };
        for (number, activation) in (0..).zip(&self.activations) {
            let first = &mut statics.first[activation.body as usize];
            *first = (*first).min(number);
        }
        self.note_members(&mut statics);
        statics
    }

    /// By call site: the targets that the source names there by declared types.
    pub(super) fn named_targets(&mut self, statics: &mut Statics) -> Map<u32, Named> {
        let mut found = Map::default();
        for body in 0..self.program.body_count() as u32 {
            let (activation, unit) = (statics.first[body as usize], self.program.unit_of_body(body));
            if activation == NONE || self.is_prelude(unit) {
                continue;
            }
            let flow = self.program.units[unit].facts.flow;
            for at in self.program.body(body).steps.indexes(flow.steps.len()) {
                let step = &flow.steps[at];
                let is_call = matches!(step.code, FlowCode::CALL | FlowCode::METHOD);
                if !is_call || step.flags & (FlowFlags::IMPLICIT | FlowFlags::NEW | FlowFlags::DECORATOR) != 0 {
                    continue;
                }
                let functions = self.static_functions(statics, activation, step);
                if functions.is_empty() {
                    continue;
                }
                let functions = self.meant_by_arguments(activation, at as u32, step, functions);
                let (mut targets, mut without_body) = (Vec::new(), Vec::new());
                for function in functions {
                    let Object::Function { body, .. } = self.objects.get(function) else {
                        continue;
                    };
                    let (unit, row) = (self.program.unit_of_body(body), self.program.body(body));
                    let flags = row.flags.get();
                    if self.is_prelude(unit) || row.definition.get() == NONE || flags & BodyFlags::HIDDEN != 0 {
                        continue;
                    }
                    let Some(Callee::Symbol(symbol)) = self.callee_of(unit, row.definition.get()) else {
                        continue;
                    };
                    targets.push(symbol);
                    let definition = self.program.units[unit]
                        .facts
                        .definitions
                        .get(row.definition.get() as usize);
                    let is_abstract = definition.is_some_and(|row| row.modifiers().contains(Modifier::Abstract));
                    if is_abstract || flags & BodyFlags::DECLARED != 0 {
                        without_body.push(symbol);
                    }
                }
                targets.sort_unstable();
                targets.dedup();
                if targets.is_empty() || targets.len() > MAX_STATIC {
                    continue;
                }
                let named = Named {
                    targets,
                    without_body,
                    caller: self.activations[activation as usize].symbol,
                    file: self.program.units[unit].file,
                    line: step.line.get(),
                };
                found.insert(self.program.global_step(unit, at as u32) as u32, named);
            }
        }
        found
    }

    /// Notes for each member of a class the slots that give it a value.
    fn note_members(&mut self, statics: &mut Statics) {
        for body in 0..self.program.body_count() as u32 {
            let (activation, unit) = (statics.first[body as usize], self.program.unit_of_body(body));
            if activation == NONE || self.is_prelude(unit) {
                continue;
            }
            let flow = self.program.units[unit].facts.flow;
            let base = self.activations[activation as usize].base;
            for step in &flow.steps[self.program.body(body).steps.indexes(flow.steps.len())] {
                let is_stored = match step.code {
                    FlowCode::STORE => step.flags & FlowFlags::POSITION == 0,
                    FlowCode::STORE_MEMBER | FlowCode::HINT_MEMBER | FlowCode::DECLARE | FlowCode::DECLARE_MEMBER => {
                        true
                    }
                    _ => false,
                };
                if !is_stored || step.c.get() == NONE {
                    continue;
                }
                let (holder, value) = (base + step.a.get(), base + step.c.get());
                let is_declared = step.code != FlowCode::STORE && step.code != FlowCode::STORE_MEMBER
                    || self.fills_of(statics, body).iter().any(|(to, at)| {
                        let fill = &flow.steps[*at as usize];
                        *to == step.c.get() && is_type_hint(fill)
                    });
                let classes: Vec<ObjectId> = match self.receiver_at(activation, holder - base) {
                    Some(Static::Instance(class) | Static::Class(class)) => vec![class],
                    None if step.code == FlowCode::STORE && !self.holds_one_class(holder) => continue,
                    None => self.class_entries(holder),
                };
                let name = self.program.name(unit, step.b.get());
                for class in classes {
                    let slots = statics.members.entry((class, name)).or_default();
                    if slots.len() < MAX_DECLARING {
                        slots.push((value, is_declared));
                    }
                }
            }
        }
    }

    /// Whether a slot holds a class and nothing else.
    fn holds_one_class(&self, slot: u32) -> bool {
        let entries = self.entries(slot);
        matches!(entries[..], [(object, _)] if matches!(self.objects.get(object), Object::Class { .. }))
    }

    /// The classes of a slot that holds classes or instances, if they are few.
    fn class_entries(&self, slot: u32) -> Vec<ObjectId> {
        let entries = self.entries(slot);
        if entries.len() > MAX_STATIC {
            return Vec::new();
        }
        let class = |object| match self.objects.get(object) {
            Object::Instance { class, .. } => Some(class),
            Object::Class { .. } => Some(object),
            _ => None,
        };
        entries.into_iter().filter_map(|(object, _)| class(object)).collect()
    }

    /// The instructions of a body by the slot that they fill.
    pub(super) fn fills_of(&self, statics: &mut Statics, body: u32) -> Rc<[(u32, u32)]> {
        if let Some(fills) = statics.fills.get(&body) {
            return Rc::clone(fills);
        }
        let flow = self.program.units[self.program.unit_of_body(body)].facts.flow;
        let row = self.program.body(body);
        let ranges = [row.seeds, row.steps].map(|range| range.indexes(flow.steps.len()));
        let mut fills: Vec<(u32, u32)> = ranges
            .into_iter()
            .flatten()
            .map(|at| (flow.steps[at].to.get(), at as u32))
            .filter(|(to, at)| *to != NONE && fills_a_slot(flow.steps[*at as usize].code))
            .collect();
        fills.sort_unstable();
        let fills: Rc<[(u32, u32)]> = fills.into();
        statics.fills.insert(body, Rc::clone(&fills));
        fills
    }

    /// What the receiver slot of a member holds by declaration, if a slot of an activation is that.
    fn receiver_at(&self, activation: u32, slot: u32) -> Option<Static> {
        let row = self.activations.get(activation as usize)?;
        let body = self.program.body(row.body);
        let flags = body.flags.get();
        if flags & BodyFlags::CLASS != 0 && body.receiver.get() == slot {
            return self.class_made_by(activation).map(Static::Class);
        }
        if flags & BodyFlags::MEMBER == 0 || flags & BodyFlags::STATIC != 0 {
            return None;
        }
        let flow = self.program.units[self.program.unit_of_body(row.body)].facts.flow;
        let receiver = match flags & BodyFlags::RECEIVER_FIRST {
            0 => body.receiver.get(),
            _ => {
                let first = flow.parameters[body.parameters.indexes(flow.parameters.len())].first();
                first.map_or(NONE, |first| first.slot.get())
            }
        };
        if receiver == NONE || receiver != slot {
            return None;
        }
        let class = self.class_made_by(row.parent)?;
        if !matches!(self.objects.get(class), Object::Class { .. }) {
            return None;
        }
        Some(match flags & BodyFlags::CLASS_METHOD {
            0 => Static::Instance(class),
            _ => Static::Class(class),
        })
    }

    /// The slot of an enclosing activation that a captured variable is.
    fn captured(&self, activation: u32, slot: u32) -> Option<u32> {
        let row = self.activations.get(activation as usize)?;
        let flow = self.program.units[self.program.unit_of_body(row.body)].facts.flow;
        let captures = &flow.captures[self.program.body(row.body).captures.indexes(flow.captures.len())];
        let capture = captures
            .iter()
            .find(|capture| capture.slot.get() == slot && capture.written == 0)?;
        let mut outer = activation;
        for _ in 0..capture.levels.get() {
            outer = self.activations.get(outer as usize)?.parent;
        }
        let outer = self.activations.get(outer as usize)?;
        Some(outer.base + capture.outer.get())
    }

    /// The static types of a slot.
    pub(super) fn static_types(&mut self, statics: &mut Statics, slot: u32) -> Types {
        if let Some(known) = statics.known.get(&slot) {
            return known.clone();
        }
        if statics.depth >= MAX_DEPTH {
            return None;
        }
        statics.known.insert(slot, Some(Vec::new()));
        statics.depth += 1;
        let found = self.find_static_types(statics, slot);
        statics.depth -= 1;
        statics.known.insert(slot, found.clone());
        found
    }

    fn find_static_types(&mut self, statics: &mut Statics, slot: u32) -> Types {
        let activation = self.slots.get(slot as usize)?.activation;
        let (body, base) = {
            let row = self.activations.get(activation as usize)?;
            (row.body, row.base)
        };
        let flow = self.program.units[self.program.unit_of_body(body)].facts.flow;
        let fills = self.fills_of(statics, body);
        let first = fills.partition_point(|(to, _)| *to < slot - base);
        let fills: Vec<&'s FlowStep> = fills[first..]
            .iter()
            .take_while(|(to, _)| *to == slot - base)
            .map(|(_, at)| &flow.steps[*at as usize])
            .collect();
        let mut types = Vec::new();
        for step in fills.iter().filter(|step| is_type_hint(step)) {
            for class in self.classes_named(statics, base + step.a.get(), 0) {
                add(&mut types, Static::Instance(class));
            }
        }
        if !types.is_empty() {
            return (types.len() <= MAX_STATIC).then_some(types);
        }
        if let Some(receiver) = self.receiver_at(activation, slot - base) {
            return Some(vec![receiver]);
        }
        if let Some(outer) = self.captured(activation, slot - base) {
            return self.static_types(statics, outer);
        }
        if fills.iter().all(|step| step.code == FlowCode::HINT) {
            return None;
        }
        for step in fills.iter().filter(|step| step.code != FlowCode::HINT) {
            for one in self.types_by(statics, activation, slot, step)? {
                add(&mut types, one);
            }
        }
        (types.len() <= MAX_STATIC).then_some(types)
    }

    /// The static types of what one instruction puts into a slot: none for what says nothing, such as a literal or a circle.
    fn types_by(&mut self, statics: &mut Statics, activation: u32, slot: u32, step: &'s FlowStep) -> Types {
        let base = self.activations[activation as usize].base;
        let operand = base.wrapping_add(step.a.get());
        match step.code {
            FlowCode::LITERAL => Some(Vec::new()),
            FlowCode::COPY | FlowCode::NARROW_MEMBER | FlowCode::AWAIT => self.static_types(statics, operand),
            FlowCode::NARROW => {
                let classes = match step.flags & FlowFlags::OTHERS {
                    0 => self.classes_named(statics, base + step.b.get(), 0),
                    _ => Vec::new(),
                };
                if classes.is_empty() {
                    return self.static_types(statics, operand);
                }
                Some(classes.into_iter().map(Static::Instance).collect())
            }
            FlowCode::INSTANCE | FlowCode::MAKE => {
                let classes = self.classes_named(statics, operand, 0);
                Some(classes.into_iter().map(Static::Instance).collect())
            }
            FlowCode::LOAD | FlowCode::LOAD_OR => {
                let unit = self.program.unit_of_body(self.activations[activation as usize].body);
                let name = self.program.name(unit, step.b.get());
                let Some(holders) = self.static_types(statics, operand) else {
                    return self.classes_of_name(slot);
                };
                let mut types = Vec::new();
                for holder in holders {
                    types.extend(self.types_of_member(statics, holder, name, 0)?);
                }
                Some(types)
            }
            FlowCode::CALL | FlowCode::METHOD => self.types_of_result(statics, activation, step),
            code if names_things(code) => self.classes_of_name(slot),
            _ => None,
        }
    }

    /// The classes that a name means: a name of the file, an imported one, or one of a module.
    fn classes_of_name(&self, slot: u32) -> Types {
        let is_class = |object: ObjectId| matches!(self.objects.get(object), Object::Class { .. });
        let are_classes = self.entries(slot).into_iter().all(|(object, _)| is_class(object));
        let classes = self.class_entries(slot);
        (are_classes && !classes.is_empty()).then(|| classes.into_iter().map(Static::Class).collect())
    }

    /// The classes that a slot of a declared type names. A type parameter means its bounds, not the types that callers pass.
    fn classes_named(&mut self, statics: &mut Statics, slot: u32, level: u32) -> Vec<ObjectId> {
        let Some(activation) = self.slots.get(slot as usize).map(|slot| slot.activation) else {
            return Vec::new();
        };
        let Some((body, base)) = self
            .activations
            .get(activation as usize)
            .map(|row| (row.body, row.base))
        else {
            return self.classes_held(slot);
        };
        let flow = self.program.units[self.program.unit_of_body(body)].facts.flow;
        let fills = self.fills_of(statics, body);
        let first = fills.partition_point(|(to, _)| *to < slot - base);
        let fills = fills[first..].iter().take_while(|(to, _)| *to == slot - base);
        let mut bounds = Vec::new();
        let mut copied = None;
        for (_, at) in fills {
            let step = &flow.steps[*at as usize];
            match step.code {
                FlowCode::HINT if step.flags & FlowFlags::VALUE != 0 => bounds.push(base + step.a.get()),
                FlowCode::COPY => copied = Some(base + step.a.get()),
                _ => {}
            }
        }
        if !bounds.is_empty() {
            let mut classes = Vec::new();
            for bound in bounds {
                for class in self.classes_held(bound) {
                    add(&mut classes, class);
                }
            }
            return classes;
        }
        match copied.or_else(|| self.captured(activation, slot - base)) {
            Some(from) if level < MAX_EMBEDDED => self.classes_named(statics, from, level + 1),
            _ => self.classes_held(slot),
        }
    }

    /// The classes of the repository that a slot holds, also through the alias of a type.
    fn classes_held(&mut self, slot: u32) -> Vec<ObjectId> {
        let entries = self.entries(slot);
        if entries.len() > MAX_STATIC {
            return Vec::new();
        }
        let mut classes = Vec::new();
        for (object, _) in entries {
            match self.objects.get(object) {
                Object::Class { .. } => add(&mut classes, object),
                Object::Prototype(class) => add(&mut classes, class),
                Object::Instance { class, .. } if self.is_built_in(class, |rules| rules.alias) => {
                    if let Some(values) = self.field_if_any(object, self.names.unkeyed) {
                        let of_alias = self.entries(values).into_iter();
                        for (value, _) in of_alias.take(MAX_STATIC + 1) {
                            if let Object::Instance { class, .. } = self.objects.get(value) {
                                add(&mut classes, class);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        classes.retain(|class| match self.objects.get(*class) {
            Object::Class { class, .. } => !self.is_prelude(self.program.unit_of_class(class)),
            _ => false,
        });
        classes
    }

    /// The static types of a member.
    fn types_of_member(&mut self, statics: &mut Statics, holder: Static, name: u32, level: u32) -> Types {
        let (Static::Instance(class) | Static::Class(class)) = holder;
        for place in self.order(class).iter() {
            let Some(slots) = statics.members.get(&(*place, name)).cloned() else {
                continue;
            };
            let is_declared = slots.iter().any(|(_, is_declared)| *is_declared);
            let mut types = Vec::new();
            for (slot, _) in slots.iter().filter(|(_, declared)| *declared || !is_declared) {
                for one in self.static_types(statics, *slot)? {
                    add(&mut types, one);
                }
            }
            if !types.is_empty() {
                return Some(types);
            }
        }
        if let Some(field) = self.member_of(class, name) {
            let mut types: Vec<Static> = Vec::new();
            for (member, _) in self.entries(field).into_iter().take(MAX_STATIC) {
                match self.objects.get(member) {
                    Object::Function { body, .. } if self.program.body(body).flags.get() & BodyFlags::GETTER != 0 => {
                        types.extend(self.types_of_body(statics, body)?);
                    }
                    Object::Class { .. } => types.push(Static::Class(member)),
                    _ => return None,
                }
            }
            return (!types.is_empty()).then_some(types);
        }
        if level >= MAX_EMBEDDED {
            return None;
        }
        let through = self.promoted(class, name)?;
        let mut types = Vec::new();
        for embedded in self.types_of_member(statics, holder, through, level + 1)? {
            types.extend(self.types_of_member(statics, embedded, name, level + 1)?);
        }
        Some(types)
    }

    /// The static types of what a body gives.
    fn types_of_body(&mut self, statics: &mut Statics, body: u32) -> Types {
        let activation = statics
            .first
            .get(body as usize)
            .copied()
            .filter(|first| *first != NONE)?;
        let result = self.program.body(body).result.get();
        let base = self.activations[activation as usize].base;
        self.static_types(statics, base + result)
    }

    /// The static types of the result of a call.
    fn types_of_result(&mut self, statics: &mut Statics, activation: u32, step: &'s FlowStep) -> Types {
        let mut called = self.static_functions(statics, activation, step);
        if called.is_empty() && step.flags & FlowFlags::IMPLICIT != 0 && step.code == FlowCode::METHOD {
            // A method that the source does not write is called only where the receiver has it.
            let receiver = self.activations[activation as usize].base + step.a.get();
            return self.static_types(statics, receiver).map(|_| Vec::new());
        }
        if called.is_empty() && step.code == FlowCode::CALL {
            let callee = self.activations[activation as usize].base + step.a.get();
            called = self.entries(callee).into_iter().map(|(object, _)| object).collect();
        }
        if called.is_empty() || called.len() > MAX_STATIC {
            return None;
        }
        let mut types = Vec::new();
        for object in called {
            let object = match self.objects.get(object) {
                Object::Bound { function, .. } => function,
                _ => object,
            };
            match self.objects.get(object) {
                Object::Function { body, .. } => {
                    for one in self.types_of_body(statics, body)? {
                        add(&mut types, one);
                    }
                }
                Object::Class { class, .. } if !self.is_prelude(self.program.unit_of_class(class)) => {
                    add(&mut types, Static::Instance(object));
                }
                _ => return None,
            }
        }
        Some(types)
    }

    /// The functions that a call names through the static type of its receiver.
    fn static_functions(&mut self, statics: &mut Statics, activation: u32, step: &'s FlowStep) -> Vec<ObjectId> {
        let (body, base) = {
            let row = &self.activations[activation as usize];
            (row.body, row.base)
        };
        let unit = self.program.unit_of_body(body);
        let (receiver, name) = match step.code {
            FlowCode::METHOD => (base + step.a.get(), step.receiver.get()),
            _ => {
                let flow = self.program.units[unit].facts.flow;
                let fills = self.fills_of(statics, body);
                let first = fills.partition_point(|(to, _)| *to < step.a.get());
                let mut fills = fills[first..].iter().take_while(|(to, _)| *to == step.a.get());
                let load = match (fills.next(), fills.next()) {
                    (Some((_, at)), None) => &flow.steps[*at as usize],
                    _ => return Vec::new(),
                };
                if !matches!(load.code, FlowCode::LOAD | FlowCode::LOAD_OR) {
                    return Vec::new();
                }
                (base + load.a.get(), load.b.get())
            }
        };
        let name = self.program.name(unit, name);
        let mut functions = Vec::new();
        for holder in self.static_types(statics, receiver).unwrap_or_default() {
            for function in self.functions_named(statics, holder, name, 0) {
                add(&mut functions, function);
            }
        }
        functions
    }

    /// The functions that a member is, also those of an embedded member.
    fn functions_named(&mut self, statics: &mut Statics, holder: Static, name: u32, level: u32) -> Vec<ObjectId> {
        let (Static::Instance(class) | Static::Class(class)) = holder;
        if let Some(field) = self.member_of(class, name) {
            let function = |(object, _)| match self.objects.get(object) {
                Object::Function { .. } => Some(object),
                Object::Bound { function, .. } => Some(function),
                _ => None,
            };
            return self.entries(field).into_iter().filter_map(function).collect();
        }
        let mut found = Vec::new();
        if level < MAX_EMBEDDED
            && let Some(through) = self.promoted(class, name)
        {
            for embedded in self
                .types_of_member(statics, holder, through, level)
                .unwrap_or_default()
            {
                found.extend(self.functions_named(statics, embedded, name, level + 1));
            }
        }
        found
    }

    /// The overloads that the arguments of a call select.
    fn meant_by_arguments(
        &mut self,
        activation: u32,
        key: u32,
        step: &'s FlowStep,
        functions: Vec<ObjectId>,
    ) -> Vec<ObjectId> {
        let unit = self.program.unit_of_body(self.activations[activation as usize].body);
        let Some(rules) = self
            .rules(unit)
            .filter(|rules| rules.overloads.is_some() && functions.len() > 1)
        else {
            return functions;
        };
        let bodies: Vec<(ObjectId, u32)> = functions
            .iter()
            .filter_map(|function| match self.objects.get(*function) {
                Object::Function { body, .. } => Some((*function, body)),
                _ => None,
            })
            .collect();
        let flow = self.program.units[unit].facts.flow;
        let range = step.b.get() as usize..step.b.get().saturating_add(step.c.get()) as usize;
        let arguments = flow.arguments.get(range).unwrap_or(&[]);
        if arguments.iter().any(|argument| argument.kind == ArgumentKind::RESULT) {
            return functions;
        }
        let call = Call {
            arguments,
            flags: step.flags,
            leading: [ABSENT; 2],
            decided: true,
            ..Call::implicit(activation, key, NONE, step.line.get())
        };
        self.most_fitting(&call, &bodies, rules)
    }
}

/// Whether an instruction declares that a slot holds an instance of a type.
fn is_type_hint(step: &FlowStep) -> bool {
    match step.code {
        FlowCode::HINT => step.flags & FlowFlags::VALUE == 0,
        FlowCode::VALUE => step.flags & FlowFlags::NEW != 0,
        _ => false,
    }
}

/// Whether an instruction fills its slot `to`.
fn fills_a_slot(code: u8) -> bool {
    names_things(code)
        || matches!(
            code,
            FlowCode::COPY
                | FlowCode::LOAD_KEY
                | FlowCode::CALL
                | FlowCode::METHOD
                | FlowCode::HINT
                | FlowCode::ITERATE
                | FlowCode::AWAIT
                | FlowCode::SUPER
                | FlowCode::NARROW
                | FlowCode::NARROW_MEMBER
                | FlowCode::CLASS_OF
                | FlowCode::VALUE
                | FlowCode::LOAD_AS
                | FlowCode::INSTANCE
                | FlowCode::REFERENCE
                | FlowCode::MAKER
                | FlowCode::MAKE
                | FlowCode::COLLECT
                | FlowCode::RANGE
                | FlowCode::FUNCTION
                | FlowCode::ALLOCATE
                | FlowCode::ITSELF
                | FlowCode::LITERAL
                | FlowCode::SENT
        )
}

/// Whether an instruction gives a slot what a name means.
fn names_things(code: u8) -> bool {
    matches!(
        code,
        FlowCode::LOAD | FlowCode::LOAD_OR | FlowCode::CLASS | FlowCode::IMPORT | FlowCode::GLOBAL | FlowCode::FIND
    )
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
