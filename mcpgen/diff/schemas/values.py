"""Listed values, formats, patterns and defaults."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.diff.schemas.model import Path, Walk, Way
from mcpgen.diff.schemas.reading import Schema, canonical, listed, missing

_WIDER_FORMATS: Mapping[str, tuple[str, ...]] = {
    "int32": ("int64", "bigint"),
    "int64": ("bigint",),
    "float": ("double",),
}
"""The formats that hold every value of another one (OpenAPI format registry)."""
_ANYTHING = (".*", "^.*$", "^.*", ".*$", "")


def compare_values(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """Notes differences of `enum`, `const`, `format` and `pattern`."""
    _listed(walk, old, new, path)
    _format(walk, old.get("format"), new.get("format"), path)
    _pattern(walk, old.get("pattern"), new.get("pattern"), path)


def _listed(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    before, after = listed(old), listed(new)
    if before is None and after is None:
        return
    if before is None:
        walk.say("const-added" if "const" in new else "enum-added", Way.NARROWED, path, None, after)
    elif after is None:
        walk.say("const-removed" if "const" in old else "enum-removed", Way.WIDENED, path, before)
    elif "const" in old and "const" in new:
        if missing(before, after):
            walk.say("const-changed", Way.CHANGED, path, old["const"], new["const"])
    else:
        if gone := missing(before, after):
            walk.say("enum-value-removed", Way.NARROWED, path, gone)
        if come := missing(after, before):
            walk.say("enum-value-added", Way.WIDENED, path, None, come)


def _format(walk: Walk, old: str | None, new: str | None, path: Path) -> None:
    if old == new:
        return
    if old is None:
        walk.say("format-added", Way.NARROWED, path, None, new)
    elif new is None:
        walk.say("format-removed", Way.WIDENED, path, old)
    elif new in _WIDER_FORMATS.get(old, ()):
        walk.say("format-widened", Way.WIDENED, path, old, new)
    elif old in _WIDER_FORMATS.get(new, ()):
        walk.say("format-narrowed", Way.NARROWED, path, old, new)
    else:
        walk.say("format-changed", Way.CHANGED, path, old, new)


def _pattern(walk: Walk, old: str | None, new: str | None, path: Path) -> None:
    old, new = (
        None if text in _ANYTHING and other is None else text for text, other in ((old, new), (new, old))
    )
    if old == new:
        return
    if old is None:
        walk.say("pattern-added", Way.NARROWED, path, None, new)
    elif new is None:
        walk.say("pattern-removed", Way.WIDENED, path, old)
    elif new in _ANYTHING:
        walk.say("pattern-generalized", Way.WIDENED, path, old, new)
    else:
        walk.say("pattern-changed", Way.CHANGED, path, old, new)


def compare_default(walk: Walk, old: Schema, new: Schema, path: Path) -> None:
    """Notes that what a missing value means is said otherwise. A default does not change what is valid."""
    if "default" not in old and "default" not in new:
        return
    before, after = old.get("default"), new.get("default")
    if "default" not in old:
        walk.say("default-added", Way.NOTE, path, None, after)
    elif "default" not in new:
        walk.say("default-removed", Way.NOTE, path, before)
    elif canonical(before) != canonical(after):
        walk.say("default-changed", Way.NOTE, path, before, after)
