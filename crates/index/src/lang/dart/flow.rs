//! Dart's value flow: the table of its nodes, libraries, constructors, cascades.

use std::sync::OnceLock;

use lore_model::{BodyFlags, ExportFlags, FlowFlags, NONE, ParameterKind};

use crate::extract::{child_of_kind, has_child};
use crate::flow::plain::{
    Act, CONSTRUCTOR, FIELDS, Grammar, Lower, PLAIN_RULES, Part, Plain, Shape, THIS, children, line,
    lower as lower_plain,
};
use crate::flow::{Argument, FlowBuilder, Slot};
use crate::solve::{FlowRules, Program, Target};
use crate::syntax::Node;

use Part::{At, Field, Kind, Last};

/// How the values of Dart flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    resolve,
    call: "call",
    iterate: ("iterator", "current"),
    element: ("operator[]", "operator[]="),
    promise: "Future",
    prelude: &[("", include_str!("prelude/core.dart"))],
    ..PLAIN_RULES
};

fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &PLAIN);
}

static COMPILED: OnceLock<Grammar> = OnceLock::new();

const fn class() -> Shape {
    Shape::of(Act::Hook(declared_class))
        .name(Field("name"))
        .body(Field("body"))
}

const fn binary() -> Shape {
    Shape::of(Act::Binary)
        .object(At(0))
        .other(Field("operator"))
        .value(Last)
}

const fn member() -> Shape {
    Shape::of(Act::Member).object(Field("object")).name(Field("property"))
}

