//! `cargo xtask bench --kcp`: a knowledge manifest of ten thousand units and one of a single unit, checked and asked by whole processes; and many queries over the large one inside of one.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use lore_backends::{IndexDefaults, Repository, RepositoryOptions, SystemFiles};
use lore_base::yaml::{Document, Limits, YamlError, YamlNote};
use lore_kcp::UnitQuery;
use lore_kcp::query::UnitQueryRequest;
use lore_kcp::query::request::{QueryFilters, SensitivityName};
use lore_model::{Cancel, NoProgress};
use lore_seam::{Ctx, Operation, Setting, Settings};

use super::load;
use crate::disk::{Build, binary, cannot, write};
use crate::process::{best_of, capture, peak_memory, timed};
use crate::{Outcome, disk};

/// Units of the large manifest.
const UNITS: usize = 10_000;
/// Relationships between them.
const RELATIONSHIPS: usize = 1_000;
/// Runs of a whole process.
const RUNS: usize = 9;
/// Runs of it whose memory is watched.
const MEMORY_RUNS: usize = 5;
/// Milliseconds of whole processes, and megabytes.
const LARGE: f64 = 200.0;
const SMALL: f64 = 10.0;
const MEGABYTES: f64 = 120.0;
/// Queries each second in one thread.
const WARM: f64 = 1_000.0;
/// How often the queries are asked.
const ROUNDS: usize = 200;

const WORDS: &[&str] = &[
    "anchor", "basket", "candle", "delta", "engine", "ferry", "garden", "harbour", "island", "journey", "kettle",
    "lantern", "meadow", "needle", "orchard", "pebble", "quarry", "ribbon", "saddle", "tunnel", "umbrella", "valley",
    "window", "yarn", "zephyr",
];

/// Measures, and says which budgets are kept.
pub(super) fn run() -> Outcome<()> {
    if let Some(load) = load().filter(|load| *load > super::QUIET_LOAD) {
        println!("note: the load of this machine is {load}; what else runs here disturbs the figures");
    }
    let directory = tempfile::tempdir().map_err(|error| format!("no scratch directory: {error}"))?;
    let [large, small] = ["large", "small"].map(|name| directory.path().join(name));
    for (place, text) in [(&large, manifest(UNITS)), (&small, manifest(1))] {
        disk::make_directory(place)?;
        write(&place.join("knowledge.yaml"), &text)?;
    }
    let bytes = std::fs::metadata(large.join("knowledge.yaml")).map_err(|error| cannot("read", &large, error))?;
    println!(
        "{UNITS} units, {RELATIONSHIPS} relationships, {:.1} MB; best of {RUNS} processes",
        bytes.len() as f64 / 1e6
    );
    let lore = binary(Build::Release, "lore");
    let asked: &[(&str, &Path, &[&str], f64)] = &[
        ("validate the large one", &large, &["unit", "validate"], LARGE),
        (
            "validate it without files",
            &large,
            &["unit", "validate", "--no-files"],
            LARGE,
        ),
        (
            "query the large one",
            &large,
            &["unit", "query", "harbour", "lantern", "--json"],
            LARGE,
        ),
        (
            "query it with filters",
            &large,
            &[
                "unit",
                "query",
                "--question",
                "how does the orchard reach the ferry?",
                "--audience",
                "agent",
                "--exclude-stale",
                "--max-token-budget",
                "9000",
                "--json",
            ],
            LARGE,
        ),
        (
            "plan over the large one",
            &large,
            &["unit", "plan", "harbour", "--lenient"],
            LARGE,
        ),
        ("validate one unit", &small, &["unit", "validate", "--no-files"], SMALL),
    ];
    for (what, place, arguments, most) in asked {
        let command = || {
            let mut command = Command::new(&lore);
            command.args(*arguments).current_dir(place);
            command
        };
        // A plan over documents that are not there has nothing to load, which is a no.
        let is_plan = arguments.get(1) == Some(&"plan");
        let once = || match timed(&mut command()) {
            Err(_) if is_plan => plain_time(&mut command()),
            timed => timed,
        };
        let milliseconds = best_of(RUNS, once)?.as_secs_f64() * 1e3;
        let mut peak = None;
        for _ in 0..MEMORY_RUNS {
            peak = peak.max(peak_memory(&mut command()).unwrap_or(None));
        }
        let megabytes = peak.map(|bytes| bytes as f64 / 1e6);
        println!(
            "{what:<26} {milliseconds:>7.1} ms {:<4} {} MB {}",
            kept(milliseconds <= *most),
            megabytes.map_or("-".to_owned(), |megabytes| format!("{megabytes:.0}")),
            kept(megabytes.is_none_or(|megabytes| megabytes <= MEGABYTES)),
        );
    }
    print!(
        "{}",
        capture(Command::new(binary(Build::Release, "xtask")).arg("kcp").arg(&large))?
    );
    Ok(())
}

