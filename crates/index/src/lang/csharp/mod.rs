//! C#: definitions, attributes, XML documentation, `using` directives, and how namespaces name modules.

mod flow;
mod preprocessor;
mod xml_doc;

use lore_model::{Definition, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::Root;
use crate::syntax::Node;

pub(crate) static CSHARP: Language = Language {
    name: "csharp",
    dialect: "csharp",
    extensions: &["cs", "csx"],
    interpreters: &["dotnet-script", "csharp"],
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    blank: preprocessor::blank,
    rules: &[
        ("comment", Rule::Comment),
        ("verbatim_string_literal", Rule::Text),
        ("raw_string_literal", Rule::Text),
        ("interpolated_string_expression", Rule::Text),
        ("compilation_unit", Rule::Visit(compilation_unit)),
        ("namespace", Rule::Visit(lost_namespace)),
        ("namespace_declaration", Rule::Visit(namespace)),
        ("file_scoped_namespace_declaration", Rule::Visit(file_namespace)),
        ("using_directive", Rule::Visit(using)),
        ("extern_alias_directive", Rule::Visit(extern_alias)),
        ("class_declaration", Rule::Visit(class)),
        ("record_declaration", Rule::Visit(record)),
        ("struct_declaration", Rule::Visit(structure)),
        ("interface_declaration", Rule::Visit(interface)),
        ("enum_declaration", Rule::Visit(enumeration)),
        ("enum_member_declaration", Rule::Visit(enum_member)),
        ("delegate_declaration", Rule::Visit(delegate)),
        ("parameter", Rule::Visit(record_parameter)),
        ("variable_declarator", Rule::Visit(variable)),
        ("property_declaration", Rule::Visit(property)),
        ("indexer_declaration", Rule::Visit(indexer)),
        ("event_declaration", Rule::Visit(event)),
        ("accessor_declaration", Rule::Visit(accessor)),
        ("method_declaration", Rule::Visit(method)),
        ("local_function_statement", Rule::Visit(local_function)),
        ("constructor_declaration", Rule::Visit(constructor)),
        ("destructor_declaration", Rule::Visit(destructor)),
        ("operator_declaration", Rule::Visit(operator)),
        ("conversion_operator_declaration", Rule::Visit(operator)),
        ("lambda_expression", Rule::Visit(lambda)),
        ("anonymous_method_expression", Rule::Visit(lambda)),
        ("yield_statement", Rule::Visit(yields)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("foreach_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("catch_filter_clause", Rule::Decision),
        ("when_clause", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("switch_section", Rule::Visit(switch_section)),
        ("switch_expression_arm", Rule::Visit(switch_arm)),
        ("and_pattern", Rule::Decision),
        ("or_pattern", Rule::Decision),
        ("from_clause", Rule::Decision),
        ("join_clause", Rule::Decision),
        ("where_clause", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    inherits_constructors: false,
    ..Language::BASE
};

const DOCS: DocStyle = DocStyle {
    line: &["///"],
    block: &[("/**", "*/")],
    except: &["////"],
};

/// Characters of a namespace that are looked at where the parser lost it.
const MAX_NAMESPACE: usize = 200;

/// What stands before a declaration's own words.
struct Head<'s> {
    modifiers: Modifiers,
    visibility: Visibility,
    decorators: Vec<&'s str>,
    /// Where the declaration begins once its attributes are cut off.
    start: usize,
}

impl<'s> Head<'s> {
    fn of(walker: &Walker<'s>, node: Node<'_>) -> Self {
        let mut head = Self {
            modifiers: Modifiers::default(),
            visibility: match walker.enclosing_kind() {
                SymbolKind::Module | SymbolKind::Namespace => Visibility::Internal,
                SymbolKind::Interface | SymbolKind::Enum => Visibility::Public,
                _ => Visibility::Private,
            },
            decorators: Vec::new(),
            start: node.start_byte(),
        };
        let mut given = None;
        let mut start = None;
        for child in node.children() {
            match child.kind() {
                "comment" => {}
                "attribute_list" => head.add_attributes(walker, child),
                "modifier" => {
                    start.get_or_insert(child.start_byte());
                    let word = walker.text(child);
                    given = visibility_with(given, word);
                    if let Some(modifier) = Modifier::from_name(word) {
                        head.modifiers.insert(modifier);
                    }
                }
                "explicit_interface_specifier" => {
                    // Everybody who holds the interface can call it.
                    given = Some(Visibility::Public);
                    break;
                }
                _ => {
                    start.get_or_insert(child.start_byte());
                }
            }
        }
        head.start = start.unwrap_or(head.start);
        head.visibility = given.unwrap_or(head.visibility);
        head
    }

    fn add_attributes(&mut self, walker: &Walker<'s>, list: Node<'_>) {
        let mut start = None;
        for child in list.named_children() {
            match child.kind() {
                // `return: NotNull` speaks of something else than the declaration, and says so.
                "attribute_target_specifier" => start = Some(child.start_byte()),
                "attribute" => {
                    let start = start.unwrap_or(child.start_byte());
                    self.decorators.push(walker.slice(start, child.end_byte()));
                }
                _ => {}
            }
        }
    }

    /// Whether an attribute of NUnit, xUnit or MSTest makes a method a test.
    fn is_test(&self) -> bool {
        self.decorators.iter().any(|decorator| {
            let name = decorator.split('(').next().unwrap_or("").trim_end();
            let last = name.rsplit('.').next().unwrap_or(name);
            let last = last.strip_suffix("Attribute").unwrap_or(last);
            matches!(
                last,
                "Test" | "TestCase" | "TestCaseSource" | "TestMethod" | "DataTestMethod" | "UnityTest"
            ) || last.ends_with("Fact")
                || last.ends_with("Theory")
        })
    }

    /// Records the declaration, whose signature ends at a byte.
    fn define(self, walker: &mut Walker<'_>, kind: SymbolKind, name: Draftee<'_>, node: Node<'_>, end: usize) -> u32 {
        let doc = walker.doc_above(node.start_byte(), &DOCS);
        let end = before_directive(walker, self.start, end);
        walker.define(Draft {
            name,
            signature: (self.start, end),
            doc: doc.map(|doc| xml_doc::plain(&doc)),
            visibility: self.visibility,
            modifiers: self.modifiers,
            decorators: self.decorators,
            ..Draft::new(kind, node, node)
        })
    }
}

/// Where a signature ends that a directive cuts in two: what it leaves out, or in, is not for us to say.
fn before_directive(walker: &Walker<'_>, start: usize, end: usize) -> usize {
    let signature = walker.slice(start, end);
    let mut ends = signature.match_indices('\n').map(|(at, _)| at);
    let directive = ends.find(|at| signature[at + 1..].trim_start_matches([' ', '\t']).starts_with('#'));
    directive.map_or(end, |at| start + at)
}

/// What a visibility becomes by one more word: `protected internal` and `private protected` both reach what derives.
fn visibility_with(given: Option<Visibility>, word: &str) -> Option<Visibility> {
    let word = match word {
        "public" => Visibility::Public,
        "protected" => Visibility::Protected,
        "internal" => Visibility::Internal,
        "private" | "file" => Visibility::Private,
        _ => return given,
    };
    match given {
        Some(Visibility::Protected) => given,
        _ => Some(word),
    }
}

/// Where the signature of a declaration ends.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

/// A name without the white space that may stand in it.
fn compact(name: &str) -> String {
    name.split_whitespace().collect()
}

/// A file whose types all stand in one namespace belongs to the module of that name.
fn compilation_unit(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mut only: Option<String> = None;
    // What follows a `namespace X;` is in it.
    let is_file_wide = has_child(node, "file_scoped_namespace_declaration");
    for child in node.named_children() {
        match child.kind() {
            "namespace_declaration" | "file_scoped_namespace_declaration" => {
                let Some(name) = child.child_by_field_name("name") else {
                    continue;
                };
                let name = compact(walker.text(name));
                if *only.get_or_insert_with(|| name.clone()) != name {
                    return Flow::Descend;
                }
            }
            "using_directive" | "extern_alias_directive" | "global_attribute" | "comment" | "ERROR" => {}
            kind if kind.starts_with("preproc") || is_file_wide => {}
            _ => return Flow::Descend,
        }
    }
    if let Some(name) = only {
        set_package(walker, &name);
    }
    Flow::Descend
}

fn set_package(walker: &mut Walker<'_>, name: &str) {
    if walker.facts.package.is_empty() && walker.facts.definitions.is_empty() {
        walker.facts.package = walker.facts.text.push(name);
    }
}

/// A `namespace` whose braces the parser could not match still names the module.
fn lost_namespace(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker.parent().is_some_and(|parent| parent.is_error()) {
        let end = node.end_byte();
        let rest = walker.source.get(end..).unwrap_or("").trim_start();
        let is_part = |letter: &char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let name: String = rest.chars().take(MAX_NAMESPACE).take_while(is_part).collect();
        if !name.is_empty() {
            set_package(walker, &name);
        }
    }
    Flow::Descend
}

fn file_namespace(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let name = compact(walker.text(name));
        set_package(walker, &name);
    }
    Flow::Descend
}

fn namespace(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name_node) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let full = compact(walker.text(name_node));
    let is_package = walker.scopes.len() == 1 && walker.facts.text.get(walker.facts.package) == full;
    if !is_package {
        let (owner, name) = full.rsplit_once('.').unwrap_or(("", &full));
        let doc = walker.doc_above(node.start_byte(), &DOCS);
        let definition = walker.define(Draft {
            name: Draftee::Named(name_node, name),
            owner,
            signature: (node.start_byte(), body_start(node)),
            doc: doc.map(|doc| xml_doc::plain(&doc)),
            ..Draft::new(SymbolKind::Namespace, name_node, node)
        });
        walker.open(definition);
    }
    Flow::Descend
}

/// A `using` binds all names of a namespace, all static members of a type, or one name.
fn using(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let alias = node.child_by_field_name("name");
    let target = node
        .named_children()
        .filter(|child| child.kind() != "comment" && Some(*child) != alias)
        .last();
    let Some(target) = target else {
        return Flow::Descend;
    };
    let path = compact(walker.text(target));
    let path = path.strip_prefix("global::").unwrap_or(&path);
    match alias {
        None => walker.import(node, path, "*", "*", 0),
        Some(alias) => {
            let local = walker.text(alias);
            let plain = path.split(['<', '(', '[']).next().unwrap_or(path);
            let (module, name) = match plain.rsplit_once('.') {
                Some((module, _)) => (module, path.get(module.len() + 1..).unwrap_or(path)),
                None => ("", path),
            };
            walker.import(node, module, name, local, 0);
        }
    }
    Flow::Descend
}

fn extern_alias(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let name = walker.text(name);
        walker.import(node, name, "", name, 0);
    }
    Flow::Descend
}

fn class(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Class, Modifiers::default())
}

fn structure(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Struct, Modifiers::default())
}

