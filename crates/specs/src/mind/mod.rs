//! The mind graph (git-mind's schema, version 1): decisions and work as nodes and edges that are kept in the repository's own git and merged without conflicts.
//!
//! `patch` is how changes are written, `fold` what a set of patches says, [`graph::Graph`] what everybody reads, `changes` how a wish becomes the operations that
//! are missing. How the text is read stands in `docs/specs/mind.md`.

pub mod as_of;
pub mod changes;
pub mod confidence;
pub mod cycles;
pub mod diff;
pub mod directives;
pub mod edge;
pub mod export;
pub mod fold;
pub mod graph;
pub mod id;
pub mod import;
pub mod json;
pub mod limits;
pub mod open;
pub mod patch;
pub mod prefix;
pub mod status;
#[cfg(test)]
mod testing;
pub mod time;
pub mod tree;
pub mod value;
pub mod view;
pub mod write;

pub use self::changes::{Changes, EdgePut, Field};
pub use self::confidence::Confidence;
pub use self::edge::EdgeType;
pub use self::fold::Fold;
pub use self::graph::Graph;
pub use self::id::NodeId;
pub use self::time::Time;
pub use self::value::Json;
