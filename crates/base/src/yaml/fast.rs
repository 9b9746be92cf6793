//! A fast reader for the usual form of manifests: block mappings and sequences, scalars on one line, flow collections on one line, comments.
//!
//! It returns `None` for everything else: tabs, control characters, anchors, tags, rare escapes, block scalars, scalars of several lines, a second
//! document, duplicate keys. The parser then reads the file, and every error is the parser's. What this reader does accept it reads as the
//! parser does; a property test compares the two. `cargo xtask bench --kcp` measures both on a manifest of ten thousand units.

use super::Limits;
use super::arena::{Arena, Kind};
use super::scalar::ScalarStyle;

/// Reads a whole file, or nothing.
pub(super) fn read(source: &str, limits: &Limits) -> Option<Arena> {
    if !is_plain(source.as_bytes()) {
        return None;
    }
    let arena = Arena {
        rows: Vec::with_capacity(source.len() / 12),
        aside: String::new(),
    };
    let mut reader = FastReader {
        source,
        bytes: source.as_bytes(),
        limits,
        at: 0,
        end: 0,
        arena,
        open: Vec::new(),
        keys: Vec::new(),
        missing: Some(0),
    };
    reader.file()?;
    Some(reader.arena)
}

/// Whether there is nothing but line ends and what can be seen: a byte order mark, a noncharacter, a control character or a lone carriage return needs the parser's judgement.
fn is_plain(bytes: &[u8]) -> bool {
    let mut before = 0;
    let is_plain = bytes.iter().all(|&byte| {
        let is_c1 = before == 0xc2 && (0x80..0xa0).contains(&byte);
        let is_lone_return = before == b'\r' && byte != b'\n';
        before = byte;
        (byte >= 0x20 || byte == b'\n' || byte == b'\r') && byte != 0x7f && byte != 0xef && !is_c1 && !is_lone_return
    });
    is_plain && before != b'\r'
}

/// A collection that is still open.
struct Open {
    row: u32,
    is_mapping: bool,
    /// The column of its keys or dashes.
    column: usize,
    /// How many of `keys` are its own.
    keys: usize,
}

struct FastReader<'s> {
    source: &'s str,
    bytes: &'s [u8],
    limits: &'s Limits,
    at: usize,
    /// The end of the last thing that was read.
    end: usize,
    arena: Arena,
    open: Vec<Open>,
    keys: Vec<u32>,
    /// The position of the value that must come next: after a colon, after a dash, or the whole document.
    missing: Option<usize>,
}

/// The columns from which a line goes on, or the end of the file.
type Next = Option<usize>;

