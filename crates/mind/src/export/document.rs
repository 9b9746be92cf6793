//! The graph as an import file: what the system made is left out, everything is sorted, and importing it gives the same graph (clause C25).

use std::fmt::Write;

use crate::graph::{Edge, Graph, Node};
use crate::json::push_text;
use crate::prefix;
use crate::value::Json;
use lore_base::yaml::write::double_quoted;

/// What of a graph is exported.
#[derive(Clone, Debug)]
pub struct Export<'g> {
    /// The nodes, by id.
    pub nodes: Vec<Node<'g>>,
    /// The edges both of whose ends are among them.
    pub edges: Vec<Edge<'g>>,
}

/// Chooses what is exported: no system nodes, no records of reviews, and only these prefixes if there are any.
pub fn choose<'g>(graph: &'g Graph, prefixes: &[String]) -> Export<'g> {
    let is_chosen = |node: Node<'_>| {
        let is_wanted = prefixes.is_empty() || prefixes.iter().any(|wanted| prefix::kind(wanted) == node.kind());
        is_wanted && !node.is_systems()
    };
    let chosen: Vec<bool> = graph.nodes().map(is_chosen).collect();
    let is_in = |node: Node<'_>| chosen.get(node.ix().0 as usize).copied().unwrap_or(false);
    Export {
        nodes: graph.nodes().filter(|node| is_in(*node)).collect(),
        edges: graph
            .edges()
            .filter(|edge| is_in(edge.source()) && is_in(edge.target()))
            .collect(),
    }
}

impl Export<'_> {
    pub fn yaml(&self) -> String {
        let mut out = String::from("version: 1\n");
        if !self.nodes.is_empty() {
            out.push_str("nodes:\n");
        }
        for node in &self.nodes {
            let _ = writeln!(out, "  - id: \"{}\"", node.id());
            if node.properties().len() > 0 {
                out.push_str("    props:\n");
            }
            for (key, value) in node.properties() {
                out.push_str("      ");
                push_key(key, &mut out);
                out.push_str(": ");
                push_flow(&Json::of_canonical(value), &mut out);
                out.push('\n');
            }
        }
        if !self.edges.is_empty() {
            out.push_str("edges:\n");
        }
        for edge in &self.edges {
            let (source, target) = (edge.source().id(), edge.target().id());
            let _ = writeln!(
                out,
                "  - source: \"{source}\"\n    target: \"{target}\"\n    type: {}",
                edge.kind()
            );
            let _ = writeln!(out, "    confidence: {}", edge.confidence());
            if let Some(rationale) = edge.rationale() {
                out.push_str("    rationale: ");
                out.push_str(&double_quoted(rationale));
                out.push('\n');
            }
        }
        out
    }

    pub fn json(&self) -> String {
        let mut out = String::from("{\n  \"version\": 1,\n  \"nodes\": [");
        for (at, node) in self.nodes.iter().enumerate() {
            out.push_str(if at > 0 { ",\n    {\"id\": " } else { "\n    {\"id\": " });
            push_text(node.id(), &mut out);
            for (at, (key, value)) in node.properties().enumerate() {
                out.push_str(if at > 0 { ", " } else { ", \"props\": {" });
                push_text(key, &mut out);
                let _ = write!(out, ": {value}");
            }
            out.push_str(if node.properties().len() > 0 { "}}" } else { "}" });
        }
        out.push_str(if self.nodes.is_empty() {
            "],\n  \"edges\": ["
        } else {
            "\n  ],\n  \"edges\": ["
        });
        for (at, edge) in self.edges.iter().enumerate() {
            out.push_str(if at > 0 { ",\n    {" } else { "\n    {" });
            let (source, target) = (edge.source().id(), edge.target().id());
            let _ = write!(
                out,
                "\"source\": \"{source}\", \"target\": \"{target}\", \"type\": \"{}\"",
                edge.kind()
            );
            let _ = write!(out, ", \"confidence\": {}", edge.confidence());
            if let Some(rationale) = edge.rationale() {
                out.push_str(", \"rationale\": ");
                push_text(rationale, &mut out);
            }
            out.push('}');
        }
        out.push_str(if self.edges.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        out
    }
}

/// Writes a key without quotes if every YAML reader takes it for text.
fn push_key(key: &str, out: &mut String) {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_plain = key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        && key.len() < 100
        && !WORDS.contains(&key.to_ascii_lowercase().as_str());
    if is_plain {
        out.push_str(key)
    } else {
        out.push_str(&double_quoted(key))
    }
}

fn push_flow(value: &Json, out: &mut String) {
    match value {
        Json::Text(text) => out.push_str(&double_quoted(text)),
        Json::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                push_flow(item, out);
            }
            out.push(']');
        }
        Json::Object(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                out.push_str(&double_quoted(key));
                out.push_str(": ");
                push_flow(value, out);
            }
            out.push('}');
        }
        plain => plain.push(out),
    }
}
