//! C: definitions, the comments above them, includes; and what C++ and Objective-C share with it.

mod bodies;
mod conditions;
mod declarators;
mod directives;
mod edits;
mod heads;
mod likeness;
mod readable;
mod tokens;
mod words;

use lore_model::{FileFacts, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};
use tree_sitter::Node;

use crate::extract::{DocStyle, Draft, Draftee, Walker, clean_block_doc, clean_line_doc};
use crate::language::{Flow, Language, Role, Rule};
use crate::layout::has_directory;

pub(crate) use declarators::{Declared, Shape, declared};
pub(crate) use directives::comment;
pub(crate) use likeness::{has_classes, has_objects, is_c_like};
pub(crate) use readable::readable;

pub(crate) static C: Language = Language {
    name: "c",
    dialect: "c",
    extensions: &["c"],
    disputed: &["h"],
    likeness: |_| 10,
    separator: "::",
    grammar: || tree_sitter_c::LANGUAGE.into(),
    blank: |source| readable(source, false),
    rules: &[
        ("comment", Rule::Visit(comment)),
        ("string_literal", Rule::Text),
        ("function_definition", Rule::Visit(function)),
        ("declaration", Rule::Visit(declaration)),
        ("type_definition", Rule::Visit(type_definition)),
        ("struct_specifier", Rule::Visit(specifier)),
        ("union_specifier", Rule::Visit(specifier)),
        ("enum_specifier", Rule::Visit(specifier)),
        ("field_declaration", Rule::Visit(field)),
        ("enumerator", Rule::Visit(enumerator)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("seh_except_clause", Rule::Decision),
        ("case_statement", Rule::Visit(case)),
        ("binary_expression", Rule::Visit(binary)),
    ],
    finish,
    is_test_file,
    ..Language::BASE
};

/// Marks the scope of a type whose fields are recorded.
pub(crate) const FIELDS: u32 = 1;

/// Any comment that leads a declaration is about it.
pub(crate) const DOC: DocStyle = DocStyle {
    line: &["///", "//!", "//"],
    block: &[("/**", "*/"), ("/*!", "*/"), ("/*", "*/")],
    except: &[
        "///<",
        "//!<",
        "/**<",
        "/*!<",
        "// NOLINT",
        "//NOLINT",
        "// clang-format",
        "/* clang-format",
        "// IWYU",
    ],
};

/// Bytes in which a comment behind a declaration must end.
const MAX_COMMENT_BEHIND: usize = 2_000;

/// Bytes of a signature that may lack its name; longer ones were cut.
const MAX_OPEN_SIGNATURE: usize = 100;

/// What stands before the name of a declaration.
pub(crate) struct Head<'t> {
    pub(crate) modifiers: Modifiers,
    pub(crate) visibility: Visibility,
    pub(crate) decorators: Vec<&'t str>,
    /// Whether the type that is declared may not change.
    pub(crate) is_const: bool,
    /// Where the declaration begins, macros and attributes included.
    pub(crate) start: usize,
    /// Where its signature begins.
    pub(crate) signature: usize,
}

