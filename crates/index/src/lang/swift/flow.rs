//! Swift's value flow: the table of its nodes, extensions, initialisers, bindings in conditions.

use std::sync::OnceLock;

use lore_model::{BodyFlags, ExportFlags, FlowFlags, NONE, ParameterKind};

use crate::extract::{child_of_kind, children_of_kind, has_child};
use crate::flow::plain::{
    Act, CONSTRUCTOR, FunctionParts, Grammar, Lower, PLAIN_RULES, Part, Plain, Shape, children, converts, line,
    lower as lower_plain,
};
use crate::flow::{Argument, FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use Part::{At, Field, Kind};

/// How the values of Swift flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    call: "callAsFunction",
    iterate: ("makeIterator", "next"),
    element: ("subscript", "subscript:set"),
    rest: ("Array", "Dictionary"),
    map: "Dictionary",
    overloads: Some(converts),
    prelude: &[("", include_str!("prelude/stdlib.swift"))],
    ..PLAIN_RULES
};

fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &PLAIN);
}

const TYPES: &[&str] = &[
    "user_type",
    "optional_type",
    "array_type",
    "dictionary_type",
    "tuple_type",
    "function_type",
    "opaque_type",
    "existential_type",
    "implicitly_unwrapped_type",
    "metatype",
];

const fn binary() -> Shape {
    Shape::of(Act::Binary)
        .object(Field("lhs"))
        .other(Field("op"))
        .value(Field("rhs"))
}

static COMPILED: OnceLock<Grammar> = OnceLock::new();

