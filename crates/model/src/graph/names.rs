//! Qualified names.
//!
//! A snapshot stores a qualified name in two parts: the symbol whose qualified name comes first, and the text that follows it. Names
//! therefore take memory that grows with the number of symbols, whatever their nesting. A whole name is put together when a question asks
//! for it.

use std::borrow::Cow;

use super::{FilteredText, MAX_NESTING, Section, Symbol, SymbolId};
use crate::{Text, U32};

/// Bytes of a name that is put together. The writer stores longer names as a whole, so that a crafted snapshot cannot make a reader
/// allocate more.
const MAX_JOINED: usize = 64 << 10;

/// How many prefixes a name has, and its length.
#[derive(Clone, Copy)]
pub(crate) struct JoinedName {
    prefixes: usize,
    len: usize,
}

impl JoinedName {
    /// A name that is stored as a whole.
    pub(crate) fn of(text: Text) -> Self {
        let len = text.len.get() as usize;
        Self { prefixes: 0, len }
    }

    /// The name that continues this one, unless it exceeds the bounds.
    pub(crate) fn followed_by(self, own: Self) -> Option<Self> {
        let joined = Self {
            prefixes: self.prefixes + 1,
            len: self.len + own.len,
        };
        (joined.prefixes <= MAX_NESTING && joined.len <= MAX_JOINED).then_some(joined)
    }
}

impl<'a> Symbol<'a> {
    /// The qualified name, unique in the graph.
    pub fn qualified_name(self) -> Cow<'a, str> {
        if let Some(shown) = self.shown_qualified_name() {
            return Cow::Borrowed(shown);
        }
        if self.name_prefix().is_none() {
            return Cow::Borrowed(self.own_part());
        }
        // The last part comes first. A map that is cut short meanwhile reads as zeros, so that lengths may differ.
        let mut end = self.joined_len();
        let mut name = vec![0; end];
        for symbol in self.name_chain() {
            let part = symbol.own_part().as_bytes();
            let Some(start) = end.checked_sub(part.len()) else {
                break;
            };
            name[start..end].copy_from_slice(part);
            end = start;
        }
        Cow::Owned(String::from_utf8(name).unwrap_or_default())
    }

    /// The length of the qualified name in bytes.
    pub fn qualified_len(self) -> usize {
        self.shown_qualified_name().map_or_else(|| self.joined_len(), str::len)
    }

    /// Whether this is the qualified name. Nothing is allocated.
    pub fn is_qualified_as(self, name: &str) -> bool {
        if let Some(shown) = self.shown_qualified_name() {
            return shown == name;
        }
        if self.joined_len() != name.len() {
            return false;
        }
        let mut rest = name;
        for symbol in self.name_chain() {
            match rest.strip_suffix(symbol.own_part()) {
                Some(before) => rest = before,
                None => return false,
            }
        }
        rest.is_empty()
    }

    /// The text that a filter or an overlay shows in the place of the qualified name.
    fn shown_qualified_name(self) -> Option<&'a str> {
        let filtered = self.graph.filtered_text(FilteredText::QualifiedName(self.id));
        filtered.or_else(|| self.overlaid()?.qualified_name.as_deref())
    }

    /// The symbol whose qualified name comes before the own part. It precedes this symbol, so that every walk ends.
    fn name_prefix(self) -> Option<Self> {
        let prefix = self.cell::<U32>(Section::SymbolPrefix).get();
        (prefix < self.id.0).then(|| self.graph.symbol(SymbolId(prefix)))
    }

    /// The part of the qualified name that follows the one of the prefix.
    fn own_part(self) -> &'a str {
        self.graph.text(self.cell(Section::SymbolQualified))
    }

    /// The symbols whose own parts make the name, the last part first; no more than the bounds allow.
    fn name_chain(self) -> impl Iterator<Item = Self> {
        let mut len = 0;
        std::iter::successors(Some(self), |symbol| symbol.name_prefix())
            .take(MAX_NESTING + 1)
            .take_while(move |symbol| {
                len += symbol.own_part().len();
                symbol.id == self.id || len <= MAX_JOINED
            })
    }

    fn joined_len(self) -> usize {
        self.name_chain().map(|symbol| symbol.own_part().len()).sum()
    }
}
