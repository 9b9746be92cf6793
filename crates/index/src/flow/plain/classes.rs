//! Classes: bases, members, fields, constructors and extensions.

use foldhash::HashSet;

use lore_model::{BodyFlags, ExportFlags, FlowFlags, NONE};

use super::{Act, CONSTRUCTOR, ClassScope, FIELDS, Field, Form, Lower, THIS, children, line};
use crate::flow::{Argument, Slot};
use crate::syntax::Node;

/// Depth of the nodes that are searched for members.
const MAX_LEVELS: u32 = 4;

impl<'t> Lower<'t, '_, '_> {
    /// Lowers a class and its members.
    pub(crate) fn class(&mut self, form: &'static Form, node: Node<'t>) -> Slot {
        let name = form.name(node).map_or("", |name| self.member_text(name));
        let bases = self.bases(form, node);
        self.class_of(form, node, name, &bases)
    }

    /// The bases that a class lists.
    pub(crate) fn bases(&mut self, form: &Form, node: Node<'t>) -> Vec<Slot> {
        let mut bases = Vec::new();
        if let Some(list) = form.list(node) {
            for base in children(list) {
                bases.extend(self.type_value(base));
            }
        }
        bases
    }

    /// Lowers a class with a name and bases.
    pub(crate) fn class_of(&mut self, form: &'static Form, node: Node<'t>, name: &'t str, bases: &[Slot]) -> Slot {
        let (definition, _) = self.definition_or_around(node);
        let bound = self.bind_type_parameters(node);
        let (slot, row) = self.builder.class(definition, bases, line(node));
        let is_part = (self.plain.is_part)(self, node);
        if is_part {
            let key = self.class_path(name);
            self.builder.set_class_key(row, &key);
        }
        self.begin_class(definition, row, name, !bases.is_empty(), is_part);
        if let Some(body) = form.body(node) {
            self.note_members(body, 0);
            if let Some(list) = form.other(node) {
                self.note_members(list, 0);
            }
            self.members(body);
        } else if let Some(list) = form.other(node) {
            self.note_members(list, 0);
        }
        if let Some(list) = form.other(node) {
            self.primary_constructor(node, list);
        }
        self.finish_class(node);
        let body = self.end_class();
        self.builder.set_class_body(row, body);
        self.type_parameters.truncate(bound);
        self.bind_class(name, slot, definition, node);
        slot
    }

    /// The qualified name of a class that is defined here.
    pub(crate) fn class_path(&self, name: &str) -> String {
        let mut path = self.space.clone();
        for part in self.classes.iter().map(|class| class.name).chain([name]) {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(part);
        }
        path
    }

    /// Opens the body of a class.
    pub(crate) fn begin_class(&mut self, definition: u32, row: u32, name: &'t str, has_bases: bool, is_part: bool) {
        self.builder.begin(definition, BodyFlags::CLASS);
        self.builder.receiver();
        self.definitions.push(definition);
        self.classes.push(ClassScope {
            row,
            definition,
            body: self.builder.open_bodies() - 1,
            names: HashSet::default(),
            repeated: HashSet::default(),
            open: has_bases || is_part,
            has_bases,
            name,
            fields: Vec::new(),
            has_constructor: false,
        });
    }

    /// Closes the body of a class. Returns its number.
    pub(crate) fn end_class(&mut self) -> u32 {
        self.classes.pop();
        self.definitions.pop();
        self.builder.end()
    }

    /// Binds a class to its name: as a member, as an export, or as a local variable.
    pub(crate) fn bind_class(&mut self, name: &'t str, slot: Slot, definition: u32, node: Node<'t>) {
        if name.is_empty() {
            return;
        }
        if self.is_in_class() {
            let around = self.builder.receiver();
            self.builder.store_member(around, name, slot, line(node));
            return;
        }
        if self.is_top() {
            let own = if (self.plain.is_own)(self, node) {
                ExportFlags::OWN
            } else {
                0
            };
            self.export(name, slot, definition, ExportFlags::TYPE | own);
            return;
        }
        self.builder.declare(name);
        self.builder.write(name, slot);
    }

