//! What `use` and `require` do in Perl: imports, and the constants of `use constant`.

use lore_model::SymbolKind;

use super::{DOCS, has_word, owner, visibility};
use crate::extract::{Draft, Draftee, Walker, child_of_kind};
use crate::language::Flow;
use crate::syntax::Node;

/// Modules that say how the rest is read and export nothing.
fn is_pragma(module: &str) -> bool {
    !module.contains("::") && module.starts_with(|letter: char| letter.is_ascii_lowercase())
}

pub(super) fn use_statement<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let Some(module) = node.child_by_field_name("module") else {
        return Flow::Descend;
    };
    let is_use = has_word(walker, node, "use");
    match walker.text(module) {
        "constant" if is_use => constants(walker, node, module),
        "parent" | "base" if is_use => {
            let names = words(walker, node, module);
            if names.iter().all(|(_, name)| *name != "-norequire") {
                for (node, name) in names {
                    walker.import(node, name, "", name, 0);
                }
            }
        }
        name if is_use && !is_pragma(name) => imported_names(walker, node, module),
        _ => {}
    }
    Flow::Descend
}

/// `use Module;`, `use Module qw(name :tag);`
fn imported_names<'t>(walker: &mut Walker<'t>, node: Node<'t>, module: Node<'t>) {
    let name = walker.text(module);
    let mut found = false;
    let listed = !has_pairs(node);
    for (node, word) in words(walker, node, module).into_iter().filter(|_| listed) {
        let word = word.trim_start_matches('&');
        if word.starts_with(':') {
            walker.import(node, name, "*", "*", 0);
        } else if word.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '$' | '@' | '%')) {
            walker.import(node, name, word, word, 0);
        } else {
            continue;
        }
        found = true;
    }
    if !found {
        walker.import(node, name, "", name, 0);
    }
}

/// Whether what follows the module are settings in pairs, not names.
fn has_pairs(node: Node<'_>) -> bool {
    child_of_kind(node, &["list_expression"]).is_some_and(|list| child_of_kind(list, &["=>"]).is_some())
        || child_of_kind(node, &["anonymous_hash_expression"]).is_some()
}

/// The words in texts and `qw` lists after the module of a `use`, each with a node on its line.
fn words<'t>(walker: &Walker<'t>, node: Node<'t>, module: Node<'t>) -> Vec<(Node<'t>, &'t str)> {
    let mut found = Vec::new();
    for element in elements(node) {
        match element.kind() {
            _ if element.start_byte() <= module.start_byte() => {}
            "quoted_word_list" => {
                let text = content(walker, element);
                found.extend(text.split_whitespace().map(|word| (element, word)));
            }
            _ => found.extend(plain_text(walker, element).map(|word| (element, word))),
        }
    }
    found
}

/// The elements of the lists in a node, whatever commas and parentheses stand between them.
pub(super) fn elements(node: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![node];
    while let Some(list) = waiting.pop() {
        let mut inner = None;
        for child in list.named_children() {
            match child.kind() {
                // Lists nest to the right.
                "list_expression" => inner = Some(child),
                _ => found.push(child),
            }
        }
        waiting.extend(inner);
    }
    found
}

/// What stands between the quotes of a text.
pub(super) fn content<'t>(walker: &Walker<'t>, node: Node<'t>) -> &'t str {
    node.child_by_field_name("content")
        .map_or("", |content| walker.text(content))
}

/// A word, or a text into which nothing is put.
pub(super) fn plain_text<'t>(walker: &Walker<'t>, node: Node<'t>) -> Option<&'t str> {
    match node.kind() {
        "autoquoted_bareword" | "bareword" => Some(walker.text(node)),
        "string_literal" => Some(content(walker, node)),
        "interpolated_string_literal" => {
            let text = content(walker, node);
            (!text.contains(['$', '@'])).then_some(text)
        }
        _ => None,
    }
}

/// `use constant NAME => 1;`, `use constant { A => 1, B => 2 };`
fn constants<'t>(walker: &mut Walker<'t>, node: Node<'t>, module: Node<'t>) {
    let hash = child_of_kind(node, &["anonymous_hash_expression"]);
    let doc = walker.doc_above(node.start_byte(), &DOCS);
    let package = owner(walker);
    let names = match hash {
        Some(hash) => keys(hash),
        None => elements(node)
            .into_iter()
            .find(|element| element.start_byte() > module.start_byte())
            .into_iter()
            .collect(),
    };
    for written in names {
        let Some(name) = plain_text(walker, written).or_else(|| content(walker, written).split_whitespace().next())
        else {
            continue;
        };
        let own = hash.and_then(|_| lines_above(walker, written.start_byte()));
        walker.define(Draft {
            name: Draftee::Named(written, name),
            signature: match hash {
                Some(_) => (written.start_byte(), pair_end(walker, written)),
                None => (node.start_byte(), node.end_byte()),
            },
            doc: own.or_else(|| doc.clone()),
            visibility: visibility(name),
            owner: &package,
            at_module: true,
            ..Draft::new(
                SymbolKind::Constant,
                written,
                if hash.is_some() { written } else { node },
            )
        });
    }
}

/// The comment lines directly above a byte, which the walk has not come to yet.
fn lines_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let mut lines: Vec<&str> = walker
        .slice(0, byte)
        .rsplit('\n')
        .skip(1)
        .map(str::trim)
        .take_while(|line| line.starts_with('#'))
        .collect();
    lines.reverse();
    DOCS.read(&lines)
}

/// The nodes before each `=>` of a hash.
fn keys(hash: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![hash];
    while let Some(list) = waiting.pop() {
        let mut last = None;
        let mut depth = 0u32;
        let mut inner = None;
        for child in list.children() {
            match child.kind() {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "=>" if depth == 0 => found.extend(last.take()),
                "list_expression" if depth == 0 => inner = Some(child),
                _ if depth == 0 && child.is_named() => last = Some(child),
                _ => {}
            }
        }
        waiting.extend(inner);
    }
    found
}

/// Where the line of a key ends, without what follows its value.
fn pair_end(walker: &Walker<'_>, key: Node<'_>) -> usize {
    let rest = walker.slice(key.start_byte(), walker.source.len());
    let line = rest.split('\n').next().unwrap_or(rest);
    let code = line.split(" #").next().unwrap_or(line).trim_end();
    let code = code.split(", ").next().unwrap_or(code);
    key.start_byte() + code.trim_end_matches([',', ' ', '}', ';']).len()
}

pub(super) fn require<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    if let Some(what) = node.named_child(0) {
        match (what.kind(), plain_text(walker, what)) {
            ("bareword", Some(module)) => walker.import(node, module, "", module, 0),
            (_, Some(path)) => walker.import(node, path, "", "", 0),
            _ => {}
        }
    }
    Flow::Descend
}