pub(super) static PLAIN: Plain = Plain {
    grammar: || tree_sitter_dart::LANGUAGE.into(),
    compiled: &COMPILED,
    shapes: &[
        ("comment", Shape::of(Act::Skip)),
        ("documentation_comment", Shape::of(Act::Skip)),
        ("library_name", Shape::of(Act::Skip)),
        ("import_or_export", Shape::of(Act::Skip)),
        ("part_directive", Shape::of(Act::Skip)),
        ("part_of_directive", Shape::of(Act::Skip)),
        ("annotation", Shape::of(Act::Skip)),
        ("void_type", Shape::of(Act::Skip)),
        ("function_type", Shape::of(Act::Skip)),
        ("type_arguments", Shape::of(Act::Skip)),
        ("type_parameters", Shape::of(Act::Skip)),
        ("symbol_literal", Shape::of(Act::Skip)),
        ("label", Shape::of(Act::Skip)),
        (
            "type_alias",
            Shape::of(Act::Alias).name(Kind(&["type_identifier"])).kind(Last),
        ),
        ("class_declaration", class()),
        ("mixin_declaration", class()),
        ("enum_declaration", class()),
        (
            "extension_declaration",
            Shape::of(Act::Hook(extension)).name(Field("name")).body(Field("body")),
        ),
        ("enum_entry", Shape::of(Act::Hook(enum_entry)).name(Field("name"))),
        ("method_declaration", Shape::of(Act::Hook(method))),
        ("declaration", Shape::of(Act::Hook(declaration))),
        ("function_declaration", Shape::of(Act::Hook(function))),
        ("getter_declaration", Shape::of(Act::Hook(function))),
        ("setter_declaration", Shape::of(Act::Hook(function))),
        ("local_function_declaration", Shape::of(Act::Hook(function))),
        ("function_signature", Shape::of(Act::Declarator).name(Field("name"))),
        ("getter_signature", Shape::of(Act::Declarator).name(Field("name"))),
        ("setter_signature", Shape::of(Act::Declarator).name(Field("name"))),
        ("constructor_signature", Shape::of(Act::Skip)),
        ("factory_constructor_signature", Shape::of(Act::Skip)),
        ("function_body", Shape::of(Act::Pass)),
        ("function_expression_body", Shape::of(Act::Pass)),
        ("function_expression", Shape::of(Act::Hook(lambda))),
        (
            "initialized_identifier",
            Shape::of(Act::Declarator).name(Field("name")).value(Field("value")),
        ),
        (
            "static_final_declaration",
            Shape::of(Act::Declarator).name(Field("name")).value(Field("value")),
        ),
        (
            "top_level_variable_declaration",
            Shape::of(Act::Locals).kind(Kind(&["type"])),
        ),
        ("initialized_identifier_list", Shape::of(Act::Locals)),
        ("static_final_declaration_list", Shape::of(Act::Locals)),
        ("local_variable_declaration", Shape::of(Act::Pass)),
        (
            "initialized_variable_declaration",
            Shape::of(Act::Declarator)
                .name(Field("name"))
                .kind(Kind(&["type"]))
                .value(Field("value")),
        ),
        (
            "pattern_variable_declaration",
            Shape::of(Act::Declarator).name(At(0)).value(Last),
        ),
        (
            "variable_pattern",
            Shape::of(Act::Is).name(Field("name")).kind(Kind(&["type"])),
        ),
        ("object_pattern", Shape::of(Act::Is).kind(At(0))),
        ("constant_pattern", Shape::of(Act::Skip)),
        ("record_pattern", Shape::of(Act::Tuple)),
        (
            "type",
            Shape::of(Act::Generic).kind(At(0)).list(Kind(&["type_arguments"])),
        ),
        ("type_identifier", Shape::of(Act::Name)),
        ("identifier", Shape::of(Act::Name)),
        ("this", Shape::of(Act::This)),
        ("super", Shape::of(Act::Super)),
        ("block", Shape::of(Act::Block)),
        ("expression_statement", Shape::of(Act::Inner)),
        ("parenthesized_expression", Shape::of(Act::Inner)),
        (
            "assignable_expression",
            Shape::of(Act::Hook(assignable))
                .object(Field("object"))
                .name(Field("property"))
                .list(Field("index")),
        ),
        ("null_assertion_expression", Shape::of(Act::Inner)),
        ("member_expression", member()),
        ("null_aware_member_expression", member()),
        (
            "index_expression",
            Shape::of(Act::Index).object(Field("object")).list(Field("index")),
        ),
        (
            "call_expression",
            Shape::of(Act::Hook(call))
                .object(Field("function"))
                .list(Field("arguments")),
        ),
        (
            "named_argument",
            Shape::of(Act::Argument).name(Kind(&["label"])).value(Last),
        ),
        ("new_expression", Shape::of(Act::Hook(make))),
        ("const_object_expression", Shape::of(Act::Hook(make))),
        ("constructor_tearoff", Shape::of(Act::Hook(tearoff))),
        ("cascade", Shape::of(Act::Hook(cascade))),
        (
            "assignment_expression",
            Shape::of(Act::Assign)
                .object(Field("left"))
                .other(Field("operator"))
                .value(Field("right")),
        ),
        ("additive_expression", binary()),
        ("multiplicative_expression", binary()),
        ("equality_expression", binary()),
        ("relational_expression", binary()),
        ("bitwise_and_expression", binary()),
        ("bitwise_or_expression", binary()),
        ("shift_expression", binary()),
        (
            "logical_and_expression",
            Shape::of(Act::Binary).object(At(0)).other(Kind(&["&&"])).value(Last),
        ),
        (
            "logical_or_expression",
            Shape::of(Act::Binary).object(At(0)).other(Kind(&["||"])).value(Last),
        ),
        (
            "if_null_expression",
            Shape::of(Act::Binary).object(At(0)).other(Kind(&["??"])).value(Last),
        ),
        ("unary_expression", Shape::of(Act::Hook(unary))),
        ("await_expression", Shape::of(Act::Await)),
        ("type_test_expression", Shape::of(Act::Hook(type_test))),
        (
            "type_cast_expression",
            Shape::of(Act::Cast).value(At(0)).kind(Kind(&["type_cast"])),
        ),
        ("type_cast", Shape::of(Act::Wrapped).kind(Kind(&["type"]))),
        (
            "conditional_expression",
            Shape::of(Act::Branch)
                .value(At(0))
                .body(Field("consequence"))
                .other(Field("alternative")),
        ),
        (
            "if_statement",
            Shape::of(Act::Hook(branch))
                .value(Field("condition"))
                .body(Field("consequence"))
                .other(Field("alternative")),
        ),
        ("while_statement", Shape::of(Act::Loop)),
        ("do_statement", Shape::of(Act::Loop)),
        (
            "for_statement",
            Shape::of(Act::Hook(for_statement))
                .name(Part::Or(&Field("name"), &Kind(&["record_pattern", "variable_pattern"])))
                .value(Field("value"))
                .body(Field("body")),
        ),
        (
            "switch_statement",
            Shape::of(Act::Switch).value(Field("condition")).body(Field("body")),
        ),
        ("switch_statement_case", Shape::of(Act::Case).name(At(0))),
        ("switch_statement_default", Shape::of(Act::Case)),
        ("switch_expression", Shape::of(Act::Switch).value(Field("condition"))),
        ("switch_expression_case", Shape::of(Act::Case).name(At(0)).body(Last)),
        ("return_statement", Shape::of(Act::Return)),
        ("throw_expression", Shape::of(Act::Throw).value(Field("value"))),
        ("yield_statement", Shape::of(Act::Yield)),
        ("yield_each_statement", Shape::of(Act::Hook(yield_each))),
        ("break_statement", Shape::of(Act::Break)),
        ("continue_statement", Shape::of(Act::Continue)),
        ("try_statement", Shape::of(Act::Hook(attempt))),
        ("finally_clause", Shape::of(Act::Block)),
        ("list_literal", Shape::of(Act::List)),
        ("set_or_map_literal", Shape::of(Act::Map)),
        (
            "map_element",
            Shape::of(Act::Pair).name(Field("key")).value(Field("value")),
        ),
        ("spread_element", Shape::of(Act::Spread).value(Field("value"))),
        (
            "if_element",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(Field("consequence"))
                .other(Field("alternative")),
        ),
        (
            "for_element",
            Shape::of(Act::Hook(for_element))
                .name(Field("name"))
                .value(Field("value"))
                .body(Field("body")),
        ),
        ("record_literal", Shape::of(Act::Tuple)),
        ("string_literal", Shape::of(Act::Text)),
        ("template_chars_single_single", Shape::of(Act::Skip)),
        ("template_chars_double_single", Shape::of(Act::Skip)),
        ("decimal_integer_literal", Shape::of(Act::Data)),
        ("decimal_floating_point_literal", Shape::of(Act::Data)),
        ("hex_integer_literal", Shape::of(Act::Data)),
        ("true", Shape::of(Act::Data)),
        ("false", Shape::of(Act::Data)),
        ("null_literal", Shape::of(Act::Data)),
    ],
    prepare,
    is_static: |lower, node| lower.has_word(node, &["static"]),
    // What others see of a library is exported by name, beside.
    is_own: |_, _| true,
    constructs_base: true,
    outside: false,
    collections: &[
        ("List", "List", 0),
        ("Iterable", "List", 0),
        ("Set", "List", 0),
        ("Queue", "List", 0),
        ("Stream", "Stream", 0),
        ("StreamController", "StreamController", 0),
        ("Map", "Map", 1),
        ("Future", "Future", 0),
        ("FutureOr", "Future", 0),
    ],
    ignored: &[
        "int", "double", "num", "bool", "String", "dynamic", "Object", "Function", "var", "void",
    ],
    ..Plain::BASE
};

