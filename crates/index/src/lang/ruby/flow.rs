//! Ruby's value flow: the table of its nodes, methods without parentheses, blocks, mixins, accessors.
//!
//! A block is passed under the name `&`, and belongs to what encloses it.

use std::sync::OnceLock;

use lore_model::{BodyFlags, FlowFlags, NONE, ParameterKind};

use crate::extract::{child_of_kind, children_of_kind};
use crate::flow::plain::{
    Act, CONSTRUCTOR, Grammar, Lower, PLAIN_RULES, Part, Plain, Shape, children, line, lower as lower_plain,
};
use crate::flow::{Argument, FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use Part::{At, Field};

/// How the values of Ruby flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    call: "call",
    missing: Some("method_missing"),
    iterate: ("<each>", "<next>"),
    element: ("[]", "[]="),
    rest: ("Array", "Hash"),
    prelude: &[("", include_str!("prelude/core.rb"))],
    ..PLAIN_RULES
};

fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &PLAIN);
}

static COMPILED: OnceLock<Grammar> = OnceLock::new();

/// The name under which a block is passed.
const BLOCK: &str = "&";

pub(super) static PLAIN: Plain = Plain {
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    compiled: &COMPILED,
    shapes: &[
        ("comment", Shape::of(Act::Skip)),
        (
            "class",
            Shape::of(Act::Hook(declared_class))
                .name(Field("name"))
                .body(Field("body")),
        ),
        (
            "module",
            Shape::of(Act::Hook(declared_class))
                .name(Field("name"))
                .body(Field("body")),
        ),
        ("singleton_class", Shape::of(Act::Hook(singleton_class))),
        ("method", Shape::of(Act::Hook(method)).name(Field("name"))),
        ("singleton_method", Shape::of(Act::Hook(method)).name(Field("name"))),
        ("body_statement", Shape::of(Act::Hook(body_statement))),
        ("block_body", Shape::of(Act::Block)),
        ("then", Shape::of(Act::Block)),
        ("do", Shape::of(Act::Block)),
        ("begin", Shape::of(Act::Hook(body_statement))),
        ("begin_block", Shape::of(Act::Block)),
        ("parenthesized_statements", Shape::of(Act::Block)),
        ("identifier", Shape::of(Act::Hook(identifier))),
        ("constant", Shape::of(Act::Hook(constant))),
        ("scope_resolution", Shape::of(Act::Hook(scoped))),
        ("self", Shape::of(Act::This)),
        ("instance_variable", Shape::of(Act::Hook(instance_variable))),
        ("class_variable", Shape::of(Act::Hook(class_variable))),
        ("global_variable", Shape::of(Act::Name)),
        ("call", Shape::of(Act::Hook(call))),
        ("super", Shape::of(Act::Hook(bare_super))),
        ("yield", Shape::of(Act::Hook(yields))),
        (
            "element_reference",
            Shape::of(Act::Index).object(Field("object")).list(At(1)),
        ),
        (
            "assignment",
            Shape::of(Act::Hook(assignment))
                .object(Field("left"))
                .value(Field("right")),
        ),
        (
            "operator_assignment",
            Shape::of(Act::Hook(operator_assignment))
                .object(Field("left"))
                .value(Field("right")),
        ),
        ("left_assignment_list", Shape::of(Act::Tuple)),
        ("right_assignment_list", Shape::of(Act::List)),
        ("binary", Shape::of(Act::Hook(binary))),
        ("unary", Shape::of(Act::Pass)),
        (
            "conditional",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(Field("consequence"))
                .other(Field("alternative")),
        ),
        (
            "if",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(Field("consequence"))
                .other(Field("alternative")),
        ),
        (
            "elsif",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(Field("consequence"))
                .other(Field("alternative")),
        ),
        (
            "unless",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .other(Field("consequence"))
                .body(Field("alternative")),
        ),
        ("else", Shape::of(Act::Block)),
        (
            "if_modifier",
            Shape::of(Act::Branch).value(Field("condition")).body(Field("body")),
        ),
        (
            "unless_modifier",
            Shape::of(Act::Branch).value(Field("condition")).other(Field("body")),
        ),
        ("while_modifier", Shape::of(Act::Loop)),
        ("until_modifier", Shape::of(Act::Loop)),
        ("while", Shape::of(Act::Loop)),
        ("until", Shape::of(Act::Loop)),
        (
            "for",
            Shape::of(Act::Hook(for_loop))
                .name(Field("pattern"))
                .value(Field("value"))
                .body(Field("body")),
        ),
        ("case", Shape::of(Act::Switch).value(Field("value"))),
        ("when", Shape::of(Act::Case).name(Field("pattern")).body(Field("body"))),
        ("pattern", Shape::of(Act::Hook(when_pattern))),
        ("return", Shape::of(Act::Hook(give_back))),
        ("break", Shape::of(Act::Break)),
        ("next", Shape::of(Act::Hook(give_back))),
        ("rescue_modifier", Shape::of(Act::Pass)),
        ("lambda", Shape::of(Act::Hook(lambda))),
        ("array", Shape::of(Act::List)),
        ("string_array", Shape::of(Act::Skip)),
        ("symbol_array", Shape::of(Act::Skip)),
        ("hash", Shape::of(Act::Map)),
        ("pair", Shape::of(Act::Pair).name(Field("key")).value(Field("value"))),
        ("splat_argument", Shape::of(Act::Spread)),
        ("hash_splat_argument", Shape::of(Act::Spread)),
        ("string", Shape::of(Act::Text)),
        ("string_content", Shape::of(Act::Skip)),
        ("heredoc_body", Shape::of(Act::Text)),
        ("simple_symbol", Shape::of(Act::Hook(symbol))),
        ("hash_key_symbol", Shape::of(Act::Hook(symbol))),
        ("integer", Shape::of(Act::Data)),
        ("float", Shape::of(Act::Data)),
        ("true", Shape::of(Act::Data)),
        ("false", Shape::of(Act::Data)),
        ("nil", Shape::of(Act::Data)),
        ("regex", Shape::of(Act::Pass)),
        ("alias", Shape::of(Act::Hook(alias))),
    ],
    is_part: |_, _| true,
    implicit_locals: true,
    gives_last: true,
    lambda_gives_last: true,
    outside: false,
    list: "Array",
    map: "Hash",
    separator: "::",
    ..Plain::BASE
};

