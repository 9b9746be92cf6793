//! Expressions and calls.

use lore_model::{BodyFlags, FlowFlags, NONE};

use crate::extract::{children_of_kind, has_child};
use crate::flow::{Argument, Slot};
use crate::syntax::Node;

use super::super::resolve::REQUIRED;
use super::classes::{class, function, member_name};
use super::jsx::jsx;
use super::modules::string_text;
use super::narrowing::narrow;
use super::patterns::assign;
use super::statements::constant;
use super::types::typed;
use super::{Builder, MODULE_EXPORTS, children, line};

pub(super) fn expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let slot = if builder.enter() {
        lower_expression(builder, node)
    } else {
        builder.slot()
    };
    builder.leave();
    slot
}

pub(super) fn lower_expression<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "identifier" | "shorthand_property_identifier" => {
            builder.note_read(node);
            let name = builder.text(node);
            builder.read(name)
        }
        "this" => {
            if builder.is_variable("this") {
                builder.read("this")
            } else {
                builder.slot()
            }
        }
        "parenthesized_expression" | "non_null_expression" => match children(node).first() {
            Some(inner) => expression(builder, *inner),
            None => builder.slot(),
        },
        "as_expression" | "satisfies_expression" => {
            let parts = children(node);
            let Some(value) = parts.first() else {
                return builder.slot();
            };
            let value = expression(builder, *value);
            typed(builder, value, parts.get(1).copied())
        }
        "type_assertion" => {
            let parts = children(node);
            let Some(value) = parts.last() else {
                return builder.slot();
            };
            let value = expression(builder, *value);
            let declared = parts.first().and_then(|list| children(*list).first().copied());
            typed(builder, value, declared)
        }
        "member_expression" => {
            let (Some(object), Some(property)) = (field("object"), field("property")) else {
                return builder.slot();
            };
            if builder.text(node) == MODULE_EXPORTS && !builder.is_variable("module") {
                return builder.read(MODULE_EXPORTS);
            }
            builder.note_read(node);
            let base = object_of(builder, object);
            builder.load(base, builder.text(property), line(property))
        }
        "subscript_expression" => {
            let (Some(object), Some(index)) = (field("object"), field("index")) else {
                return builder.slot();
            };
            let base = object_of(builder, object);
            load_index(builder, base, index)
        }
        "call_expression" => call(builder, node),
        "new_expression" => {
            let Some(constructor) = field("constructor") else {
                return builder.slot();
            };
            let class = expression(builder, constructor);
            let arguments = field("arguments").map_or_else(Vec::new, |list| arguments(builder, list));
            let at = constructor
                .child_by_field_name("property")
                .map_or_else(|| line(constructor), line);
            builder.call(class, &arguments, at, FlowFlags::NEW)
        }
        "function_expression" | "arrow_function" | "generator_function" => function(builder, node, node, 0),
        "class" => class(builder, node),
        "assignment_expression" => {
            let (Some(left), Some(right)) = (field("left"), field("right")) else {
                return builder.slot();
            };
            let value = expression(builder, right);
            assign(builder, left, value);
            value
        }
        "augmented_assignment_expression" => {
            let (Some(left), Some(right)) = (field("left"), field("right")) else {
                return builder.slot();
            };
            let old = expression(builder, left);
            let value = expression(builder, right);
            let result = builder.slot();
            builder.copy(result, old);
            builder.copy(result, value);
            assign(builder, left, result);
            result
        }
        "update_expression" => {
            let Some(argument) = field("argument") else {
                return builder.slot();
            };
            let old = expression(builder, argument);
            let value = builder.slot();
            builder.operate(value, old);
            assign(builder, argument, value);
            value
        }
        "ternary_expression" => {
            let result = builder.slot();
            let known = field("condition").and_then(|condition| constant(builder, condition));
            if let Some(condition) = field("condition") {
                expression(builder, condition);
            }
            let before = builder.environment();
            let mut ways = Vec::new();
            for (part, wanted) in [("consequence", false), ("alternative", true)] {
                if known != Some(wanted)
                    && let Some(part) = field(part)
                {
                    builder.restore(&before);
                    if let Some(condition) = field("condition") {
                        narrow(builder, condition, !wanted);
                    }
                    let value = spelled(builder, part);
                    builder.copy(result, value);
                    ways.push(builder.environment());
                }
            }
            builder.join(&ways);
            result
        }
        "binary_expression" => binary(builder, node),
        "sequence_expression" => {
            let mut last = None;
            for part in children(node) {
                last = Some(expression(builder, part));
            }
            last.unwrap_or_else(|| builder.slot())
        }
        "await_expression" => match children(node).first() {
            Some(value) => {
                let value = expression(builder, *value);
                builder.wait_for(value, line(node))
            }
            None => builder.slot(),
        },
        "yield_expression" => {
            builder.add_flags(BodyFlags::GENERATOR);
            let yielded = builder.yielded();
            if let Some(value) = children(node).first() {
                let value = expression(builder, *value);
                let value = if has_child(node, "*") {
                    builder.iterate(value, line(node))
                } else {
                    value
                };
                builder.copy(yielded, value);
            }
            builder.sent()
        }
        "object" => object(builder, node),
        "array" => {
            let slot = builder.allocate("Array", line(node));
            elements(builder, node, slot);
            slot
        }
        "string" => {
            let slot = builder.slot();
            let text = builder.text(node);
            builder.set_literal(slot, text);
            slot
        }
        "number" => {
            let slot = builder.slot();
            let text = builder.text(node);
            builder.set_literal(slot, text);
            slot
        }
        "template_string" => {
            let substitutions = children_of_kind(node, &["template_substitution"]);
            for inner in substitutions.iter().flat_map(|substitution| children(*substitution)) {
                let value = expression(builder, inner);
                builder.call_method(value, "toString", &[], line(inner));
            }
            let slot = builder.slot();
            if substitutions.is_empty() {
                let text = builder.text(node);
                builder.set_literal(slot, text);
            }
            slot
        }
        "super" => match builder.classes.last().copied() {
            // In a literal it is what the object takes from.
            Some(NONE) => {
                let this = builder.read("this");
                builder.load(this, "__proto__", line(node))
            }
            Some(class) => {
                let this = builder.read("this");
                builder.super_of(class, this)
            }
            None => builder.slot(),
        },
        "meta_property" if builder.text(node) == "new.target" && builder.is_variable("this") => {
            let this = builder.read("this");
            builder.load(this, "constructor", line(node))
        }
        "regex" | "true" | "false" | "null" | "undefined" | "meta_property" | "property_identifier" => builder.slot(),
        "jsx_element" | "jsx_self_closing_element" | "jsx_fragment" => jsx(builder, node),
        "function_declaration" | "generator_function_declaration" => function(builder, node, node, 0),
        "class_declaration" | "abstract_class_declaration" => class(builder, node),
        _ => {
            for child in children(node) {
                expression(builder, child);
            }
            builder.slot()
        }
    }
}

