//! Runs over several repositories, in a world whose servers answer by a script.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::commands::{RegistryRevoke, RegistryRevokeRequest};
use crate::commands::{RegistrySync, RegistrySyncRequest};
use lore_ckgp::format::Commit;
use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::clones::Clones;
use lore_ckgp::registry_store::shelf::{BodyShelf, Shelf};
use lore_ckgp::registry_store::store::{About, Registry};
use lore_seam::world::World;
use lore_seam::{FetchRequest, Fetched, Ids, Operation, PortMap, RetryAfter, Web, WebFault, WebReply, WebRequest};

const NOW: Seconds = 1_790_000_000;

fn url(id: &str, path: &str) -> String {
    format!("https://raw.githubusercontent.com/{id}/HEAD/{path}")
}

fn record_url(id: &str) -> String {
    url(id, ".well-known/code-graph.json")
}

fn body(name: &str) -> Vec<u8> {
    format!(r#"{{"nodes": [{{"id": 1, "name": "{name}"}}], "edges": []}}"#).into_bytes()
}

fn page(body: impl Into<Vec<u8>>, etag: &str) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status: 200,
        etag: Some(etag.to_owned()),
        body: body.into(),
        ..WebReply::default()
    })
}

fn status(status: u16) -> Result<WebReply, WebFault> {
    Ok(WebReply {
        status,
        ..WebReply::default()
    })
}

/// Runs that are told apart.
#[derive(Default)]
struct Numbers(AtomicU64);

impl Ids for Numbers {
    fn fresh(&self) -> String {
        self.0.fetch_add(1, Ordering::Relaxed).to_string()
    }

    fn uuid(&self) -> [u8; 16] {
        [0; 16]
    }
}

/// A registry with repositories that were not visited yet.
fn registry_of(ids: &[&str]) -> (Arc<World>, Ctx) {
    registry_with(ids, Arc::new(BodyShelf::default()))
}

/// The same, with another place for bodies.
fn registry_with(ids: &[&str], bodies: Arc<dyn Bodies>) -> (Arc<World>, Ctx) {
    let world = World {
        facets: PortMap::default()
            .with::<dyn Registry>(Arc::new(Shelf::default()))
            .with::<dyn Bodies>(bodies),
        waits_pass: true,
        now_ms: 1_000 * u64::try_from(NOW).unwrap(),
        ..World::default()
    };
    let world = Arc::new(world);
    let mut ctx = world.ctx();
    ctx.ports = Arc::new(lore_seam::Ports {
        ids: Arc::new(Numbers::default()),
        ..(*ctx.ports).clone()
    });
    let rules = rules(&ctx).unwrap();
    writing(registry(&ctx), |store| {
        store.set_about(&About {
            name: "test".to_owned(),
            ..About::default()
        })?;
        for id in ids {
            let entry = Entry::new(RepositoryId::parse(id).unwrap(), None, NOW);
            store.put(&entry, &rules.first_host(&entry), Some(NOW))?;
        }
        Ok(())
    })
    .unwrap();
    (world, ctx)
}

/// A repository that publishes a graph.
fn publish(world: &World, id: &str, name: &str) {
    let record = format!(
        r#"{{"schema_version": 1, "graphs": [{{"format": "generic@1", "graph_url": "{}"}}]}}"#,
        url(id, "g.json")
    );
    let mut replies = world.replies.lock().unwrap();
    replies.insert(record_url(id), vec![page(record, "\"r\"")]);
    replies.insert(url(id, "g.json"), vec![page(body(name), &format!("\"{name}\""))]);
}

fn answer(world: &World, url: String, reply: Result<WebReply, WebFault>) {
    world.replies.lock().unwrap().insert(url, vec![reply]);
}

fn options() -> Options {
    Options {
        only: Vec::new(),
        all: false,
        workers: 3,
        counts: 0,
        clones: None,
        dry_run: false,
        sweep: false,
    }
}

fn statuses(ctx: &Ctx) -> String {
    let mut lines = Vec::new();
    reading(registry(ctx), |store| {
        lines.clear();
        store.each(&mut |entry| {
            lines.push(format!("{} {}", entry.repository, entry.status()));
            Ok(())
        })
    })
    .unwrap();
    lines.join(", ")
}

