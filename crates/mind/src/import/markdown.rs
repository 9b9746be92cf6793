//! Front matter of Markdown files as a payload: a node for each file, an edge for each target that an edge type's key names.

use std::collections::HashSet;

use super::payload::{Entry, PayloadEdge, PayloadNode, Problem, Read, Stage};
use super::yaml;
use crate::confidence::Confidence;
use crate::edge::{self, EdgeType};
use crate::graph::Graph;
use crate::id::NodeId;
use crate::patch::{Property, Triple};
use crate::prefix::PrefixClass;
use crate::tree::{Tree, TreeValue};
use crate::value::{Json, bounded};

#[derive(Clone, Copy, Debug)]
pub struct MarkdownFile<'a> {
    /// Its path from where the files were looked for.
    pub path: &'a str,
    pub bytes: &'a [u8],
}

/// Reads files in the order they come in. A target that is nowhere yet counts as declared; nodes of the system do not.
pub fn from_markdown(files: &[MarkdownFile<'_>], graph: &Graph) -> Read {
    let mut read = Read::default();
    let mut without = 0_usize;
    let mut broken: Vec<&str> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let matter = front_matter(file.bytes);
        let document = matter.as_deref().and_then(|text| yaml::open(text.as_bytes()).ok());
        let tree = document.as_ref().and_then(|document| yaml::tree(document).ok());
        match tree.as_ref().filter(|tree| tree.mapping().is_some()) {
            Some(tree) => one(file, index, tree, &mut read),
            None => {
                without += 1;
                if matter.is_some() || file.bytes.starts_with(b"---") {
                    broken.push(file.path);
                }
            }
        }
    }
    if let Some(first) = broken.first() {
        let more = match broken.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        read.warnings.push(format!(
            "{first}{more}: skipped, because the front matter cannot be read"
        ));
    }
    match files.len() {
        0 => read.warnings.push("no Markdown file found".to_owned()),
        count if count == without => read
            .warnings
            .push(format!("none of the {count} files has front matter")),
        _ => {}
    }
    declare_targets(&mut read, graph);
    read
}

/// The text between the first line, which is `---`, and the next such line.
fn front_matter(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let rest = text.strip_prefix("---\n")?;
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end_matches('\n') == "---" {
            return rest.get(..length).map(str::to_owned);
        }
        length += line.len();
    }
    None
}

fn one(file: &MarkdownFile<'_>, index: usize, tree: &Tree<'_>, read: &mut Read) {
    let entry = Entry {
        index,
        file: Some(file.path.into()),
        at: None,
    };
    let stem = file.path.rsplit_once('.').map_or(file.path, |(stem, _)| stem);
    let id = match tree.get("id") {
        None => parse(&format!("doc:{stem}")),
        Some(value) => text_id(value),
    };
    let id = match id {
        Ok(id) => id,
        Err((message, hint)) => {
            read.errors
                .push(Problem::new(Stage::Nodes, index, file.path, message).hint(hint));
            return;
        }
    };
    let title = tree
        .get("title")
        .filter(|title| !matches!(title.value, TreeValue::Null));
    let title = title.and_then(|title| bounded(&Json::from_tree(title).ok()?).ok());
    let properties: Vec<Property> = title.map(|title| ("title".into(), title)).into_iter().collect();
    read.payload.nodes.push(PayloadNode {
        id: id.clone(),
        properties,
        entry: entry.clone(),
    });
    for (key, value) in tree.mapping().unwrap_or_default() {
        let Some(kind) = key.text().and_then(EdgeType::from_name) else {
            continue;
        };
        let targets = match &value.value {
            TreeValue::List(items) => items.iter().collect(),
            TreeValue::Null => Vec::new(),
            _ => vec![value],
        };
        for target in targets {
            let made = text_id(target).and_then(|target| {
                if target == id && !kind.allows_self() {
                    Err((edge::self_edge(kind), None))
                } else {
                    Ok(target)
                }
            });
            match made {
                Ok(target) => read.payload.edges.push(PayloadEdge {
                    edge: Triple {
                        source: id.clone(),
                        target,
                        kind,
                    },
                    confidence: Confidence::DEFAULT,
                    rationale: None,
                    entry: entry.clone(),
                }),
                Err((message, hint)) => {
                    let problem = Problem::new(Stage::Edges, index, file.path, format!("{kind}: {message}"));
                    read.errors.push(problem.hint(hint));
                }
            }
        }
    }
}

type Fault = (String, Option<String>);

fn text_id(value: &Tree<'_>) -> Result<NodeId, Fault> {
    match value.text() {
        Some(text) => parse(text),
        None => Err((format!("the id is {}, not text", value.what()), None)),
    }
}

fn parse(text: &str) -> Result<NodeId, Fault> {
    NodeId::parse(text).map_err(|fault| (fault.to_string(), fault.hint()))
}

fn declare_targets(read: &mut Read, graph: &Graph) {
    let mut declared: HashSet<NodeId> = read.payload.nodes.iter().map(|node| node.id.clone()).collect();
    for edge in &read.payload.edges {
        let target = &edge.edge.target;
        let is_known = graph.node(target.as_str()).is_some() || target.class() == PrefixClass::System;
        if !is_known && declared.insert(target.clone()) {
            read.payload.nodes.push(PayloadNode {
                id: target.clone(),
                properties: Vec::new(),
                entry: edge.entry.clone(),
            });
        }
    }
}