fn interface(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Interface, Modifiers::default())
}

fn enumeration(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::Enum, Modifiers::default())
}

fn record(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let kind = if has_child(node, "struct") {
        SymbolKind::Struct
    } else {
        SymbolKind::Class
    };
    declare_type(walker, node, kind, Modifiers::default().with(Modifier::Record))
}

fn delegate(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    declare_type(walker, node, SymbolKind::TypeAlias, Modifiers::default())
}

fn declare_type(walker: &mut Walker<'_>, node: Node<'_>, kind: SymbolKind, modifiers: Modifiers) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    head.modifiers.0 |= modifiers.0;
    let definition = head.define(walker, kind, Draftee::Node(name), node, body_start(node));
    walker.open(definition);
    Flow::Descend
}

fn enum_member(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
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

/// A parameter of a record is a property of it.
fn record_parameter(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let owner = walker.ancestors().nth(1);
    if owner.is_some_and(|owner| owner.kind() == "record_declaration")
        && let Some(name) = node.child_by_field_name("name")
    {
        let mut head = Head::of(walker, node);
        head.visibility = Visibility::Public;
        head.modifiers = Modifiers::default().with(Modifier::Property);
        head.define(walker, SymbolKind::Field, Draftee::Node(name), node, node.end_byte());
    }
    Flow::Descend
}

/// A variable that a type declares: a field, a constant or an event.
fn variable(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let declaration = walker
        .ancestors()
        .nth(1)
        .filter(|owner| matches!(owner.kind(), "field_declaration" | "event_field_declaration"));
    let (Some(declaration), Some(name)) = (declaration, node.child_by_field_name("name")) else {
        return Flow::Descend;
    };
    let head = Head::of(walker, declaration);
    let has = |modifier| head.modifiers.contains(modifier);
    let fixed = has(Modifier::Const) || (has(Modifier::Static) && has(Modifier::Readonly));
    let kind = if fixed { SymbolKind::Constant } else { SymbolKind::Field };
    let definition = head.define(walker, kind, Draftee::Node(name), declaration, declaration.end_byte());
    walker.open(definition);
    Flow::Descend
}

fn property(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    match node.child_by_field_name("name") {
        Some(name) => declare_property(walker, node, name, Modifiers::default().with(Modifier::Property)),
        None => Flow::Descend,
    }
}

fn indexer(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    match child_of_kind(node, &["this"]) {
        Some(name) => declare_property(walker, node, name, Modifiers::default().with(Modifier::Property)),
        None => Flow::Descend,
    }
}

fn event(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    match node.child_by_field_name("name") {
        Some(name) => declare_property(walker, node, name, Modifiers::default()),
        None => Flow::Descend,
    }
}

/// What has accessors. Those without a body are part of the signature, for they say what may be done with it.
fn declare_property(walker: &mut Walker<'_>, node: Node<'_>, name: Node<'_>, modifiers: Modifiers) -> Flow {
    let end = match node.child_by_field_name("accessors") {
        Some(accessors) => {
            let has_bodies = accessors
                .named_children()
                .any(|accessor| accessor.child_by_field_name("body").is_some());
            if has_bodies {
                accessors.start_byte()
            } else {
                node.end_byte()
            }
        }
        None => node
            .child_by_field_name("value")
            .map_or(node.end_byte(), |value| value.start_byte()),
    };
    let mut head = Head::of(walker, node);
    head.modifiers.0 |= modifiers.0;
    let definition = head.define(walker, SymbolKind::Field, Draftee::Node(name), node, end);
    walker.open(definition);
    Flow::Descend
}

/// An accessor with a body is a method of its property.
fn accessor(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body")) else {
        return Flow::Descend;
    };
    let property = walker.scope().definition;
    let mut head = Head::of(walker, node);
    let says_so =
        child_of_kind(node, &["modifier"]).is_some_and(|word| visibility_with(None, walker.text(word)).is_some());
    if !says_so && let Some(property) = walker.facts.definitions.get(property as usize) {
        head.visibility = Definition::visibility(property);
    }
    match walker.text(name) {
        "get" => head.modifiers.insert(Modifier::Getter),
        "set" | "init" => head.modifiers.insert(Modifier::Setter),
        _ => {}
    }
    let definition = head.define(walker, SymbolKind::Method, Draftee::Node(name), node, body.start_byte());
    walker.open(definition);
    Flow::Descend
}

