//! The clock and the source of new identifiers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use lore_specs::seam::{Clock, Ids};

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as u64)
    }
}

/// Identifiers that sort by the time they were made: milliseconds, process, count.
#[derive(Debug, Default)]
pub struct SystemIds {
    count: AtomicU64,
}

impl Ids for SystemIds {
    fn fresh(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{:012x}-{:08x}-{count:04x}", SystemClock.now_ms(), std::process::id())
    }
}
