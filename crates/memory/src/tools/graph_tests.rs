//! The tools of the graph over a store in memory: requests in, answers in their envelope out.

use serde_json::{Value, json};

use crate::graph::testing::{NOW, Shop, ask, project, task};
use crate::model::{Entity, Status};
use crate::store::{reading, writing};
use crate::testing::numbered;

/// The names of items.
fn names(list: &Value) -> Vec<String> {
    let items = list.as_array().expect("a list").iter();
    items
        .map(|item| item["name"].as_str().expect("a name").to_owned())
        .collect()
}

fn search(shop: &Shop, kind: &str, more: Value) -> Value {
    let mut asked = json!({"operation": "search", "entityType": kind, "projectId": shop.project});
    let (fields, more) = (
        asked.as_object_mut().expect("an object"),
        more.as_object().expect("an object").clone(),
    );
    fields.extend(more);
    shop.ask("query_graph", asked)
}

fn found(shop: &Shop, kind: &str, more: Value) -> Vec<String> {
    let told = search(shop, kind, more);
    assert_eq!(told["success"], json!(true), "{told}");
    names(&told["data"]["items"])
}

#[test]
fn g1_one_atom_comes_with_its_changelog_and_a_molecule_with_its_atoms() {
    let shop = Shop::new();
    let molecule = shop.molecule("Payment Domain", "idempotent");
    let two = shop.atom_with(json!({"name": "b", "paths": ["b"], "moleculeId": molecule}));
    shop.atom_with(json!({"name": "A", "paths": ["a"], "moleculeId": molecule}));
    shop.append("atom", &two, "first");
    shop.append("molecule", &molecule, "moved");
    let told = shop.ask(
        "query_graph",
        json!({"operation": "get", "entityType": "ATOM", "id": two}),
    );
    assert_eq!(told["message"], "Atom retrieved successfully");
    let atom = &told["data"]["atom"];
    assert_eq!(
        (&atom["name"], &atom["moleculeId"], &atom["version"]),
        (&json!("b"), &json!(molecule), &json!(1))
    );
    assert_eq!(
        told["data"]["changelog"],
        json!([{"taskId": shop.task, "summary": "first", "createdAt": NOW}])
    );
    let data = shop.get("molecule", &molecule);
    assert_eq!(data["molecule"]["knowledge"], "idempotent");
    assert_eq!(names(&data["atoms"]), ["A", "b"]);
    assert_eq!(data["atoms"][1]["changelog"][0]["summary"], "first");
    assert_eq!(data["changelog"][0]["summary"], "moved");
    for (asked, message) in [
        (
            json!({"operation": "get", "entityType": "atom"}),
            "id is required for get operation",
        ),
        (
            json!({"operation": "get", "id": two}),
            "entityType is required for get operation",
        ),
    ] {
        let told = shop.ask("query_graph", asked);
        assert_eq!(
            (&told["error"], &told["message"]),
            (&json!("VALIDATION_ERROR"), &json!(message))
        );
    }
    let gone = numbered(999);
    let told = shop.ask(
        "query_graph",
        json!({"operation": "get", "entityType": "atom", "id": gone}),
    );
    assert_eq!(told["message"], json!(format!("Atom not found: {gone}")));
    assert_eq!(told["error"], "NOT_FOUND");
}

#[test]
fn g2_searches_are_pages_of_a_project() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    for name in ["c", "a", "b"] {
        shop.atom(name, &[name]);
    }
    shop.atom_with(json!({"name": "d", "paths": ["d"], "moleculeId": molecule}));
    let told = search(&shop, "atom", json!({"limit": 2, "offset": "1"}));
    assert_eq!(told["message"], "Found 2 atom(s)");
    let data = &told["data"];
    assert_eq!(names(&data["items"]), ["b", "c"]);
    assert_eq!(
        (&data["count"], &data["limit"], &data["offset"], &data["hasMore"]),
        (&json!(2), &json!(2), &json!(1), &json!(true))
    );
    let all = search(&shop, "atom", json!({}));
    assert_eq!(
        (&all["data"]["count"], &all["data"]["limit"], &all["data"]["offset"]),
        (&json!(4), &json!(20), &json!(0))
    );
    assert_eq!(all["data"].get("hasMore"), None);
    assert_eq!(found(&shop, "atom", json!({"moleculeId": molecule})), ["d"]);
    assert_eq!(found(&shop, "atom", json!({"orphansOnly": true})), ["a", "b", "c"]);
    assert_eq!(found(&shop, "molecule", json!({})), ["M"]);
    let other = project(&shop.ctx, "other");
    assert_eq!(found(&shop, "atom", json!({"projectId": other})), [""; 0]);
}

