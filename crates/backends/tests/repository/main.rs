//! Real trees, real git repositories, a real cache.

mod cache;
mod history;
mod incremental;
mod origin;
mod support;
mod trees;
mod watch;
