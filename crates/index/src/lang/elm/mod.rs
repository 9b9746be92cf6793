//! Elm: functions under their annotations, types, ports, what a module exposes, imports, tests by convention.

mod flow;

use foldhash::HashSet;

use lore_model::{Definition, FileFacts, Modifier, Modifiers, NONE, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Role, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static ELM: Language = Language {
    name: "elm",
    dialect: "elm",
    extensions: &["elm"],
    grammar: || tree_sitter_elm::LANGUAGE.into(),
    rules: &[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string_constant_expr", Rule::Text),
        ("glsl_code_expr", Rule::Text),
        ("file", Rule::Visit(file)),
        ("module_declaration", Rule::Visit(module)),
        ("import_clause", Rule::Visit(import)),
        ("type_annotation", Rule::Visit(annotation)),
        ("value_declaration", Rule::Visit(value)),
        ("port_annotation", Rule::Visit(port)),
        ("infix_declaration", Rule::Visit(infix)),
        ("type_alias_declaration", Rule::Visit(type_alias)),
        ("type_declaration", Rule::Visit(custom_type)),
        ("union_variant", Rule::Visit(variant)),
        ("field_type", Rule::Visit(field)),
        ("function_call_expr", Rule::Visit(call)),
        ("bin_op_expr", Rule::Visit(piped_call)),
        ("anonymous_function_expr", Rule::Visit(lambda)),
        ("if", Rule::Decision),
        ("case_of_branch", Rule::Visit(branch)),
        ("operator", Rule::Visit(operator)),
    ],
    finish,
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

const DOCS: DocStyle = DocStyle {
    line: &[],
    block: &[("{-|", "-}")],
    except: &[],
};

/// What stands behind the name of a type that is exposed with its constructors.
const OPEN: &str = "(..)";

/// The first documentation behind the module's own line is the module's.
fn file<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let next = node
        .children()
        .skip_while(|child| child.kind() != "module_declaration")
        .skip(1)
        .find(|child| child.kind() != "line_comment");
    if let Some(comment) = next.filter(|next| next.kind() == "block_comment")
        && let Some(doc) = DOCS.read(&[walker.text(comment)])
    {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let name = walker.text(name);
        walker.facts.package = walker.facts.text.push(name);
    }
    let Some(list) = node.child_by_field_name("exposing") else {
        return Flow::Descend;
    };
    if list.child_by_field_name("doubleDot").is_some() {
        walker.export(list, OPEN, OPEN);
    }
    for exposed in exposed(list) {
        let name = exposed_name(walker, exposed);
        walker.export(exposed, name, name);
        if child_of_kind(exposed, &["exposed_union_constructors"]).is_some() {
            let constructors = format!("{name}{OPEN}");
            walker.export(exposed, &constructors, &constructors);
        }
    }
    Flow::Descend
}

/// What a list exposes by name.
fn exposed(list: Node<'_>) -> Vec<Node<'_>> {
    children_of_kind(list, &["exposed_value", "exposed_type", "exposed_operator"])
}

fn exposed_name<'t>(walker: &Walker<'t>, exposed: Node<'_>) -> &'t str {
    match exposed.kind() {
        "exposed_type" => child_of_kind(exposed, &["upper_case_identifier"]).map_or("", |name| walker.text(name)),
        _ => walker.text(exposed).trim_matches(['(', ')', ' ']),
    }
}

/// Only what the module exposes is public. Constructors are so where their type is exposed with them, fields with their record.
fn finish(facts: &mut FileFacts, _: Role) {
    let exposed: HashSet<String> = facts
        .exports
        .iter()
        .map(|export| facts.text.get(export.local).to_owned())
        .collect();
    // A file without a module line is the module `Main`, of which all is exposed.
    let all = exposed.contains(OPEN) || facts.package.is_empty();
    for at in 0..facts.definitions.len() {
        let (before, rest) = facts.definitions.split_at_mut(at);
        let Some(definition) = rest.first_mut() else {
            return;
        };
        let name = definition.name.of(&facts.text.0);
        let parent = before.get(definition.parent.get() as usize);
        let visibility = match (definition.kind(), parent) {
            (SymbolKind::EnumMember, Some(parent)) => {
                let open = format!("{}{OPEN}", parent.name.of(&facts.text.0));
                visible(all || exposed.contains(&open))
            }
            (SymbolKind::Field, Some(parent)) => parent.visibility(),
            _ if is_top(definition) => visible(all || exposed.contains(name)),
            _ => continue,
        };
        definition.visibility = visibility as u8;
    }
}

fn is_top(definition: &Definition) -> bool {
    definition.parent.get() == NONE && !definition.is_anonymous()
}

fn visible(is_public: bool) -> Visibility {
    if is_public {
        Visibility::Public
    } else {
        Visibility::Private
    }
}

/// An import binds the module under its own name or another, and what it exposes.
fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(module) = node.child_by_field_name("moduleName") else {
        return Flow::Descend;
    };
    let module = walker.text(module);
    let alias = node
        .child_by_field_name("asClause")
        .and_then(|clause| clause.child_by_field_name("name"))
        .map_or(module, |alias| walker.text(alias));
    walker.import(node, module, "", alias, 0);
    let Some(list) = node.child_by_field_name("exposing") else {
        return Flow::Descend;
    };
    if list.child_by_field_name("doubleDot").is_some() {
        walker.import(node, module, "*", "*", 0);
    }
    for exposed in exposed(list) {
        let name = exposed_name(walker, exposed);
        walker.import(exposed, module, name, name, 0);
    }
    Flow::Descend
}

/// Whether the node under the cursor is a declaration of the module.
fn at_top(walker: &Walker<'_>) -> bool {
    walker
        .parent()
        .is_none_or(|parent| parent.kind() == "file" || parent.is_error())
}

/// Remembers an annotation for the declaration below it.
fn annotation<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if at_top(walker) {
        walker.attributes = vec![(node.start_byte() as u32, node.end_byte() as u32)];
    }
    Flow::Descend
}

