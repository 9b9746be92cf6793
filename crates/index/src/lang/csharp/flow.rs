//! C#'s value flow: the table of its nodes, and what a table cannot say.

use std::sync::OnceLock;

use lore_model::{BodyFlags, NONE};

use crate::extract::{child_of_kind, has_child};
use crate::flow::plain::{
    Act, Grammar, Lower, PLAIN_RULES, Part, Plain, Shape, children, converts, line, lower as lower_plain,
};
use crate::flow::{FlowBuilder, Slot};
use crate::solve::FlowRules;
use crate::syntax::Node;

use Part::{At, Field, Kind, Last};

/// How the values of C# flow.
pub(super) static RULES: FlowRules = FlowRules {
    fields_hide: true,
    lower,
    constructors: &["<fields>", ":new"],
    call: "Invoke",
    iterate: ("GetEnumerator", "Current"),
    element: ("this", "this:set"),
    generator: "__Generator",
    promise: "Task",
    rest: ("List", "Dictionary"),
    map: "Dictionary",
    closed: &["List"],
    overloads: Some(converts),
    prelude: &[("", include_str!("prelude/globals.cs"))],
    ..PLAIN_RULES
};

fn lower<'t>(builder: &mut FlowBuilder<'t, '_>, root: Node<'t>) {
    lower_plain(builder, root, &PLAIN);
}

const ARGUMENT: Part = Part::Or(&Last, &Kind(&["this", "base"]));
const INITIALIZER: Part = Kind(&["initializer_expression"]);
const TYPE_BODY: Part = Part::Or(&Field("body"), &Kind(&["declaration_list"]));

const fn declared_type() -> Shape {
    Shape::of(Act::Class)
        .name(Field("name"))
        .list(Kind(&["base_list"]))
        .body(TYPE_BODY)
        .other(Kind(&["parameter_list"]))
}

const fn function() -> Shape {
    Shape::of(Act::Function)
        .name(Field("name"))
        .list(Field("parameters"))
        .body(Field("body"))
}

static COMPILED: OnceLock<Grammar> = OnceLock::new();

