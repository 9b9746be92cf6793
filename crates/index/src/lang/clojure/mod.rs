//! Clojure and ClojureScript: definitions by the word that a list begins with, docstrings, metadata, namespaces.

mod flow;
mod head;
mod namespace;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use self::head::Head;
use crate::extract::{Draft, Draftee, Walker};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static CLOJURE: Language = Language {
    name: "clojure",
    dialect: "clojure",
    extensions: &["clj", "cljs", "cljc"],
    file_names: &["build.boot"],
    interpreters: &["bb", "clj", "clojure", "joker", "lumo", "nbb", "planck"],
    separator: "/",
    grammar: || tree_sitter_clojure_orchard::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Visit(comment)),
        ("str_lit", Rule::Text),
        ("regex_lit", Rule::Text),
        ("list_lit", Rule::Visit(list)),
        ("anon_fn_lit", Rule::Visit(short_lambda)),
        ("sym_lit", Rule::Visit(extended)),
        ("nil_lit", Rule::Visit(extended)),
        ("dis_expr", Rule::Visit(dead)),
        ("quoting_lit", Rule::Visit(dead)),
        ("syn_quoting_lit", Rule::Visit(template)),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Marks the scope of what is never run: discarded, quoted, or in a `comment`.
const DEAD: u32 = 1;
/// Marks the scope of what a macro makes: it defines nothing here, but is part of the macro.
const TEMPLATE: u32 = 16;
/// Marks the scope of a type, whose lists are methods.
const METHODS: u32 = 2;
/// Marks the scope of an `extend-protocol`, in which every symbol names the type of the methods after it.
const EXTENDS: u32 = 4;
/// Marks the scope of a protocol, whose lists declare methods.
const PROTOCOL: u32 = 8;

/// A comment without the end of its line, which the grammar counts in.
fn comment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let length = walker.text(node).trim_end().len();
    walker.comment(node.start_byte(), node.start_byte() + length);
    Flow::Skip
}

/// The forms in a list, without comments and what is discarded.
fn forms(node: Node<'_>) -> Vec<Node<'_>> {
    node.children_by_field_name("value").collect()
}

/// The name of a symbol, without its namespace and its metadata.
fn symbol(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "sym_lit" => node.child_by_field_name("name"),
        _ => None,
    }
}

/// The whole text of a symbol, its namespace included.
fn symbol_text<'t>(walker: &Walker<'t>, node: Node<'t>) -> Option<&'t str> {
    let name = symbol(node)?;
    let start = node.child_by_field_name("namespace").unwrap_or(name).start_byte();
    Some(walker.slice(start, name.end_byte()))
}

/// Whether one of these marks is on a scope around the node under the cursor.
fn is_inside(walker: &Walker<'_>, marks: u32) -> bool {
    walker.scopes.iter().any(|scope| scope.mark & marks != 0)
}

fn dead<'t>(walker: &mut Walker<'t>, _: Node<'t>) -> Flow {
    open_marked(walker, DEAD);
    Flow::Descend
}

fn template<'t>(walker: &mut Walker<'t>, _: Node<'t>) -> Flow {
    open_marked(walker, TEMPLATE);
    Flow::Descend
}

/// Opens a scope that is like the one around it but for its mark.
fn open_marked(walker: &mut Walker<'_>, mark: u32) {
    let kind = walker.enclosing_kind();
    walker.open_named("", kind, mark);
}

