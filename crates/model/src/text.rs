//! Text as ranges of one blob, two functions that shorten text for people, and base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::U32;

/// A range of a [`TextBlob`]; the empty range is "no text".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Text {
    /// The first byte.
    pub start: U32,
    /// The number of bytes.
    pub len: U32,
}

impl Text {
    /// Whether there is no text.
    pub fn is_empty(self) -> bool {
        self.len.get() == 0
    }

    /// The same text in a blob that contains this one's blob from `base` on.
    pub fn shifted(self, base: u32) -> Self {
        Self {
            start: self.start.get().wrapping_add(base).into(),
            len: self.len,
        }
    }

    /// The text; empty if the range does not fit the blob, which only a damaged store can cause.
    pub fn of(self, blob: &[u8]) -> &str {
        let start = self.start.get() as usize;
        start
            .checked_add(self.len.get() as usize)
            .and_then(|end| blob.get(start..end))
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or("")
    }
}

/// One blob of concatenated texts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextBlob(pub Vec<u8>);

impl TextBlob {
    /// Appends a text. Drops the text if the blob exceeds 4 GiB: callers bound their input far below that.
    pub fn push(&mut self, text: &str) -> Text {
        let (Ok(start), Ok(len)) = (u32::try_from(self.0.len()), u32::try_from(text.len())) else {
            return Text::default();
        };
        if text.is_empty() || start.checked_add(len).is_none() {
            return Text::default();
        }
        self.0.extend_from_slice(text.as_bytes());
        Text {
            start: start.into(),
            len: len.into(),
        }
    }

    /// The text of a range.
    pub fn get(&self, text: Text) -> &str {
        text.of(&self.0)
    }
}

/// The text on one line: every run of white space becomes one space, with none at the ends.
pub fn fold_whitespace(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// The text cut to at most `most` characters. The last character of a cut text is `…`.
pub fn truncate_chars(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let cut = text
                .char_indices()
                .nth(most.saturating_sub(1))
                .map_or(0, |(index, _)| index);
            format!("{}…", text[..cut].trim_end())
        }
    }
}

/// Bytes in base64 with the standard alphabet and padding (RFC 4648, section 4).
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_folds_to_single_spaces() {
        assert_eq!(fold_whitespace("  def f(\n    a,\tb\n)  "), "def f( a, b )");
        assert_eq!(fold_whitespace(" \n "), "");
    }

    #[test]
    fn truncation_keeps_character_boundaries() {
        assert_eq!(truncate_chars("grün", 4), "grün");
        assert_eq!(truncate_chars("grüne", 4), "grü…");
    }

    #[test]
    fn a_range_outside_the_blob_is_no_text() {
        let mut blob = TextBlob::default();
        let text = blob.push("abc");
        assert_eq!(blob.get(text), "abc");
        assert_eq!(blob.get(text.shifted(1)), "");
        assert_eq!(blob.get(text.shifted(u32::MAX)), "");
    }

    #[test]
    fn bytes_are_written_in_base64() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }
}
