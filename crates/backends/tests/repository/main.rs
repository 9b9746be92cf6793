//! Real trees, real git repositories, a real cache.

mod cache;
mod clones;
mod history;
mod incremental;
mod memory_log;
mod origin;
mod support;
mod trees;
mod watch;
