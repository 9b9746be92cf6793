//! What is wrong, where, and how often.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use lore_base::excerpt::excerpt;

/// Breaches of a kind that are told one by one; of the others only the number.
pub const TOLD_PER_KIND: usize = 20;
/// Letters of a text from the graph that are shown.
const SHOWN: usize = 160;

/// The kind of a breach.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum BreachKind {
    /// The archive or an entry is unreadable or unsafe
    Archive,
    /// A required layer is missing
    MissingLayer,
    /// A layer is too large
    Size,
    /// A document is not JSON, or has a duplicate key
    Json,
    /// A document does not match its JSON Schema
    Schema,
    /// A document is not JSON-LD, or has an unknown context
    JsonLd,
    /// JSON-LD expansion drops a key
    DroppedKey,
    /// A line is not N-Quads
    Syntax,
    /// A statement is in no named graph
    DefaultGraph,
    /// A statement is in a graph that the specification does not define
    UnknownGraph,
    /// A required graph is missing
    MissingGraph,
    /// A symbol lacks a required property
    MissingProperty,
    /// A property has an invalid value
    Value,
    /// A call leads to an undescribed symbol
    UnknownCallee,
    /// A duplicate statement
    Duplicate,
    /// Layer 3 lacks a statement of layer 2
    NotInFullDetail,
    /// Layers, or a layer and its address, are of different commits
    Identity,
    /// A number of the manifest differs from the layers
    Number,
    /// The module graph names a missing module
    ModuleGraph,
    /// The access rules are not Turtle
    Acl,
}

impl BreachKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::MissingLayer => "missing-layer",
            Self::Size => "size",
            Self::Json => "json",
            Self::Schema => "schema",
            Self::JsonLd => "json-ld",
            Self::DroppedKey => "dropped-key",
            Self::Syntax => "syntax",
            Self::DefaultGraph => "default-graph",
            Self::UnknownGraph => "unknown-graph",
            Self::MissingGraph => "missing-graph",
            Self::MissingProperty => "missing-property",
            Self::Value => "value",
            Self::UnknownCallee => "unknown-callee",
            Self::Duplicate => "duplicate",
            Self::NotInFullDetail => "not-in-full-detail",
            Self::Identity => "identity",
            Self::Number => "number",
            Self::ModuleGraph => "module-graph",
            Self::Acl => "acl",
        }
    }
}

/// A breach
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// The kind of the breach
    pub kind: BreachKind,
    /// The file, and the line or the path in it
    pub place: String,
    /// The message
    pub message: String,
}

/// A file that was checked
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Its name
    pub file: String,
    /// Its layer
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<u8>,
    /// Its size
    pub bytes: u64,
    /// Number of statements
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statements: Option<u64>,
}

/// Breaches as they are found.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) breaches: Vec<Breach>,
    pub(super) counts: BTreeMap<BreachKind, u64>,
    pub(super) notes: Vec<String>,
}

impl Report {
    /// Notes a breach.
    pub(super) fn breach(&mut self, kind: BreachKind, place: impl Into<String>, message: impl Into<String>) {
        if self.count(kind) {
            self.breaches.push(Breach {
                kind,
                place: place.into(),
                message: message.into(),
            });
        }
    }

    /// Notes a breach whose words are only made if they are told: there may be millions.
    pub(super) fn breach_with(&mut self, kind: BreachKind, words: impl FnOnce() -> (String, String)) {
        if self.count(kind) {
            let (place, message) = words();
            self.breaches.push(Breach { kind, place, message });
        }
    }

    /// Notes breaches that are only counted.
    pub(super) fn more(&mut self, kind: BreachKind, count: u64) {
        if count > 0 {
            *self.counts.entry(kind).or_default() += count;
        }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Counts one more; whether it is to be told.
    fn count(&mut self, kind: BreachKind) -> bool {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        *count <= TOLD_PER_KIND as u64
    }
}

/// A text from the graph, short enough to be shown.
pub(super) fn shown(text: &str) -> String {
    excerpt(text, SHOWN)
}
