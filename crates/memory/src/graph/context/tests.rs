//! What is told around files, with and without what git knows.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::of_task;
use crate::envelope::envelope;
use crate::graph::testing::{NOW, Shop, project};
use crate::model::{Record, Task};
use crate::store::reading;
use lore_seam::{Log, LogChange, LogCommit, Renamed};

fn names(list: &Value) -> Vec<&str> {
    list.as_array()
        .expect("a list")
        .iter()
        .filter_map(|item| item["name"].as_str())
        .collect()
}

#[test]
fn g3_paths_are_trimmed_and_something_has_to_be_left() {
    let shop = Shop::new();
    shop.atom("a", &["src/**"]);
    shop.atom("b", &["**/*.ts"]);
    let told = shop.data(
        "query_graph",
        json!({"operation": "context", "projectId": shop.project, "paths": " src/a.ts , ,b.ts,"}),
    );
    assert_eq!(names(&told["orphanAtoms"]), ["a", "b"]);
    assert_eq!(told["orphanAtoms"][1]["matchedPaths"], json!(["src/a.ts", "b.ts"]));
    for nothing in [json!(" , "), json!([]), json!(""), json!([" "])] {
        let told = shop.ask(
            "query_graph",
            json!({"operation": "context", "projectId": shop.project, "paths": nothing}),
        );
        assert_eq!(
            (&told["error"], &told["message"]),
            (&json!("VALIDATION_ERROR"), &json!("No valid file paths provided"))
        );
    }
    let told = shop.ask(
        "query_graph",
        json!({"operation": "context", "projectId": shop.project}),
    );
    assert_eq!(told["message"], "paths is required for context operation");
}

#[test]
fn g4_the_example_of_the_text_field_by_field() {
    let shop = Shop::new();
    let molecule = shop.molecule(
        "Payment Domain",
        "Communicates with Stripe, idempotent webhooks, event sourcing",
    );
    let stripe = shop
        .atom_with(json!({"name": "Stripe Integration", "paths": ["src/payments/gateway/**"], "moleculeId": molecule}));
    let webhooks = shop.atom_with(json!({
        "name": "Webhook Handlers",
        "paths": ["src/payments/webhook-*.ts", "src/payments/stripe-*.ts"],
        "knowledge": "8 handlers, all extend BaseWebhookHandler, locales from registry",
        "moleculeId": molecule,
        "relatedAtoms": [{"atomId": stripe, "reason": "webhooks call gateway for processing"}],
    }));
    let retry = shop.atom_with(json!({
        "name": "Retry Utilities", "paths": ["src/shared/retry-utils.ts"], "knowledge": "Generic exponential backoff",
    }));
    shop.append("atom", &webhooks, "retries");
    let told = shop.ask("query_graph", json!({
        "operation": "context",
        "projectId": shop.project,
        "paths": "src/payments/webhook-handler.ts,src/payments/stripe-gateway.ts,src/shared/retry-utils.ts,src/payments/new-handler.ts",
    }));
    let wanted = json!({
        "molecules": [{
            "id": molecule, "name": "Payment Domain",
            "knowledge": "Communicates with Stripe, idempotent webhooks, event sourcing",
            "atoms": [{
                "id": webhooks, "name": "Webhook Handlers",
                "knowledge": "8 handlers, all extend BaseWebhookHandler, locales from registry",
                "matchedPaths": ["src/payments/webhook-handler.ts", "src/payments/stripe-gateway.ts"],
                "relatedAtoms": [
                    {"atomId": stripe, "name": "Stripe Integration", "reason": "webhooks call gateway for processing"},
                ],
                "changelog": [{"taskId": shop.task, "summary": "retries", "createdAt": NOW}],
                // Added.
                "version": 1,
            }],
            // Added.
            "relatedMolecules": [], "changelog": [], "version": 1,
        }],
        "orphanAtoms": [{
            "id": retry, "name": "Retry Utilities",
            "knowledge": "Generic exponential backoff",
            "matchedPaths": ["src/shared/retry-utils.ts"],
            // Added.
            "relatedAtoms": [], "changelog": [], "version": 1,
        }],
        "unmatchedPaths": ["src/payments/new-handler.ts"],
        // Added.
        "suggestions": [{
            "path": "src/payments/new-handler.ts",
            "nearest": {"atomId": webhooks, "name": "Webhook Handlers", "pattern": "src/payments/webhook-*.ts"},
            "draftPattern": "src/payments/new-handler.ts",
        }],
    });
    assert_eq!(told["success"], json!(true));
    assert_eq!(told["message"], "Graph context retrieved");
    assert_eq!(told["data"], wanted);
}

