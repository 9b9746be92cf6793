//! Waiting that ends: for a thread, a message or a condition. Whoever waits in a test waits here or for a process in
//! `process.rs`, so that no test can hang.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long anything in a test may take. Far longer than it takes on one busy core; it is the end of a test that hangs,
/// not an expectation of speed.
pub const DEADLINE: Duration = Duration::from_secs(240);

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// What a thread returns. A thread that panicked, or that does not end, fails the test.
pub fn join<T>(thread: JoinHandle<T>, what: &str) -> T {
    until(what, || thread.is_finished().then_some(()));
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The next message.
pub fn receive<T>(messages: &Receiver<T>, what: &str) -> T {
    match messages.recv_timeout(DEADLINE) {
        Ok(message) => message,
        Err(RecvTimeoutError::Timeout) => exceeded(what),
        Err(RecvTimeoutError::Disconnected) => fail(&format!("{what}: the sender is gone")),
    }
}

/// Looks until there is something.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        if start.elapsed() > DEADLINE {
            exceeded(what);
        }
        std::thread::sleep(LOOK);
    }
}

/// Fails the test that waited for something too long.
pub(crate) fn exceeded(what: &str) -> ! {
    fail(&format!("{what}: nothing within {} s", DEADLINE.as_secs()))
}

#[expect(clippy::panic, reason = "it fails a test")]
pub(crate) fn fail(message: &str) -> ! {
    panic!("{message}")
}
