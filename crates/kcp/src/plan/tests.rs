//! Plans: order, replacements, failures, budgets.

use std::fmt::Write;

use super::schedule::*;
use super::*;
use super::{UnitPlan, UnitPlanAnswer, UnitPlanRequest};
use crate::query::filter::Why;
use crate::testing::manifest;
use lore_seam::{Operation, Page, Render, Style, Value, Verdict};

/// Asks for units by id (`=id`) or as results, and tells the plan in short.
fn planned(text: &str, wanted: &[&str], change: impl FnOnce(&mut Rules)) -> String {
    let manifest = manifest(&format!("project: x\nunits:\n{text}"));
    let graph = UnitGraph::of(&manifest);
    let wanted: Vec<Wanted> = wanted
        .iter()
        .map(|id| {
            let by_id = id.starts_with('=');
            Wanted {
                unit: graph.first(id.trim_start_matches('=')).unwrap(),
                reason: "it was requested".to_owned(),
                by_id,
            }
        })
        .collect();
    let mut given = Rules::default();
    change(&mut given);
    let name = |unit: UnitIndex| manifest.id(manifest.unit(unit).unwrap()).unwrap();
    let check = |unit: UnitIndex| {
        if given.filtered.contains(&name(unit)) {
            Err(Why::Audience)
        } else {
            Ok(())
        }
    };
    let failure = |unit: UnitIndex| given.failing.contains(&name(unit)).then(|| "it is gone".to_owned());
    let incomplete = given.incomplete.iter().filter_map(|id| graph.first(id)).collect();
    let rules = PlanRules {
        budget: given.budget,
        context: given.context,
        include_summaries: !given.no_summaries,
        check: &check,
        failure: &failure,
        approval: &|_| None,
        incomplete: &incomplete,
    };
    let plan = plan(&manifest, &graph, &wanted, &rules);
    let mut told = String::new();
    for step in &plan.steps {
        let place = step.in_place_of.as_ref().map(|id| format!("<{id}")).unwrap_or_default();
        let incomplete = if step.incomplete { "?" } else { "" };
        let evicts: String = step.evicts.iter().map(|id| format!("-{id} ")).collect();
        write!(told, "{evicts}{}{place}{incomplete} ", step.id).unwrap();
    }
    for skipped in &plan.skipped {
        write!(told, "| {} {} ", skipped.id, skipped.state).unwrap();
    }
    for [one, other] in &plan.conflicts {
        write!(told, "| {one}#{other} ").unwrap();
    }
    if given.evict {
        write!(told, "| {}", plan.evict.join(" ")).unwrap();
    }
    told.trim_end().to_owned()
}

#[derive(Default)]
struct Rules {
    budget: Option<u64>,
    context: Option<u64>,
    no_summaries: bool,
    filtered: Vec<&'static str>,
    failing: Vec<&'static str>,
    incomplete: Vec<&'static str>,
    evict: bool,
}

fn as_is(_: &mut Rules) {}

const CHAIN: &str = "- {id: a, depends_on: [b]}\n- {id: b, depends_on: [c]}\n- {id: c}\n- {id: d, depends_on: [c]}\n";

#[test]
fn q14_what_a_unit_depends_on_comes_first() {
    assert_eq!(planned(CHAIN, &["a"], as_is), "c b a");
    assert_eq!(planned(CHAIN, &["d", "a"], as_is), "c d b a");
    assert_eq!(planned(CHAIN, &["a", "c"], as_is), "c b a");
    let cycle = "- {id: a, depends_on: [b]}\n- {id: b, depends_on: [a]}\n";
    assert_eq!(planned(cycle, &["a", "b"], as_is), "b a");
}

#[test]
fn q14_relationships_order_too_but_context_never_forces() {
    let text = "- {id: a}\n- {id: b}\n- {id: c}\n- {id: d}\nrelationships:\n- {from: a, to: b, type: depends_on}\n- {from: c, to: a, type: enables}\n- {from: d, to: a, type: context}\n";
    assert_eq!(planned(text, &["a"], as_is), "b c a");
}

#[test]
fn q14_eager_units_come_first_as_far_as_what_they_need_allows() {
    let text = "- {id: a}\n- {id: b, hints: {load_strategy: eager}, depends_on: [c]}\n- {id: c}\n- {id: d, hints: {load_strategy: eager}}\n";
    assert_eq!(planned(text, &["a", "b", "d"], as_is), "c b d a");
}

