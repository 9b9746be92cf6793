//! OCaml, implementations and interfaces: values, types, modules, classes, documentation before and after, inline tests.
//!
//! What types, modules and classes hold is in `types` and `modules`.

mod docs;
mod flow;
mod modules;
mod types;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::layout::{Root, has_directory, join_path};
use crate::syntax::Node;

use docs::doc;

pub(crate) static OCAML: Language = Language {
    name: "ocaml",
    dialect: "ocaml",
    extensions: &["ml"],
    interpreters: &["ocaml", "ocamlrun", "ocamlscript"],
    grammar: || tree_sitter_ocaml::LANGUAGE_OCAML.into(),
    rules: RULES,
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    names_by_file: true,
    ..Language::BASE
};

pub(crate) static OCAML_INTERFACE: Language = Language {
    name: "ocaml",
    dialect: "ocaml_interface",
    extensions: &["mli"],
    grammar: || tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE.into(),
    rules: RULES,
    module_name,
    is_test_file,
    declaration_suffixes: &[".mli"],
    ..Language::BASE
};

const RULES: &[(&str, Rule)] = &[
    ("comment", Rule::Comment),
    ("string", Rule::Text),
    ("quoted_string", Rule::Text),
    ("compilation_unit", Rule::Visit(docs::compilation_unit)),
    ("open_module", Rule::Visit(modules::open)),
    ("open_module_signature", Rule::Visit(modules::open)),
    ("include_module", Rule::Visit(modules::include)),
    ("include_module_type", Rule::Visit(modules::include)),
    ("module_binding", Rule::Visit(modules::module)),
    ("module_type_definition", Rule::Visit(modules::module_type)),
    ("structure", Rule::Visit(modules::structure)),
    ("signature", Rule::Visit(modules::structure)),
    ("type_binding", Rule::Visit(types::type_binding)),
    ("constructor_declaration", Rule::Visit(types::constructor)),
    ("field_declaration", Rule::Visit(types::field)),
    ("class_binding", Rule::Visit(types::class)),
    ("class_type_binding", Rule::Visit(types::class)),
    ("method_definition", Rule::Visit(types::method)),
    ("method_specification", Rule::Visit(types::method)),
    ("instance_variable_definition", Rule::Visit(types::instance_variable)),
    ("instance_variable_specification", Rule::Visit(types::instance_variable)),
    ("let_binding", Rule::Visit(let_binding)),
    ("value_specification", Rule::Visit(specification)),
    ("external", Rule::Visit(specification)),
    ("fun_expression", Rule::Visit(lambda)),
    ("function_expression", Rule::Visit(lambda)),
    ("if_expression", Rule::Decision),
    ("while_expression", Rule::Decision),
    ("for_expression", Rule::Decision),
    ("match_case", Rule::Visit(match_case)),
    ("guard", Rule::Decision),
    ("and_operator", Rule::Decision),
    ("or_operator", Rule::Decision),
    // `let ( && ) a b = …` decides nothing.
    ("parenthesized_operator", Rule::Leaf),
];

/// Marks the scope of a `let%test_module`.
const TEST_MODULE: u32 = 1;

/// Nodes of a pattern that are looked at for names.
const MAX_PATTERN: usize = 1_000;

