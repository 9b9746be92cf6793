//! What to do about a path that no atom covers: the atom that is nearest to it, and a pattern to begin with.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::paths::{PatternIndex, normal};
use crate::fold::fold;
use crate::id::Id;
use crate::store::{Got, Reading};
use lore_seam::Log;

/// Paths that something is suggested for.
const MOST: usize = 20;

/// What to do about a path that no atom covers
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The path
    pub path: String,
    /// The nearest atom
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Nearest>,
    /// A pattern that covers the path
    pub draft_pattern: String,
}

/// The atom nearest to a path
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Nearest {
    /// The id
    pub atom_id: Id,
    /// The name
    pub name: String,
    /// The nearest pattern of the atom
    pub pattern: String,
}

/// Suggestions for paths that no atom covers; each path as it was asked for, and from the root of the repository.
pub fn suggestions(
    store: &dyn Reading,
    index: &PatternIndex,
    log: Option<&Log>,
    paths: &[(String, String)],
) -> Got<Vec<Suggestion>> {
    let inside: Vec<&(String, String)> = paths
        .iter()
        .filter(|(_, path)| normal::is_inside(path))
        .take(MOST)
        .collect();
    let nearest: Vec<Vec<(Id, &str)>> = inside.iter().map(|(_, path)| index.nearest(path)).collect();
    let mut ids: Vec<Id> = nearest.iter().flatten().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    let names = if ids.is_empty() {
        BTreeMap::new()
    } else {
        store.names(&ids)?
    };
    let found = inside
        .iter()
        .zip(nearest)
        .map(|((asked, path), candidates)| Suggestion {
            path: asked.clone(),
            nearest: nearest_of(index, &names, &candidates),
            draft_pattern: draft(log, paths, path),
        });
    Ok(found.collect())
}

fn nearest_of(index: &PatternIndex, names: &BTreeMap<Id, String>, candidates: &[(Id, &str)]) -> Option<Nearest> {
    let known = candidates
        .iter()
        .filter_map(|(id, directory)| Some((id, *directory, names.get(id)?)));
    let (id, directory, name) =
        known.min_by_key(|(id, directory, name)| (directory.split('/').count(), fold(name), (*name).clone(), **id))?;
    Some(Nearest {
        atom_id: *id,
        name: name.clone(),
        pattern: index.pattern_in(*id, directory)?.to_owned(),
    })
}

/// Everything below the directory of a path if more than one file is there, otherwise the path.
pub fn draft(log: Option<&Log>, asked: &[(String, String)], path: &str) -> String {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let below = format!("{directory}/");
    let asked = asked.iter().filter(|(_, other)| other.starts_with(&below)).count();
    let kept = log.map_or(0, |log| log.files_below(directory).len());
    if !directory.is_empty() && asked.max(kept) > 1 {
        format!("{}/**", normal::escaped(directory))
    } else {
        normal::escaped(path)
    }
}
