//! Molecules: made, changed and taken away.

use std::collections::BTreeSet;

use serde_json::json;

use super::input::{Mode, RawRelated};
use super::relations::{Coming, related_molecules};
use super::text::written;
use crate::check::{not_found, refused, version};
use crate::envelope::code;
use crate::id::Id;
use crate::model::{Molecule, Parent};
use crate::store::{Got, Page, Reading, Writing};

/// A molecule to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewMolecule {
    pub id: Id,
    pub project: Id,
    pub name: String,
    /// What holds for all of its atoms.
    pub knowledge: String,
    pub related: Vec<RawRelated>,
    /// The task that makes it.
    pub task: Id,
}

/// What is changed of a molecule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoleculeChange {
    pub name: Option<String>,
    /// What holds for all of its atoms.
    pub knowledge: Option<(Mode, String)>,
    pub related: Option<Vec<RawRelated>>,
    /// The project that it is said to belong to.
    pub project: Option<Id>,
    pub task: Option<Id>,
}

/// What became of the atoms of a molecule that was taken away.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Released {
    /// Atoms that are part of none now.
    pub orphaned: usize,
    /// Atoms that were taken away with it.
    pub removed: usize,
}

/// Makes a molecule.
pub fn create(store: &mut dyn Writing, new: NewMolecule, coming: &Coming, now: &str) -> Got<Molecule> {
    check_project(store, new.project)?;
    check_task(store, new.task)?;
    let molecule = Molecule {
        id: new.id,
        project_id: new.project,
        name: new.name,
        knowledge: new.knowledge,
        related_molecules: related_molecules(store, coming, new.id, new.project, &new.related, &[])?,
        created_by_task_id: new.task,
        last_task_id: new.task,
        version: 1,
        created_at: now.to_owned(),
        updated_at: now.to_owned(),
    };
    store.put_molecule(&molecule, None)?;
    Ok(molecule)
}

/// Changes a molecule.
pub fn update(
    store: &mut dyn Writing,
    id: Id,
    expected: i64,
    change: &MoleculeChange,
    coming: &Coming,
    now: &str,
) -> Got<Molecule> {
    let mut molecule = store.molecule(id)?.ok_or_else(|| not_found("Molecule", id))?;
    version(id, expected, molecule.version)?;
    same_project(change.project, molecule.project_id)?;
    if let Some(task) = change.task {
        check_task(store, task)?;
        molecule.last_task_id = task;
    }
    if let Some(name) = &change.name {
        molecule.name.clone_from(name);
    }
    if let Some((mode, text)) = &change.knowledge {
        molecule.knowledge = written(&molecule.knowledge, *mode, text, now, molecule.last_task_id)?;
    }
    if let Some(related) = &change.related {
        let known: BTreeSet<Id> = molecule
            .related_molecules
            .iter()
            .map(|known| known.molecule_id)
            .collect();
        let known: Vec<Id> = known.into_iter().collect();
        molecule.related_molecules = related_molecules(store, coming, id, molecule.project_id, related, &known)?;
    }
    molecule.version += 1;
    molecule.updated_at = now.to_owned();
    store.put_molecule(&molecule, Some(expected))?;
    Ok(molecule)
}

/// Takes a molecule away: with its atoms, or without, and then they are part of none.
pub fn delete(
    store: &mut dyn Writing,
    id: Id,
    expected: i64,
    cascade: bool,
    task: Option<Id>,
    now: &str,
) -> Got<Released> {
    let molecule = store.molecule(id)?.ok_or_else(|| not_found("Molecule", id))?;
    version(id, expected, molecule.version)?;
    if let Some(task) = task {
        check_task(store, task)?;
    }
    let mut released = Released::default();
    for mut atom in store.members(id)? {
        if cascade {
            store.remove_atom(atom.id)?;
            released.removed += 1;
        } else {
            let read = atom.version;
            atom.molecule_id = None;
            atom.last_task_id = task.unwrap_or(molecule.last_task_id);
            atom.version = read + 1;
            atom.updated_at = now.to_owned();
            store.put_atom(&atom, Some(read))?;
            released.orphaned += 1;
        }
    }
    store.remove_molecule(id)?;
    Ok(released)
}

/// Holds that a project exists.
pub fn check_project(store: &dyn Reading, id: Id) -> Got<()> {
    match store.project(id)? {
        Some(_) => Ok(()),
        None => Err(not_found("Project", id)),
    }
}

/// Holds that a task exists, in whatever state it is.
pub fn check_task(store: &dyn Reading, id: Id) -> Got<()> {
    match store.task(id)? {
        Some(_) => Ok(()),
        None => Err(not_found("Task", id)),
    }
}

/// Holds that something stays in its project.
pub fn same_project(given: Option<Id>, project: Id) -> Got<()> {
    match given.filter(|given| *given != project) {
        None => Ok(()),
        Some(_) => Err(refused(
            code::INVARIANT_VIOLATION,
            "the project of an atom or a molecule cannot be changed",
        )
        .said("projectId cannot be changed")
        .data(json!({ "field": "projectId" }))),
    }
}

/// Holds that what a changelog is about exists.
pub fn check_parent(store: &dyn Reading, parent: Parent) -> Got<()> {
    use crate::model::ParentType;
    let (found, what) = match parent.kind {
        ParentType::Atom => (store.atom(parent.id)?.is_some(), "Atom"),
        ParentType::Molecule => (store.molecule(parent.id)?.is_some(), "Molecule"),
    };
    if found { Ok(()) } else { Err(not_found(what, parent.id)) }
}

/// The first entries of a changelog.
pub fn first_page(limit: u32) -> Page {
    Page { offset: 0, limit }
}
