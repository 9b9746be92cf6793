//! The form of every answer of a memory tool: success or failure, a message, data or a code, and when it was. Nothing of it is shortened: a text that was cut
//! would be written back cut.

use lore_model::date_time;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::seam::{Ctx, ErrorKind, OpError, Page, Render, Value as Answer};

/// The version of the form.
pub const VERSION: &str = "1.0.0";

/// The codes of failures.
pub mod code {
    /// Bad input.
    pub const VALIDATION_ERROR: &str = "VALIDATION_ERROR";
    /// What was named does not exist.
    pub const NOT_FOUND: &str = "NOT_FOUND";
    /// Somebody else wrote it in the meantime, or the place is taken.
    pub const CONFLICT: &str = "CONFLICT";
    /// It would break what always holds.
    pub const INVARIANT_VIOLATION: &str = "INVARIANT_VIOLATION";
    /// It cannot be done in this state.
    pub const INVALID_OPERATION: &str = "INVALID_OPERATION";
    /// Something else has to happen first.
    pub const BLOCKED: &str = "BLOCKED";
    /// Others are part of it.
    pub const HAS_CHILDREN: &str = "HAS_CHILDREN";
    /// The name is taken.
    pub const DUPLICATE_NAME: &str = "DUPLICATE_NAME";
    /// The template is neither changed nor deleted.
    pub const PROTECTED_TEMPLATE: &str = "PROTECTED_TEMPLATE";
    /// The template is not applied.
    pub const TEMPLATE_DISABLED: &str = "TEMPLATE_DISABLED";
    /// The template is for something else.
    pub const ENTITY_TYPE_MISMATCH: &str = "ENTITY_TYPE_MISMATCH";
    /// It would wait for itself.
    pub const CIRCULAR_DEPENDENCY: &str = "CIRCULAR_DEPENDENCY";
    /// The store cannot be used now.
    pub const UNAVAILABLE: &str = "UNAVAILABLE";
    /// A defect of Lore's own.
    pub const INTERNAL_ERROR: &str = "INTERNAL_ERROR";
}

/// What a memory tool answers, before it is put into the form.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Told {
    /// What was done, in a sentence.
    pub message: String,
    /// What was asked for.
    pub data: Value,
}

impl Told {
    /// The answer of a tool that did what it was asked.
    pub fn answer(message: impl Into<String>, data: impl Serialize) -> Result<Answer<Self>, OpError> {
        let data = serde_json::to_value(data).map_err(|error| {
            OpError::new(
                ErrorKind::Internal,
                format!("the answer cannot be written as JSON: {error}"),
            )
        })?;
        Ok(Answer::yes(Self {
            message: message.into(),
            data,
        }))
    }
}

impl Render for Told {
    fn render(&self, page: &mut Page) {
        page.text(&self.message);
        page.line(format_args!(""));
        if !self.data.is_null() {
            page.block(&format!("{:#}", self.data));
            page.line(format_args!(""));
        }
    }
}

/// Now, as it is written everywhere: UTC with three digits of milliseconds.
pub fn now(ctx: &Ctx) -> String {
    timestamp(ctx.ports.clock.now_ms())
}

/// Milliseconds since 1970 as `2026-11-16T08:00:00.000Z`.
pub fn timestamp(milliseconds: u64) -> String {
    let seconds = i64::try_from(milliseconds / 1_000).unwrap_or(i64::MAX);
    let whole = date_time(seconds);
    format!("{}.{:03}Z", whole.trim_end_matches('Z'), milliseconds % 1_000)
}

