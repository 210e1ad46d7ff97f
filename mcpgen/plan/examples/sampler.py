"""The sampler: walks a schema and proposes values, the likeliest first, until one is valid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from itertools import islice
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.plan.examples.alternatives import NoValue, Stack, alternatives, merged
from mcpgen.plan.examples.checking import Checker
from mcpgen.plan.examples.numbers import example_number
from mcpgen.plan.examples.texts import example_text, matches
from mcpgen.plan.examples.variation import varied

_FULL_DEPTH = 3
"""Below this depth only what is required is made: optional fields of fields explain little and can fan out."""
_WORK = 2_000
"""How many schemas one example visits before it stops to look for better values."""
_MOST_WORK = 10_000
"""How many schemas one example visits at all: required fields of required fields can fan out without an end."""
_DEEPEST = 40
_TRIES = 24
_MANY_ITEMS = 50
_LONGEST = 10_000

# Keywords that a value built from the other keywords alone can break: what is built must be checked.
_UNSURE = frozenset(
    {"oneOf", "anyOf", "allOf", "not", "if", "contains", "uniqueItems", "propertyNames", "patternProperties"}
    | {"dependentSchemas", "dependentRequired", "unevaluatedProperties", "unevaluatedItems", "minProperties"}
    | {"maxProperties", "maxItems"}
)
_TYPE_SIGNS: Mapping[str, frozenset[str]] = {
    "object": frozenset(
        {"properties", "required", "additionalProperties", "patternProperties", "minProperties"}
    ),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems"}),
    "string": frozenset(
        {"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}
    ),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
}
_ANYTHING = ("object", "string", "integer", "boolean", "array", "null")
_NOTHING: tuple[Any, ...] = (False, {"not": {}}, {"not": True})


class Source(Enum):
    """Where a value comes from. What is suggested counts only when valid; the others also as a last resort."""

    SUGGESTED = auto()
    LISTED = auto()
    BUILT = auto()


class Sampler:
    """Makes one value for the schemas and in the direction of a checker."""

    def __init__(self, checker: Checker, *, minimal: bool) -> None:
        self._schemas = checker.schemas
        self._minimal = minimal
        self._checker = checker
        self._work = 0

    def sample(self, schema: Schema | bool, stack: Stack = (), depth: int = 0) -> Any:
        """A value, valid unless none was found.

        Args:
            stack: the components that are being made, outermost first.
            depth: how deep in the value this one is.

        Raises:
            NoValue: the schema accepts nothing, or no value that comes to an end.
        """
        if schema in _NOTHING or depth > _DEEPEST or self._work > _MOST_WORK:
            raise NoValue
        if isinstance(schema, bool):
            schema = {}
        self._work += 1
        flat, _ = self._checker.flat(schema)
        sure = not _UNSURE & flat.keys() or self._work > _WORK
        fallback: list[Any] = []
        for value, source in islice(self._candidates(schema, flat, stack, depth), _TRIES):
            if (sure and source is Source.BUILT) or self._checker.fits(value, schema):
                return value
            if source is not Source.SUGGESTED:
                fallback.append(value)
        if not fallback:
            raise NoValue
        return fallback[0]

    def _candidates(
        self, schema: Schema, whole: Schema, stack: Stack, depth: int
    ) -> Iterator[tuple[Any, Source]]:
        """Values to try, the best first; `whole` is the flat schema with all its choices."""
        choosy = "oneOf" in whole
        for flat, opened in alternatives(schema, self._schemas, stack, self._checker.flat):
            yield from ((self._visible(value, flat), Source.SUGGESTED) for value in suggested(flat))
            yield from ((value, Source.LISTED) for value in listed(flat))
            if "const" in flat or "enum" in flat:
                continue
            for kind in kinds_of(flat, depth):
                try:
                    value = self._built(kind, flat, opened, depth)
                except NoValue:
                    continue
                yield value, Source.BUILT
                if kind == "object" and (choosy or "not" in flat):
                    yield self._object(flat, opened, depth, lean=True), Source.BUILT
                if choosy or "not" in flat:
                    yield from ((other, Source.BUILT) for other in islice(varied(value), 3))

    def _visible(self, value: Any, schema: Schema) -> Any:
        """A value of the spec without what does not travel in this direction, or is not asked for."""
        if isinstance(value, list):
            items = schema.get("items", {})
            return [self._visible(item, self._flat(items)) for item in value]
        if not isinstance(value, dict):
            return value
        properties = schema.get("properties", {})
        required = schema.get("required", ())
        return {
            name: self._visible(item, self._flat(properties.get(name, {})))
            for name, item in value.items()
            if not self._is_hidden(properties.get(name, {})) and not (self._minimal and name not in required)
        }

    def _flat(self, schema: Schema | bool) -> Schema:
        return {} if isinstance(schema, bool) else self._checker.flat(schema)[0]

    def _is_hidden(self, schema: Schema | bool) -> bool:
        return not isinstance(schema, bool) and not self._checker.travels(schema)

    def _built(self, kind: str, flat: Schema, stack: Stack, depth: int) -> Any:
        match kind:
            case "object":
                return self._object(flat, stack, depth)
            case "array":
                return self._array(flat, stack, depth)
            case "string":
                value: Any = example_text(flat)
            case "integer" | "number":
                value = example_number(flat, integer=kind == "integer")
            case "boolean":
                return True
            case _:
                return None
        if value is None:
            raise NoValue
        return value

    def _object(self, flat: Schema, stack: Stack, depth: int, *, lean: bool = False) -> dict[str, Any]:
        properties: Mapping[str, Any] = flat.get("properties", {})
        required = [
            name for name in flat.get("required", ()) if not self._is_hidden(properties.get(name, {}))
        ]
        known = frozenset(required)
        optional = [n for n, value in properties.items() if n not in known and not self._is_hidden(value)]
        most = size_of(flat, "maxProperties", len(required) + len(optional) + 1)
        least = size_of(flat, "minProperties", 0)
        full = not (self._minimal or lean) and depth < _FULL_DEPTH and self._work < _WORK
        made: dict[str, Any] = {}
        for name in [*required, *optional]:
            needed = name in known
            if not needed and (len(made) >= most or (not full and len(made) >= least)):
                continue
            try:
                made[name] = self.sample(self._property(flat, name), stack, depth + 1)
            except NoValue:
                if needed:
                    raise
        as_map = (
            full and not properties and flat.get("additionalProperties") not in (None, True, {}, *_NOTHING)
        )
        self._add_entries(made, flat, max(least, 1 if as_map and most != 0 else 0), stack, depth)
        self._add_dependent(made, flat, stack, depth)
        order = {name: place for place, name in enumerate(properties)}
        return dict(sorted(made.items(), key=lambda entry: order.get(entry[0], len(order))))

    def _property(self, flat: Schema, name: str) -> Schema:
        """The schema of one property: its own, those whose pattern it matches, else the one for the others."""
        parts = [flat["properties"][name]] if name in flat.get("properties", {}) else []
        parts += [
            value for pattern, value in flat.get("patternProperties", {}).items() if matches(pattern, name)
        ]
        if not parts:
            parts = [flat.get("additionalProperties", {})]
        found = {} if parts == [True] else parts[0]
        return {"allOf": parts} if len(parts) > 1 else {"not": {}} if found is False else found

    def _add_entries(self, made: dict[str, Any], flat: Schema, least: int, stack: Stack, depth: int) -> None:
        """Adds properties that the schema does not name until there are `least`."""
        if len(made) >= least:
            return
        for name in self._new_names(flat):
            if len(made) >= least:
                return
            try:
                made.setdefault(name, self.sample(self._property(flat, name), stack, depth + 1))
            except NoValue:
                continue

    def _new_names(self, flat: Schema) -> Iterator[str]:
        """Names for properties that the schema does not name, as far as it allows such."""
        rule = flat.get("propertyNames", {})
        shapes: list[Schema] = [
            self._flat(rule),
            *({"pattern": pattern} for pattern in flat.get("patternProperties", {})),
        ]
        texts = [text for text in map(example_text, shapes) if text is not None]
        names = ["key", *texts, *(other for text in texts for other in islice(varied(text), 10))]
        names += [f"key{number}" for number in range(2, _MANY_ITEMS)]
        known = flat.get("properties", {})
        yield from (name for name in names if name not in known and self._checker.fits(name, rule))

    def _add_dependent(self, made: dict[str, Any], flat: Schema, stack: Stack, depth: int) -> None:
        """Adds what the properties that are there call for (JSON Schema 2020-12: dependentRequired, dependentSchemas)."""
        called: dict[str, Schema] = {}
        for name, others in flat.get("dependentRequired", {}).items():
            if name in made:
                called |= {other: self._property(flat, other) for other in others}
        for name, schema in flat.get("dependentSchemas", {}).items():
            if name in made:
                whole = merged(
                    [{k: v for k, v in flat.items() if k != "dependentSchemas"}, schema], self._schemas
                )
                called |= {other: self._property(whole, other) for other in whole.get("required", ())}
        for name, schema in called.items():
            if name not in made:
                made[name] = self.sample(schema, stack, depth + 1)

    def _array(self, flat: Schema, stack: Stack, depth: int) -> list[Any]:
        low, prefix = size_of(flat, "minItems", 0), list(flat.get("prefixItems", ()))
        rest = flat.get("items", {})
        wanted = [*prefix]
        if "contains" in flat:
            matching = merged([rest, flat["contains"]], self._schemas)
            wanted += [matching] * min(size_of(flat, "minContains", 1), _LONGEST + 1)
        count = max(low, len(wanted), 1 if depth < _FULL_DEPTH else 0)
        count = min(count, size_of(flat, "maxItems", count))
        if count > _LONGEST:
            raise NoValue
        made: list[Any] = []
        for place in range(count):
            schema = wanted[place] if place < len(wanted) else rest
            try:
                repeated = place > _MANY_ITEMS and not flat.get("uniqueItems")
                value = made[-1] if repeated else self.sample(schema, stack, depth + 1)
            except NoValue:
                if place < low:
                    raise
                break
            made.append(self._unlike(value, made, schema) if flat.get("uniqueItems") else value)
        return made

    def _unlike(self, value: Any, others: Iterable[Any], schema: Schema) -> Any:
        """The value, or another one of the same schema that is not among the others."""
        taken = list(others)
        choices = (*listed(self._flat(schema)), *islice(varied(value), len(taken) + 10))
        for choice in (value, *choices):
            if not any(_same(choice, other) for other in taken) and self._checker.fits(choice, schema):
                return choice
        raise NoValue


def size_of(flat: Schema, keyword: str, default: int) -> int:
    """A keyword that counts something; the default where it is no number."""
    value = flat.get(keyword)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON: unlike in Python, true is not 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def suggested(flat: Schema) -> Iterator[Any]:
    """The spec's examples, and its default. An empty default says nothing and is left out."""
    examples = flat.get("examples")
    yield from examples if isinstance(examples, list) else ()
    if "example" in flat:
        yield flat["example"]
    if flat.get("default") not in (None, "", [], {}):
        yield flat["default"]


def listed(flat: Schema) -> Iterator[Any]:
    """The only values that the spec allows, where it lists them."""
    yield from [flat["const"]] if "const" in flat else flat.get("enum", ())


def kinds_of(flat: Schema, depth: int) -> list[str]:
    """The types to try, null last. Without a type: what the keywords are about, else anything."""
    kinds = flat.get("type") or [kind for kind, signs in _TYPE_SIGNS.items() if signs & flat.keys()]
    if isinstance(kinds, str):
        return [kinds]
    ordered = sorted(kinds, key=lambda kind: kind == "null")
    return ordered or list(_ANYTHING if depth == 0 else (*_ANYTHING[1:], _ANYTHING[0]))
