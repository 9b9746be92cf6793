//! Statements: declarations, assignments, branches, loops, switches.

use lore_model::BodyFlags;

use crate::extract::has_child;
use crate::flow::{Environment, Slot};
use crate::syntax::Node;

use super::calls::call;
use super::expressions::{constant, expression, narrowed, spelled, store_element};
use super::functions::function;
use super::scopes::{declare_names, each_spec, import_of};
use super::types::{declare_type, says_something, type_spec, type_value, zero};
use super::{Builder, ERROR, children, declare_here, line, named};

pub(super) fn block<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    builder.begin_block();
    block_in_body(builder, node);
    builder.end_block();
}

/// The statements of a block, whose names belong to the block around.
pub(super) fn block_in_body<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    for child in node.named_children() {
        match child.kind() {
            "statement_list" => statements(builder, child),
            "comment" => {}
            _ if builder.is_dead() => {}
            _ => statement(builder, child),
        }
    }
}

pub(super) fn statements<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    if builder.enter() {
        for child in node.named_children() {
            if builder.is_dead() && child.kind() != "labeled_statement" {
                continue;
            }
            statement(builder, child);
        }
    }
    builder.leave();
}

pub(super) fn statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "comment" | "empty_statement" | "goto_statement" | "package_clause" => {}
        "block" => block(builder, node),
        "expression_statement" | "go_statement" | "defer_statement" => {
            for child in node.named_children() {
                expression(builder, child);
            }
        }
        "import_declaration" => each_spec(node, "import_spec", &mut |spec| import(builder, spec)),
        "type_declaration" => {
            for spec in node.named_children() {
                if matches!(spec.kind(), "type_spec" | "type_alias") {
                    type_spec(builder, spec);
                }
            }
        }
        "function_declaration" => {
            let value = function(builder, node, 0);
            if let Some(name) = field("name").map(|name| builder.text(name))
                && !matches!(name, "init" | "_")
            {
                builder.write(name, value);
            }
        }
        "method_declaration" => method(builder, node),
        "const_declaration" => constants(builder, node),
        "var_declaration" => each_spec(node, "var_spec", &mut |spec| variables(builder, spec)),
        "short_var_declaration" => assignment(builder, node, true),
        "assignment_statement" => assignment(builder, node, false),
        "inc_statement" | "dec_statement" => {
            for child in children(node) {
                let old = expression(builder, child);
                let value = builder.slot();
                builder.operate(value, old);
                assign(builder, child, value);
            }
        }
        "send_statement" => {
            if let (Some(channel), Some(value)) = (field("channel"), field("value")) {
                let channel = expression(builder, channel);
                let value = expression(builder, value);
                builder.store_key(channel, None, value, line(node));
            }
        }
        "receive_statement" => receive(builder, node),
        "return_statement" => give_back(builder, node),
        "if_statement" => if_statement(builder, node),
        "for_statement" => for_statement(builder, node),
        "expression_switch_statement" => expression_switch(builder, node),
        "type_switch_statement" => type_switch(builder, node),
        "select_statement" => select(builder, node),
        "labeled_statement" => {
            if let Some(label) = field("label") {
                let label = builder.text(label);
                builder.label_next(label);
            }
            for child in children(node).into_iter().filter(|child| child.kind() != "label_name") {
                statement(builder, child);
            }
        }
        "break_statement" | "continue_statement" => {
            let label = node.named_child(0).map_or("", |label| builder.text(label));
            match node.kind() {
                "break_statement" => builder.break_loop(label),
                _ => builder.continue_loop(label),
            }
        }
        "ERROR" => statements(builder, node),
        _ => {
            expression(builder, node);
        }
    }
}

fn import<'t>(builder: &mut Builder<'t, '_>, spec: Node<'t>) {
    let Some((path, name)) = import_of(builder, spec) else {
        return;
    };
    let at = line(spec);
    match name {
        Some(name) => {
            let module = builder.import(path, None, at);
            builder.write(name, module);
        }
        None if spec
            .child_by_field_name("name")
            .is_some_and(|name| name.kind() == "dot") =>
        {
            builder.import_all(path, at);
        }
        None => {}
    }
}

