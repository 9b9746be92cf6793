//! Kotlin: definitions, annotations, KDoc, imports, and how packages name modules.

mod adjust;
mod flow;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, children_of_kind, clean_block_doc, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::Root;
use crate::syntax::Node;

pub(crate) static KOTLIN: Language = Language {
    name: "kotlin",
    dialect: "kotlin",
    extensions: &["kt", "kts"],
    interpreters: &["kotlin", "kscript"],
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    blank: adjust::blank,
    rules: &[
        ("line_comment", Rule::Comment),
        ("block_comment", Rule::Visit(block_comment)),
        ("multiline_string_literal", Rule::Text),
        ("package_header", Rule::Visit(package)),
        ("import", Rule::Visit(import)),
        ("class_declaration", Rule::Visit(class)),
        ("object_declaration", Rule::Visit(object)),
        ("companion_object", Rule::Visit(companion)),
        ("object_literal", Rule::Visit(object_literal)),
        ("class_parameter", Rule::Visit(class_parameter)),
        ("enum_entry", Rule::Visit(enum_entry)),
        ("type_alias", Rule::Visit(type_alias)),
        ("function_declaration", Rule::Visit(function)),
        ("secondary_constructor", Rule::Visit(constructor)),
        ("property_declaration", Rule::Visit(property)),
        ("getter", Rule::Visit(accessor)),
        ("setter", Rule::Visit(accessor)),
        ("infix_expression", Rule::Visit(infix)),
        ("lambda_literal", Rule::Visit(lambda)),
        ("anonymous_function", Rule::Visit(lambda)),
        ("if_expression", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_while_statement", Rule::Decision),
        ("when_entry", Rule::Visit(when_entry)),
        ("catch_block", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    inherits_constructors: false,
    first_is_receiver: true,
    ..Language::BASE
};

/// What stands before a declaration's own words.
struct Head<'s> {
    modifiers: Modifiers,
    visibility: Visibility,
    decorators: Vec<&'s str>,
    is_enum: bool,
    /// Where the declaration begins once the annotations that lead it are cut off.
    start: usize,
}

impl<'s> Head<'s> {
    fn of(walker: &Walker<'s>, node: Node<'_>) -> Self {
        let mut head = Self {
            modifiers: Modifiers::default(),
            visibility: if walker.enclosing_kind().is_callable() {
                Visibility::Private
            } else {
                Visibility::Public
            },
            decorators: Vec::new(),
            is_enum: false,
            start: node.start_byte(),
        };
        let Some(list) = node.child(0).filter(|first| first.kind() == "modifiers") else {
            return head;
        };
        let mut word_start = None;
        for child in list.named_children() {
            let word = walker.text(child);
            match child.kind() {
                "line_comment" | "block_comment" => continue,
                "annotation" => {
                    head.decorators.push(word.trim_start_matches('@').trim_start());
                    continue;
                }
                _ => {}
            }
            word_start.get_or_insert(child.start_byte());
            head.add(word);
        }
        head.start = word_start.unwrap_or_else(|| after_modifiers(node));
        head
    }

    /// Takes one more modifier into account.
    fn add(&mut self, word: &str) {
        let modifier = match word {
            "public" => {
                self.visibility = Visibility::Public;
                None
            }
            "private" => {
                self.visibility = Visibility::Private;
                None
            }
            "protected" => {
                self.visibility = Visibility::Protected;
                None
            }
            "internal" => {
                self.visibility = Visibility::Internal;
                None
            }
            "enum" => {
                self.is_enum = true;
                None
            }
            "suspend" => Some(Modifier::Async),
            "external" => Some(Modifier::Extern),
            "expect" => Some(Modifier::Declare),
            word => Modifier::from_name(word),
        };
        if let Some(modifier) = modifier {
            self.modifiers.insert(modifier);
        }
    }

    /// Whether an annotation makes a function a test.
    fn is_test(&self) -> bool {
        self.decorators.iter().any(|decorator| {
            let name = decorator.split('(').next().unwrap_or("").trim_end();
            let last = name.rsplit('.').next().unwrap_or(name);
            matches!(
                last,
                "Test" | "ParameterizedTest" | "RepeatedTest" | "TestFactory" | "TestTemplate"
            )
        })
    }

    /// Records the declaration, whose signature ends at a byte.
    fn define(self, walker: &mut Walker<'_>, draft: Draft<'_>, end: usize) -> u32 {
        let doc = kdoc(walker, draft.span.start_byte());
        walker.define(Draft {
            signature: (self.start, end),
            doc,
            visibility: self.visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            ..draft
        })
    }
}

/// Where a declaration goes on after its modifiers.
fn after_modifiers(node: Node<'_>) -> usize {
    node.children()
        .skip(1)
        .find(|child| !child.is_extra())
        .map_or(node.end_byte(), |child| child.start_byte())
}

/// A comment, unless it is one of those that [`adjust`] writes over white space.
fn block_comment(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker.text(node).starts_with("/*") {
        walker.comment(node.start_byte(), node.end_byte());
    }
    Flow::Skip
}

/// The documentation comment before a byte.
fn kdoc(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let comment = walker.last_comment_before(byte)?;
    (comment.starts_with("/**") && comment.len() > 4).then(|| clean_block_doc(comment))
}

/// A draft whose name is a node, without the back quotes that allow any name.
fn named<'t>(walker: &Walker<'t>, kind: SymbolKind, name: Node<'t>, span: Node<'t>) -> Draft<'t> {
    Draft {
        name: Draftee::Named(name, walker.text(name).trim_matches('`')),
        ..Draft::new(kind, name, span)
    }
}

