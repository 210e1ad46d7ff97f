"""Compares two schemas from the root down, keyword by keyword."""

from __future__ import annotations

from typing import Any

from mcpgen.diff.schemas.arrays import compare_arrays
from mcpgen.diff.schemas.conditions import compare_conditions
from mcpgen.diff.schemas.limits import compare_limits
from mcpgen.diff.schemas.model import Delta, Path, Walk, Way
from mcpgen.diff.schemas.objects import compare_objects
from mcpgen.diff.schemas.reading import ALL, Schema, Shape, is_never, resolved, shape_of, types, with_integers
from mcpgen.diff.schemas.unions import compare_unions
from mcpgen.diff.schemas.values import compare_default, compare_values

_DEPTH = 60
_ABOUT = frozenset({"type", "title", "description", "default", "examples", "format", "$comment"})
_CONTENT = frozenset({"object", "array"})


def compare_schemas(
    old: Any, new: Any, old_root: Schema, new_root: Schema, *, path: Path = (), loose_from: int = 0
) -> list[Delta]:
    """The differences of two schemas that lie in the documents given.

    From paths of the length `loose_from` on, a bare schema beside a detailed one is `detail-lost` or `detail-gained`:
    published schemas are loosened from there on to keep them small, so that the contract may be what it was.
    """
    walk = Walk(old_root, new_root, compare, loose_from)
    compare(walk, old, new, path)
    return walk.deltas


def compare(walk: Walk, old: Any, new: Any, path: Path) -> None:
    """Notes the differences of two subschemas."""
    if walk.depth > _DEPTH:
        return
    before, after = resolved(old, walk.old), resolved(new, walk.new)
    if before is not old or after is not new:
        key = (id(before), id(after))
        if key in walk.seen:
            return
        walk.seen.add(key)
    if is_never(before) or is_never(after):
        if is_never(before) != is_never(after):
            code = "type-widened" if is_never(before) else "type-narrowed"
            walk.say(code, Way.WIDENED if is_never(before) else Way.NARROWED, path, old, new)
        return
    walk.depth += 1
    compare_default(walk, before, after, path)
    _compare_shapes(walk, shape_of(before, walk.old), shape_of(after, walk.new), path)
    walk.depth -= 1


def _compare_shapes(walk: Walk, old: Shape, new: Shape, path: Path) -> None:
    if not old.parts or not new.parts:
        _compare_empty(walk, old, new, path)
        return
    if None not in (old.nullable, new.nullable) and old.nullable != new.nullable:
        code, way = ("added", Way.WIDENED) if new.nullable else ("removed", Way.NARROWED)
        walk.say(f"nullable-{code}", way, path, old.nullable, new.nullable)
    if len(old.parts) == len(new.parts) == 1:
        compare_part(walk, old.parts[0].schema, new.parts[0].schema, (*path, *new.parts[0].path))
    else:
        compare_unions(walk, old.parts, new.parts, path, compare_part)


def _compare_empty(walk: Walk, old: Shape, new: Shape, path: Path) -> None:
    """One side admits null only, or nothing."""
    if bool(old.parts) == bool(new.parts):
        return
    schema = (old.parts or new.parts)[0].schema
    kinds = sorted(types(schema)) if types(schema) != ALL else None
    if path:
        before, after = (kinds, ["null"]) if old.parts else (["null"], kinds)
        walk.say("type-changed", Way.CHANGED, path, before, after)
    elif old.parts:
        walk.say("body-removed", Way.CHANGED, path, kinds)
    else:
        walk.say("body-added", Way.CHANGED, path, None, kinds)


def compare_part(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """Notes the differences of two schemas that are no choice among others."""
    if not _compare_types(walk, old, new, path):
        return
    compare_values(walk, old, new, path)
    compare_limits(walk, old, new, path)
    common = types(old) & types(new)
    if len(path) >= walk.loose_from and common & _CONTENT and _bare(old) != _bare(new):
        code, way = ("lost", Way.WIDENED) if _bare(new) else ("gained", Way.NARROWED)
        walk.say(f"detail-{code}", way, path)
        return
    if "object" in common:
        compare_objects(walk, old, new, path)
    if "array" in common:
        compare_arrays(walk, old, new, path)
    compare_conditions(walk, old, new, path)


def _bare(schema: Schema) -> bool:
    """Whether nothing is said of what is in an object or a list."""
    rest = schema.keys() - _ABOUT
    return not rest or (rest == {"items"} and schema["items"] in ({}, True))


def _compare_types(walk: Walk, old: Schema, new: Schema, path: Path) -> bool:
    """Whether the schemas still have a type in common, so that there is more to compare."""
    was, now = types(old), types(new)
    if ALL in (was, now) and was != now:
        gained = was == ALL
        if len(path) >= walk.loose_from:
            code = "detail-gained" if gained else "detail-lost"
        else:
            code = "type-narrowed" if gained else "type-widened"
        shown = [None if kinds == ALL else sorted(kinds) for kinds in (was, now)]
        walk.say(code, Way.NARROWED if gained else Way.WIDENED, path, *shown)
        return False
    before, after = with_integers(was), with_integers(now)
    if before == after:
        return True
    if before > after:
        walk.say("type-narrowed", Way.NARROWED, path, sorted(was), sorted(now))
    elif before < after:
        walk.say("type-widened", Way.WIDENED, path, sorted(was), sorted(now))
    else:
        walk.say("type-changed", Way.CHANGED, path, sorted(was), sorted(now))
    return bool(before & after)
