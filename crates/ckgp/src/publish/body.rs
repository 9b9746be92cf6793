//! The body of a format: the whole graph if it fits, else its most important part (clauses P4, P5, P7).

use std::borrow::Cow;
use std::collections::HashMap;

use lore_model::{CodeGraph, File, Symbol, truncate_chars};

use super::choose::{Choice, Counts, Limits, Sizes, Wanted};
use super::nodes::Nodes;
use super::object::Object;
use super::stamp::Stamp;
use crate::body::{MOST_BYTES, MOST_EDGES, MOST_LABEL, MOST_NODES};
use lore_base::scrub::{Scrubbed, Scrubber, UniqueNames, Wording, clean_qualified};
use lore_seam::{ErrorKind, OpError};

/// What a body is made of, whatever its format.
pub(super) struct Source<'g> {
    /// The graph.
    pub(super) graph: &'g CodeGraph,
    /// When and of which commit.
    pub(super) stamp: &'g Stamp,
    /// The address of the repository for people, if it is known.
    pub(super) repository: Option<&'g str>,
    /// The directory of the repository on this machine, if it is known.
    pub(super) root: Option<&'g str>,
    /// Whether texts are left as they are.
    pub(super) no_scrub: bool,
    /// How much a body may hold.
    pub(super) most: Most,
}

/// How much a body may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Most {
    /// Bytes of the document.
    pub(super) bytes: usize,
    /// Nodes.
    pub(super) nodes: usize,
    /// Edges.
    pub(super) edges: usize,
}

impl Default for Most {
    fn default() -> Self {
        Self {
            bytes: MOST_BYTES as usize,
            nodes: MOST_NODES,
            edges: MOST_EDGES,
        }
    }
}

/// A body, ready to be written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Body {
    /// The document.
    pub(super) bytes: Vec<u8>,
    /// The offset of its stamp.
    pub(super) stamp_at: usize,
    /// What was taken out of texts.
    pub(super) scrubbed: Scrubbed,
    /// What it holds and what there is, where that is more.
    pub(super) part: Option<(Counts, Counts)>,
    /// Nodes, as the format counts them.
    pub(super) nodes: u64,
    /// Edges, as the format counts them.
    pub(super) edges: u64,
}

/// How a format writes what was chosen.
pub(super) trait Writer: Default {
    /// Whether every node has an edge from its container.
    const CONTAINS: bool;
    /// What it has a place for.
    const WANTED: Wanted;

    /// Writes what follows the head: nodes, edges, the end of the document.
    fn rest(&mut self, nodes: &Nodes<'_>, page: &mut Page);

    /// Writes the head, which comes first and may tell of the rest; where its stamp begins.
    fn head(&self, source: &Source<'_>, nodes: &Nodes<'_>, page: &Page) -> (Vec<u8>, usize);
}

/// Room for the head: nothing of it grows with the graph but the names of its languages.
const HEAD: usize = 16 << 10;
/// How often a part is tried. The first is measured; the second is chosen by what was measured, and nearly always fits.
const TRIES: usize = 8;
/// Bytes that a part may turn out longer than it was measured.
const SLACK: usize = 1 << 10;

/// Makes a body.
pub(super) fn make<W: Writer>(source: &Source<'_>) -> Result<Body, OpError> {
    let most = source.most;
    let beside = if W::CONTAINS { most.nodes } else { 0 };
    let limits = Limits {
        nodes: most.nodes,
        edges: most.edges.saturating_sub(beside),
    };
    let mut choice = Choice::within(source.graph, W::WANTED, limits);
    let mut room = most.bytes.saturating_sub(HEAD);
    for _ in 0..TRIES {
        let nodes = Nodes::of(source.graph, &choice);
        let mut page = Page::new(most.bytes.saturating_sub(HEAD), source);
        let mut writer = W::default();
        writer.rest(&nodes, &mut page);
        if !page.is_full {
            let (mut bytes, stamp_at) = writer.head(source, &nodes, &page);
            bytes.append(&mut page.out);
            if bytes.len() <= most.bytes {
                return Ok(Body {
                    bytes,
                    stamp_at,
                    scrubbed: page.texts.scrubbed(),
                    part: choice.is_partial().then(|| (choice.counts(), choice.of)),
                    nodes: page.nodes,
                    edges: page.edges,
                });
            }
        }
        let frame = page.len.saturating_sub(page.sizes.total());
        let budget = room.saturating_sub(frame + SLACK);
        choice = choice.lighter(source.graph, &page.sizes, budget);
        if choice.files.is_empty() {
            break;
        }
        room = room / 20 * 19;
    }
    let message = format!("no part of the graph fits into {} bytes", most.bytes);
    Err(OpError::new(ErrorKind::Refused, message).hint("exclude files: `exclude` under [index] in lore.toml"))
}

/// The rest of a document while it is written. What does not fit is measured, and not kept.
pub(super) struct Page {
    out: Vec<u8>,
    most: usize,
    /// Bytes so far, whether they are kept or not.
    len: usize,
    /// Whether more was written than fits.
    is_full: bool,
    /// Whether a list has just begun.
    is_first: bool,
    sizes: Sizes,
    texts: Texts,
    /// Nodes so far.
    pub(super) nodes: u64,
    /// Edges so far.
    pub(super) edges: u64,
}

impl Page {
    fn new(most: usize, source: &Source<'_>) -> Self {
        Self {
            out: Vec::new(),
            most,
            len: 0,
            is_full: false,
            is_first: false,
            sizes: Sizes::default(),
            texts: Texts::new(source),
            nodes: 0,
            edges: 0,
        }
    }