fn method<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let value = function(builder, node, BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST);
    let (Some(name), Some(owner)) = (node.child_by_field_name("name"), super::super::receiver(node)) else {
        return;
    };
    let (name, owner) = (builder.text(name), builder.text(owner));
    if name != "_" {
        let class = named(builder, owner);
        builder.store_member(class, name, value, line(node));
    }
}

/// Constants are known by what they spell, so that they can be keys.
fn constants<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let mut last: Option<(Option<Node<'t>>, Option<Node<'t>>)> = None;
    let mut count: u32 = 0;
    each_spec(node, "const_spec", &mut |spec| {
        if builder.flags() & BodyFlags::MODULE == 0 {
            declare_names(builder, spec);
        }
        let own = (spec.child_by_field_name("type"), spec.child_by_field_name("value"));
        // What is left out is as in the line before.
        let (declared, values) = match own.1 {
            Some(_) => own,
            None => last.unwrap_or(own),
        };
        last = Some((declared, values));
        let values = values.map_or_else(Vec::new, children);
        let names = spec.children_by_field_name("name").filter(|name| name.is_named());
        for (at, name) in names.enumerate() {
            let name = builder.text(name);
            let slot = builder.slot();
            if let Some(value) = values.get(at) {
                match number(builder, *value, count) {
                    Some(number) => builder.spell(slot, &number.to_string()),
                    None => {
                        let value = spelled(builder, *value);
                        builder.copy(slot, value);
                    }
                }
                match value.kind() {
                    "true" => builder.constants.insert(name, true),
                    "false" => builder.constants.insert(name, false),
                    _ => None,
                };
            }
            if let Some(class) = declared.and_then(|declared| type_value(builder, declared)) {
                let flags = lore_model::FlowFlags::IMPLICIT;
                let value = builder.make(class, line(spec), flags);
                builder.copy(slot, value);
            }
            if name != "_" {
                builder.write(name, slot);
            }
        }
        count += 1;
    });
}

