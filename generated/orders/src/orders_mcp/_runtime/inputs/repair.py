"""Repairs harmless slips of models before validation: numbers as text, objects as JSON text, stray nulls.

Only a value of a type that its schema does not admit is touched, and only where a single reading is possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..schemas import SchemaReader
from ..values import JsonObject, kind_of, parse_json

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DEPTH = 40
_NO = object()


class Repairer:
    """Repairs one set of arguments and remembers what it did.

    Args:
        valid: they keep the schema as they are, so only how whole numbers are written is changed. What the schema says of a
            part may be less than it admits: an alternative that says nothing of a field admits any value of it.
    """

    def __init__(self, root: Mapping[str, Any], *, valid: bool = False) -> None:
        self._reader = SchemaReader(root)
        self._root = root
        self._valid = valid
        self.notes: list[str] = []

    def arguments(self, arguments: JsonObject) -> JsonObject:
        repaired: JsonObject = self._members(arguments, self._root, "", 0)
        return repaired

    def _value(self, value: Any, schema: Any, path: str, depth: int) -> Any:
        if depth > _DEPTH:
            return value
        admitted = self._reader.types(schema)
        kind = kind_of(value)
        if kind == "number" and value.is_integer() and "integer" in admitted and "number" not in admitted:
            return int(value)  # 5.0 is the integer 5 (JSON Schema, 6.1.1), and is sent as such
        if kind not in admitted and not self._valid:
            value = self._coerced(value, kind, admitted, schema, path)
            kind = kind_of(value)
        if kind == "object":
            return self._members(value, schema, path, depth)
        if kind == "array":
            items = self._reader.item_schema(schema)
            if items is not None:
                return [self._value(item, items, f"{path}[{n}]", depth + 1) for n, item in enumerate(value)]
        return value

    def _members(self, value: JsonObject, schema: Any, path: str, depth: int) -> JsonObject:
        required = self._reader.required(schema)
        repaired: JsonObject = {}
        for name, member in value.items():
            own = self._reader.property_schema(schema, name)
            where = f"{path}.{name}" if path else name
            if own is None:
                repaired[name] = member
            elif self._is_stray_null(member, own, name in required):
                self.notes.append(f"`{where}` was null, which it can't be, and is left out.")
            else:
                repaired[name] = self._value(member, own, where, depth + 1)
        return repaired

    def _is_stray_null(self, member: Any, schema: Any, required: bool) -> bool:
        if member is not None or required or self._valid:
            return False
        return "null" not in self._reader.types(schema)

    def _coerced(self, value: Any, kind: str, admitted: frozenset[str], schema: Any, path: str) -> Any:
        if kind == "string":
            for wanted, read in _READINGS:
                found = read(value) if wanted in admitted else _NO
                if found is not _NO and kind_of(found) in admitted:
                    return self._noted(path, f"text and is read as {wanted}", found)
        if kind == "integer" and "string" in admitted:
            return self._noted(path, "a number and is read as text", str(value))
        items = self._reader.item_schema(schema) if "array" in admitted else None
        if items is not None and kind in self._reader.types(items) and kind != "null":
            return self._noted(path, "a single value and is read as a list of one", [value])
        return value

    def _noted(self, path: str, what: str, value: Any) -> Any:
        self.notes.append(f"`{path}` was {what}.")
        return value


def _integer(text: str) -> Any:
    number = _number(text)
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return number if isinstance(number, int) else _NO


def _number(text: str) -> Any:
    return _json(text) if _NUMBER.fullmatch(text.strip()) else _NO


def _boolean(text: str) -> Any:
    return {"true": True, "false": False}.get(text.strip().lower(), _NO)


def _composite(text: str) -> Any:
    return _json(text) if text.strip()[:1] in ("{", "[") else _NO


def _json(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return _NO


_READINGS: tuple[tuple[str, Callable[[str], Any]], ...] = (
    ("integer", _integer),
    ("number", _number),
    ("boolean", _boolean),
    ("object", _composite),
    ("array", _composite),
)
