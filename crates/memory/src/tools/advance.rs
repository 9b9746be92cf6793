//! The tool `advance`.

use super::arguments::work;
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::workflow;
use lore_seam::Ctx;

request! {
    /// Advance a task or feature of memory by one status; unblocks what waited for it and advances its feature
    AdvanceRequest {
        needs {
            #[schemars(extend("enum" = ["task", "feature"]))]
            container_type: String,
            id: String,
            /// The version that was read
            version: i64,
        }
        takes {}
    }
}

tool!(Advance(AdvanceRequest) "advance" Record advance);

fn advance(ctx: &Ctx, request: &AdvanceRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let advanced = workflow::advance(ctx, entity, Some(request.version))?;
    ToolAnswer::answer(advanced.message(), advanced.data())
}
