//! Ruby: modules, classes and methods, the sections that say who may call them, and what stands for instance variables and constants.
//!
//! What an assignment declares is in `assign`, what a call declares (accessors, tests, tasks, imports) in `calls`.

mod assign;
mod calls;
mod flow;
mod heredocs;

use lore_model::{Modifier, Modifiers, NONE, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, clean_line_doc};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static RUBY: Language = Language {
    name: "ruby",
    dialect: "ruby",
    extensions: &[
        "rb", "rbw", "rbi", "rake", "gemspec", "ru", "podspec", "thor", "jbuilder", "rabl", "builder",
    ],
    file_names: &[
        "Rakefile",
        "rakefile",
        "Gemfile",
        "Guardfile",
        "Vagrantfile",
        "Podfile",
        "Capfile",
        "Thorfile",
        "Berksfile",
        "Brewfile",
        "Fastfile",
        "Appfile",
        "Dangerfile",
        "Puppetfile",
        "Buildfile",
        "Steepfile",
        "Appraisals",
        ".irbrc",
        ".pryrc",
        ".simplecov",
    ],
    interpreters: &["ruby", "jruby", "rbx", "rake"],
    separator: "::",
    blank: heredocs::without_long_words,
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("heredoc_body", Rule::Text),
        ("string_array", Rule::Text),
        ("symbol_array", Rule::Text),
        ("delimited_symbol", Rule::Text),
        ("regex", Rule::Text),
        ("subshell", Rule::Text),
        ("program", Rule::Visit(program)),
        ("class", Rule::Visit(class)),
        ("module", Rule::Visit(module)),
        ("singleton_class", Rule::Visit(singleton_class)),
        ("method", Rule::Visit(method)),
        ("singleton_method", Rule::Visit(singleton_method)),
        ("alias", Rule::Visit(alias)),
        ("assignment", Rule::Visit(assign::assignment)),
        ("operator_assignment", Rule::Visit(assign::assignment)),
        ("call", Rule::Visit(calls::call)),
        ("identifier", Rule::Visit(section)),
        ("block", Rule::Visit(block)),
        ("do_block", Rule::Visit(block)),
        ("lambda", Rule::Visit(lambda)),
        ("if", Rule::Decision),
        ("elsif", Rule::Decision),
        ("unless", Rule::Decision),
        ("while", Rule::Decision),
        ("until", Rule::Decision),
        ("for", Rule::Decision),
        ("if_modifier", Rule::Decision),
        ("unless_modifier", Rule::Decision),
        ("while_modifier", Rule::Decision),
        ("until_modifier", Rule::Decision),
        ("rescue_modifier", Rule::Decision),
        ("rescue", Rule::Decision),
        ("when", Rule::Decision),
        ("in_clause", Rule::Visit(in_clause)),
        ("if_guard", Rule::Decision),
        ("unless_guard", Rule::Decision),
        ("conditional", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
        ("and", Rule::Decision),
        ("or", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    binds_to_class: true,
    ..Language::BASE
};

/// Marks a scope in which methods are private from here on.
const PRIVATE: u32 = 1;
/// Marks a scope in which methods are protected from here on.
const PROTECTED: u32 = 2;
/// Marks a module in which methods are its functions from here on.
const FUNCTIONS: u32 = 4;
/// Marks a scope whose methods belong to the class itself: `class << self`.
const STATIC: u32 = 8;
/// Marks the scope of a class derived from a `Test` or `TestCase`.
const TEST_CASE: u32 = 16;
/// Marks the body of a block that has no name.
const BLOCK: u32 = 32;
/// Marks the body of a group of tests.
const SPECS: u32 = 64;
/// Marks a namespace of tasks, which is no module.
const TASKS: u32 = 128;

/// Definitions that `private :name` looks back at to find the one it speaks of; it stands near it.
const MAX_LOOKBACK: usize = 1_000;
/// Calls around a definition that are looked at: `private memoize def` has two.
const MAX_WRAPPING: usize = 8;

/// The visibilities that a word on a line of its own, or before a definition, gives.
fn word_visibility(word: &str) -> Option<Visibility> {
    match word {
        "private" | "private_class_method" | "private_constant" => Some(Visibility::Private),
        "protected" => Some(Visibility::Protected),
        "public" | "public_class_method" | "public_constant" => Some(Visibility::Public),
        _ => None,
    }
}

/// The comment at the top that stands alone is the file's, unless it is a licence.
fn program(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mut lines = Vec::new();
    let mut reached = None;
    for comment in node.children().take_while(|child| child.kind() == "comment") {
        if reached.is_some_and(|row| comment.start_position().row > row + 1) && !lines.is_empty() {
            break;
        }
        reached = Some(comment.end_position().row);
        let text = walker.text(comment);
        if !is_magic(text) {
            lines.push(text);
        }
    }
    let after = node
        .children()
        .find(|child| child.kind() != "comment")
        .map(|child| child.start_position().row);
    let stands_alone = after.is_none_or(|row| reached.is_some_and(|last| row > last + 1));
    if stands_alone {
        let doc = read_doc(&lines);
        let is_licence = ["Copyright", "License", "SPDX-", "(c)"]
            .iter()
            .any(|word| doc.contains(word));
        if !is_licence {
            walker.module_doc(&doc);
        }
    }
    Flow::Descend
}

/// Whether a comment speaks to the interpreter or to a tool.
fn is_magic(comment: &str) -> bool {
    let text = comment.trim_start_matches('#').trim_start();
    comment.starts_with("#!")
        || [
            "frozen_string_literal:",
            "encoding:",
            "coding:",
            "-*-",
            "warn_indent:",
            "shareable_constant_value:",
            "typed:",
            "rubocop:",
            "vim:",
            ":nodoc:",
            ":stopdoc:",
            ":startdoc:",
            ":enddoc:",
        ]
        .iter()
        .any(|word| text.starts_with(word))
}

/// The documentation directly above a byte.
fn doc_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let run = walker.comments_before(byte);
    // A comment behind code on its line belongs to that code.
    let first = run
        .iter()
        .rposition(|(start, _)| !walker.begins_line(*start as usize))
        .map_or(0, |at| at + 1);
    let comments: Vec<&str> = run
        .iter()
        .skip(first)
        .map(|(start, end)| walker.slice(*start as usize, *end as usize))
        .filter(|comment| !is_magic(comment))
        .collect();
    let doc = read_doc(&comments);
    (!doc.is_empty()).then_some(doc)
}

/// The text of comments: the last block, or the lines without what RDoc is told to pass over (`#--` to `#++`).
fn read_doc(comments: &[&str]) -> String {
    if let Some(block) = comments.last().filter(|comment| comment.starts_with("=begin")) {
        let body = block.split_once('\n').map_or("", |(_, body)| body);
        let body = body.rsplit_once("=end").map_or(body, |(body, _)| body);
        return clean_line_doc(body.lines(), &[]);
    }
    let first = comments
        .iter()
        .rposition(|comment| comment.starts_with("=begin"))
        .map_or(0, |at| at + 1);
    let mut hidden = false;
    let lines = comments.iter().skip(first).filter(|comment| {
        match comment.trim_end() {
            "#--" => hidden = true,
            "#++" => {
                hidden = false;
                return false;
            }
            _ => {}
        }
        !hidden
    });
    clean_line_doc(lines.copied(), &["##", "#"])
}

/// Whether methods declared here belong to a class or module.
fn in_type(walker: &Walker<'_>) -> bool {
    walker
        .scopes
        .iter()
        .any(|scope| scope.kind.is_type() || (scope.kind == SymbolKind::Namespace && scope.mark & TASKS == 0))
}

/// The calls around a definition that make it what it is: `private def`, `memoize def`.
struct Wrapping<'t> {
    /// The outermost of them, or the definition.
    outer: Node<'t>,
    visibility: Option<Visibility>,
    is_function: bool,
    decorators: Vec<&'t str>,
}

