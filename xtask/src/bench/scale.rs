//! `cargo xtask bench --scale`: one tree that grows to five million lines, made of whole real packages of many languages.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::Outcome;
use crate::corpora::{self, Copy, Fetched};
use crate::disk::{self, Build, binary, make_directory};
use crate::languages;
use crate::process::{capture, peak_memory, timed};

use super::{FULL_TO_FLOOR, indexed_files};

/// Languages whose packages make the tree, in the order in which they are taken.
const LANGUAGES: &[&str] = &[
    "rust",
    "python",
    "go",
    "typescript",
    "cpp",
    "java",
    "c",
    "csharp",
    "javascript",
    "php",
    "kotlin",
    "ruby",
    "swift",
    "scala",
];
/// Lines at which the tree is measured.
const SIZES: &[u64] = &[50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000];
/// Bytes that a full index of the largest may take.
const PEAK_BYTES: u64 = 4_000_000_000;

/// What one size took.
struct Step {
    lines: u64,
    floor: f64,
    full: f64,
    peak_bytes: u64,
}

/// Measures the tree at each size.
pub(super) fn run() -> Outcome<()> {
    let known = languages::chosen(&[])?;
    let mut packages: Vec<Fetched> = Vec::new();
    for name in LANGUAGES {
        let language = known.iter().find(|language| language.folder.name == *name);
        let wanted = language.map_or(&[][..], |language| &language.sheet.packages);
        match corpora::fetch(name, wanted) {
            // The sheets name the largest first.
            Ok(fetched) => packages.extend(fetched.into_iter().rev()),
            Err(message) => println!("{name} is left out: {message}"),
        }
    }
    println!(
        "{:>10} {:>9} {:>9} {:>12} {:>9} {:>16}",
        "lines", "floor", "full", "full / floor", "peak", "ns / n log2 n"
    );
    let (mut taken, mut lines) = (0, 0);
    let mut steps: Vec<Step> = Vec::new();
    for size in SIZES {
        while lines < *size && taken < packages.len() {
            lines += source_lines(packages[taken].directory())?;
            taken += 1;
        }
        let step = measure(&packages[..taken])?;
        let ratio = step.full / step.floor;
        println!(
            "{:>10} {:>8.0}  {:>8.0}  {:>11.2}  {:>6} MB {:>15.1}",
            step.lines,
            step.floor * 1e3,
            step.full * 1e3,
            ratio,
            step.peak_bytes / 1_000_000,
            for_each(&step),
        );
        steps.push(step);
    }
    if let (Some(first), Some(last)) = (steps.iter().find(|step| step.lines >= 500_000), steps.last()) {
        let growth = for_each(last) / for_each(first);
        println!(
            "peak {} of {} MB; full / floor {:.2} of {:.1}; from {} to {} lines the time for each line grew {growth:.2} times as fast as n log n",
            last.peak_bytes / 1_000_000,
            PEAK_BYTES / 1_000_000,
            last.full / last.floor,
            FULL_TO_FLOOR,
            first.lines,
            last.lines,
        );
    }
    Ok(())
}

/// Nanoseconds for each line and each doubling of the lines.
fn for_each(step: &Step) -> f64 {
    let lines = step.lines as f64;
    step.full * 1e9 / (lines * lines.log2())
}

/// Endings of the names of files that are counted while the tree is put together.
const SOURCES: &[&str] = &[
    "py", "rs", "go", "ts", "tsx", "js", "java", "c", "h", "cc", "cpp", "hpp", "cs", "php", "kt", "rb", "swift",
    "scala",
];

/// The lines of the sources below a directory, roughly.
fn source_lines(directory: &Path) -> Outcome<u64> {
    let mut lines = 0;
    for path in disk::entries(directory)? {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            lines += source_lines(&path)?;
        } else if path
            .extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|ending| SOURCES.contains(&ending))
            && let Ok(content) = std::fs::read(&path)
        {
            lines += content.iter().filter(|byte| **byte == b'\n').count() as u64;
        }
    }
    Ok(lines)
}

fn measure(packages: &[Fetched]) -> Outcome<Step> {
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
    let mut floor_run = Command::new(binary(Build::Release, "xtask"));
    floor_run.arg("floor").arg(copy.tree()).arg("--files").arg(&list);
    let (mut floor, mut full) = (Duration::MAX, Duration::MAX);
    for _ in 0..2 {
        floor = floor.min(timed(&mut floor_run)?);
        full = full.min(timed(&mut full_index())?);
    }
    Ok(Step {
        lines: files.iter().map(|file| file.lines).sum(),
        floor: floor.as_secs_f64(),
        full: full.as_secs_f64(),
        peak_bytes: peak_memory(&mut full_index())?.unwrap_or(0),
    })
}
