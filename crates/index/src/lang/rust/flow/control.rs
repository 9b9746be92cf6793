//! Blocks, branches and loops, all of which have values.

use crate::extract::child_of_kind;
use crate::flow::{Environment, Named, Slot};
use crate::syntax::Node;

use super::calls::makes_counted;
use super::expressions::{expression, expression_for};
use super::functions::RESULT;
use super::items::{is_item, items};
use super::patterns::{bind, guard};
use super::types::{expected_of, is_counted, typed};
use super::{Builder, children, line, plain};

/// What a loop is left with.
const LOOP: &str = "<loop>";

/// The value of a block: that of its last expression.
pub(super) fn block_value<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    builder.begin_block();
    items(builder, node);
    let label = child_of_kind(node, &["label"]);
    let mut result = None;
    let rounds = label.map(|label| {
        builder.label_next(builder.text(label));
        let slot = builder.slot();
        builder.declare_anew(LOOP);
        builder.write(LOOP, slot);
        result = Some(slot);
        builder.begin_loop_writing(&[])
    });
    let parts = children(node);
    let mut value = None;
    for (at, part) in parts.iter().enumerate() {
        if builder.is_dead() {
            break;
        }
        let is_last = at + 1 == parts.len();
        match part.kind() {
            kind if is_item(kind) => {}
            "let_declaration" => let_declaration(builder, *part),
            "expression_statement" => {
                let ends = part
                    .child(part.child_count().saturating_sub(1))
                    .is_some_and(|last| last.kind() == ";");
                if let Some(inner) = children(*part).first() {
                    let wanted = expected.filter(|_| is_last && !ends);
                    let found = expression_for(builder, *inner, wanted);
                    value = (is_last && !ends).then_some(found);
                }
            }
            "empty_statement" | "label" => {}
            _ => {
                let found = expression_for(builder, *part, expected.filter(|_| is_last));
                value = is_last.then_some(found);
            }
        }
    }
    if rounds.is_some() {
        builder.end_switch();
        let slot = result.unwrap_or_else(|| builder.slot());
        if let Some(value) = value {
            builder.copy(slot, value);
        }
        value = Some(slot);
    }
    builder.end_block();
    value.unwrap_or_else(|| builder.slot())
}

fn let_declaration<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let declared = node.child_by_field_name("type");
    let expected = declared.and_then(|declared| expected_of(builder, declared));
    let mut value = match node.child_by_field_name("value") {
        Some(value) => expression_for(builder, value, expected),
        None => builder.slot(),
    };
    if let Some(declared) = declared {
        value = typed(builder, value, declared);
    }
    if let Some(otherwise) = node.child_by_field_name("alternative") {
        let before = builder.environment();
        block_value(builder, otherwise, None);
        builder.restore(&before);
    }
    let Some(pattern) = node.child_by_field_name("pattern") else {
        return;
    };
    // A variable without a value gets one later, in some branch.
    if node.child_by_field_name("value").is_none() && pattern.kind() == "identifier" && declared.is_none() {
        let name = plain(builder.text(pattern));
        builder.declare_anew(name);
        return;
    }
    bind(builder, pattern, value);
    if pattern.kind() == "identifier" {
        let made = node.child_by_field_name("value");
        let is_pointer = declared.is_some_and(|declared| is_counted(builder, declared))
            || made.is_some_and(|made| makes_counted(builder, made));
        if is_pointer {
            let name = plain(builder.text(pattern));
            builder.mark(name, Named::Counted);
        }
    }
}

/// A condition, and what its patterns bind.
pub(super) fn condition<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    if builder.enter() {
        lower_condition(builder, node);
    }
    builder.leave();
}

fn lower_condition<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    match node.kind() {
        "let_condition" => {
            let value = match node.child_by_field_name("value") {
                Some(value) => expression(builder, value),
                None => builder.slot(),
            };
            if let Some(pattern) = node.child_by_field_name("pattern") {
                bind(builder, pattern, value);
            }
        }
        "let_chain" => {
            for part in children(node) {
                condition(builder, part);
            }
        }
        "binary_expression"
            if node
                .child_by_field_name("operator")
                .is_some_and(|sign| sign.kind() == "&&") =>
        {
            for side in ["left", "right"] {
                if let Some(part) = node.child_by_field_name(side) {
                    condition(builder, part);
                }
            }
        }
        "parenthesized_expression" => {
            for part in children(node) {
                condition(builder, part);
            }
        }
        _ => {
            expression(builder, node);
        }
    }
}

/// What a condition is, if the source spells it.
fn constant<'t>(builder: &Builder<'t, '_>, condition: Option<Node<'t>>) -> Option<bool> {
    match condition.map(|condition| builder.text(condition))? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

pub(super) fn if_value<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    let result = builder.slot();
    let tested = node.child_by_field_name("condition");
    let known = constant(builder, tested);
    builder.begin_block();
    if let Some(tested) = tested {
        condition(builder, tested);
    }
    let before = builder.environment();
    if let Some(then) = node.child_by_field_name("consequence").filter(|_| known != Some(false)) {
        let value = block_value(builder, then, expected);
        builder.copy(result, value);
    }
    builder.end_block();
    let after = builder.environment();
    builder.restore(&before);
    let otherwise = node
        .child_by_field_name("alternative")
        .and_then(|clause| children(clause).first().copied());
    if let Some(otherwise) = otherwise.filter(|_| known != Some(true)) {
        let value = expression_for(builder, otherwise, expected);
        builder.copy(result, value);
    }
    let other = builder.environment();
    match known {
        Some(true) => builder.restore(&after),
        Some(false) => builder.restore(&other),
        None => builder.join(&[after, other]),
    }
    result
}

