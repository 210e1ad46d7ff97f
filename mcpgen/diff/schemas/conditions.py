"""`not`, `if`, `then`, `else` and `allOf`: what is held against values besides their own keywords."""

from __future__ import annotations

from typing import Any

from mcpgen.diff.schemas.model import Path, Walk, Way
from mcpgen.diff.schemas.reading import Schema, canonical, texts_removed

_REVERSED = {Way.NARROWED: Way.WIDENED, Way.WIDENED: Way.NARROWED}


def compare_conditions(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """Notes differences of conditions."""
    _not(walk, old.get("not"), new.get("not"), (*path, "not"))
    _if(walk, old, new, path)
    _all_of(walk, old.get("allOf") or [], new.get("allOf") or [], (*path, "allOf"))


def _presence(walk: Walk, old: Any, new: Any, path: Path) -> bool:
    """Whether both are there; notes the one that came or went."""
    if old is None and new is not None:
        walk.say("condition-added", Way.NARROWED, path, None, new)
    elif old is not None and new is None:
        walk.say("condition-removed", Way.WIDENED, path, old)
    return old is not None and new is not None


def _not(walk: Walk, old: Any, new: Any, path: Path) -> None:
    """What is forbidden more is admitted less."""
    if _presence(walk, old, new, path) and (way := walk.way(old, new)) is not None:
        walk.say("condition-changed", _REVERSED.get(way, Way.CHANGED), path, old, new)


def _if(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    before, after = old.get("if"), new.get("if")
    if not _presence(walk, before, after, (*path, "if")):
        return
    if walk.way(before, after) is not None:
        walk.say("condition-changed", Way.CHANGED, (*path, "if"), before, after)
        return
    for key in ("then", "else"):
        if _presence(walk, old.get(key), new.get(key), (*path, key)):
            walk.enter(walk, old[key], new[key], (*path, key))


def _all_of(walk: Walk, old: list[Any], new: list[Any], path: Path) -> None:
    """All parts hold, so their order says nothing; a part that has a counterpart at its place is compared with it."""
    texts = [{canonical(texts_removed(part)) for part in side} for side in (old, new)]
    gone = [i for i, part in enumerate(old) if canonical(texts_removed(part)) not in texts[1]]
    come = [i for i, part in enumerate(new) if canonical(texts_removed(part)) not in texts[0]]
    for index, other in zip(gone, come, strict=False):
        walk.enter(walk, old[index], new[other], (*path, str(other)))
    for index in gone[len(come) :]:
        walk.say("condition-removed", Way.WIDENED, (*path, str(index)), old[index])
    for index in come[len(gone) :]:
        walk.say("condition-added", Way.NARROWED, (*path, str(index)), None, new[index])
