"""What is in an object."""

from __future__ import annotations

from typing import Any

from mcpgen.diff.schemas.model import Path, Walk, Way
from mcpgen.diff.schemas.reading import Schema, is_never, pairs

_OTHERS = ("additionalProperties", "unevaluatedProperties")


def compare_objects(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """Notes differences of properties, and of what is said of properties without a schema of their own."""
    _properties(walk, old, new, path)
    for key in _OTHERS:
        _others(walk, old.get(key, True), new.get(key, True), (*path, key))
    for pattern, before, after in pairs(old, new, "patternProperties"):
        place = (*path, "patternProperties", pattern)
        if before is None:
            walk.say("pattern-property-added", Way.NARROWED, place, None, pattern)
        elif after is None:
            walk.say("pattern-property-removed", Way.WIDENED, place, pattern)
        else:
            walk.enter(walk, before, after, place)
    _names(walk, old.get("propertyNames"), new.get("propertyNames"), (*path, "propertyNames"))
    _dependent(walk, old, new, path)


def is_closed(schema: Schema) -> bool:
    """Whether no other properties than the named ones are admitted."""
    return any(is_never(schema.get(key, True)) for key in _OTHERS)


def _properties(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    was, now = set(old.get("required", ())), set(new.get("required", ()))
    for name, before, after in pairs(old, new, "properties"):
        place = (*path, "properties", name)
        if before is None:
            code = "property-added-required" if name in now else "property-added"
            way = Way.NARROWED if name in now - was else Way.NOTE
            walk.say(code, way, place, None, name)
            continue
        if after is None:
            if is_closed(new):
                way = Way.CHANGED if name in was else Way.NARROWED
            else:
                way = Way.WIDENED if name in was else Way.UNSURE
            walk.say("property-removed", way, place, name)
            continue
        if (name in was) != (name in now):
            code, way = ("required", Way.NARROWED) if name in now else ("optional", Way.WIDENED)
            walk.say(f"property-became-{code}", way, place)
        walk.enter(walk, before, after, place)
    named = {*(old.get("properties") or {}), *(new.get("properties") or {})}
    for name in sorted((was ^ now) - named):
        code, way = ("required", Way.NARROWED) if name in now else ("optional", Way.WIDENED)
        walk.say(f"property-became-{code}", way, (*path, "properties", name))


def _others(walk: Walk, old: Any, new: Any, path: Path) -> None:
    closed = is_never(old), is_never(new)
    if closed[0] != closed[1]:
        code, way = ("closed", Way.NARROWED) if closed[1] else ("opened", Way.WIDENED)
        walk.say(f"others-{code}", way, path)
        return
    free = old in (True, {}), new in (True, {})
    if free[0] != free[1]:
        code, way = ("unrestricted", Way.WIDENED) if free[1] else ("restricted", Way.NARROWED)
        walk.say(f"others-{code}", way, path)
    elif not any(closed) and not any(free):
        walk.enter(walk, old, new, path)


def _names(walk: Walk, old: Any, new: Any, path: Path) -> None:
    if old is None and new is None:
        return
    if old is None:
        walk.say("property-names-added", Way.NARROWED, path, None, new)
    elif new is None:
        walk.say("property-names-removed", Way.WIDENED, path, old)
    elif (way := walk.way(old, new)) is not None:
        walk.say("property-names-changed", way, path, old, new)


def _dependent(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """What a property brings along. That it is new, or gone, is said already: no value had it then, or has it now."""
    strangers = {
        name
        for one, other in ((old, new), (new, old))
        if is_closed(one)
        for name in set(other.get("properties") or {}) - set(one.get("properties") or {})
    }
    for name, before, after in pairs(old, new, "dependentRequired"):
        place = (*path, "dependentRequired", name)
        was, now = set(before or ()), set(after or ())
        if was == now or name in strangers:
            continue
        if not was:
            walk.say("dependent-required-added", Way.NARROWED, place, None, after)
        elif not now:
            walk.say("dependent-required-removed", Way.WIDENED, place, before)
        else:
            way = Way.NARROWED if was < now else Way.WIDENED if now < was else Way.CHANGED
            walk.say("dependent-required-changed", way, place, before, after)
    for name, before, after in pairs(old, new, "dependentSchemas"):
        place = (*path, "dependentSchemas", name)
        if name in strangers:
            continue
        if before is None:
            walk.say("dependent-schema-added", Way.NARROWED, place, None, after)
        elif after is None:
            walk.say("dependent-schema-removed", Way.WIDENED, place, before)
        elif (found := walk.way(before, after)) is not None:
            walk.say("dependent-schema-changed", found, place, before, after)
