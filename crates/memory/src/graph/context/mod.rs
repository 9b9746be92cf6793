//! `context`: what is known of the area around some files. Every atom of the project that covers one of them is told, under its molecule; then what no atom
//! covers.

mod answer;
mod files;

use std::collections::{BTreeMap, BTreeSet};

pub use answer::{Context, ContextAtom, ContextMolecule, InlineEntry, RelatedByName};
pub use files::{Extracted, extract};

use super::paths::normal;
use super::renames::{Moves, Rename};
use super::repository_state::{head_of, log_soon};
use super::staleness::Judge;
use super::suggest::suggestions;
use crate::fold::fold;
use crate::id::Id;
use crate::limits;
use crate::model::{Atom, Entity, Entry, Molecule, Parent, Task};
use crate::store::{Got, Reading};
use lore_seam::Ctx;

/// What is asked for context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub project: Id,
    /// The paths as they were asked for.
    pub paths: Vec<String>,
    /// How many entries of each changelog; none leaves them out.
    pub changelog: Option<u32>,
}

/// What is known around some files.
pub fn context(ctx: &Ctx, store: &dyn Reading, asked: &Asked) -> Got<Context> {
    let index = store.patterns(asked.project)?;
    let head = head_of(ctx, store, asked.project)?;
    let within = head.as_ref().map_or("", |head| &head.within);
    let paths = normal_paths(ctx, within, &asked.paths);
    let mut matched: BTreeMap<Id, Vec<String>> = BTreeMap::new();
    let mut unmatched = Vec::new();
    for (given, path) in &paths {
        let atoms = index.matches(path);
        if atoms.is_empty() {
            unmatched.push((given.clone(), path.clone()));
        }
        for atom in atoms {
            matched.entry(atom).or_default().push(given.clone());
        }
    }
    let ids: Vec<Id> = matched.keys().copied().collect();
    let atoms = store.atoms(&ids)?;
    let groups: BTreeSet<Id> = atoms.iter().filter_map(|atom| atom.molecule_id).collect();
    let molecules = store.molecules(&groups.into_iter().collect::<Vec<_>>())?;
    let needs_log = !unmatched.is_empty()
        || atoms
            .iter()
            .any(|atom| is_older(atom, head.as_ref().map(|it| it.commit.as_str())));
    let log = head.as_ref().filter(|_| needs_log).and_then(|head| log_soon(ctx, head));
    let judge = log.as_deref().map(Judge::new);
    let mut writer = Writer::new(store, asked, &atoms, &molecules)?;
    let mut context = Context::default();
    let mut by_molecule: BTreeMap<Option<Id>, Vec<ContextAtom>> = BTreeMap::new();
    for atom in sorted(atoms, |atom| (atom.name.clone(), atom.id)) {
        let paths = matched.remove(&atom.id).unwrap_or_default();
        let stale = judge.as_ref().and_then(|judge| judge.stale(&atom));
        let told = writer.atom(&atom, paths, stale);
        by_molecule.entry(atom.molecule_id).or_default().push(told);
    }
    context.orphan_atoms = by_molecule.remove(&None).unwrap_or_default();
    for molecule in sorted(molecules, |molecule| (molecule.name.clone(), molecule.id)) {
        let atoms = by_molecule.remove(&Some(molecule.id)).unwrap_or_default();
        context.molecules.push(writer.molecule(molecule, atoms));
    }
    context.suggestions = suggestions(store, &index, log.as_deref(), &unmatched)?;
    context.renames = match &log {
        Some(log) => renamed(&Moves::new(log), &index, &unmatched),
        None => Vec::new(),
    };
    context.unmatched_paths = unmatched.into_iter().map(|(given, _)| given).collect();
    if head.is_some() && needs_log && log.is_none() {
        context.note = Some("Lore is still reading the git history; ask again to see stale atoms".to_owned());
    }
    Ok(context)
}

/// The graph around the files that a task's section "Context Files" names. There is always an answer; it says why there is nothing in it.
pub fn of_task(ctx: &Ctx, store: &dyn Reading, task: &Task) -> Got<Context> {
    let nothing = |note: &str| Context {
        note: Some(note.to_owned()),
        ..Context::default()
    };
    let Some(project) = task.project_id else {
        return Ok(nothing("the task has no project"));
    };
    let sections = store.sections(Entity::task(task.id))?;
    let named = sections
        .iter()
        .find(|section| fold(&section.title).contains("context files"));
    let Some(section) = named else {
        return Ok(nothing("the task has no Context Files section"));
    };
    let extracted = extract(&section.content, ctx.ports.code.place().as_deref());
    let malformed = (extracted.malformed > 0).then_some(extracted.malformed);
    if extracted.paths.is_empty() {
        let context = nothing("Context Files contains no path");
        return Ok(Context {
            malformed_entries: malformed,
            ..context
        });
    }
    let mut paths = extracted.paths;
    let left_out = paths.len().saturating_sub(limits::CONTEXT_PATHS);
    paths.truncate(limits::CONTEXT_PATHS);
    let asked = Asked {
        project,
        paths,
        changelog: Some(limits::DEFAULT_CHANGELOG),
    };
    let mut context = context(ctx, store, &asked)?;
    context.malformed_entries = malformed;
    if left_out > 0 {
        context.note = Some(format!("{left_out} more paths of Context Files were left out"));
    }
    Ok(context)
}