pub(super) static PLAIN: Plain = Plain {
    grammar: || tree_sitter_swift::LANGUAGE.into(),
    compiled: &COMPILED,
    shapes: &[
        ("comment", Shape::of(Act::Skip)),
        ("multiline_comment", Shape::of(Act::Skip)),
        ("import_declaration", Shape::of(Act::Skip)),
        ("modifiers", Shape::of(Act::Skip)),
        ("attribute", Shape::of(Act::Skip)),
        ("type_parameters", Shape::of(Act::Skip)),
        ("type_constraints", Shape::of(Act::Skip)),
        ("type_annotation", Shape::of(Act::Wrapped).kind(Kind(TYPES))),
        ("function_type", Shape::of(Act::Skip)),
        ("metatype", Shape::of(Act::Skip)),
        ("parameter", Shape::of(Act::Skip)),
        ("throws", Shape::of(Act::Skip)),
        ("value_binding_pattern", Shape::of(Act::Skip)),
        ("key_path_expression", Shape::of(Act::Skip)),
        ("selector_expression", Shape::of(Act::Skip)),
        (
            "class_declaration",
            Shape::of(Act::Hook(declared_class))
                .name(Field("name"))
                .body(Field("body")),
        ),
        (
            "protocol_declaration",
            Shape::of(Act::Hook(declared_class))
                .name(Field("name"))
                .body(Field("body")),
        ),
        ("enum_entry", Shape::of(Act::Hook(enum_entry))),
        (
            "function_declaration",
            Shape::of(Act::Hook(function)).name(Field("name")).body(Field("body")),
        ),
        (
            "protocol_function_declaration",
            Shape::of(Act::Hook(function)).name(Field("name")).body(Field("body")),
        ),
        (
            "init_declaration",
            Shape::of(Act::Hook(initializer)).body(Field("body")),
        ),
        (
            "deinit_declaration",
            Shape::of(Act::Hook(deinitializer)).body(Field("body")),
        ),
        ("subscript_declaration", Shape::of(Act::Hook(subscript))),
        ("property_declaration", Shape::of(Act::Hook(property)).name(BOUND)),
        (
            "protocol_property_declaration",
            Shape::of(Act::Hook(property)).name(BOUND),
        ),
        (
            "typealias_declaration",
            Shape::of(Act::Alias).name(Field("name")).kind(Kind(TYPES)),
        ),
        (
            "pattern",
            Shape::of(Act::Declarator).name(Part::Or(
                &Field("bound_identifier"),
                &Kind(&["pattern", "simple_identifier"]),
            )),
        ),
        ("function_body", Shape::of(Act::Pass)),
        ("statements", Shape::of(Act::Block)),
        (
            "user_type",
            Shape::of(Act::Generic)
                .kind(Part::LastKind(&["type_identifier"]))
                .list(Kind(&["type_arguments"])),
        ),
        ("optional_type", Shape::of(Act::Wrapped).kind(Field("wrapped"))),
        ("implicitly_unwrapped_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("opaque_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("existential_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("array_type", Shape::of(Act::ArrayType).kind(At(0))),
        ("dictionary_type", Shape::of(Act::Map).value(At(1))),
        ("tuple_type", Shape::of(Act::Tuple)),
        ("tuple_type_item", Shape::of(Act::Parameter).kind(Kind(TYPES))),
        ("type_identifier", Shape::of(Act::Name)),
        ("simple_identifier", Shape::of(Act::Name)),
        ("identifier", Shape::of(Act::Inner)),
        ("self_expression", Shape::of(Act::This)),
        ("super_expression", Shape::of(Act::Super)),
        ("tuple_expression", Shape::of(Act::Hook(tuple))),
        ("postfix_expression", Shape::of(Act::Inner).value(Field("target"))),
        ("prefix_expression", Shape::of(Act::Hook(prefix))),
        ("try_expression", Shape::of(Act::Inner).value(Field("expr"))),
        ("directly_assignable_expression", Shape::of(Act::Inner)),
        (
            "navigation_expression",
            Shape::of(Act::Hook(navigation))
                .object(Field("target"))
                .name(Field("suffix")),
        ),
        ("navigation_suffix", Shape::of(Act::Generic).kind(Field("suffix"))),
        ("call_expression", Shape::of(Act::Hook(call))),
        ("constructor_expression", Shape::of(Act::Hook(constructed))),
        (
            "lambda_literal",
            Shape::of(Act::Hook(lambda)).body(Kind(&["statements"])),
        ),
        (
            "assignment",
            Shape::of(Act::Hook(assignment))
                .object(Field("target"))
                .other(Field("operator"))
                .value(Field("result")),
        ),
        ("additive_expression", binary()),
        ("multiplicative_expression", binary()),
        ("comparison_expression", binary()),
        ("equality_expression", binary()),
        ("conjunction_expression", binary()),
        ("disjunction_expression", binary()),
        ("infix_expression", binary()),
        ("nil_coalescing_expression", Shape::of(Act::Hook(coalescing))),
        (
            "ternary_expression",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(Field("if_true"))
                .other(Field("if_false")),
        ),
        (
            "as_expression",
            Shape::of(Act::Cast).value(Field("expr")).kind(Kind(TYPES)),
        ),
        (
            "check_expression",
            Shape::of(Act::Is).value(Field("target")).kind(Kind(TYPES)),
        ),
        ("await_expression", Shape::of(Act::Inner).value(Field("expr"))),
        ("if_statement", Shape::of(Act::Hook(condition))),
        ("guard_statement", Shape::of(Act::Hook(guard))),
        ("while_statement", Shape::of(Act::Hook(while_loop))),
        ("repeat_while_statement", Shape::of(Act::Loop)),
        (
            "for_statement",
            Shape::of(Act::Each)
                .name(Field("item"))
                .value(Field("collection"))
                .body(Kind(&["statements"])),
        ),
        ("switch_statement", Shape::of(Act::Switch).value(Field("expr"))),
        (
            "switch_entry",
            Shape::of(Act::Case)
                .name(Kind(&["switch_pattern"]))
                .body(Kind(&["statements"])),
        ),
        ("switch_pattern", Shape::of(Act::Hook(case_pattern))),
        ("do_statement", Shape::of(Act::Try)),
        ("catch_block", Shape::of(Act::Hook(catch_block))),
        ("control_transfer_statement", Shape::of(Act::Hook(transfer))),
        ("array_literal", Shape::of(Act::List)),
        ("dictionary_literal", Shape::of(Act::Hook(dictionary))),
        ("line_string_literal", Shape::of(Act::Text)),
        ("multi_line_string_literal", Shape::of(Act::Text)),
        ("raw_string_literal", Shape::of(Act::Text)),
        ("line_str_text", Shape::of(Act::Skip)),
        ("integer_literal", Shape::of(Act::Data)),
        ("real_literal", Shape::of(Act::Data)),
        ("boolean_literal", Shape::of(Act::Data)),
        ("nil_literal", Shape::of(Act::Data)),
        ("nil", Shape::of(Act::Data)),
    ],
    is_static: |lower, node| is_static(lower, node),
    is_own: |lower, node| lower.has_word(node, &["private", "fileprivate"]),
    gives_last: true,
    lambda_gives_last: true,
    overloads: true,
    it: Some("$0"),
    list: "Array",
    map: "Dictionary",
    collections: &[
        ("Array", "Array", 0),
        ("Set", "Array", 0),
        ("Sequence", "Array", 0),
        ("Collection", "Array", 0),
        ("AsyncStream", "Array", 0),
        ("Dictionary", "Dictionary", 1),
    ],
    transparent: &["Optional"],
    ignored: &[
        "Int",
        "Double",
        "Float",
        "Bool",
        "Void",
        "Any",
        "AnyObject",
        "Character",
        "UInt",
    ],
    ..Plain::BASE
};

const BOUND: Part = Field("name");

fn is_static<'t>(lower: &Lower<'t, '_, '_>, node: Node<'t>) -> bool {
    let words = child_of_kind(node, &["modifiers"]).map_or("", |words| lower.text(words));
    words.split_whitespace().any(|word| matches!(word, "static" | "class")) || has_child(node, "class")
}

fn declared_class<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let (Some(name), Some(body)) = (form.name(node), form.body(node)) else {
        return NONE;
    };
    let mut bases = Vec::new();
    for clause in children_of_kind(node, &["inheritance_specifier"]) {
        for base in children(clause) {
            bases.extend(lower.type_value(base));
        }
    }
    let word = node
        .child_by_field_name("declaration_kind")
        .map_or("", |word| lower.text(word));
    if word == "extension" {
        let Some(class) = lower.type_value(name) else {
            return NONE;
        };
        lower.extend(class, "", node, |lower| {
            lower.note_members(body, 0);
            lower.members(body);
        });
        return NONE;
    }
    let text = lower.text(name);
    lower.class_of(form, node, text, &bases)
}