/// Where the first child of one of these kinds begins, or the node ends.
fn end_before(node: Node<'_>, kinds: &[&str]) -> usize {
    child_of_kind(node, kinds).map_or(node.end_byte(), |child| child.start_byte())
}

const BODIES: &[&str] = &["class_body", "enum_class_body"];

/// The parts of a `package` or `import`, joined by dots.
fn qualified_name(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    let name = child_of_kind(node, &["qualified_identifier"])?;
    let text: String = walker.text(name).split_whitespace().collect();
    Some(text.replace('`', ""))
}

fn package(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = qualified_name(walker, node)
        && walker.facts.package.is_empty()
    {
        walker.facts.package = walker.facts.text.push(&name);
    }
    Flow::Skip
}

fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(path) = qualified_name(walker, node) else {
        return Flow::Descend;
    };
    if has_child(node, "*") {
        walker.import(node, &path, "*", "*", 0);
    } else {
        let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
        let alias = child_of_kind(node, &["identifier"]).map(|alias| walker.text(alias).trim_matches('`'));
        walker.import(node, module, name, alias.unwrap_or(name), 0);
    }
    Flow::Descend
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let kind = if head.is_enum {
        SymbolKind::Enum
    } else if has_child(node, "interface") {
        SymbolKind::Interface
    } else {
        SymbolKind::Class
    };
    let draft = named(walker, kind, name, node);
    let definition = head.define(walker, draft, end_before(node, BODIES));
    walker.open(definition);
    Flow::Descend
}

fn object<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let draft = named(walker, SymbolKind::Class, name, node);
        let definition = Head::of(walker, node).define(walker, draft, end_before(node, BODIES));
        walker.open(definition);
    }
    Flow::Descend
}

/// A companion without a name is called `Companion`.
fn companion<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let draft = match node.child_by_field_name("name") {
        Some(name) => named(walker, SymbolKind::Class, name, node),
        None => unnamed_companion(child_of_kind(node, &["companion"]).unwrap_or(node), node),
    };
    let definition = Head::of(walker, node).define(walker, draft, end_before(node, BODIES));
    walker.open(definition);
    Flow::Descend
}

fn unnamed_companion<'t>(word: Node<'t>, span: Node<'t>) -> Draft<'t> {
    Draft {
        name: Draftee::Named(word, "Companion"),
        ..Draft::new(SymbolKind::Class, word, span)
    }
}

fn object_literal(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end_before(node, BODIES)),
        ..Draft::anonymous(SymbolKind::Class, "class", node)
    });
    walker.open(definition);
    Flow::Descend
}

/// A parameter of the primary constructor with `val` or `var` is a property.
fn class_parameter<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if (has_child(node, "val") || has_child(node, "var"))
        && let Some(name) = child_of_kind(node, &["identifier"])
    {
        let draft = named(walker, SymbolKind::Field, name, node);
        Head::of(walker, node).define(walker, draft, node.end_byte());
    }
    Flow::Descend
}

fn enum_entry<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = child_of_kind(node, &["identifier"]) {
        let draft = named(walker, SymbolKind::EnumMember, name, node);
        let definition = Head::of(walker, node).define(walker, draft, end_before(node, BODIES));
        walker.open(definition);
    }
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("type") {
        let draft = named(walker, SymbolKind::TypeAlias, name, node);
        Head::of(walker, node).define(walker, draft, node.end_byte());
    }
    Flow::Descend
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    File,
    Member,
    Local,
}

impl Level {
    fn of(walker: &Walker<'_>) -> Self {
        let kind = walker.enclosing_kind();
        let parent = walker
            .ancestors()
            .find(|parent| parent.kind() != "annotated_expression");
        match parent.map_or("", |parent| parent.kind()) {
            _ if kind.is_callable() => Self::Local,
            "class_body" | "enum_class_body" => Self::Member,
            // The body of a class that was read as a row of infix calls.
            "lambda_literal" if kind.is_type() => Self::Member,
            "source_file" => Self::File,
            // The parser lost what surrounds it.
            "ERROR" if kind == SymbolKind::Module => Self::File,
            "ERROR" => Self::Member,
            _ => Self::Local,
        }
    }
}