impl<'t> Head<'t> {
    pub(crate) fn of(walker: &mut Walker<'t>, node: Node<'t>) -> Self {
        let mut head = Self {
            modifiers: Modifiers::default(),
            visibility: Visibility::Public,
            decorators: Vec::new(),
            is_const: false,
            start: node.start_byte(),
            signature: node.start_byte(),
        };
        head.take_macros(walker);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            if cursor_is_past_specifiers(child) {
                break;
            }
            head.word(walker, child);
        }
        head
    }

    /// Takes in the macros directly before the declaration: with arguments they are decorators, without part of the signature.
    fn take_macros(&mut self, walker: &mut Walker<'t>) {
        for (start, end) in std::mem::take(&mut walker.attributes).into_iter().rev() {
            let (start, end) = (start as usize, end as usize);
            let gap = walker.slice(end, self.start);
            if end > self.start || !gap.trim().is_empty() || gap.bytes().filter(|byte| *byte == b'\n').count() > 1 {
                break;
            }
            let text = walker.slice(start, end).trim_end();
            if text
                .split('_')
                .any(|part| matches!(part, "BEGIN" | "END" | "HEAD" | "OBJECT"))
            {
                break;
            }
            if text.ends_with(')') {
                self.decorators.push(attribute_text(text));
            } else if self.signature == self.start {
                self.signature = start;
            }
            self.start = start;
        }
        self.decorators.reverse();
    }

    /// Takes in a word before the name.
    fn word(&mut self, walker: &Walker<'t>, node: Node<'t>) {
        match node.kind() {
            "storage_class_specifier" | "type_qualifier" => match walker.text(node) {
                "static" => {
                    self.modifiers.insert(Modifier::Static);
                    self.visibility = Visibility::Private;
                }
                "extern" => self.modifiers.insert(Modifier::Extern),
                "const" => self.is_const = true,
                "constexpr" | "consteval" | "constinit" => {
                    self.is_const = true;
                    self.modifiers.insert(Modifier::Const);
                }
                "volatile" => self.modifiers.insert(Modifier::Volatile),
                _ => {}
            },
            "attribute_declaration" => {
                let text = walker.text(node);
                let inner = text.strip_prefix("[[").and_then(|text| text.strip_suffix("]]"));
                self.decorators.push(inner.unwrap_or(text).trim());
                if self.signature == node.start_byte() {
                    let rest = walker.slice(node.end_byte(), walker.source.len());
                    let gap = rest.bytes().take_while(u8::is_ascii_whitespace).count();
                    self.signature = node.end_byte() + gap;
                }
            }
            _ => {}
        }
    }

    /// Records the declaration, whose signature ends at a byte.
    pub(crate) fn define(
        self,
        walker: &mut Walker<'t>,
        kind: SymbolKind,
        name: Draftee<'t>,
        span: Node<'t>,
        end: usize,
    ) -> u32 {
        self.define_in(walker, kind, "", name, span, end)
    }

    /// Records the declaration as that of an owner.
    pub(crate) fn define_in(
        self,
        walker: &mut Walker<'t>,
        kind: SymbolKind,
        owner: &'t str,
        name: Draftee<'t>,
        span: Node<'t>,
        end: usize,
    ) -> u32 {
        let doc = doc(walker, kind, self.start, span.end_byte());
        let definition = walker.define(Draft {
            name,
            signature: (self.signature.min(end), end),
            doc,
            visibility: self.visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            owner,
            ..Draft::new(kind, span, span)
        });
        if self.start < span.start_byte() {
            let line = walker.row_of(self.start) + 1;
            if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
                definition.place.start_byte = (self.start as u32).into();
                definition.place.start_line = line.into();
            }
        }
        definition
    }
}

/// Whether a child of a declaration stands behind its specifiers.
fn cursor_is_past_specifiers(child: Node<'_>) -> bool {
    matches!(
        child.kind(),
        "compound_statement" | ";" | "=" | "field_initializer_list"
    ) || child.kind().ends_with("declarator")
}

/// An attribute without the words that make it one.
fn attribute_text(text: &str) -> &str {
    for word in ["__attribute__", "__attribute", "__declspec"] {
        let inner = text
            .strip_prefix(word)
            .map(str::trim)
            .and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
        if let Some(inner) = inner {
            let inner = inner.trim();
            let twice = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
            return twice.filter(|_| word != "__declspec").unwrap_or(inner).trim();
        }
    }
    text
}

/// The comment about a declaration: above it, or behind it where values are declared.
pub(crate) fn doc(walker: &Walker<'_>, kind: SymbolKind, start: usize, end: usize) -> Option<String> {
    let speaks = |doc: &String| doc.chars().any(char::is_alphanumeric) && !speaks_of_file(doc);
    let above = walker.doc_above(start, &DOC).filter(speaks);
    let is_value = matches!(
        kind,
        SymbolKind::Field | SymbolKind::EnumMember | SymbolKind::Constant | SymbolKind::Static
    );
    above.or_else(|| doc_behind(walker, end).filter(|_| is_value).filter(speaks))
}

pub(crate) fn speaks_of_file(doc: &str) -> bool {
    doc.starts_with("@file") || doc.starts_with("\\file")
}

