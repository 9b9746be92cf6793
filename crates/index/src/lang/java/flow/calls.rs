//! Calls, their receivers and arguments, references to methods, lambdas.

use lore_model::{BodyFlags, NONE};

use crate::flow::{Argument, Slot};
use crate::syntax::Node;

use super::names::looks_like_type;
use super::scopes::Found;
use super::{Lowering, children, line};

/// The prelude asks objects for what only the language itself can do.
const ASK: &str = "__ask";

impl<'t> Lowering<'t, '_, '_> {
    /// The arguments of a call, with the types that the source gives them.
    pub(super) fn arguments(&mut self, list: Node<'t>) -> Vec<Argument<'t>> {
        children(list)
            .into_iter()
            .map(|argument| {
                let slot = self.spelled(argument);
                match self.static_type(argument) {
                    Some(declared) => Argument::Typed(slot, declared),
                    None => Argument::Plain(slot),
                }
            })
            .collect()
    }

    pub(super) fn invocation(&mut self, node: Node<'t>) -> Slot {
        let Some(name) = node.child_by_field_name("name") else {
            return self.builder.slot();
        };
        let at = line(name);
        let name = self.builder.text(name);
        let object = node.child_by_field_name("object");
        let is_super = object.is_some_and(|object| object.kind() == "super") || has_super(node);
        let is_own = object.is_none_or(|object| object.kind() == "this");
        if let Some(depth) = self.private_method(name).filter(|_| is_own && !self.is_prelude) {
            return self.call_private(node, depth, name, at);
        }
        let callee = match object {
            None if self.is_prelude && name == ASK => return self.ask(node),
            None => match self.own_holder(name) {
                Some(holder) => return self.invoke(node, holder, name, at),
                None => self.own_method(name, at),
            },
            Some(object) if is_super => {
                let base = self.base_of(object);
                let callee = self.builder.load(base, &format!("{name}()"), at);
                if object.kind() != "super" {
                    let this = self.this_at(self.classes.len().saturating_sub(1));
                    let arguments = node
                        .child_by_field_name("arguments")
                        .map_or_else(Vec::new, |list| self.arguments(list));
                    return self.builder.call_on(callee, this, &arguments, at, 0);
                }
                callee
            }
            Some(object) => {
                let base = self.object(object);
                return self.invoke(node, base, name, at);
            }
        };
        let arguments = node
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |list| self.arguments(list));
        self.builder.call(callee, &arguments, at, 0)
    }

