//! Progress and cancellation of long operations.

use std::sync::atomic::{AtomicBool, Ordering};

/// The receiver of progress reports. Implementations must be cheap: many threads call them.
pub trait Progress: Sync {
    /// A new phase with a number of steps begins.
    fn begin(&self, phase: &str, steps: u64);

    /// More steps of the phase are done.
    fn advance(&self, steps: u64);

    /// A message for the person who watches the progress.
    fn note(&self, text: &str);

    /// A note that belongs to the answer, such as the number of files left out. The client gets it with the answer,
    /// not only on the screen.
    fn remark(&self, text: &str) {
        self.note(text);
    }
}

/// A [`Progress`] that discards everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}
}

/// A flag that requests cancellation.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Requests cancellation.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether cancellation was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
