//! `new`: of classes, of classes without a name, of arrays.

use lore_model::{FlowFlags, NONE};

use crate::extract::child_of_kind;
use crate::flow::Slot;
use crate::syntax::Node;

use super::classes::Declaration;
use super::types::is_data;
use super::{ARRAY, CONSTRUCTOR, Lowering, children, line};

impl<'t> Lowering<'t, '_, '_> {
    pub(super) fn creation(&mut self, node: Node<'t>) -> Slot {
        let Some(declared) = node.child_by_field_name("type") else {
            return self.builder.slot();
        };
        let at = line(node);
        // `outer.new Inner()`
        let outer = children(node)
            .first()
            .copied()
            .filter(|first| *first != declared && first.end_byte() <= declared.start_byte())
            .filter(|first| !matches!(first.kind(), "type_arguments" | "annotation" | "marker_annotation"));
        let outer = outer.map(|outer| self.expression(outer));
        let class = match (outer, declared.kind()) {
            (Some(outer), "type_identifier") => {
                let name = self.builder.text(declared);
                self.builder.load(outer, name, at)
            }
            _ => match self.type_value(declared) {
                Some(class) => class,
                None => {
                    let name = self.type_name(declared).unwrap_or("Object");
                    self.type_named(name)
                }
            },
        };
        let arguments = node
            .child_by_field_name("arguments")
            .map_or_else(Vec::new, |list| self.arguments(list));
        let Some(body) = child_of_kind(node, &["class_body"]) else {
            return self.builder.call(class, &arguments, at, FlowFlags::NEW);
        };
        let definition = self.builder.definition(body).unwrap_or(NONE);
        let declaration = Declaration {
            node,
            definition,
            name: "",
            body: Some(body),
            is_interface: false,
        };
        let made = self.anonymous(&declaration, class, true);
        let instance = self.builder.call(made, &[], at, FlowFlags::NEW | FlowFlags::ANONYMOUS);
        let constructor = self.builder.load(class, CONSTRUCTOR, at);
        let flags = FlowFlags::IMPLICIT | FlowFlags::ANONYMOUS;
        self.builder.call_on(constructor, instance, &arguments, at, flags);
        instance
    }

    /// `new Foo[3]` and `new Foo[] { a, b }`
    pub(super) fn array_creation(&mut self, node: Node<'t>) -> Slot {
        let dimensions: Vec<Node<'t>> = node.children_by_field_name("dimensions").collect();
        let mut depth = 0;
        for dimension in dimensions {
            match dimension.kind() {
                "dimensions_expr" => {
                    depth += 1;
                    for size in children(dimension) {
                        self.expression(size);
                    }
                }
                _ => depth += self.builder.text(dimension).matches('[').count(),
            }
        }
        if let Some(values) = node.child_by_field_name("value") {
            return self.array_initializer(values);
        }
        let name = node
            .child_by_field_name("type")
            .and_then(|declared| self.type_name(declared));
        if name.is_some_and(is_data) {
            return self.builder.slot();
        }
        let array = self.builder.allocate(ARRAY, line(node));
        let mut inner = array;
        for _ in 1..depth.min(4) {
            let next = self.builder.allocate(ARRAY, line(node));
            self.builder.store_key(inner, None, next, line(node));
            inner = next;
        }
        array
    }

    pub(super) fn array_initializer(&mut self, node: Node<'t>) -> Slot {
        let array = self.builder.allocate(ARRAY, line(node));
        for (at, value) in children(node).into_iter().enumerate() {
            let slot = self.expression(value);
            self.builder.store_key(array, Some(&at.to_string()), slot, line(value));
        }
        array
    }

    /// The value that a variable is declared with; braces alone are an array.
    pub(super) fn initial_value(&mut self, value: Node<'t>, declared: Option<Node<'t>>) -> Slot {
        match value.kind() {
            "array_initializer" => {
                let name = declared.and_then(|declared| match declared.kind() {
                    "array_type" => declared.child_by_field_name("element"),
                    _ => Some(declared),
                });
                let name = name.and_then(|declared| self.type_name(declared));
                if name.is_some_and(is_data) && !self.builder.text(value).contains('(') {
                    return self.builder.slot();
                }
                self.array_initializer(value)
            }
            _ => self.expression(value),
        }
    }
}
