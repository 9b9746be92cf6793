//! `manage_graph`: all writes, one at a time.

use serde_json::{Value as Json, json};

use super::{Answered, request, tool};
use crate::check::{self, choice, required, word};
use crate::envelope::{ToolAnswer, now};
use crate::graph::atoms::{self, AtomChange, Moment, NewAtom};
use crate::graph::input::{self, MoleculeArgument, RawRelated, mode, molecule_id, present};
use crate::graph::molecules::{self, MoleculeChange, NewMolecule};
use crate::graph::project;
use crate::graph::relations::Coming;
use crate::graph::repository_state::RepositoryState;
use crate::id::Id;
use crate::model::{Atom, ParentType};
use crate::store::{Got, writing};
use lore_seam::Ctx;

request! {
    /// Create, update or delete one molecule or atom of knowledge about the code; graph_commit writes several at once
    ManageGraphRequest {
        needs {
            /// create, update, delete
            operation: String,
            /// atom, molecule
            entity_type: String,
        }
        takes {
            /// For update, delete
            id: Option<String>,
            /// For update, delete: the version that was read
            version: Option<i64>,
            /// For create [this repository's project]
            project_id: Option<String>,
            /// For create
            name: Option<String>,
            /// JSON array of globs: src/pay/**, src/*.ts
            #[schemars(extend("x-agents-type" = "string"))]
            paths: Option<Json>,
            /// The knowledge, at most 32 KB
            knowledge: Option<String>,
            /// overwrite or append; without it overwrite
            knowledge_mode: Option<String>,
            /// Molecule of an atom; null takes it out
            #[serde(deserialize_with = "present")]
            molecule_id: MoleculeArgument,
            /// JSON array of {atomId, reason}
            #[schemars(extend("x-agents-type" = "object"))]
            related_atoms: Option<Json>,
            /// JSON array of {moleculeId, reason}
            #[schemars(extend("x-agents-type" = "object"))]
            related_molecules: Option<Json>,
            /// For create
            created_by_task_id: Option<String>,
            /// Task that updates or deletes
            last_task_id: Option<String>,
            /// Delete a molecule with its atoms [false: they become orphans]
            cascade: Option<bool>,
        }
    }
}

tool!(ManageGraph(ManageGraphRequest) "manage_graph" Write manage);

fn manage(ctx: &Ctx, request: &ManageGraphRequest) -> Answered {
    let operation = choice("operation", &request.operation, &["create", "update", "delete"])?;
    let kind: ParentType = word("entityType", &request.entity_type)?;
    match (operation, kind) {
        ("create", ParentType::Atom) => create_atom(ctx, request),
        ("create", ParentType::Molecule) => create_molecule(ctx, request),
        ("update", ParentType::Atom) => update_atom(ctx, request),
        ("update", ParentType::Molecule) => update_molecule(ctx, request),
        (_, ParentType::Atom) => delete_atom(ctx, request),
        (_, ParentType::Molecule) => delete_molecule(ctx, request),
    }
}

fn related(field: &str, key: &str, given: Option<&Json>) -> Got<Option<Vec<RawRelated>>> {
    let given = given.filter(|given| !given.is_null());
    given
        .map(|given| input::related(field, key, &input::list(field, given)?))
        .transpose()
}

fn patterns(given: Option<&Json>) -> Got<Option<Vec<String>>> {
    let given = given.filter(|given| !given.is_null());
    given
        .map(|given| input::patterns("paths", &input::list("paths", given)?))
        .transpose()
}

fn create_atom(ctx: &Ctx, request: &ManageGraphRequest) -> Answered {
    let name = check::name("name", required("name", "create", request.name.as_deref())?)?;
    let paths = required("paths", "create", patterns(request.paths.as_ref())?)?;
    let task = task_of_create(request)?;
    let knowledge = input::knowledge(request.knowledge.as_deref().unwrap_or_default())?;
    let molecule = molecule_id(&request.molecule_id, |text| check::id("moleculeId", text))?.flatten();
    let related = related("relatedAtoms", "atomId", request.related_atoms.as_ref())?.unwrap_or_default();
    let (id, time, state) = (Id::fresh(ctx), now(ctx), RepositoryState::here(ctx)?);
    let atom = writing(ctx, |store| {
        let project = project(ctx, store, "create", request.project_id.as_deref())?;
        let new = NewAtom {
            id,
            project,
            molecule,
            name: name.clone(),
            paths: paths.clone(),
            knowledge: knowledge.clone(),
            related: related.clone(),
            task,
        };
        let moment = Moment {
            now: &time,
            state: state.as_ref(),
        };
        atoms::create(store, new, &Coming::default(), moment)
    })?;
    answered("Atom created successfully", state.as_ref(), &atom)
}

