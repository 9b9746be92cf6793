//! One atom or molecule with its changelog, and searches for several.

use serde::Serialize;

use super::context::InlineEntry;
use super::molecules::{check_project, first_page};
use crate::check::{chars, invalid, not_found};
use crate::fold::words;
use crate::id::Id;
use crate::limits;
use crate::model::{Atom, Molecule, Parent, ParentType};
use crate::store::{Got, GraphSearch, Reading};

/// An atom or a molecule and its last changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WithChangelog<T> {
    #[serde(flatten)]
    pub value: T,
    /// Its last changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<InlineEntry>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OneAtom {
    pub atom: Atom,
    /// Its last changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<InlineEntry>>,
}

/// A molecule with its atoms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OneMolecule {
    pub molecule: Molecule,
    pub atoms: Vec<WithChangelog<Atom>>,
    /// Its last changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<Vec<InlineEntry>>,
}

/// A page of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchPage<T> {
    /// What was found.
    pub items: Vec<WithChangelog<T>>,
    pub count: usize,
    pub limit: u32,
    /// The number of skipped items.
    pub offset: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
}

/// What is searched for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    pub project: Id,
    /// Words and phrases.
    pub query: String,
    /// The molecule of atoms.
    pub molecule: Option<Id>,
    /// Only atoms without one.
    pub orphans_only: bool,
    pub limit: u32,
    /// Skip this many.
    pub offset: u32,
    /// How many entries of each changelog; none leaves them out.
    pub changelog: Option<u32>,
}

pub fn atom(store: &dyn Reading, id: Id, changelog: Option<u32>) -> Got<OneAtom> {
    let atom = store.atom(id)?.ok_or_else(|| not_found("Atom", id))?;
    Ok(OneAtom {
        changelog: inline(store, Parent::atom(id), changelog)?,
        atom,
    })
}

/// One molecule with its atoms.
pub fn molecule(store: &dyn Reading, id: Id, changelog: Option<u32>) -> Got<OneMolecule> {
    let molecule = store.molecule(id)?.ok_or_else(|| not_found("Molecule", id))?;
    let members = store.members(id)?;
    Ok(OneMolecule {
        changelog: inline(store, Parent::molecule(id), changelog)?,
        atoms: with_changelogs(store, members, changelog, |atom| Parent::atom(atom.id))?,
        molecule,
    })
}

/// Atoms that are searched for.
pub fn atoms(store: &dyn Reading, search: &Search) -> Got<SearchPage<Atom>> {
    if search.molecule.is_some() && search.orphans_only {
        let message = "`orphansOnly` asks for atoms without a molecule, and `moleculeId` for those of one";
        return Err(invalid("orphansOnly", message));
    }
    if let Some(id) = search.molecule {
        store.molecule(id)?.ok_or_else(|| not_found("Molecule", id))?;
    }
    let (ids, has_more) = ids(store, search, ParentType::Atom)?;
    let items = with_changelogs(store, store.atoms(&ids)?, search.changelog, |atom| {
        Parent::atom(atom.id)
    })?;
    Ok(found(search, items, has_more))
}

/// Molecules that are searched for.
pub fn molecules(store: &dyn Reading, search: &Search) -> Got<SearchPage<Molecule>> {
    let (ids, has_more) = ids(store, search, ParentType::Molecule)?;
    let molecules = store.molecules(&ids)?;
    let items = with_changelogs(store, molecules, search.changelog, |it| Parent::molecule(it.id))?;
    Ok(found(search, items, has_more))
}

fn found<T>(search: &Search, items: Vec<WithChangelog<T>>, has_more: bool) -> SearchPage<T> {
    SearchPage {
        count: items.len(),
        items,
        limit: search.limit,
        offset: search.offset,
        has_more,
    }
}

fn ids(store: &dyn Reading, search: &Search, kind: ParentType) -> Got<(Vec<Id>, bool)> {
    check_project(store, search.project)?;
    let words = words(chars("query", &search.query, limits::QUERY_CHARS)?);
    if words.len() > limits::QUERY_WORDS {
        let message = format!(
            "`query` has {} words; at most {} are looked for",
            words.len(),
            limits::QUERY_WORDS
        );
        return Err(invalid("query", message));
    }
    let mut ids = store.search(&GraphSearch {
        kind,
        project: search.project,
        words,
        molecule: search.molecule,
        orphans_only: search.orphans_only,
        offset: search.offset,
        limit: search.limit + 1,
    })?;
    let has_more = ids.len() > search.limit as usize;
    ids.truncate(search.limit as usize);
    Ok((ids, has_more))
}

fn inline(store: &dyn Reading, of: Parent, changelog: Option<u32>) -> Got<Option<Vec<InlineEntry>>> {
    let Some(each) = changelog else {
        return Ok(None);
    };
    let entries = store.changelog(of, first_page(each))?;
    Ok(Some(entries.into_iter().map(InlineEntry::from).collect()))
}

fn with_changelogs<T>(
    store: &dyn Reading,
    values: Vec<T>,
    changelog: Option<u32>,
    parent: impl Fn(&T) -> Parent,
) -> Got<Vec<WithChangelog<T>>> {
    let parents: Vec<Parent> = values.iter().map(&parent).collect();
    let mut recent = match changelog {
        Some(each) => Some(store.recent(&parents, each)?),
        None => None,
    };
    let values = values.into_iter().map(|value| {
        let entries = recent
            .as_mut()
            .map(|recent| recent.remove(&parent(&value)).unwrap_or_default());
        WithChangelog {
            changelog: entries.map(|entries| entries.into_iter().map(InlineEntry::from).collect()),
            value,
        }
    });
    Ok(values.collect())
}
