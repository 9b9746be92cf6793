//! Dart: classes, mixins, extensions, constructors in all their forms, libraries and their parts, tests by convention.

mod flow;

use lore_model::{ImportFlags, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static DART: Language = Language {
    name: "dart",
    dialect: "dart",
    extensions: &["dart"],
    interpreters: &["dart"],
    grammar: || tree_sitter_dart::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("documentation_comment", Rule::Comment),
        ("string_literal", Rule::Text),
        ("library_name", Rule::Visit(library)),
        ("part_of_directive", Rule::Visit(part_of)),
        ("part_directive", Rule::Visit(part)),
        ("library_import", Rule::Visit(import)),
        ("library_export", Rule::Visit(export)),
        ("class_declaration", Rule::Visit(class)),
        ("mixin_declaration", Rule::Visit(mixin)),
        ("enum_declaration", Rule::Visit(enumeration)),
        ("enum_entry", Rule::Visit(enum_entry)),
        ("extension_declaration", Rule::Visit(extension)),
        ("extension_type_declaration", Rule::Visit(extension_type)),
        ("extension_type_representation", Rule::Visit(representation)),
        ("type_alias", Rule::Visit(type_alias)),
        ("function_declaration", Rule::Visit(function)),
        ("getter_declaration", Rule::Visit(function)),
        ("setter_declaration", Rule::Visit(function)),
        ("external_function_declaration", Rule::Visit(function)),
        ("external_getter_declaration", Rule::Visit(function)),
        ("external_setter_declaration", Rule::Visit(function)),
        ("local_function_declaration", Rule::Visit(function)),
        ("method_declaration", Rule::Visit(function)),
        ("declaration", Rule::Visit(member)),
        ("top_level_variable_declaration", Rule::Visit(variables)),
        ("external_variable_declaration", Rule::Visit(variables)),
        ("initialized_variable_declaration", Rule::Visit(local_variable)),
        ("initialized_identifier", Rule::Visit(initialized)),
        ("static_final_declaration", Rule::Visit(initialized)),
        ("call_expression", Rule::Visit(call)),
        ("function_expression", Rule::Visit(closure)),
        ("if_statement", Rule::Visit(guarded)),
        ("if_element", Rule::Visit(guarded)),
        ("for_statement", Rule::Decision),
        ("for_element", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("switch_statement_case", Rule::Visit(guarded)),
        ("switch_expression_case", Rule::Visit(guarded)),
        ("try_statement", Rule::Visit(handlers)),
        ("conditional_expression", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    inherits_constructors: false,
    ..Language::BASE
};

const DOCS: DocStyle = DocStyle {
    line: &["///"],
    block: &[("/**", "*/")],
    except: &["////", "/***"],
};

/// Signatures of what runs.
const SIGNATURES: &[&str] = &[
    "function_signature",
    "getter_signature",
    "setter_signature",
    "operator_signature",
    "constructor_signature",
    "constant_constructor_signature",
    "factory_constructor_signature",
    "redirecting_factory_constructor_signature",
];

/// Lists of variables.
const LISTS: &[&str] = &[
    "identifier_list",
    "initialized_identifier_list",
    "static_final_declaration_list",
];

/// What stands before a declaration's own words, and all around it.
struct Head<'t> {
    modifiers: Modifiers,
    decorators: Vec<&'t str>,
    /// The whole declaration.
    span: Node<'t>,
    /// Where the declaration begins once the annotations are cut off.
    start: usize,
}

impl<'t> Head<'t> {
    /// The head of the declaration under the cursor.
    fn of(walker: &Walker<'t>, node: Node<'t>) -> Self {
        Self::within(walker, node, walker.parent())
    }

    /// The head of a declaration that stands in a node.
    fn within(walker: &Walker<'t>, node: Node<'t>, outer: Option<Node<'t>>) -> Self {
        let member = outer.filter(|outer| outer.kind() == "member_declaration");
        let mut head = Self {
            modifiers: Modifiers::default(),
            decorators: Vec::new(),
            span: member.unwrap_or(node),
            start: first_word(node),
        };
        if let Some(member) = member {
            head.annotations(walker, member);
        }
        head.annotations(walker, node);
        head.words(node);
        head
    }

    fn annotations(&mut self, walker: &Walker<'t>, node: Node<'_>) {
        for annotation in children_of_kind(node, &["annotation"]) {
            self.decorators
                .push(walker.text(annotation).trim_start_matches('@').trim_start());
        }
    }

    /// Takes in the words that are tokens of a node.
    fn words(&mut self, node: Node<'_>) {
        for child in node.children() {
            let modifier = match child.kind() {
                "external" => Modifier::Extern,
                word => match Modifier::from_name(word) {
                    Some(modifier) => modifier,
                    None => continue,
                },
            };
            self.modifiers.insert(modifier);
        }
    }

    fn define(self, walker: &mut Walker<'t>, kind: SymbolKind, name: Node<'t>, end: usize) -> u32 {
        let text = walker.text(name);
        let visibility = if walker.in_function() || text.starts_with('_') {
            Visibility::Private
        } else {
            Visibility::Public
        };
        walker.define(Draft {
            signature: (self.start, end),
            doc: walker.doc_above(self.span.start_byte(), &DOCS),
            visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            ..Draft::new(kind, name, self.span)
        })
    }
}

/// Where a declaration goes on after its annotations.
fn first_word(node: Node<'_>) -> usize {
    node.children()
        .find(|child| !matches!(child.kind(), "annotation" | "comment" | "documentation_comment"))
        .map_or(node.end_byte(), |child| child.start_byte())
}

/// The text that a string literal spells.
fn unquoted<'t>(walker: &Walker<'t>, node: Node<'_>) -> &'t str {
    walker.text(node).trim_start_matches('r').trim_matches(['\'', '"'])
}

fn library<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(doc) = walker.doc_above(node.start_byte(), &DOCS) {
        walker.module_doc(&doc);
    }
    declare_package(walker, node);
    Flow::Descend
}

fn part_of<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_package(walker, node);
    Flow::Descend
}

