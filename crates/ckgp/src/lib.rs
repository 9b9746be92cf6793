//! The Code-Knowledge-Graph Protocol: graphs of repositories that are published, found and read.
//!
//! [`formats`] says what a body of each format is, [`body`] judges one. [`record`] is what a repository says of its
//! graphs, [`forge`] where such a record stands, [`policy`] which addresses may be asked, [`fetch`] how one document is asked for, [`head`] how the tip of a branch is, [`time`] how times are written. [`publish`] is the producer, [`convert`] makes bodies of what other
//! tools write, [`consumer`] finds and fetches, [`open`] makes a code graph of a fetched body, [`registry`] is the aggregator.

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
