//! Statements: blocks, branches, loops, exceptions.

use crate::extract::{child_of_kind, children_of_kind};
use crate::flow::Slot;
use crate::syntax::Node;

use super::names::declared_type;
use super::{Lowering, children, first_child, line};

impl<'t> Lowering<'t, '_, '_> {
    pub(super) fn block(&mut self, node: Node<'t>) {
        self.in_block(|lowering| lowering.statements(node));
    }

    pub(super) fn statements(&mut self, node: Node<'t>) {
        if self.builder.enter() {
            for child in node.named_children() {
                if self.builder.is_dead() {
                    break;
                }
                self.statement(child);
            }
        }
        self.builder.leave();
    }

    fn body_of(&mut self, node: Option<Node<'t>>) {
        if let Some(node) = node {
            self.in_block(|lowering| lowering.statement(node));
        }
    }

    pub(super) fn statement(&mut self, node: Node<'t>) {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "block" => self.block(node),
            "expression_statement" => {
                if let Some(inner) = first_child(node) {
                    self.expression(inner);
                }
            }
            "local_variable_declaration" => self.local(node),
            "return_statement" => {
                if let Some(value) = first_child(node) {
                    let slot = self.expression(value);
                    let declared = self.results.last().copied().flatten();
                    if !declared.is_some_and(|declared| self.is_data_type(declared)) {
                        let slot = self.as_result(value, slot);
                        self.builder.give_back(slot);
                    }
                }
                self.builder.stop();
            }
            "throw_statement" => {
                if let Some(value) = first_child(node) {
                    let value = self.expression(value);
                    self.builder.throw(value);
                }
                self.builder.stop();
            }
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node),
            "enhanced_for_statement" => self.for_each(node),
            "while_statement" => self.while_statement(node),
            "do_statement" => {
                let rounds = self.builder.begin_loop(node.byte_range());
                self.body_of(field("body"));
                if let Some(condition) = field("condition")
                    && !self.builder.is_dead()
                {
                    self.expression(condition);
                }
                self.builder.end_loop(&rounds, false);
            }
            "try_statement" | "try_with_resources_statement" => self.try_statement(node),
            "switch_expression" => {
                self.switch(node);
            }
            "yield_statement" => {
                if let Some(value) = first_child(node) {
                    let value = self.expression(value);
                    if let Some(target) = self.yields.last().copied() {
                        self.builder.copy(target, value);
                    }
                }
                self.builder.break_loop(super::switches::SWITCH);
            }
            "labeled_statement" => {
                let parts = children(node);
                if let [label, body] = parts[..] {
                    let label = self.builder.text(label);
                    self.builder.label_next(label);
                    self.statement(body);
                }
            }
            "break_statement" => {
                let label = first_child(node).map_or("", |label| self.builder.text(label));
                self.builder.break_loop(label);
            }
            "continue_statement" => {
                let label = first_child(node).map_or("", |label| self.builder.text(label));
                self.builder.continue_loop(label);
            }
            "synchronized_statement" => {
                if let Some(lock) = child_of_kind(node, &["parenthesized_expression"]) {
                    self.expression(lock);
                }
                self.body_of(field("body"));
            }
            "explicit_constructor_invocation" => self.explicit_constructor(node),
            "class_declaration" | "record_declaration" | "interface_declaration" | "enum_declaration" => {
                if let Some(name) = declared_type(node) {
                    let name = self.builder.text(name);
                    self.builder.declare(name);
                    let yields = std::mem::take(&mut self.yields);
                    let (slot, _) = self.class(node);
                    self.yields = yields;
                    self.builder.write(name, slot);
                }
            }
            "line_comment" | "block_comment" | ";" => {}
            "assert_statement" => {
                for part in children(node) {
                    self.expression(part);
                }
            }
            _ => {
                self.expression(node);
            }
        }
    }

    /// What a function gives is what it is declared to give, where the source leaves that open.
    fn as_result(&mut self, value: Node<'t>, slot: Slot) -> Slot {
        if !matches!(
            value.kind(),
            "lambda_expression" | "method_reference" | "ternary_expression" | "identifier" | "switch_expression"
        ) {
            return slot;
        }
        match self.results.last().copied().flatten() {
            Some(declared) => match self.narrowing_type(declared) {
                Some(class) => self.builder.narrow(slot, class, false),
                None => slot,
            },
            None => slot,
        }
    }

    fn local(&mut self, node: Node<'t>) {
        let declared = node.child_by_field_name("type");
        let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator").collect();
        for declarator in declarators {
            let Some(name) = declarator.child_by_field_name("name") else {
                continue;
            };
            let name = self.builder.text(name);
            let value = declarator.child_by_field_name("value");
            let mut type_name = declared.and_then(|declared| self.type_name(declared));
            let is_inferred = declared.is_some_and(|declared| self.builder.text(declared) == "var");
            if is_inferred {
                type_name = value
                    .and_then(|value| self.static_type(value))
                    .filter(|name| !name.starts_with("->"));
            }
            let slot = value.map(|value| self.initial_value(value, declared));
            self.declare_local(name, type_name);
            match (slot, declared.filter(|_| !is_inferred)) {
                (Some(slot), Some(declared)) => {
                    let is_known = value.is_some_and(is_made_here) && declared.kind() == "type_identifier";
                    let slot = if is_known { slot } else { self.typed(slot, declared) };
                    self.builder.write(name, slot);
                }
                (Some(slot), None) => self.builder.write(name, slot),
                (None, _) => {}
            }
        }
    }

    fn if_statement(&mut self, node: Node<'t>) {
        // `else if` nests to the right, as deep as it is long.
        let mut ways = Vec::new();
        let mut current = Some(node);
        while let Some(clause) = current.take() {
            let condition = clause.child_by_field_name("condition");
            let known = condition.and_then(|condition| self.constant(condition));
            if let Some(condition) = condition
                && known.is_none()
            {
                self.expression(condition);
            }
            if known != Some(false) {
                let before = self.builder.environment();
                self.body_of(clause.child_by_field_name("consequence"));
                ways.push(self.builder.environment());
                self.builder.restore(&before);
            }
            if known == Some(true) {
                break;
            }
            match clause.child_by_field_name("alternative") {
                Some(next) if next.kind() == "if_statement" => current = Some(next),
                Some(body) => {
                    self.body_of(Some(body));
                    ways.push(self.builder.environment());
                }
                None => ways.push(self.builder.environment()),
            }
        }
        self.builder.join(&ways);
    }

    fn for_statement(&mut self, node: Node<'t>) {
        self.in_block(|lowering| {
            let parts: Vec<Node<'t>> = node.children_by_field_name("init").collect();
            for part in parts {
                lowering.statement(part);
            }
            let rounds = lowering.builder.begin_loop(node.byte_range());
            let mut known = None;
            if let Some(condition) = node.child_by_field_name("condition") {
                known = lowering.constant(condition);
                lowering.expression(condition);
            } else {
                known = known.or(Some(true));
            }
            lowering.body_of(node.child_by_field_name("body"));
            if !lowering.builder.is_dead() {
                let updates: Vec<Node<'t>> = node.children_by_field_name("update").collect();
                for update in updates {
                    lowering.expression(update);
                }
            }
            lowering.builder.end_loop(&rounds, known == Some(true));
        });
    }

    fn while_statement(&mut self, node: Node<'t>) {
        let condition = node.child_by_field_name("condition");
        let known = condition.and_then(|condition| self.constant(condition));
        if known == Some(false) {
            return;
        }
        let rounds = self.builder.begin_loop(node.byte_range());
        if let Some(condition) = condition {
            self.expression(condition);
        }
        self.body_of(node.child_by_field_name("body"));
        self.builder.end_loop(&rounds, known == Some(true));
    }

    fn for_each(&mut self, node: Node<'t>) {
        let (Some(values), Some(name)) = (node.child_by_field_name("value"), node.child_by_field_name("name")) else {
            return;
        };
        let at = line(values);
        let values = self.expression(values);
        self.in_block(|lowering| {
            let rounds = lowering.builder.begin_loop(node.byte_range());
            let element = lowering.builder.iterate(values, at);
            let declared = node.child_by_field_name("type");
            let value = match declared {
                Some(declared) => lowering.typed(element, declared),
                None => element,
            };
            let type_name = declared.and_then(|declared| lowering.type_name(declared));
            let name = lowering.builder.text(name);
            lowering.declare_local(name, type_name);
            lowering.builder.write(name, value);
            lowering.body_of(node.child_by_field_name("body"));
            lowering.builder.end_loop(&rounds, false);
        });
    }

    fn try_statement(&mut self, node: Node<'t>) {
        let before = self.builder.environment();
        let handlers = children_of_kind(node, &["catch_clause"]);
        let caught = (!handlers.is_empty()).then(|| self.builder.begin_catch());
        self.in_block(|lowering| {
            let mut resources = Vec::new();
            if let Some(list) = node.child_by_field_name("resources") {
                for resource in children_of_kind(list, &["resource"]) {
                    resources.push((lowering.resource(resource), line(resource)));
                }
            }
            lowering.body_of(node.child_by_field_name("body"));
            let is_dead = lowering.builder.is_dead();
            // What was opened last is closed first.
            for (resource, at) in resources.into_iter().rev() {
                lowering.builder.call_method(resource, "close()", &[], at);
            }
            if is_dead {
                lowering.builder.stop();
            }
        });
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
            self.in_block(|lowering| {
                if let (Some(parameter), Some(caught)) = (child_of_kind(handler, &["catch_formal_parameter"]), caught) {
                    lowering.caught(parameter, caught);
                }
                lowering.body_of(handler.child_by_field_name("body"));
            });
            ways.push(self.builder.environment());
        }
        self.builder.join(&ways);
        if let Some(last) = child_of_kind(node, &["finally_clause"]) {
            let was_dead = self.builder.is_dead();
            if was_dead {
                self.builder.restore(&before);
            }
            self.body_of(first_child(last));
            if was_dead {
                self.builder.stop();
            }
        }
    }

    /// `Type name = value`, or a variable that is there.
    fn resource(&mut self, resource: Node<'t>) -> Slot {
        let (Some(name), Some(value)) = (
            resource.child_by_field_name("name"),
            resource.child_by_field_name("value"),
        ) else {
            return match first_child(resource) {
                Some(inner) => self.expression(inner),
                None => self.builder.slot(),
            };
        };
        let declared = resource
            .child_by_field_name("type")
            .filter(|declared| self.builder.text(*declared) != "var");
        let slot = self.expression(value);
        let slot = match declared {
            Some(declared) => self.typed(slot, declared),
            None => slot,
        };
        let type_name = declared.and_then(|declared| self.type_name(declared));
        let name = self.builder.text(name);
        self.declare_local(name, type_name);
        self.builder.write(name, slot);
        slot
    }

    /// What a handler catches: what is thrown and of one of its types.
    fn caught(&mut self, parameter: Node<'t>, caught: Slot) {
        let Some(name) = parameter.child_by_field_name("name") else {
            return;
        };
        let types = child_of_kind(parameter, &["catch_type"]).map_or_else(Vec::new, children);
        let value = self.builder.slot();
        for declared in &types {
            if let Some(class) = self.type_value(*declared) {
                let narrowed = self.builder.narrow(caught, class, false);
                self.builder.copy(value, narrowed);
                self.builder.hint(value, class);
            }
        }
        let type_name = match types[..] {
            [only] => self.type_name(only),
            _ => None,
        };
        let name = self.builder.text(name);
        self.declare_local(name, type_name);
        self.builder.write(name, value);
    }

    /// Notes where the variables of a body are written, for its loops.
    pub(super) fn note_writes(&mut self, body: Node<'t>) {
        let text = self.builder.text(body);
        if !text.contains("for") && !text.contains("while") && !text.contains("do") {
            return;
        }
        let mut found: Vec<(usize, &'t str)> = Vec::new();
        let mut waiting = vec![body];
        while let Some(node) = waiting.pop() {
            let target = match node.kind() {
                "lambda_expression" | "class_body" | "class_declaration" => continue,
                "assignment_expression" => node.child_by_field_name("left"),
                "enhanced_for_statement" | "variable_declarator" => node.child_by_field_name("name"),
                _ => None,
            };
            if let Some(target) = target.filter(|target| target.kind() == "identifier") {
                found.push((target.start_byte(), self.builder.text(target)));
            }
            waiting.extend(node.named_children());
        }
        found.sort_unstable_by_key(|(byte, _)| *byte);
        for (byte, name) in found {
            self.builder.note_write(byte, name);
        }
    }
}

/// Whether an expression says itself what its value is.
fn is_made_here(value: Node<'_>) -> bool {
    matches!(
        value.kind(),
        "object_creation_expression"
            | "string_literal"
            | "decimal_integer_literal"
            | "true"
            | "false"
            | "null_literal"
            | "character_literal"
            | "decimal_floating_point_literal"
    )
}
