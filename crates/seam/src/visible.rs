//! Escapes characters that control a terminal or hide text. All content of a repository is untrusted: a name can
//! contain an escape sequence, or a bidirectional control that displays `txt.exe` as `exe.txt`.
//!
//! These characters stay: everything visible, and characters that scripts need (the joiners U+200C and U+200D,
//! variation selectors, combining marks). These are escaped: control characters, bidirectional controls, and invisible
//! format characters.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Whether a character must be escaped. This includes line feed and tab; callers decide about those two.
pub fn is_hidden(letter: char) -> bool {
    matches!(letter,
        // Controls: C0, delete, C1.
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        // Bidirectional controls.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Line and paragraph separators.
        | '\u{2028}' | '\u{2029}'
        // Invisible: soft hyphen, grapheme joiner, fillers, zero-width spaces, invisible operators, deprecated format
        // characters, byte order mark, annotations, tags.
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
        | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes hidden characters in a text of several lines. Line feeds and tabs stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    visible(text, |letter| is_hidden(letter) && !matches!(letter, '\n' | '\t'))
}

/// Escapes hidden characters in a single line, including line feeds and tabs.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    visible(text, is_hidden)
}

fn visible(text: &str, hides: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Fast path: nearly all texts contain no hidden character.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.contains(&hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if hides(letter) {
            push_visible(&mut shown, letter)
        } else {
            shown.push(letter)
        }
    }
    Cow::Owned(shown)
}

/// Writes a C0 control as its control picture, and other characters as their code point.
fn push_visible(shown: &mut String, letter: char) {
    let code = u32::from(letter);
    match code {
        0..0x20 => shown.push(char::from_u32(0x2400 + code).unwrap_or('\u{fffd}')),
        0x7f => shown.push('\u{2421}'),
        // Writing to a `String` cannot fail.
        _ => drop(write!(shown, "\\u{{{code:x}}}")),
    }
}

/// How hidden characters are escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Escape {
    /// As control pictures and code points, for people.
    Visible,
    /// As JSON escapes: `\u202e`. Hidden characters occur only in JSON strings, so the value stays the same.
    Json,
}

/// A writer that escapes everything written to it. Invalid UTF-8 becomes U+FFFD.
pub struct Escaping<W: Write> {
    inner: W,
    escape: Escape,
    /// The first bytes of a character that is not complete yet.
    rest: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    /// Creates a writer in front of another one.
    pub fn new(inner: W, escape: Escape) -> Self {
        Self {
            inner,
            escape,
            rest: Vec::new(),
        }
    }

    /// Writes U+FFFD for an incomplete last character, and flushes.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.rest.is_empty() {
            self.inner.write_all("\u{fffd}".as_bytes())?;
        }
        self.inner.flush()
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        match self.escape {
            Escape::Visible => self.inner.write_all(visible_lines(text).as_bytes()),
            Escape::Json => self.inner.write_all(visible_json(text).as_bytes()),
        }
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let joined;
        let mut left = if self.rest.is_empty() {
            bytes
        } else {
            joined = [std::mem::take(&mut self.rest).as_slice(), bytes].concat();
            joined.as_slice()
        };
        loop {
            match std::str::from_utf8(left) {
                Ok(text) => {
                    self.put(text)?;
                    break;
                }
                Err(error) => {
                    let (whole, tail) = left.split_at(error.valid_up_to());
                    self.put(&String::from_utf8_lossy(whole))?;
                    let Some(bad) = error.error_len() else {
                        self.rest = tail.to_vec();
                        break;
                    };
                    self.inner.write_all("\u{fffd}".as_bytes())?;
                    left = tail.get(bad..).unwrap_or_default();
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Escapes hidden characters in JSON. JSON already escapes characters below U+0020 in strings.
pub(super) fn visible_json(text: &str) -> Cow<'_, str> {
    let hides = |letter: char| letter >= '\x7f' && is_hidden(letter);
    if text.bytes().all(|byte| byte < 0x7f) || !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if hides(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(letter)
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_or_hides_is_seen_and_writing_stays() {
        assert_eq!(visible_lines("a\x1b[31m\u{9b}\x7f\r\n\tb"), "a␛[31m\\u{9b}␡␍\n\tb");
        assert_eq!(visible_line("a\n\tb"), "a␊␉b");
        assert_eq!(
            visible_line("\u{202e}txt.exe\u{2066}\u{feff}"),
            "\\u{202e}txt.exe\\u{2066}\\u{feff}"
        );
        for text in ["naïve", "日本語", "می\u{200c}خواهم", "👩\u{200d}👩\u{fe0f}", "e\u{301}"] {
            assert_eq!(visible_line(text), text);
        }
    }

    fn through(escape: Escape, pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut writer = Escaping::new(&mut out, escape);
        pieces
            .iter()
            .for_each(|piece| writer.write_all(piece).expect("written"));
        writer.finish().expect("written");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn bytes_are_escaped_however_they_come() {
        let text = "é\u{202e}\x1b x\u{9b}".as_bytes();
        for at in 0..text.len() {
            let (one, other) = text.split_at(at);
            assert_eq!(through(Escape::Visible, &[one, other]), "é\\u{202e}␛ x\\u{9b}");
        }
        let singles: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(through(Escape::Visible, &singles), "é\\u{202e}␛ x\\u{9b}");
        assert_eq!(
            through(Escape::Visible, &[b"a\xff\x9bb\xe2\x80"]),
            "a\u{fffd}\u{fffd}b\u{fffd}"
        );
    }

    #[test]
    fn json_keeps_its_value() {
        let value = serde_json::json!({ "k\u{202e}": "a\x1b\u{9b}\x7f\u{e0041}é\u{200b}" });
        let written = through(Escape::Json, &[value.to_string().as_bytes()]);
        assert!(!written.chars().any(is_hidden), "{written}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&written).expect("JSON"),
            value
        );
    }
}
