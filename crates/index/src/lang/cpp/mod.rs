//! C++: what it adds to C: namespaces, classes, members, templates, operators, lambdas, modules.

use std::borrow::Cow;

use lore_model::{Definition, Modifier, RepoPath, SymbolKind, Visibility};

use super::c::{self, FIELDS, Head, Made, Name, PRIVATE, PROTECTED, declared};
use crate::extract::{Draft, Walker, child_of_kind, children_of_kind, has_child};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::Root;
use crate::syntax::Node;

pub(crate) static CPP: Language = Language {
    name: "cpp",
    dialect: "cpp",
    extensions: &[
        "cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "tcc", "txx", "inl", "ixx", "cppm",
    ],
    disputed: &["h"],
    likeness: |text| if c::has_classes(text) { 20 } else { 5 },
    separator: "::",
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    blank: |source| c::readable(source, c::Dialect::Cpp),
    rules: &[
        ("comment", Rule::Visit(c::comment)),
        ("string_literal", Rule::Text),
        ("raw_string_literal", Rule::Text),
        ("namespace_definition", Rule::Visit(namespace)),
        ("namespace_alias_definition", Rule::Visit(namespace_alias)),
        ("using_declaration", Rule::Visit(using)),
        ("alias_declaration", Rule::Visit(alias)),
        ("concept_definition", Rule::Visit(concept)),
        ("template_instantiation", Rule::Leaf),
        ("function_definition", Rule::Visit(function)),
        ("declaration", Rule::Visit(declaration)),
        ("init_declarator", Rule::Visit(init_declarator)),
        ("type_definition", Rule::Visit(c::type_definition)),
        ("class_specifier", Rule::Visit(c::specifier)),
        ("struct_specifier", Rule::Visit(c::specifier)),
        ("union_specifier", Rule::Visit(c::specifier)),
        ("enum_specifier", Rule::Visit(c::specifier)),
        ("access_specifier", Rule::Visit(access)),
        ("field_declaration", Rule::Visit(field)),
        ("enumerator", Rule::Visit(c::enumerator)),
        ("lambda_expression", Rule::Visit(lambda)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("for_range_loop", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("conditional_expression", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("seh_except_clause", Rule::Decision),
        ("case_statement", Rule::Visit(c::case)),
        ("binary_expression", Rule::Visit(c::binary)),
    ],
    finish: c::finish,
    module_name,
    is_test_file: c::is_test_file,
    flow: Some(&c::flow::CPP_RULES),
    shares_names: "c",
    shares_modules: true,
    inherits_constructors: false,
    first_is_receiver: true,
    included_suffixes: &[".h", ".hpp", ".hh", ".hxx", ".inl", ".ipp", ".tpp", ".h++"],
    ..Language::BASE
};

/// Namespaces inside namespaces that anybody opens more than once.
const MAX_NAMESPACES: usize = 16;

/// A namespace, recorded where the file opens it first.
fn namespace<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mark = walker.scope().mark & PRIVATE;
    let Some(name) = node.child_by_field_name("name") else {
        // What has no name is nobody else's.
        walker.open_named("", SymbolKind::Namespace, PRIVATE);
        return Flow::Descend;
    };
    let parts: Vec<&str> = walker.text(name).split("::").map(plain_part).collect();
    let mut path: Vec<&str> = walker
        .ancestors()
        .filter(|around| around.kind() == "namespace_definition")
        .map(|around| around.child_by_field_name("name").map_or("", |name| walker.text(name)))
        .take(MAX_NAMESPACES + 1)
        .collect();
    path.reverse();
    path.extend(&parts);
    let whole = parts.join("::");
    let is_deep = path.len() > MAX_NAMESPACES;
    if !is_deep && !walker.scopes[0].seen.insert(path.join("::")) {
        walker.open_named(&whole, SymbolKind::Namespace, mark);
        return Flow::Descend;
    }
    let (owner, last) = whole.rsplit_once("::").unwrap_or(("", &whole));
    let last_byte = name.end_byte().saturating_sub(last.len());
    let name = Name {
        node: name,
        text: Cow::Owned(last.to_owned()),
        owner: owner.to_owned(),
    };
    let head = Head::of(walker, node);
    let definition = head.define(walker, SymbolKind::Namespace, &name, c::body_start(node));
    c::place_name(walker, definition, last_byte);
    // Its members belong to the name, which other files open too, not to this opening of it; unless their names would grow too long.
    if is_deep {
        walker.open_marked(definition, mark)
    } else {
        walker.open_named(&whole, SymbolKind::Namespace, mark)
    }
    Flow::Descend
}

/// A part of a nested namespace's name.
fn plain_part(part: &str) -> &str {
    let part = part.trim();
    part.strip_prefix("inline ").unwrap_or(part).trim_start()
}

/// `namespace fs = std::filesystem;`
fn namespace_alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let local = node.child_by_field_name("name");
    let target = children_of_kind(node, &["namespace_identifier", "nested_namespace_specifier"])
        .last()
        .copied();
    if let (Some(local), Some(target)) = (local, target) {
        let (local, target) = (walker.text(local), walker.text(target));
        walker.import(node, target, "", local, 0);
    }
    Flow::Skip
}

/// `using namespace std;`, `using std::string;` outside of classes.
fn using<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.scope().mark & FIELDS != 0 {
        return Flow::Skip;
    }
    let names = ["identifier", "qualified_identifier"];
    if has_child(node, "namespace") {
        if let Some(target) = child_of_kind(node, &names) {
            let target = squeezed(walker.text(target));
            walker.import(node, target.trim_start_matches("::"), "*", "*", 0);
        }
        return Flow::Skip;
    }
    for target in children_of_kind(node, &names) {
        let target = squeezed(walker.text(target));
        if let Some((module, name)) = target.trim_start_matches("::").rsplit_once("::") {
            walker.import(node, module, name, name, 0);
        }
    }
    Flow::Skip
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// `using Name = Type;`
fn alias<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    define_named(walker, node, SymbolKind::TypeAlias)
}

