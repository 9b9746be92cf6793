//! Objective-C: what it adds to C: interfaces, implementations, categories, protocols, properties, methods, blocks.

mod flow;

use std::borrow::Cow;

use lore_model::{Modifier, RepoPath, SymbolKind, Visibility};

use super::c::{self, Head, LOOSE, Name, PRIVATE, PROTECTED, declared};
use crate::extract::{Draft, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static OBJECTIVEC: Language = Language {
    name: "objectivec",
    dialect: "objectivec",
    extensions: &["mm"],
    disputed: &["m", "h"],
    likeness,
    separator: ".",
    grammar: || tree_sitter_objc::LANGUAGE.into(),
    blank: |source| c::readable(source, c::Dialect::ObjectiveC),
    rules: &[
        ("comment", Rule::Visit(c::comment)),
        ("string_literal", Rule::Text),
        ("module_import", Rule::Visit(import)),
        ("class_interface", Rule::Visit(interface)),
        ("class_implementation", Rule::Visit(implementation)),
        ("protocol_declaration", Rule::Visit(protocol)),
        ("qualified_protocol_interface_declaration", Rule::Visit(requirement)),
        ("instance_variables", Rule::Visit(instance_variables)),
        ("visibility_specification", Rule::Visit(visibility)),
        ("struct_declaration", Rule::Visit(variable)),
        ("property_declaration", Rule::Visit(property)),
        ("method_declaration", Rule::Visit(method)),
        ("method_definition", Rule::Visit(method)),
        ("function_definition", Rule::Visit(c::function)),
        ("declaration", Rule::Visit(declaration)),
        ("init_declarator", Rule::Visit(init_declarator)),
        ("block_literal", Rule::Visit(block)),
        ("type_definition", Rule::Visit(c::type_definition)),
        ("struct_specifier", Rule::Visit(c::specifier)),
        ("union_specifier", Rule::Visit(c::specifier)),
        ("enum_specifier", Rule::Visit(c::specifier)),
        ("field_declaration", Rule::Visit(c::field)),
        ("enumerator", Rule::Visit(c::enumerator)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("case_statement", Rule::Visit(c::case)),
        ("binary_expression", Rule::Visit(c::binary)),
    ],
    finish: c::finish,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    shares_names: "c",
    ..Language::BASE
};

/// Marks the scope of a class that is only declared.
const DECLARED: u32 = 16;
/// Marks the scope of a protocol's members that may be absent.
const OPTIONAL: u32 = 32;
/// Marks the variables of an instance.
const VARIABLES: u32 = 64;
/// Marks the scope of a class of tests.
const TESTS: u32 = 128;

/// Classes of Objective-C are only here. C++ outdoes a mere `#import`, and C claims headers without one; what else is left is C in a `.m`.
fn likeness(text: &str) -> u8 {
    match () {
        () if c::has_objects(text) => 30,
        () if c::imports_objects(text) => 15,
        () if c::is_c_like(text) => 5,
        () => 0,
    }
}

/// `@import Module;`
fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let path = walker.text(node).trim_start_matches("@import");
    let path: String = path.trim_end_matches(';').split_whitespace().collect();
    walker.import(node, &path, "*", "*", 0);
    Flow::Skip
}

/// The name of an interface, implementation or protocol.
fn name_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    child_of_kind(node, &["identifier"])
}

/// Where the head of an interface or protocol ends: before the first of its members.
fn head_end(walker: &Walker<'_>, node: Node<'_>) -> usize {
    let mut end = node.start_byte();
    for child in node.children() {
        match child.kind() {
            "identifier"
            | "protocol_reference_list"
            | "parameterized_arguments"
            | "generic_arguments"
            | ":"
            | "("
            | ")"
            | "@interface"
            | "@protocol"
            | "attribute_specifier" => end = child.end_byte(),
            "comment" => {}
            _ => break,
        }
    }
    // The protocols may be hidden from the grammar.
    let rest = walker.slice(end, node.end_byte());
    let protocols = rest.trim_start();
    match protocols.find('>').filter(|_| protocols.starts_with('<')) {
        Some(close) => end + (rest.len() - protocols.len()) + close + 1,
        None => end,
    }
}

