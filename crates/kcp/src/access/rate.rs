//! How often a unit may be asked for (clause Access8).

use super::decide::{Case, ObligationKind, Rule};
use super::{Gate, Now};
use crate::context::Usage;
use crate::model::RateLimits;

/// The window of a limit by minute.
const MINUTE_MS: u64 = 60_000;
/// A day.
const DAY_MS: u64 = 86_400_000;

/// Whether one more request is welcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RateVerdict {
    /// It is, and so many more after it.
    Within {
        /// The limit; none means unlimited.
        left: Option<u64>,
    },
    /// It is not yet.
    Over {
        /// The limit that says so.
        limit: &'static str,
        /// Its number.
        most: u64,
        /// How long to wait.
        wait_ms: u64,
    },
}

/// Judges one more request now. The minute rolls: it is the last 60 seconds. The day is that of universal time. Of two limits the more restrictive counts.
pub fn rate(limits: &RateLimits, usage: &Usage, now: Now) -> RateVerdict {
    let now = now.0;
    let mut last_minute: Vec<u64> = usage
        .at_ms
        .iter()
        .copied()
        .filter(|at| *at <= now && now - at < MINUTE_MS)
        .collect();
    last_minute.sort_unstable();
    let midnight = now - now % DAY_MS;
    let today = usage.at_ms.iter().filter(|at| (midnight..=now).contains(*at)).count() as u64;
    let by_minute = limits.requests_per_minute.map(|limit| {
        let (most, used) = (limit.value, last_minute.len() as u64);
        match used.checked_sub(most) {
            None => RateVerdict::Within {
                left: Some(most - used - 1),
            },
            // Room is made when the oldest of those that fill the window leaves it.
            Some(over) => {
                let leaving = usize::try_from(over).ok().and_then(|at| last_minute.get(at));
                RateVerdict::Over {
                    limit: "requests_per_minute",
                    most,
                    wait_ms: leaving.map_or(MINUTE_MS, |at| at + MINUTE_MS - now),
                }
            }
        }
    });
    let by_day = limits.requests_per_day.map(|limit| {
        if today < limit.value {
            RateVerdict::Within {
                left: Some(limit.value - today - 1),
            }
        } else {
            RateVerdict::Over {
                limit: "requests_per_day",
                most: limit.value,
                wait_ms: midnight + DAY_MS - now,
            }
        }
    });
    match (by_minute, by_day) {
        (None, None) => RateVerdict::Within { left: None },
        (Some(one), None) | (None, Some(one)) => one,
        (Some(minute), Some(day)) => stricter(minute, day),
    }
}

fn stricter(one: RateVerdict, other: RateVerdict) -> RateVerdict {
    match (one, other) {
        (RateVerdict::Over { wait_ms: first, .. }, RateVerdict::Over { wait_ms: second, .. }) => {
            if first >= second {
                one
            } else {
                other
            }
        }
        (RateVerdict::Over { .. }, _) => one,
        (_, RateVerdict::Over { .. }) => other,
        (RateVerdict::Within { left: first }, RateVerdict::Within { left: second }) => RateVerdict::Within {
            left: match (first, second) {
                (Some(first), Some(second)) => Some(first.min(second)),
                (first, second) => first.or(second),
            },
        },
    }
}

impl Case<'_, '_> {
    /// Rate limits are advice: exceeding one is noted and denies nothing.
    pub(super) fn rate(&mut self) {
        let Some(limits) = self.effective.rate_limits else {
            return;
        };
        let rule = Rule::at(&limits);
        match rate(limits.value, &self.agent.usage, self.now) {
            RateVerdict::Within { left: None } => {}
            RateVerdict::Within { left: Some(left) } => {
                self.pass(
                    Gate::Rate,
                    rule,
                    format!("within its rate limits; {left} requests left"),
                );
            }
            RateVerdict::Over { limit, most, wait_ms } => {
                let seconds = wait_ms.div_ceil(1_000);
                let message = format!("{limit} {most} is reached; wait for {seconds} s");
                self.note(Gate::Rate, rule, message.clone());
                self.oblige(ObligationKind::RateLimit, message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UNIT, manifest};

    fn told(limits: &str, at_ms: &[u64], now: u64) -> String {
        let m = manifest(&format!("{UNIT}rate_limits: {{default: {limits}}}\n"));
        let limits = &m.root.rate_limits.as_ref().unwrap().value;
        let usage = Usage { at_ms: at_ms.to_vec() };
        match rate(limits, &usage, Now(now)) {
            RateVerdict::Within { left: None } => "no limit".to_owned(),
            RateVerdict::Within { left: Some(left) } => format!("{left} left"),
            RateVerdict::Over { limit, wait_ms, .. } => format!("{limit}: wait {wait_ms}"),
        }
    }

    #[test]
    fn access8_a_minute_rolls_and_a_day_is_one_of_universal_time() {
        let minute = "{requests_per_minute: 2}";
        let now = 10 * DAY_MS + 100_000;
        assert_eq!(told(minute, &[], now), "1 left");
        assert_eq!(told(minute, &[now - 30_000], now), "0 left");
        assert_eq!(
            told(minute, &[now - 30_000, now - 50_000], now),
            "requests_per_minute: wait 10000"
        );
        assert_eq!(told(minute, &[now - 30_000, now - 60_000], now), "0 left");
        assert_eq!(
            told(minute, &[now - 1, now - 2, now - 3], now),
            "requests_per_minute: wait 59998"
        );
        let day = "{requests_per_day: 1}";
        assert_eq!(told(day, &[10 * DAY_MS - 1], now), "0 left");
        assert_eq!(
            told(day, &[10 * DAY_MS], now),
            format!("requests_per_day: wait {}", DAY_MS - 100_000)
        );
        assert_eq!(told(day, &[now + 5], now), "0 left");
    }

    #[test]
    fn access8_of_two_limits_the_more_restrictive_counts() {
        let both = "{requests_per_minute: 1, requests_per_day: 2}";
        let now = 10 * DAY_MS + 100_000;
        assert_eq!(told(both, &[], now), "0 left");
        assert_eq!(told(both, &[now - 10], now), "requests_per_minute: wait 59990");
        assert_eq!(
            told(both, &[now - 10, now - 20], now),
            format!("requests_per_day: wait {}", DAY_MS - 100_000)
        );
        assert_eq!(told("{}", &[1, 2, 3], now), "no limit");
        assert_eq!(told("{requests_per_minute: 0}", &[1, 2, 3], now), "no limit");
    }
}
