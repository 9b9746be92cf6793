//! graphify, and any other node-link document of networkx → `generic@1`: renames links to edges and adds the commit to the metadata.

use serde_json::{Map, Value};

use super::ConvertOptions;
use super::document::{Stamp, metadata, relative_member, relative_name_member};
use super::paths::Paths;
use super::sniff::Tool;
use super::understand_anything::{objects, text};

/// Makes a body in place.
pub(super) fn convert(
    root: &mut Map<String, Value>,
    options: &ConvertOptions,
    paths: &mut Paths,
    remarks: &mut Vec<String>,
) {
    if let Some(links) = root.remove("links") {
        root.entry("edges").or_insert(links);
    }
    for list in ["nodes", "edges"] {
        for item in objects(root, list) {
            relative_member(item, "source_file", paths);
            for key in ["id", "source", "target"] {
                relative_name_member(item, key, paths);
            }
        }
    }
    let graph = root.get("graph").and_then(Value::as_object);
    let version = graph.and_then(|graph| text(graph, "graphify_version"));
    let commit = text(root, "built_at_commit");
    let is_graphify = version.is_some() || commit.is_some() || named_tool(root) || options.from == Some(Tool::Graphify);
    let stamp = Stamp {
        tool: if is_graphify { Tool::Graphify.slug() } else { "networkx" }.to_owned(),
        tool_version: version,
        generated_at: text(root, "built_at"),
        commit,
    };
    stamp.apply(metadata(root), options, remarks);
}

fn named_tool(root: &Map<String, Value>) -> bool {
    let tool = root.get("metadata").and_then(|metadata| metadata.get("tool")?.as_str());
    tool.and_then(Tool::from_slug) == Some(Tool::Graphify)
}
