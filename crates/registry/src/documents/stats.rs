//! `stats.json`: totals, kinds, languages and words over all entries (clause A6).

use serde_json::{Value, json};

use super::SCHEMA_VERSION;
use super::service::text;
use lore_ckgp::consumer::untrusted;
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Concept, Counts};

/// Its path.
pub const PATH: &str = "stats.json";
/// Words that it holds at most.
pub const MOST_CONCEPTS: usize = 50;
/// Entries that are named for a word at most.
const MOST_SAMPLES: usize = 3;
/// Kinds, and languages, that it holds at most: anybody can invent one.
const MOST_KINDS: usize = 500;

/// Entries that are not revoked.
pub fn entries(counts: &Counts) -> u64 {
    let standing = counts
        .by_status
        .iter()
        .filter(|(status, _)| **status != Status::Revoked);
    standing.map(|(_, count)| count).sum()
}

/// The document.
pub fn document(counts: &Counts, concepts: &[Concept]) -> Vec<u8> {
    let mut kinds: Vec<(&String, &(u64, u64))> = counts.kinds.iter().collect();
    kinds.sort_by(|(a, (most, _)), (b, (other, _))| other.cmp(most).then(a.cmp(b)));
    let kinds = kinds
        .into_iter()
        .take(MOST_KINDS)
        .map(|(kind, (count, entries))| json!({ "kind": untrusted::name(kind), "count": count, "entries": entries }));
    let mut languages: Vec<(&String, &u64)> = counts.languages.iter().collect();
    languages.sort_by(|(a, most), (b, other)| other.cmp(most).then(a.cmp(b)));
    let languages = languages
        .into_iter()
        .take(MOST_KINDS)
        .map(|(language, entries)| json!({ "language": untrusted::name(language), "entries": entries }));
    let concepts = concepts.iter().take(MOST_CONCEPTS).map(|concept| {
        let samples: Vec<&String> = concept.samples.iter().take(MOST_SAMPLES).collect();
        json!({ "term": concept.term, "entries": concept.entries, "samples": samples })
    });
    let statuses: serde_json::Map<String, Value> = counts
        .by_status
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(status, count)| (status.word().to_owned(), (*count).into()))
        .collect();
    text(&json!({
        "schema_version": SCHEMA_VERSION,
        "totals": { "entries": entries(counts), "nodes": counts.nodes, "edges": counts.edges },
        "statuses": statuses,
        "kinds": kinds.collect::<Vec<Value>>(),
        "languages": languages.collect::<Vec<Value>>(),
        "concepts": concepts.collect::<Vec<Value>>(),
    }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::testing::is_valid;
    use super::*;

    #[test]
    fn a6_totals_kinds_languages_and_words_are_counted_and_ordered() {
        let counts = Counts {
            by_status: BTreeMap::from([(Status::Ok, 3), (Status::Missing, 1), (Status::Revoked, 2)]),
            nodes: 30,
            edges: 40,
            kinds: BTreeMap::from([
                ("class".to_owned(), (5, 2)),
                ("function".to_owned(), (20, 3)),
                ("file".to_owned(), (5, 3)),
            ]),
            languages: BTreeMap::from([("go".to_owned(), 1), ("c".to_owned(), 1), ("python".to_owned(), 2)]),
        };
        let concept = |term: &str, entries| Concept {
            term: term.to_owned(),
            entries,
            samples: ["a/a", "b/b", "c/c", "d/d"].map(str::to_owned).to_vec(),
        };
        let document: Value =
            serde_json::from_slice(&document(&counts, &[concept("parser", 4), concept("token", 2)])).unwrap();
        assert_eq!(document["totals"], json!({"entries": 4, "nodes": 30, "edges": 40}));
        assert_eq!(document["statuses"], json!({"ok": 3, "missing": 1, "revoked": 2}));
        assert_eq!(
            document["kinds"],
            json!([
                {"kind": "function", "count": 20, "entries": 3},
                {"kind": "class", "count": 5, "entries": 2},
                {"kind": "file", "count": 5, "entries": 3},
            ])
        );
        assert_eq!(
            document["languages"],
            json!([{"language": "python", "entries": 2}, {"language": "c", "entries": 1}, {"language": "go", "entries": 1}])
        );
        assert_eq!(
            document["concepts"][0],
            json!({"term": "parser", "entries": 4, "samples": ["a/a", "b/b", "c/c"]})
        );
        is_valid(include_str!("../../../../schemas/ckgp/stats.schema.json"), &document);
    }

    #[test]
    fn a6_an_empty_registry_has_stats_and_no_registry_has_too_many_words() {
        let empty: Value = serde_json::from_slice(&document(&Counts::default(), &[])).unwrap();
        assert_eq!(empty["totals"], json!({"entries": 0, "nodes": 0, "edges": 0}));
        assert_eq!(empty["concepts"], json!([]));
        is_valid(include_str!("../../../../schemas/ckgp/stats.schema.json"), &empty);
        let concept = Concept {
            term: "word".to_owned(),
            entries: 2,
            samples: Vec::new(),
        };
        let counts = Counts {
            kinds: (0..600).map(|kind| (format!("k{kind}"), (1, 1))).collect(),
            ..Counts::default()
        };
        let many: Value = serde_json::from_slice(&document(&counts, &vec![concept; 80])).unwrap();
        assert_eq!(many["concepts"].as_array().map(Vec::len), Some(50));
        assert_eq!(many["kinds"].as_array().map(Vec::len), Some(500));
    }
}
