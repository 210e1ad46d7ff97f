"""Values that keep the schema and still can't be sent: they would lead elsewhere, or end a header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mcpgen.cases.model import RefusalCase
from mcpgen.cases.wire.headers import NEVER_SENT
from mcpgen.plan.model import ToolPlan

_FOR_PATHS = (("..", "another segment"), ("", "empty segment"))
_FOR_HEADERS = (("sample\r\nX-Sample: 1", "line break"), ("sample\x00", "control character"))
_NOT_BASE64 = "no base64!"


def unsendable(
    tool: ToolPlan, arguments: Mapping[str, Any], keeps: Callable[[Mapping[str, Any]], bool]
) -> Iterator[RefusalCase]:
    """The minimal call with such a value in place of a good one.

    A `.` or `..` segment leads out of the address (RFC 3986, 5.2.4), an empty one to another resource; a line break ends a
    header (RFC 9110, 5.5).

    Args:
        keeps: whether arguments keep the published schema: others are refused for that already.
    """
    wires = {(wire.where, wire.name): wire for wire in tool.parameters}
    for argument in tool.arguments:
        wire = wires.get((argument.where, argument.wire_name or ""))
        if wire is None or wire.content_type is not None or wire.style != "simple":
            continue
        for value, what in _values(tool, argument.where, wire.name):
            changed = {**arguments, argument.name: value}
            if keeps(changed):
                yield RefusalCase(f"{argument.name}: {what}", argument.name, changed)
    yield from _files(tool, arguments, keeps)


def _values(tool: ToolPlan, where: str, name: str) -> Iterator[tuple[str, str]]:
    if where == "path" and f"{{{name}}}" in re.split(r"[/?#]", tool.path):
        yield from _FOR_PATHS
    elif where == "header" and name.lower() not in NEVER_SENT:
        yield from _FOR_HEADERS


def _files(
    tool: ToolPlan, arguments: Mapping[str, Any], keeps: Callable[[Mapping[str, Any]], bool]
) -> Iterator[RefusalCase]:
    """Files whose content is not what it says to be."""
    if tool.body is None or tool.body.kind != "multipart":
        return
    for argument in tool.arguments_in("body"):
        if argument.pointer and tool.body.files.get(argument.field) == "one":
            changed = {**arguments, argument.name: {"content_base64": _NOT_BASE64}}
            if keeps(changed):
                yield RefusalCase(f"{argument.name}: base64", argument.name, changed)
