"""What is in a list."""

from __future__ import annotations

from typing import Any

from mcpgen.diff.schemas.model import Path, Walk, Way
from mcpgen.diff.schemas.reading import Schema, is_never


def compare_arrays(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """Notes differences of items, by position where positions have schemas of their own."""
    _positions(walk, old, new, path)
    before, after = old.get("contains"), new.get("contains")
    place = (*path, "contains")
    if before is None and after is not None:
        walk.say("contains-added", Way.NARROWED, place, None, after)
    elif before is not None and after is None:
        walk.say("contains-removed", Way.WIDENED, place, before)
    elif before is not None and (way := walk.way(before, after)) is not None:
        walk.say("contains-changed", way, place, before, after)
    closed = [is_never(one.get("unevaluatedItems", True)) for one in (old, new)]
    if closed[0] != closed[1]:
        code, way = ("closed", Way.NARROWED) if closed[1] else ("opened", Way.WIDENED)
        walk.say(f"others-{code}", way, (*path, "unevaluatedItems"))


def _positions(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    was, now = old.get("prefixItems") or (), new.get("prefixItems") or ()
    rest = old.get("items", True), new.get("items", True)
    for index in range(max(len(was), len(now))):
        before: Any = was[index] if index < len(was) else rest[0]
        after: Any = now[index] if index < len(now) else rest[1]
        place = (*path, "prefixItems", str(index))
        if is_never(before) and not is_never(after):
            walk.say("position-added", Way.WIDENED, place, None, index)
        elif is_never(after) and not is_never(before):
            walk.say("position-removed", Way.NARROWED, place, index)
        else:
            walk.enter(walk, before, after, place)
    walk.enter(walk, *rest, (*path, "items"))
