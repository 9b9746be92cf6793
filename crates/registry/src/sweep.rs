//! Deletes unreferenced bodies: those of revoked graphs at once, all others some time after they were last written (clause S10; section 8, collection of blobs).
//!
//! Both the check for references and the deletion run in one write unit, and the end of a visit checks in its own unit that
//! its bodies exist. The units are serialised, so no entry refers to a deleted body without being visited again.

use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::store::Registry;
use std::time::Duration;

use lore_ckgp::registry_store::entry::Seconds;
use lore_ckgp::registry_store::store::{reading, writing};
use lore_seam::{Ctx, OpError};

/// How long an unreferenced body stays: the visit that stored it may not have ended.
pub const LEFT: Duration = Duration::from_secs(3_600);
/// Seconds between two automatic sweeps.
const DAY: Seconds = 86_400;
/// Bodies that are looked at in one unit.
const BATCH: usize = 256;

/// Deletes those of some bodies that no graph holds any more, however young they are; how many there were.
pub fn drop_unheld(ctx: &Ctx, digests: &[String]) -> Result<u64, OpError> {
    if digests.is_empty() {
        return Ok(0);
    }
    let mut dropped = 0;
    writing(ctx.port::<dyn Registry>(), |store| {
        for digest in store.unheld(digests)? {
            dropped += u64::from(ctx.port::<dyn Bodies>().discard(&digest)?);
        }
        Ok(())
    })?;
    Ok(dropped)
}

/// Deletes unreferenced bodies that were not written for a while, and returns how many. Stops between two batches if cancelled.
pub fn sweep(ctx: &Ctx, now: Seconds) -> Result<u64, OpError> {
    let registry = ctx.port::<dyn Registry>();
    writing(registry, |store| store.set_swept(now))?;
    let mut dropped = 0;
    for batch in ctx.port::<dyn Bodies>().old(LEFT)?.chunks(BATCH) {
        if ctx.cancel.is_cancelled() {
            break;
        }
        // Most are held, and nobody has to wait for that to be found out.
        let unheld = reading(registry, |store| store.unheld(batch))?;
        if unheld.is_empty() {
            continue;
        }
        writing(registry, |store| {
            for digest in store.unheld(&unheld)? {
                dropped += u64::from(ctx.port::<dyn Bodies>().discard_old(&digest, LEFT)?);
            }
            Ok(())
        })?;
    }
    Ok(dropped)
}

/// Whether the last sweep is a day ago. A time that is still to come is as good as none.
pub fn is_due(ctx: &Ctx, now: Seconds) -> Result<bool, OpError> {
    let swept = reading(ctx.port::<dyn Registry>(), |store| store.swept())?;
    Ok(swept.is_none_or(|at| !(at..at.saturating_add(DAY)).contains(&now)))
}