/// The library that an import names, by its path.
fn resolve(program: &Program<'_>, unit: usize, text: &str) -> Target {
    if text.starts_with("dart:") {
        return Target::External(text.to_owned());
    }
    let found = match text.strip_prefix("package:") {
        Some(rest) => {
            let inner = rest.split_once('/').map_or("", |(_, inner)| inner);
            let path = format!("lib/{inner}");
            let suffix = format!("/{path}");
            let exact = program.paths.get(path.as_str()).copied();
            exact.or_else(|| {
                let mut found: Vec<(&str, usize)> = program
                    .paths
                    .iter()
                    .filter(|(known, _)| known.ends_with(&suffix))
                    .map(|(known, unit)| (*known, *unit))
                    .collect();
                found.sort_unstable();
                let name = rest.split('/').next().unwrap_or("");
                let named = found
                    .iter()
                    .find(|(known, _)| known.split('/').any(|part| part == name));
                named.or(found.first()).map(|(_, unit)| *unit)
            })
        }
        None => {
            let directory = program.units[unit].path.map_or("", |path| path.directory());
            let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
            for part in text.split('/') {
                match part {
                    "." | "" => {}
                    ".." => {
                        parts.pop();
                    }
                    part => parts.push(part),
                }
            }
            program.paths.get(parts.join("/").as_str()).copied()
        }
    };
    match found {
        Some(unit) => Target::Module(program.units[unit].module),
        None => Target::External(text.trim_start_matches("package:").trim_end_matches(".dart").to_owned()),
    }
}

fn prepare<'t>(lower: &mut Lower<'t, '_, '_>, root: Node<'t>) {
    for child in children(root) {
        let text = lower.text(child);
        if !matches!(
            child.kind(),
            "import_or_export" | "part_directive" | "part_of_directive"
        ) {
            continue;
        }
        let Some(path) = text.split(['\'', '"']).nth(1) else {
            continue;
        };
        let mut specification = child;
        while let Some(inner) = child_of_kind(specification, &["library_import", "import_specification"]) {
            specification = inner;
        }
        match specification.child_by_field_name("alias") {
            Some(alias) => {
                let module = lower.builder.import(path, None, line(child));
                let alias = lower.text(alias);
                lower.builder.declare(alias);
                lower.builder.write(alias, module);
            }
            None => lower.builder.import_all(path, line(child)),
        }
    }
}

/// A name of the library, which others see too.
fn publish(lower: &mut Lower<'_, '_, '_>, name: &str, value: Slot, definition: u32, flags: u8) {
    lower.export(name, value, definition, flags | ExportFlags::OWN);
    lower.builder.export(name, value);
}

