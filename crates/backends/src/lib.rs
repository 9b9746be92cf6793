//! All access to the outside world: disk, SQL, git, the web, clock. Implements the ports that the crates of the specifications, `lore-seam` and `lore-index` declare.
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests make files"))]

mod cache;
mod files;
mod foreign;
mod git;
mod graphs;
mod ports;
mod repository;
mod repository_paths;
mod safe_fs;
mod sql;
mod system;
mod tree;
mod web;

pub use cache::{CachedDirectory, FetchedPages, StatTable, found_in_segment, read_history};
pub use files::{AuditFile, ConfinedFiles, RepositoryFiles, SystemFiles, committed_audit_log};
pub use foreign::{ForeignGraph, ForeignPlace, Named, NoFiles, named};
pub use git::{GitClones, RevisionTree};
pub use graphs::{BodyDirectory, KeptGraphs};
pub use ports::ports;
pub use repository::{DEFAULT_CACHE_LIMIT, DefaultsOf, Repository, RepositoryOptions, resolve_root};
pub use repository_paths::repository_paths;
pub use safe_fs::{read_bounded_file, read_bounded_own_file};
pub use sql::{SqlMemory, SqlRegistry};
pub use system::{SystemClock, SystemEditor, SystemIds};
pub use tree::{
    DirectoryTree, IndexDefaults, RepositoryRules, TreePatterns, default_max_file_bytes, read_configuration,
};
pub use web::{OwnHosts, SystemWeb};
