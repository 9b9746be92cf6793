//! The snapshot's layout: which sections there are, what rows they hold, and the builder that writes them.
//!
//! A snapshot is a function of the source tree, the extractor's version and the options; no time, machine path or order of
//! threads gets into it. Symbols are stored as columns, one section each, in the order of their files' paths.

use std::collections::HashMap;
use std::fmt;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::graph::{JoinedName, MAX_NESTING, SymbolId};
use crate::importance::{Standing, importance};
use crate::nesting::depths;
use crate::{
    ContentHash, FactsDiagnostic, Import, LineCounts, NONE, Place, SectionError, SectionWriter, SymbolKind, Text,
    TextBlob, TextRange, U32, Visibility,
};

/// The version of the layout; a snapshot of another version is rebuilt.
pub const SNAPSHOT_VERSION: u32 = 7;
pub(crate) const MAGIC: u32 = u32::from_le_bytes(*b"LSnp");

/// Why a snapshot cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotError(pub SectionError);

impl fmt::Display for SnapshotError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the snapshot cannot be used: {}", self.0)
    }
}

impl std::error::Error for SnapshotError {}

impl From<SectionError> for SnapshotError {
    fn from(error: SectionError) -> Self {
        Self(error)
    }
}

/// The sections, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Section {
    Meta = 0,
    Text,
    Languages,
    Files,
    SymbolName,
    SymbolPrefix,
    SymbolQualified,
    SymbolKind,
    SymbolFile,
    SymbolParent,
    SymbolPlace,
    SymbolSignature,
    SymbolDoc,
    SymbolVisibility,
    SymbolModifiers,
    SymbolComplexity,
    SymbolDecorators,
    SymbolFlags,
    Lists,
    ChildStarts,
    Children,
    NameText,
    Names,
    NameStarts,
    NameOrder,
    Imports,
    Diagnostics,
    Skipped,
    Edges,
    EdgeStarts,
    EdgeLines,
    Incoming,
    IncomingStarts,
    Externals,
    Unresolved,
    Bounds,
    SymbolImportance,
    Variables,
    VariableStarts,
}

impl Section {
    pub(crate) const COUNT: usize = 39;
}

/// What the snapshot was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct Meta {
    pub(crate) extractor: U32,
    pub(crate) options: [u8; 8],
    pub(crate) tree: ContentHash,
}

/// A doc comment and the length of its first sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct DocText {
    pub(crate) text: Text,
    pub(crate) summary_len: U32,
}

/// One indexed file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FileRow {
    /// The path.
    pub path: Text,
    /// The content.
    pub hash: ContentHash,
    /// The row of its language.
    pub language: U32,
    /// Its size in bytes.
    pub bytes: U32,
    /// Its lines.
    pub lines: LineCounts,
    /// The symbol of the module it belongs to, or [`NONE`].
    pub module: U32,
    /// The number of its first symbol; its symbols end where the next file's begin.
    pub first_symbol: U32,
    /// The number of its first import.
    pub first_import: U32,
    /// The number of its first diagnostic.
    pub first_diagnostic: U32,
    /// Whether it is a test file.
    pub is_test: u8,
}

/// One file that is not in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct SkippedRow {
    /// The path; for a name that is not UTF-8, with replacement characters.
    pub path: Text,
    /// More about it, if there is more to say.
    pub detail: Text,
    /// The number of its [`crate::SkipReason`].
    pub reason: u8,
}

/// One edge, from the symbol in whose run it stands.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct EdgeRow {
    /// The symbol it starts from.
    pub source: U32,
    /// The number of its [`crate::EdgeKind`].
    pub kind: u8,
    /// Whether the target is a row of the externals rather than a symbol.
    pub is_external: u8,
    /// The number of its [`crate::Resolution`].
    pub resolution: u8,
    /// Where it leads.
    pub target: U32,
    /// The first of its lines.
    pub lines: U32,
    /// How many lines it has.
    pub line_count: U32,
}

/// A call that leads nowhere known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct UnresolvedRow {
    /// The symbol that calls.
    pub symbol: U32,
    /// The 1-based line.
    pub line: U32,
    /// The name that is called, or nothing.
    pub name: Text,
}

/// A variable that a function gives a value or reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct VariableRow {
    /// Its name.
    pub name: Text,
    /// The number of its [`crate::VariableUse`].
    pub usage: u8,
}

/// A bound of the search for calls, and how often it was hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct BoundRow {
    /// The number of the bound.
    pub bound: u8,
    /// How often it was hit.
    pub count: U32,
}

