"""Values for the arguments of an example call: the document's own, else those of the right type, else marks with their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.plan.examples import example_value
from mcpgen.plan.places import search_argument
from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.samples import FieldSamples, is_short

MADE_UP = "string"
"""What the sampler gives for a text that can be anything."""
_OPTIONAL = 2
_PLUMBING = (
    "x_",
    "X-",
    "accept",
    "if_",
    "content_",
    "user_agent",
    "pretty",
    "page_token",
    "offset",
    "starting_after",
    "ending_before",
    "cursor",
    "include_",
)
"""Beginnings of arguments that are headers or serve pages: they show nothing of a call."""
_LONG = 200
_PAGE, _FEW = 1000, 10
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_NAMING = frozenset({"id", "name", "title", "slug", "key", "owner", "text", "content"})
_SIZES = frozenset({"limit", "pagesize", "perpage", "size", "count", "maxresults", "first", "top"})
_SHAPED = frozenset({"date", "date-time", "uuid", "email"})


@dataclass(frozen=True, slots=True)
class Values:
    """The values for one tool.

    Attributes:
        noun: what the tool is about.
        finders: the tools that find arguments, by argument.
    """

    samples: FieldSamples
    noun: str
    finders: Mapping[str, str]
    phrases: Phrases

    def realistic(self, name: str, value: Any, schema: Mapping[str, Any]) -> Any:
        """The document's value in place of a made up text, inside of objects and lists too; else a mark with the name."""
        if value == MADE_UP:
            found = self.samples.find(name, self.noun, str(schema.get("description") or ""))
            free = not schema.keys() & {"enum", "const", "pattern", "format"}
            if isinstance(found, str):
                return found
            mark = f"<{self._marked(name)}>"
            return mark if free and len(mark) <= schema.get("maxLength", _LONG) else value
        if isinstance(value, dict):
            inner = schema.get("properties") or {}
            return {key: self.realistic(key, one, inner.get(key) or {}) for key, one in value.items()}
        if isinstance(value, list):
            items = schema.get("items")
            return [self.realistic(name, one, items if isinstance(items, Mapping) else {}) for one in value]
        return value

    def _marked(self, name: str) -> str:
        finder = self.finders.get(name)
        return self.phrases.say("arguments.from", what=name, name=finder) if finder else name

    def optional(self, properties: Mapping[str, Any], alone: bool) -> dict[str, Any]:
        """One or two optional arguments: what to search for first, then values of the document, then a page's size.

        Where nothing else is in the call (`alone`), what names the thing, as marks: they show how a call is built.
        """
        schemas = _worth(properties)
        ways = (
            (self._known, _page_size, _shaped, self._nested, _switch) if alone else (self._known, _page_size)
        )
        marks = self.marks(properties)
        for way in ways:
            found = [(name, way(name, schema)) for name, schema in schemas.items()]
            call = dict([(name, value) for name, value in found if value is not None][:_OPTIONAL])
            if way == self._nested and len(marks) >= _OPTIONAL:
                return marks
            if call:
                return call
        return dict(list(marks.items())[:1]) if alone else {}

    def marks(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        """One or two arguments that take a short text, with marks, those that name the thing first."""
        return {name: f"<{self._marked(name)}>" for name in [*_texts(_worth(properties))][:_OPTIONAL]}

    def _known(self, name: str, schema: Mapping[str, Any]) -> Any:
        """A value that the document gives for an argument, or the first of those that it lists."""
        kind = schema.get("type")
        found = self.samples.find(name, self.noun, str(schema.get("description") or ""))
        for value in (*(schema.get("examples") or ()), found):
            texts = isinstance(value, str) == (kind == "string")
            if is_short(value) and texts and kind in ("string", "integer", "number"):
                return value
        values = schema.get("enum") or ()
        return next((value for value in values if is_short(value) and value != schema.get("default")), None)

    def _nested(self, name: str, schema: Mapping[str, Any]) -> Any:
        """Two fields of an object, or of the objects of a list, where the schema shows them."""
        items = schema.get("items")
        inner = items if isinstance(items, Mapping) else schema
        fields = inner.get("properties")
        if not isinstance(fields, Mapping) or not fields:
            return None
        value = self.optional(
            {key: fields[key] for key in [*inner.get("required", ()), *fields] if key in fields}, alone=True
        )
        return ([value] if inner is items else value) if value else None


def _worth(properties: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The arguments that an example may have: what to search for first, no plumbing."""
    search = search_argument(properties)
    names = sorted(properties, key=lambda name: name != search)
    return {
        name: properties[name]
        for name in names
        if not name.startswith(_PLUMBING) and isinstance(properties[name], Mapping)
    }


def _page_size(name: str, schema: Mapping[str, Any]) -> Any:
    """The default of a number of items, or the most of them that a page has, else a few."""
    if name.replace("_", "").lower() not in _SIZES or schema.get("type") != "integer":
        return None
    found = schema.get("default", schema.get("maximum"))
    found = max(_FEW, schema.get("minimum") or 0) if found is None else found
    return found if isinstance(found, int) and 0 < found <= _PAGE else None


def _shaped(name: str, schema: Mapping[str, Any]) -> Any:
    """A value whose format or bounds show its form: a date, a number from 1 to 5."""
    del name
    bounded = schema.get("type") in ("integer", "number") and _BOUNDS & schema.keys()
    if not bounded and schema.get("format") not in _SHAPED and "pattern" not in schema:
        return None
    value = example_value(dict(schema), {}, direction="request")
    return value if is_short(value) and value not in (schema.get("default"), MADE_UP) else None


def _switch(name: str, schema: Mapping[str, Any]) -> Any:
    """True for a switch that is off, false for one that is on."""
    del name
    return schema.get("default") is not True if schema.get("type") == "boolean" else None


def _texts(schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The names of the arguments that take a short text, those that name the thing first."""
    for name in sorted(schemas, key=lambda name: name.lower() not in _NAMING):
        schema = schemas[name]
        if schema.get("type") == "string" and len(name) + 2 <= schema.get("maxLength", _LONG):
            yield name
