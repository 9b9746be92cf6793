//! Code graphs from text, for tests.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lore_model::{
    CodeGraph, ContentHash, DefinitionFlags, EdgeKind, EdgeMarks, EdgeRow, FactsDiagnostic, FileRow, Import,
    ImportFlags, LineCounts, Modifier, Modifiers, NONE, Place, Resolution, SkipReason, SkippedRow, SnapshotBuilder,
    SymbolKind, SymbolRow, Text, TextRange, UnresolvedRow, Visibility,
};

/// A graph from lines. Quotation marks hold a value with blanks together.
///
/// - `file PATH LANGUAGE [module=NAME] [doc="…"] [loc=N] [comment=N] [blank=N] [size=N] [hash=N] [test]`: files are in
///   path order. The first file of a module has the module's symbol. `hash` repeats one byte.
/// - `sym QUALIFIED KIND [line=N] [column=N] [lines=N] [bytes=START..END] [complexity=N] [sig="…"] [doc="…"]
///   [@DECORATOR] [WORD…]`: a symbol of the last file. A word is a visibility, a modifier, or one of `anonymous`,
///   `entry`, `local`, `declared`. The parent is the longest earlier name that the name begins with.
/// - `use MODULE NAME [as=NAME] [line=N] [reexport]`: an import of the last file.
/// - `declare LINE`: a declaration of a part of the module, in the last file.
/// - `broken LINE COLUMN MESSAGE`: a syntax error in the last file.
/// - `edge FROM KIND TO [RESOLUTION] [at=LINE,…] [file=PATH] [MARK…]`: a target that is not a symbol is external. The file is
///   that of FROM unless given. The marks are `named`, `more`, `open`, `implicit`, and `runs` for none; without a mark, the edge
///   is `named`.
/// - `lost FROM LINE [NAME] [cut]`: a call without a known target; `cut` says that a bound dropped targets.
/// - `skip PATH REASON [DETAIL]`: a file that is not part of the graph.
pub fn graph(lines: &str) -> CodeGraph {
    let mut fixture = Fixture {
        builder: SnapshotBuilder::new(1, 0, ContentHash::default()),
        numbers: HashMap::new(),
        edges: Vec::new(),
        lost: Vec::new(),
    };
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        fixture.line(&words(line));
    }
    fixture.finish()
}

struct Fixture {
    builder: SnapshotBuilder,
    numbers: HashMap<String, u32>,
    edges: Vec<EdgeLine>,
    lost: Vec<(u32, u32, String, bool)>,
}

/// A line that begins with `edge`.
struct EdgeLine {
    source: u32,
    kind: EdgeKind,
    target: String,
    resolution: Resolution,
    marks: EdgeMarks,
    file: Option<String>,
    lines: Vec<u32>,
}