    /// What was taken out of texts so far.
    pub(super) fn scrubbed(&self) -> Scrubbed {
        self.texts.scrubbed()
    }

    /// The separator between lists.
    pub(super) fn raw(&mut self, text: &str) {
        self.is_first = text.ends_with('[');
        self.append(|out, _| out.extend_from_slice(text.as_bytes()));
    }

    /// Appends, and gives how many bytes there were.
    fn append(&mut self, write: impl FnOnce(&mut Vec<u8>, &mut Texts)) -> u32 {
        let start = self.out.len();
        write(&mut self.out, &mut self.texts);
        let written = self.out.len() - start;
        self.len += written;
        self.is_full |= self.len > self.most;
        if self.is_full {
            self.out.clear();
        }
        written as u32
    }

    /// An object on a line of its own, in a list; how many bytes it takes.
    fn object(&mut self, write: impl FnOnce(&mut Object<'_>, &mut Texts)) -> u32 {
        let lead: &[u8] = if self.is_first { b"\n" } else { b",\n" };
        self.is_first = false;
        self.append(|out, texts| {
            out.extend_from_slice(lead);
            let mut object = Object::begin(out);
            write(&mut object, texts);
            object.end();
        })
    }

    /// An object outside of a list.
    pub(super) fn single(&mut self, write: impl FnOnce(&mut Object<'_>)) {
        self.append(|out, _| {
            let mut object = Object::begin(out);
            write(&mut object);
            object.end();
        });
    }

    /// A node.
    pub(super) fn node(&mut self, write: impl FnOnce(&mut Object<'_>, &mut Texts)) {
        let size = self.object(write);
        self.sizes.nodes.push(size);
        self.nodes += 1;
    }

    /// An edge of the graph.
    pub(super) fn edge(&mut self, write: impl FnOnce(&mut Object<'_>, &mut Texts)) {
        let size = self.object(write);
        self.sizes.edges.push(size);
        self.edges += 1;
    }

    /// An edge to the container of a symbol.
    pub(super) fn contains(&mut self, write: impl FnOnce(&mut Object<'_>, &mut Texts)) {
        let size = self.object(write);
        self.sizes.contains.push(size);
        self.edges += 1;
    }

    /// A call that leads nowhere known.
    pub(super) fn unresolved(&mut self, write: impl FnOnce(&mut Object<'_>, &mut Texts)) {
        let size = self.object(write);
        self.sizes.unresolved.push(size);
    }
}

/// Letters of a doc comment that are published.
const MOST_DOC: usize = 600;
/// Letters beyond those that are looked at: what was cut in two is not known for what it is.
const DOC_SLACK: usize = 1_000;

/// Texts as they may leave.
pub(super) struct Texts {
    scrubber: Scrubber,
    /// Qualified names and paths that scrubbing changed, none of which may be had twice.
    changed: UniqueNames,
    /// What became of the paths that it changed.
    paths: HashMap<String, String>,
}

impl Texts {
    /// Texts that are scrubbed, or not.
    pub(super) fn new(source: &Source<'_>) -> Self {
        let scrubber = if source.no_scrub {
            Scrubber::off()
        } else {
            Scrubber::below(source.root)
        };
        Self {
            scrubber,
            changed: UniqueNames::default(),
            paths: HashMap::new(),
        }
    }

    /// What was taken out so far.
    pub(super) fn scrubbed(&self) -> Scrubbed {
        self.scrubber.scrubbed
    }

    /// A name.
    pub(super) fn name<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        label(self.scrubber.scrub(text, Wording::of_name(text)))
    }

    /// The name of a symbol, its qualified name, or its kind: a graph with a nameless node cannot be opened.
    pub(super) fn name_of<'t>(&mut self, symbol: Symbol<'t>) -> Cow<'t, str> {
        let has_letters = |name: &str| !name.trim().is_empty();
        if has_letters(symbol.name()) {
            return self.name(symbol.name());
        }
        match symbol.qualified_name() {
            name if has_letters(&name) => Cow::Owned(self.name(&name).into_owned()),
            _ => self.name(symbol.kind().name()),
        }
    }

    /// A qualified name: of each owner what its name has lost is taken out of it too. Two that only that told apart are numbered, as two definitions of a name
    /// are.
    pub(super) fn qualified<'t>(&mut self, symbol: Symbol<'t>) -> Cow<'t, str> {
        let clean = match clean_qualified(symbol, &mut self.scrubber) {
            None => match label(symbol.qualified_name()) {
                Cow::Borrowed(text) => return Cow::Borrowed(text),
                Cow::Owned(short) => short,
            },
            Some(clean) => label(Cow::Owned(clean)).into_owned(),
        };
        Cow::Owned(self.changed.once(clean))
    }

    /// The path of a file. Paths that became equal by scrubbing get numbers.
    pub(super) fn path<'t>(&mut self, file: File<'t>) -> Cow<'t, str> {
        let path = file.path();
        if let Some(clean) = self.paths.get(path) {
            return Cow::Owned(clean.clone());
        }
        match self.scrubber.scrub(path, Wording::Name) {
            Cow::Borrowed(path) => Cow::Borrowed(path),
            Cow::Owned(clean) => {
                let clean = self.changed.once(clean);
                self.paths.insert(path.to_owned(), clean.clone());
                Cow::Owned(clean)
            }
        }
    }

