"""JSON for people: what fits a line stays on it, the rest has one line for each entry."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

WIDTH = 100
"""Columns of a line, as in the generated Python."""
MAX_LINES = 999
_INDENT = 2
_compact = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": ")).encode
"""JSON on one line. Made once: most values are so small that making an encoder costs more than using it."""
_HOLDERS = (dict, list, tuple)


def readable_json(value: Any) -> str:
    """A JSON text with a line end. It has fewer than 1,000 lines: a document that would have more gets longer lines.

    Raises:
        TypeError, ValueError: the value is no JSON.
    """
    width = WIDTH
    while True:
        lines = list(_lines(value, "", "", 0, width))
        if len(lines) <= MAX_LINES or len(lines) == 1:
            return "\n".join(lines) + "\n"
        width *= 2
        if width > WIDTH * MAX_LINES and width > 2 * len(whole := _compact(value)):
            return f"{whole}\n"  # too many entries at the root for a line each, however long lines are


def _lines(value: Any, before: str, after: str, level: int, width: int) -> Iterator[str]:
    """The lines of one value, with what stands before it on its first line and after it on its last one."""
    indent = " " * _INDENT * level
    if not isinstance(value, _HOLDERS) or not value:
        yield f"{indent}{before}{_compact(value)}{after}"
        return
    whole = _compact(value)
    if len(indent) + len(before) + len(whole) + len(after) <= width and level:
        yield f"{indent}{before}{whole}{after}"
        return
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    yield f"{indent}{before}{opened}"
    items = (
        [(f"{_compact(key)}: ", item) for key, item in value.items()]
        if isinstance(value, dict)
        else [("", item) for item in value]
    )
    for number, (name, item) in enumerate(items, start=1):
        yield from _lines(item, name, "" if number == len(items) else ",", level + 1, width)
    yield f"{indent}{closed}{after}"
