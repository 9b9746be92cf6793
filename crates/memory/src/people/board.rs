//! `lore memory next` and `lore memory board`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use super::choose::{choose, project_option};
use super::{Answered, Shown, command};
use crate::envelope::{code, failure};
use crate::model::{Container, Entity, EntityType, Status};
use crate::next::{Among, tasks};
use crate::pipeline;
use crate::store::{ContainerFilter, ContainerOrder, Got, Reading, reading};
use crate::workflow;
use lore_seam::{Ctx, Value};

/// How often a task is taken that somebody else takes at the same time.
const MOST_ATTEMPTS: u32 = 50;
/// How many tasks of a column are shown.
const SHOWN: usize = 20;

/// Show the task of memory to do next
///
/// It is new, nothing blocks it or its feature, it matters most, and of those it is the simplest, then the oldest.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory next
  lore memory next --feature login
  lore memory next --start           and begin it

Exit status: 0 there is one; 1 there is none; 2 it could not be asked.")]
#[serde(default)]
pub struct MemoryNextRequest {
    /// Of this feature
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// Of this project; * is all [default: that of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// Begin it
    #[arg(long)]
    pub start: bool,
}

/// Show the tasks of memory by state
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory board
  lore memory board --feature login
  lore memory board --project '*'

Exit status: 0 there are tasks; 1 there are none; 2 it could not be asked.")]
#[serde(default)]
pub struct MemoryBoardRequest {
    /// Of this feature
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// Of this project; * is all [default: that of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}

command! {
    /// `lore memory next`.
    MemoryNext(MemoryNextRequest) "memory_next" ["memory", "next"], Record Value next
}
command! {
    /// `lore memory board`.
    MemoryBoard(MemoryBoardRequest) "memory_board" ["memory", "board"], Read Value board
}

fn among(ctx: &Ctx, store: &dyn Reading, feature: Option<&str>, project: Option<&str>) -> Got<Among> {
    let feature = match feature {
        Some(text) => Some(choose(ctx, store, &[EntityType::Feature], text)?.entity().id),
        None => None,
    };
    Ok(Among {
        // A feature says which project it is.
        project: match (feature, project) {
            (Some(_), None) => None,
            (_, project) => project_option(ctx, store, project)?,
        },
        feature,
        priority: None,
    })
}

/// Somebody else may be faster; then the next task is taken.
fn next(ctx: &Ctx, request: &MemoryNextRequest) -> Answered {
    let mut attempts = 0;
    loop {
        attempts += 1;
        match next_one(ctx, request) {
            Err(error) if request.start && attempts < MOST_ATTEMPTS && failure(&error) == code::CONFLICT => {}
            answer => return answer,
        }
    }
}

fn next_one(ctx: &Ctx, request: &MemoryNextRequest) -> Answered {
    let found = reading(ctx, |store| {
        let among = among(ctx, store, request.feature.as_deref(), request.project.as_deref())?;
        Ok(tasks(ctx, store, &among, 1)?.pop())
    })?;
    let Some(task) = found else {
        return Ok(Value::no(
            Shown::of(json!({ "task": null })).line("There is nothing to begin."),
        ));
    };
    if !request.start {
        return Ok(Value::yes(Shown::row(&Container::Task(task))));
    }
    let advanced = workflow::advance(ctx, Entity::task(task.id), Some(task.version))?;
    Ok(Value::yes(
        Shown::of(&advanced.work)
            .with(Shown::work(&advanced.work))
            .line(advanced.message()),
    ))
}

fn board(ctx: &Ctx, request: &MemoryBoardRequest) -> Answered {
    let (states, tasks) = reading(ctx, |store| {
        let among = among(ctx, store, request.feature.as_deref(), request.project.as_deref())?;
        let states = pipeline::effective(ctx, store)?.task;
        let tasks = store.containers(&ContainerFilter {
            project: among.project,
            feature: among.feature,
            order: ContainerOrder::Urgent,
            ..ContainerFilter::all(EntityType::Task)
        })?;
        Ok((states, tasks))
    })?;
    let of_state =
        |state: &Status| -> Vec<&Container> { tasks.iter().filter(|task| task.status() == Some(state)).collect() };
    // The states of the pipeline in order, then those that are in none.
    let mut columns = states.clone();
    let mut others: Vec<&Status> = tasks.iter().filter_map(Container::status).collect();
    others.sort();
    for other in others {
        if !columns.contains(other) {
            columns.push(other.clone());
        }
    }
    let mut object = Map::new();
    let mut shown = Shown::default();
    for (at, state) in columns.iter().enumerate() {
        let column = of_state(state);
        object.insert(state.word().to_owned(), json!(column));
        if at > 0 {
            shown = shown.end();
        }
        shown = shown.strong(state.word()).dim(format!("  {}", column.len())).end();
        for task in column.iter().take(SHOWN) {
            shown = shown.text("  ").with(Shown::row(task));
        }
        if column.len() > SHOWN {
            shown = shown.line(format!(
                "  … {} more: `lore memory task list --status {state}`",
                column.len() - SHOWN
            ));
        }
    }
    let shown = Shown::of(object).with(shown);
    Ok(if tasks.is_empty() {
        Value::no(shown)
    } else {
        Value::yes(shown)
    })
}
