"""The calls of a tool that its tests make, each with the exact request that it has to become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.cases.credentials import NoCredential
from mcpgen.cases.model import CallCase
from mcpgen.cases.requests import expected_request
from mcpgen.cases.wire.texts import NoSpelling
from mcpgen.plan.model import PackagePlan, ToolPlan

MINIMAL, FULL = "minimal", "full"


def calls_of(tool: ToolPlan, plan: PackagePlan, credentials: Mapping[str, str]) -> tuple[CallCase, ...]:
    """The minimal call, and the full one where it has more arguments; none where no valid call is known.

    Args:
        credentials: by environment variable, as the server under test has them (`made_up_credentials`).
    """
    found = []
    for name, arguments in ((MINIMAL, tool.samples.minimal), (FULL, tool.samples.full)):
        if arguments is None or (name == FULL and arguments == tool.samples.minimal):
            continue
        try:
            request = expected_request(tool, plan, arguments, credentials)
        except (NoSpelling, NoCredential):
            continue
        found.append(CallCase(name, dict(arguments), request))
    return tuple(found)


def why_no_call(tool: ToolPlan, plan: PackagePlan, credentials: Mapping[str, str]) -> str:
    """Why `calls_of` has no call for a tool; "" where it has one."""
    if calls_of(tool, plan, credentials):
        return ""
    arguments: Mapping[str, Any] | None = tool.samples.minimal or tool.samples.full
    if arguments is None:
        return "no arguments were found that its input schema admits"
    try:
        expected_request(tool, plan, arguments, credentials)
    except (NoSpelling, NoCredential) as problem:
        return str(problem)
    return ""
