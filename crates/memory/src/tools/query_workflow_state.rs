//! The tool `query_workflow_state`.

use super::arguments::work;
use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::pipeline;
use crate::store::reading;
use crate::work::Work;
use crate::workflow;
use lore_seam::Ctx;

request! {
    /// The state of a task or feature of memory: status, next and previous status, blockers, version
    QueryWorkflowStateRequest {
        needs {
            #[schemars(extend("enum" = ["task", "feature"]))]
            container_type: String,
            id: String,
        }
        takes {}
    }
}

tool!(QueryWorkflowState(QueryWorkflowStateRequest) "query_workflow_state" Read state);

fn state(ctx: &Ctx, request: &QueryWorkflowStateRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let state = reading(ctx, |store| {
        let pipelines = pipeline::effective(ctx, store)?;
        workflow::state(store, &Work::get(store, entity)?, &pipelines)
    })?;
    ToolAnswer::answer("Workflow state retrieved successfully", state)
}
