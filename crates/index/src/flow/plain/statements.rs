//! Statements: blocks, branches, loops, exceptions, and type narrowing by conditions.

use lore_model::{BodyFlags, NONE};

use super::{Act, Form, Lower, children, line};
use crate::flow::Slot;
use crate::syntax::Node;

impl<'t> Lower<'t, '_, '_> {
    pub(crate) fn statement(&mut self, form: &'static Form, node: Node<'t>) -> Slot {
        match form.act {
            Act::Block => self.block(node),
            Act::Locals => self.locals(form, node),
            Act::Declarator => self.declarator(form, node, None),
            Act::Branch => self.branch(form, node),
            Act::Loop => {
                self.repeat(node, |lower| {
                    for child in children(node) {
                        lower.run(child);
                    }
                });
                NONE
            }
            Act::Each => self.each(form, node),
            Act::Return => {
                if let Some(value) = form.value(node).or_else(|| children(node).last().copied()) {
                    let value = self.spelled(value);
                    self.builder.give_back(value);
                }
                self.builder.stop();
                NONE
            }
            Act::Throw => {
                if let Some(value) = form.value(node).or_else(|| children(node).first().copied()) {
                    let value = self.value(value);
                    self.builder.throw(value);
                }
                self.builder.stop();
                NONE
            }
            Act::Yield => {
                self.builder.add_flags(BodyFlags::GENERATOR);
                let yielded = self.builder.yielded();
                if let Some(value) = form.value(node).or_else(|| children(node).first().copied()) {
                    let value = self.value(value);
                    self.builder.copy(yielded, value);
                }
                NONE
            }
            Act::Break => {
                self.builder.break_loop("");
                NONE
            }
            Act::Continue => {
                self.builder.continue_loop("");
                NONE
            }
            Act::Switch => self.switch(form, node),
            Act::Case | Act::Finally | Act::Catch => self.block(node),
            Act::Try => self.attempt(form, node),
            Act::Namespace => {
                self.namespace(form, node);
                NONE
            }
            Act::Alias => {
                self.alias(form, node);
                NONE
            }
            _ => NONE,
        }
    }

    /// Lowers a block with its own scope. Returns the value of the last statement.
    pub(crate) fn block(&mut self, node: Node<'t>) -> Slot {
        self.builder.begin_block();
        let last = self.statements(node);
        self.builder.end_block();
        last
    }

    /// Lowers statements in order. Returns the value of the last one. Functions among them are lowered first
    /// (hoisting).
    pub(crate) fn statements(&mut self, node: Node<'t>) -> Slot {
        let statements = children(node);
        let is_inside = !self.is_top() && !self.is_in_class();
        if is_inside {
            for statement in &statements {
                let form = self.form(*statement);
                if matches!(form.act, Act::Function)
                    && let Some(name) = form.name(*statement)
                {
                    let name = self.text(name);
                    self.builder.declare(name);
                }
            }
            for statement in &statements {
                if matches!(self.form(*statement).act, Act::Function) {
                    self.run(*statement);
                }
            }
        }
        let mut last = NONE;
        for statement in statements {
            if self.builder.is_dead() {
                if !matches!(self.form(statement).act, Act::Label) {
                    continue;
                }
                self.builder.arrive();
            }
            if is_inside && matches!(self.form(statement).act, Act::Function) {
                continue;
            }
            last = self.run(statement);
        }
        if self.builder.is_dead() { NONE } else { last }
    }

    fn locals(&mut self, form: &'static Form, node: Node<'t>) -> Slot {
        let kind = form.kind(node);
        for child in children(node) {
            let inner = self.form(child);
            match inner.act {
                Act::Declarator => {
                    self.declarator(inner, child, kind);
                }
                Act::Locals if Some(child) != kind => {
                    self.locals(inner, child);
                }
                _ => {}
            }
        }
        NONE
    }

    /// Lowers a declaration of a variable with its initial value.
    pub(crate) fn declarator(&mut self, form: &Form, node: Node<'t>, kind: Option<Node<'t>>) -> Slot {
        let Some(name) = form.name(node) else {
            return self.pass(node);
        };
        let kind = form.kind(node).or(kind);
        let value = match form.value(node) {
            Some(value) => self.initial(value, kind),
            None => self.builder.slot(),
        };
        let value = self.typed(value, kind);
        if let Some(kind) = kind {
            let name = self.text(name);
            self.note_variable_type(name, kind);
        } else if let Some(value) = form.value(node)
            && let Some(kind) = self.static_type(value)
            && let Some(types) = self.variable_types.last_mut()
        {
            types.insert(self.builder.text(name), kind);
        }
        self.bind(name, value, node);
        value
    }

