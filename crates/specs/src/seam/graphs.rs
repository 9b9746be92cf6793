//! Port `Graphs`: what was fetched of the graphs of other repositories, kept for the user.

use super::{ErrorKind, OpError};

/// Bodies by their digest, and what is known by name. All of it may be deleted at any time.
pub trait Graphs: Send + Sync {
    /// The body with a SHA-256, in hexadecimal; nothing if it is not kept, or no longer whole.
    fn body(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError>;

    /// Whether the body with a SHA-256 is kept, without reading it.
    fn has_body(&self, digest: &str) -> bool;

    /// Keeps a body under its SHA-256, which whoever gives it has made.
    fn keep_body(&self, digest: &str, body: &[u8]) -> Result<(), OpError>;

    /// Takes a body away.
    fn drop_body(&self, digest: &str) -> Result<(), OpError>;

    /// What is known by a name.
    fn known(&self, name: &str) -> Result<Option<String>, OpError>;

    /// Replaces what is known by a name.
    fn learn(&self, name: &str, known: &str) -> Result<(), OpError>;

    /// Forgets what is known by a name; whether anything was.
    fn forget(&self, name: &str) -> Result<bool, OpError>;

    /// All names with what is known, by name.
    fn all_known(&self) -> Result<Vec<(String, String)>, OpError>;
}

/// Where nothing is kept.
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