fn declared_class<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let name = lower.text(name);
    let mut bases = Vec::new();
    let mut above = Vec::new();
    if let Some(clause) = node.child_by_field_name("superclass") {
        if let Some(kind) = clause.child_by_field_name("type") {
            above.extend(lower.type_value(kind));
        }
        if let Some(mixins) = child_of_kind(clause, &["mixins"]) {
            // The last mixin is asked first.
            for kind in children(mixins).into_iter().rev() {
                bases.extend(lower.type_value(kind));
            }
        }
    }
    bases.extend(above);
    let others = ["interfaces", "mixins"]
        .into_iter()
        .filter_map(|part| child_of_kind(node, &[part]));
    for kind in others.flat_map(children) {
        bases.extend(lower.type_value(kind));
    }
    // `mixin M on Base`
    for kind in children(node).into_iter().filter(|child| child.kind() == "type") {
        bases.extend(lower.type_value(kind));
    }
    let slot = lower.class_of(form, node, name, &bases);
    if lower.is_top() {
        lower.builder.export(name, slot);
    }
    slot
}

fn extension<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(kind), Some(body)) = (node.child_by_field_name("class"), node.child_by_field_name("body")) else {
        return NONE;
    };
    let bound = lower.bind_type_parameters(node);
    if let Some(class) = lower.type_value(kind) {
        lower.extend(class, "", node, |lower| {
            lower.note_members(body, 0);
            lower.members(body);
        });
    }
    lower.type_parameters.truncate(bound);
    NONE
}

fn enum_entry<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(name) = node.child_by_field_name("name") else {
        return NONE;
    };
    let arguments = child_of_kind(node, &["arguments"]).map_or_else(Vec::new, |list| lower.arguments(list));
    let class = lower.builder.receiver();
    let made = lower
        .builder
        .call(class, &arguments, line(node), FlowFlags::NEW | FlowFlags::IMPLICIT);
    lower.builder.store(class, lower.builder.text(name), made, line(node));
    NONE
}

/// What a function is made of.
struct Signature<'t> {
    node: Node<'t>,
    names: Vec<Node<'t>>,
}

fn signature_of<'t>(node: Node<'t>) -> Option<Signature<'t>> {
    let mut found = node;
    let is_around = |node: Node<'t>| {
        node.kind().ends_with("_declaration") || matches!(node.kind(), "method_signature" | "declaration")
    };
    while is_around(found) {
        found = children(found)
            .into_iter()
            .find(|child| child.kind().ends_with("_signature"))?;
    }
    let names = found
        .children_by_field_name("name")
        .filter(|name| name.is_named())
        .collect();
    Some(Signature { node: found, names })
}

fn definition_of<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, signature: &Signature<'t>) -> u32 {
    let opened = lower
        .builder
        .definition(node)
        .or_else(|| lower.builder.definition(signature.node))
        .or_else(|| {
            signature
                .node
                .parent()
                .and_then(|around| lower.builder.definition(around))
        });
    if let Some(definition) = opened {
        return definition;
    }
    let name = signature.names.last().copied();
    let named = name.and_then(|name| {
        let text = lower.text(name);
        lower.builder.definition_named(line(name), text)
    });
    named.unwrap_or_else(|| lower.definitions.last().copied().unwrap_or(NONE))
}

/// Parameters of all sorts, with defaults behind those that may be left out.
fn parameters<'t>(lower: &mut Lower<'t, '_, '_>, list: Option<Node<'t>>, named: bool) {
    for child in list.map_or_else(Vec::new, children) {
        match child.kind() {
            "optional_formal_parameters" => {
                let is_named = lower.text(child).starts_with('{');
                parameters(lower, Some(child), is_named);
            }
            "formal_parameter" => parameter(lower, child, named),
            kind if kind.ends_with("_parameter") => parameter(lower, child, named),
            _ => {
                let default = lower.value(child);
                lower.builder.set_default(default);
            }
        }
    }
}

fn parameter<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, named: bool) {
    let inner = child_of_kind(
        node,
        &[
            "field_formal_parameter",
            "super_formal_parameter",
            "function_formal_parameter",
        ],
    );
    let holder = inner.unwrap_or(node);
    let name = holder
        .child_by_field_name("name")
        .or_else(|| child_of_kind(holder, &["identifier"]));
    let Some(name) = name else { return };
    let text = lower.text(name);
    let how = if named {
        ParameterKind::NAMED
    } else {
        ParameterKind::PLAIN
    };
    let slot = lower.builder.parameter(text, how);
    if let Some(kind) = child_of_kind(holder, &["type"]) {
        lower.declare_type(slot, kind);
    }
    lower.builder.declare(text);
    lower.builder.write(text, slot);
    match inner.map(|inner| inner.kind()) {
        Some("field_formal_parameter") => {
            let this = lower.this();
            lower.builder.store(this, text, slot, line(node));
        }
        Some("super_formal_parameter") => {
            lower.subjects.push(slot);
        }
        _ => {}
    }
}

