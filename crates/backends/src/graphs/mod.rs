//! Published graphs as files: the bodies of a registry, and graphs that were fetched for the user.

mod bodies;
mod compressed;
mod fetched;

pub use bodies::BodyDirectory;
pub use fetched::KeptGraphs;
