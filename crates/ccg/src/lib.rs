//! Code Context Graph 0.2: the graph as a dataset of four layers, and what one can ask, compare and allow of it.

pub mod access;
pub mod bundle;
pub mod constraints;
pub mod dataset;
pub mod diff;
mod export;
mod export_all;
pub mod get;
mod gzip;
mod identity;
pub mod layers;
pub mod nquads;
mod open;
mod operations;
mod output;
mod own;
pub mod query;
mod resources;
pub mod select;
pub mod source;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod validate;
pub mod verify;
mod vocabulary;

pub use self::operations::OPERATIONS;
pub use export::{ExportArguments, ExportFull, ExportFullRequest, ExportIndex, ExportIndexRequest, ExportReport};
pub use export_all::{BundleReport, BundleRequest, BundledFile, ExportBundle};
pub use gzip::GzipWriter;
pub use identity::{Identity, parse_remote};
pub use open::Publishing;
pub use resources::RESOURCES;
pub use vocabulary::{PREFIXES, Word};
