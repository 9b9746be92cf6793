//! The registry of this machine, as the first aggregator: its entries and the bodies that it mirrors (clauses C4, C5, S10, S11; ruling 5).

use crate::registry_store::bodies::Bodies;
use crate::registry_store::store::Registry;
use lore_base::time::date_time;

use super::aggregator::{Entry as Row, MOST_NEAR};
use super::cached::{CachedGraph, Via};
use super::machine::Sources;
use super::obtain::Obtained;
use super::outcome::{Indexed, Listed, Outcome};
use super::untrusted;
use crate::forge::RepositoryId;
use crate::format::FormatId;
use crate::formats;
use crate::registry_store::entry::{Entry, Graph};
use crate::registry_store::similar_ids;
use crate::registry_store::status::Status;
use crate::registry_store::store::{Got, Reading, reading};
use lore_seam::{Ctx, ErrorKind, OpError};

/// What the registry of this machine is called among aggregators.
pub const NAME: &str = "local";
/// Names that a repository may have had since.
const MOST_RENAMES: usize = 5;

/// Reads the registry of this machine; `None` if there is none.
pub fn ask<T>(ctx: &Ctx, mut work: impl FnMut(&dyn Reading) -> Got<T>) -> Result<Option<T>, OpError> {
    let registry = ctx.port::<dyn Registry>();
    if registry.place().is_err() {
        return Ok(None);
    }
    reading(registry, |store| match store.about()? {
        None => Ok(None),
        Some(_) => work(store).map(Some),
    })
}

/// What it says of the graphs of a repository, the primary first.
pub fn look_up(ctx: &Ctx, repository: &RepositoryId) -> Result<Vec<Row>, OpError> {
    let entry = ask(ctx, |store| store.entry(repository))?.flatten();
    Ok(entry.as_ref().map(rows).unwrap_or_default())
}

/// Ids in the local registry that are similar to an unknown one.
pub fn near(ctx: &Ctx, repository: &RepositoryId) -> Vec<String> {
    let near = ask(ctx, |store| similar_ids::similar_ids(store, repository));
    let mut near = near.ok().flatten().unwrap_or_default();
    near.truncate(MOST_NEAR);
    near
}

/// Whether it has taken a graph back, or all of a repository.
pub fn is_revoked(ctx: &Ctx, repository: &RepositoryId, format: Option<&FormatId>) -> Result<bool, OpError> {
    let entry = ask(ctx, |store| store.entry(repository))?.flatten();
    Ok(entry.is_some_and(|entry| is_taken_back(&entry, format)))
}

/// That it has taken a graph back.
pub fn revoked(repository: &RepositoryId) -> OpError {
    let message = format!("the graph of {repository} was revoked by {NAME}");
    OpError::new(ErrorKind::Refused, message)
}

/// Adds what the local registry knows to an outcome of an offline search.
pub fn tell(ctx: &Ctx, outcome: &mut Outcome) -> Result<(), OpError> {
    for entry in look_up(ctx, &outcome.repository)? {
        match (entry.is_revoked(), entry.id.format.is_none()) {
            (true, true) => outcome.revoked_by = Some(NAME.to_owned()),
            (true, false) => outcome.revoked_formats.extend(entry.format),
            (false, _) => outcome.listed.push(Listed {
                aggregator: NAME.to_owned(),
                entry,
            }),
        }
    }
    Ok(())
}

/// An entry as aggregators list it.
pub fn rows(entry: &Entry) -> Vec<Row> {
    let graphs = if entry.is_tombstone() {
        entry.graphs.get(..1).unwrap_or_default()
    } else {
        &entry.graphs
    };
    graphs.iter().map(|graph| row(entry, graph)).collect()
}

