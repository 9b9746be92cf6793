//! `JsonReader`: the position in the document, the depth, and what may come next.

use super::error::{Fault, JsonError};
use super::number::Number;
use super::scan::{blank_end, digits_end, plain_end};
use super::text::Text;

/// The deepest nesting that a reader can allow: `skip_value` keeps one bit for each level.
pub const MOST_LEVELS: usize = 128;

/// The byte order mark in UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    Text,
    /// `-1.5e3`
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

/// Reads one document from its beginning to its end.
#[derive(Clone, Debug)]
pub struct JsonReader<'a> {
    /// The whole document, with its byte order mark.
    text: &'a str,
    at: usize,
    depth: usize,
    most_depth: usize,
    /// Nothing was read yet from the innermost list or object.
    is_first: bool,
    /// Where the last key begins.
    key_at: usize,
}

impl<'a> JsonReader<'a> {
    /// Reads bytes, which must be UTF-8 and may begin with one byte order mark. Lists and objects may nest `most_depth` levels deep, the outermost one
    /// included, and never deeper than [`MOST_LEVELS`].
    pub fn new(bytes: &'a [u8], most_depth: usize) -> Result<Self, JsonError> {
        let text =
            std::str::from_utf8(bytes).map_err(|error| JsonError::at(bytes, error.valid_up_to(), Fault::Encoding))?;
        let mut reader = Self::of_text(text, most_depth);
        if bytes.starts_with(MARK) {
            reader.at = MARK.len();
        }
        Ok(reader)
    }