/// The library that a file is, or is a part of, by its name or the path to it.
fn declare_package(walker: &mut Walker<'_>, node: Node<'_>) {
    let Some(name) = child_of_kind(node, &["dotted_identifier_list", "uri"]) else {
        return;
    };
    let name: String = unquoted(walker, name).split_whitespace().collect();
    if walker.facts.package.is_empty() {
        walker.facts.package = walker.facts.text.push(&name);
    }
}

fn part<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(uri) = node.child_by_field_name("uri") {
        let uri = unquoted(walker, uri);
        walker.import(node, uri, "", "", ImportFlags::MODULE);
    }
    Flow::Descend
}

fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(specification) = child_of_kind(node, &["import_specification"]) else {
        return Flow::Descend;
    };
    let shown = shown_names(specification);
    let alias = specification.child_by_field_name("alias");
    for uri in uris(specification) {
        let uri = unquoted(walker, uri);
        if let Some(alias) = alias {
            let alias = walker.text(alias);
            walker.import(node, uri, "", alias, 0);
        } else if shown.is_empty() {
            walker.import(node, uri, "*", "*", 0);
        } else {
            for name in &shown {
                let name = walker.text(*name);
                walker.import(node, uri, name, name, 0);
            }
        }
    }
    Flow::Descend
}

fn export<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let shown = shown_names(node);
    for uri in uris(node) {
        let uri = unquoted(walker, uri);
        if shown.is_empty() {
            walker.import(node, uri, "*", "*", ImportFlags::REEXPORT);
        }
        for name in &shown {
            let name = walker.text(*name);
            walker.import(node, uri, name, "", ImportFlags::REEXPORT);
        }
    }
    Flow::Descend
}

/// The path of an import, and those that stand in for it on other platforms.
fn uris(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(uri) = node.child_by_field_name("uri") else {
        return Vec::new();
    };
    if uri.kind() == "uri" {
        return vec![uri];
    }
    let mut found = children_of_kind(uri, &["uri"]);
    for alternative in children_of_kind(uri, &["configuration_uri"]) {
        found.extend(child_of_kind(alternative, &["uri"]));
    }
    found
}

