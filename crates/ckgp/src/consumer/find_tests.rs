//! `lore graph find` in a world in memory.

use std::sync::Arc;

use serde_json::json;

use super::super::testing::*;
use super::*;
use lore_seam::Origin;
use lore_seam::world::World;

fn find(world: &Arc<World>, arguments: serde_json::Value) -> String {
    let request = serde_json::from_value(arguments).unwrap();
    match GraphFind::run(&world.ctx(), request) {
        Ok(answer) => format!("{:?}\n{}", answer.verdict, shown(&answer.value)),
        Err(error) => format!("! {:?}: {error}\n{}", error.kind, error.hints.join("\n")),
    }
}

#[test]
fn c1_c6_a_graph_is_found_by_the_record_with_its_formats_and_how_current_it_is() {
    let world = Arc::new(published());
    assert_eq!(
        find(&world, json!({"id": "octo/hello"})),
        format!(
            "Yes\nocto/hello: 2 graphs\n\
             * generic@1  {GRAPH}  made from 0123456789ab, on 2026-11-01T00:00:00Z\n\
             \x20            All of it.\n\
             \x20 mystery@9  {GRAPH}  not fetched (unsupported)\n\
             current: behind the tip {TIP} by an unknown number of commits\n\
             record: {RECORD}\n"
        )
    );
    assert_eq!(
        asked(&world),
        [
            format!("GET {RECORD}"),
            format!(
                "POST {UPLOAD} 0014command=ls-refs\n0001000csymrefs\n0014ref-prefix HEAD\n0000 Git-Protocol: version=2 Content-Type: application/x-git-upload-pack-request Accept: application/x-git-upload-pack-result"
            ),
        ]
    );
}

