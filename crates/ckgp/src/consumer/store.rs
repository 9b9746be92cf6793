//! The cache of graphs behind its port: bodies by digest, and facts by repository (clauses C5, C7).

use crate::graphs::Graphs;
use lore_base::time::date_time;
use serde_json::from_str;

use super::cached::{CachedGraph, CachedRepository, Via};
use super::outcome::{Outcome, RecordState};
use crate::forge::RepositoryId;
use crate::formats;
use lore_seam::{Ctx, ErrorKind, OpError};

/// What names of repositories begin with.
const REPOSITORY: &str = "repository ";

/// What is kept of a repository; only graphs whose bodies are there.
pub fn read(graphs: &dyn Graphs, repository: &RepositoryId) -> Result<Option<CachedRepository>, OpError> {
    let known = graphs.known(&name(repository))?;
    Ok(known.and_then(|text| parsed(graphs, &text)))
}

/// What is kept of all repositories, by id.
pub fn all(graphs: &dyn Graphs) -> Result<Vec<CachedRepository>, OpError> {
    let known = graphs.all_known()?;
    let own = known.iter().filter(|(name, _)| name.starts_with(REPOSITORY));
    Ok(own.filter_map(|(_, text)| parsed(graphs, text)).collect())
}

/// The graph of a repository that can be asked like code, if one is kept.
pub fn kept_body(graphs: &dyn Graphs, repository: &RepositoryId) -> Result<CachedGraph, OpError> {
    let kept = read(graphs, repository)?.unwrap_or_default();
    let openable = |graph: &&CachedGraph| OPENABLE.contains(&graph.format.as_str());
    if let Some(graph) = kept.graphs.iter().find(openable) {
        return Ok(graph.clone());
    }
    let formats: Vec<&str> = kept.graphs.iter().map(|graph| graph.format.as_str()).collect();
    Err(match formats.as_slice() {
        [] => OpError::new(ErrorKind::NotFound, format!("no cached graph of {repository}"))
            .hint(format!("fetch it with `lore graph get {repository}`")),
        formats => OpError::new(
            ErrorKind::NotFound,
            format!(
                "the cached graph of {repository} is {}, which cannot be queried like code",
                formats.join(" and ")
            ),
        )
        .hint(format!(
            "fetch another format with `lore graph get {repository} --format ccg@1`"
        )),
    })
}

/// Formats that can be asked like code, the best one first.
const OPENABLE: &[&str] = &["ccg@1", CCG_BUNDLE];

/// What a bundle of the Code Context Graph is kept as. It is no body of this protocol, and is judged by whoever opens it.
pub const CCG_BUNDLE: &str = "ccg-bundle@1";

/// The graph of a repository that is chosen first among those that are kept.
pub fn best<'k>(kept: &'k CachedRepository, preferred: &[String]) -> Option<&'k CachedGraph> {
    let known = kept
        .graphs
        .iter()
        .filter_map(|graph| Some((formats::preference(&graph.format()?, preferred), graph)));
    known.min_by(|one, other| one.0.cmp(&other.0)).map(|(_, graph)| graph)
}

/// The time now, as it is written.
pub fn now(ctx: &Ctx) -> String {
    date_time(i64::try_from(ctx.ports.clock.now_ms() / 1_000).unwrap_or(i64::MAX))
}

