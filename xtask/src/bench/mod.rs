//! `cargo xtask bench`: whole processes over pinned real packages, beside their budgets and their peers.
//!
//! Every figure is the best of several runs on a copy in a scratch directory. Budgets are ratios within one run, because only
//! those mean the same on every machine.

mod against;
mod ccg;
mod ckgp;
mod example;
mod kcp;
mod mcp;
mod mind;
mod scale;

pub(crate) use against::{Options as AgainstOptions, run as run_against};
pub(crate) use ccg::measure as measure_ccg;
pub(crate) use ckgp::measure as measure_ckgp;
pub(crate) use example::{run_memory, run_registry};
pub(crate) use kcp::measure as measure_kcp;

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use serde::Serialize;

use crate::corpora::{self, Copy, Fetched};
use crate::disk::{Build, binary, cannot, make_directory};
use crate::languages::{self, Language};
use crate::process::{best_of, capture, cargo, peak_memory, run as run_command, timed, tool};
use crate::{Outcome, disk};

/// Runs of what takes long, and of what does not.
const RUNS: usize = 3;
const SHORT_RUNS: usize = 5;
/// A load above this is worth a remark: somebody else is at work.
const QUIET_LOAD: f64 = 0.7;
/// A full index takes at most so many times the floor.
const FULL_TO_FLOOR: f64 = 3.0;
/// An index without a change takes at most this share of a full one.
const WARM_SHARE: f64 = 0.10;
/// An index after a change of one file takes at most this share of a full one, or this long.
const CHANGE_SHARE: f64 = 0.25;
const CHANGE_ALWAYS: f64 = 0.150;
/// The corpus that the absolute budgets are about, the seconds to a first answer, and the bytes of a full index.
const BUDGET_CORPUS: &str = "django";
const FIND_SECONDS: f64 = 0.050;
const PEAK_BYTES: u64 = 500 * 1_000_000;

/// The packages of a language that is measured, and what is asked and changed in them.
#[derive(Debug)]
struct Corpus {
    /// The name, as on the command line.
    name: &'static str,
    /// The language whose packages they are.
    language: &'static str,
    /// What begins a comment in it.
    comment: &'static str,
    /// The name of a symbol in them, to ask for.
    symbol: &'static str,
}

const CORPORA: &[Corpus] = &[
    Corpus {
        name: "django",
        language: "python",
        comment: "#",
        symbol: "QuerySet",
    },
    Corpus {
        name: "typescript",
        language: "typescript",
        comment: "//",
        symbol: "Observable",
    },
    Corpus {
        name: "javascript",
        language: "javascript",
        comment: "//",
        symbol: "Compiler",
    },
    Corpus {
        name: "rust",
        language: "rust",
        comment: "//",
        symbol: "Runtime",
    },
    Corpus {
        name: "java",
        language: "java",
        comment: "//",
        symbol: "ImmutableList",
    },
    Corpus {
        name: "go",
        language: "go",
        comment: "//",
        symbol: "HugoSites",
    },
];

/// The names of the corpora, for the command line.
pub(crate) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(CORPORA.iter().map(|corpus| corpus.name))
}

/// The figures of one corpus; times in seconds.
#[derive(Serialize)]
struct Figures {
    corpus: &'static str,
    files: usize,
    bytes: u64,
    lines: u64,
    floor: f64,
    full: f64,
    warm: f64,
    change: f64,
    find: f64,
    find_no_refresh: f64,
    peak_bytes: Option<u64>,
    ctags: Option<f64>,
    tokei: Option<f64>,
}

/// What is written with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    cores: usize,
    corpora: &'a [Figures],
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Indexing and asking.
    Index,
    /// A tree that grows.
    Scale,
    /// The Code Context Graph.
    Ccg,
    /// The server for agents.
    Mcp,
    /// Knowledge manifests.
    Kcp,
    /// The mind graph.
    Mind,
    /// Published graphs.
    Ckgp,
}

