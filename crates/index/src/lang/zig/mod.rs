//! Zig: containers named by the constant they are bound to, functions, tests, documentation comments and `@import`.

mod flow;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, clean_line_doc, has_child};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static ZIG: Language = Language {
    name: "zig",
    dialect: "zig",
    extensions: &["zig", "zon"],
    grammar: || tree_sitter_zig::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Visit(comment)),
        ("multiline_string", Rule::Text),
        ("test_declaration", Rule::Visit(test)),
        ("variable_declaration", Rule::Visit(variable)),
        ("function_declaration", Rule::Visit(function)),
        ("container_field", Rule::Visit(field)),
        ("struct_declaration", Rule::Visit(container)),
        ("union_declaration", Rule::Visit(container)),
        ("opaque_declaration", Rule::Visit(container)),
        ("enum_declaration", Rule::Visit(container)),
        ("error_set_declaration", Rule::Visit(error_set)),
        ("using_namespace_declaration", Rule::Visit(using_namespace)),
        ("if_statement", Rule::Decision),
        ("if_expression", Rule::Decision),
        ("if_type_expression", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("for_expression", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("while_expression", Rule::Decision),
        ("catch_expression", Rule::Decision),
        ("switch_case", Rule::Visit(switch_case)),
        ("and", Rule::Decision),
        ("or", Rule::Decision),
    ],
    is_test_file: |path: &RepoPath| path.file_name().ends_with("_test.zig"),
    flow: Some(&flow::RULES),
    shares_modules: true,
    names_by_file: true,
    ..Language::BASE
};

/// Marks the scope of an enumeration, whose fields are its members.
const ENUM: u32 = 1;
/// Marks a container's own scope: what is declared here is a member.
const CONTAINER: u32 = 2;

/// What documents a declaration. `////` is an ordinary comment.
const DOC: DocStyle = DocStyle {
    line: &["///"],
    block: &[],
    except: &["////"],
};

fn comment(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    walker.comment(node.start_byte(), node.end_byte());
    // Comments with `//!` are at the top of a container; those of the file document it, once the last of them is reached.
    let goes_on = || {
        walker
            .slice(node.end_byte(), walker.source.len())
            .trim_start()
            .starts_with("//!")
    };
    if walker.scopes.len() == 1 && walker.text(node).starts_with("//!") && !goes_on() {
        let lines = walker
            .comments_before(node.end_byte())
            .iter()
            .map(|(start, end)| walker.slice(*start as usize, *end as usize))
            .skip_while(|line| !line.starts_with("//!"));
        let doc = clean_line_doc(lines, &["//!"]);
        walker.module_doc(&doc);
    }
    Flow::Skip
}

fn visibility(node: Node<'_>) -> Visibility {
    if has_child(node, "pub") || has_child(node, "export") {
        Visibility::Public
    } else {
        Visibility::Private
    }
}

/// Whether what is declared here belongs to a type.
fn in_container(walker: &mut Walker<'_>) -> bool {
    walker.scope().mark & CONTAINER != 0
}

fn function(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut modifiers = Modifiers::default();
    for (word, modifier) in [("extern", Modifier::Extern), ("export", Modifier::Extern)] {
        if has_child(node, word) {
            modifiers.insert(modifier);
        }
    }
    let body = node.child_by_field_name("body");
    if body.is_none() {
        modifiers.insert(Modifier::Declare);
    }
    let kind = if in_container(walker) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let definition = walker.define(Draft {
        signature: (
            node.start_byte(),
            body.map_or(node.end_byte(), |body| body.start_byte()),
        ),
        doc: walker.doc_above(node.start_byte(), &DOC),
        visibility: visibility(node),
        modifiers,
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn test(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let name = child_of_kind(node, &["string", "identifier"]);
    let end = child_of_kind(node, &["block"]).map_or(node.end_byte(), |body| body.start_byte());
    let draft = match name {
        Some(name) => Draft {
            name: Draftee::Named(name, walker.text(name).trim_matches('"')),
            ..Draft::new(SymbolKind::Test, name, node)
        },
        None => Draft::anonymous(SymbolKind::Test, "test", node),
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: walker.doc_above(node.start_byte(), &DOC),
        visibility: Visibility::Private,
        ..draft
    });
    walker.open(definition);
    Flow::Descend
}

/// A `const` or `var` of a container: a type, an import, a constant or a variable. Those of a function are its own, unless they name a type.
fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    // In a function an assignment has the same kind of node.
    let Some(name) = child_of_kind(node, &["const", "var"])
        .and_then(|word| word.next_sibling())
        .filter(|name| name.kind() == "identifier")
    else {
        return Flow::Descend;
    };
    let value = child_of_kind(node, &["="]).and_then(|sign| sign.next_named_sibling());
    let container = value.filter(|value| container_kind(*value).is_some());
    if walker.in_function() && container.is_none() && !in_container(walker) {
        return Flow::Descend;
    }
    if let Some(module) = value.and_then(|value| imported(walker, value)) {
        let local = walker.text(name);
        let (module, member) = module;
        walker.import(node, module, member, local, 0);
        return Flow::Descend;
    }
    let is_constant = has_child(node, "const");
    let kind = match container.and_then(container_kind) {
        Some(kind) => kind,
        None if is_constant => SymbolKind::Constant,
        None if in_container(walker) => SymbolKind::Field,
        None => SymbolKind::Static,
    };
    let mut modifiers = Modifiers::default();
    if has_child(node, "extern") {
        modifiers.insert(Modifier::Extern);
    }
    if kind == SymbolKind::Field {
        // A `var` of a container exists once, whatever the number of instances.
        modifiers.insert(Modifier::Static);
    }
    let end = container.map_or(node.end_byte(), members_start);
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: walker.doc_above(node.start_byte(), &DOC),
        visibility: visibility(node),
        modifiers,
        ..Draft::new(kind, name, node)
    });
    match container {
        Some(container) => walker.claim(container, definition),
        None => walker.open(definition),
    }
    Flow::Descend
}

