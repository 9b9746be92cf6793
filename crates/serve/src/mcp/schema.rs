//! Schemas as agents are shown them: short, without references, alternatives for nothing, or words that only programs need. An agent pays for every
//! byte of the list of tools in each of its conversations.

use lore_seam::arguments;
use serde_json::{Map, Value, json};

use super::view::{ANNOTATION, AT, UNTRUSTED, shortened};

/// The word under which a schema says what an argument is for agents that do not give it.
pub(super) const DEFAULT: &str = "x-agents-default";
/// The word under which a schema says that agents are shown a list of this type, where more is understood.
const LIST_OF: &str = "x-agents-type";
/// Choices above which an argument is shown as any text; a wrong one is answered with all of them.
const MOST_CHOICES: usize = 10;

/// The schema of a request.
pub(super) fn input(schema: &Value) -> Map<String, Value> {
    let mut properties = Map::new();
    for (name, property) in arguments(schema) {
        if property.get(ANNOTATION).and_then(Value::as_str) == Some("omit") {
            continue;
        }
        properties.insert(name.clone(), argument(property, schema));
    }
    let mut input = Map::new();
    input.insert("type".to_owned(), json!("object"));
    input.insert("properties".to_owned(), Value::Object(properties));
    let required = required(schema);
    if !required.is_empty() {
        input.insert("required".to_owned(), json!(required));
    }
    input
}

/// The arguments that have to be given, those of flattened parts included.
fn required(schema: &Value) -> Vec<&str> {
    let referred = schema.get("$ref").and_then(Value::as_str);
    let target = referred.and_then(|name| schema.pointer(name.trim_start_matches('#')));
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let own = std::iter::once(schema).chain(target).chain(parts);
    let names = own.filter_map(|part| part.get("required")?.as_array()).flatten();
    names.filter_map(Value::as_str).collect()
}

/// The schema of one value as agents read it: the names and types of its fields.
pub(super) fn output(schema: &Value) -> Map<String, Value> {
    let mut properties = Map::new();
    for (name, property) in arguments(schema) {
        match property.get(ANNOTATION).and_then(Value::as_str).unwrap_or_default() {
            "omit" => {}
            "untrusted" => drop(properties.insert(format!("{UNTRUSTED}{name}"), json!({ "type": "string" }))),
            annotation if annotation.starts_with("at ") => {
                drop(properties.insert(AT.to_owned(), json!({ "type": "string" })))
            }
            _ => {
                // A schema that allows any type is left out.
                if let Some(kind) = kind(property, schema) {
                    properties.insert(name.clone(), json!({ "type": kind }));
                }
            }
        }
    }
    let mut output = Map::new();
    output.insert("type".to_owned(), json!("object"));
    if !properties.is_empty() {
        output.insert("properties".to_owned(), Value::Object(properties));
    }
    output
}

/// The schema of rows.
pub(super) fn rows() -> Map<String, Value> {
    let rows = json!({
        "type": "object",
        "properties": { "rows": { "type": "array" } },
        "required": ["rows"],
    });
    match rows {
        Value::Object(rows) => rows,
        _ => Map::new(),
    }
}

/// The schema of a specification's envelope, whose content the specification defines.
pub(super) fn envelope() -> Map<String, Value> {
    match json!({ "type": "object", "required": ["success"] }) {
        Value::Object(envelope) => envelope,
        _ => Map::new(),
    }
}

/// One argument: its type, what it may be, and one sentence about it.
fn argument(property: &Value, root: &Value) -> Value {
    let mut shown = Map::new();
    let target = resolved(property, root);
    // There are clients that want a type of everything; what may be of any is shown as text.
    match property.get(LIST_OF) {
        Some(items) => {
            shown.insert("type".to_owned(), json!("array"));
            shown.insert("items".to_owned(), json!({ "type": items }));
        }
        None => drop(shown.insert(
            "type".to_owned(),
            json!(kind(property, root).unwrap_or_else(|| "string".to_owned())),
        )),
    }
    let choices = choices(target, root);
    if !choices.is_empty() && choices.len() <= MOST_CHOICES {
        shown.insert("enum".to_owned(), json!(choices));
    }
    if let Some(items) = target.get("items") {
        shown.insert("items".to_owned(), without_sentence(argument(items, root)));
    }
    let default = property
        .get(DEFAULT)
        .or_else(|| property.get("default"))
        .or_else(|| target.get("default"));
    if let Some(default) = default.filter(|default| tells(default)) {
        shown.insert("default".to_owned(), short(default.clone()));
    }
    if let Some(text) = property.get("description").and_then(Value::as_str) {
        shown.insert("description".to_owned(), json!(sentence(text)));
    }
    Value::Object(shown)
}

