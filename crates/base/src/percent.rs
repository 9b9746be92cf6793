//! Percent-encoding of texts in addresses (RFC 3986).

use std::borrow::Cow;
use std::fmt;

pub use percent_encoding::AsciiSet;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What is escaped in one segment of a path: everything except unreserved characters.
pub const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What is escaped in a path: as in a segment, but `/` separates segments.
pub const PATH: &AsciiSet = &SEGMENT.remove(b'/');

/// A text with the bytes of a set, and all non-ASCII bytes, escaped. Different texts stay different.
pub fn encode(text: &str, escaped: &'static AsciiSet) -> String {
    utf8_percent_encode(text, escaped).to_string()
}

/// The escape of one byte, such as `%2F`.
pub fn escape(byte: u8) -> &'static str {
    percent_encoding::percent_encode_byte(byte)
}

/// Why a text cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeFault {
    /// A `%` without two hexadecimal digits.
    Escape,
    /// The decoded bytes are not UTF-8.
    Utf8,
}

impl fmt::Display for DecodeFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Escape => "a `%` is not followed by two hexadecimal digits",
            Self::Utf8 => "the escaped bytes are not UTF-8",
        })
    }
}

impl std::error::Error for DecodeFault {}

/// The decoded text. Refuses broken escapes.
pub fn decode(text: &str) -> Result<String, DecodeFault> {
    let is_escape = |rest: &str| {
        let mut digits = rest.bytes().take(2).filter(u8::is_ascii_hexdigit);
        digits.next().and(digits.next()).is_some()
    };
    if !text.split('%').skip(1).all(is_escape) {
        return Err(DecodeFault::Escape);
    }
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(Cow::into_owned).map_err(|_| DecodeFault::Utf8)
}

/// The decoded text for input that need not be encoded: a broken escape stays as it is, and so does the whole text if
/// the decoded bytes are not UTF-8.
pub fn decode_leniently(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn everything_reserved_is_escaped() {
        assert_eq!(encode("src/a b/ü[id]~1.py", PATH), "src/a%20b/%C3%BC%5Bid%5D~1.py");
        assert_eq!(encode("a/b:c", SEGMENT), "a%2Fb%3Ac");
        assert_eq!(escape(b' '), "%20");
    }

    #[test]
    fn broken_escapes_are_refused_or_kept() {
        assert_eq!(decode("a%20b/%C3%A9.py"), Ok("a b/é.py".to_owned()));
        for broken in ["%", "%2", "%zz", "%+4", "%2%20", "a%"] {
            assert_eq!(decode(broken), Err(DecodeFault::Escape), "{broken}");
        }
        assert_eq!(decode("%ff"), Err(DecodeFault::Utf8));
        assert_eq!(decode_leniently("100% of a%20b"), "100% of a b");
        assert_eq!(decode_leniently("a%20%ff"), "a%20%ff");
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn what_is_encoded_is_decoded(text in any::<String>()) {
            for escaped in [SEGMENT, PATH] {
                let encoded = encode(&text, escaped);
                prop_assert_eq!(decode(&encoded), Ok(text.clone()));
                prop_assert_eq!(decode_leniently(&encoded), text.as_str());
            }
        }
    }
}