fn row(entry: &Entry, graph: &Graph) -> Row {
    let is_primary = entry.primary().format == graph.format;
    let is_gone = entry.is_tombstone() || graph.status == Status::Revoked;
    let status = if is_gone { Status::Revoked } else { graph.status };
    let (description, tags) = if is_primary {
        (entry.description(), entry.tags())
    } else {
        (graph.description.as_deref(), graph.tags.as_slice())
    };
    let stats = graph.shown_stats();
    // Without a commit of its own a graph cannot be behind another one (clause R2).
    let source = graph.source_sha.as_ref();
    Row {
        id: entry.id_of(graph),
        format: graph.format.clone(),
        graph_url: graph.graph_url.clone().filter(|_| !is_gone),
        status: status.word().to_owned(),
        source_sha: source.cloned(),
        head_sha: source.and(entry.head_sha.clone()),
        commits_behind: source.and(graph.commits_behind),
        last_sha: graph.last_sha.clone(),
        last_synced: graph.last_synced.map(date_time),
        renamed_to: entry.renamed_to.clone(),
        description: description.filter(|_| !is_gone).map(untrusted::line),
        tags: if is_gone {
            Vec::new()
        } else {
            tags.iter().map(|tag| untrusted::clean(tag, 32)).collect()
        },
        nodes: stats.map(|stats| stats.nodes),
        edges: stats.map(|stats| stats.edges),
    }
}

fn is_taken_back(entry: &Entry, format: Option<&FormatId>) -> bool {
    let graph = format.and_then(|format| entry.graph(Some(format)));
    entry.is_tombstone() || graph.is_some_and(|graph| graph.status == Status::Revoked)
}

/// The body that it mirrors of a repository: only of a graph that is `ok` now, whatever it was (clauses S10, S11).
pub fn mirrored(
    ctx: &Ctx,
    repository: &RepositoryId,
    format: Option<&FormatId>,
    sources: &Sources,
) -> Result<Option<Obtained>, OpError> {
    let mut name = repository.clone();
    for _ in 0..=MOST_RENAMES {
        let Some(entry) = ask(ctx, |store| store.entry(&name))?.flatten() else {
            return Ok(None);
        };
        if is_taken_back(&entry, format) {
            return Err(revoked(&name));
        }
        match &entry.renamed_to {
            Some(to) => name = to.clone(),
            None => return body_of(ctx, &entry, format, sources),
        }
    }
    Ok(None)
}

/// The body of a graph of an entry.
pub fn body_of(
    ctx: &Ctx,
    entry: &Entry,
    format: Option<&FormatId>,
    sources: &Sources,
) -> Result<Option<Obtained>, OpError> {
    if entry.is_tombstone() || entry.renamed_to.is_some() {
        return Ok(None);
    }
    let usable = entry.graphs.iter().filter_map(|graph| {
        let own = graph.format.as_ref().filter(|_| graph.status == Status::Ok)?;
        let is_meant = format.is_none_or(|wanted| wanted == own);
        is_meant.then(|| (formats::preference(own, &sources.preferred), own, graph))
    });
    let Some((_, own, graph)) = usable.min_by(|(one, ..), (other, ..)| one.cmp(other)) else {
        return Ok(None);
    };
    let Some(digest) = &graph.last_sha else {
        return Ok(None);
    };
    let Some(body) = ctx.port::<dyn Bodies>().get(digest)? else {
        return Ok(None);
    };
    let synced = graph.last_synced.map(date_time).unwrap_or_default();
    let stats = graph.stats.clone().unwrap_or_default();
    let mut outcome = Outcome::nothing(entry.repository.clone());
    let listed = rows(entry).into_iter().map(|entry| Listed {
        aggregator: NAME.to_owned(),
        entry,
    });
    outcome.listed = listed.collect();
    Ok(Some(Obtained {
        repository: Some(entry.repository.clone()),
        graph: CachedGraph {
            format: own.to_string(),
            url: graph.graph_url.clone().unwrap_or_default(),
            digest: digest.clone(),
            bytes: body.len() as u64,
            nodes: stats.nodes,
            edges: stats.edges,
            top_kinds: stats.top_kinds,
            languages: stats.languages,
            source_sha: graph.source_sha.as_ref().map(ToString::to_string),
            tool_version: graph.tool_version.clone(),
            generated_at: graph.generated_at.clone(),
            fetched_at: synced.clone(),
            checked_at: synced.clone(),
            via: Via::Aggregator(NAME.to_owned()),
            ..CachedGraph::default()
        },
        body,
        outcome: Some(outcome),
        indexed: Indexed::Same,
        notes: vec![format!("this is the copy of the local registry, from {synced}")],
    }))
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod tests;
