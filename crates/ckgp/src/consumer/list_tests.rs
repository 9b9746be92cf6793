//! `lore graph list` in a world in memory.

use std::sync::Arc;

use serde_json::json;

use super::super::testing::*;
use super::super::{GraphGet, GraphGetRequest};
use super::*;
use lore_seam::world::World;

fn list(world: &Arc<World>, arguments: serde_json::Value) -> String {
    let request = serde_json::from_value(arguments).unwrap();
    match GraphList::run(&world.ctx(), request) {
        Ok(answer) => format!("{:?}\n{}", answer.verdict, shown(&answer.value)),
        Err(error) => format!("! {:?}: {error}", error.kind),
    }
}

fn registry() -> String {
    r#"{"schema_version": 1, "generated_at": "2026-11-16T00:00:00Z", "entries": [
        {"id": "zeta/last", "format": "ccg@1", "status": "ok", "commits_behind": 0, "nodes_count": 5, "edges_count": 7},
        {"id": "Acme/shop", "format": "gitnexus@1", "status": "ok", "commits_behind": 3, "tags": ["web"], "description": "A shop\u001b."},
        {"id": "octo/hello", "format": "generic@1", "status": "ok", "commits_behind": 1},
        {"id": "octo/gone", "format": "ccg@1", "status": "dead"},
        {"id": "octo/back", "format": "ccg@1", "status": "revoked"}]}"#
        .to_owned()
}

fn with_kept() -> Arc<World> {
    let world = with_aggregator(published(), REGISTRY, page(registry()));
    let request: GraphGetRequest = serde_json::from_value(json!({"id": "octo/hello"})).unwrap();
    GraphGet::run(&world.ctx(), request).unwrap();
    asked(&world);
    world
}

#[test]
fn c4_everything_that_is_well_is_listed_by_id_and_what_is_kept_is_marked() {
    let world = with_kept();
    assert_eq!(
        list(&world, json!({})),
        "Yes\n\
         \x20 Acme/shop   gitnexus@1  3 commits behind  A shop.\n\
         * octo/hello  generic@1   one commit behind\n\
         \x20 zeta/last   ccg@1       5 nodes, 7 edges  current\n\
         * is cached: `lore graph get --offline` shows it\n"
    );
    assert_eq!(
        list(&world, json!({"kept": true})),
        "Yes\n* octo/hello  generic@1  4 nodes, 3 edges\n* is cached: `lore graph get --offline` shows it\n"
    );
}

#[test]
fn c4_pages_follow_each_other_without_gaps() {
    let world = with_kept();
    let mut cursor = None;
    let mut ids = Vec::new();
    loop {
        let request = serde_json::from_value(json!({"limit": 2, "cursor": cursor, "status": "any"})).unwrap();
        let answer = GraphList::run(&world.ctx(), request).unwrap().value;
        assert!(answer.repos.len() <= 2);
        ids.extend(answer.repos.into_iter().map(|row| row.id));
        match answer.next_cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(ids, ["Acme/shop", "octo/back", "octo/gone", "octo/hello", "zeta/last"]);
}

#[test]
fn c4_filters_are_by_format_tag_and_status() {
    let world = with_kept();
    let ids = |arguments: serde_json::Value| {
        let request = serde_json::from_value(arguments).unwrap();
        let answer = GraphList::run(&world.ctx(), request).unwrap().value;
        answer
            .repos
            .iter()
            .map(|row| row.id.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(ids(json!({"format": "ccg@1"})), "zeta/last");
    assert_eq!(ids(json!({"format": "generic"})), "octo/hello");
    assert_eq!(ids(json!({"format": "ccg@2"})), "");
    assert_eq!(ids(json!({"tag": "web"})), "Acme/shop");
    assert_eq!(ids(json!({"tag": "Web"})), "Acme/shop");
    assert_eq!(ids(json!({"status": "dead"})), "octo/gone");
    assert_eq!(ids(json!({"status": "revoked"})), "octo/back");
    assert_eq!(
        ids(json!({"format": "ccg", "status": "any"})),
        "octo/back octo/gone zeta/last"
    );
}

#[test]
fn c4_an_aggregator_that_has_only_the_short_list_or_does_not_answer() {
    let short = with_aggregator(world(&[]), REPOS, page(listed(r#""status": "ok""#)));
    assert!(list(&short, json!({})).starts_with("Yes\n  octo/hello  generic@1\n"));
    let down = with_aggregator(world(&[]), REGISTRY, status(502));
    assert_eq!(
        list(&down, json!({})),
        format!("! Unavailable: cannot reach https://reg.example/: {REGISTRY} answers 502")
    );
    let bad = with_aggregator(
        world(&[(REPOS, page("[]"))]),
        REGISTRY,
        page(r#"{"schema_version": 7, "entries": []}"#),
    );
    assert!(list(&bad, json!({})).starts_with(&format!("! Unavailable: cannot use {REPOS}: not JSON")));
    assert_eq!(
        list(&Arc::new(world(&[])), json!({})),
        "No\nno graphs\nno aggregator is configured: only cached graphs are listed\n"
    );
    let named = list(
        &Arc::new(world(&[(REPOS, page(listed(r#""status": "ok""#)))])),
        json!({"aggregator": ["https://reg.example"]}),
    );
    assert!(named.starts_with("Yes\n  octo/hello"), "{named}");
}
