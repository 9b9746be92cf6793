//! `CodeGraph`: the snapshot, read in place.
//!
//! Opening checks the header, the shape of every section and that starts rise, so that reading afterwards cannot fail. Bytes may
//! still be wrong (a full check is [`CodeGraph::verify`]) or become zero while they are read (a truncated file): an impossible value
//! reads as empty, every id that is handed out is in range, and every walk ends. Nothing is copied but the table of sections.

mod check;
mod filter;
mod names;

pub use filter::{Filtered, FilteredText, TextFilter};
pub(crate) use names::JoinedName;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::Bound;
use crate::doc::summary;
use crate::name_match::{last_of, meant_by, split_number};
use crate::overlay::{SymbolTexts, TextOverlay};
use crate::snapshot::{
    BoundRow, DocText, EdgeRow, FileRow, MAGIC, Meta, SNAPSHOT_VERSION, Section, SkippedRow, SnapshotError,
    UnresolvedRow, VariableRow,
};
use crate::{
    ContentHash, DefinitionFlags, Diagnostic, EdgeKind, EdgeMarks, FactsDiagnostic, Import, ImportFlags, LineCounts,
    Modifier, Modifiers, NONE, Place, Resolution, SectionError, SectionReader, Severity, SkipReason, SymbolKind, Text,
    TextRange, U32, VariableUse, Visibility,
};

/// How deep symbols nest at most. The writer makes deeper symbols top-level, and walks towards the root stop there.
pub const MAX_NESTING: usize = 1_024;

/// A symbol's number in its snapshot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub u32);

/// How one symbol leads to another, or to something outside.
#[derive(Clone, Copy)]
pub struct Edge<'a> {
    graph: &'a CodeGraph,
    number: usize,
}

impl fmt::Debug for Edge<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Edge({})", self.number)
    }
}

/// Where an edge leads.
#[derive(Clone, Copy)]
pub enum EdgeTarget<'a> {
    /// To a symbol of the tree.
    Symbol(Symbol<'a>),
    /// Outside, to something of this name.
    External(&'a str),
}

impl fmt::Debug for EdgeTarget<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbol(symbol) => formatter.write_str(&symbol.qualified_name()),
            Self::External(name) => formatter.write_str(name),
        }
    }
}

impl<'a> EdgeTarget<'a> {
    /// The symbol, if it is one of the tree.
    pub fn symbol(self) -> Option<Symbol<'a>> {
        match self {
            Self::Symbol(symbol) => Some(symbol),
            Self::External(_) => None,
        }
    }
}

impl<'a> Edge<'a> {
    fn row(self) -> Option<&'a EdgeRow> {
        self.graph.column::<EdgeRow>(Section::Edges).get(self.number)
    }

    /// Its number in its snapshot.
    pub fn number(self) -> u32 {
        self.number as u32
    }

    /// The number of the name outside that it leads to.
    pub fn external(self) -> Option<u32> {
        let row = self.row().filter(|row| row.is_external != 0)?;
        Some(row.target.get()).filter(|target| (*target as usize) < self.graph.external_count())
    }

    /// The symbol it starts from.
    pub fn source(self) -> Symbol<'a> {
        let last = self.graph.symbol_count().saturating_sub(1) as u32;
        self.graph
            .symbol(SymbolId(self.row().map_or(0, |row| row.source.get().min(last))))
    }

    /// Where it leads.
    pub fn target(self) -> EdgeTarget<'a> {
        let Some(row) = self.row() else {
            return EdgeTarget::External("");
        };
        match (row.is_external, self.graph.known(row.target.get())) {
            (0, Some(target)) => EdgeTarget::Symbol(target),
            (0, None) => EdgeTarget::External(""),
            _ => EdgeTarget::External(self.graph.external(row.target.get())),
        }
    }

    /// What it says.
    pub fn kind(self) -> EdgeKind {
        self.row()
            .and_then(|row| EdgeKind::from_number(row.kind))
            .unwrap_or(EdgeKind::Call)
    }

    /// How it is known.
    pub fn resolution(self) -> Resolution {
        self.row()
            .and_then(|row| Resolution::from_number(row.resolution))
            .unwrap_or(Resolution::Name)
    }

    /// What is known about its mentions beside the resolution.
    pub fn marks(self) -> EdgeMarks {
        self.row().map_or(EdgeMarks::default(), |row| EdgeMarks(row.marks))
    }

    /// The file that its lines are in. The source of an edge can be a module of several files, so its own file can be another.
    pub fn file(self) -> File<'a> {
        self.graph.file(self.file_id())
    }

    /// The number of the file that its lines are in.
    pub fn file_id(self) -> FileId {
        let file = self.row().map_or(NONE, |row| row.file.get());
        if (file as usize) < self.graph.file_count() {
            FileId(file)
        } else {
            self.source().file_id()
        }
    }

    /// The lines of its file that say so.
    pub fn lines(self) -> impl Iterator<Item = u32> + 'a {
        let (start, len) = self.row().map_or((0, 0), |row| (row.lines.get(), row.line_count.get()));
        let lines = self.graph.column::<U32>(Section::EdgeLines);
        let end = (start as usize).saturating_add(len as usize);
        lines
            .get(start as usize..end)
            .unwrap_or(&[])
            .iter()
            .map(|line| line.get())
    }
}

