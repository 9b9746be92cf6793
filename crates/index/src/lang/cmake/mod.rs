//! CMake: functions and macros, targets, options, and what a project includes.

use lore_model::SymbolKind;

use crate::extract::{DocStyle, Draft, Draftee, Walker, child_of_kind, children_of_kind};
use crate::language::{Flow, Language, Rule};
use crate::syntax::Node;

pub(crate) static CMAKE: Language = Language {
    name: "cmake",
    dialect: "cmake",
    extensions: &["cmake", "cmake.in"],
    file_names: &["CMakeLists.txt"],
    grammar: || tree_sitter_cmake::LANGUAGE.into(),
    blank: readable,
    rules: &[
        ("source_file", Rule::Visit(source_file)),
        ("line_comment", Rule::Comment),
        ("bracket_comment", Rule::Comment),
        ("quoted_argument", Rule::Text),
        ("bracket_argument", Rule::Text),
        ("function_def", Rule::Visit(function)),
        ("macro_def", Rule::Visit(macro_definition)),
        ("normal_command", Rule::Visit(command)),
        ("if_command", Rule::Visit(condition)),
        ("elseif_command", Rule::Visit(condition)),
        ("while_command", Rule::Visit(condition)),
        ("foreach_command", Rule::Decision),
    ],
    ..Language::BASE
};

const DOC: DocStyle = DocStyle {
    line: &["##", "#"],
    block: &[],
    except: &["#!", "#-", "#=", "#["],
};

/// The text without what a template leaves open, up to where white space goes on for so long that it is no text any more: the
/// grammar's scanner looks through all of it again at each of its letters.
fn readable(source: &str) -> Option<String> {
    let blanked = blank_insertions(source);
    let text = blanked.as_deref().unwrap_or(source);
    let mut blanks = 0;
    for (at, byte) in text.bytes().enumerate() {
        blanks = if byte.is_ascii_whitespace() { blanks + 1 } else { 0 };
        if blanks > MAX_BLANKS {
            return text.get(..at + 1 - blanks).map(str::to_owned);
        }
    }
    blanked
}

/// Blanks out the lines of a template that consist of a word to be filled in, as in `@INIT@`.
fn blank_insertions(source: &str) -> Option<String> {
    let mut blanked: Option<Vec<u8>> = None;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let word = line.trim();
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let name = word.strip_prefix('@').and_then(|name| name.strip_suffix('@'));
        if name.is_some_and(|name| !name.is_empty() && name.bytes().all(is_word)) {
            let start = at + (line.len() - line.trim_start().len());
            let copy = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
            copy[start..start + word.len()].fill(b' ');
        }
        at += line.len();
    }
    String::from_utf8(blanked?).ok()
}

/// White space in a row that is read.
const MAX_BLANKS: usize = 500;
/// Arguments of a command that are shown all.
const MAX_SHOWN: usize = 8;

/// A bracket comment at the top speaks of the file.
fn source_file(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let first = node.named_children().find(|child| child.kind() != "line_comment");
    if let Some(comment) = first.filter(|first| first.kind() == "bracket_comment") {
        let doc = bracket_text(walker.text(comment));
        if !doc.contains("opyright") {
            walker.module_doc(&doc);
        }
    }
    Flow::Descend
}

/// The text of a bracket comment, without its brackets and the word that says it is in reStructuredText.
fn bracket_text(comment: &str) -> String {
    let inner = comment.trim_start_matches('#').trim_start_matches('[');
    let inner = inner.trim_start_matches('=').trim_start_matches('[');
    let inner = inner.strip_prefix(".rst:").unwrap_or(inner);
    let inner = inner.trim_end_matches(']').trim_end_matches('=').trim_end_matches(']');
    inner.trim_end().trim_end_matches('#').trim().to_owned()
}

/// The bracket comment or the comment lines directly above, unless they are a licence.
fn doc_above(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    let nearest = walker.comments_before(node.start_byte()).last();
    let nearest = nearest.map(|(start, end)| walker.slice(*start as usize, *end as usize))?;
    let is_bracket = nearest.starts_with("#[[") || nearest.starts_with("#[=");
    let doc = if is_bracket {
        Some(bracket_text(nearest)).filter(|doc| !doc.is_empty())
    } else {
        walker.doc_above(node.start_byte(), &DOC)
    }?;
    (!doc.contains("opyright") && !doc.contains("SPDX-")).then_some(doc)
}

