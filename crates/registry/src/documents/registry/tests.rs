//! `registry.json`, text in, text out.

use serde_json::{Value, json};

use super::super::testing::{NOW, graph, is_valid, ok, pending, revoked};
use super::*;
use lore_ckgp::consumer::aggregator::{self, each_entry};
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::registry_store::status::Status;

const SCHEMA: &str = include_str!("../../../../../schemas/ckgp/registry.schema.json");

/// All keys of the table, in its words.
const KEYS: &[&str] = &[
    "id",
    "owner",
    "repo",
    "default_branch",
    "format",
    "graph_url",
    "description",
    "tags",
    "added_at",
    "last_synced",
    "last_sha",
    "size_bytes",
    "status",
    "last_error",
    "miss_count",
    "renamed_to",
    "nodes_count",
    "edges_count",
    "top_kinds",
    "languages",
    "source_sha",
    "head_sha",
    "commits_behind",
    "drift_checked_at",
];

fn written(entries: &[Entry]) -> String {
    let mut out = Vec::new();
    let mut list = RegistryList::begin(&mut out, NOW).unwrap();
    for entry in entries {
        list.entry(entry).unwrap();
    }
    list.end().unwrap();
    String::from_utf8(out).unwrap()
}

fn document(entries: &[Entry]) -> Value {
    let document = serde_json::from_str(&written(entries)).unwrap();
    is_valid(SCHEMA, &document);
    document
}

fn row(entry: &Entry) -> Value {
    document(std::slice::from_ref(entry))["entries"][0].clone()
}

#[test]
fn a1_the_document_has_a_version_a_time_and_an_entry_on_each_line() {
    let text = written(&[ok("acme/shop"), pending("octo/hello")]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8);
    assert_eq!(
        &lines[..4],
        [
            "{",
            "  \"schema_version\": 1,",
            "  \"generated_at\": \"2026-11-16T08:00:00Z\",",
            "  \"entries\": ["
        ]
    );
    assert!(lines[4].starts_with("    {\"id\":\"acme/shop\",") && lines[4].ends_with("},"));
    assert!(lines[5].starts_with("    {\"id\":\"octo/hello\",") && lines[5].ends_with('}'));
    assert_eq!(text, written(&[ok("acme/shop"), pending("octo/hello")]));
}

#[test]
fn a1_an_empty_registry_is_a_document_too() {
    assert_eq!(document(&[])["entries"], json!([]));
}

#[test]
fn a2_every_key_is_there_and_null_where_nothing_is_known() {
    for entry in [ok("octo/hello"), pending("octo/hello"), revoked("octo/hello")] {
        let row = row(&entry);
        for key in KEYS {
            assert!(row.get(key).is_some(), "{key} of {}", entry.status());
        }
    }
    let row = row(&pending("octo/hello"));
    let known = [
        "id",
        "owner",
        "repo",
        "description",
        "tags",
        "added_at",
        "status",
        "miss_count",
    ];
    for key in KEYS.iter().filter(|key| !known.contains(key)) {
        assert_eq!(row[key], Value::Null, "{key}");
    }
}

#[test]
fn a2_what_is_known_of_an_entry_is_told() {
    let row = row(&ok("Octo/Hello"));
    assert_eq!(
        row,
        json!({
            "id": "Octo/Hello", "owner": "Octo", "repo": "Hello", "default_branch": "main",
            "format": "ccg@1", "graph_url": "https://raw.example/Octo/Hello/ccg@1.json",
            "description": "A greeting", "tags": ["python"],
            "added_at": "2026-11-16T08:00:00Z", "last_synced": "2026-11-16T08:01:00Z",
            "last_sha": "c".repeat(64), "size_bytes": 1234, "status": "ok", "last_error": null, "miss_count": 0,
            "renamed_to": null, "nodes_count": 3, "edges_count": 2,
            "top_kinds": [{"kind": "function", "count": 2}, {"kind": "file", "count": 1}], "languages": ["python"],
            "source_sha": "a".repeat(40), "head_sha": "b".repeat(40), "commits_behind": 7,
            "drift_checked_at": "2026-11-16T08:01:00Z", "trust": "record-matched",
        })
    );
}