fn is_async(body: Option<Node<'_>>) -> bool {
    body.is_some_and(|body| has_child(body, "async"))
}

fn body_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    node.child_by_field_name("body")
        .or_else(|| child_of_kind(node, &["function_body", "function_expression_body"]))
}

/// A function of a library, or one inside another.
fn function<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(signature) = signature_of(node) else {
        return NONE;
    };
    let Some(name) = signature.names.last().copied() else {
        return NONE;
    };
    let name = lower.text(name);
    let body = body_of(node);
    let is_top = lower.is_top();
    if !is_top {
        lower.builder.declare(name);
    }
    let definition = definition_of(lower, node, &signature);
    let mut flags = if is_top { 0 } else { BodyFlags::ARROW };
    if is_async(body) {
        flags |= BodyFlags::ASYNC;
    }
    let value = function_of(lower, &signature, definition, flags, body, |_| {});
    if is_top {
        publish(lower, name, value, definition, 0);
    } else {
        lower.builder.write(name, value)
    }
    NONE
}

fn function_of<'t>(
    lower: &mut Lower<'t, '_, '_>,
    signature: &Signature<'t>,
    definition: u32,
    flags: u32,
    body: Option<Node<'t>>,
    before: impl FnOnce(&mut Lower<'t, '_, '_>),
) -> Slot {
    let flags = if body.is_none() {
        flags | BodyFlags::DECLARED
    } else {
        flags
    };
    lower.begin_function(definition, flags);
    let bound = lower.bind_type_parameters(signature.node);
    before(lower);
    if let Some(kind) = signature.node.child_by_field_name("return_type") {
        lower.declare_type(0, kind);
    }
    if signature.node.kind() != "constructor_signature" && signature.node.kind() != "constant_constructor_signature" {
        parameters(lower, signature.node.child_by_field_name("parameters"), false);
    }
    if let Some(body) = body {
        lower.body(body, false);
    }
    lower.type_parameters.truncate(bound);
    lower.end_function()
}

/// A member with a body.
fn method<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(signature) = signature_of(node) else {
        return NONE;
    };
    let body = body_of(node);
    let around = node.child_by_field_name("signature").unwrap_or(node);
    member_of(lower, node, around, signature, body);
    NONE
}

fn member_of<'t>(
    lower: &mut Lower<'t, '_, '_>,
    node: Node<'t>,
    around: Node<'t>,
    signature: Signature<'t>,
    body: Option<Node<'t>>,
) {
    let definition = definition_of(lower, node, &signature);
    let is_static = lower.has_word(around, &["static"]) || lower.has_word(node, &["static"]);
    let mut flags = BodyFlags::MEMBER | if is_static { BodyFlags::CLASS_METHOD } else { 0 };
    if is_async(body) {
        flags |= BodyFlags::ASYNC;
    }
    let class = lower.builder.receiver();
    let at = line(signature.node);
    match signature.node.kind() {
        "constructor_signature" | "constant_constructor_signature" => {
            constructor(lower, around, &signature, definition, body);
        }
        "factory_constructor_signature" | "redirecting_factory_constructor_signature" => {
            let stored = named(lower, &signature);
            let kind = if stored == CONSTRUCTOR {
                BodyFlags::STATIC
            } else {
                BodyFlags::CLASS_METHOD
            };
            if let Some(class) = lower.classes.last_mut() {
                class.has_constructor = true;
            }
            let value = function_of(lower, &signature, definition, BodyFlags::MEMBER | kind, body, |lower| {
                // Names in it are those of the class.
                let class = lower.builder.receiver_around(1);
                lower.builder.write(THIS, class);
            });
            lower.builder.store_member(class, &stored, value, at);
        }
        "operator_signature" => {
            let operator = signature.node.child_by_field_name("operator");
            let text: String = operator
                .map_or("", |operator| lower.text(operator))
                .split_whitespace()
                .collect();
            let value = function_of(lower, &signature, definition, flags, body, |_| {});
            lower.builder.store_member(class, &format!("operator{text}"), value, at);
        }
        kind => {
            let Some(name) = signature.names.last().copied() else {
                return;
            };
            let name = lower.text(name);
            let stored = match kind {
                "getter_signature" => {
                    flags |= BodyFlags::GETTER;
                    name.to_owned()
                }
                "setter_signature" => format!("{name}:set"),
                _ => name.to_owned(),
            };
            let value = function_of(lower, &signature, definition, flags, body, |_| {});
            lower.builder.store_member(class, &stored, value, at);
        }
    }
}