/// The value of a name: a variable, or what a method of that name gives.
fn identifier<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let name = lower.text(node);
    if lower.builder.is_variable(name) {
        return lower.builder.read(name);
    }
    if lower.is_in_class() && section(lower, name) {
        return NONE;
    }
    let function = lower.look_up(name, line(node));
    lower.builder.call(function, &[], line(node), 0)
}

/// Bare words between the members of a class.
fn section(lower: &mut Lower<'_, '_, '_>, name: &str) -> bool {
    match name {
        "module_function" => {
            lower.statics += 1;
            true
        }
        "private" | "public" | "protected" => true,
        _ => false,
    }
}

fn constant<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let name = lower.text(node);
    if lower.builder.is_variable(name) {
        return lower.builder.read(name);
    }
    lower.find_type(name, line(node)).unwrap_or(NONE)
}

/// `A::B` and `::B`.
fn scoped<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(name) = node.child_by_field_name("name") else {
        return NONE;
    };
    match node.child_by_field_name("scope") {
        Some(scope) => {
            let scope = lower.value(scope);
            lower.builder.load(scope, lower.builder.text(name), line(name))
        }
        None => lower.find(lower.builder.text(name), line(name), true),
    }
}

fn instance_variable<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let this = lower.this();
    lower.builder.load(this, lower.builder.text(node), line(node))
}

