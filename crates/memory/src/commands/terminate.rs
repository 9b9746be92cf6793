//! `lore memory terminate`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::work_state::{chosen, report};
use super::{Answered, command};
use crate::workflow;
use lore_seam::{Ctx, Value};

/// Terminate a task or a feature of memory without finishing it; what it blocks stays blocked
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory terminate 5f3a91c2 --reason 'nobody needs it'

Exit status: 0 terminated; 1 it is closed or unknown; 2 it could not be written.")]
#[serde(default)]
pub struct MemoryTerminateRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The reason; part of the message, not stored
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Write only if the version is still N
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
