//! Comments of the tree: those of the source, and the directives and macros that were made comments for the grammar.

use lore_model::SymbolKind;

use super::head::doc;
use super::place_name;
use super::tokens::{self, is_name_byte};
use crate::extract::{Draft, Draftee, Walker, clean_block_doc, clean_line_doc};
use crate::language::Flow;
use crate::syntax::Node;

/// A comment, a directive or a macro.
pub(crate) fn comment<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let text = walker.text(node);
    let start = node.start_byte();
    if text.starts_with("//") || text.starts_with("/*") {
        walker.comment(start, node.end_byte());
        if walker.facts.definitions.is_empty() && walker.facts.imports.is_empty() {
            module_doc(walker, start, text);
        }
        return Flow::Skip;
    }
    for (from, to) in tokens::comments(text) {
        walker.comment(start + from, start + to);
    }
    if text.starts_with('#') {
        directive(walker, node, text);
    } else if text.ends_with(';') && module(walker, node, text) {
        return Flow::Skip;
    } else if walker.in_function() {
        // `list_for_each(item, list) { … }` and similar.
        let lower = text.to_ascii_lowercase();
        let name = lower.split('(').next().unwrap_or("");
        if name.contains("each") && !name.contains("end") {
            walker.decision();
        }
    } else {
        walker.attributes.push((start as u32, node.end_byte() as u32));
    }
    Flow::Skip
}

/// The comment at the top of the file, if it describes the file and is not a licence.
fn module_doc(walker: &mut Walker<'_>, start: usize, text: &str) {
    if !walker.slice(0, start).trim_start_matches('\u{feff}').trim().is_empty() {
        return;
    }
    let rest = walker.slice(start, walker.source.len());
    let (doc, len) = if text.starts_with("//") {
        let lines: Vec<&str> = rest
            .split_inclusive('\n')
            .take_while(|line| line.trim_start().starts_with("//"))
            .collect();
        let len = lines.iter().map(|line| line.len()).sum();
        (clean_line_doc(lines.into_iter(), &["///", "//!", "//"]), len)
    } else {
        let line_end = rest[text.len()..]
            .find('\n')
            .map_or(rest.len(), |end| text.len() + end + 1);
        (clean_block_doc(text), line_end)
    };
    let next = rest.get(len..).unwrap_or("").lines().next().unwrap_or("").trim();
    let stands_apart = next.is_empty() || next.starts_with('#');
    let lower = doc.to_ascii_lowercase();
    let is_licence = ["copyright", "license", "licence", "spdx", "(c) "]
        .iter()
        .any(|word| lower.contains(word));
    let doc = doc.trim_start_matches(['@', '\\']);
    let of_file = doc
        .strip_prefix("file")
        .filter(|rest| rest.starts_with(char::is_whitespace));
    match of_file {
        Some(rest) => {
            // The name of the file may follow on the same line.
            let text = rest.split_once('\n').map_or("", |(_, text)| text).trim();
            let text = ["@brief", "\\brief"]
                .iter()
                .find_map(|word| text.strip_prefix(word))
                .unwrap_or(text);
            walker.module_doc(text.trim());
        }
        None if stands_apart && !is_licence && doc.chars().any(char::is_alphabetic) => walker.module_doc(doc),
        None => {}
    }
}

/// `#define` and `#include`.
fn directive<'t>(walker: &mut Walker<'t>, node: Node<'t>, text: &'t str) {
    let after_sign = text[1..].trim_start_matches(is_gap);
    let word_len = after_sign
        .bytes()
        .take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        .count();
    let (word, rest) = after_sign.split_at(word_len);
    let rest = rest.trim_start_matches(is_gap);
    match word {
        "define" => define(walker, node, text, rest),
        "include" | "include_next" | "import" => {
            let module = match rest.as_bytes().first() {
                Some(b'<') => rest[1..].split('>').next(),
                Some(b'"') => rest[1..].split('"').next(),
                _ => rest.split_whitespace().next(),
            };
            if let Some(module) = module.map(str::trim).filter(|module| !module.is_empty()) {
                walker.import(node, module, "*", "*", 0);
            }
        }
        _ => {}
    }
}

/// `import x;` and `module x;`; whether a text is one of them.
fn module(walker: &mut Walker<'_>, node: Node<'_>, text: &str) -> bool {
    let text = text.trim_end_matches(';').trim();
    let text = text.strip_prefix("export").map_or(text, str::trim_start);
    let Some((word, name)) = text.split_once(|letter: char| !letter.is_alphanumeric()) else {
        return text == "module";
    };
    let name: String = name.split_whitespace().collect();
    match word {
        "import" => {
            let name = text["import".len()..].trim().trim_matches(['<', '>', '"']);
            walker.import(node, name, "*", "*", 0);
            true
        }
        "module" => {
            let name = name.split(':').next().unwrap_or("");
            if walker.facts.package.is_empty() && !name.is_empty() {
                walker.facts.package = walker.facts.text.push(name);
            }
            true
        }
        _ => false,
    }
}

/// Characters between the words of a directive.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter == '\\'
}

fn define<'t>(walker: &mut Walker<'t>, node: Node<'t>, text: &'t str, rest: &'t str) {
    let name_len = rest.bytes().take_while(|byte| is_name_byte(*byte)).count();
    let (name, value) = rest.split_at(name_len);
    if name.is_empty() {
        return;
    }
    let start = node.start_byte();
    let name_start = start + (rest.as_ptr() as usize - text.as_ptr() as usize);
    let name_end = name_start + name_len;
    let (kind, end) = if value.starts_with('(') {
        let end = value.find(')').map_or(node.end_byte(), |close| name_end + close + 1);
        (SymbolKind::Macro, end)
    } else {
        let only_comments = tokens::comments(value);
        let mut bare = value.to_owned();
        for (from, to) in only_comments.into_iter().rev() {
            bare.replace_range(from..to, " ");
        }
        if bare.trim_matches(is_gap).is_empty() {
            return;
        }
        let end = value.find("\\\n").or_else(|| value.find("\\\r")).unwrap_or(value.len());
        (SymbolKind::Constant, name_end + end)
    };
    let doc = doc(walker, kind, start, node.end_byte());
    let definition = walker.define(Draft {
        name: Draftee::Named(node, name),
        signature: (start, end),
        doc,
        at_module: true,
        ..Draft::new(kind, node, node)
    });
    place_name(walker, definition, name_start);
}
