//! Protocol Buffers: messages, enums, services and extensions, in the names that the compiler gives them.

use lore_model::{ImportFlags, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Walker, child_of_kind, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static PROTOBUF: Language = Language {
    name: "protobuf",
    dialect: "protobuf",
    extensions: &["proto"],
    grammar: || tree_sitter_proto::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("syntax", Rule::Visit(syntax)),
        ("edition", Rule::Visit(syntax)),
        ("package", Rule::Visit(package)),
        ("import", Rule::Visit(import)),
        ("message", Rule::Visit(message)),
        ("group", Rule::Visit(message)),
        ("field", Rule::Visit(field)),
        ("map_field", Rule::Visit(field)),
        ("oneof_field", Rule::Visit(field)),
        ("oneof", Rule::Visit(oneof)),
        ("enum", Rule::Visit(enumeration)),
        ("enum_field", Rule::Visit(enum_member)),
        ("service", Rule::Visit(service)),
        ("rpc", Rule::Visit(rpc)),
    ],
    module_name,
    is_test_file,
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["///", "//"],
    block: &[("/**", "*/"), ("/*", "*/")],
    except: &["// buf:", "// clang-format", "// LINT", "// NOLINT", "// (--", "// --)"],
};

/// A comment directly above the first statement documents the file, unless it is a licence.
fn syntax(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let doc = walker.doc_above(node.start_byte(), &DOC);
    if let Some(doc) = doc.filter(|doc| !doc.contains("opyright") && !doc.contains("icense")) {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

fn package(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["full_ident"])
        && walker.facts.package.is_empty()
    {
        let name: String = walker.text(name).split_whitespace().collect();
        walker.facts.package = walker.facts.text.push(&name);
    }
    syntax(walker, node)
}

/// An import makes all names of a file known here; a public one hands them on.
fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(path) = node.child_by_field_name("path") {
        let flags = if has_child(node, "public") {
            ImportFlags::REEXPORT
        } else {
            0
        };
        let path = walker.text(path).trim_matches(['"', '\'']);
        walker.import(node, path, "*", "*", flags);
    }
    Flow::Descend
}

/// Records a declaration whose signature ends at a byte.
fn define(walker: &mut Walker<'_>, kind: SymbolKind, name: Node<'_>, node: Node<'_>, end: usize) -> u32 {
    let mut modifiers = Modifiers::default();
    let mut visibility = Visibility::Public;
    match node.child(0).map(|word| word.kind()) {
        Some("optional") => modifiers.insert(Modifier::Optional),
        Some("local") => visibility = Visibility::Private,
        _ => {}
    }
    let doc = walker.doc_above(node.start_byte(), &DOC);
    walker.define(Draft {
        signature: (node.start_byte(), end),
        doc,
        visibility,
        modifiers,
        ..Draft::new(kind, name, node)
    })
}

/// Records a type and makes it the scope of what its braces hold.
fn declare_type(walker: &mut Walker<'_>, node: Node<'_>, kind: SymbolKind, name: &str, body: &str) -> Flow {
    if let Some(name) = child_of_kind(node, &[name]) {
        let end = child_of_kind(node, &[body]).map_or(node.end_byte(), |body| body.start_byte());
        let definition = define(walker, kind, name, node, end);
        walker.open(definition);
    }
    Flow::Descend
}

fn message(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Struct, "message_name", "message_body")
}

fn enumeration(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Enum, "enum_name", "enum_body")
}

fn service(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Interface, "service_name", "{")
}

/// A field of a message, or an extension, which belongs to what encloses the `extend`.
fn field(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["identifier"]) {
        define(walker, SymbolKind::Field, name, node, node.end_byte());
    }
    Flow::Descend
}

/// A choice between fields is a name of the message beside the fields, which it does not enclose.
fn oneof(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["identifier"]) {
        define(walker, SymbolKind::Field, name, node, name.end_byte());
    }
    Flow::Descend
}

fn enum_member(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["identifier"]) {
        define(walker, SymbolKind::EnumMember, name, node, node.end_byte());
    }
    Flow::Descend
}

fn rpc(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["rpc_name"]) {
        let end = child_of_kind(node, &["{"]).map_or(node.end_byte(), |brace| brace.start_byte());
        define(walker, SymbolKind::Method, name, node, end);
    }
    Flow::Descend
}

/// The package that the file declares; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    has_directory(path, &["test", "tests", "testdata"]) || path.file_name().ends_with("_test.proto")
}
