"""A published schema read as alternatives: `anyOf`, lists of types and references are taken apart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpgen.diff.schemas.model import Path

Schema = Mapping[str, Any]
ALL = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_KINDS: Mapping[type, str] = {
    **{type(None): "null", bool: "boolean", int: "integer", float: "number"},
    **{str: "string", list: "array", dict: "object"},
}
_OBJECT = ("properties", "required", "additionalProperties", "patternProperties", "propertyNames")
_ARRAY = ("items", "prefixItems", "contains", "minItems", "maxItems")
_NESTED = 8
_TEXTS = ("title", "description", "examples", "default", "$comment")


@dataclass(frozen=True, slots=True)
class Branch:
    """One alternative, and the tokens that lead to it."""

    schema: Schema
    path: Path


@dataclass(frozen=True, slots=True)
class Shape:
    """`nullable` is None where nothing is said of types at all. `parts` are the alternatives other than null."""

    nullable: bool | None
    parts: tuple[Branch, ...]


def resolved(schema: Any, root: Schema) -> Schema:
    """The schema that is meant: booleans as objects, references followed."""
    for _ in range(_NESTED):
        if isinstance(schema, bool):
            return {} if schema else {"not": {}}
        if not isinstance(schema, Mapping):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        schema = root.get("$defs", {}).get(reference.removeprefix("#/$defs/"), {})
    return {}


def is_never(schema: Any) -> bool:
    """Whether nothing is valid."""
    return schema is False or (isinstance(schema, Mapping) and schema.get("not") in ({}, True))


def shape_of(schema: Schema, root: Schema, path: Path = (), depth: int = 0) -> Shape:
    """The alternatives of a schema that is resolved."""
    key = next((key for key in ("anyOf", "oneOf") if schema.get(key)), None)
    if key is None or depth > _NESTED:
        return _single(schema, path)
    base = {name: value for name, value in schema.items() if name != key}
    nullable: bool | None = False
    parts: list[Branch] = []
    for index, branch in enumerate(schema[key]):
        inner = shape_of(_joined(base, resolved(branch, root)), root, (*path, key, str(index)), depth + 1)
        nullable = None if None in (nullable, inner.nullable) else bool(nullable or inner.nullable)
        parts += inner.parts
    return Shape(nullable, tuple(parts))


def _joined(base: Schema, branch: Schema) -> Schema:
    """What stands beside `anyOf` holds for every branch."""
    base = {name: value for name, value in base.items() if name not in _TEXTS}
    if not base:
        return branch
    joined = {**base, **branch}
    if "properties" in base and "properties" in branch:
        joined["properties"] = {**base["properties"], **branch["properties"]}
    if "required" in base and "required" in branch:
        joined["required"] = [*base["required"], *branch["required"]]
    return joined


def _single(schema: Schema, path: Path) -> Shape:
    kinds = types(schema)
    if kinds == ALL:
        return Shape(None, (Branch(schema, path),))
    values = listed(schema)
    nullable = "null" in kinds and (values is None or None in values)
    rest = kinds - {"null"}
    if not rest or (values is not None and all(value is None for value in values)):
        return Shape(nullable, ())
    if "null" in kinds and "type" in schema:
        schema = {**schema, "type": sorted(rest) if len(rest) > 1 else next(iter(rest))}
    return Shape(nullable, (Branch(schema, path),))


def types(schema: Schema) -> frozenset[str]:
    """The types that are admitted; what has keywords of one type only is taken to be of that type."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return frozenset({kind})
    if isinstance(kind, Sequence):
        return frozenset(kind)
    values = listed(schema)
    if values is not None:
        return frozenset(_KINDS[type(value)] for value in values)
    for name, words in (("object", _OBJECT), ("array", _ARRAY)):
        if any(word in schema for word in words):
            return frozenset({name})
    return ALL


def with_integers(kinds: frozenset[str]) -> frozenset[str]:
    """Every integer is a number (JSON Schema 2020-12, core, 4.2.3)."""
    return kinds | {"integer"} if "number" in kinds else kinds


def listed(schema: Schema) -> Sequence[Any] | None:
    """The values of `enum` or `const`, None where they are not listed."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return values if isinstance(values, Sequence) else None


def texts_removed(value: Any) -> Any:
    """A schema without descriptions, titles, defaults and examples, to be compared with another."""
    if isinstance(value, Mapping):
        return {
            key: texts_removed_below(key, inner)
            for key, inner in value.items()
            if not (key in _TEXTS and not isinstance(inner, Mapping))
        }
    return [texts_removed(inner) for inner in value] if isinstance(value, list) else value


def texts_removed_below(key: str, value: Any) -> Any:
    """Values of `enum` and `const` are data: nothing is taken out of them."""
    return value if key in ("enum", "const") else texts_removed(value)


def canonical(value: Any) -> str:
    """A value as text that is the same for the same value: JSON knows no order of keys, and that `1` is not `true`."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def missing(values: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The values that are not among others, in their order; null is told by `nullable`."""
    known = {canonical(value) for value in others}
    return [value for value in values if value is not None and canonical(value) not in known]


def pairs(old: Schema, new: Schema, key: str) -> Iterator[tuple[str, Any, Any]]:
    """The members of a keyword that is a map: name, and both values (None where it has none), sorted by name."""
    before, after = old.get(key) or {}, new.get(key) or {}
    for name in sorted({*before, *after}):
        yield name, before.get(name), after.get(name)