impl<'t> Wrapping<'t> {
    fn of(walker: &mut Walker<'t>, node: Node<'t>) -> Self {
        let mut wrapping = Self {
            outer: node,
            visibility: None,
            is_function: false,
            decorators: Vec::new(),
        };
        let mut ancestors = walker.ancestors();
        for _ in 0..MAX_WRAPPING {
            if ancestors.next().is_none_or(|list| list.kind() != "argument_list") {
                break;
            }
            let Some(call) = ancestors.next().filter(|call| {
                call.kind() == "call"
                    && call.child_by_field_name("receiver").is_none()
                    && call.child_by_field_name("block").is_none()
            }) else {
                break;
            };
            let word = call.child_by_field_name("method").map_or("", |word| walker.text(word));
            match word_visibility(word) {
                Some(visibility) => wrapping.visibility = Some(visibility),
                None if word == "module_function" => wrapping.is_function = true,
                None => wrapping.decorators.push(word),
            }
            wrapping.outer = call;
        }
        drop(ancestors);
        wrapping.decorators.reverse();
        wrapping
    }
}

/// A name that may have others before it: `A::B::C`.
struct Path<'t> {
    name: Node<'t>,
    owner: &'t str,
    /// Whether it begins with `::`.
    from_top: bool,
}

impl<'t> Path<'t> {
    fn of(walker: &Walker<'t>, node: Node<'t>) -> Option<Self> {
        if node.kind() != "scope_resolution" {
            return Some(Self {
                name: node,
                owner: "",
                from_top: false,
            });
        }
        let scope = node.child_by_field_name("scope").map_or("", |scope| walker.text(scope));
        Some(Self {
            name: node.child_by_field_name("name")?,
            owner: scope.trim_start_matches(':'),
            from_top: scope.is_empty() || scope.starts_with("::"),
        })
    }
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let superclass = node.child_by_field_name("superclass");
    let base = superclass.map_or("", |base| walker.text(base));
    let mark = if base.ends_with("TestCase") || base.ends_with("Test") {
        TEST_CASE
    } else {
        0
    };
    let Some(definition) = define_type(walker, node, SymbolKind::Class) else {
        return Flow::Descend;
    };
    walker.open_marked(definition, mark);
    // `class Point < Struct.new(:x, :y)` has these fields.
    if let Some(base) = superclass.and_then(|base| child_of_kind(base, &["call"])) {
        calls::claim_members(walker, base, definition);
    }
    Flow::Descend
}

