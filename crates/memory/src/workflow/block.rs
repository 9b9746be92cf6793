//! Saying what something waits for, and that it does not wait any more.

use serde_json::{Map, Value, json};

use super::{is_over, version};
use crate::check;
use crate::containers::named;
use crate::dependencies::{acyclic, few};
use crate::envelope::now;
use crate::limits;
use crate::model::{Blocker, Entity};
use crate::pipeline;
use crate::store::writing;
use crate::work::Work;
use lore_seam::{Ctx, OpError};

/// What was done.
#[derive(Debug)]
pub struct Blocked {
    /// The feature or the task as it is now.
    pub work: Work,
    /// Blockers that there were not before.
    pub added: Vec<Blocker>,
}

/// What was done.
#[derive(Debug)]
pub struct Unblocked {
    /// The feature or the task as it is now.
    pub work: Work,
    /// Blockers that there are not any more.
    pub removed: Vec<Blocker>,
}

/// Says what a feature or a task waits for. What it waited for already stays.
pub fn block(
    ctx: &Ctx,
    of: Entity,
    expected: Option<i64>,
    blockers: &[Blocker],
    reason: Option<&str>,
) -> Result<Blocked, OpError> {
    let now = now(ctx);
    let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
    let reason = reason
        .map(|reason| check::chars("blockedReason", reason, limits::REASON_CHARS))
        .transpose()?;
    if blockers.contains(&Blocker::NoOp) && reason.is_none() {
        return Err(
            check::invalid("blockedReason", "`blockedReason` is missing: NO_OP needs a reason")
                .said("blockedReason is required when blockedBy is NO_OP"),
        );
    }
    writing(ctx, |store| {
        let mut work = Work::get(store, of)?;
        version(&work, expected)?;
        let pipelines = pipeline::effective(ctx, store)?;
        if pipelines.is_terminal(of.kind, work.status()) {
            return Err(is_over("block", of.kind, work.status()));
        }
        let mut all = work.blocked_by().to_vec();
        let mut added = Vec::new();
        for blocker in blockers {
            if let Blocker::Entity(id) = blocker {
                let Some(other) = Work::find(store, *id)? else {
                    return Err(
                        check::invalid("blockedBy", format!("`blockedBy`: there is no task or feature {id}"))
                            .said(format!("Blocker entity not found: {id}")),
                    );
                };
                if pipelines.is_terminal(other.kind(), other.status()) {
                    let status = other.status();
                    return Err(
                        check::invalid("blockedBy", format!("`blockedBy`: {id} is closed ({status})"))
                            .said(format!("Cannot use {id} as blocker: it is in terminal state {status}")),
                    );
                }
                acyclic(store, &work, *id)?;
            }
            if !all.contains(blocker) {
                all.push(*blocker);
                added.push(*blocker);
            }
        }
        few(&all)?;
        let kept = work.blocked_reason().map(str::to_owned);
        work.set_blocked(all, reason.map(str::to_owned).or(kept));
        Ok(Blocked {
            work: work.write(store, &now)?,
            added,
        })
    })
}

/// Takes blockers away; those that there are not are passed over.
pub fn unblock(ctx: &Ctx, of: Entity, expected: Option<i64>, blockers: &[Blocker]) -> Result<Unblocked, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let mut work = Work::get(store, of)?;
        version(&work, expected)?;
        let removed = work.unblock(|blocker| blockers.contains(blocker));
        Ok(Unblocked {
            work: work.write(store, &now)?,
            removed,
        })
    })
}

impl Blocked {
    /// What was done, in a sentence.
    pub fn message(&self) -> String {
        let kind = self.work.kind().name();
        match self.added.len() {
            0 => format!("{kind} already blocked by all specified entities (no changes)."),
            added => format!(
                "{kind} blocked: added {added} blocker(s). Total blockers: {}.",
                self.work.blocked_by().len()
            ),
        }
    }

    /// The answer.
    pub fn data(&self) -> Map<String, Value> {
        let mut data = named(&self.work, self.work.kind());
        data.insert("addedBlockers".to_owned(), json!(self.added));
        data.insert("totalBlockers".to_owned(), json!(self.work.blocked_by()));
        data
    }
}

impl Unblocked {
    /// Whether nothing blocks it any more.
    pub fn is_free(&self) -> bool {
        self.work.blocked_by().is_empty()
    }

    /// What was done, in a sentence.
    pub fn message(&self) -> String {
        let kind = self.work.kind().name();
        match (self.is_free(), self.removed.len(), self.work.blocked_by().len()) {
            (true, _, _) => format!("{kind} fully unblocked. No remaining blockers."),
            (false, 0, _) => format!("{kind} was not blocked by specified entities (no changes)."),
            (false, removed, kept) => {
                format!("{kind} unblocked: removed {removed} blocker(s). {kept} blocker(s) remaining.")
            }
        }
    }

    /// The answer.
    pub fn data(&self) -> Map<String, Value> {
        let mut data = named(&self.work, self.work.kind());
        data.insert("removedBlockers".to_owned(), json!(self.removed));
        data.insert("remainingBlockers".to_owned(), json!(self.work.blocked_by()));
        data.insert("isFullyUnblocked".to_owned(), json!(self.is_free()));
        data
    }
}
