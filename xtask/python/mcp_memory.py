"""Works on a task with what `lore mcp` remembers, through the official Python client: from an empty store to a closed task with updated atoms.

    mcp_memory.py -- LORE mcp --repo DIR --cache DIR --db FILE

The repository is a copy of tests/sample. What an agent is asked to do by the three prompts is done once, step by step; each step looks at what the one before it left.
"""

import argparse
import asyncio
import json
import logging
import sys
from typing import Any

from mcp import Client, StdioServerParameters

from mcp_checks import Checks


class Work:
    """One session, with what it found."""

    def __init__(self, client: Client, checks: Checks) -> None:
        self.client = client
        self.checks = checks

    async def data(self, tool: str, **arguments: Any) -> Any:
        """The data of an answer that has to be a good one, in the form that the specification wants."""
        answer = await self.client.call_tool(tool, arguments)
        envelope = answer.structured_content or {}
        text = answer.content[0].text if answer.content else ""
        if answer.is_error or envelope.get("success") is not True or json.loads(text) != envelope:
            raise RuntimeError(f"{tool} {arguments}: {text}")
        return envelope["data"]

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The form of an answer that has to be a refusal."""
        answer = await self.client.call_tool(tool, arguments)
        envelope = answer.structured_content or {}
        if not answer.is_error or envelope.get("success") is not False:
            raise RuntimeError(f"{tool} {arguments} is not refused: {envelope}")
        return envelope

    def check(self, title: str, **wanted: tuple[Any, Any]) -> None:
        self.checks.done(title, [f"{name} is {got!r}, not {want!r}" for name, (got, want) in wanted.items() if got != want])

    async def version(self, task: str) -> int:
        return (await self.data("query_workflow_state", containerType="task", id=task))["version"]

    async def advance(self, task: str) -> dict[str, Any]:
        return await self.data("advance", containerType="task", id=task, version=await self.version(task))

    async def run(self) -> None:
        prompts = {prompt.name for prompt in (await self.client.list_prompts()).prompts}
        wanted = {"memory_discovery", "memory_planning", "memory_execution"}
        self.check("the three skills are prompts", prompts=(wanted - prompts, set()))
        found = await self.data("query_container", operation="search", containerType="project", query="shop")
        self.check("the store is empty", count=(found["count"], 0))
        create = {"tool": "manage_container", "operation": "create"}
        project = (await self.data(**create, containerType="project", name="shop", summary="sells things"))["project"]["id"]
        feature = (await self.data(**create, containerType="feature", projectId=project, name="Discounts", summary="for members",
                                   priority="HIGH"))["feature"]["id"]
        task, later = [
            (await self.data(**create, containerType="task", featureId=feature, title=title, summary="s", priority="HIGH",
                             complexity=size))["task"]["id"]
            for title, size in [("Whole cents", 2), ("Coupons", 5)]
        ]
        await self.data("manage_sections", operation="add", entityType="TASK", entityId=task, title="Context Files",
                        usageDescription="what to read", content="- `shop/prices.py`\n- shop/unknown.py (new)")
        await self.data("manage_dependency", operation="create", fromId=task, toId=later, type="BLOCKS")
        graph = {"tool": "manage_graph", "operation": "create", "projectId": project, "createdByTaskId": task}
        molecule = (await self.data(**graph, entityType="molecule", name="Selling"))["molecule"]["id"]
        atom = (await self.data(**graph, entityType="atom", name="Prices", paths=["shop/prices.py"], knowledge="floats",
                                moleculeId=molecule))["atom"]["id"]
        next_task = await self.data("get_next_task", projectId=project)
        self.check("the task that nothing blocks is next", task=(next_task["id"], task))
        context = (await self.data("query_container", operation="get", containerType="task", id=task,
                                   includeGraphContext=True))["graphContext"]
        names = [each["name"] for part in context["molecules"] for each in part["atoms"]]
        self.check("its context names the atom and the path that none covers", atoms=(names, ["Prices"]),
                   unmatched=(context["unmatchedPaths"], ["shop/unknown.py"]))
        started = await self.advance(task)
        self.check("it is begun, and so is its feature", task=(started["transition"], {"from": "NEW", "to": "ACTIVE"}),
                   feature=("featureTransition" in started, True))
        conflict = await self.refused("manage_graph", operation="update", entityType="atom", id=atom, version=7, knowledge="x")
        self.check("an old version is refused with the new one", code=(conflict["error"], "CONFLICT"),
                   version=(conflict["data"]["currentVersion"], 1))
        await self.data("graph_commit", taskId=task, projectId=project,
                        atoms=[{"id": atom, "version": 1, "knowledge": "prices are whole cents"},
                               {"ref": "coupons", "name": "Coupons", "paths": ["shop/coupons/**"], "moleculeId": molecule}],
                        changelog=[{"parentType": "atom", "parentId": atom, "summary": "floats became cents"},
                                   {"parentType": "atom", "parentId": "ref:coupons", "summary": "planned"}])
        told = await self.data("query_graph", operation="get", entityType="atom", id=atom)
        self.check("one call updated the atom and its changelog", knowledge=(told["atom"]["knowledge"], "prices are whole cents"),
                   entries=([entry["summary"] for entry in told["changelog"]], ["floats became cents"]))
        closed = await self.advance(task)
        self.check("the task is closed, says what to write down, and frees the next one",
                   task=(closed["transition"]["to"], "CLOSED"), hints=("graphHints" in closed, True),
                   freed=([freed["id"] for freed in closed["unblockedEntities"]], [later]))
        next_task = await self.data("get_next_task", projectId=project)
        self.check("the next task is the one that was blocked", task=(next_task["id"], later))


async def run(command: list[str]) -> int:
    checks = Checks()
    server = StdioServerParameters(command=command[0], args=[*command[1:], "--tools", "memory"])
    async with Client(server) as client:
        await Work(client, checks).run()
    return checks.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="+")
    # The client warns of each call of a tool that is not listed.
    logging.disable(logging.WARNING)
    return asyncio.run(run(parser.parse_args().command))


if __name__ == "__main__":
    sys.exit(main())
