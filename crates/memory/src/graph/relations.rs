//! What atoms and molecules have to do with: others of the same project, that exist or that come with the same change.

use std::collections::{BTreeMap, BTreeSet};

use super::input::RawRelated;
use crate::check::{invalid, not_found, refused};
use crate::envelope::code;
use crate::id::Id;
use crate::model::{RelatedAtom, RelatedMolecule};
use crate::store::{Got, Reading};

/// What the same change makes: identifiers that do not exist yet, and the names by which the change speaks of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coming {
    /// Identifiers by name.
    pub refs: BTreeMap<String, Id>,
    /// All identifiers.
    pub ids: BTreeSet<Id>,
}

impl Coming {
    /// The identifier that a text means: a UUID, or `ref:name` of what the same change makes.
    pub fn id(&self, field: &str, text: &str) -> Got<Id> {
        match text.trim().strip_prefix("ref:") {
            None => crate::check::id(field, text),
            Some(name) => self.refs.get(name.trim()).copied().ok_or_else(|| {
                let shown = lore_model::truncate_chars(name, 60);
                invalid(
                    field,
                    format!("`{field}` speaks of `ref:{shown}`, which nothing here has"),
                )
            }),
        }
    }
}

/// The atoms that an atom has to do with, each once; `known` are those that are stored with it already, which may be gone.
pub fn related_atoms(
    store: &dyn Reading,
    coming: &Coming,
    of: Id,
    project: Id,
    raw: &[RawRelated],
    known: &[Id],
) -> Got<Vec<RelatedAtom>> {
    let project_of = |id: Id| Ok(store.atom(id)?.map(|atom| atom.project_id));
    let found = resolved(coming, of, project, raw, known, "Atom", project_of)?;
    let found = found
        .into_iter()
        .map(|(atom_id, reason)| RelatedAtom { atom_id, reason });
    Ok(found.collect())
}

/// The molecules that a molecule has to do with, each once.
pub fn related_molecules(
    store: &dyn Reading,
    coming: &Coming,
    of: Id,
    project: Id,
    raw: &[RawRelated],
    known: &[Id],
) -> Got<Vec<RelatedMolecule>> {
    let project_of = |id: Id| Ok(store.molecule(id)?.map(|molecule| molecule.project_id));
    let found = resolved(coming, of, project, raw, known, "Molecule", project_of)?;
    let found = found
        .into_iter()
        .map(|(molecule_id, reason)| RelatedMolecule { molecule_id, reason });
    Ok(found.collect())
}

fn resolved(
    coming: &Coming,
    of: Id,
    project: Id,
    raw: &[RawRelated],
    known: &[Id],
    what: &str,
    project_of: impl Fn(Id) -> Got<Option<Id>>,
) -> Got<Vec<(Id, String)>> {
    let mut found: Vec<(Id, String)> = Vec::new();
    for item in raw {
        let id = coming.id(&item.field, &item.id)?;
        if id == of {
            let message = format!("`{}` is the {} itself", item.field, what.to_lowercase());
            return Err(invalid(&item.field, message));
        }
        let is_coming = coming.ids.contains(&id);
        match project_of(id)? {
            _ if is_coming => {}
            Some(other) if other != project => {
                let message = format!("`{}` belongs to another project", item.field);
                return Err(refused(code::INVARIANT_VIOLATION, message));
            }
            None if !known.contains(&id) => return Err(not_found(what, id)),
            _ => {}
        }
        if !found.iter().any(|(known, _)| *known == id) {
            found.push((id, item.reason.clone()));
        }
    }
    Ok(found)
}