fn class_variable<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    match lower.class_around() {
        Some(class) => lower.builder.load(class, lower.builder.text(node), line(node)),
        None => NONE,
    }
}

fn symbol_text<'t>(lower: &Lower<'t, '_, '_>, node: Node<'t>) -> &'t str {
    lower
        .text(node)
        .trim_start_matches(':')
        .trim_end_matches(':')
        .trim_matches('"')
}

fn symbol<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let slot = lower.builder.slot();
    let text = symbol_text(lower, node);
    lower.builder.spell(slot, text);
    slot
}

/// A class or a module: what it includes comes before its base.
fn declared_class<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let mut bases = Vec::new();
    if let Some(body) = form.body(node) {
        for entry in children_of_kind(body, &["call"]).into_iter().rev() {
            let word = entry.child_by_field_name("method").map_or("", |word| lower.text(word));
            if entry.child_by_field_name("receiver").is_some() || !matches!(word, "include" | "extend" | "prepend") {
                continue;
            }
            for used in entry.child_by_field_name("arguments").map_or_else(Vec::new, children) {
                if matches!(used.kind(), "constant" | "scope_resolution") {
                    bases.push(lower.value(used));
                }
            }
        }
    }
    if let Some(above) = node
        .child_by_field_name("superclass")
        .and_then(|clause| children(clause).first().copied())
    {
        bases.push(lower.value(above));
    }
    let statics = std::mem::take(&mut lower.statics);
    let slot = match name.kind() {
        "scope_resolution" => {
            // `class A::B` hangs on A.
            let scope = name.child_by_field_name("scope").map(|scope| lower.value(scope));
            let last = name.child_by_field_name("name").map_or("", |name| lower.text(name));
            let slot = lower.class_of(form, node, "", &bases);
            if let Some(scope) = scope {
                lower.builder.store_member(scope, last, slot, line(node));
            }
            slot
        }
        _ => {
            let name = lower.text(name);
            lower.class_of(form, node, name, &bases)
        }
    };
    lower.statics = statics;
    slot
}

fn singleton_class<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    lower.statics += 1;
    if let Some(body) = node.child_by_field_name("body") {
        lower.members(body);
    }
    lower.statics -= 1;
    NONE
}

/// The parameters of a method or a block; the block that is passed is one of them.
fn parameters<'t>(lower: &mut Lower<'t, '_, '_>, list: Option<Node<'t>>, takes_block: bool) {
    let mut has_block = false;
    for child in list.map_or_else(Vec::new, children) {
        let name = child.child_by_field_name("name").unwrap_or(child);
        let text = lower.text(name);
        let how = match child.kind() {
            "identifier" | "optional_parameter" => ParameterKind::PLAIN,
            "splat_parameter" => ParameterKind::REST,
            "keyword_parameter" => ParameterKind::NAMED,
            "hash_splat_parameter" => ParameterKind::NAMED_REST,
            "block_parameter" => {
                has_block = true;
                let slot = lower.builder.parameter(BLOCK, ParameterKind::NAMED);
                for name in [text.trim_start_matches('&'), BLOCK] {
                    lower.builder.declare(name);
                    lower.builder.write(name, slot);
                }
                continue;
            }
            "destructured_parameter" => {
                let slot = lower.builder.parameter("", ParameterKind::PLAIN);
                for (at, part) in children(child).into_iter().enumerate() {
                    let element = lower.builder.load_key(slot, Some(&at.to_string()), line(part));
                    let name = lower.text(part);
                    lower.builder.declare(name);
                    lower.builder.write(name, element);
                }
                continue;
            }
            _ => continue,
        };
        let text = text.trim_start_matches('*');
        let slot = lower.builder.parameter(text, how);
        if let Some(value) = child.child_by_field_name("value") {
            let value = lower.value(value);
            lower.builder.set_default(value);
        }
        lower.builder.declare(text);
        lower.builder.write(text, slot);
    }
    if takes_block && !has_block {
        let slot = lower.builder.parameter(BLOCK, ParameterKind::NAMED);
        lower.builder.declare(BLOCK);
        lower.builder.write(BLOCK, slot);
    }
}

