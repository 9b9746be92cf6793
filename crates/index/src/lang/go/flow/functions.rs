//! Functions, methods and literals: their parameters, their results, their bodies.

use lore_model::{BodyFlags, NONE, ParameterKind};

use crate::extract::child_of_kind;
use crate::flow::Slot;
use crate::syntax::Node;

use super::scopes::note_writes;
use super::statements::block_in_body;
use super::types::{declare_type, plain_type, says_something, type_value, zero};
use super::{Builder, ERROR, children, line};

/// The names under which the arguments of types are passed and kept.
pub(super) const TYPE_PARAMETERS: &[&str] = &["<0>", "<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "<7>"];

/// A function of a declaration or of a literal.
pub(super) fn function<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, flags: u32) -> Slot {
    let definition = builder.definition(node).unwrap_or(NONE);
    builder.begin(definition, flags);
    let results = results_of(builder, node);
    builder.set_results(results.len() as u32);
    // Types are those of the scope around: a parameter may bear the name of a package.
    let mut declared: Vec<(&'t str, Slot)> = Vec::new();
    if let Some(receiver) = node.child_by_field_name("receiver") {
        declared.extend(receiver_of(builder, receiver));
    }
    let mut count = 0;
    type_parameters(builder, node, &mut |builder, at| {
        count += 1;
        match TYPE_PARAMETERS.get(at) {
            Some(name) => builder.parameter(name, ParameterKind::NAMED),
            None => builder.slot(),
        }
    });
    if count > 0 {
        builder.add_flags(BodyFlags::PASS_THROUGH);
    }
    if let Some(list) = node.child_by_field_name("parameters") {
        parameters(builder, list, &mut declared);
    }
    let mut names = Vec::with_capacity(results.len());
    for (at, (name, result)) in results.iter().enumerate() {
        declare_type(builder, at as Slot, *result);
        if let Some(name) = name {
            declared.push((name, zero(builder, *result)));
        }
        let class = if builder.text(*result) == ERROR { ERROR } else { "" };
        names.push((name.unwrap_or(""), class));
    }
    for (name, slot) in declared {
        builder.declare(name);
        builder.write(name, slot);
    }
    builder.result_names.push(names);
    if let Some(body) = node.child_by_field_name("body") {
        note_writes(builder, body);
        block_in_body(builder, body);
    }
    builder.result_names.pop();
    if builder.result_names.is_empty() {
        builder.hidden_types.clear();
    }
    let body = builder.end();
    builder.function(body)
}

/// A function of which only the type is known: of an interface, of a variable.
pub(super) fn declared_function<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, flags: u32) -> Slot {
    let definition = builder.definition(node).unwrap_or(NONE);
    builder.begin(definition, flags | BodyFlags::DECLARED);
    let results = results_of(builder, node);
    builder.set_results(results.len() as u32);
    if flags & BodyFlags::RECEIVER_FIRST != 0 {
        builder.parameter("", ParameterKind::PLAIN);
    }
    if let Some(list) = node.child_by_field_name("parameters") {
        each_parameter(builder, list, &mut |builder, name, _, kind| {
            builder.parameter(name, kind);
        });
    }
    for (at, (_, declared)) in results.iter().enumerate() {
        declare_type(builder, at as Slot, *declared);
    }
    let body = builder.end();
    builder.function(body)
}

/// The results that a function declares, with their names if they have any.
fn results_of<'t>(builder: &Builder<'t, '_>, node: Node<'t>) -> Vec<(Option<&'t str>, Node<'t>)> {
    let Some(result) = node.child_by_field_name("result") else {
        return Vec::new();
    };
    if result.kind() != "parameter_list" {
        return vec![(None, result)];
    }
    let mut results = Vec::new();
    for part in children(result) {
        let Some(declared) = part.child_by_field_name("type") else {
            continue;
        };
        let before = results.len();
        for name in part.children_by_field_name("name") {
            if name.is_named() {
                let name = builder.text(name);
                results.push(((name != "_").then_some(name), declared));
            }
        }
        if results.len() == before {
            results.push((None, declared));
        }
    }
    results
}

