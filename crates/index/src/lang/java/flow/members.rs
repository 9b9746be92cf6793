//! Methods and constructors, written and implied, with their parameters.

use lore_model::{BodyFlags, FlowFlags, NONE, ParameterKind};

use crate::extract::child_of_kind;
use crate::flow::{Argument, Slot};
use crate::syntax::Node;

use super::classes::Declaration;
use super::scopes::modifier;
use super::{CONSTRUCTOR, FIELDS, Lowering, children, line};

impl<'t> Lowering<'t, '_, '_> {
    pub(super) fn method(&mut self, class: Slot, member: Node<'t>, in_interface: bool) {
        let Some(name) = member.child_by_field_name("name").map(|name| self.builder.text(name)) else {
            return;
        };
        let definition = self.builder.definition(member).unwrap_or(NONE);
        let depth = self.classes.len() - 1;
        let body = member.child_by_field_name("body");
        let is_static = modifier(member, "static");
        let mut flags = BodyFlags::MEMBER;
        if is_static {
            flags |= BodyFlags::STATIC;
        }
        let is_native = modifier(member, "native");
        if body.is_none() && (in_interface || !is_native) {
            flags |= BodyFlags::DECLARED;
        }
        if self.classes[depth]
            .methods
            .get(name)
            .is_some_and(|method| method.count > 1)
        {
            flags |= BodyFlags::OVERLOADED;
        }
        let known = self.open_type_parameters(member, None);
        flags |= self.passing_flags(member);
        if is_static {
            self.builder.begin(definition, flags)
        } else {
            self.begin_member(definition, flags)
        }
        let locals = self.entries.len();
        let declared = member.child_by_field_name("type");
        let result = declared.and_then(|declared| self.type_name(declared));
        // What the prelude gives is what comes of it.
        if let Some(result) = result.filter(|result| !self.is_prelude || *result != "Object") {
            self.builder.set_result_type(result);
        }
        self.parameters(member);
        self.results.push(declared);
        if let Some(body) = body {
            self.note_writes(body);
            self.statements(body);
        }
        self.results.pop();
        if let Some(declared) = declared {
            self.declare_type(0, declared);
        }
        self.entries.truncate(locals);
        let body = self.builder.end();
        self.close_type_parameters(known);
        let function = self.builder.function(body);
        self.builder
            .store_member(class, &format!("{name}()"), function, line(member));
    }

    /// Whether what a member takes or gives depends on type parameters: then each call of it is its own.
    fn passing_flags(&self, member: Node<'t>) -> u32 {
        if self.is_prelude || self.type_variables.is_empty() {
            return 0;
        }
        let mentions = |node: Option<Node<'t>>| node.is_some_and(|node| self.mentions_variable(node));
        let gives = mentions(member.child_by_field_name("type"));
        match gives || mentions(member.child_by_field_name("parameters")) {
            true if gives => BodyFlags::PASS_THROUGH | BodyFlags::GIVES_BACK,
            true => BodyFlags::PASS_THROUGH,
            false => 0,
        }
    }

    /// The parameters of a function, which are its first local variables.
    pub(super) fn parameters(&mut self, node: Node<'t>) {
        let Some(list) = node.child_by_field_name("parameters") else {
            return;
        };
        for parameter in children(list) {
            self.parameter(parameter);
        }
    }

    pub(super) fn parameter(&mut self, parameter: Node<'t>) {
        let (name, declared, kind) = match parameter.kind() {
            "formal_parameter" => (
                parameter.child_by_field_name("name"),
                parameter.child_by_field_name("type"),
                ParameterKind::POSITIONAL,
            ),
            "spread_parameter" => {
                let declarator = child_of_kind(parameter, &["variable_declarator"]);
                let declared = children(parameter)
                    .into_iter()
                    .find(|child| !matches!(child.kind(), "modifiers" | "variable_declarator"));
                (
                    declarator.and_then(|declarator| declarator.child_by_field_name("name")),
                    declared,
                    ParameterKind::REST,
                )
            }
            "identifier" => (Some(parameter), None, ParameterKind::POSITIONAL),
            _ => return,
        };
        let Some(name) = name.map(|name| self.builder.text(name)) else {
            return;
        };
        let slot = self.builder.parameter(name, kind);
        let type_name = declared.and_then(|declared| self.type_name(declared));
        match (type_name, declared.and_then(|declared| self.variable_type(declared))) {
            (Some(type_name), _) => self.builder.set_parameter_type(type_name),
            (None, Some(erased)) => self.builder.set_parameter_type(&erased),
            (None, None) => {}
        }
        let value = match declared {
            // Strings are not followed from call to call: any string can be passed.
            Some(declared) if kind != ParameterKind::REST && self.is_data_type(declared) => {
                let value = self.builder.slot();
                self.declare_type(value, declared);
                value
            }
            Some(declared) if kind != ParameterKind::REST => self.typed_parameter(slot, declared),
            Some(declared) => {
                let element = self.builder.slot();
                self.declare_type(element, declared);
                self.builder.hint_elements(slot, element);
                slot
            }
            None => slot,
        };
        let type_name = match kind {
            // `String...` is the name of an array of them.
            ParameterKind::REST => declared
                .and_then(|declared| self.builder.source.get(declared.start_byte()..declared.end_byte() + 3))
                .filter(|text| type_name.is_some() && text.ends_with("...") && !text.contains(['<', '@'])),
            _ => type_name,
        };
        let before = self.builder.set_assigning(false);
        self.declare_local(name, type_name);
        self.builder.write(name, value);
        self.builder.set_assigning(before);
    }

