"""References between the schemas of an `Api`: who refers to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Schema


def referenced(schema: Schema) -> str | None:
    """The name of the component that a schema refers to at its own level."""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith(SCHEMA_PREFIX):
        return reference[len(SCHEMA_PREFIX) :]
    return None


def component_of(schema: Schema) -> tuple[str, bool] | None:
    """The component that a success schema is (`NAME`, False) or lists (`NAME`, True)."""
    name = referenced(schema)
    if name is not None:
        return name, False
    items = schema.get("items")
    if schema.get("type") == "array" and isinstance(items, Mapping):
        found = component_of(items)
        if found is not None and not found[1]:
            return found[0], True
    return None


def components_of(schema: Any) -> Iterator[str]:
    """The components that a schema refers to, at any depth of its own."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            name = referenced(node)
            if name is not None:
                yield name
            waiting.extend(node.values())
        elif isinstance(node, list | tuple):
            waiting.extend(node)


def closure(schema: Any, schemas: Mapping[str, Schema]) -> dict[str, None]:
    """All components below a schema, in the order in which they are met."""
    found: dict[str, None] = {}
    waiting = list(components_of(schema))
    while waiting:
        name = waiting.pop()
        if name not in found and name in schemas:
            found[name] = None
            waiting.extend(components_of(schemas[name]))
    return found


def repeated(schema: Schema, schemas: Mapping[str, Schema]) -> frozenset[str]:
    """The components that are referred to more than once below a schema."""
    counts: dict[str, int] = {}
    waiting = [schema]
    while waiting:
        for name in components_of(waiting.pop()):
            counts[name] = counts.get(name, 0) + 1
            if counts[name] == 1 and name in schemas:
                waiting.append(schemas[name])
    return frozenset(name for name, count in counts.items() if count > 1)
