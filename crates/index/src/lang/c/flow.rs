//! The value flow of C and C++: the table of their nodes, declarators, members that are defined outside of their class.

use std::sync::OnceLock;

use lore_model::{ArgumentKind, BodyFlags, ExportFlags, FlowFlags, NONE};

use crate::extract::{child_of_kind, has_child};
use crate::flow::plain::{
    Act, CONSTRUCTOR, FunctionParts, Grammar, Lower, MadeClass, PLAIN_RULES, Part, Plain, Shape, children, converts,
    line, lower as lower_plain,
};
use crate::flow::{Argument, FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use Part::{Deep, Field, Kind};

/// How many bodies make a class that a type defines. A field makes the class of its type again where its instances begin, so
/// that types which nest would be made twice at every level, and their number would double with each.
const MAX_MADE: u32 = 8;

/// How the values of C flow.
pub(in crate::lang) static RULES: FlowRules = FlowRules {
    family: "c",
    lower: lower_c,
    prelude: &[("", include_str!("prelude/lib.c"))],
    ..SHARED
};

/// How the values of C++ flow.
pub(in crate::lang) static CPP_RULES: FlowRules = FlowRules {
    family: "c",
    lower: lower_cpp,
    overloads: Some(converts),
    rest: ("vector", "map"),
    map: "map",
    prelude: &[("", include_str!("../cpp/prelude/std.cpp"))],
    ..SHARED
};

const SHARED: FlowRules = FlowRules {
    fields_hide: true,
    family: "c",
    constructors: &["<fields>", ":new"],
    call: "operator()",
    iterate: ("begin", "operator*"),
    element: ("operator[]", "operator[]"),
    ..PLAIN_RULES
};

fn lower_c<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &C);
}

fn lower_cpp<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &CPP);
}

static C_COMPILED: OnceLock<Grammar> = OnceLock::new();
static CPP_COMPILED: OnceLock<Grammar> = OnceLock::new();

pub(in crate::lang) static C: Plain = Plain {
    grammar: || tree_sitter_c::LANGUAGE.into(),
    compiled: &C_COMPILED,
    implicit_receiver: false,
    collections: &[],
    ..SHARED_PLAIN
};

pub(in crate::lang) static CPP: Plain = Plain {
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    compiled: &CPP_COMPILED,
    overloads: true,
    list: "vector",
    map: "map",
    ..SHARED_PLAIN
};

const SHARED_PLAIN: Plain = Plain {
    shapes: SHAPES,
    prepare,
    is_static: |lower, node| lower.has_word(node, &["static"]),
    is_own: |lower, node| lower.own_depth > 0 || lower.has_word(node, &["static"]),
    constructs_base: true,
    separator: "::",
    collections: &[
        ("vector", "vector", 0),
        ("list", "vector", 0),
        ("deque", "vector", 0),
        ("forward_list", "vector", 0),
        ("set", "vector", 0),
        ("unordered_set", "vector", 0),
        ("multiset", "vector", 0),
        ("array", "vector", 0),
        ("span", "vector", 0),
        ("queue", "vector", 0),
        ("priority_queue", "vector", 0),
        ("stack", "vector", 0),
        ("initializer_list", "vector", 0),
        ("map", "map", 1),
        ("unordered_map", "map", 1),
        ("multimap", "map", 1),
        ("unique_ptr", "__Pointer", 0),
        ("shared_ptr", "__Pointer", 0),
        ("weak_ptr", "__Pointer", 0),
        ("optional", "__Pointer", 0),
        ("atomic", "__Pointer", 0),
        ("future", "__Future", 0),
    ],
    transparent: &["reference_wrapper"],
    ignored: &["function", "size_t", "FILE", "va_list"],
    ..Plain::BASE
};

const fn class() -> Shape {
    Shape::of(Act::Hook(specifier))
        .name(Field("name"))
        .list(Kind(&["base_class_clause"]))
        .body(Field("body"))
}

