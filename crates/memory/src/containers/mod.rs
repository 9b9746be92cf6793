//! Containers: projects, features and tasks; what each has to say, and how they are made, changed, taken away and found.

mod create;
mod query;
mod remove;
mod update;

pub use create::{Created, NewContainer, create};
pub use query::{Looked, one, overview, picked_priority, picked_status, search_words, tag_filter};
pub use remove::{Removal, Removed, remove};
pub use update::{Change, update};

use serde::Serialize;

use super::check;
use super::fold::fold;
use super::id::Id;
use super::limits;
use super::model::{Container, Entity, EntityType, Feature, Status};
use super::pipeline;
use super::store::{Got, Reading};
use super::work::Work;
use lore_seam::{Ctx, OpError};

/// A kind with a capital letter, as messages of the specification begin with it.
pub fn capital(kind: EntityType) -> &'static str {
    match kind {
        EntityType::Project => "Project",
        EntityType::Feature => "Feature",
        EntityType::Task => "Task",
    }
}

/// The container, if it exists.
pub fn find(store: &dyn Reading, of: Entity) -> Got<Option<Container>> {
    Ok(match of.kind {
        EntityType::Project => store.project(of.id)?.map(Container::Project),
        EntityType::Feature => store.feature(of.id)?.map(Container::Feature),
        EntityType::Task => store.task(of.id)?.map(Container::Task),
    })
}

pub fn get(store: &dyn Reading, of: Entity) -> Got<Container> {
    find(store, of)?.ok_or_else(|| check::not_found(capital(of.kind), of.id))
}

/// The container as the one field of an answer that is named after its kind.
pub fn named(container: &impl Serialize, kind: EntityType) -> serde_json::Map<String, serde_json::Value> {
    let value = serde_json::to_value(container).unwrap_or_default();
    std::iter::once((kind.name().to_owned(), value)).collect()
}

/// A short text that is not empty.
pub fn summary(given: &str) -> Result<String, OpError> {
    let given = given.trim();
    if given.is_empty() {
        return Err(check::invalid("summary", "`summary` is empty"));
    }
    check::bytes("summary", given, limits::SUMMARY_BYTES).map(str::to_owned)
}

/// A long text; an empty one is none.
pub fn description(given: &str) -> Result<Option<String>, OpError> {
    let given = check::bytes("description", given.trim(), limits::DESCRIPTION_BYTES)?;
    Ok((!given.is_empty()).then(|| given.to_owned()))
}

/// How hard a task is.
pub fn complexity(given: i64) -> Result<i64, OpError> {
    if (1..=10).contains(&given) {
        Ok(given)
    } else {
        Err(check::invalid(
            "complexity",
            format!("`complexity` is a number from 1 to 10, not {given}"),
        ))
    }
}

/// Tags: folded, each once, in order.
pub fn tags<'t>(field: &str, given: impl IntoIterator<Item = &'t str>) -> Result<Vec<String>, OpError> {
    let mut tags: Vec<String> = Vec::new();
    for tag in given {
        let tag = fold(check::chars(field, tag.trim(), limits::TAG_CHARS)?);
        if !tag.is_empty() {
            tags.push(tag);
        }
    }
    tags.sort();
    tags.dedup();
    if tags.len() > limits::TAGS {
        Err(check::invalid(
            field,
            format!("`{field}` has {} tags; the limit is {}", tags.len(), limits::TAGS),
        ))
    } else {
        Ok(tags)
    }
}

/// What something has to do with: features and tasks that exist, each once, and not itself.
fn related(store: &dyn Reading, own: Id, given: &[Id]) -> Got<Vec<Id>> {
    let mut kept: Vec<Id> = Vec::new();
    for id in given {
        if *id == own {
            return Err(check::invalid(
                "relatedTo",
                "`relatedTo` contains the id of the item itself",
            ));
        }
        if Work::find(store, *id)?.is_none() {
            return Err(check::not_found("Related entity", id));
        }
        if !kept.contains(id) {
            kept.push(*id);
        }
    }
    if kept.len() > limits::BLOCKERS {
        Err(check::invalid(
            "relatedTo",
            format!("`relatedTo` has {} ids; the limit is {}", kept.len(), limits::BLOCKERS),
        ))
    } else {
        Ok(kept)
    }
}

/// A feature that a task can become part of.
fn open_feature(ctx: &Ctx, store: &dyn Reading, id: Id) -> Got<Feature> {
    let feature = store.feature(id)?.ok_or_else(|| check::not_found("Feature", id))?;
    let pipelines = pipeline::effective(ctx, store)?;
    if pipelines.is_terminal(EntityType::Feature, &feature.status) {
        Err(over(&feature.status))
    } else {
        Ok(feature)
    }
}

fn over(status: &Status) -> OpError {
    check::refused(
        super::envelope::code::INVALID_OPERATION,
        format!("the feature is closed ({status}) and accepts no tasks"),
    )
    .said(format!("Cannot add task: feature is in terminal state {status}"))
}

/// A task belongs to the project of its feature and to no other.
fn other_project() -> OpError {
    check::refused(
        super::envelope::code::INVARIANT_VIOLATION,
        "a task must be in the project of its feature",
    )
    .said("Task and feature must belong to the same project")
}

#[cfg(test)]
mod tests;
