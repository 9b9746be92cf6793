//! What the conformance suite wants to find on a server, as data: its tools, prompts and resources, and what each answers.

use serde_json::{Value, json};

/// The smallest picture and the smallest sound, in base64.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/// What a tool of the suite does.
pub(crate) enum Act {
    /// It answers.
    Answer(Value),
    /// It tells how far it is, then answers.
    Progress,
    /// It writes to the client's log if the client wants that, then answers.
    Log,
    /// It needs a client that can sample.
    NeedSampling,
    /// It asks the client something in the middle of the call, as was done before 2026-07-28.
    Ask(Value),
    /// It asks by an answer that wants input, as is done since.
    Input(Input),
}

/// What is asked, round by round: requests by their keys.
pub(crate) struct Input {
    pub(crate) rounds: Vec<Value>,
    /// Whether the round is kept in a state that the client carries.
    pub(crate) with_state: bool,
}

impl Input {
    fn once(requests: Value) -> Self {
        Self {
            rounds: vec![requests],
            with_state: false,
        }
    }

    fn with_state(rounds: Vec<Value>) -> Self {
        Self {
            rounds,
            with_state: true,
        }
    }
}

/// The tools that answer without a word to the client, then all others.
const PLAIN: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "json_schema_2020_12_tool",
];
const TALKING: &[&str] = &[
    "test_tool_with_progress",
    "test_logging_tool",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

/// The tools as they are listed.
pub(crate) fn tools() -> Value {
    PLAIN.iter().chain(TALKING).map(|name| tool(name)).collect()
}

fn tool(name: &str) -> Value {
    let schema = match name {
        "test_sampling" => json!({ "type": "object", "properties": { "prompt": { "type": "string" } } }),
        "test_elicitation" => json!({ "type": "object", "properties": { "message": { "type": "string" } } }),
        "json_schema_2020_12_tool" => json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": { "$anchor": "address", "type": "object", "properties": { "city": { "type": "string" } } },
            },
            "properties": { "address": { "$ref": "#/$defs/address" }, "kind": { "type": "string" } },
            "allOf": [{ "anyOf": [{ "required": ["address"] }, { "required": ["kind"] }] }],
            "if": { "properties": { "kind": { "const": "post" } }, "required": ["kind"] },
            "then": { "required": ["address"] },
            "else": { "maxProperties": 2 },
            "additionalProperties": false,
        }),
        _ => json!({ "type": "object", "properties": {} }),
    };
    json!({ "name": name, "description": "A fixture of the conformance suite", "inputSchema": schema })
}

/// What a tool does, if it is one of the suite's; `argument` reads an argument that is a text.
pub(crate) fn act(name: &str, argument: impl Fn(&str) -> String) -> Option<Act> {
    let answer = |content: Value| Act::Answer(complete(json!({ "content": content })));
    Some(match name {
        "test_simple_text" | "json_schema_2020_12_tool" => answer(json!([text("a text")])),
        "test_image_content" => answer(json!([image()])),
        "test_audio_content" => answer(json!([{ "type": "audio", "data": WAV, "mimeType": "audio/wav" }])),
        "test_embedded_resource" => answer(json!([embedded("test://embedded-resource")])),
        "test_multiple_content_types" => answer(json!([
            text("a text"),
            image(),
            embedded("test://mixed-content-resource")
        ])),
        "test_error_handling" => Act::Answer(complete(
            json!({ "content": [text("this tool always fails")], "isError": true }),
        )),
        "test_tool_with_progress" => Act::Progress,
        "test_logging_tool" => Act::Log,
        "test_missing_capability" => Act::NeedSampling,
        "test_sampling" => Act::Ask(sampling(&argument("prompt"))),
        "test_elicitation" => Act::Ask(elicitation(
            &argument("message"),
            &json!({ "username": { "type": "string" }, "email": { "type": "string", "format": "email" } }),
        )),
        "test_elicitation_sep1034_defaults" => Act::Ask(elicitation("Is this right?", &defaults())),
        "test_elicitation_sep1330_enums" => Act::Ask(elicitation("Which ones?", &choices())),
        "test_input_required_result_elicitation" => Act::Input(Input::once(json!({ "user_name": name_asked() }))),
        "test_input_required_result_sampling" => Act::Input(Input::once(json!({
            "capital_question": sampling("What is the capital of France?"),
        }))),
        "test_input_required_result_list_roots" => Act::Input(Input::once(json!({ "client_roots": roots() }))),
        "test_input_required_result_capabilities" => Act::Input(Input::once(json!({
            "user_name": name_asked(),
            "greeting": sampling("Say hello"),
            "client_roots": roots(),
        }))),
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state"
        | "test_streaming_elicitation" => Act::Input(Input::with_state(vec![json!({
            "confirm": elicitation("Go on?", &json!({ "ok": { "type": "boolean" } })),
        })])),
        "test_input_required_result_multiple_inputs" => Act::Input(Input::with_state(vec![json!({
            "user_name": name_asked(),
            "greeting": sampling("Say hello"),
            "client_roots": roots(),
        })])),
        "test_input_required_result_multi_round" => Act::Input(Input::with_state(vec![
            json!({ "step1": name_asked() }),
            json!({ "step2": elicitation("Which colour?", &json!({ "color": { "type": "string" } })) }),
        ])),
        _ => return None,
    })
}

