//! Selection between methods of one name that a type has from several implementations of one trait, such as `impl
//! From<A>` and `impl From<B>`: the type of the first argument selects the method.

use lore_model::{ArgumentKind, BodyFlags, NONE};

use super::engine::{ABSENT, Call, Engine, NOTHING, Way};
use super::objects::{Evidence, Object, ObjectId};

/// The field of a function that holds the accepted types of its first argument.
const ACCEPTS: &str = "<accepts>";

/// A call that runs a function only if the first argument has an accepted type.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// The waiting call, by index.
    pub(super) call: u32,
    pub(super) function: ObjectId,
    pub(super) receiver: Option<ObjectId>,
    /// The slot of the first argument.
    pub(super) argument: u32,
}

impl<'s> Engine<'_, 's> {
    /// The field of a member, extended by the members of the same name from other implementations of the same trait. If
    /// there are any, returns a slot that holds all of them.
    pub(super) fn rivals_of(&mut self, class: ObjectId, name: u32, place: ObjectId, field: u32) -> u32 {
        if !self.implement_lines.contains_key(&place) {
            return field;
        }
        let promise =
            |engine: &Self, place: ObjectId| engine.bases.get(&place).and_then(|bases| bases.first()).cloned();
        let promised = promise(self, place);
        let order = self.order(class);
        let mut rivals: Vec<u32> = Vec::new();
        for other in order.iter().copied().filter(|other| *other != place) {
            if self.implement_lines.contains_key(&other) && promise(self, other) == promised {
                let members = self.members(other);
                rivals.extend(self.field_if_any(members, name));
            }
        }
        if rivals.is_empty() {
            return field;
        }
        let all = self.new_slots(1, NONE);
        for one in rivals.into_iter().chain([field]) {
            for (function, _) in self.entries(one) {
                self.rivals.insert(function);
            }
            self.connect(one, all, Way::Plain);
        }
        all
    }

    /// Whether the first argument decides if a function runs. If so, the call waits for the argument.
    pub(super) fn waits_for_choice(&mut self, call: &Call<'s>, function: ObjectId, receiver: Option<ObjectId>) -> bool {
        let Object::Function { body, .. } = self.objects.get(function) else {
            return false;
        };
        if self.program.body(body).flags.get() & BodyFlags::RIVAL == 0 || !self.rivals.contains(&function) {
            return false;
        }
        let base = self.activations[call.activation as usize].base;
        // A method that is named through its type gets its receiver as an argument.
        let takes_receiver = self.program.body(body).flags.get() & BodyFlags::RECEIVER_FIRST != 0;
        let at = usize::from(takes_receiver && receiver.is_none());
        let leading: Vec<u32> = call.leading.into_iter().filter(|slot| *slot != ABSENT).collect();
        let argument = match (leading.get(at), call.arguments.get(at)) {
            (Some(slot), _) if *slot != NOTHING => *slot,
            (None, Some(argument)) if leading.is_empty() && argument.kind == ArgumentKind::PLAIN => {
                base + argument.slot.get()
            }
            _ => return false,
        };
        let key = (call.activation, call.key, function, receiver.unwrap_or(NONE));
        if !self.chosen.insert(key) {
            return true;
        }
        let call = self.wait_with(call);
        let choice = self.choices.len() as u32;
        self.choices.push(Choice {
            call,
            function,
            receiver,
            argument,
        });
        self.connect(argument, NONE, Way::Accept { choice });
        true
    }

    /// Runs a choice if the function accepts an argument that has arrived.
    pub(super) fn choose(&mut self, choice: u32, object: ObjectId, evidence: Evidence) {
        let row = self.choices[choice as usize];
        if self.accepts(row.function, object) {
            self.run_choice(row, evidence);
        }
    }

    fn run_choice(&mut self, choice: Choice, evidence: Evidence) {
        let Object::Function { body, maker } = self.objects.get(choice.function) else {
            return;
        };
        let call = self.waiting_calls[choice.call as usize].clone();
        self.invoke_now(&call, choice.function, body, maker, choice.receiver, evidence);
    }

    /// Runs all candidates of calls whose argument is unknown. Returns whether there were any.
    pub(super) fn run_undecided(&mut self) -> bool {
        let mut any = false;
        while let Some(choice) = self.choices.get(self.decided).copied() {
            self.decided += 1;
            if self.entries(choice.argument).is_empty() {
                self.run_choice(choice, Evidence::Typed);
                any = true;
            }
        }
        any
    }

    /// Whether a function accepts an object as its first argument.
    fn accepts(&mut self, function: ObjectId, object: ObjectId) -> bool {
        let accepts = self.program.rule_name(ACCEPTS);
        let Some(field) = self.field_if_any(function, accepts) else {
            return true;
        };
        let types: Vec<ObjectId> = self.entries(field).into_iter().map(|(class, _)| class).collect();
        if types.is_empty() {
            return true;
        }
        match self.objects.get(object) {
            Object::Instance { class, .. } => {
                let order = self.order(class);
                types
                    .iter()
                    .any(|accepted| order.contains(accepted) || self.are_alike(class, *accepted))
            }
            Object::External(external) => types.iter().any(|accepted| match self.objects.get(*accepted) {
                Object::External(accepted) => self.comes_from(external, accepted),
                _ => false,
            }),
            _ => true,
        }
    }

    /// Whether two built-in classes implement a common trait, as the number types do.
    fn are_alike(&mut self, one: ObjectId, other: ObjectId) -> bool {
        let (Object::Class { class: first, .. }, Object::Class { class: second, .. }) =
            (self.objects.get(one), self.objects.get(other))
        else {
            return false;
        };
        if !self.is_prelude(self.program.unit_of_class(first)) || !self.is_prelude(self.program.unit_of_class(second)) {
            return false;
        }
        let of_one = self.order(one);
        let of_other = self.order(other);
        of_one
            .iter()
            .any(|promise| *promise != one && !self.implement_lines.contains_key(promise) && of_other.contains(promise))
    }

    /// Whether an external object can be a value of an external type: a result of the type, or anything of the same
    /// project.
    fn comes_from(&self, external: u32, accepted: u32) -> bool {
        let (value, class) = (&self.externals[external as usize], &self.externals[accepted as usize]);
        let separator = self.program.units[self.external_units[accepted as usize]]
            .language
            .separator;
        match value.strip_suffix("()") {
            Some(made) if made == class => true,
            _ => value.split(separator).next() == class.split(separator).next(),
        }
    }
}
