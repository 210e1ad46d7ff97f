"""A schema of an object once one of its properties has a known value: conditions and alternatives on it are settled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.conditions import inlined
from mcpgen.plan.cutting.alternatives import alternatives
from mcpgen.plan.cutting.choices import Choice
from mcpgen.runtime.patterns.keywords import bounded_validator

_CHOOSING = frozenset(
    {
        "oneOf",
        "anyOf",
        "allOf",
        "if",
        "then",
        "else",
        "not",
        "dependentSchemas",
        "dependentRequired",
        "discriminator",
    }
)
_DEPTH = 8


class Specialiser:
    """Settles schemas for one value of one property.

    Attributes:
        touched: the properties that the settled parts speak of.
        refused: those that can't be there with this value.
    """

    def __init__(self, name: str, choice: Choice, schemas: Mapping[str, Schema]) -> None:
        self._name = name
        self._choice = choice
        self._schemas = schemas
        self.touched: set[str] = set()
        self.refused: set[str] = set()

    def settle(self, schema: Schema) -> dict[str, Any]:
        """The schema for this value. The property stays, with this one value, and is no longer required: the tool sends it."""
        merged, _ = flatten({"allOf": self._parts(schema, 0)}, self._schemas)
        properties = {
            key: value for key, value in merged.get("properties", {}).items() if key not in self.refused
        }
        if self._name in properties:
            told = properties[self._name]
            kept = {
                key: told[key]
                for key in ("description", "title")
                if isinstance(told, Mapping) and key in told
            }
            properties[self._name] = {**kept, "const": self._choice.value}
        required = [key for key in merged.get("required", ()) if key != self._name]
        out = {key: value for key, value in merged.items() if key not in ("properties", "required")}
        if properties:
            out["properties"] = properties
        if required:
            out["required"] = required
        return out

    def _parts(self, schema: Schema, depth: int) -> list[Schema]:
        flat, _ = flatten(schema, self._schemas)
        own = {key: value for key, value in flat.items() if key not in _CHOOSING}
        if depth:
            self.refused |= {
                key for key, value in own.get("properties", {}).items() if value in (False, {"not": {}})
            }
            self.touched |= {*own.get("properties", {}), *own.get("required", ())}
        if depth > _DEPTH:
            return [flat]
        return [
            own,
            *self._chosen(schema, flat, depth),
            *self._condition(flat, depth),
            *self._refusal(flat),
            *self._dependent(flat, depth),
            *(part for inner in flat.get("allOf", ()) for part in self._parts(inner, depth + 1)),
        ]

    def _chosen(self, schema: Schema, flat: Mapping[str, Any], depth: int) -> list[Schema]:
        """The alternatives that admit the value: the one that does, or what is left of several."""
        found = alternatives(schema, flat, self._schemas)
        if not found:
            return []
        left = [one for one in found if one.admits(self._name, self._choice.key)]
        if len(left) == 1 and len(found) > 1:
            return self._parts(left[0].schema, depth + 1)
        if not {"oneOf", "anyOf"} & flat.keys():
            return []  # a base whose subtypes say nothing of the value
        key = "oneOf" if "oneOf" in flat else "anyOf"
        parts = [self._nested(one.schema) for one in left or found]
        return [{key: parts}]

    def _nested(self, schema: Schema) -> dict[str, Any]:
        """An alternative that stays one: it must not ask for the property, which is no argument any more."""
        inner = Specialiser(self._name, self._choice, self._schemas)
        out = inner.settle(schema)
        properties = {key: value for key, value in out.get("properties", {}).items() if key != self._name}
        out.pop("properties", None)
        return {**out, "properties": properties} if properties else out

    def _condition(self, flat: Mapping[str, Any], depth: int) -> list[Schema]:
        if "if" not in flat:
            return []
        known, rest = self._known(flat["if"])
        if known is None or (known and rest):
            out: dict[str, Any] = {"if": rest if known else flat["if"]}
            for key in ("then", "else"):
                if key in flat:
                    out[key] = self._nested(flat[key])
            return [out]
        branch = flat.get("then" if known else "else")
        return self._parts(branch, depth + 1) if isinstance(branch, Mapping) else []

    def _refusal(self, flat: Mapping[str, Any]) -> list[Schema]:
        if "not" not in flat:
            return []
        known, rest = self._known(flat["not"])
        if known is None:
            return [{"not": flat["not"]}]
        if known and rest.keys() == {"required"} and len(rest["required"]) == 1:
            self.refused |= set(rest["required"])
            return []
        return [{"not": rest}] if known and rest else []

    def _known(self, condition: Any) -> tuple[bool | None, dict[str, Any]]:
        """What a condition says about the value, and the rest of it. None: nothing that can be told."""
        plain = inlined(condition, self._schemas) if isinstance(condition, Mapping) else None
        about = plain.get("properties", {}).get(self._name) if plain else None
        if plain is None or not isinstance(about, Mapping):
            return None, {}
        if not bounded_validator()(about).is_valid(self._choice.value):
            return False, {}
        properties = {key: value for key, value in plain["properties"].items() if key != self._name}
        required = [key for key in plain.get("required", ()) if key != self._name]
        rest = {key: value for key, value in plain.items() if key not in ("properties", "required", "type")}
        return True, {
            **rest,
            **({"properties": properties} if properties else {}),
            **({"required": required} if required else {}),
        }

    def _dependent(self, flat: Mapping[str, Any], depth: int) -> list[Schema]:
        """What follows from the presence of properties: this one is always there."""
        found: list[Schema] = []
        names = flat.get("dependentRequired", {})
        if self._name in names:
            found.append({"required": list(names[self._name])})
        others = {
            key: [one for one in value if one != self._name]
            for key, value in names.items()
            if key != self._name
        }
        if others := {key: value for key, value in others.items() if value}:
            found.append({"dependentRequired": others})
        inner = flat.get("dependentSchemas", {})
        if self._name in inner:
            found += self._parts(inner[self._name], depth + 1)
        if rest := {key: value for key, value in inner.items() if key != self._name}:
            found.append({"dependentSchemas": rest})
        return found


def without(schema: Schema, name: str, schemas: Mapping[str, Schema]) -> dict[str, Any]:
    """A schema of an object that says nothing of one property."""
    flat, _ = flatten(schema, schemas)
    properties = {key: value for key, value in flat.get("properties", {}).items() if key != name}
    out = {key: value for key, value in flat.items() if key not in ("properties", "required")}
    if required := [key for key in flat.get("required", ()) if key != name]:
        out["required"] = required
    return {**out, "properties": properties} if properties else out
