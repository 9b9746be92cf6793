//! Scala's value flow: the table of its nodes, companions, infix calls, comprehensions.

use std::sync::OnceLock;

use lore_model::{BodyFlags, FlowFlags, NONE, ParameterKind};

use crate::extract::{child_of_kind, children_of_kind};
use crate::flow::plain::{
    Act, CONSTRUCTOR, FIELDS, FunctionParts, Grammar, Lower, PLAIN_RULES, Part, Plain, Shape, children, converts, line,
    lower as lower_plain,
};
use crate::flow::{Argument, FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use Part::{At, Field, Kind, Last};

/// How the values of Scala flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    call: "apply",
    iterate: ("iterator", "next"),
    element: ("apply", "update"),
    overloads: Some(converts),
    prelude: &[("", include_str!("prelude/stdlib.scala"))],
    ..PLAIN_RULES
};

fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &PLAIN);
}

static COMPILED: OnceLock<Grammar> = OnceLock::new();

const fn class(act: Act) -> Shape {
    Shape::of(act)
        .name(Field("name"))
        .body(Field("body"))
        .other(Field("class_parameters"))
}

pub(super) static PLAIN: Plain = Plain {
    grammar: || tree_sitter_scala::LANGUAGE.into(),
    compiled: &COMPILED,
    shapes: &[
        ("comment", Shape::of(Act::Skip)),
        ("block_comment", Shape::of(Act::Skip)),
        ("import_declaration", Shape::of(Act::Skip)),
        ("modifiers", Shape::of(Act::Skip)),
        ("annotation", Shape::of(Act::Skip)),
        ("type_parameters", Shape::of(Act::Skip)),
        ("self_type", Shape::of(Act::Skip)),
        ("function_type", Shape::of(Act::Skip)),
        (
            "package_clause",
            Shape::of(Act::Namespace).name(Field("name")).body(Field("body")),
        ),
        (
            "package_object",
            Shape::of(Act::Namespace).name(Field("name")).body(Field("body")),
        ),
        ("class_definition", class(Act::Hook(declared_class))),
        ("trait_definition", class(Act::Hook(declared_class))),
        ("enum_definition", class(Act::Hook(declared_class))),
        ("object_definition", class(Act::Hook(object))),
        ("extends_clause", Shape::of(Act::Skip)),
        (
            "class_parameter",
            Shape::of(Act::Parameter)
                .name(Field("name"))
                .kind(Field("type"))
                .value(Field("default_value")),
        ),
        (
            "parameter",
            Shape::of(Act::Parameter)
                .name(Field("name"))
                .kind(Field("type"))
                .value(Field("default_value")),
        ),
        (
            "binding",
            Shape::of(Act::Parameter).name(Field("name")).kind(Field("type")),
        ),
        (
            "function_definition",
            Shape::of(Act::Hook(function)).name(Field("name")),
        ),
        (
            "function_declaration",
            Shape::of(Act::Hook(function)).name(Field("name")),
        ),
        ("val_definition", Shape::of(Act::Hook(value)).name(Field("pattern"))),
        ("var_definition", Shape::of(Act::Hook(value)).name(Field("pattern"))),
        ("val_declaration", Shape::of(Act::Hook(value)).name(Field("name"))),
        ("var_declaration", Shape::of(Act::Hook(value)).name(Field("name"))),
        ("simple_enum_case", Shape::of(Act::Hook(enum_case)).name(Field("name"))),
        ("full_enum_case", Shape::of(Act::Hook(enum_case)).name(Field("name"))),
        ("extension_definition", Shape::of(Act::Hook(extension))),
        (
            "type_definition",
            Shape::of(Act::Alias).name(Field("name")).kind(Field("type")),
        ),
        ("type_identifier", Shape::of(Act::Name)),
        (
            "generic_type",
            Shape::of(Act::Generic)
                .kind(Field("type"))
                .list(Field("type_arguments")),
        ),
        (
            "stable_type_identifier",
            Shape::of(Act::Member).object(At(0)).name(Last),
        ),
        ("stable_identifier", Shape::of(Act::Member).object(At(0)).name(Last)),
        ("repeated_parameter_type", Shape::of(Act::ArrayType).kind(Field("type"))),
        ("lazy_parameter_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("compound_type", Shape::of(Act::AnyOf)),
        ("tuple_type", Shape::of(Act::Tuple)),
        ("identifier", Shape::of(Act::Hook(identifier))),
        ("template_body", Shape::of(Act::Block)),
        ("block", Shape::of(Act::Block)),
        ("indented_block", Shape::of(Act::Block)),
        ("parenthesized_expression", Shape::of(Act::Inner)),
        (
            "field_expression",
            Shape::of(Act::Member).object(Field("value")).name(Field("field")),
        ),
        ("generic_function", Shape::of(Act::Hook(generic_function))),
        (
            "call_expression",
            Shape::of(Act::Hook(call))
                .object(Field("function"))
                .list(Field("arguments")),
        ),
        ("instance_expression", Shape::of(Act::Hook(make))),
        ("infix_expression", Shape::of(Act::Hook(infix))),
        ("prefix_expression", Shape::of(Act::Pass)),
        (
            "assignment_expression",
            Shape::of(Act::Assign).object(Field("left")).value(Field("right")),
        ),
        (
            "lambda_expression",
            Shape::of(Act::Lambda).list(Field("parameters")).body(Last),
        ),
        ("case_block", Shape::of(Act::Hook(case_function))),
        (
            "case_clause",
            Shape::of(Act::Case).name(Field("pattern")).other(Kind(&["guard"])),
        ),
        ("guard", Shape::of(Act::Inner)),
        (
            "typed_pattern",
            Shape::of(Act::Is).name(Field("pattern")).kind(Field("type")),
        ),
        ("case_class_pattern", Shape::of(Act::Hook(case_class_pattern))),
        ("capture_pattern", Shape::of(Act::Pass)),
        ("tuple_pattern", Shape::of(Act::Tuple)),
        ("wildcard", Shape::of(Act::Hook(placeholder))),
        (
            "match_expression",
            Shape::of(Act::Switch).value(Field("value")).body(Field("body")),
        ),
        ("for_expression", Shape::of(Act::Hook(comprehension))),
        (
            "if_expression",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(Field("consequence"))
                .other(Field("alternative")),
        ),
        ("while_expression", Shape::of(Act::Loop)),
        ("do_while_expression", Shape::of(Act::Loop)),
        ("try_expression", Shape::of(Act::Hook(attempt))),
        ("finally_clause", Shape::of(Act::Block)),
        ("throw_expression", Shape::of(Act::Throw)),
        ("return_expression", Shape::of(Act::Return)),
        ("method_value", Shape::of(Act::Inner)),
        ("postfix_expression", Shape::of(Act::Inner)),
        ("tuple_expression", Shape::of(Act::Tuple)),
        ("interpolated_string_expression", Shape::of(Act::Text)),
        ("string", Shape::of(Act::Text)),
        ("integer_literal", Shape::of(Act::Data)),
        ("floating_point_literal", Shape::of(Act::Data)),
        ("boolean_literal", Shape::of(Act::Data)),
        ("character_literal", Shape::of(Act::Data)),
        ("null_literal", Shape::of(Act::Data)),
        ("unit", Shape::of(Act::Data)),
    ],
    prepare,
    is_static: |_, _| false,
    is_own: |_, _| false,
    gives_last: true,
    lambda_gives_last: true,
    constructs_base: true,
    overloads: true,
    base_arguments: |_, class| {
        let clause = class.child_by_field_name("extend")?;
        clause.child_by_field_name("arguments")
    },
    collections: &[
        ("List", "List", 0),
        ("Seq", "List", 0),
        ("Vector", "List", 0),
        ("Set", "List", 0),
        ("Array", "List", 0),
        ("Iterable", "List", 0),
        ("Iterator", "List", 0),
        ("Option", "List", 0),
        ("Some", "List", 0),
        ("Future", "List", 0),
        ("Try", "List", 0),
        ("ListBuffer", "List", 0),
        ("ArrayBuffer", "List", 0),
        ("Either", "List", 1),
        ("Map", "Map", 1),
    ],
    ignored: &[
        "Int", "Long", "Double", "Float", "Boolean", "String", "Unit", "Any", "AnyRef", "Char", "Nothing",
    ],
    ..Plain::BASE
};

fn prepare<'t>(lower: &mut Lower<'t, '_, '_>, root: Node<'t>) {
    for node in children_of_kind(root, &["import_declaration"]) {
        let parts: Vec<Node<'t>> = node
            .children_by_field_name("path")
            .filter(|part| part.is_named())
            .collect();
        let path: Vec<&str> = parts.iter().map(|part| lower.text(*part)).collect();
        let path = path.join(".");
        if child_of_kind(node, &["namespace_wildcard"]).is_some() {
            lower.member_imports_or_space(&path);
            continue;
        }
        if let Some(selectors) = child_of_kind(node, &["namespace_selectors"]) {
            for selector in children(selectors) {
                let name = selector.child_by_field_name("name").unwrap_or(selector);
                let alias = selector.child_by_field_name("alias").unwrap_or(name);
                match selector.kind() {
                    "namespace_wildcard" => lower.member_imports_or_space(&path),
                    _ => {
                        let (name, alias) = (lower.text(name), lower.text(alias));
                        lower.imports.insert(alias, (path.clone(), name.to_owned()));
                    }
                }
            }
            continue;
        }
        if let (Some((space, name)), Some(last)) = (path.rsplit_once('.'), parts.last()) {
            let local = lower.text(*last);
            lower.imports.insert(local, (space.to_owned(), name.to_owned()));
        }
    }
}

