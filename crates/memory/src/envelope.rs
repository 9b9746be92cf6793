//! The form of every answer of a memory tool: success or failure, a message, data or a code, and when it was. Nothing of it is shortened: a text that was cut
//! would be written back cut.

use lore_base::time::date_time_ms;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use lore_seam::{Ctx, ErrorKind, FailureCode, OpError, Page, Render, Value as Answer};

/// The version of the form.
pub const VERSION: &str = "1.0.0";

/// The codes of failures, all that there are.
pub mod code {
    use lore_seam::FailureCode;

    /// Bad input.
    pub const VALIDATION_ERROR: FailureCode = FailureCode::ValidationError;
    /// What was named does not exist.
    pub const NOT_FOUND: FailureCode = FailureCode::NotFound;
    /// Somebody else wrote it in the meantime, or the place is taken.
    pub const CONFLICT: FailureCode = FailureCode::Conflict;
    /// It would break what always holds.
    pub const INVARIANT_VIOLATION: FailureCode = FailureCode::InvariantViolation;
    /// It cannot be done in this state.
    pub const INVALID_OPERATION: FailureCode = FailureCode::InvalidOperation;
    /// Something else has to happen first.
    pub const BLOCKED: FailureCode = FailureCode::Blocked;
    /// Others are part of it.
    pub const HAS_CHILDREN: FailureCode = FailureCode::HasChildren;
    /// The name is taken.
    pub const DUPLICATE_NAME: FailureCode = FailureCode::DuplicateName;
    /// The template is neither changed nor deleted.
    pub const PROTECTED_TEMPLATE: FailureCode = FailureCode::ProtectedTemplate;
    /// The template is not applied.
    pub const TEMPLATE_DISABLED: FailureCode = FailureCode::TemplateDisabled;
    /// The template is for something else.
    pub const ENTITY_TYPE_MISMATCH: FailureCode = FailureCode::EntityTypeMismatch;
    /// It would wait for itself.
    pub const CIRCULAR_DEPENDENCY: FailureCode = FailureCode::CircularDependency;
    /// The store cannot be used now.
    pub const UNAVAILABLE: FailureCode = FailureCode::Unavailable;
    /// A defect of Lore's own.
    pub const INTERNAL_ERROR: FailureCode = FailureCode::InternalError;
}

/// What a memory tool answers, before it is put into the form.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ToolAnswer {
    /// What was done, in a sentence.
    pub message: String,
    /// What was asked for.
    pub data: Value,
}

impl ToolAnswer {
    /// The answer of a tool that did what it was asked.
    pub fn answer(message: impl Into<String>, data: impl Serialize) -> Result<Answer<Self>, OpError> {
        let data = serde_json::to_value(data).map_err(|error| {
            let message = format!("the answer cannot be written as JSON: {error}");
            OpError::new(ErrorKind::Internal, message).because(error)
        })?;
        Ok(Answer::yes(Self {
            message: message.into(),
            data,
        }))
    }
}

impl Render for ToolAnswer {
    fn render(&self, page: &mut Page) {
        page.text(&self.message);
        page.line(format_args!(""));
        if !self.data.is_null() {
            page.json(&format!("{:#}\n", self.data));
        }
    }
}

/// Now, as it is written everywhere: UTC with three digits of milliseconds.
pub fn now(ctx: &Ctx) -> String {
    date_time_ms(ctx.ports.clock.now_ms())
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
                Value::Object(mut told) if told.contains_key("message") && told.contains_key("data") => (
                    told.remove("message").unwrap_or_default(),
                    told.remove("data").unwrap_or_default(),
                ),
                other => (Value::String(String::new()), other),
            };
            fields.insert("success".to_owned(), json!(true));
            fields.insert("message".to_owned(), message);
            let (data, left_out) = fitted(data, most);
            fields.insert("data".to_owned(), data);
            if !left_out.said.is_empty() {
                metadata.insert("leftOut".to_owned(), json!(left_out.said));
            }
            if !left_out.ids.is_empty() {
                metadata.insert("leftOutIds".to_owned(), json!(left_out.ids));
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

/// The name of the code of a failure.
pub fn code_of(error: &OpError) -> &'static str {
    failure(error).name()
}

