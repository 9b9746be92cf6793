//! JavaScript with JSX: definitions in all their forms, exports of both module systems, tests by convention.
//!
//! TypeScript uses the same visitors; what exists only there stands in its own folder. What a value makes of the name it is given to
//! is in `assign`, how files import and export in `modules`.

mod assign;
pub(crate) mod entry_points;
mod flow;
mod modules;
mod resolve;

use lore_model::{DefinitionFlags, Modifier, Modifiers, SymbolKind, Visibility};

use crate::extract::{Draft, Draftee, Walker, clean_block_doc};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

use assign::{EXPORTED_OBJECT, Value};
pub(super) use assign::{assignment, object, pair, variable};
pub(super) use flow::RULES as FLOW;
pub(super) use modules::{export_statement, finish, import, is_test_file, module_name, roots};

pub(crate) static JAVASCRIPT: Language = Language {
    name: "javascript",
    dialect: "javascript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node", "nodejs"],
    minified: true,
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("html_comment", Rule::Comment),
        ("hash_bang_line", Rule::Leaf),
        ("template_string", Rule::Text),
        ("program", Rule::Visit(program)),
        ("function_declaration", Rule::Visit(function_declaration)),
        ("generator_function_declaration", Rule::Visit(function_declaration)),
        ("function_expression", Rule::Visit(function_expression)),
        ("generator_function", Rule::Visit(function_expression)),
        ("arrow_function", Rule::Visit(function_expression)),
        ("class_declaration", Rule::Visit(class)),
        ("class", Rule::Visit(class)),
        ("decorator", Rule::Visit(decorator)),
        ("method_definition", Rule::Visit(method)),
        ("field_definition", Rule::Visit(field)),
        ("variable_declarator", Rule::Visit(variable)),
        ("assignment_expression", Rule::Visit(assignment)),
        ("object", Rule::Visit(object)),
        ("pair", Rule::Visit(pair)),
        ("call_expression", Rule::Visit(call)),
        ("export_statement", Rule::Visit(export_statement)),
        ("import_statement", Rule::Visit(import)),
        ("if_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("for_in_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("do_statement", Rule::Decision),
        ("switch_case", Rule::Decision),
        ("catch_clause", Rule::Decision),
        ("ternary_expression", Rule::Decision),
        ("&&", Rule::Decision),
        ("||", Rule::Decision),
    ],
    finish,
    module_name,
    is_test_file,
    roots,
    entry_points: entry_points::ENTRY_POINTS,
    flow: Some(&FLOW),
    ..Language::BASE
};

/// Marks a scope that is a namespace by name but a function by nature: the body of a `describe`.
const TEST_BODY: u32 = 1;

/// A JSDoc block at the top that the first statement does not own is the module's.
pub(super) fn program<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let comment = node.children().find(|child| child.kind() != "hash_bang_line");
    if let Some(comment) = comment.filter(|child| child.kind() == "comment") {
        let text = walker.text(comment);
        let own_paragraph = walker
            .slice(comment.end_byte(), node.end_byte())
            .trim_start_matches([' ', '\r'])
            .starts_with("\n\n");
        if text.starts_with("/**") && (own_paragraph || text.contains("@module") || text.contains("@file")) {
            walker.module_doc(&clean_block_doc(text));
        }
    }
    Flow::Descend
}

/// The JSDoc block before a byte, with nothing but white space between; one that speaks of the file is not meant.
pub(super) fn doc_before(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let text = walker.last_comment_before(byte)?;
    let is_doc = text.starts_with("/**") && text.len() > 4;
    let is_of_file = ["@file", "@module", "@license", "@preserve"]
        .iter()
        .any(|tag| text.contains(tag));
    (is_doc && !is_of_file).then(|| clean_block_doc(text))
}

/// The statement that exports or declares the node under the cursor, or the node.
pub(super) fn outer_statement<'t>(walker: &Walker<'t>, node: Node<'t>) -> Node<'t> {
    walker
        .ancestors()
        .take_while(|parent| matches!(parent.kind(), "export_statement" | "ambient_declaration"))
        .last()
        .unwrap_or(node)
}

/// Whether names declared here belong to the module or to a namespace in it.
fn at_module_level(walker: &Walker<'_>) -> bool {
    !walker.in_function()
        && walker.scopes.iter().all(|scope| {
            matches!(scope.kind, SymbolKind::Module | SymbolKind::Namespace) && scope.mark & TEST_BODY == 0
        })
}

