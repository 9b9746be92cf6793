"""Uses `lore mcp` through the official Python client, as a client of each era of the protocol would.

    mcp_client.py --large DIR --large-cache DIR -- LORE mcp --repo DIR --cache DIR

The repository is a copy of tests/sample with a commit; the large one takes a while to index. Every tool is called once, with the
arguments of CALLS; a tool that has no row there is a failure, so that no tool is ever added that no client has called.
"""

import argparse
import asyncio
import json
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import jsonschema
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from mcp_checks import Checks

# The handshake of old, whatever both know, and requests that carry their revision.
MODES = ["legacy", "auto", "2026-07-28"]
# Seconds that one request, one connection may take.
PATIENCE = 60.0
CONNECTION = 150.0
# Seconds within which a server that was told to stop something has to answer the next question.
SOON = 5.0
INVALID_PARAMS = -32602

# A file that is written once: agents may replace nothing but exported layers.
DIFF = "MODE.diff.ccg.json"
# Each tool with arguments that make sense for tests/sample, in the order of the calls; some are called several times. "$task1.id" is what was made before.
CALLS: dict[str, Any] = {
    "index": {},
    "find": {"query": "Cart", "kind": ["class"]},
    "show": {"target": "shop.cart.Cart", "source": True},
    "outline": {"paths": ["shop"]},
    "callers": {"target": "discount", "depth": 2},
    "callees": {"target": "shop.cart.Cart.total"},
    "impact": {"targets": ["discount"]},
    "path": {"from": "test_same_items_add_up", "to": "shop.cart.Cart.add"},
    "source": {"target": "shop.cart.Cart.add"},
    "files": {"language": ["python"]},
    "calls": {"paths": ["shop"]},
    "unresolved": {},
    "edges": {"symbol": "shop.cart.Cart.total"},
    "deps": {"level": "file"},
    "dead": {},
    "stats": {},
    "query_code": {"operation": "callers", "target": "discount"},
    "get_ccg_manifest": {},
    "query_ccg": {"query": "SELECT ?subject WHERE { ?subject ?predicate ?object } LIMIT 3"},
    "export_ccg_manifest": {},
    "export_ccg_architecture": {},
    "export_ccg_index": {"plain": True},
    "export_ccg_full": {"plain": True, "budget": 2000},
    "export_ccg": {"output": "MODE.ccg.zip"},
    "ccg_acl": {},
    "ccg_select": {"question": "Who calls discount?"},
    "ccg_validate": {"source": "MODE.ccg.zip"},
    "ccg_diff": {"base": "HEAD", "output": DIFF},
    "ccg_verify": {"diff": DIFF},
    "config_show": {},
    "doctor": {},
    "unit_validate": {"files": ["knowledge.yaml"]},
    "search_knowledge": {"query": "What is this shop?"},
    "get_unit": {"unit_id": "readme"},
    "list_manifests": {},
    "get_command_syntax": {"command": "git commit"},
    "unit_plan": {"terms": ["shop"]},
    "unit_relations": {},
    "unit_show": {"id": "readme", "content": True},
    "unit_access": {"id": "readme"},
    "unit_stale": {},
    "unit_discover": {},
    "unit_federation_list": {},
    "unit_federation_resolve": {"offline": True},
    "unit_catalog_list": {},
    "unit_catalog_status": {},
    "init": {"agent": ["claude-code"]},
    "mind_link": {"source": "task:MODE", "target": "file:shop/cart.py", "type": "touches", "confidence": 0.4},
    "mind_set": {"id": "task:MODE", "key": "status", "value": "done"},
    "mind_status": {},
    "mind_nodes": {"prefix": ["task"]},
    "mind_edges": {},
    "mind_view": {"name": "progress"},
    "mind_suggest": {},
    "mind_review": {},
    "mind_import": {"from_markdown": "**/*.md", "dry_run": True},
    "manage_container": [
        {"operation": "create", "containerType": "project", "name": "MODE shop", "summary": "a shop"},
        {"operation": "create", "containerType": "task", "title": "MODE prices", "summary": "in cents", "priority": "HIGH",
         "complexity": 3, "projectId": "$project1.id"},
        {"operation": "create", "containerType": "task", "title": "MODE coupons", "summary": "for members", "priority": "LOW",
         "complexity": "2", "projectId": "$project1.id"},
    ],
    "manage_sections": {"operation": "add", "entityType": "TASK", "entityId": "$task1.id", "title": "Context Files",
                        "usageDescription": "what to read", "content": "- shop/cart.py"},
    "manage_graph": [
        {"operation": "create", "entityType": "molecule", "projectId": "$project1.id", "name": "MODE selling",
         "createdByTaskId": "$task1.id"},
        {"operation": "create", "entityType": "atom", "projectId": "$project1.id", "name": "MODE carts", "paths": ["shop/**"],
         "moleculeId": "$molecule1.id", "knowledge": "prices are decimals", "createdByTaskId": "$task1.id"},
    ],
    "query_graph": {"operation": "context", "projectId": "$project1.id", "paths": ["shop/cart.py"]},
    "manage_changelog": {"operation": "append", "parentType": "atom", "parentId": "$atom1.id", "taskId": "$task1.id",
                         "summary": "written down"},
    "query_container": {"operation": "get", "containerType": "task", "id": "$task1.id", "includeGraphContext": True},
    "manage_dependency": {"operation": "create", "fromId": "$task2.id", "toId": "$task1.id", "type": "RELATES_TO"},
    "get_next_task": {"projectId": "$project1.id"},
    "query_workflow_state": {"containerType": "task", "id": "$task1.id"},
    "advance": {"containerType": "task", "id": "$task1.id", "version": "$query_workflow_state.version"},
    "graph_commit": {"taskId": "$task1.id", "projectId": "$project1.id",
                     "changelog": [{"parentType": "atom", "parentId": "$atom1.id", "summary": "confirmed"}]},
    "mind_unlink": {"source": "task:MODE", "target": "file:shop/cart.py", "type": "touches"},
    # Nobody is asked: no test reaches the web.
    "find_graph_for_repo": [{"id": "octo/hello", "offline": True}, {"owner": "octo", "repo": "hello", "offline": True}],
    "list_repos": {"kept": True, "format": "ccg@1"},
    "get_graph": {"url": "https://github.com/octo/hello", "offline": True},
    "search_concepts": {"query": "cart", "offline": True},
}
# Tools that are refused here, as there is nothing for them, and what they say.
REFUSED = {
    "find_graph_for_repo": "no cached graph of octo/hello, and offline mode makes no request",
    "get_graph": "no cached graph of octo/hello",
}
# The field of an answer that alone is its text, where a specification wants it so.
TEXTS = {"search_knowledge": "results"}
# Values for the variables of the templates of resources, and arguments for the prompts.
VARIABLES = {"path": "shop/cart.py", "name": "shop.cart.Cart"}
ARGUMENTS = {"focus": "shop", "change": "prices in whole cents", "target": "discount", "base": "HEAD", "topic": "prices",
             "project": "shop", "work": "prices in whole cents", "task": "MODE prices"}


