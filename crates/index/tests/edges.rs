//! Runs the edge suites in the folders of the languages: programs, and how what they define belongs together.
//!
//! The suites are Markdown, `src/lang/<language>/edges/*.md`, in the form of the call suites. The block `edges` names kinds of edges in its first line and lists
//! every edge of these kinds, one `source kind target` a line. `~` before a target says that it lies outside; ` @3,7` behind it gives the lines at which it
//! stands. `#` begins a comment. `LORE_CASE=python/types` runs those whose name contains the text.
#![expect(clippy::disallowed_methods, reason = "tests read their cases")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_index::{FactsKey, FactsStore, IndexOptions, Listing, ReadError, SourceError, SourceFile, SourceTree, index};
use lore_model::{Cancel, CodeGraph, EdgeKind, EdgeTarget, NoProgress, RepoPath, Symbol};

const LANGUAGES: &[&str] = &["python", "javascript", "typescript", "rust", "go", "java", "c"];

struct Folder {
    files: Vec<(RepoPath, Vec<u8>)>,
}

impl SourceTree for Folder {
    fn list(&self) -> Result<Listing, SourceError> {
        Ok(Listing {
            files: self
                .files
                .iter()
                .map(|(path, content)| SourceFile {
                    path: path.clone(),
                    size: content.len() as u64,
                    hash: None,
                })
                .collect(),
            skipped: Vec::new(),
        })
    }

    fn read(&self, file: &SourceFile) -> Result<Vec<u8>, ReadError> {
        self.files
            .iter()
            .find(|(path, _)| *path == file.path)
            .map(|(_, content)| content.clone())
            .ok_or_else(|| ReadError::File("gone".to_owned()))
    }
}

struct Nothing;

impl FactsStore for Nothing {
    fn get(&self, _: FactsKey) -> Option<&[u8]> {
        None
    }

    fn put(&self, _: &[(FactsKey, Vec<u8>)]) {}
}

/// One case of a suite.
struct Case {
    name: String,
    tree: Folder,
    kinds: Vec<EdgeKind>,
    /// The edges, each with its lines where the case gives them.
    wanted: BTreeMap<String, Option<String>>,
}

/// The cases of one page.
fn cases_of(page: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            cases.push(Case {
                name: format!("{page}: {title}"),
                tree: Folder { files: Vec::new() },
                kinds: Vec::new(),
                wanted: BTreeMap::new(),
            });
        }
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let Some(case) = cases.last_mut() else { continue };
        if let Some((_, path)) = info.split_once(' ') {
            let path = RepoPath::new(path.trim()).expect("a path");
            case.tree.files.push((path, (block.join("\n") + "\n").into_bytes()));
            continue;
        }
        assert_eq!(info, "edges", "{page}: a block of code has a path");
        let (kinds, edges) = block.split_first().expect("a line of kinds");
        let kind = |word: &str| EdgeKind::from_name(word).expect("a kind of edges");
        case.kinds = kinds.split_whitespace().map(kind).collect();
        for line in edges.iter().map(|line| line.trim()) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(" @") {
                Some((edge, at)) => case.wanted.insert(edge.to_owned(), Some(at.to_owned())),
                None => case.wanted.insert(line.to_owned(), None),
            };
        }
    }
    for case in &mut cases {
        case.tree.files.sort();
    }
    cases
}

/// The edges of some kinds, each with its lines.
fn found_edges(case: &Case) -> BTreeMap<String, String> {
    let indexed = index(
        &case.tree,
        &Nothing,
        &IndexOptions::default(),
        &NoProgress,
        &Cancel::default(),
    )
    .expect("indexed");
    let graph = CodeGraph::open(Arc::new(indexed.snapshot.to_bytes())).expect("opens");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for edge in graph.edges().filter(|edge| case.kinds.contains(&edge.kind())) {
        let target = match edge.target() {
            EdgeTarget::Symbol(target) => target.qualified_name().into_owned(),
            EdgeTarget::External(name) => format!("~{name}"),
        };
        // A module of several files has an edge for each file, so its lines are shown with their file.
        let module = edge.source().id();
        let files = graph
            .files()
            .filter(|file| file.module().map(Symbol::id) == Some(module));
        let is_spread = files.count() > 1;
        let path = edge.file().path();
        let lines = edge.lines().map(|line| {
            if is_spread {
                format!("{path}:{line}")
            } else {
                line.to_string()
            }
        });
        let text = format!("{} {} {target}", edge.source().qualified_name(), edge.kind());
        let known = found.entry(text.clone()).or_default();
        assert!(known.is_empty() || is_spread, "{}: twice {text}", case.name);
        known.extend(lines);
    }
    found.into_iter().map(|(edge, lines)| (edge, lines.join(","))).collect()
}

fn cases(language: &str) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/lang")
        .join(language)
        .join("edges");
    let mut pages: Vec<PathBuf> = fs::read_dir(root)
        .expect("there")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    pages.sort();
    pages
        .iter()
        .flat_map(|page| {
            let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
            cases_of(
                &format!("{language}/{name}"),
                &fs::read_to_string(page).expect("readable"),
            )
        })
        .collect()
}

#[test]
fn programs_have_the_edges_they_have() {
    let only = std::env::var("LORE_CASE").unwrap_or_default();
    let mut differences = BTreeSet::new();
    for language in LANGUAGES {
        let cases = cases(language);
        let least = if *language == "c" { 3 } else { 12 };
        assert!(cases.len() >= least, "{language} has {} cases", cases.len());
        for case in cases.iter().filter(|case| case.name.contains(&only)) {
            let found = found_edges(case);
            for (edge, lines) in &case.wanted {
                match (found.get(edge), lines) {
                    (None, _) => differences.insert(format!("  {}: missed  {edge}", case.name)),
                    (Some(at), Some(wanted)) if at != wanted => {
                        differences.insert(format!("  {}: at {at} instead of {wanted}  {edge}", case.name))
                    }
                    _ => false,
                };
            }
            let wrong = found.keys().filter(|edge| !case.wanted.contains_key(*edge));
            differences.extend(wrong.map(|edge| format!("  {}: wrong   {edge} @{}", case.name, found[edge])));
        }
    }
    let differences: Vec<String> = differences.into_iter().collect();
    assert!(differences.is_empty(), "\n{}", differences.join("\n"));
}
