"""Definitions that lead back to themselves on the same value: no validator can come to an end there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX
from mcpgen.spec.model import Json

_ONE = ("not", "if", "then", "else")
_LISTS = ("allOf", "anyOf", "oneOf")


def break_cycles(definitions: dict[str, Json]) -> list[str]:
    """Removes each reference that closes such a circle, in place; returns the names of the definitions that held one.

    `A = anyOf(string, A)` means `string`, so an alternative becomes "never"; in any other place the reference becomes "anything".
    """
    state: dict[str, bool] = {}  # False while the definition is on the way, True when it is done
    broken: list[str] = []
    for root, schema in definitions.items():
        if root in state:
            continue
        state[root] = False
        stack = [(root, _edges(schema))]
        while stack:
            name, edges = stack[-1]
            edge = next(edges, None)
            if edge is None:
                state[name] = True
                stack.pop()
                continue
            holder, target, alternative = edge
            if target not in definitions or state.get(target) is True:
                continue
            if target in state:
                del holder["$ref"]
                if alternative and not holder:
                    holder["not"] = {}
                broken.append(name)
                continue
            state[target] = False
            stack.append((target, _edges(definitions[target])))
    return broken


def _edges(schema: Any, alternative: bool = False) -> Iterator[tuple[Json, str, bool]]:
    """References that apply to the same value: the object that holds each, its target, whether it is one of several."""
    if not isinstance(schema, dict):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield schema, reference.removeprefix(SCHEMA_PREFIX), alternative
    for key in _ONE:
        if key in schema:
            yield from _edges(schema[key])
    for key in _LISTS:
        for item in schema.get(key, ()):
            yield from _edges(item, key != "allOf")
    for item in schema.get("dependentSchemas", {}).values():
        yield from _edges(item)
