//! One JSON message a line on standard input and output. Whatever comes is answered, or ignored where the protocol says so: what is no JSON, what is no
//! message, what is too long, an identifier that is in use. Nothing else is ever written.

use std::collections::HashSet;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex as AsyncMutex, watch};

/// Bytes of one message.
const MAX_LINE: usize = 32 << 20;
/// Bytes of a message that is too long in which its identifier is looked for.
const HEAD: usize = 4096;
/// The message cannot be read.
const PARSE_ERROR: i32 = -32700;
/// Valid JSON that is not a request.
const INVALID_REQUEST: i32 = -32600;
/// It is a request whose parameters are none.
const INVALID_PARAMS: i32 = -32602;

/// Messages as lines.
pub(super) struct Lines<R, W> {
    reader: R,
    writer: Arc<AsyncMutex<W>>,
    /// What came of a line that has not ended yet.
    line: Vec<u8>,
    /// Whether the line is too long and the rest of it is thrown away.
    is_too_long: bool,
    /// Whether a request was received; before it, no client can be notified.
    is_open: bool,
    /// Requests that have no answer yet.
    waiting: Arc<Mutex<HashSet<RequestId>>>,
    /// Says when the client has closed one of its ends.
    ended: watch::Sender<bool>,
}

impl<R, W> Lines<R, W> {
    pub(super) fn new(reader: R, writer: W, ended: watch::Sender<bool>) -> Self {
        Self {
            reader,
            writer: Arc::new(AsyncMutex::new(writer)),
            line: Vec::new(),
            is_too_long: false,
            is_open: false,
            waiting: Arc::default(),
            ended,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R: AsyncBufRead + Unpin + Send, W: AsyncWrite + Unpin + Send + 'static> Lines<R, W> {
    /// The next line. Partial lines stay in `self`, so that dropping the future loses nothing.
    async fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let bytes = self.reader.fill_buf().await?;
            if bytes.is_empty() {
                // The last line may lack its end.
                return Ok((!self.line.is_empty()).then(|| self.take_line()));
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let room = MAX_LINE.saturating_sub(self.line.len());
            if part.len() > room {
                self.is_too_long = true;
                self.line.truncate(HEAD);
                let head = part.len().min(HEAD - self.line.len());
                self.line.extend_from_slice(&part[..head]);
            } else if !self.is_too_long {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Some(self.take_line()));
            }
        }
    }

    fn take_line(&mut self) -> Line {
        let bytes = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            Line::TooLong(bytes)
        } else {
            Line::Whole(bytes)
        }
    }

    /// What a line says, or how it is answered at once.
    fn understand(&mut self, line: Line) -> Understood {
        let bytes = match line {
            Line::Whole(bytes) => bytes,
            Line::TooLong(head) => {
                let message = format!("the message is longer than {MAX_LINE} bytes");
                return Understood::Answer(error(id_in(&head), INVALID_REQUEST, &message));
            }
        };
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        if text.trim_ascii().is_empty() {
            return Understood::Nothing;
        }
        let message: RxJsonRpcMessage<RoleServer> = match serde_json::from_slice(text) {
            Ok(message) => message,
            Err(fault) => return Understood::Answer(refusal(text, &fault)),
        };
        match &message {
            JsonRpcMessage::Request(request) => {
                self.is_open = true;
                if !self.waiting().insert(request.id.clone()) {
                    let id = serde_json::to_value(&request.id).ok();
                    return Understood::Answer(error(
                        id,
                        INVALID_REQUEST,
                        "a request with this id is not answered yet",
                    ));
                }
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // It gets no answer any more.
                    self.waiting().remove(id);
                }
                if !self.is_open {
                    return Understood::Nothing;
                }
            }
            _ if !self.is_open => return Understood::Nothing,
            _ => {}
        }
        Understood::Message(Box::new(message))
    }
}

enum Line {
    Whole(Vec<u8>),
    /// The beginning of one that is too long.
    TooLong(Vec<u8>),
}

