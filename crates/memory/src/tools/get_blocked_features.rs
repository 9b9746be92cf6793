//! The tool `get_blocked_features`.

use super::get_blocked_tasks::blocked_of;
use super::{Answered, request, tool};
use crate::model::EntityType;
use lore_seam::Ctx;

request! {
    /// Blocked features of memory
    GetBlockedFeaturesRequest {
        needs {}
        takes {
            /// Default: this repository's, * for all
            project_id: Option<String>,
        }
    }
}

tool!(GetBlockedFeatures(GetBlockedFeaturesRequest) "get_blocked_features" Read blocked_features);

fn blocked_features(ctx: &Ctx, request: &GetBlockedFeaturesRequest) -> Answered {
    blocked_of(ctx, EntityType::Feature, request.project_id.as_deref(), None)
}
