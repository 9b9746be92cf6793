//! Go: definitions, the comments above them, imports, and how packages are named.

mod entry_points;
mod flow;
mod resolve;
mod uses;

use lore_model::{RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Walker, clean_block_doc, clean_line_doc};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

use resolve::{module_name, roots};

pub(crate) static GO: Language = Language {
    name: "go",
    dialect: "go",
    extensions: &["go"],
    grammar: || tree_sitter_go::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("raw_string_literal", Rule::Leaf),
        ("package_clause", Rule::Visit(package)),
        ("import_spec", Rule::Visit(import)),
        ("function_declaration", Rule::Visit(function)),
        ("method_declaration", Rule::Visit(method)),
        ("func_literal", Rule::Visit(literal)),
        ("type_spec", Rule::Visit(type_spec)),
        ("type_alias", Rule::Visit(type_alias)),
        ("struct_type", Rule::Visit(struct_type)),
        ("interface_type", Rule::Visit(interface_type)),
        ("field_declaration", Rule::Visit(field)),
        ("method_elem", Rule::Visit(interface_method)),
        ("const_spec", Rule::Visit(constant)),
        ("var_spec", Rule::Visit(variable)),
        ("type_identifier", Rule::Visit(uses::type_name)),
        ("qualified_type", Rule::Visit(uses::type_name)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("expression_case", Rule::Decision),
        ("type_case", Rule::Decision),
        ("communication_case", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    roots,
    module_name,
    is_test_file,
    entry_points: entry_points::ENTRY_POINTS,
    flow: Some(&flow::RULES),
    ..Language::BASE
};

/// Marks the scope of a struct whose fields are recorded.
const FIELDS: u32 = 1;
/// Marks the scope of an interface whose methods are recorded.
const METHODS: u32 = 2;

/// The comment lines directly above a byte.
fn doc_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let run = walker.comments_before(byte);
    let (_, end) = run.last()?;
    if !walker.slice(*end as usize, byte).contains('\n') {
        return None;
    }
    // A comment behind code on its line belongs to that code.
    let first = run
        .iter()
        .rposition(|(start, _)| !walker.begins_line(*start as usize))
        .map_or(0, |at| at + 1);
    let comments: Vec<&str> = run
        .iter()
        .skip(first)
        .map(|(start, end)| walker.slice(*start as usize, *end as usize))
        .filter(|comment| !is_directive(comment))
        .collect();
    let mut doc = String::new();
    for group in comments.chunk_by(|one, next| one.starts_with("//") && next.starts_with("//")) {
        if !doc.is_empty() {
            doc.push('\n');
        }
        match group {
            [block] if block.starts_with("/*") => doc.push_str(&clean_block_doc(block)),
            lines => doc.push_str(&clean_line_doc(lines.iter().copied(), &["//"])),
        }
    }
    (!doc.is_empty()).then_some(doc)
}

/// Whether a comment speaks to a tool: `//go:noinline`, `//export f`, `//line f.go:1`.
fn is_directive(comment: &str) -> bool {
    let Some(text) = comment.strip_prefix("//") else {
        return false;
    };
    if ["line ", "extern ", "export "]
        .iter()
        .any(|word| text.starts_with(word))
    {
        return true;
    }
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.split_once(':').is_some_and(|(tool, rest)| {
        !tool.is_empty() && tool.bytes().all(is_word) && rest.bytes().next().is_some_and(is_word)
    })
}

fn visibility(name: &str) -> Visibility {
    if name.chars().next().is_some_and(char::is_uppercase) {
        Visibility::Public
    } else {
        Visibility::Internal
    }
}

fn package(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.named_children().find(|child| child.kind() == "package_identifier") else {
        return Flow::Descend;
    };
    if walker.facts.package.is_empty() {
        let name = walker.text(name);
        walker.facts.package = walker.facts.text.push(name);
        if let Some(doc) = doc_above(walker, node.start_byte()) {
            walker.module_doc(&doc);
        }
    }
    Flow::Descend
}

fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(path) = node.child_by_field_name("path") else {
        return Flow::Descend;
    };
    let path = walker.text(path).trim_matches(['"', '`']);
    match node.child_by_field_name("name").map(|name| walker.text(name)) {
        None => walker.import(node, path, "", package_of(path), 0),
        Some(".") => walker.import(node, path, "*", "*", 0),
        Some("_") => walker.import(node, path, "", "", 0),
        Some(name) => walker.import(node, path, "", name, 0),
    }
    Flow::Descend
}