fn enum_entry<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let class = lower.builder.receiver();
    for name in node.children_by_field_name("name") {
        let made = lower.builder.instance(class);
        lower.builder.store(class, lower.builder.text(name), made, line(node));
    }
    NONE
}

/// The parameters among the parts of a function, each with its default.
fn parameters<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) {
    let mut cursor = node.walk();
    let mut found = false;
    if !cursor.goto_first_child() {
        return;
    }
    loop {
        let child = cursor.node();
        if child.kind() == "parameter" {
            parameter(lower, child);
            found = true;
        } else if found && cursor.field_name() == Some("default_value") {
            let default = lower.value(child);
            lower.builder.set_default(default);
        }
        if !cursor.goto_next_sibling() {
            break;
        }
    }
}

fn parameter<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) {
    let external = node.child_by_field_name("external_name").map(|name| lower.text(name));
    let Some(name) = node.child_by_field_name("name").map(|name| lower.text(name)) else {
        return;
    };
    let kind = child_of_kind(node, TYPES);
    let is_rest = lower.text(node).ends_with("...");
    let is_function = kind.is_some_and(|kind| {
        let text = lower.text(kind);
        kind.kind() == "function_type" || text.contains("->") || kind.kind() == "optional_type" && text.contains("->")
    });
    let (label, how) = match external {
        _ if is_rest => (name, ParameterKind::REST),
        Some("_") => (name, ParameterKind::POSITIONAL),
        // A trailing closure without a label.
        Some(label) if is_function => (label, ParameterKind::PLAIN),
        None if is_function => (name, ParameterKind::PLAIN),
        Some(label) => (label, ParameterKind::NAMED),
        None => (name, ParameterKind::NAMED),
    };
    let slot = lower.builder.parameter(label, how);
    if let Some(kind) = kind {
        if let Some(kind) = lower.type_name(kind) {
            lower.builder.set_parameter_type(kind);
        }
        if is_rest {
            let element = lower.builder.slot();
            lower.declare_type(element, kind);
            lower.builder.hint_elements(slot, element);
        } else {
            lower.note_variable_type(name, kind);
            lower.declare_type(slot, kind);
        }
    }
    lower.builder.declare(name);
    lower.builder.write(name, slot);
}

/// The type between the parameters and the body.
fn result_type<'t>(node: Node<'t>) -> Option<Node<'t>> {
    children(node)
        .into_iter()
        .rev()
        .find(|child| TYPES.contains(&child.kind()))
}

