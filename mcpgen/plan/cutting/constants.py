"""The value of an action inside of a body field stays fixed in what is published, however much of that is simplified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mcpgen.plan.cutting.model import Action
from mcpgen.plan.projection import Projected


def with_constant(
    published: Projected, action: Action | None, arguments: Sequence[tuple[str, str]]
) -> Projected:
    """The published input schema, in which the nested action can have its one value only.

    Args:
        published: the input schema of the tool.
        action: of the tool.
        arguments: the published names of the body's arguments and their fields; "" for the whole body.
    """
    if action is None or action.where != "nested":
        return published
    for name, field in arguments:
        if field == action.within:
            schema = _fixed(published.schema, (name, action.name), action.sent)
            return replace(published, schema=schema)
    for name, field in arguments:
        if not field:
            schema = _fixed(published.schema, (name, action.within, action.name), action.sent)
            return replace(published, schema=schema)
    return published


def _fixed(schema: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The schema in which the property at the end of a path is required and has one value."""
    name, rest = path[0], path[1:]
    inner = schema.get("properties", {}).get(name, {})
    described = {"description": inner["description"]} if "description" in inner else {}
    child = _fixed(inner, rest, value) if rest else {**described, "const": value}
    required = list(dict.fromkeys([*schema.get("required", ()), name]))
    return {**schema, "properties": {**schema.get("properties", {}), name: child}, "required": required}
