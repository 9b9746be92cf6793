//! What a body contains and whether it is usable (clauses C9, S6, P2, P4, P5, R1; rulings 2, 3, 8, 10).
//!
//! [`judge`] reads a body once and builds no tree. It refuses in this order: a body that is too large, before reading;
//! invalid JSON and exceeded bounds of structure or counts, at the first place; violations of the format, at the end.

mod keys;
mod pointer;
mod tally;
mod walk;

use std::fmt;

use sha2::{Digest, Sha256};

use self::tally::Tally;
use self::walk::Walk;
use super::format::{Commit, FormatId};
use super::formats::{self, Format};
use lore_base::json::{JsonReader, Kind, Text};

/// Bytes of a body, as they are after decoding; so many are allowed (ruling 2).
pub const MOST_BYTES: u64 = 52_428_800;
/// Nodes of a body.
pub const MOST_NODES: usize = 100_000;
/// Edges of a body.
pub const MOST_EDGES: usize = 500_000;
/// Levels of lists and objects in each other; the body itself is the first.
pub const MOST_DEPTH: usize = 32;
/// Characters of a label.
pub const MOST_LABEL: usize = 4_096;
/// Errors of a body that are reported.
pub const MOST_ERRORS: usize = 5;

/// What is known of a body that may be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodyFacts {
    /// SHA-256 of the bytes as they came, a mark of byte order included, in hexadecimal (clause J1).
    pub digest: String,
    /// How many bytes there are.
    pub bytes: u64,
    /// How many nodes; for a bundle the number of files that it says it has.
    pub nodes: u64,
    /// How many edges.
    pub edges: u64,
    /// The ten most frequent kinds of nodes in small letters, and how many of each.
    pub top_kinds: Vec<(String, u64)>,
    /// Ten languages at most, in small letters and in order.
    pub languages: Vec<String>,
    /// The commit that the body says it was made of (clause R1).
    pub source_sha: Option<Commit>,
    /// The tool that says it made the body.
    pub tool: Option<String>,
    /// The version of that tool.
    pub tool_version: Option<String>,
    /// When the body says it was made, in UTC.
    pub generated_at: Option<String>,
    /// What is not as it should be, and no reason to refuse the body.
    pub warnings: Vec<String>,
}

/// Why a body is refused, as a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalKind {
    /// It has too many bytes.
    Oversize,
    /// Invalid JSON.
    NotJson,
    /// It is nested too deep, has too long a label or a key `$ref`.
    Structure,
    /// It has too many nodes or edges.
    Counts,
    /// Its format does not allow it.
    Schema,
    /// Its format is not known here.
    UnknownFormat,
}

impl RefusalKind {
    /// The kind in one word, for machines.
    pub fn code(self) -> &'static str {
        match self {
            Self::Oversize => "oversize",
            Self::NotJson => "not_json",
            Self::Structure => "structure",
            Self::Counts => "counts",
            Self::Schema => "schema",
            Self::UnknownFormat => "unknown_format",
        }
    }
}

/// Why a body is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The kind of reason.
    pub kind: RefusalKind,
    /// The reason. What it repeats of the body is cut short and has no control characters.
    pub reason: String,
    /// What its format does not allow; the first [`MOST_ERRORS`].
    pub errors: Vec<SchemaError>,
}

/// A place of a body that its format does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaError {
    /// The place, as a JSON pointer.
    pub pointer: String,
    /// What is wrong there.
    pub message: String,
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => write!(formatter, "the body: {}", self.message),
            pointer => write!(formatter, "{pointer}: {}", self.message),
        }
    }
}

impl Refusal {
    /// The reason alone: every place that its format does not allow, or what else is wrong.
    pub fn told(&self) -> String {
        if self.errors.is_empty() {
            return self.reason.clone();
        }
        let errors: Vec<String> = self.errors.iter().map(ToString::to_string).collect();
        errors.join("; ")
    }

    /// A refusal of a kind, without places.
    pub fn new(kind: RefusalKind, reason: impl Into<String>) -> Self {
        Self {
            kind,
            reason: reason.into(),
            errors: Vec::new(),
        }
    }
}

