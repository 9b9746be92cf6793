//! Real trees, real git repositories, a real cache.
#![expect(clippy::disallowed_methods, reason = "tests make files and start processes")]

mod cache;
mod clones;
mod history;
mod incremental;
mod memory_log;
mod origin;
mod support;
mod trees;
mod watch;
