"""Truth about calls in Python: what pyright says each call site of a tree calls, as JSON lines.

    oracle_pyright.py NODE LANGUAGE_SERVER TREE

A row is a call site or a definition; `xtask/src/accuracy/oracle/rows.rs` describes both. The program reads the syntax with
`ast`, and asks the language server for the definition of the name that each call site calls and of each base of a class.
"""

import ast
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
CONSTRUCTORS = ("__init__", "__new__")
# A class above these in a hierarchy says nothing about the methods that it overrides.
ROOTS = {"object", "Generic", "Protocol"}
VALUE_DECORATORS = {"property", "cached_property"}
# Requests that are under way at once.
BATCH = 64


class Place(NamedTuple):
    """A definition: the path below the tree or an absolute one, the line of its name, its name."""

    file: str
    line: int
    name: str


class Server:
    """pyright's language server, over its standard streams."""

    def __init__(self, node: str, script: str, tree: Path) -> None:
        command = [node, script, "--stdio"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tree)
        self.number = 0
        self.answers: dict[int, Any] = {}
        self.arrived = threading.Condition()
        self.sending = threading.Lock()
        self.closed = False
        self.listed = False
        threading.Thread(target=self._read, daemon=True).start()
        folder = {"uri": tree.as_uri(), "name": "tree"}
        parameters = {
            "processId": os.getpid(),
            "rootUri": folder["uri"],
            "workspaceFolders": [folder],
            "capabilities": {"workspace": {"configuration": True, "workspaceFolders": True}},
        }
        self.ask([("initialize", parameters)])
        self.notify("initialized", {})
        # Without this the server waits for its settings for ever.
        self.notify("workspace/didChangeConfiguration", {"settings": {}})
        # A file that the server does not know yet has no answers.
        with self.arrived:
            self.arrived.wait_for(lambda: self.closed or self.listed)

    def notify(self, method: str, parameters: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def ask(self, requests: list[tuple[str, Any]]) -> list[Any]:
        numbers = []
        for method, parameters in requests:
            self.number += 1
            numbers.append(self.number)
            self._send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        with self.arrived:
            self.arrived.wait_for(lambda: self.closed or all(number in self.answers for number in numbers))
            if self.closed:
                raise SystemExit("the language server has ended")
            return [self.answers.pop(number) for number in numbers]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def _send(self, message: Any) -> None:
        data = json.dumps(message).encode()
        stream = self.process.stdin
        assert stream is not None
        with self.sending:
            stream.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            stream.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                break
            message = json.loads(stream.read(length))
            if "method" in message and "id" in message:
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": self._configuration(message)})
            elif message.get("method") == "window/logMessage" and "source file" in message["params"]["message"]:
                with self.arrived:
                    self.listed = True
                    self.arrived.notify_all()
            elif "id" in message:
                with self.arrived:
                    self.answers[message["id"]] = message.get("result")
                    self.arrived.notify_all()
        with self.arrived:
            self.closed = True
            self.arrived.notify_all()

    @staticmethod
    def _configuration(message: Any) -> Any:
        if message["method"] != "workspace/configuration":
            return None
        analysis = {
            "autoSearchPaths": True,
            "diagnosticMode": "openFilesOnly",
            "typeCheckingMode": "off",
            "useLibraryCodeForTypes": True,
        }
        settings = {"python": {"analysis": analysis}, "python.analysis": analysis}
        return [settings.get(item.get("section"), {}) for item in message["params"]["items"]]


class Source:
    """One file: its syntax, and where its definitions are."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_bytes().decode("utf-8", "replace")
        self.lines = self.text.splitlines()
        self.tree = ast.parse(self.text)
        self.parents: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
        self.definitions: dict[int, list[Any]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                self.definitions.setdefault(node.lineno, []).append(node)
        self.imported = {
            (alias.asname or alias.name).split(".")[0]: isinstance(node, ast.Import)
            for node in ast.walk(self.tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }

    def owner(self, node: ast.AST) -> Any:
        """The definition that a node is directly in."""
        while (node := self.parents.get(node)) is not None:  # type: ignore[assignment]
            if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
                return node
        return None

    def again(self, node: Any) -> list[Any]:
        """All definitions of a name in one scope: overloads, alternatives, accessors."""
        scope = self.owner(node)
        all_nodes = (other for found in self.definitions.values() for other in found)
        return [other for other in all_nodes if other.name == node.name and self.owner(other) is scope]

    def name_column(self, node: Any) -> int:
        """The column of the name of a definition, in UTF-16 units."""
        data = self.lines[node.lineno - 1].encode()
        at = data.find(node.name.encode(), node.col_offset + len("def"))
        return self.column(node.lineno, at) if at >= 0 else -1

    def column(self, line: int, offset: int) -> int:
        """A column in UTF-16 units of a column in bytes."""
        data = self.lines[line - 1].encode()[:offset].decode("utf-8", "replace")
        return len(data.encode("utf-16-le")) // 2


class Judge:
    def __init__(self, server: Server, tree: Path) -> None:
        self.server = server
        self.tree = tree
        self.sources: dict[str, Source | None] = {}
        self.bases: dict[Place, list[Place]] = {}
        self.unknown_bases: set[Place] = set()

    def source(self, file: str) -> Source | None:
        if file not in self.sources:
            try:
                self.sources[file] = Source(self.tree / file)
            except (SyntaxError, ValueError, OSError, RecursionError):
                self.sources[file] = None
        return self.sources[file]

    def judge(self) -> None:
        files = sorted(str(path.relative_to(self.tree)) for path in self.tree.rglob("*.py"))
        asked = []
        # All are open from the start: a file that is opened or closed later makes the server forget what it knows of the others.
        for file in files:
            if (source := self.source(file)) is not None:
                uri = (self.tree / file).as_uri()
                document = {"uri": uri, "languageId": "python", "version": 1, "text": source.text}
                self.server.notify("textDocument/didOpen", {"textDocument": document})
        for file in files:
            source = self.source(file)
            if source is None:
                continue
            calls = sorted(
                (node for node in ast.walk(source.tree) if isinstance(node, ast.Call)),
                key=lambda node: (node.lineno, node.col_offset, node.end_col_offset),
            )
            names = [(node, base) for node in classes(source) for base in node.bases]
            answers = self.look(file, source, [base for _, base in names] + [call.func for call in calls])
            asked.append((file, source, calls, answers[len(names) :]))
            for (node, _), found in zip(names, answers):
                place = Place(file, node.lineno, node.name)
                parents = [self.defined(target) for target in found]
                known = [parent for parent in parents if parent is not None and self.is_class(parent)]
                self.bases.setdefault(place, []).extend(known)
                if not known:
                    self.unknown_bases.add(place)
        for file, source, calls, answers in asked:
            for call, found in zip(calls, answers, strict=True):
                print(json.dumps(self.site(file, source, call, found)))
        for file in files:
            source = self.source(file)
            if source is not None:
                self.print_definitions(file, source)

    def look(self, file: str, source: Source, expressions: list[Any]) -> list[list[Any]]:
        """The places that the language server gives for the last name of some expressions."""
        uri = (self.tree / file).as_uri()
        requests = []
        for expression in expressions:
            position = last_name(source, expression)
            if position is not None:
                parameters = {"textDocument": {"uri": uri}, "position": position}
                requests.append(("textDocument/definition", parameters))
        answers = []
        for start in range(0, len(requests), BATCH):
            answers.extend(self.server.ask(requests[start : start + BATCH]))
        waiting = iter(answers)
        found = [next(waiting) if last_name(source, expression) else [] for expression in expressions]
        return [answer if isinstance(answer, list) else [answer] if answer else [] for answer in found]

    def defined(self, target: Any) -> Place | None:
        """The definition at a place that the language server gave, if it is a function or a class."""
        path = Path(unquote(urlparse(target.get("uri") or target["targetUri"]).path))
        range_ = target.get("range") or target["targetSelectionRange"]
        line, column = range_["start"]["line"] + 1, range_["start"]["character"]
        file = str(path.relative_to(self.tree)) if path.is_relative_to(self.tree) else str(path)
        source = self.source(file)
        for node in source.definitions.get(line, []) if source else []:
            # A parameter may be on the line of its function.
            if source and source.name_column(node) == column:
                return Place(file, line, node.name)
        return None

    def node(self, place: Place) -> Any:
        source = self.source(place.file)
        found = source.definitions.get(place.line, []) if source else []
        return next((node for node in found if node.name == place.name), None)

    def is_class(self, place: Place) -> bool:
        return isinstance(self.node(place), ast.ClassDef)

    def is_outside(self, place: Place) -> bool:
        return Path(place.file).is_absolute()

    def parents(self, place: Place) -> list[Place]:
        """The bases of a class; of one outside the tree those that its own file names."""
        if not self.is_outside(place):
            return self.bases.get(place, [])
        source, node = self.source(place.file), self.node(place)
        if source is None or node is None:
            return []
        names = [plain_name(base) for base in node.bases]
        return [
            Place(place.file, other.lineno, other.name)
            if (other := next((found for found in classes(source) if found.name == name), None))
            else Place("/elsewhere", 0, name)
            for name in names
            if name
        ]

    def line_of_descent(self, place: Place) -> list[Place]:
        """A class and everything above it, nearest first."""
        found: list[Place] = []
        waiting = [place]
        while waiting:
            place = waiting.pop(0)
            if place not in found and place.name not in ROOTS:
                found.append(place)
                waiting.extend(self.parents(place))
        return found

    def members(self, place: Place, name: str) -> list[Any]:
        node = self.node(place)
        return [child for child in body(node) if isinstance(child, FUNCTIONS) and child.name == name] if node else []

    def site(self, file: str, source: Source, call: ast.Call, found: list[Any]) -> Any:
        position = last_name(source, call.func)
        line = position["line"] + 1 if position else call.lineno
        places = [self.defined(target) for target in found]
        targets = [self.target(place) for place in places if place is not None]
        value = not targets or any(target is None for target in targets) or len(targets) < len(places)
        row = {
            "file": file,
            "line": line,
            "start": call.lineno,
            "column": (position["character"] if position else call.col_offset) + 1,
            "name": called_name(call.func),
            "construct": construct(source, call),
            "targets": [target for target in targets if target],
            "whole": not value,
        }
        return {"site": row}

    def target(self, place: Place) -> Any:
        """A definition as a target; nothing if a call of it runs something else."""
        source, node = self.source(place.file), self.node(place)
        if source is None or node is None:
            return None
        if isinstance(node, ast.ClassDef):
            return self.constructed(place)
        if any(plain_name(decorator) in VALUE_DECORATORS for decorator in node.decorator_list):
            return None
        owner = source.owner(node)
        names = {"name": node.name, "owner": owner.name if isinstance(owner, ast.ClassDef) else None}
        if self.is_outside(place):
            return {**names, "outside": True, "places": [], "keys": [outside_key(names["owner"], node.name)]}
        again = source.again(node)
        places = [[place.file, other.lineno] for other in again]
        return {**names, "places": places, "keys": [key(place.file, other.lineno) for other in again]}

    def constructed(self, place: Place) -> Any:
        """What runs when a class is called: the nearest constructor, if one is written."""
        names = {"name": place.name, "owner": None, "constructor": True}
        if self.is_outside(place):
            return {**names, "outside": True, "places": [], "keys": [outside_key(place.name, "__init__")]}
        places = [[place.file, place.line]]
        written = False
        for ancestor in self.line_of_descent(place):
            for constructor in CONSTRUCTORS:
                for node in self.members(ancestor, constructor):
                    written = True
                    if not self.is_outside(ancestor):
                        places.append([ancestor.file, node.lineno])
            if written:
                break
        return {**names, "places": places, "keys": [key(*found) for found in places], "implicit": len(places) == 1}

    def print_definitions(self, file: str, source: Source) -> None:
        for node in classes(source):
            place = Place(file, node.lineno, node.name)
            line = self.line_of_descent(place)
            unknown = any(ancestor in self.unknown_bases for ancestor in line)
            for method in body(node):
                if not isinstance(method, FUNCTIONS):
                    continue
                keys = set()
                for ancestor in line[1:]:
                    if self.is_outside(ancestor):
                        keys.add(outside_key(ancestor.name, method.name))
                    keys.update(
                        key(ancestor.file, found.lineno)
                        for found in self.members(ancestor, method.name)
                        if not self.is_outside(ancestor)
                    )
                row = {"file": file, "line": method.lineno, "name": method.name, "overrides": sorted(keys)}
                if keys or unknown:
                    print(json.dumps({"definition": {**row, "unknown": unknown}}))


def classes(source: Source) -> list[ast.ClassDef]:
    found = (node for nodes in source.definitions.values() for node in nodes)
    return [node for node in found if isinstance(node, ast.ClassDef)]


def body(node: Any) -> list[ast.stmt]:
    """The statements of a class, with those under a condition."""
    found: list[ast.stmt] = []
    waiting = list(node.body)
    while waiting:
        statement = waiting.pop(0)
        found.append(statement)
        if isinstance(statement, (ast.If, ast.Try)):
            waiting.extend(child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt))
    return found


def key(file: str, line: int) -> str:
    return f"{file}:{line}"


def outside_key(owner: str | None, name: str) -> str:
    return f"outside:{owner or ''}.{name}"


def plain_name(node: ast.AST) -> str:
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def called_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def last_name(source: Source, node: Any) -> Any:
    """Where the last name of an expression begins."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        line, offset = node.end_lineno, node.end_col_offset - len(node.attr.encode())
    elif isinstance(node, ast.Name):
        line, offset = node.lineno, node.col_offset
    else:
        return None
    if line > len(source.lines):
        return None
    return {"line": line - 1, "character": source.column(line, offset)}


def construct(source: Source, call: ast.Call) -> str:
    """The form of a call site, for groups of misses."""
    shape = callee_shape(source, call, call.func)
    context = context_of(source, call)
    return f"{shape}, in {context}" if context else shape


def callee_shape(source: Source, call: ast.Call, node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return f"call of {name_shape(source, call, node.id)}"
    if isinstance(node, ast.Attribute):
        return f"call of a member of {value_shape(source, call, node.value)}"
    if isinstance(node, ast.Call):
        return "call of a call's result"
    if isinstance(node, ast.Subscript):
        return "call of an entry"
    return "call of another expression"


def value_shape(source: Source, call: ast.Call, node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id if node.id in ("self", "cls") else name_shape(source, call, node.id)
    if isinstance(node, ast.Attribute):
        inner = node.value
        if isinstance(inner, ast.Name) and inner.id in ("self", "cls"):
            return f"an attribute of {inner.id}"
        if isinstance(inner, ast.Name) and inner.id in source.imported:
            return "a member of a module"
        return "an attribute"
    if isinstance(node, ast.Call):
        return "super()" if plain_name(node.func) == "super" else "a call's result"
    if isinstance(node, ast.Subscript):
        return "an entry"
    if isinstance(node, ast.Await):
        return "an awaited value"
    return f"a {type(node).__name__}"


def name_shape(source: Source, call: ast.AST, name: str) -> str:
    scope = source.owner(call)
    while scope is not None:
        if not isinstance(scope, ast.ClassDef):
            arguments = scope.args
            for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
                if argument.arg == name:
                    return f"a parameter {'with' if argument.annotation else 'without'} a type"
            for node in ast.walk(scope):
                if isinstance(node, ast.comprehension) and binds(node.target, name):
                    return "a variable of a comprehension"
                if isinstance(node, (ast.For, ast.AsyncFor)) and binds(node.target, name):
                    return "a loop variable"
                if isinstance(node, (ast.With, ast.AsyncWith)):
                    if any(item.optional_vars and binds(item.optional_vars, name) for item in node.items):
                        return "a variable of with"
                if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    if any(binds(target, name) for target in targets):
                        return "a local variable"
                if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node is not scope and node.name == name:
                    return "a local definition"
        scope = source.owner(scope)
    if name in source.imported:
        return "an imported module" if source.imported[name] else "an imported name"
    return "a name of the module"


def binds(target: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(target))


def context_of(source: Source, node: ast.AST) -> str:
    """What is unusual about the place of a call."""
    child = node
    while (parent := source.parents.get(child)) is not None:
        if isinstance(parent, (*FUNCTIONS, ast.ClassDef)) and child in parent.decorator_list:
            return "a decorator"
        if isinstance(parent, ast.arguments):
            return "a default value" if child in [*parent.defaults, *parent.kw_defaults] else "an annotation"
        if isinstance(parent, (ast.arg, ast.AnnAssign)) and child is parent.annotation:
            return "an annotation"
        if isinstance(parent, FUNCTIONS) and child is parent.returns:
            return "an annotation"
        if isinstance(parent, ast.Lambda):
            return "a lambda"
        if isinstance(parent, FUNCTIONS):
            return ""
        if isinstance(parent, ast.ClassDef):
            return "the body of a class"
        child = parent
    return ""


def main() -> None:
    node, script, tree = sys.argv[1], sys.argv[2], Path(sys.argv[3]).resolve()
    sys.setrecursionlimit(10_000)
    server = Server(node, script, tree)
    try:
        Judge(server, tree).judge()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
