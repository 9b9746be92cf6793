//! The limits of each host: concurrent requests, and a pause after a 429 reply or without a reply (step 9 of a visit,
//! section 8: manners and the circuit breaker; clause of the reply 429).

use std::collections::BTreeMap;
use std::time::Duration;

use lore_seam::{WebFault, WebReply};

/// Requests to one host at once.
pub const PER_HOST: usize = 4;
/// A delay that is waited for; a longer one leaves the host alone.
pub const WORTH_WAITING: Duration = Duration::from_secs(5);
/// Replies in a row that ask to slow down, after which a host is left alone although it does not say for how long.
const MOST_STRIKES: u32 = 3;
/// Visits in a row without any reply after which a host is left alone.
const MOST_SILENCES: u32 = 3;
/// How long it is left alone then, the first time; it doubles.
const FIRST_DELAY: Duration = Duration::from_secs(60);
/// The most of it: what forges ask of crawlers.
const LONGEST_DELAY: Duration = Duration::from_secs(30 * 60);
/// The most that a host can ask for.
const MOST_ASKED: Duration = Duration::from_secs(24 * 3_600);

/// What is known of hosts while a registry visits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hosts {
    known: BTreeMap<String, Host>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Host {
    busy: usize,
    strikes: u32,
    until_ms: u64,
    /// Visits in a row to which it gave no reply at all.
    silences: u32,
    /// How often in a row it was left alone for that, and when last.
    closings: u32,
    closed_ms: Option<u64>,
    /// Whether it is visited by one at a time until it answers.
    is_on_trial: bool,
}

/// Whether a host answered: not if there was no reply at all; nothing if it was not asked.
pub fn is_answer(reply: &Result<WebReply, WebFault>) -> Option<bool> {
    match reply {
        Ok(_) | Err(WebFault::TooLarge { .. } | WebFault::BadReply(_)) => Some(true),
        Err(WebFault::Dns | WebFault::Connect(_) | WebFault::Tls(_) | WebFault::Timeout(_) | WebFault::Reset(_)) => {
            Some(false)
        }
        Err(WebFault::Refused(..) | WebFault::NotPublic(_) | WebFault::Offline) => None,
    }
}

impl Hosts {
    /// Takes a free slot at a host; `false` if there is none.
    pub fn enter(&mut self, host: &str) -> bool {
        let known = self.known.entry(host.to_owned()).or_default();
        let is_free = known.busy < PER_HOST;
        known.busy += usize::from(is_free);
        is_free
    }

    /// Gives the place back.
    pub fn leave(&mut self, host: &str) {
        if let Some(known) = self.known.get_mut(host) {
            known.busy = known.busy.saturating_sub(1);
        }
    }

    /// How long a host is still to be left alone.
    pub fn delay(&self, host: &str, now_ms: u64) -> Duration {
        let until = self.known.get(host).map_or(0, |known| known.until_ms);
        Duration::from_millis(until.saturating_sub(now_ms))
    }

    /// That a host is to be left alone until a time, or was until a while ago, as another run has learned. Then it is visited by one at a time until it answers.
    pub fn learn(&mut self, host: &str, until_ms: u64) {
        let known = self.known.entry(host.to_owned()).or_default();
        if until_ms > known.until_ms {
            known.until_ms = until_ms;
            known.is_on_trial = true;
        }
    }

    /// Whether a host is left alone because it did not answer.
    pub fn is_silent(&self, host: &str) -> bool {
        self.known.get(host).is_some_and(|known| known.closings > 0)
    }

    /// Whether a host is visited by one at a time, until it answers.
    pub fn is_on_trial(&self, host: &str) -> bool {
        self.known.get(host).is_some_and(|known| known.is_on_trial)
    }