/// What a constant expression of whole numbers comes to.
fn number(builder: &Builder<'_, '_>, node: Node<'_>, iota: u32) -> Option<i64> {
    match node.kind() {
        "int_literal" => builder.text(node).parse().ok(),
        "iota" => Some(i64::from(iota)),
        "parenthesized_expression" => number(builder, node.named_child(0)?, iota),
        "binary_expression" => {
            let left = number(builder, node.child_by_field_name("left")?, iota)?;
            let right = number(builder, node.child_by_field_name("right")?, iota)?;
            match node.child_by_field_name("operator")?.kind() {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "<<" => left.checked_shl(u32::try_from(right).ok()?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `var a, b T = x, y`
fn variables<'t>(builder: &mut Builder<'t, '_>, spec: Node<'t>) {
    let declared = spec.child_by_field_name("type");
    let names: Vec<&'t str> = spec
        .children_by_field_name("name")
        .filter(|name| name.is_named())
        .map(|name| builder.text(name))
        .collect();
    let values = spec.child_by_field_name("value").map_or_else(Vec::new, children);
    let values = match values.len() {
        0 => vec![None; names.len()],
        _ => {
            let last = names.last().copied().unwrap_or("");
            let values = evaluate(builder, &values, names.len(), last);
            values.into_iter().map(Some).collect()
        }
    };
    for (name, value) in names.into_iter().zip(values) {
        let declared = declared.filter(|declared| says_something(builder, *declared));
        let slot = match (value, declared) {
            (Some(value), None) => value,
            (Some(value), Some(declared)) => {
                let slot = builder.slot();
                builder.copy(slot, value);
                declare_type(builder, slot, declared);
                slot
            }
            (None, Some(declared)) => zero(builder, declared),
            (None, None) => builder.slot(),
        };
        if name != "_" {
            declare_here(builder, name);
            builder.write(name, slot);
        }
    }
}

/// The values of a list of expressions for a number of targets: one expression may give them all.
fn evaluate<'t>(builder: &mut Builder<'t, '_>, values: &[Node<'t>], targets: usize, last: &str) -> Vec<Slot> {
    if let ([only], true) = (values, targets > 1) {
        let class = if is_named_error(last) { ERROR } else { "" };
        if let Some(slots) = results_of_call(builder, *only, targets, class) {
            return slots;
        }
        // A map, a channel or an assertion also says whether there is something.
        let mut slots = vec![expression(builder, *only)];
        slots.resize_with(targets, || builder.slot());
        return slots;
    }
    if let ([only], true) = (values, is_named_error(last))
        && let Some(slots) = results_of_call(builder, *only, 1, ERROR)
    {
        return slots;
    }
    values.iter().map(|value| spelled(builder, *value)).collect()
}

/// Whether a variable is called as errors are.
fn is_named_error(name: &str) -> bool {
    name.ends_with("err") || name.ends_with("Err")
}

/// Several results of a call, if an expression is one.
pub(super) fn results_of_call<'t>(
    builder: &mut Builder<'t, '_>,
    node: Node<'t>,
    count: usize,
    class: &'static str,
) -> Option<Vec<Slot>> {
    let mut inner = node;
    while inner.kind() == "parenthesized_expression" {
        inner = inner.named_child(0)?;
    }
    matches!(inner.kind(), "call_expression" | "type_conversion_expression").then(|| call(builder, inner, count, class))
}

fn assignment<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, declares: bool) {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return;
    };
    let targets = children(left);
    let values = children(right);
    let plain = declares
        || node
            .child_by_field_name("operator")
            .is_none_or(|operator| operator.kind() == "=");
    if !plain {
        // `x += y` makes a number or a text.
        for part in targets.iter().chain(&values) {
            expression(builder, *part);
        }
        return;
    }
    let last = targets.last().map_or("", |last| builder.text(*last));
    let slots = evaluate(builder, &values, targets.len(), last);
    for (target, value) in targets.into_iter().zip(slots) {
        if declares && target.kind() == "identifier" {
            let name = builder.text(target);
            if name != "_" {
                builder.declare(name);
            }
        }
        assign(builder, target, value);
    }
}

/// Gives a target a value.
pub(super) fn assign<'t>(builder: &mut Builder<'t, '_>, target: Node<'t>, value: Slot) {
    match target.kind() {
        "identifier" => {
            let name = builder.text(target);
            match name {
                "_" => {}
                name if builder.is_variable(name) => builder.write(name, value),
                // A variable of another file of the package.
                name => {
                    let package = builder.import(".", None, line(target));
                    builder.store(package, name, value, line(target));
                }
            }
        }
        "selector_expression" => {
            if let (Some(operand), Some(name)) = (
                target.child_by_field_name("operand"),
                target.child_by_field_name("field"),
            ) {
                let base = expression(builder, operand);
                let name = builder.text(name);
                builder.store(base, name, value, line(target));
            }
        }
        "index_expression" => {
            if let (Some(operand), Some(index)) = (
                target.child_by_field_name("operand"),
                target.child_by_field_name("index"),
            ) {
                let base = expression(builder, operand);
                store_element(builder, base, index, value);
            }
        }
        "parenthesized_expression" => {
            if let Some(inner) = target.named_child(0) {
                assign(builder, inner, value);
            }
        }
        "unary_expression" => {
            if let Some(operand) = target.child_by_field_name("operand") {
                let base = expression(builder, operand);
                builder.store(base, "*", value, line(target));
            }
        }
        _ => {
            expression(builder, target);
        }
    }
}

fn receive<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let Some(right) = node.child_by_field_name("right") else {
        return;
    };
    let value = expression(builder, right);
    let Some(left) = node.child_by_field_name("left") else {
        return;
    };
    let declares = has_child(node, ":=");
    for (at, target) in children(left).into_iter().enumerate() {
        if declares && target.kind() == "identifier" && builder.text(target) != "_" {
            let name = builder.text(target);
            builder.declare(name);
        }
        let value = match at {
            0 => value,
            _ => builder.slot(),
        };
        assign(builder, target, value);
    }
}

