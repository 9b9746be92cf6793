//! Expressions: names, members, calls and instance creation.

use lore_model::{FlowFlags, NONE};

use super::{Act, CONSTRUCTOR, Form, Lower, THIS, children, line};
use crate::flow::{Argument, Slot};
use crate::syntax::Node;

/// Most characters of a string that can be a key.
const MAX_KEY: usize = 48;
/// Elements of a list literal that keep their positions.
const MAX_PLACES: usize = 16;

impl<'t> Lower<'t, '_, '_> {
    /// Lowers a node. Returns the slot of its value, or [`NONE`] if the value is not followed.
    pub(crate) fn run(&mut self, node: Node<'t>) -> Slot {
        let slot = if self.builder.enter() && !self.builder.is_dead() {
            self.lower(node)
        } else {
            NONE
        };
        self.builder.leave();
        slot
    }

    /// Lowers a node. Returns the slot of its value; a new, empty slot if the value is not followed.
    pub(crate) fn value(&mut self, node: Node<'t>) -> Slot {
        match self.run(node) {
            NONE => self.builder.slot(),
            slot => slot,
        }
    }

    /// Lowers an optional node.
    pub(crate) fn value_of(&mut self, node: Option<Node<'t>>) -> Slot {
        match node {
            Some(node) => self.value(node),
            None => self.builder.slot(),
        }
    }

    fn lower(&mut self, node: Node<'t>) -> Slot {
        let form = self.form(node);
        match form.act {
            Act::Skip | Act::Data | Act::Parameter | Act::RestParameter => NONE,
            Act::Pass | Act::Label => self.pass(node),
            Act::Inner => {
                let inner = form.value(node).or_else(|| children(node).first().copied());
                inner.map_or(NONE, |inner| self.run(inner))
            }
            Act::Name => {
                let name = form.name(node).unwrap_or(node);
                self.builder.note_read(node);
                let name = self.text(name);
                self.read_name(name, line(node))
            }
            Act::This => self.this(),
            Act::Super => self.above(),
            Act::Text => self.spelled_text(node),
            Act::Assign => self.assignment(form, node),
            Act::New => self.make(form, node),
            Act::Member => {
                let (Some(object), Some(name)) = (form.object(node), form.name(node)) else {
                    return self.pass(node);
                };
                let object = self.value(object);
                let text = self.field_text(name);
                self.builder.load(object, &text, line(name))
            }
            Act::Index => {
                let Some(object) = form.object(node) else {
                    return self.pass(node);
                };
                let object = self.value(object);
                self.load_element(object, form.list(node), line(node))
            }
            Act::Cast => {
                let value = self.value_of(form.value(node));
                match form.kind(node) {
                    Some(kind) => self.narrowed(value, kind),
                    None => value,
                }
            }
            Act::Is => {
                let value = self.value_of(form.value(node));
                match (form.name(node), form.kind(node)) {
                    (_, Some(pattern)) if matches!(self.form(pattern).act, Act::Is) => {
                        self.match_pattern(pattern, value, None);
                    }
                    (Some(name), Some(kind)) => {
                        let value = self.narrowed(value, kind);
                        self.bind_pattern(name, value);
                    }
                    _ => {}
                }
                NONE
            }
            Act::Binary => self.binary(form, node),
            Act::Generic => match form.kind(node) {
                Some(inner) => self.run(inner),
                None => self.pass(node),
            },
            Act::Await => {
                let value = self.value_of(form.value(node).or_else(|| children(node).last().copied()));
                self.builder.wait_for(value, line(node))
            }
            Act::List => self.list(node),
            Act::Map => self.map(node),
            Act::Tuple => self.list(node),
            Act::Pair | Act::Argument => self.value_of(form.value(node)),
            Act::Spread => self.value_of(form.value(node).or_else(|| children(node).first().copied())),
            Act::Lambda => self.lambda(form, node),
            Act::Hook(hook) => hook(self, node),
            Act::Function => self.named_function(form, node),
            Act::Constructor => self.constructor(form, node),
            Act::Class => self.class(form, node),
            _ => self.statement(form, node),
        }
    }

    /// Runs the children in order. The value is that of an only child.
    pub(crate) fn pass(&mut self, node: Node<'t>) -> Slot {
        let mut last = NONE;
        let mut count = 0;
        let inner: Vec<Node<'t>> = node.named_children().collect();
        for child in inner {
            if child.is_extra() {
                continue;
            }
            last = self.run(child);
            count += 1;
        }
        if count == 1 { last } else { NONE }
    }