/// Each path once, as it was asked for and as it is from the root of the repository.
fn normal_paths(ctx: &Ctx, within: &str, given: &[String]) -> Vec<(String, String)> {
    let root = given.iter().any(|path| path.starts_with('/') || path.contains(':'));
    let root = root.then(|| ctx.ports.code.place()).flatten();
    let mut known = BTreeSet::new();
    let mut paths = Vec::new();
    for given in given {
        let path = normal::path_below(given, root.as_deref());
        let path = if !within.is_empty() && normal::is_inside(&path) {
            format!("{within}/{path}")
        } else {
            path
        };
        if known.insert(path.clone()) {
            paths.push((given.clone(), path));
        }
    }
    paths
}

fn is_older(atom: &Atom, head: Option<&str>) -> bool {
    atom.confirmed
        .as_ref()
        .is_some_and(|confirmed| Some(confirmed.commit.as_str()) != head)
}

/// By folded name, name and identifier.
pub(crate) fn sorted<T>(mut items: Vec<T>, key: impl Fn(&T) -> (String, Id)) -> Vec<T> {
    items.sort_by_cached_key(|item| {
        let (name, id) = key(item);
        (fold(&name), name, id)
    });
    items
}

/// The patterns that would cover paths which no atom covers, because the files were renamed.
fn renamed(moves: &Moves<'_>, index: &super::paths::PatternIndex, unmatched: &[(String, String)]) -> Vec<Rename> {
    let old = unmatched.iter().flat_map(|(_, path)| moves.old_names(path));
    let atoms: BTreeSet<Id> = old.flat_map(|old| index.matches(old)).collect();
    atoms
        .into_iter()
        .flat_map(|atom| moves.of(atom, index.patterns(atom)))
        .collect()
}

/// Writes atoms and molecules as they are told.
pub(super) struct Writer {
    names: BTreeMap<Id, String>,
    changelogs: Option<BTreeMap<Parent, Vec<Entry>>>,
}

impl Writer {
    pub(super) fn new(store: &dyn Reading, asked: &Asked, atoms: &[Atom], molecules: &[Molecule]) -> Got<Self> {
        let mut related: BTreeSet<Id> = BTreeSet::new();
        related.extend(
            atoms
                .iter()
                .flat_map(|atom| &atom.related_atoms)
                .map(|known| known.atom_id),
        );
        related.extend(
            molecules
                .iter()
                .flat_map(|it| &it.related_molecules)
                .map(|known| known.molecule_id),
        );
        let related: Vec<Id> = related.into_iter().collect();
        let names = if related.is_empty() {
            BTreeMap::new()
        } else {
            store.names(&related)?
        };
        let parents = atoms.iter().map(|atom| Parent::atom(atom.id));
        let parents = parents.chain(molecules.iter().map(|molecule| Parent::molecule(molecule.id)));
        let changelogs = match asked.changelog {
            Some(each) => Some(store.recent(&parents.collect::<Vec<_>>(), each)?),
            None => None,
        };
        Ok(Self { names, changelogs })
    }

    fn changelog(&mut self, of: Parent) -> Option<Vec<InlineEntry>> {
        let changelogs = self.changelogs.as_mut()?;
        let entries = changelogs.remove(&of).unwrap_or_default();
        Some(entries.into_iter().map(InlineEntry::from).collect())
    }

    fn atom(&mut self, atom: &Atom, matched_paths: Vec<String>, stale: Option<super::staleness::Stale>) -> ContextAtom {
        let related = atom.related_atoms.iter();
        ContextAtom {
            id: atom.id,
            name: atom.name.clone(),
            knowledge: atom.knowledge.clone(),
            matched_paths,
            related_atoms: related
                .map(|known| RelatedByName::atom(known, self.names.get(&known.atom_id)))
                .collect(),
            changelog: self.changelog(Parent::atom(atom.id)),
            version: atom.version,
            stale,
        }
    }

    fn molecule(&mut self, molecule: Molecule, atoms: Vec<ContextAtom>) -> ContextMolecule {
        let related = molecule.related_molecules.iter();
        ContextMolecule {
            id: molecule.id,
            related_molecules: related
                .map(|known| RelatedByName::molecule(known, self.names.get(&known.molecule_id)))
                .collect(),
            changelog: self.changelog(Parent::molecule(molecule.id)),
            version: molecule.version,
            name: molecule.name,
            knowledge: molecule.knowledge,
            atoms,
        }
    }
}

#[cfg(test)]
mod tests;
