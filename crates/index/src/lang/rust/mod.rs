//! Rust: definitions, attributes, documentation and imports. How crates and modules are named is in `crates`.

mod crates;
mod entry_points;
mod flow;
mod resolve;
mod uses;

use lore_model::{ImportFlags, Modifier, Modifiers, SymbolKind, Visibility, fold_whitespace};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, clean_block_doc, clean_line_doc};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

use crates::{is_test_file, module_name, module_path, roots};
use uses::{embeds, may_call, type_use};

pub(crate) static RUST: Language = Language {
    name: "rust",
    dialect: "rust",
    extensions: &["rs"],
    interpreters: &["rust-script"],
    separator: "::",
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    blank: blank_static_ref,
    statements: &["expression_statement", "let_declaration", "identifier", "token_tree"],
    rules: &[
        ("line_comment", Rule::Visit(comment)),
        ("block_comment", Rule::Visit(comment)),
        ("string_literal", Rule::Text),
        ("raw_string_literal", Rule::Text),
        ("source_file", Rule::Visit(file)),
        ("attribute_item", Rule::Visit(attribute)),
        ("use_declaration", Rule::Visit(import)),
        ("extern_crate_declaration", Rule::Visit(extern_crate)),
        ("type_identifier", Rule::Visit(type_use)),
        ("scoped_type_identifier", Rule::Visit(type_use)),
        ("mod_item", Rule::Visit(module)),
        ("impl_item", Rule::Visit(implementation)),
        ("function_item", Rule::Visit(function)),
        ("function_signature_item", Rule::Visit(function)),
        ("closure_expression", Rule::Visit(closure)),
        ("struct_item", Rule::Visit(structure)),
        ("union_item", Rule::Visit(structure)),
        ("field_declaration", Rule::Visit(field)),
        ("enum_item", Rule::Visit(enumeration)),
        ("enum_variant", Rule::Visit(variant)),
        ("trait_item", Rule::Visit(trait_item)),
        ("type_item", Rule::Visit(type_alias)),
        ("associated_type", Rule::Visit(type_alias)),
        ("const_item", Rule::Visit(value)),
        ("static_item", Rule::Visit(value)),
        ("macro_definition", Rule::Visit(macro_definition)),
        ("macro_invocation", Rule::Visit(macro_invocation)),
        ("if_expression", Rule::Decision),
        ("while_expression", Rule::Decision),
        ("loop_expression", Rule::Decision),
        ("for_expression", Rule::Decision),
        ("match_arm", Rule::Visit(match_arm)),
        ("binary_expression", Rule::Visit(binary)),
        ("let_chain", Rule::Visit(let_chain)),
    ],
    roots,
    module_name,
    is_test_file,
    entry_points: entry_points::ENTRY_POINTS,
    module_path: Some(module_path),
    flow: Some(&flow::RULES),
    embeds,
    ..Language::BASE
};

/// Marks a scope whose members are as visible as itself: a trait, an implementation of one, an enumeration member.
const PUBLIC_MEMBERS: u32 = 1;
/// Groups of comments before one item that are looked at.
const MAX_COMMENT_GROUPS: usize = 1_000;
/// Levels of braces in one `use` that are followed.
const MAX_USE_DEPTH: u32 = 64;

/// The node of a doc line reaches over the line's end.
fn comment(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let text = walker.text(node).trim_end_matches(['\n', '\r']);
    walker.comment(node.start_byte(), node.start_byte() + text.len());
    Flow::Skip
}

fn attribute(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    walker
        .attributes
        .push((node.start_byte() as u32, node.end_byte() as u32));
    Flow::Descend
}

/// How a piece of documentation is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DocForm {
    Line,
    Block,
    Attribute,
}

type DocPiece<'s> = (DocForm, &'s str);

