//! `cargo xtask accuracy --edge-places`: whether the line of each call and import edge shows the name of the target.
//!
//! An edge whose line does not name its target shows a wrong place, or has a wrong target. Edges that the source does not name are left
//! out: those of values (`flow`), of operators and protocols (`implicit`, names such as `__call__`), of constructors, which a class
//! value or a derived class can run, and of functions without a name. Edges that leave the repository are left out too. A name counts as
//! shown if the line has the name, or an alias that the file gives the name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::{Options, build, differences, rows, share, text};
use crate::Outcome;
use crate::corpora::{self, Copy};
use crate::languages::{self, Language};
use crate::process::capture;

/// The share of edges that has to show the name, in tenths of a percent.
const WANTED: usize = 995;
/// An edge at one line.
struct Place {
    kind: String,
    target: String,
    path: String,
    line: usize,
}

/// Checks the corpora of the chosen languages.
pub(super) fn run(options: &Options) -> Outcome<()> {
    let languages = languages::chosen(&options.languages)?;
    let lore = build(options, &languages)?;
    let mut failed = Vec::new();
    for Language { folder, sheet } in languages {
        let packages = corpora::fetch(&folder.name, &sheet.packages)?;
        let copy = Copy::of(&packages)?;
        crate::disk::make_directory(&copy.cache())?;
        let printed = capture(&mut copy.lore(&lore, &["edges", "--kind", "call,import", "--json"]))?;
        let places: Vec<Place> = rows(&printed, |row| Some(places(row)))?.into_iter().flatten().collect();
        if places.is_empty() {
            continue;
        }
        let hidden = hidden(&copy.tree(), &places)?;
        let shown = places.len() - hidden.len();
        println!(
            "\n== {}: {} edges at lines that show the target",
            folder.name,
            share(shown, places.len())
        );
        differences(&hidden, options.show);
        if shown * 1_000 < places.len() * WANTED {
            failed.push(folder.name);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("less than 99.5 %: {}", failed.join(", ")))
    }
}

/// The lines of an edge that the source names.
fn places(row: &Value) -> Vec<Place> {
    let field = |key: &str| text(row, key).unwrap_or_default();
    let is_implicit = row.get("implicit").and_then(Value::as_bool).unwrap_or_default();
    let is_external = row.get("external").and_then(Value::as_bool).unwrap_or_default();
    let target = field("target");
    let is_unnamed = target.contains('<') || target.contains("__") || field("target_kind") == "constructor";
    if is_implicit
        || is_external
        || is_unnamed
        || !matches!(field("resolution").as_str(), "exact" | "typed" | "declared")
    {
        return Vec::new();
    }
    let lines = row.get("lines").and_then(Value::as_array).into_iter().flatten();
    let lines = lines.filter_map(|line| usize::try_from(line.as_u64()?).ok());
    lines
        .map(|line| Place {
            kind: field("kind"),
            target: field("target"),
            path: field("source_file"),
            line,
        })
        .collect()
}

/// The places that do not show their target.
fn hidden(tree: &Path, places: &[Place]) -> Outcome<Vec<String>> {
    let mut by_file: BTreeMap<&str, Vec<&Place>> = BTreeMap::new();
    for place in places {
        by_file.entry(&place.path).or_default().push(place);
    }
    let mut hidden = Vec::new();
    for (path, places) in by_file {
        let bytes = std::fs::read(tree.join(path)).map_err(|error| format!("{path}: {error}"))?;
        let source = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = source.lines().collect();
        let aliases = aliases(&source);
        for place in places {
            let line = lines.get(place.line.wrapping_sub(1)).copied().unwrap_or_default();
            let words: BTreeSet<&str> = words(line).collect();
            let names = names(place);
            let is_shown = names.iter().any(|name| {
                words.contains(name.as_str())
                    || aliases
                        .get(name.as_str())
                        .into_iter()
                        .flatten()
                        .any(|alias| words.contains(alias))
            });
            if !is_shown {
                hidden.push(format!(
                    "{path}:{} {} {}: {}",
                    place.line,
                    place.kind,
                    place.target,
                    line.trim()
                ));
            }
        }
    }
    Ok(hidden)
}

/// The names that a line can have for a target.
fn names(place: &Place) -> Vec<String> {
    let target = place.target.split('#').next().unwrap_or(&place.target);
    let parts: Vec<&str> = target
        .split(['.', ':', '/', '\\', '$', '-', '@'])
        .filter(|part| !part.is_empty())
        .collect();
    let mut names: Vec<String> = parts
        .last()
        .iter()
        .map(|name| name.trim_end_matches("()").to_owned())
        .collect();
    if place.kind == "import" {
        // An import can name the package that holds the module, or the module that holds the name.
        names.extend(parts.iter().rev().take(3).map(|part| (*part).to_owned()));
    }
    names
}

/// The names that a file gives others: `X as Y`, `X: Y`, `Y "…/X"`, `Y from "…/X"`.
fn aliases(source: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut aliases: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in source.lines() {
        let words: Vec<&str> = words(line).collect();
        for (at, word) in words.iter().enumerate() {
            match words.get(at + 1).copied() {
                Some("as") => {
                    if let Some(alias) = words.get(at + 2) {
                        aliases.entry(word).or_default().insert(alias);
                    }
                }
                Some(next) if line.contains(&format!("{word}: {next}")) => {
                    aliases.entry(word).or_default().insert(next);
                }
                _ => {}
            }
        }
        // A line of an import list of Go has only the path, or an alias and the path.
        let is_listed = line.trim_end().ends_with('"') && line.matches('"').count() == 2;
        let is_import = is_listed
            || words
                .iter()
                .any(|word| matches!(*word, "import" | "from" | "require" | "use"));
        if let (true, Some(last)) = (is_import, words.last()) {
            for word in &words {
                aliases.entry(last).or_default().insert(word);
            }
        }
    }
    aliases
}

/// The identifiers of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_can_name_what_holds_the_target() {
        let place = |kind: &str, target: &str| Place {
            kind: kind.to_owned(),
            target: target.to_owned(),
            path: String::new(),
            line: 1,
        };
        assert_eq!(names(&place("call", "a.b.run#2")), ["run"]);
        assert!(names(&place("import", "a.b")).contains(&"a".to_owned()));
    }

    #[test]
    fn edges_that_the_source_does_not_name_are_left_out() {
        let row = |change: serde_json::Value| {
            let mut row = serde_json::json!({"kind": "call", "target": "a.f", "source_file": "a.py", "lines": [3], "resolution": "exact"});
            for (key, value) in change.as_object().expect("an object") {
                row[key] = value.clone();
            }
            places(&row).len()
        };
        assert_eq!(row(serde_json::json!({})), 1);
        for change in [
            serde_json::json!({"resolution": "flow"}),
            serde_json::json!({"external": true}),
            serde_json::json!({"implicit": true}),
            serde_json::json!({"target": "a.C.__call__"}),
            serde_json::json!({"target": "a.f.<lambda1>"}),
            serde_json::json!({"target_kind": "constructor"}),
        ] {
            assert_eq!(row(change.clone()), 0, "{change}");
        }
    }

    #[test]
    fn aliases_are_read_from_imports() {
        let found = aliases("from m import run as go\nimport text \"x/strings\"\n");
        assert!(found["run"].contains("go"));
        assert!(found["strings"].contains("text"));
        assert!(!found["run"].contains("m"));
    }
}
