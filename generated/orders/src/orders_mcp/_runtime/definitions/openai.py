"""OpenAI's function tools, for Chat Completions and for Responses, strict or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .common import described, named, rootless
from .model import Definition, Finding
from .strict import StrictSchema

_NAME = r"[a-zA-Z0-9_-]{1,64}"
_LONGEST_DESCRIPTION = 1024
"""Characters."""


def plain(tool: Mapping[str, Any], api: str) -> Definition:
    """A tool whose arguments a model writes as well as it can."""
    parameters, findings = rootless(tool["name"], tool["inputSchema"])
    return _definition(tool, api, parameters, findings, strict=False)


def strict(tool: Mapping[str, Any], api: str) -> Definition:
    """A tool whose arguments always keep their schema; as `plain`, with the reasons, where that can't be."""
    found = StrictSchema(tool["name"], tool["inputSchema"])
    if found.problems:
        ordinary = plain(tool, api)
        reasons = (*found.problems, *ordinary.findings)
        return Definition(ordinary.tool, ordinary.value, strict=False, findings=reasons)
    return _definition(tool, api, found.schema, found.findings, strict=True)


def _definition(
    tool: Mapping[str, Any], api: str, parameters: Any, findings: list[Finding], *, strict: bool
) -> Definition:
    name = tool["name"]
    description, shortened = described(name, tool.get("description") or "", _LONGEST_DESCRIPTION)
    function = {"name": name, "description": description, "parameters": parameters, "strict": strict}
    told = (*named(name, _NAME), *shortened, *findings)
    # Responses takes `strict` for true when nothing is said, so it is always said.
    flat = {"type": "function", **function}
    value = flat if api == "responses" else {"type": "function", "function": function}
    return Definition(name, value, strict, told)
