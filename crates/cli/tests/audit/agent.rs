//! A client of `lore mcp` that asks one question at a time.

use std::process::{Command, ExitStatus};

use lore_testing::Conversation;
use serde_json::{Value, json};

pub(crate) struct Server {
    process: Conversation,
    id: u64,
}

impl Server {
    /// Starts a server and shakes hands.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut server = Self {
            process: Conversation::start(command),
            id: 0,
        };
        let client = json!({"name": "test", "version": "1"});
        server.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        );
        server
            .process
            .say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    /// The answer to a request, as one line.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> String {
        self.id += 1;
        self.process
            .say(json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": parameters}));
        loop {
            let line = self.process.hear();
            let message: Value = serde_json::from_str(&line).unwrap_or_default();
            if message["id"] == self.id && message.get("method").is_none() {
                return line;
            }
        }
    }

    /// The answer of a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> String {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Closes the input and waits for the end.
    pub(crate) fn finish(mut self) -> ExitStatus {
        self.process.finish().0
    }
}
