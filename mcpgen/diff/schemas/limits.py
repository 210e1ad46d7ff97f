"""Limits: of numbers, lengths, numbers of items and of properties."""

from __future__ import annotations

from typing import Any

from mcpgen.diff.schemas.model import Path, Walk, Way
from mcpgen.diff.schemas.reading import Schema

_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_NOTHING = {"minLength": 0, "minItems": 0, "minProperties": 0, "minContains": 1}
"""Limits that are the same as none (JSON Schema 2020-12, validation, 6)."""


def compare_limits(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """Notes differences of limits; the path ends in the keyword."""
    for key in (*_UPPER, *_LOWER):
        before, after = _limit(old, key), _limit(new, key)
        if before != after:
            _say(walk, (before, after), (*path, key), upper=key in _UPPER)
    _multiple(walk, old.get("multipleOf"), new.get("multipleOf"), (*path, "multipleOf"))
    was, now = old.get("uniqueItems") is True, new.get("uniqueItems") is True
    if was != now:
        code, way = ("set", Way.NARROWED) if now else ("removed", Way.WIDENED)
        walk.say(f"limit-{code}", way, (*path, "uniqueItems"), was or None, now or None)


def _limit(schema: Schema, key: str) -> Any:
    value = schema.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return None if _NOTHING.get(key) == value else value


def _say(walk: Walk, values: tuple[Any, Any], path: Path, *, upper: bool) -> None:
    before, after = values
    if before is None:
        walk.say("limit-set", Way.NARROWED, path, None, after)
    elif after is None:
        walk.say("limit-removed", Way.WIDENED, path, before)
    elif (after < before) == upper:
        walk.say("limit-tightened", Way.NARROWED, path, before, after)
    else:
        walk.say("limit-loosened", Way.WIDENED, path, before, after)


def _multiple(walk: Walk, before: Any, after: Any, path: Path) -> None:
    """What is a multiple of 10 is one of 5 too."""
    if before == after:
        return
    if before is None:
        walk.say("limit-set", Way.NARROWED, path, None, after)
    elif after is None:
        walk.say("limit-removed", Way.WIDENED, path, before)
    elif _divides(before, after):
        walk.say("limit-tightened", Way.NARROWED, path, before, after)
    elif _divides(after, before):
        walk.say("limit-loosened", Way.WIDENED, path, before, after)
    else:
        walk.say("limit-changed", Way.CHANGED, path, before, after)


def _divides(small: Any, large: Any) -> bool:
    return isinstance(small, int) and isinstance(large, int) and small > 0 and large % small == 0
