//! Everything that a task taught about the code, written at once: molecules, atoms, changelog entries, confirmations and removals. All of it or none of it is
//! written; every fault is told, not only the first.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::atoms::{self, AtomChange, Moment, NewAtom};
use super::input::{self, Mode};
use super::input::{MoleculeArgument, mode, molecule_id};
use super::molecules::{self, MoleculeChange, NewMolecule};
use super::relations::Coming;
use super::repository_state::RepositoryState;
use super::{changelog, input::RawRelated};
use crate::check::{self, invalid, required, word};
use crate::envelope::{code_of, failure, now};
use crate::id::Id;
use crate::limits;
use crate::model::{Atom, Entry, Molecule, Parent};
use crate::store::{Got, Writing, writing};
use lore_seam::{Ctx, OpError};

/// What is to be written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Commit {
    /// The task that everything is written for.
    pub task: Option<String>,
    /// The project of what is new.
    pub project: Option<String>,
    pub molecules: Vec<Value>,
    pub atoms: Vec<Value>,
    /// Entries of changelogs.
    pub changelog: Vec<Value>,
    /// Atoms that are still right.
    pub confirm: Vec<Value>,
    /// Atoms that are taken away.
    pub remove_atoms: Vec<Value>,
}

/// What was written.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Committed {
    /// Molecules as they are now.
    pub molecules: Vec<Molecule>,
    /// Atoms as they are now.
    pub atoms: Vec<Atom>,
    pub entries: Vec<Entry>,
    /// Atoms that were confirmed.
    pub confirmed: Vec<Id>,
    /// Atoms that were taken away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Id>,
    /// The identifiers of what is new, by the names that the request gave.
    pub refs: BTreeMap<String, Id>,
    /// Patterns of these atoms that match no file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MoleculeItem {
    #[serde(rename = "ref")]
    name_here: Option<String>,
    id: Option<String>,
    version: Option<Value>,
    name: Option<String>,
    knowledge: Option<String>,
    knowledge_mode: Option<String>,
    related_molecules: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AtomItem {
    #[serde(rename = "ref")]
    name_here: Option<String>,
    id: Option<String>,
    version: Option<Value>,
    name: Option<String>,
    paths: Option<Value>,
    knowledge: Option<String>,
    knowledge_mode: Option<String>,
    #[serde(default, deserialize_with = "super::input::present")]
    molecule_id: MoleculeArgument,
    related_atoms: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EntryItem {
    parent_type: String,
    parent_id: String,
    summary: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RemovalItem {
    id: String,
    version: Value,
}

/// One step, checked as far as it can be without the store.
enum Step {
    NewMolecule(NewMolecule),
    Molecule(Id, i64, MoleculeChange),
    NewAtom(NewAtom),
    Atom(Id, i64, AtomChange),
    Entry(Id, Parent, String),
    Confirm(Id),
    Remove(Id, i64),
}

/// What is wrong with one item.
#[derive(Clone)]
struct Fault {
    at: String,
    error: OpError,
}

/// Writes all of it, or nothing.
pub fn commit(ctx: &Ctx, request: &Commit) -> Got<Committed> {
    let items = [
        request.molecules.len(),
        request.atoms.len(),
        request.changelog.len(),
        request.confirm.len(),
        request.remove_atoms.len(),
    ];
    let all: usize = items.iter().sum();
    if all == 0 {
        return Err(invalid("atoms", "there is nothing to write"));
    }
    if all > limits::COMMIT_ITEMS {
        let message = format!("{all} items; the limit is {}", limits::COMMIT_ITEMS);
        return Err(invalid("atoms", message));
    }
    let task = check::id("taskId", required("taskId", "commit", request.task.as_deref())?)?;
    let state = RepositoryState::here(ctx)?;
    let time = now(ctx);
    let makes = request
        .molecules
        .iter()
        .chain(&request.atoms)
        .any(|item| item.get("id").is_none_or(Value::is_null));
    let project = if makes {
        crate::store::reading(ctx, |store| {
            super::project(ctx, store, "commit", request.project.as_deref()).map(Some)
        })?
    } else {
        check::optional_id("projectId", request.project.as_deref())?
    };
    let mut faults = Vec::new();
    let coming = coming(ctx, request, &mut faults);
    let steps = steps(ctx, request, task, project, &coming, &mut faults);
    let mut committed = writing(ctx, |store| {
        let mut committed = Committed {
            refs: coming.refs.clone(),
            ..Committed::default()
        };
        let mut faults = faults.clone();
        molecules::check_task(store, task)?;
        for (at, step) in &steps {
            let moment = Moment {
                now: &time,
                state: state.as_ref(),
            };
            if let Err(error) = take(store, step, task, &coming, moment, &mut committed) {
                let at = at.clone();
                faults.push(Fault { at, error });
            }
        }
        if faults.is_empty() {
            Ok(committed)
        } else {
            Err(all_faults(&faults))
        }
    })?;
    if let (Some(state), Some(project)) = (&state, committed.atoms.first().map(|atom| atom.project_id)) {
        let own = committed.atoms.iter().filter(|atom| atom.project_id == project);
        let patterns: std::collections::BTreeSet<&String> = own.flat_map(|atom| &atom.paths).collect();
        let patterns: Vec<String> = patterns.into_iter().cloned().collect();
        committed.remarks = state.remarks(project, &patterns);
    }
    Ok(committed)
}

/// One error that tells all faults; its code is that of the first.
fn all_faults(faults: &[Fault]) -> OpError {
    let told: Vec<Value> = faults
        .iter()
        .map(|fault| {
            let detail = fault.error.detail.clone().unwrap_or_default();
            let mut told = json!({
                "at": fault.at,
                "code": code_of(&fault.error),
                "message": detail.said.unwrap_or_else(|| fault.error.message.clone()),
            });
            if let (Some(current), Some(told)) = (detail.data.get("currentVersion"), told.as_object_mut()) {
                told.insert("currentVersion".to_owned(), current.clone());
            }
            told
        })
        .collect();
    let Some(first) = faults.first() else {
        return invalid("atoms", "there is nothing to write");
    };
    let more = match faults.len() {
        1 => String::new(),
        many => format!(" (and {} more)", many - 1),
    };
    let mut error = first.error.clone();
    let said = error.detail.as_ref().and_then(|detail| detail.said.clone());
    error.message = format!("nothing was written: {}: {}{more}", first.at, error.message);
    let code = failure(&error);
    let said = said.map(|said| format!("Nothing was written: {}: {said}{more}", first.at));
    let error = error.code(code).data(json!({ "faults": told }));
    match said {
        Some(said) => error.said(said),
        None => error,
    }
}

/// What the request makes, with an identifier each.
fn coming(ctx: &Ctx, request: &Commit, faults: &mut Vec<Fault>) -> Coming {
    let mut coming = Coming::default();
    for (list, items) in [("molecules", &request.molecules), ("atoms", &request.atoms)] {
        for (at, item) in items.iter().enumerate() {
            let Some(name) = item.get("ref").and_then(Value::as_str) else {
                continue;
            };
            let id = Id::fresh(ctx);
            coming.ids.insert(id);
            if coming.refs.insert(name.trim().to_owned(), id).is_some() {
                let at = format!("{list}[{at}]");
                let error = invalid("ref", format!("`{at}` has the same `ref` as another"));
                faults.push(Fault { at, error });
            }
        }
    }
    coming
}

fn steps(
    ctx: &Ctx,
    request: &Commit,
    task: Id,
    project: Option<Id>,
    coming: &Coming,
    faults: &mut Vec<Fault>,
) -> Vec<(String, Step)> {
    let mut steps = Vec::new();
    let mut written = BTreeSet::new();
    let lists = [
        ("molecules", &request.molecules),
        ("atoms", &request.atoms),
        ("removeAtoms", &request.remove_atoms),
        ("changelog", &request.changelog),
        ("confirm", &request.confirm),
    ];
    for (list, items) in lists {
        for (number, item) in items.iter().enumerate() {
            let at = format!("{list}[{number}]");
            let step = match list {
                "molecules" => molecule_step(ctx, item, task, project, coming),
                "atoms" => atom_step(ctx, item, task, project, coming),
                "removeAtoms" => removal_step(item),
                "changelog" => entry_step(ctx, item, coming),
                _ => confirm_step(item),
            };
            let step = step.and_then(|step| match written_by(&step) {
                Some(id) if !written.insert(id) => Err(invalid("id", format!("{id} is written twice"))),
                _ => Ok(step),
            });
            match step {
                Ok(step) => steps.push((at, step)),
                Err(error) => faults.push(Fault { at, error }),
            }
        }
    }
    steps
}

fn written_by(step: &Step) -> Option<Id> {
    match step {
        Step::Molecule(id, ..) | Step::Atom(id, ..) | Step::Remove(id, _) => Some(*id),
        _ => None,
    }
}

fn item<T: serde::de::DeserializeOwned>(value: &Value) -> Got<T> {
    serde_json::from_value(value.clone()).map_err(|error| invalid("items", error.to_string()))
}

fn version_of(given: Option<&Value>) -> Got<i64> {
    let given = required("version", "update", given.filter(|given| !given.is_null()))?;
    let whole = given
        .as_i64()
        .or_else(|| given.as_str().and_then(|text| text.trim().parse().ok()));
    whole.ok_or_else(|| invalid("version", format!("`version` is a whole number, not {given}")))
}

fn related(field: &str, key: &str, given: Option<&Value>) -> Got<Option<Vec<RawRelated>>> {
    let given = given.filter(|given| !given.is_null());
    given
        .map(|given| input::related(field, key, &input::list(field, given)?))
        .transpose()
}

fn knowledge(text: Option<&str>, given: Option<&str>) -> Got<Option<(Mode, String)>> {
    let mode = mode(given)?;
    Ok(text.map(|text| (mode, text.to_owned())))
}

fn fresh(ctx: &Ctx, coming: &Coming, name: Option<&str>) -> Id {
    let known = name.and_then(|name| coming.refs.get(name.trim()).copied());
    known.unwrap_or_else(|| Id::fresh(ctx))
}

fn molecule_step(ctx: &Ctx, value: &Value, task: Id, project: Option<Id>, coming: &Coming) -> Got<Step> {
    let item: MoleculeItem = item(value)?;
    let name = item.name.as_deref().map(|name| check::name("name", name)).transpose()?;
    let related = related("relatedMolecules", "moleculeId", item.related_molecules.as_ref())?;
    let text = knowledge(item.knowledge.as_deref(), item.knowledge_mode.as_deref())?;
    if let Some(id) = &item.id {
        let change = MoleculeChange {
            name,
            knowledge: text,
            related,
            project,
            task: Some(task),
        };
        return Ok(Step::Molecule(
            check::id("id", id)?,
            version_of(item.version.as_ref())?,
            change,
        ));
    }
    Ok(Step::NewMolecule(NewMolecule {
        id: fresh(ctx, coming, item.name_here.as_deref()),
        project: required("projectId", "commit", project)?,
        name: required("name", "create", name)?,
        knowledge: input::knowledge(item.knowledge.as_deref().unwrap_or_default())?,
        related: related.unwrap_or_default(),
        task,
    }))
}

fn atom_step(ctx: &Ctx, value: &Value, task: Id, project: Option<Id>, coming: &Coming) -> Got<Step> {
    let item: AtomItem = item(value)?;
    let name = item.name.as_deref().map(|name| check::name("name", name)).transpose()?;
    let paths = item.paths.as_ref().filter(|paths| !paths.is_null());
    let paths = paths
        .map(|paths| input::patterns("paths", &input::list("paths", paths)?))
        .transpose()?;
    let related = related("relatedAtoms", "atomId", item.related_atoms.as_ref())?;
    let text = knowledge(item.knowledge.as_deref(), item.knowledge_mode.as_deref())?;
    let molecule = molecule_id(&item.molecule_id, |text| coming.id("moleculeId", text))?;
    if let Some(id) = &item.id {
        let change = AtomChange {
            name,
            paths,
            knowledge: text,
            molecule,
            related,
            project,
            task: Some(task),
        };
        return Ok(Step::Atom(
            check::id("id", id)?,
            version_of(item.version.as_ref())?,
            change,
        ));
    }
    Ok(Step::NewAtom(NewAtom {
        id: fresh(ctx, coming, item.name_here.as_deref()),
        project: required("projectId", "commit", project)?,
        molecule: molecule.flatten(),
        name: required("name", "create", name)?,
        paths: required("paths", "create", paths)?,
        knowledge: input::knowledge(item.knowledge.as_deref().unwrap_or_default())?,
        related: related.unwrap_or_default(),
        task,
    }))
}

fn removal_step(value: &Value) -> Got<Step> {
    let item: RemovalItem = item(value)?;
    Ok(Step::Remove(
        check::id("id", &item.id)?,
        version_of(Some(&item.version))?,
    ))
}

fn entry_step(ctx: &Ctx, value: &Value, coming: &Coming) -> Got<Step> {
    let item: EntryItem = item(value)?;
    let parent = Parent {
        kind: word("parentType", &item.parent_type)?,
        id: coming.id("parentId", &item.parent_id)?,
    };
    Ok(Step::Entry(Id::fresh(ctx), parent, input::summary(&item.summary)?))
}

fn confirm_step(value: &Value) -> Got<Step> {
    let id = value
        .as_str()
        .ok_or_else(|| invalid("confirm", "`confirm` is a list of identifiers"))?;
    Ok(Step::Confirm(check::id("confirm", id)?))
}

fn take(
    store: &mut dyn Writing,
    step: &Step,
    task: Id,
    coming: &Coming,
    moment: Moment<'_>,
    committed: &mut Committed,
) -> Got<()> {
    match step {
        Step::NewMolecule(new) => {
            let molecule = molecules::create(store, new.clone(), coming, moment.now)?;
            committed.molecules.push(molecule);
        }
        Step::Molecule(id, version, change) => {
            let molecule = molecules::update(store, *id, *version, change, coming, moment.now)?;
            committed.molecules.push(molecule);
        }
        Step::NewAtom(new) => committed.atoms.push(atoms::create(store, new.clone(), coming, moment)?),
        Step::Atom(id, version, change) => {
            let atom = atoms::update(store, *id, *version, change, coming, moment)?;
            committed.atoms.push(atom);
        }
        Step::Remove(id, version) => {
            atoms::delete(store, *id, *version)?;
            committed.removed.push(*id);
        }
        Step::Entry(id, parent, summary) => {
            let entry = changelog::append(store, *id, *parent, task, summary.clone(), moment.now)?;
            committed.entries.push(entry);
        }
        Step::Confirm(id) => {
            let atom = atoms::confirm(store, *id, moment)?;
            committed.confirmed.push(atom.id);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
