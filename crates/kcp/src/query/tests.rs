//! Queries as the text describes them, and the index beside the plain rule.

use std::sync::Arc;

use proptest::prelude::*;

use super::evaluate::*;
use super::request::{QueryFilters, QueryRequest};
use super::score::Scoring;
use super::*;
use super::{UnitQuery, UnitQueryAnswer, UnitQueryRequest, Warm, asked};
use crate::model::UnitIndex;
use crate::testing::{UNIT, manifest};
use crate::vocabulary::{Scope, Sensitivity, Vocabulary};
use lore_seam::{Operation, OperationEntry, Style, Toolset, Value, Verdict, entry};

fn today() -> Day {
    Day::parse("2026-06-30").unwrap()
}

fn source(text: &str) -> Source {
    Source {
        id: None,
        url: None,
        manifest: Arc::new(manifest(text)),
    }
}

fn federated(id: &str, url: &str, text: &str) -> Source {
    Source {
        id: Some(id.to_owned()),
        url: Some(url.to_owned()),
        ..source(text)
    }
}

fn terms_of(terms: &[&str]) -> QueryRequest {
    QueryRequest {
        terms: terms.iter().map(|term| (*term).to_owned()).collect(),
        ..QueryRequest::default()
    }
}

/// What both ways answer, which is the same.
fn ask(sources: &[Source], request: &QueryRequest) -> QueryAnswer {
    let plain = query(sources, request, today(), &Incomplete::new());
    assert_eq!(
        QueryIndex::build(sources).query(request, today(), &Incomplete::new()),
        plain
    );
    plain
}

/// Results in short: `id=score`, with the manifest and the unit in whose place it stands.
fn short(answer: &QueryAnswer) -> String {
    let shown = answer.results.iter().map(|result| {
        let from = result
            .source_manifest
            .as_ref()
            .map(|id| format!("{id}/"))
            .unwrap_or_default();
        let place = result
            .substituted_for
            .as_ref()
            .map(|id| format!("<{id}"))
            .unwrap_or_default();
        format!("{from}{}={}{place}", result.unit_id, result.score)
    });
    shown.collect::<Vec<_>>().join(" ")
}

fn answers(text: &str, request: &QueryRequest) -> String {
    short(&ask(&[source(text)], request))
}

const SHOP: &str = "project: Garden Shop 2\nunits:\n\
- {id: a, path: p/a.md, intent: Where is the gate?, triggers: [gate]}\n\
- {id: b, path: p/gate.md, intent: Who opens it?}\n\
- {id: gate, path: p/c.md, intent: What is a gate?, triggers: [gate]}\n\
- {id: d, path: p/d.md, intent: Nothing of that}\n";

#[test]
fn q2_without_terms_all_units_are_given_in_their_order_and_without_a_limit() {
    let units: String = (0..9)
        .map(|number| format!("- {{id: u{number}, path: p, intent: i}}\n"))
        .collect();
    let text = format!("project: x\nunits:\n{units}");
    let all = answers(&text, &QueryRequest::default());
    assert_eq!(all, "u0=0 u1=0 u2=0 u3=0 u4=0 u5=0 u6=0 u7=0 u8=0");
    let two = QueryRequest {
        limit: Some(2),
        ..QueryRequest::default()
    };
    assert_eq!(answers(&text, &two), "u0=0 u1=0");
    assert_eq!(answers(&text, &terms_of(&[" ", ""])), all);
}

#[test]
fn q2_with_terms_only_what_earns_a_point_is_given() {
    assert_eq!(answers(SHOP, &terms_of(&["gate"])), "gate=9 a=8 b=1");
    assert_eq!(answers(SHOP, &terms_of(&["nowhere"])), "");
}

#[test]
fn q4_equal_points_keep_the_order_of_manifests_and_units() {
    let one = "project: x\nunits:\n- {id: b, path: p, intent: tea}\n- {id: a, path: p, intent: tea}\n";
    let sources = [
        source(one),
        federated("second", "https://b.example/k.yaml", one),
        federated(
            "first",
            "https://a.example/k.yaml",
            "project: y\nunits:\n- {id: b, path: tea, intent: tea}\n",
        ),
    ];
    let answer = ask(&sources, &terms_of(&["tea"]));
    assert_eq!(short(&answer), "first/b=4 b=3 a=3 second/b=3 second/a=3");
}