fn create_molecule(ctx: &Ctx, request: &ManageGraphRequest) -> Answered {
    let name = check::name("name", required("name", "create", request.name.as_deref())?)?;
    let task = task_of_create(request)?;
    let knowledge = input::knowledge(request.knowledge.as_deref().unwrap_or_default())?;
    let related = related("relatedMolecules", "moleculeId", request.related_molecules.as_ref())?.unwrap_or_default();
    let (id, time) = (Id::fresh(ctx), now(ctx));
    let molecule = writing(ctx, |store| {
        let project = project(ctx, store, "create", request.project_id.as_deref())?;
        let new = NewMolecule {
            id,
            project,
            name: name.clone(),
            knowledge: knowledge.clone(),
            related: related.clone(),
            task,
        };
        molecules::create(store, new, &Coming::default(), &time)
    })?;
    ToolAnswer::answer("Molecule created successfully", json!({ "molecule": molecule }))
}

/// The answer with an atom, and with the patterns that match no file.
fn answered(message: &str, state: Option<&RepositoryState>, atom: &Atom) -> Answered {
    let remarks = state.map_or_else(Vec::new, |state| state.remarks(atom.project_id, &atom.paths));
    if remarks.is_empty() {
        return ToolAnswer::answer(message, json!({ "atom": atom }));
    }
    let message = format!("{message}. Note: {}", remarks.join("; "));
    ToolAnswer::answer(message, json!({ "atom": atom, "remarks": remarks }))
}

fn task_of_create(request: &ManageGraphRequest) -> Got<Id> {
    let task = required("createdByTaskId", "create", request.created_by_task_id.as_deref())?;
    check::id("createdByTaskId", task)
}

/// Which one, and the version that was read.
fn target(request: &ManageGraphRequest, operation: &str) -> Got<(Id, i64)> {
    let id = check::id("id", required("id", operation, request.id.as_deref())?)?;
    Ok((id, required("version", operation, request.version)?))
}

fn update_atom(ctx: &Ctx, request: &ManageGraphRequest) -> Answered {
    let (id, version) = target(request, "update")?;
    let mode = mode(request.knowledge_mode.as_deref())?;
    let change = AtomChange {
        name: request
            .name
            .as_deref()
            .map(|name| check::name("name", name))
            .transpose()?,
        paths: patterns(request.paths.as_ref())?,
        knowledge: request.knowledge.clone().map(|text| (mode, text)),
        molecule: molecule_id(&request.molecule_id, |text| check::id("moleculeId", text))?,
        related: related("relatedAtoms", "atomId", request.related_atoms.as_ref())?,
        project: check::optional_id("projectId", request.project_id.as_deref())?,
        task: check::optional_id("lastTaskId", request.last_task_id.as_deref())?,
    };
    let says_how_it_is = change.paths.is_some() || change.knowledge.is_some();
    let state = if says_how_it_is {
        RepositoryState::here(ctx)?
    } else {
        None
    };
    let time = now(ctx);
    let atom = writing(ctx, |store| {
        let moment = Moment {
            now: &time,
            state: state.as_ref(),
        };
        atoms::update(store, id, version, &change, &Coming::default(), moment)
    })?;
    let state = state.filter(|_| change.paths.is_some());
    answered("Atom updated successfully", state.as_ref(), &atom)
}

fn update_molecule(ctx: &Ctx, request: &ManageGraphRequest) -> Answered {
    let (id, version) = target(request, "update")?;
    let mode = mode(request.knowledge_mode.as_deref())?;
    let change = MoleculeChange {
        name: request
            .name
            .as_deref()
            .map(|name| check::name("name", name))
            .transpose()?,
        knowledge: request.knowledge.clone().map(|text| (mode, text)),
        related: related("relatedMolecules", "moleculeId", request.related_molecules.as_ref())?,
        project: check::optional_id("projectId", request.project_id.as_deref())?,
        task: check::optional_id("lastTaskId", request.last_task_id.as_deref())?,
    };
    let time = now(ctx);
    let molecule = writing(ctx, |store| {
        molecules::update(store, id, version, &change, &Coming::default(), &time)
    })?;
    ToolAnswer::answer("Molecule updated successfully", json!({ "molecule": molecule }))
}

fn delete_atom(ctx: &Ctx, request: &ManageGraphRequest) -> Answered {
    let (id, version) = target(request, "delete")?;
    writing(ctx, |store| atoms::delete(store, id, version))?;
    ToolAnswer::answer("Atom deleted successfully", json!({ "deleted": true }))
}

fn delete_molecule(ctx: &Ctx, request: &ManageGraphRequest) -> Answered {
    let (id, version) = target(request, "delete")?;
    let task = check::optional_id("lastTaskId", request.last_task_id.as_deref())?;
    let cascade = request.cascade.unwrap_or(false);
    let time = now(ctx);
    let released = writing(ctx, |store| molecules::delete(store, id, version, cascade, task, &time))?;
    let mut data = json!({ "deleted": true });
    let counts = [("orphanedAtoms", released.orphaned), ("removedAtoms", released.removed)];
    if let Some(fields) = data.as_object_mut() {
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        fields.extend(counts.map(|(name, count)| (name.to_owned(), json!(count))));
    }
    ToolAnswer::answer("Molecule deleted successfully", data)
}
