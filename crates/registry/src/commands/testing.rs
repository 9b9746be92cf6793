//! A world with a registry in memory, for tests of its commands.

use lore_ckgp::registry_store::store::Registry;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{RegistryAdd, RegistryInit};
use lore_ckgp::consumer::cached::digest;
use lore_ckgp::forge::RepositoryId;
use lore_ckgp::format::FormatId;
use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::entry::{Entry, Graph, Stats};
use lore_ckgp::registry_store::shelf::{BodyShelf, Shelf};
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Event, SearchText, reading, writing};
use lore_seam::world::World;
use lore_seam::{OpError, Operation, Page, PortMap, Render, Value};

/// Noon on 2026-11-16.
pub(super) const NOW: i64 = 1_794_830_400;

/// A world in which files are so, and no registry was made yet.
pub(super) fn bare(files: &[(&str, &str)]) -> World {
    World {
        facets: PortMap::default()
            .with::<dyn Registry>(Arc::new(Shelf::default()))
            .with::<dyn Bodies>(Arc::new(BodyShelf::default())),
        now_ms: NOW as u64 * 1_000,
        ..World::with_files(files.iter().map(|(path, text)| (*path, *text)))
    }
}

/// The same with a registry.
pub(super) fn made(world: World) -> Arc<World> {
    let world = Arc::new(world);
    asked::<RegistryInit, _>(&world, json!({"name": "Graphs", "url": "https://graphs.example/r"}));
    world
}

/// The same a while later.
pub(super) fn later(world: &Arc<World>, seconds: i64) -> Arc<World> {
    Arc::new(World {
        facets: world.facets.clone(),
        now_ms: (NOW + seconds) as u64 * 1_000,
        ..World::with_files(world.files.clone())
    })
}

/// What is answered, for people, with the verdict before it.
pub(super) fn asked<O, T>(world: &Arc<World>, arguments: Json) -> String
where
    O: Operation<Answer = Value<T>>,
    T: Render,
{
    match run::<O, T>(world, arguments) {
        Ok(answer) => {
            let mut page = Page::default();
            answer.value.render(&mut page);
            format!("{:?}\n{}", answer.verdict, page.into_text())
        }
        Err(error) => {
            let hints: String = error.hints.iter().map(|hint| format!("\n  {hint}")).collect();
            format!("! {:?}: {error}{hints}", error.kind)
        }
    }
}

pub(super) fn run<O, T>(world: &Arc<World>, arguments: Json) -> Result<Value<T>, OpError>
where
    O: Operation<Answer = Value<T>>,
{
    let request = serde_json::from_value(arguments).expect("arguments fit");
    O::run(&world.ctx(), request)
}

/// Registers repositories.
pub(super) fn add(world: &Arc<World>, ids: &[&str]) -> String {
    asked::<RegistryAdd, _>(world, json!({ "ids": ids }))
}

/// What is known of a repository.
pub(super) fn entry(world: &Arc<World>, id: &str) -> Option<Entry> {
    let repository = RepositoryId::parse(id).expect("an id");
    reading(world.ctx().port::<dyn Registry>(), |store| store.entry(&repository)).expect("read")
}

/// A graph that was visited and is good, with a body that is held.
pub(super) fn visited(world: &Arc<World>, id: &str, format: &str, body: &str) -> String {
    let ctx = world.ctx();
    let digest = digest(body.as_bytes());
    ctx.port::<dyn Bodies>().put(&digest, body.as_bytes()).expect("kept");
    let repository = RepositoryId::parse(id).expect("an id");
    let format = FormatId::parse(format).expect("a format");
    let graph = Graph {
        format: Some(format.clone()),
        graph_url: Some(format!(
            "https://raw.githubusercontent.com/{repository}/HEAD/{format}.json"
        )),
        status: Status::Ok,
        last_sha: Some(digest.clone()),
        size_bytes: Some(body.len() as u64),
        last_synced: Some(NOW),
        stats: Some(Stats {
            nodes: 3,
            edges: 2,
            ..Stats::default()
        }),
        ..Graph::default()
    };
    writing(ctx.port::<dyn Registry>(), |store| {
        let mut entry = store
            .entry(&repository)?
            .unwrap_or_else(|| Entry::new(repository.clone(), None, NOW));
        entry
            .graphs
            .retain(|known| known.format.is_some() && known.format.as_ref() != Some(&format));
        entry.graphs.push(graph.clone());
        entry.visited_at = Some(NOW);
        store.put(&entry, "raw.githubusercontent.com", Some(NOW + 3_600))?;
        let text = SearchText {
            name: entry.repository.key().replace('/', " "),
            symbols: Some("session create app".to_owned()),
            ..SearchText::default()
        };
        store.set_text(&repository, &format, Some(&text))?;
        store.set_terms(&repository, &["session".to_owned()].into())
    })
    .expect("written");
    digest
}

/// All events, in words.
pub(super) fn events(world: &Arc<World>) -> Vec<String> {
    let events = reading(world.ctx().port::<dyn Registry>(), |store| store.events(0, 1_000)).expect("read");
    let told = |event: &Event| format!("{} {}", event.kind.word(), event.id);
    events.iter().map(told).collect()
}

/// The audit, the oldest row first.
pub(super) fn audited(world: &Arc<World>) -> Vec<String> {
    let rows = reading(world.ctx().port::<dyn Registry>(), |store| store.audit(1_000)).expect("read");
    let told = rows.iter().rev().map(|row| match &row.detail {
        Some(detail) => format!("{} {}: {detail}", row.action, row.subject),
        None => format!("{} {}", row.action, row.subject),
    });
    told.collect()
}

/// Whether a body is held.
pub(super) fn has_body(world: &Arc<World>, digest: &str) -> bool {
    world.facets.get::<dyn Bodies>().has(digest)
}
