//! PHP's value flow: the table of its nodes, and what a table cannot say.
//!
//! Properties and methods are names of different kinds: a property is kept under its name with `$` before it.

use std::sync::OnceLock;

use lore_model::{ArgumentKind, BodyFlags, FlowFlags, NONE, ParameterKind};

use crate::extract::{child_of_kind, children_of_kind, has_child};
use crate::flow::plain::{
    Act, CONSTRUCTOR, Grammar, Lower, PLAIN_RULES, Part, Plain, Shape, children, line, lower as lower_plain,
};
use crate::flow::{FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use Part::{At, Field, Last};

/// How the values of PHP flow.
pub(super) static RULES: FlowRules = FlowRules {
    lower,
    call: "__invoke",
    missing: Some("__call"),
    iterate: ("getIterator", "current"),
    element: ("offsetGet", "offsetSet"),
    rest: ("__Array", "__Array"),
    function: Some("Closure"),
    prelude: &[("", include_str!("prelude/globals.php"))],
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

const fn access() -> Shape {
    Shape::of(Act::Member).object(Field("object")).name(Field("name"))
}

pub(super) static PLAIN: Plain = Plain {
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    compiled: &COMPILED,
    shapes: &[
        ("comment", Shape::of(Act::Skip)),
        ("php_tag", Shape::of(Act::Skip)),
        ("text", Shape::of(Act::Skip)),
        ("text_interpolation", Shape::of(Act::Skip)),
        ("attribute_list", Shape::of(Act::Skip)),
        ("primitive_type", Shape::of(Act::Skip)),
        ("cast_type", Shape::of(Act::Skip)),
        ("namespace_use_declaration", Shape::of(Act::Skip)),
        ("visibility_modifier", Shape::of(Act::Skip)),
        ("global_declaration", Shape::of(Act::Skip)),
        ("goto_statement", Shape::of(Act::Skip)),
        ("named_label_statement", Shape::of(Act::Label)),
        ("unset_statement", Shape::of(Act::Skip)),
        ("relative_scope", Shape::of(Act::Hook(relative_scope))),
        (
            "namespace_definition",
            Shape::of(Act::Namespace).name(Field("name")).body(Field("body")),
        ),
        ("class_declaration", class()),
        ("interface_declaration", class()),
        ("trait_declaration", class()),
        ("enum_declaration", class()),
        ("anonymous_class", class()),
        ("use_declaration", Shape::of(Act::Skip)),
        ("enum_case", Shape::of(Act::Hook(enum_case)).name(Field("name"))),
        ("const_declaration", Shape::of(Act::Hook(constants))),
        (
            "property_declaration",
            Shape::of(Act::Hook(properties)).kind(Field("type")),
        ),
        (
            "function_definition",
            Shape::of(Act::Function)
                .name(Field("name"))
                .list(Field("parameters"))
                .kind(Field("return_type"))
                .body(Field("body")),
        ),
        (
            "method_declaration",
            Shape::of(Act::Hook(method))
                .name(Field("name"))
                .list(Field("parameters"))
                .kind(Field("return_type"))
                .body(Field("body")),
        ),
        (
            "anonymous_function",
            Shape::of(Act::Lambda)
                .list(Field("parameters"))
                .kind(Field("return_type"))
                .body(Field("body")),
        ),
        (
            "arrow_function",
            Shape::of(Act::Lambda)
                .list(Field("parameters"))
                .kind(Field("return_type"))
                .body(Field("body")),
        ),
        (
            "simple_parameter",
            Shape::of(Act::Parameter)
                .name(Field("name"))
                .kind(Field("type"))
                .value(Field("default_value")),
        ),
        (
            "variadic_parameter",
            Shape::of(Act::RestParameter).name(Field("name")).kind(Field("type")),
        ),
        (
            "property_promotion_parameter",
            Shape::of(Act::Hook(promoted)).name(Field("name")).kind(Field("type")),
        ),
        ("named_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("optional_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("union_type", Shape::of(Act::AnyOf)),
        ("intersection_type", Shape::of(Act::AnyOf)),
        ("type_list", Shape::of(Act::AnyOf)),
        ("name", Shape::of(Act::Hook(name))),
        ("qualified_name", Shape::of(Act::Hook(qualified))),
        ("relative_name", Shape::of(Act::Hook(qualified))),
        ("variable_name", Shape::of(Act::Name)),
        ("compound_statement", Shape::of(Act::Block)),
        ("expression_statement", Shape::of(Act::Inner)),
        ("parenthesized_expression", Shape::of(Act::Inner)),
        ("clone_expression", Shape::of(Act::Inner)),
        ("by_ref", Shape::of(Act::Inner)),
        ("error_suppression_expression", Shape::of(Act::Inner)),
        ("member_access_expression", access()),
        ("nullsafe_member_access_expression", access()),
        (
            "scoped_property_access_expression",
            Shape::of(Act::Member).object(Field("scope")).name(Field("name")),
        ),
        ("class_constant_access_expression", Shape::of(Act::Hook(class_constant))),
        ("subscript_expression", Shape::of(Act::Index).object(At(0)).list(At(1))),
        (
            "function_call_expression",
            Shape::of(Act::Hook(call)).object(Field("function")),
        ),
        (
            "member_call_expression",
            Shape::of(Act::Hook(method_call)).name(Field("name")),
        ),
        (
            "nullsafe_member_call_expression",
            Shape::of(Act::Hook(method_call)).name(Field("name")),
        ),
        (
            "scoped_call_expression",
            Shape::of(Act::Hook(scoped_call)).name(Field("name")),
        ),
        ("object_creation_expression", Shape::of(Act::Hook(make))),
        ("argument", Shape::of(Act::Argument).name(Field("name")).value(Last)),
        ("variadic_unpacking", Shape::of(Act::Spread)),
        ("array_creation_expression", Shape::of(Act::Hook(array))),
        ("array_element_initializer", Shape::of(Act::Inner)),
        ("list_literal", Shape::of(Act::Tuple)),
        ("pair", Shape::of(Act::Pair).name(At(0)).value(At(1))),
        (
            "assignment_expression",
            Shape::of(Act::Assign).object(Field("left")).value(Field("right")),
        ),
        (
            "reference_assignment_expression",
            Shape::of(Act::Assign).object(Field("left")).value(Field("right")),
        ),
        (
            "augmented_assignment_expression",
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
        ("conditional_expression", Shape::of(Act::Hook(conditional))),
        (
            "if_statement",
            Shape::of(Act::Branch)
                .value(Field("condition"))
                .body(Field("body"))
                .other(Field("alternative")),
        ),
        ("else_clause", Shape::of(Act::Inner).value(Field("body"))),
        (
            "else_if_clause",
            Shape::of(Act::Branch).value(Field("condition")).body(Field("body")),
        ),
        ("while_statement", Shape::of(Act::Loop)),
        ("do_statement", Shape::of(Act::Loop)),
        ("for_statement", Shape::of(Act::Loop)),
        (
            "foreach_statement",
            Shape::of(Act::Each).name(At(1)).value(At(0)).body(Field("body")),
        ),
        (
            "switch_statement",
            Shape::of(Act::Switch).value(Field("condition")).body(Field("body")),
        ),
        ("case_statement", Shape::of(Act::Case).name(Field("value"))),
        ("default_statement", Shape::of(Act::Case)),
        (
            "match_expression",
            Shape::of(Act::Switch).value(Field("condition")).body(Field("body")),
        ),
        (
            "match_conditional_expression",
            Shape::of(Act::Case)
                .name(Field("conditional_expressions"))
                .body(Field("return_expression")),
        ),
        (
            "match_default_expression",
            Shape::of(Act::Case).body(Field("return_expression")),
        ),
        ("return_statement", Shape::of(Act::Return)),
        ("throw_expression", Shape::of(Act::Throw)),
        ("yield_expression", Shape::of(Act::Yield)),
        ("break_statement", Shape::of(Act::Break)),
        ("continue_statement", Shape::of(Act::Continue)),
        ("try_statement", Shape::of(Act::Try).body(Field("body"))),
        (
            "catch_clause",
            Shape::of(Act::Catch)
                .name(Field("name"))
                .kind(Field("type"))
                .body(Field("body")),
        ),
        ("finally_clause", Shape::of(Act::Finally)),
        ("function_static_declaration", Shape::of(Act::Pass)),
        (
            "static_variable_declaration",
            Shape::of(Act::Declarator).name(Field("name")).value(Field("value")),
        ),
        ("string", Shape::of(Act::Text)),
        ("encapsed_string", Shape::of(Act::Text)),
        ("heredoc", Shape::of(Act::Text)),
        ("nowdoc", Shape::of(Act::Skip)),
        ("string_content", Shape::of(Act::Skip)),
        ("escape_sequence", Shape::of(Act::Skip)),
        ("integer", Shape::of(Act::Data)),
        ("float", Shape::of(Act::Data)),
        ("boolean", Shape::of(Act::Data)),
        ("null", Shape::of(Act::Data)),
    ],
    prepare,
    is_static: |_, node| has_child(node, "static_modifier"),
    implicit_receiver: false,
    implicit_locals: true,
    field_prefix: "$",
    this_name: Some("$this"),
    list: "__Array",
    map: "__Array",
    separator: "\\",
    ..Plain::BASE
};

fn prepare<'t>(lower: &mut Lower<'t, '_, '_>, root: Node<'t>) {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        for child in children(node) {
            match child.kind() {
                "namespace_use_declaration" => import(lower, child),
                "namespace_definition" => waiting.extend(child.child_by_field_name("body")),
                _ => {}
            }
        }
    }
}

fn import<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) {
    let group = child_of_kind(node, &["namespace_use_group"]);
    let prefix = match group {
        Some(_) => {
            child_of_kind(node, &["namespace_name"]).map_or(String::new(), |name| lower.path_of(lower.text(name)))
        }
        None => String::new(),
    };
    for clause in children_of_kind(group.unwrap_or(node), &["namespace_use_clause"]) {
        let alias = clause.child_by_field_name("alias");
        let Some(target) = children(clause).into_iter().find(|child| Some(*child) != alias) else {
            continue;
        };
        let text = lower.text(target);
        let path = lower.path_of(text);
        let path = match prefix.as_str() {
            "" => path,
            prefix => format!("{prefix}.{path}"),
        };
        let (space, name) = path.rsplit_once('.').unwrap_or(("", &path));
        let local = match alias {
            Some(alias) => lower.text(alias),
            None => text.rsplit('\\').next().unwrap_or(text),
        };
        lower.imports.insert(local, (space.to_owned(), name.to_owned()));
    }
}