/// The receiver of a method: its first parameter, which also knows the arguments of its type.
fn receiver_of<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>) -> Option<(&'t str, Slot)> {
    let Some(parameter) = child_of_kind(list, &["parameter_declaration"]) else {
        builder.parameter("", ParameterKind::PLAIN);
        return None;
    };
    let name = parameter
        .child_by_field_name("name")
        .map_or("", |name| builder.text(name));
    let slot = builder.parameter(name, ParameterKind::PLAIN);
    let named = (!matches!(name, "" | "_")).then_some((name, slot));
    let Some(declared) = parameter.child_by_field_name("type").map(plain_type) else {
        return named;
    };
    if let Some(class) = type_value(builder, declared) {
        builder.hint_named(slot, class, 0);
    }
    if declared.kind() != "generic_type" {
        return named;
    }
    let Some(arguments) = declared.child_by_field_name("type_arguments") else {
        return named;
    };
    builder.add_flags(BodyFlags::PASS_THROUGH);
    for (field, argument) in TYPE_PARAMETERS.iter().zip(children(arguments)) {
        let name = builder.text(argument);
        if name != "_" {
            let value = builder.load(slot, field, line(argument));
            builder.declare(name);
            builder.write(name, value);
            builder.hidden_types.insert(name);
        }
    }
    named
}

/// Declares the type parameters of a declaration; what they are is what is given for each, or what they are bound by.
pub(super) fn type_parameters<'t, 'f>(
    builder: &mut Builder<'t, 'f>,
    node: Node<'t>,
    given: &mut dyn FnMut(&mut Builder<'t, 'f>, usize) -> Slot,
) {
    let Some(list) = node.child_by_field_name("type_parameters") else {
        return;
    };
    let mut at = 0;
    let mut bounds = Vec::new();
    for declaration in children(list) {
        for name in declaration.children_by_field_name("name") {
            if !name.is_named() {
                continue;
            }
            let name = builder.text(name);
            let slot = given(builder, at);
            at += 1;
            builder.declare(name);
            builder.write(name, slot);
            builder.hidden_types.insert(name);
            bounds.extend(declaration.child_by_field_name("type").map(|bound| (slot, bound)));
        }
    }
    // A bound may speak of any of them.
    for (slot, bound) in bounds {
        if bound.named_child_count() != 1 {
            continue;
        }
        if let Some(class) = type_value(builder, bound) {
            builder.hint_value(slot, class);
        }
    }
}

/// Every parameter of a list: its name, its type and its kind.
fn each_parameter<'t, 'f>(
    builder: &mut Builder<'t, 'f>,
    list: Node<'t>,
    found: &mut dyn FnMut(&mut Builder<'t, 'f>, &'t str, Node<'t>, u8),
) {
    for parameter in children(list) {
        let kind = match parameter.kind() {
            "parameter_declaration" => ParameterKind::PLAIN,
            "variadic_parameter_declaration" => ParameterKind::REST,
            _ => continue,
        };
        let Some(declared) = parameter.child_by_field_name("type") else {
            continue;
        };
        let mut is_named = false;
        for name in parameter.children_by_field_name("name") {
            if name.is_named() {
                is_named = true;
                let name = builder.text(name);
                found(builder, name, declared, kind);
            }
        }
        if !is_named {
            found(builder, "", declared, kind);
        }
    }
}

fn parameters<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>, named: &mut Vec<(&'t str, Slot)>) {
    each_parameter(builder, list, &mut |builder, name, declared, kind| {
        let slot = builder.parameter(name, kind);
        if matches!(name, "" | "_") {
            return;
        }
        if kind == ParameterKind::REST {
            if says_something(builder, declared) {
                let element = builder.slot();
                declare_type(builder, element, declared);
                builder.hint_elements(slot, element);
            }
        } else {
            declare_type(builder, slot, declared);
        }
        named.push((name, slot));
    });
}
