//! The aggregator: a registry that visits producers, validates what they publish, and publishes an index of it (clauses A1
//! to A9, R1 to R7, S1 to S6, S9 to S11).
//!
//! The store is `lore_ckgp::registry_store`. [`visit`] decides the outcome of a visit, by the [`formats`] of the registry.
//! [`schedule`] says when an entry is visited again, and [`hosts`] which hosts must not be contacted now. [`sync`] visits
//! many entries at once, and [`sweep`] deletes unreferenced bodies. [`documents`] is what is published, [`render`] writes it
//! to a directory, and [`commands`] holds the other operations.

pub mod commands;
pub mod documents;
pub mod formats;
pub mod hosts;
mod operations;
pub mod render;
pub mod schedule;
pub mod search_text;
pub mod sweep;
pub mod sync;
pub mod visit;
mod worker_pool;

pub use self::operations::OPERATIONS;
