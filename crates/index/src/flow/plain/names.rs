//! Name lookup: variables, members of enclosing classes, and names of spaces.

use std::borrow::Cow;

use lore_model::{ArgumentKind, BodyFlags, FlowFlags, NONE, VariableUse};

use super::{Act, Lower, THIS, children, line};
use crate::flow::Slot;
use crate::syntax::Node;

/// Spaces whose names are all names of the file.
const MAX_WILDCARDS: usize = 256;

impl<'t> Lower<'t, '_, '_> {
    pub(crate) fn read_name(&mut self, name: &'t str, at: u32) -> Slot {
        if self.builder.is_variable(name) {
            return self.builder.read(name);
        }
        // A variable without a value.
        if name.starts_with('$') {
            return self.builder.slot();
        }
        self.look_up(name, at)
    }

    /// Looks up a name that is not a variable.
    pub(crate) fn look_up(&mut self, name: &'t str, at: u32) -> Slot {
        if !self.plain.implicit_receiver || self.classes.is_empty() {
            return self.find(name, at, false);
        }
        let mut asked = Vec::new();
        let mut value = None;
        for number in (0..self.classes.len()).rev() {
            if self.classes[number].name == name {
                let open = self.builder.open_bodies();
                value = Some(self.builder.receiver_around(open - 1 - self.classes[number].body));
                break;
            }
            if self.classes[number].names.contains(name) {
                let base = self.object_around(number);
                value = Some(self.builder.load(base, name, at));
                break;
            }
            if self.classes[number].open {
                asked.push(number);
            }
        }
        let mut value = match value {
            Some(value) => value,
            None => self.find(name, at, false),
        };
        for number in asked.into_iter().rev() {
            let base = self.object_around(number);
            value = self.builder.load_or(base, name, value, at, 0);
        }
        value
    }

    /// The object that holds the members of an enclosing class: its instance, or the class itself inside its body.
    pub(crate) fn object_around(&mut self, number: usize) -> Slot {
        let open = self.builder.open_bodies();
        let body = self.classes[number].body;
        if body + 1 == open {
            return self.builder.receiver();
        }
        if number + 1 == self.classes.len() && self.builder.is_variable(THIS) {
            return self.builder.read(THIS);
        }
        let class = self.builder.receiver_around(open - 1 - body);
        self.builder.instance(class)
    }

    /// The innermost enclosing class.
    pub(crate) fn class_around(&mut self) -> Option<Slot> {
        let body = self.classes.last()?.body;
        let open = self.builder.open_bodies();
        Some(self.builder.receiver_around(open - 1 - body))
    }

    /// Looks up a name that is neither a variable nor a member.
    pub(crate) fn find(&mut self, name: &'t str, at: u32, is_type: bool) -> Slot {
        let key = (self.builder.body_number(), name, is_type);
        if let Some(slot) = self.found.get(&key) {
            return *slot;
        }
        if !is_type {
            self.builder.note_of_module(name, VariableUse::Uses);
        }
        let flags = match (is_type, self.plain.outside) {
            (true, _) => FlowFlags::TYPE | FlowFlags::OUTSIDE,
            (false, true) => FlowFlags::OUTSIDE,
            (false, false) => 0,
        };
        let mut slot = match self.imports.get(name).cloned() {
            // The import names a member of a class or object.
            Some((space, there))
                if space
                    .rsplit('.')
                    .next()
                    .is_some_and(|last| last.starts_with(char::is_uppercase))
                    && self.plain.separator == "."
                    && self.plain.implicit_receiver =>
            {
                let spaces = self.builder.spaces(&[(ArgumentKind::SPACE, &space)]);
                let direct = self.builder.find(&there, spaces, at, flags & !FlowFlags::OUTSIDE);
                let class = self.find_path(&space, at);
                self.builder.load_or(class, &there, direct, at, 0)
            }
            Some((space, there)) => {
                let spaces = self.builder.spaces(&[(ArgumentKind::SPACE, &space)]);
                self.builder.find(&there, spaces, at, flags | FlowFlags::OUTSIDE)
            }
            None => self.builder.find(name, self.spaces, at, flags),
        };
        if !self.imports.contains_key(name) && !is_type {
            for (space, class) in self.member_imports.clone() {
                let spaces = self.builder.spaces(&[(ArgumentKind::SPACE, &space)]);
                let class = self.builder.find(&class, spaces, at, FlowFlags::OUTSIDE);
                slot = self.builder.load_or(class, name, slot, at, 0);
            }
        }
        self.found.insert(key, slot);
        slot
    }

