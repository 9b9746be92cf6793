//! Swift: types, extensions, properties with their accessors and observers, attributes, documentation comments, imports.

mod blank;
mod flow;

use lore_model::{ImportFlags, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static SWIFT: Language = Language {
    name: "swift",
    dialect: "swift",
    extensions: &["swift"],
    interpreters: &["swift"],
    grammar: || tree_sitter_swift::LANGUAGE.into(),
    blank: blank::blank,
    rules: &[
        ("comment", Rule::Comment),
        ("multiline_comment", Rule::Comment),
        ("multi_line_string_literal", Rule::Text),
        ("raw_string_literal", Rule::Text),
        ("import_declaration", Rule::Visit(import)),
        ("class_declaration", Rule::Visit(declare_type)),
        ("protocol_declaration", Rule::Visit(protocol)),
        ("enum_entry", Rule::Visit(enum_entry)),
        ("function_declaration", Rule::Visit(function)),
        ("protocol_function_declaration", Rule::Visit(function)),
        ("init_declaration", Rule::Visit(initializer)),
        ("deinit_declaration", Rule::Visit(deinitializer)),
        ("subscript_declaration", Rule::Visit(subscript)),
        ("property_declaration", Rule::Visit(property)),
        ("protocol_property_declaration", Rule::Visit(property)),
        ("willset_clause", Rule::Visit(observer)),
        ("didset_clause", Rule::Visit(observer)),
        ("typealias_declaration", Rule::Visit(type_alias)),
        ("associatedtype_declaration", Rule::Visit(type_alias)),
        ("macro_declaration", Rule::Visit(macro_declaration)),
        ("lambda_literal", Rule::Visit(closure)),
        ("if_statement", Rule::Decision),
        ("guard_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("repeat_while_statement", Rule::Decision),
        ("switch_entry", Rule::Visit(switch_entry)),
        ("where_clause", Rule::Decision),
        ("catch_block", Rule::Decision),
        ("ternary_expression", Rule::Decision),
        // The signs themselves may be names of functions.
        ("conjunction_expression", Rule::Decision),
        ("disjunction_expression", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    ..Language::BASE
};

const DOCS: DocStyle = DocStyle {
    line: &["///"],
    block: &[("/**", "*/")],
    except: &["////", "/***"],
};

/// Marks the scope of a class derived from a `TestCase`.
const TEST_CASE: u32 = 1;
/// Marks a scope whose members are public unless they say otherwise.
const PUBLIC_MEMBERS: u32 = 2;
/// Marks a scope whose members nobody outside the file sees.
const PRIVATE_MEMBERS: u32 = 4;
/// Marks the scope of a public enumeration, whose cases are public.
const PUBLIC_CASES: u32 = 8;

/// Names in one pattern that are recorded.
const MAX_PATTERN: usize = 100;

/// What stands before a declaration's own words.
struct Head<'s> {
    modifiers: Modifiers,
    visibility: Option<Visibility>,
    decorators: Vec<&'s str>,
    /// Where the declaration begins once the attributes that lead it are cut off.
    start: usize,
}

impl<'s> Head<'s> {
    fn of(walker: &Walker<'s>, node: Node<'_>) -> Self {
        let mut head = Self {
            modifiers: Modifiers::default(),
            visibility: None,
            decorators: Vec::new(),
            start: node.start_byte(),
        };
        let mut start = None;
        for child in node.children() {
            if child.kind() == "modifiers" {
                for word in child.children() {
                    head.read(walker, word, &mut start);
                }
            } else if child.kind() == "class" && node.kind() != "class_declaration" {
                start.get_or_insert(child.start_byte());
                head.modifiers.insert(Modifier::Classmethod);
            } else if !head.read(walker, child, &mut start) {
                start.get_or_insert(child.start_byte());
                break;
            }
        }
        head.start = start.unwrap_or(head.start);
        head
    }

    /// Takes in an attribute or a modifier, if the node is one.
    fn read(&mut self, walker: &Walker<'s>, node: Node<'_>, start: &mut Option<usize>) -> bool {
        let text = walker.text(node);
        match node.kind() {
            "attribute" => {
                self.decorators.push(text.trim_start_matches('@').trim_start());
                return true;
            }
            "comment" | "multiline_comment" => return true,
            // `private(set)` speaks of writing only.
            "visibility_modifier" if !text.ends_with(')') => {
                self.visibility = Some(match text {
                    "open" | "public" => Visibility::Public,
                    "private" | "fileprivate" => Visibility::Private,
                    _ => Visibility::Internal,
                });
            }
            "visibility_modifier"
            | "member_modifier"
            | "function_modifier"
            | "inheritance_modifier"
            | "mutation_modifier"
            | "ownership_modifier"
            | "property_modifier"
            | "property_behavior_modifier"
            | "parameter_modifier" => {
                let modifier = match text {
                    "class" => Some(Modifier::Classmethod),
                    word => Modifier::from_name(word),
                };
                if let Some(modifier) = modifier {
                    self.modifiers.insert(modifier);
                }
            }
            _ => return false,
        }
        start.get_or_insert(node.start_byte());
        true
    }

    /// Whether an attribute makes a function a test.
    fn is_test(&self) -> bool {
        self.decorators.iter().any(|decorator| {
            let name = decorator.split(['(', '\n']).next().unwrap_or("").trim_end();
            matches!(name, "Test" | "Testing.Test")
        })
    }

    /// The visibility by the words before a declaration, or else by its place.
    fn visibility(&self, walker: &mut Walker<'_>) -> Visibility {
        if walker.in_function() {
            return Visibility::Private;
        }
        let mark = walker.scope().mark;
        self.visibility.unwrap_or(match mark {
            mark if mark & PRIVATE_MEMBERS != 0 => Visibility::Private,
            mark if mark & PUBLIC_MEMBERS != 0 => Visibility::Public,
            _ => Visibility::Internal,
        })
    }

    /// Records the declaration, whose signature ends at a byte.
    fn define<'t>(&self, walker: &mut Walker<'t>, kind: SymbolKind, name: Node<'t>, node: Node<'t>, end: usize) -> u32 {
        let visibility = self.visibility(walker);
        walker.define(Draft {
            name: Draftee::Named(name, bare_name(walker.text(name))),
            signature: (self.start, end),
            doc: walker.doc_above(node.start_byte(), &DOCS),
            visibility,
            modifiers: self.modifiers,
            decorators: self.decorators.clone(),
            ..Draft::new(kind, name, node)
        })
    }
}

/// A name without the signs that keep it from being a keyword.
fn bare_name(name: &str) -> &str {
    name.trim_matches('`')
}

/// Where the signature of a declaration ends.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(path) = child_of_kind(node, &["identifier"]) else {
        return Flow::Descend;
    };
    let path: String = walker.text(path).split_whitespace().collect();
    let head = Head::of(walker, node);
    let flags = if head.decorators.contains(&"_exported") {
        ImportFlags::REEXPORT
    } else {
        0
    };
    // `import class A.B` names one declaration, `import A` all of them.
    let names_one = node
        .children()
        .skip_while(|child| child.kind() != "import")
        .nth(1)
        .is_some_and(|word| word.kind() != "identifier");
    match path.rsplit_once('.') {
        Some((module, name)) if names_one => walker.import(node, module, name, name, flags),
        _ => walker.import(node, &path, "*", "*", flags),
    }
    Flow::Descend
}