pub(super) fn object_of<'t>(builder: &mut Builder<'t, '_>, object: Node<'t>) -> Slot {
    expression(builder, object)
}

/// What an element is asked for by.
pub(super) enum Key {
    /// A literal.
    Name(String),
    Value(Slot),
}

/// The key that an index is.
pub(super) fn key_of<'t>(builder: &mut Builder<'t, '_>, index: Node<'t>) -> Key {
    let slot = match index.kind() {
        "string" => return Key::Name(string_text(builder, index).to_owned()),
        "number" => return Key::Name(builder.text(index).to_owned()),
        "member_expression" if is_well_known(builder.text(index)) => return Key::Name(builder.text(index).to_owned()),
        _ => expression(builder, index),
    };
    match builder.literal(slot) {
        Some(literal) => Key::Name(literal.trim_matches(['"', '\'', '`']).to_owned()),
        None => Key::Value(slot),
    }
}

/// Whether an expression is one of the symbols that the language itself asks objects for.
pub(super) fn is_well_known(text: &str) -> bool {
    matches!(
        text,
        "Symbol.iterator" | "Symbol.asyncIterator" | "Symbol.toPrimitive" | "Symbol.hasInstance"
    )
}

pub(super) fn is_index(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|digit| digit.is_ascii_digit())
}

pub(super) fn load_index<'t>(builder: &mut Builder<'t, '_>, base: Slot, index: Node<'t>) -> Slot {
    match key_of(builder, index) {
        Key::Name(key) if !is_index(&key) => builder.load(base, &key, line(index)),
        Key::Name(key) => builder.load_key(base, Some(&key), line(index)),
        Key::Value(key) => builder.load_key_of(base, key, line(index)),
    }
}

/// Gives a value to an element.
pub(super) fn store_index<'t>(builder: &mut Builder<'t, '_>, base: Slot, index: Node<'t>, value: Slot, at: u32) {
    match key_of(builder, index) {
        Key::Name(key) if !is_index(&key) => builder.store(base, &key, value, at),
        Key::Name(key) => builder.store_key(base, Some(&key), value, at),
        Key::Value(key) => builder.store_key_of(base, key, value, at),
    }
}

