//! Documentation comments of OCaml, which stand before or after what they speak of.

use lore_model::SymbolKind;

use crate::extract::{DocStyle, Walker};
use crate::language::Flow;
use crate::syntax::Node;

pub(super) const DOCS: DocStyle = DocStyle {
    line: &[],
    block: &[("(**", "*)")],
    except: &["(***"],
};

/// Bytes of a comment behind an item that are looked at for its end.
const MAX_COMMENT: usize = 64 * 1024;

/// The comment at the top that no item owns is the module's.
pub(super) fn compilation_unit<'t>(walker: &mut Walker<'t>, node: Node<'t>) -> Flow {
    let mut children = node.children().peekable();
    while let Some(comment) = children.next_if(|child| child.kind() == "comment") {
        let text = walker.text(comment);
        let Some(doc) = DOCS.read(&[text]) else {
            continue;
        };
        let next = children.peek();
        let gap = next.map_or("", |next| walker.slice(comment.end_byte(), next.start_byte()));
        let is_alone = next.is_none_or(|next| {
            has_empty_line(gap) || matches!(next.kind(), "open_module" | "open_module_signature" | "comment")
        });
        if is_alone {
            walker.module_doc(&doc);
        }
        break;
    }
    Flow::Descend
}

/// Whose a comment is that stands between two items with no empty line on either side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// That of the item above it, as in signatures.
    Above,
    /// That of the item below it, as where values are defined.
    Below,
}

impl Between {
    /// What holds where the node under the cursor stands.
    pub(super) fn of(walker: &Walker<'_>) -> Self {
        if walker.role.declaration || walker.enclosing_kind() == SymbolKind::Interface {
            Self::Above
        } else {
            Self::Below
        }
    }
}

/// The documentation of an item that stands between two bytes.
pub(super) fn doc(walker: &mut Walker<'_>, start: usize, end: usize) -> Option<String> {
    let between = Between::of(walker);
    doc_before(walker, start).or_else(|| doc_after(walker, end, 0, between))
}

/// The documentation of a constructor or field, which as a rule stands behind it.
pub(super) fn doc_of_member(walker: &mut Walker<'_>, start: usize, end: usize) -> Option<String> {
    doc_before(walker, start).or_else(|| doc_after(walker, end, 0, Between::Above))
}

/// The documentation of a type of several constructors: what stands behind the last of them and is indented is that one's.
pub(super) fn doc_of_variants(walker: &mut Walker<'_>, start: usize, end: usize) -> Option<String> {
    let column = column(walker, start);
    let between = Between::of(walker);
    doc_before(walker, start).or_else(|| doc_after(walker, end, column + 1, between))
}

/// The documentation above a byte, unless it belongs to what stands above it.
fn doc_before(walker: &Walker<'_>, start: usize) -> Option<String> {
    let (_, end) = walker.comments_before(start).last()?;
    if walker.spoken_for.contains(&(*end as usize)) {
        None
    } else {
        walker.doc_above(start, &DOCS)
    }
}

/// The documentation behind a byte; with a limit, only one that begins its line at a lower column.
fn doc_after(walker: &mut Walker<'_>, end: usize, limit: usize, between: Between) -> Option<String> {
    let rest = walker.source.get(end..)?;
    let comment = rest.trim_start_matches([' ', '\t', ';', '\r', '\n']);
    if !comment.starts_with("(**") {
        return None;
    }
    let start = end + rest.len() - comment.len();
    let gap = walker.slice(end, start);
    if has_empty_line(gap) || (limit > 0 && (!gap.contains('\n') || column(walker, start) >= limit)) {
        return None;
    }
    let len = comment_len(comment)?;
    let stands_alone = gap.contains('\n');
    if stands_alone && between == Between::Below && leads_over(comment.get(len..)?) {
        return None;
    }
    let doc = DOCS.read(&[comment.get(..len)?])?;
    walker.spoken_for.insert(start + len).then_some(doc)
}

/// Whether an item follows on the next line.
fn leads_over(after: &str) -> bool {
    let next = after.trim_start();
    let gap = &after[..after.len() - next.len()];
    !next.is_empty() && !has_empty_line(gap) && !next.starts_with(['}', ']', ')', ';', '(']) && !next.starts_with("end")
}

fn has_empty_line(gap: &str) -> bool {
    gap.bytes().filter(|byte| *byte == b'\n').count() > 1
}

/// How many bytes stand before a byte on its line.
fn column(walker: &Walker<'_>, byte: usize) -> usize {
    let before = walker.slice(0, byte).as_bytes();
    before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)
}

/// The length of the comment that a text begins with; comments nest.
fn comment_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let bytes = bytes.get(..MAX_COMMENT).unwrap_or(bytes);
    let mut depth = 0;
    let mut at = 0;
    loop {
        match bytes.get(at..at + 2)? {
            b"(*" => {
                depth += 1;
                at += 2;
            }
            b"*)" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}
