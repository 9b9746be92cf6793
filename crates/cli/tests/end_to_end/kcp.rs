//! `lore unit` and knowledge over `lore mcp`: from the files of a repository to what a user and an agent get.

use lore_testing::Conversation;
use serde_json::{Value, json};

use crate::mcp::{call, error, talk_to, text};
use crate::support::Sample;

const MANIFEST: &str = r#"kcp_version: "0.14"
project: Garden Shop
version: 1.0.0
auth:
  methods:
    - type: api_key
      header: X-Key
units:
  - id: overview
    path: README.md
    intent: What does the shop sell?
    scope: global
    audience: [human, agent]
    triggers: [catalogue]
    indexing: open
  - id: prices
    path: docs/prices.md
    intent: How are prices made?
    scope: module
    audience: [human]
    access: restricted
    auth_scope: finance
    depends_on: [overview]
"#;

fn shop() -> Sample {
    let sample = Sample::new();
    let root = sample.root();
    std::fs::create_dir(root.join("docs")).expect("made");
    std::fs::write(root.join("docs/prices.md"), "# Prices\n\nThe margin is 7.\n").expect("written");
    std::fs::write(root.join("knowledge.yaml"), MANIFEST).expect("written");
    sample
}

#[test]
fn a_first_manifest_is_valid_found_and_synchronised() {
    let sample = Sample::new();
    let outcome = sample.lore(&["unit", "init", "--level", "3"]);
    assert_eq!(outcome.code, 0, "{outcome}");
    let outcome = sample.lore(&["unit", "validate", "--json"]);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(
        (&report["valid"], &report["errors"], &report["warnings"]),
        (&json!(true), &json!([]), &json!([]))
    );
    let before = std::fs::read(sample.root().join("knowledge.yaml")).expect("there");
    assert_eq!(sample.lore(&["unit", "init"]).code, 1, "it is not replaced");
    assert_eq!(sample.lore(&["unit", "sync", "--check"]).code, 0);
    assert_eq!(
        std::fs::read(sample.root().join("knowledge.yaml")).expect("there"),
        before
    );
    let outcome = sample.lore(&["unit", "query", "--json"]);
    let answer: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(answer["results"].as_array().map(Vec::len), Some(1), "{outcome}");
}

#[test]
fn what_cannot_be_parsed_is_told_with_its_place() {
    let sample = shop();
    std::fs::write(sample.root().join("broken.yaml"), "a: [").expect("written");
    let outcome = sample.lore(&["unit", "validate", "broken.yaml", "--json"]);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!((outcome.code, &report["valid"]), (1, &json!(false)));
    assert_eq!(report["errors"][0]["code"], "parse-yaml");
    assert_eq!(report["errors"][0]["path"], "broken.yaml");
}

#[test]
fn a40_search_knowledge_tells_the_results_alone_as_text_and_all_of_it_structured() {
    let sample = shop();
    let replies = talk_to(
        &sample,
        &["mcp"],
        &[
            call(1, "search_knowledge", json!({"query": "which catalogue is there?"})),
            call(2, "search_knowledge", json!({"query": "margin", "audience": "agent"})),
        ],
    );
    let results: Value = serde_json::from_str(text(&replies[&1])).expect("JSON");
    assert_eq!(results, replies[&1]["result"]["structuredContent"]["results"]);
    assert_eq!(results[0]["unit_id"], "overview");
    assert_eq!(results[0]["match_reason"], json!(["trigger"]));
    assert_eq!(results[0]["source_manifest"], Value::Null);
    for field in ["score", "path", "token_estimate", "summary_unit", "source_manifest"] {
        assert!(results[0].get(field).is_some(), "{field}");
    }
    assert_eq!(results[0]["uri"], "knowledge://garden-shop/overview");
    assert_eq!(text(&replies[&2]), "[]");
    assert!(
        replies[&2]["result"]
            .get("isError")
            .is_none_or(|is_error| is_error == false)
    );
}

