//! Which atoms a path belongs to.

mod glob;
mod index;
mod matcher;
pub mod normal;

pub use glob::{Fault, Glob};
pub use index::PatternIndex;
