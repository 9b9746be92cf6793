//! The body of a graph from any source: the web, the cache, the mirror of the local registry, or a given address (clauses C3 to C5, C7, S1, S4, S11).

use super::cached::{CachedGraph, Via, digest};
use super::drive;
use super::find::{register, said, unreachable};
use super::local;
use super::machine::{LookupOptions, Machine, Purpose, Sources};
use super::outcome::{Indexed, Outcome, Tried};
use super::store::{self, CCG_BUNDLE};
use crate::body::{self, judge};
use crate::fetch::{Fetch, Miss};
use crate::forge::{GraphId, RepositoryId};
use crate::format::FormatId;
use crate::formats;
use crate::graphs::Graphs;
use crate::policy::{Address, HostPolicy};
use lore_seam::{Ctx, ErrorKind, OpError};

/// How an archive begins, which a bundle of the Code Context Graph is.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// A body and what is known of it.
#[derive(Clone, Debug)]
pub struct Obtained {
    /// Whose it is, if that is known.
    pub repository: Option<RepositoryId>,
    /// What is known of it.
    pub graph: CachedGraph,
    /// The body.
    pub body: Vec<u8>,
    /// What came of the search, if there was one.
    pub outcome: Option<Outcome>,
    /// How it compares with what an aggregator looked at.
    pub indexed: Indexed,
    /// What is to be said.
    pub notes: Vec<String>,
}

/// How to get a body.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// From what is kept alone.
    pub offline: bool,
    /// Anew, whatever is kept.
    pub refresh: bool,
}

/// The body of a graph of a repository.
pub fn obtain(
    ctx: &Ctx,
    id: &GraphId,
    format: Option<FormatId>,
    sources: &Sources,
    how: How,
) -> Result<Obtained, OpError> {
    let graphs = ctx.port::<dyn Graphs>();
    if id.repository.is_local() && !local::is_revoked(ctx, &id.repository, format.as_ref())? {
        // Visits of the registry read the directory; no server has its graphs.
        let own = local::mirrored(ctx, &id.repository, format.as_ref(), sources)?;
        return own.ok_or_else(|| {
            let message = format!(
                "the local registry has no usable graph of {}{}",
                id.repository,
                in_format(format.as_ref())
            );
            OpError::new(ErrorKind::NotFound, message).hint(format!(
                "`lore registry show {}` says why, `lore registry sync {0}` reads the directory again",
                id.repository
            ))
        });
    }
    if how.offline {
        if local::is_revoked(ctx, &id.repository, format.as_ref())? {
            return Err(local::revoked(&id.repository));
        }
        let own = match kept(ctx, &id.repository, format.as_ref(), sources)? {
            Some(kept) => Some(kept),
            None => local::mirrored(ctx, &id.repository, format.as_ref(), sources)?,
        };
        return own.ok_or_else(|| {
            let message = format!("no cached graph of {}{}", id.repository, in_format(format.as_ref()));
            OpError::new(ErrorKind::NotFound, message).hint(format!(
                "fetch it with `lore graph get {}`, without `--offline`",
                id.repository
            ))
        });
    }
    let known = if how.refresh {
        None
    } else {
        store::read(graphs, &id.repository)?
    };
    let options = LookupOptions {
        format: format.clone(),
        body: true,
        head: false,
    };
    let machine = Machine::new(id.repository.clone(), sources.clone(), options, known, drive::seed(ctx));
    let mut outcome = drive::run(ctx, machine, how.refresh)?;
    if let Some(aggregator) = &outcome.revoked_by {
        let message = format!("the graph of {} was revoked by {aggregator}", outcome.repository);
        // That it is deleted where it was kept is what matters; if it cannot be, it is still not given.
        let notes = said(store::settle(ctx, &id.repository, &outcome));
        let error = OpError::new(ErrorKind::Refused, message);
        return Err(notes.into_iter().fold(error, OpError::hint));
    }
    let settled = store::settle(ctx, &id.repository, &outcome);
    let mut notes = outcome.notes.clone();
    notes.extend(said(settled));
    let Some(mut taken) = outcome.taken.take() else {
        return instead(ctx, id, format.as_ref(), sources, &outcome, notes);
    };
    let body = match taken.body.take() {
        Some(body) => body,
        // What is kept may be deleted at any time; then it is fetched after all.
        None => match graphs.body(&taken.graph.digest)? {
            Some(body) => body,
            None => return obtain(ctx, id, format, sources, How { refresh: true, ..how }),
        },
    };
    notes.extend(taken.warnings);
    if taken.indexed == Indexed::Newer {
        notes.push("the graph is newer than the aggregator's copy".to_owned());
    }
    Ok(Obtained {
        repository: Some(outcome.repository.clone()),
        graph: taken.graph,
        body,
        indexed: taken.indexed,
        outcome: Some(outcome),
        notes,
    })
}

