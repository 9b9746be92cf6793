//! Every touch of the outside world: disk, SQL, git, the web, clock. Implements the ports that `lore-specs` and `lore-index` declare.

mod bodies;
mod cache;
mod confined_files;
mod directory;
mod durable;
mod editor;
mod files;
mod foreign;
mod git;
mod graphs;
mod kept;
mod map;
mod packed;
mod ports;
mod repository;
mod repository_files;
mod sql;
mod system;
mod watch;
mod web;

pub use bodies::BodyDirectory;
pub use cache::StatTable;
pub use confined_files::ConfinedFiles;
pub use directory::{DirectoryTree, TreePatterns};
pub use editor::SystemEditor;
pub use files::SystemFiles;
pub use foreign::{ForeignGraph, ForeignPlace, Named, NoFiles, named};
pub use git::{GitClones, RevisionTree};
pub use graphs::KeptGraphs;
pub use kept::{AuditFile, FetchedPages};
pub use ports::ports;
pub use repository::{DefaultsOf, IndexDefaults, Repository, RepositoryOptions, resolve_root};
pub use repository_files::RepositoryFiles;
pub use sql::{SqlMemory, SqlRegistry};
pub use system::{SystemClock, SystemIds};
pub use web::{OwnHosts, SystemWeb};