#[test]
fn q14_what_is_never_loaded_unasked_is_loaded_by_its_id() {
    let text = "- {id: a, hints: {load_strategy: never, summary_unit: s}}\n- {id: b, depends_on: [a, n]}\n- {id: n, hints: {load_strategy: never}}\n- {id: s}\n";
    assert_eq!(planned(text, &["=a"], as_is), "a");
    assert_eq!(planned(text, &["a"], as_is), "s<a | a never");
    assert_eq!(planned(text, &["b"], as_is), "s<a b? | a never | n never");
    assert_eq!(planned(text, &["n"], as_is), "| n never");
}

#[test]
fn q14_what_is_replaced_gives_way_to_what_replaces_it() {
    let text = "- {id: v1}\n- {id: v2, supersedes: v1}\n- {id: v3, supersedes: v2}\n- {id: use, depends_on: [v1]}\n";
    assert_eq!(planned(text, &["v1"], as_is), "v3<v1 | v1 replaced");
    assert_eq!(planned(text, &["=v1"], as_is), "v1");
    assert_eq!(planned(text, &["use"], as_is), "v3<v1 use | v1 replaced");
    assert_eq!(
        planned(text, &["v1"], |rules| rules.filtered = vec!["v3"]),
        "v2<v1 | v1 replaced"
    );
    assert_eq!(planned(text, &["v1"], |rules| rules.filtered = vec!["v2"]), "v1");
    let circle = "- {id: a, supersedes: b}\n- {id: b, supersedes: a}\n";
    assert_eq!(planned(circle, &["a"], as_is), "b<a | a replaced");
    let back = "- {id: old}\n- {id: new, supersedes: old, depends_on: [use]}\n- {id: use, depends_on: [old]}\n";
    assert_eq!(planned(back, &["use"], as_is), "new<old use | old replaced");
}

#[test]
fn amend8_the_summary_of_a_verbose_unit_is_preferred() {
    let text = "- {id: a, hints: {density: verbose, summary_unit: s}}\n- {id: s}\n- {id: b, hints: {density: dense, summary_unit: s}}\n";
    assert_eq!(planned(text, &["a"], as_is), "s<a | a summary");
    assert_eq!(planned(text, &["=a"], as_is), "a");
    assert_eq!(planned(text, &["b"], as_is), "b");
    assert_eq!(planned(text, &["a"], |rules| rules.filtered = vec!["s"]), "a");
    assert_eq!(planned(text, &["a"], |rules| rules.no_summaries = true), "a");
}

#[test]
fn q14_the_budget_is_for_a_unit_with_all_it_needs() {
    let text = "- {id: a, depends_on: [c], hints: {token_estimate: 5}}\n- {id: b, hints: {token_estimate: 4, summary_unit: s}}\n- {id: c, hints: {token_estimate: 5}}\n- {id: s, hints: {token_estimate: 1}}\n- {id: u}\n";
    assert_eq!(planned(text, &["a", "b"], |rules| rules.budget = Some(14)), "c a b");
    assert_eq!(
        planned(text, &["a", "b", "u"], |rules| rules.budget = Some(9)),
        "b u | a budget"
    );
    assert_eq!(
        planned(text, &["a", "b"], |rules| rules.budget = Some(11)),
        "c a s<b | b summary"
    );
    assert_eq!(
        planned(text, &["a", "b", "u"], |rules| rules.budget = Some(0)),
        "u | a budget | b budget"
    );
    assert_eq!(
        planned(text, &["a", "b"], |rules| (rules.budget, rules.no_summaries) =
            (Some(11), true)),
        "c a | b budget"
    );
}

#[test]
fn access11_a_prerequisite_that_fails_takes_along_what_depends_on_it() {
    assert_eq!(
        planned(CHAIN, &["a", "d", "c"], |rules| rules.failing = vec!["b"]),
        "c d | b failed | a prerequisite"
    );
    assert_eq!(
        planned(CHAIN, &["a", "d"], |rules| rules.failing = vec!["c"]),
        "| c failed | b prerequisite | a prerequisite | d prerequisite"
    );
    let enabled = "- {id: a}\n- {id: b}\nrelationships:\n- {from: a, to: b, type: enables}\n";
    assert_eq!(
        planned(enabled, &["b"], |rules| rules.failing = vec!["a"]),
        "b? | a failed"
    );
}

