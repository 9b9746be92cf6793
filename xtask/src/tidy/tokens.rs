//! A Rust source as rules see it: tokens without comments and literals, comments, and the paths that tokens spell.

use lore_index::LANGUAGES;
use tree_sitter::{Node, Parser, Tree};

/// Nodes whose inside is nobody's code.
const LITERALS: &[&str] = &["string_literal", "raw_string_literal", "char_literal"];
const COMMENTS: &[&str] = &["line_comment", "block_comment"];

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// The 1-based line.
    pub(super) line: usize,
    /// Whether it is compiled for tests only.
    pub(super) test: bool,
    /// How many inline modules stand around it.
    pub(super) modules: usize,
}

/// A source taken apart.
#[derive(Debug, Default)]
pub(super) struct Tokens<'a> {
    pub(super) code: Vec<Token<'a>>,
    /// Lines of comments.
    pub(super) comments: Vec<(usize, &'a str)>,
    /// The line on which the test module at the end begins, if there is one.
    pub(super) tests_begin: Option<usize>,
}

/// A path such as `std::fs::read`, with groups written out: `use std::{fs, io}` spells two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Path<'a> {
    pub(super) parts: Vec<&'a str>,
    pub(super) first: Token<'a>,
}

impl<'a> Tokens<'a> {
    /// Takes a source apart.
    pub(super) fn of(text: &'a str) -> Self {
        let mut tokens = Self::default();
        if let Some(tree) = parse(text) {
            let root = tree.root_node();
            tokens.collect(text, root, false, 0);
            tokens.tests_begin = tests_at_the_end(text, root);
        }
        tokens
    }

    fn collect(&mut self, text: &'a str, node: Node<'_>, test: bool, modules: usize) {
        let inside = &text[node.byte_range()];
        let line = node.start_position().row + 1;
        if COMMENTS.contains(&node.kind()) {
            self.comments
                .extend(inside.lines().enumerate().map(|(at, comment)| (line + at, comment)));
            return;
        }
        if LITERALS.contains(&node.kind()) {
            return;
        }
        if node.child_count() == 0 {
            if !inside.trim().is_empty() {
                self.code.push(Token {
                    text: inside,
                    line,
                    test,
                    modules,
                });
            }
            return;
        }
        let modules = modules + usize::from(node.kind() == "mod_item");
        let mut cursor = node.walk();
        let mut marked = false;
        for child in node.children(&mut cursor) {
            let marks = is_test_mark(text, child);
            self.collect(text, child, test || marks || marked, modules);
            marked = marks || (marked && is_beside_an_item(child));
        }
    }

    /// The tokens from each place where a sequence begins.
    pub(super) fn find<'t>(&'t self, sequence: &'t [&'t str]) -> impl Iterator<Item = Token<'a>> + 't {
        let found = self.code.windows(sequence.len());
        let equal = move |window: &&[Token<'a>]| window.iter().zip(sequence).all(|(token, text)| token.text == *text);
        found.filter(equal).map(|window| window[0])
    }

    /// Every path of at least two parts.
    pub(super) fn paths(&self) -> Vec<Path<'a>> {
        let mut paths = Vec::new();
        let mut at = 0;
        while let Some(token) = self.code.get(at) {
            if is_word(token.text) {
                self.read_path(&mut at, &[], &mut paths);
            } else {
                at += 1;
            }
        }
        paths.retain(|path| path.parts.len() > 1);
        paths
    }

    /// Reads the path or group of paths at a place, each put behind a prefix, and goes past it.
    fn read_path(&self, at: &mut usize, prefix: &[&'a str], paths: &mut Vec<Path<'a>>) {
        let mut parts = prefix.to_vec();
        let text = |at: usize| self.code.get(at).map_or("", |token| token.text);
        let first = self.code[*at];
        loop {
            match text(*at) {
                "{" => {
                    *at += 1;
                    while !matches!(text(*at), "}" | "") {
                        if is_word(text(*at)) || matches!(text(*at), "{" | "*") {
                            self.read_path(at, &parts, paths);
                        }
                        while !matches!(text(*at), "," | "}" | "") {
                            *at += 1;
                        }
                        *at += usize::from(text(*at) == ",");
                    }
                    *at += 1;
                    return;
                }
                word if is_word(word) || word == "*" => parts.push(word),
                _ => break,
            }
            *at += 1;
            if text(*at) != "::" {
                break;
            }
            *at += 1;
        }
        paths.push(Path { parts, first });
    }
}

