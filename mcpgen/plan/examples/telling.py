"""Values that show what a request does with them: every field that can go together, no two alike, hard to write.

The tests of a generated project send them. A text holds what must be escaped somewhere, numbers count up, booleans take turns:
what is dropped, swapped, cut off or not escaped is then seen in the request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.plan.examples.alternatives import NoValue, Stack, alternatives
from mcpgen.plan.examples.checking import Checker
from mcpgen.plan.examples.sampler import Sampler, Source, kinds_of, listed, size_of, suggested
from mcpgen.plan.parts import FILE_SCHEMA

IN_ADDRESSES = "é b/c?d=1&e+5%;<2"
"""For paths, queries and bodies: a space, a character beyond ASCII, and what ends a value in an address, in a form or in XML."""
IN_LISTS = "é/c?d=1&e+5%;<2"
"""For lists that spaces or pipes separate."""
IN_HEADERS = "a b/c?d=1&e+5%;<2"
"""Without what a header can't hold, or would be a separator in its lists (RFC 9110, 5.5, 5.6.1)."""
IN_COOKIES = "a/c?d=1&e+5%<2"
"""For cookies that are sent as they are (RFC 6265, 4.1.1)."""

_WIDE, _ALL, _SOME = 2, 1, 2
"""Down to which depth lists have two items, objects all of their fields, and objects at least two."""
_WORK = 250
"""How many schemas one value visits before only what is required is made."""
_ALL_WORK = 50_000
"""How many schemas all values of one call visit before only what is required is made."""
_LONGEST = 40
_PLAIN = ("string", "integer", "number", "boolean")
_CHOICES = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const"})
_LISTING = frozenset({"prefixItems", "contains", "uniqueItems", "unevaluatedItems"})
_FILE = {"content_base64": "AGLDqf8=", "filename": "é b&c.bin", "content_type": "application/x-made-up"}
_LIMITS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_SHAPED = ("pattern", "format", "contentEncoding", "contentMediaType")