#[test]
fn a2_nothing_is_told_of_how_the_registry_asks() {
    let mut entry = ok("octo/hello");
    entry.record.etag = Some("secret-mark".to_owned());
    entry.graphs[0].marks = Some(lore_ckgp::registry_store::entry::Marks {
        etag: Some("secret-mark".to_owned()),
        last_modified: Some("secret-mark".to_owned()),
        ..Default::default()
    });
    let text = written(&[entry]);
    for internal in [
        "secret-mark",
        "etag",
        "interval",
        "visited_at",
        "misses",
        "schema\"",
        "recorded",
    ] {
        assert!(!text.contains(internal), "{internal}");
    }
}

#[test]
fn amend_a2_a_description_has_280_characters_at_most_and_is_made_up_where_there_is_none() {
    let mut entry = ok("octo/hello");
    entry.graphs[0].description = Some("é".repeat(280));
    assert_eq!(row(&entry)["description"], "é".repeat(280));
    entry.graphs[0].description = Some("é".repeat(281));
    let cut = row(&entry)["description"].as_str().unwrap().to_owned();
    assert_eq!((cut.chars().count(), cut.ends_with("é…")), (280, true));
    for nothing in [None, Some(" \n".to_owned())] {
        entry.graphs[0].description = nothing;
        assert_eq!(row(&entry)["description"], "The ccg@1 graph of octo/hello");
    }
    entry.description = Some("Of whoever registered it".to_owned());
    entry.graphs[0].description = None;
    assert_eq!(row(&entry)["description"], "Of whoever registered it");
    assert_eq!(row(&pending("octo/hello"))["description"], "The graph of octo/hello");
}

#[test]
fn s9_texts_of_strangers_steer_nothing_and_stay_on_their_line() {
    let mut entry = ok("octo/hello");
    entry.graphs[0].description = Some("a\u{202e}b\nc\u{1b}[31m".to_owned());
    entry.graphs[0].tags = vec!["t\u{200b}ag".to_owned(); 40];
    entry.graphs[0].last_error = Some("x\ny".repeat(400));
    let row = row(&entry);
    assert_eq!(row["description"], "ab c[31m");
    assert_eq!(row["tags"], json!(vec!["tag"; 16]));
    assert_eq!(row["last_error"].as_str().unwrap().chars().count(), 200);
}

#[test]
fn ruling1_every_status_is_written_pending_and_ours_included() {
    for status in Status::ALL {
        let mut entry = ok("octo/hello");
        entry.graphs[0].status = status;
        assert_eq!(row(&entry)["status"], status.word());
        let has_stats = row(&entry)["nodes_count"].is_number();
        assert_eq!(has_stats, status == Status::Ok, "numbers are told only while it is ok");
    }
}