fn function<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let text = lower.text(name).trim_matches('`');
    let parts = FunctionParts {
        list: None,
        body: form.body(node),
        kind: result_type(node),
    };
    let is_operator = !text.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    if lower.is_in_class() {
        let flags = match (is_operator, is_static(lower, node)) {
            (true, _) => BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST,
            (false, true) => BodyFlags::MEMBER | BodyFlags::CLASS_METHOD,
            (false, false) => BodyFlags::MEMBER,
        };
        let value = lower.function_of(node, parts, flags | BodyFlags::OVERLOADED, |lower| {
            parameters(lower, node)
        });
        let class = lower.builder.receiver();
        let stored = if is_operator {
            format!("operator{text}")
        } else {
            text.to_owned()
        };
        lower.builder.store_member(class, &stored, value, line(node));
        return NONE;
    }
    if !lower.is_top() {
        lower.builder.declare(text);
        let value = lower.function_of(node, parts, BodyFlags::ARROW, |lower| parameters(lower, node));
        lower.builder.write(text, value);
        return NONE;
    }
    let value = lower.function_of(node, parts, 0, |lower| parameters(lower, node));
    let own = if lower.has_word(node, &["private", "fileprivate"]) {
        ExportFlags::OWN
    } else {
        0
    };
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    lower.export(text, value, definition, own);
    if is_operator
        && let Some(kind) = child_of_kind(node, &["parameter"]).and_then(|first| child_of_kind(first, TYPES))
        && let Some(class) = lower.type_value(kind)
    {
        lower
            .builder
            .store_member(class, &format!("operator{text}"), value, line(node));
    }
    NONE
}

fn initializer<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(class) = lower.classes.last_mut() {
        class.has_constructor = true;
    }
    let parts = FunctionParts {
        list: None,
        body: node.child_by_field_name("body"),
        kind: None,
    };
    let value = lower.function_of(node, parts, BodyFlags::MEMBER | BodyFlags::OVERLOADED, |lower| {
        parameters(lower, node);
    });
    let class = lower.builder.receiver();
    lower.builder.store_member(class, CONSTRUCTOR, value, line(node));
    NONE
}

fn deinitializer<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    lower.method_named(form, node, "<end>", BodyFlags::MEMBER);
    NONE
}

fn subscript<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    lower.begin_function(definition, BodyFlags::MEMBER);
    for parameter in children_of_kind(node, &["parameter"]) {
        let name = parameter
            .child_by_field_name("name")
            .map_or("", |name| lower.text(name));
        let slot = lower.builder.parameter(name, ParameterKind::PLAIN);
        lower.builder.declare(name);
        lower.builder.write(name, slot);
    }
    if let Some(kind) = result_type(node) {
        lower.declare_type(0, kind);
    }
    if let Some(body) = child_of_kind(node, &["computed_property"]) {
        let getter = child_of_kind(body, &["computed_getter"]).unwrap_or(body);
        if let Some(statements) = child_of_kind(getter, &["statements"]) {
            lower.body(statements, false);
        }
    }
    let value = lower.end_function();
    let class = lower.builder.receiver();
    lower.builder.store_member(class, "subscript", value, line(node));
    NONE
}