fn identifier<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    match lower.text(node) {
        "this" => lower.this(),
        "super" => lower.above(),
        name => lower.read_name(name, line(node)),
    }
}

/// The bases of a class: the last that is mixed in is asked first.
fn bases_of<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Vec<Slot> {
    let mut bases = Vec::new();
    if let Some(clause) = node.child_by_field_name("extend") {
        for base in children(clause) {
            if base.kind() == "arguments" {
                continue;
            }
            match base.kind() {
                "compound_type" => {
                    for part in children(base) {
                        bases.extend(lower.type_value(part));
                    }
                }
                _ => bases.extend(lower.type_value(base)),
            }
        }
    }
    bases.reverse();
    bases
}

fn declared_class<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let name = lower.text(name);
    let bases = bases_of(lower, node);
    lower.class_of(form, node, name, &bases)
}

fn object<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let name = lower.text(name);
    let bases = bases_of(lower, node);
    let slot = lower.class_of(form, node, "", &bases);
    let instance = lower.builder.instance(slot);
    for member in [FIELDS, CONSTRUCTOR] {
        let made = lower.builder.load_implicit(instance, member, line(node));
        lower.builder.call(made, &[], line(node), FlowFlags::IMPLICIT);
    }
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    if lower.is_top() {
        lower.export(name, instance, definition, 0);
    } else {
        lower.bind_class(name, instance, definition, node);
    }
    NONE
}

