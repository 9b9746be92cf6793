//! The tool `query_dependencies`.

use serde_json::json;

use super::arguments::work;
use super::{Answered, request, tool};
use crate::check;
use crate::dependencies::{Dependencies, of};
use crate::envelope::ToolAnswer;
use crate::store::reading;
use crate::work::Work;
use lore_seam::Ctx;

request! {
    /// Dependencies and dependents of a task or feature of memory
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

tool!(QueryDependencies(QueryDependenciesRequest) "query_dependencies" Read query);

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
    ToolAnswer::answer("Dependencies retrieved", data)
}
