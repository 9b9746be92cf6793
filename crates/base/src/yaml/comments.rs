//! Comments, found in the gaps between scalars.

use super::Span;
use super::arena::{Arena, Kind};

/// A comment, from its sign to the end of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its bytes.
    pub span: Span,
    /// Whether the line has nothing else.
    pub own_line: bool,
}

/// All of them, in order: a `#` at the beginning of a line or after white space, in a gap between scalars.
pub(super) fn find(source: &str, arena: &Arena) -> Vec<Comment> {
    let bytes = source.as_bytes();
    let mut comments = Vec::new();
    let mut at = 0;
    let leaves = arena
        .rows
        .iter()
        .filter(|row| matches!(row.kind, Kind::Scalar | Kind::Alias));
    let spans = leaves.map(|row| (row.start as usize, row.end as usize));
    for (start, end) in spans.chain([(bytes.len(), bytes.len())]) {
        while at < start {
            let opens = bytes.get(at) == Some(&b'#')
                && at
                    .checked_sub(1)
                    .is_none_or(|before| matches!(bytes[before], b' ' | b'\t' | b'\n' | b'\r'));
            if !opens {
                at += 1;
                continue;
            }
            let rest = bytes.get(at..).unwrap_or_default();
            let length = rest
                .iter()
                .position(|byte| matches!(byte, b'\n' | b'\r'))
                .unwrap_or(rest.len());
            let line = source
                .get(..at)
                .unwrap_or_default()
                .rsplit(['\n', '\r'])
                .next()
                .unwrap_or_default();
            comments.push(Comment {
                span: Span {
                    start: u32::try_from(at).unwrap_or(u32::MAX),
                    end: u32::try_from(at + length).unwrap_or(u32::MAX),
                },
                own_line: line.trim().is_empty(),
            });
            at += length;
        }
        at = at.max(end);
    }
    comments
}
