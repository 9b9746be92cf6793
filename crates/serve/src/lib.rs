//! Transport: MCP on stdio today. The only async crate; it decides nothing.

mod mcp;

pub use mcp::{McpOptions, ServeError, Server, serve_bytes, serve_stdio, serve_stdio_as};