    /// Collects the names of the members of a class, before any member is lowered.
    pub(crate) fn note_members(&mut self, body: Node<'t>, level: u32) {
        for member in children(body) {
            let form = self.form(member);
            match form.act {
                Act::Function | Act::Class | Act::Parameter | Act::Declarator | Act::Alias | Act::Hook(_) => {
                    let name = form.name(member);
                    if let Some(name) = name {
                        let name = match name.named_child_count() {
                            0 => Some(self.text(name)),
                            _ => {
                                let inner = self.form(name);
                                inner.name(name).or(Some(name)).map(|name| self.text(name))
                            }
                        };
                        if let (Some(name), Some(class)) = (name, self.classes.last_mut())
                            && !class.names.insert(name)
                        {
                            class.repeated.insert(name);
                        }
                    }
                    if matches!(form.act, Act::Hook(_)) && level < MAX_LEVELS && name.is_none() {
                        self.note_members(member, level + 1);
                    }
                }
                Act::Skip | Act::Constructor => {}
                _ if level < MAX_LEVELS => self.note_members(member, level + 1),
                _ => {}
            }
        }
    }

    /// Lowers all members of a class.
    pub(crate) fn members(&mut self, body: Node<'t>) {
        if self.builder.enter() {
            // Fields first: their types must be known before code that fills them runs.
            let (fields, others): (Vec<Node<'t>>, Vec<Node<'t>>) = children(body).into_iter().partition(|member| {
                matches!(self.form(*member).act, Act::Locals | Act::Declarator)
                    || matches!(member.kind(), "field_declaration" | "property_declaration")
            });
            for member in fields.into_iter().chain(others) {
                self.class_member(member);
            }
        }
        self.builder.leave();
    }

    pub(crate) fn class_member(&mut self, node: Node<'t>) {
        if (self.plain.member)(self, node) {
            return;
        }
        let form = self.form(node);
        match form.act {
            Act::Function => {
                self.method(form, node);
            }
            Act::Constructor => {
                self.constructor(form, node);
            }
            Act::Class => {
                self.class(form, node);
            }
            Act::Locals => self.fields_of(form, node, None),
            Act::Declarator => self.field(form, node, node, None),
            Act::Pass | Act::Block => self.members(node),
            Act::Skip | Act::Parameter => {}
            _ => {
                self.run(node);
            }
        }
    }

    /// Lowers a declaration of several fields.
    fn fields_of(&mut self, form: &Form, node: Node<'t>, around: Option<Node<'t>>) {
        let kind = form.kind(node);
        for child in children(node) {
            let inner = self.form(child);
            match inner.act {
                Act::Declarator => self.field(inner, child, around.unwrap_or(node), kind),
                Act::Locals if Some(child) != kind => self.fields_of(inner, child, Some(around.unwrap_or(node))),
                _ => {}
            }
        }
    }

    /// Lowers a field, static or of instances.
    pub(crate) fn field(&mut self, form: &Form, node: Node<'t>, declaration: Node<'t>, kind: Option<Node<'t>>) {
        let Some(name) = form.name(node) else { return };
        let name_text = self.text(self.form(name).name(name).unwrap_or(name));
        let kind = form.kind(node).or(kind);
        let value = form.value(node);
        if (self.plain.is_static)(self, declaration) {
            self.static_field(name_text, kind, value, line(node))
        } else {
            self.instance_field(name_text, kind, value, line(node))
        }
    }

    /// Lowers a static field.
    pub(crate) fn static_field(&mut self, name: &'t str, kind: Option<Node<'t>>, value: Option<Node<'t>>, at: u32) {
        let value = match value {
            Some(value) => self.initial(value, kind),
            None => self.builder.slot(),
        };
        let value = self.typed(value, kind);
        let class = self.builder.receiver();
        self.builder.store(class, name, value, at);
    }

