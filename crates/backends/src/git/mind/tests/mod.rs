//! The log on real git repositories, made afresh for each test.

mod store;
mod support;
