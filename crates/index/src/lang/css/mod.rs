//! CSS: what rules speak of, named at-rules, custom properties, imports.

use lore_model::SymbolKind;

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static CSS: Language = Language {
    name: "css",
    dialect: "css",
    extensions: &["css", "pcss"],
    minified: true,
    separator: " > ",
    grammar: || tree_sitter_css::LANGUAGE.into(),
    rules: &[
        ("comment", Rule::Comment),
        ("js_comment", Rule::Comment),
        ("rule_set", Rule::Visit(rule_set)),
        ("keyframes_statement", Rule::Visit(at_rule)),
        ("media_statement", Rule::Visit(at_rule)),
        ("supports_statement", Rule::Visit(at_rule)),
        ("scope_statement", Rule::Visit(at_rule)),
        ("at_rule", Rule::Visit(at_rule)),
        ("keyframe_block_list", Rule::Leaf),
        ("import_statement", Rule::Visit(import)),
        ("declaration", Rule::Visit(declaration)),
        ("string_value", Rule::Text),
    ],
    module_name: |_, path, _| path.as_str().to_owned(),
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &[],
    block: &[("/*", "*/")],
    except: &[],
};

/// Levels of rules inside rules that are named; what is deeper is generated.
const MAX_LEVELS: usize = 16;

/// Each selector of a rule; the first one holds what stands in the rule.
fn rule_set(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(selectors) = child_of_kind(node, &["selectors"]) else {
        return Flow::Descend;
    };
    if walker.scopes.len() > MAX_LEVELS {
        return Flow::Descend;
    }
    let doc = walker.doc_above(node.start_byte(), &DOC);
    let mut first = None;
    for selector in selectors.named_children() {
        if matches!(selector.kind(), "comment" | "js_comment") {
            continue;
        }
        let definition = walker.define(Draft {
            signature: (selectors.start_byte(), selectors.end_byte()),
            doc: doc.clone(),
            ..Draft::new(SymbolKind::Selector, selector, node)
        });
        first.get_or_insert(definition);
    }
    if let Some(first) = first {
        walker.open(first);
    }
    Flow::Descend
}

/// `@keyframes spin`, `@media print`, `@layer base`: named as written, up to their block.
fn at_rule<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(block) = child_of_kind(node, &["block", "keyframe_block_list"]) else {
        return Flow::Descend;
    };
    if walker.scopes.len() > MAX_LEVELS {
        return Flow::Descend;
    }
    let head = walker.slice(node.start_byte(), block.start_byte()).trim();
    let name = head.lines().next().unwrap_or(head).trim_end();
    let definition = walker.define(Draft {
        name: Draftee::Named(node, name),
        signature: (node.start_byte(), block.start_byte()),
        doc: walker.doc_above(node.start_byte(), &DOC),
        ..Draft::new(SymbolKind::Selector, node, node)
    });
    walker.open(definition);
    Flow::Descend
}

/// `--name: value` is a value that others use.
fn declaration(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    if let Some(name) = child_of_kind(node, &["property_name"])
        && walker.text(name).starts_with("--")
    {
        walker.define(Draft {
            doc: walker.doc_above(node.start_byte(), &DOC),
            ..Draft::new(SymbolKind::Constant, name, node)
        });
    }
    Flow::Descend
}

fn import(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let mut waiting = vec![node];
    // The path is a string, or a string or plain text in `url(…)`.
    while let Some(inner) = waiting.pop() {
        if matches!(inner.kind(), "string_value" | "plain_value") {
            let path = walker.text(inner).trim_matches(['"', '\'']).to_owned();
            walker.import(node, &path, "*", "*", 0);
            break;
        }
        let children: Vec<Node<'_>> = inner.named_children().collect();
        waiting.extend(children.into_iter().rev().take(8));
    }
    Flow::Descend
}
