//! Code Context Graph 0.2: the graph as a dataset of four layers, and what one can ask, compare and allow of it.

pub mod bundle;
pub mod dataset;
pub mod get;
mod gzip;
mod identity;
pub mod nquads;
mod open;
mod own;
pub mod query;
pub mod source;
#[cfg(test)]
mod stubs;
pub mod validate;
mod vocabulary;

pub use gzip::GzipWriter;
pub use identity::{Identity, parse_remote};
pub use vocabulary::{PREFIXES, Word};