fn declare_type<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(word), Some(name)) = (
        node.child_by_field_name("declaration_kind"),
        node.child_by_field_name("name"),
    ) else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let kind = match word.kind() {
        "struct" => SymbolKind::Struct,
        "enum" => SymbolKind::Enum,
        "extension" => return extension(walker, name, &head),
        _ => SymbolKind::Class,
    };
    let visibility = head.visibility(walker);
    let base = child_of_kind(node, &["inheritance_specifier"]).map_or("", |base| walker.text(base));
    let mut mark = match visibility {
        Visibility::Private => PRIVATE_MEMBERS,
        Visibility::Public if kind == SymbolKind::Enum => PUBLIC_CASES,
        _ => 0,
    };
    if kind == SymbolKind::Class && base.ends_with("TestCase") {
        mark |= TEST_CASE;
    }
    let definition = head.define(walker, kind, name, node, body_start(node));
    walker.open_marked(definition, mark);
    Flow::Descend
}

/// The members of an extension are those of the type it extends.
fn extension(walker: &mut Walker<'_>, name: Node<'_>, head: &Head<'_>) -> Flow {
    let mark = match head.visibility {
        Some(Visibility::Public) => PUBLIC_MEMBERS,
        Some(Visibility::Private) => PRIVATE_MEMBERS,
        _ => 0,
    };
    let owner = match name.kind() {
        "array_type" => "Array".to_owned(),
        "dictionary_type" => "Dictionary".to_owned(),
        "optional_type" => "Optional".to_owned(),
        _ => {
            let parts = children_of_kind(name, &["type_identifier"]);
            let parts: Vec<&str> = parts.iter().map(|part| bare_name(walker.text(*part))).collect();
            if parts.is_empty() {
                walker.text(name).to_owned()
            } else {
                parts.join(".")
            }
        }
    };
    walker.open_named(&owner, SymbolKind::Class, mark);
    Flow::Descend
}

