//! R: functions, the classes of its object systems, roxygen comments, packages that are attached, and tests of testthat.

mod flow;

use lore_model::{Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, preface};
use crate::language::{Flow, Language, Rule};
use crate::layout::has_directory;
use crate::syntax::Node;

pub(crate) static R: Language = Language {
    name: "r",
    dialect: "r",
    extensions: &["r"],
    file_names: &[".Rprofile", "Rprofile.site"],
    interpreters: &["Rscript", "littler"],
    separator: "::",
    grammar: || tree_sitter_r::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("program", Rule::Visit(program)),
        ("binary_operator", Rule::Visit(assignment)),
        ("call", Rule::Visit(call)),
        ("argument", Rule::Visit(argument)),
        ("function_definition", Rule::Visit(function)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("repeat_statement", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    ..Language::BASE
};

/// Comments that roxygen reads.
const ROXYGEN: DocStyle = DocStyle {
    line: &["#'"],
    block: &[],
    except: &[],
};

/// Other comments, which count where there are none for roxygen.
const PLAIN: DocStyle = DocStyle {
    line: &["##", "#"],
    block: &[],
    except: &[
        "#!", "####", "# ---", "#---", "## ---", "##---", "# ===", "#===", "# nolint", "#'",
    ],
};

/// Marks the scope of a call that makes a class and names its parts: `public = list(…)`, `fields = c(…)`.
const CLASS: u32 = 1;
/// Marks the scope of a call that makes a class and lists its members at once.
const MEMBERS: u32 = 2;
/// Marks a list of members that are private.
const PRIVATE: u32 = 4;
/// Marks a list of members that are read like fields.
const ACTIVE: u32 = 8;
/// Marks a list of fields and their types.
const FIELDS: u32 = 16;
/// Marks a list of nothing but methods.
const METHODS: u32 = 32;

fn program<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let documented = |below: Node<'_>| matches!(below.kind(), "binary_operator" | "call");
    if let Some(doc) = preface(walker, node, &PLAIN, &["comment"], documented) {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

fn visibility(walker: &Walker<'_>, name: &str) -> Visibility {
    if name.starts_with('.') || walker.in_function() {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// What is said above a byte: for roxygen, or else to the reader.
fn doc_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let Some(doc) = walker.doc_above(byte, &ROXYGEN) else {
        return walker.doc_above(byte, &PLAIN);
    };
    let prose = ["@title", "@description"].iter().find_map(|tag| doc.strip_prefix(tag));
    match prose {
        Some(prose) => Some(prose.trim_start().to_owned()),
        // Tags alone (`@rdname f`, `@export`) say nothing.
        None => (!doc.starts_with('@')).then_some(doc),
    }
}

/// The two sides of an assignment: where to, and what.
fn sides<'t>(node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let operator = node.child_by_field_name("operator")?;
    let (left, right) = (node.child_by_field_name("lhs")?, node.child_by_field_name("rhs")?);
    match operator.kind() {
        "<-" | "<<-" | "=" | ":=" => Some((left, right)),
        "->" | "->>" => Some((right, left)),
        _ => None,
    }
}

/// The text of a string without its quotes, or of a name without its backticks.
fn bare<'t>(walker: &Walker<'t>, node: Node<'t>) -> &'t str {
    if node.kind() == "string" {
        let content = node.child_by_field_name("content");
        return content.map_or("", |content| walker.text(content));
    }
    let text = walker.text(node);
    text.strip_prefix('`')
        .and_then(|text| text.strip_suffix('`'))
        .unwrap_or(text)
}

/// Where a name stands: inside its quotes.
fn content(name: Node<'_>) -> Node<'_> {
    name.child_by_field_name("content").unwrap_or(name)
}

/// The name of the function that a call calls, without its package.
fn called<'t>(walker: &Walker<'t>, call: Node<'t>) -> &'t str {
    let Some(function) = call.child_by_field_name("function") else {
        return "";
    };
    match function.kind() {
        "identifier" => walker.text(function),
        "namespace_operator" => function.child_by_field_name("rhs").map_or("", |name| walker.text(name)),
        _ => "",
    }
}

/// The arguments of a call, each a name, which may be missing, and a value.
fn arguments<'t>(walker: &Walker<'t>, call: Node<'t>) -> Vec<(&'t str, Node<'t>)> {
    let Some(list) = call.child_by_field_name("arguments") else {
        return Vec::new();
    };
    list.children_by_field_name("argument")
        .filter_map(|argument| {
            let name = argument
                .child_by_field_name("name")
                .map_or("", |name| bare(walker, name));
            Some((name, argument.child_by_field_name("value")?))
        })
        .collect()
}

/// The argument with a name, or else the one without at a place.
fn argument_at<'t>(arguments: &[(&str, Node<'t>)], name: &str, place: usize) -> Option<Node<'t>> {
    let named = arguments.iter().find(|(own, _)| *own == name && !name.is_empty());
    let placed = arguments.iter().filter(|(own, _)| own.is_empty()).nth(place);
    named.or(placed).map(|(_, value)| *value)
}

