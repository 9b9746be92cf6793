//! `lore memory board`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use super::container::scope;
use super::{Answered, TextAnswer, command, found_or_no};
use crate::model::{Container, EntityType, Status};
use crate::pipeline;
use crate::store::{ContainerFilter, ContainerOrder, reading};
use lore_seam::Ctx;

/// How many tasks of a column are printed.
const ROWS: usize = 20;

/// Show the tasks of memory by state
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory board
  lore memory board --feature login
  lore memory board --project '*'

Exit status: 0 there are tasks; 1 there are none; 2 the store could not be read.")]
#[serde(default)]
pub struct MemoryBoardRequest {
    /// Only in this feature
    #[arg(long, value_name = "FEATURE")]
    pub feature: Option<String>,
    /// Only in this project; * means all [default: the project of this repository]
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}

command!(MemoryBoard(MemoryBoardRequest) ["memory", "board"], Read Value board);

fn board(ctx: &Ctx, request: &MemoryBoardRequest) -> Answered {
    let (states, tasks) = reading(ctx, |store| {
        let (project, feature) = scope(ctx, store, request.project.as_deref(), request.feature.as_deref())?;
        let states = pipeline::effective(ctx, store)?.task;
        let tasks = store.containers(&ContainerFilter {
            project,
            feature,
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
    let mut shown = TextAnswer::default();
    for (at, state) in columns.iter().enumerate() {
        let column = of_state(state);
        object.insert(state.word().to_owned(), json!(column));
        if at > 0 {
            shown = shown.end();
        }
        shown = shown.strong(state.word()).dim(format!("  {}", column.len())).end();
        for task in column.iter().take(ROWS) {
            shown = shown.text("  ").with(TextAnswer::container(task));
        }
        if column.len() > ROWS {
            shown = shown.line(format!(
                "  … {} more: `lore memory task list --status {state}`",
                column.len() - ROWS
            ));
        }
    }
    let shown = TextAnswer::of(object).with(shown);
    Ok(found_or_no(!tasks.is_empty(), shown))
}
