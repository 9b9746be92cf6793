//! Classes, interfaces, records, enumerations: their bases, their members, what runs when they are loaded and when an instance is made.

use lore_model::{BodyFlags, FlowFlags, NONE};

use crate::extract::child_of_kind;
use crate::flow::Slot;
use crate::syntax::Node;

use super::names::declared_type;
use super::scopes::{ClassScope, Entry, modifier};
use super::types::argument_name;
use super::{ARRAY, CONSTRUCTOR, FIELDS, Lowering, children, first_child, line};

/// What a type's declaration says.
pub(super) struct Declaration<'t> {
    pub(super) node: Node<'t>,
    pub(super) definition: u32,
    pub(super) name: &'t str,
    pub(super) body: Option<Node<'t>>,
    pub(super) is_interface: bool,
}

/// What a class does to its instances: fields with values and blocks.
enum Initial<'t> {
    Field(Node<'t>, Node<'t>, &'t str),
    Block(Node<'t>),
}

impl<'t> Lowering<'t, '_, '_> {
    /// A type that is declared; says whether it names bases.
    pub(super) fn class(&mut self, node: Node<'t>) -> (Slot, bool) {
        let made = if self.builder.enter() {
            self.lower_class(node)
        } else {
            (self.builder.slot(), false)
        };
        self.builder.leave();
        made
    }

    fn lower_class(&mut self, node: Node<'t>) -> (Slot, bool) {
        let definition = self.builder.definition(node).unwrap_or(NONE);
        let name = node
            .child_by_field_name("name")
            .map_or("", |name| self.builder.text(name));
        let is_interface = matches!(node.kind(), "interface_declaration" | "annotation_type_declaration");
        let declaration = Declaration {
            node,
            definition,
            name,
            body: node.child_by_field_name("body"),
            is_interface,
        };
        let depth = self.classes.len();
        let known = self.open_type_parameters(node, Some(depth));
        let is_generic = self.type_variables.len() > known;
        let (extended, promised) = base_types(node);
        let mut scope = self.scan(declaration.body, is_interface);
        scope.name = name;
        scope.extends = !extended.is_empty() && !is_interface;
        scope.bases = extended.into_iter().chain(promised).collect();
        scope.has_bases = !scope.bases.is_empty();
        let has_bases = scope.has_bases;
        self.record_components(node, &mut scope);
        let mut bases = Vec::new();
        for base in scope.bases.clone() {
            bases.extend(self.type_value(base));
        }
        let (slot, row) = self.builder.class(definition, &bases, line(node));
        if is_generic {
            self.builder.set_generic(row);
        }
        scope.row = row;
        self.class_body(&declaration, scope);
        self.close_type_parameters(known);
        (slot, has_bases)
    }

    /// The components of a record are fields of it.
    fn record_components(&self, node: Node<'t>, scope: &mut ClassScope<'t>) {
        if node.kind() != "record_declaration" {
            return;
        }
        for (name, declared) in self.components(node) {
            let field = super::scopes::Field {
                declared,
                is_static: false,
            };
            scope.fields.insert(name, field);
        }
    }

    /// The names and types of the components of a record.
    pub(super) fn components(&self, node: Node<'t>) -> Vec<(&'t str, Option<Node<'t>>)> {
        let list = node.child_by_field_name("parameters").map_or_else(Vec::new, children);
        list.into_iter()
            .filter_map(|parameter| {
                let name = match parameter.kind() {
                    "spread_parameter" => {
                        child_of_kind(parameter, &["variable_declarator"])?.child_by_field_name("name")?
                    }
                    _ => parameter.child_by_field_name("name")?,
                };
                Some((self.builder.text(name), parameter.child_by_field_name("type")))
            })
            .collect()
    }

    /// The body of a class whose row is there.
    pub(super) fn class_body(&mut self, declaration: &Declaration<'t>, scope: ClassScope<'t>) {
        let (row, depth) = (scope.row, self.classes.len());
        let bases = scope.bases.clone();
        self.classes.push(scope);
        self.entries.push(Entry::Class(depth));
        let known = self.entries.len();
        self.builder.classes.push(row);
        self.builder.begin(declaration.definition, BodyFlags::CLASS);
        let class = self.builder.receiver();
        let variable = Self::class_variable(depth);
        self.builder.declare(variable);
        self.builder.write(variable, class);
        let mut members = Vec::new();
        if let Some(body) = declaration.body {
            collect(body, &mut members);
        }
        // Types come first: everything else may name them.
        for name in members.iter().filter_map(|member| declared_type(*member)) {
            let name = self.builder.text(name);
            self.builder.declare(name);
        }
        self.base_arguments(class, &bases);
        for member in &members {
            if let Some(name) = declared_type(*member) {
                let (slot, _) = self.class(*member);
                let name = self.builder.text(name);
                self.builder.write(name, slot);
                self.builder.store(class, name, slot, line(*member));
            }
        }
        self.members(declaration, class, &members);
        let body = self.builder.end();
        self.builder.set_class_body(row, body);
        self.builder.classes.pop();
        self.entries.truncate(known);
        self.entries.pop();
        self.classes.pop();
    }

    /// What a class's bases are made with.
    fn base_arguments(&mut self, class: Slot, bases: &[Node<'t>]) {
        let depth = self.classes.len() - 1;
        for base in bases {
            if base.kind() != "generic_type" || self.is_prelude {
                continue;
            }
            let Some(name) = self.type_name(*base) else { continue };
            let arguments = child_of_kind(*base, &["type_arguments"]).map_or_else(Vec::new, children);
            for (place, argument) in arguments.into_iter().enumerate() {
                let member = argument_name(name, place);
                if self.mentions_variable(argument) {
                    // It depends on what the instance itself was made with.
                    self.builder
                        .begin(NONE, BodyFlags::MEMBER | BodyFlags::GETTER | BodyFlags::HIDDEN);
                    let this = self.builder.receiver();
                    self.builder.declare(Self::this_name(depth));
                    self.builder.write(Self::this_name(depth), this);
                    self.declare_type(0, argument);
                    let body = self.builder.end();
                    let getter = self.builder.function(body);
                    self.builder.store_member(class, &member, getter, line(*base));
                } else {
                    let value = self.builder.slot();
                    self.declare_type(value, argument);
                    self.builder.store_member(class, &member, value, line(*base));
                }
            }
        }
    }

    fn members(&mut self, declaration: &Declaration<'t>, class: Slot, members: &[Node<'t>]) {
        let mut initials: Vec<Initial<'t>> = Vec::new();
        let mut constructors = 0;
        let mut constants = Vec::new();
        let constructor_count = members.iter().filter(|member| is_constructor(**member)).count();
        let is_record = declaration.node.kind() == "record_declaration";
        let has_canonical = is_record
            && members
                .iter()
                .any(|member| self.is_canonical(*member, declaration.node));
        let overloaded = constructor_count + usize::from(is_record && !has_canonical) > 1;
        for member in members.iter().copied() {
            match member.kind() {
                "enum_constant" => {
                    self.enum_constant(class, member);
                    if let Some(name) = member.child_by_field_name("name") {
                        constants.push(self.builder.text(name));
                    }
                }
                "field_declaration" | "constant_declaration" => {
                    let is_static = declaration.is_interface || modifier(member, "static");
                    for declarator in member.children_by_field_name("declarator") {
                        let Some(name) = declarator.child_by_field_name("name") else {
                            continue;
                        };
                        let name = self.builder.text(name);
                        if is_static {
                            self.static_field(class, member, declarator, name)
                        } else {
                            self.declare_field(class, name, member.child_by_field_name("type"));
                            initials.push(Initial::Field(member, declarator, name));
                        }
                    }
                }
                "static_initializer" => {
                    if let Some(block) = first_child(member) {
                        self.block(block);
                    }
                }
                "block" => initials.push(Initial::Block(member)),
                "method_declaration" | "annotation_type_element_declaration" => {
                    self.method(class, member, declaration.is_interface);
                }
                "constructor_declaration" | "compact_constructor_declaration" => {
                    constructors += 1;
                    self.constructor(class, member, declaration, overloaded);
                }
                _ => {}
            }
        }
        if !constants.is_empty() || declaration.node.kind() == "enum_declaration" {
            self.enum_methods(class, &constants, line(declaration.node));
        }
        if declaration.is_interface {
            return;
        }
        self.initial_values(class, declaration, &initials);
        if is_record {
            self.accessors(class, declaration, members);
            if !has_canonical {
                self.canonical_constructor(class, declaration, overloaded);
                constructors += 1;
            }
        }
        if constructors == 0 {
            self.default_constructor(class, declaration);
        }
    }

    /// What instances hold under the name of a field, by its type.
    fn declare_field(&mut self, class: Slot, name: &'t str, declared: Option<Node<'t>>) {
        let Some(declared) = declared.filter(|_| !self.is_prelude) else {
            return;
        };
        if self.type_name(declared).is_none_or(super::types::is_plain) || self.is_prelude {
            return;
        }
        let value = self.builder.slot();
        self.declare_type(value, declared);
        self.builder.declare_member(class, name, value);
    }

    fn static_field(&mut self, class: Slot, member: Node<'t>, declarator: Node<'t>, name: &'t str) {
        let declared = member.child_by_field_name("type");
        let value = match declarator.child_by_field_name("value") {
            Some(value) if value.kind() == "string_literal" => {
                let value = self.spelled(value);
                self.builder.store(class, name, value, line(declarator));
                return;
            }
            Some(value) => self.initial_value(value, declared),
            None => self.builder.slot(),
        };
        let value = match declared {
            Some(declared) => self.typed(value, declared),
            None => value,
        };
        self.builder.store(class, name, value, line(declarator));
    }

    /// What runs before the constructors of a class do anything else.
    fn initial_values(&mut self, class: Slot, declaration: &Declaration<'t>, initials: &[Initial<'t>]) {
        let depth = self.classes.len() - 1;
        if !self.classes[depth].has_initials {
            return;
        }
        self.begin_member(declaration.definition, BodyFlags::HIDDEN);
        for initial in initials {
            match initial {
                Initial::Field(member, declarator, name) => {
                    let Some(value) = declarator.child_by_field_name("value") else {
                        continue;
                    };
                    let declared = member.child_by_field_name("type");
                    let value = self.initial_value(value, declared);
                    let value = match declared {
                        Some(declared) => self.typed(value, declared),
                        None => value,
                    };
                    let this = self.this_at(depth);
                    self.builder.store(this, name, value, line(*declarator));
                }
                Initial::Block(block) => self.block(*block),
            }
        }
        let body = self.end_member();
        let initial = self.builder.function(body);
        self.builder
            .store_member(class, FIELDS, initial, line(declaration.node));
    }

    /// Opens the body of a member that has a receiver.
    pub(super) fn begin_member(&mut self, definition: u32, flags: u32) {
        self.builder.begin(definition, BodyFlags::MEMBER | flags);
        let this = self.builder.receiver();
        let name = Self::this_name(self.classes.len() - 1);
        self.builder.declare(name);
        self.builder.write(name, this);
    }

    pub(super) fn end_member(&mut self) -> u32 {
        self.builder.end()
    }

    fn enum_constant(&mut self, class: Slot, member: Node<'t>) {
        let Some(name) = member.child_by_field_name("name") else {
            return;
        };
        let at = line(member);
        let arguments = member
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |list| self.arguments(list));
        let value = match member.child_by_field_name("body") {
            None => self
                .builder
                .call(class, &arguments, at, FlowFlags::NEW | FlowFlags::IMPLICIT),
            Some(body) => {
                let definition = self.builder.definition(member).unwrap_or(NONE);
                let declaration = Declaration {
                    node: member,
                    definition,
                    name: "",
                    body: Some(body),
                    is_interface: false,
                };
                let made = self.anonymous(&declaration, class, true);
                let instance = self.builder.call(
                    made,
                    &[],
                    at,
                    FlowFlags::NEW | FlowFlags::IMPLICIT | FlowFlags::ANONYMOUS,
                );
                let constructor = self.builder.load(class, CONSTRUCTOR, at);
                self.builder
                    .call_on(constructor, instance, &arguments, at, FlowFlags::IMPLICIT);
                instance
            }
        };
        let name = self.builder.text(name);
        self.builder.store(class, name, value, at);
    }

    /// `values()` and `valueOf()` give the members of an enumeration.
    fn enum_methods(&mut self, class: Slot, constants: &[&'t str], at: u32) {
        let depth = self.classes.len() - 1;
        for (name, in_array) in [("values()", true), ("valueOf()", false)] {
            self.builder
                .begin(NONE, BodyFlags::MEMBER | BodyFlags::STATIC | BodyFlags::HIDDEN);
            let own = self.class_at(depth);
            let held = self.builder.allocate(ARRAY, at);
            for constant in constants {
                let value = self.builder.load(own, constant, at);
                if in_array {
                    self.builder.store_key(held, None, value, at)
                } else {
                    self.builder.give_back(value)
                }
            }
            if in_array {
                self.builder.give_back(held);
            }
            let body = self.builder.end();
            let function = self.builder.function(body);
            self.builder.store_member(class, name, function, at);
        }
    }

    /// A class without a name below a base; its constructor does no more than give its fields their values.
    pub(super) fn anonymous(&mut self, declaration: &Declaration<'t>, base: Slot, extends: bool) -> Slot {
        let mut scope = self.scan(declaration.body, false);
        scope.has_bases = true;
        scope.extends = extends;
        let (slot, row) = self
            .builder
            .class(declaration.definition, &[base], line(declaration.node));
        scope.row = row;
        self.class_body(declaration, scope);
        slot
    }
}

/// The members of a body; those of an enumeration come behind its constants.
fn collect<'t>(body: Node<'t>, members: &mut Vec<Node<'t>>) {
    for member in children(body) {
        match member.kind() {
            "enum_body_declarations" => collect(member, members),
            _ => members.push(member),
        }
    }
}

pub(super) fn is_constructor(member: Node<'_>) -> bool {
    matches!(
        member.kind(),
        "constructor_declaration" | "compact_constructor_declaration"
    )
}

/// The types that a declaration extends, and those that it implements.
pub(super) fn base_types<'t>(node: Node<'t>) -> (Vec<Node<'t>>, Vec<Node<'t>>) {
    fn listed(list: Node<'_>) -> Vec<Node<'_>> {
        children(child_of_kind(list, &["type_list"]).unwrap_or(list))
    }
    let extended = match node.child_by_field_name("superclass") {
        Some(superclass) => children(superclass),
        None => child_of_kind(node, &["extends_interfaces"]).map_or_else(Vec::new, listed),
    };
    let promised = node.child_by_field_name("interfaces").map_or_else(Vec::new, listed);
    (extended, promised)
}