#[test]
fn q1_a_limit_of_its_own_replaces_the_five() {
    let units: String = (0..9)
        .map(|number| format!("- {{id: u{number}, path: p, intent: tea}}\n"))
        .collect();
    let text = format!("project: x\nunits:\n{units}");
    assert_eq!(ask(&[source(&text)], &terms_of(&["tea"])).results.len(), 5);
    for limit in [0, 1, 7, 9, 20] {
        let request = QueryRequest {
            limit: Some(limit),
            ..terms_of(&["tea"])
        };
        let answer = ask(&[source(&text)], &request);
        assert_eq!((answer.results.len(), answer.matched), (limit.min(9), 9));
    }
}

/// The example of §15.10.1: its shape and sums; its points do not follow its own table.
const EXPENSES: &str = "project: hr\nunits:\n\
- {id: submit-expense-report, path: capabilities/expense-submit.md, intent: How is it handed in?, audience: [agent], sensitivity: internal, triggers: [expense report, reimbursement], hints: {token_estimate: 1800}}\n\
- {id: expense-policy-eu, path: policies/expense-eu.md, intent: What is paid?, audience: [agent], triggers: [expense report], hints: {token_estimate: 1200}}\n\
- {id: expense-approval-workflow, path: workflows/approval.md, intent: Who approves an expense report?, audience: [agent], hints: {token_estimate: 6000, summary_available: true, summary_unit: expense-approval-workflow-tldr}}\n\
- {id: expense-approval-workflow-tldr, path: workflows/approval-tldr.md, intent: Who says yes in short?, audience: [agent], hints: {token_estimate: 600, summary_of: expense-approval-workflow}}\n\
- {id: secret, path: s.md, intent: expense report, audience: [agent], sensitivity: restricted}\n\
- {id: old, path: o.md, intent: expense report, audience: [agent], validated: 2020-01-01, freshness_policy: {max_age_days: 90}}\n\
- {id: people, path: q.md, intent: expense report, audience: [human]}\n";

fn expenses() -> QueryRequest {
    QueryRequest {
        audience: Some("agent".to_owned()),
        sensitivity_max: Some(Sensitivity::Internal),
        max_token_budget: Some(4000),
        exclude_stale: true,
        ..terms_of(&["expense report", "reimbursement"])
    }
}

#[test]
fn a7_the_example_of_the_text_has_its_shape_and_its_sums() {
    let answer = ask(&[source(EXPENSES)], &expenses());
    assert_eq!(
        short(&answer),
        "submit-expense-report=10 expense-policy-eu=5 expense-approval-workflow-tldr=3<expense-approval-workflow"
    );
    assert_eq!(
        answer.budget,
        Some(BudgetUse {
            given: 4000,
            used: 3600
        })
    );
    let paths: Vec<&str> = answer.results.iter().map(|result| result.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "capabilities/expense-submit.md",
            "policies/expense-eu.md",
            "workflows/approval-tldr.md"
        ]
    );
    assert_eq!(answer.results[2].token_estimate, Some(600));
    assert_eq!(answer.results[2].match_reason, ["intent"]);
}

#[test]
fn q9_without_summaries_what_does_not_fit_is_left_out() {
    let request = QueryRequest {
        include_summaries: false,
        ..expenses()
    };
    assert_eq!(
        answers(EXPENSES, &request),
        "submit-expense-report=10 expense-policy-eu=5"
    );
}

fn costs(units: &[(&str, Option<u64>, Option<&str>)]) -> String {
    let mut text = "project: x\nunits:\n".to_owned();
    for (id, tokens, summary) in units {
        let tokens = tokens
            .map(|tokens| format!("token_estimate: {tokens}, "))
            .unwrap_or_default();
        let summary = summary.map(|id| format!("summary_unit: {id}")).unwrap_or_default();
        text += &format!("- {{id: {id}, path: p, intent: tea, hints: {{{tokens}{summary}}}}}\n");
    }
    text
}

fn within(budget: u64) -> QueryRequest {
    QueryRequest {
        max_token_budget: Some(budget),
        ..terms_of(&["tea"])
    }
}

#[test]
fn a8_what_costs_nothing_or_nobody_knows_what_fits_always() {
    let text = costs(&[
        ("a", Some(10), None),
        ("b", Some(1), None),
        ("c", None, None),
        ("d", Some(0), None),
    ]);
    assert_eq!(answers(&text, &within(10)), "a=3 c=3 d=3");
    assert_eq!(answers(&text, &within(0)), "c=3 d=3");
    let huge = costs(&[("a", Some(1_000_000_000_000_000_000), None), ("b", Some(3), None)]);
    assert_eq!(answers(&huge, &within(5)), "b=3");
    let both = ask(&[source(&huge)], &within(u64::MAX));
    assert_eq!(both.budget.map(|budget| budget.used), Some(1_000_000_000_000_000_003));
}