fn list<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
        return Flow::Descend;
    }
    let Some(first) = node.child_by_field_name("value") else {
        return Flow::Descend;
    };
    let Some(word) = symbol(first).map(|name| walker.text(name)) else {
        return Flow::Descend;
    };
    let mark = walker.scope().mark;
    let is_direct = walker.parent().is_some_and(|parent| parent.kind() == "list_lit");
    if mark & (METHODS | EXTENDS | PROTOCOL) != 0 && is_direct {
        method(walker, node, first, mark & PROTOCOL != 0);
        return Flow::Descend;
    }
    let namespace = first
        .child_by_field_name("namespace")
        .map_or("", |namespace| walker.text(namespace));
    if matches!(namespace, "" | "clojure.core" | "cljs.core" | "core") && !is_inside(walker, DEAD) {
        let ways = ways(walker, node, word);
        walker.decisions(ways);
    }
    if is_inside(walker, DEAD | TEMPLATE) {
        return Flow::Descend;
    }
    match word {
        "ns" | "in-ns" => namespace::declare(walker, node, word == "ns"),
        "require" | "use" | "import" | "require-macros" if namespace.is_empty() => namespace::call(walker, node, word),
        "comment" => open_marked(walker, DEAD),
        "fn" | "fn*" => lambda(walker, node),
        "letfn" => local_functions(walker, node),
        "reify" | "proxy" => anonymous_type(walker, node),
        "extend-type" => extend_type(walker, node),
        "extend-protocol" => walker.open_named("", SymbolKind::Struct, EXTENDS),
        "defmethod" => multimethod_case(walker, node),
        "defprotocol" | "definterface" | "defprotocol+" => type_definition(walker, node, SymbolKind::Interface),
        "defrecord" | "deftype" | "defrecord+" | "deftype+" => type_definition(walker, node, SymbolKind::Struct),
        "defstruct" => old_struct(walker, node),
        "defn" | "defn-" | "defmulti" | "definline" => function(walker, node, SymbolKind::Function),
        "defmacro" | "defmacro-" => function(walker, node, SymbolKind::Macro),
        "deftest" | "deftest-" | "defspec" => function(walker, node, SymbolKind::Test),
        "def" | "defonce" => value(walker, node),
        word if word.starts_with("def") && is_at_top(walker) => unknown_definition(walker, node),
        _ => {}
    }
    Flow::Descend
}

/// Whether the node under the cursor stands at the top of the file.
fn is_at_top(walker: &Walker<'_>) -> bool {
    walker
        .parent()
        .is_some_and(|parent| matches!(parent.kind(), "source" | "read_cond_lit"))
}

/// The ways that a form of the language adds.
fn ways<'t>(walker: &Walker<'t>, node: Node<'t>, word: &str) -> u32 {
    let count = match word {
        "if" | "if-not" | "if-let" | "if-some" | "when" | "when-not" | "when-let" | "when-some" | "when-first"
        | "while" | "dotimes" | "loop" | "catch" => 1,
        "and" | "or" => forms(node).len().saturating_sub(2),
        "cond" => {
            let forms = forms(node);
            let tests = forms.get(1..).unwrap_or(&[]).iter().step_by(2);
            tests
                .filter(|test| !matches!(walker.text(**test), ":else" | ":default" | "true"))
                .count()
        }
        "case" | "cond->" | "cond->>" => forms(node).len().saturating_sub(2) / 2,
        "condp" => forms(node).len().saturating_sub(3) / 2,
        "for" | "doseq" => forms(node).get(1).map_or(0, |bindings| {
            let bindings = forms(*bindings);
            let names = bindings.iter().step_by(2);
            names.filter(|name| walker.text(**name) != ":let").count()
        }),
        _ => 0,
    };
    count as u32
}

/// What is defined of a function, macro or test.
fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) {
    let Some(head) = Head::of(walker, node) else {
        return;
    };
    define_function(walker, node, &head, kind);
}

fn define_function<'t>(walker: &mut Walker<'t>, node: Node<'t>, head: &Head<'t>, kind: SymbolKind) {
    let is_multimethod = node
        .child_by_field_name("value")
        .is_some_and(|word| walker.text(word) == "defmulti");
    let end = match (head.sign(walker), head.rest.last()) {
        // What a multimethod dispatches on is all it has.
        (_, Some(dispatch)) if is_multimethod => dispatch.end_byte(),
        (end, _) => end,
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte() + 1, end),
        doc: head.doc.clone(),
        visibility: head.visibility,
        modifiers: head.modifiers(),
        ..Draft::new(kind, head.name, node)
    });
    walker.open(definition);
}

/// `(def name value)`: a function where the value is one, a variable where it can change, else a constant.
fn value<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let Some(head) = Head::of(walker, node) else {
        return;
    };
    let value = head.rest.last().copied();
    let word = value
        .filter(|value| value.kind() == "list_lit")
        .and_then(|value| symbol(value.child_by_field_name("value")?))
        .map_or("", |word| walker.text(word));
    let is_lambda = matches!(word, "fn" | "fn*") || value.is_some_and(|value| value.kind() == "anon_fn_lit");
    let kind = match word {
        _ if is_lambda => SymbolKind::Function,
        "atom" | "ref" | "agent" | "volatile!" | "promise" => SymbolKind::Static,
        _ if head.is_dynamic => SymbolKind::Static,
        _ => SymbolKind::Constant,
    };
    let end = match value {
        Some(value) if is_lambda => lambda_head_end(value),
        _ => node.end_byte().saturating_sub(1),
    };
    head.leave_out_docs(walker);
    let definition = walker.define(Draft {
        signature: (node.start_byte() + 1, end),
        doc: head.doc.clone(),
        visibility: head.visibility,
        modifiers: head.modifiers(),
        ..Draft::new(kind, head.name, node)
    });
    match value {
        Some(value) if is_lambda => walker.claim(value, definition),
        _ => walker.open(definition),
    }
}

