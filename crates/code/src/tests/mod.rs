//! Tests of the questions about code: a graph as text and arguments in, the answer as text out.

mod calls;
mod dead;
mod deps;
mod edges;
mod files;
mod find;
mod impact;
mod index;
mod neighbours;
mod outline;
mod path;
mod show;
mod source;
mod stats;
mod table;
mod unresolved;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use clap::Command;
use lore_model::{Cancel, CodeGraph, Progress};
use lore_seam::graph_text::graph;
use lore_seam::world::World;
use lore_seam::{
    Answer, Code, Ctx, ErrorKind, Foreign, GraphScope, History, IndexRequest, IndexSummary, OpError, Operation, Origin,
    Page, Ports, Style, Toolset, Verdict, View, entry,
};
use serde_json::{Map, Value, json};

/// A shop in two languages. `total` is the name of two methods, and `Cart` the name of two types.
const SHOP: &str = r#"
    file src/cart.rs rust module=shop::cart doc="Carts and their items." loc=40 comment=3 blank=2 size=900 hash=1
    sym shop::cart::LIMIT constant line=1 internal sig="const LIMIT: u32"
    sym shop::cart::Cart struct line=3 lines=20 @derive(Debug) sig="pub struct Cart" doc="A basket. It has items."
    sym shop::cart::Cart::new constructor line=5 lines=3 static sig="pub fn new() -> Cart"
    sym shop::cart::Cart::total method line=9 lines=4 complexity=3 sig="pub fn total(&self) -> u32" doc="The sum."
    sym shop::cart::Cart::apply method line=14 lines=5 complexity=5 private sig="fn apply(&mut self)"
    sym shop::cart::Cart::apply::<closure> function line=15 anonymous
    use std::fmt Display line=2
    file src/order.rs rust module=shop::order loc=25 comment=1 blank=4 size=500 hash=2
    sym shop::order::Order struct line=4 lines=9 sig="pub struct Order"
    sym shop::order::Order::total method line=6 lines=3 sig="pub fn total(&self) -> u32"
    sym shop::order::place function line=14 lines=6 complexity=2 sig="pub fn place(cart: &Cart)"
    use shop::cart Cart as=Basket line=1 reexport
    file tests/test_cart.py python module=test_cart loc=8 test size=120 hash=3
    sym test_cart.test_total test line=2 lines=3 sig="def test_total()"
    file web/cart.ts typescript module=web/cart loc=12 size=300 hash=4
    sym web/cart.Cart class line=1 lines=10 sig="export class Cart"
    broken 11 4 "unexpected `}`"
    edge shop::order::place call shop::cart::Cart::new at=15
    edge shop::order::place call shop::cart::Cart::total typed at=16,18
    edge shop::order::place call std::process::exit at=19
    edge shop::order::place references shop::cart::Cart at=14
    edge shop::order import shop::cart at=1
    edge shop::cart import std::fmt at=2
    edge shop::cart::Cart::total call shop::cart::Cart::apply flow at=10
    edge shop::cart::Cart::total reads shop::cart::LIMIT at=11
    edge shop::order::Order::total overrides shop::cart::Cart::total at=6
    edge test_cart.test_total call shop::order::place flow at=3
    edge test_cart.test_total tests shop::order::place at=3
    lost shop::order::place 17 total
    lost shop::order::place 18 notify
    lost test_cart.test_total 4
    skip assets/logo.png binary
    skip dist/app.min.js minified "one line of 80000 characters"
"#;

/// Paths with their texts.
type Texts = Vec<(&'static str, &'static str)>;

/// A repository of a test: the graph and the files of the working tree and of revisions, and what indexing reports.
#[derive(Default)]
struct Tree {
    graph: String,
    files: Texts,
    /// Paths that may not be read.
    refused: Vec<&'static str>,
    /// Graphs and files of revisions.
    revisions: BTreeMap<&'static str, (String, Texts)>,
    here: &'static str,
    foreign: Option<&'static str>,
    /// What [`Code::index`] returns, in order.
    summaries: Mutex<Vec<Result<IndexSummary, OpError>>>,
    requests: Mutex<Vec<IndexRequest>>,
    /// For each time that the graph was opened: whether it was refreshed.
    refreshed: Mutex<Vec<bool>>,
    remarks: Mutex<Vec<String>>,
}