/// The name under which a constructor is kept.
fn named(lower: &Lower<'_, '_, '_>, signature: &Signature<'_>) -> String {
    match signature.names[..] {
        [_, .., name] => lower.text(name).to_owned(),
        _ => CONSTRUCTOR.to_owned(),
    }
}

fn constructor<'t>(
    lower: &mut Lower<'t, '_, '_>,
    around: Node<'t>,
    signature: &Signature<'t>,
    definition: u32,
    body: Option<Node<'t>>,
) {
    let stored = named(lower, signature);
    let is_named = stored != CONSTRUCTOR;
    if let Some(class) = lower.classes.last_mut() {
        class.has_constructor = true;
    }
    let statics = if is_named { BodyFlags::CLASS_METHOD } else { 0 };
    let class = lower.builder.receiver();
    lower.begin_function(definition, BodyFlags::MEMBER | statics);
    if is_named {
        // It makes the instance itself.
        let class = lower.builder.receiver();
        let made = lower.builder.instance(class);
        lower.builder.write(THIS, made);
        lower.builder.give_back(made);
        let fields = lower.builder.load_implicit(made, FIELDS, line(around));
        lower.builder.call(fields, &[], line(around), FlowFlags::IMPLICIT);
    }
    let before = lower.subjects.len();
    parameters(lower, signature.node.child_by_field_name("parameters"), false);
    let handed: Vec<Argument<'t>> = lower
        .subjects
        .split_off(before)
        .into_iter()
        .map(Argument::Plain)
        .collect();
    let mut says_base = false;
    let parts = ["initializers", "redirection"]
        .into_iter()
        .filter_map(|kind| child_of_kind(around, &[kind]));
    for part in parts {
        let entries = match part.kind() {
            "redirection" => vec![part],
            _ => children(part),
        };
        for entry in entries {
            let text = lower.text(entry);
            if let Some(field) = child_of_kind(entry, &["field_initializer"]) {
                let (Some(name), Some(value)) = (field.child_by_field_name("name"), field.child_by_field_name("value"))
                else {
                    continue;
                };
                let value = lower.spelled(value);
                let this = lower.this();
                lower.builder.store(this, lower.builder.text(name), value, line(field));
            } else if let Some(list) = child_of_kind(entry, &["arguments"]) {
                let mut arguments = handed.clone();
                arguments.extend(lower.arguments(list));
                let is_base = text.starts_with("super");
                says_base |= is_base || text.trim_start_matches(':').trim_start().starts_with("this");
                let name = child_of_kind(entry, &["identifier"]).map_or(CONSTRUCTOR, |name| lower.text(name));
                let object = if is_base { lower.above() } else { lower.this() };
                let function = lower.builder.load(object, name, line(entry));
                lower
                    .builder
                    .call(function, &arguments, line(entry), FlowFlags::IMPLICIT);
            }
        }
    }
    if !says_base {
        if handed.is_empty() {
            lower.construct_base(line(around))
        } else {
            lower.construct_base_with(&handed, line(around), 0)
        }
    }
    if let Some(body) = body {
        lower.body(body, false);
    }
    let value = lower.end_function();
    lower.builder.store_member(class, &stored, value, line(around));
}

/// Fields, and members without a body.
fn declaration<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(signature) = signature_of(node) {
        member_of(lower, node, node, signature, None);
        return NONE;
    }
    let kind = child_of_kind(node, &["type"]);
    let is_static = lower.has_word(node, &["static"]) || lower.text(node).starts_with("static ");
    let list = child_of_kind(node, &["initialized_identifier_list", "static_final_declaration_list"]);
    for entry in list.map_or_else(Vec::new, children) {
        let Some(name) = entry.child_by_field_name("name") else {
            continue;
        };
        let name = lower.text(name);
        let value = entry.child_by_field_name("value");
        if is_static {
            lower.static_field(name, kind, value, line(entry))
        } else {
            lower.instance_field(name, kind, value, line(entry))
        }
    }
    NONE
}

fn lambda<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (definition, is_own) = lower.definition_or_around(node);
    let body = body_of(node);
    let mut flags = BodyFlags::ARROW | if is_own { 0 } else { BodyFlags::HIDDEN };
    if is_async(body) {
        flags |= BodyFlags::ASYNC;
    }
    lower.begin_function(definition, flags);
    parameters(lower, node.child_by_field_name("parameters"), false);
    if let Some(body) = body {
        lower.body(body, false);
    }
    lower.end_function()
}