#[test]
fn g5_one_order_for_molecules_atoms_and_paths() {
    let shop = Shop::new();
    for name in ["b", "B", "a"] {
        let molecule = shop.molecule(name, "");
        for atom in ["é", "E", "e", "d"] {
            shop.atom_with(json!({"name": atom, "paths": ["src/**"], "moleculeId": molecule}));
        }
        shop.atom(name, &["src/**"]);
    }
    let told = shop.context(&["z", "src/2", "y", "src/1"]);
    assert_eq!(names(&told["molecules"]), ["a", "B", "b"]);
    assert_eq!(names(&told["molecules"][0]["atoms"]), ["d", "E", "e", "é"]);
    assert_eq!(names(&told["orphanAtoms"]), ["a", "B", "b"]);
    assert_eq!(told["orphanAtoms"][0]["matchedPaths"], json!(["src/2", "src/1"]));
    assert_eq!(told["unmatchedPaths"], json!(["z", "y"]));
}

#[test]
fn d5_related_atoms_have_their_names() {
    let shop = Shop::new();
    let other = shop.atom("Stripe", &["x"]);
    shop.atom_with(json!({"name": "a", "paths": ["src/**"], "relatedAtoms": [{"atomId": other, "reason": "calls"}]}));
    let related = || shop.context(&["src/a"])["orphanAtoms"][0]["relatedAtoms"].clone();
    assert_eq!(
        related(),
        json!([{"atomId": other, "name": "Stripe", "reason": "calls"}])
    );
    shop.data(
        "manage_graph",
        json!({"operation": "delete", "entityType": "atom", "id": other, "version": 1}),
    );
    assert_eq!(
        related(),
        json!([{"atomId": other, "name": null, "reason": "calls", "missing": true}])
    );
}

