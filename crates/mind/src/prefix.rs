//! The prefixes of node ids: 19 canonical ones, three of the system, and whatever else people write (clauses C5, Amend11).

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The canonical prefixes, in the order of the text.
pub const CANONICAL_PREFIXES: [&str; 19] = [
    "milestone",
    "feature",
    "task",
    "issue",
    "pr",
    "phase",
    "spec",
    "adr",
    "doc",
    "concept",
    "decision",
    "crate",
    "module",
    "pkg",
    "file",
    "person",
    "tool",
    "event",
    "metric",
];

/// The prefixes that only the system makes nodes of.
pub const SYSTEM_PREFIXES: [&str; 3] = ["commit", "repo", "epoch"];

/// What later system prefixes will begin with.
const RESERVED: &str = "sys-";

/// What kind of prefix it is.
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum PrefixClass {
    /// One of the text
    Canonical,
    /// One that only the system uses
    System,
    /// One that the system may use some day
    Reserved,
    /// Any other
    Unknown,
}

impl PrefixClass {
    pub fn name(self) -> &'static str {
        match self {
            Self::Canonical => "canonical",
            Self::System => "system",
            Self::Reserved => "reserved",
            Self::Unknown => "unknown",
        }
    }

    pub fn of(prefix: &str) -> Self {
        match prefix {
            _ if CANONICAL_PREFIXES.contains(&prefix) => Self::Canonical,
            _ if SYSTEM_PREFIXES.contains(&prefix) => Self::System,
            _ if prefix.starts_with(RESERVED) => Self::Reserved,
            _ => Self::Unknown,
        }
    }

    /// What is remarkable about a prefix of this class.
    pub fn warning(self, prefix: &str) -> Option<String> {
        match self {
            Self::Canonical | Self::System => None,
            Self::Reserved => Some(format!("the prefix `{prefix}` is reserved for the system")),
            Self::Unknown => Some(format!("the prefix `{prefix}` is unknown")),
        }
    }
}

/// A prefix as views see it: a phase is a milestone (clause Amend1).
pub fn kind(prefix: &str) -> &str {
    match prefix {
        "phase" => "milestone",
        _ => prefix,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amend11_the_prefixes_are_those_of_the_text() {
        assert_eq!(
            CANONICAL_PREFIXES.join(" "),
            "milestone feature task issue pr phase spec adr doc concept decision crate module pkg file person tool event metric"
        );
        assert_eq!(SYSTEM_PREFIXES.join(" "), "commit repo epoch");
    }

    #[test]
    fn c5_prefixes_have_classes_and_an_unknown_one_is_remarked_upon() {
        for prefix in CANONICAL_PREFIXES {
            assert_eq!(PrefixClass::of(prefix), PrefixClass::Canonical);
        }
        for prefix in SYSTEM_PREFIXES {
            assert_eq!(PrefixClass::of(prefix), PrefixClass::System);
        }
        let warning = |prefix: &str| PrefixClass::of(prefix).warning(prefix);
        assert_eq!(warning("zebra").as_deref(), Some("the prefix `zebra` is unknown"));
        assert_eq!(
            warning("sys-audit").as_deref(),
            Some("the prefix `sys-audit` is reserved for the system")
        );
        assert_eq!(warning("task"), None);
    }
}
