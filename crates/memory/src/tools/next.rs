//! `get_next_task`, `get_next_feature`, `get_blocked_tasks` and `get_blocked_features`.

use super::arguments::{clears, feature_filter, project_filter};
use super::{Answered, request, tool};
use crate::check;
use crate::envelope::Told;
use crate::model::EntityType;
use crate::next::{Among, blocked, features, tasks};
use crate::store::{Got, Reading, reading};
use lore_seam::{Ctx, OpError};

request! {
    /// The task to do next: not blocked, by priority, then the simplest, then the oldest
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

tool! {
    /// `get_next_task`.
    GetNextTask(GetNextTaskRequest) "get_next_task" Read next_task
}

/// Which of them are meant. A feature says which project it is.
fn among(
    ctx: &Ctx,
    store: &dyn Reading,
    project: Option<&str>,
    feature: Option<&str>,
    priority: Option<&str>,
) -> Got<Among> {
    let feature = feature_filter(store, feature)?;
    let project = match (feature, project) {
        (Some(_), None) => None,
        (_, project) => project_filter(ctx, store, project)?,
    };
    Ok(Among {
        project,
        feature,
        priority: priority
            .filter(|word| !clears(word))
            .map(|word| check::word("priority", word))
            .transpose()?,
    })
}

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
    Told::answer(message, found)
}

request! {
    /// The feature of memory to work on next: not blocked, active before new, by priority, then the oldest
    GetNextFeatureRequest {
        needs {}
        takes {
            /// Default: this repository's, * for all
            project_id: Option<String>,
            #[schemars(extend("enum" = ["HIGH", "MEDIUM", "LOW"]))]
            priority: Option<String>,
        }
    }
}

tool! {
    /// `get_next_feature`.
    GetNextFeature(GetNextFeatureRequest) "get_next_feature" Read next_feature
}

fn next_feature(ctx: &Ctx, request: &GetNextFeatureRequest) -> Answered {
    let found = reading(ctx, |store| {
        let project = request.project_id.as_deref();
        let among = among(ctx, store, project, None, request.priority.as_deref())?;
        Ok(features(store, &among)?.into_iter().next())
    })?;
    let message = match &found {
        Some(_) => "Next feature retrieved successfully",
        None => "No available features found matching the criteria",
    };
    Told::answer(message, found)
}

request! {
    /// Tasks of memory that something blocks
    GetBlockedTasksRequest {
        needs {}
        takes {
            /// Default: this repository's, * for all
            project_id: Option<String>,
            feature_id: Option<String>,
        }
    }
}

tool! {
    /// `get_blocked_tasks`.
    GetBlockedTasks(GetBlockedTasksRequest) "get_blocked_tasks" Read blocked_tasks
}

fn blocked_tasks(ctx: &Ctx, request: &GetBlockedTasksRequest) -> Answered {
    let (project, feature) = (request.project_id.as_deref(), request.feature_id.as_deref());
    blocked_of(ctx, EntityType::Task, project, feature)
}

request! {
    /// Features of memory that something blocks
    GetBlockedFeaturesRequest {
        needs {}
        takes {
            /// Default: this repository's, * for all
            project_id: Option<String>,
        }
    }
}

tool! {
    /// `get_blocked_features`.
    GetBlockedFeatures(GetBlockedFeaturesRequest) "get_blocked_features" Read blocked_features
}

fn blocked_features(ctx: &Ctx, request: &GetBlockedFeaturesRequest) -> Answered {
    blocked_of(ctx, EntityType::Feature, request.project_id.as_deref(), None)
}

fn blocked_of(ctx: &Ctx, kind: EntityType, project: Option<&str>, feature: Option<&str>) -> Answered {
    let found = reading(ctx, |store| -> Result<_, OpError> {
        let among = among(ctx, store, project, feature, None)?;
        blocked(store, kind, &among)
    })?;
    Told::answer(format!("Found {} blocked {}(s)", found.len(), kind.name()), found)
}
