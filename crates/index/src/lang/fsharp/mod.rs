//! F#, implementations, scripts and signatures: modules, values and functions, documentation and attributes.
//!
//! What a `let` or `val` binds is in `values`, what types hold in `types`, how member signatures are made readable for the grammar in `signature`.

mod flow;
mod signature;
mod types;
mod values;

use lore_model::{Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::Root;
use crate::syntax::Node;

pub(crate) static FSHARP: Language = Language {
    name: "fsharp",
    dialect: "fsharp",
    extensions: &["fsx", "fsscript"],
    disputed: &["fs"],
    likeness,
    interpreters: &["fsharpi"],
    grammar: || tree_sitter_fsharp::LANGUAGE_FSHARP.into(),
    rules: &[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("xml_doc", Rule::Comment),
        ("string", Rule::Text),
        ("verbatim_string", Rule::Text),
        ("triple_quoted_string", Rule::Text),
        ("named_module", Rule::Visit(named_module)),
        ("namespace", Rule::Visit(namespace)),
        ("module_defn", Rule::Visit(module)),
        ("module_abbrev", Rule::Visit(module_abbreviation)),
        ("import_decl", Rule::Visit(import)),
        ("fsi_directive_decl", Rule::Visit(script_directive)),
        ("attributes", Rule::Visit(attributes)),
        ("function_or_value_defn", Rule::Visit(values::binding)),
        ("extern_binding", Rule::Visit(values::external)),
        ("anon_type_defn", Rule::Visit(types::class)),
        ("interface_type_defn", Rule::Visit(types::interface)),
        ("record_type_defn", Rule::Visit(types::record)),
        ("union_type_defn", Rule::Visit(types::union)),
        ("enum_type_defn", Rule::Visit(types::union)),
        ("type_abbrev_defn", Rule::Visit(types::alias)),
        ("delegate_type_defn", Rule::Visit(types::alias)),
        ("type_declaration", Rule::Visit(types::alias)),
        ("type_extension", Rule::Visit(types::extension)),
        ("exception_definition", Rule::Visit(types::exception)),
        ("union_type_case", Rule::Visit(types::case)),
        ("enum_type_case", Rule::Visit(types::case)),
        ("record_field", Rule::Visit(types::field)),
        ("member_defn", Rule::Visit(types::member)),
        ("object_expression", Rule::Visit(types::object)),
        ("rule", Rule::Visit(rule)),
        ("identifier", Rule::Visit(misread_guard)),
        ("infix_op", Rule::Visit(operator)),
        ("elif_expression", Rule::Decision),
        // Expressions, any of which may be the body of one of several functions that `and` joins.
        ("if_expression", Rule::Visit(expression)),
        ("while_expression", Rule::Visit(expression)),
        ("for_expression", Rule::Visit(expression)),
        ("fun_expression", Rule::Visit(lambda)),
        ("function_expression", Rule::Visit(lambda)),
        ("anon_record_expression", Rule::Visit(expression)),
        ("application_expression", Rule::Visit(expression)),
        ("array_expression", Rule::Visit(expression)),
        ("begin_end_expression", Rule::Visit(expression)),
        ("brace_expression", Rule::Visit(expression)),
        ("ce_expression", Rule::Visit(expression)),
        ("const", Rule::Visit(expression)),
        ("declaration_expression", Rule::Visit(expression)),
        ("do_expression", Rule::Visit(expression)),
        ("dot_expression", Rule::Visit(expression)),
        ("generic_new_expression", Rule::Visit(expression)),
        ("index_expression", Rule::Visit(expression)),
        ("infix_expression", Rule::Visit(expression)),
        ("list_expression", Rule::Visit(expression)),
        ("literal_expression", Rule::Visit(expression)),
        ("long_identifier_or_op", Rule::Visit(expression)),
        ("match_expression", Rule::Visit(expression)),
        ("mutate_expression", Rule::Visit(expression)),
        ("paren_expression", Rule::Visit(expression)),
        ("prefixed_expression", Rule::Visit(expression)),
        ("preproc_if", Rule::Visit(expression)),
        ("sequential_expression", Rule::Visit(expression)),
        ("short_comp_expression", Rule::Visit(expression)),
        ("srtp_call_expression", Rule::Visit(expression)),
        ("try_expression", Rule::Visit(expression)),
        ("tuple_expression", Rule::Visit(expression)),
        ("typecast_expression", Rule::Visit(expression)),
        ("typed_expression", Rule::Visit(expression)),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    names_by_file: true,
    ..Language::BASE
};

pub(crate) static FSHARP_SIGNATURE: Language = Language {
    name: "fsharp",
    dialect: "fsharp_signature",
    extensions: &["fsi"],
    grammar: || tree_sitter_fsharp::LANGUAGE_SIGNATURE.into(),
    blank: signature::blank,
    rules: &[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("xml_doc", Rule::Comment),
        ("named_module", Rule::Visit(named_module)),
        ("namespace", Rule::Visit(namespace)),
        ("module_defn", Rule::Visit(module)),
        ("module_abbrev", Rule::Visit(module_abbreviation)),
        ("import_decl", Rule::Visit(import)),
        ("attributes", Rule::Visit(attributes)),
        ("value_definition", Rule::Visit(values::specification)),
        ("anon_type_defn", Rule::Visit(types::class)),
        ("interface_type_defn", Rule::Visit(types::interface)),
        ("record_type_defn", Rule::Visit(types::record)),
        ("union_type_defn", Rule::Visit(types::union)),
        ("enum_type_defn", Rule::Visit(types::union)),
        ("type_abbrev_defn", Rule::Visit(types::alias)),
        ("delegate_type_defn", Rule::Visit(types::alias)),
        ("type_declaration", Rule::Visit(types::alias)),
        ("type_extension", Rule::Visit(types::extension)),
        ("exception_definition", Rule::Visit(types::exception)),
        ("union_type_case", Rule::Visit(types::case)),
        ("enum_type_case", Rule::Visit(types::case)),
        ("record_field", Rule::Visit(types::field)),
        ("member_defn", Rule::Visit(types::member)),
    ],
    module_name,
    is_test_file,
    declaration_suffixes: &[".fsi"],
    ..Language::BASE
};

const DOCS: DocStyle = DocStyle {
    line: &["///"],
    block: &[],
    except: &["////"],
};

/// Lines that are looked at to tell the language of a text.
const LIKENESS_LINES: usize = 400;

/// What to record, as a node of the grammar cannot hold it: the end leaves out comments that follow.
struct Item<'t> {
    kind: SymbolKind,
    name: Node<'t>,
    /// The node that begins where the definition begins.
    span: Node<'t>,
    /// Where its own words begin, without attributes.
    start: usize,
    /// Where its signature ends.
    head_end: usize,
    /// Where it ends itself.
    end: usize,
    doc: Option<String>,
    visibility: Visibility,
    modifiers: Modifiers,
    decorators: Vec<&'t str>,
}

impl Item<'_> {
    fn define(self, walker: &mut Walker<'_>) -> u32 {
        let end = content_end(walker, self.span.start_byte(), self.end);
        let visibility = if walker.in_function() {
            Visibility::Private
        } else {
            self.visibility
        };
        let id = walker.define(Draft {
            name: Draftee::Named(self.name, bare_name(walker.text(self.name))),
            signature: (self.start, self.head_end.min(end).max(self.start)),
            doc: self.doc,
            visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            ..Draft::new(self.kind, self.name, self.span)
        });
        end_at(walker, id, end);
        id
    }
}