#[test]
fn f8_what_rests_on_something_missing_is_marked_with_all_that_depends_on_it() {
    assert_eq!(
        planned(CHAIN, &["a"], |rules| rules.filtered = vec!["c"]),
        "b? a? | c audience"
    );
    assert_eq!(planned(CHAIN, &["d"], |rules| rules.incomplete = vec!["d"]), "c d?");
}

#[test]
fn q13_units_that_contradict_each_other_are_told_of() {
    let text = "- {id: a, discovery: {contradicted_by: b}}\n- {id: b}\n- {id: c}\n- {id: d, discovery: {contradicted_by: e}}\n- {id: e}\n";
    assert_eq!(planned(text, &["a", "c"], as_is), "a c | a#b");
}

#[test]
fn q14_what_is_held_goes_by_its_priority() {
    let text = "- {id: a, hints: {priority: critical, token_estimate: 4}}\n- {id: b, hints: {token_estimate: 4}}\n- {id: c, hints: {priority: reference, token_estimate: 4}}\n- {id: d, hints: {token_estimate: 4}}\n- {id: e, hints: {priority: odd, token_estimate: 40}}\n";
    let all = ["a", "b", "c", "d"];
    assert_eq!(planned(text, &all, |rules| rules.evict = true), "a b c d | c d b a");
    assert_eq!(planned(text, &all, |rules| rules.context = Some(12)), "a b c -c d");
    assert_eq!(planned(text, &all, |rules| rules.context = Some(8)), "a b -b c -c d");
    assert_eq!(
        planned(text, &["a", "b", "c", "e"], |rules| rules.context = Some(12)),
        "a b c -c -b -a e"
    );
}

#[test]
fn q14_what_a_unit_needs_goes_last_when_it_is_loaded() {
    let text = "- {id: a, hints: {priority: reference, token_estimate: 4}}\n- {id: b, hints: {token_estimate: 4}}\n- {id: c, depends_on: [a], hints: {token_estimate: 4}}\n";
    assert_eq!(
        planned(text, &["a", "b", "c"], |rules| rules.context = Some(8)),
        "a b -b c"
    );
    assert_eq!(
        planned(text, &["a", "b", "c"], |rules| rules.context = Some(5)),
        "a -a b -b c"
    );
}

#[test]
fn q14_a_long_chain_is_planned_without_recursion() {
    let units: String = (0..4_000)
        .map(|number| format!("- {{id: u{number}, depends_on: [u{}]}}\n", number + 1))
        .collect();
    let order = planned(&units, &["u0"], as_is);
    assert!(
        order.starts_with("u3999 u3998 ") && order.ends_with(" u1 u0"),
        "{order}"
    );
    let failed = planned(&units, &["u0", "u1", "u2"], |rules| rules.failing = vec!["u3999"]);
    assert_eq!(failed.matches("prerequisite").count(), 3_999);
}