#[test]
fn c6_what_is_not_known_is_unknown_and_never_current() {
    let state = |source: &str, entry: &str, head: Option<&str>| {
        let record = record().replace(SHA, source);
        let mut pages = vec![(RECORD, page(record))];
        pages.extend(head.map(|head| (UPLOAD, page(format!("0032{head} HEAD\n0000")))));
        let world = with_aggregator(world(&pages), REPOS, page(listed(entry)));
        let request = serde_json::from_value(json!({"id": "octo/hello"})).unwrap();
        GraphFind::run(&world.ctx(), request).unwrap().value.drift
    };
    let told = |drift: Drift| {
        let sha = |text: &Option<String>| text.as_deref().map_or("-", |text| &text[..4]).to_owned();
        let behind = drift.commits_behind.map_or("-".to_owned(), |behind| behind.to_string());
        format!(
            "{} {} {} {behind}",
            drift.state,
            sha(&drift.source_sha),
            sha(&drift.head_sha)
        )
    };
    let counted = format!(r#""status": "ok", "source_sha": "{SHA}", "head_sha": "{TIP}", "commits_behind": 7"#);
    // Nobody says which commit the graph was made from: nothing is said of the tip either (R2).
    assert_eq!(told(state("none", &counted, Some(TIP))), "unknown - - -");
    assert_eq!(told(state(SHA, r#""status": "ok""#, None)), "unknown 0123 - -");
    assert_eq!(told(state(SHA, &counted, None)), "behind 0123 89ab 7");
    assert_eq!(told(state(SHA, &counted, Some(TIP))), "behind 0123 89ab 7");
    assert_eq!(told(state(SHA, &counted, Some(SHA))), "current 0123 0123 0");
    // What was counted for another commit says nothing of this one.
    assert_eq!(told(state(TIP, &counted, None)), "unknown 89ab - -");
    // A count of nothing between two commits is no count.
    let odd = counted.replace(": 7", ": 0");
    assert_eq!(told(state(SHA, &odd, None)), "behind 0123 89ab -");
}

#[test]
fn c10_the_commit_is_looked_up_in_the_clone_of_whoever_asks() {
    let told = |remote: &str, commits: Option<&[&str]>| {
        let mut world = published();
        world.origin = Some(Origin {
            remote: Some(remote.to_owned()),
            ..Origin::default()
        });
        world.commits = commits.map(|commits| commits.iter().map(|commit| (*commit).to_owned()).collect());
        let request = serde_json::from_value(json!({"id": "octo/hello"})).unwrap();
        let answer = GraphFind::run(&Arc::new(world).ctx(), request).unwrap().value;
        answer.graphs[0].has_commit
    };
    assert_eq!(told("git@github.com:Octo/hello.git", Some(&[SHA])), Some(true));
    assert_eq!(told("git@github.com:Octo/hello.git", Some(&[])), Some(false));
    assert_eq!(told("git@github.com:Octo/hello.git", None), None);
    assert_eq!(told("git@github.com:acme/shop.git", Some(&[SHA])), None);
}

#[test]
fn c11_where_there_is_none_it_is_said_where_to_go() {
    let none = Arc::new(world(&[]));
    assert_eq!(
        find(&none, json!({"id": "octo/hello"})),
        "No\nocto/hello: no graph is published\nrecord: none at HEAD, main or master\n\
         `lore graph publish` in a clone of octo/hello makes a graph and a record for its owners to commit; no registry is needed\n"
    );
    let list = r#"{"schema_version": 1, "repos": [{"id": "octo/hullo"}]}"#;
    let near = with_aggregator(world(&[]), REPOS, page(list));
    assert_eq!(
        find(&near, json!({"owner": "octo", "repo": "hello"})),
        "No\nocto/hello: no graph is published\nrecord: none at HEAD, main or master\nsimilar ids: octo/hullo\n\
         https://reg.example/ has no registry.json\n\
         `lore graph publish` in a clone of octo/hello makes a graph and a record for its owners to commit; then register it at https://reg.example/\n"
    );
}

#[test]
fn c2_who_does_not_answer_has_not_said_no() {
    let down = Arc::new(world(&[(RECORD, status(503))]));
    assert_eq!(
        find(&down, json!({"id": "octo/hello"})),
        format!(
            "! Unavailable: cannot find out whether octo/hello has a graph: {RECORD} answers 503\n\
             try again later; `--offline` uses the cache"
        )
    );
    assert_eq!(down.waits.lock().unwrap().len(), 2);
    let listed = with_aggregator(
        world(&[(RECORD, status(503))]),
        REPOS,
        page(listed(r#""status": "ok""#)),
    );
    let told = find(&listed, json!({"id": "octo/hello"}));
    assert!(
        told.starts_with(&format!(
            "Yes\nocto/hello: one graph\n* generic@1  {GRAPH}  named by https://reg.example/\n"
        )),
        "{told}"
    );
    assert!(
        told.contains(&format!("record: unreachable\n  {RECORD} answers 503\n")),
        "{told}"
    );
}

#[test]
fn c5_s11_what_was_taken_back_is_said_to_be_and_not_shown() {
    let world = with_aggregator(published(), REPOS, page(listed(r#""status": "revoked""#)));
    assert_eq!(
        find(&world, json!({"url": "https://github.com/octo/hello"})),
        format!("No\nocto/hello: its graph was revoked by https://reg.example/\nrecord: {RECORD}\n")
    );
}

#[test]
fn c5_the_new_name_is_told() {
    let list =
        r#"{"schema_version": 1, "repos": [{"id": "octo/old", "status": "renamed", "renamed_to": "octo/hello"}]}"#;
    let world = with_aggregator(published(), REPOS, page(list));
    let told = find(&world, json!({"id": "octo/old"}));
    assert!(
        told.starts_with("Yes\nocto/hello, formerly octo/old: 2 graphs\n"),
        "{told}"
    );
}

#[test]
fn amend_c1_a_host_of_which_nothing_is_known_is_said_to_be() {
    let told = find(&Arc::new(world(&[])), json!({"id": "git.example.org/o/r"}));
    assert!(told.contains("record: not searched (unknown forge)\n"), "{told}");
    assert!(told.contains("unknown forge git.example.org; name its kind in [graph.forges] of your configuration\n"));
}

#[test]
fn c7_offline_what_is_kept_answers() {
    let world = Arc::new(published());
    assert_eq!(
        find(&world, json!({"id": "octo/hello", "offline": true})),
        "! Unavailable: no cached graph of octo/hello, and offline mode makes no request\n\
         `lore graph find octo/hello` without `--offline` makes requests"
    );
    find(&world, json!({"id": "octo/hello"}));
    asked(&world);
    let told = find(&world, json!({"id": "octo/hello", "offline": true}));
    assert!(
        told.starts_with("Yes\nocto/hello: 2 graphs\n") && told.ends_with("offline: from the cache\n"),
        "{told}"
    );
    assert!(told.contains("current: unknown\n"), "{told}");
    assert_eq!(asked(&world), Vec::<String>::new());
}