    fn typed_parameter(&mut self, slot: Slot, declared: Node<'t>) -> Slot {
        match self.narrowing_type(declared) {
            Some(class) => {
                let value = self.builder.narrow(slot, class, false);
                self.declare_type(value, declared);
                value
            }
            None => {
                self.declare_type(slot, declared);
                slot
            }
        }
    }

    pub(super) fn constructor(
        &mut self,
        class: Slot,
        member: Node<'t>,
        declaration: &Declaration<'t>,
        overloaded: bool,
    ) {
        let definition = self.builder.definition(member).unwrap_or(NONE);
        let known = self.open_type_parameters(member, None);
        let is_compact = member.kind() == "compact_constructor_declaration";
        let of_parameters = if is_compact { declaration.node } else { member };
        let mut flags = self.passing_flags(of_parameters);
        if overloaded {
            flags |= BodyFlags::OVERLOADED;
        }
        self.begin_member(definition, flags);
        let locals = self.entries.len();
        self.parameters(of_parameters);
        let body = member.child_by_field_name("body");
        let explicit = body.and_then(|body| child_of_kind(body, &["explicit_constructor_invocation"]));
        let chained = explicit.is_some_and(|call| {
            call.child_by_field_name("constructor")
                .is_some_and(|constructor| constructor.kind() == "this")
        });
        if explicit.is_none() {
            self.construct_base(&[], line(member), FlowFlags::IMPLICIT);
            self.run_initial_values(line(member));
        }
        if let Some(body) = body {
            self.note_writes(body);
            for statement in children(body) {
                if self.builder.is_dead() {
                    break;
                }
                self.statement(statement);
                if Some(statement) == explicit && !chained {
                    self.run_initial_values(line(member));
                }
            }
        }
        if is_compact {
            self.keep_components(declaration.node);
        }
        self.entries.truncate(locals);
        let body = self.end_member();
        self.close_type_parameters(known);
        let function = self.builder.function(body);
        self.builder.store_member(class, CONSTRUCTOR, function, line(member));
    }

