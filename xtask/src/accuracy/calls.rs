//! Calls, beside labels: lines of real packages that were drawn at random, for each of which somebody found out by reading what it calls.
//!
//! Right is a found call that the label demands, wrong is one that it neither demands nor allows, missed is what it demands and Lore does not
//! have. Only calls of what the package itself defines count; what stands outside is compared apart, by its last name alone, because labels
//! and Lore name the world outside in different words.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lore_model::Resolution;
use serde_json::Value;

use super::labels::{Labels, Site, unnumbered};
use super::{Options, build, differences, rows, share, text};
use crate::Outcome;
use crate::corpora::{self, Copy};
use crate::disk::{make_directory, read};
use crate::languages::{self, Language, Part};
use crate::process::capture;

/// Compares the chosen languages, those that have labels.
pub(super) fn run(options: &Options) -> Outcome<()> {
    let mut labelled = Vec::new();
    for language in languages::chosen(&options.languages)? {
        let paths = language.folder.labelled()?;
        match (paths.is_empty(), options.languages.is_empty()) {
            (false, _) => labelled.push((language, paths)),
            (true, true) => {}
            (true, false) => return Err(format!("{} has no labelled calls", language.folder.name)),
        }
    }
    let languages: Vec<Language> = labelled.iter().map(|(language, _)| language.clone()).collect();
    let lore = build(options, &languages)?;
    let mut everything = Score::default();
    for (language, paths) in &labelled {
        let name = &language.folder.name;
        println!("\n== {name}: calls at labelled lines");
        let mut whole = Score::default();
        for path in paths {
            let labels = Labels::parse(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
            let (title, score) = measure(name, &labels, &lore)?;
            score.line(&title);
            whole.add(score);
        }
        whole.report(name);
        differences(&whole.differences, options.show);
        everything.add(whole);
    }
    if labelled.len() > 1 {
        println!("\n== all");
        everything.report("all");
    }
    Ok(())
}

/// Compares one package; gives its title too.
fn measure(language: &str, labels: &Labels, lore: &Path) -> Outcome<(String, Score)> {
    let fetched = corpora::fetch(language, std::slice::from_ref(&labels.package))?;
    let package = fetched.first().ok_or("the package is not there")?;
    let copy = Copy::alone(package, &labels.without)?;
    labels.sites.iter().try_for_each(|site| stands(site, &copy.tree()))?;
    make_directory(&copy.cache())?;
    let found = Found::of(rows(&capture(&mut copy.lore(lore, &["calls", "--json"]))?, call)?);
    let mut score = Score::default();
    for site in &labels.sites {
        score.judge(site, &found);
    }
    Ok((package.title.clone(), score))
}

/// Refuses a label whose line reads differently in the package: it was written about another one.
fn stands(site: &Site, tree: &Path) -> Outcome<()> {
    let source = read(&tree.join(&site.path))?;
    match source.lines().nth(site.line.saturating_sub(1)) {
        Some(line) if line.trim() == site.text => Ok(()),
        _ => Err(format!("{}: the line is not `{}`", site.place(), site.text)),
    }
}

/// A call as Lore tells it.
struct Call {
    callee: String,
    path: String,
    lines: Vec<usize>,
    resolution: Resolution,
    external: bool,
}

fn call(row: &Value) -> Option<Call> {
    let lines = row.get("lines")?.as_array()?.iter();
    Some(Call {
        callee: text(row, "callee")?,
        path: text(row, "caller_file")?,
        lines: lines
            .map(|line| usize::try_from(line.as_u64()?).ok())
            .collect::<Option<_>>()?,
        resolution: Resolution::from_name(row.get("resolution")?.as_str()?)?,
        external: row.get("external").and_then(Value::as_bool).unwrap_or_default(),
    })
}

/// What Lore has at each line.
#[derive(Default)]
struct Found {
    /// Definitions of the package, each with the surest way in which it is known.
    inside: BTreeMap<(String, usize), BTreeMap<String, Resolution>>,
    outside: BTreeMap<(String, usize), BTreeSet<String>>,
}

impl Found {
    fn of(calls: Vec<Call>) -> Self {
        let mut found = Self::default();
        for call in calls {
            for line in call.lines {
                let place = (call.path.clone(), line);
                if call.external {
                    found
                        .outside
                        .entry(place)
                        .or_default()
                        .insert(last_name(&call.callee).to_owned());
                } else {
                    let at = found.inside.entry(place).or_default();
                    let known = at.entry(unnumbered(&call.callee)).or_insert(call.resolution);
                    *known = call.resolution.min(*known);
                }
            }
        }
        found
    }
}

/// The last name of something outside: what is called, wherever it comes from.
fn last_name(name: &str) -> &str {
    let name = name.strip_suffix(".default").unwrap_or(name);
    let name = name.strip_suffix("()").unwrap_or(name);
    name.rsplit('.').next().unwrap_or(name)
}

/// How much of what was found is right.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: usize,
    wrong: usize,
}

/// How well Lore does on some lines.
#[derive(Default)]
struct Score {
    lines: usize,
    /// Lines without a difference.
    faultless: usize,
    inside: BTreeMap<Resolution, Tally>,
    missed: usize,
    /// Of what labels allow without demanding it.
    allowed: Part,
    outside: Tally,
    outside_missed: usize,
    differences: Vec<String>,
}