/// The name by which an import path is most likely known: its last part that is no version.
fn package_of(path: &str) -> &str {
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let name = if is_version(last) {
        parts.next().unwrap_or(last)
    } else {
        last
    };
    match name.rsplit_once('.') {
        Some((stem, version)) if !stem.is_empty() && is_version(version) => stem,
        _ => name,
    }
}

/// Where the signature of a function ends.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

fn function(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    match node.child_by_field_name("name") {
        Some(name) => define_function(walker, node, name),
        None => Flow::Descend,
    }
}

fn define_function(walker: &mut Walker<'_>, node: Node<'_>, name: Node<'_>) -> Flow {
    let text = walker.text(name);
    if text == "_" {
        walker.open_named("", SymbolKind::Function, 0);
        return Flow::Descend;
    }
    let is_test = walker.role.test && is_test_name(text);
    let definition = walker.define(Draft {
        signature: (node.start_byte(), body_start(node)),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(text),
        ..Draft::new(
            if is_test {
                SymbolKind::Test
            } else {
                SymbolKind::Function
            },
            name,
            node,
        )
    });
    walker.open(definition);
    Flow::Descend
}

/// Whether the tool that runs tests takes a function of this name for one.
fn is_test_name(name: &str) -> bool {
    name != "TestMain"
        && ["Test", "Benchmark", "Fuzz", "Example"]
            .iter()
            .filter_map(|prefix| name.strip_prefix(prefix))
            .any(|rest| !rest.starts_with(char::is_lowercase))
}