fn method<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(name) = node.child_by_field_name("name") else {
        return NONE;
    };
    let text = lower.text(name);
    let (definition, _) = lower.definition_or_around(node);
    let in_class = lower.is_in_class();
    let is_static = node.kind() == "singleton_method" || lower.statics > 0;
    let mut flags = if in_class { BodyFlags::MEMBER } else { 0 };
    if in_class && is_static {
        flags |= BodyFlags::CLASS_METHOD;
    }
    lower.begin_function(definition, flags);
    lower.method_names.push(text);
    parameters(lower, node.child_by_field_name("parameters"), true);
    if let Some(body) = node.child_by_field_name("body") {
        lower.body(body, false);
    }
    lower.method_names.pop();
    let value = lower.end_function();
    if in_class {
        let class = lower.builder.receiver();
        let stored = match text {
            "initialize" => CONSTRUCTOR.to_owned(),
            _ => match text.strip_suffix('=').filter(|_| is_setter(text)) {
                Some(plain) => format!("{plain}:set"),
                None => text.to_owned(),
            },
        };
        lower.builder.store_member(class, &stored, value, line(node));
        return value;
    }
    let own = lower.builder.definition(node).unwrap_or(NONE);
    if lower.is_top() {
        lower.export(text, value, own, 0)
    } else {
        lower.builder.declare(text);
        lower.builder.write(text, value);
    }
    value
}

fn is_setter(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// Statements, and what rescues them.
fn body_statement<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if lower.is_in_class() {
        lower.members(node);
        return NONE;
    }
    let parts = children(node);
    let rescues: Vec<Node<'t>> = parts.iter().copied().filter(|part| part.kind() == "rescue").collect();
    if rescues.is_empty() {
        let mut last = NONE;
        for part in parts {
            if lower.builder.is_dead() && part.kind() != "ensure" {
                continue;
            }
            last = lower.run(part);
        }
        return last;
    }
    let result = lower.builder.slot();
    let before = lower.builder.environment();
    let caught = lower.builder.begin_catch();
    let mut last = NONE;
    for part in &parts {
        if !matches!(part.kind(), "rescue" | "ensure" | "else") {
            last = lower.run(*part);
        }
    }
    lower.builder.copy(result, last);
    lower.builder.end_catch();
    let after = lower.builder.environment();
    let mut ways = vec![after.clone()];
    for rescue in rescues {
        lower.builder.join(&[before.clone(), after.clone()]);
        if lower.builder.is_dead() {
            lower.builder.restore(&before);
        }
        let kinds = rescue.child_by_field_name("exceptions").map_or_else(Vec::new, children);
        let value = lower.builder.slot();
        for kind in &kinds {
            let class = lower.value(*kind);
            let narrowed = lower.builder.narrow(caught, class, false);
            lower.builder.copy(value, narrowed);
            lower.builder.hint(value, class);
        }
        if kinds.is_empty() {
            lower.builder.copy(value, caught);
        }
        let name = rescue
            .child_by_field_name("variable")
            .and_then(|name| children(name).first().copied());
        if let Some(name) = name {
            lower.assign(name, value);
        }
        if let Some(body) = rescue.child_by_field_name("body") {
            let given = lower.run(body);
            lower.builder.copy(result, given);
        }
        ways.push(lower.builder.environment());
    }
    lower.builder.join(&ways);
    for part in parts
        .into_iter()
        .filter(|part| matches!(part.kind(), "ensure" | "else"))
    {
        let was_dead = lower.builder.is_dead();
        if was_dead {
            lower.builder.restore(&before);
        }
        lower.block(part);
        if was_dead {
            lower.builder.stop();
        }
    }
    result
}

