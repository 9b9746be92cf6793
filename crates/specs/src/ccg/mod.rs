//! Code Context Graph 0.2: the graph as a dataset of four layers, and what one can ask, compare and allow of it.

pub mod access;
pub mod dataset;
mod export;
pub mod bundle;
pub mod get;
mod gzip;
pub mod diff;
mod identity;
pub mod nquads;
mod open;
mod own;
pub mod query;
pub mod select;
mod vocabulary;

pub use export::{ExportArguments, ExportFull, ExportFullRequest, ExportIndex, ExportIndexRequest, ExportReport};
pub mod source;
#[cfg(test)]
mod stubs;
pub mod validate;

pub use gzip::GzipWriter;
pub use identity::{Identity, parse_remote};
pub use vocabulary::{PREFIXES, Word};