/// The fallback if nothing could be fetched: the cached body if a source did not answer, else an error with the reasons.
fn instead(
    ctx: &Ctx,
    id: &GraphId,
    format: Option<&FormatId>,
    sources: &Sources,
    outcome: &Outcome,
    notes: Vec<String>,
) -> Result<Obtained, OpError> {
    if outcome.is_incomplete {
        if let Some(mut kept) = kept(ctx, &id.repository, format, sources)? {
            let error = unreachable(outcome);
            kept.notes.extend(notes);
            kept.notes
                .push(format!("using the copy cached on {}: {error}", kept.graph.checked_at));
            return Ok(kept);
        }
        if let Some(mut mirrored) = local::mirrored(ctx, &outcome.repository, format, sources)? {
            mirrored.notes.extend(notes);
            mirrored.notes.push(unreachable(outcome).message);
            return Ok(mirrored);
        }
        return Err(unreachable(outcome));
    }
    let repository = &outcome.repository;
    let error = if outcome.tried.is_empty() {
        let message = format!("{repository} has no published graph{}", in_format(format));
        OpError::new(ErrorKind::NotFound, message)
    } else {
        let message = format!("no usable graph of {repository}");
        let tried = outcome.tried.iter().map(told);
        tried.fold(OpError::new(ErrorKind::NotFound, message), OpError::hint)
    };
    let error = match outcome.near.as_slice() {
        [] => error,
        near => error.hint(format!("similar ids: {}", near.join(", "))),
    };
    let error = if outcome.tried.is_empty() {
        error.hint(register(sources, repository))
    } else {
        error
    };
    Err(notes.into_iter().fold(error, OpError::hint))
}

fn in_format(format: Option<&FormatId>) -> String {
    format.map_or_else(String::new, |format| format!(" in the format {format}"))
}

/// Why a graph was not taken, in a line.
pub fn told(tried: &Tried) -> String {
    format!("{} at {}: {}", tried.format, tried.url, tried.why)
}

/// The body that is kept of a repository.
pub fn kept(
    ctx: &Ctx,
    repository: &RepositoryId,
    format: Option<&FormatId>,
    sources: &Sources,
) -> Result<Option<Obtained>, OpError> {
    let graphs = ctx.port::<dyn Graphs>();
    let Some(kept) = store::read(graphs, repository)? else {
        return Ok(None);
    };
    let graph = match format {
        Some(format) => kept.graph(format),
        None => store::best(&kept, &sources.preferred),
    };
    let Some(graph) = graph else {
        return Ok(None);
    };
    let Some(body) = graphs.body(&graph.digest)? else {
        return Ok(None);
    };
    Ok(Some(Obtained {
        repository: Some(repository.clone()),
        graph: graph.clone(),
        body,
        outcome: None,
        indexed: Indexed::Unknown,
        notes: Vec::new(),
    }))
}

/// The body at an address that was named; it is kept if it is said whose it is.
pub fn at_address(
    ctx: &Ctx,
    url: &str,
    repository: Option<RepositoryId>,
    format: Option<FormatId>,
    sources: &Sources,
) -> Result<Obtained, OpError> {
    let shown = lore_base::excerpt::excerpt(url, 200);
    let refused = |kind: ErrorKind, why: String| OpError::new(kind, format!("{shown}: {why}"));
    let address =
        Address::parse(url).map_err(|reason| refused(ErrorKind::Invalid, format!("not fetched: {reason}")))?;
    let policy = HostPolicy::of_address(&address, &sources.allowed);
    let fetch = Fetch::new(policy, address.clone());
    let got = match drive::fetch(ctx, fetch, Purpose::Body, body::MOST_BYTES)? {
        Ok(got) => got,
        Err(miss) => {
            let kind = match miss {
                Miss::Absent | Miss::Gone => ErrorKind::NotFound,
                Miss::Refused(..) | Miss::TooLarge => ErrorKind::Refused,
                Miss::Transient(_) => ErrorKind::Unavailable,
            };
            return Err(refused(kind, miss.why()));
        }
    };
    let body = got.reply.body;
    let mut graph = if body.starts_with(ARCHIVE) {
        bundle(&address, &body)
    } else {
        judged(&address, &body, format).map_err(|why| refused(ErrorKind::Refused, why))?
    };
    graph.etag = got.reply.etag;
    graph.last_modified = got.reply.last_modified;
    graph.fetched_at = store::now(ctx);
    graph.checked_at.clone_from(&graph.fetched_at);
    let mut notes = Vec::new();
    match &repository {
        Some(repository) => {
            let kept = store::keep(ctx.port::<dyn Graphs>(), repository, graph.clone(), &body);
            notes.extend(kept.err().map(|error| format!("not cached: {error}")));
        }
        None => notes.push("not cached, because no repository given".to_owned()),
    }
    Ok(Obtained {
        repository,
        graph,
        body,
        outcome: None,
        indexed: Indexed::Unknown,
        notes,
    })
}

/// A body in the format that is named, or in the first one that admits it.
fn judged(address: &Address, body: &[u8], format: Option<FormatId>) -> Result<CachedGraph, String> {
    let formats = match format {
        Some(format) => vec![format],
        None => formats::KNOWN.iter().map(formats::Format::id).collect(),
    };
    let mut first = None;
    for format in formats {
        match judge(&format, body) {
            Ok(facts) => return Ok(CachedGraph::of(&format, address.as_str(), &facts, Via::Address)),
            Err(refusal) => {
                first.get_or_insert_with(|| format!("not a body of {format}: {refusal}"));
            }
        }
    }
    Err(first.unwrap_or_default())
}

/// A bundle of the Code Context Graph, of which nothing is known before it is opened.
fn bundle(address: &Address, body: &[u8]) -> CachedGraph {
    CachedGraph {
        format: CCG_BUNDLE.to_owned(),
        url: address.to_string(),
        digest: digest(body),
        bytes: body.len() as u64,
        via: Via::Address,
        ..CachedGraph::default()
    }
}