    /// `this(…)` and `super(…)`.
    pub(super) fn explicit_constructor(&mut self, node: Node<'t>) {
        let arguments = node
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |list| self.arguments(list));
        let is_this = node
            .child_by_field_name("constructor")
            .is_some_and(|constructor| constructor.kind() == "this");
        if is_this {
            let depth = self.classes.len() - 1;
            let (class, this) = (self.class_at(depth), self.this_at(depth));
            let constructor = self.builder.load(class, CONSTRUCTOR, line(node));
            self.builder.call_on(constructor, this, &arguments, line(node), 0);
        } else {
            self.construct_base(&arguments, line(node), 0)
        }
    }

    /// Runs the constructor of the base.
    fn construct_base(&mut self, arguments: &[Argument<'t>], at: u32, flags: u8) {
        let depth = self.classes.len() - 1;
        if !self.classes[depth].extends {
            return;
        }
        let this = self.this_at(depth);
        let row = self.classes[depth].row;
        let base = self.builder.super_of(row, this);
        let constructor = self.builder.load(base, CONSTRUCTOR, at);
        self.builder.call(constructor, arguments, at, flags);
    }

    /// Gives the fields of the receiver their initial values.
    fn run_initial_values(&mut self, at: u32) {
        let depth = self.classes.len() - 1;
        if !self.classes[depth].has_initials {
            return;
        }
        let (class, this) = (self.class_at(depth), self.this_at(depth));
        let initial = self.builder.load(class, FIELDS, at);
        self.builder.call_on(initial, this, &[], at, FlowFlags::IMPLICIT);
    }

    /// The constructor of a class that writes none.
    pub(super) fn default_constructor(&mut self, class: Slot, declaration: &Declaration<'t>) {
        let at = line(declaration.node);
        self.begin_member(declaration.definition, BodyFlags::HIDDEN);
        // The constructor of the base of an anonymous class is called at the position of the class.
        if !declaration.name.is_empty() {
            self.construct_base(&[], at, FlowFlags::IMPLICIT);
        }
        self.run_initial_values(at);
        let body = self.end_member();
        let function = self.builder.function(body);
        self.builder.store_member(class, CONSTRUCTOR, function, at);
    }

    /// The constructor of a record that writes none for all of its components.
    pub(super) fn canonical_constructor(&mut self, class: Slot, declaration: &Declaration<'t>, overloaded: bool) {
        let mut flags = BodyFlags::HIDDEN | self.passing_flags(declaration.node);
        if overloaded {
            flags |= BodyFlags::OVERLOADED;
        }
        self.begin_member(declaration.definition, flags);
        let locals = self.entries.len();
        self.parameters(declaration.node);
        self.keep_components(declaration.node);
        self.entries.truncate(locals);
        let body = self.end_member();
        let function = self.builder.function(body);
        self.builder
            .store_member(class, CONSTRUCTOR, function, line(declaration.node));
    }

    /// Keeps the parameters of a record's constructor in its fields.
    fn keep_components(&mut self, record: Node<'t>) {
        let this = self.this_at(self.classes.len() - 1);
        for (name, _) in self.components(record) {
            let value = self.builder.read(name);
            self.builder.store(this, name, value, line(record));
        }
    }

    /// The methods that give the components of a record, where it writes none itself.
    pub(super) fn accessors(&mut self, class: Slot, declaration: &Declaration<'t>, members: &[Node<'t>]) {
        for (place, (name, declared)) in self.components(declaration.node).into_iter().enumerate() {
            self.component(class, declaration, name, place);
            if let Some(declared) = declared {
                let value = self.builder.slot();
                self.declare_type(value, declared);
                self.builder.declare_member(class, name, value);
            }
            let is_written = members.iter().any(|member| {
                member.kind() == "method_declaration"
                    && member
                        .child_by_field_name("name")
                        .is_some_and(|other| self.builder.text(other) == name)
                    && member
                        .child_by_field_name("parameters")
                        .is_some_and(|list| children(list).is_empty())
            });
            if is_written {
                continue;
            }
            let mut flags = BodyFlags::HIDDEN;
            if declared.is_some_and(|declared| self.mentions_variable(declared)) {
                flags |= BodyFlags::PASS_THROUGH | BodyFlags::GIVES_BACK;
            }
            self.begin_member(declaration.definition, flags);
            if let Some(result) = declared.and_then(|declared| self.type_name(declared)) {
                self.builder.set_result_type(result);
            }
            let this = self.this_at(self.classes.len() - 1);
            let value = self.builder.load(this, name, line(declaration.node));
            self.builder.give_back(value);
            let body = self.end_member();
            let function = self.builder.function(body);
            self.builder
                .store_member(class, &format!("{name}()"), function, line(declaration.node));
        }
    }

    /// A component of a record by its place, as patterns ask for it.
    fn component(&mut self, class: Slot, declaration: &Declaration<'t>, name: &'t str, place: usize) {
        let at = line(declaration.node);
        self.begin_member(declaration.definition, BodyFlags::HIDDEN | BodyFlags::GETTER);
        let this = self.this_at(self.classes.len() - 1);
        let value = self.builder.load(this, name, at);
        self.builder.give_back(value);
        let body = self.end_member();
        let getter = self.builder.function(body);
        self.builder
            .store_member(class, &format!("<component{place}>"), getter, at);
    }

    /// Whether a member is the constructor that takes all components of a record.
    pub(super) fn is_canonical(&self, member: Node<'t>, record: Node<'t>) -> bool {
        if member.kind() == "compact_constructor_declaration" {
            return true;
        }
        if member.kind() != "constructor_declaration" {
            return false;
        }
        let types = |node: Node<'t>| -> Vec<&'t str> {
            let list = node.child_by_field_name("parameters").map_or_else(Vec::new, children);
            list.into_iter()
                .filter_map(|parameter| parameter.child_by_field_name("type"))
                .map(|declared| self.builder.text(declared))
                .collect()
        };
        types(member) == types(record)
    }
}
