//! The store of a registry: what is known of each repository, and the ports behind which it is kept.
//!
//! [`entry`] is what is known of one repository and [`status`] the state of one graph. [`store`] is the port for entries,
//! jobs, visits and events, [`bodies`] the port for graph bodies, [`clones`] the port for clones on this machine, and
//! [`local_repositories`] the port for repositories that were registered by their directory.
//! [`facets`] defines by what every store filters, counts and searches. The consumer asks this store first; the
//! aggregator that fills it is the crate `lore-registry`.

pub mod bodies;
pub mod clones;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
pub mod entry;
pub mod facets;
pub mod local_repositories;
#[cfg(any(test, feature = "contract"))]
pub mod shelf;
pub mod similar_ids;
pub mod status;
pub mod store;
