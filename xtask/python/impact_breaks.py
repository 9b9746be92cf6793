"""Breaks functions of a Python package one at a time, and prints which of the package's own tests then fail.

    impact_breaks.py TREE --package DIR --tests DIR [--functions N] [--seed N] [--with "ARGUMENTS OF PYTEST"]

The first line is `{"tests": {…}}`: the test functions that pass when nothing is broken, each with the place (`path:line`) where
it is defined, which is that of a base class for an inherited test. Each further line is `{"path": …, "line": …, "name": …,
"failed": […]}`, or has `"skipped"` with the reason. A broken function raises as its first statement. The functions are drawn at
random from those that the tests execute. The files of TREE are as before afterwards.

pytest loads this file as a plugin, too: it then writes which tests passed and which functions ran.
"""

import argparse
import ast
import inspect
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# The plugin writes its report there.
REPORT = "LORE_IMPACT_REPORT"
# The directory whose functions the plugin watches; nothing is watched without it.
WATCHED = "LORE_IMPACT_WATCHED"
BROKEN = "raise RuntimeError('broken on purpose')"
# How many times longer than the first run a run with a broken function may take.
PATIENCE = 5

passed: dict[str, bool] = {}
places: dict[str, list] = {}
executed: set[tuple[str, int]] = set()


def test_of(nodeid: str) -> str:
    """The test function of a test case: a case has its parameters in brackets."""
    return nodeid.split("[", 1)[0]


def pytest_itemcollected(item):
    function = getattr(item, "function", None)
    code = getattr(inspect.unwrap(function), "__code__", None) if function else None
    if code:
        places[test_of(item.nodeid)] = [code.co_filename, code.co_firstlineno]


def pytest_runtest_logreport(report):
    name = test_of(report.nodeid)
    if report.when == "call" and report.outcome == "passed":
        passed.setdefault(name, True)
    elif report.outcome == "failed":
        passed[name] = False


def watch(frame, event, _):
    if event == "call":
        executed.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))


if os.environ.get(WATCHED):
    sys.setprofile(watch)
    threading.setprofile(watch)


def pytest_sessionfinish(session, exitstatus):
    sys.setprofile(None)
    below = os.environ.get(WATCHED, "\0")
    report = {
        "passed": sorted(name for name, ok in passed.items() if ok),
        "failed": sorted(name for name, ok in passed.items() if not ok),
        "places": places,
        "executed": sorted(place for place in executed if place[0].startswith(below)),
    }
    Path(os.environ[REPORT]).write_text(json.dumps(report))


def run(tree: Path, package: Path, tests: list[str], more: list[str], watched: bool, patience: float | None):
    """Runs the tests; None if they did not end in time."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.json")
        environment = {
            **os.environ,
            REPORT: str(report),
            "PYTHONPATH": os.pathsep.join([str(package.parent), str(Path(__file__).parent)]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            # A plugin of another package may run the code that is broken.
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        environment.pop(WATCHED, None)
        if watched:
            environment[WATCHED] = str(package)
        command = [sys.executable, "-m", "pytest", "-q", "--continue-on-collection-errors"]
        command += ["-p", "impact_breaks", "-p", "no:cacheprovider", "-p", "no:randomly", *more, *tests]
        process = subprocess.Popen(
            command,
            cwd=tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None
        # Without a report, pytest itself could not start: every test fails.
        return json.loads(report.read_text()) if report.exists() else {"passed": [], "failed": [], "executed": []}


def named_lines(path: Path) -> dict[int, int]:
    """The line of the name of each function of a file, by the line where it begins."""
    lines = {}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines[min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])] = node.lineno
    return lines


def defined(tree: Path, places: dict[str, list], whole: set[str]) -> dict[str, str]:
    """Where the tests are defined, as `path:line`; nothing for those of other packages."""
    lines: dict[str, dict[int, int]] = {}
    found = {}
    for test in sorted(whole):
        path, first = places.get(test, ("", 0))
        if path.startswith(f"{tree}{os.sep}"):
            if path not in lines:
                lines[path] = named_lines(Path(path))
            known = lines[path]
            found[test] = f"{Path(path).relative_to(tree).as_posix()}:{known.get(first, first)}"
        else:
            found[test] = ""
    return found


def functions(package: Path, executed: list[tuple[str, int]]):
    """The functions that ran: path, first line, line of the name, name, and where the body begins."""
    places = {(path, line) for path, line in executed}
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            body = node.body
            is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
            body = body[1:] if is_text and len(body) > 1 else body
            if (str(path), first) in places and body[0].lineno > node.lineno:
                yield path, node.lineno, node.name, body[0]


def broken(text: str, statement: ast.stmt) -> str:
    lines = text.splitlines(keepends=True)
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    lines.insert(first - 1, " " * statement.col_offset + BROKEN + "\n")
    return "".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", type=Path)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--tests", action="append", required=True)
    parser.add_argument("--functions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--with", dest="more", default="")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    package = (tree / arguments.package).resolve()
    more = arguments.more.split()
    start = time.monotonic()
    first = run(tree, package, arguments.tests, more, True, 900)
    took = time.monotonic() - start
    if first is None or not first["passed"]:
        sys.exit("the tests do not run")
    whole = set(first["passed"])
    tests = defined(tree, first["places"], whole)
    print(json.dumps({"tests": tests, "failing": len(first["failed"]), "seconds": round(took, 1)}), flush=True)
    candidates = list(functions(package, [tuple(place) for place in first["executed"]]))
    random.Random(arguments.seed).shuffle(candidates)
    for path, line, name, statement in candidates[: arguments.functions]:
        row = {"path": str(path.relative_to(tree)), "line": line, "name": name}
        text = path.read_text()
        try:
            path.write_text(broken(text, statement))
            report = run(tree, package, arguments.tests, more, False, took * PATIENCE + 30)
        finally:
            path.write_text(text)
        if report is None:
            row["skipped"] = "the tests did not end in time"
        else:
            row["failed"] = sorted(whole - set(report["passed"]))
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
