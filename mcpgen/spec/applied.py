"""Which definitions apply to the same value: the graph in which circles have no end (JSON Schema 2020-12, 10.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mcpgen.ir.api import SCHEMA_PREFIX
from mcpgen.spec.model import Json

_ONE = ("not", "if", "then", "else")
ALTERNATIVES = ("anyOf", "oneOf")

TEXTS = frozenset({"title", "description", "default", "examples", "deprecated"})


class Edge(NamedTuple):
    """A reference: the object that holds it, the definition that it names, and whether it is one of several alternatives."""

    holder: Json
    target: str
    alternative: bool


def edges(schema: Any, alternative: bool = False) -> Iterator[Edge]:
    """The references that apply to the same value as the schema itself."""
    if not isinstance(schema, dict):
        return
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield Edge(schema, reference.removeprefix(SCHEMA_PREFIX), alternative)
    for key in _ONE:
        if key in schema:
            yield from edges(schema[key])
    for item in schema.get("allOf", ()):
        yield from edges(item, alternative and is_wrapper(schema))
    for key in ALTERNATIVES:
        for item in schema.get(key, ()):
            yield from edges(item, True)
    for item in schema.get("dependentSchemas", {}).values():
        yield from edges(item)


def is_wrapper(schema: Json) -> bool:
    """Whether a schema is another one with texts of its own: `allOf` around one reference."""
    return len(schema.get("allOf", ())) == 1 and schema.keys() - TEXTS == {"allOf"}


def circles(definitions: Mapping[str, Json]) -> dict[str, int]:
    """Definitions that lead to themselves -> the number of their circle: all that lead to each other have the same.

    Tarjan's algorithm for strongly connected components, without recursion.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: list[str] = []
    found: dict[str, int] = {}
    closed: set[str] = set()
    targets = {
        name: [edge.target for edge in edges(schema) if edge.target in definitions]
        for name, schema in definitions.items()
    }
    for root in definitions:
        walk = [] if root in index else [(root, iter(targets[root]))]
        while walk:
            name, rest = walk[-1]
            if name not in index:
                index[name] = low[name] = len(index)
                open_names.append(name)
            target = next((item for item in rest if item not in closed), None)
            if target is None:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[name])
                if low[name] == index[name]:
                    group = open_names[open_names.index(name) :]
                    del open_names[-len(group) :]
                    closed.update(group)
                    if len(group) > 1 or name in targets[name]:
                        found.update(dict.fromkeys(group, index[name]))
            elif target in index:
                low[name] = min(low[name], index[target])
            else:
                walk.append((target, iter(targets[target])))
    return found
