//! Scala 2 and 3: definitions, companions, annotations, Scaladoc, imports, and how package clauses name modules.

mod flow;
mod imports;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, clean_block_doc, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::Root;
use crate::syntax::Node;

pub(crate) static SCALA: Language = Language {
    name: "scala",
    dialect: "scala",
    extensions: &["scala", "sbt"],
    interpreters: &["scala", "scala-cli", "amm"],
    // SuperCollider has it too.
    disputed: &["sc"],
    likeness,
    grammar: || tree_sitter_scala::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("block_comment", Rule::Comment),
        ("string", Rule::Text),
        ("interpolated_string", Rule::Text),
        ("structural_type", Rule::Leaf),
        ("refinement", Rule::Leaf),
        ("compilation_unit", Rule::Visit(compilation_unit)),
        ("package_clause", Rule::Visit(package)),
        ("package_object", Rule::Visit(package_object)),
        ("import_declaration", Rule::Visit(imports::import)),
        ("export_declaration", Rule::Visit(imports::export)),
        ("class_definition", Rule::Visit(class)),
        ("object_definition", Rule::Visit(class)),
        ("trait_definition", Rule::Visit(class)),
        ("enum_definition", Rule::Visit(class)),
        ("simple_enum_case", Rule::Visit(enum_case)),
        ("full_enum_case", Rule::Visit(enum_case)),
        ("class_parameter", Rule::Visit(class_parameter)),
        ("type_definition", Rule::Visit(type_alias)),
        ("given_definition", Rule::Visit(given)),
        ("extension_definition", Rule::Visit(extension)),
        ("function_definition", Rule::Visit(function)),
        ("function_declaration", Rule::Visit(function)),
        ("val_definition", Rule::Visit(value)),
        ("val_declaration", Rule::Visit(value)),
        ("var_definition", Rule::Visit(value)),
        ("var_declaration", Rule::Visit(value)),
        ("instance_expression", Rule::Visit(instance)),
        ("template_body", Rule::Visit(template_body)),
        ("lambda_expression", Rule::Visit(lambda)),
        ("case_block", Rule::Visit(cases)),
        ("indented_cases", Rule::Visit(cases)),
        ("colon_argument", Rule::Visit(colon_argument)),
        ("if_expression", Rule::Decision),
        ("while_expression", Rule::Decision),
        ("do_while_expression", Rule::Decision),
        ("enumerator", Rule::Visit(enumerator)),
        ("guard", Rule::Decision),
        ("case_clause", Rule::Visit(case_clause)),
        ("catch_clause", Rule::Visit(catch_clause)),
        ("infix_expression", Rule::Visit(infix)),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    inherits_constructors: false,
    ..Language::BASE
};

/// Marks the scope of an object.
const OBJECT: u32 = 1;
/// Definitions between a class and its companion that are looked through.
const MAX_BETWEEN: u32 = 4_000;
/// Nodes of a pattern that are looked through for names.
const MAX_PATTERN: usize = 100;
/// Levels below a definition that are looked through for its end.
const MAX_DEPTH: usize = 200;
/// Bytes of a type that are looked at where it names a given.
const MAX_GIVEN: usize = 200;

/// Whether a script is one: SuperCollider knows none of these words.
fn likeness(source: &str) -> u8 {
    const WORDS: &[&str] = &[
        "import ",
        "def ",
        "val ",
        "object ",
        "case class ",
        "package ",
        "//> using",
        "@main",
    ];
    let begins = |line: &str| WORDS.iter().any(|word| line.trim_start().starts_with(word));
    u8::from(source.lines().any(begins))
}

