//! What a long piece of work shows and obeys: progress, and a wish to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// Where long work reports how far it is. Implementations must be cheap: it is called from many threads.
pub trait Progress: Sync {
    /// A new phase begins, with so many steps.
    fn begin(&self, phase: &str, steps: u64);

    /// Some more steps are done.
    fn advance(&self, steps: u64);

    /// Something that whoever watches should know.
    fn note(&self, text: &str);

    /// Something that belongs to the answer, such as how many files it leaves out. Whoever gets the answer is told, not only whoever watches.
    fn remark(&self, text: &str) {
        self.note(text);
    }
}

/// Progress that nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}

    fn note(&self, _: &str) {}
}

/// A flag that asks long work to stop.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Asks.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
