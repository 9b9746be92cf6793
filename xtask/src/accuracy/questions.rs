//! `cargo xtask accuracy --questions`: everyday questions about real packages, with answers that people found by reading.
//!
//! Each file of `xtask/questions` holds the questions about one package. An expectation is a place (`path:line`), a name, or
//! both (`name@path:line`). The verdict tells an incomplete answer that says so apart from one that looks complete.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

use super::{Options, build, text};
use crate::Outcome;
use crate::corpora::{self, Copy, Package};
use crate::disk::{self, make_directory};
use crate::process::{capture, shown};

/// The questions about one package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    package: About,
    question: Vec<Question>,
}

/// The package that the questions of a sheet are about.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    source: Package,
    language: String,
    /// Names of files and directories that are not indexed.
    #[serde(default)]
    without: Vec<String>,
}

/// One question and its true answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    /// The question in words.
    ask: String,
    kind: Kind,
    #[serde(default)]
    target: String,
    /// Start and end of a path.
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
    /// Whether a path exists.
    exists: Option<bool>,
    /// What a complete answer contains.
    #[serde(default)]
    expect: Vec<String>,
    /// Whether `expect` is the whole answer outside of tests.
    #[serde(default)]
    complete: bool,
    /// What is neither required nor wrong.
    #[serde(default)]
    allow: Vec<String>,
    /// What is wrong.
    #[serde(default)]
    refuse: Vec<String>,
    /// How the answer was found.
    truth: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Callers,
    Callees,
    Path,
    Imports,
    Importers,
    Implementers,
    Overrides,
    Readers,
    Writers,
    Tests,
    Defined,
    Where,
    Dead,
    Overview,
    Important,
}

/// The fields of a row that can name what it is about.
const NAMES: &[&str] = &[
    "caller",
    "callee",
    "source",
    "target",
    "symbol",
    "qualified_name",
    "name",
];

impl Kind {
    /// The fields that name what a row adds to the answer: the other end is the target of the question.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Callers => &["caller"],
            Self::Callees => &["callee"],
            Self::Imports => &["target"],
            Self::Importers | Self::Implementers | Self::Overrides | Self::Readers | Self::Writers => &["source"],
            _ => NAMES,
        }
    }
}

/// How an answer compares with the truth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    Right,
    /// Something is missing, and the answer says that it may be incomplete.
    Hedged,
    /// Something is missing, or wrong, and nothing in the answer says so.
    Wrong,
}

/// One row of an answer.
#[derive(Debug, Default)]
struct Row {
    names: Vec<String>,
    places: Vec<String>,
    /// Whether the answer marks the row as a possibility.
    is_possible: bool,
}

/// An answer of `lore`.
#[derive(Debug, Default)]
struct Answer {
    rows: Vec<Row>,
    /// What people read: standard output of the command without `--json`, and everything on standard error.
    words: String,
    /// Whether the answer says that it may be incomplete.
    is_hedged: bool,
    /// Whether the exit status is 0.
    is_yes: bool,
}

