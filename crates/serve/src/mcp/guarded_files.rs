//! Files as an agent may read them: the content of a file is given out only if what decides says that the agent may read it, whichever
//! path or link leads to the file. Names, sizes and times stay visible.

use std::sync::Arc;

use lore_seam::{Code, Files, GraphScope, OpError, PathKind, Settled, Stat, WriteOne, Written};
use serde_json::{Map, Value};

use super::fresh::Guard;

/// The files below the root of the tree, each read only if it may be.
pub(super) struct GuardedFiles {
    pub(super) files: Arc<dyn Files>,
    pub(super) guard: Arc<dyn Guard>,
    /// The code without access rules, for the decision.
    pub(super) code: Arc<dyn Code>,
}

impl GuardedFiles {
    fn may_read(&self, path: &str) -> Result<(), OpError> {
        may_read(self.guard.as_ref(), &self.code, self.files.as_ref(), path)
    }
}

/// Whether a file of the working tree may be read under a path, and under the name of what links on the path lead to.
pub(super) fn may_read(guard: &dyn Guard, code: &Arc<dyn Code>, files: &dyn Files, path: &str) -> Result<(), OpError> {
    let scope = GraphScope::default();
    guard.may_read(Arc::clone(code), &scope, path)?;
    match files.settle(path) {
        Ok(settled) if settled.path != path => guard.may_read(Arc::clone(code), &scope, &settled.path),
        // What leads to no file has no content; reading it says why.
        Ok(_) | Err(_) => Ok(()),
    }
}

impl Files for GuardedFiles {
    fn kind(&self, path: &str) -> Option<PathKind> {
        self.files.kind(path)
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        self.files.stat(path)
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        let whole = match root.trim_end_matches('/') {
            "" | "." => path.to_owned(),
            root => format!("{root}/{path}"),
        };
        self.may_read(&whole)?;
        self.files.read_inside(root, path, max_bytes)
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        self.files.walk(root, most)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        self.files.list(path)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        self.may_read(path)?;
        self.files.read(path, max_bytes)
    }

    fn read_while(
        &self,
        path: &str,
        max_bytes: u64,
        check: &mut dyn FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<Vec<u8>, OpError> {
        self.may_read(path)?;
        self.files.read_while(path, max_bytes, check)
    }

    fn table(
        &self,
        path: &str,
        table: &str,
        columns: &[&str],
        most: usize,
    ) -> Result<Vec<Map<String, Value>>, OpError> {
        self.may_read(path)?;
        self.files.table(path, table, columns, most)
    }

    fn write_set(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        self.files.write_set(paths, write)
    }

    fn write_many(&self, paths: &[String], write: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        self.files.write_many(paths, write)
    }

    fn sha256(&self, path: &str) -> Option<[u8; 32]> {
        self.files.sha256(path)
    }

    fn replace(&self, path: &str, expected: &[u8], content: &[u8]) -> Result<bool, OpError> {
        self.files.replace(path, expected, content)
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        self.files.settle(path)
    }

    fn remove(&self, path: &str) -> Result<(), OpError> {
        self.files.remove(path)
    }
}
