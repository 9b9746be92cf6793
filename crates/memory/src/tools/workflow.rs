//! `query_workflow_state`, `advance`, `revert`, `terminate`, `block` and `unblock`.

use serde_json::Value;

use super::arguments::{blockers, work};
use super::{Answered, request, tool};
use crate::envelope::Told;
use crate::pipeline;
use crate::store::reading;
use crate::work::Work;
use crate::workflow;
use lore_seam::Ctx;

request! {
    /// Where a task or feature of memory stands: status, next and previous one, blockers, version
    QueryWorkflowStateRequest {
        needs {
            #[schemars(extend("enum" = ["task", "feature"]))]
            container_type: String,
            id: String,
        }
        takes {}
    }
}

tool! {
    /// `query_workflow_state`.
    QueryWorkflowState(QueryWorkflowStateRequest) "query_workflow_state" Read state
}

fn state(ctx: &Ctx, request: &QueryWorkflowStateRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let state = reading(ctx, |store| {
        let pipelines = pipeline::effective(ctx, store)?;
        workflow::state(store, &Work::get(store, entity)?, &pipelines)
    })?;
    Told::answer("Workflow state retrieved successfully", state)
}

request! {
    /// Move a task or feature of memory one step forward; frees what waited for it and moves its feature along
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

tool! {
    /// `advance`.
    Advance(AdvanceRequest) "advance" Record advance
}

fn advance(ctx: &Ctx, request: &AdvanceRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let advanced = workflow::advance(ctx, entity, Some(request.version))?;
    Told::answer(advanced.message(), advanced.data())
}

request! {
    /// Move a task or feature of memory one step back
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

tool! {
    /// `revert`.
    Revert(RevertRequest) "revert" Record revert
}

fn revert(ctx: &Ctx, request: &RevertRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let reverted = workflow::revert(ctx, entity, Some(request.version))?;
    Told::answer(reverted.message(), reverted.data())
}

request! {
    /// Give a task or feature of memory up (WILL_NOT_IMPLEMENT); what it blocks stays blocked and is listed
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

tool! {
    /// `terminate`.
    Terminate(TerminateRequest) "terminate" Write terminate
}

fn terminate(ctx: &Ctx, request: &TerminateRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let terminated = workflow::terminate(ctx, entity, Some(request.version), request.reason.as_deref())?;
    Told::answer(terminated.message(), terminated.data())
}

request! {
    /// Say what blocks a task or feature of memory
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

tool! {
    /// `block`.
    Block(BlockRequest) "block" Record block
}

fn block(ctx: &Ctx, request: &BlockRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let blockers = blockers(&request.blocked_by)?;
    let reason = request.blocked_reason.as_deref();
    let blocked = workflow::block(ctx, entity, Some(request.version), &blockers, reason)?;
    Told::answer(blocked.message(), blocked.data())
}

request! {
    /// Take blockers of a task or feature of memory away
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

tool! {
    /// `unblock`.
    Unblock(UnblockRequest) "unblock" Record unblock
}

fn unblock(ctx: &Ctx, request: &UnblockRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let unblocked = workflow::unblock(ctx, entity, Some(request.version), &blockers(&request.blocked_by)?)?;
    Told::answer(unblocked.message(), unblocked.data())
}
