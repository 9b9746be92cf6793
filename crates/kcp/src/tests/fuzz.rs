//! Any bytes and any query get an answer: no panic, nothing without bounds, and the index beside the plain rule.
//!
//! The seeds are the fixtures, spoiled. With `LORE_LONG` in the environment it runs much longer.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;

use super::fixtures::yaml_files;
use crate::date::Day;
use crate::graph::UnitGraph;
use crate::model::{Manifest, UnitIndex};
use crate::parse::parse;
use crate::plan::{PlanRules, Wanted, plan};
use crate::query::filter::Why;
use crate::query::request::QueryFilters;
use crate::query::{Incomplete, QueryIndex, QueryRequest, Source, query, question};
use crate::relations::relations;
use crate::validate::{ValidateOptions, validate};
use lore_base::yaml::Limits;

static SEEDS: OnceLock<Vec<String>> = OnceLock::new();

fn seeds() -> &'static [String] {
    SEEDS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kcp/fixtures");
        let files = yaml_files(&root);
        files
            .iter()
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .collect()
    })
}

/// One way to spoil a text.
#[derive(Clone, Debug)]
enum Mutation {
    Delete(usize, usize),
    Repeat(usize, usize, usize),
    Insert(usize, usize),
    Splice(usize, usize, usize),
}

const TOKENS: &[&str] = &[
    ":",
    "- ",
    "  ",
    "\n",
    "\t",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "|\n",
    ">\n",
    "&a ",
    "*a",
    "!!str ",
    "!x ",
    "# ",
    "~",
    "null",
    "true",
    "\0",
    "\u{feff}",
    "\r\n",
    "%YAML 1.1\n",
    "---\n",
    "...\n",
    "<<: ",
    "? ",
    "é",
    "\u{202e}",
    "units:\n",
    "- id: ",
    "depends_on: [a, b]\n",
    "relationships:\n",
    "supersedes: a\n",
    "triggers: [x]\n",
    "hints: {token_estimate: 18446744073709551615}\n",
    "999999999999999999999",
    "summary_unit: a\n",
    "validated: 2026-02-30\n",
    "freshness_policy: {max_age_days: 18446744073709551615}\n",
];

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = 0..100_000usize;
    prop_oneof![
        (at.clone(), 1..120usize).prop_map(|(at, len)| Mutation::Delete(at, len)),
        (at.clone(), 1..60usize, 2..30usize).prop_map(|(at, len, times)| Mutation::Repeat(at, len, times)),
        (at.clone(), 0..TOKENS.len()).prop_map(|(at, token)| Mutation::Insert(at, token)),
        (at.clone(), at.clone(), at).prop_map(|(seed, from, to)| Mutation::Splice(seed, from, to)),
    ]
}

/// The nearest character boundary at or before a position taken modulo the length.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn part(text: &str, at: usize, len: usize) -> std::ops::Range<usize> {
    let start = boundary(text, at);
    let end = boundary(text, (start + len).min(text.len()));
    start..end.max(start)
}

fn mutate(mut text: String, mutations: &[Mutation]) -> String {
    for mutation in mutations {
        match mutation {
            Mutation::Delete(at, len) => text.replace_range(part(&text, *at, *len), ""),
            Mutation::Repeat(at, len, times) => {
                let part = part(&text, *at, *len);
                let repeated = text[part.clone()].repeat(*times);
                text.insert_str(part.start, &repeated);
            }
            Mutation::Insert(at, token) => text.insert_str(boundary(&text, *at), TOKENS[*token]),
            Mutation::Splice(seed, from, to) => {
                let other = &seeds()[seed % seeds().len()];
                let piece = &other[part(other, *from, 300)];
                text.insert_str(boundary(&text, *to), piece);
            }
        }
    }
    text
}

prop_compose! {
    fn request()(
        terms in prop::collection::vec(prop_oneof![".{0,12}", prop::sample::select(&["a", "unit", "docs/", "how do", "é"][..]).prop_map(str::to_owned)], 0..5),
        numbers in prop::collection::vec(prop::option::of(any::<u64>()), 2),
        flags in prop::collection::vec(any::<bool>(), 6),
        words in prop::collection::vec(prop::option::of(".{0,8}"), 3),
    ) -> QueryRequest {
        QueryRequest {
            terms,
            max_token_budget: numbers[0],
            limit: numbers[1].and_then(|limit| usize::try_from(limit % 50).ok()),
            include_summaries: flags[0],
            exclude_deprecated: flags[1],
            exclude_stale: flags[2],
            audit: flags[3],
            strict_sensitivity: flags[4],
            explain: flags[5],
            audience: words[0].clone(),
            environment: words[1].clone(),
            role: words[2].clone(),
            ..QueryFilters::default().request(Vec::new())
        }
    }
}

/// What must hold of whatever could be parsed.
fn check(manifest: Manifest, request: &QueryRequest) {
    validate(&manifest, &ValidateOptions::default());
    relations(&manifest);
    let units = manifest.units.len();
    let source = Source {
        id: None,
        url: Some("https://x.example/k.yaml".to_owned()),
        manifest: Arc::new(manifest),
    };
    let sources = [source];
    let (today, incomplete) = (Day(20_000), Incomplete::new());
    let plain = query(&sources, request, today, &incomplete);
    assert_eq!(QueryIndex::build(&sources).query(request, today, &incomplete), plain);
    assert!(plain.results.len() <= units && plain.matched <= units);
    assert!(request.limit.is_none_or(|limit| plain.results.len() <= limit));
    assert!(plain.budget.is_none_or(|budget| budget.used <= budget.given));
    let manifest = &sources[0].manifest;
    let graph = UnitGraph::of(manifest);
    let wanted: Vec<Wanted> = (0u32..)
        .take(units)
        .map(|number| Wanted {
            unit: UnitIndex(number),
            reason: String::new(),
            by_id: number % 2 == 0,
        })
        .collect();
    let is_odd = |unit: UnitIndex| unit.0 % 5 == 3;
    let rules = PlanRules {
        budget: request.max_token_budget,
        context: request.max_token_budget.map(|budget| budget / 3),
        include_summaries: request.include_summaries,
        check: &|unit| if is_odd(unit) { Err(Why::Audience) } else { Ok(()) },
        failure: &|unit| (unit.0 % 7 == 5).then(String::new),
        approval: &|_| None,
        incomplete: &std::collections::BTreeSet::new(),
    };
    let plan = plan(manifest, &graph, &wanted, &rules);
    assert!(plan.steps.len() <= units && plan.skipped.len() <= units);
    assert!(rules.budget.is_none_or(|budget| plan.tokens <= budget));
}

proptest! {
    #![proptest_config(lore_testing::cases_or_long(400, 20_000))]

    #[test]
    fn any_bytes_are_parsed_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let parsed = parse(&bytes, &Limits::default());
        prop_assert_eq!(parsed.manifest.is_none(), parsed.findings.iter().any(|finding| finding.code.name().starts_with("parse")));
    }

    #[test]
    fn spoiled_manifests_are_asked_and_planned(
        seed in any::<prop::sample::Index>(),
        mutations in prop::collection::vec(mutation(), 0..6),
        request in request(),
    ) {
        let text = mutate(seed.get(seeds()).clone(), &mutations);
        if let Some(manifest) = parse(text.as_bytes(), &Limits::default()).manifest {
            check(manifest, &request);
        }
    }

    #[test]
    fn any_question_becomes_terms(question in "\\PC{0,80}") {
        let terms = question::terms(&question);
        prop_assert!(terms.iter().all(|term| !term.trim().is_empty() && question.contains(term.as_str())));
    }
}