/// A call that leads nowhere known, or not to all of its targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnresolvedCall<'a> {
    /// The symbol that calls.
    pub caller: SymbolId,
    /// The file that the line is in.
    pub file: FileId,
    /// The 1-based line.
    pub line: u32,
    /// The name that is called, or nothing.
    pub name: &'a str,
    /// Whether a bound dropped targets: what the edges of the line lead to is not all.
    pub is_cut: bool,
}

/// A file's number in its snapshot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// The code graph of one source tree.
#[derive(Clone)]
pub struct CodeGraph {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    reader: SectionReader,
    ranges: [(usize, usize); Section::COUNT],
    /// The texts that are shown in the place of the snapshot's.
    overlay: Option<Arc<TextOverlay>>,
    /// What changes texts when they are read, those of the overlay included.
    filter: Option<Arc<TextFilter>>,
}

impl fmt::Debug for CodeGraph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "CodeGraph({} files, {} symbols)",
            self.file_count(),
            self.symbol_count()
        )
    }
}

impl CodeGraph {
    /// Opens a snapshot.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, SnapshotError> {
        let data = (*bytes).as_ref();
        let reader = SectionReader::open(data, MAGIC, SNAPSHOT_VERSION)?;
        let mut ranges = [(0, 0); Section::COUNT];
        for (id, slot) in ranges.iter_mut().enumerate() {
            let Range { start, end } = reader.range(id as u32)?;
            *slot = (start, end);
        }
        let graph = Self {
            bytes,
            reader,
            ranges,
            overlay: None,
            filter: None,
        };
        graph.check_shape()?;
        Ok(graph)
    }

    /// Checks every section against its checksum and every row: ids are in range, texts lie within their section, parents
    /// lead to the root, and runs agree with the rows that they group.
    pub fn verify(&self) -> Result<(), SnapshotError> {
        self.reader.verify((*self.bytes).as_ref())?;
        self.check_rows()
    }

    /// The same graph, shown with other texts. What was overlaid before is replaced. A filter comes after an overlay: it sees the texts of the overlay.
    #[must_use]
    pub fn with_overlay(&self, overlay: TextOverlay) -> Self {
        Self {
            overlay: (!overlay.is_empty()).then(|| Arc::new(overlay)),
            ..self.clone()
        }
    }

    /// The texts that are shown in the place of the snapshot's.
    pub fn overlay(&self) -> Option<&TextOverlay> {
        self.overlay.as_deref()
    }

    /// The snapshot's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    fn section(&self, section: Section) -> &[u8] {
        let (start, end) = self.ranges[section as usize];
        (*self.bytes).as_ref().get(start..end).unwrap_or(&[])
    }

    fn column<T: FromBytes + Immutable + KnownLayout + Unaligned>(&self, section: Section) -> &[T] {
        <[T]>::ref_from_bytes(self.section(section)).unwrap_or(&[])
    }

    fn text(&self, text: Text) -> &str {
        text.of(self.section(Section::Text))
    }

    fn meta(&self) -> Meta {
        Meta::read_from_bytes(self.section(Section::Meta)).unwrap_or_default()
    }

    /// The numbers of the rows that belong to a symbol or a name, of a table with so many rows.
    fn run(&self, starts: Section, number: usize, rows: usize) -> Range<usize> {
        let starts = self.column::<U32>(starts);
        let at = |index: usize| starts.get(index).map_or(0, |start| (start.get() as usize).min(rows));
        let start = at(number);
        start..at(number.saturating_add(1)).max(start)
    }

    /// The symbol with a number, if there is one.
    fn known(&self, symbol: u32) -> Option<Symbol<'_>> {
        ((symbol as usize) < self.symbol_count()).then(|| self.symbol(SymbolId(symbol)))
    }

    /// Every call that leads nowhere known.
    pub fn all_unresolved(&self) -> impl Iterator<Item = UnresolvedCall<'_>> {
        let rows = self.column::<UnresolvedRow>(Section::Unresolved).iter();
        rows.filter_map(|row| self.unresolved_row(row))
    }

    fn unresolved_row(&self, row: &UnresolvedRow) -> Option<UnresolvedCall<'_>> {
        let caller = self.known(row.symbol.get())?;
        let name = self.text(row.name);
        let shown = caller.overlaid().and_then(|texts| texts.unresolved.as_deref());
        let file = row.file.get();
        Some(UnresolvedCall {
            caller: caller.id(),
            file: if (file as usize) < self.file_count() {
                FileId(file)
            } else {
                caller.file_id()
            },
            line: row.line.get(),
            name: shown.filter(|_| !name.is_empty()).unwrap_or(name),
            is_cut: row.is_cut != 0,
        })
    }

    /// The bounds that the search for calls hit, and how often.
    pub fn bounds(&self) -> impl Iterator<Item = (Bound, u32)> {
        let rows = self.column::<BoundRow>(Section::Bounds);
        rows.iter()
            .filter_map(|row| Some((Bound::from_number(row.bound)?, row.count.get())))
    }

    /// Every edge, by the symbol it starts from.
    pub fn edges(&self) -> impl Iterator<Item = Edge<'_>> {
        (0..self.column::<EdgeRow>(Section::Edges).len()).map(move |number| Edge { graph: self, number })
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.column::<EdgeRow>(Section::Edges).len()
    }

    /// One edge.
    pub fn edge(&self, number: u32) -> Edge<'_> {
        Edge {
            graph: self,
            number: number as usize,
        }
    }

    /// How many names of things outside there are.
    pub fn external_count(&self) -> usize {
        self.column::<Text>(Section::Externals).len()
    }

    /// The name of one thing outside.
    pub fn external(&self, number: u32) -> &str {
        if let Some(name) = self.filtered_text(FilteredText::External(number)) {
            return name;
        }
        if let Some(name) = self.overlay.as_ref().and_then(|overlay| overlay.externals.get(&number)) {
            return name;
        }
        let names = self.column::<Text>(Section::Externals);
        names.get(number as usize).map_or("", |name| self.text(*name))
    }

    /// How many calls lead nowhere known.
    pub fn unresolved_count(&self) -> usize {
        self.column::<UnresolvedRow>(Section::Unresolved).len()
    }

    /// One call that leads nowhere known.
    pub fn unresolved_call(&self, number: u32) -> Option<UnresolvedCall<'_>> {
        let row = self.column::<UnresolvedRow>(Section::Unresolved).get(number as usize)?;
        self.unresolved_row(row)
    }

    /// The numbers of a symbol's calls that lead nowhere known.
    pub fn unresolved_of(&self, symbol: SymbolId) -> Range<u32> {
        let rows = self.column::<UnresolvedRow>(Section::Unresolved);
        let first = rows.partition_point(|row| row.symbol.get() < symbol.0);
        let end = rows.partition_point(|row| row.symbol.get() <= symbol.0);
        first as u32..end.max(first) as u32
    }

    /// The symbol with exactly this qualified name.
    pub fn qualified(&self, name: &str) -> Option<SymbolId> {
        if let Some(id) = self.qualified_as(name) {
            return Some(id);
        }
        let is_it = |id: &SymbolId| self.symbol(*id).is_qualified_as(name);
        let (plain, _) = split_number(name);
        let last = plain.rsplit(['.', ':', '/', '\\']).next().unwrap_or(plain);
        // A name may itself hold a separator, or stand in its qualified name in another form: then everything is looked at.
        self.named(last)
            .find(is_it)
            .or_else(|| self.named(plain).find(is_it))
            .or_else(|| (0..self.symbol_count() as u32).map(SymbolId).find(is_it))
    }

    /// The version of the extractor that made the facts.
    pub fn extractor(&self) -> u32 {
        self.meta().extractor.get()
    }

    /// The fingerprint of the options the index was made with.
    pub fn options(&self) -> u64 {
        u64::from_le_bytes(self.meta().options)
    }

    /// The digest of all paths and contents.
    pub fn tree_digest(&self) -> ContentHash {
        self.meta().tree
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.section(Section::SymbolKind).len()
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.section(Section::Files).len() / size_of::<FileRow>()
    }

    /// Every symbol, in file and source order.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol<'_>> {
        (0..self.symbol_count() as u32).map(|id| self.symbol(SymbolId(id)))
    }

    /// One symbol.
    pub fn symbol(&self, id: SymbolId) -> Symbol<'_> {
        Symbol { graph: self, id }
    }

    /// Every file, in path order.
    pub fn files(&self) -> impl Iterator<Item = File<'_>> {
        (0..self.file_count() as u32).map(|id| self.file(FileId(id)))
    }

    /// One file.
    pub fn file(&self, id: FileId) -> File<'_> {
        let rows = self.column::<FileRow>(Section::Files);
        let next = rows
            .get((id.0 as usize).saturating_add(1))
            .copied()
            .unwrap_or_else(|| FileRow {
                first_symbol: (self.symbol_count() as u32).into(),
                first_import: (self.column::<Import>(Section::Imports).len() as u32).into(),
                first_diagnostic: (self.column::<FactsDiagnostic>(Section::Diagnostics).len() as u32).into(),
                ..FileRow::default()
            });
        File {
            graph: self,
            id,
            row: rows.get(id.0 as usize).copied().unwrap_or_default(),
            next,
        }
    }

    /// The file at a path.
    pub fn file_at(&self, path: &str) -> Option<File<'_>> {
        let rows = self.column::<FileRow>(Section::Files);
        let at = rows.binary_search_by(|row| self.text(row.path).cmp(path)).ok()?;
        Some(self.file(FileId(at as u32)))
    }

    /// What was left out, in path order.
    pub fn skipped(&self) -> impl Iterator<Item = Skipped<'_>> {
        self.column::<SkippedRow>(Section::Skipped).iter().map(|row| Skipped {
            path: self.text(row.path),
            reason: SkipReason::from_number(row.reason).unwrap_or(SkipReason::UnknownLanguage),
            detail: self.text(row.detail),
        })
    }

    /// The names of the languages that occur.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.column::<Text>(Section::Languages)
            .iter()
            .map(|name| self.text(*name))
    }

    /// The distinct names in order, each with the symbols that bear it.
    pub fn names(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = SymbolId> + '_)> {
        let blob = self.section(Section::NameText);
        let names = self.column::<Text>(Section::Names);
        names
            .iter()
            .enumerate()
            .map(move |(number, name)| (name.of(blob), self.bearers(number)))
    }

    /// The symbols that bear a name, in order of their ids.
    pub fn named(&self, name: &str) -> impl Iterator<Item = SymbolId> + '_ {
        let blob = self.section(Section::NameText);
        let names = self.column::<Text>(Section::Names);
        let number = names
            .binary_search_by(|probe| probe.of(blob).cmp(name))
            .unwrap_or(names.len());
        self.bearers(number)
    }

    /// The symbols that bear the name with a number.
    fn bearers(&self, number: usize) -> impl Iterator<Item = SymbolId> + '_ {
        let order = self.column::<U32>(Section::NameOrder);
        let run = &order[self.run(Section::NameStarts, number, order.len())];
        run.iter().filter_map(|id| Some(self.known(id.get())?.id()))
    }

    /// The symbols a person can mean by `text`: those with that qualified name, or else those whose qualified name ends in it where a
    /// part begins. Without a number all of a name's duplicates are meant; `#1` means the first.
    pub fn lookup(&self, text: &str) -> Vec<SymbolId> {
        let (last, plain) = last_of(text);
        let mut found: Vec<SymbolId> = self.named(last).collect();
        if last != plain {
            // A name may itself hold a separator (the title of a test, the last part of a module's path).
            found.extend(self.named(plain));
        }
        found.sort_unstable();
        found.dedup();
        let names: Vec<Cow<'_, str>> = found.iter().map(|id| self.symbol(*id).qualified_name()).collect();
        meant_by(text, &names).into_iter().map(|at| found[at]).collect()
    }
}