static PLAIN: Plain = Plain {
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    compiled: &COMPILED,
    shapes: &[
        ("comment", Shape::of(Act::Skip)),
        ("using_directive", Shape::of(Act::Skip)),
        ("extern_alias_directive", Shape::of(Act::Skip)),
        ("attribute_list", Shape::of(Act::Skip)),
        ("modifier", Shape::of(Act::Skip)),
        ("type_parameter_list", Shape::of(Act::Skip)),
        ("type_parameter_constraints_clause", Shape::of(Act::Skip)),
        ("explicit_interface_specifier", Shape::of(Act::Skip)),
        ("delegate_declaration", Shape::of(Act::Skip)),
        ("implicit_type", Shape::of(Act::Skip)),
        ("predefined_type", Shape::of(Act::Skip)),
        ("function_pointer_type", Shape::of(Act::Skip)),
        ("typeof_expression", Shape::of(Act::Skip)),
        ("sizeof_expression", Shape::of(Act::Skip)),
        ("default_expression", Shape::of(Act::Skip)),
        ("discard", Shape::of(Act::Skip)),
        (
            "namespace_declaration",
            Shape::of(Act::Namespace).name(Field("name")).body(Field("body")),
        ),
        (
            "file_scoped_namespace_declaration",
            Shape::of(Act::Namespace).name(Field("name")),
        ),
        ("class_declaration", declared_type()),
        ("struct_declaration", declared_type()),
        ("record_declaration", declared_type()),
        ("interface_declaration", declared_type()),
        (
            "enum_declaration",
            Shape::of(Act::Class).name(Field("name")).body(Field("body")),
        ),
        (
            "enum_member_declaration",
            Shape::of(Act::Declarator).name(Field("name")).value(Field("value")),
        ),
        ("primary_constructor_base_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("simple_base_type", Shape::of(Act::Wrapped).kind(At(0))),
        ("method_declaration", function().kind(Field("returns"))),
        ("local_function_statement", function().kind(Field("type"))),
        (
            "operator_declaration",
            Shape::of(Act::Function)
                .list(Field("parameters"))
                .body(Field("body"))
                .kind(Field("type")),
        ),
        (
            "conversion_operator_declaration",
            Shape::of(Act::Function)
                .list(Field("parameters"))
                .body(Field("body"))
                .kind(Field("type")),
        ),
        (
            "constructor_declaration",
            Shape::of(Act::Constructor)
                .name(Field("name"))
                .list(Field("parameters"))
                .body(Field("body"))
                .other(Kind(&["constructor_initializer"])),
        ),
        (
            "destructor_declaration",
            Shape::of(Act::Function)
                .name(Field("name"))
                .list(Field("parameters"))
                .body(Field("body")),
        ),
        ("constructor_initializer", Shape::of(Act::Hook(constructor_initializer))),
        (
            "parameter",
            Shape::of(Act::Parameter)
                .name(Field("name"))
                .kind(Field("type"))
                .value(Kind(&["equals_value_clause"])),
        ),
        ("implicit_parameter", Shape::of(Act::Name)),
        (
            "property_declaration",
            Shape::of(Act::Hook(property))
                .name(Field("name"))
                .kind(Field("type"))
                .value(Field("value")),
        ),
        (
            "indexer_declaration",
            Shape::of(Act::Hook(property))
                .kind(Field("type"))
                .list(Field("parameters"))
                .value(Field("value")),
        ),
        (
            "event_declaration",
            Shape::of(Act::Hook(property)).name(Field("name")).kind(Field("type")),
        ),
        ("accessor_declaration", Shape::of(Act::Lambda).body(Field("body"))),
        ("field_declaration", Shape::of(Act::Locals)),
        ("event_field_declaration", Shape::of(Act::Locals)),
        ("local_declaration_statement", Shape::of(Act::Hook(local_declaration))),
        ("variable_declaration", Shape::of(Act::Locals).kind(Field("type"))),
        (
            "variable_declarator",
            Shape::of(Act::Declarator).name(Field("name")).value(At(1)),
        ),
        ("block", Shape::of(Act::Block)),
        ("arrow_expression_clause", Shape::of(Act::Inner)),
        ("equals_value_clause", Shape::of(Act::Inner)),
        ("expression_statement", Shape::of(Act::Inner)),
        ("parenthesized_expression", Shape::of(Act::Inner)),
        ("checked_expression", Shape::of(Act::Inner)),
        ("ref_expression", Shape::of(Act::Inner)),
        ("identifier", Shape::of(Act::Name)),
        ("this", Shape::of(Act::This)),
        ("base", Shape::of(Act::Super)),
        (
            "member_access_expression",
            Shape::of(Act::Member).object(Field("expression")).name(Field("name")),
        ),
        (
            "qualified_name",
            Shape::of(Act::Member).object(Field("qualifier")).name(Field("name")),
        ),
        ("alias_qualified_name", Shape::of(Act::Wrapped).kind(Field("name"))),
        (
            "generic_name",
            Shape::of(Act::Generic).kind(At(0)).list(Kind(&["type_argument_list"])),
        ),
        ("nullable_type", Shape::of(Act::Wrapped).kind(Field("type"))),
        ("ref_type", Shape::of(Act::Wrapped).kind(Field("type"))),
        ("pointer_type", Shape::of(Act::Wrapped).kind(Field("type"))),
        ("array_type", Shape::of(Act::ArrayType).kind(Field("type"))),
        ("tuple_type", Shape::of(Act::Tuple)),
        (
            "tuple_element",
            Shape::of(Act::Parameter).name(Field("name")).kind(Field("type")),
        ),
        (
            "invocation_expression",
            Shape::of(Act::Hook(invocation))
                .object(Field("function"))
                .list(Field("arguments")),
        ),
        ("argument", Shape::of(Act::Argument).name(Field("name")).value(ARGUMENT)),
        (
            "object_creation_expression",
            Shape::of(Act::New)
                .kind(Field("type"))
                .list(Field("arguments"))
                .body(Field("initializer")),
        ),
        (
            "implicit_object_creation_expression",
            Shape::of(Act::New).list(Kind(&["argument_list"])).body(INITIALIZER),
        ),
        (
            "array_creation_expression",
            Shape::of(Act::New).kind(Field("type")).body(INITIALIZER),
        ),
        (
            "implicit_array_creation_expression",
            Shape::of(Act::New).body(INITIALIZER),
        ),
        ("initializer_expression", Shape::of(Act::List)),
        ("collection_expression", Shape::of(Act::List)),
        (
            "element_access_expression",
            Shape::of(Act::Index)
                .object(Field("expression"))
                .list(Field("subscript")),
        ),
        (
            "element_binding_expression",
            Shape::of(Act::Index).list(Kind(&["argument"])),
        ),
        (
            "conditional_access_expression",
            Shape::of(Act::Hook(conditional_access)),
        ),
        (
            "member_binding_expression",
            Shape::of(Act::Hook(member_binding)).name(Field("name")),
        ),
        (
            "assignment_expression",
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
        (
            "as_expression",
            Shape::of(Act::Cast).value(Field("left")).kind(Field("right")),
        ),
        (
            "cast_expression",
            Shape::of(Act::Cast).value(Field("value")).kind(Field("type")),
        ),
        (
            "is_expression",
            Shape::of(Act::Is).value(Field("left")).kind(Field("right")),
        ),
        (
            "is_pattern_expression",
            Shape::of(Act::Is).value(Field("expression")).kind(Field("pattern")),
        ),
        (
            "declaration_pattern",
            Shape::of(Act::Is).kind(Field("type")).name(Field("name")),
        ),
        (
            "recursive_pattern",
            Shape::of(Act::Is).kind(Field("type")).name(Field("name")),
        ),
        ("type_pattern", Shape::of(Act::Is).kind(Field("type"))),
        ("constant_pattern", Shape::of(Act::Inner)),
        ("var_pattern", Shape::of(Act::Declarator).name(Field("name"))),
        ("negated_pattern", Shape::of(Act::Skip)),
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
        ("while_statement", Shape::of(Act::Loop)),
        ("do_statement", Shape::of(Act::Loop)),
        ("for_statement", Shape::of(Act::Loop)),
        (
            "foreach_statement",
            Shape::of(Act::Each)
                .name(Field("left"))
                .kind(Field("type"))
                .value(Field("right"))
                .body(Field("body")),
        ),
        ("return_statement", Shape::of(Act::Return)),
        ("throw_statement", Shape::of(Act::Throw)),
        ("throw_expression", Shape::of(Act::Throw)),
        ("yield_statement", Shape::of(Act::Yield)),
        ("break_statement", Shape::of(Act::Break)),
        ("continue_statement", Shape::of(Act::Continue)),
        (
            "switch_statement",
            Shape::of(Act::Switch).value(Field("value")).body(Field("body")),
        ),
        (
            "switch_section",
            Shape::of(Act::Case).name(Kind(PATTERNS)).other(Kind(&["when_clause"])),
        ),
        ("switch_expression", Shape::of(Act::Switch).value(At(0))),
        (
            "switch_expression_arm",
            Shape::of(Act::Case)
                .name(At(0))
                .other(Kind(&["when_clause"]))
                .body(Last),
        ),
        ("when_clause", Shape::of(Act::Inner)),
        ("try_statement", Shape::of(Act::Try).body(Field("body"))),
        (
            "catch_clause",
            Shape::of(Act::Catch)
                .kind(CAUGHT_TYPE)
                .name(CAUGHT_NAME)
                .other(Kind(&["catch_filter_clause"]))
                .body(Field("body")),
        ),
        (
            "catch_declaration",
            Shape::of(Act::Declarator).kind(Field("type")).name(Field("name")),
        ),
        ("finally_clause", Shape::of(Act::Finally)),
        ("using_statement", Shape::of(Act::Hook(using_statement))),
        ("lock_statement", Shape::of(Act::Pass)),
        ("prefix_unary_expression", Shape::of(Act::Hook(unary))),
        ("await_expression", Shape::of(Act::Await)),
        (
            "lambda_expression",
            Shape::of(Act::Lambda).list(Field("parameters")).body(Field("body")),
        ),
        (
            "anonymous_method_expression",
            Shape::of(Act::Lambda).list(Field("parameters")).body(Kind(&["block"])),
        ),
        ("tuple_expression", Shape::of(Act::Tuple)),
        (
            "declaration_expression",
            Shape::of(Act::Declarator).kind(Field("type")).name(Field("name")),
        ),
        ("parenthesized_variable_designation", Shape::of(Act::Tuple)),
        ("query_expression", Shape::of(Act::Hook(query))),
        ("string_literal", Shape::of(Act::Text)),
        ("verbatim_string_literal", Shape::of(Act::Text)),
        ("raw_string_literal", Shape::of(Act::Text)),
        ("interpolated_string_expression", Shape::of(Act::Text)),
        ("string_content", Shape::of(Act::Skip)),
        ("integer_literal", Shape::of(Act::Data)),
        ("real_literal", Shape::of(Act::Data)),
        ("boolean_literal", Shape::of(Act::Data)),
        ("character_literal", Shape::of(Act::Data)),
        ("null_literal", Shape::of(Act::Data)),
        ("label_name", Shape::of(Act::Skip)),
        ("labeled_statement", Shape::of(Act::Label)),
    ],
    prepare,
    is_static: |lower, node| lower.has_word(node, &["static", "const"]),
    is_own: |lower, node| lower.has_word(node, &["file"]),
    is_part: |lower, node| lower.has_word(node, &["partial"]),
    member,
    constructs_base: true,
    overloads: true,
    collections: &[
        ("List", "List", 0),
        ("IList", "List", 0),
        ("IEnumerable", "List", 0),
        ("IAsyncEnumerable", "List", 0),
        ("ICollection", "List", 0),
        ("IReadOnlyList", "List", 0),
        ("IReadOnlyCollection", "List", 0),
        ("IQueryable", "List", 0),
        ("HashSet", "List", 0),
        ("ISet", "List", 0),
        ("SortedSet", "List", 0),
        ("Queue", "List", 0),
        ("Stack", "List", 0),
        ("LinkedList", "List", 0),
        ("ConcurrentBag", "List", 0),
        ("ConcurrentQueue", "List", 0),
        ("ObservableCollection", "List", 0),
        ("Dictionary", "Dictionary", 1),
        ("IDictionary", "Dictionary", 1),
        ("IReadOnlyDictionary", "Dictionary", 1),
        ("SortedDictionary", "Dictionary", 1),
        ("ConcurrentDictionary", "Dictionary", 1),
        ("Task", "Task", 0),
        ("ValueTask", "Task", 0),
    ],
    transparent: &["Nullable", "WeakReference"],
    ignored: &[
        "Func",
        "Action",
        "Predicate",
        "Comparison",
        "EventHandler",
        "dynamic",
        "var",
        "T",
    ],
    ..Plain::BASE
};

const PATTERNS: &[&str] = &[
    "declaration_pattern",
    "recursive_pattern",
    "type_pattern",
    "constant_pattern",
    "var_pattern",
    "negated_pattern",
    "and_pattern",
    "or_pattern",
    "relational_pattern",
    "list_pattern",
    "parenthesized_pattern",
    "case_pattern_switch_label",
];
const CAUGHT_NAME: Part = Kind(&["catch_declaration"]);
const CAUGHT_TYPE: Part = Kind(&["catch_declaration"]);

/// Notes what a file uses.
fn prepare<'t>(lower: &mut Lower<'t, '_, '_>, root: Node<'t>) {
    let mut usings: Vec<Node<'t>> = Vec::new();
    for child in children(root) {
        match child.kind() {
            "using_directive" => usings.push(child),
            "namespace_declaration" => {
                if let Some(body) = child.child_by_field_name("body") {
                    usings.extend(
                        children(body)
                            .into_iter()
                            .filter(|inner| inner.kind() == "using_directive"),
                    );
                }
            }
            _ => {}
        }
    }
    for using in usings {
        let alias = using.child_by_field_name("name");
        let Some(target) = children(using).into_iter().rfind(|child| Some(*child) != alias) else {
            continue;
        };
        let text = lower.text(target);
        let path = lower.path_of(text.strip_prefix("global::").unwrap_or(text));
        let (space, name) = path.rsplit_once('.').unwrap_or(("", &path));
        match alias {
            Some(alias) => {
                let alias = lower.text(alias);
                lower.imports.insert(alias, (space.to_owned(), name.to_owned()));
            }
            None if has_child(using, "static") => lower.member_imports.push((space.to_owned(), name.to_owned())),
            None => lower.wildcards.push(path),
        }
    }
}

/// Members that a table cannot describe.
fn member<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> bool {
    match node.kind() {
        "operator_declaration" | "conversion_operator_declaration" => {
            let form = lower.form(node);
            let symbol = node
                .child_by_field_name("operator")
                .map_or("", |symbol| lower.text(symbol));
            let name = format!("operator{symbol}");
            lower.method_named(form, node, &name, BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST);
            true
        }
        "destructor_declaration" => {
            let form = lower.form(node);
            lower.method_named(form, node, "<end>", BodyFlags::MEMBER);
            true
        }
        "constructor_declaration" if lower.has_word(node, &["static"]) => {
            let form = lower.form(node);
            lower.method_named(form, node, "<static>", BodyFlags::MEMBER | BodyFlags::CLASS_METHOD);
            true
        }
        "method_declaration" => {
            let extended = node
                .child_by_field_name("parameters")
                .and_then(|list| children(list).first().copied())
                .filter(|first| lower.has_word(*first, &["this"]))
                .and_then(|first| first.child_by_field_name("type"));
            if let Some(kind) = extended {
                extension(lower, node, kind);
                return true;
            }
            false
        }
        _ => false,
    }
}

/// A method of a class that another class has, too.
fn extension<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>, kind: Node<'t>) {
    let form = lower.form(node);
    let Some(name) = node.child_by_field_name("name") else {
        return;
    };
    let name = lower.text(name);
    let bound = lower.bind_type_parameters(node);
    let extended = lower.type_value(kind);
    lower.type_parameters.truncate(bound);
    let value = lower.function(form, node, BodyFlags::MEMBER | BodyFlags::RECEIVER_FIRST);
    let class = lower.builder.receiver();
    lower.builder.store_member(class, name, value, line(node));
    if let Some(extended) = extended {
        lower
            .builder
            .store_member(extended, &format!("{name}:ext"), value, line(node));
    }
}

