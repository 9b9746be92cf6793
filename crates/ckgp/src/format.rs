//! The names of formats and of commits (clauses V1, J4).

use std::fmt;

use lore_base::digest::is_hex;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use lore_base::excerpt::excerpt;
use lore_seam::{ErrorKind, OpError};

/// Letters of a format's name.
const MOST_NAME: usize = 64;

/// A format: `name@int`. The number is opaque: two numbers of a name share no shape.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormatId {
    name: String,
    version: u32,
}

impl FormatId {
    /// The format that a text names: small letters, digits and dashes, not a dash first, then `@` and a number.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, version) = text.split_once('@')?;
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let is_name = name.bytes().next().is_some_and(is_letter)
            && name.len() <= MOST_NAME
            && name.bytes().all(|byte| is_letter(byte) || byte == b'-');
        let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        if is_name && is_version {
            Some(Self {
                name: name.to_owned(),
                version: version.parse().ok()?,
            })
        } else {
            None
        }
    }

    /// The format in a request.
    pub fn from_argument(text: &str) -> Result<Self, OpError> {
        Self::parse(text).ok_or_else(|| {
            OpError::new(ErrorKind::Invalid, format!("`{}` is not a format", excerpt(text, 100)))
                .hint("write a name and a number, such as ccg@1")
        })
    }

    /// The part before the `@`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number.
    pub fn version(&self) -> u32 {
        self.version
    }
}

impl fmt::Display for FormatId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}@{}", self.name, self.version)
    }
}

impl Serialize for FormatId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FormatId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("not a format"))
    }
}

/// A commit, named in full: forty digits of hexadecimal, in small letters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Commit(String);

impl Commit {
    /// The commit that a text names; capital letters are made small, and anything that is not forty digits names none.
    pub fn parse(text: &str) -> Option<Self> {
        is_hex(text, 40).then(|| Self(text.to_ascii_lowercase()))
    }

    /// The forty digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Serialize for Commit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Commit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("not a commit id"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v1_a_format_is_a_name_and_an_opaque_number() {
        let format = FormatId::parse("understand-anything@1").map(|format| format.to_string());
        assert_eq!(format.as_deref(), Some("understand-anything@1"));
        assert_ne!(FormatId::parse("ccg@1"), FormatId::parse("ccg@2"));
        for bad in [
            "",
            "ccg",
            "@1",
            "ccg@",
            "Ccg@1",
            "-a@1",
            "a b@1",
            "ccg@1.0",
            "ccg@-1",
            "ccg@1@2",
            "ccg@99999999999",
        ] {
            assert_eq!(FormatId::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn j4_a_commit_is_forty_digits_in_small_letters_and_anything_else_is_absent() {
        let capital = Commit::parse("ABCDEF0123456789abcdef0123456789abcdef01");
        assert_eq!(
            capital.as_ref().map(Commit::as_str),
            Some("abcdef0123456789abcdef0123456789abcdef01")
        );
        for bad in [
            "",
            "abc1234",
            "zbcdef0123456789abcdef0123456789abcdef01",
            "abcdef0123456789abcdef0123456789abcdef012",
        ] {
            assert_eq!(Commit::parse(bad), None, "{bad}");
        }
    }
}