fn concept<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    define_named(walker, node, SymbolKind::Trait)
}

fn define_named<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) -> Flow {
    if let Some(name) = node.child_by_field_name("name") {
        let head = Head::of(walker, node);
        head.define(walker, kind, &Name::of(walker, name), node.end_byte());
    }
    Flow::Descend
}

/// `public:`, not the `public` before a base.
fn access(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if walker
        .parent()
        .is_none_or(|around| around.kind() == "base_class_clause")
    {
        return Flow::Skip;
    }
    let bits = match node.child(0).map(|word| word.kind()) {
        Some("private") => PRIVATE,
        Some("protected") => PROTECTED,
        _ => 0,
    };
    let scope = walker.scope();
    scope.mark = (scope.mark & !(PRIVATE | PROTECTED)) | bits;
    Flow::Skip
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.enclosing_kind().is_callable() {
        return Flow::Descend;
    }
    let Some(found) = node.child_by_field_name("declarator").and_then(declared) else {
        return Flow::Descend;
    };
    let mut head = Head::of(walker, node);
    let end = child_of_kind(node, &["field_initializer_list", "compound_statement", "try_statement"])
        .map_or(node.end_byte(), |after| after.start_byte());
    let definition = match Made::of(walker, node) {
        Some(made) => {
            let kind = if in_class(walker) {
                SymbolKind::Method
            } else {
                SymbolKind::Function
            };
            made.define(walker, head, kind, end)
        }
        None => {
            say_more(&mut head, walker, node, found.function);
            let name = Name::of(walker, found.name);
            let kind = if walker.role.test && c::is_test_name(&name.text) && !in_class(walker) {
                SymbolKind::Test
            } else {
                function_kind(walker, &name)
            };
            head.define(walker, kind, &name, end)
        }
    };
    walker.open(definition);
    Flow::Descend
}

fn in_class(walker: &mut Walker<'_>) -> bool {
    let is_friend = walker
        .parent()
        .is_some_and(|around| around.kind() == "friend_declaration");
    walker.scope().mark & FIELDS != 0 && !is_friend
}

/// Takes in the words around the parameters of a function.
fn say_more<'t>(head: &mut Head<'t>, walker: &Walker<'t>, node: Node<'t>, function: Option<Node<'t>>) {
    // `const int f()` returns what may not change; it is not itself so.
    if has_child(node, "pure_virtual_clause") {
        head.modifiers.insert(Modifier::Abstract);
    }
    if has_child(node, "default_method_clause") {
        head.modifiers.insert(Modifier::Default);
    }
    for word in function.map_or_else(Vec::new, |function| children_of_kind(function, &["virtual_specifier"])) {
        match walker.text(word) {
            "override" => head.modifiers.insert(Modifier::Override),
            "final" => head.modifiers.insert(Modifier::Final),
            _ => {}
        }
    }
}

/// What a function is by its name and what encloses it.
fn function_kind(walker: &mut Walker<'_>, name: &Name<'_>) -> SymbolKind {
    if !name.owner.is_empty() {
        let class = name.owner.rsplit("::").next().unwrap_or("");
        return if class == name.text {
            SymbolKind::Constructor
        } else if is_namespace(walker, &name.owner) {
            SymbolKind::Function
        } else {
            SymbolKind::Method
        };
    }
    if !in_class(walker) {
        return SymbolKind::Function;
    }
    if class_name(walker) == name.text {
        SymbolKind::Constructor
    } else {
        SymbolKind::Method
    }
}

