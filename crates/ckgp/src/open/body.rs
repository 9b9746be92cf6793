//! A body of `ccg@1` → rows. The document is read twice, first for the places of its parts and then for their content, without a tree.
//!
//! Unknown members are skipped (clause J2), and the last of several members with one name counts (clause S6). Unknown kinds
//! come from a later version of Lore, since a format may only grow within one number (clause V1): they are left out and counted.

use std::borrow::Cow;
use std::collections::HashMap;

use lore_model::{
    ContentHash, DefinitionFlags, EdgeKind, EdgeMarks, ImportFlags, Modifier, Resolution, SymbolKind, Visibility,
};

use super::about::{About, Partial, Share};
use super::rows::{EdgeDraft, FileDraft, GraphRows, ImportDraft, SymbolDraft, Target, UnresolvedDraft, shown};
use super::{Document, OpenFault, Opened};
use crate::body::{MOST_BYTES, MOST_DEPTH, MOST_EDGES, MOST_NODES};
use crate::consumer::untrusted::clean;
use crate::format::Commit;
use lore_base::digest::from_hex;
use lore_base::json::{JsonError, JsonReader, Kind};

/// The format that is opened, as a body names it.
pub const FORMAT: &str = "ccg@1";
/// Lines of an edge that are read.
const MOST_LINES: usize = 4_000_000;
/// Bytes of a piece of metadata.
const MOST_WORDS: usize = 1_000;

/// Makes a code graph of a body.
pub(super) fn open(bytes: &[u8]) -> Result<Opened, OpenFault> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(OpenFault::Oversize(bytes.len() as u64));
    }
    let parts = Parts::find(bytes)?;
    let mut about = match parts.metadata {
        Some(reader) => metadata(reader)?,
        None => Metadata::default(),
    };
    match about.format.as_deref() {
        Some(FORMAT) => {}
        other => return Err(OpenFault::Format(other.map(shown))),
    }
    let (Some(nodes), Some(edges)) = (parts.nodes, parts.edges) else {
        return Err(OpenFault::Missing);
    };
    let mut body = Body::default();
    body.nodes(nodes)?;
    body.join()?;
    body.edges(edges)?;
    if let Some(unresolved) = parts.unresolved {
        body.unresolved(unresolved)?;
    }
    about.about.unknown = body.unknown;
    Ok(Opened {
        snapshot: body.rows.snapshot()?,
        about: about.about,
    })
}

/// What a document is, without opening it.
pub(super) fn document(bytes: &[u8]) -> Document {
    let Ok(parts) = Parts::find(bytes) else {
        return Document::NoGraph;
    };
    let format = parts.metadata.and_then(|reader| metadata(reader).ok()?.format);
    let is_list = |reader: Option<JsonReader<'_>>| reader.is_some_and(|mut reader| reader.peek() == Ok(Kind::Array));
    let is_graph = is_list(parts.nodes) && (is_list(parts.edges) || parts.has_links) || parts.has_graph;
    match (format.as_deref(), is_graph) {
        (Some(FORMAT), _) => Document::Body,
        (_, true) => Document::OtherGraph(format.as_deref().map(shown)),
        (_, false) => Document::NoGraph,
    }
}

/// Where the parts of a document stand: a reader before the value of each.
#[derive(Default)]
struct Parts<'a> {
    metadata: Option<JsonReader<'a>>,
    nodes: Option<JsonReader<'a>>,
    edges: Option<JsonReader<'a>>,
    unresolved: Option<JsonReader<'a>>,
    /// Whether there is a list of edges under another name.
    has_links: bool,
    /// Whether an object wraps nodes and links.
    has_graph: bool,
}

impl<'a> Parts<'a> {
    fn find(bytes: &'a [u8]) -> Result<Self, JsonError> {
        let mut reader = JsonReader::new(bytes, MOST_DEPTH)?;
        let mut parts = Self::default();
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            let part = match &*key.read() {
                "metadata" => Some(&mut parts.metadata),
                "nodes" => Some(&mut parts.nodes),
                "edges" => Some(&mut parts.edges),
                "unresolved" => Some(&mut parts.unresolved),
                _ => None,
            };
            if let Some(part) = part {
                *part = Some(reader.clone());
            }
            parts.has_links |= key.is("links") || key.is("relationships");
            if key.is("graph") && has_nodes(reader.clone())? {
                parts.has_graph = true;
            }
            reader.skip_value()?;
        }
        reader.end()?;
        Ok(parts)
    }
}