    pub(crate) fn this(&mut self) -> Slot {
        if self.builder.is_variable(THIS) && !self.is_in_class() {
            return self.builder.read(THIS);
        }
        if self.is_in_class() {
            self.builder.receiver()
        } else {
            self.builder.slot()
        }
    }

    /// The receiver, with member lookup that starts after the enclosing class.
    pub(crate) fn above(&mut self) -> Slot {
        let row = self.classes.last().map(|class| class.row);
        let Some(row) = row.filter(|row| *row != NONE) else {
            return self.builder.slot();
        };
        let this = self.this();
        self.builder.super_of(row, this)
    }

    pub(crate) fn assignment(&mut self, form: &Form, node: Node<'t>) -> Slot {
        let (Some(target), Some(source)) = (form.object(node), form.value(node)) else {
            return self.pass(node);
        };
        let operator = form.other(node).map_or("", |operator| self.text(operator));
        let value = self.spelled(source);
        if operator.len() > 1 && operator != ":=" && operator != "<-" && operator != "<<-" {
            let old = self.value(target);
            let symbol = operator.trim_end_matches('=');
            let arguments = [Argument::Plain(value)];
            let made = match symbol {
                "??" | "||" | "&&" | "?" | "?:" => value,
                _ => {
                    if let Some(own) = self.operator(operator) {
                        self.builder.call_method(old, &own, &arguments, line(node));
                    }
                    match self.operator(symbol) {
                        Some(name) => self.builder.call_method(old, &name, &arguments, line(node)),
                        None => value,
                    }
                }
            };
            // `event += handler` keeps the old values too.
            let joined = self.builder.slot();
            self.builder.copy(joined, old);
            self.builder.copy(joined, made);
            self.builder.copy(joined, value);
            self.assign(target, joined);
            return joined;
        }
        self.assign(target, value);
        value
    }

    fn binary(&mut self, form: &Form, node: Node<'t>) -> Slot {
        // Iterative, because long chains of operators nest as deep as they are long.
        let mut operands = Vec::new();
        let mut current = node;
        loop {
            let (Some(left), Some(right)) = (form.object(current), form.value(current)) else {
                return self.pass(current);
            };
            operands.push((current, right));
            let is_same = left.kind_id() == node.kind_id();
            if is_same && operands.len() < 400 {
                current = left
            } else {
                let mut value = self.value(left);
                let start = self.builder.environment();
                let mut narrowed = false;
                let mut before = left;
                for (around, operand) in operands.into_iter().rev() {
                    let operator = form.other(around).map_or("", |operator| self.text(operator));
                    if matches!(operator, "&&" | "and") {
                        narrowed |= self.narrow(before, true);
                    } else if matches!(operator, "||" | "or") {
                        narrowed |= self.narrow(before, false);
                    }
                    let other = self.value(operand);
                    value = self.operation(operator, value, other, line(around));
                    before = operand;
                }
                if narrowed {
                    let end = self.builder.environment();
                    self.builder.join(&[start, end]);
                }
                return value;
            }
        }
    }

    /// The result of a binary operator.
    pub(crate) fn operation(&mut self, operator: &str, left: Slot, right: Slot, at: u32) -> Slot {
        match operator {
            "??" | "||" | "&&" | "?:" | "or" | "and" => {
                let either = self.builder.slot();
                self.builder.copy(either, left);
                self.builder.copy(either, right);
                either
            }
            "" => NONE,
            operator => match self.operator(operator) {
                Some(name) => self.builder.call_method(left, &name, &[Argument::Plain(right)], at),
                None => NONE,
            },
        }
    }

    /// The method name of an operator.
    pub(crate) fn operator(&self, operator: &str) -> Option<String> {
        if self.plain.operators.is_empty() {
            return Some(format!("operator{}", operator.trim_start_matches('1')));
        }
        let known = self.plain.operators.iter().find(|(sign, _)| *sign == operator);
        known.map(|(_, name)| (*name).to_owned())
    }

    /// The line of a call: that of the called name.
    pub(crate) fn call_line(&self, callee: Node<'t>) -> u32 {
        let form = self.form(callee);
        match form.act {
            Act::Member => form.name(callee).map_or_else(|| line(callee), line),
            _ => line(callee),
        }
    }

