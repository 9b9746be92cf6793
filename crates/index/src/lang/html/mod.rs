//! HTML at the level that helps to find one's way: headings, elements with an id, the scripts and styles a page uses.

mod depth;

use lore_model::{RepoPath, SymbolKind};

use crate::extract::{Draft, Draftee, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static HTML: Language = Language {
    name: "html",
    dialect: "html",
    extensions: &["html", "htm", "xhtml"],
    minified: true,
    separator: " > ",
    blank,
    grammar: || tree_sitter_html::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("element", Rule::Visit(element)),
        ("script_element", Rule::Visit(script)),
        ("style_element", Rule::Visit(with_id)),
    ],
    module_name: |_, path: &RepoPath, _| path.as_str().to_owned(),
    ..Language::BASE
};

/// What would make the grammar slow.
fn blank(source: &str) -> Option<String> {
    let blanked = blank_open_comments(source);
    depth::bounded(blanked.as_deref().unwrap_or(source)).or(blanked)
}

/// Comments that nothing closes: for each of them the grammar would read to the end of the file and begin anew.
fn blank_open_comments(source: &str) -> Option<String> {
    let closed = source.rfind("-->").map_or(0, |at| at + 3);
    let (before, after) = source.split_at(closed);
    after
        .contains("<!--")
        .then(|| format!("{before}{}", after.replace("<!--", "    ")))
}

/// The nodes looked through for the text of a heading.
const HEADING_NODES: usize = 32;

/// The value of an attribute of a tag.
fn attribute<'t>(walker: &Walker<'t>, tag: Node<'t>, wanted: &str) -> Option<Node<'t>> {
    children_of_kind(tag, &["attribute"]).into_iter().find_map(|attribute| {
        let name = child_of_kind(attribute, &["attribute_name"])?;
        if !walker.text(name).eq_ignore_ascii_case(wanted) {
            return None;
        }
        match child_of_kind(attribute, &["quoted_attribute_value", "attribute_value"])? {
            quoted if quoted.kind() == "quoted_attribute_value" => child_of_kind(quoted, &["attribute_value"]),
            plain => Some(plain),
        }
    })
}

fn tag_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    child_of_kind(node, &["start_tag", "self_closing_tag"])
}

fn element<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(tag) = tag_of(node) else {
        return Flow::Descend;
    };
    let name = child_of_kind(tag, &["tag_name"]).map_or("", |name| walker.text(name));
    if name.eq_ignore_ascii_case("link")
        && let Some(path) = attribute(walker, tag, "href")
    {
        walker.import(node, walker.text(path), "*", "", 0);
    }
    let is_heading = matches!(name.as_bytes(), [b'h' | b'H', b'1'..=b'6']);
    if is_heading && let Some(text) = heading_text(node) {
        let shown = walker.text(text);
        let shown = shown.lines().next().unwrap_or(shown).trim();
        walker.define(Draft {
            name: Draftee::Named(text, shown),
            at_module: true,
            ..Draft::new(SymbolKind::Section, text, node)
        });
    }
    with_id(walker, node)
}

/// The first text inside a heading.
fn heading_text(heading: Node<'_>) -> Option<Node<'_>> {
    let mut waiting = vec![heading];
    for _ in 0..HEADING_NODES {
        let node = waiting.pop()?;
        if node.kind() == "text" {
            return Some(node);
        }
        let children: Vec<Node<'_>> = node.named_children().collect();
        waiting.extend(children.into_iter().rev());
    }
    None
}

/// An element that can be linked to. Whatever encloses it, its name is one of the page's.
fn with_id<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(tag) = tag_of(node)
        && let Some(id) = attribute(walker, tag, "id")
    {
        walker.define(Draft {
            signature: (tag.start_byte(), tag.end_byte()),
            at_module: true,
            ..Draft::new(SymbolKind::Key, id, node)
        });
    }
    Flow::Descend
}

fn script<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(path) = tag_of(node).and_then(|tag| attribute(walker, tag, "src")) {
        walker.import(node, walker.text(path), "*", "", 0);
    }
    with_id(walker, node)
}
