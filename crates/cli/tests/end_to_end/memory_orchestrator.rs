//! Projects, features and tasks as a user and an agent meet them, over the store on disk.

use serde_json::{Value, json};

use crate::mcp::{call, talk_to, text};
use crate::support::Sample;

const PROJECT: &str = "0199a3f0-5b1c-7d2e-8f00-0123456789ab";
const TASK: &str = "0199a3f0-5b1c-7d2e-8f00-0123456789ac";

const EXPORT: &str = r#"{"lore":"memory","format":1}
{"kind":"project","id":"0199a3f0-5b1c-7d2e-8f00-0123456789ab","name":"Garden Shop","summary":"sells plants","version":3,"tags":["web"],"createdAt":"2026-11-16T08:00:00.000Z","modifiedAt":"2026-11-16T08:00:00.000Z"}
{"kind":"task","id":"0199a3f0-5b1c-7d2e-8f00-0123456789ac","projectId":"0199a3f0-5b1c-7d2e-8f00-0123456789ab","title":"Prices","summary":"s","status":"NEW","priority":"HIGH","complexity":3,"blockedBy":[],"relatedTo":[],"version":1,"tags":[],"createdAt":"2026-11-16T08:00:00.000Z","modifiedAt":"2026-11-16T08:00:00.000Z"}
"#;

fn sample() -> Sample {
    let sample = Sample::new();
    std::fs::write(sample.root().join("memory.jsonl"), EXPORT).expect("written");
    let outcome = sample.lore(&["memory", "import", "memory.jsonl"]);
    assert_eq!(outcome.code, 0, "{outcome}");
    sample
}

#[test]
fn c3_the_text_is_the_structured_content_and_fits_the_schema() {
    let sample = sample();
    let requests = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        call(
            2,
            "query_container",
            json!({"operation": "get", "containerType": "task", "id": TASK}),
        ),
        call(
            3,
            "query_sections",
            json!({"entityType": "PROJECT", "entityId": PROJECT}),
        ),
        call(4, "get_next_task", json!({"projectId": "*", "priority": "LOW"})),
        call(5, "advance", json!({"containerType": "task", "id": TASK, "version": 7})),
        call(
            6,
            "query_container",
            json!({"operation": "look", "containerType": "task"}),
        ),
        call(7, "query_container", json!({"operaton": "get"})),
        call(8, "block", json!({"containerType": "task", "id": TASK})),
        call(
            9,
            "query_container",
            json!({"operation": "get", "containerType": "task", "id": PROJECT}),
        ),
    ];
    let replies = talk_to(&sample, &["mcp", "--tools", "memory"], &requests);
    let tools = replies[&1]["result"]["tools"].as_array().expect("tools").clone();
    let find = |name: &str| {
        tools
            .iter()
            .find(|tool| tool["name"] == name)
            .cloned()
            .unwrap_or_default()
    };
    for name in ["query_container", "manage_container", "advance", "block", "terminate"] {
        let tool = find(name);
        assert!(
            tool["title"].is_string() && tool["inputSchema"].is_object(),
            "{name}: {tool}"
        );
        assert_eq!(tool["outputSchema"]["required"], json!(["success"]), "{name}");
        assert_eq!(
            tool["annotations"]["readOnlyHint"],
            json!(name.starts_with("query")),
            "{name}"
        );
    }
    let codes: Vec<Option<&str>> = (2..=9)
        .map(|id| {
            let result = &replies[&id]["result"];
            let same: Value = serde_json::from_str(text(&replies[&id])).expect("JSON");
            assert_eq!(same, result["structuredContent"], "{id}");
            assert_eq!(result["content"].as_array().map(Vec::len), Some(1));
            assert_eq!(result["isError"] == true, same["success"] == false, "{id}: {same}");
            result["structuredContent"]["error"].as_str()
        })
        .collect();
    assert_eq!(
        codes,
        [
            None,
            None,
            None,
            Some("CONFLICT"),
            Some("VALIDATION_ERROR"),
            Some("VALIDATION_ERROR"),
            Some("VALIDATION_ERROR"),
            Some("NOT_FOUND"),
        ]
    );
    assert_eq!(
        replies[&2]["result"]["structuredContent"]["data"]["task"]["title"],
        "Prices"
    );
    assert_eq!(replies[&3]["result"]["structuredContent"]["data"], json!([]));
    assert_eq!(replies[&4]["result"]["structuredContent"]["data"], Value::Null);
    assert_eq!(
        replies[&5]["result"]["structuredContent"]["data"],
        json!({"currentVersion": 1, "expectedVersion": 7, "id": TASK})
    );
}

#[test]
fn l16_a_day_with_tasks_on_the_command_line() {
    let sample = sample();
    let lore = |arguments: &[&str]| {
        let mut all = vec!["memory"];
        all.extend_from_slice(arguments);
        let outcome = sample.lore(&all);
        (outcome.code, outcome.stdout, outcome.stderr)
    };
    let short = &TASK[28..];
    assert_eq!(lore(&["project", "link", "Garden Shop"]).0, 0);
    let (code, board, _) = lore(&["board"]);
    assert_eq!(
        (code, board),
        (
            0,
            format!("NEW  1\n  {short}  NEW                 HIGH     3  Prices\n\nACTIVE  0\n\nCLOSED  0\n")
        )
    );
    assert_eq!(lore(&["feature", "create", "Checkout", "--priority", "high"]).0, 0);
    assert_eq!(
        lore(&["task", "create", "Pay", "--feature", "Checkout", "--complexity", "1"]).0,
        0
    );
    let (code, told, _) = lore(&["depend", "Pay", "on", short]);
    assert_eq!((code, told.as_str()), (0, "Pay depends on Prices.\n"));
    assert_eq!(lore(&["advance", "Pay"]).0, 1);
    let (code, told, _) = lore(&["next", "--start"]);
    assert_eq!(code, 0);
    assert!(
        told.contains("task advanced: NEW → ACTIVE (position: 2 of 3)"),
        "{told}"
    );
    assert_eq!(lore(&["next"]).0, 1);
    let (code, told, _) = lore(&["advance", short]);
    assert_eq!(code, 0);
    assert!(told.contains("\nunblocked: ") && told.contains("  Pay\n"), "{told}");
    let (code, told, _) = lore(&["task", "list", "--status", "closed", "--json"]);
    let row: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(
        (code, &row["status"], &row["version"]),
        (0, &json!("CLOSED"), &json!(3))
    );
    assert_eq!(lore(&["task", "show", "Nothing"]).0, 1);
    assert_eq!(lore(&["task", "list", "--status", "DONE"]).0, 2);
    let (code, _, fault) = lore(&["task", "edit", "Pay"]);
    assert_eq!(code, 2);
    assert!(fault.contains("an editor needs a terminal"), "{fault}");
    assert_eq!(lore(&["project", "delete", "Garden Shop"]).0, 1);
    let (code, told, _) = lore(&["project", "delete", "Garden Shop", "--cascade"]);
    assert_eq!(
        (code, told.as_str()),
        (0, "Deleted Garden Shop with 1 feature, 2 tasks.\n")
    );
    assert_eq!(lore(&["project", "list"]).0, 1);
}
