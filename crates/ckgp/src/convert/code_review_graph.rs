//! code-review-graph → `code-review-graph@1`: maps kinds that the format lacks, writes flows with texts, counts again, and
//! makes the absolute paths (which are in every name) relative to the repository.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::ConvertOptions;
use super::document::{Stamp, metadata, relative_member, relative_name_member};
use super::paths::Paths;
use super::sniff::Tool;
use super::understand_anything::{objects, text};

/// The kinds of nodes that the format has, and what others become.
const NODE_KINDS: &[&str] = &["File", "Class", "Function", "Type", "Test"];
const NODE_FOLDS: &[(&str, &str)] = &[
    ("Endpoint", "Function"),
    ("Scheduler", "Function"),
    ("Method", "Function"),
    ("Module", "File"),
];
const OTHER_NODE: &str = "Type";
/// The same of edges.
const EDGE_KINDS: &[&str] = &[
    "CALLS",
    "IMPORTS_FROM",
    "INHERITS",
    "IMPLEMENTS",
    "CONTAINS",
    "TESTED_BY",
    "DEPENDS_ON",
    "REFERENCES",
];
const EDGE_FOLDS: &[(&str, &str)] = &[
    ("HANDLES", "CALLS"),
    ("TRIGGERS", "CALLS"),
    ("INJECTS", "DEPENDS_ON"),
    ("DEPENDS_ON_CONFIG", "DEPENDS_ON"),
    ("OVERRIDES", "IMPLEMENTS"),
];
const OTHER_EDGE: &str = "REFERENCES";
/// How sure an edge is.
const TIERS: &[&str] = &["EXTRACTED", "INFERRED", "AMBIGUOUS"];
/// What was folded stays under this key.
const NATIVE_KIND: &str = "native_kind";

/// Makes a body in place.
pub(super) fn convert(
    root: &mut Map<String, Value>,
    options: &ConvertOptions,
    paths: &mut Paths,
    remarks: &mut Vec<String>,
) {
    let mut folds = 0;
    for (number, node) in (1_u64..).zip(objects(root, "nodes")) {
        folds += u64::from(fold(node, NODE_KINDS, NODE_FOLDS, OTHER_NODE));
        number_it(node, number);
        relative_member(node, "file_path", paths);
        if text(node, "kind").as_deref() == Some("File") {
            relative_member(node, "name", paths);
            relative_member(node, "qualified_name", paths);
        }
        for key in ["qualified_name", "parent_name"] {
            relative_name_member(node, key, paths);
        }
    }
    let names: HashSet<String> = objects(root, "nodes")
        .filter_map(|node| text(node, "qualified_name"))
        .collect();
    for (number, edge) in (1_u64..).zip(objects(root, "edges")) {
        folds += u64::from(fold(edge, EDGE_KINDS, EDGE_FOLDS, OTHER_EDGE));
        number_it(edge, number);
        if let Some(tier) = text(edge, "confidence_tier").filter(|tier| !TIERS.contains(&tier.as_str())) {
            edge.insert("native_confidence_tier".to_owned(), tier.into());
            edge.insert("confidence_tier".to_owned(), "AMBIGUOUS".into());
        }
        relative_member(edge, "file_path", paths);
        for key in ["source", "target"] {
            relative_name_member(edge, key, paths);
        }
        for key in ["ambiguous_targets", "unresolved_targets"] {
            relative_names(edge, key, paths);
        }
    }
    let dangling = retain_joined(root, &names);
    if dangling > 0 {
        remarks.push(format!("left out {dangling} edges to names without a node"));
    }
    if folds > 0 {
        remarks.push(format!(
            "mapped {folds} nodes and edges of kinds that the format lacks; `{NATIVE_KIND}` has the original kind"
        ));
    }
    for flow in objects(root, "flows") {
        let path = flow.get_mut("path").and_then(Value::as_array_mut);
        for step in path.into_iter().flatten() {
            let name = match &*step {
                Value::String(name) => paths.relative_name(name),
                other => other.to_string(),
            };
            *step = Value::String(name);
        }
    }
    for community in objects(root, "communities") {
        relative_names(community, "members", paths);
    }
    let last_updated = root.get("stats").and_then(|stats| stats.get("last_updated"));
    let stamp = Stamp {
        tool: Tool::CodeReviewGraph.slug().to_owned(),
        tool_version: None,
        generated_at: last_updated.and_then(Value::as_str).map(str::to_owned),
        commit: root
            .get("stats")
            .and_then(|stats| stats.get("commit")?.as_str())
            .map(str::to_owned),
    };
    count(root);
    stamp.apply(metadata(root), options, remarks);
}

