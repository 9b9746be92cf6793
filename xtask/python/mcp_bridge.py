"""Loopback HTTP in front of a server on standard input and output, for the conformance suite, which has no stdio.

Each session of the era of sessions is a process of its own; requests that carry their revision share one. What belongs to HTTP is
the bridge's: sessions, statuses, streams, and which Host and Origin may ask. Everything else goes through as it is, but for the ids
of requests, which clients that share a process may have chosen alike.
"""

import json
import queue
import subprocess
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Message = dict[str, Any]

# Seconds without a word after which a stream is given up.
PATIENCE = 30.0
VERSION = "MCP-Protocol-Version"
SESSION = "Mcp-Session-Id"
META = "_meta"
META_VERSION = "io.modelcontextprotocol/protocolVersion"
SESSION_VERSIONS = (None, "2025-03-26", "2025-06-18", "2025-11-25")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# The status of an error in the era without sessions.
INVALID_PARAMS = -32602
STATUS = {-32601: 404, -32020: 400, -32021: 400, -32022: 400}


class Process:
    """The server, and who waits for what it says."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock = threading.Lock()
        self.count = 0
        # Requests without an answer by the id that was given to them, oldest first.
        self.waiting: dict[str, tuple[Message, queue.Queue[Message | None]]] = {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            message = json.loads(line)
            with self.lock:
                if "method" in message:
                    for stream in self.listeners(message):
                        stream.put(message)
                elif message.get("id") in self.waiting:
                    request, stream = self.waiting.pop(message["id"])
                    stream.put(message | {"id": request["id"]})
                    stream.put(None)
        with self.lock:
            for _, stream in self.waiting.values():
                stream.put(None)

    def listeners(self, message: Message) -> list[queue.Queue[Message | None]]:
        """Whose stream a message of the server belongs on: that of the token it names, else that of the latest request."""
        token = message.get("params", {}).get("progressToken")
        if token is None:
            return [stream for _, stream in list(self.waiting.values())[-1:]]
        return [stream for request, stream in self.waiting.values() if meta(request).get("progressToken") == token]

    def send(self, message: Message) -> queue.Queue[Message | None]:
        stream: queue.Queue[Message | None] = queue.Queue()
        with self.lock:
            if "id" in message and "method" in message:
                self.count += 1
                number = f"bridge-{self.count}"
                self.waiting[number] = (message, stream)
                message = message | {"id": number}
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        return stream

    def end(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Bridge(ThreadingHTTPServer):
    """The processes of one command; `port` is free to begin with."""

    daemon_threads = True

    def __init__(self, command: list[str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.command = command
        self.sessions: dict[str, Process] = {}
        self.shared: Process | None = None
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/mcp"

    def handle_error(self, *_: Any) -> None:
        """A client that leaves in the middle is no fault."""

    def without_session(self) -> Process:
        with self.lock:
            if self.shared is None:
                self.shared = Process(self.command)
            return self.shared

    def open(self) -> tuple[str, Process]:
        session, process = uuid.uuid4().hex, Process(self.command)
        with self.lock:
            self.sessions[session] = process
        return session, process

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        for process in [*self.sessions.values(), *filter(None, [self.shared])]:
            process.end()


class Handler(BaseHTTPRequestHandler):
    """One request of a client."""

    protocol_version = "HTTP/1.1"
    server: Bridge

    def log_message(self, *_: Any) -> None:
        """The suite says what matters."""

    def do_GET(self) -> None:
        self.answer(405)

    def do_DELETE(self) -> None:
        with self.server.lock:
            process = self.server.sessions.pop(self.headers.get(SESSION, ""), None)
        if process is not None:
            process.end()
        self.answer(404 if process is None else 204)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.is_local():
            return self.answer(403)
        message = json.loads(body)
        is_modern = self.headers.get(VERSION) not in SESSION_VERSIONS
        session = self.headers.get(SESSION)
        headers = {}
        if is_modern:
            if self.is_mismatch(message):
                error = {"code": -32020, "message": f"{VERSION} is not the revision of the request"}
                return self.answer(400, {"jsonrpc": "2.0", "id": message.get("id"), "error": error})
            process = self.server.without_session()
        elif message.get("method") == "initialize":
            session, process = self.server.open()
            headers[SESSION] = session
        elif session in self.server.sessions:
            process = self.server.sessions[session]
        else:
            return self.answer(404 if session else 400)
        stream = process.send(message)
        if "id" not in message or "method" not in message:
            return self.answer(202)
        try:
            self.stream(stream, is_modern, headers)
        except (queue.Empty, OSError):
            # The client has gone, or nothing more will come.
            self.close_connection = True

    def is_local(self) -> bool:
        """A page of another host may not ask, by whatever name it calls this one."""
        names = [self.headers.get("Host", "")] + [origin.split("//")[-1] for origin in self.headers.get_all("Origin", [])]
        return all(name.rsplit(":", 1)[0].strip("[]") in LOOPBACK for name in names)

    def is_mismatch(self, message: Message) -> bool:
        said = meta(message).get(META_VERSION)
        return said is not None and said != self.headers.get(VERSION)

    def stream(self, stream: queue.Queue[Message | None], is_modern: bool, headers: dict[str, str]) -> None:
        message = stream.get(timeout=PATIENCE)
        if message is not None and "error" in message:
            return self.answer(status(message["error"]) if is_modern else 200, message, headers)
        self.send_response(200)
        for name, value in {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        while message is not None:
            event = b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n"
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
            self.wfile.flush()
            message = stream.get(timeout=PATIENCE)
        self.wfile.write(b"0\r\n\r\n")

    def answer(self, code: int, message: Message | None = None, headers: dict[str, str] | None = None) -> None:
        body = b"" if message is None else json.dumps(message).encode()
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def meta(message: Message) -> Message:
    params = message.get("params")
    found = params.get(META) if isinstance(params, dict) else None
    return found if isinstance(found, dict) else {}


def status(error: Message) -> int:
    """A request whose own description is broken is a bad request; one that asks for what is not there is none."""
    if error["code"] == INVALID_PARAMS and META in error["message"]:
        return 400
    return STATUS.get(error["code"], 200)
