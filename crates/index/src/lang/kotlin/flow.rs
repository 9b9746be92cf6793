//! Kotlin's value flow: the table of its nodes, and what a table cannot say.

use foldhash::HashSet;
use std::sync::OnceLock;

use lore_model::{BodyFlags, ExportFlags, FlowFlags, NONE, ParameterKind};

use crate::extract::{child_of_kind, has_child};
use crate::flow::plain::{
    Act, ClassScope, FIELDS, FunctionParts, Grammar, Lower, PLAIN_RULES, Part, Plain, Shape, children, converts, line,
    lower as lower_plain,
};
use crate::flow::{Argument, FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use Part::{At, Field, Kind, Last, LastKind};

/// How the values of Kotlin flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    call: "invoke",
    iterate: ("iterator", "next"),
    element: ("get", "set"),
    overloads: Some(converts),
    text: Some("String"),
    prelude: &[("", include_str!("prelude/stdlib.kt"))],
    ..PLAIN_RULES
};

fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &PLAIN);
}

const TYPES: &[&str] = &[
    "user_type",
    "nullable_type",
    "function_type",
    "non_nullable_type",
    "parenthesized_type",
];
const CLASS_BODY: Part = Kind(&["class_body", "enum_class_body"]);

const fn class(act: Act) -> Shape {
    Shape::of(act)
        .name(Field("name"))
        .list(Kind(&["delegation_specifiers"]))
        .body(CLASS_BODY)
        .other(Kind(&["primary_constructor"]))
}

static COMPILED: OnceLock<Grammar> = OnceLock::new();