/// Folds a kind that the format does not have; whether there was one.
fn fold(item: &mut Map<String, Value>, kinds: &[&str], folds: &[(&str, &'static str)], other: &'static str) -> bool {
    let kind = text(item, "kind").unwrap_or_default();
    if kinds.contains(&kind.as_str()) {
        return false;
    }
    let folded = folds.iter().find(|(native, _)| *native == kind);
    item.insert("kind".to_owned(), folded.map_or(other, |(_, folded)| folded).into());
    item.entry(NATIVE_KIND).or_insert(kind.into());
    true
}

/// An item without a number gets that of its place.
fn number_it(item: &mut Map<String, Value>, number: u64) {
    if !item.contains_key("id") {
        item.insert("id".to_owned(), number.into());
    }
}

fn relative_names(item: &mut Map<String, Value>, key: &str, paths: &mut Paths) {
    let names = item.get_mut(key).and_then(Value::as_array_mut);
    for name in names.into_iter().flatten() {
        if let Value::String(name) = name {
            *name = paths.relative_name(name);
        }
    }
}

/// Keeps the edges whose ends are nodes; how many are not.
fn retain_joined(root: &mut Map<String, Value>, names: &HashSet<String>) -> usize {
    let Some(edges) = root.get_mut("edges").and_then(Value::as_array_mut) else {
        return 0;
    };
    let before = edges.len();
    let is_node = |edge: &Value, end: &str| {
        edge.get(end)
            .and_then(Value::as_str)
            .is_some_and(|name| names.contains(name))
    };
    edges.retain(|edge| is_node(edge, "source") && is_node(edge, "target"));
    before - edges.len()
}

/// Counts what the body holds. The tool counts what it stores, of which an export is a part; that stays beside it.
fn count(root: &mut Map<String, Value>) {
    let (mut nodes, mut edges) = (BTreeMap::new(), BTreeMap::new());
    let (mut languages, mut files) = (Vec::new(), HashSet::new());
    for node in objects(root, "nodes") {
        *nodes.entry(text(node, "kind").unwrap_or_default()).or_insert(0_u64) += 1;
        languages.extend(text(node, "language").filter(|language| !language.is_empty()));
        files.extend(text(node, "file_path"));
    }
    for edge in objects(root, "edges") {
        *edges.entry(text(edge, "kind").unwrap_or_default()).or_insert(0_u64) += 1;
    }
    languages.sort_unstable();
    languages.dedup();
    let mut stats = match root.remove("stats") {
        Some(Value::Object(stats)) => stats,
        _ => Map::new(),
    };
    let mut set = |key: &str, value: Value| {
        let before = stats.insert(key.to_owned(), value.clone());
        if let (Some(before), Some(stored)) = (before.filter(|before| *before != value), key.strip_prefix("total_")) {
            stats.entry(format!("stored_{stored}")).or_insert(before);
        }
    };
    set("total_nodes", nodes.values().sum::<u64>().into());
    set("total_edges", edges.values().sum::<u64>().into());
    let object = |counts: BTreeMap<String, u64>| {
        Value::Object(counts.into_iter().map(|(kind, count)| (kind, count.into())).collect())
    };
    set("nodes_by_kind", object(nodes));
    set("edges_by_kind", object(edges));
    set("languages", languages.into());
    set("files_count", files.len().into());
    root.insert("stats".to_owned(), Value::Object(stats));
}
