//! Whether the sections of a snapshot agree with each other.
//!
//! Opening checks what every accessor relies on: whole rows, one row per symbol in each column, and starts that rise and end
//! within the rows that they group. These are linear scans of small columns. [`CodeGraph::verify`] also checks each row.

use super::names::JoinedName;
use super::{
    BoundRow, CodeGraph, DocText, EdgeRow, FactsDiagnostic, FileRow, Import, MAX_NESTING, Meta, NONE, Place, Section,
    SectionError, SkippedRow, SnapshotError, Text, TextRange, U32, UnresolvedRow, VariableRow,
};

/// Texts of one column may overlap, but not so often that their sum exceeds the text by this factor.
const MAX_REPEATED: u64 = 16;
/// Bytes that each row adds to that limit: rows may share a short text.
const SHARED: u64 = 1_024;

type Checked = Result<(), SnapshotError>;

fn bad(section: Section) -> SnapshotError {
    SectionError::BadSection(section as u32).into()
}

fn holds(condition: bool, section: Section) -> Checked {
    if condition { Ok(()) } else { Err(bad(section)) }
}

/// Whether numbers never fall and the last is at most `most`. Branches only once per block, so that it runs at memory speed.
fn rises(starts: &[U32], most: usize) -> bool {
    let ends_within = starts.last().is_none_or(|last| last.get() as usize <= most);
    let is_sorted = |block: &[U32]| {
        let pairs = block.iter().zip(block.iter().skip(1));
        !pairs.fold(false, |falls, (left, right)| falls | (left.get() > right.get()))
    };
    let seams = || {
        (0..starts.len())
            .step_by(BLOCK)
            .map(|at| &starts[at..(at + BLOCK + 1).min(starts.len())])
    };
    ends_within && seams().all(is_sorted)
}

const BLOCK: usize = 1_024;

/// Whether every number is below `limit`.
fn below(numbers: &[U32], limit: usize) -> bool {
    numbers.chunks(BLOCK).all(|block| {
        !block
            .iter()
            .fold(false, |any, number| any | (number.get() as usize >= limit))
    })
}

impl CodeGraph {
    /// Checks what every accessor relies on.
    pub(super) fn check_shape(&self) -> Checked {
        let symbols = self.symbol_count();
        self.whole_rows()?;
        for (section, width) in [
            (Section::SymbolName, 4),
            (Section::SymbolPrefix, 4),
            (Section::SymbolQualified, size_of::<Text>()),
            (Section::SymbolFile, 4),
            (Section::SymbolParent, 4),
            (Section::SymbolPlace, size_of::<Place>()),
            (Section::SymbolSignature, size_of::<Text>()),
            (Section::SymbolDoc, size_of::<DocText>()),
            (Section::SymbolVisibility, 1),
            (Section::SymbolModifiers, 4),
            (Section::SymbolComplexity, 4),
            (Section::SymbolDecorators, size_of::<TextRange>()),
            (Section::SymbolFlags, 1),
            (Section::SymbolImportance, 4),
            (Section::NameOrder, 4),
        ] {
            holds(self.section(section).len() == symbols * width, section)?;
        }
        // Edges start from a symbol and symbols are in a file, so that an id in range always exists.
        holds(symbols < NONE as usize, Section::SymbolKind)?;
        holds(symbols > 0 || self.edge_count() == 0, Section::Edges)?;
        holds(symbols > 0 || self.unresolved_count() == 0, Section::Unresolved)?;
        holds(symbols == 0 || self.file_count() > 0, Section::Files)?;
        let names = self.column::<Text>(Section::Names).len();
        for (starts, groups, rows) in [
            (
                Section::ChildStarts,
                symbols,
                self.column::<U32>(Section::Children).len(),
            ),
            (Section::EdgeStarts, symbols, self.edge_count()),
            (
                Section::IncomingStarts,
                symbols,
                self.column::<U32>(Section::Incoming).len(),
            ),
            (
                Section::VariableStarts,
                symbols,
                self.column::<VariableRow>(Section::Variables).len(),
            ),
            (Section::NameStarts, names, symbols),
        ] {
            let column = self.column::<U32>(starts);
            holds(column.len() == groups + 1 && rises(column, rows), starts)?;
        }
        let files = self.column::<FileRow>(Section::Files);
        let falls = |of: fn(&FileRow) -> u32| files.windows(2).any(|pair| of(&pair[0]) > of(&pair[1]));
        let any_falls = falls(|row| row.first_symbol.get())
            || falls(|row| row.first_import.get())
            || falls(|row| row.first_diagnostic.get());
        holds(!any_falls, Section::Files)
    }

