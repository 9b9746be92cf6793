//! The rows of an untrusted graph on its way into a snapshot: files, symbols and edges by number, in any order.
//!
//! The reader of a format fills the rows. This module establishes what a snapshot requires: files sorted by path, symbols
//! grouped by file, unique names, and no cycle of owners.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use lore_model::{
    ContentHash, DefinitionFlags, EdgeKind, EdgeMarks, EdgeRow, FileRow, Import, LineCounts, Modifiers, NONE,
    PathError, Place, RepoPath, Resolution, Snapshot, SnapshotBuilder, SymbolKind, SymbolRow, Text, TextRange, U32,
    UnresolvedRow, VariableRow, VariableUse, Visibility, summary_len,
};
use sha1::{Digest, Sha1};

use crate::consumer::untrusted::is_hidden;
use lore_base::excerpt::excerpt;

/// A graph that is not yet a snapshot. Numbers are those of the lists.
#[derive(Clone, Debug, Default)]
pub struct GraphRows<'a> {
    /// The files.
    pub files: Vec<FileDraft<'a>>,
    /// The symbols; those of a file in their order.
    pub symbols: Vec<SymbolDraft<'a>>,
    /// The names of what lies outside.
    pub externals: Vec<Cow<'a, str>>,
    /// The edges; those of a symbol in their order.
    pub edges: Vec<EdgeDraft>,
    /// The lines of edges.
    pub edge_lines: Vec<u32>,
    /// Calls that lead nowhere known.
    pub unresolved: Vec<UnresolvedDraft<'a>>,
    /// What functions define and use.
    pub variables: Vec<VariableDraft<'a>>,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct FileDraft<'a> {
    /// Its path from the root.
    pub path: Cow<'a, str>,
    /// Its language.
    pub language: Cow<'a, str>,
    /// Its content.
    pub hash: ContentHash,
    /// Its size.
    pub bytes: u32,
    /// Lines with code, with comment alone, and with nothing.
    pub lines: [u32; 3],
    /// The symbol of the module that it belongs to.
    pub module: Option<u32>,
    /// What it imports, in order.
    pub imports: Vec<ImportDraft<'a>>,
    /// Whether it is a test file.
    pub is_test: bool,
}

/// A name that an import binds, as [`lore_model::Import`] has it.
#[derive(Clone, Debug, Default)]
pub struct ImportDraft<'a> {
    /// The module as written.
    pub module: Cow<'a, str>,
    /// The name imported from it.
    pub name: Cow<'a, str>,
    /// The name bound here.
    pub local: Cow<'a, str>,
    /// The name under which it is handed on.
    pub handed_on: Cow<'a, str>,
    /// The line.
    pub line: u32,
    /// [`lore_model::ImportFlags`].
    pub flags: u8,
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct SymbolDraft<'a> {
    /// The bare name.
    pub name: Cow<'a, str>,
    /// The qualified name; nothing if it is the bare one.
    pub qualified: Option<Cow<'a, str>>,
    /// What it is.
    pub kind: SymbolKind,
    /// Its file.
    pub file: u32,
    /// The symbol it belongs to.
    pub parent: Option<u32>,
    /// Line and column of the name, first and last line of all of it.
    pub place: [u32; 4],
    /// The declaration.
    pub signature: Cow<'a, str>,
    /// The doc comment.
    pub doc: Cow<'a, str>,
    /// Who may use it.
    pub visibility: Visibility,
    /// Its modifiers.
    pub modifiers: Modifiers,
    /// Its complexity; 0 for what has none.
    pub complexity: u32,
    /// Its decorators.
    pub decorators: Vec<Cow<'a, str>>,
    /// [`DefinitionFlags`].
    pub flags: u8,
}

impl<'a> SymbolDraft<'a> {
    /// A symbol of a file of which nothing more is known.
    pub fn new(kind: SymbolKind, file: u32) -> Self {
        Self {
            name: Cow::default(),
            qualified: None,
            kind,
            file,
            parent: None,
            place: [1; 4],
            signature: Cow::default(),
            doc: Cow::default(),
            visibility: Visibility::Public,
            modifiers: Modifiers::default(),
            complexity: 0,
            decorators: Vec::new(),
            flags: 0,
        }
    }

