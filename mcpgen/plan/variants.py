"""Alternatives that a discriminator chooses among, as a model sees them: which value of which property means which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Schema
from mcpgen.ir.merging import flatten
from mcpgen.ir.references import referenced
from mcpgen.ir.subtypes import base_of, discriminating, subtypes

MOST = 24
"""Subtypes that are spelt out; a base with more is published as an open object with the fields that all have."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing that a value of a base can be, without references at its own level, and the components opened for that."""

    schema: Schema
    opened: frozenset[str]


class Variants:
    """The variants of all bases of a document, worked out when they are asked for."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self.schemas = schemas
        self._known: dict[str, tuple[Variant, ...]] = {}

    def of(self, schema: Schema) -> tuple[Variant, ...]:
        """What a value of a base can be: each subtype, and at last the base, which every other one has at least.

        Nothing for a schema that is no base, or that nobody extends; the base alone where too many do.
        """
        base = base_of(schema, self.schemas)
        if base is None:
            return ()
        if base not in self._known:
            self._known[base] = tuple(self._find(base))
        return self._known[base]

    def _find(self, base: str) -> Iterator[Variant]:
        found = subtypes(base, self.schemas)
        if not found:
            return
        whole, opened = flatten({"$ref": SCHEMA_PREFIX + base}, self.schemas)
        if len(found) <= MOST:
            references = [{"$ref": SCHEMA_PREFIX + name} for name in found]
            for reference in noted({**whole, "anyOf": references}, self.schemas)["anyOf"]:
                flat, inner = flatten(reference, self.schemas)
                flat.pop("discriminator", None)
                yield Variant(flat, inner | {base})
        for key in ("discriminator", "description"):
            whole.pop(key, None)
        for key in ("additionalProperties", "unevaluatedProperties"):
            if whole.get(key) in (False, {"not": {}}):
                del whole[key]  # subtypes extend it, so it can't be closed
        yield Variant(whole, opened)


def noted(schema: Schema, schemas: Mapping[str, Schema]) -> Schema:
    """The schema with alternatives that say by which value they are chosen, where their own schema does not."""
    name, values = discriminating(schema)
    if not name:
        return schema
    out = dict(schema)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            out[key] = [_noted(part, name, values, schemas) for part in schema[key]]
    return out


def _noted(part: Any, name: str, values: Mapping[str, list[str]], schemas: Mapping[str, Schema]) -> Any:
    target = referenced(part) if isinstance(part, Mapping) else None
    if target is None:
        return part
    flat, _ = flatten(part, schemas)
    chosen, _ = flatten(flat.get("properties", {}).get(name, {}), schemas)
    if "const" in chosen or len(chosen.get("enum", ())) == 1:
        return part
    listed = " or ".join(f"`{value}`" for value in values.get(target, [target]))
    return {**part, "description": f"With {name} {listed}. {flat.get('description', '')}".strip()}
