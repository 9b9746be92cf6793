//! Erlang: functions with their clauses, records, macros, types, exports, imports, tests.

mod docs;
mod flow;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static ERLANG: Language = Language {
    name: "erlang",
    dialect: "erlang",
    extensions: &["erl", "hrl", "escript", "app.src"],
    interpreters: &["escript"],
    separator: ":",
    grammar: || tree_sitter_erlang::LANGUAGE.into(),
    blank,
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("source_file", Rule::Visit(file)),
        ("module_attribute", Rule::Visit(module)),
        ("import_attribute", Rule::Visit(import)),
        ("pp_include", Rule::Visit(include)),
        ("pp_include_lib", Rule::Visit(include)),
        ("spec", Rule::Visit(attribute)),
        ("wild_attribute", Rule::Visit(attribute)),
        ("record_decl", Rule::Visit(record)),
        ("record_field", Rule::Visit(field)),
        ("pp_define", Rule::Visit(macro_definition)),
        ("type_alias", Rule::Visit(type_alias)),
        ("opaque", Rule::Visit(type_alias)),
        ("nominal", Rule::Visit(type_alias)),
        ("callback", Rule::Visit(callback)),
        ("fun_decl", Rule::Visit(function)),
        ("anonymous_fun", Rule::Visit(lambda)),
        ("fun_clause", Rule::Visit(lambda_clause)),
        ("cr_clause", Rule::Visit(arrow)),
        ("guard", Rule::Visit(guard)),
        ("catch_clause", Rule::Decision),
        ("catch_expr", Rule::Decision),
        ("receive_after", Rule::Decision),
        ("lc_or_zc_expr", Rule::Decision),
        ("andalso", Rule::Decision),
        ("orelse", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    names_by_file: true,
    ..Language::BASE
};

/// `maybe` was a name like any other before it became a keyword, and `maybe(T)` a favourite type: the grammar only knows the keyword.
fn blank(source: &str) -> Option<String> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@');
    let mut bytes = source.as_bytes().to_vec();
    let mut is_changed = false;
    for at in memchr::memmem::find_iter(source.as_bytes(), b"maybe(") {
        let begins = at
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .is_none_or(|before| !is_name(*before));
        if let Some(last) = bytes.get_mut(at + 4).filter(|_| begins) {
            *last = b'_';
            is_changed = true;
        }
    }
    is_changed.then(|| String::from_utf8(bytes).ok())?
}

/// Marks the scope of a file that declares a module: what it does not export is its own.
const MODULE: u32 = 1;
/// Marks the scope of a file that uses EUnit.
const EUNIT: u32 = 2;
/// Marks the scope of a file that exports all its functions.
const EXPORTS_ALL: u32 = 4;
/// Marks the scope of a record, whose fields are recorded.
const RECORD: u32 = 8;

/// What stands in the scope's list of names for an exported type, and for a test case of a suite.
const TYPE: &str = "type ";
const CASE: &str = "case ";

/// Reads what the file says about its definitions wherever they stand: what is exported, and what is a test.
fn file<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    for form in node.named_children() {
        match form.kind() {
            "module_attribute" => walker.scope().mark |= MODULE,
            "export_attribute" => exports(walker, form, ""),
            "export_type_attribute" => exports(walker, form, TYPE),
            "compile_options_attribute" if walker.text(form).contains("export_all") => {
                walker.scope().mark |= EXPORTS_ALL;
            }
            "pp_include_lib" | "pp_include" if walker.text(form).contains("eunit.hrl") => {
                walker.scope().mark |= EUNIT;
            }
            "fun_decl" if walker.role.test => suite_cases(walker, form),
            _ => {}
        }
    }
    Flow::Descend
}

fn exports<'t>(walker: &mut Walker<'t>, form: Node<'t>, prefix: &str) {
    for function in children_of_kind(form, &["fa"]) {
        if let Some((name, arity)) = name_and_arity(walker, function) {
            let exported = format!("{prefix}{name}/{arity}");
            walker.scope().seen.insert(exported);
        }
    }
}

