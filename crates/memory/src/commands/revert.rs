//! `lore memory revert`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::work_state::{chosen, report};
use super::{Answered, command};
use crate::workflow;
use lore_seam::{Ctx, Value};

/// Revert a task or a feature of memory by one state
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory revert 5f3a91c2

Exit status: 0 reverted; 1 it is new, closed or unknown; 2 it could not be written.")]
#[serde(default)]
pub struct MemoryRevertRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "ID")]
    pub id: String,
    /// Write only if the version is still N
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
}

command!(MemoryRevert(MemoryRevertRequest) ["memory", "revert"], Record Value revert);

fn revert(ctx: &Ctx, request: &MemoryRevertRequest) -> Answered {
    let reverted = workflow::revert(ctx, chosen(ctx, &request.id)?, request.version)?;
    report(ctx, reverted.data(), &reverted.message(), &[]).map(Value::yes)
}
