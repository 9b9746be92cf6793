//! The questions about the graph, asked as a surface asks them: text and JSON, and whether the answer is yes.

use crate::patch_log::PatchLog;
use std::sync::Arc;

use super::testing::MemoryLog;
use lore_seam::{Answer, Ctx, OpError, Page, Style, Verdict};

const NOW: u64 = 1_770_733_800_000;

/// A log in which lines were told.
fn log(lines: &str) -> Arc<MemoryLog> {
    let log = Arc::new(MemoryLog::default());
    if !lines.is_empty() {
        log.tell(NOW, lines);
    }
    log
}

/// What was answered.
struct Told {
    text: String,
    json: Vec<serde_json::Value>,
    verdict: Verdict,
    note: String,
}

fn ask_in(ctx: &Ctx, name: &str, request: serde_json::Value) -> Result<Told, OpError> {
    let entry = crate::OPERATIONS
        .iter()
        .find(|entry| entry.name == name)
        .expect("an operation");
    let mut page = Page::new(Style::default());
    Ok(match entry.run_json(ctx, request)? {
        Answer::Value(value, verdict) => {
            value.show(&mut page);
            Told {
                text: page.into_text(),
                json: vec![value.to_json()],
                verdict,
                note: String::new(),
            }
        }
        Answer::Rows { rows, empty, note, .. } => {
            let mut json = Vec::new();
            for row in rows {
                let row = row?;
                row.show(&mut page);
                json.push(row.to_json());
            }
            Told {
                text: page.into_text(),
                verdict: if json.is_empty() { empty } else { Verdict::Yes },
                json,
                note: note.unwrap_or_default(),
            }
        }
        Answer::Bytes(_) => unreachable!("no question about the graph gives bytes"),
    })
}

fn ask(log: &Arc<MemoryLog>, name: &str, request: serde_json::Value) -> Told {
    ask_in(&log.ctx(NOW), name, request).expect("an answer")
}

fn refused(log: &Arc<MemoryLog>, name: &str, request: serde_json::Value) -> (String, u8) {
    let error = ask_in(&log.ctx(NOW), name, request)
        .map(|told| told.text)
        .expect_err("refused");
    (error.message.clone(), error.kind.exit_code())
}

use serde_json::json;

const LINES: &str =
    "task:a blocks task:b .4 why\nrepo:o/n:task:c belongs-to milestone:m\ntask:a status=\"done\"\nzebra:x\ntask:A";

#[test]
fn c3_nodes_that_differ_in_case_are_two() {
    let log = log(LINES);
    assert_eq!(
        ask(&log, "mind_nodes", json!({ "id": "task:A" })).json[0]["properties"],
        json!({})
    );
    assert_eq!(
        ask(&log, "mind_nodes", json!({ "id": "task:a" })).json[0]["properties"],
        json!({ "status": "done" })
    );
}

#[test]
fn amend1_a_prefix_finds_nodes_of_other_repositories_and_no_part_of_another() {
    let log = log(LINES);
    let told = ask(&log, "mind_nodes", json!({ "prefix": ["task"] }));
    assert_eq!(told.text, "repo:o/n:task:c\ntask:A\ntask:a  status: \"done\"\ntask:b\n");
    let none = ask(&log, "mind_nodes", json!({ "prefix": ["tas"] }));
    assert_eq!((none.json.len(), none.verdict), (0, Verdict::No));
    assert_eq!(
        ask(&log, "mind_nodes", json!({ "prefix": "phase" })).text,
        "milestone:m\n",
        "a phase is a milestone"
    );
    assert_eq!(
        refused(&log, "mind_nodes", json!({ "prefix": ["task:"] })),
        ("`task:` is not a prefix".to_owned(), 2)
    );
}

