//! `lore mcp`: the same operations over stdio, listed and called by a client that speaks plain JSON-RPC.

use std::collections::BTreeMap;

use crate::support::Sample;
use lore_seam::Listing;
use lore_testing::Conversation;
use serde_json::{Value, json};

/// Sends lines after the handshake; what was answered, line by line.
fn exchange(sample: &Sample, arguments: &[&str], lines: &str) -> Vec<Value> {
    let handshake = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    let handshake: Vec<String> = handshake.iter().map(Value::to_string).collect();
    let all: Vec<&str> = handshake.iter().map(String::as_str).chain(lines.lines()).collect();
    answered(sample, arguments, &all)
}

/// Sends lines and waits for the answer to each that has one, then leaves. The server answers whoever left for a moment only, so a
/// client that wants every answer stays.
fn answered(sample: &Sample, arguments: &[&str], lines: &[&str]) -> Vec<Value> {
    let mut client = Conversation::start(sample.command(arguments).env("RUST_BACKTRACE", "0"));
    lines.iter().for_each(|line| client.say(line));
    let is_answered = |line: &&&str| !line.contains("\"method\":\"notifications/");
    let expected = lines.iter().filter(is_answered).count();
    let mut heard: Vec<String> = (0..expected).map(|_| client.hear()).collect();
    let (status, rest, stderr) = client.finish();
    assert_eq!(status.code(), Some(0), "{stderr}");
    heard.extend(rest);
    heard
        .iter()
        .map(|line| serde_json::from_str(line).expect("only protocol on standard output"))
        .collect()
}

/// Sends requests after the handshake; replies by id, none answered twice.
pub(crate) fn talk_to(sample: &Sample, arguments: &[&str], requests: &[Value]) -> BTreeMap<u64, Value> {
    let lines: String = requests.iter().map(|message| format!("{message}\n")).collect();
    let replies = exchange(sample, arguments, &lines);
    let count = replies.len();
    let by_id: BTreeMap<u64, Value> = replies
        .into_iter()
        .map(|reply| (reply["id"].as_u64().expect("an id"), reply))
        .collect();
    assert_eq!(by_id.len(), count, "a request was answered twice");
    by_id
}

fn talk(sample: &Sample, requests: &[Value]) -> BTreeMap<u64, Value> {
    talk_to(sample, &["mcp"], requests)
}

/// The text of an answer.
pub(crate) fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// The error of an answer, which is text and nothing else: clients hold structured content against the schema of an answer.
pub(crate) fn error(reply: &Value) -> Value {
    assert_eq!(reply["result"]["isError"], true, "{reply}");
    assert!(reply["result"].get("structuredContent").is_none(), "{reply}");
    serde_json::from_str::<Value>(text(reply)).expect("JSON")["error"].clone()
}

