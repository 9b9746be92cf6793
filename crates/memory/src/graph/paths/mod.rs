//! Which atoms a path belongs to.

mod glob;
mod index;
mod matcher;
pub mod normal;

pub use glob::{Fault, Glob};
pub use index::PatternIndex;

/// Whether a pattern could be written here. An import may bring one that could not; it is kept, and matches nothing.
pub fn is_pattern(text: &str) -> bool {
    !text.trim().is_empty() && normal::fault(text).is_none() && Glob::new(text).is_ok()
}