/// The documentation that a comment holds for what it stands inside of, or else for what follows it.
fn doc_comment(comment: &str, inner: bool) -> Option<DocPiece<'_>> {
    let (line, block) = if inner { ("//!", "/*!") } else { ("///", "/**") };
    if comment.starts_with(line) {
        return (!comment.starts_with("////")).then_some((DocForm::Line, comment));
    }
    let is_block = comment.starts_with(block) && !comment.starts_with("/***") && comment.len() > 4;
    is_block.then_some((DocForm::Block, comment))
}

/// The text inside the brackets of an attribute.
fn attribute_text(attribute: &str) -> &str {
    let text = attribute.strip_prefix('#').unwrap_or(attribute).trim_start();
    let text = text.strip_prefix('!').unwrap_or(text).trim_start();
    let text = text.strip_prefix('[').unwrap_or(text);
    text.strip_suffix(']').unwrap_or(text).trim()
}

/// The literal of `doc = "…"`.
fn doc_attribute(attribute: &str) -> Option<DocPiece<'_>> {
    let value = attribute_text(attribute)
        .strip_prefix("doc")?
        .trim_start()
        .strip_prefix('=')?
        .trim();
    value.ends_with(['"', '#']).then_some((DocForm::Attribute, value))
}

/// What a string literal says.
fn unquoted(literal: &str) -> String {
    if let Some(raw) = literal.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return raw
            .strip_prefix('"')
            .and_then(|raw| raw.strip_suffix('"'))
            .unwrap_or(raw)
            .to_owned();
    }
    let body = literal
        .strip_prefix('"')
        .and_then(|body| body.strip_suffix('"'))
        .unwrap_or(literal);
    let mut text = String::with_capacity(body.len());
    let mut rest = body.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('\n') => rest = rest.as_str().trim_start().chars(),
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}

/// The pieces of documentation before an item, comments and attributes in any order.
fn outer_docs<'s>(walker: &Walker<'s>, item: usize) -> Vec<DocPiece<'s>> {
    let mut pieces = Vec::new();
    let mut attributes = walker.attributes.as_slice();
    let mut reached = item;
    let mut groups = 0;
    'pieces: while groups < MAX_COMMENT_GROUPS {
        let before = walker.slice(0, reached).trim_end().len();
        if let Some(((start, end), rest)) = attributes.split_last()
            && *end as usize == before
        {
            pieces.extend(doc_attribute(walker.slice(*start as usize, *end as usize)));
            attributes = rest;
            reached = *start as usize;
            continue;
        }
        let run = walker.comments_before(before);
        if run.last().is_none_or(|(_, end)| *end as usize != before) {
            break;
        }
        groups += 1;
        for (start, end) in run.iter().rev() {
            let comment = walker.slice(*start as usize, *end as usize);
            if doc_comment(comment, true).is_some() {
                break 'pieces;
            }
            pieces.extend(doc_comment(comment, false));
            reached = *start as usize;
        }
    }
    pieces.reverse();
    pieces
}

/// The pieces of documentation that open a body.
fn inner_docs<'s>(walker: &Walker<'s>, body: Node<'_>) -> Vec<DocPiece<'s>> {
    let mut pieces = Vec::new();
    for child in body.named_children() {
        match child.kind() {
            "line_comment" | "block_comment" => pieces.extend(doc_comment(walker.text(child), true)),
            "inner_attribute_item" => pieces.extend(doc_attribute(walker.text(child))),
            "shebang" => {}
            _ => break,
        }
    }
    pieces
}

