"""References followed and `allOf` merged: one flat view of a schema's own level (JSON Schema 2020-12, 10.2.1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.references import referenced

_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"})
_ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format", "xml"}
    | {"discriminator", "contentEncoding", "contentMediaType", "$comment", "externalDocs"}
)
_CHILD_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
Names = frozenset[str]


def flatten(
    schema: Schema, schemas: Mapping[str, Schema], seen: Names = frozenset()
) -> tuple[dict[str, Any], Names]:
    """The schema without `$ref` and `allOf` at its own level, and the components that were opened for it.

    Keywords beside `$ref` apply together with the target. Parts that can't be merged without loss stay in
    `allOf`. A component that is being opened already (`seen`) adds nothing the second time.
    """
    parts, opened = _parts(schema, schemas, seen)
    merged: dict[str, Any] = {}
    left: list[Any] = []
    for part in parts:
        _merge_into(merged, part, left)
    if left:
        merged["allOf"] = left
    return merged, opened


def _parts(schema: Schema, schemas: Mapping[str, Schema], seen: Names) -> tuple[list[Schema], Names]:
    """The schema and everything it is composed of, the most general first, so that its own words win."""
    found: list[Schema] = []
    opened = seen
    name = referenced(schema)
    if name is not None and name not in opened:
        inner, opened = _parts(schemas.get(name, {}), schemas, opened | {name})
        found += inner
    for part in schema.get("allOf", ()):
        inner, opened = _parts(part, schemas, opened)
        found += inner
    own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
    if own:
        found.append(own)
    return found, opened


def _merge_into(merged: dict[str, Any], part: Schema, left: list[Any]) -> None:
    if _conflicts(merged, part):
        left.append(dict(part))
        return
    for key, value in part.items():
        merged[key] = _combined(key, merged[key], value) if key in merged else value


def _conflicts(merged: Mapping[str, Any], part: Schema) -> bool:
    """Whether a keyword of both has no single value that means both."""
    for key in part.keys() & merged.keys() - _ANNOTATIONS - _LARGER - _SMALLER - {"required", "enum", "type"}:
        if key in _CHILD_MAPS or key.startswith("x-") or merged[key] == part[key]:
            continue
        if key in ("uniqueItems", "multipleOf", "dependentRequired", "items", "additionalProperties"):
            continue
        return True
    if "enum" in merged and "enum" in part and not any(value in part["enum"] for value in merged["enum"]):
        return True
    types = _types(merged), _types(part)
    return all(types) and not (types[0] & types[1]) and not {"integer", "number"} <= types[0] | types[1]


def _types(schema: Mapping[str, Any]) -> set[str]:
    kind = schema.get("type", [])
    return {kind} if isinstance(kind, str) else set(kind)


def _combined(key: str, old: Any, new: Any) -> Any:
    """The one value of a keyword that means both values. Annotations: the later, more specific one wins."""
    match key:
        case "required":
            return list(dict.fromkeys([*old, *new]))
        case "enum":
            return [value for value in old if value in new]
        case "type":
            return _common_type(old, new)
        case "uniqueItems":
            return bool(old or new)
        case "multipleOf" if isinstance(old, int) and isinstance(new, int):
            return old * new // gcd(old, new)
        case "dependentRequired":
            return {**old, **new}
        case "additionalProperties":
            return False if old is False or new is False else _both(old, new)
        case "items":
            return _both(old, new)
        case _ if key in _CHILD_MAPS:
            return {
                **old,
                **{name: _both(old[name], value) if name in old else value for name, value in new.items()},
            }
        case _ if key in _LARGER:
            return max(old, new)
        case _ if key in _SMALLER:
            return min(old, new)
    return new


def _common_type(old: Any, new: Any) -> Any:
    first, second = _types({"type": old}), _types({"type": new})
    common = first & second
    if "integer" in first | second and "number" in first | second:
        common.add("integer")
    ordered = [kind for kind in (old if isinstance(old, list) else [old]) if kind in common]
    ordered += sorted(common - set(ordered))
    return ordered[0] if len(ordered) == 1 else ordered


def _both(old: Any, new: Any) -> Any:
    if old == new or new in (True, {}):
        return old
    if old in (True, {}):
        return new
    return {"allOf": [old, new]}


def hidden_properties(schema: Schema, schemas: Mapping[str, Schema], flag: str) -> Names:
    """The properties of an object that are marked `flag` (`readOnly`, `writeOnly`), through `allOf` and references."""
    merged, _ = flatten(schema, schemas)
    return frozenset(
        name for name, value in merged.get("properties", {}).items() if marked(value, schemas, flag)
    )


def marked(schema: Schema, schemas: Mapping[str, Schema], flag: str) -> bool:
    """Whether a schema, its target or a part of it carries `flag: true`."""
    parts: Iterable[Schema] = _parts(schema, schemas, frozenset())[0]
    values = [part[flag] for part in parts if flag in part]
    return bool(values) and values[-1] is True