fn protocol<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let mark = match head.visibility(walker) {
        Visibility::Public => PUBLIC_MEMBERS,
        Visibility::Private => PRIVATE_MEMBERS,
        _ => 0,
    };
    let definition = head.define(walker, SymbolKind::Interface, name, node, body_start(node));
    walker.open_marked(definition, mark);
    Flow::Descend
}

/// The cases that share one `case`.
fn enum_entry<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut head = Head::of(walker, node);
    if walker.scope().mark & PUBLIC_CASES != 0 {
        head.visibility = Some(Visibility::Public);
    }
    for name in node.children_by_field_name("name") {
        head.define(walker, SymbolKind::EnumMember, name, node, node.end_byte());
    }
    Flow::Descend
}

/// Whether what stands here belongs to a type.
fn in_type(walker: &Walker<'_>) -> bool {
    walker.enclosing_kind().is_type()
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    if has_child(node, "async") {
        head.modifiers.insert(Modifier::Async);
    }
    let kind = if head.is_test() || is_xctest(walker, node, name) {
        SymbolKind::Test
    } else if in_type(walker) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let definition = head.define(walker, kind, name, node, body_start(node));
    walker.open(definition);
    Flow::Descend
}

/// Whether a function is a method that XCTest runs. The base of a class may derive from `XCTestCase` elsewhere.
fn is_xctest(walker: &mut Walker<'_>, node: Node<'_>, name: Node<'_>) -> bool {
    let in_class = walker.enclosing_kind() == SymbolKind::Class;
    let mark = walker.scope().mark;
    in_class
        && (mark & TEST_CASE != 0 || walker.role.test)
        && walker.text(name).starts_with("test")
        && !has_child(node, "parameter")
}

fn initializer<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    define_callable(walker, node, name, SymbolKind::Constructor, body_start(node))
}

fn deinitializer<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["deinit"]) else {
        return Flow::Descend;
    };
    define_callable(walker, node, name, SymbolKind::Method, body_start(node))
}

fn macro_declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["simple_identifier"]) else {
        return Flow::Descend;
    };
    let end = node
        .child_by_field_name("definition")
        .map_or(node.end_byte(), |definition| definition.start_byte());
    define_callable(walker, node, name, SymbolKind::Macro, end)
}

fn define_callable<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>, kind: SymbolKind, end: usize) -> Flow {
    let mut head = Head::of(walker, node);
    if has_child(node, "async") {
        head.modifiers.insert(Modifier::Async);
    }
    let definition = head.define(walker, kind, name, node, end);
    walker.open(definition);
    Flow::Descend
}