fn module<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = define_type(walker, node, SymbolKind::Namespace) {
        walker.open(definition);
    }
    Flow::Descend
}

fn define_type<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Option<u32> {
    let written = node.child_by_field_name("name")?;
    let path = Path::of(walker, written)?;
    let end = node
        .child_by_field_name("superclass")
        .map_or(written.end_byte(), |superclass| superclass.end_byte());
    Some(walker.define(Draft {
        signature: (node.start_byte(), end),
        doc: doc_above(walker, node.start_byte()),
        owner: path.owner,
        at_module: path.from_top,
        ..Draft::new(kind, path.name, node)
    }))
}

/// `class << self` is the class itself; of any other object only the name is known.
fn singleton_class(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let object = node
        .child_by_field_name("value")
        .map_or("", |object| walker.text(object));
    let kind = match walker.enclosing_kind() {
        kind if kind.is_type() || kind == SymbolKind::Namespace => kind,
        _ => SymbolKind::Class,
    };
    let owner = match object {
        "self" => "",
        object if object.bytes().all(is_name_byte) => object,
        _ => "",
    };
    walker.open_named(owner, kind, STATIC);
    Flow::Descend
}

/// Whether a byte may stand in a name, or between the parts of one.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'@') || !byte.is_ascii()
}

fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        define_method(walker, node, name, "", false);
    }
    Flow::Descend
}

