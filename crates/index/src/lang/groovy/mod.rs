//! Groovy: definitions, annotations, Groovydoc, imports, tasks of Gradle and tests of Spock.

mod adjust;
mod flow;
mod tokens;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, clean_block_doc, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::Root;
use crate::syntax::Node;

pub(crate) static GROOVY: Language = Language {
    name: "groovy",
    dialect: "groovy",
    extensions: &["groovy", "gradle", "gvy", "gsh"],
    file_names: &["Jenkinsfile", "Jenkinsfile.*"],
    interpreters: &["groovy"],
    grammar: || arborium_groovy::language().into(),
    blank: adjust::blank,
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("groovy_package", Rule::Visit(package)),
        ("groovy_import", Rule::Visit(import)),
        ("class_definition", Rule::Visit(class)),
        ("function_definition", Rule::Visit(method)),
        ("function_declaration", Rule::Visit(method)),
        ("declaration", Rule::Visit(variable)),
        ("assignment", Rule::Visit(further_field)),
        ("identifier", Rule::Visit(name_alone)),
        ("function_call", Rule::Visit(call)),
        ("closure", Rule::Visit(closure)),
        ("if_statement", Rule::Decision),
        ("for_loop", Rule::Decision),
        ("for_in_loop", Rule::Decision),
        ("while_loop", Rule::Decision),
        ("do_while_loop", Rule::Decision),
        ("case", Rule::Visit(case)),
        ("catch", Rule::Decision),
        ("ternary_op", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Marks the scope of a class derived from a `Specification`.
const SPECIFICATION: u32 = 1;
/// Marks the scope of a class derived from a `TestCase`.
const TEST_CASE: u32 = 2;

/// What stands before a declaration's own words. The tree holds stand-ins for most of it, the source the words.
struct Head<'s> {
    modifiers: Modifiers,
    visibility: Visibility,
    decorators: Vec<&'s str>,
    /// Where the declaration begins once its annotations are cut off.
    start: usize,
    /// The word where the type or the keyword stands.
    word: &'s str,
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
            start: node.start_byte(),
            word: "",
        };
        let mut start = None;
        for child in node.children() {
            if child.is_extra() {
                continue;
            }
            if child.kind() == "annotation" {
                head.decorators
                    .push(walker.text(child).trim_start_matches('@').trim_start());
                continue;
            }
            start.get_or_insert(child.start_byte());
            let word = word_at(walker, child.start_byte());
            head.add(word);
            if !matches!(child.kind(), "modifier" | "access_modifier") {
                head.word = word;
                break;
            }
        }
        head.start = start.unwrap_or(head.start);
        let is_internal = head
            .decorators
            .iter()
            .any(|decorator| last_name(decorator) == "PackageScope");
        if is_internal {
            head.visibility = Visibility::Internal;
        }
        head
    }

    fn add(&mut self, word: &str) {
        match word {
            "public" => self.visibility = Visibility::Public,
            "protected" => self.visibility = Visibility::Protected,
            "private" => self.visibility = Visibility::Private,
            word if adjust::MODIFIERS.contains(&word) => {
                if let Some(modifier) = Modifier::from_name(word) {
                    self.modifiers.insert(modifier);
                }
            }
            _ => {}
        }
    }

    fn has_annotation(&self, names: &[&str]) -> bool {
        self.decorators
            .iter()
            .any(|decorator| names.contains(&last_name(decorator)))
    }

    /// Records the declaration, whose signature ends at a byte.
    fn define(self, walker: &mut Walker<'_>, draft: Draft<'_>, end: usize) -> u32 {
        let doc = groovydoc(walker, draft.span.start_byte());
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

/// The last name of an annotation: `Test` of `org.junit.Test(timeout = 1)`.
fn last_name(decorator: &str) -> &str {
    let name = decorator.split('(').next().unwrap_or("").trim_end();
    name.rsplit('.').next().unwrap_or(name)
}

/// The word that the source has at a byte.
fn word_at<'s>(walker: &Walker<'s>, byte: usize) -> &'s str {
    let rest = walker.source.get(byte..).unwrap_or("");
    let len = rest
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .count();
    rest.get(..len).unwrap_or("")
}