/// Whether an object comes that has nodes and links in it.
fn has_nodes(mut reader: JsonReader<'_>) -> Result<bool, JsonError> {
    let (mut nodes, mut links) = (false, false);
    if begins(&mut reader)? {
        while let Some(key) = reader.next_key()? {
            let is_list = reader.peek()? == Kind::Array;
            nodes |= is_list && key.is("nodes");
            links |= is_list && key.is("links");
            reader.skip_value()?;
        }
    }
    Ok(nodes && links)
}

/// What the metadata say.
#[derive(Default)]
struct Metadata {
    format: Option<String>,
    about: About,
}

fn metadata(mut reader: JsonReader<'_>) -> Result<Metadata, JsonError> {
    let mut found = Metadata::default();
    let about = &mut found.about;
    if reader.peek()? != Kind::Object {
        return Ok(found);
    }
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        match &*key.read() {
            "format" => found.format = words(&mut reader)?,
            "repository" => about.repository = words(&mut reader)?,
            "commit" => {
                let commit = words(&mut reader)?;
                about.commit = commit
                    .and_then(|text| Commit::parse(&text))
                    .map(|commit| commit.to_string());
            }
            "dirty" => about.dirty = flag(&mut reader)?,
            "tool" => about.tool = words(&mut reader)?,
            "tool_version" => about.tool_version = words(&mut reader)?,
            "generated_at" => about.generated_at = words(&mut reader)?,
            "partial" => about.partial = partial(&mut reader)?,
            _ => drop(reader.skip_value()?),
        }
    }
    Ok(found)
}

fn partial(reader: &mut JsonReader<'_>) -> Result<Option<Partial>, JsonError> {
    if !begins(reader)? {
        return Ok(None);
    }
    let mut found = Partial::default();
    while let Some(key) = reader.next_key()? {
        match &*key.read() {
            "reason" => found.reason = words(reader)?.unwrap_or_default(),
            "files" => found.files = share(reader)?,
            "symbols" => found.symbols = share(reader)?,
            "edges" => found.edges = share(reader)?,
            _ => drop(reader.skip_value()?),
        }
    }
    Ok(Some(found))
}

fn share(reader: &mut JsonReader<'_>) -> Result<Option<Share>, JsonError> {
    if !begins(reader)? {
        return Ok(None);
    }
    let mut found = Share::default();
    while let Some(key) = reader.next_key()? {
        match &*key.read() {
            "kept" => found.kept = reader.number()?.as_u64().unwrap_or_default(),
            "of" => found.of = reader.number()?.as_u64().unwrap_or_default(),
            _ => drop(reader.skip_value()?),
        }
    }
    Ok(Some(found))
}

/// Whether an object begins, which is begun then; anything else is passed over.
fn begins(reader: &mut JsonReader<'_>) -> Result<bool, JsonError> {
    match reader.peek()? {
        Kind::Object => reader.begin_object().map(|()| true),
        _ => reader.skip_value().map(|_| false),
    }
}

/// A short text; anything else is passed over.
fn words(reader: &mut JsonReader<'_>) -> Result<Option<String>, JsonError> {
    match reader.peek()? {
        Kind::Text => {
            let text = reader.text()?;
            Ok((!text.is_longer_than(MOST_WORDS)).then(|| clean(&text.read(), MOST_WORDS)))
        }
        _ => reader.skip_value().map(|_| None),
    }
}

/// `true`; anything else is not.
fn flag(reader: &mut JsonReader<'_>) -> Result<bool, JsonError> {
    match reader.peek()? {
        Kind::Bool => reader.boolean(),
        _ => reader.skip_value().map(|_| false),
    }
}

/// A text, or `None` for `null`.
fn text<'a>(reader: &mut JsonReader<'a>) -> Result<Cow<'a, str>, JsonError> {
    match reader.peek()? {
        Kind::Null => reader.null().map(|()| Cow::default()),
        _ => reader.text().map(|text| text.read()),
    }
}

/// A number of a row; what is too large is the largest.
fn number(reader: &mut JsonReader<'_>) -> Result<u32, JsonError> {
    match reader.peek()? {
        Kind::Null => reader.null().map(|()| 0),
        _ => {
            let number = reader.number()?.as_u64().unwrap_or_default();
            Ok(u32::try_from(number).unwrap_or(u32::MAX - 1))
        }
    }
}

/// Passes the items of a list to a callback; `null` has none.
fn items<'a>(
    reader: &mut JsonReader<'a>,
    mut item: impl FnMut(&mut JsonReader<'a>) -> Result<(), OpenFault>,
) -> Result<(), OpenFault> {
    if reader.peek()? == Kind::Null {
        return Ok(reader.null()?);
    }
    reader.begin_array()?;
    while reader.next_item()? {
        item(reader)?;
    }
    Ok(())
}