/// Keeps what a search found, and lets go of what was withdrawn. What is to be said of it.
pub fn settle(ctx: &Ctx, asked: &RepositoryId, outcome: &Outcome) -> Result<Vec<String>, OpError> {
    let graphs = ctx.port::<dyn Graphs>();
    let mut notes = Vec::new();
    if outcome.repository != *asked {
        evict(graphs, asked)?;
    }
    if outcome.revoked_by.is_some() {
        if evict(graphs, &outcome.repository)? {
            notes.push(format!(
                "deleted the cached graphs of {}, which were revoked",
                outcome.repository
            ));
        }
        return Ok(notes);
    }
    let before = read(graphs, &outcome.repository)?;
    let mut kept = before
        .clone()
        .unwrap_or_else(|| CachedRepository::of(&outcome.repository));
    match &outcome.record {
        // The producer withdrew: what came by its record goes.
        RecordState::Absent => {
            kept.record = None;
            kept.graphs.retain(|graph| graph.via != Via::Record);
        }
        RecordState::Found { record, .. } => {
            kept.record.clone_from(&outcome.record_text);
            let is_named = |graph: &CachedGraph| {
                let mut named = record
                    .graphs
                    .iter()
                    .map(|named| (named.format.to_string(), &named.graph_url));
                named.any(|(format, url)| format == graph.format && *url == graph.url)
            };
            kept.graphs.retain(|graph| graph.via != Via::Record || is_named(graph));
        }
        _ => {}
    }
    let is_revoked = |graph: &CachedGraph| {
        graph
            .format()
            .is_some_and(|format| outcome.revoked_formats.contains(&format))
    };
    kept.graphs
        .retain(|graph| !outcome.withdrawn.contains(&graph.url) && !is_revoked(graph));
    let left = before.iter().flat_map(|before| &before.graphs).count() - kept.graphs.len();
    if left > 0 {
        notes.push(match left {
            1 => "deleted a cached graph, which was withdrawn".to_owned(),
            left => format!("deleted {left} cached graphs, which were withdrawn"),
        });
    }
    if let Some(taken) = &outcome.taken {
        let mut graph = taken.graph.clone();
        graph.checked_at = now(ctx);
        if let Some(body) = &taken.body {
            graphs.keep_body(&graph.digest, body)?;
            graph.fetched_at.clone_from(&graph.checked_at);
        }
        kept.put(graph);
    }
    write(graphs, &outcome.repository, &kept)?;
    drop_unused(graphs, before.iter().flat_map(|before| &before.graphs))?;
    Ok(notes)
}

/// Keeps a graph that was fetched from an address that was named.
pub fn keep(graphs: &dyn Graphs, repository: &RepositoryId, graph: CachedGraph, body: &[u8]) -> Result<(), OpError> {
    graphs.keep_body(&graph.digest, body)?;
    let before = read(graphs, repository)?;
    let mut kept = before.clone().unwrap_or_else(|| CachedRepository::of(repository));
    kept.put(graph);
    write(graphs, repository, &kept)?;
    drop_unused(graphs, before.iter().flat_map(|before| &before.graphs))
}

/// Lets go of all that is kept of a repository; whether there was anything.
pub fn evict(graphs: &dyn Graphs, repository: &RepositoryId) -> Result<bool, OpError> {
    let before = read(graphs, repository)?;
    let was_known = graphs.forget(&name(repository))?;
    drop_unused(graphs, before.iter().flat_map(|before| &before.graphs))?;
    Ok(was_known)
}

fn name(repository: &RepositoryId) -> String {
    format!("{REPOSITORY}{}", repository.key())
}

fn parsed(graphs: &dyn Graphs, text: &str) -> Option<CachedRepository> {
    let mut kept: CachedRepository = from_str(text).ok()?;
    kept.graphs.retain(|graph| graphs.has_body(&graph.digest));
    Some(kept)
}

fn write(graphs: &dyn Graphs, repository: &RepositoryId, kept: &CachedRepository) -> Result<(), OpError> {
    if kept.record.is_none() && kept.graphs.is_empty() {
        return graphs.forget(&name(repository)).map(|_| ());
    }
    let text = serde_json::to_string(kept).expect("because texts and numbers can always be written");
    graphs.learn(&name(repository), &text)
}

/// Deletes those bodies that no repository refers to any more.
fn drop_unused<'g>(graphs: &dyn Graphs, gone: impl Iterator<Item = &'g CachedGraph>) -> Result<(), OpError> {
    let mut candidates: Vec<&str> = gone.map(|graph| graph.digest.as_str()).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    let used = all(graphs)?;
    let used: Vec<&str> = used
        .iter()
        .flat_map(|kept| &kept.graphs)
        .map(|graph| graph.digest.as_str())
        .collect();
    candidates.retain(|digest| !used.contains(digest));
    candidates.iter().try_for_each(|digest| graphs.drop_body(digest))
}
