//! Notifies clients when the list of resources changes, by comparing the list they received with the current one.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lore_seam::Ctx;

use super::resources;

/// How often it is looked whether what the repository declares has changed.
const LOOK: Duration = Duration::from_secs(2);

/// The states of the list that clients of this server hold. A state is known by its stamp, which is taken before the list is
/// made: whatever changes from then on makes another stamp.
#[derive(Default)]
pub(super) struct Listed(Mutex<Vec<(u64, u64)>>);

/// Lists that are remembered; the oldest are forgotten first.
const MOST: usize = 64;

impl Listed {
    /// Takes note of a list that is about to be made.
    pub(super) fn note(&self, stamp: u64) {
        let mut listed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = listed.last().map_or(1, |(number, _)| number + 1);
        listed.push((number, stamp));
        if listed.len() > MOST {
            listed.remove(0);
        }
    }

    /// The stamps of lists that were made after a number, and the number of the last one.
    fn since(&self, number: u64) -> (BTreeSet<u64>, u64) {
        let listed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let newer = listed.iter().filter(|(own, _)| *own > number);
        let stamps = newer.map(|(_, stamp)| *stamp).collect();
        (stamps, listed.last().map_or(0, |(last, _)| *last))
    }
}

/// The state that one listener knows.
struct Known {
    listed: Arc<Listed>,
    /// The last list that was compared.
    number: u64,
    /// The stamp of the last look; without one nothing was looked at yet.
    stamp: Option<u64>,
}

impl Known {
    /// Whether a client may have a list that differs from the one of this stamp, and was not notified yet.
    fn differs(&mut self, stamp: u64) -> bool {
        let (listed, number) = self.listed.since(self.number);
        self.number = number;
        let before = self.stamp.replace(stamp);
        before.is_some_and(|before| before != stamp) || listed.iter().any(|held| *held != stamp)
    }
}

/// The changes that one listener receives.
pub(super) struct Changes {
    ctx: Arc<Ctx>,
    known: Known,
}

impl Changes {
    pub(super) fn new(ctx: Ctx, listed: Arc<Listed>) -> Self {
        Self {
            ctx: Arc::new(ctx),
            known: Known {
                listed,
                number: 0,
                stamp: None,
            },
        }
    }

    /// Waits for the next change; `false` if changes cannot be detected.
    pub(super) async fn next(&mut self) -> bool {
        loop {
            let ctx = Arc::clone(&self.ctx);
            let Ok(stamp) = tokio::task::spawn_blocking(move || resources::stamp(&ctx)).await else {
                return false;
            };
            if self.known.differs(stamp) {
                return true;
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(listed: &Arc<Listed>) -> Known {
        Known {
            listed: Arc::clone(listed),
            number: 0,
            stamp: None,
        }
    }

    #[test]
    fn m11_a_change_between_the_first_list_and_the_first_look_is_told_once() {
        let listed = Arc::new(Listed::default());
        listed.note(1);
        let mut known = listener(&listed);
        assert!(known.differs(2));
        assert!(!known.differs(2));
    }

    #[test]
    fn m11_without_a_list_looks_are_compared() {
        let mut known = listener(&Arc::default());
        let told: Vec<bool> = [1, 1, 2, 2].map(|stamp| known.differs(stamp)).into();
        assert_eq!(told, [false, false, true, false]);
    }

    #[test]
    fn m11_a_list_that_was_made_between_two_looks_at_the_same_state_is_compared() {
        let listed = Arc::new(Listed::default());
        let mut known = listener(&listed);
        assert!(!known.differs(1));
        // It changed, was listed, and changed back.
        listed.note(2);
        assert!(known.differs(1));
        listed.note(1);
        assert!(!known.differs(1));
    }

    #[test]
    fn m11_each_listener_is_told() {
        let listed = Arc::new(Listed::default());
        (0..100).for_each(|_| listed.note(1));
        for mut known in [listener(&listed), listener(&listed)] {
            assert!(known.differs(2));
            assert!(!known.differs(2));
        }
    }
}
