//! Telling an aggregator that there is something new (clause P8). Nothing that goes wrong here is the publisher's: it is a line, and the answer stays yes.

use crate::ckgp::forge::RepositoryId;
use crate::seam::Ctx;

/// Tells the aggregator that is configured, if a token is too; what became of it, on one line.
pub(super) fn notify(ctx: &Ctx, repository: Option<&RepositoryId>) -> Option<String> {
    let _ = (ctx, repository);
    None
}
