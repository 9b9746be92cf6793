//! The sparse index: one small file for each repository, so that a client of one entry does not fetch all (section 8; clause S10).

use serde::Serialize;

use super::SCHEMA_VERSION;
use super::row::Row;
use lore_ckgp::registry_store::entry::Entry;

#[derive(Serialize)]
struct Document {
    schema_version: u32,
    entry: Row,
}

/// The document of an entry: its row of `registry.json`. A revoked entry has a tombstone.
pub fn document(entry: &Entry) -> Vec<u8> {
    let document = Document {
        schema_version: SCHEMA_VERSION,
        entry: Row::of(entry),
    };
    let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::testing::{ok, revoked};
    use super::*;

    #[test]
    fn a2_the_sparse_index_says_of_an_entry_what_the_list_says() {
        let entry = ok("octo/hello");
        let document: Value = serde_json::from_slice(&document(&entry)).unwrap();
        assert_eq!(document["schema_version"], 1);
        assert_eq!(document["entry"], serde_json::to_value(Row::of(&entry)).unwrap());
    }

    #[test]
    fn s10_of_an_entry_that_was_taken_back_the_tombstone_is_left() {
        let text = String::from_utf8(document(&revoked("octo/hello"))).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["entry"]["status"], "revoked");
        assert_eq!(document["entry"]["revoked_by"], "registry");
        assert_eq!(document["entry"]["revoked_at"], "2026-11-16T08:10:00Z");
        for gone in [
            "graph_url",
            "last_sha",
            "size_bytes",
            "nodes_count",
            "source_sha",
            "last_error",
        ] {
            assert_eq!(document["entry"][gone], Value::Null, "{gone}");
        }
        for words in ["A greeting", "https://", "python", "because"] {
            assert!(!text.contains(words), "{words} in {text}");
        }
    }
}
