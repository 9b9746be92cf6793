//! `Bodies`: the port for compressed bodies by digest (section 8; amendment to the storing of bodies).

use std::time::Duration;

use lore_seam::{ErrorKind, OpError, Port};

/// Bodies by their SHA-256. What is there is whole: a body is put in its place in one step.
pub trait Bodies: Send + Sync {
    /// The body with a SHA-256, in hexadecimal; `None` if it is not stored or damaged.
    fn get(&self, digest: &str) -> Result<Option<Vec<u8>>, OpError>;

    /// Whether a body is kept.
    fn has(&self, digest: &str) -> bool;

    /// Keeps a body under its SHA-256, which whoever gives it has made; how many bytes that takes. One that is there already is left as it is, and
    /// counts as put now.
    fn put(&self, digest: &str, body: &[u8]) -> Result<u64, OpError>;

    /// Takes a body away; whether it was there.
    fn discard(&self, digest: &str) -> Result<bool, OpError>;

    /// Takes a body away unless it was put within a time; whether it was taken away.
    fn discard_old(&self, digest: &str, age: Duration) -> Result<bool, OpError>;

    /// The digests of all bodies, in order, and what they take.
    fn all(&self) -> Result<Vec<(String, u64)>, OpError>;

    /// The digests of the bodies that were not put within a time, in order.
    fn old(&self, age: Duration) -> Result<Vec<String>, OpError>;
}

/// Where no bodies are kept.
pub struct NoBodies;

impl Bodies for NoBodies {
    fn get(&self, _: &str) -> Result<Option<Vec<u8>>, OpError> {
        Ok(None)
    }

    fn has(&self, _: &str) -> bool {
        false
    }

    fn put(&self, _: &str, _: &[u8]) -> Result<u64, OpError> {
        Err(OpError::new(
            ErrorKind::Unavailable,
            "no directory for bodies is configured",
        ))
    }

    fn discard(&self, _: &str) -> Result<bool, OpError> {
        Ok(false)
    }

    fn discard_old(&self, _: &str, _: Duration) -> Result<bool, OpError> {
        Ok(false)
    }

    fn all(&self) -> Result<Vec<(String, u64)>, OpError> {
        Ok(Vec::new())
    }

    fn old(&self, _: Duration) -> Result<Vec<String>, OpError> {
        Ok(Vec::new())
    }
}

impl Port for dyn Bodies {
    fn absent() -> &'static Self {
        &NoBodies
    }
}
