//! YAML: the keys at the top level of every document of a file.

mod depth;
mod quotes;

use lore_model::SymbolKind;

use super::json::is_short;
use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static YAML: Language = Language {
    name: "yaml",
    dialect: "yaml",
    extensions: &["yaml", "yml", "eyaml", "cff", "sublime-syntax"],
    file_names: &[
        ".clang-format",
        ".clang-tidy",
        ".clangd",
        ".gemrc",
        ".yamllint",
        "glide.lock",
        "pubspec.lock",
    ],
    grammar: || tree_sitter_yaml::LANGUAGE.into(),
    blank: readable,
    rules: &[
        ("comment", Rule::Comment),
        ("double_quote_scalar", Rule::Text),
        ("single_quote_scalar", Rule::Text),
        ("block_mapping_pair", Rule::Visit(pair)),
        ("flow_pair", Rule::Visit(pair)),
    ],
    module_name: |_, path, _| path.as_str().to_owned(),
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["#"],
    block: &[],
    except: &["#!", "# yamllint", "# yaml-language-server", "# ansible-lint"],
};

/// The text in a form that the grammar can parse.
fn readable(source: &str) -> Option<String> {
    let blanked = quotes::blank_outdented(source);
    depth::bounded(blanked.as_deref().unwrap_or(source)).or(blanked)
}

/// A document of a stream has this many nodes above its pairs.
const TOP: usize = 4;

/// A pair of a document's own mapping is a key; below it only comments and texts are looked for.
fn pair(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if !is_top(walker, node) {
        return Flow::Descend;
    }
    if let Some(key) = node.child_by_field_name("key")
        && let Some((place, name)) = key_name(walker, key)
    {
        let value = node.child_by_field_name("value");
        let shown = value.filter(|value| is_scalar(*value) && is_short(*value));
        let doc = walker.doc_above(node.start_byte(), &DOC);
        walker.define(Draft {
            name: Draftee::Named(place, name),
            signature: (key.start_byte(), shown.unwrap_or(key).end_byte()),
            doc,
            ..Draft::new(SymbolKind::Key, place, node)
        });
    }
    if walker.text(node).contains(['#', '"', '\'']) {
        Flow::Descend
    } else {
        Flow::Skip
    }
}

/// Whether a pair is at the top level; among errors only its column shows this.
fn is_top(walker: &Walker<'_>, node: Node<'_>) -> bool {
    let mut ancestors = walker.ancestors();
    for ancestor in ancestors.by_ref().take(TOP) {
        match ancestor.kind() {
            "block_mapping_pair" | "flow_pair" | "block_sequence_item" | "flow_sequence" => return false,
            "ERROR" => return node.start_position().column == 0,
            _ => {}
        }
    }
    ancestors.next().is_none()
}

/// The scalar of a key, and its text; a merge is not a name.
fn key_name<'t>(walker: &Walker<'t>, key: Node<'t>) -> Option<(Node<'t>, &'t str)> {
    let scalar = child_of_kind(key, &["plain_scalar", "double_quote_scalar", "single_quote_scalar"])?;
    let text = walker.text(scalar);
    let name = match scalar.kind() {
        "plain_scalar" => text,
        _ => text.get(1..text.len().saturating_sub(1))?,
    };
    (!name.contains('\n') && name != "<<").then_some((scalar, name))
}

fn is_scalar(value: Node<'_>) -> bool {
    child_of_kind(
        value,
        &["plain_scalar", "double_quote_scalar", "single_quote_scalar", "alias"],
    )
    .is_some()
}
