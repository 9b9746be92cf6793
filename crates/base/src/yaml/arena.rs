//! The rows of a document: nodes in the order in which they begin, each with the row after its last descendant.

use std::collections::HashSet;

use super::scalar::ScalarStyle;
use super::{Limits, Text};

/// What a row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Scalar,
    Sequence,
    Mapping,
    /// A reference; `text` is the row that is meant.
    Alias,
}

/// A node. What `text` and `len` are is [`Text`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) style: ScalarStyle,
    pub(super) next: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) text: u32,
    pub(super) len: u32,
}

/// All rows, and the texts that are not in the source as they read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Arena {
    pub(super) rows: Vec<Row>,
    pub(super) aside: String,
}

impl Arena {
    /// A row. Ids are made by this module's readers only, so that each is of a row.
    pub(super) fn row(&self, id: u32) -> &Row {
        &self.rows[id as usize]
    }

    /// The number of the next row.
    pub(super) fn next_id(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    /// Appends a scalar whose text is in the source.
    pub(super) fn scalar(&mut self, style: ScalarStyle, start: usize, end: usize, text: usize, len: usize) -> u32 {
        self.push(Kind::Scalar, style, (start, end), small(text), small(len))
    }

    /// Appends a scalar whose text differs from the source, such as one with escapes.
    pub(super) fn scalar_aside(&mut self, style: ScalarStyle, start: usize, end: usize, text: &str) -> u32 {
        let at = small(self.aside.len());
        self.aside.push_str(text);
        self.push(Kind::Scalar, style, (start, end), at, small(text.len()) | Text::ASIDE)
    }

    /// Appends an alias.
    pub(super) fn alias(&mut self, target: u32, start: usize, end: usize) -> u32 {
        self.push(Kind::Alias, ScalarStyle::Plain, (start, end), target, 0)
    }

    /// Appends a sequence or a mapping that is still open.
    pub(super) fn open(&mut self, kind: Kind, is_flow: bool, start: usize) -> u32 {
        let style = if is_flow { ScalarStyle::Flow } else { ScalarStyle::Plain };
        self.push(kind, style, (start, start), 0, 0)
    }

    /// Closes it.
    pub(super) fn close(&mut self, id: u32, end: usize) {
        let next = self.next_id();
        if let Some(row) = self.rows.get_mut(id as usize) {
            row.next = next;
            row.end = small(end);
        }
    }

    fn push(&mut self, kind: Kind, style: ScalarStyle, (start, end): (usize, usize), text: u32, len: u32) -> u32 {
        let id = self.next_id();
        self.rows.push(Row {
            kind,
            style,
            next: id + 1,
            start: small(start),
            end: small(end),
            text,
            len,
        });
        id
    }

    /// The text of a scalar row.
    pub(super) fn text<'a>(&'a self, source: &'a str, id: u32) -> &'a str {
        let row = self.row(id);
        let (from, len) = match row.len & Text::ASIDE {
            0 => (source, row.len),
            _ => (self.aside.as_str(), row.len & !Text::ASIDE),
        };
        let start = row.text as usize;
        from.get(start..start + len as usize).unwrap_or_default()
    }

    /// The second of two keys with the same text. Few keys are compared with each other, many through a set.
    pub(super) fn duplicate_key(&self, source: &str, keys: &[u32]) -> Option<u32> {
        let text = |id: &u32| self.text(source, *id);
        match keys.len() {
            0..=FEW_KEYS => (1..keys.len())
                .find(|at| keys[..*at].iter().any(|key| text(key) == text(&keys[*at])))
                .map(|at| keys[at]),
            _ => {
                let mut seen = HashSet::with_capacity(keys.len());
                keys.iter().find(|key| !seen.insert(text(key))).copied()
            }
        }
    }

    /// Whether there are more rows than there may be.
    pub(super) fn is_full(&self, limits: &Limits) -> bool {
        self.rows.len() > limits.nodes as usize
    }
}

/// Up to so many keys it is cheaper to compare each with each.
const FEW_KEYS: usize = 24;

/// Files are smaller than four gigabytes by their limit.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
