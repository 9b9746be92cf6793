//! The entries of the record (clauses P6, P10; rulings 5, 17): Lore's own graphs are written again, those of other tools stay unchanged.
//!
//! A descriptor is Lore's own if its address ends in a path that `lore graph publish` writes. All other content of a record
//! is preserved, also in unknown fields.

use serde::Serialize;
use serde_json::{Map, Value};

use super::format_file::FILES;
use super::stamp::Stamp;
use super::{RECORD, VERSION};
use crate::record::{MOST_GRAPHS, SCHEMA_VERSION};
use lore_seam::{ErrorKind, OpError};

/// One of our graphs, as the record lists it.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Listed {
    /// The format.
    pub(super) format: String,
    /// Where the body is.
    pub(super) graph_url: String,
    /// The version of Lore that made it.
    pub(super) tool_version: &'static str,
    /// When it was made.
    pub(super) generated_at: String,
    /// The commit that it was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source_sha: Option<String>,
    /// A line about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    /// Words about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<String>,
}

impl Listed {
    /// A graph of a format at an address.
    pub(super) fn new(format: &str, graph_url: String, stamp: &Stamp) -> Self {
        Self {
            format: format.to_owned(),
            graph_url,
            tool_version: VERSION,
            generated_at: stamp.generated_at.clone(),
            source_sha: stamp.commit.as_ref().map(ToString::to_string),
            description: None,
            tags: Vec::new(),
        }
    }
}

/// The record that is there, or an empty one.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Listing {
    /// The whole record; `None` if there is none.
    document: Option<Map<String, Value>>,
    /// What it lists.
    graphs: Vec<Value>,
}

impl Listing {
    /// Reads the existing record. A record that Lore does not understand is never replaced.
    pub(super) fn read(bytes: Option<&[u8]>) -> Result<Self, OpError> {
        let Some(bytes) = bytes else {
            return Ok(Self::default());
        };
        let refuse = |why: String| {
            let message = format!("{RECORD} is not replaced: {why}");
            Err(OpError::new(ErrorKind::Refused, message).hint("correct it or move it"))
        };
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let document = match serde_json::from_slice::<Value>(bytes) {
            Ok(Value::Object(document)) => document,
            Ok(_) => return refuse("it is JSON, but not an object".to_owned()),
            Err(error) => return refuse(format!("not JSON: {error}")),
        };
        let version = document.get("schema_version");
        if version.and_then(Value::as_f64) != Some(SCHEMA_VERSION as f64) {
            let version = version.map_or_else(|| "missing".to_owned(), Value::to_string);
            return refuse(format!("its schema_version is {version}; Lore writes {SCHEMA_VERSION}"));
        }
        let graphs = match document.get("graphs") {
            Some(Value::Array(graphs)) => graphs.clone(),
            None if document.contains_key("service") => {
                return refuse("it is the document of an aggregator".to_owned());
            }
            None => Vec::new(),
            Some(_) => return refuse("its graphs are not a list".to_owned()),
        };
        Ok(Self {
            document: Some(document),
            graphs,
        })
    }

    /// Our graph of a format that it lists.
    pub(super) fn ours(&self, format: &str) -> Option<&Map<String, Value>> {
        let graphs = self.graphs.iter().filter(|graph| is_ours(graph));
        graphs
            .filter_map(Value::as_object)
            .find(|graph| graph.get("format").and_then(Value::as_str) == Some(format))
    }

    /// Our graphs that it lists.
    pub(super) fn ours_anywhere(&self) -> impl Iterator<Item = &Map<String, Value>> {
        self.graphs
            .iter()
            .filter(|graph| is_ours(graph))
            .filter_map(Value::as_object)
    }

