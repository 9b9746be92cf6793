//! Code graphs from lines, for the tests of this folder.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use lore_model::{
    CodeGraph, ContentHash, DefinitionFlags, EdgeKind, EdgeMarks, EdgeRow, FileRow, Import, LineCounts, Modifier,
    Modifiers, NONE, Place, Resolution, SnapshotBuilder, SymbolKind, SymbolRow, Text, TextRange, UnresolvedRow,
    Visibility,
};

/// A graph from lines, in the order of a snapshot; what has blanks in it stands between quotation marks:
///
/// - `file PATH LANGUAGE [module=NAME] [test]`;
/// - `sym QUALIFIED KIND [line=N] [end=N] [in=OWNER] [name=NAME] [sig=…] [doc=…] [deco=…] [WORD…]`, of the last file;
/// - `import MODULE NAME LOCAL`, of the last file;
/// - `edge FROM KIND TO [RESOLUTION] [at=LINE]`; what no symbol is called lies outside;
/// - `lost FROM LINE NAME`, a call that leads nowhere known.
pub(super) fn graph(lines: &str) -> CodeGraph {
    let mut fixture = Fixture::default();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        fixture.line(&words(line));
    }
    fixture.finish()
}

#[derive(Default)]
struct Fixture {
    builder: SnapshotBuilder,
    numbers: HashMap<String, u32>,
    edges: Vec<(u32, EdgeKind, String, Resolution, u32)>,
    lost: Vec<(u32, u32, String)>,
}