/// Whether a class is one of tests, by its name or that of the class above it.
fn holds_tests(walker: &Walker<'_>, node: Node<'_>) -> bool {
    let ends = |name: &str| {
        ["TestCase", "Tests", "Test", "Spec"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    let above = node.child_by_field_name("superclass");
    name_of(node).is_some_and(|name| ends(walker.text(name))) || above.is_some_and(|above| ends(walker.text(above)))
}

/// An interface defines a class; a category adds to one that is defined elsewhere.
fn interface<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = name_of(node) else {
        return Flow::Descend;
    };
    let mut mark = LOOSE | DECLARED;
    if has_child(node, "(") {
        // A category without a name is the class's own business.
        if node.child_by_field_name("category").is_none() {
            mark |= PRIVATE;
        }
        walker.open_named(walker.text(name), SymbolKind::Class, mark);
        return Flow::Descend;
    }
    let head = Head::of(walker, node);
    let name = Name::of(walker, name);
    let end = head_end(walker, node);
    let definition = head.define(walker, SymbolKind::Class, &name, end);
    walker.open_marked(definition, mark);
    Flow::Descend
}

/// What stands in an implementation belongs to the class, which its interface defines.
fn implementation<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = name_of(node) {
        let tests = if holds_tests(walker, node) { TESTS } else { 0 };
        walker.open_named(walker.text(name), SymbolKind::Class, LOOSE | tests);
    }
    Flow::Descend
}

fn protocol<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(name) = name_of(node) {
        let head = Head::of(walker, node);
        let name = Name::of(walker, name);
        let end = head_end(walker, node);
        let definition = head.define(walker, SymbolKind::Interface, &name, end);
        walker.open_marked(definition, LOOSE);
    }
    Flow::Descend
}

/// `@optional` and `@required`
fn requirement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let is_optional = node.child(0).is_some_and(|word| word.kind() == "@optional");
    let mark = walker.scope().mark & !OPTIONAL | if is_optional { OPTIONAL } else { 0 };
    walker.open_named("", SymbolKind::Interface, mark);
    Flow::Descend
}

fn instance_variables<'t>(walker: &mut Walker<'t>, _: Node<'t>) -> Flow {
    walker.open_named("", SymbolKind::Class, VARIABLES | PROTECTED);
    Flow::Descend
}

/// `@private`
fn visibility<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let bits = match walker.text(node) {
        "@private" => PRIVATE,
        "@protected" => PROTECTED,
        _ => 0,
    };
    let scope = walker.scope();
    scope.mark = (scope.mark & !(PRIVATE | PROTECTED)) | bits;
    Flow::Skip
}

/// A variable of an instance.
fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.scope().mark & VARIABLES != 0 {
        let head = Head::of(walker, node);
        define_fields(walker, node, &head, node.end_byte());
    }
    Flow::Descend
}

/// Records what a declaration of fields declares.
fn define_fields<'t>(walker: &mut Walker<'t>, node: Node<'t>, head: &Head<'t>, end: usize) {
    for declarator in children_of_kind(node, &["struct_declarator"]) {
        if let Some(found) = declared(declarator) {
            let name = Name::of(walker, found.name);
            head.clone().define(walker, SymbolKind::Field, &name, end);
        }
    }
}

fn property<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut head = Head::of(walker, node);
    head.at_module = false;
    if walker.scope().mark & OPTIONAL != 0 {
        head.modifiers.insert(Modifier::Optional);
    }
    let attributes = child_of_kind(node, &["property_attributes_declaration"]);
    for attribute in attributes.map_or_else(Vec::new, |list| children_of_kind(list, &["property_attribute"])) {
        match walker.text(attribute) {
            "readonly" => head.modifiers.insert(Modifier::Readonly),
            "class" => head.modifiers.insert(Modifier::Static),
            _ => {}
        }
    }
    if let Some(declaration) = child_of_kind(node, &["struct_declaration", "atomic_declaration"]) {
        define_fields(walker, declaration, &head, node.end_byte());
    }
    Flow::Skip
}