enum Understood {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Answer(Value),
    Nothing,
}

/// The reply to an invalid message.
fn refusal(text: &[u8], fault: &serde_json::Error) -> Value {
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(fault) => {
            return error(
                id_in(&text[..text.len().min(HEAD)]),
                PARSE_ERROR,
                &format!("invalid JSON: {fault}"),
            );
        }
    };
    let id = value.get("id").filter(|id| is_id(id)).cloned();
    if value.is_array() {
        return error(
            None,
            INVALID_REQUEST,
            "batches are not supported: send one message per line",
        );
    }
    if !value.is_object() {
        return error(None, INVALID_REQUEST, "a message is an object");
    }
    if value.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return error(id, INVALID_REQUEST, "`jsonrpc` has to be \"2.0\"");
    }
    if value.get("id").is_some() && id.is_none() {
        return error(None, INVALID_REQUEST, "`id` has to be a text or a whole number");
    }
    if value.get("params").is_some_and(|params| !params.is_object()) {
        return error(id, INVALID_PARAMS, "`params` has to be an object");
    }
    error(id, INVALID_REQUEST, &format!("invalid request: {fault}"))
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64()
}

/// The identifier that a broken message seems to have, so that whoever sent it need not wait for ever. It is taken only from the beginning of the
/// object, before anything that could hold another one.
fn id_in(head: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(head);
    let (_, rest) = text.split_once("\"id\"")?;
    let before = &text[..text.len() - rest.len() - 4];
    if before.matches('{').count() != 1 || before.contains(['[', '}']) {
        return None;
    }
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    values.next()?.ok().filter(is_id)
}

fn error(id: Option<Value>, code: i32, message: &str) -> Value {
    let mut answer = json!({ "jsonrpc": "2.0" });
    // Where the identifier cannot be known the field is left out, as the protocol's own schema has it.
    if let Some(id) = id {
        answer["id"] = id;
    }
    answer["error"] = json!({ "code": code, "message": message });
    answer
}