pub(super) static PLAIN: Plain = Plain {
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    compiled: &COMPILED,
    shapes: &[
        ("line_comment", Shape::of(Act::Skip)),
        ("block_comment", Shape::of(Act::Skip)),
        ("package_header", Shape::of(Act::Skip)),
        ("import", Shape::of(Act::Skip)),
        ("modifiers", Shape::of(Act::Skip)),
        ("annotation", Shape::of(Act::Skip)),
        ("file_annotation", Shape::of(Act::Skip)),
        ("type_parameters", Shape::of(Act::Skip)),
        ("type_constraints", Shape::of(Act::Skip)),
        ("type_arguments", Shape::of(Act::Skip)),
        ("function_type", Shape::of(Act::Skip)),
        ("lambda_parameters", Shape::of(Act::Skip)),
        ("class_declaration", class(Act::Class)),
        ("object_declaration", class(Act::Hook(object))),
        ("companion_object", Shape::of(Act::Hook(companion))),
        ("object_literal", class(Act::Hook(object_literal))),
        ("delegation_specifier", Shape::of(Act::Wrapped).kind(At(0))),
        ("constructor_invocation", Shape::of(Act::Wrapped).kind(At(0))),
        ("explicit_delegation", Shape::of(Act::Wrapped).kind(At(0))),
        (
            "enum_entry",
            Shape::of(Act::Hook(enum_entry)).name(Kind(&["identifier"])),
        ),
        (
            "function_declaration",
            Shape::of(Act::Hook(function))
                .name(Field("name"))
                .list(Kind(&["function_value_parameters"]))
                .body(Kind(&["function_body"])),
        ),
        ("function_value_parameters", Shape::of(Act::Hook(parameters))),
        ("function_body", Shape::of(Act::Pass)),
        (
            "secondary_constructor",
            Shape::of(Act::Constructor)
                .list(Kind(&["function_value_parameters"]))
                .body(Kind(&["block"]))
                .other(Kind(&["constructor_delegation_call"])),
        ),
        ("constructor_delegation_call", Shape::of(Act::Hook(delegation_call))),
        ("anonymous_initializer", Shape::of(Act::Hook(initializer))),
        (
            "class_parameter",
            Shape::of(Act::Hook(class_parameter))
                .name(Kind(&["identifier"]))
                .kind(Kind(TYPES)),
        ),
        (
            "property_declaration",
            Shape::of(Act::Hook(property)).name(Kind(&["variable_declaration"])),
        ),
        (
            "variable_declaration",
            Shape::of(Act::Declarator).name(Kind(&["identifier"])).kind(Kind(TYPES)),
        ),
        ("multi_variable_declaration", Shape::of(Act::Tuple)),
        ("type_alias", Shape::of(Act::Alias).name(Field("type")).kind(Last)),
        (
            "user_type",
            Shape::of(Act::Generic)
                .kind(LastKind(&["identifier"]))
                .list(Kind(&["type_arguments"])),
        ),
        ("type_projection", Shape::of(Act::Wrapped).kind(Last)),
        ("nullable_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("non_nullable_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("parenthesized_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("identifier", Shape::of(Act::Hook(identifier))),
        ("block", Shape::of(Act::Block)),
        ("parenthesized_expression", Shape::of(Act::Inner)),
        ("this_expression", Shape::of(Act::Hook(this))),
        ("super_expression", Shape::of(Act::Super)),
        (
            "navigation_expression",
            Shape::of(Act::Hook(navigation)).object(At(0)).name(Last),
        ),
        ("index_expression", Shape::of(Act::Index).object(At(0)).list(At(1))),
        ("call_expression", Shape::of(Act::Hook(call))),
        ("value_argument", Shape::of(Act::Hook(bare_argument))),
        ("annotated_lambda", Shape::of(Act::Inner)),
        (
            "lambda_literal",
            Shape::of(Act::Lambda)
                .list(Kind(&["lambda_parameters"]))
                .body(Part::Itself),
        ),
        (
            "anonymous_function",
            Shape::of(Act::Lambda)
                .list(Kind(&["function_value_parameters"]))
                .body(Kind(&["function_body"])),
        ),
        ("callable_reference", Shape::of(Act::Hook(reference))),
        ("spread_expression", Shape::of(Act::Spread)),
        (
            "assignment",
            Shape::of(Act::Assign)
                .object(Field("left"))
                .other(Field("operator"))
                .value(Field("right")),
        ),
        (
            "binary_expression",
            Shape::of(Act::Binary)
                .object(Field("left"))
                .other(Field("operator"))
                .value(Field("right")),
        ),
        ("infix_expression", Shape::of(Act::Hook(infix))),
        ("in_expression", Shape::of(Act::Hook(contains))),
        ("unary_expression", Shape::of(Act::Hook(unary))),
        (
            "as_expression",
            Shape::of(Act::Cast).value(Field("left")).kind(Field("right")),
        ),
        (
            "is_expression",
            Shape::of(Act::Is)
                .value(Field("left"))
                .kind(Field("right"))
                .other(Kind(&["!is"])),
        ),
        ("type_test", Shape::of(Act::Is).kind(At(0))),
        ("range_test", Shape::of(Act::Pass)),
        (
            "if_expression",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(At(1))
                .other(At(2)),
        ),
        ("when_expression", Shape::of(Act::Switch).value(Kind(&["when_subject"]))),
        ("when_subject", Shape::of(Act::Inner)),
        ("when_entry", Shape::of(Act::Case).name(Field("condition")).body(Last)),
        (
            "for_statement",
            Shape::of(Act::Each).name(At(0)).value(At(1)).body(At(2)),
        ),
        ("while_statement", Shape::of(Act::Loop)),
        ("do_while_statement", Shape::of(Act::Loop)),
        ("return_expression", Shape::of(Act::Hook(give_back))),
        ("throw_expression", Shape::of(Act::Throw)),
        ("try_expression", Shape::of(Act::Try)),
        (
            "catch_block",
            Shape::of(Act::Catch)
                .name(Kind(&["identifier"]))
                .kind(Kind(TYPES))
                .body(Kind(&["block"])),
        ),
        ("finally_block", Shape::of(Act::Finally)),
        ("string_literal", Shape::of(Act::Text)),
        ("multiline_string_literal", Shape::of(Act::Text)),
        ("string_content", Shape::of(Act::Skip)),
        ("number_literal", Shape::of(Act::Data)),
        ("float_literal", Shape::of(Act::Data)),
        ("character_literal", Shape::of(Act::Data)),
        ("label", Shape::of(Act::Skip)),
    ],
    prepare,
    is_static: |lower, _| lower.statics > 0,
    is_own: |lower, node| lower.has_word(node, &["private"]),
    member: |_, _| false,
    lambda_gives_last: true,
    constructs_base: true,
    overloads: true,
    it: Some("it"),
    base_arguments,
    operators: &[
        ("+", "plus"),
        ("-", "minus"),
        ("*", "times"),
        ("/", "div"),
        ("%", "rem"),
        ("..", "rangeTo"),
        ("+=", "plusAssign"),
        ("-=", "minusAssign"),
        ("==", "equals"),
        ("!=", "equals"),
        ("<", "compareTo"),
        (">", "compareTo"),
        ("<=", "compareTo"),
        (">=", "compareTo"),
        ("1-", "unaryMinus"),
        ("1+", "unaryPlus"),
        ("1!", "not"),
        ("1++", "inc"),
        ("1--", "dec"),
    ],
    collections: &[
        ("List", "List", 0),
        ("MutableList", "List", 0),
        ("ArrayList", "List", 0),
        ("Collection", "List", 0),
        ("MutableCollection", "List", 0),
        ("Iterable", "List", 0),
        ("Iterator", "List", 0),
        ("Sequence", "List", 0),
        ("Flow", "List", 0),
        ("Set", "List", 0),
        ("MutableSet", "List", 0),
        ("ArrayDeque", "List", 0),
        ("Array", "List", 0),
        ("Map", "Map", 1),
        ("MutableMap", "Map", 1),
        ("HashMap", "Map", 1),
    ],
    transparent: &["Lazy"],
    ignored: &[
        "Any", "Unit", "Int", "Long", "Double", "Float", "Boolean", "Char", "Byte", "Short", "Nothing",
    ],
    ..Plain::BASE
};

/// Functions whose lambda has their receiver as its own.
const WITH_RECEIVER: &[&str] = &["apply", "run", "with"];
/// Functions of everything that call their lambda with their receiver.
const OF_EVERYTHING: &[&str] = &["let", "also", "apply", "run", "takeIf", "takeUnless"];

fn prepare<'t>(lower: &mut Lower<'t, '_, '_>, root: Node<'t>) {
    for child in children(root) {
        match child.kind() {
            "package_header" => {
                if let Some(name) = children(child).first() {
                    lower.space = lower.path_of(lower.text(*name));
                }
            }
            "import" => {
                let parts = children(child);
                let Some(path) = parts.first() else { continue };
                let text = lower.text(*path);
                let path = lower.path_of(text);
                let is_all = has_child(child, "*") || lower.text(child).trim_end().ends_with('*');
                if is_all {
                    lower.member_imports_or_space(&path);
                    continue;
                }
                let Some((space, name)) = path.rsplit_once('.') else {
                    continue;
                };
                let local = match parts.get(1) {
                    Some(alias) => lower.text(*alias),
                    None => text.rsplit('.').next().unwrap_or(text).trim(),
                };
                lower.imports.insert(local, (space.to_owned(), name.to_owned()));
            }
            _ => {}
        }
    }
}

/// The arguments behind the name of the base.
fn base_arguments<'t>(_: &Lower<'t, '_, '_>, class: Node<'t>) -> Option<Node<'t>> {
    let list = child_of_kind(class, &["delegation_specifiers"])?;
    let invocation = children(list)
        .into_iter()
        .find_map(|base| child_of_kind(base, &["constructor_invocation"]))?;
    child_of_kind(invocation, &["value_arguments"])
}

fn identifier<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    match lower.text(node) {
        "null" | "true" | "false" => NONE,
        "break" => {
            lower.builder.break_loop("");
            NONE
        }
        "continue" => {
            lower.builder.continue_loop("");
            NONE
        }
        name => lower.read_name(name, line(node)),
    }
}