fn method(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let head = Head::of(walker, node);
    let kind = if head.is_test() {
        SymbolKind::Test
    } else if matches!(walker.enclosing_kind(), SymbolKind::Module | SymbolKind::Namespace) {
        SymbolKind::Function
    } else {
        SymbolKind::Method
    };
    let definition = head.define(walker, kind, Draftee::Node(name), node, body_start(node));
    walker.open(definition);
    Flow::Descend
}

fn local_function(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    head.visibility = Visibility::Private;
    let definition = head.define(
        walker,
        SymbolKind::Function,
        Draftee::Node(name),
        node,
        body_start(node),
    );
    walker.open(definition);
    Flow::Descend
}

fn constructor(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    // What it hands to another constructor is no part of its signature.
    let end = child_of_kind(node, &["constructor_initializer"])
        .map_or_else(|| body_start(node), |initializer| initializer.start_byte());
    let head = Head::of(walker, node);
    let definition = head.define(walker, SymbolKind::Constructor, Draftee::Node(name), node, end);
    walker.open(definition);
    Flow::Descend
}

fn destructor(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let (Some(tilde), Some(name)) = (child_of_kind(node, &["~"]), node.child_by_field_name("name")) else {
        return Flow::Descend;
    };
    let name = format!("~{}", walker.text(name));
    let head = Head::of(walker, node);
    let definition = head.define(
        walker,
        SymbolKind::Method,
        Draftee::Named(tilde, &name),
        node,
        body_start(node),
    );
    walker.open(definition);
    Flow::Descend
}