/// Says where a definition ends.
fn end_at(walker: &mut Walker<'_>, definition: u32, end: usize) {
    let last_row = walker.row_of(end.saturating_sub(1));
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.end_byte = (end as u32).into();
        definition.place.end_line = (last_row + 1).into();
    }
}

/// A name without the signs that let it be any text, or the parentheses around an operator or active pattern.
fn bare_name(name: &str) -> &str {
    let operator = name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
    match operator {
        Some(operator) => operator.trim(),
        None => name.trim_matches('`'),
    }
}

/// Where what begins at a byte ends, without the white space and comments that the grammar adds to it.
fn content_end(walker: &Walker<'_>, start: usize, end: usize) -> usize {
    let mut content = walker.slice(start, end).trim_end();
    loop {
        let line_start = content.rfind('\n').map_or(0, |at| at + 1);
        let line = content.get(line_start..).unwrap_or("").trim_start();
        let before = match line.starts_with("//") || line.starts_with("#endif") || line.starts_with("#else") {
            true => line_start,
            false if line.starts_with("(*") && line.ends_with("*)") => line_start,
            false => return start + content.len(),
        };
        match content.get(..before).map(str::trim_end) {
            Some(rest) if !rest.is_empty() => content = rest,
            _ => return start + content.len(),
        }
    }
}