/// One symbol, as the builder takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SymbolRow {
    /// The bare name.
    pub name: Text,
    /// An earlier symbol whose qualified name is the beginning of this one.
    pub prefix: Option<SymbolId>,
    /// The qualified name, or what follows the qualified name of `prefix`.
    pub qualified: Text,
    /// The number of its kind.
    pub kind: u8,
    /// The file it stands in.
    pub file: u32,
    /// The symbol it belongs to, or [`NONE`].
    pub parent: u32,
    /// Where it stands.
    pub place: Place,
    /// Its declaration.
    pub signature: Text,
    /// Its doc comment.
    pub doc: Text,
    /// The length of its doc comment's first sentence.
    pub summary_len: u32,
    /// The number of its visibility.
    pub visibility: u8,
    /// Its modifiers.
    pub modifiers: u32,
    /// Its complexity; 0 for what has none.
    pub complexity: u32,
    /// Its decorators, as rows of the lists.
    pub decorators: TextRange,
    /// [`crate::DefinitionFlags`].
    pub flags: u8,
}

/// Collects columns and writes the snapshot.
#[derive(Debug, Default)]
pub struct SnapshotBuilder {
    /// Every text.
    pub text: TextBlob,
    /// The names of the languages.
    pub languages: Vec<Text>,
    /// The files, in path order.
    pub files: Vec<FileRow>,
    /// The lists that rows refer to.
    pub lists: Vec<Text>,
    /// The imports, in file order; `scope` is a symbol.
    pub imports: Vec<Import>,
    /// The remarks, in file order.
    pub diagnostics: Vec<FactsDiagnostic>,
    /// What was left out, in path order.
    pub skipped: Vec<SkippedRow>,
    /// The edges, sorted.
    pub edges: Vec<EdgeRow>,
    /// The lines of edges.
    pub edge_lines: Vec<U32>,
    /// The names of what edges lead to outside.
    pub externals: Vec<Text>,
    /// Calls that lead nowhere known, sorted.
    pub unresolved: Vec<UnresolvedRow>,
    /// The bounds that the search for calls hit.
    pub bounds: Vec<BoundRow>,
    variables: Vec<VariableRow>,
    variable_symbols: Vec<u32>,
    meta: Meta,
    names: Vec<Text>,
    prefixes: Vec<U32>,
    qualified: Vec<Text>,
    kinds: Vec<u8>,
    symbol_files: Vec<U32>,
    parents: Vec<U32>,
    places: Vec<Place>,
    signatures: Vec<Text>,
    docs: Vec<DocText>,
    visibilities: Vec<u8>,
    modifiers: Vec<U32>,
    complexities: Vec<U32>,
    decorators: Vec<TextRange>,
    flags: Vec<u8>,
}

impl SnapshotBuilder {
    /// An empty snapshot of a tree.
    pub fn new(extractor: u32, options: u64, tree: ContentHash) -> Self {
        Self {
            meta: Meta {
                extractor: extractor.into(),
                options: options.to_le_bytes(),
                tree,
            },
            ..Self::default()
        }
    }

    /// The number of symbols so far, which is the id of the next one.
    pub fn symbol_count(&self) -> u32 {
        self.names.len() as u32
    }

    /// Adds a symbol.
    pub fn push_symbol(&mut self, row: &SymbolRow) {
        self.names.push(row.name);
        self.prefixes.push(row.prefix.map_or(NONE, |prefix| prefix.0).into());
        self.qualified.push(row.qualified);
        self.kinds.push(row.kind);
        self.symbol_files.push(row.file.into());
        self.parents.push(row.parent.into());
        self.places.push(row.place);
        self.signatures.push(row.signature);
        self.docs.push(DocText {
            text: row.doc,
            summary_len: row.summary_len.into(),
        });
        self.visibilities.push(row.visibility);
        self.modifiers.push(row.modifiers.into());
        self.complexities.push(row.complexity.into());
        self.decorators.push(row.decorators);
        self.flags.push(row.flags);
    }

    /// Adds a variable of a symbol; symbols come in order, and the variables of each by use and name.
    pub fn push_variable(&mut self, symbol: u32, row: VariableRow) {
        self.variable_symbols.push(symbol);
        self.variables.push(row);
    }

    /// Writes the qualified name of a symbol added before.
    pub fn write_qualified_name(&self, symbol: SymbolId, name: &mut Vec<u8>) {
        let before = name.len();
        let mut next = Some(symbol);
        // The last part comes first: each part is written backwards, and the whole is turned around.
        while let Some(symbol) = next {
            let at = symbol.0 as usize;
            let own = self.qualified.get(at).map_or("", |text| self.text.get(*text));
            name.extend(own.bytes().rev());
            let prefix = self.prefixes.get(at).map_or(NONE, |prefix| prefix.get());
            next = (prefix < symbol.0).then_some(SymbolId(prefix));
        }
        name[before..].reverse();
    }

