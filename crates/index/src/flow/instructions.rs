//! The instructions of the open body, one function each.

use lore_model::{ArgumentKind, FlowArgument, FlowClass, FlowCode, FlowFlags, FlowStep, NONE};

use super::builder::{Argument, Binding, FlowBuilder, Slot, plain_copy};

impl<'t> FlowBuilder<'t, '_> {
    /// A new slot.
    pub(crate) fn slot(&mut self) -> Slot {
        let body = self.body();
        body.slots += 1;
        body.slots - 1
    }

    pub(super) fn push(&mut self, code: u8, to: Slot, [a, b, c]: [u32; 3], line: u32, flags: u8) {
        self.body().steps.push(FlowStep {
            to: to.into(),
            a: a.into(),
            b: b.into(),
            c: c.into(),
            receiver: NONE.into(),
            line: line.into(),
            code,
            flags,
        });
    }

    pub(crate) fn copy(&mut self, to: Slot, from: Slot) {
        if to != from && to != NONE && from != NONE {
            self.body().steps.push(plain_copy(to, from));
        }
    }

    /// The function of a body.
    pub(crate) fn function(&mut self, body: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::FUNCTION, to, [body, 0, 0], 0, 0);
        to
    }

    /// A class of a definition, whose body (if it has one) comes with [`FlowBuilder::set_class_body`].
    pub(crate) fn class(&mut self, definition: u32, bases: &[Slot], line: u32) -> (Slot, u32) {
        let row = self.facts.flow.classes.len() as u32;
        self.facts.flow.classes.push(FlowClass {
            definition: definition.into(),
            body: NONE.into(),
            bases: (bases.len() as u32).into(),
            flags: 0.into(),
        });
        let to = self.slot();
        self.push(FlowCode::CLASS, to, [row, 0, 0], line, 0);
        for (at, base) in bases.iter().enumerate() {
            self.push(FlowCode::BASE, NONE, [*base, row, at as u32], line, 0);
        }
        (to, row)
    }

    /// Adds [`lore_model::ClassFlags`] to a class.
    pub(crate) fn add_class_flags(&mut self, class: u32, flags: u32) {
        if let Some(row) = self.facts.flow.classes.get_mut(class as usize) {
            row.flags = (row.flags.get() | flags).into();
        }
    }

    /// The classes of a slot take from a class of this file what they have not themselves.
    pub(crate) fn implement(&mut self, types: Slot, class: u32, line: u32) {
        self.push(FlowCode::IMPLEMENT, NONE, [types, class, 0], line, 0);
    }

    /// The class of a value.
    pub(crate) fn class_of(&mut self, value: Slot) -> Slot {
        let to = self.slot();
        self.push(FlowCode::CLASS_OF, to, [value, 0, 0], 0, 0);
        to
    }

    /// What a name means as a value: of some classes an instance.
    pub(crate) fn value_of(&mut self, named: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::VALUE, to, [named, 0, 0], line, 0);
        to
    }

    /// An instance of a class, which is what a declared type says for certain.
    pub(crate) fn instance_of(&mut self, to: Slot, class: Slot) {
        self.push(FlowCode::VALUE, to, [class, 0, 0], 0, FlowFlags::NEW);
    }

    /// Every member of what a slot holds is a name here.
    pub(crate) fn names_of(&mut self, from: Slot, line: u32) {
        self.push(FlowCode::NAMES_OF, NONE, [from, 0, 0], line, 0);
    }

    /// A member, as that which derives from a class has it.
    pub(crate) fn load_as(&mut self, base: Slot, name: &str, class: Slot, line: u32) -> Slot {
        let to = self.slot();
        let name = self.name(name);
        self.push(FlowCode::LOAD_AS, to, [base, name, class], line, 0);
        to
    }

    /// The element of a value, or the value itself if it is nothing that holds elements.
    pub(crate) fn load_inside(&mut self, base: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::LOAD_KEY, to, [base, NONE, 0], line, FlowFlags::INSIDE);
        to
    }

    pub(crate) fn set_class_body(&mut self, class: u32, body: u32) {
        if let Some(row) = self.facts.flow.classes.get_mut(class as usize) {
            row.body = body.into();
        }
    }

    /// A module, or a member of one.
    pub(crate) fn import(&mut self, module: &str, member: Option<&str>, line: u32) -> Slot {
        let to = self.slot();
        let module = self.name(module);
        let member = member.map_or(NONE, |member| self.name(member));
        self.push(FlowCode::IMPORT, to, [module, member, 0], line, 0);
        to
    }

    pub(crate) fn import_all(&mut self, module: &str, line: u32) {
        let module = self.name(module);
        self.push(FlowCode::IMPORT_ALL, NONE, [module, 0, 0], line, 0);
    }

    /// A new value of a built-in class.
    pub(crate) fn allocate(&mut self, class: &str, line: u32) -> Slot {
        let to = self.slot();
        let class = self.name(class);
        self.push(FlowCode::ALLOCATE, to, [class, 0, 0], line, 0);
        to
    }

    /// A collection of texts and numbers, about which there is no more to say.
    pub(crate) fn allocate_data(&mut self, class: &str, line: u32) -> Slot {
        let slot = self.allocate(class, line);
        if let Some(step) = self.body().steps.last_mut() {
            step.flags |= FlowFlags::DATA;
        }
        slot
    }

    /// The members after those of the class around.
    pub(crate) fn super_of(&mut self, class: u32, receiver: Slot) -> Slot {
        let to = self.slot();
        self.push(FlowCode::SUPER, to, [receiver, class, 0], 0, 0);
        to
    }

    pub(crate) fn load(&mut self, base: Slot, name: &str, line: u32) -> Slot {
        let to = self.slot();
        let name = self.name(name);
        self.push(FlowCode::LOAD, to, [base, name, 0], line, 0);
        to
    }

    pub(crate) fn load_implicit(&mut self, base: Slot, name: &str, line: u32) -> Slot {
        let to = self.slot();
        let name = self.name(name);
        self.push(FlowCode::LOAD, to, [base, name, 0], line, FlowFlags::IMPLICIT);
        to
    }

    pub(crate) fn load_key(&mut self, base: Slot, key: Option<&str>, line: u32) -> Slot {
        let to = self.slot();
        let key = key.map_or(NONE, |key| self.name(key));
        self.push(FlowCode::LOAD_KEY, to, [base, key, 0], line, 0);
        to
    }

    /// The element under a key that is a value.
    pub(crate) fn load_key_of(&mut self, base: Slot, key: Slot, line: u32) -> Slot {
        let to = self.load_key(base, None, line);
        self.set_last_receiver(key);
        to
    }

    /// Gives the element under a key that is a value.
    pub(crate) fn store_key_of(&mut self, base: Slot, key: Slot, value: Slot, line: u32) {
        self.store_key(base, None, value, line);
        self.set_last_receiver(key);
    }

    pub(super) fn set_last_receiver(&mut self, slot: Slot) {
        if let Some(step) = self.body().steps.last_mut() {
            step.receiver = slot.into();
        }
    }

    /// A text or a number, as a value that can be a key.
    pub(crate) fn spell(&mut self, to: Slot, text: &str) {
        let name = self.name(text);
        self.push(FlowCode::LITERAL, to, [name, 0, 0], 0, 0);
    }

    pub(crate) fn store(&mut self, base: Slot, name: &str, value: Slot, line: u32) {
        let name = self.name(name);
        self.push(FlowCode::STORE, NONE, [base, name, value], line, 0);
    }

    /// Stores what the instances of a class have in common.
    pub(crate) fn store_member(&mut self, class: Slot, name: &str, value: Slot, line: u32) {
        let name = self.name(name);
        self.push(FlowCode::STORE_MEMBER, NONE, [class, name, value], line, 0);
    }

    pub(crate) fn store_key(&mut self, base: Slot, key: Option<&str>, value: Slot, line: u32) {
        let key = key.map_or(NONE, |key| self.name(key));
        self.push(FlowCode::STORE_KEY, NONE, [base, key, value], line, 0);
    }

    pub(crate) fn call(&mut self, callee: Slot, arguments: &[Argument<'_>], line: u32, flags: u8) -> Slot {
        let to = self.slot();
        let first = self.facts.flow.arguments.len() as u32;
        for argument in arguments {
            let (slot, name, kind) = match argument {
                Argument::Plain(slot) => (*slot, NONE, ArgumentKind::PLAIN),
                Argument::Named(name, slot) => (*slot, self.name(name), ArgumentKind::NAMED),
                Argument::Spread(slot) => (*slot, NONE, ArgumentKind::SPREAD),
                Argument::NamedSpread(slot) => (*slot, NONE, ArgumentKind::NAMED_SPREAD),
            };
            self.facts.flow.arguments.push(FlowArgument {
                slot: slot.into(),
                name: name.into(),
                kind,
            });
        }
        let mut count = arguments.len() as u32;
        if let Some(caught) = self.body().catchers.last().copied() {
            count += 1;
            self.facts.flow.arguments.push(FlowArgument {
                slot: caught.into(),
                name: NONE.into(),
                kind: ArgumentKind::CAUGHT,
            });
        }
        self.push(FlowCode::CALL, to, [callee, first, count], line, flags);
        self.body().calls += 1;
        to
    }

    /// Calls a method of a protocol that a value may have.
    pub(crate) fn call_method(&mut self, receiver: Slot, name: &str, arguments: &[Argument<'_>], line: u32) -> Slot {
        let name = self.name(name);
        let result = self.call(receiver, arguments, line, FlowFlags::IMPLICIT);
        if let Some(step) = self.body().steps.last_mut() {
            step.code = FlowCode::METHOD;
            step.receiver = name.into();
        }
        result
    }

    /// A call with a receiver.
    pub(crate) fn call_on(
        &mut self,
        callee: Slot,
        receiver: Slot,
        arguments: &[Argument<'_>],
        line: u32,
        flags: u8,
    ) -> Slot {
        let to = self.call(callee, arguments, line, flags);
        self.set_last_receiver(receiver);
        to
    }

    /// The function of the open body itself.
    pub(crate) fn itself(&mut self) -> Slot {
        let to = self.slot();
        self.push(FlowCode::ITSELF, to, [0, 0, 0], 0, 0);
        to
    }

    /// What one object holds under its names, another has under the same.
    pub(crate) fn merge(&mut self, to: Slot, from: Slot, without: &[&str], line: u32) {
        let first = self.facts.flow.arguments.len() as u32;
        for name in without {
            let name = self.name(name);
            self.facts.flow.arguments.push(FlowArgument {
                slot: NONE.into(),
                name: name.into(),
                kind: ArgumentKind::NAMED,
            });
        }
        self.push(FlowCode::MERGE, NONE, [from, first, to], line, 0);
        self.set_last_receiver(without.len() as u32);
    }

    /// The cell of a variable of this body, or of the one around it whose variable it is.
    pub(crate) fn variable_cell(&mut self, name: &'t str) -> Slot {
        let open = self.bodies.len() - 1;
        match self.binding(open, name) {
            Some(Binding::Own(variable)) => self.cell(open, variable),
            _ => self.read(name),
        }
    }

    /// Says that a slot holds instances of a type, where nothing better is known.
    pub(crate) fn hint(&mut self, to: Slot, class: Slot) {
        self.push(FlowCode::HINT, to, [class, 0, 0], 0, 0);
    }

    /// As [`FlowBuilder::hint`], but only if nothing comes to the slot from anywhere.
    pub(crate) fn hint_last(&mut self, to: Slot, class: Slot) {
        self.push(FlowCode::HINT, to, [class, 0, 0], 0, FlowFlags::LAST);
    }

    /// As [`FlowBuilder::hint_value`], but only if nothing comes to the slot from anywhere.
    pub(crate) fn hint_value_last(&mut self, to: Slot, value: Slot) {
        self.push(FlowCode::HINT, to, [value, 0, 0], 0, FlowFlags::VALUE | FlowFlags::LAST);
    }

    /// Says that a slot holds what another does, where nothing better is known.
    pub(crate) fn hint_value(&mut self, to: Slot, value: Slot) {
        self.push(FlowCode::HINT, to, [value, 0, 0], 0, FlowFlags::VALUE);
    }

    /// Says what the elements of the collections in a slot are, where none is known.
    pub(crate) fn hint_elements(&mut self, collections: Slot, element: Slot) {
        self.push(FlowCode::HINT_ELEMENTS, NONE, [collections, element, 0], 0, 0);
    }

    /// Says what a member of the objects in a slot is, where nothing better is known.
    pub(crate) fn hint_member(&mut self, object: Slot, name: &str, value: Slot) {
        let name = self.name(name);
        self.push(FlowCode::HINT_MEMBER, NONE, [object, name, value], 0, 0);
    }

    /// Says that a member of the objects in a slot is what another slot holds, and nothing else.
    pub(crate) fn seal_member(&mut self, object: Slot, name: &str, value: Slot) {
        let name = self.name(name);
        self.push(
            FlowCode::HINT_MEMBER,
            NONE,
            [object, name, value],
            0,
            FlowFlags::CERTAIN,
        );
    }

    /// An element that has no key of its own.
    pub(crate) fn iterate_unkeyed(&mut self, from: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::ITERATE, to, [from, 0, 0], line, FlowFlags::UNKEYED);
        to
    }

    /// An element that is waited for.
    pub(crate) fn iterate_waiting(&mut self, from: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::ITERATE, to, [from, 0, 0], line, FlowFlags::WAITED);
        to
    }

    pub(crate) fn iterate(&mut self, from: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::ITERATE, to, [from, 0, 0], line, 0);
        to
    }

    pub(crate) fn wait_for(&mut self, from: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::AWAIT, to, [from, 0, 0], line, 0);
        to
    }

    /// Returns a value from the open body.
    pub(crate) fn give_back(&mut self, value: Slot) {
        let result = self.body().result;
        self.copy(result, value);
    }

    /// Remembers that a slot holds a literal.
    pub(crate) fn set_literal(&mut self, slot: Slot, text: &'t str) {
        self.body().literals.insert(slot, text);
    }

    /// The literal that a slot holds.
    pub(crate) fn literal(&mut self, slot: Slot) -> Option<&'t str> {
        self.body().literals.get(&slot).copied()
    }
}