#[test]
fn ruling5_further_graphs_are_folded_under_their_repository() {
    let mut entry = ok("octo/hello");
    entry.graphs.push(graph("octo/hello", "bundle@1"));
    entry.graphs[1].status = Status::Missing;
    entry.graphs[1].source_sha = None;
    let row = row(&entry);
    assert_eq!(row["id"], "octo/hello");
    let graphs = row["graphs"].as_array().unwrap();
    assert_eq!(graphs.len(), 1);
    assert_eq!(
        (&graphs[0]["format"], &graphs[0]["status"]),
        (&json!("bundle@1"), &json!("missing"))
    );
    assert_eq!(
        (&graphs[0]["head_sha"], &graphs[0]["commits_behind"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(row["head_sha"], "b".repeat(40));
    let of_entry = [
        "id",
        "owner",
        "repo",
        "default_branch",
        "added_at",
        "renamed_to",
        "drift_checked_at",
    ];
    for key in KEYS.iter().filter(|key| !of_entry.contains(key)) {
        assert!(graphs[0].get(key).is_some(), "{key}");
    }
    assert!(!written(&[entry]).contains('#'));
}

#[test]
fn ruling6_another_host_is_named_and_groups_are_part_of_the_owner() {
    let row = row(&ok("gitlab.com/group/sub/repo"));
    assert_eq!(
        (&row["id"], &row["host"], &row["owner"], &row["repo"]),
        (
            &json!("gitlab.com/group/sub/repo"),
            &json!("gitlab.com"),
            &json!("group/sub"),
            &json!("repo")
        )
    );
    assert_eq!(self::row(&ok("octo/hello")).get("host"), None);
}

#[test]
fn ruling6_our_own_consumer_reads_back_what_is_written() {
    let mut several = ok("gitlab.com/group/sub/repo");
    several.graphs.push(graph("gitlab.com/group/sub/repo", "bundle@1"));
    several.graphs[1].status = Status::Invalid;
    let mut renamed = ok("codeberg.org/octo/old");
    renamed.renamed_to = RepositoryId::parse("codeberg.org/octo/new").ok();
    renamed.graphs[0].status = Status::Renamed;
    let entries = [
        renamed,
        several,
        ok("Octo/Hello"),
        pending("octo/new"),
        revoked("octo/gone"),
    ];
    let mut read = Vec::new();
    let count = each_entry(written(&entries).as_bytes(), &mut |entry| read.push(entry)).unwrap();
    assert_eq!(count, entries.len());
    let mut at = 0;
    for entry in &entries {
        let graphs = if entry.is_tombstone() { 1 } else { entry.graphs.len() };
        for graph in entry.graphs.iter().take(graphs) {
            let standing = Some(graph).filter(|graph| graph.status != Status::Revoked);
            let is_told = graph.format.is_some() && graph.status != Status::Revoked;
            let ok = Some(graph).filter(|graph| graph.status == Status::Ok);
            let wanted = aggregator::Entry {
                id: entry.id_of(graph),
                format: graph.format.clone(),
                graph_url: standing.and_then(|graph| graph.graph_url.clone()),
                status: graph.status.word().to_owned(),
                source_sha: standing.and_then(|graph| graph.source_sha.clone()),
                head_sha: standing.and_then(|graph| graph.source_sha.as_ref().and(entry.head_sha.clone())),
                commits_behind: standing.and_then(|graph| graph.commits_behind),
                last_sha: standing.and_then(|graph| graph.last_sha.clone()),
                last_synced: graph.last_synced.map(date_time),
                renamed_to: entry.renamed_to.clone(),
                description: Some(match (is_told, &graph.format) {
                    (true, _) => "A greeting".to_owned(),
                    (false, Some(format)) => format!("The {format} graph of {}", entry.repository),
                    (false, None) => format!("The graph of {}", entry.repository),
                }),
                tags: if is_told { graph.tags.clone() } else { Vec::new() },
                nodes: ok.and_then(|graph| graph.stats.as_ref()).map(|stats| stats.nodes),
                edges: ok.and_then(|graph| graph.stats.as_ref()).map(|stats| stats.edges),
            };
            assert_eq!(read[at], wanted);
            at += 1;
        }
    }
    assert_eq!(at, read.len());
}

#[test]
fn s10_of_what_was_taken_back_nothing_is_left_but_that_it_was() {
    let entry = revoked("octo/gone");
    let row = row(&entry);
    assert_eq!(
        (&row["status"], &row["revoked_by"]),
        (&json!("revoked"), &json!("registry"))
    );
    for gone in [
        "graph_url",
        "last_sha",
        "size_bytes",
        "nodes_count",
        "top_kinds",
        "source_sha",
        "last_error",
        "head_sha",
    ] {
        assert_eq!(row[gone], Value::Null, "{gone}");
    }
    assert_eq!((&row["tags"], row.get("graphs")), (&json!([]), None));
    let text = written(&[entry]);
    assert!(!text.contains("https://") && !text.contains("greeting") && !text.contains("letter"));
    let mut one = ok("octo/hello");
    one.graphs.push(graph("octo/hello", "bundle@1"));
    one.graphs[1].status = Status::Revoked;
    let row = self::row(&one);
    assert_eq!(
        (&row["status"], &row["graphs"][0]["status"]),
        (&json!("ok"), &json!("revoked"))
    );
    assert_eq!(row["graphs"][0]["graph_url"], Value::Null);
}