/// A property: what runs when it is read and when it is written, or a field.
fn property<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let name = form.name(node).map_or("this", |name| lower.text(name));
    let is_static = lower.has_word(node, &["static"]);
    let flags = BodyFlags::MEMBER | if is_static { BodyFlags::CLASS_METHOD } else { 0 };
    let is_index = node.kind() == "indexer_declaration";
    let definition = lower.builder.definition(node).unwrap_or(NONE);
    let mut runs = false;
    if let Some(value) = form
        .value(node)
        .filter(|value| value.kind() == "arrow_expression_clause")
    {
        let getter = if is_index { 0 } else { BodyFlags::GETTER };
        lower.begin_function(definition, flags | getter);
        if is_index {
            lower.parameters(form, node);
        }
        lower.body(value, false);
        if let Some(kind) = form.kind(node) {
            lower.declare_type(0, kind);
        }
        let function = lower.end_function();
        let class = lower.builder.receiver();
        lower.builder.store_member(class, name, function, line(node));
        return NONE;
    }
    if let Some(accessors) = node.child_by_field_name("accessors") {
        for accessor in children(accessors)
            .into_iter()
            .filter(|child| child.kind() == "accessor_declaration")
        {
            let word = accessor.child_by_field_name("name").map_or("", |word| lower.text(word));
            let Some(body) = accessor.child_by_field_name("body") else {
                continue;
            };
            runs = true;
            let is_getter = word == "get";
            let inner = lower.builder.definition(accessor).unwrap_or(definition);
            let getter = if is_getter && !is_index { BodyFlags::GETTER } else { 0 };
            lower.begin_function(inner, flags | getter);
            if is_index {
                lower.parameters(form, node);
            }
            if !is_getter {
                let value = lower.builder.parameter("value", 0);
                if let Some(kind) = form.kind(node) {
                    lower.declare_type(value, kind);
                }
                lower.builder.declare("value");
                lower.builder.write("value", value);
            } else if let Some(kind) = form.kind(node) {
                lower.declare_type(0, kind);
            }
            lower.body(body, false);
            let function = lower.end_function();
            let class = lower.builder.receiver();
            let stored = match word {
                "get" => name.to_owned(),
                "set" | "init" => format!("{name}:set"),
                word => format!("{name}:{word}"),
            };
            lower.builder.store_member(class, &stored, function, line(accessor));
        }
    }
    if !runs {
        let value = form.value(node);
        if is_static {
            lower.static_field(name, form.kind(node), value, line(node))
        } else {
            lower.instance_field(name, form.kind(node), value, line(node))
        }
    }
    NONE
}

