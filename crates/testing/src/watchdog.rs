//! Ends a test program that hangs. A test under nextest is killed by nextest; under plain `cargo test` nothing else looks.
//!
//! Two things are watched. A piece of work that cannot be waited for with a deadline, such as the end of scoped threads, has
//! `DEADLINE`. A test that has called a function of this crate has `LIMIT` from its last such call to its end or its next call.
//! If either is exceeded, the watchdog names it and aborts the program: a thread that waits cannot be stopped.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use crate::deadline::DEADLINE;
use crate::property::is_long;

/// How long a test may run without a call of this crate. As long as `.config/nextest.toml` gives a whole test.
const LIMIT: Duration = Duration::from_secs(600);
/// The same in a long run.
const LONG_LIMIT: Duration = Duration::from_secs(6 * 3600);
/// How often the watchdog looks.
const LOOK: Duration = Duration::from_secs(1);

/// What is under way, and when it has to be over.
struct Watched {
    what: String,
    since: Instant,
    limit: Duration,
}

static WATCHED: Mutex<(u64, BTreeMap<u64, Watched>)> = Mutex::new((0, BTreeMap::new()));

/// Scoped threads as `std::thread::scope` has them, whose end has a deadline.
pub fn scope<'env, T>(what: &str, work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T) -> T {
    within(what, || std::thread::scope(work))
}

/// Does something that must be over before the deadline. What exceeds it ends the test program with a message.
pub fn within<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let test = std::thread::current().name().unwrap_or("a thread").to_owned();
    let _entry = Entry::new(format!("{test}: {what}"), DEADLINE);
    work()
}

/// Notes that the test of this thread goes on.
pub(crate) fn goes_on() {
    thread_local! {
        static OWN: RefCell<Option<Entry>> = const { RefCell::new(None) };
    }
    // The harness names the threads of tests. Threads without a name may wait for work as long as the program runs.
    let thread = std::thread::current();
    let Some(test) = thread.name() else { return };
    let limit = if is_long() { LONG_LIMIT } else { LIMIT };
    let _ = OWN.try_with(|own| {
        let mut own = own.borrow_mut();
        match own.as_ref() {
            Some(entry) => entry.renew(),
            None => *own = Some(Entry::new(test.to_owned(), limit)),
        }
    });
}

/// Something that is watched until it is dropped.
struct Entry(u64);

impl Entry {
    fn new(what: String, limit: Duration) -> Self {
        static START: Once = Once::new();
        START.call_once(|| drop(std::thread::spawn(watch)));
        let mut watched = lock();
        watched.0 += 1;
        let id = watched.0;
        let since = Instant::now();
        watched.1.insert(id, Watched { what, since, limit });
        Self(id)
    }

    fn renew(&self) {
        if let Some(watched) = lock().1.get_mut(&self.0) {
            watched.since = Instant::now();
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        lock().1.remove(&self.0);
    }
}

fn lock() -> MutexGuard<'static, (u64, BTreeMap<u64, Watched>)> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    loop {
        std::thread::sleep(LOOK);
        let late = overdue(lock().1.values(), Instant::now());
        if let Some(late) = late {
            end(&late);
        }
    }
}

/// What exceeds its limit, if anything does.
fn overdue<'a>(mut watched: impl Iterator<Item = &'a Watched>, now: Instant) -> Option<String> {
    let late = watched.find(|watched| now.duration_since(watched.since) > watched.limit)?;
    let seconds = late.limit.as_secs();
    Some(format!("{}: it hangs; nothing for {seconds} s", late.what))
}

fn end(message: &str) -> ! {
    use std::io::Write;
    // `eprintln!` would be captured with the output of a test.
    let _ = writeln!(
        std::io::stderr(),
        "\nthe watchdog of lore-testing ends this program: {message}"
    );
    std::process::abort()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_exceeds_its_limit_is_overdue() {
        let now = Instant::now();
        let watched = |what: &str, seconds: u64| Watched {
            what: what.to_owned(),
            since: now,
            limit: Duration::from_secs(seconds),
        };
        let all = [watched("quick", 5), watched("slow", 50)];
        assert_eq!(overdue(all.iter(), now + Duration::from_secs(5)), None);
        let said = overdue(all.iter(), now + Duration::from_secs(6));
        assert_eq!(said.as_deref(), Some("quick: it hangs; nothing for 5 s"));
        assert_eq!(overdue(all[1..].iter(), now + Duration::from_secs(6)), None);
    }

    #[test]
    fn what_is_over_is_not_watched_any_more() {
        let is_watched = |what: &str| lock().1.values().any(|watched| watched.what.contains(what));
        let value = scope("a scope of this test", |scope| {
            assert!(is_watched("a scope of this test"));
            crate::join_scoped(scope.spawn(|| 7), "a number")
        });
        assert_eq!(value, 7);
        assert!(!is_watched("a scope of this test"));
        let thread = std::thread::Builder::new().name("a named thread".to_owned());
        let thread = thread.spawn(move || {
            goes_on();
            goes_on();
            lock()
                .1
                .values()
                .filter(|watched| watched.what == "a named thread")
                .count()
        });
        assert_eq!(crate::join(thread.expect("started"), "the named thread"), 1);
        crate::until("the named thread is forgotten", || {
            (!is_watched("a named thread")).then_some(())
        });
    }
}