    /// The declaration of a symbol.
    pub(super) fn signature<'t>(&mut self, symbol: Symbol<'t>) -> Cow<'t, str> {
        label(
            self.scrubber
                .scrub(symbol.signature(), Wording::of_language(symbol.file().language())),
        )
    }

    /// A decorator, or another piece of code.
    pub(super) fn code<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        label(self.scrubber.scrub(text, Wording::Code))
    }

    /// A line that people wrote.
    pub(super) fn prose<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        label(self.scrubber.scrub(text, Wording::Prose))
    }

    /// The paragraph of a doc comment that says what it is about, so far as it is short.
    pub(super) fn doc<'t>(&mut self, symbol: Symbol<'t>) -> Cow<'t, str> {
        let doc = symbol.doc();
        let summary = symbol.summary();
        let start = doc.find(summary).unwrap_or(0);
        let rest = doc.get(start..).unwrap_or_default().trim_start();
        let paragraph = rest.split("\n\n").next().unwrap_or_default().trim_end();
        let near = paragraph.char_indices().nth(MOST_DOC + DOC_SLACK);
        let near = near.and_then(|(end, _)| paragraph.get(..end)).unwrap_or(paragraph);
        shortened(self.scrubber.scrub(near, Wording::Prose), MOST_DOC)
    }

    /// A name that was put together of such texts.
    pub(super) fn joined(&mut self, symbol: Symbol<'_>, separator: &str) -> String {
        let path = self.path(symbol.file());
        let name = self.qualified(symbol);
        label(Cow::Owned(format!("{path}{separator}{name}"))).into_owned()
    }

    /// All of a file, however long.
    pub(super) fn whole<'t>(&mut self, text: &'t str, language: &str) -> Cow<'t, str> {
        self.scrubber.scrub(text, Wording::of_language(language))
    }
}

/// A text of at most as many letters as a label may have.
fn label(text: Cow<'_, str>) -> Cow<'_, str> {
    shortened(text, MOST_LABEL)
}

fn shortened(text: Cow<'_, str>, most: usize) -> Cow<'_, str> {
    // No text has more letters than bytes.
    if text.len() <= most || text.char_indices().nth(most).is_none() {
        return text;
    }
    Cow::Owned(truncate_chars(&text, most))
}

#[cfg(test)]
mod tests;