/// The comment behind a declaration on its last line.
fn doc_behind(walker: &Walker<'_>, end: usize) -> Option<String> {
    let mut to = walker.source.len().min(end + MAX_COMMENT_BEHIND);
    while !walker.source.is_char_boundary(to) {
        to -= 1;
    }
    let rest = walker.slice(end, to).trim_start_matches([' ', '\t', ';', ',']);
    if rest.starts_with("//") {
        let line = rest.lines().next()?;
        let line = ["///<", "//!<"]
            .iter()
            .find_map(|sign| line.strip_prefix(sign))
            .unwrap_or(line);
        return Some(clean_line_doc([line].into_iter(), &["///", "//!", "//"]));
    }
    let comment = rest
        .get(..rest.find("*/")? + 2)
        .filter(|comment| comment.starts_with("/*"))?;
    let text = clean_block_doc(comment);
    Some(text.strip_prefix('<').unwrap_or(&text).trim_start().to_owned())
}

/// Where the signature of a definition with a body ends.
pub(crate) fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.enclosing_kind().is_callable() {
        return Flow::Descend;
    }
    let Some(found) = node.child_by_field_name("declarator").and_then(declared) else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    if let Some(made) = Made::by_macro(walker, node) {
        let definition = made.define(walker, head, node);
        walker.open(definition);
        return Flow::Descend;
    }
    let kind = match walker.role.test && is_test_name(walker.text(found.name)) {
        true => SymbolKind::Test,
        false => SymbolKind::Function,
    };
    let definition = head.define(walker, kind, Draftee::Node(found.name), node, body_start(node));
    walker.open(definition);
    Flow::Descend
}

/// Whether a function in a test file is a test by its name.
pub(crate) fn is_test_name(name: &str) -> bool {
    name.strip_prefix("test")
        .is_some_and(|rest| rest.starts_with(|letter: char| letter == '_' || letter.is_ascii_uppercase()))
}

/// A function that a macro heads, or that names no type.
pub(crate) struct Made<'t> {
    node: Node<'t>,
    word: &'t str,
    /// The name of the suite, where the macro gives one.
    owner: &'t str,
    name: &'t str,
    is_test: bool,
}

impl<'t> Made<'t> {
    /// What a definition is named in the source, if the grammar saw another name.
    pub(crate) fn by_macro(walker: &Walker<'t>, node: Node<'t>) -> Option<Self> {
        let declared_type = node.child_by_field_name("type")?;
        let start = declared_type.start_byte();
        let bytes = walker.source.as_bytes();
        let goes_on = bytes
            .get(declared_type.end_byte())
            .copied()
            .is_some_and(tokens::is_name_byte);
        if declared_type.end_byte() - start != 1 || !goes_on {
            return None;
        }
        let len = bytes[start..]
            .iter()
            .take_while(|byte| tokens::is_name_byte(**byte))
            .count();
        let word = walker.slice(start, start + len);
        let arguments = walker.slice(start + len, body_start(node)).trim();
        let arguments = arguments.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        let is_macro = words::is_macro_like(word.as_bytes());
        let is_test = is_macro && (word.contains("TEST") || word == "SCENARIO" || word == "SPEC");
        let (owner, name) = match arguments {
            Some(arguments) if is_macro => made_name(word, arguments, is_test),
            _ => ("", word),
        };
        Some(Self {
            node: declared_type,
            word,
            owner,
            name,
            is_test,
        })
    }

    pub(crate) fn define(self, walker: &mut Walker<'t>, head: Head<'t>, span: Node<'t>) -> u32 {
        let kind = match self.is_test {
            true => SymbolKind::Test,
            false => SymbolKind::Function,
        };
        let end = body_start(span);
        let owner = self.owner;
        let definition = head.define_in(walker, kind, owner, Draftee::Named(self.node, self.name), span, end);
        let offset = self.name.as_ptr() as usize - self.word.as_ptr() as usize;
        place_name(walker, definition, self.node.start_byte() + offset);
        definition
    }
}

/// The suite and the name that a macro gives to what it defines.
fn made_name<'t>(word: &'t str, arguments: &'t str, is_test: bool) -> (&'t str, &'t str) {
    let names_two = is_test
        && matches!(
            word,
            "TEST" | "TEST_F" | "TEST_P" | "TYPED_TEST" | "TYPED_TEST_P" | "GTEST_TEST" | "FUZZ_TEST"
        );
    let (first, rest) = arguments.split_once(',').unwrap_or((arguments, ""));
    let (first, second) = (first.trim(), rest.split(',').next().unwrap_or("").trim());
    if names_two && is_name(first) && is_name(second) {
        return (first, second);
    }
    if let Some(text) = arguments.trim_start().strip_prefix('"') {
        let text = text.split('"').next().unwrap_or("");
        return ("", if text.is_empty() { word } else { text });
    }
    ("", if is_name(first) { first } else { word })
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(tokens::is_name_byte)
        && !text.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Says that the name of a definition stands at a byte.