/// How a call makes a class.
struct ClassCall<'t> {
    /// The name that it is given as a text.
    name: Option<Node<'t>>,
    /// Whether it goes by the name of the variable it is assigned to.
    by_variable: bool,
    mark: u32,
}

impl<'t> ClassCall<'t> {
    fn of(walker: &Walker<'t>, call: Node<'t>) -> Option<Self> {
        if call.kind() != "call" {
            return None;
        }
        let (argument, by_variable, mark) = match called(walker, call) {
            "R6Class" => ("classname", true, CLASS),
            "setRefClass" => ("Class", false, CLASS),
            "setClass" => ("Class", false, CLASS),
            "new_class" => ("name", true, CLASS),
            "ggproto" => ("_class", true, MEMBERS),
            _ => return None,
        };
        let name = argument_at(&arguments(walker, call), argument, 0).filter(|name| name.kind() == "string");
        Some(Self {
            name,
            by_variable,
            mark,
        })
    }
}

fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some((target, value)) = sides(node) else {
        return Flow::Descend;
    };
    if let Some(class) = ClassCall::of(walker, value) {
        let name = match class.name {
            Some(name) if !class.by_variable => Some(name),
            name => Some(target)
                .filter(|target| matches!(target.kind(), "identifier" | "string"))
                .or(name),
        };
        if let Some(name) = name {
            define_class(walker, node, value, name);
            return Flow::Descend;
        }
    }
    match target.kind() {
        "identifier" | "string" if value.kind() == "function_definition" => {
            define_function(walker, node, target, value, "");
        }
        "identifier" | "string" => variable(walker, node, target, value),
        "extract_operator" if value.kind() == "function_definition" => {
            if let (Some(owner), Some(name)) = (target.child_by_field_name("lhs"), target.child_by_field_name("rhs")) {
                let owner = walker.text(owner).replace(['$', '@'], "::");
                define_function(walker, node, name, value, &owner);
            }
        }
        "subset2" if value.kind() == "function_definition" => {
            // `x[["name"]] <- function(…)`.
            let owner = target
                .child_by_field_name("function")
                .filter(|owner| owner.kind() == "identifier");
            let name = argument_at(&arguments(walker, target), "", 0).filter(|name| name.kind() == "string");
            if let (Some(owner), Some(name)) = (owner, name) {
                define_function(walker, node, name, value, walker.text(owner));
            }
        }
        "call" if called(walker, target) == "method" && value.kind() == "function_definition" => {
            // `method(generic, class) <- function(…)` of S7.
            let arguments = arguments(walker, target);
            if let (Some(generic), Some(class)) = (argument_at(&arguments, "", 0), argument_at(&arguments, "", 1)) {
                define_method(walker, node, generic, bare(walker, class), Some(value));
            }
        }
        _ => {}
    }
    Flow::Descend
}

/// Where the declaration of a function ends.
fn body_start(function: Node<'_>) -> usize {
    function
        .child_by_field_name("body")
        .map_or(function.end_byte(), |body| body.start_byte())
}

fn define_function<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>, function: Node<'t>, owner: &str) {
    let text = bare(walker, name);
    // `function(…) … -> f` has its value first.
    let end = if function.start_byte() > name.start_byte() {
        body_start(function)
    } else {
        node.end_byte()
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(content(name), text),
        signature: (node.start_byte(), end),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, text),
        owner,
        ..Draft::new(SymbolKind::Function, name, node)
    });
    walker.claim(function, definition);
}

/// A variable of the file, once.
fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>, target: Node<'t>, value: Node<'t>) {
    let name = bare(walker, target);
    let made_elsewhere = value.kind() == "call" && matches!(called(walker, value), "setGeneric" | "setClassUnion");
    if walker.enclosing_kind() != SymbolKind::Module || made_elsewhere || !walker.scope().seen.insert(name.to_owned()) {
        return;
    }
    let is_upper = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
    walker.define(Draft {
        name: Draftee::Named(content(target), name),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, name),
        ..Draft::new(
            if is_upper {
                SymbolKind::Constant
            } else {
                SymbolKind::Static
            },
            target,
            node,
        )
    });
}

fn define_class<'t>(walker: &mut Walker<'t>, node: Node<'t>, call: Node<'t>, name: Node<'t>) {
    let text = bare(walker, name);
    let definition = walker.define(Draft {
        name: Draftee::Named(content(name), text),
        signature: (node.start_byte(), class_signature_end(walker, call)),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, text),
        ..Draft::new(SymbolKind::Class, name, node)
    });
    walker.claim(call, definition);
}

