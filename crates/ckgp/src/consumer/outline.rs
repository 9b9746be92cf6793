//! The summary of a body: kinds of nodes, files, and the nodes with the most references (C8: names are cleaned, lists are cut).

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::graph::{Edge, Item, Node, each_item};
use super::untrusted;
use lore_base::json::JsonError;

/// Files that are shown.
const MOST_FILES: usize = 20;
/// Nodes that are shown.
const MOST_TOP: usize = 20;
/// Kinds that are shown.
const MOST_KINDS: usize = 20;
/// Kinds of nodes that everything hangs on without being of interest.
const FRAMES: &[&str] = &[
    "file",
    "module",
    "external",
    "folder",
    "project",
    "directory",
    "package",
    "namespace",
];

/// The summary of a graph
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// Kinds of nodes, the most frequent first
    pub kinds: Vec<Counted>,
    /// Kinds of edges, the most frequent first
    pub edge_kinds: Vec<Counted>,
    /// How many files contain nodes
    pub files: usize,
    /// The files with the most nodes
    pub largest_files: Vec<Counted>,
    /// The nodes with the most incoming edges
    pub top: Vec<GraphNode>,
}

/// A name and its count
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Counted {
    /// The name
    pub name: String,
    /// The count
    pub count: u64,
}

/// A node
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNode {
    /// Its id, as edges name it
    pub id: String,
    /// Facts about the graph
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its name
    #[schemars(extend("x-agents" = "untrusted"))]
    pub name: String,
    /// The file that it is in
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Incoming edges
    #[serde(skip_serializing_if = "is_zero")]
    pub incoming: u64,
    /// Outgoing edges
    #[serde(skip_serializing_if = "is_zero")]
    pub outgoing: u64,
}

impl GraphNode {
    /// It in a line for people.
    pub(super) fn line_of_text(&self) -> String {
        let mut text = self.name.clone();
        for part in [&self.kind, &self.id]
            .into_iter()
            .filter(|part| !part.is_empty() && **part != self.name)
        {
            text.push_str("  ");
            text.push_str(part);
        }
        if let Some(file) = self.file.as_ref().filter(|file| **file != self.name) {
            text.push_str(&format!("  {file}"));
            if let Some(line) = self.line {
                text.push_str(&format!(":{line}"));
            }
        }
        match (self.incoming, self.outgoing) {
            (0, 0) => text,
            (incoming, outgoing) => format!("{text}  {incoming} in, {outgoing} out"),
        }
    }
}

/// An edge
#[derive(Serialize, JsonSchema, Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphEdge {
    /// The source node
    pub source: String,
    /// Its kind
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The target node
    pub target: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// All of a body, with its edges counted at their ends.
pub struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    edges: Vec<Edge<'a>>,
    /// Nodes by all names that edges have for them.
    places: HashMap<Cow<'a, str>, usize>,
    /// Edges that come in and go out, by node.
    degrees: Vec<(u64, u64)>,
}

impl<'a> Graph<'a> {
    /// Reads a body that was found to be good.
    pub fn read(bytes: &'a [u8]) -> Result<Self, JsonError> {
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        each_item(bytes, &mut |item| match item {
            Item::Node(node) => nodes.push(node),
            Item::Edge(edge) => edges.push(edge),
        })?;
        let mut places = HashMap::with_capacity(nodes.len());
        for (at, node) in nodes.iter().enumerate() {
            for name in node.alias.iter().chain([&node.id]) {
                places.insert(name.clone(), at);
            }
        }
        let mut degrees = vec![(0, 0); nodes.len()];
        for edge in &edges {
            if let Some((incoming, _)) = places.get(&edge.target).and_then(|at| degrees.get_mut(*at)) {
                *incoming += 1;
            }
            if let Some((_, outgoing)) = places.get(&edge.source).and_then(|at| degrees.get_mut(*at)) {
                *outgoing += 1;
            }
        }
        Ok(Self {
            nodes,
            edges,
            places,
            degrees,
        })
    }

    /// The body in short.
    pub fn outline(&self) -> Outline {
        let files = counted(self.nodes.iter().filter_map(|node| self.path(node)), usize::MAX);
        Outline {
            kinds: counted(self.nodes.iter().map(|node| node.kind.as_ref()), MOST_KINDS),
            edge_kinds: counted(self.edges.iter().map(|edge| edge.kind.as_ref()), MOST_KINDS),
            files: files.len(),
            largest_files: files.into_iter().take(MOST_FILES).collect(),
            top: self.top(),
        }
    }

    /// Those nodes that most referenced, without what merely holds others.
    fn top(&self) -> Vec<GraphNode> {
        let is_frame = |node: &Node<'_>| FRAMES.iter().any(|frame| node.kind.eq_ignore_ascii_case(frame));
        let mut top: Vec<usize> = (0..self.nodes.len())
            .filter(|at| self.degrees.get(*at).is_some_and(|degrees| *degrees != (0, 0)))
            .filter(|at| self.nodes.get(*at).is_some_and(|node| !is_frame(node)))
            .collect();
        let rank = |at: &usize| {
            let (incoming, outgoing) = self.degrees.get(*at).copied().unwrap_or_default();
            (Reverse(incoming), Reverse(outgoing), *at)
        };
        top.sort_by_key(rank);
        top.into_iter().take(MOST_TOP).filter_map(|at| self.node(at)).collect()
    }