/// Puts an outcome into the form.
pub fn envelope(ctx: &Ctx, outcome: Result<Value, &OpError>, most: usize) -> Value {
    let mut fields = Map::new();
    let mut metadata = Map::new();
    metadata.insert("timestamp".to_owned(), json!(now(ctx)));
    metadata.insert("version".to_owned(), json!(VERSION));
    match outcome {
        Ok(told) => {
            let (message, data) = match told {
                Value::Object(mut told) => (
                    told.remove("message").unwrap_or_default(),
                    told.remove("data").unwrap_or_default(),
                ),
                other => (Value::String(String::new()), other),
            };
            fields.insert("success".to_owned(), json!(true));
            fields.insert("message".to_owned(), message);
            let (data, left_out) = fitted(data, most);
            fields.insert("data".to_owned(), data);
            if !left_out.is_empty() {
                metadata.insert("leftOut".to_owned(), json!(left_out));
            }
        }
        Err(error) => {
            let detail = error.detail.as_deref();
            let said = detail.and_then(|detail| detail.said.as_ref());
            fields.insert("success".to_owned(), json!(false));
            fields.insert("message".to_owned(), json!(said.unwrap_or(&error.message)));
            fields.insert("error".to_owned(), json!(code_of(error)));
            if let Some(data) = detail.map(|detail| &detail.data).filter(|data| !data.is_null()) {
                fields.insert("data".to_owned(), data.clone());
            }
            if !error.hints.is_empty() {
                // Hints name commands; to an agent they are tools.
                let hints = error.hints.iter().map(|hint| hint.replace("`lore ", "`"));
                fields.insert("hints".to_owned(), hints.collect());
            }
        }
    }
    fields.insert("metadata".to_owned(), Value::Object(metadata));
    Value::Object(fields)
}

/// The code of a failure.
pub fn code_of(error: &OpError) -> &'static str {
    let given = error.detail.as_ref().and_then(|detail| detail.code);
    given.unwrap_or(match error.kind {
        ErrorKind::Invalid => code::VALIDATION_ERROR,
        ErrorKind::NotFound => code::NOT_FOUND,
        ErrorKind::Unavailable => code::UNAVAILABLE,
        ErrorKind::Refused => code::INVALID_OPERATION,
        ErrorKind::Cancelled | ErrorKind::Closed | ErrorKind::Internal => code::INTERNAL_ERROR,
    })
}

/// Lists of which items may be left out, the ones that can be asked for again page by page first.
const LISTS: [&str; 8] = [
    "changelog",
    "items",
    "entries",
    "orphanAtoms",
    "atoms",
    "molecules",
    "tasks",
    "features",
];
/// Texts that are asked for again one by one, and what says how long they are.
const TEXTS: [(&str, &str); 2] = [("knowledge", "knowledgeBytes"), ("content", "contentBytes")];

/// Data of at most so many bytes if leaving out whole items and whole texts makes it so, and what was left out. One thing alone is never cut.
fn fitted(mut data: Value, most: usize) -> (Value, Vec<String>) {
    let mut left_out = Vec::new();
    if written(&data) <= most || is_one_thing(&data) {
        return (data, left_out);
    }
    for name in LISTS {
        let over = written(&data).saturating_sub(most);
        if over == 0 {
            return (data, left_out);
        }
        let dropped = drop_items(&mut data, name, over);
        if dropped > 0 {
            left_out.push(format!("{dropped} of {name}"));
        }
    }
    if let Value::Array(items) = &mut data {
        let all = items.len();
        while items.len() > 1 && written_items(items) > most {
            items.pop();
        }
        if items.len() < all {
            left_out.push(format!("{} of {all} items", all - items.len()));
        }
    }
    for (name, bytes) in TEXTS {
        if written(&data) <= most {
            break;
        }
        let dropped = drop_texts(&mut data, name, bytes);
        if dropped > 0 {
            left_out.push(format!("{name} of {dropped}"));
        }
    }
    (data, left_out)
}

fn is_one_thing(data: &Value) -> bool {
    data.get("atom").is_some() || data.get("entry").is_some()
}

fn written(data: &Value) -> usize {
    serde_json::to_vec(data).map_or(0, |text| text.len())
}

fn written_items(items: &[Value]) -> usize {
    items.iter().map(|item| written(item) + 1).sum()
}