fn without_sentence(mut schema: Value) -> Value {
    if let Value::Object(fields) = &mut schema {
        fields.remove("description");
    }
    schema
}

/// A number as it was written, not as it became in twice as many bits.
fn short(default: Value) -> Value {
    match default {
        Value::Number(number) => shortened(number),
        other => other,
    }
}

/// Whether a default says more than that there is none.
fn tells(default: &Value) -> bool {
    match default {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// What a schema refers to, or the one alternative that is not nothing.
fn resolved<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    if let Some(target) = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|name| root.pointer(name.trim_start_matches('#')))
    {
        return resolved(target, root);
    }
    let alternatives = ["anyOf", "oneOf"]
        .into_iter()
        .find_map(|word| schema.get(word)?.as_array());
    let mut real = alternatives
        .into_iter()
        .flatten()
        .filter(|alternative| alternative.get("type").and_then(Value::as_str) != Some("null"));
    match (real.next(), real.next()) {
        (Some(only), None) => resolved(only, root),
        _ => schema,
    }
}

/// The type of a value, if it is one.
fn kind(schema: &Value, root: &Value) -> Option<String> {
    let schema = resolved(schema, root);
    match schema.get("type") {
        Some(Value::String(kind)) => Some(kind.clone()),
        Some(Value::Array(kinds)) => {
            let mut real = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            match (real.next(), real.next()) {
                (Some(only), None) => Some(only.to_owned()),
                _ => None,
            }
        }
        _ => (!choices(schema, root).is_empty()).then(|| "string".to_owned()),
    }
}

/// The words that an argument may be.
fn choices(schema: &Value, root: &Value) -> Vec<String> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let alternatives = schema
        .get("oneOf")
        .or_else(|| schema.get("anyOf"))
        .and_then(Value::as_array);
    let each = alternatives.into_iter().flatten().map(|alternative| {
        let alternative = resolved(alternative, root);
        match alternative.get("const").and_then(Value::as_str) {
            Some(word) => vec![word.to_owned()],
            None => alternative
                .get("enum")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
        }
    });
    each.flatten().collect()
}

/// The first sentence, or its main clause, on one line.
fn sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or(text);
    let line = lore_model::fold_whitespace(paragraph).replace(" (repeatable)", "");
    let end = [". ", "; "].iter().filter_map(|end| line.find(end)).min();
    line[..end.unwrap_or(line.len())].trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, schema_for};
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Request {
        /// The name. It may be
        /// qualified.
        name: String,
        /// How it has to match
        #[serde(default)]
        how: How,
        /// Only these
        #[serde(default)]
        kinds: Vec<How>,
        /// At most
        #[serde(default = "fifty")]
        limit: usize,
        #[serde(default)]
        revision: Option<String>,
        /// Never mind
        #[serde(default)]
        #[schemars(extend("x-agents" = "omit"))]
        hidden: bool,
    }

    fn fifty() -> usize {
        50
    }

    #[derive(Serialize, Deserialize, JsonSchema, Default)]
    #[serde(rename_all = "lowercase")]
    enum How {
        /// Any
        #[default]
        Auto,
        /// All of it
        Exact,
    }

    #[test]
    fn arguments_are_short_and_need_no_references() {
        assert_eq!(
            Value::Object(input(schema_for!(Request).as_value())),
            json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "The name"},
                    "how": {"type": "string", "enum": ["auto", "exact"], "default": "auto", "description": "How it has to match"},
                    "kinds": {"type": "array", "items": {"type": "string", "enum": ["auto", "exact"]}, "description": "Only these"},
                    "limit": {"type": "integer", "default": 50, "description": "At most"},
                    "revision": {"type": "string"},
                },
                "required": ["name"],
            })
        );
    }
}