const SHAPES: &[(&str, Shape)] = &[
    ("comment", Shape::of(Act::Skip)),
    ("preproc_include", Shape::of(Act::Skip)),
    ("preproc_def", Shape::of(Act::Skip)),
    ("preproc_function_def", Shape::of(Act::Skip)),
    ("preproc_call", Shape::of(Act::Skip)),
    ("preproc_ifdef", Shape::of(Act::Hook(conditional))),
    ("preproc_if", Shape::of(Act::Hook(conditional))),
    ("preproc_else", Shape::of(Act::Hook(conditional))),
    ("preproc_elif", Shape::of(Act::Hook(conditional))),
    ("primitive_type", Shape::of(Act::Skip)),
    ("sized_type_specifier", Shape::of(Act::Skip)),
    ("placeholder_type_specifier", Shape::of(Act::Skip)),
    ("auto", Shape::of(Act::Skip)),
    ("decltype", Shape::of(Act::Skip)),
    ("enum_specifier", Shape::of(Act::Skip)),
    ("type_qualifier", Shape::of(Act::Skip)),
    ("storage_class_specifier", Shape::of(Act::Skip)),
    ("access_specifier", Shape::of(Act::Skip)),
    ("attribute_declaration", Shape::of(Act::Skip)),
    ("attribute_specifier", Shape::of(Act::Skip)),
    ("template_parameter_list", Shape::of(Act::Skip)),
    ("requires_clause", Shape::of(Act::Skip)),
    ("sizeof_expression", Shape::of(Act::Skip)),
    ("static_assert_declaration", Shape::of(Act::Skip)),
    ("template_instantiation", Shape::of(Act::Skip)),
    ("goto_statement", Shape::of(Act::Skip)),
    ("statement_identifier", Shape::of(Act::Skip)),
    (
        "namespace_definition",
        Shape::of(Act::Hook(namespace)).name(Field("name")).body(Field("body")),
    ),
    ("namespace_alias_definition", Shape::of(Act::Hook(namespace_alias))),
    ("using_declaration", Shape::of(Act::Hook(using))),
    (
        "alias_declaration",
        Shape::of(Act::Alias).name(Field("name")).kind(Field("type")),
    ),
    ("type_definition", Shape::of(Act::Hook(type_definition))),
    ("class_specifier", class()),
    ("struct_specifier", class()),
    ("union_specifier", class()),
    (
        "function_definition",
        Shape::of(Act::Hook(function_definition))
            .name(Deep("declarator"))
            .kind(Field("type"))
            .body(Field("body")),
    ),
    ("template_declaration", Shape::of(Act::Hook(template))),
    ("friend_declaration", Shape::of(Act::Hook(friend))),
    (
        "declaration",
        Shape::of(Act::Hook(declaration))
            .name(Deep("declarator"))
            .kind(Field("type")),
    ),
    (
        "field_declaration",
        Shape::of(Act::Hook(field_declaration))
            .name(Deep("declarator"))
            .kind(Field("type")),
    ),
    (
        "parameter_declaration",
        Shape::of(Act::Parameter).name(Deep("declarator")).kind(Field("type")),
    ),
    (
        "optional_parameter_declaration",
        Shape::of(Act::Parameter)
            .name(Deep("declarator"))
            .kind(Field("type"))
            .value(Field("default_value")),
    ),
    (
        "variadic_parameter_declaration",
        Shape::of(Act::RestParameter).name(Deep("declarator")),
    ),
    ("abstract_pointer_declarator", Shape::of(Act::Skip)),
    ("abstract_reference_declarator", Shape::of(Act::Skip)),
    ("abstract_array_declarator", Shape::of(Act::Skip)),
    ("abstract_function_declarator", Shape::of(Act::Skip)),
    ("type_descriptor", Shape::of(Act::Wrapped).kind(Field("type"))),
    ("dependent_type", Shape::of(Act::Inner)),
    ("type_identifier", Shape::of(Act::Name)),
    ("namespace_identifier", Shape::of(Act::Name)),
    ("identifier", Shape::of(Act::Name)),
    ("field_identifier", Shape::of(Act::Name)),
    (
        "template_type",
        Shape::of(Act::Generic).kind(Field("name")).list(Field("arguments")),
    ),
    (
        "template_function",
        Shape::of(Act::Generic).kind(Field("name")).list(Field("arguments")),
    ),
    (
        "template_method",
        Shape::of(Act::Generic).kind(Field("name")).list(Field("arguments")),
    ),
    ("qualified_identifier", Shape::of(Act::Hook(qualified))),
    ("compound_statement", Shape::of(Act::Block)),
    ("expression_statement", Shape::of(Act::Inner)),
    ("parenthesized_expression", Shape::of(Act::Inner)),
    ("condition_clause", Shape::of(Act::Pass)),
    ("init_statement", Shape::of(Act::Pass)),
    ("this", Shape::of(Act::This)),
    (
        "field_expression",
        Shape::of(Act::Hook(field_expression))
            .object(Field("argument"))
            .name(Field("field")),
    ),
    (
        "subscript_expression",
        Shape::of(Act::Hook(subscript)).object(Field("argument")).list(INDEX),
    ),
    (
        "call_expression",
        Shape::of(Act::Hook(call))
            .object(Field("function"))
            .list(Field("arguments")),
    ),
    (
        "new_expression",
        Shape::of(Act::New).kind(Field("type")).list(Field("arguments")),
    ),
    ("compound_literal_expression", Shape::of(Act::Hook(compound_literal))),
    ("initializer_list", Shape::of(Act::List)),
    (
        "initializer_pair",
        Shape::of(Act::Pair).name(Field("designator")).value(Field("value")),
    ),
    ("field_initializer_list", Shape::of(Act::Hook(field_initializers))),
    (
        "assignment_expression",
        Shape::of(Act::Hook(assignment))
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
    (
        "pointer_expression",
        Shape::of(Act::Hook(pointer)).object(Field("argument")),
    ),
    ("unary_expression", Shape::of(Act::Hook(unary))),
    ("update_expression", Shape::of(Act::Hook(unary))),
    (
        "cast_expression",
        Shape::of(Act::Cast).value(Field("value")).kind(Field("type")),
    ),
    (
        "conditional_expression",
        Shape::of(Act::Branch)
            .value(Field("condition"))
            .body(Field("consequence"))
            .other(Field("alternative")),
    ),
    (
        "if_statement",
        Shape::of(Act::Branch)
            .value(Field("condition"))
            .body(Field("consequence"))
            .other(Field("alternative")),
    ),
    ("else_clause", Shape::of(Act::Inner)),
    ("while_statement", Shape::of(Act::Loop)),
    ("do_statement", Shape::of(Act::Loop)),
    ("for_statement", Shape::of(Act::Loop)),
    (
        "for_range_loop",
        Shape::of(Act::Each)
            .name(Deep("declarator"))
            .kind(Field("type"))
            .value(Field("right"))
            .body(Field("body")),
    ),
    (
        "structured_binding_declarator",
        Shape::of(Act::Hook(structured_binding)),
    ),
    (
        "switch_statement",
        Shape::of(Act::Switch).value(Field("condition")).body(Field("body")),
    ),
    ("case_statement", Shape::of(Act::Case).name(Field("value"))),
    ("return_statement", Shape::of(Act::Hook(give_back))),
    ("throw_statement", Shape::of(Act::Throw)),
    ("break_statement", Shape::of(Act::Break)),
    ("continue_statement", Shape::of(Act::Continue)),
    ("try_statement", Shape::of(Act::Try).body(Field("body"))),
    (
        "catch_clause",
        Shape::of(Act::Catch).name(CAUGHT).kind(CAUGHT).body(Field("body")),
    ),
    ("lambda_expression", Shape::of(Act::Hook(lambda)).body(Field("body"))),
    (
        "parameter_pack_expansion",
        Shape::of(Act::Spread).value(Field("pattern")),
    ),
    ("labeled_statement", Shape::of(Act::Label)),
    ("string_literal", Shape::of(Act::Text)),
    ("raw_string_literal", Shape::of(Act::Text)),
    ("concatenated_string", Shape::of(Act::Data)),
    ("string_content", Shape::of(Act::Skip)),
    ("char_literal", Shape::of(Act::Data)),
    ("number_literal", Shape::of(Act::Data)),
    ("true", Shape::of(Act::Data)),
    ("false", Shape::of(Act::Data)),
    ("null", Shape::of(Act::Data)),
];

const INDEX: Part = Part::Or(&Field("indices"), &Field("index"));
const CAUGHT: Part = Field("parameters");

/// The namespaces that a file opens, which names before `::` may be.
fn prepare<'t>(lower: &mut Lower<'t, '_, '_>, root: Node<'t>) {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        for child in children(node) {
            match child.kind() {
                "namespace_definition" => {
                    if let Some(name) = child.child_by_field_name("name") {
                        let path = lower.path_of(lower.text(name));
                        lower.opened_spaces.extend(path.split('.').map(str::to_owned));
                    }
                    waiting.extend(child.child_by_field_name("body"));
                }
                "linkage_specification" => waiting.extend(child.child_by_field_name("body")),
                kind if kind.starts_with("preproc_if") => waiting.push(child),
                _ => {}
            }
        }
    }
}

