"""Keeps what reaches the model within bounds: whole items are left out, and the answer says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .values import compact_json


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A value that fits. `whole` is false when it is only the beginning of the answer's text."""

    value: Any
    note: str | None = None
    total: int | None = None
    whole: bool = True


def trim(value: Any, limit: int) -> Trimmed:
    """Cuts a JSON value to about `limit` bytes of JSON, at the borders of list items.

    The longest list of the answer loses its last items. Where no list is long enough, only the beginning of
    the answer's text is left: no part of an object can be left out without lying about it.
    """
    size = _size(value)
    if size <= limit:
        return Trimmed(value)
    if isinstance(value, str):
        kept = _cut_text(value, limit)
        return Trimmed(kept, f"The text is cut: the first {len(kept)} of {len(value)} characters are given.")
    path, items = _longest_list(value, ())
    rest = size - _size(items) if items else size
    kept_items = _fitting(items, limit - rest) if rest < limit else 0
    if kept_items == 0:
        text = _cut_text(compact_json(value), limit)
        return Trimmed(
            text, "The answer is too large: only the beginning of its JSON text is given.", whole=False
        )
    where = "".join(f"/{step}" for step in path)
    what = f"{where} holds" if where else "The list holds"
    note = f"{what} the first {kept_items} of {len(items)} items; the rest is left out because of its size."
    return Trimmed(_replaced(value, path, items[:kept_items]), note, None if path else len(items))


def _size(value: Any) -> int:
    return len(compact_json(value).encode("utf-8", "replace"))


def _cut_text(text: str, limit: int) -> str:
    return text.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def _longest_list(value: Any, path: tuple[str, ...]) -> tuple[tuple[str, ...], list[Any]]:
    """The biggest list that is reached through objects alone, and where it is."""
    if isinstance(value, list):
        return path, value
    best: tuple[tuple[str, ...], list[Any]] = ((), [])
    if isinstance(value, dict) and len(path) < 4:
        sizes = [0]
        for key, inner in value.items():
            found = _longest_list(inner, (*path, key))
            size = _size(found[1])
            if found[1] and size > max(sizes):
                best = found
            sizes.append(size)
    return best


def _fitting(items: list[Any], room: int) -> int:
    used = 2
    for count, item in enumerate(items):
        used += _size(item) + 1
        if used > room:
            return count
    return len(items)


def _replaced(value: Any, path: tuple[str, ...], items: list[Any]) -> Any:
    if not path:
        return items
    return {**value, path[0]: _replaced(value[path[0]], path[1:], items)}
