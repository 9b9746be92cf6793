//! A source → its syntax trees: usually one, several if the grammar fails and recovers further down.
//!
//! A construct that a grammar does not know can turn the rest of the file into one error. Then Lore parses the file
//! again in parts, cut at lines that begin at the left margin after an empty line or after the end of a statement.
//! The result with fewer error lines wins.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Point, Range, Tree};

use crate::language::Language;
use crate::syntax;

/// Parser steps that any file may take. A step is a hundred operations. An operation is a parse action, eight visited
/// nodes of the parser's stack, or 256 read characters, as the patched runtime in `vendor/tree-sitter` counts them.
const BASE_PARSE_STEPS: usize = 2_000;
/// Bytes that allow one more step; real files take one for about every five hundred.
const BYTES_PER_PARSE_STEP: usize = 20;
/// Files smaller than this are always parsed.
const SMALL_BYTES: usize = 32 * 1024;
/// Code has fewer comment signs than one per so many bytes.
const BYTES_PER_COMMENT_SIGN: usize = 12;
/// An error over more lines than this, or over this share of the file, triggers the second parse.
const LOST_LINES: usize = 50;
const LOST_SHARE: usize = 4;
/// The maximum number of parts; the last part contains the rest of the file.
const MAX_PARTS: usize = 4_000;
/// The maximum depth of token groups that are parsed as expressions.
const MAX_EMBEDDING: usize = 4;

thread_local! {
    static PARSERS: RefCell<Vec<(&'static str, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// The trees of a source, in source order; none if the parser gave up.
pub(super) fn parse(language: &'static Language, source: &str) -> Vec<Tree> {
    if is_mostly_comment_signs(source) {
        return Vec::new();
    }
    with_parser(language, |parser| {
        let Some(whole) = parse_ranges(parser, source, &[]) else {
            return Vec::new();
        };
        let lines = source.matches('\n').count() + 1;
        let lost = lost_lines(&whole, lines);
        if lost.longest <= LOST_LINES.min(lines / LOST_SHARE) {
            return vec![whole];
        }
        let parts = parse_parts(parser, source);
        let lost_in_parts: usize = parts.iter().map(|(tree, lines)| lost_lines(tree, *lines).total).sum();
        if !parts.is_empty() && lost_in_parts < lost.total {
            parts.into_iter().map(|(tree, _)| tree).collect()
        } else {
            vec![whole]
        }
    })
    .unwrap_or_default()
}

/// The tree of a token group, if it parses as items: with hardly an error, and without nodes that occur only in
/// bodies.
pub(super) fn parse_nested(language: &'static Language, source: &str, range: Range) -> Option<Tree> {
    let tree = with_parser(language, |parser| {
        let tree = parse_ranges(parser, source, &[range]);
        let _ = parser.set_included_ranges(&[]);
        tree
    })??;
    let lines = range.end_point.row - range.start_point.row + 1;
    let reads = lost_lines(&tree, lines).total * 10 <= lines;
    let root = tree.root_node();
    let only_items = root
        .named_children(&mut root.walk())
        .all(|child| !language.statements.contains(&child.kind()));
    (reads && only_items).then_some(tree)
}

/// The trees of token groups with their brackets, and of the groups inside them, each with its position.
pub(super) fn parse_embedded(
    language: &'static Language,
    source: &str,
    ranges: Vec<Range>,
    mut copy: impl FnMut(Tree) -> syntax::Tree,
) -> Vec<(usize, syntax::Tree)> {
    let mut found: Vec<(usize, syntax::Tree)> = Vec::new();
    let mut waiting = ranges;
    for _ in 0..MAX_EMBEDDING {
        let mut inner = Vec::new();
        let trees = with_parser(language, |parser| {
            let trees: Vec<(usize, Tree)> = waiting
                .iter()
                .filter_map(|range| Some((range.start_byte, parse_ranges(parser, source, &[*range])?)))
                .collect();
            let _ = parser.set_included_ranges(&[]);
            trees
        });
        for (start, tree) in trees.unwrap_or_default() {
            let tree = copy(tree);
            let mut cursor = tree.root_node().walk();
            'tree: loop {
                let node = cursor.node();
                if (language.embeds)(node) {
                    inner.push(node.range());
                } else if cursor.goto_first_child() {
                    continue;
                }
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        break 'tree;
                    }
                }
            }
            found.push((start, tree));
        }
        if inner.is_empty() || found.len() > MAX_PARTS {
            break;
        }
        waiting = inner;
    }
    found
}

/// Whether a large text has more comment signs than any code. The time of error recovery grows with the square of
/// their number.
fn is_mostly_comment_signs(source: &str) -> bool {
    let bytes = source.as_bytes();
    if bytes.len() < SMALL_BYTES {
        return false;
    }
    let opens = |at: &usize| {
        let next = bytes.get(at + 1);
        let after_slash = *at > 0 && bytes[at - 1] == b'/';
        !after_slash && matches!(next, Some(b'/' | b'*'))
    };
    memchr::memchr_iter(b'/', bytes).filter(opens).count() > bytes.len() / BYTES_PER_COMMENT_SIGN
}