fn enum_case<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(name) = node.child_by_field_name("name") {
        let class = lower.builder.receiver();
        let made = lower.builder.instance(class);
        lower.builder.store(class, lower.builder.text(name), made, line(node));
    }
    NONE
}

/// The lists of parameters of a function are one.
fn parameters<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) {
    let lists: Vec<Node<'t>> = node.children_by_field_name("parameters").collect();
    for list in lists {
        for parameter in children(list) {
            if lower.text(parameter).trim_end().ends_with('*') {
                let name = parameter
                    .child_by_field_name("name")
                    .map_or("", |name| lower.text(name));
                let slot = lower.builder.parameter(name, ParameterKind::REST);
                if let Some(kind) = parameter
                    .child_by_field_name("type")
                    .and_then(|kind| kind.child_by_field_name("type"))
                {
                    let element = lower.builder.slot();
                    lower.declare_type(element, kind);
                    lower.builder.hint_elements(slot, element);
                }
                lower.builder.declare(name);
                lower.builder.write(name, slot);
                continue;
            }
            lower.parameter(parameter, list);
        }
    }
}

fn function<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(name) = node.child_by_field_name("name") else {
        return NONE;
    };
    let text = lower.text(name);
    let parts = FunctionParts {
        list: None,
        body: node.child_by_field_name("body"),
        kind: node.child_by_field_name("return_type"),
    };
    let has_list = node.child_by_field_name("parameters").is_some();
    if lower.is_in_class() {
        let is_constructor = text == "this";
        let getter = if has_list || is_constructor {
            0
        } else {
            BodyFlags::GETTER
        };
        let value = lower.function_of(node, parts, BodyFlags::MEMBER | getter, |lower| {
            parameters(lower, node);
            if is_constructor {
                let this = lower.this();
                let constructor = lower.builder.load(this, CONSTRUCTOR, line(node));
                lower.builder.declare("this()");
                lower.builder.write("this()", constructor);
            }
        });
        let class = lower.builder.receiver();
        let stored = if is_constructor { CONSTRUCTOR } else { text };
        lower.builder.store_member(class, stored, value, line(node));
        return NONE;
    }
    if !lower.is_top() {
        lower.builder.declare(text);
        let value = lower.function_of(node, parts, BodyFlags::ARROW, |lower| parameters(lower, node));
        lower.builder.write(text, value);
        return NONE;
    }
    let value = lower.function_of(node, parts, 0, |lower| parameters(lower, node));
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    lower.export(text, value, definition, 0);
    NONE
}

