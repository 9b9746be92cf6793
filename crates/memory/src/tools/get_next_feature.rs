//! The tool `get_next_feature`.

use super::arguments::among;
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::next::features;
use crate::store::reading;
use lore_seam::Ctx;

request! {
    /// The feature of memory to work on next: not blocked, active before new, by priority, oldest
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

tool!(GetNextFeature(GetNextFeatureRequest) "get_next_feature" Read next_feature);

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
    ToolAnswer::answer(message, found)
}