fn property<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(pattern) = node.child_by_field_name("name") else {
        return NONE;
    };
    let name = pattern
        .child_by_field_name("bound_identifier")
        .or_else(|| child_of_kind(pattern, &["simple_identifier"]));
    let kind = child_of_kind(node, &["type_annotation"]);
    let value = node.child_by_field_name("value");
    let Some(name) = name else {
        // `let (a, b) = …`
        let value = lower.value_of(value);
        for (at, part) in children_of_kind(pattern, &["pattern"]).into_iter().enumerate() {
            let element = lower.builder.load_key(value, Some(&at.to_string()), line(part));
            lower.bind_pattern(part, element);
        }
        return NONE;
    };
    let text = lower.text(name);
    let computed = node
        .child_by_field_name("computed_value")
        .or_else(|| child_of_kind(node, &["protocol_property_requirements"]));
    let definition = lower
        .builder
        .definition(node)
        .or_else(|| lower.builder.definition_named(line(name), text))
        .unwrap_or(NONE);
    if let Some(computed) = computed.filter(|_| lower.is_in_class()) {
        let statics = if is_static(lower, node) {
            BodyFlags::CLASS_METHOD
        } else {
            0
        };
        if computed.kind() == "protocol_property_requirements" {
            lower.instance_field(text, kind, None, line(node));
            return NONE;
        }
        let getter = child_of_kind(computed, &["computed_getter"]).unwrap_or(computed);
        accessor(lower, definition, getter, text, kind, statics | BodyFlags::GETTER);
        if let Some(setter) = child_of_kind(computed, &["computed_setter"]) {
            accessor(lower, definition, setter, text, kind, statics);
        }
        return NONE;
    }
    if lower.is_in_class() {
        if let Some(block) = child_of_kind(node, &["willset_didset_block"]) {
            for clause in children(block) {
                let definition = lower.builder.definition(clause).unwrap_or(definition);
                lower.begin_function(definition, BodyFlags::MEMBER);
                let slot = lower.builder.parameter("newValue", ParameterKind::PLAIN);
                for name in ["newValue", "oldValue"] {
                    lower.builder.declare(name);
                    lower.builder.write(name, slot);
                }
                if let Some(body) = child_of_kind(clause, &["statements"]) {
                    lower.body(body, false);
                }
                let this = lower.this();
                lower.builder.store(this, &format!("{text}:kept"), slot, line(clause));
                let value = lower.end_function();
                let class = lower.builder.receiver();
                lower
                    .builder
                    .store_member(class, &format!("{text}:set"), value, line(clause));
            }
        }
        if is_static(lower, node) {
            lower.static_field(text, kind, value, line(node))
        } else {
            lower.instance_field(text, kind, value, line(node))
        }
        return NONE;
    }
    let slot = match value {
        Some(value) => lower.spelled(value),
        None => lower.builder.slot(),
    };
    let slot = lower.typed(slot, kind);
    if let Some(kind) = kind {
        lower.note_variable_type(text, kind);
    }
    lower.declare_value(text, slot, definition, 0);
    NONE
}

fn accessor<'t>(
    lower: &mut Lower<'t, '_, '_>,
    definition: u32,
    node: Node<'t>,
    name: &str,
    kind: Option<Node<'t>>,
    flags: u32,
) {
    let is_getter = flags & BodyFlags::GETTER != 0;
    let definition = lower.builder.definition(node).unwrap_or(definition);
    lower.begin_function(definition, BodyFlags::MEMBER | flags);
    if is_getter {
        if let Some(kind) = kind {
            lower.declare_type(0, kind);
        }
    } else {
        let slot = lower.builder.parameter("newValue", ParameterKind::PLAIN);
        lower.builder.declare("newValue");
        lower.builder.write("newValue", slot);
    }
    if let Some(body) = child_of_kind(node, &["statements"]) {
        lower.body(body, false);
    }
    let value = lower.end_function();
    let class = lower.builder.receiver();
    let stored = if is_getter {
        name.to_owned()
    } else {
        format!("{name}:set")
    };
    lower.builder.store_member(class, &stored, value, line(node));
}

fn tuple<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let values: Vec<Node<'t>> = node.children_by_field_name("value").collect();
    if let [only] = values[..] {
        return lower.value(only);
    }
    let made = lower.builder.allocate("Array", line(node));
    for (at, value) in values.into_iter().enumerate() {
        let slot = lower.spelled(value);
        lower.builder.store_key(made, Some(&at.to_string()), slot, line(value));
    }
    made
}

/// `-x`; `.name` is a member of what is expected, which is not known.
fn prefix<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let operator = node
        .child_by_field_name("operation")
        .map_or("", |operator| lower.text(operator));
    let Some(target) = node.child_by_field_name("target") else {
        return lower.pass(node);
    };
    match operator {
        "." => NONE,
        "&" => lower.value(target),
        _ => {
            let value = lower.value(target);
            lower
                .builder
                .call_method(value, &format!("operator{operator}"), &[], line(node))
        }
    }
}

fn suffix_name<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let suffix = node.child_by_field_name("suffix")?;
    Some(suffix.child_by_field_name("suffix").unwrap_or(suffix))
}