/// What stands before a definition's own words.
struct Head<'s> {
    modifiers: Modifiers,
    visibility: Visibility,
    decorators: Vec<&'s str>,
    /// Where the definition begins once its annotations are cut off.
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
            start: node.start_byte(),
        };
        for child in node.children() {
            match child.kind() {
                "annotation" => head
                    .decorators
                    .push(walker.text(child).trim_start_matches('@').trim_start()),
                _ if child.is_extra() => {}
                kind => {
                    head.start = child.start_byte();
                    if kind == "modifiers" {
                        head.add_modifiers(walker, child);
                    }
                    break;
                }
            }
        }
        head
    }

    fn add_modifiers(&mut self, walker: &Walker<'s>, list: Node<'_>) {
        for child in list.children() {
            if child.kind() == "access_modifier" {
                let qualifier = child_of_kind(child, &["access_qualifier"]).map(|qualifier| walker.text(qualifier));
                self.visibility = match (has_child(child, "protected"), qualifier) {
                    (true, _) => Visibility::Protected,
                    (false, None | Some("[this]")) => Visibility::Private,
                    // `private[p]` reaches all of `p`.
                    (false, Some(_)) => Visibility::Internal,
                };
            } else if let Some(modifier) = Modifier::from_name(walker.text(child)) {
                self.modifiers.insert(modifier);
            }
        }
    }

    /// Whether an annotation makes a method a test.
    fn is_test(&self) -> bool {
        self.decorators.iter().any(|decorator| {
            let name = decorator.split(['(', '[']).next().unwrap_or("").trim_end();
            let last = name.rsplit('.').next().unwrap_or(name);
            matches!(last, "Test" | "ParameterizedTest" | "RepeatedTest")
        })
    }

    /// Records the definition, whose signature ends at a byte.
    fn define(self, walker: &mut Walker<'_>, draft: Draft<'_>, end: usize) -> u32 {
        let doc = scaladoc(walker, draft.span.start_byte());
        record(
            walker,
            Draft {
                signature: (self.start, end),
                doc,
                visibility: self.visibility,
                modifiers: self.modifiers,
                decorators: self.decorators,
                ..draft
            },
        )
    }
}

/// Records a definition. One that ends by indentation reaches up to the next one in the tree, but not in fact.
fn record(walker: &mut Walker<'_>, draft: Draft<'_>) -> u32 {
    let span = draft.span;
    let definition = walker.define(draft);
    if walker.text(span).ends_with(char::is_whitespace) || span.end_byte() == walker.source.len() {
        let end = last_token(span).end_byte();
        let end_line = walker.row_of(end.saturating_sub(1)) + 1;
        if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
            definition.place.end_line = end_line.max(definition.place.line.get()).into();
            definition.place.end_byte = (end as u32).into();
        }
    }
    definition
}

/// The last token in a node that is no comment and not made up by the parser.
fn last_token(node: Node<'_>) -> Node<'_> {
    let mut last = node;
    for _ in 0..MAX_DEPTH {
        let is_written = |child: &Node<'_>| !child.is_extra() && !child.byte_range().is_empty();
        let Some(child) = last.children().filter(is_written).last() else {
            break;
        };
        last = child;
    }
    last
}

/// The documentation comment before a byte.
fn scaladoc(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let comment = walker.last_comment_before(byte)?;
    (comment.starts_with("/**") && comment.len() > 4).then(|| clean_block_doc(comment))
}

/// A name without the back quotes that allow any name.
fn bare(name: &str) -> &str {
    name.strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'))
        .unwrap_or(name)
}

fn named<'t>(walker: &Walker<'t>, kind: SymbolKind, name: Node<'t>, span: Node<'t>) -> Draft<'t> {
    Draft {
        name: Draftee::Named(name, bare(walker.text(name))),
        ..Draft::new(kind, name, span)
    }
}

/// Where the body of a definition begins, or the definition ends.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

/// Where the `=` of a definition stands, or its body begins, or it ends.
fn value_start(node: Node<'_>) -> usize {
    child_of_kind(node, &["="]).map_or_else(|| body_start(node), |equals| equals.start_byte())
}

/// Where a definition stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Package,
    Member,
    Local,
}

impl Level {
    fn of(walker: &Walker<'_>) -> Self {
        let kind = walker.enclosing_kind();
        let outside = match kind {
            SymbolKind::Module | SymbolKind::Namespace => Self::Package,
            kind if kind.is_callable() => return Self::Local,
            _ => Self::Member,
        };
        match walker.parent().map_or("", |parent| parent.kind()) {
            "compilation_unit"
            | "template_body"
            | "with_template_body"
            | "enum_body"
            | "early_defs"
            | "extension_definition"
            | "ERROR" => outside,
            _ => Self::Local,
        }
    }
}