/// Where a declaration ends whose body begins at a byte: before the sign that leads over to it.
fn head_end(walker: &Walker<'_>, start: usize, body: usize) -> usize {
    let head = walker.slice(start, body).trim_end();
    start + head.strip_suffix('=').unwrap_or(head).trim_end().len()
}

/// The visibility that a node's access modifier gives.
fn visibility(walker: &Walker<'_>, node: Node<'_>) -> Option<Visibility> {
    let modifier = child_of_kind(node, &["access_modifier"])?;
    Some(match walker.text(modifier) {
        "private" => Visibility::Private,
        "internal" => Visibility::Internal,
        _ => Visibility::Public,
    })
}

/// Remembers attributes for what they stand before.
fn attributes<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    walker
        .attributes
        .push((node.start_byte() as u32, node.end_byte() as u32));
    Flow::Descend
}

/// The attributes in lists of them, without brackets.
fn split_attributes<'t>(lists: &[&'t str]) -> Vec<&'t str> {
    let mut found = Vec::new();
    // Lists that follow each other may be one node.
    for list in lists.iter().flat_map(|lists| lists.split(">]")) {
        let list = list.trim_start().trim_start_matches("[<");
        let (mut depth, mut quoted, mut start) = (0, false, 0);
        for (at, byte) in list.bytes().enumerate() {
            match byte {
                b'"' => quoted = !quoted,
                b'(' | b'[' if !quoted => depth += 1,
                b')' | b']' if !quoted => depth -= 1,
                b';' if !quoted && depth == 0 => {
                    found.push(list.get(start..at).unwrap_or("").trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        found.push(list.get(start..).unwrap_or("").trim());
    }
    found.retain(|attribute| !attribute.is_empty());
    found
}

/// The attributes that a node itself holds, and where the node goes on after them.
fn own_attributes<'t>(walker: &Walker<'t>, node: Node<'_>) -> (Vec<&'t str>, usize) {
    let lists: Vec<&str> = children_of_kind(node, &["attributes"])
        .into_iter()
        .map(|list| walker.text(list))
        .collect();
    let start = node
        .children()
        .find(|child| {
            !matches!(
                child.kind(),
                "attributes" | "line_comment" | "block_comment" | "xml_doc"
            )
        })
        .map_or(node.start_byte(), |child| child.start_byte());
    (split_attributes(&lists), start)
}

/// Whether attributes make a test of what bears them.
fn is_test(decorators: &[&str]) -> bool {
    decorators.iter().any(|decorator| {
        let name = decorator.split(['(', '<']).next().unwrap_or("").trim();
        let last = name.rsplit('.').next().unwrap_or(name);
        matches!(
            last.strip_suffix("Attribute").unwrap_or(last),
            "Test" | "TestCase" | "Fact" | "Theory" | "TestMethod" | "Property"
        )
    })
}

/// The documentation above a byte, read from the text: comments between bindings that `and` joins are not known in time.
fn doc_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let mut above = walker.slice(0, byte);
    above = above.get(..above.rfind('\n')?)?;
    let mut lines = Vec::new();
    loop {
        let line_start = above.rfind('\n').map_or(0, |at| at + 1);
        let line = above.get(line_start..)?.trim();
        // The first field or case may share its line with what opens the type.
        let comment = line.trim_start_matches(['{', ' ']);
        if !comment.starts_with("//") {
            break;
        }
        lines.push(comment);
        if line_start == 0 || comment.len() < line.len() {
            break;
        }
        above = above.get(..line_start - 1)?;
    }
    lines.reverse();
    DOCS.read(&lines)
}

/// The module that a file is.
fn named_module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_package(walker, node);
    Flow::Descend
}

