//! Lua: functions under whatever name a table gives them, module tables, imports, tests of busted.
//!
//! A function or a field is known by the names that lead to it: `function a.b:c()` is `c` below `a.b`. What `self` stands for in a
//! method is kept beside its scope.

mod flow;

use lore_model::{Definition, Modifier, Modifiers, RepoPath, SymbolKind, Visibility};

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Rule, module_of_path};
use crate::layout::{Root, has_directory};
use crate::syntax::Node;

pub(crate) static LUA: Language = Language {
    name: "lua",
    dialect: "lua",
    extensions: &["lua", "nse", "rockspec", "wlua"],
    file_names: &[".luacheckrc", ".luacov", ".busted"],
    interpreters: &["lua", "luajit", "texlua"],
    grammar: || tree_sitter_lua::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("hash_bang_line", Rule::Leaf),
        ("string", Rule::Text),
        ("chunk", Rule::Visit(chunk)),
        ("function_declaration", Rule::Visit(function)),
        ("function_definition", Rule::Visit(anonymous)),
        ("assignment_statement", Rule::Visit(assignment)),
        ("table_constructor", Rule::Visit(table)),
        ("field", Rule::Visit(field)),
        ("function_call", Rule::Visit(call)),
        ("if_statement", Rule::Decision),
        ("elseif_statement", Rule::Decision),
        ("for_statement", Rule::Decision),
        ("while_statement", Rule::Decision),
        ("repeat_statement", Rule::Decision),
        ("and", Rule::Decision),
        ("or", Rule::Decision),
    ],
    module_name,
    is_test_file,
    flow: Some(&flow::RULES),
    shares_modules: true,
    names_by_file: true,
    ..Language::BASE
};

/// The comments that document what stands below them. Lines of dashes only frame them.
const DOCS: DocStyle = DocStyle {
    line: &["---", "--"],
    block: &[
        ("--[[--", "--]]"),
        ("--[[--", "]]"),
        ("--[[-", "--]]"),
        ("--[[-", "]]"),
        ("--[[", "--]]"),
        ("--[[", "]]"),
        ("--[=[", "]=]"),
        ("--[==[", "]==]"),
    ],
    except: &[
        "----",
        "--!",
        "-- luacheck:",
        "--luacheck:",
        "---@diagnostic",
        "-- vim:",
    ],
};

/// Names between dots that are followed.
const MAX_PATH: usize = 16;
/// Names on the left of one assignment that are looked at.
const MAX_NAMES: usize = 64;
/// Definitions that `X.__index = X` looks back at to find the table that is a class.
const MAX_LOOKBACK: usize = 200;

/// What leads to a definition.
struct Path<'t> {
    /// The names before the last, joined by dots.
    owner: String,
    node: Node<'t>,
    name: &'t str,
    /// Whether `:` stands before the last name.
    is_method: bool,
    /// Whether it begins with `self`.
    of_self: bool,
}

impl<'t> Path<'t> {
    fn of(walker: &Walker<'t>, node: Node<'t>) -> Option<Self> {
        let (table, node, is_method) = match node.kind() {
            "identifier" => (None, node, false),
            "dot_index_expression" | "bracket_index_expression" => {
                (node.child_by_field_name("table"), index_key(node)?, false)
            }
            "method_index_expression" => (
                node.child_by_field_name("table"),
                node.child_by_field_name("method")?,
                true,
            ),
            _ => return None,
        };
        let (owner, of_self) = match table {
            Some(table) => table_path(walker, table)?,
            None => (String::new(), false),
        };
        Some(Self {
            owner,
            node,
            name: key_name(walker, node)?,
            is_method,
            of_self,
        })
    }
}

/// The names that lead to a table, and whether `self` stands for the first of them; none where one is computed.
fn table_path(walker: &Walker<'_>, mut node: Node<'_>) -> Option<(String, bool)> {
    let mut names = Vec::new();
    for _ in 0..MAX_PATH {
        if node.kind() == "identifier" {
            let base = walker.text(node);
            match base {
                "_G" | "_ENV" => {}
                "self" => names.push(self_path(walker)?),
                name => names.push(name.to_owned()),
            }
            names.reverse();
            return Some((names.join("."), base == "self"));
        }
        names.push(key_name(walker, index_key(node)?)?.to_owned());
        node = node.child_by_field_name("table")?;
    }
    None
}

