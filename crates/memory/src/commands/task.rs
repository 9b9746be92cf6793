//! `lore memory task …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::container::{self, CreateArguments, ListArguments};
use super::{Answered, Listed, TextAnswer, command};
use crate::model::EntityType;
use lore_seam::{Ctx, Value};

/// Make a task of memory: a piece of work
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task create 'Check the password' --feature login --priority high --complexity 3
  lore memory task create 'Write the guide' --file notes.md

Exit status: 0 made; 1 there is no such feature, or it is over; 2 it could not be made.")]
#[serde(default)]
pub struct TaskCreateRequest {
    /// What it is called
    #[arg(value_name = "TITLE")]
    pub title: String,
    /// What it is, in a sentence [default: its title]
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
    /// How hard it is, from 1 to 10 [default: 5]
    #[arg(long, value_name = "N")]
    pub complexity: Option<i64>,
    /// The feature that it is part of
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// Its project [default: that of the feature, or of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

/// List the tasks of memory, the last made first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task list
  lore memory task list --feature login --status '!CLOSED'
  lore memory task list --blocked

Exit status: 0 there are some; 1 there are none.")]
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
    /// A tag, one of which it has, or !TAG that it has not; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// The feature that they are part of
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// Its project; * is all [default: that of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// Only those that something blocks
    #[arg(long)]
    pub blocked: bool,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<i64>,
}

/// Show a task of memory with its sections and what it waits for
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task show 'Check the password'
  lore memory task show 5f3a91c2

Exit status: 0 shown; 1 there is none, or several are meant.")]
#[serde(default)]
pub struct TaskShowRequest {
    /// Its title, its id or the end of it
    #[arg(value_name = "TASK")]
    pub task: String,
}

/// Edit a task of memory in your editor
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task edit 5f3a91c2

Exit status: 0 written, or nothing was changed; 1 somebody else was faster (your text is kept); 2 it could not be edited.")]
#[serde(default)]
pub struct TaskEditRequest {
    /// Its title, its id or the end of it
    #[arg(value_name = "TASK")]
    pub task: String,
}

/// Delete a task of memory
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory task delete 5f3a91c2

Exit status: 0 deleted; 1 there is none, or several are meant; 2 it could not be deleted.")]
#[serde(default)]
pub struct TaskDeleteRequest {
    /// Its title, its id or the end of it
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
