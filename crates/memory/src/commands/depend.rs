//! `lore memory depend`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::work_state::entity;
use super::{Answered, TextAnswer, command};
use crate::dependencies::{Ends, set};
use crate::model::LinkType;
use crate::store::reading;
use lore_seam::{Ctx, Value};

/// Add or remove a dependency between two tasks or features of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory depend 5f3a91c2 on 8b12cd34             the second blocks the first
  lore memory depend 5f3a91c2 on 8b12cd34 --relates   they are related; neither blocks the other
  lore memory depend 5f3a91c2 on 8b12cd34 --remove    remove the dependency

Exit status: 0 written; 1 one is unknown, or the dependency would be a cycle; 2 it could not be written.")]
#[serde(default)]
pub struct MemoryDependRequest {
    /// The dependent task or feature: name, id or last digits of the id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The word `on`
    #[arg(value_name = "on", value_parser = ["on"])]
    pub word: String,
    /// The task or feature that it depends on: name, id or last digits of the id
    #[arg(value_name = "OTHER")]
    pub other: String,
    /// They are related; neither blocks the other
    #[arg(long)]
    pub relates: bool,
    /// Remove the dependency
    #[arg(long)]
    pub remove: bool,
}

command!(MemoryDepend(MemoryDependRequest) ["memory", "depend"], Write Value depend);

fn depend(ctx: &Ctx, request: &MemoryDependRequest) -> Answered {
    let (to, from) = reading(ctx, |store| {
        Ok((entity(ctx, store, &request.id)?, entity(ctx, store, &request.other)?))
    })?;
    let ends = Ends {
        from: from.id,
        to: to.id,
        kind: if request.relates {
            LinkType::RelatesTo
        } else {
            LinkType::Blocks
        },
    };
    let (from, to) = set(ctx, ends, !request.remove)?;
    let message = match (request.relates, request.remove) {
        (false, false) => format!("{} depends on {}.", to.name(), from.name()),
        (false, true) => format!("{} no longer depends on {}.", to.name(), from.name()),
        (true, false) => format!("{} and {} are related.", to.name(), from.name()),
        (true, true) => format!("{} and {} are no longer related.", to.name(), from.name()),
    };
    Ok(Value::yes(
        TextAnswer::of(json!({ "from": from, "to": to, "type": ends.kind })).line(message),
    ))
}
