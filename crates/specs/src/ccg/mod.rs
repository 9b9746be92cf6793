//! Code Context Graph 0.2: the graph as a dataset of four layers, and what one can ask, compare and allow of it.

pub mod dataset;
mod export;
mod identity;
pub mod layers;
pub mod nquads;
mod open;
pub mod query;
#[cfg(test)]
mod testing;
mod vocabulary;

pub use export::{ExportArguments, ExportFull, ExportFullRequest, ExportIndex, ExportIndexRequest, ExportReport};
pub use identity::{Identity, parse_remote};
pub use vocabulary::{PREFIXES, Word};
