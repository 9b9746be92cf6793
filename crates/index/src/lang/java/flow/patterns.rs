//! Patterns of `instanceof` and `switch`: which values pass, and what they are bound to.

use crate::flow::Slot;
use crate::syntax::Node;

use super::{Lowering, children, line};

impl<'t> Lowering<'t, '_, '_> {
    /// What `instanceof` binds.
    pub(super) fn instance_pattern(&mut self, node: Node<'t>, value: Slot) {
        if let Some(pattern) = node.child_by_field_name("pattern") {
            self.pattern(pattern, value);
            return;
        }
        if let (Some(declared), Some(name)) = (node.child_by_field_name("right"), node.child_by_field_name("name")) {
            self.bind(declared, name, value);
        }
    }

    fn bind(&mut self, declared: Node<'t>, name: Node<'t>, value: Slot) {
        let value = self.typed(value, declared);
        let type_name = self.type_name(declared);
        let name = self.builder.text(name);
        self.declare_local(name, type_name);
        self.builder.write(name, value);
    }

    /// Binds what a pattern names.
    pub(super) fn pattern(&mut self, pattern: Node<'t>, value: Slot) {
        if self.builder.enter() {
            self.lower_pattern(pattern, value);
        }
        self.builder.leave();
    }

    fn lower_pattern(&mut self, pattern: Node<'t>, value: Slot) {
        match pattern.kind() {
            "type_pattern" | "record_pattern_component" => {
                let parts: Vec<Node<'t>> = children(pattern)
                    .into_iter()
                    .filter(|part| part.kind() != "modifiers")
                    .collect();
                match parts[..] {
                    [declared, name] if name.kind() == "identifier" => self.bind(declared, name, value),
                    [inner] => self.pattern(inner, value),
                    _ => {}
                }
            }
            "record_pattern" => {
                let parts = children(pattern);
                let (Some(record), Some(body)) = (parts.first().copied(), parts.last().copied()) else {
                    return;
                };
                let class = match record.kind() {
                    "identifier" => {
                        let name = self.builder.text(record);
                        Some(self.type_named(name))
                    }
                    _ => self.type_value(record),
                };
                let value = match class {
                    Some(class) => {
                        let value = self.builder.narrow(value, class, false);
                        self.builder.hint(value, class);
                        value
                    }
                    None => value,
                };
                if body.kind() == "record_pattern_body" {
                    for (at, component) in children(body).into_iter().enumerate() {
                        // By the place of the component, which the record knows.
                        let part = self.builder.load(value, &format!("<component{at}>"), line(pattern));
                        self.pattern(component, part);
                    }
                }
            }
            "pattern" | "parenthesized_pattern" => {
                for inner in children(pattern) {
                    self.pattern(inner, value);
                }
            }
            _ => {}
        }
    }
}