fn assignable<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    match (form.object(node), form.name(node), form.list(node)) {
        (Some(object), Some(name), _) => {
            let object = lower.value(object);
            lower.builder.load(object, lower.builder.text(name), line(name))
        }
        (Some(object), None, list) => {
            let object = lower.value(object);
            lower.load_element(object, list, line(node))
        }
        _ => lower.pass(node),
    }
}

/// A call; `f.call(x)` is a call of `f`.
fn call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(callee) = form.object(node) else { return NONE };
    let function = match (
        callee.child_by_field_name("object"),
        callee.child_by_field_name("property"),
    ) {
        (Some(object), Some(name)) if lower.text(name) == "call" => {
            let object = lower.value(object);
            lower.builder.load_or(object, "call", object, line(name), 0)
        }
        _ => lower.callee(callee),
    };
    let arguments = arguments_of(lower, form.list(node));
    lower.builder.call(function, &arguments, lower.call_line(callee), 0)
}

fn arguments_of<'t>(lower: &mut Lower<'t, '_, '_>, list: Option<Node<'t>>) -> Vec<Argument<'t>> {
    let mut found = Vec::new();
    for argument in list.map_or_else(Vec::new, children) {
        let parts = children(argument);
        match (argument.kind(), &parts[..]) {
            ("named_argument", [label, value]) => {
                let slot = lower.spelled(*value);
                let name = lower.text(*label).trim_end_matches(':').trim();
                found.push(Argument::Named(name, slot));
            }
            _ => found.push(Argument::Plain(lower.spelled(argument))),
        }
    }
    found
}

/// `new A.named(…)`, `const A(…)`
fn make<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(kind) = node.child_by_field_name("type") else {
        return lower.pass(node);
    };
    let arguments = arguments_of(lower, node.child_by_field_name("arguments"));
    let names: Vec<Node<'t>> = children(kind)
        .into_iter()
        .filter(|part| part.kind() == "type_identifier")
        .collect();
    let Some((first, rest)) = names.split_first() else {
        return NONE;
    };
    let mut class = lower.value(*first);
    for name in rest {
        class = lower.builder.load(class, lower.builder.text(*name), line(*name));
    }
    lower.builder.call(class, &arguments, line(kind), 0)
}

/// `A.new` is what makes an A.
fn tearoff<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    match children(node).first() {
        Some(class) => lower.value(*class),
        None => NONE,
    }
}

/// `a..b()..c = d`
fn cascade<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    let Some((object, sections)) = parts.split_first() else {
        return NONE;
    };
    let object = lower.value(*object);
    for section in sections {
        let parts = children(*section);
        let Some((first, rest)) = parts.split_first() else {
            continue;
        };
        match rest.last() {
            Some(value) => {
                let value = lower.spelled(*value);
                if let Some(name) = children(*first).first() {
                    lower
                        .builder
                        .store(object, lower.builder.text(*name), value, line(*section));
                }
            }
            None => {
                section_of(lower, object, *first);
            }
        }
    }
    object
}

fn section_of<'t>(lower: &mut Lower<'t, '_, '_>, object: Slot, node: Node<'t>) -> Slot {
    match node.kind() {
        "cascade_call_expression" => {
            let function = match (
                node.child_by_field_name("function"),
                node.child_by_field_name("property"),
            ) {
                (Some(function), _) => section_of(lower, object, function),
                (None, Some(name)) => lower.builder.load(object, lower.builder.text(name), line(name)),
                _ => return NONE,
            };
            let arguments = arguments_of(lower, node.child_by_field_name("arguments"));
            lower.builder.call(function, &arguments, line(node), 0)
        }
        "cascade_member_expression" => {
            let inner = match node.child_by_field_name("object") {
                Some(inner) => section_of(lower, object, inner),
                None => object,
            };
            match node.child_by_field_name("property") {
                Some(name) => lower.builder.load(inner, lower.builder.text(name), line(name)),
                None => inner,
            }
        }
        _ => match children(node).first() {
            Some(name) => lower.builder.load(object, lower.builder.text(*name), line(*name)),
            None => object,
        },
    }
}

fn unary<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| lower.text(operator));
    let Some(operand) = children(node).last().copied() else {
        return NONE;
    };
    let value = lower.value(operand);
    match operator {
        "" => value,
        "-" => lower.builder.call_method(value, "operator-", &[], line(node)),
        _ => NONE,
    }
}

/// `x is T`
fn type_test<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(value) = children(node).first() {
        lower.run(*value);
    }
    NONE
}

