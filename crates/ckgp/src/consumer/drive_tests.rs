//! Searches in a world in memory: what is asked, kept and let go.

use crate::graphs::Graphs;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::super::machine::{LookupOptions, Sources};
use super::super::store;
use super::*;
use crate::forge::RepositoryId;
use crate::policy::Address;
use lore_seam::world::World;

const RECORD: &str = "https://raw.githubusercontent.com/octo/hello/HEAD/.well-known/code-graph.json";
const GRAPH: &str = "https://octo.github.io/g.json";
const REPOS: &str = "https://reg.example/.well-known/repos.json";

fn page(etag: &str, body: &str) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status: 200,
        etag: Some(etag.to_owned()).filter(|etag| !etag.is_empty()),
        body: body.as_bytes().to_vec(),
        ..WebReply::default()
    })
}

fn status(status: u16) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status,
        ..WebReply::default()
    })
}

fn record() -> String {
    format!(r#"{{"schema_version": 1, "graphs": [{{"format": "generic@1", "graph_url": "{GRAPH}"}}]}}"#)
}

const BODY: &str = r#"{"nodes": [{"id": "a"}], "edges": []}"#;

fn listed(status: &str) -> String {
    format!(
        r#"{{"schema_version": 1, "repos": [{{"id": "octo/hello", "format": "generic@1", "graph_url": "{GRAPH}", "status": "{status}"}}]}}"#
    )
}

fn world(replies: &[(&str, Result<WebReply, WebFault>)]) -> World {
    let replies: BTreeMap<String, Vec<_>> = replies
        .iter()
        .map(|(url, reply)| ((*url).to_owned(), vec![reply.clone()]))
        .collect();
    World {
        replies: Mutex::new(replies),
        now_ms: 1_794_816_000_000,
        facets: crate::graphs::in_memory(),
        ..World::default()
    }
}

fn get(world: &Arc<World>, aggregators: &[&str]) -> (Outcome, Vec<String>) {
    let ctx = world.ctx();
    let repository = RepositoryId::parse("octo/hello").unwrap();
    let sources = Sources {
        aggregators: aggregators.iter().map(|url| Address::parse(url).unwrap()).collect(),
        ..Sources::default()
    };
    let options = LookupOptions {
        body: true,
        ..LookupOptions::default()
    };
    let kept = store::read(ctx.port::<dyn Graphs>(), &repository).unwrap();
    let machine = Machine::new(repository.clone(), sources, options, kept, 1);
    let outcome = run(&ctx, machine, false).unwrap();
    let notes = store::settle(&ctx, &repository, &outcome).unwrap();
    (outcome, notes)
}

fn asked(world: &World) -> Vec<String> {
    std::mem::take(&mut *world.fetched.lock().unwrap())
}

fn kept(world: &Arc<World>) -> usize {
    world
        .facets
        .get::<crate::graphs::GraphsInMemory>()
        .0
        .lock()
        .unwrap()
        .0
        .len()
}

#[test]
fn c7_what_was_fetched_is_kept_by_its_digest_and_not_fetched_again() {
    let world = Arc::new(world(&[
        (RECORD, page("\"r\"", &record())),
        (GRAPH, page("\"g\"", BODY)),
    ]));
    let (first, _) = get(&world, &[]);
    assert!(first.taken.unwrap().body.is_some());
    assert_eq!(asked(&world), [format!("GET {RECORD}"), format!("GET {GRAPH}")]);
    let (second, _) = get(&world, &[]);
    let taken = second.taken.unwrap();
    assert_eq!(taken.body, None);
    assert_eq!(
        asked(&world),
        [format!("GET {RECORD} if \"r\""), format!("GET {GRAPH} if \"g\"")]
    );
    assert_eq!(taken.graph.digest, digest(BODY.as_bytes()));
    assert_eq!(taken.graph.fetched_at, "2026-11-16T08:00:00Z");
    assert_eq!(kept(&world), 1);
    // A body that went is fetched again, whatever its mark says.
    world
        .facets
        .get::<crate::graphs::GraphsInMemory>()
        .0
        .lock()
        .unwrap()
        .0
        .clear();
    let (third, _) = get(&world, &[]);
    assert!(third.taken.unwrap().body.is_some());
}

#[test]
fn c5_what_is_gone_is_let_go() {
    let world = Arc::new(world(&[(RECORD, page("", &record())), (GRAPH, page("", BODY))]));
    get(&world, &[]);
    assert_eq!(kept(&world), 1);
    world
        .replies
        .lock()
        .unwrap()
        .insert(GRAPH.to_owned(), vec![status(404)]);
    let (outcome, notes) = get(&world, &[]);
    assert_eq!(outcome.taken, None);
    assert_eq!(notes, ["deleted a cached graph, which was withdrawn"]);
    assert_eq!(kept(&world), 0);

    world
        .replies
        .lock()
        .unwrap()
        .insert(GRAPH.to_owned(), vec![page("", BODY)]);
    get(&world, &[]);
    assert_eq!(kept(&world), 1);
    world.replies.lock().unwrap().remove(RECORD);
    let (_, notes) = get(&world, &[]);
    assert_eq!(notes, ["deleted a cached graph, which was withdrawn"]);
    let graphs = world.facets.get::<crate::graphs::GraphsInMemory>().0.lock().unwrap();
    assert!(graphs.0.is_empty() && graphs.1.is_empty());
}

#[test]
fn c5_s11_what_was_taken_back_is_let_go() {
    let world = Arc::new(world(&[
        (RECORD, page("", &record())),
        (GRAPH, page("", BODY)),
        (REPOS, page("", &listed("revoked"))),
    ]));
    get(&world, &[]);
    assert_eq!(kept(&world), 1);
    let (outcome, notes) = get(&world, &["https://reg.example"]);
    assert_eq!(outcome.taken, None);
    assert_eq!(notes, ["deleted the cached graphs of octo/hello, which were revoked"]);
    assert!(
        world
            .facets
            .get::<crate::graphs::GraphsInMemory>()
            .0
            .lock()
            .unwrap()
            .1
            .keys()
            .all(|name| name.starts_with("list "))
    );
}

#[test]
fn c2_a_server_that_fails_for_a_while_costs_waits_and_nothing_that_is_kept() {
    let world = Arc::new(world(&[(RECORD, page("", &record())), (GRAPH, page("", BODY))]));
    get(&world, &[]);
    world
        .replies
        .lock()
        .unwrap()
        .insert(RECORD.to_owned(), vec![status(502)]);
    let (outcome, notes) = get(&world, &[]);
    assert!(outcome.is_incomplete && notes.is_empty());
    assert_eq!(world.waits.lock().unwrap().len(), 2);
    assert_eq!(kept(&world), 1);
}

#[test]
fn c4_a_list_is_asked_for_once_a_minute_and_a_copy_stands_in_for_it() {
    let mut first = world(&[(REPOS, page("\"1\"", &listed("ok"))), (GRAPH, page("", BODY))]);
    first.now_ms = 1_000_000;
    let mut world = Arc::new(first);
    let lists = |world: &World| {
        asked(world)
            .iter()
            .filter(|line| line.contains("reg.example"))
            .cloned()
            .collect::<Vec<_>>()
    };
    get(&world, &["https://reg.example"]);
    assert_eq!(lists(&world), [format!("GET {REPOS}")]);
    get(&world, &["https://reg.example"]);
    assert_eq!(lists(&world), Vec::<String>::new());
    Arc::get_mut(&mut world).unwrap().now_ms += 60_000;
    let (outcome, _) = get(&world, &["https://reg.example"]);
    assert_eq!(lists(&world), [format!("GET {REPOS} if \"1\"")]);
    assert!(outcome.taken.is_some());
    Arc::get_mut(&mut world).unwrap().now_ms += 90_000;
    world
        .replies
        .lock()
        .unwrap()
        .insert(REPOS.to_owned(), vec![status(500)]);
    let (outcome, _) = get(&world, &["https://reg.example"]);
    assert!(outcome.taken.is_some());
    assert_eq!(
        outcome.notes,
        ["reg.example does not answer; using a copy of its list, 90 s old"]
    );
}

#[test]
fn s5_no_request_carries_a_secret() {
    let mut own = world(&[(RECORD, page("", &record())), (GRAPH, page("", BODY))]);
    own.secrets
        .insert("raw.githubusercontent.com".to_owned(), "hush".to_owned());
    own.secrets.insert("octo.github.io".to_owned(), "hush".to_owned());
    let world = Arc::new(own);
    get(&world, &["https://reg.example"]);
    let asked = asked(&world);
    assert!(
        asked.len() > 3
            && asked
                .iter()
                .all(|line| !line.contains(':') || line.matches(' ').count() == 1),
        "{asked:?}"
    );
}

#[test]
fn two_repositories_may_share_a_body() {
    let world = Arc::new(world(&[(RECORD, page("", &record())), (GRAPH, page("", BODY))]));
    let (outcome, _) = get(&world, &[]);
    let taken = outcome.taken.unwrap();
    let other = RepositoryId::parse("acme/fork").unwrap();
    store::keep(
        world.facets.get::<dyn Graphs>(),
        &other,
        taken.graph,
        taken.body.as_deref().unwrap(),
    )
    .unwrap();
    assert!(store::evict(world.facets.get::<dyn Graphs>(), &outcome.repository).unwrap());
    assert_eq!(kept(&world), 1);
    assert!(store::evict(world.facets.get::<dyn Graphs>(), &other).unwrap());
    assert!(!store::evict(world.facets.get::<dyn Graphs>(), &other).unwrap());
    assert_eq!(kept(&world), 0);
}
