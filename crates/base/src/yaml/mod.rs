//! YAML with source positions: a flat arena of nodes with the byte range of each, so that findings have positions and edits have ranges to replace (clauses P2, P12, S2, S6).
//!
//! `fast` reads files in the usual form of manifests. The parser in `read` reads everything else and gives all errors. Both give the same rows.

mod arena;
mod comments;
pub mod edit;
mod fast;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
pub mod write;

use std::sync::OnceLock;

use self::arena::{Arena, Kind};
pub use self::comments::Comment;
pub use self::scalar::ScalarStyle;

/// Limits of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of the file.
    pub bytes: u32,
    /// The nesting depth of nodes.
    pub depth: u16,
    pub nodes: u32,
    /// Nodes that aliases refer to, counted once for each alias.
    pub expanded: u32,
    pub scalar_bytes: u32,
    pub mapping_keys: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 16 << 20,
            depth: 100,
            nodes: 2_000_000,
            expanded: 1_000_000,
            scalar_bytes: 1 << 20,
            mapping_keys: 200_000,
        }
    }
}

/// A node of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

/// Bytes of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first one.
    pub start: u32,
    /// The one after the last.
    pub end: u32,
}

/// A position in the source: line and column from 1. Columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl Place {
    /// The beginning of a file.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Text of a document, as a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Text {
    start: u32,
    /// The highest bit means that the text differs from the source and is stored separately.
    len: u32,
}

impl Text {
    const ASIDE: u32 = 1 << 31;

    /// How many bytes it has.
    pub fn len(self) -> usize {
        (self.len & !Self::ASIDE) as usize
    }

    /// Its first bytes.
    #[must_use]
    pub fn cut(self, bytes: usize) -> Self {
        let bytes = u32::try_from(bytes.min(self.len())).unwrap_or(self.len);
        Self {
            start: self.start,
            len: bytes | self.len & Self::ASIDE,
        }
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Node<'d> {
    Scalar(Scalar<'d>),
    Sequence(Items<'d>),
    Mapping(Entries<'d>),
}

/// A scalar: its text after YAML has resolved quotes, folding and escapes, but before any schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scalar<'d> {
    pub text: &'d str,
    /// The text as a range.
    pub range: Text,
    /// How it is written.
    pub style: ScalarStyle,
}

/// A key of a mapping with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub key: NodeId,
    pub value: NodeId,
}

/// The nodes of a sequence.
#[derive(Clone, Debug)]
pub struct Items<'d> {
    arena: &'d Arena,
    at: u32,
    end: u32,
}

impl Iterator for Items<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.at >= self.end {
            return None;
        }
        let id = self.at;
        self.at = self.arena.row(id).next;
        Some(NodeId(id))
    }
}

/// The entries of a mapping.
#[derive(Clone, Debug)]
pub struct Entries<'d> {
    items: Items<'d>,
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let key = self.items.next()?;
        let value = self.items.next()?;
        Some(Entry { key, value })
    }
}

/// A remark about a valid document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum YamlNote {
    /// It begins with a byte order mark.
    ByteOrderMark,
    /// It says that it is YAML 1.1; it is read as YAML 1.2 all the same.
    Version11,
}

/// What is wrong with a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YamlError {
    pub kind: YamlErrorKind,
    /// Where.
    pub at: Place,
    /// What, in lower case and without a full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// The kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum YamlErrorKind {
    /// The file is not YAML.
    Syntax,
    /// The file is not UTF-8.
    Encoding,
    /// A tag is not in the core schema.
    Tag,
    /// A mapping has a key twice.
    DuplicateKey,
    /// The file exceeds a limit.
    Limit,
    /// There is a second document.
    MultipleDocuments,
}

/// A document.
#[derive(Debug)]
pub struct Document {
    source: String,
    arena: Arena,
    lines: OnceLock<Lines>,
    has_byte_order_mark: bool,
}

