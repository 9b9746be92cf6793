//! The tool `manage_container`.

use serde_json::{Value, json};

use super::arguments::{clearable, container_type, given, ids, tags as tag_list};
use super::{Answered, request, tool};
use crate::check;
use crate::containers::{Change, NewContainer, complexity, create, description, named, remove, summary, update};
use crate::envelope::{ToolAnswer, code};
use crate::model::{Entity, EntityType};
use crate::work::dependents;
use lore_seam::{Ctx, OpError};

request! {
    /// Create, update or delete a project, feature or task of memory
    ManageContainerRequest {
        needs {
            #[schemars(extend("enum" = ["create", "update", "delete"]))]
            operation: String,
            #[schemars(extend("enum" = ["project", "feature", "task"]))]
            container_type: String,
        }
        takes {
            id: Option<String>,
            /// Of a project or feature
            name: Option<String>,
            /// Of a task
            title: Option<String>,
            summary: Option<String>,
            description: Option<String>,
            #[schemars(extend("enum" = ["HIGH", "MEDIUM", "LOW"]))]
            priority: Option<String>,
            /// Default: this repository's
            #[serde(deserialize_with = "given")]
            #[schemars(with = "Option<String>")]
            project_id: Option<Option<String>>,
            #[serde(deserialize_with = "given")]
            #[schemars(with = "Option<String>")]
            feature_id: Option<Option<String>>,
            complexity: Option<i64>,
            /// Comma separated
            tags: Option<Value>,
            /// Ids, comma separated
            related_to: Option<Value>,
            /// The version that was read
            version: Option<i64>,
            /// Delete children too
            cascade: Option<bool>,
            #[schemars(extend("x-agents" = "omit"))]
            status: Option<String>,
        }
    }
}

tool!(ManageContainer(ManageContainerRequest) "manage_container" Write manage);

fn manage(ctx: &Ctx, request: &ManageContainerRequest) -> Answered {
    let operation = check::choice("operation", &request.operation, &["create", "update", "delete"])?;
    let kind = container_type(&request.container_type)?;
    match operation {
        "create" => created(ctx, kind, request),
        "update" => updated(ctx, kind, request),
        _ => deleted(ctx, kind, request),
    }
}

/// A state is moved, not set.
fn no_status(request: &ManageContainerRequest) -> Result<(), OpError> {
    match request.status {
        Some(_) => Err(check::refused(
            code::INVALID_OPERATION,
            "the state cannot be set: use advance, revert or terminate",
        )
        .said("status cannot be set: use advance, revert or terminate")),
        None => Ok(()),
    }
}

/// The name of a project or feature, the title of a task; the other word does as well.
fn name(kind: EntityType, request: &ManageContainerRequest) -> Result<Option<String>, OpError> {
    let (field, own, other) = match kind {
        EntityType::Task => ("title", &request.title, &request.name),
        EntityType::Project | EntityType::Feature => ("name", &request.name, &request.title),
    };
    let given = own.as_ref().or(other.as_ref());
    given.map(|given| check::name(field, given)).transpose()
}

fn created(ctx: &Ctx, kind: EntityType, request: &ManageContainerRequest) -> Answered {
    no_status(request)?;
    let field = match kind {
        EntityType::Task => "title",
        EntityType::Project | EntityType::Feature => "name",
    };
    let name = check::required(field, "create", name(kind, request)?)?;
    let summary = summary(check::required("summary", "create", request.summary.as_ref())?)?;
    let needed = |field: &str| {
        let message = format!("`{field}` is missing");
        check::invalid(field, message).said(format!("{field} is required for creating a {}", kind.name()))
    };
    let priority = match (&request.priority, kind) {
        (_, EntityType::Project) => None,
        (Some(priority), _) => Some(check::word("priority", priority)?),
        (None, _) => return Err(needed("priority")),
    };
    let complexity = match (request.complexity, kind) {
        (Some(given), EntityType::Task) => Some(complexity(given)?),
        (None, EntityType::Task) => return Err(needed("complexity")),
        _ => None,
    };
    let new = NewContainer {
        kind,
        name,
        summary,
        description: match &request.description {
            Some(given) => description(given)?,
            None => None,
        },
        priority,
        complexity,
        project: match kind {
            EntityType::Project => None,
            EntityType::Feature | EntityType::Task => clearable("projectId", request.project_id.as_ref())?.flatten(),
        },
        feature: match kind {
            EntityType::Task => clearable("featureId", request.feature_id.as_ref())?.flatten(),
            EntityType::Project | EntityType::Feature => None,
        },
        tags: tag_list(request.tags.as_ref())?.unwrap_or_default(),
        related: match kind {
            EntityType::Project => Vec::new(),
            EntityType::Feature | EntityType::Task => {
                ids("relatedTo", request.related_to.as_ref())?.unwrap_or_default()
            }
        },
    };
    let created = create(ctx, &new)?;
    let message = if created.linked {
        format!(
            "{} created successfully; it is now the project of this repository",
            kind.name()
        )
    } else {
        format!("{} created successfully", kind.name())
    };
    ToolAnswer::answer(message, named(&created.container, kind))
}

fn updated(ctx: &Ctx, kind: EntityType, request: &ManageContainerRequest) -> Answered {
    let id = check::required("id", "update", request.id.as_ref())?;
    let version = check::required("version", "update", request.version)?;
    no_status(request)?;
    let has_state = kind != EntityType::Project;
    let change = Change {
        name: name(kind, request)?,
        summary: request.summary.as_deref().map(summary).transpose()?,
        description: request.description.as_deref().map(description).transpose()?,
        priority: match &request.priority {
            Some(priority) if has_state => Some(check::word("priority", priority)?),
            _ => None,
        },
        complexity: match request.complexity {
            Some(given) if kind == EntityType::Task => Some(complexity(given)?),
            _ => None,
        },
        project: if has_state {
            clearable("projectId", request.project_id.as_ref())?
        } else {
            None
        },
        feature: match kind {
            EntityType::Task => clearable("featureId", request.feature_id.as_ref())?,
            EntityType::Project | EntityType::Feature => None,
        },
        tags: tag_list(request.tags.as_ref())?,
        related: if has_state {
            ids("relatedTo", request.related_to.as_ref())?
        } else {
            None
        },
    };
    let of = Entity {
        kind,
        id: check::id("id", id)?,
    };
    let container = update(ctx, of, Some(version), &change)?;
    ToolAnswer::answer(format!("{} updated successfully", kind.name()), named(&container, kind))
}

fn deleted(ctx: &Ctx, kind: EntityType, request: &ManageContainerRequest) -> Answered {
    let id = check::required("id", "delete", request.id.as_ref())?;
    let of = Entity {
        kind,
        id: check::id("id", id)?,
    };
    let removal = remove(ctx, of, request.version, request.cascade.unwrap_or(false))?;
    let mut data = json!({ "deleted": true });
    let removed = json!(removal.removed);
    if removed.as_object().is_some_and(|removed| !removed.is_empty()) {
        data["removed"] = removed;
    }
    if !removal.unblocked.is_empty() {
        data["unblockedEntities"] = json!(dependents(&removal.unblocked));
    }
    ToolAnswer::answer(format!("{} deleted successfully", kind.name()), data)
}
