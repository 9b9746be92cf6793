//! Runs the state machines of the consumer: requests with the guarded client, waits with the clock, and fresh copies of the lists of aggregators (clauses C2, C4, S4, S5).

use crate::graphs::Graphs;
use serde::{Deserialize, Serialize};

use super::aggregator::MOST_NEAR;
use super::cached::digest;
use super::local;
use super::machine::{Ask, Machine, Purpose, Step};
use super::outcome::Outcome;
use crate::fetch::{Fetch, Got, Jitter, Miss};
use crate::head;
use lore_seam::{Ctx, Deadline, ErrorKind, OpError, WebFault, WebLimits, WebMethod, WebPhase, WebReply, WebRequest};

/// How long the copy of a list is as good as the list.
const FRESH_MS: u64 = 60_000;

/// Runs a search to its end.
pub fn run(ctx: &Ctx, mut machine: Machine, refresh: bool) -> Result<Outcome, OpError> {
    let cancelled = || OpError::new(ErrorKind::Cancelled, "the search was cancelled");
    loop {
        if ctx.cancel.is_cancelled() {
            return Err(cancelled());
        }
        match machine.step() {
            Step::Done => {
                let mut outcome = machine.finish();
                if outcome.listed.is_empty() && outcome.record.record().is_none() && outcome.revoked_by.is_none() {
                    add_near(ctx, &mut outcome);
                }
                return Ok(outcome);
            }
            Step::Look(repository) => {
                let entries = local::look_up(ctx, &repository).unwrap_or_else(|error| {
                    machine.note(format!("cannot query the local registry: {error}"));
                    Vec::new()
                });
                machine.feed_local(entries);
            }
            Step::Wait(time) => {
                if !ctx.ports.clock.wait(time, &ctx.cancel) {
                    return Err(cancelled());
                }
            }
            Step::Ask(ask) => {
                let deadline = machine.deadline(ctx.ports.web.as_ref());
                let reply = match ask.purpose {
                    Purpose::List => {
                        let (reply, note) = list(ctx, &ask, deadline.as_ref(), refresh);
                        note.into_iter().for_each(|note| machine.note(note));
                        reply
                    }
                    _ => request(ctx, &ask, deadline.as_ref()),
                };
                machine.feed(reply, ctx.ports.clock.now_ms());
            }
        }
    }
}

/// Adds similar ids of the local registry to the outcome of a search that found nothing.
fn add_near(ctx: &Ctx, outcome: &mut Outcome) {
    for id in local::near(ctx, &outcome.repository) {
        if outcome.near.len() < MOST_NEAR && !outcome.near.contains(&id) {
            outcome.near.push(id);
        }
    }
}

/// Fetches one document, with all its redirects and attempts.
pub fn fetch(ctx: &Ctx, mut fetch: Fetch, purpose: Purpose, max_bytes: u64) -> Result<Result<Got, Miss>, OpError> {
    let cancelled = || OpError::new(ErrorKind::Cancelled, "the search was cancelled");
    let mut jitter = Jitter::new(seed(ctx));
    loop {
        if let Some(time) = fetch.wait()
            && !ctx.ports.clock.wait(time, &ctx.cancel)
        {
            return Err(cancelled());
        }
        if ctx.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let ask = Ask {
            purpose,
            address: fetch.address().clone(),
            etag: None,
            last_modified: None,
            max_bytes,
        };
        let deadline = fetch.deadline(ctx.ports.web.as_ref());
        let reply = match purpose {
            Purpose::List => list(ctx, &ask, deadline.as_ref(), false).0,
            _ => request(ctx, &ask, deadline.as_ref()),
        };
        if let Some(outcome) = fetch.feed(reply, ctx.ports.clock.now_ms(), &mut jitter) {
            return Ok(outcome);
        }
    }
}

