//! Functions: parameters, bodies and results.

use foldhash::HashMap;

use lore_model::{BodyFlags, ExportFlags, NONE, ParameterKind};

use super::{Act, Form, Lower, THIS, children};
use crate::flow::Slot;
use crate::syntax::Node;

/// The syntax nodes of a function, for functions whose parts are not children of one node.
#[derive(Clone, Copy, Default)]
pub(crate) struct FunctionParts<'t> {
    pub(crate) list: Option<Node<'t>>,
    pub(crate) body: Option<Node<'t>>,
    pub(crate) kind: Option<Node<'t>>,
}

impl<'t> Lower<'t, '_, '_> {
    /// Lowers a named function: a method, an export, or a local variable.
    pub(crate) fn named_function(&mut self, form: &'static Form, node: Node<'t>) -> Slot {
        if self.is_in_class() {
            self.method(form, node);
            return NONE;
        }
        let Some(name) = form.name(node) else {
            return self.lambda(form, node);
        };
        let name = self.text(name);
        let is_declared = form.body(node).is_none();
        if !self.is_top() {
            if is_declared {
                return NONE;
            }
            self.builder.declare(name);
            let value = self.function(form, node, BodyFlags::ARROW);
            self.builder.write(name, value);
            return value;
        }
        let value = self.function(form, node, 0);
        let mut flags = if is_declared { ExportFlags::DECLARED } else { 0 };
        if (self.plain.is_own)(self, node) {
            flags |= ExportFlags::OWN;
        }
        let definition = self.builder.definition(node).unwrap_or(NONE);
        self.export(name, value, definition, flags);
        value
    }

    pub(crate) fn lambda(&mut self, form: &'static Form, node: Node<'t>) -> Slot {
        self.function(form, node, BodyFlags::ARROW)
    }

    /// Lowers the function of a node.
    pub(crate) fn function(&mut self, form: &'static Form, node: Node<'t>, flags: u32) -> Slot {
        let parts = FunctionParts {
            list: form.list(node),
            body: form.body(node),
            kind: form.kind(node),
        };
        self.function_of(node, parts, flags, |_| {})
    }

    /// Lowers a function with given parts. `before` runs inside the function, before its body.
    pub(crate) fn function_of(
        &mut self,
        node: Node<'t>,
        parts: FunctionParts<'t>,
        flags: u32,
        before: impl FnOnce(&mut Self),
    ) -> Slot {
        let form = self.form(node);
        let (definition, is_own) = self.definition_or_around(node);
        let mut flags = if is_own { flags } else { flags | BodyFlags::HIDDEN };
        if parts.body.is_none() {
            flags |= BodyFlags::DECLARED;
        }
        if self.has_word(node, &["async"]) {
            flags |= BodyFlags::ASYNC;
        }
        flags |= self.overloaded(node, flags);
        self.begin_function(definition, flags);
        let bound = self.bind_type_parameters(node);
        self.parameter_list(parts.list, matches!(form.act, Act::Lambda));
        before(self);
        self.results.push(parts.kind);
        if let Some(body) = parts.body {
            self.body(body, matches!(form.act, Act::Lambda));
        }
        self.results.pop();
        if let Some(kind) = parts.kind {
            self.declare_type(0, kind);
        }
        self.type_parameters.truncate(bound);
        self.end_function()
    }

    /// The overload flag, if the function can have an overload in the same scope.
    fn overloaded(&self, node: Node<'t>, flags: u32) -> u32 {
        if !self.plain.overloads || flags & BodyFlags::ARROW != 0 {
            return 0;
        }
        let name = self.form(node).name(node).map_or("", |name| self.text(name));
        let is_one = match self.classes.last() {
            Some(class) if flags & BodyFlags::MEMBER != 0 => {
                !class.repeated.contains(name) && name != class.name && class.row != NONE
            }
            _ => false,
        };
        if is_one { 0 } else { BodyFlags::OVERLOADED }
    }

    /// Opens the body of a function.
    pub(crate) fn begin_function(&mut self, definition: u32, flags: u32) {
        self.builder.begin(definition, flags);
        self.definitions.push(definition);
        self.variable_types.push(HashMap::default());
        if flags & BodyFlags::MEMBER != 0 && flags & BodyFlags::ARROW == 0 {
            // If the receiver is a parameter, unqualified names are members of the class.
            let receiver = if flags & BodyFlags::RECEIVER_FIRST != 0 {
                self.builder.receiver_around(1)
            } else {
                self.builder.receiver()
            };
            self.builder.declare(THIS);
            self.builder.write(THIS, receiver);
            if let Some(name) = self.plain.this_name {
                self.builder.declare(name);
                self.builder.write(name, receiver);
            }
        }
    }

    /// Closes the body of a function and creates the function.
    pub(crate) fn end_function(&mut self) -> Slot {
        self.definitions.pop();
        self.variable_types.pop();
        let body = self.builder.end();
        self.builder.function(body)
    }

    /// Lowers the body of a function.
    pub(crate) fn body(&mut self, body: Node<'t>, is_lambda: bool) {
        self.note_writes(body);
        let form = self.form(body);
        let gives_last = if is_lambda {
            self.plain.lambda_gives_last
        } else {
            self.plain.gives_last
        };
        let (last, is_block) = match form.act {
            Act::Block | Act::Lambda => (self.statements(body), true),
            Act::Pass => {
                // A wrapper around a block or an expression.
                let parts = children(body);
                match parts[..] {
                    [only] if matches!(self.form(only).act, Act::Block) => (self.statements(only), true),
                    [only] if !gives_last => (self.run_value(only), false),
                    _ => (self.statements(body), true),
                }
            }
            Act::Inner => match form.value(body).or_else(|| children(body).first().copied()) {
                Some(inner) if matches!(self.form(inner).act, Act::Block) => (self.statements(inner), true),
                Some(inner) => (self.run_value(inner), false),
                None => (NONE, true),
            },
            _ => (self.run_value(body), false),
        };
        if last != NONE && (gives_last || !is_block) && !self.builder.is_dead() {
            self.builder.give_back(last);
        }
    }