pub(crate) fn place_name(walker: &mut Walker<'_>, definition: u32, byte: usize) {
    let line = walker.row_of(byte) + 1;
    let line_start = walker.slice(0, byte).rfind('\n').map_or(0, |at| at + 1);
    let column = walker.slice(line_start, byte).chars().count() as u32 + 1;
    if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
        definition.place.line = line.into();
        definition.place.column = column.into();
    }
}

/// Variables and prototypes.
fn declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.in_function() {
        return Flow::Descend;
    }
    let mut claims = anonymous_type(node);
    let mut cursor = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut cursor) {
        let Some(found) = declared(declarator) else {
            continue;
        };
        let mut head = Head::of(walker, node);
        let kind = match found.shape {
            Shape::Function => {
                head.modifiers.insert(Modifier::Declare);
                SymbolKind::Function
            }
            Shape::Value => value_kind(walker, &mut head, &found),
        };
        let definition = head.define(walker, kind, Draftee::Node(found.name), node, node.end_byte());
        if let Some(anonymous) = claims.take() {
            walker.claim(anonymous, definition);
        }
    }
    Flow::Descend
}

/// The kind of a variable, by whether it may change.
pub(crate) fn value_kind(walker: &Walker<'_>, head: &mut Head<'_>, found: &Declared<'_>) -> SymbolKind {
    match is_const_value(walker, head, found) {
        true => {
            head.modifiers.insert(Modifier::Const);
            SymbolKind::Constant
        }
        false => SymbolKind::Static,
    }
}

/// Whether a value may not change: a pointer to what may not is no such value.
pub(crate) fn is_const_value(walker: &Walker<'_>, head: &Head<'_>, found: &Declared<'_>) -> bool {
    match found.pointer {
        Some(pointer) => {
            let mut cursor = pointer.walk();
            pointer
                .children(&mut cursor)
                .any(|child| child.kind() == "type_qualifier" && walker.text(child) == "const")
        }
        None => head.is_const,
    }
}

/// The struct or union without a name that a declaration spells out.
pub(crate) fn anonymous_type(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("type").filter(|declared| {
        declared.kind() != "enum_specifier"
            && declared.child_by_field_name("body").is_some()
            && declared.child_by_field_name("name").is_none()
    })
}

/// The kind of what a specifier declares.
pub(crate) fn specifier_kind(specifier: Node<'_>) -> SymbolKind {
    match specifier.kind() {
        "enum_specifier" => SymbolKind::Enum,
        "class_specifier" => SymbolKind::Class,
        _ => SymbolKind::Struct,
    }
}

/// `typedef`: a type that it spells out takes the first name that is no pointer to it; the others are aliases.
pub(crate) fn type_definition<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(aliased) = node.child_by_field_name("type") else {
        return Flow::Descend;
    };
    let body = aliased.child_by_field_name("body");
    let mut cursor = node.walk();
    let names: Vec<(Node<'t>, bool)> = node
        .children_by_field_name("declarator", &mut cursor)
        .filter_map(|declarator| Some((declared(declarator)?.name, declarator.kind() == "type_identifier")))
        .collect();
    let tag = aliased.child_by_field_name("name");
    let own = match tag {
        Some(tag) => Some(tag),
        None => names.iter().find(|(_, is_plain)| *is_plain).map(|(name, _)| *name),
    };
    let mut claims = body.is_some();
    if let (Some(body), Some(own)) = (body, own) {
        let head = Head::of(walker, node);
        let definition = head.define(
            walker,
            specifier_kind(aliased),
            Draftee::Node(own),
            node,
            body.start_byte(),
        );
        walker.claim(aliased, definition);
        claims = false;
    }
    for (name, is_plain) in names {
        let repeats = body.is_some() && is_plain && own.is_some_and(|own| walker.text(own) == walker.text(name));
        if repeats {
            continue;
        }
        let head = Head::of(walker, node);
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let definition = head.define(walker, SymbolKind::TypeAlias, Draftee::Node(name), node, end);
        if claims {
            walker.claim(aliased, definition);
            claims = false;
        }
    }
    Flow::Descend
}

