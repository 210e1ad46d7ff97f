"""Definitions that lead back to themselves on the same value: no validator can come to an end there."""

from __future__ import annotations

import copy
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX
from mcpgen.spec.applied import ALTERNATIVES, Edge, circles, edges
from mcpgen.spec.model import Json

_DEEPEST = 6
"""How many definitions are written out inside each other; beyond that an alternative admits everything."""


def break_cycles(definitions: dict[str, Json]) -> list[str]:
    """Removes each reference that closes such a circle, in place; returns the names of the definitions that held one.

    `A = anyOf(string, A)` means `string`, so an alternative that is the definition itself becomes "never". Where it is another
    definition, it becomes what that one admits by other ways. In any other place the reference becomes "anything".
    The definitions are walked by name, so that the order of the document does not matter.
    """
    circle = circles(definitions)
    before = {name: copy.deepcopy(definitions[name]) for name in circle}
    state: dict[str, bool] = {}  # False while the definition is on the way, True when it is done
    broken: list[str] = []
    for root in sorted(circle):
        if root in state:
            continue
        state[root] = False
        stack = [(root, edges(definitions[root]))]
        while stack:
            name, rest = stack[-1]
            edge = next(rest, None)
            if edge is None:
                state[name] = True
                stack.pop()
            elif edge.target not in circle or state.get(edge.target) is True:
                continue
            elif edge.target in state:
                _cut(edge, name, before, circle)
                broken.append(name)
            else:
                state[edge.target] = False
                stack.append((edge.target, edges(definitions[edge.target])))
    return broken


def _cut(edge: Edge, name: str, before: dict[str, Json], circle: dict[str, int]) -> None:
    holder = edge.holder
    del holder["$ref"]
    if not edge.alternative:
        return
    if edge.target == name:
        holder.clear()
        holder["not"] = {}
        return
    other = _written_out(before[edge.target], circle[name], before, circle, (name, edge.target))
    holder["allOf"] = [other if other is not None else {"not": {}}, *holder.get("allOf", ())]


def _written_out(
    schema: Any, number: int, before: dict[str, Json], circle: dict[str, int], seen: tuple[str, ...]
) -> Any:
    """A schema without references into its circle; None where nothing is left but a way back.

    A union loses the ways that lead back, because what they admit is admitted already.
    """
    if not isinstance(schema, dict):
        return schema
    found = copy.deepcopy(
        {key: value for key, value in schema.items() if key not in ("allOf", *ALTERNATIVES)}
    )
    parts = [_written_out(part, number, before, circle, seen) for part in schema.get("allOf", ())]
    target = str(schema.get("$ref", "")).removeprefix(SCHEMA_PREFIX)
    if circle.get(target) == number:
        del found["$ref"]
        if target in seen:
            return None
        if len(seen) < _DEEPEST:
            parts.insert(0, _written_out(before[target], number, before, circle, (*seen, target)))
    if None in parts:
        return None
    for key in ALTERNATIVES:
        if key in schema:
            options = [_written_out(item, number, before, circle, seen) for item in schema[key]]
            kept = [item for item in options if item is not None]
            if not kept:
                return None
            # Written out, alternatives may overlap that did not as definitions.
            parts.append({key if options == schema[key] else "anyOf": kept})
    if parts:
        found["allOf"] = parts
    for edge in edges(found):  # under `not` and `if`
        if circle.get(edge.target) == number:
            del edge.holder["$ref"]
    return found
