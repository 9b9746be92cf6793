"""Which functions of a Python package call which while its own tests run, as JSON lines.

    trace_calls.py TREE SOURCE[,SOURCE…] PYTEST-ARGUMENT…

SOURCE is a directory below the tree that holds the package; its tests are not part of it. A row is a pair of functions as a call site
(`xtask/src/accuracy/oracle/rows.rs`) with the lines of the caller. The profiler of the interpreter reports each call. A pair counts
once; its line is the first by number.
"""

import ast
import contextlib
import io
import json
import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from oracle_pyright import CONSTRUCTORS, FUNCTIONS, VALUE_DECORATORS, Source, callee_shape, called_name, key, plain_name

# Code objects that are part of the function around them.
PARTS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
TESTS = {"test", "tests", "testing"}
GENERATORS = 0x20 | 0x80 | 0x200


class Tracer:
    def __init__(self, roots: tuple[str, ...]) -> None:
        self.roots = roots
        self.inside: dict[str, bool] = {}
        self.pairs: set[tuple[str, int, CodeType]] = set()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or not self.is_inside(frame.f_code):
            return
        # A generator is entered again at each value.
        if frame.f_code.co_flags & GENERATORS and is_resumed(frame):
            return
        caller = frame.f_back
        if caller is not None and self.is_inside(caller.f_code):
            self.pairs.add((caller.f_code.co_filename, caller.f_lineno or 0, frame.f_code))

    def is_inside(self, code: CodeType) -> bool:
        file = code.co_filename
        known = self.inside.get(file)
        if known is None:
            path = os.path.realpath(file)
            root = next((root for root in self.roots if path.startswith(root)), None)
            # Tests that a package brings along are not part of it.
            known = root is not None and not TESTS.intersection(path[len(root) :].split(os.sep))
            self.inside[file] = known
        return known


def is_resumed(frame: FrameType) -> bool:
    """Whether a generator continues: the argument of the instruction that resumes it is not that of its beginning."""
    code = frame.f_code.co_code
    return frame.f_lasti + 1 < len(code) and code[frame.f_lasti + 1] & 3 != 0


class Package:
    """The syntax of the traced files."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.sources: dict[str, Source] = {}
        self.functions: dict[str, dict[int, Any]] = {}

    def source(self, file: str) -> Source:
        if file not in self.sources:
            self.sources[file] = source = Source(self.tree / file)
            # The code of a decorated function begins at its first decorator.
            self.functions[file] = {
                min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node
                for nodes in source.definitions.values()
                for node in nodes
                if isinstance(node, FUNCTIONS)
            }
        return self.sources[file]

    def relative(self, file: str) -> str:
        return str(Path(file).resolve().relative_to(self.tree))

    def callee(self, code: CodeType) -> tuple[str, Any] | None:
        """The function of a code object; nothing for modules, bodies of classes and functions without a name."""
        file = self.relative(code.co_filename)
        self.source(file)
        node = self.functions[file].get(code.co_firstlineno)
        return (file, node) if node is not None and node.name == code.co_name else None

    def caller(self, file: str, line: int) -> Any:
        """The innermost function around a line."""
        self.source(file)
        around = [node for node in self.functions[file].values() if node.lineno <= line <= (node.end_lineno or 0)]
        return max(around, key=lambda node: node.lineno, default=None)


def construct(source: Source, line: int, callee: Any, owner: str | None) -> str:
    """How a call was written, or why it was not."""
    names = {callee.name, owner} if callee.name in CONSTRUCTORS else {callee.name}
    special = callee.name.startswith("__") and callee.name.endswith("__") and callee.name not in CONSTRUCTORS
    calls = [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.func.end_lineno or node.lineno)
    ]
    for call in calls:
        if called_name(call.func) in names:
            return callee_shape(source, call, call.func)
    if special:
        return f"special method {callee.name}"
    if any(plain_name(decorator) in VALUE_DECORATORS or plain_name(decorator) == "setter" for decorator in callee.decorator_list):
        return "property"
    if callee.name in CONSTRUCTORS:
        return "constructor under another name" if calls else "constructor without a written call"
    if calls:
        return "function called under another name, or by a call to the outside"
    return "function without a written call"


def rows(tracer: Tracer, package: Package) -> list[Any]:
    found: dict[tuple[str, int, str, int], Any] = {}
    for file, line, code in sorted(tracer.pairs, key=lambda pair: (pair[0], pair[1], pair[2].co_filename, pair[2].co_firstlineno)):
        callee = package.callee(code)
        if callee is None or code.co_name in PARTS:
            continue
        path, node = callee
        own = package.relative(file)
        caller = package.caller(own, line)
        within = [caller.lineno, caller.end_lineno] if caller is not None else [line, line]
        pair = (own, within[0], path, node.lineno)
        if pair in found:
            continue
        owner = package.source(path).owner(node)
        target = {
            "name": node.name,
            "owner": owner.name if isinstance(owner, ast.ClassDef) else None,
            "places": [[path, node.lineno]],
            "keys": [key(path, node.lineno)],
        }
        found[pair] = {
            "file": own,
            "line": line,
            "within": within,
            "name": node.name,
            "construct": construct(package.source(own), line, node, target["owner"]),
            "targets": [target],
            "whole": False,
        }
    return list(found.values())


def main() -> None:
    tree = Path(sys.argv[1]).resolve()
    sources = [tree / source for source in sys.argv[2].split(",")]
    os.chdir(tree)
    sys.path[:0] = [str(source.parent) for source in sources]
    tracer = Tracer(tuple(f"{source}{os.sep}" for source in sources))
    import pytest

    printed = io.StringIO()
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[3:]])
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    # A test that fails has run too; a run without a test is none.
    if code not in (0, 1):
        raise SystemExit(f"the tests did not run: {printed.getvalue()[-2000:]}")
    for row in rows(tracer, Package(tree)):
        print(json.dumps({"site": row}))


if __name__ == "__main__":
    main()