/// The arguments of a command; the grammar keeps those in parentheses beside the others.
fn arguments(node: Node<'_>) -> Vec<Node<'_>> {
    child_of_kind(node, &["argument_list"])
        .map(|list| children_of_kind(list, &["argument"]))
        .unwrap_or_default()
}

/// What an argument says, without quotes.
fn value<'t>(walker: &Walker<'t>, argument: Node<'_>) -> &'t str {
    let text = walker.text(argument);
    text.strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(text)
}

fn function(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    callable(walker, node, SymbolKind::Function, "function_command")
}

fn macro_definition(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    callable(walker, node, SymbolKind::Macro, "macro_command")
}

fn callable(walker: &mut Walker<'_>, node: Node<'_>, kind: SymbolKind, head: &str) -> Flow {
    let head = child_of_kind(node, &[head]);
    if let Some(head) = head
        && let Some(name) = arguments(head).into_iter().next()
    {
        let doc = doc_above(walker, node);
        let definition = walker.define(Draft {
            name: Draftee::Named(name, value(walker, name)),
            signature: (node.start_byte(), head.end_byte()),
            doc,
            ..Draft::new(kind, name, node)
        });
        walker.open(definition);
    }
    Flow::Descend
}

/// A condition is one way more, and each `AND` and `OR` in it, in parentheses or not.
fn condition(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let joints = arguments(node)
        .into_iter()
        .filter(|argument| matches!(walker.text(*argument), "AND" | "OR"))
        .count();
    walker.decisions(1 + joints as u32);
    Flow::Descend
}

/// The commands that define something, or bring something in.
fn command(walker: &mut Walker<'_>, node: Node<'_>) -> Flow {
    let Some(word) = child_of_kind(node, &["identifier"]) else {
        return Flow::Descend;
    };
    let word = walker.text(word).to_ascii_lowercase();
    let arguments = arguments(node);
    let Some(first) = arguments.first().copied() else {
        return Flow::Descend;
    };
    match word.as_str() {
        "add_executable" | "add_library" | "add_custom_target" => target(walker, node, &arguments),
        "add_test" => {
            let name = match value(walker, first) {
                "NAME" => arguments.get(1).copied(),
                _ => Some(first),
            };
            if let Some(name) = name {
                let doc = doc_above(walker, node);
                declare(walker, node, SymbolKind::Test, name, doc);
            }
        }
        "project" => {
            let doc = doc_above(walker, node);
            declare(walker, node, SymbolKind::Namespace, first, doc);
        }
        "option" | "cmake_dependent_option" => option(walker, node, first, arguments.get(1).copied()),
        "set" => {
            let cache = arguments.iter().position(|argument| walker.text(*argument) == "CACHE");
            if let Some(cache) = cache.filter(|cache| *cache > 0) {
                option(walker, node, first, arguments.get(cache + 2).copied());
            }
        }
        "include" => walker.import(node, value(walker, first), "*", "*", 0),
        "find_package" | "add_subdirectory" => walker.import(node, value(walker, first), "", "", 0),
        _ => {}
    }
    Flow::Descend
}

/// A target, which may list any number of files: then only its kind is shown.
fn target(walker: &mut Walker<'_>, node: Node<'_>, arguments: &[Node<'_>]) {
    let Some(name) = arguments.first().copied() else {
        return;
    };
    let is_keyword = |argument: &&Node<'_>| {
        let text = walker.text(**argument);
        text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    let last = arguments.iter().skip(1).take_while(is_keyword).last().unwrap_or(&name);
    let end = if arguments.len() > MAX_SHOWN {
        last.end_byte()
    } else {
        node.end_byte()
    };
    let doc = doc_above(walker, node);
    walker.define(Draft {
        name: Draftee::Named(name, value(walker, name)),
        signature: (node.start_byte(), end),
        doc,
        ..Draft::new(SymbolKind::Target, name, node)
    });
}

/// What a user may set; the text that explains it to them documents it.
fn option(walker: &mut Walker<'_>, node: Node<'_>, name: Node<'_>, help: Option<Node<'_>>) {
    let help = help
        .map(|help| value(walker, help).trim())
        .filter(|help| !help.is_empty());
    let doc = help.map(str::to_owned).or_else(|| doc_above(walker, node));
    declare(walker, node, SymbolKind::Constant, name, doc);
}

fn declare(walker: &mut Walker<'_>, node: Node<'_>, kind: SymbolKind, name: Node<'_>, doc: Option<String>) {
    walker.define(Draft {
        name: Draftee::Named(name, value(walker, name)),
        doc,
        ..Draft::new(kind, name, node)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_white_space_ends_a_file() {
        let source = format!("set(a b)\n{}set(c d)\n", " ".repeat(2_000));
        assert_eq!(readable(&source).as_deref(), Some("set(a b)"));
        assert_eq!(readable("a()\n  @X_1@\n@ @\n").as_deref(), Some("a()\n       \n@ @\n"));
        assert_eq!(readable("a(@X@)\n"), None);
    }
}