/// A qualified name without the numbers that tell definitions of one name apart.
pub fn plain_name(name: &str) -> Cow<'_, str> {
    if !name.contains('#') {
        return Cow::Borrowed(name);
    }
    let mut plain = String::with_capacity(name.len());
    let mut parts = name.split('#');
    plain.extend(parts.next());
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let ends = part[digits..]
            .chars()
            .next()
            .is_none_or(|next| matches!(next, '.' | ':' | '/' | '\\'));
        if digits > 0 && ends {
            plain.push_str(&part[digits..])
        } else {
            plain.push('#');
            plain.push_str(part);
        }
    }
    Cow::Owned(plain)
}

/// One symbol of a [`CodeGraph`].
#[derive(Clone, Copy)]
pub struct Symbol<'a> {
    graph: &'a CodeGraph,
    id: SymbolId,
}

impl<'a> Symbol<'a> {
    fn cell<T: FromBytes + Immutable + KnownLayout + Unaligned + Copy + Default>(self, section: Section) -> T {
        self.graph
            .column::<T>(section)
            .get(self.id.0 as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Its number.
    pub fn id(self) -> SymbolId {
        self.id
    }

    /// The texts that are shown in the place of its own.
    fn overlaid(self) -> Option<&'a SymbolTexts> {
        self.graph.overlay.as_ref()?.symbols.get(&self.id)
    }

    /// The bare name.
    pub fn name(self) -> &'a str {
        if let Some(text) = self.graph.filtered_text(FilteredText::Name(self.id)) {
            return text;
        }
        if let Some(name) = self.overlaid().and_then(|texts| texts.name.as_deref()) {
            return name;
        }
        let number = self.cell::<U32>(Section::SymbolName).get() as usize;
        let names = self.graph.column::<Text>(Section::Names);
        names
            .get(number)
            .map_or("", |name| name.of(self.graph.section(Section::NameText)))
    }

