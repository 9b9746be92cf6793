//! Real trees, real git repositories, a real cache.

mod cache;
mod incremental;
mod support;
mod trees;
mod watch;
