//! What people mean: an id, its last digits, or a name.

use crate::check::{invalid, not_found, refused};
use crate::envelope::code;
use crate::fold::{fold, words};
use crate::id::Id;
use crate::model::ParentType;
use crate::model::{Atom, Container, EntityType, Molecule};
use crate::repository::project_here;
use crate::store::{ContainerFilter, Got, GraphSearch, Reading};
use lore_seam::{Ctx, ErrorKind, OpError};

/// The fewest last digits of an id that stand for it.
const FEWEST_DIGITS: usize = 6;
/// How many are looked through for last digits.
const MOST: u32 = 100_000;

/// The project that is meant: named, or the one of the repository around whoever asks.
pub fn project(ctx: &Ctx, store: &dyn Reading, given: Option<&str>) -> Got<Id> {
    let Some(given) = given else {
        return project_here(ctx, store)?.ok_or_else(|| {
            OpError::new(ErrorKind::NotFound, "this repository has no project")
                .hint("`lore memory project create` makes one; --project names another")
        });
    };
    if let Ok(id) = given.parse::<Id>() {
        return match store.project(id)? {
            Some(_) => Ok(id),
            None => Err(not_found("Project", id)),
        };
    }
    let containers = store.containers(&ContainerFilter::all(EntityType::Project))?;
    let known = containers.iter().map(|it| (it.entity().id, it.name()));
    one("project", given, known.collect())
}

/// The task that is meant, in a project.
pub fn task(store: &dyn Reading, project: Id, given: &str) -> Got<Id> {
    if let Ok(id) = given.parse::<Id>() {
        return match store.task(id)? {
            Some(_) => Ok(id),
            None => Err(not_found("Task", id)),
        };
    }
    let filter = ContainerFilter {
        project: Some(project),
        ..ContainerFilter::all(EntityType::Task)
    };
    let containers: Vec<Container> = store.containers(&filter)?;
    let known = containers.iter().map(|it| (it.entity().id, it.name()));
    one("task", given, known.collect())
}

/// The atom that is meant.
pub fn atom(store: &dyn Reading, project: Id, given: &str) -> Got<Id> {
    if let Ok(id) = given.parse::<Id>() {
        return match store.atom(id)? {
            Some(_) => Ok(id),
            None => Err(not_found("Atom", id)),
        };
    }
    let ids = candidates(store, project, ParentType::Atom, given)?;
    let atoms: Vec<Atom> = store.atoms(&ids)?;
    one(
        "atom",
        given,
        atoms.iter().map(|atom| (atom.id, atom.name.as_str())).collect(),
    )
}

/// The molecule that is meant.
pub fn molecule(store: &dyn Reading, project: Id, given: &str) -> Got<Id> {
    if let Ok(id) = given.parse::<Id>() {
        return match store.molecule(id)? {
            Some(_) => Ok(id),
            None => Err(not_found("Molecule", id)),
        };
    }
    let ids = candidates(store, project, ParentType::Molecule, given)?;
    let molecules: Vec<Molecule> = store.molecules(&ids)?;
    one(
        "molecule",
        given,
        molecules.iter().map(|it| (it.id, it.name.as_str())).collect(),
    )
}

/// Those whose name could be meant; all of them where digits are given.
fn candidates(store: &dyn Reading, project: Id, kind: ParentType, given: &str) -> Got<Vec<Id>> {
    let words = if is_suffix(given) { Vec::new() } else { words(given) };
    store.search(&GraphSearch {
        kind,
        project,
        words,
        molecule: None,
        orphans_only: false,
        offset: 0,
        limit: MOST,
    })
}

fn is_suffix(given: &str) -> bool {
    given.len() >= FEWEST_DIGITS && given.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The one whose name or last digits were given.
fn one(what: &str, given: &str, known: Vec<(Id, &str)>) -> Got<Id> {
    let given = given.trim();
    if given.is_empty() {
        return Err(invalid(what, format!("the name of the {what} is empty")));
    }
    let exact = known.iter().filter(|(_, name)| *name == given);
    let mut found: Vec<&(Id, &str)> = exact.collect();
    if found.is_empty() {
        found = known.iter().filter(|(_, name)| fold(name) == fold(given)).collect();
    }
    if found.is_empty() && is_suffix(given) {
        let digits = given.to_ascii_lowercase();
        let ends = |id: &Id| id.to_string().replace('-', "").ends_with(&digits);
        found = known.iter().filter(|(id, _)| ends(id)).collect();
    }
    match found.as_slice() {
        [(id, _)] => Ok(*id),
        [] => Err(OpError::new(
            ErrorKind::NotFound,
            format!("there is no {what} `{}`", lore_model::truncate_chars(given, 60)),
        )
        .code(code::NOT_FOUND)),
        several => {
            let named: Vec<String> = several
                .iter()
                .take(5)
                .map(|(id, name)| format!("{} {name}", id.short()))
                .collect();
            let message = format!("{} {what}s answer to `{given}`: {}", several.len(), named.join(", "));
            Err(refused(code::CONFLICT, message).hint("give the id, or its last digits"))
        }
    }
}
