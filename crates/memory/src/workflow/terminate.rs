//! Giving something up.

use serde_json::{Map, Value, json};

use super::advance::{also_closed, feature_data, feature_messages};
use super::effects::{Effects, StatusChange, effects};
use super::{Transition, version};
use crate::check;
use crate::containers::{capital, named};
use crate::envelope::{code, now};
use crate::limits;
use crate::model::{Entity, Status};
use crate::pipeline;
use crate::store::writing;
use crate::work::{Work, dependents};
use lore_seam::{Ctx, OpError};

/// What was done.
#[derive(Debug)]
pub struct Terminated {
    /// The feature or the task as it is now.
    pub work: Work,
    /// From where to where.
    pub transition: Transition,
    /// Why, as whoever asked said it; it is not kept.
    pub reason: Option<String>,
    /// What followed; what was to be written is written.
    pub effects: Effects,
}

/// Gives a feature or a task up, blocked or not. What waits for it goes on waiting, and is told.
pub fn terminate(ctx: &Ctx, of: Entity, expected: Option<i64>, reason: Option<&str>) -> Result<Terminated, OpError> {
    let now = now(ctx);
    let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
    let reason = reason
        .map(|reason| check::chars("reason", reason, limits::REASON_CHARS))
        .transpose()?;
    writing(ctx, |store| {
        let mut work = Work::get(store, of)?;
        version(&work, expected)?;
        let pipelines = pipeline::effective(ctx, store)?;
        let from = work.status().clone();
        if pipelines.is_terminal(of.kind, &from) {
            let kind = of.kind.name();
            return Err(
                check::refused(code::INVALID_OPERATION, format!("the {kind} is closed ({from})"))
                    .said(format!("Cannot terminate: {kind} is already in terminal state {from}")),
            );
        }
        work.set_status(Status::WillNotImplement);
        let change = StatusChange {
            work,
            from: from.clone(),
        };
        let mut effects = effects(change, store, &pipelines)?;
        let mut written = std::mem::take(&mut effects.touched).write(store, &now)?;
        let work = written
            .remove(&of.id)
            .ok_or_else(|| check::not_found(capital(of.kind), of.id))?;
        Ok(Terminated {
            work,
            transition: Transition {
                from,
                to: Status::WillNotImplement,
            },
            reason: reason.map(str::to_owned),
            effects,
        })
    })
}

impl Terminated {
    /// What was done, in a sentence or more.
    pub fn message(&self) -> String {
        let kind = self.work.kind().name();
        let Transition { from, to } = &self.transition;
        let reason = self.reason.as_ref().map(|reason| format!(" (reason: {reason})"));
        let mut told = vec![format!(
            "{kind} terminated: {from} → {to}{}",
            reason.unwrap_or_default()
        )];
        if !self.effects.affected.is_empty() {
            told.push(format!(
                "WARNING: {} entity/entities are blocked by this {kind}. They remain blocked and must be manually reassessed (unblock or terminate).",
                self.effects.affected.len()
            ));
        }
        told.extend(feature_messages(&self.effects));
        if !self.effects.feature_affected.is_empty() {
            told.push(format!(
                "WARNING: feature now in WILL_NOT_IMPLEMENT still blocks {} dependent(s). Reassess each dependent (unblock, re-plan, or terminate).",
                self.effects.feature_affected.len()
            ));
        }
        told.join(" ")
    }

    /// The answer.
    pub fn data(&self) -> Map<String, Value> {
        let mut data = named(&self.work, self.work.kind());
        data.insert("transition".to_owned(), json!(self.transition));
        if let Some(reason) = &self.reason {
            data.insert("reason".to_owned(), json!(reason));
        }
        let affected = dependents(&self.effects.affected);
        data.insert("affectedDependents".to_owned(), json!(affected));
        feature_data(&self.effects, &mut data);
        data.insert("alsoClosed".to_owned(), also_closed(&self.effects));
        data
    }
}