    /// The qualified name as the source has it: without the numbers that tell definitions of one name apart.
    pub fn plain_name(self) -> Cow<'a, str> {
        match self.qualified_name() {
            Cow::Borrowed(name) => plain_name(name),
            Cow::Owned(name) => match plain_name(&name) {
                Cow::Owned(plain) => Cow::Owned(plain),
                Cow::Borrowed(_) => Cow::Owned(name),
            },
        }
    }

    /// The kind.
    pub fn kind(self) -> SymbolKind {
        SymbolKind::from_number(self.cell(Section::SymbolKind)).unwrap_or(SymbolKind::Function)
    }

    /// The file.
    pub fn file(self) -> File<'a> {
        self.graph.file(FileId(self.cell::<U32>(Section::SymbolFile).get()))
    }

    /// The number of the file.
    pub fn file_id(self) -> FileId {
        FileId(self.cell::<U32>(Section::SymbolFile).get())
    }

    /// The symbol it belongs to.
    pub fn parent(self) -> Option<Symbol<'a>> {
        let parent = self.cell::<U32>(Section::SymbolParent).get();
        self.graph.known(parent).filter(|parent| parent.id != self.id)
    }

    /// The symbols around it, from the inside to the outside: at most [`MAX_NESTING`].
    pub fn ancestors(self) -> impl Iterator<Item = Symbol<'a>> {
        std::iter::successors(self.parent(), |around| around.parent()).take(MAX_NESTING)
    }

    /// What belongs to it, in order.
    pub fn children(self) -> impl Iterator<Item = Symbol<'a>> {
        let graph = self.graph;
        let rows = graph.column::<U32>(Section::Children);
        let children = rows[graph.run(Section::ChildStarts, self.id.0 as usize, rows.len())].iter();
        // A child that says otherwise, or that comes twice, comes from damaged bytes.
        let mut next = 0;
        children.filter_map(move |child| {
            let child = graph.known(child.get()).filter(|child| child.id.0 >= next)?;
            next = child.id.0.saturating_add(1);
            child
                .parent()
                .is_some_and(|parent| parent.id == self.id)
                .then_some(child)
        })
    }

    /// The edges that start from it, in order.
    pub fn edges(self) -> impl Iterator<Item = Edge<'a>> {
        let graph = self.graph;
        graph
            .run(Section::EdgeStarts, self.id.0 as usize, graph.edge_count())
            .map(move |number| Edge { graph, number })
    }

    /// The edges that lead to it, in the order of their sources.
    pub fn incoming(self) -> impl Iterator<Item = Edge<'a>> {
        let graph = self.graph;
        let rows = graph.column::<U32>(Section::Incoming);
        let run = &rows[graph.run(Section::IncomingStarts, self.id.0 as usize, rows.len())];
        let edges = graph.edge_count();
        let numbers = run.iter().map(|number| number.get() as usize);
        numbers
            .filter(move |number| *number < edges)
            .map(move |number| Edge { graph, number })
    }

    /// Its calls that lead nowhere known.
    pub fn unresolved(self) -> impl Iterator<Item = UnresolvedCall<'a>> + 'a {
        let rows = self.graph.column::<UnresolvedRow>(Section::Unresolved);
        let first = rows.partition_point(|row| row.symbol.get() < self.id.0);
        let (id, graph) = (self.id.0, self.graph);
        rows[first..]
            .iter()
            .take_while(move |row| row.symbol.get() == id)
            .filter_map(move |row| graph.unresolved_row(row))
    }

    /// The variables it gives a value and those it reads, by use and name; none of what has no body that runs, and none in languages
    /// whose functions are not followed.
    pub fn variables(self) -> impl Iterator<Item = (&'a str, VariableUse)> {
        let graph = self.graph;
        let rows = graph.column::<VariableRow>(Section::Variables);
        let run = &rows[graph.run(Section::VariableStarts, self.id.0 as usize, rows.len())];
        run.iter()
            .filter_map(move |row| Some((graph.text(row.name), VariableUse::from_number(row.usage)?)))
    }

    /// Where it stands.
    pub fn place(self) -> Place {
        self.cell(Section::SymbolPlace)
    }

    /// The declaration on one line.
    pub fn signature(self) -> &'a str {
        if let Some(text) = self.graph.filtered_text(FilteredText::Signature(self.id)) {
            return text;
        }
        if let Some(signature) = self.overlaid().and_then(|texts| texts.signature.as_deref()) {
            return signature;
        }
        self.graph.text(self.cell(Section::SymbolSignature))
    }

    /// The doc comment.
    pub fn doc(self) -> &'a str {
        if let Some(text) = self.graph.filtered_text(FilteredText::Doc(self.id)) {
            return text;
        }
        if let Some(doc) = self.overlaid().and_then(|texts| texts.doc.as_deref()) {
            return doc;
        }
        self.graph.text(self.cell::<DocText>(Section::SymbolDoc).text)
    }

    /// The first sentence of the doc comment, without a title above it.
    pub fn summary(self) -> &'a str {
        let doc = self.cell::<DocText>(Section::SymbolDoc);
        let text = self.doc();
        match doc.summary_len.get() {
            0 => "",
            _ => summary(text, &self.plain_name()),
        }
    }

    /// The visibility.
    pub fn visibility(self) -> Visibility {
        Visibility::from_number(self.cell(Section::SymbolVisibility)).unwrap_or(Visibility::Private)
    }

    /// The modifiers.
    pub fn modifiers(self) -> Modifiers {
        Modifiers(self.cell::<U32>(Section::SymbolModifiers).get())
    }

    /// 1 + decision points, for what has a body that runs.
    pub fn complexity(self) -> Option<u32> {
        Some(self.cell::<U32>(Section::SymbolComplexity).get()).filter(|complexity| *complexity > 0)
    }

    /// The decorators, annotations or attributes.
    pub fn decorators(self) -> impl Iterator<Item = &'a str> {
        let lists = self.graph.column::<Text>(Section::Lists);
        let range = self.cell::<TextRange>(Section::SymbolDecorators).indexes(lists.len());
        let filtered = self.graph.filtered(FilteredText::Decorators(self.id));
        let overlaid = filtered.or_else(|| self.overlaid().and_then(|texts| texts.decorators.as_deref()));
        let own = overlaid
            .is_none()
            .then(|| lists[range].iter().map(move |text| self.graph.text(*text)));
        let shown = overlaid.unwrap_or_default().iter().map(|text| &**text);
        own.into_iter().flatten().chain(shown)
    }

    /// Whether it has no name of its own.
    pub fn is_anonymous(self) -> bool {
        self.cell::<u8>(Section::SymbolFlags) & DefinitionFlags::ANONYMOUS != 0
    }

    /// Whether it has no body of its own: an abstract method, a member of an interface or trait, a prototype.
    pub fn is_declared(self) -> bool {
        self.cell::<u8>(Section::SymbolFlags) & DefinitionFlags::DECLARED != 0
    }

    /// Whether it is a member that others implement: what runs in its place is always an override.
    pub fn is_abstract(self) -> bool {
        let is_member = self.parent().is_some_and(|parent| parent.kind().is_type());
        is_member && (self.is_declared() || self.modifiers().contains(Modifier::Abstract))
    }

    /// The members that override this one, directly or through other overrides: by distance, then by number; at most `limit`.
    pub fn overriders(self, limit: usize) -> Vec<Symbol<'a>> {
        self.along_overrides(limit, |symbol| {
            let edges = symbol.incoming().filter(|edge| edge.kind() == EdgeKind::Overrides);
            edges.map(Edge::source).collect()
        })
    }

    /// The members that this one overrides, directly or through other overrides: by distance, then by number; at most `limit`.
    pub fn overridden(self, limit: usize) -> Vec<Symbol<'a>> {
        self.along_overrides(limit, |symbol| {
            let edges = symbol.edges().filter(|edge| edge.kind() == EdgeKind::Overrides);
            edges.filter_map(|edge| edge.target().symbol()).collect()
        })
    }

    /// Breadth-first search from this symbol, without the symbol itself.
    fn along_overrides(self, limit: usize, next: impl Fn(Symbol<'a>) -> Vec<Symbol<'a>>) -> Vec<Symbol<'a>> {
        let mut seen = HashSet::from([self.id]);
        let mut found: Vec<Symbol<'a>> = Vec::new();
        let mut level = vec![self];
        while !level.is_empty() && found.len() < limit {
            let mut reached: Vec<Symbol<'a>> = level.into_iter().flat_map(&next).collect();
            reached.sort_unstable_by_key(|symbol| symbol.id);
            reached.retain(|symbol| seen.insert(symbol.id));
            reached.truncate(limit - found.len());
            found.extend(&reached);
            level = reached;
        }
        found
    }

    /// Whether the language, a runner or a framework calls it.
    pub fn is_entry_point(self) -> bool {
        self.cell::<u8>(Section::SymbolFlags) & DefinitionFlags::ENTRY_POINT != 0
    }

    /// Whether it stands inside a function.
    pub fn is_local(self) -> bool {
        self.cell::<u8>(Section::SymbolFlags) & DefinitionFlags::LOCAL != 0
    }

    /// How much of the graph leans on it, where the average symbol has [`crate::AVERAGE_IMPORTANCE`].
    pub fn importance(self) -> u32 {
        self.cell::<U32>(Section::SymbolImportance).get()
    }

    /// Lines from the first to the last.
    pub fn lines(self) -> u32 {
        let place = self.place();
        place
            .end_line
            .get()
            .saturating_sub(place.start_line.get())
            .saturating_add(1)
    }
}

