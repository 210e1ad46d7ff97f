"""Suggests how a large group of tools falls into smaller ones, by where they work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mcpgen.lint.model import Tool
from mcpgen.plan.toolsets import is_prefix, static_segments

_IDEAL = 15
_SMALLEST = 3
_DEPTH = 6


def suggested_groups(tools: Sequence[Tool]) -> list[tuple[str, int]]:
    """Names and sizes of groups, the largest first, by the segments of the paths.

    A group that is still too large is split by the next segment; what is left over of small ones is called `other`.
    """
    places = [_segments(tool) for tool in tools]
    names = {index: _label(place, 1) for index, place in enumerate(places)}
    for depth in range(2, _DEPTH):
        sizes = Counter(names.values())
        large = {name for name, size in sizes.items() if size > _IDEAL}
        names = {
            index: _label(places[index], depth) if name in large and len(places[index]) >= depth else name
            for index, name in names.items()
        }
    sizes = Counter(names.values())
    if len(sizes) < 2:
        return list(sizes.items())
    small = sum(size for size in sizes.values() if size < _SMALLEST)
    kept = [(name, size) for name, size in sizes.items() if size >= _SMALLEST]
    rest = [("other", small)] if small else []
    return sorted(kept, key=lambda item: (-item[1], item[0])) + rest


def _segments(tool: Tool) -> tuple[str, ...]:
    return tuple(part.lower() for part in static_segments(tool.path) if not is_prefix(part)) or ("root",)


def _label(place: tuple[str, ...], depth: int) -> str:
    return "/".join(place[:depth])
