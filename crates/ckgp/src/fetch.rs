//! A state machine without I/O that fetches one document: redirects, retries and waits (clauses C2, S2, S4, S5).

use std::sync::Arc;
use std::time::Duration;

use super::policy::{Address, HostPolicy};
use lore_base::excerpt::excerpt;
use lore_seam::{Deadline, Web, WebFault, WebPhase, WebReply};

/// Redirects that are followed.
pub const MOST_HOPS: u8 = 5;
/// How often something is tried.
pub const ATTEMPTS: u32 = 3;
/// The most that is waited before the second attempt; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The most that is waited before any attempt.
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// The deadline for one document, with all attempts, redirects and waits (`lore graph`, `lore registry verify`).
pub const CONSUMER_TIME: Duration = Duration::from_secs(60);
/// The time for one document of a visit of `lore registry sync`, with all attempts, redirects and waits.
pub const REGISTRY_TIME: Duration = Duration::from_secs(30);

/// How much is borne with before something is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// How often it is tried.
    pub attempts: u32,
    /// The most that a server may ask to wait; who asks for more is not waited for.
    pub longest_asked: Duration,
    /// The time for all of it.
    pub total: Duration,
    /// Whether every failure is tried again, or only a connection that failed and a status that says that it is for now (408, 429, 5xx).
    pub retries_all: bool,
}

impl Patience {
    /// The patience of a user who waits for one graph (clause C2).
    pub const CONSUMER: Self = Self {
        attempts: ATTEMPTS,
        longest_asked: Duration::from_secs(30),
        total: CONSUMER_TIME,
        retries_all: true,
    };
    /// That of a registry, which has others to visit (step 4 of a visit).
    pub const REGISTRY: Self = Self {
        attempts: ATTEMPTS,
        longest_asked: Duration::from_secs(5),
        total: REGISTRY_TIME,
        retries_all: false,
    };
}

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
        let most = u64::try_from(most.as_millis()).unwrap_or(u64::MAX);
        Duration::from_millis(self.below(most.saturating_add(1)))
    }

    /// A number below another one, all of them alike.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Sebastiano Vigna's splitmix64: good enough to spread, and the same for the same seed.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        mixed.checked_rem(bound).unwrap_or(0)
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
    Transient(Trouble),
}

/// Why something may go well another time, and not now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// In one word: the status, or the name of the fault.
    pub code: String,
    /// For people.
    pub why: String,
    /// Whether there was no reply at all.
    pub is_fault: bool,
}

impl Trouble {
    fn fault(code: &str, why: String) -> Self {
        Self {
            code: code.to_owned(),
            why,
            is_fault: true,
        }
    }
}