/// The documentation comment before a byte.
fn groovydoc(walker: &Walker<'_>, byte: usize) -> Option<String> {
    // The semicolon that ends the statement before stands over white space, so that there is nothing but that.
    let comment = walker.last_comment_before(byte)?;
    (comment.starts_with("/**") && comment.len() > 4).then(|| clean_block_doc(comment))
}

/// A text without its quotes.
fn unquoted(text: &str) -> &str {
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let inner = |quote: &&str| text.strip_prefix(*quote)?.strip_suffix(*quote);
    quotes.iter().find_map(inner).unwrap_or(text)
}

fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

fn package(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["qualified_name"])
        && walker.facts.package.is_empty()
    {
        let name: String = walker.text(name).split_whitespace().collect();
        walker.facts.package = walker.facts.text.push(&name);
    }
    Flow::Skip
}

fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(path) = node.child_by_field_name("import") {
        let path: String = walker.text(path).split_whitespace().collect();
        if has_child(node, "wildcard_import") {
            walker.import(node, &path, "*", "*", 0);
        } else {
            let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
            let alias = node.child_by_field_name("import_alias").map(|alias| walker.text(alias));
            walker.import(node, module, name, alias.unwrap_or(name), 0);
        }
    }
    Flow::Skip
}

fn class(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    let keyword = child_of_kind(node, &["class", "interface", "@interface"]);
    let keyword = keyword.map_or("", |keyword| word_at(walker, keyword.start_byte()));
    let kind = match keyword {
        "trait" => SymbolKind::Trait,
        "class" => SymbolKind::Class,
        "record" => {
            head.modifiers.insert(Modifier::Record);
            SymbolKind::Class
        }
        // The word of an annotation type stands behind a sign.
        _ => SymbolKind::Interface,
    };
    let base = walker.slice(name.end_byte(), body_start(node));
    let base = base.split_once("extends").map_or("", |(_, base)| base.trim_start());
    let base = base.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '.'));
    let base = base.into_iter().next().unwrap_or("");
    let mark = match base {
        base if base.ends_with("Specification") || base.ends_with("Spec") => SPECIFICATION,
        base if base.ends_with("TestCase") => TEST_CASE,
        _ => 0,
    };
    let definition = head.define(walker, Draft::new(kind, name, node), body_start(node));
    walker.open_marked(definition, mark);
    Flow::Descend
}

/// The name of the type around a node, if a type is what is directly around it.
fn class_name<'w>(walker: &'w Walker<'_>) -> Option<&'w str> {
    let scope = walker.scopes.last().filter(|scope| scope.kind.is_type())?;
    let definition = walker.facts.definitions.get(scope.definition as usize)?;
    Some(walker.facts.text.get(definition.name))
}

/// Whether members stand in a scope: a type, or a constant of an enum with a body.
fn has_members(kind: SymbolKind) -> bool {
    kind.is_type() || kind == SymbolKind::EnumMember
}

fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(name), Some(start)) = (node.child_by_field_name("function"), node.child_by_field_name("type")) else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let is_bare = matches!(walker.slice(start.start_byte(), start.start_byte() + 1), "\"" | "'");
    // A name in quotes with nothing before it holds the place of the type as well.
    let literal = if is_bare {
        walker.slice(start.start_byte(), name.end_byte())
    } else {
        walker.text(name)
    };
    let text = unquoted(literal);
    let is_quoted = text.len() < literal.len();
    let mark = walker.scope().mark;
    let is_test = head.has_annotation(&["Test", "ParameterizedTest", "RepeatedTest"])
        || (is_quoted && (mark & SPECIFICATION != 0 || walker.role.test))
        || (mark & SPECIFICATION != 0 && is_feature(walker, node))
        || (mark & TEST_CASE != 0 && text.starts_with("test"));
    let kind = if head.word == "task" {
        SymbolKind::Target
    } else if is_test {
        SymbolKind::Test
    } else if class_name(walker) == Some(text) {
        SymbolKind::Constructor
    } else if has_members(walker.enclosing_kind()) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let draft = Draft {
        name: Draftee::Named(if is_bare { start } else { name }, text),
        ..Draft::new(kind, name, node)
    };
    let definition = head.define(walker, draft, body_start(node));
    walker.open(definition);
    Flow::Descend
}

