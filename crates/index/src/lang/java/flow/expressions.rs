//! Expressions.

use crate::flow::Slot;
use crate::syntax::Node;

use super::names::looks_like_type;
use super::scopes::Found;
use super::types::is_data;
use super::{Lowering, children, first_child, line};

/// Characters of a literal that can be a key.
const MAX_KEY: usize = 48;

impl<'t> Lowering<'t, '_, '_> {
    pub(super) fn expression(&mut self, node: Node<'t>) -> Slot {
        let slot = if self.builder.enter() {
            self.lower_expression(node)
        } else {
            self.builder.slot()
        };
        self.builder.leave();
        slot
    }

    /// An expression whose value may come to be a key elsewhere, which a short literal is worth knowing for.
    pub(super) fn spelled(&mut self, node: Node<'t>) -> Slot {
        let slot = self.expression(node);
        if node.kind() == "string_literal" {
            let text = self.builder.text(node).trim_matches('"');
            if !text.is_empty()
                && text.len() <= MAX_KEY
                && !text.contains(|letter: char| letter.is_whitespace() || letter == '\\')
            {
                self.builder.spell(slot, text);
            }
        }
        slot
    }

    fn lower_expression(&mut self, node: Node<'t>) -> Slot {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "identifier" => {
                let name = self.builder.text(node);
                if is_constant_name(name) && !matches!(self.find(name), Found::Local(_)) {
                    self.builder.note_path(node);
                }
                self.read_name(name, line(node))
            }
            "this" => match self.classes.len() {
                0 => self.builder.slot(),
                count => self.this_at(count - 1),
            },
            "parenthesized_expression" => match first_child(node) {
                Some(inner) => self.expression(inner),
                None => self.builder.slot(),
            },
            "field_access" => self.field_access(node),
            "array_access" => self.array_access(node),
            "method_invocation" => self.invocation(node),
            "object_creation_expression" => self.creation(node),
            "array_creation_expression" => self.array_creation(node),
            "array_initializer" => self.array_initializer(node),
            "lambda_expression" => self.lambda(node),
            "method_reference" => self.reference(node),
            "assignment_expression" => {
                let (Some(left), Some(right)) = (field("left"), field("right")) else {
                    return self.builder.slot();
                };
                let is_plain = field("operator").is_some_and(|operator| operator.kind() == "=");
                if !is_plain {
                    self.expression(left);
                }
                let value = self.expression(right);
                let value = self.as_declared(left, right, value);
                self.assign(left, value);
                value
            }
            "update_expression" => {
                for inner in children(node) {
                    let old = self.expression(inner);
                    let value = self.builder.slot();
                    self.builder.operate(value, old);
                    self.assign(inner, value);
                }
                self.builder.slot()
            }
            "ternary_expression" => self.ternary(node),
            "binary_expression" => self.binary(node),
            "cast_expression" => {
                let Some(value) = field("value") else {
                    return self.builder.slot();
                };
                let value = self.expression(value);
                match field("type") {
                    Some(declared) => self.typed(value, declared),
                    None => value,
                }
            }
            "instanceof_expression" => {
                if let Some(left) = field("left") {
                    let value = self.expression(left);
                    self.instance_pattern(node, value);
                }
                self.builder.slot()
            }
            "switch_expression" => self.switch(node),
            "string_literal"
            | "character_literal"
            | "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "binary_integer_literal"
            | "decimal_floating_point_literal"
            | "hex_floating_point_literal"
            | "true"
            | "false"
            | "null_literal"
            | "class_literal" => self.builder.slot(),
            "type_identifier" | "scoped_type_identifier" | "generic_type" => match self.type_value(node) {
                Some(class) => class,
                None => self.builder.slot(),
            },
            _ => {
                for child in children(node) {
                    self.expression(child);
                }
                self.builder.slot()
            }
        }
    }

    /// A value that is written where a lambda or a reference takes the type of the variable.
    fn as_declared(&mut self, left: Node<'t>, right: Node<'t>, value: Slot) -> Slot {
        if !matches!(right.kind(), "lambda_expression" | "method_reference") {
            return value;
        }
        let name = match left.kind() {
            "identifier" => self.builder.text(left),
            "field_access" => left
                .child_by_field_name("field")
                .map_or("", |name| self.builder.text(name)),
            _ => "",
        };
        let declared = match self.find(name) {
            Found::Field(_, field) => field.declared,
            _ => None,
        };
        match declared {
            Some(declared) => self.typed(value, declared),
            None => value,
        }
    }

    fn field_access(&mut self, node: Node<'t>) -> Slot {
        let (Some(object), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("field")) else {
            return self.builder.slot();
        };
        let at = line(name);
        if name.kind() == "this" {
            let class = self.builder.text(object);
            let depth = self.classes.iter().rposition(|around| around.name == class);
            return match depth {
                Some(depth) => self.this_at(depth),
                None => self.builder.slot(),
            };
        }
        if is_constant_name(self.builder.text(name)) {
            self.builder.note_path(node);
        }
        if let Some(path) = self.package_path(node) {
            return path;
        }
        let base = self.object(object);
        let name = self.builder.text(name);
        self.builder.load(base, name, at)
    }

    /// `com.acme.Orders`: a path that begins with a package.
    fn package_path(&mut self, node: Node<'t>) -> Option<Slot> {
        let mut first = node;
        while first.kind() == "field_access" {
            first = first.child_by_field_name("object")?;
        }
        let name = self.builder.text(first);
        if first.kind() != "identifier"
            || looks_like_type(name)
            || !matches!(self.find(name), Found::Nothing)
            || self.builder.is_variable(name)
        {
            return None;
        }
        let text = self.builder.text(node);
        if !text.split('.').skip(1).any(|part| looks_like_type(part.trim())) || text.contains(char::is_whitespace) {
            return None;
        }
        Some(self.path(text, line(node)))
    }

    fn array_access(&mut self, node: Node<'t>) -> Slot {
        let (Some(array), Some(index)) = (node.child_by_field_name("array"), node.child_by_field_name("index")) else {
            return self.builder.slot();
        };
        let base = self.expression(array);
        if self.is_prelude {
            return match self.builder.text(index) {
                "$" => self.builder.load_key(base, None, line(node)),
                _ => {
                    let key = self.expression(index);
                    self.builder.load_key_of(base, key, line(node))
                }
            };
        }
        if index.kind() == "decimal_integer_literal" {
            let key = self.builder.text(index);
            return self.builder.load_key(base, Some(key), line(node));
        }
        self.expression(index);
        self.builder.load_key(base, None, line(node))
    }

    /// Assigns a value to the left side.
    pub(super) fn assign(&mut self, left: Node<'t>, value: Slot) {
        match left.kind() {
            "identifier" => {
                let name = self.builder.text(left);
                match self.find(name) {
                    Found::Local(_) => self.builder.write(name, value),
                    Found::Field(depth, field) => {
                        let holder = if field.is_static {
                            self.class_at(depth)
                        } else {
                            self.receiver_at(depth)
                        };
                        self.builder.store(holder, name, value, line(left));
                    }
                    Found::Nothing => {
                        // A field of a base.
                        if let Some(depth) = (0..self.classes.len())
                            .rev()
                            .find(|depth| self.classes[*depth].has_bases)
                        {
                            let holder = self.receiver_at(depth);
                            self.builder.store(holder, name, value, line(left));
                        }
                    }
                }
            }
            "field_access" => {
                if let (Some(object), Some(name)) =
                    (left.child_by_field_name("object"), left.child_by_field_name("field"))
                {
                    let base = self.object(object);
                    let name = self.builder.text(name);
                    self.builder.store(base, name, value, line(left));
                }
            }
            "array_access" => {
                let (Some(array), Some(index)) = (left.child_by_field_name("array"), left.child_by_field_name("index"))
                else {
                    return;
                };
                let base = self.expression(array);
                if self.is_prelude {
                    match self.builder.text(index) {
                        "$" => self.builder.store_key(base, None, value, line(left)),
                        _ => {
                            let key = self.expression(index);
                            self.builder.store_key_of(base, key, value, line(left));
                        }
                    }
                } else if index.kind() == "decimal_integer_literal" {
                    let key = self.builder.text(index);
                    self.builder.store_key(base, Some(key), value, line(left));
                } else {
                    self.expression(index);
                    self.builder.store_key(base, None, value, line(left));
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = first_child(left) {
                    self.assign(inner, value);
                }
            }
            _ => {}
        }
    }

    fn ternary(&mut self, node: Node<'t>) -> Slot {
        let result = self.builder.slot();
        let condition = node.child_by_field_name("condition");
        let known = condition.and_then(|condition| self.constant(condition));
        if let Some(condition) = condition {
            self.expression(condition);
        }
        let before = self.builder.environment();
        let mut ways = Vec::new();
        for (part, wanted) in [("consequence", false), ("alternative", true)] {
            if known != Some(wanted)
                && let Some(part) = node.child_by_field_name(part)
            {
                self.builder.restore(&before);
                let value = self.expression(part);
                self.builder.copy(result, value);
                ways.push(self.builder.environment());
            }
        }
        self.builder.join(&ways);
        result
    }

    /// `a + b + c` nests to the left, as deep as it is long.
    fn binary(&mut self, node: Node<'t>) -> Slot {
        let mut operands = Vec::new();
        let mut current = Some(node);
        let mut adds_text = false;
        while let Some(inner) = current.filter(|inner| inner.kind() == "binary_expression") {
            operands.extend(inner.child_by_field_name("right"));
            current = inner.child_by_field_name("left");
        }
        operands.extend(current);
        operands.reverse();
        let operator = node
            .child_by_field_name("operator")
            .map_or("", |operator| operator.kind());
        for operand in &operands {
            adds_text |= operator == "+" && operand.kind() == "string_literal";
        }
        for operand in operands {
            let value = self.expression(operand);
            // What is joined to a text is asked for its own.
            if adds_text
                && matches!(operand.kind(), "identifier" | "this" | "object_creation_expression")
                && self.static_type(operand).is_none_or(|name| !is_data(name))
            {
                self.builder.call_method(value, "toString()", &[], line(operand));
            }
        }
        self.builder.slot()
    }

    /// What a condition always is, if the source says so.
    pub(super) fn constant(&self, condition: Node<'_>) -> Option<bool> {
        match condition.kind() {
            "true" => Some(true),
            "false" => Some(false),
            "parenthesized_expression" => self.constant(condition.named_child(0)?),
            "unary_expression" if self.builder.text(condition).starts_with('!') => self
                .constant(condition.child_by_field_name("operand")?)
                .map(|value| !value),
            _ => None,
        }
    }
}

/// Whether a name is one of a constant by convention.
fn is_constant_name(name: &str) -> bool {
    name.len() > 1 && name.starts_with(|first: char| first.is_uppercase()) && !name.contains(char::is_lowercase)
}