fn with_parser<T>(language: &'static Language, work: impl FnOnce(&mut Parser) -> T) -> Option<T> {
    PARSERS.with_borrow_mut(|parsers| {
        let at = match parsers.iter().position(|(dialect, _)| *dialect == language.dialect) {
            Some(at) => at,
            None => {
                let mut parser = Parser::new();
                // If the runtime rejects a grammar, the tests of every language fail, so this cannot happen in a
                // release.
                parser.set_language(&language.table().grammar).ok()?;
                parsers.push((language.dialect, parser));
                parsers.len() - 1
            }
        };
        Some(work(&mut parsers[at].1))
    })
}

/// The tree of some ranges of a source, or of the whole source; `None` if it needs more steps than its size allows.
fn parse_ranges(parser: &mut Parser, source: &str, ranges: &[Range]) -> Option<Tree> {
    parser.set_included_ranges(ranges).ok()?;
    let bytes = source.as_bytes();
    let size = ranges
        .iter()
        .map(|range| range.end_byte - range.start_byte)
        .sum::<usize>();
    let size = if ranges.is_empty() { bytes.len() } else { size };
    let allowed = BASE_PARSE_STEPS + size / BYTES_PER_PARSE_STEP;
    let mut steps = 0;
    let mut bound = |_: &tree_sitter::ParseState| {
        steps += 1;
        if steps > allowed {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut bound);
    let mut read = |at: usize, _: Point| &bytes[at.min(bytes.len())..];
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if tree.is_none() {
        parser.reset();
    }
    tree
}

/// The trees of the parts of a source, each with its number of lines; empty if a part cannot be parsed.
fn parse_parts(parser: &mut Parser, source: &str) -> Vec<(Tree, usize)> {
    let parts = cut(source);
    if parts.len() < 2 {
        return Vec::new();
    }
    let trees: Option<Vec<(Tree, usize)>> = parts
        .into_iter()
        .map(|part| {
            let lines = part.end_point.row - part.start_point.row;
            Some((parse_ranges(parser, source, &[part])?, lines.max(1)))
        })
        .collect();
    // Reset for the next file, which is parsed as a whole.
    let _ = parser.set_included_ranges(&[]);
    trees.unwrap_or_default()
}

/// Cuts a source at lines that begin at the left margin after an empty line or after the end of a statement.
fn cut(source: &str) -> Vec<Range> {
    let mut starts = vec![(0, 0)];
    let mut after_end = false;
    let mut at = 0;
    for (row, line) in source.split_inclusive('\n').enumerate() {
        let begins =
            line.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '@' | '_' | '#' | '/' | '$'));
        if begins && after_end && at > 0 && starts.len() < MAX_PARTS {
            starts.push((at, row));
        }
        after_end = matches!(line.trim_end().bytes().next_back(), None | Some(b'}' | b';'));
        at += line.len();
    }
    let ends = starts
        .iter()
        .skip(1)
        .copied()
        .chain([(source.len(), source.matches('\n').count())]);
    let last_column = source.rsplit('\n').next().map_or(0, str::len);
    starts
        .iter()
        .zip(ends)
        .map(|((start, row), (end, end_row))| Range {
            start_byte: *start,
            end_byte: end,
            start_point: Point { row: *row, column: 0 },
            end_point: Point {
                row: end_row,
                column: if end == source.len() { last_column } else { 0 },
            },
        })
        .collect()
}

/// Lines that a tree could not parse.
struct Lost {
    /// In all errors together.
    total: usize,
    /// In the longest one.
    longest: usize,
}

/// The lost lines of a tree with this many lines. An error at the root loses all of them, wherever its last token is.
fn lost_lines(tree: &Tree, lines: usize) -> Lost {
    let mut lost = Lost { total: 0, longest: 0 };
    if tree.root_node().is_error() {
        return Lost {
            total: lines,
            longest: lines,
        };
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || has_swallowed(node) {
            let lines = node.end_position().row - node.start_position().row + 1;
            lost.total += lines;
            lost.longest = lost.longest.max(lines);
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return lost;
            }
        }
    }
}

/// Whether the parser inserted a token to join plain tokens over several lines: a sign of a string that is not closed
/// or not opened.
fn has_swallowed(node: Node<'_>) -> bool {
    if !node.has_error() || node.start_position().row == node.end_position().row {
        return false;
    }
    let mut cursor = node.walk();
    let mut misses = false;
    node.children(&mut cursor).all(|child| {
        misses |= child.is_missing() || child.child(0).is_some_and(|inner| inner.is_missing());
        child.child_count() <= 1
    }) && misses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_begin_at_the_left_margin_after_an_end() {
        let source = "a\nb\n\nc {\n\n  d\n}\ne";
        let parts: Vec<&str> = cut(source)
            .iter()
            .map(|part| &source[part.start_byte..part.end_byte])
            .collect();
        assert_eq!(parts, ["a\nb\n\n", "c {\n\n  d\n}\n", "e"]);
        assert_eq!(parts.concat(), source);
    }
}
