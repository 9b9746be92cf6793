//! Calls, and those that the language itself gives a meaning.

use super::expressions::{children, expression, plain_string, string};
use super::types::declare_type;
use super::{Builder, line};
use crate::flow::{Argument, Slot};
use crate::syntax::Node;

pub(super) fn call<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let (Some(function), Some(list)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    ) else {
        return builder.slot();
    };
    let at = function
        .child_by_field_name("attribute")
        .map_or_else(|| line(function), line);
    if function.kind() == "identifier" {
        match builder.text(function) {
            "super" if !builder.is_variable("super") => return super_call(builder, list),
            "getattr" if !builder.is_variable("getattr") => {
                if let Some(slot) = attribute_by_name(builder, list) {
                    return slot;
                }
            }
            "type" if !builder.is_variable("type") => {
                if let [value] = children(list)[..]
                    && !matches!(value.kind(), "keyword_argument" | "list_splat" | "dictionary_splat")
                {
                    let value = expression(builder, value);
                    let callee = expression(builder, function);
                    builder.call(callee, &[Argument::Plain(value)], at, 0);
                    return builder.class_of(value);
                }
            }
            "setattr" if !builder.is_variable("setattr") => {
                if let Some(slot) = set_attribute_by_name(builder, list) {
                    return slot;
                }
            }
            _ => {}
        }
    }
    if builder.source_starts_with("# prelude\n")
        && let (Some(object), Some(method)) = (
            function.child_by_field_name("object"),
            function.child_by_field_name("attribute"),
        )
        && builder.text(method).ends_with("__")
    {
        // A prelude asks for what a value may have.
        let receiver = expression(builder, object);
        let arguments = arguments(builder, list);
        return builder.call_method(receiver, builder.text(method), &arguments, at);
    }
    let callee = match (function.kind(), function.child_by_field_name("object")) {
        // A text knows its own methods.
        ("attribute", Some(object)) if matches!(object.kind(), "string" | "concatenated_string") => {
            string(builder, object);
            let text = builder.allocate("str", line(object));
            let attribute = function.child_by_field_name("attribute");
            builder.load(text, attribute.map_or("", |attribute| builder.text(attribute)), at)
        }
        _ => expression(builder, function),
    };
    let values = children(list);
    let arguments = arguments(builder, list);
    if let [class, _] = values[..]
        && is_cast(builder, function)
    {
        let value = builder.call(callee, &arguments, at, 0);
        let result = builder.slot();
        builder.copy(result, value);
        declare_type(builder, result, class);
        return result;
    }
    if let Some(slot) = dynamic_import(builder, function, list) {
        builder.call(callee, &arguments, at, 0);
        return slot;
    }
    builder.call(callee, &arguments, at, 0)
}

/// Whether a function is `typing.cast`.
fn is_cast(builder: &Builder<'_, '_>, function: Node<'_>) -> bool {
    let text = builder.text(function);
    matches!(text, "typing.cast" | "t.cast" | "typing_extensions.cast")
        || text == "cast"
            && builder
                .package_and_imports()
                .1
                .iter()
                .any(|(module, name, _)| name == "cast" && matches!(module.as_str(), "typing" | "typing_extensions"))
}

pub(super) fn arguments<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>) -> Vec<Argument<'t>> {
    if list.kind() == "generator_expression" {
        return vec![Argument::Plain(expression(builder, list))];
    }
    let mut arguments = Vec::new();
    for argument in children(list) {
        arguments.push(match argument.kind() {
            "keyword_argument" => {
                let (Some(name), Some(value)) = (
                    argument.child_by_field_name("name"),
                    argument.child_by_field_name("value"),
                ) else {
                    continue;
                };
                let value = expression(builder, value);
                Argument::Named(builder.text(name), value)
            }
            "list_splat" | "dictionary_splat" => {
                let Some(inner) = argument.named_child(0) else { continue };
                let inner = expression(builder, inner);
                match argument.kind() {
                    "list_splat" => Argument::Spread(inner),
                    _ => Argument::NamedSpread(inner),
                }
            }
            _ => Argument::Plain(expression(builder, argument)),
        });
    }
    arguments
}

/// `super()` and `super(Class, self)`.
pub(super) fn super_call<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>) -> Slot {
    let Some(class) = builder.classes.last().copied() else {
        return builder.slot();
    };
    let receiver = match children(list).get(1) {
        Some(receiver) => expression(builder, *receiver),
        None => builder.first_parameter(),
    };
    builder.super_of(class, receiver)
}

/// `getattr(x, "name")`.
pub(super) fn attribute_by_name<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>) -> Option<Slot> {
    let parts = children(list);
    let [base, name, ..] = parts[..] else { return None };
    let base = expression(builder, base);
    let result = builder.slot();
    match literal_text(builder, name) {
        Some(name) => {
            let slot = builder.load(base, &name, line(list));
            builder.copy(result, slot);
        }
        // The name is computed. Only the default is known.
        None if parts.len() > 2 => {
            expression(builder, name);
        }
        None => return None,
    }
    if let Some(default) = parts.get(2) {
        let default = expression(builder, *default);
        builder.copy(result, default);
    }
    Some(result)
}

/// `setattr(x, "name", value)`.
pub(super) fn set_attribute_by_name<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>) -> Option<Slot> {
    let parts = children(list);
    let [base, name, value] = parts[..] else { return None };
    let base = expression(builder, base);
    let name = literal_text(builder, name)?;
    let value = expression(builder, value);
    builder.store(base, &name, value, line(list));
    Some(builder.slot())
}

pub(super) fn literal_text<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Option<String> {
    match node.kind() {
        "string" => plain_string(builder, node).map(str::to_owned),
        "identifier" => {
            let slot = expression(builder, node);
            builder
                .literal(slot)
                .filter(|literal| literal.starts_with(['"', '\'']))
                .map(|literal| literal.trim_matches(['"', '\'']).to_owned())
        }
        _ => None,
    }
}

/// `importlib.import_module("a.b")` and `__import__("a")`.
pub(super) fn dynamic_import<'t>(builder: &mut Builder<'t, '_>, function: Node<'t>, list: Node<'t>) -> Option<Slot> {
    let text = builder.text(function);
    if !matches!(text, "importlib.import_module" | "import_module" | "__import__") {
        return None;
    }
    let parts = children(list);
    let module = literal_text(builder, *parts.first()?)?;
    Some(builder.import(&module, None, line(function)))
}
