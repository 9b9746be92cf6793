//! Registries that are judged, in a world in memory.

use lore_ckgp::registry_store::store::Registry;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use lore_model::NoProgress;
use serde_json::{Value as Json, json};

use super::super::testing::*;
use super::*;
use crate::render::{Options, render};
use lore_seam::WebReply;
use lore_seam::world::World;

/// What a registry with some entries publishes, by path.
fn published() -> BTreeMap<String, String> {
    let world = made(bare(&[]));
    visited(&world, "octo/hello", "generic@1", BODY);
    visited(&world, "Acme/shop", "ccg@1", "{\"a\":1}");
    add(&world, &["octo/new", "gitlab.com/a/b/c"]);
    let ctx = world.ctx();
    reading(ctx.port::<dyn Registry>(), |store| {
        render(
            store,
            ctx.ports.files.as_ref(),
            "out",
            Options::default(),
            &NoProgress,
            &ctx.cancel,
        )
    })
    .unwrap();
    let written = world.written.lock().unwrap();
    let texts = written.iter().filter(|(path, _)| path.ends_with(".json"));
    texts
        .map(|(path, bytes)| (path.clone(), String::from_utf8_lossy(bytes).into_owned()))
        .collect()
}

const BODY: &str = r#"{"metadata": {"tool": "t"}, "nodes": [{"id": "a"}], "edges": []}"#;
const GRAPH: &str = "https://raw.githubusercontent.com/octo/hello/HEAD/generic@1.json";

/// What is said of it after a document was changed.
fn judged(path: &str, change: impl Fn(&mut Json)) -> String {
    let mut files = published();
    let whole = format!("out/{path}");
    let mut document: Json = serde_json::from_str(&files[&whole]).unwrap();
    change(&mut document);
    files.insert(whole, document.to_string());
    asked::<RegistryVerify, _>(&World::of_files(files), json!({"place": "out"}))
}

/// The lines of findings.
fn findings(told: &str) -> Vec<&str> {
    let is_finding = |line: &&str| {
        ["A1 ", "A2 ", "A3 ", "A4 ", "A6 ", "R2 "]
            .iter()
            .any(|clause| line.starts_with(clause))
    };
    told.lines().filter(is_finding).collect()
}

#[test]
fn a1_what_is_rendered_here_has_nothing_wrong() {
    let told = asked::<RegistryVerify, _>(&World::of_files(published()), json!({"place": "out/"}));
    assert!(told.starts_with("Yes\nregistry.json: 4 entries, "), "{told}");
    assert!(told.contains(".well-known/repos.json: 2 entries, "), "{told}");
    assert!(told.ends_with("out/: nothing is wrong\n"), "{told}");
}

#[test]
fn a1_entries_are_in_order_and_each_once() {
    let told = judged("registry.json", |document| {
        document["entries"].as_array_mut().unwrap().reverse();
    });
    assert_eq!(
        findings(&told),
        ["A1 registry.json octo/hello: entries are not sorted by id: it follows octo/new"]
    );
    let told = judged("registry.json", |document| {
        let entries = document["entries"].as_array_mut().unwrap();
        let mut again = entries[0].clone();
        again["id"] = json!("acme/SHOP");
        again["owner"] = json!("acme");
        again["repo"] = json!("SHOP");
        entries.insert(1, again);
    });
    assert_eq!(findings(&told), ["A1 registry.json acme/SHOP: duplicate entry"]);
    let told = judged("registry.json", |document| document["schema_version"] = json!(2));
    assert!(
        findings(&told)[0].starts_with("A1 registry.json /schema_version: "),
        "{told}"
    );
}

#[test]
fn a2_owner_name_address_status_and_sums_are_as_they_have_to_be() {
    for (field, value, expected) in [
        (
            "owner",
            json!("other"),
            "A2 registry.json Acme/shop: owner is other, but the id has Acme",
        ),
        (
            "status",
            json!("fine"),
            "A2 registry.json Acme/shop: unknown status fine",
        ),
        (
            "graph_url",
            json!("http://a.example/g"),
            "A1 registry.json /entries/0/graph_url: ",
        ),
        ("last_sha", json!("abc"), "A1 registry.json /entries/0/last_sha: "),
        (
            "status",
            json!("missing"),
            "A2 registry.json Acme/shop: nodes_count is set, but the graph is not ok",
        ),
        (
            "commits_behind",
            json!(3),
            "R2 registry.json Acme/shop: head_sha or commits_behind is set without source_sha",
        ),
        ("id", json!("nonsense"), "A2 registry.json nonsense: invalid id"),
    ] {
        let told = judged("registry.json", |document| {
            document["entries"][0][field] = value.clone()
        });
        assert!(told.starts_with("No\n"), "{told}");
        assert!(
            findings(&told).iter().any(|line| line.starts_with(expected)),
            "{field}: {told}"
        );
    }
    let told = judged("registry.json", |document| {
        document["entries"][0].as_object_mut().unwrap().remove("miss_count");
    });
    assert_eq!(
        findings(&told),
        ["A1 registry.json /entries/0: \"miss_count\" is a required property"]
    );
}

