//! Port `Graphs`: the user's cache of published graphs of other repositories.

use super::{ErrorKind, OpError};

/// A content-addressed store of graph bodies, and a key-value store of what is known about each graph. Both are caches:
/// their content may be deleted at any time.
pub trait Graphs: Send + Sync {
    /// The body with a SHA-256, in hexadecimal; `None` if it is missing or damaged.
    fn body(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError>;

    /// Whether a body exists, without reading it.
    fn has_body(&self, digest: &str) -> bool;

    /// Stores a body under its SHA-256. The caller must have computed the digest from this body.
    fn keep_body(&self, digest: &str, body: &[u8]) -> Result<(), OpError>;

    /// Deletes a body.
    fn drop_body(&self, digest: &str) -> Result<(), OpError>;

    /// The record of a name.
    fn known(&self, name: &str) -> Result<Option<String>, OpError>;

    /// Replaces the record of a name.
    fn learn(&self, name: &str, known: &str) -> Result<(), OpError>;

    /// Deletes the record of a name. Returns whether there was one.
    fn forget(&self, name: &str) -> Result<bool, OpError>;

    /// All records, sorted by name.
    fn all_known(&self) -> Result<Vec<(String, String)>, OpError>;
}

/// A store that is always empty and cannot be written.
pub struct NoGraphs;

fn nowhere<T>() -> Result<T, OpError> {
    Err(OpError::new(ErrorKind::Unavailable, "there is no place to keep graphs")
        .hint("set XDG_CACHE_HOME, HOME or LORE_HOME to a directory"))
}

impl Graphs for NoGraphs {
    fn body(&self, _: &str) -> Result<Option<Vec<u8>>, OpError> {
        Ok(None)
    }

    fn has_body(&self, _: &str) -> bool {
        false
    }

    fn keep_body(&self, _: &str, _: &[u8]) -> Result<(), OpError> {
        nowhere()
    }

    fn drop_body(&self, _: &str) -> Result<(), OpError> {
        Ok(())
    }

    fn known(&self, _: &str) -> Result<Option<String>, OpError> {
        Ok(None)
    }

    fn learn(&self, _: &str, _: &str) -> Result<(), OpError> {
        nowhere()
    }

    fn forget(&self, _: &str) -> Result<bool, OpError> {
        Ok(false)
    }

    fn all_known(&self) -> Result<Vec<(String, String)>, OpError> {
        Ok(Vec::new())
    }
}