/// Characters of a literal that can be a key.
const MAX_KEY: usize = 48;

/// An expression whose value may come to be a key elsewhere, which a short literal is worth knowing for.
pub(super) fn spelled<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let slot = expression(builder, node);
    let mut node = node;
    while matches!(
        node.kind(),
        "as_expression" | "satisfies_expression" | "parenthesized_expression"
    ) {
        match children(node).first() {
            Some(inner) => node = *inner,
            None => break,
        }
    }
    let text = match node.kind() {
        "string" => Some(string_text(builder, node)),
        "template_string" if children(node).iter().all(|part| part.kind() == "string_fragment") => {
            Some(string_text(builder, node))
        }
        _ => None,
    };
    if let Some(text) = text.filter(|text| {
        !text.is_empty()
            && text.len() <= MAX_KEY
            && !text.contains(|letter: char| letter.is_whitespace() || letter == '\\')
    }) {
        builder.spell(slot, text);
    }
    slot
}

/// `a && b && c` and `a + b + c` nest to the left, as deep as they are long.
pub(super) fn binary<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let mut operands = Vec::new();
    let mut current = Some(node);
    let (mut passes_on, mut adds, mut reckons) = (false, false, false);
    let outermost = node
        .child_by_field_name("operator")
        .map_or("", |operator| operator.kind());
    let mut uniform = true;
    while let Some(inner) = current.filter(|inner| inner.kind() == "binary_expression") {
        let operator = inner
            .child_by_field_name("operator")
            .map_or("", |operator| operator.kind());
        passes_on |= matches!(operator, "&&" | "||" | "??");
        uniform &= operator == outermost;
        adds |= operator == "+";
        reckons |= matches!(operator, "+" | "-" | "*" | "/" | "%" | "**" | "<" | ">" | "<=" | ">=");
        operands.extend(inner.child_by_field_name("right"));
        current = inner.child_by_field_name("left");
    }
    operands.extend(current);
    // What comes behind `&&` runs if what is before it holds, what comes behind `||` if it does not.
    let goes_on_if = match node
        .child_by_field_name("operator")
        .map_or("", |operator| operator.kind())
    {
        "&&" if uniform => Some(true),
        "||" if uniform => Some(false),
        _ => None,
    };
    let result = builder.slot();
    let start = builder.environment();
    let mut narrowed = false;
    for (at, operand) in operands.iter().copied().rev().enumerate() {
        let value = expression(builder, operand);
        if passes_on {
            builder.copy(result, value);
        } else if (adds || reckons) && !matches!(operand.kind(), "number" | "string" | "template_string") {
            // An object becomes a number or a text by a method of its own.
            builder.call_method(value, "valueOf", &[], line(operand));
            if adds {
                builder.call_method(value, "toString", &[], line(operand));
            }
        }
        if let Some(holds) = goes_on_if
            && at + 1 < operands.len()
        {
            if constant(builder, operand) == Some(!holds) {
                break;
            }
            narrowed |= narrow(builder, operand, holds);
        }
    }
    if narrowed {
        let end = builder.environment();
        builder.join(&[start, end]);
    }
    result
}

pub(super) fn elements<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, slot: Slot) {
    let mut spread = false;
    for (at, element) in children(node).into_iter().enumerate() {
        if element.kind() == "spread_element" {
            spread = true;
            if let Some(inner) = children(element).first() {
                let inner = expression(builder, *inner);
                let inner = builder.iterate(inner, line(element));
                builder.store_key(slot, None, inner, line(element));
            }
            continue;
        }
        let value = spelled(builder, element);
        let key = (!spread).then(|| at.to_string());
        builder.store_key(slot, key.as_deref(), value, line(element));
    }
}