/// The code of a failure: the one that it was given, or the one of its kind.
pub fn failure(error: &OpError) -> FailureCode {
    let given = error.detail.as_ref().and_then(|detail| detail.code);
    given.unwrap_or(match error.kind {
        ErrorKind::Invalid | ErrorKind::Ambiguous => code::VALIDATION_ERROR,
        ErrorKind::NotFound => code::NOT_FOUND,
        ErrorKind::Refused => code::INVALID_OPERATION,
        // Somebody who stopped a request found no defect.
        ErrorKind::Unavailable | ErrorKind::Cancelled | ErrorKind::Closed => code::UNAVAILABLE,
        ErrorKind::Internal => code::INTERNAL_ERROR,
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

/// Identifiers of what was left out that are told.
const MOST_IDS: usize = 100;

/// What was left out of an answer.
#[derive(Default)]
struct LeftOut {
    said: Vec<String>,
    /// Which things, so that each can be asked for.
    ids: Vec<Value>,
}

/// Data of at most so many bytes if leaving out whole items and whole texts makes it so, and what was left out. One text alone is never cut. Long texts go
/// before items do: what is left says how long they are, and by its id each is had again.
fn fitted(mut data: Value, most: usize) -> (Value, LeftOut) {
    let mut left_out = LeftOut::default();
    let mut lengths = Vec::new();
    let whole = written(&data);
    if whole <= most || data.get("atom").is_some() || data.get("entry").is_some() {
        return (data, left_out);
    }
    text_lengths(&data, &mut lengths);
    if lengths.len() <= 1 && !has_lists(&data) {
        return (data, left_out);
    }
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    let mut over = whole - most;
    let mut long = Long {
        longer_than: usize::MAX,
        and_so_many: 0,
    };
    for length in lengths.iter().copied().take_while(|length| *length > most / 8) {
        if over == 0 || lengths.len() == 1 {
            break;
        }
        over = over.saturating_sub(length);
        long = Long {
            longer_than: length,
            and_so_many: if long.longer_than == length {
                long.and_so_many
            } else {
                0
            } + 1,
        };
    }
    for (name, bytes) in TEXTS {
        let dropped = drop_texts(&mut data, name, bytes, &mut long);
        if dropped > 0 {
            left_out.said.push(format!("{name} of {dropped}"));
        }
    }
    for name in LISTS {
        let over = written(&data).saturating_sub(most);
        if over == 0 {
            return (data, left_out);
        }
        let dropped = drop_items(&mut data, name, over, &mut left_out.ids);
        if dropped > 0 {
            left_out.said.push(format!("{dropped} of {name}"));
        }
    }
    if let Value::Array(items) = &mut data {
        let all = items.len();
        while items.len() > 1 && written_items(items) > most {
            left_out.take(items.pop());
        }
        if items.len() < all {
            left_out.said.push(format!("{} of {all} items", all - items.len()));
        }
    }
    (data, left_out)
}

impl LeftOut {
    fn take(&mut self, item: Option<Value>) {
        take_id(&mut self.ids, item.as_ref());
    }
}

fn take_id(ids: &mut Vec<Value>, item: Option<&Value>) {
    let id = item.and_then(|item| item.get("id"));
    if let Some(id) = id.filter(|_| ids.len() < MOST_IDS) {
        ids.push(id.clone());
    }
}

/// Whether there is a list of which items may be left out, with more than one item.
fn has_lists(data: &Value) -> bool {
    match data {
        Value::Object(fields) => fields.iter().any(|(name, value)| {
            let items = value.as_array().filter(|_| LISTS.contains(&name.as_str()));
            items.is_some_and(|items| items.len() > 1) || has_lists(value)
        }),
        Value::Array(items) => items.len() > 1 || items.iter().any(has_lists),
        _ => false,
    }
}

/// How long the texts are.
fn text_lengths(data: &Value, lengths: &mut Vec<usize>) {
    match data {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if TEXTS.iter().any(|(known, _)| known == name) => lengths.push(text.len()),
                    value => text_lengths(value, lengths),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| text_lengths(item, lengths)),
        _ => {}
    }
}

fn written(data: &Value) -> usize {
    serde_json::to_vec(data).map_or(0, |text| text.len())
}

fn written_items(items: &[Value]) -> usize {
    items.iter().map(|item| written(item) + 1).sum()
}

/// Drops items from the end of every list of a name until so many bytes are saved; each list keeps one.
fn drop_items(data: &mut Value, name: &str, over: usize, ids: &mut Vec<Value>) -> usize {
    fn walk(data: &mut Value, name: &str, over: &mut usize, dropped: &mut usize, ids: &mut Vec<Value>) {
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
                            take_id(ids, Some(&item));
                        }
                    }
                    walk(value, name, over, dropped, ids);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| walk(item, name, over, dropped, ids)),
            _ => {}
        }
    }
    let (mut over, mut dropped) = (over, 0);
    walk(data, name, &mut over, &mut dropped, ids);
    dropped
}

