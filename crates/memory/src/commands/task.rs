//! `lore memory task …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::container::{self, CreateArguments, ListArguments};
use super::{Answered, Listed, TextAnswer, command};
use crate::model::EntityType;
use lore_seam::{Ctx, Value};

/// Create a task of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task create 'Check the password' --feature login --priority high --complexity 3
  lore memory task create 'Write the guide' --file notes.md

Exit status: 0 created; 1 the feature does not exist or is closed; 2 the task could not be created.")]
#[serde(default)]
pub struct TaskCreateRequest {
    /// The name
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// A summary in one sentence [default: the title]
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
    /// The complexity, from 1 to 10 [default: 5]
    #[arg(long, value_name = "N")]
    pub complexity: Option<i64>,
    /// The feature of the task
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// The project [default: the project of the feature or of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// A tag (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the tasks of memory, newest first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task list
  lore memory task list --feature login --status '!CLOSED'
  lore memory task list --blocked

Exit status: 0 something is listed; 1 the list is empty.")]
#[serde(default)]
pub struct TaskListRequest {
    /// Words that must all occur
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// States: NEW,ACTIVE or !CLOSED
    #[arg(long, value_name = "LIST")]
    pub status: Option<String>,
    /// Priorities: HIGH,MEDIUM or !LOW
    #[arg(long, value_name = "LIST")]
    pub priority: Option<String>,
    /// Only with one of these tags, or without !TAG (repeatable)
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Only tasks of this feature
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// Only in this project; * means all [default: the project of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// Only blocked tasks
    #[arg(long)]
    pub blocked: bool,
    /// At most this many
    #[arg(long, value_name = "N")]
    pub limit: Option<i64>,
}

/// Show a task of memory with its sections and blockers
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task show 'Check the password'
  lore memory task show 5f3a91c2

Exit status: 0 shown; 1 there is none, or the name is ambiguous.")]
#[serde(default)]
pub struct TaskShowRequest {
    /// Title, id or last digits of the id
    #[arg(value_name = "TASK")]
    pub task: String,
}

/// Edit a task of memory in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task edit 5f3a91c2

Exit status: 0 written or unchanged; 1 a version conflict (your text is saved); 2 the editor failed.")]
#[serde(default)]
pub struct TaskEditRequest {
    /// Title, id or last digits of the id
    #[arg(value_name = "TASK")]
    pub task: String,
}

/// Delete a task of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task delete 5f3a91c2

Exit status: 0 deleted; 1 there is none, or the name is ambiguous; 2 the task could not be deleted.")]
#[serde(default)]
pub struct TaskDeleteRequest {
    /// Title, id or last digits of the id
    #[arg(value_name = "TASK")]
    pub task: String,
}

command!(TaskCreate(TaskCreateRequest) ["memory", "task", "create"], Record Value create);
command!(TaskList(TaskListRequest) ["memory", "task", "list"], Read Rows list);
command!(TaskShow(TaskShowRequest) ["memory", "task", "show"], Read Value show);
command!(TaskEdit(TaskEditRequest) ["memory", "task", "edit"], Write Value edit);
command!(TaskDelete(TaskDeleteRequest) ["memory", "task", "delete"], Write Value delete);

fn create(ctx: &Ctx, request: &TaskCreateRequest) -> Answered {
    let arguments = CreateArguments {
        name: &request.title,
        summary: request.summary.as_deref(),
        description: request.description.as_deref(),
        file: request.file.as_deref(),
        priority: request.priority.as_deref(),
        complexity: request.complexity,
        project: request.project.as_deref(),
        feature: request.feature.as_deref(),
        tags: &request.tags,
    };
    let created = container::created(ctx, EntityType::Task, &arguments)?;
    Ok(Value::yes(TextAnswer::container(&created.container)))
}

fn list(ctx: &Ctx, request: &TaskListRequest) -> Listed {
    let arguments = ListArguments {
        words: &request.words,
        status: request.status.as_deref(),
        priority: request.priority.as_deref(),
        tags: &request.tags,
        project: request.project.as_deref(),
        feature: request.feature.as_deref(),
        blocked: request.blocked,
        limit: request.limit,
    };
    container::list(ctx, EntityType::Task, &arguments)
}

fn show(ctx: &Ctx, request: &TaskShowRequest) -> Answered {
    container::show(ctx, EntityType::Task, Some(&request.task))
}

fn edit(ctx: &Ctx, request: &TaskEditRequest) -> Answered {
    container::edit(ctx, EntityType::Task, &request.task)
}

fn delete(ctx: &Ctx, request: &TaskDeleteRequest) -> Answered {
    container::delete(ctx, EntityType::Task, &request.task, false, false)
}