    /// Lowers the initial value of a variable of a declared type.
    pub(crate) fn initial(&mut self, value: Node<'t>, kind: Option<Node<'t>>) -> Slot {
        let form = self.form(value);
        // `new()` without a type creates the declared type.
        if let Some(kind) = kind
            && matches!(form.act, Act::New)
            && form.kind(value).is_none()
        {
            let arguments = self.call_arguments(form, value);
            let made = self.made(kind, &arguments, line(value));
            if let Some(body) = form.body(value) {
                self.fill(made, body);
            }
            return made;
        }
        self.spelled(value)
    }

    /// Binds a name: as a local variable, or at the top level as an export.
    pub(crate) fn bind(&mut self, name: Node<'t>, value: Slot, node: Node<'t>) {
        if matches!(self.form(name).act, Act::Name | Act::Skip) || name.named_child_count() == 0 {
            let inner = self.form(name).name(name).unwrap_or(name);
            let text = self.text(inner);
            let definition = self.builder.definition(node).unwrap_or(NONE);
            let flags = if (self.plain.is_own)(self, node) {
                lore_model::ExportFlags::OWN
            } else {
                0
            };
            self.declare_value(text, value, definition, flags);
        } else {
            self.bind_pattern(name, value);
        }
    }

    fn branch(&mut self, form: &Form, node: Node<'t>) -> Slot {
        let result = self.builder.slot();
        let condition = form.value(node);
        self.builder.begin_block();
        let known = condition.and_then(|condition| self.constant(condition));
        if let Some(condition) = condition {
            self.run(condition);
        }
        let before = self.builder.environment();
        let mut ways = Vec::new();
        for (part, holds) in [(form.body(node), true), (form.other(node), false)] {
            if known == Some(!holds) {
                continue;
            }
            self.builder.restore(&before);
            if let Some(condition) = condition {
                self.narrow(condition, holds);
            }
            if let Some(part) = part {
                let value = self.run(part);
                self.builder.copy(result, value);
            }
            ways.push(self.builder.environment());
        }
        self.builder.join(&ways);
        self.builder.end_block();
        // After `if (!(x is T)) return;`, `x` is a `T`.
        if let Some(condition) = condition
            && ways.len() == 2
            && ways[0].is_dead()
            && !ways[1].is_dead()
        {
            self.narrow(condition, false);
        }
        result
    }