/// A form of some library that defines a name: a function where it has parameters, else a constant.
fn unknown_definition<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let Some(head) = Head::of(walker, node) else {
        return;
    };
    let has_parameters = !head.parameters.is_empty() && head.rest.len() > 1;
    if has_parameters {
        define_function(walker, node, &head, SymbolKind::Function);
        return;
    }
    let definition = walker.define(Draft {
        signature: (node.start_byte() + 1, head.name.end_byte()),
        doc: head.doc.clone(),
        visibility: head.visibility,
        ..Draft::new(SymbolKind::Constant, head.name, node)
    });
    walker.open(definition);
}

/// `(defmethod area :circle [shape] …)`: the case of a multimethod, known by its dispatch value.
fn multimethod_case<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let forms = forms(node);
    let (Some(owner), Some(value)) = (forms.get(1).and_then(|name| symbol_text(walker, *name)), forms.get(2)) else {
        return;
    };
    let end = forms
        .iter()
        .skip(3)
        .find(|form| form.kind() == "vec_lit")
        .map_or(value.end_byte(), |parameters| parameters.end_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(*value, walker.text(*value)),
        owner,
        signature: (node.start_byte() + 1, end),
        ..Draft::new(SymbolKind::Method, *value, node)
    });
    walker.open(definition);
}

/// `defprotocol`, `definterface`, `defrecord` and `deftype`.
fn type_definition<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) {
    let Some(head) = Head::of(walker, node) else {
        return;
    };
    let fields = head.rest.first().copied().filter(|fields| fields.kind() == "vec_lit");
    head.leave_out_docs(walker);
    let definition = walker.define(Draft {
        signature: (
            node.start_byte() + 1,
            fields.map_or(head.name.end_byte(), |fields| fields.end_byte()),
        ),
        doc: head.doc.clone(),
        visibility: head.visibility,
        ..Draft::new(kind, head.name, node)
    });
    for field in fields.map(forms).unwrap_or_default() {
        if let Some(name) = symbol(field) {
            define_field(walker, definition, name, walker.text(name), field);
        }
    }
    walker.open_marked(
        definition,
        match kind {
            SymbolKind::Interface => PROTOCOL,
            _ => METHODS,
        },
    );
}

/// `(defstruct name :key …)`.
fn old_struct<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let Some(head) = Head::of(walker, node) else {
        return;
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte() + 1, node.end_byte().saturating_sub(1)),
        doc: head.doc.clone(),
        visibility: head.visibility,
        ..Draft::new(SymbolKind::Struct, head.name, node)
    });
    for key in head.rest.iter().filter(|key| key.kind() == "kwd_lit") {
        define_field(
            walker,
            definition,
            *key,
            walker.text(*key).trim_start_matches(':'),
            *key,
        );
    }
}

/// Records a field before the scope of its type is open.
fn define_field<'t>(walker: &mut Walker<'t>, of: u32, name: Node<'t>, text: &'t str, span: Node<'t>) {
    let field = walker.define(Draft {
        name: Draftee::Named(name, text),
        ..Draft::new(SymbolKind::Field, name, span)
    });
    if let Some(field) = walker.facts.definitions.get_mut(field as usize) {
        field.parent = of.into();
        field.owner = Default::default();
    }
}

/// A method of a type, or one that a protocol declares.
fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>, first: Node<'t>, is_declared: bool) {
    let Some(name) = symbol(first) else {
        return;
    };
    let forms = forms(node);
    let parameters = if is_declared {
        forms.iter().rfind(|form| form.kind() == "vec_lit").copied()
    } else {
        forms.get(1).and_then(|form| parameters(*form))
    };
    let Some(parameters) = parameters else {
        if walker.scope().mark & EXTENDS != 0 {
            // The type is computed.
            walker.scope().owner = walker.text(node).to_owned();
        }
        open_marked(walker, 0);
        return;
    };
    let doc = forms
        .last()
        .filter(|last| is_declared && last.kind() == "str_lit")
        .and_then(|doc| head::docstring(walker, *doc));
    let modifiers = if is_declared {
        Modifiers::default().with(Modifier::Abstract)
    } else {
        Modifiers::default()
    };
    let definition = walker.define(Draft {
        signature: (node.start_byte() + 1, parameters.end_byte()),
        doc,
        modifiers,
        ..Draft::new(SymbolKind::Method, name, node)
    });
    walker.open(definition);
}