/// The name and the number of parameters in `name/1`.
fn name_and_arity<'t>(walker: &Walker<'t>, node: Node<'t>) -> Option<(&'t str, &'t str)> {
    let name = node.child_by_field_name("fun")?;
    let arity = node.child_by_field_name("arity")?;
    Some((
        unquoted(walker.text(name)),
        walker.text(arity).trim_start_matches('/').trim(),
    ))
}

/// The names that the functions `all` and `groups` of a Common Test suite mention.
fn suite_cases<'t>(walker: &mut Walker<'t>, form: Node<'t>) {
    let Some((name, 0)) = head(form).map(|head| (walker.text(head.name), head.arity)) else {
        return;
    };
    if !matches!(name, "all" | "groups") {
        return;
    }
    let mut cursor = form.walk();
    loop {
        if cursor.node().kind() == "atom" {
            let case = format!("{CASE}{}", unquoted(walker.text(cursor.node())));
            walker.scope().seen.insert(case);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// An atom without the quotes that only some need.
fn unquoted(atom: &str) -> &str {
    atom.strip_prefix('\'')
        .and_then(|atom| atom.strip_suffix('\''))
        .unwrap_or(atom)
}

/// The visibility of what has no place in an export list: everybody's in a header, the module's own elsewhere.
fn own_visibility(walker: &Walker<'_>) -> Visibility {
    match file_mark(walker) & MODULE {
        0 => Visibility::Public,
        _ => Visibility::Private,
    }
}

fn file_mark(walker: &Walker<'_>) -> u32 {
    walker.scopes.first().map_or(0, |file| file.mark)
}

/// Whether the file says something about a name: that it exports it, or that it is a test case.
fn is_listed(walker: &Walker<'_>, name: &str) -> bool {
    walker.scopes.first().is_some_and(|file| file.seen.contains(name))
}

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name")
        && walker.facts.package.is_empty()
    {
        let name = unquoted(walker.text(name));
        walker.facts.package = walker.facts.text.push(name);
        if let Some(doc) = docs::module_comment(walker, node.start_byte()) {
            walker.module_doc(&doc);
        }
    }
    Flow::Descend
}

fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(module) = node.child_by_field_name("module") else {
        return Flow::Descend;
    };
    let module = unquoted(walker.text(module));
    let mut bound = foldhash::HashSet::default();
    for function in children_of_kind(node, &["fa"]) {
        if let Some((name, _)) = name_and_arity(walker, function)
            && bound.insert(name)
        {
            walker.import(function, module, name, name, 0);
        }
    }
    Flow::Descend
}

/// A header is pasted in: all that it defines is known here.
fn include<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(file) = node.child_by_field_name("file") {
        walker.import(node, walker.text(file).trim_matches('"'), "*", "*", 0);
    }
    Flow::Descend
}

/// An attribute that waits for the function or type below it, or documents the module.
fn attribute<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let name = node
        .child_by_field_name("name")
        .and_then(|name| name.child_by_field_name("name"))
        .map_or("", |name| walker.text(name));
    match (node.kind(), name) {
        ("spec", _) | (_, "doc") => {
            walker
                .attributes
                .push((node.start_byte() as u32, node.end_byte() as u32));
        }
        (_, "moduledoc") => {
            if let Some(doc) = node
                .child_by_field_name("value")
                .and_then(|value| docs::literal(walker.text(value)))
            {
                walker.module_doc(&doc);
            }
        }
        _ => {}
    }
    Flow::Descend
}

/// Where a form ends without its full stop.
fn end_of_form(node: Node<'_>) -> usize {
    let last = node.child_count().checked_sub(1).and_then(|last| node.child(last));
    match last.filter(|last| last.kind() == ".") {
        Some(stop) => stop.start_byte(),
        None => node.end_byte(),
    }
}

fn record<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let run = docs::Run::before(walker, node.start_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(name, unquoted(walker.text(name))),
        signature: (node.start_byte(), end_of_form(node)),
        doc: run.doc,
        visibility: own_visibility(walker),
        ..Draft::new(SymbolKind::Struct, name, node)
    });
    walker.open_marked(definition, RECORD);
    Flow::Descend
}

/// A field of a record; elsewhere the same node gives a field a value.
fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_declared =
        walker.scope().mark & RECORD != 0 && walker.parent().is_some_and(|parent| parent.kind() == "record_decl");
    if let Some(name) = node.child_by_field_name("name").filter(|_| is_declared) {
        walker.define(Draft {
            name: Draftee::Named(name, unquoted(walker.text(name))),
            doc: docs::comment_above(walker, node.start_byte()),
            ..Draft::new(SymbolKind::Field, name, node)
        });
    }
    Flow::Descend
}