/// A function or value of the module; those of a `let` are seen nowhere else.
fn value<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let left = node.child_by_field_name("functionDeclarationLeft");
    let name = left.and_then(|left| child_of_kind(left, &["lower_case_identifier"]));
    let (true, Some(left), Some(name)) = (at_top(walker), left, name) else {
        return Flow::Descend;
    };
    let body = node.child_by_field_name("body");
    let (annotations, start) = walker.take_attributes(node.start_byte());
    let annotation = annotations.first().filter(|annotation| {
        let rest = annotation.strip_prefix(walker.text(name));
        rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
    });
    let start = annotation.map_or(node.start_byte(), |_| start);
    let is_function = left.child_by_field_name("pattern").is_some()
        || annotation.is_some_and(|annotation| is_function_type(annotation))
        || body.is_some_and(|body| body.kind() == "anonymous_function_expr");
    let (kind, end) = if is_function {
        (SymbolKind::Function, left.end_byte())
    } else {
        (SymbolKind::Constant, node.end_byte())
    };
    let definition = walker.define(Draft {
        signature: annotation.map_or((start, end), |annotation| (start, start + annotation.len())),
        doc: walker.doc_above(start, &DOCS),
        ..Draft::new(kind, name, node)
    });
    let first_row = walker.row_of(start);
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.start_byte = (start as u32).into();
        definition.place.start_line = (first_row + 1).into();
    }
    walker.open(definition);
    Flow::Descend
}

/// Whether an annotation's type has an arrow of its own, outside brackets.
fn is_function_type(annotation: &str) -> bool {
    let mut depth = 0;
    let mut last = b' ';
    for byte in annotation.bytes() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            b'>' if last == b'-' && depth == 0 => return true,
            _ => {}
        }
        last = byte;
    }
    false
}

/// A way out of Elm, or into it.
fn port<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        walker.define(Draft {
            doc: walker.doc_above(node.start_byte(), &DOCS),
            modifiers: Modifiers::default().with(Modifier::Extern),
            ..Draft::new(SymbolKind::Function, name, node)
        });
    }
    Flow::Descend
}

fn infix<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("operator") {
        walker.define(Draft {
            doc: walker.doc_above(node.start_byte(), &DOCS),
            ..Draft::new(SymbolKind::Function, name, node)
        });
    }
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_record = node.child_by_field_name("typeExpression").is_some_and(|aliased| {
        aliased.named_child_count() == 1 && aliased.named_child(0).is_some_and(|part| part.kind() == "record_type")
    });
    let kind = if is_record {
        SymbolKind::Struct
    } else {
        SymbolKind::TypeAlias
    };
    declare_type(walker, node, kind)
}

fn custom_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Enum)
}

fn declare_type<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let end = match kind {
        SymbolKind::TypeAlias => node.end_byte(),
        _ => child_of_kind(node, &["eq"]).map_or(node.end_byte(), |sign| sign.start_byte()),
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: walker.doc_above(node.start_byte(), &DOCS),
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn variant<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let definition = walker.define(Draft::new(SymbolKind::EnumMember, name, node));
        walker.open(definition);
    }
    Flow::Descend
}

/// A field of a record that is an alias, a field or the value of a constructor; other records are part of a larger type.
fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let outer = walker
        .ancestors()
        .skip(1)
        .find(|parent| parent.kind() != "type_expression" || parent.named_child_count() > 1);
    let scope = walker.scope().definition as usize;
    let is_own = outer.is_some_and(|outer| {
        let is_whole = matches!(outer.kind(), "type_alias_declaration" | "field_type" | "union_variant");
        let enclosing = walker.facts.definitions.get(scope);
        is_whole && enclosing.is_some_and(|enclosing| enclosing.place.start_byte.get() as usize == outer.start_byte())
    });
    if let Some(name) = node.child_by_field_name("name").filter(|_| is_own) {
        let definition = walker.define(Draft::new(SymbolKind::Field, name, node));
        walker.open(definition);
    }
    Flow::Descend
}

