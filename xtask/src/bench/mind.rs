//! `cargo xtask bench --mind`: a mind graph of fifty thousand nodes and edges from one file, the same after ten thousand patches of one edge each, and a chain of a
//! hundred thousand tasks that block each other; read and changed by whole processes.

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::load;
use crate::Outcome;
use crate::disk::{Build, binary, cannot, make_directory, write};
use crate::process::{best_of, need, peak_memory, run as run_command, timed};

/// Nodes, and edges, of the large file.
const ITEMS: usize = 50_000;
/// Patches that have one edge each.
const PATCHES: usize = 10_000;
/// Edges of the chain.
const CHAIN: usize = 100_000;
/// Runs of a process.
const RUNS: usize = 5;
/// Milliseconds of an import, and of everything that is asked or changed afterwards.
const IMPORT: f64 = 2_000.0;
const ASKED: f64 = 100.0;
/// Megabytes.
const MEGABYTES: f64 = 500.0;
/// The chain that patches of one edge belong to.
const WRITER: &str = "mfzgk43uobqxg5dborsxg33pou";

/// Measures, and says which budgets are kept.
pub(super) fn run() -> Outcome<()> {
    if let Some(load) = load().filter(|load| *load > super::QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    let scratch = tempfile::tempdir().map_err(|error| format!("no scratch directory: {error}"))?;
    let plan = scratch.path().join("plan.yaml");
    let text = document(ITEMS);
    write(&plan, &text)?;
    println!(
        "{ITEMS} nodes and {ITEMS} edges in {:.1} MB; best of {RUNS} processes",
        text.len() as f64 / 1e6
    );
    let mut number = 0;
    let mut imported = || -> Outcome<std::path::PathBuf> {
        number += 1;
        let place = scratch.path().join(format!("r{number}"));
        repository(&place)?;
        Ok(place)
    };
    let import = |place: &Path| lore(place, &["mind", "import", &plan.to_string_lossy()]);
    let took = best_of(RUNS, || timed(&mut import(&imported()?)))?;
    let memory = peak_memory(&mut import(&imported()?))?;
    told("import one file", took.as_secs_f64() * 1e3, memory, IMPORT);

    let place = imported()?;
    timed(&mut import(&place))?;
    asked(&place, "one patch")?;

    println!("{PATCHES} patches of one edge each on top of it");
    let began = Instant::now();
    fast_import(&place)?;
    println!("made by git in {:.0} ms", began.elapsed().as_secs_f64() * 1e3);
    let cold = timed(&mut lore(&place, &["mind", "status"]))?;
    println!("the first read of them     {:>7.1} ms", cold.as_secs_f64() * 1e3);
    asked(&place, "10,001 patches")?;

    println!("a chain of {CHAIN} tasks that block each other");
    let place = imported()?;
    let chain = scratch.path().join("chain.yaml");
    write(&chain, &chain_document(CHAIN))?;
    let command = || lore(&place, &["mind", "import", &chain.to_string_lossy()]);
    let took = timed(&mut command())?;
    // The second import of a file writes nothing and needs as much memory.
    told(
        "import the chain",
        took.as_secs_f64() * 1e3,
        peak_memory(&mut command())?,
        2.0 * IMPORT,
    );
    for view in ["blockers", "backlog:critical-path", "onboarding", "progress"] {
        measured(&place, &format!("view {view}"), &["mind", "view", view], 5.0 * ASKED)?;
    }
    measured(
        &place,
        "doctor --no-code",
        &["mind", "doctor", "--no-code"],
        5.0 * ASKED,
    )
}

/// What is asked and changed after an import.
fn asked(place: &Path, what: &str) -> Outcome<()> {
    measured(place, &format!("status, {what}"), &["mind", "status"], ASKED)?;
    for view in ["roadmap", "progress"] {
        measured(place, &format!("view {view}"), &["mind", "view", view], ASKED)?;
    }
    let mut number = 0;
    let mut link = || {
        number += 1;
        let target = format!("task:linked-{what}-{number}").replace([' ', ','], "");
        lore(place, &["mind", "link", "task:000001", &target])
    };
    let took = best_of(RUNS, || timed(&mut link()))?;
    let memory = peak_memory(&mut link())?;
    told("link", took.as_secs_f64() * 1e3, memory, ASKED);
    Ok(())
}

fn measured(place: &Path, what: &str, arguments: &[&str], most: f64) -> Outcome<()> {
    let took = best_of(RUNS, || timed(&mut lore(place, arguments)))?;
    let memory = peak_memory(&mut lore(place, arguments))?;
    told(what, took.as_secs_f64() * 1e3, memory, most);
    Ok(())
}

fn told(what: &str, milliseconds: f64, memory: Option<u64>, most: f64) {
    let megabytes = memory.map(|bytes| bytes as f64 / 1e6);
    println!(
        "{what:<26} {milliseconds:>7.1} ms {:<4} {} MB {}",
        kept(milliseconds <= most),
        megabytes.map_or("-".to_owned(), |megabytes| format!("{megabytes:.0}")),
        kept(megabytes.is_none_or(|megabytes| megabytes <= MEGABYTES)),
    );
}

fn kept(kept: bool) -> &'static str {
    if kept { "ok" } else { "OVER" }
}