    /// The value of a condition that is a literal.
    fn constant(&self, condition: Node<'t>) -> Option<bool> {
        let mut text = self.text(condition).trim();
        while let Some(inner) = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            text = inner.trim();
        }
        match text {
            "false" | "False" | "0" => Some(false),
            "true" | "True" | "1" => Some(true),
            _ => None,
        }
    }

    /// Lowers the body of a loop.
    pub(crate) fn repeat(&mut self, node: Node<'t>, body: impl FnOnce(&mut Self)) {
        self.builder.begin_block();
        let rounds = self.builder.begin_loop(node.byte_range());
        body(self);
        self.builder.end_loop(&rounds, false);
        self.builder.end_block();
    }

    fn each(&mut self, form: &'static Form, node: Node<'t>) -> Slot {
        let (Some(name), Some(collection)) = (form.name(node), form.value(node)) else {
            return self.pass(node);
        };
        let collection = self.value(collection);
        self.repeat(node, |lower| {
            let element = lower.builder.iterate(collection, line(node));
            let element = lower.typed(element, form.kind(node));
            if lower.plain.implicit_locals {
                lower.assign(name, element)
            } else {
                lower.bind_pattern(name, element)
            }
            if let Some(body) = form.body(node) {
                lower.run(body);
            }
        });
        NONE
    }

    fn switch(&mut self, form: &Form, node: Node<'t>) -> Slot {
        let result = self.builder.slot();
        let mut subject = form.value(node);
        let value = self.value_of(subject);
        while let Some(inner) = subject.filter(|inner| matches!(self.form(*inner).act, Act::Inner)) {
            subject = children(inner).first().copied();
        }
        // `match (true)` decides by its cases alone.
        subject = subject.filter(|subject| !matches!(self.form(*subject).act, Act::Data));
        let body = form.body(node).unwrap_or(node);
        let before = self.builder.environment();
        let mut ways = Vec::new();
        let mut is_whole = false;
        // `break` in a case continues after the switch.
        self.builder.begin_loop(node.end_byte()..node.end_byte());
        for case in children(body) {
            let form = self.form(case);
            if !matches!(form.act, Act::Case) {
                continue;
            }
            let fallen = self.builder.environment();
            if ways.is_empty() || fallen.is_dead() {
                self.builder.restore(&before)
            } else {
                self.builder.join(&[before.clone(), fallen])
            }
            self.builder.begin_block();
            let pattern = form.name(case);
            if let Some(pattern) = pattern {
                self.match_pattern(pattern, value, subject);
            } else {
                is_whole = true;
            }
            if let Some(guard) = form.other(case) {
                self.run(guard);
                self.narrow(guard, true);
            }
            let mut last = NONE;
            match form.body(case) {
                Some(body) => last = self.run(body),
                None => {
                    for child in children(case) {
                        if Some(child) != pattern && Some(child) != form.other(case) {
                            last = self.run(child);
                        }
                    }
                }
            }
            self.builder.copy(result, last);
            self.builder.end_block();
            ways.push(self.builder.environment());
        }
        if !is_whole || ways.is_empty() {
            ways.push(before);
        }
        self.builder.join(&ways);
        self.builder.end_switch();
        result
    }

    /// Binds the names of a pattern and narrows the subject.
    pub(crate) fn match_pattern(&mut self, pattern: Node<'t>, value: Slot, subject: Option<Node<'t>>) {
        let form = self.form(pattern);
        match form.act {
            Act::Is => {
                let Some(kind) = form.kind(pattern) else { return };
                let narrowed = self.narrowed(value, kind);
                if let Some(name) = form.name(pattern) {
                    self.bind_pattern(name, narrowed);
                }
                if let Some(subject) = subject {
                    self.shadow(subject, narrowed);
                }
            }
            Act::Skip | Act::Data | Act::Text => {}
            Act::Declarator => self.bind_pattern(pattern, value),
            Act::Hook(hook) => {
                self.subjects.push(value);
                hook(self, pattern);
                self.subjects.pop();
            }
            _ => {
                self.run(pattern);
                if subject.is_none() {
                    self.narrow(pattern, true);
                }
            }
        }
    }

    fn attempt(&mut self, form: &Form, node: Node<'t>) -> Slot {
        let before = self.builder.environment();
        let result = self.builder.slot();
        let parts = children(node);
        let handlers: Vec<Node<'t>> = self.parts_of(&parts, |act| matches!(act, Act::Catch));
        let caught = (!handlers.is_empty()).then(|| self.builder.begin_catch());
        match form.body(node) {
            Some(body) => {
                let value = self.run(body);
                self.builder.copy(result, value);
            }
            None => {
                self.builder.begin_block();
                for part in &parts {
                    if !matches!(self.form(*part).act, Act::Catch | Act::Finally) {
                        let value = self.run(*part);
                        self.builder.copy(result, value);
                    }
                }
                self.builder.end_block();
            }
        }
        if caught.is_some() {
            self.builder.end_catch();
        }
        let after = self.builder.environment();
        let mut ways = vec![after.clone()];
        for handler in handlers {
            self.builder.join(&[before.clone(), after.clone()]);
            if self.builder.is_dead() {
                self.builder.restore(&before);
            }
            self.builder.begin_block();
            let form = self.form(handler);
            let thrown = caught.unwrap_or(NONE);
            let value = match form.kind(handler) {
                Some(kind) => self.narrowed(thrown, kind),
                None => thrown,
            };
            if let Some(name) = form.name(handler) {
                if self.plain.implicit_locals {
                    self.assign(name, value)
                } else {
                    self.bind_pattern(name, value)
                }
            }
            if let Some(guard) = form.other(handler) {
                self.run(guard);
            }
            match form.body(handler) {
                Some(body) => {
                    let value = self.run(body);
                    self.builder.copy(result, value);
                }
                None => {
                    for part in children(handler) {
                        if Some(part) != form.name(handler) && Some(part) != form.kind(handler) {
                            let value = self.run(part);
                            self.builder.copy(result, value);
                        }
                    }
                }
            }
            self.builder.end_block();
            ways.push(self.builder.environment());
        }
        self.builder.join(&ways);
        for part in self.parts_of(&parts, |act| matches!(act, Act::Finally)) {
            let was_dead = self.builder.is_dead();
            if was_dead {
                self.builder.restore(&before);
            }
            self.block(part);
            if was_dead {
                self.builder.stop();
            }
        }
        result
    }

    fn parts_of(&self, parts: &[Node<'t>], wanted: fn(Act) -> bool) -> Vec<Node<'t>> {
        parts
            .iter()
            .filter(|part| wanted(self.form(**part).act))
            .copied()
            .collect()
    }

    /// Narrows the types of variables in a condition that holds or does not hold. Returns whether it narrowed any.
    pub(crate) fn narrow(&mut self, condition: Node<'t>, holds: bool) -> bool {
        let form = self.form(condition);
        match form.act {
            Act::Is => {
                let (Some(subject), Some(mut kind)) = (form.value(condition), form.kind(condition)) else {
                    return false;
                };
                while let Act::Is = self.form(kind).act {
                    match self.form(kind).kind(kind) {
                        Some(inner) => kind = inner,
                        None => return false,
                    }
                }
                if matches!(self.form(kind).act, Act::Skip | Act::Data) {
                    return false;
                }
                let negated = form.other(condition).is_some();
                if holds == negated {
                    return false;
                }
                if !self.is_name(subject) {
                    return false;
                }
                let value = self.value(subject);
                let narrowed = self.narrowed(value, kind);
                self.shadow(subject, narrowed)
            }
            Act::Binary => {
                let operator = form.other(condition).map_or("", |operator| self.text(operator));
                if operator == "instanceof" {
                    let (Some(subject), Some(kind)) = (form.object(condition), form.value(condition)) else {
                        return false;
                    };
                    if !holds || !self.is_name(subject) {
                        return false;
                    }
                    let value = self.value(subject);
                    let narrowed = self.narrowed(value, kind);
                    return self.shadow(subject, narrowed);
                }
                let goes = matches!(operator, "&&" | "and") && holds || matches!(operator, "||" | "or") && !holds;
                if !goes {
                    return false;
                }
                let mut said = false;
                for part in [form.object(condition), form.value(condition)].into_iter().flatten() {
                    said |= self.narrow(part, holds);
                }
                said
            }
            Act::Inner | Act::Pass | Act::Argument => {
                let text = self.text(condition);
                let parts = children(condition);
                let [only] = parts[..] else { return false };
                if text.starts_with('!') || text.starts_with("not ") {
                    self.narrow(only, !holds)
                } else {
                    self.narrow(only, holds)
                }
            }
            _ => false,
        }
    }

    /// Whether a node is a plain name.
    pub(crate) fn is_name(&self, node: Node<'t>) -> bool {
        match self.form(node).act {
            Act::Name => true,
            Act::Hook(_) => node.named_child_count() == 0,
            _ => false,
        }
    }

    /// Replaces the version of a variable with a narrowed value. Returns whether it did.
    fn shadow(&mut self, subject: Node<'t>, value: Slot) -> bool {
        if !self.is_name(subject) {
            return false;
        }
        let name = self.form(subject).name(subject).unwrap_or(subject);
        let name = self.text(name);
        if !self.builder.is_written(name) {
            return false;
        }
        self.builder.shadow(name, value);
        true
    }

    fn namespace(&mut self, form: &Form, node: Node<'t>) {
        let name = form
            .name(node)
            .map_or(String::new(), |name| self.path_of(self.text(name)));
        let around = self.space.clone();
        let body = form.body(node);
        self.enter_space(&name);
        match body {
            Some(body) => {
                self.top(body);
                self.space = around;
                self.open_space();
            }
            // A namespace without a body extends to the end of the file.
            None => {
                self.space = if name.is_empty() { around } else { self.space.clone() };
            }
        }
    }

    /// Opens a space inside the current space.
    pub(crate) fn enter_space(&mut self, name: &str) {
        if !name.is_empty() {
            self.space = match self.space.as_str() {
                "" => name.to_owned(),
                around => format!("{around}.{name}"),
            };
        }
        self.forget_names();
        self.open_space();
    }
}
