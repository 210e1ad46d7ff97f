"""Reads published JSON Schemas: the types they admit, their properties, and how to put them in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .values import compact_json, kind_of

ALL_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_DEPTH = 25
_LONGEST = 160


class SchemaReader:
    """Answers questions about the parts of one published schema. References are local to it."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root

    def resolve(self, schema: Any) -> Mapping[str, Any]:
        """The schema without a reference at its top; keywords beside `$ref` stay (JSON Schema 2020-12)."""
        for _ in range(_DEPTH):
            if not isinstance(schema, Mapping):
                return {} if schema is not False else {"not": {}}
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            siblings = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**self.resolve(self._target(reference)), **siblings}
        return {}

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#"):
            return {}
        found: Any = self.root
        for token in reference[1:].split("/")[1:]:
            key = token.replace("~1", "/").replace("~0", "~")
            found = found.get(key, {}) if isinstance(found, Mapping) else {}
        return found

    def types(self, schema: Any, depth: int = 0) -> frozenset[str]:
        """The JSON types that a schema admits; `number` includes `integer`."""
        told = self.resolve(schema)
        admitted = ALL_TYPES
        if depth > _DEPTH:
            return admitted
        if "type" in told:
            named = told["type"] if isinstance(told["type"], list) else [told["type"]]
            admitted &= frozenset(named) | ({"integer"} if "number" in named else set())
        if "const" in told:
            admitted &= _types_of([told["const"]])
        if isinstance(told.get("enum"), list):
            admitted &= _types_of(told["enum"])
        for keyword in ("anyOf", "oneOf"):
            if told.get(keyword):
                admitted &= frozenset().union(*(self.types(branch, depth + 1) for branch in told[keyword]))
        for branch in told.get("allOf") or ():
            admitted &= self.types(branch, depth + 1)
        return frozenset() if told.get("not") == {} else admitted

    def property_schema(self, schema: Any, name: str) -> Mapping[str, Any] | None:
        """What a schema says of one property, wherever it says it; None when it says nothing."""
        return _either(
            [part["properties"][name] for part in self._parts(schema) if name in part.get("properties", {})]
        )

    def item_schema(self, schema: Any) -> Mapping[str, Any] | None:
        """What a schema says of the items of an array."""
        return _either(
            [part["items"] for part in self._parts(schema) if isinstance(part.get("items"), Mapping)]
        )

    def required(self, schema: Any) -> frozenset[str]:
        """Properties that some part of the schema requires."""
        return frozenset(name for part in self._parts(schema) for name in part.get("required") or ())

    def property_names(self, schema: Any) -> list[str]:
        return list(
            dict.fromkeys(name for part in self._parts(schema) for name in part.get("properties", {}))
        )

    def _parts(self, schema: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
        told = self.resolve(schema)
        yield told
        if depth < _DEPTH:
            for keyword in ("allOf", "anyOf", "oneOf"):
                for branch in told.get(keyword) or ():
                    yield from self._parts(branch, depth + 1)

    def describe(self, schema: Any, depth: int = 0) -> str:
        """The schema in a few words: `integer from 1 to 100`, `one of "a", "b"`, `array of string`."""
        told = self.resolve(schema)
        if "const" in told:
            return _bounded(compact_json(told["const"]))
        if told.get("enum"):
            return "one of " + _bounded(", ".join(map(compact_json, told["enum"])))
        branches = told.get("anyOf") or told.get("oneOf")
        if branches and depth < 2:
            return _bounded(" or ".join(dict.fromkeys(self.describe(b, depth + 1) for b in branches)))
        types = told.get("type") or sorted(self.types(told) if self.types(told) != ALL_TYPES else ())
        text = " or ".join(types) if isinstance(types, list) else str(types)
        if text == "array" and depth < 2 and told.get("items"):
            text = f"array of {self.describe(told['items'], depth + 1)}"
        if text == "object" and depth < 2 and told.get("properties"):
            text = "object with " + _bounded(", ".join(told["properties"]))
        return (text or "any value") + _limits(told)


def _types_of(values: list[Any]) -> frozenset[str]:
    found = {kind_of(value) for value in values}
    if any(isinstance(value, float) and value.is_integer() for value in values):
        found.add("integer")
    return frozenset(found | ({"number"} if "integer" in found else set()))


def _either(found: list[Any]) -> Mapping[str, Any] | None:
    if not found:
        return None
    if len(found) == 1:
        return found[0] if isinstance(found[0], Mapping) else {}
    return {"anyOf": found}


def _bounded(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _limits(told: Mapping[str, Any]) -> str:
    low, high = told.get("minimum"), told.get("maximum")
    parts = []
    if low is not None and high is not None:
        parts.append(f"from {low} to {high}")
    elif low is not None:
        parts.append(f"at least {low}")
    elif high is not None:
        parts.append(f"at most {high}")
    if told.get("format") and told["format"] != "binary":
        parts.append(f"({told['format']})")
    if told.get("pattern"):
        parts.append(f"matching {_bounded(str(told['pattern']))}")
    return "".join(f" {part}" for part in parts)
