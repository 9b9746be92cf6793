//! Calls of functions and methods, and what makes instances.

use lore_model::FlowFlags;

use crate::syntax::Node;
use crate::extract::child_of_kind;
use crate::flow::{Argument, Slot};

use super::expressions::{expression, expression_for};
use super::functions::{EXPECTED, TYPES};
use super::paths::path;
use super::types::{class_of_type, expected_of};
use super::{Builder, children, line, plain};

/// Methods through which what is expected of their result is expected of what they are called on.
const HANDS_ON: &[&str] = &[
    "unwrap", "expect", "unwrap_or_default", "unwrap_or", "unwrap_or_else", "ok", "map_err", "ok_or", "ok_or_else", "context",
    "with_context", "clone", "cloned", "copied", "or_else",
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

/// A call.
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
    let handed_on = expected.filter(|_| HANDS_ON.contains(&name));
    let receiver = expression_for(builder, value, handed_on);
    let callee = builder.load(receiver, name, at);
    let mut passed = arguments(builder, node, None);
    types_passed(builder, types, expected, &mut passed);
    builder.call(callee, &passed, at, 0)
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
    let callee = match function.kind() {
        "identifier" if builder.is_variable(plain(text)) => builder.read(plain(text)),
        "identifier" => builder.global(plain(text)),
        _ => path(builder, function),
    };
    let wraps = matches!(text, "Box::new" | "Rc::new" | "Arc::new" | "RefCell::new" | "Mutex::new" | "Cell::new");
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
                let field = part.child_by_field_name("field").or_else(|| part.child_by_field_name("name"));
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
