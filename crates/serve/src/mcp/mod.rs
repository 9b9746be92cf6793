//! MCP: every operation is a tool, and so is every entry of `TOOLS`; both come from the tables, as do resources and prompts.
//!
//! The revisions 2025-06-18, 2025-11-25 and 2026-07-28 are spoken by the same process: a client that sends `initialize` gets a session, one whose
//! requests carry their revision needs none.

mod answer;
mod budget;
mod changes;
mod complete;
mod fresh;
mod guarded_files;
mod progress;
mod prompts;
mod read_only;
mod resources;
mod schema;
mod server;
mod tools;
mod transport;
mod view;

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use lore_seam::{Ports, Toolset};
use rmcp::service::ServerInitializeError;
use rmcp::{ServerHandler, ServiceExt};
use thiserror::Error;
use tokio::io::{AsyncBufRead, AsyncReadExt, AsyncWrite};
use tokio::runtime::Runtime;
use tokio::sync::watch;

pub use server::Server;

use transport::Lines;

/// Bytes of stack for each thread that answers: trees of source can be deep.
const STACK: usize = 16 << 20;
/// Time that cancelled work has to end.
const LEAVE: Duration = Duration::from_millis(300);

/// Bytes of an answer that are buffered before the client has to read.
const ANSWER_BUFFER: usize = 64 << 10;

/// Why a server stopped.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The runtime could not be made.
    #[error("the server cannot start: {0}")]
    Start(#[from] std::io::Error),
    /// The client and the server could not agree.
    #[error("the client could not be served: {0}")]
    Handshake(String),
}

/// What a server shows.
#[derive(Clone, Debug)]
pub struct McpOptions {
    /// The toolsets whose tools are listed.
    pub toolsets: Vec<Toolset>,
    /// What the server calls itself.
    pub name: String,
}

impl Default for McpOptions {
    fn default() -> Self {
        Self {
            toolsets: vec![Toolset::Core],
            name: "lore".to_owned(),
        }
    }
}

/// Serves one client on standard input and output until it closes its end.
pub fn serve_stdio(ports: Arc<Ports>, options: McpOptions) -> Result<(), ServeError> {
    serve_stdio_as(Server::new(ports, options), |server| server)
}

/// As above, with a layer between the client and the server.
pub fn serve_stdio_as<H: ServerHandler>(server: Server, handler: impl FnOnce(Server) -> H) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let (reader, writer) = (tokio::io::BufReader::new(tokio::io::stdin()), tokio::io::stdout());
    let outcome = runtime.block_on(serve(server, handler, reader, writer));
    // Work that does not look whether it was cancelled is not waited for.
    runtime.shutdown_timeout(LEAVE);
    outcome
}

/// Serves a client whose whole input is known, and returns what was answered.
pub fn serve_bytes(ports: Arc<Ports>, options: McpOptions, input: &[u8]) -> Result<Vec<u8>, ServeError> {
    let runtime = runtime()?;
    let (mut client, writer) = tokio::io::duplex(ANSWER_BUFFER);
    let outcome = runtime.block_on(async {
        let mut answered = Vec::new();
        let serving = serve(
            Server::new(ports, options),
            |server| server,
            Cursor::new(input.to_vec()),
            writer,
        );
        let (served, read) = tokio::join!(serving, client.read_to_end(&mut answered));
        served?;
        read?;
        Ok(answered)
    });
    runtime.shutdown_timeout(LEAVE);
    outcome
}

fn runtime() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()
}

async fn serve<H, R, W>(
    server: Server,
    handler: impl FnOnce(Server) -> H,
    reader: R,
    writer: W,
) -> Result<(), ServeError>
where
    H: ServerHandler,
    R: AsyncBufRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (ended, ending) = watch::channel(false);
    let lines = Lines::new(reader, writer, ended);
    let running = match handler(server.ending(ending)).serve(lines).await {
        Ok(running) => running,
        // A client that disconnects before its first message or before the first reply is not an error.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => {
            return Ok(());
        }
        Err(error) => return Err(ServeError::Handshake(error.to_string())),
    };
    running
        .waiting()
        .await
        .map(drop)
        .map_err(|error| ServeError::Handshake(error.to_string()))
}