    /// Takes that a visit, which began at a time, got no reply at all from a host. If it is to be left alone for that: until when.
    pub fn note_silence(&mut self, host: &str, began_ms: u64, now_ms: u64) -> Option<u64> {
        let known = self.known.entry(host.to_owned()).or_default();
        if known.closed_ms.is_some_and(|closed| began_ms <= closed) {
            // It was on its way already when the host was given up.
            return None;
        }
        known.silences = known.silences.saturating_add(1);
        if known.silences < MOST_SILENCES && !known.is_on_trial {
            return None;
        }
        let delay = doubled(known.closings);
        known.closings = known.closings.saturating_add(1);
        known.closed_ms = Some(now_ms);
        known.is_on_trial = true;
        let until = now_ms.saturating_add(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX));
        known.until_ms = known.until_ms.max(until);
        Some(known.until_ms)
    }

    /// Takes what a host said. If it is to be left alone for longer than one waits: until when.
    pub fn note(&mut self, host: &str, reply: &Result<WebReply, WebFault>, now_ms: u64) -> Option<u64> {
        let known = self.known.entry(host.to_owned()).or_default();
        if is_answer(reply) == Some(true) {
            known.silences = 0;
            known.closings = 0;
            known.closed_ms = None;
            known.is_on_trial = false;
        }
        let Ok(reply) = reply else {
            return None;
        };
        let asked = reply.retry_after.map(|after| after.from_now(now_ms).min(MOST_ASKED));
        let delay = match (reply.status, asked) {
            (429, asked) => {
                known.strikes = known.strikes.saturating_add(1);
                match (asked, known.strikes.checked_sub(MOST_STRIKES)) {
                    (Some(asked), None) => asked,
                    (None, None) => Duration::from_secs(1),
                    (asked, Some(more)) => doubled(more).max(asked.unwrap_or_default()),
                }
            }
            (503, Some(asked)) => asked,
            _ => {
                known.strikes = 0;
                return None;
            }
        };
        let until = now_ms.saturating_add(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX));
        known.until_ms = known.until_ms.max(until);
        (delay > WORTH_WAITING).then_some(known.until_ms)
    }
}