fn kept(kept: bool) -> &'static str {
    if kept { "ok" } else { "OVER" }
}

/// How long a process takes whose answer is no.
fn plain_time(command: &mut Command) -> Outcome<std::time::Duration> {
    let began = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0 | 1) => Ok(began.elapsed()),
        _ => Err(format!("it failed ({})", output.status)),
    }
}

/// Asks the manifest of a directory many times in this process, as a server does.
pub(crate) fn measure(directory: &Path) -> Outcome<()> {
    let repository = Arc::new(Repository::new(RepositoryOptions {
        root: Some(directory.to_owned()),
        start: directory.to_owned(),
        cache: Some(directory.join("cache")),
        user_cache: None,
        cache_limit: None,
        defaults: Arc::new(|_| Ok(IndexDefaults::default())),
    }));
    let ports = lore_backends::ports(
        &repository,
        Arc::new(NoSettings),
        Arc::new(SystemFiles::new(directory.to_owned())),
        None,
    );
    let ctx = Ctx {
        ports: Arc::new(ports),
        progress: Arc::new(NoProgress),
        cancel: Arc::new(Cancel::default()),
    };
    let file = directory.join("knowledge.yaml");
    measure_readers(&std::fs::read(&file).map_err(|error| cannot("read", &file, error))?)?;
    let file = file.to_string_lossy().into_owned();
    let queries = queries(&file);
    let mut slowest = (0.0, String::new());
    let mut first = Vec::new();
    for _ in 0..2 {
        let began = Instant::now();
        UnitQuery::run(&ctx, queries[0].clone()).map_err(|error| error.to_string())?;
        first.push(began.elapsed().as_secs_f64() * 1e3);
    }
    for query in &queries {
        let mut best = f64::MAX;
        for _ in 0..ROUNDS / 10 {
            let began = Instant::now();
            UnitQuery::run(&ctx, query.clone()).map_err(|error| error.to_string())?;
            best = best.min(began.elapsed().as_secs_f64());
        }
        if best > slowest.0 {
            slowest = (best, query.terms.join(" "));
        }
    }
    let began = Instant::now();
    let mut results = 0;
    for _ in 0..ROUNDS {
        for query in &queries {
            let answer = UnitQuery::run(&ctx, query.clone()).map_err(|error| error.to_string())?;
            results += answer.value.answer.results.len();
        }
    }
    let each_second = (ROUNDS * queries.len()) as f64 / began.elapsed().as_secs_f64();
    println!(
        "warm queries               {each_second:>7.0} each second {} | {results} results | the first took {:.0} ms, the second, which makes the index, {:.0} ms | slowest kind {:.2} ms (`{}`)",
        kept(each_second >= WARM),
        first[0],
        first[1],
        slowest.0 * 1e3,
        slowest.1,
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(line) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        println!("memory of that process     {}", line.trim());
    }
    Ok(())
}

/// Reads the manifest with the fast reader of YAML and with the parser alone, in turns; the best of each counts.
fn measure_readers(manifest: &[u8]) -> Outcome<()> {
    type Read = fn(&[u8], &Limits) -> Result<(Document, Vec<YamlNote>), YamlError>;
    let readers: [Read; 2] = [Document::read, Document::read_by_parser];
    let mut best = [f64::MAX; 2];
    for _ in 0..RUNS {
        for (read, best) in readers.iter().zip(&mut best) {
            let began = Instant::now();
            let (document, _) = read(manifest, &Limits::default()).map_err(|error| format!("{error:?}"))?;
            *best = best.min(began.elapsed().as_secs_f64() * 1e3);
            drop(document);
        }
    }
    let [fast, parser] = best;
    println!(
        "reading its YAML           {fast:>7.1} ms fast reader, {parser:.1} ms parser: factor {:.1}",
        parser / fast
    );
    Ok(())
}

struct NoSettings;