/// Whether the body of a method has the parts of a test of Spock.
fn is_feature(walker: &Walker<'_>, node: Node<'_>) -> bool {
    let Some(body) = node.child_by_field_name("body") else {
        return false;
    };
    let mut lines = walker.text(body).lines().map(str::trim_start);
    lines.any(|line| line.starts_with("expect:") || line.starts_with("then:"))
}

/// A field, a variable of a script, an enum or a task.
fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let special = match head.word {
        "enum" => Some(SymbolKind::Enum),
        "task" => Some(SymbolKind::Target),
        _ => None,
    };
    if let Some(kind) = special {
        // The braces behind it become its body when the cursor comes to them.
        head.define(walker, Draft::new(kind, name, node), node.end_byte());
        return Flow::Descend;
    }
    let function = node
        .child_by_field_name("value")
        .filter(|value| value.kind() == "closure");
    let level = walker.enclosing_kind();
    let parent = walker.parent().map_or("", |parent| parent.kind());
    let is_member = has_members(level) && matches!(parent, "closure" | "ERROR");
    let is_global = level == SymbolKind::Module && matches!(parent, "source_file" | "ERROR");
    let is_fixed = head.modifiers.contains(Modifier::Final);
    let kind = match function {
        Some(_) if is_member => SymbolKind::Method,
        Some(_) => SymbolKind::Function,
        None if is_member && level == SymbolKind::Interface => SymbolKind::Constant,
        None if is_member && is_fixed && head.modifiers.contains(Modifier::Static) => SymbolKind::Constant,
        None if is_member => SymbolKind::Field,
        None if is_global && is_fixed => SymbolKind::Constant,
        None if is_global => SymbolKind::Static,
        None => return Flow::Descend,
    };
    let end = match function {
        Some(_) => child_of_kind(node, &["="]).map_or(node.end_byte(), |equals| equals.start_byte()),
        None => node.end_byte(),
    };
    let definition = head.define(walker, Draft::new(kind, name, node), end);
    match function {
        Some(function) => walker.claim(function, definition),
        None => walker.open(definition),
    }
    Flow::Descend
}

/// The `b = 2` of `int a = 1, b = 2`: nothing else is assigned among members.
fn further_field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_member =
        walker.enclosing_kind().is_type() && walker.parent().is_some_and(|parent| parent.kind() == "closure");
    if is_member && let Some(name) = node.child(0).filter(|name| name.kind() == "identifier") {
        let definition = walker.define(Draft::new(SymbolKind::Field, name, node));
        walker.open(definition);
    }
    Flow::Descend
}

/// A name alone among members is a constant of an enum, or the `b` of `int a, b`.
fn name_alone<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let level = walker.enclosing_kind();
    if level.is_type() && walker.parent().is_some_and(|parent| parent.kind() == "closure") {
        let kind = match level {
            SymbolKind::Enum => SymbolKind::EnumMember,
            _ => SymbolKind::Field,
        };
        let doc = groovydoc(walker, node.start_byte());
        walker.define(Draft {
            doc,
            ..Draft::new(kind, node, node)
        });
    }
    Flow::Descend
}

/// A constructor without modifiers, a constant of an enum with arguments, or a task.
fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(function), Some(list)) = (node.child_by_field_name("function"), node.child_by_field_name("args")) else {
        return Flow::Descend;
    };
    let name = walker.text(function);
    let level = walker.enclosing_kind();
    if level == SymbolKind::Module {
        return registered_task(walker, node, name, list);
    }
    if !level.is_type() || walker.parent().is_none_or(|parent| parent.kind() != "closure") {
        return Flow::Descend;
    }
    let is_constructor = class_name(walker) == Some(name);
    let kind = match level {
        _ if is_constructor => SymbolKind::Constructor,
        SymbolKind::Enum if function.kind() == "identifier" => SymbolKind::EnumMember,
        _ => return Flow::Descend,
    };
    let body = child_of_kind(list, &["closure"]);
    let end = body.map_or(node.end_byte(), |body| body.start_byte());
    let doc = groovydoc(walker, node.start_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        doc,
        ..Draft::new(kind, function, node)
    });
    if let Some(body) = body {
        walker.claim(body, definition);
    }
    Flow::Descend
}