/// What is local to a function is seen there only; what an interface hides cannot be told from one file.
fn visibility(walker: &Walker<'_>) -> Visibility {
    if walker.in_function() {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// One of the bindings that a `let`, `type`, `module` or `class` joins with `and`.
struct Binding<'t> {
    /// What the reader sees as the definition: all of it where it binds but one name.
    span: Node<'t>,
    /// Where its own words begin, the keyword included.
    start: usize,
}

impl<'t> Binding<'t> {
    /// The binding under the cursor.
    fn of(walker: &Walker<'t>, node: Node<'t>) -> Self {
        let before = walker.slice(0, node.start_byte()).trim_end();
        let follows = before.ends_with("and").then(|| before.len() - "and".len());
        match (follows, walker.parent()) {
            (Some(start), _) => Self { span: node, start },
            (None, Some(definition)) => Self {
                span: if definition.end_byte() == node.end_byte() {
                    definition
                } else {
                    node
                },
                start: definition.start_byte(),
            },
            (None, None) => Self {
                span: node,
                start: node.start_byte(),
            },
        }
    }
}

/// Where a declaration ends whose body begins at a byte: before the sign that leads over to it.
fn head_end(walker: &Walker<'_>, start: usize, body: usize) -> usize {
    let mut head = walker.slice(start, body).trim_end();
    while let Some(comment) = head.strip_suffix("*)").and_then(|head| head.rfind("(*")) {
        head = head.get(..comment).unwrap_or("").trim_end();
    }
    let head = head
        .strip_suffix(":=")
        .or_else(|| head.strip_suffix('='))
        .unwrap_or(head);
    start + head.trim_end().len()
}

/// The attributes of an item, without their brackets.
fn attributes<'t>(walker: &Walker<'t>, node: Node<'_>) -> Vec<&'t str> {
    children_of_kind(node, &["item_attribute"])
        .into_iter()
        .map(|attribute| {
            walker
                .text(attribute)
                .trim_start_matches("[@@")
                .trim_end_matches(']')
                .trim()
        })
        .collect()
}

/// The name that a node spells, an operator without its parentheses.
fn bare_name(name: &str) -> &str {
    match name.strip_prefix('(').and_then(|name| name.strip_suffix(')')) {
        Some(operator) => operator.trim(),
        None => name,
    }
}

/// What a `let` of the structure binds; a `let … in` binds nothing that others see.
fn let_binding<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(definition), Some(pattern)) = (structure_item(walker), node.child_by_field_name("pattern")) else {
        return Flow::Descend;
    };
    let extension = child_of_kind(definition, &["attribute_id"]).map_or("", |name| walker.text(name));
    if let "test" | "test_unit" | "expect_test" | "test_module" = extension {
        return test(walker, node, definition, pattern, extension == "test_module");
    }
    let names = match pattern.kind() {
        "value_name" | "parenthesized_operator" => vec![pattern],
        _ => pattern_names(pattern),
    };
    let binding = Binding::of(walker, node);
    let body = node.child_by_field_name("body");
    let (kind, end) = match function_head_end(walker, node, binding.start) {
        Some(end) if names.len() == 1 => (SymbolKind::Function, end),
        _ => (
            SymbolKind::Constant,
            body.map_or(node.end_byte(), |body| body.end_byte()),
        ),
    };
    let doc = if names.is_empty() {
        None
    } else {
        doc(walker, binding.start, node.end_byte())
    };
    for name in &names {
        let definition = walker.define(Draft {
            name: Draftee::Named(*name, bare_name(walker.text(*name))),
            signature: (binding.start, end),
            doc: doc.clone(),
            visibility: visibility(walker),
            decorators: attributes(walker, node),
            ..Draft::new(kind, *name, binding.span)
        });
        if names.len() == 1 {
            walker.open(definition);
        }
    }
    Flow::Descend
}

/// The definition around the binding under the cursor, if it is an item of a structure.
fn structure_item<'t>(walker: &Walker<'t>) -> Option<Node<'t>> {
    let mut ancestors = walker.ancestors();
    let definition = ancestors.next().filter(|parent| parent.kind() == "value_definition")?;
    let is_item = match ancestors.next() {
        None => true,
        Some(parent) if parent.kind() == "attribute_payload" => {
            ancestors.next().is_some_and(|parent| parent.kind() == "item_extension")
        }
        // Behind an error, what is not indented is most likely an item.
        Some(parent) if parent.is_error() => definition.start_position().column == 0,
        Some(parent) => matches!(parent.kind(), "compilation_unit" | "structure"),
    };
    is_item.then_some(definition)
}

