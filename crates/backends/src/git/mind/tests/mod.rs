//! The log on real git repositories, made afresh for each test.

mod exchange;
mod hostile;
mod moments;
mod repositories;
mod store;
mod support;