fn navigation<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(object), Some(name)) = (node.child_by_field_name("target"), suffix_name(node)) else {
        return NONE;
    };
    let text = lower.text(name);
    let object = without_prefix(lower, object);
    let object = match object.kind() {
        "user_type" => lower.type_value(object).unwrap_or(NONE),
        _ => lower.value(object),
    };
    match text {
        _ if object == NONE => NONE,
        "self" => object,
        "init" => lower.builder.load_or(object, CONSTRUCTOR, object, line(name), 0),
        _ => lower.builder.load(object, text, line(name)),
    }
}

fn arguments<'t>(lower: &mut Lower<'t, '_, '_>, list: Node<'t>, found: &mut Vec<Argument<'t>>) {
    for argument in children_of_kind(list, &["value_argument"]) {
        let Some(value) = argument.child_by_field_name("value") else {
            found.push(Argument::Plain(lower.builder.slot()));
            continue;
        };
        match argument.child_by_field_name("name") {
            Some(name) => {
                let slot = lower.spelled(value);
                found.push(Argument::Named(lower.text(name).trim_end_matches(':'), slot));
            }
            None => found.push(lower.plain_argument(value)),
        }
    }
}

fn passed<'t>(lower: &mut Lower<'t, '_, '_>, suffix: Node<'t>) -> Vec<Argument<'t>> {
    let mut found = Vec::new();
    for part in children(suffix) {
        match part.kind() {
            "value_arguments" => arguments(lower, part, &mut found),
            "lambda_literal" => found.push(Argument::Plain(lower.value(part))),
            _ => {}
        }
    }
    found
}

/// A call, or an element, which has the same form.
fn call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    let (Some(callee), Some(suffix)) = (parts.first().copied(), parts.last().copied()) else {
        return NONE;
    };
    let callee = without_prefix(lower, callee);
    if is_element(lower, suffix) {
        let object = lower.value(callee);
        let index = child_of_kind(suffix, &["value_arguments"])
            .and_then(|list| child_of_kind(list, &["value_argument"]))
            .and_then(|argument| argument.child_by_field_name("value"));
        return lower.load_element(object, index, line(node));
    }
    let name = match callee.kind() {
        "navigation_expression" => suffix_name(callee).unwrap_or(callee),
        _ => callee,
    };
    // What a block defers runs all the same.
    let function = match callee.kind() {
        "simple_identifier" if lower.text(callee) == "defer" => {
            let arguments = passed(lower, suffix);
            if let Some(Argument::Plain(block)) = arguments.first() {
                return lower.builder.call(*block, &[], line(callee), FlowFlags::IMPLICIT);
            }
            return NONE;
        }
        "navigation_expression" if lower.text(name) == "init" && callee_is_receiver(callee) => {
            let object = callee
                .child_by_field_name("target")
                .map_or(NONE, |target| lower.value(target));
            lower.builder.load(object, CONSTRUCTOR, line(name))
        }
        _ => lower.value(callee),
    };
    let arguments = passed(lower, suffix);
    lower.builder.call(function, &arguments, line(name), 0)
}

/// A called or selected expression without its prefix operators: the grammar reads `!f(x)` as `(!f)(x)`. A leading dot is no
/// operator: `.f(x)` is a member of the expected type.
fn without_prefix<'t>(lower: &Lower<'t, '_, '_>, node: Node<'t>) -> Node<'t> {
    let mut inner = node;
    while inner.kind() == "prefix_expression"
        && let Some(target) = inner.child_by_field_name("target")
        && inner
            .child_by_field_name("operation")
            .is_some_and(|operation| lower.text(operation) != ".")
    {
        inner = target;
    }
    inner
}

fn callee_is_receiver(callee: Node<'_>) -> bool {
    callee
        .child_by_field_name("target")
        .is_some_and(|target| matches!(target.kind(), "self_expression" | "super_expression"))
}

fn is_element<'t>(lower: &Lower<'t, '_, '_>, suffix: Node<'t>) -> bool {
    child_of_kind(suffix, &["value_arguments"]).is_some_and(|list| lower.text(list).starts_with('['))
}

fn constructed<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(kind) = node.child_by_field_name("constructed_type") else {
        return NONE;
    };
    let arguments = child_of_kind(node, &["constructor_suffix"]).map_or_else(Vec::new, |suffix| passed(lower, suffix));
    lower.made(kind, &arguments, line(kind))
}

