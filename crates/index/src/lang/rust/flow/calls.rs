//! Calls of functions and methods, and what makes instances.

use lore_model::FlowFlags;

use crate::extract::child_of_kind;
use crate::flow::{Argument, Named, Slot};
use crate::syntax::Node;

use super::expressions::{expression, expression_for};
use super::functions::{EXPECTED, OUTSIDE, TYPES, bounds_around};
use super::paths::path;
use super::types::{class_of_type, expected_of};
use super::{Builder, children, line, plain};

/// Methods through which what is expected of their result is expected of what they are called on.
const HANDS_ON: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or_default",
    "unwrap_or",
    "unwrap_or_else",
    "ok",
    "map_err",
    "ok_or",
    "ok_or_else",
    "context",
    "with_context",
    "clone",
    "cloned",
    "copied",
    "or_else",
];

/// The values of arguments.
fn arguments<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, first: Option<Slot>) -> Vec<Argument<'t>> {
    let list = node.child_by_field_name("arguments").map_or_else(Vec::new, children);
    list.into_iter()
        .enumerate()
        .map(|(at, argument)| {
            let expected = if at == 0 { first } else { None };
            Argument::Plain(expression_for(builder, argument, expected))
        })
        .collect()
}

pub(super) fn call<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, expected: Option<Slot>) -> Slot {
    let Some(mut function) = node.child_by_field_name("function") else {
        return builder.slot();
    };
    let mut types = Vec::new();
    if function.kind() == "generic_function" {
        types = child_of_kind(function, &["type_arguments"]).map_or_else(Vec::new, children);
        types.retain(|argument| argument.kind() != "lifetime");
        match function.child_by_field_name("function") {
            Some(inner) => function = inner,
            None => return builder.slot(),
        }
    }
    match function.kind() {
        "field_expression" => method(builder, node, function, &types, expected),
        "identifier" | "scoped_identifier" => named_call(builder, node, function, &types, expected),
        _ => {
            let callee = expression(builder, function);
            let passed = arguments(builder, node, None);
            builder.call(callee, &passed, line(node), 0)
        }
    }
}

/// Types that are written where a function is called, and what is expected of it.
fn types_passed<'t>(
    builder: &mut Builder<'t, '_>,
    types: &[Node<'t>],
    expected: Option<Slot>,
    passed: &mut Vec<Argument<'t>>,
) {
    for (at, written) in types.iter().enumerate().take(TYPES.len()) {
        let class = class_of_type(builder, *written);
        passed.push(Argument::Named(TYPES[at], class));
    }
    let written = types.first().and_then(|written| expected_of(builder, *written));
    if let Some(class) = written.or(expected) {
        passed.push(Argument::Named(EXPECTED, class));
    }
}

fn method<'t>(
    builder: &mut Builder<'t, '_>,
    node: Node<'t>,
    function: Node<'t>,
    types: &[Node<'t>],
    expected: Option<Slot>,
) -> Slot {
    let (Some(value), Some(name)) = (
        function.child_by_field_name("value"),
        function.child_by_field_name("field"),
    ) else {
        return builder.slot();
    };
    let at = line(name);
    let name = plain(builder.text(name));
    if name == "clone" && is_counted_value(builder, value) {
        return expression(builder, value);
    }
    let handed_on = expected.filter(|_| HANDS_ON.contains(&name));
    let receiver = expression_for(builder, value, handed_on);
    let expected = match (expected, name) {
        (None, "into" | "try_into") => bound_into(builder, value),
        _ => expected,
    };
    let receiver = known_or_outside(builder, node, receiver);
    let callee = builder.load(receiver, name, at);
    let mut passed = arguments(builder, node, None);
    types_passed(builder, types, expected, &mut passed);
    builder.call(callee, &passed, at, 0)
}

/// Whether a value is a pointer that counts its copies.
fn is_counted_value<'t>(builder: &mut Builder<'t, '_>, value: Node<'t>) -> bool {
    match value.kind() {
        "identifier" => builder.is_marked(plain(builder.text(value)), Named::Counted),
        "field_expression" => value
            .child_by_field_name("field")
            .is_some_and(|field| builder.marked.contains(builder.text(field))),
        "reference_expression" => value
            .child_by_field_name("value")
            .is_some_and(|inner| is_counted_value(builder, inner)),
        _ => false,
    }
}

/// Whether a call gives a pointer that counts its copies.
pub(super) fn makes_counted<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> bool {
    let Some(function) = node.child_by_field_name("function") else {
        return false;
    };
    match function.kind() {
        "scoped_identifier" => matches!(
            builder.text(function),
            "Rc::new" | "Arc::new" | "Rc::clone" | "Arc::clone" | "Rc::downgrade" | "Arc::downgrade"
        ),
        "field_expression" => {
            function
                .child_by_field_name("field")
                .is_some_and(|name| builder.text(name) == "clone")
                && function
                    .child_by_field_name("value")
                    .is_some_and(|value| is_counted_value(builder, value))
        }
        _ => false,
    }
}