    /// Reads a text, in which a byte order mark is an error.
    pub fn of_text(text: &'a str, most_depth: usize) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            most_depth: most_depth.min(MOST_LEVELS),
            is_first: false,
            key_at: 0,
        }
    }

    /// The offset of the next byte in the document.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The offset of the last key.
    pub fn key_offset(&self) -> usize {
        self.key_at
    }

    /// The number of open lists and objects.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The kind of the next value, which stays unread.
    #[inline]
    pub fn peek(&mut self) -> Result<Kind, JsonError> {
        match self.look() {
            Some(b'"') => Ok(Kind::Text),
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            _ => Err(self.error(Fault::NoValue)),
        }
    }

    /// Begins an object, whose members [`Self::next_key`] reads.
    #[inline]
    pub fn begin_object(&mut self) -> Result<(), JsonError> {
        self.begin(b'{', "an object")
    }

    /// The key of the next member, whose value must be read next. `None` ends the object.
    #[inline]
    pub fn next_key(&mut self) -> Result<Option<Text<'a>>, JsonError> {
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        if self.look() != Some(b'"') {
            return Err(self.error(Fault::NoKey));
        }
        self.key_at = self.at;
        let key = self.quoted()?;
        if self.look() != Some(b':') {
            return Err(self.error(Fault::NoColon));
        }
        self.at += 1;
        Ok(Some(key))
    }

    /// Begins a list, whose items [`Self::next_item`] announces.
    #[inline]
    pub fn begin_array(&mut self) -> Result<(), JsonError> {
        self.begin(b'[', "an array")
    }

    /// Whether there is another item, which must be read next. `false` ends the list.
    #[inline]
    pub fn next_item(&mut self) -> Result<bool, JsonError> {
        self.goes_on(b']')
    }

    /// The next value, which must be a text.
    #[inline]
    pub fn text(&mut self) -> Result<Text<'a>, JsonError> {
        match self.peek()? {
            Kind::Text => self.quoted(),
            _ => Err(self.error(Fault::Kind("a string"))),
        }
    }

    /// The next value, which must be a number.
    #[inline]
    pub fn number(&mut self) -> Result<Number<'a>, JsonError> {
        match self.peek()? {
            Kind::Number => self.digits(),
            _ => Err(self.error(Fault::Kind("a number"))),
        }
    }

    /// The next value, which must be `true` or `false`.
    pub fn boolean(&mut self) -> Result<bool, JsonError> {
        match self.peek()? {
            Kind::Bool if self.byte() == Some(b't') => self.word("true").map(|()| true),
            Kind::Bool => self.word("false").map(|()| false),
            _ => Err(self.error(Fault::Kind("true or false"))),
        }
    }

    /// The next value, which must be `null`.
    pub fn null(&mut self) -> Result<(), JsonError> {
        match self.peek()? {
            Kind::Null => self.word("null"),
            _ => Err(self.error(Fault::Kind("null"))),
        }
    }

    /// Skips the next value and returns it as written. Skipped values are checked like all others.
    pub fn skip_value(&mut self) -> Result<&'a str, JsonError> {
        self.look();
        let (begin, outside) = (self.at, self.depth);
        // One bit for each level, the innermost lowest: whether it is an object.
        let mut objects: u128 = 0;
        loop {
            match self.peek()? {
                Kind::Object => {
                    self.begin_object()?;
                    objects = objects << 1 | 1;
                }
                Kind::Array => {
                    self.begin_array()?;
                    objects <<= 1;
                }
                Kind::Text => {
                    self.quoted()?;
                }
                Kind::Number => {
                    self.digits()?;
                }
                Kind::Bool => {
                    self.boolean()?;
                }
                Kind::Null => self.null()?,
            }
            loop {
                if self.depth == outside {
                    return Ok(self.text.get(begin..self.at).unwrap_or_default());
                }
                let has_more = match objects & 1 {
                    1 => self.next_key()?.is_some(),
                    _ => self.next_item()?,
                };
                if has_more {
                    break;
                }
                objects >>= 1;
            }
        }
    }

    /// Ends the document. Only white space may follow.
    pub fn end(&mut self) -> Result<(), JsonError> {
        match self.look() {
            None => Ok(()),
            Some(_) => Err(self.error(Fault::Trailing)),
        }
    }

    /// Another reader of the members of the innermost object, which begin at this offset. Valid while the last member is read and right after it.
    pub fn again(&self, begin: usize) -> Self {
        Self {
            at: begin,
            depth: self.depth + 1,
            is_first: true,
            ..*self
        }
    }

    pub(super) fn error_at(&self, offset: usize, fault: Fault) -> JsonError {
        JsonError::at(self.text.as_bytes(), offset, fault)
    }

    /// A fault at the current offset. At the end of the document the fault is the early end.
    #[cold]
    fn error(&self, fault: Fault) -> JsonError {
        let is_empty = || self.text.trim_ascii().is_empty();
        let fault = match self.at < self.text.len() {
            true => fault,
            false if is_empty() => Fault::Empty,
            false => Fault::Ends,
        };
        self.error_at(self.at, fault)
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space, which stays unread.
    #[inline]
    fn look(&mut self) -> Option<u8> {
        match self.byte() {
            Some(byte) if byte > b' ' => Some(byte),
            None => None,
            Some(_) => {
                self.at = blank_end(self.text.as_bytes(), self.at);
                self.byte()
            }
        }
    }

    #[inline]
    fn begin(&mut self, bracket: u8, wanted: &'static str) -> Result<(), JsonError> {
        if self.look() != Some(bracket) {
            self.peek()?;
            return Err(self.error(Fault::Kind(wanted)));
        }
        if self.depth >= self.most_depth {
            return Err(self.error(Fault::Depth(self.most_depth)));
        }
        self.at += 1;
        self.depth += 1;
        self.is_first = true;
        Ok(())
    }

    /// Whether the innermost list or object has another item, whose comma is then skipped.
    #[inline]
    fn goes_on(&mut self, end: u8) -> Result<bool, JsonError> {
        match self.look() {
            Some(byte) if byte == end => {
                self.at += 1;
                self.depth = self.depth.saturating_sub(1);
                self.is_first = false;
                Ok(false)
            }
            Some(_) if self.is_first => {
                self.is_first = false;
                Ok(true)
            }
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.error(Fault::NoComma(end.into()))),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), JsonError> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.error(Fault::NoValue));
        }
        self.at += word.len();
        Ok(())
    }

    /// A text whose opening quote is the next byte. Only for callers that have just peeked at [`Kind::Text`]; others call [`Self::text`].
    #[inline]
    pub fn quoted(&mut self) -> Result<Text<'a>, JsonError> {
        let bytes = self.text.as_bytes();
        let begin = self.at + 1;
        let mut end = plain_end(bytes, begin);
        let mut is_escaped = false;
        if bytes.get(end) != Some(&b'"') {
            is_escaped = true;
            end = self.escaped_end(end)?;
        }
        self.at = end + 1;
        Ok(Text::new(self.text.get(begin..end).unwrap_or_default(), is_escaped))
    }

    /// The closing quote of a text, searched from its first byte that is not plain.
    fn escaped_end(&self, from: usize) -> Result<usize, JsonError> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        loop {
            at = match bytes.get(at) {
                Some(b'"') => return Ok(at),
                Some(b'\\') => plain_end(bytes, self.escape_end(at)?),
                Some(_) => return Err(self.error_at(at, Fault::Control)),
                None => return Err(self.error_at(at, Fault::Ends)),
            };
        }
    }

    /// The end of an escape.
    fn escape_end(&self, at: usize) -> Result<usize, JsonError> {
        let bytes = self.text.as_bytes();
        match bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => match self.four(at + 2)? {
                0xd800..0xdc00 if bytes.get(at + 6..at + 8) == Some(b"\\u") => match self.four(at + 8)? {
                    0xdc00..0xe000 => Ok(at + 12),
                    _ => Err(self.error_at(at, Fault::Surrogate)),
                },
                0xd800..0xe000 => Err(self.error_at(at, Fault::Surrogate)),
                _ => Ok(at + 6),
            },
            Some(_) => Err(self.error_at(at, Fault::Escape)),
            None => Err(self.error_at(at + 1, Fault::Ends)),
        }
    }

    /// Four hexadecimal digits.
    fn four(&self, at: usize) -> Result<u32, JsonError> {
        let digits = self.text.as_bytes().get(at..at + 4).unwrap_or_default();
        let code = digits
            .iter()
            .try_fold(0, |code, digit| Some(code << 4 | char::from(*digit).to_digit(16)?));
        match code {
            Some(code) if digits.len() == 4 => Ok(code),
            Some(_) => Err(self.error_at(self.text.len(), Fault::Ends)),
            None => Err(self.error_at(at, Fault::Escape)),
        }
    }

    /// A number whose first byte is the next one. Only for callers that have just peeked at [`Kind::Number`]; others call [`Self::number`].
    #[inline]
    pub fn digits(&mut self) -> Result<Number<'a>, JsonError> {
        let bytes = self.text.as_bytes();
        let begin = self.at;
        let whole = begin + usize::from(bytes.get(begin) == Some(&b'-'));
        let mut end = digits_end(bytes, whole);
        if end == whole || bytes.get(whole) == Some(&b'0') && end > whole + 1 {
            return Err(self.error_at(begin, Fault::Number));
        }
        if let Some(b'.' | b'e' | b'E') = bytes.get(end) {
            end = self.fraction_end(end)?;
        }
        self.at = end;
        Ok(Number::new(self.text.get(begin..end).unwrap_or_default()))
    }

    fn fraction_end(&self, from: usize) -> Result<usize, JsonError> {
        let bytes = self.text.as_bytes();
        let some_digits = |from: usize| match digits_end(bytes, from) {
            end if end == from => Err(self.error_at(from, Fault::Number)),
            end => Ok(end),
        };
        let mut end = from;
        if bytes.get(end) == Some(&b'.') {
            end = some_digits(end + 1)?;
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let is_signed = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
            end = some_digits(end + 1 + usize::from(is_signed))?;
        }
        Ok(end)
    }
}
