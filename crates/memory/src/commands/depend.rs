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

/// Say that a task or a feature of memory depends on another
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory depend 5f3a91c2 on 8b12cd34             the first waits for the second
  lore memory depend 5f3a91c2 on 8b12cd34 --relates   they have to do with each other
  lore memory depend 5f3a91c2 on 8b12cd34 --remove    no more

Exit status: 0 done; 1 it would wait for itself, or there is none; 2 it could not be done.")]
#[serde(default)]
pub struct MemoryDependRequest {
    /// What depends: its name, its id or the end of it
    #[arg(value_name = "ID")]
    pub id: String,
    /// The word `on`
    #[arg(value_name = "on", value_parser = ["on"])]
    pub word: String,
    /// What it depends on: its name, its id or the end of it
    #[arg(value_name = "OTHER")]
    pub other: String,
    /// They have to do with each other, and none waits
    #[arg(long)]
    pub relates: bool,
    /// Take the dependency away
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
        (false, false) => format!("{} waits for {}.", to.name(), from.name()),
        (false, true) => format!("{} does not wait for {}.", to.name(), from.name()),
        (true, false) => format!("{} and {} have to do with each other.", to.name(), from.name()),
        (true, true) => format!("{} and {} have nothing to do with each other.", to.name(), from.name()),
    };
    Ok(Value::yes(
        TextAnswer::of(json!({ "from": from, "to": to, "type": ends.kind })).line(message),
    ))
}
