//! A question, reduced to what matters for the choice of layers: needs, names, and how much may be loaded.

use std::collections::BTreeSet;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a question needs to be answered (§7.2).
#[derive(ValueEnum, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// The purpose of the repository
    Overview,
    /// Modules and their dependencies
    Structure,
    /// Definitions and their signatures
    Symbols,
    /// Callers and callees
    Callgraph,
    /// Findings in detail
    Security,
    /// Source code
    Source,
    /// Variables that functions define and use
    Dataflow,
}

impl Need {
    pub const ALL: [Self; 7] = [
        Self::Overview,
        Self::Structure,
        Self::Symbols,
        Self::Callgraph,
        Self::Security,
        Self::Source,
        Self::Dataflow,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Structure => "structure",
            Self::Symbols => "symbols",
            Self::Callgraph => "callgraph",
            Self::Security => "security",
            Self::Source => "source",
            Self::Dataflow => "dataflow",
        }
    }

    /// Whether the architecture, L1, answers it.
    pub(super) fn is_of_architecture(self) -> bool {
        matches!(self, Self::Overview | Self::Structure)
    }

    /// Whether a subset of the symbol index, L2, answers it.
    pub(super) fn is_of_symbol_index(self) -> bool {
        matches!(self, Self::Symbols | Self::Callgraph)
    }

    /// Whether only the full detail, L3, answers it, which is asked and not loaded.
    pub(super) fn is_of_full_detail(self) -> bool {
        matches!(self, Self::Security | Self::Source | Self::Dataflow)
    }
}

/// Which way calls are followed.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To who calls what is named.
    Callers,
    /// To what is called by it.
    Callees,
    #[default]
    Both,
}

/// What a question names
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Symbols, by their qualified names
    pub symbols: Vec<String>,
    /// Files, by their paths
    pub files: Vec<String>,
    /// Texts that look like names but are unknown here
    pub unknown: Vec<String>,
}

impl Names {
    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.files.is_empty() && self.unknown.is_empty()
    }
}

/// What matters of a question. One that needs nothing is answered by the counts of the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Question {
    /// What it needs.
    pub needs: BTreeSet<Need>,
    /// What it names.
    pub names: Names,
    /// Which way calls are followed.
    pub direction: Direction,
    /// Whether the complete call graph is asked for, which nobody can read.
    pub complete_call_graph: bool,
    /// A weakness by its CWE id, such as `CWE-89`.
    pub cwe: Option<String>,
    /// A severity in upper case.
    pub severity: Option<String>,
}

/// A size in bytes: `51200`, `50KB`, `50k` or `1MB`. One KB is 1,024 bytes, as the limits of the layers are (51,200 bytes are their 50 KB).
pub fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        _ => return Err(format!("`{text}` is not a size: write 51200, 50KB or 1MB")),
    };
    let number: Option<u64> = number.parse().ok();
    number
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| format!("`{text}` is not a size: write 51200, 50KB or 1MB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q4_sizes_count_1024_bytes_to_the_kilobyte() {
        for (text, bytes) in [
            ("51200", 51_200),
            ("50KB", 51_200),
            ("50 kb", 51_200),
            ("200k", 204_800),
            ("10KiB", 10_240),
            ("1MB", 1_048_576),
            ("7B", 7),
            ("0", 0),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "KB",
            "-1",
            "1.5MB",
            "10GBs",
            "99999999999999999999",
            "99999999999999999k",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
