//! What is kept, through the port: bodies by their digest, and by repository what is known of them (clauses C5, C7).

use lore_model::date_time;
use serde_json::from_str;

use super::kept::{Kept, KeptGraph, Via};
use super::machine::{Outcome, RecordState};
use crate::ckgp::forge::RepositoryId;
use crate::seam::{Ctx, OpError};

/// What names of repositories begin with.
const REPOSITORY: &str = "repository ";

/// What is kept of a repository; only graphs whose bodies are there.
pub fn read(ctx: &Ctx, repository: &RepositoryId) -> Result<Option<Kept>, OpError> {
    let known = ctx.ports.graphs.known(&name(repository))?;
    Ok(known.and_then(|text| parsed(ctx, &text)))
}

/// What is kept of all repositories, by id.
pub fn all(ctx: &Ctx) -> Result<Vec<Kept>, OpError> {
    let known = ctx.ports.graphs.all_known()?;
    let own = known.iter().filter(|(name, _)| name.starts_with(REPOSITORY));
    Ok(own.filter_map(|(_, text)| parsed(ctx, text)).collect())
}

/// The body of a graph that is kept; nothing if it went in the meantime.
pub fn body(ctx: &Ctx, graph: &KeptGraph) -> Result<Option<Vec<u8>>, OpError> {
    ctx.ports.graphs.body(&graph.digest)
}

/// The time now, as it is written.
pub fn now(ctx: &Ctx) -> String {
    date_time(i64::try_from(ctx.ports.clock.now_ms() / 1_000).unwrap_or(i64::MAX))
}

/// Keeps what a search found, and lets go of what was withdrawn. What is to be said of it.
pub fn settle(ctx: &Ctx, asked: &RepositoryId, outcome: &Outcome) -> Result<Vec<String>, OpError> {
    let mut notes = Vec::new();
    if outcome.repository != *asked {
        evict(ctx, asked)?;
    }
    if outcome.revoked_by.is_some() {
        if evict(ctx, &outcome.repository)? {
            notes.push(format!(
                "what was kept of {} is deleted, as it was taken back",
                outcome.repository
            ));
        }
        return Ok(notes);
    }
    let before = read(ctx, &outcome.repository)?;
    let mut kept = before.clone().unwrap_or_else(|| Kept::of(&outcome.repository));
    match &outcome.record {
        // The producer withdrew: what came by its record goes.
        RecordState::Absent => {
            kept.record = None;
            kept.graphs.retain(|graph| graph.via != Via::Record);
        }
        RecordState::Found { .. } => kept.record.clone_from(&outcome.record_text),
        _ => {}
    }
    kept.graphs.retain(|graph| !outcome.withdrawn.contains(&graph.url));
    let left = before.iter().flat_map(|before| &before.graphs).count() - kept.graphs.len();
    if left > 0 {
        notes.push(match left {
            1 => "a graph that was kept is deleted, as it was withdrawn".to_owned(),
            left => format!("{left} graphs that were kept are deleted, as they were withdrawn"),
        });
    }
    if let Some(taken) = &outcome.taken {
        let mut graph = taken.graph.clone();
        graph.checked_at = now(ctx);
        if let Some(body) = &taken.body {
            ctx.ports.graphs.keep_body(&graph.digest, body)?;
            graph.fetched_at.clone_from(&graph.checked_at);
        }
        kept.put(graph);
    }
    write(ctx, &outcome.repository, &kept)?;
    drop_unused(ctx, before.iter().flat_map(|before| &before.graphs))?;
    Ok(notes)
}

/// Keeps a graph that was fetched from an address that was named.
pub fn keep(ctx: &Ctx, repository: &RepositoryId, graph: KeptGraph, body: &[u8]) -> Result<(), OpError> {
    ctx.ports.graphs.keep_body(&graph.digest, body)?;
    let before = read(ctx, repository)?;
    let mut kept = before.clone().unwrap_or_else(|| Kept::of(repository));
    kept.put(graph);
    write(ctx, repository, &kept)?;
    drop_unused(ctx, before.iter().flat_map(|before| &before.graphs))
}

/// Lets go of all that is kept of a repository; whether there was anything.
pub fn evict(ctx: &Ctx, repository: &RepositoryId) -> Result<bool, OpError> {
    let before = read(ctx, repository)?;
    let was_known = ctx.ports.graphs.forget(&name(repository))?;
    drop_unused(ctx, before.iter().flat_map(|before| &before.graphs))?;
    Ok(was_known)
}

fn name(repository: &RepositoryId) -> String {
    format!("{REPOSITORY}{}", repository.key())
}

fn parsed(ctx: &Ctx, text: &str) -> Option<Kept> {
    let mut kept: Kept = from_str(text).ok()?;
    kept.graphs.retain(|graph| ctx.ports.graphs.has_body(&graph.digest));
    Some(kept)
}

fn write(ctx: &Ctx, repository: &RepositoryId, kept: &Kept) -> Result<(), OpError> {
    if kept.record.is_none() && kept.graphs.is_empty() {
        return ctx.ports.graphs.forget(&name(repository)).map(|_| ());
    }
    let text = serde_json::to_string(kept).expect("because texts and numbers can always be written");
    ctx.ports.graphs.learn(&name(repository), &text)
}

/// Deletes those bodies that no repository refers to any more.
fn drop_unused<'g>(ctx: &Ctx, graphs: impl Iterator<Item = &'g KeptGraph>) -> Result<(), OpError> {
    let mut candidates: Vec<&str> = graphs.map(|graph| graph.digest.as_str()).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    let used = all(ctx)?;
    let used: Vec<&str> = used
        .iter()
        .flat_map(|kept| &kept.graphs)
        .map(|graph| graph.digest.as_str())
        .collect();
    candidates.retain(|digest| !used.contains(digest));
    candidates
        .iter()
        .try_for_each(|digest| ctx.ports.graphs.drop_body(digest))
}
