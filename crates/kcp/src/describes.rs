//! Which code a document describes: the files that it links to or names, and the definitions that it names (issue of stale documents).
//!
//! Only what is written as code or as a link counts, and only what there is exactly one of. Code blocks are examples and name nothing.

use std::collections::BTreeMap;

use lore_model::{CodeGraph, SymbolKind, join_path};

use super::path;
use lore_base::percent::decode_leniently;

/// Bytes of a document that are looked at.
pub const MAX_DOCUMENT_BYTES: usize = 1 << 20;
/// Names of a document that are looked up.
const MAX_NAMES: usize = 2_000;
/// Bytes of a name.
const MAX_NAME_BYTES: usize = 200;
/// Languages whose files are documents.
const DOCUMENTS: [&str; 1] = ["markdown"];
/// Extensions of documents that no language is known for.
const DOCUMENT_EXTENSIONS: [&str; 8] = ["md", "markdown", "mdx", "rst", "txt", "adoc", "asciidoc", "text"];

/// Something that a document names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The text: a target, a path, a name.
    pub text: String,
    /// Whether it is the target of a link.
    pub is_link: bool,
    /// Its line in the document, from 1.
    pub line: u32,
}

/// Code that a document describes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Described {
    /// The file, from the root of the tree.
    pub path: String,
    /// How the document names it.
    pub named: String,
    /// The line in the document; none if a relationship of the manifest says so.
    pub line: Option<u32>,
}

/// The files of a tree, to find what documents name.
pub struct Tree<'g> {
    graph: &'g CodeGraph,
    /// The only file with a name; nothing if there are several.
    by_name: BTreeMap<&'g str, Option<&'g str>>,
}

impl<'g> Tree<'g> {
    /// The tree of a graph.
    pub fn of(graph: &'g CodeGraph) -> Self {
        let mut by_name: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for file in graph.files() {
            let path = file.path();
            let name = path.rsplit('/').next().unwrap_or(path);
            by_name
                .entry(name)
                .and_modify(|only| *only = None)
                .or_insert(Some(path));
        }
        Self { graph, by_name }
    }

    /// Whether a file is code: known, and no document.
    pub fn is_code(&self, path: &str) -> bool {
        let extension = path::extension(path).unwrap_or_default().to_ascii_lowercase();
        let file = self.graph.file_at(path);
        file.is_some_and(|file| !DOCUMENTS.contains(&file.language()))
            && !DOCUMENT_EXTENSIONS.contains(&extension.as_str())
    }

    /// The code that a document describes, each file once, by its path; the document is named from the root of the tree.
    pub fn described(&self, document: &str, text: &str, with_symbols: bool) -> Vec<Described> {
        let directory = document.rsplit_once('/').map_or("", |(directory, _)| directory);
        let mut found: BTreeMap<String, Described> = BTreeMap::new();
        for name in names(text) {
            let file = if name.is_link {
                self.linked(directory, &name.text)
            } else {
                self.file(directory, &name.text)
                    .or_else(|| with_symbols.then(|| self.defined(&name.text)).flatten())
            };
            let Some(path) = file.filter(|path| path != document && self.is_code(path)) else {
                continue;
            };
            found.entry(path.clone()).or_insert(Described {
                path,
                named: name.text,
                line: Some(name.line),
            });
        }
        found.into_values().collect()
    }

