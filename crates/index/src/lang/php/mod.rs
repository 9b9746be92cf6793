//! PHP, alone or between HTML: namespaces, types and their members, closures, imports, tests.

mod flow;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, children_of_kind, clean_block_doc};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static PHP: Language = Language {
    name: "php",
    dialect: "php",
    extensions: &["php", "phtml", "php3", "php4", "php5", "php7", "php8", "ctp"],
    file_names: &[".php_cs", ".php_cs.dist", ".php-cs-fixer.dist"],
    interpreters: &["php"],
    disputed: &["inc", "module", "install", "theme", "profile", "engine"],
    likeness: |text| if text.contains("<?php") { 3 } else { 0 },
    separator: "\\",
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    blank,
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("encapsed_string", Rule::Text),
        ("heredoc", Rule::Text),
        ("nowdoc", Rule::Text),
        ("program", Rule::Visit(program)),
        ("namespace_definition", Rule::Visit(namespace)),
        ("namespace_use_declaration", Rule::Visit(import)),
        ("include_expression", Rule::Visit(include)),
        ("include_once_expression", Rule::Visit(include)),
        ("require_expression", Rule::Visit(include)),
        ("require_once_expression", Rule::Visit(include)),
        ("class_declaration", Rule::Visit(class)),
        ("interface_declaration", Rule::Visit(interface)),
        ("trait_declaration", Rule::Visit(trait_type)),
        ("enum_declaration", Rule::Visit(enumeration)),
        ("enum_case", Rule::Visit(enum_case)),
        ("anonymous_class", Rule::Visit(anonymous_class)),
        ("function_definition", Rule::Visit(function)),
        ("method_declaration", Rule::Visit(method)),
        ("property_declaration", Rule::Visit(properties)),
        ("property_promotion_parameter", Rule::Visit(promoted)),
        ("property_hook_list", Rule::Visit(claimed_scope)),
        ("property_hook", Rule::Visit(hook)),
        ("const_declaration", Rule::Visit(constants)),
        ("use_as_clause", Rule::Visit(trait_alias)),
        ("assignment_expression", Rule::Visit(assignment)),
        ("function_call_expression", Rule::Visit(call)),
        ("anonymous_function", Rule::Visit(closure)),
        ("arrow_function", Rule::Visit(closure)),
        ("yield_expression", Rule::Visit(yields)),
        ("if_statement", Rule::Decision),
        ("else_if_clause", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("foreach_statement", Rule::Decision),
        ("case_statement", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("match_conditional_expression", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
        ("and", Rule::Decision),
        ("or", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    calls_texts: true,
    ..Language::BASE
};

/// Marks the scope of a class that a test runner looks at.
const TEST_CASE: u32 = 1;
/// Bytes between the braces of a group of imports.
const MAX_GROUP: usize = 4_000;

/// Blanks the comma that may end a group of imports, which the grammar does not know, and the data behind `__halt_compiler`.
fn blank(source: &str) -> Option<String> {
    let mut spots = Vec::new();
    for (at, _) in source.match_indices("\\{") {
        let rest = source.as_bytes().get(at + 2..).unwrap_or_default();
        let rest = rest.get(..MAX_GROUP).unwrap_or(rest);
        let group = memchr::memchr(b'}', rest).and_then(|end| rest.get(..end));
        let last = group.and_then(|group| group.iter().rposition(|byte| !byte.is_ascii_whitespace()));
        if let Some(last) = last.filter(|last| rest.get(*last) == Some(&b',')) {
            spots.push(at + 2 + last);
        }
    }
    let halt = source
        .match_indices("__halt_compiler")
        .map(|(at, _)| at)
        .find(|at| {
            source
                .get(..*at)
                .is_some_and(|before| before.ends_with(['\n', ' ', ';', '}']))
        })
        .and_then(|at| Some(at + source.get(at..)?.find('\n')?));
    if spots.is_empty() && halt.is_none() {
        return None;
    }
    let mut bytes = source.as_bytes().to_vec();
    for spot in spots {
        bytes[spot] = b' ';
    }
    for byte in bytes.iter_mut().skip(halt.unwrap_or(source.len())) {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
    String::from_utf8(bytes).ok()
}

/// The words of a declaration, and what stands before them.
struct Head<'t> {
    modifiers: Modifiers,
    visibility: Visibility,
    decorators: Vec<&'t str>,
    doc: Option<String>,
    /// Where the declaration begins once its attributes are cut off.
    start: usize,
}

impl<'t> Head<'t> {
    fn of(walker: &Walker<'t>, node: Node<'t>) -> Self {
        let mut head = Self {
            modifiers: Modifiers::default(),
            visibility: Visibility::Public,
            decorators: Vec::new(),
            doc: doc_before(walker, node.start_byte()),
            start: node.start_byte(),
        };
        let mut begun = false;
        for child in node.children() {
            match child.kind() {
                "attribute_list" => {
                    head.attributes(walker, child);
                    continue;
                }
                // A doc comment may stand behind the attributes.
                "comment" => {
                    if !begun && head.doc.is_none() {
                        head.doc = doc_text(walker.text(child));
                    }
                    continue;
                }
                "abstract_modifier" => head.modifiers.insert(Modifier::Abstract),
                "final_modifier" => head.modifiers.insert(Modifier::Final),
                "static_modifier" => head.modifiers.insert(Modifier::Static),
                "readonly_modifier" => head.modifiers.insert(Modifier::Readonly),
                "visibility_modifier" => head.restrict(walker.text(child)),
                "var_modifier" => {}
                _ if begun => break,
                _ => {}
            }
            if !begun {
                head.start = child.start_byte();
                begun = true;
            }
        }
        head
    }

    fn attributes(&mut self, walker: &Walker<'t>, list: Node<'t>) {
        for group in children_of_kind(list, &["attribute_group"]) {
            let attributes = children_of_kind(group, &["attribute"]);
            self.decorators
                .extend(attributes.into_iter().map(|attribute| walker.text(attribute)));
        }
    }

    /// `private(set)` only says who may write.
    fn restrict(&mut self, word: &str) {
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        if is("private") {
            self.visibility = Visibility::Private;
        } else if is("protected") {
            self.visibility = Visibility::Protected;
        }
    }

    /// The draft of a definition, whose signature ends at a byte.
    fn draft(self, kind: SymbolKind, name: Node<'t>, span: Node<'t>, end: usize) -> Draft<'t> {
        Draft {
            signature: (self.start, end),
            doc: self.doc,
            visibility: self.visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            ..Draft::new(kind, name, span)
        }
    }
}

/// The text of a documentation comment.
fn doc_text(comment: &str) -> Option<String> {
    let doc = (comment.starts_with("/**") && comment.len() > 4).then(|| clean_block_doc(comment))?;
    (!doc.is_empty()).then_some(doc)
}

/// The documentation comment before a byte, unless it is the file's.
fn doc_before(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let doc = doc_text(walker.last_comment_before(byte)?)?;
    let facts = &walker.facts;
    let of_file = facts.definitions.is_empty() && facts.text.get(facts.module_doc) == doc;
    (!of_file).then_some(doc)
}

/// Where the signature of a declaration ends.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

/// The name of a variable without its sign.
fn variable_name<'t>(walker: &Walker<'t>, node: Node<'_>) -> &'t str {
    walker.text(node).trim_start_matches(['&', ' ']).trim_start_matches('$')
}

/// The namespace that a file declares, where it declares one, and the comment at the top that is the file's.
fn program(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let namespaces = children_of_kind(node, &["namespace_definition"]);
    if let [only] = namespaces.as_slice()
        && let Some(name) = only.child_by_field_name("name")
        && walker.facts.package.is_empty()
    {
        let name = walker.text(name);
        walker.facts.package = walker.facts.text.push(name);
    }
    let mut children = node
        .children()
        .filter(|child| !matches!(child.kind(), "php_tag" | "text"));
    if let Some(first) = children.next().filter(|child| child.kind() == "comment") {
        let below = children.next();
        let apart = below.is_none_or(|below| below.start_position().row > first.end_position().row + 1);
        let owned = below.is_some_and(|below| {
            below.kind().ends_with("_declaration") && below.kind() != "namespace_use_declaration"
                || below.kind() == "function_definition"
        });
        if let Some(doc) = doc_text(walker.text(first))
            && (apart || !owned)
            && !["Copyright", "This file is part of", "@license"]
                .iter()
                .any(|word| doc.contains(word))
        {
            walker.module_doc(&doc);
        }
    }
    Flow::Descend
}

/// A namespace that is not the file's only one is a definition; without a body it goes on to the next.
fn namespace<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let body = node.child_by_field_name("body");
    let written = node.child_by_field_name("name");
    let text = written.map_or("", |name| walker.text(name));
    if let Some(file) = walker.scopes.first_mut() {
        file.owner.clear();
    }
    if walker.facts.text.get(walker.facts.package) == text {
        return Flow::Descend;
    }
    let Some(written) = written else {
        return Flow::Descend;
    };
    let (owner, name) = text.rsplit_once('\\').unwrap_or(("", text));
    let name_node = children_of_kind(written, &["name"]).pop().unwrap_or(written);
    let definition = walker.define(Draft {
        name: Draftee::Named(name_node, name),
        signature: (node.start_byte(), body_start(node)),
        owner,
        ..Draft::new(SymbolKind::Namespace, name_node, node)
    });
    match body {
        Some(_) => walker.open(definition),
        None => {
            if let Some(file) = walker.scopes.first_mut() {
                file.owner = text.to_owned();
            }
        }
    }
    Flow::Descend
}

/// `use A\B as C, D;`, `use function A\{b, c};`
fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let group = node.child_by_field_name("body");
    let prefix = match group {
        Some(_) => child_of_kind(node, &["namespace_name"]).map_or("", |prefix| walker.text(prefix)),
        None => "",
    };
    for clause in children_of_kind(group.unwrap_or(node), &["namespace_use_clause"]) {
        let Some(path) = child_of_kind(clause, &["qualified_name", "name"]) else {
            continue;
        };
        let path = walker.text(path).trim_start_matches('\\');
        if path.is_empty() {
            continue;
        }
        let (inner, name) = path.rsplit_once('\\').unwrap_or(("", path));
        let module = match (prefix.is_empty(), inner.is_empty()) {
            (true, _) => inner.to_owned(),
            (false, true) => prefix.to_owned(),
            (false, false) => format!("{prefix}\\{inner}"),
        };
        let local = clause
            .child_by_field_name("alias")
            .map_or(name, |alias| walker.text(alias));
        walker.import(clause, &module, name, local, 0);
    }
    Flow::Skip
}

/// A file that is read in, where its path is written out, alone or behind the directory of this file.
fn include<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut path = node.named_child(0);
    while let Some(inner) = path.filter(|path| path.kind() == "parenthesized_expression") {
        path = inner.named_child(0);
    }
    let Some(path) = path else { return Flow::Descend };
    if let Some(text) = literal(walker, path) {
        walker.import(node, text, "", "", 0);
    } else if path.kind() == "binary_expression" {
        let sides = (path.child_by_field_name("left"), path.child_by_field_name("right"));
        if let (Some(left), Some(right)) = sides
            && let Some(text) = literal(walker, right)
            && let Some(directory) = own_directory(walker.text(left))
        {
            let module = format!("{directory}/{}", text.trim_start_matches('/'));
            walker.import(node, &module, "", "", 0);
        }
    }
    Flow::Descend
}