pub(crate) fn call(id: u64, name: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

fn names(reply: &Value) -> Vec<String> {
    let tools = reply["result"]["tools"].as_array().expect("tools");
    let names = tools.iter().filter_map(|tool| tool["name"].as_str());
    names.map(str::to_owned).collect()
}

#[test]
fn the_core_is_listed_and_every_tool_can_be_called() {
    let sample = Sample::new();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let replies = talk(&sample, &[list.clone(), call(2, "stats", json!({}))]);
    assert_eq!(names(&replies[&1]), lore_ask::CORE);
    assert_eq!(replies[&2]["result"]["structuredContent"]["files"], 11);
    let replies = talk_to(&sample, &["mcp", "--tools", "all"], std::slice::from_ref(&list));
    let usual = lore_ask::OPERATIONS
        .iter()
        .filter(|entry| entry.listing == Listing::Usual);
    let all = usual.count() + lore_ask::TOOLS.len();
    assert_eq!(names(&replies[&1]).len(), all);
    let replies = talk_to(&sample, &["mcp", "--tools", "ccg"], &[list]);
    assert!(
        names(&replies[&1]).iter().all(|name| name.contains("ccg")),
        "{replies:?}"
    );
}

#[test]
fn a_toolset_that_is_none_is_an_error() {
    let sample = Sample::new();
    let outcome = sample.lore(&["mcp", "--tools", "everything"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome}");
    assert!(outcome.stderr.contains("core, code, ccg"), "{outcome}");
}

#[test]
fn the_old_name_of_the_toolset_of_published_graphs_leads_to_the_new_one() {
    let sample = Sample::new();
    let outcome = sample.lore(&["mcp", "--tools", "graph"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{outcome}");
    assert!(
        outcome
            .stderr
            .contains("the toolset of published graphs is called `published`"),
        "{outcome}"
    );
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let replies = talk_to(&sample, &["mcp", "--tools", "published"], &[list]);
    assert!(
        names(&replies[&1]).contains(&"search_concepts".to_owned()),
        "{replies:?}"
    );
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
    assert_eq!(
        rows[0],
        json!({
            "at": "shop/prices.py:8",
            "complexity": 1,
            "end_line": 10,
            "kind": "function",
            "match": "exact",
            "qualified_name": "shop.prices.discount",
            "signature": "def discount(price: Decimal, rate: Decimal = RATE) -> Decimal",
            "untrusted_summary": "The price for members.",
            "visibility": "public",
        })
    );
    for id in [1, 2] {
        let same: Value = serde_json::from_str(text(&replies[&id])).expect("JSON");
        assert_eq!(
            same, replies[&id]["result"]["structuredContent"],
            "the text is the structured content"
        );
    }
    assert_eq!(
        replies[&2]["result"]["structuredContent"]["qualified_name"],
        "shop.cart.Cart.add"
    );
    let source = text(&replies[&3]);
    assert!(
        source.starts_with("<<<untrusted ") && source.ends_with(" untrusted>>>"),
        "{source}"
    );
    assert!(source.contains("\ndef discount("), "{source}");
}

#[test]
fn an_answer_fits_its_budget_and_the_rest_can_be_asked_for() {
    let sample = Sample::new();
    let replies = talk(
        &sample,
        &[
            call(1, "find", json!({"budget": "900 bytes", "kind": ["method"]})),
            call(2, "find", json!({"budget": "lots"})),
            call(3, "outline", json!({"budget": 100, "paths": "shop"})),
            call(4, "source", json!({"target": "shop/cart.py", "budget": "600 bytes"})),
        ],
    );
    let first = &replies[&1]["result"]["structuredContent"];
    assert!(text(&replies[&1]).len() <= 900);
    let shown = first["rows"].as_array().map_or(0, Vec::len);
    assert!(
        first["page"]
            .as_str()
            .is_some_and(|page| page.ends_with(&format!("the next with `skip`: {shown}"))),
        "{first}"
    );
    let next = talk(
        &sample,
        &[call(
            1,
            "find",
            json!({"budget": "900 bytes", "kind": ["method"], "skip": shown}),
        )],
    );
    let rest = &next[&1]["result"]["structuredContent"]["rows"];
    assert!(!rest[0].is_null() && rest[0] != first["rows"][0], "{rest}");
    assert_eq!(error(&replies[&2])["kind"], "invalid");
    assert!(text(&replies[&3]).len() <= 600, "{}", text(&replies[&3]));
    assert!(
        text(&replies[&4]).contains("a larger `budget` shows more"),
        "{}",
        text(&replies[&4])
    );
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
    assert_eq!(answer["result"]["rows"][0]["qualified_name"], "shop.prices.discount");
    for id in [2, 3] {
        assert_eq!(
            error(&replies[&id])["hints"][0],
            "one of: find, show, outline, files, stats, callers, callees, path, unresolved, edges, impact, deps, dead"
        );
    }
    assert_eq!(error(&replies[&4])["kind"], "not_found");
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
            json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": 5}}),
            json!({"jsonrpc": "2.0", "id": 6, "method": "tools/list", "params": {"cursor": "x"}}),
            call(7, "show", json!({"target": "x".repeat(1 << 20)})),
        ],
    );
    for id in [1, 5, 6] {
        assert_eq!(replies[&id]["error"]["code"], -32602, "{}", replies[&id]);
    }
    assert_eq!(error(&replies[&2])["message"], "`query` of `find` is string, not 5");
    assert_eq!(error(&replies[&3])["hints"][0], "`query` is one");
    assert_eq!(replies[&4]["error"]["code"], -32601);
    assert!(
        text(&replies[&7]).len() < 2000,
        "a message does not repeat what was sent"
    );
}

#[test]
fn an_agent_stays_in_the_repository() {
    let sample = Sample::new();
    let outside = sample.home().join("x.ccg.zip");
    let replies = talk(
        &sample,
        &[
            call(1, "export_ccg", json!({"output": outside})),
            call(2, "export_ccg", json!({"output": "shop/prices.py"})),
            call(3, "export_ccg", json!({"output": "out/shop.ccg.zip"})),
            call(4, "query_ccg", json!({"file": "-"})),
            call(5, "get_ccg_manifest", json!({"source": "/etc/passwd"})),
            call(
                6,
                "init",
                json!({"agent": ["claude-code"], "command": "evil", "yes": true}),
            ),
        ],
    );
    assert!(!sample.root().join(".mcp.json").exists(), "{}", replies[&6]);
    for id in [1, 2, 4, 5] {
        assert_eq!(error(&replies[&id])["kind"], "invalid", "{}", replies[&id]);
    }
    assert!(!outside.exists() && sample.root().join("out/shop.ccg.zip").exists());
}

#[test]
fn resources_prompts_and_completions() {
    let sample = Sample::new();
    let ask =
        |id: u64, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let replies = talk(
        &sample,
        &[
            ask(1, "resources/list", json!({})),
            ask(2, "resources/templates/list", json!({})),
            ask(3, "resources/read", json!({"uri": "lore://ccg/manifest"})),
            ask(4, "resources/read", json!({"uri": "lore://source/shop%2Fprices.py"})),
            ask(5, "resources/read", json!({"uri": "lore://source/../secret"})),
            ask(6, "resources/read", json!({"uri": "lore://ccg/index"})),
            ask(7, "prompts/list", json!({})),
            ask(
                8,
                "prompts/get",
                json!({"name": "plan_change", "arguments": {"change": "round up"}}),
            ),
            ask(9, "prompts/get", json!({"name": "plan_change"})),
            ask(
                10,
                "prompts/get",
                json!({"name": "review_diff", "arguments": {"nothing": "x"}}),
            ),
            call(11, "stats", json!({})),
        ],
    );
    assert_eq!(replies[&1]["result"]["resources"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        replies[&2]["result"]["resourceTemplates"][0]["uriTemplate"],
        "lore://source/{+path}"
    );
    let read = |id: u64| replies[&id]["result"]["contents"][0].clone();
    let manifest: Value = serde_json::from_str(read(3)["text"].as_str().unwrap_or_default()).expect("JSON");
    assert_eq!(manifest["@type"], "ccg:Manifest");
    assert!(
        read(4)["text"]
            .as_str()
            .is_some_and(|text| text.contains("def discount"))
    );
    assert!(replies[&5].get("error").is_some(), "{}", replies[&5]);
    assert!(
        read(6)["blob"].as_str().is_some_and(|blob| blob.starts_with("H4sI")),
        "{}",
        read(6)
    );
    assert_eq!(replies[&7]["result"]["prompts"].as_array().map(Vec::len), Some(8));
    let message = replies[&8]["result"]["messages"][0]["content"]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(
        message.contains("round up") && message.contains("`impact`"),
        "{message}"
    );
    for id in [9, 10] {
        assert_eq!(replies[&id]["error"]["code"], -32602, "{}", replies[&id]);
    }
    // The index is there by now.
    let replies = talk(
        &sample,
        &[
            ask(
                1,
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": "lore://symbol/{+name}"}, "argument": {"name": "name", "value": "disc"}}),
            ),
            ask(
                2,
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "none"}, "argument": {"name": "x", "value": ""}}),
            ),
        ],
    );
    assert_eq!(
        replies[&1]["result"]["completion"]["values"],
        json!(["shop.prices.discount"])
    );
    assert_eq!(replies[&2]["result"]["completion"]["values"], json!([]));
}

