//! Detects the tool that wrote a file: by `metadata.tool`, else by its shape (`graph.nodes` and `graph.links`, then
//! `stats.nodes_by_kind`, then plain `nodes` and `edges`), else by the shapes of unconverted output.

use clap::ValueEnum;
use serde_json::{Map, Value};

use super::conversion::MOST_LEVELS;
use super::pack;
use crate::format::FormatId;
use lore_base::json::{self, JsonReader};

/// Whose output is converted.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tool {
    /// Understand-Anything: knowledge-graph.json
    UnderstandAnything,
    /// GitNexus: what its server answers at /api/graph, as one document or as lines
    Gitnexus,
    /// code-review-graph: its export to JSON, or its graph.db
    CodeReviewGraph,
    /// graphify: graph.json, or any other node-link document of networkx
    Graphify,
    /// Repomix: a pack in XML, Markdown, JSON or plain text
    Repomix,
    /// gitingest: a digest
    Gitingest,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::UnderstandAnything,
        Self::Gitnexus,
        Self::CodeReviewGraph,
        Self::Graphify,
        Self::Repomix,
        Self::Gitingest,
    ];

    /// The slug that bodies name the tool by.
    pub fn slug(self) -> &'static str {
        match self {
            Self::UnderstandAnything => "understand-anything",
            Self::Gitnexus => "gitnexus",
            Self::CodeReviewGraph => "code-review-graph",
            Self::Graphify => "graphify",
            Self::Repomix => "repomix",
            Self::Gitingest => "gitingest",
        }
    }

    /// The tool with a slug, without a version after `@`.
    pub fn from_slug(slug: &str) -> Option<Self> {
        let slug = slug.split('@').next().unwrap_or(slug);
        Self::ALL
            .into_iter()
            .find(|tool| tool.slug().eq_ignore_ascii_case(slug))
    }

    /// The formats that its output can become, the usual one first.
    pub fn formats(self) -> &'static [&'static str] {
        match self {
            Self::UnderstandAnything => &["understand-anything@1", "generic@1"],
            Self::Gitnexus => &["gitnexus@1", "generic@1"],
            Self::CodeReviewGraph => &["code-review-graph@1", "generic@1"],
            Self::Graphify => &["generic@1"],
            Self::Repomix | Self::Gitingest => &["bundle@1"],
        }
    }
}

/// What a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The output of a tool, or a body made of it.
    Of(Tool),
    /// A body of another format, by its name.
    Body(&'static str),
}

/// What a JSON document is, by what it says and then by its shape.
pub(super) fn document(root: &Map<String, Value>) -> Option<Kind> {
    let text = |of: &str, key: &str| root.get(of).and_then(|part| part.get(key)).and_then(Value::as_str);
    let has = |key: &str| root.get(key).is_some_and(Value::is_array);
    if text("metadata", "format") == Some("ccg@1") && has("nodes") {
        return Some(Kind::Body("ccg@1"));
    }
    if let Some(tool) = text("metadata", "tool").and_then(Tool::from_slug) {
        return Some(Kind::Of(tool));
    }
    if root.get("manifest").is_some_and(Value::is_object) {
        return Some(Kind::Body("bundle@1"));
    }
    let graph = root.get("graph").and_then(Value::as_object);
    let of_graph = |key: &str| graph.and_then(|graph| graph.get(key)).is_some_and(Value::is_array);
    if of_graph("nodes") && of_graph("links") {
        return Some(Kind::Of(Tool::Gitnexus));
    }
    let stats = root.get("stats").and_then(|stats| stats.get("nodes_by_kind"));
    if stats.is_some() && has("nodes") {
        return Some(Kind::Of(Tool::CodeReviewGraph));
    }
    if has("nodes") && has("edges") {
        return Some(if is_understand_anything(root) {
            Kind::Of(Tool::UnderstandAnything)
        } else {
            Kind::Body("generic@1")
        });
    }
    if has("nodes") && has("relationships") {
        return Some(Kind::Of(Tool::Gitnexus));
    }
    if has("nodes") && has("links") {
        return Some(Kind::Of(Tool::Graphify));
    }
    pack::is_repomix(root).then_some(Kind::Of(Tool::Repomix))
}

/// The format that a document names in its metadata, as far as it can be read.
pub(super) fn named_format(bytes: &[u8]) -> Option<FormatId> {
    let mut reader = JsonReader::new(bytes, MOST_LEVELS).ok()?;
    reader.begin_object().ok()?;
    while let Ok(Some(key)) = reader.next_key() {
        if key.is("metadata") && reader.peek() == Ok(json::Kind::Object) {
            reader.begin_object().ok()?;
            while let Ok(Some(key)) = reader.next_key() {
                if key.is("format") && reader.peek() == Ok(json::Kind::Text) {
                    return FormatId::parse(&reader.text().ok()?.read());
                }
                reader.skip_value().ok()?;
            }
            return None;
        }
        reader.skip_value().ok()?;
    }
    None
}

/// A project with a commit, or nodes with type and name and edges with a source: only one tool writes these together.
fn is_understand_anything(root: &Map<String, Value>) -> bool {
    let first = |list: &str| root.get(list).and_then(|list| list.get(0)).and_then(Value::as_object);
    let all = |object: Option<&Map<String, Value>>, keys: &[&str]| {
        object.is_some_and(|object| keys.iter().all(|key| object.contains_key(*key)))
    };
    let project = root.get("project").and_then(Value::as_object);
    all(project, &["gitCommitHash"])
        || all(first("nodes"), &["id", "type", "name", "summary"])
        || root.contains_key("layers") && root.contains_key("tour")
}

/// The shapes that Lore recognises, for the error message.
pub(super) const LOOKED_FOR: &str = "Lore looks for `metadata.tool`, then `graph.nodes` and `graph.links`, then `stats.nodes_by_kind`, then `nodes` beside `edges`, `relationships` or `links`, \
     then the packs of Repomix and gitingest, and a database of code-review-graph";
