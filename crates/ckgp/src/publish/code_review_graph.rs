//! `code-review-graph@1`: numbered nodes and edges of a closed set of kinds, joined by qualified names, and statistics.

use std::collections::BTreeMap;

use lore_model::{Edge, EdgeKind, Resolution, Symbol, SymbolKind};

use super::body::{Page, Source, Writer};
use super::choose::Wanted;
use super::metadata::{Tool, write_metadata};
use super::nodes::{Node, Nodes};
use super::object::Object;
use super::percent;

/// Writes a body of `code-review-graph@1`.
#[derive(Default)]
pub(super) struct CodeReviewGraph {
    /// What nodes are called, files first, then symbols.
    names: Vec<String>,
    nodes_by_kind: BTreeMap<&'static str, u64>,
    edges_by_kind: BTreeMap<&'static str, u64>,
}

impl Writer for CodeReviewGraph {
    const CONTAINS: bool = true;
    /// Whatever lies outside is of none of its kinds.
    const WANTED: Wanted = Wanted {
        externals: false,
        unresolved: false,
    };

    fn rest(&mut self, nodes: &Nodes<'_>, page: &mut Page) {
        page.raw("\"nodes\":[");
        for (file, _) in nodes.files() {
            let (id, mut called) = (page.nodes + 1, String::new());
            page.node(|object, texts| {
                called = texts.path(file).into_owned();
                object.number("id", id);
                object.text("kind", "File");
                object.text("name", &texts.path(file));
                object.text("qualified_name", &texts.path(file));
                object.text("file_path", &texts.path(file));
                object.some_text("language", file.language());
                object.flag("is_test", file.is_test());
            });
            self.count_node("File");
            self.names.push(called);
        }
        for (symbol, _) in nodes.symbols() {
            self.symbol(symbol, nodes, page);
        }
        page.raw("\n],\n\"edges\":[");
        for (symbol, _) in nodes.symbols() {
            let ends = (
                self.name(nodes, nodes.owner(symbol)),
                self.name(nodes, Node::Symbol(symbol)),
            );
            if let (Some(owner), Some(member)) = ends {
                let id = page.edges + 1;
                page.contains(|object, texts| {
                    write_ends(object, id, "CONTAINS", owner, member);
                    object.text("file_path", &texts.path(symbol.file()));
                    object.some_number("line", symbol.place().line.get());
                    object.hundredths("confidence", 100);
                    object.text("confidence_tier", "EXTRACTED");
                });
                *self.edges_by_kind.entry("CONTAINS").or_default() += 1;
            }
        }
        for (edge, ..) in nodes.edges() {
            self.edge(edge, nodes, page);
        }
        page.raw("\n],\n\"stats\":");
        page.single(|object| {
            object.number("total_nodes", self.nodes_by_kind.values().sum());
            object.number("total_edges", self.edges_by_kind.values().sum());
            let mut by_kind = |key: &str, counts: &BTreeMap<&'static str, u64>| {
                object.object(key, |object| {
                    counts.iter().for_each(|(kind, count)| object.number(kind, *count));
                });
            };
            by_kind("nodes_by_kind", &self.nodes_by_kind);
            by_kind("edges_by_kind", &self.edges_by_kind);
            object.texts("languages", nodes.languages().into_iter());
            object.number("files_count", nodes.choice.files.len() as u64);
        });
        page.raw("}\n");
    }

    fn head(&self, source: &Source<'_>, nodes: &Nodes<'_>, page: &Page) -> (Vec<u8>, usize) {
        let mut out = b"{".to_vec();
        let tool = Tool::Named("code-review-graph");
        let stamp_at = write_metadata(&mut out, tool, "code-review-graph@1", source, nodes, page);
        (out, stamp_at)
    }
}

impl CodeReviewGraph {
    fn count_node(&mut self, kind: &'static str) {
        *self.nodes_by_kind.entry(kind).or_default() += 1;
    }

    fn name(&self, nodes: &Nodes<'_>, node: Node<'_>) -> Option<&str> {
        let place = nodes.place(node)?;
        self.names.get(place as usize).map(String::as_str)
    }

    fn symbol(&mut self, symbol: Symbol<'_>, nodes: &Nodes<'_>, page: &mut Page) {
        let (file, place, kind) = (symbol.file(), symbol.place(), node_kind(symbol.kind()));
        let (id, mut called) = (page.nodes + 1, String::new());
        page.node(|object, texts| {
            // As the tool itself has it: the file and the name in it.
            called = texts.joined(symbol, "::");
            object.number("id", id);
            object.text("kind", kind);
            object.text("name", &texts.name_of(symbol));
            object.text("qualified_name", &called);
            object.text("file_path", &texts.path(file));
            object.some_number("line_start", place.start_line.get());
            object.some_number("line_end", place.end_line.get());
            object.some_text("language", file.language());
            if let Node::Symbol(owner) = nodes.owner(symbol) {
                object.text("parent_name", &texts.name_of(owner));
            }
            object.some_text("signature", &texts.signature(symbol));
            object.flag("is_test", file.is_test() || symbol.kind() == SymbolKind::Test);
            object.text("lore_kind", symbol.kind().name());
        });
        self.count_node(kind);
        self.names.push(called);
    }

    fn edge(&mut self, edge: Edge<'_>, nodes: &Nodes<'_>, page: &mut Page) {
        let source = self.name(nodes, Node::Symbol(edge.source()));
        let target = edge.target().symbol();
        let target = target.and_then(|target| self.name(nodes, Node::Symbol(target)));
        let (Some(mut source), Some(mut target)) = (source, target) else {
            return;
        };
        let kind = edge_kind(edge.kind());
        // There what is tested leads to its test.
        if edge.kind() == EdgeKind::Tests {
            std::mem::swap(&mut source, &mut target);
        }
        let id = page.edges + 1;
        page.edge(|object, texts| {
            write_ends(object, id, kind, source, target);
            object.text("file_path", &texts.path(edge.file()));
            object.some_number("line", edge.lines().next().unwrap_or_default());
            object.hundredths("confidence", percent(edge.resolution()));
            object.text("confidence_tier", tier(edge.resolution()));
            object.text("lore_kind", edge.kind().name());
        });
        *self.edges_by_kind.entry(kind).or_default() += 1;
    }
}

fn write_ends(object: &mut Object<'_>, id: u64, kind: &str, source: &str, target: &str) {
    object.number("id", id);
    object.text("kind", kind);
    object.text("source", source);
    object.text("target", target);
}

/// Maps a kind to one of the five kinds of the format; the original kind is in another field.
fn node_kind(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Test => "Test",
        kind if kind.is_callable() => "Function",
        kind if kind.is_type() => "Class",
        _ => "Type",
    }
}

fn edge_kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Call | EdgeKind::Instantiates => "CALLS",
        EdgeKind::Extends => "INHERITS",
        EdgeKind::Implements => "IMPLEMENTS",
        EdgeKind::Import => "IMPORTS_FROM",
        EdgeKind::Overrides | EdgeKind::References | EdgeKind::Reads | EdgeKind::Writes => "REFERENCES",
        EdgeKind::Tests => "TESTED_BY",
    }
}

/// How sure an edge is, in the three steps of the format.
fn tier(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Exact | Resolution::Typed | Resolution::Declared => "EXTRACTED",
        Resolution::Flow | Resolution::Dispatch => "INFERRED",
        Resolution::Name => "AMBIGUOUS",
    }
}
