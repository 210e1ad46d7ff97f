"""Choices among alternatives: which one of the new is which one of the old."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mcpgen.diff.schemas.model import Path, Walk, Way
from mcpgen.diff.schemas.reading import Branch, Schema, canonical, listed, texts_removed, types, with_integers

_ALIKE, _SOME = 0.3, 0.5
_TRIED = 900
"""Pairs of alternatives that are held against each other at most."""
_KEYS = 200
Compare = Callable[[Walk, Schema, Schema, Path], None]


def compare_unions(
    walk: Walk, old: Sequence[Branch], new: Sequence[Branch], path: Path, compare_part: Compare
) -> None:
    """Notes alternatives that came, went, or changed. One that another one covers is neither a loss nor a gain."""
    before, after = _without_equals(old, new)
    for was, now in _partners(before, after):
        before.remove(was)
        after.remove(now)
        compare_part(walk, was.schema, now.schema, (*path, *now.path))
    for branch in before:
        if not _covered(walk, branch, new, reverse=True):
            walk.say("alternative-removed", Way.NARROWED, (*path, *branch.path), _shown(branch.schema))
    for branch in after:
        if not _covered(walk, branch, old, reverse=False):
            walk.say("alternative-added", Way.WIDENED, (*path, *branch.path), None, _shown(branch.schema))


def _without_equals(old: Sequence[Branch], new: Sequence[Branch]) -> tuple[list[Branch], list[Branch]]:
    """What has no equal on the other side. References are not followed here: their targets are compared as partners."""
    texts = [[_text(branch) for branch in side] for side in (old, new)]
    before = [b for b, text in zip(old, texts[0], strict=True) if text is None or text not in texts[1]]
    after = [b for b, text in zip(new, texts[1], strict=True) if text is None or text not in texts[0]]
    return before, after


def _text(branch: Branch) -> str | None:
    text = canonical(texts_removed(branch.schema))
    return None if '"$ref"' in text else text


def _partners(old: Sequence[Branch], new: Sequence[Branch]) -> list[tuple[Branch, Branch]]:
    """Pairs by likeness, the most alike first; of equals, those at the same place."""
    if len(old) * len(new) > _TRIED:
        return []
    scores = [
        (-_likeness(was.schema, now.schema), abs(i - j), i, j)
        for i, was in enumerate(old)
        for j, now in enumerate(new)
    ]
    found: dict[int, int] = {}
    for score, _, i, j in sorted(scores):
        if -score >= _ALIKE and i not in found and j not in found.values():
            found[i] = j
    return [(old[i], new[j]) for i, j in sorted(found.items())]


def _likeness(old: Schema, new: Schema) -> float:
    """How alike two alternatives are, from 0 to 1. Different fixed values make different alternatives."""
    if not _overlap(old, new):
        return 0.0
    mine, theirs = old.get("properties") or {}, new.get("properties") or {}
    if not mine and not theirs:
        return _share(_values(old), _values(new)) if listed(old) and listed(new) else _SOME
    fixed = {name: canonical(one.get("const", one.get("enum"))) for name, one in _fixed(mine).items()}
    other = {name: canonical(one.get("const", one.get("enum"))) for name, one in _fixed(theirs).items()}
    shared = fixed.keys() & other.keys()
    if shared:
        return 1.0 if all(fixed[name] == other[name] for name in shared) else 0.0
    if not mine or not theirs:
        return _SOME
    names, others = set(list(mine)[:_KEYS]), set(list(theirs)[:_KEYS])
    # Half of it is how much of the smaller is in the larger: most alternatives that changed have grown.
    return (_share(names, others) + len(names & others) / min(len(names), len(others))) / 2


def _overlap(old: Schema, new: Schema) -> bool:
    return bool(with_integers(types(old)) & with_integers(types(new)))


def _fixed(properties: Schema) -> dict[str, Any]:
    """Properties with one value only, by which clients tell alternatives apart."""
    return {
        name: one
        for name, one in properties.items()
        if isinstance(one, dict) and ("const" in one or len(one.get("enum", ())) == 1)
    }


def _values(schema: Schema) -> set[str]:
    return {canonical(value) for value in listed(schema) or ()}


def _share(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


def _covered(walk: Walk, branch: Branch, others: Sequence[Branch], *, reverse: bool) -> bool:
    """Whether all values of an alternative are values of one of the others (`reverse`: which are the new ones)."""
    for other in others[:_KEYS]:
        if not _overlap(branch.schema, other.schema):
            continue
        if reverse:
            ways = {delta.way for delta in walk.probe(branch.schema, other.schema)}
            if ways <= {Way.WIDENED}:
                return True
        elif {delta.way for delta in walk.probe(other.schema, branch.schema)} <= {Way.NARROWED}:
            return True
    return False


def _shown(schema: Schema) -> Any:
    """An alternative in short: its type, and the names of its properties."""
    kinds = sorted(types(schema))
    shown: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds}
    if schema.get("properties"):
        shown["properties"] = sorted(schema["properties"])[:12]
    if listed(schema) is not None:
        shown["enum"] = list(listed(schema) or ())[:12]
    return shown
