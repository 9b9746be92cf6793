//! `Id`: a UUID as every entity has one. Written with dashes in lower case; read in any form that people and programs write.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use lore_seam::Ctx;

/// The identifier of an entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Id(Uuid);

/// The text is no UUID.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAnId;

impl Id {
    /// One that nobody has; later ones sort after earlier ones of the same process.
    pub fn fresh(ctx: &Ctx) -> Self {
        Self::from_bytes(ctx.ports.ids.uuid())
    }

    /// The identifier with these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    pub const fn bytes(self) -> [u8; 16] {
        self.0.into_bytes()
    }

    /// The last eight digits, which differ where the first ones are the same for a minute.
    pub fn short(self) -> String {
        self.to_string().split_off(28)
    }
}

impl FromStr for Id {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        // The crate reads a URN only in lower case, and a URN and braces only around dashes.
        let text = text.trim().to_ascii_lowercase();
        let text = text.strip_prefix("urn:uuid:").unwrap_or(&text);
        let braced = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let text = braced.unwrap_or(text);
        let is_plain = matches!(text.len(), 32 | 36);
        let id = is_plain.then(|| Uuid::try_parse(text).ok()).flatten();
        id.map(Self).ok_or(NotAnId)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for NotAnId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not a UUID")
    }
}

impl std::error::Error for NotAnId {}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|_| serde::de::Error::custom(format!("`{text}` is not a UUID")))
    }
}

impl JsonSchema for Id {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WRITTEN: &str = "0199a3f0-5b1c-7d2e-8f00-0123456789ab";

    #[test]
    fn c4_every_form_of_a_uuid_is_read_and_one_is_written() {
        for text in [
            WRITTEN,
            "0199A3F0-5B1C-7D2E-8F00-0123456789AB",
            "0199a3f05b1c7d2e8f000123456789ab",
            "{0199a3f0-5b1c-7d2e-8f00-0123456789ab}",
            "URN:uuid:0199a3f0-5b1c-7d2e-8f00-0123456789ab",
            "  0199a3f05b1c7d2e8f000123456789AB\n",
        ] {
            let id: Id = text.parse().expect("a UUID");
            assert_eq!(id.to_string(), WRITTEN, "{text:?}");
            assert_eq!(id.short(), "456789ab");
        }
    }

    #[test]
    fn c4_everything_else_is_no_id() {
        for text in [
            "",
            "null",
            "0199a3f0-5b1c-7d2e-8f00-0123456789a",
            "0199a3f0-5b1c-7d2e-8f00-0123456789abc",
            "0199a3f05-b1c-7d2e-8f00-0123456789ab",
            "0199a3f0-5b1c-7d2e-8f00-0123456789ag",
            "0199a3f0-5b1c-7d2e-8f00-0123456789a\u{e9}",
            "{0199a3f0-5b1c-7d2e-8f00-0123456789ab",
            "--------------------------------",
        ] {
            assert_eq!(text.parse::<Id>(), Err(NotAnId), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(lore_testing::cases(256))]

        #[test]
        fn what_is_written_is_read_again(bytes: [u8; 16]) {
            let id = Id::from_bytes(bytes);
            prop_assert_eq!(id.to_string().parse::<Id>(), Ok(id));
            prop_assert_eq!(id.to_string().len(), 36);
        }

        #[test]
        fn no_text_makes_it_fail_otherwise(text in "\\PC{0,40}") {
            let _ = text.parse::<Id>();
        }
    }
}
