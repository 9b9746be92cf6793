//! The binary as a user meets it; only wiring is proved here.
#![expect(
    clippy::disallowed_methods,
    reason = "tests make files, start processes and serve on the loopback address"
)]

mod ccg_access;
mod ccg_diff;
mod ccg_output;
mod cli;
mod graph_publish;
mod init;
mod kcp;
mod mcp;
mod memory;
mod memory_orchestrator;
mod memory_store;
mod mind;
mod support;
mod verbose;
