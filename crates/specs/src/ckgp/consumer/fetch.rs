//! One document from the web, step by step and without reaching for it: redirects, attempts and how long to wait between them (clauses C2, S2, S4, S5).

use std::time::Duration;

use crate::ckgp::policy::{Address, HostPolicy};
use crate::seam::{WebFault, WebReply};

/// Redirects that are followed.
pub const MOST_HOPS: u8 = 5;
/// How often something is tried.
pub const ATTEMPTS: u32 = 3;
/// The most that is waited before the second attempt; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The most that is waited before any attempt.
const LONGEST_WAIT: Duration = Duration::from_secs(8);
/// The most that a server may ask to wait; who asks for more is not waited for.
const LONGEST_ASKED: Duration = Duration::from_secs(30);

/// Numbers that spread waits, so that not everybody comes back at the same moment.
#[derive(Clone, Copy, Debug)]
pub struct Jitter(u64);

impl Jitter {
    /// The numbers that follow from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A time from nothing to the most, all of them alike.
    fn up_to(&mut self, most: Duration) -> Duration {
        // Sebastiano Vigna's splitmix64: good enough to spread, and the same for the same seed.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let most = u64::try_from(most.as_millis()).unwrap_or(u64::MAX);
        Duration::from_millis(mixed % most.saturating_add(1))
    }
}

/// What was got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Got {
    /// Where it came from in the end.
    pub address: Address,
    /// Whether it is what was there before, and therefore has no body.
    pub is_unchanged: bool,
    /// The reply.
    pub reply: WebReply,
}

/// Why nothing was got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Miss {
    /// There is nothing: the status is 404.
    Absent,
    /// There is nothing any more: the status is 410.
    Gone,
    /// It is not asked; a name for programs and the reason.
    Refused(&'static str, String),
    /// It is larger than it may be.
    TooLarge,
    /// It may go well another time.
    Transient(String),
}

impl Miss {
    /// Why, for people.
    pub fn why(&self) -> String {
        match self {
            Self::Absent => "it is not there (404)".to_owned(),
            Self::Gone => "it is no longer there (410)".to_owned(),
            Self::Refused(_, why) => format!("it is not asked: {why}"),
            Self::TooLarge => "it is too large".to_owned(),
            Self::Transient(why) => why.clone(),
        }
    }
}

/// A document that is being fetched.
#[derive(Clone, Debug)]
pub struct Fetch {
    policy: HostPolicy,
    first: Address,
    address: Address,
    attempts: u32,
    most_attempts: u32,
    hops: u8,
    wait: Option<Duration>,
    is_conditional: bool,
}

impl Fetch {
    /// A document at an address, which may lead on to what the policy admits.
    pub fn new(policy: HostPolicy, address: Address) -> Self {
        Self {
            policy,
            first: address.clone(),
            address,
            attempts: 0,
            most_attempts: ATTEMPTS,
            hops: 0,
            wait: None,
            is_conditional: false,
        }
    }

    /// The same, tried only so often.
    #[must_use]
    pub fn attempts(self, most_attempts: u32) -> Self {
        Self { most_attempts, ..self }
    }

    /// The same, where something is there already.
    #[must_use]
    pub fn conditional(self, is_conditional: bool) -> Self {
        Self { is_conditional, ..self }
    }

    /// How long to wait before asking.
    pub fn wait(&mut self) -> Option<Duration> {
        self.wait.take()
    }

    /// What to ask.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Whether what is there already may be named: marks belong to the address that gave them.
    pub fn may_be_unchanged(&self) -> bool {
        self.is_conditional && self.hops == 0
    }

    /// Takes what came; nothing if there is more to ask.
    pub fn feed(
        &mut self,
        reply: Result<WebReply, WebFault>,
        now_ms: u64,
        jitter: &mut Jitter,
    ) -> Option<Result<Got, Miss>> {
        match reply {
            Ok(reply) if reply.is_success() => Some(Ok(self.got(reply, false))),
            Ok(reply) if reply.status == 304 && self.may_be_unchanged() => Some(Ok(self.got(reply, true))),
            Ok(reply) if reply.status == 404 => Some(Err(Miss::Absent)),
            Ok(reply) if reply.status == 410 => Some(Err(Miss::Gone)),
            Ok(reply) if reply.is_redirect() && reply.location.is_some() => {
                self.follow(&reply.location.unwrap_or_default()).map(Err)
            }
            Ok(reply) => {
                let asked = reply.retry_after.map(|after| after.from_now(now_ms));
                let why = format!("{} answers {}", self.address, reply.status);
                self.again(why, asked, jitter).map(Err)
            }
            Err(WebFault::TooLarge { .. }) => Some(Err(Miss::TooLarge)),
            Err(fault) if fault.is_transient() => {
                let why = format!("{}: {fault}", self.address);
                self.again(why, None, jitter).map(Err)
            }
            Err(WebFault::Offline) => Some(Err(Miss::Transient("the web cannot be asked from here".to_owned()))),
            Err(WebFault::Refused(code, why)) => Some(Err(Miss::Refused(code, why))),
            Err(WebFault::NotPublic(address)) => Some(Err(Miss::Refused(
                "not_public",
                format!("{address} is not a public address"),
            ))),
            Err(fault) => Some(Err(Miss::Transient(fault.to_string()))),
        }
    }

    fn got(&self, reply: WebReply, is_unchanged: bool) -> Got {
        Got {
            address: self.address.clone(),
            is_unchanged,
            reply,
        }
    }

    /// Goes where a reply points to, if that may be asked.
    fn follow(&mut self, location: &str) -> Option<Miss> {
        if self.hops == MOST_HOPS {
            let why = format!("{} leads on after {MOST_HOPS} redirects", self.first);
            return Some(Miss::Refused("redirects", why));
        }
        self.hops += 1;
        match self.policy.follow(&self.address, location) {
            Ok(address) => {
                self.address = address;
                None
            }
            Err(reason) => {
                let shown: String = location
                    .chars()
                    .filter(|letter| !letter.is_control())
                    .take(200)
                    .collect();
                let why = format!("it leads to {shown}, and {reason}");
                Some(Miss::Refused(reason.code(), why))
            }
        }
    }

    /// Tries once more, after a while.
    fn again(&mut self, why: String, asked: Option<Duration>, jitter: &mut Jitter) -> Option<Miss> {
        self.attempts += 1;
        if let Some(asked) = asked.filter(|asked| *asked > LONGEST_ASKED) {
            let why = format!("{why}, and asks to wait {} s", asked.as_secs());
            return Some(Miss::Transient(why));
        }
        if self.attempts >= self.most_attempts {
            return Some(Miss::Transient(why));
        }
        let most = FIRST_WAIT
            .saturating_mul(1 << (self.attempts - 1).min(16))
            .min(LONGEST_WAIT);
        let wait = jitter.up_to(most).max(asked.unwrap_or_default());
        self.wait = Some(wait);
        None
    }
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