fn subscript<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = child_of_kind(node, &["subscript"]) else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    let accessors = child_of_kind(node, &["computed_property"]);
    if let Some(accessors) = accessors {
        add_accessors(&mut head.modifiers, accessors);
    }
    let end = accessors.map_or(node.end_byte(), |accessors| accessors.start_byte());
    let definition = head.define(walker, SymbolKind::Method, name, node, end);
    walker.open(definition);
    Flow::Descend
}

/// Says which ways through a property have code of their own.
fn add_accessors(modifiers: &mut Modifiers, accessors: Node<'_>) {
    modifiers.insert(Modifier::Getter);
    if child_of_kind(accessors, &["computed_setter", "computed_modify"]).is_some() {
        modifiers.insert(Modifier::Setter);
    }
}

/// A variable or constant of a module or a type: stored, computed, or a closure.
fn property<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let value = node.child_by_field_name("value");
    let closure = value.filter(|value| value.kind() == "lambda_literal");
    let in_type = in_type(walker);
    let is_local = !in_type && !at_module_level(walker);
    let names = pattern_names(node);
    if is_local && (closure.is_none() || names.len() != 1) {
        return Flow::Descend;
    }
    let mut head = Head::of(walker, node);
    let is_constant = binds_constants(node);
    let computed = node.child_by_field_name("computed_value");
    let (kind, end) = if let Some(computed) = computed {
        head.modifiers.insert(Modifier::Property);
        add_accessors(&mut head.modifiers, computed);
        (callable(in_type), computed.start_byte())
    } else if let (Some(closure), 1) = (closure, names.len()) {
        (callable(in_type), closure_head_end(node, closure))
    } else {
        let is_static = [Modifier::Static, Modifier::Classmethod]
            .iter()
            .any(|word| head.modifiers.contains(*word));
        let kind = match (in_type, is_constant) {
            (true, true) if is_static => SymbolKind::Constant,
            (true, _) => SymbolKind::Field,
            (false, true) => SymbolKind::Constant,
            (false, false) => SymbolKind::Static,
        };
        let is_readonly = is_constant
            || child_of_kind(node, &["protocol_property_requirements"])
                .is_some_and(|requirements| !has_child(requirements, "setter_specifier"));
        if kind == SymbolKind::Field && is_readonly {
            head.modifiers.insert(Modifier::Readonly);
        }
        let observers = child_of_kind(node, &["willset_didset_block"]);
        (kind, observers.map_or(node.end_byte(), |block| block.start_byte()))
    };
    for name in &names {
        let definition = head.define(walker, kind, *name, node, end);
        if names.len() == 1 {
            match closure {
                Some(closure) => walker.claim(closure, definition),
                None => walker.open(definition),
            }
        }
    }
    Flow::Descend
}

fn callable(in_type: bool) -> SymbolKind {
    if in_type {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    }
}

/// Whether a declaration stands at the top of the file, not in a block of statements there.
fn at_module_level(walker: &Walker<'_>) -> bool {
    walker.enclosing_kind() == SymbolKind::Module
        && walker
            .parent()
            .is_none_or(|parent| parent.kind() == "source_file" || parent.is_error())
}

/// Whether a declaration says `let`.
fn binds_constants(node: Node<'_>) -> bool {
    child_of_kind(node, &["value_binding_pattern"])
        .and_then(|binding| binding.child_by_field_name("mutability"))
        .is_some_and(|word| word.kind() == "let")
}