#[test]
fn g6_changelogs_come_newest_first_and_can_be_left_out() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    for number in 1..=7 {
        shop.append("atom", &atom, &number.to_string());
    }
    let get = |more: Value| {
        let mut asked = json!({"operation": "get", "entityType": "atom", "id": atom});
        asked
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        shop.data("query_graph", asked)
    };
    let summaries = |data: &Value| {
        let entries = data["changelog"].as_array().expect("a list").iter();
        entries
            .map(|entry| entry["summary"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(summaries(&get(json!({}))), ["7", "6", "5", "4", "3"]);
    assert_eq!(summaries(&get(json!({"changelogLimit": 1}))), ["7"]);
    assert_eq!(get(json!({"includeChangelog": false})).get("changelog"), None);
    let items = search(&shop, "atom", json!({"changelogLimit": "2"}));
    assert_eq!(summaries(&items["data"]["items"][0]), ["7", "6"]);
}

#[test]
fn g7_what_is_made_begins_at_one_with_its_task() {
    let shop = Shop::new();
    let told = shop.ask(
        "manage_graph",
        json!({
            "operation": "create", "entityType": "atom", "projectId": shop.project, "name": "  Checkout ",
            "paths": "[\"src/**\"]", "knowledge": " k \n", "createdByTaskId": shop.task, "cascade": false,
        }),
    );
    assert_eq!(told["message"], "Atom created successfully");
    let atom = &told["data"]["atom"];
    let wanted = json!({
        "id": atom["id"], "projectId": shop.project, "moleculeId": null, "name": "Checkout", "paths": ["src/**"], "knowledge": "k",
        "relatedAtoms": [], "createdByTaskId": shop.task, "lastTaskId": shop.task, "version": 1, "createdAt": NOW, "updatedAt": NOW,
    });
    assert_eq!(atom, &wanted);
    for (missing, message) in [
        ("name", "name is required for create operation"),
        ("paths", "paths is required for create operation"),
        ("createdByTaskId", "createdByTaskId is required for create operation"),
    ] {
        let mut asked = json!({
            "operation": "create", "entityType": "atom", "projectId": shop.project, "name": "x", "paths": ["x"], "createdByTaskId": shop.task,
        });
        asked.as_object_mut().expect("an object").remove(missing);
        let told = shop.ask("manage_graph", asked);
        assert_eq!(
            (&told["error"], &told["message"]),
            (&json!("VALIDATION_ERROR"), &json!(message))
        );
    }
    // The project of the repository is meant where none is named.
    let told = shop.data(
        "manage_graph",
        json!({"operation": "create", "entityType": "molecule", "name": "m", "createdByTaskId": shop.task}),
    );
    assert_eq!(told["molecule"]["projectId"], json!(shop.project));
}

#[test]
fn g8_project_then_task_then_molecule_have_to_exist() {
    let shop = Shop::new();
    let (no_project, no_task, no_molecule) = (numbered(901), numbered(902), numbered(903));
    let create = |project: Value, task: Value, molecule: Value| {
        shop.ask(
            "manage_graph",
            json!({
                "operation": "create", "entityType": "atom", "name": "x", "paths": ["x"],
                "projectId": project, "createdByTaskId": task, "moleculeId": molecule,
            }),
        )
    };
    let all_wrong = create(json!(no_project), json!(no_task), json!(no_molecule));
    assert_eq!(all_wrong["message"], json!(format!("Project not found: {no_project}")));
    let two_wrong = create(json!(shop.project), json!(no_task), json!(no_molecule));
    assert_eq!(two_wrong["message"], json!(format!("Task not found: {no_task}")));
    let one_wrong = create(json!(shop.project), json!(shop.task), json!(no_molecule));
    assert_eq!(
        one_wrong["message"],
        json!(format!("Molecule not found: {no_molecule}"))
    );
    for told in [all_wrong, two_wrong, one_wrong] {
        assert_eq!(told["error"], "NOT_FOUND");
    }
    let other = project(&shop.ctx, "other");
    let molecule = shop.molecule("M", "");
    let told = create(json!(other), json!(shop.task), json!(molecule));
    assert_eq!(
        (&told["error"], &told["message"]),
        (
            &json!("INVARIANT_VIOLATION"),
            &json!("Atom and molecule must belong to the same project")
        )
    );
}

#[test]
fn g9_an_update_needs_the_version_that_was_read() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    let told = shop.update("atom", &atom, json!({"name": "b"}));
    assert_eq!(told["message"], "version is required for update operation");
    let told = shop.update(
        "atom",
        &atom,
        json!({"version": "1", "name": " b ", "paths": ["b/**"], "knowledge": "k"}),
    );
    let changed = &told["data"]["atom"];
    assert_eq!(
        (
            &changed["name"],
            &changed["paths"],
            &changed["knowledge"],
            &changed["version"]
        ),
        (&json!("b"), &json!(["b/**"]), &json!("k"), &json!(2))
    );
    let told = shop.update("atom", &atom, json!({"version": 1, "name": "c"}));
    assert_eq!(told["error"], "CONFLICT");
    assert_eq!(told["message"], "Version conflict: expected 1, current version is 2");
    assert_eq!(
        told["data"],
        json!({"currentVersion": 2, "expectedVersion": 1, "id": atom})
    );
    // What an operation does not use is passed over.
    let molecule = shop.molecule("M", "old");
    let told = shop.update(
        "molecule",
        &molecule,
        json!({"version": 1, "knowledge": "new", "paths": ["x"], "cascade": true}),
    );
    assert_eq!(
        (
            &told["data"]["molecule"]["knowledge"],
            &told["data"]["molecule"]["version"]
        ),
        (&json!("new"), &json!(2))
    );
    let told = shop.ask(
        "manage_graph",
        json!({"operation": "update", "entityType": "atom", "id": atom, "version": 2, "pathz": 1}),
    );
    assert_eq!(told["error"], "VALIDATION_ERROR");
    assert_eq!(told["hints"], json!(["`paths` is one"]));
}

#[test]
fn g10_appended_knowledge_says_when_and_for_which_task() {
    let shop = Shop::new();
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "knowledge": "old"}));
    let told = shop.update(
        "atom",
        &atom,
        json!({"version": 1, "knowledge": " new ", "knowledgeMode": "append", "lastTaskId": shop.task}),
    );
    let wanted = format!("old\n\n---[{NOW} task:{}]---\nnew", shop.task);
    assert_eq!(told["data"]["atom"]["knowledge"], json!(wanted));
    let long = "x".repeat(32_760);
    let told = shop.update(
        "atom",
        &atom,
        json!({"version": 2, "knowledge": long, "knowledgeMode": "append"}),
    );
    assert_eq!(told["error"], "VALIDATION_ERROR");
    assert_eq!(shop.get("atom", &atom)["atom"]["knowledge"], json!(wanted));
    assert_eq!(shop.get("atom", &atom)["atom"]["version"], 2);
    let told = shop.update(
        "atom",
        &atom,
        json!({"version": 2, "knowledge": "x", "knowledgeMode": "prepend"}),
    );
    assert_eq!(
        told["message"],
        "`knowledgeMode` is one of overwrite, append, not `prepend`"
    );
}

