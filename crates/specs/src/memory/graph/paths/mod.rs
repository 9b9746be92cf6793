//! Which atoms a path belongs to.

mod index;

pub use index::PatternIndex;