/// A name of a class, a function or a constant.
fn name<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    match lower.text(node) {
        "self" => lower.class_around().unwrap_or(NONE),
        "static" => lower.this(),
        "parent" => lower.above(),
        text => lower.find(text, line(node), false),
    }
}

fn relative_scope<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    name(lower, node)
}

/// `A\B`, `\A\B` and `namespace\B`.
fn qualified<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let text = lower.text(node);
    let path = lower.path_of(text);
    let (space, last) = path.rsplit_once('.').unwrap_or(("", &path));
    let space = if text.starts_with('\\') {
        space.to_owned()
    } else if let Some(rest) = path.strip_prefix("namespace.") {
        let around = rest.rsplit_once('.').map_or("", |(around, _)| around);
        [lower.space.as_str(), around].join(".").trim_matches('.').to_owned()
    } else {
        let first = text.split('\\').next().unwrap_or("");
        let rest = space.split_once('.').map_or("", |(_, rest)| rest);
        match lower.imports.get(first) {
            Some((outer, inner)) => [outer.as_str(), inner, rest].join(".").trim_matches('.').to_owned(),
            None => [lower.space.as_str(), space].join(".").trim_matches('.').to_owned(),
        }
    };
    let spaces = lower.builder.spaces(&[(ArgumentKind::SPACE, &space)]);
    lower.builder.find(last, spaces, line(node), FlowFlags::OUTSIDE)
}

