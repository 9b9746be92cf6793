//! `lore memory feature …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::{choose, project_option, text_option};
use super::form::{Form, edited};
use super::{Answered, Listed, Shown, command, listed};
use crate::check;
use crate::containers::{
    Change, Looked, NewContainer, create, description, picked_priority, picked_status, remove, search_words, summary,
    tag_filter, tags, update,
};
use crate::limits;
use crate::model::{Container, Entity, EntityType, Feature};
use crate::store::{ContainerFilter, ContainerOrder, Reading, reading};
use lore_seam::{Ctx, OpError, Value};

/// Make a feature of memory: a part of a project that tasks bring about
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature create login --summary 'People log in' --priority high
  lore memory feature create login --project shop

Exit status: 0 made; 1 there is no such project; 2 it could not be made.")]
#[serde(default)]
pub struct FeatureCreateRequest {
    /// What it is called
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What it is, in a sentence [default: its name]
    #[arg(long, value_name = "TEXT")]
    pub summary: Option<String>,
    /// What it is, at length
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// The same from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// How much it matters: high, medium or low [default: medium]
    #[arg(long, value_name = "PRIORITY")]
    pub priority: Option<String>,
    /// Its project [default: that of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the features of memory, the last made first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature list
  lore memory feature list --status '!CLOSED' --priority HIGH,MEDIUM
  lore memory feature list --project '*' login

Exit status: 0 there are some; 1 there are none.")]
#[serde(default)]
pub struct FeatureListRequest {
    /// Words that must all occur
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// States: NEW,ACTIVE or !CLOSED
    #[arg(long, value_name = "LIST")]
    pub status: Option<String>,
    /// Priorities: HIGH,MEDIUM or !LOW
    #[arg(long, value_name = "LIST")]
    pub priority: Option<String>,
    /// A tag, one of which it has; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Its project; * is all [default: that of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<i64>,
}

/// Show a feature of memory with its tasks and sections
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature show login
  lore memory feature show 5f3a91c2

Exit status: 0 shown; 1 there is none, or several are meant.")]
#[serde(default)]
pub struct FeatureShowRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "FEATURE")]
    pub feature: String,
}

/// Edit a feature of memory in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature edit login

Exit status: 0 written, or nothing was changed; 1 somebody else was faster (your text is kept); 2 it could not be edited.")]
#[serde(default)]
pub struct FeatureEditRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "FEATURE")]
    pub feature: String,
}

/// Delete a feature of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature delete login
  lore memory feature delete login --cascade     with its tasks

Exit status: 0 deleted; 1 it has tasks, or there is none; 2 it could not be deleted.")]
#[serde(default)]
pub struct FeatureDeleteRequest {
    /// Its name, its id or the end of it
    #[arg(value_name = "FEATURE")]
    pub feature: String,
    /// Delete its tasks too
    #[arg(long)]
    pub cascade: bool,
}

command! {
    /// `lore memory feature create`.
    FeatureCreate(FeatureCreateRequest) "memory_feature_create" ["memory", "feature", "create"], Record Value created
}
command! {
    /// `lore memory feature list`.
    FeatureList(FeatureListRequest) "memory_feature_list" ["memory", "feature", "list"], Read Rows list
}
command! {
    /// `lore memory feature show`.
    FeatureShow(FeatureShowRequest) "memory_feature_show" ["memory", "feature", "show"], Read Value show
}
command! {
    /// `lore memory feature edit`.
    FeatureEdit(FeatureEditRequest) "memory_feature_edit" ["memory", "feature", "edit"], Write Value edit
}
command! {
    /// `lore memory feature delete`.
    FeatureDelete(FeatureDeleteRequest) "memory_feature_delete" ["memory", "feature", "delete"], Write Value delete
}

