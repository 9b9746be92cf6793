//! Statements: branches and loops, exceptions, context managers.

use super::assignments::assign;
use super::definitions::{definition, member_name};
use super::expressions::{children, expression, implicit_call};
use super::patterns::match_statement;
use super::scopes::{import_from, import_statement};
use super::{Builder, line};
use crate::extract::{child_of_kind, children_of_kind, has_child};
use crate::flow::Slot;
use crate::syntax::Node;
use lore_model::FlowFlags;

pub(super) fn statements<'t>(builder: &mut Builder<'t, '_>, block: Node<'t>) {
    if builder.enter() {
        let children: Vec<Node<'t>> = block.named_children().collect();
        for statement in children {
            if builder.is_dead() {
                break;
            }
            self::statement(builder, statement);
        }
    }
    builder.leave();
}

pub(super) fn statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    match node.kind() {
        "expression_statement" => {
            let children: Vec<Node<'t>> = node.named_children().collect();
            for child in children {
                expression(builder, child);
            }
        }
        "function_definition" | "class_definition" => definition(builder, node, node),
        "decorated_definition" => {
            if let Some(inner) = node.child_by_field_name("definition") {
                definition(builder, inner, node);
            }
        }
        "assert_statement" => {
            let parts = children(node);
            for part in &parts {
                expression(builder, *part);
            }
            if let Some(condition) = parts.first() {
                narrow(builder, *condition);
            }
        }
        "return_statement" => {
            if let Some(value) = node.named_child(0) {
                let value = expression(builder, value);
                builder.give_back(value);
            }
            builder.stop();
        }
        "raise_statement" => {
            let children: Vec<Node<'t>> = node.named_children().collect();
            for child in children {
                let raised = expression(builder, child);
                if matches!(child.kind(), "identifier" | "attribute") {
                    // `raise Error` makes an instance; an instance that is raised again is not called.
                    builder.call(raised, &[], line(child), FlowFlags::IMPLICIT);
                }
                // A class is raised as an instance of it.
                let thrown = builder.slot();
                let made = builder.narrow(raised, thrown, false);
                builder.copy(thrown, made);
                builder.hint(thrown, raised);
                builder.throw(thrown);
            }
            builder.stop();
        }
        "if_statement" => if_statement(builder, node),
        "while_statement" => while_statement(builder, node),
        "for_statement" => for_statement(builder, node),
        "try_statement" => try_statement(builder, node),
        "with_statement" => with_statement(builder, node),
        "match_statement" => match_statement(builder, node),
        "delete_statement" => delete(builder, node),
        "import_statement" => import_statement(builder, node),
        "import_from_statement" => import_from(builder, node),
        "break_statement" => builder.break_loop(""),
        "continue_statement" => builder.continue_loop(""),
        "global_statement"
        | "nonlocal_statement"
        | "pass_statement"
        | "comment"
        | "future_import_statement"
        | "type_alias_statement" => {}
        "block" => statements(builder, node),
        _ => {
            let children: Vec<Node<'t>> = node.named_children().collect();
            for child in children {
                expression(builder, child);
            }
        }
    }
}

/// `del x.a` and `del x[k]` run what the class of `x` says.
pub(super) fn delete<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let mut waiting = children(node);
    while let Some(target) = waiting.pop() {
        match target.kind() {
            "attribute" => {
                let (Some(object), Some(attribute)) = (
                    target.child_by_field_name("object"),
                    target.child_by_field_name("attribute"),
                ) else {
                    continue;
                };
                let base = expression(builder, object);
                let accessor = format!("{}:delete", member_name(builder, attribute));
                implicit_call(builder, base, &accessor, &[], line(target));
            }
            "subscript" => {
                let Some(value) = target.child_by_field_name("value") else {
                    continue;
                };
                let base = expression(builder, value);
                implicit_call(builder, base, "__delitem__", &[], line(target));
            }
            "expression_list" | "tuple" | "list" | "parenthesized_expression" => waiting.extend(children(target)),
            _ => {}
        }
    }
}

/// What a condition always is, if the source says so.
pub(super) fn constant(builder: &Builder<'_, '_>, condition: Node<'_>) -> Option<bool> {
    match condition.kind() {
        "true" => Some(true),
        "false" | "none" => Some(false),
        "integer" => Some(
            builder
                .text(condition)
                .chars()
                .any(|digit| digit.is_ascii_digit() && digit != '0'),
        ),
        "parenthesized_expression" => constant(builder, condition.named_child(0)?),
        "not_operator" => constant(builder, condition.child_by_field_name("argument")?).map(|value| !value),
        _ => None,
    }
}

/// Whether a condition holds for type checkers only: nothing below it runs, but its imports name types.
pub(super) fn for_type_checkers(builder: &Builder<'_, '_>, condition: Node<'_>) -> bool {
    let text = builder.text(condition);
    text == "TYPE_CHECKING" || text.ends_with(".TYPE_CHECKING")
}