/// The object of an id.
#[derive(Clone, Copy)]
enum Meant {
    File(u32),
    Symbol(u32),
    External(u32),
    /// Something of a kind that is not known.
    Unknown,
}

/// What a node says that leads to other nodes, until all of them are read.
enum Joint<'a> {
    /// The module of a file.
    Module(u32, Cow<'a, str>),
    /// The file of a symbol.
    File(u32, Cow<'a, str>),
    /// The parent of a symbol.
    Parent(u32, Cow<'a, str>),
}

#[derive(Default)]
struct Body<'a> {
    rows: GraphRows<'a>,
    ids: HashMap<Cow<'a, str>, Meant>,
    joints: Vec<Joint<'a>>,
    unknown: u64,
}

/// A node as it is written.
#[derive(Default)]
struct Node<'a> {
    id: Cow<'a, str>,
    kind: Cow<'a, str>,
    name: Cow<'a, str>,
    qualified_name: Option<Cow<'a, str>>,
    file: Option<Cow<'a, str>>,
    parent: Option<Cow<'a, str>>,
    module: Option<Cow<'a, str>>,
    path: Cow<'a, str>,
    language: Cow<'a, str>,
    hash: Cow<'a, str>,
    bytes: u32,
    lines: [u32; 3],
    test: bool,
    imports: Vec<ImportDraft<'a>>,
    line: Option<u32>,
    column: Option<u32>,
    start_line: Option<u32>,
    end_line: Option<u32>,
    signature: Cow<'a, str>,
    doc: Cow<'a, str>,
    visibility: Option<Cow<'a, str>>,
    modifiers: Vec<Cow<'a, str>>,
    decorators: Vec<Cow<'a, str>>,
    complexity: u32,
    flags: u8,
}

impl<'a> Node<'a> {
    fn read(reader: &mut JsonReader<'a>) -> Result<Self, OpenFault> {
        let mut node = Self::default();
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            match &*key.read() {
                "id" => node.id = text(reader)?,
                "kind" => node.kind = text(reader)?,
                "name" => node.name = text(reader)?,
                "qualified_name" => node.qualified_name = some(text(reader)?),
                "file" => node.file = some(text(reader)?),
                "parent" => node.parent = some(text(reader)?),
                "module" => node.module = some(text(reader)?),
                "path" => node.path = text(reader)?,
                "language" => node.language = text(reader)?,
                "hash" => node.hash = text(reader)?,
                "bytes" => node.bytes = number(reader)?,
                "code" => node.lines[0] = number(reader)?,
                "comment" => node.lines[1] = number(reader)?,
                "blank" => node.lines[2] = number(reader)?,
                "test" => node.test = flag(reader)?,
                "imports" => {
                    node.imports.clear();
                    items(reader, |reader| {
                        node.imports.push(import(reader)?);
                        Ok(())
                    })?;
                }
                "line" => node.line = Some(number(reader)?),
                "column" => node.column = Some(number(reader)?),
                "start_line" => node.start_line = Some(number(reader)?),
                "end_line" => node.end_line = Some(number(reader)?),
                "signature" => node.signature = text(reader)?,
                "doc" => node.doc = text(reader)?,
                "visibility" => node.visibility = some(text(reader)?),
                "modifiers" => node.modifiers = texts(reader)?,
                "decorators" => node.decorators = texts(reader)?,
                "complexity" => node.complexity = number(reader)?,
                "local" => node.set(DefinitionFlags::LOCAL, flag(reader)?),
                "anonymous" => node.set(DefinitionFlags::ANONYMOUS, flag(reader)?),
                "entry_point" => node.set(DefinitionFlags::ENTRY_POINT, flag(reader)?),
                "declared" => node.set(DefinitionFlags::DECLARED, flag(reader)?),
                _ => drop(reader.skip_value()?),
            }
        }
        Ok(node)
    }

    fn set(&mut self, bit: u8, is_set: bool) {
        if is_set { self.flags |= bit } else { self.flags &= !bit }
    }

    fn into_file(self) -> FileDraft<'a> {
        FileDraft {
            path: self.path,
            language: self.language,
            hash: from_hex(&self.hash).map(ContentHash).unwrap_or_default(),
            bytes: self.bytes,
            lines: self.lines,
            module: None,
            imports: self.imports,
            is_test: self.test,
        }
    }

    fn into_symbol(self, kind: SymbolKind) -> SymbolDraft<'a> {
        let line = self.line.unwrap_or(1).max(1);
        let mut draft = SymbolDraft::new(kind, 0);
        for name in &self.modifiers {
            if let Some(modifier) = Modifier::from_name(name) {
                draft.modifiers.insert(modifier);
            }
        }
        // What is not known is not thought to be for everybody.
        draft.visibility = match self.visibility.as_deref() {
            None => Visibility::Public,
            Some(name) => Visibility::from_name(name).unwrap_or(Visibility::Private),
        };
        SymbolDraft {
            name: self.name,
            qualified: self.qualified_name,
            place: [
                line,
                self.column.unwrap_or(1).max(1),
                self.start_line.unwrap_or(line).max(1),
                self.end_line.unwrap_or(line),
            ],
            signature: self.signature,
            doc: self.doc,
            complexity: self.complexity,
            decorators: self.decorators,
            flags: self.flags,
            ..draft
        }
    }
}

