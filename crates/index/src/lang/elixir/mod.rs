//! Elixir: modules, functions with their clauses, module attributes, documentation attributes, imports, tests.
//!
//! Everything in Elixir is a call (`defmodule`, `def`, `if`, `alias`), so one rule reads calls by the word they begin with.

mod attributes;
mod flow;
mod imports;

use lore_model::{Modifier, NONE, RepoPath, SymbolKind, Text, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, has_child};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static ELIXIR: Language = Language {
    name: "elixir",
    dialect: "elixir",
    extensions: &["ex", "exs"],
    interpreters: &["elixir", "iex"],
    grammar: || tree_sitter_elixir::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("charlist", Rule::Text),
        ("sigil", Rule::Text),
        ("call", Rule::Visit(call)),
        ("unary_operator", Rule::Visit(unary)),
        ("anonymous_function", Rule::Visit(lambda)),
        ("stab_clause", Rule::Visit(arrow)),
        ("when", Rule::Visit(guard)),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
        ("and", Rule::Decision),
        ("or", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Marks the scope of an implementation, whose members hang on the protocol and the type wherever it stands.
const IMPLEMENTATION: u32 = 1;

/// What a word that begins a call declares.
struct Word {
    kind: SymbolKind,
    visibility: Visibility,
}

impl Word {
    /// The words that declare a function or macro.
    fn of(word: &str) -> Option<Self> {
        let (kind, visibility) = match word {
            "def" | "defdelegate" | "defn" => (SymbolKind::Function, Visibility::Public),
            "defp" | "defnp" => (SymbolKind::Function, Visibility::Private),
            "defmacro" | "defguard" => (SymbolKind::Macro, Visibility::Public),
            "defmacrop" | "defguardp" => (SymbolKind::Macro, Visibility::Private),
            _ => return None,
        };
        Some(Self { kind, visibility })
    }
}

fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(target) = node.child_by_field_name("target") else {
        return Flow::Descend;
    };
    if walker.claimed(node).is_some() {
        // The head of a function, which may well be called `if`.
        return Flow::Descend;
    }
    let word = match target.kind() {
        "identifier" => walker.text(target),
        // `Record.defrecord` is as often called by its whole name as it is imported.
        "dot" => match walker.text(target) {
            "Record.defrecord" => "defrecord",
            "Record.defrecordp" => "defrecordp",
            _ => return Flow::Descend,
        },
        _ => return Flow::Descend,
    };
    match (word, child_of_kind(node, &["arguments"])) {
        ("if" | "unless", _) => walker.decision(),
        ("for", Some(arguments)) => walker.decisions(positional(arguments).count() as u32),
        ("defmodule", Some(arguments)) => module(walker, node, arguments, SymbolKind::Module),
        ("defprotocol", Some(arguments)) => module(walker, node, arguments, SymbolKind::Interface),
        ("defimpl", Some(arguments)) => implementation(walker, arguments),
        ("defstruct" | "defexception", Some(arguments)) => struct_fields(walker, arguments),
        ("defrecord" | "defrecordp", Some(arguments)) => record(walker, node, arguments, word == "defrecordp"),
        ("alias" | "import" | "require" | "use", Some(arguments)) => imports::import(walker, node, word, arguments),
        ("test" | "property", Some(arguments)) => named_block(walker, node, arguments, SymbolKind::Test),
        ("describe", Some(arguments)) => named_block(walker, node, arguments, SymbolKind::Namespace),
        (word, Some(arguments)) => {
            if let Some(declared) = Word::of(word) {
                functions(walker, node, arguments, word, &declared);
            }
        }
        _ => {}
    }
    Flow::Descend
}

/// The arguments without keywords and comments.
fn positional<'t>(arguments: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    arguments
        .named_children()
        .filter(|child| !matches!(child.kind(), "keywords" | "comment"))
}

/// The value of a keyword among the arguments.
fn option<'t>(walker: &Walker<'t>, arguments: Node<'t>, name: &str) -> Option<Node<'t>> {
    let keywords = child_of_kind(arguments, &["keywords"])?;
    keywords
        .named_children()
        .find(|pair| key(walker, *pair).is_some_and(|(_, key)| key == name))?
        .child_by_field_name("value")
}