/// `extension (s: Shape) def …`
fn extension<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let first = node
        .child_by_field_name("parameters")
        .and_then(|list| children(list).first().copied());
    let Some(first) = first else { return NONE };
    let Some(class) = first
        .child_by_field_name("type")
        .and_then(|kind| lower.type_value(kind))
    else {
        return NONE;
    };
    let mut functions = Vec::new();
    let mut waiting = vec![node];
    while let Some(inner) = waiting.pop() {
        for child in children(inner) {
            match child.kind() {
                "function_definition" => functions.push(child),
                "template_body" | "indented_block" | "with_template_body" | "block" => waiting.push(child),
                _ => {}
            }
        }
    }
    for function in functions {
        let Some(name) = function.child_by_field_name("name") else {
            continue;
        };
        let name = lower.text(name);
        let parts = FunctionParts {
            list: None,
            body: function.child_by_field_name("body"),
            kind: function.child_by_field_name("return_type"),
        };
        let getter = match function.child_by_field_name("parameters") {
            Some(_) => 0,
            None => BodyFlags::GETTER,
        };
        let value = lower.function_of(function, parts, BodyFlags::RECEIVER_FIRST | getter, |lower| {
            lower.parameter(first, node);
            parameters(lower, function);
        });
        lower
            .builder
            .store_member(class, &format!("{name}:ext"), value, line(function));
    }
    NONE
}