fn some(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    (!text.is_empty()).then_some(text)
}

fn texts<'a>(reader: &mut JsonReader<'a>) -> Result<Vec<Cow<'a, str>>, OpenFault> {
    let mut found = Vec::new();
    items(reader, |reader| {
        found.push(text(reader)?);
        Ok(())
    })?;
    Ok(found)
}

fn import<'a>(reader: &mut JsonReader<'a>) -> Result<ImportDraft<'a>, OpenFault> {
    let mut import = ImportDraft {
        line: 1,
        ..ImportDraft::default()
    };
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        let mut set = |bit: u8, is_set: bool| {
            if is_set {
                import.flags |= bit;
            }
        };
        match &*key.read() {
            "reexport" => set(ImportFlags::REEXPORT, flag(reader)?),
            "type_only" => set(ImportFlags::TYPE_ONLY, flag(reader)?),
            "declares" => set(ImportFlags::MODULE, flag(reader)?),
            "module" => import.module = text(reader)?,
            "name" => import.name = text(reader)?,
            "local" => import.local = text(reader)?,
            "handed_on" => import.handed_on = text(reader)?,
            "line" => import.line = number(reader)?,
            _ => drop(reader.skip_value()?),
        }
    }
    Ok(import)
}

impl<'a> Body<'a> {
    fn nodes(&mut self, mut reader: JsonReader<'a>) -> Result<(), OpenFault> {
        let mut count = 0;
        items(&mut reader, |reader| {
            if count == MOST_NODES {
                return Err(OpenFault::Nodes);
            }
            let node = Node::read(reader)?;
            self.node(count, node)?;
            count += 1;
            Ok(())
        })
    }

    fn node(&mut self, at: usize, mut node: Node<'a>) -> Result<(), OpenFault> {
        let id = std::mem::take(&mut node.id);
        if id.is_empty() {
            return Err(OpenFault::NoId(at));
        }
        let rows = &mut self.rows;
        let meant = match &*node.kind {
            "file" => {
                let number = rows.files.len() as u32;
                self.joints
                    .extend(node.module.take().map(|id| Joint::Module(number, id)));
                rows.files.push(node.into_file());
                Meant::File(number)
            }
            "external" => {
                rows.externals.push(node.name);
                Meant::External(rows.externals.len() as u32 - 1)
            }
            kind => match SymbolKind::from_name(kind) {
                Some(kind) => {
                    let number = rows.symbols.len() as u32;
                    let file = node.file.take().ok_or_else(|| OpenFault::NoFile(at, shown(&id)))?;
                    self.joints.push(Joint::File(number, file));
                    self.joints
                        .extend(node.parent.take().map(|id| Joint::Parent(number, id)));
                    rows.symbols.push(node.into_symbol(kind));
                    Meant::Symbol(number)
                }
                None if kind.is_empty() => return Err(OpenFault::NoKind(at, shown(&id))),
                None => {
                    self.unknown += 1;
                    Meant::Unknown
                }
            },
        };
        match self.ids.insert(id.clone(), meant) {
            Some(_) => Err(OpenFault::IdTwice(shown(&id))),
            None => Ok(()),
        }
    }

    /// Leads what nodes say of each other to the nodes that are meant.
    fn join(&mut self) -> Result<(), OpenFault> {
        let wrong = |what: &'static str, id: &str| OpenFault::Joint(what, shown(id));
        for joint in std::mem::take(&mut self.joints) {
            match joint {
                Joint::Module(number, id) => match (self.rows.files.get_mut(number as usize), self.ids.get(&id)) {
                    (Some(file), Some(Meant::Symbol(module))) => file.module = Some(*module),
                    (_, Some(Meant::Unknown)) => {}
                    _ => return Err(wrong("the module of a file", &id)),
                },
                Joint::File(number, id) => match (self.rows.symbols.get_mut(number as usize), self.ids.get(&id)) {
                    (Some(symbol), Some(Meant::File(file))) => symbol.file = *file,
                    _ => return Err(wrong("the file of a symbol", &id)),
                },
                Joint::Parent(number, id) => match (self.rows.symbols.get_mut(number as usize), self.ids.get(&id)) {
                    (Some(symbol), Some(Meant::Symbol(parent))) => symbol.parent = Some(*parent),
                    (_, Some(Meant::Unknown)) => {}
                    _ => return Err(wrong("the parent of a symbol", &id)),
                },
            }
        }
        Ok(())
    }

