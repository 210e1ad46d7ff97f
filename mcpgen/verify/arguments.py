"""From a case of Schemathesis to the arguments of a tool call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.plan.model import ArgumentPlan, ToolPlan
from mcpgen.verify.document import ARGUMENTS, BODY, by_name

_ABSENT = object()


def arguments_of(tool: ToolPlan, case: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that make the tool send a case. A case has the places of a request as its members.

    What no argument can carry is left out, such as fields of a body that nobody declared.
    """
    found: dict[str, Any] = {}
    for argument in tool.arguments:
        value = _value(tool, argument, case)
        if value is not _ABSENT:
            found[argument.name] = value
    return found


def _value(tool: ToolPlan, argument: ArgumentPlan, case: Mapping[str, Any]) -> Any:
    if by_name(tool, argument):
        return _of(case.get(ARGUMENTS), argument.name)
    if argument.where != BODY:
        return _of(case.get(argument.where), argument.wire_name)
    body = case.get(BODY, _ABSENT)
    if argument.pointer:
        return _behind(body, argument.pointer)
    # Beside arguments for single fields, this one takes further fields, which the spec does not name.
    alone = not any(other.pointer for other in tool.arguments if other.where == BODY)
    return body if alone else _ABSENT


def _of(part: Any, name: str | None) -> Any:
    return part.get(name, _ABSENT) if isinstance(part, Mapping) else _ABSENT


def _behind(value: Any, pointer: str) -> Any:
    """What a JSON pointer leads to (RFC 6901)."""
    for token in pointer.split("/")[1:]:
        value = _of(value, token.replace("~1", "/").replace("~0", "~"))
        if value is _ABSENT:
            return _ABSENT
    return value