/// A class of any sort; its traits come before its base.
fn declared_class<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let name = form.name(node).map_or("", |name| lower.text(name));
    let mut bases = Vec::new();
    if let Some(body) = form.body(node) {
        for used in children_of_kind(body, &["use_declaration"]) {
            for used in children(used).into_iter().filter(|child| child.kind() != "use_list") {
                bases.extend(lower.type_value(used));
            }
        }
    }
    for clause in children_of_kind(node, &["base_clause", "class_interface_clause"]) {
        for base in children(clause) {
            bases.extend(lower.type_value(base));
        }
    }
    lower.class_of(form, node, name, &bases)
}

fn enum_case<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(name) = node.child_by_field_name("name") {
        let class = lower.builder.receiver();
        let made = lower.builder.instance(class);
        lower.builder.store(class, lower.builder.text(name), made, line(node));
    }
    NONE
}

fn constants<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    for element in children_of_kind(node, &["const_element"]) {
        let [name, value] = children(element)[..] else { continue };
        let value = lower.spelled(value);
        let name = lower.text(name);
        if lower.is_in_class() {
            let class = lower.builder.receiver();
            lower.builder.store(class, name, value, line(element));
        } else {
            lower.export(name, value, NONE, 0)
        }
    }
    NONE
}

fn properties<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let kind = node.child_by_field_name("type");
    let is_static = has_child(node, "static_modifier");
    for element in children_of_kind(node, &["property_element"]) {
        let Some(name) = element.child_by_field_name("name") else {
            continue;
        };
        let value = element.child_by_field_name("default_value");
        let name = lower.text(name);
        if is_static {
            lower.static_field(name, kind, value, line(element))
        } else {
            lower.instance_field(name, kind, value, line(element))
        }
    }
    NONE
}