/// Code for type checkers never runs, but its imports and definitions name types.
pub(super) fn names_for_types<'t>(builder: &mut Builder<'t, '_>, block: Node<'t>) {
    let named = [
        "import_statement",
        "import_from_statement",
        "class_definition",
        "function_definition",
        "decorated_definition",
    ];
    for statement in children_of_kind(block, &named) {
        self::statement(builder, statement);
    }
}

pub(super) fn if_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let mut ways = Vec::new();
    let mut clauses = vec![node];
    clauses.extend(children_of_kind(node, &["elif_clause"]));
    let mut decided = false;
    let denied = node
        .child_by_field_name("condition")
        .filter(|condition| condition.kind() == "not_operator")
        .and_then(|condition| condition.child_by_field_name("argument"));
    for clause in clauses {
        let (Some(condition), Some(body)) = (
            clause.child_by_field_name("condition"),
            clause.child_by_field_name("consequence"),
        ) else {
            continue;
        };
        let known = constant(builder, condition);
        if for_type_checkers(builder, condition) {
            names_for_types(builder, body);
            continue;
        }
        if known.is_none() {
            self::condition(builder, condition);
        }
        if known == Some(false) {
            continue;
        }
        let before = builder.environment();
        narrow(builder, condition);
        statements(builder, body);
        ways.push(builder.environment());
        builder.restore(&before);
        if known == Some(true) {
            decided = true;
            break;
        }
    }
    if !decided && let Some(otherwise) = child_of_kind(node, &["else_clause"]) {
        if let Some(body) = otherwise.child_by_field_name("body") {
            statements(builder, body);
        }
        ways.push(builder.environment());
    } else if !decided {
        // What comes after `if not isinstance(x, C): return` is as if inside of `if isinstance(x, C)`.
        if let ([only], Some(denied)) = (&ways[..], denied)
            && only.is_dead()
        {
            narrow(builder, denied);
        }
        ways.push(builder.environment());
    }
    builder.join(&ways);
}

/// A condition asks its value whether it is true.
pub(super) fn condition<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let value = expression(builder, node);
    if matches!(
        node.kind(),
        "identifier" | "attribute" | "call" | "subscript" | "await" | "named_expression"
    ) {
        implicit_call(builder, value, "__bool__", &[], line(node));
    }
}

/// Inside `if isinstance(x, C)` a variable about which nothing is known is a `C`.
pub(super) fn narrow<'t>(builder: &mut Builder<'t, '_>, condition: Node<'t>) {
    let mut waiting = vec![condition];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "boolean_operator" if has_child(node, "and") => {
                waiting.extend(node.named_children());
            }
            "parenthesized_expression" => waiting.extend(node.named_child(0)),
            "call" => {
                let function = node.child_by_field_name("function");
                let arguments = node.child_by_field_name("arguments");
                let (Some(function), Some(arguments)) = (function, arguments) else {
                    continue;
                };
                let (Some(value), Some(class)) = (arguments.named_child(0), arguments.named_child(1)) else {
                    continue;
                };
                if builder.text(function) != "isinstance" || value.kind() != "identifier" {
                    continue;
                }
                let known = expression(builder, value);
                let narrowed = builder.slot();
                builder.copy(narrowed, known);
                let classes = match class.kind() {
                    "tuple" => class.named_children().collect(),
                    _ => vec![class],
                };
                for class in classes {
                    let class = expression(builder, class);
                    builder.hint(narrowed, class);
                }
                let name = builder.text(value);
                let before = builder.set_assigning(false);
                builder.write(name, narrowed);
                builder.set_assigning(before);
            }
            _ => {}
        }
    }
}

pub(super) fn while_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let (Some(condition), Some(body)) = (node.child_by_field_name("condition"), node.child_by_field_name("body"))
    else {
        return;
    };
    let known = constant(builder, condition);
    if known == Some(false) {
        return;
    }
    let rounds = builder.begin_loop(node.byte_range());
    if known.is_none() {
        self::condition(builder, condition);
    }
    statements(builder, body);
    builder.end_loop(&rounds, known == Some(true));
    else_of_loop(builder, node);
}

pub(super) fn else_of_loop<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let body = child_of_kind(node, &["else_clause"]).and_then(|clause| clause.child_by_field_name("body"));
    if let Some(body) = body {
        let before = builder.environment();
        statements(builder, body);
        // Without a `break`, the loop always ends here.
        if node.child_by_field_name("body").is_some_and(has_break) {
            let after = builder.environment();
            builder.join(&[before, after]);
        }
    }
}

