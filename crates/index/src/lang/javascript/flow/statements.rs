//! Statements: blocks, branches, loops, exceptions, namespaces.

use crate::extract::{children_of_kind, has_child};
use crate::syntax::Node;

use super::classes::class;
use super::expressions::{expression, spelled};
use super::modules::{export_statement, import_statement, string_text};
use super::namespaces::{enumeration, namespace, namespace_of};
use super::narrowing::{by_guard, by_kind, narrow};
use super::patterns::assign;
use super::scopes::{hoist, hoist_functions, pattern_names};
use super::types::{interface, type_alias, type_value, typed};
use super::{Builder, children, line};

pub(super) fn block<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    builder.begin_block();
    hoist(builder, node, false);
    hoist_functions(builder, node);
    statements(builder, node);
    builder.end_block();
}

/// The body of a statement, which may be a single one.
pub(super) fn body_of<'t>(builder: &mut Builder<'t, '_>, node: Option<Node<'t>>) {
    if let Some(node) = node {
        statement(builder, node);
    }
}

pub(super) fn statements<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    if builder.enter() {
        for child in children(node) {
            if builder.is_dead() {
                break;
            }
            statement(builder, child);
        }
    }
    builder.leave();
}

pub(super) fn statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "statement_block" => block(builder, node),
        "expression_statement" => {
            if let Some(inner) = namespace_of(node) {
                namespace(builder, inner);
                return;
            }
            for child in children(node) {
                expression(builder, child);
                // `assertToken(value)` says what its argument is from here on.
                if child.kind() == "call_expression"
                    && child
                        .child_by_field_name("function")
                        .is_some_and(|function| builder.text(function).to_ascii_lowercase().contains("assert"))
                {
                    by_guard(builder, child);
                }
            }
        }
        "variable_declaration" | "lexical_declaration" => declaration(builder, node),
        // Hoisted.
        "function_declaration" | "generator_function_declaration" => {}
        "class_declaration" | "abstract_class_declaration" => {
            let value = class(builder, node);
            if let Some(name) = field("name") {
                let name = builder.text(name);
                builder.write(name, value);
            }
        }
        "enum_declaration" => enumeration(builder, node),
        "interface_declaration" => interface(builder, node),
        "type_alias_declaration" => type_alias(builder, node),
        "import_alias" => {
            if let [name, path] = children(node)[..]
                && let Some(value) = type_value(builder, path)
            {
                let name = builder.text(name);
                builder.write(name, value);
            }
        }
        "internal_module" | "module" => namespace(builder, node),
        "return_statement" => {
            for value in children(node) {
                let value = spelled(builder, value);
                builder.give_back(value);
            }
            builder.stop();
        }
        "throw_statement" => {
            for value in children(node) {
                let value = expression(builder, value);
                builder.throw(value);
            }
            builder.stop();
        }
        "if_statement" => if_statement(builder, node),
        "for_statement" => {
            builder.begin_block();
            if let Some(initializer) = field("initializer") {
                hoist_declaration(builder, initializer);
                statement(builder, initializer);
            }
            let rounds = builder.begin_loop(node.byte_range());
            if let Some(condition) = field("condition") {
                statement_or_expression(builder, condition);
            }
            body_of(builder, field("body"));
            if let Some(increment) = field("increment")
                && !builder.is_dead()
            {
                expression(builder, increment);
            }
            builder.end_loop(&rounds, false);
            builder.end_block();
        }
        "for_in_statement" => for_in(builder, node),
        "while_statement" => {
            let known = field("condition").and_then(|condition| constant(builder, condition));
            if known == Some(false) {
                return;
            }
            let rounds = builder.begin_loop(node.byte_range());
            if let Some(condition) = field("condition") {
                expression(builder, condition);
            }
            body_of(builder, field("body"));
            builder.end_loop(&rounds, known == Some(true));
        }
        "do_statement" => {
            let rounds = builder.begin_loop(node.byte_range());
            body_of(builder, field("body"));
            if let Some(condition) = field("condition")
                && !builder.is_dead()
            {
                expression(builder, condition);
            }
            builder.end_loop(&rounds, false);
        }
        "try_statement" => try_statement(builder, node),
        "switch_statement" => switch_statement(builder, node),
        "labeled_statement" => {
            if let Some(label) = field("label") {
                let label = builder.text(label);
                builder.label_next(label);
            }
            body_of(builder, field("body"));
        }
        "break_statement" => {
            let label = field("label").map_or("", |label| builder.text(label));
            builder.break_loop(label);
        }
        "continue_statement" => {
            let label = field("label").map_or("", |label| builder.text(label));
            builder.continue_loop(label);
        }
        "import_statement" => import_statement(builder, node),
        "export_statement" => export_statement(builder, node),
        "ambient_declaration" => {
            for inner in children(node) {
                statement(builder, inner);
            }
        }
        "function_signature" | "empty_statement" | "comment" | "hash_bang_line" => {}
        "with_statement" => body_of(builder, field("body")),
        _ => {
            expression(builder, node);
        }
    }
}