/// A number that differs from search to search, so that waits do.
pub fn seed(ctx: &Ctx) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = ctx.ports.ids.random();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Makes a request within the remaining time. A request never carries a secret or a cookie.
pub fn request(ctx: &Ctx, ask: &Ask, deadline: &dyn Deadline) -> Result<WebReply, WebFault> {
    let left = deadline.left();
    if left.is_zero() {
        return Err(WebFault::Timeout(WebPhase::Total));
    }
    let usual = WebLimits::of_bytes(ask.max_bytes);
    let limits = WebLimits {
        connect: usual.connect.min(left),
        total: usual.total.min(left),
        ..usual
    };
    let (method, headers) = match ask.purpose {
        Purpose::Head => (WebMethod::Post(head::REQUEST), head::HEADERS),
        Purpose::Record | Purpose::List | Purpose::Body | Purpose::Refs | Purpose::Compare => (WebMethod::Get, &[][..]),
    };
    ctx.ports.web.exchange(&WebRequest {
        method,
        headers,
        etag: ask.etag.as_deref(),
        last_modified: ask.last_modified.as_deref(),
        ..WebRequest::get(ask.address.as_str(), limits)
    })
}

/// A copy of a list.
#[derive(Serialize, Deserialize)]
struct Copy {
    digest: String,
    etag: Option<String>,
    fetched_ms: u64,
}

/// A list: the copy while it is fresh, or where the aggregator is down; the list itself otherwise. And what is to be said of it.
fn list(ctx: &Ctx, ask: &Ask, deadline: &dyn Deadline, refresh: bool) -> (Result<WebReply, WebFault>, Option<String>) {
    let graphs = ctx.port::<dyn Graphs>();
    let name = format!("list {}", ask.address);
    let now = ctx.ports.clock.now_ms();
    let known = graphs.known(&name).ok().flatten();
    let copy = known.and_then(|text| serde_json::from_str::<Copy>(&text).ok());
    let body = |copy: &Copy| {
        let body = graphs.body(&copy.digest).ok().flatten()?;
        Some(Ok(WebReply {
            status: 200,
            body,
            ..WebReply::default()
        }))
    };
    if let Some(copy) = &copy
        && !refresh
        && now.saturating_sub(copy.fetched_ms) < FRESH_MS
        && let Some(reply) = body(copy)
    {
        return (reply, None);
    }
    let has_body = |copy: &&Copy| graphs.has_body(&copy.digest);
    let etag = copy.as_ref().filter(has_body).and_then(|copy| copy.etag.clone());
    let reply = request(ctx, &Ask { etag, ..ask.clone() }, deadline);
    let is_down = match &reply {
        Ok(reply) => reply.status == 429 || reply.status >= 500,
        Err(fault) => fault.is_transient(),
    };
    match (&reply, copy) {
        (Ok(fetched), copy) if fetched.is_success() => {
            let digest = digest(&fetched.body);
            if let Some(old) = copy.filter(|old| old.digest != digest) {
                // A copy that cannot be deleted goes when the directory is full.
                let _ = graphs.drop_body(&old.digest);
            }
            // Where nothing can be kept, the list is fetched again next time.
            if graphs.keep_body(&digest, &fetched.body).is_ok() {
                let copy = Copy {
                    digest,
                    etag: fetched.etag.clone(),
                    fetched_ms: now,
                };
                let text = serde_json::to_string(&copy).unwrap_or_default();
                let _ = graphs.learn(&name, &text);
            }
            (reply, None)
        }
        (Ok(fetched), Some(mut copy)) if fetched.status == 304 => match body(&copy) {
            Some(kept) => {
                copy.fetched_ms = now;
                let text = serde_json::to_string(&copy).unwrap_or_default();
                let _ = graphs.learn(&name, &text);
                (kept, None)
            }
            None => (request(ctx, ask, deadline), None),
        },
        (_, Some(copy)) if is_down => match body(&copy) {
            Some(kept) => {
                let age = now.saturating_sub(copy.fetched_ms) / 1_000;
                let note = format!(
                    "{} does not answer; using a copy of its list, {age} s old",
                    ask.address.host()
                );
                (kept, Some(note))
            }
            None => (reply, None),
        },
        _ => (reply, None),
    }
}

#[cfg(test)]
#[path = "drive_tests.rs"]
mod tests;
