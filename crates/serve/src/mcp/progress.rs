//! Progress notifications of a request: a number that only grows, and the current phase.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use lore_model::Progress;

/// How far a request is.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Steps done, over all phases.
    done: AtomicU64,
    phase: Mutex<Phase>,
}

#[derive(Debug, Default, Clone)]
struct Phase {
    name: String,
    /// Steps that were done before it began.
    before: u64,
    steps: u64,
}

impl Told {
    /// What to tell: steps done and in all, as far as is known, and the phase. Nothing before anything began.
    pub(super) fn now(&self) -> Option<(u64, Option<u64>, String)> {
        let phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if phase.name.is_empty() {
            return None;
        }
        let total = (phase.steps > 0).then(|| phase.before + phase.steps);
        // The beginning of a phase is a step of its own, so that the number grows with each.
        Some((self.done.load(Ordering::Relaxed), total, phase.name))
    }
}

impl Progress for Told {
    fn begin(&self, phase: &str, steps: u64) {
        let mut own = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        *own = Phase {
            name: phase.to_owned(),
            before,
            steps,
        };
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn note(&self, _: &str) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_only_grows() {
        let told = Told::default();
        assert_eq!(told.now(), None);
        told.begin("reading", 3);
        told.advance(2);
        assert_eq!(told.now(), Some((3, Some(4), "reading".to_owned())));
        told.begin("linking", 0);
        assert_eq!(told.now(), Some((4, None, "linking".to_owned())));
    }
}
