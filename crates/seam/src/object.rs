//! Git object ids.

use std::fmt;

/// A git object id: 20 bytes of SHA-1 or 32 bytes of SHA-256. Ids of the two hash functions are never equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    bytes: [u8; 32],
    len: u8,
}

impl ObjectId {
    /// An id from its bytes; `None` unless there are 20 or 32.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let len = match bytes.len() {
            20 => 20,
            32 => 32,
            _ => return None,
        };
        let mut whole = [0; 32];
        whole.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(Self { bytes: whole, len })
    }

    /// An id from 40 or 64 lower-case hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        if !matches!(text.len(), 40 | 64) || text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        Self::new(&hex::decode(text).ok()?)
    }

    /// The 20 or 32 bytes of the id.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The id as lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes()
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        for digits in [40, 64] {
            let text = "0123456789abcdef".repeat(4)[..digits].to_owned();
            assert_eq!(ObjectId::from_hex(&text).map(|id| id.to_hex()), Some(text));
        }
        for text in ["", "abc", &"A".repeat(40), &"g".repeat(40), &"a".repeat(41)] {
            assert_eq!(ObjectId::from_hex(text), None);
        }
    }
}