fn namespace<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(body) = node.child_by_field_name("body") else {
        return NONE;
    };
    let name = node.child_by_field_name("name");
    let around = lower.space.clone();
    match name {
        // A member without a name is private.
        None => {
            lower.own_depth += 1;
            lower.top(body);
            lower.own_depth -= 1;
        }
        Some(_) if has_child(node, "inline") => lower.top(body),
        Some(name) => {
            let path = lower.path_of(lower.text(name));
            lower.enter_space(&path);
            lower.top(body);
            lower.space = around;
            lower.forget_names();
            lower.open_space();
        }
    }
    NONE
}

/// `namespace n = acme::net;`
fn namespace_alias<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    if let (Some(name), Some(target)) = (parts.first(), parts.last()) {
        let path = lower.path_of(lower.text(*target));
        let (space, last) = path.rsplit_once('.').unwrap_or(("", &path));
        let name = lower.text(*name);
        lower.imports.insert(name, (space.to_owned(), last.to_owned()));
    }
    NONE
}

/// `using namespace a;` and `using a::b;`
fn using<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if lower.is_in_class() {
        return NONE;
    }
    let Some(target) = children(node).last().copied() else {
        return NONE;
    };
    let path = lower.path_of(lower.text(target));
    if has_child(node, "namespace") {
        let inside = match lower.space.as_str() {
            "" => None,
            space => Some(format!("{space}.{path}")),
        };
        let mut is_new = inside.is_some_and(|inside| lower.add_wildcard(&inside));
        is_new |= lower.add_wildcard(&path);
        if is_new {
            lower.whole_spaces.clear();
            lower.forget_names();
            lower.open_space();
        }
    } else if let Some((space, name)) = path.rsplit_once('.') {
        let text = lower.text(target);
        let local = text.rsplit("::").next().unwrap_or(text).trim();
        lower.imports.insert(local, (space.to_owned(), name.to_owned()));
    }
    NONE
}

/// A class, or the name of one behind `struct`.
fn specifier<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let here = lower.builder.body_number();
    let mut times = 1;
    if let Some(made) = lower.made.get(&node.id()) {
        if made.body == here {
            return made.slot;
        }
        times += made.times;
    }
    let form = lower.form(node);
    if form.body(node).is_none() || times > MAX_MADE {
        return match form.name(node) {
            Some(name) => lower.type_value(name).unwrap_or(NONE),
            None => NONE,
        };
    }
    let name = form.name(node).map_or("", |name| lower.member_text(name));
    let bases = lower.bases(form, node);
    let slot = lower.class_of(form, node, name, &bases);
    let made = MadeClass {
        body: here,
        slot,
        times,
    };
    lower.made.insert(node.id(), made);
    slot
}

/// `typedef struct { … } name;`
fn type_definition<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(kind) = node.child_by_field_name("type") else {
        return NONE;
    };
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator").collect();
    if declarators.iter().any(|declarator| is_function(*declarator)) {
        return NONE;
    }
    let Some(class) = lower.type_value(kind) else {
        return NONE;
    };
    for declarator in declarators {
        let name = lower.text(innermost(declarator));
        let definition = lower.builder.definition_named(line(declarator), name).unwrap_or(NONE);
        // `typedef struct a a;` says nothing.
        let named = kind.child_by_field_name("name").map_or("", |name| lower.text(name));
        if named != name {
            lower.declare_value(name, class, definition, ExportFlags::TYPE);
        }
    }
    NONE
}

