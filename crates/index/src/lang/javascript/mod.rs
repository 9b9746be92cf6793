//! JavaScript with JSX: definitions in all their forms, exports of both module systems, tests by convention.
//!
//! TypeScript uses the same visitors; what exists only there stands in its own folder.

use std::sync::OnceLock;

use lore_model::{
    DefinitionFlags, FileFacts, ImportFlags, Modifier, Modifiers, NONE, RepoPath, SymbolKind, Visibility,
};
use tree_sitter::Node;

use crate::extract::{Draft, Draftee, Walker, clean_block_doc};
use crate::language::{Flow, Language, Role, Rule};
use crate::layout::{Root, has_directory};

pub(crate) static JAVASCRIPT: Language = Language {
    name: "javascript",
    dialect: "javascript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node", "nodejs"],
    minified: true,
    separator: ".",
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
    roots: |_| Vec::new(),
    module_name,
    is_test_file,
    declaration_suffixes: &[],
    table: OnceLock::new(),
};

/// Marks a scope that is a namespace by name but a function by nature: the body of a `describe`.
const TEST_BODY: u32 = 1;

/// A JSDoc block at the top that the first statement does not own is the module's.
pub(super) fn program<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut cursor = node.walk();
    let comment = node
        .children(&mut cursor)
        .find(|child| child.kind() != "hash_bang_line");
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

/// The JSDoc block directly before a byte.
pub(super) fn doc_before(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let (start, end) = walker.comments_before(byte).last()?;
    let text = walker.slice(*start as usize, *end as usize);
    (text.starts_with("/**") && text.len() > 4).then(|| clean_block_doc(text))
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
    let mut cursor = statement.walk();
    statement.children(&mut cursor).any(|child| child.kind() == "default")
}

/// The name that a property's node spells.
pub(super) fn property_name<'t>(walker: &Walker<'t>, name: Node<'_>) -> &'t str {
    let text = walker.text(name);
    match name.kind() {
        "string" => text.trim_matches(['"', '\'']),
        _ => text,
    }
}

/// The words before a member's name.
pub(super) fn member_modifiers(walker: &Walker<'_>, node: Node<'_>, name: Node<'_>) -> Modifiers {
    let mut modifiers = Modifiers::default();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
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
    let _ = walker;
    modifiers
}

/// The visibility of a class member by its words and its name.
pub(super) fn class_member_visibility(walker: &Walker<'_>, node: Node<'_>, name: &str) -> Visibility {
    let mut cursor = node.walk();
    let word = node
        .children(&mut cursor)
        .find(|child| child.kind() == "accessibility_modifier");
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
    let mut cursor = node.walk();
    for child in node.children(&mut cursor).take(3) {
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
        signature: (node.start_byte(), body_start(node)),
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
            signature: (node.start_byte(), body_start(node)),
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
    let mut cursor = node.walk();
    let inside = node
        .children(&mut cursor)
        .take_while(|child| child.kind() == "decorator");
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
    let mut cursor = node.walk();
    node.children(&mut cursor)
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
        let mut cursor = outer.walk();
        if decorators.is_empty() {
            let inside = outer
                .children(&mut cursor)
                .take_while(|child| child.kind() == "decorator");
            decorators.extend(inside.map(|decorator| walker.text(decorator).trim_start_matches('@').trim()));
        }
    }
    let signature = (after_decorators(node), body_start(node));
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
        modifiers: member_modifiers(walker, node, name),
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
    let Some(name) = name else {
        return Flow::Descend;
    };
    let value = node.child_by_field_name("value").map(bare);
    let function = value.filter(|value| is_function(*value));
    let text = property_name(walker, name);
    let (decorators, first) = decorators(walker, node);
    let doc = doc_before(walker, first);
    let mut modifiers = member_modifiers(walker, node, name);
    if let Some(function) = function {
        modifiers.0 |= function_modifiers(function).0;
    }
    let end = function.map_or(node.end_byte(), body_start);
    let visibility = class_member_visibility(walker, node, text);
    let kind = if function.is_some() {
        SymbolKind::Method
    } else {
        SymbolKind::Field
    };
    let definition = walker.define(Draft {
        name: Draftee::Named(name, text),
        doc,
        signature: (after_decorators(node), end),
        visibility,
        modifiers,
        decorators,
        ..Draft::new(kind, name, node)
    });
    match value {
        Some(value) if function.is_some() || matches!(value.kind(), "object" | "class") => {
            walker.claim(value, definition)
        }
        _ => {}
    }
    Flow::Descend
}

