//! JSON5 as JSON: what the grammar does not know is written over, byte for byte, with what it does.
//!
//! Trailing commas are blanked, single quotes become double ones, bare keys of two letters or more get quotes in place of their
//! first and last letter, and numbers in forms of JavaScript become plain ones. Names and lines are read from the source itself.
//!
//! A JSON5 crate cannot replace this file. The extractor needs the position of every key, also in a text with errors: the copy has
//! the length of the source, so the byte ranges of the parsed copy are ranges of the source. The crates return values without
//! positions and reject a text at its first error.

/// The text in strict JSON, as far as possible; `None` if it is already strict.
pub(super) fn strict(source: &str) -> Option<String> {
    let mut scanner = Scanner {
        bytes: source.as_bytes(),
        at: 0,
        strict: None,
        comma: None,
    };
    scanner.run();
    String::from_utf8(scanner.strict?).ok()
}

struct Scanner<'s> {
    bytes: &'s [u8],
    at: usize,
    /// The copy, which is made when it is needed first.
    strict: Option<Vec<u8>>,
    /// The comma before the current position.
    comma: Option<usize>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        if self.bytes.starts_with("\u{feff}".as_bytes()) {
            self.write(0, 3, b' ');
            self.at = 3;
        }
        while let Some(byte) = self.bytes.get(self.at).copied() {
            let start = self.at;
            let comma = self.comma.take();
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {
                    self.at += 1;
                    self.comma = comma;
                }
                b'/' => {
                    self.skip_comment();
                    self.comma = comma;
                }
                b',' => {
                    self.at += 1;
                    self.comma = Some(start);
                }
                b'}' | b']' => {
                    if let Some(comma) = comma {
                        self.write(comma, comma + 1, b' ');
                    }
                    self.at += 1;
                }
                b'"' => self.skip_string(b'"'),
                b'\'' => self.single_quoted(),
                _ if is_word(byte) => self.word(),
                _ => self.at += 1,
            }
        }
    }

    fn write(&mut self, from: usize, to: usize, byte: u8) {
        let copy = self.strict.get_or_insert_with(|| self.bytes.to_vec());
        if let Some(range) = copy.get_mut(from..to) {
            range.fill(byte);
        }
    }

    fn skip_comment(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] => memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4),
            _ => 1,
        };
    }

    /// Skips a string, or only its quote if no quote closes it on its line.
    fn skip_string(&mut self, quote: u8) {
        let start = self.at;
        let mut at = start + 1;
        while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', &self.bytes[at.min(self.bytes.len())..]) {
            at += found;
            match self.bytes.get(at) {
                Some(b'\\') => at += 2,
                Some(b'\n') => break,
                _ => {
                    self.at = at + 1;
                    return;
                }
            }
        }
        self.at = start + 1;
    }

    fn single_quoted(&mut self) {
        let start = self.at;
        self.skip_string(b'\'');
        let end = self.at;
        if end < start + 2 {
            return;
        }
        self.write(start, start + 1, b'"');
        self.write(end - 1, end, b'"');
        for at in start + 1..end - 1 {
            match self.bytes[at] {
                b'"' => self.write(at, at + 1, b' '),
                // Only a double quote needs the sign before it now.
                b'\\' if self.bytes.get(at + 1) == Some(&b'\'') => self.write(at, at + 1, b' '),
                _ => {}
            }
        }
    }

    /// A bare key, a number, or a word as a value.
    fn word(&mut self) {
        let start = self.at;
        let len = self.bytes[start..].iter().take_while(|byte| is_word(**byte)).count();
        let end = start + len;
        self.at = end;
        let word = &self.bytes[start..end];
        let after = self.bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
        let is_key = after == Some(&b':');
        if is_key && len >= 2 && word.is_ascii() {
            self.write(start, start + 1, b'"');
            self.write(end - 1, end, b'"');
        } else if !is_key && is_foreign_number(word) {
            self.write(start, end, b'1');
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'+' | b'-' | b'.') || !byte.is_ascii()
}

/// Whether a word is a number that JavaScript knows and JSON does not, or the grammar does not: it forgot `1e+3`.
fn is_foreign_number(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    let is_number = digits
        .first()
        .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.');
    let is_hexadecimal = digits.starts_with(b"0x") || digits.starts_with(b"0X");
    matches!(digits, b"Infinity" | b"NaN")
        || is_hexadecimal
        || (is_number && (word.starts_with(b"+") || digits.starts_with(b".") || digits.contains(&b'+')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_relaxed_is_written_over() {
        for (source, expected) in [
            (
                r#"{"a": [1, 2,], /* , */ } // ,}"#,
                Some(r#"{"a": [1, 2 ]  /* , */ } // ,}"#),
            ),
            (r#"{"a": 1, /* c */ }"#, Some(r#"{"a": 1  /* c */ }"#)),
            (r#"{key: 'it\'s "x"'}"#, Some(r#"{"e": "it 's  x "}"#)),
            ("[+1, .5, 0xFF, -Infinity]", Some("[11, 11, 1111, 111111111]")),
            ("\u{feff}{}", Some("   {}")),
            ("[1.5e+3]", Some("[111111]")),
            (r#"{"a,}": "',]", "b": [1.5e3, -1, true]}"#, None),
            (r#"{"a": "\",}"}"#, None),
            ("{\"a: 1,\n}", Some("{\"a: 1 \n}")),
        ] {
            let strict = strict(source);
            assert!(strict.as_ref().is_none_or(|strict| strict.len() == source.len()));
            assert_eq!(strict.as_deref(), expected, "{source}");
        }
    }
}