pub(super) fn object<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let slot = builder.allocate("Object", line(node));
    builder.classes.push(NONE);
    let entries = children(node);
    for (at, entry) in entries.iter().copied().enumerate() {
        match entry.kind() {
            "pair" => {
                let (Some(key), Some(value)) = (entry.child_by_field_name("key"), entry.child_by_field_name("value"))
                else {
                    continue;
                };
                let value = spelled(builder, value);
                store_member_of(builder, slot, key, "", value, line(entry));
            }
            "method_definition" => {
                let Some(name) = entry.child_by_field_name("name") else {
                    continue;
                };
                let (flags, suffix) = match (has_child(entry, "get"), has_child(entry, "set")) {
                    (true, _) => (BodyFlags::GETTER, ""),
                    (_, true) => (BodyFlags::SETTER, ":set"),
                    _ => (0, ""),
                };
                let value = function(builder, entry, entry, flags);
                store_member_of(builder, slot, name, suffix, value, line(entry));
            }
            "shorthand_property_identifier" => {
                builder.note_read(entry);
                let name = builder.text(entry);
                let value = builder.read(name);
                builder.store(slot, name, value, line(entry));
            }
            "spread_element" => {
                if let Some(inner) = children(entry).first() {
                    let inner = expression(builder, *inner);
                    // What is said behind it hides what it brings.
                    let hidden: Vec<&str> = entries[at..]
                        .iter()
                        .filter_map(|entry| plain_name(builder, *entry))
                        .collect();
                    builder.merge(slot, inner, &hidden, line(entry));
                }
            }
            _ => {}
        }
    }
    builder.classes.pop();
    slot
}

/// The name of an entry of a literal, unless it is computed.
fn plain_name<'t>(builder: &Builder<'t, '_>, entry: Node<'t>) -> Option<&'t str> {
    let name = match entry.kind() {
        "pair" => entry.child_by_field_name("key")?,
        "method_definition" => entry.child_by_field_name("name")?,
        "shorthand_property_identifier" => entry,
        _ => return None,
    };
    match name.kind() {
        "computed_property_name" => None,
        "string" => Some(string_text(builder, name)),
        _ => Some(builder.text(name)),
    }
}

/// Gives a value to the member of an object that a name of a literal means, which may be computed.
pub(super) fn store_member_of<'t>(
    builder: &mut Builder<'t, '_>,
    object: Slot,
    name: Node<'t>,
    suffix: &str,
    value: Slot,
    at: u32,
) {
    if name.kind() == "computed_property_name"
        && let Some(inner) = children(name).first()
    {
        store_index(builder, object, *inner, value, at);
        return;
    }
    let name = format!("{}{suffix}", member_name(builder, name));
    if is_index(&name) {
        builder.store_key(object, Some(&name), value, at)
    } else {
        builder.store(object, &name, value, at)
    }
}

pub(super) fn call<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>) -> Slot {
    let Some(function) = node.child_by_field_name("function") else {
        return builder.slot();
    };
    let Some(list) = node.child_by_field_name("arguments") else {
        return builder.slot();
    };
    if list.kind() == "template_string" {
        let (callee, receiver, at) = callee_of(builder, function, None);
        let strings = builder.allocate("Array", line(list));
        let mut arguments = vec![Argument::Plain(strings)];
        for substitution in children_of_kind(list, &["template_substitution"]) {
            for inner in children(substitution) {
                arguments.push(Argument::Plain(expression(builder, inner)));
            }
        }
        return match receiver {
            Some(receiver) => builder.call_on(callee, receiver, &arguments, at, 0),
            None => builder.call(callee, &arguments, at, 0),
        };
    }
    let text = builder.text(function);
    match function.kind() {
        "import" => {
            let arguments = children(list);
            let Some(module) = arguments.first().filter(|module| module.kind() == "string") else {
                for argument in arguments {
                    expression(builder, argument);
                }
                return builder.slot();
            };
            let module = string_text(builder, *module);
            let module = builder.import(module, None, line(node));
            let promise = builder.allocate("Promise", line(node));
            builder.store_key(promise, None, module, line(node));
            return promise;
        }
        "identifier" if text == "require" => {
            if let Some(module) = children(list).first().filter(|module| module.kind() == "string") {
                let module = format!("{REQUIRED}{}", string_text(builder, *module));
                return builder.import(&module, None, line(node));
            }
        }
        // A word of the prelude's own: a call with a receiver of choice.
        "identifier" if text == "__invoke" => {
            let mut arguments = arguments(builder, list).into_iter();
            let (Some(Argument::Plain(function)), Some(Argument::Plain(receiver))) =
                (arguments.next(), arguments.next())
            else {
                return builder.slot();
            };
            let rest: Vec<Argument<'t>> = arguments.collect();
            return builder.call_on(function, receiver, &rest, line(node), 0);
        }
        // Words of the prelude's own: what an object holds comes into another, and what of a list has no place of its own.
        "identifier" if text == "__merge" => {
            if let [Argument::Plain(target), Argument::Plain(source)] = arguments(builder, list)[..] {
                builder.merge(target, source, &[], line(node));
            }
            return builder.slot();
        }
        "identifier" if text == "__ask" => {
            if let [value, name] = children(list)[..] {
                let value = expression(builder, value);
                return builder.call_method(value, string_text(builder, name), &[], line(node));
            }
            return builder.slot();
        }
        "identifier" if text == "__loose" => {
            return match arguments(builder, list)[..] {
                [Argument::Plain(values)] => builder.iterate_unkeyed(values, line(node)),
                _ => builder.slot(),
            };
        }
        "super" => {
            let (Some(class), true) = (builder.classes.last().copied(), builder.is_variable("this")) else {
                return builder.slot();
            };
            let this = builder.read("this");
            let above = builder.super_of(class, this);
            let fields = builder.load_implicit(above, "<fields>", line(node));
            builder.call(fields, &[], line(node), FlowFlags::IMPLICIT);
            let constructor = builder.load(above, "constructor", line(function));
            let arguments = arguments(builder, list);
            return builder.call(constructor, &arguments, line(function), 0);
        }
        _ => {}
    }
    let (callee, receiver, at) = callee_of(builder, function, Some(list));
    let arguments = arguments(builder, list);
    let result = match receiver {
        Some(receiver) => builder.call_on(callee, receiver, &arguments, at, 0),
        None => builder.call(callee, &arguments, at, 0),
    };
    if matches!(text, "Symbol" | "Symbol.for") && !builder.is_variable("Symbol") {
        return symbol(builder, node, list, result);
    }
    result
}