/// `: base(…)` and `: this(…)`.
fn constructor_initializer<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let arguments = child_of_kind(node, &["argument_list"]).map_or_else(Vec::new, |list| lower.arguments(list));
    if has_child(node, "base") {
        lower.construct_base_with(&arguments, line(node), 0)
    } else {
        lower.construct_itself(&arguments, line(node))
    }
    NONE
}

/// A call; `f.Invoke(x)` is a call of `f`.
fn invocation<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let form = lower.form(node);
    let Some(callee) = form.object(node) else { return NONE };
    if matches!(lower.text(callee), "nameof") {
        return NONE;
    }
    let mut name = callee;
    while let Some(inner) = match name.kind() {
        "member_access_expression" | "member_binding_expression" => name.child_by_field_name("name"),
        "conditional_access_expression" => children(name).last().copied(),
        _ => None,
    } {
        name = inner;
    }
    let function = match (callee.kind(), callee.child_by_field_name("expression")) {
        ("member_access_expression", Some(object)) => {
            let object = lower.value(object);
            let text = lower.member_text(name);
            load_member(lower, object, text, line(name))
        }
        _ => lower.value(callee),
    };
    let arguments = lower.call_arguments(form, node);
    lower.builder.call(function, &arguments, line(name), 0)
}

/// `a?.B` looks up the following member in `a`.
fn conditional_access<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let parts = children(node);
    let (Some(object), Some(asked)) = (parts.first(), parts.last()) else {
        return NONE;
    };
    let object = lower.value(*object);
    lower.subjects.push(object);
    let value = lower.value(*asked);
    lower.subjects.pop();
    value
}

