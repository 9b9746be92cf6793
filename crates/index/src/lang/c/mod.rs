//! C: definitions, the comments above them, includes; and what C++ and Objective-C share with it.

mod bodies;
mod conditions;
mod declarators;
mod directives;
mod edits;
mod everywhere;
pub(in crate::lang) mod flow;
mod functions;
mod head;
mod heads;
mod likeness;
mod made;
mod parameters;
mod readable;
mod tokens;
mod view;
mod words;

use lore_model::{FileFacts, Modifier, RepoPath, SymbolKind};

use crate::extract::{Walker, has_child};
use crate::language::{Flow, Language, Role, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) use declarators::{Declared, Name, declared};
pub(crate) use directives::comment;
pub(crate) use head::{FIELDS, Head, LOOSE, PRIVATE, PROTECTED};
pub(crate) use likeness::{has_classes, has_objects, imports_objects, is_c_like};
pub(crate) use made::Made;
pub(crate) use readable::{Dialect, readable};

pub(crate) static C: Language = Language {
    name: "c",
    dialect: "c",
    extensions: &["c"],
    disputed: &["h"],
    likeness: |_| 10,
    separator: "::",
    grammar: || tree_sitter_c::LANGUAGE.into(),
    blank: |source| readable(source, Dialect::C),
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
    flow: Some(&flow::RULES),
    shares_names: "c",
    shares_modules: true,
    inherits_constructors: false,
    defines_once: true,
    included_suffixes: &[".h", ".inc"],
    ..Language::BASE
};

/// Bytes of a signature that may lack its name; longer ones were cut.
const MAX_OPEN_SIGNATURE: usize = 100;
/// Bytes between the beginning of a declaration and the type it spells out.
const MAX_LEAD: usize = 40;

/// Where the signature of a definition with a body ends.
pub(crate) fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

pub(crate) fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.enclosing_kind().is_callable() {
        return Flow::Descend;
    }
    let Some(found) = node.child_by_field_name("declarator").and_then(declared) else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let end = body_start(node);
    let definition = match Made::of(walker, node) {
        Some(made) => made.define(walker, head, SymbolKind::Function, end),
        None => {
            let is_test = walker.role.test && is_test_name(walker.text(found.name));
            let kind = if is_test {
                SymbolKind::Test
            } else {
                SymbolKind::Function
            };
            head.define(walker, kind, &Name::of(walker, found.name), end)
        }
    };
    walker.open(definition);
    Flow::Descend
}

/// Whether a function in a test file is a test by its name.
pub(crate) fn is_test_name(name: &str) -> bool {
    name.strip_prefix("test")
        .is_some_and(|rest| rest.starts_with(|letter: char| letter == '_' || letter.is_ascii_uppercase()))
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
pub(crate) fn declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.in_function() {
        return Flow::Descend;
    }
    let head = Head::of(walker, node);
    let mut anonymous = anonymous_type(node);
    for declarator in node.children_by_field_name("declarator") {
        let Some(found) = declared(declarator) else {
            continue;
        };
        let mut head = head.clone();
        let kind = match found.function {
            Some(_) => {
                head.modifiers.insert(Modifier::Declare);
                SymbolKind::Function
            }
            None => value_kind(walker, &mut head, &found),
        };
        let definition = head.define(walker, kind, &Name::of(walker, found.name), node.end_byte());
        if let Some(anonymous) = anonymous.take() {
            walker.claim(anonymous, definition);
        }
    }
    Flow::Descend
}

/// The kind of a variable, by whether it may change.
pub(crate) fn value_kind(walker: &Walker<'_>, head: &mut Head<'_>, found: &Declared<'_>) -> SymbolKind {
    if is_const_value(walker, head, found) {
        head.modifiers.insert(Modifier::Const);
        SymbolKind::Constant
    } else {
        SymbolKind::Static
    }
}