    /// Checks that no section ends within a row.
    fn whole_rows(&self) -> Checked {
        for (section, width) in [
            (Section::Meta, size_of::<Meta>()),
            (Section::Languages, size_of::<Text>()),
            (Section::Files, size_of::<FileRow>()),
            (Section::Lists, size_of::<Text>()),
            (Section::ChildStarts, 4),
            (Section::Children, 4),
            (Section::Names, size_of::<Text>()),
            (Section::NameStarts, 4),
            (Section::Imports, size_of::<Import>()),
            (Section::Diagnostics, size_of::<FactsDiagnostic>()),
            (Section::Skipped, size_of::<SkippedRow>()),
            (Section::Edges, size_of::<EdgeRow>()),
            (Section::EdgeStarts, 4),
            (Section::EdgeLines, 4),
            (Section::Incoming, 4),
            (Section::IncomingStarts, 4),
            (Section::Externals, size_of::<Text>()),
            (Section::Unresolved, size_of::<UnresolvedRow>()),
            (Section::Bounds, size_of::<BoundRow>()),
            (Section::Variables, size_of::<VariableRow>()),
            (Section::VariableStarts, 4),
        ] {
            let len = self.section(section).len();
            holds(len.is_multiple_of(width) && len / width < NONE as usize, section)?;
        }
        holds(self.section(Section::Meta).len() == size_of::<Meta>(), Section::Meta)
    }

    /// Checks every row.
    pub(super) fn check_rows(&self) -> Checked {
        self.check_ids()?;
        self.check_texts()?;
        self.check_names()?;
        self.check_nesting()?;
        self.check_edges()
    }

    fn check_ids(&self) -> Checked {
        let symbols = self.symbol_count();
        let column = |section: Section| self.column::<U32>(section);
        let names = self.column::<Text>(Section::Names).len();
        for (starts, rows) in [
            (Section::NameStarts, symbols),
            (Section::EdgeStarts, self.edge_count()),
            (Section::IncomingStarts, column(Section::Incoming).len()),
        ] {
            let ends = column(starts).last().map(|end| end.get() as usize);
            holds(ends == Some(rows), starts)?;
        }
        for (section, limit) in [
            (Section::SymbolName, names),
            (Section::SymbolFile, self.file_count()),
            (Section::NameOrder, symbols),
            (Section::Children, symbols),
            (Section::Incoming, self.edge_count()),
        ] {
            holds(below(column(section), limit), section)?;
        }
        let (order, name_of) = (column(Section::NameOrder), column(Section::SymbolName));
        for name in 0..names {
            let mut run = order[self.run(Section::NameStarts, name, order.len())].iter();
            let bears = |symbol: &U32| name_of[symbol.get() as usize].get() as usize == name;
            holds(run.all(bears), Section::NameOrder)?;
        }
        let lists = self.column::<Text>(Section::Lists).len();
        let ends_within =
            |range: &TextRange| range.len.get() == 0 || range.start.get() as usize + range.len.get() as usize <= lists;
        let decorators = self.column::<TextRange>(Section::SymbolDecorators);
        let all: u64 = decorators.iter().map(|range| u64::from(range.len.get())).sum();
        holds(
            decorators.iter().all(ends_within) && all <= MAX_REPEATED * (lists + symbols) as u64,
            Section::SymbolDecorators,
        )?;
        let unresolved = self.column::<UnresolvedRow>(Section::Unresolved);
        let files = self.file_count();
        let is_known = unresolved
            .iter()
            .all(|row| (row.symbol.get() as usize) < symbols && (row.file.get() as usize) < files);
        holds(
            is_known && unresolved.is_sorted_by_key(|row| row.symbol.get()),
            Section::Unresolved,
        )?;
        let languages = self.column::<Text>(Section::Languages).len();
        let files = self.column::<FileRow>(Section::Files);
        let is_file = |row: &FileRow| {
            let module = row.module.get();
            (row.language.get() as usize) < languages && (module == NONE || (module as usize) < symbols)
        };
        holds(files.iter().all(is_file), Section::Files)?;
        let last = files.last().copied().unwrap_or_default();
        holds(
            last.first_symbol.get() as usize <= symbols
                && last.first_import.get() as usize <= self.column::<Import>(Section::Imports).len()
                && last.first_diagnostic.get() as usize <= self.column::<FactsDiagnostic>(Section::Diagnostics).len(),
            Section::Files,
        )
    }