/// Which texts are left out: those that are longer, and of those that are just so long the last so many.
struct Long {
    longer_than: usize,
    and_so_many: usize,
}

/// Replaces the long ones of the texts of a name by their length.
fn drop_texts(data: &mut Value, name: &str, bytes: &str, long: &mut Long) -> usize {
    match data {
        Value::Object(fields) => {
            let mut dropped = 0;
            let length = fields.get(name).and_then(Value::as_str).map(str::len);
            let is_long = length.is_some_and(|length| {
                let is_last = length == long.longer_than && long.and_so_many > 0;
                long.and_so_many -= usize::from(is_last);
                length > long.longer_than || is_last
            });
            if is_long {
                let length = json!(length);
                fields.remove(name);
                fields.insert(bytes.to_owned(), length);
                dropped += 1;
            }
            for value in fields.values_mut() {
                dropped += drop_texts(value, name, bytes, long);
            }
            dropped
        }
        Value::Array(items) => items
            .iter_mut()
            .rev()
            .map(|item| drop_texts(item, name, bytes, long))
            .sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use lore_seam::world::World;

    fn ctx() -> Ctx {
        let world = World {
            now_ms: 1_794_816_000_007,
            ..crate::testing::world()
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
        let error = OpError::new(ErrorKind::Refused, "it was changed in the meantime")
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
            (ErrorKind::Ambiguous, "VALIDATION_ERROR"),
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
        let atom = |name: &str| json!({"id": name, "knowledge": "k".repeat(100)});
        let told = json!({"message": "", "data": {"items": [atom("a"), atom("b"), atom("c")]}});
        let told = |most: usize| envelope(&ctx(), Ok(told.clone()), most);
        assert_eq!(told(1_000)["metadata"].get("leftOut"), None);
        let cut = told(300);
        let short = |name: &str| json!({"id": name, "knowledgeBytes": 100});
        assert_eq!(cut["data"]["items"], json!([atom("a"), atom("b"), short("c")]));
        assert_eq!(cut["metadata"]["leftOut"], json!(["knowledge of 1"]));
        let cut = told(80);
        assert_eq!(cut["data"]["items"], json!([short("a"), short("b")]));
        assert_eq!(cut["metadata"]["leftOut"], json!(["knowledge of 3", "1 of items"]));
        assert_eq!(cut["metadata"]["leftOutIds"], json!(["c"]));
    }

    #[test]
    fn one_text_alone_is_never_left_out_and_a_long_one_hides_no_short_ones() {
        let told = |data: Value| envelope(&ctx(), Ok(json!({"message": "", "data": data})), 1_000);
        let section = json!({"sections": [{"id": "s", "content": "c".repeat(5_000)}]});
        assert_eq!(told(section.clone())["data"], section);
        let atom = |id: &str, length: usize| json!({"id": id, "knowledge": "k".repeat(length)});
        let orphans = json!({"orphanAtoms": [atom("a", 10), atom("b", 5_000), atom("c", 20)]});
        let cut = told(orphans);
        assert_eq!(
            cut["data"]["orphanAtoms"],
            json!([atom("a", 10), {"id": "b", "knowledgeBytes": 5_000}, atom("c", 20)])
        );
        // What has no message of its own is data as it is.
        assert_eq!(
            envelope(&ctx(), Ok(json!({"checked": 1})), 1_000)["data"],
            json!({"checked": 1})
        );
    }

    #[test]
    fn one_atom_is_never_cut() {
        let data = json!({"atom": {"knowledge": "k".repeat(40_000)}, "changelog": [1, 2]});
        let told = envelope(&ctx(), Ok(json!({"message": "", "data": data})), 600);
        assert_eq!(told["data"], data);
    }
}