    /// The nodes that a test admits, in the order of the body.
    pub fn nodes(&self, admits: &dyn Fn(&GraphNode) -> bool) -> impl Iterator<Item = GraphNode> {
        (0..self.nodes.len())
            .filter_map(|at| self.node(at))
            .filter(move |node| admits(node))
    }

    /// The names, kinds and numbers of all nodes, as they are.
    pub fn names(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(at, node)| (at, node.name.as_ref(), node.kind.as_ref()))
    }

    /// The edges, in the order of the body; those of one node if it is named.
    pub fn edges(&self, of: Option<&str>) -> impl Iterator<Item = GraphEdge> {
        let of = of.and_then(|name| self.places.get(name));
        let is_meant = move |edge: &&Edge<'_>| {
            let at = |name: &str| self.places.get(name);
            of.is_none() || at(&edge.source) == of || at(&edge.target) == of
        };
        self.edges.iter().filter(is_meant).map(|edge| GraphEdge {
            source: untrusted::name(&edge.source),
            kind: untrusted::name(&edge.kind),
            target: untrusted::name(&edge.target),
        })
    }

    /// The files that nodes stand in, by path.
    pub fn files(&self) -> Vec<Counted> {
        let mut files = counted(self.nodes.iter().filter_map(|node| self.path(node)), usize::MAX);
        files.sort();
        files
    }

    /// Whether edges have a name for a node.
    pub fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// A node, by its number.
    pub fn node(&self, at: usize) -> Option<GraphNode> {
        let node = self.nodes.get(at)?;
        let (incoming, outgoing) = self.degrees.get(at).copied().unwrap_or_default();
        Some(GraphNode {
            id: untrusted::name(&node.id),
            kind: untrusted::name(&node.kind),
            name: untrusted::name(&node.name),
            file: self.path(node).map(untrusted::name),
            line: node.line,
            incoming,
            outgoing,
        })
    }

    /// The path of the file that a node is in, whether the node names the path or the node of the file.
    fn path<'g>(&'g self, node: &'g Node<'a>) -> Option<&'g str> {
        let file = node.file.as_ref()?;
        let named = self.places.get(file).and_then(|at| self.nodes.get(*at));
        match named.and_then(|named| named.file.as_deref()) {
            Some(path) => Some(path),
            None => Some(file),
        }
    }
}

/// How often each text is there: most first, then by name; cleaned, and at most so many.
fn counted<'t>(texts: impl Iterator<Item = &'t str>, most: usize) -> Vec<Counted> {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for text in texts.filter(|text| !text.is_empty()) {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(name, count)| (Reverse(*count), *name));
    let counts = counts.into_iter().take(most);
    counts
        .map(|(name, count)| Counted {
            name: untrusted::name(name),
            count,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = r#"{"nodes":[
        {"id":"f1","kind":"file","path":"a.py"},{"id":"f2","kind":"file","path":"b.py"},
        {"id":"s1","kind":"function","name":"one","file":"f1","line":3},
        {"id":"s2","kind":"function","name":"two\u202e","file":"f1","line":9},
        {"id":"s3","kind":"class","name":"Three","file":"f2"},
        {"id":"x","kind":"external","name":"os"}],
      "edges":[{"source":"s1","target":"s2","kind":"call"},{"source":"s3","target":"s2","kind":"call"},
        {"source":"s2","target":"s3","kind":"use"},{"source":"s1","target":"x","kind":"call"},{"source":"s1","target":"nowhere","kind":"call"}]}"#;

    #[test]
    fn c8_a_body_in_short_names_kinds_files_and_what_others_lead_to() {
        let graph = Graph::read(BODY.as_bytes()).unwrap();
        let outline = graph.outline();
        let shown = |counted: &[Counted]| {
            let texts: Vec<String> = counted
                .iter()
                .map(|one| format!("{} {}", one.count, one.name))
                .collect();
            texts.join(", ")
        };
        assert_eq!(shown(&outline.kinds), "2 file, 2 function, 1 class, 1 external");
        assert_eq!(shown(&outline.edge_kinds), "4 call, 1 use");
        assert_eq!(outline.files, 2);
        assert_eq!(shown(&outline.largest_files), "3 a.py, 2 b.py");
        let top: Vec<String> = outline
            .top
            .iter()
            .map(|node| format!("{} {} {}", node.name, node.incoming, node.outgoing))
            .collect();
        assert_eq!(top, ["two 2 1", "Three 1 1", "one 0 3"]);
        assert_eq!(
            (outline.top[0].file.as_deref(), outline.top[0].line),
            (Some("a.py"), Some(9))
        );
        assert_eq!(graph.edges(Some("s3")).count(), 2);
        assert_eq!(graph.edges(None).count(), 5);
        assert_eq!(graph.nodes(&|node| node.kind == "class").count(), 1);
        assert!(graph.has("s1") && !graph.has("nowhere"));
    }
}