/// A method, named by its selector.
fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some((selector, first)) = selector(walker, node) else {
        return Flow::Descend;
    };
    let mark = walker.scope().mark;
    let body = child_of_kind(node, &["compound_statement"]);
    let mut head = Head::of(walker, node);
    head.at_module = false;
    let is_static = node.child(0).is_some_and(|sign| sign.kind() == "+");
    if is_static {
        head.modifiers.insert(Modifier::Static);
    }
    if mark & OPTIONAL != 0 {
        head.modifiers.insert(Modifier::Optional);
    }
    if mark & DECLARED != 0 && body.is_none() {
        head.modifiers.insert(Modifier::Declare);
    }
    let is_test = body.is_some()
        && !is_static
        && (mark & TESTS != 0 || walker.role.test)
        && selector.starts_with("test")
        && !selector.contains(':');
    let kind = match &*selector {
        _ if is_test => SymbolKind::Test,
        _ if is_static => SymbolKind::Method,
        selector if makes(selector) => SymbolKind::Constructor,
        _ => SymbolKind::Method,
    };
    let name = Name {
        node: first,
        text: selector,
        owner: String::new(),
    };
    let end = body.map_or(node.end_byte(), |body| body.start_byte());
    let definition = head.define(walker, kind, &name, end);
    walker.open(definition);
    Flow::Descend
}

/// `init`, `initWithName:`
fn makes(selector: &str) -> bool {
    selector
        .strip_prefix("init")
        .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_lowercase()))
}

/// The selector of a method, and where it begins.
fn selector<'t>(walker: &Walker<'t>, node: Node<'t>) -> Option<(Cow<'t, str>, Node<'t>)> {
    let mut first = None;
    let mut pending = "";
    let mut selector = String::new();
    for child in node.children() {
        match child.kind() {
            "identifier" => {
                first.get_or_insert(child);
                pending = walker.text(child);
            }
            "method_parameter" => {
                first.get_or_insert(child);
                selector.push_str(std::mem::take(&mut pending));
                selector.push(':');
            }
            "compound_statement" => break,
            _ => {}
        }
    }
    let first = first?;
    let text = if selector.is_empty() {
        Cow::Borrowed(walker.text(first))
    } else {
        Cow::Owned(selector)
    };
    Some((text, first))
}

/// Variables and prototypes; a variable that holds a block is a function.
fn declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let blocks = node
        .children_by_field_name("declarator")
        .any(|declarator| held_block(declarator).is_some());
    if blocks {
        Flow::Descend
    } else {
        c::declaration(walker, node)
    }
}

/// The block that a variable is declared with.
fn held_block(declarator: Node<'_>) -> Option<Node<'_>> {
    declarator
        .child_by_field_name("value")
        .filter(|value| value.kind() == "block_literal")
}

fn init_declarator<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(held), Some(found)) = (held_block(node), declared(node)) else {
        return Flow::Descend;
    };
    let is_local = walker.in_function();
    let span = walker
        .parent()
        .filter(|around| around.kind() == "declaration")
        .unwrap_or(node);
    let mut head = Head::of(walker, span);
    if is_local {
        head.visibility = Visibility::Private;
    }
    let name = Name::of(walker, found.name);
    let definition = head.define(walker, SymbolKind::Function, &name, block_body(held));
    walker.claim(held, definition);
    Flow::Descend
}

/// Where the body of a block begins.
fn block_body(node: Node<'_>) -> usize {
    child_of_kind(node, &["compound_statement"]).map_or(node.end_byte(), |body| body.start_byte())
}

fn block<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => walker.define(Draft {
            signature: (node.start_byte(), block_body(node)),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

fn is_test_file(path: &RepoPath) -> bool {
    let stem = path.file_name().split('.').next().unwrap_or("");
    c::is_test_file(path) || ["Tests", "Spec", "TestCase"].iter().any(|end| stem.ends_with(end))
}