pub(super) fn statement_or_expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    statement(builder, node);
}

pub(super) fn hoist_declaration<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    if node.kind() != "lexical_declaration" {
        return;
    }
    for declarator in children_of_kind(node, &["variable_declarator"]) {
        if let Some(name) = declarator.child_by_field_name("name") {
            let mut names = Vec::new();
            pattern_names(name, &mut |name| names.push(name));
            for name in names {
                let name = builder.text(name);
                builder.declare(name);
            }
        }
    }
}

pub(super) fn declaration<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    for declarator in children_of_kind(node, &["variable_declarator"]) {
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let declared = declarator.child_by_field_name("type");
        let value = match declarator.child_by_field_name("value") {
            Some(value) => spelled(builder, value),
            None if declared.is_some() => builder.slot(),
            None => continue,
        };
        let value = typed(builder, value, declared);
        assign(builder, name, value);
    }
}

/// What a condition always is, if the source says so.
pub(super) fn constant(builder: &Builder<'_, '_>, condition: Node<'_>) -> Option<bool> {
    match condition.kind() {
        "true" => Some(true),
        "false" | "null" | "undefined" => Some(false),
        "number" => Some(
            builder
                .text(condition)
                .chars()
                .any(|digit| digit.is_ascii_digit() && digit != '0'),
        ),
        "parenthesized_expression" => constant(builder, condition.named_child(0)?),
        "unary_expression" if builder.text(condition).starts_with('!') => {
            constant(builder, condition.child_by_field_name("argument")?).map(|value| !value)
        }
        _ => None,
    }
}

pub(super) fn if_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    // `else if` nests to the right, as deep as it is long.
    let mut ways = Vec::new();
    let mut current = Some(node);
    while let Some(clause) = current.take() {
        let known = clause
            .child_by_field_name("condition")
            .and_then(|condition| constant(builder, condition));
        if let Some(condition) = clause.child_by_field_name("condition")
            && known.is_none()
        {
            expression(builder, condition);
        }
        if known != Some(false) {
            let before = builder.environment();
            if let Some(condition) = clause.child_by_field_name("condition") {
                narrow(builder, condition, true);
            }
            body_of(builder, clause.child_by_field_name("consequence"));
            ways.push(builder.environment());
            builder.restore(&before);
        }
        if known == Some(true) {
            break;
        }
        if let Some(condition) = clause.child_by_field_name("condition") {
            narrow(builder, condition, false);
        }
        let alternative = clause
            .child_by_field_name("alternative")
            .and_then(|otherwise| children(otherwise).first().copied());
        match alternative {
            Some(next) if next.kind() == "if_statement" => current = Some(next),
            Some(body) => {
                statement(builder, body);
                ways.push(builder.environment());
            }
            None => ways.push(builder.environment()),
        }
    }
    builder.join(&ways);
}