/// The names that a pattern binds.
fn pattern_names(pattern: Node<'_>) -> Vec<Node<'_>> {
    let mut names = Vec::new();
    let mut waiting = vec![pattern];
    let mut looked_at = 0;
    while let Some(node) = waiting.pop() {
        looked_at += 1;
        if looked_at > MAX_PATTERN {
            break;
        }
        match node.kind() {
            "value_name" | "value_pattern" => names.push(node),
            // `{ name; … }` binds the field's own name.
            "field_pattern" if node.child_by_field_name("pattern").is_none() => {
                names
                    .extend(child_of_kind(node, &["field_path"]).and_then(|path| child_of_kind(path, &["field_name"])));
            }
            _ => {
                let mut children: Vec<_> = node.named_children().collect();
                children.reverse();
                waiting.append(&mut children);
            }
        }
    }
    names
}

/// Where the head of a binding ends that makes a function: one with parameters, a function as its value, or the type of one.
fn function_head_end(walker: &Walker<'_>, node: Node<'_>, start: usize) -> Option<usize> {
    let body = node.child_by_field_name("body");
    let own_end = head_end(walker, start, body.map_or(node.end_byte(), |body| body.start_byte()));
    if child_of_kind(node, &["parameter", "abstract_type"]).is_some() {
        return Some(own_end);
    }
    let is_typed = node.child_by_field_name("type").is_some_and(is_function_type);
    let mut value = body?;
    while value.kind() == "parenthesized_expression" {
        value = value.child_by_field_name("expression")?;
    }
    match value.kind() {
        "fun_expression" | "function_expression" if is_typed => Some(own_end),
        "fun_expression" => child_of_kind(value, &["->"]).map(|arrow| head_end(walker, start, arrow.start_byte())),
        "function_expression" => Some(value.start_byte() + "function".len()),
        _ => is_typed.then_some(own_end),
    }
}

/// Whether a type is that of functions.
fn is_function_type(mut node: Node<'_>) -> bool {
    while node.kind() == "polymorphic_type" {
        match node.child_by_field_name("type") {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    node.kind() == "function_type"
}

/// A test that a `let%test` declares, or a module of them.
fn test<'t>(walker: &mut Walker<'t>, node: Node<'t>, definition: Node<'t>, pattern: Node<'t>, is_module: bool) -> Flow {
    let body = node
        .child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte());
    let kind = if is_module {
        SymbolKind::Namespace
    } else {
        SymbolKind::Test
    };
    let name = match pattern.kind() {
        "string" => Draftee::Named(pattern, walker.text(pattern).trim_matches('"')),
        _ => Draftee::Anonymous("test"),
    };
    let doc = doc(walker, definition.start_byte(), node.end_byte());
    let id = walker.define(Draft {
        name,
        signature: (definition.start_byte(), head_end(walker, definition.start_byte(), body)),
        doc,
        ..Draft::new(kind, pattern, definition)
    });
    walker.open_marked(id, if is_module { TEST_MODULE } else { 0 });
    Flow::Descend
}

/// A `val`, or an `external`.
fn specification<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["value_name", "parenthesized_operator"]) else {
        return Flow::Descend;
    };
    let is_external = node.kind() == "external";
    let is_function = is_external || node.child_by_field_name("type").is_some_and(is_function_type);
    let mut modifiers = Modifiers::default();
    if is_external {
        modifiers.insert(Modifier::Extern);
    } else if walker.role.declaration {
        modifiers.insert(Modifier::Declare);
    }
    let end = child_of_kind(node, &["item_attribute"]).map_or(node.end_byte(), |attribute| attribute.start_byte());
    let doc = doc(walker, node.start_byte(), node.end_byte());
    walker.define(Draft {
        name: Draftee::Named(name, bare_name(walker.text(name))),
        signature: (node.start_byte(), end),
        doc,
        visibility: visibility(walker),
        modifiers,
        decorators: attributes(walker, node),
        ..Draft::new(
            if is_function {
                SymbolKind::Function
            } else {
                SymbolKind::Constant
            },
            name,
            node,
        )
    });
    Flow::Descend
}

/// A function without a name. One that is the whole value of a binding, of a method or of another function is part of that.
fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let outer = walker
        .ancestors()
        .find(|parent| parent.kind() != "parenthesized_expression")
        .map_or("", |parent| parent.kind());
    if matches!(
        outer,
        "let_binding" | "method_definition" | "fun_expression" | "function_expression"
    ) {
        return Flow::Descend;
    }
    let end = match child_of_kind(node, &["->"]) {
        Some(arrow) if node.kind() == "fun_expression" => arrow.start_byte(),
        _ => node.start_byte() + "function".len(),
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        ..Draft::anonymous(SymbolKind::Function, "lambda", node)
    });
    walker.open(definition);
    Flow::Descend
}