impl Score {
    fn judge(&mut self, site: &Site, found: &Found) {
        let (nothing, nobody) = (BTreeMap::new(), BTreeSet::new());
        let place = (site.path.clone(), site.line);
        let inside = found.inside.get(&place).unwrap_or(&nothing);
        let mut faults = Vec::new();
        for (callee, resolution) in inside {
            if site.demanded.contains(callee) {
                self.inside.entry(*resolution).or_default().right += 1;
            } else if !site.allowed.contains(callee) {
                self.inside.entry(*resolution).or_default().wrong += 1;
                faults.push(format!("wrong {callee} ({resolution})"));
            }
        }
        let missed = site.demanded.iter().filter(|callee| !inside.contains_key(*callee));
        faults.extend(missed.map(|callee| format!("missed {callee}")));
        self.missed += faults.iter().filter(|fault| fault.starts_with("missed")).count();
        self.allowed.of += site.allowed.len();
        self.allowed.count += site
            .allowed
            .iter()
            .filter(|callee| inside.contains_key(*callee))
            .count();
        let named = found.outside.get(&place).unwrap_or(&nobody);
        let wanted: BTreeSet<&str> = site.outside.iter().map(|name| last_name(name)).collect();
        let right = wanted.iter().filter(|name| named.contains(**name)).count();
        self.outside.right += right;
        self.outside.wrong += named.len() - right;
        self.outside_missed += wanted.len() - right;
        self.lines += 1;
        self.faultless += usize::from(faults.is_empty());
        if !faults.is_empty() {
            let faults = faults.join("\n      ");
            self.differences
                .push(format!("{} {}\n      {faults}", site.place(), site.text));
        }
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.faultless += other.faultless;
        for (resolution, tally) in other.inside {
            let sum = self.inside.entry(resolution).or_default();
            sum.right += tally.right;
            sum.wrong += tally.wrong;
        }
        self.missed += other.missed;
        self.allowed.count += other.allowed.count;
        self.allowed.of += other.allowed.of;
        self.outside.right += other.outside.right;
        self.outside.wrong += other.outside.wrong;
        self.outside_missed += other.outside_missed;
        self.differences.extend(other.differences);
    }

    fn total(&self) -> Tally {
        self.inside.values().fold(Tally::default(), |sum, tally| Tally {
            right: sum.right + tally.right,
            wrong: sum.wrong + tally.wrong,
        })
    }

    /// One line about the whole.
    fn line(&self, title: &str) {
        let total = self.total();
        println!(
            "{title:<26} precision {:<22} recall {:<22} lines without a difference {} of {}",
            share(total.right, total.right + total.wrong),
            share(total.right, total.right + self.missed),
            self.faultless,
            self.lines
        );
    }

    /// The whole, then its parts.
    fn report(&self, title: &str) {
        self.line(title);
        let total = self.total();
        for (resolution, tally) in &self.inside {
            println!(
                "  {resolution:<24} precision {:<22} of recall {}",
                share(tally.right, tally.right + tally.wrong),
                share(tally.right, total.right + self.missed)
            );
        }
        println!(
            "  allowed, not demanded: {} found",
            share(self.allowed.count, self.allowed.of)
        );
        println!(
            "  outside, by last name: precision {}, recall {}",
            share(self.outside.right, self.outside.right + self.outside.wrong),
            share(self.outside.right, self.outside.right + self.outside_missed)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(demanded: &[&str], allowed: &[&str], outside: &[&str]) -> Site {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Site {
            path: "a.py".to_owned(),
            line: 3,
            text: "f()".to_owned(),
            demanded: names(demanded),
            allowed: names(allowed),
            outside: outside.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn found(callee: &str, resolution: Resolution, external: bool) -> Call {
        Call {
            callee: callee.to_owned(),
            path: "a.py".to_owned(),
            lines: vec![3],
            resolution,
            external,
        }
    }

    #[test]
    fn what_is_neither_demanded_nor_allowed_is_wrong() {
        let calls = vec![
            found("a.f", Resolution::Exact, false),
            found("a.g.<lambda2>", Resolution::Flow, false),
            found("a.h", Resolution::Dispatch, false),
            found("a.x", Resolution::Typed, false),
            found("<builtin>.list.append", Resolution::Exact, true),
        ];
        let mut score = Score::default();
        score.judge(
            &site(
                &["a.f", "a.g.<lambda>", "a.y"],
                &["a.h", "a.z"],
                &["list.append", "len"],
            ),
            &Found::of(calls),
        );
        let total = score.total();
        assert_eq!((total.right, total.wrong, score.missed), (2, 1, 1));
        assert_eq!((score.lines, score.faultless), (1, 0));
        assert_eq!(score.allowed, Part { count: 1, of: 2 });
        assert_eq!((score.outside.right, score.outside_missed), (1, 1));
        assert_eq!(
            score.differences,
            ["a.py:3 f()\n      wrong a.x (typed)\n      missed a.y"]
        );
    }

    #[test]
    fn the_surest_way_counts() {
        let calls = vec![
            found("a.f", Resolution::Flow, false),
            found("a.f", Resolution::Exact, false),
        ];
        let mut score = Score::default();
        score.judge(&site(&["a.f"], &[], &[]), &Found::of(calls));
        assert_eq!(score.inside.keys().collect::<Vec<_>>(), [&Resolution::Exact]);
        assert_eq!(score.faultless, 1);
    }

    #[test]
    fn last_names_are_what_is_called() {
        for (name, last) in [
            ("<builtin>.Array.map", "map"),
            ("p-retry.default", "p-retry"),
            ("chokidar.watch().on", "on"),
            ("depd()", "depd"),
            ("len", "len"),
        ] {
            assert_eq!(last_name(name), last);
        }
    }
}