    /// Sets the doc comment of a symbol added before.
    pub fn document(&mut self, symbol: u32, doc: Text, summary_len: u32) {
        if let Some(slot) = self.docs.get_mut(symbol as usize) {
            *slot = DocText {
                text: doc,
                summary_len: summary_len.into(),
            };
        }
    }

    /// Sets the parent of a symbol that was added before its parent was known.
    pub fn set_parent(&mut self, symbol: u32, parent: u32) {
        if let Some(slot) = self.parents.get_mut(symbol as usize) {
            *slot = parent.into();
        }
    }

    /// Makes room for what is known to come.
    pub fn reserve(&mut self, symbols: usize, text: usize) {
        self.text.0.reserve_exact(text);
        self.names.reserve_exact(symbols);
        self.prefixes.reserve_exact(symbols);
        self.qualified.reserve_exact(symbols);
        self.kinds.reserve_exact(symbols);
        self.symbol_files.reserve_exact(symbols);
        self.parents.reserve_exact(symbols);
        self.places.reserve_exact(symbols);
        self.signatures.reserve_exact(symbols);
        self.docs.reserve_exact(symbols);
        self.visibilities.reserve_exact(symbols);
        self.modifiers.reserve_exact(symbols);
        self.complexities.reserve_exact(symbols);
        self.decorators.reserve_exact(symbols);
        self.flags.reserve_exact(symbols);
    }

    /// The snapshot.
    pub fn finish(mut self) -> Snapshot {
        self.bound_nesting();
        self.bound_names();
        let (child_starts, children) = self.children();
        let names = self.name_index();
        let count = self.names.len();
        let edge_starts = starts(count, self.edges.iter().map(|edge| edge.source.get()));
        let variable_starts = starts(count, self.variable_symbols.iter().copied());
        let mut incoming: Vec<(u32, u32)> = (0..)
            .zip(&self.edges)
            .filter(|(_, edge)| edge.is_external == 0)
            .map(|(number, edge)| (edge.target.get(), number))
            .collect();
        incoming.sort_unstable();
        let incoming_starts = starts(count, incoming.iter().map(|(target, _)| *target));
        let incoming = incoming.into_iter().map(|(_, number)| number.into()).collect();
        let importance = importance(&self.edges, &self.parents, &self.standings(), |entry, file| {
            let path = |file: u32| self.files.get(file as usize).map_or("", |row| self.text.get(row.path));
            is_entry(path(entry), path(file))
        });
        Snapshot {
            importance,
            edge_starts,
            incoming,
            incoming_starts,
            variable_starts,
            builder: self,
            child_starts,
            children,
            names,
        }
    }

    /// What the importance of each symbol depends on, beside its edges.
    fn standings(&self) -> Vec<Standing> {
        let uses: Vec<bool> = self
            .files
            .iter()
            .map(|row| row.is_test != 0 || is_for_readers(self.text.get(row.path)))
            .collect();
        let mut first: HashMap<(&str, u32, u32), u32> = HashMap::new();
        (0u32..)
            .zip(&self.names)
            .map(|(symbol, name)| {
                let at = symbol as usize;
                let file = self.symbol_files[at].get();
                Standing {
                    kind: SymbolKind::from_number(self.kinds[at]).unwrap_or(SymbolKind::Function),
                    visibility: Visibility::from_number(self.visibilities[at]).unwrap_or(Visibility::Public),
                    is_documented: self.docs[at].summary_len.get() > 0,
                    file,
                    is_use: uses.get(file as usize).copied().unwrap_or(false),
                    first: *first
                        .entry((self.text.get(*name), self.parents[at].get(), file))
                        .or_insert(symbol),
                }
            })
            .collect()
    }

    /// Takes the parent from symbols that nest too deep or in a circle, and from those whose parent does not exist: readers refuse
    /// such a snapshot.
    fn bound_nesting(&mut self) {
        let count = self.parents.len();
        for (symbol, depth) in depths(&self.parents).into_iter().enumerate() {
            if depth as usize > MAX_NESTING || self.parents[symbol].get() as usize >= count {
                self.parents[symbol] = NONE.into();
            }
        }
    }

