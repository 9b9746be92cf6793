//! The binary as a user meets it; only wiring is proved here.

mod ccg_access;
mod cli;
mod mcp;
mod support;
