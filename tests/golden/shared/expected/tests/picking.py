"""Tools of this server to try things with: the first of each kind that has a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from checks import contract_problems
from harness import CASES, CATALOG, Session, Stub, call_tool, cases_of

OPERATIONS: dict[str, dict[str, Any]] = CATALOG["operations"]
SCHEMAS: dict[str, dict[str, Any]] = {
    tool["name"]: tool["inputSchema"] for tool in CATALOG["tools"]
}
FILES: dict[str, dict[str, Any]] = {
    tool: case
    for folder in sorted(CASES.iterdir())
    if folder.is_dir()
    for tool, case in cases_of(folder.name).items()
    if case["calls"]
}
"""The case files of the tools that have a call."""
CALLS: dict[str, dict[str, Any]] = {
    tool: case["calls"][0]["arguments"] for tool, case in FILES.items()
}
"""The minimal call of each."""
DONE = {
    "status": 200,
    "content_type": "application/json",
    "body": {"json": {"id": 1, "name": "x"}},
}
Policy = Callable[[str], str]
"""Writes a policy file; gives its place."""


def tools_that(wanted: Callable[[str], bool]) -> list[str]:
    """The tools with a call that are of a kind."""
    return [tool for tool in CALLS if wanted(tool)]


def a_tool_that(wanted: Callable[[str], bool], what: str) -> str:
    """The first tool of a kind; where there is none, the test is skipped, and says `what` it needs."""
    found = tools_that(wanted)
    if not found:
        pytest.skip(f"no tool of this server {what}")
    return found[0]


def reads(tool: str) -> bool:
    return bool(OPERATIONS[tool]["effect"] == "read")


def arguments_of(tool: str, kind: type) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Arguments of a kind in the calls of a tool: name, value, and the call that has it."""
    for call in reversed(FILES[tool]["calls"]):
        for name, value in call["arguments"].items():
            if type(value) is kind and name in SCHEMAS[tool]["properties"]:
                yield name, value, call["arguments"]


def calls(
    session: Session,
    stub: Stub,
    tool: str,
    arguments: Mapping[str, Any],
    answer: Mapping[str, Any] = DONE,
) -> dict[str, Any]:
    """The result of one call; it keeps the contract."""
    stub.give(answer)
    result = session.run(lambda client: call_tool(client, tool, arguments))
    assert [
        problem for problem in contract_problems(tool, result) if "output schema" not in problem
    ] == []
    return dict(result.structured_content or {})
