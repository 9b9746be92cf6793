//! Arguments that several tools take, in the forms in which clients write them: lists as arrays, as the text of one, or separated by commas.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::check;
use crate::containers;
use crate::id::Id;
use crate::model::{Blocker, Entity, EntityType};
use crate::next::Among;
use crate::repository::project_here;
use crate::store::{Got, Reading};
use lore_seam::{Ctx, OpError};

/// All projects, where one is asked for.
const ALL: &str = "*";

/// Null apart from absent: `Some(None)` was given as null.
pub(super) fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// The items of a list: an array, the text of an array, or texts that are separated by commas. Null is none at all.
pub(super) fn items(field: &str, value: Option<&Value>) -> Result<Option<Vec<String>>, OpError> {
    let texts = |items: &[Value]| {
        let each = items.iter().enumerate().map(|(at, item)| match item {
            Value::String(text) => Ok(text.trim().to_owned()),
            _ => Err(check::invalid(field, format!("`{field}[{at}]` is not text"))),
        });
        each.collect::<Result<Vec<String>, OpError>>()
    };
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(items)) => texts(items).map(Some),
        Some(Value::String(text)) => match array(text) {
            Some(items) => texts(&items).map(Some),
            None => Ok(Some(check::comma_list(text).into_iter().map(str::to_owned).collect())),
        },
        Some(_) => Err(check::invalid(
            field,
            format!("`{field}` is a list, or text separated by commas"),
        )),
    }
}

pub(super) fn array(text: &str) -> Option<Vec<Value>> {
    if text.trim_start().starts_with('[') {
        serde_json::from_str(text).ok()
    } else {
        None
    }
}

/// Identifiers.
pub(super) fn ids(field: &str, value: Option<&Value>) -> Result<Option<Vec<Id>>, OpError> {
    let Some(items) = items(field, value)? else {
        return Ok(None);
    };
    let ids = items.iter().map(|item| check::id(field, item));
    ids.collect::<Result<Vec<Id>, OpError>>().map(Some)
}

pub(super) fn tags(value: Option<&Value>) -> Result<Option<Vec<String>>, OpError> {
    let items = items("tags", value)?;
    items
        .map(|items| containers::tags("tags", items.iter().map(String::as_str)))
        .transpose()
}

/// Blockers: `NO_OP`, identifiers, or both; at least one.
pub(super) fn blockers(value: &Value) -> Result<Vec<Blocker>, OpError> {
    let items = items("blockedBy", Some(value))?.unwrap_or_default();
    if items.is_empty() {
        return Err(check::invalid("blockedBy", "`blockedBy` is empty")
            .said("blockedBy must be an array of UUIDs or the string \"NO_OP\""));
    }
    let mut blockers = Vec::new();
    for item in items {
        let blocker = item.parse().map_err(|_| {
            let shown = lore_model::truncate_chars(&item, 60);
            check::invalid("blockedBy", format!("`blockedBy` contains ids or NO_OP, not `{shown}`"))
        })?;
        if !blockers.contains(&blocker) {
            blockers.push(blocker);
        }
    }
    Ok(blockers)
}

/// The kind of a container.
pub(super) fn container_type(text: &str) -> Result<EntityType, OpError> {
    kind("containerType", text, &["project", "feature", "task"])
}

/// The kind of what has a state.
pub(super) fn work_type(text: &str) -> Result<EntityType, OpError> {
    kind("containerType", text, &["task", "feature"])
}

fn kind(field: &str, text: &str, words: &[&'static str]) -> Result<EntityType, OpError> {
    match check::choice(field, text, words)? {
        "project" => Ok(EntityType::Project),
        "feature" => Ok(EntityType::Feature),
        _ => Ok(EntityType::Task),
    }
}

/// A feature or a task by its kind and identifier.
pub(super) fn work(container_type: &str, id: &str) -> Result<Entity, OpError> {
    Ok(Entity {
        kind: work_type(container_type)?,
        id: check::id("id", id)?,
    })
}

/// What sections belong to.
pub(super) fn entity(
    operation: &str,
    entity_type: Option<&String>,
    entity_id: Option<&String>,
) -> Result<Entity, OpError> {
    let kind = check::required("entityType", operation, entity_type)?;
    let id = check::required("entityId", operation, entity_id)?;
    Ok(Entity {
        kind: check::word("entityType", kind)?,
        id: check::id("entityId", id)?,
    })
}

/// Whether a text that was given clears a field.
pub(super) fn clears(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text.eq_ignore_ascii_case("null")
}

/// An identifier that may be cleared: null, an empty text and `null` do.
pub(super) fn clearable(field: &str, given: Option<&Option<String>>) -> Result<Option<Option<Id>>, OpError> {
    match given {
        None => Ok(None),
        Some(None) => Ok(Some(None)),
        Some(Some(text)) if clears(text) => Ok(Some(None)),
        Some(Some(text)) => check::id(field, text).map(|id| Some(Some(id))),
    }
}

/// The project filter of a question, by default the project of the repository; `*` means all projects.
pub fn project_filter(ctx: &Ctx, store: &dyn Reading, given: Option<&str>) -> Got<Option<Id>> {
    match given.map(str::trim).filter(|given| !clears(given)) {
        Some(ALL) => Ok(None),
        Some(text) => {
            let id = check::id("projectId", text)?;
            match store.project(id)? {
                Some(_) => Ok(Some(id)),
                None => Err(check::not_found("Project", id)),
            }
        }
        None => project_here(ctx, store),
    }
}

/// The feature to which a question is narrowed.
pub(super) fn feature_filter(store: &dyn Reading, given: Option<&str>) -> Got<Option<Id>> {
    let Some(text) = given.filter(|given| !clears(given)) else {
        return Ok(None);
    };
    let id = check::id("featureId", text)?;
    match store.feature(id)? {
        Some(_) => Ok(Some(id)),
        None => Err(check::not_found("Feature", id)),
    }
}

/// The project, the feature and the priority to which a question is narrowed. A feature implies its project.
pub(super) fn among(
    ctx: &Ctx,
    store: &dyn Reading,
    project: Option<&str>,
    feature: Option<&str>,
    priority: Option<&str>,
) -> Got<Among> {
    let feature = feature_filter(store, feature)?;
    let project = match (feature, project) {
        (Some(_), None) => None,
        (_, project) => project_filter(ctx, store, project)?,
    };
    Ok(Among {
        project,
        feature,
        priority: priority
            .filter(|word| !clears(word))
            .map(|word| check::word("priority", word))
            .transpose()?,
    })
}
