//! `lore memory feature …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::container::{self, CreateArguments, ListArguments};
use super::{Answered, Listed, TextAnswer, command};
use crate::model::EntityType;
use lore_seam::{Ctx, Value};

/// Create a feature of memory: a part of a project that consists of tasks
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature create login --summary 'People log in' --priority high
  lore memory feature create login --project shop

Exit status: 0 created; 1 there is no such project; 2 the feature could not be created.")]
#[serde(default)]
pub struct FeatureCreateRequest {
    /// The name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// A summary in one sentence [default: the name]
    #[arg(long, value_name = "TEXT")]
    pub summary: Option<String>,
    /// A longer description
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Read that text from a file; - is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The priority: high, medium or low [default: medium]
    #[arg(long, value_name = "PRIORITY")]
    pub priority: Option<String>,
    /// The project [default: the project of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// A tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the features of memory, newest first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature list
  lore memory feature list --status '!CLOSED' --priority HIGH,MEDIUM
  lore memory feature list --project '*' login

Exit status: 0 something is listed; 1 the list is empty.")]
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
    /// Only with one of these tags (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Only in this project; * means all [default: the project of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N")]
    pub limit: Option<i64>,
}

/// Show a feature of memory with its tasks and sections
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature show login
  lore memory feature show 5f3a91c2

Exit status: 0 shown; 1 there is none, or the name is ambiguous.")]
#[serde(default)]
pub struct FeatureShowRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "FEATURE")]
    pub feature: String,
}

/// Edit a feature of memory in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature edit login

Exit status: 0 written or unchanged; 1 a version conflict (your text is saved); 2 the editor failed.")]
#[serde(default)]
pub struct FeatureEditRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "FEATURE")]
    pub feature: String,
}

/// Delete a feature of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory feature delete login
  lore memory feature delete login --cascade     with its tasks

Exit status: 0 deleted; 1 the feature has tasks, or does not exist; 2 the feature could not be deleted.")]
#[serde(default)]
pub struct FeatureDeleteRequest {
    /// Name, id or last digits of the id
    #[arg(value_name = "FEATURE")]
    pub feature: String,
    /// Also delete its tasks
    #[arg(long)]
    pub cascade: bool,
}

command!(FeatureCreate(FeatureCreateRequest) ["memory", "feature", "create"], Record Value create);
command!(FeatureList(FeatureListRequest) ["memory", "feature", "list"], Read Rows list);
command!(FeatureShow(FeatureShowRequest) ["memory", "feature", "show"], Read Value show);
command!(FeatureEdit(FeatureEditRequest) ["memory", "feature", "edit"], Write Value edit);
command!(FeatureDelete(FeatureDeleteRequest) ["memory", "feature", "delete"], Write Value delete);

fn create(ctx: &Ctx, request: &FeatureCreateRequest) -> Answered {
    let arguments = CreateArguments {
        name: &request.name,
        summary: request.summary.as_deref(),
        description: request.description.as_deref(),
        file: request.file.as_deref(),
        priority: request.priority.as_deref(),
        project: request.project.as_deref(),
        tags: &request.tags,
        ..CreateArguments::default()
    };
    let created = container::created(ctx, EntityType::Feature, &arguments)?;
    Ok(Value::yes(TextAnswer::container(&created.container)))
}

fn list(ctx: &Ctx, request: &FeatureListRequest) -> Listed {
    let arguments = ListArguments {
        words: &request.words,
        status: request.status.as_deref(),
        priority: request.priority.as_deref(),
        tags: &request.tags,
        project: request.project.as_deref(),
        limit: request.limit,
        ..ListArguments::default()
    };
    container::list(ctx, EntityType::Feature, &arguments)
}

fn show(ctx: &Ctx, request: &FeatureShowRequest) -> Answered {
    container::show(ctx, EntityType::Feature, Some(&request.feature))
}

fn edit(ctx: &Ctx, request: &FeatureEditRequest) -> Answered {
    container::edit(ctx, EntityType::Feature, &request.feature)
}

fn delete(ctx: &Ctx, request: &FeatureDeleteRequest) -> Answered {
    container::delete(ctx, EntityType::Feature, &request.feature, request.cascade, false)
}