/// The name of the type that an extension extends: its words without type arguments.
fn receiver(walker: &Walker<'_>, node: Node<'_>) -> String {
    let mut receiver = None;
    for child in node.children() {
        match child.kind() {
            "user_type" | "nullable_type" | "parenthesized_type" => receiver = Some(child),
            "function_value_parameters" | "variable_declaration" | "multi_variable_declaration" | ":" | "=" => break,
            _ => {}
        }
    }
    while let Some(wrapped) = receiver.filter(|receiver| receiver.kind() != "user_type") {
        receiver = child_of_kind(wrapped, &["user_type", "nullable_type", "parenthesized_type"]);
    }
    let Some(receiver) = receiver else {
        return String::new();
    };
    let names = children_of_kind(receiver, &["identifier"]);
    let names: Vec<&str> = names.iter().map(|name| walker.text(*name).trim_matches('`')).collect();
    names.join(".")
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let receiver = receiver(walker, node);
    let kind = if head.is_test() {
        SymbolKind::Test
    } else if Level::of(walker) == Level::Member || !receiver.is_empty() {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let draft = Draft {
        owner: &receiver,
        ..named(walker, kind, name, node)
    };
    let definition = head.define(walker, draft, end_before(node, &["function_body"]));
    walker.open(definition);
    Flow::Descend
}

fn constructor<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = child_of_kind(node, &["constructor"]) {
        // What it hands to another constructor is no part of its signature.
        let end = end_before(node, &[":", "block"]);
        let draft = named(walker, SymbolKind::Constructor, name, node);
        let definition = Head::of(walker, node).define(walker, draft, end);
        walker.open(definition);
    }
    Flow::Descend
}

/// What a property is initialised with.
fn value(node: Node<'_>) -> Option<Node<'_>> {
    node.children()
        .skip_while(|child| child.kind() != "=")
        .skip(1)
        .find(|child| !child.is_extra())
}

fn property<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let level = Level::of(walker);
    let function = value(node).filter(|value| matches!(value.kind(), "lambda_literal" | "anonymous_function"));
    if level == Level::Local && function.is_none() {
        return Flow::Descend;
    }
    let variables = match child_of_kind(node, &["multi_variable_declaration"]) {
        Some(several) => children_of_kind(several, &["variable_declaration"]),
        None => children_of_kind(node, &["variable_declaration"]),
    };
    let receiver = receiver(walker, node);
    for variable in variables {
        let Some(name) = child_of_kind(variable, &["identifier"]) else {
            continue;
        };
        let mut head = Head::of(walker, node);
        let has_accessor = child_of_kind(node, &["getter", "setter"]).is_some();
        if has_accessor {
            head.modifiers.insert(Modifier::Property);
        }
        let is_member = level == Level::Member || !receiver.is_empty();
        let kind = match function {
            Some(_) if is_member => SymbolKind::Method,
            Some(_) => SymbolKind::Function,
            None if head.modifiers.contains(Modifier::Const) => SymbolKind::Constant,
            None if is_member => SymbolKind::Field,
            None if has_child(node, "val") => SymbolKind::Constant,
            None => SymbolKind::Static,
        };
        let end = match function {
            Some(_) => end_before(node, &["="]),
            None => end_before(node, &["getter", "setter"]),
        };
        let draft = Draft {
            owner: &receiver,
            ..named(walker, kind, name, node)
        };
        let definition = head.define(walker, draft, end);
        match function {
            Some(function) => walker.claim(function, definition),
            None => walker.open(definition),
        }
    }
    Flow::Descend
}

/// An accessor with a body is a method of its property.
fn accessor<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(body)) = (
        child_of_kind(node, &["get", "set"]),
        child_of_kind(node, &["function_body"]),
    ) else {
        return Flow::Descend;
    };
    let is_getter = name.kind() == "get";
    let mut head = Head::of(walker, node);
    head.modifiers
        .insert(if is_getter { Modifier::Getter } else { Modifier::Setter });
    let draft = named(walker, SymbolKind::Method, name, node);
    let definition = head.define(walker, draft, body.start_byte());
    walker.open(definition);
    Flow::Descend
}

fn lambda(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => {
            let end = child_of_kind(node, &["function_body"]).map_or_else(
                || child_of_kind(node, &["->"]).map_or(node.start_byte() + 1, |arrow| arrow.end_byte()),
                |body| body.start_byte(),
            );
            walker.define(Draft {
                signature: (node.start_byte(), end),
                ..Draft::anonymous(SymbolKind::Function, "lambda", node)
            })
        }
    };
    walker.open(definition);
    Flow::Descend
}