/// The statement and the declaration around a declarator, when it is the only one.
fn declaration_of<'t>(walker: &Walker<'t>, declarator: Node<'t>) -> Node<'t> {
    walker
        .parent()
        .filter(|parent| {
            matches!(parent.kind(), "lexical_declaration" | "variable_declaration") && parent.named_child_count() == 1
        })
        .unwrap_or(declarator)
}

pub(super) fn variable<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let value = node.child_by_field_name("value").map(bare);
    if let Some(module) = value.and_then(|value| required(walker, value)) {
        bind_required(walker, node, name, module);
        return Flow::Descend;
    }
    let in_loop = walker
        .ancestors()
        .nth(1)
        .is_some_and(|parent| matches!(parent.kind(), "for_statement" | "for_in_statement"))
        && walker
            .ancestors()
            .nth(1)
            .and_then(|parent| parent.child_by_field_name("body"))
            .is_none_or(|body| body.start_byte() > node.start_byte());
    let module_level = at_module_level(walker) && !in_loop;
    if name.kind() != "identifier" {
        if module_level {
            destructured(walker, node, name);
        }
        return Flow::Descend;
    }
    let function = value.filter(|value| is_function(*value));
    let class = value.filter(|value| value.kind() == "class");
    if function.is_none() && class.is_none() && !module_level {
        return Flow::Descend;
    }
    let declaration = declaration_of(walker, node);
    let kind = match (function, class) {
        (Some(_), _) => SymbolKind::Function,
        (_, Some(_)) => SymbolKind::Class,
        _ if is_const(walker) => SymbolKind::Constant,
        _ => SymbolKind::Static,
    };
    let (visibility, flags) = module_visibility(walker);
    let outer = walker
        .ancestors()
        .take_while(|parent| {
            matches!(
                parent.kind(),
                "lexical_declaration" | "variable_declaration" | "export_statement" | "ambient_declaration"
            )
        })
        .last()
        .unwrap_or(node);
    let mut modifiers = function.map_or_else(Modifiers::default, function_modifiers);
    if walker
        .ancestors()
        .take(2)
        .any(|parent| parent.kind() == "ambient_declaration")
    {
        modifiers.insert(Modifier::Declare);
    }
    let end = function.or(class).map_or(declaration.end_byte(), body_start);
    let definition = walker.define(Draft {
        doc: doc_before(
            walker,
            if declaration == node {
                node.start_byte()
            } else {
                outer.start_byte()
            },
        ),
        signature: (declaration.start_byte(), end),
        visibility,
        modifiers,
        flags,
        ..Draft::new(kind, name, declaration)
    });
    match value {
        Some(value) if function.is_some() || class.is_some() || value.kind() == "object" => {
            walker.claim(value, definition)
        }
        _ => {}
    }
    Flow::Descend
}

fn is_const(walker: &Walker<'_>) -> bool {
    walker
        .parent()
        .and_then(|parent| parent.child(0))
        .is_some_and(|word| word.kind() == "const")
}

/// Records the names of a pattern at module level.
fn destructured<'t>(walker: &mut Walker<'t>, node: Node<'t>, pattern: Node<'t>) {
    let kind = if is_const(walker) {
        SymbolKind::Constant
    } else {
        SymbolKind::Static
    };
    let (visibility, flags) = module_visibility(walker);
    for name in pattern_names(pattern) {
        walker.define(Draft {
            visibility,
            flags,
            ..Draft::new(kind, name, node)
        });
    }
}

/// The names that a pattern binds.
fn pattern_names(pattern: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![pattern];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => found.push(node),
            "assignment_pattern" | "object_assignment_pattern" => waiting.extend(node.child_by_field_name("left")),
            "pair_pattern" => waiting.extend(node.child_by_field_name("value")),
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                let mut cursor = node.walk();
                waiting.extend(node.named_children(&mut cursor));
            }
            _ => {}
        }
    }
    found.sort_by_key(|name| name.start_byte());
    found
}

/// The module of a `require("…")`.
fn required<'t>(walker: &Walker<'t>, value: Node<'t>) -> Option<&'t str> {
    let function = (value.kind() == "call_expression").then(|| value.child_by_field_name("function"))??;
    if walker.text(function) != "require" {
        return None;
    }
    let argument = value.child_by_field_name("arguments")?.named_child(0)?;
    (argument.kind() == "string").then(|| property_name(walker, argument))
}