#[test]
fn g11_an_atom_goes_with_its_changelog() {
    let shop = Shop::new();
    let (atom, other) = (shop.atom("a", &["a"]), shop.atom("b", &["b"]));
    shop.append("atom", &atom, "x");
    shop.append("atom", &other, "y");
    let delete = |version: i64| {
        shop.ask(
            "manage_graph",
            json!({"operation": "delete", "entityType": "atom", "id": atom, "version": version}),
        )
    };
    assert_eq!(delete(7)["error"], "CONFLICT");
    let told = delete(1);
    assert_eq!(
        (&told["message"], &told["data"]),
        (&json!("Atom deleted successfully"), &json!({"deleted": true}))
    );
    assert_eq!(delete(1)["error"], "NOT_FOUND");
    let counts = reading(&shop.ctx, |store| store.counts()).expect("counted");
    assert_eq!((counts.atoms, counts.changelog), (1, 1));
}

#[test]
fn g12_without_cascade_atoms_stay_without_a_molecule() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule}));
    shop.append("atom", &atom, "stays");
    shop.append("molecule", &molecule, "goes");
    let told = shop.ask(
        "manage_graph",
        json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1}),
    );
    assert_eq!(told["data"], json!({"deleted": true, "orphanedAtoms": 1}));
    let data = shop.get("atom", &atom);
    assert_eq!(
        (&data["atom"]["moleculeId"], &data["atom"]["updatedAt"]),
        (&json!(null), &json!(NOW))
    );
    assert_eq!(data["changelog"][0]["summary"], "stays");
    let counts = reading(&shop.ctx, |store| store.counts()).expect("counted");
    assert_eq!((counts.molecules, counts.atoms, counts.changelog), (0, 1, 1));
}

