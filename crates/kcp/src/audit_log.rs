//! Port `AuditLog`: the log of access decisions.

use lore_seam::{ErrorKind, OpError, Port};

/// The audit log of access decisions, one line each. Unlike a cache, the log is kept.
pub trait AuditLog: Send + Sync {
    /// Appends a line atomically.
    fn append(&self, line: &str) -> Result<(), OpError>;

    /// The last `most` lines, oldest first.
    fn last(&self, most: usize) -> Result<Vec<String>, OpError>;
}

/// No audit log: a decision that must be logged is refused.
#[derive(Clone, Copy, Debug)]
pub struct NoAuditLog;

impl AuditLog for NoAuditLog {
    fn append(&self, _: &str) -> Result<(), OpError> {
        Err(OpError::new(ErrorKind::Unavailable, "there is no audit log"))
    }

    fn last(&self, _: usize) -> Result<Vec<String>, OpError> {
        Ok(Vec::new())
    }
}

impl Port for dyn AuditLog {
    fn absent() -> &'static Self {
        &NoAuditLog
    }
}
