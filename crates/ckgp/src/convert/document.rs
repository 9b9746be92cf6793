//! What all converters do to a document: drop nulls, clean texts, add metadata, and write one item on each line.

use std::borrow::Cow;
use std::io::Write as _;

use serde_json::{Map, Value};

use super::ConvertOptions;
use super::paths::{Paths, each_text};
use crate::format::Commit;
use crate::time;
use lore_base::scrub::{Scrubber, Wording};

/// Keys whose texts join items to each other: they have to stay equal, so that nothing but paths is taken out of them.
const JOINTS: &[&str] = &[
    "ambiguous_targets",
    "commit",
    "file_path",
    "filePath",
    "from",
    "id",
    "members",
    "nodeIds",
    "parent_name",
    "path",
    "qualified_name",
    "source",
    "source_file",
    "source_sha",
    "target",
    "to",
    "unresolved_targets",
];
/// Keys whose texts are names.
const NAMES: &[&str] = &["kind", "label", "language", "name", "norm_label", "signature", "type"];

/// Takes away every member that is null and every item of a list that is; how many there were.
pub(super) fn drop_nulls(value: &mut Value) -> u64 {
    let mut dropped = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => {
                let before = items.len();
                items.retain(|item| !item.is_null());
                dropped += (before - items.len()) as u64;
                open.extend(items.iter_mut());
            }
            Value::Object(members) => {
                let before = members.len();
                members.retain(|_, member| !member.is_null());
                dropped += (before - members.len()) as u64;
                open.extend(members.values_mut());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    dropped
}

/// Makes the text of a member relative, if there is one.
pub(super) fn relative_member(object: &mut Map<String, Value>, key: &str, paths: &mut Paths) {
    if let Some(Value::String(path)) = object.get_mut(key) {
        *path = paths.relative(path);
    }
}

/// The same for a name that begins with a path.
pub(super) fn relative_name_member(object: &mut Map<String, Value>, key: &str, paths: &mut Paths) {
    if let Some(Value::String(name)) = object.get_mut(key) {
        *name = paths.relative_name(name);
    }
}

/// Takes out of all texts what no machine or person wants published (clause P7): the root wherever it stands, and in what people wrote also addresses,
/// secrets and other paths.
pub(super) fn clean(root: &mut Map<String, Value>, paths: &Paths, scrubber: &mut Scrubber) {
    for value in root.values_mut() {
        each_text(value, &mut |text| {
            if let Some(cleaned) = paths.without_root(text) {
                *text = cleaned;
            }
        });
    }
    let mut open: Vec<(&str, &mut Value)> = root.iter_mut().map(|(key, value)| (key.as_str(), value)).collect();
    while let Some((key, value)) = open.pop() {
        match value {
            Value::String(text) => {
                let wording = if NAMES.contains(&key) {
                    Wording::Name
                } else {
                    Wording::Prose
                };
                if !JOINTS.contains(&key)
                    && let Cow::Owned(cleaned) = scrubber.scrub(text, wording)
                {
                    *text = cleaned;
                }
            }
            Value::Array(items) => open.extend(items.iter_mut().map(|item| (key, item))),
            Value::Object(members) => open.extend(members.iter_mut().map(|(key, value)| (key.as_str(), value))),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// What the metadata of a body are to say, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Stamp {
    /// The slug of the tool.
    pub(super) tool: String,
    /// Its version.
    pub(super) tool_version: Option<String>,
    /// When it was made, in whatever form the tool writes times.
    pub(super) generated_at: Option<String>,
    /// The commit, in whatever form.
    pub(super) commit: Option<String>,
}

impl Stamp {
    /// What a document says already comes first, then what the tool says, then what whoever converts says (clauses P3, R1). What cannot be known is told.
    pub(super) fn apply(self, metadata: &mut Map<String, Value>, options: &ConvertOptions, remarks: &mut Vec<String>) {
        metadata.insert("tool".to_owned(), Value::String(self.tool));
        let mut set = |key: &str, value: Option<String>| {
            let is_set = metadata.get(key).is_some_and(Value::is_string);
            if let Some(value) = value.filter(|_| !is_set) {
                metadata.insert(key.to_owned(), Value::String(value));
            }
        };
        let version = self.tool_version.or_else(|| options.tool_version.clone());
        set(
            "tool_version",
            version.filter(|version| version.chars().count() <= MOST_VERSION),
        );
        let zoned = self
            .generated_at
            .as_deref()
            .map(|time| (time::normalise(time), unzoned(time)));
        let generated_at = match zoned {
            Some((Some(time), _)) => Some(time),
            Some((None, Some(time))) => {
                remarks.push("the time has no zone and counts as UTC".to_owned());
                Some(time)
            }
            _ => Some(options.made_at.clone()).filter(|time| !time.is_empty()),
        };
        set("generated_at", generated_at);
        let commit = options
            .commit
            .clone()
            .or(self.commit.as_deref().and_then(Commit::parse));
        set("commit", commit.map(|commit| commit.to_string()));
        let has_commit = metadata
            .get("commit")
            .and_then(Value::as_str)
            .is_some_and(|commit| Commit::parse(commit).is_some());
        if !has_commit {
            metadata.remove("commit");
            remarks.push("the commit is unknown; set it with --commit SHA".to_owned());
        }
    }
}

/// Letters of a version.
const MOST_VERSION: usize = 64;

/// A time without a zone, as if it were in UTC.
fn unzoned(time: &str) -> Option<String> {
    time::normalise(&format!("{time}Z"))
}

/// The metadata of a document, made if there are none.
pub(super) fn metadata(root: &mut Map<String, Value>) -> &mut Map<String, Value> {
    let slot = root.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if !slot.is_object() {
        *slot = Value::Object(Map::new());
    }
    match slot {
        Value::Object(metadata) => metadata,
        _ => unreachable!("it was made an object"),
    }
}

/// The document as it is written: metadata first, lists with one item a line.
pub(super) fn written(root: &Map<String, Value>) -> Vec<u8> {
    let mut out = Vec::new();
    let first = root.iter().filter(|(key, _)| is_head(key));
    let rest = root.iter().filter(|(key, _)| !is_head(key));
    members(&mut out, first.chain(rest), 0);
    out.push(b'\n');
    out
}

fn is_head(key: &str) -> bool {
    matches!(key, "metadata" | "manifest")
}

fn members<'m>(out: &mut Vec<u8>, members: impl Iterator<Item = (&'m String, &'m Value)>, level: usize) {
    out.push(b'{');
    for (at, (key, value)) in members.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.push(b'\n');
        // Writing to memory does not fail, and neither do texts and values of JSON.
        let _ = serde_json::to_writer(&mut *out, key);
        out.push(b':');
        match value {
            Value::Array(items) => list(out, items),
            // What wraps the lists of GitNexus.
            Value::Object(inner) if level == 0 && inner.values().any(Value::is_array) && key == "graph" => {
                self::members(out, inner.iter(), level + 1);
            }
            value => {
                let _ = serde_json::to_writer(&mut *out, value);
            }
        }
    }
    out.extend_from_slice(b"\n}");
}

fn list(out: &mut Vec<u8>, items: &[Value]) {
    out.push(b'[');
    for (at, item) in items.iter().enumerate() {
        let _ = out.write_all(if at > 0 { b",\n" } else { b"\n" });
        let _ = serde_json::to_writer(&mut *out, item);
    }
    let _ = out.write_all(if items.is_empty() { b"]" } else { b"\n]" });
}