#[test]
fn g13_with_cascade_atoms_go_too() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule}));
    shop.atom("b", &["b"]);
    shop.append("atom", &atom, "goes");
    let told = shop.ask(
        "manage_graph",
        json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1, "cascade": true}),
    );
    assert_eq!(told["data"], json!({"deleted": true, "removedAtoms": 1}));
    let counts = reading(&shop.ctx, |store| store.counts()).expect("counted");
    assert_eq!((counts.molecules, counts.atoms, counts.changelog), (0, 1, 0));
}

#[test]
fn g14_every_limit_has_two_sides() {
    let shop = Shop::new();
    let made = |fields: Value| {
        let mut asked = json!({
            "operation": "create", "entityType": "atom", "projectId": shop.project, "name": "x", "paths": ["x"], "createdByTaskId": shop.task,
        });
        asked
            .as_object_mut()
            .expect("an object")
            .extend(fields.as_object().expect("an object").clone());
        let told = shop.ask("manage_graph", asked);
        told["error"].as_str().unwrap_or("made").to_owned()
    };
    let patterns = |count: usize| json!((0..count).map(|at| format!("p{at}")).collect::<Vec<_>>());
    let related = |count: usize| {
        let id = shop.atom("r", &["r"]);
        json!(vec![json!({"atomId": id, "reason": "x"}); count])
    };
    for (field, fits, does_not) in [
        ("name", json!("é".repeat(255)), json!("é".repeat(256))),
        ("name", json!(" a "), json!("  ")),
        ("paths", patterns(20), patterns(21)),
        ("paths", json!(["p".repeat(512)]), json!(["p".repeat(513)])),
        ("knowledge", json!("k".repeat(32_768)), json!("k".repeat(32_769))),
        ("relatedAtoms", related(50), related(51)),
        (
            "relatedAtoms",
            json!([{"atomId": shop.atom("q", &["q"]), "reason": "r".repeat(500)}]),
            json!([{"atomId": shop.atom("q", &["q"]), "reason": "r".repeat(501)}]),
        ),
    ] {
        assert_eq!(made(json!({ field: fits })), "made", "{field}");
        assert_eq!(made(json!({ field: does_not })), "VALIDATION_ERROR", "{field}");
    }
    let atom = shop.atom("a", &["a"]);
    let summary = |text: String| {
        let asked = json!({"operation": "append", "parentType": "atom", "parentId": atom, "taskId": shop.task, "summary": text});
        shop.ask("manage_changelog", asked)["success"].clone()
    };
    assert_eq!(summary("s".repeat(4_096)), json!(true));
    assert_eq!(summary("s".repeat(4_097)), json!(false));
    assert_eq!(summary(" ".to_owned()), json!(false));
}

#[test]
fn g16_an_entry_names_its_parent_and_its_task() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    let told = shop.ask(
        "manage_changelog",
        json!({"operation": "append", "parentType": "atom", "parentId": atom, "taskId": shop.task, "summary": " s "}),
    );
    assert_eq!(told["message"], "Changelog entry created");
    let entry = &told["data"]["entry"];
    let wanted = json!({
        "id": entry["id"], "parentType": "atom", "parentId": atom, "taskId": shop.task, "summary": "s", "createdAt": NOW,
    });
    assert_eq!(entry, &wanted);
    let append = |kind: &str, parent: Value, task: Value| {
        shop.ask(
            "manage_changelog",
            json!({"operation": "append", "parentType": kind, "parentId": parent, "taskId": task, "summary": "s"}),
        )
    };
    let gone = numbered(900);
    assert_eq!(
        append("molecule", json!(atom), json!(shop.task))["message"],
        json!(format!("Molecule not found: {atom}"))
    );
    assert_eq!(
        append("atom", json!(atom), json!(gone))["message"],
        json!(format!("Task not found: {gone}"))
    );
    let told = shop.ask(
        "manage_changelog",
        json!({"operation": "append", "parentType": "atom", "parentId": atom, "summary": "s"}),
    );
    assert_eq!(told["message"], "taskId is required for append operation");
}