/// Drops items from the end of every list of a name until so many bytes are saved; each list keeps one.
fn drop_items(data: &mut Value, name: &str, over: usize) -> usize {
    fn walk(data: &mut Value, name: &str, over: &mut usize, dropped: &mut usize) {
        match data {
            Value::Object(fields) => {
                for (field, value) in fields.iter_mut() {
                    if field == name
                        && let Value::Array(items) = value
                    {
                        while *over > 0 && items.len() > 1 {
                            let Some(item) = items.pop() else { break };
                            *over = over.saturating_sub(written(&item) + 1);
                            *dropped += 1;
                        }
                    }
                    walk(value, name, over, dropped);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| walk(item, name, over, dropped)),
            _ => {}
        }
    }
    let (mut over, mut dropped) = (over, 0);
    walk(data, name, &mut over, &mut dropped);
    dropped
}

/// Replaces every text of a name by its length.
fn drop_texts(data: &mut Value, name: &str, bytes: &str) -> usize {
    match data {
        Value::Object(fields) => {
            let mut dropped = 0;
            if let Some(Value::String(text)) = fields.get(name)
                && text.len() > 2 * bytes.len()
            {
                let length = json!(text.len());
                fields.remove(name);
                fields.insert(bytes.to_owned(), length);
                dropped += 1;
            }
            let below = fields.values_mut().map(|value| drop_texts(value, name, bytes));
            dropped + below.sum::<usize>()
        }
        Value::Array(items) => items.iter_mut().map(|item| drop_texts(item, name, bytes)).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::seam::world::World;

    fn ctx() -> Ctx {
        let world = World {
            now_ms: 1_794_816_000_007,
            ..World::default()
        };
        Arc::new(world).ctx()
    }

    fn metadata() -> Value {
        json!({"timestamp": "2026-11-16T08:00:00.007Z", "version": "1.0.0"})
    }

    #[test]
    fn c1_success_has_message_data_and_metadata() {
        for data in [json!(null), json!([1]), json!({"task": {"id": "x"}})] {
            let told = json!({"message": "task created successfully", "data": data});
            let told = envelope(&ctx(), Ok(told), usize::MAX);
            let wanted = json!({
                "success": true,
                "message": "task created successfully",
                "data": data,
                "metadata": metadata(),
            });
            assert_eq!(told, wanted);
        }
    }

    #[test]
    fn c2_failure_has_a_code_and_what_goes_with_it() {
        let error = OpError::new(ErrorKind::Refused, "somebody else wrote it")
            .said("Version conflict: expected 1, current version is 3")
            .code(code::CONFLICT)
            .data(json!({"currentVersion": 3}))
            .hint("read it again with `lore memory atom show`");
        let told = envelope(&ctx(), Err(&error), usize::MAX);
        let wanted = json!({
            "success": false,
            "message": "Version conflict: expected 1, current version is 3",
            "error": "CONFLICT",
            "data": {"currentVersion": 3},
            "hints": ["read it again with `memory atom show`"],
            "metadata": metadata(),
        });
        assert_eq!(told, wanted);
    }

    #[test]
    fn c2_every_kind_of_failure_has_a_code() {
        for (kind, code) in [
            (ErrorKind::Invalid, "VALIDATION_ERROR"),
            (ErrorKind::NotFound, "NOT_FOUND"),
            (ErrorKind::Unavailable, "UNAVAILABLE"),
            (ErrorKind::Refused, "INVALID_OPERATION"),
            (ErrorKind::Internal, "INTERNAL_ERROR"),
        ] {
            assert_eq!(code_of(&OpError::new(kind, "no")), code);
        }
    }

    #[test]
    fn whole_items_and_whole_texts_are_left_out_and_that_is_said() {
        let atom = |name: &str| json!({"name": name, "knowledge": "k".repeat(100)});
        let told = json!({"message": "", "data": {"items": [atom("a"), atom("b"), atom("c")]}});
        let told = |most: usize| envelope(&ctx(), Ok(told.clone()), most);
        assert_eq!(told(1_000)["metadata"].get("leftOut"), None);
        let cut = told(300);
        assert_eq!(cut["data"]["items"], json!([atom("a"), atom("b")]));
        assert_eq!(cut["metadata"]["leftOut"], json!(["1 of items"]));
        let cut = told(80);
        assert_eq!(cut["data"]["items"], json!([{"name": "a", "knowledgeBytes": 100}]));
        assert_eq!(cut["metadata"]["leftOut"], json!(["2 of items", "knowledge of 1"]));
    }

    #[test]
    fn one_atom_is_never_cut() {
        let data = json!({"atom": {"knowledge": "k".repeat(40_000)}, "changelog": [1, 2]});
        let told = envelope(&ctx(), Ok(json!({"message": "", "data": data})), 600);
        assert_eq!(told["data"], data);
    }
}