#[test]
fn a33_the_limit_counts_what_the_budget_let_through() {
    let text = costs(&[
        ("a", Some(100), None),
        ("b", Some(4), None),
        ("c", Some(100), None),
        ("d", Some(4), None),
        ("e", Some(1), None),
    ]);
    let request = QueryRequest {
        limit: Some(2),
        ..within(10)
    };
    assert_eq!(answers(&text, &request), "b=3 d=3");
}

#[test]
fn a33_an_id_is_given_once() {
    let text = costs(&[
        ("a", Some(100), Some("s")),
        ("s", Some(1), None),
        ("b", Some(100), Some("s")),
    ]);
    assert_eq!(answers(&text, &within(10)), "s=3<a");
    let first = costs(&[("s", Some(1), None), ("a", Some(100), Some("s")), ("b", Some(2), None)]);
    assert_eq!(answers(&first, &within(10)), "s=3 b=3");
    let itself = costs(&[("a", Some(100), Some("a")), ("b", Some(2), Some("gone"))]);
    assert_eq!(answers(&itself, &within(10)), "b=3");
    assert_eq!(answers(&itself, &within(1)), "");
}

#[test]
fn a33_a_summary_has_to_pass_the_filters_itself() {
    let text = |summary: &str| {
        format!(
            "project: x\nunits:\n- {{id: a, path: p, intent: tea, audience: [agent], hints: {{token_estimate: 100, summary_unit: s}}}}\n- {{id: s, path: q, intent: short, {summary}, hints: {{token_estimate: 1}}}}\n"
        )
    };
    let request = QueryRequest {
        audience: Some("agent".to_owned()),
        exclude_stale: true,
        sensitivity_max: Some(Sensitivity::Internal),
        ..within(10)
    };
    assert_eq!(answers(&text("audience: [agent]"), &request), "s=3<a");
    for filtered in [
        "audience: [human]",
        "audience: [agent], deprecated: true",
        "audience: [agent], sensitivity: restricted",
        "audience: [agent], validated: 2020-01-01, freshness_policy: {max_age_days: 1}",
        "audience: [agent], discovery: {verification_status: deprecated}",
    ] {
        assert_eq!(answers(&text(filtered), &request), "", "{filtered}");
    }
}

#[test]
fn a33_chains_of_summaries_are_not_followed() {
    let text = costs(&[
        ("a", Some(100), Some("b")),
        ("b", Some(50), Some("c")),
        ("c", Some(1), None),
    ]);
    let request = QueryRequest {
        limit: Some(1),
        ..within(10)
    };
    // The summary of `a` does not fit either; `b` then comes up by itself and has a summary that does.
    assert_eq!(answers(&text, &request), "c=3<b");
}

#[test]
fn p13_the_second_unit_with_an_id_is_no_result() {
    let text = "project: x\nunits:\n- {id: a, path: first, intent: tea}\n- {id: a, path: second, intent: tea}\n- {path: third, intent: tea}\n";
    let answer = ask(&[source(text)], &terms_of(&["tea"]));
    assert_eq!(answer.results.len(), 1);
    assert_eq!(answer.results[0].path, "first");
}

#[test]
fn q10_units_of_other_manifests_come_with_where_they_can_be_had() {
    let hub = "project: hub\nmanifests:\n- {id: pay, url: 'https://pay.example/docs/knowledge.yaml'}\nunits:\n- {id: start, path: docs/start.md, intent: What is an api-key?}\n";
    let leaf = "project: pay\nunits:\n- {id: keys, path: ./guides/api key?.md, intent: How do keys rotate?, triggers: [api-key]}\n- {id: start, path: s.md, intent: api-key, audience: [human]}\n";
    let sources = [
        source(hub),
        federated("pay", "https://pay.example/docs/knowledge.yaml", leaf),
    ];
    let answer = ask(&sources, &terms_of(&["api-key"]));
    assert_eq!(short(&answer), "pay/keys=5 start=3 pay/start=3");
    assert_eq!(answer.results[0].uri, "https://pay.example/docs/guides/api%20key%3F.md");
    assert_eq!(answer.results[1].uri, "knowledge://hub/start");
    assert_eq!(answer.results[1].source_manifest, None);
}