fn give_back<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    let values = node.named_child(0).map_or_else(Vec::new, |list| match list.kind() {
        "expression_list" => children(list),
        _ => Vec::new(),
    });
    let results = builder.result_names.last().cloned().unwrap_or_default();
    if values.is_empty() {
        for (at, (name, _)) in results.iter().enumerate() {
            if !name.is_empty() {
                let value = builder.read(name);
                builder.give_back_at(at as u32, value);
            }
        }
    } else {
        let class = results.last().map_or("", |(_, class)| *class);
        let slots = match values[..] {
            [only] if results.len() > 1 || !class.is_empty() => results_of_call(builder, only, results.len(), class),
            _ => None,
        };
        let slots = match slots {
            Some(slots) => slots,
            None => values.iter().map(|value| spelled(builder, *value)).collect(),
        };
        for (at, slot) in slots.into_iter().enumerate().take(results.len().max(1)) {
            builder.give_back_at(at as u32, slot);
        }
    }
    builder.stop();
}

fn if_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    // `else if` nests to the right, as deep as it is long.
    let mut ways = Vec::new();
    let mut current = Some(node);
    let mut blocks = 0;
    while let Some(clause) = current.take() {
        builder.begin_block();
        blocks += 1;
        if let Some(initializer) = clause.child_by_field_name("initializer") {
            statement(builder, initializer);
        }
        let condition = clause.child_by_field_name("condition");
        let known = condition.and_then(|condition| constant(builder, condition));
        if let (Some(condition), None) = (condition, known) {
            expression(builder, condition);
        }
        let before = builder.environment();
        if known != Some(false) {
            if let Some(body) = clause.child_by_field_name("consequence") {
                block(builder, body);
            }
            ways.push(builder.environment());
            builder.restore(&before);
        }
        if known == Some(true) {
            break;
        }
        match clause.child_by_field_name("alternative") {
            Some(next) if next.kind() == "if_statement" => current = Some(next),
            Some(body) => {
                block(builder, body);
                ways.push(builder.environment());
            }
            None => ways.push(builder.environment()),
        }
    }
    builder.join(&ways);
    for _ in 0..blocks {
        builder.end_block();
    }
}

fn for_statement<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    builder.begin_block();
    let parts: Vec<Node<'t>> = children(node);
    let body = node.child_by_field_name("body");
    let head = parts.into_iter().find(|part| Some(*part) != body);
    let mut update = None;
    let mut condition = None;
    let mut over = None;
    match head {
        Some(clause) if clause.kind() == "for_clause" => {
            if let Some(initializer) = clause.child_by_field_name("initializer") {
                statement(builder, initializer);
            }
            condition = clause.child_by_field_name("condition");
            update = clause.child_by_field_name("update");
        }
        Some(clause) if clause.kind() == "range_clause" => {
            if let Some(right) = clause.child_by_field_name("right") {
                let value = expression(builder, right);
                over = Some((clause, builder.range(value, line(clause))));
            }
        }
        other => condition = other,
    }
    let known = condition.and_then(|condition| constant(builder, condition));
    if known == Some(false) {
        builder.end_block();
        return;
    }
    let endless = over.is_none() && (condition.is_none() || known == Some(true));
    let rounds = builder.begin_loop(node.byte_range());
    if let Some((clause, (key, element))) = over
        && let Some(left) = clause.child_by_field_name("left")
    {
        let declares = has_child(clause, ":=");
        for (target, value) in children(left).into_iter().zip([key, element]) {
            if declares && target.kind() == "identifier" && builder.text(target) != "_" {
                let name = builder.text(target);
                builder.declare(name);
            }
            assign(builder, target, value);
        }
    }
    if let (Some(condition), None) = (condition, known) {
        expression(builder, condition);
    }
    if let Some(body) = body {
        block(builder, body);
    }
    if let Some(update) = update {
        builder.end_round();
        if !builder.is_dead() {
            statement(builder, update);
        }
    }
    builder.end_loop(&rounds, endless);
    builder.end_block();
}

