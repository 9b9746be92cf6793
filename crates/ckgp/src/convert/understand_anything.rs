//! Understand-Anything → `understand-anything@1`: maps 27 types of nodes to the five kinds of the format, renames ends and
//! kinds of edges, and adds the commit of the project to the metadata. `type` keeps the original type.

use serde_json::{Map, Value};

use super::ConvertOptions;
use super::document::{Stamp, metadata, relative_member, relative_name_member};
use super::paths::Paths;
use super::sniff::Tool;

/// The kinds of the format, each with the types that map to it. All other types become concepts.
const KINDS: &[(&str, &[&str])] = &[
    ("file", &["file", "config", "document", "page"]),
    ("function", &["function", "endpoint", "step"]),
    ("class", &["class", "table", "schema", "component", "componentSet"]),
    ("module", &["module", "service", "pipeline", "resource", "domain"]),
];
const CONCEPT: &str = "concept";

/// Makes a body in place.
pub(super) fn convert(
    root: &mut Map<String, Value>,
    options: &ConvertOptions,
    paths: &mut Paths,
    remarks: &mut Vec<String>,
) {
    let mut folded = 0;
    for node in objects(root, "nodes") {
        let (native, kind) = match (text(node, "type"), text(node, "kind")) {
            (native, Some(kind)) if is_kind(&kind) => (native, kind),
            (native, other) => {
                let native = native.or(other);
                let kind = native.as_deref().map_or(CONCEPT, kind_of).to_owned();
                (native, kind)
            }
        };
        if native.as_deref().is_some_and(|native| native != kind) {
            folded += 1;
        }
        if let Some(native) = native.filter(|native| *native != kind) {
            node.insert("type".to_owned(), native.into());
        } else {
            node.remove("type");
        }
        node.insert("kind".to_owned(), kind.into());
        if text(node, "label").is_none() {
            let label = node.remove("name").filter(Value::is_string);
            let label = label.or_else(|| node.get("id").cloned()).unwrap_or_default();
            node.insert("label".to_owned(), label);
        }
        relative_member(node, "filePath", paths);
        relative_name_member(node, "id", paths);
    }
    for edge in objects(root, "edges") {
        for (native, name) in [("source", "from"), ("target", "to"), ("type", "kind")] {
            if let Some(value) = edge.remove(native) {
                edge.entry(name).or_insert(value);
            }
        }
        relative_name_member(edge, "from", paths);
        relative_name_member(edge, "to", paths);
    }
    for list in ["layers", "tour"] {
        for part in objects(root, list) {
            let ids = part.get_mut("nodeIds").and_then(Value::as_array_mut);
            for id in ids.into_iter().flatten() {
                if let Value::String(id) = id {
                    *id = paths.relative_name(id);
                }
            }
        }
    }
    if folded > 0 {
        remarks.push(format!(
            "mapped {folded} nodes of types that the format lacks; `type` has the original type"
        ));
    }
    let project = root.get("project").and_then(Value::as_object);
    let said = |key: &str| project.and_then(|project| text(project, key));
    let stamp = Stamp {
        tool: Tool::UnderstandAnything.slug().to_owned(),
        tool_version: None,
        generated_at: said("analyzedAt"),
        commit: said("gitCommitHash"),
    };
    stamp.apply(metadata(root), options, remarks);
}

fn kind_of(native: &str) -> &'static str {
    let known = KINDS.iter().find(|(_, types)| types.contains(&native));
    known.map_or(CONCEPT, |(kind, _)| kind)
}

fn is_kind(kind: &str) -> bool {
    kind == CONCEPT || KINDS.iter().any(|(known, _)| *known == kind)
}

/// The objects of a list of a document.
pub(super) fn objects<'r>(
    root: &'r mut Map<String, Value>,
    list: &str,
) -> impl Iterator<Item = &'r mut Map<String, Value>> {
    let items = root.get_mut(list).and_then(Value::as_array_mut);
    items.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// A text of an object.
pub(super) fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}
