//! Everything at once, or nothing.

use serde_json::json;

use crate::graph::testing::{NOW, Shop};
use crate::store::reading;
use crate::testing::numbered;

#[test]
fn l12_everything_is_written_at_once_and_new_things_name_each_other() {
    let shop = Shop::new();
    let old = shop.atom_with(json!({"name": "old", "paths": ["old/**"], "knowledge": "was"}));
    let gone = shop.atom("gone", &["gone/**"]);
    let told = shop.ask("graph_commit", json!({
        "taskId": shop.task,
        "molecules": [{"ref": "pay", "name": "Payment Domain", "knowledge": "k"}],
        "atoms": [
            {"ref": "hooks", "name": "Webhooks", "paths": ["src/hooks/**"], "moleculeId": "ref:pay", "relatedAtoms": [{"atomId": "ref:retry", "reason": "uses"}]},
            {"ref": "retry", "name": "Retry", "paths": "[\"src/retry.ts\"]", "moleculeId": null},
            {"id": old, "version": "1", "knowledge": "is", "knowledgeMode": "append", "moleculeId": "ref:pay"},
        ],
        "changelog": [{"parentType": "atom", "parentId": "ref:hooks", "summary": "made"}, {"parentType": "atom", "parentId": old, "summary": "moved"}],
        "removeAtoms": [{"id": gone, "version": 1}],
    }));
    assert_eq!(told["success"], json!(true), "{told}");
    assert_eq!(
        told["message"],
        "Graph committed: 1 molecule(s), 3 atom(s), 2 changelog entry(ies), 0 confirmed"
    );
    let data = &told["data"];
    let (hooks, retry, pay) = (&data["refs"]["hooks"], &data["refs"]["retry"], &data["refs"]["pay"]);
    assert_eq!(data["atoms"][0]["id"], *hooks);
    assert_eq!(
        data["atoms"][0]["relatedAtoms"],
        json!([{"atomId": retry, "reason": "uses"}])
    );
    assert_eq!(data["atoms"][0]["moleculeId"], *pay);
    assert_eq!(
        data["atoms"][2]["knowledge"],
        json!(format!("was\n\n---[{NOW} task:{}]---\nis", shop.task))
    );
    assert_eq!(
        (&data["atoms"][2]["version"], &data["atoms"][2]["moleculeId"]),
        (&json!(2), pay)
    );
    assert_eq!(data["entries"][0]["parentId"], *hooks);
    assert_eq!(data["removed"], json!([gone]));
    assert_eq!(data["confirmed"], json!([]));
}

#[test]
fn l12_one_fault_and_nothing_is_written_and_all_faults_are_told() {
    let shop = Shop::new();
    let old = shop.atom("old", &["old/**"]);
    let counts = || reading(&shop.ctx, |store| store.counts()).expect("counted");
    let before = counts();
    let nobody = numbered(900);
    let told = shop.ask(
        "graph_commit",
        json!({
            "taskId": shop.task,
            "molecules": [{"name": "M"}],
            "atoms": [
                {"id": old, "version": 7, "knowledge": "x"},
                {"name": "n", "paths": ["/abs"]},
                {"name": "fine", "paths": ["fine/**"]},
                {"name": "m", "paths": ["m"], "moleculeId": "ref:nothing"},
            ],
            "changelog": [{"parentType": "atom", "parentId": nobody, "summary": "s"}],
        }),
    );
    assert_eq!(
        (&told["success"], &told["error"]),
        (&json!(false), &json!("VALIDATION_ERROR"))
    );
    let faults = &told["data"]["faults"];
    let faults: Vec<(&str, &str)> = faults
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| Some((it["at"].as_str()?, it["code"].as_str()?)))
        .collect();
    assert_eq!(
        faults,
        [
            ("atoms[1]", "VALIDATION_ERROR"),
            ("atoms[3]", "VALIDATION_ERROR"),
            ("atoms[0]", "CONFLICT"),
            ("changelog[0]", "NOT_FOUND")
        ]
    );
    assert_eq!(told["data"]["faults"][2]["currentVersion"], 1);
    assert_eq!(counts(), before);
    assert_eq!(shop.get("atom", &old)["atom"]["version"], 1);
}

#[test]
fn l12_bounds_of_a_commit() {
    let shop = Shop::new();
    let old = shop.atom("old", &["old/**"]);
    let twice = json!([{"id": old, "version": 1, "name": "a"}, {"id": old, "version": 2, "name": "b"}]);
    for (asked, wanted) in [
        (json!({"taskId": shop.task}), "VALIDATION_ERROR"),
        (
            json!({"taskId": numbered(900), "atoms": [{"name": "a", "paths": ["a"]}]}),
            "NOT_FOUND",
        ),
        (json!({"taskId": shop.task, "atoms": twice}), "VALIDATION_ERROR"),
        (
            json!({"taskId": shop.task, "atoms": [{"name": "a", "paths": ["a"], "colour": 1}]}),
            "VALIDATION_ERROR",
        ),
        (
            json!({"taskId": shop.task, "atoms": [{"ref": "x", "name": "a", "paths": ["a"]}, {"ref": "x", "name": "b", "paths": ["b"]}]}),
            "VALIDATION_ERROR",
        ),
        (
            json!({"taskId": shop.task, "atoms": vec![json!({"name": "a", "paths": ["a"]}); 201]}),
            "VALIDATION_ERROR",
        ),
        (json!({"taskId": shop.task, "confirm": [old]}), "INVALID_OPERATION"),
        (
            json!({"taskId": shop.task, "projectId": numbered(901), "atoms": [{"name": "a", "paths": ["a"]}]}),
            "NOT_FOUND",
        ),
        (json!({"atoms": []}), "VALIDATION_ERROR"),
    ] {
        assert_eq!(shop.fault("graph_commit", asked.clone()), wanted, "{asked}");
    }
    let fits = json!({"taskId": shop.task, "atoms": vec![json!({"name": "a", "paths": ["a"]}); 200]});
    assert_eq!(
        shop.data("graph_commit", fits)["atoms"].as_array().map(Vec::len),
        Some(200)
    );
}

#[test]
fn w5_what_a_task_taught_takes_one_call() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["src/**"], "moleculeId": molecule}));
    // As single calls: the molecule, the atom, a new atom, its relation and two entries would be six.
    let told = shop.data("graph_commit", json!({
        "taskId": shop.task,
        "molecules": [{"id": molecule, "version": 1, "knowledge": "k"}],
        "atoms": [
            {"id": atom, "version": 1, "knowledge": "k", "relatedAtoms": [{"atomId": "ref:n", "reason": "uses"}]},
            {"ref": "n", "name": "n", "paths": ["new/**"]},
        ],
        "changelog": [{"parentType": "atom", "parentId": atom, "summary": "a"}, {"parentType": "molecule", "parentId": molecule, "summary": "b"}],
    }));
    let counts = ["molecules", "atoms", "entries"].map(|list| told[list].as_array().map_or(0, Vec::len));
    assert_eq!(counts, [1, 2, 2]);
}