fn method<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let text = lower.text(name);
    let statics = if has_child(node, "static_modifier") {
        BodyFlags::CLASS_METHOD
    } else {
        0
    };
    let stored = if text == "__construct" { CONSTRUCTOR } else { text };
    lower.method_named(form, node, stored, BodyFlags::MEMBER | statics);
    NONE
}

/// `__construct(private Log $log)` keeps the argument.
fn promoted<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(name) = form.name(node) else { return NONE };
    let name = lower.text(name);
    let slot = lower
        .builder
        .parameter(name.trim_start_matches('$'), ParameterKind::PLAIN);
    if let Some(kind) = form.kind(node) {
        lower.declare_type(slot, kind);
    }
    if let Some(default) = node.child_by_field_name("default_value") {
        let default = lower.value(default);
        lower.builder.set_default(default);
    }
    lower.builder.declare(name);
    lower.builder.write(name, slot);
    let this = lower.this();
    lower.builder.store(this, name, slot, line(node));
    NONE
}

/// `A::K`, `A::class`
fn class_constant<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let [scope, name] = children(node)[..] else { return NONE };
    let class = lower.value(scope);
    match lower.text(name) {
        "class" => class,
        text => lower.builder.load(class, text, line(name)),
    }
}

/// Whether the parentheses mean a reference to the function itself.
fn is_placeholder(list: Option<Node<'_>>) -> bool {
    list.is_some_and(|list| child_of_kind(list, &["variadic_placeholder"]).is_some())
}

fn call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(function) = node.child_by_field_name("function") else {
        return NONE;
    };
    let list = node.child_by_field_name("arguments");
    let callee = lower.spelled(function);
    if is_placeholder(list) {
        return callee;
    }
    let arguments = list.map_or_else(Vec::new, |list| lower.arguments(list));
    lower.builder.call(callee, &arguments, line(function), 0)
}

