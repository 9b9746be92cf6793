"""Sends `lore mcp` what no client should: broken lines, wrong shapes, floods, ends in the middle.

    mcp_hostile.py --large DIR --large-cache DIR [--megabytes N] -- LORE mcp --repo DIR --cache DIR

Whatever comes, each line of the answer is a message of JSON-RPC, each request is answered exactly once under its own id (or not at
all if it was cancelled), the process ends by itself with code 0 soon after its input does, says nothing on standard error that tells
of a defect, and its memory stays bounded.
"""

import argparse
import json
import queue
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from mcp_checks import Checks

Message = dict[str, Any]

# Seconds within which something is answered, and within which a server whose input has ended has to be gone; what it works on then
# may take a while longer.
PATIENCE = 60.0
LEAVE = 3.0
LEAVE_WORK = 5.0
FLOOD = 1000
PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
REVISION = "2026-07-28"
CARRIED = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "hostile", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "hostile", "version": "1"},
}


def request(number: int | str, method: str, **params: Any) -> Message:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number: int | str, name: str, **arguments: Any) -> Message:
    return request(number, "tools/call", name=name, arguments=arguments)


def cancel(number: int | str) -> Message:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}


PING = request("ping", "ping")
RAW_PING = b'{"jsonrpc":"2.0","id":"ping","method":"ping"}\n'