#[test]
fn missed10_nodes_are_told_with_their_inner_prefix_and_its_class() {
    let log = log(LINES);
    let told = ask(&log, "mind_nodes", json!({ "id": "repo:o/n:task:c" }));
    assert_eq!(
        told.json[0],
        json!({
            "id": "repo:o/n:task:c", "prefix": "task", "class": "canonical", "properties": {}, "incoming": [],
            "outgoing": [{ "source": "repo:o/n:task:c", "target": "milestone:m", "type": "belongs-to", "confidence": 1.0, "createdAt": "2026-02-10T14:30:00.000Z" }],
        })
    );
    let unknown = ask(&log, "mind_nodes", json!({ "class": "unknown" }));
    assert_eq!(unknown.text, "zebra:x\n");
}

#[test]
fn ref11_one_node_is_shown_with_its_edges_and_a_missing_one_is_a_no() {
    let log = log(LINES);
    assert_eq!(
        ask(&log, "mind_nodes", json!({ "id": "task:a" })).text,
        "task:a\n  prefix: task (canonical)\n  status: \"done\"\n  --[blocks]--> task:b (40%)  why\n"
    );
    assert_eq!(
        ask(&log, "mind_nodes", json!({ "id": "task:b" })).text,
        "task:b\n  prefix: task (canonical)\n  <--[blocks]-- task:a (40%)  why\n"
    );
    assert_eq!(
        refused(&log, "mind_nodes", json!({ "id": "task:none" })),
        ("there is no node `task:none`".to_owned(), 1)
    );
    assert_eq!(refused(&log, "mind_nodes", json!({ "id": "Task:a" })).1, 2);
}

#[test]
fn edges_are_told_as_arrows_and_found_by_type_end_and_confidence() {
    let log = log("task:a blocks task:b .4 why\ntask:a relates-to task:b\nspec:s documents task:b 0");
    let told = ask(&log, "mind_edges", json!({}));
    assert_eq!(
        told.text,
        "spec:s --[documents]--> task:b (0%)\ntask:a --[blocks]--> task:b (40%)  why\ntask:a --[relates-to]--> task:b (100%)\n"
    );
    assert_eq!(
        told.json[1],
        json!({ "source": "task:a", "target": "task:b", "type": "blocks", "confidence": 0.4, "rationale": "why", "createdAt": "2026-02-10T14:30:00.000Z" })
    );
    for (request, count) in [
        (json!({ "type": "blocks" }), 1),
        (json!({ "type": ["blocks", "documents"] }), 2),
        (json!({ "source": "task:a" }), 2),
        (json!({ "target": "task:b", "source": "spec:s" }), 1),
        (json!({ "max_confidence": 0.4 }), 2),
        (json!({ "limit": 2 }), 2),
        (json!({ "limit": 0 }), 3),
        (json!({ "source": "task:none" }), 0),
    ] {
        assert_eq!(ask(&log, "mind_edges", request.clone()).json.len(), count, "{request}");
    }
    assert_eq!(
        ask(&log, "mind_edges", json!({ "limit": 2 })).note,
        "1 edge more; --limit 0 shows all"
    );
    for request in [
        json!({ "type": "explodes" }),
        json!({ "max_confidence": 1.5 }),
        json!({ "source": "task" }),
    ] {
        assert_eq!(refused(&log, "mind_edges", request).1, 2);
    }
}

#[test]
fn people_are_shown_two_hundred_rows_and_programs_all() {
    let lines: String = (0..250).map(|at| format!("task:{at:03} relates-to spec:s\n")).collect();
    let log = log(&lines);
    for (name, rows) in [("mind_edges", 250), ("mind_nodes", 251)] {
        let told = ask(&log, name, json!({}));
        assert_eq!((told.json.len(), told.text.lines().count()), (rows, 201), "{name}");
        let last = told.text.lines().last().unwrap_or_default();
        assert_eq!(last, format!("… {} more; --limit 0 or --json shows all", rows - 200));
    }
    let view = ask(&log, "mind_view", json!({ "name": "backlog" }));
    assert_eq!(view.text.lines().count(), 1 + 201 + 201);
    assert_eq!(view.json[0]["edges"].as_array().map(Vec::len), Some(250));
}