/// A symbol is a key of its own, known by what it is described with.
fn symbol<'t>(builder: &mut Builder<'t, '_>, node: Node<'t>, list: Node<'t>, made: Slot) -> Slot {
    let described = children(list).first().filter(|text| text.kind() == "string").copied();
    let name = match described {
        Some(text) => format!("@@{}", string_text(builder, text)),
        None => format!("@@{}", node.start_byte()),
    };
    let symbol = builder.slot();
    builder.copy(symbol, made);
    builder.spell(symbol, &name);
    symbol
}

/// What is called, its receiver and its line.
fn callee_of<'t>(
    builder: &mut Builder<'t, '_>,
    function: Node<'t>,
    list: Option<Node<'t>>,
) -> (Slot, Option<Slot>, u32) {
    match (function.kind(), function.child_by_field_name("object")) {
        ("member_expression", Some(object)) if builder.text(function) != MODULE_EXPORTS => {
            let mut base = object_of(builder, object);
            let property = function.child_by_field_name("property");
            let name = property.map_or("", |property| builder.text(property));
            if let Some(class) = presumed_class(name)
                && list.is_some_and(takes_function)
            {
                base = presume(builder, base, class, line(function));
            }
            let at = property.map_or_else(|| line(function), line);
            (builder.load(base, name, at), Some(base), at)
        }
        ("subscript_expression", Some(object)) => {
            let base = object_of(builder, object);
            let callee = match function.child_by_field_name("index") {
                Some(index) => load_index(builder, base, index),
                None => builder.slot(),
            };
            (callee, Some(base), line(function))
        }
        _ => (expression(builder, function), None, line(function)),
    }
}

/// The built-in class that has a method which calls back, where nothing is known about the receiver.
fn presumed_class(method: &str) -> Option<&'static str> {
    match method {
        "forEach" | "map" | "filter" | "find" | "findLast" | "findIndex" | "findLastIndex" | "some" | "every"
        | "flatMap" | "reduce" | "reduceRight" | "sort" | "toSorted" => Some("Array"),
        "then" | "catch" | "finally" => Some("Promise"),
        "replace" | "replaceAll" => Some("String"),
        _ => None,
    }
}

/// Whether a function may be among arguments.
fn takes_function(list: Node<'_>) -> bool {
    children(list).into_iter().any(|argument| {
        matches!(
            argument.kind(),
            "arrow_function" | "function_expression" | "generator_function" | "identifier" | "member_expression"
        )
    })
}

/// A value that is an instance of a built-in class where nothing better is known.
fn presume<'t>(builder: &mut Builder<'t, '_>, value: Slot, class: &str, at: u32) -> Slot {
    let presumed = builder.slot();
    builder.copy(presumed, value);
    let held = builder.allocate(class, at);
    builder.hint_value(presumed, held);
    presumed
}

pub(super) fn arguments<'t>(builder: &mut Builder<'t, '_>, list: Node<'t>) -> Vec<Argument<'t>> {
    children(list)
        .into_iter()
        .map(|argument| match argument.kind() {
            "spread_element" => match children(argument).first() {
                Some(inner) => Argument::Spread(expression(builder, *inner)),
                None => Argument::Plain(builder.slot()),
            },
            _ => Argument::Plain(spelled(builder, argument)),
        })
        .collect()
}
