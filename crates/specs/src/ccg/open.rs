//! The dataset of the tree that a request means.

use std::sync::Arc;

use super::Identity;
use lore_model::in_calendar;

use super::dataset::Dataset;
use crate::seam::{Ctx, OpError, Scope};

/// Opens the dataset of a tree. Nothing is read before it is asked for.
pub(super) fn open(ctx: &Ctx, scope: &Scope, now: bool) -> Result<Dataset, OpError> {
    let graph = scope.open(ctx)?;
    let graph_scope = scope.graph_scope();
    let identity = Identity::of(&ctx.ports.code.origin(&graph_scope)?, &graph);
    let analyzed_at = analyzed_at(ctx, &identity, now);
    let (ports, of) = (Arc::clone(&ctx.ports), graph_scope.clone());
    let has_text = ports.code.foreign().is_none();
    let read = Box::new(move |path: &str| match has_text {
        true => ports.code.read(&of, path),
        // A published graph holds no sources, and nothing is said of them.
        false => Ok(Vec::new()),
    });
    let ctx = ctx.clone();
    let history = Box::new(move || ctx.ports.code.history(&graph_scope, ctx.progress.as_ref(), &ctx.cancel));
    Ok(Dataset::new(graph, identity, analyzed_at, read, history))
}

/// When the source was analysed (clause I4): the time of the commit, or now where there is none, the files differ from it, or `now` is asked for.
pub(super) fn analyzed_at(ctx: &Ctx, identity: &Identity, now: bool) -> i64 {
    let seconds = match identity.committed {
        Some(committed) if !now && !identity.dirty => committed,
        _ => (ctx.ports.clock.now_ms() / 1_000) as i64,
    };
    in_calendar(seconds)
}