    /// Notes that all names of a space are names here; says whether that is new. Every name that the file does not define is looked
    /// for in each of them, so that their number is bounded.
    pub(crate) fn add_wildcard(&mut self, path: &str) -> bool {
        let is_new = self.wildcards.len() < MAX_WILDCARDS && !self.wildcards.iter().any(|known| known == path);
        if is_new {
            self.wildcards.push(path.to_owned());
        }
        is_new
    }

    /// Imports all names of a space, and if the path looks like a class, all members of the class.
    pub(crate) fn member_imports_or_space(&mut self, path: &str) {
        if !self.add_wildcard(path) {
            return;
        }
        let (space, name) = path.rsplit_once('.').unwrap_or(("", path));
        if name.starts_with(char::is_uppercase) {
            self.member_imports.push((space.to_owned(), name.to_owned()));
        }
    }

    /// Clears the lookup cache, because the visible spaces have changed.
    pub(crate) fn forget_names(&mut self) {
        self.found.clear();
    }

    /// Looks up a qualified name: a space and a name in it.
    pub(crate) fn find_path(&mut self, path: &str, at: u32) -> Slot {
        let (space, name) = path.rsplit_once('.').unwrap_or(("", path));
        let spaces = self.builder.spaces(&[(ArgumentKind::SPACE, space)]);
        self.builder.find(name, spaces, at, FlowFlags::OUTSIDE)
    }

    /// Looks up the name of a type.
    pub(crate) fn find_type(&mut self, name: &'t str, at: u32) -> Option<Slot> {
        if let Some((_, bound)) = self.type_parameters.iter().rev().find(|(known, _)| *known == name) {
            return bound.and_then(|bound| self.type_value(bound));
        }
        if self.builder.is_variable(name) {
            return Some(self.builder.read(name));
        }
        let mut asked = Vec::new();
        for number in (0..self.classes.len()).rev() {
            if self.classes[number].name == name {
                let open = self.builder.open_bodies();
                return Some(self.builder.receiver_around(open - 1 - self.classes[number].body));
            }
            if self.classes[number].names.contains(name) || self.classes[number].open {
                asked.push(number);
            }
        }
        let mut value = self.find(name, at, true);
        for number in asked.into_iter().rev() {
            let open = self.builder.open_bodies();
            let class = self.builder.receiver_around(open - 1 - self.classes[number].body);
            value = self.builder.load_or(class, name, value, at, FlowFlags::TYPE);
        }
        Some(value)
    }

    pub(crate) fn write_name(&mut self, name: &'t str, value: Slot, at: u32) {
        if self.builder.is_variable(name) {
            self.builder.write(name, value);
            return;
        }
        if self.plain.implicit_receiver {
            for number in (0..self.classes.len()).rev() {
                if self.classes[number].names.contains(name) {
                    let base = self.object_around(number);
                    self.builder.store(base, name, value, at);
                    return;
                }
            }
            if let Some(number) = self.classes.iter().rposition(|class| class.open) {
                let base = self.object_around(number);
                self.builder.store(base, name, value, at);
            }
        }
        if self.plain.implicit_locals {
            self.builder.write(name, value);
            return;
        }
        match self.imports.get(name).cloned() {
            Some((space, there)) => {
                let spaces = self.builder.spaces(&[(ArgumentKind::SPACE, &space)]);
                self.builder.keep(&there, spaces, value);
            }
            None => {
                self.builder.note_of_module(name, VariableUse::Defines);
                self.builder.keep(name, self.spaces, value);
            }
        }
    }

