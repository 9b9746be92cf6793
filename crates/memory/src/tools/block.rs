//! The tool `block`.

use serde_json::Value;

use super::arguments::{blockers, work};
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::workflow;
use lore_seam::Ctx;

request! {
    /// Block a task or feature of memory
    BlockRequest {
        needs {
            #[schemars(extend("enum" = ["task", "feature"]))]
            container_type: String,
            id: String,
            /// The version that was read
            version: i64,
            /// Ids as a list, or NO_OP with a reason
            blocked_by: Value,
        }
        takes { blocked_reason: Option<String>, }
    }
}

tool!(Block(BlockRequest) "block" Record block);

fn block(ctx: &Ctx, request: &BlockRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let blockers = blockers(&request.blocked_by)?;
    let reason = request.blocked_reason.as_deref();
    let blocked = workflow::block(ctx, entity, Some(request.version), &blockers, reason)?;
    ToolAnswer::answer(blocked.message(), blocked.data())
}
