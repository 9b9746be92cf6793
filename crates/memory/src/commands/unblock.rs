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

/// Say what a task or a feature of memory waits for no more
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory unblock 5f3a91c2                    everything
  lore memory unblock 5f3a91c2 8b12cd34           one of its blockers
  lore memory unblock 5f3a91c2 NO_OP              what was outside

Exit status: 0 nothing blocks it any more; 1 something still does, or there is none; 2 it could not be freed.")]
#[serde(default)]
pub struct MemoryUnblockRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "ID")]
    pub id: String,
    /// The blockers to take away [default: all of them]
    #[arg(value_name = "BY")]
    pub by: Vec<String>,
    /// Only if it has this version
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