    fn check_texts(&self) -> Checked {
        fn text<T>(rows: &[T], of: impl Fn(&T) -> Text) -> impl Iterator<Item = Text> {
            rows.iter().map(of)
        }
        let blob = self.section(Section::Text).len() as u64;
        let check = |section: Section, texts: &mut dyn Iterator<Item = Text>, blob: u64| {
            let (mut sum, mut rows) = (0_u64, 0_u64);
            for text in texts {
                let (start, len) = (u64::from(text.start.get()), u64::from(text.len.get()));
                holds(len == 0 || start + len <= blob, section)?;
                sum += len;
                rows += 1;
            }
            holds(sum <= MAX_REPEATED * blob + SHARED * rows, section)
        };
        let names = self.section(Section::NameText).len() as u64;
        check(
            Section::Names,
            &mut text(self.column::<Text>(Section::Names), |text| *text),
            names,
        )?;
        for section in [
            Section::Languages,
            Section::SymbolQualified,
            Section::SymbolSignature,
            Section::Lists,
            Section::Externals,
        ] {
            check(section, &mut text(self.column::<Text>(section), |text| *text), blob)?;
        }
        let docs = self.column::<DocText>(Section::SymbolDoc);
        check(Section::SymbolDoc, &mut text(docs, |row| row.text), blob)?;
        let files = self.column::<FileRow>(Section::Files);
        check(Section::Files, &mut text(files, |row| row.path), blob)?;
        let variables = self.column::<VariableRow>(Section::Variables);
        check(Section::Variables, &mut text(variables, |row| row.name), blob)?;
        let unresolved = self.column::<UnresolvedRow>(Section::Unresolved);
        check(Section::Unresolved, &mut text(unresolved, |row| row.name), blob)?;
        let diagnostics = self.column::<FactsDiagnostic>(Section::Diagnostics);
        check(Section::Diagnostics, &mut text(diagnostics, |row| row.message), blob)?;
        let skipped = self.column::<SkippedRow>(Section::Skipped);
        check(Section::Skipped, &mut text(skipped, |row| row.path), blob)?;
        check(Section::Skipped, &mut text(skipped, |row| row.detail), blob)?;
        let imports = self.column::<Import>(Section::Imports);
        check(Section::Imports, &mut text(imports, |row| row.module), blob)?;
        check(Section::Imports, &mut text(imports, |row| row.name), blob)?;
        check(Section::Imports, &mut text(imports, |row| row.local), blob)?;
        check(Section::Imports, &mut text(imports, |row| row.handed_on), blob)
    }

    /// Checks that the symbol whose qualified name comes first precedes each symbol, and that no whole name exceeds the bounds.
    fn check_names(&self) -> Checked {
        let own_parts = self.column::<Text>(Section::SymbolQualified);
        let mut whole: Vec<JoinedName> = Vec::with_capacity(own_parts.len());
        for (prefix, own) in self.column::<U32>(Section::SymbolPrefix).iter().zip(own_parts) {
            let own = JoinedName::of(*own);
            let joined = match prefix.get() {
                NONE => Some(own),
                prefix => whole.get(prefix as usize).and_then(|before| before.followed_by(own)),
            };
            whole.push(joined.ok_or(bad(Section::SymbolPrefix))?);
        }
        Ok(())
    }

    /// Checks that parents lead to the root within the bound, and that the children of each symbol are those that name it.
    fn check_nesting(&self) -> Checked {
        let parents = self.column::<U32>(Section::SymbolParent);
        let symbols = parents.len();
        holds(
            parents
                .iter()
                .all(|parent| parent.get() == NONE || (parent.get() as usize) < symbols),
            Section::SymbolParent,
        )?;
        let too_deep = crate::nesting::depths(parents)
            .iter()
            .any(|depth| *depth as usize > MAX_NESTING);
        holds(!too_deep, Section::SymbolParent)?;
        let children = self.column::<U32>(Section::Children);
        let owned = parents.iter().filter(|parent| parent.get() != NONE).count();
        holds(children.len() == owned, Section::Children)?;
        for symbol in 0..symbols {
            let run = &children[self.run(Section::ChildStarts, symbol, children.len())];
            let is_child =
                |child: &U32| parents.get(child.get() as usize).map(|parent| parent.get() as usize) == Some(symbol);
            holds(run.iter().all(is_child), Section::Children)?;
            holds(
                run.is_sorted_by(|left, right| left.get() < right.get()),
                Section::Children,
            )?;
        }
        Ok(())
    }

    fn check_edges(&self) -> Checked {
        let (symbols, externals) = (self.symbol_count(), self.external_count());
        let files = self.file_count();
        let edges = self.column::<EdgeRow>(Section::Edges);
        let lines = self.column::<U32>(Section::EdgeLines).len();
        let mut all_lines = 0;
        for edge in edges {
            let targets = if edge.is_external == 0 { symbols } else { externals };
            holds((edge.target.get() as usize) < targets, Section::Edges)?;
            holds((edge.file.get() as usize) < files, Section::Edges)?;
            let (start, count) = (edge.lines.get() as usize, edge.line_count.get() as usize);
            holds(count == 0 || start + count <= lines, Section::Edges)?;
            all_lines += count;
        }
        holds(all_lines <= lines, Section::EdgeLines)?;
        for symbol in 0..symbols {
            let run = &edges[self.run(Section::EdgeStarts, symbol, edges.len())];
            holds(
                run.iter().all(|edge| edge.source.get() as usize == symbol),
                Section::EdgeStarts,
            )?;
        }
        Ok(())
    }
}