/// `def self.name`, `def object.name`.
fn singleton_method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let object = node
        .child_by_field_name("object")
        .map_or("", |object| walker.text(object));
    let class = walker.scope().definition;
    let class = walker.facts.definitions.get(class as usize);
    let own = object == "self" || class.is_some_and(|class| walker.facts.text.get(class.name) == object);
    let owner = if own || !object.bytes().all(is_name_byte) {
        ""
    } else {
        object
    };
    define_method(walker, node, name, owner, true);
    Flow::Descend
}

fn define_method<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>, owner: &'t str, of_object: bool) {
    let mark = walker.scope().mark;
    let text = symbol_name(walker, name).unwrap_or_else(|| walker.text(name));
    let mut wrapping = Wrapping::of(walker, node);
    let (attributes, first) = calls::take_signatures(walker, wrapping.outer.start_byte());
    wrapping.decorators.splice(0..0, attributes);
    let mut modifiers = Modifiers::default();
    let is_static = of_object || mark & STATIC != 0;
    if (is_static && (in_type(walker) || !owner.is_empty())) || wrapping.is_function || mark & FUNCTIONS != 0 {
        modifiers.insert(Modifier::Static);
    }
    if name.kind() == "setter" {
        modifiers.insert(Modifier::Setter);
    }
    let is_test = text.starts_with("test_") && (mark & TEST_CASE != 0 || walker.role.test);
    let kind = match text {
        _ if is_test && in_type(walker) && !is_static => SymbolKind::Test,
        "initialize" if in_type(walker) && !is_static => SymbolKind::Constructor,
        _ if in_type(walker) || !owner.is_empty() => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    // A section speaks of methods of instances; those of the class have one in `class << self`.
    let visibility = match wrapping.visibility {
        Some(visibility) => visibility,
        None if of_object => Visibility::Public,
        None => section_visibility(mark),
    };
    let end = node
        .child_by_field_name("parameters")
        .map_or(name.end_byte(), |parameters| parameters.end_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        signature: (wrapping.outer.start_byte(), end),
        doc: doc_above(walker, first),
        visibility,
        modifiers,
        decorators: wrapping.decorators,
        owner,
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
}

fn section_visibility(mark: u32) -> Visibility {
    match mark & (PRIVATE | PROTECTED) {
        0 => Visibility::Public,
        PROTECTED => Visibility::Protected,
        _ => Visibility::Private,
    }
}

/// A word on a line of its own opens a section: `private`, `protected`, `public`, `module_function`.
fn section(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mark = match walker.text(node) {
        "private" => PRIVATE,
        "protected" => PROTECTED,
        "module_function" => FUNCTIONS,
        "public" => 0,
        _ => return Flow::Skip,
    };
    let is_statement = walker
        .parent()
        .is_some_and(|parent| matches!(parent.kind(), "body_statement" | "block_body" | "program"));
    if is_statement && !walker.enclosing_kind().is_callable() {
        let scope = walker.scope();
        scope.mark = scope.mark & !(PRIVATE | PROTECTED | FUNCTIONS) | mark;
    }
    Flow::Skip
}

/// The name that a symbol or a text without substitutions spells.
fn symbol_name<'t>(walker: &Walker<'t>, node: Node<'_>) -> Option<&'t str> {
    match node.kind() {
        "simple_symbol" => Some(walker.text(node).trim_start_matches(':')),
        "hash_key_symbol" | "bare_symbol" | "bare_string" => Some(walker.text(node)),
        "string" | "delimited_symbol" => {
            let (first, last) = (node.child(0)?, node.child(node.child_count().checked_sub(1)?)?);
            let plain = child_of_kind(node, &["interpolation"]).is_none();
            plain.then(|| walker.slice(first.end_byte(), last.start_byte()))
        }
        _ => None,
    }
}

/// Another name for a method or a global variable.
fn alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        match name.kind() {
            "global_variable" => {
                walker.define(Draft {
                    at_module: true,
                    ..Draft::new(SymbolKind::Static, name, node)
                });
            }
            _ => define_alias(walker, node, name),
        }
    }
    Flow::Skip
}

