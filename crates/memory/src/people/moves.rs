//! `lore memory advance`, `revert`, `terminate`, `block`, `unblock` and `depend`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::choose;
use super::{Answered, Shown, command};
use crate::dependencies::{Ends, set};
use crate::id::Id;
use crate::model::{Blocker, Entity, EntityType, LinkType, NO_OP};
use crate::store::{Got, Reading, reading};
use crate::work::{Dependent, Work};
use crate::workflow;
use lore_seam::{Ctx, Value};

/// What has a state, the most likely first.
const KINDS: &[EntityType] = &[EntityType::Task, EntityType::Feature];

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

/// Move a task or a feature of memory one step back
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory revert 5f3a91c2

Exit status: 0 moved; 1 it is new or over, or there is none; 2 it could not be moved.")]
#[serde(default)]
pub struct MemoryRevertRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "ID")]
    pub id: String,
    /// Only if it has this version
    #[arg(long, value_name = "N")]
    pub version: Option<i64>,
}

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

command! {
    /// `lore memory advance`.
    MemoryAdvance(MemoryAdvanceRequest) "memory_advance" ["memory", "advance"], Record Value advance
}
command! {
    /// `lore memory revert`.
    MemoryRevert(MemoryRevertRequest) "memory_revert" ["memory", "revert"], Record Value revert
}
command! {
    /// `lore memory terminate`.
    MemoryTerminate(MemoryTerminateRequest) "memory_terminate" ["memory", "terminate"], Write Value terminate
}
command! {
    /// `lore memory block`.
    MemoryBlock(MemoryBlockRequest) "memory_block" ["memory", "block"], Record Value block
}
command! {
    /// `lore memory unblock`.
    MemoryUnblock(MemoryUnblockRequest) "memory_unblock" ["memory", "unblock"], Record Value unblock
}
command! {
    /// `lore memory depend`.
    MemoryDepend(MemoryDependRequest) "memory_depend" ["memory", "depend"], Write Value depend
}

fn chosen(ctx: &Ctx, text: &str) -> Got<Entity> {
    reading(ctx, |store| entity(ctx, store, text))
}

fn entity(ctx: &Ctx, store: &dyn Reading, text: &str) -> Got<Entity> {
    Ok(choose(ctx, store, KINDS, text)?.entity())
}

/// What a move came to: its sentence, and what is free now.
fn told(ctx: &Ctx, object: impl serde::Serialize, message: &str, freed: &[Entity]) -> Got<Shown> {
    let mut shown = Shown::of(object).line(message);
    for entity in freed {
        let Dependent { id, .. } = Dependent::from(*entity);
        if let Some(work) = reading(ctx, |store| Work::find(store, id))? {
            shown = shown.text("free: ").with(Shown::work(&work));
        }
    }
    Ok(shown)
}

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
    told(ctx, advanced.data(), &advanced.message(), &freed).map(Value::yes)
}

fn revert(ctx: &Ctx, request: &MemoryRevertRequest) -> Answered {
    let reverted = workflow::revert(ctx, chosen(ctx, &request.id)?, request.version)?;
    told(ctx, reverted.data(), &reverted.message(), &[]).map(Value::yes)
}

fn terminate(ctx: &Ctx, request: &MemoryTerminateRequest) -> Answered {
    let entity = chosen(ctx, &request.id)?;
    let terminated = workflow::terminate(ctx, entity, request.version, request.reason.as_deref())?;
    told(
        ctx,
        terminated.data(),
        &terminated.message(),
        &terminated.effects.feature_freed,
    )
    .map(Value::yes)
}

/// The blockers that are meant.
fn blockers(ctx: &Ctx, store: &dyn Reading, by: &[String]) -> Got<Vec<Blocker>> {
    let each = by.iter().map(|text| {
        if text.eq_ignore_ascii_case(NO_OP) {
            Ok(Blocker::NoOp)
        } else {
            entity(ctx, store, text).map(|entity| Blocker::Entity(entity.id))
        }
    });
    each.collect()
}

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
    told(ctx, blocked.data(), &blocked.message(), &[]).map(Value::yes)
}

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
    let shown = told(ctx, unblocked.data(), &unblocked.message(), &[])?;
    Ok(if unblocked.is_free() {
        Value::yes(shown)
    } else {
        Value::no(shown)
    })
}

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
        Shown::of(json!({ "from": from, "to": to, "type": ends.kind })).line(message),
    ))
}
