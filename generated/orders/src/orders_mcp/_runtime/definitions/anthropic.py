"""Anthropic's tools (Messages API): JSON Schema as it is, but for what it refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .common import named, rootless
from .model import Definition, Finding, Kind, step

_NAME = r"[a-zA-Z0-9_-]{1,64}"
_KEY = r"[a-zA-Z0-9_.-]{1,64}"
"""The API checks the names of arguments; deeper fields can have any name."""


def tool(told: Mapping[str, Any]) -> Definition:
    """One tool."""
    name = told["name"]
    schema, findings = rootless(name, told["inputSchema"])
    wrong = [key for key in schema["properties"] if not re.fullmatch(_KEY, key)]
    refused = [
        Finding(Kind.REFUSED, name, step("", "properties", key), f"the argument's name does not match {_KEY}")
        for key in wrong
    ]
    value = {"name": name, "description": told.get("description") or "", "input_schema": schema}
    return Definition(name, value, findings=(*named(name, _NAME), *refused, *findings))