    fn qualified(&self) -> &str {
        self.qualified.as_deref().unwrap_or(&self.name)
    }
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// To a symbol.
    Symbol(u32),
    /// Outside.
    External(u32),
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeDraft {
    /// The symbol it starts from.
    pub source: u32,
    /// Where it leads.
    pub target: Target,
    /// What it says.
    pub kind: EdgeKind,
    /// How it is known.
    pub resolution: Resolution,
    /// What is known about its mentions.
    pub marks: EdgeMarks,
    /// The file that its lines are in; the file of its source if there is none.
    pub file: Option<u32>,
    /// The first of its lines, by number, and how many there are.
    pub lines: (u32, u32),
}

/// A call that leads nowhere known.
#[derive(Clone, Debug)]
pub struct UnresolvedDraft<'a> {
    /// Who calls.
    pub symbol: u32,
    /// The line.
    pub line: u32,
    /// The name that is called, or nothing.
    pub name: Cow<'a, str>,
}

/// A variable of a function.
#[derive(Clone, Debug)]
pub struct VariableDraft<'a> {
    /// The function.
    pub symbol: u32,
    /// Its name.
    pub name: Cow<'a, str>,
    /// What the function does to it.
    pub usage: VariableUse,
}

/// Why rows give no graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowsFault {
    /// A path that no file of a repository has.
    Path(String, PathError),
    /// Two files have this path.
    PathTwice(String),
    /// The file of a symbol does not exist.
    NoFile(String),
    /// The owners of this symbol lead back to it.
    Circle(String),
    /// A symbol has no name.
    NoName(String),
}

impl fmt::Display for RowsFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path, fault) => write!(formatter, "invalid path `{}` of a file: {fault}", shown(path)),
            Self::PathTwice(path) => write!(formatter, "two files have the path `{}`", shown(path)),
            Self::NoFile(name) => write!(formatter, "the symbol `{}` has no file", shown(name)),
            Self::Circle(name) => write!(formatter, "the owners of the symbol `{}` form a cycle", shown(name)),
            Self::NoName(path) => write!(formatter, "a symbol in {} has no name", shown(path)),
        }
    }
}

impl std::error::Error for RowsFault {}

/// Characters of third-party text in an error.
const SHOWN: usize = 120;

/// Third-party text for an error: on one line and cut.
pub(crate) fn shown(text: &str) -> String {
    excerpt(text, SHOWN)
}

/// How many lines a text may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TextKind {
    /// One.
    Line,
    /// Any number.
    Lines,
}

/// Removes invisible characters. A text that would become empty is replaced by a mark.
fn visible(text: &mut Cow<'_, str>, kind: TextKind) {
    let is_kept = |letter: char| kind == TextKind::Lines && matches!(letter, '\n' | '\t');
    let is_plain = |byte: u8| (b' '..0x7f).contains(&byte) || is_kept(char::from(byte));
    let is_break = |letter: char| matches!(letter, '\n' | '\t' | '\r' | '\u{2028}' | '\u{2029}');
    let is_other = |letter: char| (is_hidden(letter) || is_break(letter)) && !is_kept(letter);
    if text.bytes().all(is_plain) || !text.contains(is_other) {
        return;
    }
    let letters = text.chars().filter_map(|letter| match letter {
        letter if is_kept(letter) => Some(letter),
        letter if is_break(letter) => Some(' '),
        letter => (!is_hidden(letter)).then_some(letter),
    });
    let mut clean: String = letters.collect();
    if clean.trim().is_empty() {
        clean = char::REPLACEMENT_CHARACTER.to_string();
    }
    *text = Cow::Owned(clean);
}