/// The visibility of a declaration by its place, and whether it is exported where it stands.
pub(super) fn module_visibility(walker: &Walker<'_>) -> (Visibility, u8) {
    if !at_module_level(walker) {
        return (Visibility::Private, 0);
    }
    let exported = walker
        .ancestors()
        .take(3)
        .any(|parent| parent.kind() == "export_statement");
    let nested = walker.scopes.len() > 1;
    match (exported, nested) {
        (true, _) => (Visibility::Public, DefinitionFlags::EXPORTED),
        // What an ambient declaration holds is there for everybody.
        (false, true) if walker.ancestors().any(|parent| parent.kind() == "ambient_declaration") => {
            (Visibility::Public, 0)
        }
        (false, true) => (Visibility::Private, 0),
        // Decided when the whole file is known.
        (false, false) => (Visibility::Public, 0),
    }
}

/// Adds `default` to what an `export default` exports.
pub(super) fn default_modifier(walker: &Walker<'_>, modifiers: &mut Modifiers) {
    let exporting = walker.parent().filter(|parent| parent.kind() == "export_statement");
    if exporting.is_some_and(is_default_export) {
        modifiers.insert(Modifier::Default);
    }
}

fn is_default_export(statement: Node<'_>) -> bool {
    statement.children().any(|child| child.kind() == "default")
}

/// The name that a property's node spells.
pub(super) fn property_name<'t>(walker: &Walker<'t>, name: Node<'_>) -> &'t str {
    let text = walker.text(name);
    let literal = match name.kind() {
        // `["name"]` is as fixed a name as any.
        "computed_property_name" => {
            let inner = text.trim_start_matches('[').trim_end_matches(']').trim();
            if inner.starts_with(['"', '\'']) { inner } else { text }
        }
        _ => text,
    };
    if literal.starts_with(['"', '\'']) {
        literal.trim_matches(['"', '\''])
    } else {
        literal
    }
}

/// The words before a member's name.
pub(super) fn member_modifiers(node: Node<'_>, name: Node<'_>) -> Modifiers {
    let mut modifiers = Modifiers::default();
    for child in node.children() {
        if child.start_byte() >= name.start_byte() {
            if child.kind() == "?" && child.start_byte() == name.end_byte() {
                modifiers.insert(Modifier::Optional);
            }
            if child.start_byte() > name.end_byte() {
                break;
            }
            continue;
        }
        match child.kind() {
            "static" => modifiers.insert(Modifier::Static),
            "abstract" => modifiers.insert(Modifier::Abstract),
            "async" => modifiers.insert(Modifier::Async),
            "readonly" => modifiers.insert(Modifier::Readonly),
            "override_modifier" => modifiers.insert(Modifier::Override),
            "declare" => modifiers.insert(Modifier::Declare),
            "get" => modifiers.insert(Modifier::Getter),
            "set" => modifiers.insert(Modifier::Setter),
            "*" => modifiers.insert(Modifier::Generator),
            // The JavaScript grammar writes `static get` as one token.
            "static get" => {
                modifiers.insert(Modifier::Static);
                modifiers.insert(Modifier::Getter);
            }
            _ => {}
        }
    }
    if node.kind() == "abstract_method_signature" {
        modifiers.insert(Modifier::Abstract);
    }
    modifiers
}

/// The visibility of a class member by its words and its name.
pub(super) fn class_member_visibility(walker: &Walker<'_>, node: Node<'_>, name: &str) -> Visibility {
    let word = node.children().find(|child| child.kind() == "accessibility_modifier");
    match word.map(|word| walker.text(word)) {
        Some("private") => Visibility::Private,
        Some("protected") => Visibility::Protected,
        Some(_) => Visibility::Public,
        None if name.starts_with(['#', '_']) => Visibility::Private,
        None => Visibility::Public,
    }
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "function_expression" | "generator_function" | "arrow_function"
    )
}