/// The statements of a case.
fn case_body<'t>(builder: &mut Builder<'t, '_>, case: Node<'t>) {
    for part in case.named_children() {
        if part.kind() == "statement_list" {
            statements(builder, part);
        }
    }
}

fn expression_switch<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    builder.begin_block();
    if let Some(initializer) = node.child_by_field_name("initializer") {
        statement(builder, initializer);
    }
    if let Some(value) = node.child_by_field_name("value") {
        expression(builder, value);
    }
    // A switch is left by `break`, as a loop is.
    builder.begin_loop(0..0);
    let before = builder.environment();
    let mut ends: Vec<Environment> = Vec::new();
    let mut fallen: Option<Environment> = None;
    let mut has_default = false;
    for case in children(node) {
        if !matches!(case.kind(), "expression_case" | "default_case") {
            continue;
        }
        has_default |= case.kind() == "default_case";
        builder.restore(&before);
        if let Some(values) = case.child_by_field_name("value") {
            for value in children(values) {
                expression(builder, value);
            }
        }
        let mut ways = vec![builder.environment()];
        ways.extend(fallen.take());
        builder.join(&ways);
        builder.begin_block();
        case_body(builder, case);
        builder.end_block();
        let end = builder.environment();
        if falls_through(case) {
            fallen = Some(end)
        } else {
            ends.push(end)
        }
    }
    ends.extend(fallen);
    if !has_default {
        ends.push(before);
    }
    builder.join(&ends);
    builder.end_switch();
    builder.end_block();
}

/// Whether a case goes on into the next.
fn falls_through(case: Node<'_>) -> bool {
    let last = case.named_child(case.named_child_count().saturating_sub(1) as u32);
    last.filter(|list| list.kind() == "statement_list")
        .is_some_and(|list| has_child(list, "fallthrough_statement"))
}

fn type_switch<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    builder.begin_block();
    if let Some(initializer) = node.child_by_field_name("initializer") {
        statement(builder, initializer);
    }
    let value = node.child_by_field_name("value");
    let known = match value {
        Some(value) => expression(builder, value),
        None => builder.slot(),
    };
    let alias = node
        .child_by_field_name("alias")
        .and_then(|alias| alias.named_child(0))
        .map(|alias| builder.text(alias));
    builder.begin_loop(0..0);
    let before = builder.environment();
    let mut ends: Vec<Environment> = Vec::new();
    let mut has_default = false;
    let mut refused = known;
    for case in children(node) {
        let passed = match case.kind() {
            "type_case" => {
                let types: Vec<Node<'t>> = case
                    .children_by_field_name("type")
                    .filter(|part| part.is_named())
                    .collect();
                let several = types.len() > 1;
                let joined = builder.slot();
                for declared in types {
                    let passed = narrowed(builder, known, declared, !several);
                    builder.copy(joined, passed);
                    if let Some(class) = type_value(builder, declared) {
                        refused = builder.narrow(refused, class, true);
                    }
                }
                joined
            }
            "default_case" => {
                has_default = true;
                // The default case gets no value that another case takes, at any position.
                builder.slot()
            }
            _ => continue,
        };
        builder.restore(&before);
        builder.begin_block();
        if let Some(alias) = alias {
            builder.declare(alias);
            let value = if case.kind() == "default_case" { refused } else { passed };
            builder.write(alias, value);
        }
        case_body(builder, case);
        builder.end_block();
        ends.push(builder.environment());
    }
    if !has_default {
        ends.push(before);
    }
    builder.join(&ends);
    builder.end_switch();
    builder.end_block();
}

fn select<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) {
    builder.begin_loop(0..0);
    let before = builder.environment();
    let mut ends: Vec<Environment> = Vec::new();
    for case in children(node) {
        if !matches!(case.kind(), "communication_case" | "default_case") {
            continue;
        }
        builder.restore(&before);
        builder.begin_block();
        if let Some(communication) = case.child_by_field_name("communication") {
            statement(builder, communication);
        }
        case_body(builder, case);
        builder.end_block();
        ends.push(builder.environment());
    }
    builder.join(&ends);
    builder.end_switch();
}
