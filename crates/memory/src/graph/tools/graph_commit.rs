//! `graph_commit`: what a task taught about the code, in one call.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::envelope::{Told, envelope};
use crate::graph::commit::{Commit, commit};
use crate::graph::input::list;
use crate::store::Got;
use lore_seam::{Access, Ctx, Envelope, OpError, Operation, Value};

/// Write everything a task taught about the code in one call, all or nothing: molecules, atoms, changelog entries, confirmations. Items without id are new; `ref` names them for others as "ref:name"
#[derive(Args, Deserialize, JsonSchema, Clone, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct GraphCommitRequest {
    /// Task that everything is written for
    #[arg(skip)]
    pub task_id: String,
    /// [this repository's project]
    #[arg(skip)]
    #[serde(default)]
    pub project_id: Option<String>,
    /// [{ref | id, version, name, knowledge, knowledgeMode, relatedMolecules}]
    #[arg(skip)]
    #[serde(default)]
    #[schemars(extend("x-agents-type" = "object"))]
    pub molecules: Option<Json>,
    /// [{ref | id, version, name, paths, knowledge, knowledgeMode, moleculeId, relatedAtoms}]
    #[arg(skip)]
    #[serde(default)]
    #[schemars(extend("x-agents-type" = "object"))]
    pub atoms: Option<Json>,
    /// [{parentType, parentId, summary}]
    #[arg(skip)]
    #[serde(default)]
    #[schemars(extend("x-agents-type" = "object"))]
    pub changelog: Option<Json>,
    /// [atom id]: still right at this commit
    #[arg(skip)]
    #[serde(default)]
    #[schemars(extend("x-agents-type" = "string"))]
    pub confirm: Option<Json>,
    /// [{id, version}]
    #[arg(skip)]
    #[serde(default)]
    #[schemars(extend("x-agents-type" = "object"))]
    pub remove_atoms: Option<Json>,
}

/// `graph_commit`.
pub struct GraphCommit;

impl Operation for GraphCommit {
    const NAME: &'static str = "graph_commit";
    const COMMAND: &'static [&'static str] = &[];
    const ACCESS: Access = Access::Record;
    const ENVELOPE: Option<Envelope> = Some(envelope);
    type Request = GraphCommitRequest;
    type Answer = Value<Told>;

    fn run(ctx: &Ctx, request: GraphCommitRequest) -> Result<Value<Told>, OpError> {
        let committed = commit(ctx, &read(request)?)?;
        let message = format!(
            "Graph committed: {} molecule(s), {} atom(s), {} changelog entry(ies), {} confirmed",
            committed.molecules.len(),
            committed.atoms.len(),
            committed.entries.len(),
            committed.confirmed.len()
        );
        Told::answer(message, committed)
    }
}

/// What is to be written.
pub(crate) fn read(request: GraphCommitRequest) -> Got<Commit> {
    let items = |field: &str, given: Option<Json>| match given.filter(|given| !given.is_null()) {
        Some(given) => list(field, &given),
        None => Ok(Vec::new()),
    };
    Ok(Commit {
        task: Some(request.task_id),
        project: request.project_id,
        molecules: items("molecules", request.molecules)?,
        atoms: items("atoms", request.atoms)?,
        changelog: items("changelog", request.changelog)?,
        confirm: items("confirm", request.confirm)?,
        remove_atoms: items("removeAtoms", request.remove_atoms)?,
    })
}
