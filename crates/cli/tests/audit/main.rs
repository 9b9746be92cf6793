//! Attacks on the shipped binary, one file per group of faults that an audit found. Each test reproduces an attack and
//! checks that it no longer works.
#![expect(
    clippy::disallowed_methods,
    reason = "tests make files, start processes and serve on the loopback address"
)]

#[cfg(unix)]
mod agent;
mod cache_in_repository;
mod cache_processes;
mod chosen_cache;
mod committed_cache;
mod configuration;
mod crafted_snapshot;
mod devices;
mod full_disk;
mod git_objects;
mod git_programs;
mod links;
mod nesting;
mod published_secrets;
mod restricted_units;
#[expect(dead_code, reason = "the registry's tests use the rest")]
#[path = "../registry/server.rs"]
mod server;
mod slow_files;
mod slow_servers;
#[cfg(unix)]
mod table;
mod terminal;
mod truncated_map;
mod watch;
mod world;