/// A block, or a lambda.
fn block_of<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, flags: u32) -> Slot {
    let (definition, is_own) = lower.definition_or_around(node);
    lower.begin_function(definition, flags | if is_own { 0 } else { BodyFlags::HIDDEN });
    let list = node
        .child_by_field_name("parameters")
        .or_else(|| child_of_kind(node, &["block_parameters", "lambda_parameters"]));
    match list {
        Some(_) => parameters(lower, list, false),
        None => {
            let slot = lower.builder.parameter("it", ParameterKind::PLAIN);
            lower.builder.declare("it");
            lower.builder.write("it", slot);
        }
    }
    let body = node.child_by_field_name("body");
    if let Some(body) = body {
        let inner = match body.kind() {
            "block" | "do_block" => body.child_by_field_name("body"),
            _ => Some(body),
        };
        if let Some(inner) = inner {
            lower.body(inner, true);
        }
    }
    lower.end_function()
}

fn lambda<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    block_of(lower, node, BodyFlags::ARROW)
}

/// `&:name` calls the method of that name.
fn symbol_block<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let definition = lower.definitions.last().copied().unwrap_or(NONE);
    let name = symbol_text(lower, node);
    lower.begin_function(definition, BodyFlags::ARROW | BodyFlags::HIDDEN);
    let slot = lower.builder.parameter("it", ParameterKind::PLAIN);
    let function = lower.builder.load(slot, name, line(node));
    let given = lower.builder.call(function, &[], line(node), 0);
    lower.builder.give_back(given);
    lower.end_function()
}

/// What a call passes, its block last.
fn passed<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Vec<Argument<'t>> {
    let mut found = Vec::new();
    for argument in node.child_by_field_name("arguments").map_or_else(Vec::new, children) {
        match argument.kind() {
            "pair" => {
                let key = argument.child_by_field_name("key");
                let value = argument.child_by_field_name("value");
                let slot = match (value, key) {
                    (Some(value), _) => lower.spelled(value),
                    // `f(name:)` passes the variable of that name.
                    (None, Some(key)) => {
                        let name = symbol_text(lower, key);
                        lower.read_name(name, line(key))
                    }
                    _ => continue,
                };
                match key.filter(|key| matches!(key.kind(), "hash_key_symbol" | "simple_symbol")) {
                    Some(key) => found.push(Argument::Named(symbol_text(lower, key), slot)),
                    None => found.push(Argument::Plain(slot)),
                }
            }
            "block_argument" => {
                let inner = children(argument).first().copied();
                let slot = match inner {
                    Some(inner) if inner.kind() == "simple_symbol" => symbol_block(lower, inner),
                    Some(inner) => lower.value(inner),
                    None if lower.builder.is_variable(BLOCK) => lower.builder.read(BLOCK),
                    None => continue,
                };
                found.push(Argument::Named(BLOCK, slot));
            }
            "splat_argument" => found.push(Argument::Spread(lower.value(argument))),
            "hash_splat_argument" => found.push(Argument::NamedSpread(lower.value(argument))),
            _ => found.push(Argument::Plain(lower.spelled(argument))),
        }
    }
    if let Some(block) = node.child_by_field_name("block") {
        let slot = block_of(lower, block, BodyFlags::ARROW);
        found.push(Argument::Named(BLOCK, slot));
    }
    found
}

fn first_symbol<'t>(lower: &Lower<'t, '_, '_>, node: Node<'t>) -> Option<&'t str> {
    let first = node
        .child_by_field_name("arguments")
        .and_then(|list| children(list).first().copied())?;
    matches!(first.kind(), "simple_symbol" | "string").then(|| symbol_text(lower, first))
}