/// A result that is one, as it is said since 2026-07-28.
pub(crate) fn complete(mut result: Value) -> Value {
    result["resultType"] = "complete".into();
    result
}

pub(crate) fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

fn embedded(uri: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": "text/plain", "text": "an embedded text" } })
}

fn sampling(prompt: &str) -> Value {
    let message = json!({ "role": "user", "content": text(prompt) });
    json!({ "method": "sampling/createMessage", "params": { "messages": [message], "maxTokens": 100 } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

fn name_asked() -> Value {
    elicitation("What is your name?", &json!({ "name": { "type": "string" } }))
}

fn elicitation(message: &str, properties: &Value) -> Value {
    let names: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    let schema = json!({ "type": "object", "properties": properties, "required": names });
    json!({ "method": "elicitation/create", "params": { "mode": "form", "message": message, "requestedSchema": schema } })
}

/// A field of each primitive type with its default.
fn defaults() -> Value {
    json!({
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true },
    })
}

/// Each way to let somebody choose.
fn choices() -> Value {
    let options = json!(["option1", "option2", "option3"]);
    let titled = json!([{ "const": "value1", "title": "First" }, { "const": "value2", "title": "Second" }]);
    json!({
        "untitledSingle": { "type": "string", "enum": options },
        "titledSingle": { "type": "string", "oneOf": titled },
        "legacyEnum": { "type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"] },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled } },
    })
}

/// The resources as they are listed.
pub(crate) fn resources() -> Value {
    json!([
        { "uri": "test://static-text", "name": "static-text", "description": "A text", "mimeType": "text/plain" },
        { "uri": "test://static-binary", "name": "static-binary", "description": "A picture", "mimeType": "image/png" },
    ])
}

/// The templates as they are listed.
pub(crate) fn templates() -> Value {
    json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "What belongs to a number",
        "mimeType": "application/json",
    }])
}

/// What a resource holds, if it is one of the suite's.
pub(crate) fn read(uri: &str) -> Option<Value> {
    let numbered = uri
        .strip_prefix("test://template/")
        .and_then(|rest| rest.strip_suffix("/data"));
    let content = match (uri, numbered) {
        ("test://static-text", _) => json!({ "uri": uri, "mimeType": "text/plain", "text": "a text that stays" }),
        ("test://static-binary", _) => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG }),
        (_, Some(id)) => {
            json!({ "uri": uri, "mimeType": "application/json", "text": json!({ "id": id }).to_string() })
        }
        _ => return None,
    };
    Some(complete(json!({ "contents": [content] })))
}

/// The prompts as they are listed.
pub(crate) fn prompts() -> Value {
    let argument = |name: &str| json!({ "name": name, "description": "Any text", "required": true });
    let prompt = |name: &str, arguments: Value| json!({ "name": name, "description": "A fixture of the conformance suite", "arguments": arguments });
    json!([
        prompt("test_simple_prompt", json!([])),
        prompt(
            "test_prompt_with_arguments",
            json!([argument("arg1"), argument("arg2")])
        ),
        prompt("test_prompt_with_embedded_resource", json!([argument("resourceUri")])),
        prompt("test_prompt_with_image", json!([])),
        prompt("test_input_required_result_prompt", json!([])),
    ])
}

/// What a prompt says, or what it has to know first, if it is one of the suite's.
pub(crate) fn prompt(name: &str, argument: impl Fn(&str) -> String) -> Option<Act> {
    let said = |contents: &[Value]| {
        let messages: Vec<Value> = contents
            .iter()
            .map(|content| json!({ "role": "user", "content": content }))
            .collect();
        Act::Answer(complete(json!({ "messages": messages })))
    };
    Some(match name {
        "test_simple_prompt" => said(&[text("a prompt")]),
        "test_prompt_with_arguments" => said(&[text(&format!("{} and {}", argument("arg1"), argument("arg2")))]),
        "test_prompt_with_embedded_resource" => said(&[embedded(&argument("resourceUri")), text("read this")]),
        "test_prompt_with_image" => said(&[image(), text("look at this")]),
        "test_input_required_result_prompt" => Act::Input(Input::once(json!({
            "user_context": elicitation("In which context?", &json!({ "context": { "type": "string" } })),
        }))),
        _ => return None,
    })
}
