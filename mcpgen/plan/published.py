"""Small steps on published schemas: loosening, null alternatives, what a level costs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def stub(flat: Mapping[str, Any]) -> dict[str, Any]:
    """The loosest schema that still tells the kind of value."""
    kinds = types(flat)
    out: dict[str, Any] = {}
    if len(kinds) == 1:
        out["type"] = next(iter(kinds))
    elif kinds:
        out["type"] = sorted(kinds)
    elif "properties" in flat and not {"anyOf", "oneOf"} & flat.keys():
        out["type"] = "object"
    if "array" in kinds:
        out["items"] = {}
    if "enum" in flat and len(flat["enum"]) <= 20:
        out["enum"] = list(flat["enum"])
    return out


def without_type_list(out: dict[str, Any]) -> dict[str, Any]:
    """`type: [X, null]` as `anyOf`, since several clients read only one word under `type`."""
    kinds = out.get("type")
    if not isinstance(kinds, list):
        return out
    if len(kinds) == 1:
        out["type"] = kinds[0]
        return out
    if "null" not in kinds or {"anyOf", "if", "not"} & out.keys():
        return out
    rest = [kind for kind in kinds if kind != "null"]
    # `out` itself becomes the inner schema: its children are still waiting to be put into it.
    outer: dict[str, Any] = {key: out.pop(key) for key in ("description", "default") if key in out}
    out["type"] = rest[0] if len(rest) == 1 else rest
    if "enum" in out:
        out["enum"] = [value for value in out["enum"] if value is not None]
    if not rest or out.get("enum") == [] or ("const" in out and out["const"] is None):
        return {**outer, "type": "null"}
    return {**outer, "anyOf": [out, {"type": "null"}]}


def types(schema: Mapping[str, Any]) -> set[str]:
    """The words under `type`."""
    kind = schema.get("type", [])
    return {kind} if isinstance(kind, str) else set(kind)


def distinct(values: list[Any]) -> list[Any]:
    """Without repetitions; 1 and true are different values in JSON."""
    seen: dict[str, Any] = {}
    for value in values:
        seen.setdefault(json.dumps(value, sort_keys=True, default=str), value)
    return list(seen.values())


def shallow(out: Mapping[str, Any]) -> dict[str, Any]:
    """What one level costs by itself."""
    return {
        key: (
            list(value)
            if isinstance(value, Mapping)
            else None if isinstance(value, list) and None in value else value
        )
        for key, value in out.items()
    }