pub(super) fn for_in<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return;
    };
    let values = expression(builder, right);
    builder.begin_block();
    if node
        .child_by_field_name("kind")
        .is_some_and(|kind| kind.kind() != "var")
    {
        let mut names = Vec::new();
        pattern_names(left, &mut |name| names.push(name));
        for name in names {
            let name = builder.text(name);
            builder.declare(name);
        }
    }
    let rounds = builder.begin_loop(node.byte_range());
    let of = node
        .child_by_field_name("operator")
        .is_some_and(|operator| operator.kind() == "of");
    let element = match (of, has_child(node, "await")) {
        (true, false) => builder.iterate(values, line(node)),
        (true, true) => {
            let element = builder.iterate_waiting(values, line(node));
            builder.wait_for(element, line(node))
        }
        // `in` goes over names.
        (false, _) => builder.slot(),
    };
    assign(builder, left, element);
    body_of(builder, node.child_by_field_name("body"));
    builder.end_loop(&rounds, false);
    builder.end_block();
}

pub(super) fn try_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let before = builder.environment();
    let handler = node.child_by_field_name("handler");
    let caught = handler.map(|_| builder.begin_catch());
    body_of(builder, node.child_by_field_name("body"));
    if caught.is_some() {
        builder.end_catch();
    }
    let after = builder.environment();
    let mut ways = vec![after.clone()];
    if let (Some(handler), Some(caught)) = (handler, caught) {
        builder.join(&[before.clone(), after]);
        if builder.is_dead() {
            builder.restore(&before);
        }
        builder.begin_block();
        if let Some(parameter) = handler.child_by_field_name("parameter") {
            let mut names = Vec::new();
            pattern_names(parameter, &mut |name| names.push(name));
            for name in names {
                let name = builder.text(name);
                builder.declare(name);
            }
            assign(builder, parameter, caught);
        }
        body_of(builder, handler.child_by_field_name("body"));
        builder.end_block();
        ways.push(builder.environment());
    }
    builder.join(&ways);
    if let Some(finalizer) = node.child_by_field_name("finalizer") {
        let was_dead = builder.is_dead();
        if was_dead {
            builder.restore(&before);
        }
        body_of(builder, finalizer.child_by_field_name("body"));
        if was_dead {
            builder.stop();
        }
    }
}

pub(super) fn switch_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let mut chosen = None;
    if let Some(value) = node.child_by_field_name("value") {
        expression(builder, value);
        chosen = match value.kind() {
            "parenthesized_expression" => children(value).first().copied(),
            _ => Some(value),
        };
    }
    let Some(body) = node.child_by_field_name("body") else {
        return;
    };
    builder.begin_block();
    let cases = children_of_kind(body, &["switch_case", "switch_default"]);
    for case in &cases {
        hoist(builder, *case, false);
        hoist_functions(builder, *case);
    }
    // A switch is left by `break`, as a loop is.
    builder.begin_loop(0..0);
    let before = builder.environment();
    let mut has_default = false;
    let mut refused = Vec::new();
    let mut fallen: Option<crate::flow::Environment> = None;
    for case in cases {
        has_default |= case.kind() == "switch_default";
        builder.restore(&before);
        let value = case.child_by_field_name("value");
        if let Some(value) = value {
            expression(builder, value);
        }
        match (chosen, value) {
            (Some(chosen), Some(value)) if value.kind() == "string" => {
                let literal = string_text(builder, value);
                by_kind(builder, chosen, literal, true);
                refused.push(literal);
            }
            (Some(chosen), None) => {
                for literal in &refused {
                    by_kind(builder, chosen, literal, false);
                }
            }
            _ => {}
        }
        let mut ways = vec![builder.environment()];
        ways.extend(fallen.take());
        builder.join(&ways);
        for child in children(case) {
            if Some(child) != value && !builder.is_dead() {
                statement(builder, child);
            }
        }
        fallen = Some(builder.environment());
    }
    let mut ways: Vec<_> = fallen.into_iter().collect();
    if !has_default {
        ways.push(before);
    }
    builder.join(&ways);
    builder.end_switch();
    builder.end_block();
}
