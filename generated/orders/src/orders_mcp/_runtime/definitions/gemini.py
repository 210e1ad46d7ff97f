"""Gemini's function declarations, with `parametersJsonSchema`: the part of JSON Schema that its guides list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..schemas import SchemaReader
from . import words
from .common import named
from .model import Definition, Finding, Kind, step

Schema = dict[str, Any]

_NAME = r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}"
_KEY = r"[a-zA-Z_][a-zA-Z0-9_]{0,63}"
_FORMATS = frozenset({"date-time", "date", "time", "int32", "int64", "float", "double"})
_KEPT = ("minItems", "maxItems", "minimum", "maximum")
_WORDED = (
    *("minLength", "maxLength", "pattern", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"),
    *("uniqueItems", "minProperties", "maxProperties"),
)
_LOST = (
    *("allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties"),
    *("propertyNames", "contains", "unevaluatedProperties", "unevaluatedItems"),
)
_INTO_DEFS = "#/$defs/"


def declaration(told: Mapping[str, Any]) -> Definition:
    """One function declaration."""
    name = told["name"]
    subset = _Subset(name, told["inputSchema"])
    wrong = [key for key in told["inputSchema"].get("properties", {}) if not re.fullmatch(_KEY, key)]
    refused = [
        Finding(Kind.REFUSED, name, step("", "properties", key), f"the argument's name does not match {_KEY}")
        for key in wrong
    ]
    value = {
        "name": name,
        "description": told.get("description") or "",
        "parametersJsonSchema": subset.schema,
    }
    return Definition(name, value, findings=(*named(name, _NAME), *refused, *subset.findings))


class _Subset:
    """One tool's schema in the keywords that Gemini knows; `findings` says what it has no keyword for."""

    def __init__(self, tool: str, source: Mapping[str, Any]) -> None:
        self._tool = tool
        self._reader = SchemaReader(source)
        self._defs: Mapping[str, Any] = source.get("$defs", {})
        self.findings: list[Finding] = []
        self._circular = {name for name in self._defs if name in self._reached(name)}
        root = {"properties": {}, **self._value(source, "", optional=True), "type": "object"}
        root.pop("anyOf", None)
        defs = {
            name: self._value(told, step("", "$defs", name), optional=False)
            for name, told in self._defs.items()
        }
        self.schema: Schema = {**root, "$defs": defs} if defs else root

    def _reached(self, name: str) -> set[str]:
        """The definitions that a definition leads to."""
        found: set[str] = set()
        waiting = list(_references(self._defs[name]))
        while waiting:
            reference = waiting.pop()
            if reference not in found and reference in self._defs:
                found.add(reference)
                waiting += _references(self._defs[reference])
        return found

    def _note(self, kind: Kind, place: str, text: str) -> None:
        self.findings.append(Finding(kind, self._tool, place, text))

    def _value(self, told: Any, place: str, *, optional: bool) -> Schema:
        """One schema. `optional` is whether something above it, in its definition, may be left out."""
        if not isinstance(told, Mapping):
            return {}
        if "$ref" in told:
            return self._reference(told, place, optional=optional)
        out: Schema = {"type": told["type"]} if "type" in told else {}
        sentences = [*self._listed(told, out, place), *self._limits(told, out, place)]
        for keyword in _LOST:
            if keyword in told:
                self._note(Kind.LOOSENED, step(place, keyword), f"`{keyword}`")
        self._members(told, out, place, optional=optional)
        if "default" in told:
            sentences.append(words.default(told["default"]))
        return {**out, **words.with_words(told.get("description"), sentences)}

    def _reference(self, told: Mapping[str, Any], place: str, *, optional: bool) -> Schema:
        """Circular references may only stand in what can be left out; beside `$ref` nothing else may stand."""
        name = str(told["$ref"]).removeprefix(_INTO_DEFS)
        description = words.with_words(told.get("description"), ())
        if name in self._circular and not optional:
            self._note(Kind.LOOSENED, place, "a reference in a circle")
            kinds = sorted(self._reader.types(told))
            return {**({"type": kinds[0]} if len(kinds) == 1 else {}), **description}
        reference = {"$ref": told["$ref"]}
        return {"anyOf": [reference], **description} if description else reference

    def _listed(self, told: Mapping[str, Any], out: Schema, place: str) -> Iterator[str]:
        """Lists of values: texts and numbers stay; of the others only the type is left, and words."""
        for keyword in ("enum", "const"):
            if keyword not in told:
                continue
            values = told["enum"] if keyword == "enum" else [told["const"]]
            listed = [value for value in values if value is not None]
            if listed and all(isinstance(v, str) for v in listed):
                out.setdefault("type", "string" if None not in values else ["string", "null"])
                out["enum"] = values
            elif listed and all(isinstance(v, int | float) and not isinstance(v, bool) for v in listed):
                out.setdefault("type", "number")
                out["enum"] = values
            else:
                self._note(Kind.WORDED, place, keyword)
                yield words.rule(keyword, told[keyword])

    def _limits(self, told: Mapping[str, Any], out: Schema, place: str) -> Iterator[str]:
        out.update({keyword: told[keyword] for keyword in _KEPT if keyword in told})
        if told.get("format") in _FORMATS:
            out["format"] = told["format"]
        elif "format" in told:
            yield f"Format: {told['format']}."
        for keyword in _WORDED:
            if told.get(keyword, False) is not False:
                self._note(Kind.WORDED, place, keyword)
                yield words.rule(keyword, told[keyword])

    def _members(self, told: Mapping[str, Any], out: Schema, place: str, *, optional: bool) -> None:
        if "properties" in told:
            required = told.get("required", ())
            out["properties"] = {
                name: self._value(
                    child, step(place, "properties", name), optional=optional or name not in required
                )
                for name, child in told["properties"].items()
            }
        if "required" in told:
            out["required"] = list(told["required"])
        if "additionalProperties" in told:
            rest = told["additionalProperties"]
            where = step(place, "additionalProperties")
            out["additionalProperties"] = (
                rest if isinstance(rest, bool) else self._value(rest, where, optional=True)
            )
        if "items" in told:
            out["items"] = self._value(told["items"], step(place, "items"), optional=optional)
        for keyword, name in (("prefixItems", "prefixItems"), ("anyOf", "anyOf"), ("oneOf", "anyOf")):
            if keyword in told:
                if not place and keyword != "prefixItems":
                    self._note(Kind.LOOSENED, step(place, keyword), f"`{keyword}` at the root")
                out[name] = [
                    self._value(branch, step(place, keyword, number), optional=optional)
                    for number, branch in enumerate(told[keyword])
                ]


def _references(told: Any) -> Iterator[str]:
    """The definitions that a schema names."""
    waiting = [told]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("$ref"), str):
                yield part["$ref"].removeprefix(_INTO_DEFS)
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