#[test]
fn g17_entries_are_neither_changed_nor_made_by_themselves() {
    let shop = Shop::new();
    let entries = || reading(&shop.ctx, |store| store.counts()).expect("counted").changelog;
    let molecule = shop.molecule("M", "");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule}));
    shop.update(
        "atom",
        &atom,
        json!({"version": 1, "knowledge": "k", "knowledgeMode": "append"}),
    );
    shop.update("molecule", &molecule, json!({"version": 1, "knowledge": "k"}));
    shop.ask(
        "graph_commit",
        json!({"taskId": shop.task, "atoms": [{"id": atom, "version": 2, "knowledge": "n"}]}),
    );
    assert_eq!(entries(), 0);
    for operation in ["update", "delete", "edit"] {
        let asked = json!({"operation": operation, "parentType": "atom", "parentId": atom});
        assert_eq!(shop.fault("manage_changelog", asked), "VALIDATION_ERROR");
    }
}

#[test]
fn g18_entries_come_newest_first_page_by_page() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    for number in 1..=3 {
        shop.append("atom", &atom, &number.to_string());
    }
    let told = shop.ask(
        "manage_changelog",
        json!({"operation": "search", "parentType": "atom", "parentId": atom, "limit": 2}),
    );
    assert_eq!(told["message"], "Found 2 changelog entry(ies)");
    let data = &told["data"];
    let summaries: Vec<&str> = data["entries"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["summary"].as_str())
        .collect();
    assert_eq!(summaries, ["3", "2"]);
    assert_eq!(
        (&data["count"], &data["limit"], &data["offset"], &data["hasMore"]),
        (&json!(2), &json!(2), &json!(0), &json!(true))
    );
    let all = shop.data(
        "manage_changelog",
        json!({"operation": "search", "parentType": "atom", "parentId": atom}),
    );
    assert_eq!((&all["count"], &all["limit"]), (&json!(3), &json!(20)));
}

#[test]
fn d2_missing_paths_are_bad_input_and_none_break_an_invariant() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    let told = shop.update("atom", &atom, json!({"version": 1, "paths": "[]"}));
    assert_eq!(told["error"], "INVARIANT_VIOLATION");
    assert_eq!(told["message"], "Atom must have at least one path pattern");
    let asked = json!({"operation": "create", "entityType": "atom", "projectId": shop.project, "name": "x", "createdByTaskId": shop.task});
    assert_eq!(shop.fault("manage_graph", asked), "VALIDATION_ERROR");
}

#[test]
fn d6_null_and_its_spellings_take_an_atom_out() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    for nothing in [json!(null), json!("null"), json!(""), json!(" ")] {
        let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule}));
        let told = shop.update("atom", &atom, json!({"version": 1, "moleculeId": nothing}));
        assert_eq!(told["data"]["atom"]["moleculeId"], json!(null));
    }
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule}));
    let told = shop.update("atom", &atom, json!({"version": 1, "name": "b"}));
    assert_eq!(told["data"]["atom"]["moleculeId"], json!(molecule));
    for wrong in [json!("none"), json!(7), json!(false)] {
        let told = shop.update("atom", &atom, json!({"version": 2, "moleculeId": wrong}));
        assert_eq!(
            (&told["error"], &told["data"]["field"]),
            (&json!("VALIDATION_ERROR"), &json!("moleculeId"))
        );
    }
}

#[test]
fn d7_appending_falls_back_to_the_task_that_is_stored() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    let told = shop.update(
        "atom",
        &atom,
        json!({"version": 1, "knowledge": "\n text \n", "knowledgeMode": "append"}),
    );
    assert_eq!(
        told["data"]["atom"]["knowledge"],
        json!(format!("---[{NOW} task:{}]---\ntext", shop.task))
    );
}

#[test]
fn d9_the_task_of_a_change_has_to_exist() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let atom = shop.atom("a", &["a"]);
    let gone = numbered(900);
    for (kind, id) in [("atom", &atom), ("molecule", &molecule)] {
        let told = shop.update(kind, id, json!({"version": 1, "name": "x", "lastTaskId": gone}));
        assert_eq!(told["message"], json!(format!("Task not found: {gone}")));
    }
    let asked =
        json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1, "lastTaskId": gone});
    assert_eq!(shop.fault("manage_graph", asked), "NOT_FOUND");
    assert_eq!(shop.get("atom", &atom)["atom"]["version"], 1);
}

#[test]
fn d13_atoms_that_lose_their_molecule_name_the_task() {
    let shop = Shop::new();
    let second = task(&shop.ctx, shop.project, "second");
    for (given, wanted) in [(Some(second), second), (None, shop.task)] {
        let molecule = shop.molecule("M", "");
        let other = task(&shop.ctx, shop.project, "third");
        let atom =
            shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule, "createdByTaskId": other}));
        let asked =
            json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1, "lastTaskId": given});
        shop.data("manage_graph", asked);
        assert_eq!(shop.get("atom", &atom)["atom"]["lastTaskId"], json!(wanted));
    }
}