impl GraphRows<'_> {
    /// The snapshot of these rows. Edges and parents with unknown numbers are left out.
    ///
    /// Whoever made them is a stranger: what steers a terminal, hides or turns letters around is taken out of every text first (clause C8).
    pub fn snapshot(&mut self) -> Result<Snapshot, RowsFault> {
        self.each_text(&mut |text, kind| visible(text, kind));
        self.written()
    }

    fn each_text(&mut self, change: &mut dyn FnMut(&mut Cow<'_, str>, TextKind)) {
        for file in &mut self.files {
            change(&mut file.path, TextKind::Line);
            change(&mut file.language, TextKind::Line);
            for import in &mut file.imports {
                let texts = [
                    &mut import.module,
                    &mut import.name,
                    &mut import.local,
                    &mut import.handed_on,
                ];
                texts.into_iter().for_each(|text| change(text, TextKind::Line));
            }
        }
        for symbol in &mut self.symbols {
            change(&mut symbol.name, TextKind::Line);
            change(&mut symbol.signature, TextKind::Line);
            change(&mut symbol.doc, TextKind::Lines);
            let texts = symbol.qualified.iter_mut().chain(&mut symbol.decorators);
            texts.for_each(|text| change(text, TextKind::Line));
        }
        let outside = self.externals.iter_mut();
        let lost = self.unresolved.iter_mut().map(|call| &mut call.name);
        let variables = self.variables.iter_mut().map(|variable| &mut variable.name);
        outside
            .chain(lost)
            .chain(variables)
            .for_each(|text| change(text, TextKind::Line));
    }

    fn written(&self) -> Result<Snapshot, RowsFault> {
        let files = self.file_order()?;
        let symbols = self.symbol_order(&files)?;
        self.check_owners()?;
        let mut writer = Writer {
            rows: self,
            builder: SnapshotBuilder::new(0, 0, self.tree_digest(&files)),
            symbols,
            file_places: places(&files),
            names: HashSet::new(),
            numbers: HashMap::new(),
        };
        let text = self
            .symbols
            .iter()
            .map(|symbol| symbol.qualified().len() + symbol.doc.len());
        writer.builder.reserve(self.symbols.len(), text.sum());
        writer.files(&files);
        writer.variables();
        writer.edges();
        writer.unresolved();
        Ok(writer.builder.finish())
    }

    /// The numbers of the files, by path.
    fn file_order(&self) -> Result<Vec<u32>, RowsFault> {
        for file in &self.files {
            RepoPath::new(&file.path).map_err(|fault| RowsFault::Path(file.path.to_string(), fault))?;
        }
        let mut order: Vec<(&str, u32)> = self.files.iter().map(|file| &*file.path).zip(0..).collect();
        order.sort_unstable();
        match order
            .windows(2)
            .find(|pair| matches!(pair, [(left, _), (right, _)] if left == right))
        {
            Some(pair) => Err(RowsFault::PathTwice(pair[0].0.to_owned())),
            None => Ok(order.into_iter().map(|(_, number)| number).collect()),
        }
    }

    /// The symbols in the order of the snapshot: with their files, and in the order in which they came.
    fn symbol_order(&self, files: &[u32]) -> Result<Order, RowsFault> {
        let mut rank = vec![0; self.files.len()];
        for (place, number) in (0_u32..).zip(files) {
            if let Some(slot) = rank.get_mut(*number as usize) {
                *slot = place;
            }
        }
        let mut keyed = Vec::with_capacity(self.symbols.len());
        for (number, symbol) in (0..).zip(&self.symbols) {
            let Some(place) = rank.get(symbol.file as usize) else {
                return Err(RowsFault::NoFile(symbol.qualified().to_owned()));
            };
            if symbol.name.is_empty() {
                let path = self.files.get(symbol.file as usize).map(|file| file.path.to_string());
                return Err(RowsFault::NoName(path.unwrap_or_default()));
            }
            keyed.push((*place, number));
        }
        keyed.sort_unstable();
        let by_place: Vec<u32> = keyed.into_iter().map(|(_, number)| number).collect();
        let mut place_of = vec![NONE; self.symbols.len()];
        for (place, number) in (0..).zip(&by_place) {
            if let Some(slot) = place_of.get_mut(*number as usize) {
                *slot = place;
            }
        }
        Ok(Order { by_place, place_of })
    }

    /// Refuses cycles of owners, so that following owners always ends.
    fn check_owners(&self) -> Result<(), RowsFault> {
        let parent = |number: u32| self.symbols.get(number as usize)?.parent;
        // The walk that came by first, from one.
        let mut walks = vec![0_u32; self.symbols.len()];
        for (walk, start) in (1..).zip(0..self.symbols.len() as u32) {
            let mut at = Some(start);
            while let Some(number) = at {
                match walks.get_mut(number as usize) {
                    Some(seen) if *seen == 0 => *seen = walk,
                    Some(seen) if *seen == walk => {
                        let name = self
                            .symbols
                            .get(number as usize)
                            .map(|symbol| symbol.qualified().to_owned());
                        return Err(RowsFault::Circle(name.unwrap_or_default()));
                    }
                    _ => break,
                }
                at = parent(number);
            }
        }
        Ok(())
    }

    /// The digest of all paths and contents, as it is made of a tree on this machine.
    fn tree_digest(&self, files: &[u32]) -> ContentHash {
        let mut hasher = Sha1::new();
        for file in files.iter().filter_map(|number| self.files.get(*number as usize)) {
            hasher.update(file.hash.0);
            hasher.update(file.path.as_bytes());
            hasher.update([0]);
        }
        ContentHash(hasher.finalize().into())
    }
}