impl Settings for NoSettings {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

/// Queries of every kind: rare and common terms, phrases, one letter, filters, a budget, and what matches nothing.
fn queries(file: &str) -> Vec<UnitQueryRequest> {
    let of = |terms: &[&str], filters: QueryFilters| UnitQueryRequest {
        terms: terms.iter().map(|term| (*term).to_owned()).collect(),
        filters,
        file: Some(file.to_owned()),
        ..UnitQueryRequest::default()
    };
    let plain = QueryFilters::default;
    vec![
        of(&["harbour"], plain()),
        of(&["harbour", "lantern"], plain()),
        of(&["orchard", "ferry", "tunnel", "kettle"], plain()),
        of(&["garden and meadow", "06321"], plain()),
        of(&["production"], plain()),
        of(&["zebra"], plain()),
        of(&["an"], plain()),
        of(
            &["valley"],
            QueryFilters {
                audience: Some("agent".to_owned()),
                exclude_stale: true,
                sensitivity_max: Some(SensitivityName::Internal),
                has_capabilities: Some(vec!["tool:git".to_owned()]),
                ..plain()
            },
        ),
        of(
            &["engine", "saddle"],
            QueryFilters {
                max_token_budget: Some(9_000),
                ..plain()
            },
        ),
        of(
            &["window"],
            QueryFilters {
                limit: Some(50),
                ..plain()
            },
        ),
    ]
}

/// A manifest of so many units, always the same.
fn manifest(units: usize) -> String {
    let mut random = Random(0x5eed);
    let mut text = String::from(
        "# Made for a measurement\nkcp_version: \"0.14\"\nproject: large-garden\nversion: 1.0.0\nupdated: \"2026-03-07\"\nlanguage: en\nfreshness_policy:\n  max_age_days: 120\nunits:\n",
    );
    let mut ids: Vec<String> = Vec::with_capacity(units);
    for number in 0..units {
        let [one, two, three, four] = [(); 4].map(|()| random.pick(WORDS));
        let id = format!("{one}-{two}-{number:05}");
        if number % 20 == 0 {
            let _ = writeln!(text, "  # part {}: {one} and {two}", number / 20);
        }
        let _ = write!(
            text,
            "  - id: {id}\n    path: docs/{one}/{two}/{number:05}-{three}.md\n    intent: \"Where do {one} and {two} meet the {three} of part {number} in production?\"\n    scope: {}\n    audience: [{}, agent]\n    kind: {}  # seen\n    validated: \"2026-0{}-1{}\"\n",
            random.pick(&["global", "project", "module"]),
            random.pick(&["human", "developer", "operator"]),
            random.pick(&["knowledge", "schema", "policy"]),
            1 + random.below(9),
            random.below(10),
        );
        if let Some(earlier) = ids.len().checked_sub(1) {
            let near = earlier - random.below(earlier.min(49) + 1);
            let _ = writeln!(text, "    depends_on: [{}]", ids[near]);
        }
        if number % 7 == 0 {
            let _ = writeln!(
                text,
                "    sensitivity: {}",
                random.pick(&["public", "internal", "confidential"])
            );
        }
        if number % 11 == 0 {
            text.push_str("    requires_capabilities: [tool:git]\n");
        }
        let last = if number % 10 == 0 {
            format!("'é{four}'")
        } else {
            four.to_owned()
        };
        let _ = write!(
            text,
            "    triggers: [{one}, {two}, {three}-{number}, {last}]\n    hints:\n      token_estimate: {}\n      load_strategy: lazy\n",
            100 * (1 + random.below(99)),
        );
        ids.push(id);
    }
    if units > RELATIONSHIPS * 6 {
        text.push_str("relationships:\n");
        for number in 0..RELATIONSHIPS {
            let (from, to) = (&ids[number * 6], &ids[number * 6 + 5]);
            let kind = random.pick(&["enables", "context", "governs"]);
            let _ = write!(text, "  - from: {from}\n    to: {to}\n    type: {kind}\n");
        }
    }
    text
}

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        // The multiplier and the increment are those of Knuth's MMIX.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifests_are_valid_always_the_same_and_large() {
        let large = manifest(UNITS);
        assert_eq!(large, manifest(UNITS));
        assert!((4_000_000..5_000_000).contains(&large.len()), "{}", large.len());
        for (text, units) in [(large, UNITS), (manifest(1), 1)] {
            let parsed = lore_kcp::parse(text.as_bytes(), &Limits::default());
            let manifest = parsed.manifest.unwrap();
            assert_eq!((manifest.units.len(), parsed.findings), (units, Vec::new()));
        }
    }
}