/// `this`, or that of a class around it by its name.
fn this<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(label) = children(node).first() {
        let label = lower.text(*label);
        if let Some(number) = lower.classes.iter().rposition(|class| class.name == label) {
            return lower.object_around(number);
        }
    }
    lower.this()
}

/// An object is a class and its only instance.
fn object<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let name = lower.text(name);
    let bases = lower.bases(form, node);
    let slot = lower.class_of(form, node, "", &bases);
    let instance = lower.builder.instance(slot);
    let fields = lower.builder.load_implicit(instance, FIELDS, line(node));
    lower.builder.call(fields, &[], line(node), FlowFlags::IMPLICIT);
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    lower.bind_class(name, instance, definition, node);
    NONE
}

fn object_literal<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let bases = lower.bases(form, node);
    let slot = lower.class_of(form, node, "", &bases);
    lower
        .builder
        .call(slot, &[], line(node), FlowFlags::NEW | FlowFlags::IMPLICIT)
}

/// Members of a companion belong to the class.
fn companion<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(body) = child_of_kind(node, &["class_body"]) {
        lower.statics += 1;
        let definition = lower.builder.definition(node);
        lower.definitions.extend(definition);
        lower.members(body);
        if definition.is_some() {
            lower.definitions.pop();
        }
        lower.statics -= 1;
    }
    NONE
}

