//! Port `FetchCache`: responses of earlier requests.

use lore_seam::{OpError, Port};

/// A cache of HTTP responses. Its content may be deleted at any time.
pub trait FetchCache: Send + Sync {
    /// The content stored under a key.
    fn get(&self, key: &str) -> Option<Vec<u8>>;

    /// Stores content under a key.
    fn put(&self, key: &str, content: &[u8]) -> Result<(), OpError>;
}

/// A cache that keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoFetchCache;

impl FetchCache for NoFetchCache {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &str, _: &[u8]) -> Result<(), OpError> {
        Ok(())
    }
}

impl Port for dyn FetchCache {
    fn absent() -> &'static Self {
        &NoFetchCache
    }
}