fn bind_required<'t>(walker: &mut Walker<'t>, node: Node<'t>, pattern: Node<'t>, module: &'t str) {
    if pattern.kind() == "identifier" {
        let local = walker.text(pattern);
        walker.import(node, module, "", local, 0);
        return;
    }
    let mut cursor = pattern.walk();
    for part in pattern.named_children(&mut cursor) {
        let (name, local) = match part.kind() {
            "pair_pattern" => (part.child_by_field_name("key"), part.child_by_field_name("value")),
            "object_assignment_pattern" => {
                let left = part.child_by_field_name("left");
                (left, left)
            }
            "shorthand_property_identifier_pattern" => (Some(part), Some(part)),
            _ => (None, None),
        };
        if let (Some(name), Some(local)) = (name, local) {
            let (name, local) = (walker.text(name), walker.text(local));
            walker.import(node, module, name, local, 0);
        }
    }
}

/// The names of a member expression, `None` where a part has no fixed name.
fn member_path<'t>(walker: &Walker<'t>, node: Node<'t>) -> Option<Vec<&'t str>> {
    let mut path = Vec::new();
    let mut node = node;
    loop {
        match node.kind() {
            "identifier" | "this" | "super" => {
                path.push(walker.text(node));
                break;
            }
            "member_expression" => {
                path.push(walker.text(node.child_by_field_name("property")?));
                node = bare(node.child_by_field_name("object")?);
            }
            "subscript_expression" => {
                let index = node
                    .child_by_field_name("index")
                    .filter(|index| index.kind() == "string")?;
                path.push(property_name(walker, index));
                node = bare(node.child_by_field_name("object")?);
            }
            _ => return None,
        }
    }
    path.reverse();
    Some(path)
}

/// Marks the scope of an object literal that is what the module exports.
const EXPORTED_OBJECT: u32 = 2;

pub(super) fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return Flow::Descend;
    };
    let right = bare(right);
    let Some(path) = member_path(walker, left) else {
        return Flow::Descend;
    };
    let exports = match path[..] {
        ["module", "exports", ref rest @ ..] | ["exports", ref rest @ ..] => Some(rest.to_vec()),
        _ => None,
    };
    if exports.is_some() && at_module_level(walker) {
        walker.facts.is_module = true;
        if right.kind() == "identifier" {
            let local = walker.text(right);
            let name = exports
                .as_ref()
                .and_then(|rest| rest.last())
                .copied()
                .unwrap_or("default");
            walker.export(node, local, name);
        }
    }
    if right.kind() == "object" {
        let owner = match (&exports, &path[..]) {
            (Some(rest), _) => rest.join("."),
            (None, [owner @ .., "prototype"]) => owner.join("."),
            (None, path) => path.join("."),
        };
        if exports.as_ref().is_some_and(Vec::is_empty) {
            export_object_names(walker, right);
            walker.claim_name(right, "module.exports");
        } else {
            walker.claim_name(right, &owner);
        }
        return Flow::Descend;
    }
    let is_class = right.kind() == "class";
    if !is_function(right) && !is_class {
        return Flow::Descend;
    }
    let Some((name, owner)) = path.split_last() else {
        return Flow::Descend;
    };
    let place = left
        .child_by_field_name("property")
        .or_else(|| left.child_by_field_name("index"))
        .unwrap_or(left);
    let base = if is_class {
        SymbolKind::Class
    } else {
        SymbolKind::Function
    };
    let member = if is_class {
        SymbolKind::Class
    } else {
        SymbolKind::Method
    };
    let doc = doc_before(walker, node.start_byte());
    let modifiers = if is_class {
        Modifiers::default()
    } else {
        function_modifiers(right)
    };
    let private = name.starts_with(['#', '_']);
    let visibility = if private {
        Visibility::Private
    } else {
        Visibility::Public
    };
    let mut draft = Draft {
        doc,
        signature: (node.start_byte(), body_start(right)),
        visibility,
        modifiers,
        ..Draft::new(base, place, node)
    };
    let own_name = right.child_by_field_name("name");
    let joined;
    match (&exports, owner) {
        (Some(rest), _) if rest.is_empty() => {
            draft.flags |= DefinitionFlags::EXPORTED;
            draft.name = match own_name {
                Some(own_name) => Draftee::Node(own_name),
                None => Draftee::Named(place, "default"),
            };
        }
        (Some(rest), _) => {
            draft.name = Draftee::Named(place, name);
            draft.flags |= DefinitionFlags::EXPORTED;
            joined = rest[..rest.len() - 1].join(".");
            draft.owner = &joined;
        }
        (None, ["this"]) => {
            draft.kind = member;
            draft.name = Draftee::Named(place, name);
            let hidden = enclosing_instance(walker);
            let kept = walker.scopes.split_off(hidden);
            let definition = walker.define(draft);
            walker.scopes.extend(kept);
            walker.claim(right, definition);
            return Flow::Descend;
        }
        (None, [owner @ .., "prototype"]) => {
            draft.kind = member;
            draft.name = Draftee::Named(place, name);
            joined = owner.join(".");
            draft.owner = &joined;
        }
        (None, owner) => {
            draft.name = Draftee::Named(place, name);
            joined = owner.join(".");
            draft.owner = &joined;
            if owner.is_empty() {
                let (visibility, flags) = module_visibility(walker);
                draft.visibility = visibility;
                draft.flags |= flags;
            }
        }
    }
    let definition = walker.define(draft);
    walker.claim(right, definition);
    Flow::Descend
}