fn call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let receiver = node.child_by_field_name("receiver");
    let name = node.child_by_field_name("method");
    let text = name.map_or("call", |name| lower.text(name));
    let at = name.map_or_else(|| line(node), line);
    if name.is_some_and(|name| name.kind() == "super") {
        let arguments = passed(lower, node);
        return above(lower, &arguments, at);
    }
    if receiver.is_none() && lower.is_in_class() && declares(lower, node, text) {
        return NONE;
    }
    let block = node.child_by_field_name("block");
    if let (None, Some(block), "lambda" | "proc") = (receiver, block, text) {
        return block_of(lower, block, BodyFlags::ARROW);
    }
    if receiver.is_none() && text == "raise" {
        let arguments = passed(lower, node);
        if let Some(Argument::Plain(value)) = arguments.first() {
            let made = lower.builder.instance(*value);
            lower.builder.throw(made);
        }
        lower.builder.stop();
        return NONE;
    }
    let object = receiver.map(|receiver| lower.value(receiver));
    match (text, object) {
        ("new", object) => {
            let is_proc = receiver.is_some_and(|receiver| lower.text(receiver) == "Proc");
            if let (true, Some(block)) = (is_proc, block) {
                return block_of(lower, block, BodyFlags::ARROW);
            }
            let class = match object {
                Some(object) => object,
                None => lower.this(),
            };
            let arguments = passed(lower, node);
            return lower.builder.call(class, &arguments, at, FlowFlags::NEW);
        }
        ("method" | "public_method" | "instance_method", object) if first_symbol(lower, node).is_some() => {
            let wanted = first_symbol(lower, node).unwrap_or("");
            return match object {
                Some(object) => lower.builder.load(object, wanted, at),
                None => lower.look_up(wanted, at),
            };
        }
        ("send" | "public_send" | "__send__", object) => {
            let object = match object {
                Some(object) => object,
                None => lower.this(),
            };
            let mut arguments = passed(lower, node);
            let function = match (first_symbol(lower, node), arguments.first().copied()) {
                (Some(wanted), _) => lower.builder.load(object, wanted, at),
                (None, Some(Argument::Plain(key))) => lower.builder.load_key_of(object, key, at),
                _ => return NONE,
            };
            if !arguments.is_empty() {
                arguments.remove(0);
            }
            return lower.builder.call(function, &arguments, at, 0);
        }
        ("class", Some(object)) => {
            return lower.builder.load(object, "<class>", at);
        }
        ("freeze" | "tap" | "then" | "dup" | "itself", Some(object)) if block.is_none() => return object,
        ("tap" | "then", Some(object)) => {
            if let Some(block) = block {
                let function = block_of(lower, block, BodyFlags::ARROW);
                let given = lower
                    .builder
                    .call(function, &[Argument::Plain(object)], at, FlowFlags::IMPLICIT);
                return if text == "tap" { object } else { given };
            }
        }
        _ => {}
    }
    let function = match object {
        Some(object) if matches!(text, "call" | "()" | "===" | "yield") => {
            lower.builder.load_or(object, "call", object, at, 0)
        }
        Some(object) => lower.builder.load(object, text, at),
        None if lower.builder.is_variable(text) && node.child_by_field_name("arguments").is_none() => {
            return lower.builder.read(text);
        }
        None => lower.look_up(text, at),
    };
    let arguments = passed(lower, node);
    lower.builder.call(function, &arguments, at, 0)
}

/// What a call in the body of a class declares; says whether it does.
fn declares<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, name: &str) -> bool {
    let arguments = node.child_by_field_name("arguments").map_or_else(Vec::new, children);
    match name {
        "attr_reader" | "attr_writer" | "attr_accessor" => {
            for argument in arguments {
                let attribute = symbol_text(lower, argument);
                accessor(lower, attribute, name != "attr_writer", argument);
            }
            true
        }
        "include" | "extend" | "prepend" => true,
        "private" | "public" | "protected" | "module_function" | "private_class_method" | "private_constant" => {
            for argument in arguments {
                if argument.kind() != "simple_symbol" {
                    lower.run(argument);
                }
            }
            true
        }
        "define_method" => {
            let name = first_symbol(lower, node);
            let block = node.child_by_field_name("block");
            if let (Some(name), Some(block)) = (name, block) {
                let definition = lower.builder.definition(node);
                lower.definitions.extend(definition);
                let value = member_block(lower, block);
                if definition.is_some() {
                    lower.definitions.pop();
                }
                let class = lower.builder.receiver();
                lower.builder.store_member(class, name, value, line(node));
            }
            true
        }
        "alias_method" => {
            if let [new, old] = arguments[..] {
                same(lower, symbol_text(lower, new), symbol_text(lower, old), line(node));
            }
            true
        }
        _ => false,
    }
}