    /// Paths of ours that it leads to.
    pub(super) fn our_paths(&self) -> Vec<&'static str> {
        let mut paths: Vec<&str> = self.graphs.iter().filter_map(our_path).collect();
        paths.dedup();
        paths
    }

    /// How many graphs of other tools it lists.
    pub(super) fn others(&self) -> usize {
        self.graphs.iter().filter(|graph| !is_ours(graph)).count()
    }

    /// The record with our graphs in the place of those that it had of ours, or behind all others; nothing if it would list none. No more of ours are listed
    /// than there is room for.
    pub(super) fn with(&self, ours: &[Listed]) -> Option<Value> {
        let room = MOST_GRAPHS.saturating_sub(self.others());
        let ours: Vec<Value> = ours
            .iter()
            .take(room)
            .filter_map(|listed| serde_json::to_value(listed).ok())
            .collect();
        let first = self.graphs.iter().position(is_ours);
        let place = first.unwrap_or(self.graphs.len());
        let others = |graphs: &[Value]| {
            graphs
                .iter()
                .filter(|graph| !is_ours(graph))
                .cloned()
                .collect::<Vec<_>>()
        };
        let (before, after) = self.graphs.split_at(place);
        let graphs = [others(before), ours, others(after)].concat();
        if graphs.is_empty() {
            return None;
        }
        let mut document = self.document.clone().unwrap_or_default();
        document.insert("schema_version".to_owned(), SCHEMA_VERSION.into());
        document.insert("graphs".to_owned(), Value::Array(graphs));
        Some(Value::Object(document))
    }

    /// Whether a record says the same as the one that is there, also in the form in which numbers and fields are written.
    pub(super) fn is(&self, record: &Value) -> bool {
        self.document
            .as_ref()
            .is_some_and(|document| Some(document) == record.as_object())
    }

    /// Whether a record says the same as the one that is there, but for when and of which commit our graphs were made.
    pub(super) fn is_but_for_stamps(&self, record: &Value) -> bool {
        let document = self.document.clone().map(Value::Object).map(without_stamps);
        document.is_some_and(|document| document == without_stamps(record.clone()))
    }
}

/// The text of a record: the version first, then the graphs, then whatever else it says, in order.
pub(super) fn text(record: &Value) -> String {
    let first = |key: &str| match key {
        "schema_version" => 0,
        "graphs" => 1,
        _ => 2,
    };
    let mut fields: Vec<(&String, &Value)> = record.as_object().into_iter().flatten().collect();
    fields.sort_by_key(|(key, _)| (first(key), *key));
    let mut text = "{".to_owned();
    for (at, (key, value)) in fields.into_iter().enumerate() {
        text.push_str(if at > 0 { ",\n  " } else { "\n  " });
        text.push_str(&Value::from(key.as_str()).to_string());
        text.push_str(": ");
        let pretty = match key.as_str() {
            "graphs" => graphs_text(value),
            _ => serde_json::to_string_pretty(value).unwrap_or_default(),
        };
        text.push_str(&pretty.replace('\n', "\n  "));
    }
    text.push_str("\n}\n");
    text
}

/// The order of the fields of a graph; those that we do not know come behind, by name.
const FIELDS: &[&str] = &[
    "format",
    "graph_url",
    "tool_version",
    "generated_at",
    "source_sha",
    "description",
    "tags",
];

fn graphs_text(graphs: &Value) -> String {
    let rank = |key: &str| FIELDS.iter().position(|field| *field == key).unwrap_or(FIELDS.len());
    let graphs = graphs.as_array().into_iter().flatten().map(|graph| {
        let Some(graph) = graph.as_object() else {
            return graph.to_string();
        };
        let mut fields: Vec<(&String, &Value)> = graph.iter().collect();
        fields.sort_by_key(|(key, _)| (rank(key), *key));
        let lines = fields.into_iter().map(|(key, value)| {
            let pretty = serde_json::to_string_pretty(value).unwrap_or_default();
            format!("{}: {}", Value::from(key.as_str()), pretty.replace('\n', "\n    "))
        });
        format!("{{\n    {}\n  }}", lines.collect::<Vec<_>>().join(",\n    "))
    });
    format!("[\n  {}\n]", graphs.collect::<Vec<_>>().join(",\n  "))
}

/// A record without when and of which commit our graphs were made.
fn without_stamps(mut record: Value) -> Value {
    let graphs = record.get_mut("graphs").and_then(Value::as_array_mut);
    for graph in graphs.into_iter().flatten().filter(|graph| is_ours(graph)) {
        if let Some(graph) = graph.as_object_mut() {
            graph.remove("generated_at");
            graph.remove("source_sha");
        }
    }
    record
}

fn is_ours(graph: &Value) -> bool {
    our_path(graph).is_some()
}

/// The path that publishing writes to and that a descriptor leads to.
fn our_path(graph: &Value) -> Option<&'static str> {
    let url = graph.get("graph_url")?.as_str()?;
    let path = url.split(['?', '#']).next()?;
    FILES
        .iter()
        .copied()
        .find(|file| path.strip_suffix(file).is_some_and(|before| before.ends_with('/')))
}

#[cfg(test)]
mod tests;