#[test]
fn s7_no_surface_opens_what_may_not_be_read() {
    let sample = shop();
    let read = |uri: &str| json!({"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": {"uri": uri}});
    let requests = [
        call(1, "get_unit", json!({"unit_id": "overview"})),
        call(2, "get_unit", json!({"unit_id": "prices"})),
        call(3, "unit_show", json!({"id": "prices", "content": true})),
        call(4, "get_unit", json!({"unit_id": "prices", "scope_held": ["finance"]})),
        read("knowledge://garden-shop/prices"),
        call(6, "source", json!({"target": "docs/prices.md"})),
        call(7, "show", json!({"target": "docs/prices.md", "source": true})),
        json!({"jsonrpc": "2.0", "id": 8, "method": "resources/read", "params": {"uri": "lore://source/docs/prices.md"}}),
        call(9, "source", json!({"target": "README.md"})),
    ];
    let replies = talk_to(&sample, &["mcp"], &requests);
    assert!(text(&replies[&1]).contains("A sample repository."), "{}", replies[&1]);
    assert_eq!(error(&replies[&2])["kind"], "refused");
    assert_eq!(
        error(&replies[&4])["kind"],
        "invalid",
        "an agent does not say who it is"
    );
    assert_eq!(error(&replies[&6])["kind"], "refused");
    assert!(text(&replies[&9]).contains("A sample repository."), "{}", replies[&9]);
    for reply in replies.values() {
        assert!(!reply.to_string().contains("margin"), "{reply}");
    }
    let outcome = sample.lore(&["unit", "get", "prices"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{outcome}");
    let outcome = sample.lore(&["unit", "get", "prices", "--scope-held", "finance"]);
    assert!(outcome.code == 0 && outcome.stdout.contains("margin"), "{outcome}");
}

#[test]
fn m8_a_server_of_knowledge_alone_is_called_after_it_and_needs_a_valid_manifest() {
    let sample = shop();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/list"});
    let replies = talk_to(&sample, &["mcp", "--tools", "unit", "--agent-only"], &[list]);
    assert_eq!(replies[&0]["result"]["serverInfo"]["name"], "kcp-garden-shop");
    let resources = replies[&1]["result"]["resources"].as_array().expect("resources");
    let uris: Vec<&str> = resources
        .iter()
        .filter_map(|resource| resource["uri"].as_str())
        .collect();
    assert_eq!(
        uris[4..],
        ["knowledge://garden-shop/manifest", "knowledge://garden-shop/overview"]
    );
    let overview = &resources[5];
    assert_eq!(overview["annotations"]["audience"], json!(["assistant", "user"]));
    assert_eq!(overview["annotations"]["priority"], 1.0);
    std::fs::write(sample.root().join("knowledge.yaml"), "project: x\nunits: []\n").expect("written");
    let outcome = sample.lore(&["mcp", "--tools", "unit"]);
    assert_eq!(outcome.code, 2, "{outcome}");
    assert!(outcome.stderr.contains("`units` is empty"), "{outcome}");
}

#[test]
fn m11_a_client_is_told_when_the_list_of_resources_changes() {
    let sample = shop();
    let mut client = Conversation::start(&mut sample.command(&["mcp"]));
    let next = |client: &mut Conversation| -> Value { serde_json::from_str(&client.hear()).expect("JSON") };
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
    client.say(hello);
    assert_eq!(
        next(&mut client)["result"]["capabilities"]["resources"]["listChanged"],
        true
    );
    client.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    // The file changes right behind the answer, most often before the server has looked at it for the first time.
    client.say(json!({"jsonrpc": "2.0", "id": 1, "method": "resources/list"}));
    assert_eq!(next(&mut client)["id"], 1);
    std::fs::write(
        sample.root().join("knowledge.yaml"),
        MANIFEST.replace("id: prices", "id: costs"),
    )
    .expect("written");
    assert_eq!(next(&mut client)["method"], "notifications/resources/list_changed");
    assert_eq!(client.finish().0.code(), Some(0));
}

#[test]
fn units_are_joined_with_code_in_one_query() {
    let sample = shop();
    let query = "SELECT ?id ?language { GRAPH <repo:units> { ?unit kcp:id ?id ; kcp:document ?file } ?file narsil:language ?language } ORDER BY ?id";
    let outcome = sample.lore(&["query", query, "--format", "csv"]);
    assert_eq!(
        outcome.stdout.replace('\r', ""),
        "id,language\noverview,markdown\nprices,markdown\n",
        "{outcome}"
    );
}
