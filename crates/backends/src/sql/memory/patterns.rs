//! The patterns of a project's atoms, kept in the process and brought up to date by what changed since.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use lore_memory::graph::paths::PatternIndex;
use lore_memory::id::Id;
use lore_memory::store::Got;
use rusqlite::{Connection, params};

use super::rows::{Key, Listed, all, one};

/// The patterns of projects, each as of a revision.
#[derive(Debug, Default)]
pub(in crate::sql) struct PatternCache {
    projects: Mutex<BTreeMap<Id, (i64, Arc<PatternIndex>)>>,
}

impl PatternCache {
    /// Forgets everything, since another file took the place of the store.
    pub(in crate::sql) fn clear(&self) {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The patterns of a project as a connection sees them. What is not committed yet is not kept.
    pub(super) fn patterns(&self, connection: &Connection, project: Id, is_writing: bool) -> Got<Arc<PatternIndex>> {
        let revision = revision(connection, project)?;
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, mut index) = match projects.get(&project) {
            Some((known, index)) if *known == revision => return Ok(Arc::clone(index)),
            // Another thread has a later state; this one is rebuilt.
            Some((known, _)) if *known > revision => (0, Arc::default()),
            Some((known, index)) => (*known, Arc::clone(index)),
            None => (0, Arc::default()),
        };
        let is_older = projects.get(&project).is_some_and(|(known, _)| *known > revision);
        let keeps = !is_writing && !is_older;
        if keeps {
            // The only other holder goes, so that nothing has to be copied.
            projects.remove(&project);
        }
        let changed = changed(connection, project, since)?;
        let removed = match since {
            0 => Vec::new(),
            since => removed(connection, project, since)?,
        };
        Arc::make_mut(&mut index).apply(changed, &removed);
        if keeps {
            projects.insert(project, (revision, Arc::clone(&index)));
        }
        Ok(index)
    }
}

/// The number of the last change of a project's atoms.
fn revision(connection: &Connection, project: Id) -> Got<i64> {
    let sql = "SELECT max(coalesce((SELECT max(revision) FROM graph_atoms WHERE project_id = ?1), 0), \
               coalesce((SELECT max(revision) FROM graph_removals WHERE project_id = ?1), 0))";
    Ok(one(connection, sql, [Key(project)], |row| row.get(0))?.unwrap_or(0))
}

fn changed(connection: &Connection, project: Id, since: i64) -> Got<Vec<(Id, Vec<String>)>> {
    let sql = "SELECT id, paths FROM graph_atoms WHERE project_id = ?1 AND revision > ?2 ORDER BY seq";
    all(connection, sql, params![Key(project), since], |row| {
        Ok((row.get::<_, Key>(0)?.0, row.get::<_, Listed<Vec<String>>>(1)?.0))
    })
}

/// Atoms that are gone, without those that were made again.
fn removed(connection: &Connection, project: Id, since: i64) -> Got<Vec<Id>> {
    let sql = "SELECT atom_id FROM graph_removals WHERE project_id = ?1 AND revision > ?2 ORDER BY revision";
    let found = all(connection, sql, params![Key(project), since], |row| {
        row.get::<_, Key>(0)
    })?;
    Ok(found.into_iter().map(|key| key.0).collect())
}
