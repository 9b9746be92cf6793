//! `lore memory advance`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::work_state::{chosen, report};
use super::{Answered, command};
use crate::model::Entity;
use crate::workflow;
use lore_seam::{Ctx, Value};

/// Move a task or a feature of memory one step on
///
/// What waited for it is freed when it is done, and its feature moves along.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory advance 5f3a91c2
  lore memory advance 'Check the password'

Exit status: 0 moved; 1 it is blocked or over, or there is none; 2 it could not be moved.")]
#[serde(default)]
pub struct MemoryAdvanceRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "ID")]
    pub id: String,
    /// Only if it has this version
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
}

command!(MemoryAdvance(MemoryAdvanceRequest) ["memory", "advance"], Record Value advance);

fn advance(ctx: &Ctx, request: &MemoryAdvanceRequest) -> Answered {
    let entity = chosen(ctx, &request.id)?;
    let advanced = workflow::advance(ctx, entity, request.version)?;
    let freed: Vec<Entity> = advanced
        .effects
        .freed
        .iter()
        .chain(&advanced.effects.feature_freed)
        .copied()
        .collect();
    report(ctx, advanced.data(), &advanced.message(), &freed).map(Value::yes)
}