/// The key of a pair and its name.
fn key<'t>(walker: &Walker<'t>, pair: Node<'t>) -> Option<(Node<'t>, &'t str)> {
    let key = pair.child_by_field_name("key")?;
    let name = walker.text(key).trim_end().trim_end_matches(':').trim_matches('"');
    matches!(key.kind(), "keyword" | "quoted_keyword").then_some((key, name))
}

/// Records a definition. What an implementation defines stands where the implementation's own name leads, not where it is written.
fn define(walker: &mut Walker<'_>, draft: Draft<'_>) -> u32 {
    if walker.scope().mark != IMPLEMENTATION {
        return walker.define(draft);
    }
    let owner = match draft.owner {
        "" => walker.scope().owner.clone(),
        below => format!("{}.{below}", walker.scope().owner),
    };
    walker.define(Draft {
        owner: &owner,
        at_module: true,
        ..draft
    })
}

/// The whole name of the module around the node under the cursor: what `__MODULE__` stands for.
fn module_path(walker: &Walker<'_>) -> String {
    let is_module = |kind| matches!(kind, SymbolKind::Module | SymbolKind::Interface);
    let inner = walker.scopes.iter().rev().find(|scope| is_module(scope.kind));
    let Some(inner) = inner.filter(|inner| inner.definition != NONE) else {
        return inner.map_or_else(String::new, |inner| inner.owner.clone());
    };
    let mut parts = Vec::new();
    let mut next = Some(inner.definition as usize);
    while let Some(definition) = next.and_then(|at| walker.facts.definitions.get(at)) {
        if is_module(definition.kind()) {
            parts.push(walker.facts.text.get(definition.name));
            parts.push(walker.facts.text.get(definition.owner));
        }
        next = definition.parent();
    }
    parts.retain(|part| !part.is_empty());
    parts.reverse();
    parts.join(".")
}

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>, arguments: Node<'t>, kind: SymbolKind) {
    let Some(name) = positional(arguments).next() else {
        return;
    };
    let path = walker.text(name).trim_start_matches([':', '"']).trim_end_matches('"');
    let path = path.strip_prefix("__MODULE__.").unwrap_or(path);
    let (owner, last) = match name.kind() {
        "alias" | "dot" => path.rsplit_once('.').unwrap_or(("", path)),
        _ => ("", path),
    };
    let doc = child_of_kind(node, &["do_block"]).and_then(|body| attributes::module_doc(walker, body));
    if let Some(doc) = &doc {
        walker.module_doc(doc);
    }
    let definition = define(
        walker,
        Draft {
            name: Draftee::Named(name, last),
            owner,
            signature: (node.start_byte(), name.end_byte()),
            doc,
            ..Draft::new(kind, name, node)
        },
    );
    walker.open(definition);
}

/// `defimpl Protocol, for: Type`: a module that Elixir calls `Protocol.Type`, wherever it is written.
fn implementation<'t>(walker: &mut Walker<'t>, arguments: Node<'t>) {
    let Some(protocol) = positional(arguments).next() else {
        return;
    };
    let target = option(walker, arguments, "for").map(|target| match target.kind() {
        // One body for several types is named after the first.
        "list" => target.named_child(0).unwrap_or(target),
        _ => target,
    });
    let target = match target.map_or("__MODULE__", |target| walker.text(target)) {
        "__MODULE__" => module_path(walker),
        target => target.to_owned(),
    };
    let protocol = walker.text(protocol);
    let owner = if target.is_empty() {
        protocol.to_owned()
    } else {
        format!("{protocol}.{target}")
    };
    walker.open_named(&owner, SymbolKind::Interface, IMPLEMENTATION);
}

/// What the head of a function names.
struct Head<'t> {
    /// Where the name stands.
    node: Node<'t>,
    name: &'t str,
    arity: usize,
    /// The name with its parameters.
    call: Node<'t>,
}

