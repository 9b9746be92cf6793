//! Every touch of the outside world: disk, git, clock. Implements the ports that `lore-specs` and `lore-index` declare.

mod cache;
mod directory;
mod git;
mod map;
mod repository;
mod system;
mod watch;

pub use cache::StatTable;
pub use directory::{DirectoryTree, TreePatterns};
pub use git::RevisionTree;
pub use repository::{DefaultsOf, IndexDefaults, Repository, RepositoryOptions, resolve_root};
pub use system::{SystemClock, SystemIds};
