//! The tool `unblock`.

use serde_json::Value;

use super::arguments::{blockers, work};
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::workflow;
use lore_seam::Ctx;

request! {
    /// Remove blockers of a task or feature of memory
    UnblockRequest {
        needs {
            #[schemars(extend("enum" = ["task", "feature"]))]
            container_type: String,
            id: String,
            /// The version that was read
            version: i64,
            /// Ids as a list, or NO_OP
            blocked_by: Value,
        }
        takes {}
    }
}

tool!(Unblock(UnblockRequest) "unblock" Record unblock);

fn unblock(ctx: &Ctx, request: &UnblockRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let unblocked = workflow::unblock(ctx, entity, Some(request.version), &blockers(&request.blocked_by)?)?;
    ToolAnswer::answer(unblocked.message(), unblocked.data())
}
