//! Reports on units and on reads of them.

use std::sync::Arc;

use super::access_log::{AccessLogRequest, UnitAccessLog};
use super::article30::{UnitArticle30, UnitArticle30Request};
use crate::testing::World;
use lore_seam::{ErrorKind, Operation, Page, Render, Style, Verdict};

const TEXT: &str = "kcp_version: \"0.12\"\nproject: shop\nversion: 1.0.0\nupdated: \"2026-02-25\"\ntrust:\n  provenance: {publisher: Shop Ltd, publisher_url: \"https://shop.example\", contact: dpo@shop.example}\n  audit: {agent_must_log: true}\nauth: {methods: [{type: oauth2, issuer: \"https://id.shop.example\"}]}\ncompliance: {regulations: [GDPR], data_residency: [EU]}\ndelegation: {max_depth: 2}\nunits:\n  - id: orders\n    path: docs/orders.md\n    intent: \"How are orders | kept?\"\n    scope: global\n    audience: [agent, operator]\n    access: restricted\n    auth_scope: read:orders\n    sensitivity: confidential\n    compliance: {restrictions: [no-ai-training]}\n    delegation: {max_depth: 1, human_in_the_loop: {required: true, approval_mechanism: uma}}\n    validated: \"2026-01-01\"\n  - {id: open, path: docs/open.md, intent: What is open?, scope: global, audience: [human], compliance: {regulations: [NIS2]}}\n";

fn world(lines: &[&str]) -> Arc<World> {
    Arc::new(World {
        facets: crate::testing::logged(lines),
        ..crate::testing::with_files([("knowledge.yaml", TEXT)])
    })
}

fn shown(value: &impl Render) -> String {
    let mut page = Page::new(Style { colour: false });
    value.render(&mut page);
    page.into_text()
}

#[test]
fn g9_the_record_of_processing_has_what_the_manifest_declares() {
    let answer = UnitArticle30::run(&world(&[]).ctx(), UnitArticle30Request::default()).unwrap();
    assert_eq!(answer.verdict, Verdict::Yes);
    let record = serde_json::to_value(&answer.value).unwrap();
    assert_eq!(record["controller"]["contact"], "dpo@shop.example");
    assert_eq!(record["activities"].as_array().unwrap().len(), 1);
    assert_eq!(
        record["activities"][0],
        serde_json::json!({
            "unit": "orders",
            "path": "docs/orders.md",
            "purpose": "How are orders | kept?",
            "sensitivity": "confidential",
            "regulations": ["GDPR"],
            "recipients": ["agent", "operator"],
            "regions": ["EU"],
            "restrictions": ["no-ai-training"],
            "safeguards": [
                "access: restricted",
                "scope: read:orders",
                "authentication: oauth2",
                "delegation: at most 1 deep",
                "a human approves (uma)",
                "every read is logged"
            ],
            "validated": "2026-01-01",
        })
    );
    let text = shown(&answer.value);
    assert!(text.contains("| Purpose | How are orders \\| kept? |\n"), "{text}");
    assert!(
        text.contains("## Not declared\n\n- the data protection officer"),
        "{text}"
    );
    let all = UnitArticle30Request {
        all: true,
        ..UnitArticle30Request::default()
    };
    assert_eq!(
        UnitArticle30::run(&world(&[]).ctx(), all)
            .unwrap()
            .value
            .activities
            .len(),
        2
    );
}

#[test]
fn g9_without_personal_data_there_is_no_record() {
    let world = crate::testing::of_files([("knowledge.yaml", TEXT.replace("GDPR", "DORA"))]);
    let answer = UnitArticle30::run(&world.ctx(), UnitArticle30Request::default()).unwrap();
    assert_eq!(answer.verdict, Verdict::No);
    assert!(shown(&answer.value).ends_with("No unit falls under the GDPR.\n"));
}

#[test]
fn g9_the_access_log_joins_the_lines_with_the_manifest() {
    let line = |time: &str, unit: &str, decision: &str| {
        format!(
            "{{\"time\":\"{time}\",\"agent\":\"bot|1\",\"unit\":\"{unit}\",\"manifest\":\"knowledge.yaml\",\"decision\":\"{decision}\",\"traceparent\":null,\"tracestate\":null,\"obligations\":[\"cite\"]}}"
        )
    };
    let lines = [
        line("2026-01-31T10:00:00Z", "orders", "granted"),
        line("2026-02-01T10:00:00Z", "orders", "denied"),
        "half a li".to_owned(),
        line("2026-02-02T10:00:00Z", "gone", "granted"),
    ];
    let world = world(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let run = |request| UnitAccessLog::run(&world.ctx(), request).unwrap();
    let answer = run(AccessLogRequest::default());
    assert_eq!((answer.value.accesses.len(), answer.value.unreadable), (3, 1));
    let value = serde_json::to_value(&answer.value).unwrap();
    assert_eq!(value["decisions"], serde_json::json!({"denied": 1, "granted": 2}));
    assert_eq!(
        (&value["accesses"][0]["sensitivity"], &value["accesses"][0]["agent"]),
        (&"confidential".into(), &"bot|1".into())
    );
    let text = shown(&answer.value);
    assert!(
        text.contains("| 2026-01-31T10:00:00Z | bot\\|1 | orders | granted | confidential | GDPR | cite | – |\n"),
        "{text}"
    );
    let since = AccessLogRequest {
        since: Some("2026-02-01".to_owned()),
        unit: Some("orders".to_owned()),
        ..AccessLogRequest::default()
    };
    assert_eq!(run(since).value.accesses.len(), 1);
    let last = AccessLogRequest {
        limit: Some(1),
        ..AccessLogRequest::default()
    };
    assert_eq!(run(last).value.accesses[0].line.unit, "gone");
    let nobody = AccessLogRequest {
        unit: Some("x".to_owned()),
        ..AccessLogRequest::default()
    };
    assert_eq!(run(nobody).verdict, Verdict::No);
    let wrong = AccessLogRequest {
        since: Some("yesterday".to_owned()),
        ..AccessLogRequest::default()
    };
    let error = UnitAccessLog::run(&world.ctx(), wrong).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Invalid);
}