/// A block that becomes a method.
fn member_block<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let definition = lower
        .builder
        .definition(node)
        .or_else(|| lower.definitions.last().copied())
        .unwrap_or(NONE);
    lower.begin_function(definition, BodyFlags::MEMBER);
    parameters(lower, node.child_by_field_name("parameters"), false);
    if let Some(body) = node.child_by_field_name("body") {
        lower.body(body, true);
    }
    lower.end_function()
}

fn same(lower: &mut Lower<'_, '_, '_>, new: &str, old: &str, at: u32) {
    let class = lower.builder.receiver();
    let value = lower.builder.load(class, old, at);
    lower.builder.store_member(class, new, value, at);
}

fn alias<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let [new, old] = children(node)[..]
        && lower.is_in_class()
    {
        same(lower, symbol_text(lower, new), symbol_text(lower, old), line(node));
    }
    NONE
}

/// A method that gives an instance variable, and one that sets it.
fn accessor<'t>(lower: &mut Lower<'t, '_, '_>, name: &'t str, reads: bool, node: Node<'t>) {
    let definition = lower.definitions.last().copied().unwrap_or(NONE);
    let field = format!("@{name}");
    let statics = if lower.statics > 0 { BodyFlags::CLASS_METHOD } else { 0 };
    let class = lower.builder.receiver();
    if reads {
        lower.begin_function(definition, BodyFlags::MEMBER | BodyFlags::HIDDEN | statics);
        let this = lower.this();
        let value = lower.builder.load(this, &field, line(node));
        lower.builder.give_back(value);
        let value = lower.end_function();
        lower.builder.store_member(class, name, value, line(node));
    }
    lower.begin_function(definition, BodyFlags::MEMBER | BodyFlags::HIDDEN | statics);
    let slot = lower.builder.parameter("value", ParameterKind::PLAIN);
    let this = lower.this();
    lower.builder.store(this, &field, slot, line(node));
    let value = lower.end_function();
    lower
        .builder
        .store_member(class, &format!("{name}:set"), value, line(node));
}

/// The method of that name after this class.
fn above<'t>(lower: &mut Lower<'t, '_, '_>, arguments: &[Argument<'t>], at: u32) -> Slot {
    let name = lower.method_names.last().copied().unwrap_or("");
    let name = if name == "initialize" { CONSTRUCTOR } else { name };
    let above = lower.above();
    let function = lower.builder.load_implicit(above, name, at);
    lower.builder.call(function, arguments, at, FlowFlags::IMPLICIT)
}

/// `super` without parentheses passes what was passed.
fn bare_super<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let arguments: Vec<Argument<'t>> = lower
        .builder
        .parameters()
        .into_iter()
        .filter(|(_, kind)| *kind == ParameterKind::PLAIN)
        .map(|(slot, _)| Argument::Plain(slot))
        .collect();
    above(lower, &arguments, line(node))
}

fn yields<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let mut arguments = Vec::new();
    for list in children_of_kind(node, &["argument_list"]) {
        for argument in children(list) {
            arguments.push(Argument::Plain(lower.spelled(argument)));
        }
    }
    if !lower.builder.is_variable(BLOCK) {
        return NONE;
    }
    let block = lower.builder.read(BLOCK);
    lower.builder.call(block, &arguments, line(node), FlowFlags::IMPLICIT)
}