impl<'t> Head<'t> {
    /// Reads `f(a, b)`, `f`, `a <> b`, `not a`, each with or without a guard or a type.
    fn of(walker: &Walker<'t>, mut node: Node<'t>) -> Option<Self> {
        loop {
            let (name, arity) = match node.kind() {
                "binary_operator" => {
                    let operator = node.child_by_field_name("operator")?;
                    if matches!(operator.kind(), "when" | "::") {
                        node = node.child_by_field_name("left")?;
                        continue;
                    }
                    (operator, 2)
                }
                "unary_operator" => (node.child_by_field_name("operator")?, 1),
                "block" => {
                    node = node.named_child(0)?;
                    continue;
                }
                "call" => {
                    let target = node.child_by_field_name("target")?;
                    let arguments = child_of_kind(node, &["arguments"]);
                    // A name that is computed is known by how it is computed.
                    let name = if walker.text(target) == "unquote" { node } else { target };
                    (name, arguments.map_or(0, |arguments| arguments.named_child_count()))
                }
                "identifier" | "operator_identifier" => (node, 0),
                _ => return None,
            };
            return Some(Self {
                node: name,
                name: walker.text(name),
                arity,
                call: node,
            });
        }
    }
}

/// The functions that a `def` or its like declares; only `defdelegate` may name several at once.
fn functions<'t>(walker: &mut Walker<'t>, node: Node<'t>, arguments: Node<'t>, word: &str, declared: &Word) {
    let Some(first) = positional(arguments).next() else {
        return;
    };
    let heads: Vec<Node<'t>> = match (first.kind(), word) {
        ("list", "defdelegate") => positional(first).collect(),
        _ => vec![first],
    };
    let is_head_only = word == "def" && !has_child(node, "do_block") && option(walker, arguments, "do").is_none();
    let run = attributes::before(walker, node.start_byte());
    for head in heads {
        let Some(named) = Head::of(walker, head) else {
            continue;
        };
        // Clauses stand in the same block: those of `if … else …` are two functions of which one is compiled.
        let block = walker.parent().map_or(0, |block| block.id());
        let clause = format!("{word} {}/{} in {block}", named.name, named.arity);
        if let Some(definition) = walker.further_clause(&clause, node, !is_head_only) {
            claim_head(walker, &named, definition);
            walker.open(definition);
            continue;
        }
        let in_protocol = walker.enclosing_kind() == SymbolKind::Interface;
        let is_declared_only = in_protocol && is_head_only;
        let kind = match declared.kind {
            SymbolKind::Function if in_protocol => SymbolKind::Method,
            kind => kind,
        };
        let end = if word == "defdelegate" {
            node.end_byte()
        } else {
            head.end_byte()
        };
        let mut modifiers = run.modifiers();
        if is_declared_only {
            modifiers.insert(Modifier::Abstract);
        }
        let draft = Draft {
            name: Draftee::Named(named.node, named.name),
            signature: (node.start_byte(), end),
            doc: run.doc.clone(),
            visibility: declared.visibility,
            modifiers,
            decorators: run.words.clone(),
            ..Draft::new(kind, named.node, node)
        };
        let definition = define(walker, draft);
        attributes::begin_at(walker, definition, run.start);
        walker.expect_clauses(clause, definition, !is_head_only);
        claim_head(walker, &named, definition);
        walker.open(definition);
    }
}

/// Keeps the head of a function from being read as a call of it.
fn claim_head(walker: &mut Walker<'_>, head: &Head<'_>, definition: u32) {
    if head.call.kind() == "call" {
        walker.claim(head.call, definition);
    }
}

/// The fields of a struct or exception, which has the name of its module.
fn struct_fields<'t>(walker: &mut Walker<'t>, arguments: Node<'t>) {
    if !walker.enclosing_kind().is_callable()
        && let Some(list) = arguments.named_child(0)
    {
        fields(walker, list, None);
    }
}

