//! What memory knows of the files that a task names, beside the task.

use serde_json::{Value, json};

use crate::memory::model::Task;
use crate::memory::store::{Got, Reading};
use crate::seam::Ctx;

/// The context of a task, empty and with a note where there is nothing to match.
pub(super) fn graph_context(_: &Ctx, _: &dyn Reading, task: &Task) -> Got<Value> {
    let note = match task.project_id {
        None => "the task has no project",
        Some(_) => "the task has no Context Files section",
    };
    Ok(json!({ "molecules": [], "orphanAtoms": [], "unmatchedPaths": [], "note": note }))
}
