//! `cargo xtask accuracy`: what Lore says about pinned real packages, beside what tokei, ctags and lizard say, language by language.
//!
//! None of them is right about everything: a difference is a place to look at, and each is shown with its place. With `--calls`, what Lore says
//! about calls, beside what was found out by reading; with `--oracle`, beside what compilers and type checkers find. Other options ask everyday
//! questions, compare the most important symbols with those that documentation names first, and compare selected tests with those that fail.

mod calls;
mod complexity;
mod definitions;
mod edge_places;
mod impact;
mod importance;
mod labels;
mod lines;
mod oracle;
mod parser;
mod questions;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use lore_index::LANGUAGES;
use serde_json::Value;

use crate::Outcome;
use crate::corpora::{self, Copy};
use crate::disk::{Build, binary, make_directory};
use crate::languages::{self, Language, Measured, Part, Sheet};
use crate::process::{capture, cargo, run as run_command};

pub(crate) use oracle::OracleOptions;

/// What to compare, and what becomes of it.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The languages; all if none is named.
    pub(crate) languages: Vec<String>,
    /// Compare calls with labels, and nothing else.
    pub(crate) calls: bool,
    /// Ask the questions of `xtask/questions`, and nothing else.
    pub(crate) questions: bool,
    /// Compare the most important symbols with those that the documentation of packages names first, and nothing else.
    pub(crate) importance: bool,
    /// Check that the lines of edges show their targets, and nothing else.
    pub(crate) edge_places: bool,
    /// Break functions of packages and compare the failing tests with the selected ones, and nothing else.
    pub(crate) impact: bool,
    /// Functions to break in each package.
    pub(crate) functions: usize,
    /// Packages to break; all if none is named.
    pub(crate) packages: Vec<String>,
    /// Compare calls with those that compilers and type checkers find, and nothing else.
    pub(crate) oracle: OracleOptions,
    /// Keep the figures in the folders of the languages.
    pub(crate) record: bool,
    /// The build of `lore` that is asked.
    pub(crate) build: Build,
    /// Differences of a kind that are shown.
    pub(crate) show: usize,
    /// This process was built with the features of the languages.
    pub(crate) rebuilt: bool,
}

/// The files of one language as Lore sees them.
struct Seen {
    name: String,
    sheet: Sheet,
    copy: Copy,
    files: Vec<File>,
    symbols: Vec<Symbol>,
    /// Differences of a kind that are shown.
    show: usize,
}

/// A file that Lore indexed.
struct File {
    path: String,
    language: String,
    lines: Lines,
}

/// Lines by what stands on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Lines {
    code: u64,
    comment: u64,
    blank: u64,
}

/// A definition that Lore found.
struct Symbol {
    path: String,
    kind: String,
    name: String,
    line: u64,
    start_line: u64,
    end_line: u64,
    complexity: Option<u64>,
}

/// Compares the chosen languages.
pub(crate) fn run(options: &Options) -> Outcome<()> {
    if options.oracle.is_chosen() {
        return oracle::run(options);
    }
    if options.calls {
        return calls::run(options);
    }
    if options.questions {
        return questions::run(options);
    }
    if options.edge_places {
        return edge_places::run(options);
    }
    if options.importance {
        return importance::run(options);
    }
    if options.impact {
        return impact::run(options);
    }
    let languages = languages::chosen(&options.languages)?;
    let absent: Vec<&Language> = languages
        .iter()
        .filter(|language| !LANGUAGES.iter().any(|built| built.name == language.folder.name))
        .collect();
    if !options.rebuilt && absent.iter().any(|language| language.sheet.feature.is_some()) {
        return rebuild(options, &languages);
    }
    let lore = build(options, &languages)?;
    let mut failed = Vec::new();
    for language in languages {
        let name = language.folder.name.clone();
        if let Err(message) = measure(language, &lore, options) {
            println!("{name} is not measured: {message}");
            failed.push(name);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("not measured: {}", failed.join(", ")))
    }
}

/// Builds `lore` with the features that some languages need, and says where it is.
fn build(options: &Options, languages: &[Language]) -> Outcome<PathBuf> {
    let features = Language::features(languages);
    let mut arguments = vec!["build", "--package", "lore-cli"];
    arguments.extend(
        (!features.is_empty())
            .then_some(["--features", &features])
            .into_iter()
            .flatten(),
    );
    arguments.extend((options.build == Build::Release).then_some("--release"));
    run_command(&mut cargo(&arguments))?;
    Ok(binary(options.build, "lore"))
}

/// Runs the same task built with the features that the languages need: this process does not have their grammars.
fn rebuild(options: &Options, languages: &[Language]) -> Outcome<()> {
    let features = Language::features(languages);
    let mut command = cargo(&["run", "--quiet", "--package", "xtask", "--features", &features]);
    command.args(["--", "accuracy", "--rebuilt"]);
    for name in &options.languages {
        command.args(["--language", name]);
    }
    command.args(options.record.then_some("--record"));
    command.args((options.build == Build::Dev).then_some("--dev"));
    command.arg("--show").arg(options.show.to_string());
    run_command(&mut command)
}

