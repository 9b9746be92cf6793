//! The instructions of the open body, one function each.

use lore_model::{ArgumentKind, ClassKind, FlowArgument, FlowClass, FlowCode, FlowFlags, FlowStep, NONE};

use super::builder::{Argument, Binding, FlowBuilder, Slot, plain_copy};

impl<'t> FlowBuilder<'t, '_> {
    /// A new slot of the open body.
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

    /// Copies the result of an operator: it has the type of the operand but is a different string or number.
    pub(crate) fn operate(&mut self, to: Slot, from: Slot) {
        self.push(FlowCode::COPY, to, [from, 0, 0], 0, FlowFlags::DATA);
    }

    /// Creates the function of a body.
    pub(crate) fn function(&mut self, body: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::FUNCTION, to, [body, 0, 0], 0, 0);
        to
    }

    /// Creates a class of a definition. If the class has a body, set it with [`FlowBuilder::set_class_body`].
    pub(crate) fn class(&mut self, definition: u32, bases: &[Slot], line: u32) -> (Slot, u32) {
        let row = self.facts.flow.classes.len() as u32;
        self.facts.flow.classes.push(FlowClass {
            definition: definition.into(),
            body: NONE.into(),
            bases: (bases.len() as u32).into(),
            generic: 0,
            kind: ClassKind::PLAIN,
            flags: 0.into(),
            key: NONE.into(),
        });
        let to = self.slot();
        self.push(FlowCode::CLASS, to, [row, 0, 0], line, 0);
        for (at, base) in bases.iter().enumerate() {
            self.push(FlowCode::BASE, NONE, [*base, row, at as u32], line, 0);
        }
        (to, row)
    }

    /// Marks a class as generic: its instances are kept apart by allocation site.
    pub(crate) fn set_generic(&mut self, class: u32) {
        if let Some(row) = self.facts.flow.classes.get_mut(class as usize) {
            row.generic = 1;
        }
    }

    /// References a member as a function. A member of a class becomes a function of its instances.
    pub(crate) fn refer(&mut self, base: Slot, name: &str, line: u32) -> Slot {
        let to = self.slot();
        let name = self.name(name);
        self.push(FlowCode::REFERENCE, to, [base, name, 0], line, 0);
        to
    }

    /// Creates a constructor function of a class.
    pub(crate) fn maker(&mut self, class: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::MAKER, to, [class, 0, 0], line, 0);
        to
    }

    /// Declares the value of a member of all instances: a fallback, used when no value reaches the member.
    pub(crate) fn declare_member(&mut self, class: Slot, name: &str, value: Slot) {
        let name = self.name(name);
        self.push(FlowCode::DECLARE_MEMBER, NONE, [class, name, value], 0, 0);
    }

    /// Fallback for a slot: an instance of a type with its own allocation site.
    pub(crate) fn hint_own(&mut self, to: Slot, class: Slot) {
        self.push(FlowCode::HINT, to, [class, 0, 0], 0, FlowFlags::OWN);
    }

    /// Resolves a name that no file defines. Fallback: the member of that name of a value.
    pub(crate) fn global_or_member(&mut self, name: &'t str, of: Slot) -> Slot {
        let to = self.slot();
        let row = self.name(name);
        self.push(FlowCode::GLOBAL, to, [row, 0, 0], 0, 0);
        self.set_last_receiver(of);
        to
    }

    /// Adds [`lore_model::ClassFlags`] to a class.
    pub(crate) fn add_class_flags(&mut self, class: u32, flags: u32) {
        if let Some(row) = self.facts.flow.classes.get_mut(class as usize) {
            row.flags = (row.flags.get() | flags).into();
        }
    }

    /// Adds a class of this file to the bases of the classes in a slot, as an implementation.
    pub(crate) fn implement(&mut self, types: Slot, class: u32, line: u32) {
        self.push(FlowCode::IMPLEMENT, NONE, [types, class, 0], line, 0);
    }

    /// Loads the class of a value.
    pub(crate) fn class_of(&mut self, value: Slot) -> Slot {
        let to = self.slot();
        self.push(FlowCode::CLASS_OF, to, [value, 0, 0], 0, 0);
        to
    }

    /// Loads a name as a value. For some classes, such as unit structs, that is an instance.
    pub(crate) fn value_of(&mut self, named: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::VALUE, to, [named, 0, 0], line, 0);
        to
    }

    /// Puts an instance of a class into a slot. Unlike [`FlowBuilder::hint`], the type counts even if other values
    /// arrive.
    pub(crate) fn instance_of(&mut self, to: Slot, class: Slot) {
        self.push(FlowCode::VALUE, to, [class, 0, 0], 0, FlowFlags::NEW);
    }

    /// Makes every member of the objects in a slot a name of this file.
    pub(crate) fn names_of(&mut self, from: Slot, line: u32) {
        self.push(FlowCode::NAMES_OF, NONE, [from, 0, 0], line, 0);
    }

    /// Loads a member as a class or trait defines it.
    pub(crate) fn load_as(&mut self, base: Slot, name: &str, class: Slot, line: u32) -> Slot {
        let to = self.slot();
        let name = self.name(name);
        self.push(FlowCode::LOAD_AS, to, [base, name, class], line, 0);
        to
    }

    /// Loads the element of a wrapper, or the value itself if it is not a wrapper.
    pub(crate) fn load_inside(&mut self, base: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::LOAD_KEY, to, [base, NONE, 0], line, FlowFlags::INSIDE);
        to
    }

    /// Marks a class as one part of a class with several parts. Parts with the same key form one class.
    pub(crate) fn set_class_key(&mut self, class: u32, key: &str) {
        let key = self.name(key);
        if let Some(row) = self.facts.flow.classes.get_mut(class as usize) {
            row.key = key.into();
        }
    }

    /// Stores a list of spaces for name lookups. Returns the position and length of the list.
    pub(crate) fn spaces(&mut self, spaces: &[(u8, &str)]) -> (u32, u32) {
        let first = self.facts.flow.arguments.len() as u32;
        for (kind, space) in spaces {
            let name = self.name(space);
            self.facts.flow.arguments.push(FlowArgument {
                slot: NONE.into(),
                name: name.into(),
                declared: NONE.into(),
                kind: *kind,
            });
        }
        (first, spaces.len() as u32)
    }

    /// Loads a name from the first of the given spaces that has it.
    pub(crate) fn find(&mut self, name: &str, (first, count): (u32, u32), line: u32, flags: u8) -> Slot {
        let to = self.slot();
        let name = self.name(name);
        self.push(FlowCode::FIND, to, [name, first, count], line, flags);
        to
    }

    /// Stores a value in a name of the first of the given spaces that has it.
    pub(crate) fn keep(&mut self, name: &str, (first, count): (u32, u32), value: Slot) {
        let name = self.name(name);
        self.push(FlowCode::KEEP, value, [name, first, count], 0, 0);
    }

    /// Loads a member. If the object has no such member, loads the content of another slot.
    pub(crate) fn load_or(&mut self, base: Slot, name: &str, other: Slot, line: u32, flags: u8) -> Slot {
        let to = self.slot();
        let name = self.name(name);
        self.push(FlowCode::LOAD_OR, to, [base, name, other], line, flags);
        to
    }

    /// Runs a class body as an extension of the class in a slot.
    pub(crate) fn extend(&mut self, class: Slot, body: u32) {
        self.push(FlowCode::EXTEND, NONE, [class, body, 0], 0, 0);
    }

    /// Creates an instance of a class without running a constructor.
    pub(crate) fn instance(&mut self, class: Slot) -> Slot {
        let to = self.slot();
        self.push(FlowCode::INSTANCE, to, [class, 0, 0], 0, 0);
        to
    }

    /// The receiver of an enclosing body. For a class body, that is the class.
    pub(crate) fn receiver_around(&mut self, levels: usize) -> Slot {
        let open = self.bodies.len() - 1;
        if levels == 0 || levels > open {
            return self.receiver();
        }
        let around = &mut self.bodies[open - levels];
        if around.receiver == NONE {
            around.receiver = around.slots;
            around.slots += 1;
        }
        let outer = around.receiver;
        if let Some(slot) = self.body().captured.get(&(levels as u32, outer)) {
            return *slot;
        }
        let slot = self.slot();
        self.body().captured.insert((levels as u32, outer), slot);
        self.body().captures.push(lore_model::FlowCapture {
            slot: slot.into(),
            levels: (levels as u32).into(),
            outer: outer.into(),
            written: 0,
        });
        slot
    }

    pub(crate) fn open_bodies(&self) -> usize {
        self.bodies.len()
    }

    pub(crate) fn set_class_body(&mut self, class: u32, body: u32) {
        if let Some(row) = self.facts.flow.classes.get_mut(class as usize) {
            row.body = body.into();
        }
    }

    /// Sets the kind of values that a class has, such as functions or lists.
    pub(crate) fn set_class_kind(&mut self, class: u32, kind: u8) {
        if let Some(row) = self.facts.flow.classes.get_mut(class as usize) {
            row.kind = kind;
        }
    }

    /// Declares an embedded member: the instances of the class have its members too.
    pub(crate) fn embed(&mut self, class: u32, name: &str, embedded: Slot, line: u32) {
        let name = self.name(name);
        self.push(FlowCode::BASE, NONE, [embedded, class, name], line, FlowFlags::EMBEDDED);
    }

    /// Declares the value of a field of all instances: a fallback. The order of the calls defines the positions of
    /// fields.
    pub(crate) fn declare_field(&mut self, class: Slot, name: &str, value: Slot, line: u32) {
        let name = self.name(name);
        self.push(FlowCode::DECLARE, NONE, [class, name, value], line, 0);
    }

    /// Creates a value of a class. With [`FlowFlags::OWN`], it has its own allocation site.
    pub(crate) fn make(&mut self, class: Slot, line: u32, flags: u8) -> Slot {
        let to = self.slot();
        self.push(FlowCode::MAKE, to, [class, 0, 0], line, flags);
        to
    }

    /// Creates a collection of a built-in class whose elements have a type.
    pub(crate) fn collect(&mut self, class: &str, of: Slot, line: u32) -> Slot {
        let to = self.slot();
        let class = self.name(class);
        self.push(FlowCode::COLLECT, to, [of, class, 0], line, 0);
        to
    }

    /// As [`FlowBuilder::collect`], for a collection whose elements are stored separately.
    pub(crate) fn collect_filled(&mut self, class: &str, of: Slot, line: u32) -> Slot {
        let slot = self.collect(class, of, line);
        if let Some(step) = self.body().steps.last_mut() {
            step.flags |= FlowFlags::VALUE;
        }
        slot
    }

    /// Iterates over a value. Returns the slots of the keys and of the elements.
    pub(crate) fn range(&mut self, over: Slot, line: u32) -> (Slot, Slot) {
        let (key, element) = (self.slot(), self.slot());
        self.push(FlowCode::RANGE, key, [over, 0, 0], line, 0);
        (key, element)
    }

    /// Stores a value in the field that was declared at a position.
    pub(crate) fn store_position(&mut self, base: Slot, position: u32, value: Slot, line: u32) {
        self.push(
            FlowCode::STORE,
            NONE,
            [base, position, value],
            line,
            FlowFlags::POSITION,
        );
    }

    /// Declares the type of a slot. Values of external types are named by their type.
    pub(crate) fn hint_named(&mut self, to: Slot, class: Slot, flags: u8) {
        self.push(FlowCode::HINT, to, [class, 0, 0], 0, flags | FlowFlags::NAMED);
    }

    /// Returns one of several results from the open body.
    pub(crate) fn give_back_at(&mut self, position: u32, value: Slot) {
        let result = self.body().result;
        self.copy(result + position, value);
    }

    /// Imports a module, or a member of a module.
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

    /// Creates a value of a built-in class with its own allocation site.
    pub(crate) fn allocate(&mut self, class: &str, line: u32) -> Slot {
        let to = self.slot();
        let class = self.name(class);
        self.push(FlowCode::ALLOCATE, to, [class, 0, 0], line, 0);
        to
    }

    /// As [`FlowBuilder::allocate`], for element types with many collections. The number of allocation sites is bounded
    /// per element type `of`.
    pub(crate) fn allocate_some(&mut self, class: &str, of: &str, line: u32) -> Slot {
        let slot = self.allocate(class, line);
        let of = self.name(of);
        if let Some(step) = self.body().steps.last_mut() {
            step.b = of.into();
            step.flags |= FlowFlags::OWN;
        }
        slot
    }

    /// Creates a collection of strings and numbers, which is not followed.
    pub(crate) fn allocate_data(&mut self, class: &str, line: u32) -> Slot {
        let slot = self.allocate(class, line);
        if let Some(step) = self.body().steps.last_mut() {
            step.flags |= FlowFlags::DATA;
        }
        slot
    }

    /// Loads the receiver for lookups that start after a class (`super`).
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

    /// Loads the element under a key that is a value.
    pub(crate) fn load_key_of(&mut self, base: Slot, key: Slot, line: u32) -> Slot {
        let to = self.load_key(base, None, line);
        self.set_last_receiver(key);
        to
    }

    /// Stores the element under a key that is a value.
    pub(crate) fn store_key_of(&mut self, base: Slot, key: Slot, value: Slot, line: u32) {
        self.store_key(base, None, value, line);
        self.set_last_receiver(key);
    }

    pub(super) fn set_last_receiver(&mut self, slot: Slot) {
        if let Some(step) = self.body().steps.last_mut() {
            step.receiver = slot.into();
        }
    }

    /// Puts a string or number literal into a slot, so that it can become a key.
    pub(crate) fn spell(&mut self, to: Slot, text: &str) {
        let name = self.name(text);
        self.push(FlowCode::LITERAL, to, [name, 0, 0], 0, 0);
    }

    pub(crate) fn store(&mut self, base: Slot, name: &str, value: Slot, line: u32) {
        let name = self.name(name);
        self.push(FlowCode::STORE, NONE, [base, name, value], line, 0);
    }

    /// Stores a member that all instances of a class share.
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
            let declared = match argument {
                Argument::Typed(_, declared) => self.name(declared),
                _ => NONE,
            };
            let (slot, name, kind) = match argument {
                Argument::Plain(slot) | Argument::Typed(slot, _) => (*slot, NONE, ArgumentKind::PLAIN),
                Argument::Named(name, slot) => (*slot, self.name(name), ArgumentKind::NAMED),
                Argument::Spread(slot) => (*slot, NONE, ArgumentKind::SPREAD),
                Argument::NamedSpread(slot) => (*slot, NONE, ArgumentKind::NAMED_SPREAD),
                Argument::Result("", slot) => (*slot, NONE, ArgumentKind::RESULT),
                Argument::Result(class, slot) => (*slot, self.name(class), ArgumentKind::RESULT),
            };
            self.facts.flow.arguments.push(FlowArgument {
                slot: slot.into(),
                name: name.into(),
                declared: declared.into(),
                kind,
            });
        }
        let mut count = arguments.len() as u32;
        if let Some(caught) = self.body().catchers.last().copied() {
            count += 1;
            self.facts.flow.arguments.push(FlowArgument {
                slot: caught.into(),
                name: NONE.into(),
                declared: NONE.into(),
                kind: ArgumentKind::CAUGHT,
            });
        }
        self.push(FlowCode::CALL, to, [callee, first, count], line, flags);
        self.body().calls += 1;
        to
    }

    /// Calls a protocol method, if the receiver has it.
    pub(crate) fn call_method(&mut self, receiver: Slot, name: &str, arguments: &[Argument<'_>], line: u32) -> Slot {
        let name = self.name(name);
        let result = self.call(receiver, arguments, line, FlowFlags::IMPLICIT);
        if let Some(step) = self.body().steps.last_mut() {
            step.code = FlowCode::METHOD;
            step.receiver = name.into();
        }
        result
    }

    /// Calls a method that the source names.
    pub(crate) fn invoke(&mut self, receiver: Slot, name: &str, arguments: &[Argument<'_>], line: u32) -> Slot {
        let result = self.call_method(receiver, name, arguments, line);
        if let Some(step) = self.body().steps.last_mut() {
            step.flags &= !FlowFlags::IMPLICIT;
        }
        result
    }

    /// Calls a value with a receiver.
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

    /// Loads the function of the open body.
    pub(crate) fn itself(&mut self) -> Slot {
        let to = self.slot();
        self.push(FlowCode::ITSELF, to, [0, 0, 0], 0, 0);
        to
    }

    /// Copies the fields of one object to another, except the names in `without`.
    pub(crate) fn merge(&mut self, to: Slot, from: Slot, without: &[&str], line: u32) {
        let first = self.facts.flow.arguments.len() as u32;
        for name in without {
            let name = self.name(name);
            self.facts.flow.arguments.push(FlowArgument {
                slot: NONE.into(),
                name: name.into(),
                declared: NONE.into(),
                kind: ArgumentKind::NAMED,
            });
        }
        self.push(FlowCode::MERGE, NONE, [from, first, to], line, 0);
        self.set_last_receiver(without.len() as u32);
    }

    /// The cell of a variable: the slot through which inner bodies see all its versions.
    pub(crate) fn variable_cell(&mut self, name: &'t str) -> Slot {
        let open = self.bodies.len() - 1;
        match self.binding(open, name) {
            Some(Binding::Own(variable)) => self.cell(open, variable),
            _ => self.read(name),
        }
    }

    /// Fallback for a slot: an instance of a type, used when no value reaches the slot.
    pub(crate) fn hint(&mut self, to: Slot, class: Slot) {
        self.push(FlowCode::HINT, to, [class, 0, 0], 0, 0);
    }

    /// As [`FlowBuilder::hint`], applied only after everything else has settled.
    pub(crate) fn hint_last(&mut self, to: Slot, class: Slot) {
        self.push(FlowCode::HINT, to, [class, 0, 0], 0, FlowFlags::LAST);
    }

    /// As [`FlowBuilder::hint_value`], applied only after everything else has settled.
    pub(crate) fn hint_value_last(&mut self, to: Slot, value: Slot) {
        self.push(FlowCode::HINT, to, [value, 0, 0], 0, FlowFlags::VALUE | FlowFlags::LAST);
    }

    /// As [`FlowBuilder::hint`], for a type of this program. If the type is built-in or external, the fallback is the
    /// content of `other`.
    pub(crate) fn hint_or(&mut self, to: Slot, class: Slot, other: Slot) {
        self.push(FlowCode::HINT, to, [class, other, 0], 0, FlowFlags::OTHERS);
    }

    /// Fallback for a slot: the content of another slot.
    pub(crate) fn hint_value(&mut self, to: Slot, value: Slot) {
        self.push(FlowCode::HINT, to, [value, 0, 0], 0, FlowFlags::VALUE);
    }

    /// Fallback for the elements of the collections in a slot.
    pub(crate) fn hint_elements(&mut self, collections: Slot, element: Slot) {
        self.push(FlowCode::HINT_ELEMENTS, NONE, [collections, element, 0], 0, 0);
    }

    /// Fallback for a member of the objects in a slot.
    pub(crate) fn hint_member(&mut self, object: Slot, name: &str, value: Slot) {
        let name = self.name(name);
        self.push(FlowCode::HINT_MEMBER, NONE, [object, name, value], 0, 0);
    }

    /// Fixes a member of the objects in a slot to the content of another slot. Stores to the member are ignored.
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

    /// Iterates over the elements that have no known key.
    pub(crate) fn iterate_unkeyed(&mut self, from: Slot, line: u32) -> Slot {
        let to = self.slot();
        self.push(FlowCode::ITERATE, to, [from, 0, 0], line, FlowFlags::UNKEYED);
        to
    }

    /// Iterates asynchronously: each element is awaited.
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

    /// Records that a slot holds a literal.
    pub(crate) fn set_literal(&mut self, slot: Slot, text: &'t str) {
        self.body().literals.insert(slot, text);
    }

    /// The literal that a slot holds, if any.
    pub(crate) fn literal(&mut self, slot: Slot) -> Option<&'t str> {
        self.body().literals.get(&slot).copied()
    }
}
