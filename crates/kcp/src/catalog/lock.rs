//! What was installed, with the digest of each manifest (clause C7). The file is kept: it says what the next installation has to find again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the file.
const LOCK_VERSION: u32 = 1;

/// What was installed.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The version of the file.
    pub lock_version: u32,
    /// By name.
    pub entries: BTreeMap<String, Locked>,
}

/// One manifest that was installed.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// Where it came from, as the catalog says it.
    pub source: String,
    /// Its version.
    pub version: Option<String>,
    /// The digest of its bytes.
    pub sha256: String,
    /// The day on which these bytes were installed.
    pub installed: String,
}

impl Default for Lock {
    fn default() -> Self {
        Self {
            lock_version: LOCK_VERSION,
            entries: BTreeMap::new(),
        }
    }
}

impl Lock {
    /// Reads the file, or says why it cannot be used.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let lock: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match lock.lock_version {
            LOCK_VERSION => Ok(lock),
            version => Err(format!(
                "its version is {version}; this version of Lore supports {LOCK_VERSION}"
            )),
        }
    }

    /// The file.
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The digest of bytes, as the lock file spells it.
pub fn digest(bytes: &[u8]) -> String {
    lore_base::digest::sha256(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c7_the_lock_holds_digests_and_reads_what_it_wrote() {
        let mut lock = Lock::default();
        let locked = Locked {
            source: "./a.yaml".to_owned(),
            version: None,
            sha256: digest(b"abc"),
            installed: "2026-02-03".to_owned(),
        };
        assert_eq!(
            locked.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        lock.entries.insert("a".to_owned(), locked);
        assert_eq!(Lock::parse(lock.to_text().as_bytes()), Ok(lock));
        assert_eq!(
            Lock::parse(br#"{"lock_version": 2, "entries": {}}"#),
            Err("its version is 2; this version of Lore supports 1".to_owned())
        );
        assert!(Lock::parse(b"").is_err());
    }
}