/// The key of `table.key` or `table["key"]`.
fn index_key(node: Node<'_>) -> Option<Node<'_>> {
    let key = node.child_by_field_name("field")?;
    let fixed = match node.kind() {
        "dot_index_expression" => true,
        "bracket_index_expression" => key.kind() == "string",
        _ => false,
    };
    fixed.then_some(key)
}

/// What `self` stands for: the table that the method around belongs to.
fn self_path(walker: &Walker<'_>) -> Option<String> {
    let method = walker.scopes.iter().rev().find(|scope| !scope.receiver.is_empty())?;
    Some(method.receiver.clone())
}

/// The name that a key spells.
fn key_name<'t>(walker: &Walker<'t>, key: Node<'_>) -> Option<&'t str> {
    match key.kind() {
        "identifier" | "global" => Some(walker.text(key)),
        "string" => key.child_by_field_name("content").map(|content| walker.text(content)),
        _ => None,
    }
}

/// The names that the file returns, and the comment at the top that is the file's.
fn chunk<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let last = node.named_children().filter(|child| child.kind() != "comment").last();
    let returned = last
        .filter(|last| last.kind() == "return_statement")
        .and_then(|last| child_of_kind(last, &["expression_list"]))
        .and_then(|list| list.named_child(0));
    for name in returned.map_or_else(Vec::new, |value| returned_names(walker, value)) {
        walker.scope().seen.insert(format!("return {name}"));
    }
    let mut lines = Vec::new();
    let mut reached = None;
    let mut below = None;
    for child in node.children().filter(|child| child.kind() != "hash_bang_line") {
        let apart = reached.is_some_and(|row| child.start_position().row > row + 1);
        if child.kind() != "comment" || apart {
            below = Some(apart || child.kind() == "comment");
            break;
        }
        reached = Some(child.end_position().row);
        lines.push(walker.text(child));
    }
    if let Some(doc) = DOCS.read(&lines) {
        let is_module = doc.contains("@module") || doc.contains("@classmod");
        let is_licence = ["Copyright", "License", "SPDX-", "(c)"]
            .iter()
            .any(|word| doc.contains(word));
        if is_module || (below.unwrap_or(true) && !is_licence) {
            walker.module_doc(&doc);
        }
    }
    Flow::Descend
}

/// The local names in what a file returns: `return M`, `return { f = f }`, `return setmetatable(M, …)`.
fn returned_names<'t>(walker: &Walker<'t>, value: Node<'t>) -> Vec<&'t str> {
    match value.kind() {
        "identifier" => vec![walker.text(value)],
        "table_constructor" => children_of_kind(value, &["field"])
            .into_iter()
            .filter_map(|field| field.child_by_field_name("value"))
            .filter(|value| value.kind() == "identifier")
            .map(|value| walker.text(value))
            .collect(),
        "function_call" => arguments(value)
            .first()
            .filter(|first| first.kind() == "identifier")
            .map(|first| walker.text(*first))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    }
}

/// The arguments of a call, however they are written.
fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    let Some(list) = call.child_by_field_name("arguments") else {
        return Vec::new();
    };
    list.named_children()
        .filter(|child| child.kind() != "comment")
        .collect()
}

/// Who may use a name: members all but `_x`, locals of the file those it returns them to, globals everybody.
fn visibility(walker: &mut Walker<'_>, path: &Path<'_>, is_local: bool) -> Visibility {
    let hidden = path.name.starts_with('_') && !path.name.starts_with("__");
    if !path.owner.is_empty() {
        return if hidden {
            Visibility::Private
        } else {
            Visibility::Public
        };
    }
    let in_function = walker.in_function();
    let file = walker.scopes.first_mut();
    let returned = file.is_some_and(|file| file.seen.contains(&format!("return {}", path.name)));
    if in_function || (is_local && !returned) {
        Visibility::Private
    } else {
        Visibility::Public
    }
}

