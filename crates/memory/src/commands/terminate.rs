//! `lore memory terminate`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::work_state::{chosen, report};
use super::{Answered, command};
use crate::workflow;
use lore_seam::{Ctx, Value};

/// Give a task or a feature of memory up; what waits for it goes on waiting
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory terminate 5f3a91c2 --reason 'nobody needs it'

Exit status: 0 given up; 1 it is over, or there is none; 2 it could not be given up.")]
#[serde(default)]
pub struct MemoryTerminateRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "ID")]
    pub id: String,
    /// Why; it is said and not kept
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Only if it has this version
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
}

command!(MemoryTerminate(MemoryTerminateRequest) ["memory", "terminate"], Write Value terminate);

fn terminate(ctx: &Ctx, request: &MemoryTerminateRequest) -> Answered {
    let entity = chosen(ctx, &request.id)?;
    let terminated = workflow::terminate(ctx, entity, request.version, request.reason.as_deref())?;
    report(
        ctx,
        terminated.data(),
        &terminated.message(),
        &terminated.effects.feature_freed,
    )
    .map(Value::yes)
}