fn created(ctx: &Ctx, request: &FeatureCreateRequest) -> Answered {
    let name = check::name("name", &request.name)?;
    let text = text_option(ctx, request.description.as_deref(), request.file.as_deref())?;
    let project = reading(ctx, |store| project_option(ctx, store, request.project.as_deref()))?;
    let new = NewContainer {
        kind: EntityType::Feature,
        summary: summary(request.summary.as_deref().unwrap_or(&name))?,
        name,
        description: text.as_deref().map(description).transpose()?.flatten(),
        priority: Some(check::word(
            "priority",
            request.priority.as_deref().unwrap_or("MEDIUM"),
        )?),
        complexity: None,
        project,
        feature: None,
        tags: tags("tags", request.tags.iter().map(String::as_str))?,
        related: Vec::new(),
    };
    Ok(Value::yes(Shown::row(&create(ctx, &new)?.container)))
}

fn list(ctx: &Ctx, request: &FeatureListRequest) -> Listed {
    let limit = check::count("limit", request.limit, limits::PAGE)?;
    let mut filter = ContainerFilter {
        words: search_words(Some(&request.words.join(" ")))?,
        status: picked_status(request.status.as_deref())?,
        priority: picked_priority(request.priority.as_deref())?,
        tags: tag_filter(EntityType::Feature, &request.tags),
        ..ContainerFilter::all(EntityType::Feature)
    };
    let looked = reading(ctx, |store| {
        filter.project = project_option(ctx, store, request.project.as_deref())?;
        Looked::search(store, &filter, limit)
    })?;
    listed(looked.items.iter().map(Shown::row).collect())
}

fn chosen(ctx: &Ctx, store: &dyn Reading, text: &str) -> Result<Feature, OpError> {
    match choose(ctx, store, &[EntityType::Feature], text)? {
        Container::Feature(feature) => Ok(feature),
        other => Err(check::not_found("Feature", other.entity().id)),
    }
}

fn show(ctx: &Ctx, request: &FeatureShowRequest) -> Answered {
    let shown = reading(ctx, |store| {
        let feature = chosen(ctx, store, &request.feature)?;
        let of = Entity::feature(feature.id);
        let sections = store.sections(of)?;
        let tasks = store.containers(&ContainerFilter {
            feature: Some(feature.id),
            order: ContainerOrder::Oldest,
            ..ContainerFilter::all(EntityType::Task)
        })?;
        let object = json!({ "feature": feature, "sections": sections, "tasks": tasks });
        let mut shown = super::headed(store, Shown::of(object), &Container::Feature(feature))?;
        if !tasks.is_empty() {
            shown = shown.end();
        }
        for task in &tasks {
            shown = shown.with(Shown::row(task));
        }
        for section in &sections {
            shown = shown.with(super::section::whole(section));
        }
        Ok(shown)
    })?;
    Ok(Value::yes(shown))
}

const FIELDS: &[&str] = &["name", "summary", "priority", "tags"];

fn edit(ctx: &Ctx, request: &FeatureEditRequest) -> Answered {
    let feature = reading(ctx, |store| chosen(ctx, store, &request.feature))?;
    let form = Form::new(feature.description.clone().unwrap_or_default())
        .field("name", &feature.name)
        .field("summary", &feature.summary)
        .field("priority", feature.priority.word())
        .field("tags", feature.tags.join(", "));
    let written = edited(ctx, "feature.md", &form, FIELDS, |form| {
        let change = Change {
            name: Some(check::name("name", &form.get("name"))?),
            summary: Some(summary(&form.get("summary"))?),
            description: Some(description(&form.text)?),
            priority: Some(check::word("priority", &form.get("priority"))?),
            tags: Some(tags("tags", check::comma_list(&form.get("tags")))?),
            ..Change::default()
        };
        update(ctx, Entity::feature(feature.id), Some(feature.version), &change)
    })?;
    Ok(super::form_answer(written.as_ref(), &Container::Feature(feature)))
}

fn delete(ctx: &Ctx, request: &FeatureDeleteRequest) -> Answered {
    let feature = reading(ctx, |store| chosen(ctx, store, &request.feature))?;
    let removal = remove(ctx, Entity::feature(feature.id), None, request.cascade)?;
    Ok(Value::yes(super::removed(&feature.name, &removal)))
}