#[test]
fn d14_an_atom_that_loses_its_molecule_has_a_new_version() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule}));
    shop.data(
        "manage_graph",
        json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1}),
    );
    assert_eq!(shop.get("atom", &atom)["atom"]["version"], 2);
}

#[test]
fn d16_what_does_not_exist_is_not_found() {
    let shop = Shop::new();
    let gone = numbered(900);
    for asked in [
        json!({"operation": "search", "entityType": "atom", "projectId": gone}),
        json!({"operation": "search", "entityType": "atom", "projectId": shop.project, "moleculeId": gone}),
        json!({"operation": "context", "projectId": gone, "paths": "a"}),
    ] {
        assert_eq!(shop.fault("query_graph", asked), "NOT_FOUND");
    }
    let asked = json!({"operation": "search", "parentType": "atom", "parentId": gone});
    assert_eq!(shop.fault("manage_changelog", asked), "NOT_FOUND");
}

#[test]
fn d17_limits_are_from_one_to_a_hundred() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    for (field, value) in [
        ("limit", 0),
        ("limit", 101),
        ("offset", -1),
        ("changelogLimit", 0),
        ("changelogLimit", 101),
    ] {
        let told = search(&shop, "atom", json!({ field: value }));
        assert_eq!(
            (&told["error"], &told["data"]["field"]),
            (&json!("VALIDATION_ERROR"), &json!(field))
        );
    }
    let asked = json!({"operation": "search", "parentType": "atom", "parentId": atom, "limit": -1});
    assert_eq!(shop.fault("manage_changelog", asked), "VALIDATION_ERROR");
    assert_eq!(found(&shop, "atom", json!({"limit": 100})), ["a"]);
}

#[test]
fn d18_every_word_has_to_occur() {
    let shop = Shop::new();
    shop.atom_with(json!({"name": "Webhook Handlers", "paths": ["a"], "knowledge": "retries with backoff"}));
    shop.atom_with(json!({"name": "Backoff", "paths": ["b"], "knowledge": "exponential"}));
    for (query, wanted) in [
        ("webhook backoff", vec!["Webhook Handlers"]),
        ("backoff", vec!["Backoff", "Webhook Handlers"]),
        ("\"with backoff\"", vec!["Webhook Handlers"]),
        ("\"backoff with\"", vec![]),
        ("webhook exponential", vec![]),
    ] {
        assert_eq!(found(&shop, "atom", json!({"query": query})), wanted, "{query}");
    }
}

#[test]
fn d19_letters_of_any_script_are_found_without_case() {
    let shop = Shop::new();
    shop.atom("école", &["a"]);
    shop.molecule("STRASSE", "");
    assert_eq!(found(&shop, "atom", json!({"query": "ÉCOLE"})), ["école"]);
    assert_eq!(found(&shop, "molecule", json!({"query": "straße"})), ["STRASSE"]);
}

#[test]
fn e16_what_is_related_exists_in_the_project_and_is_another() {
    let shop = Shop::new();
    let (one, two) = (shop.atom("a", &["a"]), shop.atom("b", &["b"]));
    let relate =
        |version: i64, related: Value| shop.update("atom", &one, json!({"version": version, "relatedAtoms": related}));
    let told = relate(
        1,
        json!([{"atomId": two.to_uppercase(), "reason": "calls"}, {"id": two, "reason": "again"}]),
    );
    assert_eq!(
        told["data"]["atom"]["relatedAtoms"],
        json!([{"atomId": two, "reason": "calls"}])
    );
    assert_eq!(relate(2, json!([{"atomId": one}]))["error"], "VALIDATION_ERROR");
    assert_eq!(relate(2, json!([{"atomId": "x"}]))["error"], "VALIDATION_ERROR");
    assert_eq!(relate(2, json!([{"atomId": numbered(900)}]))["error"], "NOT_FOUND");
    let other = project(&shop.ctx, "other");
    let foreign = shop.atom_with(json!({"name": "f", "paths": ["f"], "projectId": other}));
    assert_eq!(relate(2, json!([{"atomId": foreign}]))["error"], "INVARIANT_VIOLATION");
    shop.data(
        "manage_graph",
        json!({"operation": "delete", "entityType": "atom", "id": two, "version": 1}),
    );
    assert_eq!(shop.get("atom", &one)["atom"]["relatedAtoms"][0]["atomId"], json!(two));
    let told = relate(2, json!([{"atomId": two, "reason": "still"}]));
    assert_eq!(
        told["data"]["atom"]["relatedAtoms"],
        json!([{"atomId": two, "reason": "still"}])
    );
}