fn join_docs(pieces: &[DocPiece<'_>]) -> Option<String> {
    let mut doc = String::new();
    for group in pieces.chunk_by(|one, next| one.0 == DocForm::Line && next.0 == DocForm::Line) {
        if !doc.is_empty() {
            doc.push('\n');
        }
        match group {
            [(DocForm::Block, block)] => doc.push_str(&clean_block_doc(block)),
            [(DocForm::Attribute, literal)] => doc.push_str(unquoted(literal).trim()),
            lines => doc.push_str(&clean_line_doc(lines.iter().map(|(_, line)| *line), &["///", "//!"])),
        }
    }
    (!doc.is_empty()).then_some(doc)
}

fn file(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(doc) = join_docs(&inner_docs(walker, node)) {
        walker.module_doc(&doc);
    }
    Flow::Descend
}

/// An identifier without the sign that makes it one.
fn plain(identifier: &str) -> &str {
    identifier.strip_prefix("r#").unwrap_or(identifier)
}

/// An item as its node shows it.
struct Item<'t> {
    kind: SymbolKind,
    node: Node<'t>,
    name: Node<'t>,
    /// Where the signature ends.
    end: usize,
    modifiers: Modifiers,
    /// The body whose first comments may speak of the item.
    body: Option<Node<'t>>,
}

impl<'t> Item<'t> {
    /// An item with its name; the signature ends where the body begins.
    fn new(kind: SymbolKind, node: Node<'t>) -> Option<Self> {
        let name = node.child_by_field_name("name")?;
        let end = node
            .child_by_field_name("body")
            .map_or(node.end_byte(), |body| body.start_byte());
        Some(Self {
            kind,
            node,
            name,
            end,
            modifiers: Modifiers::default(),
            body: None,
        })
    }

    fn define(self, walker: &mut Walker<'_>) -> u32 {
        let from = self.node.start_byte();
        let mut docs = outer_docs(walker, from);
        if let Some(body) = self.body
            && ["//", "/*", "#!"].iter().any(|sign| {
                walker
                    .slice(body.start_byte() + 1, body.end_byte())
                    .trim_start()
                    .starts_with(sign)
            })
        {
            docs.extend(inner_docs(walker, body));
        }
        let (attributes, start) = walker.take_attributes(from);
        let decorators: Vec<&str> = attributes.into_iter().map(attribute_text).collect();
        let visibility = match self.kind {
            SymbolKind::EnumMember => Visibility::Public,
            SymbolKind::Macro if decorators.iter().any(|one| one.starts_with("macro_export")) => Visibility::Public,
            _ => visibility(walker, self.node),
        };
        let is_test = self.kind.is_callable() && decorators.iter().any(|decorator| makes_test(decorator));
        let definition = walker.define(Draft {
            name: Draftee::Named(self.name, plain(walker.text(self.name))),
            signature: (from, self.end),
            doc: join_docs(&docs),
            visibility,
            modifiers: self.modifiers,
            decorators,
            ..Draft::new(if is_test { SymbolKind::Test } else { self.kind }, self.name, self.node)
        });
        if start != from {
            let line = walker.row_of(start) + 1;
            if let Some(definition) = walker.facts.definitions.get_mut(definition as usize) {
                definition.place.start_byte = (start as u32).into();
                definition.place.start_line = line.into();
            }
        }
        definition
    }
}

fn visibility(walker: &mut Walker<'_>, node: Node<'_>) -> Visibility {
    match node.child(0).filter(|first| first.kind() == "visibility_modifier") {
        Some(written) => match walker.text(written).split_once('(') {
            None if walker.text(written) == "pub" => Visibility::Public,
            Some((_, within)) if within.trim_end_matches(')').trim() == "self" => Visibility::Private,
            _ => Visibility::Internal,
        },
        None if walker.scope().mark & PUBLIC_MEMBERS != 0 => Visibility::Public,
        None => Visibility::Private,
    }
}

/// Whether an attribute makes a function a test.
fn makes_test(attribute: &str) -> bool {
    let path = attribute.split(['(', '=', '[', '{']).next().unwrap_or("").trim();
    matches!(
        path.rsplit("::").next().unwrap_or(path).trim(),
        "test" | "rstest" | "test_case" | "bench"
    )
}

fn function(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(mut item) = Item::new(SymbolKind::Function, node) else {
        return Flow::Descend;
    };
    if item.name.kind() == "metavariable" {
        walker.open_named("", SymbolKind::Function, 0);
        return Flow::Descend;
    }
    if walker.enclosing_kind().is_type() {
        item.kind = match takes_self(node) {
            true => SymbolKind::Method,
            false if walker.text(item.name) == "new" => SymbolKind::Constructor,
            false => SymbolKind::Function,
        };
    }
    item.modifiers = function_modifiers(node);
    item.body = node.child_by_field_name("body");
    let definition = item.define(walker);
    walker.open(definition);
    Flow::Descend
}

