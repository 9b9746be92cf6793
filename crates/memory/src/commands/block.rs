//! `lore memory block`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::work_state::{blockers, entity, report};
use super::{Answered, command};
use crate::model::Blocker;
use crate::store::reading;
use crate::workflow;
use lore_seam::{Ctx, Value};

/// Block a task or a feature of memory by others
///
/// With --reason alone, something outside of memory blocks it.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory block 5f3a91c2 8b12cd34             the second blocks the first
  lore memory block 5f3a91c2 --reason 'the API key is missing'

Exit status: 0 blocked; 1 it is closed or unknown, or the dependency would be a cycle; 2 it could not be written.")]
#[serde(default)]
pub struct MemoryBlockRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The blocking tasks and features
    #[arg(value_name = "BY")]
    pub by: Vec<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Write only if the version is still N
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
}

command!(MemoryBlock(MemoryBlockRequest) ["memory", "block"], Record Value block);

fn block(ctx: &Ctx, request: &MemoryBlockRequest) -> Answered {
    let (entity, blockers) = reading(ctx, |store| {
        let blockers = if request.by.is_empty() {
            vec![Blocker::NoOp]
        } else {
            blockers(ctx, store, &request.by)?
        };
        Ok((entity(ctx, store, &request.id)?, blockers))
    })?;
    let blocked = workflow::block(ctx, entity, request.version, &blockers, request.reason.as_deref())?;
    report(ctx, blocked.data(), &blocked.message(), &[]).map(Value::yes)
}