/// A branch; `x is T` says what `x` is in it.
fn branch<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    lower.builder.begin_block();
    let condition = form.value(node);
    let value = lower.value_of(condition);
    if let Some(pattern) = child_of_kind(node, &["variable_pattern", "object_pattern"]) {
        lower.match_pattern(pattern, value, condition);
    }
    let before = lower.builder.environment();
    let mut ways = Vec::new();
    for (part, holds) in [(form.body(node), true), (form.other(node), false)] {
        lower.builder.restore(&before);
        if let Some(condition) = condition {
            promote(lower, condition, holds);
        }
        if let Some(part) = part {
            lower.run(part);
        }
        ways.push(lower.builder.environment());
    }
    lower.builder.join(&ways);
    lower.builder.end_block();
    if let Some(condition) = condition
        && ways[0].is_dead()
        && !ways[1].is_dead()
    {
        promote(lower, condition, false);
    }
    NONE
}

/// What a condition says about variables.
fn promote<'t>(lower: &mut Lower<'t, '_, '_>, condition: Node<'t>, holds: bool) {
    match condition.kind() {
        "parenthesized_expression" => {
            if let Some(inner) = children(condition).first() {
                promote(lower, *inner, holds);
            }
        }
        "logical_and_expression" if holds => {
            for part in children(condition) {
                promote(lower, part, true);
            }
        }
        "logical_or_expression" if !holds => {
            for part in children(condition) {
                promote(lower, part, false);
            }
        }
        "unary_expression" => {
            if let Some(inner) = children(condition).last() {
                promote(lower, *inner, !holds);
            }
        }
        "type_test_expression" => {
            let [subject, test] = children(condition)[..] else {
                return;
            };
            let negated = lower.text(test).starts_with("is!");
            let Some(kind) = child_of_kind(test, &["type"]).filter(|_| negated != holds) else {
                return;
            };
            if lower.is_name(subject) {
                let value = lower.value(subject);
                let narrowed = lower.narrowed(value, kind);
                let name = lower.text(subject);
                if lower.builder.is_written(name) {
                    lower.builder.shadow(name, narrowed);
                }
            }
        }
        _ => {}
    }
}

fn for_statement<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let (Some(name), Some(collection)) = (form.name(node), form.value(node)) else {
        lower.repeat(node, |lower| {
            for child in children(node) {
                lower.run(child);
            }
        });
        return NONE;
    };
    let collection = lower.value(collection);
    lower.repeat(node, |lower| {
        let element = lower.builder.iterate(collection, line(node));
        let element = lower.typed(element, child_of_kind(node, &["type"]));
        lower.bind_pattern(name, element);
        if let Some(body) = form.body(node) {
            lower.run(body);
        }
    });
    NONE
}

fn for_element<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let (Some(name), Some(collection)) = (form.name(node), form.value(node)) else {
        return NONE;
    };
    let collection = lower.value(collection);
    lower.builder.begin_block();
    let element = lower.builder.iterate(collection, line(node));
    lower.bind_pattern(name, element);
    let value = lower.value_of(form.body(node));
    lower.builder.end_block();
    value
}

fn yield_each<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    lower.builder.add_flags(BodyFlags::GENERATOR);
    let yielded = lower.builder.yielded();
    let value = lower.pass(node);
    if value != NONE {
        let element = lower.builder.iterate(value, line(node));
        lower.builder.copy(yielded, element);
    }
    NONE
}

/// `try … on T catch (e) … catch (e) … finally …`: the parts stand beside each other.
fn attempt<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let before = lower.builder.environment();
    let caught = lower.builder.begin_catch();
    if let Some(body) = node.child_by_field_name("body") {
        lower.run(body);
    }
    lower.builder.end_catch();
    let after = lower.builder.environment();
    let mut ways = vec![after.clone()];
    let body = node.child_by_field_name("body");
    let (mut kind, mut clause) = (None, None);
    for part in children(node).into_iter().filter(|part| Some(*part) != body) {
        match part.kind() {
            "type" => kind = Some(part),
            "catch_clause" => clause = Some(part),
            "block" => {
                lower.builder.join(&[before.clone(), after.clone()]);
                if lower.builder.is_dead() {
                    lower.builder.restore(&before);
                }
                lower.builder.begin_block();
                let value = match kind.take() {
                    Some(kind) => lower.narrowed(caught, kind),
                    None => caught,
                };
                let clause: Option<Node<'t>> = clause.take();
                if let Some(name) = clause.and_then(|clause| clause.child_by_field_name("exception")) {
                    lower.bind_pattern(name, value);
                }
                lower.run(part);
                lower.builder.end_block();
                ways.push(lower.builder.environment());
            }
            _ => {}
        }
    }
    lower.builder.join(&ways);
    if let Some(last) = child_of_kind(node, &["finally_clause"]) {
        let was_dead = lower.builder.is_dead();
        if was_dead {
            lower.builder.restore(&before);
        }
        lower.run(last);
        if was_dead {
            lower.builder.stop();
        }
    }
    NONE
}
