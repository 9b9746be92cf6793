//! `gitnexus@1`: a graph of nodes with labels and properties, and links with types and confidences.

use lore_model::{EdgeKind, Symbol, SymbolKind};

use super::body::{Page, Source, Texts, Writer};
use super::choose::Wanted;
use super::metadata::{Tool, write_metadata};
use super::nodes::{Node, Nodes};
use super::object::Object;
use super::percent;

/// Writes a body of `gitnexus@1`.
#[derive(Default)]
pub(super) struct GitNexus;

impl Writer for GitNexus {
    const CONTAINS: bool = true;
    const WANTED: Wanted = Wanted {
        externals: true,
        unresolved: false,
    };

    fn rest(&mut self, nodes: &Nodes<'_>, page: &mut Page) {
        page.raw("\"graph\":{\n\"nodes\":[");
        for (file, id) in nodes.files() {
            page.node(|object, texts| {
                object.text("id", id);
                object.text("label", "File");
                object.object("properties", |properties| {
                    let path = texts.path(file);
                    properties.text("name", path.rsplit('/').next().unwrap_or_default());
                    properties.text("filePath", &texts.path(file));
                    properties.some_text("language", file.language());
                });
            });
        }
        for (symbol, id) in nodes.symbols() {
            page.node(|object, texts| write_symbol(object, texts, symbol, id));
        }
        for (name, id) in nodes.externals() {
            page.node(|object, texts| {
                object.text("id", id);
                object.text("label", "External");
                object.object("properties", |properties| properties.text("name", &texts.name(name)));
            });
        }
        page.raw("\n],\n\"links\":[");
        for (symbol, id) in nodes.symbols() {
            let owner = nodes.owner(symbol);
            let Some(owner_id) = nodes.id(owner) else {
                continue;
            };
            page.contains(|object, _| {
                object.text("source", owner_id);
                object.text("target", id);
                object.text("type", membership(owner, symbol.kind()));
                object.hundredths("confidence", 100);
            });
        }
        for (edge, source, target) in nodes.edges() {
            page.edge(|object, _| {
                object.text("source", source);
                object.text("target", target);
                object.text("type", link_type(edge.kind()));
                object.hundredths("confidence", percent(edge.resolution()));
                object.text("reason", edge.resolution().name());
                object.text("kind", edge.kind().name());
            });
        }
        page.raw("\n]}}\n");
    }

    fn head(&self, source: &Source<'_>, nodes: &Nodes<'_>, page: &Page) -> (Vec<u8>, usize) {
        let mut out = b"{".to_vec();
        let stamp_at = write_metadata(&mut out, Tool::Named("gitnexus"), "gitnexus@1", source, nodes, page);
        (out, stamp_at)
    }
}

fn write_symbol(object: &mut Object<'_>, texts: &mut Texts, symbol: Symbol<'_>, id: &str) {
    let place = symbol.place();
    object.text("id", id);
    object.text("label", label(symbol.kind()));
    object.object("properties", |properties| {
        properties.text("name", &texts.name_of(symbol));
        properties.text("kind", symbol.kind().name());
        if symbol.qualified_name() != symbol.name() {
            properties.text("qualifiedName", &texts.qualified(symbol));
        }
        properties.text("filePath", &texts.path(symbol.file()));
        properties.some_number("startLine", place.start_line.get());
        properties.some_number("endLine", place.end_line.get());
        properties.some_text("language", symbol.file().language());
        properties.some_text("description", &texts.prose(symbol.summary()));
    });
}

/// The nearest label; the original kind is among the properties.
fn label(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Function | SymbolKind::Test => "Function",
        SymbolKind::Method => "Method",
        SymbolKind::Constructor => "Constructor",
        SymbolKind::Class => "Class",
        SymbolKind::Struct => "Struct",
        SymbolKind::Enum => "Enum",
        SymbolKind::Trait => "Trait",
        SymbolKind::Interface => "Interface",
        SymbolKind::Module => "Module",
        SymbolKind::Namespace => "Namespace",
        SymbolKind::Constant | SymbolKind::EnumMember => "Const",
        SymbolKind::Static => "Static",
        SymbolKind::Field => "Property",
        SymbolKind::TypeAlias => "TypeAlias",
        SymbolKind::Macro => "Macro",
        SymbolKind::Section => "Section",
        SymbolKind::Key
        | SymbolKind::Table
        | SymbolKind::View
        | SymbolKind::Target
        | SymbolKind::Block
        | SymbolKind::Selector => "CodeElement",
    }
}

/// The type of the link between a symbol and its container.
fn membership(owner: Node<'_>, member: SymbolKind) -> &'static str {
    match (owner, member) {
        (Node::File(_), _) => "DEFINES",
        (_, SymbolKind::Method | SymbolKind::Constructor) => "HAS_METHOD",
        (_, SymbolKind::Field) => "HAS_PROPERTY",
        _ => "CONTAINS",
    }
}

fn link_type(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Call | EdgeKind::Instantiates => "CALLS",
        EdgeKind::Extends => "EXTENDS",
        EdgeKind::Implements => "IMPLEMENTS",
        EdgeKind::Overrides => "METHOD_OVERRIDES",
        EdgeKind::Import => "IMPORTS",
        EdgeKind::References => "USES",
        EdgeKind::Reads | EdgeKind::Writes => "ACCESSES",
        EdgeKind::Tests => "TESTS",
    }
}