fn enum_entry<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(name) = child_of_kind(node, &["identifier"]) else {
        return NONE;
    };
    let arguments = child_of_kind(node, &["value_arguments"]).map_or_else(Vec::new, |list| lower.arguments(list));
    let class = lower.builder.receiver();
    let made = match child_of_kind(node, &["class_body"]) {
        Some(body) => {
            let (definition, _) = lower.definition_or_around(node);
            let (slot, row) = lower.builder.class(definition, &[class], line(node));
            lower.begin_class(definition, row, "", true, false);
            lower.note_members(body, 0);
            lower.members(body);
            lower.finish_class(node);
            let body = lower.end_class();
            lower.builder.set_class_body(row, body);
            lower.builder.instance(slot)
        }
        None => lower
            .builder
            .call(class, &arguments, line(node), FlowFlags::NEW | FlowFlags::IMPLICIT),
    };
    let name = lower.text(name);
    lower.builder.store(class, name, made, line(node));
    NONE
}

/// A function: free, a member, an extension, or one inside another.
fn function<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let text = lower.text(name).trim_matches('`');
    let before = children(node)
        .into_iter()
        .take_while(|child| *child != name)
        .find(|child| TYPES.contains(&child.kind()));
    let list = form.list(node);
    let kind = children(node)
        .into_iter()
        .find(|child| list.is_some_and(|list| child.start_byte() >= list.end_byte()) && TYPES.contains(&child.kind()));
    let parts = FunctionParts {
        list,
        body: form.body(node),
        kind,
    };
    if let Some(receiver) = before {
        extension(lower, node, text, receiver, parts);
        return NONE;
    }
    if lower.is_in_class() {
        let statics = if lower.statics > 0 { BodyFlags::CLASS_METHOD } else { 0 };
        let value = lower.function_of(node, parts, BodyFlags::MEMBER | statics, |_| {});
        let class = lower.builder.receiver();
        lower.builder.store_member(class, text, value, line(node));
        return NONE;
    }
    if !lower.is_top() {
        lower.builder.declare(text);
        let value = lower.function_of(node, parts, BodyFlags::ARROW, |_| {});
        lower.builder.write(text, value);
        return value;
    }
    let value = lower.function_of(node, parts, 0, |_| {});
    let own = if lower.has_word(node, &["private"]) {
        ExportFlags::OWN
    } else {
        0
    };
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    lower.export(text, value, definition, own);
    NONE
}

/// A scope in which names may be members of a receiver that is not known yet.
fn scope_of<'t>(lower: &Lower<'t, '_, '_>) -> ClassScope<'t> {
    ClassScope {
        row: NONE,
        definition: NONE,
        body: lower.builder.open_bodies() - 1,
        names: HashSet::default(),
        repeated: HashSet::default(),
        open: true,
        has_bases: false,
        name: "",
        fields: Vec::new(),
        has_constructor: false,
    }
}

fn extension<'t>(
    lower: &mut Lower<'t, '_, '_>,
    node: Node<'t>,
    name: &str,
    receiver: Node<'t>,
    parts: FunctionParts<'t>,
) {
    let bound = lower.bind_type_parameters(node);
    let class = lower.type_value(receiver);
    let scope = scope_of(lower);
    let statics = std::mem::take(&mut lower.statics);
    lower.classes.push(scope);
    let value = lower.function_of(node, parts, BodyFlags::MEMBER, |lower| {
        // The function may have no caller: then its receiver has the declared type.
        let this = lower.this();
        lower.declare_type(this, receiver);
    });
    lower.classes.pop();
    lower.statics = statics;
    lower.type_parameters.truncate(bound);
    if let Some(class) = class {
        lower
            .builder
            .store_member(class, &format!("{name}:ext"), value, line(node));
    }
}