/// Behind an annotation, `class A { … }` and `private fun f() { … }` may be read as infix calls of `A` and `fun` with a lambda.
fn infix<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_chained = walker
        .parent()
        .is_some_and(|parent| parent.kind() == "infix_expression");
    if is_chained {
        return Flow::Descend;
    }
    if let Some(words) = InfixWords::of(walker, node) {
        words.define(walker, node);
    }
    Flow::Descend
}

/// A declaration that was read as infix calls.
struct InfixWords<'t> {
    modifiers: Vec<Node<'t>>,
    keyword: Node<'t>,
    name: Node<'t>,
    body: Option<Node<'t>>,
}

impl<'t> InfixWords<'t> {
    fn of(walker: &Walker<'t>, node: Node<'t>) -> Option<Self> {
        let mut words = Vec::new();
        let mut body = None;
        let mut at = node;
        loop {
            let parts: Vec<Node<'t>> = at.named_children().filter(|part| !part.is_extra()).collect();
            let [left, operator, right] = parts[..] else {
                return None;
            };
            match right.kind() {
                "identifier" => words.push(right),
                "lambda_literal" if words.is_empty() => body = Some(right),
                "call_expression" if words.is_empty() => {
                    body = lambda_of_call(right);
                    words.push(called_name(right)?);
                }
                // The annotation of the declaration below.
                "annotated_expression" if words.is_empty() => {}
                _ => return None,
            }
            words.push(operator);
            match left.kind() {
                "infix_expression" => at = left,
                "identifier" => {
                    words.push(left);
                    break;
                }
                _ => return None,
            }
        }
        // The words stand in reverse: the name, the keyword, the modifiers.
        let mut words = words.into_iter();
        let (name, keyword) = (words.next()?, words.next()?);
        let is_declaration = match walker.text(keyword) {
            "companion" => walker.text(name) == "object",
            keyword => matches!(keyword, "class" | "interface" | "object" | "fun"),
        };
        is_declaration.then(|| Self {
            modifiers: words.rev().collect(),
            keyword,
            name,
            body,
        })
    }

    fn define(self, walker: &mut Walker<'t>, node: Node<'t>) {
        let mut span = node;
        let mut decorators = Vec::new();
        for ancestor in walker
            .ancestors()
            .take_while(|node| node.kind() == "annotated_expression")
        {
            span = ancestor;
            if let Some(annotation) = child_of_kind(ancestor, &["annotation"]) {
                decorators.push(walker.text(annotation).trim_start_matches('@').trim_start());
            }
        }
        decorators.reverse();
        let mut head = Head::of(walker, node);
        head.decorators = decorators;
        for modifier in self.modifiers {
            head.add(walker.text(modifier));
        }
        let level = Level::of(walker);
        let kind = match walker.text(self.keyword) {
            "fun" if head.is_test() => SymbolKind::Test,
            "fun" if level == Level::Member => SymbolKind::Method,
            "fun" => SymbolKind::Function,
            "interface" => SymbolKind::Interface,
            _ if head.is_enum => SymbolKind::Enum,
            _ => SymbolKind::Class,
        };
        let draft = match walker.text(self.keyword) {
            "companion" => unnamed_companion(self.keyword, span),
            _ => named(walker, kind, self.name, span),
        };
        let end = self.body.map_or(node.end_byte(), |body| body.start_byte());
        let definition = head.define(walker, draft, end);
        if let Some(body) = self.body {
            walker.claim(body, definition);
        }
    }
}

/// The name that a call without a receiver calls.
fn called_name(call: Node<'_>) -> Option<Node<'_>> {
    let function = call.named_child(0)?;
    match function.kind() {
        "identifier" => Some(function),
        "call_expression" => function.named_child(0).filter(|name| name.kind() == "identifier"),
        _ => None,
    }
}

/// The lambda that a call has after its arguments.
fn lambda_of_call(call: Node<'_>) -> Option<Node<'_>> {
    child_of_kind(call, &["annotated_lambda"]).and_then(|lambda| child_of_kind(lambda, &["lambda_literal"]))
}

fn when_entry(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if !has_child(node, "else") {
        walker.decision();
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

/// A test stands in a source set of tests (`test`, `commonTest`, `androidTest`) or in a file named after what it tests.
fn is_test_file(path: &RepoPath) -> bool {
    let is_tests = |part: &str| matches!(part, "test" | "tests") || part.ends_with("Test");
    let stem = path.file_name().rsplit_once('.').map_or("", |(stem, _)| stem);
    path.directory().split('/').any(is_tests) || stem.ends_with("Test") || stem.ends_with("Tests")
}