/// `val` and `var`: fields, names of a package, variables.
fn value<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let pattern = node
        .child_by_field_name("pattern")
        .or_else(|| node.child_by_field_name("name"));
    let Some(pattern) = pattern else { return NONE };
    let kind = node.child_by_field_name("type");
    let value = node.child_by_field_name("value");
    if lower.is_in_class() {
        if pattern.named_child_count() == 0 {
            let name = lower.text(pattern);
            lower.instance_field(name, kind, value, line(node));
        } else {
            lower.when_made(node);
        }
        return NONE;
    }
    let slot = match value {
        Some(value) => lower.spelled(value),
        None => lower.builder.slot(),
    };
    let slot = lower.typed(slot, kind);
    if pattern.named_child_count() > 0 {
        lower.bind_pattern(pattern, slot);
        return NONE;
    }
    let name = lower.text(pattern);
    if let Some(kind) = kind {
        lower.note_variable_type(name, kind);
    }
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    lower.declare_value(name, slot, definition, 0);
    NONE
}

fn generic_function<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(function) = node.child_by_field_name("function") else {
        return NONE;
    };
    let kind = node
        .child_by_field_name("type_arguments")
        .and_then(|list| children(list).first().copied());
    let field = function
        .child_by_field_name("field")
        .map_or("", |field| lower.text(field));
    match (field, function.child_by_field_name("value"), kind) {
        ("asInstanceOf", Some(object), Some(kind)) => {
            let object = lower.value(object);
            lower.narrowed(object, kind)
        }
        ("isInstanceOf", Some(object), _) => {
            lower.run(object);
            NONE
        }
        _ => lower.value(function),
    }
}

/// Whether an expression stands for a function of what `_` is.
fn has_placeholder(node: Node<'_>) -> bool {
    match node.kind() {
        "wildcard" => true,
        "lambda_expression" | "case_block" | "block" | "arguments" | "method_value" => false,
        "call_expression" => {
            let function = node.child_by_field_name("function");
            function.is_some_and(has_placeholder)
                || node
                    .child_by_field_name("arguments")
                    .filter(|list| list.kind() == "arguments")
                    .is_some_and(|list| children(list).iter().any(|child| child.kind() == "wildcard"))
        }
        _ => children(node).into_iter().any(has_placeholder),
    }
}

fn placeholder<'t>(lower: &mut Lower<'t, '_, '_>, _: Node<'t>) -> Slot {
    let names = ["_1", "_2"];
    let at = lower.subjects.len().min(1);
    if lower.builder.is_variable(names[at]) {
        lower.builder.read(names[at])
    } else {
        NONE
    }
}

/// What is passed: a function where `_` stands in it.
fn argument<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Argument<'t> {
    if node.kind() == "assignment_expression"
        && let (Some(name), Some(value)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        && name.kind() == "identifier"
    {
        let slot = lower.spelled(value);
        return Argument::Named(lower.text(name), slot);
    }
    if node.kind() == "wildcard" || !has_placeholder(node) {
        return lower.plain_argument(node);
    }
    let (definition, is_own) = lower.definition_or_around(node);
    lower.begin_function(
        definition,
        BodyFlags::ARROW | if is_own { 0 } else { BodyFlags::HIDDEN },
    );
    for name in ["_1", "_2"] {
        let slot = lower.builder.parameter(name, ParameterKind::POSITIONAL);
        lower.builder.declare(name);
        lower.builder.write(name, slot);
    }
    let subjects = std::mem::take(&mut lower.subjects);
    // Each `_` is the next parameter; what stands first is the first.
    let value = lower.value(node);
    lower.subjects = subjects;
    lower.builder.give_back(value);
    Argument::Plain(lower.end_function())
}

fn passed<'t>(lower: &mut Lower<'t, '_, '_>, list: Option<Node<'t>>, found: &mut Vec<Argument<'t>>) {
    let Some(list) = list else { return };
    match list.kind() {
        "arguments" => {
            for child in children(list) {
                found.push(argument(lower, child));
            }
        }
        "block" | "indented_block" => {
            // A block with a function in it is that function; any other is run where it stands.
            let parts = children(list);
            match parts[..] {
                [only] if only.kind() == "lambda_expression" => found.push(Argument::Plain(lower.value(only))),
                _ => found.push(Argument::Plain(lower.value(list))),
            }
        }
        _ => found.push(Argument::Plain(lower.value(list))),
    }
}