/// Parameters, each with its default behind it.
fn parameters<'t>(lower: &mut Lower<'t, '_, '_>, list: Node<'t>) -> Slot {
    let mut is_rest = false;
    for child in children(list) {
        match child.kind() {
            "parameter_modifiers" => is_rest = lower.text(child).contains("vararg"),
            "parameter" => {
                let parts = children(child);
                let Some(name) = parts.first() else { continue };
                parameter(lower, *name, parts.get(1).copied(), std::mem::take(&mut is_rest));
            }
            _ => {
                let default = lower.value(child);
                lower.builder.set_default(default);
            }
        }
    }
    NONE
}

fn parameter<'t>(lower: &mut Lower<'t, '_, '_>, name: Node<'t>, kind: Option<Node<'t>>, is_rest: bool) -> Slot {
    let name = lower.text(name);
    let how = if is_rest {
        ParameterKind::REST
    } else {
        ParameterKind::PLAIN
    };
    let slot = lower.builder.parameter(name, how);
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
    slot
}

fn class_parameter<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let kind = form.kind(node);
    parameter(lower, name, kind, lower.has_word(node, &["vararg"]));
    let last = children(node).last().copied();
    if let Some(default) = last.filter(|last| Some(*last) != kind && *last != name) {
        let default = lower.value(default);
        lower.builder.set_default(default);
    }
    NONE
}

fn delegation_call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let arguments = child_of_kind(node, &["value_arguments"]).map_or_else(Vec::new, |list| lower.arguments(list));
    if lower.text(node).starts_with("super") {
        lower.construct_base_with(&arguments, line(node), 0)
    } else {
        lower.construct_itself(&arguments, line(node))
    }
    NONE
}

/// `init { … }` runs when an instance is made.
fn initializer<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(block) = child_of_kind(node, &["block"]) {
        if lower.statics > 0 {
            lower.run(block);
        } else {
            lower.when_made(block)
        }
    }
    NONE
}

/// A property: of a class, of a file, or a variable.
fn property<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    let variable = parts
        .iter()
        .copied()
        .find(|part| matches!(part.kind(), "variable_declaration" | "multi_variable_declaration"));
    let Some(variable) = variable else { return NONE };
    let kind = child_of_kind(variable, TYPES);
    let value = parts.iter().copied().find(|part| {
        part.start_byte() >= variable.end_byte()
            && !matches!(part.kind(), "getter" | "setter" | "type_constraints" | "modifiers")
    });
    let value = value.and_then(|value| match value.kind() {
        "property_delegate" => children(value).first().copied(),
        _ => Some(value),
    });
    if variable.kind() == "multi_variable_declaration" {
        let value = lower.value_of(value);
        lower.bind_pattern(variable, value);
        return NONE;
    }
    let Some(name) = child_of_kind(variable, &["identifier"]) else {
        return NONE;
    };
    let text = lower.text(name).trim_matches('`');
    let receiver = parts
        .iter()
        .copied()
        .take_while(|part| *part != variable)
        .find(|part| TYPES.contains(&part.kind()));
    let (getter, setter) = (child_of_kind(node, &["getter"]), child_of_kind(node, &["setter"]));
    let definition = lower
        .builder
        .definition(node)
        .or_else(|| lower.builder.definition_named(line(name), text));
    if let Some(receiver) = receiver {
        if let Some(getter) = getter {
            accessor(lower, definition, getter, text, kind, Some(receiver));
        }
        return NONE;
    }
    if lower.is_in_class() {
        for part in [getter, setter].into_iter().flatten() {
            if child_of_kind(part, &["function_body"]).is_some() {
                accessor(lower, definition, part, text, kind, None);
            }
        }
        if getter.is_none_or(|getter| child_of_kind(getter, &["function_body"]).is_none()) {
            if lower.statics > 0 {
                lower.static_field(text, kind, value, line(node))
            } else {
                lower.instance_field(text, kind, value, line(node))
            }
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
    let own = if lower.has_word(node, &["private"]) {
        ExportFlags::OWN
    } else {
        0
    };
    lower.declare_value(text, slot, definition.unwrap_or(NONE), own);
    NONE
}

fn accessor<'t>(
    lower: &mut Lower<'t, '_, '_>,
    property: Option<u32>,
    node: Node<'t>,
    name: &'t str,
    kind: Option<Node<'t>>,
    receiver: Option<Node<'t>>,
) {
    let is_getter = node.kind() == "getter";
    let definition = lower.builder.definition(node).or(property).unwrap_or(NONE);
    let class = receiver.and_then(|receiver| lower.type_value(receiver));
    let scope = receiver.map(|_| scope_of(lower));
    lower.classes.extend(scope);
    let statics = if lower.statics > 0 { BodyFlags::CLASS_METHOD } else { 0 };
    let getter = if is_getter { BodyFlags::GETTER } else { 0 };
    lower.begin_function(definition, BodyFlags::MEMBER | statics | getter);
    if let Some(receiver) = receiver {
        let this = lower.this();
        lower.declare_type(this, receiver);
    }
    if !is_getter && let Some(value) = child_of_kind(node, &["identifier"]) {
        parameter(lower, value, kind, false);
    }
    if let Some(kind) = kind.filter(|_| is_getter) {
        lower.declare_type(0, kind);
    }
    if let Some(body) = child_of_kind(node, &["function_body"]) {
        // What the property holds itself is `field` in its accessors.
        let this = lower.this();
        let field = lower.builder.load(this, &format!("{name}:field"), line(node));
        lower.builder.declare("field");
        lower.builder.write("field", field);
        lower.body(body, false);
        if !is_getter {
            let kept = lower.builder.read("field");
            lower.builder.store(this, &format!("{name}:field"), kept, line(node));
        }
    }
    let value = lower.end_function();
    if receiver.is_some() {
        lower.classes.pop();
        if let Some(class) = class {
            lower
                .builder
                .store_member(class, &format!("{name}:ext"), value, line(node));
        }
        return;
    }
    let class = lower.builder.receiver();
    let stored = if is_getter {
        name.to_owned()
    } else {
        format!("{name}:set")
    };
    lower.builder.store_member(class, &stored, value, line(node));
}

