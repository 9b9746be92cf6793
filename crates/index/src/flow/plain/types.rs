//! Declared types, which become fallbacks for slots that no value reaches.

use lore_model::NONE;

use super::{Act, Form, Lower, children, line};
use crate::flow::Slot;
use crate::syntax::Node;

/// Built-in class of type aliases that are not another name of a class.
pub(crate) const ALIAS: &str = "__Type";

impl<'t> Lower<'t, '_, '_> {
    /// A value with its declared type as a fallback.
    pub(crate) fn typed(&mut self, value: Slot, kind: Option<Node<'t>>) -> Slot {
        let Some(kind) = kind.filter(|kind| self.says_something(*kind)) else {
            return value;
        };
        let slot = self.builder.slot();
        self.builder.copy(slot, value);
        self.declare_type(slot, kind);
        slot
    }

    /// Whether a type can be followed.
    fn says_something(&self, kind: Node<'t>) -> bool {
        !matches!(self.form(kind).act, Act::Skip | Act::Data)
    }

    /// Declares the type of a slot, as a fallback.
    pub(crate) fn declare_type(&mut self, slot: Slot, kind: Node<'t>) {
        if self.builder.enter() {
            self.lower_type(slot, kind);
        }
        self.builder.leave();
    }

    fn lower_type(&mut self, slot: Slot, kind: Node<'t>) {
        let form = self.form(kind);
        match form.act {
            Act::Skip | Act::Data => {}
            Act::Name | Act::Member => {
                let text = self.text(kind);
                if self.is_collection_name(text) {
                    self.collection_of(slot, text, &[], kind);
                    return;
                }
                if self.plain.ignored.contains(&text) {
                    return;
                }
                if let Some(class) = self.type_value(kind) {
                    self.builder.hint(slot, class);
                }
            }
            Act::ArrayType => {
                let held = self.builder.allocate(self.plain.list, line(kind));
                let element = self.builder.slot();
                if let Some(inner) = form.kind(kind) {
                    self.declare_type(element, inner);
                }
                self.builder.store_key(held, None, element, line(kind));
                self.builder.hint_value(slot, held);
                self.builder.hint_elements(slot, element);
            }
            Act::Map => {
                let held = self.builder.allocate(self.plain.map, line(kind));
                let element = self.builder.slot();
                if let Some(inner) = form.value(kind) {
                    self.declare_type(element, inner);
                }
                self.builder.store_key(held, None, element, line(kind));
                self.builder.hint_value(slot, held);
                self.builder.hint_elements(slot, element);
            }
            Act::Generic => {
                let Some(name) = form.kind(kind) else { return };
                let name_text = self.last_name(name);
                let arguments = form.list(kind).map_or_else(Vec::new, children);
                if self.plain.transparent.contains(&name_text) {
                    if let Some(inner) = arguments.first() {
                        self.declare_type(slot, *inner);
                    }
                    return;
                }
                if self.is_collection_name(name_text) {
                    self.collection_of(slot, name_text, &arguments, kind);
                    return;
                }
                if self.plain.ignored.contains(&name_text) {
                    return;
                }
                if let Some(class) = self.type_value(name) {
                    self.builder.hint(slot, class);
                }
            }
            Act::Tuple => {
                let held = self.builder.allocate(self.plain.list, line(kind));
                for (at, part) in children(kind).into_iter().enumerate() {
                    let element = self.builder.slot();
                    let part_form = self.form(part);
                    let inner = part_form.kind(part).unwrap_or(part);
                    self.declare_type(element, inner);
                    self.builder.store_key(held, Some(&at.to_string()), element, line(part));
                }
                self.builder.hint_value(slot, held);
            }
            Act::Hook(hook) => {
                let mut last = kind;
                while let Some(inner) = last.child_by_field_name("name")
                    && matches!(self.form(last).act, Act::Hook(_))
                {
                    last = inner;
                }
                let inner = self.form(last);
                if let (Act::Generic, Some(name)) = (inner.act, inner.kind(last)) {
                    let name = self.last_name(name);
                    if self.plain.transparent.contains(&name) || self.is_collection_name(name) {
                        self.declare_type(slot, last);
                        return;
                    }
                    if self.plain.ignored.contains(&name) {
                        return;
                    }
                }
                let class = hook(self, kind);
                if class != NONE {
                    self.builder.hint(slot, class);
                }
            }
            Act::Wrapped | Act::Parameter | Act::Argument | Act::Inner | Act::Declarator => {
                if let Some(inner) = form.kind(kind).or_else(|| children(kind).first().copied()) {
                    self.declare_type(slot, inner);
                }
            }
            Act::AnyOf | Act::Pass => {
                for part in children(kind) {
                    self.declare_type(slot, part);
                }
            }
            _ => {}
        }
    }