/// How many scopes remain when what belongs to `this` is defined: up to the type around the method, or the function that makes it.
fn enclosing_instance(walker: &Walker<'_>) -> usize {
    let method = walker.scopes.iter().rposition(|scope| {
        matches!(
            scope.kind,
            SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Function
        )
    });
    match method {
        Some(at) if at > 0 && walker.scopes[at - 1].kind.is_type() => at,
        _ => walker.scopes.len(),
    }
}

/// `module.exports = { f, g: h }` exports what it names.
fn export_object_names<'t>(walker: &mut Walker<'t>, object: Node<'t>) {
    let mut cursor = object.walk();
    for part in object.named_children(&mut cursor) {
        match part.kind() {
            "shorthand_property_identifier" => {
                let name = walker.text(part);
                walker.export(part, name, name);
            }
            "pair" => {
                let (key, value) = (part.child_by_field_name("key"), part.child_by_field_name("value"));
                if let (Some(key), Some(value)) = (key, value.filter(|value| value.kind() == "identifier")) {
                    let (name, local) = (property_name(walker, key), walker.text(value));
                    walker.export(part, local, name);
                }
            }
            _ => {}
        }
    }
}

/// An object literal is the scope of the name it is assigned to.
pub(super) fn object<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(definition) = walker.claimed(node) {
        walker.open(definition);
    } else if let Some(owner) = walker.claimed_name(node) {
        match owner.as_str() {
            "module.exports" => walker.open_named("", SymbolKind::Constant, EXPORTED_OBJECT),
            owner => walker.open_named(owner, SymbolKind::Constant, 0),
        }
    } else if walker
        .parent()
        .is_some_and(|parent| parent.kind() == "export_statement")
    {
        walker.facts.is_module = true;
        walker.open_named("", SymbolKind::Constant, EXPORTED_OBJECT);
    }
    Flow::Descend
}

pub(super) fn pair<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(key), Some(value)) = (
        node.child_by_field_name("key"),
        node.child_by_field_name("value").map(bare),
    ) else {
        return Flow::Descend;
    };
    if key.kind() == "computed_property_name" {
        return Flow::Descend;
    }
    let name = property_name(walker, key);
    if value.kind() == "object" {
        walker.claim_name(value, name);
        return Flow::Descend;
    }
    let is_class = value.kind() == "class";
    if !is_function(value) && !is_class {
        return Flow::Descend;
    }
    let exported = walker.scope().mark & EXPORTED_OBJECT != 0;
    let kind = match (is_class, exported) {
        (true, _) => SymbolKind::Class,
        (false, true) => SymbolKind::Function,
        (false, false) => SymbolKind::Method,
    };
    let doc = doc_before(walker, node.start_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(key, name),
        doc,
        signature: (node.start_byte(), body_start(value)),
        visibility: if name.starts_with('_') {
            Visibility::Private
        } else {
            Visibility::Public
        },
        modifiers: if is_class {
            Modifiers::default()
        } else {
            function_modifiers(value)
        },
        flags: if exported { DefinitionFlags::EXPORTED } else { 0 },
        ..Draft::new(kind, key, node)
    });
    walker.claim(value, definition);
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
    let mut cursor = arguments.walk();
    let Some(body) = arguments
        .named_children(&mut cursor)
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

