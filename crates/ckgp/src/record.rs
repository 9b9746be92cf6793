//! The discovery record: the graphs that a repository publishes (clauses D1 to D3, J1 to J5, rulings 14 and 17).

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::format::{Commit, FormatId};
use super::time;
use lore_base::excerpt::excerpt;

/// Characters of an unknown text that a message shows.
const MOST_SHOWN: usize = 100;

/// The only version of a record that is understood.
pub const SCHEMA_VERSION: u64 = 1;
/// Bytes of a record.
pub const MOST_BYTES: u64 = 1 << 20;
/// Graphs that a record is written with.
pub const MOST_GRAPHS: usize = 32;
/// Graphs of a record that are looked at.
const MOST_READ: usize = 1_000;
/// Characters of a description.
pub const MOST_DESCRIPTION: usize = 280;
/// Tags of a graph, and letters of each.
pub const MOST_TAGS: (usize, usize) = (16, 32);
/// Characters of a tool's version.
pub const MOST_TOOL_VERSION: usize = 64;

/// What a repository says of its graphs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// One for each graph, in its order; the first one is the primary.
    pub graphs: Vec<Descriptor>,
}

/// What a record says of one graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Descriptor {
    /// Its format.
    pub format: FormatId,
    /// Where its body is: an absolute address by https.
    pub graph_url: String,
    /// The version of the tool that made it.
    pub tool_version: Option<String>,
    /// When it was made, in UTC.
    pub generated_at: Option<String>,
    /// The commit that it was made from.
    pub source_sha: Option<Commit>,
    /// A line about it.
    pub description: Option<String>,
    /// Words about it.
    pub tags: Vec<String>,
}

impl Descriptor {
    /// A graph of a format at an address, of which nothing else is known.
    pub fn new(format: FormatId, graph_url: impl Into<String>) -> Self {
        Self {
            format,
            graph_url: graph_url.into(),
            tool_version: None,
            generated_at: None,
            source_sha: None,
            description: None,
            tags: Vec::new(),
        }
    }
}

/// What a document at the record's path is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Document {
    /// A record.
    Record {
        /// What it says.
        record: Record,
        /// What was left out or mended, and why.
        warnings: Vec<String>,
    },
    /// What an aggregator says of itself, which has no `graphs`.
    Service(Service),
}

/// What an aggregator says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Service {
    /// Its name.
    pub name: Option<String>,
    /// Where its list of everything is.
    pub registry_url: Option<String>,
    /// Where its sums are.
    pub stats_url: Option<String>,
}

/// Why a document is not a usable record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordFault {
    /// It has more bytes than a record may have.
    TooLarge,
    /// Invalid JSON or not UTF-8.
    NotJson(String),
    /// It is JSON, but no object.
    NotAnObject,
    /// It is of another version.
    Unsupported(String),
    /// `graphs` is missing, not a list, or empty.
    NoGraphs,
    /// No graph that it names can be used; why, for each.
    NoneUsable(Vec<String>),
}

impl fmt::Display for RecordFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(formatter, "the record has more than {MOST_BYTES} bytes"),
            Self::NotJson(why) => write!(formatter, "the record is not JSON: {why}"),
            Self::NotAnObject => formatter.write_str("the record is not an object"),
            Self::Unsupported(version) => write!(
                formatter,
                "the record has schema_version {version}; only {SCHEMA_VERSION} is supported"
            ),
            Self::NoGraphs => formatter.write_str("the record lists no graphs"),
            Self::NoneUsable(why) => write!(formatter, "the record lists no usable graph: {}", why.join("; ")),
        }
    }
}

impl std::error::Error for RecordFault {}

/// Reads a record. An unusable descriptor is skipped with a warning.
pub fn parse(bytes: &[u8]) -> Result<Document, RecordFault> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(RecordFault::TooLarge);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let document: Value = serde_json::from_slice(bytes).map_err(|error| RecordFault::NotJson(error.to_string()))?;
    let Value::Object(document) = document else {
        return Err(RecordFault::NotAnObject);
    };
    check_version(&document)?;
    let graphs = match (document.get("graphs"), document.get("service")) {
        (Some(Value::Array(graphs)), _) if !graphs.is_empty() => graphs,
        (None, Some(Value::Object(service))) => return Ok(Document::Service(Service::of(service))),
        _ => return Err(RecordFault::NoGraphs),
    };
    let mut warnings = Vec::new();
    if graphs.len() > MOST_GRAPHS {
        warnings.push(format!(
            "the record lists {} graphs; at most {MOST_GRAPHS} are recommended",
            graphs.len()
        ));
    }
    if graphs.len() > MOST_READ {
        warnings.push(format!("only the first {MOST_READ} graphs are read"));
    }
    let mut record = Record::default();
    for (number, graph) in graphs.iter().take(MOST_READ).enumerate() {
        match descriptor(graph, &mut |what| warnings.push(format!("graphs[{number}]: {what}"))) {
            Ok(descriptor) => record.graphs.push(descriptor),
            Err(why) => warnings.push(format!("graphs[{number}] is skipped: {why}")),
        }
    }
    if record.graphs.is_empty() {
        Err(RecordFault::NoneUsable(warnings))
    } else {
        Ok(Document::Record { record, warnings })
    }
}