/// Records the names in `[:a, b: 1]`, `a: 1, b: 2` or `~w(a b)a` as fields, of the enclosing module or of a record.
fn fields<'t>(walker: &mut Walker<'t>, list: Node<'t>, record: Option<u32>) {
    match list.kind() {
        "sigil" => {
            let content = child_of_kind(list, &["quoted_content"]).map_or("", |content| walker.text(content));
            for name in content.split_whitespace() {
                field(walker, list, name, list, record);
            }
        }
        "keywords" => {
            for pair in list.named_children() {
                if let Some((key, name)) = key(walker, pair) {
                    field(walker, key, name, pair, record);
                }
            }
        }
        "list" => {
            for child in list.named_children() {
                match child.kind() {
                    "atom" => {
                        let name = walker.text(child).trim_start_matches(':');
                        field(walker, child, name, child, record);
                    }
                    "keywords" => fields(walker, child, record),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: &'t str, span: Node<'t>, record: Option<u32>) {
    let field = define(
        walker,
        Draft {
            name: Draftee::Named(node, name),
            ..Draft::new(SymbolKind::Field, node, span)
        },
    );
    if let (Some(record), Some(field)) = (record, walker.facts.definitions.get_mut(field as usize)) {
        field.parent = record.into();
        field.owner = Text::default();
    }
}

/// `defrecord :name, field: default`.
fn record<'t>(walker: &mut Walker<'t>, node: Node<'t>, arguments: Node<'t>, is_private: bool) {
    let Some(name) = positional(arguments).next().filter(|name| name.kind() == "atom") else {
        return;
    };
    let run = attributes::before(walker, node.start_byte());
    let definition = define(
        walker,
        Draft {
            name: Draftee::Named(name, walker.text(name).trim_start_matches(':')),
            doc: run.doc,
            visibility: if is_private {
                Visibility::Private
            } else {
                Visibility::Public
            },
            ..Draft::new(SymbolKind::Struct, name, node)
        },
    );
    if let Some(list) = child_of_kind(arguments, &["keywords", "list"]) {
        fields(walker, list, Some(definition));
    }
}

/// `test "…" do` and `describe "…" do`.
fn named_block<'t>(walker: &mut Walker<'t>, node: Node<'t>, arguments: Node<'t>, kind: SymbolKind) {
    let Some(name) = positional(arguments).next().filter(|name| name.kind() == "string") else {
        return;
    };
    let (Some(first), Some(last)) = (
        name.child_by_field_name("quoted_start"),
        name.child_by_field_name("quoted_end"),
    ) else {
        return;
    };
    if !has_child(node, "do_block") && option(walker, arguments, "do").is_none() {
        return;
    }
    let run = attributes::before(walker, node.start_byte());
    let definition = define(
        walker,
        Draft {
            name: Draftee::Named(name, walker.slice(first.end_byte(), last.start_byte())),
            signature: (node.start_byte(), name.end_byte()),
            decorators: run.words,
            ..Draft::new(kind, name, node)
        },
    );
    attributes::begin_at(walker, definition, run.start);
    walker.open(definition);
}

/// `@name …` and `&(…)`.
fn unary<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let operator = node
        .child_by_field_name("operator")
        .map_or("", |operator| operator.kind());
    match (operator, node.child_by_field_name("operand")) {
        ("@", Some(operand)) => attributes::attribute(walker, node, operand),
        ("&", Some(operand)) if is_capture(operand) => {
            let definition = walker.define(Draft::anonymous(SymbolKind::Function, "lambda", node));
            walker.open(definition);
        }
        _ => {}
    }
    Flow::Descend
}

/// Whether `&` makes a function out of an expression; `&1` is a parameter of one and `&f/1` refers to one.
fn is_capture(operand: Node<'_>) -> bool {
    match operand.kind() {
        "integer" => false,
        "binary_operator" => {
            let field = |name| operand.child_by_field_name(name).map_or("", |node| node.kind());
            !(field("operator") == "/" && field("right") == "integer" && field("left") != "unary_operator")
        }
        _ => true,
    }
}

