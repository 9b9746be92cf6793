//! A toy of a specification that fixes the form of its answers, called as clients call tools.

use std::sync::Arc;
use std::time::Duration;

use lore_memory::envelope::{ToolAnswer as Answered, envelope};
use lore_memory::store::Memory;
use lore_memory::testing::StoreInMemory;
use lore_model::{Cancel, CodeGraph, NoProgress, Progress};
use lore_seam::{
    Access, Alarm, Check, Clock, Code, Envelope, FetchRequest, Fetched, Files, GraphScope, Health, History, Ids,
    IndexRequest, IndexSummary, Memo, NoCache, Operation, Origin, PathKind, PortMap, Ports, Setting, Settings, Stat,
    Toolset, Value as One, Web, WriteOne, Written, entry,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::mcp::tools::operation_tool;

/// Count the letters of a word, as a memory tool would.
#[derive(clap::Args, Deserialize, JsonSchema)]
struct ToyRequest {
    /// The word
    word: String,
    /// How many letters there are at most
    #[serde(default)]
    limit: Option<i64>,
    /// Whether the words are repeated
    #[serde(default)]
    #[arg(long)]
    again: bool,
}

struct Toy;

impl Operation for Toy {
    const NAME: &'static str = "toy";
    const COMMAND: &'static [&'static str] = &[];
    const ACCESS: Access = Access::Record;
    const ENVELOPE: Option<Envelope> = Some(envelope);
    type Request = ToyRequest;
    type Answer = One<Answered>;

    fn run(_: &Ctx, request: ToyRequest) -> Result<One<Answered>, OpError> {
        let letters = request.word.chars().count() as i64;
        if letters > request.limit.unwrap_or(10) {
            return Err(OpError::new(ErrorKind::Refused, "too long")
                .code(lore_seam::FailureCode::Conflict)
                .data(json!({ "currentVersion": letters })));
        }
        let items = vec![json!({ "word": request.word, "knowledge": "" }); if request.again { 400 } else { 1 }];
        Answered::answer("Counted", json!({ "letters": letters, "items": items }))
    }
}

static TOY: OperationEntry = entry::<Toy>(Toolset::Memory);

/// A world that holds nothing, at one moment.
struct Nothing;

fn ctx() -> Ctx {
    let ports = Ports {
        code: Arc::new(Nothing),
        settings: Arc::new(Nothing),
        health: Arc::new(Nothing),
        cache: Arc::new(NoCache),
        clock: Arc::new(Nothing),
        ids: Arc::new(Nothing),
        files: Arc::new(Nothing),
        web: Arc::new(Nothing),
        memo: Arc::new(Memo::default()),
        datasets: &[],
        facets: PortMap::default().with::<dyn Memory>(Arc::new(StoreInMemory::default())),
    };
    Ctx {
        ports: Arc::new(ports),
        progress: Arc::new(NoProgress),
        cancel: Arc::new(Cancel::default()),
    }
}

fn called(arguments: Value) -> CallToolResult {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object");
    };
    call(&ctx(), Callable::Operation(&TOY), arguments).into_result(Vec::new())
}

/// The answer in the form of the specification, which the text has to equal.
fn answered(arguments: Value) -> (bool, Value) {
    let result = called(arguments);
    let value = result.structured_content.clone().unwrap_or_default();
    let text = result
        .content
        .first()
        .and_then(|block| block.as_text())
        .map(|text| text.text.clone());
    assert_eq!(result.content.len(), 1);
    assert_eq!(
        serde_json::from_str::<Value>(&text.unwrap_or_default()).ok(),
        Some(value.clone())
    );
    (result.is_error == Some(true), value)
}

fn metadata() -> Value {
    json!({ "timestamp": "2026-11-16T08:00:00.000Z", "version": "1.0.0" })
}

#[test]
fn an_answer_keeps_its_form_and_its_empty_fields() {
    assert_eq!(
        answered(json!({ "word": "lore" })),
        (
            false,
            json!({
                "success": true,
                "message": "Counted",
                "data": { "letters": 4, "items": [{ "word": "lore", "knowledge": "" }] },
                "metadata": metadata(),
            })
        )
    );
}

#[test]
fn a_failure_has_the_same_form() {
    assert_eq!(
        answered(json!({ "word": "lore", "limit": "3" })),
        (
            true,
            json!({
                "success": false,
                "message": "too long",
                "error": "CONFLICT",
                "data": { "currentVersion": 4 },
                "metadata": metadata(),
            })
        )
    );
}