#[test]
fn a_request_that_carries_its_revision_needs_no_session() {
    let sample = Sample::new();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let requests = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": meta}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"_meta": meta, "name": "find", "arguments": {"query": "discount"}}}),
    ];
    let requests: Vec<String> = requests.iter().map(Value::to_string).collect();
    let requests: Vec<&str> = requests.iter().map(String::as_str).collect();
    let replies: BTreeMap<u64, Value> = answered(&sample, &["mcp"], &requests)
        .into_iter()
        .map(|reply| (reply["id"].as_u64().unwrap_or_default(), reply))
        .collect();
    assert_eq!(
        replies[&1]["result"]["supportedVersions"],
        json!(["2025-06-18", "2025-11-25", "2026-07-28"])
    );
    assert_eq!(names(&replies[&2]), lore_ask::CORE);
    assert_eq!(replies[&3]["result"]["resultType"], "complete");
}

#[test]
fn changed_files_are_noticed_between_two_questions() {
    let sample = Sample::new();
    let mut client = Conversation::start(&mut sample.command(&["mcp"]));
    let mut ask = |request: Value| -> Value {
        client.say(request);
        serde_json::from_str(&client.hear()).expect("JSON")
    };
    ask(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}}));
    let found = |reply: &Value| reply["result"]["structuredContent"]["rows"][0]["at"].clone();
    let question = |id: u64| call(id, "find", json!({"query": "written_just_now", "match": "exact"}));
    assert_eq!(found(&ask(question(1))), Value::Null);
    let file = sample.root().join("shop/new_file.py");
    std::fs::write(file, "def written_just_now():\n    pass\n").expect("written");
    assert_eq!(found(&ask(question(2))), "shop/new_file.py:1");
    let stale = ask(call(3, "find", json!({"query": "discount", "no_refresh": true})));
    assert!(
        stale["result"]["structuredContent"]["remark"]
            .as_str()
            .is_some_and(|remark| remark.starts_with("stale: ")),
        "{stale}"
    );
    assert_eq!(client.finish().0.code(), Some(0));
}