fn macro_definition<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(head) = node.child_by_field_name("lhs") else {
        return Flow::Descend;
    };
    let Some(name) = head.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let run = docs::Run::before(walker, node.start_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(name, unquoted(walker.text(name))),
        signature: match head.child_by_field_name("args") {
            Some(_) => (head.start_byte(), head.end_byte()),
            None => (node.start_byte(), end_of_form(node)),
        },
        doc: run.doc,
        visibility: own_visibility(walker),
        ..Draft::new(SymbolKind::Macro, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(head) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let Some(name) = head.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let text = unquoted(walker.text(name));
    let arity = head.child_by_field_name("args").map_or(0, count_arguments);
    let run = docs::Run::before(walker, node.start_byte());
    let visibility = if is_listed(walker, &format!("{TYPE}{text}/{arity}")) {
        Visibility::Public
    } else {
        own_visibility(walker)
    };
    walker.define(Draft {
        name: Draftee::Named(name, text),
        signature: (node.start_byte(), end_of_form(node)),
        doc: run.doc,
        visibility,
        ..Draft::new(SymbolKind::TypeAlias, name, node)
    });
    Flow::Descend
}

fn callback<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("fun") else {
        return Flow::Descend;
    };
    let run = docs::Run::before(walker, node.start_byte());
    walker.define(Draft {
        name: Draftee::Named(name, unquoted(walker.text(name))),
        signature: (node.start_byte(), end_of_form(node)),
        doc: run.doc,
        modifiers: Modifiers::default().with(Modifier::Abstract),
        ..Draft::new(SymbolKind::Method, name, node)
    });
    Flow::Descend
}

/// How many arguments stand between the parentheses.
fn count_arguments(arguments: Node<'_>) -> usize {
    arguments
        .named_children()
        .filter(|argument| argument.kind() != "comment")
        .count()
}

/// The head of a clause.
struct Head<'t> {
    name: Node<'t>,
    arity: usize,
    /// Where it ends, its guard included.
    end: usize,
}

fn head(form: Node<'_>) -> Option<Head<'_>> {
    let clause = form.child_by_field_name("clause")?;
    let body = clause.child_by_field_name("body");
    Some(Head {
        name: clause.child_by_field_name("name")?,
        arity: clause.child_by_field_name("args").map_or(0, count_arguments),
        end: body.map_or(clause.end_byte(), |body| body.start_byte()),
    })
}

/// One clause of a function; the grammar makes each a form of its own.
fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(head) = head(node) else {
        return Flow::Descend;
    };
    let name = unquoted(walker.text(head.name));
    let word = format!("{name}/{}", head.arity);
    let definition = match walker.further_clause(&word, node, true) {
        Some(definition) => definition,
        None => {
            let definition = define_function(walker, node, &head, name, &word);
            walker.expect_clauses(word, definition, true);
            definition
        }
    };
    if !has_child(node, ";") {
        walker.end_clauses();
    }
    walker.open(definition);
    Flow::Descend
}

fn define_function<'t>(walker: &mut Walker<'t>, node: Node<'t>, head: &Head<'t>, name: &str, word: &str) -> u32 {
    let run = docs::Run::before(walker, node.start_byte());
    let mark = file_mark(walker);
    let is_test = is_test(walker, name, head.arity);
    let visibility = if is_listed(walker, word) || mark & EXPORTS_ALL != 0 || is_test {
        Visibility::Public
    } else {
        own_visibility(walker)
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(head.name, unquoted(walker.text(head.name))),
        signature: (node.start_byte(), head.end),
        doc: run.doc,
        visibility,
        decorators: run.specs,
        ..Draft::new(
            if is_test {
                SymbolKind::Test
            } else {
                SymbolKind::Function
            },
            head.name,
            node,
        )
    });
    if let Some(start) = run.start {
        let line = walker.row_of(start) + 1;
        if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
            definition.place.start_byte = (start as u32).into();
            definition.place.start_line = line.into();
        }
    }
    definition
}