/// `operator+`, or `operator int` where it converts.
fn operator(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let symbol = node
        .child_by_field_name("operator")
        .or_else(|| node.child_by_field_name("type"));
    let (Some(word), Some(symbol)) = (child_of_kind(node, &["operator"]), symbol) else {
        return Flow::Descend;
    };
    let symbol = compact(walker.text(symbol));
    let space = if symbol.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
        " "
    } else {
        ""
    };
    let checked = if has_child(node, "checked") { " checked" } else { "" };
    let name = format!("operator{checked}{space}{symbol}");
    let head = Head::of(walker, node);
    let definition = head.define(
        walker,
        SymbolKind::Method,
        Draftee::Named(word, &name),
        node,
        body_start(node),
    );
    walker.open(definition);
    Flow::Descend
}

fn lambda(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let end = node
        .child_by_field_name("parameters")
        .map_or(node.end_byte(), |parameters| parameters.end_byte());
    let is_async = child_of_kind(node, &["modifier"]).is_some_and(|word| walker.text(word) == "async");
    let mut draft = Draft::anonymous(SymbolKind::Function, "lambda", node);
    draft.signature = (node.start_byte(), end);
    if is_async {
        draft.modifiers.insert(Modifier::Async);
    }
    let definition = walker.define(draft);
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

fn switch_section(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if !has_child(node, "default") {
        walker.decision();
    }
    Flow::Descend
}

/// An arm of a switch expression; `_` is the default one.
fn switch_arm(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let pattern = node.named_child(0);
    if pattern.is_none_or(|pattern| walker.text(pattern) != "_") {
        walker.decision();
    }
    Flow::Descend
}

/// The namespace of the file; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}

/// A test stands in a project or a directory of tests, or in a file named after what it tests.
fn is_test_file(path: &RepoPath) -> bool {
    let is_tests = |part: &str| {
        let last = part.rsplit('.').next().unwrap_or(part);
        last.eq_ignore_ascii_case("test")
            || last.eq_ignore_ascii_case("tests")
            || last.ends_with("Tests")
            || last.ends_with("UnitTest")
    };
    let stem = path.file_name().rsplit_once('.').map_or("", |(stem, _)| stem);
    path.directory().split('/').any(is_tests) || stem.ends_with("Test") || stem.ends_with("Tests")
}
