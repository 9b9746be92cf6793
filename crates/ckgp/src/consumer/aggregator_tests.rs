//! Lists of aggregators, text in, text out.

use super::*;

fn entries(text: &str) -> String {
    let mut lines = Vec::new();
    match each_entry(text.as_bytes(), &mut |entry| {
        lines.push(format!(
            "{} {} {} {}",
            entry.id,
            entry.format.as_ref().map_or("-".to_owned(), FormatId::to_string),
            entry.status,
            entry.graph_url.as_deref().unwrap_or("-"),
        ));
    }) {
        Ok(count) => lines.push(format!("{count} entries")),
        Err(fault) => lines.push(format!("! {fault}")),
    }
    lines.join("\n")
}

#[test]
fn c4_lists_are_read_entry_by_entry_and_odd_ones_count_as_none() {
    let text = r#"{"generated_at": "x", "entries": [
        {"id": "octo/hello", "format": "ccg@1", "graph_url": "https://e.org/g", "status": "ok", "later": [1]},
        7, {"format": "ccg@1"}, {"id": "octo"},
        {"id": "octo/old", "status": "missing", "graph_url": "http://e.org/g"},
        {"owner": "octo", "repo": "plain", "format": "CCG"},
        {"host": "gitlab.com", "id": "group/repo", "format": "ccg@1"},
        {"id": "codeberg.org/octo/hello", "format": "ccg@1"}
    ], "schema_version": 1}"#;
    assert_eq!(
        entries(text),
        "octo/hello ccg@1 ok https://e.org/g\n\
         octo/old - missing -\n\
         octo/plain - ok -\n\
         gitlab.com/group/repo ccg@1 ok -\n\
         codeberg.org/octo/hello ccg@1 ok -\n\
         5 entries"
    );
    for (text, fault) in [
        (
            r#"{"schema_version": 2, "repos": []}"#,
            "! unsupported schema_version 2; only 1 is supported",
        ),
        (
            r#"{"repos": []}"#,
            "! unsupported schema_version (none); only 1 is supported",
        ),
        (r#"{"schema_version": 1}"#, "! `entries` is missing or not a list"),
        (
            r#"{"schema_version": 1, "repos": {}}"#,
            "! `entries` is missing or not a list",
        ),
        (r#"{"schema_version": 1, "repos": []}"#, "0 entries"),
    ] {
        assert_eq!(entries(text), fault);
    }
    assert!(entries("<html>").starts_with("! not JSON: "));
    assert!(entries("[]").starts_with("! not JSON: "));
}

#[test]
fn ruling5_further_graphs_of_a_repository_have_ids_of_their_own() {
    let text = r#"{"schema_version": 1, "entries": [
        {"id": "octo/hello", "format": "ccg@1", "graph_url": "https://e.org/g", "status": "ok", "graphs": [
            {"format": "ccg@1", "graph_url": "https://e.org/g"},
            {"format": "bundle@1", "graph_url": "https://e.org/b", "status": "invalid"}, {"format": 7}]},
        {"id": "octo/other#generic@1", "graph_url": "https://e.org/o", "status": "ok"}]}"#;
    assert_eq!(
        entries(text),
        "octo/hello ccg@1 ok https://e.org/g\n\
         octo/hello#bundle@1 bundle@1 invalid https://e.org/b\n\
         octo/other#generic@1 generic@1 ok https://e.org/o\n\
         2 entries"
    );
}

#[test]
fn c4_near_ids_are_named_nearest_first_and_five_at_most() {
    let near: Vec<String> = [
        "octo/helloo",
        "octo/hullo",
        "Octo/Jello",
        "octo/help",
        "octa/hell",
        "octo/hello2",
        "acme/hello",
    ]
    .iter()
    .map(|id| format!(r#"{{"id": "{id}", "status": "ok"}}"#))
    .collect();
    let text = format!(
        r#"{{"schema_version": 1, "repos": [{}, {{"id": "octo/hell", "status": "revoked"}}]}}"#,
        near.join(",")
    );
    let lookup = look_up(text.as_bytes(), &RepositoryId::parse("octo/hello").unwrap()).unwrap();
    assert_eq!(lookup.entries, []);
    let found: Vec<String> = lookup
        .near
        .iter()
        .map(|(distance, id)| format!("{distance} {id}"))
        .collect();
    assert_eq!(
        found,
        [
            "1 Octo/Jello",
            "1 octo/hello2",
            "1 octo/helloo",
            "1 octo/hullo",
            "2 octa/hell"
        ]
    );
}

#[test]
fn ruling7_an_id_is_found_whatever_its_case() {
    let text = r#"{"schema_version": 1, "repos": [{"id": "Octo/Hello", "format": "ccg@1", "graph_url": "https://e.org/g", "status": "ok",
        "last_sha": "AB34567890123456789012345678901234567890123456789012345678901234", "commits_behind": 3, "source_sha": "abc", "tags": ["a\u202eb"]}]}"#;
    let lookup = look_up(text.as_bytes(), &RepositoryId::parse("octo/hello").unwrap()).unwrap();
    let entry = &lookup.entries[0];
    assert_eq!(entry.id.to_string(), "Octo/Hello");
    assert_eq!(
        entry.last_sha.as_deref(),
        Some("ab34567890123456789012345678901234567890123456789012345678901234")
    );
    assert_eq!((entry.commits_behind, entry.source_sha.as_ref()), (Some(3), None));
    assert_eq!(entry.tags, ["ab"]);
}

#[test]
fn c4_the_lists_of_an_aggregator_stand_below_its_address() {
    for base in [
        "https://r.example/reg",
        "https://r.example/reg/",
        "https://r.example/reg/?x=1",
    ] {
        let base = Address::parse(base).unwrap();
        assert_eq!(
            List::Repos.address(&base).unwrap().as_str(),
            "https://r.example/reg/.well-known/repos.json"
        );
        assert_eq!(
            List::Registry.address(&base).unwrap().as_str(),
            "https://r.example/reg/registry.json"
        );
    }
}