fn lambda<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (definition, is_own) = lower.definition_or_around(node);
    lower.begin_function(
        definition,
        BodyFlags::ARROW | if is_own { 0 } else { BodyFlags::HIDDEN },
    );
    let list = node
        .child_by_field_name("type")
        .and_then(|kind| child_of_kind(kind, &["lambda_function_type_parameters"]));
    match list {
        Some(list) => {
            for parameter in children(list) {
                let name = parameter
                    .child_by_field_name("name")
                    .or_else(|| child_of_kind(parameter, &["simple_identifier"]))
                    .unwrap_or(parameter);
                let text = lower.text(name);
                let slot = lower.builder.parameter(text, ParameterKind::POSITIONAL);
                if let Some(kind) = child_of_kind(parameter, TYPES) {
                    lower.declare_type(slot, kind);
                }
                lower.builder.declare(text);
                lower.builder.write(text, slot);
            }
        }
        None => {
            for name in ["$0", "$1", "$2"] {
                let slot = lower.builder.parameter(name, ParameterKind::POSITIONAL);
                lower.builder.declare(name);
                lower.builder.write(name, slot);
            }
        }
    }
    if let Some(body) = child_of_kind(node, &["statements"]) {
        lower.body(body, true);
    }
    lower.end_function()
}

fn assignment<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let target = form.object(node).and_then(|target| match target.kind() {
        "directly_assignable_expression" => children(target).first().copied(),
        _ => Some(target),
    });
    let (Some(target), Some(value)) = (target, form.value(node)) else {
        return lower.pass(node);
    };
    let operator = form.other(node).map_or("", |operator| lower.text(operator));
    let element = match target.kind() {
        "call_expression" => children(target)
            .last()
            .copied()
            .filter(|suffix| is_element(lower, *suffix)),
        _ => None,
    };
    if let Some(suffix) = element {
        let value = lower.spelled(value);
        let object = children(target).first().map_or(NONE, |object| lower.value(*object));
        let index = child_of_kind(suffix, &["value_arguments"])
            .and_then(|list| child_of_kind(list, &["value_argument"]))
            .and_then(|argument| argument.child_by_field_name("value"));
        if operator == "=" {
            lower.store_element(object, index, value, line(node));
        } else {
            let old = lower.load_element(object, index, line(node));
            lower.builder.call_method(
                old,
                &format!("operator{operator}"),
                &[Argument::Plain(value)],
                line(node),
            );
        }
        return NONE;
    }
    if target.kind() == "navigation_expression" && operator == "=" {
        let value = lower.spelled(value);
        let object = target
            .child_by_field_name("target")
            .map_or(NONE, |object| lower.value(object));
        if let Some(name) = suffix_name(target).filter(|_| object != NONE) {
            lower.builder.store(object, lower.builder.text(name), value, line(node));
        }
        return NONE;
    }
    lower.assignment(form, node)
}

fn coalescing<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let joined = lower.builder.slot();
    for part in ["value", "if_nil"] {
        if let Some(part) = node.child_by_field_name(part) {
            let value = lower.value(part);
            lower.builder.copy(joined, value);
        }
    }
    joined
}

/// The conditions of a statement, with what they bind; then its parts, in order.
fn conditions<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Vec<Node<'t>> {
    let mut parts = Vec::new();
    let mut bound: Option<Node<'t>> = None;
    let mut patterns: Vec<Node<'t>> = Vec::new();
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return parts;
    }
    loop {
        let (child, field) = (cursor.node(), cursor.field_name());
        match (child.kind(), field) {
            ("statements" | "if_statement" | "else", _) => parts.push(child),
            (_, Some("bound_identifier")) => bound = Some(child),
            ("pattern", _) => patterns.push(child),
            ("value_binding_pattern", _) => {}
            (_, Some("condition")) if child.is_named() => {
                if has_case(lower, child) {
                } else if let Some(name) = bound.take() {
                    let value = lower.value(child);
                    lower.bind_pattern(name, value);
                } else if patterns.is_empty() {
                    lower.run(child);
                    lower.narrow(child, true);
                } else {
                    let value = lower.value(child);
                    for pattern in patterns.drain(..) {
                        bind_case(lower, pattern, value);
                    }
                }
            }
            _ => {}
        }
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    // `if let x {` binds what x is.
    if let Some(name) = bound {
        let text = lower.text(name);
        let value = lower.read_name(text, line(name));
        lower.bind_pattern(name, value);
    }
    parts
}

