//! `lore mind set` and `lore mind unset`: one property of a node that is there (clauses C15, Amend6).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments;
use super::changes::Changes;
use super::graph::{Graph, Node};
use super::id::NodeId;
use super::value::{Json, bounded};
use super::write::{Wanted, write};
use lore_seam::{Access, Ctx, ErrorKind, OpError, Operation, Page, Render, Value};

/// Set a property of a node of the mind graph
///
/// The value is a text; --json-value takes any JSON value. The node has to be there.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind set task:login status done
  lore mind set task:login estHours --json-value 3
  lore mind set task:login note -- --a text that begins with a hyphen

Exit status: 0 set, or it was so already; 1 there is no such node; 2 it could not be written.")]
pub struct MindSetRequest {
    /// The id of the node
    #[arg(value_name = "ID")]
    pub id: String,
    /// The name of the property
    #[arg(value_name = "KEY")]
    pub key: String,
    /// The value, as text
    #[arg(
        value_name = "VALUE",
        allow_negative_numbers = true,
        required_unless_present = "json_value"
    )]
    #[serde(default)]
    pub value: Option<String>,
    /// The value, as JSON
    #[arg(long, value_name = "JSON", allow_hyphen_values = true, conflicts_with = "value")]
    #[serde(default)]
    pub json_value: Option<String>,
}

/// Take a property of a node of the mind graph away
///
/// One that is not there is no error. A property that is null is there.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Example:
  lore mind unset task:login status

Exit status: 0 it is gone, or was not there; 1 there is no such node; 2 it could not be written.")]
pub struct MindUnsetRequest {
    /// The id of the node
    #[arg(value_name = "ID")]
    pub id: String,
    /// The name of the property
    #[arg(value_name = "KEY")]
    pub key: String,
}

/// The property before and now
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindSetAnswer {
    /// The node
    pub id: String,
    /// The property
    pub key: String,
    /// Its value now
    #[schemars(with = "serde_json::Value", extend("x-agents" = "omit"))]
    pub value: Json,
    /// Its value before; left out if it had none
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub previous: Option<Json>,
    /// Whether it is another one
    pub changed: bool,
    /// The patch that says so; none if nothing had to be written
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// The property as it was
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindUnsetAnswer {
    /// The node
    pub id: String,
    /// The property
    pub key: String,
    /// Its value before; left out if it had none
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub previous: Option<Json>,
    /// Whether there was something to take away
    pub removed: bool,
    /// The patch that says so; none if nothing had to be written
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
}

/// `lore mind set`.
pub struct MindSet;

impl Operation for MindSet {
    const NAME: &'static str = "mind_set";
    const COMMAND: &'static [&'static str] = &["mind", "set"];
    const ACCESS: Access = Access::Write;
    type Request = MindSetRequest;
    type Answer = Value<MindSetAnswer>;

    fn run(ctx: &Ctx, request: MindSetRequest) -> Result<Value<MindSetAnswer>, OpError> {
        let id = arguments::node_id(&request.id)?;
        let key = arguments::key(&request.key)?;
        let invalid = |message: String| OpError::new(ErrorKind::Invalid, message);
        let value = match (request.value, request.json_value) {
            (Some(text), None) => Json::Text(text.into()),
            (None, Some(text)) => Json::parse(&text).map_err(|fault| {
                let error = invalid(format!("the value is no JSON: {fault}"));
                error.hint("without --json-value it is taken as a text")
            })?,
            (None, None) => return Err(invalid("no value is given".to_owned())),
            (Some(_), Some(_)) => return Err(invalid("two values are given".to_owned())),
        };
        let kept = bounded(&value).map_err(invalid)?;
        let (mut answer, patch) = write(ctx, |graph, now| {
            let node = own_node(graph, &id)?;
            let mut changes = Changes::new();
            changes.put_node(&id, [(key.into(), kept.clone())]);
            let operations = changes.into_operations(graph, now);
            Ok(Wanted {
                subject: format!("mind: set a property of {id}"),
                answer: MindSetAnswer {
                    id: id.to_string(),
                    key: key.to_owned(),
                    value: value.clone(),
                    previous: node.property(key).map(Json::of_canonical),
                    changed: !operations.is_empty(),
                    patch: None,
                },
                operations,
            })
        })?;
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value::yes(answer))
    }
}

/// `lore mind unset`.
pub struct MindUnset;

impl Operation for MindUnset {
    const NAME: &'static str = "mind_unset";
    const COMMAND: &'static [&'static str] = &["mind", "unset"];
    const ACCESS: Access = Access::Write;
    type Request = MindUnsetRequest;
    type Answer = Value<MindUnsetAnswer>;

    fn run(ctx: &Ctx, request: MindUnsetRequest) -> Result<Value<MindUnsetAnswer>, OpError> {
        let id = arguments::node_id(&request.id)?;
        let key = arguments::key(&request.key)?;
        let (mut answer, patch) = write(ctx, |graph, now| {
            let node = own_node(graph, &id)?;
            let mut changes = Changes::new();
            changes.clear_property(&id, key);
            let operations = changes.into_operations(graph, now);
            Ok(Wanted {
                subject: format!("mind: unset a property of {id}"),
                answer: MindUnsetAnswer {
                    id: id.to_string(),
                    key: key.to_owned(),
                    previous: node.property(key).map(Json::of_canonical),
                    removed: !operations.is_empty(),
                    patch: None,
                },
                operations,
            })
        })?;
        answer.patch = patch.map(|patch| patch.to_hex());
        Ok(Value::yes(answer))
    }
}

/// A node whose properties people may set: those of an epoch say what the log says.
fn own_node<'g>(graph: &'g Graph, id: &NodeId) -> Result<Node<'g>, OpError> {
    let node = arguments::held_node(graph, id)?;
    if node.is_derived() {
        Err(OpError::new(
            ErrorKind::Invalid,
            format!("the properties of `{id}` are the system's"),
        ))
    } else {
        Ok(node)
    }
}

fn name(page: &mut Page, id: &str, key: &str) {
    page.strong(id);
    page.write(format_args!(" "));
    page.text(key);
}

impl Render for MindSetAnswer {
    fn render(&self, page: &mut Page) {
        name(page, &self.id, &self.key);
        page.write(format_args!(" = "));
        page.text(&self.value.canonical());
        match (&self.previous, self.changed) {
            (_, false) => page.write(format_args!("  is so already")),
            (None, true) => page.write(format_args!("  new")),
            (Some(previous), true) => {
                page.write(format_args!("  was "));
                page.text(&previous.canonical());
            }
        }
        page.line(format_args!(""));
    }
}

impl Render for MindUnsetAnswer {
    fn render(&self, page: &mut Page) {
        name(page, &self.id, &self.key);
        match &self.previous {
            None => page.write(format_args!(" is not there")),
            Some(previous) => {
                page.write(format_args!(" removed  was "));
                page.text(&previous.canonical());
            }
        }
        page.line(format_args!(""));
    }
}
