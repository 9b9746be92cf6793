//! The tool `get_blocked_tasks`.

use super::arguments::among;
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::model::EntityType;
use crate::next::blocked;
use crate::store::reading;
use lore_seam::Ctx;

request! {
    /// Blocked tasks of memory
    GetBlockedTasksRequest {
        needs {}
        takes {
            /// Default: this repository's, * for all
            project_id: Option<String>,
            feature_id: Option<String>,
        }
    }
}

tool!(GetBlockedTasks(GetBlockedTasksRequest) "get_blocked_tasks" Read blocked_tasks);

fn blocked_tasks(ctx: &Ctx, request: &GetBlockedTasksRequest) -> Answered {
    let (project, feature) = (request.project_id.as_deref(), request.feature_id.as_deref());
    blocked_of(ctx, EntityType::Task, project, feature)
}

/// Containers of a kind that something blocks.
pub(super) fn blocked_of(ctx: &Ctx, kind: EntityType, project: Option<&str>, feature: Option<&str>) -> Answered {
    let found = reading(ctx, |store| {
        let among = among(ctx, store, project, feature, None)?;
        blocked(store, kind, &among)
    })?;
    ToolAnswer::answer(format!("Found {} blocked {}(s)", found.len(), kind.name()), found)
}