#[test]
fn c29_questions_about_nothing_are_answered() {
    let log = log("");
    let status = ask(&log, "mind_status", json!({}));
    assert_eq!(
        status.json[0],
        json!({ "nodes": 0, "edges": 0, "byPrefix": {}, "byType": {}, "blocked": [], "lowConfidence": 0, "orphans": 0, "unpushed": 0, "patches": 0 })
    );
    assert_eq!(status.text, "0 nodes, 0 edges\n0 patches\n");
    for view in super::view::View::ALL {
        let told = ask(&log, "mind_view", json!({ "name": view.name() }));
        assert_eq!(
            (&told.json[0]["nodes"], &told.json[0]["edges"]),
            (&json!([]), &json!([]))
        );
        assert_eq!(told.verdict, Verdict::Yes);
    }
    for name in ["mind_nodes", "mind_edges", "mind_review"] {
        assert_eq!(ask(&log, name, json!({})).verdict, Verdict::Yes, "{name}");
    }
}

#[test]
fn amend3_half_sure_is_counted_and_waits_and_more_than_half_is_not() {
    let log = log("task:a blocks task:b .5\ntask:a blocks task:c .5000001");
    assert_eq!(ask(&log, "mind_status", json!({})).json[0]["lowConfidence"], json!(1));
    let waiting = ask(&log, "mind_review", json!({}));
    assert_eq!(waiting.text, "   1  task:a --[blocks]--> task:b (50%)\n");
    assert_eq!(
        ask(&log, "mind_view", json!({ "name": "suggestions" })).json[0]["nodes"],
        json!([{ "id": "task:a" }, { "id": "task:b" }])
    );
}

#[test]
fn the_status_is_told_in_words() {
    let log = log("task:a blocks task:b .4\ntask:c");
    assert_eq!(
        ask(&log, "mind_status", json!({})).text,
        "3 nodes, 1 edge\n  nodes: task 3\n  edges: blocks 1\n  blocked: 1 (task:b)\n  confidence at most 0.5: 1 edge; `lore mind review` lists the pending ones\n  without edges: 1 node\n1 patch, 1 of them not pushed\n"
    );
}

#[test]
fn patches_that_a_remote_has_are_not_unpushed() {
    let log = log("task:a");
    let own = log
        .ctx(NOW)
        .port::<dyn PatchLog>()
        .tips()
        .expect("tips")
        .own()
        .expect("a tip");
    log.fetched_copy("refs/lore/mind/remotes/origin/w/", own);
    log.tell(NOW, "task:b");
    log.tell(NOW, "task:c");
    let status = ask(&log, "mind_status", json!({}));
    assert_eq!(
        (&status.json[0]["unpushed"], &status.json[0]["patches"]),
        (&json!(2), &json!(3))
    );
}

#[test]
fn view1_a_view_is_asked_for_by_its_name() {
    let log = log("milestone:m\ntask:a belongs-to milestone:m\ntask:a status=\"wip\"");
    let told = ask(&log, "mind_view", json!({ "name": "roadmap" }));
    assert_eq!(
        told.text,
        "roadmap  2 nodes, 1 edge\n  milestone:m\n  task:a  wip\n  task:a --[belongs-to]--> milestone:m (100%)\n"
    );
    assert_eq!(
        told.json[0]["nodes"],
        json!([{ "id": "milestone:m" }, { "id": "task:a", "status": "wip" }])
    );
    assert_eq!(
        (&told.json[0]["view"], &told.json[0]["lenses"]),
        (&json!("roadmap"), &json!([]))
    );
    let listed = ask(&log, "mind_view", json!({}));
    assert_eq!(listed.json[0]["views"].as_array().map(Vec::len), Some(11));
    assert!(
        listed
            .text
            .ends_with("lenses: incomplete, frontier, critical-path, blocked, parallel\n")
    );
}

#[test]
fn view5_milestones_are_told_with_how_far_they_are() {
    let log = log(
        "task:a belongs-to milestone:m\ntask:b belongs-to milestone:m\ntask:a implements spec:s\ntask:a blocks task:b",
    );
    let text = ask(&log, "mind_view", json!({ "name": "milestone" })).text;
    assert!(
        text.contains("\n  milestone:m  1/2 (50%)  blocked by task:a\n"),
        "{text}"
    );
}

