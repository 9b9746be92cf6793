//! Runs the call suites in the folders of the languages: programs, and the calls that happen when they run.
//!
//! The suites are Markdown, `src/lang/<language>/calls/*.md`. A heading of the second level begins a case; a block of code with a path after its language is a
//! file of it; the block `calls` lists every call between what the files define, one `caller -> callee` a line. `#` begins a comment; `?` before a line
//! marks a call that is right but may be missed. Edges of the resolution `declared` are not calls that happen, so this block does not list them.
//! The optional block `declared` is the whole truth about static targets: one `caller -> callee WORDS` for each edge with one of the words
//! `declared` (only the source names it), `runs` (it runs, and the source names another), `open` (what runs is not known), `more` (a bound dropped
//! targets). Each suite as a whole must reach the precision and the recall that the language promises.
//! `LORE_CASE=python/decorators` runs those whose name contains the text.
#![expect(clippy::disallowed_methods, reason = "tests read their cases")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lore_index::{FactsKey, FactsStore, IndexOptions, Listing, ReadError, SourceError, SourceFile, SourceTree, index};
use lore_model::{Cancel, CodeGraph, Edge, EdgeKind, EdgeMarks, EdgeTarget, NoProgress, RepoPath, Resolution};
use std::sync::Arc;

/// What a language promises: precision and recall.
const PROMISES: &[(&str, f64, f64)] = &[
    ("python", 0.98, 0.95),
    ("javascript", 0.97, 0.90),
    ("typescript", 0.97, 0.90),
    ("java", 0.98, 0.95),
    ("go", 0.98, 0.95),
    ("rust", 0.98, 0.95),
];

/// What languages promise that share the plain lowering.
const PLAIN_PROMISES: &[(&str, f64, f64)] = &[
    ("csharp", 0.95, 0.85),
    ("cpp", 0.95, 0.85),
    ("c", 0.95, 0.85),
    ("kotlin", 0.95, 0.85),
    ("lua", 0.95, 0.85),
    ("elixir", 0.95, 0.85),
    ("erlang", 0.95, 0.85),
    ("haskell", 0.95, 0.85),
    ("ocaml", 0.95, 0.85),
    ("elm", 0.95, 0.85),
    ("fsharp", 0.95, 0.85),
    ("clojure", 0.95, 0.85),
    ("r", 0.95, 0.85),
    ("perl", 0.95, 0.85),
    ("bash", 0.95, 0.85),
    ("powershell", 0.95, 0.85),
    ("zig", 0.95, 0.85),
    ("nix", 0.95, 0.85),
    ("groovy", 0.95, 0.85),
    ("solidity", 0.95, 0.85),
    ("objectivec", 0.95, 0.85),
    ("ruby", 0.95, 0.85),
    ("scala", 0.95, 0.85),
    ("swift", 0.95, 0.85),
    ("dart", 0.95, 0.85),
    ("php", 0.95, 0.85),
];

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
    wanted: BTreeSet<String>,
    allowed: BTreeSet<String>,
    /// What the block `declared` lists, if there is one.
    declared: Option<BTreeSet<String>>,
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
                wanted: BTreeSet::new(),
                allowed: BTreeSet::new(),
                declared: None,
            });
        }
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let Some(case) = cases.last_mut() else { continue };
        match info.split_once(' ') {
            Some((_, path)) => {
                let path = RepoPath::new(path.trim()).expect("a path");
                case.tree.files.push((path, (block.join("\n") + "\n").into_bytes()));
            }
            None if info == "declared" => {
                let lines = block.iter().filter(|line| !line.is_empty());
                case.declared = Some(lines.map(|line| (*line).to_owned()).collect());
            }
            None => {
                assert_eq!(info, "calls", "{page}: a block of code has a path");
                for line in block.iter().map(|line| line.trim()) {
                    match line.strip_prefix('?') {
                        _ if line.is_empty() || line.starts_with('#') => false,
                        Some(line) => case.allowed.insert(line.trim().to_owned()),
                        None => case.wanted.insert(line.to_owned()),
                    };
                }
            }
        }
    }
    for case in &mut cases {
        case.tree.files.sort();
    }
    cases
}

