//! The reader: where it stands, how deep, and what may come next.

use super::error::{Fault, JsonError};
use super::number::Number;
use super::scan::{blank_end, digits_end, plain_end};
use super::text::Text;

/// Levels that a reader can be told to allow at most: what is skipped is kept as one bit for each.
pub const MOST_LEVELS: usize = 64;

/// The mark of byte order in UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// What a value is.
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

/// Reads one document from its begin to its end.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    /// All of the bytes, the mark of byte order included.
    text: &'a str,
    at: usize,
    depth: usize,
    most_depth: usize,
    /// Nothing was read yet from the list or object that was begun last.
    is_first: bool,
    /// Where the key stands that was read last.
    key_at: usize,
}

impl<'a> Reader<'a> {
    /// Begins to read. The bytes have to be UTF-8, one mark of byte order at the begin is passed over (clause J1). Lists and objects may be nested
    /// `most_depth` levels deep, the outermost one counts as the first; more than [`MOST_LEVELS`] are never allowed.
    pub fn new(bytes: &'a [u8], most_depth: usize) -> Result<Self, JsonError> {
        let text =
            std::str::from_utf8(bytes).map_err(|error| JsonError::at(bytes, error.valid_up_to(), Fault::Encoding))?;
        Ok(Self {
            text,
            at: if bytes.starts_with(MARK) { MARK.len() } else { 0 },
            depth: 0,
            most_depth: most_depth.min(MOST_LEVELS),
            is_first: false,
            key_at: 0,
        })
    }

    /// The byte that is read next, counted from the first one of the document.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Where the key that was read last begins.
    pub fn key_offset(&self) -> usize {
        self.key_at
    }

    /// Lists and objects that are begun and not ended.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// What the next value is; nothing of it is read.
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

    /// Begins an object; its members are asked for with [`Self::next_key`].
    #[inline]
    pub fn begin_object(&mut self) -> Result<(), JsonError> {
        self.begin(b'{', "an object")
    }

    /// The key of the next member, whose value is to be read then; none at the end of the object, which is ended thereby.
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

    /// Begins a list; its items are asked for with [`Self::next_item`].
    #[inline]
    pub fn begin_array(&mut self) -> Result<(), JsonError> {
        self.begin(b'[', "a list")
    }

    /// Whether there is another item, which is to be read then; if not, the list is ended thereby.
    #[inline]
    pub fn next_item(&mut self) -> Result<bool, JsonError> {
        self.goes_on(b']')
    }

    /// The next value, which is a text.
    #[inline]
    pub fn text(&mut self) -> Result<Text<'a>, JsonError> {
        match self.peek()? {
            Kind::Text => self.quoted(),
            _ => Err(self.error(Fault::Kind("a text"))),
        }
    }

    /// The next value, which is a number.
    #[inline]
    pub fn number(&mut self) -> Result<Number<'a>, JsonError> {
        match self.peek()? {
            Kind::Number => self.digits(),
            _ => Err(self.error(Fault::Kind("a number"))),
        }
    }

    /// The next value, which is `true` or `false`.
    pub fn boolean(&mut self) -> Result<bool, JsonError> {
        match self.peek()? {
            Kind::Bool if self.byte() == Some(b't') => self.word("true").map(|()| true),
            Kind::Bool => self.word("false").map(|()| false),
            _ => Err(self.error(Fault::Kind("true or false"))),
        }
    }

    /// The next value, which is `null`.
    pub fn null(&mut self) -> Result<(), JsonError> {
        match self.peek()? {
            Kind::Null => self.word("null"),
            _ => Err(self.error(Fault::Kind("null"))),
        }
    }

    /// Passes over the next value, with all that is in it, and gives it as it is written. What is passed over is read as strictly as anything else.
    pub fn skip_value(&mut self) -> Result<&'a str, JsonError> {
        self.look();
        let (begin, outside) = (self.at, self.depth);
        // One bit a level, the innermost lowest: whether it is an object.
        let mut objects: u64 = 0;
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

    /// Ends the document: nothing but white space may follow.
    pub fn end(&mut self) -> Result<(), JsonError> {
        match self.look() {
            None => Ok(()),
            Some(_) => Err(self.error(Fault::Trailing)),
        }
    }

    /// A reader of the members of the innermost object, which begin at this offset, while or right after the last one is read.
    pub(crate) fn again(&self, begin: usize) -> Self {
        Self {
            at: begin,
            depth: self.depth + 1,
            is_first: true,
            ..*self
        }
    }

    /// What is wrong at an offset.
    pub(crate) fn error_at(&self, offset: usize, fault: Fault) -> JsonError {
        JsonError::at(self.text.as_bytes(), offset, fault)
    }

    /// What is wrong here; where the document ends, it is that.
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

    /// The next byte that is no white space, which stays the next one.
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

    /// Whether something follows in the innermost list or object; if so, the comma before it is passed.
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

    /// A text, whose opening quote is the next byte: [`Self::peek`] said so.
    #[inline]
    pub(crate) fn quoted(&mut self) -> Result<Text<'a>, JsonError> {
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

    /// The closing quote of a text, from the first byte on that is not plain.
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

    /// Where an escape ends.
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

    /// A number, whose first byte is the next one: [`Self::peek`] said so.
    #[inline]
    pub(crate) fn digits(&mut self) -> Result<Number<'a>, JsonError> {
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
