//! TOML: the keys at the top level, and the tables.

use lore_model::SymbolKind;

use super::json::is_short;
use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static TOML: Language = Language {
    name: "toml",
    dialect: "toml",
    extensions: &["toml"],
    file_names: &[
        "Cargo.lock",
        "Gopkg.lock",
        "Pipfile",
        "pdm.lock",
        "poetry.lock",
        "uv.lock",
    ],
    grammar: || tree_sitter_toml_ng::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("string", Rule::Text),
        ("pair", Rule::Visit(pair)),
        ("table", Rule::Visit(table)),
        ("table_array_element", Rule::Visit(table)),
    ],
    module_name: |_, path, _| path.as_str().to_owned(),
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["#"],
    block: &[],
    except: &["#:schema", "#!"],
};

const KEYS: &[&str] = &["bare_key", "quoted_key", "dotted_key"];

/// A pair that stands in no table is a key.
fn pair(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let is_top = walker.ancestors().nth(1).is_none();
    if let Some(key) = child_of_kind(node, KEYS).filter(|_| is_top) {
        let shown =
            last_part(node).filter(|value| !matches!(value.kind(), "array" | "inline_table") && is_short(*value));
        define(walker, key, node, (key.start_byte(), shown.unwrap_or(key).end_byte()));
    }
    Flow::Descend
}

/// A table is named by its path, as is each element of an array of tables.
fn table(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(key) = child_of_kind(node, KEYS) else {
        return Flow::Descend;
    };
    let header_end = child_of_kind(node, &["]", "]]"]).unwrap_or(key).end_byte();
    let definition = define(walker, key, node, (node.start_byte(), header_end));
    // What the grammar counts to a table goes on to the next one: empty lines, and the comments above that.
    let last = node
        .children()
        .filter(|child| child.kind() == "pair")
        .last()
        .map_or(header_end, |pair| pair.end_byte());
    walker.end_at(definition, last);
    Flow::Descend
}

/// Records a key under its path, without quotes where the whole is quoted and without white space around dots.
fn define(walker: &mut Walker<'_>, key: Node<'_>, node: Node<'_>, signature: (usize, usize)) -> u32 {
    let name = match key.kind() {
        "dotted_key" => dotted(walker, key),
        "quoted_key" => walker.text(key).trim_matches(['"', '\'']).to_owned(),
        _ => walker.text(key).to_owned(),
    };
    let doc = walker.doc_above(node.start_byte(), &DOC);
    walker.define(Draft {
        name: Draftee::Named(key, &name),
        signature,
        doc,
        ..Draft::new(SymbolKind::Key, key, node)
    })
}

/// The parts of a dotted key, which lean to the left, with nothing but dots between them.
fn dotted(walker: &Walker<'_>, key: Node<'_>) -> String {
    let mut parts = Vec::new();
    let mut node = key;
    while node.kind() == "dotted_key" {
        parts.extend(last_part(node).map(|part| walker.text(part)));
        match node.named_child(0) {
            Some(first) => node = first,
            None => break,
        }
    }
    parts.push(walker.text(node));
    parts.reverse();
    parts.join(".")
}

/// The last child that means something.
fn last_part(node: Node<'_>) -> Option<Node<'_>> {
    node.named_children().filter(|child| child.kind() != "comment").last()
}