#[test]
fn arguments_that_do_not_fit_are_failures_in_the_form() {
    for (arguments, field) in [
        (json!({ "word": "lore", "limits": 3 }), Some("limits")),
        (json!({ "word": "lore", "limit": "many" }), Some("limit")),
        (json!({ "word": "lore", "limit": 3.5 }), Some("limit")),
        (json!({ "word": "lore", "again": "true" }), Some("again")),
        (json!({ "word": 3 }), Some("word")),
        (json!({ "word": "lore", "skip": 3 }), Some("skip")),
        (json!({ "word": "lore", "budget": "much" }), Some("budget")),
        (json!({}), Some("word")),
    ] {
        let (is_error, value) = answered(arguments.clone());
        assert!(is_error, "{arguments}");
        assert_eq!(value["error"], "VALIDATION_ERROR", "{arguments}");
        assert_eq!(value["data"]["field"].as_str(), field, "{arguments}: {value}");
    }
}

#[test]
fn numbers_may_be_texts() {
    for limit in [json!(4), json!("4"), json!(" 4 "), json!(4.0), json!(null)] {
        let (is_error, value) = answered(json!({ "word": "lore", "limit": limit }));
        assert!(!is_error, "{value}");
    }
}

#[test]
fn a_budget_leaves_out_whole_items_and_says_so() {
    let (_, whole) = answered(json!({ "word": "lore", "again": true, "budget": "100kB" }));
    assert_eq!(whole["data"]["items"].as_array().map(Vec::len), Some(400));
    let (_, cut) = answered(json!({ "word": "lore", "again": true, "budget": "2kB" }));
    let items = cut["data"]["items"].as_array().map_or(0, Vec::len);
    assert!((2..100).contains(&items), "{items}");
    assert_eq!(cut["metadata"]["leftOut"], json!([format!("{} of items", 400 - items)]));
}

#[test]
fn it_is_listed_without_a_budget_and_with_the_form_of_its_answers() {
    let tool = operation_tool(&TOY);
    assert_eq!(
        Value::Object((*tool.input_schema).clone()),
        json!({
            "type": "object",
            "properties": {
                "word": { "type": "string", "description": "The word" },
                "limit": { "type": "integer", "description": "How many letters there are at most" },
                "again": { "type": "boolean", "description": "Whether the words are repeated" },
            },
            "required": ["word"],
        })
    );
    let output = tool.output_schema.map(|schema| Value::Object((*schema).clone()));
    assert_eq!(output, Some(json!({ "type": "object", "required": ["success"] })));
    let hints = tool.annotations.unwrap_or_default();
    assert_eq!(
        (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint),
        (Some(false), Some(false), None)
    );
}

#[test]
fn a_remark_about_the_index_stands_in_the_metadata() {
    let mut arguments = Map::new();
    arguments.insert("word".to_owned(), json!("lore"));
    let told = call(&ctx(), Callable::Operation(&TOY), arguments);
    let result = told.into_result(vec!["stale: by an hour".to_owned()]);
    let value = result.structured_content.unwrap_or_default();
    assert_eq!(value["metadata"]["remark"], "stale: by an hour");
    assert_eq!(value.get("remark"), None);
}

fn nothing<T>() -> Result<T, OpError> {
    Err(OpError::new(ErrorKind::Unavailable, "there is nothing"))
}

impl Code for Nothing {
    fn graph(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Arc<CodeGraph>, OpError> {
        nothing()
    }

    fn index(&self, _: &IndexRequest, _: &dyn Progress, _: &Cancel) -> Result<IndexSummary, OpError> {
        nothing()
    }

    fn wait_for_change(&self, _: &IndexRequest, _: &Cancel) -> Result<bool, OpError> {
        nothing()
    }

    fn here(&self) -> String {
        String::new()
    }

    fn read(&self, _: &GraphScope, _: &str) -> Result<Vec<u8>, OpError> {
        nothing()
    }

    fn origin(&self, _: &GraphScope) -> Result<Origin, OpError> {
        nothing()
    }

    fn history(&self, _: &GraphScope, _: &dyn Progress, _: &Cancel) -> Result<Option<Arc<History>>, OpError> {
        nothing()
    }
}

impl Settings for Nothing {
    fn list(&self) -> Vec<Setting> {
        Vec::new()
    }
}

impl Health for Nothing {
    fn check(&self) -> Vec<Check> {
        Vec::new()
    }
}

impl Alarm for Nothing {}

impl Clock for Nothing {
    fn now_ms(&self) -> u64 {
        1_794_816_000_000
    }

    fn after(&self, _: Duration, _: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm> {
        Box::new(Self)
    }
}

impl Ids for Nothing {
    fn fresh(&self) -> String {
        String::new()
    }

    fn uuid(&self) -> [u8; 16] {
        [0; 16]
    }
}

impl Files for Nothing {
    fn kind(&self, _: &str) -> Option<PathKind> {
        None
    }

    fn stat(&self, _: &str) -> Option<Stat> {
        None
    }

    fn list(&self, _: &str) -> Result<Vec<String>, OpError> {
        nothing()
    }

    fn read(&self, _: &str, _: u64) -> Result<Vec<u8>, OpError> {
        nothing()
    }

    fn write_set(&self, _: &[String], _: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        nothing()
    }
}

impl Web for Nothing {
    fn fetch(&self, _: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        nothing()
    }
}
