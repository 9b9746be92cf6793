//! One step back.

use serde_json::{Map, Value, json};

use super::{Transition, is_over, version};
use crate::check;
use crate::containers::named;
use crate::envelope::{code, now};
use crate::model::Entity;
use crate::pipeline;
use crate::store::writing;
use crate::work::Work;
use lore_seam::{Ctx, OpError};

/// What was done.
#[derive(Debug)]
pub struct Reverted {
    /// The feature or the task as it is now.
    pub work: Work,
    /// From where to where.
    pub transition: Transition,
    /// Where that is in the pipeline.
    pub position: Option<String>,
}

/// Moves a feature or a task one step back, blocked or not; the feature of a task stays as it is.
pub fn revert(ctx: &Ctx, of: Entity, expected: Option<i64>) -> Result<Reverted, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let mut work = Work::get(store, of)?;
        version(&work, expected)?;
        let pipelines = pipeline::effective(ctx, store)?;
        let from = work.status().clone();
        if pipelines.is_terminal(of.kind, &from) {
            return Err(is_over("revert", of.kind, &from));
        }
        let Some(to) = pipelines.previous(of.kind, &from) else {
            let kind = of.kind.name();
            let is_first = pipelines.of(of.kind).first() == Some(&from);
            let (message, said) = if is_first {
                (
                    format!("the {kind} is not started ({from})"),
                    format!("Cannot revert: {kind} is already at the first pipeline state ({from})."),
                )
            } else {
                (
                    format!("no state comes before {from}"),
                    format!("Cannot revert: no previous state from {from}"),
                )
            };
            return Err(check::refused(code::INVALID_OPERATION, message).said(said));
        };
        work.set_status(to.clone());
        Ok(Reverted {
            work: work.write(store, &now)?,
            position: pipelines.position(of.kind, &to),
            transition: Transition { from, to },
        })
    })
}

impl Reverted {
    /// What was done, in a sentence.
    pub fn message(&self) -> String {
        let Transition { from, to } = &self.transition;
        let position = self.position.as_deref().unwrap_or("terminal");
        format!(
            "{} reverted: {from} → {to} (position: {position})",
            self.work.kind().name()
        )
    }

    /// The answer.
    pub fn data(&self) -> Map<String, Value> {
        let mut data = named(&self.work, self.work.kind());
        data.insert("transition".to_owned(), json!(self.transition));
        data.insert("pipelinePosition".to_owned(), json!(self.position));
        data
    }
}
