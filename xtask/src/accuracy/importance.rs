//! `cargo xtask accuracy --importance`: the most important symbols of real packages, beside those that their documentation names first.
//!
//! Each file of `xtask/importance` holds the expected names of one package, and where the expectation comes from.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{Options, build, share, text};
use crate::Outcome;
use crate::corpora::{self, Copy, Package};
use crate::disk::{self, make_directory};
use crate::process::capture;

/// The expectation about one package.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    source: Package,
    language: String,
    /// Names of files and directories that are not indexed.
    #[serde(default)]
    without: Vec<String>,
    /// Bare names, in the order of the documentation.
    expect: Vec<String>,
    /// Where the documentation names them.
    truth: String,
}

/// Compares all packages, or the chosen ones.
pub(super) fn run(options: &Options) -> Outcome<()> {
    let lore = build(options, &[])?;
    let (mut hits, mut expected, mut packages) = (0, 0, 0);
    for path in disk::entries(&disk::root().join("xtask/importance"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !options.packages.is_empty() && !options.packages.contains(&name) {
            continue;
        }
        let sheet: Sheet =
            toml::from_str(&disk::read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        match compare(&sheet, &lore) {
            Ok(found) => {
                hits += found;
                expected += sheet.expect.len();
                packages += 1;
            }
            Err(message) => println!("{name} is not measured: {message}"),
        }
    }
    println!("\n{packages} packages: {} of the expected names", share(hits, expected));
    Ok(())
}

/// Prints the comparison of one package, and gives the number of expected names among the most important symbols.
fn compare(sheet: &Sheet, lore: &Path) -> Outcome<usize> {
    let fetched = corpora::fetch(&sheet.language, std::slice::from_ref(&sheet.source))?;
    let fetched = fetched.first().ok_or("the package is not there")?;
    let copy = Copy::alone(fetched, &sheet.without)?;
    make_directory(&copy.cache())?;
    let answer = capture(&mut copy.lore(lore, &["stats", "--json"]))?;
    let answer: Value = serde_json::from_str(&answer).map_err(|error| format!("not JSON: {error}"))?;
    let rows = answer["most_important"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let names: Vec<String> = rows.iter().filter_map(|row| text(row, "name")).collect();
    let (hits, misses): (Vec<&str>, Vec<&str>) = sheet
        .expect
        .iter()
        .map(String::as_str)
        .partition(|wanted| names.iter().any(|name| name == wanted));
    println!("\n== {}: {} of {}", fetched.title, hits.len(), sheet.expect.len());
    println!("   most important: {}", names.join(", "));
    if !misses.is_empty() {
        println!("   missing: {}", misses.join(", "));
        println!("   truth: {}", sheet.truth);
    }
    Ok(hits.len())
}
