//! The clock and the source of new identifiers.

mod editor;

pub use editor::SystemEditor;

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lore_model::Cancel;
use lore_seam::{Alarm, Clock, ErrorKind, Ids, OpError};
use uuid::Uuid;

/// The machine's clock, or a fixed time for reproducible output.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock {
    stands_at: Option<u64>,
}

impl SystemClock {
    /// A fixed clock, in seconds since 1970.
    pub fn standing_at(seconds: u64) -> Self {
        Self {
            stands_at: Some(seconds.saturating_mul(1_000)),
        }
    }
}

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        self.stands_at.unwrap_or_else(machine_ms)
    }

    fn wait(&self, time: Duration, cancel: &Cancel) -> bool {
        let start = Instant::now();
        while !cancel.is_cancelled() {
            match time.checked_sub(start.elapsed()) {
                None | Some(Duration::ZERO) => return true,
                Some(left) => std::thread::sleep(left.min(LOOK)),
            }
        }
        false
    }

    fn after(&self, time: Duration, ring: Box<dyn FnOnce() + Send>) -> Box<dyn Alarm> {
        let (dropped, wait) = mpsc::channel();
        std::thread::spawn(move || {
            if wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                ring();
            }
        });
        Box::new(ThreadAlarm { _dropped: dropped })
    }

    fn within(&self, time: Duration, cancel: &Cancel, work: Box<dyn FnOnce() + Send>) -> Result<bool, OpError> {
        let refused = |message: String| OpError::new(ErrorKind::Unavailable, message);
        if LEFT_TO_THEMSELVES.load(Ordering::Relaxed) >= MAX_LEFT {
            let message = format!("{MAX_LEFT} queries that exceeded their time limit are still running");
            return Err(refused(message).hint("wait, or restart lore"));
        }
        let (done, wait) = mpsc::channel();
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || {
                work();
                if done.send(()).is_err() {
                    LEFT_TO_THEMSELVES.fetch_sub(1, Ordering::Relaxed);
                }
            })
            .map_err(|error| refused(format!("cannot start a thread: {error}")).because(error))?;
        let start = Instant::now();
        let ended = loop {
            let left = time.saturating_sub(start.elapsed());
            if wait.recv_timeout(left.min(LOOK)) != Err(RecvTimeoutError::Timeout) {
                break true;
            }
            if cancel.is_cancelled() || start.elapsed() >= time {
                break false;
            }
        };
        if !ended {
            LEFT_TO_THEMSELVES.fetch_add(1, Ordering::Relaxed);
        }
        Ok(ended)
    }
}

/// Time between two checks for cancellation.
const LOOK: Duration = Duration::from_millis(50);

/// Work that did not end in time and still runs, and how much of it there may be.
static LEFT_TO_THEMSELVES: AtomicU64 = AtomicU64::new(0);
const MAX_LEFT: u64 = 4;
/// Bytes of stack for such work.
const STACK: usize = 64 << 20;

/// Milliseconds since 1970, by the machine.
fn machine_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}

/// A thread that waits; when this is dropped it ends without ringing.
struct ThreadAlarm {
    _dropped: Sender<()>,
}

impl Alarm for ThreadAlarm {}

/// Identifiers that sort by the time they were made: milliseconds, process, count.
#[derive(Debug, Default)]
pub struct SystemIds {
    count: AtomicU64,
}

impl Ids for SystemIds {
    fn fresh(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{:012x}-{:08x}-{count:04x}", machine_ms(), std::process::id())
    }

    fn random(&self) -> [u8; 16] {
        // Every `RandomState` has keys of its own from the system.
        let half = || RandomState::new().hash_one((self.fresh(), SystemTime::now()));
        ((u128::from(half()) << 64) | u128::from(half())).to_be_bytes()
    }

    fn uuid(&self) -> [u8; 16] {
        Uuid::now_v7().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_of_version_7_and_grow() {
        let ids = SystemIds::default();
        let before = machine_ms();
        let made: Vec<[u8; 16]> = (0..10_000).map(|_| ids.uuid()).collect();
        assert!(made.is_sorted_by(|a, b| a < b));
        for id in &made {
            assert_eq!((id[6] >> 4, id[8] >> 6), (7, 2));
            let mut time = [0; 8];
            time[2..].copy_from_slice(&id[..6]);
            assert!((before..before + 10_000).contains(&u64::from_be_bytes(time)));
        }
    }

    #[test]
    fn two_processes_make_different_identifiers() {
        let (one, other) = (SystemIds::default(), SystemIds::default());
        let random = |id: [u8; 16]| id[8..].to_vec();
        assert_ne!(random(one.uuid()), random(other.uuid()));
    }
}