/// Whether a function takes its instance by name.
fn takes_self(walker: &Walker<'_>, function: Node<'_>) -> bool {
    let parameters = function.child_by_field_name("parameters");
    let first = parameters.and_then(|parameters| parameters.named_child(0));
    first.is_some_and(|first| walker.text(first) == "self")
}

/// Where a function's signature ends.
fn signature_end(function: Node<'_>) -> usize {
    function
        .child_by_field_name("parameters")
        .map_or(function.end_byte(), |parameters| parameters.end_byte())
}

/// `function a.b:c()`, `local function d()`.
fn function<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(path) = node.child_by_field_name("name").and_then(|name| Path::of(walker, name)) else {
        return Flow::Descend;
    };
    let is_local = node.child(0).is_some_and(|first| first.kind() == "local");
    let definition = define_function(walker, &path, node, node, is_local);
    open_function(walker, definition, &path, node);
    Flow::Descend
}

fn define_function<'t>(
    walker: &mut Walker<'t>,
    path: &Path<'t>,
    function: Node<'t>,
    span: Node<'t>,
    is_local: bool,
) -> u32 {
    let is_test = walker.role.test
        && path
            .name
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("test"));
    let kind = if is_test && !walker.in_function() && !is_local {
        SymbolKind::Test
    } else if path.name == "new" && !path.owner.is_empty() {
        SymbolKind::Constructor
    } else if path.is_method || takes_self(walker, function) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let visibility = visibility(walker, path, is_local);
    let at_module = path.of_self || (!walker.in_function() && !path.owner.is_empty());
    walker.define(Draft {
        name: Draftee::Named(path.node, path.name),
        signature: (span.start_byte(), signature_end(function)),
        doc: walker.doc_above(span.start_byte(), &DOCS),
        visibility,
        owner: &path.owner,
        at_module,
        ..Draft::new(kind, path.node, span)
    })
}

/// Opens a function, which knows by `self` the table it belongs to.
fn open_function(walker: &mut Walker<'_>, definition: u32, path: &Path<'_>, function: Node<'_>) {
    if (path.is_method || takes_self(walker, function)) && !walker.in_function() {
        walker.open_method(definition, &path.owner)
    } else {
        walker.open(definition)
    }
}

/// A function that stands where a value stands.
fn anonymous<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let definition = match walker.claimed(node) {
        Some(definition) => definition,
        None => walker.define(Draft {
            signature: (node.start_byte(), signature_end(node)),
            ..Draft::anonymous(SymbolKind::Function, "lambda", node)
        }),
    };
    if takes_self(walker, node) && !walker.in_function() {
        let table = table_of(walker, definition);
        walker.open_method(definition, &table);
    } else {
        walker.open(definition)
    }
    Flow::Descend
}

/// The names that lead to the table that a function of the file stands in or is given to.
fn table_of(walker: &Walker<'_>, definition: u32) -> String {
    let facts = &walker.facts;
    let Some(function) = facts.definitions.get(definition as usize) else {
        return String::new();
    };
    let table = function.parent().and_then(|parent| facts.definitions.get(parent));
    let names = [
        table.map_or("", |table| facts.text.get(table.owner)),
        table.map_or("", |table| facts.text.get(table.name)),
        facts.text.get(function.owner),
    ];
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    names.join(".")
}

/// `local a, b = 1, 2`, `M.f = function() … end`, `self.x = 1`.
fn assignment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(names), Some(values)) = (
        child_of_kind(node, &["variable_list"]),
        child_of_kind(node, &["expression_list"]),
    ) else {
        return Flow::Descend;
    };
    let targets: Vec<_> = names.children_by_field_name("name").take(MAX_NAMES).collect();
    let values: Vec<_> = values
        .named_children()
        .filter(|value| value.kind() != "comment")
        .take(MAX_NAMES)
        .collect();
    let mut ancestors = walker.ancestors();
    let mut holder = ancestors.next();
    let declaration = holder.filter(|parent| parent.kind() == "variable_declaration");
    if declaration.is_some() {
        holder = ancestors.next();
    }
    drop(ancestors);
    let place = Place {
        statement: declaration.unwrap_or(node),
        is_local: declaration.is_some_and(|declaration| child_of_kind(declaration, &["local"]).is_some()),
        is_fixed: child_of_kind(names, &["attribute"])
            .is_some_and(|attribute| walker.text(attribute).contains("const")),
        at_top: holder.is_some_and(|holder| holder.kind() == "chunk"),
    };
    for (at, target) in targets.iter().enumerate() {
        if let Some(path) = Path::of(walker, *target) {
            assign(walker, &path, values.get(at).copied(), &place);
        }
    }
    if let ([target], [value]) = (targets.as_slice(), values.as_slice()) {
        mark_class(walker, *target, *value);
    }
    Flow::Descend
}

