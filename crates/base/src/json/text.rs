//! A text of a document, as written.

use std::borrow::Cow;
use std::str::Chars;

/// A text or a key, still with its escapes, which are known to be valid.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    raw: &'a str,
    is_escaped: bool,
}

impl<'a> Text<'a> {
    /// The empty text.
    pub const EMPTY: Self = Self {
        raw: "",
        is_escaped: false,
    };

    pub(super) fn new(raw: &'a str, is_escaped: bool) -> Self {
        Self { raw, is_escaped }
    }

    /// The text as written between the quotes.
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// Whether the text has escapes. Without escapes, [`Self::raw`] is the text.
    pub fn is_escaped(self) -> bool {
        self.is_escaped
    }

    /// The text without escapes; a copy only if it had some.
    pub fn read(self) -> Cow<'a, str> {
        if !self.is_escaped {
            Cow::Borrowed(self.raw)
        } else {
            Cow::Owned(self.letters().collect())
        }
    }

    /// Whether the text, without escapes, equals another.
    #[inline]
    pub fn is(self, text: &str) -> bool {
        if !self.is_escaped {
            self.raw == text
        } else {
            self.letters().eq(text.chars())
        }
    }

    /// Whether the text has more than so many characters. Cheap if it has fewer bytes than that.
    #[inline]
    pub fn is_longer_than(self, most: usize) -> bool {
        self.raw.len() > most && self.letters().nth(most).is_some()
    }

    /// The characters, without escapes.
    pub fn letters(self) -> Letters<'a> {
        Letters { raw: self.raw.chars() }
    }
}

/// The characters of a text.
#[derive(Clone, Debug)]
pub struct Letters<'a> {
    raw: Chars<'a>,
}

impl Iterator for Letters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self.raw.next()? {
            '\\' => match self.raw.next()? {
                'b' => Some('\u{8}'),
                'f' => Some('\u{c}'),
                'n' => Some('\n'),
                'r' => Some('\r'),
                't' => Some('\t'),
                'u' => self.unicode(),
                letter => Some(letter),
            },
            letter => Some(letter),
        }
    }
}

impl Letters<'_> {
    fn unicode(&mut self) -> Option<char> {
        let first = self.four()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        // Skips the `\u` of the second half.
        self.raw.nth(1)?;
        let second = self.four()?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + second.checked_sub(0xdc00)?)
    }

    fn four(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |code, _| Some(code << 4 | self.raw.next()?.to_digit(16)?))
    }
}