    /// Registers a field of the instances.
    pub(crate) fn instance_field(&mut self, name: &'t str, kind: Option<Node<'t>>, value: Option<Node<'t>>, at: u32) {
        if let Some(class) = self.classes.last_mut() {
            class.names.insert(name);
            class.fields.push(Field {
                name,
                kind,
                value,
                run: None,
                line: at,
            });
        }
    }

    /// Registers code that runs at instance creation.
    pub(crate) fn when_made(&mut self, node: Node<'t>) {
        if let Some(class) = self.classes.last_mut() {
            class.fields.push(Field {
                name: "",
                kind: None,
                value: None,
                run: Some(node),
                line: line(node),
            });
        }
    }

    /// Lowers a method of the open class.
    pub(crate) fn method(&mut self, form: &'static Form, node: Node<'t>) {
        let Some(name) = form.name(node) else { return };
        let name = self.text(name);
        let mut flags = BodyFlags::MEMBER;
        if (self.plain.is_static)(self, node) {
            flags |= BodyFlags::CLASS_METHOD;
        }
        self.method_named(form, node, name, flags);
    }

    /// Lowers a method under a given name.
    pub(crate) fn method_named(&mut self, form: &'static Form, node: Node<'t>, name: &str, flags: u32) {
        let value = self.function(form, node, flags);
        let class = self.builder.receiver();
        self.builder.store_member(class, name, value, line(node));
    }

    /// Lowers a constructor of the open class.
    pub(crate) fn constructor(&mut self, form: &'static Form, node: Node<'t>) -> Slot {
        let (definition, is_own) = self.definition_or_around(node);
        let mut flags = BodyFlags::MEMBER;
        if !is_own {
            flags |= BodyFlags::HIDDEN;
        }
        if form.body(node).is_none() {
            flags |= BodyFlags::DECLARED;
        }
        if self.plain.overloads {
            flags |= BodyFlags::OVERLOADED;
        }
        if let Some(class) = self.classes.last_mut() {
            class.has_constructor = true;
        }
        self.begin_function(definition, flags);
        self.parameters(form, node);
        match form.other(node) {
            Some(other) => {
                self.run(other);
            }
            None if flags & BodyFlags::DECLARED == 0 => self.construct_base(line(node)),
            None => {}
        }
        if let Some(body) = form.body(node) {
            self.body(body, false);
        }
        let value = self.end_function();
        let class = self.builder.receiver();
        self.builder.store_member(class, CONSTRUCTOR, value, line(node));
        NONE
    }

    /// Calls the constructor of the base implicitly, if the language does so.
    pub(crate) fn construct_base(&mut self, at: u32) {
        if self.plain.constructs_base && self.classes.last().is_some_and(|class| class.has_bases) {
            self.construct_base_with(&[], at, FlowFlags::IMPLICIT);
        }
    }

    /// Calls the constructor of the base with the arguments of the class header, or without arguments.
    fn construct_base_of(&mut self, node: Node<'t>) {
        match (self.plain.base_arguments)(self, node) {
            Some(list) => {
                let arguments = self.arguments(list);
                self.construct_base_with(&arguments, line(list), 0);
            }
            None => self.construct_base(line(node)),
        }
    }