/// Compares one language.
fn measure(language: Language, lore: &Path, options: &Options) -> Outcome<()> {
    let Language { folder, sheet } = language;
    let packages = corpora::fetch(&folder.name, &sheet.packages)?;
    let copy = Copy::of(&packages)?;
    let seen = look(&folder.name, sheet, copy, lore, options.show)?;
    println!(
        "\n== {}: {} files, {} definitions",
        seen.name,
        seen.files.len(),
        seen.symbols.len()
    );
    let parsed = parser::measure(&seen)?;
    let lines = said("lines", lines::compare(&seen));
    let definitions = said("definitions", definitions::compare(&seen));
    said("complexity", complexity::compare(&seen));
    if !options.record {
        return Ok(());
    }
    let (Some(lines_equal), Some(ctags_found)) = (lines, definitions) else {
        return Err("figures are only recorded whole".to_owned());
    };
    let measured = Measured {
        packages: packages.into_iter().map(|package| package.title).collect(),
        files: seen.files.len(),
        error_nodes: parsed.error_nodes,
        files_without_errors: parsed.files_without_errors,
        ctags_found,
        lines_equal,
    };
    println!("recorded in {}", folder.record(&measured)?);
    Ok(())
}

/// What a comparison found, or a line that says why it was not made.
fn said<T>(name: &str, outcome: Outcome<T>) -> Option<T> {
    outcome
        .inspect_err(|message| println!("{name}: skipped, {message}"))
        .ok()
}

fn look(name: &str, sheet: Sheet, copy: Copy, lore: &Path, show: usize) -> Outcome<Seen> {
    make_directory(&copy.cache())?;
    capture(&mut copy.lore(lore, &["index", "--fresh"]))?;
    let mut files = rows(&capture(&mut copy.lore(lore, &["files", "--json"]))?, file)?;
    files.retain(|file| file.language == name);
    if files.is_empty() {
        return Err("its packages hold no file of it".to_owned());
    }
    let mut symbols = rows(
        &capture(&mut copy.lore(lore, &["find", "--limit", "0", "--json"]))?,
        symbol,
    )?;
    let paths: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    symbols.retain(|symbol| paths.contains(symbol.path.as_str()));
    Ok(Seen {
        name: name.to_owned(),
        sheet,
        copy,
        files,
        symbols,
        show,
    })
}

/// Reads one JSON object a line.
fn rows<T>(text: &str, read: fn(&Value) -> Option<T>) -> Outcome<Vec<T>> {
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).map_err(|error| format!("not JSON ({error}): {line}"))?;
            read(&row).ok_or_else(|| format!("a field is missing: {line}"))
        })
        .collect()
}

fn text(row: &Value, key: &str) -> Option<String> {
    row.get(key)?.as_str().map(str::to_owned)
}

fn number(row: &Value, key: &str) -> Option<u64> {
    row.get(key)?.as_u64()
}

fn file(row: &Value) -> Option<File> {
    let lines = Lines {
        code: number(row, "code")?,
        comment: number(row, "comment")?,
        blank: number(row, "blank")?,
    };
    Some(File {
        path: text(row, "path")?,
        language: text(row, "language")?,
        lines,
    })
}

fn symbol(row: &Value) -> Option<Symbol> {
    Some(Symbol {
        path: text(row, "path")?,
        kind: text(row, "kind")?,
        name: text(row, "name")?,
        line: number(row, "line")?,
        start_line: number(row, "start_line")?,
        end_line: number(row, "end_line")?,
        complexity: number(row, "complexity"),
    })
}

/// A path as other programs print it, as Lore does.
fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// A share in words.
fn share(part: usize, whole: usize) -> String {
    let percent = Part { count: part, of: whole }.percent();
    format!("{part} of {whole} ({percent:.2} %)")
}

impl Seen {
    fn tree(&self) -> PathBuf {
        self.copy.tree()
    }

    /// Writes the paths of the files to a file beside the tree, one a line, for programs that take such a list.
    fn list(&self) -> Outcome<PathBuf> {
        let path = self.copy.beside("list");
        let list: String = self.files.iter().map(|file| format!("{}\n", file.path)).collect();
        crate::disk::write(&path, &list)?;
        Ok(path)
    }

    fn show(&self, found: &[String]) {
        differences(found, self.show);
    }
}

/// Prints the first of some differences, and how many more there are.
fn differences(found: &[String], show: usize) {
    for difference in found.iter().take(show) {
        println!("  {difference}");
    }
    if found.len() > show {
        println!("  … and {} more (`--show N` shows more)", found.len() - show);
    }
}