/// Packages in braces that hold all there is extend the name of the module.
fn compilation_unit(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mut outer = node;
    loop {
        let mut only = None;
        for child in outer.named_children() {
            let body = child.child_by_field_name("body");
            match child.kind() {
                "package_clause" if body.is_none() => {}
                "package_clause" if only.is_none() => only = Some((child, body)),
                "comment" | "block_comment" | "import_declaration" => {}
                _ => return Flow::Descend,
            }
        }
        let Some((package, Some(body))) = only else {
            return Flow::Descend;
        };
        walker.claim_name(package, "", SymbolKind::Module, 0);
        outer = body;
    }
}

fn package(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name_node) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let full: String = walker.text(name_node).split_whitespace().collect();
    let full = full.replace('`', "");
    let is_block = node.child_by_field_name("body").is_some();
    if walker.open_claimed_name(node) || !is_block {
        if walker.facts.definitions.is_empty() {
            let package = match walker.facts.text.get(walker.facts.package) {
                "" => full,
                outer => format!("{outer}.{full}"),
            };
            walker.facts.package = walker.facts.text.push(&package);
        }
    } else {
        let (owner, name) = full.rsplit_once('.').unwrap_or(("", &full));
        let definition = walker.define(Draft {
            name: Draftee::Named(name_node, name),
            owner,
            signature: (node.start_byte(), body_start(node)),
            doc: scaladoc(walker, node.start_byte()),
            ..Draft::new(SymbolKind::Namespace, name_node, node)
        });
        walker.open(definition);
    }
    Flow::Descend
}

/// What a package object holds belongs to the package.
fn package_object<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let draft = named(walker, SymbolKind::Namespace, name, node);
        let definition = Head::of(walker, node).define(walker, draft, body_start(node));
        walker.open(definition);
    }
    Flow::Descend
}

fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let (kind, mark) = match node.kind() {
        "trait_definition" => (SymbolKind::Trait, 0),
        "enum_definition" => (SymbolKind::Enum, 0),
        "object_definition" => (SymbolKind::Class, OBJECT),
        _ => (SymbolKind::Class, 0),
    };
    let draft = named(walker, kind, name, node);
    let definition = Head::of(walker, node).define(walker, draft, body_start(node));
    let home = home_of(walker, definition, bare(walker.text(name)));
    walker.open_marked(home, mark);
    Flow::Descend
}

/// The definition on which the members of a type hang: its own, or that of the companion further up, whose name it shares.
fn home_of(walker: &mut Walker<'_>, definition: u32, name: &str) -> u32 {
    if walker.scope().seen.insert(name.to_owned()) {
        return definition;
    }
    let facts = &walker.facts;
    let Some(own) = facts.definitions.get(definition as usize) else {
        return definition;
    };
    let companion = (definition.saturating_sub(MAX_BETWEEN)..definition).rev().find(|id| {
        facts.definitions.get(*id as usize).is_some_and(|other| {
            other.parent == own.parent
                && (other.kind().is_type() || other.kind() == SymbolKind::TypeAlias)
                && facts.text.get(other.name) == name
                && facts.text.get(other.owner) == facts.text.get(own.owner)
        })
    });
    companion.unwrap_or(definition)
}

fn enum_case<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(cases), Some(name)) = (walker.parent(), node.child_by_field_name("name")) else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, cases);
    head.start = node.start_byte();
    let draft = named(walker, SymbolKind::EnumMember, name, node);
    let definition = head.define(walker, draft, node.end_byte());
    walker.open(definition);
    Flow::Descend
}

/// A parameter of a class is a field if it says so, or stands in the first list of a case class.
fn class_parameter<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(list), Some(owner)) = (walker.parent(), walker.ancestors().nth(1)) else {
        return Flow::Descend;
    };
    let is_case = owner.kind() == "full_enum_case" || has_child(owner, "case");
    let is_field = has_child(node, "val")
        || has_child(node, "var")
        || (is_case && child_of_kind(owner, &["class_parameters"]) == Some(list));
    if is_field && let Some(name) = node.child_by_field_name("name") {
        let mut head = Head::of(walker, node);
        head.visibility = match child_of_kind(node, &["modifiers"]) {
            Some(_) => head.visibility,
            None => Visibility::Public,
        };
        let draft = named(walker, SymbolKind::Field, name, node);
        head.define(walker, draft, node.end_byte());
    }
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name")
        && Level::of(walker) != Level::Local
    {
        let draft = named(walker, SymbolKind::TypeAlias, name, node);
        Head::of(walker, node).define(walker, draft, node.end_byte());
        let name = bare(walker.text(name)).to_owned();
        walker.scope().seen.insert(name);
    }
    Flow::Descend
}

