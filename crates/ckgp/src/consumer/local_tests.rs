//! Questions that the registry of this machine answers, in a world in memory.

use crate::registry_store::bodies::Bodies;
use crate::registry_store::store::Registry;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::super::testing::*;
use super::super::{GraphFind, GraphGet, GraphList, GraphSearch};
use super::*;
use crate::consumer::cached::digest;
use crate::format::Commit;
use crate::registry_store::entry::{Revocation, RevokedBy, Stats};
use crate::registry_store::shelf::{BodyShelf, Shelf};
use crate::registry_store::store::{About, SearchText, writing};
use lore_seam::world::World;
use lore_seam::{Operation, Render, Value, WebFault};

const NOW: i64 = 1_794_816_000;

/// A world with a registry that mirrors the graph of octo/hello, in which servers answer as in another one.
fn with_registry(world: World) -> Arc<World> {
    let world = Arc::new(World {
        facets: world
            .facets
            .clone()
            .with::<dyn Registry>(Arc::new(Shelf::default()))
            .with::<dyn Bodies>(Arc::new(BodyShelf::default())),
        ..world
    });
    writing(world.ctx().port::<dyn Registry>(), |store| {
        store.set_about(&About {
            name: "Graphs".to_owned(),
            ..About::default()
        })
    })
    .unwrap();
    put(&world, &entry("octo/hello", "generic@1", &body()));
    world
}

/// Nobody answers.
fn cut_off() -> World {
    world(&[
        (RECORD, Err(WebFault::Dns)),
        (GRAPH, Err(WebFault::Dns)),
        (UPLOAD, Err(WebFault::Dns)),
    ])
}

fn entry(id: &str, format: &str, body: &str) -> Entry {
    let mut entry = Entry::new(RepositoryId::parse(id).unwrap(), None, NOW);
    entry.head_sha = Commit::parse(TIP);
    entry.graphs = vec![Graph {
        format: FormatId::parse(format),
        graph_url: Some(GRAPH.to_owned()),
        status: Status::Ok,
        last_sha: Some(digest(body.as_bytes())),
        size_bytes: Some(body.len() as u64),
        last_synced: Some(NOW),
        source_sha: Commit::parse(SHA),
        commits_behind: Some(4),
        description: Some("All of it.".to_owned()),
        stats: Some(Stats {
            nodes: 4,
            edges: 3,
            ..Stats::default()
        }),
        ..Graph::default()
    }];
    entry
}

fn put(world: &Arc<World>, entry: &Entry) {
    let ctx = world.ctx();
    ctx.port::<dyn Bodies>()
        .put(&digest(body().as_bytes()), body().as_bytes())
        .unwrap();
    writing(ctx.port::<dyn Registry>(), |store| {
        store.put(entry, "h", None)?;
        let text = SearchText {
            name: entry.repository.key().replace('/', " "),
            symbols: Some("session create app createapp".to_owned()),
            ..SearchText::default()
        };
        for graph in entry.graphs.iter().filter(|graph| graph.status == Status::Ok) {
            if let Some(format) = &graph.format {
                store.set_text(&entry.repository, format, Some(&text))?;
            }
        }
        Ok(())
    })
    .unwrap();
}

fn ask_for<O, T>(world: &Arc<World>, arguments: Json) -> String
where
    O: Operation<Answer = Value<T>>,
    T: Render,
{
    let request = serde_json::from_value(arguments).unwrap();
    match O::run(&world.ctx(), request) {
        Ok(answer) => format!("{:?}\n{}", answer.verdict, shown(&answer.value)),
        Err(error) => format!("! {:?}: {error}", error.kind),
    }
}

#[test]
fn c4_offline_the_local_registry_says_where_a_graph_is_and_gives_it() {
    let world = with_registry(World {
        facets: crate::graphs::in_memory(),
        ..World::default()
    });
    let found = ask_for::<GraphFind, _>(&world, json!({"id": "Octo/Hello", "offline": true}));
    assert!(found.starts_with("Yes\nOcto/Hello: one graph\n* generic@1  https://octo.github.io/g.json  named by local, made from 0123456789ab\n"), "{found}");
    assert!(found.contains("current: 4 commits behind the tip"), "{found}");
    assert!(found.contains("offline: from the local registry\n"), "{found}");
    let got = ask_for::<GraphGet, _>(&world, json!({"id": "octo/hello", "offline": true}));
    assert!(got.starts_with("Yes\nocto/hello  generic@1, "), "{got}");
    assert!(got.contains("4 nodes, 3 edges"), "{got}");
    assert!(
        got.contains("this is the copy of the local registry, from 2026-11-16T08:00:00Z"),
        "{got}"
    );
    assert!(asked(&world).is_empty());
    let request = serde_json::from_value(json!({"id": "octo/hallo", "offline": true})).unwrap();
    let near = GraphFind::run(&world.ctx(), request)
        .map(|_| ())
        .expect_err("nobody was asked");
    assert!(
        near.hints
            .iter()
            .any(|hint| hint == "similar ids in the local registry: octo/hello"),
        "{near:?}"
    );
}