/// The directory of the file itself, or the one above it, however it is written.
fn own_directory(expression: &str) -> Option<&'static str> {
    let tight: String = expression
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .take(40)
        .collect();
    match tight.as_str() {
        "__DIR__" | "dirname(__FILE__)" => Some("."),
        "dirname(__DIR__)" | "dirname(dirname(__FILE__))" => Some(".."),
        _ => None,
    }
}

/// The text in quotes, where nothing is put into it.
fn literal<'t>(walker: &Walker<'t>, node: Node<'_>) -> Option<&'t str> {
    let plain = match node.kind() {
        "string" => true,
        "encapsed_string" => node.named_children().all(|child| child.kind() == "string_content"),
        _ => false,
    };
    let text = walker.text(node);
    plain.then(|| text.get(1..text.len().saturating_sub(1)).unwrap_or(""))
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let name = node.child_by_field_name("name").map_or("", |name| walker.text(name));
    let base = child_of_kind(node, &["base_clause"]).map_or("", |base| walker.text(base));
    let is_test = base.ends_with("TestCase") || (base.ends_with("Test") && name.ends_with("Test"));
    declare_type(walker, node, SymbolKind::Class, if is_test { TEST_CASE } else { 0 })
}

fn interface<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Interface, 0)
}

fn trait_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Trait, 0)
}