/// A given with a body is a class, one with a value a variable. Without a name it is named as the compiler names it.
fn given<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let body = node.child_by_field_name("body");
    let has_members = body.is_some_and(|body| matches!(body.kind(), "with_template_body" | "template_body"));
    let kind = match Level::of(walker) {
        _ if has_members => SymbolKind::Class,
        Level::Package => SymbolKind::Constant,
        Level::Member => SymbolKind::Field,
        Level::Local => return Flow::Descend,
    };
    let end = if has_members {
        child_of_kind(node, &["with"]).map_or_else(|| body_start(node), |with| with.start_byte())
    } else {
        value_start(node)
    };
    let first_type = node.children_by_field_name("return_type").next();
    let made_up = first_type.map_or_else(|| "given".to_owned(), |first| given_name(walker.text(first)));
    let draft = match (node.child_by_field_name("name"), child_of_kind(node, &["given"])) {
        (Some(name), _) => named(walker, kind, name, node),
        (None, word) => Draft {
            name: Draftee::Named(word.unwrap_or(node), &made_up),
            ..Draft::new(kind, node, node)
        },
    };
    let definition = Head::of(walker, node).define(walker, draft, end);
    walker.open(definition);
    Flow::Descend
}

/// `given_Ord_List` for a type `Ord[List[Int]]`: its name and the names of what it is applied to.
fn given_name(text: &str) -> String {
    let mut name = "given".to_owned();
    let mut word = "";
    let mut depth = 0;
    let text = text.get(..MAX_GIVEN).unwrap_or(text);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let len = rest
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        if len > 0 {
            word = &rest[..len];
            rest = &rest[len..];
            // Of a path only the last name counts.
            if depth <= 1 && !rest.starts_with('.') {
                name.push('_');
                name.push_str(word);
            }
            continue;
        }
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        rest = &rest[letter.len_utf8()..];
    }
    if word.is_empty() { "given".to_owned() } else { name }
}

/// The methods of an extension hang on the type it extends.
fn extension(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let receiver = node
        .children_by_field_name("parameters")
        .filter(|list| !has_child(*list, "using"))
        .find_map(|list| child_of_kind(list, &["parameter"]))
        .and_then(|parameter| parameter.child_by_field_name("type"))
        .map_or("", |receiver| walker.text(receiver));
    let name: String = receiver
        .chars()
        .take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '`' | '$'))
        .filter(|letter| *letter != '`')
        .collect();
    walker.open_named(&name, SymbolKind::Class, 0);
    Flow::Descend
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let kind = match Level::of(walker) {
        _ if head.is_test() => SymbolKind::Test,
        Level::Member if walker.text(name) == "this" => SymbolKind::Constructor,
        Level::Member => SymbolKind::Method,
        Level::Package | Level::Local => SymbolKind::Function,
    };
    let draft = named(walker, kind, name, node);
    let definition = head.define(walker, draft, value_start(node));
    walker.open(definition);
    Flow::Descend
}

fn value<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let level = Level::of(walker);
    let function = node
        .child_by_field_name("value")
        .filter(|value| value.kind() == "lambda_expression");
    if level == Level::Local && function.is_none() {
        return Flow::Descend;
    }
    let is_object = walker.scope().mark & OBJECT != 0;
    for name in bound_names(walker, node) {
        let head = Head::of(walker, node);
        let is_fixed = has_child(node, "val") && (head.modifiers.contains(Modifier::Final) || is_inline(node));
        let kind = match (function, level) {
            (Some(_), Level::Member) => SymbolKind::Method,
            (Some(_), _) => SymbolKind::Function,
            (None, Level::Package) if has_child(node, "val") => SymbolKind::Constant,
            (None, Level::Package) => SymbolKind::Static,
            (None, _) if is_object && is_fixed => SymbolKind::Constant,
            (None, _) => SymbolKind::Field,
        };
        let end = match function {
            Some(_) => value_start(node),
            None => node.end_byte(),
        };
        let draft = named(walker, kind, name, node);
        let definition = head.define(walker, draft, end);
        match function {
            Some(function) => walker.claim(function, definition),
            None => walker.open(definition),
        }
    }
    Flow::Descend
}