/// Whether the file opens a namespace of this name.
fn is_namespace(walker: &Walker<'_>, name: &str) -> bool {
    let Some(file) = walker.scopes.first() else {
        return false;
    };
    file.seen.contains(name)
        || file
            .seen
            .iter()
            .any(|known| known.strip_suffix(name).is_some_and(|before| before.ends_with("::")))
}

/// The name of the class around the cursor.
fn class_name<'w>(walker: &'w Walker<'_>) -> &'w str {
    let innermost = walker.scopes.iter().rev().find_map(|scope| {
        let definition: Option<&Definition> = walker.facts.definitions.get(scope.definition as usize);
        definition
    });
    innermost.map_or("", |definition| walker.facts.text.get(definition.name))
}

/// Variables, prototypes, and in classes constructors and operators.
fn declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let around = walker.parent().map(|around| around.kind());
    if walker.enclosing_kind().is_callable()
        || around == Some("friend_declaration")
        || around == Some("condition_clause")
    {
        return Flow::Descend;
    }
    let head = Head::of(walker, node);
    let mut anonymous = c::anonymous_type(node);
    for declarator in node.children_by_field_name("declarator") {
        let Some(found) = declared(declarator) else {
            continue;
        };
        let mut head = head.clone();
        let name = Name::of(walker, found.name);
        let lambda = declarator
            .child_by_field_name("value")
            .filter(|value| value.kind() == "lambda_expression");
        let kind = match (found.function, lambda) {
            (Some(function), _) => {
                say_more(&mut head, walker, node, Some(function));
                head.modifiers.insert(Modifier::Declare);
                function_kind(walker, &name)
            }
            (None, Some(_)) => SymbolKind::Function,
            (None, None) => c::value_kind(walker, &mut head, &found),
        };
        let end = lambda.map_or(node.end_byte(), c::body_start);
        let definition = head.define(walker, kind, &name, end);
        if let Some(lambda) = lambda {
            walker.claim(lambda, definition);
        } else if let Some(anonymous) = anonymous.take() {
            walker.claim(anonymous, definition);
        }
    }
    Flow::Descend
}

/// A variable of a function that holds a lambda is a function inside it.
fn init_declarator<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let value = node
        .child_by_field_name("value")
        .filter(|value| value.kind() == "lambda_expression");
    let (Some(value), Some(found)) = (value, declared(node)) else {
        return Flow::Descend;
    };
    if walker.is_claimed(value) || !walker.enclosing_kind().is_callable() {
        return Flow::Descend;
    }
    let span = walker
        .parent()
        .filter(|around| around.kind() == "declaration")
        .unwrap_or(node);
    let definition = walker.define(Draft {
        signature: (span.start_byte(), c::body_start(value)),
        visibility: Visibility::Private,
        ..Draft::new(SymbolKind::Function, found.name, span)
    });
    walker.claim(value, definition);
    Flow::Descend
}

fn lambda<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => walker.define(Draft {
            signature: (node.start_byte(), c::body_start(node)),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

/// Fields, and methods that are defined elsewhere.
fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if walker.scope().mark & FIELDS == 0 {
        return Flow::Descend;
    }
    let head = Head::of(walker, node);
    let mut anonymous = c::anonymous_type(node);
    for declarator in node.children_by_field_name("declarator") {
        let Some(found) = declared(declarator) else {
            continue;
        };
        let mut head = head.clone();
        let Some(function) = found.function else {
            let is_fixed = head.modifiers.contains(Modifier::Static) && c::is_const_value(walker, &head, &found);
            let kind = if is_fixed {
                SymbolKind::Constant
            } else {
                SymbolKind::Field
            };
            c::define_field(walker, node, head, found, kind, &mut anonymous);
            continue;
        };
        say_more(&mut head, walker, node, Some(function));
        let is_pure = node
            .child_by_field_name("default_value")
            .is_some_and(|value| walker.text(value) == "0");
        head.modifiers
            .insert(if is_pure { Modifier::Abstract } else { Modifier::Declare });
        let name = Name::of(walker, found.name);
        let kind = function_kind(walker, &name);
        head.define(walker, kind, &name, node.end_byte());
    }
    c::absorb(walker, anonymous);
    Flow::Descend
}

/// The module that the file declares; without one, its path.
fn module_name(_: &[Root], path: &RepoPath, package: &str) -> String {
    match package {
        "" => module_of_path(path),
        package => package.to_owned(),
    }
}
