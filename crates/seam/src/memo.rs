//! `Memo`: an in-process cache of values computed from files, so that a server does not parse the same file for each
//! request.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::OpError;

/// Most values in the cache. Beyond it, the least recently used value is evicted.
const MOST: usize = 32;

/// An LRU cache of computed values, each with the stamp of its input. A value with another stamp is never returned.
#[derive(Default)]
pub struct Memo {
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    by_key: BTreeMap<String, Made>,
    uses: u64,
}

struct Made {
    stamp: u64,
    last_used: u64,
    value: Arc<dyn Any + Send + Sync>,
}

impl Memo {
    /// Returns the cached value for a key and stamp, or computes it. Concurrent callers may both compute it.
    pub fn get_or<T: Any + Send + Sync>(
        &self,
        key: &str,
        stamp: u64,
        make: impl FnOnce() -> Result<T, OpError>,
    ) -> Result<Arc<T>, OpError> {
        if let Some(value) = self.get(key, stamp) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        self.put(key, stamp, Arc::clone(&value) as Arc<dyn Any + Send + Sync>);
        Ok(value)
    }

    fn get<T: Any + Send + Sync>(&self, key: &str, stamp: u64) -> Option<Arc<T>> {
        let mut held = self.held.lock().ok()?;
        held.uses += 1;
        let uses = held.uses;
        let made = held.by_key.get_mut(key).filter(|made| made.stamp == stamp)?;
        made.last_used = uses;
        Arc::clone(&made.value).downcast().ok()
    }

    fn put(&self, key: &str, stamp: u64, value: Arc<dyn Any + Send + Sync>) {
        let Ok(mut held) = self.held.lock() else {
            return;
        };
        let last_used = held.uses;
        let made = Made {
            stamp,
            last_used,
            value,
        };
        held.by_key.insert(key.to_owned(), made);
        while held.by_key.len() > MOST {
            let oldest = held.by_key.iter().min_by_key(|(_, made)| made.last_used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            held.by_key.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn what_was_made_of_the_same_file_is_not_made_again() {
        let memo = Memo::default();
        let mut made = Vec::new();
        for (key, stamp) in [("a", 1), ("a", 1), ("b", 1), ("a", 2), ("a", 1)] {
            let value = memo.get_or(key, stamp, || {
                made.push(format!("{key}{stamp}"));
                Ok(format!("{key}{stamp}"))
            });
            assert_eq!(value.map(|value| value.to_string()).ok(), Some(format!("{key}{stamp}")));
        }
        assert_eq!(made, ["a1", "b1", "a2", "a1"]);
    }

    #[test]
    fn what_could_not_be_made_is_tried_again_and_the_longest_unused_goes() {
        let memo = Memo::default();
        let fails: Result<Arc<u8>, _> = memo.get_or("a", 1, || Err(OpError::new(ErrorKind::Invalid, "no")));
        assert!(fails.is_err());
        for number in 0..MOST + 1 {
            let first = memo.get_or("first", 0, || Ok(number));
            assert_eq!(first.ok().as_deref(), Some(&0), "it is used each time and stays");
            let other = memo.get_or(&number.to_string(), 0, || Ok(number));
            assert_eq!(other.ok().as_deref(), Some(&number));
        }
        assert_eq!(memo.get_or("0", 0, || Ok(99_usize)).ok().as_deref(), Some(&99));
    }
}