fn enumeration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    declare_type(walker, node, SymbolKind::Enum, 0)
}

fn declare_type<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind, mark: u32) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let definition = walker.define(head.draft(kind, name, node, body_start(node)));
    walker.open_marked(definition, mark);
    Flow::Descend
}

fn enum_case<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let head = Head::of(walker, node);
        walker.define(head.draft(SymbolKind::EnumMember, name, node, node.end_byte()));
    }
    Flow::Descend
}

/// `new class(…) extends X { … }`
fn anonymous_class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut head = Head::of(walker, node);
    let definition = walker.define(Draft {
        signature: (head.start, body_start(node)),
        modifiers: head.modifiers,
        decorators: std::mem::take(&mut head.decorators),
        ..Draft::anonymous(SymbolKind::Class, "class", node)
    });
    walker.open(definition);
    Flow::Descend
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let definition = walker.define(head.draft(SymbolKind::Function, name, node, body_start(node)));
    walker.open(definition);
    Flow::Descend
}

fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let text = walker.text(name);
    let kind = if text.eq_ignore_ascii_case("__construct") {
        SymbolKind::Constructor
    } else if is_test_method(walker, &head, text) {
        SymbolKind::Test
    } else {
        SymbolKind::Method
    };
    let definition = walker.define(head.draft(kind, name, node, body_start(node)));
    walker.open(definition);
    Flow::Descend
}