impl Miss {
    /// Why, for people.
    pub fn why(&self) -> String {
        match self {
            Self::Absent => "not found (404)".to_owned(),
            Self::Gone => "gone (410)".to_owned(),
            Self::Refused(_, why) => format!("not fetched: {why}"),
            Self::TooLarge => "it is too large".to_owned(),
            Self::Transient(trouble) => trouble.why.clone(),
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
    patience: Patience,
    hops: u8,
    wait: Option<Duration>,
    deadline: Option<Arc<dyn Deadline>>,
    is_conditional: bool,
    moved: Option<Address>,
}

impl Fetch {
    /// A document at an address, which may lead on to what the policy admits.
    pub fn new(policy: HostPolicy, address: Address) -> Self {
        Self {
            policy,
            first: address.clone(),
            address,
            attempts: 0,
            patience: Patience::CONSUMER,
            hops: 0,
            wait: None,
            deadline: None,
            is_conditional: false,
            moved: None,
        }
    }

    /// The same, tried only so often.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.patience.attempts = attempts;
        self
    }

    /// The same, with so much patience.
    #[must_use]
    pub fn patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// The same, where something is there already.
    #[must_use]
    pub fn conditional(self, is_conditional: bool) -> Self {
        Self { is_conditional, ..self }
    }

    /// The time for all of it, which begins when it is first asked for.
    pub fn deadline(&mut self, web: &dyn Web) -> Arc<dyn Deadline> {
        let total = self.patience.total;
        Arc::clone(self.deadline.get_or_insert_with(|| web.deadline(total)))
    }

    /// How long to wait before asking.
    pub fn wait(&mut self) -> Option<Duration> {
        self.wait.take()
    }

    /// What to ask.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Where it has moved to for good, if a server said so (301, 308); the last one that did.
    pub fn moved(&self) -> Option<&Address> {
        self.moved.as_ref()
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
                let is_for_good = matches!(reply.status, 301 | 308);
                self.follow(&reply.location.unwrap_or_default(), is_for_good).map(Err)
            }
            Ok(reply) => {
                let asked = reply.retry_after.map(|after| after.from_now(now_ms));
                let trouble = Trouble {
                    code: reply.status.to_string(),
                    why: format!("{} answers {}", self.address, reply.status),
                    is_fault: false,
                };
                let is_for_now = matches!(reply.status, 408 | 429 | 500..);
                if is_for_now || self.patience.retries_all {
                    self.again(trouble, asked, jitter).map(Err)
                } else {
                    Some(Err(Miss::Transient(trouble)))
                }
            }
            Err(WebFault::TooLarge { .. }) => Some(Err(Miss::TooLarge)),
            Err(fault) if fault.is_transient() => {
                let trouble = Trouble::fault(fault.code(), format!("{}: {fault}", self.address));
                if self.patience.retries_all || is_of_connection(&fault) {
                    self.again(trouble, None, jitter).map(Err)
                } else {
                    Some(Err(Miss::Transient(trouble)))
                }
            }
            Err(WebFault::Offline) => {
                let why = "the network is not available here".to_owned();
                Some(Err(Miss::Transient(Trouble::fault("offline", why))))
            }
            Err(WebFault::Refused(code, why)) => Some(Err(Miss::Refused(code, why))),
            Err(WebFault::NotPublic(address)) => Some(Err(Miss::Refused(
                "not_public",
                format!("{address} is not a public address"),
            ))),
            Err(fault) => Some(Err(Miss::Transient(Trouble::fault(fault.code(), fault.to_string())))),
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
    fn follow(&mut self, location: &str, is_for_good: bool) -> Option<Miss> {
        if self.hops == MOST_HOPS {
            let why = format!("{} redirects more than {MOST_HOPS} times", self.first);
            return Some(Miss::Refused("redirects", why));
        }
        self.hops += 1;
        match self.policy.follow(&self.address, location) {
            Ok(address) => {
                if is_for_good {
                    self.moved = Some(address.clone());
                }
                self.address = address;
                None
            }
            Err(reason) => {
                let shown = excerpt(location, 200);
                let why = format!("it redirects to {shown}, and {reason}");
                Some(Miss::Refused(reason.code(), why))
            }
        }
    }

    /// Tries once more, after a while.
    fn again(&mut self, mut trouble: Trouble, asked: Option<Duration>, jitter: &mut Jitter) -> Option<Miss> {
        self.attempts += 1;
        if let Some(asked) = asked.filter(|asked| *asked > self.patience.longest_asked) {
            trouble
                .why
                .push_str(&format!(" and asks to wait {} s", asked.as_secs()));
            return Some(Miss::Transient(trouble));
        }
        if self.attempts >= self.patience.attempts {
            return Some(Miss::Transient(trouble));
        }
        let most = FIRST_WAIT
            .saturating_mul(1 << (self.attempts - 1).min(16))
            .min(LONGEST_WAIT);
        let wait = jitter.up_to(most).max(asked.unwrap_or_default());
        // An attempt that could only begin when the time is over is none.
        if self.deadline.as_ref().is_some_and(|deadline| deadline.left() <= wait) {
            trouble.why.push_str(", and no time is left to retry");
            return Some(Miss::Transient(trouble));
        }
        self.wait = Some(wait);
        None
    }
}

/// Whether a connection failed. A server that took its time, or answered with nonsense, would do so again.
fn is_of_connection(fault: &WebFault) -> bool {
    match fault {
        WebFault::Dns | WebFault::Connect(_) | WebFault::Reset(_) => true,
        WebFault::Timeout(phase) => matches!(phase, WebPhase::Resolve | WebPhase::Connect),
        _ => false,
    }
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
