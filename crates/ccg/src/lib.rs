//! Code Context Graph 0.2: the graph as a dataset of four layers, and what one can ask, compare and allow of it.

pub mod access;
pub mod bundle;
pub mod constraints;
pub mod dataset;
pub mod diff;
pub mod export;
pub mod get;
mod gzip;
mod identity;
pub mod layers;
pub mod nquads;
mod open;
mod operations;
mod output;
pub mod query;
mod resources;
pub mod select;
pub mod source;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod this_repository;
pub mod validate;
pub mod verify;
mod vocabulary;

pub use self::operations::OPERATIONS;
pub use gzip::GzipWriter;
pub use identity::{Identity, parse_remote};
pub use open::Publishing;
pub use resources::RESOURCES;
pub use vocabulary::{PREFIXES, Word};
