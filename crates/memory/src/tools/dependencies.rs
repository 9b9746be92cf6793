//! `query_dependencies` and `manage_dependency`.

use serde_json::json;

use super::arguments::work;
use super::{Answered, request, tool};
use crate::check;
use crate::dependencies::{Dependencies, Ends, of, set};
use crate::envelope::Told;
use crate::model::LinkType;
use crate::store::reading;
use crate::work::Work;
use lore_seam::Ctx;

request! {
    /// What a task or feature of memory depends on, and what depends on it
    QueryDependenciesRequest {
        needs {
            #[schemars(extend("enum" = ["task", "feature"]))]
            container_type: String,
            id: String,
        }
        takes {
            #[schemars(extend("enum" = ["dependencies", "dependents", "both"], "default" = "both"))]
            direction: Option<String>,
        }
    }
}

tool! {
    /// `query_dependencies`.
    QueryDependencies(QueryDependenciesRequest) "query_dependencies" Read query
}

fn query(ctx: &Ctx, request: &QueryDependenciesRequest) -> Answered {
    let entity = work(&request.container_type, &request.id)?;
    let direction = request.direction.as_deref().unwrap_or("both");
    let direction = check::choice("direction", direction, &["dependencies", "dependents", "both"])?;
    let found = reading(ctx, |store| of(store, &Work::get(store, entity)?))?;
    let found = match direction {
        "dependencies" => Dependencies {
            dependents: Vec::new(),
            ..found
        },
        "dependents" => Dependencies {
            dependencies: Vec::new(),
            ..found
        },
        _ => found,
    };
    let data = json!({
        "id": entity.id,
        "containerType": entity.kind.name(),
        "direction": direction,
        "dependencies": found.dependencies,
        "dependents": found.dependents,
    });
    Told::answer("Dependencies retrieved", data)
}

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

tool! {
    /// `manage_dependency`.
    ManageDependency(ManageDependencyRequest) "manage_dependency" Write manage
}

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
    Told::answer("Dependency operation completed", data)
}