/// The calls of a program, and its static targets as the block `declared` lists them.
fn found_calls(folder: &Folder) -> (BTreeSet<String>, BTreeSet<String>) {
    let indexed = index(
        folder,
        &Nothing,
        &IndexOptions::default(),
        &NoProgress,
        &Cancel::default(),
    )
    .expect("indexed");
    let graph = CodeGraph::open(Arc::new(indexed.snapshot.to_bytes())).expect("opens");
    let (mut calls, mut declared) = (BTreeSet::new(), BTreeSet::new());
    for edge in graph.edges().filter(|edge| edge.kind() == EdgeKind::Call) {
        let EdgeTarget::Symbol(target) = edge.target() else {
            continue;
        };
        let call = format!("{} -> {}", edge.source().plain_name(), target.plain_name());
        let marks = edge.marks();
        let words = [
            ("declared", edge.resolution() == Resolution::Declared),
            ("runs", !marks.contains(EdgeMarks::NAMED)),
            ("open", marks.contains(EdgeMarks::OPEN)),
            ("more", marks.contains(EdgeMarks::MORE)),
        ];
        let words: Vec<&str> = words.iter().filter(|(_, is)| *is).map(|(word, _)| *word).collect();
        if !words.is_empty() {
            let ends = [edge.source(), target].map(|symbol| symbol.qualified_name());
            declared.insert(format!("{} {}", ends.join(" -> "), words.join(" ")));
        }
        if edge.resolution() != Resolution::Declared {
            calls.insert(call);
        }
    }
    (calls, declared)
}

