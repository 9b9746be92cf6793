//! What the ports of all stores share: how a unit of work returns a value, and the store of a process that has none.

#[cfg(any(test, feature = "testing"))]
use std::sync::{Mutex, MutexGuard};

use super::error::{ErrorKind, OpError};

/// The result of a request to a store.
pub type Got<T> = Result<T, OpError>;

/// Runs a unit of work of a store and returns the value that the work computed.
///
/// A port takes work that returns nothing, so that a trait object can implement it. `unit` passes that work to the port
/// and puts the value into its argument. A store may run the work again; the last value counts.
pub fn value_of_unit<T>(unit: impl FnOnce(&mut Option<T>) -> Got<()>) -> Got<T> {
    let mut value = None;
    unit(&mut value)?;
    value.ok_or_else(|| OpError::new(ErrorKind::Internal, "the store did not run the unit of work"))
}

/// The error of a store that has no file. `data` names what the store would hold.
pub fn no_store<T>(data: &str) -> Got<T> {
    Err(
        OpError::new(ErrorKind::Unavailable, format!("no file is configured for {data}"))
            .hint("name a file with --db or LORE_DB"),
    )
}

/// A store over a value in memory, for tests: units of work run on a copy of the state.
#[cfg(any(test, feature = "testing"))]
#[derive(Debug, Default)]
pub struct StateInMemory<S>(Mutex<S>);

#[cfg(any(test, feature = "testing"))]
impl<S: Clone> StateInMemory<S> {
    /// The state, locked.
    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.0.lock().expect("because no test panics while it holds the state")
    }

    /// Runs the work on a copy of the state, which is then dropped.
    pub fn trial(&self, work: impl FnOnce(&mut S) -> Got<()>) -> Got<()> {
        let mut state = self.lock().clone();
        work(&mut state)
    }

    /// Runs the work on a copy of the state, which replaces the state if the work succeeds.
    pub fn write(&self, work: impl FnOnce(&mut S) -> Got<()>) -> Got<()> {
        let mut state = self.lock();
        let mut changed = state.clone();
        work(&mut changed)?;
        *state = changed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_returns_the_last_value_of_its_work() {
        let again = value_of_unit(|value| {
            *value = Some(1);
            *value = Some(2);
            Ok(())
        });
        assert_eq!(again, Ok(2));
        assert_eq!(
            value_of_unit::<u8>(|_| no_store("memory")).map_err(|error| error.kind),
            Err(ErrorKind::Unavailable)
        );
        assert_eq!(
            value_of_unit::<u8>(|_| Ok(())).map_err(|error| error.kind),
            Err(ErrorKind::Internal)
        );
    }

    #[test]
    fn a_state_in_memory_keeps_only_what_a_successful_write_changed() {
        let store = StateInMemory::<Vec<u8>>::default();
        store
            .write(|state| {
                state.push(1);
                Ok(())
            })
            .expect("written");
        store
            .trial(|state| {
                state.push(2);
                Ok(())
            })
            .expect("tried");
        let failed = store.write(|state| {
            state.push(3);
            no_store("memory")
        });
        assert!(failed.is_err());
        assert_eq!(*store.lock(), [1]);
    }
}