pub(super) fn export_statement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    walker.facts.is_module = true;
    let source = node
        .child_by_field_name("source")
        .map(|source| property_name(walker, source));
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match (child.kind(), source) {
            ("*", Some(module)) => walker.import(node, module, "*", "*", ImportFlags::REEXPORT),
            ("namespace_export", Some(module)) => {
                let name = child.named_child(0).map_or("", |name| walker.text(name));
                walker.import(node, module, "*", name, ImportFlags::REEXPORT);
            }
            ("export_clause", _) => {
                let mut specifiers = child.walk();
                for specifier in child
                    .named_children(&mut specifiers)
                    .filter(|part| part.kind() == "export_specifier")
                {
                    let name = specifier
                        .child_by_field_name("name")
                        .map_or("", |name| property_name(walker, name));
                    let alias = specifier
                        .child_by_field_name("alias")
                        .map_or(name, |alias| property_name(walker, alias));
                    match source {
                        Some(module) => walker.import(specifier, module, name, "", ImportFlags::REEXPORT),
                        None => walker.export(specifier, name, alias),
                    }
                }
            }
            ("identifier", None) => {
                let name = walker.text(child);
                walker.export(node, name, "default");
            }
            _ => {}
        }
    }
    Flow::Descend
}

pub(super) fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut cursor = node.walk();
    let flags = match node.children(&mut cursor).any(|child| child.kind() == "type") {
        true => ImportFlags::TYPE_ONLY,
        false => 0,
    };
    if let Some(clause) = node
        .named_child(0)
        .filter(|child| child.kind() == "import_require_clause")
    {
        let module = clause
            .child_by_field_name("source")
            .map_or("", |source| property_name(walker, source));
        let local = clause.named_child(0).map_or("", |local| walker.text(local));
        walker.import(node, module, "", local, flags);
        return Flow::Skip;
    }
    let Some(source) = node.child_by_field_name("source") else {
        return Flow::Skip;
    };
    let module = property_name(walker, source);
    let mut cursor = node.walk();
    let Some(clause) = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "import_clause")
    else {
        walker.import(node, module, "", "", flags);
        return Flow::Skip;
    };
    let mut cursor = clause.walk();
    for part in clause.named_children(&mut cursor) {
        match part.kind() {
            "identifier" => {
                let local = walker.text(part);
                walker.import(part, module, "default", local, flags);
            }
            "namespace_import" => {
                let local = part.named_child(0).map_or("", |local| walker.text(local));
                walker.import(part, module, "*", local, flags);
            }
            "named_imports" => {
                let mut specifiers = part.walk();
                for specifier in part
                    .named_children(&mut specifiers)
                    .filter(|part| part.kind() == "import_specifier")
                {
                    let name = specifier
                        .child_by_field_name("name")
                        .map_or("", |name| property_name(walker, name));
                    let local = specifier
                        .child_by_field_name("alias")
                        .map_or(name, |alias| walker.text(alias));
                    let own_type = specifier.child(0).is_some_and(|word| word.kind() == "type");
                    let flags = if own_type {
                        flags | ImportFlags::TYPE_ONLY
                    } else {
                        flags
                    };
                    walker.import(specifier, module, name, local, flags);
                }
            }
            _ => {}
        }
    }
    Flow::Skip
}

/// At module level only what is exported is public, unless the file is a script that neither imports nor exports.
pub(super) fn finish(facts: &mut FileFacts, role: Role) {
    let exported: std::collections::HashSet<&str> = facts
        .exports
        .iter()
        .map(|export| facts.text.get(export.local))
        .collect();
    let is_module = facts.is_module && !role.declaration;
    for definition in &mut facts.definitions {
        let at_module_level = definition.parent.get() == NONE
            && definition.owner.is_empty()
            && definition.flags & DefinitionFlags::LOCAL == 0;
        if !at_module_level || definition.is_anonymous() || definition.kind() == SymbolKind::Test {
            continue;
        }
        let name = definition.name.of(&facts.text.0);
        let is_exported = definition.flags & DefinitionFlags::EXPORTED != 0 || exported.contains(name);
        definition.visibility = match is_exported || !is_module {
            true => Visibility::Public as u8,
            false => Visibility::Private as u8,
        };
    }
}

pub(super) fn module_name(_: &[Root], path: &RepoPath, _: &FileFacts) -> String {
    let name = path.file_name();
    let stem = name
        .strip_suffix(".d.ts")
        .or_else(|| name.rsplit_once('.').map(|(stem, _)| stem))
        .unwrap_or(name);
    let directory = path.directory();
    match (directory, stem) {
        ("", stem) => stem.to_owned(),
        (directory, "index") => directory.to_owned(),
        (directory, stem) => format!("{directory}/{stem}"),
    }
}

pub(super) fn is_test_file(path: &RepoPath) -> bool {
    const WORDS: &[&str] = &["test", "tests", "spec", "specs", "e2e"];
    has_directory(path, &["test", "tests", "__tests__", "spec", "specs", "e2e"])
        || path
            .file_name()
            .split(['.', '-', '_'])
            .any(|part| WORDS.contains(&part))
}