/// `(extend-type Type Protocol (method …))`: the methods hang on the type.
fn extend_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    if let Some(extended) = forms(node).get(1) {
        let owner = symbol_text(walker, *extended).unwrap_or_else(|| walker.text(*extended));
        walker.open_named(owner, SymbolKind::Struct, METHODS);
    }
}

/// A type in `extend-protocol`, to which the methods after it belong.
fn extended<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_direct = walker.parent().is_some_and(|parent| parent.kind() == "list_lit");
    if is_direct && walker.scope().mark & EXTENDS != 0 {
        let name = symbol_text(walker, node).unwrap_or_else(|| walker.text(node));
        walker.scope().owner = name.to_owned();
    }
    Flow::Descend
}

/// `reify` and `proxy`, which make an instance of a type without a name.
fn anonymous_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let end = forms(node).get(1).map_or(node.end_byte(), |first| first.end_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte() + 1, end),
        ..Draft::anonymous(SymbolKind::Class, "class", node)
    });
    walker.open_marked(definition, METHODS);
}

/// The parameters in `[x] …` or `([x] …) ([x y] …)`.
fn parameters(form: Node<'_>) -> Option<Node<'_>> {
    match form.kind() {
        "vec_lit" => Some(form),
        "list_lit" => form
            .child_by_field_name("value")
            .filter(|first| first.kind() == "vec_lit"),
        _ => None,
    }
}

/// Where the head of a `(fn name [x] …)` ends.
fn lambda_head_end(node: Node<'_>) -> usize {
    if node.kind() != "list_lit" {
        return node.end_byte();
    }
    let forms = forms(node);
    let parameters = forms.iter().find_map(|form| parameters(*form));
    parameters.map_or(node.end_byte(), |parameters| parameters.end_byte())
}

/// `(fn [x] …)`, under its own name if it has one.
fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let signature = (node.start_byte() + 1, lambda_head_end(node));
    let name = forms(node).get(1).and_then(|name| symbol(*name));
    let definition = match name {
        Some(name) => walker.define(Draft {
            signature,
            visibility: Visibility::Private,
            ..Draft::new(SymbolKind::Function, name, node)
        }),
        None => walker.define(Draft {
            signature,
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
}

/// `#(…)`.
fn short_lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None if is_inside(walker, DEAD | TEMPLATE) => return Flow::Descend,
        None => walker.define(Draft::anonymous(SymbolKind::Function, "lambda", node)),
    };
    // It is a list itself.
    let word = node.child_by_field_name("value").and_then(symbol);
    let ways = word.map_or(0, |word| ways(walker, node, walker.text(word)));
    walker.add_ways(definition, ways);
    walker.open(definition);
    Flow::Descend
}

/// The functions of a `letfn`.
fn local_functions<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let bindings = forms(node).get(1).map(|bindings| forms(*bindings)).unwrap_or_default();
    for binding in bindings.into_iter().filter(|binding| binding.kind() == "list_lit") {
        if let Some(name) = binding.child_by_field_name("value").and_then(symbol) {
            let definition = walker.define(Draft {
                signature: (binding.start_byte() + 1, lambda_head_end(binding)),
                visibility: Visibility::Private,
                ..Draft::new(SymbolKind::Function, name, binding)
            });
            walker.claim(binding, definition);
        }
    }
}

/// The namespace that the file declares; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.ends_with("_test") || stem.starts_with("test_") || has_directory(path, &["test", "tests"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::language::Role;

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("test/a/core.clj", true),
            ("src/a/core_test.cljs", true),
            ("src/test_core.clj", true),
            ("src/a/testing.clj", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn signatures_show_neither_docs_nor_bodies() {
        let source = "(defn f \"Doc.\" ([] (g #(h %))) ; c\n  ([x] 1)\n  ([x y] 2))\n(def ^{:doc \"D\"} a 1)\n";
        let facts = extract(&CLOJURE, Role::default(), source);
        let signatures: Vec<_> = facts
            .definitions
            .iter()
            .map(|one| facts.text.get(one.signature))
            .collect();
        assert_eq!(signatures, ["defn f [] [x] [x y]", "#(h %)", "def a 1"]);
    }
}
