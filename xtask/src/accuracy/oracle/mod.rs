//! `cargo xtask accuracy --oracle LANGUAGE`: Lore's calls beside those that a compiler or a type checker of the language finds.
//!
//! A judge is a program that knows the types: pyright, the TypeScript checker, javac, go/types, libclang. It says for each call site of a
//! package what is called there. A call site whose target is a definition of the package counts for recall. An edge of Lore at a call site
//! that the judge decided counts for precision, in its class of resolution. What the judge does not decide is not counted.

mod baseline;
mod compare;
mod edges;
mod judges;
mod plan;
mod report;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lore_index::LANGUAGES;

use super::{Options, build};
use crate::Outcome;
use crate::corpora::{self, Copy};
use crate::disk::{self, make_directory};
use crate::process::capture;

use baseline::Baseline;
use compare::Judged;
use edges::Edges;
use judges::Judge;
use plan::{Pinned, Plan};
use report::Shown;

/// What the judges are asked about, and what is printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct OracleOptions {
    /// The languages whose tools are asked.
    pub(crate) languages: Vec<String>,
    /// The languages whose packages run their tests.
    pub(crate) traced: Vec<String>,
    /// Every language that has a judge.
    pub(crate) long: bool,
    /// Only packages with these names.
    pub(crate) packages: Vec<String>,
    /// Print every difference.
    pub(crate) all: bool,
    /// Keep the figures as those that later runs are compared with.
    pub(crate) update_baseline: bool,
}

impl OracleOptions {
    /// Whether a judge is wanted.
    pub(super) fn is_chosen(&self) -> bool {
        self.long || !self.languages.is_empty() || !self.traced.is_empty()
    }
}

/// Judges the chosen languages and compares the figures with those that were kept.
pub(super) fn run(options: &Options) -> Outcome<()> {
    let chosen = &options.oracle;
    let (judges, traced) = (Plan::judges()?, Plan::traced()?);
    let names = |plans: &BTreeMap<String, Plan>, named: &[String]| -> Vec<String> {
        if chosen.long {
            plans.keys().cloned().collect()
        } else {
            named.to_vec()
        }
    };
    let wanted = [
        (&judges, names(&judges, &chosen.languages), ""),
        (&traced, names(&traced, &chosen.traced), " (tests)"),
    ];
    let names: Vec<&String> = wanted.iter().flat_map(|(_, names, _)| names).collect();
    if let Some(unknown) = names
        .iter()
        .find(|name| !LANGUAGES.iter().any(|built| built.name == name.as_str()))
    {
        return Err(format!("`{unknown}` is not a language of this build"));
    }
    let lore = build(options, &[])?;
    let mut baseline = Baseline::read()?;
    let mut worse = Vec::new();
    let named = wanted
        .iter()
        .flat_map(|(plans, names, kind)| names.iter().map(move |name| (plans.get(name), name, kind)));
    for (plan, name, kind) in named {
        let Some(plan) = plan else {
            println!("{name}: unjudged, no tool that knows its types is configured");
            continue;
        };
        let title = format!("{name}{kind}");
        let judge = match Judge::prepare(plan.judge) {
            Ok(judge) => judge,
            Err(message) => {
                println!("{name}: skipped, {message}");
                continue;
            }
        };
        let judged = language(name, plan, &judge, &lore, chosen)?;
        worse.extend(baseline.worse(&title, &judged));
        if chosen.update_baseline {
            baseline.keep(&title, &judged);
        }
    }
    if chosen.long {
        let unjudged: BTreeSet<&str> = LANGUAGES
            .iter()
            .map(|built| built.name)
            .filter(|name| !judges.contains_key(*name) && has_calls(name))
            .collect();
        let unjudged: Vec<&str> = unjudged.into_iter().collect();
        println!("\nunjudged: {}", unjudged.join(", "));
    }
    if chosen.update_baseline {
        return baseline.write();
    }
    if worse.is_empty() {
        Ok(())
    } else {
        Err(format!("worse than the baseline:\n  {}", worse.join("\n  ")))
    }
}

/// Whether Lore finds calls in a language.
fn has_calls(name: &str) -> bool {
    disk::root()
        .join("crates/index/src/lang")
        .join(name)
        .join("calls")
        .is_dir()
}

/// Judges the packages of one language; gives the figures of each with its title.
fn language(
    name: &str,
    plan: &Plan,
    judge: &Judge,
    lore: &Path,
    options: &OracleOptions,
) -> Outcome<Vec<(String, Judged)>> {
    println!("\n== {name}: calls, judged by {}", plan.judge.title());
    let shown = if options.all { Shown::All } else { Shown::Some };
    let wanted = |pinned: &&Pinned| {
        options.packages.is_empty() || options.packages.iter().any(|name| pinned.package.is_named(name))
    };
    let mut judged = Vec::new();
    for pinned in plan.packages.iter().filter(wanted) {
        match package(name, pinned, judge, lore) {
            Ok((title, figures)) => {
                report::line(&title, &figures, plan.judge);
                judged.push((title, figures));
            }
            Err(message) => println!("{}: skipped, {message}", pinned.package.name()),
        }
    }
    if judged.is_empty() {
        return Err(format!("no package of {name} was judged"));
    }
    let mut whole = Judged::default();
    for (title, figures) in &judged {
        whole.add(figures, title);
    }
    report::line("all", &whole, plan.judge);
    report::classes(&whole, plan.judge);
    report::groups(&whole, shown);
    Ok(judged)
}

/// Judges one package.
fn package(language: &str, pinned: &Pinned, judge: &Judge, lore: &Path) -> Outcome<(String, Judged)> {
    let fetched = corpora::fetch(language, std::slice::from_ref(&pinned.package))?;
    let package = fetched.first().ok_or("the package is not there")?;
    pinned.verify(package)?;
    let copy = Copy::alone(package, &pinned.without)?;
    make_directory(&copy.cache())?;
    let edges = Edges::read(
        &capture(&mut copy.lore(lore, &["find", "--limit", "0", "--json"]))?,
        &capture(&mut copy.lore(lore, &["calls", "--no-external", "--json"]))?,
    )?;
    let rows = judge.ask(&copy.tree(), pinned)?;
    let judged = compare::judge(&rows, &edges, &copy.tree());
    Ok((package.title.clone(), judged))
}