#[test]
fn view7_blockers_are_told_as_trees_and_circles() {
    let log = log("task:a blocks task:b\ntask:b blocks task:c\ntask:x blocks task:y\ntask:y blocks task:x");
    let text = ask(&log, "mind_view", json!({ "name": "blockers" })).text;
    assert!(
        text.starts_with(
            "blockers  5 nodes, 4 edges\n  task:a\n    task:b\n      task:c\n  cycle: task:x → task:y → task:x\n"
        ),
        "{text}"
    );
}

#[test]
fn view10_progress_takes_a_scope_and_no_other_view_does() {
    let log = log("task:a status=\"done\"\nissue:b status=\"open\"");
    let told = ask(
        &log,
        "mind_view",
        json!({ "name": "progress", "scope": ["issue", "task"] }),
    );
    assert!(told.text.starts_with(
        "progress  2 nodes, 0 edges\n  1/2 done (50%), 1 to go\n  done (1)\n    task:a\n  to do (1)\n    issue:b\n"
    ));
    assert_eq!(told.json[0]["meta"]["summary"]["ratio"], json!("1/2"));
    assert_eq!(
        refused(&log, "mind_view", json!({ "name": "roadmap", "scope": ["task"] })),
        ("the view roadmap has no --scope".to_owned(), 2)
    );
    let (message, code) = refused(&log, "mind_view", json!({ "name": "roadmaps" }));
    assert!(message.starts_with("unknown view \"roadmaps\"; known: roadmap, backlog"));
    assert_eq!(code, 2);
    assert_eq!(refused(&log, "mind_view", json!({ "name": "progress:" })).1, 2);
}

#[test]
fn lens3_the_critical_path_is_told_in_order() {
    let log = log("task:b blocks task:a\ntask:c depends-on task:a\ntask:x blocks task:y\ntask:y blocks task:x");
    let told = ask(&log, "mind_view", json!({ "name": "backlog:critical-path" }));
    assert!(
        told.text.starts_with("backlog:critical-path  3 nodes, 2 edges\n  1. task:b\n  2. task:a\n  3. task:c\nwarning: left out 2 nodes in cycles\n"),
        "{}",
        told.text
    );
    assert_eq!(told.json[0]["meta"]["lens"][0]["lens"], json!("critical-path"));
    assert_eq!(
        told.json[0]["meta"]["lens"][0]["chain"][2],
        json!({ "id": "task:c", "depth": 2 })
    );
}

#[test]
fn lens4_lenses_are_looked_through_from_left_to_right() {
    let log = log("task:a blocks task:b\ntask:b blocks task:c");
    let nodes = |name: &str| ask(&log, "mind_view", json!({ "name": name })).json[0]["nodes"].clone();
    assert_eq!(nodes("backlog:blocked:frontier"), json!([{ "id": "task:c" }]));
    assert_eq!(nodes("backlog:frontier:blocked"), json!([]));
}

/// A log with two commits of the code, each with an epoch, and the commits.
fn history() -> (Arc<MemoryLog>, [String; 2]) {
    let log = log("task:a blocks task:b .4\ntask:a k=1");
    let first = log.commit_code("one", &[]);
    log.epoch(NOW, first);
    log.tell(
        NOW,
        "task:a blocks task:b .6 because\ntask:a k=2\nspec:new documents task:a",
    );
    let second = log.commit_code("two", &[]);
    log.epoch(NOW, second);
    (log, [first.to_hex(), second.to_hex()])
}

#[test]
fn diff1_two_revisions_are_given_as_a_range_or_one_by_one() {
    let (log, [first, second]) = history();
    let ranges = [
        json!({ "range": format!("{first}..{second}") }),
        json!({ "range": first, "to": second }),
        json!({ "range": first }),
    ];
    let answers: Vec<serde_json::Value> = ranges
        .into_iter()
        .map(|range| ask(&log, "mind_diff", range).json[0]["nodes"].clone())
        .collect();
    assert_eq!(answers[0]["added"], json!([{ "id": "spec:new" }]));
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    for (range, to) in [
        ("a..b..c", None),
        ("..b", None),
        ("a..", None),
        ("a...b", None),
        ("", None),
        ("a..b", Some("c")),
    ] {
        let (message, code) = refused(&log, "mind_diff", json!({ "range": range, "to": to }));
        assert_eq!(code, 2, "{message}");
    }
    assert_eq!(refused(&log, "mind_diff", json!({ "range": "nowhere" })).1, 1);
}