/// One file of a [`CodeGraph`].
#[derive(Clone, Copy)]
pub struct File<'a> {
    graph: &'a CodeGraph,
    id: FileId,
    row: FileRow,
    next: FileRow,
}

impl<'a> File<'a> {
    /// Its number.
    pub fn id(self) -> FileId {
        self.id
    }

    /// The path from the root.
    pub fn path(self) -> &'a str {
        self.graph.text(self.row.path)
    }

    /// The content.
    pub fn hash(self) -> ContentHash {
        self.row.hash
    }

    /// The name of its language.
    pub fn language(self) -> &'a str {
        let names = self.graph.column::<Text>(Section::Languages);
        names
            .get(self.row.language.get() as usize)
            .map_or("", |name| self.graph.text(*name))
    }

    /// Its size.
    pub fn bytes(self) -> u32 {
        self.row.bytes.get()
    }

    /// Its lines.
    pub fn lines(self) -> LineCounts {
        self.row.lines
    }

    /// Whether it is a test file.
    pub fn is_test(self) -> bool {
        self.row.is_test != 0
    }

    /// The module it belongs to.
    pub fn module(self) -> Option<Symbol<'a>> {
        self.graph.known(self.row.module.get())
    }

    /// Its symbols, in source order; the module itself first where this file stands for it.
    pub fn symbols(self) -> impl Iterator<Item = Symbol<'a>> {
        let end = self.next.first_symbol.get().min(self.graph.symbol_count() as u32);
        (self.row.first_symbol.get()..end).map(move |id| self.graph.symbol(SymbolId(id)))
    }

    /// Its imports, in source order.
    pub fn imports(self) -> impl Iterator<Item = FileImport<'a>> {
        let rows = self.graph.column::<Import>(Section::Imports);
        let range = self.row.first_import.get() as usize..self.next.first_import.get() as usize;
        let withheld = self.withheld();
        // A specifier is a literal in many languages, and the name that is bound can be a part of it.
        let literal = move |text: Text| match (self.graph.text(text), withheld) {
            ("" | "*", _) | (_, None) => self.graph.text(text),
            (_, Some(shown)) => shown,
        };
        rows.get(range).unwrap_or(&[]).iter().map(move |row| FileImport {
            module: literal(row.module),
            name: literal(row.name),
            local: literal(row.local),
            handed_on: literal(row.handed_on),
            line: row.line.get(),
            reexport: row.flags & ImportFlags::REEXPORT != 0,
            type_only: row.flags & ImportFlags::TYPE_ONLY != 0,
            declares: row.flags & ImportFlags::MODULE != 0,
        })
    }

    /// What is shown in the place of its literals, if they are withheld.
    fn withheld(self) -> Option<&'a str> {
        self.graph.overlay.as_ref()?.files.get(&self.id).map(|shown| &**shown)
    }

    /// The remarks about it.
    pub fn diagnostics(self) -> impl Iterator<Item = Diagnostic> {
        let rows = self.graph.column::<FactsDiagnostic>(Section::Diagnostics);
        let range = self.row.first_diagnostic.get() as usize..self.next.first_diagnostic.get() as usize;
        rows.get(range).unwrap_or(&[]).iter().map(move |row| Diagnostic {
            severity: Severity::Warning,
            code: "parse-error",
            message: self
                .withheld()
                .unwrap_or_else(|| self.graph.text(row.message))
                .to_owned(),
            path: self.path().to_owned(),
            line: row.line.get(),
            column: row.column.get(),
        })
    }
}

/// One name that a file imports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileImport<'a> {
    /// The module as written.
    pub module: &'a str,
    /// The name imported; `*` for all, empty for the module itself.
    pub name: &'a str,
    /// The name bound; `*` for all, empty for none.
    pub local: &'a str,
    /// The name under which it is handed on without being bound; empty when it is not.
    pub handed_on: &'a str,
    /// The 1-based line.
    pub line: u32,
    /// Whether it is handed on.
    pub reexport: bool,
    /// Whether only types are imported.
    pub type_only: bool,
    /// Whether it declares a part of the module that has a file of its own.
    pub declares: bool,
}

/// One file that is not in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skipped<'a> {
    /// The path.
    pub path: &'a str,
    /// Why.
    pub reason: SkipReason,
    /// More about it.
    pub detail: &'a str,
}