/// `fn … end`, under the name of the variable that it is assigned to.
fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let variable = walker.parent().and_then(|assignment| {
        let operator = assignment.child_by_field_name("operator")?;
        let name = assignment.child_by_field_name("left")?;
        (operator.kind() == "=" && name.kind() == "identifier" && walker.text(name) != "_")
            .then_some((assignment, name))
    });
    let end = child_of_kind(node, &["stab_clause"])
        .and_then(|clause| clause.child_by_field_name("left"))
        .map_or(node.start_byte(), |parameters| parameters.end_byte());
    let definition = match variable {
        Some((assignment, name)) => walker.define(Draft {
            signature: (assignment.start_byte(), end),
            visibility: Visibility::Private,
            ..Draft::new(SymbolKind::Function, name, assignment)
        }),
        None => walker.define(Draft {
            signature: (node.start_byte(), end),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

/// A clause of `case`, `cond`, `receive`, `fn`, `rescue` and their like.
fn arrow<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (block, call) = (walker.parent(), walker.ancestors().nth(1));
    let is_way = match block.map_or("", |block| block.kind()) {
        "rescue_block" | "catch_block" | "after_block" => true,
        // The first is the way into the function.
        "anonymous_function" => block.and_then(|block| child_of_kind(block, &["stab_clause"])) != Some(node),
        "do_block" | "else_block" => !is_default(walker, node, call),
        // The type of a function.
        _ => false,
    };
    if is_way {
        walker.decision();
    }
    Flow::Descend
}

/// Whether a clause takes whatever the clauses before it left: `_ ->`, and `true ->` of a `cond`.
fn is_default(walker: &Walker<'_>, clause: Node<'_>, call: Option<Node<'_>>) -> bool {
    let pattern = clause.child_by_field_name("left").map_or("", |left| walker.text(left));
    let target = call.and_then(|call| call.child_by_field_name("target"));
    match target.map_or("", |target| walker.text(target)) {
        "cond" => pattern == "true",
        _ => pattern == "_",
    }
}

/// A guard is one more condition, except where it is all there is.
fn guard<'t>(walker: &mut Walker<'t>, _: Node<'t>) -> Flow {
    let target = walker
        .ancestors()
        .nth(2)
        .and_then(|call| call.child_by_field_name("target"));
    if !target.is_some_and(|target| walker.text(target).starts_with("defguard")) {
        walker.decision();
    }
    Flow::Descend
}

fn is_test_file(path: &RepoPath) -> bool {
    path.file_name().ends_with("_test.exs") || has_directory(path, &["test", "tests"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&ELIXIR, source)
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("test/support/helper.ex", true),
            ("lib/a_test.exs", true),
            ("lib/a_test.ex", false),
            ("lib/contest/a.ex", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn clauses_of_a_block_are_one_function() {
        let source = "defmodule A do\n  def f(1), do: fn -> 1 end\n  @x 1\n  def f(2), do: fn -> 2 end\n  defp f(3), do: 3\nend\n";
        let expected = [
            "module A 0",
            "function A.f 2",
            "function A.f.<lambda1> 1",
            "constant A.x 0",
            "function A.f.<lambda2> 1",
            "function A.f 1",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn implementations_are_named_as_elixir_names_them() {
        let source = "defmodule A.B do\n  defimpl P do\n    def f(x), do: x\n  end\nend\ndefimpl P, for: [C, D] do\n  def f(x), do: x\nend\n";
        assert_eq!(outline(source), ["module A.B 0", "method P.A.B.f 1", "method P.C.f 1"]);
    }

    #[test]
    fn documentation_is_text_and_not_metadata() {
        let source = "defmodule A do\n  @doc since: \"1.0\"\n  @doc ~S\"\"\"\n  Says `#{x}`.\n    Indented.\n  \"\"\"\n  def f, do: 1\n  @doc false\n  def g, do: 1\nend\n";
        let expected = [
            "module A 0",
            "function A.f 1 \"Says `#{x}`.\\n  Indented.\"",
            "function A.g 1",
        ];
        assert_eq!(outline(source), expected);
    }
}