#[test]
fn diff2_a_difference_is_told_in_words_and_in_numbers() {
    let (log, [first, second]) = history();
    let told = ask(&log, "mind_diff", json!({ "range": format!("{first}..{second}") }));
    let short = |sha: &str| sha[..12].to_owned();
    assert_eq!(
        told.text,
        format!(
            "at {first} ({})\nat {second} ({})\nnodes: 2 before, 3 after\n  + spec:new\n  ~ task:a  k\nedges: 1 before, 2 after\n  + spec:new --[documents]--> task:a\n  ~ task:a --[blocks]--> task:b  confidence, rationale\n",
            short(&first),
            short(&second)
        )
    );
    assert_eq!(told.json[0]["edges"]["total"], json!({ "before": 1, "after": 2 }));
    assert_eq!(
        (&told.json[0]["from"]["ref"], &told.json[0]["same"]),
        (&json!(first), &json!(false))
    );
}

#[test]
fn diff3_a_prefix_narrows_a_difference() {
    let (log, [first, _]) = history();
    let told = ask(&log, "mind_diff", json!({ "range": first, "prefix": ["spec"] }));
    assert_eq!(told.json[0]["nodes"]["added"], json!([{ "id": "spec:new" }]));
    assert_eq!(
        told.json[0]["edges"]["added"],
        json!([]),
        "the other end is no specification"
    );
}

#[test]
fn diff4_the_same_moment_has_no_difference() {
    let (log, [first, _]) = history();
    let told = ask(&log, "mind_diff", json!({ "range": format!("{first}..{first}") }));
    assert_eq!(told.json[0]["same"], json!(true));
    assert!(told.text.ends_with("both are the same state of the graph\n"));
}

#[test]
fn a_question_about_a_commit_is_about_the_graph_as_it_was_there() {
    let (log, [first, second]) = history();
    let count = |at: &str| ask(&log, "mind_status", json!({ "at": at })).json[0]["nodes"].clone();
    // The epochs are nodes themselves.
    assert_eq!((count(&first), count(&second)), (json!(3), json!(5)));
    let told = ask(&log, "mind_status", json!({ "at": first }));
    assert!(told.text.starts_with(&format!("at {first} (")), "{}", told.text);
    assert_eq!(told.json[0]["asOf"]["nearest"], json!(false));
    assert_eq!(
        ask(&log, "mind_edges", json!({ "at": first })).json[0]["confidence"],
        json!(0.4)
    );
    assert_eq!(
        ask(&log, "mind_view", json!({ "name": "roadmap", "at": first })).json[0]["edges"][0]["confidence"],
        json!(0.4)
    );
}

#[test]
fn example4_the_confidences_of_the_text_land_where_it_says() {
    let log = log(
        "task:a blocks task:b 1\ntask:a blocks task:c .8\ntask:a blocks task:d .5\ntask:a blocks task:e .3\ntask:a blocks task:f .29",
    );
    let waiting: Vec<serde_json::Value> = ask(&log, "mind_review", json!({})).json[0]["pending"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|edge| edge["target"].clone())
        .collect();
    assert_eq!(waiting, ["task:d", "task:e", "task:f"]);
}