#[test]
fn a29_an_archive_is_asked_like_any_other_manifest() {
    let hub = "project: hub\nmanifests:\n- {id: old, url: 'https://o.example/k.yaml', relationship: archive}\nunits:\n- {id: a, path: p, intent: tea}\n";
    let old = "project: old\nunits:\n- {id: b, path: p, intent: tea, triggers: [tea]}\n";
    let answer = ask(
        &[source(hub), federated("old", "https://o.example/k.yaml", old)],
        &terms_of(&["tea"]),
    );
    assert_eq!(short(&answer), "old/b=8 a=3");
}

#[test]
fn q10_paths_stay_below_the_manifest_they_come_from() {
    for (path, uri) in [
        ("a:b/c.md", "https://x.example/d/a%3Ab/c.md"),
        ("%2e%2e/c.md", "https://x.example/d/%252e%252e/c.md"),
        ("//evil.example/c", "https://x.example/d/evil.example/c"),
    ] {
        assert_eq!(resolved("https://x.example/d/knowledge.yaml", path), uri);
    }
}

#[test]
fn q11_a_result_says_what_the_text_names_first_and_then_ours() {
    let text = "kcp_version: '0.14'\nproject: Garden Shop 2\nunits:\n- {id: a, path: p.md, intent: Where is tea?, scope: global, audience: [agent, robot], triggers: [tea], hints: {token_estimate: 40, summary_unit: b}}\n";
    let answer = ask(&[source(text)], &terms_of(&["tea"]));
    let json = serde_json::to_string(&answer.results[0]).unwrap();
    assert_eq!(
        json,
        r#"{"unit_id":"a","score":8,"path":"p.md","token_estimate":40,"summary_unit":"b","match_reason":["trigger","intent"],"source_manifest":null,"id":"a","intent":"Where is tea?","audience":["agent","robot"],"uri":"knowledge://garden-shop-2/a","line":4,"sensitivity":null,"stale":false,"discovery_conflict":[],"caution":[],"substituted_for":null,"superseded_by":null,"incomplete":false}"#
    );
}

#[test]
fn a40_results_carry_both_names_of_the_id_and_stand_in_an_object() {
    let json = serde_json::to_value(ask(&[source(SHOP)], &terms_of(&["opens"]))).unwrap();
    let result = &json["results"][0];
    assert_eq!((&result["id"], &result["unit_id"]), (&"b".into(), &"b".into()));
    assert!(result["source_manifest"].is_null() && json["advisory"].is_string());
}

#[test]
fn q13_a_result_names_what_contradicts_and_what_replaces_it() {
    let text = "project: x\nunits:\n\
- {id: v1, path: p, intent: tea, discovery: {verification_status: observed, confidence: 0.85, contradicted_by: v2}}\n\
- {id: v2, path: p, intent: coffee, supersedes: v1, audience: [human]}\n\
- {id: v3, path: p, intent: tea tea}\n\
relationships:\n- {from: v3, to: v1, type: contradicts}\n";
    let request = QueryRequest {
        limit: Some(1),
        ..terms_of(&["tea"])
    };
    let answer = ask(&[source(text)], &request);
    let result = &answer.results[0];
    assert_eq!(
        (result.unit_id.as_str(), &result.discovery_conflict),
        ("v1", &vec!["v2".to_owned(), "v3".to_owned()])
    );
    assert_eq!(result.superseded_by.as_deref(), Some("v2"));
    assert_eq!(
        result.caution,
        [
            "`v2` replaces it",
            "it is only observed, with confidence 0.85",
            "it is contradicted by `v2`, `v3`"
        ]
    );
}

#[test]
fn amend8_a_contradicting_pair_is_named_whatever_limit_and_budget_say() {
    let text = "project: x\nunits:\n- {id: a, path: p, intent: tea, hints: {token_estimate: 1}, discovery: {contradicted_by: b}}\n- {id: b, path: p, intent: tea, hints: {token_estimate: 90}}\n";
    let answer = ask(
        &[source(text)],
        &QueryRequest {
            limit: Some(1),
            ..within(1)
        },
    );
    assert_eq!(short(&answer), "a=3");
    assert_eq!(answer.results[0].discovery_conflict, ["b"]);
}

