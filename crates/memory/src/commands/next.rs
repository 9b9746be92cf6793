//! `lore memory next`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::container::scope;
use super::{Answered, TextAnswer, command};
use crate::envelope::{code, failure};
use crate::model::{Container, Entity};
use crate::next::{Among, tasks};
use crate::store::reading;
use crate::workflow;
use lore_seam::{Ctx, Value};

/// How often `--start` tries again after another process took the task.
const MOST_ATTEMPTS: u32 = 50;

/// Show the task of memory to do next
///
/// Lore takes new tasks that are not blocked and whose feature is not blocked: highest priority first, then lowest complexity, then oldest.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory next
  lore memory next --feature login
  lore memory next --start           and start it

Exit status: 0 a task is shown; 1 there is none; 2 the store could not be read.")]
#[serde(default)]
pub struct MemoryNextRequest {
    /// Only in this feature
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// Only in this project; * means all [default: the project of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// Start the task
    #[arg(long)]
    pub start: bool,
}

command!(MemoryNext(MemoryNextRequest) ["memory", "next"], Record Value next);

/// If another process takes the task first, the next one is taken.
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
        let (project, feature) = scope(ctx, store, request.project.as_deref(), request.feature.as_deref())?;
        let among = Among {
            project,
            feature,
            priority: None,
        };
        Ok(tasks(ctx, store, &among, 1)?.pop())
    })?;
    let Some(task) = found else {
        return Ok(Value::no(
            TextAnswer::of(json!({ "task": null })).line("There is no task to start."),
        ));
    };
    if !request.start {
        return Ok(Value::yes(TextAnswer::container(&Container::Task(task))));
    }
    let advanced = workflow::advance(ctx, Entity::task(task.id), Some(task.version))?;
    Ok(Value::yes(
        TextAnswer::of(&advanced.work)
            .with(TextAnswer::work(&advanced.work))
            .line(advanced.message()),
    ))
}