/// Where an assignment stands, and what it says of its names.
struct Place<'t> {
    statement: Node<'t>,
    is_local: bool,
    /// Whether a name is declared `<const>`.
    is_fixed: bool,
    /// Whether it stands directly in the file.
    at_top: bool,
}

fn assign<'t>(walker: &mut Walker<'t>, path: &Path<'t>, value: Option<Node<'t>>, place: &Place<'t>) {
    let kind = value.map_or("", |value| value.kind());
    let (Some(value), "function_definition" | "table_constructor") = (value, kind) else {
        let imported = value.is_some_and(|value| required(walker, value).is_some());
        if !imported || !path.owner.is_empty() {
            declare(walker, path, value, place);
        }
        return;
    };
    if kind == "function_definition" {
        let definition = define_function(walker, path, value, place.statement, place.is_local);
        walker.claim(value, definition);
        return;
    }
    match declare(walker, path, Some(value), place) {
        Some(definition) => walker.claim(value, definition),
        None => {
            let name = if path.owner.is_empty() {
                path.name.to_owned()
            } else {
                format!("{}.{}", path.owner, path.name)
            };
            walker.claim_name(value, &name, SymbolKind::Namespace, 0);
        }
    }
}

/// Records a variable of the file, a field that the file gives a table, or one that a method gives its instance; each once.
fn declare<'t>(walker: &mut Walker<'t>, path: &Path<'t>, value: Option<Node<'t>>, place: &Place<'t>) -> Option<u32> {
    if !(place.at_top || (path.of_self && !path.owner.is_empty())) || path.name.is_empty() {
        return None;
    }
    let key = format!("{}.{}", path.owner, path.name);
    if !walker.scopes.first_mut().is_some_and(|file| file.seen.insert(key)) {
        return None;
    }
    let is_class = value.is_some_and(|value| makes_class(walker, value));
    let kind = if is_class {
        SymbolKind::Class
    } else if is_upper(path.name) || place.is_fixed {
        SymbolKind::Constant
    } else if path.owner.is_empty() {
        SymbolKind::Static
    } else {
        SymbolKind::Field
    };
    let mut modifiers = Modifiers::default();
    if place.is_fixed {
        modifiers.insert(Modifier::Const);
    }
    let visibility = visibility(walker, path, place.is_local);
    let inner = value.filter(|value| value.kind() == "table_constructor");
    let end = match inner.filter(|table| table.start_position().row != table.end_position().row) {
        Some(table) => table.start_byte() + 1,
        None => place.statement.end_byte(),
    };
    Some(walker.define(Draft {
        name: Draftee::Named(path.node, path.name),
        signature: (place.statement.start_byte(), end),
        doc: walker.doc_above(place.statement.start_byte(), &DOCS),
        visibility,
        modifiers,
        owner: &path.owner,
        at_module: true,
        ..Draft::new(kind, path.node, place.statement)
    }))
}