#[test]
fn review1_what_waits_is_what_nobody_has_decided_about_since_it_changed() {
    let log = log("task:a blocks task:b .4 why\ntask:a blocks task:c .3\ntask:a blocks task:d");
    assert_eq!(
        ask(&log, "mind_review", json!({})).text,
        "   1  task:a --[blocks]--> task:b (40%)  why\n   2  task:a --[blocks]--> task:c (30%)\n"
    );
    ask(&log, "mind_review", json!({ "adjust": "1", "confidence": 0.2 }));
    assert_eq!(
        ask(&log, "mind_review", json!({})).text,
        "   1  task:a --[blocks]--> task:c (30%)\n"
    );
    log.tell(NOW, "task:a blocks task:b .1");
    assert_eq!(
        ask(&log, "mind_review", json!({})).json[0]["pending"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    // Records that make no sense are none.
    log.tell(
        NOW,
        "decision:9-00000000 action=\"reject\"\ndecision:9-00000001 action=7",
    );
    assert_eq!(
        ask(&log, "mind_review", json!({})).json[0]["pending"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
}

#[test]
fn review2_what_is_accepted_is_sure_and_keeps_the_rest() {
    let log = log("task:a blocks task:b .4 why");
    let ctx = log.ctx(NOW + 60_000);
    let told = ask_in(&ctx, "mind_review", json!({ "accept": [1] })).expect("decided");
    assert_eq!(told.text, "accepted task:a --[blocks]--> task:b (100%)\n");
    assert_eq!(
        ask(&log, "mind_edges", json!({})).json[0],
        json!({ "source": "task:a", "target": "task:b", "type": "blocks", "confidence": 1.0, "rationale": "why", "createdAt": "2026-02-10T14:30:00.000Z", "reviewedAt": "2026-02-10T14:31:00.000Z" })
    );
    assert_eq!(
        ask(&log, "mind_review", json!({ "all": "accept" })).json[0]["processed"],
        json!(0)
    );
}

#[test]
fn review3_what_is_rejected_is_gone_and_the_decision_stays() {
    let log = log("task:a blocks task:b .4\ntask:a blocks task:c .4");
    let told = ask(
        &log,
        "mind_review",
        json!({ "reject": ["task:a --[blocks]--> task:b"], "reviewer": "ada" }),
    );
    assert_eq!(told.text, "rejected task:a --[blocks]--> task:b\n");
    assert_eq!(
        ask(&log, "mind_edges", json!({})).text,
        "task:a --[blocks]--> task:c (40%)\n"
    );
    let id = told.json[0]["decisions"][0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(
        ask(&log, "mind_nodes", json!({ "id": id })).json[0]["properties"],
        json!({ "action": "reject", "source": "task:a", "target": "task:b", "edgeType": "blocks", "confidence": 0.4, "timestamp": "2026-02-10T14:30:00.000Z", "reviewer": "ada" })
    );
}

#[test]
fn ref15_rejecting_an_edge_takes_no_other_one_away() {
    let log = log("task:a blocks task:b .4\ntask:b blocks task:a .4\ntask:a relates-to task:b .4");
    ask(&log, "mind_review", json!({ "reject": ["2"] }));
    assert_eq!(
        ask(&log, "mind_edges", json!({})).text,
        "task:a --[blocks]--> task:b (40%)\ntask:b --[blocks]--> task:a (40%)\n"
    );
}

#[test]
fn review4_an_edge_is_adjusted_and_another_type_is_another_edge() {
    let log = log("task:a blocks task:b .4 why\ntask:c relates-to task:c .4");
    let told = ask_in(
        &log.ctx(NOW + 1_000),
        "mind_review",
        json!({ "adjust": "1", "type": "relates-to", "confidence": 0.9 }),
    )
    .expect("decided");
    assert_eq!(
        told.text,
        "adjusted task:a --[blocks]--> task:b: relates-to (90%) now\n"
    );
    let edges = ask(&log, "mind_edges", json!({ "source": "task:a" }));
    assert_eq!(edges.text, "task:a --[relates-to]--> task:b (90%)  why\n");
    assert_eq!(edges.json[0]["createdAt"], json!("2026-02-10T14:30:01.000Z"));
    assert_eq!(
        refused(&log, "mind_review", json!({ "adjust": "1", "type": "blocks" })),
        (
            "an edge of type `blocks` cannot lead from a node to itself".to_owned(),
            2
        )
    );
    assert_eq!(
        refused(&log, "mind_review", json!({ "adjust": "1" })),
        ("--adjust needs a change".to_owned(), 2)
    );
    let before = ask(&log, "mind_edges", json!({ "source": "task:c" })).json[0]["createdAt"].clone();
    ask(&log, "mind_review", json!({ "adjust": "1", "rationale": "seen" }));
    let after = ask(&log, "mind_edges", json!({ "source": "task:c" })).json[0].clone();
    assert_eq!((&after["createdAt"], &after["rationale"]), (&before, &json!("seen")));
    assert_eq!(ask(&log, "mind_review", json!({})).text, "no edge is pending\n");
}

#[test]
fn review5_a_decision_is_one_patch_with_its_record() {
    let log = log("task:a blocks task:b .4\ntask:a blocks task:c .4");
    let before = log.patches();
    let told = ask(&log, "mind_review", json!({ "accept": ["1"], "reject": ["2"] }));
    assert_eq!(
        (log.patches() - before, told.json[0]["processed"].clone()),
        (1, json!(2))
    );
    let id = told.json[0]["decisions"][0]["id"].as_str().expect("an id").to_owned();
    // The first digits of the SHA-256 of `task:a|task:b|blocks`.
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest("task:a|task:b|blocks");
    let digits: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(id, format!("decision:1770733800-{digits}"));
    let messages = log.messages();
    assert!(messages[1].starts_with("mind: review of 2 edges\n"), "{}", messages[1]);
    // Within the same second the record is written again and stays one.
    log.tell(NOW, "task:a blocks task:b .3");
    ask(&log, "mind_review", json!({ "reject": ["1"] }));
    let records = ask(&log, "mind_nodes", json!({ "prefix": ["decision"] }));
    assert_eq!(records.json.len(), 2);
    assert!(
        records
            .json
            .iter()
            .any(|row| row["id"] == json!(id) && row["properties"]["action"] == json!("reject"))
    );
}

#[test]
fn review6_numbers_begin_at_1_and_all_are_decided_about_in_one_patch() {
    let log = log("task:a blocks task:b .4\ntask:a blocks task:c .4\ntask:d blocks task:c .4");
    for number in ["0", "4", "-1", "x"] {
        assert_eq!(
            refused(&log, "mind_review", json!({ "accept": [number] })).1,
            2,
            "{number}"
        );
    }
    assert_eq!(
        refused(&log, "mind_review", json!({ "accept": ["4"] })).0,
        "there is no number 4: 3 edges pending"
    );
    assert_eq!(
        refused(&log, "mind_review", json!({ "accept": ["1"], "reject": ["1"] })).1,
        2
    );
    assert_eq!(
        refused(
            &log,
            "mind_review",
            json!({ "accept": ["task:a --[blocks]--> task:z"] })
        ),
        ("there is no edge task:a --[blocks]--> task:z".to_owned(), 1)
    );
    assert_eq!(
        refused(&log, "mind_review", json!({ "all": "accept", "accept": ["1"] })).1,
        2
    );
    let before = log.patches();
    assert_eq!(before, 1, "nothing was written");
    let told = ask(&log, "mind_review", json!({ "all": "reject", "source": "task:a" }));
    assert_eq!(
        (told.json[0]["processed"].clone(), log.patches() - before),
        (json!(2), 1)
    );
    assert_eq!(
        ask(&log, "mind_edges", json!({})).text,
        "task:d --[blocks]--> task:c (40%)\n"
    );
}

#[test]
fn missed15_a_hundred_thousand_edges_are_asked_about() {
    let mut lines = String::new();
    for at in 0..100_000 {
        lines.push_str(&format!("task:{at:06} blocks task:{:06}\n", at + 1));
    }
    let log = log(&lines);
    let status = ask(&log, "mind_status", json!({}));
    assert_eq!(
        (&status.json[0]["nodes"], &status.json[0]["edges"]),
        (&json!(100_001), &json!(100_000))
    );
    assert_eq!(
        ask(&log, "mind_view", json!({ "name": "blockers" }))
            .text
            .lines()
            .count(),
        1 + 201 + 201
    );
    let path = ask(&log, "mind_view", json!({ "name": "backlog:critical-path" }));
    assert_eq!(
        path.json[0]["meta"]["lens"][0]["chain"].as_array().map(Vec::len),
        Some(100_001)
    );
}