    /// Calls the constructor of the base.
    pub(crate) fn construct_base_with(&mut self, arguments: &[Argument<'t>], at: u32, flags: u8) {
        let above = self.above();
        let constructor = if flags & FlowFlags::IMPLICIT != 0 {
            self.builder.load_implicit(above, CONSTRUCTOR, at)
        } else {
            self.builder.load(above, CONSTRUCTOR, at)
        };
        self.builder
            .call(constructor, arguments, at, flags | FlowFlags::IMPLICIT);
    }

    /// Calls another constructor of the same class.
    pub(crate) fn construct_itself(&mut self, arguments: &[Argument<'t>], at: u32) {
        let this = self.this();
        let constructor = self.builder.load(this, CONSTRUCTOR, at);
        self.builder.call(constructor, arguments, at, FlowFlags::IMPLICIT);
    }

    /// Lowers a primary constructor. Its parameters become fields.
    fn primary_constructor(&mut self, node: Node<'t>, list: Node<'t>) {
        let definition = match self.builder.definition(list) {
            Some(definition) => definition,
            None => self.classes.last().map_or(NONE, |class| class.definition),
        };
        let overloaded = if self.plain.overloads { BodyFlags::OVERLOADED } else { 0 };
        let flags = BodyFlags::MEMBER | overloaded;
        if let Some(class) = self.classes.last_mut() {
            class.has_constructor = true;
        }
        self.begin_function(definition, flags);
        for parameter in children(list) {
            self.parameter(parameter, list);
        }
        let this = self.this();
        for (name, slot) in self.builder.own_variables() {
            if name != THIS {
                self.builder.store(this, name, slot, line(list));
            }
        }
        self.construct_base_of(node);
        self.fill_fields();
        let value = self.end_function();
        let class = self.builder.receiver();
        self.builder.store_member(class, CONSTRUCTOR, value, line(list));
    }

    /// Initializes the fields of an instance.
    fn fill_fields(&mut self) {
        let fields = self
            .classes
            .last_mut()
            .map_or_else(Vec::new, |class| std::mem::take(&mut class.fields));
        let this = self.this();
        for field in fields {
            if let Some(node) = field.run {
                self.run(node);
                continue;
            }
            match (field.value, field.kind) {
                (Some(value), kind) => {
                    let value = self.initial(value, kind);
                    let value = self.typed(value, kind);
                    self.builder.store(this, field.name, value, field.line);
                }
                // A field without an initializer gets its value elsewhere. Its type is a fallback.
                (None, Some(kind)) => {
                    let value = self.builder.slot();
                    self.declare_type(value, kind);
                    self.builder.hint_member(this, field.name, value);
                }
                (None, None) => {}
            }
        }
    }

    /// Adds the field initializer and, if the class has none, the implicit constructor.
    pub(crate) fn finish_class(&mut self, node: Node<'t>) {
        let Some(class) = self.classes.last() else { return };
        let (row, definition, has_bases) = (class.row, class.definition, class.has_bases);
        let (has_fields, has_constructor) = (!class.fields.is_empty(), class.has_constructor);
        if has_fields || has_bases {
            self.begin_function(definition, BodyFlags::MEMBER | BodyFlags::HIDDEN);
            if has_bases {
                let this = self.this();
                let above = self.builder.super_of(row, this);
                let fields = self.builder.load_implicit(above, FIELDS, line(node));
                self.builder.call(fields, &[], line(node), FlowFlags::IMPLICIT);
            }
            self.fill_fields();
            let value = self.end_function();
            let receiver = self.builder.receiver();
            self.builder.store_member(receiver, FIELDS, value, line(node));
        }
        if has_bases && !has_constructor && self.plain.constructs_base {
            self.begin_function(definition, BodyFlags::MEMBER | BodyFlags::HIDDEN);
            self.construct_base_of(node);
            let value = self.end_function();
            let receiver = self.builder.receiver();
            self.builder.store_member(receiver, CONSTRUCTOR, value, line(node));
        }
    }

    /// Lowers an extension of the class in a slot.
    pub(crate) fn extend(&mut self, class: Slot, name: &'t str, node: Node<'t>, members: impl FnOnce(&mut Self)) {
        let definition = self
            .builder
            .definition(node)
            .or_else(|| self.definitions.last().copied());
        let definition = definition.unwrap_or(NONE);
        // Only lookups of bases need the row, and an extension has no bases.
        self.begin_class(definition, NONE, name, true, true);
        members(self);
        let has_fields = self.classes.last().is_some_and(|class| !class.fields.is_empty());
        if has_fields {
            self.begin_function(definition, BodyFlags::MEMBER | BodyFlags::HIDDEN);
            self.fill_fields();
            self.end_function();
        }
        let body = self.end_class();
        self.builder.extend(class, body);
    }
}