    /// Stores names as a whole that would be put together from too many parts or become too long: readers refuse such a snapshot.
    fn bound_names(&mut self) {
        let mut whole: Vec<JoinedName> = Vec::with_capacity(self.prefixes.len());
        for symbol in 0..self.prefixes.len() {
            let own = JoinedName::of(self.qualified[symbol]);
            let prefix = self.prefixes[symbol].get();
            let joined = match whole.get(prefix as usize) {
                None => None,
                Some(before) => before.followed_by(own),
            };
            if joined.is_none() && prefix != NONE {
                let mut name = Vec::new();
                self.write_qualified_name(SymbolId(symbol as u32), &mut name);
                self.qualified[symbol] = self.text.push(std::str::from_utf8(&name).unwrap_or_default());
                self.prefixes[symbol] = NONE.into();
            }
            whole.push(joined.unwrap_or_else(|| JoinedName::of(self.qualified[symbol])));
        }
    }

    /// Members by parent: where each symbol's run begins, and the runs. Members keep the order of their ids.
    fn children(&self) -> (Vec<U32>, Vec<U32>) {
        let count = self.parents.len();
        let mut starts = vec![0u32; count + 1];
        let known = || {
            self.parents
                .iter()
                .enumerate()
                .filter(|(_, parent)| (parent.get() as usize) < count)
        };
        for (_, parent) in known() {
            starts[parent.get() as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut children = vec![U32::from(NONE); starts.last().copied().unwrap_or(0) as usize];
        for (symbol, parent) in known() {
            let slot = &mut next[parent.get() as usize];
            children[*slot as usize] = U32::from(symbol as u32);
            *slot += 1;
        }
        (starts.into_iter().map(U32::from).collect(), children)
    }

    /// Symbols by name, then by id, and every distinct name once, close together, so that a search through all of them is quick.
    fn name_index(&self) -> NameIndex {
        let order = self.name_order();
        let mut index = NameIndex {
            of_symbol: vec![U32::from(NONE); order.len()],
            ..NameIndex::default()
        };
        let mut last = None;
        for (at, symbol) in order.iter().enumerate() {
            let name = self.names[*symbol as usize].of(&self.text.0);
            if last != Some(name) {
                index.starts.push((at as u32).into());
                let text = index.text.push(name);
                index.names.push(text);
                last = Some(name);
            }
            index.of_symbol[*symbol as usize] = (index.names.len() as u32 - 1).into();
        }
        index.starts.push((order.len() as u32).into());
        index.order = order.into_iter().map(U32::from).collect();
        index
    }

    /// Symbols by name, then by id. The first eight bytes decide nearly every comparison without touching the text.
    fn name_order(&self) -> Vec<u32> {
        let blob = &self.text.0;
        let mut keyed: Vec<(u64, u32)> = self
            .names
            .iter()
            .enumerate()
            .map(|(symbol, name)| {
                let mut key = [0; 8];
                let bytes = name.of(blob).as_bytes();
                let len = bytes.len().min(8);
                key[..len].copy_from_slice(&bytes[..len]);
                (u64::from_be_bytes(key), symbol as u32)
            })
            .collect();
        keyed.sort_unstable_by(|left, right| {
            left.0
                .cmp(&right.0)
                .then_with(|| {
                    self.names[left.1 as usize]
                        .of(blob)
                        .cmp(self.names[right.1 as usize].of(blob))
                })
                .then_with(|| left.1.cmp(&right.1))
        });
        keyed.into_iter().map(|(_, symbol)| symbol).collect()
    }
}

/// Where the run of each symbol begins in rows that are sorted by symbol, and where the last one ends.
fn starts(symbols: usize, rows: impl Iterator<Item = u32>) -> Vec<U32> {
    let mut counts = vec![0u32; symbols + 1];
    for symbol in rows {
        if let Some(count) = counts.get_mut(symbol as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    counts
        .into_iter()
        .map(|count| {
            sum += count;
            sum.into()
        })
        .collect()
}

/// Directories with code that shows how other code is used.
const FOR_READERS: &[&str] = &[
    "docs",
    "doc",
    "docs_src",
    "example",
    "examples",
    "benches",
    "benchmark",
    "benchmarks",
    "fixtures",
];
/// Names of the files that hand on the definitions of a package, without extensions.
const ENTRIES: &[&str] = &["__init__", "index", "lib", "mod"];

/// Whether a file is in a directory with examples or documentation.
fn is_for_readers(path: &str) -> bool {
    let directories = path.rsplit_once('/').map_or("", |(directories, _)| directories);
    directories.split('/').any(|directory| FOR_READERS.contains(&directory))
}

/// Whether a file is the entry file of the package with another.
fn is_entry(entry: &str, path: &str) -> bool {
    let (directory, name) = entry.rsplit_once('/').unwrap_or(("", entry));
    let stem = name.split('.').next().unwrap_or(name);
    let is_around = directory.is_empty() || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
    ENTRIES.contains(&stem) && is_around
}

/// A finished snapshot: its sections lie where they were made, and are written one after the other.
#[derive(Debug)]
pub struct Snapshot {
    builder: SnapshotBuilder,
    child_starts: Vec<U32>,
    children: Vec<U32>,
    names: NameIndex,
    edge_starts: Vec<U32>,
    incoming: Vec<U32>,
    incoming_starts: Vec<U32>,
    importance: Vec<U32>,
    variable_starts: Vec<U32>,
}

impl Snapshot {
    fn sections(&self) -> SectionWriter<'_> {
        let builder = &self.builder;
        let mut writer = SectionWriter::new(MAGIC, SNAPSHOT_VERSION);
        let mut add = |section: Section, bytes| writer.section(section as u32, bytes);
        add(Section::Meta, builder.meta.as_bytes());
        add(Section::Text, &builder.text.0);
        add(Section::Languages, builder.languages.as_bytes());
        add(Section::Files, builder.files.as_bytes());
        add(Section::SymbolName, self.names.of_symbol.as_bytes());
        add(Section::SymbolPrefix, builder.prefixes.as_bytes());
        add(Section::SymbolQualified, builder.qualified.as_bytes());
        add(Section::SymbolKind, &builder.kinds);
        add(Section::SymbolFile, builder.symbol_files.as_bytes());
        add(Section::SymbolParent, builder.parents.as_bytes());
        add(Section::SymbolPlace, builder.places.as_bytes());
        add(Section::SymbolSignature, builder.signatures.as_bytes());
        add(Section::SymbolDoc, builder.docs.as_bytes());
        add(Section::SymbolVisibility, &builder.visibilities);
        add(Section::SymbolModifiers, builder.modifiers.as_bytes());
        add(Section::SymbolComplexity, builder.complexities.as_bytes());
        add(Section::SymbolDecorators, builder.decorators.as_bytes());
        add(Section::SymbolFlags, &builder.flags);
        add(Section::Lists, builder.lists.as_bytes());
        add(Section::ChildStarts, self.child_starts.as_bytes());
        add(Section::Children, self.children.as_bytes());
        add(Section::NameText, &self.names.text.0);
        add(Section::Names, self.names.names.as_bytes());
        add(Section::NameStarts, self.names.starts.as_bytes());
        add(Section::NameOrder, self.names.order.as_bytes());
        add(Section::Imports, builder.imports.as_bytes());
        add(Section::Diagnostics, builder.diagnostics.as_bytes());
        add(Section::Skipped, builder.skipped.as_bytes());
        add(Section::Edges, builder.edges.as_bytes());
        add(Section::EdgeStarts, self.edge_starts.as_bytes());
        add(Section::EdgeLines, builder.edge_lines.as_bytes());
        add(Section::Incoming, self.incoming.as_bytes());
        add(Section::IncomingStarts, self.incoming_starts.as_bytes());
        add(Section::Externals, builder.externals.as_bytes());
        add(Section::Unresolved, builder.unresolved.as_bytes());
        add(Section::Bounds, builder.bounds.as_bytes());
        add(Section::SymbolImportance, self.importance.as_bytes());
        add(Section::Variables, builder.variables.as_bytes());
        add(Section::VariableStarts, self.variable_starts.as_bytes());
        writer
    }

    /// Hands its bytes over, part by part, in order.
    pub fn parts<E>(&self, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let writer = self.sections();
        take(&writer.header())?;
        writer.parts().try_for_each(take)
    }

    /// Whether these are its bytes.
    pub fn equals(&self, bytes: &[u8]) -> bool {
        let mut rest = bytes;
        let same = self.parts(|part| match rest.split_at_checked(part.len()) {
            Some((head, tail)) if head == part => {
                rest = tail;
                Ok(())
            }
            _ => Err(()),
        });
        same.is_ok() && rest.is_empty()
    }

    /// Its bytes, all together.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.sections().finish()
    }
}

/// The distinct names in order, and which symbols bear them.
#[derive(Debug, Default)]
struct NameIndex {
    text: TextBlob,
    names: Vec<Text>,
    /// Where each name's run in `order` begins, and where the last one ends.
    starts: Vec<U32>,
    order: Vec<U32>,
    /// By symbol: the number of its name.
    of_symbol: Vec<U32>,
}
