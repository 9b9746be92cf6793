//! `ccg@1`: the code graph as node-link JSON. Its nodes and edges are lists at the top, so that the same file is a body of `generic@1`.

use lore_model::{EdgeMarks, File, FileImport, Symbol, Visibility};

use super::body::{Page, Source, Texts, Writer};
use super::choose::Wanted;
use super::metadata::{Tool, write_metadata};
use super::nodes::Nodes;
use super::object::Object;

/// Writes a body of `ccg@1`.
#[derive(Default)]
pub(super) struct Ccg;

impl Writer for Ccg {
    const CONTAINS: bool = false;
    const WANTED: Wanted = Wanted {
        externals: true,
        unresolved: true,
    };

    fn rest(&mut self, nodes: &Nodes<'_>, page: &mut Page) {
        page.raw("\"nodes\":[");
        for (file, id) in nodes.files() {
            page.node(|object, texts| write_file(object, texts, nodes, file, id));
        }
        for (symbol, id) in nodes.symbols() {
            page.node(|object, texts| write_symbol(object, texts, nodes, symbol, id));
        }
        for (name, id) in nodes.externals() {
            page.node(|object, texts| {
                object.text("id", id);
                object.text("kind", "external");
                object.text("name", &texts.name(name));
            });
        }
        page.raw("\n],\n\"edges\":[");
        for (edge, source, target) in nodes.edges() {
            page.edge(|object, _| {
                object.text("source", source);
                object.text("target", target);
                object.text("kind", edge.kind().name());
                object.text("resolution", edge.resolution().name());
                if edge.marks() != EdgeMarks::NAMED {
                    object.texts("marks", edge.marks().names());
                }
                if edge.file_id() != edge.source().file_id() {
                    object.some_text("file", nodes.file(edge.file_id()).unwrap_or_default());
                }
                object.some_numbers("lines", edge.lines().filter(|line| *line > 0));
            });
        }
        page.raw("\n],\n\"unresolved\":[");
        for (source, line, name) in nodes.unresolved() {
            page.unresolved(|object, texts| {
                object.text("source", source);
                object.some_number("line", line);
                object.text("name", &texts.name(name));
            });
        }
        page.raw("\n]}\n");
    }

    fn head(&self, source: &Source<'_>, nodes: &Nodes<'_>, page: &Page) -> (Vec<u8>, usize) {
        let mut out = b"{\"directed\":true,\"multigraph\":true,\n".to_vec();
        let stamp_at = write_metadata(&mut out, Tool::Lore, "ccg@1", source, nodes, page);
        (out, stamp_at)
    }
}

fn write_file(object: &mut Object<'_>, texts: &mut Texts, nodes: &Nodes<'_>, file: File<'_>, id: &str) {
    let lines = file.lines();
    object.text("id", id);
    object.text("kind", "file");
    object.text("path", &texts.path(file));
    object.some_text("language", file.language());
    object.number("bytes", u64::from(file.bytes()));
    object.number("code", u64::from(lines.code.get()));
    object.number("comment", u64::from(lines.comment.get()));
    object.number("blank", u64::from(lines.blank.get()));
    object.text("hash", &file.hash().to_string());
    object.flag("test", file.is_test());
    let module = file.module().and_then(|module| nodes.symbol(module.id()));
    object.some_text("module", module.unwrap_or_default());
    let mut imports = file.imports().peekable();
    if imports.peek().is_some() {
        object.list("imports", imports, |out, import| {
            write_import(Object::begin(out), texts, import)
        });
    }
}

fn write_import(mut object: Object<'_>, texts: &mut Texts, import: FileImport<'_>) {
    object.some_text("module", &texts.name(import.module));
    object.some_text("name", &texts.name(import.name));
    object.some_text("local", &texts.name(import.local));
    object.some_text("handed_on", &texts.name(import.handed_on));
    object.some_number("line", import.line);
    object.flag("reexport", import.reexport);
    object.flag("type_only", import.type_only);
    object.flag("declares", import.declares);
    object.end();
}

fn write_symbol(object: &mut Object<'_>, texts: &mut Texts, nodes: &Nodes<'_>, symbol: Symbol<'_>, id: &str) {
    let place = symbol.place();
    let (line, start, end) = (place.line.get(), place.start_line.get(), place.end_line.get());
    object.text("id", id);
    object.text("kind", symbol.kind().name());
    object.text("name", &texts.name_of(symbol));
    if symbol.qualified_name() != symbol.name() {
        object.text("qualified_name", &texts.qualified(symbol));
    }
    object.some_text("file", nodes.file(symbol.file_id()).unwrap_or_default());
    let parent = symbol.parent().and_then(|parent| nodes.symbol(parent.id()));
    object.some_text("parent", parent.unwrap_or_default());
    object.some_number("line", line);
    if place.column.get() != 1 {
        object.some_number("column", place.column.get());
    }
    if start != line {
        object.some_number("start_line", start);
    }
    object.some_number("end_line", end);
    object.some_text("signature", &texts.signature(symbol));
    object.some_text("doc", &texts.doc(symbol));
    if symbol.visibility() != Visibility::Public {
        object.text("visibility", symbol.visibility().name());
    }
    object.some_texts("modifiers", symbol.modifiers().iter().map(lore_model::Modifier::name));
    object.some_number("complexity", symbol.complexity().unwrap_or_default());
    object.some_texts("decorators", symbol.decorators().map(|text| texts.code(text)));
    object.flag("local", symbol.is_local());
    object.flag("anonymous", symbol.is_anonymous());
    object.flag("entry_point", symbol.is_entry_point());
    object.flag("declared", symbol.is_declared());
}

#[cfg(test)]
mod tests;