fn assignment<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(target), Some(value)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return NONE;
    };
    let value = lower.spelled(value);
    assign(lower, target, value);
    value
}

fn assign<'t>(lower: &mut Lower<'t, '_, '_>, target: Node<'t>, value: Slot) {
    match target.kind() {
        "identifier" => {
            let name = lower.text(target);
            lower.builder.write(name, value);
        }
        "constant" => {
            let name = lower.text(target);
            if lower.is_in_class() {
                let class = lower.builder.receiver();
                lower.builder.store_member(class, name, value, line(target));
                if let Some(class) = lower.classes.last_mut() {
                    class.names.insert(name);
                }
            } else if lower.is_top() {
                lower.export(name, value, NONE, 0);
            }
        }
        "instance_variable" => {
            let this = lower.this();
            lower
                .builder
                .store(this, lower.builder.text(target), value, line(target));
        }
        "class_variable" => {
            if let Some(class) = lower.class_around() {
                lower
                    .builder
                    .store(class, lower.builder.text(target), value, line(target));
            }
        }
        "call" => {
            let (Some(object), Some(name)) = (
                target.child_by_field_name("receiver"),
                target.child_by_field_name("method"),
            ) else {
                return;
            };
            let object = lower.value(object);
            lower
                .builder
                .store(object, lower.builder.text(name), value, line(target));
        }
        "left_assignment_list" => {
            for (at, part) in children(target).into_iter().enumerate() {
                let element = lower.builder.load_key(value, Some(&at.to_string()), line(part));
                assign(lower, part, element);
            }
        }
        _ => lower.assign(target, value),
    }
}

/// `a ||= b`, `a += b`
fn operator_assignment<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(target), Some(value)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return NONE;
    };
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| lower.text(operator));
    let is_new = target.kind() == "identifier" && !lower.builder.is_variable(lower.text(target));
    let old = if is_new {
        lower.builder.slot()
    } else {
        lower.value(target)
    };
    let value = lower.value(value);
    let joined = lower.builder.slot();
    match operator.trim_end_matches('=') {
        "||" | "&&" => {
            lower.builder.copy(joined, old);
            lower.builder.copy(joined, value);
        }
        sign => {
            let made = lower
                .builder
                .call_method(old, sign, &[Argument::Plain(value)], line(node));
            lower.builder.copy(joined, made);
        }
    }
    assign(lower, target, joined);
    joined
}

fn binary<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return lower.pass(node);
    };
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| lower.text(operator));
    let one = lower.value(left);
    let other = lower.value(right);
    match operator {
        "||" | "&&" | "or" | "and" => {
            let joined = lower.builder.slot();
            lower.builder.copy(joined, one);
            lower.builder.copy(joined, other);
            joined
        }
        operator => lower
            .builder
            .call_method(one, operator, &[Argument::Plain(other)], line(node)),
    }
}

fn for_loop<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let (Some(name), Some(source)) = (form.name(node), form.value(node)) else {
        return NONE;
    };
    let source = match children(source).first() {
        Some(inner) if source.kind() == "in" => *inner,
        _ => source,
    };
    let source = lower.value(source);
    lower.repeat(node, |lower| {
        let element = lower.builder.iterate(source, line(node));
        assign(lower, name, element);
        if let Some(body) = form.body(node) {
            lower.run(body);
        }
    });
    NONE
}

/// `when Circle`: what is decided about is one.
fn when_pattern<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    for child in children(node) {
        lower.run(child);
    }
    NONE
}

fn give_back<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let value = children(node).first().copied().and_then(|list| match list.kind() {
        "argument_list" => children(list).first().copied(),
        _ => Some(list),
    });
    if let Some(value) = value {
        let value = lower.spelled(value);
        lower.builder.give_back(value);
    }
    lower.builder.stop();
    NONE
}