fn member_binding<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let (Some(object), Some(name)) = (lower.subjects.last().copied(), node.child_by_field_name("name")) else {
        return NONE;
    };
    let text = lower.member_text(name);
    load_member(lower, object, text, line(name))
}

/// A member; what invokes a delegate is the delegate.
fn load_member(lower: &mut Lower<'_, '_, '_>, object: Slot, name: &str, at: u32) -> Slot {
    match name {
        "Invoke" | "DynamicInvoke" | "BeginInvoke" => lower.builder.load_or(object, name, object, at, 0),
        name => lower.builder.load(object, name, at),
    }
}

/// `-a` and similar, which a class may define.
fn unary<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let operator = node.child(0).map_or("", |operator| lower.text(operator));
    let Some(operand) = children(node).last().copied() else {
        return NONE;
    };
    let value = lower.value(operand);
    match operator {
        "-" | "+" | "!" | "~" | "++" | "--" => {
            let name = format!("operator{operator}");
            let made = lower.builder.call_method(value, &name, &[], line(node));
            if matches!(operator, "++" | "--") {
                let joined = lower.builder.slot();
                lower.builder.copy(joined, made);
                lower.builder.copy(joined, value);
                lower.assign(operand, joined);
            }
            made
        }
        _ => value,
    }
}

