//! A tree of files on this machine: what is in it, which rules leave files out, how it is indexed, and when it changes.

mod directory;
pub(crate) mod ignore_rules;
pub(crate) mod index_options;
pub(crate) mod repository_rules;
pub(crate) mod watch;

pub use directory::{DirectoryTree, TreePatterns};
pub(crate) use directory::{IN_OUTPUT, Seen, is_hidden_source, read_bounded};
pub use index_options::IndexDefaults;
pub use repository_rules::{RepositoryRules, default_max_file_bytes, read_configuration};