#[test]
fn d10_equal_names_are_told_apart_by_their_ids() {
    let shop = Shop::new();
    let ids: Vec<String> = (0..3).map(|_| shop.atom("same", &["src/**"])).collect();
    let told = shop.context(&["src/a"]);
    let told: Vec<&str> = told["orphanAtoms"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["id"].as_str())
        .collect();
    assert_eq!(told, ids);
    let found = shop.data(
        "query_graph",
        json!({"operation": "search", "entityType": "atom", "projectId": shop.project}),
    );
    let found: Vec<&str> = found["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["id"].as_str())
        .collect();
    assert_eq!(found, ids);
}

#[test]
fn d12_a_molecule_has_its_relations_and_its_changelog() {
    let shop = Shop::new();
    let (one, two) = (shop.molecule("one", ""), shop.molecule("two", ""));
    shop.update(
        "molecule",
        &one,
        json!({"version": 1, "relatedMolecules": [{"moleculeId": two, "reason": "uses"}]}),
    );
    shop.append("molecule", &one, "x");
    shop.atom_with(json!({"name": "a", "paths": ["src/**"], "moleculeId": one}));
    let told = shop.context(&["src/a"]);
    let molecule = &told["molecules"][0];
    assert_eq!(
        molecule["relatedMolecules"],
        json!([{"moleculeId": two, "name": "two", "reason": "uses"}])
    );
    assert_eq!(molecule["changelog"][0]["summary"], "x");
}

#[test]
fn e13_paths_may_be_a_json_array() {
    let shop = Shop::new();
    shop.atom("a", &["src/a\\,b.ts"]);
    shop.atom("c", &["c"]);
    for paths in [json!(["src/a,b.ts", "c"]), json!("[\"src/a,b.ts\", \"c\"]")] {
        let told = shop.data(
            "query_graph",
            json!({"operation": "context", "projectId": shop.project, "paths": paths}),
        );
        assert_eq!(names(&told["orphanAtoms"]), ["a", "c"]);
    }
    let told = shop.data(
        "query_graph",
        json!({"operation": "context", "projectId": shop.project, "paths": "src/a,b.ts"}),
    );
    assert_eq!(told["unmatchedPaths"], json!(["src/a", "b.ts"]));
    let told = shop.ask(
        "query_graph",
        json!({"operation": "context", "projectId": shop.project, "paths": ["a", 7]}),
    );
    assert_eq!(told["data"]["field"], "paths[1]");
}

#[test]
fn e14_a_path_that_is_asked_twice_is_told_once() {
    let shop = Shop::new();
    shop.atom("a", &["src/**"]);
    let told = shop.context(&["src/b", "x", "./src//b", "src/a", "x", "/shop/src/a", "src\\b"]);
    assert_eq!(told["orphanAtoms"][0]["matchedPaths"], json!(["src/b", "src/a"]));
    assert_eq!(told["unmatchedPaths"], json!(["x"]));
}

#[test]
fn e23_what_is_left_out_of_a_large_answer_is_said() {
    let shop = Shop::new();
    for at in 0..30 {
        shop.atom_with(json!({"name": format!("a{at:02}"), "paths": ["src/**"], "knowledge": "k".repeat(2_000)}));
    }
    let told = shop.ask(
        "query_graph",
        json!({"operation": "context", "projectId": shop.project, "paths": "src/a"}),
    );
    let whole = told["data"].clone();
    let fitted = envelope(&shop.ctx, Ok(json!({"message": "", "data": whole})), 20_000);
    let left = fitted["data"]["orphanAtoms"].as_array().expect("a list").len();
    assert!((5..30).contains(&left), "{left}");
    assert_eq!(
        fitted["metadata"]["leftOut"],
        json!([format!("{} of orphanAtoms", 30 - left)])
    );
    let kept = &fitted["data"]["orphanAtoms"][0]["knowledge"];
    assert_eq!(kept.as_str().map(str::len), Some(2_000), "no text is shortened");
}

fn of(shop: &Shop, task: &Task) -> Value {
    let context = reading(&shop.ctx, |store| of_task(&shop.ctx, store, task)).expect("told");
    serde_json::to_value(context).expect("JSON")
}

#[test]
fn g19_the_first_section_that_is_called_context_files_is_read() {
    let shop = Shop::new();
    shop.atom("a", &["src/**"]);
    shop.section("Notes", 0, "lib/x.ts");
    shop.section("Task CONTEXT FILES (read first)", 1, "- src/a.ts\n- `src/b.ts:3`");
    shop.section("Context Files", 2, "src/c.ts");
    let told = of(&shop, &shop.task_row());
    assert_eq!(told["orphanAtoms"][0]["matchedPaths"], json!(["src/a.ts", "src/b.ts"]));
    assert_eq!(told["unmatchedPaths"], json!([]));
    assert_eq!(told.get("note"), None);
}

#[test]
fn amend5_graph_context_is_always_there_and_says_why_it_is_empty() {
    let shop = Shop::new();
    let empty = |note: &str| json!({"molecules": [], "orphanAtoms": [], "unmatchedPaths": [], "note": note});
    assert_eq!(
        of(&shop, &shop.task_row()),
        empty("the task has no Context Files section")
    );
    shop.section("Context Files", 0, "# none\n");
    assert_eq!(of(&shop, &shop.task_row()), empty("Context Files contains no path"));
    let alone = Task {
        project_id: None,
        ..shop.task_row()
    };
    assert_eq!(of(&shop, &alone), empty("the task has no project"));
    let shop = Shop::new();
    shop.section("Context Files", 0, "see the docs\na\0b\n---\nsrc/a.ts\n");
    let told = of(&shop, &shop.task_row());
    assert_eq!(
        (&told["unmatchedPaths"], &told["malformedEntries"]),
        (&json!(["src/a.ts"]), &json!(3))
    );
}

/// A log from texts, newest first: each commit with its changes, `+path`, `-path`, `path` or `old>new`.
fn log(commits: &[(&str, &[&str])], files: &[&str], cut: bool) -> Log {
    let count = commits.len() as u32;
    let made = commits.iter().enumerate().map(|(at, (id, changes))| {
        let next = at as u32 + 1;
        let mut told = Vec::new();
        for change in *changes {
            let blob = |path: &str| Some(format!("{id}:{path}"));
            match (change.strip_prefix('-'), change.split_once('>')) {
                (Some(gone), _) => told.push(LogChange {
                    path: gone.to_owned(),
                    ..LogChange::default()
                }),
                (None, Some((old, new))) => {
                    told.push(LogChange {
                        path: old.to_owned(),
                        ..LogChange::default()
                    });
                    told.push(LogChange {
                        path: new.to_owned(),
                        from: Some(Renamed {
                            path: old.to_owned(),
                            sure: true,
                        }),
                        blob: blob(new),
                    });
                }
                (None, None) => told.push(LogChange {
                    path: change.trim_start_matches('+').to_owned(),
                    from: None,
                    blob: blob(change.trim_start_matches('+')),
                }),
            }
        }
        LogCommit {
            id: (*id).to_owned(),
            parents: (next < count).then_some(next).into_iter().collect(),
            time: 1_794_816_000 + 100 - i64::from(next),
            merge: false,
            changes: told,
        }
    });
    let head = commits.first().map_or("", |(id, _)| id).to_owned();
    let made = made.collect();
    Log::new(head, made, cut, files.iter().map(|path| (*path).to_owned()).collect())
}

fn stale(shop: &Shop, path: &str) -> Value {
    shop.context(&[path])["orphanAtoms"][0]["stale"].clone()
}

#[test]
fn l1_what_is_written_in_the_repository_remembers_its_commit() {
    let shop = Shop::new();
    let before = shop.atom("before", &["src/**"]);
    assert_eq!(shop.get("atom", &before)["atom"].get("confirmed"), None);
    shop.at(log(&[("c1", &["src/a"])], &["src/a"], false));
    let atom = shop.atom("a", &["src/**"]);
    assert_eq!(
        shop.get("atom", &atom)["atom"]["confirmed"],
        json!({"commit": "c1", "at": NOW})
    );
    shop.at(log(&[("c2", &["src/a"]), ("c1", &["src/a"])], &["src/a"], false));
    shop.update("atom", &atom, json!({"version": 1, "name": "b"}));
    assert_eq!(
        shop.get("atom", &atom)["atom"]["confirmed"]["commit"],
        "c1",
        "a name says nothing of the code"
    );
    shop.update("atom", &atom, json!({"version": 2, "knowledge": "k"}));
    assert_eq!(shop.get("atom", &atom)["atom"]["confirmed"]["commit"], "c2");
    // Another project's atoms are not known to be right by what is done here.
    let other = project(&shop.ctx, "other");
    let foreign = shop.atom_with(json!({"name": "f", "paths": ["src/**"], "projectId": other}));
    assert_eq!(shop.get("atom", &foreign)["atom"].get("confirmed"), None);
    let told = shop.data("graph_commit", json!({"taskId": shop.task, "confirm": [before]}));
    assert_eq!(told["confirmed"], json!([before]));
    let kept = shop.get("atom", &before);
    assert_eq!(
        (&kept["atom"]["confirmed"]["commit"], &kept["atom"]["version"]),
        (&json!("c2"), &json!(1))
    );
}

#[test]
fn l2_an_atom_knows_how_many_commits_and_which_files_came_since() {
    let shop = Shop::new();
    shop.at(log(&[("c1", &["src/a", "lib/x"])], &["src/a", "lib/x"], false));
    shop.atom("a", &["src/**"]);
    assert_eq!(stale(&shop, "src/a"), json!(null));
    let later: &[(&str, &[&str])] = &[
        ("c4", &["src/a", "src/b"]),
        ("c3", &["lib/x"]),
        ("c2", &["src/a", "-src/old"]),
        ("c1", &["src/a", "lib/x"]),
    ];
    shop.at(log(later, &["src/a", "src/b", "lib/x"], false));
    assert_eq!(
        stale(&shop, "src/a"),
        json!({"state": "stale", "commits": 2, "files": ["src/a", "src/b", "src/old"], "since": {"commit": "c1", "at": NOW}})
    );
    let many: Vec<String> = (0..14).map(|at| format!("src/f{at:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    shop.at(log(&[("c2", &many), ("c1", &["src/a"])], &many, false));
    let told = stale(&shop, "src/a");
    assert_eq!(
        (told["files"].as_array().map(Vec::len), &told["moreFiles"]),
        (Some(10), &json!(4))
    );
}

#[test]
fn l3_what_was_confirmed_before_it_was_committed_is_not_stale_through_its_own_commit() {
    let shop = Shop::new();
    shop.at(log(&[("c1", &["src/a"])], &["src/a"], false));
    let dirty = [
        ("src/a", Some("c2:src/a")),
        ("src/gone", None),
        ("lib/x", Some("other")),
    ];
    let dirty: BTreeMap<String, Option<String>> = dirty
        .map(|(path, blob)| (path.to_owned(), blob.map(str::to_owned)))
        .into();
    *shop.world.uncommitted.lock().expect("whole") = dirty;
    let atom = shop.atom("a", &["src/**"]);
    assert_eq!(
        shop.get("atom", &atom)["atom"]["confirmed"]["dirty"],
        json!({"src/a": "c2:src/a", "src/gone": ""})
    );
    shop.at(log(
        &[("c2", &["src/a", "-src/gone"]), ("c1", &["src/a"])],
        &["src/a"],
        false,
    ));
    assert_eq!(stale(&shop, "src/a"), json!(null));
    shop.at(log(
        &[("c3", &["src/a"]), ("c2", &["src/a", "-src/gone"]), ("c1", &["src/a"])],
        &["src/a"],
        false,
    ));
    assert_eq!(stale(&shop, "src/a")["files"], json!(["src/a"]));
}

#[test]
fn l4_what_is_not_known_is_said_and_never_guessed() {
    let shop = Shop::new();
    shop.at(log(&[("c1", &["src/a"])], &["src/a"], false));
    shop.atom("a", &["src/**"]);
    // Another branch: the commit is not behind this one.
    shop.at(log(&[("d2", &["src/a"]), ("d1", &["lib/x"])], &["src/a"], false));
    let told = stale(&shop, "src/a");
    assert_eq!(
        (&told["state"], &told["commits"], &told["files"]),
        (&json!("unknown"), &json!(1), &json!(["src/a"]))
    );
    // A history that was cut.
    shop.at(log(&[("d2", &["src/a"]), ("d1", &["lib/x"])], &["src/a"], true));
    let told = stale(&shop, "src/a");
    assert_eq!(
        (&told["state"], &told["commits"]),
        (&json!("stale"), &json!("more than 2"))
    );
    shop.at(log(&[("d2", &["lib/x"])], &["src/a"], true));
    assert_eq!(stale(&shop, "src/a")["state"], "unknown");
    // No git.
    *shop.world.head.lock().expect("whole") = None;
    assert_eq!(stale(&shop, "src/a"), json!(null));
    // What git knows is not at hand: that is said, and nothing of the atoms.
    shop.at(log(&[("d2", &["src/a"])], &["src/a"], false));
    *shop.world.log.lock().expect("whole") = None;
    let told = shop.context(&["src/a"]);
    assert_eq!(told["orphanAtoms"][0].get("stale"), None);
    assert_eq!(
        told["note"],
        "Lore is still reading the git history; ask again to see stale atoms"
    );
}

#[test]
fn l4_a_branch_that_was_merged_counts_by_its_commits() {
    let shop = Shop::new();
    shop.at(log(&[("main1", &["src/a"])], &["src/a"], false));
    shop.atom("a", &["src/**"]);
    let commit = |id: &str, parents: &[u32], path: &str, merge: bool| LogCommit {
        id: id.to_owned(),
        parents: parents.to_vec(),
        time: 0,
        merge,
        changes: if merge {
            Vec::new()
        } else {
            vec![LogChange {
                path: path.to_owned(),
                from: None,
                blob: Some(id.to_owned()),
            }]
        },
    };
    // The branch began before the confirmation and came in by a merge after it.
    let commits = vec![
        commit("merge", &[2, 1], "", true),
        commit("branch", &[3], "src/b", false),
        commit("main1", &[3], "src/a", false),
        commit("root", &[], "src/a", false),
    ];
    shop.at(Log::new(
        "merge".to_owned(),
        commits,
        false,
        vec!["src/a".to_owned(), "src/b".to_owned()],
    ));
    let told = stale(&shop, "src/a");
    assert_eq!((&told["commits"], &told["files"]), (&json!(1), &json!(["src/b"])));
}

#[test]
fn l5_renamed_files_suggest_the_pattern() {
    let shop = Shop::new();
    let atom = shop.atom("Payments", &["src/payments/**", "src/pay-*.ts", "src/one.ts"]);
    let moved: &[(&str, &[&str])] = &[
        (
            "c3",
            &[
                "src/billing/a.ts>core/billing/a.ts",
                "src/billing/x/b.ts>core/billing/x/b.ts",
                "src/one.ts>src/two [x].ts",
            ],
        ),
        (
            "c2",
            &[
                "src/payments/a.ts>src/billing/a.ts",
                "src/payments/x/b.ts>src/billing/x/b.ts",
            ],
        ),
        ("c1", &["src/payments/a.ts", "src/payments/x/b.ts"]),
    ];
    let files = [
        "core/billing/a.ts",
        "core/billing/x/b.ts",
        "src/two [x].ts",
        "src/pay-1.ts",
    ];
    shop.at(log(moved, &files, false));
    let told = shop.context(&["core/billing/a.ts", "src/two [x].ts"]);
    assert_eq!(
        told["renames"],
        json!([
            {
                "atomId": atom, "pattern": "src/payments/**", "suggested": "core/billing/**", "sure": true,
                "files": [["src/payments/a.ts", "core/billing/a.ts"], ["src/payments/x/b.ts", "core/billing/x/b.ts"]],
            },
            {
                "atomId": atom, "pattern": "src/one.ts", "suggested": "src/two \\[x\\].ts", "sure": true,
                "files": [["src/one.ts", "src/two [x].ts"]],
            },
        ])
    );
    // Most files of the pattern are still where they were: one that left it suggests nothing.
    let still = ["core/billing/a.ts", "src/payments/1", "src/payments/2"];
    shop.at(log(
        &[
            ("c2", &["src/payments/a.ts>core/billing/a.ts"]),
            ("c1", &["src/payments/a.ts"]),
        ],
        &still,
        false,
    ));
    assert_eq!(shop.context(&["core/billing/a.ts"]).get("renames"), None);
}

#[test]
fn l6_a_path_that_nothing_covers_comes_with_the_nearest_atom_and_a_draft() {
    let shop = Shop::new();
    let deep = shop.atom("b deep", &["src/payments/gateway/**"]);
    let near = shop.atom("Near", &["src/payments/webhook-*.ts"]);
    shop.atom("anything", &["**/*.md"]);
    let files = [
        "src/payments/a.ts",
        "src/payments/new.ts",
        "app/[id]/page.tsx",
        "lone/x(1).ts",
    ];
    shop.at(log(&[("c1", &["src/payments/a.ts"])], &files, false));
    let told = shop.context(&[
        "src/payments/new.ts",
        "src/payments/gateway",
        "app/[id]/page.tsx",
        "lone/x(1).ts",
        "top.txt",
        "../up",
    ]);
    assert_eq!(told["unmatchedPaths"].as_array().map(Vec::len), Some(6));
    assert_eq!(
        told["suggestions"],
        json!([
            {"path": "src/payments/new.ts", "nearest": {"atomId": near, "name": "Near", "pattern": "src/payments/webhook-*.ts"}, "draftPattern": "src/payments/**"},
            {"path": "src/payments/gateway", "nearest": {"atomId": near, "name": "Near", "pattern": "src/payments/webhook-*.ts"}, "draftPattern": "src/payments/**"},
            {"path": "app/[id]/page.tsx", "draftPattern": "app/\\[id\\]/page.tsx"},
            {"path": "lone/x(1).ts", "draftPattern": "lone/x\\(1\\).ts"},
            {"path": "top.txt", "draftPattern": "top.txt"},
        ])
    );
    let told = shop.context(&["src/payments/gatewayx/y"]);
    assert_eq!(told["suggestions"][0]["nearest"]["atomId"], json!(near));
    assert_ne!(deep, near);
}

#[test]
fn a_part_of_a_repository_asks_the_whole_of_it() {
    let shop = Shop::new();
    shop.atom("a", &["packages/web/src/**"]);
    shop.at(log(
        &[("c1", &["packages/web/src/a.ts"])],
        &["packages/web/src/a.ts"],
        false,
    ));
    shop.world
        .head
        .lock()
        .expect("whole")
        .as_mut()
        .expect("a commit")
        .within = "packages/web".to_owned();
    let told = shop.context(&["src/a.ts"]);
    assert_eq!(told["orphanAtoms"][0]["matchedPaths"], json!(["src/a.ts"]));
}

#[test]
fn g20_the_orchestrator_leaves_the_graph_as_it_is() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "k");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["src/**"], "moleculeId": molecule}));
    shop.append("atom", &atom, "x");
    let rows = || {
        let mut rows = Vec::new();
        reading(&shop.ctx, |store| {
            rows.clear();
            store.every(None, &mut |record| {
                if matches!(record, Record::Molecule(_) | Record::Atom(_) | Record::Changelog(_)) {
                    rows.push(record);
                }
                Ok(())
            })
        })
        .expect("read");
        rows
    };
    let before = rows();
    assert_eq!(before.len(), 3);
    let (project, task) = (shop.project, shop.task);
    let version = || shop.task_row().version;
    let other = shop.data(
        "manage_container",
        json!({"operation": "create", "containerType": "task", "projectId": project, "title": "t", "summary": "s", "priority": "LOW", "complexity": 1}),
    )["task"]["id"]
        .clone();
    for (tool, asked) in [
        (
            "manage_container",
            json!({"operation": "update", "containerType": "task", "id": task, "version": version(), "tags": "pay"}),
        ),
        (
            "manage_sections",
            json!({"operation": "add", "entityType": "TASK", "entityId": task, "title": "Context Files", "usageDescription": "u", "content": "src/a"}),
        ),
        ("get_next_task", json!({"projectId": project})),
        ("get_next_feature", json!({"projectId": project})),
        ("get_blocked_tasks", json!({"projectId": project})),
        (
            "manage_dependency",
            json!({"operation": "create", "fromId": task, "toId": other, "type": "BLOCKS"}),
        ),
        ("query_dependencies", json!({"containerType": "task", "id": task})),
        ("rename_tag", json!({"oldTag": "pay", "newTag": "money"})),
        ("list_tags", json!({})),
        ("query_templates", json!({"operation": "list"})),
        (
            "query_container",
            json!({"operation": "get", "containerType": "task", "id": task, "includeGraphContext": true}),
        ),
        (
            "manage_container",
            json!({"operation": "delete", "containerType": "task", "id": other}),
        ),
    ] {
        shop.data(tool, asked);
        assert_eq!(rows(), before, "{tool}");
    }
    for (tool, more) in [
        ("block", json!({"blockedBy": "NO_OP", "blockedReason": "r"})),
        ("unblock", json!({"blockedBy": "NO_OP"})),
        ("advance", json!({})),
        ("revert", json!({})),
        ("terminate", json!({})),
    ] {
        let mut asked = json!({"containerType": "task", "id": task, "version": version()});
        asked
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        shop.data(tool, asked);
        assert_eq!(rows(), before, "{tool}");
    }
}

