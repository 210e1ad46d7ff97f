"""Small steps on published schemas: loosening, null alternatives, what a level costs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_ASKED, _ANSWERED = 4_000, 600
"""Characters of the values that arguments and answers list at most; longer lists are left out."""
_SAMPLES = 5
_TYPE_NAMES: Mapping[type, str] = {
    **{type(None): "null", bool: "boolean", int: "integer", float: "number"},
    **{str: "string", list: "array", dict: "object"},
}
_EVALUATE = ("anyOf", "oneOf", "allOf", "if", "contains", "dependentSchemas")


def stub(flat: Mapping[str, Any]) -> dict[str, Any]:
    """The loosest schema that still tells the kind of value."""
    kinds = types(flat)
    out: dict[str, Any] = {}
    if len(kinds) == 1:
        out["type"] = next(iter(kinds))
    elif kinds:
        out["type"] = sorted(kinds)
    if "array" in kinds:
        out["items"] = {}
    if "enum" in flat and len(flat["enum"]) <= 20:
        out["enum"] = list(flat["enum"])
    return out


def without_type_list(out: dict[str, Any], *, lenient: bool = False) -> dict[str, Any]:
    """`type: [X, null]` as `anyOf`, since several clients read only one word under `type`.

    A null that the type admits and an `enum` does not list is admitted only where `lenient`: many APIs answer so.
    """
    kinds = out.get("type")
    if not isinstance(kinds, list):
        return out
    if len(kinds) == 1:
        out["type"] = kinds[0]
        return out
    if "null" not in kinds or {"anyOf", "allOf", "if", "not", "const"} & out.keys():
        return out
    rest = [kind for kind in kinds if kind != "null"]
    if "enum" in out and None not in out["enum"] and not lenient:
        out["type"] = rest[0] if len(rest) == 1 else rest
        return out
    # `out` itself becomes the inner schema: its children are still waiting to be put into it.
    outer: dict[str, Any] = {key: out.pop(key) for key in ("description", "default") if key in out}
    out["type"] = rest[0] if len(rest) == 1 else rest
    if "enum" in out:
        out["enum"] = [value for value in out["enum"] if value is not None]
    if not rest or out.get("enum") == []:
        return {**outer, "type": "null"}
    return {**outer, "anyOf": [out, {"type": "null"}]}


def with_items(flat: Mapping[str, Any]) -> Mapping[str, Any]:
    """`unevaluatedItems` as `items`, which clients know, where both mean the same: nothing else looks at the items."""
    if "unevaluatedItems" not in flat or {"items", *_EVALUATE} & flat.keys():
        return flat
    return {("items" if key == "unevaluatedItems" else key): value for key, value in flat.items()}


def nullable_only(parts: Sequence[Any]) -> bool:
    """Whether alternatives only add null to something, so that no value matches two of them."""
    return len(parts) == 2 and {"type": "null"} in parts


def types(schema: Mapping[str, Any]) -> set[str]:
    """The words under `type`."""
    kind = schema.get("type", [])
    return {kind} if isinstance(kind, str) else set(kind)


def listed(flat: Mapping[str, Any], out: dict[str, Any], *, request: bool) -> None:
    """Puts the values that a schema lists into a published one, unless the list is very long.

    Answers are not chosen from a list, so a long one only costs; what a caller is not shown, a text counts and samples.
    """
    values = distinct(flat.get("enum") or [])
    if len(json.dumps(values, ensure_ascii=False, default=str)) <= (_ASKED if request else _ANSWERED):
        out.update({"enum": values} if values else {})
        return
    kinds = sorted({_TYPE_NAMES.get(type(value), "") for value in values})
    if "type" not in out and "" not in kinds:
        out["type"] = kinds[0] if len(kinds) == 1 else kinds
    if request:
        shown = ", ".join(json.dumps(value, ensure_ascii=False, default=str) for value in values[:_SAMPLES])
        note = f"One of {len(values)} values, such as {shown}."
        out["description"] = f"{out['description']} {note}" if "description" in out else note


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
