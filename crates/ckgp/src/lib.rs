//! The Code-Knowledge-Graph Protocol: publishing, finding and reading graphs of repositories.
//!
//! [`formats`] defines the bodies of each format and [`body`] validates a body. [`record`] is the discovery record of a
//! repository, [`forge`] its address, [`policy`] the rules for addresses, [`fetch`] the fetching of one document, [`head`]
//! the tip of a branch and [`time`] the notation of times. [`publish`] is the producer, [`convert`] converts the output of
//! other tools, [`consumer`] finds and fetches graphs, [`open`] makes a code graph of a fetched body, and
//! [`registry_store`] is the store of the aggregator.

pub mod body;
pub mod consumer;
pub mod convert;
pub mod fetch;
pub mod forge;
pub mod format;
pub mod formats;
pub mod graphs;
pub mod head;
pub mod open;
mod operations;
pub mod policy;
pub mod publish;
pub mod record;
pub mod registry_store;
pub mod time;

pub use self::format::{Commit, FormatId};
pub use self::operations::OPERATIONS;
