"""References followed and `allOf` merged: one flat view of a schema's own level (JSON Schema 2020-12, 10.2.1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.references import referenced

_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format", "xml"}
    | {"discriminator", "contentEncoding", "contentMediaType", "$comment", "externalDocs"}
)
_CHILD_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_OPEN = frozenset({"additionalProperties", "unevaluatedProperties", "unevaluatedItems"})
_MERGED = (
    _LARGER | _SMALLER | _ANNOTATIONS | _CHILD_MAPS | _OPEN | {"required", "uniqueItems", "dependentRequired"}
)
_TOGETHER = (
    frozenset({"if", "then", "else"}),
    frozenset({"contains", "minContains", "maxContains"}),
    frozenset({"items", "prefixItems"}),
)
"""Keywords that say something only with each other (JSON Schema 2020-12, 10.2.2, 10.3.1)."""
_CONDITION_OF = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
"""Keywords that say nothing without another one. They must not meet the one of another part."""
Names = frozenset[str]


def flatten(
    schema: Schema, schemas: Mapping[str, Schema], seen: Names = frozenset()
) -> tuple[dict[str, Any], Names]:
    """The schema without `$ref` and `allOf` at its own level, and the components that were opened for it.

    Keywords beside `$ref` apply together with the target. Keywords that can't be merged without loss stay in
    `allOf`. A component that is being opened already (`seen`) adds nothing the second time.

    What a part says about other properties or items (`additionalProperties: false`) is read as about the whole: authors
    close a base and extend it all the same, and to the letter such a schema would refuse its own properties.
    """
    parts, opened = _parts(schema, schemas, seen)
    merged: dict[str, Any] = dict(parts[0]) if parts else {}
    left: list[Any] = []
    for part in parts[1:]:
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
    own = {
        key: value
        for key, value in schema.items()
        if key not in ("$ref", "allOf") and _CONDITION_OF.get(key, key) in schema
    }
    if own:
        found.append(own)
    return found, opened


def _merge_into(merged: dict[str, Any], part: Schema, left: list[Any]) -> None:
    apart = _conflicts(merged, part)
    if apart & {"anyOf", "oneOf"} and "discriminator" in part:
        apart |= {"discriminator"}
    if apart:
        left.append({key: value for key, value in part.items() if key in apart})
    for key, value in part.items():
        if key not in apart:
            merged[key] = _combined(key, merged[key], value) if key in merged else value


def _conflicts(merged: Mapping[str, Any], part: Schema) -> set[str]:
    """The keywords of a part that can't become one with what is there."""
    found = {
        key
        for key in part.keys() & merged.keys() - _MERGED
        if not key.startswith("x-")
        and not _equal(merged[key], part[key])
        and not _mergeable(key, merged[key], part[key])
    }
    for group in _TOGETHER:
        mine, theirs = part.keys() & group, merged.keys() & group
        if mine and theirs and not (mine == theirs and all(_equal(merged[key], part[key]) for key in mine)):
            found |= mine if mine | theirs != {"items"} else set()
    return found


def _mergeable(key: str, old: Any, new: Any) -> bool:
    """Whether two different values of a keyword have one that means both."""
    match key:
        case "items":
            return True
        case "enum":
            return any(_equal(first, second) for first in old for second in new)
        case "type":
            return bool(_common_types(old, new))
        case "multipleOf":
            return isinstance(old, int) and isinstance(new, int)
    return False


def _equal(first: Any, second: Any) -> bool:
    """Equality of JSON values: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_equal, first, second))
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(_equal(first[key], second[key]) for key in first)
    return bool(first == second)


def _combined(key: str, old: Any, new: Any) -> Any:
    """The one value of a keyword that means both values. Annotations: the later, more specific one wins."""
    match key:
        case "required":
            return list(dict.fromkeys([*old, *new]))
        case "enum":
            return [value for value in old if any(_equal(value, other) for other in new)]
        case "type":
            common = _common_types(old, new)
            return common[0] if len(common) == 1 else common
        case "uniqueItems":
            return bool(old or new)
        case "multipleOf" if isinstance(old, int) and isinstance(new, int):
            return old * new // gcd(old, new)
        case "dependentRequired":
            return {
                **old,
                **{name: list(dict.fromkeys([*old.get(name, ()), *names])) for name, names in new.items()},
            }
        case "items":
            return _both(old, new)
        case _ if key in _OPEN:
            return False if old is False or new is False else _both(old, new)
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


def _common_types(old: Any, new: Any) -> list[str]:
    """The types that both name; an integer is a number (JSON Schema 2020-12 validation, 6.1.1)."""
    first, second = _types(old), _types(new)
    common = first & second
    if ("integer" in first and "number" in second) or ("number" in first and "integer" in second):
        common.add("integer")
    ordered = [kind for kind in (old if isinstance(old, list) else [old]) if kind in common]
    return ordered + sorted(common - set(ordered))


def _types(kind: Any) -> set[str]:
    return {kind} if isinstance(kind, str) else set(kind)


def _both(old: Any, new: Any) -> Any:
    if _equal(old, new) or new is True or new == {}:
        return old
    if old is True or old == {}:
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
    if "$ref" not in schema and "allOf" not in schema:
        return schema.get(flag) is True
    parts: Iterable[Schema] = _parts(schema, schemas, frozenset())[0]
    values = [part[flag] for part in parts if flag in part]
    return bool(values) and values[-1] is True