/// Where the part of a call that names a class and its parents ends: before the first argument that lists members.
fn class_signature_end(walker: &Walker<'_>, call: Node<'_>) -> usize {
    let Some(list) = call.child_by_field_name("arguments") else {
        return call.end_byte();
    };
    let mut end = list.start_byte();
    for argument in list.children_by_field_name("argument") {
        let name = argument
            .child_by_field_name("name")
            .map_or("", |name| bare(walker, name));
        let is_short = argument.start_position().row == argument.end_position().row;
        if !matches!(name, "" | "inherit" | "contains" | "classname" | "Class" | "parent") || !is_short {
            return end;
        }
        end = argument.end_byte();
    }
    list.end_byte()
}

fn define_method<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>, class: &str, function: Option<Node<'t>>) {
    let text = bare(walker, name);
    let definition = walker.define(Draft {
        name: Draftee::Named(content(name), text),
        signature: (node.start_byte(), function.map_or(node.end_byte(), body_start)),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, text),
        owner: class,
        ..Draft::new(SymbolKind::Method, name, node)
    });
    if let Some(function) = function {
        walker.claim(function, definition);
    }
}

fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(class) = ClassCall::of(walker, node) {
        if !walker.is_claimed(node)
            && let Some(name) = class.name
        {
            define_class(walker, node, node, name);
        }
        if let Some(definition) = walker.claimed(node) {
            walker.open_marked(definition, class.mark);
        }
        return Flow::Descend;
    }
    match called(walker, node) {
        "library" | "require" => attach(walker, node),
        "source" => {
            let file = argument_at(&arguments(walker, node), "file", 0).filter(|file| file.kind() == "string");
            if let Some(file) = file {
                walker.import(node, bare(walker, file), "*", "*", 0);
            }
        }
        "assign" => {
            let arguments = arguments(walker, node);
            let name = argument_at(&arguments, "x", 0).filter(|name| name.kind() == "string");
            let value = argument_at(&arguments, "value", 1).filter(|value| value.kind() == "function_definition");
            if let (Some(name), Some(value)) = (name, value) {
                define_function(walker, node, name, value, "");
            }
        }
        "setGeneric" => generic(walker, node),
        "setMethod" | "setReplaceMethod" => method(walker, node),
        "setClassUnion" => {
            let name = argument_at(&arguments(walker, node), "name", 0).filter(|name| name.kind() == "string");
            if let Some(name) = name {
                walker.define(Draft {
                    name: Draftee::Named(content(name), bare(walker, name)),
                    doc: doc_above(walker, node.start_byte()),
                    ..Draft::new(SymbolKind::TypeAlias, name, node)
                });
            }
        }
        "test_that" => test(walker, node, SymbolKind::Test),
        "it" if walker.role.test => test(walker, node, SymbolKind::Test),
        "describe" if walker.role.test => test(walker, node, SymbolKind::Namespace),
        // Its variables are its own.
        "local" => walker.open_named("", SymbolKind::Namespace, 0),
        "switch" => {
            let cases = arguments_named(node, |_| true);
            walker.decisions(cases);
        }
        "tryCatch" => {
            let source = walker.source;
            let handlers = arguments_named(node, |name| {
                !matches!(source.get(name.start_byte()..name.end_byte()), Some("expr" | "finally"))
            });
            walker.decisions(handlers);
        }
        "" => more_methods(walker, node),
        _ => {}
    }
    Flow::Descend
}

/// How many arguments of a call have a name that counts; they need no value.
fn arguments_named(call: Node<'_>, counts: impl Fn(Node<'_>) -> bool) -> u32 {
    let Some(list) = call.child_by_field_name("arguments") else {
        return 0;
    };
    let names = list
        .children_by_field_name("argument")
        .filter_map(|argument| argument.child_by_field_name("name"));
    names.filter(|name| counts(*name)).count() as u32
}

/// `library(package)`: everything that the package exports gets a name here.
fn attach<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let arguments = arguments(walker, node);
    let computed = arguments.iter().any(|(name, _)| *name == "character.only");
    let Some(package) = argument_at(&arguments, "package", 0) else {
        return;
    };
    if matches!(package.kind(), "identifier" | "string") && !(computed && package.kind() == "identifier") {
        walker.import(node, bare(walker, package), "*", "*", 0);
    }
}

/// `setGeneric("name", function(…) …)`.
fn generic<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let arguments = arguments(walker, node);
    let Some(name) = argument_at(&arguments, "name", 0).filter(|name| name.kind() == "string") else {
        return;
    };
    let function = argument_at(&arguments, "def", 1).filter(|value| value.kind() == "function_definition");
    let text = bare(walker, name);
    let definition = walker.define(Draft {
        name: Draftee::Named(content(name), text),
        signature: (node.start_byte(), function.map_or(node.end_byte(), body_start)),
        doc: doc_above(walker, node.start_byte()),
        visibility: visibility(walker, text),
        ..Draft::new(SymbolKind::Function, name, node)
    });
    if let Some(function) = function {
        walker.claim(function, definition);
    }
}