/// Whether a condition is the name of a case rather than a value.
fn has_case<'t>(lower: &Lower<'t, '_, '_>, child: Node<'t>) -> bool {
    child.kind() == "simple_identifier"
        && child.start_byte() > 0
        && lower.builder.source.as_bytes().get(child.start_byte() - 1) == Some(&b'.')
}

fn condition<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let result = lower.builder.slot();
    let before = lower.builder.environment();
    lower.builder.begin_block();
    let parts = conditions(lower, node);
    let mut ways = Vec::new();
    let mut behind_else = false;
    let mut has_first = false;
    for part in parts {
        if part.kind() == "else" {
            behind_else = true;
            continue;
        }
        if behind_else {
            ways.push(lower.builder.environment());
            lower.builder.restore(&before);
        }
        has_first = true;
        let value = lower.run(part);
        lower.builder.copy(result, value);
    }
    ways.push(lower.builder.environment());
    if !behind_else || !has_first {
        ways.push(before);
    }
    lower.builder.join(&ways);
    lower.builder.end_block();
    result
}

/// What `guard` binds holds behind it.
fn guard<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = conditions(lower, node);
    let after = lower.builder.environment();
    for part in parts.into_iter().filter(|part| part.kind() == "statements") {
        lower.run(part);
    }
    lower.builder.restore(&after);
    NONE
}

fn while_loop<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    lower.repeat(node, |lower| {
        for part in conditions(lower, node) {
            lower.run(part);
        }
    });
    NONE
}

/// Binds what a pattern of a case names to a value, or to those of it that are of its type.
fn bind_case<'t>(lower: &mut Lower<'t, '_, '_>, pattern: Node<'t>, value: Slot) {
    let kind = child_of_kind(pattern, TYPES);
    let value = match kind {
        Some(kind) => lower.narrowed(value, kind),
        None => value,
    };
    if let Some(name) = pattern.child_by_field_name("bound_identifier") {
        lower.bind_pattern(name, value);
    }
    let is_case = lower.text(pattern).starts_with('.');
    for inner in children_of_kind(pattern, &["pattern"]) {
        let value = if is_case { lower.builder.slot() } else { value };
        bind_case(lower, inner, value);
    }
}

fn case_pattern<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let value = lower.subjects.last().copied().unwrap_or(NONE);
    if let Some(pattern) = child_of_kind(node, &["pattern"]) {
        let value = if value == NONE { lower.builder.slot() } else { value };
        bind_case(lower, pattern, value);
    }
    NONE
}

fn catch_block<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    lower.builder.begin_block();
    let value = lower.builder.slot();
    match node.child_by_field_name("error") {
        Some(pattern) => {
            if let Some(kind) = child_of_kind(pattern, TYPES) {
                lower.declare_type(value, kind);
            }
            bind_case(lower, pattern, value);
        }
        None => {
            lower.builder.declare("error");
            lower.builder.write("error", value);
        }
    }
    let result = match child_of_kind(node, &["statements"]) {
        Some(body) => lower.run(body),
        None => NONE,
    };
    lower.builder.end_block();
    result
}

fn transfer<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let word = lower.text(node).split_whitespace().next().unwrap_or("");
    let value = node
        .child_by_field_name("result")
        .or_else(|| children(node).into_iter().find(|child| child.kind() != "throw_keyword"));
    match word {
        "break" => lower.builder.break_loop(""),
        "continue" => lower.builder.continue_loop(""),
        "throw" => {
            let value = lower.value_of(value);
            lower.builder.throw(value);
            lower.builder.stop();
        }
        "return" => {
            if let Some(value) = value {
                let value = lower.spelled(value);
                lower.builder.give_back(value);
            }
            lower.builder.stop();
        }
        _ => {}
    }
    NONE
}

fn dictionary<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let made = lower.builder.allocate("Dictionary", line(node));
    let keys: Vec<Node<'t>> = node.children_by_field_name("key").collect();
    let values: Vec<Node<'t>> = node.children_by_field_name("value").collect();
    for (key, value) in keys.into_iter().zip(values) {
        let slot = lower.spelled(value);
        lower.store_element(made, Some(key), slot, line(value));
    }
    made
}
