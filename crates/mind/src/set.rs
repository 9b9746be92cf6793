//! `lore mind set`: sets one property of a node that exists (clauses C15, Amend6).

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
/// The value is text; --json-value takes any JSON value. The node must exist.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore mind set task:login status done
  lore mind set task:login estHours --json-value 3
  lore mind set task:login note -- --text that starts with a hyphen

Exit status: 0 set or unchanged; 1 there is no such node; 2 the graph could not be written.")]
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

/// The property before and after the change
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindSetAnswer {
    /// The node
    pub id: String,
    /// The property
    pub key: String,
    /// The new value
    #[schemars(with = "serde_json::Value", extend("x-agents" = "omit"))]
    pub value: Json,
    /// The previous value, if any
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub previous: Option<Json>,
    /// Whether the value changed
    pub changed: bool,
    /// The id of the patch; none if nothing changed
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
                let error = invalid(format!("the value is not JSON: {fault}"));
                error.hint("give the value without --json-value to store text")
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

/// A node whose properties people may set: those of an epoch say what the log says.
pub(super) fn own_node<'g>(graph: &'g Graph, id: &NodeId) -> Result<Node<'g>, OpError> {
    let node = arguments::held_node(graph, id)?;
    if node.is_derived() {
        Err(OpError::new(
            ErrorKind::Invalid,
            format!("the properties of `{id}` are read-only"),
        ))
    } else {
        Ok(node)
    }
}

pub(super) fn write_name(page: &mut Page, id: &str, key: &str) {
    page.strong(id);
    page.write(format_args!(" "));
    page.text(key);
}

impl Render for MindSetAnswer {
    fn render(&self, page: &mut Page) {
        write_name(page, &self.id, &self.key);
        page.write(format_args!(" = "));
        page.text(&self.value.canonical());
        match (&self.previous, self.changed) {
            (_, false) => page.write(format_args!("  unchanged")),
            (None, true) => page.write(format_args!("  new")),
            (Some(previous), true) => {
                page.write(format_args!("  was "));
                page.text(&previous.canonical());
            }
        }
        page.line(format_args!(""));
    }
}
