//! `lore mcp`: the same operations over stdio, listed and called by a client that speaks plain JSON-RPC.

use std::collections::BTreeMap;

use crate::support::Sample;
use serde_json::{Value, json};

/// Sends requests after the handshake; replies by id.
fn talk(sample: &Sample, requests: &[Value]) -> BTreeMap<u64, Value> {
    let mut input = String::new();
    let handshake = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    for message in handshake.iter().chain(requests) {
        input.push_str(&format!("{message}\n"));
    }
    let mut command = sample.command(&["mcp"]);
    command.env("RUST_BACKTRACE", "0");
    let outcome = sample.finish(command, &input);
    assert_eq!(outcome.code, 0, "{outcome}");
    outcome
        .stdout
        .lines()
        .map(|line| {
            let reply: Value = serde_json::from_str(line).expect("only protocol on standard output");
            (reply["id"].as_u64().expect("an id"), reply)
        })
        .collect()
}

fn call(id: u64, name: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

#[test]
fn every_operation_is_a_tool_with_schemas() {
    let sample = Sample::new();
    let replies = talk(&sample, &[json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})]);
    let tools = replies[&1]["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let mut expected: Vec<&str> = lore_specs::OPERATIONS.iter().map(|entry| entry.name).collect();
    expected.extend(lore_specs::TOOLS.iter().map(|tool| tool.name));
    assert_eq!(names, expected);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(
            tool["description"].as_str().is_some_and(|text| text.len() > 20),
            "{tool}"
        );
        assert_eq!(tool["annotations"]["readOnlyHint"], tool["name"] != "init", "{tool}");
    }
}

#[test]
fn the_three_kinds_of_answer() {
    let sample = Sample::new();
    let replies = talk(
        &sample,
        &[
            call(1, "find", json!({"query": "discount"})),
            call(2, "show", json!({"target": "Cart.add"})),
            call(3, "source", json!({"target": "discount"})),
        ],
    );
    let rows = &replies[&1]["result"]["structuredContent"]["rows"];
    assert_eq!(rows[0]["qualified_name"], "shop.prices.discount");
    let text: Value =
        serde_json::from_str(replies[&1]["result"]["content"][0]["text"].as_str().expect("text")).expect("JSON");
    assert_eq!(
        text, replies[&1]["result"]["structuredContent"],
        "the text block is the structured content"
    );
    assert_eq!(
        replies[&2]["result"]["structuredContent"]["qualified_name"],
        "shop.cart.Cart.add"
    );
    let source = replies[&3]["result"]["content"][0]["text"].as_str().expect("text");
    assert!(source.starts_with("def discount("), "{source}");
}

#[test]
fn a_tool_with_a_discriminator() {
    let sample = Sample::new();
    let replies = talk(
        &sample,
        &[
            call(
                1,
                "query_code",
                json!({"operation": "find", "query": "discount", "limit": 1}),
            ),
            call(2, "query_code", json!({"operation": "fly"})),
            call(3, "query_code", json!({"query": "x"})),
            call(4, "query_code", json!({"operation": "show", "target": "nowhere"})),
        ],
    );
    let answer = &replies[&1]["result"]["structuredContent"];
    assert_eq!((&answer["operation"], &answer["ok"]), (&json!("find"), &json!(true)));
    assert_eq!(answer["result"]["rows"][0]["name"], "discount");
    for id in [2, 3] {
        assert_eq!(replies[&id]["result"]["isError"], true);
        let error = &replies[&id]["result"]["structuredContent"]["error"];
        assert_eq!(
            error["hints"][0],
            "one of: find, show, outline, files, stats, callers, callees, path, unresolved, edges, impact, deps, dead"
        );
    }
    assert_eq!(replies[&4]["result"]["structuredContent"]["error"]["kind"], "not_found");
}

#[test]
fn wrong_calls_get_a_proper_error() {
    let sample = Sample::new();
    let replies = talk(
        &sample,
        &[
            call(1, "nowhere", json!({})),
            call(2, "find", json!({"query": 5})),
            call(3, "find", json!({"qurey": "x"})),
            json!({"jsonrpc": "2.0", "id": 4, "method": "no/such/method"}),
        ],
    );
    assert_eq!(replies[&1]["error"]["code"], -32602);
    for id in [2, 3] {
        assert_eq!(replies[&id]["result"]["structuredContent"]["error"]["kind"], "invalid");
    }
    assert_eq!(replies[&4]["error"]["code"], -32601);
}

#[test]
fn a_client_that_leaves_at_once_is_no_error() {
    let sample = Sample::new();
    let outcome = sample.finish(sample.command(&["mcp"]), "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, ""), "{outcome}");
}
