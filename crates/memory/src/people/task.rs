//! `lore memory task …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::{choose, project_option, text_option};
use super::form::{Form, edited};
use super::{Answered, Listed, Shown, command, listed};
use crate::check;
use crate::containers::{
    Change, Looked, NewContainer, complexity, create, description, picked_priority, picked_status, remove,
    search_words, summary, tag_filter, tags, update,
};
use crate::limits;
use crate::model::{Container, Entity, EntityType, Task};
use crate::store::{ContainerFilter, Reading, reading};
use lore_seam::{Ctx, OpError, Value};

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

command! {
    /// `lore memory task create`.
    TaskCreate(TaskCreateRequest) "memory_task_create" ["memory", "task", "create"], Record Value created
}
command! {
    /// `lore memory task list`.
    TaskList(TaskListRequest) "memory_task_list" ["memory", "task", "list"], Read Rows list
}
command! {
    /// `lore memory task show`.
    TaskShow(TaskShowRequest) "memory_task_show" ["memory", "task", "show"], Read Value show
}
command! {
    /// `lore memory task edit`.
    TaskEdit(TaskEditRequest) "memory_task_edit" ["memory", "task", "edit"], Write Value edit
}
command! {
    /// `lore memory task delete`.
    TaskDelete(TaskDeleteRequest) "memory_task_delete" ["memory", "task", "delete"], Write Value delete
}

fn created(ctx: &Ctx, request: &TaskCreateRequest) -> Answered {
    let name = check::name("title", &request.title)?;
    let text = text_option(ctx, request.description.as_deref(), request.file.as_deref())?;
    let (project, feature) = reading(ctx, |store| {
        let feature = match request.feature.as_deref() {
            Some(text) => Some(choose(ctx, store, &[EntityType::Feature], text)?.entity().id),
            None => None,
        };
        let project = match (&request.project, feature) {
            // A feature says which project it is.
            (None, Some(_)) => None,
            (project, _) => project_option(ctx, store, project.as_deref())?,
        };
        Ok((project, feature))
    })?;
    let new = NewContainer {
        kind: EntityType::Task,
        summary: summary(request.summary.as_deref().unwrap_or(&name))?,
        name,
        description: text.as_deref().map(description).transpose()?.flatten(),
        priority: Some(check::word(
            "priority",
            request.priority.as_deref().unwrap_or("MEDIUM"),
        )?),
        complexity: Some(complexity(request.complexity.unwrap_or(5))?),
        project,
        feature,
        tags: tags("tags", request.tags.iter().map(String::as_str))?,
        related: Vec::new(),
    };
    Ok(Value::yes(Shown::row(&create(ctx, &new)?.container)))
}

fn list(ctx: &Ctx, request: &TaskListRequest) -> Listed {
    let limit = check::count("limit", request.limit, limits::PAGE)?;
    let mut filter = ContainerFilter {
        words: search_words(Some(&request.words.join(" ")))?,
        status: picked_status(request.status.as_deref())?,
        priority: picked_priority(request.priority.as_deref())?,
        tags: tag_filter(EntityType::Task, &request.tags),
        blocked: request.blocked.then_some(true),
        ..ContainerFilter::all(EntityType::Task)
    };
    let looked = reading(ctx, |store| {
        if let Some(text) = request.feature.as_deref() {
            filter.feature = Some(choose(ctx, store, &[EntityType::Feature], text)?.entity().id);
        }
        filter.project = match (&request.project, filter.feature) {
            (None, Some(_)) => None,
            (project, _) => project_option(ctx, store, project.as_deref())?,
        };
        Looked::search(store, &filter, limit)
    })?;
    listed(looked.items.iter().map(Shown::row).collect())
}

fn chosen(ctx: &Ctx, store: &dyn Reading, text: &str) -> Result<Task, OpError> {
    match choose(ctx, store, &[EntityType::Task], text)? {
        Container::Task(task) => Ok(task),
        other => Err(check::not_found("Task", other.entity().id)),
    }
}

fn show(ctx: &Ctx, request: &TaskShowRequest) -> Answered {
    let shown = reading(ctx, |store| {
        let task = chosen(ctx, store, &request.task)?;
        let sections = store.sections(Entity::task(task.id))?;
        let object = json!({ "task": task, "sections": sections });
        let mut shown = super::headed(store, Shown::of(object), &Container::Task(task))?;
        for section in &sections {
            shown = shown.with(super::section::whole(section));
        }
        Ok(shown)
    })?;
    Ok(Value::yes(shown))
}

const FIELDS: &[&str] = &["title", "summary", "priority", "complexity", "tags"];

fn edit(ctx: &Ctx, request: &TaskEditRequest) -> Answered {
    let task = reading(ctx, |store| chosen(ctx, store, &request.task))?;
    let form = Form::new(task.description.clone().unwrap_or_default())
        .field("title", &task.title)
        .field("summary", &task.summary)
        .field("priority", task.priority.word())
        .field("complexity", task.complexity.to_string())
        .field("tags", task.tags.join(", "));
    let written = edited(ctx, "task.md", &form, FIELDS, |form| {
        let hard = form.get("complexity");
        let hard = hard.parse().map_err(|_| {
            check::invalid(
                "complexity",
                format!("`complexity` is a number from 1 to 10, not `{hard}`"),
            )
        })?;
        let change = Change {
            name: Some(check::name("title", &form.get("title"))?),
            summary: Some(summary(&form.get("summary"))?),
            description: Some(description(&form.text)?),
            priority: Some(check::word("priority", &form.get("priority"))?),
            complexity: Some(complexity(hard)?),
            tags: Some(tags("tags", check::comma_list(&form.get("tags")))?),
            ..Change::default()
        };
        update(ctx, Entity::task(task.id), Some(task.version), &change)
    })?;
    Ok(super::form_answer(written.as_ref(), &Container::Task(task)))
}

fn delete(ctx: &Ctx, request: &TaskDeleteRequest) -> Answered {
    let task = reading(ctx, |store| chosen(ctx, store, &request.task))?;
    let removal = remove(ctx, Entity::task(task.id), None, false)?;
    Ok(Value::yes(super::removed(&task.title, &removal)))
}