/// What a parameter is promised to become, as in `impl Into<Name>`.
fn bound_into<'t>(builder: &mut Builder<'t, '_>, value: Node<'t>) -> Option<Slot> {
    if value.kind() != "identifier" {
        return None;
    }
    let name = builder.text(value);
    let mut around = value.parent()?;
    while !matches!(around.kind(), "function_item" | "function_signature_item") {
        around = around.parent()?;
    }
    let parameters = children(around.child_by_field_name("parameters")?);
    let declared = parameters.into_iter().find_map(|parameter| {
        let pattern = parameter.child_by_field_name("pattern")?;
        (builder.text(pattern) == name).then(|| parameter.child_by_field_name("type"))?
    })?;
    let bounds = match declared.kind() {
        "abstract_type" => vec![declared.child_by_field_name("trait")?],
        "type_identifier" => bounds_around(builder, declared, builder.text(declared))?,
        _ => return None,
    };
    let promised = bounds.into_iter().find(|bound| {
        bound
            .child_by_field_name("type")
            .is_some_and(|head| matches!(builder.text(head), "Into" | "TryInto"))
    })?;
    let list = child_of_kind(promised, &["type_arguments"])?;
    expected_of(builder, *children(list).first()?)
}

/// A value of which nothing is known runs what it is given to run.
fn known_or_outside<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, receiver: Slot) -> Slot {
    let given = node.child_by_field_name("arguments").map_or_else(Vec::new, children);
    if !given.iter().any(|argument| {
        matches!(
            argument.kind(),
            "closure_expression" | "identifier" | "scoped_identifier"
        )
    }) {
        return receiver;
    }
    let slot = builder.slot();
    builder.copy(slot, receiver);
    let outside = builder.global(OUTSIDE);
    builder.hint_last(slot, outside);
    slot
}

fn named_call<'t>(
    builder: &mut Builder<'t, '_>,
    node: Node<'t>,
    function: Node<'t>,
    types: &[Node<'t>],
    expected: Option<Slot>,
) -> Slot {
    let at = line(node);
    let text = builder.text(function);
    let last = text.rsplit("::").next().unwrap_or(text);
    let is_known = matches!(last, "Some" | "Ok" | "Err") && !builder.is_variable(text);
    if is_known {
        let value = arguments(builder, node, expected.filter(|_| last != "Err"));
        let made = builder.allocate(if last == "Some" { "Option" } else { "Result" }, at);
        if let Some(Argument::Plain(value)) = value.first() {
            match last {
                "Err" => builder.store(made, ".err", *value, at),
                _ => builder.store_key(made, None, *value, at),
            }
        }
        return made;
    }
    if text == "__class" {
        let value = arguments(builder, node, None);
        return match value.first() {
            Some(Argument::Plain(value)) => builder.class_of(*value),
            _ => builder.slot(),
        };
    }
    let callee = match function.kind() {
        "identifier" if builder.is_variable(plain(text)) => builder.read(plain(text)),
        "identifier" => builder.global(plain(text)),
        _ => path(builder, function),
    };
    let wraps = matches!(
        text,
        "Box::new" | "Rc::new" | "Arc::new" | "RefCell::new" | "Mutex::new" | "Cell::new"
    );
    let mut passed = arguments(builder, node, expected.filter(|_| wraps));
    types_passed(builder, types, expected, &mut passed);
    builder.call(callee, &passed, at, 0)
}

/// `Type { field: value, ..other }`
pub(super) fn make<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return builder.slot();
    };
    let class = path(builder, name);
    let mut values: Vec<(String, Slot)> = Vec::new();
    for part in children(body) {
        match part.kind() {
            "field_initializer" => {
                let field = part
                    .child_by_field_name("field")
                    .or_else(|| part.child_by_field_name("name"));
                if let (Some(field), Some(value)) = (field, part.child_by_field_name("value")) {
                    let value = expression(builder, value);
                    values.push((format!(".{}", plain(builder.text(field))), value));
                }
            }
            "shorthand_field_initializer" => {
                if let Some(field) = children(part).last() {
                    let value = expression(builder, *field);
                    values.push((format!(".{}", plain(builder.text(*field))), value));
                }
            }
            "base_field_initializer" => {
                if let Some(base) = children(part).first() {
                    expression_for(builder, *base, Some(class));
                }
            }
            _ => {}
        }
    }
    let passed: Vec<Argument<'_>> = values
        .iter()
        .map(|(name, value)| Argument::Named(name, *value))
        .collect();
    builder.call(class, &passed, line(node), FlowFlags::NEW)
}
