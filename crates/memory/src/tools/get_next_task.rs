//! The tool `get_next_task`.

use super::arguments::among;
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::next::tasks;
use crate::store::reading;
use lore_seam::Ctx;

request! {
    /// The task to do next: not blocked, by priority, lowest complexity, oldest
    GetNextTaskRequest {
        needs {}
        takes {
            /// Default: this repository's, * for all
            project_id: Option<String>,
            feature_id: Option<String>,
            #[schemars(extend("enum" = ["HIGH", "MEDIUM", "LOW"]))]
            priority: Option<String>,
        }
    }
}

tool!(GetNextTask(GetNextTaskRequest) "get_next_task" Read next_task);

fn next_task(ctx: &Ctx, request: &GetNextTaskRequest) -> Answered {
    let found = reading(ctx, |store| {
        let (project, feature) = (request.project_id.as_deref(), request.feature_id.as_deref());
        let among = among(ctx, store, project, feature, request.priority.as_deref())?;
        Ok(tasks(ctx, store, &among, 1)?.pop())
    })?;
    let message = match &found {
        Some(_) => "Next task retrieved successfully",
        None => "No available tasks found matching the criteria",
    };
    ToolAnswer::answer(message, found)
}
