//! A registry of a hundred thousand entries: filled, rendered, and asked.

use std::fs;
use std::path::Path;
use std::time::Instant;

use lore_backends::SqlRegistry;
use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::entry::Seconds;
use lore_ckgp::registry_store::store::{EventKind, Registry, reading, writing};
use lore_registry::sync::rules;
use lore_registry::visit::Rules;
use lore_seam::{Ctx, ErrorKind, OpError};
use serde_json::{Value, json};

use super::meter::{Budget, Sheet, of_process, peak};
use super::syncing::{EVERY, about};
use super::world::{Told, call, ctx};
use super::{Outcome, in_child, made, number};

/// Entries of the registry.
const ENTRIES: usize = 100_000;
/// Entries of one unit while the store is filled.
const BATCH: usize = 10_000;
/// A time that does not come while this runs.
const LATER: Seconds = made::THEN + 400 * 86_400;
/// Milliseconds that a page takes.
const PAGE: f64 = 10.0;
/// Milliseconds that a question takes for which very much has to be looked at: conditions that no entry keeps together, words that nearly all have, ids that are near.
const MUCH: f64 = 50.0;
/// Questions of one kind.
const TIMES: usize = 60;
/// Where it is rendered to.
const PUBLIC: &str = "public";

fn internal(error: Box<dyn std::error::Error>) -> OpError {
    OpError::new(ErrorKind::Internal, error.to_string())
}

/// Where a repository's record is.
fn record_url(rules: &Rules, number: usize) -> Outcome<String> {
    let repository = made::repository(number)?;
    let forge = rules.sources.forge(repository.host()).ok_or("its forge is known")?;
    let url = forge.record_urls(&repository).into_iter().next();
    Ok(url.ok_or("a record has a place")?)
}

fn entry(rules: &Rules, number: usize) -> Outcome<lore_ckgp::registry_store::entry::Entry> {
    let has_source = !number.is_multiple_of(EVERY);
    made::entry(number, &rules.formats, &record_url(rules, number)?, has_source)
}

pub(crate) fn fill(sheet: &mut Sheet, root: &Path) -> Outcome<()> {
    sheet.title("a registry of 100,000 entries")?;
    let told = in_child(&["fill", root.to_str().ok_or("a directory whose name is no text")?])?;
    let bytes = fs::metadata(root.join("lore.db"))?.len() as f64 / 1e6;
    let more = format!(
        "{:.0} MB in the store, {:.1} s of the processor",
        bytes,
        number(&told, "seconds")?
    );
    sheet.figure("filled in", number(&told, "time")?, "s", Budget::None, &more)
}

/// Fills the store, and puts files in the places of the bodies that are visited.
pub(crate) fn filled(root: &Path) -> Outcome<Told> {
    let (before, began) = (of_process()?, Instant::now());
    let ctx = ctx(root, 0, None);
    let rules = rules(&ctx)?;
    let store = SqlRegistry::new(Some(root.join("lore.db")), false);
    writing(&store, |unit| unit.set_about(&about()))?;
    for begin in (0..ENTRIES).step_by(BATCH) {
        writing(&store, |unit| {
            for number in begin..begin + BATCH {
                let entry = entry(&rules, number).map_err(internal)?;
                unit.put(&entry, &rules.first_host(&entry), Some(LATER))?;
                let (text, terms) = made::words(number, &entry);
                let format = FormatId::parse(made::format_of(number)).ok_or_else(|| internal("a format".into()))?;
                unit.set_text(&entry.repository, &format, Some(&text))?;
                unit.set_terms(&entry.repository, &terms)?;
                unit.add_event(made::THEN, &entry.repository, EventKind::Added, Some(entry.status()))?;
            }
            Ok(())
        })?;
    }
    for number in (0..ENTRIES).filter(|number| number % EVERY < 2) {
        let digest = made::digest(number);
        let directory = root.join("bodies/sha256").join(&digest[..2]).join(&digest[2..4]);
        fs::create_dir_all(&directory)?;
        fs::write(directory.join(format!("{digest}.gz")), b"")?;
    }
    Ok(Told::from([
        ("seconds".to_owned(), of_process()? - before),
        ("time".to_owned(), began.elapsed().as_secs_f64()),
    ]))
}

