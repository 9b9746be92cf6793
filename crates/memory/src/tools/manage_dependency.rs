//! The tool `manage_dependency`.

use serde_json::json;

use super::{Answered, request, tool};
use crate::check;
use crate::dependencies::{Ends, set};
use crate::envelope::ToolAnswer;
use crate::model::LinkType;
use lore_seam::Ctx;

request! {
    /// Create or delete a dependency between tasks and features of memory
    ManageDependencyRequest {
        needs {
            #[schemars(extend("enum" = ["create", "delete"]))]
            operation: String,
            from_id: String,
            to_id: String,
            #[serde(rename = "type")]
            #[schemars(extend("enum" = ["BLOCKS", "RELATES_TO"]))]
            kind: String,
        }
        takes {}
    }
}

tool!(ManageDependency(ManageDependencyRequest) "manage_dependency" Write manage);

fn manage(ctx: &Ctx, request: &ManageDependencyRequest) -> Answered {
    let operation = check::choice("operation", &request.operation, &["create", "delete"])?;
    let ends = Ends {
        from: check::id("fromId", &request.from_id)?,
        to: check::id("toId", &request.to_id)?,
        kind: check::word("type", &request.kind)?,
    };
    let (from, to) = set(ctx, ends, operation == "create")?;
    let data = match ends.kind {
        LinkType::Blocks => json!({
            "type": ends.kind,
            "operation": operation,
            "fromId": ends.from,
            "toId": ends.to,
            "blockedBy": to.blocked_by(),
            "targetType": to.kind().name(),
        }),
        LinkType::RelatesTo => json!({
            "type": ends.kind,
            "operation": operation,
            "fromId": ends.from,
            "toId": ends.to,
            "fromEntityType": from.kind().name(),
            "toEntityType": to.kind().name(),
        }),
    };
    ToolAnswer::answer("Dependency operation completed", data)
}
