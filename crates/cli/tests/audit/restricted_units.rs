//! Restricted units stay unreadable at every revision and in derived text (F6).

use std::collections::BTreeMap;

use lore_testing::Conversation;
use serde_json::{Value, json};

use crate::world::World;

const MANIFEST: &str = r#"kcp_version: "0.14"
project: Shop
version: 1.0.0
auth:
  methods:
    - type: api_key
      header: X-Key
units:
  - id: secret
    path: src/secret.py
    intent: How are prices made?
    scope: module
    audience: [human]
    access: restricted
    auth_scope: finance
"#;

/// What an agent must never be shown.
const WITHHELD: &[&str] = &["margin_is_seven", "MARGIN_DOC", "default_margin", "BODY_LINE"];

fn secret(more: &str) -> String {
    format!(
        "\"\"\"MARGIN_DOC of the module.\"\"\"\nMARGIN = \"margin_is_seven\"\n\n\n\
         def hidden(rate=\"default_margin\"):\n    \"\"\"MARGIN_DOC of the function.\"\"\"\n    return \"BODY_LINE\"\n{more}"
    )
}

/// Calls tools of `lore mcp`; the answers by their numbers, from one.
fn call(world: &World, calls: &[(&str, Value)]) -> BTreeMap<u64, String> {
    let mut server = Conversation::start(&mut world.command_in(&world.repo(), &["mcp", "--tools", "code,ccg,unit"]));
    server.say(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}));
    server.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for (number, (name, arguments)) in (1..).zip(calls) {
        server.say(json!({"jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}}));
    }
    let mut told = BTreeMap::new();
    while told.len() < calls.len() {
        let line = server.hear();
        let reply: Value = serde_json::from_str(&line).expect("JSON");
        if let Some(number) = reply["id"].as_u64().filter(|number| *number > 0) {
            told.insert(number, line);
        }
    }
    server.finish();
    told
}

/// Every tool that shows something of symbols or files, at a revision or now.
fn questions(revision: Option<&str>) -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    let mut add = |name: &'static str, mut arguments: Value| {
        if let Some(revision) = revision {
            arguments["at"] = json!(revision);
        }
        calls.push((name, arguments));
    };
    for target in ["hidden", "src/secret.py", "old/name.py"] {
        add("source", json!({"target": target}));
        add("show", json!({"target": target, "source": true}));
        add("show", json!({"target": target}));
        add("callers", json!({"target": target}));
    }
    for query in ["hidden", "MARGIN", "margin_is_seven"] {
        add("find", json!({"query": query}));
    }
    for path in ["", "src", "src/secret.py", "old/name.py"] {
        add("outline", json!({"path": path}));
    }
    add("export_ccg_architecture", json!({}));
    add("export_ccg_architecture", json!({"raw": true}));
    add("export_ccg_index", json!({"plain": true}));
    add("export_ccg_full", json!({"plain": true}));
    add(
        "query_ccg",
        json!({"query": "SELECT ?s ?v { ?s ?p ?v FILTER(isLiteral(?v)) }", "limit": 0}),
    );
    calls
}

fn assert_withheld(world: &World, revisions: &[Option<&str>]) -> Vec<String> {
    let mut all = Vec::new();
    for revision in revisions {
        let calls = questions(*revision);
        for (number, reply) in call(world, &calls) {
            let (name, arguments) = &calls[number as usize - 1];
            for text in WITHHELD {
                // A question may repeat its own words.
                let said = reply.replace(&arguments.to_string(), "");
                let is_asked = arguments.to_string().contains(text);
                assert!(is_asked || !said.contains(text), "{name} {arguments}: {reply}");
            }
            all.push(reply);
        }
    }
    all
}

fn commit_all(world: &World, message: &str) {
    world.commit(message);
}

#[test]
fn a_rename_does_not_open_a_restricted_unit() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    world.write(
        "src/open.py",
        "def open_to_all():\n    return \"anybody may read it\"\n",
    );
    commit_all(&world, "one");
    world.git(&["mv", "old/name.py", "src/secret.py"]);
    world.write("knowledge.yaml", MANIFEST);
    commit_all(&world, "two");
    let replies = assert_withheld(&world, &[None, Some("HEAD"), Some("HEAD~1")]).join("\n");
    assert!(replies.contains("withheld: restricted unit `secret`"), "it says so");
    assert!(replies.contains("hidden"), "names stay");
    // What is not restricted is shown, now and then.
    let open = [
        ("source", json!({"target": "open_to_all"})),
        ("source", json!({"target": "open_to_all", "at": "HEAD~1"})),
    ];
    for (_, reply) in call(&world, &open) {
        assert!(reply.contains("anybody may read it"), "{reply}");
    }
}

#[test]
fn a_rename_with_an_edit_does_not_open_a_restricted_unit() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    commit_all(&world, "one");
    world.git(&["mv", "old/name.py", "src.py"]);
    world.git(&["commit", "--quiet", "--message", "two"]);
    std::fs::create_dir(world.repo().join("src")).expect("made");
    world.git(&["mv", "src.py", "src/secret.py"]);
    world.write("src/secret.py", secret("\n\ndef more():\n    return 2\n"));
    world.write("knowledge.yaml", MANIFEST);
    commit_all(&world, "three");
    assert_withheld(&world, &[None, Some("HEAD~1"), Some("HEAD~2")]);
}

#[test]
fn a_copy_and_a_unit_of_an_older_manifest_stay_restricted() {
    let world = World::new();
    world.write("src/secret.py", secret(""));
    world.write("old/name.py", secret(""));
    world.write("knowledge.yaml", MANIFEST);
    commit_all(&world, "one");
    // The copy is gone, and the unit is no longer restricted: at the older revision it was.
    std::fs::remove_file(world.repo().join("old/name.py")).expect("removed");
    commit_all(&world, "two");
    assert_withheld(&world, &[None, Some("HEAD~1")]);
    std::fs::remove_file(world.repo().join("src/secret.py")).expect("removed");
    world.write(
        "knowledge.yaml",
        MANIFEST.replace("    access: restricted\n    auth_scope: finance\n", ""),
    );
    commit_all(&world, "three");
    let replies = call(
        &world,
        &[("source", json!({"target": "src/secret.py", "at": "HEAD~1"}))],
    );
    assert!(!replies[&1].contains("BODY_LINE"), "{}", replies[&1]);
}

#[test]
fn where_earlier_names_cannot_be_known_nothing_of_a_revision_is_shown() {
    let world = World::new();
    world.write("old/name.py", secret(""));
    commit_all(&world, "one");
    world.git(&["checkout", "--quiet", "-b", "other"]);
    world.write("old/name.py", secret("\n\ndef other():\n    return 3\n"));
    commit_all(&world, "other");
    world.git(&["checkout", "--quiet", "main"]);
    world.git(&["mv", "old/name.py", "src.py"]);
    std::fs::create_dir(world.repo().join("src")).expect("made");
    world.git(&["mv", "src.py", "src/secret.py"]);
    world.write("knowledge.yaml", MANIFEST);
    commit_all(&world, "two");
    let replies = assert_withheld(&world, &[Some("other")]).join("\n");
    assert!(replies.contains("is not known"), "{replies}");
}
