//! JSON, also with comments and in the relaxed form of JSON5: the keys at the top level.

mod relaxed;

use lore_model::SymbolKind;

use crate::extract::{Draft, Draftee, Walker};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static JSON: Language = Language {
    name: "json",
    dialect: "json",
    extensions: &[
        "json",
        "jsonc",
        "json5",
        "jsonld",
        "geojson",
        "topojson",
        "webmanifest",
        "har",
        "avsc",
        "tfstate",
        "code-workspace",
        "sublime-project",
        "sublime-settings",
        "sublime-keymap",
    ],
    file_names: &[
        "composer.lock",
        "Pipfile.lock",
        "deno.lock",
        "flake.lock",
        "bun.lock",
        ".all-contributorsrc",
        ".arcconfig",
        ".arclint",
        ".babelrc",
        ".bowerrc",
        ".c8rc",
        ".eslintrc",
        ".htmlhintrc",
        ".jscsrc",
        ".jshintrc",
        ".jslintrc",
        ".lintstagedrc",
        ".nycrc",
        ".prettierrc",
        ".stylelintrc",
        ".swcrc",
        ".tern-project",
        ".watchmanconfig",
    ],
    grammar: || tree_sitter_json::LANGUAGE.into(),
    blank: relaxed::strict,
    rules: &[
        ("comment", Rule::Comment),
        ("array", Rule::Visit(array)),
        ("pair", Rule::Visit(pair)),
    ],
    module_name: |_, path, _| path.as_str().to_owned(),
    ..Language::BASE
};

/// Bytes of a value that is shown beside its key.
const MAX_VALUE: usize = 100;

/// Whether a value is short enough to be shown beside its key: one line, and not a long one.
pub(super) fn is_short(value: Node<'_>) -> bool {
    value.start_position().row == value.end_position().row && value.end_byte() - value.start_byte() <= MAX_VALUE
}

/// Whether to go on below a value: only comments are looked for there.
fn below(walker: &Walker<'_>, node: Node<'_>) -> Flow {
    let text = walker.text(node);
    if text.contains("//") || text.contains("/*") {
        Flow::Descend
    } else {
        Flow::Skip
    }
}

fn array(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    match walker.ancestors().nth(1) {
        None => below(walker, node),
        Some(_) => Flow::Descend,
    }
}

/// A pair of the outermost object is a key; what is below it is a value.
fn pair(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let key = node.child_by_field_name("key");
    let Some(key) = key.filter(|_| walker.ancestors().nth(2).is_none()) else {
        return Flow::Descend;
    };
    let value = node.child_by_field_name("value");
    let shown = value.filter(|value| !matches!(value.kind(), "object" | "array") && is_short(*value));
    let text = walker.text(key);
    let name = text.strip_prefix(['"', '\'']).unwrap_or(text);
    let name = name.strip_suffix(['"', '\'']).unwrap_or(name);
    walker.define(Draft {
        name: Draftee::Named(key, name),
        signature: (node.start_byte(), shown.unwrap_or(key).end_byte()),
        ..Draft::new(SymbolKind::Key, key, node)
    });
    below(walker, node)
}
