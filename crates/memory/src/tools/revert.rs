//! The tool `revert`.

use super::arguments::work;
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::workflow;
use lore_seam::Ctx;

request! {
    /// Revert a task or feature of memory by one status
    RevertRequest {
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

tool!(Revert(RevertRequest) "revert" Record revert);

fn revert(ctx: &Ctx, request: &RevertRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let reverted = workflow::revert(ctx, entity, Some(request.version))?;
    ToolAnswer::answer(reverted.message(), reverted.data())
}
