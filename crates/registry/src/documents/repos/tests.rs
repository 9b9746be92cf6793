//! `repos.json`, text in, text out.

use serde_json::{Value, json};

use super::super::testing::{is_valid, ok, pending, revoked};
use super::*;
use lore_ckgp::consumer::aggregator::each_entry;

fn written(entries: &[Entry]) -> String {
    let mut out = Vec::new();
    let mut list = ReposList::begin(&mut out).unwrap();
    for entry in entries {
        list.entry(entry).unwrap();
    }
    list.end().unwrap();
    String::from_utf8(out).unwrap()
}

fn document(entries: &[Entry]) -> Value {
    let document = serde_json::from_str(&written(entries)).unwrap();
    is_valid(include_str!("../../../../../schemas/ckgp/repos.schema.json"), &document);
    document
}

#[test]
fn amend_a3_every_entry_but_pending_is_listed_with_exactly_these_fields() {
    let entries: Vec<Entry> = Status::ALL
        .into_iter()
        .map(|status| {
            let mut entry = ok(&format!("octo/{}", status.word()));
            entry.graphs[0].status = status;
            entry.graphs[0].last_error = Some("404".to_owned());
            entry
        })
        .collect();
    let document = document(&entries);
    let repos = document["repos"].as_array().unwrap();
    assert_eq!(repos.len(), Status::ALL.len() - 1);
    assert!(repos.iter().all(|repo| repo["status"] != "pending"));
    for repo in repos {
        let mut keys: Vec<&str> = repo.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(
            keys.join(" "),
            "commits_behind description format graph_url head_sha id last_sha last_synced renamed_to source_sha status tags"
        );
    }
    let mut top: Vec<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
    top.sort_unstable();
    assert_eq!(top, ["repos", "schema_version"]);
}

#[test]
fn a3_what_is_not_known_is_null() {
    let mut entry = pending("octo/hello");
    entry.graphs[0].status = Status::Missing;
    assert_eq!(
        document(&[entry])["repos"][0],
        json!({
            "id": "octo/hello", "format": null, "graph_url": null, "last_synced": null, "status": "missing",
            "source_sha": null, "last_sha": null, "head_sha": null, "commits_behind": null, "renamed_to": null,
            "description": "The graph of octo/hello", "tags": [],
        })
    );
    assert_eq!(document(&[])["repos"], json!([]));
}

#[test]
fn s10_the_tombstone_stays_in_the_short_list() {
    let document = document(&[revoked("octo/gone")]);
    let repo = &document["repos"][0];
    assert_eq!(
        (&repo["status"], &repo["graph_url"], &repo["last_sha"]),
        (&json!("revoked"), &Value::Null, &Value::Null)
    );
}

#[test]
fn ruling6_the_short_list_is_read_back_whatever_the_host() {
    let entries = [ok("codeberg.org/octo/hello"), ok("gitlab.com/a/b/c"), ok("Octo/Hello")];
    let mut ids = Vec::new();
    each_entry(written(&entries).as_bytes(), &mut |entry| {
        assert!(entry.is_ok());
        ids.push(entry.id.repository);
    })
    .unwrap();
    assert_eq!(ids, entries.map(|entry| entry.repository));
}