/// `setMethod("generic", "Class", function(…) …)`: a method of the first class that the signature names.
fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let arguments = arguments(walker, node);
    let Some(name) = argument_at(&arguments, "f", 0).filter(|name| matches!(name.kind(), "string" | "identifier"))
    else {
        return;
    };
    let class = argument_at(&arguments, "signature", 1).and_then(first_string);
    let class = class.map_or("", |class| bare(walker, class));
    let function = arguments
        .iter()
        .map(|(_, value)| *value)
        .find(|value| value.kind() == "function_definition");
    define_method(walker, node, name, class, function);
}

/// The first string of a value: itself, or that of a call such as `signature(x = "A")`.
fn first_string(value: Node<'_>) -> Option<Node<'_>> {
    if value.kind() == "string" {
        return Some(value);
    }
    let list = value.child_by_field_name("arguments")?;
    list.children_by_field_name("argument")
        .filter_map(|argument| argument.child_by_field_name("value"))
        .find(|value| value.kind() == "string")
}

/// `test_that("title", { … })` and its like.
fn test<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) {
    let arguments = arguments(walker, node);
    let Some(title) = argument_at(&arguments, "desc", 0).filter(|title| title.kind() == "string") else {
        return;
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(content(title), bare(walker, title)),
        signature: (node.start_byte(), title.end_byte()),
        doc: walker.doc_above(node.start_byte(), &PLAIN),
        ..Draft::new(kind, title, node)
    });
    walker.open(definition);
}

/// `Generator$methods(name = function(…) …)` adds methods to a reference class.
fn more_methods<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let function = node
        .child_by_field_name("function")
        .filter(|function| function.kind() == "extract_operator");
    let sides = function.and_then(|function| {
        let owner = function
            .child_by_field_name("lhs")
            .filter(|owner| owner.kind() == "identifier")?;
        Some((owner, function.child_by_field_name("rhs")?))
    });
    if let Some((owner, name)) = sides
        && walker.text(name) == "methods"
    {
        walker.open_named(walker.text(owner), SymbolKind::Class, METHODS);
    }
}

/// An argument of a call that makes a class: a list of members, or a member.
fn argument<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mark = walker.scope().mark;
    let Some(value) = node.child_by_field_name("value").filter(|_| mark != 0) else {
        return Flow::Descend;
    };
    let name = node.child_by_field_name("name");
    if mark == CLASS {
        let part = match name.map_or_else(|| called(walker, value), |name| bare(walker, name)) {
            "public" => MEMBERS,
            "private" => MEMBERS | PRIVATE,
            "active" => MEMBERS | ACTIVE,
            "fields" | "slots" | "representation" | "properties" => FIELDS,
            "methods" => METHODS,
            _ => 0,
        };
        walker.open_named("", SymbolKind::Class, part);
        return Flow::Descend;
    }
    match name {
        Some(name) => member(walker, node, name, value, mark),
        None if mark & FIELDS != 0 && value.kind() == "string" => member(walker, node, value, value, mark),
        None => {}
    }
    Flow::Descend
}

fn member<'t>(walker: &mut Walker<'t>, node: Node<'t>, name: Node<'t>, value: Node<'t>, mark: u32) {
    let text = bare(walker, name);
    let function = Some(value).filter(|value| value.kind() == "function_definition" && mark & FIELDS == 0);
    let kind = match function {
        Some(_) if text == "initialize" => SymbolKind::Constructor,
        Some(_) => SymbolKind::Method,
        None if mark & METHODS != 0 => return,
        None => SymbolKind::Field,
    };
    let mut modifiers = Modifiers::default();
    if mark & ACTIVE != 0 {
        modifiers.insert(Modifier::Property);
    }
    let visibility = if mark & PRIVATE != 0 || text.starts_with('.') {
        Visibility::Private
    } else {
        Visibility::Public
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(content(name), text),
        signature: (node.start_byte(), function.map_or(node.end_byte(), body_start)),
        doc: doc_above(walker, node.start_byte()),
        visibility,
        modifiers,
        ..Draft::new(kind, name, node)
    });
    match function {
        Some(function) => walker.claim(function, definition),
        None => walker.open(definition),
    }
}

fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => walker.define(Draft {
            signature: (node.start_byte(), body_start(node)),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    walker.open(definition);
    Flow::Descend
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    has_directory(path, &["test", "tests", "testthat", "tinytest"])
        || ["test-", "test_", "test.", "runit"]
            .iter()
            .any(|start| name.starts_with(start))
}
