//! Derived data on disk: snapshots, the facts of contents seen before, and the stamps that say which files changed.
//!
//! All of it may be deleted at any time. It is in the user's cache directory, never in a place that the author of a repository can
//! write: `root` is the whole, `tree` the part of one tree, `facts` the store that all trees share.

mod choice;
mod facts;
pub(crate) mod fetched_pages;
mod graph_files;
pub(crate) mod history_file;
pub(crate) mod map;
mod names;
mod private;
mod root;
mod segment;
mod stat_table;
mod tree;

pub use choice::CachedDirectory;
pub(crate) use choice::{CacheChoice, NoCache, is_outside};
pub(crate) use facts::{Reading, SharedFacts};
pub use fetched_pages::FetchedPages;
pub use history_file::read_history;
pub(crate) use names::tree_name;
pub(crate) use private::directory as private_directory;
pub(crate) use root::{Adoption, CacheRoot, GRAPHS, RootFault};
pub use segment::found_in_segment;
pub use stat_table::StatTable;
pub(crate) use stat_table::{Stamp, listing_fingerprint};
pub(crate) use tree::TreeCache;

pub(crate) use crate::safe_fs::{replace, replace_with, sweep_inside};