/// Whether a loop's body has a `break` of this loop.
fn has_break(body: Node<'_>) -> bool {
    let mut waiting = vec![body];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "break_statement" => return true,
            "while_statement" | "for_statement" => {
                // A `break` in the `else` of an inner loop belongs to the outer loop.
                waiting.extend(child_of_kind(node, &["else_clause"]));
            }
            "function_definition" | "class_definition" | "expression_statement" => {}
            _ => waiting.extend(node.named_children()),
        }
    }
    false
}

pub(super) fn for_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let fields = (
        node.child_by_field_name("left"),
        node.child_by_field_name("right"),
        node.child_by_field_name("body"),
    );
    let (Some(left), Some(right), Some(body)) = fields else {
        return;
    };
    let values = expression(builder, right);
    let rounds = builder.begin_loop(node.byte_range());
    let element = if has_child(node, "async") {
        let element = builder.iterate_waiting(values, line(node));
        builder.wait_for(element, line(node))
    } else {
        builder.iterate(values, line(node))
    };
    assign(builder, left, element);
    statements(builder, body);
    builder.end_loop(&rounds, false);
    else_of_loop(builder, node);
}

pub(super) fn try_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let before = builder.environment();
    let clauses = children_of_kind(node, &["except_clause", "except_group_clause"]);
    let caught = (!clauses.is_empty()).then(|| builder.begin_catch());
    if let Some(body) = node.child_by_field_name("body") {
        statements(builder, body);
    }
    if caught.is_some() {
        builder.end_catch();
    }
    let after = builder.environment();
    let mut ways = Vec::new();
    // An exception may come before anything was written, or after everything.
    let mut thrown = after.clone();
    if builder.is_dead() {
        thrown = before.clone();
    }
    for clause in clauses {
        builder.join(&[before.clone(), thrown.clone()]);
        except_clause(builder, clause, caught);
        ways.push(builder.environment());
    }
    builder.restore(&after);
    let otherwise = child_of_kind(node, &["else_clause"]).and_then(|clause| clause.child_by_field_name("body"));
    if let Some(body) = otherwise {
        statements(builder, body);
    }
    ways.push(builder.environment());
    builder.join(&ways);
    if let Some(clause) = child_of_kind(node, &["finally_clause"]) {
        let was_dead = builder.is_dead();
        if was_dead {
            builder.restore(&before);
        }
        if let Some(body) = child_of_kind(clause, &["block"]) {
            statements(builder, body);
        }
        if was_dead {
            builder.stop();
        }
    }
}

pub(super) fn except_clause<'t>(builder: &mut Builder<'t, '_>, clause: Node<'t>, thrown: Option<Slot>) {
    let value = clause
        .child_by_field_name("value")
        .or_else(|| clause.named_child(0).filter(|first| first.kind() != "block"));
    if let Some(value) = value {
        let (class, alias) = match value.kind() {
            "as_pattern" => (value.named_child(0), alias_of(value)),
            _ => (Some(value), clause.child_by_field_name("alias")),
        };
        if let Some(class) = class {
            let classes = match class.kind() {
                "tuple" => class.named_children().collect(),
                _ => vec![class],
            };
            let caught = builder.slot();
            for class in classes {
                let class = expression(builder, class);
                if let Some(thrown) = thrown {
                    let fitting = builder.narrow(thrown, class, false);
                    builder.copy(caught, fitting);
                }
                builder.hint(caught, class);
            }
            if let Some(alias) = alias {
                assign(builder, alias, caught);
            }
        }
    }
    if let Some(body) = child_of_kind(clause, &["block"]) {
        statements(builder, body);
    }
}

pub(super) fn alias_of(pattern: Node<'_>) -> Option<Node<'_>> {
    child_of_kind(pattern, &["as_pattern_target"]).and_then(|alias| alias.named_child(0))
}

pub(super) fn with_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let is_async = has_child(node, "async");
    let items =
        child_of_kind(node, &["with_clause"]).map_or_else(Vec::new, |clause| children_of_kind(clause, &["with_item"]));
    for item in items {
        let Some(value) = item.child_by_field_name("value") else {
            continue;
        };
        let (value, alias) = match value.kind() {
            "as_pattern" => (value.named_child(0), alias_of(value)),
            _ => (Some(value), None),
        };
        let Some(value) = value else { continue };
        let manager = expression(builder, value);
        let (enter, exit) = if is_async {
            ("__aenter__", "__aexit__")
        } else {
            ("__enter__", "__exit__")
        };
        let mut entered = implicit_call(builder, manager, enter, &[], line(item));
        implicit_call(builder, manager, exit, &[], line(item));
        if is_async {
            entered = builder.wait_for(entered, line(item));
        }
        if let Some(alias) = alias {
            assign(builder, alias, entered);
        }
    }
    if let Some(body) = node.child_by_field_name("body") {
        statements(builder, body);
    }
}