#[test]
fn a_thousand_requests_at_once_are_each_answered_once() {
    let sample = Sample::new();
    let requests: Vec<Value> = (1..=1000)
        .map(|id| match id % 4 {
            0 => json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"}),
            1 => call(id, "nowhere", json!({})),
            2 => call(id, "show", json!({"target": "discount"})),
            _ => call(id, "find", json!({"query": "cart", "limit": 2})),
        })
        .collect();
    let replies = talk(&sample, &requests);
    assert_eq!(
        replies.keys().copied().collect::<Vec<_>>(),
        (0..=1000).collect::<Vec<_>>()
    );
}

#[test]
fn what_is_no_message_is_answered_and_the_next_one_read() {
    let sample = Sample::new();
    let replies = exchange(
        &sample,
        &["mcp"],
        "nonsense\n[]\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\",\"params\":[]}\n{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}",
    );
    let mut seen: Vec<String> = replies
        .iter()
        .map(|reply| format!("{} {}", reply.get("id").unwrap_or(&Value::Null), reply["error"]["code"]))
        .collect();
    seen.sort();
    assert_eq!(seen, ["\"a\" -32602", "0 null", "9 null", "null -32600", "null -32700"]);
}

#[test]
fn a_client_that_leaves_at_once_is_no_error() {
    let sample = Sample::new();
    let outcome = sample.finish(sample.command(&["mcp"]), "");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, ""), "{outcome}");
}