#[test]
fn q14_a_plan_of_everything_that_does_not_fit_takes_bounded_time() {
    let units: String = (0..4_000)
        .map(|number| {
            let cost = if number == 3_999 { 9 } else { 0 };
            format!(
                "- {{id: u{number}, depends_on: [u{}], hints: {{token_estimate: {cost}}}}}\n",
                number + 1
            )
        })
        .collect();
    let all: Vec<String> = (0..4_000).map(|number| format!("u{number}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let told = planned(&units, &all, |rules| rules.budget = Some(1));
    assert_eq!(told.matches(" budget").count(), 4_000);
}

// The operation.

const SHOP: &str = "kcp_version: '0.14'\nproject: shop\nversion: 1.0.0\nhints: {recommended_entry_point: intro}\nunits:\n\
- {id: intro, path: intro.md, intent: What is it?, scope: global, audience: [agent], depends_on: [words], hints: {token_estimate: 300}}\n\
- {id: words, path: words.md, intent: What do words mean?, scope: global, audience: [agent]}\n\
- {id: rules, path: rules.md, intent: What is forbidden?, scope: global, audience: [agent], kind: policy, hints: {load_strategy: eager, priority: critical, token_estimate: 100}}\n\
- {id: guide, path: deploy.md, intent: How do I deploy?, scope: module, audience: [human], triggers: [deploy], depends_on: [gone-unit, lost]}\n\
- {id: lost, path: lost.md, intent: Where is it?, scope: module, audience: [human]}\n\
- {id: status, path: status, intent: Is the deployment up?, scope: module, audience: [agent], kind: service}\n";

fn run(request: UnitPlanRequest) -> Value<UnitPlanAnswer> {
    let files = ["intro.md", "words.md", "rules.md", "deploy.md"];
    let files = files.iter().map(|path| (*path, "")).chain([("knowledge.yaml", SHOP)]);
    let world = crate::testing::of_files(files.map(|(path, text)| (path, text.as_bytes())));
    UnitPlan::run(&world.ctx(), request).unwrap()
}

fn words(terms: &[&str]) -> UnitPlanRequest {
    UnitPlanRequest {
        terms: terms.iter().map(|term| (*term).to_owned()).collect(),
        ..UnitPlanRequest::default()
    }
}

fn shown(answer: &UnitPlanAnswer) -> String {
    let mut page = Page::new(Style::default());
    answer.render(&mut page);
    page.into_text()
}

#[test]
fn amend8_without_terms_a_plan_begins_at_the_entry_point() {
    let answer = run(UnitPlanRequest::default());
    assert_eq!(answer.verdict, Verdict::Yes);
    assert_eq!(
        shown(&answer.value),
        " 1 rules  100 tokens, eager, critical\n   rules.md  knowledge.yaml:8\n   it is eager\n \
         2 words  cost unknown, lazy, supplementary\n   words.md  knowledge.yaml:7\n   `intro` depends on it\n \
         3 intro  300 tokens, lazy, supplementary\n   intro.md  knowledge.yaml:6\n   it is the entry point\n\
         400 tokens\ndrop when the context is full, in this order: intro, words, rules\n"
    );
}

#[test]
fn q14_a_plan_for_terms_has_the_results_and_what_they_need() {
    let answer = run(words(&["deploy"]));
    let json = serde_json::to_value(&answer.value).unwrap();
    assert_eq!(json["steps"][0]["id"], "status");
    assert_eq!(json["steps"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        json["skipped"],
        serde_json::json!([
            {"id": "lost", "state": "failed", "why": "there is no file `lost.md`"},
            {"id": "guide", "state": "prerequisite", "why": "its prerequisite `lost` cannot be loaded"},
        ])
    );
}

#[test]
fn access11_what_may_not_be_read_fails_and_what_needs_an_approval_says_so() {
    let text = "kcp_version: '0.14'\nproject: shop\nversion: 1.0.0\nunits:\n\
- {id: keys, path: keys, intent: Which keys?, scope: global, audience: [agent], kind: service, access: restricted, auth_scope: 'read:keys'}\n\
- {id: use, path: use, intent: How are keys used?, scope: global, audience: [agent], kind: service, depends_on: [keys]}\n\
- {id: law, path: law, intent: What is the law?, scope: global, audience: [agent], kind: service, delegation: {human_in_the_loop: {required: true, approval_mechanism: uma}}}\n";
    let world = crate::testing::of_files([("knowledge.yaml", text.as_bytes())]);
    let answer = UnitPlan::run(&world.ctx(), words(&["use", "law"])).unwrap().value;
    let states: Vec<String> = answer
        .plan
        .skipped
        .iter()
        .map(|skipped| format!("{} {}", skipped.id, skipped.state))
        .collect();
    assert_eq!(states, ["keys failed", "use prerequisite"]);
    assert_eq!(answer.plan.steps.len(), 1);
    assert_eq!(answer.plan.steps[0].approval.as_deref(), Some("uma"));
    let mut request = words(&["use"]);
    request.agent.scopes_held = vec!["read:keys".to_owned()];
    let answer = UnitPlan::run(&world.ctx(), request).unwrap().value;
    assert_eq!(answer.plan.steps.len(), 2);
}

#[test]
fn q14_ids_and_terms_may_be_mixed_and_nothing_to_load_is_a_no() {
    let ids = |answer: Value<UnitPlanAnswer>| {
        let steps = answer.value.plan.steps.iter().map(|step| step.id.clone());
        (answer.verdict, steps.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        ids(run(words(&["rules", "forbidden", "up?"]))),
        (Verdict::Yes, "rules status".to_owned())
    );
    assert_eq!(
        ids(run(words(&["is it forbidden?"]))),
        (Verdict::Yes, "rules".to_owned())
    );
    assert_eq!(ids(run(words(&["zebra"]))), (Verdict::No, String::new()));
    assert_eq!(ids(run(words(&["lost"]))), (Verdict::No, String::new()));
}
