//! What each commit changed, with renames, over the same walk as the history of files.
//!
//! A rename is sure if the object is the same. A file that was taken away and one of the same name and about the same size that was added by the same commit are
//! likely the same; contents are not compared.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use gix::bstr::{BStr, ByteSlice};
use gix::diff::tree::visit::{Action, Change};
use gix::diff::tree::{Recorder, State, Visit};
use lore_model::{Cancel, Progress};
use lore_seam::{Log, LogChange, LogCommit, Renamed};
use rayon::prelude::*;

use super::history::{BATCH, Faults, HistoryError, MAX_ENTRIES, Past, Step};
use super::objects::{ObjectFault, Objects};

impl Past {
    /// What the commits behind this one changed, and what of it could not be read.
    pub(crate) fn log(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<(Log, Faults), HistoryError> {
        let repository = self.local();
        let files = self.files(&repository)?;
        let mut walked = self.steps(&repository, cancel)?;
        progress.begin("reading the history", walked.steps.len() as u64);
        let changes: Vec<Result<Vec<LogChange>, ObjectFault>> = walked
            .steps
            .par_chunks(BATCH)
            .flat_map_iter(|steps| {
                let repository = self.local();
                let objects = Objects::of(&repository);
                let mut state = State::default();
                let mut changes = Vec::with_capacity(steps.len());
                for step in steps {
                    if cancel.is_cancelled() {
                        break;
                    }
                    changes.push(self.changes(&repository, &objects, step, &mut state));
                    progress.advance(1);
                }
                changes
            })
            .collect();
        if cancel.is_cancelled() {
            return Err(HistoryError::Cancelled);
        }
        let mut by_commit: HashMap<gix::ObjectId, Vec<LogChange>> = HashMap::new();
        for (step, changes) in walked.steps.iter().zip(changes) {
            let changes = changes.unwrap_or_else(|fault| {
                walked.faults.add_commit(self.unread(&repository, step, &fault));
                Vec::new()
            });
            by_commit.insert(step.id, changes);
        }
        let places: HashMap<gix::ObjectId, u32> = (0..).zip(&walked.all).map(|(at, commit)| (commit.id, at)).collect();
        let commits = walked.all.iter().map(|commit| LogCommit {
            id: commit.id.to_string(),
            parents: commit
                .parents
                .iter()
                .filter_map(|parent| places.get(parent).copied())
                .collect(),
            time: commit.time,
            merge: commit.parents.len() > 1,
            changes: by_commit.remove(&commit.id).unwrap_or_default(),
        });
        let commits = commits.collect();
        let files = files
            .into_keys()
            .filter_map(|path| path.to_str().ok().map(str::to_owned));
        let files = files.filter(|path| !is_ours(path.as_bytes().as_bstr()));
        let is_cut = walked.cut || !walked.faults.is_empty();
        Ok((Log::new(self.commit(), commits, is_cut, files.collect()), walked.faults))
    }

    /// What a commit changed.
    fn changes(
        &self,
        repository: &gix::Repository,
        objects: &Objects<'_>,
        step: &Step,
        state: &mut State,
    ) -> Result<Vec<LogChange>, ObjectFault> {
        let mut found = ChangedPaths::default();
        self.compare(objects, step, state, &mut found)?;
        let mut changes: BTreeMap<String, LogChange> = BTreeMap::new();
        let sources = renamed(repository, &found);
        for (path, _) in &found.removed {
            let change = LogChange {
                path: path.clone(),
                ..LogChange::default()
            };
            changes.insert(path.clone(), change);
        }
        for (path, blob) in found.added.iter().chain(&found.changed) {
            let change = LogChange {
                path: path.clone(),
                from: sources.get(path).cloned(),
                blob: Some(blob.to_string()),
            };
            changes.insert(path.clone(), change);
        }
        Ok(changes.into_values().collect())
    }
}

/// What each file that was added was called before, if it was renamed.
fn renamed(repository: &gix::Repository, found: &ChangedPaths) -> HashMap<String, Renamed> {
    let mut left: Vec<&(String, gix::ObjectId)> = found.removed.iter().collect();
    let mut sources = HashMap::new();
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    // The same object: of several the one of the same name, then the first.
    for (path, blob) in &found.added {
        let same = |(at, known): (usize, &&(String, gix::ObjectId))| {
            (known.1 == *blob).then(|| (name(&known.0) != name(path), at))
        };
        if let Some((_, at)) = left.iter().enumerate().filter_map(same).min() {
            let (old, _) = left.remove(at);
            let path_before = old.clone();
            sources.insert(
                path.clone(),
                Renamed {
                    path: path_before,
                    sure: true,
                },
            );
        }
    }
    // The same name and about the same size, if there is one such file on each side.
    let size = |blob: &gix::ObjectId| repository.find_header(*blob).ok().map(|header| header.size());
    let open: Vec<&(String, gix::ObjectId)> = found
        .added
        .iter()
        .filter(|(path, _)| !sources.contains_key(path))
        .collect();
    for (path, blob) in &open {
        let called: Vec<&&(String, gix::ObjectId)> = left.iter().filter(|(old, _)| name(old) == name(path)).collect();
        let others = open.iter().filter(|(other, _)| name(other) == name(path)).count();
        if let ([(old, old_blob)], 1) = (called.as_slice(), others)
            && let (Some(before), Some(after)) = (size(old_blob), size(blob))
            && before <= after.saturating_mul(2)
            && after <= before.saturating_mul(2)
        {
            let before = Renamed {
                path: old.clone(),
                sure: false,
            };
            sources.insert(path.clone(), before);
        }
    }
    sources
}

fn is_ours(path: &BStr) -> bool {
    path.split_str("/").any(|part| part == b".lore")
}

/// Collects the files that differ between two trees.
#[derive(Default)]
struct ChangedPaths {
    place: Recorder,
    added: Vec<(String, gix::ObjectId)>,
    removed: Vec<(String, gix::ObjectId)>,
    changed: Vec<(String, gix::ObjectId)>,
    entries: u32,
}

impl Visit for ChangedPaths {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.place.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.place.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.place.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.place.pop_path_component();
    }

    fn visit(&mut self, change: Change) -> Action {
        self.entries += 1;
        if let Ok(path) = self.place.path().to_str()
            && !is_ours(self.place.path())
        {
            let path = path.to_owned();
            match change {
                Change::Addition { entry_mode, oid, .. } if entry_mode.is_blob_or_symlink() => {
                    self.added.push((path, oid))
                }
                Change::Deletion { entry_mode, oid, .. } if entry_mode.is_blob_or_symlink() => {
                    self.removed.push((path, oid))
                }
                Change::Modification {
                    previous_entry_mode,
                    previous_oid,
                    entry_mode,
                    oid,
                } => match (
                    previous_entry_mode.is_blob_or_symlink(),
                    entry_mode.is_blob_or_symlink(),
                ) {
                    (true, true) => self.changed.push((path, oid)),
                    (true, false) => self.removed.push((path, previous_oid)),
                    (false, true) => self.added.push((path, oid)),
                    (false, false) => {}
                },
                _ => {}
            }
        }
        if self.entries < MAX_ENTRIES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