    fn invoke(&mut self, node: Node<'t>, receiver: Slot, name: &str, at: u32) -> Slot {
        let arguments = node
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |list| self.arguments(list));
        self.builder.invoke(receiver, &format!("{name}()"), &arguments, at)
    }

    /// The only thing that a method which is called by its name alone can be one of.
    fn own_holder(&mut self, name: &str) -> Option<Slot> {
        let innermost = self.classes.len();
        let Some(depth) = self.find_method(name) else {
            let imports: Vec<(&'t str, u32)> = self
                .static_imports
                .iter()
                .filter(|(imported, ..)| *imported == name)
                .map(|(_, class, at)| (*class, *at))
                .collect();
            // What is imported by name, or inherited by the only class that has bases.
            return match imports[..] {
                [(class, at)] => Some(self.path(class, at)),
                [] if innermost == 1 && self.static_wildcards.is_empty() => Some(self.receiver_at(0)),
                _ => None,
            };
        };
        if self.classes[depth + 1..].iter().any(|class| class.has_bases) {
            return None;
        }
        let only_static = self.classes[depth]
            .methods
            .get(name)
            .is_some_and(|method| method.is_static);
        Some(if only_static && depth + 1 < innermost {
            self.class_at(depth)
        } else {
            self.receiver_at(depth)
        })
    }

    /// The depth of the class whose own method is meant by a name, and no other that overrides it.
    fn private_method(&self, name: &str) -> Option<usize> {
        let depth = self.find_method(name)?;
        let method = self.classes[depth].methods.get(name)?;
        let hidden = self.classes[depth + 1..].iter().any(|class| class.has_bases);
        (method.is_private && !method.is_static && !hidden).then_some(depth)
    }

    /// Calls a method that only its class has.
    fn call_private(&mut self, node: Node<'t>, depth: usize, name: &str, at: u32) -> Slot {
        let class = self.class_at(depth);
        let callee = self.builder.load(class, &format!("{name}()"), at);
        let this = self.receiver_at(depth);
        let arguments = node
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |list| self.arguments(list));
        self.builder.call_on(callee, this, &arguments, at, 0)
    }

    /// `__ask(value, "close")` calls a method that a value may have.
    fn ask(&mut self, node: Node<'t>) -> Slot {
        let parts = node.child_by_field_name("arguments").map_or_else(Vec::new, children);
        let [value, name, ..] = parts[..] else {
            return self.builder.slot();
        };
        let value = self.expression(value);
        let name = self.builder.text(name).trim_matches('"');
        let others: Vec<Argument<'t>> = parts[2..]
            .iter()
            .map(|part| Argument::Plain(self.expression(*part)))
            .collect();
        self.builder
            .call_method(value, &format!("{name}()"), &others, line(node))
    }

    /// What stands before the point of a call or a field: a value or a type.
    pub(super) fn object(&mut self, object: Node<'t>) -> Slot {
        match object.kind() {
            "identifier" => {
                let name = self.builder.text(object);
                match self.find(name) {
                    Found::Nothing if looks_like_type(name) && self.is_known_type(name) => self.type_named(name),
                    _ => self.read_name(name, line(object)),
                }
            }
            _ => self.expression(object),
        }
    }

    fn is_known_type(&self, name: &str) -> bool {
        self.own_types.contains(name) || self.builder.is_variable(name)
    }

    /// `super`, or `Interface.super`: what comes after a class for the receiver.
    pub(super) fn base_of(&mut self, object: Node<'t>) -> Slot {
        let depth = self.classes.len().saturating_sub(1);
        if object.kind() == "super" || self.classes.is_empty() {
            let this = self.this_at(depth);
            let row = self.classes.last().map_or(NONE, |class| class.row);
            return self.builder.super_of(row, this);
        }
        // `Outer.super.method()` means the base of the class around, `Interface.super` one of our own.
        let name = self.builder.text(object);
        if let Some(depth) = self.classes.iter().rposition(|class| class.name == name) {
            let this = self.this_at(depth);
            let row = self.classes[depth].row;
            return self.builder.super_of(row, this);
        }
        match self.type_value(object) {
            Some(class) => class,
            None => self.builder.slot(),
        }
    }

    /// A method that is called by its name alone: of the classes around, inherited, or imported.
    pub(super) fn own_method(&mut self, name: &'t str, at: u32) -> Slot {
        let member = format!("{name}()");
        let declared = self.find_method(name);
        let innermost = self.classes.len();
        let Some(depth) = declared else {
            return self.inherited_method(name, &member, at);
        };
        let only_static = self.classes[depth]
            .methods
            .get(name)
            .is_some_and(|method| method.is_static);
        let holder = if only_static && depth + 1 < innermost {
            self.class_at(depth)
        } else {
            self.receiver_at(depth)
        };
        let found = self.builder.load(holder, &member, at);
        // A class further in may have inherited one of the name.
        let inner: Vec<usize> = (depth + 1..innermost)
            .rev()
            .filter(|depth| self.classes[*depth].has_bases)
            .collect();
        if inner.is_empty() {
            return found;
        }
        let first = self.builder.slot();
        for depth in inner {
            let holder = self.receiver_at(depth);
            let value = self.builder.load_implicit(holder, &member, at);
            self.builder.copy(first, value);
        }
        self.builder.hint_value(first, found);
        first
    }

    fn inherited_method(&mut self, name: &'t str, member: &str, at: u32) -> Slot {
        let imported = self.imported_member(name, member);
        let mut found: Option<Slot> = None;
        for depth in (0..self.classes.len()).rev() {
            let innermost = depth + 1 == self.classes.len();
            let is_asked = self.classes[depth].has_bases || innermost && imported.is_none();
            if !is_asked {
                continue;
            }
            let holder = self.receiver_at(depth);
            let value = self.builder.load(holder, member, at);
            match found {
                None => found = Some(value),
                Some(found) => self.builder.hint_value(found, value),
            }
        }
        match (found, imported) {
            (None, Some(imported)) => imported,
            (Some(found), Some(imported)) => {
                // What is imported by name is meant, unless it is inherited here.
                let first = self.builder.slot();
                self.builder.copy(first, imported);
                self.builder.hint_value(first, found);
                first
            }
            (Some(found), None) => {
                self.try_wildcards(found, member, at);
                found
            }
            (None, None) => {
                let found = self.builder.slot();
                self.try_wildcards(found, member, at);
                found
            }
        }
    }

    /// `a::b`, `A::new`
    pub(super) fn reference(&mut self, node: Node<'t>) -> Slot {
        let parts = children(node);
        let Some(object) = parts.first().copied() else {
            return self.builder.slot();
        };
        let at = line(node);
        let last = node.child_count().checked_sub(1).and_then(|last| node.child(last));
        if last.is_some_and(|last| last.kind() == "new") {
            if object.kind() == "array_type" {
                return self.builder.slot();
            }
            let class = self.type_value(object);
            return match class {
                Some(class) => self.builder.maker(class, at),
                None => self.builder.slot(),
            };
        }
        let Some(name) = last.map(|last| self.builder.text(last)) else {
            return self.builder.slot();
        };
        let base = match object.kind() {
            "super" => self.base_of(object),
            "generic_type" | "scoped_type_identifier" | "type_identifier" | "array_type" => {
                match self.type_value(object) {
                    Some(class) => class,
                    None => self.builder.slot(),
                }
            }
            _ => self.object(object),
        };
        self.builder.refer(base, &format!("{name}()"), at)
    }

    pub(super) fn lambda(&mut self, node: Node<'t>) -> Slot {
        let definition = self.builder.definition(node).unwrap_or(NONE);
        let mut flags = BodyFlags::ARROW;
        if definition == NONE {
            flags |= BodyFlags::HIDDEN;
        }
        self.builder.begin(definition, flags);
        let locals = self.entries.len();
        if let Some(parameters) = node.child_by_field_name("parameters") {
            match parameters.kind() {
                "identifier" => self.parameter(parameters),
                _ => {
                    for parameter in children(parameters) {
                        self.parameter(parameter);
                    }
                }
            }
        }
        self.results.push(None);
        let yields = std::mem::take(&mut self.yields);
        if let Some(body) = node.child_by_field_name("body") {
            match body.kind() {
                "block" => {
                    self.note_writes(body);
                    self.statements(body);
                }
                _ => {
                    let value = self.expression(body);
                    self.builder.give_back(value);
                }
            }
        }
        self.yields = yields;
        self.results.pop();
        self.entries.truncate(locals);
        let body = self.builder.end();
        self.builder.function(body)
    }
}

/// Whether a call is one of `Type.super.method()`.
fn has_super(node: Node<'_>) -> bool {
    node.children().any(|child| child.kind() == "super")
}