/// Whether EUnit, Common Test or PropEr takes a function for a test.
fn is_test(walker: &Walker<'_>, name: &str, arity: usize) -> bool {
    match arity {
        0 if name.ends_with("_test") || name.ends_with("_test_") => walker.role.test || file_mark(walker) & EUNIT != 0,
        0 => walker.role.test && name.starts_with("prop_"),
        1 => is_listed(walker, &format!("{CASE}{name}")),
        _ => false,
    }
}

/// `fun (X) -> … end`, under its own name or that of the variable that it is assigned to.
fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let first = child_of_kind(node, &["fun_clause"]);
    let end = first
        .and_then(|clause| clause.child_by_field_name("body"))
        .map_or(node.end_byte(), |body| body.start_byte());
    let own_name = first.and_then(|clause| clause.child_by_field_name("name"));
    let variable = walker
        .parent()
        .filter(|parent| parent.kind() == "match_expr")
        .and_then(|assignment| Some((assignment, assignment.child_by_field_name("lhs")?)))
        .filter(|(_, variable)| variable.kind() == "var" && !walker.text(*variable).starts_with('_'));
    let named = variable.or(own_name.map(|name| (node, name)));
    let definition = match named {
        Some((span, name)) => walker.define(Draft {
            signature: (span.start_byte(), end),
            visibility: Visibility::Private,
            ..Draft::new(SymbolKind::Function, name, span)
        }),
        None => walker.define(Draft {
            signature: (node.start_byte(), end),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

/// A clause of a lambda after the first is one more way through it.
fn lambda_clause<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let first = walker
        .parent()
        .and_then(|lambda| child_of_kind(lambda, &["fun_clause"]));
    if first != Some(node) {
        walker.decision();
    }
    Flow::Descend
}

/// A clause of `case`, `receive`, `try … of` and `maybe … else`.
fn arrow<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let pattern = node
        .child_by_field_name("pat")
        .map_or("", |pattern| walker.text(pattern));
    if pattern != "_" || node.child_by_field_name("guard").is_some() {
        walker.decision();
    }
    Flow::Descend
}

/// Every condition of a guard counts; `true` in an `if` is its default.
fn guard<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_default = walker.text(node) == "true";
    if !is_default {
        let conditions: usize = children_of_kind(node, &["guard_clause"])
            .into_iter()
            .map(count_arguments)
            .sum();
        walker.decisions(conditions as u32);
    }
    Flow::Descend
}

/// The module that the file declares; headers and scripts are named by their path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    ["_SUITE.erl", "_tests.erl", "_test.erl"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
        || (name.starts_with("prop_") && name.ends_with(".erl"))
        || has_directory(path, &["test", "tests"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&ERLANG, source)
    }

    #[test]
    fn modules_and_headers_are_named() {
        let named =
            |path: &str, package: &str| module_name(&[], &RepoPath::new(path).expect("the path is relative"), package);
        assert_eq!(named("src/a.erl", "a"), "a");
        assert_eq!(named("include/a.hrl", ""), "include/a");
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("src/a_SUITE.erl", true),
            ("src/a_tests.erl", true),
            ("src/prop_a.erl", true),
            ("test/helper.erl", true),
            ("src/a.erl", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn twins_behind_the_preprocessor_are_two() {
        let source = "-ifdef(A).\nf(1) -> 1;\nf(2) -> 2.\n-else.\nf(1) -> 3.\n-endif.\n";
        assert_eq!(outline(source), ["function f 2", "function f 1"]);
    }

    #[test]
    fn maybe_is_a_name_where_it_is_called() {
        assert_eq!(
            blank("-type a() :: maybe(b())."),
            Some("-type a() :: mayb_(b()).".to_owned())
        );
        assert_eq!(blank("a_maybe(b)"), None);
        assert_eq!(blank("maybe\n  ok ?= a\nend"), None);
    }

    #[test]
    fn edoc_tags_are_not_documentation() {
        let source = "%%---\n%% @private\n%% @doc Says it.\n%% Twice.\n%% @end\n%%---\nf() -> ok.\n%% @spec g() -> ok\ng() -> ok.\n";
        assert_eq!(outline(source), ["function f 1 \"Says it.\\nTwice.\"", "function g 1"]);
    }
}
