"""Schemas made ready for datamodel-code-generator: structure only, nothing that it could run or trip over.

Models are views for reading answers. Values are checked against the published schema, so constraints, formats,
defaults and texts would only be a second, stricter truth; they stay out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Schema
from mcpgen.ir.merging import flatten, marked
from mcpgen.ir.references import referenced

_DEPTH = 12
_ENUM = 40
_ALTERNATIVES = 200
"""A union of more is any JSON value: Python reads `A | B | …` as one operator in the next, and gives up after some thousands."""
_JSON_TYPES = frozenset({"null", "boolean", "object", "array", "number", "integer", "string"})

_SAID_NOTHING: tuple[Any, ...] = (True, False, {}, {"not": {}})
_SHAPE = ("properties", "patternProperties", "items", "prefixItems", "anyOf", "oneOf", "enum")


class Cleaner:
    """Rewrites the schemas of one document. References that remain are to components that have a class."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self.schemas = schemas
        self._plain: dict[str, bool] = {}

    def definition(self, name: str) -> dict[str, Any]:
        """A component as a definition of its own: references at its own level are opened."""
        return self._clean(flatten(self.schemas[name], self.schemas)[0], 0)

    def nested(self, schema: Any, depth: int = 0) -> dict[str, Any]:
        """A schema where it stands: a reference where it is no more than a component, else its own structure."""
        if not isinstance(schema, Mapping) or depth > _DEPTH:
            return {}
        names = _standing_for(schema)
        if names is not None and len(names) == 1:
            out = self._reference(next(iter(names)), depth)
            return {"anyOf": [out, {"type": "null"}]} if "$ref" in out and _nullable(schema) else out
        composed = "allOf" in schema or "$ref" in schema
        return self._clean(flatten(schema, self.schemas)[0] if composed else schema, depth)

    def _reference(self, name: str, depth: int) -> dict[str, Any]:
        """A class of its own for what has fields; plain values need none."""
        if name not in self.schemas:
            return {}
        if self._is_plain(name):
            return self._clean(flatten(self.schemas[name], self.schemas)[0], depth)
        return {"$ref": f"{SCHEMA_PREFIX}{name}"}

    def _is_plain(self, name: str) -> bool:
        """Whether a component is a text, a number or the like, and needs no class."""
        if name not in self._plain:
            flat, _ = flatten(self.schemas[name], self.schemas)
            kinds = set(_types(flat))
            composed = {"object", "array"} & kinds or {"anyOf", "oneOf", "properties"} & flat.keys()
            self._plain[name] = bool(kinds) and not composed
        return self._plain[name]

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
            if len(flat.get(key, ())) > _ALTERNATIVES:
                return {}
            if flat.get(key):
                return {"anyOf": [self.nested(part, depth + 1) for part in flat[key]]}
        if isinstance(flat.get("items"), Mapping) and (not kinds or "array" in kinds):
            out.setdefault("type", "array")
            out["items"] = self.nested(flat["items"], depth + 1)
        extra = flat.get("additionalProperties")
        if isinstance(extra, Mapping) and extra not in _SAID_NOTHING:
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
        return {
            name: self.nested(child, depth + 1)
            for name, child in flat.get("properties", {}).items()
            if not marked(child, self.schemas, "writeOnly")
        }


def _types(flat: Mapping[str, Any]) -> list[str]:
    kind = flat.get("type", [])
    return [one for one in ([kind] if isinstance(kind, str) else kind) if one in _JSON_TYPES]


def _standing_for(schema: Schema) -> set[str] | None:
    """The components that a schema consists of; None where it has structure of its own.

    `allOf` around one reference is how OpenAPI 3.0 documents describe a reference: it adds no fields, and a class of
    its own for each such place would repeat the component.
    """
    extra = schema.get("additionalProperties")
    if any(schema.get(key) for key in _SHAPE) or "const" in schema or extra not in (None, *_SAID_NOTHING):
        return None
    name = referenced(schema)
    names = set() if name is None else {name}
    for part in schema.get("allOf", ()):
        inner = _standing_for(part)
        if inner is None:
            return None
        names |= inner
    return names


def _nullable(schema: Schema) -> bool:
    """Whether the words around a reference speak of null. By JSON Schema they can't add it, but documents mean it."""
    return "null" in _types(schema) or any(map(_nullable, schema.get("allOf", ())))