fn call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let mut lists = Vec::new();
    let mut callee = node;
    // `f(a)(b)` passes both lists, if what is called has both.
    while callee.kind() == "call_expression" {
        lists.extend(callee.child_by_field_name("arguments"));
        match callee.child_by_field_name("function") {
            Some(function) => callee = function,
            None => return NONE,
        }
    }
    lists.reverse();
    let plain = match callee.kind() {
        "generic_function" => callee.child_by_field_name("function").unwrap_or(callee),
        _ => callee,
    };
    let at = plain.child_by_field_name("field").map_or_else(|| line(plain), line);
    let function = match plain.kind() {
        "identifier" if lower.text(plain) == "this" => {
            let this = lower.this();
            lower.builder.load(this, CONSTRUCTOR, at)
        }
        "identifier" if lower.text(plain).starts_with(char::is_uppercase) => {
            let text = lower.text(plain);
            let object = lower.read_name(text, at);
            let class = lower.find(text, at, true);
            lower.builder.load_or(object, "apply", class, at, 0)
        }
        _ => lower.value(callee),
    };
    let mut arguments = Vec::new();
    for list in lists {
        passed(lower, Some(list), &mut arguments);
    }
    lower.builder.call(function, &arguments, at, 0)
}

fn make<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    let Some(kind) = parts.first().copied() else {
        return NONE;
    };
    let mut arguments = Vec::new();
    passed(lower, node.child_by_field_name("arguments"), &mut arguments);
    let Some(body) = child_of_kind(node, &["template_body"]) else {
        return lower.made(kind, &arguments, line(kind));
    };
    let bases: Vec<Slot> = lower.type_value(kind).into_iter().collect();
    let (definition, _) = lower.definition_or_around(node);
    let (slot, row) = lower.builder.class(definition, &bases, line(node));
    lower.begin_class(definition, row, "", true, false);
    lower.note_members(body, 0);
    lower.members(body);
    lower.finish_class(node);
    let body = lower.end_class();
    lower.builder.set_class_body(row, body);
    lower
        .builder
        .call(slot, &arguments, line(kind), FlowFlags::NEW | FlowFlags::IMPLICIT)
}

/// `a op b` is `a.op(b)`.
fn infix<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = ["left", "operator", "right"].map(|part| node.child_by_field_name(part));
    let [Some(left), Some(operator), Some(right)] = parts else {
        return lower.pass(node);
    };
    let text = lower.text(operator);
    let object = lower.spelled(left);
    if text == "->" {
        let other = lower.spelled(right);
        let class = lower.find("Tuple", line(node), true);
        let arguments = [Argument::Plain(object), Argument::Plain(other)];
        return lower
            .builder
            .call(class, &arguments, line(node), FlowFlags::NEW | FlowFlags::IMPLICIT);
    }
    lower.subjects.push(object);
    let other = match right.kind() {
        "wildcard" => Argument::Plain(lower.value(right)),
        _ => argument(lower, right),
    };
    lower.subjects.pop();
    if operator.kind() == "operator_identifier" {
        return lower.builder.call_method(object, text, &[other], line(operator));
    }
    let function = lower.builder.load(object, text, line(operator));
    lower.builder.call(function, &[other], line(operator), 0)
}

/// `{ case … }` is a function of what it decides about.
fn case_function<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (definition, is_own) = lower.definition_or_around(node);
    lower.begin_function(
        definition,
        BodyFlags::ARROW | if is_own { 0 } else { BodyFlags::HIDDEN },
    );
    let value = lower.builder.parameter("", ParameterKind::POSITIONAL);
    clauses(lower, node, value);
    lower.end_function()
}