fn template<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let bound = lower.bind_type_parameters(node);
    for child in children(node) {
        if child.kind() != "template_parameter_list" {
            lower.run(child);
        }
    }
    lower.type_parameters.truncate(bound);
    NONE
}

/// A friend with a body is a function beside the class.
fn friend<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(function) = child_of_kind(node, &["function_definition"]) else {
        return NONE;
    };
    let form = lower.form(function);
    let Some(name) = form.name(function) else { return NONE };
    let list = function_declarator(function).and_then(|declarator| declarator.child_by_field_name("parameters"));
    let parts = FunctionParts {
        list,
        body: form.body(function),
        kind: form.kind(function),
    };
    let name_text: String = lower.text(name).split_whitespace().collect();
    let value = lower.function_of(function, parts, BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST, |_| {});
    let class = lower.builder.receiver();
    lower.builder.store_member(class, &name_text, value, line(node));
    NONE
}

/// The name inside declarators.
fn innermost(declarator: Node<'_>) -> Node<'_> {
    let mut found = declarator;
    for _ in 0..16 {
        let inner = found.child_by_field_name("declarator").or_else(|| {
            let last = u32::try_from(found.named_child_count().checked_sub(1)?).ok()?;
            found
                .named_child(last)
                .filter(|_| found.kind().ends_with("_declarator"))
        });
        match inner {
            Some(inner) => found = inner,
            None => break,
        }
    }
    found
}

/// The declarator of a function that something declares: not that of a pointer to one.
fn function_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut found = node.child_by_field_name("declarator")?;
    for _ in 0..16 {
        if found.kind() == "function_declarator" {
            return Some(found);
        }
        if found.kind() == "operator_cast" {
            return found.child_by_field_name("declarator");
        }
        if found.kind() == "qualified_identifier" {
            found = found.child_by_field_name("name")?;
            continue;
        }
        found = found.child_by_field_name("declarator").or_else(|| match found.kind() {
            "reference_declarator" | "pointer_declarator" => found.named_child(0),
            _ => None,
        })?;
    }
    None
}

/// Whether a declarator declares a function, or a type of functions.
fn is_function(declarator: Node<'_>) -> bool {
    let mut found = declarator;
    for _ in 0..16 {
        if found.kind() == "function_declarator" {
            return true;
        }
        match found.child_by_field_name("declarator") {
            Some(inner) => found = inner,
            None => return false,
        }
    }
    false
}

/// Whether a declarator declares a function itself.
fn is_prototype(declarator: Node<'_>) -> bool {
    let mut found = declarator;
    for _ in 0..16 {
        if found.kind() == "function_declarator" {
            let inner = found.child_by_field_name("declarator");
            return inner.is_some_and(|inner| inner.kind() != "parenthesized_declarator");
        }
        let inner = found.child_by_field_name("declarator").or_else(|| match found.kind() {
            "reference_declarator" => found.named_child(0),
            _ => None,
        });
        match inner {
            Some(inner) if found.kind() != "init_declarator" => found = inner,
            _ => return found.kind() == "operator_cast",
        }
    }
    false
}

/// A function with a body: free, in its class, or out of it.
fn function_definition<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(declarator) = function_declarator(node) else {
        return NONE;
    };
    let Some(name) = form.name(node) else { return NONE };
    let body = form.body(node).or_else(|| child_of_kind(node, &["try_statement"]));
    let is_given = body.is_some() || has_child(node, "default_method_clause");
    if has_child(node, "delete_method_clause") {
        return NONE;
    }
    let parts = FunctionParts {
        list: declarator.child_by_field_name("parameters"),
        body,
        kind: form.kind(node),
    };
    if lower.is_in_class() {
        if is_given {
            method(lower, node, name, parts);
        }
        return NONE;
    }
    if name.kind() == "qualified_identifier" {
        outside(lower, node, name, parts);
        return NONE;
    }
    free(lower, node, name, parts)
}

/// A function of a namespace.
fn free<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, name: Node<'t>, parts: FunctionParts<'t>) -> Slot {
    let text: String = lower.text(name).split_whitespace().collect();
    let is_operator = text.starts_with("operator");
    if !lower.is_top() {
        return NONE;
    }
    let flags = if is_operator { BodyFlags::RECEIVER_FIRST } else { 0 };
    let value = lower.function_of(node, parts, flags, |_| {});
    let mut export = if parts.body.is_none() { ExportFlags::DECLARED } else { 0 };
    if lower.own_depth > 0 || lower.has_word(node, &["static"]) {
        export |= ExportFlags::OWN;
    }
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    lower.export(&text, value, definition, export);
    if is_operator
        && parts.body.is_some()
        && let Some(first) = parts.list.and_then(|list| children(list).first().copied())
        && let Some(kind) = first.child_by_field_name("type")
        && let Some(class) = lower.type_value(kind)
    {
        lower.builder.store_member(class, &text, value, line(node));
    }
    value
}

/// A method, a constructor or a destructor of the class whose body is open.
fn method<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, name: Node<'t>, parts: FunctionParts<'t>) {
    let text: String = lower.text(name).split_whitespace().collect();
    let class_name = lower.classes.last().map_or("", |class| class.name);
    let is_constructor = text == class_name;
    let mut flags = BodyFlags::MEMBER;
    if lower.has_word(node, &["static"]) {
        flags |= BodyFlags::CLASS_METHOD;
    }
    if is_constructor && let Some(class) = lower.classes.last_mut() {
        class.has_constructor = true;
    }
    let value = lower.function_of(node, parts, flags, |lower| {
        if !is_constructor {
            return;
        }
        let list = child_of_kind(node, &["field_initializer_list"]);
        let names_base = list.is_some_and(|list| initializes_base(lower, list));
        if let Some(list) = list {
            lower.run(list);
        }
        if !names_base && parts.body.is_some() {
            lower.construct_base(line(node));
        }
    });
    let class = lower.builder.receiver();
    let stored = if is_constructor { CONSTRUCTOR } else { &text };
    lower.builder.store_member(class, stored, value, line(node));
}

