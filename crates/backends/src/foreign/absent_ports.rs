//! Ports that a published graph does not have: each refuses with the reason.

use lore_kcp::audit_log::AuditLog;
use lore_kcp::fetch_cache::FetchCache;
use lore_seam::{ErrorKind, Files, OpError, PathKind, Stat, WriteOne, Written};

/// Keeps nothing.
pub(super) struct NothingKept;

impl FetchCache for NothingKept {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &str, _: &[u8]) -> Result<(), OpError> {
        Ok(())
    }
}

impl AuditLog for NothingKept {
    fn append(&self, _: &str) -> Result<(), OpError> {
        Err(none("an audit log"))
    }

    fn last(&self, _: usize) -> Result<Vec<String>, OpError> {
        Ok(Vec::new())
    }
}

/// The files of a published graph for agents: there are none, and those around the server are not meant.
pub struct NoFiles;

fn none(what: &str) -> OpError {
    OpError::new(ErrorKind::Unavailable, format!("a published graph has no {what}"))
}

impl Files for NoFiles {
    fn kind(&self, _: &str) -> Option<PathKind> {
        None
    }

    fn stat(&self, _: &str) -> Option<Stat> {
        None
    }

    fn list(&self, path: &str) -> Result<Vec<String>, OpError> {
        Err(none(&format!("directory {path}")))
    }

    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, OpError> {
        Err(none(&format!("file {path}")))
    }

    fn write_set(&self, paths: &[String], _: WriteOne<'_>) -> Result<Vec<Written>, OpError> {
        Err(none(&format!("place for {}", paths.join(", "))))
    }
}