class Server:
    """A running server. What it writes is read at once, so that it never waits for us."""

    def __init__(self, command: list[str], is_greeted: bool = True) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self.complaints: list[bytes] = []
        self.problems: list[str] = []
        self.peak = 0
        self.senders: list[threading.Thread] = []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=lambda: self.complaints.extend(self.process.stderr), daemon=True).start()
        if is_greeted:
            self.send(request("hello", "initialize", **HELLO))
            self.answer("hello")
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self) -> None:
        try:
            for line in self.process.stdout:
                self.lines.put(line)
        except ValueError:
            pass  # It was closed under us, as one case wants it.
        self.lines.put(None)

    def send(self, *messages: Message | bytes) -> None:
        texts = [message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n" for message in messages]
        self.process.stdin.write(b"".join(texts))
        self.process.stdin.flush()

    def send_beside(self, *messages: Message | bytes, then_close: bool = False) -> None:
        """The same while this goes on: a pipe is full long before a flood is through."""

        def send() -> None:
            try:
                self.send(*messages)
                if then_close:
                    self.process.stdin.close()
            except OSError as error:
                self.problems.append(f"it cannot be written to: {error}")

        self.senders.append(threading.Thread(target=send, daemon=True))
        self.senders[-1].start()

    def next(self, patience: float = PATIENCE) -> Message | None:
        """The next message; none if there is nothing more, or nothing in time."""
        try:
            line = self.lines.get(timeout=patience)
        except queue.Empty:
            return None
        if line is None:
            return None
        try:
            message = json.loads(line)
        except ValueError:
            self.problems.append(f"no JSON on standard output: {line[:200]!r}")
            return {}
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not is_message(message):
            self.problems.append(f"no message of JSON-RPC: {line[:200]!r}")
        return message

    def until(self, last: int | str, patience: float = PATIENCE) -> list[Message]:
        """Everything up to the answer with an id."""
        messages = []
        while (message := self.next(patience)) is not None:
            messages.append(message)
            if message.get("id") == last:
                return messages
        self.problems.append(f"{last} is not answered within {patience} s")
        return messages

    def answer(self, number: int | str) -> Message:
        messages = self.until(number)
        return messages[-1] if messages else {}

    def rest(self, patience: float = PATIENCE) -> list[Message]:
        """Everything to the end."""
        messages = []
        while (message := self.next(patience)) is not None:
            messages.append(message)
        return messages

    def memory(self) -> None:
        """Looks how much memory it has ever held; where the system does not tell, nothing is held against it."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                self.peak = max(self.peak, int(line.split()[1]) // 1024)

    def end(self, patience: float = LEAVE) -> list[str]:
        """Closes its input and waits until it has gone; gives what was wrong."""
        self.memory()
        for sender in self.senders:
            sender.join(PATIENCE)
        began = time.monotonic()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            code = self.process.wait(patience)
            if code != 0:
                self.problems.append(f"it ends with {code}")
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.problems.append(f"it has not gone {patience} s after its input ended")
        self.left = time.monotonic() - began
        complaint = b"".join(self.complaints).decode(errors="replace")
        if "panicked" in complaint:
            self.problems.append(complaint)
        return self.problems


def is_message(message: Message) -> bool:
    if "method" in message:
        return True
    return ("result" in message) != ("error" in message) and ("id" in message or "error" in message)


def codes(messages: list[Message]) -> list[tuple[Any, Any]]:
    """The ids and error codes of answers; no code is a result."""
    return [(message.get("id"), message.get("error", {}).get("code")) for message in messages]


# What is sent, and the ids and codes of the answers; after each comes a ping that has to be answered as ever.
LINES: list[tuple[str, bytes | Message, list[tuple[Any, Any]]]] = [
    ("no JSON", b"hello\n", [(None, PARSE_ERROR)]),
    ("half of a message", b'{"jsonrpc":"2.0","id":1,"method":\n', [(1, PARSE_ERROR)]),
    ("a number", b"42\n", [(None, INVALID_REQUEST)]),
    ("null", b"null\n", [(None, INVALID_REQUEST)]),
    ("an empty batch", b"[]\n", [(None, INVALID_REQUEST)]),
    ("a batch", b"[" + RAW_PING.strip() + b"," + RAW_PING.strip() + b"]\n", [(None, INVALID_REQUEST)]),
    ("two messages on a line", RAW_PING.strip() + RAW_PING, [("ping", PARSE_ERROR)]),
    ("bytes that are no UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\xff\xfe"}}\n', [(1, PARSE_ERROR)]),
    ("only such bytes", b"\xff\xfe\xfd\n", [(None, PARSE_ERROR)]),
    ("a NUL", b"\0\n", [(None, PARSE_ERROR)]),
    ("deep nesting", b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"query":'
     + b"[" * 100_000 + b"]" * 100_000 + b"}}}\n", [(1, PARSE_ERROR)]),
    ("no version", {"id": 1, "method": "ping"}, [(1, INVALID_REQUEST)]),
    ("another version", {"jsonrpc": "1.0", "id": 1, "method": "ping"}, [(1, INVALID_REQUEST)]),
    ("an id that is null", {"jsonrpc": "2.0", "id": None, "method": "ping"}, [(None, INVALID_REQUEST)]),
    ("an id that is a fraction", {"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, [(None, INVALID_REQUEST)]),
    ("an id that is an object", {"jsonrpc": "2.0", "id": {}, "method": "ping"}, [(None, INVALID_REQUEST)]),
    ("an id that is huge", {"jsonrpc": "2.0", "id": 2**70, "method": "ping"}, [(None, INVALID_REQUEST)]),
    ("an id that is empty", request("", "ping"), [("", None)]),
    ("an id below zero", request(-7, "ping"), [(-7, None)]),
    ("parameters that are a list", {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []}, [(1, INVALID_PARAMS)]),
    ("parameters that are a text", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": "find"}, [(1, INVALID_PARAMS)]),
    ("no parameters", {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}, [(1, INVALID_PARAMS)]),
    ("a name that is a number", request(1, "tools/call", name=5), [(1, INVALID_PARAMS)]),
    ("arguments that are a list", request(1, "tools/call", name="find", arguments=[1]), [(1, INVALID_PARAMS)]),
    ("arguments that are a text", request(1, "tools/call", name="find", arguments="x"), [(1, INVALID_PARAMS)]),
    ("an unknown tool", call(1, "no_such_tool"), [(1, INVALID_PARAMS)]),
    ("a tool with a long name", call(1, "x" * 100_000), [(1, INVALID_PARAMS)]),
    ("an unknown method", request(1, "no/such"), [(1, UNKNOWN_METHOD)]),
    ("a method that is a number", {"jsonrpc": "2.0", "id": 1, "method": 5}, [(1, INVALID_REQUEST)]),
    ("a page that is not there", request(1, "tools/list", cursor="garbage"), [(1, INVALID_PARAMS)]),
    ("an unknown resource", request(1, "resources/read", uri="file:///etc/passwd"), [(1, -32002)]),
    ("a resource outside", request(1, "resources/read", uri="lore://source/../../etc/passwd"), [(1, -32002)]),
    ("a prompt that is not there", request(1, "prompts/get", name="no_such"), [(1, INVALID_PARAMS)]),
    ("wrong types of arguments", call(1, "find", query=5), [(1, None)]),
    ("an answer that nobody waits for", {"jsonrpc": "2.0", "id": 77, "result": {}}, []),
    ("an error that nobody waits for", {"jsonrpc": "2.0", "id": 77, "error": {"code": 1, "message": "x"}}, []),
    ("an unknown notification", {"jsonrpc": "2.0", "method": "notifications/no_such"}, []),
    ("a notification of another protocol", {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}, []),
    ("a cancellation of nothing", cancel(12345), []),
    ("empty lines", b"\n\r\n   \n", []),
    ("a byte order mark", b"\xef\xbb\xbf" + RAW_PING.replace(b'"ping","method"', b'"bom","method"'), [("bom", None)]),
]


def lines(checks: Checks, command: list[str]) -> None:
    """Each broken line by itself, to one server: none may hurt the next."""
    server = Server(command)
    problems = []
    for title, sent, wanted in LINES:
        server.send(sent, PING)
        # The ping overtakes nothing that is answered at once, but a call takes its time.
        got = []
        while len(got) <= len(wanted) and (message := server.next(10.0)) is not None:
            got.append(message)
        answered = Counter(codes(got))
        if answered != Counter([*wanted, ("ping", None)]):
            problems.append(f"{title}: {dict(answered)}, not {wanted}")
    problems += server.end()
    checks.done("broken lines", problems, f"{len(LINES)} lines, {server.peak} MB, gone after {server.left:.1f} s")


def before_the_handshake(checks: Checks, command: list[str]) -> None:
    problems = []
    cases: list[tuple[str, list[Message | bytes], Any]] = [
        ("a notification", [{"jsonrpc": "2.0", "method": "notifications/initialized"}], None),
        ("an answer", [{"jsonrpc": "2.0", "id": 1, "result": {}}], None),
        ("garbage", [b"hello\n"], None),
        ("an initialize without parameters", [request(1, "initialize")], INVALID_PARAMS),
        ("a list", [{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}], INVALID_PARAMS),
    ]
    for title, sent, wanted in cases:
        server = Server(command, is_greeted=False)
        server.send(*sent, request("later", "initialize", **HELLO))
        got = server.until("later", 10.0)
        if not got or "result" not in got[-1]:
            problems.append(f"{title}: the handshake does not come about: {got}")
        if wanted is not None and (1, wanted) not in codes(got):
            problems.append(f"{title}: {codes(got)}, not {wanted}")
        problems += [f"{title}: {problem}" for problem in server.end()]
    server = Server(command, is_greeted=False)
    problems += [f"nothing at all: {problem}" for problem in server.end()]
    server = Server(command, is_greeted=False)
    server.send(request(1, "tools/list", _meta=CARRIED | {"io.modelcontextprotocol/protocolVersion": "2999-01-01"}))
    if (code := server.answer(1).get("error", {}).get("code")) != -32022:
        problems.append(f"a revision of the future: {code}")
    server.send(request(2, "tools/list", _meta=CARRIED))
    if "result" not in server.answer(2):
        problems.append("a request that carries its revision is not answered")
    problems += server.end()
    checks.done("before the handshake", problems)


def large_arguments(checks: Checks, command: list[str], megabytes: int) -> None:
    server = Server(command)
    huge = "x" * 10_000_000
    problems = []
    for number, message in enumerate([call(0, "find", query=huge), call(1, "show", target=huge), call(2, huge)]):
        server.send_beside(message)
        answer = server.answer(number)
        size = len(json.dumps(answer))
        if size > 100_000:
            problems.append(f"the answer to 10 MB has {size:,} bytes")
    server.send_beside(b'{"jsonrpc":"2.0","id":"long","method":"ping","params":{"a":"' + b"x" * 40_000_000 + b'"}}\n', PING)
    got = Counter(codes(server.until("ping")))
    if got != Counter([("long", INVALID_REQUEST), ("ping", None)]):
        problems.append(f"a line of 40 MB: {dict(got)}")
    problems += server.end()
    problems += bounded(server, megabytes)
    checks.done("arguments of 10 MB, a line of 40 MB", problems, f"{server.peak} MB")


def same_id(checks: Checks, command: list[str]) -> None:
    server = Server(command)
    server.send(call(1, "stats"), call(1, "find", query="Cart"), request("1", "ping"))
    got = codes([message for _ in range(3) if (message := server.next(10.0)) is not None])
    problems = []
    # The second one may come when the first is answered already, and then both are.
    if Counter(got) not in (Counter([(1, None), (1, INVALID_REQUEST), ("1", None)]), Counter([(1, None), (1, None), ("1", None)])):
        problems.append(f"{got}")
    server.send(call(1, "find", query="Cart"))
    if "result" not in server.answer(1):
        problems.append("the id is not free again")
    problems += server.end()
    checks.done("two requests with one id", problems)


def flood(checks: Checks, command: list[str], megabytes: int, *, is_cancelled: bool, is_closed: bool) -> None:
    """A thousand requests before the first answer is read."""
    names = ["find", "outline", "stats", "callers"]
    arguments: list[Message] = [{"query": "Cart"}, {}, {}, {"target": "discount"}]
    calls = [call(number, names[number % 4], **arguments[number % 4]) for number in range(FLOOD)]
    server = Server(command)
    began = time.monotonic()
    messages: list[Message] = list(calls)
    if is_cancelled:
        # Every other one, right after it was sent.
        messages = [message for number, sent in enumerate(calls) for message in ([sent, cancel(number)] if number % 2 else [sent])]
    server.send_beside(*messages, *([] if is_closed else [request("last", "ping")]), then_close=is_closed)
    answered: Counter[Any] = Counter()
    wanted = {number for number in range(FLOOD) if not (is_cancelled and number % 2)}
    problems = []
    while not (wanted <= answered.keys() and (is_closed or "last" in answered)):
        message = server.next()
        if message is None:
            if not is_closed:
                problems.append("an answer is missing")
            break
        if "error" in message and not is_closed:
            problems.append(f"{message}")
        answered[message.get("id")] += 1
        server.memory()
    took = time.monotonic() - began
    if not is_closed:
        server.send(request("end", "ping"))
        answered.update(message.get("id") for message in server.until("end"))
    problems += [f"{number} is answered {times} times" for number, times in answered.items() if times != 1]
    # Once its input has ended a server may leave what it has not begun, but what it answers it answers once.
    if not is_closed:
        problems += [f"{number} is not answered" for number in sorted(wanted - answered.keys())]
    problems += server.end(LEAVE_WORK if is_closed else LEAVE)
    problems += bounded(server, megabytes)
    title = f"{FLOOD:,} requests at once"
    title += ", half of them cancelled" if is_cancelled else ""
    title += ", then the end" if is_closed else ""
    note = f"{len(answered):,} answers in {took:.1f} s, {server.peak} MB, gone after {server.left:.1f} s"
    checks.done(title, problems, note)


def bounded(server: Server, megabytes: int) -> list[str]:
    return [f"it held {server.peak} MB, which is more than {megabytes}"] if server.peak > megabytes else []


def cancelled(checks: Checks, large: list[str]) -> None:
    """A long call that is cancelled ends without an answer, and everything else goes on."""
    server = Server(large)
    problems = []
    server.send(call("long", "index", fresh=True) | {"id": "long"})
    time.sleep(0.5)
    server.send(cancel("long"), call("next", "config_show"))
    began = time.monotonic()
    got = server.until("next", 10.0)
    took = time.monotonic() - began
    if any(message.get("id") == "long" for message in got):
        problems.append("what was cancelled is answered")
    server.send(call("index", "index"))
    got = server.until("index")
    if any(message.get("id") == "long" for message in got) or "result" not in got[-1]:
        problems.append("the same cannot be asked again")
    problems += server.end()
    checks.done("a long call is cancelled", problems, f"the next was answered after {took:.2f} s")


def without_token(checks: Checks, large: list[str]) -> None:
    server = Server(large)
    server.send(call("long", "index", fresh=True))
    got = server.until("long")
    problems = ["progress is told though nobody asked"] if len(got) > 1 else []
    problems += server.end()
    checks.done("no progress without a token", problems)


def end_in_the_middle(checks: Checks, large: list[str]) -> None:
    """The input ends while something long runs."""
    server = Server(large)
    server.send(call("long", "index", fresh=True))
    time.sleep(0.5)
    problems = server.end(LEAVE_WORK)
    rest = server.rest(1.0)
    if len(rest) > 1 or any(message.get("id") != "long" for message in rest):
        problems.append(f"{codes(rest)}")
    checks.done("the input ends in the middle of a call", problems, f"gone after {server.left:.1f} s")


def last_line(checks: Checks, command: list[str]) -> None:
    server = Server(command)
    server.send(json.dumps(call("last", "find", query="Cart")).encode())
    server.process.stdin.close()
    rest = codes(server.rest(10.0))
    problems = server.end()
    problems += [] if rest == [("last", None)] else [f"{rest}"]
    checks.done("a last line without an end is answered", problems)


def closed_output(checks: Checks, command: list[str], *, is_greeted: bool) -> None:
    """Nobody reads any more: it has to leave, though its input stays open."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    problems = []

    def send(*messages: Message) -> None:
        for message in messages:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

    if is_greeted:
        send(request("hello", "initialize", **HELLO))
        process.stdout.readline()
        send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    process.stdout.close()
    try:
        send(request("again", "initialize", **HELLO), *(call(number, "find", query="Cart") for number in range(20)))
    except BrokenPipeError:
        pass  # It has gone already, which is as well.
    try:
        if process.wait(LEAVE) != 0:
            problems.append(f"it ends with {process.returncode}")
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        problems.append(f"it has not gone within {LEAVE} s")
    complaint = process.stderr.read().decode(errors="replace")
    problems += [complaint] if complaint else []
    checks.done(f"the output is closed {'after' if is_greeted else 'before'} the handshake", problems)


def unread_output(checks: Checks, command: list[str]) -> None:
    """A client that writes much and reads nothing for a while gets everything in the end."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    sent = [request("hello", "initialize", **HELLO), *(call(number, "outline") for number in range(200))]
    process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in sent))
    process.stdin.flush()
    time.sleep(1.5)
    answered: Counter[Any] = Counter()
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    for line in process.stdout:
        answered[json.loads(line).get("id")] += 1
        if len(answered) == len(sent):
            break
    timer.cancel()
    process.stdin.close()
    problems = [] if answered == Counter(message["id"] for message in sent) else [f"{len(answered)} of {len(sent)} answers"]
    try:
        problems += [] if process.wait(LEAVE) == 0 else [f"it ends with {process.returncode}"]
    except subprocess.TimeoutExpired:
        process.kill()
        problems.append(f"it has not gone within {LEAVE} s")
    checks.done("a client that reads late", problems, f"{len(answered)} answers")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", required=True)
    parser.add_argument("--large-cache", required=True)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    command, megabytes = arguments.command, arguments.megabytes
    large = [command[0], "mcp", "--repo", arguments.large, "--cache", arguments.large_cache]
    checks = Checks()
    lines(checks, command)
    before_the_handshake(checks, command)
    same_id(checks, command)
    last_line(checks, command)
    large_arguments(checks, command, megabytes)
    closed_output(checks, command, is_greeted=False)
    closed_output(checks, command, is_greeted=True)
    unread_output(checks, command)
    flood(checks, command, megabytes, is_cancelled=False, is_closed=False)
    flood(checks, command, megabytes, is_cancelled=True, is_closed=False)
    flood(checks, command, megabytes, is_cancelled=False, is_closed=True)
    cancelled(checks, large)
    without_token(checks, large)
    end_in_the_middle(checks, large)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
