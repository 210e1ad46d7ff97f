"""Subschemas that must stay exact: what stands under `not`, `if` and `contains`.

There a looser schema refuses more, or selects another branch, so these are copied with their references inlined instead
of projected. Where that is not possible within bounds, the keyword goes, which only lets more values through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.references import referenced

_ONE = frozenset(
    {"not", "if", "then", "else", "items", "contains", "propertyNames"}
    | {"additionalProperties", "unevaluatedProperties", "unevaluatedItems"}
)
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_PLAIN = frozenset(
    {"type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    | {
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minContains",
        "maxContains",
    }
    | {"minProperties", "maxProperties", "required", "dependentRequired"}
)
_PARTS = 300
LIMIT = 2_000
"""Bytes of one condition. Real ones name a few fields."""


def add_conditions(flat: Mapping[str, Any], out: dict[str, Any], schemas: Mapping[str, Schema]) -> bool:
    """Puts the conditions of a schema into its published form `out`; says whether all of them could stay."""
    complete = True
    for key in ("not", "contains", "if"):
        if key not in flat:
            continue
        found = inlined(flat[key], schemas)
        if found is not None:
            out[key] = found
            continue
        complete = False
        for word in ("minContains", "maxContains") if key == "contains" else ():
            out.pop(word, None)
    return complete


def inlined(schema: Any, schemas: Mapping[str, Schema], limit: int = LIMIT) -> dict[str, Any] | None:
    """The schema with the same meaning and no reference, None where it is recursive or longer than `limit`."""
    try:
        found = _copy(schema, schemas, frozenset(), count(1))
    except _Endless:
        return None
    return found if len(json.dumps(found, ensure_ascii=False, default=str)) <= limit else None


class _Endless(Exception):
    """A reference leads back to where it stands, or the references fan out too far."""


def _copy(
    schema: Any, schemas: Mapping[str, Schema], opened: frozenset[str], parts: Iterator[int]
) -> dict[str, Any]:
    if next(parts) > _PARTS:
        raise _Endless
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    out: dict[str, Any] = {key: value for key, value in schema.items() if key in _PLAIN}
    for key, value in schema.items():
        if key in _ONE:
            out[key] = _copy(value, schemas, opened, parts)
        elif key in _LISTS:
            out[key] = [_copy(part, schemas, opened, parts) for part in value]
        elif key in _MAPS:
            out[key] = {name: _copy(part, schemas, opened, parts) for name, part in value.items()}
    name = referenced(schema)
    if name is not None:
        if name in opened:
            raise _Endless
        target = _copy(schemas.get(name, {}), schemas, opened | {name}, parts)
        out = {**out, "allOf": [target, *out.get("allOf", ())]} if out else target
    if "array" in _types(out) and not {"items", "unevaluatedItems"} & out.keys():
        out["items"] = {}  # says nothing, but clients want it
    return out


def _types(schema: Mapping[str, Any]) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)