    /// The file that a link leads to: from the directory of the document, or from the root with a slash in front.
    fn linked(&self, directory: &str, target: &str) -> Option<String> {
        let target = target.split(['#', '?']).next().unwrap_or_default();
        if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
            return None;
        }
        let target = decode_leniently(target);
        match target.strip_prefix('/') {
            Some(from_root) => self.known(from_root),
            None => self.known(&join_path(directory, &target)),
        }
    }

    /// The file that a piece of code names: from the root, from the directory of the document, or by a name that only one file has.
    fn file(&self, directory: &str, text: &str) -> Option<String> {
        let text = without_place(text.trim().trim_start_matches("./"));
        let is_path = text.contains('/') || path::extension(text).is_some();
        if !is_path || text.contains(char::is_whitespace) {
            return None;
        }
        if text.contains('/') {
            return self
                .known(text.trim_start_matches('/'))
                .or_else(|| self.known(&join_path(directory, text)));
        }
        let only = self.by_name.get(text).copied().flatten();
        self.known(&join_path(directory, text))
            .or_else(|| only.map(str::to_owned))
    }

    fn known(&self, path: &str) -> Option<String> {
        path::check(path).ok()?;
        let path = path::normal(path);
        self.graph.file_at(&path).map(|file| file.path().to_owned())
    }

    /// The file of the only definition that a piece of code can mean. A single word is a name if it is called, is written as types or constants are, or has an underscore.
    fn defined(&self, text: &str) -> Option<String> {
        // In reStructuredText the signs in front say how a name is shown.
        let text = text.trim().trim_start_matches(['~', '!']);
        let name = text.strip_suffix("()").unwrap_or(text);
        let is_called = name.len() < text.len();
        let parts: Vec<&str> = name.split(['.', ':', '#']).filter(|part| !part.is_empty()).collect();
        let is_name = |part: &&str| {
            let begins = part.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == '$');
            begins
                && part
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
        };
        if !parts.iter().all(is_name) || parts.last().is_none_or(|last| last.chars().count() < 3) {
            return None;
        }
        let humps = name.chars().filter(|letter| letter.is_uppercase()).count();
        let is_type = name.starts_with(char::is_uppercase) && humps >= 2 && name.chars().any(char::is_lowercase);
        if !is_called && !is_type && parts.len() == 1 && !name.contains('_') {
            return None;
        }
        let meant = self.graph.lookup(name);
        let mut definitions = meant
            .into_iter()
            .map(|id| self.graph.symbol(id))
            .filter(|symbol| symbol.kind() != SymbolKind::Module && !DOCUMENTS.contains(&symbol.file().language()));
        match (definitions.next(), definitions.next()) {
            // What is only defined in a test is an example, too.
            (Some(only), None) if !only.file().is_test() => Some(only.file().path().to_owned()),
            _ => None,
        }
    }
}

/// What a text names, in its order: targets of links, and pieces of code in running text.
pub fn names(text: &str) -> Vec<Name> {
    let mut end = text.len().min(MAX_DOCUMENT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut found = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    for (number, line) in (1u32..).zip(text.get(..end).unwrap_or_default().lines()) {
        let marker = fence_of(line);
        match (fence, marker) {
            (Some((sign, length)), Some((other, count))) if sign == other && count >= length && is_bare(line) => {
                fence = None
            }
            (Some(_), _) => {}
            (None, Some(marker)) => fence = Some(marker),
            (None, None) => of_line(line, number, &mut found),
        }
        if found.len() >= MAX_NAMES {
            found.truncate(MAX_NAMES);
            break;
        }
    }
    found
}

/// The sign and the length of a fence that a line begins with.
fn fence_of(line: &str) -> Option<(u8, usize)> {
    let line = line.trim_start_matches([' ', '>']);
    let sign = *line.as_bytes().first()?;
    let length = line.bytes().take_while(|byte| *byte == sign).count();
    let rest = line.get(length..).unwrap_or_default();
    let is_fence = length >= 3 && (sign == b'~' || (sign == b'`' && !rest.contains('`')));
    is_fence.then_some((sign, length))
}

/// Whether a line of a fence says nothing else, so that it can close one.
fn is_bare(line: &str) -> bool {
    line.chars()
        .all(|letter| letter == '`' || letter == '~' || letter == '>' || letter.is_whitespace())
}

fn of_line(line: &str, number: u32, found: &mut Vec<Name>) {
    let mut push = |text: &str, is_link: bool| {
        let text = text.trim();
        if !text.is_empty() && text.len() <= MAX_NAME_BYTES {
            found.push(Name {
                text: text.to_owned(),
                is_link,
                line: number,
            });
        }
    };
    if let Some(target) = definition(line) {
        push(target, true);
        return;
    }
    let mut rest = line;
    while let Some(at) = rest.find(['`', ']']) {
        let from = rest.get(at..).unwrap_or_default();
        if from.starts_with('`') {
            let ticks = from.bytes().take_while(|byte| *byte == b'`').count();
            let inner = from.get(ticks..).unwrap_or_default();
            match closing(inner, ticks) {
                Some(end) => {
                    push(inner.get(..end).unwrap_or_default(), false);
                    rest = inner.get(end + ticks..).unwrap_or_default();
                }
                None => rest = inner,
            }
            continue;
        }
        rest = from.get(1..).unwrap_or_default();
        if let Some(target) = rest.strip_prefix('(') {
            let end = match target.strip_prefix('<') {
                Some(inside) => inside.find('>').map(|end| (inside.get(..end), end)),
                None => target.find([')', ' ', '\t']).map(|end| (target.get(..end), end)),
            };
            if let Some((Some(text), end)) = end {
                push(text, true);
                rest = target.get(end..).unwrap_or_default();
            }
        }
    }
}

/// Where a run of exactly so many ticks begins.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes.get(at..)?.iter().take_while(|byte| **byte == b'`').count();
        if run == ticks {
            return Some(at);
        }
        at += run.max(1);
    }
    None
}