/// One of several cases applies; what each gives is given back.
fn clauses<'t>(lower: &mut Lower<'t, '_, '_>, block: Node<'t>, value: Slot) {
    let before = lower.builder.environment();
    let mut ways = Vec::new();
    for clause in children_of_kind(block, &["case_clause"]) {
        lower.builder.restore(&before);
        lower.builder.begin_block();
        if let Some(pattern) = clause.child_by_field_name("pattern") {
            bind_case(lower, pattern, value);
        }
        if let Some(guard) = child_of_kind(clause, &["guard"]) {
            lower.run(guard);
        }
        let mut last = NONE;
        for body in clause.children_by_field_name("body").collect::<Vec<_>>() {
            if body.is_named() {
                last = lower.run(body);
            }
        }
        if last != NONE {
            lower.builder.give_back(last);
        }
        lower.builder.end_block();
        ways.push(lower.builder.environment());
    }
    lower.builder.join(&ways);
}

fn bind_case<'t>(lower: &mut Lower<'t, '_, '_>, pattern: Node<'t>, value: Slot) {
    match pattern.kind() {
        "identifier" => {
            let text = lower.text(pattern);
            if text.starts_with(|letter: char| letter.is_lowercase()) {
                lower.builder.declare(text);
                lower.builder.write(text, value);
            }
        }
        "case_class_pattern" => {
            lower.subjects.push(value);
            case_class_pattern(lower, pattern);
            lower.subjects.pop();
        }
        _ => lower.match_pattern(pattern, value, None),
    }
}

/// `Point(x, y)`: what stands in it is what the instance was made of.
fn case_class_pattern<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let value = lower.subjects.last().copied().unwrap_or(NONE);
    if value == NONE {
        return NONE;
    }
    let narrowed = match node.child_by_field_name("type") {
        Some(kind) => lower.narrowed(value, kind),
        None => value,
    };
    let inner: Vec<Node<'t>> = node
        .children_by_field_name("pattern")
        .filter(|part| part.is_named())
        .collect();
    for part in inner {
        let element = lower.builder.iterate(narrowed, line(part));
        bind_case(lower, part, element);
    }
    NONE
}

fn comprehension<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let made = lower.builder.allocate("List", line(node));
    let enumerators = child_of_kind(node, &["enumerators"]);
    lower.repeat(node, |lower| {
        for enumerator in enumerators.map_or_else(Vec::new, children) {
            let parts = children(enumerator);
            let (Some(name), Some(source)) = (parts.first().copied(), parts.get(1).copied()) else {
                continue;
            };
            let source_slot = lower.value(source);
            let element = if lower.text(enumerator).contains("<-") {
                lower.builder.iterate(source_slot, line(enumerator))
            } else {
                source_slot
            };
            lower.bind_pattern(name, element);
            for guard in children_of_kind(enumerator, &["guard"]) {
                lower.run(guard);
            }
        }
        if let Some(body) = node.child_by_field_name("body") {
            let value = lower.value(body);
            lower.builder.store_key(made, None, value, line(body));
        }
    });
    made
}

fn attempt<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let before = lower.builder.environment();
    let result = lower.builder.slot();
    let caught = lower.builder.begin_catch();
    if let Some(body) = node.child_by_field_name("body") {
        let value = lower.run(body);
        lower.builder.copy(result, value);
    }
    lower.builder.end_catch();
    let after = lower.builder.environment();
    let mut ways = vec![after.clone()];
    let clause = child_of_kind(node, &["catch_clause"]);
    if let Some(block) = clause.and_then(|clause| child_of_kind(clause, &["case_block"])) {
        lower.builder.join(&[before.clone(), after]);
        if lower.builder.is_dead() {
            lower.builder.restore(&before);
        }
        clauses(lower, block, caught);
        ways.push(lower.builder.environment());
    }
    lower.builder.join(&ways);
    if let Some(last) = child_of_kind(node, &["finally_clause"]) {
        lower.run(last);
    }
    result
}
