//! Port `Graphs`: the user's cache of published graphs of other repositories.

use lore_seam::{ErrorKind, OpError, Port};

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
    Err(
        OpError::new(ErrorKind::Unavailable, "no directory for the cache of graphs")
            .hint("set XDG_CACHE_HOME, HOME or LORE_HOME to a directory"),
    )
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

impl Port for dyn Graphs {
    fn absent() -> &'static Self {
        &NoGraphs
    }
}

/// Graph bodies by digest, and records by name.
#[cfg(test)]
type BodiesAndRecords = (
    std::collections::BTreeMap<String, Vec<u8>>,
    std::collections::BTreeMap<String, String>,
);

/// A cache in memory, for tests.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct GraphsInMemory(pub(crate) std::sync::Mutex<BodiesAndRecords>);

#[cfg(test)]
impl Graphs for GraphsInMemory {
    fn body(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError> {
        Ok(self.0.lock().expect("whole").0.get(digest).cloned())
    }

    fn has_body(&self, digest: &str) -> bool {
        self.0.lock().expect("whole").0.contains_key(digest)
    }

    fn keep_body(&self, digest: &str, body: &[u8]) -> Result<(), OpError> {
        let mut graphs = self.0.lock().expect("whole");
        graphs.0.insert(digest.to_owned(), body.to_vec());
        Ok(())
    }

    fn drop_body(&self, digest: &str) -> Result<(), OpError> {
        self.0.lock().expect("whole").0.remove(digest);
        Ok(())
    }

    fn known(&self, name: &str) -> Result<Option<String>, OpError> {
        Ok(self.0.lock().expect("whole").1.get(name).cloned())
    }

    fn learn(&self, name: &str, known: &str) -> Result<(), OpError> {
        let mut graphs = self.0.lock().expect("whole");
        graphs.1.insert(name.to_owned(), known.to_owned());
        Ok(())
    }

    fn forget(&self, name: &str) -> Result<bool, OpError> {
        Ok(self.0.lock().expect("whole").1.remove(name).is_some())
    }

    fn all_known(&self) -> Result<Vec<(String, String)>, OpError> {
        let graphs = self.0.lock().expect("whole");
        Ok(graphs
            .1
            .iter()
            .map(|(name, known)| (name.clone(), known.clone()))
            .collect())
    }
}

/// The concrete type, for tests that look into the cache.
#[cfg(test)]
impl Port for GraphsInMemory {
    fn absent() -> &'static Self {
        static NONE: std::sync::LazyLock<GraphsInMemory> = std::sync::LazyLock::new(GraphsInMemory::default);
        &NONE
    }
}

/// The ports of a world with an empty cache of graphs.
#[cfg(test)]
pub(crate) fn in_memory() -> lore_seam::PortMap {
    let graphs = std::sync::Arc::new(GraphsInMemory::default());
    lore_seam::PortMap::default()
        .with::<dyn Graphs>(std::sync::Arc::clone(&graphs) as std::sync::Arc<dyn Graphs>)
        .with(graphs)
}
