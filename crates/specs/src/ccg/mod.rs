//! Code Context Graph 0.2: the graph as a dataset of four layers, and what one can ask, compare and allow of it.

pub mod diff;
mod identity;

pub use identity::{Identity, parse_remote};