fn takes_self(function: Node<'_>) -> bool {
    let Some(parameters) = function.child_by_field_name("parameters") else {
        return false;
    };
    parameters
        .named_children()
        .find(|child| !matches!(child.kind(), "attribute_item" | "line_comment" | "block_comment"))
        .is_some_and(|first| {
            first.kind() == "self_parameter"
                || first
                    .child_by_field_name("pattern")
                    .is_some_and(|pattern| pattern.kind() == "self")
        })
}

fn function_modifiers(function: Node<'_>) -> Modifiers {
    let mut modifiers = Modifiers::default();
    let written = function
        .children()
        .take_while(|child| child.kind() != "fn")
        .find(|child| child.kind() == "function_modifiers");
    if let Some(written) = written {
        for word in written.children() {
            match word.kind() {
                "async" => modifiers.insert(Modifier::Async),
                "default" => modifiers.insert(Modifier::Default),
                "const" => modifiers.insert(Modifier::Const),
                "unsafe" => modifiers.insert(Modifier::Unsafe),
                "extern_modifier" => modifiers.insert(Modifier::Extern),
                _ => {}
            }
        }
    }
    modifiers
}

/// Whether a word stands between an item's start and its name.
fn has_word(item: &Item<'_>, word: &str) -> bool {
    item.node
        .children()
        .take_while(|child| *child != item.name)
        .any(|child| child.kind() == word)
}

fn closure(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let end = node
        .child_by_field_name("body")
        .map_or(node.end_byte(), |body| body.start_byte());
    let definition = walker.define(Draft {
        signature: (node.start_byte(), end),
        ..Draft::anonymous(SymbolKind::Function, "lambda", node)
    });
    walker.open(definition);
    Flow::Descend
}

fn structure(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(mut item) = Item::new(SymbolKind::Struct, node) else {
        return Flow::Descend;
    };
    if node
        .child_by_field_name("body")
        .is_some_and(|body| body.kind() == "ordered_field_declaration_list")
    {
        item.end = node.end_byte();
    }
    let definition = item.define(walker);
    walker.open(definition);
    Flow::Descend
}

fn field(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(item) = Item::new(SymbolKind::Field, node) {
        item.define(walker);
    }
    Flow::Descend
}

fn enumeration(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(item) = Item::new(SymbolKind::Enum, node) else {
        return Flow::Descend;
    };
    let definition = item.define(walker);
    walker.open(definition);
    Flow::Descend
}

fn variant(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(mut item) = Item::new(SymbolKind::EnumMember, node) else {
        return Flow::Descend;
    };
    if node
        .child_by_field_name("body")
        .is_some_and(|body| body.kind() == "ordered_field_declaration_list")
    {
        item.end = node.end_byte();
    }
    let definition = item.define(walker);
    walker.open_marked(definition, PUBLIC_MEMBERS);
    Flow::Descend
}

fn trait_item(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(mut item) = Item::new(SymbolKind::Trait, node) else {
        return Flow::Descend;
    };
    if has_word(&item, "unsafe") {
        item.modifiers.insert(Modifier::Unsafe);
    }
    item.body = node.child_by_field_name("body");
    let definition = item.define(walker);
    walker.open_marked(definition, PUBLIC_MEMBERS);
    Flow::Descend
}

fn type_alias(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(item) = Item::new(SymbolKind::TypeAlias, node) {
        item.define(walker);
    }
    Flow::Descend
}