/// The names that a `show` picks out.
fn shown_names(node: Node<'_>) -> Vec<Node<'_>> {
    children_of_kind(node, &["combinator"])
        .into_iter()
        .filter(|combinator| has_child(*combinator, "show"))
        .flat_map(|combinator| children_of_kind(combinator, &["identifier"]))
        .collect()
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let applied = child_of_kind(node, &["mixin_application_class"]);
    let name = match applied {
        Some(application) => child_of_kind(application, &["identifier"]),
        None => node.child_by_field_name("name"),
    };
    declare_type(walker, node, name, SymbolKind::Class)
}

fn mixin<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, node.child_by_field_name("name"), SymbolKind::Trait)
}

fn enumeration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, node.child_by_field_name("name"), SymbolKind::Enum)
}

fn extension_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let name = node.child_by_field_name("name").and_then(|name| match name.kind() {
        "extension_type_name" => child_of_kind(name, &["identifier"]),
        _ => Some(name),
    });
    declare_type(walker, node, name, SymbolKind::Class)
}

/// What an extension type wraps is its only field.
fn representation<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let (start, end) = match node.child_by_field_name("type") {
            Some(wrapped) => (wrapped.start_byte(), name.end_byte()),
            None => (name.start_byte(), name.end_byte()),
        };
        let head = Head {
            start,
            modifiers: Modifiers::default().with(Modifier::Final),
            ..Head::of(walker, node)
        };
        head.define(walker, SymbolKind::Field, name, end);
    }
    Flow::Descend
}

fn declare_type<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Option<Node<'t>>, kind: SymbolKind) -> Flow {
    let Some(name) = name else {
        return Flow::Descend;
    };
    let end = node
        .child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte());
    let definition = Head::of(walker, node).define(walker, kind, name, end);
    walker.open(definition);
    Flow::Descend
}

fn enum_entry<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let definition = Head::of(walker, node).define(walker, SymbolKind::EnumMember, name, node.end_byte());
        walker.open(definition);
    }
    Flow::Descend
}

/// The members of an extension are those of the type it extends.
fn extension<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let extended = node.child_by_field_name("class");
    let owner = extended
        .and_then(|extended| children_of_kind(extended, &["type_identifier"]).pop())
        .or(extended)
        .map_or("", |extended| walker.text(extended));
    walker.open_named(owner, SymbolKind::Class, 0);
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = child_of_kind(node, &["type_identifier"]) {
        Head::of(walker, node).define(walker, SymbolKind::TypeAlias, name, node.end_byte());
    }
    Flow::Descend
}

/// A function, method, accessor or constructor with a body, or one from outside.
fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut head = Head::of(walker, node);
    let mut signature = child_of_kind(node, SIGNATURES);
    let mut initializers = None;
    if let Some(method) = child_of_kind(node, &["method_signature"]) {
        head.words(method);
        signature = child_of_kind(method, SIGNATURES);
        initializers = child_of_kind(method, &["initializers"]);
    }
    let Some(signature) = signature else {
        return Flow::Descend;
    };
    let body = child_of_kind(node, &["function_body"]);
    if let Some(body) = body {
        add_body_words(&mut head.modifiers, body);
    }
    let end = initializers.or(body).map_or(node.end_byte(), |rest| rest.start_byte());
    define_signature(walker, head, signature, end)
}

/// A member without a body: a field, an abstract method, a constructor.
fn member<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(signature) = child_of_kind(node, SIGNATURES) else {
        return variables(walker, node);
    };
    let mut head = Head::of(walker, node);
    let is_constructor = signature.kind().ends_with("constructor_signature");
    if !is_constructor && !head.modifiers.contains(Modifier::Extern) {
        head.modifiers.insert(Modifier::Abstract);
    }
    let end = child_of_kind(node, &["initializers", "redirection"]).map_or(node.end_byte(), |rest| rest.start_byte());
    define_signature(walker, head, signature, end)
}

