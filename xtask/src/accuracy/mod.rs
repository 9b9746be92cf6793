//! `cargo xtask accuracy`: what Lore says about pinned real packages, beside what tokei, ctags and lizard say.
//!
//! None of them is right about everything: a difference is a place to look at, and each is shown with its place.

mod complexity;
mod definitions;
mod lines;

use std::path::PathBuf;

use serde_json::Value;

use crate::Outcome;
use crate::corpora::{self, Copy, Corpus};
use crate::disk::{Build, binary, make_directory};
use crate::process::{capture, cargo, run as run_command};

/// A corpus as Lore sees it.
struct Seen {
    corpus: &'static Corpus,
    copy: Copy,
    files: Vec<File>,
    symbols: Vec<Symbol>,
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
    name: String,
    line: u64,
    start_line: u64,
    complexity: Option<u64>,
}

/// Compares the chosen corpora.
pub(crate) fn run(chosen: &[String], build: Build) -> Outcome<()> {
    let mut arguments = vec!["build", "--package", "lore-cli"];
    arguments.extend((build == Build::Release).then_some("--release"));
    run_command(&mut cargo(&arguments))?;
    let lore = binary(build, "lore");
    for (corpus, directory) in corpora::fetch(chosen)? {
        let seen = look(corpus, &directory, &lore)?;
        println!(
            "\n== {}: {} files, {} definitions",
            corpus.name,
            seen.files.len(),
            seen.symbols.len()
        );
        for (name, compare) in COMPARISONS {
            if let Err(message) = compare(&seen) {
                println!("{name}: skipped, {message}");
            }
        }
    }
    Ok(())
}

type Comparison = fn(&Seen) -> Outcome<()>;

const COMPARISONS: &[(&str, Comparison)] = &[
    ("lines", lines::compare),
    ("definitions", definitions::compare),
    ("complexity", complexity::compare),
];

fn look(corpus: &'static Corpus, directory: &std::path::Path, lore: &std::path::Path) -> Outcome<Seen> {
    let copy = Copy::of(directory)?;
    make_directory(&copy.cache())?;
    capture(&mut copy.lore(lore, &["index", "--fresh"]))?;
    let files = rows(&capture(&mut copy.lore(lore, &["files", "--json"]))?, file)?;
    let symbols = rows(
        &capture(&mut copy.lore(lore, &["find", "--limit", "0", "--json"]))?,
        symbol,
    )?;
    Ok(Seen {
        corpus,
        copy,
        files,
        symbols,
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
        name: text(row, "name")?,
        line: number(row, "line")?,
        start_line: number(row, "start_line")?,
        complexity: number(row, "complexity"),
    })
}

/// A path as other programs print it, as Lore does.
fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// A share in words.
fn share(part: usize, whole: usize) -> String {
    let percent = if whole == 0 {
        100.0
    } else {
        part as f64 * 100.0 / whole as f64
    };
    format!("{part} of {whole} ({percent:.2} %)")
}

impl Seen {
    fn tree(&self) -> PathBuf {
        self.copy.tree()
    }
}