/// What `using` holds is given back in the end.
fn using_statement<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    lower.builder.begin_block();
    for child in children(node) {
        if child.kind() == "variable_declaration" {
            lower.run(child);
            dispose(lower, child);
        } else if node.child_by_field_name("body") == Some(child) {
            lower.run(child);
        } else {
            let value = lower.value(child);
            lower.builder.call_method(value, "Dispose", &[], line(child));
        }
    }
    lower.builder.end_block();
    NONE
}

fn dispose<'t>(lower: &mut Lower<'t, '_, '_>, declaration: Node<'t>) {
    for declarator in children(declaration)
        .into_iter()
        .filter(|child| child.kind() == "variable_declarator")
    {
        if let Some(name) = declarator.child_by_field_name("name") {
            let value = lower.value(name);
            lower.builder.call_method(value, "Dispose", &[], line(declarator));
            lower.builder.call_method(value, "DisposeAsync", &[], line(declarator));
        }
    }
}

fn local_declaration<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    let is_using = has_child(node, "using");
    for child in children(node)
        .into_iter()
        .filter(|child| child.kind() == "variable_declaration")
    {
        lower.run(child);
        if is_using {
            dispose(lower, child);
        }
    }
    NONE
}

/// `from x in xs where … select …`
fn query<'t>(lower: &mut Lower<'t, '_, '_>, node: Node<'t>) -> Slot {
    lower.builder.begin_block();
    let made = lower.builder.allocate("List", line(node));
    for clause in children(node) {
        match clause.kind() {
            "from_clause" | "join_clause" => {
                let parts = children(clause);
                let name = clause.child_by_field_name("name").or_else(|| parts.first().copied());
                if let (Some(name), Some(source)) = (name, parts.iter().copied().find(|part| Some(*part) != name)) {
                    let source = lower.value(source);
                    let element = lower.builder.iterate(source, line(clause));
                    lower.bind_pattern(name, element);
                }
            }
            "let_clause" => {
                let parts = children(clause);
                if let [name, value] = parts[..] {
                    let value = lower.value(value);
                    lower.bind_pattern(name, value);
                }
            }
            "select_clause" => {
                let value = lower.pass(clause);
                if value != NONE {
                    lower.builder.store_key(made, None, value, line(clause));
                }
            }
            _ => {
                lower.pass(clause);
            }
        }
    }
    lower.builder.end_block();
    made
}