/// The namespace that a file adds to; a second one is a scope of its own.
fn namespace<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.facts.package.is_empty() && walker.facts.definitions.is_empty() {
        declare_package(walker, node);
    } else if let Some(name) = child_of_kind(node, &["long_identifier"]) {
        let package = walker.facts.text.get(walker.facts.package).to_owned();
        let whole = walker.text(name);
        // What the first one already says of its name is not said twice.
        let inner = whole.strip_prefix(&package).and_then(|rest| rest.strip_prefix('.'));
        let definition = walker.define(Draft {
            name: Draftee::Named(name, inner.unwrap_or(whole)),
            signature: (node.start_byte(), name.end_byte()),
            ..Draft::new(SymbolKind::Namespace, name, node)
        });
        let end = content_end(walker, node.start_byte(), node.end_byte());
        end_at(walker, definition, end);
        walker.open(definition);
    }
    Flow::Descend
}

fn declare_package<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let Some(name) = child_of_kind(node, &["long_identifier"]) else {
        return;
    };
    let name: String = walker.text(name).split_whitespace().collect();
    if walker.facts.package.is_empty() {
        walker.facts.package = walker.facts.text.push(&name);
        if let Some(doc) = doc_above(walker, node.start_byte()) {
            walker.module_doc(&doc);
        }
    }
}

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["identifier"]) else {
        return Flow::Descend;
    };
    let (decorators, start) = own_attributes(walker, node);
    let definition = Item {
        kind: SymbolKind::Namespace,
        name,
        span: node,
        start,
        head_end: name.end_byte(),
        end: node.end_byte(),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, node).unwrap_or(Visibility::Public),
        modifiers: Modifiers::default(),
        decorators,
    }
    .define(walker);
    walker.open(definition);
    Flow::Descend
}

/// `module M = A.B` binds another name for a module, in this file only.
fn module_abbreviation<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let (Some(name), Some(path)) = (
        child_of_kind(node, &["identifier"]),
        child_of_kind(node, &["long_identifier"]),
    ) {
        let (name, path) = (walker.text(name), walker.text(path));
        walker.import(node, path, "", name, 0);
    }
    Flow::Descend
}

fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(path) = child_of_kind(node, &["long_identifier"]) {
        let path: String = walker.text(path).split_whitespace().collect();
        walker.import(node, &path, "*", "*", 0);
    }
    Flow::Descend
}

/// A script that another one loads.
fn script_directive<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if has_child(node, "#load") {
        for path in children_of_kind(node, &["string", "verbatim_string"]) {
            let path = walker.text(path).trim_start_matches('@').trim_matches('"');
            walker.import(node, path, "", "", 0);
        }
    }
    Flow::Descend
}

/// An expression, which may be the body of one of several bindings.
fn expression<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = claimed_body(walker, node) {
        walker.open(definition);
        if let "if_expression" | "while_expression" | "for_expression" = node.kind() {
            count(walker, definition);
        }
    } else if let "if_expression" | "while_expression" | "for_expression" = node.kind() {
        walker.decision();
    }
    Flow::Descend
}

/// The definition that claimed a node; only what stands in a `let` is worth asking for.
fn claimed_body<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Option<u32> {
    let is_bound = walker
        .parent()
        .is_some_and(|parent| parent.kind() == "function_or_value_defn");
    is_bound.then(|| walker.claimed(node)).flatten()
}

/// One more way through a definition whose scope is only being opened.
fn count(walker: &mut Walker<'_>, definition: u32) {
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize)
        && definition.complexity.get() > 0
    {
        definition.complexity = (definition.complexity.get() + 1).into();
    }
}

/// A function without a name. One that is the whole value of a binding or of another function is part of that.
fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = claimed_body(walker, node) {
        walker.open(definition);
        return Flow::Descend;
    }
    let outer = walker
        .ancestors()
        .find(|parent| parent.kind() != "paren_expression")
        .map_or("", |parent| parent.kind());
    if matches!(
        outer,
        "function_or_value_defn" | "method_or_prop_defn" | "fun_expression" | "function_expression"
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
fn rule<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let catches = walker
        .ancestors()
        .nth(1)
        .is_some_and(|parent| parent.kind() == "try_expression");
    let has_guard = node.child_by_field_name("guard").is_some();
    let is_default = !has_guard
        && node
            .child_by_field_name("pattern")
            .is_some_and(|pattern| pattern.kind() == "wildcard_pattern");
    if catches || !is_default {
        walker.decisions(1 + u32::from(has_guard));
    }
    Flow::Descend
}