fn value(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let kind = if node.kind() == "const_item" {
        SymbolKind::Constant
    } else {
        SymbolKind::Static
    };
    let Some(mut item) = Item::new(kind, node) else {
        return Flow::Descend;
    };
    if walker.text(item.name) == "_" {
        return Flow::Descend;
    }
    if kind == SymbolKind::Static && has_word(&item, "mutable_specifier") {
        item.modifiers.insert(Modifier::Mut);
    }
    let definition = item.define(walker);
    if !walker.in_function() {
        walker.open(definition);
    }
    Flow::Descend
}

/// Macros that wrap items (`cfg_net! { … }`, `pin_project! { … }`) leave them as tokens; what reads as items is read as items.
fn macro_invocation(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let stands_for_items = !walker.in_function()
        && walker.parent().is_some_and(|parent| {
            matches!(
                parent.kind(),
                "source_file" | "declaration_list" | "expression_statement"
            )
        });
    if !stands_for_items
        && let Some(tokens) = child_of_kind(node, &["token_tree"])
        && may_call(walker.text(node), tokens)
    {
        walker.embed(tokens);
    }
    if walker.in_function() {
        return Flow::Descend;
    }
    let last = node.child_count().checked_sub(1).and_then(|last| node.child(last));
    if let Some(tokens) = last.filter(|last| last.kind() == "token_tree" && last.end_byte() > last.start_byte() + 2) {
        walker.nest(tokens);
    }
    Flow::Descend
}

/// `lazy_static!` writes `static ref NAME`, which no grammar knows: the `ref` is blanked out.
fn blank_static_ref(source: &str) -> Option<String> {
    source
        .contains("static ref ")
        .then(|| source.replace("static ref ", "static     "))
}

fn macro_definition(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(mut item) = Item::new(SymbolKind::Macro, node) {
        item.end = item.name.end_byte();
        item.define(walker);
    }
    Flow::Descend
}

fn module(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(mut item) = Item::new(SymbolKind::Module, node) else {
        return Flow::Descend;
    };
    item.body = node.child_by_field_name("body");
    if item.body.is_none() {
        let name = plain(walker.text(item.name));
        walker.import(node, name, "", name, ImportFlags::MODULE);
        return Flow::Descend;
    }
    let definition = item.define(walker);
    walker.open(definition);
    Flow::Descend
}

fn implementation(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(implementing) = node.child_by_field_name("type") else {
        return Flow::Descend;
    };
    let name = type_name(walker, implementing);
    let mark = if node.child_by_field_name("trait").is_some() {
        PUBLIC_MEMBERS
    } else {
        0
    };
    walker.open_named(&name, SymbolKind::Struct, mark);
    Flow::Descend
}

/// The bare name of a type, whatever references, paths and generics surround it.
fn type_name(walker: &Walker<'_>, mut node: Node<'_>) -> String {
    loop {
        let inner = match node.kind() {
            "type_identifier" | "primitive_type" => return plain(walker.text(node)).to_owned(),
            "reference_type" | "pointer_type" | "generic_type" | "higher_ranked_trait_bound" => {
                node.child_by_field_name("type")
            }
            "scoped_type_identifier" => node.child_by_field_name("name"),
            "dynamic_type" | "abstract_type" | "function_type" => node.child_by_field_name("trait"),
            "bounded_type" | "removed_trait_bound" => node.named_children().find(|child| child.kind() != "lifetime"),
            "tuple_type" if !walker.text(node).contains(',') => node.named_child(0),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return fold_whitespace(walker.text(node)),
        }
    }
}

fn match_arm(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(pattern) = node.child_by_field_name("pattern") else {
        return Flow::Descend;
    };
    if pattern.child_by_field_name("condition").is_some() {
        walker.decisions(2);
    } else if pattern.child(0).is_none_or(|first| first.kind() != "_") {
        walker.decision();
    }
    Flow::Descend
}

fn binary(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if node
        .child_by_field_name("operator")
        .is_some_and(|operator| matches!(operator.kind(), "&&" | "||"))
    {
        walker.decision();
    }
    Flow::Descend
}

fn let_chain(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let ands = node.children().filter(|child| child.kind() == "&&").count();
    walker.decisions(ands as u32);
    Flow::Descend
}

