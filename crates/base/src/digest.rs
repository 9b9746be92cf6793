//! Digests as text: lower-case hexadecimal digits.

use sha2::{Digest, Sha256};

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(bytes)
}

/// The SHA-256 of a content, as 64 digits.
pub fn sha256(content: impl AsRef<[u8]>) -> String {
    hex(Sha256::digest(content))
}

/// The first digits of the SHA-256 of a content.
pub fn short_sha256(content: impl AsRef<[u8]>, digits: usize) -> String {
    let mut whole = sha256(content);
    whole.truncate(digits);
    whole
}

/// Identifies a finding by its parts across runs: 32 digits. Parts are not confused, whatever they contain.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
        hasher.update([0]);
    }
    let mut digits = hex(hasher.finalize());
    digits.truncate(32);
    digits
}

/// The bytes that hexadecimal digits of either case mean; nothing unless there are exactly `N`.
pub fn from_hex<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(digits, &mut bytes).ok().map(|()| bytes)
}

/// Whether a text consists of so many hexadecimal digits of either case.
pub fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A SHA-256 in lower case. `None` for any other text, which might be a path.
pub fn parse_sha256(text: &str) -> Option<String> {
    is_hex(text, 64).then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_lower_case_and_keep_leading_zeros() {
        assert_eq!(hex([0, 0x0f, 0xa0]), "000fa0");
        assert_eq!(
            sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(short_sha256("abc", 7), "ba7816b");
        assert_eq!(fingerprint(["abc"]).len(), 32);
        assert_ne!(fingerprint(["ab", "c"]), fingerprint(["a", "bc"]));
    }

    #[test]
    fn digits_are_bytes_again() {
        assert_eq!(from_hex("00fA"), Some([0, 0xfa]));
        for wrong in ["", "00f", "00fg", "00fa0", "+0fa", "é0f"] {
            assert_eq!(from_hex::<2>(wrong), None, "{wrong}");
        }
        let digest = sha256("abc");
        assert_eq!(parse_sha256(&digest.to_uppercase()), Some(digest));
        assert_eq!(parse_sha256("../abc"), None);
    }
}
