//! Files that agents can read but not write: configuration of clients names programs to start, so only people write it.

use std::sync::Arc;

use lore_seam::{ErrorKind, Files, OpError, PathKind, Settled, Stat, WriteOne, Written};

/// The files, to be read only.
pub(super) struct ReadOnly(pub(super) Arc<dyn Files>);

fn refused<T>() -> Result<T, OpError> {
    let message = "agents must not write files that make clients start programs";
    Err(OpError::new(ErrorKind::Invalid, message).hint("a person runs `lore init` on a command line"))
}

impl Files for ReadOnly {
    fn kind(&self, path: &str) -> Option<PathKind> {
        self.0.kind(path)
    }

    fn stat(&self, path: &str) -> Option<Stat> {
        self.0.stat(path)
    }

    fn read_inside(&self, root: &str, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        self.0.read_inside(root, path, max_bytes)
    }

    fn walk(&self, root: &str, most: usize) -> Result<(Vec<String>, bool), OpError> {
        self.0.walk(root, most)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        self.0.list(path)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, OpError> {
        self.0.read(path, max_bytes)
    }

    fn write_set(&self, _: &[String], _: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        refused()
    }

    fn settle(&self, path: &str) -> Result<Settled, OpError> {
        self.0.settle(path)
    }

    fn remove(&self, _: &str) -> Result<(), OpError> {
        refused()
    }
}
