//! `lore mind unset`: removes one property of a node (clauses C15, Amend6).

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arguments;
use crate::changes::Changes;
use crate::set::{own_node, write_name};
use crate::value::Json;
use crate::write::{Wanted, write};
use lore_seam::{Access, Ctx, OpError, Operation, Page, Render, Value};

/// Remove a property of a node of the mind graph
///
/// It is not an error if the property does not exist.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Example:
  lore mind unset task:login status

Exit status: 0 removed, or there was no such property; 1 there is no such node; 2 the graph could not be written.")]
pub struct MindUnsetRequest {
    /// The id of the node
    #[arg(value_name = "ID")]
    pub id: String,
    /// The name of the property
    #[arg(value_name = "KEY")]
    pub key: String,
}

/// The removed property
#[derive(Serialize, JsonSchema, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct MindUnsetAnswer {
    /// The node
    pub id: String,
    /// The property
    pub key: String,
    /// The previous value, if any
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub previous: Option<Json>,
    /// Whether the property existed
    pub removed: bool,
    /// The id of the patch; none if nothing changed
    #[schemars(extend("x-agents" = "omit"))]
    pub patch: Option<String>,
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

impl Render for MindUnsetAnswer {
    fn render(&self, page: &mut Page) {
        write_name(page, &self.id, &self.key);
        match &self.previous {
            None => page.write(format_args!(" does not exist")),
            Some(previous) => {
                page.write(format_args!(" removed  was "));
                page.text(&previous.canonical());
            }
        }
        page.line(format_args!(""));
    }
}