/// Measures the chosen corpora and prints a table.
pub(crate) fn run(chosen: &[String], json: Option<&Path>, what: What) -> Outcome<()> {
    run_command(&mut cargo(&[
        "build",
        "--release",
        "--package",
        "lore-cli",
        "--package",
        "xtask",
    ]))?;
    match what {
        What::Index => {}
        What::Scale => return scale::run(),
        What::Ccg => return ccg::run(chosen),
        What::Mcp => return mcp::run(chosen),
        What::Kcp => return kcp::run(),
        What::Mind => return mind::run(),
        What::Ckgp => return ckgp::run(),
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut measured = Vec::new();
    let mut over = 0;
    let languages = languages::chosen(&[])?;
    let peers = Peers::of(&languages);
    let corpora = fetch(chosen, &languages);
    println!("{cores} cores; times in milliseconds, best of {RUNS} ({SHORT_RUNS} for the short ones)");
    if let Some(load) = load().filter(|load| *load > QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    println!("{}", head());
    for (corpus, packages) in corpora {
        let figures = measure(corpus, &packages, &peers)?;
        let row = Row::of(&figures);
        println!("{}", row.text);
        over += row.over;
        measured.push(figures);
    }
    match over {
        0 => println!("every budget is kept"),
        count => println!("{count} over budget"),
    }
    if let Some(path) = json {
        let report = Report {
            cores,
            corpora: &measured,
        };
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        disk::write(path, &(text + "\n"))?;
    }
    Ok(())
}

/// How many processes ran at once in the last minute, where the system tells.
fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg")
        .ok()?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

/// The chosen corpora, or all of them, that can be had; the others are named in a line each.
fn fetch(chosen: &[String], languages: &[Language]) -> Vec<(&'static Corpus, Vec<Fetched>)> {
    let wanted = CORPORA
        .iter()
        .filter(|corpus| chosen.is_empty() || chosen.iter().any(|name| name == corpus.name));
    let mut fetched = Vec::new();
    for corpus in wanted {
        let language = languages
            .iter()
            .find(|language| language.folder.name == corpus.language);
        let packages = language.map_or(&[][..], |language| &language.sheet.packages);
        match corpora::fetch(corpus.language, packages) {
            Ok(packages) => fetched.push((corpus, packages)),
            Err(message) => println!("{} is skipped: {message}", corpus.name),
        }
    }
    fetched
}

/// What other programs are told.
struct Peers {
    /// The languages that ctags looks for: all that Lore and it both know, because Lore looks for all of its own too.
    ctags_languages: String,
}

impl Peers {
    fn of(languages: &[Language]) -> Self {
        let sheets = languages.iter().filter_map(|language| language.sheet.ctags.as_ref());
        let names: BTreeSet<&str> = sheets.flat_map(|ctags| &ctags.languages).map(String::as_str).collect();
        Self {
            ctags_languages: names.into_iter().collect::<Vec<_>>().join(","),
        }
    }
}

fn measure(corpus: &Corpus, packages: &[Fetched], peers: &Peers) -> Outcome<Figures> {
    let copy = Copy::of(packages)?;
    make_directory(&copy.cache())?;
    let lore = binary(Build::Release, "lore");
    let full_index = || copy.lore(&lore, &["index", "--fresh"]);
    capture(&mut full_index())?;
    let files = indexed_files(&capture(&mut copy.lore(&lore, &["files", "--json"]))?)?;
    let list = copy.beside("files");
    disk::write(
        &list,
        &files.iter().map(|file| format!("{}\n", file.path)).collect::<String>(),
    )?;
    let floor_run = || {
        let mut command = Command::new(binary(Build::Release, "xtask"));
        command.arg("floor").arg(copy.tree()).arg("--files").arg(&list);
        command
    };
    let (mut floor, mut full) = (Duration::MAX, Duration::MAX);
    for _ in 0..RUNS {
        floor = floor.min(timed(&mut floor_run())?);
        full = full.min(timed(&mut full_index())?);
    }
    let peak_bytes = peak_memory(&mut full_index())?;
    let lore_run = |arguments: &[&str]| best_of(SHORT_RUNS, || timed(&mut copy.lore(&lore, arguments)));
    let warm = lore_run(&["index"])?;
    let find = lore_run(&["find", corpus.symbol])?;
    let find_no_refresh = lore_run(&["find", corpus.symbol, "--no-refresh"])?;
    let changed = copy.tree().join(middle_file(&files)?);
    let change = best_of(SHORT_RUNS, || {
        append(&changed, &format!("{} one more line\n", corpus.comment))?;
        timed(&mut copy.lore(&lore, &["index"]))
    })?;
    Ok(Figures {
        corpus: corpus.name,
        files: files.len(),
        bytes: files.iter().map(|file| file.bytes).sum(),
        lines: files.iter().map(|file| file.lines).sum(),
        floor: floor.as_secs_f64(),
        full: full.as_secs_f64(),
        warm: warm.as_secs_f64(),
        change: change.as_secs_f64(),
        find: find.as_secs_f64(),
        find_no_refresh: find_no_refresh.as_secs_f64(),
        peak_bytes,
        ctags: peer(
            "ctags",
            &[
                "-R",
                &format!("--languages={}", peers.ctags_languages),
                "-f",
                "/dev/null",
            ],
            &copy,
        )?,
        tokei: peer("tokei", &["."], &copy)?,
    })
}

/// A file that Lore indexed.
struct File {
    path: String,
    bytes: u64,
    lines: u64,
}

/// The files that `lore files --json` lists.
fn indexed_files(listing: &str) -> Outcome<Vec<File>> {
    listing.lines().map(read_file_line).collect()
}

fn read_file_line(line: &str) -> Outcome<File> {
    let row: serde_json::Value = serde_json::from_str(line).map_err(|error| format!("`lore files --json`: {error}"))?;
    let number = |key: &str| row[key].as_u64().unwrap_or(0);
    let path = row["path"]
        .as_str()
        .ok_or("`lore files --json` names no path")?
        .to_owned();
    Ok(File {
        path,
        bytes: number("bytes"),
        lines: number("code") + number("comment") + number("blank"),
    })
}

/// The file in the middle by size, of the language that most files are in.
fn middle_file(files: &[File]) -> Outcome<PathBuf> {
    let extension = |file: &File| {
        file.path
            .rsplit_once('.')
            .map_or(String::new(), |(_, extension)| extension.to_owned())
    };
    let mut counts = std::collections::BTreeMap::new();
    files
        .iter()
        .for_each(|file| *counts.entry(extension(file)).or_insert(0) += 1);
    let (common, _) = counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .ok_or("nothing was indexed")?;
    let mut candidates: Vec<&File> = files.iter().filter(|file| extension(file) == common).collect();
    candidates.sort_by_key(|file| (file.bytes, file.path.as_str()));
    let middle = candidates.get(candidates.len() / 2).ok_or("nothing was indexed")?;
    Ok(PathBuf::from(&middle.path))
}

fn append(path: &Path, text: &str) -> Outcome<()> {
    let file = OpenOptions::new().append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| cannot("changed", path, error))
}

/// How long another program takes over the same tree, if it is installed.
fn peer(name: &str, arguments: &[&str], copy: &Copy) -> Outcome<Option<f64>> {
    let Some(program) = tool(name) else { return Ok(None) };
    let measured = best_of(RUNS, || {
        timed(Command::new(&program).args(arguments).current_dir(copy.tree()))
    })?;
    Ok(Some(measured.as_secs_f64()))
}

/// A row of the table, and how many of its figures are over budget.
struct Row {
    text: String,
    over: usize,
}

fn head() -> String {
    let cells = |titles: [&str; 12]| columns(&titles.map(str::to_owned));
    let titles = cells([
        "corpus",
        "files",
        "MB",
        "floor",
        "full",
        "full / floor",
        "unchanged",
        "one file",
        "find",
        "as it is",
        "peak MB",
        "ctags tokei",
    ]);
    let budgets = cells([
        "budget",
        "",
        "",
        "",
        "",
        &format!("≤ {FULL_TO_FLOOR:.1}"),
        &format!("≤ {:.0} %", WARM_SHARE * 100.0),
        &format!("≤ {:.0} %, {:.0} ms", CHANGE_SHARE * 100.0, CHANGE_ALWAYS * 1000.0),
        &format!("≤ {:.0} ({BUDGET_CORPUS})", FIND_SECONDS * 1000.0),
        "",
        &format!("≤ {} ({BUDGET_CORPUS})", PEAK_BYTES / 1_000_000),
        "",
    ]);
    format!("{titles}\n{budgets}")
}

impl Row {
    fn of(figures: &Figures) -> Self {
        let mut over = 0;
        let mut verdict = |kept: bool| {
            over += usize::from(!kept);
            if kept { "ok" } else { "OVER" }
        };
        let share = |seconds: f64| seconds / figures.full;
        let of_full = |seconds: f64| format!("{} {:.1} %", milliseconds(seconds), share(seconds) * 100.0);
        let ratio = figures.full / figures.floor;
        let measured_here = figures.corpus == BUDGET_CORPUS;
        let change_kept = figures.change <= (figures.full * CHANGE_SHARE).max(CHANGE_ALWAYS);
        let cells = [
            figures.corpus.to_owned(),
            figures.files.to_string(),
            format!("{:.1}", figures.bytes as f64 / 1e6),
            milliseconds(figures.floor),
            milliseconds(figures.full),
            format!("{ratio:.2} {}", verdict(ratio <= FULL_TO_FLOOR)),
            format!(
                "{} {}",
                of_full(figures.warm),
                verdict(share(figures.warm) <= WARM_SHARE)
            ),
            format!("{} {}", of_full(figures.change), verdict(change_kept)),
            if measured_here {
                format!(
                    "{} {}",
                    milliseconds(figures.find),
                    verdict(figures.find <= FIND_SECONDS)
                )
            } else {
                milliseconds(figures.find)
            },
            milliseconds(figures.find_no_refresh),
            match figures.peak_bytes {
                Some(bytes) if measured_here => format!("{} {}", bytes / 1_000_000, verdict(bytes <= PEAK_BYTES)),
                Some(bytes) => (bytes / 1_000_000).to_string(),
                None => "-".to_owned(),
            },
            [figures.ctags, figures.tokei]
                .map(|peer| peer.map_or("-".to_owned(), milliseconds))
                .join(" "),
        ];
        Self {
            text: columns(&cells),
            over,
        }
    }
}

fn milliseconds(seconds: f64) -> String {
    let milliseconds = seconds * 1000.0;
    if milliseconds < 100.0 {
        format!("{milliseconds:.1}")
    } else {
        format!("{milliseconds:.0}")
    }
}

fn columns(cells: &[String; 12]) -> String {
    const WIDTHS: [usize; 12] = [10, 6, 6, 7, 7, 12, 16, 16, 14, 9, 16, 12];
    let padded = cells
        .iter()
        .zip(WIDTHS)
        .enumerate()
        .map(|(at, (cell, width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
    padded.collect::<Vec<_>>().join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Figures {
        Figures {
            corpus: BUDGET_CORPUS,
            files: 10,
            bytes: 1_500_000,
            lines: 1_000,
            floor: 0.5,
            full: 0.9,
            warm: 0.03,
            change: 0.095,
            find: 0.012,
            find_no_refresh: 0.004,
            peak_bytes: Some(120_000_000),
            ctags: Some(1.25),
            tokei: None,
        }
    }

    #[test]
    fn a_row_within_budget_says_so() {
        let row = Row::of(&figures());
        assert_eq!(row.over, 0);
        let words: Vec<&str> = row.text.split_whitespace().collect();
        assert_eq!(
            words,
            [
                "django", "10", "1.5", "500", "900", "1.80", "ok", "30.0", "3.3", "%", "ok", "95.0", "10.6", "%", "ok",
                "12.0", "ok", "4.0", "120", "ok", "1250", "-"
            ]
        );
    }

    #[test]
    fn what_is_over_budget_is_counted() {
        let slow = Figures {
            full: 1.6,
            warm: 0.2,
            change: 0.5,
            find: 0.06,
            peak_bytes: Some(600_000_000),
            ..figures()
        };
        assert_eq!(Row::of(&slow).over, 5);
        let elsewhere = Figures {
            corpus: "go",
            find: 0.06,
            peak_bytes: Some(600_000_000),
            ..figures()
        };
        assert_eq!(Row::of(&elsewhere).over, 0);
    }

    #[test]
    fn the_middle_file_is_of_the_common_language() {
        let file = |path: &str, bytes: u64| File {
            path: path.to_owned(),
            bytes,
            lines: 1,
        };
        let files = [file("a.py", 1), file("b.py", 9), file("c.py", 5), file("d.js", 5)];
        assert_eq!(middle_file(&files), Ok(PathBuf::from("c.py")));
        assert!(middle_file(&[]).is_err());
    }
}