#[test]
fn sync8_no_entry_stops_the_run_and_every_failure_lands_in_its_status() {
    let (world, ctx) = registry_of(&["o/bad", "o/gone", "o/here", "o/private", "o/slow"]);
    for id in ["o/bad", "o/gone", "o/here", "o/private", "o/slow"] {
        publish(&world, id, "one");
    }
    answer(&world, url("o/bad", "g.json"), page("[]", "\"b\""));
    answer(&world, url("o/gone", "g.json"), status(404));
    answer(
        &world,
        url("o/private", "g.json"),
        Err(WebFault::NotPublic("10.0.0.1".to_owned())),
    );
    answer(
        &world,
        url("o/slow", "g.json"),
        Err(WebFault::TooLarge { is_declared: true }),
    );
    let summary = sync(&ctx, &options()).unwrap();
    assert_eq!(
        statuses(&ctx),
        "o/bad invalid, o/gone missing, o/here ok, o/private refused, o/slow oversize"
    );
    assert_eq!((summary.visited, summary.errors.len(), summary.changed), (5, 4, 5));
    assert_eq!(
        ctx.port::<dyn Bodies>().all().unwrap().len(),
        1,
        "only what is good is held"
    );
    // Nothing is due any more.
    let asked = world.fetched.lock().unwrap().len();
    assert_eq!(sync(&ctx, &options()).unwrap().visited, 0);
    assert_eq!(world.fetched.lock().unwrap().len(), asked);
}

#[test]
fn sync3_a_second_visit_asks_conditionally_and_changes_nothing() {
    let (world, ctx) = registry_of(&["o/a", "o/b"]);
    for id in ["o/a", "o/b"] {
        publish(&world, id, "one");
    }
    sync(&ctx, &options()).unwrap();
    let events = reading(registry(&ctx), |store| store.last_event()).unwrap();
    world.fetched.lock().unwrap().clear();
    let only = vec![RepositoryId::parse("o/a").unwrap()];
    let again = sync(&ctx, &Options { only, ..options() }).unwrap();
    assert_eq!((again.visited, again.changed, again.bytes), (1, 0, 0));
    let asked = world.fetched.lock().unwrap().clone();
    assert_eq!(
        asked,
        [
            format!("GET {} if \"r\"", record_url("o/a")),
            format!("GET {} if \"one\"", url("o/a", "g.json"))
        ]
    );
    assert_eq!(reading(registry(&ctx), |store| store.last_event()).unwrap(), events);
}

