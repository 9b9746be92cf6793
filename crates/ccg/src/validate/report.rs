//! What is wrong, where, and how often.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Breaches of a kind that are told one by one; of the others only the number.
pub const TOLD_PER_KIND: usize = 20;
/// Letters of a text from the graph that are shown.
const SHOWN: usize = 160;

/// What a breach is about.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum BreachKind {
    /// The archive, or what it packs, cannot be read or should not be
    Archive,
    /// A layer that a graph must have is not there
    MissingLayer,
    /// A layer is larger than it may be
    Size,
    /// A document is no JSON, or says something twice
    Json,
    /// A document does not fit its JSON Schema
    Schema,
    /// A document is no JSON-LD, or its context is not known
    JsonLd,
    /// JSON-LD expansion drops a key
    DroppedKey,
    /// A line is no N-Quads
    Syntax,
    /// A statement is in no named graph
    DefaultGraph,
    /// A statement is in a graph that the specification does not know
    UnknownGraph,
    /// A graph that must be there is not
    MissingGraph,
    /// A symbol lacks something that every symbol has
    MissingProperty,
    /// A property has a value that it cannot have
    Value,
    /// A call leads to something that is not described
    UnknownCallee,
    /// A statement is made twice
    Duplicate,
    /// Layer 3 lacks a statement of layer 2
    NotInFullDetail,
    /// Layers, or a layer and its address, speak of different commits
    Identity,
    /// A number of the manifest is not what the layers amount to
    Number,
    /// The graph of modules names a module that it lacks
    ModuleGraph,
    /// The access rules are no Turtle
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

/// Something that is wrong
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// What it is about
    pub kind: BreachKind,
    /// The file, and the line or the path in it
    pub place: String,
    /// What is wrong
    pub message: String,
}

/// One file that was looked at
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Its name
    pub file: String,
    /// Which layer it is
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<u8>,
    /// Its size
    pub bytes: u64,
    /// How many statements it makes
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
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
