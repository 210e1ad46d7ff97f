"""Bounds that keep a hostile document from using up time and memory."""

from __future__ import annotations

from typing import Any

from mcpgen.source.document import Position
from mcpgen.source.problem import SourceProblem

MAX_DEPTH = 200
"""Mappings and lists inside each other. Real documents stay below 60; later stages walk recursively."""

MAX_NODES = 2_000_000
"""Values in one document that uses aliases, each counted as often as it is used. Others are bounded by their bytes."""


def too_deep(position: Position | None = None) -> SourceProblem:
    return SourceProblem("source-limit", f"is nested more than {MAX_DEPTH} levels deep", position)


def too_many(position: Position | None = None) -> SourceProblem:
    return SourceProblem(
        "source-limit", f"expands to more than {MAX_NODES:,} values through its aliases", position
    )


def is_too_deep(value: Any) -> bool:
    """Whether a value is nested too deep; walks without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += [entry for entry in item.values() if isinstance(entry, (dict, list))]
            elif isinstance(item, list):
                inner += [entry for entry in item if isinstance(entry, (dict, list))]
        if not inner:
            return False
        level = inner
    return True