fn define_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>) {
    let text = symbol_name(walker, name).unwrap_or_else(|| walker.text(name));
    let mark = walker.scope().mark;
    let mut modifiers = Modifiers::default();
    if mark & (STATIC | FUNCTIONS) != 0 {
        modifiers.insert(Modifier::Static);
    }
    let kind = if in_type(walker) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    walker.define(Draft {
        name: Draftee::Named(name, text),
        doc: doc_above(walker, node.start_byte()),
        visibility: section_visibility(mark),
        modifiers,
        ..Draft::new(kind, name, node)
    });
}

/// The body of a block: of what claimed it, or a part of what encloses it, with sections of its own.
fn block(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        let mark = match walker.facts.definitions.get(definition as usize).map(|one| one.kind()) {
            Some(SymbolKind::Namespace) => calls::group_mark(walker),
            _ => 0,
        };
        walker.open_marked(definition, mark);
    } else if !walker.open_claimed_name(node) && !walker.in_function() {
        let scope = walker.scope();
        let (kind, mark) = (scope.kind, scope.mark & (STATIC | TEST_CASE | SPECS | TASKS) | BLOCK);
        walker.open_named("", kind, mark);
    }
    Flow::Descend
}

/// `-> (x) { … }`
fn lambda(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => {
            let end = node
                .child_by_field_name("body")
                .map_or(node.end_byte(), |body| body.start_byte());
            walker.define(Draft {
                signature: (node.start_byte(), end),
                ..Draft::anonymous(SymbolKind::Function, "lambda", node)
            })
        }
    };
    walker.open(definition);
    Flow::Descend
}

fn in_clause(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let is_default = node
        .child_by_field_name("pattern")
        .is_some_and(|pattern| pattern.kind() == "identifier" && walker.text(pattern) == "_");
    if !is_default {
        walker.decision();
    }
    Flow::Descend
}

/// The definition that encloses the node under the cursor, or [`NONE`].
fn enclosing_definition(walker: &Walker<'_>) -> u32 {
    walker
        .scopes
        .iter()
        .rev()
        .map(|scope| scope.definition)
        .find(|definition| *definition != NONE)
        .unwrap_or(NONE)
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    has_directory(path, &["test", "tests", "spec", "specs"])
        || ["_test.rb", "_spec.rb"].iter().any(|suffix| name.ends_with(suffix))
        || (name.starts_with("test_") && name.ends_with(".rb"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::language::Role;

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("test/models/user.rb", true),
            ("spec/spec_helper.rb", true),
            ("lib/user_test.rb", true),
            ("lib/user_spec.rb", true),
            ("lib/test_user.rb", true),
            ("lib/contest.rb", false),
            ("lib/test_user.rake", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path:?}");
        }
    }

    #[test]
    fn a_comment_at_the_top_that_stands_alone_is_the_files() {
        let doc = |source: &str| {
            let facts = extract(&RUBY, Role::default(), source);
            facts.text.get(facts.module_doc).to_owned()
        };
        assert_eq!(
            doc("#!/usr/bin/ruby\n# frozen_string_literal: true\n\n# Tools.\n# More.\n\nclass A; end\n"),
            "Tools.\nMore."
        );
        assert_eq!(doc("# Of the class.\nclass A; end\n"), "");
        assert_eq!(doc("# Copyright (c) Somebody\n\nclass A; end\n"), "");
        assert_eq!(doc("=begin\nAll of it.\n=end\n\nx = 1\n"), "All of it.");
        assert_eq!(doc("# Only this.\n"), "Only this.");
        assert_eq!(doc(""), "");
    }
}
