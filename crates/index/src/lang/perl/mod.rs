//! Perl: packages and their subs, what `use` brings in and declares, attributes of object systems, POD.
//!
//! What `use` and `require` do is in `uses`.
//! A named sub belongs to the package around it wherever it stands, so the package of every scope is kept beside it, as the name that
//! the scope receives.

mod flow;
mod uses;

use lore_model::{Modifier, Modifiers, NONE, RepoPath, SymbolKind, Visibility};

use uses::{content, elements, plain_text};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static PERL: Language = Language {
    name: "perl",
    dialect: "perl",
    extensions: &["pm", "plx", "psgi"],
    file_names: &["cpanfile", "Rexfile"],
    interpreters: &["perl", "plackup"],
    disputed: &["pl", "t", "cgi", "fcgi"],
    likeness,
    separator: "::",
    grammar: || ts_parser_perl::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("pod", Rule::Visit(pod)),
        ("string_literal", Rule::Text),
        ("interpolated_string_literal", Rule::Text),
        ("command_string", Rule::Text),
        ("quoted_word_list", Rule::Text),
        ("match_regexp", Rule::Text),
        ("quoted_regexp", Rule::Text),
        ("substitution_regexp", Rule::Text),
        ("transliteration_expression", Rule::Text),
        ("heredoc_content", Rule::Text),
        ("format_content", Rule::Text),
        ("source_file", Rule::Visit(source_file)),
        ("package_statement", Rule::Visit(package)),
        ("class_statement", Rule::Visit(class)),
        ("role_statement", Rule::Visit(class)),
        ("block", Rule::Visit(block)),
        ("block_statement", Rule::Visit(block)),
        ("use_statement", Rule::Visit(uses::use_statement)),
        ("require_expression", Rule::Visit(uses::require)),
        ("subroutine_declaration_statement", Rule::Visit(sub)),
        ("method_declaration_statement", Rule::Visit(sub)),
        ("anonymous_subroutine_expression", Rule::Visit(anonymous_sub)),
        ("anonymous_method_expression", Rule::Visit(anonymous_sub)),
        ("assignment_expression", Rule::Visit(assignment)),
        ("variable_declaration", Rule::Visit(variables)),
        ("function_call_expression", Rule::Visit(call)),
        ("ambiguous_function_call_expression", Rule::Visit(call)),
        ("conditional_statement", Rule::Decision),
        ("elsif", Rule::Decision),
        ("loop_statement", Rule::Decision),
        ("cstyle_for_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("postfix_conditional_expression", Rule::Decision),
        ("postfix_loop_expression", Rule::Decision),
        ("postfix_for_expression", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("catch", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
        ("and", Rule::Decision),
        ("or", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    names_by_file: true,
    ..Language::BASE
};

/// The comments that document a sub.
const DOCS: DocStyle = DocStyle {
    line: &["###", "##", "#"],
    block: &[],
    except: &["#!", "# no critic", "## no critic", "## use critic", "#line "],
};

/// Bytes at the beginning of a sub that tell whether it takes an object.
const MAX_OPENING: usize = 160;

/// The package that a scope is in by its own words; `main` for none.
fn current_package<'w>(walker: &'w Walker<'_>) -> &'w str {
    let named = walker.scopes.iter().rev().find(|scope| !scope.receiver.is_empty());
    named.map_or("", |scope| scope.receiver.as_str())
}

/// A package as a name inside the module: without the package that names the module, and without `main`.
fn inside_module(walker: &Walker<'_>, package: &str) -> String {
    let module = walker.facts.text.get(walker.facts.package);
    match package.strip_prefix(module) {
        _ if package == "main" => String::new(),
        Some("") => String::new(),
        Some(rest) if !module.is_empty() && rest.starts_with("::") => rest.trim_start_matches("::").to_owned(),
        _ => package.to_owned(),
    }
}

/// The package around a node, as a name inside the module.
fn owner(walker: &Walker<'_>) -> String {
    inside_module(walker, current_package(walker))
}

/// The package that names the file: the first, where all others are parts of it.
fn source_file(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mut first = None;
    let mut alone = true;
    for child in node.children() {
        let packages = match child.kind() {
            "package_statement" => vec![child],
            "block_statement" => children_of_kind(child, &["package_statement"]),
            _ => continue,
        };
        for package in packages {
            let name = package.child_by_field_name("name").map_or("", |name| walker.text(name));
            match first {
                None if child.kind() == "package_statement" && name != "main" => first = Some(name),
                Some(first) => {
                    let rest = name.strip_prefix(first);
                    alone &= rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
                }
                None => alone = false,
            }
        }
    }
    if let Some(name) = first.filter(|_| alone && walker.facts.package.is_empty()) {
        walker.facts.package = walker.facts.text.push(name);
    }
    Flow::Descend
}

fn package<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_package(walker, node, SymbolKind::Namespace)
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let kind = match node.kind() {
        "role_statement" => SymbolKind::Trait,
        _ => SymbolKind::Class,
    };
    declare_package(walker, node, kind)
}

/// A package holds its block, or what follows up to the next package or the end of the block it stands in.
fn declare_package<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Flow {
    let Some(written) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let package = walker.text(written);
    let path = inside_module(walker, package);
    let block = child_of_kind(node, &["block"]);
    let is_again = kind == SymbolKind::Namespace
        && !walker
            .scopes
            .first_mut()
            .is_some_and(|file| file.seen.insert(package.to_owned()));
    let definition = if path.is_empty() || is_again {
        NONE
    } else {
        let (owner, name) = path.rsplit_once("::").unwrap_or(("", &path));
        walker.define(Draft {
            name: Draftee::Named(written, name),
            signature: (
                node.start_byte(),
                block.map_or(node.end_byte(), |block| block.start_byte()),
            ),
            doc: walker.doc_above(node.start_byte(), &DOCS),
            owner,
            at_module: true,
            ..Draft::new(kind, written, node)
        })
    };
    match block {
        Some(_) => walker.open_method(definition, package),
        None => package.clone_into(&mut walker.scope().receiver),
    }
    Flow::Descend
}

/// A block outside subs is a part of its package, and may name one of its own.
fn block(walker: &mut Walker<'_>, _: Node<'_>) -> Flow {
    if !walker.in_function() {
        let kind = walker.enclosing_kind();
        walker.open_named("", kind, 0);
    }
    Flow::Descend
}

fn visibility(name: &str) -> Visibility {
    if name.trim_start_matches(['$', '@', '%']).starts_with('_') {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// A sub and the package it belongs to: `sub A::b` says it itself.
fn sub<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    // Without a body it is only announced.
    let (Some(written), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return Flow::Descend;
    };
    let lexical = node.child_by_field_name("lexical").is_some();
    let (package, name) = match walker.text(written).rsplit_once("::") {
        Some((package, name)) => (inside_module(walker, package), name),
        None => (owner(walker), walker.text(written)),
    };
    let takes = Takes::of(walker, node, body);
    let is_method = node.kind() == "method_declaration_statement" || takes != Takes::Nothing;
    let mut modifiers = Modifiers::default();
    let kind = if is_test(walker, node, name) {
        SymbolKind::Test
    } else if name == "new" && (is_method || !current_package(walker).is_empty()) {
        SymbolKind::Constructor
    } else if is_method {
        if takes == Takes::Class {
            modifiers.insert(Modifier::Classmethod);
        }
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    if has_word(walker, node, "async") {
        modifiers.insert(Modifier::Async);
    }
    let definition = walker.define(Draft {
        name: Draftee::Named(written, name),
        signature: (node.start_byte(), body.start_byte()),
        doc: doc(walker, node.start_byte(), name),
        visibility: if lexical { Visibility::Private } else { visibility(name) },
        modifiers,
        owner: if lexical && walker.in_function() { "" } else { &package },
        at_module: !(lexical && walker.in_function()),
        ..Draft::new(kind, written, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// Whether a declaration begins with a word.
fn has_word(walker: &Walker<'_>, node: Node<'_>, word: &str) -> bool {
    node.child(0).is_some_and(|first| walker.text(first) == word)
}

/// Whether a test runner takes a sub for a test: `sub test_x`, `sub x : Test`.
fn is_test(walker: &Walker<'_>, node: Node<'_>, name: &str) -> bool {
    let attributes = node.child_by_field_name("attributes");
    let marked = attributes.is_some_and(|list| {
        children_of_kind(list, &["attribute"]).into_iter().any(|attribute| {
            let name = attribute
                .child_by_field_name("name")
                .map_or("", |name| walker.text(name));
            matches!(name, "Test" | "Tests")
        })
    });
    marked || (walker.role.test && name.starts_with("test_"))
}

/// What a sub is called on, by the name it gives it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Object,
    Class,
}

impl Takes {
    fn of(walker: &Walker<'_>, node: Node<'_>, body: Node<'_>) -> Self {
        if let Some(signature) = child_of_kind(node, &["signature"]) {
            let first = signature.named_child(0).map_or("", |first| walker.text(first));
            return Self::by_name(first);
        }
        let first = body
            .named_children()
            .find(|child| !matches!(child.kind(), "comment" | "pod"));
        let Some(first) = first else { return Self::Nothing };
        let text = walker.text(first);
        let text = text.get(..MAX_OPENING).unwrap_or(text);
        if text.contains("shift->") || text.contains("shift()->") {
            return Self::Object;
        }
        match text
            .strip_prefix("my")
            .map(|rest| rest.trim_start_matches([' ', '(', '\t']))
        {
            Some(rest) if text.contains("shift") || text.contains("@_") || text.contains("$_[0]") => {
                Self::by_name(rest)
            }
            _ => Self::Nothing,
        }
    }

    fn by_name(text: &str) -> Self {
        let end = text
            .bytes()
            .skip(1)
            .position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_'))
            .map_or(text.len(), |end| end + 1);
        match text.get(..end).unwrap_or("") {
            "$self" | "$this" | "$s" => Self::Object,
            "$class" | "$proto" | "$invocant" | "$pkg" | "$package" => Self::Class,
            _ => Self::Nothing,
        }
    }
}

/// The comment lines directly above, or the part of the POD above that speaks of the name.
fn doc(walker: &Walker<'_>, byte: usize, name: &str) -> Option<String> {
    match walker
        .last_comment_before(byte)
        .filter(|comment| comment.starts_with('='))
    {
        Some(pod) => pod_about(pod, name),
        None => walker.doc_above(byte, &DOCS),
    }
}

/// The text below the last heading or item of a POD that begins with a name.
fn pod_about(pod: &str, name: &str) -> Option<String> {
    let mut found: Option<String> = None;
    let mut speaks = false;
    for line in pod.lines() {
        if let Some(command) = line.strip_prefix('=') {
            let title = command.split_once(' ').map_or("", |(_, title)| title);
            let heading = command.starts_with("head") || command.starts_with("item");
            speaks = heading && is_about(title, name);
            if speaks {
                found = Some(String::new());
            }
        } else if let Some(text) = found.as_mut().filter(|_| speaks) {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    found.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Whether a title names a sub: `name`, `$self->name($x)`, `B<name>`, `name ARGS`.
fn is_about(title: &str, name: &str) -> bool {
    title.match_indices(name).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let before = title.get(..at).and_then(|before| before.chars().next_back());
        let after = title.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// POD is comment; `=head1 NAME` says what the module is for.
fn pod(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    walker.comment(node.start_byte(), node.end_byte());
    let text = walker.text(node);
    if walker.facts.module_doc.is_empty()
        && let Some(name) = text.find("=head1 NAME")
    {
        let mut paragraphs = text.get(name..).unwrap_or("").split("\n\n").skip(1);
        let named = paragraphs.next().unwrap_or("").trim();
        let summary = named.split_once(" - ").map_or("", |(_, summary)| summary.trim());
        walker.module_doc(summary);
    }
    Flow::Skip
}

fn anonymous_sub<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => {
            let end = node
                .child_by_field_name("body")
                .map_or(node.end_byte(), |body| body.start_byte());
            let package = owner(walker);
            let at_module = !walker.in_function();
            walker.define(Draft {
                signature: (node.start_byte(), end),
                owner: if at_module { &package } else { "" },
                at_module,
                ..Draft::anonymous(SymbolKind::Function, "lambda", node)
            })
        }
    };
    walker.open(definition);
    Flow::Descend
}

/// A variable or a name of the package that a sub is given to.
fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return Flow::Descend;
    };
    let is_sub = matches!(
        right.kind(),
        "anonymous_subroutine_expression" | "anonymous_method_expression"
    );
    let end = if is_sub {
        right
            .child_by_field_name("body")
            .map_or(node.end_byte(), |body| body.start_byte())
    } else {
        node.end_byte()
    };
    let definition = match left.kind() {
        "variable_declaration" if is_sub && !has_word(walker, left, "local") => {
            let Some(variable) = left.child_by_field_name("variable") else {
                return Flow::Descend;
            };
            let name = walker.text(variable);
            let package = owner(walker);
            let at_module = !walker.in_function();
            walker.define(Draft {
                signature: (node.start_byte(), end),
                doc: doc(walker, node.start_byte(), name),
                visibility: if has_word(walker, left, "our") {
                    visibility(name)
                } else {
                    Visibility::Private
                },
                owner: if at_module { &package } else { "" },
                at_module,
                ..Draft::new(SymbolKind::Function, variable, node)
            })
        }
        // `*name = sub { … }` and `*name = \&other` define a sub; a computed name cannot be known.
        "glob" if is_sub || right.kind() == "refgen_expression" => {
            let name = child_of_kind(left, &["varname"]).filter(|name| name.named_child_count() == 0);
            let refers_to_sub = is_sub || walker.text(right).trim_start_matches(['\\', ' ']).starts_with('&');
            let Some(written) = name.filter(|_| refers_to_sub) else {
                return Flow::Descend;
            };
            let (package, name) = match walker.text(written).rsplit_once("::") {
                Some((package, name)) => (inside_module(walker, package), name),
                None => (owner(walker), walker.text(written)),
            };
            walker.define(Draft {
                name: Draftee::Named(written, name),
                signature: (node.start_byte(), end),
                doc: doc(walker, node.start_byte(), name),
                visibility: visibility(name),
                owner: &package,
                at_module: true,
                ..Draft::new(SymbolKind::Function, written, node)
            })
        }
        _ => return Flow::Descend,
    };
    if is_sub {
        walker.claim(right, definition);
    }
    Flow::Descend
}

fn is_upper(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// `our` and `my` outside subs and inner blocks, and the fields of a class.
fn variables<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let word = node.child(0).map_or("", |word| walker.text(word));
    let mut ancestors = walker.ancestors();
    let mut statement = node;
    let holder = loop {
        match ancestors.next() {
            // The value of a sub is a function, recorded where it is assigned.
            Some(parent) if parent.kind() == "assignment_expression" => {
                let sub = parent
                    .child_by_field_name("right")
                    .is_some_and(|right| right.kind().starts_with("anonymous_sub"));
                if sub || parent.child_by_field_name("left") != Some(node) {
                    return Flow::Descend;
                }
                statement = parent;
            }
            Some(parent) if parent.kind() == "expression_statement" => statement = parent,
            parent => break parent,
        }
    };
    let above = ancestors.next();
    drop(ancestors);
    let at_top = match (holder.map(|holder| holder.kind()), above.map(|above| above.kind())) {
        (Some("source_file"), _) => true,
        (Some("block"), Some("package_statement" | "class_statement" | "role_statement")) => true,
        // `{ package Inner; our $x; }`
        (Some("block_statement"), Some("source_file")) => !walker.scope().receiver.is_empty(),
        _ => false,
    };
    if !at_top || !matches!(word, "our" | "my" | "field" | "state") {
        return Flow::Descend;
    }
    let named: Vec<_> = node
        .children()
        .filter(|child| matches!(child.kind(), "scalar" | "array" | "hash"))
        .collect();
    for variable in named {
        define_variable(walker, variable, statement, word);
    }
    Flow::Descend
}

fn define_variable<'t>(walker: &mut Walker<'t>, variable: Node<'t>, statement: Node<'t>, word: &str) {
    let name = walker.text(variable);
    let package = owner(walker);
    let key = format!("{package}::{name}");
    if !walker.scopes.first_mut().is_some_and(|file| file.seen.insert(key)) {
        return;
    }
    let kind = match word {
        "field" => SymbolKind::Field,
        "Readonly" => SymbolKind::Constant,
        _ if is_upper(name) => SymbolKind::Constant,
        _ => SymbolKind::Static,
    };
    walker.define(Draft {
        doc: walker.doc_above(statement.start_byte(), &DOCS),
        visibility: match word {
            "our" => visibility(name),
            _ => Visibility::Private,
        },
        owner: &package,
        at_module: true,
        ..Draft::new(kind, variable, statement)
    });
}

/// `has name => (…)`, `Readonly my $X => 1`, `subtest name => sub { … }`.
fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(function), Some(arguments)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    ) else {
        return Flow::Descend;
    };
    match walker.text(function) {
        "has" if !walker.in_function() => attributes(walker, node, arguments),
        "Readonly" | "Readonly::Scalar" | "Readonly::Array" | "Readonly::Hash" | "const" if !walker.in_function() => {
            let first = first_argument(arguments).filter(|first| first.kind() == "variable_declaration");
            if let Some(variable) = first.and_then(|first| first.child_by_field_name("variable")) {
                define_variable(walker, variable, node, "Readonly");
            }
        }
        "subtest" | "describe" | "it" if walker.role.test => {
            let title = first_argument(arguments).and_then(|first| Some((first, plain_text(walker, first)?)));
            let body = elements(arguments)
                .into_iter()
                .find(|element| element.kind() == "anonymous_subroutine_expression");
            if let (Some((written, title)), Some(body)) = (title, body) {
                let definition = walker.define(Draft {
                    name: Draftee::Named(written, title),
                    signature: (node.start_byte(), written.end_byte()),
                    visibility: Visibility::Private,
                    ..Draft::new(SymbolKind::Test, written, node)
                });
                walker.claim(body, definition);
            }
        }
        _ => {}
    }
    Flow::Descend
}

fn first_argument(arguments: Node<'_>) -> Option<Node<'_>> {
    match arguments.kind() {
        "list_expression" => arguments.named_child(0),
        _ => Some(arguments),
    }
}

/// The attributes that Moose, Moo and Mojo give a class: one name or several, with what may be done to them.
fn attributes<'t>(walker: &mut Walker<'t>, node: Node<'t>, arguments: Node<'t>) {
    let Some(first) = first_argument(arguments) else { return };
    let mut names = Vec::new();
    match first.kind() {
        "anonymous_array_expression" => {
            for element in elements(first) {
                match element.kind() {
                    "quoted_word_list" => {
                        let text = content(walker, element);
                        names.extend(text.split_whitespace().map(|word| (element, word)));
                    }
                    _ => names.extend(plain_text(walker, element).map(|word| (element, word))),
                }
            }
        }
        _ => names.extend(plain_text(walker, first).map(|word| (first, word))),
    }
    let settings = walker.slice(first.end_byte(), node.end_byte());
    let is = settings.split_once("is ").map_or("", |(_, value)| {
        value.trim_start_matches([' ', '=', '>', ',', '\'', '"'])
    });
    let doc = walker.doc_above(node.start_byte(), &DOCS);
    let package = owner(walker);
    for (written, word) in names {
        let mut modifiers = Modifiers::default().with(Modifier::Property);
        if ["ro", "lazy"].iter().any(|word| is.starts_with(word)) {
            modifiers.insert(Modifier::Readonly);
        }
        if word.starts_with('+') {
            modifiers.insert(Modifier::Override);
        }
        let name = word.trim_start_matches('+');
        walker.define(Draft {
            name: Draftee::Named(written, name),
            doc: doc.clone(),
            visibility: visibility(name),
            modifiers,
            owner: &package,
            at_module: true,
            ..Draft::new(SymbolKind::Field, written, node)
        });
    }
}

/// The package that the file declares; without one, its path without extension.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    path.file_name().ends_with(".t") || has_directory(path, &["t", "xt", "test", "tests"])
}

/// `.pl` may be Prolog, `.t` many things, `.cgi` anything.
fn likeness(text: &str) -> u8 {
    if let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) {
        return if line.contains("perl") { 5 } else { 0 };
    }
    let mut found = 0;
    for line in text.lines().take(400) {
        let line = line.trim_end();
        if line.starts_with(":-") || line.ends_with(":-") {
            return 0;
        }
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        let ends = line.ends_with(';') || line.ends_with('{');
        if begins(&["=head1", "=pod", "=encoding", "1;"])
            || (ends
                && begins(&[
                    "use ", "package ", "sub ", "my ", "our ", "BEGIN ", "require ", "print ", "return ",
                ]))
            || (line.ends_with(';') && begins(&["$", "@", "%", "&"]))
        {
            found = 3;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::language::Role;

    #[test]
    fn contents_with_a_disputed_name() {
        for (text, expected) in [
            ("#!/usr/bin/perl -w\n", 5),
            ("#!/bin/sh\n", 0),
            ("use strict;\n", 3),
            ("# comment\n\nsub x {\n", 3),
            (":- use_module(library(lists)).\n", 0),
            ("parent(X) :-\n  child(X).\n", 0),
            ("  $ echo cram\n  cram\n", 0),
            ("", 0),
        ] {
            assert_eq!(likeness(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_package_names_the_module_where_all_others_are_parts_of_it() {
        let package = |source: &str| {
            let facts = extract(&PERL, Role::default(), source);
            facts.text.get(facts.package).to_owned()
        };
        assert_eq!(package("package A::B;\nsub x {}\n1;\n"), "A::B");
        assert_eq!(package("package A;\npackage A::B;\n"), "A");
        assert_eq!(package("package A;\npackage AB;\n"), "");
        assert_eq!(package("package A;\npackage main;\n"), "");
        assert_eq!(package("package A;\n{\n    package B;\n}\n"), "");
        assert_eq!(package("package A { sub x {} }\n"), "A");
        assert_eq!(package("{\n    package A;\n}\n"), "");
        assert_eq!(package("sub x {}\n"), "");
    }

    #[test]
    fn pod_says_what_a_module_is_for() {
        let facts = extract(
            &PERL,
            Role::default(),
            "package A;\n1;\n__END__\n\n=head1 NAME\n\nA - Does it.\n\n=head1 SYNOPSIS\n\n=cut\n",
        );
        assert_eq!(facts.text.get(facts.module_doc), "Does it.");
    }

    #[test]
    fn titles_of_pod() {
        for (title, expected) in [
            ("name", true),
            ("$self->name($x)", true),
            ("B<name>", true),
            ("name ARGS", true),
            ("rename", false),
            ("names", false),
        ] {
            assert_eq!(is_about(title, "name"), expected, "{title}");
        }
    }
}