/// A case other than the last resort of a `match`; each handler of a `try` counts.
fn match_case(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let catches = walker.parent().is_some_and(|parent| parent.kind() == "try_expression");
    let is_default = node
        .child_by_field_name("pattern")
        .is_some_and(|pattern| pattern.kind() == "any_pattern")
        && child_of_kind(node, &["guard"]).is_none();
    if catches || !is_default {
        walker.decision();
    }
    Flow::Descend
}

/// The path without extensions; a file defines the module that bears its name with a capital letter.
fn module_name(_: &[Root], path: &RepoPath, _: &str) -> String {
    let name = path.file_name();
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let mut letters = stem.chars();
    let capitalised: String = match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    };
    join_path(path.directory(), &capitalised)
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    let stem = name.split('.').next().unwrap_or(name);
    has_directory(path, &["test", "tests"])
        || stem.starts_with("test_")
        || ["_test", "_tests"].iter().any(|suffix| stem.ends_with(suffix))
        || matches!(stem, "test" | "tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&OCAML, source)
    }

    #[test]
    fn files_name_modules() {
        for (path, expected) in [
            ("src/list_ext.ml", "src/List_ext"),
            ("src/list_ext.mli", "src/List_ext"),
            ("main.ml", "Main"),
            ("a/b.cppo.ml", "a/B"),
            ("\u{e9}t\u{e9}.ml", "\u{c9}t\u{e9}"),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(module_name(&[], &path, ""), expected);
        }
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("test/helper.ml", true),
            ("src/test_list.ml", true),
            ("src/list_test.ml", true),
            ("src/attest.ml", false),
            ("src/testing.ml", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn docs_stand_before_or_after() {
        let source = "(** of a *)\nlet a = 1\n\nlet b = 1\n(** of b *)\n\nlet c = 1 (** of c *)\nlet d = 1\n\n(** of none *)\n\n\
            let e = 1\n(** of f *)\nlet f = 1\n\n(** of g *)\nlet g = 1\n(** of h *)\nlet h = 1\n(*** no *)\n";
        let expected = [
            "constant a 0 \"of a\"",
            "constant b 0 \"of b\"",
            "constant c 0 \"of c\"",
            "constant d 0",
            "constant e 0",
            "constant f 0 \"of f\"",
            "constant g 0 \"of g\"",
            "constant h 0 \"of h\"",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn docs_of_members_and_of_their_type() {
        let source = "type t =\n  | A (** of A *)\n  | B of int\n      (** of B *)\n  | C (** of C *)\n\n\
            type u = X | Y\n(** of u *)\n\ntype r = {\n  a : int; (** of a *)\n  (** of b *)\n  b : int;\n  c : int\n  (** of c *)\n} (** of r *)\n";
        let expected = [
            "enum t 0",
            "enum_member t.A 0 \"of A\"",
            "enum_member t.B 0 \"of B\"",
            "enum_member t.C 0 \"of C\"",
            "enum u 0 \"of u\"",
            "enum_member u.X 0",
            "enum_member u.Y 0",
            "struct r 0 \"of r\"",
            "field r.a 0 \"of a\"",
            "field r.b 0 \"of b\"",
            "field r.c 0 \"of c\"",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn functions_are_what_takes_arguments() {
        let source = "let a = fun x -> fun y -> x\nlet b = (function A -> 1 | _ -> 2)\nlet c x = fun y -> if x then y else 0\n\
            let d : int -> int = compose e f\nlet e = List.map (fun x -> x)\nlet f () = let g x = if x then 1 else 2 in g\n\
            let () = run (fun () -> if x then y)\nlet _ = fun x -> x\nlet (g, { h; i = j }) = pair\n";
        let expected = [
            "function a 1",
            "function b 2",
            "function c 2",
            "function d 1",
            "constant e 0",
            "function e.<lambda1> 1",
            "function f 2",
            "function <lambda1> 2",
            "constant g 0",
            "constant h 0",
            "constant j 0",
        ];
        assert_eq!(outline(source), expected);
    }
}
