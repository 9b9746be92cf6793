//! GitNexus → `gitnexus@1`: wraps the server's answer into `graph`, turns relationships into links with the ends of the
//! format, and leaves out source texts.

use serde_json::{Map, Value};

use super::ConvertOptions;
use super::document::{Stamp, metadata, relative_member, relative_name_member};
use super::paths::Paths;
use super::sniff::Tool;

/// Makes a body in place.
pub(super) fn convert(
    root: &mut Map<String, Value>,
    options: &ConvertOptions,
    paths: &mut Paths,
    remarks: &mut Vec<String>,
) {
    let mut graph = match root.remove("graph") {
        Some(Value::Object(graph)) => graph,
        _ => Map::new(),
    };
    for (native, name) in [
        ("nodes", "nodes"),
        ("relationships", "links"),
        ("links", "links"),
        ("edges", "links"),
    ] {
        if let Some(list) = root.remove(native) {
            graph.entry(name).or_insert(list);
        }
    }
    for list in ["nodes", "links"] {
        graph.entry(list).or_insert_with(|| Value::Array(Vec::new()));
    }
    let mut sources = 0;
    for node in super::understand_anything::objects(&mut graph, "nodes") {
        if let Some(Value::Object(properties)) = node.get_mut("properties") {
            sources += u64::from(properties.remove("content").is_some());
            relative_member(properties, "filePath", paths);
        }
        sources += u64::from(node.remove("content").is_some());
        relative_member(node, "filePath", paths);
        relative_name_member(node, "id", paths);
    }
    let mut clamped = 0;
    for link in super::understand_anything::objects(&mut graph, "links") {
        for (native, name) in [("sourceId", "source"), ("targetId", "target")] {
            if let Some(value) = link.remove(native) {
                link.entry(name).or_insert(value);
            }
        }
        if let Some(confidence) = link.get("confidence").and_then(Value::as_f64)
            && !(0.0..=1.0).contains(&confidence)
        {
            clamped += 1;
            link.insert("native_confidence".to_owned(), confidence.into());
            link.insert("confidence".to_owned(), confidence.clamp(0.0, 1.0).into());
        }
        for key in ["source", "target"] {
            relative_name_member(link, key, paths);
        }
        relative_name_member(link, "id", paths);
    }
    if sources > 0 {
        remarks.push(format!("left out the source text of {sources} nodes"));
    }
    if clamped > 0 {
        remarks.push(format!(
            "clamped {clamped} confidences to 0..1; `native_confidence` has the original"
        ));
    }
    let commit = [
        root.get("metadata"),
        graph.get("metadata"),
        root.get("repo"),
        root.get("meta"),
    ]
    .into_iter()
    .flatten()
    .find_map(|part| {
        let own = ["commit", "lastCommit"].into_iter().find_map(|key| part.get(key));
        own.or_else(|| part.get("repo")?.get("commit"))?.as_str()
    });
    let version = root.get("version").and_then(Value::as_str);
    let stamp = Stamp {
        // A body may name its tool with a version behind an `@`, which stays.
        tool: named_tool(root).unwrap_or_else(|| Tool::Gitnexus.slug().to_owned()),
        tool_version: version.map(str::to_owned),
        generated_at: root.get("indexedAt").and_then(Value::as_str).map(str::to_owned),
        commit: commit.map(str::to_owned),
    };
    root.insert("graph".to_owned(), Value::Object(graph));
    stamp.apply(metadata(root), options, remarks);
}

fn named_tool(root: &Map<String, Value>) -> Option<String> {
    let tool = root.get("metadata")?.get("tool")?.as_str()?;
    (Tool::from_slug(tool) == Some(Tool::Gitnexus)).then(|| tool.to_owned())
}

/// The document that lines of `{"type": "node" | "relationship", "data": …}` make together.
pub(super) fn of_lines(lines: Vec<Value>) -> Result<Map<String, Value>, String> {
    let (mut nodes, mut relationships) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(lines) {
        let Value::Object(mut line) = line else {
            return Err(format!("line {number} is not an object"));
        };
        let data = line.remove("data");
        match (line.get("type").and_then(Value::as_str), data) {
            (Some("node"), Some(data)) => nodes.push(data),
            (Some("relationship"), Some(data)) => relationships.push(data),
            (Some("error"), _) => {
                let said = line.get("error").and_then(Value::as_str).unwrap_or("no reason");
                return Err(format!("the server stopped: {said}"));
            }
            _ => return Err(format!("line {number} is neither a node nor a relationship")),
        }
    }
    let members = [("nodes", nodes), ("relationships", relationships)];
    Ok(members
        .into_iter()
        .map(|(key, list)| (key.to_owned(), Value::Array(list)))
        .collect())
}

/// The same as `generic@1`: nodes and edges at the top.
pub(super) fn flatten(root: &mut Map<String, Value>) {
    if let Some(Value::Object(mut graph)) = root.remove("graph") {
        for (inner, outer) in [("nodes", "nodes"), ("links", "edges")] {
            if let Some(list) = graph.remove(inner) {
                root.insert(outer.to_owned(), list);
            }
        }
    }
}