#[test]
fn g19_graph_context_comes_with_a_task_that_is_fetched() {
    let shop = Shop::new();
    shop.atom("a", &["src/**"]);
    shop.section("Context Files", 0, "src/a.ts");
    let get = |more: Value| {
        let mut asked = json!({"operation": "get", "containerType": "task", "id": shop.task});
        asked
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        shop.data("query_container", asked)
    };
    assert_eq!(get(json!({})).get("graphContext"), None);
    let told = get(json!({"includeGraphContext": true}));
    assert_eq!(
        told["graphContext"]["orphanAtoms"][0]["matchedPaths"],
        json!(["src/a.ts"])
    );
    assert_eq!(told.get("sections"), None);
}

#[test]
fn d15_a_project_goes_with_its_graph() {
    let shop = Shop::new();
    let alone = project(&shop.ctx, "alone");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "projectId": alone}));
    shop.append("atom", &atom, "x");
    let told = shop.data(
        "manage_container",
        json!({"operation": "delete", "containerType": "project", "id": alone}),
    );
    assert_eq!(
        (&told["removed"]["atoms"], &told["removed"]["changelog"]),
        (&json!(1), &json!(1))
    );
    let molecule = shop.molecule("M", "");
    shop.atom_with(json!({"name": "b", "paths": ["b"], "moleculeId": molecule}));
    let delete = |cascade: bool| {
        shop.ask(
            "manage_container",
            json!({"operation": "delete", "containerType": "project", "id": shop.project, "cascade": cascade}),
        )
    };
    assert_eq!(delete(false)["error"], "HAS_CHILDREN");
    assert_eq!(delete(true)["success"], json!(true));
    let counts = reading(&shop.ctx, |store| store.counts()).expect("counted");
    assert_eq!(
        (counts.projects, counts.molecules, counts.atoms, counts.changelog),
        (0, 0, 0, 0)
    );
}
