//! `lore memory unblock`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::choose::choose;
use super::work_state::{KINDS, blockers, report};
use super::{Answered, command, found_or_no};
use crate::id::Id;
use crate::model::Blocker;
use crate::store::{Got, reading};
use crate::workflow;
use lore_seam::Ctx;

/// Remove blockers of a task or a feature of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory unblock 5f3a91c2                    all blockers
  lore memory unblock 5f3a91c2 8b12cd34           one of its blockers
  lore memory unblock 5f3a91c2 NO_OP              the external blocker

Exit status: 0 no longer blocked; 1 still blocked, or unknown; 2 it could not be written.")]
#[serde(default)]
pub struct MemoryUnblockRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "ID")]
    pub id: String,
    /// The blockers to remove [default: all]
    #[arg(value_name = "BY")]
    pub by: Vec<String>,
    /// Write only if the version is still N
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
}

command!(MemoryUnblock(MemoryUnblockRequest) ["memory", "unblock"], Record Value unblock);

fn unblock(ctx: &Ctx, request: &MemoryUnblockRequest) -> Answered {
    let (entity, blockers) = reading(ctx, |store| {
        let container = choose(ctx, store, KINDS, &request.id)?;
        let blockers = if request.by.is_empty() {
            container.blocked_by().to_vec()
        } else {
            let gone = |text: &String| text.parse::<Id>().ok().map(Blocker::Entity);
            let known = request.by.iter().map(|text| match gone(text) {
                Some(blocker) => Ok(vec![blocker]),
                None => blockers(ctx, store, std::slice::from_ref(text)),
            });
            known.collect::<Got<Vec<_>>>()?.concat()
        };
        Ok((container.entity(), blockers))
    })?;
    let unblocked = workflow::unblock(ctx, entity, request.version, &blockers)?;
    let shown = report(ctx, unblocked.data(), &unblocked.message(), &[])?;
    Ok(found_or_no(unblocked.is_free(), shown))
}