/// Numbers by place, and places by number.
struct Order {
    by_place: Vec<u32>,
    place_of: Vec<u32>,
}

impl Order {
    fn place(&self, number: u32) -> Option<u32> {
        self.place_of.get(number as usize).copied()
    }
}

/// The inverse of a permutation.
fn places(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, number) in (0..).zip(order) {
        if let Some(slot) = places.get_mut(*number as usize) {
            *slot = place;
        }
    }
    places
}

struct Writer<'r, 'a> {
    rows: &'r GraphRows<'a>,
    builder: SnapshotBuilder,
    symbols: Order,
    /// By number of a file: its row in the snapshot.
    file_places: Vec<u32>,
    /// The qualified names that were given.
    names: HashSet<Cow<'r, str>>,
    /// How often a qualified name was asked for.
    numbers: HashMap<&'r str, u32>,
}

impl<'r> Writer<'r, '_> {
    fn files(&mut self, order: &[u32]) {
        let rows = self.rows;
        let mut languages: Vec<&str> = rows.files.iter().map(|file| &*file.language).collect();
        languages.sort_unstable();
        languages.dedup();
        for language in &languages {
            let text = self.builder.text.push(language);
            self.builder.languages.push(text);
        }
        let by_place = std::mem::take(&mut self.symbols.by_place);
        let mut rest = by_place.as_slice();
        for (place, number) in (0..).zip(order) {
            let Some(file) = rows.files.get(*number as usize) else {
                continue;
            };
            let path = self.builder.text.push(&file.path);
            let [code, comment, blank] = file.lines.map(U32::from);
            let module = file.module.and_then(|module| self.symbols.place(module));
            let language = languages.binary_search(&&*file.language).unwrap_or(0);
            self.builder.files.push(FileRow {
                path,
                hash: file.hash,
                language: (language as u32).into(),
                bytes: file.bytes.into(),
                lines: LineCounts { code, comment, blank },
                module: module.unwrap_or(NONE).into(),
                first_symbol: self.builder.symbol_count().into(),
                first_import: (self.builder.imports.len() as u32).into(),
                first_diagnostic: 0.into(),
                is_test: u8::from(file.is_test),
            });
            let symbol = |number: &u32| rows.symbols.get(*number as usize);
            let own = rest.partition_point(|at| symbol(at).is_some_and(|symbol| symbol.file == *number));
            let (mine, others) = rest.split_at(own);
            rest = others;
            for symbol in mine.iter().filter_map(symbol) {
                self.symbol(place, symbol);
            }
            self.imports(file, module);
        }
    }

    fn symbol(&mut self, file: u32, symbol: &'r SymbolDraft<'_>) {
        let qualified = self.unique(symbol.qualified());
        let qualified = self.builder.text.push(&qualified);
        let name = self.builder.text.push(&symbol.name);
        let [line, column, start_line, end_line] = symbol.place;
        let lists = self.builder.lists.len();
        for decorator in &symbol.decorators {
            let text = self.builder.text.push(decorator);
            self.builder.lists.push(text);
        }
        let parent = symbol.parent.and_then(|parent| self.symbols.place(parent));
        let row = SymbolRow {
            name,
            prefix: None,
            qualified,
            kind: symbol.kind as u8,
            file,
            parent: parent.unwrap_or(NONE),
            place: Place {
                line: line.into(),
                column: column.into(),
                start_line: start_line.min(line).into(),
                end_line: end_line.max(line).into(),
                start_byte: 0.into(),
                end_byte: 0.into(),
            },
            signature: self.builder.text.push(&symbol.signature),
            doc: self.builder.text.push(&symbol.doc),
            summary_len: summary_len(&symbol.doc),
            visibility: symbol.visibility as u8,
            modifiers: symbol.modifiers.0,
            complexity: symbol.complexity,
            decorators: TextRange {
                start: (lists as u32).into(),
                len: ((self.builder.lists.len() - lists) as u32).into(),
            },
            flags: symbol.flags
                & (DefinitionFlags::ANONYMOUS
                    | DefinitionFlags::LOCAL
                    | DefinitionFlags::ENTRY_POINT
                    | DefinitionFlags::DECLARED),
        };
        self.builder.push_symbol(&row);
    }

    /// A name that no other symbol has: the second that asks for one is numbered.
    fn unique(&mut self, name: &'r str) -> Cow<'r, str> {
        let asked = self.numbers.entry(name).or_insert(0);
        let mut found = Cow::Borrowed(name);
        *asked += 1;
        while *asked > 1 || self.names.contains(&found) {
            *asked = (*asked).max(2);
            found = Cow::Owned(format!("{name}#{asked}"));
            if !self.names.contains(&found) {
                break;
            }
            *asked += 1;
        }
        self.names.insert(found.clone());
        found
    }

    fn imports(&mut self, file: &FileDraft<'_>, module: Option<u32>) {
        for import in &file.imports {
            let mut push = |text: &str| self.builder.text.push(text);
            let row = Import {
                module: push(&import.module),
                name: push(&import.name),
                local: push(&import.local),
                handed_on: push(&import.handed_on),
                line: import.line.into(),
                scope: module.unwrap_or(NONE).into(),
                flags: import.flags,
                padding: [0; 3],
            };
            self.builder.imports.push(row);
        }
    }

    fn variables(&mut self) {
        let rows = self.rows;
        let mut found: Vec<(u32, u8, &str)> = rows
            .variables
            .iter()
            .filter_map(|row| Some((self.symbols.place(row.symbol)?, row.usage as u8, &*row.name)))
            .collect();
        found.sort_unstable();
        found.dedup();
        for (symbol, usage, name) in found {
            let name = self.builder.text.push(name);
            self.builder.push_variable(symbol, VariableRow { name, usage });
        }
    }

    fn edges(&mut self) {
        let rows = self.rows;
        self.builder.externals = rows.externals.iter().map(|name| self.builder.text.push(name)).collect();
        let externals = rows.externals.len();
        let row = |edge: &EdgeDraft| {
            let (is_external, target) = match edge.target {
                Target::Symbol(number) => (0, self.symbols.place(number)?),
                Target::External(number) if (number as usize) < externals => (1, number),
                Target::External(_) => return None,
            };
            let source = self.symbols.place(edge.source)?;
            let file = edge.file.and_then(|file| self.file_places.get(file as usize).copied());
            Some(EdgeRow {
                source: source.into(),
                kind: edge.kind as u8,
                is_external,
                resolution: edge.resolution as u8,
                marks: edge.marks.0,
                target: target.into(),
                file: file.unwrap_or_else(|| self.builder.file_of(source)).into(),
                lines: edge.lines.0.into(),
                line_count: edge.lines.1.into(),
            })
        };
        let mut edges: Vec<EdgeRow> = rows.edges.iter().filter_map(row).collect();
        // Edges of a symbol stay in the order in which they came, which is that of whoever made the graph.
        edges.sort_by_key(|edge| (edge.source.get(), edge.kind));
        self.builder.edges = edges;
        self.builder.edge_lines = rows.edge_lines.iter().map(|line| U32::from(*line)).collect();
    }

    fn unresolved(&mut self) {
        let rows = self.rows;
        let mut found: Vec<(u32, u32, &str)> = rows
            .unresolved
            .iter()
            .filter_map(|row| Some((self.symbols.place(row.symbol)?, row.line, &*row.name)))
            .collect();
        found.sort_unstable();
        for (symbol, line, name) in found {
            let name: Text = self.builder.text.push(name);
            self.builder.unresolved.push(UnresolvedRow {
                symbol: symbol.into(),
                file: self.builder.file_of(symbol).into(),
                line: line.into(),
                name,
                is_cut: 0,
            });
        }
    }
}