    fn edges(&mut self, mut reader: JsonReader<'a>) -> Result<(), OpenFault> {
        let mut count = 0;
        items(&mut reader, |reader| {
            if count == MOST_EDGES {
                return Err(OpenFault::Edges);
            }
            count += 1;
            self.edge(count - 1, reader)
        })
    }

    fn edge(&mut self, at: usize, reader: &mut JsonReader<'a>) -> Result<(), OpenFault> {
        let (mut source, mut target, mut kind) = (Cow::default(), Cow::default(), Cow::default());
        let (mut resolution, mut place) = (Resolution::Exact, Cow::default());
        let mut marks = EdgeMarks::NAMED;
        let first = self.rows.edge_lines.len();
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            match &*key.read() {
                "source" => source = text(reader)?,
                "target" => target = text(reader)?,
                "kind" => kind = text(reader)?,
                // What is not known is not thought to be sure.
                "file" => place = text(reader)?,
                "resolution" => resolution = Resolution::from_name(&text(reader)?).unwrap_or(Resolution::Name),
                "marks" => {
                    let names = texts(reader)?;
                    let known = names.iter().filter_map(|name| EdgeMarks::from_name(name));
                    marks = known.fold(EdgeMarks::default(), EdgeMarks::with);
                }
                "lines" => {
                    let lines = &mut self.rows.edge_lines;
                    lines.truncate(first);
                    items(reader, |reader| {
                        lines.push(number(reader)?);
                        if lines.len() > MOST_LINES {
                            Err(OpenFault::Lines)
                        } else {
                            Ok(())
                        }
                    })?;
                }
                _ => drop(reader.skip_value()?),
            }
        }
        let find = |end: &'static str, id: &str| match self.ids.get(id) {
            Some(meant) => Ok(*meant),
            None => Err(OpenFault::Edge(at, end, shown(id))),
        };
        let source = match find("source", &source)? {
            Meant::Symbol(number) => Some(number),
            Meant::Unknown => None,
            Meant::File(_) | Meant::External(_) => return Err(OpenFault::Edge(at, "source", shown(&source))),
        };
        let target = match find("target", &target)? {
            Meant::Symbol(number) => Some(Target::Symbol(number)),
            Meant::External(number) => Some(Target::External(number)),
            Meant::Unknown => None,
            Meant::File(_) => return Err(OpenFault::Edge(at, "target", shown(&target))),
        };
        let (Some(source), Some(target), Some(kind)) = (source, target, EdgeKind::from_name(&kind)) else {
            self.unknown += 1;
            self.rows.edge_lines.truncate(first);
            return Ok(());
        };
        let lines = (first as u32, (self.rows.edge_lines.len() - first) as u32);
        self.rows.edges.push(EdgeDraft {
            source,
            target,
            kind,
            resolution,
            marks,
            file: match self.ids.get(&place) {
                Some(Meant::File(file)) => Some(*file),
                _ => None,
            },
            lines,
        });
        Ok(())
    }

    fn unresolved(&mut self, mut reader: JsonReader<'a>) -> Result<(), OpenFault> {
        let mut count = 0;
        items(&mut reader, |reader| {
            if count == MOST_EDGES {
                return Err(OpenFault::Edges);
            }
            count += 1;
            let (mut source, mut line, mut name) = (Cow::default(), 1, Cow::default());
            reader.begin_object()?;
            while let Some(key) = reader.next_key()? {
                match &*key.read() {
                    "source" => source = text(reader)?,
                    "line" => line = number(reader)?,
                    "name" => name = text(reader)?,
                    _ => drop(reader.skip_value()?),
                }
            }
            match self.ids.get(&source) {
                Some(Meant::Symbol(symbol)) => self.rows.unresolved.push(UnresolvedDraft {
                    symbol: *symbol,
                    line,
                    name,
                }),
                Some(Meant::Unknown) => self.unknown += 1,
                _ => return Err(OpenFault::Unresolved(count - 1, shown(&source))),
            }
            Ok(())
        })
    }
}