/// Whether PHPUnit takes a method for a test.
fn is_test_method(walker: &mut Walker<'_>, head: &Head<'_>, name: &str) -> bool {
    let marked = head.decorators.iter().any(|attribute| {
        let name = attribute.split('(').next().unwrap_or("").trim_end();
        name.rsplit('\\').next() == Some("Test")
    });
    let is_class = walker.scope().mark & TEST_CASE != 0 || (walker.role.test && walker.enclosing_kind().is_type());
    let told = head
        .doc
        .as_ref()
        .is_some_and(|doc| doc.lines().any(|line| line.trim() == "@test"));
    marked || (is_class && head.visibility == Visibility::Public && (name.starts_with("test") || told))
}

/// `private static int $a = 1, $b;`
fn properties<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let hooks = child_of_kind(node, &["property_hook_list"]);
    let end = hooks.map_or(node.end_byte(), |hooks| hooks.start_byte());
    let elements = children_of_kind(node, &["property_element"]);
    for name in elements
        .iter()
        .filter_map(|element| element.child_by_field_name("name"))
    {
        let head = Head::of(walker, node);
        let definition = walker.define(Draft {
            name: Draftee::Named(name, variable_name(walker, name)),
            ..head.draft(SymbolKind::Field, name, node, end)
        });
        if let (Some(hooks), 1) = (hooks, elements.len()) {
            walker.claim(hooks, definition);
        }
    }
    Flow::Descend
}

/// A parameter of the constructor that is a property of the class.
fn promoted<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let hooks = child_of_kind(node, &["property_hook_list"]);
    let end = hooks.map_or(node.end_byte(), |hooks| hooks.start_byte());
    let constructor = if walker.enclosing_kind().is_callable() {
        walker.scopes.pop()
    } else {
        None
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(name, variable_name(walker, name)),
        ..head.draft(SymbolKind::Field, name, node, end)
    });
    walker.scopes.extend(constructor);
    if let Some(hooks) = hooks {
        walker.claim(hooks, definition);
    }
    Flow::Descend
}