fn cases(language: &str) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/lang")
        .join(language)
        .join("calls");
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
fn programs_call_what_they_call() {
    let only = std::env::var("LORE_CASE").unwrap_or_default();
    let mut failures = Vec::new();
    let chosen = std::env::var("LORE_LANGUAGE").unwrap_or_default();
    let promises = PROMISES.iter().map(|promise| (promise, 100));
    let plain = PLAIN_PROMISES.iter().map(|promise| (promise, 3));
    for ((language, precision, recall), least) in promises.chain(plain) {
        if !chosen.is_empty() && !chosen.split(',').any(|name| name == *language) {
            continue;
        }
        let (mut right, mut found_all, mut wanted_all) = (0, 0, 0);
        let mut differences = Vec::new();
        let cases = cases(language);
        assert!(cases.len() >= least, "{language} has {} cases", cases.len());
        for case in cases.iter().filter(|case| case.name.contains(&only)) {
            let (found, declared) = found_calls(&case.tree);
            if let Some(wanted) = &case.declared {
                let missed = wanted.difference(&declared).map(|row| format!("missed {row}"));
                let wrong = declared.difference(wanted).map(|row| format!("wrong  {row}"));
                failures.extend(missed.chain(wrong).map(|row| format!("{}: {row}", case.name)));
            }
            let missed = case
                .wanted
                .difference(&found)
                .map(|call| format!("  {}: missed  {call}", case.name));
            let wrong = found
                .difference(&case.wanted)
                .filter(|call| !case.allowed.contains(*call));
            differences.extend(missed);
            differences.extend(wrong.map(|call| format!("  {}: wrong   {call}", case.name)));
            right += found.intersection(&case.wanted).count();
            found_all += found.iter().filter(|call| !case.allowed.contains(*call)).count();
            wanted_all += case.wanted.len();
        }
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let (p, r) = (share(right, found_all), share(right, wanted_all));
        println!(
            "{language}: {} cases, {wanted_all} calls; precision {p:.4}, recall {r:.4}",
            cases.len()
        );
        println!("{}", differences.join("\n"));
        if only.is_empty() && (p < *precision || r < *recall) {
            failures.push(format!(
                "{language}: precision {p:.4} of {precision}, recall {r:.4} of {recall}"
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The graph of one Python file.
fn graph_of(text: &str) -> CodeGraph {
    let path = RepoPath::new("main.py").expect("a path");
    let tree = Folder {
        files: vec![(path, text.as_bytes().to_vec())],
    };
    let indexed = index(
        &tree,
        &Nothing,
        &IndexOptions::default(),
        &NoProgress,
        &Cancel::default(),
    )
    .expect("indexed");
    CodeGraph::open(Arc::new(indexed.snapshot.to_bytes())).expect("opens")
}

fn call_count(graph: &CodeGraph) -> usize {
    let calls = graph.edges().filter(|edge| edge.kind() == EdgeKind::Call);
    calls.filter(|edge| edge.target().symbol().is_some()).count()
}

#[test]
fn a_call_cycle_of_ten_thousand_functions() {
    let functions = (0..10_000).map(|at| format!("def f{at}():\n    f{}()\n", (at + 1) % 10_000));
    let graph = graph_of(&(functions.collect::<String>() + "f0()\n"));
    assert_eq!(call_count(&graph), 10_001);
    assert_eq!(graph.bounds().count(), 0);
}

#[test]
fn a_class_hierarchy_of_a_thousand_levels() {
    let classes = (1..1_000).map(|at| {
        format!(
            "class C{at}(C{}):\n    def m(self):\n        return super().m()\n",
            at - 1
        )
    });
    let text = format!(
        "class C0:\n    def m(self): pass\n{}C999().m()\n",
        classes.collect::<String>()
    );
    // Every level calls the one above it; the module calls the last, and makes it.
    assert_eq!(call_count(&graph_of(&text)), 1_001);
}

/// Each class has the one before as its base: the recursion along the bases is bounded. Only the long run has enough classes to
/// exhaust a stack without the bound.
#[test]
fn a_class_that_is_defined_again_and_again_from_itself() {
    let count = if lore_testing::is_long() { 60_000 } else { 6_000 };
    let graph = graph_of(&"class A(A):0\n".repeat(count));
    assert_eq!(graph.symbols().count(), count + 1);
}

#[test]
fn a_function_with_ten_thousand_call_sites() {
    let graph = graph_of(&format!("def g(): pass\ndef f():\n{}f()\n", "    g()\n".repeat(10_000)));
    let lines = graph.edges().map(|edge| edge.lines().count()).max();
    assert_eq!((call_count(&graph), lines), (2, Some(10_000)));
}

#[test]
fn a_dictionary_of_fifty_thousand_lambdas_names_its_bound() {
    let entries = (0..50_000).map(|at| format!("    'k{at}': lambda: {at},\n"));
    let text = format!(
        "D = {{\n{}}}\ndef run(k):\n    return D[k]()\nrun(input())\nD['k77']()\n",
        entries.collect::<String>()
    );
    let graph = graph_of(&text);
    assert!(graph.bounds().any(|(bound, _)| bound == lore_model::Bound::Values));
    // A literal key is one entry; any key is more than are followed, so the call counts as unresolved.
    let one = graph
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Call && edge.source().plain_name() == "main");
    assert!(
        one.filter_map(|edge| edge.target().symbol())
            .any(|symbol| symbol.plain_name() == "main.<lambda78>")
    );
    assert!(
        graph
            .all_unresolved()
            .any(|call| graph.symbol(call.caller).plain_name() == "main.run" && call.is_cut)
    );
    // The lambdas that were kept are possible targets and no answer.
    for edge in edges_of(&graph, "main.run") {
        assert_eq!(edge.resolution(), Resolution::Dispatch);
        assert_eq!(edge.marks(), EdgeMarks::MORE);
    }
}

/// The calls of a symbol of the repository.
fn edges_of<'g>(graph: &'g CodeGraph, caller: &str) -> Vec<Edge<'g>> {
    graph
        .edges()
        .filter(|edge| edge.kind() == EdgeKind::Call && edge.source().plain_name() == caller)
        .filter(|edge| edge.target().symbol().is_some())
        .collect()
}

#[test]
fn a_call_that_a_bound_cut_leads_to_its_declared_target() {
    let classes = (0..300).map(|at| format!("class A{at}(Base):\n    def read(self): pass\n"));
    let calls = (0..300).map(|at| format!("use(A{at}())\n"));
    let text = format!(
        "class Base:\n    def read(self): pass\n{}def use(base: Base):\n    base.read()\n{}",
        classes.collect::<String>(),
        calls.collect::<String>()
    );
    let graph = graph_of(&text);
    let edges = edges_of(&graph, "main.use");
    let (named, possible): (Vec<Edge<'_>>, Vec<Edge<'_>>) = edges
        .into_iter()
        .partition(|edge| edge.marks().contains(EdgeMarks::NAMED));
    let [named] = named[..] else {
        unreachable!("there is one static target, not {named:?}");
    };
    assert_eq!(
        named.target().symbol().map(|symbol| symbol.plain_name().into_owned()),
        Some("main.Base.read".to_owned())
    );
    let all = EdgeMarks::NAMED.with(EdgeMarks::OPEN).with(EdgeMarks::MORE);
    assert_eq!((named.resolution(), named.marks()), (Resolution::Declared, all));
    assert!(!possible.is_empty());
    for edge in possible {
        assert_eq!(
            (edge.resolution(), edge.marks()),
            (Resolution::Dispatch, EdgeMarks::MORE)
        );
    }
    assert!(
        graph
            .all_unresolved()
            .all(|call| graph.symbol(call.caller).plain_name() != "main.use")
    );
}