fn lore(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary(Build::Release, "lore"));
    command.args(arguments).current_dir(place);
    command
}

/// A repository with one commit.
fn repository(place: &Path) -> Outcome<()> {
    make_directory(place)?;
    let git = |arguments: &[&str]| -> Outcome<()> {
        let mut command = need("git")?;
        command.args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"]);
        run_command(command.args(arguments).current_dir(place))
    };
    git(&["init", "--quiet", "."])?;
    git(&["commit", "--quiet", "--allow-empty", "--message", "one"])
}

/// Patches of one edge each, as a fetch would bring them, made without Lore.
fn fast_import(place: &Path) -> Outcome<()> {
    let mut command = need("git")?;
    let mut child = command
        .args(["fast-import", "--quiet"])
        .current_dir(place)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| format!("git fast-import cannot be run: {error}"))?;
    let mut input = child.stdin.take().ok_or("git fast-import takes no input")?;
    input
        .write_all(patches(PATCHES).as_bytes())
        .map_err(|error| cannot("written", place, error))?;
    drop(input);
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("git fast-import failed ({status})")),
        Err(error) => Err(format!("git fast-import cannot be waited for: {error}")),
    }
}

/// The commits of a chain, for git fast-import.
fn patches(count: usize) -> String {
    let mut stream = String::new();
    for number in 1..=count {
        let (source, target) = (number % ITEMS, (number * 7 + 1) % ITEMS);
        let message = format!(
            "mind: link task:{source:06} references task:{target:06}\n\n\
             [\"e\",\"task:{source:06}\",\"task:{target:06}\",\"references\",{{\"a\":\"2026-02-10T14:30:00.000Z\",\"c\":1}},[]]\n\n\
             Lore-Mind: 1\nLore-Lamport: {number}\nLore-Writer: {WRITER}\nLore-Operations: 1\n"
        );
        let _ = write!(
            stream,
            "commit refs/lore/mind/remotes/origin/w/{WRITER}\nmark :{number}\ncommitter bench <bench@localhost> {} +0000\ndata {}\n{message}\n",
            1_770_733_800 + number,
            message.len(),
        );
    }
    stream
}

/// Tasks with two properties each, and as many edges with confidence and rationale.
fn document(items: usize) -> String {
    let statuses = ["done", "wip", "todo", "blocked"];
    let types = ["blocks", "relates-to", "depends-on", "implements", "belongs-to"];
    let mut text = String::from("version: 1\nnodes:\n");
    for number in 0..items {
        let status = statuses[number % statuses.len()];
        let _ = write!(
            text,
            "  - id: task:{number:06}\n    props:\n      name: The piece of work with number {number}\n      status: {status}\n"
        );
    }
    text.push_str("edges:\n");
    for number in 0..items {
        let target = (number + 1 + number % 17) % items;
        let kind = types[number % types.len()];
        let _ = write!(
            text,
            "  - source: task:{number:06}\n    target: task:{target:06}\n    type: {kind}\n    confidence: 0.{}\n    rationale: As was seen in meeting {}\n",
            1 + number % 9,
            number % 100,
        );
    }
    text
}

/// Tasks of which each blocks the next.
fn chain_document(edges: usize) -> String {
    let mut text = String::from("version: 1\nnodes:\n");
    for number in 0..=edges {
        let _ = writeln!(text, "  - id: task:{number:06}");
    }
    text.push_str("edges:\n");
    for number in 0..edges {
        let _ = write!(
            text,
            "  - source: task:{number:06}\n    target: task:{:06}\n    type: blocks\n",
            number + 1
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_and_patches_are_always_the_same_and_well_formed() {
        assert_eq!(document(100), document(100));
        assert_eq!(document(100).matches("  - id:").count(), 100);
        assert_eq!(chain_document(10).matches("type: blocks").count(), 10);
        let stream = patches(3);
        assert_eq!(stream.matches("\nmark :").count(), 3);
        assert!(stream.contains("Lore-Lamport: 3\n"));
        let data = stream.lines().find_map(|line| line.strip_prefix("data ")).unwrap();
        let first = stream.split_once(&format!("data {data}\n")).unwrap().1;
        let length: usize = data.parse().unwrap();
        assert!(first[..length].ends_with("Lore-Operations: 1\n"));
    }
}
