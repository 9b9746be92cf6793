//! Haddock comments.

use crate::extract::{DocStyle, Walker, clean_line_doc};
use crate::syntax::Node;

/// A block comment, once its signs are written together.
const BLOCK: DocStyle = DocStyle {
    line: &[],
    block: &[("{-|", "-}")],
    except: &[],
};

/// The fields that the comment of a module may begin with.
const FIELDS: &[&str] = &[
    "Module",
    "Description",
    "Copyright",
    "License",
    "Licence",
    "Maintainer",
    "Stability",
    "Portability",
    "Category",
    "Author",
    "SPDX-License-Identifier",
];

/// The documentation of a declaration: before it, or behind it.
pub(super) fn of(walker: &Walker<'_>, node: Node<'_>) -> Option<String> {
    above(walker, node.start_byte()).or_else(|| behind(walker, node.end_byte()))
}

/// `-- | …` and `{- | … -}` above a byte, or above the bar, comma or brace that leads over to it.
pub(super) fn above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    directly_above(walker, byte).or_else(|| {
        let before = walker.slice(0, byte).trim_end();
        let led = before.strip_suffix(['|', '=', ',', '{'])?;
        directly_above(walker, led.len())
    })
}

fn directly_above(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let mut lines = Vec::new();
    for (start, end) in walker.comments_before(byte).iter().rev() {
        let comment = walker.slice(*start as usize, *end as usize).trim_end();
        if comment.starts_with("{-#") {
            continue;
        }
        if comment.starts_with("{-") {
            return marked_block(comment, '|').filter(|_| lines.is_empty());
        }
        lines.push(comment);
        if is_marked(comment, '|') {
            lines.reverse();
            return line_doc(lines.iter().flat_map(|comment| comment.lines()));
        }
    }
    // Empty lines do not part a documentation comment from what it documents.
    let last = walker
        .last_comment_before(byte)
        .filter(|_| lines.is_empty())?
        .trim_end();
    if is_marked(last, '|') {
        line_doc(last.lines())
    } else {
        marked_block(last, '|')
    }
}

/// `-- ^ …` and `{- ^ … -}` behind a byte, or behind the comma there.
pub(super) fn behind(walker: &Walker<'_>, byte: usize) -> Option<String> {
    let rest = walker.slice(byte, walker.source.len()).trim_start();
    let rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    if let Some(end) = rest.strip_prefix("{-").and_then(|body| body.find("-}")) {
        return marked_block(rest.get(..end + 4)?, '^');
    }
    if !is_marked(rest, '^') {
        return None;
    }
    let mut lines = rest.lines();
    let first = lines.next();
    let more = lines
        .map(str::trim_start)
        .take_while(|line| line.starts_with("--") && !is_marked(line, '|') && !is_marked(line, '^'));
    line_doc(first.into_iter().chain(more))
}

/// Whether a line comment begins with a mark: `-- |`.
fn is_marked(comment: &str, mark: char) -> bool {
    comment.starts_with("--")
        && comment
            .trim_start_matches('-')
            .trim_start_matches(' ')
            .starts_with(mark)
}

fn line_doc<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut is_first = true;
    let lines: Vec<&str> = lines
        .map(|line| {
            let text = line.trim_start().trim_start_matches('-');
            if std::mem::take(&mut is_first) {
                text.trim_start().trim_start_matches(['|', '^'])
            } else {
                text
            }
        })
        .collect();
    let doc = clean_line_doc(lines.into_iter(), &[]);
    (!doc.is_empty()).then_some(doc)
}

/// The text of a block comment that begins with a mark.
fn marked_block(comment: &str, mark: char) -> Option<String> {
    let body = comment.strip_prefix("{-")?.trim_start().strip_prefix(mark)?;
    BLOCK.read(&[&format!("{{-|{body}")])
}

/// The comment of a module without the fields that it begins with, but with its description.
pub(super) fn without_fields(doc: &str) -> String {
    let mut description = String::new();
    let mut reached = 0;
    let mut field = "";
    for line in doc.split_inclusive('\n') {
        let name = line.split(':').next().unwrap_or(line).trim();
        let is_field = line.contains(':') && FIELDS.iter().any(|known| known.eq_ignore_ascii_case(name));
        let goes_on = !field.is_empty() && line.starts_with([' ', '\t']);
        if is_field {
            field = name;
        } else if !goes_on {
            break;
        }
        if field.eq_ignore_ascii_case("Description") {
            let value = if is_field {
                line.split_once(':').map_or("", |(_, value)| value)
            } else {
                line
            };
            description.push_str(value.trim());
            description.push('\n');
        }
        reached += line.len();
    }
    let rest = doc.get(reached..).unwrap_or("").trim();
    match (description.trim(), rest) {
        ("", rest) => rest.to_owned(),
        (description, "") => description.to_owned(),
        (description, rest) => format!("{description}\n\n{rest}"),
    }
}