/// The title of a call of one of these functions, in a test file.
fn titled<'t>(walker: &Walker<'t>, call: Node<'t>, functions: &[&str]) -> Option<Node<'t>> {
    if !walker.role.test || call.kind() != "function_call_expr" {
        return None;
    }
    let target = call.child_by_field_name("target")?;
    let name = walker.text(target);
    let name = name.strip_prefix("Test.").unwrap_or(name);
    let mut arguments = call.children_by_field_name("arg");
    arguments
        .find(|argument| argument.kind() == "string_constant_expr")
        .filter(|_| functions.contains(&name))
}

const TESTS: &[&str] = &["test", "fuzz", "fuzz2", "fuzz3"];

/// A call that declares a group of tests, or a test with its function in parentheses.
fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(title) = titled(walker, node, &["describe"]) {
        let group = define_test(walker, node, title, SymbolKind::Namespace);
        walker.open(group);
    } else if let Some(title) = titled(walker, node, TESTS) {
        let function = node.children_by_field_name("arg").find_map(|argument| {
            match argument.kind() {
                "parenthesized_expr" => argument.child_by_field_name("expression"),
                _ => Some(argument),
            }
            .filter(|argument| argument.kind() == "anonymous_function_expr")
        });
        if let Some(function) = function {
            let test = define_test(walker, node, title, SymbolKind::Test);
            walker.claim(function, test);
        }
    }
    Flow::Descend
}

/// A test whose function is handed to it: `test "title" <| \_ -> …`.
fn piped_call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let title = node.named_child(0).and_then(|call| titled(walker, call, TESTS));
    if let (Some(title), Some(function)) = (title, child_of_kind(node, &["anonymous_function_expr"])) {
        let test = define_test(walker, node, title, SymbolKind::Test);
        walker.claim(function, test);
    }
    Flow::Descend
}

fn define_test<'t>(walker: &mut Walker<'t>, node: Node<'t>, title: Node<'t>, kind: SymbolKind) -> u32 {
    walker.define(Draft {
        name: Draftee::Named(title, walker.text(title).trim_matches('"')),
        signature: (node.start_byte(), title.end_byte()),
        visibility: Visibility::Private,
        ..Draft::new(kind, title, node)
    })
}

/// A function without a name; one that is the whole value of a declaration is that declaration.
fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
        return Flow::Descend;
    }
    let outer = walker.parent().map_or("", |parent| parent.kind());
    if matches!(outer, "value_declaration" | "anonymous_function_expr") {
        return Flow::Descend;
    }
    let end = child_of_kind(node, &["arrow"]).map_or(node.end_byte(), |arrow| arrow.start_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        ..Draft::anonymous(SymbolKind::Function, "lambda", node)
    });
    walker.open(definition);
    Flow::Descend
}

fn branch(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let is_default = node
        .child_by_field_name("pattern")
        .is_some_and(|pattern| walker.text(pattern) == "_");
    if !is_default {
        walker.decision();
    }
    Flow::Descend
}

fn operator(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let "&&" | "||" = walker.text(node) {
        walker.decision();
    }
    Flow::Descend
}

/// The module that the file declares; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let stem = path.file_name().strip_suffix(".elm").unwrap_or("");
    has_directory(path, &["test", "tests"]) || ["Test", "Tests", "Spec"].iter().any(|word| stem.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("tests/Main.elm", true),
            ("src/ParserTest.elm", true),
            ("src/Tests.elm", true),
            ("src/Attest.elm", false),
            ("src/Testing.elm", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn arrows_of_a_type_and_of_its_parts() {
        assert!(is_function_type("f : Int -> Int"));
        assert!(is_function_type("f : (a -> b) -> c"));
        assert!(!is_function_type("x : List (a -> b)"));
        assert!(!is_function_type("x : { f : a -> b }"));
        assert!(!is_function_type("x : Int"));
    }

    #[test]
    fn only_whole_records_have_fields() {
        let source = "module A exposing (..)\n\ntype alias R =\n    { a : { b : Int }\n    , f : { no : { no : Int } } -> Int\n    , g : List { no : Int }\n    }\n\n\
            type T\n    = C { c : Int } Int\n\nh : { no : Int } -> Int\nh r =\n    r.no\n";
        let expected = [
            "struct R 0",
            "field R.a 0",
            "field R.a.b 0",
            "field R.f 0",
            "field R.g 0",
            "enum T 0",
            "enum_member T.C 0",
            "field T.C.c 0",
            "function h 1",
        ];
        assert_eq!(crate::extract::outline(&ELM, source), expected);
    }
}