/// Whether an initialiser of a constructor is one of something else than a field.
fn initializes_base<'t>(lower: &Lower<'t, '_, '_>, list: Node<'t>) -> bool {
    let Some(class) = lower.classes.last() else {
        return false;
    };
    children(list).into_iter().any(|entry| {
        let name = children(entry).first().map_or("", |name| lower.text(*name));
        !class.names.contains(name)
    })
}

/// A member that is defined outside of its class, or a function of a namespace that is named before it.
fn outside<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, name: Node<'t>, parts: FunctionParts<'t>) {
    let mut scopes = Vec::new();
    let mut last = name;
    while last.kind() == "qualified_identifier" {
        scopes.extend(last.child_by_field_name("scope"));
        match last.child_by_field_name("name") {
            Some(inner) => last = inner,
            None => return,
        }
    }
    if last.kind() == "operator_cast" {
        last = name;
    }
    let is_namespace = scopes
        .iter()
        .all(|scope| lower.opened_spaces.contains(lower.text(*scope)));
    if is_namespace {
        let around = lower.space.clone();
        let path: Vec<&str> = scopes.iter().map(|scope| lower.text(*scope)).collect();
        let path = path.join(".");
        lower.enter_space(&path);
        free(lower, node, last, parts);
        lower.space = around;
        lower.forget_names();
        lower.open_space();
        return;
    }
    let Some(class) = scoped(lower, &scopes) else { return };
    let class_name = scopes.last().map_or("", |scope| lower.member_text(*scope));
    lower.extend(class, class_name, node, |lower| method(lower, node, last, parts));
}

/// The meaning of the names before `::`.
fn scoped<'t>(lower: &mut Lower<'t, '_, '_>, scopes: &[Node<'t>]) -> Option<Slot> {
    let (first, rest) = scopes.split_first()?;
    let mut value = lower.type_value(*first)?;
    for scope in rest {
        let name = lower.member_text(*scope);
        value = lower.builder.load(value, name, line(*scope));
    }
    Some(value)
}

/// `a::b::c`
fn qualified<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let mut scopes = Vec::new();
    let mut last = node;
    while last.kind() == "qualified_identifier" {
        scopes.extend(last.child_by_field_name("scope"));
        match last.child_by_field_name("name") {
            Some(inner) => last = inner,
            None => return NONE,
        }
    }
    let name = lower.member_text(last);
    match scoped(lower, &scopes) {
        Some(value) => lower.builder.load(value, name, line(last)),
        // `::name` is one of no namespace.
        None if scopes.is_empty() => {
            let spaces = lower
                .builder
                .spaces(&[(ArgumentKind::OWN, ""), (ArgumentKind::SPACE, "")]);
            lower.builder.find(name, spaces, line(last), FlowFlags::OUTSIDE)
        }
        None => NONE,
    }
}

/// Variables and prototypes.
fn declaration<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let kind = node.child_by_field_name("type");
    // A class that is defined where its type is used is created first.
    if let Some(kind) = kind.filter(|kind| kind.child_by_field_name("body").is_some()) {
        lower.run(kind);
    }
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator").collect();
    // `if (T* x = …)` has its value beside the declarator.
    let beside = node
        .child_by_field_name("value")
        .or_else(|| node.child_by_field_name("default_value"));
    for declarator in declarators {
        if is_prototype(declarator) {
            match kind.filter(|_| !lower.is_top() && !lower.is_in_class()) {
                Some(kind) => constructed(lower, declarator, kind),
                None => prototype(lower, node, declarator, kind),
            }
        } else {
            variable(lower, node, declarator, kind, beside);
        }
    }
    NONE
}

/// `T x(y);` in a function is a variable, if `y` is one, though it looks like a prototype.
fn constructed<'t>(lower: &mut Lower<'t, '_, '_>, declarator: Node<'t>, kind: Node<'t>) {
    let Some(list) = declarator.child_by_field_name("parameters") else {
        return;
    };
    let mut arguments = Vec::new();
    for parameter in children(list) {
        let name = parameter
            .child_by_field_name("type")
            .filter(|_| parameter.named_child_count() == 1);
        let Some(name) = name
            .map(|name| lower.text(name))
            .filter(|name| lower.builder.is_variable(name))
        else {
            return;
        };
        arguments.push(Argument::Plain(lower.builder.read(name)));
    }
    if arguments.is_empty() {
        return;
    }
    let value = construct(lower, kind, &arguments, line(declarator));
    let name = lower.text(innermost(declarator));
    lower.declare_value(name, value, NONE, 0);
}

fn prototype<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, declarator: Node<'t>, kind: Option<Node<'t>>) {
    let name = innermost(declarator);
    let list = function_declarator(node).and_then(|function| function.child_by_field_name("parameters"));
    let parts = FunctionParts { list, body: None, kind };
    if lower.is_in_class() {
        method(lower, node, name, parts);
    } else if name.kind() != "qualified_identifier" {
        free(lower, node, name, parts);
    }
}