/// An argument, possibly after its name.
fn bare_argument<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    match children(node).last() {
        Some(value) => lower.value(*value),
        None => NONE,
    }
}

/// What a call passes.
fn arguments<'t>(lower: &mut Lower<'t, '_, '_>, list: Node<'t>, found: &mut Vec<Argument<'t>>) {
    for argument in children(list)
        .into_iter()
        .filter(|child| child.kind() == "value_argument")
    {
        let parts = children(argument);
        let Some(value) = parts.last().copied() else { continue };
        let is_spread = has_child(argument, "*") || value.kind() == "spread_expression";
        if is_spread {
            found.push(Argument::Spread(lower.value(value)));
        } else if parts.len() == 2 && has_child(argument, "=") {
            let slot = lower.spelled(value);
            found.push(Argument::Named(lower.text(parts[0]), slot));
        } else {
            found.push(lower.plain_argument(value));
        }
    }
}

fn call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let mut parts = children(node);
    let mut lists = Vec::new();
    // `f(x) { … }` is one call with two lists.
    loop {
        let Some((callee, rest)) = parts.split_first() else {
            return NONE;
        };
        let is_lambda = rest.iter().any(|part| part.kind() == "annotated_lambda");
        lists.extend(rest.iter().rev().copied());
        let inner = *callee;
        if is_lambda && inner.kind() == "call_expression" && child_of_kind(inner, &["value_arguments"]).is_some() {
            parts = children(inner);
            continue;
        }
        lists.reverse();
        return call_of(lower, inner, &lists);
    }
}

/// A called or selected expression without its prefix operators: the grammar reads `!f(x)` as `(!f)(x)`.
fn without_prefix(node: Node<'_>) -> Node<'_> {
    let mut inner = node;
    while inner.kind() == "unary_expression"
        && let Some(argument) = inner.child_by_field_name("argument")
        && argument.start_byte() > inner.start_byte()
    {
        inner = argument;
    }
    inner
}

fn call_of<'t>(lower: &mut Lower<'t, '_, '_>, callee: Node<'t>, lists: &[Node<'t>]) -> Slot {
    let callee = without_prefix(callee);
    let (object, name) = match callee.kind() {
        "navigation_expression" => {
            let parts = children(callee);
            (parts.first().copied(), parts.last().copied().unwrap_or(callee))
        }
        _ => (None, callee),
    };
    let text = lower.text(name);
    let lambda = lists.iter().copied().find(|list| list.kind() == "annotated_lambda");
    let on_itself = object.is_none() && matches!(text, "apply" | "also" | "let") && !lower.classes.is_empty();
    if let Some(lambda) = lambda
        && (object.is_some() || on_itself)
        && OF_EVERYTHING.contains(&text)
    {
        let object = match object {
            Some(object) => lower.value(object),
            None => lower.this(),
        };
        let function = lambda_of(lower, lambda, text);
        let given = lower.builder.call(function, &[Argument::Plain(object)], line(name), 0);
        return match text {
            "let" | "run" => given,
            _ => object,
        };
    }
    if let (None, Some(lambda), "with") = (object, lambda, text) {
        let mut passed = Vec::new();
        for list in lists.iter().filter(|list| list.kind() == "value_arguments") {
            arguments(lower, *list, &mut passed);
        }
        let function = lambda_of(lower, lambda, text);
        return lower.builder.call(function, &passed, line(name), 0);
    }
    let function = match callee.kind() {
        "navigation_expression" => navigation(lower, callee),
        "super_expression" => lower.callee(callee),
        _ => lower.value(callee),
    };
    let mut passed = Vec::new();
    for list in lists {
        match list.kind() {
            "value_arguments" => arguments(lower, *list, &mut passed),
            "annotated_lambda" => passed.push(Argument::Plain(lambda_of(lower, *list, text))),
            _ => {}
        }
    }
    lower.builder.call(function, &passed, line(name), 0)
}

