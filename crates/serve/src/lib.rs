//! Transport: MCP on stdio today. The only async crate; it decides nothing.

mod mcp;

pub use mcp::{ServeError, serve_stdio};
