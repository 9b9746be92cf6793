//! Waiting that ends: for a thread, a message or a condition. A test waits through these functions, or for a process through
//! `process.rs`, so that no test can hang. `cargo xtask tidy` refuses other ways.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::{JoinHandle, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crate::watchdog;

/// How long anything in a test may take. Far longer than it takes on one busy core; it is the end of a test that hangs,
/// not an expectation of speed.
pub const DEADLINE: Duration = Duration::from_secs(240);

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// What a thread returns. A thread that panicked, or that does not end, fails the test.
pub fn join<T>(thread: JoinHandle<T>, what: &str) -> T {
    until(what, || thread.is_finished().then_some(()));
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The same for a thread of `scope`. One that does not end keeps the scope from ending; the watchdog ends the program then.
pub fn join_scoped<T>(thread: ScopedJoinHandle<'_, T>, what: &str) -> T {
    until(what, || thread.is_finished().then_some(()));
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The next message.
pub fn receive<T>(messages: &Receiver<T>, what: &str) -> T {
    watchdog::goes_on();
    match messages.recv_timeout(DEADLINE) {
        Ok(message) => message,
        Err(RecvTimeoutError::Timeout) => exceeded(what),
        Err(RecvTimeoutError::Disconnected) => fail(&format!("{what}: the sender is gone")),
    }
}

/// Looks until there is something.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    watchdog::goes_on();
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