/// A lambda behind a call.
fn lambda_of<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, name: &str) -> Slot {
    let Some(lambda) = child_of_kind(node, &["lambda_literal", "anonymous_function"]) else {
        return lower.value(node);
    };
    if !WITH_RECEIVER.contains(&name) || lambda.kind() != "lambda_literal" {
        return lower.value(lambda);
    }
    let scope = scope_of(lower);
    lower.classes.push(scope);
    let parts = FunctionParts {
        list: None,
        body: Some(lambda),
        kind: None,
    };
    let value = lower.function_of(lambda, parts, BodyFlags::MEMBER, |_| {});
    lower.classes.pop();
    value
}

/// `a.b`, `a?.b` and `A::b`.
fn navigation<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    let (Some(object), Some(name)) = (parts.first(), parts.last()) else {
        return NONE;
    };
    let text = lower.text(*name);
    let object = lower.value(without_prefix(*object));
    match text {
        "class" | "java" => NONE,
        "invoke" => lower.builder.load_or(object, text, object, line(*name), 0),
        _ => lower.builder.load(object, text, line(*name)),
    }
}

/// `::f` and `A::f`.
fn reference<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    match children(node)[..] {
        [name] => lower.value(name),
        [object, name] => {
            let object = match object.kind() {
                "user_type" => lower.type_value(object).unwrap_or(NONE),
                _ => lower.value(object),
            };
            if object == NONE {
                return NONE;
            }
            let text = lower.text(name);
            lower.builder.load(object, text, line(name))
        }
        _ => NONE,
    }
}

/// `a to b`
fn infix<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let [left, name, right] = children(node)[..] else {
        return lower.pass(node);
    };
    let text = lower.text(name);
    let (one, other) = (lower.spelled(left), lower.spelled(right));
    let arguments = [Argument::Plain(one), Argument::Plain(other)];
    if text == "to" {
        let pair = lower.find("Pair", line(node), true);
        return lower
            .builder
            .call(pair, &arguments, line(node), FlowFlags::NEW | FlowFlags::IMPLICIT);
    }
    let function = lower.builder.load(one, text, line(name));
    lower.builder.call(function, &arguments[1..], line(name), 0)
}

/// `a in b`
fn contains<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let [left, right] = children(node)[..] else {
        return lower.pass(node);
    };
    let (left, right) = (lower.value(left), lower.value(right));
    lower
        .builder
        .call_method(right, "contains", &[Argument::Plain(left)], line(node))
}

fn unary<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| lower.text(operator));
    let Some(argument) = node.child_by_field_name("argument") else {
        return lower.pass(node);
    };
    let value = lower.value(argument);
    if operator == "!!" {
        return value;
    }
    match lower.operator(&format!("1{operator}")) {
        Some(name) => lower.builder.call_method(value, &name, &[], line(node)),
        None => value,
    }
}

/// `return x`, which leaves a lambda only where it names it.
fn give_back<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let label = node.child_by_field_name("label");
    let value = children(node).last().copied().filter(|value| Some(*value) != label);
    if let Some(value) = value {
        let value = lower.spelled(value);
        lower.builder.give_back(value);
    }
    lower.builder.stop();
    NONE
}