/// Asks the questions of all sheets, or of those about the chosen languages.
pub(super) fn run(options: &Options) -> Outcome<()> {
    let directory = disk::root().join("xtask/questions");
    let mut sheets = Vec::new();
    for path in disk::entries(&directory)? {
        if path.extension().is_some_and(|extension| extension == "toml") {
            let sheet: Sheet =
                toml::from_str(&disk::read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
            if options.languages.is_empty() || options.languages.contains(&sheet.package.language) {
                sheets.push(sheet);
            }
        }
    }
    if sheets.is_empty() {
        return Err(format!(
            "{} holds no questions about these languages",
            directory.display()
        ));
    }
    let lore = build(options, &[])?;
    let mut verdicts = Vec::new();
    for sheet in &sheets {
        verdicts.extend(ask(sheet, &lore)?);
    }
    let count = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    println!(
        "\n{} questions about {} packages: {} right, {} incomplete and marked as such, {} wrong without a word",
        verdicts.len(),
        sheets.len(),
        count(Verdict::Right),
        count(Verdict::Hedged),
        count(Verdict::Wrong)
    );
    Ok(())
}

fn ask(sheet: &Sheet, lore: &Path) -> Outcome<Vec<Verdict>> {
    let package = &sheet.package;
    let fetched = corpora::fetch(&package.language, std::slice::from_ref(&package.source))?;
    let fetched = fetched.first().ok_or("the package is not there")?;
    println!("\n== {} ({})", fetched.title, package.language);
    let copy = Copy::alone(fetched, &package.without)?;
    make_directory(&copy.cache())?;
    capture(&mut copy.lore(lore, &["index"]))?;
    let asked = sheet.question.iter().map(|question| {
        let answer = question.answer(&copy, lore)?;
        let (verdict, faults) = question.judge(&answer);
        if verdict == Verdict::Right {
            println!("right    {}", question.id);
        } else {
            let verdict = if verdict == Verdict::Hedged { "hedged" } else { "WRONG" };
            println!("{verdict:<8} {}: {}", question.id, question.ask);
            println!("         $ {}", question.typed());
            println!("         truth: {}", question.truth);
            faults.iter().for_each(|fault| println!("         {fault}"));
        }
        Ok(verdict)
    });
    asked.collect()
}

impl Question {
    /// The arguments of `lore`, without `--json`.
    fn arguments(&self) -> Vec<&str> {
        let target = self.target.as_str();
        match self.kind {
            Kind::Callers => vec!["callers", target],
            Kind::Callees => vec!["callees", target],
            Kind::Path => vec!["path", &self.from, &self.to],
            Kind::Imports => vec!["edges", target, "--kind", "import"],
            Kind::Importers => vec!["edges", target, "--incoming", "--kind", "import"],
            Kind::Implementers => vec!["edges", target, "--incoming", "--kind", "extends,implements"],
            Kind::Overrides => vec!["edges", target, "--incoming", "--kind", "overrides"],
            Kind::Readers => vec!["edges", target, "--incoming", "--kind", "reads"],
            Kind::Writers => vec!["edges", target, "--incoming", "--kind", "writes"],
            Kind::Tests => vec!["impact", target, "--tests"],
            Kind::Defined => vec!["outline", target],
            Kind::Where => vec!["find", target, "--match", "exact"],
            Kind::Dead => vec!["dead"],
            Kind::Overview => vec!["show", "."],
            Kind::Important => vec!["stats"],
        }
    }

    fn typed(&self) -> String {
        let mut command = Command::new("lore");
        shown(command.args(self.arguments()))
    }

    fn answer(&self, copy: &Copy, lore: &Path) -> Outcome<Answer> {
        let arguments = self.arguments();
        let (words, notes, is_yes) = spoken(&mut copy.lore(lore, &arguments))?;
        let with_json: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        let (json, ..) = spoken(&mut copy.lore(lore, &with_json))?;
        let mut rows = Vec::new();
        for line in json.lines() {
            if let Ok(value) = serde_json::from_str(line) {
                self.rows(&value, &mut rows);
            }
        }
        let hedges = [
            "lead nowhere known",
            "unresolved",
            "may be",
            "more",
            "not known",
            "incomplete",
            "unknown",
        ];
        Ok(Answer {
            rows,
            is_hedged: hedges.iter().any(|hedge| notes.contains(hedge)),
            words: format!("{words}{notes}"),
            is_yes,
        })
    }

    /// The rows of an answer in JSON.
    fn rows(&self, value: &Value, rows: &mut Vec<Row>) {
        match self.kind {
            Kind::Tests => values(value, "tests")
                .iter()
                .for_each(|row| rows.push(Row::of(row, NAMES))),
            Kind::Path => values(value, "calls")
                .iter()
                .for_each(|row| rows.push(Row::of(row, NAMES))),
            Kind::Important => values(value, "most_important")
                .iter()
                .for_each(|row| rows.push(Row::of(row, NAMES))),
            Kind::Defined => outlined(value, &self.target, rows),
            Kind::Callees if value.get("external").and_then(Value::as_bool) == Some(true) => {}
            _ => rows.push(Row::of(value, self.kind.names())),
        }
    }

    fn judge(&self, answer: &Answer) -> (Verdict, Vec<String>) {
        let mut faults = Vec::new();
        match self.kind {
            Kind::Overview => {
                let words = answer.words.to_lowercase();
                let missing = self.expect.iter().filter(|word| !words.contains(&word.to_lowercase()));
                faults.extend(missing.map(|word| format!("missing: {word}")));
                return (verdict_of(&faults, false), faults);
            }
            Kind::Dead => {
                let is_dead = answer.rows.iter().any(|row| row.shows(&self.target));
                let expected = self.expect.iter().any(|word| word == "dead");
                if is_dead != expected {
                    faults.push(format!("said: {}", if is_dead { "dead" } else { "alive" }));
                }
                return (verdict_of(&faults, false), faults);
            }
            Kind::Path if self.exists == Some(false) => {
                if answer.is_yes {
                    faults.push("a path that does not exist".to_owned());
                }
                return (verdict_of(&faults, false), faults);
            }
            _ => {}
        }
        let missing = self
            .expect
            .iter()
            .filter(|wanted| !answer.rows.iter().any(|row| row.shows(wanted)));
        let missing: Vec<String> = missing.map(|wanted| format!("missing: {wanted}")).collect();
        let refused = self
            .refuse
            .iter()
            .filter(|wanted| answer.rows.iter().any(|row| !row.is_possible && row.shows(wanted)));
        let mut extra: Vec<String> = refused.map(|wanted| format!("wrong: {wanted}")).collect();
        if self.complete {
            for row in answer.rows.iter().filter(|row| !row.is_possible && !row.is_in_test()) {
                extra.extend(self.unexpected(row).map(|place| format!("not true: {place}")));
            }
        }
        let verdict = match (missing.is_empty(), extra.is_empty()) {
            (true, true) => Verdict::Right,
            (false, true) if answer.is_hedged => Verdict::Hedged,
            _ => Verdict::Wrong,
        };
        faults.extend(missing);
        faults.extend(extra);
        (verdict, faults)
    }

    /// The parts of a row that the truth neither contains nor allows.
    fn unexpected(&self, row: &Row) -> impl Iterator<Item = String> {
        let known: Vec<&String> = self.expect.iter().chain(&self.allow).collect();
        let by_place = self
            .expect
            .iter()
            .any(|wanted| wanted.contains(':') && !wanted.contains("::"));
        let found: Vec<String> = if by_place {
            let is_known = |place: &&String| {
                known
                    .iter()
                    .any(|wanted| wanted.rsplit('@').next() == Some(place.as_str()))
            };
            let is_named = known
                .iter()
                .any(|wanted| row.names.iter().any(|name| is_name(name, wanted)));
            // A file alone says nothing that could be wrong.
            let has_line = |place: &&String| place.rsplit(':').next().is_some_and(|line| line.parse::<u32>().is_ok());
            row.places
                .iter()
                .filter(has_line)
                .filter(|place| !is_named && !is_known(place))
                .cloned()
                .collect()
        } else {
            let is_known = known.iter().any(|wanted| row.shows(wanted));
            // What a function without a name calls is part of the answer in its own rows.
            let name = row.names.first().filter(|name| !is_known && !name.contains("<lambda"));
            name.cloned().into_iter().collect()
        };
        found.into_iter()
    }
}

fn verdict_of(faults: &[String], is_hedged: bool) -> Verdict {
    match (faults.is_empty(), is_hedged) {
        (true, _) => Verdict::Right,
        (false, true) => Verdict::Hedged,
        (false, false) => Verdict::Wrong,
    }
}

impl Row {
    /// A row whose names are in some fields.
    fn of(value: &Value, names: &[&str]) -> Self {
        let mut row = Self::default();
        let resolution = value.get("resolution").and_then(Value::as_str).unwrap_or_default();
        let relation = value.get("relation").and_then(Value::as_str).unwrap_or_default();
        row.is_possible = matches!(resolution, "dispatch" | "name")
            || matches!(relation, "may_run" | "may_be_run" | "implementation");
        row.names = names.iter().filter_map(|key| text(value, key)).collect();
        // A function without a name is a part of the function around it.
        let around = row
            .names
            .iter()
            .filter_map(|name| Some(name.split_once(".<lambda")?.0.to_owned()));
        row.names.extend(around.collect::<Vec<_>>());
        // A constructor can be named by its class.
        if text(value, "callee_kind").as_deref() == Some("constructor") {
            let classes = row
                .names
                .iter()
                .filter_map(|name| Some(name.rsplit_once(['.', ':'])?.0.trim_end_matches(':').to_owned()));
            row.names.extend(classes.collect::<Vec<_>>());
        }
        let path = ["caller_file", "source_file", "path", "file"]
            .iter()
            .find_map(|key| text(value, key));
        if let Some(path) = path {
            let lines = values(value, "lines").iter().filter_map(Value::as_u64);
            let lines: Vec<u64> = lines.chain(value.get("line").and_then(Value::as_u64)).collect();
            row.places.extend(lines.iter().map(|line| format!("{path}:{line}")));
            row.places.push(path);
        }
        row
    }

    /// Whether the row contains what an expectation names.
    fn shows(&self, wanted: &str) -> bool {
        match wanted.split_once('@') {
            Some((name, place)) if place.contains(':') => self.has_name(name) && self.has_place(place),
            _ => self.has_place(wanted) || self.has_name(wanted),
        }
    }

    fn has_place(&self, wanted: &str) -> bool {
        self.places.iter().any(|place| place == wanted)
    }

    fn has_name(&self, wanted: &str) -> bool {
        self.names.iter().any(|name| is_name(name, wanted))
    }

    fn is_in_test(&self) -> bool {
        let is_in_tests = |name: &String| name.contains("::tests::") || name.contains("::test::");
        self.names.iter().any(is_in_tests)
            || self.places.iter().any(|place| {
                let place = place.to_lowercase();
                place.contains("test") || place.contains("spec.") || place.contains("example")
            })
    }
}

/// Whether a qualified name is the wanted name or ends in it.
fn is_name(name: &str, wanted: &str) -> bool {
    name == wanted
        || name
            .strip_suffix(wanted)
            .is_some_and(|rest| rest.ends_with(['.', ':', '/', '#', '\\']))
}

fn values<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The definitions of an outline, at any depth.
fn outlined(value: &Value, path: &str, rows: &mut Vec<Row>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| outlined(item, path, rows)),
        Value::Object(fields) => {
            let mut row = Row::of(value, NAMES);
            if let Some(line) = fields.get("line").and_then(Value::as_u64) {
                row.places.push(format!("{path}:{line}"));
            }
            if !row.names.is_empty() {
                rows.push(row);
            }
            fields.values().for_each(|field| outlined(field, path, rows));
        }
        _ => {}
    }
}

/// What a command prints, what it says beside, and whether its answer is yes.
fn spoken(command: &mut Command) -> Outcome<(String, String, bool)> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{}` cannot be run: {error}", shown(command)))?;
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((words(&output.stdout), words(&output.stderr), output.status.success()))
}