fn define_signature<'t>(walker: &mut Walker<'t>, mut head: Head<'t>, signature: Node<'t>, end: usize) -> Flow {
    head.words(signature);
    let in_type = walker.enclosing_kind().is_type();
    let mut kind = if in_type {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let name = match signature.kind() {
        "getter_signature" => {
            head.modifiers.insert(Modifier::Getter);
            signature.child_by_field_name("name")
        }
        "setter_signature" => {
            head.modifiers.insert(Modifier::Setter);
            signature.child_by_field_name("name")
        }
        "operator_signature" => signature.child_by_field_name("operator"),
        "function_signature" => signature.child_by_field_name("name"),
        _ => {
            kind = SymbolKind::Constructor;
            // `Point.named` is known by its last name.
            signature.children_by_field_name("name").last()
        }
    };
    if let Some(name) = name {
        let definition = head.define(walker, kind, name, end);
        walker.open(definition);
    }
    Flow::Descend
}

/// Takes in what the body says of its function: `async`, `async*`, `sync*`.
fn add_body_words(modifiers: &mut Modifiers, body: Node<'_>) {
    for word in body.children().take(2) {
        if word.kind().starts_with("async") {
            modifiers.insert(Modifier::Async);
        }
        if matches!(word.kind(), "async*" | "sync*") {
            modifiers.insert(Modifier::Generator);
        }
    }
}

/// Variables of a library or a type; those with a value are visited when the cursor comes to them.
fn variables<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(list) = child_of_kind(node, &["identifier_list"]) {
        for name in children_of_kind(list, &["identifier"]) {
            define_variable(walker, Head::of(walker, node), name, node.end_byte());
        }
    }
    Flow::Descend
}

fn define_variable<'t>(walker: &mut Walker<'t>, head: Head<'t>, name: Node<'t>, end: usize) -> u32 {
    let in_type = walker.enclosing_kind().is_type();
    let is_fixed = [Modifier::Const, Modifier::Final]
        .iter()
        .any(|word| head.modifiers.contains(*word));
    let kind = match (in_type, is_fixed) {
        (true, true) if head.modifiers.contains(Modifier::Static) => SymbolKind::Constant,
        (true, _) => SymbolKind::Field,
        (false, true) => SymbolKind::Constant,
        (false, false) => SymbolKind::Static,
    };
    head.define(walker, kind, name, end)
}

/// One variable of a list, with or without a value.
fn initialized<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut around = walker.ancestors().take(3);
    let (list, declaration, outer) = (around.next(), around.next(), around.next());
    drop(around);
    let is_listed = list.is_some_and(|list| LISTS.contains(&list.kind()));
    let (true, Some(declaration), Some(name)) = (is_listed, declaration, node.child_by_field_name("name")) else {
        return Flow::Descend;
    };
    let head = Head::within(walker, declaration, outer);
    match node.child_by_field_name("value") {
        Some(value) if value.kind() == "function_expression" => {
            let kind = if walker.enclosing_kind().is_type() {
                SymbolKind::Method
            } else {
                SymbolKind::Function
            };
            define_closure(walker, head, kind, name, value);
        }
        _ => {
            let definition = define_variable(walker, head, name, declaration.end_byte());
            walker.open(definition);
        }
    }
    Flow::Descend
}

/// A variable that holds a function is that function.
fn define_closure<'t>(walker: &mut Walker<'t>, mut head: Head<'t>, kind: SymbolKind, name: Node<'t>, value: Node<'t>) {
    let body = value.child_by_field_name("body");
    if let Some(body) = body {
        add_body_words(&mut head.modifiers, body);
    }
    let end = body.map_or(value.end_byte(), |body| body.start_byte());
    let definition = head.define(walker, kind, name, end);
    walker.claim(value, definition);
}

/// Variables of a function are not recorded, unless they hold a function.
fn local_variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value"))
        && value.kind() == "function_expression"
    {
        let head = Head::of(walker, node);
        define_closure(walker, head, SymbolKind::Function, name, value);
    }
    Flow::Descend
}