/// A method of what is in a slot.
fn method_of<'t>(lower: &mut Lower<'t, '_, '_>, object: Slot, name: Node<'t>) -> Slot {
    match name.kind() {
        "name" => {
            let text = lower.text(name);
            let text = if text == "__construct" { CONSTRUCTOR } else { text };
            lower.builder.load(object, text, line(name))
        }
        _ => {
            let key = lower.value(name);
            lower.builder.load_key_of(object, key, line(name))
        }
    }
}

fn method_call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(object), Some(name)) = (node.child_by_field_name("object"), node.child_by_field_name("name")) else {
        return NONE;
    };
    let list = node.child_by_field_name("arguments");
    let object = lower.value(object);
    let callee = method_of(lower, object, name);
    if is_placeholder(list) {
        return callee;
    }
    let arguments = list.map_or_else(Vec::new, |list| lower.arguments(list));
    lower.builder.call(callee, &arguments, line(name), 0)
}

fn scoped_call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(scope), Some(name)) = (node.child_by_field_name("scope"), node.child_by_field_name("name")) else {
        return NONE;
    };
    let list = node.child_by_field_name("arguments");
    let object = lower.value(scope);
    let callee = method_of(lower, object, name);
    if is_placeholder(list) {
        return callee;
    }
    let arguments = list.map_or_else(Vec::new, |list| lower.arguments(list));
    if lower.builder.is_variable("this") {
        // A method of a base by its name is called on the same object.
        let this = lower.this();
        return lower.builder.call_on(callee, this, &arguments, line(name), 0);
    }
    lower.builder.call(callee, &arguments, line(name), 0)
}

fn make<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(first) = children(node).first().copied() else {
        return NONE;
    };
    let list = child_of_kind(node, &["arguments"]).or_else(|| child_of_kind(first, &["arguments"]));
    let arguments = list.map_or_else(Vec::new, |list| lower.arguments(list));
    let class = match first.kind() {
        "name" | "qualified_name" => match lower.text(first) {
            "self" => lower.class_around().unwrap_or(NONE),
            "static" => lower.this(),
            "parent" => lower.above(),
            _ => lower.type_value(first).unwrap_or(NONE),
        },
        _ => lower.value(first),
    };
    if class == NONE {
        return NONE;
    }
    match lower.text(first) {
        // A new instance of the class of the receiver.
        "static" => {
            let made = lower.builder.call(class, &arguments, line(first), FlowFlags::NEW);
            let instance = lower.builder.instance(class);
            let joined = lower.builder.slot();
            lower.builder.copy(joined, made);
            lower.builder.copy(joined, instance);
            joined
        }
        _ => lower.builder.call(class, &arguments, line(first), FlowFlags::NEW),
    }
}

fn array<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let made = lower.builder.allocate("__Array", line(node));
    let mut place = Some(0);
    for element in children(node) {
        let parts = children(element);
        match parts[..] {
            [key, value] => {
                let value = lower.spelled(value);
                lower.store_element(made, Some(key), value, line(element));
            }
            [only] if only.kind() == "variadic_unpacking" || element.kind() == "variadic_unpacking" => {
                let inner = lower.value(only);
                let inner = lower.builder.iterate(inner, line(element));
                lower.builder.store_key(made, None, inner, line(element));
                place = None;
            }
            [only] => {
                let value = lower.spelled(only);
                let key = place.map(|at: usize| at.to_string());
                lower.builder.store_key(made, key.as_deref(), value, line(element));
                place = place.map(|at| at + 1);
            }
            _ => {}
        }
    }
    made
}

/// `a ? b : c` and `a ?: c`.
fn conditional<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let result = lower.builder.slot();
    let condition = node.child_by_field_name("condition");
    let value = lower.value_of(condition);
    let before = lower.builder.environment();
    let mut ways = Vec::new();
    for (part, holds) in [("body", true), ("alternative", false)] {
        lower.builder.restore(&before);
        if let Some(condition) = condition {
            lower.narrow(condition, holds);
        }
        let given = match node.child_by_field_name(part) {
            Some(part) => lower.spelled(part),
            None => value,
        };
        lower.builder.copy(result, given);
        ways.push(lower.builder.environment());
    }
    lower.builder.join(&ways);
    result
}