/// What is seen while a body is read.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// A node, or a file of a bundle.
    Node(SeenNode<'a>),
    /// What was seen so far counts no longer: the body has a key twice, and is read again with the later one.
    Restart,
}

/// A node. Its texts are what a stranger wrote (clause C8).
#[derive(Clone, Copy, Debug)]
pub struct SeenNode<'a> {
    /// The place in the list of nodes, from 0.
    pub index: usize,
    /// The kind.
    pub kind: Option<Text<'a>>,
    /// The name: the label, the name, or the path, as the format has it.
    pub name: Option<Text<'a>>,
    /// The language.
    pub language: Option<Text<'a>>,
}

/// Whether a body of this format may be used, and what it holds.
pub fn judge(format: &FormatId, bytes: &[u8]) -> Result<BodyFacts, Refusal> {
    judge_with(format, bytes, &mut |_| {})
}

/// Judges a body and passes its nodes to a callback, so that the body is read only once. The nodes count only if the body is not refused.
pub fn judge_with<'a>(
    format: &FormatId,
    bytes: &'a [u8],
    seen: &mut dyn FnMut(Seen<'a>),
) -> Result<BodyFacts, Refusal> {
    check_size(bytes.len() as u64)?;
    let Some(format) = formats::known(format) else {
        let known: Vec<String> = formats::KNOWN.iter().map(|format| format.id().to_string()).collect();
        return Err(Refusal::new(
            RefusalKind::UnknownFormat,
            format!("unknown format {format}; known formats are {}", known.join(", ")),
        ));
    };
    judge_by(format, bytes, seen)
}

/// Judges a body by the rules of a format that the caller has looked up.
pub fn judge_by<'a>(
    format: &'static Format,
    bytes: &'a [u8],
    seen: &mut dyn FnMut(Seen<'a>),
) -> Result<BodyFacts, Refusal> {
    check_size(bytes.len() as u64)?;
    let tally = read(format, bytes, seen)?;
    let digest = Sha256::digest(bytes);
    Ok(tally.facts(format, lore_base::digest::hex(digest), bytes.len() as u64))
}

/// Whether a body may have so many bytes; more are refused before any is read (clause P4).
pub fn check_size(bytes: u64) -> Result<(), Refusal> {
    if bytes <= MOST_BYTES {
        Ok(())
    } else {
        Err(Refusal::new(
            RefusalKind::Oversize,
            format!("{bytes} bytes; a body has at most {MOST_BYTES}"),
        ))
    }
}

/// Where a bundle says that its content is; of other formats nothing (clause S2 holds for it too).
pub fn content_url(format: &FormatId, body: &[u8]) -> Option<String> {
    if format.name() != "bundle" {
        return None;
    }
    let mut reader = JsonReader::new(body, MOST_DEPTH).ok()?;
    let mut found = None;
    reader.begin_object().ok()?;
    while let Some(key) = reader.next_key().ok()? {
        if key.is("content_url") && reader.peek().ok()? == Kind::Text {
            found = Some(reader.text().ok()?.read().into_owned())
        } else {
            reader.skip_value().ok()?;
        }
    }
    found
}

/// Reads the body, and reads it again if it has a key twice that matters: which of two members is the last is known only at the end.
fn read<'a>(format: &'static Format, bytes: &'a [u8], seen: &mut dyn FnMut(Seen<'a>)) -> Result<Tally<'a>, Refusal> {
    let mut first = Walk::new(format, bytes, &[])?.run(seen)?;
    if first.replaced.is_empty() {
        return first.verdict(format);
    }
    seen(Seen::Restart);
    let duplicates = first.take_duplicates();
    let mut replaced = first.replaced;
    replaced.sort_unstable();
    let mut tally = Walk::new(format, bytes, &replaced)?.run(seen)?.verdict(format)?;
    tally.duplicates = duplicates;
    Ok(tally)
}

#[cfg(test)]
mod tests;
