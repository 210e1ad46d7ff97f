"""Cleaning single keywords of JSON Schema (2020-12 validation and metadata vocabularies).

Every function takes what the document says and returns what it can only mean, or `DROP`. A changed value makes a diagnostic
in the caller; the functions know nothing of places.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final

from mcpgen.spec.context import truth

DROP: Final = object()

_XML: dict[str, type] = {
    **dict.fromkeys(("name", "namespace", "prefix", "nodeType"), str),
    **dict.fromkeys(("attribute", "wrapped"), bool),
}
_LITERAL = re.compile(r"/(\^.*\$)/\Z", re.DOTALL)
TYPES = frozenset({"null", "boolean", "object", "array", "number", "integer", "string"})


def kept_extension(key: str, value: Any) -> bool:
    """Whether a later stage reads an extension: our own, and the names and texts of an enum's values (`x-enum-varnames`)."""
    return key.startswith("x-mcp") or (key.lower().startswith("x-enum") and isinstance(value, list | dict))


def number(value: Any) -> Any:
    """A number, also one in quotes. One that no double can hold is no bound that others understand (RFC 8259, section 6)."""
    if isinstance(value, bool):
        return DROP
    if isinstance(value, (int, float)):
        return value if _is_finite(value) else DROP
    if isinstance(value, str):
        text = value.strip()
        for kind in (int, float):
            try:
                found = kind(text)
            except ValueError:
                continue
            return found if _is_finite(found) else DROP
    return DROP


def _is_finite(value: int | float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the doubles
        return False


def positive(value: Any) -> Any:
    """A number above 0 (`multipleOf`)."""
    found = number(value)
    return found if found is not DROP and found > 0 else DROP


def count(value: Any) -> Any:
    """A whole number from 0 on (`minLength`, `maxItems`, ...); `5.0` is 5."""
    found = number(value)
    if found is DROP or found < 0 or found != int(found):
        return DROP
    return int(found)


def text(value: Any) -> Any:
    """A text; a number or boolean is written out."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else DROP


def flag(value: Any) -> Any:
    """A boolean, also one in quotes."""
    if isinstance(value, bool):
        return value
    meaning = truth(value)
    return DROP if meaning is None else meaning


def names(value: Any) -> Any:
    """A list of distinct names (`required`); an empty one says nothing."""
    if not isinstance(value, list):
        return DROP
    found = list(dict.fromkeys(item for item in value if isinstance(item, str)))
    return found or DROP


def dependent_names(value: Any) -> Any:
    """`dependentRequired`: property -> names."""
    if not isinstance(value, dict):
        return DROP
    return {
        key: [name for name in item if isinstance(name, str)]
        for key, item in value.items()
        if isinstance(item, list)
    }


def values(value: Any) -> Any:
    """The distinct values of an `enum`; an empty one admits nothing and can only be a slip."""
    if not isinstance(value, list) or not value:
        return DROP
    found: list[Any] = []
    seen: set[str] = set()
    for item in value:
        mark = f"{type(item).__name__}:{item!r}"
        if mark not in seen:
            seen.add(mark)
            found.append(item)
    return found


def pattern(value: Any) -> Any:
    """A regular expression that can be checked here and at run time, which both use Python's.

    `/^...$/` is a literal of JavaScript: the slashes are not part of the expression, and as such would refuse everything.
    """
    if not isinstance(value, str):
        return DROP
    literal = _LITERAL.match(value)
    if literal is not None:
        value = literal.group(1)
    try:
        re.compile(value)
    except (re.error, RecursionError, OverflowError):
        return DROP
    return value


def types(value: Any) -> Any:
    """`type`: one known name, or a list of distinct ones."""
    if isinstance(value, str):
        return value if value in TYPES else DROP
    if isinstance(value, list):
        if not value or not all(isinstance(item, str) and item in TYPES for item in value):
            return DROP  # the known names alone would refuse what the unknown one means
        found = list(dict.fromkeys(value))
        return found[0] if len(found) == 1 else found
    return DROP


def xml(value: Any) -> Any:
    """How a value is written as XML (OpenAPI 3.2, XML Object)."""
    if not isinstance(value, dict):
        return DROP
    found = {key: item for key, item in value.items() if isinstance(item, _XML.get(key, ()))}
    return found or DROP


def anything(value: Any) -> Any:
    """Any JSON value (`default`, `const`)."""
    return value


SIMPLE: dict[str, Callable[[Any], Any]] = {
    "type": types,
    "enum": values,
    "const": anything,
    "multipleOf": positive,
    "maximum": number,
    "minimum": number,
    "exclusiveMaximum": number,
    "exclusiveMinimum": number,
    "maxLength": count,
    "minLength": count,
    "pattern": pattern,
    "maxItems": count,
    "minItems": count,
    "uniqueItems": flag,
    "maxContains": count,
    "minContains": count,
    "maxProperties": count,
    "minProperties": count,
    "required": names,
    "dependentRequired": dependent_names,
    "title": text,
    "description": text,
    "default": anything,
    "deprecated": flag,
    "readOnly": flag,
    "writeOnly": flag,
    "format": text,
    "contentEncoding": text,
    "contentMediaType": text,
    "xml": xml,
}
"""Keywords whose value holds no schema -> how to clean it."""

LOOSENING = frozenset(SIMPLE) - {
    "title",
    "description",
    "xml",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "default",
}
"""Keywords whose loss lets more values through."""

IGNORED = frozenset(
    {
        "$ref", "$id", "id", "$schema", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$recursiveAnchor",
        "$comment", "$vocabulary", "$defs", "definitions", "externalDocs", "nullable", "example", "examples",
        "discriminator", "collectionFormat", "allowEmptyValue", "additionalItems", "name", "in",
    }
)  # fmt: skip
"""Keywords that are read elsewhere or say nothing about values."""