/// Whether a declarator is one of a pointer or a reference.
fn is_indirect(declarator: Node<'_>) -> bool {
    let mut found = declarator;
    for _ in 0..16 {
        if matches!(
            found.kind(),
            "pointer_declarator" | "reference_declarator" | "function_declarator"
        ) {
            return true;
        }
        match found.child_by_field_name("declarator") {
            Some(inner) => found = inner,
            None => return false,
        }
    }
    false
}

fn is_array(declarator: Node<'_>) -> bool {
    let mut found = declarator;
    for _ in 0..16 {
        if found.kind() == "array_declarator" {
            return true;
        }
        match found.child_by_field_name("declarator") {
            Some(inner) => found = inner,
            None => return false,
        }
    }
    false
}

/// What a variable begins with.
fn initial<'t>(
    lower: &mut Lower<'t, '_, '_>,
    declarator: Node<'t>,
    kind: Option<Node<'t>>,
    value: Option<Node<'t>>,
) -> Slot {
    let is_class = kind.is_some_and(|kind| !matches!(lower.form(kind).act, Act::Skip | Act::Data));
    let of_class = kind.filter(|_| is_class && !is_indirect(declarator));
    match (value, kind) {
        (Some(value), _) if value.kind() == "argument_list" => {
            let arguments = lower.arguments(value);
            match of_class {
                Some(kind) => construct(lower, kind, &arguments, line(declarator)),
                None => match arguments.first() {
                    Some(Argument::Plain(slot) | Argument::Typed(slot, _)) => *slot,
                    _ => lower.builder.slot(),
                },
            }
        }
        (Some(value), Some(kind)) if value.kind() == "initializer_list" && is_class => {
            braces(lower, value, kind, is_array(declarator))
        }
        (Some(value), _) => lower.spelled(value),
        (None, Some(kind)) if is_array(declarator) => {
            let list = lower.plain.list;
            let made = lower.builder.allocate(list, line(declarator));
            let element = lower.builder.slot();
            lower.declare_type(element, kind);
            lower.builder.hint_elements(made, element);
            made
        }
        (None, _) => match of_class {
            Some(kind) if !lower.is_in_class() => construct(lower, kind, &[], line(declarator)),
            _ => lower.builder.slot(),
        },
    }
}

/// `{ … }` of a type: its elements, or what its constructor or its fields take.
fn braces<'t>(lower: &mut Lower<'t, '_, '_>, list: Node<'t>, kind: Node<'t>, is_array: bool) -> Slot {
    if is_array || lower.is_collection_type(kind) {
        let class = lower.plain.list;
        let made = if lower.is_collection_type(kind) && !is_array {
            lower.made(kind, &[], line(list))
        } else {
            lower.builder.allocate(class, line(list))
        };
        for (at, entry) in children(list).into_iter().enumerate() {
            let key = at.to_string();
            match entry.kind() {
                "initializer_list" if is_array => {
                    let value = braces(lower, entry, kind, false);
                    lower.builder.store_key(made, Some(&key), value, line(entry));
                }
                // `{ key, value }` is an entry of a map.
                "initializer_list" => {
                    let parts = children(entry);
                    let value = lower.value_of(parts.last().copied());
                    match parts.first().copied().filter(|_| parts.len() == 2) {
                        Some(first) => lower.store_element(made, Some(first), value, line(entry)),
                        None => lower.builder.store_key(made, None, value, line(entry)),
                    }
                }
                "initializer_pair" => {
                    let form = lower.form(entry);
                    let value = match form.value(entry) {
                        Some(value) if value.kind() == "initializer_list" => braces(lower, value, kind, false),
                        value => lower.value_of(value),
                    };
                    lower.builder.store_key(made, None, value, line(entry));
                }
                _ => {
                    let value = lower.spelled(entry);
                    lower.builder.store_key(made, Some(&key), value, line(entry));
                }
            }
        }
        return made;
    }
    let mut arguments = Vec::new();
    for entry in children(list) {
        let form = lower.form(entry);
        match entry.kind() {
            "initializer_pair" => {
                let value = lower.value_of(form.value(entry));
                if let Some(name) = form.name(entry).and_then(|name| children(name).first().copied()) {
                    arguments.push(Argument::Named(lower.text(name), value));
                }
            }
            _ => arguments.push(Argument::Plain(lower.spelled(entry))),
        }
    }
    construct(lower, kind, &arguments, line(list))
}

/// An instance of a type that is made without a word for it.
fn construct<'t>(lower: &mut Lower<'t, '_, '_>, kind: Node<'t>, arguments: &[Argument<'t>], at: u32) -> Slot {
    if lower.is_collection_type(kind) {
        let made = lower.made(kind, arguments, at);
        if let Some(Argument::Plain(value) | Argument::Typed(value, _)) = arguments.first() {
            lower.builder.store_key(made, None, *value, at);
        }
        return made;
    }
    match lower.type_value(kind) {
        Some(class) => {
            let flags = FlowFlags::NEW | FlowFlags::IMPLICIT | FlowFlags::APART;
            lower.builder.call(class, arguments, at, flags)
        }
        None => lower.builder.slot(),
    }
}