/// `tasks.register('a', B) { … }`.
fn registered_task<'t>(walker: &mut Walker<'t>, node: Node<'t>, function: &str, list: Node<'t>) -> Flow {
    let is_task = matches!(
        function.strip_prefix("project.").unwrap_or(function),
        "tasks.register" | "tasks.create"
    );
    let first = list.named_child(0).filter(|first| first.kind() == "string");
    if is_task && let Some(first) = first {
        let body = child_of_kind(list, &["closure"]);
        let doc = groovydoc(walker, node.start_byte());
        let definition = walker.define(Draft {
            name: Draftee::Named(first, unquoted(walker.text(first))),
            signature: (
                node.start_byte(),
                body.map_or(node.end_byte(), |body| body.start_byte()),
            ),
            doc,
            ..Draft::new(SymbolKind::Target, first, node)
        });
        if let Some(body) = body {
            walker.claim(body, definition);
        }
    }
    Flow::Descend
}

/// Braces: the body of something, a block, a class without a name, or a function without one.
fn closure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let parent = walker.parent().map_or("", |parent| parent.kind());
    if let Some(definition) = walker.claimed(node).or_else(|| waiting_definition(walker, node)) {
        walker.open(definition);
        return Flow::Descend;
    }
    match parent {
        "class_definition"
        | "function_definition"
        | "if_statement"
        | "for_loop"
        | "for_in_loop"
        | "while_loop"
        | "do_while_loop"
        | "try_statement" => return Flow::Descend,
        "closure" | "source_file" | "case" if is_block(walker, node) => return Flow::Descend,
        _ => {}
    }
    let is_class = parent == "argument_list"
        && walker
            .ancestors()
            .nth(2)
            .is_some_and(|creation| creation.kind() == "unary_op" && word_at(walker, creation.start_byte()) == "new");
    let mut draft = if is_class {
        Draft::anonymous(SymbolKind::Class, "class", node)
    } else {
        Draft::anonymous(SymbolKind::Function, "lambda", node)
    };
    let arrow = child_of_kind(node, &["->"]);
    draft.signature = (
        node.start_byte(),
        arrow.map_or(node.start_byte() + 1, |arrow| arrow.end_byte()),
    );
    let definition = walker.define(draft);
    walker.open(definition);
    Flow::Descend
}

/// The enum or task that was declared last, if the braces follow its head.
fn waiting_definition(walker: &mut Walker<'_>, node: Node<'_>) -> Option<u32> {
    let id = walker.facts.definitions.len().checked_sub(1)?;
    let last = walker.facts.definitions.get(id)?;
    let end = last.place.end_byte.get() as usize;
    let is_waiting = matches!(last.kind(), SymbolKind::Enum | SymbolKind::Target) && end <= node.start_byte();
    let head = walker.slice(end, node.start_byte()).trim();
    let is_head = match last.kind() {
        SymbolKind::Enum => !head.contains(['{', '}', ';', '(']),
        _ => matches!(head, "" | "<<"),
    };
    if !is_waiting || !is_head {
        return None;
    }
    let end_line = walker.row_of(node.end_byte().saturating_sub(1)) + 1;
    let last = walker.facts.definitions.get_mut(id)?;
    last.place.end_byte = (node.end_byte() as u32).into();
    last.place.end_line = end_line.into();
    Some(id as u32)
}

/// Whether braces begin a statement, so that they are a block or an initialiser; behind a call they are its argument.
fn is_block(walker: &Walker<'_>, node: Node<'_>) -> bool {
    const NEAR: usize = 200;
    let start = node.start_byte();
    let before = walker
        .source
        .as_bytes()
        .get(start.saturating_sub(NEAR)..start)
        .unwrap_or_default();
    let last = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    let is_static = before.trim_ascii_end().ends_with(b"static");
    is_static || matches!(last, None | Some(b'\n' | b'{' | b'}' | b';' | b':'))
}

fn case(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if has_child(node, "case") {
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

/// A test stands in a source set of tests (`test`, `integTest`) or in a file named after what it tests.
fn is_test_file(path: &RepoPath) -> bool {
    let is_tests = |part: &str| matches!(part, "test" | "tests" | "spec") || part.ends_with("Test");
    let stem = path.file_name().rsplit_once('.').map_or("", |(stem, _)| stem);
    path.directory().split('/').any(is_tests) || ["Test", "Tests", "Spec"].iter().any(|suffix| stem.ends_with(suffix))
}