pub(super) fn match_value<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    let result = builder.slot();
    let subject = match node.child_by_field_name("value") {
        Some(value) => expression(builder, value),
        None => builder.slot(),
    };
    let before = builder.environment();
    let mut ways: Vec<Environment> = Vec::new();
    for arm in node.child_by_field_name("body").map_or_else(Vec::new, children) {
        if arm.kind() != "match_arm" {
            continue;
        }
        builder.restore(&before);
        builder.begin_block();
        if let Some(pattern) = arm.child_by_field_name("pattern") {
            bind(builder, pattern, subject);
            guard(builder, pattern);
        }
        if let Some(value) = arm.child_by_field_name("value") {
            let value = expression_for(builder, value, expected);
            builder.copy(result, value);
        }
        builder.end_block();
        ways.push(builder.environment());
    }
    if ways.is_empty() {
        return result;
    }
    builder.join(&ways);
    result
}

/// The variables that are written in a part of the source, but for what runs later.
fn written<'t>(builder: &Builder<'t, '_>, part: Node<'t>) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut cursor = part.walk();
    loop {
        let node = cursor.node();
        let kind = node.kind();
        if matches!(kind, "assignment_expression" | "compound_assignment_expr")
            && let Some(left) = node.child_by_field_name("left")
        {
            let mut waiting = vec![left];
            while let Some(place) = waiting.pop() {
                match place.kind() {
                    "identifier" => names.push(plain(builder.text(place))),
                    "tuple_expression" | "parenthesized_expression" | "unary_expression" => {
                        waiting.extend(children(place));
                    }
                    _ => {}
                }
            }
        }
        let enters = !matches!(kind, "closure_expression" | "function_item" | "token_tree");
        if enters && cursor.goto_first_child() {
            continue;
        }
        loop {
            if cursor.node() == part {
                return names;
            }
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return names;
            }
        }
    }
}

/// Opens a loop; what it is left with comes to a slot.
fn open_loop<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> (Slot, Vec<(usize, Slot)>) {
    let result = builder.slot();
    builder.begin_block();
    builder.declare_anew(LOOP);
    builder.write(LOOP, result);
    if let Some(label) = child_of_kind(node, &["label"]) {
        let label = builder.text(label);
        builder.label_next(label);
    }
    let names = written(builder, node);
    let rounds = builder.begin_loop_writing(&names);
    (result, rounds)
}

pub(super) fn loop_value<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (result, rounds) = open_loop(builder, node);
    if let Some(body) = node.child_by_field_name("body") {
        block_value(builder, body, None);
    }
    builder.end_loop(&rounds, true);
    builder.end_block();
    result
}

pub(super) fn while_loop<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (result, rounds) = open_loop(builder, node);
    let tested = node.child_by_field_name("condition");
    if let Some(tested) = tested {
        condition(builder, tested);
    }
    if let Some(body) = node
        .child_by_field_name("body")
        .filter(|_| constant(builder, tested) != Some(false))
    {
        block_value(builder, body, None);
    }
    builder.end_loop(&rounds, constant(builder, tested) == Some(true));
    builder.end_block();
    result
}

pub(super) fn for_loop<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let values = match node.child_by_field_name("value") {
        Some(value) => expression(builder, value),
        None => builder.slot(),
    };
    let (result, rounds) = open_loop(builder, node);
    let element = builder.iterate(values, line(node));
    if let Some(pattern) = node.child_by_field_name("pattern") {
        bind(builder, pattern, element);
    }
    if let Some(body) = node.child_by_field_name("body") {
        block_value(builder, body, None);
    }
    builder.end_loop(&rounds, false);
    builder.end_block();
    result
}

pub(super) fn give_back<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    if let Some(value) = children(node).first() {
        let expected = builder.is_variable(RESULT).then(|| builder.read(RESULT));
        let value = expression_for(builder, *value, expected);
        builder.give_back(value);
    }
    builder.stop();
    builder.slot()
}

fn label_of<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> &'t str {
    child_of_kind(node, &["label"]).map_or("", |label| builder.text(label))
}

pub(super) fn break_out<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let value = children(node).into_iter().find(|child| child.kind() != "label");
    if let Some(value) = value {
        let value = expression(builder, value);
        if builder.is_written(LOOP) {
            let result = builder.read(LOOP);
            builder.copy(result, value);
        }
    }
    let label = label_of(builder, node);
    builder.break_loop(label);
    builder.slot()
}

pub(super) fn go_on<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let label = label_of(builder, node);
    builder.continue_loop(label);
    builder.slot()
}