/// Makes those of a class due, and nothing else.
pub(crate) fn make_due(root: &Path, class: usize) -> Outcome<()> {
    let rules = rules(&ctx(root, 0, None))?;
    let store = SqlRegistry::new(Some(root.join("lore.db")), false);
    writing(&store, |unit| {
        for number in (class..ENTRIES).step_by(EVERY) {
            let entry = entry(&rules, number).map_err(internal)?;
            unit.put(&entry, &rules.first_host(&entry), Some(made::THEN + number as i64))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Renders everything, nothing, and one entry.
pub(crate) fn render(sheet: &mut Sheet, root: &Path) -> Outcome<()> {
    sheet.title("100,000 entries rendered")?;
    let path = root.to_str().ok_or("a directory whose name is no text")?;
    let mut figure = |name: &str, budget: Budget| -> Outcome<f64> {
        let told = in_child(&["render", path])?;
        let written = number(&told, "written")?;
        let more = format!(
            "{written} written, {} as they were; {:.1} s of the processor, {:.0} MB at most",
            number(&told, "unchanged")?,
            number(&told, "seconds")?,
            number(&told, "peak")?
        );
        sheet.figure(name, number(&told, "time")?, "s", budget, &more)?;
        Ok(written)
    };
    figure("for the first time", Budget::AtMost(60.0))?;
    let nothing = figure("when nothing changed", Budget::AtMost(0.1))?;
    let store = SqlRegistry::new(Some(root.join("lore.db")), false);
    let repository = made::repository(ENTRIES / 2)?;
    writing(&store, |unit| {
        let mut entry = unit
            .entry(&repository)?
            .ok_or_else(|| internal("it is registered".into()))?;
        entry.graphs[0].description = Some("Something else".to_owned());
        unit.put(&entry, "github.com", Some(LATER))?;
        unit.add_event(made::THEN + 1, &repository, EventKind::Changed, Some(entry.status()))
    })?;
    let one = figure("when one entry changed", Budget::AtMost(5.0))?;
    // The entry's own document, the two lists, the sums of changes and what else has a time in it.
    if nothing > 0.0 || one > 8.0 {
        return Err(format!("{nothing} files were written for nothing, {one} for one entry").into());
    }
    Ok(())
}

pub(crate) fn rendered(root: &Path) -> Outcome<Told> {
    let ctx = ctx(root, 0, None);
    let (before, began) = (of_process()?, Instant::now());
    let told = call(&ctx, "registry_render", json!({ "directory": PUBLIC }))?;
    let of = |name: &str| told[name].as_f64().unwrap_or(0.0);
    Ok(Told::from([
        ("seconds".to_owned(), of_process()? - before),
        ("time".to_owned(), began.elapsed().as_secs_f64()),
        ("peak".to_owned(), peak()?),
        ("written".to_owned(), of("written")),
        ("unchanged".to_owned(), of("unchanged")),
    ]))
}

/// Asks as agents and the command line do.
pub(crate) fn ask(sheet: &mut Sheet, root: &Path) -> Outcome<()> {
    sheet.title("100,000 entries asked; milliseconds in the middle, and of one in twenty")?;
    let ctx = ctx(root, 0, None);
    let deep = |number: usize| made::repository(number).map(|repository| repository.to_string());
    let cursors: Vec<String> = (0..TIMES)
        .map(|time| deep(time * 1_613 + 997))
        .collect::<Outcome<_>>()?;
    let owners: Vec<String> = (0..TIMES).map(|time| format!("owner{:05}", time * 79 + 11)).collect();
    let list = |filter: Value| vec![filter];
    let by = |name: &str, values: &[String]| values.iter().map(|value| json!({ name: value })).collect::<Vec<_>>();
    let questions: Vec<(&str, &str, Vec<Value>)> = vec![
        ("graph list", "list_repos", list(json!({}))),
        ("graph list, deep inside", "list_repos", by("cursor", &cursors)),
        ("graph list, 1,000 rows", "list_repos", list(json!({ "limit": 1_000 }))),
        ("graph list, format", "list_repos", list(json!({ "format": "ccg@1" }))),
        (
            "graph list, format without a number",
            "list_repos",
            list(json!({ "format": "ccg" })),
        ),
        (
            "graph list, no such format",
            "list_repos",
            list(json!({ "format": "gitnexus" })),
        ),
        ("graph list, tag", "list_repos", list(json!({ "tag": "compiler" }))),
        (
            "graph list, tag written otherwise",
            "list_repos",
            list(json!({ "tag": "Compiler" })),
        ),
        ("graph list, status", "list_repos", list(json!({ "status": "missing" }))),
        ("graph list, any status", "list_repos", list(json!({ "status": "any" }))),
        (
            "graph list, format, tag and status",
            "list_repos",
            list(json!({ "format": "ccg@1", "tag": "web", "status": "invalid" })),
        ),
        ("registry list", "registry_list", list(json!({}))),
        ("registry list, owner", "registry_list", by("owner", &owners)),
        (
            "registry list, language",
            "registry_list",
            list(json!({ "language": "rust" })),
        ),
        (
            "registry list, format",
            "registry_list",
            list(json!({ "format": "generic@1" })),
        ),
        ("registry list, tag", "registry_list", list(json!({ "tag": "web" }))),
        (
            "registry list, status",
            "registry_list",
            list(json!({ "status": "invalid" })),
        ),
        (
            "registry list, a status that none has",
            "registry_list",
            list(json!({ "status": "dead", "format": "ccg@1" })),
        ),
        (
            "registry list, a tag without the language",
            "registry_list",
            list(json!({ "tag": "web", "language": "typescript" })),
        ),
        (
            "registry list, rare word",
            "registry_list",
            list(json!({ "query": "rare77777" })),
        ),
        (
            "registry list, common word",
            "registry_list",
            list(json!({ "query": "parse" })),
        ),
        (
            "registry list, two common words",
            "registry_list",
            list(json!({ "query": "order cache" })),
        ),
        (
            "registry list, beginning of a word",
            "registry_list",
            list(json!({ "query": "pa" })),
        ),
        (
            "graph search, rare word",
            "search_concepts",
            list(json!({ "query": "rare77777" })),
        ),
        (
            "graph search, common word",
            "search_concepts",
            list(json!({ "query": "parse" })),
        ),
        (
            "graph search, no such word",
            "search_concepts",
            list(json!({ "query": "quetzalcoatl" })),
        ),
        ("graph find", "find_graph_for_repo", by("id", &cursors)),
        (
            "graph find, without asking",
            "find_graph_for_repo",
            list(json!({ "id": cursors[7], "offline": true })),
        ),
        (
            "graph find, no such repository",
            "find_graph_for_repo",
            list(json!({ "id": "nobody/nothing" })),
        ),
        ("registry show", "registry_show", by("id", &cursors)),
        ("registry sync, nothing due", "registry_sync", list(json!({}))),
    ];
    for (name, operation, arguments) in questions {
        let is_much = ["tag without", "two common words", "no such repository"]
            .iter()
            .any(|part| name.contains(part));
        let budget = Budget::AtMost(if is_much { MUCH } else { PAGE });
        let mut taken = Vec::new();
        let mut rows = 0;
        for time in 0..TIMES {
            let arguments = arguments[time % arguments.len()].clone();
            let began = Instant::now();
            let answer = call_or_none(&ctx, operation, arguments)?;
            taken.push(began.elapsed().as_secs_f64() * 1e3);
            rows = rows.max(answer["repos"].as_array().map_or(0, Vec::len));
            if taken.iter().sum::<f64>() > 5_000.0 {
                break;
            }
        }
        taken.sort_by(f64::total_cmp);
        let at = |share: f64| taken[((taken.len() - 1) as f64 * share) as usize];
        let rows = if rows > 0 {
            format!(", {rows} rows")
        } else {
            String::new()
        };
        sheet.figure(name, at(0.5), "ms", budget, &format!("{:.3}{rows}", at(0.95)))?;
    }
    let store = SqlRegistry::new(Some(root.join("lore.db")), false);
    let count = reading(&store as &dyn Registry, |unit| unit.counts())?;
    let all: u64 = count.by_status.values().sum();
    if all as usize == ENTRIES {
        Ok(())
    } else {
        Err(format!("there are {all} entries").into())
    }
}

/// An answer; nothing if it is that there is none.
fn call_or_none(ctx: &Ctx, operation: &str, arguments: Value) -> Outcome<Value> {
    match call(ctx, operation, arguments) {
        Err(error)
            if error
                .downcast_ref::<OpError>()
                .is_some_and(|error| error.kind == ErrorKind::NotFound) =>
        {
            Ok(Value::Null)
        }
        outcome => outcome,
    }
}