fn is_upper(name: &str) -> bool {
    name.len() > 1 && name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// Whether a value is a class by the libraries that make them: `class("A")`, `Base:extend()`.
fn makes_class(walker: &Walker<'_>, value: Node<'_>) -> bool {
    let name = match value.kind() {
        "function_call" => value.child_by_field_name("name"),
        _ => None,
    };
    let Some(name) = name else { return false };
    match name.kind() {
        "identifier" => matches!(walker.text(name), "class" | "Class"),
        "method_index_expression" => name
            .child_by_field_name("method")
            .is_some_and(|method| matches!(walker.text(method), "extend" | "subclass")),
        "dot_index_expression" => name
            .child_by_field_name("field")
            .is_some_and(|field| walker.text(field) == "class"),
        _ => false,
    }
}

/// `X.__index = X` says that `X` is a class.
fn mark_class(walker: &mut Walker<'_>, target: Node<'_>, value: Node<'_>) {
    let is_index = target.kind() == "dot_index_expression"
        && target
            .child_by_field_name("field")
            .is_some_and(|field| walker.text(field) == "__index");
    let table = target
        .child_by_field_name("table")
        .map_or("", |table| walker.text(table));
    if !is_index || table.is_empty() || walker.text(value) != table {
        return;
    }
    let facts = &mut walker.facts;
    let text = &facts.text;
    let is_table = |one: &&mut Definition| {
        matches!(one.kind(), SymbolKind::Static | SymbolKind::Constant)
            && text.get(one.owner).is_empty()
            && text.get(one.name) == table
    };
    if let Some(class) = facts.definitions.iter_mut().rev().take(MAX_LOOKBACK).find(is_table) {
        class.kind = SymbolKind::Class as u8;
    }
}

/// The table of a definition is the scope of what stands in it.
fn table(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    match walker.claimed(node) {
        Some(definition) => walker.open(definition),
        None => {
            walker.open_claimed_name(node);
        }
    }
    Flow::Descend
}

/// A function in a table is named by its key; a table in a table only leads to what stands in it.
fn field<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let (Some(key), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
        return Flow::Descend;
    };
    let computed = node.child(0).is_some_and(|first| first.kind() == "[") && key.kind() != "string";
    let Some(name) = key_name(walker, key).filter(|_| !computed) else {
        return Flow::Descend;
    };
    match value.kind() {
        "function_definition" => {
            let kind = match takes_self(walker, value) {
                _ if name == "new" => SymbolKind::Constructor,
                true => SymbolKind::Method,
                false => SymbolKind::Function,
            };
            let hidden = name.starts_with('_') && !name.starts_with("__");
            let definition = walker.define(Draft {
                name: Draftee::Named(key, name),
                signature: (node.start_byte(), signature_end(value)),
                doc: walker.doc_above(node.start_byte(), &DOCS),
                visibility: if hidden || walker.in_function() {
                    Visibility::Private
                } else {
                    Visibility::Public
                },
                ..Draft::new(kind, key, node)
            });
            walker.claim(value, definition);
        }
        "table_constructor" => walker.claim_name(value, name, SymbolKind::Namespace, 0),
        _ => {}
    }
    Flow::Descend
}

/// The module that a value requires, and the name that is taken from it: `require "m"`, `require("m").name`.
fn required<'t>(walker: &Walker<'t>, value: Node<'t>) -> Option<(&'t str, &'t str)> {
    let (call, name) = match value.kind() {
        "dot_index_expression" => (
            value.child_by_field_name("table")?,
            walker.text(value.child_by_field_name("field")?),
        ),
        _ => (value, ""),
    };
    if call.kind() != "function_call" {
        return None;
    }
    let function = call.child_by_field_name("name")?;
    if function.kind() != "identifier" || walker.text(function) != "require" {
        return None;
    }
    let module = arguments(call)
        .first()
        .copied()
        .filter(|first| first.kind() == "string")?;
    Some((key_name(walker, module)?, name))
}

/// Imports, and the tests of busted.
fn call<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(function) = node
        .child_by_field_name("name")
        .filter(|name| name.kind() == "identifier")
    else {
        return Flow::Descend;
    };
    match walker.text(function) {
        "require" => import(walker, node),
        "dofile" | "loadfile" => {
            if let Some(path) = literal(walker, node, 0) {
                walker.import(node, path, "", "", 0);
            }
        }
        "pcall" => {
            let first = arguments(node).first().map_or("", |first| walker.text(*first));
            if let Some(module) = literal(walker, node, 1).filter(|_| first == "require") {
                walker.import(node, module, "", "", 0);
            }
        }
        "it" | "test" | "pending" if walker.role.test => test(walker, node, SymbolKind::Test),
        "describe" | "context" | "insulate" | "expose" if walker.role.test => test(walker, node, SymbolKind::Namespace),
        _ => {}
    }
    Flow::Descend
}

