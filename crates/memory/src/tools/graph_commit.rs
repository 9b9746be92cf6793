//! `graph_commit`: what a task taught about the code, in one call.

use serde_json::Value as Json;

use super::{Answered, request, tool};
use crate::envelope::ToolAnswer;
use crate::graph::commit::{Commit, commit};
use crate::graph::input::list;
use crate::store::Got;
use lore_seam::Ctx;

request! {
    /// Write everything learned in a task in one transaction: molecules, atoms, changelog entries, confirmations. Items without id are new; `ref` names them for others as "ref:name"
    GraphCommitRequest {
        needs {
            /// The task of all changes
            task_id: String,
        }
        takes {
            /// [this repository's project]
            project_id: Option<String>,
            /// [{ref | id, version, name, knowledge, knowledgeMode, relatedMolecules}]
            #[schemars(extend("x-agents-type" = "object"))]
            molecules: Option<Json>,
            /// [{ref | id, version, name, paths, knowledge, knowledgeMode, moleculeId, relatedAtoms}]
            #[schemars(extend("x-agents-type" = "object"))]
            atoms: Option<Json>,
            /// [{parentType, parentId, summary}]
            #[schemars(extend("x-agents-type" = "object"))]
            changelog: Option<Json>,
            /// [atom id]: still correct at this commit
            #[schemars(extend("x-agents-type" = "string"))]
            confirm: Option<Json>,
            /// [{id, version}]
            #[schemars(extend("x-agents-type" = "object"))]
            remove_atoms: Option<Json>,
        }
    }
}

tool!(GraphCommit(GraphCommitRequest) "graph_commit" Record write);

fn write(ctx: &Ctx, request: &GraphCommitRequest) -> Answered {
    let committed = commit(ctx, &read(request.clone())?)?;
    let message = format!(
        "Graph committed: {} molecule(s), {} atom(s), {} changelog entry(ies), {} confirmed",
        committed.molecules.len(),
        committed.atoms.len(),
        committed.entries.len(),
        committed.confirmed.len()
    );
    ToolAnswer::answer(message, committed)
}

/// The commit that a request describes.
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