fn variable<'t>(
    lower: &mut Lower<'t, '_, '_>,
    node: Node<'t>,
    declarator: Node<'t>,
    kind: Option<Node<'t>>,
    beside: Option<Node<'t>>,
) {
    let name = innermost(declarator);
    if has_child(node, "extern") && beside.is_none() && declarator.kind() != "init_declarator" {
        return;
    }
    let value = declarator.child_by_field_name("value").or(beside);
    if lower.text(node).starts_with("extern ") && value.is_none() {
        return;
    }
    let value = initial(lower, declarator, kind, value);
    let is_plain = !is_array(declarator) && !is_function(declarator);
    let value = lower.typed(value, kind.filter(|_| is_plain));
    match name.kind() {
        // `int S::count = 1;`
        "qualified_identifier" => {
            let mut scopes = Vec::new();
            let mut last = name;
            while last.kind() == "qualified_identifier" {
                scopes.extend(last.child_by_field_name("scope"));
                match last.child_by_field_name("name") {
                    Some(inner) => last = inner,
                    None => return,
                }
            }
            if let Some(class) = scoped(lower, &scopes) {
                let name = lower.text(last);
                lower.builder.store(class, name, value, line(last));
            }
        }
        "structured_binding_declarator" => lower.bind_pattern(name, value),
        _ => {
            let text = lower.text(name);
            let is_own = lower.own_depth > 0 || lower.has_word(node, &["static"]);
            let definition = lower.builder.definition_named(line(name), text).unwrap_or(NONE);
            lower.declare_value(text, value, definition, if is_own { ExportFlags::OWN } else { 0 });
        }
    }
}

/// `auto [a, b] = …`
fn structured_binding<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    for name in children(node) {
        let value = lower.builder.slot();
        lower.bind_pattern(name, value);
    }
    NONE
}

/// Fields, and methods that are defined elsewhere.
fn field_declaration<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let kind = node.child_by_field_name("type");
    if let Some(kind) = kind.filter(|kind| kind.child_by_field_name("body").is_some()) {
        lower.run(kind);
    }
    let declarators: Vec<Node<'t>> = node.children_by_field_name("declarator").collect();
    let value = node.child_by_field_name("default_value");
    for declarator in declarators {
        if is_prototype(declarator) {
            prototype(lower, node, declarator, kind);
            continue;
        }
        let name = lower.text(innermost(declarator));
        let kind = kind.filter(|_| !is_function(declarator));
        if lower.has_word(node, &["static"]) {
            lower.static_field(name, kind, value, line(declarator));
        } else if is_array(declarator) {
            lower.instance_field(name, None, value, line(declarator));
        } else {
            lower.instance_field(name, kind, value, line(declarator));
        }
    }
    NONE
}

/// `: base(1), field(2)`
fn field_initializers<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    for entry in children(node) {
        let parts = children(entry);
        let (Some(name), Some(list)) = (parts.first().copied(), parts.last().copied()) else {
            continue;
        };
        let arguments = lower.arguments(list);
        let text = lower.member_text(name);
        let this = lower.this();
        let class = lower.classes.last();
        if class.is_some_and(|class| class.name == text) {
            lower.construct_itself(&arguments, line(entry));
            continue;
        }
        let is_field = class.is_some_and(|class| class.names.contains(text));
        let kind = class.and_then(|class| class.fields.iter().find(|field| field.name == text)?.kind);
        if is_field && let Some(kind) = kind.filter(|kind| !matches!(lower.form(*kind).act, Act::Skip)) {
            let made = construct(lower, kind, &arguments, line(entry));
            lower.builder.store(this, text, made, line(entry));
        }
        if let Some(Argument::Plain(value) | Argument::Typed(value, _)) = arguments.first() {
            lower.builder.store(this, text, *value, line(entry));
        }
        if !is_field {
            let class = match name.kind() {
                "qualified_identifier" | "template_method" | "template_type" => lower.type_value(name),
                _ => Some(lower.builder.find(text, lower.spaces, line(name), 0)),
            };
            if let Some(class) = class {
                let constructor = lower.builder.load_implicit(class, CONSTRUCTOR, line(name));
                lower
                    .builder
                    .call_on(constructor, this, &arguments, line(entry), FlowFlags::IMPLICIT);
            }
        }
    }
    NONE
}

/// A member; behind `->`, one of what the object points at.
fn field_expression<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let (Some(object), Some(name)) = (form.object(node), form.name(node)) else {
        return NONE;
    };
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| lower.text(operator));
    let object = lower.value(object);
    let object = if operator == "->" {
        pointed(lower, object, "operator->", line(node))
    } else {
        object
    };
    if operator == ".*" || operator == "->*" {
        let text = lower.text(name);
        return lower.read_name(text, line(name));
    }
    match name.kind() {
        "destructor_name" => NONE,
        // `b.Base::method()`
        "qualified_identifier" => {
            let last = lower.text(name).rsplit("::").next().unwrap_or("").trim();
            lower.builder.load(object, last, line(name))
        }
        _ => {
            let text = lower.member_text(name);
            lower.builder.load(object, text, line(name))
        }
    }
}

/// An assignment; `void (*f)() = g` in a function looks like one.
fn assignment<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let name = form
        .object(node)
        .filter(|left| left.kind() == "call_expression")
        .and_then(|left| left.child_by_field_name("function"))
        .filter(|inner| inner.kind() == "call_expression")
        .and_then(|inner| {
            let kind = inner.child_by_field_name("function")?;
            let list = inner.child_by_field_name("arguments")?;
            let pointer = children(list).first().copied()?;
            let is_declared = kind.kind() == "primitive_type" && pointer.kind() == "pointer_expression";
            pointer.child_by_field_name("argument").filter(|_| is_declared)
        });
    if let (Some(name), Some(value)) = (name, form.value(node)) {
        let value = lower.value(value);
        let name = lower.text(name);
        lower.declare_value(name, value, NONE, 0);
        return value;
    }
    lower.assignment(form, node)
}

/// What something points at: what its operator gives, or the thing itself, for a pointer is what it points at.
fn pointed(lower: &mut Lower<'_, '_, '_>, object: Slot, operator: &str, at: u32) -> Slot {
    let joined = lower.builder.slot();
    lower.builder.copy(joined, object);
    let given = lower.builder.call_method(object, operator, &[], at);
    lower.builder.copy(joined, given);
    joined
}