/// A struct, union or enum, where its members stand.
fn specifier<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(body) = node.child_by_field_name("body") else {
        return Flow::Descend;
    };
    if walker.open_claimed_name(node) {
        return Flow::Descend;
    }
    if let Some(definition) = walker.claimed(node) {
        walker.open_marked(definition, FIELDS);
        return Flow::Descend;
    }
    match node.child_by_field_name("name") {
        Some(name) => {
            let start = declaration_around(walker, node);
            let mut head = Head::of(walker, node);
            head.visibility = Visibility::Public;
            if let Some(start) = start {
                head.start = head.start.min(start);
            }
            let definition = head.define(
                walker,
                specifier_kind(node),
                Draftee::Node(name),
                node,
                body.start_byte(),
            );
            walker.open_marked(definition, FIELDS);
        }
        // The members of an enum without a name are as good as constants beside it.
        None if node.kind() == "enum_specifier" => {
            let (kind, mark) = (walker.enclosing_kind(), walker.scope().mark);
            walker.open_named("", kind, mark);
        }
        None => walker.open_named("", SymbolKind::Struct, 0),
    }
    Flow::Descend
}

/// Where the declaration begins that a type is part of, so that the comment above it is the type's too.
fn declaration_around(walker: &Walker<'_>, node: Node<'_>) -> Option<usize> {
    let around = walker.parent()?;
    let leads = matches!(around.kind(), "declaration" | "field_declaration")
        && walker.slice(around.start_byte(), node.start_byte()).len() < 40;
    leads.then(|| around.start_byte())
}

fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut anonymous = anonymous_type(node);
    if walker.scope().mark & FIELDS == 0 {
        return Flow::Descend;
    }
    let mut cursor = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut cursor) {
        let Some(found) = declared(declarator) else {
            continue;
        };
        let mut head = Head::of(walker, node);
        if is_const_value(walker, &head, &found) {
            head.modifiers.insert(Modifier::Const);
        }
        let end = anonymous
            .and_then(|anonymous| anonymous.child_by_field_name("body"))
            .map_or(node.end_byte(), |body| body.start_byte());
        let definition = head.define(walker, SymbolKind::Field, Draftee::Node(found.name), node, end);
        if let Some(anonymous) = anonymous.take() {
            walker.claim(anonymous, definition);
        }
    }
    if let Some(anonymous) = anonymous {
        // Its fields are fields of the type around it.
        walker.claim_name(anonymous, "", SymbolKind::Struct, FIELDS);
    }
    Flow::Descend
}

pub(crate) fn enumerator<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let head = Head::of(walker, node);
        head.define(
            walker,
            SymbolKind::EnumMember,
            Draftee::Node(name),
            node,
            node.end_byte(),
        );
    }
    Flow::Descend
}

pub(crate) fn case(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if node.child(0).is_some_and(|first| first.kind() == "case") {
        walker.decision();
    }
    Flow::Descend
}

pub(crate) fn binary(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(operator) = node.child_by_field_name("operator")
        && matches!(operator.kind(), "&&" | "||" | "and" | "or")
    {
        walker.decision();
    }
    Flow::Descend
}

/// Gives signatures the names that stand behind the members: `typedef struct { … } point`.
pub(crate) fn finish(facts: &mut FileFacts, _: Role) {
    for at in 0..facts.definitions.len() {
        let definition = facts.definitions[at];
        let is_open = matches!(
            definition.kind(),
            SymbolKind::Struct | SymbolKind::Enum | SymbolKind::TypeAlias | SymbolKind::Field | SymbolKind::Static
        );
        let (name, signature) = (facts.text.get(definition.name), facts.text.get(definition.signature));
        if is_open && signature.len() < MAX_OPEN_SIGNATURE && !signature.contains(name) {
            let whole = format!("{signature} {name}");
            facts.definitions[at].signature = facts.text.push(&whole);
        }
    }
}

/// Whether a path is that of a test, in any of the languages like C.
pub(crate) fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    has_directory(
        path,
        &[
            "test",
            "tests",
            "testing",
            "unittest",
            "unittests",
            "unit_tests",
            "Tests",
        ],
    ) || ["test_", "test-", "unittest"]
        .iter()
        .any(|start| stem.starts_with(start))
        || ["_test", "-test", "_tests", "_unittest", "tests"]
            .iter()
            .any(|end| stem.ends_with(end))
        || name.split('.').next().is_some_and(|stem| stem.ends_with("Test"))
}