/// The target of a line `[label]: target`.
fn definition(line: &str) -> Option<&str> {
    let (label, rest) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    if label.is_empty() || label.starts_with('^') || label.contains(['[', ']']) {
        return None;
    }
    let target = rest.split_whitespace().next()?;
    Some(target.trim_start_matches('<').trim_end_matches('>'))
}

/// A path without the place in the file that follows it: `a.rs:4`, `a.rs:4-9`, `a.rs#L4`.
fn without_place(text: &str) -> &str {
    let text = text.split('#').next().unwrap_or(text);
    match text.rsplit_once(':') {
        Some((path, place)) if !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => {
            without_place(path)
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(text: &str) -> String {
        let names = names(text).into_iter().map(|name| {
            let kind = if name.is_link { "link" } else { "code" };
            format!("{kind} {} @{}", name.text, name.line)
        });
        names.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn links_and_pieces_of_code_are_names() {
        assert_eq!(
            told("See [the store](../src/store.rs#L4) and `src/app.ts`.\n\n[x]: <lib/x.py> \"title\"\n"),
            "link ../src/store.rs#L4 @1; code src/app.ts @1; link lib/x.py @3"
        );
        assert_eq!(told("![a](b.png \"t\") [c](<d e.md>)"), "link b.png @1; link d e.md @1");
        assert_eq!(told("``a ` b`` and `c`"), "code a ` b @1; code c @1");
        assert_eq!(told("[^1]: note `x.rs`"), "code x.rs @1");
        assert_eq!(told("an `open one and a [broken](link"), "");
    }

    #[test]
    fn what_stands_in_a_block_of_code_names_nothing() {
        assert_eq!(told("```sh\n`a.rs` [x](y)\n```\n`b.rs`"), "code b.rs @4");
        assert_eq!(told("~~~\n```\n`a`\n~~~\n`b`"), "code b @5");
        assert_eq!(told("````\n```\n`a`\n````\n`b`"), "code b @5");
        assert_eq!(told("> ```\n> `a`\n> ```\n`b`"), "code b @4");
    }

    #[test]
    fn places_in_files_and_codes_of_letters_are_taken_away() {
        assert_eq!(without_place("a/b.rs:4"), "a/b.rs");
        assert_eq!(without_place("a/b.rs:4:9"), "a/b.rs");
        assert_eq!(without_place("a/b.rs:4-9"), "a/b.rs");
        assert_eq!(without_place("a/b.rs#L4"), "a/b.rs");
        assert_eq!(without_place("a::b"), "a::b");
        assert_eq!(decode_leniently("a%20b%2"), "a b%2");
        assert_eq!(decode_leniently("%ff"), "%ff");
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn any_text_is_looked_through(text in "[`~\\[\\]()<>a-z./:#% \n]{0,200}") {
            for name in names(&text) {
                prop_assert!(!name.text.is_empty() && name.line >= 1);
            }
            decode_leniently(&text);
        }
    }
}