fn method(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let text = walker.text(name);
    if text == "_" {
        walker.open_named("", SymbolKind::Method, 0);
        return Flow::Descend;
    }
    let owner = receiver(node).map_or("", |owner| walker.text(owner));
    let definition = walker.define(Draft {
        signature: (node.start_byte(), body_start(node)),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(text),
        owner,
        at_module: true,
        ..Draft::new(SymbolKind::Method, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// The name of the type that a method belongs to.
fn receiver(method: Node<'_>) -> Option<Node<'_>> {
    let receiver = method.child_by_field_name("receiver")?;
    let parameter = receiver
        .named_children()
        .find(|child| child.kind() == "parameter_declaration")?;
    type_name(parameter.child_by_field_name("type")?)
}

/// The bare name in a type: without pointer, package and type arguments.
fn type_name(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind() {
            "type_identifier" => return Some(node),
            "generic_type" => node.child_by_field_name("type")?,
            "qualified_type" => node.child_by_field_name("name")?,
            "pointer_type" | "parenthesized_type" => node.named_child(0)?,
            _ => return None,
        };
    }
}

fn literal(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let definition = match (walker.claimed(node), misread_name(node)) {
        (Some(definition), _) => definition,
        (None, Some(name)) if !walker.in_function() => return define_function(walker, node, name),
        (None, _) => walker.define(Draft {
            signature: (node.start_byte(), body_start(node)),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

/// The name of a declaration that the parser took for a literal, because of an error before it.
fn misread_name(literal: Node<'_>) -> Option<Node<'_>> {
    let error = literal
        .child(1)
        .filter(|child| child.is_error() && child.child_count() == 1)?;
    error.child(0).filter(|name| name.kind() == "identifier")
}

/// How a specification stands in its declaration.
struct Declared<'t> {
    /// What the reader sees as the definition: the declaration, or the specification where it is one of a group.
    span: Node<'t>,
    /// The declaration whose comment speaks for the specification where that has none of its own.
    spoken_for: Option<Node<'t>>,
}

impl<'t> Declared<'t> {
    /// The declaration of the specification under the cursor.
    fn of(walker: &Walker<'t>, spec: Node<'t>) -> Self {
        let mut ancestors = walker.ancestors();
        let Some(list) = ancestors.next() else {
            return Self {
                span: spec,
                spoken_for: None,
            };
        };
        let (declaration, grouped) = match list.kind() {
            "var_spec_list" => (ancestors.next(), true),
            "const_declaration" | "type_declaration" | "var_declaration" => (Some(list), has_parenthesis(list)),
            _ => (None, true),
        };
        match (declaration, grouped) {
            (Some(declaration), false) => Self {
                span: declaration,
                spoken_for: None,
            },
            (Some(declaration), true) => {
                let specs = list
                    .named_children()
                    .filter(|child| child.kind() != "comment")
                    .take(2)
                    .count();
                Self {
                    span: spec,
                    spoken_for: (specs == 1).then_some(declaration),
                }
            }
            (None, _) => Self {
                span: spec,
                spoken_for: None,
            },
        }
    }

    fn doc(&self, walker: &Walker<'_>) -> Option<String> {
        doc_above(walker, self.span.start_byte()).or_else(|| {
            self.spoken_for
                .and_then(|declaration| doc_above(walker, declaration.start_byte()))
        })
    }
}

/// Whether a declaration is a group in parentheses.
fn has_parenthesis(declaration: Node<'_>) -> bool {
    declaration
        .children()
        .skip(1)
        .find(|child| child.kind() != "comment")
        .is_some_and(|child| child.kind() == "(")
}

/// Where the members of a struct or interface begin.
fn members_start(node: Node<'_>) -> usize {
    node.children()
        .find(|child| matches!(child.kind(), "{" | "field_declaration_list"))
        .map_or(node.end_byte(), |members| members.start_byte())
}

fn type_spec<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(declared_type)) = (node.child_by_field_name("name"), node.child_by_field_name("type")) else {
        return Flow::Descend;
    };
    let (kind, end) = match declared_type.kind() {
        "struct_type" => (SymbolKind::Struct, members_start(declared_type)),
        "interface_type" => (SymbolKind::Interface, members_start(declared_type)),
        _ => (SymbolKind::TypeAlias, node.end_byte()),
    };
    if let Some(definition) = define_type(walker, node, name, kind, end)
        && kind != SymbolKind::TypeAlias
    {
        walker.claim(declared_type, definition);
    }
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    define_type(walker, node, name, SymbolKind::TypeAlias, node.end_byte());
    Flow::Descend
}

fn define_type<'t>(
    walker: &mut Walker<'t>,
    spec: Node<'t>,
    name: Node<'t>,
    kind: SymbolKind,
    end: usize,
) -> Option<u32> {
    let text = walker.text(name);
    if text == "_" {
        return None;
    }
    let declared = Declared::of(walker, spec);
    let definition = walker.define(Draft {
        signature: (declared.span.start_byte(), end),
        doc: declared.doc(walker),
        visibility: visibility(text),
        ..Draft::new(kind, name, declared.span)
    });
    walker.note_definition(spec, definition);
    Some(definition)
}

fn struct_type(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    open_members(walker, node, FIELDS)
}

fn interface_type(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    open_members(walker, node, METHODS)
}

/// Opens the definition that a type belongs to; the members of any other type are nobody's.
fn open_members(walker: &mut Walker<'_>, node: Node<'_>, mark: u32) -> Flow {
    match walker.claimed(node) {
        Some(definition) => walker.open_marked(definition, mark),
        None => walker.open_named("", SymbolKind::Namespace, 0),
    }
    Flow::Descend
}

fn field(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker.scope().mark & FIELDS == 0 {
        return Flow::Descend;
    }
    let Some(field_type) = node.child_by_field_name("type") else {
        return Flow::Descend;
    };
    let inner = inner_struct(field_type);
    let end = inner.map_or(node.end_byte(), members_start);
    let mut claimed = false;
    let mut named = false;
    for name in node
        .children_by_field_name("name")
        .filter(|name| name.kind() == "field_identifier")
    {
        named = true;
        let definition = define_member(walker, node, name, SymbolKind::Field, end);
        if let (Some(definition), Some(inner), false) = (definition, inner, claimed) {
            walker.claim(inner, definition);
            claimed = true;
        }
    }
    if !named && let Some(name) = type_name(field_type) {
        define_member(walker, node, name, SymbolKind::Field, end);
    }
    Flow::Descend
}

/// The struct without a name that a field holds, directly or many times.
fn inner_struct(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind() {
            "struct_type" => return Some(node),
            "pointer_type" | "parenthesized_type" => node.named_child(0)?,
            "slice_type" | "array_type" => node.child_by_field_name("element")?,
            "map_type" | "channel_type" => node.child_by_field_name("value")?,
            _ => return None,
        };
    }
}

fn interface_method(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker.scope().mark & METHODS != 0
        && let Some(name) = node.child_by_field_name("name")
        && let Some(definition) = define_member(walker, node, name, SymbolKind::Method, node.end_byte())
    {
        walker.note_definition(node, definition);
    }
    Flow::Descend
}

fn define_member(walker: &mut Walker<'_>, node: Node<'_>, name: Node<'_>, kind: SymbolKind, end: usize) -> Option<u32> {
    let text = walker.text(name);
    if text == "_" {
        return None;
    }
    Some(walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(text),
        ..Draft::new(kind, name, node)
    }))
}

fn constant<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let declared = Declared::of(walker, node);
    let doc = declared.doc(walker);
    for name in node
        .children_by_field_name("name")
        .filter(|name| name.kind() == "identifier")
    {
        let text = walker.text(name);
        if text != "_" {
            walker.define(Draft {
                signature: (declared.span.start_byte(), node.end_byte()),
                doc: doc.clone(),
                visibility: visibility(text),
                ..Draft::new(SymbolKind::Constant, name, declared.span)
            });
        }
    }
    Flow::Descend
}

fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.in_function() {
        return Flow::Descend;
    }
    let declared = Declared::of(walker, node);
    let doc = declared.doc(walker);
    let names: Vec<_> = node
        .children_by_field_name("name")
        .filter(|name| name.kind() == "identifier")
        .collect();
    let list = node.child_by_field_name("value");
    let values: Vec<_> = list.map_or_else(Vec::new, |list| {
        list.named_children()
            .filter(|value| value.kind() != "comment")
            .take(names.len() + 1)
            .collect()
    });
    for (at, name) in names.iter().enumerate() {
        let text = walker.text(*name);
        if text == "_" {
            continue;
        }
        let literal = values
            .get(at)
            .filter(|value| values.len() == names.len() && value.kind() == "func_literal");
        let kind = if literal.is_some() {
            SymbolKind::Function
        } else {
            SymbolKind::Static
        };
        let end = literal.map_or(node.end_byte(), |literal| body_start(*literal));
        let definition = walker.define(Draft {
            signature: (declared.span.start_byte(), end),
            doc: doc.clone(),
            visibility: visibility(text),
            ..Draft::new(kind, *name, declared.span)
        });
        match literal {
            Some(literal) => walker.claim(*literal, definition),
            None if names.len() == 1 => walker.open(definition),
            None => {}
        }
    }
    Flow::Descend
}