#[test]
fn c4_without_network_the_mirror_answers_and_with_it_the_producers_own_record_wins() {
    let world = with_registry(cut_off());
    let got = ask_for::<GraphGet, _>(&world, json!({"id": "octo/hello"}));
    assert!(got.starts_with("Yes\nocto/hello  generic@1, "), "{got}");
    assert!(
        got.contains("this is the copy of the local registry, from 2026-11-16T08:00:00Z"),
        "{got}"
    );
    let online = with_registry(published());
    let got = ask_for::<GraphGet, _>(&online, json!({"id": "octo/hello"}));
    assert!(got.starts_with("Yes\nocto/hello  generic@1, "), "{got}");
    assert!(!got.contains("copy of the local registry"), "{got}");
    let found = ask_for::<GraphFind, _>(&online, json!({"id": "octo/hello"}));
    assert!(found.contains("record: https://raw.githubusercontent.com/"), "{found}");
    assert!(
        found.contains("local lists octo/hello as ok since 2026-11-16T08:00:00Z"),
        "{found}"
    );
}

#[test]
fn s11_what_was_revoked_here_is_refused_whoever_has_it() {
    for world in [with_registry(published()), with_registry(cut_off())] {
        // A copy that was fetched before does not change that.
        ask_for::<GraphGet, _>(&world, json!({"id": "octo/hello"}));
        let mut revoked = entry("octo/hello", "generic@1", &body());
        revoked.revoke(
            None,
            Revocation {
                at: NOW,
                by: RevokedBy::Registry,
                reason: None,
            },
        );
        put(&world, &revoked);
        for offline in [true, false] {
            let got = ask_for::<GraphGet, _>(&world, json!({"id": "octo/hello", "offline": offline}));
            assert_eq!(got, "! Refused: the graph of octo/hello was revoked by local");
            let found = ask_for::<GraphFind, _>(&world, json!({"id": "octo/hello", "offline": offline}));
            assert!(
                found.starts_with("No\nocto/hello: its graph was revoked by local\n"),
                "{found}"
            );
            let named =
                ask_for::<GraphSearch, _>(&world, json!({"query": "app", "id": "octo/hello", "offline": offline}));
            assert!(named.starts_with("! Refused: "), "{named}");
        }
        let all = ask_for::<GraphSearch, _>(&world, json!({"query": "app", "offline": true}));
        assert!(all.starts_with("No\n"), "{all}");
        let listed = ask_for::<GraphList, _>(&world, json!({}));
        assert!(!listed.contains("All of it"), "{listed}");
    }
}

#[test]
fn s10_s11_a_mirror_is_served_only_while_its_graph_is_ok() {
    let world = with_registry(cut_off());
    for status in Status::ALL.into_iter().filter(|status| *status != Status::Ok) {
        let mut changed = entry("octo/hello", "generic@1", &body());
        changed.graphs[0].status = status;
        put(&world, &changed);
        for offline in [true, false] {
            let got = ask_for::<GraphGet, _>(&world, json!({"id": "octo/hello", "offline": offline}));
            assert!(got.starts_with("! "), "{status}: {got}");
        }
    }
    // When it is back, so is the mirror.
    put(&world, &entry("octo/hello", "generic@1", &body()));
    let got = ask_for::<GraphGet, _>(&world, json!({"id": "octo/hello", "offline": true}));
    assert!(got.starts_with("Yes\n"), "{got}");
}

#[test]
fn s11_one_graph_that_was_taken_back_is_refused_and_the_other_is_given() {
    let world = with_registry(cut_off());
    let mut both = entry("octo/hello", "generic@1", &body());
    let mut second = both.graphs[0].clone();
    second.format = FormatId::parse("ccg@1");
    both.graphs.push(second);
    let revocation = Revocation {
        at: NOW,
        by: RevokedBy::Registry,
        reason: None,
    };
    both.revoke(FormatId::parse("ccg@1").as_ref(), revocation);
    put(&world, &both);
    let get = |id: &str| ask_for::<GraphGet, _>(&world, json!({"id": id, "offline": true}));
    assert!(
        get("octo/hello").starts_with("Yes\nocto/hello  generic@1"),
        "{}",
        get("octo/hello")
    );
    assert!(
        get("octo/hello#ccg@1").starts_with("! Refused: "),
        "{}",
        get("octo/hello#ccg@1")
    );
}