    /// The last segment of a qualified name.
    pub(crate) fn last_name(&self, node: Node<'t>) -> &'t str {
        let text = self.text(node);
        let text = text.split('<').next().unwrap_or(text);
        text.rsplit(['.', ':', '\\']).next().unwrap_or(text).trim()
    }

    /// Whether a type is a known collection type.
    pub(crate) fn is_collection_type(&self, kind: Node<'t>) -> bool {
        let mut kind = kind;
        loop {
            let form = self.form(kind);
            match form.act {
                Act::Generic => {
                    return form
                        .kind(kind)
                        .is_some_and(|name| self.is_collection_name(self.last_name(name)));
                }
                Act::Hook(_) => match kind.child_by_field_name("name") {
                    Some(inner) => kind = inner,
                    None => return false,
                },
                Act::Wrapped => match form.kind(kind) {
                    Some(inner) => kind = inner,
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    fn is_collection_name(&self, name: &str) -> bool {
        self.plain.collections.iter().any(|(known, ..)| *known == name) && !self.imports.contains_key(name)
    }

    fn collection_of(&mut self, slot: Slot, name: &'t str, arguments: &[Node<'t>], kind: Node<'t>) {
        let Some((_, class, at)) = self.plain.collections.iter().find(|(known, ..)| *known == name) else {
            return;
        };
        let held = self.builder.allocate(class, line(kind));
        let element = self.builder.slot();
        if let Some(inner) = arguments.get(*at) {
            self.declare_type(element, *inner);
        }
        self.builder.store_key(held, None, element, line(kind));
        // If the program defines a class of that name, the class is meant.
        if let Some(class) = self.find_type(name, line(kind)) {
            self.builder.hint_or(slot, class, held);
        }
        // An existing empty collection gets the same element type.
        self.builder.hint_elements(slot, element);
    }

    /// Declares the element type of a new collection, if its type has one.
    pub(crate) fn elements_of(&mut self, made: Slot, kind: Node<'t>) {
        let form = self.form(kind);
        let (name, arguments) = match form.act {
            Act::Generic => match form.kind(kind) {
                Some(name) => (self.last_name(name), form.list(kind).map_or_else(Vec::new, children)),
                None => return,
            },
            Act::Wrapped | Act::Inner => {
                if let Some(inner) = form.kind(kind).or_else(|| children(kind).first().copied()) {
                    self.elements_of(made, inner);
                }
                return;
            }
            Act::Hook(_) => {
                if let Some(inner) = kind.child_by_field_name("name") {
                    self.elements_of(made, inner);
                }
                return;
            }
            _ => return,
        };
        let known = self.plain.collections.iter().find(|(known, ..)| *known == name);
        if let Some((.., at)) = known
            && let Some(inner) = arguments.get(*at)
        {
            let element = self.builder.slot();
            self.declare_type(element, *inner);
            self.builder.hint_elements(made, element);
        }
    }

    /// Creates an array, if the type is an array type.
    pub(crate) fn array(&mut self, kind: Node<'t>) -> Option<Slot> {
        let form = self.form(kind);
        match form.act {
            Act::ArrayType => {
                let made = self.builder.allocate(self.plain.list, line(kind));
                let element = self.builder.slot();
                if let Some(inner) = form.kind(kind) {
                    self.declare_type(element, inner);
                }
                self.builder.hint_elements(made, element);
                Some(made)
            }
            Act::Wrapped => {
                let inner = form.kind(kind).or_else(|| children(kind).first().copied())?;
                self.array(inner)
            }
            _ => None,
        }
    }

    /// The class that a type denotes, as a value.
    pub(crate) fn type_value(&mut self, kind: Node<'t>) -> Option<Slot> {
        let form = self.form(kind);
        match form.act {
            Act::Name => {
                let name = form.name(kind).unwrap_or(kind);
                let text = self.text(name);
                self.find_type(text, line(name))
            }
            Act::Member => {
                let (object, name) = (form.object(kind)?, form.name(kind)?);
                let object = self.type_value(object)?;
                let name_form = self.form(name);
                let name = match name_form.act {
                    Act::Generic => name_form.kind(name).unwrap_or(name),
                    _ => name,
                };
                Some(self.builder.load(object, self.text(name), line(name)))
            }
            Act::Generic => {
                let inner = form.kind(kind)?;
                let name = self.last_name(inner);
                if self.plain.transparent.contains(&name)
                    && let Some(first) = form.list(kind).and_then(|list| children(list).first().copied())
                {
                    return self.type_value(first);
                }
                self.type_value(inner)
            }
            Act::Wrapped | Act::Argument | Act::Parameter | Act::Declarator => {
                let inner = form.kind(kind).or_else(|| children(kind).first().copied())?;
                self.type_value(inner)
            }
            Act::Inner | Act::Pass => match children(kind)[..] {
                [only] => self.type_value(only),
                _ => None,
            },
            Act::Hook(_) if kind.named_child_count() == 0 => {
                let text = self.text(kind);
                self.find_type(text, line(kind))
            }
            Act::This => self.class_around(),
            Act::Hook(hook) => match hook(self, kind) {
                NONE => None,
                slot => Some(slot),
            },
            _ => None,
        }
    }

    /// The values of a slot that have a type. Fallback: an instance of the type.
    pub(crate) fn narrowed(&mut self, value: Slot, kind: Node<'t>) -> Slot {
        let mut single = kind;
        while matches!(
            self.form(single).act,
            Act::Wrapped | Act::Inner | Act::Pass | Act::AnyOf
        ) {
            let form = self.form(single);
            let inner = form.kind(single).or_else(|| match children(single)[..] {
                [only] => Some(only),
                _ => None,
            });
            match inner {
                Some(inner) => single = inner,
                None => break,
            }
        }
        let class = match self.form(single).act {
            Act::Name | Act::Member | Act::Generic if self.collection_name(single).is_none() => self.type_value(single),
            _ => None,
        };
        match class {
            Some(class) => {
                let narrowed = self.builder.narrow(value, class, false);
                let typed = self.builder.slot();
                self.builder.copy(typed, narrowed);
                self.builder.hint(typed, class);
                typed
            }
            None => self.typed(value, Some(kind)),
        }
    }

    fn collection_name(&self, kind: Node<'t>) -> Option<&'t str> {
        let form = self.form(kind);
        let name = match form.act {
            Act::Generic => self.last_name(form.kind(kind)?),
            _ => self.text(kind),
        };
        self.is_collection_name(name).then_some(name)
    }

    /// Lowers a type alias.
    pub(crate) fn alias(&mut self, form: &Form, node: Node<'t>) {
        let (Some(name), Some(kind)) = (form.name(node), form.kind(node).or_else(|| form.value(node))) else {
            return;
        };
        // An alias of a class is the class itself.
        let class = match self.form(kind).act {
            Act::Name | Act::Member | Act::Generic if self.collection_name(kind).is_none() => self.type_value(kind),
            _ => None,
        };
        let alias = match class {
            Some(class) => class,
            None => {
                let alias = self.builder.allocate(ALIAS, line(node));
                let value = self.builder.slot();
                self.declare_type(value, kind);
                self.builder.store_key(alias, None, value, line(node));
                alias
            }
        };
        let text = self.text(name);
        if self.is_in_class() {
            let class = self.builder.receiver();
            self.builder.store_member(class, text, alias, line(node));
            return;
        }
        let definition = self.builder.definition(node).unwrap_or(NONE);
        self.declare_value(text, alias, definition, lore_model::ExportFlags::TYPE);
    }
}
