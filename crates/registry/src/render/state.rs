//! The state file of an output directory: the last rendered event, and the digests of its documents (clause A8).

use std::collections::BTreeMap;

use lore_model::RepoPath;
use serde::{Deserialize, Serialize};

use super::output::Output;
use crate::documents::sha256;
use lore_ckgp::registry_store::entry::Seconds;
use lore_seam::OpError;

/// Its path.
pub(super) const PATH: &str = ".lore-registry.json";
/// Bytes that it has at most.
const MOST_BYTES: u64 = 4 << 20;

/// What was rendered into a directory.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(default)]
pub(super) struct State {
    /// What rendered it.
    pub(super) renderer: String,
    /// When the registry was made whose documents these are: that is what tells it from another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) registry: Option<Seconds>,
    /// The digest of what the registry said of itself.
    pub(super) about: String,
    /// The last event that is rendered; nothing if a render never came to its end.
    pub(super) seq: Option<u64>,
    /// The documents that are not of one entry.
    pub(super) documents: BTreeMap<String, Mark>,
}

/// What a document is.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Mark {
    /// Its SHA-256.
    pub(super) sha256: String,
    /// Its length.
    pub(super) bytes: u64,
}

impl Mark {
    /// The mark of some bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self {
            sha256: sha256(bytes),
            bytes: bytes.len() as u64,
        }
    }
}

impl State {
    /// That a first render was begun.
    pub(super) fn begun(renderer: &str, registry: Seconds) -> Self {
        Self {
            renderer: renderer.to_owned(),
            registry: Some(registry),
            ..Self::default()
        }
    }

    /// The state of a directory. One that cannot be understood says that the files are ours, and no more.
    pub(super) fn read(output: &Output<'_>) -> Result<Option<Self>, OpError> {
        let bytes = output.read(PATH, MOST_BYTES)?;
        Ok(bytes.map(|bytes| {
            let mut state: Self = serde_json::from_slice(&bytes).unwrap_or_default();
            // Whoever can write the directory can write this file: no document is outside of it.
            state.documents.retain(|path, _| RepoPath::new(path).is_ok());
            state
        }))
    }

    /// As it is written.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}