#[test]
fn c5_a_name_that_was_left_leads_to_the_new_one() {
    let world = with_registry(World {
        facets: crate::graphs::in_memory(),
        ..World::default()
    });
    let mut old = entry("octo/old", "generic@1", &body());
    old.rename(RepositoryId::parse("octo/hello").unwrap());
    put(&world, &old);
    let got = ask_for::<GraphGet, _>(&world, json!({"id": "octo/old", "offline": true}));
    assert!(got.starts_with("Yes\nocto/hello  generic@1"), "{got}");
    let mut round = entry("octo/hello", "generic@1", &body());
    round.rename(RepositoryId::parse("octo/old").unwrap());
    put(&world, &round);
    let got = ask_for::<GraphGet, _>(&world, json!({"id": "octo/old", "offline": true}));
    assert!(got.starts_with("! NotFound"), "{got}");
}

#[test]
fn c4_the_local_registry_is_listed_in_pages_and_by_filters() {
    let world = with_registry(World {
        facets: crate::graphs::in_memory(),
        ..World::default()
    });
    let mut both = entry("acme/shop", "ccg@1", &body());
    let mut second = both.graphs[0].clone();
    second.format = FormatId::parse("bundle@1");
    both.graphs.push(second.clone());
    second.format = FormatId::parse("generic@1");
    both.graphs.push(second);
    put(&world, &both);
    let mut gone = entry("acme/gone", "ccg@1", &body());
    gone.graphs[0].status = Status::Missing;
    put(&world, &gone);
    put(&world, &entry("zeta/last", "generic@1", &body()));
    let ids = |mut arguments: Json| {
        let mut ids = Vec::new();
        for _ in 0..20 {
            let request = serde_json::from_value(arguments.clone()).unwrap();
            let answer = GraphList::run(&world.ctx(), request).unwrap().value;
            ids.extend(answer.repos.into_iter().map(|row| row.id));
            match answer.next_cursor {
                Some(next) => arguments["cursor"] = json!(next),
                None => break,
            }
        }
        ids.join(" ")
    };
    let all = "acme/shop acme/shop#bundle@1 acme/shop#generic@1 octo/hello zeta/last";
    for limit in 1..=6 {
        assert_eq!(ids(json!({ "limit": limit })), all, "{limit}");
    }
    assert_eq!(
        ids(json!({"format": "generic", "limit": 1})),
        "acme/shop#generic@1 octo/hello zeta/last"
    );
    assert_eq!(ids(json!({"format": "ccg@1", "status": "any"})), "acme/gone acme/shop");
    assert_eq!(ids(json!({"status": "missing"})), "acme/gone");
    assert_eq!(ids(json!({"status": "curious"})), "");
    assert_eq!(ids(json!({"kept": true})), "");
    let listed = ask_for::<GraphList, _>(&world, json!({"limit": 1, "cursor": "p"}));
    assert_eq!(
        listed,
        "Yes\n  zeta/last  generic@1  4 nodes, 3 edges  4 commits behind  All of it.\n"
    );
}

#[test]
fn a6_names_are_found_in_what_the_local_registry_mirrors() {
    let world = with_registry(World {
        facets: crate::graphs::in_memory(),
        ..World::default()
    });
    let found = ask_for::<GraphSearch, _>(&world, json!({"query": "create_app", "offline": true}));
    assert_eq!(
        found,
        "Yes\ncreate_app  function  a  app.py:3  0 in, 2 out  octo/hello\n"
    );
    for number in 1..8 {
        put(&world, &entry(&format!("octo/copy{number}"), "generic@1", &body()));
    }
    let found = ask_for::<GraphSearch, _>(&world, json!({"query": "session"}));
    assert_eq!(
        found.lines().filter(|line| line.starts_with("Session  class")).count(),
        5,
        "{found}"
    );
    assert!(
        found.contains("more graphs of the local registry match and were not searched: "),
        "{found}"
    );
    assert!(ask_for::<GraphSearch, _>(&world, json!({"query": "nowhere"})).starts_with("No\n"));
}
