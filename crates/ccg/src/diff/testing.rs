//! Code graphs from a few lines of text, for tests: a small language of `def`, `class`, `NAME = …` and indentation, and edges as lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use lore_model::{
    CodeGraph, ContentHash, DefinitionFlags, EdgeKind, EdgeMarks, EdgeRow, FileRow, LineCounts, NONE, Place,
    Resolution, SnapshotBuilder, SymbolKind, SymbolRow, Visibility,
};

use super::Inventory;

/// A graph and the texts of its files.
pub(crate) struct Fixture {
    pub(crate) graph: CodeGraph,
    pub(crate) files: BTreeMap<String, String>,
}

impl Fixture {
    /// What there is to compare and to check.
    pub(crate) fn inventory(&self) -> Inventory<'_> {
        Inventory::of_graph("ccg:local/-/fixture@1", &self.graph, |path| {
            self.files.get(path).map(|text| text.clone().into_bytes())
        })
    }
}

struct Draft {
    name: String,
    qualified: String,
    kind: SymbolKind,
    indent: usize,
    first: usize,
    last: usize,
    signature: String,
    complexity: u32,
    flags: u8,
}

/// Builds a graph. `== path` begins a file; its module is the path without `.py`, with points for slashes. `== edges` begins the edges, each
/// `KIND FROM -> TO [RESOLUTION] [LINE]`; a target that is not defined lies outside. What a `def` holds is local; a `_` makes private;
/// every line that begins with `if`, `for` or `while` is a decision.
pub(crate) fn fixture(text: &str) -> Fixture {
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("== "), parts.last_mut()) {
            (Some(name), _) => parts.push((name.trim().to_owned(), Vec::new())),
            (None, Some(part)) => part.1.push(line),
            (None, None) => assert!(line.trim().is_empty(), "a file begins with `== path`: {line}"),
        }
    }
    let edges: Vec<&str> = parts
        .iter()
        .filter(|(name, _)| name == "edges")
        .flat_map(|(_, lines)| lines.iter().copied())
        .collect();
    let mut files: Vec<(String, Vec<&str>)> = parts.iter().filter(|(name, _)| name != "edges").cloned().collect();
    files.sort();
    let mut builder = SnapshotBuilder::new(1, 0, ContentHash::default());
    let language = builder.text.push("python");
    builder.languages.push(language);
    let mut known: Vec<String> = Vec::new();
    let mut texts = BTreeMap::new();
    for (path, lines) in &files {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        push_file(&mut builder, &mut known, path, lines, &text);
        texts.insert(path.clone(), text);
    }
    push_edges(&mut builder, &known, &edges);
    Fixture {
        graph: CodeGraph::open(Arc::new(builder.finish().to_bytes())).expect("it is a snapshot"),
        files: texts,
    }
}

fn push_file(builder: &mut SnapshotBuilder, known: &mut Vec<String>, path: &str, lines: &[&str], text: &str) {
    let module = path
        .trim_end_matches(".py")
        .trim_end_matches("/__init__")
        .replace('/', ".");
    let path_text = builder.text.push(path);
    let mut hash = ContentHash::default();
    for (at, byte) in text.bytes().enumerate() {
        hash.0[at % 20] = hash.0[at % 20].wrapping_mul(31).wrapping_add(byte);
    }
    builder.files.push(FileRow {
        path: path_text,
        hash,
        bytes: (text.len() as u32).into(),
        lines: LineCounts {
            code: (lines.iter().filter(|line| !line.trim().is_empty()).count() as u32).into(),
            ..LineCounts::default()
        },
        module: builder.symbol_count().into(),
        first_symbol: builder.symbol_count().into(),
        is_test: u8::from(path.contains("test")),
        ..FileRow::default()
    });
    let mut drafts = vec![Draft {
        name: module.rsplit('.').next().unwrap_or(&module).to_owned(),
        qualified: module.clone(),
        kind: SymbolKind::Module,
        indent: 0,
        first: 0,
        last: lines.len().max(1) - 1,
        signature: String::new(),
        complexity: 0,
        flags: 0,
    }];
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        while open.last().is_some_and(|top| drafts[*top].indent >= indent) {
            open.pop();
        }
        open.iter().for_each(|around| drafts[*around].last = at);
        let line = line.trim();
        if let (true, Some(top)) = (
            ["if ", "for ", "while "].iter().any(|word| line.starts_with(word)),
            open.last(),
        ) {
            drafts[*top].complexity += 1;
        }
        if let Some(mut draft) = definition(line, &drafts, &open, indent, at) {
            let plain = draft.qualified.clone();
            let mut number = 1;
            while drafts.iter().any(|known| known.qualified == draft.qualified) || known.contains(&draft.qualified) {
                number += 1;
                draft.qualified = format!("{plain}#{number}");
            }
            open.push(drafts.len());
            drafts.push(draft);
        }
    }
    let starts: Vec<usize> = lines
        .iter()
        .scan(0, |sum, line| {
            let start = *sum;
            *sum += line.len() + 1;
            Some(start)
        })
        .collect();
    for draft in drafts {
        let end = starts
            .get(draft.last)
            .map_or(0, |start| start + lines[draft.last].len());
        let private = draft.name.starts_with('_') && !draft.name.starts_with("__");
        let row = SymbolRow {
            name: builder.text.push(&draft.name),
            qualified: builder.text.push(&draft.qualified),
            kind: draft.kind as u8,
            file: builder.files.len() as u32 - 1,
            parent: NONE,
            place: Place {
                line: (draft.first as u32 + 1).into(),
                column: 1.into(),
                start_line: (draft.first as u32 + 1).into(),
                end_line: (draft.last as u32 + 1).into(),
                start_byte: (starts.get(draft.first).copied().unwrap_or(0) as u32).into(),
                end_byte: (end as u32).into(),
            },
            signature: builder.text.push(&draft.signature),
            visibility: if private {
                Visibility::Private
            } else {
                Visibility::Public
            } as u8,
            complexity: draft.complexity,
            flags: draft.flags,
            ..SymbolRow::default()
        };
        builder.push_symbol(&row);
        known.push(draft.qualified);
    }
}