impl Tree {
    fn of(graph: &str) -> Self {
        Self {
            graph: graph.to_owned(),
            ..Self::default()
        }
    }

    fn with_files(self, files: &[(&'static str, &'static str)]) -> Self {
        Self {
            files: files.to_vec(),
            ..self
        }
    }

    fn at(self, here: &'static str) -> Self {
        Self { here, ..self }
    }

    fn ctx(self: &Arc<Self>) -> Ctx {
        let world = Arc::new(World::default()).ctx();
        let ports = Ports {
            code: Arc::clone(self) as Arc<dyn Code>,
            settings: Arc::clone(&world.ports.settings),
            health: Arc::clone(&world.ports.health),
            cache: Arc::clone(&world.ports.cache),
            clock: Arc::clone(&world.ports.clock),
            ids: Arc::clone(&world.ports.ids),
            files: Arc::clone(&world.ports.files),
            web: Arc::clone(&world.ports.web),
            memo: Arc::clone(&world.ports.memo),
            datasets: world.ports.datasets,
            facets: world.ports.facets.clone(),
        };
        Ctx {
            ports: Arc::new(ports),
            progress: Arc::new(Remarks(Arc::clone(self))),
            cancel: Arc::new(Cancel::default()),
        }
    }

    /// Runs an operation with the words of a command line.
    fn typed<O: Operation>(self, words: &[&str]) -> Said {
        let tree = Arc::new(self);
        let entry = entry::<O>(Toolset::Code);
        let matches = entry
            .augment(Command::new(O::NAME).no_binary_name(true))
            .try_get_matches_from(words);
        let answer = matches
            .map_err(|error| OpError::new(ErrorKind::Invalid, error.to_string().lines().next().unwrap_or_default()))
            .and_then(|matches| entry.run_matches(&tree.ctx(), &matches));
        Said::of(answer, &tree)
    }

    /// Runs an operation with JSON arguments.
    fn asked<O: Operation>(self, request: Value) -> Said {
        let tree = Arc::new(self);
        Said::of(entry::<O>(Toolset::Code).run_json(&tree.ctx(), request), &tree)
    }
}

impl Code for Tree {
    fn graph(&self, scope: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        let Some(revision) = &scope.revision else {
            self.refreshed.lock().expect("whole").push(!scope.no_refresh);
            return Ok(Arc::new(graph(&self.graph)));
        };
        match self.revisions.get(revision.as_str()) {
            Some((text, _)) => Ok(Arc::new(graph(text))),
            None => Err(OpError::new(
                ErrorKind::NotFound,
                format!("unknown git revision: {revision}"),
            )),
        }
    }

    fn index(&self, request: &IndexRequest, _: &dyn Progress, _: &Cancel) -> Result<IndexSummary, OpError> {
        self.requests.lock().expect("whole").push(request.clone());
        self.summaries.lock().expect("whole").remove(0)
    }

    fn wait_for_change(&self, _: &IndexRequest, _: &Cancel) -> Result<bool, OpError> {
        Ok(!self.summaries.lock().expect("whole").is_empty())
    }

    fn here(&self) -> String {
        self.here.to_owned()
    }

    fn read(&self, scope: &GraphScope, path: &str) -> Result<Vec<u8>, OpError> {
        if self.refused.contains(&path) {
            return Err(OpError::new(ErrorKind::Refused, format!("{path} is withheld")));
        }
        let files = match &scope.revision {
            None => &self.files,
            Some(revision) => &self.revisions[revision.as_str()].1,
        };
        let found = files.iter().find(|(known, _)| *known == path);
        found
            .map(|(_, text)| text.as_bytes().to_vec())
            .ok_or_else(|| OpError::new(ErrorKind::Unavailable, format!("{path} cannot be read")))
    }

    fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
        Ok(Origin::default())
    }

    fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
        Ok(None)
    }

    fn foreign(&self) -> Option<Foreign> {
        self.foreign.map(|which| Foreign {
            which: which.to_owned(),
            remark: None,
        })
    }
}

/// Keeps the remarks of an operation.
struct Remarks(Arc<Tree>);

impl Progress for Remarks {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}

    fn remark(&self, text: &str) {
        self.0.remarks.lock().expect("whole").push(text.to_owned());
    }
}

/// An answer or an error.
struct Said {
    /// The answer for people, then `note: …`, `remark: …` and `no`; or `error KIND: …` and `hint: …`.
    text: String,
    /// The value, or each row.
    json: Vec<Value>,
    /// What was to be indexed.
    requests: Vec<IndexRequest>,
    /// For each time that the graph was opened: whether it was refreshed.
    refreshed: Vec<bool>,
}

impl Said {
    fn of(answer: Result<Answer, OpError>, tree: &Tree) -> Self {
        let mut page = Page::new(Style { colour: false });
        let mut json = Vec::new();
        let mut end: Vec<String> = Vec::new();
        let mut show = |view: &dyn View| {
            view.show(&mut page);
            json.push(view.to_json());
        };
        let mut verdict = Verdict::Yes;
        let failed = |error: OpError| {
            let hints = error.hints.iter().map(|hint| format!("hint: {hint}"));
            let message = format!(
                "error {} ({}): {}",
                error.kind.name(),
                error.kind.exit_code(),
                error.message
            );
            std::iter::once(message).chain(hints).collect::<Vec<String>>()
        };
        match answer {
            Err(error) => end.extend(failed(error)),
            Ok(Answer::Value(view, said)) => {
                show(view.as_ref());
                verdict = said;
            }
            Ok(Answer::Rows { rows, empty, note, .. }) => {
                verdict = empty;
                for row in rows {
                    match row {
                        Ok(view) => {
                            verdict = Verdict::Yes;
                            show(view.as_ref());
                        }
                        Err(error) => end.extend(failed(error)),
                    }
                }
                end.extend(note.map(|note| format!("note: {note}")));
            }
            Ok(Answer::Bytes(bytes)) => {
                let mut content = Vec::new();
                bytes.content.write_to(&mut content).expect("memory takes all");
                page.block(&String::from_utf8(content).expect("text"));
            }
        }
        let remarks = tree.remarks.lock().expect("whole");
        end.extend(remarks.iter().map(|remark| format!("remark: {remark}")));
        if verdict == Verdict::No {
            end.push("no".to_owned());
        }
        let mut text = page.into_text();
        end.iter().for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
        Self {
            text,
            json,
            requests: tree.requests.lock().expect("whole").clone(),
            refreshed: tree.refreshed.lock().expect("whole").clone(),
        }
    }
}

/// The answer to the words of a command line, as text.
fn typed<O: Operation>(graph: &str, words: &[&str]) -> String {
    Tree::of(graph).typed::<O>(words).text
}

/// The answer to JSON arguments, as text.
fn ask<O: Operation>(graph: &str, request: Value) -> String {
    Tree::of(graph).asked::<O>(request).text
}

/// The answer to JSON arguments, as JSON.
fn rows<O: Operation>(graph: &str, request: Value) -> Vec<Value> {
    Tree::of(graph).asked::<O>(request).json
}