#[test]
fn amend8_units_of_different_manifests_may_contradict_each_other() {
    let hub = "project: hub\nmanifests:\n- {id: pay, url: 'https://p.example/k.yaml'}\nunits:\n- {id: a, path: p, intent: tea}\n\
external_relationships:\n- {from_unit: a, to_manifest: pay, to_unit: b, type: contradicts}\n- {from_unit: a, to_manifest: pay, to_unit: gone, type: contradicts}\n- {from_unit: a, to_manifest: who, to_unit: b, type: contradicts}\n";
    let leaf = "project: pay\nunits:\n- {id: b, path: p, intent: tea}\n";
    let conflicts = |sources: &[Source]| {
        let answer = ask(sources, &terms_of(&["tea"]));
        answer
            .results
            .into_iter()
            .map(|result| result.discovery_conflict.join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        conflicts(&[source(hub), federated("pay", "https://p.example/k.yaml", leaf)]),
        ["pay/b", "a"]
    );
    assert_eq!(conflicts(&[source(hub)]), ["pay/b pay/gone"]);
}

#[test]
fn a25_a_result_of_which_nobody_says_how_confidential_it_is_is_marked() {
    let request = QueryRequest {
        sensitivity_max: Some(Sensitivity::Public),
        ..terms_of(&["opens"])
    };
    let answer = ask(&[source(SHOP)], &request);
    assert_eq!(answer.results[0].sensitivity, None);
    assert_eq!(answer.results[0].caution, ["its sensitivity is not declared"]);
}

#[test]
fn q8_a_stale_result_says_so() {
    let text = "project: x\nfreshness_policy: {max_age_days: 30, on_stale: degrade}\nunits:\n- {id: a, path: p, intent: tea, validated: 2026-01-01}\n";
    let result = &ask(&[source(text)], &terms_of(&["tea"])).results[0];
    assert!(result.stale);
    assert_eq!(
        result.caution,
        ["it was validated 180 days ago, more than 30; its policy for stale units is `degrade`"]
    );
}

#[test]
fn q15_every_unit_is_told_why_it_is_a_result_or_not() {
    let request = QueryRequest {
        explain: true,
        limit: Some(2),
        ..expenses()
    };
    let text = format!(
        "{EXPENSES}- {{id: policy-copy, path: x, intent: expense report, audience: [agent]}}\n- {{id: other, path: x, intent: nothing, audience: [agent]}}\n- {{id: gone, deprecated: true, audience: [agent]}}\n"
    );
    let answer = ask(&[source(&text)], &request);
    let told: Vec<String> = answer
        .explain
        .unwrap()
        .units
        .iter()
        .map(|unit| format!("{} {} {}", unit.unit_id, unit.outcome, unit.score))
        .collect();
    assert_eq!(
        told,
        [
            "submit-expense-report returned 10",
            "expense-policy-eu returned 5",
            "expense-approval-workflow limit 3",
            "policy-copy limit 3",
            "secret sensitivity 3",
            "old stale 3",
            "people audience 3",
            "expense-approval-workflow-tldr score 0",
            "other score 0",
            "gone deprecated 0",
        ]
    );
}

#[test]
fn q15_a_budget_explains_itself() {
    let text = costs(&[
        ("a", Some(100), Some("s")),
        ("s", Some(1), None),
        ("b", Some(100), None),
    ]);
    let answer = ask(
        &[source(&text)],
        &QueryRequest {
            explain: true,
            ..within(10)
        },
    );
    let explain = answer.explain.unwrap();
    let told: Vec<String> = explain
        .units
        .iter()
        .map(|unit| format!("{}: {}", unit.unit_id, unit.why))
        .collect();
    assert_eq!(
        told,
        [
            "a: its summary `s` fits into the budget",
            "s: it is a result instead of another unit",
            "b: its 100 tokens do not fit into the rest of the budget",
        ]
    );
    assert_eq!((explain.units[0].terms[0].points, explain.left_off), (3, 0));
}

#[test]
fn q16_the_second_query_makes_the_index_and_answers_alike() {
    let warm = Warm::of(vec![source(SHOP)]);
    let request = terms_of(&["gate"]);
    let first = warm.query(&request, today(), &Incomplete::new());
    assert_eq!(warm.query(&request, today(), &Incomplete::new()), first);
    assert_eq!(warm.query(&request, today(), &Incomplete::new()), first);
}

#[test]
fn f8_a_result_that_rests_on_what_could_not_be_had_says_so() {
    let incomplete = Incomplete::from([(0, UnitIndex(1))]);
    let answer = query(&[source(SHOP)], &terms_of(&["opens"]), today(), &incomplete);
    assert!(answer.results[0].incomplete);
    assert_eq!(
        answer.results[0].caution,
        ["a unit of another manifest that it depends on is not available"]
    );
}

// The operation.

static ENTRY: OperationEntry = entry::<UnitQuery>(Toolset::Unit);

fn run(text: &str, request: UnitQueryRequest) -> Value<UnitQueryAnswer> {
    let world = crate::testing::of_files([("knowledge.yaml", text.as_bytes())]);
    UnitQuery::run(&world.ctx(), request).unwrap()
}

fn words(terms: &[&str]) -> UnitQueryRequest {
    UnitQueryRequest {
        terms: terms.iter().map(|term| (*term).to_owned()).collect(),
        ..UnitQueryRequest::default()
    }
}

fn shown(answer: &UnitQueryAnswer) -> String {
    let mut page = lore_seam::Page::new(Style::default());
    lore_seam::Render::render(answer, &mut page);
    page.into_text()
}

#[test]
fn q12_the_command_takes_terms_or_a_question() {
    let terms = |terms: &[&str], question: Option<&str>| {
        asked(
            &terms.iter().map(|term| (*term).to_owned()).collect::<Vec<_>>(),
            question,
        )
        .map(|asked| format!("{}{}", asked.terms.join("|"), if asked.is_question { "?" } else { "" }))
        .map_err(|error| error.message)
    };
    assert_eq!(terms(&["deploy", "roll back"], None), Ok("deploy|roll back".to_owned()));
    assert_eq!(terms(&["how do I deploy?"], None), Ok("deploy?".to_owned()));
    assert_eq!(terms(&["x"], Some("how to deploy")), Ok("x|deploy".to_owned()));
    assert_eq!(
        terms(&[], Some("?")),
        Err("the question has no word to search for".to_owned())
    );
    assert_eq!(terms(&[], None), Ok(String::new()));
}

#[test]
fn q12_in_a_question_a_rare_word_counts_for_more() {
    let units: String = (0..9)
        .map(|number| format!("- {{id: u{number}, path: enable-{number}.md, intent: How is it enabled?, scope: global, audience: [agent], triggers: [enable]}}\n"))
        .collect();
    let text = format!(
        "project: x\nunits:\n{units}- {{id: cors, path: x.md, intent: Which origins?, scope: global, audience: [agent], triggers: [cors]}}\n"
    );
    let sources = [source(&text)];
    let asked = |is_question| QueryRequest {
        is_question,
        ..terms_of(&["enable", "cors"])
    };
    for is_question in [false, true] {
        let plain = query(&sources, &asked(is_question), today(), &Incomplete::new());
        let first = (plain.results[0].unit_id.as_str(), plain.results[0].score);
        assert_eq!(first, if is_question { ("cors", 60) } else { ("u0", 9) });
        let index = QueryIndex::build(&sources);
        assert_eq!(index.query(&asked(is_question), today(), &Incomplete::new()), plain);
    }
}

#[test]
fn no_result_is_a_no_and_the_text_says_where_results_stand() {
    let answer = run(UNIT, words(&["nowhere"]));
    assert_eq!(answer.verdict, Verdict::No);
    assert_eq!(shown(&answer.value), "no unit matches\n");
    let answer = run(UNIT, words(&["what"]));
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(
        shown(&answer.value),
        "a  3 points (intent)\n  What is a?\n  docs/a.md  knowledge.yaml:5\n"
    );
}

#[test]
fn a40_the_json_of_the_command_begins_with_the_results() {
    let answer = run(UNIT, words(&["what"]));
    let json = serde_json::to_string(&answer.value).unwrap();
    assert!(
        json.starts_with(r#"{"results":[{"unit_id":"a","score":3,"path":"docs/a.md""#),
        "{json}"
    );
    assert!(json.ends_with(r#""manifest":"knowledge.yaml"}"#), "{json}");
}

#[test]
fn q1_unknown_federation_scopes_are_local_with_a_warning() {
    let request = UnitQueryRequest {
        federation_scope: Some("recursive".to_owned()),
        ..words(&["what"])
    };
    let answer = run(UNIT, request).value.answer;
    assert_eq!(answer.results.len(), 1);
    assert_eq!(
        answer.warnings,
        ["`recursive` is not a federation scope; only the local manifest is searched"]
    );
}

#[test]
fn a_manifest_that_is_not_valid_is_asked_only_if_that_is_wanted() {
    let text = "project: x\nunits:\n- {id: a, path: p, intent: tea}\n";
    let world = crate::testing::of_files([("knowledge.yaml", text)]);
    let error = UnitQuery::run(&world.ctx(), words(&["tea"])).unwrap_err();
    assert!(error.hints[0].contains("lore unit validate"), "{error:?}");
    let lenient = UnitQueryRequest {
        lenient: true,
        ..words(&["tea"])
    };
    assert_eq!(run(text, lenient).value.answer.results.len(), 1);
}

#[test]
fn q1_every_field_of_the_text_is_a_flag() {
    let command = ENTRY.augment(clap::Command::new("query"));
    let matches = command.try_get_matches_from([
        "query",
        "oauth2",
        "--audience",
        "agent",
        "--scope",
        "module",
        "--sensitivity-max",
        "internal",
        "--max-token-budget",
        "8000",
        "--include-summaries",
        "false",
        "--exclude-deprecated",
        "false",
        "--has-capabilities",
        "tool:kubectl,permission:deploy-prod",
        "--exclude-stale",
        "--federation-scope",
        "declared",
        "-n",
        "3",
    ]);
    let request = <UnitQueryRequest as clap::FromArgMatches>::from_arg_matches(&matches.unwrap()).unwrap();
    assert_eq!(request.terms, ["oauth2"]);
    assert_eq!(request.federation_scope.as_deref(), Some("declared"));
    let query = request.filters.request(Vec::new());
    assert_eq!(
        (query.scope, query.limit, query.max_token_budget),
        (Some(Scope::Module), Some(3), Some(8000))
    );
    assert_eq!(query.sensitivity_max, Some(Sensitivity::Internal));
    assert!(!query.include_summaries && !query.exclude_deprecated && query.exclude_stale);
    assert_eq!(
        query.has_capabilities.unwrap(),
        ["tool:kubectl", "permission:deploy-prod"]
    );
    let none = ENTRY
        .augment(clap::Command::new("query"))
        .try_get_matches_from(["query", "--no-capabilities"]);
    let request = <UnitQueryRequest as clap::FromArgMatches>::from_arg_matches(&none.unwrap()).unwrap();
    assert_eq!(request.filters.request(Vec::new()).has_capabilities, Some(Vec::new()));
}

// The plain rule and the index, on anything.

const WORDS: &[&str] = &[
    "tea",
    "Tea time",
    "te",
    "t",
    "gate",
    "GATE-2",
    "ate",
    "garden gate",
    "öl",
    "ÖL",
    "Σίσυφος",
    "ΟΔΟΣ",
    "x\\0y",
    "a/b",
    "",
    " ",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..4).prop_map(|words| words.join("-"))
}

prop_compose! {
    fn unit()(
        id in prop::sample::select(&["a", "b", "c", "gate", "tea-2", "d"][..]),
        path in text(),
        intent in text(),
        triggers in prop::collection::vec(text(), 0..4),
        audience in prop::collection::vec(prop::sample::select(&["human", "agent", "operator", "devops", "robot"][..]), 0..3),
        scope in prop::sample::select(&["global", "project", "module", "odd"][..]),
        more in prop::collection::vec(prop::sample::select(MORE), 0..5),
        tokens in prop::option::of(0u64..50),
        summary in prop::option::of(prop::sample::select(&["a", "b", "gate", "gone"][..])),
    ) -> String {
        // A path with a control character leaves no manifest.
        let path = path.replace("\\0", "");
        let mut text = format!("- id: {id}\n  path: \"p{path}\"\n  intent: \"{intent}\"\n  scope: {scope}\n  audience: [{}]\n", audience.join(", "));
        let triggers: Vec<String> = triggers.iter().map(|trigger| format!("\"{trigger}\"")).collect();
        text += &format!("  triggers: [{}]\n", triggers.join(", "));
        text += "  hints:\n    load_strategy: lazy\n";
        text += &tokens.map(|tokens| format!("    token_estimate: {tokens}\n")).unwrap_or_default();
        text += &summary.map(|summary| format!("    summary_unit: {summary}\n")).unwrap_or_default();
        let more: std::collections::BTreeMap<&str, &str> = more.into_iter().filter_map(|more| more.split_once(": ")).collect();
        for (key, value) in more {
            text += &format!("  {key}: {value}\n");
        }
        text
    }
}

const MORE: &[&str] = &[
    "deprecated: true",
    "sensitivity: internal",
    "sensitivity: restricted",
    "visibility: {default: confidential, conditions: [{when: {environment: [production]}, then: {sensitivity: public}}]}",
    "compliance: {sensitivity: confidential}",
    "validated: 2026-06-01",
    "validated: 2020-06-01",
    "freshness_policy: {max_age_days: 20}",
    "requires_capabilities: [tool:x, y]",
    "requires_capabilities: x",
    "discovery: {verification_status: deprecated}",
    "discovery: {contradicted_by: gate}",
    "supersedes: a",
];

prop_compose! {
    fn any_manifest()(
        units in prop::collection::vec(unit(), 0..9),
        root in prop::sample::select(&["", "freshness_policy: {max_age_days: 9}\n", "visibility: {default: internal}\n"][..]),
    ) -> String {
        format!("project: p\n{root}units:\n{}", units.concat())
    }
}

prop_compose! {
    fn any_request()(
        terms in prop::collection::vec(prop::sample::select(WORDS).prop_map(|word| word.replace("\\0", "\0")), 0..4),
        audience in prop::option::of(prop::sample::select(&["human", "devops", "robot", "nobody"][..])),
        scope in prop::option::of(prop::sample::select(Scope::ALL)),
        sensitivity_max in prop::option::of(prop::sample::select(Sensitivity::ALL)),
        max_token_budget in prop::option::of(0u64..80),
        flags in prop::collection::vec(any::<bool>(), 8),
        has_capabilities in prop::option::of(prop::collection::vec(prop::sample::select(&["x", "tool:y", "z"][..]), 0..3)),
        limit in prop::option::of(0usize..7),
        environment in prop::option::of(prop::sample::select(&["production", "staging"][..])),
    ) -> QueryRequest {
        QueryRequest {
            terms,
            audience: audience.map(str::to_owned),
            scope,
            sensitivity_max,
            max_token_budget,
            include_summaries: flags[0],
            exclude_deprecated: flags[1],
            has_capabilities: has_capabilities.map(|list| list.into_iter().map(str::to_owned).collect()),
            exclude_stale: flags[2],
            limit,
            strict_sensitivity: flags[3],
            audit: flags[4],
            scoring: if flags[5] { Scoring::Table } else { Scoring::Reference },
            environment: environment.map(str::to_owned),
            explain: flags[6],
            is_question: flags[7],
            ..QueryFilters::default().request(Vec::new())
        }
    }
}

proptest! {
    #![proptest_config(lore_testing::cases(1_000))]

    #[test]
    fn q16_the_index_answers_as_the_plain_rule(
        local in any_manifest(),
        other in any_manifest(),
        requests in prop::collection::vec(any_request(), 1..4),
    ) {
        let sources = [source(&local), federated("other", "https://x.example/k.yaml", &other)];
        let index = QueryIndex::build(&sources);
        for request in requests {
            let plain = query(&sources, &request, today(), &Incomplete::new());
            prop_assert_eq!(&index.query(&request, today(), &Incomplete::new()), &plain);
            prop_assert!(plain.results.len() <= request.limit.unwrap_or(usize::MAX));
            let costs = plain.results.iter().filter_map(|result| result.token_estimate).sum::<u64>();
            prop_assert!(request.max_token_budget.is_none_or(|budget| costs <= budget));
            let mut ids: Vec<_> = plain.results.iter().map(|result| (&result.source_manifest, &result.unit_id)).collect();
            ids.sort();
            ids.dedup();
            prop_assert_eq!(ids.len(), plain.results.len());
        }
    }
}

#[test]
fn q10_the_manifests_that_are_declared_are_asked_too_and_what_cannot_be_had_is_said() {
    let local = format!(
        "{UNIT}manifests:\n- {{id: team, url: \"https://team.example/docs/knowledge.yaml\"}}\n- {{id: gone, url: \"https://gone.example/knowledge.yaml\"}}\n- {{id: here, url: \"https://here.example/knowledge.yaml\", local_mirror: mirror.yaml}}\n"
    );
    let mut world = crate::testing::with_files([
        ("knowledge.yaml", local),
        ("mirror.yaml", UNIT.replace("id: a", "id: c")),
    ]);
    let address = "https://team.example/docs/knowledge.yaml".to_owned();
    let remote = UNIT.replace("id: a", "id: b").into_bytes();
    world.web.insert(address.clone(), (200, address, remote));
    let request = UnitQueryRequest {
        federation_scope: Some("declared".to_owned()),
        ..UnitQueryRequest::default()
    };
    let ctx = Arc::new(world).ctx();
    let answer = UnitQuery::run(&ctx, request).expect("asked").value.answer;
    let found: Vec<String> = answer
        .results
        .iter()
        .map(|result| {
            format!(
                "{} {:?} {}",
                result.unit_id,
                result.source_manifest.as_deref(),
                result.uri
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "a None knowledge://shop/a",
            "b Some(\"team\") https://team.example/docs/docs/a.md",
            "c Some(\"here\") https://here.example/docs/a.md",
        ]
    );
    assert!(
        answer
            .warnings
            .iter()
            .any(|warning| warning.starts_with("`gone` is not searched: ")),
        "{:?}",
        answer.warnings
    );
}
