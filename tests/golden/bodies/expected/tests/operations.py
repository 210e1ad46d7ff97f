"""Operations of no API, to try the rules of the run-time library with."""

from __future__ import annotations

from typing import Any

from forms_mcp._runtime.operation import Operation, read_operation

PLAIN = {
    "module": "m",
    "function": "f",
    "toolset": "t",
    "effect": "write",
    "method": "POST",
    "path": "/x",
}
ANYTHING = {"inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}


def operation(**entry: Any) -> Operation:
    """An operation of no API: a write without arguments, but for what is said in `entry`, as in the catalogue."""
    return read_operation("a_tool", {**PLAIN, **entry}, ANYTHING)


def body(content_type: str, kind: str, **more: Any) -> dict[str, Any]:
    """The part of such an entry that is about its body."""
    return {"body": {"content_type": content_type, "kind": kind, **more}}
