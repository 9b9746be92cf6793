//! `lore memory changelog …`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::choose::choose_knowledge;
use super::knowledge::task_for;
use super::{Answered, TextAnswer, command};
use crate::check;
use crate::envelope::now;
use crate::graph::{changelog, input};
use crate::id::Id;
use crate::limits;
use crate::model::{Parent, ParentType};
use crate::store::{Got, Page, Reading, reading, writing};
use lore_seam::{Ctx, Value};

/// Add an entry to the changelog of an atom or a molecule
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory changelog add 'Payment API' 'retries now back off, see the incident of May'
  lore memory changelog add 'Payment Domain' 'moved to events' --molecule")]
#[serde(default)]
pub struct ChangelogAddRequest {
    /// The atom or molecule: id, last digits of the id, or name
    pub of: String,
    /// What changed and why
    pub summary: String,
    /// OF is a molecule
    #[arg(long)]
    pub molecule: bool,
    /// The task that the change is recorded for [default: the only active task, or "Recorded by hand"]
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

/// List the changelog of an atom or a molecule, newest first
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory changelog list 'Payment API'
  lore memory changelog list 'Payment Domain' --molecule")]
#[serde(default)]
pub struct ChangelogListRequest {
    /// The atom or molecule: id, last digits of the id, or name
    pub of: String,
    /// OF is a molecule
    #[arg(long)]
    pub molecule: bool,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[serde(default = "twenty")]
    pub limit: i64,
    /// The project, by id or name [default: the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

fn twenty() -> i64 {
    20
}

command!(ChangelogAdd(ChangelogAddRequest) ["memory", "changelog", "add"], Record Value add);
command!(ChangelogList(ChangelogListRequest) ["memory", "changelog", "list"], Read Value list);

fn parent(ctx: &Ctx, store: &dyn Reading, project: Option<&str>, text: &str, is_molecule: bool) -> Got<Parent> {
    let kind = if is_molecule {
        ParentType::Molecule
    } else {
        ParentType::Atom
    };
    let id = choose_knowledge(ctx, store, kind, project, text)?;
    Ok(Parent { kind, id })
}

fn add(ctx: &Ctx, request: &ChangelogAddRequest) -> Answered {
    let summary = input::summary(&request.summary)?;
    let (id, fresh, time) = (Id::fresh(ctx), Id::fresh(ctx), now(ctx));
    let entry = writing(ctx, |store| {
        let parent = parent(ctx, store, request.project.as_deref(), &request.of, request.molecule)?;
        let (what, project) = match parent.kind {
            ParentType::Molecule => ("Molecule", store.molecule(parent.id)?.map(|it| it.project_id)),
            ParentType::Atom => ("Atom", store.atom(parent.id)?.map(|it| it.project_id)),
        };
        let project = project.ok_or_else(|| check::not_found(what, parent.id))?;
        let task = task_for(ctx, store, project, request.task.as_deref(), fresh)?;
        changelog::append(store, id, parent, task, summary.clone(), &time)
    })?;
    let line = format!("{} {}", entry.created_at, entry.summary);
    Ok(Value::yes(TextAnswer::of(entry).line(line)))
}

fn list(ctx: &Ctx, request: &ChangelogListRequest) -> Answered {
    let limit = check::count("limit", Some(request.limit), limits::DEFAULT_PAGE)?;
    let entries = reading(ctx, |store| {
        let parent = parent(ctx, store, request.project.as_deref(), &request.of, request.molecule)?;
        changelog::search(store, parent, Page { offset: 0, limit })
    })?;
    let lines = entries.iter().map(|entry| {
        let (time, task) = (&entry.created_at, entry.task_id.short());
        TextAnswer::default().line(format!("{time} {} (task {task})", entry.summary))
    });
    let answer = TextAnswer::of(json!({ "entries": entries })).each(lines);
    Ok(if entries.is_empty() {
        Value::no(answer.line("No changelog entries."))
    } else {
        Value::yes(answer)
    })
}