impl Path<'_> {
    pub(super) fn starts_with(&self, parts: &[&str]) -> bool {
        self.parts.starts_with(parts)
    }

    pub(super) fn ends_with(&self, parts: &[&str]) -> bool {
        self.parts.ends_with(parts)
    }
}

fn parse(text: &str) -> Option<Tree> {
    let rust = LANGUAGES.iter().find(|language| language.name == "rust")?;
    let mut parser = Parser::new();
    parser.set_language(&(rust.grammar)()).ok()?;
    parser.parse(text, None)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// Whether a node is an attribute that keeps the next item for tests.
fn is_test_mark(text: &str, node: Node<'_>) -> bool {
    let attribute: String = text[node.byte_range()].split_whitespace().collect();
    node.kind() == "attribute_item"
        && (attribute.starts_with("#[cfg(test)") || attribute.starts_with("#[cfg(all(test,"))
}

/// Whether a node may stand between an attribute and its item.
fn is_beside_an_item(node: Node<'_>) -> bool {
    node.kind() == "attribute_item" || COMMENTS.contains(&node.kind())
}

/// The line on which a test module that ends the file begins.
fn tests_at_the_end(text: &str, root: Node<'_>) -> Option<usize> {
    let mut cursor = root.walk();
    let children: Vec<Node<'_>> = root.named_children(&mut cursor).collect();
    let (last, before) = children.split_last()?;
    let mark = before
        .iter()
        .rev()
        .take_while(|node| is_beside_an_item(**node))
        .find(|node| is_test_mark(text, **node))?;
    (last.kind() == "mod_item").then(|| mark.start_position().row + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        Tokens::of(text)
            .paths()
            .iter()
            .map(|path| path.parts.join("::"))
            .collect()
    }

    #[test]
    fn comments_and_literals_are_no_code() {
        let tokens = Tokens::of("/// a.unwrap()\nfn f() { g(\"x.unwrap()\", r#\"panic!()\"#, '!'); } // TODO\n");
        assert_eq!(tokens.find(&["unwrap"]).count(), 0);
        assert_eq!(tokens.find(&["g", "("]).count(), 1);
        assert_eq!(tokens.comments.last(), Some(&(2, "// TODO")));
    }

    #[test]
    fn what_is_compiled_for_tests_is_marked() {
        let text = "fn a() {}\n#[cfg(test)]\n// Why.\n#[derive(Debug)]\nstruct B;\nstruct C;\n#[cfg(test)]\nmod tests { fn d() {} }\n";
        let tokens = Tokens::of(text);
        let of = |name: &str| {
            tokens
                .code
                .iter()
                .find(|token| token.text == name)
                .map(|token| (token.test, token.modules))
        };
        assert_eq!(of("a"), Some((false, 0)));
        assert_eq!(of("B"), Some((true, 0)));
        assert_eq!(of("C"), Some((false, 0)));
        assert_eq!(of("d"), Some((true, 1)));
        assert_eq!(tokens.tests_begin, Some(7));
    }

    #[test]
    fn groups_are_written_out() {
        assert_eq!(
            paths("use std::{fs, io::{self, Read as _}};\nuse super::*;\n"),
            ["std::fs", "std::io::self", "std::io::Read", "super::*"]
        );
    }

    #[test]
    fn paths_are_found_in_expressions_types_and_macros() {
        assert_eq!(
            paths("fn f(a: crate::b::C) -> ::std::io::Result<()> { vec![Instant::now(), x.y()] }"),
            ["crate::b::C", "std::io::Result", "Instant::now"]
        );
    }
}