fn is_inline(node: Node<'_>) -> bool {
    child_of_kind(node, &["modifiers"]).is_some_and(|list| has_child(list, "inline_modifier"))
}

/// The names that a `val` or `var` binds.
fn bound_names<'t>(walker: &Walker<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let mut names = Vec::new();
    let Some(pattern) = node.child_by_field_name("pattern") else {
        let declared = node.children_by_field_name("name");
        return declared.filter(|name| name.is_named()).collect();
    };
    let mut pending = vec![pattern];
    for _ in 0..MAX_PATTERN {
        let Some(node) = pending.pop() else { break };
        match node.kind() {
            "identifier" | "operator_identifier" => {
                // Inside a pattern, a name that begins with an upper case letter is compared with.
                let is_constant = walker.text(node).starts_with(char::is_uppercase);
                let is_alone = node == pattern || pattern.kind() == "identifiers";
                if is_alone || !is_constant {
                    names.push(node);
                }
            }
            "identifiers" | "tuple_pattern" | "case_class_pattern" | "typed_pattern" | "capture_pattern"
            | "infix_pattern" | "named_pattern" => {
                let mut children: Vec<Node<'t>> = node.named_children().collect();
                children.reverse();
                pending.append(&mut children);
            }
            _ => {}
        }
    }
    names
}

/// `new A { … }` is a class without a name.
fn instance(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(body) = child_of_kind(node, &["template_body"]) {
        let draft = Draft {
            signature: (node.start_byte(), body.start_byte()),
            ..Draft::anonymous(SymbolKind::Class, "class", node)
        };
        let definition = record(walker, draft);
        walker.claim(body, definition);
    }
    Flow::Descend
}

fn template_body(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
    }
    Flow::Descend
}

fn lambda(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => {
            let parameters = node.children_by_field_name("parameters").last();
            let end = parameters.map_or(node.end_byte(), |parameters| parameters.end_byte());
            anonymous_function(walker, node, end)
        }
    };
    walker.open(definition);
    Flow::Descend
}

fn anonymous_function(walker: &mut Walker<'_>, node: Node<'_>, end: usize) -> u32 {
    let draft = Draft {
        signature: (node.start_byte(), end),
        ..Draft::anonymous(SymbolKind::Function, "lambda", node)
    };
    record(walker, draft)
}

/// Cases that stand neither behind `match` nor behind `catch` are a function.
fn cases(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let is_part = walker.parent().is_some_and(|parent| {
        matches!(
            parent.kind(),
            "match_expression" | "catch_clause" | "colon_argument" | "ERROR"
        )
    });
    if !is_part {
        let definition = anonymous_function(walker, node, node.start_byte());
        walker.open(definition);
    }
    Flow::Descend
}

/// `xs.map: x => …` has a function for its argument, `xs.map:` with cases below too; `lock:` has none.
fn colon_argument(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let start = node.child_by_field_name("lambda_start");
    if start.is_some() || has_child(node, "indented_cases") {
        let end = start.map_or(node.start_byte(), |start| start.end_byte());
        let definition = anonymous_function(walker, node, end);
        walker.open(definition);
    }
    Flow::Descend
}

fn enumerator(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if has_child(node, "<-") {
        walker.decision();
    }
    Flow::Descend
}

fn case_clause(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let pattern = node.child_by_field_name("pattern");
    if pattern.is_none_or(|pattern| pattern.kind() != "wildcard") {
        walker.decision();
    }
    Flow::Descend
}

/// The cases of a `catch` count by themselves; without any it is one way.
fn catch_clause(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if child_of_kind(node, &["case_block", "indented_cases"]).is_none() {
        walker.decision();
    }
    Flow::Descend
}

fn infix(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let operator = node.child_by_field_name("operator");
    if operator.is_some_and(|operator| matches!(walker.text(operator), "&&" | "||")) {
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

fn is_test_file(path: &RepoPath) -> bool {
    let stem = path.file_name().rsplit_once('.').map_or("", |(stem, _)| stem);
    let is_tests = |part: &str| matches!(part, "test" | "tests" | "it");
    path.directory().split('/').any(is_tests)
        || ["Test", "Tests", "Spec", "Suite"]
            .iter()
            .any(|suffix| stem.ends_with(suffix))
}