/// The kind of type that an expression makes, if it makes one.
fn container_kind(value: Node<'_>) -> Option<SymbolKind> {
    match value.kind() {
        "struct_declaration" | "union_declaration" | "opaque_declaration" => Some(SymbolKind::Struct),
        "enum_declaration" | "error_set_declaration" => Some(SymbolKind::Enum),
        _ => None,
    }
}

fn members_start(container: Node<'_>) -> usize {
    child_of_kind(container, &["{"]).map_or(container.end_byte(), |brace| brace.start_byte())
}

/// The module and the member that `@import("module").member` names; no member for the module itself.
fn imported<'t>(walker: &Walker<'t>, value: Node<'t>) -> Option<(&'t str, &'t str)> {
    let member = value
        .child_by_field_name("member")
        .map_or("", |member| walker.text(member));
    let call = match value.kind() {
        "field_expression" => value.child_by_field_name("object")?,
        _ => value,
    };
    if call.kind() != "builtin_function" {
        return None;
    }
    let name = child_of_kind(call, &["builtin_identifier"])?;
    let argument = child_of_kind(call, &["arguments"]).and_then(|list| child_of_kind(list, &["string"]))?;
    (walker.text(name) == "@import").then(|| (walker.text(argument).trim_matches('"'), member))
}

fn using_namespace<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let expression = child_of_kind(node, &["builtin_function", "field_expression"]);
    if let Some((module, member)) = expression.and_then(|expression| imported(walker, expression)) {
        let name = if member.is_empty() { "*" } else { member };
        walker.import(node, module, name, "*", 0);
    }
    Flow::Descend
}

/// A container: that of the constant that claimed it, or one without a name, such as the struct that a generic function returns.
fn container(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mark = match node.kind() {
        "enum_declaration" => ENUM | CONTAINER,
        _ => CONTAINER,
    };
    if let Some(definition) = walker.claimed(node) {
        walker.open_marked(definition, mark);
        return Flow::Descend;
    }
    let returned = walker
        .parent()
        .is_some_and(|parent| parent.kind() == "return_expression");
    if returned {
        // The function is the name of the type that it makes.
        walker.open_named("", SymbolKind::Struct, mark);
        return Flow::Descend;
    }
    let kind = container_kind(node).unwrap_or(SymbolKind::Struct);
    let word = if kind == SymbolKind::Enum { "enum" } else { "struct" };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), members_start(node)),
        ..Draft::anonymous(kind, word, node)
    });
    walker.open_marked(definition, mark);
    Flow::Descend
}

fn error_set<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(definition) = walker.claimed(node) else {
        return Flow::Descend;
    };
    // The walk has not come to the comments between the members yet.
    let mut above = Vec::new();
    for child in children_of_kind(node, &["comment", "identifier"]) {
        if child.kind() == "comment" {
            above.push(walker.text(child));
            continue;
        }
        let doc = DOC.read(&above);
        above.clear();
        walker.define_in(
            definition,
            Draft {
                doc,
                ..Draft::new(SymbolKind::EnumMember, child, child)
            },
        );
    }
    Flow::Descend
}

fn field(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let kind = if walker.scope().mark & ENUM != 0 {
        SymbolKind::EnumMember
    } else {
        SymbolKind::Field
    };
    // A tuple's fields have types and no names.
    if kind == SymbolKind::Field && node.child_by_field_name("type").is_none() && name.kind() != "identifier" {
        return Flow::Descend;
    }
    let definition = walker.define(Draft {
        doc: walker.doc_above(node.start_byte(), &DOC),
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn switch_case(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if !has_child(node, "else") {
        walker.decision();
    }
    Flow::Descend
}