/// How long a host is left alone when it was left alone so often before.
fn doubled(before: u32) -> Duration {
    FIRST_DELAY.saturating_mul(1 << before.min(8)).min(LONGEST_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_seam::RetryAfter;

    fn reply(status: u16, seconds: Option<u64>) -> Result<WebReply, WebFault> {
        Ok(WebReply {
            status,
            retry_after: seconds.map(RetryAfter::Seconds),
            ..WebReply::default()
        })
    }

    #[test]
    fn sync9_a_host_has_four_places() {
        let mut hosts = Hosts::default();
        assert_eq!((0..6).filter(|_| hosts.enter("a.example")).count(), PER_HOST);
        assert!(hosts.enter("b.example"));
        hosts.leave("a.example");
        assert!(hosts.enter("a.example") && !hosts.enter("a.example"));
        hosts.leave("never.example");
    }

    #[test]
    fn sync9_a_host_that_gave_no_reply_to_three_visits_is_left_alone_longer_each_time() {
        let mut hosts = Hosts::default();
        let mut silence = |began: u64, now: u64| {
            let until = hosts.note_silence("a.example", began * 1_000, now * 1_000);
            until.map(|until| until / 1_000)
        };
        assert_eq!([silence(1, 2), silence(1, 3), silence(1, 4)], [None, None, Some(64)]);
        // Those that were on their way change nothing.
        assert_eq!([silence(1, 5), silence(4, 90)], [None, None]);
        // From then on one is enough.
        assert_eq!([silence(70, 80), silence(75, 81)], [Some(200), None]);
        let mut now = 1_000;
        let mut last = 0;
        for _ in 0..9 {
            last = silence(now, now + 1).unwrap() - now - 1;
            now += 10_000;
        }
        assert_eq!(last, 1_800);
        assert!(hosts.is_on_trial("a.example") && !hosts.is_on_trial("b.example"));
        assert_eq!(hosts.note("a.example", &reply(503, None), now * 1_000), None);
        assert!(!hosts.is_on_trial("a.example"));
        assert_eq!(hosts.note_silence("a.example", now * 1_000, now * 1_000), None);
        hosts.note("a.example", &Err(WebFault::BadReply("no status".into())), 0);
        assert_eq!(hosts.note_silence("a.example", now * 1_000, now * 1_000), None);
        assert_eq!(hosts.note_silence("a.example", now * 1_000, now * 1_000), None);
    }

    #[test]
    fn sync9_what_another_run_learned_is_tried_by_one_at_a_time() {
        let mut hosts = Hosts::default();
        hosts.learn("a.example", 5_000);
        assert_eq!(hosts.delay("a.example", 4_000), Duration::from_secs(1));
        assert!(hosts.is_on_trial("a.example"));
        hosts.note("a.example", &reply(404, None), 6_000);
        hosts.learn("a.example", 5_000);
        assert!(!hosts.is_on_trial("a.example"), "it has answered since");
        hosts.learn("a.example", 9_000);
        assert_eq!(hosts.note_silence("a.example", 10_000, 10_000), Some(70_000));
    }

    #[test]
    fn sync9_what_was_not_asked_says_nothing_of_a_host() {
        let faults = [
            (WebFault::Dns, Some(false)),
            (WebFault::Connect("refused".into()), Some(false)),
            (WebFault::Timeout(lore_seam::WebPhase::Total), Some(false)),
            (WebFault::TooLarge { is_declared: true }, Some(true)),
            (WebFault::BadReply("no status".into()), Some(true)),
            (WebFault::NotPublic("10.0.0.1".to_owned()), None),
            (WebFault::Offline, None),
        ];
        for (fault, wanted) in faults {
            assert_eq!(is_answer(&Err(fault.clone())), wanted, "{fault:?}");
        }
        assert_eq!(is_answer(&reply(500, None)), Some(true));
    }

    #[test]
    fn reply429_a_host_that_asks_to_wait_is_left_alone_as_a_whole() {
        let mut hosts = Hosts::default();
        let seconds = |hosts: &Hosts| hosts.delay("a.example", 10_000).as_secs();
        assert_eq!(
            hosts.note("a.example", &reply(429, Some(3_600)), 10_000),
            Some(3_610_000)
        );
        assert_eq!(seconds(&hosts), 3_600);
        assert_eq!(hosts.delay("b.example", 10_000), Duration::ZERO);
        // A shorter one does not end it, nor does a success that was on its way.
        hosts.note("a.example", &reply(429, Some(1)), 10_000);
        hosts.note("a.example", &reply(200, None), 10_000);
        assert_eq!(seconds(&hosts), 3_600);
        // Nobody can shut a host for longer than a day.
        hosts.note("a.example", &reply(429, Some(u64::MAX)), 10_000);
        assert_eq!(seconds(&hosts), 86_400);
        assert_eq!(hosts.note("c.example", &reply(503, Some(60)), 0), Some(60_000));
        assert_eq!(hosts.note("d.example", &reply(503, None), 0), None);
    }

    #[test]
    fn reply429_short_waits_are_waited_for_until_they_become_a_storm() {
        let mut hosts = Hosts::default();
        let mut note = |seconds| {
            hosts
                .note("a.example", &reply(429, seconds), 0)
                .map(|until| until / 1_000)
        };
        assert_eq!([note(Some(2)), note(None)], [None, None]);
        assert_eq!(
            [note(Some(2)), note(None), note(None)],
            [Some(60), Some(120), Some(240)]
        );
        let mut last = None;
        for _ in 0..20 {
            last = note(None);
        }
        assert_eq!(last, Some(1_800));
        let mut calm = Hosts::default();
        for _ in 0..10 {
            assert_eq!(calm.note("a.example", &reply(429, None), 0), None);
            assert_eq!(calm.note("a.example", &reply(304, None), 0), None);
        }
    }
}