fn extern_crate(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(name) = node.child_by_field_name("name") else {
        return Flow::Descend;
    };
    let name = plain(walker.text(name));
    let local = node
        .child_by_field_name("alias")
        .map_or(name, |alias| bound(walker.text(alias)));
    walker.import(node, name, "", local, reexport(node));
    Flow::Descend
}

fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(tree) = node.child_by_field_name("argument") {
        import_tree(walker, tree, "", reexport(node), 0);
    }
    Flow::Descend
}

fn reexport(node: Node<'_>) -> u8 {
    if node.child(0).is_some_and(|first| first.kind() == "visibility_modifier") {
        ImportFlags::REEXPORT
    } else {
        0
    }
}

/// What an alias binds: `_` nothing.
fn bound(alias: &str) -> &str {
    if alias == "_" { "" } else { plain(alias) }
}

/// Records every name that a tree of a `use` binds.
fn import_tree(walker: &mut Walker<'_>, tree: Node<'_>, prefix: &str, flags: u8, depth: u32) {
    match tree.kind() {
        "scoped_use_list" => {
            let prefix = tree
                .child_by_field_name("path")
                .map_or_else(|| prefix.to_owned(), |path| joined(walker, prefix, path));
            if let Some(list) = tree.child_by_field_name("list") {
                import_list(walker, list, &prefix, flags, depth);
            }
        }
        "use_list" => import_list(walker, tree, prefix, flags, depth),
        "use_wildcard" => {
            let module = match tree.named_child(0) {
                Some(path) => joined(walker, prefix, path),
                None => prefix.to_owned(),
            };
            walker.import(tree, &module, "*", "*", flags);
        }
        "use_as_clause" => {
            let (Some(path), Some(alias)) = (tree.child_by_field_name("path"), tree.child_by_field_name("alias"))
            else {
                return;
            };
            let path = joined(walker, prefix, path);
            let (module, name) = parted(&path);
            walker.import(tree, module, name, bound(walker.text(alias)), flags);
        }
        "line_comment" | "block_comment" => {}
        _ => {
            let path = joined(walker, prefix, tree);
            let (module, name) = parted(&path);
            let local = match name {
                "" => module.rsplit("::").next().unwrap_or(module),
                name => name,
            };
            walker.import(tree, module, name, local, flags);
        }
    }
}

fn import_list(walker: &mut Walker<'_>, list: Node<'_>, prefix: &str, flags: u8, depth: u32) {
    if depth >= MAX_USE_DEPTH {
        return;
    }
    for tree in list.named_children() {
        import_tree(walker, tree, prefix, flags, depth + 1);
    }
}

/// A path after a prefix, without white space, the signs of raw identifiers and the `::` that leads it.
fn joined(walker: &Walker<'_>, prefix: &str, path: Node<'_>) -> String {
    let written = walker.text(path);
    let mut joined = prefix.to_owned();
    for part in written.split("::").map(str::trim).filter(|part| !part.is_empty()) {
        if !joined.is_empty() {
            joined.push_str("::");
        }
        joined.push_str(plain(part));
    }
    joined
}

/// The module and the name of a path; a single part and `a::self` are modules themselves.
fn parted(path: &str) -> (&str, &str) {
    match path.rsplit_once("::") {
        Some((module, "self")) => (module, ""),
        Some((module, name)) => (module, name),
        None => (path, ""),
    }
}

#[cfg(test)]
mod tests {
    use lore_model::RepoPath;

    use super::*;
    use crate::extract::extract;
    use crate::language::Role;
    use crate::layout::Layout;

    fn outline(source: &str) -> Vec<String> {
        crate::extract::outline(&RUST, source)
    }