/// The names that a declaration binds, those in tuples included.
fn pattern_names(node: Node<'_>) -> Vec<Node<'_>> {
    let mut waiting: Vec<Node<'_>> = node.children_by_field_name("name").collect();
    waiting.retain(|name| name.kind() == "pattern");
    waiting.reverse();
    let mut names = Vec::new();
    while let Some(pattern) = waiting.pop() {
        if names.len() >= MAX_PATTERN {
            break;
        }
        if pattern.kind() == "simple_identifier" {
            names.push(pattern);
            continue;
        }
        if let Some(name) = pattern.child_by_field_name("bound_identifier") {
            names.push(name);
            continue;
        }
        let mut inner = children_of_kind(pattern, &["pattern", "simple_identifier"]);
        inner.reverse();
        waiting.append(&mut inner);
    }
    names
}

/// Where the signature of a closure with a name ends: before the `=` where its type is said, or else after its parameters.
fn closure_head_end(node: Node<'_>, closure: Node<'_>) -> usize {
    let is_typed = has_child(node, "type_annotation");
    match closure.child_by_field_name("type").filter(|_| !is_typed) {
        Some(parameters) => parameters.end_byte(),
        None => child_of_kind(node, &["="]).map_or(closure.start_byte(), |sign| sign.start_byte()),
    }
}

/// What runs when a stored property changes.
fn observer<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_recorded = matches!(walker.enclosing_kind(), SymbolKind::Field | SymbolKind::Static);
    let Some(name) = child_of_kind(node, &["willSet", "didSet"]).filter(|_| is_recorded) else {
        return Flow::Descend;
    };
    let end = child_of_kind(node, &["{"]).map_or(node.end_byte(), |body| body.start_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        visibility: Visibility::Private,
        doc: walker.doc_above(node.start_byte(), &DOCS),
        ..Draft::new(SymbolKind::Method, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

fn type_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let head = Head::of(walker, node);
        head.define(walker, SymbolKind::TypeAlias, name, node, node.end_byte());
    }
    Flow::Descend
}

fn closure<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => {
            let head = node
                .child_by_field_name("type")
                .map_or((node.start_byte(), node.start_byte()), |parameters| {
                    (parameters.start_byte(), parameters.end_byte())
                });
            walker.define(Draft {
                signature: head,
                ..Draft::anonymous(SymbolKind::Function, "lambda", node)
            })
        }
    };
    walker.open(definition);
    Flow::Descend
}

fn switch_entry(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if !has_child(node, "default_keyword") {
        walker.decisions(1 + u32::from(has_child(node, "where_keyword")));
    }
    Flow::Descend
}

fn is_test_file(path: &RepoPath) -> bool {
    let is_tests = |name: &str| {
        ["Tests", "Test", "Spec", "Specs"]
            .iter()
            .any(|word| name.ends_with(word))
    };
    let directories = path.directory();
    directories
        .split('/')
        .any(|part| is_tests(part) || matches!(part, "tests" | "test"))
        || path.file_name().strip_suffix(".swift").is_some_and(is_tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&SWIFT, source)
    }

    #[test]
    fn test_files() {
        for (path, expected) in [
            ("Tests/AppTests/Helper.swift", true),
            ("AppUITests/Launch.swift", true),
            ("Sources/App/ModelTests.swift", true),
            ("Sources/App/Attest.swift", false),
            ("Sources/Testing/Model.swift", false),
        ] {
            let path = RepoPath::new(path).expect("the path is relative");
            assert_eq!(is_test_file(&path), expected, "{path}");
        }
    }

    #[test]
    fn conditions_may_split_anything() {
        let source = "class A {\n  func f(x: Int) {\n    switch x {\n    #if B\n    case 1: break\n    #endif\n    \
            case 2: break\n    default: break\n    }\n  }\n}\n#if C\nclass D: E {\n#else\nclass D: F {\n#endif\n  func g() {}\n}\n";
        let expected = ["class A 0", "method A.f 3", "class D 0", "method D.g 1"];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn what_a_property_holds_belongs_to_it() {
        let source = "struct S {\n  var a = make { $0 ? 1 : 2 }\n  lazy var b: B = { if x {} }()\n  \
            var c = 0 { didSet { if c > 1 { run { } } } }\n}\nfunc f() { var d = 0 { didSet { if d > 1 {} } } }\n";
        let expected = [
            "struct S 0",
            "field S.a 0",
            "function S.a.<lambda1> 2",
            "field S.b 0",
            "function S.b.<lambda1> 2",
            "field S.c 0",
            "method S.c.didSet 2",
            "function S.c.didSet.<lambda1> 1",
            "function f 2",
        ];
        assert_eq!(outline(source), expected);
    }
}
