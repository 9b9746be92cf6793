//! `understand-anything@1`: nodes of five kinds with labels, and edges of any kind.

use lore_model::{EdgeKind, Symbol, SymbolKind};

use super::body::{Page, Source, Texts, Writer};
use super::choose::Wanted;
use super::metadata::{Tool, write_metadata};
use super::nodes::Nodes;
use super::object::Object;
use super::percent;

/// Writes a body of `understand-anything@1`.
#[derive(Default)]
pub(super) struct UnderstandAnything;

impl Writer for UnderstandAnything {
    const CONTAINS: bool = true;
    const WANTED: Wanted = Wanted {
        externals: true,
        unresolved: false,
    };

    fn rest(&mut self, nodes: &Nodes<'_>, page: &mut Page) {
        page.raw("\"nodes\":[");
        for (file, id) in nodes.files() {
            page.node(|object, texts| {
                object.text("id", id);
                object.text("kind", "file");
                object.text("label", &texts.path(file));
                object.text("filePath", &texts.path(file));
                object.some_text("language", file.language());
            });
        }
        for (symbol, id) in nodes.symbols() {
            page.node(|object, texts| write_symbol(object, texts, symbol, id));
        }
        for (name, id) in nodes.externals() {
            page.node(|object, texts| {
                object.text("id", id);
                object.text("kind", "concept");
                object.text("label", &texts.name(name));
                object.text("type", "external");
            });
        }
        page.raw("\n],\n\"edges\":[");
        for (symbol, id) in nodes.symbols() {
            let Some(owner) = nodes.id(nodes.owner(symbol)) else {
                continue;
            };
            page.contains(|object, _| {
                object.text("from", owner);
                object.text("to", id);
                object.text("kind", "contains");
            });
        }
        for (edge, source, target) in nodes.edges() {
            page.edge(|object, _| {
                object.text("from", source);
                object.text("to", target);
                object.text("kind", edge_kind(edge.kind()));
                object.hundredths("weight", percent(edge.resolution()));
            });
        }
        page.raw("\n]}\n");
    }

    fn head(&self, source: &Source<'_>, nodes: &Nodes<'_>, page: &Page) -> (Vec<u8>, usize) {
        let mut out = b"{".to_vec();
        let tool = Tool::Named("understand-anything");
        let stamp_at = write_metadata(&mut out, tool, "understand-anything@1", source, nodes, page);
        (out, stamp_at)
    }
}

fn write_symbol(object: &mut Object<'_>, texts: &mut Texts, symbol: Symbol<'_>, id: &str) {
    let place = symbol.place();
    object.text("id", id);
    object.text("kind", node_kind(symbol.kind()));
    object.text("label", &texts.name_of(symbol));
    object.text("type", symbol.kind().name());
    if symbol.qualified_name() != symbol.name() {
        object.text("qualifiedName", &texts.qualified(symbol));
    }
    object.text("filePath", &texts.path(symbol.file()));
    object.some_numbers("lineRange", [place.start_line.get(), place.end_line.get()].into_iter());
    object.some_text("summary", &texts.prose(symbol.summary()));
}

/// Maps a kind to one of the five kinds of the format; the original kind is in another field.
fn node_kind(kind: SymbolKind) -> &'static str {
    match kind {
        kind if kind.is_callable() => "function",
        kind if kind.is_type() => "class",
        SymbolKind::Module | SymbolKind::Namespace => "module",
        _ => "concept",
    }
}

fn edge_kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Call => "calls",
        EdgeKind::Extends => "inherits",
        EdgeKind::Implements => "implements",
        EdgeKind::Overrides => "overrides",
        EdgeKind::Import => "imports",
        EdgeKind::Instantiates => "instantiates",
        EdgeKind::References => "references",
        EdgeKind::Reads => "reads_from",
        EdgeKind::Tests => "tests",
        EdgeKind::Writes => "writes_to",
    }
}
