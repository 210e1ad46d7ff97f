"""Repairs that need several keywords of one schema."""

from __future__ import annotations

from typing import Any

from mcpgen.runtime.patterns.matching import longest_checked
from mcpgen.spec.keywords import number
from mcpgen.spec.model import Json

_USUAL_LENGTH = 20
"""A pattern that texts of this length are held against counts as checked, in characters."""
_SHOWN = 80
_CONTRADICTION = "schemas that contradict themselves"
_LIMITS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))


def limits(value: Json, result: Json) -> None:
    """Boolean `exclusiveMinimum` and `exclusiveMaximum` of OpenAPI 3.0 and Swagger 2.0 become numbers."""
    for exclusive, limit in _LIMITS:
        written = value.get(exclusive)
        if written is True or written == "true":
            bound = number(value.get(limit))
            result.pop(exclusive, None)
            if isinstance(bound, (int, float)):
                result[exclusive] = bound
                result.pop(limit, None)


def open_for_lost_patterns(value: Json, result: Json) -> None:
    """Where an entry of `patternProperties` had to go, nothing may be refused for matching no pattern."""
    written = value.get("patternProperties")
    if isinstance(written, dict) and len(result.get("patternProperties", {})) < len(written):
        for key in ("additionalProperties", "unevaluatedProperties"):
            if key in result:
                result[key] = {}


def finish(result: Json) -> list[tuple[str, str]]:
    """Makes a schema usable in place; returns what had to be loosened, each with its kind.

    - An `enum` of a list that names no list is about its items.
    - An `enum` of which no value has the schema's `type` admits nothing; its authors mean the values (numbers without quotes in
      YAML), so the type goes.
    - A `const` of another type: likewise.
    - A `pattern` that could take very long to match stays, but no server holds an argument against it.
    """
    messages: list[tuple[str, str]] = []
    pattern = result.get("pattern")
    if pattern is not None and longest_checked(pattern) < _USUAL_LENGTH:
        words = "could take very long to match, so only the API checks it"
        messages.append((f"the pattern {pattern[:_SHOWN]!r} {words}", "patterns that are not checked"))
    kinds = result.get("type")
    if kinds is None:
        return messages
    listed = [kinds] if isinstance(kinds, str) else kinds
    items = result.get("items")
    if "array" in listed and "enum" in result and isinstance(items, dict) and "enum" not in items:
        inner = [value for value in result["enum"] if value is not None]
        if inner and not any(isinstance(value, list) for value in inner):
            del result["enum"]
            result["items"] = {**items, "enum": inner} if "$ref" not in items else items
            return [
                *messages,
                ("`enum` names values of the list's items; it is read as theirs", _CONTRADICTION),
            ]
    given: Any = result.get("enum") or ([result["const"]] if "const" in result else [])
    if given and not any(_is_of(value, kind) for value in given for kind in listed):
        del result["type"]
        word = "enum" if "enum" in result else "const"
        told = f"no value of `{word}` is of type {' or '.join(listed)}; the type is left out"
        messages.append((told, _CONTRADICTION))
    return messages


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    expected: dict[str, type | tuple[type, ...]] = {
        "null": type(None),
        "number": (int, float),
        "string": str,
        "array": list,
        "object": dict,
    }
    return isinstance(value, expected[kind])
