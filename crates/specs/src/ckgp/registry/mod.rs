//! The aggregator: a registry that visits producers, judges what they publish, and publishes an index of it (clauses A1 to A9, R1 to R7, S1 to S6, S9 to S11).
//!
//! [`entry`] is what is known of one repository, [`status`] how a graph is; [`store`] is the port behind which entries, jobs, visits and events are kept, [`bodies`] the one for
//! bodies and [`clones`] the one for clones on this machine. [`facets`] says what every store filters, counts and searches by. [`visit`] decides what becomes of an entry, by the [`formats`] of the registry, [`schedule`] when it is
//! visited again and [`hosts`] who is to be left alone; [`sync`] visits many at once, and [`sweep`] takes away the bodies that nobody holds. [`documents`] is what is published, [`render`] writes it to a directory, and [`commands`] is what else one
//! asks of a registry.

pub mod bodies;
pub mod clones;
pub mod commands;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod crew;
pub mod documents;
pub mod entry;
pub mod facets;
pub mod formats;
pub mod hosts;
pub mod render;
pub mod schedule;
#[cfg(any(test, feature = "contract"))]
pub mod shelf;
pub mod status;
pub mod store;
pub mod sweep;
pub mod sync;
mod sync_operation;
pub mod visit;
pub mod words;

pub use self::sync_operation::{RegistrySync, RegistrySyncRequest};