fn is_test_file(path: &RepoPath) -> bool {
    path.file_name().ends_with("_test.go")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&GO, source)
    }

    #[test]
    fn import_paths_name_their_package() {
        for (path, package) in [
            ("fmt", "fmt"),
            ("net/http", "http"),
            ("example.com/acme/widgets/v2", "widgets"),
            ("gopkg.in/yaml.v3", "yaml"),
            ("example.com/vault", "vault"),
            ("v2", "v2"),
        ] {
            assert_eq!(package_of(path), package, "{path}");
        }
    }

    #[test]
    fn comments_that_speak_to_tools() {
        for comment in ["//go:noinline", "//export f", "//line a.go:3", "//nolint:all"] {
            assert!(is_directive(comment), "{comment}");
        }
        for comment in [
            "// go:noinline",
            "// note: this",
            "//",
            "//note: this",
            "/*go:x*/",
            "//Go:x",
        ] {
            assert!(!is_directive(comment), "{comment}");
        }
    }

    #[test]
    fn directories_name_packages() {
        let named =
            |path: &str, package: &str| module_name(&[], &RepoPath::new(path).expect("the path is relative"), package);
        assert_eq!(named("main.go", "main"), "main");
        assert_eq!(named("a.go", ""), "main");
        assert_eq!(named("lib_test.go", "lib_test"), "lib_test");
        assert_eq!(named("internal/store/store.go", "store"), "internal/store");
        assert_eq!(named("internal/store/store_test.go", "store"), "internal/store");
        assert_eq!(named("internal/store/api_test.go", "store_test"), "internal/store_test");
        assert_eq!(named("store_test/api_test.go", "store_test"), "store_test");
        assert_eq!(named("store/api.go", "store_test"), "store");
    }

    #[test]
    fn comments_belong_to_what_stands_below_them() {
        let source = "package a\n\ntype T struct {\n\ta int // of a\n\tb int\n\t// of c\n\t// and more\n\tc int\n}\n\n\
            // of the only one\nconst (\n\tOne = 1\n)\n\n// of no one\nvar (\n\tx = 1\n\ty = 2\n)\n\n\
            /* A block */\n//go:noinline\nfunc f() {}\n\n/* on the line */ func g() {}\n";
        let expected = [
            "struct T 0",
            "field T.a 0",
            "field T.b 0",
            "field T.c 0 \"of c\\nand more\"",
            "constant One 0 \"of the only one\"",
            "static x 0",
            "static y 0",
            "function f 1 \"A block\"",
            "function g 1",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn members_of_types_without_a_name_are_those_of_a_field_or_of_nobody() {
        let source = "package a\ntype I[P interface{ No() }] interface { M(x interface{ No() }) struct{ no int } }\n\
            type T struct {\n\tItems []struct{ Name string }\n\tf func(struct{ no int })\n}\n\
            type A = struct{ no int }\nvar v struct{ no int }\n\
            func g(p struct{ no int }) { type L struct{ yes int } }\n";
        let expected = [
            "interface I 0",
            "method I.M 1",
            "struct T 0",
            "field T.Items 0",
            "field T.Items.Name 0",
            "field T.f 0",
            "type_alias A 0",
            "static v 0",
            "function g 1",
            "struct g.L 0",
            "field g.L.yes 0",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn functions_without_a_name_hide_their_variables() {
        let source = "package a\nfunc _() { var no = 1 }\nvar _ = func() { var no = 1 }\n\
            var m = map[string]func(){\"a\": func() { if true && false {} }}\nvar x, y = func() {}, func() { for {} }\n";
        let expected = [
            "function <lambda1> 1",
            "static m 0",
            "function m.<lambda1> 3",
            "function x 1",
            "function y 2",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn names_of_tests() {
        for (name, expected) in [
            ("TestX", true),
            ("Test_x", true),
            ("Test1", true),
            ("Example", true),
            ("BenchmarkX", true),
            ("Testify", false),
            ("TestMain", false),
            ("testX", false),
        ] {
            assert_eq!(is_test_name(name), expected, "{name}");
        }
    }
}