/// Writes a line. If that fails, the client is gone.
async fn write_line<W: AsyncWrite + Unpin>(
    writer: &AsyncMutex<W>,
    mut line: Vec<u8>,
    ended: &watch::Sender<bool>,
) -> io::Result<()> {
    line.push(b'\n');
    let mut writer = writer.lock().await;
    let mut written = writer.write_all(&line).await;
    if written.is_ok() {
        written = writer.flush().await;
    }
    if written.is_err() {
        ended.send_replace(true);
    }
    written
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncBufRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        match &message {
            JsonRpcMessage::Response(response) => drop(self.waiting().remove(&response.id)),
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.waiting().remove(id);
                }
            }
            _ => {}
        }
        let writer = Arc::clone(&self.writer);
        let ended = self.ended.clone();
        async move {
            let line = serde_json::to_vec(&message).map_err(io::Error::from)?;
            write_line(&writer, line, &ended).await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut ended = self.ended.subscribe();
        loop {
            let line = tokio::select! {
                line = self.next_line() => line,
                _ = ended.wait_for(|ended| *ended) => Ok(None),
            };
            let line = match line {
                Ok(Some(line)) => line,
                Ok(None) | Err(_) => {
                    self.ended.send_replace(true);
                    return None;
                }
            };
            match self.understand(line) {
                Understood::Message(message) => return Some(*message),
                Understood::Nothing => {}
                Understood::Answer(answer) => {
                    // A task of its own writes, so that reading continues while the client does not read.
                    let (writer, ended) = (Arc::clone(&self.writer), self.ended.clone());
                    let line = answer.to_string().into_bytes();
                    tokio::spawn(async move { write_line(&writer, line, &ended).await });
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.writer.lock().await.flush().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written, and what is handed on, for some input.
    fn exchanged(input: impl AsRef<[u8]> + Unpin + Send + 'static) -> (Vec<String>, Vec<String>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let (near, far) = tokio::io::duplex(1 << 20);
            let mut lines = Lines::new(std::io::Cursor::new(input), near, watch::Sender::new(false));
            let mut received = Vec::new();
            while let Some(message) = lines.receive().await {
                received.push(match message {
                    JsonRpcMessage::Request(request) => format!("request {}", request.id),
                    JsonRpcMessage::Notification(_) => "notification".to_owned(),
                    _ => "other".to_owned(),
                });
            }
            tokio::task::yield_now().await;
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            drop(lines);
            let mut reader = tokio::io::BufReader::new(far).lines();
            let mut written = Vec::new();
            while let Ok(Some(line)) = reader.next_line().await {
                written.push(line);
            }
            (written, received)
        })
    }

    fn codes(input: &[u8]) -> Vec<String> {
        exchanged(input.to_vec())
            .0
            .iter()
            .map(|line| {
                let value: Value = serde_json::from_str(line).expect("each line is JSON");
                let id = value.get("id").map_or("no id".to_owned(), Value::to_string);
                format!("{id} {}", value["error"]["code"])
            })
            .collect()
    }

    #[test]
    fn what_is_no_message_is_answered() {
        for (input, answer) in [
            ("nonsense\n", "no id -32700"),
            ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\n", "7 -32700"),
            ("{\"jsonrpc\":\"2.0\",\"params\":{\"id\":7,\n", "no id -32700"),
            ("[]\n", "no id -32600"),
            ("42\n", "no id -32600"),
            ("{\"id\":\"a\",\"method\":\"ping\"}\n", "\"a\" -32600"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}\n", "no id -32600"),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":[]}\n",
                "3 -32602",
            ),
        ] {
            assert_eq!(codes(input.as_bytes()), [answer], "{input}");
        }
        assert_eq!(codes(b"\xff\xfe\n"), ["no id -32700"]);
        let deep = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"x\",\"params\":{{\"a\":{}}}}}\n",
            "[".repeat(100_000)
        );
        assert_eq!(codes(deep.as_bytes()), ["4 -32700"]);
    }

    #[test]
    fn a_message_that_is_too_long_is_refused_and_the_next_one_read() {
        let mut input = b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\",\"params\":{\"a\":\"".to_vec();
        input.resize(MAX_LINE + 10, b'x');
        input.extend_from_slice(b"\"}}\n{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"ping\"}");
        let (written, received) = exchanged(input);
        assert_eq!(written.len(), 1);
        assert!(
            written[0].contains("\"id\":9") && written[0].contains("longer than"),
            "{written:?}"
        );
        // The last line has no end.
        assert_eq!(received, ["request 10"]);
    }

    #[test]
    fn an_id_that_is_in_use_is_refused_and_a_cancelled_one_free_again() {
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
        let (written, received) = exchanged(format!("{ping}{ping}{cancel}{ping}"));
        assert_eq!(written.len(), 1);
        assert!(written[0].contains("not answered yet"), "{written:?}");
        assert_eq!(received, ["request 1", "notification", "request 1"]);
    }

    #[test]
    fn reading_ends_when_nobody_reads_what_is_written() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let (near, far) = tokio::io::duplex(64);
            drop(far);
            // The other end of what is read stays open, so that nothing but the writing can end this.
            let (input, mut client) = tokio::io::duplex(64);
            client.write_all(b"nonsense\n").await.expect("a line");
            let ended = watch::Sender::new(false);
            let mut lines = Lines::new(tokio::io::BufReader::new(input), near, ended.clone());
            assert!(lines.receive().await.is_none());
            assert!(*ended.borrow());
        });
    }

    #[test]
    fn nothing_before_the_first_request_is_handed_on_but_that() {
        let (written, received) = exchanged(
            b"\n\r\n\xef\xbb\xbf\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n",
        );
        assert!(written.is_empty(), "{written:?}");
        assert_eq!(received, ["request 1"]);
    }
}
