//! `lore memory commit`.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::choose::project_or_own;
use super::knowledge::{read_text, task_for};
use super::{Answered, TextAnswer, command};
use crate::graph::commit::commit;
use crate::id::Id;
use crate::store::writing;
use crate::tools::{GraphCommitRequest, read_commit};
use lore_seam::{Ctx, ErrorKind, OpError, Value, check_arguments};

/// Write molecules, atoms and changelog entries from a JSON file in one transaction
///
/// The file contains the arguments of the tool graph_commit. `taskId` is optional.
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[command(after_help = "Examples:
  lore memory commit learned.json
  jq … | lore memory commit -")]
#[serde(default)]
pub struct MemoryCommitRequest {
    /// The file; - is standard input
    pub file: String,
    /// The task that the change is recorded for, instead of the task in the file
    #[arg(long, value_name = "ID|NAME")]
    pub task: Option<String>,
    /// The project, by id or name [default: from the file, or the project of this repository]
    #[arg(long, value_name = "ID|NAME")]
    pub project: Option<String>,
}

command!(MemoryCommit(MemoryCommitRequest) ["memory", "commit"], Record Value write);

fn write(ctx: &Ctx, request: &MemoryCommitRequest) -> Answered {
    let text = read_text(ctx, &request.file)?;
    let fault = |error: serde_json::Error| {
        let message = format!("{} is not a graph commit: {error}", request.file);
        OpError::new(ErrorKind::Invalid, message).because(error)
    };
    let mut whole: Json = serde_json::from_str(&text).map_err(fault)?;
    if whole.is_object() {
        let schema = schemars::schema_for!(GraphCommitRequest).to_value();
        check_arguments("graph_commit", &whole, &schema)?;
    }
    let fresh = Id::fresh(ctx);
    let named = request.project.clone();
    let named = named.or_else(|| whole.get("projectId").and_then(Json::as_str).map(str::to_owned));
    let has_task = whole.get("taskId").is_some_and(|task| !task.is_null());
    let (project, task) = writing(ctx, |store| {
        let project = project_or_own(ctx, store, named.as_deref())?;
        let task = match (&request.task, has_task) {
            (None, true) => None,
            (task, _) => Some(task_for(ctx, store, project, task.as_deref(), fresh)?),
        };
        Ok((project, task))
    })?;
    if let Some(fields) = whole.as_object_mut() {
        fields.insert("projectId".to_owned(), json!(project));
        if let Some(task) = task {
            fields.insert("taskId".to_owned(), json!(task));
        }
    }
    let asked: GraphCommitRequest = serde_json::from_value(whole).map_err(fault)?;
    let committed = commit(ctx, &read_commit(asked)?)?;
    let mut answer = TextAnswer::of(&committed);
    for molecule in &committed.molecules {
        let (id, name, version) = (molecule.id.short(), &molecule.name, molecule.version);
        answer = answer.line(format!("{id}  {name} (molecule, version {version})"));
    }
    for atom in &committed.atoms {
        answer = answer.line(format!("{}  {} (version {})", atom.id.short(), atom.name, atom.version));
    }
    Ok(Value::yes(answer.line(format!(
        "{} changelog entries, {} confirmed, {} removed",
        committed.entries.len(),
        committed.confirmed.len(),
        committed.removed.len()
    ))))
}