/// The words of a line. Blanks between quotation marks do not end a word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => words.last_mut().expect("there is one").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Fixture {
    fn line(&mut self, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["file", path, language, rest @ ..] => self.file(path, language, rest),
            ["sym", name, kind, rest @ ..] => {
                let kind = SymbolKind::from_name(kind).expect(kind);
                self.symbol(name, kind, rest);
            }
            ["use", module, name, rest @ ..] => {
                let flags = if rest.contains(&"reexport") {
                    ImportFlags::REEXPORT
                } else {
                    0
                };
                let fields = fields(rest);
                let local = fields.get("as").copied().unwrap_or(name);
                self.import((module, name, local), number(&fields, "line", 1), flags);
            }
            ["declare", line] => self.import(("", "", ""), line.parse().expect(line), ImportFlags::MODULE),
            ["broken", line, column, message] => {
                let message = self.builder.text.push(message);
                self.builder.diagnostics.push(FactsDiagnostic {
                    message,
                    line: line.parse::<u32>().expect(line).into(),
                    column: column.parse::<u32>().expect(column).into(),
                });
            }
            ["lost", from, line, rest @ ..] => {
                let from = *self.numbers.get(*from).expect(from);
                let name = rest.first().copied().unwrap_or_default();
                let is_cut = rest.get(1) == Some(&"cut");
                self.lost
                    .push((from, line.parse().expect(line), name.to_owned(), is_cut));
            }
            ["skip", path, reason, rest @ ..] => {
                let (path, detail) = (
                    self.builder.text.push(path),
                    self.builder.text.push(rest.first().copied().unwrap_or_default()),
                );
                let reason = SkipReason::from_name(reason).expect(reason) as u8;
                self.builder.skipped.push(SkippedRow { path, detail, reason });
            }
            ["edge", from, kind, to, rest @ ..] => {
                let resolution = rest.iter().find_map(|word| Resolution::from_name(word));
                let marks = rest.iter().filter_map(|word| EdgeMarks::from_name(word));
                let marks = marks.fold(EdgeMarks::default(), EdgeMarks::with);
                let is_plain = marks == EdgeMarks::default() && !rest.contains(&"runs");
                let fields = fields(rest);
                self.edges.push(EdgeLine {
                    source: *self.numbers.get(*from).expect(from),
                    kind: EdgeKind::from_name(kind).expect(kind),
                    target: (*to).to_owned(),
                    resolution: resolution.unwrap_or(Resolution::Exact),
                    marks: if is_plain { EdgeMarks::NAMED } else { marks },
                    file: fields.get("file").map(|path| (*path).to_owned()),
                    lines: numbers(fields.get("at").copied().unwrap_or("1"), ','),
                });
            }
            words => unreachable!("{words:?}"),
        }
    }

    fn import(&mut self, (module, name, local): (&str, &str, &str), line: u32, flags: u8) {
        let (module, name, local) = (
            self.builder.text.push(module),
            self.builder.text.push(name),
            self.builder.text.push(local),
        );
        self.builder.imports.push(Import {
            module,
            name,
            local,
            handed_on: Text::default(),
            line: line.into(),
            scope: NONE.into(),
            flags,
            padding: [0; 3],
        });
    }

    fn file(&mut self, path: &str, language: &str, rest: &[&str]) {
        let known =
            (0..self.builder.languages.len()).find(|at| self.builder.text.get(self.builder.languages[*at]) == language);
        let language = known.unwrap_or_else(|| {
            let name = self.builder.text.push(language);
            self.builder.languages.push(name);
            self.builder.languages.len() - 1
        });
        let path = self.builder.text.push(path);
        let fields = fields(rest);
        self.builder.files.push(FileRow {
            path,
            language: (language as u32).into(),
            lines: LineCounts {
                code: number(&fields, "loc", 10).into(),
                comment: number(&fields, "comment", 0).into(),
                blank: number(&fields, "blank", 0).into(),
            },
            bytes: number(&fields, "size", 0).into(),
            hash: ContentHash([number(&fields, "hash", 0) as u8; 20]),
            first_diagnostic: (self.builder.diagnostics.len() as u32).into(),
            module: NONE.into(),
            first_symbol: self.builder.symbol_count().into(),
            first_import: (self.builder.imports.len() as u32).into(),
            is_test: u8::from(rest.contains(&"test")),
        });
        if let Some(module) = fields.get("module") {
            let known = self.numbers.get(*module).copied();
            let id = known.unwrap_or_else(|| self.symbol(module, SymbolKind::Module, rest));
            self.builder.files.last_mut().expect("it was pushed").module = id.into();
        }
    }

    fn symbol(&mut self, name: &str, kind: SymbolKind, rest: &[&str]) -> u32 {
        let fields = fields(rest);
        let get = |key: &str| fields.get(key).copied().unwrap_or_default();
        let separators: &[char] = &['.', ':', '/', '\\'];
        let parent = name
            .rmatch_indices(separators)
            .find_map(|(at, _)| self.numbers.get(&name[..at]).copied())
            .filter(|_| kind != SymbolKind::Module);
        let bare = name.rsplit(separators).next().expect("there is one");
        let bare = if kind == SymbolKind::Module { name } else { bare };
        let bare = bare.split('#').next().expect("there is one");
        let mut modifiers = Modifiers::default();
        let (mut flags, mut visibility) = (0, Visibility::Public);
        let lists = self.builder.lists.len();
        for word in rest {
            match *word {
                "anonymous" => flags |= DefinitionFlags::ANONYMOUS,
                "entry" => flags |= DefinitionFlags::ENTRY_POINT,
                "local" => flags |= DefinitionFlags::LOCAL,
                "declared" => flags |= DefinitionFlags::DECLARED,
                word => {
                    visibility = Visibility::from_name(word).unwrap_or(visibility);
                    Modifier::from_name(word)
                        .into_iter()
                        .for_each(|one| modifiers.insert(one));
                    if let Some(decorator) = word.strip_prefix('@') {
                        let text = self.builder.text.push(decorator);
                        self.builder.lists.push(text);
                    }
                }
            }
        }
        let line = number(&fields, "line", 1);
        let doc = get("doc");
        let summary_len = doc.find(". ").map_or(doc.len(), |at| at + 1) as u32;
        let bytes = numbers(fields.get("bytes").copied().unwrap_or("0..0"), '.');
        let text = &mut self.builder.text;
        let row = SymbolRow {
            name: text.push(bare),
            prefix: None,
            qualified: text.push(name),
            kind: kind as u8,
            file: self.builder.files.len() as u32 - 1,
            parent: parent.unwrap_or(NONE),
            place: Place {
                line: line.into(),
                column: number(&fields, "column", 1).into(),
                start_line: line.into(),
                end_line: (line + number(&fields, "lines", 1) - 1).into(),
                start_byte: bytes[0].into(),
                end_byte: bytes[1].into(),
            },
            signature: text.push(get("sig")),
            doc: text.push(doc),
            summary_len,
            visibility: visibility as u8,
            modifiers: modifiers.0,
            complexity: number(&fields, "complexity", u32::from(kind.is_callable())),
            decorators: TextRange {
                start: (lists as u32).into(),
                len: ((self.builder.lists.len() - lists) as u32).into(),
            },
            flags,
        };
        let id = self.builder.symbol_count();
        self.builder.push_symbol(&row);
        self.numbers.insert(name.to_owned(), id);
        id
    }

    fn finish(mut self) -> CodeGraph {
        let mut externals: BTreeMap<String, u32> = BTreeMap::new();
        let file_at = |builder: &SnapshotBuilder, path: &str| {
            let paths = builder.files.iter().map(|row| builder.text.get(row.path));
            paths.zip(0u32..).find(|(other, _)| *other == path).expect(path).1
        };
        for edge in &self.edges {
            let to = &edge.target;
            let target = self.numbers.get(to).copied();
            let outside = externals.len() as u32;
            let number = target.unwrap_or_else(|| {
                *externals.entry(to.clone()).or_insert_with(|| {
                    let name = self.builder.text.push(to);
                    self.builder.externals.push(name);
                    outside
                })
            });
            self.builder.edges.push(EdgeRow {
                source: edge.source.into(),
                kind: edge.kind as u8,
                is_external: u8::from(target.is_none()),
                resolution: edge.resolution as u8,
                marks: edge.marks.0,
                target: number.into(),
                file: match &edge.file {
                    Some(path) => file_at(&self.builder, path),
                    None => self.builder.file_of(edge.source),
                }
                .into(),
                lines: (self.builder.edge_lines.len() as u32).into(),
                line_count: (edge.lines.len() as u32).into(),
            });
            for line in &edge.lines {
                self.builder.edge_lines.push((*line).into());
            }
        }
        self.builder.edges.sort_by_key(|edge| {
            let target = (edge.is_external, edge.target.get());
            (edge.source.get(), edge.kind, target, edge.file.get())
        });
        self.lost.sort();
        for (symbol, line, name, is_cut) in &self.lost {
            let name = self.builder.text.push(name);
            self.builder.unresolved.push(UnresolvedRow {
                symbol: (*symbol).into(),
                file: self.builder.file_of(*symbol).into(),
                line: (*line).into(),
                name,
                is_cut: u8::from(*is_cut),
            });
        }
        CodeGraph::open(Arc::new(self.builder.finish().to_bytes())).expect("it is a snapshot")
    }
}

fn fields<'a>(words: &[&'a str]) -> HashMap<&'a str, &'a str> {
    words.iter().filter_map(|word| word.split_once('=')).collect()
}

fn number(fields: &HashMap<&str, &str>, key: &str, default: u32) -> u32 {
    fields.get(key).map_or(default, |text| text.parse().expect(text))
}

fn numbers(text: &str, separator: char) -> Vec<u32> {
    let parts = text.split(separator).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().expect(part)).collect()
}