class TellingSampler(Sampler):
    """Makes values for one call: two values of it differ wherever their schemas let them."""

    def __init__(self, checker: Checker, text: str) -> None:
        super().__init__(checker, minimal=False)
        self._text = text
        self._made = 0
        self._before = 0
        self.texts = 0
        """How many of the values, or parts of them, are texts that were free to choose."""

    def next(self, schema: Schema, text: str) -> Any:
        """One value more, for a place where texts can look like `text`.

        Raises:
            NoValue: there is none.
        """
        self._before += self._work
        self._work, self._text = 0, text
        return self.sample(schema)

    def sample(self, schema: Schema | bool, stack: Stack = (), depth: int = 0) -> Any:
        """As `Sampler.sample`; a schema of one plain type, as most arguments have, needs no search."""
        if not isinstance(schema, Mapping) or _CHOICES & schema.keys() or _is_shaped(schema):
            return super().sample(schema, stack, depth)
        kind = schema.get("type")
        if kind == "array" and not _LISTING & schema.keys():
            self._work += 1
            return self._array(schema, stack, depth)
        if kind in _PLAIN:
            self._work += 1
            return self._built(str(kind), schema, stack, depth)
        return super().sample(schema, stack, depth)

    @property
    def _is_tight(self) -> bool:
        return self._work > _WORK or self._before + self._work > _ALL_WORK

    def _candidates(
        self, schema: Schema, whole: Schema, stack: Stack, depth: int
    ) -> Iterator[tuple[Any, Source]]:
        """What is built comes before what the spec suggests, unless it has a shape that only the spec knows."""
        for flat, opened in alternatives(schema, self._schemas, stack, self._checker.flat):
            choices = list(listed(flat))
            if choices:
                turn = self._number() % len(choices)
                yield from ((value, Source.LISTED) for value in (*choices[turn:], *choices[:turn]))
            if "const" in flat or "enum" in flat:
                continue
            shaped = _is_shaped(flat)
            own = [(self._visible(value, flat), Source.SUGGESTED) for value in islice(suggested(flat), 3)]
            yield from own if shaped else ()
            for kind in self._kinds(flat, depth):
                try:
                    yield self._built(kind, flat, opened, depth), Source.BUILT
                    if kind == "object" and ("oneOf" in whole or "not" in flat):
                        yield self._object(flat, opened, depth, lean=True), Source.BUILT
                except NoValue:
                    continue
            yield from () if shaped else own

    def _kinds(self, flat: Schema, depth: int) -> list[str]:
        """Where anything is admitted, a text says more than an empty object."""
        kinds = kinds_of(flat, depth)
        return kinds if len(kinds) < 5 else ["string", *(kind for kind in kinds if kind != "string")]

    def _number(self) -> int:
        self._made += 1
        return self._made

    def _built(self, kind: str, flat: Schema, stack: Stack, depth: int) -> Any:
        if kind == "boolean":
            return self._number() % 2 == 1
        if kind == "string" and not _is_shaped(flat):
            return self._free_text(flat)
        if kind in ("integer", "number"):
            number = self._number() + 1
            low = size_of(flat, "minimum", 0)
            for one in (number, low + number):
                if not _LIMITS & flat.keys() or self._checker.fits(
                    one, {k: flat[k] for k in _LIMITS & flat.keys()}
                ):
                    return one
        return super()._built(kind, flat, stack, depth)

    def _free_text(self, flat: Schema) -> str:
        low, high = size_of(flat, "minLength", 0), size_of(flat, "maxLength", _LONGEST)
        if low > _LONGEST:
            return str(super()._built("string", flat, (), 0))
        self.texts += 1
        text = f"{self._number()}{self._text}"
        while len(text) < low:
            text += self._text
        return text[:high].strip() if low <= len(text[:high].strip()) else "a" * low

    def _object(self, flat: Schema, stack: Stack, depth: int, *, lean: bool = False) -> dict[str, Any]:
        if flat.get("properties") == FILE_SCHEMA["properties"]:
            return dict(_FILE)
        properties: Mapping[str, Any] = flat.get("properties", {})
        required = [n for n in flat.get("required", ()) if not self._is_hidden(properties.get(n, {}))]
        most = size_of(flat, "maxProperties", len(properties) + _SOME)
        room = max(0, most - len(required))
        wanted = (
            0 if lean or self._is_tight or depth > _SOME else room if depth <= _ALL else _SOME - len(required)
        )
        names = [*required, *self._optional(properties, frozenset(required), min(wanted, room))]
        made: dict[str, Any] = {}
        for name in names:
            try:
                made[name] = self.sample(self._property(flat, name), stack, depth + 1)
            except NoValue:
                if name in required:
                    raise
        free = not properties and not self._is_tight and depth <= _SOME and not lean
        least = max(size_of(flat, "minProperties", 0), min(_SOME, most) if free else 0)
        self._add_entries(made, flat, least, stack, depth)
        self._add_dependent(made, flat, stack, depth)
        return made

    def _optional(self, properties: Mapping[str, Any], required: frozenset[str], most: int) -> list[str]:
        """The first fields that can be left out. No more are looked at than are wanted: most objects want none."""
        free = (n for n, one in properties.items() if n not in required and not self._is_hidden(one))
        return list(islice(free, max(0, most)))

    def _array(self, flat: Schema, stack: Stack, depth: int) -> list[Any]:
        """Two items near the root; lists that have a form of their own are made as everywhere."""
        plain = not {"prefixItems", "contains"} & flat.keys()
        high = size_of(flat, "maxItems", _SOME)
        low = size_of(flat, "minItems", 0)
        if not plain or low > _SOME or self._is_tight:
            return super()._array(flat, stack, depth)
        count = max(low, min(high, _SOME if depth < _WIDE else 1))
        items = flat.get("items", {})
        made: list[Any] = []
        for _ in range(count):
            try:
                value = self.sample(items, stack, depth + 1)
                made.append(self._unlike(value, made, items) if flat.get("uniqueItems") else value)
            except NoValue:
                if len(made) < low:
                    raise
                break
        return made


def _is_shaped(flat: Schema) -> bool:
    """Whether only some texts are admitted. Numbers have formats that say how wide they are."""
    return any(key in flat for key in _SHAPED) and flat.get("type") not in ("integer", "number")
