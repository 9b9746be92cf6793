//! `cargo xtask accuracy --impact`: breaks functions of Python packages, and compares the tests that fail with those that
//! `lore impact` selects.
//!
//! Each file of `xtask/impact` says how the tests of one package run. `impact_breaks.py` draws the functions, breaks them one at a
//! time and runs the tests.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{Options, build, differences, share};
use crate::Outcome;
use crate::corpora::{self, Copy, Package};
use crate::disk::{self, make_directory};
use crate::process::capture;
use crate::python::Python;

/// How the tests of one package run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    source: Package,
    /// The directory of the package's own code.
    package: String,
    /// The files and directories with tests.
    tests: Vec<String>,
    /// The packages that they need, pinned.
    requirements: Vec<String>,
    /// More arguments of pytest.
    #[serde(default)]
    arguments: String,
}

/// The first line of `impact_breaks.py`.
#[derive(Debug, Deserialize)]
struct Whole {
    /// Tests with the places of their definitions.
    tests: BTreeMap<String, String>,
}

/// A function that was broken.
#[derive(Debug, Deserialize)]
struct Broken {
    path: String,
    line: u32,
    name: String,
    /// Absent if the tests did not end in time.
    failed: Option<Vec<String>>,
}

/// The figures of some functions.
#[derive(Default)]
struct Figures {
    failed: usize,
    found: usize,
    /// The share of the failing tests that was selected, for each function with failing tests.
    recalls: Vec<f64>,
    /// The share of all tests that was selected.
    shares: Vec<f64>,
}

/// Measures all packages, or the chosen ones.
pub(super) fn run(options: &Options) -> Outcome<()> {
    let lore = build(options, &[])?;
    let mut all = Figures::default();
    for path in disk::entries(&disk::root().join("xtask/impact"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !options.packages.is_empty() && !options.packages.contains(&name) {
            continue;
        }
        let sheet: Sheet =
            toml::from_str(&disk::read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        match measure(&name, &sheet, &lore, options) {
            Ok(figures) => all.add(figures),
            Err(message) => println!("{name} is not measured: {message}"),
        }
    }
    println!("\nall: {}", all.shown());
    Ok(())
}

fn measure(name: &str, sheet: &Sheet, lore: &Path, options: &Options) -> Outcome<Figures> {
    let fetched = corpora::fetch("python", std::slice::from_ref(&sheet.source))?;
    let fetched = fetched.first().ok_or("the package is not there")?;
    println!("\n== {}", fetched.title);
    let copy = Copy::alone(fetched, &[])?;
    make_directory(&copy.cache())?;
    let python = Python::with_project(&format!("impact-{name}"), &sheet.requirements, fetched.directory())?;
    let mut breaks = python.program("impact_breaks.py");
    breaks.arg(copy.tree()).args(["--package", &sheet.package]);
    for tests in &sheet.tests {
        breaks.args(["--tests", tests]);
    }
    breaks.arg("--functions").arg(options.functions.to_string());
    breaks.arg(format!("--with={}", sheet.arguments));
    let printed = capture(&mut breaks)?;
    let mut lines = printed.lines();
    let read = |line: &str, error: serde_json::Error| format!("not as expected ({error}): {line}");
    let first = lines.next().ok_or("nothing was printed")?;
    let whole: Whole = serde_json::from_str(first).map_err(|error| read(first, error))?;
    capture(&mut copy.lore(lore, &["index"]))?;
    let (mut figures, mut missed) = (Figures::default(), Vec::new());
    for line in lines {
        let broken: Broken = serde_json::from_str(line).map_err(|error| read(line, error))?;
        let place = format!("{}:{}", broken.path, broken.line);
        let Some(failed) = &broken.failed else {
            println!("{place} {}: the tests did not end", broken.name);
            continue;
        };
        let answer = capture(&mut copy.lore(lore, &["impact", &place, "--tests", "--json"]))?;
        let answer: Value = serde_json::from_str(&answer).map_err(|error| read(&answer, error))?;
        let rows = answer["tests"].as_array().map(Vec::as_slice).unwrap_or_default();
        let selected: HashSet<String> = rows
            .iter()
            .filter_map(|row| Some(format!("{}:{}", row["path"].as_str()?, row["line"].as_u64()?)))
            .collect();
        let is_selected = |test: &&String| whole.tests.get(*test).is_some_and(|place| selected.contains(place));
        let found = failed.iter().filter(is_selected).count();
        let chosen = whole.tests.keys().filter(is_selected).count();
        let possible = answer["test_count"].as_u64().unwrap_or(0);
        println!(
            "{place} {}: {found} of {} failing tests selected; {chosen} of {} tests selected, {possible} possible",
            broken.name,
            failed.len(),
            whole.tests.len()
        );
        let lost = failed.iter().filter(|test| !is_selected(test));
        missed.extend(lost.map(|test| format!("{test} fails without {}", broken.name)));
        figures.add_function(failed.len(), found, chosen, whole.tests.len());
    }
    differences(&missed, options.show);
    println!("{name}: {}", figures.shown());
    Ok(figures)
}

impl Figures {
    fn add_function(&mut self, failed: usize, found: usize, selected: usize, tests: usize) {
        self.failed += failed;
        self.found += found;
        if failed > 0 {
            self.recalls.push(found as f64 / failed as f64);
        }
        self.shares.push(selected as f64 / tests.max(1) as f64);
    }

    fn add(&mut self, other: Self) {
        self.failed += other.failed;
        self.found += other.found;
        self.recalls.extend(other.recalls);
        self.shares.extend(other.shares);
    }

    fn shown(&self) -> String {
        let mean = self.recalls.iter().sum::<f64>() / self.recalls.len().max(1) as f64;
        let mut shares = self.shares.clone();
        shares.sort_by(f64::total_cmp);
        let median = shares.get(shares.len() / 2).copied().unwrap_or_default();
        format!(
            "{} functions; recall {}, mean of the functions {:.1} %; median of selected tests {:.1} %",
            self.shares.len(),
            share(self.found, self.failed),
            mean * 100.0,
            median * 100.0
        )
    }
}
