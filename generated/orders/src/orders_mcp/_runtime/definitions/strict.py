"""Schemas for OpenAI's strict mode: every object closed, every property required, what is optional nullable.

The rules are those of its guide "Structured model outputs". A schema that breaks them is not bent: it stays as it is,
and the reasons are told. Values of a strict schema are led back by `restored`: null for what is optional means absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..schemas import SchemaReader
from ..values import kind_of
from . import words
from .model import Finding, Kind, step
from .strict_limits import beyond_limits

Schema = dict[str, Any]

_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"},
)
_UNSAYABLE = (
    *("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "contains"),
    *("patternProperties", "propertyNames", "prefixItems", "unevaluatedProperties", "unevaluatedItems"),
)
_KEPT: Mapping[str, tuple[str, ...]] = {
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": ("minItems", "maxItems"),
}
_WORDED: Mapping[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength"),
    "array": ("uniqueItems",),
    "object": ("minProperties", "maxProperties"),
}
_NULL: Schema = {"type": "null"}
_ANNOTATIONS = frozenset({"description", "title", "default", "examples", "deprecated", "format", "$defs"})
_LOOKING = re.compile(r"\(\?[=!<]|\\[pP]\{|\\[1-9]")
"""What the pattern dialect does not have: looking around, classes of Unicode, references back."""
_INTO_DEFS = "#/$defs/"


class StrictSchema:
    """The arguments of one tool, made strict.

    Attributes:
        schema: what strict mode gets; of no use when there are problems.
        problems: why the arguments can't be strict.
        findings: what is to be known of a schema that can.
    """

    def __init__(self, tool: str, source: Mapping[str, Any]) -> None:
        self._tool = tool
        self._reader = SchemaReader(source)
        self.source = source
        self.problems: list[Finding] = []
        self.findings: list[Finding] = []
        self.branches: dict[str, Schema] = {}
        """Every alternative by its place in the source."""
        root = self._value(source, "")
        root.pop("description", None)
        defs = source.get("$defs", {})
        self.defs = {name: self._value(told, step("", "$defs", name)) for name, told in defs.items()}
        self.schema: Schema = {**root, "$defs": self.defs} if self.defs else root
        if root.get("type") != "object":
            self._problem("", "the arguments together are a choice")
        if not self.problems:
            for limit in beyond_limits(self.schema):
                self._problem("", limit)

    def _problem(self, place: str, text: str) -> Schema:
        self.problems.append(Finding(Kind.NOT_STRICT, self._tool, place, text))
        return {}

    def _note(self, kind: Kind, place: str, text: str) -> None:
        self.findings.append(Finding(kind, self._tool, place, text))

    def _value(self, told: Any, place: str) -> Schema:
        if not isinstance(told, Mapping) or not told.keys() - _ANNOTATIONS:
            return self._problem(place, "any value is admitted")
        for keyword in _UNSAYABLE:
            if keyword in told:
                self._problem(place, f"strict schemas have no `{keyword}`")
        if "$ref" in told:
            return self._reference(told, place)
        if "anyOf" in told:
            return self._choice(told, place)
        kinds = self._kinds(told)
        if not kinds:
            return self._problem(place, "no type is said")
        if len(kinds) == 1:
            return self._typed(kinds[0], told, place)
        bare = {key: value for key, value in told.items() if key not in ("description", "default")}
        return _described({"anyOf": [self._typed(kind, bare, place) for kind in kinds]}, told)

    def _kinds(self, told: Mapping[str, Any]) -> list[str]:
        """The types that are said, or those of the values that are listed, or what its members are of."""
        if "type" in told:
            return list(told["type"]) if isinstance(told["type"], list) else [told["type"]]
        if "const" in told or "enum" in told:
            values = [told["const"]] if "const" in told else told["enum"]
            return sorted({kind_of(value) for value in values})
        return [kind for keyword, kind in (("properties", "object"), ("items", "array")) if keyword in told]

    def _reference(self, told: Mapping[str, Any], place: str) -> Schema:
        reference = {"$ref": told["$ref"]}
        if not str(told["$ref"]).startswith(_INTO_DEFS) or told.keys() - {"$ref", *_ANNOTATIONS}:
            return self._problem(place, "a reference stands beside other rules")
        # Beside `$ref` strict mode takes no other keyword.
        return _described({"anyOf": [reference]}, told) if told.keys() - {"$ref"} else reference

    def _choice(self, told: Mapping[str, Any], place: str) -> Schema:
        if told.keys() - {"anyOf", "type", *_ANNOTATIONS}:
            return self._problem(place, "a choice stands beside other rules")
        branches = []
        for number, told_branch in enumerate(told["anyOf"]):
            where, branch = step(place, "anyOf", number), told_branch
            if "type" in told:
                branch = self._of_type(told["type"], told_branch, where)
            branches.append(self._value(branch, where))
            self.branches[where] = branches[-1]
        return _described({"anyOf": branches}, told)

    def _of_type(self, kinds: Any, branch: Any, place: str) -> Any:
        """An alternative with the type that is said of the whole choice."""
        if isinstance(branch, Mapping) and "$ref" not in branch:
            branch = {"type": kinds, **branch}
        if not self._reader.types(branch) <= self._reader.types({"type": kinds}):
            self._problem(place, "the alternative has another type than the whole")
        return branch

    def _typed(self, kind: str, told: Mapping[str, Any], place: str) -> Schema:
        out: Schema = {"type": kind}
        sentences = []
        for keyword in ("const", "enum"):
            if keyword in told:
                listed = told[keyword] if keyword == "enum" else [told[keyword]]
                values = [value for value in listed if _is(kind, value)]
                if kind in ("object", "array") or not values:
                    return self._problem(place, f"`{keyword}` lists what strict schemas can't list")
                out[keyword] = values if keyword == "enum" else values[0]
        for keyword in _KEPT.get(kind, ()):
            if keyword in told:
                out[keyword] = told[keyword]
        if kind == "string":
            sentences += self._text_rules(told, out, place)
        for keyword in _WORDED.get(kind, ()):
            if told.get(keyword, False) is not False:
                sentences.append(self._worded(keyword, told[keyword], place))
        if kind == "object":
            self._object(told, out, place)
        if kind == "array":
            out["items"] = self._value(told.get("items"), step(place, "items"))
        return _described(out, told, *sentences)

    def _text_rules(self, told: Mapping[str, Any], out: Schema, place: str) -> list[str]:
        sentences = []
        if "pattern" in told and _LOOKING.search(told["pattern"]):
            sentences.append(self._worded("pattern", told["pattern"], place))
        elif "pattern" in told:
            out["pattern"] = told["pattern"]
        if told.get("format") in _FORMATS:
            out["format"] = told["format"]
        elif "format" in told:
            sentences.append(f"Format: {told['format']}.")
        return sentences

    def _worded(self, keyword: str, value: Any, place: str) -> str:
        self._note(Kind.WORDED, place, keyword)
        return words.rule(keyword, value)

    def _object(self, told: Mapping[str, Any], out: Schema, place: str) -> None:
        properties = told.get("properties", {})
        rest = told.get("additionalProperties")
        if rest not in (None, False, {"not": {}}):
            self._problem(place, "the object admits fields of any name")
        elif rest is None and not properties:
            self._problem(place, "the object says nothing of its fields")
        elif rest is None:
            self._note(Kind.CLOSED, place, "closed")
        required = told.get("required", ())
        for name in required:
            if name not in properties:
                self._problem(place, f"`{name}` is required, but not described")
        out["properties"] = {}
        for name, child in properties.items():
            where = step(place, "properties", name)
            value = self._value(child, where)
            if name not in required:
                if "null" in self._reader.types(child):
                    self._note(Kind.NULL_IS_ABSENT, where, "null means left out; null itself can't be given")
                else:
                    value = _nullable(value)
            out["properties"][name] = value
        out["required"] = list(properties)
        out["additionalProperties"] = False

    def target(self, reference: str) -> tuple[Any, str]:
        """What a reference leads to, and where that is."""
        name = reference.removeprefix(_INTO_DEFS)
        return self.source.get("$defs", {}).get(name), step("", "$defs", name)


def _is(kind: str, value: Any) -> bool:
    found = kind_of(value)
    return found == kind or (kind == "number" and found == "integer")


def _nullable(schema: Schema) -> Schema:
    kind = schema.get("type")
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], _NULL]}
    if kind in ("string", "integer", "number", "boolean") and not {"enum", "const"} & schema.keys():
        return {**schema, "type": [kind, "null"]}
    inner = {key: value for key, value in schema.items() if key != "description"}
    return _described({"anyOf": [inner, _NULL]}, schema)


def _described(out: Schema, told: Mapping[str, Any], *sentences: str) -> Schema:
    """With the description, which also says what strict schemas have no keyword for."""
    added = [*sentences, *([words.default(told["default"])] if "default" in told else [])]
    return {**out, **words.with_words(told.get("description"), added)}