/// A value without the parentheses and type assertions around it.
fn bare(mut node: Node<'_>) -> Node<'_> {
    while matches!(
        node.kind(),
        "parenthesized_expression"
            | "as_expression"
            | "satisfies_expression"
            | "non_null_expression"
            | "type_assertion"
    ) {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

fn function_modifiers(node: Node<'_>) -> Modifiers {
    let mut modifiers = Modifiers::default();
    for child in node.children().take(3) {
        match child.kind() {
            "async" => modifiers.insert(Modifier::Async),
            "*" => modifiers.insert(Modifier::Generator),
            _ => {}
        }
    }
    modifiers
}

/// Where the declaration ends and the body begins.
fn body_start(node: Node<'_>) -> usize {
    node.child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte())
}

pub(super) fn function_declaration<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return function_expression(walker, node);
    };
    let mut modifiers = function_modifiers(node);
    if walker
        .parent()
        .is_some_and(|parent| parent.kind() == "ambient_declaration")
    {
        modifiers.insert(Modifier::Declare);
    }
    default_modifier(walker, &mut modifiers);
    let (visibility, flags) = module_visibility(walker);
    let outer = outer_statement(walker, node);
    let definition = walker.define(Draft {
        doc: doc_before(walker, outer.start_byte()),
        signature: (outer.start_byte(), body_start(node)),
        visibility,
        modifiers,
        flags,
        ..Draft::new(SymbolKind::Function, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// A function that stands where a value stands: claimed by a name, named by itself, a default export, or anonymous.
pub(super) fn function_expression<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        let mark = match walker
            .facts
            .definitions
            .get(definition as usize)
            .map(|definition| definition.kind())
        {
            Some(SymbolKind::Namespace) => TEST_BODY,
            _ => 0,
        };
        walker.open_marked(definition, mark);
        return Flow::Descend;
    }
    let modifiers = function_modifiers(node);
    let exporting = walker.parent().filter(|parent| parent.kind() == "export_statement");
    let definition = if let Some(statement) = exporting {
        let place = node.child(0).unwrap_or(node);
        let doc = doc_before(walker, statement.start_byte());
        walker.define(Draft {
            name: Draftee::Named(place, "default"),
            doc,
            signature: (statement.start_byte(), body_start(node)),
            modifiers: modifiers.with(Modifier::Default),
            flags: DefinitionFlags::EXPORTED,
            ..Draft::new(SymbolKind::Function, place, node)
        })
    } else if let Some(name) = node.child_by_field_name("name") {
        walker.define(Draft {
            signature: (node.start_byte(), body_start(node)),
            visibility: Visibility::Private,
            modifiers,
            ..Draft::new(SymbolKind::Function, name, node)
        })
    } else {
        walker.define(Draft {
            signature: (node.start_byte(), body_start(node)),
            modifiers,
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        })
    };
    walker.open(definition);
    Flow::Descend
}

/// Waits with a decorator for the member or class it stands before.
pub(super) fn decorator<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    walker
        .attributes
        .push((node.start_byte() as u32, node.end_byte() as u32));
    Flow::Descend
}

/// The decorators inside a node and those directly before it, and the byte at which the first stands.
fn decorators<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> (Vec<&'t str>, usize) {
    let (mut found, first) = walker.take_attributes(node.start_byte());
    let inside = node.children().take_while(|child| child.kind() == "decorator");
    found.extend(inside.map(|decorator| walker.text(decorator)));
    (
        found
            .into_iter()
            .map(|text| text.trim_start_matches('@').trim())
            .collect(),
        first,
    )
}

/// The first byte after the decorators that open a node.
fn after_decorators(node: Node<'_>) -> usize {
    node.children()
        .find(|child| child.kind() != "decorator")
        .map_or(node.start_byte(), |child| child.start_byte())
}

pub(super) fn class<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
        return Flow::Descend;
    }
    let mut modifiers = Modifiers::default();
    if node.kind() == "abstract_class_declaration" {
        modifiers.insert(Modifier::Abstract);
    }
    if walker
        .parent()
        .is_some_and(|parent| parent.kind() == "ambient_declaration")
    {
        modifiers.insert(Modifier::Declare);
    }
    default_modifier(walker, &mut modifiers);
    let outer = outer_statement(walker, node);
    let (mut decorators, mut first) = decorators(walker, node);
    if outer != node {
        let (before, start) = walker.take_attributes(outer.start_byte());
        decorators.splice(0..0, before.into_iter().map(|text| text.trim_start_matches('@').trim()));
        first = first.min(start);
        if decorators.is_empty() {
            let inside = outer.children().take_while(|child| child.kind() == "decorator");
            decorators.extend(inside.map(|decorator| walker.text(decorator).trim_start_matches('@').trim()));
        }
    }
    let start = if outer == node {
        after_decorators(node)
    } else {
        after_decorators(outer)
    };
    let signature = (start, body_start(node));
    let doc = doc_before(walker, outer.start_byte().min(first));
    let exporting = walker.parent().filter(|parent| parent.kind() == "export_statement");
    let draft = match (node.child_by_field_name("name"), exporting) {
        (Some(name), _) => {
            let is_statement = node.kind() != "class";
            let (visibility, flags) = if is_statement || exporting.is_some() {
                module_visibility(walker)
            } else {
                (Visibility::Private, 0)
            };
            Draft {
                visibility,
                flags,
                ..Draft::new(SymbolKind::Class, name, node)
            }
        }
        (None, Some(_)) => {
            let place = node.child(0).unwrap_or(node);
            Draft {
                name: Draftee::Named(place, "default"),
                flags: DefinitionFlags::EXPORTED,
                ..Draft::new(SymbolKind::Class, place, node)
            }
        }
        (None, None) => Draft::anonymous(SymbolKind::Class, "class", node),
    };
    let definition = walker.define(Draft {
        doc,
        signature,
        modifiers,
        decorators,
        ..draft
    });
    walker.open(definition);
    Flow::Descend
}