/// The text that an argument is.
fn literal<'t>(walker: &Walker<'t>, call: Node<'t>, at: usize) -> Option<&'t str> {
    let argument = arguments(call)
        .get(at)
        .copied()
        .filter(|argument| argument.kind() == "string")?;
    key_name(walker, argument)
}

/// Records a `require`, with the name that its value or a field of it is given to.
fn import<'t>(walker: &mut Walker<'t>, node: Node<'t>) {
    let Some((module, _)) = required(walker, node) else {
        return;
    };
    let mut ancestors = walker.ancestors();
    let mut value = node;
    let mut parent = ancestors.next();
    let mut name = "";
    if let Some(index) = parent.filter(|parent| parent.kind() == "dot_index_expression")
        && let Some(field) = index.child_by_field_name("field")
    {
        name = walker.text(field);
        value = index;
        parent = ancestors.next();
    }
    let list = parent.filter(|parent| parent.kind() == "expression_list");
    let statement = ancestors
        .next()
        .filter(|statement| list.is_some() && statement.kind() == "assignment_statement");
    drop(ancestors);
    let local = list.zip(statement).and_then(|(list, statement)| {
        let at = list.named_children().take(MAX_NAMES).position(|one| one == value)?;
        let names = child_of_kind(statement, &["variable_list"])?;
        let target = names.children_by_field_name("name").nth(at)?;
        (target.kind() == "identifier").then(|| walker.text(target))
    });
    match local {
        Some(local) => walker.import(node, module, name, local, 0),
        None => walker.import(node, module, name, "", 0),
    }
}

/// `describe("what", function() … end)`
fn test<'t>(walker: &mut Walker<'t>, node: Node<'t>, kind: SymbolKind) {
    let arguments = arguments(node);
    let title = arguments.first().copied().filter(|title| title.kind() == "string");
    let body = arguments
        .iter()
        .skip(1)
        .copied()
        .find(|value| value.kind() == "function_definition");
    if let (Some(title), Some(body)) = (title, body) {
        let definition = walker.define(Draft {
            name: Draftee::Named(title, key_name(walker, title).unwrap_or("")),
            signature: (node.start_byte(), title.end_byte()),
            visibility: Visibility::Private,
            ..Draft::new(kind, title, node)
        });
        walker.claim(body, definition);
    }
}

/// The path without extension; `init` is named by its directory.
fn module_name(_: &[Root], path: &RepoPath, _: &str) -> String {
    let module = module_of_path(path);
    match module.strip_suffix("/init") {
        Some(directory) => directory.to_owned(),
        None => module,
    }
}

fn is_test_file(path: &RepoPath) -> bool {
    let name = path.file_name();
    has_directory(path, &["spec", "specs", "test", "tests"])
        || ["_spec.lua", "_test.lua"].iter().any(|suffix| name.ends_with(suffix))
        || (name.starts_with("test_") && name.ends_with(".lua"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::language::Role;

    #[test]
    fn modules_are_named_by_path() {
        let named = |path: &str| module_name(&[], &RepoPath::new(path).expect("the path is relative"), "");
        assert_eq!(named("lua/app/config.lua"), "lua/app/config");
        assert_eq!(named("lua/app/init.lua"), "lua/app");
        assert_eq!(named("init.lua"), "init");
    }

    #[test]
    fn a_comment_at_the_top_that_stands_alone_is_the_files() {
        let doc = |source: &str| {
            let facts = extract(&LUA, Role::default(), source);
            facts.text.get(facts.module_doc).to_owned()
        };
        assert_eq!(
            doc("#!/usr/bin/lua\n--- Tools.\n-- More.\n\nlocal x = 1\n"),
            "Tools.\nMore."
        );
        assert_eq!(
            doc("--- Tools.\n-- @module tools\nlocal x = 1\n"),
            "Tools.\n@module tools"
        );
        assert_eq!(doc("--- Of x.\nlocal x = 1\n"), "");
        assert_eq!(doc("-- Copyright (c) Somebody\n\nlocal x = 1\n"), "");
        assert_eq!(doc("--[[ All of it. ]]\n\nlocal x = 1\n"), "All of it.");
    }
}
