//! The comment that opens a file and speaks of the whole of it, where a language has no other place for that.

use super::comments::DocStyle;
use super::walker::Walker;
use crate::syntax::Node;

/// Words by which a paragraph shows itself as a licence.
const LICENCE_WORDS: &[&str] = &["copyright", "licen", "spdx", "(c) ", "all rights reserved"];
/// Comments at the top that are looked at.
const MAX_COMMENTS: usize = 400;

/// What the first run of comments says, before a licence begins; the next run where the first is nothing but a licence. A run that touches
/// what stands below it is the doc of that where `documented` says so, and then nobody else's.
pub(crate) fn preface<'t>(
    walker: &Walker<'t>,
    root: Node<'t>,
    style: &DocStyle,
    comments: &[&str],
    documented: impl Fn(Node<'t>) -> bool,
) -> Option<String> {
    let mut run: Vec<&str> = Vec::new();
    let mut last_row = 0;
    for node in root.children().take(MAX_COMMENTS) {
        let is_comment = comments.contains(&node.kind());
        let touches = node.start_position().row <= last_row + 1;
        if !is_comment {
            return if touches && documented(node) {
                None
            } else {
                spoken(&run, style)
            };
        }
        if !touches && !run.is_empty() {
            if let Some(doc) = spoken(&run, style) {
                return Some(doc);
            }
            run.clear();
        }
        run.push(walker.text(node));
        let end = node.end_position();
        // Some grammars end a line comment at the beginning of the next line.
        last_row = end.row - usize::from(end.column == 0 && end.row > node.start_position().row);
    }
    spoken(&run, style)
}

/// The paragraphs of a run before the first that is a licence.
fn spoken(run: &[&str], style: &DocStyle) -> Option<String> {
    let doc = style.read(run)?;
    let is_licence = |paragraph: &&str| {
        let lower = paragraph.to_lowercase();
        LICENCE_WORDS.iter().any(|word| lower.contains(word))
    };
    let before: Vec<&str> = doc
        .split("\n\n")
        .take_while(|paragraph| !is_licence(paragraph))
        .collect();
    let doc = before.join("\n\n");
    (!doc.trim().is_empty()).then_some(doc)
}