/// Whether a signature stands in the body of a class or interface, not in a type written inline.
pub(super) fn in_type_body(walker: &Walker<'_>) -> bool {
    match walker.parent().map(|parent| parent.kind()) {
        Some("class_body") => true,
        Some("interface_body" | "object_type") => walker
            .ancestors()
            .nth(1)
            .is_some_and(|owner| owner.kind() == "interface_declaration"),
        _ => false,
    }
}

/// A method of a class, an interface or an object literal.
pub(super) fn method<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    if node.kind() == "method_signature" && !in_type_body(walker) {
        return Flow::Descend;
    }
    let text = property_name(walker, name);
    let in_class = walker.enclosing_kind().is_type();
    walker.scope().seen.insert(text.to_owned());
    let (decorators, first) = decorators(walker, node);
    let visibility = class_member_visibility(walker, node, text);
    let exported = walker.scope().mark & EXPORTED_OBJECT != 0;
    let kind = match text {
        "constructor" if in_class => SymbolKind::Constructor,
        _ if exported => SymbolKind::Function,
        _ => SymbolKind::Method,
    };
    let doc = doc_before(walker, first);
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        doc,
        signature: (after_decorators(node), body_start(node)),
        visibility,
        modifiers: member_modifiers(node, name),
        decorators,
        flags: if exported { DefinitionFlags::EXPORTED } else { 0 },
        ..Draft::new(kind, name, node)
    });
    walker.open(definition);
    Flow::Descend
}

pub(super) fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let name = node
        .child_by_field_name("name")
        .or_else(|| node.child_by_field_name("property"));
    let Some(name) = name else { return Flow::Descend };
    let value = node.child_by_field_name("value").map_or(Value::Other, Value::of);
    let text = property_name(walker, name);
    walker.scope().seen.insert(text.to_owned());
    let (decorators, first) = decorators(walker, node);
    let doc = doc_before(walker, first);
    let mut modifiers = member_modifiers(node, name);
    modifiers.0 |= value.modifiers().0;
    let visibility = class_member_visibility(walker, node, text);
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        doc,
        signature: (after_decorators(node), value.signature_end(node.end_byte())),
        visibility,
        modifiers,
        decorators,
        ..Draft::new(value.kind(SymbolKind::Method, SymbolKind::Field), name, node)
    });
    value.claim(walker, definition);
    Flow::Descend
}

/// Tests and groups of tests are calls with a title and a function; `require` without a name is an import.
pub(super) fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(function), Some(arguments)) = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    ) else {
        return Flow::Descend;
    };
    if function.kind() == "member_expression" && walker.text(function) == "Object.defineProperty" {
        assign::define_property(walker, node, arguments);
        return Flow::Descend;
    }
    let Some(title) = arguments.named_child(0) else {
        return Flow::Descend;
    };
    if !matches!(title.kind(), "string" | "template_string") {
        return Flow::Descend;
    }
    if function.kind() == "identifier" && walker.text(function) == "require" {
        let bound = walker
            .parent()
            .is_some_and(|parent| parent.kind() == "variable_declarator");
        if !bound {
            let module = property_name(walker, title);
            walker.import(node, module, "", "", 0);
        }
        return Flow::Descend;
    }
    if !walker.role.test {
        return Flow::Descend;
    }
    let kind = match test_word(walker, function) {
        Some("it" | "test" | "specify") => SymbolKind::Test,
        Some("describe" | "suite" | "context") => SymbolKind::Namespace,
        _ => return Flow::Descend,
    };
    let Some(body) = arguments
        .named_children()
        .skip(1)
        .find(|argument| is_function(*argument))
    else {
        return Flow::Descend;
    };
    let name = walker.text(title).trim_matches(['"', '\'', '`']);
    let definition = walker.define(Draft {
        name: Draftee::Named(title, name),
        signature: (node.start_byte(), title.end_byte()),
        modifiers: function_modifiers(body),
        visibility: Visibility::Private,
        ..Draft::new(kind, title, node)
    });
    walker.claim(body, definition);
    Flow::Descend
}

/// The first word of `it`, `it.only`, `it.each(…)`.
fn test_word<'t>(walker: &Walker<'t>, function: Node<'t>) -> Option<&'t str> {
    let mut node = function;
    loop {
        match node.kind() {
            "identifier" => return Some(walker.text(node)),
            "member_expression" => {
                let property = walker.text(node.child_by_field_name("property")?);
                if !matches!(
                    property,
                    "only" | "skip" | "each" | "concurrent" | "failing" | "sequential" | "todo"
                ) {
                    return None;
                }
                node = node.child_by_field_name("object")?;
            }
            "call_expression" => node = node.child_by_field_name("function")?,
            _ => return None,
        }
    }
}
