//! Fetches documents that name or describe manifests, without headers and secrets.

use std::time::Duration;

use lore_seam::{Ctx, FetchLimits, FetchRequest, Fetched, OpError};

/// The limits of one page.
pub(crate) const LIMITS: FetchLimits = FetchLimits {
    max_bytes: 1 << 20,
    time: Duration::from_secs(10),
    redirects: 5,
};

/// Fetches pages, in the order of their addresses.
pub(crate) fn fetch_pages(ctx: &Ctx, urls: &[impl AsRef<str>]) -> Vec<Result<Fetched, OpError>> {
    let requests: Vec<FetchRequest<'_>> = urls
        .iter()
        .map(|url| FetchRequest {
            url: url.as_ref(),
            headers: &[],
            secret: None,
            etag: None,
            limits: LIMITS,
        })
        .collect();
    ctx.ports.web.fetch_all(&requests)
}