fn claimed_scope(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
    }
    Flow::Descend
}

/// `get => …`, `set { … }` of a property.
fn hook<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["name"]) else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    match walker.text(name) {
        "get" => head.modifiers.insert(Modifier::Getter),
        "set" => head.modifiers.insert(Modifier::Setter),
        _ => {}
    }
    let end = node
        .child_by_field_name("parameters")
        .map_or(name.end_byte(), |parameters| parameters.end_byte());
    let definition = walker.define(head.draft(SymbolKind::Method, name, node, end));
    walker.open(definition);
    Flow::Descend
}

/// `const A = 1, B = 2;` in a type or outside.
fn constants<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    for element in children_of_kind(node, &["const_element"]) {
        if let Some(name) = child_of_kind(element, &["name"]) {
            let head = Head::of(walker, node);
            walker.define(head.draft(SymbolKind::Constant, name, node, node.end_byte()));
        }
    }
    Flow::Descend
}

/// `use A { b as private c; }` gives a method another name.
fn trait_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut head = Head::of(walker, node);
    head.start = node.start_byte();
    let mut after_as = false;
    let mut name = None;
    for child in node.children() {
        match child.kind() {
            "as" => after_as = true,
            "visibility_modifier" => head.restrict(walker.text(child)),
            "name" if after_as => name = Some(child),
            _ => {}
        }
    }
    if let Some(name) = name {
        walker.define(head.draft(SymbolKind::Method, name, node, node.end_byte()));
    }
    Flow::Descend
}

/// A variable that holds a function, or one that everything in the file shares.
fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return Flow::Descend;
    };
    if left.kind() != "variable_name" {
        return Flow::Descend;
    }
    let name = variable_name(walker, left);
    if matches!(right.kind(), "anonymous_function" | "arrow_function") {
        let definition = walker.define(Draft {
            name: Draftee::Named(left, name),
            signature: (node.start_byte(), body_start(right)),
            doc: doc_before(walker, node.start_byte()),
            visibility: Visibility::Private,
            modifiers: Head::of(walker, right).modifiers,
            ..Draft::new(SymbolKind::Function, left, node)
        });
        walker.claim(right, definition);
        return Flow::Descend;
    }
    let mut ancestors = walker.ancestors();
    let statement = ancestors
        .next()
        .filter(|parent| parent.kind() == "expression_statement");
    let block = ancestors.next();
    let body = ancestors.next();
    drop(ancestors);
    let at_top = matches!(
        (block.map(|block| block.kind()), body.map(|body| body.kind())),
        (Some("program"), _) | (Some("compound_statement"), Some("namespace_definition"))
    );
    if let Some(statement) = statement.filter(|_| at_top)
        && walker.scope().seen.insert(name.to_owned())
    {
        walker.define(Draft {
            name: Draftee::Named(left, name),
            doc: doc_before(walker, statement.start_byte()),
            ..Draft::new(SymbolKind::Static, left, statement)
        });
    }
    Flow::Descend
}

