"""The data of the generated tests: one minimal call a tool, and what it must put on the wire.

Expectations are computed here from the plan, not with the run-time library's own serialiser.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from mcpgen.plan.model import PackagePlan, ToolPlan

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


def test_cases(plan: PackagePlan) -> dict[str, Any]:
    """The document `tests/cases.json`."""
    return {
        "package": plan.package,
        "env_prefix": plan.env_prefix,
        "credentials": sorted(name for auth in plan.auth for name in auth.env.values()),
        "tools": [_case(tool) for tool in plan.tools],
    }


def _case(tool: ToolPlan) -> dict[str, Any]:
    samples = tool.samples
    return {
        "tool": tool.name,
        "arguments": dict(samples.minimal) if samples.minimal is not None else None,
        "method": tool.method,
        "path": _expected_path(tool),
        "answer": {
            "status": samples.response_status,
            "content_type": samples.response_media,
            "value": samples.response_value,
        },
    }


def _expected_path(tool: ToolPlan) -> str | None:
    """The path of the minimal call; None where a style or a value leaves more than one spelling."""
    wires = {wire.name: wire for wire in tool.parameters if wire.where == "path"}
    if tool.samples.minimal is None:
        return None
    values = {
        a.wire_name: tool.samples.minimal.get(a.name, a.sent_by_itself) for a in tool.arguments_in("path")
    }
    values |= {name: tool.fixed[name] for name, where in tool.fixed_where.items() if where == "path"}
    parts: list[str] = []
    position = 0
    for match in _PLACEHOLDER.finditer(tool.path):
        wire = wires.get(match.group(1))
        value = values.get(match.group(1))
        if wire is None or wire.style != "simple" or wire.content_type or not isinstance(value, str | int):
            return None
        text = str(value).lower() if isinstance(value, bool) else str(value)
        parts += [tool.path[position : match.start()], quote(text, safe="")]
        position = match.end()
    parts.append(tool.path[position:])
    path = "".join(parts)
    return path if re.fullmatch(r"[\w./~%:-]*", path, re.ASCII) else None
