//! Patterns whose files were renamed, and the pattern that they would have now. Nothing is changed by itself.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Serialize;

use super::paths::{Glob, normal};
use crate::id::Id;
use lore_seam::Log;

/// Pairs that are named.
const MOST_FILES: usize = 5;
/// How often a file may have been renamed.
const MOST_STEPS: usize = 16;

/// A pattern whose files were renamed
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rename {
    /// The atom
    pub atom_id: Id,
    /// The pattern
    pub pattern: String,
    /// The suggested pattern
    pub suggested: String,
    /// Whether all files were renamed without changes
    pub sure: bool,
    /// Some renames, from old to new path
    pub files: Vec<(String, String)>,
}

/// Where files went.
pub struct Moves<'l> {
    log: &'l Log,
    /// By the old path: the new one, and whether that is sure.
    moved: BTreeMap<&'l str, (&'l str, bool)>,
}

impl<'l> Moves<'l> {
    /// The moves that git knows of: files that are not there any more, and what became of them.
    pub fn new(log: &'l Log) -> Self {
        let mut steps: HashMap<&str, (&str, bool, u32)> = HashMap::new();
        // The newest move of a path is the one that counts.
        for (at, commit) in (0..).zip(&log.commits) {
            for change in &commit.changes {
                if let Some(from) = &change.from {
                    steps.entry(&from.path).or_insert((&change.path, from.sure, at));
                }
            }
        }
        let mut moved = BTreeMap::new();
        for old in steps.keys().copied().filter(|old| !log.has_file(old)) {
            let (mut here, mut sure, mut time) = (old, true, u32::MAX);
            for _ in 0..MOST_STEPS {
                match steps.get(here).filter(|(_, _, at)| *at < time) {
                    Some((next, is_sure, at)) => {
                        here = next;
                        sure &= is_sure;
                        time = *at;
                    }
                    None => break,
                }
            }
            if here != old && log.has_file(here) {
                moved.insert(old, (here, sure));
            }
        }
        Self { log, moved }
    }

    /// What a path was called before.
    pub fn old_names(&self, path: &str) -> Vec<&'l str> {
        let known = self.moved.iter().filter(|(_, (new, _))| *new == path);
        known.map(|(old, _)| *old).collect()
    }

    /// The patterns of an atom whose files went elsewhere.
    pub fn of(&self, atom: Id, patterns: &[String]) -> Vec<Rename> {
        let mut found = Vec::new();
        for pattern in patterns {
            let Ok(glob) = Glob::new(pattern) else { continue };
            let moved = self
                .moved
                .iter()
                .filter(|(old, (new, _))| glob.matches(old) && !glob.matches(new));
            let moved: Vec<(&str, &str, bool)> = moved.map(|(old, (new, sure))| (*old, *new, *sure)).collect();
            let still = self.log.files_below(glob.within());
            let still = still.iter().filter(|path| glob.matches(path)).count();
            if moved.is_empty() || still >= moved.len() {
                continue;
            }
            let mut by_pattern: BTreeMap<String, Vec<(&str, &str, bool)>> = BTreeMap::new();
            for (old, new, sure) in moved {
                if let Some(suggested) = suggested(pattern, &glob, old, new) {
                    by_pattern.entry(suggested).or_default().push((old, new, sure));
                }
            }
            for (suggested, pairs) in by_pattern {
                if patterns.contains(&suggested) {
                    continue;
                }
                let named = pairs.iter().take(MOST_FILES);
                found.push(Rename {
                    atom_id: atom,
                    pattern: pattern.clone(),
                    sure: pairs.iter().all(|(_, _, sure)| *sure),
                    files: named
                        .map(|(old, new, _)| ((*old).to_owned(), (*new).to_owned()))
                        .collect(),
                    suggested,
                });
            }
        }
        found
    }
}

/// The pattern in the place where a file went, if it matches the file there.
fn suggested(pattern: &str, glob: &Glob, old: &str, new: &str) -> Option<String> {
    if glob.path().is_some() {
        return Some(normal::escaped(new));
    }
    let directory = glob.directory();
    let rest = old.strip_prefix(directory)?.strip_prefix('/')?;
    let place = new.strip_suffix(rest)?;
    let place = match place {
        "" => "",
        place => place.strip_suffix('/')?,
    };
    let parts = directory.split('/').count();
    let tail: Vec<&str> = pattern.split('/').skip(parts).collect();
    let suggested = match place {
        "" => tail.join("/"),
        place => format!("{}/{}", normal::escaped(place), tail.join("/")),
    };
    let matches = Glob::new(&suggested).is_ok_and(|glob| glob.matches(new));
    (matches && normal::fault(&suggested).is_none()).then_some(suggested)
}