class Session:
    """One mode, with what it found."""

    def __init__(self, checks: Checks, mode: str, command: list[str], large: list[str]) -> None:
        self.checks = checks
        self.mode = mode
        self.command = command
        self.large = large
        self.listed: dict[str, str] = {}

    def client(self, command: list[str]) -> Client:
        server = StdioServerParameters(command=command[0], args=command[1:])
        return Client(server, mode=self.mode, read_timeout_seconds=PATIENCE)

    def done(self, title: str, problems: list[str], note: str = "") -> None:
        self.checks.done(f"{self.mode}: {title}", problems, note)

    async def run(self) -> None:
        parts: list[tuple[str, list[str], Callable[[Client], Awaitable[None]]]] = [
            ("core", self.command, self.core),
            ("all tools", [*self.command, "--tools", "all"], self.every_tool),
            ("long calls", self.large, self.long_calls),
        ]
        for title, command, part in parts:
            try:
                with anyio.fail_after(CONNECTION):
                    async with self.client(command) as client:
                        await part(client)
            except Exception as error:  # Whatever the client raises is what its user would see.
                self.done(title, [said(error)])

    async def core(self, client: Client) -> None:
        """What a client is shown when nothing is asked for, and what it may call all the same."""
        # A client that pins its revision does not ask who the server is.
        is_pinned = self.mode == MODES[-1]
        problems = [] if is_pinned or client.instructions else ["there are no instructions"]
        if not is_pinned and client.server_info.name != "lore":
            problems.append(f"the server is {client.server_info}")
        self.done("connects", problems, client.protocol_version)
        tools = await self.tools(client, "core")
        unlisted = "stats"
        problems = [f"{unlisted} is listed"] if unlisted in tools else []
        answer = await client.call_tool(unlisted, {})
        problems += ["it cannot be called"] if answer.is_error else []
        self.done("a tool that is not listed can be called", problems)
        await self.refusals(client)
        await self.resources(client)
        await self.prompts(client)
        await self.completions(client)

    async def tools(self, client: Client, toolset: str) -> dict[str, Any]:
        answer = await client.list_tools()
        tools = {tool.name: tool for tool in answer.tools}
        problems = [] if len(tools) == len(answer.tools) else ["a name stands twice"]
        problems += ["there is another page, which many clients never ask for"] if answer.next_cursor else []
        problems += [f"{name} has no description" for name, tool in tools.items() if not tool.description]
        for name, tool in tools.items():
            for schema in filter(None, [tool.input_schema, tool.output_schema]):
                try:
                    jsonschema.Draft202012Validator.check_schema(schema)
                except jsonschema.SchemaError as error:
                    problems.append(f"{name}: {error.message}")
        dumped = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in answer.tools]
        self.listed[toolset] = json.dumps(dumped, separators=(",", ":"), ensure_ascii=False)
        size = len(self.listed[toolset].encode())
        self.done(f"lists the tools ({toolset})", problems, f"{len(tools)} tools, {size:,} bytes")
        return tools

    async def refusals(self, client: Client) -> None:
        problems = []
        try:
            await client.call_tool("no_such_tool", {})
            problems.append("a tool that is not there was called")
        except MCPError as error:
            if error.error.code != INVALID_PARAMS:
                problems.append(f"an unknown tool is answered with {error.error.code}")
        for arguments in [{"target": 5}, {}, {"target": "discount", "nonsense": True}]:
            answer = await client.call_tool("show", arguments)
            if not answer.is_error:
                problems.append(f"show takes {arguments}")
            if answer.structured_content is not None:
                problems.append("an error has structured content, which older clients hold against the schema of answers")
        try:
            await client.read_resource("lore://no/such")
            problems.append("a resource that is not there was read")
        except MCPError as error:
            if error.error.code not in (INVALID_PARAMS, -32002):
                problems.append(f"an unknown resource is answered with {error.error.code}")
        self.done("is refused what cannot be", problems)

    async def resources(self, client: Client) -> None:
        problems = []
        listed = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        uris = [str(resource.uri) for resource in listed]
        for template in templates:
            uri = template.uri_template
            for name, value in VARIABLES.items():
                uri = uri.replace(f"{{+{name}}}", value).replace(f"{{{name}}}", value)
            uris.append(uri)
        for uri in uris:
            try:
                contents = (await client.read_resource(uri)).contents
                if not all(getattr(content, "text", None) or getattr(content, "blob", None) for content in contents):
                    problems.append(f"{uri} is empty")
            except MCPError as error:
                problems.append(f"{uri}: {said(error)}")
        if not listed or not templates:
            problems.append("none is listed")
        self.done("reads every resource", problems, f"{len(listed)} and {len(templates)} templates")

    async def prompts(self, client: Client) -> None:
        problems = []
        prompts = (await client.list_prompts()).prompts
        for prompt in prompts:
            arguments = {argument.name: ARGUMENTS.get(argument.name, "") for argument in prompt.arguments or []}
            problems += [f"{prompt.name} takes `{name}`, which ARGUMENTS lacks" for name in arguments if name not in ARGUMENTS]
            answer = await client.get_prompt(prompt.name, arguments)
            texts = "".join(getattr(message.content, "text", "") for message in answer.messages)
            needed = [argument.name for argument in prompt.arguments or [] if argument.required]
            problems += [f"{prompt.name} does not say its `{name}`" for name in needed if ARGUMENTS[name] not in texts]
            for name in needed:
                try:
                    await client.get_prompt(prompt.name, {key: value for key, value in arguments.items() if key != name})
                    problems.append(f"{prompt.name} does without `{name}`")
                except MCPError:
                    pass
        self.done("gets every prompt", problems or ([] if prompts else ["none is listed"]), f"{len(prompts)} prompts")

    async def completions(self, client: Client) -> None:
        problems = []
        for reference, name, begun, wanted in [
            (ResourceTemplateReference(uri="lore://source/{+path}"), "path", "shop/c", "shop/cart.py"),
            (ResourceTemplateReference(uri="lore://symbol/{+name}"), "name", "Ca", "Cart"),
            (PromptReference(name="plan_change"), "target", "disc", "discount"),
        ]:
            values = (await client.complete(reference, {"name": name, "value": begun})).completion.values
            if not any(wanted in value for value in values):
                problems.append(f"{begun} is completed with {values}, not {wanted}")
        self.done("completes names", problems)

    async def every_tool(self, client: Client) -> None:
        tools = await self.tools(client, "all")
        problems = [f"{name} has no row in CALLS" for name in tools if name not in CALLS]
        self.done("has arguments for every tool", problems)
        problems = []
        made: dict[str, Any] = {}
        for name, rows in CALLS.items():
            # What is seldom asked is not listed, and can be called.
            tool = tools.get(name, Unlisted(name))
            for arguments in rows if isinstance(rows, list) else [rows]:
                given = filled(json.loads(json.dumps(arguments).replace("MODE", self.mode)), made)
                problems += [f"{name}: {problem}" for problem in await call(client, tool, given, made)]
        self.done("calls every tool", problems, f"{len(CALLS)} tools")

    async def long_calls(self, client: Client) -> None:
        seen: list[tuple[float, float | None]] = []

        async def on_progress(done: float, total: float | None, _: str | None) -> None:
            seen.append((done, total))

        answer = await client.call_tool("index", {"fresh": True}, progress_callback=on_progress)
        problems = ["it failed"] if answer.is_error else []
        problems += [] if seen else ["there was none"]
        problems += ["it does not grow"] if any(later[0] <= sooner[0] for sooner, later in zip(seen, seen[1:])) else []
        problems += [f"{done} of {total}" for done, total in seen if total is not None and done > total]
        self.done("progress is told", problems, f"{len(seen)} times")
        with anyio.move_on_after(0.3) as scope:
            await client.call_tool("index", {"fresh": True})
        problems = [] if scope.cancelled_caught else ["it ended before it could be cancelled"]
        began = time.monotonic()
        answer = await client.call_tool("config_show", {})
        took = time.monotonic() - began
        problems += ["the next call fails"] if answer.is_error else []
        problems += [f"the next call took {took:.1f} s"] if took > SOON else []
        self.done("cancels", problems, f"the next call took {took:.2f} s")


