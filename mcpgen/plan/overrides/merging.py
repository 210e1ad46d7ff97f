"""One override over another: what the stronger one says wins, key by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from mcpgen.plan.overrides.model import UNSAID, ArgumentOverride, Override, TextOverrides

_PARTS = ("purpose", "inputs", "example", "limits", "when_to_use")
_BY_KEY = frozenset({"annotations", "hints", "said"})


def merged(weaker: Override, stronger: Override) -> Override:
    """What both say about an operation."""
    if stronger.effect is not None and weaker.additive is not None:  # said of another effect
        said = {key: where for key, where in weaker.said.items() if key != "additive"}
        weaker = replace(weaker, additive=None, said=said)
    changed: dict[str, Any] = {}
    for field in fields(Override):
        old, new = getattr(weaker, field.name), getattr(stronger, field.name)
        if field.name == "texts":
            changed["texts"] = _texts(old, new)
        elif field.name == "arguments":
            changed["arguments"] = _each(old, new, merged_argument)
        elif field.name == "actions":
            changed["actions"] = _each(old, new, merged)
        elif field.name in _BY_KEY:
            changed[field.name] = {**old, **new}
        elif field.name == "meta":
            changed["meta"] = new if old is None else {**old, **(new or {})}
        else:
            changed[field.name] = old if new is None else new
    return Override(**changed)


def merged_argument(weaker: ArgumentOverride, stronger: ArgumentOverride) -> ArgumentOverride:
    """What both say about an argument. A value that is always sent and one that is only the default replace each other."""
    if stronger.default is not UNSAID:
        weaker = replace(weaker, fixed=UNSAID)
    if stronger.fixed is not UNSAID:
        weaker = replace(weaker, default=UNSAID)
    empty = ArgumentOverride()
    changed = {
        field.name: getattr(stronger, field.name)
        for field in fields(ArgumentOverride)
        if field.name != "said" and getattr(stronger, field.name) != getattr(empty, field.name)
    }
    return replace(weaker, **changed, said={**weaker.said, **stronger.said})


def _texts(weaker: TextOverrides, stronger: TextOverrides) -> TextOverrides:
    """A part that is said later is no part of a whole that was said before it."""
    if stronger.description is None and any(getattr(stronger, part) is not None for part in _PARTS):
        weaker = replace(weaker, description=None)
    said = {f.name: getattr(stronger, f.name) for f in fields(TextOverrides)}
    return replace(weaker, **{name: text for name, text in said.items() if text is not None})


def _each(old: Mapping[str, Any], new: Mapping[str, Any], both: Any) -> dict[str, Any]:
    together = {key: both(old[key], value) if key in old else value for key, value in new.items()}
    return {**old, **together}
