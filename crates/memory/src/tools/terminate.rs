//! The tool `terminate`.

use super::arguments::work;
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::workflow;
use lore_seam::Ctx;

request! {
    /// Terminate a task or feature of memory (WILL_NOT_IMPLEMENT); what it blocks stays blocked and is listed
    TerminateRequest {
        needs {
            #[schemars(extend("enum" = ["task", "feature"]))]
            container_type: String,
            id: String,
            /// The version that was read
            version: i64,
        }
        takes { reason: Option<String>, }
    }
}

tool!(Terminate(TerminateRequest) "terminate" Write terminate);

fn terminate(ctx: &Ctx, request: &TerminateRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let terminated = workflow::terminate(ctx, entity, Some(request.version), request.reason.as_deref())?;
    ToolAnswer::answer(terminated.message(), terminated.data())
}