    /// The callee of a call. Calling `super` calls the constructor of the base.
    pub(crate) fn callee(&mut self, callee: Node<'t>) -> Slot {
        match self.form(callee).act {
            Act::Super => {
                let above = self.above();
                self.builder.load(above, CONSTRUCTOR, line(callee))
            }
            _ => self.value(callee),
        }
    }

    /// The arguments of a call, with a trailing block.
    pub(crate) fn call_arguments(&mut self, form: &Form, node: Node<'t>) -> Vec<Argument<'t>> {
        let mut arguments = form.list(node).map_or_else(Vec::new, |list| self.arguments(list));
        if let Some(block) = form.other(node) {
            arguments.push(Argument::Plain(self.value(block)));
        }
        arguments
    }

    /// The arguments in a list.
    pub(crate) fn arguments(&mut self, list: Node<'t>) -> Vec<Argument<'t>> {
        let mut arguments = Vec::new();
        for argument in children(list) {
            let form = self.form(argument);
            match form.act {
                // An empty argument still has a position.
                Act::Skip => arguments.push(Argument::Plain(self.builder.slot())),
                Act::Argument => {
                    let Some(value) = form.value(argument) else { continue };
                    let is_spread = matches!(self.form(value).act, Act::Spread);
                    arguments.push(match form.name(argument) {
                        _ if is_spread => Argument::Spread(self.value(value)),
                        Some(name) => Argument::Named(self.text(name), self.spelled(value)),
                        None => self.plain_argument(value),
                    });
                }
                Act::Spread => arguments.push(Argument::Spread(self.value(argument))),
                _ => arguments.push(self.plain_argument(argument)),
            }
        }
        arguments
    }

    /// A positional argument, with its static type if the language has overloads.
    pub(crate) fn plain_argument(&mut self, value: Node<'t>) -> Argument<'t> {
        let slot = self.spelled(value);
        match self.plain.overloads.then(|| self.static_type(value)).flatten() {
            Some(kind) => Argument::Typed(slot, kind),
            None => Argument::Plain(slot),
        }
    }

    /// Lowers an instance creation.
    fn make(&mut self, form: &Form, node: Node<'t>) -> Slot {
        let arguments = self.call_arguments(form, node);
        let Some(kind) = form.kind(node) else {
            return match form.body(node) {
                Some(body) => self.value(body),
                None => NONE,
            };
        };
        let made = self.made(kind, &arguments, line(kind));
        if let Some(body) = form.body(node) {
            self.fill(made, body);
        }
        made
    }

    /// Creates an instance of a type with a constructor, or an array.
    pub(crate) fn made(&mut self, kind: Node<'t>, arguments: &[Argument<'t>], at: u32) -> Slot {
        if let Some(slot) = self.array(kind) {
            return slot;
        }
        match self.type_value(kind) {
            Some(class) => {
                let made = self.builder.call(class, arguments, at, FlowFlags::NEW);
                self.elements_of(made, kind);
                made
            }
            None => self.builder.slot(),
        }
    }

    /// Fills a new object from an initializer in braces.
    pub(crate) fn fill(&mut self, made: Slot, body: Node<'t>) {
        for entry in children(body) {
            let form = self.form(entry);
            match form.act {
                Act::Assign | Act::Pair => {
                    let target = form.object(entry).or_else(|| form.name(entry));
                    let (Some(target), Some(source)) = (target, form.value(entry)) else {
                        continue;
                    };
                    let value = self.value(source);
                    let target_form = self.form(target);
                    match target_form.act {
                        Act::Index => self.store_element(made, target_form.list(target), value, line(entry)),
                        _ => {
                            let name = self.member_text(target);
                            self.builder.store(made, name, value, line(entry));
                        }
                    }
                }
                Act::List | Act::Tuple => {
                    // `{ key, value }` is an entry of a map.
                    let parts = children(entry);
                    let mut value = NONE;
                    for part in parts {
                        value = self.value(part);
                    }
                    if value != NONE {
                        self.builder.store_key(made, None, value, line(entry));
                    }
                }
                Act::Skip => {}
                _ => {
                    let value = self.value(entry);
                    self.builder.store_key(made, None, value, line(entry));
                }
            }
        }
    }

    /// Loads the element under an index.
    pub(crate) fn load_element(&mut self, object: Slot, list: Option<Node<'t>>, at: u32) -> Slot {
        match self.index(list) {
            Some((_, Some(key))) => self.builder.load_key(object, Some(&key), at),
            Some((slot, None)) => self.builder.load_key_of(object, slot, at),
            None => self.builder.load_key(object, None, at),
        }
    }

    /// Stores the element under an index.
    pub(crate) fn store_element(&mut self, object: Slot, list: Option<Node<'t>>, value: Slot, at: u32) {
        match self.index(list) {
            Some((_, Some(key))) => self.builder.store_key(object, Some(&key), value, at),
            Some((slot, None)) => self.builder.store_key_of(object, slot, value, at),
            None => self.builder.store_key(object, None, value, at),
        }
    }

    /// Lowers an index: its value, and its key if it is a literal.
    fn index(&mut self, list: Option<Node<'t>>) -> Option<(Slot, Option<String>)> {
        let list = list?;
        let index = match self.form(list).act {
            Act::Pass | Act::Argument => {
                let first = *children(list).first()?;
                match self.form(first).act {
                    Act::Argument => self.form(first).value(first)?,
                    _ => first,
                }
            }
            _ => list,
        };
        match self.form(index).act {
            Act::Text => {
                let text = self.plain_text(index)?;
                let slot = self.builder.slot();
                Some((slot, Some(format!("'{text}"))))
            }
            Act::Data => {
                let text = self.text(index);
                let is_number = !text.is_empty() && text.len() < 6 && text.bytes().all(|digit| digit.is_ascii_digit());
                let slot = self.builder.slot();
                if is_number {
                    Some((slot, Some(text.to_owned())))
                } else {
                    Some((slot, Some(format!("'{}", text.trim_start_matches(':')))))
                }
            }
            _ => Some((self.value(index), None)),
        }
    }

    /// The text of a string literal that can be a key: short and without interpolation.
    pub(crate) fn plain_text(&self, node: Node<'t>) -> Option<&'t str> {
        let text = self.text(node);
        let start = text.find(['"', '\'', '`'])?;
        let inner = text.get(start + 1..)?.trim_matches(['"', '\'', '`']);
        let fits = !inner.is_empty()
            && inner.len() <= MAX_KEY
            && !inner.contains(|letter: char| letter.is_whitespace() || matches!(letter, '\\' | '{' | '$' | '#'));
        fits.then_some(inner)
    }

    /// Lowers a string literal: interpolated expressions run, the string itself is not followed.
    fn spelled_text(&mut self, node: Node<'t>) -> Slot {
        if node.named_child_count() > 0 {
            self.pass(node);
        }
        NONE
    }

    /// Lowers an expression whose value can become a key elsewhere: string literals are kept.
    pub(crate) fn spelled(&mut self, node: Node<'t>) -> Slot {
        let slot = self.value(node);
        if matches!(self.form(node).act, Act::Text)
            && let Some(text) = self.plain_text(node)
        {
            self.builder.spell(slot, text);
        }
        slot
    }

    /// Lowers a list literal.
    pub(crate) fn list(&mut self, node: Node<'t>) -> Slot {
        let made = self.builder.allocate(self.plain.list, line(node));
        let mut spread = false;
        for (at, element) in children(node).into_iter().enumerate() {
            let form = self.form(element);
            match form.act {
                Act::Spread => {
                    spread = true;
                    let inner = self.value(element);
                    let inner = self.builder.iterate(inner, line(element));
                    self.builder.store_key(made, None, inner, line(element));
                }
                Act::Skip => {}
                Act::Pair => {
                    let value = self.value_of(form.value(element));
                    match form.name(element) {
                        Some(key) => self.store_element(made, Some(key), value, line(element)),
                        None => self.builder.store_key(made, None, value, line(element)),
                    }
                }
                _ => {
                    let value = self.spelled(element);
                    let key = (!spread && at < MAX_PLACES).then(|| at.to_string());
                    self.builder.store_key(made, key.as_deref(), value, line(element));
                }
            }
        }
        made
    }

    /// Lowers a map literal.
    pub(crate) fn map(&mut self, node: Node<'t>) -> Slot {
        let made = self.builder.allocate(self.plain.map, line(node));
        for entry in children(node) {
            let form = self.form(entry);
            match form.act {
                Act::Pair => {
                    let value = self.value_of(form.value(entry));
                    self.store_element(made, form.name(entry), value, line(entry));
                }
                Act::Spread => {
                    let inner = self.value(entry);
                    self.builder.merge(made, inner, &[], line(entry));
                }
                Act::Skip => {}
                _ => {
                    let value = self.value(entry);
                    self.builder.store_key(made, None, value, line(entry));
                }
            }
        }
        made
    }
}