#[test]
fn reply429_delays_the_whole_host_for_this_run_and_the_next() {
    let ids: Vec<String> = (0..9).map(|number| format!("o/r{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let (world, ctx) = registry_of(&ids);
    for id in &ids {
        let storm = WebReply {
            status: 429,
            retry_after: Some(RetryAfter::Seconds(3_600)),
            ..WebReply::default()
        };
        answer(&world, record_url(id), Ok(storm));
    }
    let one = Options {
        workers: 1,
        ..options()
    };
    let summary = sync(&ctx, &one).unwrap();
    assert_eq!((summary.visited, summary.requests), (1, 1));
    assert_eq!(world.fetched.lock().unwrap().len(), 1, "the others were not asked for");
    assert!(
        statuses(&ctx).starts_with("o/r0 transient_error, o/r1 pending"),
        "{}",
        statuses(&ctx)
    );
    assert!(summary.delayed_hosts.contains_key("raw.githubusercontent.com"));
    // Another process knows it too.
    assert_eq!(sync(&ctx, &one).unwrap().visited, 0);
    assert_eq!(sync(&ctx, &Options { all: true, ..one }).unwrap().visited, 0);
    assert_eq!(world.fetched.lock().unwrap().len(), 1);
}

#[test]
fn renamed_the_new_name_is_registered_and_visited() {
    let (world, ctx) = registry_of(&["o/old"]);
    publish(&world, "o/new", "one");
    let moved = WebReply {
        status: 301,
        location: Some(record_url("o/new")),
        ..WebReply::default()
    };
    answer(&world, record_url("o/old"), Ok(moved));
    sync(&ctx, &options()).unwrap();
    assert_eq!(statuses(&ctx), "o/new ok, o/old renamed");
    let events = reading(registry(&ctx), |store| store.events(0, 9)).unwrap();
    let told: Vec<String> = events
        .iter()
        .map(|event| format!("{} {}", event.kind.word(), event.id))
        .collect();
    assert_eq!(told, ["renamed o/old", "added o/new", "changed o/new"]);
}

#[test]
fn s10_a_body_that_was_withdrawn_is_dropped_unless_another_holds_it() {
    let (world, ctx) = registry_of(&["o/a", "o/b"]);
    for id in ["o/a", "o/b"] {
        publish(&world, id, "same");
    }
    sync(&ctx, &options()).unwrap();
    assert_eq!(
        ctx.port::<dyn Bodies>().all().unwrap().len(),
        1,
        "the same bytes are held once"
    );
    let withdraw = |id: &str| {
        answer(&world, record_url(id), status(404));
        let only = vec![RepositoryId::parse(id).unwrap()];
        for _ in 0..2 {
            sync(
                &ctx,
                &Options {
                    only: only.clone(),
                    ..options()
                },
            )
            .unwrap();
        }
    };
    withdraw("o/a");
    assert_eq!(statuses(&ctx), "o/a revoked, o/b ok");
    assert_eq!(ctx.port::<dyn Bodies>().all().unwrap().len(), 1);
    withdraw("o/b");
    assert_eq!(ctx.port::<dyn Bodies>().all().unwrap().len(), 0);
    let found = reading(registry(&ctx), |store| store.search(&["same".to_owned()], 9)).unwrap();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn sync10_one_repository_a_rehearsal_and_a_summary() {
    let (world, ctx) = registry_of(&["o/a", "o/b"]);
    for id in ["o/a", "o/b"] {
        publish(&world, id, "one");
    }
    let rehearsal = sync(
        &ctx,
        &Options {
            dry_run: true,
            ..options()
        },
    )
    .unwrap();
    assert_eq!((rehearsal.visited, rehearsal.by_status.get("ok")), (2, Some(&2)));
    assert_eq!(statuses(&ctx), "o/a pending, o/b pending", "nothing was written");
    assert_eq!(ctx.port::<dyn Bodies>().all().unwrap().len(), 0);
    let only = vec![RepositoryId::parse("O/B").unwrap()];
    sync(&ctx, &Options { only, ..options() }).unwrap();
    assert_eq!(statuses(&ctx), "o/a pending, o/b ok");
    let all = sync(&ctx, &Options { all: true, ..options() }).unwrap();
    assert_eq!(all.visited, 2, "{all:?}");
    assert_eq!(statuses(&ctx), "o/a ok, o/b ok");
}

#[test]
fn sync10_everything_is_visited_also_what_was_visited_in_the_same_second() {
    let (world, ctx) = registry_of(&["o/a", "o/b"]);
    world.pass(Duration::from_millis(300));
    let all = Options { all: true, ..options() };
    for round in 0..3 {
        assert_eq!(sync(&ctx, &all).unwrap().visited, 2, "round {round}");
    }
    let waits = world.waits.lock().unwrap().clone();
    let waits: Vec<u128> = waits.iter().map(Duration::as_millis).collect();
    assert_eq!(waits, [700, 1_000], "only where something was visited in that second");
}

#[test]
fn sync8_who_is_asked_to_stop_gives_back_what_was_not_visited() {
    let (_world, ctx) = registry_of(&["o/a", "o/b", "o/c"]);
    ctx.cancel.cancel();
    let summary = sync(&ctx, &options()).unwrap();
    assert!(summary.stopped && summary.visited == 0);
    let due = reading(registry(&ctx), |store| store.next_due()).unwrap();
    assert_eq!(due, Some(NOW), "they are due as they were, and nobody holds them");
}

/// What somebody does with the bodies when one was put.
type Act = Box<dyn FnOnce(&BodyShelf, &str) + Send>;

/// Bodies with somebody who does something when one was put, before its visit is at its end.
#[derive(Default)]
struct Watched {
    kept: BodyShelf,
    /// How many more there is room for, if there is an end of it.
    room: Mutex<Option<usize>>,
    when_put: Mutex<VecDeque<Act>>,
}

impl Watched {
    fn then(&self, act: impl FnOnce(&BodyShelf, &str) + Send + 'static) {
        lock(&self.when_put).push_back(Box::new(act));
    }
}

impl Bodies for Watched {
    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError> {
        self.kept.get(digest)
    }

    fn has(&self, digest: &str) -> bool {
        self.kept.has(digest)
    }

    fn put(&self, digest: &str, body: &[u8]) -> Result<u64, OpError> {
        if let Some(room) = lock(&self.room).as_mut() {
            let message = "the body cannot be kept: there is no room";
            let full = || OpError::new(lore_seam::ErrorKind::Unavailable, message).hint("look at the disk");
            *room = room.checked_sub(1).ok_or_else(full)?;
        }
        let bytes = self.kept.put(digest, body)?;
        let act = lock(&self.when_put).pop_front();
        if let Some(act) = act {
            act(&self.kept, digest);
        }
        Ok(bytes)
    }

    fn discard(&self, digest: &str) -> Result<bool, OpError> {
        self.kept.discard(digest)
    }

    fn discard_old(&self, digest: &str, age: Duration) -> Result<bool, OpError> {
        self.kept.discard_old(digest, age)
    }

    fn all(&self) -> Result<Vec<(String, u64)>, OpError> {
        self.kept.all()
    }

    fn old(&self, age: Duration) -> Result<Vec<String>, OpError> {
        self.kept.old(age)
    }
}

/// Bodies that entries refer to and that are not there.
fn lost(ctx: &Ctx) -> Vec<String> {
    let mut lost = Vec::new();
    reading(registry(ctx), |store| {
        lost.clear();
        store.each(&mut |entry| {
            lost.extend(
                entry
                    .held()
                    .filter(|digest| !ctx.port::<dyn Bodies>().has(digest))
                    .map(str::to_owned),
            );
            Ok(())
        })
    })
    .unwrap();
    lost
}

#[test]
fn s10_a_body_that_was_taken_back_while_another_visit_found_it_is_fetched_again_in_the_same_run() {
    let bodies = Arc::new(Watched::default());
    let (world, ctx) = registry_with(&["o/a", "o/b"], Arc::clone(&bodies) as Arc<dyn Bodies>);
    for id in ["o/a", "o/b"] {
        publish(&world, id, "same");
    }
    let only = |id: &str| Options {
        only: vec![RepositoryId::parse(id).unwrap()],
        ..options()
    };
    sync(&ctx, &only("o/a")).unwrap();
    let revoking = ctx.clone();
    bodies.then(move |_, _| {
        let id = "o/a".to_owned();
        let request = RegistryRevokeRequest { id, reason: None };
        assert_eq!(RegistryRevoke::run(&revoking, request).unwrap().value.dropped_bodies, 1);
    });
    let summary = sync(&ctx, &options()).unwrap();
    assert_eq!((summary.visited, statuses(&ctx).as_str()), (2, "o/a revoked, o/b ok"));
    assert_eq!(lost(&ctx), [""; 0]);
}

#[test]
fn s10_what_was_taken_back_on_its_own_visit_leaves_no_body() {
    let bodies = Arc::new(Watched::default());
    let (world, ctx) = registry_with(&["o/a"], Arc::clone(&bodies) as Arc<dyn Bodies>);
    publish(&world, "o/a", "one");
    let revoking = ctx.clone();
    bodies.then(move |_, _| {
        let id = "o/a".to_owned();
        RegistryRevoke::run(&revoking, RegistryRevokeRequest { id, reason: None }).unwrap();
    });
    let summary = sync(&ctx, &options()).unwrap();
    assert_eq!(
        (summary.visited, summary.lost, statuses(&ctx).as_str()),
        (0, 1, "o/a revoked")
    );
    assert_eq!(bodies.all().unwrap(), []);
}

#[test]
fn s10_a_body_that_is_gone_at_the_end_of_its_visit_is_fetched_once_more_whatever_was_asked_for() {
    let named = vec![RepositoryId::parse("o/a").unwrap()];
    let asked = [
        options(),
        Options { all: true, ..options() },
        Options {
            only: named,
            ..options()
        },
    ];
    for options in asked {
        let bodies = Arc::new(Watched::default());
        let (world, ctx) = registry_with(&["o/a"], Arc::clone(&bodies) as Arc<dyn Bodies>);
        publish(&world, "o/a", "one");
        bodies.then(|kept, digest| assert!(kept.discard(digest).unwrap()));
        assert_eq!(sync(&ctx, &options).unwrap().visited, 2, "{options:?}");
        assert_eq!(lost(&ctx), [""; 0]);
        // Where nothing stays, nobody tries for ever.
        let bodies = Arc::new(Watched::default());
        let (world, ctx) = registry_with(&["o/a"], Arc::clone(&bodies) as Arc<dyn Bodies>);
        publish(&world, "o/a", "one");
        for _ in 0..9 {
            bodies.then(|kept, digest| assert!(kept.discard(digest).unwrap()));
        }
        assert_eq!(sync(&ctx, &options).unwrap().visited, 2, "{options:?}");
    }
}

#[test]
fn s10_a_body_that_nobody_holds_goes_when_it_is_old_once_a_day_and_on_request() {
    let bodies = Arc::new(BodyShelf::default());
    let (world, ctx) = registry_with(&["o/a", "o/b"], Arc::clone(&bodies) as Arc<dyn Bodies>);
    let count = || bodies.all().unwrap().len();
    let swept = |options: &Options| sync(&ctx, options).unwrap().swept;
    let asked = Options {
        sweep: true,
        ..options()
    };
    for id in ["o/a", "o/b"] {
        publish(&world, id, "one");
    }
    // What a process left that was killed, and what a visit replaces.
    bodies.put(&"a".repeat(64), b"left").unwrap();
    assert_eq!((swept(&options()), count()), (None, 2));
    for id in ["o/a", "o/b"] {
        publish(&world, id, "two");
    }
    let both = ["o/a", "o/b"].map(|id| RepositoryId::parse(id).unwrap());
    let both = Options {
        only: both.to_vec(),
        ..asked.clone()
    };
    assert_eq!((swept(&both), count()), (Some(0), 3));
    bodies.pass(Duration::from_secs(3_500));
    // Whoever puts a body that is there may need it.
    bodies.put(&"a".repeat(64), b"left").unwrap();
    bodies.pass(Duration::from_secs(100));
    assert_eq!((swept(&options()), count()), (None, 3), "it was done within a day");
    assert_eq!((swept(&asked), count()), (Some(1), 2));
    bodies.pass(Duration::from_secs(3_600));
    writing(registry(&ctx), |store| store.set_swept(NOW - 86_400)).unwrap();
    assert_eq!((swept(&options()), count()), (Some(1), 1));
    assert_eq!((swept(&asked), count(), lost(&ctx).len()), (Some(0), 1, 0));
}

#[test]
fn s10_very_many_bodies_are_looked_at_and_those_that_are_held_stay() {
    let bodies = Arc::new(BodyShelf::default());
    let (world, ctx) = registry_with(&["o/a"], Arc::clone(&bodies) as Arc<dyn Bodies>);
    publish(&world, "o/a", "one");
    sync(&ctx, &options()).unwrap();
    for number in 0..1_000 {
        bodies.put(&format!("{number:064x}"), b"left").unwrap();
    }
    bodies.pass(sweep::LEFT);
    assert_eq!(sweep::sweep(&ctx, NOW), Ok(1_000));
    assert_eq!((bodies.all().unwrap().len(), lost(&ctx).len()), (1, 0));
}

/// Repositories of two forges, of which the first does not answer.
fn with_a_silent_forge() -> (Arc<World>, Ctx) {
    let ids: Vec<String> = (0..20).map(|number| format!("o/r{number:02}")).collect();
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for id in ["codeberg.org/o/a", "codeberg.org/o/b"] {
        ids.push(id);
    }
    let (world, ctx) = registry_of(&ids);
    for id in &ids[..20] {
        answer(&world, record_url(id), Err(WebFault::Connect("refused".into())));
    }
    (world, ctx)
}

/// How many repositories of the first forge were asked for, and how often.
fn asked_of_github(world: &World) -> (usize, usize) {
    let fetched = world.fetched.lock().unwrap();
    let asked: Vec<&String> = fetched.iter().filter(|url| url.contains("githubusercontent")).collect();
    let once: BTreeSet<&&String> = asked.iter().collect();
    (once.len(), asked.len())
}

#[test]
fn sync9_a_host_that_does_not_answer_is_left_alone_after_three_visits() {
    let (world, ctx) = with_a_silent_forge();
    let one = Options {
        workers: 1,
        ..options()
    };
    let summary = sync(&ctx, &one).unwrap();
    assert_eq!(asked_of_github(&world), (3, 9), "each of them was tried three times");
    assert_eq!(summary.visited, 5, "the other forge was visited: {summary:?}");
    assert_eq!(summary.by_status.get("transient_error"), Some(&3));
    let mut page = lore_seam::Page::default();
    lore_seam::Render::render(&summary, &mut page);
    let text = page.into_text();
    let told = "raw.githubusercontent.com does not answer, and is not contacted until 2026-09-21T";
    assert!(text.contains(told), "{text}");
    // Those that were not visited are as they were, and the next run knows it too.
    assert!(statuses(&ctx).contains("o/r03 pending"), "{}", statuses(&ctx));
    let again = sync(
        &ctx,
        &Options {
            all: true,
            ..one.clone()
        },
    )
    .unwrap();
    assert_eq!(asked_of_github(&world), (3, 9), "{again:?}");
    // When it is over, one is let through; it is not answered.
    world.pass(Duration::from_secs(70));
    let many = Options {
        workers: 8,
        ..options()
    };
    let third = sync(&ctx, &many).unwrap();
    assert_eq!(asked_of_github(&world).1, 12, "{third:?}");
    assert!(third.silent_hosts.contains("raw.githubusercontent.com"));
    assert!(!statuses(&ctx).contains("o/r03 transient_error") || !statuses(&ctx).contains("o/r04 transient_error"));
    // It answers again, and all are visited that are due.
    for number in 0..20 {
        publish(&world, &format!("o/r{number:02}"), "one");
    }
    world.pass(Duration::from_secs(2 * 3_600));
    let last = sync(&ctx, &many).unwrap();
    assert_eq!(last.by_status.get("ok"), Some(&20), "{last:?}");
    assert!(last.delayed_hosts.is_empty() && last.silent_hosts.is_empty());
}

#[test]
fn sync9_in_one_service_the_delay_doubles_until_the_host_answers() {
    let (world, ctx) = with_a_silent_forge();
    let hosts = Mutex::default();
    let one = Options {
        workers: 1,
        ..options()
    };
    let mut delays = Vec::new();
    for _ in 0..7 {
        sync_again(&ctx, &one, &hosts).unwrap();
        let delay = lock(&hosts).delay("raw.githubusercontent.com", ctx.ports.clock.now_ms());
        delays.push(delay.as_secs());
        world.pass(delay);
    }
    assert_eq!(delays, [60, 120, 240, 480, 960, 1_800, 1_800]);
}

#[test]
fn sync9_the_host_of_a_body_does_not_shut_the_forge() {
    let ids: Vec<String> = (0..9).map(|number| format!("o/r{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let (world, ctx) = registry_of(&ids);
    for id in &ids {
        let body = "https://o.github.io/g.json".to_owned();
        let record =
            format!(r#"{{"schema_version": 1, "graphs": [{{"format": "generic@1", "graph_url": "{body}"}}]}}"#);
        answer(&world, record_url(id), page(record, "\"r\""));
        answer(&world, body, Err(WebFault::Dns));
    }
    let summary = sync(&ctx, &options()).unwrap();
    assert_eq!(summary.visited, 9, "{summary:?}");
    assert!(summary.delayed_hosts.is_empty(), "{summary:?}");
    let asked = world.fetched.lock().unwrap().join("\n");
    assert!(asked.contains("https://o.github.io/g.json"), "{asked}");
}

#[test]
fn sync9_a_reply_of_any_kind_between_silent_visits_keeps_the_host() {
    let ids: Vec<String> = (0..9).map(|number| format!("o/r{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let (world, ctx) = registry_of(&ids);
    for (number, id) in ids.iter().enumerate() {
        let reply = match number % 3 {
            2 => status(500),
            _ => Err(WebFault::Dns),
        };
        answer(&world, record_url(id), reply);
    }
    let one = Options {
        workers: 1,
        ..options()
    };
    let summary = sync(&ctx, &one).unwrap();
    assert_eq!((summary.visited, summary.delayed_hosts.len()), (9, 0), "{summary:?}");
}

/// A web in which some addresses bring down whoever asks.
struct Treacherous(Arc<World>);

impl Web for Treacherous {
    fn fetch(&self, request: &FetchRequest<'_>) -> Result<Fetched, OpError> {
        self.0.fetch(request)
    }

    fn exchange(&self, request: &WebRequest<'_>) -> Result<WebReply, WebFault> {
        assert!(!request.url.contains("/bad"), "a fault that nobody thought of");
        self.0.exchange(request)
    }
}

#[test]
fn sync8_a_fault_of_ours_is_a_failure_of_one_visit_and_the_run_goes_on() {
    let ids: Vec<String> = (0..9).map(|number| format!("o/bad{number}")).collect();
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    ids.extend(["o/a", "o/b"]);
    let (world, mut ctx) = registry_of(&ids);
    for id in &ids {
        publish(&world, id, "one");
    }
    let hosts = Mutex::default();
    sync_again(&ctx, &options(), &hosts).unwrap();
    let good = ctx.clone();
    ctx.ports = Arc::new(lore_seam::Ports {
        web: Arc::new(Treacherous(Arc::clone(&world))),
        ..(*good.ports).clone()
    });
    for workers in [1, 8] {
        let only = ids.iter().map(|id| RepositoryId::parse(id).unwrap()).collect();
        let all = Options {
            only,
            workers,
            ..options()
        };
        let summary = sync_again(&ctx, &all, &hosts).unwrap();
        let by_status: Vec<_> = summary
            .by_status
            .iter()
            .map(|(status, count)| (status.as_str(), *count))
            .collect();
        assert_eq!(by_status, [("ok", 2), ("transient_error", 9)]);
        assert_eq!(
            summary.errors[0].error,
            "internal_error: the visit ended unexpectedly, a bug of Lore"
        );
        assert!(
            (0..4).all(|_| lock(&hosts).enter("raw.githubusercontent.com")),
            "no place is lost"
        );
        (0..4).for_each(|_| lock(&hosts).leave("raw.githubusercontent.com"));
        let rehearsal = Options { dry_run: true, ..all };
        assert_eq!(
            sync_again(&ctx, &rehearsal, &hosts).unwrap().by_status,
            summary.by_status
        );
    }
    // What was known is not lost.
    let only = vec![RepositoryId::parse("o/bad0").unwrap()];
    let summary = sync(&good, &Options { only, ..options() }).unwrap();
    assert_eq!((summary.by_status.get("ok"), summary.bytes), (Some(&1), 0));
}

#[test]
fn sync8_where_no_body_can_be_kept_the_run_ends_and_nothing_is_lost() {
    let ids: Vec<String> = (0..30).map(|number| format!("o/r{number:02}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    for (workers, all) in [(1, false), (8, false), (8, true)] {
        let bodies = Arc::new(Watched::default());
        *lock(&bodies.room) = Some(2);
        let (world, ctx) = registry_with(&ids, Arc::clone(&bodies) as Arc<dyn Bodies>);
        for id in &ids {
            publish(&world, id, id);
        }
        let options = Options {
            workers,
            all,
            ..options()
        };
        let error = sync(&ctx, &options).unwrap_err();
        assert_eq!(error.message, "the body cannot be kept: there is no room");
        let told =
            "2 visits are written; the other repositories stay due: run the command again when the problem is fixed";
        assert_eq!(error.hints, ["look at the disk", told]);
        assert_eq!(statuses(&ctx).matches(" ok").count(), 2, "what was visited is written");
        // Nobody holds the others, and no round is on.
        world.pass(Duration::from_secs(1));
        let now = seconds(ctx.ports.clock.now_ms());
        let claim = Claim {
            worker: "another",
            now,
            until: now,
            most: 99,
            wanted: Wanted::Due,
            without: &[],
        };
        let (free, since) = writing(registry(&ctx), |store| {
            Ok((store.claim(&claim)?, store.join_round("another", now, now - 1)?))
        })
        .unwrap();
        assert_eq!((free.len(), since), (28, now));
        assert!(free.iter().all(|leased| leased.leases == 1 && leased.due == NOW));
        *lock(&bodies.room) = None;
        assert_eq!(
            sync(&ctx, &options).unwrap().by_status.get("ok"),
            Some(&if all { 30 } else { 28 })
        );
    }
}

/// A directory of clones in which there are always seven commits between, except for one repository.
struct Seven;

impl Clones for Seven {
    fn check(&self, directory: &str) -> Result<(), OpError> {
        match directory {
            "/srv/clones" => Ok(()),
            _ => Err(OpError::new(lore_seam::ErrorKind::Unavailable, "no such directory")),
        }
    }

    fn commits_between(&self, directory: &str, repository: &RepositoryId, base: &Commit, tip: &Commit) -> Option<u64> {
        assert_eq!((directory, base != tip), ("/srv/clones", true));
        (repository.repo() != "unknown").then_some(7)
    }
}

#[test]
fn r4_commits_are_counted_in_the_directory_of_clones_before_the_forge_is_asked() {
    let (world, mut ctx) = registry_of(&["o/known", "o/unknown"]);
    ctx.ports = Arc::new(lore_seam::Ports {
        facets: ctx.ports.facets.clone().with::<dyn Clones>(Arc::new(Seven)),
        ..(*ctx.ports).clone()
    });
    for id in ["o/known", "o/unknown"] {
        publish(&world, id, "one");
        let body = format!(
            r#"{{"nodes": [], "edges": [], "metadata": {{"commit": "{}"}}}}"#,
            "a".repeat(40)
        );
        answer(&world, url(id, "g.json"), page(body, "\"g\""));
        let tip = format!("0032{} HEAD\n0000", "b".repeat(40));
        answer(
            &world,
            format!("https://github.com/{id}.git/git-upload-pack"),
            page(tip, "\"t\""),
        );
        let compared = format!(
            "https://api.github.com/repos/{id}/compare/{}...{}?per_page=1&page=2",
            "a".repeat(40),
            "b".repeat(40)
        );
        answer(&world, compared, page(r#"{"ahead_by": 9}"#, "\"c\""));
    }
    let options = Options {
        clones: Some("/srv/clones".to_owned()),
        counts: 9,
        ..options()
    };
    sync(&ctx, &options).unwrap();
    let behind = |id: &str| {
        let entry = reading(registry(&ctx), |store| store.entry(&RepositoryId::parse(id).unwrap())).unwrap();
        entry.unwrap().primary().commits_behind
    };
    assert_eq!((behind("o/known"), behind("o/unknown")), (Some(7), Some(9)));
    let asked = world.fetched.lock().unwrap().join("\n");
    assert!(
        asked.contains("repos/o/unknown/compare") && !asked.contains("repos/o/known/compare"),
        "{asked}"
    );
    // A directory that is not there is told before anybody is asked.
    let request = RegistrySyncRequest {
        clones: Some("/srv/none".to_owned()),
        ..RegistrySyncRequest::default()
    };
    let error = RegistrySync::run(&ctx, request).map(|answer| answer.value).unwrap_err();
    assert_eq!(error.message, "no such directory");
}
