"""Schemas made ready for datamodel-code-generator: structure only, nothing that it could run or trip over.

Models are views for reading answers. Values are checked against the published schema, so constraints, formats,
defaults and texts would only be a second, stricter truth; they stay out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten, hidden_properties, marked
from mcpgen.ir.references import referenced

_DEPTH = 12
_ENUM = 40
_JSON_TYPES = frozenset({"null", "boolean", "object", "array", "number", "integer", "string"})

RefOf = Callable[[str], str]
"""Component name -> the `$ref` under which datamodel-code-generator finds it."""


class Cleaner:
    """Rewrites the schemas of one document."""

    def __init__(self, schemas: Mapping[str, Schema], ref_of: RefOf) -> None:
        self.schemas = schemas
        self.ref_of = ref_of

    def definition(self, schema: Schema) -> dict[str, Any]:
        """A schema for a definition of its own: references at its own level are opened."""
        return self._clean(flatten(schema, self.schemas)[0], 0)

    def nested(self, schema: Any, depth: int) -> dict[str, Any]:
        if not isinstance(schema, Mapping) or depth > _DEPTH:
            return {}
        name = referenced(schema)
        if name is not None:
            return self._reference(name, depth)
        return self._clean(flatten(schema, self.schemas)[0] if "allOf" in schema else schema, depth)

    def _reference(self, name: str, depth: int) -> dict[str, Any]:
        """A class of its own for what has fields; plain values need none."""
        if name not in self.schemas:
            return {}
        if self.is_plain(name):
            return self._clean(flatten(self.schemas[name], self.schemas)[0], depth)
        return {"$ref": self.ref_of(name)}

    def is_plain(self, name: str) -> bool:
        """Whether a component is a text, a number or the like, and needs no class."""
        flat, _ = flatten(self.schemas[name], self.schemas)
        kinds = set(_types(flat))
        return (
            bool(kinds)
            and not {"object", "array"} & kinds
            and not {"anyOf", "oneOf", "properties"} & flat.keys()
        )

    def _clean(self, flat: Mapping[str, Any], depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        kinds = _types(flat)
        if kinds:
            out["type"] = kinds[0] if len(kinds) == 1 else kinds
        if self._enum(flat, out):
            return out
        properties = self._properties(flat, depth)
        if properties:
            out["type"] = "object"
            out["properties"] = properties
            out["required"] = [name for name in flat.get("required", ()) if name in properties]
            return {**out, "type": ["object", "null"]} if "null" in kinds else out
        for key in ("anyOf", "oneOf"):
            if flat.get(key):
                return {"anyOf": [self.nested(part, depth + 1) for part in flat[key]]}
        if isinstance(flat.get("items"), Mapping) and (not kinds or "array" in kinds):
            out.setdefault("type", "array")
            out["items"] = self.nested(flat["items"], depth + 1)
        extra = flat.get("additionalProperties")
        if isinstance(extra, Mapping) and extra and extra != {"not": {}}:
            out["type"] = "object"
            out["additionalProperties"] = self.nested(extra, depth + 1)
        return out

    def _enum(self, flat: Mapping[str, Any], out: dict[str, Any]) -> bool:
        values = [flat["const"]] if "const" in flat else flat.get("enum", [])
        plain = all(value is None or isinstance(value, str | int) for value in values)
        if 0 < len(values) <= _ENUM and plain:
            out["enum"] = list(values)
            return True
        return False

    def _properties(self, flat: Mapping[str, Any], depth: int) -> dict[str, Any]:
        hidden = hidden_properties(flat, self.schemas, "writeOnly")
        return {
            name: self.nested(child, depth + 1)
            for name, child in flat.get("properties", {}).items()
            if name not in hidden and not marked(child, self.schemas, "writeOnly")
        }


def _types(flat: Mapping[str, Any]) -> list[str]:
    kind = flat.get("type", [])
    return [one for one in ([kind] if isinstance(kind, str) else kind) if one in _JSON_TYPES]