    fn named(files: &[&str], manifests: &[(&str, &str)], path: &str) -> String {
        let repo_path = |path: &str| RepoPath::new(path).expect("the path is relative");
        let mut paths: Vec<_> = files.iter().map(|path| repo_path(path)).collect();
        paths.sort();
        let package_files: Vec<_> = manifests
            .iter()
            .map(|(path, text)| (repo_path(path), (*text).to_owned()))
            .collect();
        let roots = roots(&Layout {
            paths: &paths,
            package_files: &package_files,
        });
        module_name(&roots, &repo_path(path), "")
    }

    #[test]
    fn packages_keep_their_files_where_cargo_looks() {
        let files = ["crates/a/src/lib.rs", "crates/a/src/main.rs", "crates/b/src/main.rs"];
        let manifests = [
            ("Cargo.toml", "[workspace]\nmembers = []"),
            ("crates/a/Cargo.toml", "[package]\nname = \"my-crate\""),
            ("crates/b/Cargo.toml", "[package]\nname = \"tool\""),
        ];
        for (path, module) in [
            ("crates/a/src/lib.rs", "my_crate"),
            ("crates/a/src/main.rs", "my_crate::main"),
            ("crates/a/src/x.rs", "my_crate::x"),
            ("crates/a/src/x/mod.rs", "my_crate::x"),
            ("crates/a/src/x/y.rs", "my_crate::x::y"),
            ("crates/a/src/bin/one-two.rs", "my_crate::bin::one_two"),
            ("crates/a/src/bin/one/main.rs", "my_crate::bin::one"),
            ("crates/a/src/bin/one/args.rs", "my_crate::bin::one::args"),
            ("crates/a/tests/api.rs", "my_crate::tests::api"),
            ("crates/a/tests/common/mod.rs", "my_crate::tests::common"),
            ("crates/a/examples/big/main.rs", "my_crate::examples::big"),
            ("crates/a/benches/speed.rs", "my_crate::benches::speed"),
            ("crates/a/build.rs", "my_crate::build"),
            ("crates/b/src/main.rs", "tool"),
            ("crates/b/src/args.rs", "tool::args"),
            ("loose/a.rs", "crate::loose::a"),
        ] {
            assert_eq!(named(&files, &manifests, path), module, "{path}");
        }
    }

    #[test]
    fn manifests_may_put_targets_elsewhere() {
        let files = ["code/library.rs", "code/inner.rs", "tool.rs"];
        let manifest = "[package]\nname = \"p\"\n[lib]\nname = \"q\"\npath = \"code/library.rs\"\n\
            [[bin]]\nname = \"the-tool\"\npath = \"tool.rs\"\n[[test]]\nname = \"t\"\npath = \"checks/t.rs\"";
        let manifests = [("Cargo.toml", manifest)];
        for (path, module) in [
            ("code/library.rs", "q"),
            ("code/inner.rs", "q::inner"),
            ("tool.rs", "q::bin::the_tool"),
            ("checks/t.rs", "q::tests::t"),
        ] {
            assert_eq!(named(&files, &manifests, path), module, "{path}");
        }
        let alone = [(
            "Cargo.toml",
            "[package]\nname = \"p\"\n[[bin]]\nname = \"x\"\npath = \"app/run.rs\"",
        )];
        assert_eq!(named(&["app/run.rs"], &alone, "app/run.rs"), "p");
        assert_eq!(named(&["app/run.rs"], &alone, "app/args.rs"), "p::args");
    }

    #[test]
    fn without_a_manifest_the_crate_has_no_name() {
        for (path, module) in [
            ("src/lib.rs", "crate"),
            ("main.rs", "crate"),
            ("src/a/b.rs", "crate::a::b"),
            ("a/lib.rs", "crate::a::lib"),
            ("a/mod.rs", "crate::a"),
        ] {
            assert_eq!(named(&[], &[], path), module, "{path}");
        }
    }

