//! The time of the next visit, from the rate of changes found so far (amendment to the schedule; section 8).

use lore_ckgp::fetch::Jitter;
use lore_ckgp::registry_store::entry::{Entry, Seconds};
use lore_ckgp::registry_store::status::Status;

const HOUR: u32 = 3_600;
/// The shortest time between two visits.
pub const SHORTEST: u32 = HOUR;
/// The longest time between two visits of what is not dead.
pub const LONGEST: u32 = 24 * HOUR;
/// The time between two visits of what is dead.
pub const DEAD: u32 = 7 * 24 * HOUR;
/// The time between the first visit and the second.
const FIRST: u32 = 6 * HOUR;

/// How long to wait after a visit: half as long as before if it found something new, half as long again if it did not.
pub fn interval(before: u32, is_changed: bool) -> u32 {
    let next = match (before, is_changed) {
        (0, _) => FIRST,
        (before, true) => before / 2,
        (before, false) => before.saturating_add(before / 2),
    };
    next.clamp(SHORTEST, LONGEST)
}

/// When an entry is visited next; never if it is at rest. Up to a tenth is taken away, so that not all that came at once come back at once.
pub fn next_visit(entry: &Entry, now: Seconds, jitter: &mut Jitter) -> Option<Seconds> {
    if entry.is_at_rest() {
        return None;
    }
    let wait = match entry.status() {
        Status::Dead => DEAD,
        // What failed for now is tried sooner than what is as it was.
        Status::TransientError => SHORTEST.min(entry.interval.max(SHORTEST)),
        _ => entry.interval.clamp(SHORTEST, LONGEST),
    };
    let spread = jitter.below(u64::from(wait / 10) + 1);
    Some(now + i64::from(wait) - i64::try_from(spread).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_ckgp::forge::RepositoryId;

    #[test]
    fn amend_visits_come_closer_when_something_changed_and_never_less_than_daily() {
        assert_eq!(interval(0, true), 6 * HOUR);
        assert_eq!(interval(6 * HOUR, true), 3 * HOUR);
        assert_eq!(interval(6 * HOUR, false), 9 * HOUR);
        let many = |is_changed| (0..40).fold(0, |before, _| interval(before, is_changed));
        assert_eq!((many(true), many(false)), (SHORTEST, LONGEST));
        assert_eq!(interval(u32::MAX, false), LONGEST);
    }

    #[test]
    fn amend_what_is_dead_is_visited_weekly_and_what_is_at_rest_never() {
        let mut entry = Entry::new(RepositoryId::parse("o/r").unwrap(), None, 0);
        entry.interval = LONGEST;
        let mut jitter = Jitter::new(3);
        let mut wait = |entry: &Entry| next_visit(entry, 1_000, &mut jitter).map(|at| at - 1_000);
        for (status, most) in [
            (Status::Ok, LONGEST),
            (Status::Missing, LONGEST),
            (Status::TransientError, SHORTEST),
            (Status::Dead, DEAD),
        ] {
            entry.graphs[0].status = status;
            for _ in 0..100 {
                let waited = wait(&entry).unwrap();
                let most = i64::from(most);
                assert!((most - most / 10..=most).contains(&waited), "{status} {waited}");
            }
        }
        entry.renamed_to = RepositoryId::parse("o/other").ok();
        assert_eq!(wait(&entry), None);
    }
}