    /// Declares a variable of the innermost block, or at the top level an export.
    pub(crate) fn declare_value(&mut self, name: &'t str, value: Slot, definition: u32, flags: u8) {
        if self.is_top() && !self.is_script() {
            self.export(name, value, definition, flags);
            return;
        }
        self.builder.declare(name);
        self.builder.write(name, value);
    }

    /// Whether variables at the top level are private to the file.
    fn is_script(&self) -> bool {
        self.plain.implicit_locals
    }

    /// Exports a name into the current space. Flags can restrict it to this file.
    pub(crate) fn export(&mut self, name: &str, value: Slot, definition: u32, flags: u8) {
        let space = self.space.clone();
        self.builder.export_in(&space, name, value, definition, flags);
    }

    /// Collects the positions of writes, which loops need. Inner bodies collect their own.
    pub(crate) fn note_writes(&mut self, root: Node<'t>) {
        let mut cursor = root.walk();
        let mut declared = Vec::new();
        let mut noted = Vec::new();
        'walk: loop {
            let node = cursor.node();
            let form = self.form(node);
            let mut inside = true;
            match form.act {
                Act::Function | Act::Lambda | Act::Class | Act::Constructor if node != root => inside = false,
                Act::Skip => inside = false,
                Act::Assign | Act::Hook(_) if form.object(node).is_some() && form.value(node).is_some() => {
                    if let Some(left) = form.object(node) {
                        self.target_names(left, &mut |name, at| {
                            noted.push((at, name));
                            declared.push(name);
                        });
                    }
                }
                Act::Each => {
                    if let Some(name) = form.name(node) {
                        self.target_names(name, &mut |name, at| {
                            noted.push((at, name));
                            declared.push(name);
                        });
                    }
                }
                _ => {}
            }
            if inside && cursor.goto_first_child() {
                continue;
            }
            loop {
                if cursor.node() == root {
                    break 'walk;
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
        noted.sort_unstable();
        for (at, name) in noted {
            self.builder.note_write(at, name);
        }
        if self.plain.implicit_locals && !self.is_top() {
            // A named function does not see the variables of enclosing functions.
            let sees_around = self.builder.flags() & BodyFlags::ARROW != 0;
            for name in declared {
                if !sees_around || !self.builder.is_variable(name) {
                    self.builder.declare_in_body(name);
                }
            }
        }
    }

    /// Reports the names that an assignment target writes.
    pub(crate) fn target_names(&self, node: Node<'t>, found: &mut dyn FnMut(&'t str, usize)) {
        let form = self.form(node);
        match form.act {
            Act::Name => {
                let name = form.name(node).unwrap_or(node);
                found(self.text(name), node.start_byte());
            }
            Act::Hook(_) if node.named_child_count() == 0 => found(self.text(node), node.start_byte()),
            Act::Hook(_) if form.object(node).is_none() && node.named_child_count() == 1 => {
                for child in children(node) {
                    self.target_names(child, found);
                }
            }
            Act::Member | Act::Index | Act::Skip | Act::Hook(_) => {}
            _ => {
                for child in children(node) {
                    self.target_names(child, found);
                }
            }
        }
    }

    /// Assigns a value to a target.
    pub(crate) fn assign(&mut self, target: Node<'t>, value: Slot) {
        let form = self.form(target);
        match form.act {
            Act::Name => {
                let name = form.name(target).unwrap_or(target);
                let name = self.text(name);
                self.write_name(name, value, line(target));
            }
            Act::Member => {
                let (Some(object), Some(name)) = (form.object(target), form.name(target)) else {
                    return;
                };
                let object = self.value(object);
                let name = self.field_text(name);
                self.builder.store(object, &name, value, line(target));
            }
            Act::Index => {
                let Some(object) = form.object(target) else { return };
                let object = self.value(object);
                self.store_element(object, form.list(target), value, line(target));
            }
            Act::Inner | Act::Argument | Act::Declarator => {
                let inner = form
                    .value(target)
                    .or_else(|| form.name(target))
                    .or_else(|| children(target).first().copied());
                if let Some(inner) = inner {
                    self.assign(inner, value);
                }
            }
            Act::Pair => {
                if let Some(inner) = form.value(target) {
                    self.assign(inner, value);
                }
            }
            Act::Tuple | Act::List => {
                for (at, part) in children(target).into_iter().enumerate() {
                    let element = self.builder.load_key(value, Some(&at.to_string()), line(part));
                    self.assign(part, element);
                }
            }
            // A leaf node with a hook is a name.
            Act::Hook(_) if target.named_child_count() == 0 => {
                let name = self.text(target);
                self.write_name(name, value, line(target));
            }
            Act::Hook(_) => match (form.object(target), form.name(target), form.list(target)) {
                (Some(object), Some(name), _) => {
                    let object = self.value(object);
                    let name = self.member_text(name);
                    self.builder.store(object, name, value, line(target));
                }
                (Some(object), None, Some(list)) => {
                    let object = self.value(object);
                    self.store_element(object, Some(list), value, line(target));
                }
                _ => match children(target)[..] {
                    [only] => self.assign(only, value),
                    _ => {
                        self.run(target);
                    }
                },
            },
            Act::Locals => self.bind_pattern(target, value),
            _ => {
                if let [only] = children(target)[..] {
                    self.assign(only, value);
                }
            }
        }
    }

    /// Declares the names of a pattern and binds them to a value or its parts.
    pub(crate) fn bind_pattern(&mut self, pattern: Node<'t>, value: Slot) {
        let form = self.form(pattern);
        match form.act {
            Act::Name => {
                let name = form.name(pattern).unwrap_or(pattern);
                let name = self.text(name);
                self.builder.declare(name);
                self.builder.write(name, value);
            }
            Act::Declarator => {
                let Some(name) = form.name(pattern) else { return };
                let value = self.typed(value, form.kind(pattern));
                self.bind_pattern(name, value);
            }
            Act::Hook(_) if pattern.named_child_count() == 0 => {
                let name = self.text(pattern);
                self.builder.declare(name);
                self.builder.write(name, value);
            }
            Act::Skip | Act::Data | Act::Text => {}
            _ => {
                let parts = children(pattern);
                if let [only] = parts[..] {
                    self.bind_pattern(only, value);
                    return;
                }
                for (at, part) in parts.into_iter().enumerate() {
                    let element = self.builder.load_key(value, Some(&at.to_string()), line(part));
                    self.bind_pattern(part, element);
                }
            }
        }
    }

    /// The name under which a field is stored.
    pub(crate) fn field_text(&self, node: Node<'t>) -> Cow<'t, str> {
        let text = self.member_text(node);
        match self.plain.field_prefix {
            "" => Cow::Borrowed(text),
            prefix if text.starts_with(prefix) => Cow::Borrowed(text),
            prefix => Cow::Owned(format!("{prefix}{text}")),
        }
    }

    /// The name of a member, without type arguments.
    pub(crate) fn member_text(&self, node: Node<'t>) -> &'t str {
        let form = self.form(node);
        match form.act {
            Act::Generic | Act::Name => form
                .kind(node)
                .or_else(|| form.name(node))
                .map_or_else(|| self.text(node), |name| self.text(name)),
            _ => self.text(node),
        }
    }

    /// The definition of a node, or of the enclosing code. The flag says whether it is the node's own.
    pub(crate) fn definition_or_around(&mut self, node: Node<'t>) -> (u32, bool) {
        if let Some(definition) = self.builder.definition(node) {
            return (definition, true);
        }
        let name = self.form(node).name(node);
        if let Some(name) = name
            && let Some(definition) = self.builder.definition_named(line(name), self.builder.text(name))
        {
            return (definition, true);
        }
        (self.definitions.last().copied().unwrap_or(NONE), false)
    }
}