/// A call that declares a test or a group of them, in a test file.
fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(called), Some(arguments)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    ) else {
        return Flow::Descend;
    };
    let kind = match walker.text(called) {
        "test" | "testWidgets" => SymbolKind::Test,
        "group" => SymbolKind::Namespace,
        _ => return Flow::Descend,
    };
    let title = arguments
        .named_child(0)
        .filter(|title| title.kind() == "string_literal");
    let body = child_of_kind(arguments, &["function_expression"]);
    let (true, Some(title), Some(body)) = (walker.role.test, title, body) else {
        return Flow::Descend;
    };
    let mut modifiers = Modifiers::default();
    if let Some(body) = body.child_by_field_name("body") {
        add_body_words(&mut modifiers, body);
    }
    let definition = walker.define(Draft {
        name: Draftee::Named(title, unquoted(walker, title)),
        signature: (node.start_byte(), title.end_byte()),
        doc: walker.doc_above(node.start_byte(), &DOCS),
        visibility: Visibility::Private,
        modifiers,
        ..Draft::new(kind, title, node)
    });
    walker.claim(body, definition);
    Flow::Descend
}

fn closure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => {
            let body = node.child_by_field_name("body");
            let mut modifiers = Modifiers::default();
            if let Some(body) = body {
                add_body_words(&mut modifiers, body);
            }
            walker.define(Draft {
                signature: (
                    node.start_byte(),
                    body.map_or(node.end_byte(), |body| body.start_byte()),
                ),
                modifiers,
                ..Draft::anonymous(SymbolKind::Function, "lambda", node)
            })
        }
    };
    walker.open(definition);
    Flow::Descend
}

/// An `if` or a case, which may have a guard; the last resort of a `switch` is none.
fn guarded(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let has_guard = node.child_by_field_name("guard").is_some();
    let is_default = node.kind() == "switch_expression_case"
        && !has_guard
        && node.named_child(0).is_some_and(|pattern| walker.text(pattern) == "_");
    if !is_default {
        walker.decisions(1 + u32::from(has_guard));
    }
    Flow::Descend
}

/// What a `try` catches: by an `on`, a `catch`, or both at once.
fn handlers(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mut count = 0;
    let mut after_on = false;
    for child in node.children() {
        match child.kind() {
            "on" => {
                count += 1;
                after_on = true;
            }
            "catch_clause" if !after_on => count += 1,
            "block" => after_on = false,
            _ => {}
        }
    }
    walker.decisions(count);
    Flow::Descend
}

/// The library that the file says it is or is a part of; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    if package.is_empty() {
        return module_of_path(path);
    }
    let Some(library) = package.strip_suffix(".dart") else {
        return package.to_owned();
    };
    let mut parts: Vec<&str> = path.directory().split('/').filter(|part| !part.is_empty()).collect();
    for part in library.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if library.contains(':') {
        module_of_path(path)
    } else {
        parts.join("/")
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    path.file_name().ends_with("_test.dart") || has_directory(path, &["test", "integration_test", "test_driver"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_name_modules() {
        let named =
            |path: &str, package: &str| module_name(&[], &RepoPath::new(path).expect("the path is relative"), package);
        assert_eq!(named("lib/src/a.dart", ""), "lib/src/a");
        assert_eq!(named("lib/src/a.dart", "acme.tools"), "acme.tools");
        assert_eq!(named("lib/src/a.dart", "../tools.dart"), "lib/tools");
        assert_eq!(named("lib/src/a.dart", "tools.dart"), "lib/src/tools");
        assert_eq!(named("lib/a.dart", "package:acme/tools.dart"), "lib/a");
        assert_eq!(named("a.dart", "../../b.dart"), "b");
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("test/helper.dart", true),
            ("lib/src/a_test.dart", true),
            ("integration_test/app.dart", true),
            ("lib/test.dart", false),
            ("lib/contest.dart", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn a_handler_counts_once() {
        let source = "f() { try {} on A {} on B catch (e) {} catch (e) { g(() => a || b); } finally {} }\n";
        let expected = ["function f 4", "function f.<lambda1> 2"];
        assert_eq!(crate::extract::outline(&DART, source), expected);
    }
}