fn pointer<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let Some(argument) = node.child_by_field_name("argument") else {
        return NONE;
    };
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| lower.text(operator));
    let value = lower.value(argument);
    match operator {
        "*" => pointed(lower, value, "operator*", line(node)),
        _ => value,
    }
}

fn unary<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| lower.text(operator));
    let Some(argument) = node.child_by_field_name("argument") else {
        return lower.pass(node);
    };
    let value = lower.value(argument);
    let name = format!("operator{operator}");
    let made = lower.builder.call_method(value, &name, &[], line(node));
    let joined = lower.builder.slot();
    lower.builder.copy(joined, made);
    if matches!(operator, "++" | "--") {
        lower.builder.copy(joined, value);
        lower.assign(argument, joined);
    }
    joined
}

/// An element; of a pointer, what it points at.
fn subscript<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(object) = form.object(node) else { return NONE };
    let object = lower.value(object);
    let element = lower.load_element(object, form.list(node), line(node));
    let joined = lower.builder.slot();
    lower.builder.copy(joined, element);
    lower.builder.copy(joined, object);
    joined
}

fn compound_literal<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(kind), Some(value)) = (node.child_by_field_name("type"), node.child_by_field_name("value")) else {
        return lower.pass(node);
    };
    braces(lower, value, kind, false)
}

/// `return { … };` makes what the function gives.
fn give_back<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    if let Some(value) = children(node).last().copied() {
        let kind = lower.results.last().copied().flatten();
        let value = match kind.filter(|kind| !matches!(lower.form(*kind).act, Act::Skip | Act::Data)) {
            Some(kind) if value.kind() == "initializer_list" => braces(lower, value, kind, false),
            _ => lower.spelled(value),
        };
        lower.builder.give_back(value);
    }
    lower.builder.stop();
    NONE
}

/// `#ifdef` inside a function: one of two ways.
fn conditional<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let other = node.child_by_field_name("alternative");
    let skipped = [
        node.child_by_field_name("name"),
        node.child_by_field_name("condition"),
        other,
    ];
    let inside = children(node)
        .into_iter()
        .filter(|child| !skipped.contains(&Some(*child)));
    if lower.is_in_class() {
        for child in inside {
            lower.class_member(child);
        }
        if let Some(other) = other {
            conditional(lower, other);
        }
        return NONE;
    }
    if lower.is_top() {
        for child in inside {
            lower.run(child);
        }
        if let Some(other) = other {
            conditional(lower, other);
        }
        return NONE;
    }
    let before = lower.builder.environment();
    for child in inside {
        lower.run(child);
    }
    let one = lower.builder.environment();
    lower.builder.restore(&before);
    if let Some(other) = other {
        conditional(lower, other);
    }
    let end = lower.builder.environment();
    lower.builder.join(&[one, end]);
    NONE
}

/// A call, a conversion that looks like one, or something that makes an instance for a pointer.
fn call<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(callee) = form.object(node) else { return NONE };
    let mut last = callee;
    while last.kind() == "qualified_identifier" {
        match last.child_by_field_name("name") {
            Some(inner) => last = inner,
            None => break,
        }
    }
    if last.kind() == "template_function" {
        let name = last.child_by_field_name("name").map_or("", |name| lower.text(name));
        let first = last
            .child_by_field_name("arguments")
            .and_then(|list| children(list).first().copied());
        if let Some(kind) = first {
            match name {
                "static_cast" | "dynamic_cast" | "reinterpret_cast" | "const_cast" => {
                    let argument = form.list(node).and_then(|list| children(list).first().copied());
                    let value = lower.value_of(argument);
                    return lower.narrowed(value, kind);
                }
                "make_unique" | "make_shared" | "make_optional" | "make_intrusive" => {
                    let arguments = lower.call_arguments(form, node);
                    let made = lower.made(kind, &arguments, line(last));
                    let held = lower.builder.allocate("__Pointer", line(node));
                    lower.builder.store_key(held, None, made, line(node));
                    return held;
                }
                _ => {}
            }
        }
    }
    let at = match callee.kind() {
        "field_expression" => callee.child_by_field_name("field").map_or_else(|| line(callee), line),
        _ => line(last),
    };
    let function = lower.value(callee);
    let arguments = lower.call_arguments(form, node);
    let inside = lower.builder.is_variable("this") && !lower.classes.is_empty();
    if callee.kind() == "qualified_identifier" && inside {
        // `Base::method()` is called on the same object.
        let this = lower.this();
        return lower.builder.call_on(function, this, &arguments, at, 0);
    }
    let mut inner = callee;
    while inner.kind() == "parenthesized_expression" {
        match children(inner).first() {
            Some(first) => inner = *first,
            None => break,
        }
    }
    if inner.kind() == "field_expression"
        && let Some(operator) = inner.child_by_field_name("operator")
        && matches!(lower.text(operator), ".*" | "->*")
        && let Some(object) = inner.child_by_field_name("argument")
    {
        let object = lower.value(object);
        return lower.builder.call_on(function, object, &arguments, at, 0);
    }
    lower.builder.call(function, &arguments, at, 0)
}

fn lambda<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = FunctionParts {
        list: node
            .child_by_field_name("declarator")
            .and_then(|declarator| declarator.child_by_field_name("parameters")),
        body: node.child_by_field_name("body"),
        kind: None,
    };
    lower.function_of(node, parts, BodyFlags::ARROW, |_| {})
}
