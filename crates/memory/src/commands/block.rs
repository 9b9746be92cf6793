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

/// Say what a task or a feature of memory waits for
///
/// With --reason alone it waits for something outside.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory block 5f3a91c2 8b12cd34             one waits for the other
  lore memory block 5f3a91c2 --reason 'the key is not there yet'

Exit status: 0 blocked; 1 it is over, would wait for itself, or there is none; 2 it could not be blocked.")]
#[serde(default)]
pub struct MemoryBlockRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "ID")]
    pub id: String,
    /// The tasks and features that it waits for
    #[arg(value_name = "BY")]
    pub by: Vec<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Only if it has this version
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