#[test]
fn e17_a_molecule_and_no_molecule_cannot_both_be_asked_for() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let told = search(&shop, "atom", json!({"moleculeId": molecule, "orphansOnly": true}));
    assert_eq!(told["error"], "VALIDATION_ERROR");
}

#[test]
fn e19_an_update_that_changes_nothing_counts() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    for version in 1..4 {
        let told = shop.update("atom", &atom, json!({"version": version, "name": "a"}));
        assert_eq!(told["data"]["atom"]["version"], json!(version + 1));
    }
    let told = shop.update("atom", &atom, json!({"version": 4}));
    assert_eq!(told["data"]["atom"]["version"], 5);
}

#[test]
fn e22_a_task_that_is_gone_stays_named() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["src/**"]);
    shop.append("atom", &atom, "x");
    writing(&shop.ctx, |store| store.remove_task(shop.task)).expect("removed");
    let data = shop.get("atom", &atom);
    assert_eq!(
        (&data["atom"]["createdByTaskId"], &data["changelog"][0]["taskId"]),
        (&json!(shop.task), &json!(shop.task))
    );
    assert_eq!(
        shop.context(&["src/x"])["orphanAtoms"][0]["changelog"][0]["taskId"],
        json!(shop.task)
    );
    let told = shop.update(
        "atom",
        &atom,
        json!({"version": 1, "knowledge": "k", "knowledgeMode": "append"}),
    );
    assert_eq!(told["success"], json!(true));
}

#[test]
fn amend1_words_are_parts_of_name_or_knowledge_and_nothing_in_them_has_a_meaning() {
    let shop = Shop::new();
    shop.atom_with(json!({"name": "Webhook", "paths": ["a"], "knowledge": "100% a_b c\\d"}));
    shop.atom_with(json!({"name": "other", "paths": ["b"], "knowledge": "axb 100"}));
    for (query, wanted) in [
        ("hook", vec!["Webhook"]),
        ("WEBHOOK 100%", vec!["Webhook"]),
        ("%", vec!["Webhook"]),
        ("_", vec!["Webhook"]),
        ("a_b", vec!["Webhook"]),
        ("\\", vec!["Webhook"]),
        ("  ", vec!["other", "Webhook"]),
        ("hook other", vec![]),
    ] {
        assert_eq!(found(&shop, "atom", json!({"query": query})), wanted, "{query}");
    }
    let told = search(&shop, "atom", json!({"query": "hook"}));
    assert_eq!(told["data"]["items"][0]["changelog"], json!([]));
    let told = search(&shop, "atom", json!({"query": "hook", "includeChangelog": false}));
    assert_eq!(told["data"]["items"][0].get("changelog"), None);
    let many = (0..33).map(|at| at.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(
        search(&shop, "atom", json!({"query": many}))["error"],
        "VALIDATION_ERROR"
    );
}

#[test]
fn amend2_relations_have_an_id_and_a_reason_and_ids_any_form() {
    let shop = Shop::new();
    let (one, two) = (shop.molecule("a", ""), shop.molecule("b", ""));
    let bare = two.replace('-', "").to_uppercase();
    let told = shop.update(
        "molecule",
        &one,
        json!({"version": 1, "relatedMolecules": [{"moleculeId": bare, "reason": "uses"}]}),
    );
    assert_eq!(
        told["data"]["molecule"]["relatedMolecules"],
        json!([{"moleculeId": two, "reason": "uses"}])
    );
    assert_eq!(&two[14..15], "7");
    let told = shop.ask(
        "query_graph",
        json!({"operation": "get", "entityType": "molecule", "id": format!("{{{bare}}}")}),
    );
    assert_eq!(told["data"]["molecule"]["id"], json!(two));
}

#[test]
fn amend3_rulings_that_were_left_open() {
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["a"], "moleculeId": molecule}));
    shop.data(
        "manage_graph",
        json!({"operation": "delete", "entityType": "molecule", "id": molecule, "version": 1}),
    );
    assert_eq!(shop.get("atom", &atom)["atom"]["version"], 2);
    let gone = numbered(900);
    assert_eq!(search(&shop, "atom", json!({"projectId": gone}))["error"], "NOT_FOUND");
    assert_eq!(
        search(&shop, "atom", json!({"limit": 101}))["error"],
        "VALIDATION_ERROR"
    );
    let told = search(&shop, "atom", json!({"moleculeId": molecule, "orphansOnly": true}));
    assert_eq!(told["error"], "VALIDATION_ERROR");
}

