//! Atoms: made, changed, confirmed and taken away.

use super::input::{Mode, RawRelated};
use super::molecules::{check_project, check_task, same_project};
use super::relations::{Coming, related_atoms};
use super::repository_state::RepositoryState;
use super::text::written;
use crate::check::{not_found, refused, version};
use crate::envelope::code;
use crate::id::Id;
use crate::model::Atom;
use crate::store::{Got, Reading, Writing};

/// An atom to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewAtom {
    pub id: Id,
    pub project: Id,
    /// The molecule that it is part of.
    pub molecule: Option<Id>,
    pub name: String,
    /// The patterns of the paths that it covers.
    pub paths: Vec<String>,
    /// What one has to know there.
    pub knowledge: String,
    pub related: Vec<RawRelated>,
    /// The task that makes it.
    pub task: Id,
}

/// What is changed of an atom.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AtomChange {
    pub name: Option<String>,
    /// The patterns of the paths that it covers.
    pub paths: Option<Vec<String>>,
    /// What one has to know there.
    pub knowledge: Option<(Mode, String)>,
    /// The molecule that it is part of from now on.
    pub molecule: Option<Option<Id>>,
    pub related: Option<Vec<RawRelated>>,
    /// The project that it is said to belong to.
    pub project: Option<Id>,
    pub task: Option<Id>,
}

/// When something is written, and where the repository stands then.
#[derive(Clone, Copy)]
pub struct Moment<'m> {
    /// The time.
    pub now: &'m str,
    /// Where the repository stands, if it is known.
    pub state: Option<&'m RepositoryState>,
}

/// Makes an atom.
pub fn create(store: &mut dyn Writing, new: NewAtom, coming: &Coming, moment: Moment<'_>) -> Got<Atom> {
    check_project(store, new.project)?;
    check_task(store, new.task)?;
    check_molecule(store, coming, new.molecule, new.project)?;
    let now = moment.now;
    let state = moment.state;
    let atom = Atom {
        id: new.id,
        project_id: new.project,
        molecule_id: new.molecule,
        name: new.name,
        knowledge: new.knowledge,
        related_atoms: related_atoms(store, coming, new.id, new.project, &new.related, &[])?,
        created_by_task_id: new.task,
        last_task_id: new.task,
        version: 1,
        created_at: now.to_owned(),
        updated_at: now.to_owned(),
        confirmed: state.and_then(|state| state.confirms(new.project, &new.paths, now)),
        paths: new.paths,
    };
    store.put_atom(&atom, None)?;
    Ok(atom)
}

/// Changes an atom. Whoever writes what is known of it, or where it is, knows it to be right.
pub fn update(
    store: &mut dyn Writing,
    id: Id,
    expected: i64,
    change: &AtomChange,
    coming: &Coming,
    moment: Moment<'_>,
) -> Got<Atom> {
    let mut atom = store.atom(id)?.ok_or_else(|| not_found("Atom", id))?;
    version(id, expected, atom.version)?;
    same_project(change.project, atom.project_id)?;
    if let Some(task) = change.task {
        check_task(store, task)?;
        atom.last_task_id = task;
    }
    if let Some(molecule) = change.molecule {
        check_molecule(store, coming, molecule, atom.project_id)?;
        atom.molecule_id = molecule;
    }
    if let Some(name) = &change.name {
        atom.name.clone_from(name);
    }
    if let Some(paths) = &change.paths {
        atom.paths.clone_from(paths);
    }
    if let Some((mode, text)) = &change.knowledge {
        atom.knowledge = written(&atom.knowledge, *mode, text, moment.now, atom.last_task_id)?;
    }
    if let Some(related) = &change.related {
        let known: Vec<Id> = atom.related_atoms.iter().map(|known| known.atom_id).collect();
        atom.related_atoms = related_atoms(store, coming, id, atom.project_id, related, &known)?;
    }
    let says_how_it_is = change.paths.is_some() || change.knowledge.is_some();
    if let Some(state) = moment.state.filter(|_| says_how_it_is) {
        let confirmed = state.confirms(atom.project_id, &atom.paths, moment.now);
        atom.confirmed = confirmed.or(atom.confirmed);
    }
    atom.version += 1;
    atom.updated_at = moment.now.to_owned();
    store.put_atom(&atom, Some(expected))?;
    Ok(atom)
}

/// Takes note that an atom is still right. Nothing that it says changes, and so neither does its version.
pub fn confirm(store: &mut dyn Writing, id: Id, moment: Moment<'_>) -> Got<Atom> {
    let mut atom = store.atom(id)?.ok_or_else(|| not_found("Atom", id))?;
    let confirmed = moment
        .state
        .and_then(|state| state.confirms(atom.project_id, &atom.paths, moment.now));
    let Some(confirmed) = confirmed else {
        let message = "no commit to confirm at: this is not a repository of the project";
        return Err(refused(code::INVALID_OPERATION, message).hint(
            "run this in the repository of the project; `lore memory project link` links a repository to a project",
        ));
    };
    atom.confirmed = Some(confirmed);
    store.put_atom(&atom, Some(atom.version))?;
    Ok(atom)
}

/// Takes an atom away with its changelog.
pub fn delete(store: &mut dyn Writing, id: Id, expected: i64) -> Got<()> {
    let atom = store.atom(id)?.ok_or_else(|| not_found("Atom", id))?;
    version(id, expected, atom.version)?;
    store.remove_atom(id)
}

fn check_molecule(store: &dyn Reading, coming: &Coming, molecule: Option<Id>, project: Id) -> Got<()> {
    let Some(id) = molecule else {
        return Ok(());
    };
    match store.molecule(id)? {
        Some(molecule) if molecule.project_id == project => Ok(()),
        Some(_) => Err(refused(
            code::INVARIANT_VIOLATION,
            "an atom and its molecule must be in the same project",
        )
        .said("Atom and molecule must belong to the same project")),
        // Its own fault is told where it should be made.
        None if coming.ids.contains(&id) => Ok(()),
        None => Err(not_found("Molecule", id)),
    }
}
