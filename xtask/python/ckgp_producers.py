"""Runs producers of graphs on a repository, converts what they write with `lore graph convert`, and holds the outcome against the published schemas.

    ckgp_producers.py --lore LORE --tree DIR --node NODE --repomix FILE --schemas DIR --scratch DIR

The tree is a git repository with one commit. The validator is jsonschema, which knows nothing of Lore.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from mcp_checks import Checks

# Seconds that one program may take.
PATIENCE = 240.0
STYLES = {"xml": "xml", "markdown": "markdown", "json": "json", "plain": "plaintext"}


class Converter:
    """`lore graph convert`, asked in the tree."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.lore = arguments.lore
        self.tree = Path(arguments.tree)
        self.schemas = Path(arguments.schemas)
        self.scratch = Path(arguments.scratch)
        self.environment = {**os.environ, "HOME": str(self.scratch), "XDG_CACHE_HOME": str(self.scratch / "cache"), "NO_COLOR": "1"}
        self.commit = self.run(["git", "rev-parse", "HEAD"]).stdout.strip()

    def run(self, command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, cwd=self.tree,
                              env=self.environment, **more)

    def convert(self, *options: str) -> subprocess.CompletedProcess[str]:
        return self.run([self.lore, "graph", "convert", *options, "--json"])

    def judge(self, name: str, native: Path, schema: str, *options: str) -> tuple[Any, list[str]]:
        """The body that a file becomes, and what was wrong."""
        faults = []
        if schema != "bundle@1":
            before = self.convert(str(native), "--check")
            if before.returncode != 1:
                faults.append(f"{native.name} passes as it is ({before.returncode}): {before.stdout}{before.stderr}")
        output = self.scratch / f"{name}.json"
        made = self.convert(str(native), "--output", str(output), *options)
        if made.returncode != 0:
            return None, [*faults, f"it ends with {made.returncode}: {made.stderr or made.stdout}"]
        again = self.convert(str(output), "--check")
        if again.returncode != 0:
            faults.append(f"what came out does not pass: {again.stdout}{again.stderr}")
        text = output.read_text(encoding="utf-8")
        body = json.loads(text)
        validator = Draft202012Validator(json.loads((self.schemas / f"{schema}.schema.json").read_text(encoding="utf-8")))
        faults += [f"{error.json_path}: {error.message}" for error in list(validator.iter_errors(body))[:5]]
        if str(self.tree) in text or str(self.tree.resolve()) in text:
            faults.append("it names the directory that it was made in")
        if has_null(body):
            faults.append("it has a null")
        told = json.loads(made.stdout)
        if told["source_sha"] != self.commit:
            faults.append(f"its commit is {told['source_sha']}, not {self.commit}")
        twice = self.scratch / f"{name}-again.json"
        self.convert(str(native), "--output", str(twice), *options)
        if not twice.is_file() or twice.read_text(encoding="utf-8") != text:
            faults.append("it is not the same bytes when it is made again")
        return body, faults


def has_null(value: Any) -> bool:
    """Whether there is a null anywhere in a document."""
    if isinstance(value, dict):
        return any(has_null(member) for member in value.values())
    if isinstance(value, list):
        return any(has_null(item) for item in value)
    return value is None


def code_review_graph(converter: Converter, checks: Checks) -> None:
    built = converter.run([sys.executable, "-m", "code_review_graph", "build"])
    exported = converter.run([sys.executable, "-m", "code_review_graph", "visualize", "--format", "json"])
    directory = converter.tree / ".code-review-graph"
    checks.done("code-review-graph writes a graph", [] if (directory / "graph.json").is_file() else [built.stderr, exported.stderr])
    native = json.loads((directory / "graph.json").read_text(encoding="utf-8"))
    commit = ["--commit", converter.commit, "--tool-version", "2.3.9"]
    body, faults = converter.judge("code-review-graph", directory / "graph.json", "code-review-graph@1", *commit)
    checks.done("its export becomes a body of code-review-graph@1", faults)
    if body is not None:
        lost = [f"{len(body[key])} of {len(native[key])} {key}" for key in ("nodes", "edges", "flows") if len(body[key]) != len(native[key])]
        lost += [] if all(not node["file_path"].startswith(("/", "outside")) for node in body["nodes"]) else ["a path is not from the root"]
        checks.done("nothing of it is lost", lost)
    _, faults = converter.judge("generic", directory / "graph.json", "generic@1", "--format", "generic@1", *commit)
    checks.done("its export becomes a body of generic@1", faults)
    stored, faults = converter.judge("code-review-graph-db", directory / "graph.db", "code-review-graph@1")
    checks.done("its database becomes a body of code-review-graph@1, with the commit that it knows", faults)
    if stored is not None:
        checks.done("both have the same nodes", [] if len(stored["nodes"]) == len(native["nodes"]) else [str(len(stored["nodes"]))])


def repomix(converter: Converter, checks: Checks, node: str, program: str) -> None:
    counts = set()
    for style, packed_as in STYLES.items():
        native = converter.scratch / f"repomix-output.{style}"
        packed = converter.run([node, program, "--style", style, "--output", str(native), "--quiet", "--ignore", ".code-review-graph/**"])
        checks.done(f"Repomix packs {style}", [] if native.is_file() else [packed.stderr, packed.stdout])
        body, faults = converter.judge(f"repomix-{style}", native, "bundle@1", "--content-url", f"https://example.org/{native.name}",
                                       "--commit", converter.commit, "--tool-version", "1.18.1")
        if body is not None:
            manifest = body["manifest"]
            if manifest["format"] != packed_as or manifest["byte_count"] != native.stat().st_size or manifest["tool"] != "repomix":
                faults.append(json.dumps(manifest))
            missing = [file["path"] for file in body["files"] if not (converter.tree / file["path"]).is_file()]
            faults += [f"{path} is no file" for path in missing[:5]]
            counts.add(manifest["file_count"])
        checks.done(f"its pack in {style} becomes a body of bundle@1", faults)
    checks.done("all styles pack the same files", [] if len(counts) == 1 and min(counts) > 50 else [str(counts)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("lore", "tree", "node", "repomix", "schemas", "scratch"):
        parser.add_argument(f"--{option}", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    converter = Converter(arguments)
    code_review_graph(converter, checks)
    repomix(converter, checks, arguments.node, arguments.repomix)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
