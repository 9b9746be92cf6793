"""Uses `lore mcp` through the MCP Inspector in its command-line mode, in both eras of the protocol.

    mcp_inspector.py --node NODE --inspector FILE --home DIR -- LORE mcp --repo DIR --cache DIR

The Inspector calls only what is listed, so it is shown every tool.
"""

import argparse
import json
import os
import subprocess
import sys
from typing import Any

from mcp_checks import Checks

ERAS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
# Seconds that one run may take.
PATIENCE = 60.0
# How a remark begins about a schema that some client cannot use.
COMPLAINTS = ("Warning", "Error")
# What the Inspector is asked to do: its options, and what the result has to hold.
QUESTIONS: list[tuple[list[str], str]] = [
    (["--method", "tools/call", "--tool-name", "find", "--tool-args-json", '{"query":"Cart"}'], "structuredContent"),
    (["--method", "tools/call", "--tool-name", "outline", "--tool-arg", 'paths=["shop"]'], "structuredContent"),
    (["--method", "tools/call", "--tool-name", "source", "--tool-arg", "target=shop.cart.Cart.add"], "content"),
    (["--method", "tools/call", "--tool-name", "callers", "--tool-arg", "target=discount", "--tool-arg", "depth=2"], "content"),
    (["--method", "resources/list"], "resources"),
    (["--method", "resources/templates/list"], "resourceTemplates"),
    (["--method", "resources/read", "--uri", "lore://ccg/manifest"], "contents"),
    (["--method", "resources/read", "--uri", "lore://source/shop/cart.py"], "contents"),
    (["--method", "prompts/list"], "prompts"),
    (["--method", "prompts/get", "--prompt-name", "plan_change", "--prompt-args", "change=whole cents"], "messages"),
]


class Inspector:
    """The Inspector in one era."""

    def __init__(self, arguments: argparse.Namespace, era: str) -> None:
        self.command = [arguments.node, arguments.inspector, "--cli", "--quiet", "--format", "json", "--protocol-era", era]
        self.server = ["--", *arguments.command, "--tools", "all"]
        self.environment = {**os.environ, "HOME": arguments.home}

    def run(self, *options: str) -> tuple[int, str, str]:
        ended = subprocess.run([*self.command, *options, *self.server], capture_output=True, text=True, timeout=PATIENCE,
                               stdin=subprocess.DEVNULL, env=self.environment)
        return ended.returncode, ended.stdout, ended.stderr

    def ask(self, *options: str) -> tuple[Any, list[str]]:
        """The result, and what was wrong."""
        try:
            code, output, complaint = self.run(*options)
        except subprocess.TimeoutExpired:
            return {}, [f"it did not end within {PATIENCE} s"]
        if code != 0:
            return {}, [f"it ends with {code}: {complaint or output}"]
        try:
            result = json.loads(output)["result"]
        except (ValueError, KeyError) as error:
            return {}, [f"{error!r}: {output}"]
        problems = [f"an error: {result['content']}"] if result.get("isError") else []
        # The library that holds answers against their schemas says on this channel what it does not know in them.
        problems += [line for line in complaint.splitlines() if line.startswith(COMPLAINTS) or "unknown format" in line]
        return result, problems


def run(arguments: argparse.Namespace) -> int:
    checks = Checks()
    for era, revision in ERAS.items():
        inspector = Inspector(arguments, era)
        result, problems = inspector.ask("--method", "initialize")
        if not problems and result.get("protocolVersion") != revision:
            problems = [f"the revision is {result.get('protocolVersion')}"]
        checks.done(f"inspector, {era}: initialize", problems, revision)
        result, problems = inspector.ask("--method", "tools/list", "--strict")
        checks.done(f"inspector, {era}: tools/list --strict", problems, f"{len(result.get('tools', []))} tools")
        problems = []
        for options, wanted in QUESTIONS:
            result, wrong = inspector.ask(*options)
            wrong += [] if wrong or result.get(wanted) else [f"no {wanted}"]
            problems += [f"{' '.join(options[1:])}: {problem}" for problem in wrong]
        checks.done(f"inspector, {era}: tools, resources, prompts", problems, f"{len(QUESTIONS)} questions")
    return checks.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--node", required=True)
    parser.add_argument("--inspector", required=True)
    parser.add_argument("--home", required=True)
    parser.add_argument("command", nargs="+")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