class Unlisted:
    """A tool of which only the name is known."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.output_schema = None


def filled(arguments: Any, made: dict[str, Any]) -> Any:
    """Arguments with what was made before in the place of its name."""
    if isinstance(arguments, dict):
        return {key: filled(value, made) for key, value in arguments.items()}
    if isinstance(arguments, list):
        return [filled(value, made) for value in arguments]
    if isinstance(arguments, str) and arguments.startswith("$"):
        what, _, field = arguments[1:].partition(".")
        return made.get(what, {}).get(field)
    return arguments


def keep(name: str, structured: Any, made: dict[str, Any]) -> None:
    """Remembers what a tool made: under the tool's name, and each thing under what it is and its number."""
    data = structured.get("data") if isinstance(structured, dict) else None
    if isinstance(data, dict):
        made[name] = data
        for kind, value in data.items():
            if isinstance(value, dict) and "id" in value:
                number = sum(1 for known in made if known.rstrip("0123456789") == kind and known != kind) + 1
                made[f"{kind}{number}"] = value


async def call(client: Client, tool: Any, arguments: dict[str, Any], made: dict[str, Any]) -> list[str]:
    """What is wrong with the answer of a tool."""
    try:
        answer = await client.call_tool(tool.name, arguments)
    except (MCPError, RuntimeError, jsonschema.ValidationError) as error:
        return [said(error)]
    texts = [content.text for content in answer.content if content.type == "text"]
    if tool.name in REFUSED:
        is_said = answer.is_error and REFUSED[tool.name] in " ".join(texts)
        return [] if is_said else [f"it is not refused: {' '.join(texts)}"]
    if answer.is_error:
        return [f"an error: {' '.join(texts)}"]
    problems = []
    if not texts:
        problems.append("no text block")
    structured = answer.structured_content
    keep(tool.name, structured, made)
    if tool.output_schema is not None:
        if structured is None:
            return ["an output schema without structured content"]
        validator = jsonschema.Draft202012Validator(tool.output_schema)
        problems += [f"{error.json_path}: {error.message}" for error in validator.iter_errors(structured)]
    if structured is not None:
        try:
            wanted = structured[TEXTS[tool.name]] if tool.name in TEXTS else structured
            problems += [] if json.loads(texts[0]) == wanted else ["the text says something else"]
        except (ValueError, IndexError) as error:
            problems.append(f"the text is no JSON: {error}")
    return problems


def said(error: BaseException) -> str:
    """What an error says; of a group, what its members say."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(said(member) for member in error.exceptions)
    return f"{type(error).__name__}: {error}"


async def run(command: list[str], large: list[str]) -> int:
    checks = Checks()
    listed: dict[str, set[str]] = {}
    for mode in MODES:
        session = Session(checks, mode, command, large)
        await session.run()
        for toolset, text in session.listed.items():
            listed.setdefault(toolset, set()).add(text)
    problems = [f"{toolset}: {len(texts)} lists" for toolset, texts in listed.items() if len(texts) != 1]
    checks.done("every mode lists the same tools", problems)
    return checks.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", required=True)
    parser.add_argument("--large-cache", required=True)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    # The client warns of each call of a tool that is not listed, which is what is tried here.
    logging.disable(logging.WARNING)
    large = [arguments.command[0], "mcp", "--repo", arguments.large, "--cache", arguments.large_cache]
    return asyncio.run(run(arguments.command, large))


if __name__ == "__main__":
    sys.exit(main())
