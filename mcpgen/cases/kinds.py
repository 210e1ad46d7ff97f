"""JSON types: of values, of what schemas admit, and which wrong ones the server is allowed to mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

ALL = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_DEPTH = 8


def kind_of(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    for kinds, name in (
        (bool, "boolean"),
        (int, "integer"),
        (float, "number"),
        (str, "string"),
        (list, "array"),
    ):
        if isinstance(value, kinds):
            return name
    return "object"


class Reader:
    """Reads one published schema, whose references lead into its own `$defs`."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._defs = root.get("$defs", {})
        # What was found out, by the identity of a schema that is held with it: each is asked about again and again.
        self._parts: dict[int, tuple[Any, tuple[Mapping[str, Any], ...]]] = {}
        self._kinds: dict[int, tuple[Any, frozenset[str]]] = {}

    def plain(self, schema: Any, depth: int = 0) -> Mapping[str, Any]:
        """The schema without a reference at its own level."""
        if not isinstance(schema, Mapping):
            return {"not": {}} if schema is False else {}
        reference = schema.get("$ref")
        if not isinstance(reference, str) or depth > _DEPTH:
            return schema
        name = reference.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return {**self.plain(self._defs.get(name, {}), depth + 1), **rest}

    def parts(self, schema: Any) -> tuple[Mapping[str, Any], ...]:
        """The schema and what it demands beside itself (`allOf`): a value must keep each of them."""
        known = self._parts.get(id(schema))
        if known is None:
            known = self._parts[id(schema)] = schema, tuple(self._all_parts(schema, 0))
        return known[1]

    def _all_parts(self, schema: Any, depth: int) -> Iterator[Mapping[str, Any]]:
        told = self.plain(schema)
        yield told
        if depth < _DEPTH:
            for part in told.get("allOf") or ():
                yield from self._all_parts(part, depth + 1)

    def choices(self, schema: Any) -> tuple[Any, ...]:
        """The alternatives at the schema's own level."""
        return tuple(
            branch
            for part in self.parts(schema)
            for keyword in ("anyOf", "oneOf")
            for branch in part.get(keyword) or ()
        )

    def kinds(self, schema: Any) -> frozenset[str]:
        """The JSON types that are admitted. `number` holds `integer`."""
        known = self._kinds.get(id(schema))
        if known is None:
            known = self._kinds[id(schema)] = schema, self._all_kinds(schema, 0)
        return known[1]

    def _all_kinds(self, schema: Any, depth: int) -> frozenset[str]:
        admitted = ALL
        for part in self.parts(schema):
            if "type" in part:
                named = [part["type"]] if isinstance(part["type"], str) else part["type"]
                admitted &= _whole(frozenset(named))
            if "const" in part:
                admitted &= _whole(frozenset({kind_of(part["const"])}))
            if isinstance(part.get("enum"), list):
                admitted &= _whole(frozenset(map(kind_of, part["enum"])))
            for keyword in ("anyOf", "oneOf"):
                if part.get(keyword) and depth < _DEPTH:
                    inner = (self._all_kinds(branch, depth + 1) for branch in part[keyword])
                    admitted &= frozenset().union(*inner)
        return admitted

    def item_kinds(self, schema: Any) -> frozenset[str]:
        """The JSON types of items, in any of the alternatives; all where nothing is said."""
        found = [part["items"] for part in self.parts(schema) if "items" in part]
        for choice in self.choices(schema):
            found += [part["items"] for part in self.parts(choice) if "items" in part]
        return frozenset().union(*map(self.kinds, found)) if found else ALL

    def mended(self, value: Any, schema: Any, *, optional: bool) -> bool:
        """Whether a value of a wrong type has one reading only, by which the server may take it (README, Arguments):
        a number as text, a single value as a list of one, null for something that can be left out.

        Texts that hold numbers or JSON are mended too; they are not asked about, because none is tried.
        """
        kind, admitted = kind_of(value), self.kinds(schema)
        if kind == "null":
            return optional
        if kind == "integer" and "string" in admitted:
            return True
        return "array" in admitted and kind in self.item_kinds(schema)


def _whole(kinds: frozenset[str]) -> frozenset[str]:
    return kinds | {"integer"} if "number" in kinds else kinds
