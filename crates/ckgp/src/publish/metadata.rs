//! The metadata of a body (clause P3): tool, time, commit, and what the body leaves out.

use super::body::{Page, Source};
use super::nodes::Nodes;
use super::object::Object;
use super::{PARTIAL, VERSION};

/// Who a body says it was made by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    /// Lore.
    Lore,
    /// The only tool name that a format allows; another field has the real tool.
    Named(&'static str),
}

/// Writes the metadata as a field of the document, followed by a comma. Returns the offset of the stamp.
pub(super) fn write_metadata(
    out: &mut Vec<u8>,
    tool: Tool,
    format: &str,
    source: &Source<'_>,
    nodes: &Nodes<'_>,
    page: &Page,
) -> usize {
    out.extend_from_slice(b"\"metadata\":");
    let mut object = Object::begin(out);
    match tool {
        Tool::Lore => {
            object.text("tool", "lore");
            object.text("tool_version", VERSION);
        }
        Tool::Named(name) => {
            object.text("tool", name);
            object.text("tool_version", &format!("lore-{VERSION}"));
            object.text("generated_by", &format!("lore {VERSION}"));
        }
    }
    object.text("format", format);
    let stamp_at = object.fields(&source.stamp.fields());
    object.some_text("repository", source.repository.unwrap_or_default());
    object.some_texts("languages", nodes.languages().into_iter());
    write_counts(&mut object, nodes, page);
    object.end();
    out.extend_from_slice(b",\n");
    stamp_at
}

/// How much of the graph there is, what is missing and what was taken out.
fn write_counts(object: &mut Object<'_>, nodes: &Nodes<'_>, page: &Page) {
    let (kept, of) = (nodes.choice.counts(), nodes.choice.of);
    object.object("counts", |counts| {
        counts.number("files", kept.files as u64);
        counts.number("symbols", kept.symbols as u64);
        counts.number("edges", page.edges);
        if page.edges > kept.edges as u64 {
            // Where a format says by edges what a node stands in, those are of the body and not of the graph.
            counts.number("contains", page.edges - kept.edges as u64);
        }
        counts.number("unresolved", kept.unresolved as u64);
    });
    if nodes.choice.is_partial() {
        object.object("partial", |partial| {
            partial.text("reason", PARTIAL);
            let mut part = |name: &str, kept: usize, of: usize| {
                partial.object(name, |part| {
                    part.number("kept", kept as u64);
                    part.number("of", of as u64);
                });
            };
            part("files", kept.files, of.files);
            part("symbols", kept.symbols, of.symbols);
            part("edges", kept.edges, of.edges);
            part("unresolved", kept.unresolved, of.unresolved);
        });
    }
    let scrubbed = page.scrubbed();
    if scrubbed.total() > 0 {
        object.object("scrubbed", |object| {
            object.number("emails", scrubbed.emails);
            object.number("secrets", scrubbed.secrets);
            object.number("paths", scrubbed.paths);
        });
    }
}