/// The grammar reads the cases of a `match` on one line, from the second on, as operators and applications.
fn operator(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    match walker.text(node) {
        "&&" | "||" => walker.decision(),
        "->" => {
            let before = walker.slice(0, node.start_byte()).trim_end();
            let pattern = before.strip_suffix('_').map_or("", str::trim_end);
            if !pattern.ends_with('|') {
                walker.decision();
            }
        }
        _ => {}
    }
    Flow::Descend
}

/// The guard of such a case.
fn misread_guard(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker.text(node) == "when" {
        walker.decision();
    }
    Flow::Descend
}

/// The module or namespace that the file declares; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let is_tests = |name: &str| {
        ["Tests", "Test", "Specs", "Spec"]
            .iter()
            .any(|word| name.ends_with(word))
    };
    let stem = path.file_name().rsplit_once('.').map_or("", |(stem, _)| stem);
    is_tests(stem)
        || path
            .directory()
            .split('/')
            .any(|part| is_tests(part) || matches!(part, "tests" | "test"))
}

/// Shaders and Forth use the extension too.
fn likeness(text: &str) -> u8 {
    const OURS: &[&str] = &[
        "module ",
        "namespace ",
        "open ",
        "let ",
        "type ",
        "[<",
        "member ",
        "exception ",
        "#load ",
        "#r ",
        "#nowarn",
        "#light",
    ];
    const SHADERS: &[&str] = &[
        "#version",
        "#extension",
        "uniform ",
        "varying ",
        "attribute ",
        "precision ",
        "void main",
        "layout(",
        "layout (",
        "in vec",
        "out vec",
        "gl_",
        "vec2 ",
        "vec3 ",
        "vec4 ",
    ];
    const FORTH: &[&str] = &[": ", "\\ ", "( "];
    let (mut ours, mut theirs) = (0, 0);
    for line in text.lines().take(LIKENESS_LINES) {
        let line = line.trim_start();
        ours += usize::from(OURS.iter().any(|sign| line.starts_with(sign)));
        theirs += usize::from(SHADERS.iter().chain(FORTH).any(|sign| line.starts_with(sign)));
    }
    match (ours, theirs) {
        (0, 0) => 1,
        (ours, theirs) if ours > theirs => 200,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&FSHARP, source)
    }

    #[test]
    fn texts_that_share_the_extension() {
        for (text, expected) in [
            ("module A\n\nopen System\nlet x = 1\n", true),
            ("// only a comment\n", true),
            (
                "#version 330\nuniform vec4 c;\nvoid main() { gl_FragColor = c; }\n",
                false,
            ),
            (
                "\\ a comment\n: square ( n -- n ) dup * ;\n: main 3 square . ;\n",
                false,
            ),
            ("varying vec2 p;\n// let it be\n", false),
        ] {
            assert_eq!(likeness(text) > 0, expected, "{text}");
        }
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("tests/Helper.fs", true),
            ("src/Acme.Tests/Shapes.fs", true),
            ("src/ShapeTests.fs", true),
            ("src/Attest.fs", false),
            ("src/Testing.fs", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn bindings_joined_by_and() {
        let source = "let rec a x =\n    if x then b x else 1\n/// of b\nand b x = if x then 1 elif y then 2 else a x\nand c = function | A -> 1 | B -> 2\nand d = 1\n";
        let expected = ["function a 2", "function b 3 \"of b\"", "function c 3", "constant d 0"];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn attributes_in_one_list() {
        let lists = ["[<A; B(\"x;y\", [| 1; 2 |])>]", "[< C >]", "[<>]"];
        assert_eq!(split_attributes(&lists), ["A", "B(\"x;y\", [| 1; 2 |])", "C"]);
    }
}
