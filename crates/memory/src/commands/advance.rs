//! `lore memory advance`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::work_state::{chosen, report};
use super::{Answered, command};
use crate::model::Entity;
use crate::workflow;
use lore_seam::{Ctx, Value};

/// Advance a task or a feature of memory by one state
///
/// When it is closed, Lore unblocks what waited for it and advances its feature.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory advance 5f3a91c2
  lore memory advance 'Check the password'

Exit status: 0 advanced; 1 it is blocked, closed or unknown; 2 it could not be written.")]
#[serde(default)]
pub struct MemoryAdvanceRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Write only if the version is still N
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
