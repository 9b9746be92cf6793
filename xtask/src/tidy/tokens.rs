//! A Rust source as rules see it: tokens without comments, with and without literals, and comments.

use std::ops::RangeInclusive;

use lore_index::LANGUAGES;
use tree_sitter::{Node, Parser, Tree};

/// Nodes whose content is not code.
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
    /// The number of inline modules around it.
    pub(super) modules: usize,
}

/// A source taken apart.
#[derive(Debug, Default)]
pub(super) struct Tokens<'a> {
    pub(super) code: Vec<Token<'a>>,
    /// The same tokens, and the literals between them.
    pub(super) with_literals: Vec<Token<'a>>,
    /// Definitions of macros.
    pub(super) macros: Vec<Macro<'a>>,
    /// Invocations of macros.
    pub(super) invocations: Vec<Macro<'a>>,
    /// Lines of comments.
    pub(super) comments: Vec<(usize, &'a str)>,
    /// The line on which the test module at the end begins, if there is one.
    pub(super) tests_begin: Option<usize>,
}

/// A macro by its name, and the lines of its definition or of one invocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Macro<'a> {
    pub(super) name: &'a str,
    pub(super) lines: RangeInclusive<usize>,
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
        let token = Token {
            text: inside,
            line,
            test,
            modules,
        };
        if LITERALS.contains(&node.kind()) {
            self.with_literals.push(token);
            return;
        }
        if node.child_count() == 0 {
            if !inside.trim().is_empty() {
                self.code.push(token);
                self.with_literals.push(token);
            }
            return;
        }
        let field = match node.kind() {
            "macro_definition" => Some((&mut self.macros, "name")),
            "macro_invocation" => Some((&mut self.invocations, "macro")),
            _ => None,
        };
        if let Some((list, field)) = field.filter(|_| !test)
            && let Some(name) = node.child_by_field_name(field)
        {
            list.push(Macro {
                name: &text[name.byte_range()],
                lines: line..=node.end_position().row + 1,
            });
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
}

fn parse(text: &str) -> Option<Tree> {
    let rust = LANGUAGES.iter().find(|language| language.name == "rust")?;
    let mut parser = Parser::new();
    parser.set_language(&(rust.grammar)()).ok()?;
    parser.parse(text, None)
}

/// Whether a node is an attribute that keeps the next item for tests.
fn is_test_mark(text: &str, node: Node<'_>) -> bool {
    let attribute: String = text[node.byte_range()].split_whitespace().collect();
    node.kind() == "attribute_item"
        && (attribute.starts_with("#[cfg(test)") || attribute.starts_with("#[cfg(all(test,"))
}

/// Whether a node can be between an attribute and its item.
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
}
