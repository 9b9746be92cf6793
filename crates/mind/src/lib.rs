//! The mind graph (git-mind's schema, version 1): decisions and work as nodes and edges. They are stored in the git of the repository and merge without conflicts.
//!
//! `patch` encodes changes, `fold` computes the meaning of a set of patches, questions read [`graph::Graph`], and `changes` diffs the desired state against the
//! graph. `docs/specs/mind.md` lists decisions about the specification.

pub mod arguments;
pub mod as_of;
pub mod at;
pub mod changes;
#[cfg(test)]
mod command_tests;
pub mod confidence;
pub mod cycles;
pub mod dataset;
pub mod diff;
pub mod directives;
pub mod doctor;
pub mod edge;
pub mod edge_line;
pub mod edges;
pub mod export;
pub mod fold;
pub mod graph;
pub mod hook;
pub mod id;
pub mod import;
pub mod init;
pub mod json;
pub mod limits;
pub mod link;
#[cfg(any(test, feature = "testing"))]
pub mod memory_log;
pub mod merge;
pub mod nodes;
pub mod open;
mod operations;
pub mod patch;
pub mod patch_log;
pub mod prefix;
pub mod process_commit;
#[cfg(test)]
mod question_tests;
pub mod raw_patch;
mod record;
pub mod remote_name;
pub mod remove_node;
pub mod review;
pub mod set;
pub mod status;
pub mod sync;
#[cfg(test)]
pub(crate) mod testing;
pub mod time;
pub mod tree;
pub mod unlink;
pub mod unset;
pub mod value;
pub mod view;
pub mod warnings;
pub mod wire;
pub mod write;

pub use self::changes::{Changes, EdgePut, Field};
pub use self::confidence::Confidence;
pub use self::edge::EdgeType;
pub use self::fold::Fold;
pub use self::graph::Graph;
pub use self::id::NodeId;
pub use self::operations::OPERATIONS;
pub use self::time::Time;
pub use self::value::Json;
