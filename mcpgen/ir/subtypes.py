"""Inheritance by `allOf`: the schemas that a value of a base schema can be (OpenAPI 3.2, "Models with Polymorphism Support").

A base with a `discriminator` and no alternatives of its own does not name its subtypes; they name it in their `allOf`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Schema
from mcpgen.ir.references import referenced

_TEXTS = frozenset(
    {"title", "description", "default", "examples", "deprecated", "xml", "readOnly", "writeOnly"}
)


def base_of(schema: Schema, schemas: Mapping[str, Schema]) -> str | None:
    """The base that a schema means: by reference, or by an `allOf` that only puts texts beside one."""
    name = referenced(schema)
    parts = schema.get("allOf", ())
    if (
        name is None
        and len(parts) == 1
        and schema.keys() - {"allOf"} <= _TEXTS
        and isinstance(parts[0], Mapping)
    ):
        name = referenced(parts[0])
    elif schema.keys() - {"$ref"} - _TEXTS:
        return None
    base = schemas.get(name, {}) if name is not None else {}
    return name if "discriminator" in base and not {"oneOf", "anyOf"} & base.keys() else None


def subtypes(base: str, schemas: Mapping[str, Schema]) -> tuple[str, ...]:
    """The schemas that extend a base, also through others, and those that its discriminator maps to; in document order."""
    found: set[str] = set()
    level = {base}
    while level:
        level = {
            name for name, schema in schemas.items() if name not in found and level & set(_parents(schema))
        }
        found |= level
    mapping = schemas[base].get("discriminator", {}).get("mapping", {})
    found |= {target.removeprefix(SCHEMA_PREFIX) for target in mapping.values()}
    return tuple(name for name in schemas if name in found and name != base)


def _parents(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        name = referenced(schema)
        if name is not None:
            yield name
        for part in schema.get("allOf", ()):
            yield from _parents(part)


def discriminating(schema: Schema) -> tuple[str, dict[str, list[str]]]:
    """A discriminator's property, and for each schema the values that mean it; without a mapping, its name does."""
    told = schema.get("discriminator", {})
    values: dict[str, list[str]] = {}
    for value, target in told.get("mapping", {}).items():
        values.setdefault(target.removeprefix(SCHEMA_PREFIX), []).append(value)
    return str(told.get("propertyName", "")), values