/// `define('NAME', 1)`, and the tests of Pest.
fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(function), Some(arguments)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    ) else {
        return Flow::Descend;
    };
    let word = walker.text(function).trim_start_matches('\\');
    let kind = match word {
        "define" => SymbolKind::Constant,
        "it" | "test" if walker.role.test && !walker.in_function() => SymbolKind::Test,
        "describe" if walker.role.test && !walker.in_function() => SymbolKind::Namespace,
        _ => return Flow::Descend,
    };
    let arguments = children_of_kind(arguments, &["argument"]);
    let Some(title) = arguments.first().and_then(|argument| argument.named_child(0)) else {
        return Flow::Descend;
    };
    let Some(text) = literal(walker, title) else {
        return Flow::Descend;
    };
    if kind == SymbolKind::Constant {
        let (owner, name) = text.rsplit_once('\\').unwrap_or(("", text));
        walker.define(Draft {
            name: Draftee::Named(title, name),
            doc: doc_before(walker, node.start_byte()),
            owner: owner.trim_start_matches('\\'),
            at_module: true,
            ..Draft::new(kind, title, node)
        });
        return Flow::Descend;
    }
    let body = arguments
        .iter()
        .skip(1)
        .filter_map(|argument| argument.named_child(0))
        .find(|value| matches!(value.kind(), "anonymous_function" | "arrow_function"));
    if let Some(body) = body {
        let definition = walker.define(Draft {
            name: Draftee::Named(title, text),
            signature: (node.start_byte(), title.end_byte()),
            visibility: Visibility::Private,
            ..Draft::new(kind, title, node)
        });
        walker.claim(body, definition);
    }
    Flow::Descend
}

/// A function without a name, or the one that claimed it.
fn closure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => {
            let mut head = Head::of(walker, node);
            walker.define(Draft {
                signature: (head.start, body_start(node)),
                modifiers: head.modifiers,
                decorators: std::mem::take(&mut head.decorators),
                ..Draft::anonymous(SymbolKind::Function, "lambda", node)
            })
        }
    };
    walker.open(definition);
    Flow::Descend
}

fn yields(walker: &mut Walker<'_>, _: Node<'_>) -> Flow {
    let definition = walker.scope().definition;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize)
        && definition.kind().is_callable()
    {
        definition.modifiers = definition.modifiers().with(Modifier::Generator).0.into();
    }
    Flow::Descend
}

/// The namespace that the file declares; without one, its path without extension.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    has_directory(path, &["test", "tests", "Test", "Tests"])
        || ["Test.php", "TestCase.php"].iter().any(|suffix| name.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::language::Role;

    #[test]
    fn what_the_grammar_does_not_know_is_blanked() {
        assert_eq!(
            blank("<?php use A\\{B, C,\n}; $x = [1,];").as_deref(),
            Some("<?php use A\\{B, C \n}; $x = [1,];")
        );
        assert_eq!(
            blank("<?php\n__halt_compiler();\nclass É {\n").as_deref(),
            Some("<?php\n__halt_compiler();\n          \n")
        );
        assert_eq!(blank("<?php use A\\{B};"), None);
        assert_eq!(blank("<?php use A\\{"), None);
    }

    #[test]
    fn namespaces_name_modules() {
        let named =
            |path: &str, package: &str| module_name(&[], &RepoPath::new(path).expect("the path is relative"), package);
        assert_eq!(named("src/Models/User.php", "App\\Models"), "App\\Models");
        assert_eq!(named("inc/users.inc.php", ""), "inc/users.inc");
    }

    #[test]
    fn one_namespace_is_the_package() {
        let package = |source: &str| {
            let facts = extract(&PHP, Role::default(), source);
            facts.text.get(facts.package).to_owned()
        };
        assert_eq!(package("<?php\nnamespace A\\B;\nclass C {}\n"), "A\\B");
        assert_eq!(package("<?php namespace A { class C {} }"), "A");
        assert_eq!(package("<?php namespace A; namespace B;"), "");
        assert_eq!(package("<p>Hello</p>"), "");
    }

    #[test]
    fn a_comment_at_the_top_is_the_files_unless_something_stands_below_it() {
        let doc = |source: &str| {
            let facts = extract(&PHP, Role::default(), source);
            facts.text.get(facts.module_doc).to_owned()
        };
        assert_eq!(doc("<?php\n/** Tools. */\nnamespace A;\n"), "Tools.");
        assert_eq!(doc("<?php\n/** Tools. */\n\nclass A {}\n"), "Tools.");
        assert_eq!(doc("<?php\n/** Of the class. */\nclass A {}\n"), "");
        assert_eq!(doc("<?php\n/** This file is part of it. */\n\nnamespace A;\n"), "");
        assert_eq!(doc("<?php\n/* no doc */\nnamespace A;\n"), "");
    }
}