fn definition(line: &str, drafts: &[Draft], open: &[usize], indent: usize, at: usize) -> Option<Draft> {
    let around = open.last().map(|top| &drafts[*top]);
    let in_function = open.iter().any(|top| drafts[*top].kind.is_callable());
    let in_class = around.is_some_and(|draft| draft.kind == SymbolKind::Class);
    let (name, kind) = if let Some(rest) = line.strip_prefix("def ") {
        let kind = match (in_class, rest.starts_with("__init__(")) {
            (true, true) => SymbolKind::Constructor,
            (true, false) => SymbolKind::Method,
            (false, _) => SymbolKind::Function,
        };
        (rest.split(['(', ':']).next()?, kind)
    } else if let Some(rest) = line.strip_prefix("class ") {
        (rest.split(['(', ':']).next()?, SymbolKind::Class)
    } else {
        let (name, _) = line.split_once(" = ")?;
        let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        match (is_name && !in_function, in_class) {
            (false, _) => return None,
            (true, true) => (name, SymbolKind::Field),
            (true, false) => (name, SymbolKind::Constant),
        }
    };
    let owner = around.map_or(drafts[0].qualified.as_str(), |draft| draft.qualified.as_str());
    Some(Draft {
        name: name.to_owned(),
        qualified: format!("{owner}.{name}"),
        kind,
        indent,
        first: at,
        last: at,
        signature: line.trim_end_matches(':').to_owned(),
        complexity: u32::from(kind.is_callable()),
        flags: if in_function { DefinitionFlags::LOCAL } else { 0 },
    })
}

fn push_edges(builder: &mut SnapshotBuilder, known: &[String], lines: &[&str]) {
    let id = |name: &str| known.iter().position(|one| one == name);
    let mut externals: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, from, "->", to, rest @ ..] = words.as_slice() else {
            unreachable!("an edge is `KIND FROM -> TO`: {line}");
        };
        let target = id(to).unwrap_or_else(|| {
            externals.iter().position(|name| name == to).unwrap_or_else(|| {
                externals.push((*to).to_owned());
                externals.len() - 1
            })
        });
        let resolution = rest.iter().find_map(|word| Resolution::from_name(word));
        let at = rest.iter().find_map(|word| word.parse::<u32>().ok());
        let source = id(from).expect(from) as u32;
        rows.push((
            EdgeRow {
                source: source.into(),
                kind: EdgeKind::from_name(kind).expect(kind) as u8,
                is_external: u8::from(id(to).is_none()),
                resolution: resolution.unwrap_or(Resolution::Exact) as u8,
                marks: EdgeMarks::NAMED.0,
                target: (target as u32).into(),
                file: builder.file_of(source).into(),
                lines: 0.into(),
                line_count: 1.into(),
            },
            at.unwrap_or(1),
        ));
    }
    rows.sort_by_key(|(row, _)| (row.source.get(), row.kind, row.is_external, row.target.get()));
    for (at, (row, line)) in (0u32..).zip(rows) {
        builder.edges.push(EdgeRow {
            lines: at.into(),
            ..row
        });
        builder.edge_lines.push(line.into());
    }
    for name in externals {
        let text = builder.text.push(&name);
        builder.externals.push(text);
    }
}
