//! Changes to a copy of a source, byte for byte, so that a grammar can read it. Every byte keeps its place and every line its number.

use std::cmp::Reverse;

use super::tokens;

/// What becomes of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    /// They become white space.
    Blank,
    /// The ranges become comments: the walker sees a node there whose text in the source is not a comment.
    Mask,
    /// They become a name.
    Name,
    /// They become a type and a name, `a b`: two tokens where there is one.
    Function,
    /// They become `public:`.
    Public,
    /// They become a statement.
    Statement,
    /// They become `enum`.
    Enum,
}

/// The changes to a source, in any order.
#[derive(Default)]
pub(super) struct Edits {
    changes: Vec<(usize, Reverse<usize>, Change)>,
}

impl Edits {
    pub(super) fn blank(&mut self, start: usize, end: usize) {
        self.push(start, end, Change::Blank);
    }

    pub(super) fn mask(&mut self, start: usize, end: usize) {
        self.push(start, end, Change::Mask);
    }

    pub(super) fn name(&mut self, start: usize, end: usize) {
        self.push(start, end, Change::Name);
    }

    pub(super) fn function(&mut self, start: usize, end: usize) {
        self.push(start, end, Change::Function);
    }

    pub(super) fn public(&mut self, start: usize, end: usize) {
        self.push(start, end, Change::Public);
    }

    pub(super) fn statement(&mut self, start: usize, end: usize) {
        self.push(start, end, Change::Statement);
    }

    pub(super) fn enumeration(&mut self, start: usize, end: usize) {
        self.push(start, end, Change::Enum);
    }

    fn push(&mut self, start: usize, end: usize, change: Change) {
        if start < end {
            self.changes.push((start, Reverse(end), change));
        }
    }

    /// The source with the edits; of overlapping edits the outermost applies. `None` if there are no edits.
    pub(super) fn apply(mut self, source: &str) -> Option<String> {
        if self.changes.is_empty() {
            return None;
        }
        self.changes.sort_unstable();
        let mut bytes = source.as_bytes().to_vec();
        let mut reached = 0;
        for (start, Reverse(end), change) in self.changes {
            if start < reached || end > bytes.len() {
                continue;
            }
            // The visitor of a masked range reads its text itself. Under other edits, comments stay.
            let comments = match change {
                Change::Mask => Vec::new(),
                _ => tokens::comments(source.get(start..end).unwrap_or("")),
            };
            reached = make(&mut bytes, start, end, change);
            for (from, to) in comments {
                bytes[start + from..start + to].copy_from_slice(&source.as_bytes()[start + from..start + to]);
            }
        }
        String::from_utf8(bytes).ok()
    }
}

/// Makes a change; where it ends.
fn make(bytes: &mut [u8], start: usize, end: usize, change: Change) -> usize {
    let next_is_space = matches!(bytes.get(end), Some(b' ' | b'\t'));
    // Three letters and the space after them are enough for a comment.
    let end = if change == Change::Mask && end - start == 3 && next_is_space {
        end + 1
    } else {
        end
    };
    let part = &mut bytes[start..end];
    for byte in part.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
    let len = part.len();
    match change {
        Change::Mask if len >= 4 && part[1] == b' ' => {
            // The end must not fall on a line break.
            let close = part[2..].windows(2).rposition(|two| two == b"  ");
            if let Some(close) = close {
                part[..2].copy_from_slice(b"/*");
                part[close + 2..close + 4].copy_from_slice(b"*/");
            }
        }
        Change::Name => part[0] = b'a',
        Change::Function if len >= 3 => {
            part[0] = b'a';
            part[len - 1] = b'b';
        }
        Change::Statement if len >= 2 => {
            part[0] = b'a';
            part[len - 1] = b';';
        }
        Change::Enum if len >= 4 => part[..4].copy_from_slice(b"enum"),
        Change::Public if len >= 7 => part[..7].copy_from_slice(b"public:"),
        _ => {}
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_change_holds() {
        let mut edits = Edits::default();
        edits.mask(0, 3);
        edits.mask(8, 12);
        edits.mask(9, 11);
        edits.blank(13, 15);
        edits.name(16, 19);
        edits.function(20, 24);
        assert_eq!(
            edits.apply("API int ABCD é xyz main").as_deref(),
            Some("/**/int /**/    a   a  b")
        );
        assert_eq!(Edits::default().apply("x"), None);
        let mut edits = Edits::default();
        edits.mask(0, 8);
        edits.statement(9, 13);
        assert_eq!(edits.apply("#a \\\nb\n} f(x)").as_deref(), Some("/**/\n \n  a  ;"));
    }
}