/// That a document is of the version that is understood; a number that is written with a fraction of nothing is a whole one.
pub(super) fn check_version(document: &Map<String, Value>) -> Result<(), RecordFault> {
    let version = document.get("schema_version");
    match version.and_then(Value::as_f64) {
        Some(number) if number == SCHEMA_VERSION as f64 => Ok(()),
        _ => {
            let shown = version.map_or_else(|| "(none)".to_owned(), Value::to_string);
            Err(RecordFault::Unsupported(shown.chars().take(40).collect()))
        }
    }
}

/// One graph, or why it is left out. What may be missing and is not right is as good as missing.
fn descriptor(graph: &Value, warn: &mut dyn FnMut(String)) -> Result<Descriptor, String> {
    let graph = graph.as_object().ok_or("not an object")?;
    let text = |name: &str| graph.get(name).and_then(Value::as_str);
    let format = text("format").ok_or("`format` is missing")?;
    let format = FormatId::parse(format).ok_or_else(|| format!("`{}` is not a format", excerpt(format, MOST_SHOWN)))?;
    let url = text("graph_url").ok_or("`graph_url` is missing")?;
    if !is_absolute_https(url) {
        return Err(format!(
            "its graph_url `{}` is not an absolute https address",
            excerpt(url, MOST_SHOWN)
        ));
    }
    let mut found = Descriptor::new(format, url);
    found.tool_version = text("tool_version").map(str::to_owned);
    found.generated_at = optional(graph, "generated_at", time::normalise, warn);
    found.source_sha = optional(graph, "source_sha", Commit::parse, warn);
    found.description = text("description").map(|text| text.chars().take(MOST_DESCRIPTION).collect());
    if let Some(tags) = graph.get("tags").and_then(Value::as_array) {
        let good = tags.iter().filter_map(Value::as_str).filter(|tag| is_tag(tag));
        found.tags = good.take(MOST_TAGS.0).map(str::to_owned).collect();
        if found.tags.len() < tags.len() {
            warn(format!("skipped {} tags", tags.len() - found.tags.len()));
        }
    }
    Ok(found)
}

fn optional<T>(
    graph: &Map<String, Value>,
    name: &str,
    parse: fn(&str) -> Option<T>,
    warn: &mut dyn FnMut(String),
) -> Option<T> {
    let given = graph.get(name).filter(|value| !value.is_null())?;
    let parsed = given.as_str().and_then(parse);
    if parsed.is_none() {
        warn(format!("ignored {name} {}", excerpt(&given.to_string(), MOST_SHOWN)));
    }
    parsed
}

/// Whether a text is an absolute address by https (J5). Which of them are asked, the policy says.
pub fn is_absolute_https(text: &str) -> bool {
    oxiri::Iri::parse(text).is_ok_and(|address| {
        let has_host = address.authority().is_some_and(|authority| !authority.is_empty());
        address.scheme().eq_ignore_ascii_case("https") && has_host
    })
}

/// Whether a text may be a tag.
pub fn is_tag(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=MOST_TAGS.1).contains(&text.len()) && text.bytes().all(is_letter)
}

impl Service {
    fn of(service: &Map<String, Value>) -> Self {
        let text = |name: &str| service.get(name).and_then(Value::as_str).map(str::to_owned);
        let url = |name: &str| text(name).filter(|url| is_absolute_https(url));
        Self {
            name: text("name"),
            registry_url: url("registry_url"),
            stats_url: url("stats_url"),
        }
    }
}

/// Why a record is not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteFault {
    /// There is no graph to list (P10).
    NoGraphs,
    /// There are more graphs than a record is written with (ruling 17).
    TooManyGraphs(usize),
}

impl fmt::Display for WriteFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGraphs => formatter.write_str("a record without graphs is not written"),
            Self::TooManyGraphs(count) => {
                write!(
                    formatter,
                    "a record of {count} graphs is not written; at most {MOST_GRAPHS} are allowed"
                )
            }
        }
    }
}

impl std::error::Error for WriteFault {}

/// The text of a record: the same for the same record, and what is not known is not in it.
pub fn write(record: &Record) -> Result<String, WriteFault> {
    match record.graphs.len() {
        0 => return Err(WriteFault::NoGraphs),
        count if count > MOST_GRAPHS => return Err(WriteFault::TooManyGraphs(count)),
        _ => {}
    }
    let written = WrittenRecord {
        schema_version: SCHEMA_VERSION,
        graphs: record.graphs.iter().map(WrittenGraph::of).collect(),
    };
    let mut text = serde_json::to_string_pretty(&written).expect("because texts and numbers can always be written");
    text.push('\n');
    Ok(text)
}

#[derive(Serialize)]
struct WrittenRecord<'r> {
    schema_version: u64,
    graphs: Vec<WrittenGraph<'r>>,
}

#[derive(Serialize)]
struct WrittenGraph<'r> {
    format: String,
    graph_url: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_version: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generated_at: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_sha: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'r str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'r [String],
}

impl<'r> WrittenGraph<'r> {
    fn of(graph: &'r Descriptor) -> Self {
        Self {
            format: graph.format.to_string(),
            graph_url: &graph.graph_url,
            tool_version: graph.tool_version.as_deref(),
            generated_at: graph.generated_at.as_deref(),
            source_sha: graph.source_sha.as_ref().map(Commit::as_str),
            description: graph.description.as_deref(),
            tags: &graph.tags,
        }
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