impl Document {
    /// Reads a document; a stream of several is an error.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<(Self, Vec<YamlNote>), YamlError> {
        Self::read_by(bytes, limits, fast::read)
    }

    /// As [`Document::read`], without the fast reader. The result is the same; `cargo xtask bench --kcp` measures how much slower it is.
    pub fn read_by_parser(bytes: &[u8], limits: &Limits) -> Result<(Self, Vec<YamlNote>), YamlError> {
        Self::read_by(bytes, limits, |_, _| None)
    }

    fn read_by(
        bytes: &[u8],
        limits: &Limits,
        fast: impl Fn(&str, &Limits) -> Option<Arena>,
    ) -> Result<(Self, Vec<YamlNote>), YamlError> {
        let mut notes = Vec::new();
        let source = text(bytes, limits, &mut notes)?;
        let arena = match fast(source, limits) {
            Some(arena) => arena,
            None => read::read(source, limits, &mut notes)?,
        };
        let document = Self {
            source: source.to_owned(),
            arena,
            lines: OnceLock::new(),
            has_byte_order_mark: notes.contains(&YamlNote::ByteOrderMark),
        };
        Ok((document, notes))
    }

    /// The source of the file, without a byte order mark.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the file begins with a byte order mark, which the source is without.
    pub fn has_byte_order_mark(&self) -> bool {
        self.has_byte_order_mark
    }

    /// The outermost node.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The content of a node; for an alias, of the node it refers to.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        let mut id = id.0;
        let mut row = self.arena.row(id);
        if row.kind == Kind::Alias {
            id = row.text;
            row = self.arena.row(id);
        }
        let items = Items {
            arena: &self.arena,
            at: id + 1,
            end: row.next,
        };
        match row.kind {
            Kind::Sequence => Node::Sequence(items),
            Kind::Mapping => Node::Mapping(Entries { items }),
            Kind::Scalar | Kind::Alias => {
                let range = Text {
                    start: row.text,
                    len: row.len,
                };
                Node::Scalar(Scalar {
                    text: self.text(range),
                    range,
                    style: row.style,
                })
            }
        }
    }

    /// Whether a node is an alias.
    pub fn is_alias(&self, id: NodeId) -> bool {
        self.arena.row(id.0).kind == Kind::Alias
    }

    /// Whether a node is a sequence or a mapping between brackets.
    pub fn is_flow(&self, id: NodeId) -> bool {
        self.arena.row(id.0).style == ScalarStyle::Flow
    }

    /// The byte range of a node in the source; for an alias, of `*name`. A block scalar begins after its header.
    pub fn span(&self, id: NodeId) -> Span {
        let row = self.arena.row(id.0);
        Span {
            start: row.start,
            end: row.end,
        }
    }

    /// Where a node begins.
    pub fn place(&self, id: NodeId) -> Place {
        self.place_of(self.arena.row(id.0).start)
    }

    /// The position of a byte of the source.
    pub fn place_of(&self, byte: u32) -> Place {
        let lines = self.lines.get_or_init(|| Lines::of(&self.source));
        lines.place(&self.source, byte)
    }

    /// The text of a range.
    pub fn text(&self, text: Text) -> &str {
        let source = match text.len & Text::ASIDE {
            0 => &self.source,
            _ => &self.arena.aside,
        };
        let start = text.start as usize;
        source.get(start..start + text.len()).unwrap_or_default()
    }

    /// The comments, in order.
    pub fn comments(&self) -> Vec<Comment> {
        comments::find(&self.source, &self.arena)
    }
}

/// The text of a file, without a byte order mark.
fn text<'a>(bytes: &'a [u8], limits: &Limits, notes: &mut Vec<YamlNote>) -> Result<&'a str, YamlError> {
    if bytes.len() > limits.bytes as usize {
        return Err(YamlError {
            kind: YamlErrorKind::Limit,
            at: Place::START,
            message: format!("the file has {} bytes; at most {} are read", bytes.len(), limits.bytes),
            hint: Some("split the manifest and join the parts with `manifests`".to_owned()),
        });
    }
    let encoding = |at: Place, message: &str, hint: Option<&str>| YamlError {
        kind: YamlErrorKind::Encoding,
        at,
        message: message.to_owned(),
        hint: hint.map(str::to_owned),
    };
    // UTF-16 of a text that begins with an ASCII character has a zero as its first or second byte, mark or not.
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] = bytes {
        let hint = "save the file as UTF-8 without a byte order mark";
        return Err(encoding(
            Place::START,
            "the file is UTF-16 or UTF-32, not UTF-8",
            Some(hint),
        ));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => {
                notes.push(YamlNote::ByteOrderMark);
                rest
            }
            None => text,
        }),
        Err(error) => {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let good = String::from_utf8_lossy(good);
            let end = u32::try_from(good.len()).unwrap_or(u32::MAX);
            let at = Lines::of(&good).place(&good, end);
            Err(encoding(at, "the file is not UTF-8", Some("save the file as UTF-8")))
        }
    }
}

/// Line starts, and the number of characters before each block of bytes, so that a position in one long line is as cheap as in any other file.
#[derive(Debug)]
struct Lines {
    starts: Vec<u32>,
    characters: Vec<u32>,
}

impl Lines {
    /// Bytes of a block.
    const BLOCK: usize = 4_096;

    /// Those of a text. A line ends with a line feed, a carriage return, or both.
    fn of(source: &str) -> Self {
        let bytes = source.as_bytes();
        let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
        starts.push(0);
        for (at, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        let mut before = 0;
        let mut characters = vec![0];
        for block in bytes.chunks(Self::BLOCK) {
            before += count(block);
            characters.push(before);
        }
        Self { starts, characters }
    }

    fn place(&self, source: &str, byte: u32) -> Place {
        let line = self.starts.partition_point(|start| *start <= byte).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = self.before(source, byte) - self.before(source, start) + 1;
        Place {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column,
        }
    }

    /// The number of characters before a byte.
    fn before(&self, source: &str, byte: u32) -> u32 {
        let byte = (byte as usize).min(source.len());
        let block = byte / Self::BLOCK;
        let rest = source.as_bytes().get(block * Self::BLOCK..byte).unwrap_or_default();
        self.characters.get(block).copied().unwrap_or(0) + count(rest)
    }
}

/// How many characters begin in these bytes of UTF-8.
fn count(bytes: &[u8]) -> u32 {
    let begins = bytes.iter().filter(|byte| **byte & 0xc0 != 0x80);
    u32::try_from(begins.count()).unwrap_or(u32::MAX)
}
