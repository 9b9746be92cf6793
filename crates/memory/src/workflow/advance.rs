//! One step forward.

use super::effects::{Effects, StatusChange, effects};
use super::{Transition, is_over, version};
use crate::check;
use crate::envelope::{code, now};
use crate::model::{Entity, EntityType};
use crate::pipeline;
use crate::store::writing;
use crate::work::{Work, dependents};
use lore_seam::{Ctx, OpError};
use serde_json::{Map, Value, json};

/// What was done.
#[derive(Debug)]
pub struct Advanced {
    /// The feature or the task as it is now.
    pub work: Work,
    /// From where to where.
    pub transition: Transition,
    /// Where that is in the pipeline.
    pub position: Option<String>,
    /// What followed; what was to be written is written.
    pub effects: Effects,
    /// Tasks of the feature that are still open although it is done.
    pub open_tasks: usize,
    /// Whether the feature or the task is over now.
    pub is_done: bool,
}

/// Moves a feature or a task one step on, with everything that follows from it.
pub fn advance(ctx: &Ctx, of: Entity, expected: Option<i64>) -> Result<Advanced, OpError> {
    let now = now(ctx);
    writing(ctx, |store| {
        let mut work = Work::get(store, of)?;
        version(&work, expected)?;
        let pipelines = pipeline::effective(ctx, store)?;
        let from = work.status().clone();
        if pipelines.is_terminal(of.kind, &from) {
            return Err(is_over("advance", of.kind, &from));
        }
        if !work.blocked_by().is_empty() {
            return Err(blocked(&work));
        }
        let to = pipelines.next(of.kind, &from).ok_or_else(|| {
            check::refused(code::INVALID_OPERATION, format!("no state comes after {from}"))
                .said(format!("Cannot advance: no next state from {from}"))
        })?;
        work.set_status(to.clone());
        let is_done = pipelines.is_terminal(of.kind, &to);
        let open_tasks = if of.kind == EntityType::Feature && is_done {
            let statuses = store.statuses(of.id)?;
            let open = statuses
                .iter()
                .filter(|status| !pipelines.is_terminal(EntityType::Task, status));
            open.count()
        } else {
            0
        };
        let change = StatusChange {
            work,
            from: from.clone(),
        };
        let mut effects = effects(change, store, &pipelines)?;
        let mut written = std::mem::take(&mut effects.touched).write(store, &now)?;
        let work = written
            .remove(&of.id)
            .ok_or_else(|| check::not_found(crate::containers::capital(of.kind), of.id))?;
        Ok(Advanced {
            work,
            position: pipelines.position(of.kind, &to),
            transition: Transition { from, to },
            effects,
            open_tasks,
            is_done,
        })
    })
}

fn blocked(work: &Work) -> OpError {
    let blockers: Vec<String> = work.blocked_by().iter().map(ToString::to_string).collect();
    let (kind, blockers) = (work.kind().name(), blockers.join(", "));
    let reason = work.blocked_reason();
    let because = reason.map(|reason| format!(". Reason: {reason}")).unwrap_or_default();
    let shown = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    check::refused(code::BLOCKED, format!("the {kind} is blocked by {blockers}{shown}"))
        .said(format!("Cannot advance: {kind} is blocked by {blockers}{because}"))
        .data(json!({ "blockedBy": work.blocked_by(), "blockedReason": reason }))
}

impl Advanced {
    /// What was done, in a sentence or more.
    pub fn message(&self) -> String {
        let kind = self.work.kind().name();
        let Transition { from, to } = &self.transition;
        let position = self.position.as_deref().unwrap_or("terminal");
        let mut told = vec![format!("{kind} advanced: {from} → {to} (position: {position})")];
        if !self.effects.freed.is_empty() {
            told.push(format!("Auto-unblocked {} dependent(s).", self.effects.freed.len()));
        }
        told.extend(feature_messages(&self.effects));
        if self.open_tasks > 0 {
            told.push(format!("{} task(s) of the feature are still open.", self.open_tasks));
        }
        told.join(" ")
    }

    /// The answer.
    pub fn data(&self) -> Map<String, Value> {
        let mut data = crate::containers::named(&self.work, self.work.kind());
        data.insert("transition".to_owned(), json!(self.transition));
        data.insert("pipelinePosition".to_owned(), json!(self.position));
        data.insert("unblockedEntities".to_owned(), json!(dependents(&self.effects.freed)));
        feature_data(&self.effects, &mut data);
        if self.is_done {
            data.insert("alsoClosed".to_owned(), also_closed(&self.effects));
        }
        if self.open_tasks > 0 {
            data.insert("openTasks".to_owned(), json!(self.open_tasks));
        }
        if self.is_done && self.work.kind() == EntityType::Task {
            data.insert("graphHints".to_owned(), graph_hints());
        }
        data
    }
}

/// What the feature has to be told with a task.
pub(super) fn feature_messages(effects: &Effects) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(change) = &effects.feature {
        told.push(change.why.told().to_owned());
        if change.why.closes() {
            told.push(format!(
                "Also closed: feature {} ({} → {}).",
                change.name, change.from, change.to
            ));
        }
    }
    if !effects.feature_freed.is_empty() {
        told.push(format!(
            "Feature auto-unblocked {} dependent(s).",
            effects.feature_freed.len()
        ));
    }
    told
}

/// What the answer says of the feature of a task.
pub(super) fn feature_data(effects: &Effects, data: &mut Map<String, Value>) {
    if let Some(change) = &effects.feature {
        data.insert("featureTransition".to_owned(), json!(change.why.told()));
    }
    for (name, entities) in [
        ("featureUnblockedEntities", &effects.feature_freed),
        ("featureAffectedDependents", &effects.feature_affected),
    ] {
        if !entities.is_empty() {
            data.insert(name.to_owned(), json!(dependents(entities)));
        }
    }
}

/// What was closed with a thing that is over now: the feature of a task, or nothing.
pub(super) fn also_closed(effects: &Effects) -> Value {
    let closed = effects.feature.iter().filter(|change| change.why.closes());
    let closed = closed.map(|change| {
        json!({
            "id": change.id,
            "type": EntityType::Feature.name(),
            "name": change.name,
            "transition": Transition {
                from: change.from.clone(),
                to: change.to.clone(),
            },
        })
    });
    closed.collect()
}

/// What whoever has done a task may think of.
fn graph_hints() -> Value {
    json!({
        "message": "Task completed. Consider updating the knowledge graph.",
        "suggestedActions": [
            "Update atom knowledge for areas affected by this task",
            "Update atom paths if files were moved or new directories created",
            "Append changelog entries for significant changes"
        ]
    })
}