/// The keys of a JSON object on a line, in order, each with those of the object or of the first object of the list that it holds.
fn keys(value: &Value) -> String {
    fn inner(map: &Map<String, Value>) -> String {
        let mut names: Vec<String> = map
            .iter()
            .map(|(name, value)| match value {
                Value::Object(map) => format!("{name}{{{}}}", inner(map)),
                Value::Array(items) => match items.first() {
                    Some(Value::Object(map)) => format!("{name}[{}]", inner(map)),
                    _ => name.clone(),
                },
                _ => name.clone(),
            })
            .collect();
        names.sort();
        names.join(" ")
    }
    let names = value.as_object().map(inner).unwrap_or_default();
    format!("{names}\n")
}

/// Compares texts line by line. The last line of the expected text is the indentation of all its lines.
#[track_caller]
fn told(text: &str, expected: &str) {
    let lines: Vec<&str> = expected.lines().skip(1).collect();
    let indent = lines.last().map_or(0, |line| line.len());
    let mut plain = String::new();
    let last = lines.len().saturating_sub(1);
    for (at, line) in lines.iter().enumerate() {
        if at == last && line.trim().is_empty() {
            break;
        }
        plain.push_str(line.get(indent..).unwrap_or_default());
        plain.push('\n');
    }
    assert!(text == plain, "\n--- told\n{text}--- expected\n{plain}");
}

/// Holds that a command line without arguments asks what empty JSON asks.
#[track_caller]
fn same_defaults<O: Operation>(graph: &str, words: &[&str], request: Value) {
    assert_eq!(typed::<O>(graph, words), ask::<O>(graph, request));
}

/// Holds that an ambiguous name is the answer no, with its candidates.
#[track_caller]
fn ambiguous<O: Operation>(words: &[&str]) {
    let mut lines = String::from("\n        error ambiguous (1): `go` means 9 symbols\n");
    let mut graph = format!("{SHOP}\n    file z.py python module=z\n");
    for number in 1..=9 {
        graph.push_str(&format!("    sym z.C{number} class line={number}\n"));
        graph.push_str(&format!("    sym z.C{number}.go method line={number}\n"));
        if number <= 8 {
            lines.push_str(&format!("        hint: method z.C{number}.go at z.py:{number}\n"));
        }
    }
    lines.push_str("        hint: 1 more: `lore show go` lists all\n        ");
    told(&typed::<O>(&graph, words), &lines);
}

#[test]
fn a_revision_is_asked_instead_of_the_working_tree() {
    let mut tree = Tree::of(SHOP);
    let old = "file old.rs rust module=old\nsym old::gone function line=7".to_owned();
    tree.revisions.insert("v1", (old, Vec::new()));
    let said = tree.typed::<crate::Find>(&["--at", "v1"]);
    told(
        &said.text,
        "
        old.rs:1:1 module old
        old.rs:7:1 function old::gone
        ",
    );
}

#[test]
fn an_unknown_revision_is_an_error() {
    told(
        &ask::<crate::Stats>(SHOP, json!({"at": "v9"})),
        "
        error not_found (1): unknown git revision: v9
        ",
    );
}

#[test]
fn a_question_refreshes_the_index_unless_told_otherwise() {
    let refreshed = |words: &[&str]| Tree::of(SHOP).typed::<crate::Stats>(words).refreshed;
    assert_eq!(refreshed(&[]), [true]);
    assert_eq!(refreshed(&["--no-refresh"]), [false]);
}

#[test]
fn an_ambiguous_name_lists_at_most_eight_candidates() {
    let lines: Vec<String> = (1..=10)
        .map(|number| format!("file f{number:02}.py python module=m{number:02}\nsym m{number:02}.run function line=4"))
        .collect();
    told(
        &typed::<crate::Callers>(&lines.join("\n"), &["run"]),
        "
        error ambiguous (1): `run` means 10 symbols
        hint: function m01.run at f01.py:4
        hint: function m02.run at f02.py:4
        hint: function m03.run at f03.py:4
        hint: function m04.run at f04.py:4
        hint: function m05.run at f05.py:4
        hint: function m06.run at f06.py:4
        hint: function m07.run at f07.py:4
        hint: function m08.run at f08.py:4
        hint: 2 more: `lore show run` lists all
        ",
    );
}
