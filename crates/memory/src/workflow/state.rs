//! Where a feature or a task stands.

use serde::Serialize;

use crate::id::Id;
use crate::model::{Blocker, Pipelines, Status};
use crate::store::{Got, Reading};
use crate::work::{Dependent, Work};

/// Where a feature or a task stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowState {
    pub container_type: &'static str,
    pub id: Id,
    pub current_status: Status,
    /// What comes after it.
    pub next_status: Option<Status>,
    /// What came before it.
    pub prev_status: Option<Status>,
    /// Whether it is over.
    pub is_terminal: bool,
    /// Whether something has to happen first.
    pub is_blocked: bool,
    /// The blockers that must be closed first.
    pub blocked_by: Vec<Blocker>,
    pub blocked_reason: Option<String>,
    pub pipeline_position: Option<String>,
    pub related_entities: Vec<Dependent>,
    /// Its version, which moving it on asks for.
    pub version: i64,
}

/// Where a feature or a task stands.
pub fn state(store: &dyn Reading, work: &Work, pipelines: &Pipelines) -> Got<WorkflowState> {
    let (kind, status) = (work.kind(), work.status());
    let mut related = Vec::new();
    for id in work.related_to() {
        if let Some(other) = Work::find(store, *id)? {
            related.push(Dependent::from(other.entity()));
        }
    }
    Ok(WorkflowState {
        container_type: kind.name(),
        id: work.id(),
        current_status: status.clone(),
        next_status: pipelines.next(kind, status),
        prev_status: pipelines.previous(kind, status),
        is_terminal: pipelines.is_terminal(kind, status),
        is_blocked: !work.blocked_by().is_empty(),
        blocked_by: work.blocked_by().to_vec(),
        blocked_reason: work.blocked_reason().map(str::to_owned),
        pipeline_position: pipelines.position(kind, status),
        related_entities: related,
        version: work.version(),
    })
}