    fn run_value(&mut self, node: Node<'t>) -> Slot {
        match self.form(node).act {
            Act::Text => self.spelled(node),
            _ => self.run(node),
        }
    }

    /// Lowers the parameters of a function.
    pub(crate) fn parameters(&mut self, form: &Form, node: Node<'t>) {
        self.parameter_list(form.list(node), matches!(form.act, Act::Lambda));
    }

    fn parameter_list(&mut self, list: Option<Node<'t>>, is_lambda: bool) {
        let Some(list) = list else {
            if is_lambda && let Some(it) = self.plain.it {
                let names: &[&'static str] = match it {
                    "$0" => &["$0", "$1", "$2"],
                    _ => std::slice::from_ref(&it),
                };
                for name in names.iter().copied() {
                    let slot = self.builder.parameter(name, ParameterKind::PLAIN);
                    self.builder.declare(name);
                    self.builder.write(name, slot);
                }
            }
            return;
        };
        let list_form = self.form(list);
        if let Act::Hook(hook) = list_form.act {
            hook(self, list);
            return;
        }
        if matches!(list_form.act, Act::Parameter | Act::Name) || list.named_child_count() == 0 {
            if self.text(list).starts_with('(') {
                return;
            }
            self.parameter(list, list);
            return;
        }
        for parameter in children(list) {
            self.parameter(parameter, list);
        }
    }

    /// Lowers one parameter.
    pub(crate) fn parameter(&mut self, node: Node<'t>, around: Node<'t>) {
        let before = self.builder.set_assigning(false);
        self.take(node, around);
        self.builder.set_assigning(before);
    }

    fn take(&mut self, node: Node<'t>, around: Node<'t>) {
        let form = self.form(node);
        match form.act {
            Act::Parameter | Act::RestParameter | Act::Declarator => {
                let Some(name) = form.name(node) else {
                    // An unnamed parameter still has a position.
                    if form.kind(node).is_some() {
                        let slot = self.builder.parameter("", ParameterKind::PLAIN);
                        if let Some(kind) = form.kind(node) {
                            if let Some(name) = self.type_name(kind) {
                                self.builder.set_parameter_type(name);
                            }
                            self.declare_type(slot, kind);
                        }
                    }
                    return;
                };
                let is_rest = matches!(form.act, Act::RestParameter)
                    || self.has_word(node, &["params", "vararg"])
                    || self.text(node).contains("...") && !self.text(node).contains("->");
                let kind = if is_rest {
                    ParameterKind::REST
                } else {
                    ParameterKind::PLAIN
                };
                let text = self.text(name);
                let is_pattern = name.named_child_count() > 0 && !matches!(self.form(name).act, Act::Name);
                let slot = self.builder.parameter(if is_pattern { "" } else { text }, kind);
                if let Some(declared) = form.kind(node) {
                    if self.plain.overloads {
                        if let Some(name) = self.type_name(declared) {
                            self.builder.set_parameter_type(name);
                        }
                        if !is_pattern && !is_rest {
                            self.note_variable_type(text, declared);
                        }
                    }
                    if !is_rest {
                        self.declare_type(slot, declared)
                    } else {
                        let element = self.builder.slot();
                        let inner = match self.form(declared).act {
                            Act::ArrayType => self.form(declared).kind(declared).unwrap_or(declared),
                            _ => declared,
                        };
                        self.declare_type(element, inner);
                        self.builder.hint_elements(slot, element);
                    }
                }
                if let Some(default) = form.value(node) {
                    let default = self.value(default);
                    self.builder.set_default(default);
                }
                if is_pattern {
                    self.bind_pattern(name, slot)
                } else {
                    let name = self.form(name).name(name).unwrap_or(name);
                    let name = self.text(name);
                    self.builder.declare(name);
                    self.builder.write(name, slot);
                }
            }
            Act::Name => {
                let name = form.name(node).unwrap_or(node);
                let name = self.text(name);
                let slot = self.builder.parameter(name, ParameterKind::PLAIN);
                self.builder.declare(name);
                self.builder.write(name, slot);
            }
            Act::Hook(hook) => {
                hook(self, node);
            }
            Act::Pass | Act::Block if node != around => {
                for inner in children(node) {
                    self.parameter(inner, node);
                }
            }
            _ => {}
        }
    }

    /// Adds the type parameters of a definition with their bounds. Returns the previous number of type parameters.
    pub(crate) fn bind_type_parameters(&mut self, node: Node<'t>) -> usize {
        let before = self.type_parameters.len();
        let lists: Vec<Node<'t>> = node
            .named_children()
            .take(8)
            .filter(|child| {
                matches!(
                    child.kind(),
                    "type_parameter_list" | "type_parameters" | "template_parameter_list"
                )
            })
            .collect();
        for list in lists {
            for parameter in children(list) {
                let parts = children(parameter);
                let name = parts.iter().copied().find(|part| !part.kind().contains("modifier"));
                let name = name.unwrap_or(parameter);
                let bound = parts.last().copied().filter(|bound| *bound != name);
                self.type_parameters.push((self.text(name), bound));
            }
        }
        before
    }
}