#[test]
fn a3_the_short_list_agrees_with_the_whole_one_and_says_nothing_of_its_running() {
    let told = judged(repos::PATH, |document| document["repos"][0]["miss_count"] = json!(0));
    assert!(
        findings(&told)[0].contains("miss_count is internal and must not be published"),
        "{told}"
    );
    let told = judged(repos::PATH, |document| {
        document["repos"][0]["graph_url"] = json!("https://evil.example/g.json");
    });
    assert!(findings(&told)[0].starts_with("A3 .well-known/repos.json Acme/shop: differs from registry.json: graph_url is https://evil.example/g.json, but "), "{told}");
    let told = judged(repos::PATH, |document| {
        document["repos"].as_array_mut().unwrap().remove(0);
    });
    assert_eq!(
        findings(&told),
        ["A3 .well-known/repos.json Acme/shop: not listed, but ok in registry.json"]
    );
    let told = judged(repos::PATH, |document| {
        document["repos"][0]["id"] = json!("acme/shops");
    });
    assert_eq!(
        findings(&told),
        [
            "A3 .well-known/repos.json acme/shops: missing in registry.json",
            "A3 .well-known/repos.json Acme/shop: not listed, but ok in registry.json"
        ]
    );
}

#[test]
fn a4_documents_that_are_missing_or_no_json_are_findings() {
    let mut files = published();
    files.remove("out/.well-known/code-graph-registry.json");
    files.insert("out/stats.json".to_owned(), "{".to_owned());
    let told = asked::<RegistryVerify, _>(&World::of_files(files.clone()), json!({"place": "out"}));
    assert_eq!(findings(&told).len(), 2, "{told}");
    assert!(findings(&told)[0].starts_with("A4 .well-known/code-graph-registry.json: missing"));
    assert!(findings(&told)[1].starts_with("A6 stats.json: not JSON: "));
    // The place that it had before is read, with a remark.
    let own = published().remove("out/.well-known/code-graph-registry.json").unwrap();
    files.insert("out/.well-known/code-graph.json".to_owned(), own);
    let told = asked::<RegistryVerify, _>(&World::of_files(files), json!({"place": "out"}));
    assert_eq!(findings(&told).len(), 1, "{told}");
    assert!(
        told.contains("note: the service document is at .well-known/code-graph.json"),
        "{told}"
    );
    let nowhere = World::of_files([("out/x", "")]);
    let told = asked::<RegistryVerify, _>(&nowhere, json!({"place": "out"}));
    assert_eq!(findings(&told).len(), 4, "{told}");
    assert!(
        asked::<RegistryVerify, _>(&nowhere, json!({"place": "none"}))
            .starts_with("! Unavailable: none is not a directory")
    );
    let told = asked::<RegistryVerify, _>(&nowhere, json!({"place": "http://reg.example"}));
    assert!(
        told.starts_with("! Invalid: http://reg.example is not contacted: "),
        "{told}"
    );
}

#[test]
fn many_findings_are_counted_and_a_hundred_are_told() {
    let told = judged("registry.json", |document| {
        document["entries"] = (0..300)
            .map(|number| json!({"id": format!("o/r{number:03}")}))
            .collect();
    });
    assert_eq!(findings(&told).len(), 100);
    assert!(told.contains(" findings more\n"), "{told}");
}

/// The registry behind an address, with a graph that answers so.
fn served(body: &str, status: u16) -> Arc<World> {
    let reply = |status: u16, body: &str| {
        vec![Ok(WebReply {
            status,
            body: body.as_bytes().to_vec(),
            ..WebReply::default()
        })]
    };
    let pages = published().into_iter().map(|(path, text)| {
        let path = path.trim_start_matches("out/").to_owned();
        (format!("https://reg.example/r/{path}"), reply(200, &text))
    });
    let mut pages: BTreeMap<_, _> = pages.collect();
    pages.insert(GRAPH.to_owned(), reply(status, body));
    Arc::new(World {
        replies: Mutex::new(pages),
        ..World::default()
    })
}

#[test]
fn c7_a_body_that_is_another_one_is_newer_than_the_index_and_no_fault() {
    let ask =
        |world: &Arc<World>| asked::<RegistryVerify, _>(world, json!({"place": "https://reg.example/r", "bodies": 5}));
    let same = ask(&served(BODY, 200));
    assert!(
        same.contains("graphs: 1 fetched, 1 as the registry saw them, 0 newer"),
        "{same}"
    );
    assert_eq!(findings(&same).len(), 1, "{same}");
    assert!(
        findings(&same)[0]
            .starts_with("A2 registry.json Acme/shop: the status is ok, but the graph is not available: "),
        "{same}"
    );
    let newer = ask(&served(&BODY.replace("\"a\"", "\"b\""), 200));
    assert!(
        newer.contains("graphs: 1 fetched, 0 as the registry saw them, 1 newer"),
        "{newer}"
    );
    assert!(
        newer.contains("note: octo/hello: its graph is newer than the index"),
        "{newer}"
    );
    assert_eq!(findings(&newer).len(), 1, "{newer}");
    let bad = ask(&served("[]", 200));
    assert!(
        bad.contains("P2 registry.json octo/hello: the status is ok, but the graph is invalid: "),
        "{bad}"
    );
    let down = ask(&served("", 503));
    assert!(down.contains("1 could not be asked for"), "{down}");
}