#[test]
fn amend4_the_project_stays_and_any_task_may_write() {
    let shop = Shop::new();
    let other = project(&shop.ctx, "other");
    let molecule = shop.molecule("M", "");
    let atom = shop.atom("a", &["a"]);
    for (kind, id) in [("atom", &atom), ("molecule", &molecule)] {
        let told = shop.update(kind, id, json!({"version": 1, "projectId": other}));
        assert_eq!(told["error"], "INVARIANT_VIOLATION");
        let told = shop.update(kind, id, json!({"version": 1, "projectId": shop.project}));
        assert_eq!(told["success"], json!(true));
    }
    for status in [Status::Closed, Status::WillNotImplement] {
        let mut row = shop.task_row();
        let read = row.version;
        row.status = status;
        row.version += 1;
        writing(&shop.ctx, |store| store.put_task(&row, Some(read))).expect("kept");
        shop.atom("b", &["b"]);
        shop.append("atom", &atom, "x");
    }
}

#[test]
fn what_the_graph_tells_has_no_snake_case() {
    fn keys(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                found.push(key.clone());
                keys(value, found);
            }),
            Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
            _ => {}
        }
    }
    let shop = Shop::new();
    let molecule = shop.molecule("M", "");
    let atom = shop.atom_with(json!({"name": "a", "paths": ["src/**"], "moleculeId": molecule}));
    shop.append("atom", &atom, "x");
    let mut found = Vec::new();
    for told in [
        shop.get("atom", &atom),
        shop.get("molecule", &molecule),
        shop.context(&["src/a", "b"]),
        search(&shop, "atom", json!({})),
        shop.data(
            "graph_commit",
            json!({"taskId": shop.task, "molecules": [{"ref": "x", "name": "n"}]}),
        ),
    ] {
        keys(&told, &mut found);
    }
    assert!(found.len() > 50);
    assert!(found.iter().all(|key| !key.contains('_')), "{found:?}");
}

#[test]
fn no_argument_breaks_the_envelope() {
    let shop = Shop::new();
    let atom = shop.atom("a", &["a"]);
    let odd = [
        json!(null),
        json!(7),
        json!(-1.5),
        json!(true),
        json!("x"),
        json!([]),
        json!([null]),
        json!({}),
        json!("\u{0}"),
        json!(atom),
    ];
    let fields = [
        "operation",
        "entityType",
        "id",
        "projectId",
        "paths",
        "query",
        "limit",
        "version",
        "name",
        "knowledge",
        "moleculeId",
        "relatedAtoms",
        "taskId",
        "atoms",
        "confirm",
        "changelog",
        "parentId",
    ];
    for tool in ["query_graph", "manage_graph", "manage_changelog", "graph_commit"] {
        for operation in ["get", "search", "context", "create", "update", "delete", "append"] {
            for field in fields {
                for value in &odd {
                    let mut asked = json!({"operation": operation, "entityType": "atom", "projectId": shop.project, "id": atom, "version": 1, "name": "n", "paths": ["p"], "createdByTaskId": shop.task});
                    if tool == "manage_changelog" {
                        asked = json!({"operation": operation, "parentType": "atom", "parentId": atom, "taskId": shop.task, "summary": "s"});
                    }
                    if tool == "graph_commit" {
                        asked = json!({"taskId": shop.task, "atoms": [{"name": "n", "paths": ["p"]}]});
                    }
                    asked[field] = value.clone();
                    let told = ask(&shop.ctx, tool, asked.clone());
                    assert!(
                        told["success"].is_boolean() && told["message"].is_string(),
                        "{tool} {asked} {told}"
                    );
                    assert_ne!(told["error"], "INTERNAL_ERROR", "{tool} {asked} {told}");
                }
            }
        }
    }
}

#[test]
fn entities_of_the_orchestrator_are_no_atoms() {
    let shop = Shop::new();
    let sections = reading(&shop.ctx, |store| store.sections(Entity::task(shop.task))).expect("read");
    assert!(sections.is_empty());
    let asked = json!({"operation": "get", "entityType": "task", "id": shop.task});
    assert_eq!(shop.fault("query_graph", asked), "VALIDATION_ERROR");
}
