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

/// Whether a text is a SHA-256 as 64 hexadecimal digits, in lower or upper case.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
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
        assert!(is_sha256(&sha256("abc")) && is_sha256(&sha256("abc").to_uppercase()));
        assert!(!is_sha256("ba7816b") && !is_sha256(&"g".repeat(64)));
    }
}