    #[test]
    fn attributes_and_their_literals() {
        assert_eq!(attribute_text("# [ inline ]"), "inline");
        assert_eq!(attribute_text("#![doc = \"x\"]"), "doc = \"x\"");
        assert!(doc_attribute("#[doc(hidden)]").is_none());
        assert!(doc_attribute("#[doc = include_str!(\"a.md\")]").is_none());
        assert_eq!(unquoted("\"a \\\"b\\\"\\n c\""), "a \"b\"\n c");
        assert_eq!(unquoted("r#\"a \"b\" \\n\"#"), "a \"b\" \\n");
        assert!(makes_test("tokio::test(flavor = \"x\")") && makes_test("test") && makes_test("test_case(1)"));
        assert!(!makes_test("cfg(test)") && !makes_test("tests"));
    }

    #[test]
    fn docs_and_attributes_stand_in_any_order() {
        let source = "/// One.\n#[doc = \"Two.\"]\n/* no */\n#[inline] // no\n\n/// Three.\npub fn a() {}\nfn b() {\n    // no\n    //! In b.\n}\n\
            enum E { /// Of A.\n A, B }\n#[cfg(x)]\nimpl E { fn c() {} }\n";
        let expected = [
            "function a 1 \"One.\\nTwo.\\nThree.\"",
            "function b 1 \"In b.\"",
            "enum E 0",
            "enum_member E::A 0 \"Of A.\"",
            "enum_member E::B 0",
            "function E::c 1",
        ];
        assert_eq!(outline(source), expected);
        let facts = extract(&RUST, Role::default(), source);
        let first = &facts.definitions[0];
        assert_eq!(
            (
                first.place.start_line.get(),
                first.place.line.get(),
                first.decorators.len.get()
            ),
            (2, 7, 2)
        );
        assert_eq!(facts.definitions[5].decorators.len.get(), 0);
    }

    #[test]
    fn the_file_documents_itself_inside() {
        let facts = extract(
            &RUST,
            Role::default(),
            "#!/bin/x\n// no\n//! One.\n//!\n#![doc = \"Two.\"]\nuse a;\n",
        );
        assert_eq!(facts.text.get(facts.module_doc), "One.\nTwo.");
        assert_eq!(
            (
                facts.lines.code.get(),
                facts.lines.comment.get(),
                facts.lines.blank.get()
            ),
            (3, 3, 0)
        );
    }

    #[test]
    fn members_hang_on_the_bare_name_of_their_type() {
        for (implemented, owner) in [
            ("&'a mut a::Foo<T>", "Foo"),
            ("[T]", "[T]"),
            ("(A,\n B)", "(A, B)"),
            ("dyn Tr + Send", "Tr"),
            ("&'a (dyn x::Tr + 'a)", "Tr"),
            ("Box<dyn Fn(u8)>", "Box"),
            ("*const u8", "u8"),
            ("fn(T) -> u8", "fn(T) -> u8"),
            ("r#type", "type"),
        ] {
            let source = format!("impl T for {implemented} {{ fn m() {{}} }}");
            assert_eq!(outline(&source), [format!("function {owner}::m 1")]);
        }
    }

    #[test]
    fn only_operators_of_expressions_count() {
        let source = "fn a() { let c = || b(|| x || y); assert!(x && y); let Some(z) = x else { return }; if let A = x && let B = y || z {} }\n\
            fn d(x: u8) { match x { 1 if x > 0 => {} _ if x > 1 => {} _ => {} } }\nmacro_rules! m { () => { if x && y {} } }\n";
        let expected = [
            "function a 4",
            "function a::<lambda1> 1",
            "function a::<lambda1>::<lambda1> 2",
            "function d 5",
            "macro m 1",
        ];
        assert_eq!(outline(source), expected);
    }

    #[test]
    fn values_hold_what_stands_in_them_and_unnamed_ones_nothing() {
        let source = "const _: () = { fn a() {} };\nstatic S: u8 = { fn b() {} 1 };\nfn c() { const K: u8 = if x { 1 } else { 2 }; }\n";
        let expected = [
            "function a 1",
            "static S 0",
            "function S::b 1",
            "function c 2",
            "constant c::K 0",
        ];
        assert_eq!(outline(source), expected);
    }
}
