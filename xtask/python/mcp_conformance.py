"""Runs the official conformance suite against a server on standard input and output, behind loopback HTTP.

    mcp_conformance.py --node NODE --suite FILE --expected FILE --out DIR --requirements 2025-11-25 -- SERVER ARGS…
    mcp_conformance.py --node NODE --suite FILE --stable --expected FILE --out DIR -- SERVER ARGS…
    mcp_conformance.py --node NODE --suite FILE --wire --out DIR --requirements 2026-07-28 -- LORE mcp …

A failure that `expected` does not name is one, and so is an expected one that passes. With `--wire` the server has no fixtures, and
only this is held: every message it sends fits the schema of the revision, and what needs no fixture passes.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from mcp_bridge import Bridge
from mcp_checks import Checks

# Milliseconds of one scenario, and seconds of all.
SCENARIO = 15_000
PATIENCE = 150
WIRE = "wire-schema-valid"
STABLE = "2025-11-25"
# What asks for nothing but what every server has.
WITHOUT_FIXTURES = {
    "2025-11-25": ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list", "completion-complete"],
    "2026-07-28": ["tools-list", "resources-list", "prompts-list", "completion-complete", "caching", "sep-2164-resource-not-found"],
}


def run(arguments: argparse.Namespace) -> int:
    checks = Checks()
    bridge = Bridge(arguments.command)
    command = [arguments.node, arguments.suite, "server", "--url", bridge.url, "--output-dir", arguments.out]
    if arguments.stable:
        command += ["--spec-version", STABLE, "--suite", "active"]
    else:
        command += ["--requirements", arguments.requirements, "--timeout", str(SCENARIO)]
    if arguments.expected:
        command += ["--expected-failures", arguments.expected]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        checks.done("the suite", [f"it did not end within {PATIENCE} s"])
        return checks.end()
    finally:
        bridge.close()
    found = read(Path(arguments.out))
    title = f"conformance {STABLE} (stable suite)" if arguments.stable else f"conformance {arguments.requirements}"
    if arguments.wire:
        wire(checks, f"{title}, the binary itself", found, arguments.requirements)
    else:
        problems = [] if ended.returncode == 0 else tail(ended.stdout + ended.stderr)
        problems += [] if found else ["no scenario was run"]
        failed = {name for name, scenario in found.items() if any(check["status"] == "FAILURE" for check in scenario)}
        unscored = found.keys() & not_scored(arguments)
        required = found.keys() - unscored
        note = f"{len(required - failed)} of {len(required)} scenarios pass"
        note += f", these fail: {', '.join(sorted(required & failed))}" if required & failed else ""
        note += f"; not required: {len(unscored - failed)} of {len(unscored)}" if unscored else ""
        checks.done(title, problems, note)
    return checks.end()


def not_scored(arguments: argparse.Namespace) -> set[str]:
    """The scenarios that the suite runs though the revision does not require them: extensions, and what is not settled."""
    if arguments.stable:
        return set()
    command = [arguments.node, arguments.suite, "list", "--requirements", arguments.requirements]
    listed = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL).stdout
    rest = listed.partition("never scored")[2]
    return set(re.findall(r"- (\S+) \[server\]", rest))


def wire(checks: Checks, title: str, found: dict[str, list[dict]], requirements: str) -> None:
    verdicts = [(name, check) for name, scenario in found.items() for check in scenario if check["id"] == WIRE]
    problems = [f"{name}: {check.get('errorMessage')}" for name, check in verdicts if check["status"] == "FAILURE"]
    checks.done(f"{title}: messages fit their schemas", problems or ([] if verdicts else ["none was looked at"]),
                f"{len(verdicts)} scenarios")
    problems = []
    for name in WITHOUT_FIXTURES[requirements]:
        scenario = found.get(name)
        problems += [f"{name} was not run"] if scenario is None else []
        problems += [f"{name}: {check['id']}: {check.get('errorMessage')}"
                     for check in scenario or [] if check["status"] == "FAILURE"]
    checks.done(f"{title}: what needs no fixture", problems, f"{len(WITHOUT_FIXTURES[requirements])} scenarios")


def read(out: Path) -> dict[str, list[dict]]:
    """The checks of each scenario; the suite names a directory `server-SCENARIO-TIME`."""
    found = {}
    for file in sorted(out.glob("server-*/checks.json")):
        name = re.sub(r"-\d{4}-\d\d-\d\dT.*", "", file.parent.name.removeprefix("server-"))
        found[name] = json.loads(file.read_text())
    return found


def tail(output: str) -> list[str]:
    """What the suite says in the end, the failures among it."""
    lines = [line for line in output.splitlines() if line.strip()]
    return [line for line in lines if "✗" in line or "FAIL" in line] + lines[-8:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node", required=True)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--requirements", choices=sorted(WITHOUT_FIXTURES), default=STABLE)
    parser.add_argument("--expected")
    parser.add_argument("--stable", action="store_true")
    parser.add_argument("--wire", action="store_true")
    parser.add_argument("command", nargs="+")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