impl FastReader<'_> {
    fn file(&mut self) -> Option<()> {
        let mut column = self.content()?;
        let is_marker = self.bytes.get(self.at..self.at + 3) == Some(b"---") && self.byte(self.at + 3) == Some(b'\n');
        if column == 0 && is_marker {
            self.at += 4;
            self.missing = Some(self.at);
            column = self.content()?;
        }
        if column != 0 {
            return None;
        }
        loop {
            self.close_deeper(column)?;
            if self.open.is_empty() && self.missing.is_none() {
                return None;
            }
            match self.line(column)? {
                Some(next) => column = next,
                None => break,
            }
        }
        self.empty();
        while !self.open.is_empty() {
            self.close()?;
        }
        Some(())
    }

    /// A byte. A carriage return is the line feed that follows it, so that there seems to be an empty line between the two.
    fn byte(&self, at: usize) -> Option<u8> {
        match self.bytes.get(at).copied() {
            Some(b'\r') => Some(b'\n'),
            byte => byte,
        }
    }

    fn spaces(&mut self) {
        while self.byte(self.at) == Some(b' ') {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    /// Goes to the next thing that is neither blank nor a comment; its column.
    fn content(&mut self) -> Next {
        loop {
            let line = self.at;
            self.spaces();
            match self.byte(self.at)? {
                b'\n' => self.at += 1,
                b'#' => self.skip_line(),
                _ => return Some(self.at - line),
            }
        }
    }

    /// The rest of a line after a value: nothing, or a comment after a space.
    fn end_of_line(&mut self) -> Option<()> {
        let from = self.at;
        self.spaces();
        match self.byte(self.at) {
            None => Some(()),
            Some(b'\n') => {
                self.at += 1;
                Some(())
            }
            Some(b'#') if self.at > from => {
                self.skip_line();
                Some(())
            }
            Some(_) => None,
        }
    }

    /// A value that is missing is null.
    fn empty(&mut self) {
        if let Some(at) = self.missing.take() {
            self.arena.scalar(ScalarStyle::Plain, at, at, at, 0);
        }
    }

    fn is_dash(&self) -> bool {
        self.byte(self.at) == Some(b'-') && matches!(self.byte(self.at + 1), None | Some(b' ' | b'\n'))
    }

    /// Closes what a line at this column does not belong to.
    fn close_deeper(&mut self, column: usize) -> Option<()> {
        let is_dash = self.is_dash();
        while let Some(open) = self.open.last() {
            if column > open.column {
                // Something deeper can only be the value that is missing.
                return self.missing.map(drop);
            }
            // A list may begin at the column of its key.
            let goes_on = if open.is_mapping {
                !is_dash || self.missing.is_some()
            } else {
                is_dash
            };
            if column == open.column && goes_on {
                return Some(());
            }
            self.empty();
            self.close()?;
        }
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        let open = self.open.pop()?;
        self.arena.close(open.row, self.end);
        let from = self.keys.len() - open.keys;
        if self.arena.duplicate_key(self.source, self.keys.get(from..)?).is_some() {
            return None;
        }
        self.keys.truncate(from);
        Some(())
    }

    /// Makes room for an item or an entry at a column, in the collection that goes on there or in a new one.
    fn enter(&mut self, is_mapping: bool, column: usize) -> Option<()> {
        let fits = self
            .open
            .last()
            .is_some_and(|open| open.is_mapping == is_mapping && open.column == column);
        if fits {
            self.empty();
            return Some(());
        }
        self.missing.take()?;
        let kind = if is_mapping { Kind::Mapping } else { Kind::Sequence };
        let row = self.arena.open(kind, false, self.at);
        self.open.push(Open {
            row,
            is_mapping,
            column,
            keys: 0,
        });
        (self.open.len() < usize::from(self.limits.depth)).then_some(())
    }

    /// One line, from its first dash or key on; the column of the next one, or `Some(None)` at the end of the file.
    fn line(&mut self, mut column: usize) -> Option<Next> {
        while self.is_dash() {
            self.enter(false, column)?;
            let dash = self.at;
            self.at += 1;
            self.end = self.at;
            self.missing = Some(self.at);
            self.spaces();
            if let None | Some(b'\n' | b'#') = self.byte(self.at) {
                return self.without_value();
            }
            column += self.at - dash;
            if !self.is_dash() && self.key_end().is_none() {
                return self.value(column - 1);
            }
        }
        let end = self.key_end()?;
        self.entry(column, end)
    }

    /// The end of a plain key before its colon.
    fn key_end(&self) -> Option<usize> {
        if !self.byte(self.at)?.is_ascii_alphabetic() {
            return None;
        }
        let rest = self.bytes.get(self.at..)?;
        let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let length = rest.iter().position(|byte| !is_key(byte))?;
        let is_ended = matches!(rest.get(length + 1), None | Some(b' ' | b'\n' | b'\r'));
        (rest.get(length) == Some(&b':') && is_ended && length < LONG_KEY).then_some(self.at + length)
    }

    fn entry(&mut self, column: usize, key_end: usize) -> Option<Next> {
        self.enter(true, column)?;
        let key = self
            .arena
            .scalar(ScalarStyle::Plain, self.at, key_end, self.at, key_end - self.at);
        self.keys.push(key);
        let open = self.open.last_mut()?;
        open.keys += 1;
        if open.keys > self.limits.mapping_keys as usize || self.arena.is_full(self.limits) {
            return None;
        }
        self.at = key_end + 1;
        self.end = self.at;
        self.missing = Some(self.at);
        self.spaces();
        match self.byte(self.at) {
            None | Some(b'\n' | b'#') => self.without_value(),
            Some(_) => self.value(column),
        }
    }

    /// A colon or a dash with nothing behind it.
    fn without_value(&mut self) -> Option<Next> {
        self.at = self.end;
        self.end_of_line()?;
        Some(self.content())
    }

    /// A value on this line; the next line must not go on with it.
    fn value(&mut self, parent: usize) -> Option<Next> {
        self.missing.take()?;
        self.inline(false, 0)?;
        self.end = self.at;
        self.end_of_line()?;
        match self.content() {
            Some(column) if column > parent => None,
            next => Some(next),
        }
    }

    /// The value on one line, inside of brackets or not.
    fn inline(&mut self, in_brackets: bool, depth: usize) -> Option<()> {
        match self.byte(self.at)? {
            quote @ (b'"' | b'\'') => self.quoted(quote),
            b'[' => self.brackets(Kind::Sequence, b']', depth),
            b'{' => self.brackets(Kind::Mapping, b'}', depth),
            _ => self.plain(in_brackets),
        }
    }

    /// A list or a mapping on one line. The depth is bounded, so that this may call itself.
    fn brackets(&mut self, kind: Kind, close: u8, depth: usize) -> Option<()> {
        let levels = self.open.len() + depth + 1;
        if depth == FLOW_DEPTH || levels >= usize::from(self.limits.depth) {
            return None;
        }
        let row = self.arena.open(kind, true, self.at);
        let keys = self.keys.len();
        self.at += 1;
        loop {
            self.spaces();
            if self.byte(self.at)? == close {
                break;
            }
            if kind == Kind::Mapping {
                let end = self.key_end()?;
                let key = self
                    .arena
                    .scalar(ScalarStyle::Plain, self.at, end, self.at, end - self.at);
                self.keys.push(key);
                self.at = end + 1;
                self.spaces();
            }
            if self.arena.is_full(self.limits) || self.keys.len() - keys > self.limits.mapping_keys as usize {
                return None;
            }
            self.inline(true, depth + 1)?;
            self.spaces();
            match self.byte(self.at)? {
                b',' => self.at += 1,
                byte if byte == close => break,
                _ => return None,
            }
        }
        self.at += 1;
        self.arena.close(row, self.at);
        if self.arena.duplicate_key(self.source, self.keys.get(keys..)?).is_some() {
            return None;
        }
        self.keys.truncate(keys);
        Some(())
    }

    fn quoted(&mut self, quote: u8) -> Option<()> {
        let start = self.at;
        let text = self.bytes.get(start + 1..)?;
        let is_mark = |byte: &u8| *byte == quote || *byte == b'\n' || *byte == b'\\' && quote == b'"';
        let length = text.iter().position(is_mark)?;
        let style = match quote {
            b'"' => ScalarStyle::Double,
            _ => ScalarStyle::Single,
        };
        let is_doubled = quote == b'\'' && text.get(length + 1) == Some(&quote);
        if text.get(length) != Some(&quote) || is_doubled {
            let (made, end) = self.unescaped(quote, start + 1)?;
            self.at = end;
            self.arena.scalar_aside(style, start, end, &made);
            return (made.len() <= self.limits.scalar_bytes as usize).then_some(());
        }
        self.at = start + length + 2;
        self.arena.scalar(style, start, self.at, start + 1, length);
        (length <= self.limits.scalar_bytes as usize).then_some(())
    }

    /// The text between quotes with its escapes resolved, and where it ends; only the escapes that people write.
    fn unescaped(&self, quote: u8, start: usize) -> Option<(String, usize)> {
        let mut made = Vec::new();
        let mut at = start;
        loop {
            let byte = self.byte(at)?;
            let next = self.byte(at + 1);
            let (letter, length) = match (byte, next) {
                (b'\n', _) => return None,
                (b'\'', Some(b'\'')) if quote == b'\'' => (b'\'', 2),
                (byte, _) if byte == quote => break,
                (b'\\', Some(next)) if quote == b'"' => match next {
                    b'n' => (b'\n', 2),
                    b't' => (b'\t', 2),
                    b'"' | b'\\' | b'/' => (next, 2),
                    _ => return None,
                },
                (byte, _) => (byte, 1),
            };
            made.push(letter);
            at += length;
        }
        // Only whole bytes were taken out, each of one character.
        String::from_utf8(made).ok().map(|made| (made, at + 1))
    }

    fn plain(&mut self, in_brackets: bool) -> Option<()> {
        let start = self.at;
        let is_negative =
            self.byte(start) == Some(b'-') && self.byte(start + 1).is_some_and(|byte| byte.is_ascii_digit());
        // These begin something else than a plain scalar, or do so sometimes.
        if b"!&*|>@`%\"'[]{},#?:-\n".contains(&self.byte(start)?) && !is_negative {
            return None;
        }
        let mut at = start;
        let mut end = start;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'\n' => break,
                b' ' if self.byte(at + 1) == Some(b'#') => break,
                b':' if matches!(self.byte(at + 1), None | Some(b' ' | b'\n')) => return None,
                b':' if in_brackets
                    && !self
                        .byte(at + 1)
                        .is_some_and(|next| next.is_ascii_alphanumeric() || next == b'/') =>
                {
                    return None;
                }
                b',' | b']' | b'}' if in_brackets => break,
                b'[' | b'{' if in_brackets => return None,
                _ => {}
            }
            at += 1;
            if byte != b' ' {
                end = at;
            }
        }
        if end - start > self.limits.scalar_bytes as usize {
            return None;
        }
        self.arena.scalar(ScalarStyle::Plain, start, end, start, end - start);
        self.at = end;
        Some(())
    }
}

/// How deep brackets on one line may nest.
const FLOW_DEPTH: usize = 8;

/// Keys from this length on are the parser's: YAML ends them at 1,024 characters.
const LONG_KEY: usize = 1_000;