/// A line by its blanks, those between quotation marks excepted.
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
                self.symbol(name, SymbolKind::from_name(kind).expect(kind), rest);
            }
            ["import", module, name, local] => {
                let mut push = |text: &str| self.builder.text.push(text);
                let (module, name, local) = (push(module), push(name), push(local));
                self.builder.imports.push(Import {
                    module,
                    name,
                    local,
                    handed_on: Text::default(),
                    line: 1.into(),
                    scope: NONE.into(),
                    flags: 0,
                    padding: [0; 3],
                });
            }
            ["edge", from, kind, to, rest @ ..] => {
                let resolution = rest.iter().find_map(|word| Resolution::from_name(word));
                self.edges.push((
                    self.number(from),
                    EdgeKind::from_name(kind).expect(kind),
                    (*to).to_owned(),
                    resolution.unwrap_or(Resolution::Exact),
                    number(rest, "at", 1),
                ));
            }
            ["lost", from, line, name] => {
                let from = self.number(from);
                self.lost.push((from, line.parse().expect(line), (*name).to_owned()));
            }
            words => unreachable!("{words:?}"),
        }
    }

    fn number(&self, name: &str) -> u32 {
        *self.numbers.get(name).expect(name)
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
        self.builder.files.push(FileRow {
            path,
            hash: ContentHash([7; 20]),
            language: (language as u32).into(),
            bytes: 100.into(),
            lines: LineCounts {
                code: 8.into(),
                comment: 1.into(),
                blank: 2.into(),
            },
            module: NONE.into(),
            first_symbol: self.builder.symbol_count().into(),
            first_import: (self.builder.imports.len() as u32).into(),
            is_test: u8::from(rest.contains(&"test")),
            ..FileRow::default()
        });
        if let Some(module) = field(rest, "module") {
            let id = match self.numbers.get(module) {
                Some(known) => *known,
                None => self.symbol(module, SymbolKind::Module, &[]),
            };
            self.builder.files.last_mut().expect("it was pushed").module = id.into();
        }
    }

    fn symbol(&mut self, qualified: &str, kind: SymbolKind, rest: &[&str]) -> u32 {
        let separators: &[char] = &['.', ':', '/'];
        let last = match kind {
            SymbolKind::Module => qualified,
            _ => qualified.rsplit(separators).next().expect("there is one"),
        };
        let name = field(rest, "name")
            .unwrap_or(last)
            .split('#')
            .next()
            .expect("there is one");
        let mut modifiers = Modifiers::default();
        let (mut flags, mut visibility) = (0, Visibility::Public);
        for word in rest {
            match *word {
                "anonymous" => flags |= DefinitionFlags::ANONYMOUS,
                "entry" => flags |= DefinitionFlags::ENTRY_POINT,
                "local" => flags |= DefinitionFlags::LOCAL,
                word => {
                    visibility = Visibility::from_name(word).unwrap_or(visibility);
                    Modifier::from_name(word)
                        .into_iter()
                        .for_each(|one| modifiers.insert(one));
                }
            }
        }
        let lists = self.builder.lists.len() as u32;
        if let Some(decorator) = field(rest, "deco") {
            let text = self.builder.text.push(decorator);
            self.builder.lists.push(text);
        }
        let line = number(rest, "line", 1);
        let doc = field(rest, "doc").unwrap_or_default().replace("\\n", "\n");
        let parent = field(rest, "in").map(|owner| self.number(owner));
        let text = &mut self.builder.text;
        let row = SymbolRow {
            name: text.push(name),
            prefix: None,
            qualified: text.push(qualified),
            kind: kind as u8,
            file: self.builder.files.len() as u32 - 1,
            parent: parent.unwrap_or(NONE),
            place: Place {
                line: line.into(),
                column: 1.into(),
                start_line: line.into(),
                end_line: number(rest, "end", line).into(),
                ..Place::default()
            },
            signature: text.push(field(rest, "sig").unwrap_or_default()),
            doc: text.push(&doc),
            summary_len: lore_model::summary_len(&doc),
            visibility: visibility as u8,
            modifiers: modifiers.0,
            complexity: u32::from(kind.is_callable()),
            decorators: TextRange {
                start: lists.into(),
                len: (self.builder.lists.len() as u32 - lists).into(),
            },
            flags,
        };
        let id = self.builder.symbol_count();
        self.builder.push_symbol(&row);
        self.numbers.insert(qualified.to_owned(), id);
        id
    }

    fn finish(mut self) -> CodeGraph {
        let mut externals: BTreeMap<String, u32> = BTreeMap::new();
        for (source, kind, to, resolution, line) in &self.edges {
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
                source: (*source).into(),
                kind: *kind as u8,
                is_external: u8::from(target.is_none()),
                resolution: *resolution as u8,
                marks: EdgeMarks::NAMED.0,
                target: number.into(),
                file: self.builder.file_of(*source).into(),
                lines: (self.builder.edge_lines.len() as u32).into(),
                line_count: 1.into(),
            });
            self.builder.edge_lines.push((*line).into());
        }
        self.builder
            .edges
            .sort_by_key(|edge| (edge.source.get(), edge.kind, edge.is_external, edge.target.get()));
        self.lost.sort();
        for (symbol, line, name) in &self.lost {
            let name = self.builder.text.push(name);
            self.builder.unresolved.push(UnresolvedRow {
                symbol: (*symbol).into(),
                file: self.builder.file_of(*symbol).into(),
                line: (*line).into(),
                name,
                is_cut: 0,
            });
        }
        CodeGraph::open(Arc::new(self.builder.finish().to_bytes())).expect("it is a snapshot")
    }
}

fn field<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

fn number(words: &[&str], key: &str, default: u32) -> u32 {
    field(words, key).map_or(default, |text| text.parse().expect(text))
}

/// A graph of so many functions in each of so many files; each calls the first one, and the ones behind it.
pub(super) fn large(files: usize, functions: usize, calls: usize) -> CodeGraph {
    let mut lines = String::new();
    let name = |file: usize, function: usize| format!("m{file:04}.f{function:04}");
    for file in 0..files {
        lines.push_str(&format!("file src/m{file:04}.py python module=m{file:04}\n"));
        for function in 0..functions {
            let name = name(file, function);
            lines.push_str(&format!(
                "sym {name} function line={} in=m{file:04} sig=\"def f(a, b)\"\n",
                function + 2
            ));
        }
    }
    for file in 0..files {
        for function in 0..functions {
            let from = name(file, function);
            lines.push_str(&format!("edge {from} call m0000.f0000\n"));
            for step in 1..=calls {
                let to = name((file + step) % files, function);
                let resolution = if step % 2 == 0 { "exact" } else { "name" };
                lines.push_str(&format!("edge {from} references {to} {resolution}\n"));
            }
            lines.push_str(&format!("edge {from} call out.f{}\n", function % 7));
            lines.push_str(&format!("lost {from} 3 gone\n"));
        }
    }
    graph(&lines)
}