/// Whether a value may not change: a pointer to what may not is no such value.
pub(crate) fn is_const_value(walker: &Walker<'_>, head: &Head<'_>, found: &Declared<'_>) -> bool {
    match found.pointer {
        Some(pointer) => pointer
            .children()
            .any(|child| child.kind() == "type_qualifier" && walker.text(child) == "const"),
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
    let names: Vec<(Node<'t>, bool)> = node
        .children_by_field_name("declarator")
        .filter_map(|declarator| Some((declared(declarator)?.name, declarator.kind() == "type_identifier")))
        .collect();
    let head = Head::of(walker, node);
    let own = match aliased.child_by_field_name("name") {
        Some(tag) => Some(tag),
        None => names.iter().find(|(_, is_plain)| *is_plain).map(|(name, _)| *name),
    };
    let mut claims = body.is_some();
    if let (Some(body), Some(own)) = (body, own) {
        let (kind, name) = (specifier_kind(aliased), Name::of(walker, own));
        let definition = head.clone().define(walker, kind, &name, body.start_byte());
        walker.claim(aliased, definition);
        claims = false;
    }
    for (name, is_plain) in names {
        let repeats = body.is_some() && is_plain && own.is_some_and(|own| walker.text(own) == walker.text(name));
        if repeats {
            continue;
        }
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let name = Name::of(walker, name);
        let definition = head.clone().define(walker, SymbolKind::TypeAlias, &name, end);
        if claims {
            walker.claim(aliased, definition);
            claims = false;
        }
    }
    Flow::Descend
}

/// A struct, union, class or enum, where its members stand.
pub(crate) fn specifier<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(body) = node.child_by_field_name("body") else {
        return Flow::Descend;
    };
    if walker.open_claimed_name(node) {
        return Flow::Descend;
    }
    let mark = FIELDS | if node.kind() == "class_specifier" { PRIVATE } else { 0 };
    if let Some(definition) = walker.claimed(node) {
        walker.open_marked(definition, mark);
        return Flow::Descend;
    }
    match node.child_by_field_name("name") {
        Some(name) => {
            let around = declaration_around(walker, node);
            let mut head = Head::of(walker, node);
            head.start = around.map_or(head.start, |around| head.start.min(around));
            let is_final = has_child(node, "virtual_specifier");
            if is_final {
                head.modifiers.insert(Modifier::Final);
            }
            let name = Name::of(walker, name);
            let definition = head.define(walker, specifier_kind(node), &name, body.start_byte());
            walker.open_marked(definition, mark);
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
        && walker.slice(around.start_byte(), node.start_byte()).len() < MAX_LEAD;
    leads.then(|| around.start_byte())
}

pub(crate) fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.scope().mark & FIELDS == 0 {
        return Flow::Descend;
    }
    let head = Head::of(walker, node);
    let mut anonymous = anonymous_type(node);
    for declarator in node.children_by_field_name("declarator") {
        if let Some(found) = declared(declarator) {
            define_field(walker, node, head.clone(), found, SymbolKind::Field, &mut anonymous);
        }
    }
    absorb(walker, anonymous);
    Flow::Descend
}

/// Records a field; a type without a name that it spells out is its own.
pub(crate) fn define_field<'t>(
    walker: &mut Walker<'t>,
    node: Node<'t>,
    mut head: Head<'t>,
    found: Declared<'t>,
    kind: SymbolKind,
    anonymous: &mut Option<Node<'t>>,
) {
    if is_const_value(walker, &head, &found) {
        head.modifiers.insert(Modifier::Const);
    }
    let end = anonymous
        .and_then(|anonymous| anonymous.child_by_field_name("body"))
        .map_or(node.end_byte(), |body| body.start_byte());
    let definition = head.define(walker, kind, &Name::of(walker, found.name), end);
    if let Some(anonymous) = anonymous.take() {
        walker.claim(anonymous, definition);
    }
}

/// Makes the fields of a type without a name, which nobody claimed, those of the type around it.
pub(crate) fn absorb(walker: &mut Walker<'_>, anonymous: Option<Node<'_>>) {
    if let Some(anonymous) = anonymous {
        let mark = walker.scope().mark;
        walker.claim_name(anonymous, "", SymbolKind::Struct, mark);
    }
}

pub(crate) fn enumerator<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let head = Head::of(walker, node);
        head.define(walker, SymbolKind::EnumMember, &Name::of(walker, name), node.end_byte());
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
